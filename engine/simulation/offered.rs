//! Which options a game offered and which were picked, with how often and by whom.

use super::scheme::{Scheme, ahead};
use crate::model::{DecisionId, Seat};
use crate::session::{Choice, OptionSet, placement_names, way_word};
use crate::table::Table;
use arcstr::ArcStr;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::sync::Arc;

/// What an option, or a part of one, names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Thing {
    /// A pass, or having picked enough.
    Pass,
    /// Yes or no.
    Flag(bool),
    /// A number; large ones share a place.
    Number(i64),
    /// A word.
    Word(Arc<str>),
    /// A seat, by how many seats it comes after the one that chooses: 0 for itself.
    Seat(u8),
    /// A zone that belongs to no seat.
    Zone(u16),
    /// A zone that every seat has, by that of the first seat, and whose it is, as seats are counted.
    ZoneOf(u16, u8),
    /// A space of a zone that belongs to no seat.
    Space(u16),
    /// A space of a zone that every seat has, likewise.
    SpaceOf(u16, u8),
    /// A component, or a piece of it.
    Component(u16),
}

/// An option of a decision, or one value of one of its parts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OptionKey {
    /// Which decision.
    pub decision: u16,
    /// The name of the part; nothing for a whole option.
    pub part: Option<Arc<str>>,
    /// What it is.
    pub thing: Thing,
}

/// What was counted of an option in one game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OptionCounts {
    /// Whether it is among those of this game.
    is_seen: bool,
    /// The question in which it was offered last, from 1.
    last: u32,
    pub(super) offered: u32,
    pub(super) picked: u32,
    pub(super) offered_to: u16,
    pub(super) picked_by: u16,
}

/// A decision's part and its options, where an option without parts has one part without a name.
type PartKey = (u16, u8);

/// What an option, or a part of one, names, in the numbers of one notebook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Mark {
    Pass,
    Flag(bool),
    Number(i64),
    /// By the place in the words that were offered.
    Word(u32),
    Seat(u8),
    Zone(u16),
    ZoneOf(u16, u8),
    Space(u16),
    SpaceOf(u16, u8),
    Component(u16),
}

/// The values of a part of a question, or its options without parts, are not counted one by one beyond this many.
const MOST_LISTED: usize = 256;

/// A list of more options is not looked at.
const MOST_LOOKED_AT: usize = 4096;

/// Numbers up to this are counted one by one; larger ones share a place with their neighbors.
pub const OWN_ROW: u64 = 1 << 16;

/// A part without a name.
const WHOLE: u8 = u8::MAX;

/// All parts of a decision beyond so many together.
const OTHER_PARTS: u8 = u8::MAX - 1;

/// The words that were offered, numbered as they come.
type OfferedWords = IndexSet<ArcStr, FxBuildHasher>;

/// The options of one game with what is counted of them. Which there are is kept from game to game, for it is nearly all the same.
#[derive(Debug, Default)]
pub(super) struct OptionsSeen {
    /// The options of all games, by decision and part.
    known: Vec<Vec<KnownOptions>>,
    /// What they are.
    keys: Vec<OptionKey>,
    /// What was counted of them in this game, by the same places.
    counts: Vec<OptionCounts>,
    /// The places of those of this game.
    seen: Vec<u32>,
    /// The names of the parts of each decision.
    part_names: Vec<Vec<ArcStr>>,
    /// The words that were offered.
    words: OfferedWords,
}

/// The places of the options of a decision, or of one part of them.
#[derive(Debug, Default)]
struct KnownOptions {
    places: FxHashMap<Mark, u32>,
    /// The same for each seat that was asked, by the numbers of things as the table has them.
    by_seat: Vec<[Vec<u32>; NUMBERED]>,
}

/// A thing that has a number of its own: of which sort, and which.
type Numbered = (usize, usize);

/// How many sorts of things have numbers of their own.
const NUMBERED: usize = 7;

/// No option has this place.
const UNKNOWN: u32 = u32::MAX;

/// The number of a thing; nothing of words that nobody was offered yet, and of numbers that are no small ones.
fn numbered(choice: &Choice, table: &Table, words: &OfferedWords) -> Option<Numbered> {
    match choice {
        Choice::Space(space) => Some((0, space.index())),
        Choice::Component(component) => Some((1, component.index())),
        Choice::Piece(piece) => Some((1, table.component(*piece).index())),
        Choice::Zone(zone) => Some((2, zone.index())),
        Choice::Seat(seat) => Some((3, seat.index())),
        Choice::Number(number @ 0..256) => Some((4, *number as usize)),
        Choice::Word(word) => words.get_index_of(word).map(|at| (5, at)),
        Choice::Flag(flag) => Some((6, usize::from(*flag))),
        _ => None,
    }
}

/// A list's entry, which is there when it has been asked for.
fn entry<T: Default>(list: &mut Vec<T>, at: usize) -> &mut T {
    if list.len() <= at {
        list.resize_with(at + 1, T::default);
    }
    &mut list[at]
}

/// Where a part stands among those of its decision: the one without a name, which nearly all decisions have alone, comes first.
fn part_place((_, part): PartKey) -> usize {
    usize::from(part.wrapping_add(1))
}

/// What is counted of the option at a place, which is now among those of this game.
fn taken_up<'a>(counts: &'a mut [OptionCounts], seen: &mut Vec<u32>, place: u32) -> &'a mut OptionCounts {
    let counts = &mut counts[place as usize];
    if !counts.is_seen {
        counts.is_seen = true;
        seen.push(place);
    }
    counts
}

impl OptionCounts {
    /// Notes that it is offered to a seat, unless that has been noted of this question.
    fn offer(&mut self, seat: Seat, question: u32) {
        if self.last != question {
            self.last = question;
            self.offered += 1;
            self.offered_to |= 1 << seat.0;
        }
    }
}

impl OptionsSeen {
    /// The options of a decision, or of one part of them.
    fn known(&mut self, part: PartKey) -> &mut KnownOptions {
        entry(entry(&mut self.known, usize::from(part.0)), part_place(part))
    }

    /// The place of an option.
    fn place(&mut self, part: PartKey, mark: Mark) -> u32 {
        if let Some(known) = self.known(part).places.get(&mark) {
            return *known;
        }
        let name = self.part_names.get(usize::from(part.0)).and_then(|names| names.get(usize::from(part.1)));
        let name = name.map(|name| Arc::from(&**name));
        let place = self.keys.len() as u32;
        self.keys.push(OptionKey { decision: part.0, part: name, thing: self.thing(mark) });
        self.counts.push(OptionCounts::default());
        self.known(part).places.insert(mark, place);
        place
    }

    /// What is counted of the option at a place.
    fn counts(&mut self, place: u32) -> &mut OptionCounts {
        taken_up(&mut self.counts, &mut self.seen, place)
    }

    /// Notes that a seat is offered the option at a place, unless that has been noted of this question.
    fn offer(&mut self, place: u32, asked: &AskedDecision<'_>) {
        self.counts(place).offer(asked.seat, asked.question);
    }

    /// Notes that a seat is offered things, up to the first whose place is not known by its number.
    fn offer_known<T: Borrow<Choice>>(
        &mut self,
        part: PartKey,
        asked: &AskedDecision<'_>,
        things: &mut impl Iterator<Item = T>,
    ) -> Option<T> {
        let of_part = entry(entry(&mut self.known, usize::from(part.0)), part_place(part));
        let places = entry(&mut of_part.by_seat, asked.seat.index());
        things.find(|thing| {
            let thing = numbered(thing.borrow(), asked.table, &self.words);
            let place = thing.and_then(|(sort, at)| places[sort].get(at).copied());
            let known = place.filter(|place| *place != UNKNOWN);
            if let Some(place) = known {
                taken_up(&mut self.counts, &mut self.seen, place).offer(asked.seat, asked.question);
            }
            known.is_none()
        })
    }

    fn thing(&self, mark: Mark) -> Thing {
        match mark {
            Mark::Pass => Thing::Pass,
            Mark::Flag(flag) => Thing::Flag(flag),
            Mark::Number(number) => Thing::Number(number),
            Mark::Word(at) => Thing::Word(Arc::from(&*self.words[at as usize])),
            Mark::Seat(ahead) => Thing::Seat(ahead),
            Mark::Zone(zone) => Thing::Zone(zone),
            Mark::ZoneOf(zone, ahead) => Thing::ZoneOf(zone, ahead),
            Mark::Space(space) => Thing::Space(space),
            Mark::SpaceOf(space, ahead) => Thing::SpaceOf(space, ahead),
            Mark::Component(component) => Thing::Component(component),
        }
    }

    fn part(&mut self, decision: DecisionId, name: &ArcStr) -> u8 {
        let names = entry(&mut self.part_names, decision.index());
        let known = names.iter().position(|known| ArcStr::ptr_eq(known, name) || known == name);
        let at = known.unwrap_or_else(|| {
            if names.len() < usize::from(OTHER_PARTS) {
                names.push(name.clone());
                return names.len() - 1;
            }
            usize::from(OTHER_PARTS)
        });
        at as u8
    }

    /// The place of a word among those that were offered.
    fn word(&mut self, word: &ArcStr) -> u32 {
        let known = self.words.get_index_of(word);
        known.unwrap_or_else(|| self.words.insert_full(word.clone()).0) as u32
    }

    /// The options of the game by their places, with what was counted of them.
    pub(super) fn of_game(&self) -> impl Iterator<Item = (usize, &OptionKey, &OptionCounts)> + '_ {
        self.seen.iter().map(|place| *place as usize).map(|at| (at, &self.keys[at], &self.counts[at]))
    }

    /// Begins another game.
    pub(super) fn clear(&mut self) {
        for place in self.seen.drain(..) {
            self.counts[place as usize] = OptionCounts::default();
        }
    }

    /// Notes the options of a question, each thing once, however many options name it; returns the parts that are counted where these
    /// are not all: those whose values are not too many.
    pub(super) fn note_offered(&mut self, asked: &AskedDecision<'_>, options: &OptionSet) -> Option<Vec<u8>> {
        if options.len() <= MOST_LISTED {
            each_offered(options, &mut |name, offered| {
                let part = name.map_or(WHOLE, |name| self.part(asked.decision, name));
                match offered {
                    Offered::All(set) | Offered::Factor(set) => self.note_all(asked, part, set),
                    Offered::One(choice) => self.note_each(asked, part, std::iter::once(choice)),
                    Offered::Uncounted => {}
                }
            });
            return None;
        }
        let mut many = Many::default();
        each_offered(options, &mut |name, offered| {
            let part = name.map_or(WHOLE, |name| self.part(asked.decision, name));
            match offered {
                Offered::Factor(set) if set.len() > MOST_LISTED => many.left_out.push(part),
                Offered::All(set) | Offered::Factor(set) => {
                    set.iter().for_each(|choice| many.add(part, self.mark(&choice, asked)));
                }
                Offered::One(choice) => many.add(part, self.mark(choice, asked)),
                Offered::Uncounted => many.is_cut = true,
            }
        });
        let Many { mut parts, left_out, is_cut } = many;
        parts.retain(|(part, marks)| !is_cut && marks.len() <= MOST_LISTED && !left_out.contains(part));
        for (part, marks) in &parts {
            for mark in marks {
                let place = self.place((asked.decision.0, *part), *mark);
                self.offer(place, asked);
            }
        }
        Some(parts.into_iter().map(|(part, _)| part).collect())
    }

    /// Notes that all of a set are offered.
    fn note_all(&mut self, asked: &AskedDecision<'_>, part: u8, set: &OptionSet) {
        match set {
            OptionSet::Pieces(all) => self.note_each(asked, part, all.iter().map(|piece| Choice::Piece(*piece))),
            OptionSet::Spaces(all) => self.note_each(asked, part, all.iter().map(|space| Choice::Space(*space))),
            OptionSet::List(all) => self.note_each(asked, part, all.iter()),
            others => self.note_each(asked, part, others.iter()),
        }
    }

    /// Notes that things are offered.
    fn note_each<T: Borrow<Choice>>(
        &mut self,
        asked: &AskedDecision<'_>,
        part: u8,
        mut things: impl Iterator<Item = T>,
    ) {
        let key = (asked.decision.0, part);
        while let Some(unknown) = self.offer_known(key, asked, &mut things) {
            let Some(mark) = self.mark(unknown.borrow(), asked) else { continue };
            let place = self.place(key, mark);
            if let Some((sort, at)) = numbered(unknown.borrow(), asked.table, &self.words) {
                let places = &mut entry(&mut self.known(key).by_seat, asked.seat.index())[sort];
                places.resize(places.len().max(at + 1), UNKNOWN);
                places[at] = place;
            }
            self.offer(place, asked);
        }
    }

    /// Notes what was picked, as far as it is counted.
    pub(super) fn note_picked(&mut self, asked: &AskedDecision<'_>, choice: &Choice, counted: Option<&[u8]>) {
        match choice {
            Choice::Parts(parts) => {
                for (name, value) in parts.iter() {
                    let part = self.part(asked.decision, name);
                    self.note_pick(asked, part, value, counted);
                }
            }
            other => self.note_pick(asked, WHOLE, other, counted),
        }
    }

    fn note_pick(&mut self, asked: &AskedDecision<'_>, part: u8, choice: &Choice, counted: Option<&[u8]>) {
        let is_counted = counted.is_none_or(|counted| counted.contains(&part));
        let Some(mark) = self.mark(choice, asked).filter(|mark| is_counted || *mark == Mark::Pass) else { return };
        let place = self.place((asked.decision.0, part), mark);
        let counts = self.counts(place);
        counts.picked += 1;
        counts.picked_by |= 1 << asked.seat.0;
    }

    /// Notes that passing was offered.
    pub(super) fn note_pass(&mut self, asked: &AskedDecision<'_>) {
        let place = self.place((asked.decision.0, WHOLE), Mark::Pass);
        let counts = self.counts(place);
        counts.offered += 1;
        counts.offered_to |= 1 << asked.seat.0;
    }

    /// What an option names to the seat that chooses, as far as it can be counted.
    fn mark(
        &mut self,
        choice: &Choice,
        &AskedDecision { table, scheme, seat, .. }: &AskedDecision<'_>,
    ) -> Option<Mark> {
        let model = table.model();
        Some(match choice {
            Choice::Nothing => Mark::Pass,
            Choice::Flag(flag) => Mark::Flag(*flag),
            Choice::Number(number) if number.unsigned_abs() < OWN_ROW => Mark::Number(*number),
            Choice::Number(number) => Mark::Number(super::histogram::place(*number)),
            Choice::Word(word) => Mark::Word(self.word(word)),
            Choice::Seat(other) => Mark::Seat(ahead(model, *other, seat)),
            Choice::Zone(zone) => match scheme.of_first_seat(model, *zone, seat) {
                Some((first, ahead)) => Mark::ZoneOf(first.0, ahead),
                None => Mark::Zone(zone.0),
            },
            Choice::Space(space) => {
                let zone = model.space(*space).zone;
                match scheme.of_first_seat(model, zone, seat) {
                    Some((first, ahead)) => {
                        let at = space.0 - model.zone(zone).spaces.start;
                        Mark::SpaceOf(model.zone(first).spaces.start + at, ahead)
                    }
                    None => Mark::Space(space.0),
                }
            }
            Choice::Component(component) => Mark::Component(component.0),
            Choice::Piece(piece) => Mark::Component(table.component(*piece).0),
            Choice::Parts(_) | Choice::Many(_) => return None,
        })
    }
}

/// Who is asked what, where.
#[derive(Clone, Copy)]
pub(super) struct AskedDecision<'a> {
    pub(super) table: &'a Table,
    pub(super) scheme: &'a Scheme,
    pub(super) decision: DecisionId,
    pub(super) seat: Seat,
    /// The number of the question in its game, from 1.
    pub(super) question: u32,
}

/// What a question offers, as a whole or as a part that has a name.
enum Offered<'a> {
    /// Each of these.
    All(&'a OptionSet),
    /// Each of these with each of the other parts.
    Factor(&'a OptionSet),
    /// This.
    One(&'a Choice),
    /// More than is looked at.
    Uncounted,
}

/// Gives what is offered to a function, with the name of the part.
fn each_offered(options: &OptionSet, found: &mut impl FnMut(Option<&ArcStr>, Offered<'_>)) {
    fn listed(option: &Choice, found: &mut impl FnMut(Option<&ArcStr>, Offered<'_>)) {
        match option {
            Choice::Parts(parts) => parts.iter().for_each(|(name, value)| found(Some(name), Offered::One(value))),
            _ => found(None, Offered::One(option)),
        }
    }
    match options {
        OptionSet::Union(sets) => sets.iter().for_each(|set| each_offered(set, found)),
        OptionSet::Product(parts) => parts.iter().for_each(|(name, set)| found(Some(name), Offered::Factor(set))),
        OptionSet::Rows(columns) => columns.iter().for_each(|(name, column)| found(Some(name), Offered::All(column))),
        many if many.len() > MOST_LOOKED_AT => found(None, Offered::Uncounted),
        OptionSet::List(all) if all.iter().any(|option| matches!(option, Choice::Parts(_))) => {
            all.iter().for_each(|option| listed(option, found));
        }
        OptionSet::Placements(all) => {
            let (pieces, spaces, turns, ways) = all.values();
            let [piece, to, turned, way] = placement_names();
            let mut one = |name, choice| found(Some(name), Offered::One(&choice));
            for value in pieces {
                one(&piece, Choice::Piece(value));
            }
            for value in spaces {
                one(&to, Choice::Space(value));
            }
            for value in turns {
                one(&turned, Choice::Number(value.into()));
            }
            for value in ways {
                one(&way, Choice::Word(way_word(value)));
            }
        }
        plain => found(None, Offered::All(plain)),
    }
}

/// The things of many options, by part.
#[derive(Default)]
struct Many {
    parts: Vec<(u8, FxHashSet<Mark>)>,
    /// Parts that are known to have too many values.
    left_out: Vec<u8>,
    /// Whether there are more options than are looked at.
    is_cut: bool,
}

impl Many {
    fn add(&mut self, part: u8, mark: Option<Mark>) {
        let Some(mark) = mark else { return };
        let place = self.parts.iter().position(|(known, _)| *known == part).unwrap_or_else(|| {
            self.parts.push((part, FxHashSet::default()));
            self.parts.len() - 1
        });
        self.parts[place].1.insert(mark);
    }
}
