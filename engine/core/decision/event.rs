//! Events of a game, with the seats that may learn of them.

use super::choice::Choice;
use super::redeal::Consent;
use crate::model::{
    ComponentId, DecisionId, EndingId, FamilyId, PhaseId, PieceId, SayId, Seat, SpaceId, ValueId, ZoneId,
};
use crate::table::{Holder, Picture, SeatSet, Table};
use std::sync::Arc;

/// Appearance of a piece at the time of an event, and which seats knew it. Used to describe the piece in texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appearance {
    /// The component, that is, the printed face.
    pub component: ComponentId,
    /// The seat whose color the piece had.
    pub owner: Option<Seat>,
    /// Seats that knew the face.
    pub known: SeatSet,
    /// Seats that also knew a similar piece: one with the same face in the same space that differs in its side, rotation, values, or the
    /// seats that know it. Texts for these seats must distinguish the two pieces.
    pub twins: SeatSet,
    /// Subset of `twins`: seats that knew a similar piece with its other side up.
    pub other_side: SeatSet,
    /// Seats that know an offered piece with the same face in another space.
    pub elsewhere: SeatSet,
    /// Subset of `elsewhere`: seats that know an offered piece with the same face in another zone.
    pub other_zone: SeatSet,
    /// Whether the piece lay face up.
    pub is_up: bool,
    /// Number of clockwise turns, or index of the face that a die showed.
    pub turned: u8,
    /// Seats that knew `turned`.
    pub turn_known: SeatSet,
    /// The space where the piece lay.
    pub space: SpaceId,
    /// Number of pieces below this piece in its space.
    pub depth: u16,
}

impl Appearance {
    /// Sets the origin of a moved piece from its appearance before the move. Seats that knew the piece at its origin also know which piece
    /// moved.
    pub(crate) fn set_origin(&mut self, before: &Self) {
        (self.space, self.depth) = (before.space, before.depth);
        self.known |= before.known;
        self.turn_known |= before.turn_known;
    }
}

/// Kind of an event, with its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// A round began.
    Round(i64),
    /// First seat of the round that began, in games where turns are taken in order and the first seat varies. Before the first round, the
    /// first seat that was drawn at random.
    First(Seat),
    /// A phase began.
    Phase(PhaseId),
    /// A function of the rules began. Separates the events before it from those after it.
    Step,
    /// A seat's turn began.
    Turn(Seat),
    /// A seat was eliminated.
    Eliminated(Seat),
    /// A trigger of a piece fired. The events that follow are its effects.
    Triggered {
        /// Appearance of the piece with the trigger.
        look: Appearance,
    },
    /// The rules called a function that a piece names. The events that follow are effects of the piece. Calls without events are not
    /// recorded.
    Called {
        /// Appearance of the piece, with the space where it was when the function was called.
        look: Appearance,
    },
    /// The effect of a piece that the last [`Triggered`](Self::Triggered) or [`Called`](Self::Called) began is over. Effects may be nested.
    EffectEnded,
    /// A seat answered a decision.
    Chose {
        /// The seat that answered.
        seat: Seat,
        /// The decision that was answered.
        decision: DecisionId,
        /// The answer.
        choice: Choice,
        /// Appearances of the pieces in the answer.
        appearances: Arc<[(PieceId, Appearance)]>,
    },
    /// A piece moved.
    Moved {
        /// Appearance after the move, but with the values of `space` and `depth` before the move.
        look: Appearance,
        /// The destination.
        to: SpaceId,
    },
    /// A piece was turned over, or shown without being moved.
    Shown {
        /// Appearance of the piece afterwards.
        look: Appearance,
        /// Whether the piece was turned over. If not, it was only shown.
        is_turned: bool,
        /// The seat whose turn it was.
        by: Option<Seat>,
    },
    /// A piece was rotated, or a die rolled.
    Turned {
        /// Appearance of the piece.
        look: Appearance,
        /// New rotation or face.
        turned: u8,
        /// The seat whose turn it was.
        by: Option<Seat>,
    },
    /// A numeric value changed.
    Set {
        /// The value that changed.
        value: ValueId,
        /// Holder of the value.
        holder: Holder,
        /// Appearance of the holder, if it is a piece.
        look: Option<Appearance>,
        /// Number before the change.
        old: i64,
        /// Number after the change.
        new: i64,
    },
    /// A value that holds a list or a piece changed.
    Held {
        /// The value that changed.
        value: ValueId,
        /// Holder of the value.
        holder: Holder,
        /// New entries as the table stores them: the elements of a list, or the piece. Empty if there is no piece.
        entries: Arc<[i64]>,
        /// Appearances of the pieces among the entries.
        appearances: Arc<[(PieceId, Appearance)]>,
    },
    /// An empty pile was refilled with the pieces of another zone, and shuffled.
    Refilled {
        /// The pile that was refilled.
        zone: ZoneId,
        /// The zone that the pieces came from.
        from: ZoneId,
    },
    /// All seats passed pieces to a neighbor. Summarizes the moves that follow.
    Passed {
        /// Family of zones that receive the pieces, one zone for each seat.
        into: FamilyId,
        /// Whether pieces are passed to the left (clockwise).
        is_left: bool,
        /// Total number of pieces.
        count: usize,
    },
    /// A stack was shuffled.
    Shuffled(SpaceId),
    /// A random number was drawn.
    Drawn(i64),
    /// The rules announced a declared text.
    Said {
        /// The declared text.
        say: SayId,
        /// Arguments of the text.
        facts: Arc<[(Arc<str>, Choice)]>,
        /// Appearances of the pieces among the arguments.
        appearances: Arc<[(PieceId, Appearance)]>,
    },
    /// A picture of a grid was shown.
    Pictured(Arc<Picture>),
    /// Answers were taken back, and hidden information was drawn anew.
    Redealt {
        /// The seat that took the answers back, if any.
        by: Option<Seat>,
        /// Who consented to taking the answers back.
        consent: Consent,
        /// Whether hidden faces were dealt again. If not, only the random number generator was reseeded.
        is_dealt: bool,
    },
    /// The game is over, except for the final functions of the rules.
    Finish,
    /// The game ended.
    Ended(EndingId),
}

/// An event with the seats that learn of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Kind of the event, with its data.
    pub kind: EventKind,
    /// Seats that learn of the event.
    pub audience: SeatSet,
}

/// Returns the current appearances of all pieces in a choice.
pub fn appearances(table: &Table, choice: &Choice) -> Vec<(PieceId, Appearance)> {
    let mut found = Vec::new();
    choice.each_piece(|piece| found.push((piece, look(table, piece))));
    found
}

/// Like [`appearances`], but also compares each piece with the pieces in `offered` that have the same face, to set `elsewhere` and
/// `other_zone`.
pub(crate) fn appearances_among(table: &Table, choice: &Choice, offered: &[PieceId]) -> Vec<(PieceId, Appearance)> {
    let mut found = appearances(table, choice);
    // Reading the table for a text must not count as the rules reading hidden information.
    table.without_recording_reads(|table| compare_places(table, &mut found, offered));
    found
}

fn compare_places(table: &Table, found: &mut [(PieceId, Appearance)], offered: &[PieceId]) {
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

/// Returns the current appearance of a piece.
pub(crate) fn look(table: &Table, piece: PieceId) -> Appearance {
    table.without_recording_reads(|table| compute_look(table, piece))
}

fn compute_look(table: &Table, piece: PieceId) -> Appearance {
    let space = table.space_of(piece);
    let depth = table.depth(piece) as u16;
    let (component, owner) = (table.component(piece), table.owner(piece));
    let (known, is_up) = (table.knowers(piece), table.is_up(piece));
    let is_like = |other: &PieceId| table.component(*other) == component && table.owner(*other) == owner;
    // If no seat knows the face, no seat can confuse the piece with another one.
    let stack = (known != 0).then(|| table.stack_from_bottom(space));
    let others = stack.into_iter().flatten().filter(|other| *other != piece).filter(is_like);
    let same_to = |other: PieceId| {
        let looks_same = table.is_up(other) == is_up && table.knowers(other) == known;
        if looks_same { table.same_turn_to(other, piece) & table.same_values_to(other, piece) } else { 0 }
    };
    // Dice that show different faces need no further distinction.
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
    Appearance {
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
