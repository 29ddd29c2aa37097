//! Parses single playscript statements with the pest grammar in `grammar/playscript.pest`.

use super::expectations::split_outside;
use super::play::{Expect, NOBODY, PlayUntil, STATEMENTS, StatementForm, StatementKind, first_word};
use crate::diagnostic::plain;
use crate::model::MAX_SEATS;
use crate::session::Consent;
use pest::Parser;
use pest::iterators::Pair;

#[allow(missing_docs, reason = "the derive writes a variant for each rule of the grammar, which documents them")]
mod grammar {
    /// Parser that is generated from the grammar of a single statement.
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar/playscript.pest"]
    pub(super) struct Playscript;
}

use grammar::{Playscript, Rule};

/// Reason why a line cannot be parsed.
#[derive(Debug)]
pub(super) struct ReadError {
    /// Offset of the first character that cannot be parsed.
    pub at: usize,
    /// Message for the author.
    pub message: String,
    /// Suggested fix.
    pub help: Option<String>,
}

/// Parses a nonempty line as a statement.
pub(super) fn statement(line: &str) -> Result<StatementKind, ReadError> {
    let word = first_word(line);
    // In format 1 a player could be called `redeal`.
    let is_player = word == "redeal" && line[word.len()..].starts_with(':');
    let is_statement = StatementForm::starting_with(word).is_some() && !is_player;
    let rule = if is_statement { Rule::statement } else { Rule::choice_line };
    match Playscript::parse(rule, line) {
        Ok(mut pairs) => {
            let inner = pairs.next().and_then(|pair| pair.into_inner().next());
            let names = [Rule::players, Rule::choice, Rule::forced, Rule::reject, Rule::allows, Rule::offers];
            let has_names = inner.as_ref().is_some_and(|inner| names.contains(&inner.as_rule()));
            if let Some(refused) = find_confusable(line).filter(|_| has_names) {
                return Err(refused);
            }
            let what = inner.and_then(|inner| build_statement(&inner));
            if let Some(StatementKind::Players(names) | StatementKind::Agents(names)) = &what
                && names.len() > MAX_SEATS
            {
                let message =
                    format!("{} players are named here, but a game has at most {MAX_SEATS} seats", names.len());
                return Err(ReadError { at: 0, message, help: None });
            }
            what.ok_or_else(|| ReadError { at: 0, message: "a number here is too large".to_owned(), help: None })
        }
        Err(error) => Err(find_confusable(line).unwrap_or_else(|| {
            let at = match error.location {
                pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
            };
            let (message, help) = explain(line, at);
            ReadError { at, message, help }
        })),
    }
}

/// Returns an error for the first character outside quotes that is easily confused with a symbol of the grammar, such as a typographic
/// quotation mark. Returns `None` if there is no such character.
fn find_confusable(line: &str) -> Option<ReadError> {
    let mut is_quoted = false;
    let (at, unlike) = line.char_indices().find_map(|(at, character)| {
        is_quoted ^= character == '"';
        plain(character).filter(|_| !is_quoted).map(|unlike| (at, unlike))
    })?;
    let message = format!("{} is not a symbol of plays", unlike.theirs);
    // `players` takes no commas, so its help is an example instead of the right symbol.
    let form = (first_word(line) == "players").then(|| explain(line, at).1);
    Some(ReadError { at, message, help: form.unwrap_or_else(|| Some(format!("write {}", unlike.ours))) })
}

// ----- from parse trees to statements

/// Converts a parse tree to a statement. Returns `None` if a number is too large.
fn build_statement(pair: &Pair<'_, Rule>) -> Option<StatementKind> {
    let parts: Vec<Pair<'_, Rule>> = pair.clone().into_inner().collect();
    let first = || parts.first().map(text);
    Some(match pair.as_rule() {
        Rule::game => StatementKind::Game(first()?),
        Rule::players => StatementKind::Players(parts.iter().map(text).collect()),
        Rule::seed => StatementKind::Seed(first()?.parse().ok()?),
        Rule::option => StatementKind::Option(first()?, text(parts.get(1)?)),
        Rule::set => StatementKind::Set(first()?, text(parts.get(1)?)),
        Rule::agents => StatementKind::Agents(parts.iter().map(text).collect()),
        Rule::start => StatementKind::Start {
            phase: first()?,
            round: find(&parts, Rule::number).map(|n| n.parse()).transpose().ok()?,
            seat: find(&parts, Rule::name),
            after_setup: parts.iter().any(|part| part.as_rule() == Rule::after_setup),
        },
        Rule::roll => {
            let thrown = parts.iter().filter(|part| part.as_rule() == Rule::thrown);
            StatementKind::Roll(find(&parts, Rule::bare), thrown.map(text).collect())
        }
        Rule::next_shuffle => StatementKind::NextShuffle(first()?, words(parts.get(1)?)),
        Rule::next_draw => StatementKind::NextDraw(find(&parts, Rule::place), words(parts.last()?)),
        Rule::next_first => StatementKind::NextFirst(first()?),
        Rule::choice => StatementKind::Choice {
            seat: first()?,
            decision: text(parts.get(1)?),
            answer: find(&parts, Rule::answer).unwrap_or_default(),
            mark: mark(&parts),
        },
        Rule::forced => StatementKind::Forced {
            seat: first()?,
            decision: text(parts.get(1)?),
            answer: find(&parts, Rule::answer).unwrap_or_default(),
        },
        Rule::allows => StatementKind::Allows {
            seat: first()?,
            decision: text(parts.get(1)?),
            answer: find(&parts, Rule::answer).unwrap_or_default(),
        },
        Rule::reject => StatementKind::Reject {
            seat: first()?,
            decision: text(parts.get(1)?),
            answer: find(&parts, Rule::answer).unwrap_or_default(),
        },
        Rule::offers => StatementKind::Offers {
            seat: first()?,
            decision: text(parts.get(1)?),
            count: text(parts.get(2)?).parse().ok()?,
        },
        Rule::expect => {
            let condition = expect(parts.last()?)?;
            StatementKind::Expect(if parts.len() > 1 { Expect::Not(Box::new(condition)) } else { condition })
        }
        Rule::redeal => StatementKind::Redeal {
            seed: first()?.parse().ok()?,
            by: parts
                .iter()
                .find(|part| part.as_rule() == Rule::by)
                .and_then(|by| by.clone().into_inner().next())
                .as_ref()
                .map(text),
            consent: Consent::named(&find(&parts, Rule::consent)?)?,
            mark: mark(&parts),
        },
        Rule::run => StatementKind::Do(first()?),
        Rule::auto => StatementKind::Auto(until(parts.first()?)?, find(&parts, Rule::agent)),
        Rule::note => StatementKind::Note(first()?),
        Rule::table => {
            let rows = parts.iter().filter(|part| part.as_rule() == Rule::row).map(row).collect::<Option<_>>()?;
            StatementKind::Table { rows, mark: mark(&parts) }
        }
        Rule::end => {
            let names = parts.iter().filter(|part| part.as_rule() == Rule::name).map(text);
            StatementKind::End {
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
        Rule::expect_winner => Expect::Winners(parts.iter().map(text).filter(|name| name != NOBODY).collect()),
        Rule::expect_score => Expect::Score(text(parts.first()?), text(parts.get(1)?).parse().ok()?),
        Rule::expect_rank => Expect::Rank(text(parts.first()?), text(parts.get(1)?).parse().ok()?),
        Rule::expect_ending => Expect::Ending(text(parts.first()?)),
        Rule::expect_asked => Expect::Asked(text(parts.first()?), parts.get(1).map(text)),
        Rule::expect_phase => Expect::Phase(text(parts.first()?)),
        Rule::expect_tally => Expect::Tally(
            text(parts.first()?),
            parts.get(1).filter(|part| part.as_rule() == Rule::name).map(text),
            text(parts.last()?).parse().ok()?,
        ),
        Rule::expect_log => {
            let texts = parts.get(1)?.clone().into_inner().map(|text_of| text(&text_of));
            Expect::Log(text(parts.first()?), texts.collect())
        }
        Rule::expect_sight => {
            let expression = find(&parts, Rule::expression)?;
            let (what, place) = match split_outside(&expression, " in ")[..] {
                [what, place] => (what.to_owned(), Some(place.to_owned())),
                _ => (expression, None),
            };
            let memory = find(&parts, Rule::sight)? == "knows";
            Expect::Sight { seat: find(&parts, Rule::name)?, memory, what, place }
        }
        _ => Expect::That(trimmed(pair.as_str()).to_owned()),
    })
}

fn row(pair: &Pair<'_, Rule>) -> Option<(String, String)> {
    let parts: Vec<Pair<'_, Rule>> = pair.clone().into_inner().collect();
    Some((text(parts.first()?), find(&parts, Rule::row_content).unwrap_or_default()))
}

fn until(pair: &Pair<'_, Rule>) -> Option<PlayUntil> {
    let inner = pair.clone().into_inner().next().map(|part| text(&part));
    Some(match pair.as_rule() {
        Rule::until_phase => PlayUntil::Phase(inner?),
        Rule::until_round => PlayUntil::Round(inner?.parse().ok()?),
        Rule::until_decision => PlayUntil::Decision(inner?),
        _ => PlayUntil::End,
    })
}

/// Returns the source text of a parse tree, without surrounding blanks. Names lose their quotes.
fn text(pair: &Pair<'_, Rule>) -> String {
    let inner = if pair.as_rule() == Rule::name { pair.clone().into_inner().next() } else { None };
    match inner {
        Some(quoted) if quoted.as_rule() == Rule::quoted => {
            quoted.into_inner().next().map_or_else(String::new, |inner| inner.as_str().to_owned())
        }
        _ => trimmed(pair.as_str()).to_owned(),
    }
}

/// Removes leading and trailing spaces and tabs. Unlike `str::trim`, keeps other whitespace, which the grammar does not treat as blank.
fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
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

/// Returns a message that says why a statement does not parse, and a help text, usually with an example of the statement.
fn explain(line: &str, at: usize) -> (String, Option<String>) {
    let first = first_word(line);
    let form = match StatementForm::starting_with(first) {
        Some(form) => form.example,
        None if line.contains(':') => "Ann: bid lot=2 price=10",
        None => {
            let help = crate::diagnostic::did_you_mean(first, STATEMENTS.iter().map(StatementForm::word));
            let help = help.unwrap_or_else(|| "a choice is written `Ann: bid lot=2 price=10`".to_owned());
            return (format!("`{first}` is not a statement"), Some(help));
        }
    };
    let what = if at >= line.len() { "the line ends too early" } else { "this is not expected here" };
    (what.to_owned(), Some(format!("write it like `{form}`")))
}
