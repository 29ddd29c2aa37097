//! Holds what types are called: a name stands for few of them, and of what other parts use for hardly more than one.

use crate::sources::engine;
use std::collections::BTreeMap;

/// How many types of the engine may have one name, each in a file of its own.
const MOST: usize = 3;

/// How many of them may be seen outside of their part: a declaration in the files (`model`), and what becomes of it in a game, are
/// called alike.
const MOST_PUBLIC: usize = 2;

#[test]
fn a_name_stands_for_few_types() {
    let mut all: BTreeMap<String, Vec<(String, bool)>> = BTreeMap::new();
    for (path, text) in engine() {
        if path.contains("tests") {
            continue;
        }
        for line in text.split("#[cfg(test)]\nmod tests {").next().unwrap().lines() {
            if let Some((name, is_public)) = declared(line) {
                all.entry(name.to_owned()).or_default().push((path.clone(), is_public));
            }
        }
    }
    assert!(all.len() > 500, "types are found: {}", all.len());
    let public = |of: &[(String, bool)]| of.iter().filter(|(_, is_public)| *is_public).count();
    let too_many: Vec<_> = all.iter().filter(|(_, of)| of.len() > MOST || public(of) > MOST_PUBLIC).collect();
    assert!(too_many.is_empty(), "these want names that say what they are: {too_many:#?}");
}

/// The type that a line declares, and whether it is seen outside of its part. A `type` that stands inside something is what a trait
/// asks for by that name.
fn declared(line: &str) -> Option<(&str, bool)> {
    let is_inside = line.starts_with(' ');
    let line = line.trim_start();
    let rest = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => line,
    };
    let rest = rest.trim_start();
    let alias = rest.strip_prefix("type ").filter(|_| !is_inside);
    let name = ["struct ", "enum ", "trait "].iter().find_map(|word| rest.strip_prefix(word)).or(alias)?;
    let end = name.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(name.len());
    Some((&name[..end], line.starts_with("pub ")))
}

#[test]
fn declarations_are_found() {
    assert_eq!(declared("pub struct Model {"), Some(("Model", true)));
    assert_eq!(declared("    pub(super) enum Kind<'a> {"), Some(("Kind", false)));
    assert_eq!(declared("trait Judge: Send {"), Some(("Judge", false)));
    assert_eq!(declared("pub type Answer<T> = Result<T, Fault>;"), Some(("Answer", true)));
    assert_eq!(declared("    type Item = Piece;"), None);
    assert_eq!(declared("/// struct"), None);
    assert_eq!(declared("let structure = 1;"), None);
}
