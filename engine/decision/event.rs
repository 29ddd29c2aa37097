//! What happened, noted while it happens, with who could see it.

use super::choice::Choice;
use super::redeal::Consent;
use crate::model::{
    ComponentId, DecisionId, EndingId, FamilyId, PhaseId, PieceId, SayId, Seat, SpaceId, ValueId, ZoneId,
};
use crate::table::{Holder, Picture, SeatSet, Table};
use std::sync::Arc;

/// How a piece looked to whom at the moment of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// What was printed on it.
    pub component: ComponentId,
    /// Whose color it had.
    pub owner: Option<Seat>,
    /// The seats that knew it.
    pub known: SeatSet,
    /// The seats that knew a piece of the same print in the same place too, which lay otherwise, which others knew, or of which
    /// they could not tell that it was turned alike and had the same values.
    pub twins: SeatSet,
    /// Those of them that knew one that lay on its other side.
    pub other_side: SeatSet,
    /// The seats that know a piece of the same print in another place that is offered too.
    pub elsewhere: SeatSet,
    /// Those of them that know one in another zone.
    pub other_zone: SeatSet,
    /// Whether it lay face up.
    pub is_up: bool,
    /// How often it was turned clockwise, or which face a die showed.
    pub turned: u8,
    /// The seats that know how it was turned.
    pub turn_known: SeatSet,
    /// Where it lay.
    pub space: SpaceId,
    /// How many pieces lay below it there.
    pub depth: u16,
}

impl Look {
    /// A piece that has moved lay there before; a seat that knew it there saw which one it was.
    pub(crate) fn left(&mut self, before: &Self) {
        (self.space, self.depth) = (before.space, before.depth);
        self.known |= before.known;
        self.turn_known |= before.turn_known;
    }
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// A round began.
    Round(i64),
    /// Who goes first in the round that began, where turns are taken in order and others may have been first before; before all else,
    /// who was drawn at random for that.
    First(Seat),
    /// A phase began.
    Phase(PhaseId),
    /// A function of the rules began: what follows does not belong to what came before.
    Step,
    /// A seat's turn began.
    Turn(Seat),
    /// A seat was taken out of the game.
    Eliminated(Seat),
    /// What a piece names for an event is carried out: what follows comes of it.
    Triggered {
        /// The piece.
        look: Look,
    },
    /// A seat chose.
    Chose {
        /// Who.
        seat: Seat,
        /// What was asked.
        decision: DecisionId,
        /// The answer.
        choice: Choice,
        /// How the pieces in the answer looked.
        looks: Arc<[(PieceId, Look)]>,
    },
    /// A piece moved.
    Moved {
        /// How it looked afterwards; `space` is where it came from.
        look: Look,
        /// Where it went.
        to: SpaceId,
    },
    /// A piece was turned over, or shown.
    Shown {
        /// How it looks afterwards.
        look: Look,
        /// Whether it was turned over; otherwise it lies as it did.
        is_turned: bool,
    },
    /// A piece was turned, or a die rolled.
    Turned {
        /// How it looks.
        look: Look,
        /// What it shows now.
        turned: u8,
        /// Whose turn it was.
        by: Option<Seat>,
    },
    /// A value changed.
    Set {
        /// Which value.
        value: ValueId,
        /// Whose.
        holder: Holder,
        /// How the piece that has it looked, if it is one.
        look: Option<Look>,
        /// What it was.
        old: i64,
        /// What it is.
        new: i64,
    },
    /// A value that is a list, or a piece, changed.
    Held {
        /// Which value.
        value: ValueId,
        /// Whose.
        holder: Holder,
        /// Its entries, as the table stores them: those of a list, or the piece, if there is one.
        entries: Arc<[i64]>,
        /// How the pieces among it looked.
        looks: Arc<[(PieceId, Look)]>,
    },
    /// An empty pile was filled with the pieces of another zone, and shuffled.
    Refilled {
        /// Which.
        zone: ZoneId,
        /// Where the pieces came from.
        from: ZoneId,
    },
    /// What follows is one thing: seats hand pieces on to the next of them, so many in all.
    Passed {
        /// The zone of each seat that they come into.
        into: FamilyId,
        /// Whether to the left, clockwise.
        is_left: bool,
        /// How many pieces.
        count: usize,
    },
    /// A stack was shuffled.
    Shuffled(SpaceId),
    /// A number was drawn.
    Drawn(i64),
    /// The script announced something.
    Said {
        /// The sentence.
        say: SayId,
        /// What goes into it.
        facts: Arc<[(Arc<str>, Choice)]>,
        /// How the pieces among it looked.
        looks: Arc<[(PieceId, Look)]>,
    },
    /// A grid was shown as it lies.
    Pictured(Arc<Picture>),
    /// Answers were taken back, and what nobody knew was dealt again.
    Redealt {
        /// The seat that took them back, if one did.
        by: Option<Seat>,
        /// Who agreed.
        consent: Consent,
        /// Whether hidden faces were dealt again; otherwise only chance begins anew.
        is_dealt: bool,
    },
    /// The game is over but for what is done at its end.
    Finish,
    /// The game ended.
    Ended(EndingId),
}

/// An event kind and the seats that learn of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub what: EventKind,
    /// Who learns of it.
    pub to: SeatSet,
}

/// How the pieces in a choice look now.
pub fn looks(table: &Table, choice: &Choice) -> Vec<(PieceId, Look)> {
    let mut found = Vec::new();
    choice.each_piece(|piece| found.push((piece, look(table, piece))));
    found
}

/// Looks of the pieces in a choice, with the seats that know their like in other places among some pieces that are offered.
pub(crate) fn looks_among(table: &Table, choice: &Choice, offered: &[PieceId]) -> Vec<(PieceId, Look)> {
    let mut found = looks(table, choice);
    // What is worded is not read by rules.
    table.aside(|table| compare_places(table, &mut found, offered));
    found
}

fn compare_places(table: &Table, found: &mut [(PieceId, Look)], offered: &[PieceId]) {
    for (_, look) in found {
        for other in offered.iter().copied() {
            if (table.component(other), table.owner(other)) != (look.component, look.owner) {
                continue;
            }
            let space = table.space_of(other);
            let zone = |space: SpaceId| table.model().space(space).zone;
            let both = look.known & table.knowers(other);
            look.elsewhere |= if space == look.space { 0 } else { both };
            look.other_zone |= if zone(space) == zone(look.space) { 0 } else { both };
        }
    }
}

/// How a piece looks now.
pub(crate) fn look(table: &Table, piece: PieceId) -> Look {
    table.aside(|table| looked_at(table, piece))
}

fn looked_at(table: &Table, piece: PieceId) -> Look {
    let space = table.space_of(piece);
    let depth = table.depth(piece) as u16;
    let (component, owner) = (table.component(piece), table.owner(piece));
    let (known, is_up) = (table.knowers(piece), table.is_up(piece));
    let is_like = |other: &PieceId| table.component(*other) == component && table.owner(*other) == owner;
    // What nobody knows is like nothing to anybody.
    let stack = (known != 0).then(|| table.stack_from_bottom(space));
    let others = stack.into_iter().flatten().filter(|other| *other != piece).filter(is_like);
    let same_to = |other: PieceId| {
        let looks_same = table.is_up(other) == is_up && table.knowers(other) == known;
        if looks_same { table.same_turn_to(other, piece) & table.same_values_to(other, piece) } else { 0 }
    };
    // Dice are told apart by what they show.
    let is_die = !table.model().component(component).faces.is_empty();
    let shown_apart = |other: PieceId| {
        let is_apart = is_die && table.turned(other) != table.turned(piece);
        if is_apart { table.turn_knowers(other) & table.turn_knowers(piece) } else { 0 }
    };
    let (mut twins, mut other_side) = (0, 0);
    for other in others {
        let both = known & table.knowers(other);
        twins |= both & !same_to(other) & !shown_apart(other);
        other_side |= if table.is_up(other) == is_up { 0 } else { both };
    }
    let (turned, turn_known) = (table.turned(piece), table.turn_knowers(piece));
    Look {
        component,
        owner,
        known,
        twins,
        other_side,
        elsewhere: 0,
        other_zone: 0,
        is_up,
        turned,
        turn_known,
        space,
        depth,
    }
}
