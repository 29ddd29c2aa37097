//! Editor support for data files: the names and keys in a file, and completion at a place.

use crate::diagnostic::{Place, Role, Source};
use crate::loader::document::budget::Budget;
use crate::loader::document::files::is_comma_separated;
use crate::loader::document::node::{
    Data, KeyedNode, Node, PROVENANCE, entries_without_provenance, is_by_players, is_count,
};
use crate::loader::document::toml_reader;
use crate::loader::keys::form::{Form, KeySpec, NameSet, TableSpec, WordList};
use crate::loader::keys::sections::sections_of;
use crate::loader::package::Package;
use crate::loader::report::Report;
use crate::loader::section::component::ROW;
use crate::loader::section::field::FIELD_TYPES;
use crate::loader::section::flow::STEP;
use crate::loader::section::value::OWNERS;
use crate::model::{BOX, FieldType, Language, Model, TEAM};
use std::ops::Range;
use std::sync::Arc;

/// Category of a declared name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeclaredNameKind {
    /// A zone.
    Zone,
    /// A param.
    Param,
    /// An option.
    Option,
    /// A value that the game, a seat, a component, a piece or a space has.
    Value,
    /// A field printed on components.
    Field,
    /// A kind of components.
    Kind,
    /// A component.
    Component,
    /// A decision.
    Decision,
    /// A phase.
    Phase,
    /// An ending.
    Ending,
    /// An announcement: a text that rules show to the players.
    Announcement,
    /// A quantity that pieces in force alter.
    Alteration,
    /// A function of the rules.
    Function,
}

/// A key or name in a data file.
#[derive(Debug, Clone)]
pub struct DataSpot {
    /// Place of the key or name, without quotes.
    pub place: Place,
    /// Place of the whole entry: for a key, it includes the value.
    pub full_place: Place,
    /// Meaning of the key or name.
    pub what: DataMeaning,
    /// The keys of the enclosing tables.
    pub path: Vec<Arc<str>>,
}

/// Meaning of a key or name in a data file.
#[derive(Debug, Clone)]
pub enum DataMeaning {
    /// A key of the format: the table to which it belongs, and one sentence about the key.
    Key(&'static str, &'static str),
    /// A name that is declared here.
    Declares(DeclaredNameKind),
    /// A name that is used here, with the categories to which it may refer.
    Names(Vec<DeclaredNameKind>),
}

/// A completion for a place in a data file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offer {
    /// The text to insert.
    pub label: String,
    /// One sentence about the completion.
    pub about: String,
    /// Whether the completion is a key rather than a value.
    pub is_key: bool,
    /// Whether the completion must be inserted in quotes.
    pub is_quoted: bool,
}

/// Returns all keys and names in a data file. Returns an empty list if the file cannot be parsed.
pub fn outline(source: &Arc<Source>, model: &Model) -> Vec<DataSpot> {
    if let Some(rows) = cells(source) {
        return sheet(source, &rows, &model.function_fields());
    }
    let Some(spec) = table_spec_of(source) else { return Vec::new() };
    let Some(node) = toml_reader::parse(source, &Report::default()) else { return Vec::new() };
    let mut walk = OutlineWalk { functions: model.function_fields(), found: Vec::new(), path: Vec::new() };
    walk.table(spec, &node);
    walk.add_header_names(source);
    walk.found
}

/// Returns the names in a spreadsheet. The column headings are keys and fields, the `id` column declares components, and other cells may
/// refer to names.
fn sheet(source: &Arc<Source>, rows: &[Vec<Range<usize>>], functions: &[Arc<str>]) -> Vec<DataSpot> {
    let mut rows = rows.iter();
    let heading = rows.by_ref().find(|row| row.iter().any(|span| !source.text[span.clone()].trim().is_empty()));
    let Some(heading) = heading else { return Vec::new() };
    let trimmed = |span: &Range<usize>| {
        let text = &source.text[span.clone()];
        let start = span.start + (text.len() - text.trim_start().len());
        start..start + text.trim().len()
    };
    let root = |span: &Range<usize>| {
        let span = trimmed(span);
        let name = source.text[span.clone()].split('.').next().unwrap_or_default();
        span.start..span.start + name.len()
    };
    let spot = |span: Range<usize>, what: DataMeaning| {
        let place = Place { source: source.clone(), span };
        DataSpot { full_place: place.clone(), place, what, path: Vec::new() }
    };
    let mut found = Vec::new();
    for span in heading.iter().map(root).filter(|span| !span.is_empty()) {
        let name = &source.text[span.clone()];
        match ROW.keys.iter().find(|key| key.name == name) {
            Some(key) => found.push(spot(span, DataMeaning::Key(ROW.one, key.about))),
            None if name.starts_with('#') => {}
            None => found.push(spot(span, DataMeaning::Names(vec![DeclaredNameKind::Field]))),
        }
    }
    for row in rows {
        for (heading, cell) in heading.iter().zip(row).filter(|(_, cell)| !trimmed(cell).is_empty()) {
            let name = &source.text[root(heading)];
            let what = match name {
                "id" => DataMeaning::Declares(DeclaredNameKind::Component),
                name if functions.iter().any(|field| **field == *name) => {
                    DataMeaning::Names(vec![DeclaredNameKind::Function])
                }
                "count" => DataMeaning::Names(vec![DeclaredNameKind::Param, DeclaredNameKind::Option]),
                name if ROW.has(name) || name.starts_with('#') || name.is_empty() => continue,
                _ => DataMeaning::Names(vec![DeclaredNameKind::Component, DeclaredNameKind::Kind]),
            };
            found.push(spot(trimmed(cell), what));
        }
    }
    found
}

/// Returns the spans of a spreadsheet's cells, row by row. Returns `None` if the source is not a spreadsheet.
fn cells(source: &Arc<Source>) -> Option<Vec<Vec<Range<usize>>>> {
    if source.file() != source.path {
        return Some(crate::loader::spreadsheet::cells_of_sheet(source));
    }
    is_comma_separated(&source.path)
        .then(|| crate::loader::spreadsheet::parse_csv(source, &Budget::default(), &Report::default()))
        .map(|grid| grid.map(|grid| grid.spans()).unwrap_or_default())
}

/// Returns whether a data file can be parsed without errors. Always returns `true` for a CSV file, because only TOML files are parsed here.
pub fn can_be_read(source: &Arc<Source>) -> bool {
    if is_comma_separated(&source.path) {
        return true;
    }
    let report = Report::default();
    toml_reader::parse(source, &report).is_some() && !report.has_errors()
}

fn table_spec_of(source: &Source) -> Option<&'static TableSpec> {
    // Spreadsheets also have the role of component files, but no TOML keys.
    let role = source.role().filter(|role| source.path.ends_with(role.ending()))?;
    sections_of(role)
}

struct OutlineWalk {
    /// Names of the fields whose values are functions.
    functions: Vec<Arc<str>>,
    found: Vec<DataSpot>,
    path: Vec<Arc<str>>,
}

impl OutlineWalk {
    /// Adds a key or name. Its place does not include surrounding quotes.
    fn add(&mut self, place: &Place, full_place: &Place, what: DataMeaning) {
        let text = &place.source.text[place.span.clone()];
        let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
        let is_quoted = quote.is_some_and(|quote| text.len() > 1 && text.ends_with(quote));
        let span = if is_quoted { place.span.start + 1..place.span.end - 1 } else { place.span.clone() };
        let place = Place { source: place.source.clone(), span };
        self.found.push(DataSpot { place, full_place: full_place.clone(), what, path: self.path.clone() });
    }

    /// Adds a node as the use of a name if the node is a string. The name may belong to any of `categories`.
    fn names(&mut self, node: &Node, categories: &[DeclaredNameKind]) {
        if node.text().is_some() {
            self.add(&node.place, &node.place, DataMeaning::Names(categories.to_vec()));
        }
    }

    /// Runs `walk` with `key` added to the path of enclosing tables.
    fn within(&mut self, key: &Arc<str>, walk: impl FnOnce(&mut Self)) {
        self.path.push(key.clone());
        walk(self);
        self.path.pop();
    }

    /// Visits the entries of a table.
    fn table(&mut self, spec: &'static TableSpec, node: &Node) {
        let Some(table) = node.table() else { return };
        for (name, entry) in table {
            let full_place = entry_place(entry);
            if let Some(key) = spec.keys.iter().find(|key| *key.name == **name) {
                self.add(&entry.key, &full_place, DataMeaning::Key(spec.one, key.about));
                self.within(name, |walk| walk.value(spec, key, &entry.node));
            } else if &**name != PROVENANCE {
                self.within(name, |walk| walk.other(spec, entry, &full_place));
            }
        }
    }

    /// Visits the value of a key of the format.
    fn value(&mut self, spec: &'static TableSpec, key: &'static KeySpec, node: &Node) {
        match (key.name, node.text()) {
            ("spaces", None) => {
                self.add_component_keys(node);
                self.form(&key.form, node);
            }
            ("reads", Some(_)) => self.names(node, &[DeclaredNameKind::Field]),
            ("start", Some(_)) => self.names(
                node,
                &[
                    DeclaredNameKind::Param,
                    DeclaredNameKind::Option,
                    DeclaredNameKind::Component,
                    DeclaredNameKind::Zone,
                ],
            ),
            ("id", Some(_)) if is_row(spec) => {
                self.add(&node.place, &node.place, DataMeaning::Declares(DeclaredNameKind::Component));
            }
            ("expected", _) => {
                for (_, entry) in node.table().into_iter().flatten() {
                    let full_place = entry_place(entry);
                    let categories =
                        vec![DeclaredNameKind::Kind, DeclaredNameKind::Decision, DeclaredNameKind::Component];
                    self.add(&entry.key, &full_place, DataMeaning::Names(categories));
                    if entry.node.text().is_some() {
                        self.names(&entry.node, &[DeclaredNameKind::Field]);
                    }
                }
            }
            _ => self.form(&key.form, node),
        }
    }

    /// Adds a key that the format does not define, and visits its value. The key is the kind of the rows below it, a field of a row, or
    /// another name.
    fn other(&mut self, spec: &'static TableSpec, entry: &KeyedNode, full_place: &Place) {
        if is_row(spec) {
            self.add(&entry.key, full_place, DataMeaning::Names(vec![DeclaredNameKind::Field]));
            let is_function = self.functions.iter().any(|field| self.path.last() == Some(field));
            return self.field(&entry.node, is_function);
        }
        if let Some(rows) = entry.node.list().filter(|_| spec.others.is_some() && self.path.len() == 1) {
            self.add(&entry.key, full_place, DataMeaning::Names(vec![DeclaredNameKind::Kind]));
            let kind = self.path.last().cloned();
            for row in rows {
                // Each row in a file has its own `[[kind]]` header. The entry only has the place of the kind's name in the first header.
                // The names in the other headers are added here.
                let head = &row.place.source.text[row.place.span.clone()];
                let named = kind
                    .as_ref()
                    .filter(|_| head.starts_with("[["))
                    .and_then(|kind| Some((head.find(&**kind)?, kind.len())));
                if let Some((at, len)) = named {
                    let start = row.place.span.start + at;
                    let place = Place { source: row.place.source.clone(), span: start..start + len };
                    if place.span != entry.key.span {
                        self.add(&place, &place, DataMeaning::Names(vec![DeclaredNameKind::Kind]));
                    }
                }
                self.table(&ROW, row);
            }
            return;
        }
        if spec.others.is_some() {
            self.add(
                &entry.key,
                full_place,
                DataMeaning::Names(vec![DeclaredNameKind::Field, DeclaredNameKind::Value]),
            );
            self.field(&entry.node, false);
        }
    }

    /// Visits the value of a field, including nested lists and records. Adds each string in it as the use of a name.
    fn field(&mut self, node: &Node, is_function: bool) {
        match &node.data {
            Data::Text(_) => {
                let categories = if is_function {
                    [DeclaredNameKind::Function].to_vec()
                } else {
                    vec![DeclaredNameKind::Component, DeclaredNameKind::Kind]
                };
                self.names(node, &categories);
            }
            Data::List(list) => list.iter().for_each(|node| self.field(node, is_function)),
            Data::Table(table) => {
                for (name, entry) in table {
                    let is_function = is_function || self.functions.contains(name);
                    self.field(&entry.node, is_function);
                }
            }
            _ => {}
        }
    }

    /// Visits a value that should have the form `form`.
    fn form(&mut self, form: &'static Form, node: &Node) {
        match form {
            Form::Function => self.names(node, &[DeclaredNameKind::Function]),
            Form::Name(names) => self.names(node, &names_of(*names)),
            Form::WordOrName(list, names) if node.text().is_some_and(|text| !list.words().contains(&&**text)) => {
                let categories: Vec<DeclaredNameKind> = names.iter().flat_map(|names| names_of(*names)).collect();
                self.names(node, &categories);
            }
            Form::Amount => self.amount(node),
            Form::Steps => self.steps(node),
            Form::FieldType => self.visit_leaves(node, &|walk, node| walk.names(node, &[DeclaredNameKind::Kind])),
            Form::List(inner) | Form::Some(inner) | Form::Pair(inner) => {
                for node in node.list().unwrap_or_default() {
                    self.form(inner, node);
                }
            }
            Form::AnyOf(forms) => {
                let before = self.found.len();
                for form in forms.iter().filter(|form| fits(form, node)) {
                    self.form(form, node);
                    if self.found.len() > before {
                        return;
                    }
                }
            }
            Form::ByPlayers(inner) => self.by_players(inner, &[], node),
            Form::ByPlayersBeside(inner, keys) => self.by_players(inner, keys, node),
            Form::Table(spec) => self.table(spec, node),
            Form::Named(inner) | Form::NamedForScripts(inner) => self.named(inner, node),
            Form::Values(inner) => {
                for (owner, entry) in node.table().into_iter().flat_map(entries_without_provenance) {
                    self.within(owner, |walk| walk.form(inner, &entry.node));
                }
            }
            _ => {}
        }
    }

    /// Visits a table whose keys are names. In some sections the keys declare these names.
    fn named(&mut self, inner: &'static Form, node: &Node) {
        let section = self.path.first().cloned().unwrap_or_default();
        let declares = match (self.path.len(), &*section) {
            (1, section) => declared_by(section),
            (2, "values") => Some(DeclaredNameKind::Value),
            (_, "kinds" | "zones")
                if self.path.last().is_some_and(|last| &**last == "fields" || &**last == "printed") =>
            {
                Some(DeclaredNameKind::Field)
            }
            _ => None,
        };
        for (name, entry) in node.table().into_iter().flat_map(entries_without_provenance) {
            if let Some(category) = declares {
                self.add(&entry.key, &entry_place(entry), DataMeaning::Declares(category));
            }
            if self.path.last().is_some_and(|last| &**last == "printed") {
                self.add_component_keys(&entry.node);
            }
            self.within(name, |walk| walk.form(inner, &entry.node));
        }
    }

    /// Adds the keys of a table that is keyed by component. Each key is the name of a component.
    fn add_component_keys(&mut self, node: &Node) {
        for (_, entry) in node.table().into_iter().flat_map(entries_without_provenance) {
            self.add(&entry.key, &entry_place(entry), DataMeaning::Names(vec![DeclaredNameKind::Component]));
        }
    }

    /// Visits a value that may differ by number of players.
    fn by_players(&mut self, inner: &'static Form, keys: &'static [KeySpec], node: &Node) {
        let Some(table) = node.table() else { return self.form(inner, node) };
        for (name, entry) in table {
            if is_count(name) {
                self.form(inner, &entry.node);
            } else if let Some(key) = keys.iter().find(|key| *key.name == **name) {
                self.add(&entry.key, &entry_place(entry), DataMeaning::Key("", key.about));
                self.within(name, |walk| walk.form(&key.form, &entry.node));
            } else if !is_by_players(table) {
                return self.form(inner, node);
            }
        }
    }

    fn amount(&mut self, node: &Node) {
        self.visit_leaves(node, &|walk, node| walk.names(node, &[DeclaredNameKind::Param, DeclaredNameKind::Option]));
    }

    fn visit_leaves(&mut self, node: &Node, visit: &dyn Fn(&mut Self, &Node)) {
        match &node.data {
            Data::Table(table) => table.values().for_each(|entry| self.visit_leaves(&entry.node, visit)),
            Data::List(list) => list.iter().for_each(|node| self.visit_leaves(node, visit)),
            _ => visit(self, node),
        }
    }

    fn steps(&mut self, node: &Node) {
        match &node.data {
            Data::Text(_) => self.names(node, &[DeclaredNameKind::Function]),
            Data::List(list) => list.iter().for_each(|node| self.steps(node)),
            Data::Table(_) => self.table(&STEP, node),
            _ => {}
        }
    }

    /// Adds names in headers of nested tables, such as `deck` in `[zones.deck.spaces]`.
    fn add_header_names(&mut self, source: &Arc<Source>) {
        for (start, keys) in header_lines(&source.text) {
            let names: Vec<&str> = keys.iter().map(|span| &source.text[start + span.start..start + span.end]).collect();
            let Some((at, category)) = name_in_path(&names).filter(|(at, _)| at + 1 < names.len()) else { continue };
            let span = start + keys[at].start..start + keys[at].end;
            let place = Place { source: source.clone(), span };
            if !self.found.iter().any(|spot| spot.place == place) {
                self.add(&place, &place, DataMeaning::Names(vec![category]));
            }
        }
    }
}

/// Returns the lines that are table headers, each with its offset in the text and the spans of its keys within the line.
fn header_lines(text: &str) -> Vec<(usize, Vec<Range<usize>>)> {
    let (mut found, mut start) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('[')
            && let Some(end) = line.find(']')
        {
            let first = line.len() - line.trim_start_matches(|c: char| c == '[' || c.is_whitespace()).len();
            let (mut keys, mut at) = (Vec::new(), first);
            for key in line.get(first..end).unwrap_or_default().split('.') {
                let blanks = key.len() - key.trim_start().len();
                keys.push(at + blanks..at + blanks + key.trim().len());
                at += key.len() + 1;
            }
            found.push((start, keys));
        }
        start += line.len();
    }
    found
}

/// Returns the place from a key to the end of its value. Returns the place of the key if the value is in another part of the file.
fn entry_place(entry: &KeyedNode) -> Place {
    let (key, value) = (&entry.key, &entry.node.place);
    let follows_key = Arc::ptr_eq(&key.source, &value.source) && value.span.end >= key.span.end;
    let end = if follows_key { value.span.end } else { key.span.end };
    Place { source: key.source.clone(), span: key.span.start..end }
}

/// Returns whether a specification describes a component row.
fn is_row(spec: &TableSpec) -> bool {
    spec.one == ROW.one
}

/// Finds the declared name in a path of keys. Returns the index of the name in the path and the category of the name. Returns `None` if the
/// path contains no declared name.
pub fn name_in_path(path: &[&str]) -> Option<(usize, DeclaredNameKind)> {
    match path {
        ["values", _, _, ..] => Some((2, DeclaredNameKind::Value)),
        [section, _, ..] => declared_by(section).map(|category| (1, category)),
        _ => None,
    }
}

/// Returns the category of the names that a section declares. Returns `None` for a section that declares no names.
fn declared_by(section: &str) -> Option<DeclaredNameKind> {
    Some(match section {
        "zones" => DeclaredNameKind::Zone,
        "params" => DeclaredNameKind::Param,
        "options" => DeclaredNameKind::Option,
        "kinds" => DeclaredNameKind::Kind,
        "decisions" => DeclaredNameKind::Decision,
        "phases" => DeclaredNameKind::Phase,
        "endings" => DeclaredNameKind::Ending,
        "says" => DeclaredNameKind::Announcement,
        "altered" => DeclaredNameKind::Alteration,
        "teams" => DeclaredNameKind::Component,
        _ => return None,
    })
}

fn names_of(names: NameSet) -> Vec<DeclaredNameKind> {
    match names {
        NameSet::Kinds => vec![DeclaredNameKind::Kind],
        NameSet::Zones => vec![DeclaredNameKind::Zone],
        NameSet::Contents => vec![DeclaredNameKind::Kind, DeclaredNameKind::Component],
        NameSet::Carried => vec![DeclaredNameKind::Value, DeclaredNameKind::Zone],
        NameSet::Section(section) => declared_by(section).into_iter().collect(),
    }
}

/// Returns whether a node could have a form that contains keys or names, judging mainly by its TOML type. Returns `false` for other forms,
/// such as plain words and numbers.
fn fits(form: &Form, node: &Node) -> bool {
    match (&node.data, form) {
        (_, Form::AnyOf(forms)) => forms.iter().any(|form| fits(form, node)),
        (Data::Table(table), Form::ByPlayers(_) | Form::ByPlayersBeside(..)) => is_by_players(table),
        (_, Form::ByPlayers(inner) | Form::ByPlayersBeside(inner, _)) => fits(inner, node),
        (
            Data::Table(_),
            Form::Table(_) | Form::Named(_) | Form::NamedForScripts(_) | Form::Amount | Form::FieldType,
        )
        | (Data::List(_), Form::List(_) | Form::Some(_) | Form::Pair(_) | Form::Steps | Form::FieldType)
        | (Data::Text(_), Form::Name(_) | Form::WordOrName(..) | Form::Amount | Form::FieldType | Form::Steps) => true,
        _ => false,
    }
}

// ----- completion

/// Returns completions for a place in a file. If `is_value` is set, these are values of the last key of `path`, otherwise further keys of
/// the table at `path`.
pub fn offers(package: &Arc<Package>, role: Role, path: &[&str], is_value: bool) -> Vec<Offer> {
    let Some(spec) = sections_of(role) else { return Vec::new() };
    let model = package.outline();
    let names = DeclaredNames { model: &model, package };
    let mut completer = Completer { names, found: Vec::new(), kind: None };
    completer.complete_in_table(spec, path, is_value, role != Role::Game);
    let mut found = completer.found;
    let mut labels = std::collections::BTreeSet::new();
    found.retain(|offer| labels.insert(offer.label.clone()));
    found
}

struct DeclaredNames<'p> {
    model: &'p Model,
    package: &'p Package,
}

impl DeclaredNames<'_> {
    fn all(&self, names: NameSet) -> Vec<String> {
        let tree = self.package.with_all_overlays();
        let of_teams = tree.section("teams").next().map(|_| TEAM.to_owned());
        let kinds = || {
            let named = tree.kind_names().into_iter().map(ToString::to_string);
            named.chain(of_teams.clone()).collect::<Vec<String>>()
        };
        let section = |name: &str| tree.section(name).map(|(name, _)| name.to_string()).collect::<Vec<_>>();
        match names {
            NameSet::Kinds => kinds(),
            NameSet::Zones => section("zones").into_iter().chain([BOX.to_owned()]).collect(),
            NameSet::Contents => {
                let ids = tree.rows.iter().filter_map(|row| Some(row.id()?.to_string()));
                kinds().into_iter().chain(ids).collect()
            }
            NameSet::Carried => {
                let values = self.model.values.iter().map(|value| value.id.to_string());
                values.chain(section("zones")).collect()
            }
            NameSet::Section(name) => section(name),
        }
    }

    fn fields(&self, kind: &str) -> Vec<(Arc<str>, FieldType)> {
        let all = std::iter::once(self.model).chain(self.model.variants_with_more_names().iter().map(|model| &**model));
        let mut found: Vec<(Arc<str>, FieldType)> = Vec::new();
        for model in all {
            let Some(kind) = model.find_kind(kind) else { continue };
            for (field, field_type) in &model.kinds[kind.index()].fields {
                let name = model.fields[field.index()].clone();
                if !found.iter().any(|(known, _)| *known == name) {
                    found.push((name, field_type.clone()));
                }
            }
        }
        found
    }

    fn functions(&self) -> Vec<String> {
        let texts = self.package.scripts().iter();
        let line = |line: &str| {
            let name = line.trim_start().strip_prefix("fn ")?.split('(').next()?.trim().to_owned();
            (!name.is_empty()).then_some(name)
        };
        texts.flat_map(|source| source.text.lines().filter_map(line).collect::<Vec<_>>()).collect()
    }
}

struct Completer<'p> {
    names: DeclaredNames<'p>,
    found: Vec<Offer>,
    kind: Option<String>,
}

impl Completer<'_> {
    fn words(&mut self, labels: impl IntoIterator<Item: Into<String>>, about: &str) {
        let offer = |label: String| Offer { label, about: about.to_owned(), is_key: false, is_quoted: true };
        self.found.extend(labels.into_iter().map(|label| offer(label.into())));
    }

    fn plain(&mut self, label: &str, about: &str) {
        self.found.push(Offer { label: label.to_owned(), about: about.to_owned(), is_key: false, is_quoted: false });
    }

    fn functions(&mut self) {
        self.words(self.names.functions(), "a function of the rules");
    }

    fn keys(&mut self, keys: &[KeySpec]) {
        for key in keys {
            self.key(key.name, key.about);
        }
    }

    fn key(&mut self, label: impl Into<String>, about: &str) {
        self.found.push(Offer { label: label.into(), about: about.to_owned(), is_key: true, is_quoted: false });
    }

    fn complete_in_table(&mut self, spec: &'static TableSpec, path: &[&str], is_value: bool, takes_rows: bool) {
        let Some((first, rest)) = path.split_first() else {
            self.keys(spec.keys);
            if takes_rows && spec.others.is_some() {
                for kind in self.names.all(NameSet::Kinds) {
                    self.key(kind, "a kind of components, with a row for each");
                }
            }
            if is_row(spec) {
                for (name, field_type) in self.kind.clone().map(|kind| self.names.fields(&kind)).unwrap_or_default() {
                    self.key(&*name, about_field(&field_type));
                }
            }
            return;
        };
        if let Some(key) = spec.keys.iter().find(|key| key.name == *first) {
            return self.complete_in_form(&key.form, rest, is_value);
        }
        if takes_rows && spec.others.is_some() {
            self.kind = Some((*first).to_owned());
            return self.complete_in_table(&ROW, rest, is_value, false);
        }
        if is_row(spec) && is_value {
            let fields = self.kind.clone().map(|kind| self.names.fields(&kind)).unwrap_or_default();
            if let Some((_, field_type)) = fields.iter().find(|(name, _)| **name == **first) {
                self.field(field_type);
            }
        }
    }

    fn field(&mut self, field_type: &FieldType) {
        match field_type {
            FieldType::Flag => ["true", "false"].into_iter().for_each(|word| self.plain(word, "")),
            FieldType::Component(kind) => {
                let model = self.names.model;
                let fits = |at: &crate::model::Component| kind.is_none_or(|kind| at.kind == kind);
                self.words(model.components.iter().filter(|one| fits(one)).map(|one| &*one.id), "a component");
            }
            FieldType::Function => self.functions(),
            FieldType::List(field_type) => self.field(field_type),
            _ => {}
        }
    }

    fn complete_in_form(&mut self, form: &'static Form, path: &[&str], is_value: bool) {
        match form {
            Form::Function if path.is_empty() && is_value => self.functions(),
            Form::OneOf(list) if path.is_empty() && is_value => self.words(list.words(), ""),
            Form::Name(names) if path.is_empty() && is_value => self.words(self.names.all(*names), ""),
            Form::WordOrName(list, names) if path.is_empty() && is_value => {
                self.words(list.words(), "");
                names.iter().for_each(|names| self.words(self.names.all(*names), ""));
            }
            Form::Flag if path.is_empty() && is_value => {
                for word in ["true", "false"] {
                    self.plain(word, "");
                }
            }
            Form::Text if path.is_empty() && !is_value => {
                for language in Language::ALL {
                    self.key(language.tag(), "the text in this language");
                }
            }
            Form::Amount if is_value => {
                for (section, about) in [("params", "a param"), ("options", "an option")] {
                    self.words(self.names.all(NameSet::Section(section)), about);
                }
            }
            Form::FieldType if is_value => {
                self.words(FIELD_TYPES.words(), "");
                self.words(self.names.all(NameSet::Kinds), "a component of this kind");
            }
            Form::Steps => {
                if is_value {
                    self.functions();
                }
                if path.is_empty() || !is_value {
                    self.keys(STEP.keys);
                }
            }
            Form::List(inner) | Form::Some(inner) | Form::Pair(inner) => self.complete_in_form(inner, path, is_value),
            Form::AnyOf(forms) => forms.iter().for_each(|form| self.complete_in_form(form, path, is_value)),
            Form::ByPlayers(inner) => self.complete_in_form(inner, without_count(path), is_value),
            Form::ByPlayersBeside(inner, keys) => {
                if path.is_empty() && !is_value {
                    self.keys(keys);
                }
                match path.first().and_then(|first| keys.iter().find(|key| key.name == *first)) {
                    Some(key) => self.complete_in_form(&key.form, &path[1..], is_value),
                    None => self.complete_in_form(inner, without_count(path), is_value),
                }
            }
            Form::Table(spec) if !path.is_empty() || !is_value => self.complete_in_table(spec, path, is_value, false),
            Form::Named(inner) | Form::NamedForScripts(inner) if !path.is_empty() => {
                self.complete_in_form(inner, &path[1..], is_value);
            }
            Form::Values(inner) => match path.split_first() {
                None => {
                    for (owner, about) in OWNERS {
                        self.key(owner, about);
                    }
                    for kind in self.names.all(NameSet::Kinds) {
                        self.key(kind, "a field of each component of the kind");
                    }
                }
                Some((_, rest)) => self.complete_in_form(inner, rest, is_value),
            },
            _ => {}
        }
    }
}

fn without_count<'p, 's>(path: &'p [&'s str]) -> &'p [&'s str] {
    match path.split_first() {
        Some((first, rest)) if is_count(first) => rest,
        _ => path,
    }
}

fn about_field(field_type: &FieldType) -> &'static str {
    match field_type {
        FieldType::Number => "a printed number",
        FieldType::Flag => "a printed flag, `true` or `false`",
        FieldType::Word => "a printed word",
        FieldType::Component(_) => "a printed reference to another component",
        FieldType::Function => "the name of a function of the rules",
        FieldType::List(_) => "a printed list",
        FieldType::Record(_) => "a printed table of named parts",
        FieldType::Unknown => "printed on it",
    }
}
