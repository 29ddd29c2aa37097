//! Options and components that players never used, although they could have, or should have been able to.

use super::item_row::ItemRow;
use crate::model::Model;
use crate::simulation::{FALSE_FINDINGS, Figures, OptionReferent, false_discovery};

/// Maximum number of components that a kind may have to be examined. Long lists of options are not counted in full.
const MAX_COMPONENTS: usize = 200;

/// Like [`never_picked`], but leaves out options that need no attention: passes, and components that were picked in another decision, such
/// as a card that is played but never discarded.
pub(super) fn dead_options(rows: &[ItemRow]) -> Vec<&ItemRow> {
    let is_used = |thing: &OptionReferent| rows.iter().any(|row| row.picked > 0 && row.thing.as_ref() == Some(thing));
    let needs_no_attention = |row: &ItemRow| match &row.thing {
        Some(OptionReferent::Pass) => true,
        Some(thing @ OptionReferent::Component(_)) => is_used(thing),
        _ => false,
    };
    never_picked(rows).into_iter().filter(|row| !needs_no_attention(row)).collect()
}

/// Returns the options that were never picked although random agents would almost certainly have picked them.
pub(super) fn never_picked(rows: &[ItemRow]) -> Vec<&ItemRow> {
    // The p-value is the probability that random agents never pick the option, approximated by a Poisson distribution.
    let p_value =
        |row: &ItemRow| if row.picked == 0 && row.offered >= 100 { (-row.picked_at_random).exp() } else { 1.0 };
    let adjusted = false_discovery(&rows.iter().map(p_value).collect::<Vec<f64>>());
    rows.iter().zip(adjusted).filter(|(_, p_value)| *p_value <= FALSE_FINDINGS).map(|(row, _)| row).collect()
}

/// Returns the components that no decision ever offered, if at least half of the components of their kind were chosen and chance does not
/// explain the gap. Returns nothing for campaigns.
pub(super) fn never_offered(model: &Model, figures: &Figures) -> Vec<u16> {
    if figures.is_of_campaigns() {
        return Vec::new();
    }
    let mut counts = vec![[0_u64; 2]; model.components.len()];
    for (key, statistics) in &figures.options {
        if let OptionReferent::Component(at) = key.thing
            && let Some([offered, picked]) = counts.get_mut(usize::from(at))
        {
            *offered = offered.saturating_add(statistics.offered);
            *picked = picked.saturating_add(statistics.picked);
        }
    }
    let mut candidates: Vec<(u16, f64)> = Vec::new();
    for kind in model.kinds.iter().filter(|kind| kind.components.len() <= MAX_COMPONENTS) {
        let own = || kind.components.iter().map(|component| usize::from(component.0));
        let weight = |at: usize| f64::from(model.components[at].count.max(1));
        let chosen = own().filter(|at| counts[*at][1] > 0).count();
        if chosen * 2 < kind.components.len() {
            continue;
        }
        let picked: u64 = own().map(|at| counts[at][1]).sum();
        let weights: f64 = own().map(weight).sum();
        // The game's options may exclude a component. A component that has moved is certainly in the game.
        let is_in_game = |at: &usize| model.options.is_empty() || figures.components.contains_key(&(*at as u16));
        for at in own().filter(|at| counts[*at][0] == 0 && model.components[*at].count > 0).filter(is_in_game) {
            // Probability that a component that is as popular as the rest of its kind is never chosen, approximated by a Poisson
            // distribution.
            candidates.push((at as u16, (-(picked as f64) * weight(at) / weights).exp()));
        }
    }
    let adjusted = false_discovery(&candidates.iter().map(|(_, p_value)| *p_value).collect::<Vec<f64>>());
    candidates.iter().zip(adjusted).filter(|(_, p_value)| *p_value <= FALSE_FINDINGS).map(|((at, _), _)| *at).collect()
}
