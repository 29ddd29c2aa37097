//! Quick fixes: turns the help text of a diagnostic into an edit of a file.

use crate::diagnostic::{Diagnostic, FIRST_RULES, GAME, Role, Source, edit_distance, is_name};
use crate::loader::humanize_id;
use crate::syntax::{Lexeme, lexemes};
use std::ops::Range;
use std::sync::Arc;

/// Edit of a file that fixes a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fix {
    /// Short description of the edit.
    pub title: String,
    /// Path of the changed file.
    pub path: String,
    /// Replaced span.
    pub span: Range<usize>,
    /// Replacement text.
    pub text: String,
}

/// Returns the fixes for a diagnostic. `text_of` returns the current text of a file.
pub(crate) fn fixes(found: &Diagnostic, text_of: &dyn Fn(&str) -> Option<String>) -> Vec<Fix> {
    let (Some(mark), Some(help)) = (found.marks.first(), &found.help) else {
        return function(found, text_of).into_iter().collect();
    };
    let mut fixes = Vec::new();
    if let Some(meant) = help.strip_prefix("did you mean `").and_then(|rest| rest.split('`').next()) {
        fixes.extend(replace_name(&mark.place.source, mark.place.span.clone(), meant));
    }
    fixes.extend(symbol(found, help));
    fixes.extend(
        suggested_declarations(help).into_iter().filter_map(|(section, name)| declare(&section, &name, text_of)),
    );
    fixes.extend(function(found, text_of));
    fixes
}

/// Replaces a misspelled name with `meant`. Keeps the quotes and brackets around the name. If the marked span is more than a name, replaces
/// the word in it that is closest to `meant`.
fn replace_name(source: &Source, span: Range<usize>, meant: &str) -> Option<Fix> {
    let inner = span_without_quotes(source, span.clone());
    let is_within = |around: [&str; 2]| {
        source.text[..inner.start].ends_with(around[0]) && source.text[inner.end..].starts_with(around[1])
    };
    let bare = [["[[", "]]"], ["\"", "\""]].into_iter().find_map(|around| {
        let bare = meant.strip_prefix(around[0])?.strip_suffix(around[1])?;
        is_within(around).then_some(bare)
    });
    let text = bare.unwrap_or(meant);
    let old_text = source.text.get(inner.clone())?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut span = inner.clone();
    if text.chars().all(is_part) && !old_text.chars().all(is_part) {
        let words = old_text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty());
        let word = words.min_by_key(|word| edit_distance(word, text))?;
        // If no word is close to `meant`, the whole span is replaced.
        if edit_distance(word, text) <= text.len() / 2 {
            let at = inner.start + (word.as_ptr() as usize - old_text.as_ptr() as usize);
            span = at..at + word.len();
        }
    }
    Some(Fix { title: format!("write `{text}`"), path: source.path.clone(), span, text: text.to_owned() })
}

/// Returns a span without the quotes at its ends, if there are any.
fn span_without_quotes(source: &Source, span: Range<usize>) -> Range<usize> {
    let text = source.text.get(span.clone()).unwrap_or_default();
    let quoted = |quote: char| text.len() > 1 && text.starts_with(quote) && text.ends_with(quote);
    if quoted('"') || quoted('\'') || quoted('`') { span.start + 1..span.end - 1 } else { span }
}

/// Returns the fix that adds a missing symbol, or replaces a wrong symbol or keyword, as the help text suggests.
fn symbol(found: &Diagnostic, help: &str) -> Option<Fix> {
    let mark = found.marks.first()?;
    let (text, span) = (&mark.place.source.text, mark.place.span.clone());
    let named = help.split('`').nth(1).filter(|named| !named.is_empty() && !named.contains(['…', ' ']))?;
    let is_symbol = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_punctuation());
    let fix = |title: String, span, text: &str| Fix {
        title,
        path: mark.place.source.path.clone(),
        span,
        text: text.to_owned(),
    };
    if help.starts_with("add `") && is_symbol(named) {
        return Some(fix(format!("add `{named}`"), span.end..span.end, named));
    }
    let old_text = text.get(span.clone())?;
    let is_word = old_text.chars().all(char::is_alphabetic) && matches!(found.code, "syntax" | "forbidden-word");
    let replaces = help.starts_with("write `") && (is_symbol(old_text) && is_symbol(named) || is_word);
    replaces.then(|| fix(format!("write `{named}`"), span, named))
}

/// Returns the declarations that a help text suggests, each as its section and name.
fn suggested_declarations(help: &str) -> Vec<(String, String)> {
    if !help.contains(GAME) {
        return Vec::new();
    }
    let named: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    let mut found = Vec::new();
    let mut name: Option<&str> = None;
    for word in named {
        match word.strip_prefix('[').and_then(|word| word.strip_suffix(']')) {
            Some(table) => match (name.take(), table.rsplit_once('.')) {
                (Some(name), _) => found.push((table.to_owned(), name.to_owned())),
                (None, Some((section, name))) if !table.contains('[') => {
                    found.push((section.to_owned(), name.to_owned()));
                }
                _ => {}
            },
            None if is_name(word) => name = Some(word),
            None => {}
        }
    }
    found.retain(|(section, name)| is_name(name) && !section.is_empty());
    found
}

/// Returns the fix that declares a name in a section of `game.toml`. Returns `None` if no default declaration is known for the section.
fn declare(section: &str, name: &str, text_of: &dyn Fn(&str) -> Option<String>) -> Option<Fix> {
    let text = text_of(GAME)?;
    let people = humanize_id(name);
    let (is_table, body) = match section {
        "zones" => (true, "shape = \"pile\"".to_owned()),
        "options" => (true, "values = [\"no\", \"yes\"]".to_owned()),
        "decisions" => (true, format!("ask = \"{people}?\"")),
        "phases" => (true, format!("steps = [\"{name}\"]")),
        "params" => (false, "1".to_owned()),
        "endings" | "says" | "altered" => (false, format!("\"{people}\"")),
        _ if section.starts_with("values.") => (false, "0".to_owned()),
        _ => return None,
    };
    let title = format!("declare `{name}` in `[{section}]` of game.toml");
    let fix = |at: usize, text: String| Fix { title: title.clone(), path: GAME.to_owned(), span: at..at, text };
    if is_table || !has_header(&text, section) {
        let header =
            if is_table { format!("[{section}.{name}]\n{body}") } else { format!("[{section}]\n{name} = {body}") };
        // Insert after the other declarations of the section, otherwise at the end of the file.
        let at = section_end(&text, section).unwrap_or(text.len());
        let before = if at == 0 || is_blank_line_before(&text[..at]) {
            ""
        } else if text[..at].ends_with('\n') {
            "\n"
        } else {
            "\n\n"
        };
        let after = if at == text.len() || text[at..].starts_with(['\n', '\r']) { "\n" } else { "\n\n" };
        return Some(fix(at, format!("{before}{header}{after}")));
    }
    let at = after_header(&text, section)?;
    let gap = if text[..at].ends_with('\n') { "" } else { "\n" };
    Some(fix(at, format!("{gap}{name} = {body}\n")))
}

/// Returns whether a text ends with an empty line.
fn is_blank_line_before(text: &str) -> bool {
    text.strip_suffix('\n').is_some_and(|text| text.strip_suffix('\r').unwrap_or(text).ends_with('\n'))
}

/// Returns the lines of a text with their byte offsets.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}

fn has_header(text: &str, section: &str) -> bool {
    after_header(text, section).is_some()
}

/// Returns the byte offset of the line after a section's header.
fn after_header(text: &str, section: &str) -> Option<usize> {
    let header = format!("[{section}]");
    lines(text).find(|(_, line)| line.trim().starts_with(&header)).map(|(start, line)| start + line.len())
}

/// Returns the byte offset of the line after the last table of a section.
fn section_end(text: &str, section: &str) -> Option<usize> {
    let (subheader, header) = (format!("[{section}."), format!("[{section}]"));
    let mut headers = lines(text).filter(|(_, line)| line.starts_with('['));
    let is_in_section = |line: &str| line.starts_with(&subheader) || line.starts_with(&header);
    let (last, _) = headers.by_ref().filter(|(_, line)| is_in_section(line)).last()?;
    let next = lines(text).filter(|(_, line)| line.starts_with('[')).find(|(start, _)| *start > last);
    let end = next.map_or(text.len(), |(start, _)| start);
    // Comments before the next table belong to that table.
    let kept = text[..end].trim_end();
    let lines = kept.split_inclusive('\n').rev();
    let comments = lines.take_while(|line| line.starts_with('#') || line.trim().is_empty());
    let length: usize = comments.map(str::len).sum();
    let at = kept.len() - length;
    let at = text[..at].trim_end().len();
    Some(text[at..].find('\n').map_or(text.len(), |found| at + found + 1)).filter(|at| *at > last)
}

/// Returns the fix that adds a missing function to the rules or the agent. Scripts refer to it in a call, data files by its name.
fn function(found: &Diagnostic, text_of: &dyn Fn(&str) -> Option<String>) -> Option<Fix> {
    let mark = found.marks.first().filter(|_| found.code == "unknown-function")?;
    let source: &Arc<Source> = &mark.place.source;
    let span = span_without_quotes(source, mark.place.span.clone());
    let name = source.text.get(span.clone()).filter(|name| is_name(name))?;
    let (path, text, params) = if source.is_script() {
        let count = arguments(&source.text[span.end..]);
        let params: Vec<String> = (0..count).map(|at| char::from(b'a' + (at % 26) as u8).to_string()).collect();
        (source.path.clone(), source.text.clone(), params.join(", "))
    } else {
        // If the help text suggests writing the function, it also shows the parameters.
        let old_text = found.help.as_ref()?.strip_prefix("write `fn ")?.split('`').next()?;
        let params = old_text.strip_prefix(name)?.trim_matches(['(', ')']);
        let params = if params == "…" { "" } else { params };
        let file = Role::Rules.path(FIRST_RULES);
        let text = text_of(&file).unwrap_or_default();
        (file, text, params.to_owned())
    };
    let gap = match &*text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    Some(Fix {
        title: format!("write the function `{name}`"),
        path,
        span: text.len()..text.len(),
        text: format!("{gap}/// What it does.\nfn {name}({params}) {{\n}}\n"),
    })
}

/// Returns the number of arguments of the call whose opening parenthesis begins `text`. Returns 0 if the parenthesis is missing or never
/// closed.
fn arguments(text: &str) -> usize {
    let (mut open, mut commas, mut is_empty) = (Vec::new(), 0, true);
    for (lexeme, _) in lexemes(text) {
        match lexeme {
            Lexeme::Symbol(symbol @ ("(" | "[" | "?[" | "{" | "#{")) => {
                is_empty &= open.is_empty();
                open.push(symbol);
                continue;
            }
            // The `}` after an expression in a template closes a `${`, which is no lexeme.
            Lexeme::Symbol("}") if !matches!(open.last(), Some(&"{" | &"#{")) => {}
            Lexeme::Symbol(")") if open.len() == 1 => return if is_empty { 0 } else { commas + 1 },
            Lexeme::Symbol(")" | "]" | "}") => {
                open.pop();
            }
            Lexeme::Symbol(",") if open.len() == 1 => commas += 1,
            _ => {}
        }
        if open.is_empty() {
            return 0;
        }
        is_empty = false;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Place;

    fn fixed(code: &'static str, help: &str, marked: &str, game: &str) -> Vec<String> {
        let source = Arc::new(Source { path: GAME.to_owned(), text: game.to_owned() });
        let at = game.find(marked).unwrap();
        let place = Place { source, span: at..at + marked.len() };
        let found = Diagnostic::error(code, "x").mark(place, "x").help(help);
        let apply = |fix: Fix| format!("{}{}{}", &game[..fix.span.start], fix.text, &game[fix.span.end..]);
        fixes(&found, &|_| Some(game.to_owned())).into_iter().map(apply).collect()
    }

    #[test]
    fn a_fix_replaces_the_wrong_name() {
        assert_eq!(fixed("unknown-key", "did you mean `seen_by`?", "seenby", "seenby = 1\n"), ["seen_by = 1\n"]);
        assert_eq!(fixed("unknown-kind", "did you mean `card`?", "\"crad\"", "x = \"crad\"\n"), ["x = \"card\"\n"]);
        assert_eq!(fixed("syntax", "add `;`", "a", "a"), ["a;"]);
        assert_eq!(fixed("syntax", "write `==` to compare", "=", "="), ["=="]);
    }

    #[test]
    fn quotes_and_brackets_are_kept() {
        assert_eq!(fixed("unused", "did you mean `[[card]]`?", "crad", "[[crad]]\n"), ["[[card]]\n"]);
        assert_eq!(fixed("lone-word", "did you mean `\"wood\"`?", "\"wodo\"", "x = \"wodo\"\n"), ["x = \"wood\"\n"]);
        assert_eq!(fixed("unknown-field", "did you mean `hand`?", "seat.hnad", "seat.hnad\n"), ["seat.hand\n"]);
    }

    #[test]
    fn a_missing_function_of_the_flow_is_added_to_the_rules() {
        let game = "[flow]\nsetup = [\"set_up\"]\n";
        let source = Arc::new(Source { path: GAME.to_owned(), text: game.to_owned() });
        let at = game.find("\"set_up").unwrap();
        let place = Place { source, span: at..at + 8 };
        let found = Diagnostic::error("unknown-function", "x")
            .mark(place, "x")
            .help("write `fn set_up(seat)` in a file of rules/");
        let fixes = fixes(&found, &|path| (path == "rules/play.rhai").then(|| "fn score(seat) { 0 }\n".to_owned()));
        let [fix] = &fixes[..] else { panic!("{fixes:?}") };
        assert_eq!((&*fix.path, fix.span.clone()), ("rules/play.rhai", 21..21));
        assert_eq!(fix.text, "\n/// What it does.\nfn set_up(seat) {\n}\n");
    }

    #[test]
    fn arguments_are_counted_without_those_of_calls_within() {
        assert_eq!([arguments("()"), arguments("( )"), arguments("(a)"), arguments("[a]")], [0, 0, 1, 0]);
        assert_eq!(arguments("(\"a, b\", `c, ${f(d, e)}`, #{ g: [1, 2] }, |x, y| x) + (1)"), 5);
        assert_eq!(arguments("(f(), /* a, b */ (1, 2))"), 2);
        assert_eq!(arguments("(a, b"), 0);
    }

    #[test]
    fn a_declaration_is_added_next_to_others_of_its_section() {
        let game = "[zones.deck]\nshape = \"pile\"\n\n# values\n\n[values.seat]\ncash = 1\n";
        let found = fixed("unknown-zone", "add `[zones.hand]` to game.toml", "deck", game);
        let wanted = game.replacen("pile\"\n\n", "pile\"\n\n[zones.hand]\nshape = \"pile\"\n\n", 1);
        assert_eq!(found, [&*wanted]);
        let windows = "[zones.deck]\r\nshape = \"pile\"\r\n\r\n# values\r\n\r\n[values.seat]\r\ncash = 1\r\n";
        let found = fixed("unknown-zone", "add `[zones.hand]` to game.toml", "deck", windows);
        let found: Vec<String> = found.iter().map(|text| text.replace("\r\n", "\n")).collect();
        assert_eq!(found, [wanted]);
        let found = fixed("unknown-field", "add `gold` to `[values.seat]` in game.toml", "deck", game);
        assert_eq!(found, [game.replacen("[values.seat]\n", "[values.seat]\ngold = 0\n", 1)]);
        let found = fixed("unknown-ending", "add `bust` to `[endings]` in game.toml", "deck", game);
        assert_eq!(found, [format!("{game}\n[endings]\nbust = \"Bust\"\n")]);
    }
}
