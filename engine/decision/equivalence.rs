//! Pieces that are the same to the seat that is asked are one option.

use super::choice::Choice;
use super::options::OptionSet;
use crate::model::{ComponentId, PieceId, Seat};
use crate::table::{Layout, Placements, Table};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::hash::Hash;
use std::sync::Arc;

/// Pieces among some that are the same to a seat as an earlier one, with that one.
struct Firsts(FxHashMap<PieceId, PieceId>);

impl Firsts {
    fn new(table: &Table, seat: Seat, pieces: Vec<PieceId>) -> Self {
        if are_unlike(table, seat, &pieces) {
            return Self(FxHashMap::default());
        }
        let mut firsts = FxHashMap::default();
        let mut again = FxHashMap::default();
        // What the seat does not know, be it a face, a value or what a die shows, leaves pieces apart, or else the options
        // would tell that they are alike.
        // Where one lies alone there is none like it.
        for piece in pieces.into_iter().filter(|piece| table.height(table.space_of(*piece)) > 1) {
            let Some(look) = look_of(table, piece, seat) else { continue };
            let first = *firsts.entry(look).or_insert(piece);
            if first != piece {
                again.insert(piece, first);
            }
        }
        Self(again)
    }

    fn of(&self, piece: PieceId) -> PieceId {
        self.0.get(&piece).copied().unwrap_or(piece)
    }

    /// A choice with the first piece for each of its pieces.
    fn form(&self, choice: &Choice) -> Choice {
        match choice {
            Choice::Piece(piece) => Choice::Piece(self.of(*piece)),
            Choice::Parts(parts) => {
                Choice::Parts(parts.iter().map(|(name, part)| (name.clone(), self.form(part))).collect())
            }
            Choice::Many(all) => Choice::Many(all.iter().map(|one| self.form(one)).collect()),
            plain => plain.clone(),
        }
    }
}

/// Whether no two of a few pieces have the same on them, as far as a seat can tell: then there is nothing to compare.
fn are_unlike(table: &Table, seat: Seat, pieces: &[PieceId]) -> bool {
    let mut seen: SmallVec<[(PieceId, (ComponentId, Option<Seat>)); FEW]> = SmallVec::new();
    for piece in pieces.iter().copied().filter(|piece| table.height(table.space_of(*piece)) > 1) {
        if table.knowers(piece) & table.turn_knowers(piece) & Layout::only(seat) == 0 {
            continue;
        }
        let print = (table.component(piece), table.owner(piece));
        if seen.len() == FEW || seen.iter().any(|(other, known)| *known == print && *other != piece) {
            return false;
        }
        seen.push((piece, print));
    }
    true
}

/// Up to so many pieces are looked at one by one.
const FEW: usize = 16;

/// The options without those that are the same to the seat as an earlier one.
pub(crate) fn folded(table: &Table, seat: Seat, options: OptionSet) -> OptionSet {
    match options {
        OptionSet::Product(parts) => {
            let parts = parts.iter().map(|(name, part)| (name.clone(), folded(table, seat, part.clone())));
            OptionSet::Product(parts.collect())
        }
        OptionSet::Union(sets) => OptionSet::Union(sets.iter().map(|set| folded(table, seat, set.clone())).collect()),
        leaf => {
            let firsts = Firsts::new(table, seat, pieces_of(&leaf));
            if firsts.0.is_empty() { leaf } else { only_firsts(leaf, &firsts) }
        }
    }
}

fn only_firsts(options: OptionSet, firsts: &Firsts) -> OptionSet {
    match options {
        OptionSet::Pieces(items) => OptionSet::Pieces(once(&items, |piece| firsts.of(*piece))),
        OptionSet::List(items) => OptionSet::List(once(&items, |choice| firsts.form(choice))),
        OptionSet::Rows(ref columns) => {
            let mut seen: FxHashSet<SmallVec<[Choice; 2]>> = FxHashSet::default();
            let row = |at: usize| columns.iter().map(move |(_, column)| firsts.form(&column.get(at))).collect();
            let is_new = |at: &usize| seen.insert(row(*at));
            options.picked(&(0..options.len()).filter(is_new).collect::<Vec<_>>())
        }
        OptionSet::Placements(found) => OptionSet::Placements(Arc::new(of_firsts(&found, firsts))),
        other => other,
    }
}

fn of_firsts(found: &Placements, firsts: &Firsts) -> Placements {
    found.with_pieces(|piece| firsts.of(piece) == piece)
}

/// The items whose form is no earlier one's.
fn once<T: Clone, F: Eq + Hash, C: FromIterator<T>>(items: &[T], form: impl Fn(&T) -> F) -> C {
    let mut seen = FxHashSet::default();
    items.iter().filter(|item| seen.insert(form(item))).cloned().collect()
}

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

/// What a piece is, where and how it lies, what values it has, and who knows it; nothing where a seat does not know all of that.
fn look_of(table: &Table, piece: PieceId, seat: Seat) -> Option<impl Eq + Hash + use<>> {
    let knowers = table.knowers(piece);
    if knowers & table.turn_knowers(piece) & Layout::only(seat) == 0 {
        return None;
    }
    let values = table.values_seen(piece, seat)?;
    let print = (table.component(piece), table.owner(piece));
    let lies = (table.space_of(piece), table.is_up(piece), table.turned(piece), table.layer(piece));
    Some((print, lies, values, knowers))
}
