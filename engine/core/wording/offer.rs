//! Texts for the options of an open decision. No two options have the same text.

use super::names::{Appearances, Slot, Wording, ordered};
use super::sentence::SentencePiece;
use crate::decision::{
    Appearance, Choice, Decision, Name, OptionSet, Pass, appearances_among, each_offered, merge_equivalent,
    offered_pieces,
};
use crate::model::{PartType, PieceId};
use crate::table::Table;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// Texts of values whose default text would be the same as that of another value in the same part.
type DistinctTexts = FxHashMap<(Option<Name>, Choice), String>;

/// Formatter for the options of one decision. In each style, the first option takes longest to format, because all options are then checked
/// for equal texts.
pub struct Offer<'a> {
    pub(super) wording: Wording,
    table: &'a Table,
    pub(super) decision: &'a Decision,
    pieces: OnceCell<Vec<PieceId>>,
    people_texts: OnceCell<DistinctTexts>,
    playscript_texts: OnceCell<DistinctTexts>,
}

/// Separator between the picks of an answer in playscripts.
pub const PICK_SEPARATOR: &str = " + ";

/// Style in which options are formatted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Natural language.
    People,
    /// The notation of playscripts.
    Playscript,
}

impl<'a> Offer<'a> {
    /// Creates the formatter for a decision. The texts are for the reader of `wording`.
    pub fn new(wording: Wording, table: &'a Table, decision: &'a Decision) -> Self {
        Self {
            wording,
            table,
            decision,
            pieces: OnceCell::new(),
            people_texts: OnceCell::new(),
            playscript_texts: OnceCell::new(),
        }
    }

    /// Returns the text of an option for people.
    pub fn worded(&self, choice: &Choice) -> String {
        match self.decision.pass {
            Some(pass) if *choice == Choice::Nothing => self.pass_text(pass, Form::People).to_owned(),
            _ => self.option_text(choice, Form::People),
        }
    }

    /// Returns the text of an option in the notation of playscripts: `row=2 column=3`, `ace`, `pass`.
    pub fn written(&self, choice: &Choice) -> String {
        if *choice == Choice::Nothing {
            return self.pass_text(self.decision.pass.unwrap_or(Pass::Pass), Form::Playscript).to_owned();
        }
        self.option_text(choice, Form::Playscript)
    }

    /// Returns the text for passing, or for ending a selection.
    fn pass_text(&self, pass: Pass, form: Form) -> &str {
        let declared = &self.wording.model.decisions[self.decision.id.index()];
        match (form, pass) {
            (Form::Playscript, pass) => pass.word(),
            (Form::People, Pass::Done) => self.wording.log.done,
            (Form::People, Pass::Pass) => {
                declared.pass.as_ref().map_or(self.wording.log.pass, |text| self.wording.text(text))
            }
        }
    }

    /// Returns the texts of passing and of ending a selection. `done` counts during the whole selection, so that the texts of things do not
    /// change from pick to pick.
    fn reserved_texts(&self, form: Form) -> impl Iterator<Item = &str> {
        let done = (self.decision.picks.is_some() && self.decision.pass != Some(Pass::Done)).then_some(Pass::Done);
        self.decision.pass.into_iter().chain(done).map(move |pass| self.pass_text(pass, form))
    }

    /// Returns the texts of all options for people, in order.
    pub fn all_worded(&self) -> Vec<String> {
        (0..self.decision.count()).map(|at| self.worded(&self.decision.option(at))).collect()
    }

    /// Returns the texts of all options in the notation of playscripts, in order.
    pub fn all_written(&self) -> Vec<String> {
        (0..self.decision.count()).map(|at| self.written(&self.decision.option(at))).collect()
    }

    /// Returns the parts of an option in order. Each part is given for people (as in [`worded`](Self::worded)) and in the notation of
    /// playscripts. Empty for an option without parts.
    pub fn parts(&self, choice: &Choice) -> Vec<(String, String)> {
        let Choice::Parts(parts) = choice else { return Vec::new() };
        let appearances = self.appearances(choice);
        let both = |(name, part, value)| {
            let text = |form| self.part(name, part, value, &appearances, form);
            (text(Form::People), text(Form::Playscript))
        };
        ordered(&self.wording.model.decisions[self.decision.id.index()], parts).map(both).collect()
    }

    /// Returns the names of an option's parts in order, each with its text for people. The text does not contain the
    /// name. Empty for an option without parts.
    pub fn part_values(&self, choice: &Choice) -> Vec<(String, String)> {
        let Choice::Parts(parts) = choice else { return Vec::new() };
        let appearances = self.appearances(choice);
        let text = |(name, part, value): (&str, PartType, &Choice)| {
            let slot = Slot::new(part, self.decision.seat);
            (name.to_owned(), self.thing(Some(name), value, slot, &appearances, Form::People))
        };
        ordered(&self.wording.model.decisions[self.decision.id.index()], parts).map(text).collect()
    }

    /// Returns the sentence with which the log will report an answer that has these parts, with a gap for each part. If the game's sentence
    /// does not mention a part, the part is added at the end with its name.
    pub fn open_sentence(&self, parts: &[String]) -> Vec<SentencePiece> {
        self.wording.open_sentence(self.decision.seat, self.decision.id, parts)
    }

    /// Returns the sentence with which the log will report an option, without the name of the seat at its beginning: `sells a share of Epic
    /// Electric`. Returns `None` if the option has fewer than two parts, or if the game has no sentence that mentions all of them.
    pub fn sentence(&self, choice: &Choice) -> Option<String> {
        let parts = self.part_values(choice);
        if parts.len() < 2 {
            return None;
        }
        self.wording.sentence_without_seat(self.decision.seat, self.decision.id, choice, &parts)
    }

    fn option_text(&self, choice: &Choice, form: Form) -> String {
        let declared = &self.wording.model.decisions[self.decision.id.index()];
        let appearances = self.appearances(choice);
        match choice {
            Choice::Parts(parts) if !parts.is_empty() => {
                let separator = if form == Form::People { self.wording.log.comma } else { " " };
                let texts = ordered(declared, parts)
                    .map(|(name, part, value)| self.part(name, part, value, &appearances, form));
                texts.collect::<Vec<_>>().join(separator)
            }
            single => self.thing(None, single, self.slot_of(None, form), &appearances, form),
        }
    }

    fn part(&self, name: &str, part: PartType, value: &Choice, appearances: Appearances<'_>, form: Form) -> String {
        let text = self.thing(Some(name), value, Slot::new(part, self.decision.seat), appearances, form);
        let is_quoted = text.starts_with('"') && text.ends_with('"');
        let text = if !is_quoted && self.looks_like_parts(&text, form) { format!("\"{text}\"") } else { text };
        match form {
            Form::People => self.wording.worded_part(name, &text),
            Form::Playscript => format!("{name}={text}"),
        }
    }

    /// Returns whether the text of a part, without quotes, could be read as the end of this part and the beginning of the next one.
    fn looks_like_parts(&self, text: &str, form: Form) -> bool {
        let comma = self.wording.log.comma;
        match form {
            Form::Playscript => text.contains(' ') && text.contains('='),
            Form::People => {
                text.contains(comma) && {
                    let declared = &self.wording.model.decisions[self.decision.id.index()];
                    let begins = |name: &str| text.contains(&format!("{comma}{}", self.wording.worded_part(name, "")));
                    declared.parts.iter().any(|(name, _)| begins(name))
                }
            }
        }
    }

    /// Returns the text of a value in a part of an option. If `part` is `None`, the value is the whole option.
    fn thing(
        &self,
        part: Option<&str>,
        value: &Choice,
        slot: Slot,
        appearances: Appearances<'_>,
        form: Form,
    ) -> String {
        let texts = match form {
            Form::People => self.people_texts.get_or_init(|| self.distinct_texts(form)),
            Form::Playscript => self.playscript_texts.get_or_init(|| self.distinct_texts(form)),
        };
        let key = (part.map(Name::from), value.clone());
        if !texts.is_empty()
            && let Some(text) = texts.get(&key)
        {
            return text.clone();
        }
        self.default_text(value, slot, appearances, form)
    }

    /// Returns the text of a value without regard to the other options.
    fn default_text(&self, value: &Choice, slot: Slot, appearances: Appearances<'_>, form: Form) -> String {
        match form {
            Form::People => self.wording.thing(value, slot, appearances),
            Form::Playscript => self.wording.short_notation(appearances, value, slot),
        }
    }

    /// Returns the slot of a part of an option. If `part` is `None`, the option is a single value. Its slot is then that of the only
    /// declared part, which determines its text for people.
    fn slot(&self, part: Option<&str>) -> Slot {
        let parts = &self.wording.model.decisions[self.decision.id.index()].parts;
        let declared = match part {
            Some(name) => parts.iter().find(|(known, _)| **known == *name),
            None => parts.first().filter(|_| parts.len() == 1),
        };
        Slot::new(declared.map_or(PartType::Any, |(_, part)| *part), self.decision.seat)
    }

    /// Returns the appearances of the pieces in a choice. Each appearance also records whether offered pieces with the same face are in
    /// other spaces or zones.
    fn appearances(&self, choice: &Choice) -> Vec<(PieceId, Appearance)> {
        appearances_among(self.table, choice, self.pieces.get_or_init(|| offered_pieces(self.decision)))
    }

    /// Creates distinct texts for values whose default text is the same as that of another value offered in the same part, or as that of
    /// passing.
    fn distinct_texts(&self, form: Form) -> DistinctTexts {
        let mut by_text: IndexMap<(Option<Name>, String), Vec<Choice>> = IndexMap::new();
        let mut seen: IndexMap<(Option<Name>, Choice), ()> = IndexMap::new();
        each_offered(self.decision, &mut |part, choice| {
            seen.insert((part.cloned(), choice), ());
        });
        // Texts that stay as they are.
        let mut taken: FxHashSet<(Option<Name>, String)> =
            self.reserved_texts(form).map(|text| (None, text.to_owned())).collect();
        for ((part, choice), ()) in seen {
            // In playscripts, an option that is nothing is written like a pass.
            if part.is_none() && choice == Choice::Nothing && form == Form::Playscript {
                taken.insert((None, Pass::Pass.word().to_owned()));
                continue;
            }
            let text =
                self.default_text(&choice, self.slot_of(part.as_deref(), form), &self.appearances(&choice), form);
            by_text.entry((part, text)).or_default().push(choice);
        }
        let mut ambiguous = Vec::new();
        for (key, choices) in by_text {
            let classes = if choices.len() == 1 { vec![choices] } else { self.group_by_text(choices) };
            // In a playscript, a word with this separator would look like several picks.
            let looks_like_picks =
                form == Form::Playscript && self.decision.picks.is_some() && key.1.contains(PICK_SEPARATOR);
            if classes.len() == 1 && !taken.contains(&key) && !looks_like_picks {
                taken.insert(key);
            } else {
                ambiguous.push((key, classes));
            }
        }
        let mut texts = DistinctTexts::default();
        for ((part, text), classes) in ambiguous {
            let detailed: Vec<String> =
                classes.iter().map(|class| self.detailed_text(&class[0], &text, form)).collect();
            for (at, class) in classes.into_iter().enumerate() {
                let detail = &detailed[at];
                let is_enough = detailed.iter().filter(|other| *other == detail).count() == 1;
                let numbered = |number: usize| match form {
                    Form::People => self.wording.remarked(detail, &number.to_string()),
                    Form::Playscript => format!("{detail}~{number}"),
                };
                let mut candidates = is_enough.then(|| detail.clone()).into_iter().chain((at + 1..).map(numbered));
                let free = |text: String| taken.insert((part.clone(), text.clone())).then_some(text);
                let text = candidates.find_map(free).expect("numbers do not run out");
                texts.extend(class.into_iter().map(|choice| ((part.clone(), choice), text.clone())));
            }
        }
        texts
    }

    /// Divides values with the same default text into groups of values that are interchangeable for the seat, such as two equal cards in
    /// its hand. The values of a group are the same option, so they need no distinct texts.
    fn group_by_text(&self, choices: Vec<Choice>) -> Vec<Vec<Choice>> {
        let fold = |things: &[Choice]| {
            self.table.without_recording_reads(|table| {
                merge_equivalent(table, self.decision.seat, OptionSet::List(things.into())).0
            })
        };
        let mut classes: Vec<Vec<Choice>> = fold(&choices).iter().map(|first| vec![first]).collect();
        for choice in choices {
            let is_same =
                |class: &&mut Vec<Choice>| class[0] != choice && fold(&[class[0].clone(), choice.clone()]).len() == 1;
            if let Some(class) = classes.iter_mut().find(is_same) {
                class.push(choice);
            }
        }
        classes
    }

    /// Returns the slot that determines the text of a value. In playscripts, a value that is a whole option is written in full.
    fn slot_of(&self, part: Option<&str>, form: Form) -> Slot {
        if part.is_none() && form == Form::Playscript { Slot::ANY } else { self.slot(part) }
    }

    /// Returns a more detailed text for a value. In playscripts, puts words and lists in quotes, as in rules. For people, adds the space of a
    /// piece, or the playscript notation of another value.
    fn detailed_text(&self, choice: &Choice, text: &str, form: Form) -> String {
        match (form, choice) {
            (Form::Playscript, Choice::Word(word)) => format!("\"{word}\""),
            (Form::Playscript, _) if text.contains(PICK_SEPARATOR) => format!("\"{text}\""),
            (Form::Playscript, _) => text.to_owned(),
            (Form::People, Choice::Piece(piece)) => {
                self.wording.remarked(text, &self.wording.space_name(self.table.space_of(*piece)))
            }
            (Form::People, other) => {
                let playscript_text = match other {
                    Choice::Word(word) => format!("\"{word}\""),
                    other => self.wording.short_notation(&self.appearances(other), other, Slot::ANY),
                };
                if playscript_text == text { text.to_owned() } else { self.wording.remarked(text, &playscript_text) }
            }
        }
    }
}

impl Wording {
    /// Returns the text of an option for people. For many options, [`Offer`] is faster.
    pub fn option(&self, table: &Table, decision: &Decision, choice: &Choice) -> String {
        Offer::new(self.clone(), table, decision).worded(choice)
    }

    /// Returns the text of an option in the notation of playscripts: `row=2 column=3`, `ace`, `pass`. For many options, [`Offer`] is
    /// faster.
    pub fn written(&self, table: &Table, decision: &Decision, choice: &Choice) -> String {
        Offer::new(self.clone(), table, decision).written(choice)
    }
}
