//! The mistakes that many parts of the loader find, one function for each kind.

use crate::diagnostic::{Diagnostic, Place, Source, how_to_declare};
use crate::loader::document::node::Node;
use std::sync::Arc;

/// Words of other tools and other languages, each with ours.
const FOREIGN: [(&str, &str); 25] = [
    ("player", "seat"),
    ("bool", "flag"),
    ("boolean", "flag"),
    ("int", "number"),
    ("integer", "number"),
    ("float", "number"),
    ("num", "number"),
    ("string", "word"),
    ("str", "word"),
    ("text", "word"),
    ("enum", "word"),
    ("array", "list"),
    ("fn", "function"),
    ("deck", "pile"),
    ("stack", "pile"),
    ("line", "row"),
    ("circle", "ring"),
    ("board", "grid"),
    ("all", "everybody"),
    ("anybody", "everybody"),
    ("everyone", "everybody"),
    ("public", "everybody"),
    ("none", "nobody"),
    ("hidden", "nobody"),
    ("private", "owner"),
];

/// `name` was given something of the wrong sort.
pub(super) fn wrong_type(name: &str, expected: &str, found: &Node) -> Diagnostic {
    Diagnostic::error("wrong-type", format!("`{name}` must be {expected}"))
        .mark(found.place.clone(), format!("this is {}", found.sort()))
}

/// A number stands in quotes where a word would name something.
pub(super) fn quoted_number(name: &str, number: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("wrong-type", format!("`{name}` must be a number, and `{number}` stands in quotes"))
        .mark(place.clone(), "a word")
        .help(format!("write `{number}` without quotes"))
}

/// A word that must be one of a list is not.
pub(super) fn unknown_word<'a>(
    name: &str,
    written: &str,
    place: &Place,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let found = Diagnostic::error("unknown-word", format!("`{name}` cannot be `{written}`"))
        .mark(place.clone(), "not one of its words");
    with_choice(found, written, &known)
}

/// Something is named that is not declared: `what` is the sort of thing, as in "zone".
pub(super) fn unknown<'a>(
    code: &'static str,
    what: &str,
    written: &str,
    place: &Place,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let found = Diagnostic::error(code, format!("there is no {what} `{written}`")).mark(place.clone(), "not declared");
    let found = suggest(found, written, &known);
    match how_to_declare(code, written) {
        Some(declaration) if found.help.is_none() => found.help(declaration),
        _ => found,
    }
}

/// The same for what is one of a few words of the engine or one of many names of the game: `names` says what these are of.
pub(super) fn unknown_or_name<'a>(
    code: &'static str,
    what: &str,
    written: &str,
    place: &Place,
    words: &[&'a str],
    (names, of): (impl IntoIterator<Item = &'a str>, &str),
) -> Diagnostic {
    let found = unknown(code, what, written, place, words.iter().copied().chain(names));
    if found.help.is_some() {
        return found;
    }
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    found.help(format!("write {} or the name of {of}", words.join(", ")))
}

/// A number lies outside what is allowed.
pub(super) fn out_of_range(name: &str, number: i64, from: i64, to: i64, place: &Place) -> Diagnostic {
    Diagnostic::error("out-of-range", format!("`{name}` is {number}, and must lie between {from} and {to}"))
        .mark(place.clone(), format!("{number} here"))
}

/// The smallest number allowed lies above the largest.
pub(super) fn upside_down(min: i64, max: i64, place: &Place) -> Diagnostic {
    Diagnostic::error("out-of-range", format!("`min` is {min}, and lies above `max`, which is {max}"))
        .mark(place.clone(), format!("more than {max}"))
}

/// There is more of something than the engine takes.
pub(super) fn too_many(what: &str, number: usize, limit: usize, place: Option<&Place>) -> Diagnostic {
    let found = Diagnostic::error("too-many", format!("the game has {number} {what}, and at most {limit} are allowed"));
    match place {
        Some(place) => found.mark(place.clone(), "here it becomes too many"),
        None => found,
    }
}

/// A key that does not go with what else is written in the table.
pub(super) fn misplaced_key(key: &str, place: &Place, why: impl Into<String>) -> Diagnostic {
    Diagnostic::error("misplaced-key", why).mark(place.clone(), format!("`{key}` does not belong here"))
}

/// "Did you mean", or the few words there are.
fn with_choice(found: Diagnostic, written: &str, known: &[&str]) -> Diagnostic {
    let found = suggest(found, written, known);
    if found.help.is_some() || known.is_empty() || known.len() > 8 {
        return found;
    }
    let words: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
    found.help(format!("write {}", words.join(" or ")))
}

/// "Did you mean": our word for one of another language, or the nearest word there is.
fn suggest(found: Diagnostic, written: &str, known: &[&str]) -> Diagnostic {
    let plain = written.to_lowercase();
    let is_it = |foreign: &str| plain == foreign || plain.strip_suffix('s') == Some(foreign);
    let ours = FOREIGN.iter().find(|(foreign, ours)| is_it(foreign) && known.contains(ours));
    match ours {
        Some((_, ours)) => found.help(format!("did you mean `{ours}`?")),
        None => found.suggest(written, known.iter().copied()),
    }
}

/// A file as a whole, whatever stands in it.
pub(in crate::loader) fn whole(path: &str) -> Place {
    Place { source: Arc::new(Source { path: path.to_owned(), text: String::new() }), span: 0..0 }
}
