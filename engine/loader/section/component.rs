//! Reads component rows.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::budget::{ITEM, size_of_node};
use crate::loader::document::node::Node;
use crate::loader::document::tree::{Row, declared_twice};
use crate::loader::keys::form::{Form, Needs, TableSpec};
use crate::loader::keys::key::{Amount, DisplayText, Key, OneOf, Word, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{too_many, wrong_type};
use crate::loader::name::check_id;
use crate::loader::section::draft::Draft;
use crate::loader::section::field::{self, FieldRows, SheetRow};
use crate::loader::section::{alteration, cell};
use crate::model::{Component, ComponentId, FieldId, FieldType, FieldValue, KindId};
use indexmap::IndexMap;
use std::sync::Arc;

/// Maximum number of components.
const MAX_COMPONENTS: usize = 4096;

/// Maximum number of copies of a component.
const MAX_COPIES: i64 = 1000;

/// Maximum number of different field names.
const MAX_FIELDS: usize = 4096;

/// Allowed words for `each`. With `seat`, every seat gets a copy of the component.
const EACH_WORDS: [(&str, bool); 1] = [("seat", true)];

/// Form of `each` as a table: the values of each placeholder.
const EACH_TABLE: Form = Form::NamedForScripts(&Form::AnyOf(&[
    Form::Some(&Form::Anything),
    Form::Word,
    Form::Flag,
    Form::Named(&Form::Text),
]));

declare_table! {
    /// Keys of a row; all other keys are fields.
    pub(in crate::loader) const ROW: TableSpec = TableSpec::new("a row of components", "rows of components")
        .needs(Needs::Always(&[&ID.spec])).with_others(&Form::Anything)
        .also(&[("qty", &COUNT.spec), ("quantity", &COUNT.spec), ("copies", &COUNT.spec), ("title", &NAME.spec)]);

    const ID: Key<Word> = Key::word("id", "id of the component", Form::Word);
    const NAME: Key<DisplayText> = Key::text("name", "display name");
    const COUNT: Key<Amount> = Key::amount_within("count", "number of copies in the box", 0, MAX_COPIES);
    const EACH: Key = Key::new(
        "each",
        "`\"seat\"` for that many copies per seat, or the lists, numbers or kinds for which the row is repeated",
        Form::AnyOf(&[Form::OneOf(&EACH_WORDS), EACH_TABLE]));
    const FACES: Key = field::FACES;
    const CELLS: Key = cell::CELLS;
    const ALTERS: Key = alteration::ALTERS;
}

impl<'a> Draft<'a> {
    /// Reads all rows without their fields, and the teams, so that fields can refer to components.
    pub(in crate::loader) fn read_rows(&mut self) {
        let tree = self.tree;
        for row in &tree.rows {
            if self.components.len() == MAX_COMPONENTS {
                self.mistake(too_many("components", tree.rows.len(), MAX_COMPONENTS, Some(&row.node.place)));
                break;
            }
            self.read_row(row);
        }
        self.read_teams();
        self.check_names_of_kinds();
    }

    fn read_row(&mut self, row: &'a Row) {
        let fields = Fields::open(self.report, &row.kind, &row.node.place, &row.node, &ROW);
        let Some(fields) = fields else { return };
        if fields.require(&ID).is_none() {
            return;
        }
        let Some((id, place)) = fields.read(&ID) else { return };
        check_id(id, "a component", place, self.report);
        let Some(kind) = self.kind_id(&row.kind) else { return };
        let component = self.component(id, kind, &fields);
        if let Some((_, first)) = self.component_names.get(id) {
            return self.mistake(declared_twice("the component", id, place, first));
        }
        self.component_names.insert(id.clone(), (ComponentId::at(self.components.len()), place.clone()));
        self.components.push(component);
    }

    fn component(&self, id: &Arc<str>, kind: KindId, fields: &Fields<'_>) -> Component {
        let count = self.read_amount(fields, &COUNT);
        Component {
            id: id.clone(),
            name: fields.text_or_id(&NAME, id),
            kind,
            count: count.unwrap_or(1) as u16,
            each_seat: fields.read_as(&EACH, &OneOf(&EACH_WORDS)).unwrap_or(false),
            fields: IndexMap::new(),
            faces: Vec::new(),
            cells: Vec::new(),
            alters: Vec::new(),
        }
    }

    /// Reports a component that has the same name as a kind, unless it is the only component of this kind. In a list of contents, the name
    /// would be ambiguous.
    fn check_names_of_kinds(&self) {
        for (name, place) in &self.kind_names {
            let Some((component, second)) = self.component_names.get(name) else { continue };
            let kind = self.kind_id(name);
            let alone = self.components.iter().filter(|other| Some(other.kind) == kind).count() == 1;
            if Some(self.components[component.index()].kind) != kind || !alone {
                self.mistake(shared_with_kind(name, second, place));
            }
        }
    }

    /// Returns the rows of a kind with their fields. A row that repeats the id of an earlier row has no name.
    pub(in crate::loader) fn sheet_of(&self, kind: KindId) -> FieldRows<'a> {
        let name = &self.kinds[kind.index()].id;
        let rows = self.tree.rows.iter().filter(|row| row.kind == *name);
        let rows = rows.filter_map(|row| {
            let (place, table) = (row.place(), row.node.table()?);
            let is_own = |id: &&Arc<str>| self.component_names.get(*id).is_some_and(|(_, known)| known == place);
            Some(SheetRow { name: row.id().filter(is_own).cloned(), place, table })
        });
        FieldRows {
            plural: format!("rows of `{name}`"),
            rows: rows.collect(),
            own: &ROW,
            closed: false,
            has_blanks: false,
        }
    }

    /// Sets a field of all components of a kind, from their rows or from `default`.
    pub(in crate::loader) fn fill_field(
        &mut self,
        kind: KindId,
        field: &Arc<str>,
        field_type: &FieldType,
        default: Option<&Node>,
    ) {
        let id = self.field_id(field);
        let size = default.map_or(ITEM, size_of_node);
        for row in self.sheet_of(kind).rows {
            let in_row = row.table.get(field).map(|entry| &entry.node);
            // Values in rows were charged when they were parsed. A default is parsed once but copied into each row, so each copy is
            // charged.
            let has_room = in_row.is_some() || default.is_none_or(|default| self.charge(size, &default.place));
            let node = in_row.or(default).filter(|_| has_room);
            let value = node.map_or(FieldValue::Nothing, |node| self.field_value(field, node, field_type));
            if let Some(at) = row.name.and_then(|name| self.component_id(&name)) {
                self.components[at.index()].fields.insert(id, value);
            }
        }
    }

    /// Reads the faces of dice.
    pub(in crate::loader) fn read_faces(&mut self) {
        let tree = self.tree;
        for row in &tree.rows {
            let Some(node) = row.node.table().and_then(|table| FACES.value_in(table)) else { continue };
            let faces = self.faces(node);
            if let Some(at) = row.id().and_then(|id| self.component_id(id)) {
                self.components[at.index()].faces = faces;
            }
        }
    }

    fn faces(&self, node: &Node) -> Vec<FieldValue> {
        let Some(list) = node.list().filter(|list| !list.is_empty()) else {
            self.mistake(wrong_type(FACES.name, "a list of at least one face", node));
            return Vec::new();
        };
        let samples: Vec<&Node> = list.iter().collect();
        let field_type = self.infer_type(FACES.name, &samples);
        list.iter().map(|face| self.field_value(FACES.name, face, &field_type)).collect()
    }

    /// Returns the id of a field name. Adds the name if it is new.
    pub(in crate::loader) fn field_id(&mut self, name: &Arc<str>) -> FieldId {
        let known = self.fields.iter().position(|field| field == name);
        let at = known.unwrap_or_else(|| {
            self.fields.push(name.clone());
            self.fields.len() - 1
        });
        if at == MAX_FIELDS {
            self.mistake(too_many("names of fields", at + 1, MAX_FIELDS, None));
        }
        FieldId::at(at.min(MAX_FIELDS))
    }
}

fn shared_with_kind(name: &str, component: &Place, kind: &Place) -> Diagnostic {
    Diagnostic::error("shared-name", format!("a component and a kind share the name `{name}`"))
        .mark(component.clone(), "a component")
        .mark(kind.clone(), "a kind")
        .help("give one of the two another name")
}
