//! What a register holds: sixteen bytes, copied by counting.

use arcstr::ArcStr;
use std::sync::Arc;

/// A value of the language of rules. What is larger than a word lies behind a count and is copied only when one of several
/// holders changes it, so that a list given to somebody is theirs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Value {
    /// `()`.
    #[default]
    Nothing,
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A single character.
    Char(char),
    /// A text.
    Text(ArcStr),
    /// A list.
    List(Arc<Vec<Value>>),
    /// Named parts, in the order of their names.
    Map(Arc<Map>),
    /// `a..b`.
    Range(Arc<Range>),
    /// A function `|…|` that uses no variable of another, by its number.
    Function(u32),
}

/// Named parts, in the order of their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Map(Vec<(ArcStr, Value)>);

/// The numbers from one up to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The first.
    pub start: i64,
    /// The last, or the first behind it.
    pub end: i64,
    /// Whether `end` is one of them.
    pub is_inclusive: bool,
}

impl Range {
    /// The first number behind the range; nothing where there is none.
    pub fn behind(&self) -> Option<i64> {
        if self.is_inclusive { self.end.checked_add(1) } else { Some(self.end) }
    }

    /// Whether a number is one of them.
    pub fn contains(&self, number: i64) -> bool {
        number >= self.start && (number < self.end || self.is_inclusive && number == self.end)
    }
}

impl Map {
    /// Named parts in any order; of those with one name the last counts.
    pub fn new(parts: impl IntoIterator<Item = (ArcStr, Value)>) -> Self {
        let mut map = Self::default();
        for (name, value) in parts {
            map.set(name, value);
        }
        map
    }

    fn find(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(name))
    }

    /// The part with a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.find(name).ok().map(|at| &self.0[at].1)
    }

    /// The part with a name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.find(name).ok().map(|at| &mut self.0[at].1)
    }

    /// Gives a part a value, and adds it if there is none of that name.
    pub fn set(&mut self, name: ArcStr, value: Value) {
        match self.find(&name) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (name, value)),
        }
    }

    /// Takes a part out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        self.find(name).ok().map(|at| self.0.remove(at).1)
    }

    /// The parts, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&ArcStr, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes every part out.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Value {
    /// A text.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// A list.
    pub fn list(items: Vec<Value>) -> Self {
        Self::List(Arc::new(items))
    }

    /// What designers call a value of this type, with its article.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Nothing => "`()`",
            Self::Flag(_) => "a flag",
            Self::Number(_) => "a number",
            Self::Char(_) | Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
            Self::Range(_) => "a range",
            Self::Function(_) => "a function",
        }
    }

    /// How much of a step's room it takes, itself and all within it; what is shared counts each time.
    pub fn weight(&self) -> usize {
        match self {
            Self::List(items) => 1 + items.iter().map(Self::weight).sum::<usize>(),
            Self::Map(parts) => 1 + parts.iter().map(|(_, part)| 1 + part.weight()).sum::<usize>(),
            Self::Text(text) => 1 + text.len() / 16,
            _ => 1,
        }
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_sixteen_bytes() {
        assert_eq!(size_of::<Value>(), 16);
    }

    #[test]
    fn parts_are_kept_in_the_order_of_their_names() {
        let map = Map::new([("b".into(), 1.into()), ("a".into(), 2.into()), ("b".into(), 3.into())]);
        let parts: Vec<(&str, &Value)> = map.iter().map(|(name, value)| (name.as_str(), value)).collect();
        assert_eq!(parts, [("a", &Value::Number(2)), ("b", &Value::Number(3))]);
    }
}
