//! Types of expressions. A type is a union of alternatives. Equal unions are stored once and identified by an index.

use crate::decision::Type as Tag;
use crate::library::Pattern;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// A type, as an index into [`Types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Type(u32);

/// A set of kinds, zones or tables, with one bit for each index in [`super::symbols::Symbols`]. The last bit represents
/// all indices from 63 on.
pub(crate) type IdSet = u64;

/// A set of type tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Tags(u32);

/// The strings that a type allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum TextSet {
    /// No strings.
    None,
    /// One of a set of known words. The field is the index of the set.
    Among(u32),
    /// Any string.
    Any,
}

/// Names and types of the parts of a map.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    /// The known parts, sorted by name.
    pub parts: Vec<(Arc<str>, Type)>,
    /// Type of all other parts; `None` if there are no others.
    pub rest: Option<Type>,
}

/// A map shape, as an index into [`Types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ShapeId(u32);

/// The alternatives of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Union {
    /// Tags of the alternatives that need no further details. The other fields describe strings, game objects, lists, options, answers and
    /// maps.
    plain: Tags,
    text: TextSet,
    /// Sets of kinds, zones or tables, one for each tag in `THINGS`.
    ids: [IdSet; 9],
    list: Option<Type>,
    options: Option<Type>,
    answers: Option<Type>,
    maps: SmallVec<[ShapeId; 2]>,
}

/// Tags of game objects, which are distinguished by kind or zone, and of tables, which are distinguished by index.
const THINGS: [Tag; 9] = [
    Tag::Zone,
    Tag::Space,
    Tag::Component,
    Tag::Piece,
    Tag::Zones,
    Tag::Spaces,
    Tag::Components,
    Tag::Pieces,
    Tag::Entries,
];

/// Maximum number of words in a set of known words.
const MAX_WORDS: usize = 24;

/// Maximum number of map shapes in a union.
const MAX_SHAPES: usize = 24;

/// Maximum nesting depth of lists, maps, options and answers. Types that are nested more deeply become [`Type::ANY`].
const MAX_DEPTH: u8 = 6;

/// The set of all kinds, zones or tables.
pub(crate) const ALL_IDS: IdSet = IdSet::MAX;

/// Returns the set that contains only the kind, zone or table with the index `position`.
pub(crate) fn bit(position: usize) -> IdSet {
    1 << position.min(63)
}

impl Tags {
    /// The empty set.
    pub(crate) const NONE: Self = Self(0);
    /// The set of all tags.
    pub(crate) const ALL: Self = Self(u32::MAX);

    /// Flag for a `()` that is possible but unlikely. See [`Type::PERHAPS`].
    const PERHAPS: Self = Self(1 << 30);
    /// Flag for a map with unknown parts.
    const MAP: Self = Self(1 << 28);
    /// Flag for a weak type. See [`Types::is_weak`].
    const WEAK: Self = Self(1 << 27);
    /// Internal flags, which are not tags of values.
    const HIDDEN: Self = Self(Self::PERHAPS.0 | Self::MAP.0 | Self::WEAK.0);

    /// Creates a set from a list of tags.
    pub(crate) fn new(tags: &[Tag]) -> Self {
        Self(tags.iter().fold(0, |set, tag| set | 1 << *tag as u32))
    }

    /// Returns the union of two sets.
    #[must_use]
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the intersection of two sets.
    #[must_use]
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the difference of two sets.
    #[must_use]
    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether the set is empty.
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set contains a tag.
    pub(crate) const fn has(self, tag: Tag) -> bool {
        self.0 & 1 << tag as u32 != 0
    }

    /// Returns the tags in the set.
    pub(crate) fn iter(self) -> impl Iterator<Item = Tag> {
        ALL.into_iter().filter(move |tag| self.has(*tag))
    }
}

/// All tags, in the order in which messages name them.
const ALL: [Tag; 23] = [
    Tag::Any,
    Tag::Number,
    Tag::Flag,
    Tag::Text,
    Tag::Range,
    Tag::Function,
    Tag::Seat,
    Tag::Zone,
    Tag::Space,
    Tag::Component,
    Tag::Piece,
    Tag::Seats,
    Tag::Zones,
    Tag::Spaces,
    Tag::Components,
    Tag::Pieces,
    Tag::List,
    Tag::Map,
    Tag::Options,
    Tag::Answers,
    Tag::Game,
    Tag::Entries,
    Tag::Nothing,
];

impl Type {
    /// The type without values, such as the type of the entries of an empty list.
    pub(crate) const NEVER: Self = Self(0);
    /// The type of a value about which nothing is known.
    pub(crate) const ANY: Self = Self(1);
    /// The type of the value `()`.
    pub(crate) const NOTHING: Self = Self(2);
    /// A `()` that is possible but unlikely. Rules that do not check for it are not reported.
    pub(crate) const PERHAPS: Self = Self(3);
    /// A number.
    pub(crate) const NUMBER: Self = Self(4);
    /// A flag.
    pub(crate) const FLAG: Self = Self(5);
    /// Any text.
    pub(crate) const TEXT: Self = Self(6);
    /// A range.
    pub(crate) const RANGE: Self = Self(7);
    /// A seat.
    pub(crate) const SEAT: Self = Self(8);
    /// A set of seats.
    pub(crate) const SEATS: Self = Self(9);
    /// The game.
    pub(crate) const GAME: Self = Self(10);
    /// A closure with unknown parameters.
    pub(crate) const FUNCTION: Self = Self(11);
    /// A map with unknown parts.
    pub(crate) const MAP: Self = Self(12);

    /// Tags of the predefined types, in the order of their indices.
    const PLAIN: [Tags; 13] = [
        Tags::NONE,
        Tags(1 << Tag::Any as u32),
        Tags(1 << Tag::Nothing as u32),
        Tags::PERHAPS,
        Tags(1 << Tag::Number as u32),
        Tags(1 << Tag::Flag as u32),
        Tags::NONE,
        Tags(1 << Tag::Range as u32),
        Tags(1 << Tag::Seat as u32),
        Tags(1 << Tag::Seats as u32),
        Tags(1 << Tag::Game as u32),
        Tags(1 << Tag::Function as u32),
        Tags::MAP,
    ];
}

impl Union {
    const NONE: Self = Self {
        plain: Tags::NONE,
        text: TextSet::None,
        ids: [0; 9],
        list: None,
        options: None,
        answers: None,
        maps: SmallVec::new_const(),
    };
}

/// The table of all types.
#[derive(Debug, Clone)]
pub(crate) struct Types {
    unions: Vec<Union>,
    tags: Vec<Tags>,
    depths: Vec<u8>,
    interned: FxHashMap<Union, Type>,
    joins: FxHashMap<(Type, Type), Type>,
    shapes: Vec<Shape>,
    interned_shapes: FxHashMap<Shape, ShapeId>,
    words: Vec<Arc<[Arc<str>]>>,
    interned_words: FxHashMap<Arc<[Arc<str>]>, u32>,
}

impl Default for Types {
    fn default() -> Self {
        let mut types = Self {
            unions: Vec::new(),
            tags: Vec::new(),
            depths: Vec::new(),
            interned: FxHashMap::default(),
            joins: FxHashMap::default(),
            shapes: Vec::new(),
            interned_shapes: FxHashMap::default(),
            words: Vec::new(),
            interned_words: FxHashMap::default(),
        };
        for (index, plain) in Type::PLAIN.into_iter().enumerate() {
            let text = if index == Type::TEXT.0 as usize { TextSet::Any } else { TextSet::None };
            let made = types.intern(Union { plain, text, ..Union::NONE });
            debug_assert_eq!(made.0 as usize, index, "plain types have fixed numbers");
        }
        types
    }
}

impl Types {
    fn intern(&mut self, union: Union) -> Type {
        // "Any value" includes all other alternatives.
        let union =
            if union.plain.has(Tag::Any) { Union { plain: Tags::new(&[Tag::Any]), ..Union::NONE } } else { union };
        if let Some(known) = self.interned.get(&union) {
            return *known;
        }
        let depth = self.depth(&union);
        // Without a limit, the type of a list that is added to itself would grow in every round, and inference would
        // never end.
        if depth > MAX_DEPTH {
            return Type::ANY;
        }
        let index = Type(self.unions.len() as u32);
        self.tags.push(tags(&union));
        self.depths.push(depth);
        self.unions.push(union.clone());
        self.interned.insert(union, index);
        index
    }

    fn depth(&self, union: &Union) -> u8 {
        let inner = [union.list, union.options, union.answers].into_iter().flatten();
        let parts = union.maps.iter().flat_map(|shape| {
            let shape = &self.shapes[shape.0 as usize];
            shape.parts.iter().map(|(_, part)| *part).chain(shape.rest)
        });
        inner.chain(parts).map(|inner| self.depths[inner.0 as usize] + 1).max().unwrap_or(0)
    }

    fn intern_shape(&mut self, shape: Shape) -> ShapeId {
        if let Some(known) = self.interned_shapes.get(&shape) {
            return *known;
        }
        let index = ShapeId(self.shapes.len() as u32);
        self.shapes.push(shape.clone());
        self.interned_shapes.insert(shape, index);
        index
    }

    fn union(&self, ty: Type) -> &Union {
        &self.unions[ty.0 as usize]
    }

    // ----- constructors

    /// Returns the type of a game object or of a set of game objects. `ids` are the possible kinds, zones or tables.
    pub(crate) fn thing(&mut self, tag: Tag, ids: IdSet) -> Type {
        let mut union = Union::NONE;
        match THINGS.iter().position(|known| *known == tag) {
            Some(at) => union.ids[at] = ids,
            None => union.plain = Tags::new(&[tag]),
        }
        self.intern(union)
    }

    /// Returns the most general type with a tag.
    pub(crate) fn most_general(&mut self, tag: Tag) -> Type {
        match tag {
            Tag::Any => Type::ANY,
            Tag::Nothing => Type::NOTHING,
            Tag::Number => Type::NUMBER,
            Tag::Flag => Type::FLAG,
            Tag::Text => Type::TEXT,
            Tag::Map => Type::MAP,
            Tag::Function => Type::FUNCTION,
            Tag::Range => Type::RANGE,
            Tag::Seat => Type::SEAT,
            Tag::Seats => Type::SEATS,
            Tag::Game => Type::GAME,
            Tag::List => self.list(Type::ANY),
            Tag::Options => self.options(Type::ANY),
            Tag::Answers => self.answers(Type::ANY),
            thing => self.thing(thing, ALL_IDS),
        }
    }

    /// Returns the most general type that matches a pattern, whatever the arguments are.
    pub(crate) fn plain(&mut self, pattern: &Pattern) -> Type {
        match pattern {
            Pattern::Perhaps(inner) => {
                let inner = self.plain(inner);
                self.join(inner, Type::PERHAPS)
            }
            Pattern::Union(all) => {
                let all: Vec<Type> = all.iter().map(|one| self.plain(one)).collect();
                self.join_all(all)
            }
            other => self.most_general(other.tag()),
        }
    }

    /// Returns the type of a list whose entries have the type `entries`.
    pub(crate) fn list(&mut self, entries: Type) -> Type {
        self.intern(Union { list: Some(entries), ..Union::NONE })
    }

    /// Returns the type of a set of options, each of the type `chosen`.
    pub(crate) fn options(&mut self, chosen: Type) -> Type {
        self.intern(Union { options: Some(chosen), ..Union::NONE })
    }

    /// Returns the type of the answers of several seats, each of the type `answered`.
    pub(crate) fn answers(&mut self, answered: Type) -> Type {
        self.intern(Union { answers: Some(answered), ..Union::NONE })
    }

    /// Returns the type of a string that is one of `words`. Returns [`Type::TEXT`] if there are more than `MAX_WORDS`.
    pub(crate) fn words(&mut self, words: impl IntoIterator<Item = Arc<str>>) -> Type {
        let mut words: Vec<Arc<str>> = words.into_iter().collect();
        words.sort();
        words.dedup();
        if words.len() > MAX_WORDS {
            return Type::TEXT;
        }
        let index = self.intern_words(words.into());
        self.intern(Union { text: TextSet::Among(index), ..Union::NONE })
    }

    fn intern_words(&mut self, words: Arc<[Arc<str>]>) -> u32 {
        if let Some(known) = self.interned_words.get(&words) {
            return *known;
        }
        let index = self.words.len() as u32;
        self.words.push(words.clone());
        self.interned_words.insert(words, index);
        index
    }

    /// Returns the type of a map with the given parts. `rest` is the type of all other parts, if there are any.
    pub(crate) fn map(&mut self, mut parts: Vec<(Arc<str>, Type)>, rest: Option<Type>) -> Type {
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        parts.dedup_by(|later, first| later.0 == first.0);
        let shape = self.intern_shape(Shape { parts, rest });
        self.intern(Union { maps: SmallVec::from_slice(&[shape]), ..Union::NONE })
    }

    /// Returns the union of two types.
    pub(crate) fn join(&mut self, a: Type, b: Type) -> Type {
        if a == b || b == Type::NEVER {
            return a;
        }
        if a == Type::NEVER {
            return b;
        }
        if a == Type::ANY || b == Type::ANY {
            return Type::ANY;
        }
        // The union is symmetric, so each pair is cached only once.
        let key = if a < b { (a, b) } else { (b, a) };
        if let Some(known) = self.joins.get(&key) {
            return *known;
        }
        let joined = self.compute_join(key.0, key.1);
        self.joins.insert(key, joined);
        joined
    }

    fn compute_join(&mut self, a: Type, b: Type) -> Type {
        let (one, other) = (self.union(a).clone(), self.union(b).clone());
        let mut inner = |one: Option<Type>, other: Option<Type>| match (one, other) {
            (Some(one), Some(other)) => Some(self.join(one, other)),
            (one, other) => one.or(other),
        };
        let list = inner(one.list, other.list);
        let options = inner(one.options, other.options);
        let answers = inner(one.answers, other.answers);
        let text = self.join_words(one.text, other.text);
        let mut plain = one.plain.or(other.plain);
        let mut maps = one.maps.clone();
        for shape in &other.maps {
            self.add_shape(&mut maps, *shape);
        }
        if maps.len() > MAX_SHAPES {
            maps.clear();
            plain = plain.or(Tags::MAP);
        }
        maps.sort();
        let ids = std::array::from_fn(|at| one.ids[at] | other.ids[at]);
        self.intern(Union { plain, text, ids, list, options, answers, maps })
    }

    /// Adds a map shape to a union. If the union already has a shape with the same part names, joins the types of their parts.
    fn add_shape(&mut self, maps: &mut SmallVec<[ShapeId; 2]>, new: ShapeId) {
        if maps.contains(&new) {
            return;
        }
        let shape = self.shapes[new.0 as usize].clone();
        let names = |shape: &Shape| shape.parts.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let is_alike = |known: &ShapeId| {
            let known = &self.shapes[known.0 as usize];
            known.rest.is_some() == shape.rest.is_some() && names(known) == names(&shape)
        };
        let Some(at) = maps.iter().position(is_alike) else { return maps.push(new) };
        let known = self.shapes[maps[at].0 as usize].clone();
        let pairs = known.parts.into_iter().zip(shape.parts);
        let parts = pairs.map(|((name, one), (_, other))| (name, self.join(one, other))).collect();
        let rest = known.rest.zip(shape.rest).map(|(one, other)| self.join(one, other));
        maps[at] = self.intern_shape(Shape { parts, rest });
    }

    fn join_words(&mut self, one: TextSet, other: TextSet) -> TextSet {
        match (one, other) {
            (TextSet::None, other) => other,
            (one, TextSet::None) => one,
            (TextSet::Among(one), TextSet::Among(other)) if one == other => TextSet::Among(one),
            (TextSet::Among(one), TextSet::Among(other)) => {
                let (one, other) = (&self.words[one as usize], &self.words[other as usize]);
                let mut all: Vec<Arc<str>> = one.iter().chain(other.iter()).cloned().collect();
                all.sort();
                all.dedup();
                if all.len() > MAX_WORDS { TextSet::Any } else { TextSet::Among(self.intern_words(all.into())) }
            }
            _ => TextSet::Any,
        }
    }

    /// Returns the union of several types.
    pub(crate) fn join_all(&mut self, all: impl IntoIterator<Item = Type>) -> Type {
        all.into_iter().fold(Type::NEVER, |joined, one| self.join(joined, one))
    }

    // ----- queries

    /// Returns the tags of a type. A `()` that is possible but unlikely is left out.
    pub(crate) fn tags(&self, ty: Type) -> Tags {
        self.tags[ty.0 as usize]
    }

    /// Returns whether anything is known about a type.
    pub(crate) fn is_known(&self, ty: Type) -> bool {
        !self.tags(ty).has(Tag::Any)
    }

    /// Returns the tags among `bad` that are certain to be mistakes. Returns no tags if nothing is known about the type. If the type is weak
    /// and has an alternative that is not bad, only a `()` is certain: it was added to the weak type on some path, such as by an `if`
    /// without `else`.
    pub(crate) fn certain_mistakes(&self, ty: Type, bad: Tags) -> Tags {
        if !self.is_known(ty) {
            Tags::NONE
        } else if self.is_weak(ty) && bad != self.tags(ty) {
            bad.and(Tags::new(&[Tag::Nothing]))
        } else {
            bad
        }
    }

    /// Returns whether a type depends on information that static types cannot express.
    pub(crate) fn is_weak(&self, ty: Type) -> bool {
        !self.union(ty).plain.and(Tags::WEAK).is_empty()
    }

    /// Marks a type as depending on information that static types cannot express. A `()` in it becomes unlikely.
    pub(crate) fn weaken(&mut self, ty: Type) -> Type {
        if ty == Type::ANY || ty == Type::NEVER {
            return ty;
        }
        let ty = self.soften_optional(ty);
        let union = self.union(ty).clone();
        self.intern(Union { plain: union.plain.or(Tags::WEAK), ..union })
    }

    /// Returns the union of several types, marked as weak if their tags differ.
    pub(crate) fn join_weakly(&mut self, all: &[Type]) -> Type {
        let joined = self.join_all(all.iter().copied());
        let is_alike = all.iter().all(|one| self.tags(*one) == self.tags(joined));
        if is_alike { joined } else { self.weaken(joined) }
    }

    /// Returns whether a value of the type may be `()`, even if that is unlikely.
    pub(crate) fn may_be_nothing(&self, ty: Type) -> bool {
        let union = self.union(ty);
        union.plain.has(Tag::Any) || union.plain.has(Tag::Nothing) || !union.plain.and(Tags::PERHAPS).is_empty()
    }

    /// Returns the kinds, zones or tables that a type allows for the tag `tag`.
    pub(crate) fn ids_of(&self, ty: Type, tag: Tag) -> IdSet {
        THINGS.iter().position(|known| *known == tag).map_or(0, |at| self.union(ty).ids[at])
    }

    /// Returns the type of the entries if the type includes lists.
    pub(crate) fn entries(&self, ty: Type) -> Option<Type> {
        self.union(ty).list
    }

    /// Returns the type of a single option if the type includes sets of options.
    pub(crate) fn option_type(&self, ty: Type) -> Option<Type> {
        self.union(ty).options
    }

    /// Returns the type of a single answer if the type includes the answers of several seats.
    pub(crate) fn answered(&self, ty: Type) -> Option<Type> {
        self.union(ty).answers
    }

    /// Returns the map shapes that the type includes.
    pub(crate) fn shapes(&self, ty: Type) -> SmallVec<[ShapeId; 2]> {
        self.union(ty).maps.clone()
    }

    /// Returns a map shape by its index.
    pub(crate) fn shape(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    /// Returns whether the type includes maps with unknown parts.
    pub(crate) fn is_open_map(&self, ty: Type) -> bool {
        !self.union(ty).plain.and(Tags::MAP).is_empty()
    }

    /// Returns the known words of a type. Returns `None` if the type includes no strings, or if it includes all strings.
    pub(crate) fn known_words(&self, ty: Type) -> Option<Arc<[Arc<str>]>> {
        match self.union(ty).text {
            TextSet::Among(words) => Some(self.words[words as usize].clone()),
            _ => None,
        }
    }

    // ----- narrowing

    /// Restricts a type to the alternatives whose tags are in `tags`.
    pub(crate) fn restrict(&mut self, ty: Type, tags: Tags) -> Type {
        let union = self.union(ty).clone();
        let keeps = |tag: Tag| tags.has(tag);
        let mut plain = union.plain.and(tags.or(Tags::HIDDEN));
        if !keeps(Tag::Nothing) {
            plain = plain.without(Tags::PERHAPS);
        }
        if !keeps(Tag::Map) {
            plain = plain.without(Tags::MAP);
        }
        let ids = std::array::from_fn(|at| if keeps(THINGS[at]) { union.ids[at] } else { 0 });
        let kept = Union {
            plain,
            text: if keeps(Tag::Text) { union.text } else { TextSet::None },
            ids,
            list: union.list.filter(|_| keeps(Tag::List)),
            options: union.options.filter(|_| keeps(Tag::Options)),
            answers: union.answers.filter(|_| keeps(Tag::Answers)),
            maps: if keeps(Tag::Map) { union.maps } else { SmallVec::new() },
        };
        self.intern(kept)
    }

    /// Removes `()` from a type.
    pub(crate) fn without_nothing(&mut self, ty: Type) -> Type {
        if ty == Type::ANY {
            return ty;
        }
        let tags = self.tags(ty).without(Tags::new(&[Tag::Nothing]));
        self.restrict(ty, tags)
    }

    /// Makes `()` unlikely if the type contains it.
    pub(crate) fn soften_nothing(&mut self, ty: Type) -> Type {
        if self.tags(ty).has(Tag::Nothing) && ty != Type::ANY {
            let there = self.without_nothing(ty);
            return self.join(there, Type::PERHAPS);
        }
        ty
    }

    /// Like [`Types::soften_nothing`], but leaves a type unchanged if it is always `()`.
    pub(crate) fn soften_optional(&mut self, ty: Type) -> Type {
        if ty == Type::NOTHING { ty } else { self.soften_nothing(ty) }
    }

    /// Restricts a type to `()`.
    pub(crate) fn only_nothing(&mut self, ty: Type) -> Type {
        if ty == Type::ANY {
            return Type::NOTHING;
        }
        self.restrict(ty, Tags::new(&[Tag::Nothing]))
    }

    /// Restricts the game objects with the tag `tag` in a type to the kinds or zones in `ids`.
    pub(crate) fn restrict_kinds(&mut self, ty: Type, tag: Tag, ids: IdSet) -> Type {
        let Some(at) = THINGS.iter().position(|known| *known == tag) else { return ty };
        if ty == Type::ANY {
            return ty;
        }
        let mut union = self.union(ty).clone();
        union.ids[at] &= ids;
        self.intern(union)
    }

    /// Restricts the map shapes of a type. If `has` is set, keeps the shapes that may have the part `name`. Otherwise, keeps those that do
    /// not list it.
    pub(crate) fn with_part(&mut self, ty: Type, name: &str, has: bool) -> Type {
        if ty == Type::ANY {
            return ty;
        }
        let mut union = self.union(ty).clone();
        let shapes = &self.shapes;
        union.maps.retain(|id| {
            let shape = &shapes[id.0 as usize];
            let is_there = shape.parts.iter().any(|(known, _)| **known == *name);
            if has { is_there || shape.rest.is_some() } else { !is_there }
        });
        self.intern(union)
    }

    /// Restricts the strings of a type to `words` if `is_one` is set. Otherwise, removes `words` if the type has a set of known words.
    pub(crate) fn restrict_words(&mut self, ty: Type, words: &[Arc<str>], is_one: bool) -> Type {
        let union = self.union(ty).clone();
        let text = match union.text {
            TextSet::Among(known) => {
                let known = self.words[known as usize].clone();
                let left: Vec<Arc<str>> = known.iter().filter(|word| words.contains(word) == is_one).cloned().collect();
                if left.is_empty() { TextSet::None } else { TextSet::Among(self.intern_words(left.into())) }
            }
            TextSet::Any if is_one => {
                let mut words = words.to_vec();
                words.sort();
                words.dedup();
                if words.len() > MAX_WORDS { TextSet::Any } else { TextSet::Among(self.intern_words(words.into())) }
            }
            text => text,
        };
        if union.plain.has(Tag::Any) {
            return ty;
        }
        self.intern(Union { text, ..union })
    }

    /// Replaces the type of the entries if the type includes lists. Otherwise returns the type unchanged.
    pub(crate) fn with_entries(&mut self, ty: Type, entries: Type) -> Type {
        let union = self.union(ty).clone();
        if union.list.is_none() {
            return ty;
        }
        self.intern(Union { list: Some(entries), ..union })
    }

    /// Replaces each map shape of a type with the shapes that `change` returns for it.
    pub(crate) fn change_maps(&mut self, ty: Type, change: &mut dyn FnMut(&mut Self, Shape) -> Vec<Shape>) -> Type {
        let union = self.union(ty).clone();
        let mut maps: SmallVec<[ShapeId; 2]> = SmallVec::new();
        let mut plain = union.plain;
        for id in &union.maps {
            let shape = self.shapes[id.0 as usize].clone();
            for changed in change(self, shape) {
                let changed = self.intern_shape(changed);
                self.add_shape(&mut maps, changed);
            }
        }
        if maps.len() > MAX_SHAPES {
            maps.clear();
            plain = plain.or(Tags::MAP);
        }
        maps.sort();
        self.intern(Union { plain, maps, ..union })
    }

    // ----- comparison

    /// Returns whether a value can have both types, judging by tags, kinds and zones.
    pub(crate) fn overlap(&self, a: Type, b: Type) -> bool {
        if !self.is_known(a) || !self.is_known(b) {
            return true;
        }
        let nothing = self.may_be_nothing(a) && self.may_be_nothing(b);
        let both = self.tags(a).and(self.tags(b));
        nothing || both.iter().any(|tag| self.may_share_values(a, b, tag))
    }

    fn may_share_values(&self, a: Type, b: Type, tag: Tag) -> bool {
        match tag {
            Tag::Zone | Tag::Space | Tag::Component | Tag::Piece => self.ids_of(a, tag) & self.ids_of(b, tag) != 0,
            Tag::List => match (self.entries(a), self.entries(b)) {
                // Both values may be empty lists.
                (Some(_), Some(_)) => true,
                _ => false,
            },
            _ => true,
        }
    }

    // ----- messages

    /// Describes a type in words: "a number", "one of `calm`, `wild`".
    pub(crate) fn in_words(&self, ty: Type) -> String {
        match self.known_words(ty) {
            Some(words) if self.tags(ty) == Tags::new(&[Tag::Text]) => format!("one of `{}`", words.join("`, `")),
            _ => in_words(self.tags(ty)),
        }
    }
}

/// Describes a set of tags in words: "a number or a text".
pub(crate) fn in_words(tags: Tags) -> String {
    let words: Vec<String> = tags.iter().map(Tag::one).collect();
    match words.as_slice() {
        [several @ .., last] if !several.is_empty() => format!("{} or {last}", several.join(", ")),
        // The set is empty for values that never occur, such as the entries of an empty list.
        [] => "anything that occurs here".to_owned(),
        words => words.concat(),
    }
}

/// Returns the verb that follows a description of tags, "is" or "are": "a seat is", "seats are".
pub(crate) fn is_or_are(tags: Tags) -> &'static str {
    if tags.iter().last().is_some_and(Tag::is_several) { "are" } else { "is" }
}

fn tags(union: &Union) -> Tags {
    let mut tags = union.plain.without(Tags::HIDDEN);
    let mut add = |is_there: bool, tag: Tag| {
        if is_there {
            tags = tags.or(Tags::new(&[tag]));
        }
    };
    add(union.text != TextSet::None, Tag::Text);
    add(union.list.is_some(), Tag::List);
    add(union.options.is_some(), Tag::Options);
    add(union.answers.is_some(), Tag::Answers);
    add(!union.maps.is_empty() || !union.plain.and(Tags::MAP).is_empty(), Tag::Map);
    for (tag, ids) in THINGS.into_iter().zip(union.ids) {
        add(ids != 0, tag);
    }
    tags
}

/// Converts the tag of a single game object to the tag of a set of such objects. Returns `None` for any other tag.
pub(crate) fn set_tag_of(tag: Tag) -> Option<Tag> {
    Some(match tag {
        Tag::Piece => Tag::Pieces,
        Tag::Space => Tag::Spaces,
        Tag::Zone => Tag::Zones,
        Tag::Component => Tag::Components,
        Tag::Seat => Tag::Seats,
        _ => return None,
    })
}

/// Converts the tag of a set of game objects to the tag of a single object. Returns `None` for any other tag.
pub(crate) fn one_of(tag: Tag) -> Option<Tag> {
    Some(match tag {
        Tag::Pieces => Tag::Piece,
        Tag::Spaces => Tag::Space,
        Tag::Zones => Tag::Zone,
        Tag::Components => Tag::Component,
        Tag::Seats => Tag::Seat,
        _ => return None,
    })
}

/// Returns the tags that a pattern accepts. Patterns that depend on other arguments accept all tags.
pub(crate) fn accepted(pattern: &Pattern) -> Tags {
    match pattern {
        Pattern::Of(Tag::Any) | Pattern::Variable(_) => Tags::ALL,
        Pattern::Of(tag) => Tags::new(&[*tag]),
        Pattern::Choices(_) => Tags::new(&[
            Tag::List,
            Tag::Options,
            Tag::Range,
            Tag::Zone,
            Tag::Pieces,
            Tag::Spaces,
            Tag::Zones,
            Tag::Components,
            Tag::Seats,
        ]),
        Pattern::Comparable => Tags::ALL.without(Tags::new(&[
            Tag::Function,
            Tag::Options,
            Tag::Answers,
            Tag::Game,
            Tag::Entries,
            Tag::Range,
        ])),
        Pattern::Perhaps(inner) => accepted(inner),
        Pattern::Union(all) => all.iter().fold(Tags::NONE, |tags, one| tags.or(accepted(one))),
        other => match other.tag() {
            Tag::Any => Tags::ALL,
            tag => Tags::new(&[tag]),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_set_of_tags_has_a_description() {
        assert!(!in_words(Tags::new(&[])).is_empty());
    }

    #[test]
    fn equal_unions_are_one_type_and_can_be_narrowed() {
        let mut types = Types::default();
        let card = types.thing(Tag::Piece, bit(1));
        let either = types.join(card, Type::NOTHING);
        assert_eq!(types.join(Type::NOTHING, card), either);
        assert_eq!(types.without_nothing(either), card);
        assert_eq!(types.only_nothing(either), Type::NOTHING);
        assert_eq!(types.in_words(either), "a piece or `()`");
        let soft = types.join(card, Type::PERHAPS);
        assert_eq!(types.in_words(soft), "a piece");
        assert!(types.may_be_nothing(soft) && !types.may_be_nothing(card));
        assert_eq!(types.soften_nothing(either), soft);
        assert_eq!(types.join(card, Type::ANY), Type::ANY);
    }

    #[test]
    fn maps_are_distinguished_by_their_parts() {
        let mut types = Types::default();
        let buy = types.map(vec![("buy".into(), Type::NUMBER)], None);
        let sell = types.map(vec![("sell".into(), Type::TEXT)], None);
        let either = types.join(buy, sell);
        assert_eq!(types.with_part(either, "buy", true), buy);
        assert_eq!(types.with_part(either, "buy", false), sell);
        let words = types.map(vec![("buy".into(), Type::TEXT)], None);
        let joined = types.join(buy, words);
        let both = types.join(Type::NUMBER, Type::TEXT);
        assert_eq!(joined, types.map(vec![("buy".into(), both)], None));
    }

    #[test]
    fn many_words_become_any_text() {
        let mut types = Types::default();
        let (share, half) = (types.words(["share".into()]), types.words(["half".into()]));
        let either = types.join(share, half);
        assert_eq!(types.restrict_words(either, &["share".into()], false), half);
        let many = types.words((0..40).map(|at| format!("word {at}").into()));
        assert_eq!(many, Type::TEXT);
    }

    #[test]
    fn nested_lists_are_cut_off_at_the_maximum_depth() {
        let mut types = Types::default();
        let mut list = types.list(Type::NEVER);
        for _ in 0..20 {
            list = types.list(list);
        }
        assert!(
            !types.is_known(types.entries(list).unwrap_or(Type::ANY)) || types.depths.iter().all(|depth| *depth <= 6)
        );
    }
}
