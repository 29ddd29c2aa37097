//! Agent that follows a playscript.

use crate::diagnostic::{Diagnostic, Place};
use crate::playscript::matching::{Match, find_in, split_picks};
use crate::playscript::{Play, StatementKind};
use crate::session::{NoAnswer, Observation, Pass, Player};
use std::sync::Arc;

/// The choices recorded in a playscript, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    path: String,
    text: String,
    lines: Vec<RecordedLine>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct RecordedLine {
    seat: String,
    decision: String,
    picks: Vec<String>,
    place: Option<Place>,
}

impl Recording {
    /// Collects the choices at the top of a playscript and in its first scene. Ignores further scenes.
    pub fn from_play(path: &str, text: &str, play: &Play) -> Self {
        let scene = play.scenes.first().map(|scene| scene.statements.as_slice()).unwrap_or_default();
        let lines = play.head.iter().chain(scene).filter_map(|statement| match &statement.what {
            StatementKind::Choice { seat, decision, answer, .. } => Some(RecordedLine {
                seat: seat.clone(),
                decision: decision.clone(),
                picks: split_picks(answer).into_iter().map(str::to_owned).collect(),
                place: statement.place.clone(),
            }),
            _ => None,
        });
        Self { path: path.to_owned(), text: text.to_owned(), lines: lines.collect() }
    }

    /// Returns the path of the playscript.
    pub(super) fn file(&self) -> &str {
        &self.path
    }

    /// Returns the content of the playscript.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// Agent that makes the choices that a recording contains for its seat.
pub struct RecordedAgent {
    recording: Arc<Recording>,
    /// Number of the seat's lines to skip, because the session already has their answers.
    to_skip: usize,
    /// Index of the next line.
    next: usize,
    /// Number of picks of the current line that have been made.
    picked: usize,
}

impl RecordedAgent {
    /// Creates an agent that follows a recording from its beginning.
    pub const fn new(recording: Arc<Recording>) -> Self {
        Self { recording, to_skip: 0, next: 0, picked: 0 }
    }

    fn fault(&self, what: impl std::fmt::Display) -> String {
        format!("`playscript:{}` {what}", self.recording.path)
    }

    /// Like [`fault`](Self::fault), but points to the line of the playscript.
    fn fault_at(&self, line: &RecordedLine, what: impl std::fmt::Display, note: &str) -> NoAnswer {
        let found = Diagnostic::error("no-answer", self.fault(what));
        Box::new(match &line.place {
            Some(place) => found.mark(place.clone(), note),
            None => found,
        })
        .into()
    }
}

impl Player for RecordedAgent {
    fn taken_up(&mut self, answered: usize) {
        (self.to_skip, self.next, self.picked) = (answered, 0, 0);
    }

    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        let name = observation.name(observation.seat());
        let decision = observation.decision();
        let asked = &observation.model().decisions[decision.id.index()].id;
        if decision.picked.is_empty() && self.picked > 0 {
            (self.next, self.picked) = (self.next + 1, 0);
        }
        while let Some(line) = self.recording.lines.get(self.next) {
            if line.seat == name && self.to_skip == 0 {
                break;
            }
            self.to_skip -= usize::from(line.seat == name);
            self.next += 1;
        }
        let Some(line) = self.recording.lines.get(self.next) else {
            return Err(self.fault(format!("has no further answer for {name}, who is asked `{asked}`")).into());
        };
        if line.decision != **asked {
            let what = format!("answers `{}` for {name}, who is asked `{asked}`", line.decision);
            return Err(self.fault_at(line, what, "another question"));
        }
        let Some(pick) = line.picks.get(decision.picked.len()) else {
            if decision.pass == Some(Pass::Done) {
                return Ok(decision.count() - 1);
            }
            return Err(self.fault_at(line, format!("picks too few for `{asked}`"), "more must be picked"));
        };
        match find_in(&observation.written(), pick) {
            Match::One(at) => {
                self.picked = decision.picked.len() + 1;
                Ok(at)
            }
            Match::Several(_) => Err(self.fault_at(
                line,
                format!("answers `{asked} {pick}`, which matches several options"),
                "fits several",
            )),
            Match::None => Err(self.fault_at(
                line,
                format!("answers `{asked} {pick}`, which is not an option"),
                "not offered here",
            )),
        }
    }
}
