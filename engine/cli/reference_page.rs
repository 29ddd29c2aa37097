//! The reference of functions as a page of the guide.

use crate::decision::Type;
use crate::library::{Entry, Form, Pattern};
use std::fmt::Write;

const HEAD: &str = "\
# Reference

This page lists the functions, properties and names that rules can use, by topic. `parlour reference` prints the same list
in the terminal, and `parlour reference draw` prints a single entry. Each example is run by a test; the comment after
`//` is its result.

Call a function as `count(deck)`, or on its first argument as `deck.count()`. If several types are listed for a
parameter, the parameter accepts any of them.

";

/// Renders the page in Markdown. Signatures that differ only in their types share one section.
pub(super) fn markdown(entries: &[Entry]) -> String {
    let mut page = HEAD.to_owned();
    for topic in topics(entries) {
        writeln!(page, "- [{topic}](#{})", topic.to_lowercase().replace(',', "").replace(' ', "-"))
            .expect("a text takes a line");
    }
    for topic in topics(entries) {
        writeln!(page, "\n## {topic}").expect("a text takes a line");
        let of_topic: Vec<&Entry> = entries.iter().filter(|entry| entry.topic == topic).collect();
        for (at, entry) in of_topic.iter().enumerate() {
            let alike = |other: &&&Entry| differs_only_in_types(other, entry);
            if !of_topic[..at].iter().any(|other| alike(&other)) {
                page.push_str(&section(
                    &of_topic[at..].iter().copied().filter(|other| alike(&other)).collect::<Vec<_>>(),
                ));
            }
        }
    }
    page
}

/// Returns the distinct topics in the order of the entries.
pub(super) fn topics(entries: &[Entry]) -> Vec<&'static str> {
    let mut topics: Vec<&str> = entries.iter().map(|entry| entry.topic).collect();
    topics.dedup();
    topics
}

/// Renders a function with its signatures, description and examples.
fn section(forms: &[&Entry]) -> String {
    let entry = forms[0];
    let signature = call_text(entry, &entry.params);
    let mut text = format!("\n### `{signature}`\n\n{}\n\n", entry.doc);
    for (at, param) in entry.params.iter().enumerate() {
        let mut types: Vec<Type> = Vec::new();
        for form in forms {
            for of in accepted_types(form, at) {
                if !types.contains(&of) {
                    types.push(of);
                }
            }
        }
        let types: Vec<&str> = types.into_iter().map(Type::word).collect();
        let closing = if at + 1 == entry.params.len() { "\n\n" } else { "; " };
        write!(text, "`{param}`: {}{closing}", types.join(", ")).expect("a text takes a line");
    }
    let examples: Vec<&str> = forms.iter().map(|form| form.example).filter(|example| !example.is_empty()).collect();
    if !examples.is_empty() {
        writeln!(text, "```rhai example\n{}\n```", examples.join("\n")).expect("a text takes a line");
    }
    text
}

/// Returns the types that an entry accepts at a position. For a union, these are the types in its pattern, because the native function
/// declares only `Any`.
fn accepted_types(entry: &Entry, at: usize) -> Vec<Type> {
    match &entry.takes[at] {
        Pattern::Union(all) if entry.types[at] == Type::Any && all.iter().all(|one| one.tag() != Type::Any) => {
            all.iter().map(Pattern::tag).collect()
        }
        _ => vec![entry.types[at]],
    }
}

/// Returns whether two entries differ only in their types and examples.
pub(super) fn differs_only_in_types(one: &Entry, other: &Entry) -> bool {
    (one.topic, &one.name, one.form, &one.params, one.doc)
        == (other.topic, &other.name, other.form, &other.params, other.doc)
}

/// Formats a call of an entry with the given parameters.
pub(super) fn call_text(entry: &Entry, params: &[String]) -> String {
    let rest = || params[1..].join(", ");
    match entry.form {
        Form::Function => format!("{}({})", entry.name, params.join(", ")),
        Form::Property => format!("({}).{}", params[0], entry.name),
        Form::Setter => format!("({}).{} = {}", params[0], entry.name, rest()),
        Form::Index => format!("({})[{}]", params[0], rest()),
        Form::Operator => match params {
            [one, other] => format!("{one} {} {other}", entry.name),
            params => format!("{}{}", entry.name, params.concat()),
        },
        Form::Name => entry.name.clone(),
    }
}
