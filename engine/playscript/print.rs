//! Prints playscripts. Parsing the output gives an equal playscript.

use super::play::{EXPECT_WORDS, Expect, NOBODY, Play, PlayUntil, StatementForm, StatementKind};
use super::statements::format_line;
use std::fmt::{self, Display, Formatter};

impl Display for Play {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", format_line())?;
        for statement in &self.head {
            writeln!(f, "{}", statement.what)?;
        }
        for scene in &self.scenes {
            writeln!(f)?;
            writeln!(f, "scene \"{}\" {{", scene.name)?;
            for statement in &scene.statements {
                writeln!(f, "    {}", statement.what)?;
            }
            writeln!(f, "}}")?;
        }
        Ok(())
    }
}

impl Display for StatementKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(game) => write!(f, "game {game}"),
            Self::Players(players) => {
                write!(f, "players {}", join_with_spaces(players.iter().map(|player| name(player))))
            }
            Self::Seed(seed) => write!(f, "seed {seed}"),
            Self::Option(option, value) => write!(f, "option {option} = {value}"),
            Self::Set(path, value) => write!(f, "set {path} = {value}"),
            Self::Agents(agents) => write!(f, "agents {}", agents.join(" ")),
            Self::Start { phase, round, seat, after_setup } => {
                write!(f, "start at {phase}")?;
                round.map_or(Ok(()), |round| write!(f, " round {round}"))?;
                seat.as_ref().map_or(Ok(()), |seat| write!(f, " for {}", name(seat)))?;
                if *after_setup { write!(f, " after setup") } else { Ok(()) }
            }
            Self::Arrange(code) => write!(f, "arrange {{{code}}}"),
            Self::Roll(die, rolls) => {
                let die = die.as_ref().map_or_else(String::new, |die| format!("{die} "));
                write!(f, "roll {die}{}", rolls.join(" "))
            }
            Self::NextShuffle(zone, top) => write!(f, "next shuffle of {zone}: {}", top.join(", ")),
            Self::NextDraw(zone, drawn) => {
                let zone = zone.as_ref().map_or_else(String::new, |zone| format!(" from {zone}"));
                write!(f, "next draw{zone}: {}", drawn.join(", "))
            }
            Self::NextFirst(seat) => write!(f, "next first: {}", name(seat)),
            Self::Choice { seat, decision, answer, mark } => {
                write!(f, "{}: {decision}{}", name(seat), after_space(answer))?;
                write_mark(f, *mark)
            }
            Self::Reject { seat, decision, answer } => {
                write!(f, "reject {}: {decision}{}", name(seat), after_space(answer))
            }
            Self::Forced { seat, decision, answer } => {
                write!(f, "forced {}: {decision}{}", name(seat), after_space(answer))
            }
            Self::Allows { seat, decision, answer } => {
                write!(f, "allows {}: {decision}{}", name(seat), after_space(answer))
            }
            Self::Offers { seat, decision, count } => write!(f, "offers {}: {decision} {count}", name(seat)),
            Self::Expect(expect) => write!(f, "expect {expect}"),
            Self::Do(code) => write!(f, "do {code}"),
            Self::Auto(until, agent) => {
                write!(f, "auto until {until}")?;
                agent.as_ref().map_or(Ok(()), |agent| write!(f, " with {agent}"))
            }
            Self::Redeal { seed, by, consent, mark } => {
                write!(f, "redeal {seed}")?;
                by.as_ref().map_or(Ok(()), |by| write!(f, " by {}", name(by)))?;
                write!(f, " {}", consent.word())?;
                write_mark(f, *mark)
            }
            Self::Note(text) => write!(f, "note {text}"),
            Self::Table { rows, mark } => {
                let rows: Vec<String> = rows.iter().map(|(place, content)| format!("{place}={content}")).collect();
                write!(f, "table {}", rows.join(" | "))?;
                write_mark(f, *mark)
            }
            Self::End { ending, scores, mark } => {
                write!(f, "end")?;
                ending.as_ref().map_or(Ok(()), |ending| write!(f, " {ending}"))?;
                scores.iter().try_for_each(|(seat, score)| write!(f, " {} {score}", name(seat)))?;
                write_mark(f, *mark)
            }
        }
    }
}

impl Display for Expect {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::That(expression) => write!(f, "{expression}"),
            Self::Options { seat, decision, options } => {
                write!(f, "options {}: {decision} {}", name(seat), options.join(" | "))
            }
            Self::Winners(winners) => {
                if winners.is_empty() {
                    return write!(f, "winner {NOBODY}");
                }
                let word = if winners.len() == 1 { "winner" } else { "winners" };
                write!(f, "{word} {}", join_with_spaces(winners.iter().map(|winner| name(winner))))
            }
            Self::Score(seat, score) => write!(f, "score {} {score}", name(seat)),
            Self::Ending(ending) => write!(f, "ending {ending}"),
            Self::Not(expect) => write!(f, "not {expect}"),
            Self::Asked(seat, decision) => {
                write!(f, "asked {}", name(seat))?;
                decision.as_ref().map_or(Ok(()), |decision| write!(f, ": {decision}"))
            }
            Self::Phase(phase) => write!(f, "phase {phase}"),
            Self::Tally(tally, seat, number) => {
                write!(f, "tally {}", name(tally))?;
                seat.as_ref().map_or(Ok(()), |seat| write!(f, " for {}", name(seat)))?;
                write!(f, " = {number}")
            }
            Self::Rank(seat, rank) => write!(f, "rank {} {rank}", name(seat)),
            Self::Log(seat, texts) => write!(f, "log {}: {}", name(seat), texts.join(" | ")),
            Self::Sight { seat, memory, what, place } => {
                let sight = if *memory { "knows" } else { "sees" };
                write!(f, "{} {sight} {what}", name(seat))?;
                place.as_ref().map_or(Ok(()), |place| write!(f, " in {place}"))
            }
        }
    }
}

impl Display for PlayUntil {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Phase(phase) => write!(f, "phase {phase}"),
            Self::Round(round) => write!(f, "round {round}"),
            Self::Decision(decision) => write!(f, "decision {decision}"),
            Self::End => write!(f, "end"),
        }
    }
}

/// Returns a player's name, in quotes if necessary.
pub(crate) fn name(name: &str) -> String {
    let plain = !name.is_empty()
        && !name.contains(|c: char| c.is_whitespace() || ":\"=,|@/".contains(c))
        && !name.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && StatementForm::starting_with(name).is_none()
        && !EXPECT_WORDS.iter().any(|(word, ..)| *word == name);
    if plain { name.to_owned() } else { format!("\"{name}\"") }
}

fn join_with_spaces(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn after_space(answer: &str) -> String {
    if answer.is_empty() { String::new() } else { format!(" {answer}") }
}

fn write_mark(f: &mut Formatter<'_>, mark: Option<u64>) -> fmt::Result {
    mark.map_or(Ok(()), |mark| write!(f, " @ {mark:016x}"))
}
