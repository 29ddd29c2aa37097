//! Applies `--set` changes from the command line.

use crate::diagnostic::{Diagnostic, Place, Source, nearest};
use crate::loader::document::merge::merge_node;
use crate::loader::document::node::{Data, KeyedNode, Node, Table, is_by_players, is_count, param_value};
use crate::loader::document::toml_reader::parse_value;
use crate::loader::document::tree::Tree;
use crate::loader::mistake::{unknown, wrong_type};
use crate::loader::report::Report;
use crate::loader::section::param::{PARAM, VALUE};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// One change: a path, and the value to write there.
struct Change<'a> {
    segments: Vec<Segment<'a>>,
    value: Node,
    players: &'a RangeInclusive<u8>,
    report: &'a Report,
}

/// One segment of a dotted path.
#[derive(Debug, Clone)]
struct Segment<'a> {
    name: &'a str,
    place: Place,
}

impl Tree {
    /// Applies one change. `path` is dotted, as in `params.start_cash.4` or `card.ace.count`. Reports unknown paths and values of the wrong
    /// type.
    pub(in crate::loader) fn set(&mut self, path: &str, value: &str, players: &RangeInclusive<u8>, report: &Report) {
        let source = Arc::new(Source { path: "--set".to_owned(), text: format!("{path}={value}") });
        let mut segments = segments(path, &source);
        let Some(value) = parse_value(&source, path.len() + 1, report) else { return };
        if let [section, param] = &segments[..]
            && section.name == "params"
            && self.param_entries(param.name).is_some()
            && value.table().is_some_and(|parts| !is_described(parts))
        {
            // If the value of a param is a table, a new table replaces the entries and keeps the description.
            segments.push(Segment { name: VALUE.name, place: param.place.clone() });
        }
        let change = Change { segments, value, players, report };
        if let Some((name, known)) = self.param_type(&change)
            && known != param_value(&change.value).sort()
        {
            return report.add(wrong_type(name, known, param_value(&change.value)));
        }
        let first = change.segments[0].name;
        if matches!(first, "targets" | "expected") && !self.root.contains_key(first) {
            self.root.insert(first.into(), empty_section(&change.segments[0].place));
        }
        if first == "options" {
            report.add(option_is_not_data(&change.segments[0].place));
        } else if first == "game" {
            report.add(identity_is_fixed(&change.segments[0].place));
        } else if let Some(entry) = self.root.get_mut(first) {
            change.write_at(&mut entry.node, 1);
            self.split_patterns();
        } else if self.rows.iter().any(|row| &*row.kind == first) {
            self.set_row(&change);
        } else {
            report.add(self.unknown_path(path, &change.segments[0]));
        }
    }

    /// Returns the entries of a param whose value is a table.
    fn param_entries(&self, name: &str) -> Option<&Table> {
        let (_, entry) = self.section("params").find(|(known, _)| ***known == *name)?;
        table_entries(entry.node.table()?)
    }

    /// Returns the name and the type of the param, or of the entry of a param, that a change sets. Returns `None` if the change does not
    /// set a param's value.
    fn param_type<'c>(&self, change: &Change<'c>) -> Option<(&'c str, &'static str)> {
        let [section, name, rest @ ..] = &change.segments[..] else { return None };
        let entry = rest.last().and_then(|last| self.param_entries(name.name)?.get(last.name));
        if let Some((entry, last)) = entry.zip(rest.last()).filter(|_| section.name == "params") {
            return Some((last.name, entry.node.sort()));
        }
        let is_whole = rest.iter().all(|segment| segment.name == VALUE.name || is_count(segment.name));
        let (_, entry) = self.section(section.name).find(|(known, _)| ***known == *name.name)?;
        (section.name == "params" && is_whole).then(|| (name.name, param_value(&entry.node).sort()))
    }

    /// Applies a change to a component row. A count of 0 removes the row.
    fn set_row(&mut self, change: &Change<'_>) {
        let kind = change.segments[0].name;
        let Some(id) = change.segments.get(1) else {
            return change.report.add(path_too_short(kind, &change.segments[0].place));
        };
        let Some(at) =
            self.rows.iter().position(|row| &*row.kind == kind && row.id().is_some_and(|known| **known == *id.name))
        else {
            let known = self.rows.iter().filter(|row| &*row.kind == kind).filter_map(|row| row.id());
            return change.report.add(unknown("unknown-path", kind, id.name, &id.place, known.map(|id| &**id)));
        };
        let is_count = matches!(&change.segments[2..], [last] if last.name == "count");
        if is_count && change.value.number() == Some(0) {
            self.rows.remove(at);
        } else {
            change.write_at(&mut self.rows[at].node, 2);
        }
    }

    /// Creates the diagnostic for a path whose first segment is unknown. Suggests a param, zone or component with a similar name.
    fn unknown_path(&self, path: &str, first: &Segment<'_>) -> Diagnostic {
        let kinds = self.kind_names();
        let sections = self.root.keys().chain(kinds).map(|name| &**name);
        let found = unknown("unknown-path", "part of the game", first.name, &first.place, sections);
        let deeper =
            ["params", "zones"].map(|section| self.section(section).map(move |(name, _)| (section.to_owned(), name)));
        let rows = self.rows.iter().filter_map(|row| Some((row.kind.to_string(), row.id()?)));
        let names: Vec<(String, &Arc<str>)> = deeper.into_iter().flatten().chain(rows).collect();
        let near = nearest(first.name, names.iter().map(|(_, name)| &***name));
        match names.iter().find(|(_, name)| near == Some(&***name)) {
            Some((section, name)) => {
                let rest = &path[first.name.len().min(path.len())..];
                found.help(format!("did you mean `{section}.{name}{rest}`?"))
            }
            None => found,
        }
    }
}

/// Returns an empty section. Used for optional sections that the game does not have yet.
fn empty_section(place: &Place) -> KeyedNode {
    let node = Node { place: place.clone(), data: Data::Table(Table::new()) };
    KeyedNode { key: place.clone(), node }
}

impl Change<'_> {
    /// Follows the rest of the path from `node`, and writes the value at the end of the path. `depth` is the number of segments that lead
    /// to `node`.
    fn write_at(&self, node: &mut Node, depth: usize) {
        let path: Vec<&str> = self.segments[..depth].iter().map(|segment| segment.name).collect();
        let Some(next) = self.segments.get(depth) else {
            if holds_names(&path) {
                return self.report.add(path_too_short(path[depth - 1], &self.segments[depth - 1].place));
            }
            return merge_node(node, &self.value, &path);
        };
        let is_last = depth + 1 == self.segments.len();
        let is_column = is_last && is_count(next.name);
        match &mut node.data {
            Data::Table(table) => self.descend_table(table, next, &path),
            Data::List(list) if !is_column => self.descend_list(list, next, depth),
            _ if is_column => self.set_column(node, next),
            _ => self.report.add(path_too_long(path[depth - 1], next, node.sort())),
        }
    }

    fn descend_table(&self, table: &mut Table, next: &Segment<'_>, path: &[&str]) {
        if let Some(entry) = table.get_mut(next.name) {
            return self.write_at(&mut entry.node, path.len() + 1);
        }
        let is_last = path.len() + 1 == self.segments.len();
        if !is_last && path == ["targets"] {
            let entry = table.entry(next.name.into()).or_insert_with(|| empty_section(&next.place));
            return self.write_at(&mut entry.node, path.len() + 1);
        }
        if let Some(entry) = table.get_mut(VALUE.name).filter(|_| is_count(next.name) && is_last) {
            return self.set_column(&mut entry.node, next);
        }
        if let ["params", name] = path
            && !PARAM.names().any(|key| key == next.name)
            && let Some(parts) = table_entries(table)
        {
            if !parts.contains_key(next.name) {
                let known = parts.keys().map(|key| &**key);
                let what = format!("entry of `{name}` called");
                return self.report.add(unknown("unknown-path", &what, next.name, &next.place, known));
            }
            let entry = table.get_mut(VALUE.name).expect("its parts are there");
            return self.write_at(&mut entry.node, path.len());
        }
        if is_last && !holds_names(path) {
            table.insert(next.name.into(), KeyedNode { key: next.place.clone(), node: self.value.clone() });
            return;
        }
        let known = table.keys().map(|key| &**key);
        let owner = path.last().copied().unwrap_or_default();
        self.report.add(unknown("unknown-path", &format!("entry of `{owner}` called"), next.name, &next.place, known));
    }

    /// Follows the path into a list. Items are counted from 1.
    fn descend_list(&self, list: &mut [Node], next: &Segment<'_>, depth: usize) {
        let length = list.len();
        let at = next.name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match at.and_then(|at| list.get_mut(at)) {
            Some(node) => self.write_at(node, depth + 1),
            None => self.report.add(no_such_entry(next, length)),
        }
    }

    /// Sets the value for one number of players. A plain value is first copied to every number of players.
    fn set_column(&self, node: &mut Node, next: &Segment<'_>) {
        if !matches!(node.data, Data::Table(_)) {
            let columns = self
                .players
                .clone()
                .map(|count| (count.to_string().into(), KeyedNode { key: node.place.clone(), node: node.clone() }));
            *node = Node { place: node.place.clone(), data: Data::Table(columns.collect()) };
        }
        if let Data::Table(table) = &mut node.data {
            table.insert(next.name.into(), KeyedNode { key: next.place.clone(), node: self.value.clone() });
        }
    }
}

/// Returns the entries of a param whose value is a table. Returns `None` for any other value, and for a table with values by number of
/// players.
fn table_entries(param: &Table) -> Option<&Table> {
    VALUE.value_in(param)?.table().filter(|parts| !is_by_players(parts))
}

/// Returns whether a table describes a param with keys such as `value` and `min`, or has values by number of players.
fn is_described(table: &Table) -> bool {
    is_by_players(table) || PARAM.names().any(|key| table.contains_key(key))
}

/// Returns whether a change may neither replace the table at `path` nor add keys to it. This holds for most sections, because their keys
/// are usually names chosen by the author.
fn holds_names(path: &[&str]) -> bool {
    match path {
        ["flow" | "targets" | "expected"] => false,
        [_] | ["values", _] => true,
        _ => false,
    }
}

fn segments<'a>(path: &'a str, source: &Arc<Source>) -> Vec<Segment<'a>> {
    let mut at = 0;
    let mut found = Vec::new();
    for part in path.split('.') {
        let start = at + (part.len() - part.trim_start().len());
        let name = part.trim();
        found.push(Segment { name, place: Place { source: source.clone(), span: start..start + name.len() } });
        at += part.len() + 1;
    }
    found
}

fn option_is_not_data(place: &Place) -> Diagnostic {
    Diagnostic::error("unknown-path", "an option is chosen, not set")
        .mark(place.clone(), "not part of the data")
        .help("use `--option` instead")
}

fn identity_is_fixed(place: &Place) -> Diagnostic {
    Diagnostic::error("unknown-path", "the identity of the game is only set in `game.toml`")
        .mark(place.clone(), "not data that can be changed")
        .help("use `--players` for the number of players, or change the file")
}

fn path_too_short(name: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("unknown-path", format!("`{name}` is a whole table of the game"))
        .mark(place.clone(), "the path ends too early")
        .help("add the name of an entry, as in `params.start_cash`")
}

fn path_too_long(owner: &str, next: &Segment<'_>, sort: &str) -> Diagnostic {
    Diagnostic::error("unknown-path", format!("there is nothing inside `{owner}`, which is {sort}"))
        .mark(next.place.clone(), "the path goes on too far")
}

fn no_such_entry(next: &Segment<'_>, length: usize) -> Diagnostic {
    Diagnostic::error("unknown-path", format!("the list has no entry `{}`", next.name))
        .mark(next.place.clone(), format!("its entries are numbered from 1 to {length}"))
}
