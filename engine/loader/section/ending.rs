//! Reads endings.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::KeyedNode;
use crate::loader::keys::form::TableSpec;
use crate::loader::keys::key::{DisplayText, Key, OneOf, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::unknown;
use crate::loader::name::check_name;
use crate::loader::section::draft::{Draft, text_of_id};
use crate::model::{Ending, EndingId, Language, Text, Winners};
use crate::phrases::Phrases;
use std::sync::Arc;

declare_table! {
    pub(in crate::loader) const ENDING: TableSpec = TableSpec::new("an ending", "endings")
        .also(&[("text", &NAME.spec), ("ask", &NAME.spec)]);

    const NAME: Key<DisplayText> = Key::text("name", "display name of the ending");
    const WINNERS: Key<OneOf<Winners>> = Key::one_of(
        "winners", "winners: the best-ranked seats, everybody, or nobody", &Winners::WORDS);
}

impl Draft<'_> {
    /// Reads the section `endings`. Returns a default ending if the game declares none.
    pub(in crate::loader) fn endings(&self) -> Vec<Ending> {
        let declared: Vec<Ending> =
            self.section("endings").into_iter().map(|(name, entry)| self.ending(name, entry)).collect();
        if declared.is_empty() { vec![default_ending()] } else { declared }
    }

    fn ending(&self, name: &Arc<str>, entry: &KeyedNode) -> Ending {
        check_name(name, "an ending", &entry.key, self.report);
        let is_text = entry.node.table().is_none_or(|table| table.keys().any(|key| Language::from_tag(key).is_some()));
        let fields = if is_text { None } else { Fields::from_entry(self.report, name, entry, &ENDING) };
        let text = match &fields {
            Some(fields) => fields.text_or_id(&NAME, name),
            None if is_text => self.text(NAME.name, &entry.node),
            None => text_of_id(name),
        };
        let winners = fields.and_then(|fields| fields.read(&WINNERS)).unwrap_or_default();
        Ending { id: name.clone(), name: text, winners }
    }

    /// Returns the ending that applies when the flow ends: the one that the flow names, otherwise the first. Reports an unknown ending.
    /// Also reports a flow that can end but names no ending, if the game has several.
    pub(in crate::loader) fn final_ending(
        &self,
        endings: &[Ending],
        named: Option<(&Arc<str>, &Place)>,
        can_run_out: bool,
        flow: Option<&Place>,
    ) -> EndingId {
        let Some((word, place)) = named else {
            // A missing flow is reported elsewhere.
            if let Some(flow) = flow.filter(|_| endings.len() > 1 && can_run_out) {
                self.mistake(which_ending(endings, flow));
            }
            return EndingId(0);
        };
        let found = endings.iter().position(|ending| ending.id == *word);
        if found.is_none() {
            self.mistake(unknown("unknown-ending", "ending", word, place, endings.iter().map(|ending| &*ending.id)));
        }
        EndingId::at(found.unwrap_or(0))
    }
}

fn default_ending() -> Ending {
    let name = Text::in_every_language(|language| Phrases::for_language(language).names.finished);
    Ending { id: "finished".into(), name, winners: Winners::Best }
}

fn which_ending(endings: &[Ending], flow: &Place) -> Diagnostic {
    Diagnostic::error("missing-key", "the flow can end without a declared ending")
        .mark(flow.clone(), "no `ending` here")
        .help(format!("write `ending = \"{}\"` or another of the endings", endings[0].id))
}
