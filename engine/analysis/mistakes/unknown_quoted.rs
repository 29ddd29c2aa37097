//! What is named in quotes and is not there: a code for each sort of thing.

use crate::diagnostic::{Diagnostic, Place, did_you_mean, how_to_declare};
use crate::library::Role;
use std::sync::Arc;

/// A name in quotes of something that is not there.
pub(crate) fn unknown_quoted(roles: &[Role], word: &str, known: &[Arc<str>], here: Place) -> Diagnostic {
    let (code, what, note) = match roles[0] {
        Role::Announcement => ("unknown-text", "there is no text", "not declared"),
        Role::Cell => ("unknown-field", "cells have no", "not a field of cells"),
        Role::Component | Role::Kind if roles.len() > 1 => {
            ("unknown-component", "there is no kind or component", "neither a kind nor a component")
        }
        Role::Component => ("unknown-component", "there is no component", "not the id of a component"),
        Role::Decision => ("unknown-decision", "there is no decision", "not a decision of the game"),
        Role::Direction => {
            ("unknown-direction", "no space lies in the direction", "not a direction of the spaces of the game")
        }
        Role::Ending => ("unknown-ending", "there is no ending", "not an ending of the game"),
        Role::Event => {
            ("unknown-field", "no field names functions as", "not a field that names functions of the rules")
        }
        Role::Fact | Role::Part => ("unknown-field", "nothing has a", "no field, value or zone has this name"),
        Role::Kind => ("unknown-kind", "there is no kind", "not a kind of component"),
        Role::Onto => ("unknown-target", "no spaces are called", "not a sort of space"),
        Role::Question => ("unknown-alteration", "nothing is altered as", "not declared"),
        Role::Relation => ("unknown-relation", "nothing is compared with", "not a relation"),
        Role::Side => ("unknown-side", "no side of a piece is called", "neither up nor down"),
        Role::Zone => ("unknown-zone", "seats have no zone", "not a zone that every seat has one of"),
        Role::Way => ("unknown-way", "no way to lay a piece is called", "not a way to lay a piece"),
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
