//! Splits a file into statements: lines, and blocks in braces after `arrange` and `scene`.

use super::play::{Play, PlayStatement, Scene, StatementKind, first_word};
use super::read;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source, find_invisible, without_comment};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// Maximum size of a playscript in bytes.
pub const LARGEST: usize = 16 << 20;

/// Maximum number of lines of a playscript. The limit in bytes is not enough: even a line of two letters takes hundreds
/// of bytes once it is parsed.
pub(crate) const MAX_LINES: usize = 200_000;

/// Maximum number of scenes of a playscript.
const MAX_SCENES: usize = 1_024;

/// Maximum number of `expect`, `do` and `arrange` statements of a playscript. Each contains code, which takes kilobytes of memory once it is
/// parsed, and is checked and compiled on its own.
const MAX_CODE: usize = 10_000;

/// Returns the size limit that `text` exceeds, formatted for a message. Returns `None` if it exceeds none.
pub(crate) fn excess(text: &str) -> Option<String> {
    TextSize::default().plus(text).excess()
}

/// Size of a playscript, in bytes and lines.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TextSize {
    bytes: usize,
    lines: usize,
}

impl TextSize {
    /// Returns the size after `text` is appended.
    pub(crate) fn plus(self, text: &str) -> Self {
        Self { bytes: self.bytes + text.len(), lines: self.lines + text.matches('\n').count() }
    }

    pub(crate) const fn bytes(self) -> usize {
        self.bytes
    }

    /// Returns the limit that the size exceeds, formatted for a message. Returns `None` if it exceeds none.
    pub(crate) fn excess(self) -> Option<String> {
        if self.bytes > LARGEST {
            return Some(format!("{} MB", LARGEST >> 20));
        }
        (self.lines > MAX_LINES).then(|| format!("{MAX_LINES} lines"))
    }
}

/// Version of the playscript format. Format 2 added `redeal`. Older formats can be read too. A playscript without a
/// `format` line has format 1.
pub(crate) const FORMAT: i64 = 2;

/// First word of the line that states the format.
const FORMAT_WORD: &str = "format";

/// Returns the line that states the current format.
pub fn format_line() -> String {
    format!("{FORMAT_WORD} {FORMAT}")
}

/// Upgrades a playscript to the current format by changing its `format` line, or adding one below the initial comments.
///
/// Returns `None` if the text has the current format or an unknown one.
pub fn with_format(text: &str) -> Option<String> {
    let mut at = 0;
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut begin = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
    for line in text.split_inclusive('\n') {
        let code = line.trim_start_matches(BYTE_ORDER_MARK).trim();
        if first_word(code) == FORMAT_WORD {
            let named = without_comment(code)[FORMAT_WORD.len()..].trim();
            named.parse().ok().filter(|format: &i64| (OLDEST..FORMAT).contains(format))?;
            let number = at + line.find(FORMAT_WORD)? + FORMAT_WORD.len();
            let number = number + text[number..].find(named)?;
            return Some(format!("{}{FORMAT}{}", &text[..number], &text[number + named.len()..]));
        }
        if code.is_empty() || code.starts_with("//") {
            at += line.len();
            begin = begin.max(at);
            continue;
        }
        break;
    }
    Some(format!("{}{}{line_end}{}", &text[..begin], format_line(), &text[begin..]))
}

/// Maximum number of bytes of a line.
const LONGEST_LINE: usize = 64 << 10;

/// Maximum number of bytes to mark in an overlong line.
const LONGEST_MARK: usize = 40;
/// Oldest format that is read.
const OLDEST: i64 = 1;

/// Byte order mark that some editors write at the start of files.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Number of mistakes after which parsing stops.
const MAX_MISTAKES: usize = 200;

/// Parses a playscript.
///
/// # Errors
/// Returns the mistakes found, at most `MAX_MISTAKES`, each with its place. A playscript that is too large gives a single error without a
/// place.
pub fn parse(source: &Arc<Source>) -> Result<Play, Diagnostics> {
    if let Some(most) = excess(&source.text) {
        let message = format!("`{}` is too large: a playscript has at most {most}", source.path);
        return Err(Diagnostics(vec![Diagnostic::error("too-large", message).help("split it into several files")]));
    }
    let is_marked = source.text.starts_with('\u{feff}');
    let unmarked = is_marked.then(|| Arc::new(Source::of_file(&source.path, source.text.clone())));
    let source = unmarked.as_ref().unwrap_or(source);
    if let Some((found, character)) = find_invisible(&source.text) {
        let place = Place { source: source.clone(), span: found..found + character.len_utf8() };
        return Err(Diagnostics(vec![Diagnostic::unseen(character, place)]));
    }
    let mut parser = Parser { source, at: 0, found: Vec::new(), names: FxHashSet::default(), code: 0 };
    let play = parser.file();
    if parser.found.is_empty() { Ok(play) } else { Err(Diagnostics(parser.found)) }
}

struct Parser<'a> {
    source: &'a Arc<Source>,
    /// Offset of the next line.
    at: usize,
    found: Vec<Diagnostic>,
    /// Names of the scenes so far, to find duplicates.
    names: FxHashSet<String>,
    /// Number of statements with code so far.
    code: usize,
}

impl Parser<'_> {
    fn file(&mut self) -> Play {
        let mut play = Play::default();
        let mut is_first = true;
        while let Some(line) = self.next_line() {
            let word = first_word(self.text(&line));
            if word == FORMAT_WORD && std::mem::take(&mut is_first) {
                if !self.is_readable(line) {
                    return play;
                }
                continue;
            }
            is_first = false;
            if word == FORMAT_WORD {
                self.report(line, "`format` must be the first line", Some("move it up, or remove it"));
            } else if word == "scene" {
                if play.scenes.len() == MAX_SCENES {
                    let message = format!("a playscript has at most {MAX_SCENES} scenes");
                    self.report(line, &message, Some("split it into several files"));
                    return play;
                }
                let scene = self.scene(&line);
                play.scenes.push(scene);
            } else if let Some(statement) = self.statement(line.clone()) {
                if !play.scenes.is_empty() {
                    self.report(line, "this comes after a scene", Some("write it before the first scene, or in one"));
                }
                play.head.push(statement);
            }
        }
        play
    }

    /// Checks the `format` line and reports mistakes in it. Returns `false` if this program cannot read the format.
    fn is_readable(&mut self, line: Range<usize>) -> bool {
        match self.text(&line)[FORMAT_WORD.len()..].trim().parse() {
            Ok(OLDEST..=FORMAT) => true,
            Ok(found) => {
                let place = self.place(line);
                self.found.push(Diagnostic::unknown_format("the playscript", found, FORMAT, place));
                false
            }
            Err(_) => {
                self.report(line, "a format is a number", Some(&format!("write `{FORMAT_WORD} {FORMAT}`")));
                true
            }
        }
    }

    /// Returns the span of the next line that is not empty, without its comment. Returns `None` at the end of the file, or after
    /// [`MAX_MISTAKES`] mistakes.
    fn next_line(&mut self) -> Option<Range<usize>> {
        let text = &self.source.text;
        while self.at < text.len() && self.found.len() < MAX_MISTAKES {
            let begin = self.at;
            let end = text[begin..].find('\n').map_or(text.len(), |length| begin + length);
            self.at = end + 1;
            let line = trimmed(text, begin..code_end(text, begin..end));
            if !line.is_empty() {
                return Some(line);
            }
        }
        None
    }

    fn text(&self, span: &Range<usize>) -> &str {
        &self.source.text[span.clone()]
    }

    /// Parses a scene up to its closing brace.
    fn scene(&mut self, line: &Range<usize>) -> Scene {
        let name = self.scene_name(line);
        let mut statements = Vec::new();
        while let Some(line) = self.next_line() {
            match self.text(&line) {
                "}" => return Scene { name, statements },
                inside if first_word(inside) == "scene" => {
                    let help = Some("close the scene before it with `}` on a line of its own");
                    self.report(line, "a scene cannot stand inside a scene", help);
                }
                _ => statements.extend(self.statement(line)),
            }
        }
        if self.found.len() == MAX_MISTAKES || self.code > MAX_CODE {
            return Scene { name, statements };
        }
        self.report(
            line.clone(),
            "the scene is never closed",
            Some("add `}` on a line of its own after its last line"),
        );
        Scene { name, statements }
    }

    fn scene_name(&mut self, line: &Range<usize>) -> String {
        let help = Some("write `scene \"what it shows\" {`");
        let text = self.text(line).to_owned();
        if !text.ends_with('{') {
            self.report(line.clone(), "the line of a scene ends with `{`", help);
        }
        let name = text.split('"').nth(1).filter(|name| !name.trim().is_empty()).map(str::to_owned);
        let Some(name) = name else {
            self.report(line.clone(), "a scene has a name", help);
            return String::new();
        };
        if !self.names.insert(name.clone()) {
            let message = format!("there are two scenes called \"{name}\"");
            self.report(line.clone(), &message, Some("give one of them another name"));
        }
        name
    }

    /// Shortens a span so that it ends at a character boundary, since a limit in bytes may fall within a character.
    fn shortened_to_boundary(&self, span: Range<usize>) -> Range<usize> {
        let end = (span.start..=span.end).rev().find(|end| self.source.text.is_char_boundary(*end));
        span.start..end.unwrap_or(span.start)
    }

    fn statement(&mut self, line: Range<usize>) -> Option<PlayStatement> {
        let source = self.source;
        let text = &source.text[line.clone()];
        let arranges = arrange_head(text);
        self.code += usize::from(arranges.is_some() || ["expect", "do"].contains(&first_word(text)));
        if self.code > MAX_CODE {
            let message = format!("a playscript has at most {MAX_CODE} `expect`, `do` and `arrange` statements");
            self.report(line, &message, Some("split it into several files"));
            self.at = self.source.text.len();
            return None;
        }
        if let Some(head) = arranges {
            return self.arrange(&line, head);
        }
        if text.len() > LONGEST_LINE {
            let message = format!("this line is too long: a line has at most {} KB", LONGEST_LINE >> 10);
            let begin = line.start..line.start + first_word(text).len().min(LONGEST_MARK);
            self.report(self.shortened_to_boundary(begin), &message, Some("write several lines"));
            return None;
        }
        match read::statement(text) {
            Ok(what) => Some(PlayStatement { what, place: Some(self.place(line)) }),
            Err(refused) => {
                let start = line.start + refused.at.min(line.len());
                let length = self.source.text[start..line.end].find([' ', '\t']).unwrap_or(line.end - start);
                let marked = if start == line.end { line } else { start..start + length.max(1) };
                self.report(
                    extended_to_boundaries(&self.source.text, marked),
                    &refused.message,
                    refused.help.as_deref(),
                );
                None
            }
        }
    }

    fn arrange(&mut self, line: &Range<usize>, head: usize) -> Option<PlayStatement> {
        let open = line.start + head;
        let Some(close) = closing_brace(&self.source.text, open) else {
            self.report(line.start..open + 1, "`arrange {` is never closed", Some("add `}` after the last line of it"));
            self.at = self.source.text.len();
            return None;
        };
        self.at = close + 1;
        let code = self.source.text[open + 1..close].to_owned();
        let statement = PlayStatement { what: StatementKind::Arrange(code), place: Some(self.place(open + 1..close)) };
        self.expect_end_of_line(close + 1);
        Some(statement)
    }

    /// Reports any code that follows offset `at` on the same line, then moves to the next line.
    fn expect_end_of_line(&mut self, at: usize) {
        let text = &self.source.text;
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        self.at = end + 1;
        let rest = trimmed(text, at..code_end(text, at..end));
        if !rest.is_empty() {
            self.report(rest, "nothing may follow `}`", Some("write it on a line of its own"));
        }
    }

    fn place(&self, span: Range<usize>) -> Place {
        Place { source: self.source.clone(), span }
    }

    fn report(&mut self, span: Range<usize>, message: &str, help: Option<&str>) {
        if self.found.len() < MAX_MISTAKES {
            let diagnostic = Diagnostic::error("play-syntax", message).mark(self.place(span), "cannot be read");
            self.found.push(help.into_iter().fold(diagnostic, Diagnostic::help));
        }
    }
}

/// Extends a span to character boundaries.
fn extended_to_boundaries(text: &str, span: Range<usize>) -> Range<usize> {
    let start = (0..=span.start).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let end = (span.end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    start..end
}

/// Returns the offset at which the code of a line ends, before its comment. Comment marks in quotes do not count.
fn code_end(text: &str, line: Range<usize>) -> usize {
    line.start + without_comment(&text[line]).len()
}

fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let found = &text[span.clone()];
    let start = span.start + (found.len() - found.trim_start().len());
    start..(start + found.trim().len()).max(start)
}

/// Returns the offset of the `{` if the line begins with `arrange {`. Returns `None` for other statements.
fn arrange_head(line: &str) -> Option<usize> {
    let rest = line.strip_prefix("arrange")?;
    rest.trim_start().starts_with('{').then(|| line.find('{')).flatten()
}

/// Returns the offset of the brace that closes the one at `open`. Braces in quotes and comments do not count.
fn closing_brace(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at, mut quote) = (0_usize, open, None);
    while at < bytes.len() {
        let byte = bytes[at];
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), b'\\') => at += 1,
            (Some(b'"'), b'\n') => quote = None,
            (None, b'"' | b'`') => quote = Some(byte),
            (None, b'/') if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |length| at + length);
                continue;
            }
            (None, b'{') => depth += 1,
            (None, b'}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}
