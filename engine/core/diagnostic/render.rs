//! Rendering of diagnostics as text.

use super::unseen::is_unseen;
use super::{Diagnostic, Diagnostics, Mark, Severity, Source, sheet_of};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;
use std::sync::Arc;

/// Renders a diagnostic in the style of `rustc`, without a final newline. `color` adds terminal colors.
pub fn render(diagnostic: &Diagnostic, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut text = headline_and_snippets(diagnostic, &renderer);
    let gutter = gutter(diagnostic);
    for (label, lines) in footer(diagnostic) {
        text.push_str(&footer_lines(gutter, &label, &lines, color));
    }
    text
}

impl Diagnostics {
    /// Renders all diagnostics without colors, separated by empty lines.
    pub fn in_plain_text(&self) -> String {
        self.0.iter().map(|one| render(one, false)).collect::<Vec<_>>().join("\n\n")
    }
}

impl std::fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for diagnostic in &self.0 {
            writeln!(f, "{}", render(diagnostic, false))?;
        }
        Ok(())
    }
}

/// Renders the headline, and one snippet for each group of marks (see [`marks_by_source`]).
fn headline_and_snippets(diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(clean(&diagnostic.message)).id(diagnostic.code);
    let by_source = marks_by_source(&diagnostic.marks);
    if by_source.is_empty() {
        return renderer.render(&[Group::with_title(title)]);
    }
    let mut group = Group::with_title(title);
    for (source, marks) in by_source {
        let (_, first) = marks.first().expect("a source has marks");
        let cell = sheet_of(&source.path).map(|_| first.place.shown());
        let mut window = lines_of_marks(&source.text, &marks);
        if cell.is_some() {
            // The renderer counts columns from the beginning of the line, but the place of a cell has no column.
            window = shorten_window(&source.text, window, &marks);
        }
        let begin = window.start;
        let annotations = marks.into_iter().map(|(is_first, mark)| {
            let kind = if is_first { AnnotationKind::Primary } else { AnnotationKind::Context };
            let span = clamp_span(mark);
            kind.span(span.start - begin..span.end.min(window.end) - begin).label(clean(&mark.note))
        });
        let line = lines_before(&source.text, begin) + 1;
        let snippet = Snippet::source(&source.text[window.clone()]).line_start(line).annotations(annotations);
        group = match cell {
            Some(cell) => group.element(Origin::path(cell)).element(snippet),
            None => group.element(snippet.path(source.path.as_str())),
        };
    }
    renderer.render(&[group])
}

/// Maximum distance in bytes between two marks in one line that are drawn in one snippet. A snippet contains the whole line between its
/// marks, and lines of files can be very long.
const MAX_DISTANCE: usize = 1_000;

/// Number of bytes of a long row of a sheet that are drawn before and after a mark.
const MARGIN: usize = 200;

/// Marks that are drawn in one snippet of a source. The flag is true for the first mark of the snippet, which is drawn as the primary one.
type SourceMarks<'m> = (&'m Arc<Source>, Vec<(bool, &'m Mark)>);

/// Groups marks by source, in the order in which sources first occur. Marks that are far apart in one line are in different groups.
fn marks_by_source(marks: &[Mark]) -> Vec<SourceMarks<'_>> {
    let mut found: Vec<SourceMarks<'_>> = Vec::new();
    for mark in marks {
        let is_near = |(_, other): &(bool, &Mark)| !is_far_in_line(mark, other);
        let is_group =
            |(source, group): &&mut SourceMarks<'_>| *source == &mark.place.source && group.iter().all(is_near);
        match found.iter_mut().find(is_group) {
            Some((_, list)) => list.push((false, mark)),
            None => found.push((&mark.place.source, vec![(true, mark)])),
        }
    }
    found
}

/// Returns whether two marks of one source are so far apart in one line, or in the rows of a sheet, that they are not drawn together.
fn is_far_in_line(one: &Mark, other: &Mark) -> bool {
    let (one, end) = (clamp_span(one), clamp_span(other).start);
    let (start, end) = (one.start.min(end), one.start.max(end));
    let source = &other.place.source;
    end - start > MAX_DISTANCE && (sheet_of(&source.path).is_some() || !source.text[start..end].contains('\n'))
}

/// Shortens a very long range of lines to the marks and their surroundings. Returns other ranges unchanged.
fn shorten_window(text: &str, window: Range<usize>, marks: &[(bool, &Mark)]) -> Range<usize> {
    let starts = || marks.iter().map(|(_, mark)| clamp_span(mark).start);
    let (first, last) = (starts().min().unwrap_or(0), starts().max().unwrap_or(0));
    let start = floor_char_boundary(text, first.saturating_sub(MARGIN)).max(window.start);
    let end = floor_char_boundary(text, last + MARGIN).min(window.end);
    // A range that is not much longer is drawn completely.
    if window.len() > MAX_DISTANCE + 2 * MARGIN { start..end } else { window }
}

/// Returns the span of a mark clamped to its text, to character boundaries, and to its first line.
fn clamp_span(mark: &Mark) -> Range<usize> {
    let text = &mark.place.source.text;
    let start = floor_char_boundary(text, mark.place.span.start);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    start..floor_char_boundary(text, mark.place.span.end).clamp(start, line_end)
}

/// Returns the range of complete lines from the first to the last mark. Only this range is passed to the renderer, so that the time does
/// not depend on the size of the file.
fn lines_of_marks(text: &str, marks: &[(bool, &Mark)]) -> Range<usize> {
    let spans = || marks.iter().map(|(_, mark)| clamp_span(mark));
    let first = spans().map(|span| span.start).min().unwrap_or(0);
    let last = spans().map(|span| span.end).max().unwrap_or(0);
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    // The range includes the last line break, which may be two characters.
    start..text[last..].find('\n').map_or(text.len(), |at| last + at + 1)
}

fn lines_before(text: &str, at: usize) -> usize {
    // Bytes are counted faster than matches of a pattern. There may be a thousand messages about a file of several megabytes.
    text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

/// Returns the last character boundary at or before an offset.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Returns the width of the line number column, in characters.
fn gutter(diagnostic: &Diagnostic) -> usize {
    let last = diagnostic.marks.iter().map(|mark| lines_before(&mark.place.source.text, clamp_span(mark).start) + 1);
    last.max().map_or(1, |line| line.to_string().len())
}

/// Returns the entries below the snippets: a label with its lines.
fn footer(diagnostic: &Diagnostic) -> impl Iterator<Item = (String, Vec<String>)> {
    let one = |label: &'static str| move |line: &String| (label.to_owned(), vec![clean(line)]);
    let trace = diagnostic.trace.iter().map(one("in "));
    let details = diagnostic
        .details
        .iter()
        .map(|detail| (format!("{}: ", clean(&detail.heading)), detail.lines.iter().map(|line| clean(line)).collect()));
    let help = diagnostic.help.iter().map(one("help: "));
    let reproduce = diagnostic.reproduce.iter().map(one("reproduce: "));
    trace.chain(details).chain(help).chain(reproduce)
}

/// Formats an entry of the footer. If the entry has several lines, they are indented below its label.
fn footer_lines(gutter: usize, label: &str, lines: &[String], color: bool) -> String {
    if let [line] = lines {
        return footer_line(gutter, label, line, color);
    }
    let indent = " ".repeat(gutter + 5);
    let below: String = lines.iter().map(|line| format!("\n{indent}{line}").trim_end().to_owned()).collect();
    footer_line(gutter, label.trim_end(), &below, color)
}

fn footer_line(gutter: usize, label: &str, line: &str, color: bool) -> String {
    let indent = " ".repeat(gutter + 1);
    if color {
        format!("\n{indent}\x1b[1m\x1b[94m= \x1b[0m\x1b[1m{label}\x1b[0m{line}")
    } else {
        format!("\n{indent}= {label}{line}")
    }
}

/// Escapes control characters and invisible characters. Names in messages come from files and must not control the terminal.
fn clean(text: &str) -> String {
    let is_clean = |character: char| !character.is_control() && !is_unseen(character);
    text.chars().flat_map(|c| if is_clean(c) { vec![c] } else { c.escape_default().collect::<Vec<_>>() }).collect()
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::diagnostic::{Diagnostic, Place, Source};
    use std::sync::Arc;

    fn source(path: &str, text: &str) -> Arc<Source> {
        Arc::new(Source { path: path.to_owned(), text: text.to_owned() })
    }

    fn check(diagnostic: &Diagnostic, expected: &str) {
        assert_eq!(render(diagnostic, false), expected.trim_matches('\n'));
    }

    #[test]
    fn one_place_with_help() {
        let text = format!("{}visable = \"owner\"\n", "\n".repeat(30));
        let file = source("games/sampler/game.toml", &text);
        let diagnostic = Diagnostic::error("unknown-key", "zones have no key `visable`")
            .mark(Place::at(&file, 31, 1), "not a key of a zone")
            .help("did you mean `seen_by`?");
        check(
            &diagnostic,
            r#"
error[unknown-key]: zones have no key `visable`
  --> games/sampler/game.toml:31:1
   |
31 | visable = "owner"
   | ^^^^^^^ not a key of a zone
   = help: did you mean `seen_by`?
"#,
        );
    }

    #[test]
    fn long_files_are_cut_to_the_marked_lines() {
        let text = format!("{}a = 1\nb = 2\n\n\n\nc = 3{}", "\n".repeat(100_000), "\n".repeat(100_000));
        let file = source("long.toml", &text);
        let diagnostic = Diagnostic::error("x", "y")
            .mark(Place::at(&file, 100_006, 1), "the second")
            .mark(Place::at(&file, 100_001, 1), "the first");
        check(
            &diagnostic,
            r"
error[x]: y
      --> long.toml:100006:1
       |
100001 | a = 1
       | - the first
...
100006 | c = 3
       | ^ the second
",
        );
    }

    #[test]
    fn trace_help_and_reproduce_are_footer_lines() {
        let file = source("play.rhai", "while is_wild(discard.top) {}\n");
        let mut diagnostic = Diagnostic::error("empty-zone", "`discard` has no top piece")
            .mark(Place::at(&file, 1, 15), "asked for the top of an empty zone")
            .help("ask `discard.is_empty()` first");
        diagnostic.trace.push("`turn_up_starter`, called from `set_up` (play.rhai:10:5), phase `setup`".to_owned());
        diagnostic.reproduce = Some("parlour run x --seed 7".to_owned());
        check(
            &diagnostic,
            r"
error[empty-zone]: `discard` has no top piece
 --> play.rhai:1:15
  |
1 | while is_wild(discard.top) {}
  |               ^^^^^^^ asked for the top of an empty zone
  = in `turn_up_starter`, called from `set_up` (play.rhai:10:5), phase `setup`
  = help: ask `discard.is_empty()` first
  = reproduce: parlour run x --seed 7
",
        );
    }

    #[test]
    fn details_are_indented_below_their_heading() {
        let diagnostic = Diagnostic::error("not-offered", "`9` is not offered")
            .detail("offered", vec!["8 | 10".to_owned()])
            .detail("the table", vec!["deck  3 pieces".to_owned(), "Ann.cash  4\x07".to_owned()])
            .detail("nothing", Vec::new());
        check(
            &diagnostic,
            r"
error[not-offered]: `9` is not offered
  = offered: 8 | 10
  = the table:
      deck  3 pieces
      Ann.cash  4\u{7}
",
        );
    }

    #[test]
    fn two_places_in_two_files_are_two_snippets() {
        let (one, two) = (source("one.toml", "id = \"a\"\n"), source("two.toml", "\nid = \"a\"\n"));
        let diagnostic = Diagnostic::warning("duplicate-id", "two components are called `a`")
            .mark(Place { source: two, span: 6..9 }, "the second")
            .mark(Place { source: one, span: 5..8 }, "the first");
        check(
            &diagnostic,
            r#"
warning[duplicate-id]: two components are called `a`
 --> two.toml:2:6
  |
2 | id = "a"
  |      ^^^ the second
  |
 ::: one.toml:1:6
  |
1 | id = "a"
  |      ^^^ the first
"#,
        );
    }

    #[test]
    fn marks_far_apart_in_a_long_line_are_drawn_apart() {
        for path in ["long.toml", "components/a.ods, sheet card"] {
            let text = format!("a = 1, {}, a = 2, {}\n", "x".repeat(500_000), "y".repeat(500_000));
            let file = source(path, &text);
            let diagnostic = Diagnostic::error("x", "y")
                .mark(Place { source: file.clone(), span: 500_009..500_010 }, "the second")
                .mark(Place { source: file.clone(), span: 0..1 }, "the first")
                .mark(Place { source: file, span: 500_020..1_000_000 }, "the rest");
            let shown = render(&diagnostic, false);
            assert!(shown.len() < 3_000, "{path}: {} bytes", shown.len());
            for note in ["the second", "the first", "the rest"] {
                assert!(shown.contains(note), "{path}: {shown}");
            }
        }
    }

    #[test]
    fn a_diagnostic_without_places_has_a_headline_only() {
        let diagnostic = Diagnostic::error("missing-file", "there is no `game.toml`\x1b[2J").help("write one");
        check(&diagnostic, "error[missing-file]: there is no `game.toml`\\u{1b}[2J\n  = help: write one");
    }

    #[test]
    fn a_span_outside_the_text_is_drawn_at_its_end() {
        let file = source("x.toml", "股海");
        let diagnostic = Diagnostic::error("x", "y").mark(Place { source: file, span: 5..99 }, "z");
        assert!(render(&diagnostic, false).contains("股海"));
        assert!(render(&diagnostic, true).contains("\x1b["));
    }
}
