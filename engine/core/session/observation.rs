//! Observations: the only access that a player has to a game. An observation contains what the seat sees and remembers, the decision, and
//! worlds imagined from these.

use super::costs::{Altered, Costs};
use super::imagine::Imagination;
use super::outcome::Outcome;
use super::status::Session;
use crate::decision::{Choice, Decision};
use crate::diagnostic::Diagnostic;
use crate::model::Setup;
use crate::model::{ComponentId, Language, Model, Seat};
use crate::table::{Table, View};
use crate::wording::{Offer, OptionTexts, Wording};
use std::sync::Arc;

/// Everything that the player of the asked seat may know.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    table: &'a Table,
    decision: &'a Decision,
    setup: &'a Setup,
    session: Option<&'a Session>,
}

impl<'a> Observation<'a> {
    #[cfg(feature = "walker")]
    pub(super) const fn of_table(table: &'a Table, decision: &'a Decision, setup: &'a Setup) -> Self {
        Self { table, decision, setup, session: None }
    }

    pub(super) fn of_session(session: &'a Session, decision: &'a Decision) -> Self {
        Self { table: session.table(), decision, setup: session.setup(), session: Some(session) }
    }

    pub(super) const fn session(&self) -> Option<&'a Session> {
        self.session
    }

    pub(super) const fn table(&self) -> &'a Table {
        self.table
    }

    /// Returns the asked seat.
    pub const fn seat(&self) -> Seat {
        self.decision.seat
    }

    /// Returns the open decision.
    pub const fn decision(&self) -> &'a Decision {
        self.decision
    }

    /// Returns the model of the game.
    pub fn model(&self) -> &'a Arc<Model> {
        self.table.model()
    }

    /// Returns what the seat sees.
    pub const fn view(&self) -> View<'a> {
        View::new(self.table, Some(self.decision.seat))
    }

    /// Returns what the seat sees, and faces that it has seen earlier and can still assign to pieces.
    pub fn memory(&self) -> View<'a> {
        let seat = Some(self.decision.seat);
        self.session.map_or_else(|| View::memory(self.table, seat), |session| session.memory(seat))
    }

    /// Returns the name of a seat's player.
    pub fn name(&self, seat: Seat) -> &'a str {
        self.setup.name(seat)
    }

    /// Returns a wording that is limited to what the seat knows.
    pub fn wording(&self, language: Language) -> Wording {
        Wording::new(self.model().clone(), self.setup.clone(), language).for_seat(self.seat())
    }

    /// Returns the question in the words shown to people.
    pub fn asked(&self, language: Language) -> String {
        self.wording(language).asked(self.table, self.decision)
    }

    /// Returns a formatter that gives each option a distinct label for the asked seat.
    pub fn offer(&self, language: Language) -> Offer<'a> {
        Offer::new(self.wording(language), self.table, self.decision)
    }

    /// Returns the options in the notation of playscripts, in order.
    pub fn written(&self) -> OptionTexts {
        OptionTexts::written(&self.offer(Language::English))
    }

    /// Returns the picks so far in a decision with several picks, in the notation of playscripts.
    pub fn written_picks(&self) -> Vec<String> {
        let offer = self.offer(Language::English);
        self.decision.picked.iter().map(|choice| offer.written(choice)).collect()
    }

    /// Returns the options in the words shown to people, in order.
    pub fn worded(&self, language: Language) -> OptionTexts {
        OptionTexts::worded(&self.offer(language))
    }

    /// Returns one choice in the notation of playscripts. For many choices, use [`offer`](Self::offer).
    pub fn written_one(&self, choice: &Choice) -> String {
        self.offer(Language::English).written(choice)
    }

    /// Returns one choice in the words shown to people. For many choices, use [`offer`](Self::offer).
    pub fn worded_one(&self, choice: &Choice, language: Language) -> String {
        self.offer(language).worded(choice)
    }

    /// Returns the costs and gains of an option, computed by functions of the rules. `None` if they depend on something
    /// that the seat does not know, or if a function fails (see [`Session::costs`]).
    pub fn costs(&self, choice: &Choice) -> Option<Costs> {
        self.session?.costs(self.decision, choice).ok().flatten()
    }

    /// Checks the function that computes costs, with the first, the middle and the last option.
    ///
    /// # Errors
    /// Returns the first fault.
    pub fn check_costs(&self) -> Result<(), Box<Diagnostic>> {
        let (Some(session), count) = (self.session, self.decision.options.len()) else { return Ok(()) };
        if self.model().decisions[self.decision.id.index()].costs.is_none() || count == 0 {
            return Ok(());
        }
        [0, count / 2, count - 1]
            .into_iter()
            .try_for_each(|at| session.costs(self.decision, &self.decision.option(at)).map(drop))
    }

    /// Like [`costs`](Self::costs), but returns the costs and gains in the words shown to people.
    pub fn worded_costs(&self, choice: &Choice, language: Language) -> Option<String> {
        let Costs { parts, altered } = self.costs(choice)?;
        let change = |made| match made {
            Altered::Added(number @ 0..) => format!("+{number}"),
            Altered::Added(number) => format!("−{}", number.unsigned_abs()),
            Altered::Multiplied(number) => format!("×{number}"),
            Altered::Set(number) => format!("= {number}"),
        };
        let altered: Vec<(ComponentId, String)> =
            altered.into_iter().map(|(component, made)| (component, change(made))).collect();
        Some(self.wording(language).costs(&parts, &altered))
    }

    /// Returns a code for each [considered](Decision::considered) option. An option has the same code in imagined worlds, and the code does
    /// not depend on the option's index.
    pub fn option_codes(&self) -> Vec<u64> {
        super::world::option_codes(self.table, self.decision)
    }

    /// Returns a code for each [rated](Decision::rated) choice of the decision, like
    /// [`option_codes`](Self::option_codes).
    pub fn rated_codes(&self) -> Vec<u64> {
        super::world::rated_codes(self.table, self.decision)
    }

    /// Returns what is needed to imagine worlds; `None` in games without a player that imagines (see [`Player::imagines`](super::Player::imagines)).
    pub fn imagination(&self) -> Option<Imagination> {
        Imagination::of(self.session?)
    }
}

/// A finished game in the form that is reported to its players.
#[derive(Clone, Copy)]
pub struct GameOver<'a> {
    session: &'a Session,
    outcome: &'a Outcome,
}

impl<'a> GameOver<'a> {
    /// Creates the report from a session and its outcome.
    pub const fn new(session: &'a Session, outcome: &'a Outcome) -> Self {
        Self { session, outcome }
    }

    /// Returns the outcome of the game.
    pub const fn outcome(&self) -> &'a Outcome {
        self.outcome
    }

    pub(super) const fn session(&self) -> &'a Session {
        self.session
    }
}
