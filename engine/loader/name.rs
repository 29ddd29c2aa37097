//! Rules for names that authors choose: allowed characters, reserved names, and uniqueness.

use super::keys::form::TableSpec;
use super::report::Report;
use crate::diagnostic::{Diagnostic, Place};
use crate::library::RESERVED_NAMES;
use crate::loader::document::node::PROVENANCE;
use crate::model::{FamilyId, KindId};
use crate::syntax::is_reserved;
use std::sync::Arc;

/// Names that a kind cannot have, in addition to the section names of a game's files.
const RESERVED_KIND_NAMES: [&str; 5] = ["seat", "game", "piece", "space", PROVENANCE];

/// Namespace in which scripts look up a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Zones, params and options, which scripts write without a prefix.
    Global,
    /// Members of a seat.
    Seat,
    /// Members of the components and pieces of a kind.
    Kind(KindId),
    /// Members of the spaces in a family of zones.
    Space(FamilyId),
}

/// The names declared so far.
#[derive(Debug, Default)]
pub(super) struct DeclaredNames(Vec<DeclaredName>);

#[derive(Debug)]
struct DeclaredName {
    scope: Scope,
    name: Arc<str>,
    what: &'static str,
    place: Place,
}

impl DeclaredNames {
    /// Declares `name`. `what` describes the declared item, such as "a zone". Reports a mistake if the scope already has this name.
    pub(super) fn declare(
        &mut self,
        scope: Scope,
        name: &Arc<str>,
        what: &'static str,
        place: &Place,
        report: &Report,
    ) {
        match self.0.iter().find(|known| known.scope == scope && known.name == *name) {
            Some(first) => report.add(shared(first, name, what, place)),
            None => self.0.push(DeclaredName { scope, name: name.clone(), what, place: place.clone() }),
        }
    }
}

/// Reports a malformed name. A name must consist of lowercase letters, digits and `_`, start with a letter, and have at most
/// [`MAX_NAME_LENGTH`] bytes.
pub(super) fn check_name(name: &str, what: &str, place: &Place, report: &Report) {
    if !is_name(name) {
        report.add(bad_name(name, what, place, suggest_name(name).as_deref()));
    }
}

/// Like [`check_name`], but for the id of a component or a game, which may also contain `-`.
pub(super) fn check_id(name: &str, what: &str, place: &Place, report: &Report) {
    if !is_name(&name.replace('-', "_")) {
        report.add(bad_name(name, what, place, suggest_name(name).as_deref()));
    }
}

/// Like [`check_name`], but for a global name in scripts. Also reports reserved words and names that every game has.
pub(super) fn check_script_name(name: &str, what: &str, place: &Place, report: &Report) {
    check_name(name, what, place, report);
    if is_reserved(name) {
        report.add(reserved(name, "the script language", place));
    } else if RESERVED_NAMES.contains(&name) {
        report.add(reserved(name, "every game", place));
    }
}

/// Like [`check_name`], but for a field. Also reports reserved words. Unlike [`check_script_name`], allows names that every game has.
pub(super) fn check_field_name(name: &str, place: &Place, report: &Report) {
    check_name(name, "a field", place, report);
    if is_reserved(name) {
        report.add(reserved(name, "the script language", place));
    }
}

/// Like [`check_name`], but for a kind. Also reports reserved words, names of sections, and [`RESERVED_KIND_NAMES`].
pub(super) fn check_kind_name(name: &str, sections: &TableSpec, place: &Place, report: &Report) {
    check_name(name, "a kind", place, report);
    if is_reserved(name) {
        report.add(reserved(name, "the script language", place));
    } else if RESERVED_KIND_NAMES.contains(&name) || sections.names().any(|section| section == name) {
        report.add(reserved(name, "every game", place));
    }
}

/// Like [`check_name`], but for a rule function. The name may start with `_`. Also reports reserved words.
pub(super) fn check_function_name(name: &str, place: &Place, report: &Report) {
    if is_reserved(name) {
        report.add(reserved(name, "the script language", place));
    } else {
        check_name(name.trim_start_matches('_'), "a function", place, report);
    }
}

/// Maximum length of a name in bytes. The limit saves memory, because names are repeated in the paths of zones.
const MAX_NAME_LENGTH: usize = 100;

fn is_name(name: &str) -> bool {
    name.len() <= MAX_NAME_LENGTH
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Returns a valid name close to `name`, if there is one.
fn suggest_name(name: &str) -> Option<String> {
    let letters = name.trim().to_ascii_lowercase().replace([' ', '-', '.', '/'], "_");
    let fixed: String = letters.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let fixed = fixed.trim_start_matches(|c: char| !c.is_ascii_lowercase());
    is_name(fixed).then(|| fixed.to_owned())
}

fn bad_name(name: &str, what: &str, place: &Place, better: Option<&str>) -> Diagnostic {
    if name.len() > MAX_NAME_LENGTH {
        let begin: String = name.chars().take(20).collect();
        return Diagnostic::error("bad-name", format!("`{begin}…` is too long for the name of {what}"))
            .mark(place.clone(), format!("{} bytes", name.len()))
            .help(format!("write a name of at most {MAX_NAME_LENGTH} letters"));
    }
    let found = Diagnostic::error("bad-name", format!("`{name}` cannot be the name of {what}"))
        .mark(place.clone(), "not only lower-case letters, digits and `_`");
    match better {
        Some(better) => found.help(format!("write `{better}`")),
        None => found.help("begin with a lower-case letter from a to z"),
    }
}

fn reserved(name: &str, by: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("reserved-name", format!("the name `{name}` is used by {by}"))
        .mark(place.clone(), "a reserved name")
        .help(format!("write `{name}_` or another name"))
}

fn shared(first: &DeclaredName, name: &str, what: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("shared-name", format!("{what} and {} share the name `{name}` in scripts", first.what))
        .mark(place.clone(), what)
        .mark(first.place.clone(), first.what)
        .help("give one of the two another name")
}
