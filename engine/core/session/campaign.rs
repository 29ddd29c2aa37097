//! Determines the next game of a campaign, and its setup.

use super::campaign_state;
use super::status::{Progress, Session, placed};
use crate::decision::Choice;
use crate::diagnostic::Diagnostic;
use crate::library::State;
use crate::model::Setup;
use crate::script::{self, Host};
use crate::table::{Table, mixed};

/// Maximum number of games in a campaign.
pub const MAX_GAMES: usize = 1000;

/// Creates the diagnostic for a campaign with more than [`MAX_GAMES`] games.
pub fn endless_campaign() -> Diagnostic {
    Diagnostic::error("endless", format!("the campaign goes on after {MAX_GAMES} games"))
        .help("make the function `next` of `[campaign]` return `()` eventually")
}

impl Session {
    /// Returns the setup of the next game of the campaign, including the state that is carried over. Returns `None` if this game is not
    /// over, has no campaign, or was the last game of its campaign.
    ///
    /// # Errors
    /// Returns a fault in the function that chooses the next scenario.
    pub fn next_game(&self) -> Result<Option<Setup>, Box<Diagnostic>> {
        if matches!(self.progress, Progress::Over(_)) { self.following_game() } else { Ok(None) }
    }

    /// Like [`next_game`](Self::next_game), for a game that is known to be over.
    pub(super) fn following_game(&self) -> Result<Option<Setup>, Box<Diagnostic>> {
        let found = next(&self.host, &self.state.table, &self.setup);
        found.map_err(|diagnostic| Box::new(placed(diagnostic, &self.state, &self.game, &self.setup)))
    }
}

/// Creates the setup of the next game of the campaign. Returns `None` if there is no campaign or no further game.
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
                _ => return Err(no_scenario(host, function, "not a scenario")),
            }
        }
    };
    let Some(following) = following else { return Ok(None) };
    let mut next = setup.clone();
    next.options.retain(|(name, _)| *name != *campaign.option);
    next.options.push((campaign.option.to_string(), following.to_string()));
    // Limited to 53 bits, like the seeds of a batch, because other programs read numbers as floats.
    next.seed = mixed(&[setup.seed, 0xca31]) >> 11;
    Ok(Some(next.with_carried(campaign_state::written(table, campaign))))
}

fn no_scenario(host: &Host, function: &str, given: &str) -> Diagnostic {
    host.wrong_result(function, given)
        .help("give one of the words of the campaign's option, or `()` where the campaign is over")
}
