//! Comparison of models by the names that scripts can refer to.

use super::{Model, Op, ValueType};
use rustc_hash::FxHashSet;

/// Namespace of a name that scripts can use.
#[derive(PartialEq, Eq, Hash)]
enum NameOwner {
    Altered,
    Component,
    Decision,
    Ending,
    Field,
    Function,
    Global,
    Kind,
    Part,
    Say,
    Value,
    Word,
}

impl Model {
    /// Returns whether scripts can use a name in this model that they cannot use in `other`.
    pub(super) fn has_more_names_than(&self, other: &Self) -> bool {
        let known = other.names();
        self.names().iter().any(|name| !known.contains(name))
    }

    fn names(&self) -> FxHashSet<(NameOwner, &str)> {
        let mut names = FxHashSet::default();
        names.extend(self.altered.keys().map(|name| (NameOwner::Altered, &**name)));
        names.extend(self.components.iter().map(|component| (NameOwner::Component, &*component.id)));
        names.extend(self.decisions.iter().map(|decision| (NameOwner::Decision, &*decision.id)));
        let parts = self.decisions.iter().flat_map(|decision| &decision.parts);
        names.extend(parts.map(|(name, _)| (NameOwner::Part, &**name)));
        names.extend(self.endings.iter().map(|ending| (NameOwner::Ending, &*ending.id)));
        names.extend(self.fields.iter().map(|name| (NameOwner::Field, &**name)));
        names.extend(self.spaces.iter().flat_map(|space| space.fields.keys()).map(|name| (NameOwner::Field, &**name)));
        names.extend(self.families.iter().map(|family| (NameOwner::Global, &*family.id)));
        names.extend(self.params.keys().chain(self.options.keys()).map(|name| (NameOwner::Global, &**name)));
        names.extend(self.kinds.iter().map(|kind| (NameOwner::Kind, &*kind.id)));
        names.extend(self.says.iter().map(|say| (NameOwner::Say, &*say.id)));
        for value in &self.values {
            names.insert((NameOwner::Value, &*value.id));
            if let ValueType::Word(words) = &value.kind {
                names.extend(words.iter().map(|word| (NameOwner::Word, &**word)));
            }
        }
        names.extend(self.flow.ops.iter().filter_map(function).map(|name| (NameOwner::Function, name)));
        names
    }
}

/// Returns the function that an instruction calls, if any.
fn function(op: &Op) -> Option<&str> {
    match op {
        Op::Call(call) => Some(&call.function),
        Op::EachSeat { order, .. } | Op::Turns { order } => order.as_deref(),
        Op::Until { function, .. } => function.as_deref(),
        Op::PhaseBegins { when, .. } => when.as_deref(),
        _ => None,
    }
}
