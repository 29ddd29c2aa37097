//! Statistics of options: which options were offered and picked, how often, and by which seats.

use super::batch_context::{BatchContext, seats_ahead};
use super::matched::{FirstOffer, Standing};
use crate::model::{DecisionId, Seat};
use crate::session::{Choice, OptionSet, placement_names, way_word};
use crate::table::Table;
use arcstr::ArcStr;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::sync::Arc;

/// Object or value that an option or one of its parts refers to, in a form that can be compared across games and seats.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OptionReferent {
    /// A pass, or the end of a selection.
    Pass,
    /// A flag.
    Flag(bool),
    /// A number. Large numbers are grouped into buckets.
    Number(i64),
    /// A word.
    Word(Arc<str>),
    /// A seat, as its distance clockwise from the seat that chooses; 0 is that seat itself.
    Seat(u8),
    /// A zone that belongs to no seat.
    Zone(u16),
    /// A zone that every seat has: the first seat's zone, and the clockwise distance from the choosing seat to the zone's owner.
    ZoneOf(u16, u8),
    /// A space of a zone that belongs to no seat.
    Space(u16),
    /// A space of a zone that every seat has, encoded like [`ZoneOf`](Self::ZoneOf).
    SpaceOf(u16, u8),
    /// A component, or any of its pieces.
    Component(u16),
}

/// Key of an option of a decision, or of a value that a part of its options can have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OptionKey {
    /// Index of the decision.
    pub decision: u16,
    /// Name of the part; `None` for an option without parts.
    pub part: Option<Arc<str>>,
    /// Object or value that the option or part refers to.
    pub thing: OptionReferent,
}

/// Counts of an option in one game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OptionCounts {
    /// Whether the option occurred in this game.
    is_seen: bool,
    /// Number of the last question that offered the option, from 1.
    last: u32,
    /// Number of questions that offered the option.
    pub(super) offered: u32,
    /// Number of questions answered with the option.
    pub(super) picked: u32,
    /// Bit set of the seats that were offered the option.
    pub(super) offered_to: u16,
    /// Bit set of the seats that picked the option.
    pub(super) picked_by: u16,
    /// Number of the first question that offered the option, and the seat that was asked.
    first: (u32, u8),
    /// Standing of the asked seat at the first question that offered the option.
    first_standing: Standing,
    /// Whether the first question that offered the option was answered with it.
    pub(super) is_first_taken: bool,
}

/// A decision and the index of one of its parts. Options without parts have the part [`UNNAMED_PART`].
type PartKey = (u16, u8);

/// Compact form of [`OptionReferent`], with words as indices in [`OfferedWords`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ThingKey {
    Pass,
    Flag(bool),
    Number(i64),
    /// Index in [`OfferedWords`].
    Word(u32),
    Seat(u8),
    Zone(u16),
    ZoneOf(u16, u8),
    Space(u16),
    SpaceOf(u16, u8),
    Component(u16),
}

/// Maximum number of values of a part, or of options without parts, that are counted individually in one question.
const MAX_VALUES: usize = 256;

/// Maximum size of an option set that is not composed of other sets. If a question with more than [`MAX_VALUES`] options contains a larger
/// set, the question's options are not counted.
const MAX_LISTED: usize = 4096;

/// Maximum number of options, and maximum total length of words in bytes, that are remembered from one game to the next.
const MAX_KNOWN: usize = 1 << 15;
const MAX_KNOWN_BYTES: usize = 1 << 20;

/// Limit for the absolute value of a number. Numbers below the limit are counted individually, and others are grouped into buckets.
pub const OWN_ROW: u64 = 1 << 16;

/// Part index for options without parts.
const UNNAMED_PART: u8 = u8::MAX;

/// Part index shared by all parts of a decision after its first 254.
const OTHER_PARTS: u8 = u8::MAX - 1;

/// Words that were offered, numbered in order of occurrence.
type OfferedWords = IndexSet<ArcStr, FxBuildHasher>;

/// Counter of the options of games. The table of options is reused for the next game, because most games have nearly the same options.
#[derive(Debug, Default)]
pub(super) struct OptionCounter {
    /// Indices of options, by decision and part.
    known: Vec<Vec<KnownOptions>>,
    /// Key of each option, by index.
    keys: Vec<OptionKey>,
    /// Counts of each option in the current game, by index.
    counts: Vec<OptionCounts>,
    /// Indices of the options that occurred in the current game.
    seen: Vec<u32>,
    /// Names of the parts of each decision.
    part_names: Vec<Vec<ArcStr>>,
    /// All words that were offered.
    words: OfferedWords,
    /// Total length of these words in bytes.
    word_bytes: usize,
}

/// Indices of the options of one part of a decision.
#[derive(Debug, Default)]
struct KnownOptions {
    places: FxHashMap<ThingKey, u32>,
    /// Fast path: indices of options by the seat that is asked and the option's dense index.
    by_seat: Vec<[Vec<u32>; INDEXED_KINDS]>,
}

/// Dense index of an option: the kind of object or value, and the number within the kind.
type DenseIndex = (usize, usize);

/// Number of kinds of objects and values that have a dense index.
const INDEXED_KINDS: usize = 7;

/// Marker for a missing index.
const UNKNOWN: u32 = u32::MAX;

/// Returns the dense index of an option. `None` for unknown words, numbers outside 0 to 255, passes, and composite options.
fn dense_index(choice: &Choice, table: &Table, words: &OfferedWords) -> Option<DenseIndex> {
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

/// Returns an entry of a list, extending the list with defaults if necessary.
fn entry_at<T: Default>(list: &mut Vec<T>, at: usize) -> &mut T {
    if list.len() <= at {
        list.resize_with(at + 1, T::default);
    }
    &mut list[at]
}

/// Returns the index of a part among the parts of its decision. [`UNNAMED_PART`] comes first, because most decisions have no other part.
fn part_place((_, part): PartKey) -> usize {
    usize::from(part.wrapping_add(1))
}

/// Returns the counts of an option, and marks the option as occurring in this game.
fn mark_seen<'a>(counts: &'a mut [OptionCounts], seen: &mut Vec<u32>, place: u32) -> &'a mut OptionCounts {
    let counts = &mut counts[place as usize];
    if !counts.is_seen {
        counts.is_seen = true;
        seen.push(place);
    }
    counts
}

impl OptionCounts {
    /// Counts an offer, once per question.
    fn offer(&mut self, asked: &AskedDecision<'_>) {
        if self.last == asked.question {
            return;
        }
        if self.offered == 0 {
            self.first = (asked.question, asked.seat.0);
            self.first_standing = asked.standing;
        }
        self.last = asked.question;
        self.offered += 1;
        self.offered_to |= 1 << asked.seat.0;
    }

    /// Returns the first offer in the game, given the wins of all seats. `None` if the option was picked without having
    /// been counted as offered.
    pub(super) fn first_offer(&self, wins: &[i64]) -> Option<FirstOffer> {
        let win = *wins.get(usize::from(self.first.1))?;
        (self.offered > 0).then_some(FirstOffer { standing: self.first_standing, is_taken: self.is_first_taken, win })
    }
}

impl OptionCounter {
    /// Returns the indices of the options of a part.
    fn known(&mut self, part: PartKey) -> &mut KnownOptions {
        entry_at(entry_at(&mut self.known, usize::from(part.0)), part_place(part))
    }

    /// Returns the index of an option, adding the option if it is new.
    fn place(&mut self, part: PartKey, mark: ThingKey) -> u32 {
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

    /// Returns the counts of an option, and marks the option as occurring in this game.
    fn counts(&mut self, place: u32) -> &mut OptionCounts {
        mark_seen(&mut self.counts, &mut self.seen, place)
    }

    /// Counts an offer of an option, once per question.
    fn offer(&mut self, place: u32, asked: &AskedDecision<'_>) {
        self.counts(place).offer(asked);
    }

    /// Counts offers of the options in `things` up to the first that the fast path does not know. Returns that option, or `None` if all
    /// were counted.
    fn offer_known<T: Borrow<Choice>>(
        &mut self,
        part: PartKey,
        asked: &AskedDecision<'_>,
        things: &mut impl Iterator<Item = T>,
    ) -> Option<T> {
        let of_part = entry_at(entry_at(&mut self.known, usize::from(part.0)), part_place(part));
        let places = entry_at(&mut of_part.by_seat, asked.seat.index());
        things.find(|thing| {
            let thing = dense_index(thing.borrow(), asked.table, &self.words);
            let place = thing.and_then(|(sort, at)| places[sort].get(at).copied());
            let known = place.filter(|place| *place != UNKNOWN);
            if let Some(place) = known {
                mark_seen(&mut self.counts, &mut self.seen, place).offer(asked);
            }
            known.is_none()
        })
    }

    fn thing(&self, mark: ThingKey) -> OptionReferent {
        match mark {
            ThingKey::Pass => OptionReferent::Pass,
            ThingKey::Flag(flag) => OptionReferent::Flag(flag),
            ThingKey::Number(number) => OptionReferent::Number(number),
            ThingKey::Word(at) => OptionReferent::Word(Arc::from(&*self.words[at as usize])),
            ThingKey::Seat(ahead) => OptionReferent::Seat(ahead),
            ThingKey::Zone(zone) => OptionReferent::Zone(zone),
            ThingKey::ZoneOf(zone, ahead) => OptionReferent::ZoneOf(zone, ahead),
            ThingKey::Space(space) => OptionReferent::Space(space),
            ThingKey::SpaceOf(space, ahead) => OptionReferent::SpaceOf(space, ahead),
            ThingKey::Component(component) => OptionReferent::Component(component),
        }
    }

    fn part(&mut self, decision: DecisionId, name: &ArcStr) -> u8 {
        let names = entry_at(&mut self.part_names, decision.index());
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

    /// Returns the index of a word, adding the word if it is new.
    fn word(&mut self, word: &ArcStr) -> u32 {
        let known = self.words.get_index_of(word);
        let new = || {
            self.word_bytes += word.len();
            self.words.insert_full(word.clone()).0
        };
        known.unwrap_or_else(new) as u32
    }

    /// Iterates over the options that occurred in the game, each with its index, key and counts.
    pub(super) fn seen_options(&self) -> impl Iterator<Item = (usize, &OptionKey, &OptionCounts)> + '_ {
        self.seen.iter().map(|place| *place as usize).map(|at| (at, &self.keys[at], &self.counts[at]))
    }

    /// Resets the counts for another game. If the rules have invented many words or numbers, forgets all options.
    pub(super) fn clear(&mut self) {
        if self.word_bytes > MAX_KNOWN_BYTES || self.keys.len() > MAX_KNOWN {
            *self = Self::default();
            return;
        }
        for place in self.seen.drain(..) {
            self.counts[place as usize] = OptionCounts::default();
        }
    }

    /// Counts the options of a question. A value that several options contain counts once.
    ///
    /// Returns the parts that were counted, or `None` if all were. Parts with too many values are not counted.
    pub(super) fn note_offered(&mut self, asked: &AskedDecision<'_>, options: &OptionSet) -> Option<Vec<u8>> {
        if options.len() <= MAX_VALUES {
            each_offered(options, &mut |name, offered| {
                let part = name.map_or(UNNAMED_PART, |name| self.part(asked.decision, name));
                match offered {
                    Offered::All(set) | Offered::Factor(set) => self.count_offers(asked, part, set),
                    Offered::One(choice) => self.note_each(asked, part, std::iter::once(choice)),
                    Offered::Uncounted => {}
                }
            });
            return None;
        }
        let mut many = LargeQuestion::default();
        each_offered(options, &mut |name, offered| {
            let part = name.map_or(UNNAMED_PART, |name| self.part(asked.decision, name));
            match offered {
                Offered::Factor(set) if set.len() > MAX_VALUES => many.left_out.push(part),
                Offered::All(set) | Offered::Factor(set) => {
                    set.iter().for_each(|choice| many.add(part, self.thing_key(&choice, asked)));
                }
                Offered::One(choice) => many.add(part, self.thing_key(choice, asked)),
                Offered::Uncounted => many.is_cut = true,
            }
        });
        let LargeQuestion { mut parts, left_out, is_cut } = many;
        parts.retain(|(part, marks)| !is_cut && marks.len() <= MAX_VALUES && !left_out.contains(part));
        for (part, marks) in &parts {
            for mark in marks {
                let place = self.place((asked.decision.0, *part), *mark);
                self.offer(place, asked);
            }
        }
        Some(parts.into_iter().map(|(part, _)| part).collect())
    }

    /// Counts offers of all options of a set.
    fn count_offers(&mut self, asked: &AskedDecision<'_>, part: u8, set: &OptionSet) {
        match set {
            OptionSet::Pieces(all) => self.note_each(asked, part, all.iter().map(|piece| Choice::Piece(*piece))),
            OptionSet::Spaces(all) => self.note_each(asked, part, all.iter().map(|space| Choice::Space(*space))),
            OptionSet::List(all) => self.note_each(asked, part, all.iter()),
            others => self.note_each(asked, part, others.iter()),
        }
    }

    /// Counts offers of options without parts, or of values of one part.
    fn note_each<T: Borrow<Choice>>(
        &mut self,
        asked: &AskedDecision<'_>,
        part: u8,
        mut things: impl Iterator<Item = T>,
    ) {
        let key = (asked.decision.0, part);
        while let Some(unknown) = self.offer_known(key, asked, &mut things) {
            let Some(mark) = self.thing_key(unknown.borrow(), asked) else { continue };
            let place = self.place(key, mark);
            if let Some((sort, at)) = dense_index(unknown.borrow(), asked.table, &self.words) {
                let places = &mut entry_at(&mut self.known(key).by_seat, asked.seat.index())[sort];
                places.resize(places.len().max(at + 1), UNKNOWN);
                places[at] = place;
            }
            self.offer(place, asked);
        }
    }

    /// Counts the answer to a question. `counted` are the parts that are counted, or `None` for all.
    pub(super) fn note_picked(&mut self, asked: &AskedDecision<'_>, choice: &Choice, counted: Option<&[u8]>) {
        match choice {
            Choice::Parts(parts) => {
                for (name, value) in parts.iter() {
                    let part = self.part(asked.decision, name);
                    self.note_pick(asked, part, value, counted);
                }
            }
            other => self.note_pick(asked, UNNAMED_PART, other, counted),
        }
    }

    fn note_pick(&mut self, asked: &AskedDecision<'_>, part: u8, choice: &Choice, counted: Option<&[u8]>) {
        let is_counted = counted.is_none_or(|counted| counted.contains(&part));
        let key = (asked.decision.0, part);
        let place = match self.known_place(key, asked, choice).filter(|_| is_counted) {
            Some(place) => place,
            None => match self.thing_key(choice, asked) {
                Some(mark) if is_counted || mark == ThingKey::Pass => self.place(key, mark),
                _ => return,
            },
        };
        let counts = self.counts(place);
        counts.is_first_taken |= counts.picked == 0 && counts.offered == 1 && counts.first.0 == asked.question;
        counts.picked += 1;
        counts.picked_by |= 1 << asked.seat.0;
    }

    /// Returns the index of an option by the fast path; `None` if the fast path does not know the option.
    fn known_place(&self, part: PartKey, asked: &AskedDecision<'_>, choice: &Choice) -> Option<u32> {
        let (sort, at) = dense_index(choice, asked.table, &self.words)?;
        let of_part = self.known.get(usize::from(part.0))?.get(part_place(part))?;
        let place = *of_part.by_seat.get(asked.seat.index())?[sort].get(at)?;
        (place != UNKNOWN).then_some(place)
    }

    /// Counts an offer of a pass.
    pub(super) fn note_pass(&mut self, asked: &AskedDecision<'_>) {
        let place = self.place((asked.decision.0, UNNAMED_PART), ThingKey::Pass);
        self.counts(place).offer(asked);
    }

    /// Returns the key of the object or value that an option refers to, relative to the seat that chooses. `None` for composite options.
    fn thing_key(
        &mut self,
        choice: &Choice,
        &AskedDecision { table, context, seat, .. }: &AskedDecision<'_>,
    ) -> Option<ThingKey> {
        let model = table.model();
        Some(match choice {
            Choice::Nothing => ThingKey::Pass,
            Choice::Flag(flag) => ThingKey::Flag(*flag),
            Choice::Number(number) if number.unsigned_abs() < OWN_ROW => ThingKey::Number(*number),
            Choice::Number(number) => ThingKey::Number(super::histogram::bucket(*number)),
            Choice::Word(word) => ThingKey::Word(self.word(word)),
            Choice::Seat(other) => ThingKey::Seat(seats_ahead(model, *other, seat)),
            Choice::Zone(zone) => match context.first_seat_zone(model, *zone, seat) {
                Some((first, ahead)) => ThingKey::ZoneOf(first.0, ahead),
                None => ThingKey::Zone(zone.0),
            },
            Choice::Space(space) => {
                let zone = model.space(*space).zone;
                match context.first_seat_zone(model, zone, seat) {
                    Some((first, ahead)) => {
                        let at = space.0 - model.zone(zone).spaces.start;
                        ThingKey::SpaceOf(model.zone(first).spaces.start + at, ahead)
                    }
                    None => ThingKey::Space(space.0),
                }
            }
            Choice::Component(component) => ThingKey::Component(component.0),
            Choice::Piece(piece) => ThingKey::Component(table.component(*piece).0),
            Choice::Parts(_) | Choice::Many(_) => return None,
        })
    }
}

/// A decision that a seat is asked to make.
#[derive(Clone, Copy)]
pub(super) struct AskedDecision<'a> {
    pub(super) table: &'a Table,
    pub(super) context: &'a BatchContext,
    pub(super) decision: DecisionId,
    pub(super) seat: Seat,
    /// Number of the question in its game, from 1.
    pub(super) question: u32,
    /// Standing of the seat, as of the last time the standings were computed.
    pub(super) standing: Standing,
}

/// Options of a question, or values of a part.
enum Offered<'a> {
    /// All options of this set.
    All(&'a OptionSet),
    /// All values of one part of a product.
    Factor(&'a OptionSet),
    /// One value.
    One(&'a Choice),
    /// Too many options to be counted.
    Uncounted,
}

/// Calls `found` with each group of offered values and the name of the part that has these values.
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
        many if many.len() > MAX_LISTED => found(None, Offered::Uncounted),
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

/// Distinct values that a question with many options offers, by part.
#[derive(Default)]
struct LargeQuestion {
    parts: Vec<(u8, FxHashSet<ThingKey>)>,
    /// Parts with too many values, which are not counted.
    left_out: Vec<u8>,
    /// Whether there were too many options to examine all of them.
    is_cut: bool,
}

impl LargeQuestion {
    fn add(&mut self, part: u8, mark: Option<ThingKey>) {
        let Some(mark) = mark else { return };
        let place = self.parts.iter().position(|(known, _)| *known == part).unwrap_or_else(|| {
            self.parts.push((part, FxHashSet::default()));
            self.parts.len() - 1
        });
        self.parts[place].1.insert(mark);
    }
}
