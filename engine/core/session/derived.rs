//! Derived values: numbers that functions of the rules compute for a viewer of the table.

use super::observation::Observation;
use super::status::Session;
use crate::decision::{Choice, Value};
use crate::diagnostic::Diagnostic;
use crate::library::State;
use crate::model::{BOX, Derived, KindId, Owner, PieceId};
use crate::script;
use crate::table::{Holder, View};

impl Session {
    /// Adds derived values to a view. A value is omitted if it depends on something that the viewer does not know, if its function fails
    /// (see [`Observation::check_derived`]), or if its function does not return a number.
    pub fn with_derived<'a>(&self, view: View<'a>) -> View<'a> {
        if self.model().derived.is_empty() {
            return view;
        }
        let mut found = Vec::new();
        for (at, derived) in self.model().derived.iter().enumerate() {
            for holder in self.holders_of(derived) {
                if let Ok(Some(number)) = self.compute_derived(derived, holder, &view) {
                    found.push((at, holder, number));
                }
            }
        }
        view.with(found.into())
    }

    fn holders_of(&self, derived: &Derived) -> Vec<Holder> {
        let model = self.model();
        match derived.owner {
            Owner::Seat => model.all_seats().map(Holder::Seat).collect(),
            Owner::Component(kind) => {
                model.kinds[kind.index()].components.iter().map(|one| Holder::Component(*one)).collect()
            }
            Owner::Piece(kind) => self.pieces_with(derived, kind).map(Holder::Piece).collect(),
            _ => vec![Holder::Game],
        }
    }

    /// Iterates over the pieces to which a derived value applies.
    fn pieces_with(&self, derived: &Derived, kind: Option<KindId>) -> impl Iterator<Item = PieceId> {
        let (model, table) = (self.model(), self.table());
        (0..model.pieces.len()).map(PieceId::at).filter(move |piece| {
            let zone = model.space(table.space_of(*piece)).zone;
            let is_there = if derived.on.is_empty() {
                &*model.family_of(zone).id != BOX
            } else {
                derived.on.contains(&model.zone(zone).family)
            };
            is_there && kind.is_none_or(|kind| model.component(table.component(*piece)).kind == kind)
        })
    }

    /// Computes a derived value of a holder. Returns `None` if the value depends on something that the viewer does not know, or if it is
    /// not a number.
    fn compute_derived(
        &self,
        derived: &Derived,
        holder: Holder,
        view: &View<'_>,
    ) -> Result<Option<i64>, Box<Diagnostic>> {
        let mut aside = State::new(self.table().clone());
        aside.table.forget_reads();
        let given = match holder {
            Holder::Seat(seat) => Some(Value::from(seat)),
            Holder::Component(component) => Some(Value::from(component)),
            Holder::Piece(piece) => Some(Value::from(piece)),
            _ => None,
        };
        let said = script::call(&self.host, &mut aside, &derived.named.function, given.as_ref());
        if !view.tells_what_was_read(&aside.table) {
            return Ok(None);
        }
        match said.map_err(Box::new)? {
            Choice::Number(number) => Ok(Some(number)),
            _ => Ok(None),
        }
    }
}

impl<'a> Observation<'a> {
    /// Returns what the seat sees and remembers, with derived values.
    pub fn memory_with_derived(&self) -> View<'a> {
        match self.session() {
            Some(session) => session.with_derived(self.memory()),
            None => self.memory(),
        }
    }

    /// Checks the functions that compute derived values.
    ///
    /// # Errors
    /// Returns the first fault.
    pub fn check_derived(&self) -> Result<(), Box<Diagnostic>> {
        let Some(session) = self.session() else { return Ok(()) };
        let whole = View::whole(session.table());
        for derived in &session.model().derived {
            for holder in session.holders_of(derived) {
                session.compute_derived(derived, holder, &whole)?;
            }
        }
        Ok(())
    }
}
