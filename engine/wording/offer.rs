//! The options of an open decision in words, no two of them alike.

use super::names::{Looks, Slot, Wording, ordered};
use crate::decision::{
    Choice, Decision, Look, Name, OptionSet, Pass, each_offered, looks_among, merge_equivalent, offered_pieces,
};
use crate::model::{PartType, PieceId};
use crate::table::Table;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// Texts of the things whose usual texts are those of other things in the same part, by that part.
type Unlike = FxHashMap<(Option<Name>, Choice), String>;

/// Words the options of one decision for the seat that is asked. The options are looked through once, whichever of them are worded.
pub struct Offer<'a> {
    pub(super) wording: Wording,
    table: &'a Table,
    pub(super) decision: &'a Decision,
    pieces: OnceCell<Vec<PieceId>>,
    worded: OnceCell<Unlike>,
    written: OnceCell<Unlike>,
}

/// The two forms of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As people read it.
    Worded,
    /// The short form of plays.
    Written,
}

impl<'a> Offer<'a> {
    /// The options of a decision, for the reader of a wording.
    pub fn new(wording: Wording, table: &'a Table, decision: &'a Decision) -> Self {
        let (pieces, worded, written) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { wording, table, decision, pieces, worded, written }
    }

    /// An option as people read it.
    pub fn worded(&self, choice: &Choice) -> String {
        match self.decision.pass {
            Some(pass) if *choice == Choice::Nothing => {
                let declared = &self.wording.model.decisions[self.decision.id.index()];
                let called = declared.pass.as_ref().filter(|_| pass == Pass::Pass);
                let ours = if pass == Pass::Done { self.wording.log.done } else { self.wording.log.pass };
                called.map_or(ours, |text| self.wording.text(text)).to_owned()
            }
            _ => self.whole(choice, Form::Worded),
        }
    }

    /// An option in the short form of plays: `row=2 column=3`, `ace`, `pass`.
    pub fn written(&self, choice: &Choice) -> String {
        match self.decision.pass {
            Some(pass) if *choice == Choice::Nothing => pass.word().to_owned(),
            _ if *choice == Choice::Nothing => Pass::Pass.word().to_owned(),
            _ => self.whole(choice, Form::Written),
        }
    }

    /// All options as people read them, in their order.
    pub fn all_worded(&self) -> Vec<String> {
        (0..self.decision.count()).map(|at| self.worded(&self.decision.option(at))).collect()
    }

    /// All options in the short form of plays, in their order.
    pub fn all_written(&self) -> Vec<String> {
        (0..self.decision.count()).map(|at| self.written(&self.decision.option(at))).collect()
    }

    /// The parts of an option, in their order: each as people read it in [`worded`](Self::worded), and as plays have it. An option
    /// that is one thing has none.
    pub fn parts(&self, choice: &Choice) -> Vec<(String, String)> {
        let Choice::Parts(parts) = choice else { return Vec::new() };
        let looks = self.looks(choice);
        let both = |(name, part, value)| {
            let text = |form| self.part(name, part, value, &looks, form);
            (text(Form::Worded), text(Form::Written))
        };
        ordered(&self.wording.model.decisions[self.decision.id.index()], parts).map(both).collect()
    }

    fn whole(&self, choice: &Choice, form: Form) -> String {
        let declared = &self.wording.model.decisions[self.decision.id.index()];
        let looks = self.looks(choice);
        match choice {
            Choice::Parts(parts) => {
                let separator = if form == Form::Worded { self.wording.log.comma } else { " " };
                let texts =
                    ordered(declared, parts).map(|(name, part, value)| self.part(name, part, value, &looks, form));
                texts.collect::<Vec<_>>().join(separator)
            }
            single => self.thing(None, single, self.slot_of(None, form), &looks, form),
        }
    }

    fn part(&self, name: &str, part: PartType, value: &Choice, looks: Looks<'_>, form: Form) -> String {
        let text = self.thing(Some(name), value, Slot::new(part, self.decision.seat), looks, form);
        match form {
            Form::Worded => self.wording.worded_part(name, &text),
            Form::Written => format!("{name}={text}"),
        }
    }

    /// A thing in a part of the options, or alone.
    fn thing(&self, part: Option<&str>, value: &Choice, slot: Slot, looks: Looks<'_>, form: Form) -> String {
        let unlike = match form {
            Form::Worded => self.worded.get_or_init(|| self.unlike(form)),
            Form::Written => self.written.get_or_init(|| self.unlike(form)),
        };
        let key = (part.map(Name::from), value.clone());
        if !unlike.is_empty()
            && let Some(text) = unlike.get(&key)
        {
            return text.clone();
        }
        self.usual(value, slot, looks, form)
    }

    /// The text of a thing by itself, whatever else is offered.
    fn usual(&self, value: &Choice, slot: Slot, looks: Looks<'_>, form: Form) -> String {
        match form {
            Form::Worded => self.wording.thing(value, slot, looks),
            Form::Written => self.wording.short(looks, value, slot),
        }
    }

    /// The slot of a part of the options; of a single thing, the only part that is declared, which decides how people read it.
    fn slot(&self, part: Option<&str>) -> Slot {
        let parts = &self.wording.model.decisions[self.decision.id.index()].parts;
        let declared = match part {
            Some(name) => parts.iter().find(|(known, _)| **known == *name),
            None => parts.first().filter(|_| parts.len() == 1),
        };
        Slot::new(declared.map_or(PartType::Any, |(_, part)| *part), self.decision.seat)
    }

    /// Looks at the pieces of a choice, compared with all that are offered.
    fn looks(&self, choice: &Choice) -> Vec<(PieceId, Look)> {
        looks_among(self.table, choice, self.pieces.get_or_init(|| offered_pieces(self.decision)))
    }

    /// Texts for the things that have the usual text of another one which is offered in the same part.
    fn unlike(&self, form: Form) -> Unlike {
        let mut by_text: FxHashMap<(Option<Name>, String), Vec<Choice>> = FxHashMap::default();
        let mut seen: IndexMap<(Option<Name>, Choice), ()> = IndexMap::new();
        each_offered(self.decision, &mut |part, choice| {
            seen.insert((part.cloned(), choice), ());
        });
        for ((part, choice), ()) in seen {
            let text = self.usual(&choice, self.slot_of(part.as_deref(), form), &self.looks(&choice), form);
            by_text.entry((part, text)).or_default().push(choice);
        }
        let mut unlike = Unlike::default();
        for ((part, text), alike) in by_text.into_iter().filter(|(_, alike)| alike.len() > 1) {
            let classes = self.classes(alike);
            if classes.len() == 1 {
                continue;
            }
            let longer: Vec<String> = classes.iter().map(|class| self.longer(&class[0], &text, form)).collect();
            for (at, class) in classes.into_iter().enumerate() {
                let is_enough = longer.iter().filter(|other| **other == longer[at]).count() == 1;
                let numbered = || match form {
                    Form::Worded => self.wording.remarked(&longer[at], &(at + 1).to_string()),
                    Form::Written => format!("{}~{}", longer[at], at + 1),
                };
                let text = if is_enough { longer[at].clone() } else { numbered() };
                unlike.extend(class.into_iter().map(|choice| ((part.clone(), choice), text.clone())));
            }
        }
        unlike
    }

    /// Things of one text, those together that are the same to the seat, as two equal cards in its hand: they are one option.
    fn classes(&self, alike: Vec<Choice>) -> Vec<Vec<Choice>> {
        let fold = |things: &[Choice]| {
            self.table.aside(|table| merge_equivalent(table, self.decision.seat, OptionSet::List(things.into())).0)
        };
        let mut classes: Vec<Vec<Choice>> = fold(&alike).iter().map(|first| vec![first]).collect();
        for choice in alike {
            let is_same =
                |class: &&mut Vec<Choice>| class[0] != choice && fold(&[class[0].clone(), choice.clone()]).len() == 1;
            if let Some(class) = classes.iter_mut().find(is_same) {
                class.push(choice);
            }
        }
        classes
    }

    /// The slot that decides about the text of a thing: in plays a thing that is no part is written in full.
    fn slot_of(&self, part: Option<&str>, form: Form) -> Slot {
        if part.is_none() && form == Form::Written { Slot::ANY } else { self.slot(part) }
    }

    /// A text that says more of a thing than the usual one: in plays a word has quotes, as in rules; people read where a piece
    /// lies, and of anything else what plays call it.
    fn longer(&self, choice: &Choice, text: &str, form: Form) -> String {
        match (form, choice) {
            (Form::Written, Choice::Word(word)) => format!("\"{word}\""),
            (Form::Written, _) => text.to_owned(),
            (Form::Worded, Choice::Piece(piece)) => {
                self.wording.remarked(text, &self.wording.space_name(self.table.space_of(*piece)))
            }
            (Form::Worded, other) => {
                let written = self.wording.short(&self.looks(other), other, Slot::ANY);
                if written == text { text.to_owned() } else { self.wording.remarked(text, &written) }
            }
        }
    }
}

impl Wording {
    /// An option of an open decision as people read it. Of many options, [`Offer`] words each in less time.
    pub fn option(&self, table: &Table, decision: &Decision, choice: &Choice) -> String {
        Offer::new(self.clone(), table, decision).worded(choice)
    }

    /// An option of an open decision in the short form of plays: `row=2 column=3`, `ace`, `pass`. Of many options, [`Offer`]
    /// writes each in less time.
    pub fn written(&self, table: &Table, decision: &Decision, choice: &Choice) -> String {
        Offer::new(self.clone(), table, decision).written(choice)
    }
}
