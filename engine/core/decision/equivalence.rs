//! Merging of equivalent options: pieces that a seat cannot or need not distinguish are offered only once.

use super::answer_space::Copies;
use super::choice::Choice;
use super::options::OptionSet;
use crate::model::{ComponentId, PieceId, Seat};
use crate::table::{Layout, Table};
use arcstr::ArcStr;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::hash::Hash;
use std::sync::Arc;

/// Map from each piece that a seat considers equivalent to an earlier piece, to that earlier piece.
struct Representatives(FxHashMap<PieceId, PieceId>);

impl Representatives {
    fn new(table: &Table, seat: Seat, pieces: Vec<PieceId>) -> Self {
        if are_all_distinct(table, seat, &pieces) {
            return Self(FxHashMap::default());
        }
        let mut firsts = FxHashMap::default();
        let mut duplicates = FxHashMap::default();
        // Pieces that the seat does not know completely (face, values, die) stay separate. Merging them would reveal that they are equal. A
        // piece that lies alone in its space has no equivalent.
        for piece in pieces.into_iter().filter(|piece| table.height(table.space_of(*piece)) > 1) {
            let Some(appearance) = appearance(table, piece, seat) else { continue };
            let first = *firsts.entry(appearance).or_insert(piece);
            if first != piece {
                duplicates.insert(piece, first);
            }
        }
        Self(duplicates)
    }

    fn get(&self, piece: PieceId) -> PieceId {
        self.0.get(&piece).copied().unwrap_or(piece)
    }

    /// Replaces every piece in a choice with its representative.
    fn canonical_form(&self, choice: &Choice) -> Choice {
        match choice {
            Choice::Piece(piece) => Choice::Piece(self.get(*piece)),
            Choice::Parts(parts) => {
                Choice::Parts(parts.iter().map(|(name, part)| (name.clone(), self.canonical_form(part))).collect())
            }
            Choice::Many(all) => Choice::Many(all.iter().map(|one| self.canonical_form(one)).collect()),
            plain => plain.clone(),
        }
    }
}

/// Returns whether all faces that the seat knows are different, so that no two pieces can be equivalent. Returns false if there are too
/// many pieces for this quick check.
fn are_all_distinct(table: &Table, seat: Seat, pieces: &[PieceId]) -> bool {
    let mut seen: SmallVec<[(PieceId, (ComponentId, Option<Seat>)); MAX_COMPARED]> = SmallVec::new();
    for piece in pieces.iter().copied().filter(|piece| table.height(table.space_of(*piece)) > 1) {
        if table.knowers(piece) & table.turn_knowers(piece) & Layout::only(seat) == 0 {
            continue;
        }
        let face = (table.component(piece), table.owner(piece));
        if seen.len() == MAX_COMPARED || seen.iter().any(|(other, known)| *known == face && *other != piece) {
            return false;
        }
        seen.push((piece, face));
    }
    true
}

/// Maximum number of pieces that are compared pairwise.
const MAX_COMPARED: usize = 16;

/// Removes options that are equivalent to an earlier option for the seat. Also returns how many options each remaining one represents.
/// Options in different sets of a union are not compared.
pub(crate) fn merge_equivalent(table: &Table, seat: Seat, options: OptionSet) -> (OptionSet, Copies) {
    match options {
        OptionSet::Product(parts) => {
            let merge = |(name, part): &(ArcStr, OptionSet)| {
                let (part, copies) = merge_equivalent(table, seat, part.clone());
                ((name.clone(), part), copies)
            };
            let (parts, copies): (Vec<_>, Vec<Copies>) = parts.iter().map(merge).unzip();
            (OptionSet::Product(parts.into()), combine_copies(copies, Copies::Product))
        }
        OptionSet::Union(sets) => {
            let (sets, copies): (Vec<_>, Vec<Copies>) =
                sets.iter().map(|set| merge_equivalent(table, seat, set.clone())).unzip();
            (OptionSet::Union(sets.into()), combine_copies(copies, Copies::Union))
        }
        leaf => {
            let representatives = Representatives::new(table, seat, pieces_of(&leaf));
            if representatives.0.is_empty() {
                (leaf, Copies::One)
            } else {
                keep_representatives(leaf, &representatives)
            }
        }
    }
}

/// Combines the copy counts of a product's parts, or of a union's sets. Returns [`Copies::One`] if every option has a single copy.
fn combine_copies(copies: Vec<Copies>, combine: fn(Arc<[Copies]>) -> Copies) -> Copies {
    if copies.iter().all(|copies| *copies == Copies::One) { Copies::One } else { combine(copies.into()) }
}

/// Keeps the first option of each group of equivalent options. Also returns how many options each kept option represents.
fn keep_representatives(options: OptionSet, representatives: &Representatives) -> (OptionSet, Copies) {
    match options {
        OptionSet::Pieces(items) => {
            let (kept, copies) = distinct_positions(items.len(), |at| representatives.get(items[at]));
            (OptionSet::Pieces(kept.into_iter().map(|at| items[at]).collect()), copies)
        }
        OptionSet::List(items) => {
            let (kept, copies) = distinct_positions(items.len(), |at| representatives.canonical_form(&items[at]));
            (OptionSet::List(kept.into_iter().map(|at| items[at].clone()).collect()), copies)
        }
        OptionSet::Rows(ref columns) => {
            let row = |at: usize| {
                columns.iter().map(move |(_, column)| representatives.canonical_form(&column.get(at))).collect()
            };
            let (kept, copies) = distinct_positions::<SmallVec<[Choice; 2]>>(options.len(), row);
            (options.select(&kept), copies)
        }
        OptionSet::Placements(found) => {
            let kept = found.with_pieces(|piece| representatives.get(piece) == piece);
            let mut alike: FxHashMap<PieceId, u64> = FxHashMap::default();
            found.pieces().for_each(|piece| *alike.entry(representatives.get(piece)).or_default() += 1);
            let copies = kept.iter().map(|placement| alike.get(&placement.piece).copied().unwrap_or(1));
            let copies = running_totals(copies);
            (OptionSet::Placements(Arc::new(kept)), copies)
        }
        other => (other, Copies::One),
    }
}

/// Returns the position of the first occurrence of each distinct value of `form`, and how often each value occurs.
fn distinct_positions<F: Eq + Hash>(count: usize, form: impl Fn(usize) -> F) -> (Vec<usize>, Copies) {
    let mut seen: FxHashMap<F, usize> = FxHashMap::default();
    let (mut kept, mut copies) = (Vec::new(), Vec::new());
    for at in 0..count {
        let place = *seen.entry(form(at)).or_insert(kept.len());
        if place == kept.len() {
            kept.push(at);
            copies.push(0_u64);
        }
        copies[place] += 1;
    }
    (kept, running_totals(copies.into_iter()))
}

/// Converts the number of copies of each option to cumulative counts.
fn running_totals(copies: impl Iterator<Item = u64>) -> Copies {
    let mut sum = 0;
    let totals = copies.map(|copies| {
        sum += copies;
        sum
    });
    Copies::Listed(totals.collect())
}

/// Reorders `things` so that equivalent choices are adjacent. Each group takes the position of its first choice. Also returns the exclusive
/// ends of the groups, or an empty list if no two choices are equivalent.
pub(crate) fn group_equivalent(table: &Table, seat: Seat, things: Vec<Choice>) -> (Vec<Choice>, Vec<u32>) {
    let mut pieces = Vec::new();
    for thing in &things {
        thing.each_piece(|piece| pieces.push(piece));
    }
    let representatives = Representatives::new(table, seat, pieces);
    let mut seen: FxHashMap<Choice, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<Choice>> = Vec::new();
    let all = things.len();
    for thing in things {
        let form = if representatives.0.is_empty() { thing.clone() } else { representatives.canonical_form(&thing) };
        let place = *seen.entry(form).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(thing);
    }
    if groups.len() == all {
        return (groups.into_iter().flatten().collect(), Vec::new());
    }
    let mut end = 0;
    let ends = groups.iter().map(|group| {
        end += group.len() as u32;
        end
    });
    let ends = ends.collect();
    (groups.into_iter().flatten().collect(), ends)
}

/// Returns the pieces in a set of options. Returns an empty list for products and unions, because their parts are handled separately.
fn pieces_of(options: &OptionSet) -> Vec<PieceId> {
    let mut found = Vec::new();
    match options {
        OptionSet::Pieces(items) => found.extend_from_slice(items),
        OptionSet::List(items) => items.iter().for_each(|choice| choice.each_piece(|piece| found.push(piece))),
        OptionSet::Rows(columns) => columns.iter().for_each(|(_, column)| found.extend(pieces_of(column))),
        OptionSet::Placements(placements) => found.extend(placements.pieces()),
        _ => {}
    }
    found
}

/// Returns everything that distinguishes a piece: face, place, orientation, values, and who knows it. Returns `None` if the seat does not
/// know all of it.
fn appearance(table: &Table, piece: PieceId, seat: Seat) -> Option<impl Eq + Hash + use<>> {
    let knowers = table.knowers(piece);
    if knowers & table.turn_knowers(piece) & Layout::only(seat) == 0 {
        return None;
    }
    let values = table.values_seen(piece, seat)?;
    let face = (table.component(piece), table.owner(piece));
    let position = (table.space_of(piece), table.is_up(piece), table.turned(piece), table.layer(piece));
    Some((face, position, values, knowers))
}
