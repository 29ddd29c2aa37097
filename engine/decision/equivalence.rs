//! Pieces that are the same to the seat that is asked are one option.

use super::answers::Copies;
use super::choice::Choice;
use super::options::OptionSet;
use crate::model::{ComponentId, PieceId, Seat};
use crate::table::{Layout, Table};
use arcstr::ArcStr;
use rustc_hash::FxHashMap;
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

/// The options without those that are the same to the seat as an earlier one, and for how many each that is left stands.
pub(crate) fn folded(table: &Table, seat: Seat, options: OptionSet) -> (OptionSet, Copies) {
    match options {
        OptionSet::Product(parts) => {
            let fold = |(name, part): &(ArcStr, OptionSet)| {
                let (part, copies) = folded(table, seat, part.clone());
                ((name.clone(), part), copies)
            };
            let (parts, copies): (Vec<_>, Vec<Copies>) = parts.iter().map(fold).unzip();
            (OptionSet::Product(parts.into()), joined(copies, Copies::Product))
        }
        OptionSet::Union(sets) => {
            let (sets, copies): (Vec<_>, Vec<Copies>) = sets.iter().map(|set| folded(table, seat, set.clone())).unzip();
            (OptionSet::Union(sets.into()), joined(copies, Copies::Union))
        }
        leaf => {
            let firsts = Firsts::new(table, seat, pieces_of(&leaf));
            if firsts.0.is_empty() { (leaf, Copies::One) } else { only_firsts(leaf, &firsts) }
        }
    }
}

/// The copies of several sets together.
fn joined(copies: Vec<Copies>, together: fn(Arc<[Copies]>) -> Copies) -> Copies {
    if copies.iter().all(|copies| *copies == Copies::One) { Copies::One } else { together(copies.into()) }
}

fn only_firsts(options: OptionSet, firsts: &Firsts) -> (OptionSet, Copies) {
    match options {
        OptionSet::Pieces(items) => {
            let (kept, copies) = once(items.len(), |at| firsts.of(items[at]));
            (OptionSet::Pieces(kept.into_iter().map(|at| items[at]).collect()), copies)
        }
        OptionSet::List(items) => {
            let (kept, copies) = once(items.len(), |at| firsts.form(&items[at]));
            (OptionSet::List(kept.into_iter().map(|at| items[at].clone()).collect()), copies)
        }
        OptionSet::Rows(ref columns) => {
            let row = |at: usize| columns.iter().map(move |(_, column)| firsts.form(&column.get(at))).collect();
            let (kept, copies) = once::<SmallVec<[Choice; 2]>>(options.len(), row);
            (options.picked(&kept), copies)
        }
        OptionSet::Placements(found) => {
            let kept = found.with_pieces(|piece| firsts.of(piece) == piece);
            let mut alike: FxHashMap<PieceId, u64> = FxHashMap::default();
            found.pieces().for_each(|piece| *alike.entry(firsts.of(piece)).or_default() += 1);
            let copies = kept.iter().map(|placement| alike.get(&placement.piece).copied().unwrap_or(1));
            let copies = running_totals(copies);
            (OptionSet::Placements(Arc::new(kept)), copies)
        }
        other => (other, Copies::One),
    }
}

/// The positions whose form is no earlier one's, and how many have each form.
fn once<F: Eq + Hash>(count: usize, form: impl Fn(usize) -> F) -> (Vec<usize>, Copies) {
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

fn running_totals(copies: impl Iterator<Item = u64>) -> Copies {
    let mut sum = 0;
    let totals = copies.map(|copies| {
        sum += copies;
        sum
    });
    Copies::Listed(totals.collect())
}

/// Things that several are picked from, with those that are the same to the seat one after the other: a group stands where its first
/// thing stood. With the exclusive ends of the groups; without, where no two things are the same.
pub(crate) fn grouped(table: &Table, seat: Seat, things: Vec<Choice>) -> (Vec<Choice>, Vec<u32>) {
    let mut pieces = Vec::new();
    for thing in &things {
        thing.each_piece(|piece| pieces.push(piece));
    }
    let firsts = Firsts::new(table, seat, pieces);
    let mut seen: FxHashMap<Choice, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<Choice>> = Vec::new();
    let all = things.len();
    for thing in things {
        let form = if firsts.0.is_empty() { thing.clone() } else { firsts.form(&thing) };
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
