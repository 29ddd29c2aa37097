//! The figures of a batch of games. All of it is counted in whole numbers that can be added in any order: figures of parts of a
//! batch, put together, are those of the whole.

use super::contrast::Contrast;
use super::estimate::{self, Estimate};
use super::fault::FaultGroup;
use super::game::Record;
use super::histogram::Histogram;
use super::measure::{Measure, MeasureKind, whole_win};
use super::offered::OptionKey;
use super::pairs;
use super::ratio::Ratio;
use crate::diagnostic::{Diagnostic, Place};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The statistics of an option or a component.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ItemStatistics {
    /// Questions that offered it; for a component: its moves.
    pub offered: u64,
    /// Questions answered with it; for a component: how often a seat acquired a piece of it.
    pub picked: u64,
    /// Games in which it was offered; for a component: in which it moved.
    pub games: u64,
    /// Winning with it and without it.
    pub contrast: Contrast,
    /// For a component: winning with it and with its kind, in games in which it was acquired.
    #[serde(rename = "kin")]
    pub within_kind: Contrast,
}

/// How often something took part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Times {
    /// In all.
    pub times: u64,
    /// In how many games.
    pub games: u64,
}

impl Times {
    /// It took part in one more game, so often.
    pub(super) fn took_part(&mut self, times: u64) {
        self.times += times;
        self.games += 1;
    }

    /// As often as in other games too.
    pub(super) fn merge(&mut self, more: Self) {
        self.times += more.times;
        self.games += more.games;
    }
}

/// What a decision was like.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DecisionStatistics {
    /// How many options it had, each time it was asked.
    pub options: Histogram,
    /// How often it was taken without asking, because it had one option.
    pub forced: u64,
    /// In how many games it was asked or taken.
    pub games: u64,
    /// How often it was asked, in each game that asked it.
    pub times: Histogram,
    /// Of the times it was asked or taken, those without asking.
    pub forced_share: Ratio,
    /// The options of each time it was asked.
    pub options_mean: Ratio,
}

impl DecisionStatistics {
    /// How often a game of so many asks it.
    pub fn a_game(&self, games: u64) -> Estimate {
        let mut times = self.times.clone();
        times.add_many(0, games.saturating_sub(times.total()));
        estimate::mean(&times, 1)
    }
}

/// Whose reading of which value at the end of which round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BandKey {
    /// The value; [`BandKey::STANDING`] for how seats stand.
    pub value: u16,
    /// The component; [`BandKey::EVERY_SEAT`] for all seats together.
    pub holder: u16,
    /// The round.
    pub round: u16,
}

impl BandKey {
    /// Stands for how seats stand.
    pub const STANDING: u16 = super::notebook::STANDING;
    /// Stands for all seats together.
    pub const EVERY_SEAT: u16 = super::notebook::EVERY_SEAT;
}

/// What makes a game worth reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Interest {
    /// The smallest margin.
    Closest,
    /// The most decisions.
    Longest,
    /// The fewest decisions.
    Shortest,
    /// The winner was farthest behind.
    Comeback,
    /// The largest margin.
    Widest,
}

/// One game that stands out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notable {
    /// By how much.
    pub number: i64,
    /// Which game, from 0.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// The position of every answer among its options, in order.
    pub answers: Vec<u64>,
}

/// Blocks of games that figures without a formula of their own are computed from.
pub(super) const BLOCKS: usize = 64;

/// The figures of a batch.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Figures {
    /// How many seats there are.
    pub seats: u8,
    /// In a game of teams, the number of each seat's team.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<u8>,
    /// Games played, those with a fault included.
    pub games: u64,
    /// Games that came to an ending.
    pub finished: u64,
    /// Questions put to agents, over all games.
    pub asked: u64,
    /// Questions with one answer, over all games.
    pub forced: u64,
    /// Every measure.
    #[serde(with = "pairs")]
    pub measures: IndexMap<Measure, Histogram, FxBuildHasher>,
    /// Finished games and wins of each seat, by blocks of games.
    pub blocks: Vec<Vec<i64>>,
    /// Options per question, over all questions.
    pub branching: Histogram,
    /// Every decision.
    #[serde(with = "pairs")]
    pub questions: BTreeMap<u16, DecisionStatistics>,
    /// Options, and parts of options.
    #[serde(with = "pairs")]
    pub options: IndexMap<OptionKey, ItemStatistics, FxBuildHasher>,
    /// Components.
    #[serde(with = "pairs")]
    pub components: FxHashMap<u16, ItemStatistics>,
    /// Kinds: the pieces of all their components.
    #[serde(with = "pairs")]
    pub kinds: BTreeMap<u16, Contrast>,
    /// Values by round.
    #[serde(with = "pairs")]
    pub bands: FxHashMap<BandKey, Histogram>,
    /// Spaces that pieces came to.
    #[serde(with = "pairs")]
    pub spaces: BTreeMap<u16, Times>,
    /// Phases.
    #[serde(with = "pairs")]
    pub phases: BTreeMap<u16, Times>,
    /// Functions that the flow called.
    #[serde(with = "pairs")]
    pub steps: BTreeMap<String, Times>,
    /// Announcements.
    #[serde(with = "pairs")]
    pub says: BTreeMap<u16, Times>,
    /// Games that stand out.
    #[serde(with = "pairs")]
    pub notable: BTreeMap<Interest, Notable>,
    /// What went wrong.
    pub faults: Vec<FaultGroup>,
    /// Worlds that agents imagined, over all games.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub imagined: u64,
    /// Imagined worlds that do not satisfy everything the seat knows, grouped by place and reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relaxed: Vec<RelaxedGroup>,
}

/// Imagined worlds that were [relaxed](crate::session::Relaxation) for one reason at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelaxedGroup {
    /// Why, in a clause.
    pub reason: String,
    /// Where in the rules, as `path:line:column`; `None` for what has no place.
    pub place: Option<String>,
    /// Number of worlds.
    pub count: u64,
    /// The first game with such a world, from 0.
    pub game: u64,
    /// The seed of that game.
    pub seed: u64,
}

impl RelaxedGroup {
    /// Puts it among the groups there are, with those of its sort. The earliest game of a group is kept.
    fn gather(self, groups: &mut Vec<Self>) {
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Figures {
    /// Nothing played yet.
    pub fn new(seats: u8) -> Self {
        Self { seats, blocks: vec![vec![0; seats as usize + 1]; BLOCKS], ..Self::default() }
    }

    /// Every measure, in order.
    pub fn measured(&self) -> Vec<&Measure> {
        let mut found: Vec<&Measure> = self.measures.keys().collect();
        found.sort_unstable();
        found
    }

    /// A measure over all games, those that say nothing of it included where that means 0.
    pub fn histogram(&self, measure: &Measure) -> Histogram {
        let mut histogram = self.measures.get(measure).cloned().unwrap_or_default();
        if measure.is_zero_unsaid() {
            histogram.add_many(0, self.finished.saturating_sub(histogram.total()));
        }
        histogram
    }

    /// The value of a measure: a share, or a mean.
    pub fn estimate(&self, measure: &Measure) -> Estimate {
        let (histogram, unit) = (self.histogram(measure), measure.unit(self.seats));
        match measure.sort() {
            MeasureKind::Share => estimate::share(&histogram, unit),
            MeasureKind::Amount => estimate::mean(&histogram, unit),
        }
    }

    /// How often the first, second and further places in turn order win, where these were not always the seats in their order.
    pub fn places(&self) -> Vec<Estimate> {
        let places: Vec<u8> = (0..self.seats).collect();
        let is_seat = |place: &u8| self.histogram(&Measure::Place(*place)) == self.histogram(&Measure::Win(*place));
        let is_meaningful = self.measures.contains_key(&Measure::Place(0)) && !places.iter().all(is_seat);
        places.into_iter().filter(|_| is_meaningful).map(|place| self.estimate(&Measure::Place(place))).collect()
    }

    /// The share each seat would win if seats made no difference: one of as many as there are teams, or seats.
    pub fn fair_share(&self) -> f64 {
        1.0 / self.leaders().len().max(1) as f64
    }

    /// One seat for each who wins and loses as one: the first of each team, or every seat.
    pub fn leaders(&self) -> Vec<u8> {
        let is_first = |seat: &u8| {
            let at = usize::from(*seat);
            self.sides.is_empty() || !self.sides[..at].contains(&self.sides[at])
        };
        (0..self.seats).filter(is_first).collect()
    }

    /// The seat that stands for a seat among [`Figures::leaders`].
    pub fn leader_of(&self, seat: u8) -> u8 {
        let side = self.sides.get(usize::from(seat));
        self.sides.iter().position(|other| Some(other) == side).map_or(seat, |at| at as u8)
    }

    /// The win share of some seats, and as how many plain games a game counts for it.
    pub fn shares_of(&self, seats: &[u8]) -> (Vec<f64>, Vec<f64>) {
        let of = |seat: &u8| {
            let (histogram, unit) = (self.histogram(&Measure::Win(*seat)), self.whole_win());
            (histogram.mean().unwrap_or(0.0) / unit as f64, estimate::effective_size(&histogram, unit))
        };
        seats.iter().map(of).unzip()
    }

    /// For each seat, the p-value of its win share against the fair one; a team is one, and its seats have what it has.
    pub fn p_values_of_seats(&self) -> Vec<f64> {
        let leaders = self.leaders();
        let (shares, effective_sizes) = self.shares_of(&leaders);
        let of_leaders = estimate::p_values_of_shares(&shares, self.finished, &effective_sizes);
        let of = |seat: u8| {
            let at = leaders.iter().position(|leader| *leader == self.leader_of(seat));
            at.and_then(|at| of_leaders.get(at).copied()).unwrap_or(1.0)
        };
        (0..self.seats).map(of).collect()
    }

    /// How far the win share of any seat lies from the fair one, with an interval that holds for all seats together.
    pub fn seat_gap(&self) -> Estimate {
        seat_gap(self, |seat| self.histogram(&Measure::Win(seat)))
    }

    /// The units of a win.
    pub fn whole_win(&self) -> i64 {
        whole_win(self.seats)
    }

    /// Whether what is counted in several places is the same everywhere.
    pub fn adds_up(&self) -> bool {
        let faults: u64 = self.faults.iter().map(|group| group.count).sum();
        let in_blocks: i64 = self.blocks.iter().filter_map(|block| block.first()).sum();
        let decisions = self.measures.get(&Measure::Decisions).map_or(0, Histogram::total);
        self.games == self.finished + faults && in_blocks == self.finished as i64 && decisions == self.finished
    }

    /// One more game, which may stand out.
    pub(super) fn add_notable(&mut self, record: &Record) {
        let (mut margin, mut decisions, mut comeback) = (None, None, None);
        for (measure, number) in &record.numbers {
            match measure {
                Measure::Margin => margin = Some(*number),
                Measure::Decisions => decisions = Some(*number),
                Measure::Comeback => comeback = Some(*number),
                _ => {}
            }
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
            self.offer_notable(interest, (number, game), || {
                let answers = record.notes().answers.clone();
                Notable { number, game, seed, answers }
            });
        }
    }

    fn offer_notable(&mut self, interest: Interest, (number, game): (i64, u64), new: impl FnOnce() -> Notable) {
        let sign = if matches!(interest, Interest::Closest | Interest::Shortest) { -1 } else { 1 };
        let rank = |number: i64, game: u64| (sign * number, std::cmp::Reverse(game));
        let best = self.notable.get(&interest);
        if best.is_none_or(|best| rank(number, game) > rank(best.number, best.game)) {
            self.notable.insert(interest, new());
        }
    }

    /// The worlds that agents imagined in one more game.
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
            group.gather(&mut self.relaxed);
        }
    }

    /// A fault of one more game, or of several.
    pub(super) fn add_fault(&mut self, new: FaultGroup) {
        new.gather(&mut self.faults);
        self.faults.sort_by_key(|group| group.game);
    }

    /// The figures of other games of the same batch too.
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
            self.offer_notable(*interest, (notable.number, notable.game), || notable.clone());
        }
        for fault in &other.faults {
            self.add_fault(fault.clone());
        }
        self.imagined += other.imagined;
        for relaxed in &other.relaxed {
            relaxed.clone().gather(&mut self.relaxed);
        }
    }

    /// The first fault of each sort, as people see it; none after figures have been read from a file.
    pub fn diagnostics_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.faults.iter_mut().filter_map(|group| group.first.as_mut())
    }
}

/// How far the win share of any seat lies from the fair one, by what each seat won in every game of some figures.
pub(super) fn seat_gap(figures: &Figures, wins: impl Fn(u8) -> Histogram) -> Estimate {
    let (leaders, fair) = (figures.leaders(), figures.fair_share());
    let confidence = 1.0 - (1.0 - estimate::CONFIDENCE) / leaders.len().max(1) as f64;
    let (mut value, mut low, mut high, mut count) = (0.0_f64, 0.0_f64, 0.0_f64, 0);
    for seat in leaders {
        let histogram = wins(seat);
        count = histogram.total();
        let share = estimate::share_with(&histogram, figures.whole_win(), confidence);
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
}
