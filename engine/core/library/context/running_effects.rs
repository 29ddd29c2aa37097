//! Effects of pieces that the rules are carrying out, with the calls that contain each other.

use crate::model::{PieceId, SpaceId};
use crate::table::SeatSet;

/// A call of the functions that a piece, or something else, names.
#[derive(Debug, Clone, Copy)]
enum RunningEffect {
    /// The functions of something other than a piece. Such calls are not recorded.
    Other,
    /// The functions of a piece, which was at the given space. No event has been recorded since the call.
    Unnoted(PieceId, SpaceId),
    /// The effect of a piece. The seats that know the piece have been told about it.
    Noted(SeatSet),
}

/// Effects that are being carried out. Later effects are parts of earlier ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunningEffects {
    effects: Vec<RunningEffect>,
}

impl RunningEffects {
    /// Returns whether no effect is being carried out.
    pub(super) fn is_empty(&self) -> bool {
        self.effects.is_empty()
    }

    /// Returns the number of effects.
    pub(crate) fn depth(&self) -> usize {
        self.effects.len()
    }

    /// Discards the effects after the first `depth`, after a fault.
    pub(crate) fn truncate(&mut self, depth: usize) {
        self.effects.truncate(depth);
    }

    /// Adds an effect of a piece at a space, or of something else.
    pub(super) fn begin(&mut self, piece: Option<(PieceId, SpaceId)>) {
        let effect = piece.map_or(RunningEffect::Other, |(piece, space)| RunningEffect::Unnoted(piece, space));
        self.effects.push(effect);
    }

    /// Adds an effect that `knowers` have been told about.
    pub(super) fn begin_noted(&mut self, knowers: SeatSet) {
        self.effects.push(RunningEffect::Noted(knowers));
    }

    /// Removes the effect that was begun last. Returns the seats that have been told about it, if it was recorded.
    pub(super) fn end(&mut self) -> Option<SeatSet> {
        match self.effects.pop() {
            Some(RunningEffect::Noted(knowers)) => Some(knowers),
            _ => None,
        }
    }

    /// Returns the outermost effect that has not been recorded.
    pub(super) fn next_unnoted(&self) -> Option<(PieceId, SpaceId)> {
        self.effects.iter().find_map(|effect| match effect {
            RunningEffect::Unnoted(piece, space) => Some((*piece, *space)),
            _ => None,
        })
    }

    /// Marks the outermost unrecorded effect as recorded for `knowers`.
    pub(super) fn set_noted(&mut self, knowers: SeatSet) {
        if let Some(effect) = self.effects.iter_mut().find(|effect| matches!(effect, RunningEffect::Unnoted(..))) {
            *effect = RunningEffect::Noted(knowers);
        }
    }
}
