//! Builder for the registry of library functions.

use super::code::{BuiltinCode, InlinedCall, PropertyCode};
use super::native::{Native, Runs};
use super::registry::Registry;
use crate::decision::Type;
use crate::library::effect::Effects;
use crate::library::entry::{Entry, EntryDocs, Form};
use crate::library::pattern::{ParsedSignature, Pattern};
use crate::library::well_known::CONTAINS;

/// Name of the entry for `value[index]`.
const INDEX: &str = "[]";

/// Registry under construction.
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

    /// Adds a function. `params` names its parameters, separated by spaces. If the Rust types of `run` are not precise enough, `params`
    /// also contains type patterns, as in `list name:fact -> one?` (see [`Pattern`]).
    pub(crate) fn function<M>(
        &mut self,
        name: &'static str,
        params: &'static str,
        doc: &'static str,
        example: &'static str,
        run: impl Runs<M>,
    ) {
        self.add_native(name, Form::Function, params, doc, example, run);
    }

    /// Marks the last entry as dependent on the order of its receiver.
    pub(crate) fn mark_ordered(&mut self) {
        self.registry.entries.last_mut().expect("something is written").is_ordered = true;
    }

    /// Marks the last function as one whose closures the compiler inlines.
    pub(crate) fn mark_inlined(&mut self, code: InlinedCall) {
        self.registry.entries.last_mut().expect("something is written").inlined_call = Some(code);
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
        self.add_native(symbol, Form::Operator, params, doc, example, run);
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
        self.add_native(name, Form::Property, of, doc, example, read);
    }

    /// Adds an overload of `value[index]`.
    pub(crate) fn index<M>(
        &mut self,
        params: &'static str,
        doc: &'static str,
        example: &'static str,
        read: impl Runs<M>,
    ) {
        self.add_native(INDEX, Form::Index, params, doc, example, read);
    }

    fn add_native<M, W: Runs<M>>(
        &mut self,
        name: &str,
        form: Form,
        params: &str,
        doc: &'static str,
        example: &'static str,
        run: W,
    ) {
        let said = EntryDocs { topic: self.topic, effects: self.effects, doc, example };
        let entry = Entry::new(name, form, params, W::types(), W::RESULT, &said);
        self.registry.entries.push(entry.clone());
        self.registry.natives.push(Native {
            entry: Box::new(entry),
            #[cfg(feature = "walker")]
            changes: W::CHANGES,
            // An index reads only one entry, whatever the size of the collection.
            implementation: run.implementation(form != Form::Index),
        });
    }

    /// Adds a function of a built-in type. `code` identifies it in the machine, and `signature` contains its name, parameters and types. A
    /// leading `!` marks a function that changes its receiver in place.
    pub(crate) fn core_function(
        &mut self,
        code: impl Into<BuiltinCode>,
        signature: &'static str,
        doc: &'static str,
        example: &'static str,
    ) {
        self.add_core(Form::Function, code.into(), signature, doc, example);
    }

    /// Adds a property of a built-in type.
    pub(crate) fn core_property(
        &mut self,
        code: PropertyCode,
        signature: &'static str,
        doc: &'static str,
        example: &'static str,
    ) {
        self.add_core(Form::Property, code.into(), signature, doc, example);
    }

    /// Adds an operator on plain values. `params` is its signature, with one or two operands.
    pub(crate) fn plain_operator(&mut self, symbol: &str, params: &str, doc: &'static str, example: &'static str) {
        let entry = self.plain_entry(symbol, Form::Operator, Effects::NONE, params, doc, example);
        self.registry.entries.push(Entry { code: Some(BuiltinCode::Operator), ..entry });
    }

    fn add_core(
        &mut self,
        form: Form,
        code: BuiltinCode,
        signature: &'static str,
        doc: &'static str,
        example: &'static str,
    ) {
        let (effects, signature) =
            signature.strip_prefix('!').map_or((Effects::NONE, signature), |signature| (Effects::IN_PLACE, signature));
        let (name, params) = signature.split_once(' ').expect("a name stands before what it takes");
        let entry = self.plain_entry(name, form, effects, params, doc, example);
        debug_assert!(code.is_of(entry.types[0]), "`{name}`");
        self.registry.own.entry((form, name)).or_default().add(code, &entry.takes);
        self.registry.entries.push(Entry { code: Some(code), ..entry });
    }

    /// Creates an entry whose types are determined by its signature alone.
    fn plain_entry(
        &self,
        name: &str,
        form: Form,
        effects: Effects,
        params: &str,
        doc: &'static str,
        example: &'static str,
    ) -> Entry {
        let ParsedSignature { params: taken, result } = ParsedSignature::parse(params);
        let types = taken.iter().map(|(_, takes)| takes.as_ref().map_or(Type::Any, Pattern::tag)).collect();
        let result = result.map_or(Type::Any, |result| result.tag());
        let said = EntryDocs { topic: self.topic, effects, doc, example };
        Entry::new(name, form, params, types, result, &said)
    }

    /// Adds a global name to the reference. `is` is the type pattern of the name. The value of the name is resolved elsewhere.
    pub(crate) fn name(&mut self, name: &str, is: &str, doc: &'static str, example: &'static str) {
        self.add_name(name, Form::Name, None, is, doc, example);
    }

    /// Adds a fact of the type `of` to the reference. `is` is the type pattern of the fact. The value of the fact is read elsewhere.
    pub(crate) fn fact(&mut self, name: &str, of: Type, is: &str, doc: &'static str, example: &'static str) {
        self.add_name(name, Form::Property, Some(of), is, doc, example);
    }

    fn add_name(
        &mut self,
        name: &str,
        form: Form,
        of: Option<Type>,
        is: &str,
        doc: &'static str,
        example: &'static str,
    ) {
        let said = EntryDocs { topic: self.topic, effects: self.effects, doc, example };
        let types: Vec<Type> = of.into_iter().collect();
        let signature = format!("{} -> {is}", of.map_or("", Type::word));
        let result = Pattern::parse(is).tag();
        let entry = Entry::new(name, form, &signature, types, result, &said);
        self.registry.entries.push(Entry { is_fact: of.is_some(), ..entry });
    }
}
