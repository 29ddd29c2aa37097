//! Names of functions and properties in other programming languages.

use crate::syntax::LOOP;

/// Names from other languages, each with a help text.
const FOREIGN_NAMES: [(&str, &str); 15] = [
    ("append", "write `+`: lists are added"),
    ("each", LOOP.1),
    ("for_each", LOOP.1),
    LOOP,
    ("length", "write `count()`"),
    ("max", "write `largest`"),
    ("min", "write `smallest`"),
    ("pick_random", "write `any_of(list)`"),
    ("rand", "write `roll(sides)`, or `any_of(list)` for one of several"),
    ("randint", "write `roll(sides)`, or `any_of(list)` for one of several"),
    ("random", "write `roll(sides)`, or `any_of(list)` for one of several"),
    ("range", "write `1..=6`"),
    ("size", "write `count()`"),
    ("slice", "write `take(count)`"),
    ("total", "write `sum(fact)`"),
];

/// Returns the help text for a name from another language.
pub(crate) fn foreign_name_help(name: &str) -> Option<String> {
    FOREIGN_NAMES.iter().find(|(word, _)| *word == name).map(|(_, help)| (*help).to_owned())
}
