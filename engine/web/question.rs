//! The open decision of a seat as template values: options with their marks on the table, or bounds of a number.

use super::dom_ids;
use super::placement_preview::{self, SquarePrint};
use crate::desk::parts::{NextPart, Parts};
use crate::desk::picking::{Picking, amount};
use crate::model::Language;
use crate::phrases::{Phrases, filled};
use crate::session::{Decision, Observation, OptionSet};
use crate::wording::SentencePiece;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::BTreeSet;

/// Maximum number of options that the page lists. Players find the others by searching for their text.
const LISTED: usize = 3_000;

/// Template values of the decision that a seat is asked.
#[derive(Debug, Serialize)]
pub(super) struct Question {
    /// Token of the decision. Every answer contains the token, so that answers from an outdated page are refused.
    token: String,
    ask: String,
    options: Vec<Offered>,
    /// The answer as a sentence with slots for its parts; empty if the options are shown only as a list.
    sentence: Vec<SentenceToken>,
    /// Slots of the sentence.
    slots: Vec<SentenceSlot>,
    /// Texts and colors of all printed squares; empty if no option places a tile.
    prints: Vec<SquarePrint>,
    /// Entries of the option list: a tree of parts if there are many options, otherwise flat.
    listed: Vec<OptionNode>,
    /// Text that names the parts that all options share; empty if they share none, or if the list is flat.
    same_in_all: String,
    /// Text that says how many options there are.
    count: String,
    /// Names of the things picked so far, if the decision asks for several.
    picked: Vec<String>,
    /// Number of options that are left out of the list.
    unlisted: usize,
    /// Bounds of the answer, if the decision asks for a number.
    number: Option<Bounds>,
    /// Whether the last pick can be taken back.
    may_take_back: bool,
}

/// Inclusive bounds of a number, with the label of the input field.
#[derive(Debug, Serialize)]
struct Bounds {
    least: i64,
    most: i64,
    label: String,
}

/// Returns the smallest and the largest number that can answer a decision. Returns `None` if the decision does not ask for a number, or if
/// only one number is allowed.
pub(super) fn bounds(decision: &Decision, picking: Option<&Picking>) -> Option<(i64, i64)> {
    match decision.options {
        OptionSet::Numbers(least, most) if picking.is_none() && most > least => Some((least, most)),
        _ => None,
    }
}

/// Piece of the sentence: either words or a slot.
#[derive(Debug, Serialize)]
struct SentenceToken {
    words: String,
    /// Index of the slot; `None` for words.
    slot: Option<usize>,
}

/// Slot of the sentence, in which one part of the answer is chosen.
#[derive(Debug, Serialize)]
struct SentenceSlot {
    /// Displayed name of the part.
    name: String,
    /// Texts of the part's possible values.
    values: Vec<String>,
}

/// An option of the decision, or a thing that can be picked.
#[derive(Debug, Serialize)]
pub(super) struct Offered {
    at: usize,
    text: String,
    marks: String,
    /// Slots that the option fills, as `slot:value` pairs of indices, separated by spaces.
    fills: String,
    /// Preview of the piece that the option places, see [`placement_preview::of_choice`].
    lays: String,
}

/// Node of the option tree: an option, or a part with the options that contain the part. For a part, `same_in_all` names the other parts
/// that these options share.
#[derive(Debug, Serialize)]
struct OptionNode {
    /// Index of the option; `None` for a part.
    option: Option<usize>,
    /// Text of the part; empty for an option.
    part: String,
    same_in_all: String,
    count: usize,
    within: Vec<OptionNode>,
}

impl Question {
    /// Describes the decision of an observation's seat. `token` must be unique to the decision and the picks so far.
    pub(super) fn new(
        observation: &Observation<'_>,
        picking: Option<&Picking>,
        token: String,
        language: Language,
    ) -> Self {
        let phrases = Phrases::for_language(language);
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
        let number = self::bounds(decision, picking).map(|(least, most)| Bounds {
            least,
            most,
            label: filled(phrases.web.number_between, &[("least", &least), ("most", &most)]),
        });
        let mut options = match picking {
            Some(picking) => pickable_things(observation, picking, phrases.log.done),
            None => offered(observation, number.is_some(), language),
        };
        let is_listed = picking.is_none() && number.is_none() && decision.count() <= LISTED;
        let (sentence, slots) =
            if is_listed { fill_slots(observation, &mut options, language) } else { Default::default() };
        let lays = options.iter().any(|option| !option.lays.is_empty());
        let prints = observation.model().cells.prints.iter().filter(|_| lays).map(SquarePrint::new).collect();
        let parts = Some(observation).filter(|_| is_listed);
        let parts = parts.and_then(|observation| Parts::from_observation(observation, language));
        let (listed, same_in_all) = match &parts {
            Some(parts) => {
                (listed(parts, &parts.all(), language), common_parts_text(parts, &parts.all(), &[], language))
            }
            None => ((0..options.len()).map(OptionNode::whole).collect(), String::new()),
        };
        let all = if picking.is_some() { options.len() } else { decision.count() };
        let unlisted = if number.is_some() { 0 } else { all - options.len() };
        Self {
            token,
            ask: format!("{}{so_far}", observation.asked(language)),
            count: filled(phrases.web.all_options, &[("count", &all)]),
            options,
            sentence,
            slots,
            prints,
            listed,
            same_in_all,
            picked,
            unlisted,
            number,
            may_take_back: picking.is_some_and(Picking::can_take_back),
        }
    }

    /// Returns the marks of everything that the options name.
    pub(super) fn marks(&self) -> BTreeSet<String> {
        let all = self.options.iter().flat_map(|option| option.marks.split(' '));
        all.filter(|mark| !mark.is_empty()).map(str::to_owned).collect()
    }
}

impl OptionNode {
    const fn whole(option: usize) -> Self {
        Self { option: Some(option), part: String::new(), same_in_all: String::new(), count: 1, within: Vec::new() }
    }
}

/// Groups options by the part that is asked for next, recursively.
fn listed(parts: &Parts, left: &[usize], language: Language) -> Vec<OptionNode> {
    let known: Vec<&str> = parts.common(left).into_iter().map(|part| &*part.worded).collect();
    let line = |next| match next {
        NextPart::Option(at) => OptionNode::whole(at),
        NextPart::Part(part, among) => {
            let said = [&known[..], &[&part.worded]].concat();
            let same_in_all = common_parts_text(parts, &among, &said, language);
            let within = listed(parts, &among, language);
            OptionNode { option: None, part: part.worded, same_in_all, count: among.len(), within }
        }
    };
    parts.next(left).into_iter().map(line).collect()
}

/// Formats the parts that the options in `left` all share. Leaves out the parts in `said`.
fn common_parts_text(parts: &Parts, left: &[usize], said: &[&str], language: Language) -> String {
    let Phrases { prompt, log, .. } = Phrases::for_language(language);
    let common = parts.common(left).into_iter().map(|part| &*part.worded);
    let others: Vec<&str> = common.filter(|part| !said.contains(part)).collect();
    if others.is_empty() { String::new() } else { filled(prompt.same_in_all, &[("parts", &others.join(log.comma))]) }
}

/// Minimum number of options for a sentence with slots. Fewer are shown as buttons.
const MIN_FOR_SLOTS: usize = 4;

/// Returns the answer as a sentence with slots, and sets [`Offered::fills`] of each option. Returns empty lists if there are fewer than
/// [`MIN_FOR_SLOTS`] options, or if fewer than two parts have several values.
fn fill_slots(
    observation: &Observation<'_>,
    options: &mut [Offered],
    language: Language,
) -> (Vec<SentenceToken>, Vec<SentenceSlot>) {
    let decision = observation.decision();
    let offer = observation.offer(language);
    let mut slots: IndexMap<String, IndexMap<String, usize>> = IndexMap::new();
    if options.len() < MIN_FOR_SLOTS {
        return Default::default();
    }
    let mut filled: Vec<Vec<[usize; 2]>> = Vec::with_capacity(options.len());
    for option in &*options {
        let fill = |(name, text): (String, String)| {
            let slot = slots.entry(name);
            let at = slot.index();
            let values = slot.or_default();
            let next = values.len();
            [at, *values.entry(text).or_insert(next)]
        };
        filled.push(offer.part_values(&decision.option(option.at)).into_iter().map(fill).collect());
    }
    // If only one part has several values, a list is enough, so no sentence is made.
    if slots.values().filter(|values| values.len() > 1).count() < 2 {
        return Default::default();
    }
    for (option, fills) in options.iter_mut().zip(filled) {
        option.fills = fills.iter().map(|[slot, value]| format!("{slot}:{value}")).collect::<Vec<_>>().join(" ");
    }
    let names: Vec<String> = slots.keys().cloned().collect();
    let token = |piece| match piece {
        SentencePiece::Words(words) => SentenceToken { words, slot: None },
        SentencePiece::Part(slot) => SentenceToken { words: String::new(), slot: Some(slot) },
    };
    let model = observation.model();
    let slot = |(name, values): (String, IndexMap<String, usize>)| SentenceSlot {
        name: model.named_word(&name, language),
        values: values.into_keys().collect(),
    };
    (offer.open_sentence(&names).into_iter().map(token).collect(), slots.into_iter().map(slot).collect())
}

/// Returns at most [`LISTED`] options, always including the option to pass if there is one. If `is_typed` is set, leaves out all numbers,
/// because the player types a number.
fn offered(observation: &Observation<'_>, is_typed: bool, language: Language) -> Vec<Offered> {
    let decision = observation.decision();
    let count = decision.count();
    let first = if is_typed { decision.options.len() } else { 0 };
    let end = count.min(first + LISTED);
    // Passing is the last option.
    let pass = (end < count && decision.pass.is_some()).then_some(count - 1);
    offered_at(observation, (first..end - usize::from(pass.is_some())).chain(pass), language)
}

/// Returns the options at `positions` of the decision.
pub(super) fn offered_at(
    observation: &Observation<'_>,
    positions: impl Iterator<Item = usize>,
    language: Language,
) -> Vec<Offered> {
    let decision = observation.decision();
    let offer = observation.offer(language);
    let choices: Vec<_> = positions.map(|at| (at, decision.option(at))).collect();
    let sentences = choices.iter().map(|(_, choice)| offer.sentence(choice).unwrap_or_else(|| offer.worded(choice)));
    let mut texts: Vec<String> = sentences.collect();
    // Different options must have different texts.
    if texts.iter().collect::<FxHashSet<_>>().len() < texts.len() {
        texts = choices.iter().map(|(_, choice)| offer.worded(choice)).collect();
    }
    let dash = Phrases::for_language(language).log.dash;
    let view = observation.memory();
    let options = choices.iter().zip(texts).map(|((at, choice), worded)| {
        let text = match observation.worded_costs(choice, language) {
            Some(costs) => format!("{worded}{dash}{costs}"),
            None => worded,
        };
        let marks = dom_ids::of_choice(&view, choice).join(" ");
        Offered { at: *at, text, marks, fills: String::new(), lays: placement_preview::of_choice(&view, choice) }
    });
    options.collect()
}

/// Returns the things that may be picked next. Things that look alike are one option.
fn pickable_things(observation: &Observation<'_>, picking: &Picking, done: &str) -> Vec<Offered> {
    let options = picking.options(done);
    let among = &observation.decision().among;
    let offer = observation.offer(Language::English);
    let marks = |written: &String| {
        let same = among.iter().filter(|choice| offer.written(choice) == *written);
        let mut all: Vec<String> = same.flat_map(|choice| dom_ids::of_choice(&observation.memory(), choice)).collect();
        all.dedup();
        all.join(" ")
    };
    let (worded, written) = (options.worded.some(), options.written.some());
    let all = worded.iter().cloned().zip(written.iter()).enumerate();
    all.map(|(at, (text, written))| Offered {
        at,
        text,
        marks: marks(written),
        fills: String::new(),
        lays: String::new(),
    })
    .collect()
}
