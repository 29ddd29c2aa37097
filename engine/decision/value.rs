//! What rules hold: sixteen bytes, copied by counting.

use super::choice::Choice;
use super::options::{MOST_LISTED, OptionSet};
use super::several::Several;
use super::types::Type;
use super::wide::{Narrow, Wide};
use crate::model::{ComponentId, PieceId, Seat, SpaceId, ValueId, ZoneId};
use crate::table::Member;
use arcstr::ArcStr;
use std::sync::Arc;

/// A value of the language of rules. What is larger than a word lies behind a count and is copied only when one of several
/// holders changes it, so that a list that a function is given is its own.
///
/// What it is, and what it holds, are a word each ([`Wide`]), which a processor keeps in two registers. Smaller ones would be copied
/// through memory, where parts that were written are read as a whole only after a wait.
#[derive(Debug, Default, PartialEq, Eq)]
#[repr(u64)]
pub enum Value {
    /// `()`.
    #[default]
    Nothing,
    /// `true` or `false`.
    Flag(Wide<bool>),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(ArcStr),
    /// A list.
    List(Arc<Vec<Value>>),
    /// Named parts, in the order of their names.
    Map(Arc<Map>),
    /// `a..b`.
    Range(Arc<Range>),
    /// A function `|…|` that uses no variable of another, by its number.
    Function(Wide<u32>),
    /// A seat.
    Seat(Wide<Seat>),
    /// A zone.
    Zone(Wide<ZoneId>),
    /// A space.
    Space(Wide<SpaceId>),
    /// A component.
    Component(Wide<ComponentId>),
    /// A piece.
    Piece(Wide<PieceId>),
    /// Several seats.
    Seats(Several<Seat>),
    /// Several zones.
    Zones(Several<ZoneId>),
    /// Several spaces.
    Spaces(Several<SpaceId>),
    /// Several components.
    Components(Several<ComponentId>),
    /// Several pieces.
    Pieces(Several<PieceId>),
    /// What a seat may choose from.
    Options(Arc<OptionSet>),
    /// What several seats answered.
    Answers(Arc<Vec<(Seat, Value)>>),
    /// The game as a whole, for its values: `game.season`.
    Game,
    /// A table of values, with an entry for each of several seats or components.
    Entries(Wide<Entries>),
}

impl Clone for Value {
    /// Most of what is copied lies inline, and is copied without a look at what it is.
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Nothing => Self::Nothing,
            Self::Flag(held) => Self::Flag(*held),
            Self::Number(held) => Self::Number(*held),
            Self::Function(held) => Self::Function(*held),
            Self::Seat(held) => Self::Seat(*held),
            Self::Zone(held) => Self::Zone(*held),
            Self::Space(held) => Self::Space(*held),
            Self::Component(held) => Self::Component(*held),
            Self::Piece(held) => Self::Piece(*held),
            Self::Game => Self::Game,
            Self::Entries(held) => Self::Entries(*held),
            counted => counted.counted_once_more(),
        }
    }
}

/// The table of values that a seat or component has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entries {
    /// Whose.
    pub of: Member,
    /// Which.
    pub value: ValueId,
}

/// What is counted from here on in a word is a component and no seat.
const COMPONENTS: u64 = 1 << 32;

impl Narrow for Entries {
    fn widened(self) -> u64 {
        let of = match self.of {
            Member::Seat(seat) => seat.widened(),
            Member::Component(component) => COMPONENTS | component.widened(),
        };
        of << 16 | u64::from(self.value.0)
    }

    fn narrowed(word: u64) -> Self {
        let of = word >> 16;
        let of = match of & COMPONENTS {
            0 => Member::Seat(Seat::narrowed(of)),
            _ => Member::Component(ComponentId::narrowed(of)),
        };
        Self { of, value: ValueId(word as u16) }
    }
}

/// Several values, in order.
pub type List = Arc<Vec<Value>>;

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

/// So many parts are looked through one after the other.
const FEW: usize = 8;

impl Map {
    /// Named parts in any order; of those with one name the last counts.
    pub fn new(parts: impl IntoIterator<Item = (ArcStr, Value)>) -> Self {
        let mut parts: Vec<_> = parts.into_iter().collect();
        if !parts.is_sorted_by(|(one, _), (other, _)| one < other) {
            parts.sort_by(|(one, _), (other, _)| one.cmp(other));
            parts.dedup_by(|later, kept| {
                let is_same = later.0 == kept.0;
                if is_same {
                    std::mem::swap(later, kept);
                }
                is_same
            });
        }
        Self(parts)
    }

    /// Where a part stands, or belongs. Most names are words, which are told by where they lie.
    fn find(&self, name: &str) -> Result<usize, usize> {
        if let Some(at) = self.0.iter().take(FEW).position(|(known, _)| std::ptr::eq(known.as_str(), name)) {
            return Ok(at);
        }
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
    /// The same, of which there is one holder more.
    fn counted_once_more(&self) -> Self {
        match self {
            Self::Text(held) => Self::Text(held.clone()),
            Self::List(held) => Self::List(held.clone()),
            Self::Map(held) => Self::Map(held.clone()),
            Self::Range(held) => Self::Range(held.clone()),
            Self::Seats(held) => Self::Seats(held.clone()),
            Self::Zones(held) => Self::Zones(held.clone()),
            Self::Spaces(held) => Self::Spaces(held.clone()),
            Self::Components(held) => Self::Components(held.clone()),
            Self::Pieces(held) => Self::Pieces(held.clone()),
            Self::Options(held) => Self::Options(held.clone()),
            Self::Answers(held) => Self::Answers(held.clone()),
            // Each is named, so that a sort that is added is not forgotten here and in `clone`, which would call each other for ever.
            Self::Nothing
            | Self::Flag(_)
            | Self::Number(_)
            | Self::Function(_)
            | Self::Seat(_)
            | Self::Zone(_)
            | Self::Space(_)
            | Self::Component(_)
            | Self::Piece(_)
            | Self::Game
            | Self::Entries(_) => self.clone(),
        }
    }

    /// A text.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// A list.
    pub fn list(items: Vec<Value>) -> Self {
        Self::List(Arc::new(items))
    }

    /// What designers call its type.
    pub const fn sort(&self) -> Type {
        match self {
            Self::Nothing => Type::Nothing,
            Self::Flag(_) => Type::Flag,
            Self::Number(_) => Type::Number,
            Self::Text(_) => Type::Text,
            Self::List(_) => Type::List,
            Self::Map(_) => Type::Map,
            Self::Range(_) => Type::Range,
            Self::Function(_) => Type::Function,
            Self::Seat(_) => Type::Seat,
            Self::Zone(_) => Type::Zone,
            Self::Space(_) => Type::Space,
            Self::Component(_) => Type::Component,
            Self::Piece(_) => Type::Piece,
            Self::Seats(_) => Type::Seats,
            Self::Zones(_) => Type::Zones,
            Self::Spaces(_) => Type::Spaces,
            Self::Components(_) => Type::Components,
            Self::Pieces(_) => Type::Pieces,
            Self::Options(_) => Type::Options,
            Self::Answers(_) => Type::Answers,
            Self::Game => Type::Game,
            Self::Entries(_) => Type::Entries,
        }
    }

    /// What designers call a value of this type, with its article.
    pub fn kind(&self) -> String {
        self.sort().one()
    }

    /// Whether it can be chosen, kept and compared as a fact: what a function, a range or options lie in cannot.
    pub fn is_plain(&self) -> bool {
        match self {
            Self::List(list) => list.iter().all(Self::is_plain),
            Self::Map(map) => map.iter().all(|(_, part)| part.is_plain()),
            Self::Range(_)
            | Self::Function(_)
            | Self::Options(_)
            | Self::Answers(_)
            | Self::Game
            | Self::Entries(_) => false,
            _ => true,
        }
    }

    /// Whether it is the same fact as another: several things in a list are what they are in a set.
    #[inline]
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Seat(a), Self::Seat(b)) => a == b,
            (Self::Component(a), Self::Component(b)) => a == b,
            (a, b) if a.is_several() && b.is_several() => Choice::from_value(a) == Choice::from_value(b),
            (a, b) => a == b,
        }
    }

    /// Whether something is among the several things that it is.
    pub fn has(&self, item: &Self) -> bool {
        match (self, item) {
            (Self::List(all), item) => all.iter().any(|one| one.is_same(item)),
            (Self::Seats(all), Self::Seat(item)) => all.contains(&item.get()),
            (Self::Zones(all), Self::Zone(item)) => all.contains(&item.get()),
            (Self::Spaces(all), Self::Space(item)) => all.contains(&item.get()),
            (Self::Components(all), Self::Component(item)) => all.contains(&item.get()),
            (Self::Pieces(all), Self::Piece(item)) => all.contains(&item.get()),
            _ => false,
        }
    }

    const fn is_several(&self) -> bool {
        matches!(
            self,
            Self::List(_)
                | Self::Map(_)
                | Self::Seats(_)
                | Self::Zones(_)
                | Self::Spaces(_)
                | Self::Components(_)
                | Self::Pieces(_)
        )
    }

    /// How much of a step's room it takes, itself and all within it, in entries of lists; what is shared counts each time.
    pub fn weight(&self) -> usize {
        let most = usize::MAX;
        let mut room = most;
        self.takes(&mut room);
        most - room
    }

    /// What it takes to go through it or to copy it, in operations.
    #[inline]
    pub fn cost(&self) -> usize {
        self.cost_if_bounded().unwrap_or(MOST_HELD / WEIGHT)
    }

    /// The same, unless it is larger than anything a step may hold: lists that share what is in them can be, at no cost of room, and nothing
    /// may be done with such a value that goes through it.
    #[inline]
    pub fn cost_if_bounded(&self) -> Option<usize> {
        match self {
            Self::Text(text) => Some((1 + text.len() / 16) / WEIGHT),
            one if one.is_small() => Some(0),
            more => more.cost_of_more(),
        }
    }

    fn cost_of_more(&self) -> Option<usize> {
        let several = |count: usize| Some((1 + count / 8) / WEIGHT);
        match self {
            Self::Seats(set) => return several(set.len()),
            Self::Zones(set) => return several(set.len()),
            Self::Spaces(set) => return several(set.len()),
            Self::Components(set) => return several(set.len()),
            Self::Pieces(set) => return several(set.len()),
            _ => {}
        }
        let mut room = MOST_HELD;
        let is_bounded = self.takes(&mut room) || !matches!(self, Self::List(_) | Self::Map(_));
        is_bounded.then(|| (MOST_HELD - room) / WEIGHT)
    }

    /// How many things a set, options or answers hold, which are gone into one by one where two are compared; nothing where answers
    /// are larger than anything a step may hold.
    #[cold]
    pub(crate) fn entries_within(&self) -> Option<usize> {
        match self {
            Self::Options(options) => Some(2 * options.len().min(MOST_LISTED)),
            Self::Seats(set) => Some(set.len() / 4),
            Self::Zones(set) => Some(set.len() / 4),
            Self::Spaces(set) => Some(set.len() / 4),
            Self::Components(set) => Some(set.len() / 4),
            Self::Pieces(set) => Some(set.len() / 4),
            Self::Answers(_) => {
                let mut room = MOST_HELD;
                self.takes(&mut room).then(|| MOST_HELD - room)
            }
            _ => Some(0),
        }
    }

    /// Takes the room it needs, in entries of lists; says no as soon as there is none left, or where lists lie too deep within
    /// each other.
    pub fn takes(&self, room: &mut usize) -> bool {
        let mut left = MOST_NESTED;
        self.takes_levels(room, &mut left)
    }

    /// The same, and of how many levels no value has needed more than are `left` of [`MOST_NESTED`] now.
    pub(crate) fn takes_levels(&self, room: &mut usize, left: &mut usize) -> bool {
        self.takes_within(room, MOST_NESTED, left)
    }

    /// Whether it may hold things that hold others: what lies in it lies a level deeper than where it lies itself.
    #[inline]
    pub(crate) const fn is_nest(&self) -> bool {
        matches!(self, Self::List(_) | Self::Map(_) | Self::Answers(_))
    }

    /// Whether it takes no room beyond itself that counts.
    #[inline]
    const fn is_small(&self) -> bool {
        self.is_inline() || matches!(self, Self::Range(_))
    }

    /// Whether all of it lies inline: there is nothing to let go of.
    #[inline]
    pub(crate) const fn is_inline(&self) -> bool {
        matches!(
            self,
            Self::Nothing
                | Self::Flag(_)
                | Self::Number(_)
                | Self::Function(_)
                | Self::Seat(_)
                | Self::Zone(_)
                | Self::Space(_)
                | Self::Component(_)
                | Self::Piece(_)
                | Self::Game
                | Self::Entries(_)
        )
    }

    fn takes_within(&self, room: &mut usize, levels: usize, left: &mut usize) -> bool {
        let Some(levels) = levels.checked_sub(1) else { return false };
        *left = levels.min(*left);
        let held = match self {
            Self::List(items) => {
                // Most lists hold what takes one entry: these are counted, not gone into.
                let small = items.iter().filter(|entry| entry.is_small()).count();
                let mut rest = items.iter().filter(|entry| !entry.is_small());
                return take(1 + small, room)
                    && (small == items.len() || rest.all(|entry| entry.takes_within(room, levels, left)));
            }
            Self::Map(parts) => {
                let small = parts.iter().filter(|(_, part)| part.is_small()).count();
                let mut rest = parts.iter().filter(|(_, part)| !part.is_small());
                return take(1 + 3 * parts.len() + small, room)
                    && (small == parts.len() || rest.all(|(_, part)| part.takes_within(room, levels, left)));
            }
            Self::Answers(answers) => {
                return take(1, room) && answers.iter().all(|(_, answer)| answer.takes_within(room, levels, left));
            }
            Self::Text(text) => text.len() / 16,
            Self::Seats(set) => set.len() / 8,
            Self::Zones(set) => set.len() / 8,
            Self::Spaces(set) => set.len() / 8,
            Self::Components(set) => set.len() / 8,
            Self::Pieces(set) => set.len() / 8,
            Self::Options(options) => options.weight() / 8,
            _ => 0,
        };
        take(1 + held, room)
    }
}

/// Lists and maps lie within each other at most so deep.
pub(crate) const MOST_NESTED: usize = 256;

/// A value of so much weight is iterated in the time of one operation.
const WEIGHT: usize = 4;

/// The most that a step holds, in entries of lists: about a megabyte.
pub(crate) const MOST_HELD: usize = 1 << 16;

/// What is said of a value that is larger: the message, the note at its place, and the help.
pub(crate) const TOO_HEAVY: [&str; 3] = [
    "a list or map holds more than 65,536 entries with all that is within it, or lists more than 256 levels deep",
    "too large here",
    "keep state on the table, not in lists",
];

fn take(needed: usize, room: &mut usize) -> bool {
    match room.checked_sub(needed) {
        Some(left) => {
            *room = left;
            true
        }
        None => false,
    }
}

impl Choice {
    /// What rules get.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Nothing => Value::Nothing,
            Self::Flag(flag) => Value::from(*flag),
            Self::Number(number) => Value::Number(*number),
            Self::Word(word) => Value::Text(word.clone()),
            Self::Seat(seat) => Value::from(*seat),
            Self::Zone(zone) => Value::from(*zone),
            Self::Space(space) => Value::from(*space),
            Self::Component(component) => Value::from(*component),
            Self::Piece(piece) => Value::from(*piece),
            Self::Parts(parts) => {
                let parts = parts.iter().map(|(name, part)| (name.clone(), part.to_value()));
                Value::Map(Arc::new(Map::new(parts)))
            }
            Self::Many(all) => Value::list(all.iter().map(Self::to_value).collect()),
        }
    }

    /// What rules gave; nothing if it is of a type that cannot be chosen, kept or compared.
    pub fn from_value(value: &Value) -> Option<Self> {
        value.cost_if_bounded()?;
        Self::from_bounded(value)
    }

    fn from_bounded(value: &Value) -> Option<Self> {
        fn many<T: Copy>(set: &Several<T>, wrap: fn(T) -> Choice) -> Choice {
            Choice::Many(set.iter().copied().map(wrap).collect())
        }
        Some(match value {
            Value::Nothing => Self::Nothing,
            Value::Flag(flag) => Self::Flag(flag.get()),
            Value::Number(number) => Self::Number(*number),
            Value::Text(text) => Self::Word(text.clone()),
            Value::Seat(seat) => Self::Seat(seat.get()),
            Value::Zone(zone) => Self::Zone(zone.get()),
            Value::Space(space) => Self::Space(space.get()),
            Value::Component(component) => Self::Component(component.get()),
            Value::Piece(piece) => Self::Piece(piece.get()),
            Value::Seats(set) => many(set, Self::Seat),
            Value::Zones(set) => many(set, Self::Zone),
            Value::Spaces(set) => many(set, Self::Space),
            Value::Components(set) => many(set, Self::Component),
            Value::Pieces(set) => many(set, Self::Piece),
            Value::Map(map) => {
                let parts: Option<Vec<_>> =
                    map.iter().map(|(name, part)| Some((name.clone(), Self::from_bounded(part)?))).collect();
                Self::Parts(parts?.into())
            }
            Value::List(list) => Self::Many(list.iter().map(Self::from_bounded).collect::<Option<_>>()?),
            Value::Range(_)
            | Value::Function(_)
            | Value::Options(_)
            | Value::Answers(_)
            | Value::Game
            | Value::Entries(_) => {
                return None;
            }
        })
    }
}

/// Values that one variant holds: what makes a value of them, and what takes them out of one.
macro_rules! held {
    ($($variant:ident($of:ty)),* $(,)?) => {
        $(impl From<$of> for Value {
            #[inline]
            fn from(held: $of) -> Self {
                Self::$variant(held.into())
            }
        })*
    };
}

held!(
    Flag(bool),
    Text(ArcStr),
    List(List),
    Seat(Seat),
    Zone(ZoneId),
    Space(SpaceId),
    Component(ComponentId),
    Piece(PieceId),
    Seats(Several<Seat>),
    Zones(Several<ZoneId>),
    Spaces(Several<SpaceId>),
    Components(Several<ComponentId>),
    Pieces(Several<PieceId>),
    Entries(Entries),
);

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Self {
        Self::list(items)
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Self::Map(Arc::new(map))
    }
}

impl From<OptionSet> for Value {
    fn from(options: OptionSet) -> Self {
        Self::Options(Arc::new(options))
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(held: Option<T>) -> Self {
        held.map_or(Self::Nothing, Into::into)
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
        assert_eq!(size_of::<Option<Value>>(), 16);
        assert_eq!(size_of::<Result<Value, Box<String>>>(), 16);
    }

    #[test]
    fn what_fills_a_word_comes_out_of_it_as_it_was() {
        let members = [Member::Seat(Seat(0)), Member::Seat(Seat(u8::MAX)), Member::Component(ComponentId(u16::MAX))];
        for of in members {
            for value in [ValueId(0), ValueId(u16::MAX)] {
                let entries = Entries { of, value };
                assert_eq!(Wide::from(entries).get(), entries);
            }
        }
        assert_eq!(Value::from(PieceId(u16::MAX)), Value::Piece(PieceId(u16::MAX).into()));
        assert_eq!(Value::from(true), Value::Flag(true.into()));
    }

    #[test]
    fn parts_are_kept_in_the_order_of_their_names() {
        let map = Map::new([("b".into(), 1.into()), ("a".into(), 2.into()), ("b".into(), 3.into())]);
        let parts: Vec<(&str, &Value)> = map.iter().map(|(name, value)| (name.as_str(), value)).collect();
        assert_eq!(parts, [("a", &Value::Number(2)), ("b", &Value::Number(3))]);
    }
}
