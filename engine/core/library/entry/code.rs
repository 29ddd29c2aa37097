//! Codes of built-in functions. An entry names its code, and the machine implements each code.

use crate::decision::Type;
use crate::library::pattern::Pattern;

/// Functions of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListCode {
    Append,
    Chop,
    Clear,
    Contains,
    Dedup,
    Extract,
    Get,
    IndexOf,
    Insert,
    Pop,
    Push,
    Remove,
    Reverse,
    Shift,
    Sort,
    Splice,
    Truncate,
}

/// Functions of lists that take a closure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoopCode {
    All,
    Drain,
    Filter,
    Find,
    FindMap,
    IndexOf,
    Map,
    Reduce,
    Retain,
    Some,
    Zip,
}

/// Functions of maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapCode {
    Clear,
    Contains,
    Get,
    Keys,
    Remove,
    Values,
}

/// Functions of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextCode {
    Contains,
    EndsWith,
    Get,
    IndexOf,
    Split,
    StartsWith,
    SubString,
    ToLower,
    ToUpper,
    Trim,
}

/// Functions of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberCode {
    Abs,
    Max,
    Min,
    Range,
    Sign,
}

/// Functions of ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RangeCode {
    Contains,
}

/// Properties of built-in types. Most can also be called like functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PropertyCode {
    End,
    IsEmpty,
    IsEven,
    IsOdd,
    IsZero,
    Len,
    Start,
}

/// Combined signature of all overloads of a list function that takes a closure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoopForms {
    /// Code of the function.
    pub code: LoopCode,
    /// Minimum number of arguments besides the closure, including the list.
    pub least: usize,
    /// Maximum number of arguments besides the closure, including the list.
    pub most: usize,
    /// Maximum number of parameters of the closure.
    pub params: usize,
    /// Whether the closure's last parameter may be the position of the element.
    pub gives_position: bool,
}

/// A game function whose closures the compiler inlines, so that a run can pause at decisions inside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InlinedCall {
    /// Simultaneous decision.
    Together,
    /// Response window.
    Respond,
}

/// Code of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuiltinCode {
    /// Function of a list.
    List(ListCode),
    /// Function of a list that takes a closure. If the closure is written in the call, the compiler turns the call into
    /// a loop.
    Loop(LoopCode),
    /// Function of a map.
    Map(MapCode),
    /// Function of a text.
    Text(TextCode),
    /// Function of an integer.
    Number(NumberCode),
    /// Function of a range.
    Range(RangeCode),
    /// Property of a built-in type.
    Property(PropertyCode),
    /// Conversion of any value to text.
    Written,
    /// Operator, identified by its symbol.
    Operator,
}

/// Codes of all entries with the same name, by type of the receiver.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BuiltinCodes {
    /// Code for lists.
    pub(crate) list: Option<ListCode>,
    /// Overloads of the list function that takes a closure.
    pub(crate) looped: Option<LoopForms>,
    /// Code for maps.
    pub(crate) map: Option<MapCode>,
    /// Code for texts.
    pub(crate) text: Option<TextCode>,
    /// Code for integers.
    pub(crate) number: Option<NumberCode>,
    /// Code for ranges.
    pub(crate) range: Option<RangeCode>,
    /// Code of the property.
    pub(crate) property: Option<PropertyCode>,
    /// Whether the function converts any value to text.
    pub(crate) is_written: bool,
}

impl BuiltinCode {
    /// Returns whether the code accepts a receiver of type `first`.
    pub(super) fn is_of(self, first: Type) -> bool {
        match self {
            Self::List(_) | Self::Loop(_) => first == Type::List,
            Self::Map(_) => first == Type::Map,
            Self::Text(_) => first == Type::Text,
            Self::Number(_) => first == Type::Number,
            Self::Range(_) => first == Type::Range,
            Self::Property(_) => [Type::List, Type::Map, Type::Text, Type::Number, Type::Range].contains(&first),
            Self::Written => first == Type::Any,
            Self::Operator => true,
        }
    }
}

impl BuiltinCodes {
    /// Adds the code of another entry. `takes` has the type patterns of its parameters.
    pub(super) fn add(&mut self, code: BuiltinCode, takes: &[Pattern]) {
        match code {
            BuiltinCode::List(code) => self.list = Some(code),
            BuiltinCode::Loop(code) => self.looped = Some(LoopForms::new(code, takes).with(self.looped)),
            BuiltinCode::Map(code) => self.map = Some(code),
            BuiltinCode::Text(code) => self.text = Some(code),
            BuiltinCode::Number(code) => self.number = Some(code),
            BuiltinCode::Range(code) => self.range = Some(code),
            BuiltinCode::Property(code) => self.property = Some(code),
            BuiltinCode::Written => self.is_written = true,
            BuiltinCode::Operator => {}
        }
    }
}

impl LoopForms {
    /// Creates the signature of a single overload.
    fn new(code: LoopCode, takes: &[Pattern]) -> Self {
        let with = takes.iter().find_map(Pattern::function_params).unwrap_or_default();
        let others = takes.len() - 1;
        let gives_position = with.last() == Some(&Pattern::Of(Type::Number));
        Self { code, least: others, most: others, params: with.len(), gives_position }
    }

    /// Merges this signature with the combined signature of earlier overloads.
    fn with(self, known: Option<Self>) -> Self {
        let known = known.unwrap_or(self);
        Self {
            code: self.code,
            least: self.least.min(known.least),
            most: self.most.max(known.most),
            params: self.params.max(known.params),
            gives_position: self.gives_position || known.gives_position,
        }
    }
}

macro_rules! builtin_code {
    ($($of:ident $code:ident),*) => {
        $(impl From<$code> for BuiltinCode {
            fn from(code: $code) -> Self {
                Self::$of(code)
            }
        })*
    };
}

builtin_code!(List ListCode, Loop LoopCode, Map MapCode, Text TextCode, Number NumberCode, Range RangeCode, Property PropertyCode);
