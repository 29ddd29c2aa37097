//! Reading playscripts.
//!
//! A file is cut into statements first: lines, and the braces of `arrange` and `scene`. Each statement is then read by the
//! grammar, so that one mistake does not hide the next.

use super::play::{Expect, Play, Scene, Statement, Until, WORDS, What};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use pest::Parser;
use pest::iterators::Pair;
use std::ops::Range;
use std::sync::Arc;

#[allow(missing_docs, reason = "the derive writes a variant for each rule of the grammar, which documents them")]
mod grammar {
    /// The grammar of one statement.
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar/playscript.pest"]
    pub(super) struct Playscript;
}

use grammar::{Playscript, Rule};

/// The largest playscript, in bytes.
const LARGEST: usize = 16 << 20;

/// Reads a playscript.
///
/// # Errors
/// Every mistake in it, with its place.
pub fn parse(source: &Arc<Source>) -> Result<Play, Diagnostics> {
    let mut reader = Reader { source, found: Vec::new() };
    if source.text.len() > LARGEST {
        let message = format!("a playscript is at most {} MB", LARGEST >> 20);
        return Err(Diagnostics(vec![Diagnostic::error("too-large", message)]));
    }
    let play = reader.file();
    if reader.found.is_empty() { Ok(play) } else { Err(Diagnostics(reader.found)) }
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    found: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn file(&mut self) -> Play {
        let mut play = Play::default();
        let end = self.source.text.len();
        self.block(0..end, true, &mut play);
        play
    }

    /// Reads the statements of a stretch of text; scenes only at the top.
    fn block(&mut self, span: Range<usize>, top: bool, play: &mut Play) {
        let mut statements = Vec::new();
        let mut at = span.start;
        while at < span.end {
            let line_end = self.source.text[at..span.end].find('\n').map_or(span.end, |n| at + n);
            let line = trimmed(&self.source.text, at..code_end(&self.source.text, at..line_end));
            if line.is_empty() {
                at = line_end + 1;
                continue;
            }
            let text = &self.source.text[line.clone()];
            if let Some(head) = block_head(text, "arrange") {
                at = self.arrange(&line, head, span.end, &mut statements);
            } else if top && first_word(text) == "scene" {
                at = self.scene(&line, span.end, play);
            } else {
                if first_word(text) == "scene" {
                    self.mistake(
                        line.clone(),
                        "a scene cannot stand inside a scene",
                        Some("close the scene with `}` first"),
                    );
                } else if let Some(statement) = self.statement(line) {
                    if top && !play.scenes.is_empty() {
                        let place = statement.place.clone().map_or(0..0, |place| place.span);
                        self.mistake(
                            place,
                            "this stands after a scene",
                            Some("write it before the first scene, or in one"),
                        );
                    }
                    statements.push(statement);
                }
                at = line_end + 1;
            }
        }
        if top {
            play.head = statements;
        } else {
            play.scenes.last_mut().expect("a scene was begun").statements = statements;
        }
    }

    fn arrange(&mut self, line: &Range<usize>, head: usize, end: usize, statements: &mut Vec<Statement>) -> usize {
        let open = line.start + head;
        let Some(close) = closing(&self.source.text, open, end) else {
            self.mistake(
                line.start..open + 1,
                "`arrange {` is never closed",
                Some("add `}` after the last line of it"),
            );
            return end;
        };
        let code = self.source.text[open + 1..close].to_owned();
        statements.push(Statement { what: What::Arrange(code), place: Some(self.place(open + 1..close)) });
        self.rest_of_line(close + 1, end)
    }

    fn scene(&mut self, line: &Range<usize>, end: usize, play: &mut Play) -> usize {
        let text = &self.source.text[line.clone()];
        let named = text.split('"').nth(1).map(str::to_owned);
        let help = "write `scene \"what it shows\" {`";
        let Some(open) = text.rfind('{') else {
            self.mistake(line.clone(), "a scene begins with `{`", Some(help));
            return line.end + 1;
        };
        if named.is_none() {
            self.mistake(line.clone(), "a scene has a name", Some(help));
        }
        let name = named.unwrap_or_default();
        let open = line.start + open;
        let close = closing(&self.source.text, open, end);
        if close.is_none() {
            self.mistake(line.clone(), "the scene is never closed", Some("add `}` after its last line"));
        }
        if play.scenes.iter().any(|scene| scene.name == name) {
            self.mistake(
                line.clone(),
                &format!("there are two scenes called \"{name}\""),
                Some("give one of them another name"),
            );
        }
        play.scenes.push(Scene { name, statements: Vec::new() });
        let close = close.unwrap_or(end);
        self.block(open + 1..close, false, play);
        self.rest_of_line(close + 1, end)
    }

    /// Where the next line begins after the end of a block; nothing may stand between.
    fn rest_of_line(&mut self, at: usize, end: usize) -> usize {
        let at = at.min(end);
        let line_end = self.source.text[at..end].find('\n').map_or(end, |n| at + n);
        let rest = trimmed(&self.source.text, at..code_end(&self.source.text, at..line_end));
        if !rest.is_empty() {
            self.mistake(rest, "nothing may stand behind `}`", Some("write it on a line of its own"));
        }
        line_end + 1
    }

    fn statement(&mut self, span: Range<usize>) -> Option<Statement> {
        let text = &self.source.text[span.clone()];
        let rule = if WORDS.contains(&first_word(text)) { Rule::statement } else { Rule::choice_line };
        match Playscript::parse(rule, text) {
            Ok(mut pairs) => {
                let inner = pairs.next()?.into_inner().next()?;
                let Some(what) = statement(&inner) else {
                    self.mistake(span, "a number here is too large", None);
                    return None;
                };
                Some(Statement { what, place: Some(self.place(span)) })
            }
            Err(error) => {
                let at = match error.location {
                    pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
                };
                let (message, help) = explain(text, at);
                let start = span.start + at.min(text.len());
                let word = self.source.text[start..span.end].find([' ', '\t']).map_or(span.end, |n| start + n);
                let marked = if start == span.end { span } else { start..word.max(start + 1).min(span.end) };
                self.mistake(floor(&self.source.text, marked), &message, help.as_deref());
                None
            }
        }
    }

    fn place(&self, span: Range<usize>) -> Place {
        Place { source: self.source.clone(), span }
    }

    fn mistake(&mut self, span: Range<usize>, message: &str, help: Option<&str>) {
        if self.found.len() < 200 {
            let diagnostic = Diagnostic::error("play-syntax", message).mark(self.place(span), "cannot be read");
            self.found.push(match help {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            });
        }
    }
}

/// A stretch of text moved outward to character boundaries.
fn floor(text: &str, span: Range<usize>) -> Range<usize> {
    let start = (0..=span.start).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let end = (span.end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    start..end
}

/// Where the code of a line ends: before a comment that does not stand in quotes.
fn code_end(text: &str, line: Range<usize>) -> usize {
    let bytes = &text.as_bytes()[line.clone()];
    let mut quoted = false;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'/' if !quoted && bytes.get(at + 1) == Some(&b'/') => return line.start + at,
            _ => {}
        }
    }
    line.end
}

fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let found = &text[span.clone()];
    let start = span.start + (found.len() - found.trim_start().len());
    start..(start + found.trim().len()).max(start)
}

fn first_word(text: &str) -> &str {
    text.split([' ', '\t', ':', '{', '"']).next().unwrap_or("")
}

/// Where the `{` of a line stands that begins with a word and `{`.
fn block_head(text: &str, word: &str) -> Option<usize> {
    let rest = text.strip_prefix(word)?;
    rest.trim_start().starts_with('{').then(|| text.find('{')).flatten()
}

/// Where the brace that closes the one at `open` stands; braces in quotes and comments do not count.
fn closing(text: &str, open: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at, mut quote) = (0_usize, open, None);
    while at < end {
        let byte = bytes[at];
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), b'\\') => at += 1,
            (Some(b'"'), b'\n') => quote = None,
            (None, b'"' | b'`') => quote = Some(byte),
            (None, b'/') if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..end].find('\n').map_or(end, |n| at + n);
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

// ----- from the grammar to statements

/// A statement as the grammar read it; nothing when a number does not fit.
fn statement(pair: &Pair<'_, Rule>) -> Option<What> {
    let parts: Vec<Pair<'_, Rule>> = pair.clone().into_inner().collect();
    let first = || parts.first().map(text);
    Some(match pair.as_rule() {
        Rule::game => What::Game(first()?),
        Rule::players => What::Players(parts.iter().map(text).collect()),
        Rule::seed => What::Seed(first()?.parse().ok()?),
        Rule::option => What::Option(first()?, text(parts.get(1)?)),
        Rule::set => What::Set(first()?, text(parts.get(1)?)),
        Rule::agents => What::Agents(parts.iter().map(text).collect()),
        Rule::start => What::Start {
            phase: first()?,
            round: find(&parts, Rule::number).map(|n| n.parse()).transpose().ok()?,
            seat: find(&parts, Rule::name),
        },
        Rule::roll => What::Roll(find(&parts, Rule::bare), numbers(&parts)?),
        Rule::next_shuffle => What::NextShuffle(first()?, words(parts.get(1)?)),
        Rule::next_draw => What::NextDraw(find(&parts, Rule::place), words(parts.last()?)),
        Rule::next_first => What::NextFirst(first()?),
        Rule::choice => What::Choice {
            seat: first()?,
            decision: text(parts.get(1)?),
            answer: find(&parts, Rule::answer).unwrap_or_default(),
            mark: mark(&parts),
        },
        Rule::reject => What::Reject {
            seat: first()?,
            decision: text(parts.get(1)?),
            answer: find(&parts, Rule::answer).unwrap_or_default(),
        },
        Rule::offers => {
            What::Offers { seat: first()?, decision: text(parts.get(1)?), count: text(parts.get(2)?).parse().ok()? }
        }
        Rule::expect => What::Expect(expect(parts.first()?)?),
        Rule::run => What::Do(first()?),
        Rule::auto => What::Auto(until(parts.first()?)?, find(&parts, Rule::bare)),
        Rule::note => What::Note(first()?),
        Rule::end => {
            let names = parts.iter().filter(|part| part.as_rule() == Rule::name).map(text);
            What::End {
                ending: find(&parts, Rule::bare),
                scores: names.zip(numbers(&parts)?).collect(),
                mark: mark(&parts),
            }
        }
        _ => return None,
    })
}

fn expect(pair: &Pair<'_, Rule>) -> Option<Expect> {
    let parts: Vec<Pair<'_, Rule>> = pair.clone().into_inner().collect();
    Some(match pair.as_rule() {
        Rule::expect_options => Expect::Options {
            seat: text(parts.first()?),
            decision: text(parts.get(1)?),
            options: parts.get(2)?.clone().into_inner().map(|option| text(&option)).collect(),
        },
        Rule::expect_winner => Expect::Winners(parts.iter().map(text).collect()),
        Rule::expect_score => Expect::Score(text(parts.first()?), text(parts.get(1)?).parse().ok()?),
        Rule::expect_ending => Expect::Ending(text(parts.first()?)),
        Rule::expect_log => Expect::Log(text(parts.first()?), text(parts.get(1)?)),
        Rule::expect_sight => Expect::Sight {
            holds: parts.iter().all(|part| part.as_rule() != Rule::not_word),
            seat: find(&parts, Rule::name)?,
            memory: find(&parts, Rule::sight)? == "knows",
            what: find(&parts, Rule::expression)?,
        },
        _ => Expect::That(pair.as_str().trim().to_owned()),
    })
}

fn until(pair: &Pair<'_, Rule>) -> Option<Until> {
    let inner = pair.clone().into_inner().next().map(|part| text(&part));
    Some(match pair.as_rule() {
        Rule::until_phase => Until::Phase(inner?),
        Rule::until_round => Until::Round(inner?.parse().ok()?),
        Rule::until_decision => Until::Decision(inner?),
        _ => Until::End,
    })
}

/// The text of a part, without quotes and outer spaces.
fn text(pair: &Pair<'_, Rule>) -> String {
    let inner = if pair.as_rule() == Rule::name { pair.clone().into_inner().next() } else { None };
    match inner {
        Some(quoted) if quoted.as_rule() == Rule::quoted => {
            quoted.into_inner().next().map_or_else(String::new, |inner| inner.as_str().to_owned())
        }
        _ => pair.as_str().trim().to_owned(),
    }
}

fn find(parts: &[Pair<'_, Rule>], rule: Rule) -> Option<String> {
    parts.iter().find(|part| part.as_rule() == rule).map(text)
}

fn numbers(parts: &[Pair<'_, Rule>]) -> Option<Vec<i64>> {
    parts.iter().filter(|part| part.as_rule() == Rule::signed).map(|part| part.as_str().parse().ok()).collect()
}

fn words(list: &Pair<'_, Rule>) -> Vec<String> {
    list.clone().into_inner().map(|word| text(&word)).collect()
}

fn mark(parts: &[Pair<'_, Rule>]) -> Option<u64> {
    let found = parts.iter().find(|part| part.as_rule() == Rule::mark)?.clone().into_inner().next()?;
    u64::from_str_radix(found.as_str(), 16).ok()
}

/// What was expected where a statement cannot be read, in the words of the format.
fn explain(line: &str, at: usize) -> (String, Option<String>) {
    let first = first_word(line);
    let form = match first {
        "game" => "game sampler",
        "players" => "players Ann Ben \"Big Cho\"",
        "seed" => "seed 7",
        "option" => "option board = advanced",
        "set" => "set params.start_cash = 25",
        "agents" => "agents random",
        "start" => "start at auction round 2 for Ann",
        "arrange" => "arrange { … }",
        "roll" => "roll 3 5",
        "next" => "next shuffle of deck: ace, king",
        "reject" => "reject Ann: bid lot=2 price=10",
        "offers" => "offers Ann: bid 11",
        "expect" => "expect Ann.cash == 5",
        "do" => "do pay(Ann, 3)",
        "auto" => "auto until phase scoring with random",
        "note" => "note what happens here",
        "end" => "end last_round Ann 27 Ben 14",
        _ if line.contains(':') => "Ann: bid lot=2 price=10",
        word => {
            let help = crate::diagnostic::did_you_mean(word, WORDS);
            let help = help.unwrap_or_else(|| "a choice is written `Ann: bid lot=2 price=10`".to_owned());
            return (format!("`{word}` begins no statement"), Some(help));
        }
    };
    let what = if at >= line.len() { "the line ends too early" } else { "this is not expected here" };
    (what.to_owned(), Some(format!("write it like `{form}`")))
}
