//! Runs rules in the script engine (Rhai), which tests use as a reference for the machine. Converts values between the
//! two.

mod current_game;
mod runtime;

use super::machine::{Machine, Progress};
use crate::decision::{Entries, HandleList, Map, OptionSet, Range, Type, Value};
use crate::diagnostic::Diagnostic;
use crate::library::State;
use crate::library::context::Context;
use crate::library::context::fact_table::{Column, FactTable};
use crate::library::context::facts::Item;
use crate::library::context::fault::{Answer, Failure};
use crate::library::context::names::{Name, absent_name, names};
use crate::library::entry::caller::Calls;
use crate::library::entry::native::Native;
use crate::library::entry::stored_closure::StoredClosure;
use crate::library::topics::assign_value::{set_fact, set_game_value};
use crate::library::topics::data_functions::functions_of_field;
use crate::library::topics::facts::{fact, game_value};
use crate::library::topics::value_tables::set_entry;
use crate::library::{Form, MAX_FIELD_ARGUMENTS, registry};
use crate::model::{ComponentId, Model, PieceId, Seat, SpaceId, ZoneId};
use crate::vm::MAX_CALL_DEPTH;
pub use current_game::{Answerer, answering};
use current_game::{answer_now, run_with_borrowed_game, with};
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicStringPackage,
    LogicPackage, MoreStringPackage, Package,
};
use rhai::{
    AST, Dynamic, Engine, EvalAltResult, FnPtr, FuncRegistration, ImmutableString, Module, NativeCallContext,
    OptimizationLevel, Position, RhaiFunc, Scope, Variant,
};
use runtime::{Runtimes, call_function, call_named};
use rustc_hash::FxHashMap;
use std::any::TypeId;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The rules of a game, compiled for the script engine.
pub(super) struct Walker {
    engine: Engine,
    runtimes: Rc<Runtimes>,
}

thread_local! {
    /// Cache, with the fingerprint of the model as the key. The script engine is not `Send`, so each thread has its own cache.
    static WALKERS: RefCell<Vec<(u64, Rc<Walker>)>> = const { RefCell::new(Vec::new()) };
}

/// Maximum number of games in the cache.
const CACHE_SIZE: usize = 16;

impl Walker {
    /// Returns the checked rules of a game in this thread's script engine.
    ///
    /// # Panics
    /// Panics if the script engine does not compile the checked rules.
    pub(super) fn for_game(model: &Arc<Model>, facts: &FactTable) -> Rc<Self> {
        WALKERS.with_borrow_mut(|walkers| {
            if let Some((_, known)) = walkers.iter().find(|(fingerprint, _)| *fingerprint == model.fingerprint) {
                return known.clone();
            }
            if walkers.len() >= CACHE_SIZE {
                walkers.remove(0);
            }
            let walker = Rc::new(Self::new(model, facts));
            walkers.push((model.fingerprint, walker.clone()));
            walker
        })
    }

    fn new(model: &Arc<Model>, facts: &FactTable) -> Self {
        let mut engine = Engine::new_raw();
        ArithmeticPackage::new().register_into_engine(&mut engine);
        LogicPackage::new().register_into_engine(&mut engine);
        BasicStringPackage::new().register_into_engine(&mut engine);
        MoreStringPackage::new().register_into_engine(&mut engine);
        BasicIteratorPackage::new().register_into_engine(&mut engine);
        BasicArrayPackage::new().register_into_engine(&mut engine);
        BasicMapPackage::new().register_into_engine(&mut engine);
        BasicFnPackage::new().register_into_engine(&mut engine);
        engine
            .set_max_call_levels(MAX_CALL_DEPTH)
            .set_max_expr_depths(512, 512)
            .set_strict_variables(true)
            .set_optimization_level(OptimizationLevel::None)
            .set_fail_on_invalid_map_property(true);
        register(&mut engine);
        register_names(&mut engine, facts);
        register_entries(&mut engine);
        register_calls(&mut engine, model);
        resolve_names(&mut engine, &names(model));
        let mut scope = Scope::new();
        for (name, _) in names(model) {
            scope.push_constant(name, ());
        }
        let mut all = AST::empty();
        for source in &model.scripts {
            let ast = engine.compile_with_scope(&scope, &source.text).expect("the rules have been checked");
            all = all.merge(&ast);
        }
        all.clear_statements();
        let runtimes = Rc::new(Runtimes::new(&mut engine, &all));
        Self { engine, runtimes }
    }

    /// Runs a function. `given` is its argument, if any. Decisions are answered immediately.
    pub(super) fn enter(
        &self,
        state: &mut State,
        machine: &Arc<Machine>,
        function: &str,
        given: Option<&Value>,
    ) -> Progress {
        current_game::enter(state, machine, || self.run(function, given))
    }

    /// Calls a function. `given` is its argument, if any: a seat or a team.
    ///
    /// # Errors
    /// Returns the error of the script engine.
    fn run(&self, function: &str, given: Option<&Value>) -> Result<Value, Diagnostic> {
        let result = self.runtimes.enter(|| match given {
            Some(Value::Seat(seat)) => self.runtimes.call(&self.engine, 0, function, (seat.get(),)),
            Some(Value::Component(team)) => self.runtimes.call(&self.engine, 0, function, (team.get(),)),
            _ => self.runtimes.call(&self.engine, 0, function, ()),
        });
        result.map(|value| value_of(&value)).map_err(|error| Diagnostic::error("internal", error.to_string()))
    }
}

#[allow(
    deprecated,
    reason = "the script engine marks the variable resolver as subject to change; its version is pinned"
)]
fn resolve_names(engine: &mut Engine, names: &[(String, Name)]) {
    let known: FxHashMap<String, Name> = names.iter().cloned().collect();
    engine.on_var(move |name, index, _| {
        if index > 0 {
            return Ok(None);
        }
        let Some(value) = known.get(name) else { return Ok(None) };
        Ok(Some(match value {
            Name::Fixed(value) => dynamic_of(value),
            Name::Absent => return Err(Box::<Failure>::from(absent_name(name)).into()),
            Name::Round => with(|ctx| ctx.table.position.round).into(),
            Name::First => Dynamic::from(with(|ctx| ctx.table.position.first)),
            Name::Active => with(|ctx| ctx.table.position.active).map_or(Dynamic::UNIT, Dynamic::from),
        }))
    });
}

/// Value of the name `game` in the script engine.
#[derive(Debug, Clone, Copy)]
struct GameHandle;

/// Script engine type for the answers of several seats.
#[derive(Clone)]
struct Answers(Arc<Vec<(Seat, Value)>>);

/// Prefix that the script engine adds to the names of getters.
const GETTER: &str = "get$";
/// Name of index getters in the script engine.
const INDEXER: &str = "index$get$";

/// Registers all library functions in the script engine.
fn register(engine: &mut Engine) {
    let mut functions = Module::new();
    for native in &registry().natives {
        let name = match native.entry.form {
            Form::Property => format!("{GETTER}{}", native.entry.name),
            Form::Index => INDEXER.to_owned(),
            _ => native.entry.name.clone(),
        };
        let types: Vec<TypeId> = native.entry.types.iter().map(|kind| type_id(*kind)).collect();
        let run = Rc::new(move |context: Option<NativeCallContext<'_>>, given: &mut [&mut Dynamic]| {
            call_native(native, &context.expect("it asks for its context"), given).map_err(Into::into)
        });
        let is_plain = matches!(native.entry.form, Form::Function | Form::Operator);
        let function = if native.changes || !is_plain {
            RhaiFunc::Method { func: run, has_context: true, is_pure: true, is_volatile: false }
        } else {
            RhaiFunc::Pure { func: run, has_context: true, is_pure: true, is_volatile: false }
        };
        FuncRegistration::new(name).in_global_namespace().set_into_module_raw(&mut functions, types, function);
    }
    engine.register_global_module(functions.into());
    iterable::<Seat>(engine);
    iterable::<ZoneId>(engine);
    iterable::<SpaceId>(engine);
    iterable::<ComponentId>(engine);
    iterable::<PieceId>(engine);
}

fn iterable<T: Variant + Copy>(engine: &mut Engine) {
    engine.register_iterator::<HandleList<T>>();
}

fn type_id(kind: Type) -> TypeId {
    match kind {
        Type::Any => TypeId::of::<Dynamic>(),
        Type::Nothing => TypeId::of::<()>(),
        Type::Number => TypeId::of::<i64>(),
        Type::Flag => TypeId::of::<bool>(),
        Type::Text => TypeId::of::<ImmutableString>(),
        Type::List => TypeId::of::<rhai::Array>(),
        Type::Map => TypeId::of::<rhai::Map>(),
        Type::Function => TypeId::of::<FnPtr>(),
        Type::Range => TypeId::of::<std::ops::Range<i64>>(),
        Type::Seat => TypeId::of::<Seat>(),
        Type::Zone => TypeId::of::<ZoneId>(),
        Type::Space => TypeId::of::<SpaceId>(),
        Type::Component => TypeId::of::<ComponentId>(),
        Type::Piece => TypeId::of::<PieceId>(),
        Type::Seats => TypeId::of::<HandleList<Seat>>(),
        Type::Zones => TypeId::of::<HandleList<ZoneId>>(),
        Type::Spaces => TypeId::of::<HandleList<SpaceId>>(),
        Type::Components => TypeId::of::<HandleList<ComponentId>>(),
        Type::Pieces => TypeId::of::<HandleList<PieceId>>(),
        Type::Options => TypeId::of::<Arc<OptionSet>>(),
        Type::Answers => TypeId::of::<Answers>(),
        Type::Game => TypeId::of::<GameHandle>(),
        Type::Entries => TypeId::of::<Entries>(),
    }
}

/// The game, lent to a library function together with the closure that was passed to this function.
struct LentRun<'c, 'a> {
    ctx: &'c mut Context<'a>,
    engine: &'c NativeCallContext<'c>,
    function: Option<FnPtr>,
}

impl<'a> Calls<'a> for LentRun<'_, 'a> {
    fn context(&self) -> &Context<'a> {
        self.ctx
    }

    fn context_mut(&mut self) -> &mut Context<'a> {
        self.ctx
    }

    fn call(&mut self, arguments: &[Value]) -> Answer<Value> {
        let function = self.function.as_ref().ok_or_else(|| Box::new(Failure::Stopped))?;
        let arguments = arguments.iter().map(dynamic_of).collect::<Vec<Dynamic>>();
        let called = run_with_borrowed_game(self.ctx, || call_function(self.engine, function, arguments));
        // Retry without arguments: a closure that has no parameters ignores what it is passed.
        let takes_nothing = |error: &EvalAltResult| matches!(error, EvalAltResult::ErrorFunctionNotFound(..));
        let called = match called {
            Err(error) if takes_nothing(&error) => {
                run_with_borrowed_game(self.ctx, || call_function(self.engine, function, []))
            }
            called => called,
        };
        Ok(value_of(&called?))
    }

    fn take_closure(&mut self) -> Option<StoredClosure> {
        None
    }

    fn can_store_closures(&self) -> bool {
        false
    }
}

/// Calls a library function and writes back an argument that it changed in place.
fn call_native(native: &Native, context: &NativeCallContext<'_>, given: &mut [&mut Dynamic]) -> Answer<Dynamic> {
    let mut values: Vec<Value> = given.iter().map(|one| value_of(one)).collect();
    let function = given.iter().find_map(|one| one.read_lock::<FnPtr>().map(|function| (*function).clone()));
    let made = with(|ctx| {
        let reply = native.call_with(&mut LentRun { ctx, engine: context, function }, &mut values)?;
        answer_now(ctx, reply)
    })?;
    if native.changes {
        let changed = dynamic_of(&values[0]);
        // The argument may be a variable that a closure has captured.
        if given[0].is_shared() {
            *given[0].write_lock::<Dynamic>().expect("nobody else uses it meanwhile") = changed;
        } else {
            *given[0] = changed;
        }
    }
    Ok(dynamic_of(&made))
}

/// Converts a value of the script engine to a [`Value`].
fn value_of(given: &Dynamic) -> Value {
    fn held<T: Clone + 'static, V: From<T>>(given: &Dynamic) -> Option<V> {
        given.read_lock::<T>().map(|held| V::from((*held).clone()))
    }
    if let Ok(number) = given.as_int() {
        return Value::Number(number);
    }
    if let Ok(flag) = given.as_bool() {
        return Value::from(flag);
    }
    if given.is_unit() {
        return Value::Nothing;
    }
    if let Some(text) = given.read_lock::<ImmutableString>() {
        return Value::text(&text);
    }
    None.or_else(|| held::<PieceId, Value>(given))
        .or_else(|| held::<Seat, Value>(given))
        .or_else(|| held::<HandleList<PieceId>, Value>(given))
        .or_else(|| held::<SpaceId, Value>(given))
        .or_else(|| held::<ZoneId, Value>(given))
        .or_else(|| held::<ComponentId, Value>(given))
        .or_else(|| held::<HandleList<SpaceId>, Value>(given))
        .or_else(|| held::<HandleList<Seat>, Value>(given))
        .or_else(|| held::<HandleList<ComponentId>, Value>(given))
        .or_else(|| held::<HandleList<ZoneId>, Value>(given))
        .unwrap_or_else(|| convert_compound(given))
}

fn convert_compound(given: &Dynamic) -> Value {
    if let Some(list) = given.read_lock::<rhai::Array>() {
        return Value::list(list.iter().map(value_of).collect());
    }
    if let Some(map) = given.read_lock::<rhai::Map>() {
        return Map::new(map.iter().map(|(name, part)| (name.as_str().into(), value_of(part)))).into();
    }
    if let Ok(letter) = given.as_char() {
        return Value::text(letter.encode_utf8(&mut [0; 4]));
    }
    if let Some(options) = given.read_lock::<Arc<OptionSet>>() {
        return Value::Options((*options).clone());
    }
    if let Some(answers) = given.read_lock::<Answers>() {
        return Value::Answers(answers.0.clone());
    }
    if given.is::<GameHandle>() {
        return Value::Game;
    }
    if let Some(entries) = given.read_lock::<Entries>() {
        return Value::Entries((*entries).into());
    }
    if let Some(range) = given.read_lock::<std::ops::Range<i64>>() {
        return Value::Range(Arc::new(Range { start: range.start, end: range.end, is_inclusive: false }));
    }
    if let Some(range) = given.read_lock::<std::ops::RangeInclusive<i64>>() {
        return Value::Range(Arc::new(Range { start: *range.start(), end: *range.end(), is_inclusive: true }));
    }
    // Only functions remain.
    Value::Function(0.into())
}

/// Converts a [`Value`] to a value of the script engine.
fn dynamic_of(value: &Value) -> Dynamic {
    match value {
        Value::Nothing | Value::Function(_) => Dynamic::UNIT,
        Value::Flag(flag) => flag.get().into(),
        Value::Number(number) => (*number).into(),
        Value::Text(text) => ImmutableString::from(text.as_str()).into(),
        Value::List(list) => list.iter().map(dynamic_of).collect::<rhai::Array>().into(),
        Value::Map(map) => {
            map.iter().map(|(name, part)| (name.as_str().into(), dynamic_of(part))).collect::<rhai::Map>().into()
        }
        Value::Range(range) if range.is_inclusive => Dynamic::from(range.start..=range.end),
        Value::Range(range) => Dynamic::from(range.start..range.end),
        Value::Seat(seat) => Dynamic::from(seat.get()),
        Value::Zone(zone) => Dynamic::from(zone.get()),
        Value::Space(space) => Dynamic::from(space.get()),
        Value::Component(component) => Dynamic::from(component.get()),
        Value::Piece(piece) => Dynamic::from(piece.get()),
        Value::Seats(set) => Dynamic::from(set.clone()),
        Value::Zones(set) => Dynamic::from(set.clone()),
        Value::Spaces(set) => Dynamic::from(set.clone()),
        Value::Components(set) => Dynamic::from(set.clone()),
        Value::Pieces(set) => Dynamic::from(set.clone()),
        Value::Options(options) => Dynamic::from(options.clone()),
        Value::Answers(answers) => Dynamic::from(Answers(answers.clone())),
        Value::Game => Dynamic::from(GameHandle),
        Value::Entries(entries) => Dynamic::from(entries.get()),
    }
}

impl From<Box<Failure>> for Box<EvalAltResult> {
    fn from(failure: Box<Failure>) -> Self {
        match *failure {
            Failure::Fault(fault) => Self::new(EvalAltResult::ErrorRuntime(Dynamic::from(fault), Position::NONE)),
            Failure::Stopped => Self::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE)),
            Failure::Inside(inside) => match inside.downcast::<EvalAltResult>() {
                Ok(error) => error,
                Err(_) => Self::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE)),
            },
        }
    }
}

impl From<Box<EvalAltResult>> for Box<Failure> {
    fn from(error: Box<EvalAltResult>) -> Self {
        Self::new(Failure::Inside(error))
    }
}

/// Registers assignment to the entries of value tables. An assignment changes the game, not its receiver, so it is registered as pure.
fn register_entries(engine: &mut Engine) {
    let write = |of: &mut Entries, index: Dynamic, given: Dynamic| -> Result<(), Box<EvalAltResult>> {
        let (of, index, given) = (*of, value_of(&index), value_of(&given));
        Ok(with(|ctx| set_entry(ctx, of, &index, &given))?)
    };
    FuncRegistration::new_index_setter().with_purity(true).register_into_engine(engine, write);
}

/// Registers every fact of every type, and every value of the game, as a property.
fn register_names(engine: &mut Engine, table: &FactTable) {
    register_facts::<PieceId>(engine, table);
    register_facts::<ComponentId>(engine, table);
    register_facts::<Seat>(engine, table);
    register_facts::<SpaceId>(engine, table);
    register_facts::<ZoneId>(engine, table);
    for (name, stored) in table.all_of_game() {
        let (id, stored) = (stored.id, stored.clone());
        engine.register_get(&**name, move |_: &mut GameHandle| -> Dynamic {
            dynamic_of(&with(|ctx| game_value(ctx, &stored)))
        });
        let write = move |_: &mut GameHandle, given: Dynamic| -> Result<(), Box<EvalAltResult>> {
            let given = value_of(&given);
            Ok(with(|ctx| set_game_value(ctx, id, &given))?)
        };
        setter(name).register_into_engine(engine, write);
    }
}

fn register_facts<T: Item + Variant>(engine: &mut Engine, table: &FactTable) {
    for (name, found) in table.facts_of::<T>() {
        if found.iter().any(|fact| fact.stored().is_some()) {
            let (word, found) = (name.clone(), found.clone());
            let write = move |item: &mut T, given: Dynamic| -> Result<(), Box<EvalAltResult>> {
                let given = value_of(&given);
                Ok(with(|ctx| set_fact(ctx, *item, &found, &word, &given))?)
            };
            setter(name).register_into_engine(engine, write);
        }
        // Rhai assigns a table back after one of its entries was set. The entry has been stored already, so this does
        // nothing.
        if found.iter().all(|fact| matches!(fact, Column::Entries(..))) {
            setter(name).register_into_engine(engine, |_: &mut T, _: Dynamic| {});
        }
        let (word, found) = (name.clone(), found.clone());
        engine.register_get(&**name, move |item: &mut T| -> Result<Dynamic, Box<EvalAltResult>> {
            Ok(with(|ctx| fact(ctx, *item, &found, &word)).map(|value| dynamic_of(&value))?)
        });
    }
}

/// Creates a setter that does not modify its receiver, so that it may be applied to constants such as `game`.
fn setter(name: &str) -> FuncRegistration {
    FuncRegistration::new_setter(name).with_purity(true)
}

/// Registers every field that holds rule functions as a method of pieces, components, spaces and maps.
fn register_calls(engine: &mut Engine, model: &Model) {
    for field in model.function_fields() {
        for first in
            [TypeId::of::<PieceId>(), TypeId::of::<ComponentId>(), TypeId::of::<SpaceId>(), TypeId::of::<rhai::Map>()]
        {
            for others in 0..MAX_FIELD_ARGUMENTS {
                register_call(engine, &field, first, others);
            }
        }
    }
}

fn register_call(engine: &mut Engine, field: &Arc<str>, first: TypeId, others: usize) {
    let mut types = vec![first];
    types.extend(std::iter::repeat_n(TypeId::of::<Dynamic>(), others));
    let name = field.clone();
    engine.register_raw_fn(&**field, types, move |context: NativeCallContext, args: &mut [&mut Dynamic]| {
        let args: Vec<Dynamic> = args.iter().map(|arg| arg.flatten_clone()).collect();
        let functions = with(|ctx| functions_of_field(ctx, &value_of(&args[0]), &name))?;
        let piece = args[0].clone().try_cast::<PieceId>();
        with(|ctx| ctx.state.begin_effect(piece));
        let mut given = Dynamic::UNIT;
        for function in functions {
            given = call_named(&context, &function, args.clone())?;
        }
        with(|ctx| ctx.state.end_effect());
        Ok(given)
    });
}
