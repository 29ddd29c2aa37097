//! Rates options with an agent's script, in worlds imagined from what the seat knows.

use crate::session::{Advice, Imagination, NoAnswer, World};
use crate::table::Chance;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Maximum number of worlds in which options are rated.
const WORLDS: usize = 8;

/// Number of consecutive worlds with identical ratings after which rating stops: whatever the seat does not know seems to be irrelevant.
const IDENTICAL_WORLDS: usize = 2;

/// Maximum number of ratings over all worlds. With many options, fewer worlds are imagined.
const MAX_RATINGS: usize = 800;

/// Ratings that an agent's script gives to the options of a decision.
pub(super) struct Ratings {
    /// One rating for each code, summed over worlds.
    pub(super) ratings: Vec<i64>,
    /// Whether the first of equally good options is taken. If not, one of them is drawn.
    pub(super) takes_first: bool,
}

/// Rates options, given by their codes, in several worlds. Returns `None` if the script does not rate this decision.
///
/// # Errors
/// Returns an error if no world can be imagined or the script fails.
pub(super) fn rate_in_worlds(
    imagination: &Imagination,
    advice: &Arc<Advice>,
    codes: &[u64],
    chance: &mut Chance,
) -> Result<Option<Ratings>, NoAnswer> {
    if !imagination.is_rated(advice) {
        return Ok(None);
    }
    if let Some(known) = imagination.rated_as_known(advice) {
        return Ok(Some(Ratings { ratings: known.of_rated, takes_first: known.takes_first }));
    }
    let mut sums: FxHashMap<u64, i64> = FxHashMap::default();
    let (mut before, mut identical, mut takes_first) = (Vec::new(), 0, false);
    for _ in 0..WORLDS.min(MAX_RATINGS / codes.len().max(1)).max(1) {
        let world = world_at_question(imagination, None, chance)?;
        let Some(ratings) = world.rate(advice)? else { break };
        takes_first = ratings.takes_first;
        let rated: Vec<_> = world.rated_codes().into_iter().zip(ratings.of_rated).collect();
        // Equivalent options have the same code and must be counted once.
        let mut counted = FxHashSet::default();
        for (code, rating) in rated.iter().filter(|(code, _)| counted.insert(*code)) {
            let sum = sums.entry(*code).or_default();
            *sum = sum.saturating_add(*rating);
        }
        identical = if rated == before { identical + 1 } else { 1 };
        if ratings.is_same_in_all || identical == IDENTICAL_WORLDS {
            break;
        }
        before = rated;
    }
    let ratings = codes.iter().map(|code| sums.get(code).copied().unwrap_or_default()).collect();
    Ok(Some(Ratings { ratings, takes_first }))
}

/// Imagines a world and plays it up to the seat's open decision. Other seats may have to answer first in a simultaneous decision. They
/// follow the script `policy`, or choose at random if there is none.
///
/// # Errors
/// Returns an error if no world can be imagined or the script fails.
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
            Some(policy) => world.choose_by_advice(policy, chance)?,
            None => other.draw(chance),
        };
        world.choose(at).map_err(|error| error.to_string())?;
    }
    Ok(world)
}
