//! How a function of the library is declared: once, with its native, for every caller.

use super::caller::Caller;
use super::code::{LaidOut, OwnCode, PropertyCode};
use super::native::{Native, Runs};
use super::registry::Registry;
use crate::decision::{Type, Value};
use crate::library::effect::Effects;
use crate::library::entry::{Entry, Form, Said};
use crate::library::pattern::{Pattern, WrittenSignature};
use crate::library::recognized::CONTAINS;

/// What stands in square brackets behind a value is called so.
const INDEX: &str = "[]";

/// The registry, being built.
#[derive(Default)]
pub(crate) struct RegistryBuilder {
    registry: Registry,
    topic: &'static str,
    effects: Effects,
}

impl RegistryBuilder {
    pub(crate) fn finish(self) -> Registry {
        let registry = self.registry;
        Registry {
            indices: registry.dispatch(Form::Index, INDEX, 2),
            sums: registry.dispatch(Form::Operator, "+", 2),
            contains: registry.dispatch(Form::Function, CONTAINS, 2),
            ..registry
        }
    }

    pub(crate) fn topic(&mut self, topic: &'static str) {
        self.topic = topic;
        self.effects = Effects::NONE;
    }

    /// What the functions written from here on do besides resulting in something, up to the next topic.
    pub(crate) fn effects(&mut self, effects: Effects) {
        self.effects = effects;
    }

    /// Writes a function. `params` names its parameters, separated by spaces, with what they take and what the function results in
    /// where the types of `run` do not say all: `list name:fact -> one?` (see [`Pattern`]).
    pub(crate) fn function<M>(
        &mut self,
        name: &'static str,
        params: &'static str,
        doc: &'static str,
        example: &'static str,
        run: impl Runs<M>,
    ) {
        self.enter(name, Form::Function, params, (doc, example), run);
    }

    /// Says of the function or property written last that it goes by the order in which things lie.
    pub(crate) fn goes_by_order(&mut self) {
        self.registry.entries.last_mut().expect("something is written").is_ordered = true;
    }

    /// Says of the function written last that the machine lays it out where it is called.
    pub(crate) fn is_laid_out(&mut self, code: LaidOut) {
        self.registry.entries.last_mut().expect("something is written").laid_out = Some(code);
    }

    /// Writes what an operator makes of the game's things.
    pub(crate) fn operator<M>(
        &mut self,
        symbol: &'static str,
        params: &'static str,
        doc: &'static str,
        example: &'static str,
        run: impl Runs<M>,
    ) {
        self.enter(symbol, Form::Operator, params, (doc, example), run);
    }

    /// Writes a property that can be read.
    pub(crate) fn property<M>(
        &mut self,
        name: &'static str,
        of: &'static str,
        doc: &'static str,
        example: &'static str,
        read: impl Runs<M>,
    ) {
        self.enter(name, Form::Property, of, (doc, example), read);
    }

    /// Writes what stands in square brackets behind a value.
    pub(crate) fn index<M>(
        &mut self,
        params: &'static str,
        doc: &'static str,
        example: &'static str,
        read: impl Runs<M>,
    ) {
        self.enter(INDEX, Form::Index, params, (doc, example), read);
    }

    fn enter<M, W: Runs<M>>(
        &mut self,
        name: &str,
        form: Form,
        params: &str,
        (doc, example): (&'static str, &'static str),
        run: W,
    ) {
        let said = Said { topic: self.topic, effects: self.effects, doc, example };
        let entry = Entry::new(name, form, params, (W::types(), W::RESULT), &said);
        self.registry.entries.push(entry.clone());
        let run = move |caller: &mut Caller<'_, '_>, given: &mut [Value]| run.run(caller, given);
        self.registry.natives.push(Native {
            entry: Box::new(entry),
            is_index: form == Form::Index,
            #[cfg(feature = "walker")]
            changes: W::CHANGES,
            run: Box::new(run),
        });
    }

    /// Writes down a function of the language's own types: the code that it runs, its name and what it takes and results in, as a
    /// pattern. `!` stands before those that change what stands before the dot in place.
    pub(crate) fn own(
        &mut self,
        code: impl Into<OwnCode>,
        written: &'static str,
        doc: &'static str,
        example: &'static str,
    ) {
        self.own_entry(Form::Function, code.into(), written, (doc, example));
    }

    /// Writes down what values of the language's own types have behind a dot, without brackets.
    pub(crate) fn own_property(
        &mut self,
        code: PropertyCode,
        written: &'static str,
        doc: &'static str,
        example: &'static str,
    ) {
        self.own_entry(Form::Property, code.into(), written, (doc, example));
    }

    /// Writes down an operator of plain values: its symbol, what it takes, one operand or two, and results in, as a pattern.
    pub(crate) fn plain_operator(&mut self, symbol: &str, params: &str, doc: &'static str, example: &'static str) {
        let entry = self.written((symbol, Form::Operator, Effects::NONE), params, (doc, example));
        self.registry.entries.push(Entry { code: Some(OwnCode::Operator), ..entry });
    }

    fn own_entry(&mut self, form: Form, code: OwnCode, written: &'static str, said: (&'static str, &'static str)) {
        let (effects, written) =
            written.strip_prefix('!').map_or((Effects::NONE, written), |written| (Effects::IN_PLACE, written));
        let (name, params) = written.split_once(' ').expect("a name stands before what it takes");
        let entry = self.written((name, form, effects), params, said);
        debug_assert!(code.is_of(entry.types[0]), "`{name}`");
        self.registry.own.entry((form, name)).or_default().add(code, &entry.takes);
        self.registry.entries.push(Entry { code: Some(code), ..entry });
    }

    /// An entry that says in its pattern all that it takes and results in.
    fn written(
        &self,
        (name, form, effects): (&str, Form, Effects),
        params: &str,
        (doc, example): (&'static str, &'static str),
    ) -> Entry {
        let WrittenSignature { params: taken, result } = WrittenSignature::read(params);
        let types = taken.iter().map(|(_, takes)| takes.as_ref().map_or(Type::Any, Pattern::tag)).collect();
        let result = result.map_or(Type::Any, |result| result.tag());
        let said = Said { topic: self.topic, effects, doc, example };
        Entry::new(name, form, params, (types, result), &said)
    }

    /// Writes down a name that stands alone: what it is, as a pattern. What it stands for is for the resolver of names.
    pub(crate) fn name(&mut self, name: &str, is: &str, doc: &'static str, example: &'static str) {
        self.known(name, Form::Name, (None, is), (doc, example));
    }

    /// Writes down what a thing has in every game: what it is, as a pattern. What it stands for is for the facts of the game.
    pub(crate) fn fact(&mut self, name: &str, (of, is): (Type, &str), doc: &'static str, example: &'static str) {
        self.known(name, Form::Property, (Some(of), is), (doc, example));
    }

    fn known(
        &mut self,
        name: &str,
        form: Form,
        (of, is): (Option<Type>, &str),
        (doc, example): (&'static str, &'static str),
    ) {
        let said = Said { topic: self.topic, effects: self.effects, doc, example };
        let types: Vec<Type> = of.into_iter().collect();
        let written = format!("{} -> {is}", of.map_or("", Type::word));
        let result = Pattern::read(is).tag();
        let entry = Entry::new(name, form, &written, (types, result), &said);
        self.registry.entries.push(Entry { is_fact: of.is_some(), ..entry });
    }
}
