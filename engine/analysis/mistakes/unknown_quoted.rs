//! What is named in quotes and is not there: a code for each sort of thing.

use crate::diagnostic::{Diagnostic, Place, did_you_mean, how_to_declare};
use crate::library::NameRole;
use std::sync::Arc;

/// A name in quotes of something that is not there.
pub(crate) fn unknown_quoted(roles: &[NameRole], word: &str, known: &[Arc<str>], here: Place) -> Diagnostic {
    let (code, what, note) = match roles[0] {
        NameRole::Announcement => ("unknown-text", "there is no text", "not declared"),
        NameRole::Cell => ("unknown-field", "cells have no", "not a field of cells"),
        NameRole::Component | NameRole::Kind if roles.len() > 1 => {
            ("unknown-component", "there is no kind or component", "neither a kind nor a component")
        }
        NameRole::Component => ("unknown-component", "there is no component", "not the id of a component"),
        NameRole::Decision => ("unknown-decision", "there is no decision", "not a decision of the game"),
        NameRole::Direction => {
            ("unknown-direction", "no space lies in the direction", "not a direction of the spaces of the game")
        }
        NameRole::Ending => ("unknown-ending", "there is no ending", "not an ending of the game"),
        NameRole::Event => {
            ("unknown-field", "no field names functions as", "not a field that names functions of the rules")
        }
        NameRole::Fact | NameRole::Part => ("unknown-field", "nothing has a", "no field, value or zone has this name"),
        NameRole::Kind => ("unknown-kind", "there is no kind", "not a kind of component"),
        NameRole::Onto => ("unknown-target", "no spaces are called", "not a sort of space"),
        NameRole::Question => ("unknown-alteration", "nothing is altered as", "not declared"),
        NameRole::Relation => ("unknown-relation", "nothing is compared with", "not a relation"),
        NameRole::Side => ("unknown-side", "no side of a piece is called", "neither up nor down"),
        NameRole::Zone => ("unknown-zone", "seats have no zone", "not a zone that every seat has one of"),
        NameRole::Way => ("unknown-way", "no way to lay a piece is called", "not a way to lay a piece"),
    };
    let help = did_you_mean(word, known.iter().map(|name| &**name))
        .or_else(|| how_to_declare(code, word))
        .or_else(|| listed(known));
    let found = Diagnostic::error(code, format!("{what} `{word}`")).mark(here, note);
    help.into_iter().fold(found, Diagnostic::help)
}

/// The few words there are.
pub(super) fn listed(names: &[Arc<str>]) -> Option<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        let name = format!("`\"{name}\"`");
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    match seen.as_slice() {
        [one] => Some(format!("write {one}")),
        [several @ .., last] if seen.len() <= 8 => Some(format!("write {} or {last}", several.join(", "))),
        _ => None,
    }
}
