//! Checks of `expect` statements.

use super::errors::{
    CheckResult, check_ending_name, fail, find_decision, find_phase, find_seat, find_winners, place_in_play, source_of,
    with_help,
};
use super::matching::{self, Match};
use super::option_words;
use super::play::{Expect, NOBODY, PlayStatement};
use super::runner::Runner;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::model::{ComponentId, Model, PieceId, Seat, SpaceId};
use crate::session::{Choice, MAX_CONSIDERED, Outcome, Session, Status, tallied_names};
use crate::table::View;
use crate::wording::OptionTexts;
use std::collections::BTreeSet;

impl Runner<'_> {
    /// Checks the condition of an `expect` statement.
    pub(super) fn expect(&mut self, statement: &PlayStatement, expect: &Expect) -> CheckResult {
        match expect {
            Expect::That(expression) => self.expect_that(statement, expression),
            Expect::Not(inner) => self.expect_not(statement, inner),
            Expect::Asked(seat, decision) => self.expect_asked(statement, seat, decision.as_deref()),
            Expect::Phase(phase) => self.expect_phase(statement, phase),
            Expect::Tally(tally, seat, number) => self.expect_tally(statement, tally, seat.as_deref(), *number),
            Expect::Rank(seat, rank) => self.expect_rank(statement, seat, *rank),
            Expect::Options { seat, decision, options } => self.expect_options(statement, seat, decision, options),
            Expect::Winners(wanted) => self.expect_winners(statement, wanted),
            Expect::Score(name, wanted) => self.expect_score(statement, name, *wanted),
            Expect::Ending(wanted) => self.expect_ending(statement, wanted),
            Expect::Log(name, texts) => self.expect_log(statement, name, texts),
            Expect::Sight { seat, memory, what, place: None } => {
                self.expect_sight(statement, true, seat, *memory, what)
            }
            Expect::Sight { seat, memory, what, place: Some(place) } => {
                self.expect_sight_in(statement, true, seat, *memory, what, place)
            }
        }
    }

    // ----- expressions

    fn evaluate(&mut self, statement: &PlayStatement, text: &str) -> Result<Choice, Box<Diagnostic>> {
        let source = source_of(statement, text);
        self.check_code(statement, text)?;
        let session = self.session.as_mut().expect("play has begun");
        session.evaluate(&source).map_err(|found| place_in_play(statement, *found, &source))
    }

    /// Checks that a condition is false. A condition that cannot be evaluated does not count as false.
    fn expect_not(&mut self, statement: &PlayStatement, inner: &Expect) -> CheckResult {
        match inner {
            Expect::Sight { seat, memory, what, place: None } => {
                return self.expect_sight(statement, false, seat, *memory, what);
            }
            Expect::Sight { seat, memory, what, place: Some(place) } => {
                return self.expect_sight_in(statement, false, seat, *memory, what, place);
            }
            // If the game is not over, or the decision is not open, the condition would be false for the wrong reason.
            Expect::Winners(_) | Expect::Score(..) | Expect::Rank(..) | Expect::Ending(_) => {
                self.outcome(statement)?;
            }
            Expect::Options { seat, decision, options } => {
                self.open_options(statement, seat, decision)?;
                for option in options {
                    let (model, setup) = (self.session().model(), &self.setup);
                    option_words::check(statement, decision, option, model, setup, &self.words)?;
                    self.check_could_be_offered(statement, decision, option)?;
                }
            }
            _ => {}
        }
        if let Expect::Log(name, texts) = inner {
            let seat = find_seat(statement, name, self.session().model(), &self.setup)?;
            texts.iter().try_for_each(|text| self.check_could_be_logged(statement, seat, text))?;
        }
        match self.expect(statement, inner) {
            Ok(()) => {
                let found = fail(statement, "expect", format!("`{inner}` holds"), "must not hold");
                Err(self.with_table(found, self.seat_in_question(&inner.to_string())))
            }
            Err(found) if FALSE_CODES.contains(&found.code) && !found.message.ends_with(NOT_BOOLEAN) => Ok(()),
            Err(found) => Err(found),
        }
    }

    fn expect_asked(&mut self, statement: &PlayStatement, name: &str, decision: Option<&str>) -> CheckResult {
        let model = self.session().model().clone();
        let seat = find_seat(statement, name, &model, &self.setup)?;
        let wanted = decision.map(|decision| find_decision(statement, decision, &model)).transpose()?;
        let decision_text = decision.map_or_else(String::new, |decision| format!(" `{decision}`"));
        let actual = match self.session().status() {
            Status::Waiting(open) if open.seat == seat && wanted.is_none_or(|wanted| wanted == open.id) => {
                return Ok(());
            }
            Status::Waiting(open) => {
                format!("{} is asked `{}`", self.setup.name(open.seat), model.decisions[open.id.index()].id)
            }
            _ => "nobody is asked anything".to_owned(),
        };
        let found = fail(statement, "expect", format!("{name} is not asked{decision_text}: {actual}"), "does not hold");
        Err(self.with_table(found, Some(seat)))
    }

    fn expect_phase(&self, statement: &PlayStatement, wanted: &str) -> CheckResult {
        let model = self.session().model();
        let phase = find_phase(statement, wanted, model)?;
        let actual = self.session().table().position.phase;
        if actual == Some(phase) {
            return Ok(());
        }
        let actual = actual.map_or("the game is in no phase".to_owned(), |actual| {
            format!("the phase is `{}`", model.phases[actual.index()].id)
        });
        let found = fail(statement, "expect", format!("{actual}, expected `{wanted}`"), "does not hold");
        Err(self.with_table(found, None))
    }

    fn expect_tally(&self, statement: &PlayStatement, tally: &str, name: Option<&str>, wanted: i64) -> CheckResult {
        let seat = name.map(|name| find_seat(statement, name, self.session().model(), &self.setup)).transpose()?;
        check_tally_name(statement, tally, self.session().model())?;
        // A tally that was never counted is 0.
        let actual = self.session().tally(tally, seat).unwrap_or(0);
        if actual == wanted {
            return Ok(());
        }
        let whose = name.map_or_else(String::new, |name| format!(" of {name}"));
        let found =
            fail(statement, "expect", format!("`{tally}`{whose} is {actual}, expected {wanted}"), "does not hold");
        Err(self.with_table(found, seat))
    }

    fn expect_rank(&self, statement: &PlayStatement, name: &str, wanted: u64) -> CheckResult {
        let seat = find_seat(statement, name, self.session().model(), &self.setup)?;
        let rank = self.outcome(statement)?.standings[seat.index()].rank;
        self.check_equal(statement, &format!("rank of {name}"), &rank.to_string(), &wanted.to_string())
    }

    fn expect_that(&mut self, statement: &PlayStatement, expression: &str) -> CheckResult {
        match self.evaluate(statement, expression)? {
            Choice::Flag(true) => Ok(()),
            Choice::Flag(false) => Err(self.describe_false(statement, expression)?),
            other => {
                let message = format!("this is {}, {NOT_BOOLEAN}", self.format(&other));
                let found = fail(statement, "expect", message, "not a condition");
                let help = match expression.split_once(" = ") {
                    Some((left, right)) => format!("write `==` to compare: `{left} == {right}`"),
                    None => format!("compare it: `{expression} == …`"),
                };
                Err(with_help(found, Some(help)))
            }
        }
    }

    /// Returns the error for a false expression. It names the first false operand of `&&`. For a comparison, it also shows the values of
    /// both sides.
    fn describe_false(
        &mut self,
        statement: &PlayStatement,
        expression: &str,
    ) -> Result<Box<Diagnostic>, Box<Diagnostic>> {
        let mut part = expression;
        for condition in split_outside(expression, "&&") {
            if self.evaluate(statement, condition)? == Choice::Flag(false) {
                part = condition;
                break;
            }
        }
        let mut found = fail(statement, "expect", format!("`{part}` does not hold"), "does not hold");
        if let Some((left, relation, right)) = split_comparison(part) {
            let (left_is, right_is) = (self.evaluate(statement, left)?, self.evaluate(statement, right)?);
            let relation = if relation == "==" { String::new() } else { format!("{relation} ") };
            found.message =
                format!("`{left}` is {}, expected {relation}{}", self.format(&left_is), self.format(&right_is));
        }
        Ok(self.with_table(found, self.seat_in_question(part)))
    }

    /// Returns the only player that an expression names. If it names none, returns the player who is being asked. Returns `None` if it
    /// names several.
    fn seat_in_question(&self, expression: &str) -> Option<Seat> {
        let is_named = |seat: &Seat| words(expression).any(|word| word == self.setup.name(*seat));
        let named: Vec<Seat> = self.session().model().all_seats().filter(is_named).collect();
        match named[..] {
            [seat] => Some(seat),
            [] => self.session().decision().map(|open| open.seat),
            _ => None,
        }
    }

    fn format(&self, choice: &Choice) -> String {
        self.wording().plain(self.session().table(), choice)
    }

    // ----- end of the game

    fn outcome(&self, statement: &PlayStatement) -> Result<&Outcome, Box<Diagnostic>> {
        self.session().outcome().ok_or_else(|| fail(statement, "not-over", "the game is not over", "checks the ending"))
    }

    fn expect_winners(&self, statement: &PlayStatement, wanted: &[String]) -> CheckResult {
        let mut named: Vec<&str> = Vec::new();
        for name in wanted {
            let seats = find_winners(statement, name, self.session().model(), &self.setup)?;
            named.extend(seats.into_iter().map(|seat| self.setup.name(seat)));
        }
        let mut winners: Vec<&str> = self.outcome(statement)?.winners().map(|seat| self.setup.name(seat)).collect();
        winners.sort_unstable();
        named.sort_unstable();
        named.dedup();
        let listed = |names: &[&str]| if names.is_empty() { NOBODY.to_owned() } else { names.join(" and ") };
        self.check_equal(statement, "winner", &listed(&winners), &listed(&named))
    }

    fn expect_score(&self, statement: &PlayStatement, name: &str, wanted: i64) -> CheckResult {
        let seat = find_seat(statement, name, self.session().model(), &self.setup)?;
        let standing = &self.outcome(statement)?.standings[seat.index()];
        if standing.score == wanted {
            return Ok(());
        }
        let message = format!("the score of {name} is {}, expected {wanted}", standing.score);
        let parts = standing.breakdown.iter().map(|(part, number)| format!("{part} {number}")).collect();
        let found = fail(statement, "expect", message, "does not hold").detail("the score", parts);
        Err(self.with_table(Box::new(found), None))
    }

    fn expect_ending(&self, statement: &PlayStatement, wanted: &str) -> CheckResult {
        let model = self.session().model();
        check_ending_name(statement, wanted, model)?;
        let ending = self.outcome(statement)?.ending;
        self.check_equal(statement, "ending", &model.endings[ending.index()].id, wanted)
    }

    fn check_equal(&self, statement: &PlayStatement, what: &str, is: &str, wanted: &str) -> CheckResult {
        if is == wanted {
            return Ok(());
        }
        let found = fail(statement, "expect", format!("the {what} is {is}, expected {wanted}"), "does not hold");
        let outcome = self.outcome(statement)?;
        let scores = outcome
            .standings
            .iter()
            .map(|one| format!("{} {} (rank {})", self.setup.name(one.seat), one.score, one.rank));
        Err(Box::new(found.detail("scores", vec![scores.collect::<Vec<_>>().join(", ")])))
    }

    // ----- options, log and visibility

    fn expect_options(
        &mut self,
        statement: &PlayStatement,
        seat: &str,
        decision: &str,
        wanted: &[String],
    ) -> CheckResult {
        let options = self.open_options(statement, seat, decision)?;
        let seat_asked = self.session().decision().map(|open| open.seat);
        let mut named = BTreeSet::new();
        for one in wanted {
            let fault = match matching::find_in(&options, one) {
                Match::One(at) if named.insert(at) => continue,
                Match::One(_) => format!("`{one}` is named twice"),
                Match::Several(several) => format!("`{one}` matches {} options", several.len()),
                Match::None => format!("`{one}` is not offered"),
            };
            let found = fail(statement, "options", fault, "expected to be offered");
            return Err(self.with_options(found, &options, one, seat_asked));
        }
        let left = options.len() - named.len();
        if left == 0 {
            return Ok(());
        }
        let mut unnamed = (0..options.len()).filter(|at| !named.contains(at));
        let more: Vec<String> = unnamed.by_ref().take(MAX_CONSIDERED).map(|at| options.get(at).into_owned()).collect();
        let are = if left == 1 { "1 more option is".to_owned() } else { format!("{left} more options are") };
        let found = fail(statement, "options", format!("{are} offered"), "not all of them");
        Err(self.with_options(found, &OptionTexts::listed(more), "", seat_asked))
    }

    fn expect_log(&self, statement: &PlayStatement, name: &str, texts: &[String]) -> CheckResult {
        let seat = find_seat(statement, name, self.session().model(), &self.setup)?;
        let lines = self.wording().for_seat(seat).narrate(self.session().events().since(self.seen));
        let mut from = 0;
        let mut missing = None;
        for text in texts {
            let Some(at) = lines[from..].iter().position(|line| line.contains(text.as_str())) else {
                missing = Some(text);
                break;
            };
            from += at + 1;
        }
        let Some(text) = missing else { return Ok(()) };
        let behind = if from > 0 && lines.iter().any(|line| line.contains(text.as_str())) { " behind it" } else { "" };
        let message = format!("{name} sees no log line with `{text}`{behind}");
        let found = fail(statement, "log", message, "not in the log since the last choice");
        let mut lines: Vec<String> = lines.iter().map(|line| line.trim().to_owned()).collect();
        if lines.is_empty() {
            lines.push("nothing".to_owned());
        }
        Err(Box::new(found.detail("the log since", lines)))
    }

    fn expect_sight(
        &mut self,
        statement: &PlayStatement,
        holds: bool,
        name: &str,
        memory: bool,
        what: &str,
    ) -> CheckResult {
        let seat = find_seat(statement, name, self.session().model(), &self.setup)?;
        let mut pieces = pieces_in(&self.evaluate(statement, what)?, self.session());
        pieces.sort_unstable();
        pieces.dedup();
        if pieces.is_empty() {
            return Err(self.with_table(fail(statement, "sight", "there is no piece to look at", "no piece"), None));
        }
        let known = count_known(self.session(), seat, memory, &pieces);
        if (holds && known == pieces.len()) || (!holds && known == 0) {
            return Ok(());
        }
        let verb = if memory { "knows" } else { "sees" };
        let message = match pieces.len() {
            1 if holds => format!("{name} does not {} it", verb.trim_end_matches('s')),
            1 => format!("{name} {verb} it"),
            all => format!("{name} {verb} {known} of {all} pieces"),
        };
        Err(self.with_table(fail(statement, "sight", message, "does not hold"), Some(seat)))
    }

    /// Checks that a player sees or knows that components are among the pieces of a place. If `holds` is false, checks that the player does
    /// not.
    fn expect_sight_in(
        &mut self,
        statement: &PlayStatement,
        holds: bool,
        name: &str,
        memory: bool,
        what: &str,
        place: &str,
    ) -> CheckResult {
        let seat = find_seat(statement, name, self.session().model(), &self.setup)?;
        let wanted = self.evaluate(statement, what)?;
        let (Some(wanted), spaces) = (components_in(&wanted, self.session()), self.evaluate(statement, place)?) else {
            let message = format!("before `in` there is {}, not a component", self.format(&wanted));
            let found = fail(statement, "sight", message, "not a component");
            let help = format!("name the component: `expect {name} knows component(\"…\") in {place}`");
            return Err(with_help(found, Some(help)));
        };
        let Some(mut spaces) = spaces_in(&spaces, self.session()) else {
            let message = format!("after `in` there is {}, not a zone or space", self.format(&spaces));
            return Err(fail(statement, "sight", message, "not a place"));
        };
        spaces.sort_unstable();
        spaces.dedup();
        let view = view_of(self.session(), seat, memory);
        let is_known = |run: &&[ComponentId]| view.known_in(&spaces, run[0]) >= run.len();
        let runs: Vec<&[ComponentId]> = wanted.chunk_by(|a, b| a == b).collect();
        let violated = runs.into_iter().find(|run| is_known(run) != holds);
        let Some(violated) = violated else { return Ok(()) };
        let id = &self.session().model().component(violated[0]).id;
        let many = if violated.len() > 1 { format!("{} × ", violated.len()) } else { String::new() };
        let verb = match (holds, memory) {
            (true, true) => "does not know",
            (true, false) => "does not see",
            (false, true) => "knows",
            (false, false) => "sees",
        };
        let message = format!("{name} {verb} {many}`{id}` to be in `{place}`");
        Err(self.with_table(fail(statement, "sight", message, "does not hold"), Some(seat)))
    }
}

/// Fails if the rules use no counter called `tally`. Passes if the names of the counters cannot be determined.
pub(super) fn check_tally_name(statement: &PlayStatement, tally: &str, model: &Model) -> CheckResult {
    let Some(names) = tallied_names(model).filter(|names| !names.iter().any(|name| **name == *tally)) else {
        return Ok(());
    };
    let help = did_you_mean(tally, names.iter().map(|name| &**name));
    let message = format!("there is no counter `{tally}`");
    Err(with_help(fail(statement, "unknown-word", message, "not a name that the rules give to `tally`"), help))
}

/// Returns the code fragments of an expectation.
pub(super) fn code_fragments(expect: &Expect) -> Vec<&str> {
    match expect {
        Expect::That(text) => vec![text],
        Expect::Sight { what, place, .. } => std::iter::once(what).chain(place).map(String::as_str).collect(),
        Expect::Not(inner) => code_fragments(inner),
        _ => Vec::new(),
    }
}

/// Error codes that say that an expectation is false. All other codes say that it could not be evaluated.
const FALSE_CODES: [&str; 4] = ["expect", "options", "log", "sight"];

/// End of the message about an expression that is not boolean.
const NOT_BOOLEAN: &str = "neither true nor false";

fn pieces_in(choice: &Choice, session: &Session) -> Vec<PieceId> {
    match choice {
        Choice::Piece(piece) => vec![*piece],
        Choice::Zone(zone) => session.table().pieces(*zone).collect(),
        Choice::Space(space) => session.table().stack(*space).collect(),
        Choice::Many(all) => all.iter().flat_map(|one| pieces_in(one, session)).collect(),
        _ => Vec::new(),
    }
}

/// Returns how many of `pieces` a seat sees or knows. If `pieces` includes all pieces of a space and none of them is hidden from the seat,
/// all of them count.
fn count_known(session: &Session, seat: Seat, memory: bool, pieces: &[PieceId]) -> usize {
    let (table, view) = (session.table(), view_of(session, seat, memory));
    let mut spaces: Vec<SpaceId> = pieces.iter().map(|piece| table.space_of(*piece)).collect();
    spaces.sort_unstable();
    spaces.dedup();
    let known_on_space = |space: SpaceId| {
        let asked: Vec<PieceId> = pieces.iter().copied().filter(|piece| table.space_of(*piece) == space).collect();
        if asked.len() == table.height(space) && view.hidden(space).count == 0 {
            return asked.len();
        }
        asked.into_iter().filter(|piece| view.knows(*piece)).count()
    };
    spaces.into_iter().map(known_on_space).sum()
}

/// Returns a seat's view. If `memory` is set, the view includes what the seat remembers.
fn view_of(session: &Session, seat: Seat, memory: bool) -> View<'_> {
    if memory { session.memory(Some(seat)) } else { session.view(seat) }
}

/// Returns the components that a value denotes, sorted. Returns `None` if it denotes none, or anything that is not a component.
fn components_in(choice: &Choice, session: &Session) -> Option<Vec<ComponentId>> {
    let mut found = match choice {
        Choice::Component(component) => vec![*component],
        Choice::Piece(piece) => vec![session.table().component(*piece)],
        Choice::Many(all) => all.iter().map(|one| components_in(one, session)).collect::<Option<Vec<_>>>()?.concat(),
        _ => return None,
    };
    found.sort_unstable();
    (!found.is_empty()).then_some(found)
}

fn spaces_in(choice: &Choice, session: &Session) -> Option<Vec<SpaceId>> {
    match choice {
        Choice::Zone(zone) => Some(session.table().spaces(*zone).collect()),
        Choice::Space(space) => Some(vec![*space]),
        Choice::Many(all) => Some(all.iter().map(|one| spaces_in(one, session)).collect::<Option<Vec<_>>>()?.concat()),
        _ => None,
    }
}

/// Iterates over the identifiers and numbers in `text`.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Iterates over the bytes of `text` outside brackets and quotes, with their offsets. Outermost closing brackets, and closing quotes
/// outside brackets, are included.
fn outside_brackets(text: &str) -> impl Iterator<Item = (usize, u8)> + '_ {
    let (mut depth, mut quoted) = (0_i32, false);
    text.bytes().enumerate().filter(move |(_, byte)| {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        depth == 0 && !quoted
    })
}

/// Splits `text` at each `separator` outside brackets and quotes, and trims the pieces.
pub(super) fn split_outside<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, _) in outside_brackets(text) {
        if at >= from && text.is_char_boundary(at) && text[at..].starts_with(separator) {
            parts.push(text[from..at].trim());
            from = at + separator.len();
        }
    }
    parts.push(text[from..].trim());
    parts
}

/// Splits `text` at the first comparison operator outside brackets and quotes. Returns the left side, the operator and the right side.
/// Returns `None` if there is no such operator, or if `&`, `|`, or a `!` or `=` that is not part of a comparison operator comes first.
fn split_comparison(text: &str) -> Option<(&str, &str, &str)> {
    for (at, byte) in outside_brackets(text) {
        match byte {
            b'=' | b'!' | b'<' | b'>' => {
                let two = text.get(at..at + 2).filter(|two| ["==", "!=", "<=", ">="].contains(two));
                let one = text.get(at..=at).filter(|one| ["<", ">"].contains(one));
                let relation = two.or(one)?;
                return Some((text[..at].trim(), relation, text[at + relation.len()..].trim()));
            }
            b'&' | b'|' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{split_comparison, split_outside};

    #[test]
    fn comparisons_are_split_outside_brackets_and_quotes() {
        assert_eq!(split_comparison("a.b(x == 1) >= \"<\""), Some(("a.b(x == 1)", ">=", "\"<\"")));
        assert_eq!(split_comparison("a(|x| x > 1)"), None);
        assert_eq!(split_comparison("a == 1 || b == 2").map(|sides| sides.0), Some("a"));
        assert_eq!(split_comparison("安 == 2"), Some(("安", "==", "2")));
    }

    #[test]
    fn conditions_are_split_outside_brackets_and_quotes() {
        assert_eq!(split_outside("a == 1 && f(b && c) && \"&&\" == d", "&&"), ["a == 1", "f(b && c)", "\"&&\" == d"]);
        assert_eq!(split_outside("安 && 本", "&&"), ["安", "本"]);
    }
}
