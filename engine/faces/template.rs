//! Templates of faces: `faces/KIND.html` for the fronts of a kind, `faces/BACK.back.html` for what has a back.
//!
//! A template is text from a stranger. What a machine may do for one is counted in steps, not in time, so that the result is the same
//! everywhere: `if` and `for`, no loop within itself, nothing that grows by doubling, and no more than so many letters.

use super::clean::clean;
use super::complexity::check_face;
use super::face::Face;
use super::mistake;
use super::picture::{Pictures, numbers_in};
use super::printed::Words;
use super::size::{Size, Sizes};
use super::standard::framed;
use super::stylesheet::Scopes;
use super::tokens::{Token, tokens};
use super::variables::{FUNCTIONS, OF_BACKS, OURS, behind, of_back, of_front};
use crate::diagnostic::{Diagnostic, Place, Role, Source, unseen_in};
use crate::model::{ComponentId, Kind, KindId, Language, Model, Seat};
use crate::wording::Wording;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value};
use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// How many steps one face may take, and all of them together.
const FUEL: u64 = 20_000;
const FUEL_OF_ALL: u64 = 20_000_000;

/// The most bytes that a template yields.
const LARGEST: usize = 64 * 1024;

/// The most bytes of a text that a filter makes.
const LONGEST: usize = 16 * 1024;

/// How many things a loop over numbers goes through.
const MOST_NUMBERS: i64 = 1_000;

/// The most operators that put texts or lists together in one place.
const MOST_JOINED: usize = 8;

/// What ends the name of the file of a back.
const BACK: &str = ".back";

/// The words that a tag may begin with.
const TAGS: [&str; 6] = ["if", "elif", "else", "endif", "for", "endfor"];

/// The templates of a game, and what has been found wrong with them.
pub(super) struct Templates<'a> {
    model: &'a Arc<Model>,
    wording: &'a Wording,
    language: Language,
    pictures: &'a Pictures<'a>,
    sizes: &'a Sizes,
    environment: Environment<'static>,
    mistakes: RefCell<Vec<Diagnostic>>,
}

impl<'a> Templates<'a> {
    /// Reads the templates; those that cannot be read are reported and left out.
    pub(super) fn new(
        model: &'a Arc<Model>,
        wording: &'a Wording,
        language: Language,
        pictures: &'a Pictures<'a>,
        sizes: &'a Sizes,
    ) -> Self {
        let environment = environment(model, wording);
        let mut all = Self { model, wording, language, pictures, sizes, environment, mistakes: RefCell::default() };
        for source in &model.faces {
            all.read(source);
        }
        let steps = FUEL_OF_ALL / (model.components.len().max(1) as u64);
        all.environment.set_fuel(Some(steps.clamp(1_000, FUEL)));
        all
    }

    pub(super) fn into_mistakes(self) -> Vec<Diagnostic> {
        self.mistakes.into_inner()
    }

    /// The front that the template of its kind makes; nothing where there is none, or where it fails.
    pub(super) fn front(&self, id: ComponentId, owner: Option<Seat>, scopes: &mut Scopes) -> Option<Face> {
        let kind = self.model.kind_of(id);
        let source = self.source(&kind.id)?;
        let words = Words { model: self.model, wording: self.wording };
        let alters = self.model.component(id).alters.iter().map(|alters| words.alteration(alters)).collect();
        let all = of_front(self.model, self.wording, self.language.tag(), (id, owner), alters);
        let of = &*self.model.component(id).id;
        self.face(source, Value::from(all), (of, self.sizes.of(self.model, id)), scopes)
    }

    /// The back that a template makes for what has it.
    pub(super) fn back(&self, kind: KindId, scopes: &mut Scopes) -> Option<Face> {
        let of = &self.model.kinds[kind.index()];
        let source = self.source(&format!("{}{BACK}", of.back))?;
        let all = of_back(self.model, self.wording, self.language.tag(), kind);
        self.face(source, Value::from(all), (&of.back, self.sizes.of_kind(kind)), scopes)
    }

    fn source(&self, name: &str) -> Option<&'a Arc<Source>> {
        self.model.faces.iter().find(|source| Role::Face.name(&source.path) == name)
    }

    fn face(
        &self,
        source: &'a Arc<Source>,
        variables: Value,
        (of, size): (&str, Size),
        scopes: &mut Scopes,
    ) -> Option<Face> {
        let template = self.environment.get_template(&source.path).ok()?;
        let mut page = Bounded::default();
        let outcome = template.render_captured_to(variables, &mut page).map(drop);
        if page.is_full {
            self.add(mistake::too_much(source, of, LARGEST));
            return None;
        }
        if let Err(error) = outcome {
            self.add(mistake::failed(source, of, &error));
            return None;
        }
        let text = String::from_utf8(page.bytes).unwrap_or_default();
        if let Err(how) = check_face(&text) {
            self.add(mistake::intricate(source, of, &how));
            return None;
        }
        let kept = clean(&text, self.pictures.asked());
        for (name, why) in self.pictures.refused() {
            self.add(mistake::no_picture(source, &name, why));
        }
        for name in &kept.left_out {
            self.add(mistake::left_out(source, name));
        }
        for declarations in &kept.inline {
            scopes.styled(declarations);
        }
        let pictures = numbers_in(&[&*kept.html, &*kept.style, &*kept.inline.concat()].concat());
        let class = if kept.style.trim().is_empty() { String::new() } else { scopes.class(kept.style) };
        Some(Face { html: framed(size, &format!("made {class}"), &kept.html), size, pictures })
    }

    fn add(&self, found: Diagnostic) {
        let mut all = self.mistakes.borrow_mut();
        // What fails for one component fails for others in the same way.
        let is_same = |known: &Diagnostic| known.message == found.message || found.code == "bad-face";
        if !all.iter().any(|known| known.code == found.code && known.marks == found.marks && is_same(known)) {
            all.push(found);
        }
    }

    fn read(&mut self, source: &Arc<Source>) {
        if let Some((at, character)) = unseen_in(&source.text) {
            let place = Place { source: source.clone(), span: at..at + character.len_utf8() };
            return self.add(Diagnostic::unseen(character, place));
        }
        if let Err((span, what)) = allowed(&source.text) {
            return self.add(mistake::not_allowed(source, span, &what));
        }
        if let Err(error) = self.environment.add_template_owned(source.path.clone(), source.text.clone()) {
            return self.add(mistake::failed(source, "", &error));
        }
        let unknown = self.unknown(source);
        if !unknown.is_empty() {
            self.environment.remove_template(&source.path);
            for found in unknown {
                self.add(found);
            }
        }
    }

    /// The names in a template that stand for nothing.
    fn unknown(&self, source: &Arc<Source>) -> Vec<Diagnostic> {
        let name = Role::Face.name(&source.path);
        let Ok(template) = self.environment.get_template(&source.path) else { return Vec::new() };
        let mut used: Vec<String> = template.undeclared_variables(true).into_iter().collect();
        used.sort();
        let (known, kind) = if name.ends_with(BACK) {
            (OF_BACKS.to_vec(), None)
        } else {
            let Some(kind) = self.model.kinds.iter().find(|kind| &*kind.id == name) else { return Vec::new() };
            (known(self.model, kind), Some(kind))
        };
        let mut found = Vec::new();
        for path in &used {
            let mut parts = path.split('.');
            let first = parts.next().unwrap_or_default();
            if FUNCTIONS.contains(&first) {
                continue;
            }
            if !known.contains(&first) {
                found.push(mistake::unknown_field(source, first, name, &known));
                continue;
            }
            let of = kind.and_then(|kind| Some(&kind.fields[&self.model.find_field(first)?]));
            let Some(others) = of.and_then(|of| behind(self.model, of)) else { continue };
            found.extend(
                parts
                    .next()
                    .filter(|part| !others.contains(part))
                    .map(|part| mistake::unknown_field(source, part, first, &others)),
            );
        }
        found
    }
}

/// What the template of a kind can name.
fn known<'m>(model: &'m Model, kind: &'m Kind) -> Vec<&'m str> {
    let fields = kind.fields.keys().map(|field| &*model.fields[field.index()]);
    OURS.into_iter().chain(fields).collect()
}

/// What templates run in: nothing but what stands here.
fn environment(model: &Arc<Model>, wording: &Wording) -> Environment<'static> {
    let mut all = Environment::empty();
    all.set_auto_escape_callback(|_| AutoEscape::Html);
    all.set_undefined_behavior(UndefinedBehavior::Strict);
    all.set_recursion_limit(50);
    all.set_formatter(|out, state, value| {
        let nothing = Value::from("");
        minijinja::escape_formatter(out, state, if value.is_none() { &nothing } else { value })
    });
    let said = wording.clone();
    all.add_filter("named", move |value: &Value| named(&said, value));
    let said = wording.clone();
    all.add_filter("field_name", move |name: String| said.field_name(&name));
    let (said, of) = (wording.clone(), model.clone());
    all.add_filter("sentence", move |function: String| {
        Words { model: &of, wording: &said }.sentence(&function).unwrap_or_default()
    });
    all.add_filter("join", joined);
    all.add_filter("times", |number: i64, by: i64| {
        number.checked_mul(by).ok_or_else(|| beyond("the number is too large"))
    });
    all.add_filter("abs", |number: i64| number.saturating_abs());
    all.add_filter("upper", |text: String| text.to_uppercase());
    all.add_filter("lower", |text: String| text.to_lowercase());
    all.add_filter("length", |value: &Value| value.len().ok_or_else(|| beyond("this has no length")));
    all.add_function("range", numbers);
    all.add_test("defined", |value: &Value| !value.is_undefined() && !value.is_none());
    all
}

fn beyond(why: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, why)
}

/// A word as the reader reads it; a list of them one after the other.
fn named(wording: &Wording, value: &Value) -> Result<String, Error> {
    if let Some(word) = value.as_str() {
        return Ok(wording.named_word(word));
    }
    let is_list = value.kind() == minijinja::value::ValueKind::Seq;
    if !is_list {
        return Ok(value.to_string());
    }
    let words: Vec<String> = value
        .try_iter()?
        .map(|one| one.as_str().map_or_else(|| one.to_string(), |word| wording.named_word(word)))
        .collect();
    bounded(words.join(wording.comma()))
}

fn joined(list: &Value, between: Option<String>) -> Result<String, Error> {
    let between = between.unwrap_or_default();
    let mut text = String::new();
    for (at, one) in list.try_iter()?.enumerate() {
        if at > 0 {
            text.push_str(&between);
        }
        text.push_str(&one.to_string());
        if text.len() > LONGEST {
            return Err(beyond("the text is too long"));
        }
    }
    Ok(text)
}

fn bounded(text: String) -> Result<String, Error> {
    if text.len() > LONGEST { Err(beyond("the text is too long")) } else { Ok(text) }
}

/// The numbers from the first up to the last, which is left out.
fn numbers(first: i64, end: Option<i64>) -> Result<Value, Error> {
    let (first, end) = end.map_or((0, first), |end| (first, end));
    if end.saturating_sub(first) > MOST_NUMBERS {
        return Err(beyond("`range` has at most 1000 numbers"));
    }
    Ok((first..end).map(Value::from).collect())
}

/// What is written, up to so many bytes.
#[derive(Default)]
struct Bounded {
    bytes: Vec<u8>,
    is_full: bool,
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > LARGEST {
            self.is_full = true;
            return Err(io::Error::other("the face is too large"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a template has nothing in it by which values grow without end: where it has, and what.
fn allowed(text: &str) -> Result<(), (Range<usize>, String)> {
    let mut at = 0;
    while let Some(start) = text[at..].find('{').map(|found| at + found) {
        let (is_tag, end) = match text.as_bytes().get(start + 1) {
            Some(b'#') => {
                at = text[start + 2..].find("#}").map_or(text.len(), |found| start + 2 + found + 2);
                continue;
            }
            Some(b'%') => (true, "%}"),
            Some(b'{') => (false, "}}"),
            _ => {
                at = start + 1;
                continue;
            }
        };
        let (tokens, stop) = tokens(text, start + 2, end);
        code(&tokens, is_tag)?;
        at = stop;
    }
    Ok(())
}

fn code(tokens: &[(Token<'_>, Range<usize>)], is_tag: bool) -> Result<(), (Range<usize>, String)> {
    let inner = tokens.iter().skip_while(|(token, _)| matches!(token, Token::Symbol('-' | '+')));
    let tokens: Vec<_> = inner.collect();
    let span = |at: usize| tokens[at].1.clone();
    let first = tokens.first().map(|(token, _)| token);
    if let (true, Some(Token::Word(word))) = (is_tag, first)
        && !TAGS.contains(word)
    {
        return Err((span(0), format!("{{% {word} %}}")));
    }
    let mut joined = 0;
    let mut is_list = is_tag && first == Some(&Token::Word("for"));
    is_list &= tokens.iter().any(|(token, _)| *token == Token::Word("in"));
    let begins = tokens.iter().position(|(token, _)| *token == Token::Word("in")).filter(|_| is_list);
    for (at, (token, span)) in tokens.iter().enumerate() {
        let is_iterated = begins.is_some_and(|begins| at > begins);
        let is_literal = |character: char| {
            let before = at.checked_sub(1).map(|before| &tokens[before].0);
            let is_value = matches!(before, Some(Token::Word(word)) if !["in", "if", "else", "and", "or", "not"].contains(word))
                || matches!(before, Some(Token::Symbol(')' | ']') | Token::Text));
            character == '{' || !is_value
        };
        match token {
            Token::Symbol('*') => return Err((span.clone(), "*".to_owned())),
            Token::Word("recursive") if is_tag => return Err((span.clone(), "recursive".to_owned())),
            Token::Symbol('~' | '+') if is_iterated => return Err((span.clone(), "~".to_owned())),
            Token::Symbol('~' | '+') => {
                joined += 1;
                if joined > MOST_JOINED {
                    return Err((span.clone(), "~".to_owned()));
                }
            }
            Token::Symbol(character @ ('[' | '{')) if is_iterated && is_literal(*character) => {
                let is_constant = |token: &Token<'_>| !matches!(token, Token::Word(_));
                if !tokens[at..].iter().all(|(token, _)| is_constant(token)) {
                    return Err((span.clone(), "[".to_owned()));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn what_grows_by_doubling_is_found_before_it_runs() {
        for well in [
            "{{ name }} {% if cost > 2 %}{{ cost + 1 }}{% else %}{{ name ~ '*~+{%' }}{% endif %}",
            "{% for one in levels %}{{ one.cost }}{% endfor %}{% for one in [1, 'a', -2] %}{{ one }}{% endfor %}",
            "{# {% set a = b %} * #}{{ {'a': 1, 'b': {'c': 2}}[icon] }}{{ track[0] }}",
            "{%- for i in range(3) -%}{{ i }}{%- endfor -%} a { b } * ~ + set",
        ] {
            assert_eq!(allowed(well), Ok(()), "{well}");
        }
        for (wrong, what) in [
            ("{% set a = a ~ a %}", "{% set %}"),
            ("{%- set a %}b{% endset %}", "{% set %}"),
            ("{% macro a() %}{% endmacro %}", "{% macro %}"),
            ("{% include 'a' %}", "{% include %}"),
            ("{% raw %}{{ '{%' }}{% endraw %}", "{% raw %}"),
            ("{% filter upper %}a{% endfilter %}", "{% filter %}"),
            ("{{ 'a' * 99999999 }}", "*"),
            ("{{ {'a': {'b': 1}} }}{{ 2 ** 9 }}", "*"),
            ("{% for a in [b ~ b] %}{% endfor %}", "["),
            ("{% for a in b ~ b %}{% endfor %}", "~"),
            ("{% for a in [b, b] %}{% endfor %}", "["),
            ("{% for a in {'x': b} %}{% endfor %}", "["),
            ("{% for a in b recursive %}{{ loop(a) }}{% endfor %}", "recursive"),
            ("{{ a~a~a~a~a~a~a~a~a~a }}", "~"),
        ] {
            assert_eq!(allowed(wrong).unwrap_err().1, what, "{wrong}");
        }
    }
}
