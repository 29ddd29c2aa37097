//! The individual values that an open decision offers, each with the name of its part.

use super::choice::Choice;
use super::decision::Decision;
use super::options::OptionSet;
use super::placement::{placement_names, way_word};
use crate::model::PieceId;
use crate::table::{Placement, Placements};
use arcstr::ArcStr;
use std::collections::BTreeSet;

/// Maximum number of integers that are visited in each range. Visiting all integers of a large range would take too long.
const MAX_NUMBERS: usize = 1_000;

/// Calls `found` for each value that can be chosen or has been picked, alone or as a part of an option. Also passes the name of the part.
///
/// Products are not expanded, so the cost is the total size of the listed sets. A value in several sets is visited several times. At most
/// [`MAX_NUMBERS`] integers of a range are visited.
pub(crate) fn each_offered(decision: &Decision, found: &mut impl FnMut(Option<&ArcStr>, Choice)) {
    each_in(&decision.options, None, found);
    for choice in decision.among.iter().chain(&decision.picked) {
        each_part(choice.clone(), None, found);
    }
}

/// Returns the pieces that can be chosen or have been picked, sorted and without duplicates.
pub(crate) fn offered_pieces(decision: &Decision) -> Vec<PieceId> {
    let mut pieces = Vec::new();
    each_offered(decision, &mut |_, choice| choice.each_piece(|piece| pieces.push(piece)));
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

/// Visits the values of a set. `part` is the name of the part that the set belongs to, if any.
fn each_in(set: &OptionSet, part: Option<&ArcStr>, found: &mut impl FnMut(Option<&ArcStr>, Choice)) {
    match set {
        OptionSet::Rows(parts) | OptionSet::Product(parts) => {
            parts.iter().for_each(|(name, set)| each_in(set, Some(name), found));
        }
        OptionSet::Union(sets) => sets.iter().for_each(|set| each_in(set, part, found)),
        OptionSet::Placements(placements) => each_placed(placements, found),
        OptionSet::Numbers(..) => (0..set.len().min(MAX_NUMBERS)).for_each(|at| found(part, set.get(at))),
        listed => listed.iter().for_each(|choice| each_part(choice, part, found)),
    }
}

/// Calls `found` once for each distinct value of each part of the placements, since there may be many placements of few pieces.
fn each_placed(placements: &Placements, found: &mut impl FnMut(Option<&ArcStr>, Choice)) {
    let (mut pieces, mut spaces) = (BTreeSet::new(), BTreeSet::new());
    let (mut turns, mut ways) = (BTreeSet::new(), BTreeSet::new());
    for Placement { piece, to, turned, way } in (0..placements.len()).map(|at| placements.get(at)) {
        pieces.insert(piece);
        spaces.insert(to);
        turns.insert(i64::from(turned));
        ways.insert(way_word(way));
    }
    let [piece, to, turned, way] = placement_names();
    for one in pieces {
        found(Some(&piece), Choice::Piece(one));
    }
    for one in spaces {
        found(Some(&to), Choice::Space(one));
    }
    for one in turns {
        found(Some(&turned), Choice::Number(one));
    }
    for one in ways {
        found(Some(&way), Choice::Word(one));
    }
}

/// Visits a listed option. If the option is a map, and not itself the value of a part, visits its parts instead.
fn each_part(choice: Choice, part: Option<&ArcStr>, found: &mut impl FnMut(Option<&ArcStr>, Choice)) {
    match choice {
        Choice::Parts(parts) if part.is_none() && !parts.is_empty() => {
            parts.iter().for_each(|(name, value)| found(Some(name), value.clone()));
        }
        other => found(part, other),
    }
}
