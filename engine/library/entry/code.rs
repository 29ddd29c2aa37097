//! Which code of the machine a function of the language's own types runs: its entry says so, and the machine has code for each.

use crate::decision::Type;
use crate::library::pattern::Pattern;

/// What lists alone have.
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

/// What is asked of lists by a function `|…|`.
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

/// What maps have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapCode {
    Clear,
    Contains,
    Get,
    Keys,
    Remove,
    Values,
}

/// What texts have.
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

/// What whole numbers have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberCode {
    Abs,
    Max,
    Min,
    Range,
    Sign,
}

/// What ranges have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RangeCode {
    Contains,
}

/// What is asked of one value of the language's own types, and takes nothing more: most of it without brackets too.
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

/// What is asked of lists by a function `|…|` under one name, in all its forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoopForms {
    /// The code.
    pub code: LoopCode,
    /// How many arguments there are at least beside the function, the list among them.
    pub least: usize,
    /// How many there are at most.
    pub most: usize,
    /// How many parameters the function has at most.
    pub params: usize,
    /// Whether it may take a position, behind what it is given in any case.
    pub gives_position: bool,
}

/// A function of the game's own that the machine lays out where it is called, so that a decision in its functions `|…|` waits like
/// anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LaidOut {
    /// Asks several seats as if at once.
    Together,
    /// Lets seats answer an action, and answers.
    Respond,
}

/// The code of one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnCode {
    /// Of a list.
    List(ListCode),
    /// Of a list and a function `|…|`, laid out as a loop where that is written in the call.
    Loop(LoopCode),
    /// Of a map.
    Map(MapCode),
    /// Of a text.
    Text(TextCode),
    /// Of a whole number.
    Number(NumberCode),
    /// Of a range.
    Range(RangeCode),
    /// Of one value alone.
    Property(PropertyCode),
    /// Any value as a text.
    Written,
    /// Of an operator, by its symbol.
    Operator,
}

/// The code of all entries of one name, by what it is called of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OwnCodes {
    /// Of a list.
    pub(crate) list: Option<ListCode>,
    /// Of a list and a function `|…|`.
    pub(crate) looped: Option<LoopForms>,
    /// Of a map.
    pub(crate) map: Option<MapCode>,
    /// Of a text.
    pub(crate) text: Option<TextCode>,
    /// Of a whole number.
    pub(crate) number: Option<NumberCode>,
    /// Of a range.
    pub(crate) range: Option<RangeCode>,
    /// Of one value alone.
    pub(crate) property: Option<PropertyCode>,
    /// Whether it writes any value as a text.
    pub(crate) is_written: bool,
}

impl OwnCode {
    /// Whether it is the code of what is called of such a value.
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

impl OwnCodes {
    /// These and that of one entry more, which takes such arguments.
    pub(super) fn add(&mut self, code: OwnCode, takes: &[Pattern]) {
        match code {
            OwnCode::List(code) => self.list = Some(code),
            OwnCode::Loop(code) => self.looped = Some(LoopForms::new(code, takes).with(self.looped)),
            OwnCode::Map(code) => self.map = Some(code),
            OwnCode::Text(code) => self.text = Some(code),
            OwnCode::Number(code) => self.number = Some(code),
            OwnCode::Range(code) => self.range = Some(code),
            OwnCode::Property(code) => self.property = Some(code),
            OwnCode::Written => self.is_written = true,
            OwnCode::Operator => {}
        }
    }
}

impl LoopForms {
    /// One form: what it takes.
    fn new(code: LoopCode, takes: &[Pattern]) -> Self {
        let with = takes.iter().find_map(Pattern::called_with).unwrap_or_default();
        let others = takes.len() - 1;
        let gives_position = with.last() == Some(&Pattern::Of(Type::Number));
        Self { code, least: others, most: others, params: with.len(), gives_position }
    }

    /// The same with the forms known before.
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

macro_rules! own_code {
    ($($of:ident $code:ident),*) => {
        $(impl From<$code> for OwnCode {
            fn from(code: $code) -> Self {
                Self::$of(code)
            }
        })*
    };
}

own_code!(List ListCode, Loop LoopCode, Map MapCode, Text TextCode, Number NumberCode, Range RangeCode, Property PropertyCode);
