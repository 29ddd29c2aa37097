//! Reads kinds of components.

use crate::diagnostic::{Diagnostic, Place, Role, nearest};
use crate::loader::document::node::Node;
use crate::loader::document::tree::MAX_ENTRIES;
use crate::loader::keys::form::{Form, TableSpec};
use crate::loader::keys::key::{DisplayText, Key, Word, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{out_of_range, too_many, wrong_type};
use crate::loader::name::{Scope, check_kind_name};
use crate::loader::section::draft::{Draft, text_of_id};
use crate::loader::section::field;
use crate::model::{ComponentId, Kind, KindId, TEAM, Text};
use crate::phrases::Phrases;
use indexmap::IndexMap;
use std::sync::Arc;

/// Minimum width and height on paper, in millimeters.
const MIN_SIDE: i64 = 8;
/// Maximum width and height on paper, in millimeters.
const MAX_SIDE: i64 = 400;

declare_table! {
    pub(in crate::loader) const KIND: TableSpec = TableSpec::new("a kind", "kinds")
        .also(&[("types", &FIELDS.spec), ("columns", &FIELDS.spec)]);

    const NAME: Key<DisplayText> = Key::text("name", "display name of a component of this kind");
    const BACK: Key<Word> = Key::word(
        "back", "name of its back; kinds with the same back cannot be distinguished face down", Form::Word);
    const SIZE: Key = Key::new(
        "size", "printed width and height in millimeters, as `[63, 88]`",
        Form::List(&Form::Between(MIN_SIDE, MAX_SIDE)));
    const FIELDS: Key = Key::new(
        "fields", "declarations of fields, where the rows do not determine their types", field::FIELDS);
}

fn misnamed_sheet(name: &str, place: &Place, meant: &str) -> Diagnostic {
    Diagnostic::error("unknown-kind", format!("this sheet is named after a kind `{name}`, which does not exist"))
        .mark(place.clone(), format!("rows of `{name}`"))
        .help(format!("rename the sheet to `{meant}`, which is declared and has no rows"))
}

impl Draft<'_> {
    /// Reads the names of the kinds: declared kinds first, then kinds that only rows use, and the kind of teams last.
    pub(in crate::loader) fn read_kind_names(&mut self) {
        for (name, entry) in self.section("kinds") {
            check_kind_name(name, self.sections, &entry.key, self.report);
            self.kind_names.insert(name.clone(), entry.key.clone());
        }
        for row in &self.tree.rows {
            if self.kind_names.len() == MAX_ENTRIES {
                return self.mistake(too_many("kinds", MAX_ENTRIES + 1, MAX_ENTRIES, Some(&row.kind_place)));
            }
            if !self.kind_names.contains_key(&row.kind) {
                check_kind_name(&row.kind, self.sections, &row.kind_place, self.report);
                self.kind_names.insert(row.kind.clone(), row.kind_place.clone());
            }
        }
        self.check_sheets();
        self.add_kind_of_teams();
    }

    /// Reports the sheets of an undeclared kind if a declared kind without rows has a similar name.
    fn check_sheets(&self) {
        let is_declared = |name: &str| self.section("kinds").iter().any(|(known, _)| ***known == *name);
        let has_rows = |name: &str| self.tree.rows.iter().any(|row| *row.kind == *name);
        let lacking: Vec<&str> = self.known_kinds().filter(|name| is_declared(name) && !has_rows(name)).collect();
        let sheets = self
            .kind_names
            .iter()
            .filter(|(name, place)| !place.source.path.ends_with(Role::Components.ending()) && !is_declared(name));
        for (name, place) in sheets {
            if let Some(meant) = nearest(name, lacking.iter().copied()) {
                self.mistake(misnamed_sheet(name, place, meant));
            }
        }
    }

    /// Reads the declarations of kinds, and the fields of their components.
    pub(in crate::loader) fn read_kinds(&mut self) {
        let names: Vec<Arc<str>> = self.kind_names.keys().cloned().collect();
        for (at, name) in names.into_iter().enumerate() {
            let id = KindId::at(at);
            let kind = self.kind(id, &name);
            self.kinds.push(kind);
            self.read_fields(id);
        }
    }

    fn kind(&self, id: KindId, name: &Arc<str>) -> Kind {
        let declared = self.declared_kind(name);
        let fields = declared.as_ref();
        let back = fields.and_then(|fields| fields.read(&BACK)).map(|(back, _)| back.clone());
        Kind {
            id: name.clone(),
            name: match self.teams_entry().filter(|_| **name == *TEAM) {
                Some(_) => Text::in_every_language(|language| Phrases::for_language(language).names.team),
                None => fields.map_or_else(|| text_of_id(name), |fields| fields.text_or_id(&NAME, name)),
            },
            size: fields.and_then(|fields| fields.get(&SIZE)).and_then(|node| self.size(node)),
            back: back.unwrap_or_else(|| name.clone()),
            fields: IndexMap::new(),
            components: self.components_of(id),
        }
    }

    /// Reads the width and height on paper.
    fn size(&self, node: &Node) -> Option<(u16, u16)> {
        let list: Vec<&Node> = node.list().into_iter().flatten().collect();
        let [wide, high] = list[..] else {
            self.mistake(wrong_type(SIZE.name, "width and height in millimeters, as `[63, 88]`", node));
            return None;
        };
        let side = |node: &Node| {
            let Some(number) = node.number() else {
                self.mistake(wrong_type(SIZE.name, "a whole number of millimeters", node));
                return None;
            };
            if !(MIN_SIDE..=MAX_SIDE).contains(&number) {
                self.mistake(out_of_range(SIZE.name, number, MIN_SIDE, MAX_SIDE, &node.place));
                return None;
            }
            Some(number as u16)
        };
        let (wide, high) = (side(wide), side(high));
        Some((wide?, high?))
    }

    fn components_of(&self, kind: KindId) -> Vec<ComponentId> {
        let all = self.components.iter().enumerate();
        all.filter(|(_, component)| component.kind == kind).map(|(at, _)| ComponentId::at(at)).collect()
    }

    /// Returns the declaration of a kind, if there is one.
    fn declared_kind(&self, name: &Arc<str>) -> Option<Fields<'_>> {
        let (name, entry) = self.tree.section("kinds").find(|(known, _)| *known == name)?;
        Fields::from_entry(self.report, name, entry, &KIND)
    }

    fn read_fields(&mut self, kind: KindId) {
        let name = self.kinds[kind.index()].id.clone();
        let tree = self.tree;
        let entry = tree.section("kinds").find(|(known, _)| **known == name).map(|(_, entry)| entry);
        let declared = entry.and_then(|entry| FIELDS.value_in(entry.node.table()?));
        let declared = declared.map(|fields| self.declared_fields(fields)).unwrap_or_default();
        let sheet = self.sheet_of(kind);
        let types = self.column_types(&sheet, &declared);
        for (field, (field_type, place)) in types {
            self.names.declare(Scope::Kind(kind), &field, "a field", &place, self.report);
            let id = self.field_id(&field);
            self.fill_field(kind, &field, &field_type, declared.get(&field).and_then(|field| field.default));
            self.kinds[kind.index()].fields.insert(id, field_type);
        }
    }
}
