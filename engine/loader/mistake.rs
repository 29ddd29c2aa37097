//! Constructors for diagnostics that several parts of the loader report, one function for each kind of mistake.

use crate::diagnostic::{Diagnostic, Place, Source, how_to_declare};
use crate::loader::document::node::Node;
use crate::loader::keys::form::WordList;
use std::sync::Arc;

/// Terms of other tools and programming languages, each with the term in Parlour.
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

/// Creates the diagnostic for a value of the wrong type. `expected` completes the sentence "`name` must be …".
pub(super) fn wrong_type(name: &str, expected: &str, found: &Node) -> Diagnostic {
    Diagnostic::error("wrong-type", format!("`{name}` must be {expected}"))
        .mark(found.place.clone(), format!("this is {}", found.sort()))
}

/// Creates the diagnostic for a number in quotes where a number or a name is expected.
pub(super) fn quoted_number(name: &str, number: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("wrong-type", format!("`{name}` must be a number, but `{number}` is in quotes"))
        .mark(place.clone(), "a word")
        .help(format!("write `{number}` without quotes"))
}

/// Creates the diagnostic for a word that is not one of the allowed words `known`.
pub(super) fn unknown_word<'a>(
    name: &str,
    word: &str,
    place: &Place,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let found = Diagnostic::error("unknown-word", format!("`{name}` cannot be `{word}`"))
        .mark(place.clone(), "not one of its words");
    suggest_or_list(found, word, &known)
}

/// Creates the diagnostic for a word that is listed twice.
pub(super) fn word_twice(name: &str, word: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("duplicate-id", format!("`{name}` lists `{word}` twice")).mark(place.clone(), "the second time")
}

/// Creates the diagnostic for a name that is used but not declared. `what` is the noun for the declared item, such as "zone".
pub(super) fn unknown<'a>(
    code: &'static str,
    what: &str,
    word: &str,
    place: &Place,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let found = Diagnostic::error(code, format!("there is no {what} `{word}`")).mark(place.clone(), "not declared");
    let found = suggest(found, word, &known);
    match how_to_declare(code, word) {
        Some(declaration) if found.help.is_none() => found.help(declaration),
        _ => found,
    }
}

/// Like [`unknown`], but for a value that may be one of the engine's `words` or one of the game's `names`. `owner` completes the help
/// "write … or the name of …".
pub(super) fn unknown_or_name<'a>(
    code: &'static str,
    what: &str,
    word: &str,
    place: &Place,
    words: &dyn WordList,
    names: impl IntoIterator<Item = &'a str>,
    owner: &str,
) -> Diagnostic {
    let words = words.words();
    let found = unknown(code, what, word, place, words.iter().copied().chain(names));
    if found.help.is_some() {
        return found;
    }
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    found.help(format!("write {} or the name of {owner}", words.join(", ")))
}

/// Creates the diagnostic for a number outside `from..=to`.
pub(super) fn out_of_range(name: &str, number: i64, from: i64, to: i64, place: &Place) -> Diagnostic {
    Diagnostic::error("out-of-range", format!("`{name}` is {number}, but must be between {from} and {to}"))
        .mark(place.clone(), format!("{number} here"))
}

/// Creates the diagnostic for a `min` that is greater than the `max` next to it.
pub(super) fn inverted_range(min: i64, max: i64, place: &Place) -> Diagnostic {
    Diagnostic::error("out-of-range", format!("`min` is {min}, which is above `max`, {max}"))
        .mark(place.clone(), format!("more than {max}"))
}

/// Creates the diagnostic for exceeding a limit of the engine. `what` is the plural noun of the counted items. `place` is the place where
/// the limit is exceeded, if known.
pub(super) fn too_many(what: &str, number: usize, limit: usize, place: Option<&Place>) -> Diagnostic {
    let found = Diagnostic::error("too-many", format!("the game has {number} {what}, but at most {limit} are allowed"));
    match place {
        Some(place) => found.mark(place.clone(), "the limit is exceeded here"),
        None => found,
    }
}

/// Creates the diagnostic for a key that contradicts the rest of its table. `why` is the whole message.
pub(super) fn misplaced_key(key: &str, place: &Place, why: impl Into<String>) -> Diagnostic {
    Diagnostic::error("misplaced-key", why).mark(place.clone(), format!("`{key}` does not belong here"))
}

/// Adds a help: "did you mean", or the list of allowed words if it is short.
fn suggest_or_list(found: Diagnostic, word: &str, known: &[&str]) -> Diagnostic {
    let found = suggest(found, word, known);
    if found.help.is_some() || known.is_empty() || known.len() > 8 {
        return found;
    }
    let words: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
    found.help(format!("write {}", words.join(" or ")))
}

/// Adds a "did you mean" help: Parlour's word for a foreign term, or the known name closest to `word`.
fn suggest(found: Diagnostic, word: &str, known: &[&str]) -> Diagnostic {
    let plain = word.to_lowercase();
    let matches = |foreign: &str| plain == foreign || plain.strip_suffix('s') == Some(foreign);
    let own_word = FOREIGN.iter().find(|(foreign, own_word)| matches(foreign) && known.contains(own_word));
    match own_word {
        Some((_, own_word)) => found.help(format!("did you mean `{own_word}`?")),
        None => found.suggest(word, known.iter().copied()),
    }
}

/// Returns a place that stands for a whole file, for mistakes without a position in the file.
pub(in crate::loader) fn whole_file(path: &str) -> Place {
    Place { source: Arc::new(Source { path: path.to_owned(), text: String::new() }), span: 0..0 }
}
