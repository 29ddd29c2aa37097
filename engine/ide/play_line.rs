//! Completion and hover texts for lines of playscripts.

use super::completion::{Completion, CompletionKind};
use super::game_knowledge::GameKnowledge;
use super::occurrences::named;
use crate::diagnostic::{Role, Source};
use crate::loader::DeclaredNameKind;
use crate::playscript::{
    self, Cast, EXPECT_WORDS, OperandKind, STATEMENTS, StatementKind, UNTIL_WORDS, question_at, written_name,
};
use std::sync::Arc;

/// Returns the keyword of a statement or expectation at a byte offset of a playscript: its span, the keyword, and a sentence about it.
/// Returns `None` if there is no keyword at the offset.
pub(super) fn statement_at(text: &str, at: usize) -> Option<(std::ops::Range<usize>, &'static str, &'static str)> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |found| found + 1);
    let line = text[start..].lines().next()?;
    let begin = start + (line.len() - line.trim_start().len());
    let statements = STATEMENTS.iter().map(|form| (form.begins, form.about, false));
    let questions = EXPECT_WORDS.into_iter().map(|(word, _, about)| (word, about, true));
    let mut words = statements.chain(questions).filter_map(|(word, about, is_question)| {
        let from = if is_question { begin + "expect ".len() } else { begin };
        let keyword = word.trim_end_matches([' ', '"', '{', ':']);
        let rest = text.get(from..)?.strip_prefix(keyword)?;
        let is_there = !is_question || line.trim_start().starts_with("expect ");
        let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        (is_there && ends).then_some((from..from + keyword.len(), keyword, about))
    });
    words.find(|(span, ..)| span.start <= at && at <= span.end)
}

/// Returns the completions at a byte offset of a playscript. Returns `None` where the playscript contains code of the rules language.
pub(super) fn completions(known: &GameKnowledge, text: &str, at: usize, cast: &Cast<'_>) -> Option<Vec<Completion>> {
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let line = text[start..at].trim_start();
    let word_start = at - line.len() + line.rfind([' ', ':', '=']).map_or(0, |found| found + 1);
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_new = line.is_empty() || line.ends_with(' ');
    let first = words.first().copied().unwrap_or_default();
    let players = players_before(&text[..start]);
    let names = |category: DeclaredNameKind, about: &str| names_of(known, category, about, word_start);
    let keyword = |word: &str, about: &str| Completion::new(CompletionKind::Keyword, word, about, word_start);
    let seats = || {
        let seat = |name: &String| Completion::new(CompletionKind::Seat, name, "a player", word_start);
        players.iter().map(seat).collect::<Vec<_>>()
    };
    let names_after = |what: OperandKind| match what {
        OperandKind::Seat => Some(seats()),
        OperandKind::Phase => Some(names(DeclaredNameKind::Phase, "a phase")),
        OperandKind::Decision => Some(names(DeclaredNameKind::Decision, "a decision")),
        OperandKind::Ending => Some(names(DeclaredNameKind::Ending, "an ending")),
        OperandKind::Other => None,
    };
    if let Some((head, answer)) = line.split_once(':') {
        let head = head.split_whitespace().collect::<Vec<_>>();
        let (verb, seat) = match head[..] {
            [seat] => ("", seat),
            [verb @ ("reject" | "allows" | "offers" | "forced"), seat]
            | ["expect", verb @ ("options" | "asked"), seat] => (verb, seat),
            _ => return Some(Vec::new()),
        };
        let line = AnswerLine { start, verb, seat: seat.trim_matches('"'), answer };
        return Some(answers(known, text, &line, at, cast));
    }
    match (first, words.len(), is_new) {
        ("expect", 1, true) | ("expect", 2, false) => {
            // An expression can be written here, too.
            let words = EXPECT_WORDS.iter().map(|(word, _, about)| keyword(word, about));
            let mut all: Vec<Completion> = words.chain(seats()).collect();
            all.retain(|one| !line.contains('.') && !line.contains('(') && !one.label.is_empty());
            if line.contains(['.', '(']) { None } else { Some(all) }
        }
        ("expect", ..) => {
            let form = EXPECT_WORDS.iter().find(|(word, ..)| words.get(1) == Some(word));
            form.and_then(|(_, what, _)| names_after(*what))
        }
        ("do", ..) => None,
        ("start", ..) if words.contains(&"at") => names_after(OperandKind::Phase),
        ("auto", ..) if words.contains(&"until") => {
            let form = UNTIL_WORDS.iter().find(|(word, _)| words.contains(word));
            let found = form.and_then(|(_, what)| names_after(*what));
            Some(found.unwrap_or_else(|| UNTIL_WORDS.iter().map(|(word, _)| keyword(word, "")).collect()))
        }
        ("option", 1, true) | ("option", 2, false) => Some(names(DeclaredNameKind::Option, "an option")),
        ("option", ..) => {
            let words = words.get(1).map(|name| known.inspection.words_of(name)).unwrap_or_default();
            Some(words.iter().map(|word| Completion::new(CompletionKind::Word, word, "", word_start)).collect())
        }
        ("set", ..) => {
            let start = at - line.rsplit([' ', '.']).next().unwrap_or_default().len();
            if line.contains('.') {
                return Some(names_of(known, DeclaredNameKind::Param, "a param", start));
            }
            Some(vec![Completion::new(CompletionKind::Keyword, "params", "the numbers to tweak", start)])
        }
        ("end", 1, true) | ("end", 2, false) => names_after(OperandKind::Ending),
        ("next", ..) => Some(names_of(known, DeclaredNameKind::Zone, "a zone", word_start)),
        ("reject" | "allows" | "offers" | "forced", ..) => Some(seats()),
        ("game", ..) => Some(vec![Completion::new(CompletionKind::Word, &known.model.id, "this game", word_start)]),
        (_, 0, _) | (_, 1, false) => {
            let statements = STATEMENTS.iter().map(|form| keyword(form.begins, form.about));
            let mut all: Vec<Completion> = Vec::new();
            // The player who has to answer is suggested first, with the decision.
            if let Some(question) = question(text, start, cast) {
                let seat = written_name(&question.seat);
                let line = format!("{seat}: {}", question.decision);
                let mut one = Completion::new(CompletionKind::Choice, &line, "what is asked here", word_start);
                one.insert = format!("{line} ");
                all.push(one);
            }
            all.extend(seats());
            all.extend(statements);
            Some(all)
        }
        _ => Some(Vec::new()),
    }
}

/// Line with an answer, up to the cursor.
struct AnswerLine<'a> {
    /// Offset of the line in the file.
    start: usize,
    /// Word before the seat, such as `reject`; empty if the line is an answer of the seat.
    verb: &'a str,
    seat: &'a str,
    /// The text after the colon.
    answer: &'a str,
}

/// Returns the completions for the answer to the open question.
fn answers(known: &GameKnowledge, text: &str, line: &AnswerLine<'_>, at: usize, cast: &Cast<'_>) -> Vec<Completion> {
    let answer = line.answer.trim_start();
    let question = question(text, line.start, cast).filter(|question| question.seat == line.seat);
    let decision_end = answer.find(' ');
    let Some(after) = decision_end else {
        // The name of the decision is being written.
        let from = at - answer.len();
        let mut all: Vec<Completion> = Vec::new();
        if let Some(question) = &question {
            let mut one = Completion::new(CompletionKind::Choice, &question.decision, "what is asked here", from);
            one.insert = format!("{} ", question.decision);
            all.push(one);
            if line.verb.is_empty() {
                for option in &question.options {
                    let label = format!("{} {option}", question.decision);
                    all.push(Completion::new(CompletionKind::Choice, &label, "can be chosen here", from));
                }
            }
        }
        all.extend(names_of(known, DeclaredNameKind::Decision, "a decision", from));
        return all;
    };
    let Some(question) = question.filter(|question| question.decision == answer[..after]) else {
        return Vec::new();
    };
    if line.verb == "offers" {
        let from = at - answer[after..].trim_start().len();
        let count = question.options.len().to_string();
        return vec![Completion::new(CompletionKind::Choice, &count, "options that are offered here", from)];
    }
    let last = answer[after..].rsplit('|').next().unwrap_or_default().trim_start();
    let from = at - last.len();
    let about = if line.verb == "reject" { "is offered here, and must not be" } else { "can be chosen here" };
    question.options.iter().map(|option| Completion::new(CompletionKind::Choice, option, about, from)).collect()
}

/// Returns the question that is open before a line, by playing the lines before it.
fn question(text: &str, start: usize, cast: &Cast<'_>) -> Option<playscript::PlayQuestion> {
    let before = &text[..start];
    let is_open = {
        let mut open = false;
        for line in before.lines().map(str::trim_start) {
            if line.starts_with("scene ") {
                open = true;
            } else if line == "}" && open && !in_arrange(before, line) {
                open = false;
            }
        }
        open
    };
    let closed = if is_open { format!("{before}\n}}\n") } else { before.to_owned() };
    let play = playscript::parse(&Arc::new(Source { path: Role::Play.path("here"), text: closed })).ok()?;
    let is_named = play.head.iter().any(|statement| matches!(statement.what, StatementKind::Game(_)));
    is_named.then(|| question_at(&play, start, cast)).flatten()
}

/// Returns whether `line`, a closing brace, belongs to an `arrange` block. The brace is then indented, in contrast to the brace at the end
/// of a scene.
fn in_arrange(text: &str, line: &str) -> bool {
    let at = line.as_ptr() as usize - text.as_ptr() as usize;
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    at > start
}

/// Returns the names of the players from the last `players` line.
pub(super) fn players_before(text: &str) -> Vec<String> {
    let line = text.lines().rev().find(|line| line.trim_start().starts_with("players "));
    let Some(names) = line.map(|line| line.trim_start().trim_start_matches("players ")) else { return Vec::new() };
    let mut players = Vec::new();
    for (at, part) in names.split('"').enumerate() {
        if at % 2 == 1 {
            players.push(format!("\"{part}\""));
        } else {
            players.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    players
}

fn names_of(known: &GameKnowledge, category: DeclaredNameKind, about: &str, start: usize) -> Vec<Completion> {
    let mut all: Vec<&Arc<str>> = Vec::new();
    for name in known.models().flat_map(|model| named(model, category)) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all.into_iter().map(|name| Completion::new(CompletionKind::Word, name, about, start)).collect()
}
