//! Which lines of the rules ran, and which of them brought an event about.
//!
//! Rules that are to be watched are compiled from a text with a call before each statement, on the same line; rules
//! that are not cost nothing. Columns of such a text are not those of the file: mistakes are told from the other.

use super::host::Function;
use crate::diagnostic::{Place, Source};
use rhai::{Engine, INT};
use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;

/// The call put before each statement.
const CALL: &str = "__ran_to";

/// A statement that can be run to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Where it stands in its file.
    pub place: Place,
    /// The function it is part of.
    pub function: Arc<str>,
}

/// What ran of the rules of one game on one thread.
#[derive(Debug, Default)]
pub(super) struct Cover {
    points: RefCell<Vec<Point>>,
    hits: RefCell<Vec<u64>>,
    last: Cell<Option<usize>>,
    /// How many events there were when a point brought about the next.
    causes: RefCell<Vec<(usize, usize)>>,
}

/// What ran since it was last asked.
#[derive(Debug, Clone, Default)]
pub struct Covered {
    /// Every statement, and how often it ran.
    pub points: Vec<(Point, u64)>,
    /// The positions of events, each with the position of the statement that brought it about.
    pub causes: Vec<(usize, usize)>,
    /// The statement that ran last.
    pub last: Option<usize>,
}

impl Cover {
    /// Makes the call known that watched rules are full of.
    pub(super) fn register(self: &Rc<Self>, engine: &mut Engine) {
        let cover = self.clone();
        engine.register_fn(CALL, move |at: INT| {
            super::stage::give_back_operation();
            cover.hits.borrow_mut()[at as usize] += 1;
            cover.last.set(Some(at as usize));
        });
    }

    /// The text of a file with a call before each statement of its functions.
    pub(super) fn watched(&self, source: &Arc<Source>) -> String {
        let mut text = String::with_capacity(source.text.len() * 2);
        let mut from = 0;
        for (at, function) in statements(&source.text) {
            text.push_str(&source.text[from..at]);
            let mut points = self.points.borrow_mut();
            let _ = write!(text, "{CALL}({}); ", points.len());
            let place = Place { source: source.clone(), span: at..end_of_statement(&source.text, at) };
            points.push(Point { place, function: function.into() });
            from = at;
        }
        self.hits.borrow_mut().resize(self.points.borrow().len(), 0);
        text.push_str(&source.text[from..]);
        text
    }

    /// The next event is brought about by what ran last.
    pub(super) fn causes(&self, event: usize) {
        if let Some(last) = self.last.get() {
            self.causes.borrow_mut().push((event, last));
        }
    }

    /// What ran since this was last asked.
    pub(super) fn take(&self) -> Covered {
        let points = self.points.borrow();
        let mut hits = self.hits.borrow_mut();
        let fresh = vec![0; hits.len()];
        let ran = std::mem::replace(&mut *hits, fresh);
        Covered {
            points: points.iter().cloned().zip(ran).collect(),
            causes: self.causes.take(),
            last: self.last.take(),
        }
    }
}

/// Whether a function is one of the rules' own, not one written as `|…|`.
pub(super) fn has_name(function: &Function) -> bool {
    !function.name.starts_with("anon$")
}

fn end_of_statement(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let end = rest.find([';', '\n', '{']).unwrap_or(rest.len());
    at + rest[..end].trim_end().len().max(rest.chars().next().map_or(0, char::len_utf8))
}

// ----- finding the statements

/// What a bracket was opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// A list of statements; whether the one under way ends with its block.
    Block { ends_with_block: bool, is_do: bool },
    /// The arms of a `switch`.
    Arms,
    /// `#{ … }`, `( … )` or `[ … ]`.
    Other,
}

/// Where the statements of the functions of a text begin, each with the name of its function.
fn statements(text: &str) -> Vec<(usize, String)> {
    let tokens: Vec<(usize, &str)> = tokens(text);
    let mut found = Vec::new();
    let mut open: Vec<Inside> = Vec::new();
    let mut function = String::new();
    let mut switches: Vec<usize> = Vec::new();
    let mut begins = false;
    for (at, &(offset, token)) in tokens.iter().enumerate() {
        let previous = at.checked_sub(1).map_or("", |before| tokens[before].1);
        if open.is_empty() && previous == "fn" {
            token.clone_into(&mut function);
        }
        let is_end = matches!(token, "}" | ";");
        if std::mem::take(&mut begins) && !is_end && !continues(token, &open) {
            found.push((offset, function.clone()));
            if let Some(Inside::Block { ends_with_block, is_do }) = open.last_mut() {
                *ends_with_block = matches!(token, "if" | "for" | "while" | "loop" | "switch" | "do" | "{");
                *is_do = token == "do";
            }
        }
        match token {
            "switch" => switches.push(open.len()),
            "{" if switches.last() == Some(&open.len()) => {
                switches.pop();
                open.push(Inside::Arms);
            }
            "{" if previous == "#" => open.push(Inside::Other),
            "{" => {
                open.push(Inside::Block { ends_with_block: false, is_do: false });
                begins = true;
            }
            "(" | "[" => open.push(Inside::Other),
            ")" | "]" => drop(open.pop()),
            "}" => {
                open.pop();
                begins = matches!(open.last(), Some(Inside::Block { ends_with_block: true, .. }));
            }
            ";" => begins = matches!(open.last(), Some(Inside::Block { .. })),
            _ => {}
        }
    }
    found
}

/// Whether a token goes on with the statement whose block has just been closed.
fn continues(token: &str, open: &[Inside]) -> bool {
    let is_do = matches!(open.last(), Some(Inside::Block { is_do: true, .. }));
    matches!(token, "else" | "catch" | ".") || (is_do && matches!(token, "while" | "until"))
}

/// The words and signs of a text with their places, without comments; what stands in quotes is one token.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let is_comment = |token: &str| token.starts_with("//") || token.starts_with("/*");
    pieces(text).filter(|(_, token)| !token.starts_with(char::is_whitespace) && !is_comment(token)).collect()
}

/// Where a comment begins that has no end.
pub(super) fn endless_comment(text: &str) -> Option<usize> {
    pieces(text).find(|(_, token)| token.starts_with("/*") && !token[2..].ends_with("*/")).map(|(at, _)| at)
}

/// A text cut into words, signs, quotations and comments, with their places.
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '"' | '`' | '\'' => quoted(rest, first),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        at += length;
        Some((at - length, &rest[..length]))
    })
}

fn quoted(text: &str, mark: char) -> usize {
    let mut is_escaped = false;
    for (at, next) in text.char_indices().skip(1) {
        match next {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            next if next == mark => return at + next.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{endless_comment, statements};

    fn begins(text: &str) -> Vec<&str> {
        let starts = statements(text);
        starts.iter().map(|(at, _)| text[*at..].split([';', '{', '\n', ' ']).next().unwrap_or("")).collect()
    }

    #[test]
    fn a_statement_begins_after_a_brace_or_a_semicolon() {
        let text =
            "/// One; two {\nfn f(a) {\n    let x = #{ a: 1, b: [2] };\n    g(\";{\"); // h;\n    x\n}\nfn g(b) {}\n";
        assert_eq!(begins(text), ["let", "g(\"", "x"]);
        assert!(statements(text).iter().all(|(_, function)| function == "f"));
    }

    #[test]
    fn a_comment_without_an_end_is_found() {
        assert_eq!(endless_comment("fn f() { \"/*\" } /* done */ // /*\n"), None);
        assert_eq!(endless_comment("fn f() {}\n/* begun\nfn g() {}\n"), Some(10));
    }

    #[test]
    fn a_block_ends_a_statement_but_for_what_goes_on() {
        assert_eq!(begins("fn f() { if a { b; } else if c { d } else { e } g }"), ["if", "b", "d", "e", "g"]);
        assert_eq!(begins("fn f() { let x = if a { 1 } else { 2 }; for i in l { i } }"), ["let", "1", "2", "for", "i"]);
        assert_eq!(begins("fn f() { do { a; } while b; loop { c } }"), ["do", "a", "loop", "c"]);
        assert_eq!(begins("fn f() { l.map(|x| { x + 1 }).sum() }"), ["l.map(|x|", "x"]);
    }

    #[test]
    fn arms_of_a_switch_begin_nothing_but_in_their_blocks() {
        assert_eq!(begins("fn f() { switch a { 1 => b, 2 => { c; d }, _ => () } e }"), ["switch", "c", "d", "e"]);
    }
}
