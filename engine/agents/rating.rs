//! How an agent's file rates the options of a decision, over worlds imagined from what the seat knows.

use crate::session::{Advice, Imagination, NoAnswer, World};
use crate::table::Chance;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Most worlds in which options are rated.
const WORLDS: usize = 8;

/// So many worlds in a row in which every option is rated alike are enough: what the seat does not know seems not to matter.
const ALIKE: usize = 2;

/// Where there are many options, fewer worlds are enough of a burden.
const MOST_RATINGS: usize = 800;

/// How a file rates what is rated of a decision.
pub(super) struct Rated {
    /// The ratings, summed over worlds.
    pub(super) ratings: Vec<i64>,
    /// Whether the first of equally good options is taken; otherwise one of them is drawn.
    pub(super) takes_first: bool,
}

/// The ratings of what is rated by its codes; nothing where the file has no opinion.
///
/// # Errors
/// That no world is found, or what went wrong in the file.
pub(super) fn rated(
    imagination: &Imagination,
    advice: &Arc<Advice>,
    codes: &[u64],
    chance: &mut Chance,
) -> Result<Option<Rated>, NoAnswer> {
    if !imagination.is_rated(advice) {
        return Ok(None);
    }
    if let Some(known) = imagination.rated_as_known(advice) {
        return Ok(Some(Rated { ratings: known.of_rated, takes_first: known.takes_first }));
    }
    let mut sums: FxHashMap<u64, i64> = FxHashMap::default();
    let (mut before, mut alike, mut takes_first) = (Vec::new(), 0, false);
    for _ in 0..WORLDS.min(MOST_RATINGS / codes.len().max(1)).max(1) {
        let world = world_at_question(imagination, None, chance)?;
        let Some(ratings) = world.rate(advice)? else { break };
        takes_first = ratings.takes_first;
        let rated: Vec<_> = world.rated_codes().into_iter().zip(ratings.of_rated).collect();
        // Alike things have the same code, and count once.
        let mut counted = FxHashSet::default();
        for (code, rating) in rated.iter().filter(|(code, _)| counted.insert(*code)) {
            let sum = sums.entry(*code).or_default();
            *sum = sum.saturating_add(*rating);
        }
        alike = if rated == before { alike + 1 } else { 1 };
        if ratings.is_same_in_all || alike == ALIKE {
            break;
        }
        before = rated;
    }
    let ratings = codes.iter().map(|code| sums.get(code).copied().unwrap_or_default()).collect();
    Ok(Some(Rated { ratings, takes_first }))
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
            None => other.draw(chance),
        };
        world.choose(at).map_err(|error| error.to_string())?;
    }
    Ok(world)
}
