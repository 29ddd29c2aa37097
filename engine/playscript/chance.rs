//! What a play says of chance: the next results are given instead of drawn.

use super::failing::{Checked, fail, seat_named, with_help};
use super::play::{PlayStatement, What};
use super::runner::Runner;
use crate::diagnostic::{Detail, Diagnostic, did_you_mean, how_to_declare};
use crate::model::{ComponentId, Model, Shape, SpaceId};
use crate::session::Setup;
use crate::table::{Fixed, Thrown};
use crate::wording::shown_word;

impl Runner<'_> {
    /// Takes a statement that fixes chance; before play begins it is only kept.
    pub(super) fn fix(&mut self, statement: &PlayStatement) -> Checked {
        self.fixes.push(statement.clone());
        let Some(session) = &mut self.session else { return Ok(()) };
        let model = session.model().clone();
        fix(session.fix_chance(), statement, &model, &self.setup)
    }

    /// What was fixed and never came is a failure, told where it was fixed.
    pub(super) fn nothing_fixed_is_left(&self) -> Checked {
        self.left_over().map_or(Ok(()), Err)
    }

    /// Adds to a failure what was fixed before and has not come: it may be why.
    pub(super) fn with_unused_chance(&self, mut failure: Box<Diagnostic>) -> Box<Diagnostic> {
        let Some(left) = self.left_over().filter(|left| left.code != failure.code) else { return failure };
        let lines = left.marks.iter().map(|mark| mark.place.source.text[mark.place.span.clone()].to_owned()).collect();
        failure.details.push(Detail { heading: "fixed, and not come so far".to_owned(), lines });
        failure
    }

    fn left_over(&self) -> Option<Box<Diagnostic>> {
        let session = self.session.as_ref()?;
        let left = session.table().chance.fixed().filter(|left| !left.is_empty())?;
        let is_left = |what: &What| match what {
            What::Roll(..) => !left.rolls.is_empty(),
            What::NextShuffle(..) => !left.shuffles.is_empty(),
            What::NextDraw(..) => !left.draws.is_empty(),
            What::NextFirst(_) => left.first.is_some(),
            _ => false,
        };
        let statement = self.fixes.iter().rev().find(|statement| is_left(&statement.what))?;
        let what = match statement.what {
            What::Roll(..) => "a throw",
            What::NextShuffle(..) => "a shuffle",
            What::NextDraw(..) => "a draw",
            _ => "the choice of who begins",
        };
        let message = format!("{what} that was fixed never came as fixed");
        let mut found = fail(statement, "unused-chance", message, "not used up when the scene ended");
        if let (What::NextDraw(Some(path), _), Some(zone)) =
            (&statement.what, left.draws.first().and_then(|(zone, _)| *zone))
            && session.model().family_of(zone).shape == Shape::Pile
        {
            let help =
                format!("from a pile what lies on top is drawn: write `next shuffle of {path}: …`, with that first");
            found = with_help(found, Some(help));
        }
        if let (What::NextShuffle(..), Some((_, missing))) = (&statement.what, left.shuffles.first()) {
            let names: Vec<&str> = missing.iter().map(|id| &*session.model().component(*id).id).collect();
            *found = found.detail("never shuffled", vec![names.join(", ")]);
        }
        Some(found)
    }
}

/// Adds what a statement fixes.
pub(super) fn fix(fixed: &mut Fixed, statement: &PlayStatement, model: &Model, setup: &Setup) -> Checked {
    match &statement.what {
        What::Roll(die, rolls) => {
            let die = die.as_ref().map(|die| die_named(statement, die, model)).transpose()?;
            for roll in rolls {
                fixed.rolls.push((die, thrown(statement, (die, roll), model)?));
            }
        }
        What::NextShuffle(zone, top) => {
            let space = space_named(statement, zone, model, setup)?;
            let top = top.iter().map(|id| component_named(statement, id, model)).collect::<Result<_, _>>()?;
            fixed.shuffles.push((space, top));
        }
        What::NextDraw(zone, drawn) => {
            let space = zone.as_ref().map(|zone| space_named(statement, zone, model, setup)).transpose()?;
            let zone = space.map(|space| model.space(space).zone);
            for id in drawn {
                fixed.draws.push((zone, component_named(statement, id, model)?));
            }
        }
        What::NextFirst(name) => {
            let first = seat_named(statement, name, model, setup)?;
            if let Some(known) = fixed.first.replace(first) {
                let message = format!("who begins is fixed already: {}", setup.name(known));
                let found = fail(statement, "play-order", message, "the second that says so");
                return Err(with_help(found, Some("leave one of them out".to_owned())));
            }
        }
        _ => {}
    }
    Ok(())
}

fn component_named(statement: &PlayStatement, id: &str, model: &Model) -> Result<ComponentId, Box<Diagnostic>> {
    model.find_component(id).ok_or_else(|| {
        let help = did_you_mean(id, model.components.iter().map(|component| &*component.id));
        let message = format!("there is no component `{id}`");
        let help = help.or_else(|| how_to_declare("unknown-component", id));
        with_help(fail(statement, "unknown-component", message, "not the id of a component"), help)
    })
}

fn die_named(statement: &PlayStatement, id: &str, model: &Model) -> Result<ComponentId, Box<Diagnostic>> {
    let die = component_named(statement, id, model)?;
    if !model.component(die).faces.is_empty() {
        return Ok(die);
    }
    let found = fail(statement, "no-die", format!("`{id}` has no faces to throw"), "not a die");
    Err(with_help(found, Some("leave the name out for `roll(6)`, which throws no piece".to_owned())))
}

/// The result that a throw is to have: a number, or what a die with words on it shows.
fn thrown(
    statement: &PlayStatement,
    (die, shown): (Option<ComponentId>, &str),
    model: &Model,
) -> Result<Thrown, Box<Diagnostic>> {
    if let Ok(number) = shown.parse() {
        return Ok(Thrown::Number(number));
    }
    let faces = die.map_or(&[][..], |die| &model.component(die).faces);
    let words: Vec<String> = faces.iter().map(|face| shown_word(model, face)).collect();
    words.iter().position(|word| word == shown).map(|at| Thrown::Face(at as u8)).ok_or_else(|| {
        let found = fail(statement, "no-faces", format!("the die has no face `{shown}`"), "nothing that it shows");
        with_help(found, did_you_mean(shown, words.iter().map(String::as_str)))
    })
}

/// The stack with a path as it is written in logs: `deck`, `lots[2]`, `Ann.hand`, `"Big Cho".hand`.
fn space_named(
    statement: &PlayStatement,
    path: &str,
    model: &Model,
    setup: &Setup,
) -> Result<SpaceId, Box<Diagnostic>> {
    let (owner, rest) = match path.strip_prefix('"').and_then(|inside| inside.split_once('"')) {
        Some((owner, rest)) => (Some(owner), rest.trim_start_matches('.')),
        None => path.split_once('.').map_or((None, path), |(owner, rest)| (Some(owner), rest)),
    };
    let owner = owner.map(|name| seat_named(statement, name, model, setup)).transpose()?;
    let found = model.zones.iter().find(|zone| *zone.path == *rest && zone.seat == owner);
    found.map(crate::model::Zone::space).ok_or_else(|| {
        let help = did_you_mean(rest, model.zones.iter().map(|zone| &*zone.path));
        let help = help.or_else(|| how_to_declare("unknown-zone", rest));
        with_help(fail(statement, "unknown-zone", format!("there is no zone `{path}`"), "not a zone"), help)
    })
}
