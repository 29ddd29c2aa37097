//! How a word is written down and made known to the script engine at once.

use crate::decision::Set;
use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
use crate::script::{stage, weight};
use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FnPtr, FuncRegistration, ImmutableString, Map, Module, NativeCallContext,
    RhaiFunc, RhaiNativeFunc, Variant,
};
use std::any::TypeId;
use std::rc::Rc;

/// A type of the script language, as designers read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// Anything.
    Any,
    /// Nothing: `()`.
    Nothing,
    /// A whole number.
    Number,
    /// Yes or no.
    Flag,
    /// A word or sentence.
    Text,
    /// A list `[…]`.
    List,
    /// Named parts `#{…}`.
    Map,
    /// A function: its name, or `|x| …`.
    Function,
    /// A seat.
    Seat,
    /// A zone.
    Zone,
    /// A space.
    Space,
    /// A component.
    Component,
    /// A piece.
    Piece,
    /// Several seats.
    Seats,
    /// Several zones.
    Zones,
    /// Several spaces.
    Spaces,
    /// Several components.
    Components,
    /// Several pieces.
    Pieces,
    /// Options that are listed natively.
    Options,
    /// What several seats answered.
    Answers,
    /// The game as a whole.
    Game,
}

impl Type {
    /// The word for it in the reference.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Nothing => "()",
            Self::Number => "number",
            Self::Flag => "flag",
            Self::Text => "text",
            Self::List => "list",
            Self::Map => "map",
            Self::Function => "function",
            Self::Seat => "seat",
            Self::Zone => "zone",
            Self::Space => "space",
            Self::Component => "component",
            Self::Piece => "piece",
            Self::Seats => "seats",
            Self::Zones => "zones",
            Self::Spaces => "spaces",
            Self::Components => "components",
            Self::Pieces => "pieces",
            Self::Options => "options",
            Self::Answers => "answers",
            Self::Game => "game",
        }
    }

    /// The type the script engine knows by an id.
    pub(super) fn of(id: TypeId) -> Self {
        let known: [(TypeId, Self); 20] = [
            (TypeId::of::<Dynamic>(), Self::Any),
            (TypeId::of::<()>(), Self::Nothing),
            (TypeId::of::<i64>(), Self::Number),
            (TypeId::of::<bool>(), Self::Flag),
            (TypeId::of::<ImmutableString>(), Self::Text),
            (TypeId::of::<Array>(), Self::List),
            (TypeId::of::<Map>(), Self::Map),
            (TypeId::of::<FnPtr>(), Self::Function),
            (TypeId::of::<Seat>(), Self::Seat),
            (TypeId::of::<ZoneId>(), Self::Zone),
            (TypeId::of::<SpaceId>(), Self::Space),
            (TypeId::of::<ComponentId>(), Self::Component),
            (TypeId::of::<PieceId>(), Self::Piece),
            (TypeId::of::<Set<Seat>>(), Self::Seats),
            (TypeId::of::<Set<ZoneId>>(), Self::Zones),
            (TypeId::of::<Set<SpaceId>>(), Self::Spaces),
            (TypeId::of::<Set<ComponentId>>(), Self::Components),
            (TypeId::of::<Set<PieceId>>(), Self::Pieces),
            (TypeId::of::<crate::decision::OptionSet>(), Self::Options),
            (TypeId::of::<super::decisions::Answers>(), Self::Answers),
        ];
        let found = known.iter().find(|(known, _)| *known == id).map(|(_, kind)| *kind);
        found.unwrap_or(if id == TypeId::of::<super::facts::GameHandle>() { Self::Game } else { Self::Any })
    }
}

/// How a word is written in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `word(a, b)`, also written `a.word(b)`.
    Function,
    /// `a.word`.
    Property,
    /// `a.word = b`.
    Setter,
    /// `a[b]`.
    Index,
    /// `word`, by itself.
    Name,
}

/// One word of the vocabulary, for one list of parameter types.
#[derive(Debug, Clone)]
pub struct Word {
    /// The topic it is listed under.
    pub topic: &'static str,
    /// Its name.
    pub name: String,
    /// How it is written.
    pub form: Form,
    /// The names of its parameters.
    pub params: Vec<String>,
    /// The types of its parameters.
    pub types: Vec<Type>,
    /// The type of what it gives.
    pub result: Type,
    /// What it does, in a sentence.
    pub doc: &'static str,
    /// An expression that shows it, with its result after `//`; empty for further parameter types of the same word.
    pub example: &'static str,
}

/// What the script engine calls the function behind `a.word`.
const GETTER: &str = "get$";
/// What the script engine calls the function behind `a[b]`.
const INDEXER: &str = "index$get$";

/// The table of words, being written, and the script engine that learns them.
pub(crate) struct Book<'a> {
    pub(super) engine: &'a mut Engine,
    /// The functions behind the words, each of which counts the work it does.
    functions: Module,
    words: Vec<Word>,
    topic: &'static str,
}

impl<'a> Book<'a> {
    pub(crate) fn new(engine: &'a mut Engine) -> Self {
        Self { engine, functions: Module::new(), words: Vec::new(), topic: "" }
    }

    pub(crate) fn finish(self) -> Vec<Word> {
        self.engine.register_global_module(self.functions.into());
        self.words
    }

    pub(super) fn topic(&mut self, topic: &'static str) {
        self.topic = topic;
    }

    /// Writes a function. `params` names its parameters, separated by spaces.
    pub(super) fn word<A: 'static, const N: usize, const X: bool, R, const F: bool, W>(
        &mut self,
        name: &'static str,
        params: &'static str,
        doc: &'static str,
        example: &'static str,
        run: W,
    ) where
        R: Variant + Clone,
        W: RhaiNativeFunc<A, N, X, R, F> + 'static,
    {
        self.note(name, Form::Function, params, (&W::param_types(), TypeId::of::<R>()), doc, example);
        self.learn(name, run);
    }

    /// Writes a property that can be read.
    pub(super) fn property<A: 'static, const X: bool, R, const F: bool, W>(
        &mut self,
        name: &'static str,
        of: &'static str,
        doc: &'static str,
        example: &'static str,
        read: W,
    ) where
        R: Variant + Clone,
        W: RhaiNativeFunc<A, 1, X, R, F> + 'static,
    {
        self.note(name, Form::Property, of, (&W::param_types(), TypeId::of::<R>()), doc, example);
        self.learn(&format!("{GETTER}{name}"), read);
    }

    /// Writes what stands in square brackets behind a value.
    pub(super) fn index<A: 'static, const X: bool, R, const F: bool, W>(
        &mut self,
        params: &'static str,
        doc: &'static str,
        example: &'static str,
        read: W,
    ) where
        R: Variant + Clone,
        W: RhaiNativeFunc<A, 2, X, R, F> + 'static,
    {
        self.note("[]", Form::Index, params, (&W::param_types(), TypeId::of::<R>()), doc, example);
        self.learn(INDEXER, read);
    }

    /// Makes a function known to scripts: what it is given and what it gives count as work.
    fn learn<A: 'static, const N: usize, const X: bool, R, const F: bool, W>(&mut self, name: &str, run: W)
    where
        R: Variant + Clone,
        W: RhaiNativeFunc<A, N, X, R, F> + 'static,
    {
        let function = match run.into_rhai_function(true, false) {
            RhaiFunc::Pure { func, has_context, is_pure, is_volatile } => {
                RhaiFunc::Pure { func: charged(func), has_context, is_pure, is_volatile }
            }
            RhaiFunc::Method { func, has_context, is_pure, is_volatile } => {
                RhaiFunc::Method { func: charged(func), has_context, is_pure, is_volatile }
            }
            other => other,
        };
        let named = FuncRegistration::new(name).in_global_namespace();
        named.set_into_module_raw(&mut self.functions, W::param_types(), function);
    }

    /// Writes down a name that stands alone. What it gives is for the resolver of names.
    pub(super) fn name(&mut self, name: &str, kind: Type, doc: &'static str, example: &'static str) {
        self.known(name, Form::Name, (Vec::new(), kind), doc, example);
    }

    /// Writes down what a thing has in every game. What it gives is for the facts of the game.
    pub(super) fn fact(&mut self, name: &str, (of, kind): (Type, Type), doc: &'static str, example: &'static str) {
        self.known(name, Form::Property, (vec![of], kind), doc, example);
    }

    fn known(
        &mut self,
        name: &str,
        form: Form,
        (types, result): (Vec<Type>, Type),
        doc: &'static str,
        example: &'static str,
    ) {
        let params = types.iter().map(|kind| kind.word().to_owned()).collect();
        self.words.push(Word { topic: self.topic, name: name.to_owned(), form, params, types, result, doc, example });
    }

    /// Lets scripts go through a list with `for`.
    pub(super) fn iterable<T>(&mut self)
    where
        T: Variant + Clone + IntoIterator,
        T::Item: Variant + Clone,
    {
        self.engine.register_iterator::<T>();
    }

    fn note(
        &mut self,
        name: &str,
        form: Form,
        params: &str,
        (types, result): (&[TypeId], TypeId),
        doc: &'static str,
        example: &'static str,
    ) {
        let params: Vec<String> = params.split_whitespace().map(str::to_owned).collect();
        let types: Vec<Type> = types.iter().map(|id| Type::of(*id)).collect();
        debug_assert_eq!(params.len(), types.len(), "`{name}` names every parameter");
        let (topic, result) = (self.topic, Type::of(result));
        self.words.push(Word { topic, name: name.to_owned(), form, params, types, result, doc, example });
    }
}

/// A function of Rust as the script engine keeps it.
type Native = dyn Fn(Option<NativeCallContext<'_>>, &mut [&mut Dynamic]) -> Result<Dynamic, Box<EvalAltResult>>;

fn charged(run: Rc<Native>) -> Rc<Native> {
    Rc::new(move |context, given| {
        stage::charge(given.iter().map(|value| weight::cost(value)).sum());
        let made = run(context, given)?;
        stage::charge(weight::cost(&made));
        Ok(made)
    })
}

/// Works on the game in progress.
pub(super) fn with<T>(work: impl FnOnce(&mut stage::Stage) -> T) -> T {
    stage::with(work)
}
