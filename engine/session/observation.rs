//! What the player of a seat may go by: what the seat sees and remembers, the decision, and worlds imagined from
//! these. Nothing else of the game can be reached from here.

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

/// What the player of the seat that is asked may go by.
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

    /// Who is asked.
    pub const fn seat(&self) -> Seat {
        self.decision.seat
    }

    /// The decision.
    pub const fn decision(&self) -> &'a Decision {
        self.decision
    }

    /// The game.
    pub fn model(&self) -> &'a Arc<Model> {
        self.table.model()
    }

    /// What the seat sees.
    pub const fn view(&self) -> View<'a> {
        View::new(self.table, Some(self.decision.seat))
    }

    /// What the seat sees, with the faces it has seen and can still place.
    pub fn memory(&self) -> View<'a> {
        let seat = Some(self.decision.seat);
        self.session.map_or_else(|| View::memory(self.table, seat), |session| session.memory(seat))
    }

    /// What the player in a seat is called.
    pub fn name(&self, seat: Seat) -> &'a str {
        self.setup.name(seat)
    }

    /// Puts things into words as the seat may read them.
    pub fn wording(&self, language: Language) -> Wording {
        Wording::new(self.model().clone(), self.setup.clone(), language).for_seat(self.seat())
    }

    /// The decision as people read it, with what it is about.
    pub fn asked(&self, language: Language) -> String {
        self.wording(language).asked(self.table, self.decision)
    }

    /// The options in words for the seat that is asked, no two of them alike.
    pub fn offer(&self, language: Language) -> Offer<'a> {
        Offer::new(self.wording(language), self.table, self.decision)
    }

    /// The options in the short form of plays, in their order.
    pub fn written(&self) -> OptionTexts {
        OptionTexts::written(&self.offer(Language::English))
    }

    /// What has been picked so far where several are, in the short form of plays.
    pub fn written_picks(&self) -> Vec<String> {
        let offer = self.offer(Language::English);
        self.decision.picked.iter().map(|choice| offer.written(choice)).collect()
    }

    /// The options as people read them, in their order.
    pub fn worded(&self, language: Language) -> OptionTexts {
        OptionTexts::worded(&self.offer(language))
    }

    /// Something that may be chosen, in the short form of plays. For many of them, use [`offer`](Self::offer).
    pub fn written_one(&self, choice: &Choice) -> String {
        self.offer(Language::English).written(choice)
    }

    /// Something that may be chosen, as people read it. For many of them, use [`offer`](Self::offer).
    pub fn worded_one(&self, choice: &Choice, language: Language) -> String {
        self.offer(language).worded(choice)
    }

    /// What an option costs and gives by the rules' own numbers, as far as it is the same in all worlds that the seat could
    /// imagine; [`Session::costs`] tells of a fault in the rules there.
    pub fn costs(&self, choice: &Choice) -> Option<Costs> {
        self.session?.costs(self.decision, choice).ok().flatten()
    }

    /// What went wrong in the function of the rules that says what options cost: asked of the first of them, the one in the middle and the last.
    ///
    /// # Errors
    /// The first fault.
    pub fn check_costs(&self) -> Result<(), Box<Diagnostic>> {
        let (Some(session), count) = (self.session, self.decision.options.len()) else { return Ok(()) };
        if self.model().decisions[self.decision.id.index()].costs.is_none() || count == 0 {
            return Ok(());
        }
        [0, count / 2, count - 1]
            .into_iter()
            .try_for_each(|at| session.costs(self.decision, &self.decision.option(at)).map(drop))
    }

    /// What it costs, as people read it.
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

    /// A number for each option that is [considered](Decision::considered), by what it says to the seat and not by its position: as in the worlds it imagines.
    pub fn option_codes(&self) -> Vec<u64> {
        super::world::option_codes(self.table, self.decision)
    }

    /// A number for everything that is [rated](Decision::rated) of the decision, like [`option_codes`](Self::option_codes).
    pub fn rated_codes(&self) -> Vec<u64> {
        super::world::rated_codes(self.table, self.decision)
    }

    /// What it takes to imagine worlds; nothing in games that are played by nobody who does (see
    /// [`Player::imagines`](super::Player::imagines)).
    pub fn imagination(&self) -> Option<Imagination> {
        Imagination::of(self.session?)
    }
}

/// A game that is over, as its players are told of it.
#[derive(Clone, Copy)]
pub struct GameOver<'a> {
    session: &'a Session,
    outcome: &'a Outcome,
}

impl<'a> GameOver<'a> {
    /// The end of a session's game.
    pub const fn new(session: &'a Session, outcome: &'a Outcome) -> Self {
        Self { session, outcome }
    }

    /// How the game ended.
    pub const fn outcome(&self) -> &'a Outcome {
        self.outcome
    }

    pub(super) const fn session(&self) -> &'a Session {
        self.session
    }
}
