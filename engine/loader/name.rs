//! Names an author gives: how they are written, which are taken, and which must not be shared.

use super::keys::form::TableSpec;
use super::report::Report;
use crate::diagnostic::{Diagnostic, Place};
use crate::library::NAMES;
use crate::loader::document::node::PROVENANCE;
use crate::model::{FamilyId, KindId};
use crate::syntax::is_reserved;
use std::sync::Arc;

/// What every game has by these names, beside those that stand alone in rules.
const ENGINE: [&str; 3] = ["box", "rounds_left", "turn"];

/// What cannot be a kind, beside the sections of a game's files.
const NOT_A_KIND: [&str; 5] = ["seat", "game", "piece", "space", PROVENANCE];

/// Where scripts look a name up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Zones, params and options, by their names alone.
    Global,
    /// What a seat has.
    Seat,
    /// What a component or piece of a kind has.
    Kind(KindId),
    /// What a space of a zone has.
    Space(FamilyId),
}

/// The names given so far.
#[derive(Debug, Default)]
pub(super) struct GivenNames(Vec<Given>);

#[derive(Debug)]
struct Given {
    scope: Scope,
    name: Arc<str>,
    what: &'static str,
    place: Place,
}

impl GivenNames {
    /// Gives a name to a thing (`what`, as in "a zone"); two things of one scope must not share it.
    pub(super) fn give(&mut self, scope: Scope, name: &Arc<str>, what: &'static str, place: &Place, report: &Report) {
        match self.0.iter().find(|given| given.scope == scope && given.name == *name) {
            Some(first) => report.add(shared(first, name, what, place)),
            None => self.0.push(Given { scope, name: name.clone(), what, place: place.clone() }),
        }
    }
}

/// Reports a name that is not written as names are: small letters, digits and `_`, a letter first.
pub(super) fn check_name(name: &str, what: &str, place: &Place, report: &Report) {
    if !is_name(name) {
        report.add(bad_name(name, what, place, corrected(name).as_deref()));
    }
}

/// The same for the id of a component or a game, which may have a `-` too.
pub(super) fn check_id(name: &str, what: &str, place: &Place, report: &Report) {
    if !is_name(&name.replace('-', "_")) {
        report.add(bad_name(name, what, place, corrected(name).as_deref()));
    }
}

/// The same for a name that scripts write as a word of their own.
pub(super) fn check_script_name(name: &str, what: &str, place: &Place, report: &Report) {
    check_name(name, what, place, report);
    if is_reserved(name) {
        report.add(reserved(name, "the script language", place));
    } else if ENGINE.contains(&name) || NAMES.iter().any(|(_, known, ..)| *known == name) {
        report.add(reserved(name, "every game", place));
    }
}

/// The same for a field, which may be called like something every game has.
pub(super) fn check_field_name(name: &str, place: &Place, report: &Report) {
    check_name(name, "a field", place, report);
    if is_reserved(name) {
        report.add(reserved(name, "the script language", place));
    }
}

/// The same for a kind.
pub(super) fn check_kind_name(name: &str, sections: &TableSpec, place: &Place, report: &Report) {
    check_name(name, "a kind", place, report);
    if is_reserved(name) {
        report.add(reserved(name, "the script language", place));
    } else if NOT_A_KIND.contains(&name) || sections.names().any(|section| section == name) {
        report.add(reserved(name, "every game", place));
    }
}

/// The same for a function of the rules, which may begin with `_`.
pub(super) fn check_function_name(name: &str, place: &Place, report: &Report) {
    if is_reserved(name) {
        report.add(reserved(name, "the script language", place));
    } else {
        check_name(name.trim_start_matches('_'), "a function", place, report);
    }
}

/// Letters of the longest name: names stand in the paths of zones, each as often as there are zones.
const LONGEST: usize = 100;

fn is_name(name: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The nearest name that is written well, if there is one.
fn corrected(name: &str) -> Option<String> {
    let letters = name.trim().to_ascii_lowercase().replace([' ', '-', '.', '/'], "_");
    let fixed: String = letters.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let fixed = fixed.trim_start_matches(|c: char| !c.is_ascii_lowercase());
    is_name(fixed).then(|| fixed.to_owned())
}

fn bad_name(name: &str, what: &str, place: &Place, better: Option<&str>) -> Diagnostic {
    if name.len() > LONGEST {
        let begin: String = name.chars().take(20).collect();
        return Diagnostic::error("bad-name", format!("`{begin}…` is too long for the name of {what}"))
            .mark(place.clone(), format!("{} bytes", name.len()))
            .help(format!("write a name of at most {LONGEST} letters"));
    }
    let found = Diagnostic::error("bad-name", format!("`{name}` cannot be the name of {what}"))
        .mark(place.clone(), "not small letters, digits and `_`");
    match better {
        Some(better) => found.help(format!("write `{better}`")),
        None => found.help("begin with a small letter from a to z"),
    }
}

fn reserved(name: &str, by: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("reserved-name", format!("the name `{name}` belongs to {by}"))
        .mark(place.clone(), "a reserved name")
        .help(format!("write `{name}_` or another name"))
}

fn shared(first: &Given, name: &str, what: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("shared-name", format!("{what} and {} share the name `{name}` in scripts", first.what))
        .mark(place.clone(), what)
        .mark(first.place.clone(), first.what)
        .help("give one of the two another name")
}
