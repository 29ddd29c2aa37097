//! What other languages call functions and properties.

use crate::syntax::LOOP;

/// What other languages say, and what to write for it.
const HABITS: [(&str, &str); 15] = [
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

/// What to write for a word of other languages.
pub(crate) fn habit(name: &str) -> Option<String> {
    HABITS.iter().find(|(word, _)| *word == name).map(|(_, help)| (*help).to_owned())
}
