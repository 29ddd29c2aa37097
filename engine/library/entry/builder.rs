//! Builder for the registry of library functions.

use super::caller::Caller;
use super::code::{LaidOut, OwnCode, PropertyCode};
use super::native::{Native, Runs};
use super::registry::Registry;
use crate::decision::{Type, Value};
use crate::library::effect::Effects;
use crate::library::entry::{Entry, Form, Said};
use crate::library::pattern::{Pattern, WrittenSignature};
use crate::library::recognized::CONTAINS;

/// Name of the entry for `value[index]`.
const INDEX: &str = "[]";

/// The registry while it is built.
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

    /// Sets the side effects of the functions that follow, up to the next topic.
    pub(crate) fn effects(&mut self, effects: Effects) {
        self.effects = effects;
    }

    /// Adds a function. `params` names its parameters, separated by spaces, with type patterns where the Rust types of `run` are not
    /// precise
    /// enough: `list name:fact -> one?` (see [`Pattern`]).
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

    /// Marks the last entry as dependent on the order of its receiver.
    pub(crate) fn goes_by_order(&mut self) {
        self.registry.entries.last_mut().expect("something is written").is_ordered = true;
    }

    /// Marks the last function as one whose closures are inlined by the compiler.
    pub(crate) fn is_laid_out(&mut self, code: LaidOut) {
        self.registry.entries.last_mut().expect("something is written").laid_out = Some(code);
    }

    /// Adds an operator on game objects.
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

    /// Adds a property.
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

    /// Adds an overload of `value[index]`.
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

    /// Adds a function of a built-in type: its code in the machine, and its name and signature. A leading `!` marks a function that
    /// changes its
    /// receiver in place.
    pub(crate) fn own(
        &mut self,
        code: impl Into<OwnCode>,
        written: &'static str,
        doc: &'static str,
        example: &'static str,
    ) {
        self.own_entry(Form::Function, code.into(), written, (doc, example));
    }

    /// Adds a property of a built-in type.
    pub(crate) fn own_property(
        &mut self,
        code: PropertyCode,
        written: &'static str,
        doc: &'static str,
        example: &'static str,
    ) {
        self.own_entry(Form::Property, code.into(), written, (doc, example));
    }

    /// Adds an operator on plain values: its symbol, and its signature with one or two operands.
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

    /// Creates an entry whose types follow from its signature alone.
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

    /// Adds a global name for the reference, with its type pattern. Its value is resolved elsewhere.
    pub(crate) fn name(&mut self, name: &str, is: &str, doc: &'static str, example: &'static str) {
        self.known(name, Form::Name, (None, is), (doc, example));
    }

    /// Adds a fact for the reference, with its type pattern. Its value is read elsewhere.
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
