//! Expands rows with `each`, which stand for several components. `each` lists the values in which the components differ. The values are
//! inserted into the placeholders in the row's strings.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::budget::{Budget, ENTRY, ITEM, TEXT};
use crate::loader::document::node::{Data, KeyedNode, Node, Table};
use crate::loader::document::tree::{MAX_ROWS, Row, Tree};
use crate::loader::mistake::{too_many, wrong_type};
use crate::loader::report::Report;
use crate::model::{Language, rooms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::sync::Arc;

/// Description of the allowed values of an entry of `each`, for messages.
const ALLOWED_VALUES: &str = "a list, numbers as `\"2..10\"`, a kind, or a table of words with what people call them";

/// Value of `each`, or key in a table `each`, that creates a copy of the component for each seat. Expanded rows keep `each = "seat"`, which
/// is handled when the rows are read.
const SEAT: &str = "seat";

/// An entry of `each`: a placeholder with its values.
struct Axis {
    name: Arc<str>,
    key: Place,
    choices: Vec<Choice>,
}

/// One value of an axis.
#[derive(Clone)]
struct Choice {
    value: Node,
    name: Option<Node>,
}

impl Tree {
    /// Expands all rows with `each`, as far as the budget allows. If this tree is an overlay, `below` is the base game.
    pub(in crate::loader) fn expand_rows(&mut self, below: Option<&Self>, budget: &Budget, report: &Report) {
        if !self.rows.iter().any(|row| each_table(row).is_some()) {
            return;
        }
        let mut expanded: Vec<ExpandedRow> = std::mem::take(&mut self.rows).into_iter().map(ExpandedRow::new).collect();
        let mut waiting = UnexpandedCounts::default();
        expanded.iter().filter_map(ExpandedRow::unexpanded).for_each(|row| waiting.add(row));
        // A row that is expanded for each component of a kind must wait until all rows of this kind are expanded.
        while let Some((at, is_ready)) = next_row(&expanded, &waiting) {
            let rows = match expanded[at].unexpanded() {
                Some(row) if is_ready => {
                    let rows = expanded.iter().flat_map(|row| &row.rows).collect();
                    let expansion = Expansion { words: self, below, rows, names: OnceCell::new(), budget, report };
                    expansion.rows(row).unwrap_or_default()
                }
                // Only circular rows are left, so none of the remaining rows can be expanded.
                Some(row) => {
                    report.add(circular(row));
                    for row in &mut expanded {
                        row.one = None;
                    }
                    break;
                }
                None => Vec::new(),
            };
            let others: usize = expanded.iter().map(|row| row.rows.len()).sum();
            let number = others + rows.len();
            let row = expanded[at].one.take();
            if let Some(row) = &row {
                waiting.remove(row);
            }
            if number > MAX_ROWS {
                report.add(too_many("rows of components", number, MAX_ROWS, row.as_ref().map(Row::place)));
            } else {
                expanded[at].rows = rows;
            }
        }
        self.rows = expanded.into_iter().flat_map(|row| row.rows).collect();
    }
}

/// A row that is not expanded yet (`one`), or the rows into which it was expanded (`rows`).
struct ExpandedRow {
    one: Option<Row>,
    rows: Vec<Row>,
}

impl ExpandedRow {
    fn new(row: Row) -> Self {
        match each_table(&row) {
            Some(_) => Self { one: Some(row), rows: Vec::new() },
            None => Self { one: None, rows: vec![row] },
        }
    }

    fn unexpanded(&self) -> Option<&Row> {
        self.one.as_ref()
    }
}

/// Number of unexpanded rows of each kind.
#[derive(Default)]
struct UnexpandedCounts(FxHashMap<Arc<str>, usize>);

impl UnexpandedCounts {
    fn add(&mut self, row: &Row) {
        *self.0.entry(row.kind.clone()).or_default() += 1;
    }

    fn remove(&mut self, row: &Row) {
        self.0.entry(row.kind.clone()).and_modify(|number| *number -= 1);
    }

    /// Returns whether all kinds that a row depends on are fully expanded.
    fn is_ready(&self, row: &Row) -> bool {
        let mut kinds = each_table(row).into_iter().flatten().filter_map(|(_, entry)| entry.node.text());
        kinds.all(|kind| self.0.get(kind).is_none_or(|number| *number == 0))
    }
}

/// Returns the index of the row to expand next, and whether the kinds that the row depends on are fully expanded. If no row is ready,
/// returns the first row with `false`.
fn next_row(expanded: &[ExpandedRow], waiting: &UnexpandedCounts) -> Option<(usize, bool)> {
    let all = || expanded.iter().enumerate().filter_map(|(at, row)| Some((at, row.unexpanded()?)));
    let ready = all().find(|(_, row)| waiting.is_ready(row)).map(|(at, _)| (at, true));
    ready.or_else(|| all().next().map(|(at, _)| (at, false)))
}

/// Returns the `each` table of a row, if it has one.
fn each_table(row: &Row) -> Option<&Table> {
    row.node.table()?.get("each")?.node.table()
}

/// Context for expanding one row.
struct Expansion<'a> {
    /// Tree whose section `words` contains the displayed names of words.
    words: &'a Tree,
    /// The base game, if an overlay is being expanded; `None` if the base game itself is expanded.
    below: Option<&'a Tree>,
    /// The rows expanded so far.
    rows: Vec<&'a Row>,
    /// Names of components by id, filled at first use. If several rows have the same id, the first one counts.
    names: OnceCell<FxHashMap<&'a str, Option<&'a Node>>>,
    budget: &'a Budget,
    report: &'a Report,
}

impl<'a> Expansion<'a> {
    /// Returns the rows into which a row is expanded, one for each combination of values. Returns `None` and reports a mistake if the row
    /// cannot be expanded.
    fn rows(&self, row: &Row) -> Option<Vec<Row>> {
        let (table, each) = (row.node.table()?, &row.node.table()?.get("each")?.node);
        let mut axes = Vec::new();
        let (mut is_for_seats, mut is_valid) = (false, true);
        for (name, entry) in each.table()? {
            if &**name == SEAT && matches!(entry.node.data, Data::Flag(_)) {
                is_for_seats = matches!(entry.node.data, Data::Flag(true));
                continue;
            }
            if let Some(beside) = table.get(name) {
                self.report.add(duplicate_axis(name, &beside.key, &entry.key));
                is_valid = false;
            }
            match self.choices(name, &entry.node) {
                Some(choices) => axes.push(Axis { name: name.clone(), key: entry.key.clone(), choices }),
                None => is_valid = false,
            }
        }
        if axes.is_empty() && is_valid {
            self.report.add(wrong_type("each", "a table of what the row stands for each of", each));
        }
        if axes.is_empty() || !is_valid {
            return None;
        }
        // The multiplication is checked, because the product of a few long lists overflows.
        let number = axes.iter().map(|axis| axis.choices.len()).try_fold(1_usize, usize::checked_mul);
        let Some(number) = number.filter(|number| *number <= MAX_ROWS) else {
            self.report.add(too_many("rows of components", number.unwrap_or(usize::MAX), MAX_ROWS, Some(&each.place)));
            return None;
        };
        let rows: Option<Vec<Row>> = (0..number).map(|at| self.row(row, &axes, at, is_for_seats)).collect();
        rows.filter(|rows| self.check_unique_ids(rows, &axes))
    }

    /// Returns the values of the entry `name` of `each`. Reports an entry that is malformed or has no values.
    fn choices(&self, name: &str, node: &Node) -> Option<Vec<Choice>> {
        let unnamed = |value: Node| Choice { value, name: None };
        let choices: Vec<Choice> = match &node.data {
            Data::List(list) => {
                if let Some(other) = list.iter().find(|value| matches!(value.data, Data::List(_) | Data::Table(_))) {
                    self.report.add(wrong_type(name, "a list of words or numbers", other));
                    return None;
                }
                list.iter().cloned().map(unnamed).collect()
            }
            Data::Table(words) => {
                let choice = |(word, entry): (&Arc<str>, &KeyedNode)| {
                    let value = Node { place: entry.key.clone(), data: Data::Text(word.clone()) };
                    Choice { value, name: Some(entry.node.clone()) }
                };
                words.iter().map(choice).collect()
            }
            Data::Text(text) => match text.split_once("..") {
                Some((first, last)) => self.numbers(first, last, node)?.into_iter().map(unnamed).collect(),
                None => self.components(text, node)?.into_iter().map(unnamed).collect(),
            },
            _ => {
                self.report.add(wrong_type(name, ALLOWED_VALUES, node));
                return None;
            }
        };
        if choices.is_empty() {
            self.report.add(wrong_type(name, "at least one thing", node));
            return None;
        }
        Some(choices)
    }

    /// Returns the numbers of a range such as `2..10`. Reports a malformed, descending or too long range.
    fn numbers(&self, first: &str, last: &str, node: &Node) -> Option<Vec<Node>> {
        let (Ok(first), Ok(last)) = (first.trim().parse::<i64>(), last.trim().parse::<i64>()) else {
            self.report.add(malformed_range(&node.place));
            return None;
        };
        let number = last.checked_sub(first).filter(|number| *number >= 0);
        let Some(number) = number else {
            self.report.add(descending_range(first, last, &node.place));
            return None;
        };
        if number >= MAX_ROWS as i64 {
            let number = usize::try_from(number).unwrap_or(usize::MAX).saturating_add(1);
            self.report.add(too_many("rows of components", number, MAX_ROWS, Some(&node.place)));
            return None;
        }
        let node_of = |number| Node { place: node.place.clone(), data: Data::Number(number) };
        Some((first..=last).map(node_of).collect())
    }

    /// Returns the ids of the components of a kind. Reports a kind without components.
    fn components(&self, kind: &str, node: &Node) -> Option<Vec<Node>> {
        let mut known: FxHashSet<&Arc<str>> = FxHashSet::default();
        let node_of = |id: &Arc<str>| Node { place: node.place.clone(), data: Data::Text(id.clone()) };
        let ids = self.all_rows().filter(|row| &*row.kind == kind).filter_map(Row::id);
        let found: Vec<Node> = ids.filter(|id| known.insert(id)).map(node_of).collect();
        if found.is_empty() {
            let kinds: FxHashSet<&str> = self.all_rows().map(|row| &*row.kind).collect();
            self.report.add(no_such_kind(kind, &node.place, kinds));
            return None;
        }
        Some(found)
    }

    fn all_rows(&self) -> impl Iterator<Item = &'a Row> {
        self.below.into_iter().flat_map(|tree| &tree.rows).chain(self.rows.iter().copied())
    }

    /// Returns the expanded row with index `at`. The last axis varies fastest. `is_for_seats` tells whether the row is copied for each
    /// seat.
    fn row(&self, row: &Row, axes: &[Axis], at: usize, is_for_seats: bool) -> Option<Row> {
        let mut rest = at;
        let mut chosen: Vec<(&Axis, &Choice)> = Vec::with_capacity(axes.len());
        for axis in axes.iter().rev() {
            chosen.insert(0, (axis, &axis.choices[rest % axis.choices.len()]));
            rest /= axis.choices.len();
        }
        let placeholders = Placeholders { expansion: self, chosen };
        let mut table = Table::new();
        for (key, entry) in row.node.table()? {
            let added = if &**key == "each" { axes.len() + 1 } else { 1 };
            if !self.charge(added * ENTRY, &entry.key) {
                return None;
            }
            if &**key != "each" {
                let node = if &**key == "name" {
                    placeholders.name(&entry.node)?
                } else {
                    placeholders.node(&entry.node, &**key == "id")?
                };
                table.insert(key.clone(), KeyedNode { key: entry.key.clone(), node });
                continue;
            }
            for (axis, choice) in &placeholders.chosen {
                table.insert(axis.name.clone(), KeyedNode { key: axis.key.clone(), node: choice.value.clone() });
            }
            if is_for_seats {
                let node = Node { place: entry.node.place.clone(), data: Data::Text(SEAT.into()) };
                table.insert(key.clone(), KeyedNode { key: entry.key.clone(), node });
            }
        }
        let node = Node { place: row.node.place.clone(), data: Data::Table(table) };
        Some(Row { kind: row.kind.clone(), kind_place: row.kind_place.clone(), node })
    }

    fn charge(&self, bytes: usize, place: &Place) -> bool {
        self.budget.charge(bytes, &|| place.clone(), self.report)
    }

    fn check_unique_ids(&self, rows: &[Row], axes: &[Axis]) -> bool {
        let mut known: FxHashSet<&Arc<str>> = FxHashSet::default();
        let Some(twice) = rows.iter().find(|row| row.id().is_some_and(|id| !known.insert(id))) else { return true };
        let id = twice.id().expect("it was found by its id");
        self.report.add(ids_not_unique(id, rows.len(), twice.place(), axes));
        false
    }

    /// Returns the displayed name of `word` in a language: the name of the component whose id is `word`, or the text for `word` in the
    /// section `words`.
    fn name_of_word(&self, word: &str, language: Language) -> Option<&str> {
        let names = self.names.get_or_init(|| {
            let mut names: FxHashMap<&str, Option<&Node>> = FxHashMap::default();
            for (id, row) in self.all_rows().filter_map(|row| Some((row.id()?, row))) {
                let name = || row.node.table().and_then(|table| Some(&table.get("name")?.node));
                names.entry(id).or_insert_with(name);
            }
            names
        });
        let name = names.get(word).copied().flatten();
        name.and_then(|name| text_in_language(name, language)).or_else(|| {
            let trees = std::iter::once(self.words).chain(self.below);
            let mut words = trees.filter_map(|tree| tree.root.get("words")?.node.table());
            words.find_map(|words| text_in_language(&words.get(word)?.node, language))
        })
    }
}

/// Returns the text of a node in a language. A plain string counts as English.
fn text_in_language(node: &Node, language: Language) -> Option<&str> {
    match &node.data {
        Data::Text(text) if language == Language::English => Some(text),
        Data::Table(table) => table.get(language.tag())?.node.text().map(|text| &**text),
        _ => None,
    }
}

/// Values of one combination, to be inserted into the placeholders of a row.
struct Placeholders<'a, 's> {
    expansion: &'a Expansion<'s>,
    chosen: Vec<(&'a Axis, &'a Choice)>,
}

impl Placeholders<'_, '_> {
    /// Returns a node with its placeholders filled. A string that consists of a single placeholder becomes the value itself, unless
    /// `is_word` requires a string. Returns `None` for unknown placeholders, or if the budget is exhausted.
    fn node(&self, node: &Node, is_word: bool) -> Option<Node> {
        let inside = match &node.data {
            Data::List(list) => list.len() * ITEM,
            Data::Table(table) => table.len() * ENTRY,
            _ => 0,
        };
        if !self.expansion.charge(inside, &node.place) {
            return None;
        }
        let data = match &node.data {
            Data::Text(text) if text.contains('{') => {
                let alone = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).filter(|_| !is_word);
                match alone.and_then(|name| self.choice(name)) {
                    Some(choice) => choice.value.data.clone(),
                    None => Data::Text(self.fill(node, text, &|choice| plain_text(&choice.value))?.into()),
                }
            }
            Data::List(list) => Data::List(list.iter().map(|node| self.node(node, is_word)).collect::<Option<_>>()?),
            Data::Table(table) => Data::Table(
                table
                    .iter()
                    .map(|(key, entry)| {
                        Some((
                            key.clone(),
                            KeyedNode { key: entry.key.clone(), node: self.node(&entry.node, is_word)? },
                        ))
                    })
                    .collect::<Option<_>>()?,
            ),
            other => other.clone(),
        };
        Some(Node { place: node.place.clone(), data })
    }

    /// Fills the placeholders of a component's name with the names of the chosen words. If `node` is a plain string and a chosen word has a
    /// name in a language other than English, the result is a table with a text in English and in each of these languages.
    fn name(&self, node: &Node) -> Option<Node> {
        let Data::Text(text) = &node.data else {
            let Data::Table(table) = &node.data else { return Some(node.clone()) };
            let filled = table.iter().map(|(tag, entry)| {
                let language = Language::from_tag(tag).unwrap_or_default();
                let node = match entry.node.text() {
                    Some(text) => self.fill_in_language(&entry.node, text, language)?,
                    None => entry.node.clone(),
                };
                Some((tag.clone(), KeyedNode { key: entry.key.clone(), node }))
            });
            let data = Data::Table(filled.collect::<Option<_>>()?);
            return Some(Node { place: node.place.clone(), data });
        };
        let has_name = |language: &Language| {
            rooms(text).filter_map(|room| self.choice(room)).any(|choice| self.word(choice, *language).is_some())
        };
        let others = || Language::ALL.into_iter().filter(|language| *language != Language::English);
        if !others().any(|language| has_name(&language)) {
            return self.fill_in_language(node, text, Language::English);
        }
        let spoken = Language::ALL.into_iter().filter(|language| *language == Language::English || has_name(language));
        let filled = spoken.map(|language| {
            let node = self.fill_in_language(node, text, language)?;
            Some((language.tag().into(), KeyedNode { key: node.place.clone(), node }))
        });
        Some(Node { place: node.place.clone(), data: Data::Table(filled.collect::<Option<_>>()?) })
    }

    /// Fills the placeholders with the names of the chosen words in a language. A word without a name in this language gets its English
    /// name. If it has none, the word itself is used, with spaces instead of underscores.
    fn fill_in_language(&self, node: &Node, text: &str, language: Language) -> Option<Node> {
        let text_of = |choice: &Choice| {
            let word = self.word(choice, language).or_else(|| self.word(choice, Language::English));
            word.map_or_else(|| plain_text(&choice.value).replace('_', " "), str::to_owned)
        };
        let data = Data::Text(self.fill(node, text, &text_of)?.into());
        Some(Node { place: node.place.clone(), data })
    }

    /// Returns the name of a value in a language: the name written in `each`, or the name of the component or word.
    fn word<'c>(&'c self, choice: &'c Choice, language: Language) -> Option<&'c str> {
        let beside = choice.name.as_ref().and_then(|name| text_in_language(name, language));
        beside.or_else(|| self.expansion.name_of_word(choice.value.text()?, language))
    }

    fn choice(&self, name: &str) -> Option<&Choice> {
        self.chosen.iter().find(|(axis, _)| *axis.name == *name).map(|(_, choice)| *choice)
    }

    /// Replaces each placeholder in `text` with the result of `text_of` for the chosen value. Returns `None` if a placeholder is unknown,
    /// which is reported, or if the budget is exhausted.
    fn fill(&self, node: &Node, text: &str, text_of: &dyn Fn(&Choice) -> String) -> Option<String> {
        let mut filled = String::new();
        let mut rest = text;
        if !self.expansion.charge(TEXT + text.len(), &node.place) {
            return None;
        }
        while let Some((before, (room, after))) =
            rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            let Some(choice) = self.choice(room) else {
                let known = self.chosen.iter().map(|(axis, _)| &*axis.name);
                self.expansion.report.add(unknown_placeholder(room, &node.place, known));
                return None;
            };
            let word = text_of(choice);
            // Charged twice, because a growing string is reallocated at twice its length.
            if !self.expansion.charge(2 * word.len(), &node.place) {
                return None;
            }
            filled.push_str(before);
            filled.push_str(&word);
            rest = after;
        }
        Some(filled + rest)
    }
}

/// Formats a value for insertion into a string.
fn plain_text(node: &Node) -> String {
    match &node.data {
        Data::Text(text) => text.to_string(),
        Data::Number(number) => number.to_string(),
        Data::Flag(flag) => flag.to_string(),
        Data::Table(_) | Data::List(_) | Data::Fraction(_) => String::new(),
    }
}

fn duplicate_axis(name: &str, in_row: &Place, each: &Place) -> Diagnostic {
    Diagnostic::error("duplicate-key", format!("`{name}` distinguishes the rows, but is also set for all of them"))
        .mark(in_row.clone(), "for all of them")
        .mark(each.clone(), "for each")
        .help("remove one of the two")
}

fn malformed_range(place: &Place) -> Diagnostic {
    Diagnostic::error("wrong-type", "numbers are written as the first and the last")
        .mark(place.clone(), "not two numbers")
        .help("write `\"2..10\"` for 2 to 10; params are not allowed here, but in `count`")
}

fn descending_range(first: i64, last: i64, place: &Place) -> Diagnostic {
    Diagnostic::error("out-of-range", format!("ranges ascend, but {last} is below {first}"))
        .mark(place.clone(), "an empty range")
        .help(format!("write `\"{last}..{first}\"`"))
}

fn no_such_kind<'k>(kind: &str, place: &Place, kinds: impl IntoIterator<Item = &'k str>) -> Diagnostic {
    let found = Diagnostic::error("unknown-kind", format!("there is no kind `{kind}` with components"))
        .mark(place.clone(), "not declared")
        .suggest(kind, kinds);
    if found.help.is_some() { found } else { found.help(format!("write {ALLOWED_VALUES}")) }
}

fn circular(row: &Row) -> Diagnostic {
    let place = each_table(row).and_then(|each| each.values().find(|entry| entry.node.text().is_some()));
    let place = place.map_or(row.place(), |entry| &entry.node.place);
    Diagnostic::error("unknown-kind", "rows are repeated for each component of a kind that depends on them")
        .mark(place.clone(), "depends on these rows")
        .help("write the ids as a list")
}

fn ids_not_unique(id: &str, number: usize, place: &Place, axes: &[Axis]) -> Diagnostic {
    let names: Vec<String> = axes.iter().map(|axis| format!("{{{}}}", axis.name)).collect();
    Diagnostic::error(
        "duplicate-id",
        format!("this row is repeated for {number} components, of which several would have the id `{id}`"),
    )
    .mark(place.clone(), "the same for several")
    .help(format!("include what distinguishes them: `{}`", names.join("_")))
}

fn unknown_placeholder<'k>(room: &str, place: &Place, known: impl IntoIterator<Item = &'k str>) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let found = Diagnostic::error("unknown-placeholder", format!("the row is not repeated for each `{room}`"))
        .mark(place.clone(), format!("`{{{room}}}` is not a placeholder here"))
        .suggest(room, known.iter().copied());
    if found.help.is_some() {
        return found;
    }
    let names: Vec<String> = known.iter().map(|name| format!("`{{{name}}}`")).collect();
    found.help(format!("write {}", names.join(" or ")))
}
