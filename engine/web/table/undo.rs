//! Choices that are taken back, by agreement of those whose choices go with them.

use super::Answer;
use super::host::Host;
use crate::model::{Language, Seat};
use crate::phrases::Phrases;
use crate::web::links::Viewer;
use std::collections::BTreeSet;

/// A choice that a player wants to take back.
pub(super) struct Undo {
    pub(super) by: Seat,
    /// So many answers stay.
    pub(super) to: usize,
    /// Who has still to agree.
    pub(super) waits_for: BTreeSet<Seat>,
}

impl Host {
    pub(super) fn ask_undo(&mut self, viewer: Viewer, language: Language) -> Answer {
        let Viewer::Seat(seat) = viewer else { return Answer::Done };
        let seat = Seat(seat);
        let Some(to) = self.table.asked().iter().rposition(|asked| *asked == seat) else {
            return Answer::Refused(Phrases::of(language).web.nothing_to_undo.to_owned());
        };
        // Several picks are one choice.
        let waits_for: BTreeSet<Seat> = self.table.asked()[to..]
            .iter()
            .copied()
            .filter(|asked| *asked != seat && !self.table.is_agent(*asked))
            .collect();
        self.undo = Some(Undo { by: seat, to, waits_for });
        self.undo_if_agreed()
    }

    pub(super) fn agree(&mut self, viewer: Viewer, is_so: bool) -> Answer {
        let Some(undo) = &mut self.undo else { return Answer::Done };
        match viewer {
            Viewer::Host if is_so => undo.waits_for.clear(),
            Viewer::Seat(seat) if is_so => {
                undo.waits_for.remove(&Seat(seat));
            }
            Viewer::Seat(seat) if !undo.waits_for.contains(&Seat(seat)) && undo.by != Seat(seat) => {}
            Viewer::Onlooker => {}
            Viewer::Host | Viewer::Seat(_) => self.undo = None,
        }
        self.undo_if_agreed()
    }

    pub(super) fn undo_if_agreed(&mut self) -> Answer {
        let mut result = Ok(());
        if let Some(undo) = self.undo.take_if(|undo| undo.waits_for.is_empty()) {
            result = self.table.undo_to(undo.to);
            self.fault = None;
            self.question_changes();
        }
        self.show();
        result.map_or_else(|why| Answer::Refused(why.message), |()| Answer::Done)
    }
}
