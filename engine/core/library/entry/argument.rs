//! Rust types of the arguments and results of library functions, and the corresponding types of the rule language.

use super::reply::Reply;
use crate::decision::{Entries, HandleList, List, Map, OptionSet, Type, Value, handle_list_cost};
use crate::library::context::fault::Answer;
use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
use arcstr::ArcStr;
use std::marker::PhantomData;
use std::sync::Arc;

/// A Rust type that a library function can take as an argument.
pub(crate) trait Argument: Sized {
    /// The corresponding type of the rule language.
    const TYPE: Type;

    /// Moves the argument out of a value, leaving `()`. Returns `None` if the value has another type.
    fn take(value: &mut Value) -> Option<Self>;

    /// Like [`Value::cost_if_bounded`], for a value of this type.
    #[inline]
    fn cost(value: &Value) -> Option<usize> {
        value.cost_if_bounded()
    }
}

/// A Rust type that a library function can change in place.
pub(crate) trait ChangedInPlace: Argument {
    /// Returns a reference into a value, or `None` if the value has another type.
    fn place(value: &mut Value) -> Option<&mut Self>;
}

/// A Rust type that a library function can return.
pub(crate) trait ResultType {
    /// The corresponding type of the rule language.
    const TYPE: Type;

    /// Whether results of this type never have a [cost](Value::cost).
    const IS_FREE: bool = false;

    /// Like [`Value::cost`], for a result of this type.
    #[inline]
    fn cost_of(made: &Value) -> usize {
        made.cost()
    }

    /// Converts the result to a value, or to the question that must be answered first.
    fn into_reply(self) -> Answer<Reply>;
}

/// A closure argument. The library function calls the closure through its [`Caller`](super::caller::Caller).
#[derive(Debug, Clone, Copy)]
pub(crate) struct FunctionArgument;

macro_rules! held {
    ($($variant:ident: $of:ty),* $(,)?) => {
        $(
            impl Argument for $of {
                const TYPE: Type = Type::$variant;

                #[inline]
                fn take(value: &mut Value) -> Option<Self> {
                    // Checked first, so that no code for dropping other variants is needed.
                    if !matches!(value, Value::$variant(_)) {
                        return None;
                    }
                    match std::mem::take(value) {
                        Value::$variant(held) => Some(held),
                        _ => None,
                    }
                }

                #[inline]
                fn cost(value: &Value) -> Option<usize> {
                    // Matching the variant first lets the compiler specialize `cost_if_bounded` for it.
                    if let Value::$variant(_) = value { value.cost_if_bounded() } else { Some(0) }
                }
            }

            impl ChangedInPlace for $of {
                fn place(value: &mut Value) -> Option<&mut Self> {
                    match value {
                        Value::$variant(held) => Some(held),
                        _ => None,
                    }
                }
            }

            impl ResultType for $of {
                const TYPE: Type = Type::$variant;
                const IS_FREE: bool = matches!(Type::$variant, Type::Number);

                #[inline]
                fn into_reply(self) -> Answer<Reply> {
                    Ok(Value::$variant(self).into())
                }
            }
        )*
    };
}

held!(
    Number: i64,
    Text: ArcStr,
    List: List,
    Map: Arc<Map>,
    Options: Arc<OptionSet>,
    Answers: Arc<Vec<(Seat, Value)>>,
);

macro_rules! held_wide {
    ($($variant:ident: $of:ty),* $(,)?) => {
        $(
            impl Argument for $of {
                const TYPE: Type = Type::$variant;

                #[inline]
                fn take(value: &mut Value) -> Option<Self> {
                    match value {
                        Value::$variant(held) => Some(held.get()),
                        _ => None,
                    }
                }

                #[inline]
                fn cost(_: &Value) -> Option<usize> {
                    Some(0)
                }
            }

            impl ResultType for $of {
                const TYPE: Type = Type::$variant;
                const IS_FREE: bool = true;

                #[inline]
                fn into_reply(self) -> Answer<Reply> {
                    Ok(Value::$variant(self.into()).into())
                }
            }
        )*
    };
}

held_wide!(
    Flag: bool,
    Seat: Seat,
    Zone: ZoneId,
    Space: SpaceId,
    Component: ComponentId,
    Piece: PieceId,
    Entries: Entries,
);

/// Id of a game object. Rules can also use collections of such objects.
pub(crate) trait Handle: Copy + Argument + ResultType + Into<Value> {
    /// Type of a collection of these objects.
    const SEVERAL: Type;

    /// Converts a collection to a value.
    fn several(set: HandleList<Self>) -> Value;

    /// Returns a reference to the collection that a value contains; `None` if the value has another type.
    fn among(value: &mut Value) -> Option<&mut HandleList<Self>>;

    /// Moves the collection out of a value, leaving `()`; returns `None` if the value has another type.
    fn take_several(value: &mut Value) -> Option<HandleList<Self>>;

    /// Returns the number of elements if the value is a collection of this type, otherwise 0.
    fn count_in(value: &Value) -> usize;
}

macro_rules! handles {
    ($($variant:ident: $of:ty),* $(,)?) => {
        $(impl Handle for $of {
            const SEVERAL: Type = Type::$variant;

            fn several(set: HandleList<Self>) -> Value {
                Value::$variant(set)
            }

            fn among(value: &mut Value) -> Option<&mut HandleList<Self>> {
                match value {
                    Value::$variant(set) => Some(set),
                    _ => None,
                }
            }

            #[inline]
            fn take_several(value: &mut Value) -> Option<HandleList<Self>> {
                if !matches!(value, Value::$variant(_)) {
                    return None;
                }
                match std::mem::take(value) {
                    Value::$variant(set) => Some(set),
                    _ => None,
                }
            }

            #[inline]
            fn count_in(value: &Value) -> usize {
                if let Value::$variant(set) = value { set.len() } else { 0 }
            }
        })*
    };
}

handles!(Seats: Seat, Zones: ZoneId, Spaces: SpaceId, Components: ComponentId, Pieces: PieceId);

impl<T: Handle> Argument for HandleList<T> {
    const TYPE: Type = T::SEVERAL;

    #[inline]
    fn take(value: &mut Value) -> Option<Self> {
        T::take_several(value)
    }

    #[inline]
    fn cost(value: &Value) -> Option<usize> {
        Some(handle_list_cost(T::count_in(value)))
    }
}

impl<T: Handle> ChangedInPlace for HandleList<T> {
    fn place(value: &mut Value) -> Option<&mut Self> {
        T::among(value)
    }
}

impl<T: Handle> ResultType for HandleList<T> {
    const TYPE: Type = T::SEVERAL;

    #[inline]
    fn cost_of(made: &Value) -> usize {
        handle_list_cost(T::count_in(made))
    }

    #[inline]
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

impl ChangedInPlace for Value {
    fn place(value: &mut Value) -> Option<&mut Self> {
        Some(value)
    }
}

impl Argument for FunctionArgument {
    const TYPE: Type = Type::Function;

    fn take(value: &mut Value) -> Option<Self> {
        matches!(value, Value::Function(_)).then_some(Self)
    }

    #[inline]
    fn cost(_: &Value) -> Option<usize> {
        Some(0)
    }
}

impl ResultType for Value {
    const TYPE: Type = Type::Any;

    fn into_reply(self) -> Answer<Reply> {
        Ok(self.into())
    }
}

impl<T: ResultType> ResultType for AskingReply<T> {
    const TYPE: Type = T::TYPE;

    fn into_reply(self) -> Answer<Reply> {
        Ok(self.0)
    }
}

impl ResultType for () {
    const TYPE: Type = Type::Nothing;
    const IS_FREE: bool = true;

    fn into_reply(self) -> Answer<Reply> {
        Ok(Value::Nothing.into())
    }
}

impl ResultType for Vec<Value> {
    const TYPE: Type = Type::List;

    fn into_reply(self) -> Answer<Reply> {
        Ok(Value::from(self).into())
    }
}

impl ResultType for Map {
    const TYPE: Type = Type::Map;

    fn into_reply(self) -> Answer<Reply> {
        Ok(Value::from(self).into())
    }
}

impl ResultType for OptionSet {
    const TYPE: Type = Type::Options;

    fn into_reply(self) -> Answer<Reply> {
        Ok(Value::from(self).into())
    }
}

/// Converts `None` to `()`.
impl<T: ResultType> ResultType for Option<T> {
    const TYPE: Type = Type::Any;
    const IS_FREE: bool = T::IS_FREE;

    fn into_reply(self) -> Answer<Reply> {
        self.map_or(Ok(Value::Nothing.into()), ResultType::into_reply)
    }
}

impl<T: ResultType> ResultType for Answer<T> {
    const TYPE: Type = T::TYPE;
    const IS_FREE: bool = T::IS_FREE;

    #[inline]
    fn cost_of(made: &Value) -> usize {
        T::cost_of(made)
    }

    #[inline]
    fn into_reply(self) -> Answer<Reply> {
        self?.into_reply()
    }
}

/// Result of a function that asks a seat and finally returns a `T`.
pub(crate) struct AskingReply<T>(Reply, PhantomData<T>);

impl<T> From<Reply> for AskingReply<T> {
    fn from(reply: Reply) -> Self {
        Self(reply, PhantomData)
    }
}
