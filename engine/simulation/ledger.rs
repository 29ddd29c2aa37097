//! Accumulates the games of a batch. Identical observations are counted first and then added to the figures in bulk.

use super::contrast::Contrast;
use super::fault::FaultGroup;
use super::figures::{BLOCKS, BandKey, Figures, ItemStatistics, OccurrenceCount};
use super::game::Record;
use super::game_observer::Reading;
use super::histogram::Histogram;
use super::invented_names::{InventedNames, counter_size, option_size};
use super::matched::FirstOffer;
use super::measure::Measure;
use super::option_stats::OptionKey;
use super::traces::{TracedDecision, nonzero};
use crate::model::MAX_SEATS;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;

/// Accumulator for the results of a batch's games.
#[derive(Debug)]
pub(super) struct Ledger {
    /// Figures of everything that has been flushed.
    figures: Figures,
    /// Observations that have not been flushed yet.
    pending: PendingCounts,
    /// Scratch space for the numbers of a game.
    numbers: Numbers,
    /// Sizes in bytes of the figures of invented names, counters and options, without the counters' numbers.
    invented: [usize; 2],
    /// Cache: for each option's index in the observer, its index in the figures. Each entry is checked when it is read, since it may be
    /// stale.
    options: Vec<u32>,
}

/// Numbers of a game, each with the index of its measure in the figures.
type Numbers = Vec<(u32, i64)>;

/// Map from an observed value to the number of games or questions in which it was observed.
type Counts<K> = FxHashMap<K, u64>;

/// Number of copies of a component or kind that each seat acquired.
type Copies = SmallVec<[u32; 8]>;

/// Observations that have been counted but not added to the figures.
#[derive(Debug, Default)]
struct PendingCounts {
    numbers: Counts<Numbers>,
    /// Distinct results of games: the wins of each seat. The other counts refer to a result by its index.
    wins: IndexSet<Vec<i64>, FxBuildHasher>,
    readings: Counts<Reading>,
    /// Questions: decision and number of options.
    questions: Counts<(u16, u32)>,
    /// Decisions: index of the decision, and its counts in one game.
    decisions: Counts<(u16, TracedDecision)>,
    /// Options: index in the figures, seats that picked the option, seats that were offered it but never picked it, and
    /// index of the result.
    options: Counts<(u32, u16, u16, u32)>,
    /// First offers of options: index of the option in the figures, and the offer.
    first_offers: Counts<(u32, FirstOffer)>,
    components: Counts<AcquiredComponent>,
    /// Kinds: index of the kind, number acquired by each seat, and index of the result.
    kinds: Counts<(u16, Copies, u32)>,
    moved: Vec<OccurrenceCount>,
    spaces: Vec<OccurrenceCount>,
    phases: Vec<OccurrenceCount>,
    says: Vec<OccurrenceCount>,
    steps: Vec<(Arc<str>, OccurrenceCount)>,
}

/// Acquisitions of a component in a game.
#[derive(Debug, PartialEq, Eq, Hash)]
struct AcquiredComponent {
    component: u16,
    copies: Copies,
    /// Number of components of the same kind that each seat acquired.
    of_kind: Copies,
    /// Index of the game's result in [`PendingCounts::wins`].
    wins: u32,
}

/// Maximum number of distinct pending observations before they are flushed.
const MAX_PENDING: usize = 1 << 14;

impl Ledger {
    /// Creates an empty accumulator.
    pub(super) fn new(seats: u8) -> Self {
        Self {
            figures: Figures::new(seats),
            pending: PendingCounts::default(),
            numbers: Numbers::new(),
            invented: [0; 2],
            options: Vec::new(),
        }
    }

    /// Returns the figures of all games.
    pub(super) fn into_figures(mut self) -> Figures {
        self.pending.flush(&mut self.figures);
        self.figures.drop_excess();
        self.figures
    }

    /// Returns whether figures of `names` that take `size` bytes may be added. If there are too many, they will be dropped.
    fn has_room(&mut self, names: InventedNames, size: usize) -> bool {
        let sum = &mut self.invented[names as usize];
        *sum += size;
        if *sum > names.max_size() {
            self.figures.dropped.insert(names);
        }
        !self.figures.dropped.contains(&names)
    }

    /// Adds a game. Games must be added in order.
    pub(super) fn add(&mut self, record: &Record) {
        let figures = &mut self.figures;
        figures.games += 1;
        figures.asked += record.decisions;
        figures.forced += record.forced;
        figures.sides.clear();
        figures.sides.extend(record.sides());
        self.pending.add_traces(record);
        figures.add_worlds(record);
        match &record.fault {
            Some(diagnostic) => {
                figures.add_fault(FaultGroup::new(diagnostic, record.game, record.seed, &record.stats().answers));
            }
            None => self.finish(record),
        }
        if self.pending.len() > MAX_PENDING {
            self.pending.flush(&mut self.figures);
        }
    }

    fn finish(&mut self, record: &Record) {
        self.figures.finished += 1;
        // Most games list their measures in nearly the same order, so the measure that follows the previous one is tried first.
        self.numbers.clear();
        let mut next = 0;
        for (measure, number) in &record.numbers {
            let at = match self.figures.measures.get_index(next) {
                Some((expected, _)) if expected == measure => next,
                _ => {
                    let Some(at) = self.place_of_measure(measure) else { continue };
                    at
                }
            };
            self.numbers.push((at as u32, *number));
            next = at + 1;
        }
        if let Some(times) = self.pending.numbers.get_mut(&self.numbers) {
            *times += 1;
        } else {
            self.pending.numbers.insert(self.numbers.clone(), 1);
            // A game with the same numbers as an earlier one cannot be more notable. Campaigns are excluded because
            // they cannot be replayed from their answers.
            if !record.is_campaign {
                self.figures.add_notable(record);
            }
        }
        let block = &mut self.figures.blocks[(record.game % BLOCKS as u64) as usize];
        block[0] += 1;
        for (sum, win) in block[1..].iter_mut().zip(&record.wins) {
            *sum += win;
        }
        for reading in &record.stats().readings {
            *self.pending.readings.entry(*reading).or_default() += 1;
        }
        let wins = self.pending.wins.get_index_of(&record.wins);
        let wins = wins.unwrap_or_else(|| self.pending.wins.insert_full(record.wins.clone()).0) as u32;
        for (noted, key, seen) in record.stats().options() {
            let Some(at) = self.place_of(noted, key) else { continue };
            let statistics = &mut self.figures.options[at];
            statistics.offered += u64::from(seen.offered);
            statistics.picked += u64::from(seen.picked);
            statistics.games += 1;
            let seats = (seen.picked_by, seen.offered_to & !seen.picked_by);
            *self.pending.options.entry((at as u32, seats.0, seats.1, wins)).or_default() += 1;
            if let Some(offer) = seen.first_offer(&record.wins) {
                *self.pending.first_offers.entry((at as u32, offer)).or_default() += 1;
            }
        }
        self.pending.add_components(record, wins);
    }

    /// Returns the index of a measure in the figures; `None` if there are too many measures.
    fn place_of_measure(&mut self, measure: &Measure) -> Option<usize> {
        if let Some(known) = self.figures.measures.get_index_of(measure) {
            return Some(known);
        }
        let empty = Histogram::default();
        if let Some(size) = counter_size(measure, &empty)
            && !self.has_room(InventedNames::Counters, size)
        {
            return None;
        }
        Some(self.figures.measures.insert_full(measure.clone(), empty).0)
    }

    /// Returns the index of an option in the figures; `None` if there are too many options. `noted` is the index of the option in the
    /// observer, which is looked up in the cache first.
    fn place_of(&mut self, noted: usize, key: &OptionKey) -> Option<usize> {
        let options = &self.figures.options;
        if let Some(at) = self.options.get(noted)
            && options.get_index(*at as usize).is_some_and(|(known, _)| known == key)
        {
            return Some(*at as usize);
        }
        let at = match options.get_index_of(key) {
            Some(known) => known,
            None if option_size(key).is_some_and(|size| !self.has_room(InventedNames::Options, size)) => return None,
            None => self.figures.options.insert_full(key.clone(), ItemStatistics::default()).0,
        };
        self.options.resize(self.options.len().max(noted + 1), u32::MAX);
        self.options[noted] = at as u32;
        Some(at)
    }
}

impl PendingCounts {
    /// Returns the number of distinct observations.
    fn len(&self) -> usize {
        [
            self.numbers.len(),
            self.wins.len(),
            self.readings.len(),
            self.questions.len(),
            self.decisions.len(),
            self.options.len(),
            self.first_offers.len(),
            self.components.len(),
            self.kinds.len(),
        ]
        .iter()
        .sum()
    }

    fn add_traces(&mut self, record: &Record) {
        let traces = &record.observer.traces;
        for question in &record.stats().questions {
            *self.questions.entry(*question).or_default() += 1;
        }
        for (decision, traced) in traces.decisions.iter().enumerate().filter(|(_, traced)| traced.occurred()) {
            *self.decisions.entry((decision as u16, *traced)).or_default() += 1;
        }
        for (list, seen) in [
            (&mut self.moved, &traces.moved),
            (&mut self.spaces, &traces.spaces),
            (&mut self.phases, &traces.phases),
            (&mut self.says, &traces.says),
        ] {
            list.resize(list.len().max(seen.len()), OccurrenceCount::default());
            for (id, times) in nonzero(seen) {
                list[usize::from(id)].add_game(times);
            }
        }
        for (function, times) in &record.stats().steps {
            let same =
                |(known, _): &&mut (Arc<str>, OccurrenceCount)| Arc::ptr_eq(known, function) || *known == *function;
            match self.steps.iter_mut().find(same) {
                Some((_, part)) => part.add_game(*times),
                None => self.steps.push((function.clone(), OccurrenceCount { times: *times, games: 1 })),
            }
        }
    }

    fn add_components(&mut self, record: &Record, wins: u32) {
        let traces = &record.observer.traces;
        let of_seats = |copies: &[u32; MAX_SEATS]| Copies::from_slice(&copies[..record.wins.len()]);
        for (component, copies) in &traces.acquired {
            let kind = record.observer.context.model.components[usize::from(*component)].kind.0;
            let (component, copies, of_kind) = (*component, of_seats(copies), of_seats(&traces.kinds[&kind]));
            *self.components.entry(AcquiredComponent { component, copies, of_kind, wins }).or_default() += 1;
        }
        for (kind, copies) in &traces.kinds {
            *self.kinds.entry((*kind, of_seats(copies), wins)).or_default() += 1;
        }
    }

    /// Adds all observations to the figures and clears them.
    fn flush(&mut self, figures: &mut Figures) {
        for (numbers, times) in self.numbers.drain() {
            for (at, number) in numbers {
                figures.measures[at as usize].add_many(number, times);
            }
        }
        for ((value, holder, round, number), times) in self.readings.drain() {
            figures.bands.entry(BandKey { value, holder, round }).or_default().add_many(number, times);
        }
        for ((decision, options), times) in self.questions.drain() {
            figures.branching.add_many(i64::from(options), times);
            figures.questions.entry(decision).or_default().options.add_many(i64::from(options), times);
        }
        for ((decision, traced), times) in self.decisions.drain() {
            let question = figures.questions.entry(decision).or_default();
            if traced.asked > 0 {
                question.times.add_many(traced.asked, times);
                question.options_mean.add_many(traced.asked, traced.options, false, times);
            }
            if traced.answered > 0 {
                question.forced += traced.forced as u64 * times;
                question.games += times;
                question.forced_share.add_many(traced.asked + traced.forced, traced.forced, true, times);
            }
        }
        for (component, moved) in take_nonzero(&mut self.moved) {
            let statistics = figures.components.entry(component).or_default();
            statistics.offered += moved.times;
            statistics.games += moved.games;
        }
        for (list, counted) in [
            (&mut figures.spaces, &mut self.spaces),
            (&mut figures.phases, &mut self.phases),
            (&mut figures.says, &mut self.says),
        ] {
            for (id, times) in take_nonzero(counted) {
                list.entry(id).or_default().merge(times);
            }
        }
        for (function, times) in self.steps.drain(..) {
            figures.steps.entry(function.to_string()).or_default().merge(times);
        }
        self.flush_contrasts(figures);
        self.wins.clear();
    }

    fn flush_contrasts(&mut self, figures: &mut Figures) {
        let (unit, sides) = (figures.win_unit(), &figures.sides[..]);
        let wins: Vec<Cow<'_, [i64]>> = self.wins.iter().map(|wins| wins_by_side(sides, wins)).collect();
        let add = |contrast: &mut Contrast, first: &[u32], second: &[u32], won: u32, times: u64| {
            contrast.add_seats(&by_side(sides, first), &by_side(sides, second), &wins[won as usize], unit, times);
        };
        for ((at, picked, refused, won), times) in self.options.drain() {
            let contrast = &mut figures.options[at as usize].contrast;
            add(contrast, &seats_of(picked), &seats_of(refused), won, times);
        }
        for ((at, offer), times) in self.first_offers.drain() {
            figures.options[at as usize].matched.add_many(offer, times);
        }
        for (AcquiredComponent { component, copies, of_kind, wins: won }, times) in self.components.drain() {
            let statistics = figures.components.entry(component).or_default();
            statistics.picked += copies.iter().map(|copies| u64::from(*copies)).sum::<u64>() * times;
            let without: Copies = copies.iter().map(|copies| u32::from(*copies == 0)).collect();
            add(&mut statistics.contrast, &copies, &without, won, times);
            add(&mut statistics.within_kind, &copies, &of_kind, won, times);
        }
        for ((kind, copies, won), times) in self.kinds.drain() {
            add(figures.kinds.entry(kind).or_default(), &copies, &[], won, times);
        }
    }
}

/// Takes the nonzero entries of a list of counts, with their indices, and resets the list.
fn take_nonzero(counted: &mut [OccurrenceCount]) -> impl Iterator<Item = (u16, OccurrenceCount)> + '_ {
    let counted = counted.iter_mut().enumerate().map(|(at, times)| (at as u16, std::mem::take(times)));
    counted.filter(|(_, times)| times.games > 0)
}

/// Converts a bit set of seats to a count for each seat: 1 if the set contains the seat, otherwise 0.
fn seats_of(some: u16) -> [u32; MAX_SEATS] {
    std::array::from_fn(|seat| u32::from(some & 1 << seat != 0))
}

/// Sums counts of seats by team. Without teams, returns them unchanged.
fn by_side<'a>(sides: &[u8], of_seats: &'a [u32]) -> Cow<'a, [u32]> {
    if sides.is_empty() {
        return of_seats.into();
    }
    let mut found = vec![0; count(sides)];
    for (side, number) in sides.iter().zip(of_seats) {
        found[usize::from(*side)] += number;
    }
    found.into()
}

/// Returns the wins of each team, in units of the win unit. Without teams, returns the wins of each seat.
fn wins_by_side<'a>(sides: &[u8], wins: &'a [i64]) -> Cow<'a, [i64]> {
    if sides.is_empty() {
        return wins.into();
    }
    let first = |side: usize| sides.iter().position(|known| usize::from(*known) == side);
    (0..count(sides)).map(|side| first(side).and_then(|seat| wins.get(seat).copied()).unwrap_or(0)).collect()
}

/// Returns the number of teams.
fn count(sides: &[u8]) -> usize {
    sides.iter().copied().max().map_or(0, |last| usize::from(last) + 1)
}
