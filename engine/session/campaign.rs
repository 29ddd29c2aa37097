//! A campaign: when a game is over, which is the next, and what it begins with.

use super::carried;
use super::status::{Progress, Session, placed};
use crate::decision::Choice;
use crate::diagnostic::Diagnostic;
use crate::library::State;
use crate::model::Setup;
use crate::script::{self, Host};
use crate::table::{Table, mixed};

/// More games than a campaign has.
pub const MOST_GAMES: usize = 1000;

/// A campaign that goes on after [`MOST_GAMES`] games.
pub fn endless_campaign() -> Diagnostic {
    Diagnostic::error("endless", format!("the campaign goes on after {MOST_GAMES} games"))
        .help("let the function that `[campaign]` names as `next` give `()` at last")
}

impl Session {
    /// The setup of the game that follows in the campaign, with what this one hands on, once this one is over; nothing where it was the last, or
    /// the game has no campaign.
    ///
    /// # Errors
    /// What is wrong with the function that says which scenario follows.
    pub fn next_game(&self) -> Result<Option<Setup>, Box<Diagnostic>> {
        if !matches!(self.progress, Progress::Over(_)) {
            return Ok(None);
        }
        let found = next(&self.host, &self.state.table, &self.setup);
        found.map_err(|diagnostic| Box::new(placed(diagnostic, &self.state, &self.game, &self.setup)))
    }
}

/// The setup of the game that follows one that is over.
fn next(host: &Host, table: &Table, setup: &Setup) -> Result<Option<Setup>, Diagnostic> {
    let model = host.model.clone();
    let (Some(campaign), Some(played), Some(scenarios)) = (&model.campaign, model.scenario(), model.scenarios()) else {
        return Ok(None);
    };
    let following = match &campaign.next {
        None => scenarios.iter().skip_while(|word| **word != played).nth(1).cloned(),
        Some(named) => {
            let function = &named.call.function;
            match script::call(host, &mut State::new(table.clone()), function, None)? {
                Choice::Nothing => None,
                Choice::Word(word) => {
                    let known = scenarios.iter().find(|known| ***known == *word);
                    Some(known.cloned().ok_or_else(|| no_scenario(host, function, &format!("`{word}`")))?)
                }
                _ => return Err(no_scenario(host, function, "something else than a scenario")),
            }
        }
    };
    let Some(following) = following else { return Ok(None) };
    let mut next = setup.clone();
    next.options.retain(|(name, _)| *name != *campaign.option);
    next.options.push((campaign.option.to_string(), following.to_string()));
    // As the seeds of a batch, small enough for numbers of other programs.
    next.seed = mixed(&[setup.seed, 0xca31]) >> 11;
    Ok(Some(next.with_carried(carried::written(table, campaign))))
}

fn no_scenario(host: &Host, function: &str, given: &str) -> Diagnostic {
    host.wrong_result(function, given)
        .help("give one of the words of the campaign's option, or `()` where the campaign is over")
}
