//! Whole games and arranged positions that the tests of a game's rules look at.

use parlour::diagnostic::Source;
use parlour::model::{ComponentId, FieldValue, Model, PhaseId, Seat, SpaceId};
use parlour::session::{Choice, Decision, Event, EventKind, Game, Opening, Session, Setup, Start, Status};
use parlour::table::{Chance, Holder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A game that is over.
pub(crate) struct Course {
    /// It.
    pub(crate) session: Session,
    events: Vec<Event>,
}

impl Course {
    /// A game at random.
    pub(crate) fn at_random(game: &Game, setup: &Setup) -> Self {
        Self::played(game, setup, |decision, chance| chance.below(decision.count() as u32) as usize)
    }

    /// A game in which `pick` chooses, given chance of its own.
    pub(crate) fn played(game: &Game, setup: &Setup, mut pick: impl FnMut(&Decision, &mut Chance) -> usize) -> Self {
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

    /// The ending that the game came to.
    pub(crate) fn ending(&self) -> &str {
        &self.model().endings[self.session.outcome().unwrap().ending.index()].id
    }

    /// Who chose in which decision, and what.
    pub(crate) fn chose<'a>(&'a self, event: &'a Event) -> Option<(Seat, &'a str, &'a Choice)> {
        match &event.what {
            EventKind::Chose { seat, decision, choice, .. } => {
                Some((*seat, &self.model().decisions[decision.index()].id, choice))
            }
            _ => None,
        }
    }

    /// The facts of an announcement, if it is this one.
    pub(crate) fn said<'a>(&self, event: &'a Event, name: &str) -> Option<BTreeMap<&'a str, &'a Choice>> {
        match &event.what {
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

    /// What is printed in a field, which holds a number.
    pub(crate) fn number(&self, component: ComponentId, field: &str) -> i64 {
        match self.field(component, field) {
            Some(FieldValue::Number(number)) => *number,
            other => panic!("{field} is {other:?}"),
        }
    }

    /// The change of a value: its name, whose it is, before and after.
    pub(crate) fn set<'a>(&'a self, event: &'a Event) -> Option<(&'a str, Holder, i64, i64)> {
        match event.what {
            EventKind::Set { value, holder, old, new, .. } => Some((&self.model().value(value).id, holder, old, new)),
            _ => None,
        }
    }
}

/// A game that begins with a phase of a round, after the table has been arranged by a script.
pub(crate) fn arranged(game: &Game, setup: &Setup, (phase, round): (&str, i64), script: String) -> Session {
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

/// What an expression of the rules comes to now.
pub(crate) fn evaluate(session: &mut Session, expression: impl Into<String>) -> Choice {
    session.evaluate(&source(expression.into())).unwrap()
}

/// Whether an expression of the rules is true now.
pub(crate) fn holds(session: &mut Session, expression: impl Into<String>) -> bool {
    match evaluate(session, expression) {
        Choice::Flag(holds) => holds,
        other => panic!("{other:?} is neither true nor false"),
    }
}

/// A text of the rules' language.
pub(crate) fn source(text: String) -> Arc<Source> {
    Arc::new(Source { path: "arrange".to_owned(), text })
}
