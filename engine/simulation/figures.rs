//! Figures of a batch. Everything is counted in integers that can be added in any order, so that merging the figures of
//! parts of a batch gives exactly the figures of the whole batch.

use super::contrast::Contrast;
use super::estimate::{self, Estimate};
use super::fault::FaultGroup;
use super::game::Record;
use super::histogram::Histogram;
use super::invented_names::{COUNTER, InventedNames, OPTION, counter_size, option_size};
use super::matched::Matched;
use super::measure::{Measure, MeasureKind, win_unit};
use super::option_stats::OptionKey;
use super::pairs;
use super::ratio::Ratio;
use crate::diagnostic::{Diagnostic, Place};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Statistics of an option or a component.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ItemStatistics {
    /// Number of decisions that offered the option, or number of moves of the component.
    pub offered: u64,
    /// Number of decisions answered with the option, or number of times that a seat acquired the component.
    pub picked: u64,
    /// Number of games in which the option was offered or the component moved.
    pub games: u64,
    /// Wins of seats with the item and of seats without it.
    pub contrast: Contrast,
    /// For a component: wins of seats with the component and of seats with any component of its kind, in games in which
    /// it was acquired.
    #[serde(rename = "kin")]
    pub within_kind: Contrast,
    /// For an option: comparison of taking and not taking it, when it is first offered in each game.
    #[serde(default, skip_serializing_if = "Matched::is_empty")]
    pub matched: Matched,
}

/// Number of occurrences of an event, and number of games in which it occurred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OccurrenceCount {
    /// Total number of occurrences.
    pub times: u64,
    /// Number of games with at least one occurrence.
    pub games: u64,
}

impl OccurrenceCount {
    /// Adds a game in which the event occurred `times` times.
    pub(super) fn add_game(&mut self, times: u64) {
        self.times += times;
        self.games += 1;
    }

    /// Adds the occurrences in other games.
    pub(super) fn merge(&mut self, more: Self) {
        self.times += more.times;
        self.games += more.games;
    }
}

/// Statistics of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DecisionStatistics {
    /// Number of options each time the decision was asked.
    pub options: Histogram,
    /// Number of times that the decision was answered automatically, because it had one option.
    pub forced: u64,
    /// Number of games in which the decision was asked or answered automatically.
    pub games: u64,
    /// Number of times that the decision was asked in each game that asked it.
    pub times: Histogram,
    /// Share of automatic answers.
    pub forced_share: Ratio,
    /// Mean number of options.
    pub options_mean: Ratio,
}

impl DecisionStatistics {
    /// Returns the mean number of times per game that the decision is asked, over all `games` games of the batch.
    pub fn times_per_game(&self, games: u64) -> Estimate {
        let mut times = self.times.clone();
        times.add_many(0, games.saturating_sub(times.total()));
        estimate::mean(&times, 1)
    }
}

/// Key of a histogram in [`Figures::bands`]: a value, its holder, and the round after which the value was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BandKey {
    /// Index of the value, or [`BandKey::STANDING`].
    pub value: u16,
    /// Index of the component, [`BandKey::EVERY_SEAT`], or 0 for a value of the game.
    pub holder: u16,
    /// Number of the round.
    pub round: u16,
}

impl BandKey {
    /// Index in [`BandKey::value`] that stands for the standings.
    pub const STANDING: u16 = super::game_observer::STANDING;
    /// Index in [`BandKey::holder`] that stands for all seats together.
    pub const EVERY_SEAT: u16 = super::game_observer::EVERY_SEAT;
}

/// Reason why a game is worth reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Interest {
    /// Smallest margin.
    Closest,
    /// Most decisions.
    Longest,
    /// Fewest decisions.
    Shortest,
    /// Largest deficit of the winner.
    Comeback,
    /// Largest margin.
    Widest,
}

/// Game in which a number, such as the margin, is the largest or smallest of the batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notable {
    /// The extreme number.
    pub number: i64,
    /// Number of the game, from 0.
    pub game: u64,
    /// Seed of the game.
    pub seed: u64,
    /// Indices of the chosen options, in order.
    pub answers: Vec<u64>,
}

/// Number of blocks of games for the jackknife, which is used for figures without a variance formula.
pub(super) const BLOCKS: usize = 64;

/// Figures of a batch.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Figures {
    /// Number of seats.
    pub seats: u8,
    /// Index of each seat's team; empty without teams.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<u8>,
    /// Number of games played, including failed ones.
    pub games: u64,
    /// Number of games that ended.
    pub finished: u64,
    /// Number of decisions that agents were asked to make, over all games.
    pub asked: u64,
    /// Number of decisions with one option, over all games.
    pub forced: u64,
    /// Histogram of each measure over the games.
    #[serde(with = "pairs")]
    pub measures: IndexMap<Measure, Histogram, FxBuildHasher>,
    /// For each block: the number of finished games, then the wins of each seat.
    pub blocks: Vec<Vec<i64>>,
    /// Number of options per question, over all decisions.
    pub branching: Histogram,
    /// Statistics of each decision, by index.
    #[serde(with = "pairs")]
    pub questions: BTreeMap<u16, DecisionStatistics>,
    /// Statistics of options and of the values of option parts.
    #[serde(with = "pairs")]
    pub options: IndexMap<OptionKey, ItemStatistics, FxBuildHasher>,
    /// Statistics of components, by index.
    #[serde(with = "pairs")]
    pub components: FxHashMap<u16, ItemStatistics>,
    /// Wins of seats with pieces of a kind, by index of the kind.
    #[serde(with = "pairs")]
    pub kinds: BTreeMap<u16, Contrast>,
    /// Histograms of values at the end of rounds.
    #[serde(with = "pairs")]
    pub bands: FxHashMap<BandKey, Histogram>,
    /// Number of moves into each space, keyed by the index of the space.
    #[serde(with = "pairs")]
    pub spaces: BTreeMap<u16, OccurrenceCount>,
    /// Number of occurrences of each phase, keyed by the index of the phase.
    #[serde(with = "pairs")]
    pub phases: BTreeMap<u16, OccurrenceCount>,
    /// Number of times that the flow called each function, keyed by the function's name.
    #[serde(with = "pairs")]
    pub steps: BTreeMap<String, OccurrenceCount>,
    /// Number of occurrences of each announcement, keyed by the index of the announcement.
    #[serde(with = "pairs")]
    pub says: BTreeMap<u16, OccurrenceCount>,
    /// Notable games, keyed by the reason.
    #[serde(with = "pairs")]
    pub notable: BTreeMap<Interest, Notable>,
    /// Faults, ordered by their first game.
    pub faults: Vec<FaultGroup>,
    /// Number of worlds that agents imagined.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub imagined: u64,
    /// Imagined worlds that contradict something the seat knows, grouped by place and reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relaxed: Vec<RelaxedGroup>,
    /// Figures of invented names that were dropped, because there are too many names.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub dropped: BTreeSet<InventedNames>,
}

/// Imagined worlds that were [relaxed](crate::session::Relaxation) for the same reason at the same place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelaxedGroup {
    /// The reason, as a clause.
    pub reason: String,
    /// Place in the rules as `path:line:column`; `None` if there is none.
    pub place: Option<String>,
    /// Number of relaxed worlds in the group.
    pub count: u64,
    /// Number of the first game with a relaxed world of the group, from 0.
    pub game: u64,
    /// Seed of the first game with a relaxed world of the group.
    pub seed: u64,
}

impl RelaxedGroup {
    /// Adds this group to a list of groups. Merges it with a group that has the same reason and place, keeping the
    /// earlier game.
    fn add_to(self, groups: &mut Vec<Self>) {
        match groups.iter_mut().find(|group| group.reason == self.reason && group.place == self.place) {
            Some(group) => {
                group.count += self.count;
                if self.game < group.game {
                    (group.game, group.seed) = (self.game, self.seed);
                }
            }
            None => groups.push(self),
        }
        groups
            .sort_by(|one, other| (one.game, &one.place, &one.reason).cmp(&(other.game, &other.place, &other.reason)));
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Figures {
    /// Creates empty figures.
    pub fn new(seats: u8) -> Self {
        Self { seats, blocks: vec![vec![0; seats as usize + 1]; BLOCKS], ..Self::default() }
    }

    /// Returns the share of games that all players won together. Returns `None` if there is no finished game in which all players win or
    /// lose together.
    pub fn success(&self) -> Option<Estimate> {
        self.measures.contains_key(&Measure::Success).then(|| self.estimate(&Measure::Success))
    }

    /// Returns whether the figures count campaigns instead of single games.
    pub fn is_of_campaigns(&self) -> bool {
        self.measures.contains_key(&Measure::CampaignGames)
    }

    /// Returns all measures in order. In games that all players win or lose together, measures that compare seats are
    /// omitted.
    pub fn measured(&self) -> Vec<&Measure> {
        let is_cooperative = self.measures.contains_key(&Measure::Success);
        let applies = |measure: &&Measure| !(is_cooperative && measure.is_between_seats());
        let mut found: Vec<&Measure> = self.measures.keys().filter(applies).collect();
        found.sort_unstable();
        found
    }

    /// Returns the numbers of a measure over all finished games. If the measure [defaults to
    /// zero](Measure::defaults_to_zero), games without a number count as 0.
    pub fn histogram(&self, measure: &Measure) -> Histogram {
        let mut histogram = self.measures.get(measure).cloned().unwrap_or_default();
        if measure.defaults_to_zero() {
            histogram.add_many(0, self.finished.saturating_sub(histogram.total()));
        }
        histogram
    }

    /// Returns a measure's share or mean, with its interval.
    pub fn estimate(&self, measure: &Measure) -> Estimate {
        let (histogram, unit) = (self.histogram(measure), measure.unit(self.seats));
        match measure.sort() {
            MeasureKind::Share => estimate::share(&histogram, unit),
            MeasureKind::Amount => estimate::mean(&histogram, unit),
        }
    }

    /// Returns the win share of each place in turn order. Empty if the places were not recorded, or if they won exactly as often as the
    /// seats with the same indices.
    pub fn places(&self) -> Vec<Estimate> {
        let places: Vec<u8> = (0..self.seats).collect();
        let is_seat = |place: &u8| self.histogram(&Measure::Place(*place)) == self.histogram(&Measure::Win(*place));
        let is_meaningful = self.measures.contains_key(&Measure::Place(0)) && !places.iter().all(is_seat);
        places.into_iter().filter(|_| is_meaningful).map(|place| self.estimate(&Measure::Place(place))).collect()
    }

    /// Returns the win share that each seat would have if seats made no difference: 1 divided by the number of teams or
    /// seats.
    pub fn fair_share(&self) -> f64 {
        1.0 / self.leaders().len().max(1) as f64
    }

    /// Returns the first seat of each team, or every seat without teams.
    pub fn leaders(&self) -> Vec<u8> {
        let is_first = |seat: &u8| {
            let at = usize::from(*seat);
            self.sides.is_empty() || !self.sides[..at].contains(&self.sides[at])
        };
        (0..self.seats).filter(is_first).collect()
    }

    /// Returns the first seat of a seat's team, which is one of [`Figures::leaders`].
    pub fn leader_of(&self, seat: u8) -> u8 {
        let side = self.sides.get(usize::from(seat));
        self.sides.iter().position(|other| Some(other) == side).map_or(seat, |at| at as u8)
    }

    /// Returns the win share of each of `seats`, and the effective sample size that one game has for each of them.
    pub fn shares_of(&self, seats: &[u8]) -> (Vec<f64>, Vec<f64>) {
        let share_and_size = |seat: &u8| {
            let (histogram, unit) = (self.histogram(&Measure::Win(*seat)), self.win_unit());
            (histogram.mean().unwrap_or(0.0) / unit as f64, estimate::effective_size(&histogram, unit))
        };
        seats.iter().map(share_and_size).unzip()
    }

    /// Returns the p-value of each seat's win share against the fair share. All seats of a team have the p-value of the team.
    pub fn p_values_of_seats(&self) -> Vec<f64> {
        let leaders = self.leaders();
        let (shares, effective_sizes) = self.shares_of(&leaders);
        let of_leaders = estimate::p_values_of_shares(&shares, self.finished, &effective_sizes);
        let p_value_of = |seat: u8| {
            let at = leaders.iter().position(|leader| *leader == self.leader_of(seat));
            at.and_then(|at| of_leaders.get(at).copied()).unwrap_or(1.0)
        };
        (0..self.seats).map(p_value_of).collect()
    }

    /// Returns the largest deviation of a seat's win share from the fair share. The interval holds for all seats simultaneously.
    pub fn seat_gap(&self) -> Estimate {
        seat_gap(self, |seat| self.histogram(&Measure::Win(seat)))
    }

    /// Returns the integer that represents an undivided win.
    pub fn win_unit(&self) -> i64 {
        win_unit(self.seats)
    }

    /// Returns whether related counts agree. Used to validate figures that were read from a file.
    pub fn is_consistent(&self) -> bool {
        let faults: u64 = self.faults.iter().map(|group| group.count).sum();
        let in_blocks: i64 = self.blocks.iter().filter_map(|block| block.first()).sum();
        let decisions = self.measures.get(&Measure::Decisions).map_or(0, Histogram::total);
        self.games == self.finished + faults && in_blocks == self.finished as i64 && decisions == self.finished
    }

    /// Updates [`Figures::notable`] with a finished game.
    pub(super) fn add_notable(&mut self, record: &Record) {
        let (mut margin, mut decisions, mut comeback) = (None, None, None);
        let is_cooperative = record.numbers.iter().any(|(measure, _)| *measure == Measure::Success);
        for (measure, number) in &record.numbers {
            match measure {
                Measure::Margin => margin = Some(*number),
                Measure::Decisions => decisions = Some(*number),
                Measure::Comeback => comeback = Some(*number),
                _ => {}
            }
        }
        if is_cooperative {
            // In a co-operative game, nobody is ahead.
            (margin, comeback) = (None, None);
        }
        for (interest, found) in [
            (Interest::Closest, margin),
            (Interest::Widest, margin),
            (Interest::Longest, decisions),
            (Interest::Shortest, decisions),
            (Interest::Comeback, comeback.filter(|behind| *behind > 0)),
        ] {
            let Some(number) = found else { continue };
            let (game, seed) = (record.game, record.seed);
            self.offer_notable(interest, number, game, || {
                let answers = record.stats().answers.clone();
                Notable { number, game, seed, answers }
            });
        }
    }

    fn offer_notable(&mut self, interest: Interest, number: i64, game: u64, new: impl FnOnce() -> Notable) {
        let sign = if matches!(interest, Interest::Closest | Interest::Shortest) { -1 } else { 1 };
        let rank = |number: i64, game: u64| (sign * number, std::cmp::Reverse(game));
        let best = self.notable.get(&interest);
        if best.is_none_or(|best| rank(number, game) > rank(best.number, best.game)) {
            self.notable.insert(interest, new());
        }
    }

    /// Adds the imagined worlds of a game.
    pub(super) fn add_worlds(&mut self, record: &Record) {
        self.imagined += record.worlds.imagined;
        for relaxed in &record.worlds.relaxed {
            let group = RelaxedGroup {
                reason: relaxed.why.reason().to_owned(),
                place: relaxed.place.as_ref().map(Place::shown),
                count: relaxed.count,
                game: record.game,
                seed: record.seed,
            };
            group.add_to(&mut self.relaxed);
        }
    }

    /// Adds a group of faults.
    pub(super) fn add_fault(&mut self, new: FaultGroup) {
        new.add_to(&mut self.faults);
        self.faults.sort_by_key(|group| group.game);
    }

    /// Adds the figures of other games of the same batch.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.finished += other.finished;
        self.asked += other.asked;
        self.forced += other.forced;
        if self.sides.is_empty() {
            self.sides.clone_from(&other.sides);
        }
        for (measure, histogram) in &other.measures {
            self.measures.entry(measure.clone()).or_default().merge(histogram);
        }
        for (block, more) in self.blocks.iter_mut().zip(&other.blocks) {
            block.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        self.branching.merge(&other.branching);
        for (decision, question) in &other.questions {
            let own = self.questions.entry(*decision).or_default();
            own.options.merge(&question.options);
            own.forced += question.forced;
            own.games += question.games;
            own.times.merge(&question.times);
            own.forced_share.merge(&question.forced_share);
            own.options_mean.merge(&question.options_mean);
        }
        other
            .options
            .iter()
            .for_each(|(key, statistics)| merge_statistics(self.options.entry(key.clone()).or_default(), statistics));
        other
            .components
            .iter()
            .for_each(|(key, statistics)| merge_statistics(self.components.entry(*key).or_default(), statistics));
        for (kind, contrast) in &other.kinds {
            self.kinds.entry(*kind).or_default().merge(contrast);
        }
        for (key, histogram) in &other.bands {
            self.bands.entry(*key).or_default().merge(histogram);
        }
        for (list, more) in
            [(&mut self.phases, &other.phases), (&mut self.says, &other.says), (&mut self.spaces, &other.spaces)]
        {
            for (id, times) in more {
                list.entry(*id).or_default().merge(*times);
            }
        }
        for (function, times) in &other.steps {
            self.steps.entry(function.clone()).or_default().merge(*times);
        }
        for (interest, notable) in &other.notable {
            self.offer_notable(*interest, notable.number, notable.game, || notable.clone());
        }
        for fault in &other.faults {
            self.add_fault(fault.clone());
        }
        self.imagined += other.imagined;
        for relaxed in &other.relaxed {
            relaxed.clone().add_to(&mut self.relaxed);
        }
        self.dropped.extend(&other.dropped);
        self.drop_excess();
    }

    /// Drops figures of invented names if all of them together are too large. The result does not depend on the order in which games are added
    /// and figures are merged: it is a property of all names and numbers that have occurred, and this set only grows.
    pub(super) fn drop_excess(&mut self) {
        let counters: usize =
            self.measures.iter().filter_map(|(measure, numbers)| counter_size(measure, numbers)).sum();
        let options: usize = self.options.keys().filter_map(option_size).sum();
        for (names, size) in [(InventedNames::Counters, counters), (InventedNames::Options, options)] {
            if size > names.max_size() {
                self.dropped.insert(names);
            }
        }
        if self.dropped.contains(&InventedNames::Counters) {
            self.measures.retain(|measure, _| measure.invented_name().is_none());
        }
        if self.dropped.contains(&InventedNames::Options) {
            self.options.retain(|key, _| option_size(key).is_none());
        }
    }

    /// Returns the approximate size in bytes of the figures in memory.
    pub fn size(&self) -> usize {
        let measures: usize = self.measures.values().map(|numbers| COUNTER + numbers.size()).sum();
        let bands: usize = self.bands.values().map(|numbers| COUNTER + numbers.size()).sum();
        let names: usize = self.measures.iter().filter_map(|(measure, numbers)| counter_size(measure, numbers)).sum();
        let words: usize = self.options.keys().filter_map(option_size).sum();
        measures + bands + names + words + (self.options.len() + self.components.len() + self.questions.len()) * OPTION
    }

    /// Iterates over the first diagnostic of each fault group. Empty if the figures were read from a file.
    pub fn diagnostics_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.faults.iter_mut().filter_map(|group| group.first.as_mut())
    }
}

/// Computes [`Figures::seat_gap`] from the given wins of each seat.
pub(super) fn seat_gap(figures: &Figures, wins: impl Fn(u8) -> Histogram) -> Estimate {
    let (leaders, fair) = (figures.leaders(), figures.fair_share());
    let confidence = 1.0 - (1.0 - estimate::CONFIDENCE) / leaders.len().max(1) as f64;
    let (mut value, mut low, mut high, mut count) = (0.0_f64, 0.0_f64, 0.0_f64, 0);
    for seat in leaders {
        let histogram = wins(seat);
        count = histogram.total();
        let share = estimate::share_with(&histogram, figures.win_unit(), confidence);
        value = value.max((share.value - fair).abs());
        high = high.max(share.interval.high - fair).max(fair - share.interval.low);
        low = low.max(share.interval.low - fair).max(fair - share.interval.high);
    }
    Estimate { value, interval: estimate::Interval { low, high }, count }
}

fn merge_statistics(own: &mut ItemStatistics, more: &ItemStatistics) {
    own.offered += more.offered;
    own.picked += more.picked;
    own.games += more.games;
    own.contrast.merge(&more.contrast);
    own.within_kind.merge(&more.within_kind);
    own.matched.merge(&more.matched);
}
