//! How an agent's file rates the options of a decision, over worlds imagined from what the seat knows.

use crate::session::{Advice, Imagination, NoAnswer, World};
use crate::table::Chance;
use std::sync::Arc;

/// Most worlds in which options are rated.
const WORLDS: usize = 8;

/// So many worlds in a row in which every option is rated alike are enough: what the seat does not know seems not to matter.
const ALIKE: usize = 2;

/// Where there are many options, fewer worlds are enough of a burden.
const MOST_RATINGS: usize = 800;

/// The ratings of options by their codes, summed over worlds; nothing where the file has no opinion.
///
/// # Errors
/// That no world is found, or what went wrong in the file.
pub(super) fn rated(
    imagination: &Imagination,
    advice: &Arc<Advice>,
    codes: &[u64],
    chance: &mut Chance,
) -> Result<Option<Vec<i64>>, NoAnswer> {
    if !imagination.is_rated(advice) {
        return Ok(None);
    }
    if let Some(ratings) = imagination.rated_as_known(advice) {
        return Ok(Some(ratings));
    }
    let mut sums = vec![0_i64; codes.len()];
    let (mut before, mut alike) = (Vec::new(), 0);
    for _ in 0..WORLDS.min(MOST_RATINGS / codes.len()).max(1) {
        let world = world_at_question(imagination, None, chance)?;
        let Some(ratings) = world.rate(advice)? else { break };
        let rated: Vec<_> = world.option_codes().into_iter().zip(ratings.of_options).collect();
        for (code, rating) in &rated {
            if let Some(at) = codes.iter().position(|known| known == code) {
                sums[at] = sums[at].saturating_add(*rating);
            }
        }
        alike = if rated == before { alike + 1 } else { 1 };
        if ratings.is_same_in_all || alike == ALIKE {
            break;
        }
        before = rated;
    }
    Ok(Some(sums))
}

/// A world in which the seat is asked: seats that are asked at the same time, before it, answer by an agent's file or at random.
///
/// # Errors
/// That no world is found, or what went wrong in the file.
pub(crate) fn world_at_question(
    imagination: &Imagination,
    policy: Option<&Arc<Advice>>,
    chance: &mut Chance,
) -> Result<World, NoAnswer> {
    let mut world = match policy {
        Some(policy) => imagination.likely_world(policy, chance)?,
        None => imagination.world(chance)?,
    };
    while let Some(other) = world.decision().filter(|decision| decision.seat != imagination.seat()) {
        let at = match policy {
            Some(policy) => world.preferred(policy, chance)?,
            None => chance.below(other.count() as u32) as usize,
        };
        world.choose(at).map_err(|error| error.to_string())?;
    }
    Ok(world)
}
