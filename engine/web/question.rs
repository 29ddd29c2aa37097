//! What a seat is asked, as its page puts it: options with what each speaks of on the table, or a number within bounds.

use super::laying::{self, SquarePrint};
use super::marks;
use crate::desk::parts::{Next, Parts};
use crate::desk::picking::{Picking, amount};
use crate::model::Language;
use crate::phrases::{Phrases, filled};
use crate::session::{Observation, OptionSet};
use serde::Serialize;
use std::collections::BTreeSet;

/// More options than this are not listed.
const LISTED: usize = 3_000;

/// A question.
#[derive(Debug, Serialize)]
pub(super) struct Question {
    /// Token of the question. An answer names it, so that an old page answers nothing else.
    pub(super) number_of_it: String,
    ask: String,
    options: Vec<Offered>,
    /// What may be printed on the squares of pieces that they lay.
    prints: Vec<SquarePrint>,
    /// How they are listed: as they are, or by their parts where they are many.
    listed: Vec<Listed>,
    /// The parts that all of them have, where they are listed by these.
    same_in_all: String,
    /// How many options there are.
    count: String,
    /// What has been picked, one after the other, where several things are.
    picked: Vec<String>,
    /// How many are not listed.
    unlisted: usize,
    /// Where a number is asked for.
    pub(super) number: Option<Bounds>,
    /// Whether there is a pick to take back.
    may_take_back: bool,
}

/// The least and the most that a number may be.
#[derive(Debug, Serialize)]
pub(super) struct Bounds {
    pub(super) least: i64,
    pub(super) most: i64,
    label: String,
}

/// An option.
#[derive(Debug, Serialize)]
struct Offered {
    at: usize,
    text: String,
    marks: String,
    /// How the piece would lie that it lays.
    lays: String,
}

/// A line of the list.
#[derive(Debug, Serialize)]
struct Listed {
    /// The option, by its place among those that are offered; of a part there is none.
    option: Option<usize>,
    /// The part, and what all that have it have besides.
    part: String,
    same_in_all: String,
    count: usize,
    within: Vec<Listed>,
}

impl Question {
    /// The question that is put to the seat of the observation; `token` stands for it, and for nothing else ever.
    pub(super) fn new(
        observation: &Observation<'_>,
        picking: Option<&Picking>,
        token: String,
        language: Language,
    ) -> Self {
        let phrases = Phrases::of(language);
        let decision = observation.decision();
        let picked: Vec<String> = match picking {
            Some(picking) => picking.names().into_iter().map(str::to_owned).collect(),
            None => decision.picked.iter().map(|choice| observation.worded_one(choice, language)).collect(),
        };
        let bounds =
            picking.map(Picking::bounds).or(decision.picks.map(|(least, most)| (least as usize, most as usize)));
        let so_far = bounds.map_or_else(String::new, |(least, most)| {
            let phrase = if picked.is_empty() { phrases.prompt.pick } else { phrases.prompt.pick_more };
            filled(phrase, &[("amount", &amount(&phrases.prompt, least, most)), ("count", &picked.len())])
        });
        let number = match &decision.options {
            OptionSet::Numbers(least, most) if picking.is_none() && most > least => Some(Bounds {
                least: *least,
                most: *most,
                label: filled(phrases.web.number_between, &[("least", least), ("most", most)]),
            }),
            _ => None,
        };
        let options = match picking {
            Some(picking) => picked_from(observation, picking, phrases.log.done),
            None => offered(observation, number.is_some(), language),
        };
        let lays = options.iter().any(|option| !option.lays.is_empty());
        let prints = observation.model().cells.prints.iter().filter(|_| lays).map(SquarePrint::new).collect();
        let parts = Some(observation).filter(|_| picking.is_none() && number.is_none() && decision.count() <= LISTED);
        let parts = parts.and_then(|observation| Parts::from_observation(observation, language));
        let (listed, same_in_all) = match &parts {
            Some(parts) => (listed(parts, &parts.all(), language), same_in_all(parts, &parts.all(), &[], language)),
            None => ((0..options.len()).map(Listed::whole).collect(), String::new()),
        };
        let all = if picking.is_some() { options.len() } else { decision.count() };
        let unlisted = if number.is_some() { 0 } else { all - options.len() };
        Self {
            number_of_it: token,
            ask: format!("{}{so_far}", observation.asked(language)),
            count: filled(phrases.web.all_options, &[("count", &all)]),
            options,
            prints,
            listed,
            same_in_all,
            picked,
            unlisted,
            number,
            may_take_back: picking.is_some_and(Picking::can_take_back),
        }
    }

    /// The marks of everything that is offered.
    pub(super) fn marks(&self) -> BTreeSet<String> {
        let all = self.options.iter().flat_map(|option| option.marks.split(' '));
        all.filter(|mark| !mark.is_empty()).map(str::to_owned).collect()
    }
}

impl Listed {
    const fn whole(option: usize) -> Self {
        Self { option: Some(option), part: String::new(), same_in_all: String::new(), count: 1, within: Vec::new() }
    }
}

/// Some options by the parts that are asked for next, and within each by those that come after it.
fn listed(parts: &Parts, left: &[usize], language: Language) -> Vec<Listed> {
    let known: Vec<&str> = parts.common(left).into_iter().map(|part| &*part.worded).collect();
    let line = |next| match next {
        Next::Option(at) => Listed::whole(at),
        Next::Part(part, among) => {
            let said = [&known[..], &[&part.worded]].concat();
            let same_in_all = same_in_all(parts, &among, &said, language);
            let within = listed(parts, &among, language);
            Listed { option: None, part: part.worded, same_in_all, count: among.len(), within }
        }
    };
    parts.next(left).into_iter().map(line).collect()
}

/// What all of some options have, beside what has been said of them.
fn same_in_all(parts: &Parts, left: &[usize], said: &[&str], language: Language) -> String {
    let Phrases { prompt, log, .. } = Phrases::of(language);
    let common = parts.common(left).into_iter().map(|part| &*part.worded);
    let others: Vec<&str> = common.filter(|part| !said.contains(part)).collect();
    if others.is_empty() { String::new() } else { filled(prompt.same_in_all, &[("parts", &others.join(log.comma))]) }
}

/// The options as they are; of numbers that are typed, only what is none.
fn offered(observation: &Observation<'_>, is_typed: bool, language: Language) -> Vec<Offered> {
    let decision = observation.decision();
    let first = if is_typed { decision.options.len() } else { 0 };
    let offer = observation.offer(language);
    let option = |at: usize| {
        let choice = decision.option(at);
        let worded = offer.worded(&choice);
        let text = match observation.worded_costs(&choice, language) {
            Some(costs) => format!("{worded}{}{costs}", Phrases::of(language).log.dash),
            None => worded,
        };
        let view = observation.memory();
        let (marks, lays) = (marks::of_choice(&view, &choice).join(" "), laying::of_choice(&view, &choice));
        Offered { at, text, marks, lays }
    };
    (first..decision.count()).take(LISTED).map(option).collect()
}

/// What may be picked next: alike things are one option.
fn picked_from(observation: &Observation<'_>, picking: &Picking, done: &str) -> Vec<Offered> {
    let options = picking.options(done);
    let among = &observation.decision().among;
    let offer = observation.offer(Language::English);
    let marks = |written: &String| {
        let same = among.iter().filter(|choice| offer.written(choice) == *written);
        let mut all: Vec<String> = same.flat_map(|choice| marks::of_choice(&observation.memory(), choice)).collect();
        all.dedup();
        all.join(" ")
    };
    let (worded, written) = (options.worded.some(), options.written.some());
    let all = worded.iter().cloned().zip(written.iter()).enumerate();
    all.map(|(at, (text, written))| Offered { at, text, marks: marks(written), lays: String::new() }).collect()
}
