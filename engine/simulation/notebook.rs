//! What is written down of one game while it is played.

use super::measure::Measure;
use super::traces::Traces;
use crate::model::{
    ComponentId, DecisionId, FamilyId, Model, Owner, Party, PhaseId, SayId, Seat, SpaceId, Value, ValueType, ZoneId,
};
use crate::session::{Choice, Decision, Observer, OptionSet, placement_names, way_word};
use crate::table::{Holder, Member, Table, View};
use arcstr::ArcStr;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
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

/// How the seats stood at one look.
#[derive(Debug, Clone)]
struct Look {
    decisions: u64,
    standings: Vec<i64>,
}

/// One reading of a value: which value, whose, in which round, and the number.
pub(super) type Reading = (u16, u16, u16, i64);

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

/// What was written down of one game.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The position of every answer among its options, in order.
    pub(super) answers: Vec<u32>,
    /// Who went first in the first round.
    pub(super) first: Option<Seat>,
    pub(super) turns: u64,
    pub(super) options: u64,
    /// Questions put to each seat.
    pub(super) asked: Vec<u64>,
    /// Which decision was asked, and how many options it had, each time.
    pub(super) questions: Vec<(u16, u32)>,
    /// How often each function was called by the flow.
    pub(super) steps: Vec<(Arc<str>, u64)>,
    pub(super) readings: Vec<Reading>,
    looks: Vec<Look>,
    options_seen: OptionsSeen,
}

/// The options of one game with what is counted of them. Which there are is kept from game to game, for it is nearly all the same.
#[derive(Debug, Default)]
struct OptionsSeen {
    /// The options of all games, by decision and part.
    known: Vec<Vec<KnownOptions>>,
    /// What they are, and what was counted of them in this game.
    all: Vec<(OptionKey, OptionCounts)>,
    /// The places of those of this game.
    seen: Vec<u32>,
    /// The names of the parts of each decision.
    part_names: Vec<Vec<ArcStr>>,
    /// The words that were offered.
    words: IndexSet<ArcStr, FxBuildHasher>,
}

/// The places of the options of a decision, or of one part of them, counted from 1.
#[derive(Debug, Default)]
struct KnownOptions {
    words: Vec<u32>,
    spaces: Vec<u32>,
    components: Vec<u32>,
    others: FxHashMap<Mark, u32>,
}

impl OptionsSeen {
    /// What is counted of an option.
    fn counts(&mut self, part: PartKey, mark: Mark) -> &mut OptionCounts {
        let place = match *self.place(part, mark) {
            0 => self.take_up(part, mark),
            known => known - 1,
        };
        let counts = &mut self.all[place as usize].1;
        if !counts.is_seen {
            counts.is_seen = true;
            self.seen.push(place);
        }
        counts
    }

    /// Gives an option its place.
    fn take_up(&mut self, part: PartKey, mark: Mark) -> u32 {
        let name = self.part_names.get(usize::from(part.0)).and_then(|names| names.get(usize::from(part.1)));
        let name = name.map(|name| Arc::from(&**name));
        let key = OptionKey { decision: part.0, part: name, thing: self.thing(mark) };
        let place = self.all.len() as u32;
        self.all.push((key, OptionCounts::default()));
        *self.place(part, mark) = place + 1;
        place
    }

    /// The place of an option, counted from 1; 0 of one that has none.
    fn place(&mut self, (decision, part): PartKey, mark: Mark) -> &mut u32 {
        fn at<T: Default>(list: &mut Vec<T>, at: usize) -> &mut T {
            if list.len() <= at {
                list.resize_with(at + 1, T::default);
            }
            &mut list[at]
        }
        // The part without a name, which nearly all decisions have alone, comes first.
        let part = usize::from(part.wrapping_add(1));
        let known = at(at(&mut self.known, usize::from(decision)), part);
        match mark {
            Mark::Word(word) => at(&mut known.words, word as usize),
            Mark::Space(space) => at(&mut known.spaces, usize::from(space)),
            Mark::Component(component) => at(&mut known.components, usize::from(component)),
            other => known.others.entry(other).or_default(),
        }
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
        if self.part_names.len() <= decision.index() {
            self.part_names.resize_with(decision.index() + 1, Vec::new);
        }
        let names = &mut self.part_names[decision.index()];
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

    /// Begins another game.
    fn clear(&mut self) {
        for place in self.seen.drain(..) {
            self.all[place as usize].1 = OptionCounts::default();
        }
    }
}

/// The values of a part of a question, or its options without parts, are not counted one by one beyond this many.
const MOST_LISTED: usize = 256;

/// A list of more options is not looked at.
const MOST_LOOKED_AT: usize = 4096;

/// Numbers up to this are counted one by one; larger ones share a place with their neighbors.
pub const OWN_ROW: u64 = 1 << 16;

/// Values are read in this many rounds.
const MOST_ROUNDS: i64 = 60;

/// The holder that stands for all seats together.
pub(super) const EVERY_SEAT: u16 = u16::MAX;

/// The value that stands for how seats stand.
pub(super) const STANDING: u16 = u16::MAX;

/// A part without a name.
const WHOLE: u8 = u8::MAX;

/// All parts of a decision beyond so many together.
const OTHER_PARTS: u8 = u8::MAX - 1;

impl Notes {
    pub(super) fn new(seats: u8) -> Self {
        Self { asked: vec![0; seats as usize], ..Self::default() }
    }

    /// Begins another game, with what can be kept of this one.
    fn clear(&mut self) {
        self.answers.clear();
        self.first = None;
        (self.turns, self.options) = (0, 0);
        self.asked.fill(0);
        self.questions.clear();
        self.steps.clear();
        self.readings.clear();
        self.looks.clear();
        self.options_seen.clear();
    }

    /// The options of the game by their places, with what was counted of them.
    pub(super) fn options(&self) -> impl Iterator<Item = (usize, &(OptionKey, OptionCounts))> + '_ {
        let options = &self.options_seen;
        options.seen.iter().map(|place| (*place as usize, &options.all[*place as usize]))
    }

    /// What is known of the lead: how often it changed and when, whether leaders won, how far the winner was behind.
    pub(super) fn leads(&self, wins: &[i64], whole: i64, decisions: u64) -> Vec<(Measure, i64)> {
        let mut found = Vec::new();
        if self.looks.is_empty() {
            return found;
        }
        let (mut leader, mut changes, mut last) = (None, 0, 0);
        for look in &self.looks {
            let now = look.alone();
            if now.is_some() && leader.is_some() && now != leader {
                changes += 1;
                last = look.decisions;
            }
            leader = now.or(leader);
        }
        found.push((Measure::LeadChanges, changes));
        if changes > 0 && decisions > 0 {
            found.push((Measure::LastLead, super::measure::thousandths(last.min(decisions).into(), decisions.into())));
        }
        for quarter in 1..=3 {
            let before = self.looks.iter().rfind(|look| look.decisions * 4 <= decisions * quarter);
            let share = before.and_then(|look| look.share_of_leaders(wins, whole));
            found.extend(share.map(|share| (Measure::LeaderWins(quarter as u8), share)));
        }
        let behind = self.looks.iter().flat_map(|look| {
            let best = look.best();
            let winners = look.standings.iter().zip(wins).filter(|(_, win)| **win > 0);
            winners.map(move |(standing, _)| best.saturating_sub(*standing))
        });
        found.extend(behind.max().map(|behind| (Measure::Comeback, behind)));
        found
    }

    /// Notes the options of a question, each thing once, however many options name it; returns the parts that are counted where these
    /// are not all: those whose values are not too many.
    fn note_offered(&mut self, asked: &AskedDecision<'_>, options: &OptionSet) -> Option<Vec<u8>> {
        if options.len() <= MOST_LISTED {
            self.gather(asked, options, &mut Offered::Few);
            return None;
        }
        let mut many = Offered::Many(Many::default());
        self.gather(asked, options, &mut many);
        let Offered::Many(Many { mut parts, left_out, is_cut }) = many else { return None };
        parts.retain(|(part, marks)| !is_cut && marks.len() <= MOST_LISTED && !left_out.contains(part));
        for (part, marks) in &parts {
            for mark in marks {
                self.note_one(asked, *part, *mark);
            }
        }
        Some(parts.into_iter().map(|(part, _)| part).collect())
    }

    /// Notes that a thing is offered, unless that has been noted of this question.
    fn note_one(&mut self, asked: &AskedDecision<'_>, part: u8, mark: Mark) {
        let question = self.questions.len() as u32;
        let counts = self.options_seen.counts((asked.decision.0, part), mark);
        if counts.last != question {
            counts.last = question;
            counts.offered += 1;
            counts.offered_to |= 1 << asked.seat.0;
        }
    }

    /// Gathers what is offered by part.
    fn gather(&mut self, asked: &AskedDecision<'_>, options: &OptionSet, offered: &mut Offered) {
        match options {
            OptionSet::Union(sets) => sets.iter().for_each(|set| self.gather(asked, set, offered)),
            OptionSet::Product(parts) => {
                for (name, set) in parts.iter() {
                    let part = self.options_seen.part(asked.decision, name);
                    if set.len() > MOST_LISTED {
                        offered.leave_out(part);
                    } else {
                        set.iter().for_each(|choice| self.one(asked, part, &choice, offered));
                    }
                }
            }
            OptionSet::Rows(columns) => {
                for (name, column) in columns.iter() {
                    let part = self.options_seen.part(asked.decision, name);
                    column.iter().for_each(|choice| self.one(asked, part, &choice, offered));
                }
            }
            listed if listed.len() > MOST_LOOKED_AT => offered.cut(),
            OptionSet::List(listed) => listed.iter().for_each(|option| self.listed(asked, option, offered)),
            OptionSet::Placements(all) => {
                let (pieces, spaces, turns, ways) = all.values();
                let [piece, to, turned, way] =
                    placement_names().map(|name| self.options_seen.part(asked.decision, &name));
                for value in pieces {
                    self.one(asked, piece, &Choice::Piece(value), offered);
                }
                for value in spaces {
                    self.one(asked, to, &Choice::Space(value), offered);
                }
                for value in turns {
                    self.one(asked, turned, &Choice::Number(value.into()), offered);
                }
                for value in ways {
                    self.one(asked, way, &Choice::Word(way_word(value)), offered);
                }
            }
            OptionSet::Pieces(all) => {
                all.iter().for_each(|piece| self.one(asked, WHOLE, &Choice::Piece(*piece), offered));
            }
            OptionSet::Spaces(all) => {
                all.iter().for_each(|space| self.one(asked, WHOLE, &Choice::Space(*space), offered));
            }
            listed => listed.iter().for_each(|option| self.listed(asked, &option, offered)),
        }
    }

    /// Gathers what one option names.
    fn listed(&mut self, asked: &AskedDecision<'_>, option: &Choice, offered: &mut Offered) {
        match option {
            Choice::Parts(parts) => {
                for (name, value) in parts.iter() {
                    let part = self.options_seen.part(asked.decision, name);
                    self.one(asked, part, value, offered);
                }
            }
            _ => self.one(asked, WHOLE, option, offered),
        }
    }

    /// Gathers one value of a part.
    fn one(&mut self, asked: &AskedDecision<'_>, part: u8, choice: &Choice, offered: &mut Offered) {
        let Some(mark) = self.mark(choice, asked) else { return };
        match offered {
            Offered::Few => self.note_one(asked, part, mark),
            Offered::Many(many) => many.add(part, mark),
        }
    }

    /// Notes what was picked, as far as it is counted.
    fn note_picked(&mut self, asked: &AskedDecision<'_>, choice: &Choice, counted: Option<&[u8]>) {
        match choice {
            Choice::Parts(parts) => {
                for (name, value) in parts.iter() {
                    let part = self.options_seen.part(asked.decision, name);
                    self.note_pick(asked, part, value, counted);
                }
            }
            other => self.note_pick(asked, WHOLE, other, counted),
        }
    }

    fn note_pick(&mut self, asked: &AskedDecision<'_>, part: u8, choice: &Choice, counted: Option<&[u8]>) {
        let is_counted = counted.is_none_or(|counted| counted.contains(&part));
        let Some(mark) = self.mark(choice, asked).filter(|mark| is_counted || *mark == Mark::Pass) else { return };
        let counts = self.options_seen.counts((asked.decision.0, part), mark);
        counts.picked += 1;
        counts.picked_by |= 1 << asked.seat.0;
    }

    /// Notes that passing was offered.
    fn note_pass(&mut self, asked: &AskedDecision<'_>) {
        let counts = self.options_seen.counts((asked.decision.0, WHOLE), Mark::Pass);
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
            Choice::Word(word) => Mark::Word(self.options_seen.word(word)),
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
struct AskedDecision<'a> {
    table: &'a Table,
    scheme: &'a Scheme,
    decision: DecisionId,
    seat: Seat,
}

/// What a question offers.
enum Offered {
    /// So few options that each can be noted at once.
    Few,
    /// More, of which some may be too many.
    Many(Many),
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

impl Offered {
    fn leave_out(&mut self, part: u8) {
        if let Self::Many(many) = self {
            many.left_out.push(part);
        }
    }

    fn cut(&mut self) {
        if let Self::Many(many) = self {
            many.is_cut = true;
        }
    }
}

impl Many {
    fn add(&mut self, part: u8, mark: Mark) {
        let place = self.parts.iter().position(|(known, _)| *known == part).unwrap_or_else(|| {
            self.parts.push((part, FxHashSet::default()));
            self.parts.len() - 1
        });
        self.parts[place].1.insert(mark);
    }
}

/// How many seats one comes after another.
fn ahead(model: &Model, seat: Seat, chooser: Seat) -> u8 {
    (seat.0 + model.seats - chooser.0) % model.seats
}

/// The first seat's zone that is to it what a zone of a seat is to that one.
fn of_first_seat(model: &Model, zone: ZoneId) -> Option<ZoneId> {
    let own = model.zone(zone);
    own.seat?;
    let is_same = |other: &u16| {
        let other = &model.zones[usize::from(*other)];
        other.seat == Some(Seat(0)) && other.components().eq(own.components()) && other.copy == own.copy
    };
    model.family_of(zone).zones.clone().find(is_same).map(ZoneId)
}

impl Look {
    fn best(&self) -> i64 {
        self.standings.iter().copied().max().unwrap_or(0)
    }

    /// The seat that leads, if one does alone.
    fn alone(&self) -> Option<usize> {
        let best = self.best();
        let mut leaders = self.standings.iter().enumerate().filter(|(_, standing)| **standing == best);
        let first = leaders.next()?.0;
        leaders.next().is_none().then_some(first)
    }

    /// What the leaders got of the first place on their mean, in squared units; nothing where all stand alike.
    fn share_of_leaders(&self, wins: &[i64], whole: i64) -> Option<i64> {
        let best = self.best();
        let leaders = self.standings.iter().zip(wins).filter(|(standing, _)| **standing == best);
        let (count, won) = leaders.fold((0, 0), |(count, won), (_, win)| (count + 1, won + win));
        (count < self.standings.len() as i64).then(|| won * whole / count)
    }
}

/// The observer that writes everything down.
#[derive(Debug)]
pub(super) struct Notebook {
    /// Handed on from game to game: what is large of it stays where it is.
    pub(super) notes: Box<Notes>,
    pub(super) traces: Box<Traces>,
    pub(super) scheme: Arc<Scheme>,
    /// The last round at whose end values were read.
    read: i64,
}

/// What is the same of all games of a batch, computed once.
#[derive(Debug)]
pub(super) struct Scheme {
    pub(super) model: Arc<Model>,
    /// Whether rules change who goes first.
    pub(super) moves_first: bool,
    /// In a game of teams, the number of each seat's team.
    pub(super) sides: Vec<u8>,
    /// One seat for each who wins and loses as one, in order.
    leaders: Vec<usize>,
    /// The values that are read at the end of rounds.
    values: Vec<Watched>,
    /// For each zone of a seat, the first seat's zone that is to it what this one is to its seat.
    of_first_seat: Vec<Option<ZoneId>>,
    /// The components that lie in zones of seats when the box is opened, with these.
    homes: FxHashSet<(u16, FamilyId)>,
}

/// A value that is read at the end of rounds.
#[derive(Debug, Clone, Copy)]
struct Watched {
    value: u16,
    owner: Owner,
    is_space: bool,
}

/// Values of more components than this are not read one by one.
const MOST_HOLDERS: usize = 24;

impl Scheme {
    /// That of a game.
    pub(super) fn new(model: &Arc<Model>, moves_first: bool) -> Self {
        let of_seats = model.pieces.iter().filter(|piece| model.zone(piece.zone).seat.is_some());
        let sides = model.side_of_each();
        let is_first = |seat: &usize| !sides[..*seat].contains(&sides[*seat]);
        Self {
            model: model.clone(),
            moves_first,
            leaders: (0..sides.len()).filter(is_first).collect(),
            sides: if model.teams.is_empty() { Vec::new() } else { sides.iter().map(|side| *side as u8).collect() },
            values: watched(model),
            of_first_seat: (0..model.zones.len()).map(|zone| of_first_seat(model, ZoneId::at(zone))).collect(),
            homes: of_seats.map(|piece| (piece.component.0, model.zone(piece.zone).family)).collect(),
        }
    }

    /// The first seat's zone that is to it what a zone of a seat is to that one, and how many seats this comes after the chooser.
    fn of_first_seat(&self, model: &Model, zone: ZoneId, chooser: Seat) -> Option<(ZoneId, u8)> {
        let first = self.of_first_seat[zone.index()]?;
        Some((first, ahead(model, model.zone(zone).seat?, chooser)))
    }
}

/// The values of a game that are read at the end of rounds.
fn watched(model: &Model) -> Vec<Watched> {
    let values = model.values.iter().enumerate().filter(|(_, value)| {
        let counts = matches!(value.kind, ValueType::Number | ValueType::Space(_)) && value.most.is_none();
        let few = match value.owner {
            Owner::Game | Owner::Seat => true,
            Owner::Component(kind) => model.kinds[kind.index()].components.len() <= MOST_HOLDERS,
            Owner::Pair(one, other) => [one, other].into_iter().all(|party| match party {
                Party::Seat => true,
                Party::Component(kind) => model.kinds[kind.index()].components.len() <= MOST_HOLDERS,
            }),
            Owner::Piece(_) | Owner::Space(_) => false,
        };
        counts && few && value.lasts == crate::model::Lasts::Game
    });
    values
        .map(|(at, value)| Watched {
            value: at as u16,
            owner: value.owner,
            is_space: matches!(value.kind, ValueType::Space(_)),
        })
        .collect()
}

impl Notebook {
    pub(super) fn new(scheme: Arc<Scheme>) -> Self {
        let model = &scheme.model;
        let (notes, traces) = (Box::new(Notes::new(model.seats)), Box::new(Traces::new(model)));
        Self { notes, traces, scheme, read: 0 }
    }

    /// The notebook for another game of the batch.
    pub(super) fn anew(mut self) -> Self {
        self.notes.clear();
        self.traces.clear();
        self.read = 0;
        self
    }

    fn read_at(&mut self, table: &Table, watched: Watched, holder: Holder, named: u16, round: i64) {
        let id = crate::model::ValueId(watched.value);
        let Some(slot) = table.slot(id, holder) else { return };
        let number = table.value(slot);
        if number == Value::NOTHING {
            return;
        }
        let number = if watched.is_space { place_in_zone(table.model(), number) } else { number };
        self.notes.readings.push((watched.value, named, round as u16, number));
    }
}

/// The component by which an entry of a table is known among the readings, or every seat.
fn named_of_pair(holder: Holder) -> u16 {
    match holder {
        Holder::Pair(_, Member::Component(component)) | Holder::Pair(Member::Component(component), _) => component.0,
        _ => EVERY_SEAT,
    }
}

/// The number of a space in its zone, from 1.
fn place_in_zone(model: &Model, space: i64) -> i64 {
    let Ok(space) = u16::try_from(space) else { return 0 };
    let zone = model.space(SpaceId(space)).zone;
    i64::from(space - model.zone(zone).spaces.start) + 1
}

impl Observer for Notebook {
    fn chose(&mut self, table: &Table, decision: &Decision, at: usize) {
        let notes = &mut self.notes;
        notes.answers.push(at as u32);
        let count = decision.count();
        notes.options += count as u64;
        notes.asked[decision.seat.index()] += 1;
        let few = count.min(u32::MAX as usize) as u32;
        notes.questions.push((decision.id.0, few));
        self.traces.asked(decision.id, few);
        let asked = &AskedDecision { table, scheme: &self.scheme, decision: decision.id, seat: decision.seat };
        let counted = notes.note_offered(asked, &decision.options);
        if decision.pass.is_some() {
            notes.note_pass(asked);
        }
        notes.note_picked(asked, &decision.option(at), counted.as_deref());
    }

    fn answered(&mut self, decision: DecisionId, offered: usize) {
        self.traces.answered(decision, offered);
    }

    fn moved(&mut self, component: ComponentId, owner: Option<Seat>, from: SpaceId, to: SpaceId) {
        self.traces.moved((&self.scheme.model, &self.scheme.homes), (component, owner), (from, to));
    }

    fn round_begins(&mut self, _round: i64, first: Seat) {
        self.notes.first.get_or_insert(first);
    }

    fn phase_begins(&mut self, phase: PhaseId) {
        self.traces.phases[usize::from(phase.0)] += 1;
    }

    fn said(&mut self, say: SayId) {
        self.traces.says[usize::from(say.0)] += 1;
    }

    fn step_begins(&mut self, function: &Arc<str>) {
        let steps = &mut self.notes.steps;
        let same = |(known, _): &&mut (Arc<str>, u64)| Arc::ptr_eq(known, function) || *known == *function;
        match steps.iter_mut().find(same) {
            Some((_, times)) => *times += 1,
            None => steps.push((function.clone(), 1)),
        }
    }

    fn turn_ends(&mut self) {
        self.notes.turns += 1;
    }

    fn rests(&mut self, table: &Table, standings: Option<&[i64]>) {
        // A team stands as one.
        let standings: Option<Vec<i64>> =
            standings.map(|all| self.scheme.leaders.iter().map(|seat| all[*seat]).collect());
        if let Some(standings) = standings.clone() {
            let decisions = self.notes.asked.iter().sum();
            self.notes.looks.push(Look { decisions, standings });
        }
        // A game of one round may be looked at after every step; values are read when a round has ended.
        let round = table.position.round - i64::from(!table.position.finishing);
        if round <= self.read || round > MOST_ROUNDS {
            return;
        }
        self.read = round;
        for at in 0..self.scheme.values.len() {
            let watched = self.scheme.values[at];
            match watched.owner {
                Owner::Game => self.read_at(table, watched, Holder::Game, 0, round),
                Owner::Seat => {
                    for seat in table.model().all_seats() {
                        self.read_at(table, watched, Holder::Seat(seat), EVERY_SEAT, round);
                    }
                }
                Owner::Component(kind) => {
                    let model = table.model().clone();
                    for component in &model.kinds[kind.index()].components {
                        self.read_at(table, watched, Holder::Component(*component), component.0, round);
                    }
                }
                Owner::Pair(..) => {
                    let holders = View::whole(table).holders(crate::model::ValueId(watched.value));
                    for holder in holders {
                        self.read_at(table, watched, holder, named_of_pair(holder), round);
                    }
                }
                Owner::Piece(_) | Owner::Space(_) => {}
            }
        }
        for standing in standings.unwrap_or_default() {
            self.notes.readings.push((STANDING, EVERY_SEAT, round as u16, standing));
        }
    }
}
