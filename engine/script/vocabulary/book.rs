//! How a word is written down: once, with the function behind it, whoever calls it.

use super::super::context::Context;
use super::super::dispatch::Dispatch;
use super::super::fault::{Answer, Fault};
use super::question::Question;
use crate::decision::{List, Map, OptionSet, Set, Type, Value};
use crate::library::{Effects, Form, Pattern, Said, Word};
use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
use arcstr::ArcStr;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A word with the function behind it.
pub(crate) struct Entry {
    /// What is written down of it.
    pub word: Word,
    /// Whether it changes its first argument in place.
    #[cfg(feature = "walker")]
    pub changes: bool,
    /// What it does.
    pub run: Box<Run>,
}

/// A function behind a word: it is given what it runs in, and its arguments, of the types it says.
type Run = dyn Fn(&mut Caller<'_, '_>, &mut [Value]) -> Answer<Reply> + Send + Sync;

/// What a call of a word comes to.
#[derive(Debug)]
pub(crate) enum Reply {
    /// A value.
    Value(Value),
    /// A question that somebody has to answer first.
    Question(Box<Question>),
}

impl From<Value> for Reply {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// What a word comes to that asks a seat, and results in a `T` in the end.
pub(crate) struct Asks<T>(Reply, PhantomData<T>);

impl<T> From<Reply> for Asks<T> {
    fn from(reply: Reply) -> Self {
        Self(reply, PhantomData)
    }
}

/// Every word, with the functions behind those that have one.
#[derive(Default)]
pub(crate) struct Library {
    /// The words, in the order of the reference.
    pub words: Vec<Word>,
    /// Those with a function behind them.
    pub entries: Vec<Entry>,
    /// Which of these an index means.
    pub indices: Dispatch,
    /// Which of these `a + b` means.
    pub sums: Dispatch,
    /// Which of these `b in a` means.
    pub contains: Dispatch,
}

impl Library {
    /// Which functions a call of a name with so many arguments may mean.
    pub(crate) fn dispatch(&self, form: Form, name: &str, arguments: usize) -> Dispatch {
        let is_meant =
            |entry: &Entry| entry.word.form == form && entry.word.name == name && entry.word.types.len() == arguments;
        Dispatch::new(self.entries.iter().enumerate().filter(|(_, entry)| is_meant(entry)))
    }
}

/// How the function `|…|` that a word was given is called.
pub(crate) type Call<'c, 'a> = &'c mut dyn FnMut(&mut Context<'a>, &[Value]) -> Answer<Value>;

/// What a word runs in that calls a function `|…|` it was given.
pub(crate) struct Caller<'c, 'a> {
    context: &'c mut Context<'a>,
    call: Call<'c, 'a>,
}

impl<'c, 'a> Caller<'c, 'a> {
    /// Calls functions so.
    pub(crate) fn new(context: &'c mut Context<'a>, call: Call<'c, 'a>) -> Self {
        Self { context, call }
    }

    /// What the function results in for some arguments.
    pub(super) fn of<T: Argument>(&mut self, arguments: &[Value]) -> Answer<T> {
        let mut value = (self.call)(self.context, arguments)?;
        T::take(&mut value).ok_or_else(|| wrong_type(T::TYPE, &value).into())
    }
}

impl<'a> Deref for Caller<'_, 'a> {
    type Target = Context<'a>;

    fn deref(&self) -> &Context<'a> {
        self.context
    }
}

impl<'a> DerefMut for Caller<'_, 'a> {
    fn deref_mut(&mut self) -> &mut Context<'a> {
        self.context
    }
}

/// A value is of another type than is needed.
fn wrong_type(wanted: Type, found: &Value) -> Fault {
    let fault =
        Fault::new("wrong-type", format!("{} was expected, not {}", wanted.one(), found.kind()), "of another type");
    match (wanted, found) {
        (Type::Flag, Value::Nothing) => fault.help("write a comparison, or let the function end in one"),
        (Type::Flag, _) => fault.help("write a comparison: `x > 0`, `x != ()`"),
        (_, Value::Nothing) => fault.help("ask first whether it is there: `if x != () { … }`"),
        _ => fault,
    }
}

/// A type of Rust that a word can be given.
pub(crate) trait Argument: Sized {
    /// What designers call it.
    const TYPE: Type;

    /// Takes it out of a value, if it is one; `()` is left.
    fn take(value: &mut Value) -> Option<Self>;
}

/// A type of Rust that a word can change in place.
pub(crate) trait Place: Argument {
    /// It within a value, if that is one.
    fn place(value: &mut Value) -> Option<&mut Self>;
}

/// What a word results in.
pub(crate) trait Outcome {
    /// What designers call it.
    const TYPE: Type;

    /// The value, or the question before it.
    fn into_reply(self) -> Answer<Reply>;
}

/// A function `|…|` among the arguments of a word; the caller calls it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Function;

macro_rules! held {
    ($($variant:ident: $of:ty),* $(,)?) => {
        $(
            impl Argument for $of {
                const TYPE: Type = Type::$variant;

                #[inline]
                fn take(value: &mut Value) -> Option<Self> {
                    match std::mem::take(value) {
                        Value::$variant(held) => Some(held),
                        _ => None,
                    }
                }
            }

            impl Place for $of {
                fn place(value: &mut Value) -> Option<&mut Self> {
                    match value {
                        Value::$variant(held) => Some(held),
                        _ => None,
                    }
                }
            }

            impl Outcome for $of {
                const TYPE: Type = Type::$variant;

                fn into_reply(self) -> Answer<Reply> {
                    Ok(Value::$variant(self).into())
                }
            }
        )*
    };
}

held!(
    Flag: bool,
    Number: i64,
    Text: ArcStr,
    List: List,
    Map: Arc<Map>,
    Seat: Seat,
    Zone: ZoneId,
    Space: SpaceId,
    Component: ComponentId,
    Piece: PieceId,
    Options: Arc<OptionSet>,
    Answers: Arc<Vec<(Seat, Value)>>,
);

/// A thing of the game that rules hold one by one and several at once.
pub(crate) trait Handle: Copy + Argument + Outcome + Into<Value> {
    /// What designers call several.
    const SEVERAL: Type;

    /// Several as a value.
    fn several(set: Set<Self>) -> Value;

    /// Several within a value, if it is that.
    fn among(value: &mut Value) -> Option<&mut Set<Self>>;

    /// Several out of a value, if it is that.
    fn taken(value: Value) -> Option<Set<Self>>;
}

macro_rules! handles {
    ($($variant:ident: $of:ty),* $(,)?) => {
        $(impl Handle for $of {
            const SEVERAL: Type = Type::$variant;

            fn several(set: Set<Self>) -> Value {
                Value::$variant(set)
            }

            fn among(value: &mut Value) -> Option<&mut Set<Self>> {
                match value {
                    Value::$variant(set) => Some(set),
                    _ => None,
                }
            }

            fn taken(value: Value) -> Option<Set<Self>> {
                match value {
                    Value::$variant(set) => Some(set),
                    _ => None,
                }
            }
        })*
    };
}

handles!(Seats: Seat, Zones: ZoneId, Spaces: SpaceId, Components: ComponentId, Pieces: PieceId);

impl<T: Handle> Argument for Set<T> {
    const TYPE: Type = T::SEVERAL;

    fn take(value: &mut Value) -> Option<Self> {
        T::taken(std::mem::take(value))
    }
}

impl<T: Handle> Place for Set<T> {
    fn place(value: &mut Value) -> Option<&mut Self> {
        T::among(value)
    }
}

impl<T: Handle> Outcome for Set<T> {
    const TYPE: Type = T::SEVERAL;

    fn into_reply(self) -> Answer<Reply> {
        Ok(T::several(self).into())
    }
}

impl Argument for Value {
    const TYPE: Type = Type::Any;

    fn take(value: &mut Value) -> Option<Self> {
        Some(std::mem::take(value))
    }
}

impl Place for Value {
    fn place(value: &mut Value) -> Option<&mut Self> {
        Some(value)
    }
}

impl Argument for Function {
    const TYPE: Type = Type::Function;

    fn take(value: &mut Value) -> Option<Self> {
        matches!(value, Value::Function(_)).then_some(Self)
    }
}

impl Outcome for Value {
    const TYPE: Type = Type::Any;

    fn into_reply(self) -> Answer<Reply> {
        Ok(self.into())
    }
}

impl<T: Outcome> Outcome for Asks<T> {
    const TYPE: Type = T::TYPE;

    fn into_reply(self) -> Answer<Reply> {
        Ok(self.0)
    }
}

impl Outcome for () {
    const TYPE: Type = Type::Nothing;

    fn into_reply(self) -> Answer<Reply> {
        Ok(Value::Nothing.into())
    }
}

impl Outcome for Vec<Value> {
    const TYPE: Type = Type::List;

    fn into_reply(self) -> Answer<Reply> {
        Ok(Value::from(self).into())
    }
}

impl Outcome for Map {
    const TYPE: Type = Type::Map;

    fn into_reply(self) -> Answer<Reply> {
        Ok(Value::from(self).into())
    }
}

impl Outcome for OptionSet {
    const TYPE: Type = Type::Options;

    fn into_reply(self) -> Answer<Reply> {
        Ok(Value::from(self).into())
    }
}

/// Something, or `()`.
impl<T: Outcome> Outcome for Option<T> {
    const TYPE: Type = Type::Any;

    fn into_reply(self) -> Answer<Reply> {
        self.map_or(Ok(Value::Nothing.into()), Outcome::into_reply)
    }
}

impl<T: Outcome> Outcome for Answer<T> {
    const TYPE: Type = T::TYPE;

    fn into_reply(self) -> Answer<Reply> {
        self?.into_reply()
    }
}

/// A function of Rust that can stand behind a word. `M` tells the sorts apart.
pub(crate) trait Runs<M>: Send + Sync + 'static {
    /// The types of its parameters.
    fn types() -> Vec<Type>;

    /// The type of its result.
    const RESULT: Type;

    /// Whether it changes its first argument in place.
    #[cfg(feature = "walker")]
    const CHANGES: bool;

    /// Calls it with arguments of its types.
    fn run(&self, caller: &mut Caller<'_, '_>, given: &mut [Value]) -> Answer<Reply>;
}

/// A function that takes its arguments alone.
pub(crate) struct Plain;
/// A function that takes the execution context, and its arguments.
pub(crate) struct Within;
/// A function that takes the execution context in which it calls functions, and its arguments.
pub(crate) struct Calling;
/// A function that changes its first argument in place.
pub(crate) struct Changing;
/// A function that does so within the execution context.
pub(crate) struct ChangingWithin;
/// A function that does so and calls functions.
pub(crate) struct ChangingCalling;

/// A word was called with other arguments than it says: whoever calls words looks first.
fn misfit() -> Box<super::super::fault::Failure> {
    Fault::new("wrong-arguments", "these arguments do not fit", "given the wrong things").into()
}

macro_rules! runs {
    ($($name:ident),*) => {
        taking!(Plain, caller, (), ($($name),*));
        taking!(Within, caller, (&mut Context<'_> => &mut **caller), ($($name),*));
        taking!(Calling, caller, (&mut Caller<'_, '_> => caller), ($($name),*));
        changing!(Changing, caller, (), ($($name),*));
        changing!(ChangingWithin, caller, (&mut Context<'_> => &mut **caller), ($($name),*));
        changing!(ChangingCalling, caller, (&mut Caller<'_, '_> => caller), ($($name),*));
    };
}

/// A function of so many arguments, before which it is given what it runs in or nothing.
macro_rules! taking {
    ($kind:ident, $caller:ident, ($($within:ty => $given:expr)?), ($($name:ident),*)) => {
        impl<W, R: Outcome, $($name: Argument),*> Runs<($kind, R, $($name,)*)> for W
        where
            W: Fn($($within,)? $($name),*) -> R + Send + Sync + 'static,
        {
            const RESULT: Type = R::TYPE;
            #[cfg(feature = "walker")]
            const CHANGES: bool = false;

            fn types() -> Vec<Type> {
                vec![$($name::TYPE),*]
            }

            #[allow(non_snake_case, unused_mut, unused_variables, reason = "written for each number of parameters")]
            fn run(&self, $caller: &mut Caller<'_, '_>, given: &mut [Value]) -> Answer<Reply> {
                let mut given = given.iter_mut();
                $(let $name = given.next().and_then($name::take).ok_or_else(misfit)?;)*
                self($($given,)? $($name),*).into_reply()
            }
        }
    };
}

/// The same of one that changes its first argument in place.
macro_rules! changing {
    ($kind:ident, $caller:ident, ($($within:ty => $given:expr)?), ($($name:ident),*)) => {
        impl<W, R: Outcome, P: Place, $($name: Argument),*> Runs<($kind, R, P, $($name,)*)> for W
        where
            W: Fn($($within,)? &mut P, $($name),*) -> R + Send + Sync + 'static,
        {
            const RESULT: Type = R::TYPE;
            #[cfg(feature = "walker")]
            const CHANGES: bool = true;

            fn types() -> Vec<Type> {
                vec![P::TYPE, $($name::TYPE),*]
            }

            #[allow(non_snake_case, unused_mut, unused_variables, reason = "written for each number of parameters")]
            fn run(&self, $caller: &mut Caller<'_, '_>, given: &mut [Value]) -> Answer<Reply> {
                let mut given = given.iter_mut();
                let place = given.next().and_then(P::place).ok_or_else(misfit)?;
                $(let $name = given.next().and_then($name::take).ok_or_else(misfit)?;)*
                self($($given,)? place, $($name),*).into_reply()
            }
        }
    };
}

runs!();
runs!(A);
runs!(A, B);
runs!(A, B, C);
runs!(A, B, C, D);
runs!(A, B, C, D, E);

/// What stands in square brackets behind a value is called so.
const INDEX: &str = "[]";

/// The table of words, being written.
#[derive(Default)]
pub(crate) struct Book {
    library: Library,
    topic: &'static str,
    effects: Effects,
}

impl Book {
    pub(crate) fn finish(self) -> Library {
        let library = self.library;
        Library {
            indices: library.dispatch(Form::Index, INDEX, 2),
            sums: library.dispatch(Form::Function, "+", 2),
            contains: library.dispatch(Form::Function, "contains", 2),
            ..library
        }
    }

    pub(super) fn topic(&mut self, topic: &'static str) {
        self.topic = topic;
        self.effects = Effects::NONE;
    }

    /// What the functions written from here on do besides resulting in something, up to the next topic.
    pub(super) fn effects(&mut self, effects: Effects) {
        self.effects = effects;
    }

    /// Writes a function. `params` names its parameters, separated by spaces, with what they take and what the function results in
    /// where the types of `run` do not say all: `list name:fact -> one?` (see [`crate::library::Pattern`]).
    pub(super) fn word<M>(
        &mut self,
        name: &'static str,
        params: &'static str,
        doc: &'static str,
        example: &'static str,
        run: impl Runs<M>,
    ) {
        self.enter(name, Form::Function, params, (doc, example), run);
    }

    /// Writes a property that can be read.
    pub(super) fn property<M>(
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
    pub(super) fn index<M>(
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
        let word = Word::new(name, form, params, (W::types(), W::RESULT), &said);
        self.library.words.push(word.clone());
        let run = move |caller: &mut Caller<'_, '_>, given: &mut [Value]| run.run(caller, given);
        let run = Box::new(run);
        #[cfg(feature = "walker")]
        let entry = Entry { word, changes: W::CHANGES, run };
        #[cfg(not(feature = "walker"))]
        let entry = Entry { word, run };
        self.library.entries.push(entry);
    }

    /// Writes down a name that stands alone: what it is, as a pattern. What it stands for is for the resolver of names.
    pub(super) fn name(&mut self, name: &str, is: &str, doc: &'static str, example: &'static str) {
        self.known(name, Form::Name, (None, is), (doc, example));
    }

    /// Writes down what a thing has in every game: what it is, as a pattern. What it stands for is for the facts of the game.
    pub(super) fn fact(&mut self, name: &str, (of, is): (Type, &str), doc: &'static str, example: &'static str) {
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
        let word = Word::new(name, form, &written, (types, result), &said);
        self.library.words.push(Word { is_fact: of.is_some(), ..word });
    }
}

impl Entry {
    /// Calls the word with arguments of its types: what it is given and what it results in count as work, but for that of which
    /// one entry alone is taken.
    pub(crate) fn call(&self, caller: &mut Caller<'_, '_>, given: &mut [Value]) -> Answer<Reply> {
        if self.word.form != Form::Index {
            caller.charge(given.iter().map(Value::cost).sum());
        }
        let reply = (self.run)(caller, given)?;
        if let Reply::Value(made) = &reply {
            caller.charge(made.cost());
        }
        Ok(reply)
    }
}
