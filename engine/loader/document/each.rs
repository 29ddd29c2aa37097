//! Rows that stand for many: `each` says what they differ in, and the texts of the row leave room for it.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::budget::{Budget, ENTRY, ITEM, TEXT};
use crate::loader::document::node::{Data, KeyedNode, Node, Table};
use crate::loader::document::tree::{MOST_ROWS, Row, Tree};
use crate::loader::mistake::{too_many, wrong_type};
use crate::loader::report::Report;
use crate::model::{Language, rooms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::sync::Arc;

/// What a row may be made for each of.
const WAYS: &str = "a list, numbers as `\"2..10\"`, a kind, or a table of words with what people call them";

/// The row of each seat, where `each` says more.
const SEAT: &str = "seat";

/// What a row is made for each of, under one name.
struct Axis {
    name: Arc<str>,
    key: Place,
    choices: Vec<Choice>,
}

/// One of them, and what people call it where that is written beside it.
#[derive(Clone)]
struct Choice {
    value: Node,
    name: Option<Node>,
}

impl Tree {
    /// Writes out the rows that stand for many, as far as the budget allows. `below` is what this is laid over.
    pub(in crate::loader) fn write_rows_out(&mut self, below: Option<&Self>, budget: &Budget, report: &Report) {
        if !self.rows.iter().any(|row| each_of(row).is_some()) {
            return;
        }
        let mut written: Vec<RowForMany> =
            std::mem::take(&mut self.rows).into_iter().map(RowForMany::not_yet).collect();
        let mut waiting = Waiting::default();
        written.iter().filter_map(RowForMany::open).for_each(|row| waiting.add(row));
        // Who is made for each of a kind comes after the rows of that kind.
        while let Some((at, is_ready)) = next(&written, &waiting) {
            let rows = match written[at].open() {
                Some(row) if is_ready => {
                    let rows = written.iter().flat_map(|row| &row.rows).collect();
                    let spread = Spread { words: self, below, rows, names: OnceCell::new(), budget, report };
                    spread.rows(row).unwrap_or_default()
                }
                // What waits for it cannot be written out either.
                Some(row) => {
                    report.add(circular(row));
                    for row in &mut written {
                        row.one = None;
                    }
                    break;
                }
                None => Vec::new(),
            };
            let others: usize = written.iter().map(|row| row.rows.len()).sum();
            let number = others + rows.len();
            let row = written[at].one.take();
            if let Some(row) = &row {
                waiting.remove(row);
            }
            if number > MOST_ROWS {
                report.add(too_many("rows of components", number, MOST_ROWS, row.as_ref().map(Row::place)));
            } else {
                written[at].rows = rows;
            }
        }
        self.rows = written.into_iter().flat_map(|row| row.rows).collect();
    }
}

/// A row that stands for many, and is yet to be written out, or what has come of a row.
struct RowForMany {
    one: Option<Row>,
    rows: Vec<Row>,
}

impl RowForMany {
    fn not_yet(row: Row) -> Self {
        match each_of(&row) {
            Some(_) => Self { one: Some(row), rows: Vec::new() },
            None => Self { one: None, rows: vec![row] },
        }
    }

    fn open(&self) -> Option<&Row> {
        self.one.as_ref()
    }
}

/// How many rows of each kind are yet to be written out.
#[derive(Default)]
struct Waiting(FxHashMap<Arc<str>, usize>);

impl Waiting {
    fn add(&mut self, row: &Row) {
        *self.0.entry(row.kind.clone()).or_default() += 1;
    }

    fn remove(&mut self, row: &Row) {
        self.0.entry(row.kind.clone()).and_modify(|number| *number -= 1);
    }

    /// Whether the rows of all kinds that a row is made for each of are written out.
    fn lets(&self, row: &Row) -> bool {
        let mut kinds = each_of(row).into_iter().flatten().filter_map(|(_, entry)| entry.node.text());
        kinds.all(|kind| self.0.get(kind).is_none_or(|number| *number == 0))
    }
}

/// The row to write out next, and whether it waits for no other.
fn next(written: &[RowForMany], waiting: &Waiting) -> Option<(usize, bool)> {
    let all = || written.iter().enumerate().filter_map(|(at, row)| Some((at, row.open()?)));
    let ready = all().find(|(_, row)| waiting.lets(row)).map(|(at, _)| (at, true));
    ready.or_else(|| all().next().map(|(at, _)| (at, false)))
}

/// What a row is made for each of, if it stands for many.
fn each_of(row: &Row) -> Option<&Table> {
    row.node.table()?.get("each")?.node.table()
}

/// Writing one row out.
struct Spread<'a> {
    /// Where words are called something.
    words: &'a Tree,
    below: Option<&'a Tree>,
    /// The rows written so far.
    rows: Vec<&'a Row>,
    /// Names of components by id, the first of an id; collected when a name is asked for.
    names: OnceCell<FxHashMap<&'a str, Option<&'a Node>>>,
    budget: &'a Budget,
    report: &'a Report,
}

impl<'a> Spread<'a> {
    fn rows(&self, row: &Row) -> Option<Vec<Row>> {
        let (table, each) = (row.node.table()?, &row.node.table()?.get("each")?.node);
        let mut axes = Vec::new();
        let (mut is_for_seats, mut is_well) = (false, true);
        for (name, entry) in each.table()? {
            if &**name == SEAT && matches!(entry.node.data, Data::Flag(_)) {
                is_for_seats = matches!(entry.node.data, Data::Flag(true));
                continue;
            }
            if let Some(beside) = table.get(name) {
                self.report.add(said_twice(name, &beside.key, &entry.key));
                is_well = false;
            }
            match self.choices(name, &entry.node) {
                Some(choices) => axes.push(Axis { name: name.clone(), key: entry.key.clone(), choices }),
                None => is_well = false,
            }
        }
        if axes.is_empty() && is_well {
            self.report.add(wrong_type("each", "a table of what the row stands for each of", each));
        }
        if axes.is_empty() || !is_well {
            return None;
        }
        let number = axes.iter().map(|axis| axis.choices.len()).try_fold(1_usize, usize::checked_mul);
        let Some(number) = number.filter(|number| *number <= MOST_ROWS) else {
            self.report.add(too_many("rows of components", number.unwrap_or(usize::MAX), MOST_ROWS, Some(&each.place)));
            return None;
        };
        let rows: Option<Vec<Row>> = (0..number).map(|at| self.row(row, &axes, at, is_for_seats)).collect();
        rows.filter(|rows| self.have_ids_of_their_own(rows, &axes))
    }

    /// What a row is made for each of.
    fn choices(&self, name: &str, node: &Node) -> Option<Vec<Choice>> {
        let plain = |value: Node| Choice { value, name: None };
        let choices: Vec<Choice> = match &node.data {
            Data::List(list) => {
                if let Some(other) = list.iter().find(|value| matches!(value.data, Data::List(_) | Data::Table(_))) {
                    self.report.add(wrong_type(name, "a list of words or numbers", other));
                    return None;
                }
                list.iter().cloned().map(plain).collect()
            }
            Data::Table(words) => {
                let called = |(word, entry): (&Arc<str>, &KeyedNode)| {
                    let value = Node { place: entry.key.clone(), data: Data::Text(word.clone()) };
                    Choice { value, name: Some(entry.node.clone()) }
                };
                words.iter().map(called).collect()
            }
            Data::Text(text) => match text.split_once("..") {
                Some((first, last)) => self.numbers(first, last, node)?.into_iter().map(plain).collect(),
                None => self.components(text, node)?.into_iter().map(plain).collect(),
            },
            _ => {
                self.report.add(wrong_type(name, WAYS, node));
                return None;
            }
        };
        if choices.is_empty() {
            self.report.add(wrong_type(name, "at least one thing", node));
            return None;
        }
        Some(choices)
    }

    fn numbers(&self, first: &str, last: &str, node: &Node) -> Option<Vec<Node>> {
        let (Ok(first), Ok(last)) = (first.trim().parse::<i64>(), last.trim().parse::<i64>()) else {
            self.report.add(no_numbers(&node.place));
            return None;
        };
        let number = last.checked_sub(first).filter(|number| *number >= 0);
        let Some(number) = number else {
            self.report.add(backwards(first, last, &node.place));
            return None;
        };
        if number >= MOST_ROWS as i64 {
            let number = usize::try_from(number).unwrap_or(usize::MAX).saturating_add(1);
            self.report.add(too_many("rows of components", number, MOST_ROWS, Some(&node.place)));
            return None;
        }
        let of = |number| Node { place: node.place.clone(), data: Data::Number(number) };
        Some((first..=last).map(of).collect())
    }

    /// The components of a kind.
    fn components(&self, kind: &str, node: &Node) -> Option<Vec<Node>> {
        let mut known: FxHashSet<&Arc<str>> = FxHashSet::default();
        let of = |id: &Arc<str>| Node { place: node.place.clone(), data: Data::Text(id.clone()) };
        let ids = self.all_rows().filter(|row| &*row.kind == kind).filter_map(Row::id);
        let found: Vec<Node> = ids.filter(|id| known.insert(id)).map(of).collect();
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

    /// One of the rows: the last axis runs fastest.
    fn row(&self, row: &Row, axes: &[Axis], at: usize, is_for_seats: bool) -> Option<Row> {
        let mut rest = at;
        let mut chosen: Vec<(&Axis, &Choice)> = Vec::with_capacity(axes.len());
        for axis in axes.iter().rev() {
            chosen.insert(0, (axis, &axis.choices[rest % axis.choices.len()]));
            rest /= axis.choices.len();
        }
        let filling = Filling { spread: self, chosen };
        let mut table = Table::new();
        for (key, entry) in row.node.table()? {
            let added = if &**key == "each" { axes.len() + 1 } else { 1 };
            if !self.charge(added * ENTRY, &entry.key) {
                return None;
            }
            if &**key != "each" {
                let node = if &**key == "name" {
                    filling.name(&entry.node)?
                } else {
                    filling.node(&entry.node, &**key == "id")?
                };
                table.insert(key.clone(), KeyedNode { key: entry.key.clone(), node });
                continue;
            }
            for (axis, choice) in &filling.chosen {
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

    fn have_ids_of_their_own(&self, rows: &[Row], axes: &[Axis]) -> bool {
        let mut known: FxHashSet<&Arc<str>> = FxHashSet::default();
        let Some(twice) = rows.iter().find(|row| row.id().is_some_and(|id| !known.insert(id))) else { return true };
        let id = twice.id().expect("it was found by its id");
        self.report.add(one_id(id, rows.len(), twice.place(), axes));
        false
    }

    /// What people call a word in a language: as the component of that id, or among the words of the game.
    fn called(&self, word: &str, language: Language) -> Option<&str> {
        let names = self.names.get_or_init(|| {
            let mut names: FxHashMap<&str, Option<&Node>> = FxHashMap::default();
            for (id, row) in self.all_rows().filter_map(|row| Some((row.id()?, row))) {
                let name = || row.node.table().and_then(|table| Some(&table.get("name")?.node));
                names.entry(id).or_insert_with(name);
            }
            names
        });
        let name = names.get(word).copied().flatten();
        name.and_then(|name| said(name, language)).or_else(|| {
            let trees = std::iter::once(self.words).chain(self.below);
            let mut words = trees.filter_map(|tree| tree.root.get("words")?.node.table());
            words.find_map(|words| said(&words.get(word)?.node, language))
        })
    }
}

/// What a text says in a language.
fn said(node: &Node, language: Language) -> Option<&str> {
    match &node.data {
        Data::Text(text) if language == Language::English => Some(text),
        Data::Table(table) => table.get(language.tag())?.node.text().map(|text| &**text),
        _ => None,
    }
}

/// The room in the texts of a row, and what goes into it.
struct Filling<'a, 's> {
    spread: &'a Spread<'s>,
    chosen: Vec<(&'a Axis, &'a Choice)>,
}

impl Filling<'_, '_> {
    /// What is written, filled; a text that is nothing but room becomes what goes into it, unless it must be a word. `None` where
    /// it names something unknown, or the budget is used up.
    fn node(&self, node: &Node, is_word: bool) -> Option<Node> {
        let inside = match &node.data {
            Data::List(list) => list.len() * ITEM,
            Data::Table(table) => table.len() * ENTRY,
            _ => 0,
        };
        if !self.spread.charge(inside, &node.place) {
            return None;
        }
        let data = match &node.data {
            Data::Text(text) if text.contains('{') => {
                let alone = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).filter(|_| !is_word);
                match alone.and_then(|name| self.choice(name)) {
                    Some(choice) => choice.value.data.clone(),
                    None => Data::Text(self.filled(node, text, &|choice| plain(&choice.value))?.into()),
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

    /// A name: words in it are as people say them, in every language that they are said in.
    fn name(&self, node: &Node) -> Option<Node> {
        let Data::Text(text) = &node.data else {
            let Data::Table(table) = &node.data else { return Some(node.clone()) };
            let filled = table.iter().map(|(tag, entry)| {
                let language = Language::from_tag(tag).unwrap_or_default();
                let node = match entry.node.text() {
                    Some(text) => self.said(&entry.node, text, language)?,
                    None => entry.node.clone(),
                };
                Some((tag.clone(), KeyedNode { key: entry.key.clone(), node }))
            });
            let data = Data::Table(filled.collect::<Option<_>>()?);
            return Some(Node { place: node.place.clone(), data });
        };
        let is_said = |language: &Language| {
            rooms(text).filter_map(|room| self.choice(room)).any(|choice| self.word(choice, *language).is_some())
        };
        let others = || Language::ALL.into_iter().filter(|language| *language != Language::English);
        if !others().any(|language| is_said(&language)) {
            return self.said(node, text, Language::English);
        }
        let spoken = Language::ALL.into_iter().filter(|language| *language == Language::English || is_said(language));
        let filled = spoken.map(|language| {
            let node = self.said(node, text, language)?;
            Some((language.tag().into(), KeyedNode { key: node.place.clone(), node }))
        });
        Some(Node { place: node.place.clone(), data: Data::Table(filled.collect::<Option<_>>()?) })
    }

    fn said(&self, node: &Node, text: &str, language: Language) -> Option<Node> {
        let of = |choice: &Choice| {
            let word = self.word(choice, language).or_else(|| self.word(choice, Language::English));
            word.map_or_else(|| plain(&choice.value).replace('_', " "), str::to_owned)
        };
        let data = Data::Text(self.filled(node, text, &of)?.into());
        Some(Node { place: node.place.clone(), data })
    }

    /// What people call a choice.
    fn word<'c>(&'c self, choice: &'c Choice, language: Language) -> Option<&'c str> {
        let beside = choice.name.as_ref().and_then(|name| said(name, language));
        beside.or_else(|| self.spread.called(choice.value.text()?, language))
    }

    fn choice(&self, name: &str) -> Option<&Choice> {
        self.chosen.iter().find(|(axis, _)| *axis.name == *name).map(|(_, choice)| *choice)
    }

    fn filled(&self, node: &Node, text: &str, of: &dyn Fn(&Choice) -> String) -> Option<String> {
        let mut filled = String::new();
        let mut rest = text;
        if !self.spread.charge(TEXT + text.len(), &node.place) {
            return None;
        }
        while let Some((before, (room, after))) =
            rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            let Some(choice) = self.choice(room) else {
                let known = self.chosen.iter().map(|(axis, _)| &*axis.name);
                self.spread.report.add(no_room(room, &node.place, known));
                return None;
            };
            let word = of(choice);
            // A string that grows is copied into one of twice its length.
            if !self.spread.charge(2 * word.len(), &node.place) {
                return None;
            }
            filled.push_str(before);
            filled.push_str(&word);
            rest = after;
        }
        Some(filled + rest)
    }
}

/// A value as it stands in a text.
fn plain(node: &Node) -> String {
    match &node.data {
        Data::Text(text) => text.to_string(),
        Data::Number(number) => number.to_string(),
        Data::Flag(flag) => flag.to_string(),
        Data::Table(_) | Data::List(_) | Data::Fraction(_) => String::new(),
    }
}

fn said_twice(name: &str, beside: &Place, each: &Place) -> Diagnostic {
    Diagnostic::error("duplicate-key", format!("`{name}` is what the rows differ in, and is said for all of them too"))
        .mark(beside.clone(), "for all of them")
        .mark(each.clone(), "for each")
        .help("take one of the two out")
}

fn no_numbers(place: &Place) -> Diagnostic {
    Diagnostic::error("wrong-type", "numbers are written as the first and the last")
        .mark(place.clone(), "not two numbers")
        .help("write `\"2..10\"`: from 2 to 10, with both; rows do not differ by params, but their `count` may")
}

fn backwards(first: i64, last: i64, place: &Place) -> Diagnostic {
    Diagnostic::error("out-of-range", format!("numbers go up, and {last} lies below {first}"))
        .mark(place.clone(), "no number lies in between")
        .help(format!("write `\"{last}..{first}\"`"))
}

fn no_such_kind<'k>(kind: &str, place: &Place, kinds: impl IntoIterator<Item = &'k str>) -> Diagnostic {
    let found = Diagnostic::error("unknown-kind", format!("there is no kind `{kind}` with components"))
        .mark(place.clone(), "not declared")
        .suggest(kind, kinds);
    if found.help.is_some() { found } else { found.help(format!("write {WAYS}")) }
}

fn circular(row: &Row) -> Diagnostic {
    let place = each_of(row).and_then(|each| each.values().find(|entry| entry.node.text().is_some()));
    let place = place.map_or(row.place(), |entry| &entry.node.place);
    Diagnostic::error("unknown-kind", "rows are made for each component of a kind that is not known before them")
        .mark(place.clone(), "goes back to these rows")
        .help("write the ids as a list")
}

fn one_id(id: &str, number: usize, place: &Place, axes: &[Axis]) -> Diagnostic {
    let names: Vec<String> = axes.iter().map(|axis| format!("{{{}}}", axis.name)).collect();
    Diagnostic::error(
        "duplicate-id",
        format!("this row stands for {number} components, and several would be called `{id}`"),
    )
    .mark(place.clone(), "the same for several")
    .help(format!("name in it what they differ in: `{}`", names.join("_")))
}

fn no_room<'k>(room: &str, place: &Place, known: impl IntoIterator<Item = &'k str>) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let found = Diagnostic::error("unknown-placeholder", format!("the row is not made for each `{room}`"))
        .mark(place.clone(), format!("`{{{room}}}` stands for nothing"))
        .suggest(room, known.iter().copied());
    if found.help.is_some() {
        return found;
    }
    let names: Vec<String> = known.iter().map(|name| format!("`{{{name}}}`")).collect();
    found.help(format!("write {}", names.join(" or ")))
}
