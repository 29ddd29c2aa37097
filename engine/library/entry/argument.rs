//! The types of Rust that functions of the library are given and result in, with the types of the language that they stand for.

use super::reply::Reply;
use crate::decision::{Entries, List, Map, OptionSet, Several, Type, Value};
use crate::library::context::fault::Answer;
use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
use arcstr::ArcStr;
use std::marker::PhantomData;
use std::sync::Arc;

/// A type of Rust that a function can be given.
pub(crate) trait Argument: Sized {
    /// What designers call it.
    const TYPE: Type;

    /// Takes it out of a value, if it is one; of what lies elsewhere `()` is left.
    fn take(value: &mut Value) -> Option<Self>;
}

/// A type of Rust that a function can change in place.
pub(crate) trait ChangedInPlace: Argument {
    /// It within a value, if that is one.
    fn place(value: &mut Value) -> Option<&mut Self>;
}

/// What a function results in.
pub(crate) trait ResultType {
    /// What designers call it.
    const TYPE: Type;

    /// The value, or the question before it.
    fn into_reply(self) -> Answer<Reply>;
}

/// A function `|…|` among the arguments of another; the caller calls it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FunctionArgument;

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
            }

            impl ResultType for $of {
                const TYPE: Type = Type::$variant;

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

/// A thing of the game that rules hold one by one and several at once.
pub(crate) trait Handle: Copy + Argument + ResultType + Into<Value> {
    /// What designers call several.
    const SEVERAL: Type;

    /// Several as a value.
    fn several(set: Several<Self>) -> Value;

    /// Several within a value, if it is that.
    fn among(value: &mut Value) -> Option<&mut Several<Self>>;

    /// Several out of a value, if it is that.
    fn taken(value: Value) -> Option<Several<Self>>;
}

macro_rules! handles {
    ($($variant:ident: $of:ty),* $(,)?) => {
        $(impl Handle for $of {
            const SEVERAL: Type = Type::$variant;

            fn several(set: Several<Self>) -> Value {
                Value::$variant(set)
            }

            fn among(value: &mut Value) -> Option<&mut Several<Self>> {
                match value {
                    Value::$variant(set) => Some(set),
                    _ => None,
                }
            }

            fn taken(value: Value) -> Option<Several<Self>> {
                match value {
                    Value::$variant(set) => Some(set),
                    _ => None,
                }
            }
        })*
    };
}

handles!(Seats: Seat, Zones: ZoneId, Spaces: SpaceId, Components: ComponentId, Pieces: PieceId);

impl<T: Handle> Argument for Several<T> {
    const TYPE: Type = T::SEVERAL;

    fn take(value: &mut Value) -> Option<Self> {
        T::taken(std::mem::take(value))
    }
}

impl<T: Handle> ChangedInPlace for Several<T> {
    fn place(value: &mut Value) -> Option<&mut Self> {
        T::among(value)
    }
}

impl<T: Handle> ResultType for Several<T> {
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
}

impl ResultType for Value {
    const TYPE: Type = Type::Any;

    fn into_reply(self) -> Answer<Reply> {
        Ok(self.into())
    }
}

impl<T: ResultType> ResultType for Asks<T> {
    const TYPE: Type = T::TYPE;

    fn into_reply(self) -> Answer<Reply> {
        Ok(self.0)
    }
}

impl ResultType for () {
    const TYPE: Type = Type::Nothing;

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

/// Something, or `()`.
impl<T: ResultType> ResultType for Option<T> {
    const TYPE: Type = Type::Any;

    fn into_reply(self) -> Answer<Reply> {
        self.map_or(Ok(Value::Nothing.into()), ResultType::into_reply)
    }
}

impl<T: ResultType> ResultType for Answer<T> {
    const TYPE: Type = T::TYPE;

    fn into_reply(self) -> Answer<Reply> {
        self?.into_reply()
    }
}

/// What a function returns that asks a seat, and results in a `T` in the end.
pub(crate) struct Asks<T>(Reply, PhantomData<T>);

impl<T> From<Reply> for Asks<T> {
    fn from(reply: Reply) -> Self {
        Self(reply, PhantomData)
    }
}
