//! Messages about names in string literals that do not exist. The static analysis and the runtime share these messages. The code depends on
//! the kind of name.

use super::context::fault::Fault;
use super::pattern::NameRole;
use crate::decision::{ASK_FIRST, Type, holds_some};
use crate::diagnostic::{UnknownField, did_you_mean, how_to_declare, sentence};

/// Creates the fault for a quoted name that does not exist, with a suggestion from `known`.
#[cold]
pub(crate) fn unknown_quoted<'k>(roles: &[NameRole], word: &str, known: impl IntoIterator<Item = &'k str>) -> Fault {
    let known: Vec<&str> = known.into_iter().collect();
    let found = unknown(roles, word);
    let help = did_you_mean(word, known.iter().copied())
        .or_else(|| match roles {
            // A zone with this name may exist, but not once per seat.
            [NameRole::Zone] => Some("name a zone that has `per = \"seat\"` in game.toml".to_owned()),
            _ => how_to_declare(found.code, word),
        })
        .or_else(|| suggest_names(&known));
    found.maybe_help(help)
}

/// Returns whether a code belongs to a message about a quoted name that does not exist.
pub(crate) fn is_unknown_name_code(code: &str) -> bool {
    NameRole::all().any(|role| unknown(&[role], "").code == code)
}

fn unknown(roles: &[NameRole], word: &str) -> Fault {
    let (code, what, note) = match roles[0] {
        NameRole::Cell => return UnknownField::of_several("cells", word).note("not a field of cells").into(),
        NameRole::Event => {
            return UnknownField::of_nothing(word).note("not a field that names functions of the rules").into();
        }
        NameRole::Fact | NameRole::Measure | NameRole::Part => return UnknownField::of_nothing(word).into(),
        NameRole::Announcement => ("unknown-text", "there is no text", "not declared"),
        NameRole::Component | NameRole::Kind if roles.len() > 1 => {
            ("unknown-component", "there is no kind or component", "neither a kind nor a component")
        }
        NameRole::Component => ("unknown-component", "there is no component", "not the id of a component"),
        NameRole::Decision => ("unknown-decision", "there is no decision", "not a decision of the game"),
        NameRole::Direction => {
            ("unknown-direction", "no space lies in the direction", "not a direction of the spaces of the game")
        }
        NameRole::Ending => ("unknown-ending", "there is no ending", "not an ending of the game"),
        NameRole::Kind => ("unknown-kind", "there is no kind", "not a kind of component"),
        NameRole::Onto => ("unknown-target", "there is no type of space", "not a type of space"),
        NameRole::Alteration => ("unknown-alteration", "nothing is altered as", "not declared"),
        NameRole::Relation => ("unknown-relation", "nothing is compared with", "not a relation"),
        NameRole::Side => ("unknown-side", "there is no side of a piece", "not `up` or `down`"),
        NameRole::Zone => ("unknown-zone", "seats have no zone", "not a zone that every seat has one of"),
        NameRole::Way => ("unknown-way", "there is no way to lay a piece", "not a way to lay a piece"),
    };
    Fault::new(code, format!("{what} `{word}`"), note)
}

/// Returns a help text that lists the known names. Returns `None` if there are none or more than 8.
pub(crate) fn suggest_names(names: &[impl AsRef<str>]) -> Option<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        let name = format!("`\"{}\"`", name.as_ref());
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

/// Creates the fault for `item in of` if a value of type `of` can never contain an item of type `item`.
pub(crate) fn membership_error(item: Type, of: Type) -> Fault {
    let item_is = format!("{} {}", item.one(), if item.is_several() { "are" } else { "is" });
    let help = (item == Type::Nothing).then_some(ASK_FIRST);
    match of {
        Type::Map => sentence::never_a_part(&item_is, help),
        of if holds_some(of) => sentence::never_in(&item_is, &of.one(), help),
        of => sentence::holds_nothing(&of.one()),
    }
}
