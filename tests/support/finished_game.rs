//! Finished games and prepared positions, for tests of the rules of games.

use parlour::diagnostic::Source;
use parlour::model::{ComponentId, FieldValue, Model, PhaseId, Seat, SpaceId};
use parlour::session::{Choice, Decision, Event, EventKind, Game, Opening, Session, Setup, Start, Status};
use parlour::table::{Chance, Holder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Game that was played to its end.
pub(crate) struct FinishedGame {
    pub(crate) session: Session,
    events: Vec<Event>,
}

impl FinishedGame {
    /// Plays a game with uniformly random answers.
    pub(crate) fn play_randomly(game: &Game, setup: &Setup) -> Self {
        Self::play_with(game, setup, |decision, chance| chance.below(decision.count() as u32) as usize)
    }

    /// Plays a game in which `pick` returns the index of the option to choose. The random numbers for `pick` are derived from the setup's
    /// seed.
    pub(crate) fn play_with(game: &Game, setup: &Setup, mut pick: impl FnMut(&Decision, &mut Chance) -> usize) -> Self {
        let mut session = Session::start(game, setup).unwrap();
        let mut chance = Chance::new(setup.seed, "course");
        while let Status::Waiting(decision) = session.status() {
            let at = pick(decision, &mut chance);
            session.choose(at).unwrap();
        }
        assert!(session.outcome().is_some(), "{:?}", session.status());
        let events = session.events().to_vec();
        Self { session, events }
    }

    pub(crate) fn model(&self) -> &Model {
        self.session.model()
    }

    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the id of the ending.
    pub(crate) fn ending(&self) -> &str {
        &self.model().endings[self.session.outcome().unwrap().ending.index()].id
    }

    /// Returns the seat, the id of the decision and the answer if the event is an answer.
    pub(crate) fn choice_made<'a>(&'a self, event: &'a Event) -> Option<(Seat, &'a str, &'a Choice)> {
        match &event.kind {
            EventKind::Chose { seat, decision, choice, .. } => {
                Some((*seat, &self.model().decisions[decision.index()].id, choice))
            }
            _ => None,
        }
    }

    /// Returns the facts of the announcement if the event is the announcement called `name`.
    pub(crate) fn announcement<'a>(&self, event: &'a Event, name: &str) -> Option<BTreeMap<&'a str, &'a Choice>> {
        match &event.kind {
            EventKind::Said { say, facts, .. } if &*self.model().says[say.index()].id == name => {
                Some(facts.iter().map(|(name, fact)| (&**name, fact)).collect())
            }
            _ => None,
        }
    }

    pub(crate) fn zone_of(&self, space: SpaceId) -> &str {
        &self.model().family_of(self.model().space(space).zone).id
    }

    pub(crate) fn kind(&self, component: ComponentId) -> &str {
        &self.model().kind_of(component).id
    }

    pub(crate) fn field(&self, component: ComponentId, field: &str) -> Option<&FieldValue> {
        self.model().component(component).fields.get(&self.model().find_field(field).unwrap())
    }

    /// Returns the value of a numeric field. Panics if the field is missing or not a number.
    pub(crate) fn number(&self, component: ComponentId, field: &str) -> i64 {
        match self.field(component, field) {
            Some(FieldValue::Number(number)) => *number,
            other => panic!("{field} is {other:?}"),
        }
    }

    /// If the event sets a value, returns the id of the value, its holder, the old number and the new number.
    pub(crate) fn value_change<'a>(&'a self, event: &'a Event) -> Option<(&'a str, Holder, i64, i64)> {
        match event.kind {
            EventKind::Set { value, holder, old, new, .. } => Some((&self.model().value(value).id, holder, old, new)),
            _ => None,
        }
    }
}

/// Opens a session at the beginning of a phase, in a position that `script` arranges.
pub(crate) fn open_arranged(game: &Game, setup: &Setup, (phase, round): (&str, i64), script: String) -> Session {
    let phases = &game.layout(setup).unwrap().model.phases;
    let phase = PhaseId::at(phases.iter().position(|known| &*known.id == phase).unwrap());
    let opening = Opening {
        start: Start::Phase { phase, round, seat: None, after_setup: false },
        arrange: vec![source(script)],
        ..Opening::default()
    };
    let session = Session::open(game, setup, opening).unwrap();
    assert!(session.decision().is_some(), "{:?}", session.status());
    session
}

/// Evaluates an expression of the rules language in the current position.
pub(crate) fn evaluate(session: &mut Session, expression: impl Into<String>) -> Choice {
    session.evaluate(&source(expression.into())).unwrap()
}

/// Evaluates an expression that is true or false; see [`evaluate`]. Panics if the result is not a flag.
pub(crate) fn holds(session: &mut Session, expression: impl Into<String>) -> bool {
    match evaluate(session, expression) {
        Choice::Flag(holds) => holds,
        other => panic!("{other:?} is neither true nor false"),
    }
}

/// Wraps a script as a source file.
pub(crate) fn source(text: String) -> Arc<Source> {
    Arc::new(Source { path: "arrange".to_owned(), text })
}
