//! Values of the script language. A value takes 16 bytes; larger data is shared.

use super::choice::Choice;
use super::handle_list::HandleList;
use super::options::{MAX_LISTED, OptionSet};
use super::packed::{Pack, Packed};
use super::types::Type;
use crate::model::{ComponentId, PieceId, Seat, SpaceId, ValueId, ZoneId};
use crate::table::Member;
use arcstr::ArcStr;
use std::sync::Arc;

/// A value of the script language. Larger data is reference-counted and copied on write, so values behave as if they were passed by copy.
///
/// The tag and the payload are one machine word each ([`Packed`]), which the processor keeps in two registers. Smaller payloads would be
/// copied through memory. Reading a word that was written in several pieces stalls, because store forwarding fails.
///
/// The order of the variants makes the common checks one comparison of the tag each: variants that are stored inline come first, and game
/// objects and their collections lie between the two groups of plain values.
#[derive(Debug, Default)]
#[repr(u64)]
pub enum Value {
    /// `()`.
    #[default]
    Nothing,
    /// `true` or `false`.
    Flag(Packed<bool>),
    /// An integer.
    Number(i64),
    /// Index of a function `|…|` that captures no variables.
    Function(Packed<u32>),
    /// A seat.
    Seat(Packed<Seat>),
    /// A zone.
    Zone(Packed<ZoneId>),
    /// A space.
    Space(Packed<SpaceId>),
    /// A component.
    Component(Packed<ComponentId>),
    /// A piece.
    Piece(Packed<PieceId>),
    /// A table of values with an entry for each seat or component.
    Entries(Packed<Entries>),
    /// The `game` object, which gives access to the game's values, such as `game.season`.
    Game,
    /// A list of seats.
    Seats(HandleList<Seat>),
    /// A list of zones.
    Zones(HandleList<ZoneId>),
    /// A list of spaces.
    Spaces(HandleList<SpaceId>),
    /// A list of components.
    Components(HandleList<ComponentId>),
    /// A list of pieces.
    Pieces(HandleList<PieceId>),
    /// A set of options.
    Options(Arc<OptionSet>),
    /// Simultaneous answers of several seats.
    Answers(Arc<Vec<(Seat, Value)>>),
    /// A list.
    List(Arc<Vec<Value>>),
    /// A map: named parts, sorted by name.
    Map(Arc<Map>),
    /// A range `a..b`.
    Range(Arc<Range>),
    /// A text.
    Text(ArcStr),
}

impl Clone for Value {
    /// Copies the tag and the payload of an inline variant as two words, without a branch for each variant.
    #[inline]
    fn clone(&self) -> Self {
        if let Some(word) = self.payload() {
            return Self::from_words(self.tag(), word);
        }
        match self {
            Self::Nothing => Self::Nothing,
            Self::Text(held) => Self::Text(held.clone()),
            other => other.clone_shared(),
        }
    }
}

impl PartialEq for Value {
    /// Compares inline variants as two words.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        if self.is_inline() || other.is_inline() {
            return self.tag() == other.tag() && self.payload() == other.payload();
        }
        self.is_equal_shared(other)
    }
}

impl Eq for Value {}

/// Handle of the value table of a seat or component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entries {
    /// The seat or component to which the table belongs.
    pub of: Member,
    /// The value.
    pub value: ValueId,
}

/// Bit that distinguishes components from seats in a packed [`Entries`].
const COMPONENT_BIT: u64 = 1 << 32;

impl Pack for Entries {
    fn pack(self) -> u64 {
        let owner = match self.of {
            Member::Seat(seat) => seat.pack(),
            Member::Component(component) => COMPONENT_BIT | component.pack(),
        };
        owner << 16 | u64::from(self.value.0)
    }

    fn unpack(word: u64) -> Self {
        let owner = word >> 16;
        let of = match owner & COMPONENT_BIT {
            0 => Member::Seat(Seat::unpack(owner)),
            _ => Member::Component(ComponentId::unpack(owner)),
        };
        Self { of, value: ValueId(word as u16) }
    }
}

/// A list of values.
pub type List = Arc<Vec<Value>>;

/// A map: named parts, sorted by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Map(Vec<(ArcStr, Value)>);

/// A range of integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// First number.
    pub start: i64,
    /// End of the range; see `is_inclusive`.
    pub end: i64,
    /// Whether `end` is part of the range.
    pub is_inclusive: bool,
}

impl Range {
    /// Returns the first number after the range, or `None` on overflow.
    pub fn exclusive_end(&self) -> Option<i64> {
        if self.is_inclusive { self.end.checked_add(1) } else { Some(self.end) }
    }

    /// Returns whether a number is in the range.
    pub fn contains(&self, number: i64) -> bool {
        number >= self.start && (number < self.end || self.is_inclusive && number == self.end)
    }
}

/// Number of names in a map that are compared by address before the binary search.
const LINEAR_SEARCH: usize = 8;

impl Map {
    /// Creates a map from parts in any order. If a name occurs several times, the last part wins.
    pub fn new(parts: impl IntoIterator<Item = (ArcStr, Value)>) -> Self {
        // Most maps are literals, whose iterator knows only an upper bound of its length.
        let given = parts.into_iter();
        let mut parts = Vec::with_capacity(given.size_hint().1.unwrap_or(0).min(LINEAR_SEARCH));
        parts.extend(given);
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

    /// Finds the index of a part by binary search. If the part is missing, returns `Err` with the index at which to insert the part. First
    /// compares the addresses of the first few names, because most names are interned.
    fn find(&self, name: &str) -> Result<usize, usize> {
        if let Some(at) = self.0.iter().take(LINEAR_SEARCH).position(|(known, _)| std::ptr::eq(known.as_str(), name)) {
            return Ok(at);
        }
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(name))
    }

    /// Returns the part called `name`. Returns `None` if there is none.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.find(name).ok().map(|at| &self.0[at].1)
    }

    /// Returns a mutable reference to the part called `name`. Returns `None` if there is none.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.find(name).ok().map(|at| &mut self.0[at].1)
    }

    /// Sets the part called `name`. Adds the part if it is missing.
    pub fn set(&mut self, name: ArcStr, value: Value) {
        match self.find(&name) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (name, value)),
        }
    }

    /// Removes and returns the part called `name`. Returns `None` if there is none.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        self.find(name).ok().map(|at| self.0.remove(at).1)
    }

    /// Iterates over the parts in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&ArcStr, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// Returns the number of parts.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no parts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all parts.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Value {
    /// Returns the index of the variant.
    #[inline]
    const fn tag(&self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Flag(_) => 1,
            Self::Number(_) => 2,
            Self::Function(_) => 3,
            Self::Seat(_) => 4,
            Self::Zone(_) => 5,
            Self::Space(_) => 6,
            Self::Component(_) => 7,
            Self::Piece(_) => 8,
            Self::Entries(_) => 9,
            Self::Game => 10,
            Self::Seats(_) => 11,
            Self::Zones(_) => 12,
            Self::Spaces(_) => 13,
            Self::Components(_) => 14,
            Self::Pieces(_) => 15,
            Self::Options(_) => 16,
            Self::Answers(_) => 17,
            Self::List(_) => 18,
            Self::Map(_) => 19,
            Self::Range(_) => 20,
            Self::Text(_) => 21,
        }
    }

    /// Returns the payload of an inline variant. Returns `None` for `()`, `game` and shared variants.
    #[inline]
    fn payload(&self) -> Option<u64> {
        Some(match self {
            Self::Flag(held) => held.word(),
            Self::Number(held) => *held as u64,
            Self::Function(held) => held.word(),
            Self::Seat(held) => held.word(),
            Self::Zone(held) => held.word(),
            Self::Space(held) => held.word(),
            Self::Component(held) => held.word(),
            Self::Piece(held) => held.word(),
            Self::Entries(held) => held.word(),
            _ => return None,
        })
    }

    /// Creates an inline variant from its tag and its payload.
    // The tags are consecutive, so this compiles to no code at all.
    #[inline]
    fn from_words(tag: u64, word: u64) -> Self {
        match tag {
            0 => Self::Nothing,
            1 => Self::Flag(Packed::from_word(word)),
            2 => Self::Number(word as i64),
            3 => Self::Function(Packed::from_word(word)),
            4 => Self::Seat(Packed::from_word(word)),
            5 => Self::Zone(Packed::from_word(word)),
            6 => Self::Space(Packed::from_word(word)),
            7 => Self::Component(Packed::from_word(word)),
            8 => Self::Piece(Packed::from_word(word)),
            9 => Self::Entries(Packed::from_word(word)),
            _ => Self::Game,
        }
    }

    /// Clones a reference-counted variant, or `game`.
    fn clone_shared(&self) -> Self {
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
            // No wildcard: a new variant forgotten both here and in `clone` would make the two functions call each other forever.
            Self::Nothing
            | Self::Flag(_)
            | Self::Number(_)
            | Self::Function(_)
            | Self::Seat(_)
            | Self::Zone(_)
            | Self::Space(_)
            | Self::Component(_)
            | Self::Piece(_)
            | Self::Entries(_) => self.clone(),
            Self::Game => Self::Game,
        }
    }

    /// Returns whether two reference-counted variants are equal.
    fn is_equal_shared(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Map(a), Self::Map(b)) => a == b,
            (Self::Range(a), Self::Range(b)) => a == b,
            (Self::Seats(a), Self::Seats(b)) => a == b,
            (Self::Zones(a), Self::Zones(b)) => a == b,
            (Self::Spaces(a), Self::Spaces(b)) => a == b,
            (Self::Components(a), Self::Components(b)) => a == b,
            (Self::Pieces(a), Self::Pieces(b)) => a == b,
            (Self::Options(a), Self::Options(b)) => a == b,
            (Self::Answers(a), Self::Answers(b)) => a == b,
            _ => false,
        }
    }

    /// Creates a string value.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// Creates a list value.
    pub fn list(items: Vec<Value>) -> Self {
        Self::List(Arc::new(items))
    }

    /// Returns the type of the value.
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

    /// Returns the name of the type with an article, for messages.
    pub fn kind(&self) -> String {
        self.sort().one()
    }

    /// Returns whether the types of the value and of all nested values can be converted to a [`Choice`]. Returns false for functions,
    /// ranges, sets of options and similar values, and for lists and maps that contain one of these. Does not check the memory limit.
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

    /// Returns whether two values are equal in the script language. A list equals a handle list with the same elements.
    #[inline]
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => a == b,
            (a, b) if a.is_inline() || b.is_inline() => a == b,
            (a, b) => a.is_same_shared(b),
        }
    }

    /// Like [`is_same`](Self::is_same), for reference-counted variants.
    fn is_same_shared(&self, other: &Self) -> bool {
        if !self.is_several() || !other.is_several() {
            return self == other;
        }
        match (Choice::from_value(self), Choice::from_value(other)) {
            // Neither can be stored, because it contains a function, for example.
            (None, None) => self == other,
            (a, b) => a == b,
        }
    }

    /// Returns whether `item` is an element of this list or handle list. Returns false for other values.
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

    /// Returns whether this is a list, a handle list or a map.
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

    /// Returns the memory use of the value and all nested values, in list entries. Shared data is counted each time it occurs.
    pub fn weight(&self) -> usize {
        let most = usize::MAX;
        let mut room = most;
        self.charge_memory(&mut room);
        most - room
    }

    /// Returns the cost of traversing or copying the value, in operations.
    #[inline]
    pub fn cost(&self) -> usize {
        self.cost_if_bounded().unwrap_or(MAX_HELD / WEIGHT)
    }

    /// Like [`cost`](Self::cost), but returns `None` if the value exceeds the memory limit of a step.
    ///
    /// Lists that share elements can exceed the limit while using little memory. Do not traverse a value if this returns `None`.
    #[inline]
    pub fn cost_if_bounded(&self) -> Option<usize> {
        match self {
            Self::Text(text) => Some((1 + text.len() / 16) / WEIGHT),
            one if one.is_small() => Some(0),
            more => more.cost_of_large(),
        }
    }

    fn cost_of_large(&self) -> Option<usize> {
        let handle_list = |count: usize| Some(handle_list_cost(count));
        match self {
            Self::Seats(set) => return handle_list(set.len()),
            Self::Zones(set) => return handle_list(set.len()),
            Self::Spaces(set) => return handle_list(set.len()),
            Self::Components(set) => return handle_list(set.len()),
            Self::Pieces(set) => return handle_list(set.len()),
            _ => {}
        }
        let mut room = MAX_HELD;
        let is_bounded = self.charge_memory(&mut room) || !matches!(self, Self::List(_) | Self::Map(_));
        is_bounded.then(|| (MAX_HELD - room) / WEIGHT)
    }

    /// Returns the cost of comparing a handle list, options or answers, which depends on their number of elements. Returns 0 for other
    /// values, and `None` if answers exceed the memory limit of a step.
    #[cold]
    pub(crate) fn entries_within(&self) -> Option<usize> {
        match self {
            Self::Options(options) => Some(2 * options.len().min(MAX_LISTED)),
            Self::Seats(set) => Some(set.len() / 4),
            Self::Zones(set) => Some(set.len() / 4),
            Self::Spaces(set) => Some(set.len() / 4),
            Self::Components(set) => Some(set.len() / 4),
            Self::Pieces(set) => Some(set.len() / 4),
            Self::Answers(_) => {
                let mut room = MAX_HELD;
                self.charge_memory(&mut room).then(|| MAX_HELD - room)
            }
            _ => Some(0),
        }
    }

    /// Subtracts the memory use of the value, in list entries, from `room`. Returns false if there is not enough room, or if the value is
    /// nested too deeply.
    pub fn charge_memory(&self, room: &mut usize) -> bool {
        let mut left = MAX_NESTED;
        self.charge_memory_and_levels(room, &mut left)
    }

    /// Like [`charge_memory`](Self::charge_memory), but also reports the nesting depth: lowers `left` to the number of the [`MAX_NESTED`]
    /// levels that this value leaves unused.
    pub(crate) fn charge_memory_and_levels(&self, room: &mut usize, left: &mut usize) -> bool {
        self.charge_nested(room, MAX_NESTED, left)
    }

    /// Returns whether this variant can contain other values, which then are one nesting level deeper.
    #[inline]
    pub(crate) const fn is_nest(&self) -> bool {
        matches!(self, Self::List(_) | Self::Map(_) | Self::Answers(_))
    }

    /// Returns whether the value uses a single list entry of memory, whatever its content.
    #[inline]
    const fn is_small(&self) -> bool {
        self.is_inline() || matches!(self, Self::Range(_))
    }

    /// Returns whether the value is stored inline, so that dropping it does nothing.
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

    /// Returns whether dropping the value does nothing, because it is stored inline or an interned text.
    #[inline]
    pub(crate) fn is_droppable_for_free(&self) -> bool {
        self.is_inline() || matches!(self, Self::Text(text) if ArcStr::is_static(text))
    }

    /// Subtracts the memory use of this value and all nested values from `room`. `levels` is the number of nesting levels that may still be
    /// entered, and `left` is the smallest value of `levels` so far.
    fn charge_nested(&self, room: &mut usize, levels: usize, left: &mut usize) -> bool {
        let Some(levels) = levels.checked_sub(1) else { return false };
        *left = levels.min(*left);
        let held = match self {
            Self::List(items) => {
                // Most elements use one entry each. These are counted first, without a recursive call for each element.
                let small = items.iter().filter(|entry| entry.is_small()).count();
                let mut rest = items.iter().filter(|entry| !entry.is_small());
                return take(1 + small, room)
                    && (small == items.len() || rest.all(|entry| entry.charge_nested(room, levels, left)));
            }
            Self::Map(parts) => {
                let small = parts.iter().filter(|(_, part)| part.is_small()).count();
                let mut rest = parts.iter().filter(|(_, part)| !part.is_small());
                return take(1 + 3 * parts.len() + small, room)
                    && (small == parts.len() || rest.all(|(_, part)| part.charge_nested(room, levels, left)));
            }
            Self::Answers(answers) => {
                return take(1, room) && answers.iter().all(|(_, answer)| answer.charge_nested(room, levels, left));
            }
            Self::Text(text) => text.len() / 16,
            Self::Seats(set) => set.len() / 8,
            Self::Zones(set) => set.len() / 8,
            Self::Spaces(set) => set.len() / 8,
            Self::Components(set) => set.len() / 8,
            Self::Pieces(set) => set.len() / 8,
            Self::Options(options) => (options.weight() + options.text_weight()) / 8,
            _ => 0,
        };
        take(1 + held, room)
    }
}

/// Returns the cost of traversing or copying a handle list, in operations.
#[inline]
pub(crate) const fn handle_list_cost(count: usize) -> usize {
    (1 + count / 8) / WEIGHT
}

/// Maximum nesting depth of lists and maps.
pub(crate) const MAX_NESTED: usize = 256;

/// Number of list entries that are traversed at the cost of one operation.
const WEIGHT: usize = 4;

/// Maximum memory of a step, in list entries (about one megabyte).
pub(crate) const MAX_HELD: usize = 1 << 16;

/// Message about a value that exceeds the limits: headline, label and help.
pub(crate) const TOO_HEAVY: [&str; 3] = [
    "a list or map has more than 65,536 entries in total, or more than 256 levels",
    "too large here",
    "store state on the table, not in lists",
];

/// Maximum number of entries of a list or map.
pub(crate) const MAX_ENTRIES: usize = 1_000;

/// Help for a list or map that would exceed [`MAX_ENTRIES`].
pub(crate) const SPLIT_LIST: &str = "remove entries that are no longer needed, or divide the list into several";

/// Takes `needed` list entries from `room`. Returns false if there are not enough.
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
    /// Converts the choice to a script value.
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

    /// Converts a script value to a choice. Returns `None` if a type in the value cannot be converted, or if the value exceeds the memory
    /// limit.
    pub fn from_value(value: &Value) -> Option<Self> {
        value.cost_if_bounded()?;
        Self::from_bounded(value)
    }

    fn from_bounded(value: &Value) -> Option<Self> {
        fn many<T: Copy>(set: &HandleList<T>, wrap: fn(T) -> Choice) -> Choice {
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

/// Implements `From<T> for Value` for the payload types of variants.
macro_rules! from_payload {
    ($($variant:ident($of:ty)),* $(,)?) => {
        $(impl From<$of> for Value {
            #[inline]
            fn from(held: $of) -> Self {
                Self::$variant(held.into())
            }
        })*
    };
}

from_payload!(
    Flag(bool),
    Text(ArcStr),
    List(List),
    Seat(Seat),
    Zone(ZoneId),
    Space(SpaceId),
    Component(ComponentId),
    Piece(PieceId),
    Seats(HandleList<Seat>),
    Zones(HandleList<ZoneId>),
    Spaces(HandleList<SpaceId>),
    Components(HandleList<ComponentId>),
    Pieces(HandleList<PieceId>),
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
    fn inline_values_are_copied_word_by_word() {
        let component = Entries { of: Member::Component(ComponentId(3)), value: ValueId(1) };
        let all = [
            Value::Nothing,
            true.into(),
            Value::Number(-1),
            Value::Function(7.into()),
            Seat(1).into(),
            ZoneId(1).into(),
            SpaceId(1).into(),
            ComponentId(1).into(),
            PieceId(1).into(),
            component.into(),
            Value::Game,
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(one.is_inline() && one.tag() == at as u64, "{one:?}");
            assert_eq!(one.clone(), *one);
            assert_eq!(one.clone().sort(), one.sort());
            assert_eq!(all.iter().filter(|other| *other == one).count(), 1, "{one:?}");
        }
        let shared = [Value::text("a"), Value::list(Vec::new()), Value::Pieces(HandleList::default())];
        for one in &shared {
            assert!(!one.is_inline() && !all.contains(one) && one.clone() == *one, "{one:?}");
        }
    }

    #[test]
    fn packing_is_reversible() {
        let members = [Member::Seat(Seat(0)), Member::Seat(Seat(u8::MAX)), Member::Component(ComponentId(u16::MAX))];
        for of in members {
            for value in [ValueId(0), ValueId(u16::MAX)] {
                let entries = Entries { of, value };
                assert_eq!(Packed::from(entries).get(), entries);
            }
        }
        assert_eq!(Value::from(PieceId(u16::MAX)), Value::Piece(PieceId(u16::MAX).into()));
        assert_eq!(Value::from(true), Value::Flag(true.into()));
    }

    #[test]
    fn map_parts_are_sorted_by_name() {
        let map = Map::new([("b".into(), 1.into()), ("a".into(), 2.into()), ("b".into(), 3.into())]);
        let parts: Vec<(&str, &Value)> = map.iter().map(|(name, value)| (name.as_str(), value)).collect();
        assert_eq!(parts, [("a", &Value::Number(2)), ("b", &Value::Number(3))]);
    }
}
