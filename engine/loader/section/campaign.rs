//! Reads the campaign: the option with its scenarios, and the values and zones that one game passes on to the next.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::keys::form::{Form, NameSet, Needs, TableSpec};
use crate::loader::keys::key::{Function, Key, NameList, Word, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{unknown, word_twice};
use crate::loader::section::draft::Draft;
use crate::model::{Campaign, FamilyId, OptionType, Owner, Value, ValueId, ValueType};
use std::sync::Arc;

declare_table! {
    pub(in crate::loader) const CAMPAIGN: TableSpec = TableSpec::new("the campaign", "campaigns")
        .needs(Needs::Always(&[&OPTION.spec]))
        .also(&[("scenarios", &OPTION.spec), ("scenario", &OPTION.spec), ("chapters", &OPTION.spec),
            ("keep", &CARRY.spec), ("carries", &CARRY.spec), ("then", &NEXT.spec)]);

    const OPTION: Key<Word> = Key::word(
        "option", "the option whose words are the scenarios, in playing order", Form::Name(NameSet::Section("options")));
    const CARRY: Key<NameList> = Key::list(
        "carry", "values and zones carried over to the next game", &Form::Name(NameSet::Carried), "values and zones");
    const NEXT: Key<Function> = Key::function(
        "next", "function that returns the next scenario, or `()` if the campaign is over");
}

impl Draft<'_> {
    /// Reads the section `campaign`. Records the function named by `next` together with the functions of the flow.
    pub(in crate::loader) fn campaign(&self, values: &[Value]) -> Option<Campaign> {
        let entry = self.tree.root.get("campaign")?;
        let fields = Fields::from_entry(self.report, "campaign", entry, &CAMPAIGN)?;
        fields.require(&OPTION);
        let option = fields.read(&OPTION).and_then(|(word, place)| self.scenarios(word, place));
        let next = self.function(&fields, &NEXT).and_then(|_| self.named.borrow().last().cloned());
        let (mut carried_values, mut families) = (Vec::new(), Vec::new());
        for (word, place) in fields.read(&CARRY).unwrap_or_default() {
            self.add_carried(word, place, values, &mut carried_values, &mut families);
        }
        self.report_piece_values(&carried_values, &families, values, &fields);
        Some(Campaign { option: option?, next, values: carried_values, families })
    }

    /// Returns the option whose words are the scenarios. Reports an unknown option, and an option that is not a list of words.
    fn scenarios(&self, word: &Arc<str>, place: &Place) -> Option<Arc<str>> {
        let Some(option) = self.options.get(word) else {
            // An option with mistakes has been reported where it is declared.
            if !self.section("options").iter().any(|(name, _)| *name == word) {
                self.mistake(unknown("unknown-option", "option", word, place, self.options.keys().map(|name| &**name)));
            }
            return None;
        };
        if !matches!(option.kind, OptionType::Word(_)) {
            let found = Diagnostic::error("wrong-type", format!("the option `{word}` is not one of words"));
            self.mistake(
                found
                    .mark(place.clone(), "names the scenarios")
                    .help(format!("give `[options.{word}]` a list of `values`, a word for each scenario")),
            );
            return None;
        }
        Some(word.clone())
    }

    /// Adds the zone called `word`, and the values with this name of all owners. Reports an unknown name, a name that is listed
    /// twice, and a value that refers to a piece.
    fn add_carried(
        &self,
        word: &Arc<str>,
        place: &Place,
        values: &[Value],
        carried: &mut Vec<ValueId>,
        families: &mut Vec<FamilyId>,
    ) {
        let called = |(at, value): (usize, &Value)| (value.id == *word).then(|| ValueId::at(at));
        let named: Vec<ValueId> = values.iter().enumerate().filter_map(called).collect();
        let family = self.family_id(word).filter(|id| id.index() > 0);
        if named.is_empty() && family.is_none() {
            // A value or zone with mistakes has been reported where it is declared.
            if self.declares_value_or_zone(word) {
                return;
            }
            let known = values.iter().map(|value| &*value.id).chain(self.known_zones().skip(1));
            return self.mistake(unknown("unknown-carried", "value or zone", word, place, known));
        }
        if let Some(value) = named.iter().map(|id| &values[id.index()]).find(|value| value.kind == ValueType::Piece) {
            return self.mistake(piece_reference(&value.id, place));
        }
        if named.iter().any(|id| carried.contains(id)) || family.is_some_and(|id| families.contains(&id)) {
            return self.mistake(word_twice(CARRY.name, word, place));
        }
        carried.extend(named);
        families.extend(family);
    }

    /// Reports a carried value of pieces if no zone is carried. The value would be lost without its pieces.
    fn report_piece_values(&self, carried: &[ValueId], families: &[FamilyId], values: &[Value], fields: &Fields<'_>) {
        let of_pieces =
            carried.iter().map(|id| &values[id.index()]).find(|value| matches!(value.owner, Owner::Piece(_)));
        if let (Some(value), true, Some(node)) = (of_pieces, families.is_empty(), fields.get(&CARRY)) {
            let found = format!("the value `{}` of pieces is carried over, but no zone with pieces is", value.id);
            self.mistake(
                Diagnostic::error("unknown-carried", found)
                    .mark(node.place.clone(), "no zone here")
                    .help("carry over the zone of the pieces too: values of pieces go with the pieces"),
            );
        }
    }
}

fn piece_reference(value: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("unknown-carried", format!("`{value}` refers to a piece, which does not exist in the next game"))
        .mark(place.clone(), "cannot be carried")
        .help("carry over the zone of the piece, or a value with its component")
}
