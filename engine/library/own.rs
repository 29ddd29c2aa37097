//! The functions and properties of the language's own types: lists, maps, texts, numbers and ranges.

use super::pattern::{Pattern, Written};
use std::sync::LazyLock;

/// A function of the language's own types, for one list of parameters.
#[derive(Debug, Clone)]
pub struct Own {
    /// Its name.
    pub name: &'static str,
    /// The names of its parameters, what stands before the dot first.
    pub params: Vec<String>,
    /// What they take.
    pub takes: Vec<Pattern>,
    /// What it results in.
    pub result: Pattern,
    /// Whether it changes what stands before the dot in place.
    pub changes: bool,
}

/// The functions, each as it is written down: its name, what it takes, and what it results in. `!` stands before those that
/// change what stands before the dot in place.
const FUNCTIONS: &[&str] = &[
    // Lists.
    "len list:list -> number",
    "is_empty list:list -> flag",
    "!push list:list<T> item:U -> ()",
    "!pop list:list<T> -> T?",
    "!shift list:list<T> -> T?",
    "!insert list:list<T> at:number item:U -> ()",
    "!remove list:list<T> at:number -> T?",
    "!clear list:list -> ()",
    "!truncate list:list count:number -> ()",
    "!chop list:list count:number -> ()",
    "!reverse list:list -> ()",
    "!append list:list<T> more:list<U> -> ()",
    "!extract list:list<T> from:number -> list<T>",
    "!extract list:list<T> from:number count:number -> list<T>",
    "!extract list:list<T> among:range -> list<T>",
    "!splice list:list<T> from:number count:number more:list<U> -> ()",
    "!splice list:list<T> among:range more:list<U> -> ()",
    "contains list:list<T> item:any -> flag",
    "index_of list:list<T> item:any -> number",
    "index_of list:list<T> item:any from:number -> number",
    "index_of list:list<T> wanted:T=>flag -> number",
    "get list:list<T> at:number -> T?",
    "map list:list<T> what:T=>U -> list<U>",
    "filter list:list<T> wanted:T=>flag -> list<T>",
    "find list:list<T> wanted:T=>flag -> T?",
    "find_map list:list<T> what:T=>U -> U?",
    "some list:list<T> wanted:T=>flag -> flag",
    "all list:list<T> wanted:T=>flag -> flag",
    "reduce list:list<T> step:(any,T)=>any -> any",
    "reduce list:list<T> step:(any,T)=>any from:any -> any",
    "!retain list:list<T> wanted:T=>flag -> list<T>",
    "!drain list:list<T> wanted:T=>flag -> list<T>",
    "!dedup list:list -> ()",
    "!sort list:list -> ()",
    "zip list:list<T> other:list<U> what:(T,U)=>V -> list<V>",
    // Maps.
    "len map:map -> number",
    "is_empty map:map -> flag",
    "contains map:map name:text -> flag",
    "keys map:map -> list<text>",
    "values map:map -> list<any>",
    "get map:map name:text -> any",
    "!remove map:map name:text -> any",
    "!clear map:map -> ()",
    // Texts.
    "len text:text -> number",
    "is_empty text:text -> flag",
    "contains text:text part:text -> flag",
    "starts_with text:text part:text -> flag",
    "ends_with text:text part:text -> flag",
    "index_of text:text part:text -> number",
    "get text:text at:number -> text?",
    "sub_string text:text from:number -> text",
    "sub_string text:text from:number count:number -> text",
    "sub_string text:text among:range -> text",
    "split text:text -> list<text>",
    "split text:text by:text -> list<text>",
    "to_upper text:text -> text",
    "to_lower text:text -> text",
    "!trim text:text -> ()",
    "to_string what:any -> text",
    // Numbers.
    "abs number:number -> number",
    "sign number:number -> number",
    "min number:number other:number -> number",
    "max number:number other:number -> number",
    "is_odd number:number -> flag",
    "is_even number:number -> flag",
    "is_zero number:number -> flag",
    // Ranges.
    "range from:number to:number -> range",
    "range from:number to:number step:number -> list<number>",
    "contains range:range number:number -> flag",
    "is_empty range:range -> flag",
    // Lists, with a position as well.
    "map list:list<T> what:(T,number)=>U -> list<U>",
    "filter list:list<T> wanted:(T,number)=>flag -> list<T>",
    "find list:list<T> wanted:(T,number)=>flag -> T?",
    "find_map list:list<T> what:(T,number)=>U -> U?",
    "some list:list<T> wanted:(T,number)=>flag -> flag",
    "all list:list<T> wanted:(T,number)=>flag -> flag",
    "!retain list:list<T> wanted:(T,number)=>flag -> list<T>",
    "!drain list:list<T> wanted:(T,number)=>flag -> list<T>",
    "reduce list:list<T> step:(any,T,number)=>any -> any",
    "reduce list:list<T> step:(any,T,number)=>any from:any -> any",
    "reduce list:list<T> step:T=>any -> any",
    "index_of list:list<T> wanted:T=>flag from:number -> number",
];

/// What stands behind a dot without brackets.
const PROPERTIES: &[&str] = &[
    "len list:list -> number",
    "len map:map -> number",
    "len text:text -> number",
    "is_empty list:list -> flag",
    "is_empty map:map -> flag",
    "is_empty text:text -> flag",
    "is_empty range:range -> flag",
    "is_odd number:number -> flag",
    "is_even number:number -> flag",
    "is_zero number:number -> flag",
    "start range:range -> number",
    "end range:range -> number",
];

/// The functions of the language's own types.
pub fn functions() -> &'static [Own] {
    static ALL: LazyLock<Vec<Own>> = LazyLock::new(|| FUNCTIONS.iter().map(|text| Own::read(text)).collect());
    &ALL
}

/// What the language's own types have behind a dot.
pub fn properties() -> &'static [Own] {
    static ALL: LazyLock<Vec<Own>> = LazyLock::new(|| PROPERTIES.iter().map(|text| Own::read(text)).collect());
    &ALL
}

/// Whether the language's own types have a function of a name that takes so many arguments.
pub fn has_function(name: &str, total: usize) -> bool {
    functions().iter().any(|own| own.name == name && own.params.len() == total)
}

/// How many arguments the language's own functions of a name take, what stands before the dot counted.
pub fn counts(name: &str) -> impl Iterator<Item = usize> {
    functions().iter().filter(move |own| own.name == name).map(|own| own.params.len())
}

/// Whether a function of a name changes what stands before its dot in place: one of the language's own types, or one of the
/// library that sets of things have as lists have it.
pub fn changes_in_place(name: &str) -> bool {
    static ALL: LazyLock<Vec<&str>> =
        LazyLock::new(|| functions().iter().filter(|own| own.changes).map(|own| own.name).collect());
    ALL.contains(&name)
}

/// Whether the language's own types have a property of a name.
pub fn has_property(name: &str) -> bool {
    properties().iter().any(|own| own.name == name)
}

impl Own {
    fn read(text: &'static str) -> Self {
        let (changes, text) = text.strip_prefix('!').map_or((false, text), |text| (true, text));
        let (name, text) = text.split_once(' ').expect("a name stands before what it takes");
        let Written { params, result } = Written::read(text);
        let (params, takes): (Vec<String>, Vec<Option<Pattern>>) = params.into_iter().unzip();
        let takes = takes.into_iter().map(|takes| takes.expect("every parameter says what it takes")).collect();
        Self { name, params, takes, result: result.expect("every function says what it results in"), changes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read_and_says_nothing_twice() {
        for all in [functions(), properties()] {
            for (at, own) in all.iter().enumerate() {
                let is_same = |other: &Own| other.name == own.name && other.takes == own.takes;
                assert!(!all[..at].iter().any(is_same), "`{}` is written once", own.name);
            }
        }
        assert!(has_function("push", 2) && !has_function("push", 1));
        assert!(has_property("len") && !has_property("length"));
    }
}
