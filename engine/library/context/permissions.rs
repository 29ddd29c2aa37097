//! What rules may do where they are now.

use super::fault::{Answer, Fault};
use crate::diagnostic::{
    change_at_once, change_while_asking, change_while_reading, choice_in_a_closure, choice_in_a_trial,
    choice_out_of_place, draw_in_a_trial, end_in_a_trial,
};
use crate::model::{PieceId, Seat, SpaceId};
use crate::table::{End, SeatSet};

/// A move that is still to be made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Move {
    /// What goes.
    pub piece: PieceId,
    /// Where it goes.
    pub to: SpaceId,
    /// Which end of what lies there.
    pub end: End,
    /// On which side it arrives, if the rules say so.
    pub up: Option<bool>,
}

/// What rules may do where they are now.
#[derive(Debug, Clone)]
pub struct Permissions {
    /// Whether a seat may be asked.
    pub(crate) may_ask: bool,
    /// Whether anything may change.
    pub(crate) may_change: bool,
    /// Who is being asked at the same time, if anybody: nothing may change meanwhile.
    pub(crate) together: Option<SeatSet>,
    /// How often seats were asked together in this step.
    pub(crate) togethers: u32,
    /// While moves are gathered that happen at once: those so far, in order.
    pub(crate) at_once: Option<Vec<Move>>,
    /// While a position is being set up by hand, and pieces may be taken from anywhere: those that were put somewhere.
    pub(crate) arranged: Option<Vec<(PieceId, &'static str)>>,
    /// In how many trials this is, one in another.
    pub(crate) trials: u8,
    /// A seat that is to know all that is read: the run fails at the first thing that it does not.
    pub(crate) only_known_to: Option<Seat>,
}

impl Default for Permissions {
    fn default() -> Self {
        Self {
            may_ask: true,
            may_change: true,
            together: None,
            togethers: 0,
            at_once: None,
            arranged: None,
            trials: 0,
            only_known_to: None,
        }
    }
}

impl Permissions {
    /// What rules may do that only read.
    pub(crate) fn read_only() -> Self {
        Self { may_ask: false, may_change: false, ..Self::default() }
    }

    /// The number of the round of decisions put together that is open, if one is.
    pub fn open_round(&self) -> Option<u32> {
        self.together.map(|_| self.togethers)
    }

    /// Refuses a change where nothing may change.
    pub(crate) fn changing(&self) -> Answer<()> {
        if self.may_change { Ok(()) } else { Err(self.refusal().into()) }
    }

    /// Refuses to ask a seat where nobody may be asked.
    pub(crate) fn asking(&self) -> Answer<()> {
        if self.may_ask {
            return Ok(());
        }
        Err(if self.trials > 0 {
            Fault::said(choice_in_a_trial())
        } else if self.at_once.is_some() {
            Fault::said(choice_in_a_closure())
        } else {
            let help = "ask in a step of a phase; `until`, `when`, `order`, `score` and `rank` only look";
            Fault::said(choice_out_of_place()).help(help)
        }
        .into())
    }

    /// Refuses to draw at random where something is tried out: what would be drawn, nobody can know.
    pub(crate) fn drawing(&self) -> Answer<()> {
        if self.trials == 0 { Ok(()) } else { Err(Fault::said(draw_in_a_trial()).into()) }
    }

    /// Refuses to end the game where something is tried out.
    pub(crate) fn ending(&self) -> Answer<()> {
        if self.trials == 0 { Ok(()) } else { Err(Fault::said(end_in_a_trial()).into()) }
    }

    #[cold]
    fn refusal(&self) -> Fault {
        Fault::said(if self.together.is_some() {
            change_while_asking()
        } else if self.at_once.is_some() {
            change_at_once()
        } else {
            change_while_reading()
        })
    }
}
