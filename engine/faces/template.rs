//! Templates of faces: `faces/KIND.html` for the fronts of a kind, `faces/BACK.back.html` for backs.
//!
//! Templates are not trusted. Their work is limited by counting steps rather than time, so that results do not depend
//! on the machine. The language is reduced to `if` and `for`, without recursion and without operations that double the
//! size of values. The output is limited too.

use super::clean::{LastSheet, clean};
use super::face::Face;
use super::mistake::{self, LONG_EXPRESSION};
use super::picture::{Pictures, numbers_in};
use super::printed::FactFormatter;
use super::size::{Size, Sizes};
use super::standard::in_frame;
use super::stylesheet::Scopes;
use super::tokens::{Token, tokens};
use super::variables::{BACK_VARIABLES, FUNCTIONS, GENERAL_VARIABLES, attributes_of, back_variables, front_variables};
use crate::diagnostic::{Diagnostic, Place, Role, Source, find_invisible};
use crate::model::{ComponentId, Kind, KindId, Language, Model, Seat};
use crate::wording::Wording;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value};
use std::cell::{Cell, RefCell};
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of steps for one face, and for all faces together.
const FUEL: u64 = 20_000;
const FUEL_OF_ALL: u64 = 20_000_000;

/// Maximum size of a template's output in bytes.
const LARGEST: usize = 64 * 1024;

/// Maximum size in bytes of the output of all templates together. A stylesheet counts once for all faces in a row that have it.
const LARGEST_OF_ALL: usize = 8 << 20;

/// Maximum size in bytes of the string that a filter makes from a list.
const LONGEST: usize = 16 * 1024;

/// Maximum number of values that `range` yields.
const MAX_NUMBERS: i64 = 1_000;

/// Maximum number of concatenations in one expression.
const MAX_CONCATENATIONS: usize = 8;

/// Maximum number of tokens in one expression or tag. The template engine parses chains of operators recursively, without a limit.
const MAX_TOKENS: usize = 500;

/// Maximum number of `elif` tags in an `if` statement and the `if` statements around it, counted together. The template engine parses them
/// recursively, without a limit.
const MAX_ELIF: usize = 100;

/// Suffix of the names of back templates.
const BACK: &str = ".back";

/// Template tags that are allowed.
const TAGS: [&str; 6] = ["if", "elif", "else", "endif", "for", "endfor"];

/// Templates of a game, with the mistakes found in them.
pub(super) struct Templates<'a> {
    model: &'a Arc<Model>,
    wording: &'a Wording,
    language: Language,
    pictures: &'a Pictures<'a>,
    sizes: &'a Sizes,
    environment: Environment<'static>,
    mistakes: RefCell<Vec<Diagnostic>>,
    /// Number of bytes that templates may still write.
    room: Cell<usize>,
    last_sheet: LastSheet,
}

impl<'a> Templates<'a> {
    /// Parses the templates. Invalid templates are reported and left out.
    pub(super) fn new(
        model: &'a Arc<Model>,
        wording: &'a Wording,
        language: Language,
        pictures: &'a Pictures<'a>,
        sizes: &'a Sizes,
    ) -> Self {
        let environment = environment(model, wording);
        let mut all = Self {
            model,
            wording,
            language,
            pictures,
            sizes,
            environment,
            mistakes: RefCell::default(),
            room: Cell::new(LARGEST_OF_ALL),
            last_sheet: LastSheet::default(),
        };
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

    /// Renders the front of a component with its kind's template; `None` if there is no template or it fails.
    pub(super) fn front(&self, id: ComponentId, owner: Option<Seat>, scopes: &mut Scopes) -> Option<Face> {
        let kind = self.model.kind_of(id);
        let source = self.source(&kind.id)?;
        let words = FactFormatter { model: self.model, wording: self.wording };
        let alters = self.model.component(id).alters.iter().map(|alters| words.alteration(alters)).collect();
        let all = front_variables(self.model, self.wording, self.language.tag(), id, owner, alters);
        let name = &*self.model.component(id).id;
        self.face(source, Value::from(all), name, self.sizes.component_size(self.model, id), scopes)
    }

    /// Renders the back of a kind with a template; `None` if there is no template or it fails.
    pub(super) fn back(&self, kind: KindId, scopes: &mut Scopes) -> Option<Face> {
        let declared_kind = &self.model.kinds[kind.index()];
        let source = self.source(&format!("{}{BACK}", declared_kind.back))?;
        let all = back_variables(self.model, self.wording, self.language.tag(), kind);
        self.face(source, Value::from(all), &declared_kind.back, self.sizes.back_size(kind), scopes)
    }

    fn source(&self, name: &str) -> Option<&'a Arc<Source>> {
        self.model.faces.iter().find(|source| Role::Face.name(&source.path) == name)
    }

    fn face(
        &self,
        source: &'a Arc<Source>,
        variables: Value,
        of: &str,
        size: Size,
        scopes: &mut Scopes,
    ) -> Option<Face> {
        let template = self.environment.get_template(&source.path).ok()?;
        if self.room.get() == 0 {
            return None;
        }
        let mut page = BoundedWriter::default();
        let outcome = template.render_captured_to(variables, &mut page).map(drop);
        if page.is_full {
            self.charge(page.bytes.len(), of);
            self.add(mistake::too_much(source, of, LARGEST));
            return None;
        }
        if let Err(error) = outcome {
            self.add(mistake::template_error(source, of, &error));
            return None;
        }
        let text = String::from_utf8(page.bytes).unwrap_or_default();
        let kept = match clean(&text, self.pictures.requested(), &self.last_sheet) {
            Ok(kept) => kept,
            Err(how) => {
                self.charge(text.len(), of);
                self.add(mistake::too_complex(source, of, &how));
                return None;
            }
        };
        self.charge(kept.parsed, of);
        for (name, why) in self.pictures.load_requested() {
            self.add(mistake::picture_error(source, &name, why));
        }
        for name in &kept.left_out {
            self.add(mistake::left_out(source, name));
        }
        for declarations in &kept.inline {
            scopes.add_inline(declarations);
        }
        let pictures = numbers_in(&[&*kept.html, &*kept.style, &*kept.inline.concat()].concat());
        let class = if kept.style.trim().is_empty() { String::new() } else { scopes.class(kept.style) };
        Some(Face { html: in_frame(size, &format!("made {class}"), &kept.html), size, edge: None, pictures })
    }

    /// Charges the bytes of a face against the limit for all templates together. Reports the face that reaches the limit. Later faces do
    /// not use templates.
    fn charge(&self, bytes: usize, of: &str) {
        let left = self.room.get().saturating_sub(bytes);
        if left == 0 && self.room.replace(left) > 0 {
            self.add(mistake::too_much_together(of, LARGEST_OF_ALL));
        }
        self.room.set(left);
    }

    fn add(&self, found: Diagnostic) {
        let mut all = self.mistakes.borrow_mut();
        // A template that fails for one component usually fails for others in the same way, so similar mistakes are reported once.
        let is_same = |known: &Diagnostic| known.message == found.message || found.code == "bad-face";
        if !all.iter().any(|known| known.code == found.code && known.marks == found.marks && is_same(known)) {
            all.push(found);
        }
    }

    fn read(&mut self, source: &Arc<Source>) {
        if let Some((at, character)) = find_invisible(&source.text) {
            let place = Place { source: source.clone(), span: at..at + character.len_utf8() };
            return self.add(Diagnostic::unseen(character, place));
        }
        if let Err((span, what)) = check_constructs(&source.text) {
            return self.add(mistake::not_allowed(source, span, &what));
        }
        if let Err(error) = self.environment.add_template_owned(source.path.clone(), source.text.clone()) {
            return self.add(mistake::template_error(source, "", &error));
        }
        let unknown = self.unknown_names(source);
        if !unknown.is_empty() {
            self.environment.remove_template(&source.path);
            for found in unknown {
                self.add(found);
            }
        }
    }

    /// Returns a diagnostic for each unknown name in a template.
    fn unknown_names(&self, source: &Arc<Source>) -> Vec<Diagnostic> {
        let name = Role::Face.name(&source.path);
        let Ok(template) = self.environment.get_template(&source.path) else { return Vec::new() };
        let mut used: Vec<String> = template.undeclared_variables(true).into_iter().collect();
        used.sort();
        let (known, kind) = if name.ends_with(BACK) {
            (BACK_VARIABLES.to_vec(), None)
        } else {
            let Some(kind) = self.model.kinds.iter().find(|kind| &*kind.id == name) else { return Vec::new() };
            (known_names(self.model, kind), Some(kind))
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
            let field_type = kind.and_then(|kind| Some(&kind.fields[&self.model.find_field(first)?]));
            let Some(others) = field_type.and_then(|field_type| attributes_of(self.model, field_type)) else {
                continue;
            };
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

/// Returns the names that the template of a kind may use.
fn known_names<'m>(model: &'m Model, kind: &'m Kind) -> Vec<&'m str> {
    let fields = kind.fields.keys().map(|field| &*model.fields[field.index()]);
    GENERAL_VARIABLES.into_iter().chain(fields).collect()
}

/// Creates the environment of templates, which has only the filters and functions defined here.
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
    all.add_filter("named", move |value: &Value| display_name(&said, value));
    let said = wording.clone();
    all.add_filter("field_name", move |name: String| said.field_name(&name));
    let (said, of) = (wording.clone(), model.clone());
    all.add_filter("sentence", move |function: String| {
        FactFormatter { model: &of, wording: &said }.sentence(&function).unwrap_or_default()
    });
    all.add_filter("join", join_list);
    all.add_filter("times", |number: i64, by: i64| {
        number.checked_mul(by).ok_or_else(|| limit_error("the number is too large"))
    });
    all.add_filter("abs", |number: i64| number.saturating_abs());
    all.add_filter("upper", |text: String| text.to_uppercase());
    all.add_filter("lower", |text: String| text.to_lowercase());
    all.add_filter("length", |value: &Value| value.len().ok_or_else(|| limit_error("this has no length")));
    all.add_function("range", numbers);
    all.add_test("defined", |value: &Value| !value.is_undefined() && !value.is_none());
    all
}

fn limit_error(why: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, why)
}

/// Returns the display name of a word. For a list, returns the names of its entries, separated by commas.
fn display_name(wording: &Wording, value: &Value) -> Result<String, Error> {
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
    check_length(words.join(wording.comma()))
}

fn join_list(list: &Value, between: Option<String>) -> Result<String, Error> {
    let between = between.unwrap_or_default();
    let mut text = String::new();
    for (at, one) in list.try_iter()?.enumerate() {
        if at > 0 {
            text.push_str(&between);
        }
        text.push_str(&one.to_string());
        if text.len() > LONGEST {
            return Err(limit_error("the text is too long"));
        }
    }
    Ok(text)
}

fn check_length(text: String) -> Result<String, Error> {
    if text.len() > LONGEST { Err(limit_error("the text is too long")) } else { Ok(text) }
}

/// Returns the numbers of a range like Python's `range`: from `first` to `end`, exclusive, or from 0 to `first` if there is no `end`.
fn numbers(first: i64, end: Option<i64>) -> Result<Value, Error> {
    let (first, end) = end.map_or((0, first), |end| (first, end));
    if end.saturating_sub(first) > MAX_NUMBERS {
        return Err(limit_error("`range` has at most 1000 numbers"));
    }
    Ok((first..end).map(Value::from).collect())
}

/// Writer with a size limit.
#[derive(Default)]
struct BoundedWriter {
    bytes: Vec<u8>,
    is_full: bool,
}

impl io::Write for BoundedWriter {
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

/// Checks that a template uses only constructs that cannot make values grow without limit. Otherwise fails with the span and the name of
/// the first forbidden construct.
fn check_constructs(text: &str) -> Result<(), (Range<usize>, String)> {
    let mut at = 0;
    // Number of `elif` in each `if` that is open.
    let mut open: Vec<usize> = Vec::new();
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
        check_code(&tokens, is_tag)?;
        let first = tokens.iter().find(|(token, _)| !matches!(token, Token::Symbol('-' | '+')));
        match first {
            Some((Token::Word("if"), _)) if is_tag => open.push(0),
            Some((Token::Word("endif"), _)) if is_tag => drop(open.pop()),
            Some((Token::Word("elif"), span)) if is_tag => {
                open.last_mut().into_iter().for_each(|count| *count += 1);
                if open.iter().sum::<usize>() > MAX_ELIF {
                    return Err((span.clone(), "{% elif %}".to_owned()));
                }
            }
            _ => {}
        }
        at = stop;
    }
    Ok(())
}

fn check_code(tokens: &[(Token<'_>, Range<usize>)], is_tag: bool) -> Result<(), (Range<usize>, String)> {
    if let Some((_, span)) = tokens.get(MAX_TOKENS) {
        return Err((span.clone(), LONG_EXPRESSION.to_owned()));
    }
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
                if joined > MAX_CONCATENATIONS {
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
    use super::{LONG_EXPRESSION, check_constructs};

    #[test]
    fn constructs_that_double_values_are_rejected() {
        for well in [
            "{{ name }} {% if cost > 2 %}{{ cost + 1 }}{% else %}{{ name ~ '*~+{%' }}{% endif %}",
            "{% for one in levels %}{{ one.cost }}{% endfor %}{% for one in [1, 'a', -2] %}{{ one }}{% endfor %}",
            "{# {% set a = b %} * #}{{ {'a': 1, 'b': {'c': 2}}[icon] }}{{ track[0] }}",
            "{%- for i in range(3) -%}{{ i }}{%- endfor -%} a { b } * ~ + set",
        ] {
            assert_eq!(check_constructs(well), Ok(()), "{well}");
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
            assert_eq!(check_constructs(wrong).unwrap_err().1, what, "{wrong}");
        }
    }

    #[test]
    fn chains_that_are_parsed_recursively_are_limited() {
        let elif = |count: usize| format!("{{% if a %}}{}{{% endif %}}", "{% elif b %}".repeat(count));
        let nested = format!("{{% if a %}}{}{}{{% endif %}}", "{% elif b %}".repeat(60), elif(60));
        let apart = elif(60).repeat(3);
        for well in [elif(100), apart, format!("{{{{ {}1 }}}}", "not ".repeat(400))] {
            assert_eq!(check_constructs(&well), Ok(()), "{well}");
        }
        for (wrong, what) in [
            (elif(101), "{% elif %}"),
            (nested, "{% elif %}"),
            (format!("{{{{ {}1 }}}}", "not ".repeat(500)), LONG_EXPRESSION),
            (format!("{{% if {}1 %}}{{% endif %}}", "-".repeat(600)), LONG_EXPRESSION),
            (format!("{{{{ a{} }}}}", "|abs".repeat(300)), LONG_EXPRESSION),
            (format!("{{{{ a{} }}}}", "[0]".repeat(300)), LONG_EXPRESSION),
        ] {
            assert_eq!(check_constructs(&wrong).unwrap_err().1, what, "{wrong}");
        }
    }
}
