//! Statements that predetermine results of chance.

use super::errors::{CheckResult, fail, find_seat, with_help};
use super::play::{PlayStatement, StatementKind};
use super::runner::Runner;
use crate::diagnostic::{Detail, Diagnostic, did_you_mean, how_to_declare};
use crate::model::{ComponentId, Model, Shape, SpaceId};
use crate::session::Setup;
use crate::table::{Fixed, ThrowResult};
use crate::wording::shown_word;

impl Runner<'_> {
    /// Applies a statement that predetermines a result of chance. If the session is not open yet, the statement is only recorded.
    pub(super) fn fix(&mut self, statement: &PlayStatement) -> CheckResult {
        self.fixes.push(statement.clone());
        let Some(session) = &mut self.session else { return Ok(()) };
        let model = session.model().clone();
        fix(session.fix_chance(), statement, &model, &self.setup)
    }

    /// Fails if a predetermined result was never used. The error marks the last statement that predetermines a result of this type, such as
    /// a roll or a shuffle.
    pub(super) fn check_all_chance_used(&self) -> CheckResult {
        self.find_unused().map_or(Ok(()), Err)
    }

    /// Adds a statement with unused predetermined results to a failure, since it may explain the failure. Chooses the last statement whose
    /// type of result, such as rolls, has not been used up.
    pub(super) fn with_unused_chance(&self, mut failure: Box<Diagnostic>) -> Box<Diagnostic> {
        let Some(left) = self.find_unused().filter(|left| left.code != failure.code) else { return failure };
        let lines = left.marks.iter().map(|mark| mark.place.source.text[mark.place.span.clone()].to_owned()).collect();
        failure.details.push(Detail { heading: "set, but not used yet".to_owned(), lines });
        failure
    }

    fn find_unused(&self) -> Option<Box<Diagnostic>> {
        let session = self.session.as_ref()?;
        let left = session.table().chance.fixed().filter(|left| !left.is_empty())?;
        let is_left = |what: &StatementKind| match what {
            StatementKind::Roll(..) => !left.rolls.is_empty(),
            StatementKind::NextShuffle(..) => !left.shuffles.is_empty(),
            StatementKind::NextDraw(..) => !left.draws.is_empty(),
            StatementKind::NextFirst(_) => left.first.is_some(),
            _ => false,
        };
        let statement = self.fixes.iter().rev().find(|statement| is_left(&statement.what))?;
        let result_kind = match statement.what {
            StatementKind::Roll(..) => "a throw",
            StatementKind::NextShuffle(..) => "a shuffle",
            StatementKind::NextDraw(..) => "a draw",
            _ => "the choice of who begins",
        };
        let message = format!("{result_kind} that was set was never used");
        let mut found = fail(statement, "unused-chance", message, "not used up when the scene ended");
        if let (StatementKind::NextDraw(Some(path), _), Some(zone)) =
            (&statement.what, left.draws.first().and_then(|(zone, _)| *zone))
            && session.model().family_of(zone).shape == Shape::Pile
        {
            let help = format!(
                "draws from a pile take its top piece: write `next shuffle of {path}: …`, with that piece first"
            );
            found = with_help(found, Some(help));
        }
        if let (StatementKind::NextShuffle(..), Some((_, missing))) = (&statement.what, left.shuffles.first()) {
            let names: Vec<&str> = missing.iter().map(|id| &*session.model().component(*id).id).collect();
            *found = found.detail("never shuffled", vec![names.join(", ")]);
        }
        Some(found)
    }
}

/// Adds the results that a statement predetermines to `fixed`.
pub(super) fn fix(fixed: &mut Fixed, statement: &PlayStatement, model: &Model, setup: &Setup) -> CheckResult {
    match &statement.what {
        StatementKind::Roll(die, rolls) => {
            let die = die.as_ref().map(|die| find_die(statement, die, model)).transpose()?;
            for roll in rolls {
                fixed.rolls.push((die, parse_throw(statement, die, roll, model)?));
            }
        }
        StatementKind::NextShuffle(zone, top) => {
            let space = find_space(statement, zone, model, setup)?;
            let top = top.iter().map(|id| find_component(statement, id, model)).collect::<Result<_, _>>()?;
            fixed.shuffles.push((space, top));
        }
        StatementKind::NextDraw(zone, drawn) => {
            let space = zone.as_ref().map(|zone| find_space(statement, zone, model, setup)).transpose()?;
            let zone = space.map(|space| model.space(space).zone);
            for id in drawn {
                fixed.draws.push((zone, find_component(statement, id, model)?));
            }
        }
        StatementKind::NextFirst(name) => {
            let first = find_seat(statement, name, model, setup)?;
            if let Some(known) = fixed.first.replace(first) {
                let message = format!("the first seat is set already: {}", setup.name(known));
                let found = fail(statement, "play-order", message, "set a second time");
                return Err(with_help(found, Some("remove one of them".to_owned())));
            }
        }
        _ => {}
    }
    Ok(())
}

fn find_component(statement: &PlayStatement, id: &str, model: &Model) -> Result<ComponentId, Box<Diagnostic>> {
    model.find_component(id).ok_or_else(|| {
        let help = did_you_mean(id, model.components.iter().map(|component| &*component.id));
        let message = format!("there is no component `{id}`");
        let help = help.or_else(|| how_to_declare("unknown-component", id));
        with_help(fail(statement, "unknown-component", message, "not the id of a component"), help)
    })
}

fn find_die(statement: &PlayStatement, id: &str, model: &Model) -> Result<ComponentId, Box<Diagnostic>> {
    let die = find_component(statement, id, model)?;
    if !model.component(die).faces.is_empty() {
        return Ok(die);
    }
    let found = fail(statement, "no-die", format!("`{id}` has no faces to throw"), "not a die");
    Err(with_help(found, Some("for `roll(6)`, which rolls no piece, remove the name".to_owned())))
}

/// Parses the result of a throw: a number, or the word on a face of the die.
fn parse_throw(
    statement: &PlayStatement,
    die: Option<ComponentId>,
    shown: &str,
    model: &Model,
) -> Result<ThrowResult, Box<Diagnostic>> {
    if let Ok(number) = shown.parse() {
        return Ok(ThrowResult::Number(number));
    }
    let faces = die.map_or(&[][..], |die| &model.component(die).faces);
    let words: Vec<String> = faces.iter().map(|face| shown_word(model, face)).collect();
    words.iter().position(|word| word == shown).map(|at| ThrowResult::Face(at as u8)).ok_or_else(|| {
        let found = fail(statement, "no-faces", format!("the die has no face `{shown}`"), "not one of its faces");
        with_help(found, did_you_mean(shown, words.iter().map(String::as_str)))
    })
}

/// Returns the space that `path` denotes. Paths are written as in logs: `deck`, `lots[2]`, `Ann.hand`, `"Big Cho".hand`.
fn find_space(statement: &PlayStatement, path: &str, model: &Model, setup: &Setup) -> Result<SpaceId, Box<Diagnostic>> {
    let (owner, rest) = match path.strip_prefix('"').and_then(|inside| inside.split_once('"')) {
        Some((owner, rest)) => (Some(owner), rest.trim_start_matches('.')),
        None => path.split_once('.').map_or((None, path), |(owner, rest)| (Some(owner), rest)),
    };
    let owner = owner.map(|name| find_seat(statement, name, model, setup)).transpose()?;
    let found = model.zones.iter().find(|zone| *zone.path == *rest && zone.seat == owner);
    found.map(crate::model::Zone::space).ok_or_else(|| {
        let help = did_you_mean(rest, model.zones.iter().map(|zone| &*zone.path));
        let help = help.or_else(|| how_to_declare("unknown-zone", rest));
        with_help(fail(statement, "unknown-zone", format!("there is no zone `{path}`"), "not a zone"), help)
    })
}
