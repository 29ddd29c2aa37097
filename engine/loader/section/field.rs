//! Reads printed fields: their declarations, the types inferred from the rows, and the values.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{Data, KeyedNode, Node, Table, entries_without_provenance};
use crate::loader::keys::form::{Form, TableSpec};
use crate::loader::keys::key::{Key, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{too_many, unknown, unknown_or_name, wrong_type};
use crate::loader::name::check_field_name;
use crate::loader::section::draft::Draft;
use crate::model::{FieldType, FieldValue, KindId, NOTHING, NamedFunction};
use indexmap::IndexMap;
use std::sync::Arc;

/// Key of a die's faces.
pub(super) const FACES: Key = Key::new("faces", "the faces of a die", Form::Some(&Form::Anything)).with_own_words();

/// Maximum number of fields of one kind, record or space.
const MAX_COLUMNS: usize = 256;

/// Words for the types of fields. The names of kinds are types as well.
pub(in crate::loader) const FIELD_TYPES: [(&str, fn() -> DeclaredType<'static>); 6] = [
    ("number", || DeclaredType::Number),
    ("flag", || DeclaredType::Flag),
    ("word", || DeclaredType::Word),
    ("component", || DeclaredType::Component(None)),
    ("function", || DeclaredType::Function),
    ("list", || DeclaredType::List(Box::new(DeclaredType::Any))),
];

/// Form of a table of field declarations.
pub(in crate::loader) const FIELDS: Form = Form::NamedForScripts(&Form::AnyOf(&[Form::FieldType, Form::Table(&FIELD)]));

declare_table! {
    pub(in crate::loader) const FIELD: TableSpec = TableSpec::new("the declaration of a field", "declarations of fields")
        .also(&[("kind", &TYPE.spec), ("start", &DEFAULT.spec), ("value", &DEFAULT.spec)]);

    const TYPE: Key = Key::new("type", "type of the field", Form::FieldType);
    const DEFAULT: Key = Key::new("default", "value of rows without the field", Form::Anything);
}

/// Rows with common fields: the rows of a kind, a list of records, or the spaces of a zone.
pub(in crate::loader) struct FieldRows<'n> {
    /// Plural noun for the rows, for messages.
    pub(in crate::loader) plural: String,
    pub(in crate::loader) rows: Vec<SheetRow<'n>>,
    /// Specification of the keys that are not fields.
    pub(in crate::loader) own: &'static TableSpec,
    /// Whether only declared fields are allowed.
    pub(in crate::loader) closed: bool,
    /// Whether rows may omit fields.
    pub(in crate::loader) has_blanks: bool,
}

/// A row of [`FieldRows`].
pub(in crate::loader) struct SheetRow<'n> {
    /// Name of the row for messages, if it has one.
    pub(in crate::loader) name: Option<Arc<str>>,
    /// Place of the name, or of the whole row.
    pub(in crate::loader) place: &'n Place,
    /// The keys and values of the row.
    pub(in crate::loader) table: &'n Table,
}

/// Declaration of a field.
#[derive(Debug)]
pub(in crate::loader) struct DeclaredField<'n> {
    /// Place of the field's name.
    pub(in crate::loader) place: &'n Place,
    pub(in crate::loader) declared_type: DeclaredType<'n>,
    /// Value for rows that omit the field.
    pub(in crate::loader) default: Option<&'n Node>,
}

/// A declared type.
#[derive(Debug)]
pub(in crate::loader) enum DeclaredType<'n> {
    /// No declared type. The type is inferred from the rows.
    Any,
    /// A number.
    Number,
    /// A boolean.
    Flag,
    /// A word, even if it is also the id of a component.
    Word,
    /// A component, optionally of a certain kind.
    Component(Option<KindId>),
    /// A function of the rules.
    Function,
    /// A list with entries of one type.
    List(Box<DeclaredType<'n>>),
    /// A record of named parts.
    Record(IndexMap<Arc<str>, DeclaredField<'n>>),
}

/// Columns of a table by name, each with its type and the place of its first occurrence.
pub(in crate::loader) type Columns = IndexMap<Arc<str>, (FieldType, Place)>;

/// Declared kind of the components in a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DeclaredKind {
    /// The field is not declared.
    None,
    /// Components of any kind.
    Any,
    Kind(KindId),
}

impl<'a> Draft<'a> {
    /// Reads the declared fields of a kind.
    pub(in crate::loader) fn declared_fields(&self, node: &'a Node) -> IndexMap<Arc<str>, DeclaredField<'a>> {
        let Some(table) = node.table() else {
            self.mistake(wrong_type("fields", "a table", node));
            return IndexMap::new();
        };
        let entries = entries_without_provenance(table);
        let declared = entries.map(|(name, entry)| {
            let (declared_type, default) = match entry.node.table() {
                Some(_) => self.read_field_table(name, &entry.key, &entry.node),
                None => (self.declared_type(&entry.node), None),
            };
            (name.clone(), DeclaredField { place: &entry.key, declared_type, default })
        });
        declared.collect()
    }

    /// Reads the type and the default of a field that is declared by a table.
    fn read_field_table(
        &self,
        name: &'a str,
        place: &'a Place,
        node: &'a Node,
    ) -> (DeclaredType<'a>, Option<&'a Node>) {
        let Some(fields) = Fields::from_node(self.report, name, place, node, &FIELD) else {
            return (DeclaredType::Any, None);
        };
        (fields.get(&TYPE).map_or(DeclaredType::Any, |node| self.declared_type(node)), fields.get(&DEFAULT))
    }

    fn declared_type(&self, node: &'a Node) -> DeclaredType<'a> {
        match (&node.data, node.list()) {
            (Data::Text(word), _) => self.declared_word(word, &node.place),
            (Data::Table(parts), _) => DeclaredType::Record(self.declared_parts(parts)),
            (_, Some([entry])) => DeclaredType::List(Box::new(self.declared_type(entry))),
            _ => {
                self.mistake(wrong_type(TYPE.name, "a word, a table of parts, or a list of one of these", node));
                DeclaredType::Any
            }
        }
    }

    fn declared_parts(&self, parts: &'a Table) -> IndexMap<Arc<str>, DeclaredField<'a>> {
        let part = |(name, entry): (&Arc<str>, &'a KeyedNode)| {
            (
                name.clone(),
                DeclaredField { place: &entry.key, declared_type: self.declared_type(&entry.node), default: None },
            )
        };
        parts.iter().map(part).collect()
    }

    fn declared_word(&self, word: &str, place: &Place) -> DeclaredType<'a> {
        if let Some((_, plain)) = FIELD_TYPES.iter().find(|(known, _)| *known == word) {
            return plain();
        }
        if let Some(id) = self.kind_id(word) {
            return DeclaredType::Component(Some(id));
        }
        let names = self.known_kinds();
        self.mistake(unknown_or_name("unknown-type", "type", word, place, &FIELD_TYPES, names, "a kind"));
        DeclaredType::Any
    }

    /// Returns the columns of the rows, declared ones first. Reports missing and unknown fields, invalid field names, too many fields, and
    /// values of the wrong type.
    pub(in crate::loader) fn column_types(
        &self,
        sheet: &FieldRows<'_>,
        declared: &IndexMap<Arc<str>, DeclaredField<'_>>,
    ) -> Columns {
        let mut columns: IndexMap<Arc<str>, &Place> =
            declared.iter().map(|(name, field)| (name.clone(), field.place)).collect();
        for row in &sheet.rows {
            let fields = row.table.iter().filter(|(name, _)| !sheet.own.has(name));
            for (name, entry) in fields {
                if sheet.closed && !declared.contains_key(name) {
                    let known = declared.keys().map(|name| &**name);
                    self.mistake(unknown("unknown-key", "part", name, &entry.key, known));
                    continue;
                }
                columns.entry(name.clone()).or_insert(&entry.key);
            }
        }
        if let Some((_, place)) = columns.get_index(MAX_COLUMNS) {
            self.mistake(too_many("fields in one table", columns.len(), MAX_COLUMNS, Some(place)));
            columns.truncate(MAX_COLUMNS);
        }
        let types = columns.iter().map(|(name, place)| {
            check_field_name(name, place, self.report);
            let declared = declared.get(name);
            self.check_complete(sheet, name, declared, &columns);
            let in_rows = sheet.rows.iter().filter_map(|row| row.table.get(name)).map(|entry| &entry.node);
            let samples: Vec<&Node> = in_rows.chain(declared.and_then(|field| field.default)).collect();
            let field_type =
                self.field_type(name, &samples, declared.map_or(&DeclaredType::Any, |field| &field.declared_type));
            (name.clone(), (field_type, (*place).clone()))
        });
        types.collect()
    }

    /// Reports the rows that omit a field without a default. If only one of three or more rows has the field and no declaration names it,
    /// reports this row instead. If rows may omit fields, only reports a declared field that no row has.
    fn check_complete(
        &self,
        sheet: &FieldRows<'_>,
        name: &str,
        declared: Option<&DeclaredField<'_>>,
        columns: &IndexMap<Arc<str>, &Place>,
    ) {
        if declared.is_some_and(|field| field.default.is_some()) {
            return;
        }
        let (having, lacking): (Vec<_>, Vec<_>) = sheet.rows.iter().partition(|row| row.table.contains_key(name));
        if sheet.has_blanks {
            let declared = declared.filter(|_| having.is_empty());
            return declared.into_iter().for_each(|field| self.mistake(never_printed(sheet, name, field.place)));
        }
        if declared.is_none() && having.len() == 1 && lacking.len() > 1 {
            let known = columns.keys().map(|name| &**name).filter(|other| *other != name).chain(sheet.own.names());
            return self.mistake(single_occurrence(sheet, name, &having[0].table[name].key, known));
        }
        let elsewhere = declared.map(|field| field.place).or_else(|| Some(&having.first()?.table.get(name)?.key));
        for row in lacking.into_iter().take_while(|_| !self.report.is_full()) {
            self.mistake(missing_field(sheet, row, name, elsewhere));
        }
    }

    /// Returns the type inferred from the values of a field.
    pub(in crate::loader) fn infer_type(&self, name: &str, samples: &[&Node]) -> FieldType {
        self.field_type(name, samples, &DeclaredType::Any)
    }

    /// Returns the type of a field, given its values. Reports values that do not fit this type.
    fn field_type(&self, name: &str, samples: &[&Node], declared_type: &DeclaredType<'_>) -> FieldType {
        let samples: Vec<&Node> = samples.iter().filter_map(|node| self.for_players(name, node)).collect();
        match declared_type {
            DeclaredType::Any => self.common_type(name, &samples),
            DeclaredType::Number => self.check_all(name, &samples, "a number", FieldType::Number),
            DeclaredType::Flag => self.check_all(name, &samples, "`true` or `false`", FieldType::Flag),
            DeclaredType::Word => self.check_all(name, &samples, "a word", FieldType::Word),
            DeclaredType::Function => {
                self.check_all(name, &samples, "the name of a function of the rules", FieldType::Function)
            }
            DeclaredType::Record(declared) => {
                self.check_all(name, &samples, "a table of parts", FieldType::Record(IndexMap::new()));
                self.record(name, &samples, declared)
            }
            DeclaredType::Component(kind) => {
                self.check_all(name, &samples, "a component", FieldType::Word);
                self.components(name, &samples, kind.map_or(DeclaredKind::Any, DeclaredKind::Kind))
            }
            DeclaredType::List(entry) => {
                self.check_all(name, &samples, "a list", FieldType::List(Box::new(FieldType::Unknown)));
                let entries: Vec<&Node> = samples.iter().filter_map(|node| node.list()).flatten().collect();
                FieldType::List(Box::new(self.field_type(name, &entries, entry)))
            }
        }
    }

    /// Reports values whose outer type does not match `field_type`, and returns `field_type`.
    fn check_all(&self, name: &str, samples: &[&Node], expected: &str, field_type: FieldType) -> FieldType {
        for odd in samples.iter().filter(|node| !has_form_of(&node.data, &field_type)) {
            self.mistake(wrong_type(name, expected, odd));
        }
        field_type
    }

    /// Returns the most frequent type of the samples. Reports samples of other types.
    fn common_type(&self, name: &str, samples: &[&Node]) -> FieldType {
        let Some(typical) = most_frequent(samples) else { return FieldType::Unknown };
        let sort = std::mem::discriminant(&typical.data);
        let (alike, odd): (Vec<&Node>, Vec<&Node>) =
            samples.iter().partition(|node| std::mem::discriminant(&node.data) == sort);
        for odd in odd {
            self.mistake(mixed_types(name, odd, typical));
        }
        match typical.data {
            Data::Number(_) | Data::Fraction(_) => FieldType::Number,
            Data::Flag(_) => FieldType::Flag,
            Data::Text(_) if self.are_component_names(&alike) => self.components(name, &alike, DeclaredKind::None),
            Data::Text(_) => {
                self.report_accidental_names(name, &alike);
                FieldType::Word
            }
            Data::List(_) => {
                let entries: Vec<&Node> = alike.iter().filter_map(|node| node.list()).flatten().collect();
                FieldType::List(Box::new(self.infer_type(name, &entries)))
            }
            Data::Table(_) => self.record(name, &alike, &IndexMap::new()),
        }
    }

    /// Returns the type of a record. Its parts are read like the fields of rows.
    fn record(&self, name: &str, samples: &[&Node], declared: &IndexMap<Arc<str>, DeclaredField<'_>>) -> FieldType {
        let rows =
            samples.iter().filter_map(|node| Some(SheetRow { name: None, place: &node.place, table: node.table()? }));
        let sheet = FieldRows {
            plural: format!("entries of `{name}`"),
            rows: rows.collect(),
            own: &TableSpec::PLAIN,
            closed: !declared.is_empty(),
            has_blanks: false,
        };
        let parts = self.column_types(&sheet, declared);
        FieldType::Record(parts.into_iter().map(|(name, (part_type, _))| (name, part_type)).collect())
    }

    /// Returns whether words are probably names of components. This is assumed if at least one word, and at least half of the words, name a
    /// component.
    fn are_component_names(&self, samples: &[&Node]) -> bool {
        let words = || samples.iter().filter_map(|node| node.text()).filter(|word| word.as_ref() != NOTHING);
        let named = words().filter(|word| self.component_names.contains_key(*word)).count();
        named > 0 && named * 2 >= words().count()
    }

    /// Reports the words of a field that happen to be names of components, although most words of the field are not.
    fn report_accidental_names(&self, name: &str, samples: &[&Node]) {
        let is_named = |node: &&&Node| node.text().is_some_and(|word| self.component_names.contains_key(word));
        let typical = samples.iter().find(|node| !is_named(node));
        for odd in samples.iter().filter(is_named) {
            self.mistake(accidental_name(name, odd, typical));
        }
    }

    /// Returns the type of a field whose words are names of components. Reports words that do not name a component, or name a component of
    /// the wrong kind.
    fn components(&self, name: &str, samples: &[&Node], declared: DeclaredKind) -> FieldType {
        let kind = match declared {
            DeclaredKind::None | DeclaredKind::Any => None,
            DeclaredKind::Kind(kind) => Some(kind),
        };
        let mut named = samples.iter().filter(|node| node.text().is_some_and(|word| self.component_id(word).is_some()));
        let named = named.next().filter(|_| declared == DeclaredKind::None);
        let mut kinds = Vec::new();
        for node in samples.iter().take_while(|_| !self.report.is_full()) {
            let Some(word) = node.text().filter(|word| &***word != NOTHING) else { continue };
            match self.component_id(word).map(|id| self.components[id.index()].kind) {
                Some(found) if kind.is_none_or(|kind| kind == found) => kinds.push(found),
                Some(found) => self.mistake(self.wrong_kind(word, &node.place, found, kind)),
                None => {
                    let found = unknown_component(word, &node.place, self.known_components(kind), kind.is_none());
                    let is_slip = found.help.as_ref().is_some_and(|help| help.starts_with("did you mean"));
                    let named = named.filter(|_| !is_slip);
                    self.mistake(match named.and_then(|named| Some((named.text()?, &named.place))) {
                        Some((word, place)) => {
                            let found = found.mark(place.clone(), format!("`{word}` is also a component"));
                            found.help(format!("if these are words, {}", other_id(name, word)))
                        }
                        None => found,
                    });
                }
            }
        }
        kinds.dedup();
        FieldType::Component(kind.or(if kinds.len() == 1 { Some(kinds[0]) } else { None }))
    }

    /// Creates the diagnostic for a component of the wrong kind.
    pub(in crate::loader) fn wrong_kind(
        &self,
        word: &str,
        place: &Place,
        found: KindId,
        declared_type: Option<KindId>,
    ) -> Diagnostic {
        let name = |kind: KindId| self.kind_names.get_index(kind.index()).map_or("", |(name, _)| &**name);
        let wanted_name = declared_type.map_or("", name);
        Diagnostic::error("wrong-kind", format!("`{word}` is a `{}`, but must be a `{wanted_name}`", name(found)))
            .mark(place.clone(), format!("not a `{wanted_name}`"))
            .suggest(word, self.known_components(declared_type))
    }

    /// Converts a node to a value of a type. Returns `Nothing` for values of other types, which have been reported before.
    pub(in crate::loader) fn field_value(&self, name: &str, node: &Node, field_type: &FieldType) -> FieldValue {
        let Some(node) = self.for_players(name, node) else { return FieldValue::Nothing };
        match (&node.data, field_type) {
            (Data::Number(number), FieldType::Number) => FieldValue::Number(*number),
            (Data::Flag(flag), FieldType::Flag) => FieldValue::Flag(*flag),
            (Data::Text(word), FieldType::Word) => FieldValue::Word(word.clone()),
            (Data::Text(word), FieldType::Component(_)) => {
                self.component_id(word).map_or(FieldValue::Nothing, FieldValue::Component)
            }
            (Data::Text(word), FieldType::Function) if &**word == NOTHING => FieldValue::Nothing,
            (Data::Text(word), FieldType::Function) => {
                let (field, function, place) = (name.into(), word.clone(), node.place.clone());
                let named = NamedFunction { field, function, place };
                let mut functions = self.named_functions.borrow_mut();
                if !functions.contains(&named) {
                    functions.push(named);
                }
                FieldValue::Function(word.clone())
            }
            (Data::List(list), FieldType::List(field_type)) => {
                FieldValue::List(list.iter().map(|entry| self.field_value(name, entry, field_type)).collect())
            }
            (Data::Table(table), FieldType::Record(parts)) => {
                let part = |(name, field_type): (&Arc<str>, &FieldType)| {
                    let entry = table.get(name);
                    let value =
                        entry.map_or(FieldValue::Nothing, |entry| self.field_value(name, &entry.node, field_type));
                    (name.clone(), value)
                };
                FieldValue::Record(parts.iter().map(part).collect())
            }
            _ => FieldValue::Nothing,
        }
    }
}

/// Returns whether the outer type of a value matches `field_type`. Does not examine the entries of lists and the parts of records.
fn has_form_of(data: &Data, field_type: &FieldType) -> bool {
    matches!(
        (data, field_type),
        (Data::Number(_), FieldType::Number)
            | (Data::Flag(_), FieldType::Flag)
            | (Data::Text(_), FieldType::Word | FieldType::Function)
            | (Data::Table(_), FieldType::Record(_))
            | (Data::List(_), FieldType::List(_))
    )
}

/// Returns the first sample of the most frequent TOML type. The type that occurs first wins a tie.
fn most_frequent<'n>(samples: &[&'n Node]) -> Option<&'n Node> {
    let mut counts: Vec<(&'n Node, usize)> = Vec::new();
    for node in samples {
        let sort = std::mem::discriminant(&node.data);
        match counts.iter_mut().find(|(first, _)| std::mem::discriminant(&first.data) == sort) {
            Some((_, count)) => *count += 1,
            None => counts.push((node, 1)),
        }
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(first, _)| first)
}

/// Creates the diagnostic for a word that is not the name of a component.
pub(in crate::loader) fn unknown_component<'k>(
    word: &str,
    place: &Place,
    known: impl IntoIterator<Item = &'k str>,
    may_be_word: bool,
) -> Diagnostic {
    let found = unknown("unknown-component", "component", word, place, known);
    if found.help.is_some() || !may_be_word {
        return found;
    }
    found.help("declare the field as a `word` if it does not refer to components")
}

fn mixed_types(name: &str, odd: &Node, typical: &Node) -> Diagnostic {
    Diagnostic::error("mixed-types", format!("`{name}` is {} here and {} elsewhere", odd.sort(), typical.sort()))
        .mark(odd.place.clone(), format!("this is {}", odd.sort()))
        .mark(typical.place.clone(), format!("this is {}", typical.sort()))
}

fn accidental_name(name: &str, odd: &Node, typical: Option<&&Node>) -> Diagnostic {
    let word = odd.text().map_or("", |word| word);
    let message = format!("`{word}` is also a component, and the others in `{name}` are words");
    let found = Diagnostic::error("mixed-types", message).mark(odd.place.clone(), "names a component");
    let found = typical.into_iter().fold(found, |found, typical| found.mark(typical.place.clone(), "this is a word"));
    found.help(other_id(name, word))
}

/// Returns a help message for a field in which only some words are ids of components. `word` is such an id.
fn other_id(name: &str, word: &str) -> String {
    // The faces of dice have no declaration.
    if name == FACES.name {
        return format!("give the component another id than `{word}`");
    }
    format!("declare `{name}` as `word`, or give the component another id than `{word}`")
}

fn missing_field(sheet: &FieldRows<'_>, row: &SheetRow<'_>, name: &str, elsewhere: Option<&Place>) -> Diagnostic {
    let message = match &row.name {
        Some(row) => format!("`{row}` lacks the field `{name}`"),
        None => format!("one of the {} lacks `{name}`", sheet.plural),
    };
    let found = Diagnostic::error("missing-field", message).mark(row.place.clone(), format!("no `{name}` here"));
    match elsewhere {
        Some(place) => found.mark(place.clone(), "given here"),
        None => found,
    }
}

fn never_printed(sheet: &FieldRows<'_>, name: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("missing-field", format!("none of the {} has `{name}`", sheet.plural))
        .mark(place.clone(), "declared, but not printed")
        .help(format!("add rows of `{name}` to `printed`, or declare it with a default"))
}

fn single_occurrence<'k>(
    sheet: &FieldRows<'_>,
    name: &str,
    place: &Place,
    known: impl Iterator<Item = &'k str>,
) -> Diagnostic {
    let found = Diagnostic::error("missing-field", format!("only one of the {} has `{name}`", sheet.plural))
        .mark(place.clone(), "the others lack it")
        .suggest(name, known);
    if found.help.is_some() {
        found
    } else {
        found.help(format!("declare `{name}` with a default, or write it in every row"))
    }
}
