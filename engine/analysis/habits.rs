//! What other languages call functions and properties.

/// What other languages say, and what to write for it.
const HABITS: [(&str, &str); 15] = [
    ("append", "`+`: lists are added"),
    ("each", "`for x in … { }`"),
    ("for_each", "`for x in … { }`"),
    ("foreach", "`for x in … { }`"),
    ("length", "`count()`"),
    ("max", "`largest`"),
    ("min", "`smallest`"),
    ("pick_random", "`any_of(list)`"),
    ("rand", "`roll(sides)`, or `any_of(list)` for one of several"),
    ("randint", "`roll(sides)`, or `any_of(list)` for one of several"),
    ("random", "`roll(sides)`, or `any_of(list)` for one of several"),
    ("range", "`1..=6`"),
    ("size", "`count()`"),
    ("slice", "`take(count)`"),
    ("total", "`sum(fact)`"),
];

/// What to write for a word of other languages.
pub(crate) fn habit(name: &str) -> Option<String> {
    let meant = HABITS.iter().find(|(word, _)| *word == name)?;
    Some(format!("write {}", meant.1))
}
