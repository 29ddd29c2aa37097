//! The types that expressions may have: unions, each kept once and known by a number.

use crate::decision::Type as Tag;
use crate::library::Pattern;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// A type, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Type(u32);

/// Which kinds or zones a thing may be of: a bit for each, the last one for all beyond.
pub(crate) type Which = u64;

/// Some tags of values, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Tags(u32);

/// Which words a text may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Words {
    /// It is none.
    None,
    /// One of these.
    Among(u32),
    /// Any.
    Any,
}

/// A map with some parts, each of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    /// The parts, in the order of their names.
    pub parts: Vec<(Arc<str>, Type)>,
    /// The type of parts that are not known by name, where there may be some.
    pub rest: Option<Type>,
}

/// A map, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ShapeId(u32);

/// What a type is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Union {
    /// What needs no more said; `list`, `options`, `answers` and things of the game are told below.
    plain: Tags,
    text: Words,
    /// Of zones, spaces, components and pieces, one or several.
    which: [Which; 9],
    list: Option<Type>,
    options: Option<Type>,
    answers: Option<Type>,
    maps: SmallVec<[ShapeId; 2]>,
}

/// The things that are told apart by kind or zone, and tables by which they are.
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

/// The most words of a text that are told apart.
const MOST_WORDS: usize = 24;

/// The most maps with unlike parts that are told apart.
const MOST_SHAPES: usize = 24;

/// How deep lists and maps are followed.
const MOST_DEPTH: u8 = 6;

/// Every kind, or every zone.
pub(crate) const EVERY: Which = Which::MAX;

/// The bit of a kind or zone by its position.
pub(crate) fn bit(position: usize) -> Which {
    1 << position.min(63)
}

impl Tags {
    /// None.
    pub(crate) const NONE: Self = Self(0);
    /// All of them.
    pub(crate) const ALL: Self = Self(u32::MAX);

    const PERHAPS: Self = Self(1 << 30);
    const MAP: Self = Self(1 << 28);
    const WEAK: Self = Self(1 << 27);
    /// What values do not show.
    const HIDDEN: Self = Self(Self::PERHAPS.0 | Self::MAP.0 | Self::WEAK.0);

    /// Those of a list.
    pub(crate) fn of(tags: &[Tag]) -> Self {
        Self(tags.iter().fold(0, |set, tag| set | 1 << *tag as u32))
    }

    /// Those in one of both.
    #[must_use]
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those in both.
    #[must_use]
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those that are not in another set.
    #[must_use]
    pub(crate) const fn but(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether there are none.
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a tag is among them.
    pub(crate) const fn has(self, tag: Tag) -> bool {
        self.0 & 1 << tag as u32 != 0
    }

    /// Each of them that values show.
    pub(crate) fn iter(self) -> impl Iterator<Item = Tag> {
        ALL.into_iter().filter(move |tag| self.has(*tag))
    }
}

/// Every tag, in the order in which messages name them.
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
    /// No value: what is never reached.
    pub(crate) const NEVER: Self = Self(0);
    /// Anything: nothing is known.
    pub(crate) const ANY: Self = Self(1);
    /// `()`.
    pub(crate) const NOTHING: Self = Self(2);
    /// `()`, where most rules know that it does not come.
    pub(crate) const PERHAPS: Self = Self(3);
    /// A number.
    pub(crate) const NUMBER: Self = Self(4);
    /// A flag.
    pub(crate) const FLAG: Self = Self(5);
    /// A text, whichever.
    pub(crate) const TEXT: Self = Self(6);
    /// A range.
    pub(crate) const RANGE: Self = Self(7);
    /// A seat.
    pub(crate) const SEAT: Self = Self(8);
    /// Several seats.
    pub(crate) const SEATS: Self = Self(9);
    /// The game.
    pub(crate) const GAME: Self = Self(10);
    /// A function `|…|`.
    pub(crate) const FUNCTION: Self = Self(11);
    /// A map of unknown parts.
    pub(crate) const MAP: Self = Self(12);

    /// Those in the order of their numbers.
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
        text: Words::None,
        which: [0; 9],
        list: None,
        options: None,
        answers: None,
        maps: SmallVec::new_const(),
    };
}

/// Every type there is, with what it is made of.
#[derive(Debug, Clone)]
pub(crate) struct Types {
    unions: Vec<Union>,
    tags: Vec<Tags>,
    depths: Vec<u8>,
    numbers: FxHashMap<Union, Type>,
    joins: FxHashMap<(Type, Type), Type>,
    shapes: Vec<Shape>,
    shape_numbers: FxHashMap<Shape, ShapeId>,
    words: Vec<Arc<[Arc<str>]>>,
    word_numbers: FxHashMap<Arc<[Arc<str>]>, u32>,
}

impl Default for Types {
    fn default() -> Self {
        let mut types = Self {
            unions: Vec::new(),
            tags: Vec::new(),
            depths: Vec::new(),
            numbers: FxHashMap::default(),
            joins: FxHashMap::default(),
            shapes: Vec::new(),
            shape_numbers: FxHashMap::default(),
            words: Vec::new(),
            word_numbers: FxHashMap::default(),
        };
        for (number, plain) in Type::PLAIN.into_iter().enumerate() {
            let text = if number == Type::TEXT.0 as usize { Words::Any } else { Words::None };
            let made = types.number(Union { plain, text, ..Union::NONE });
            debug_assert_eq!(made.0 as usize, number, "plain types have fixed numbers");
        }
        types
    }
}

impl Types {
    fn number(&mut self, union: Union) -> Type {
        // What may be anything may be all else too.
        let union =
            if union.plain.has(Tag::Any) { Union { plain: Tags::of(&[Tag::Any]), ..Union::NONE } } else { union };
        if let Some(known) = self.numbers.get(&union) {
            return *known;
        }
        let depth = self.depth(&union);
        if depth > MOST_DEPTH {
            return Type::ANY;
        }
        let number = Type(self.unions.len() as u32);
        self.tags.push(tags(&union));
        self.depths.push(depth);
        self.unions.push(union.clone());
        self.numbers.insert(union, number);
        number
    }

    fn depth(&self, union: &Union) -> u8 {
        let inner = [union.list, union.options, union.answers].into_iter().flatten();
        let parts = union.maps.iter().flat_map(|shape| {
            let shape = &self.shapes[shape.0 as usize];
            shape.parts.iter().map(|(_, part)| *part).chain(shape.rest)
        });
        inner.chain(parts).map(|inner| self.depths[inner.0 as usize] + 1).max().unwrap_or(0)
    }

    fn shape_number(&mut self, shape: Shape) -> ShapeId {
        if let Some(known) = self.shape_numbers.get(&shape) {
            return *known;
        }
        let number = ShapeId(self.shapes.len() as u32);
        self.shapes.push(shape.clone());
        self.shape_numbers.insert(shape, number);
        number
    }

    fn union(&self, of: Type) -> &Union {
        &self.unions[of.0 as usize]
    }

    // ----- making

    /// A thing of the game, one or several, of some kinds or zones.
    pub(crate) fn thing(&mut self, tag: Tag, which: Which) -> Type {
        let mut union = Union::NONE;
        match THINGS.iter().position(|known| *known == tag) {
            Some(at) => union.which[at] = which,
            None => union.plain = Tags::of(&[tag]),
        }
        self.number(union)
    }

    /// What has a tag, whatever is in it.
    pub(crate) fn tagged(&mut self, tag: Tag) -> Type {
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
            thing => self.thing(thing, EVERY),
        }
    }

    /// What a pattern stands for that goes by no argument.
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
            other => self.tagged(other.tag()),
        }
    }

    /// A list.
    pub(crate) fn list(&mut self, of: Type) -> Type {
        self.number(Union { list: Some(of), ..Union::NONE })
    }

    /// Options.
    pub(crate) fn options(&mut self, of: Type) -> Type {
        self.number(Union { options: Some(of), ..Union::NONE })
    }

    /// What several seats answered.
    pub(crate) fn answers(&mut self, of: Type) -> Type {
        self.number(Union { answers: Some(of), ..Union::NONE })
    }

    /// One of some words.
    pub(crate) fn words(&mut self, words: impl IntoIterator<Item = Arc<str>>) -> Type {
        let mut words: Vec<Arc<str>> = words.into_iter().collect();
        words.sort();
        words.dedup();
        if words.len() > MOST_WORDS {
            return Type::TEXT;
        }
        let number = self.word_number(words.into());
        self.number(Union { text: Words::Among(number), ..Union::NONE })
    }

    fn word_number(&mut self, words: Arc<[Arc<str>]>) -> u32 {
        if let Some(known) = self.word_numbers.get(&words) {
            return *known;
        }
        let number = self.words.len() as u32;
        self.words.push(words.clone());
        self.word_numbers.insert(words, number);
        number
    }

    /// A map.
    pub(crate) fn map(&mut self, mut parts: Vec<(Arc<str>, Type)>, rest: Option<Type>) -> Type {
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        parts.dedup_by(|later, first| later.0 == first.0);
        let shape = self.shape_number(Shape { parts, rest });
        self.number(Union { maps: SmallVec::from_slice(&[shape]), ..Union::NONE })
    }

    /// What may be one or the other.
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
        let key = if a < b { (a, b) } else { (b, a) };
        if let Some(known) = self.joins.get(&key) {
            return *known;
        }
        let joined = self.joined(key.0, key.1);
        self.joins.insert(key, joined);
        joined
    }

    fn joined(&mut self, a: Type, b: Type) -> Type {
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
        if maps.len() > MOST_SHAPES {
            maps.clear();
            plain = plain.or(Tags::MAP);
        }
        maps.sort();
        let which = std::array::from_fn(|at| one.which[at] | other.which[at]);
        self.number(Union { plain, text, which, list, options, answers, maps })
    }

    /// Adds a map to others; one with the same parts joins theirs.
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
        maps[at] = self.shape_number(Shape { parts, rest });
    }

    fn join_words(&mut self, one: Words, other: Words) -> Words {
        match (one, other) {
            (Words::None, other) => other,
            (one, Words::None) => one,
            (Words::Among(one), Words::Among(other)) if one == other => Words::Among(one),
            (Words::Among(one), Words::Among(other)) => {
                let (one, other) = (&self.words[one as usize], &self.words[other as usize]);
                let mut all: Vec<Arc<str>> = one.iter().chain(other.iter()).cloned().collect();
                all.sort();
                all.dedup();
                if all.len() > MOST_WORDS { Words::Any } else { Words::Among(self.word_number(all.into())) }
            }
            _ => Words::Any,
        }
    }

    /// What may be any of several.
    pub(crate) fn join_all(&mut self, all: impl IntoIterator<Item = Type>) -> Type {
        all.into_iter().fold(Type::NEVER, |joined, one| self.join(joined, one))
    }

    // ----- asking

    /// The tags of its values; `()` that hardly comes is not among them.
    pub(crate) fn tags(&self, of: Type) -> Tags {
        self.tags[of.0 as usize]
    }

    /// Whether anything is known of it.
    pub(crate) fn is_known(&self, of: Type) -> bool {
        !self.tags(of).has(Tag::Any)
    }

    /// Those of some tags that are wrong for certain: of what goes by something else, all or none.
    pub(crate) fn wrong(&self, of: Type, bad: Tags) -> Tags {
        if !self.is_known(of) || self.is_weak(of) && bad != self.tags(of) { Tags::NONE } else { bad }
    }

    /// Whether it goes by something that types do not show.
    pub(crate) fn is_weak(&self, of: Type) -> bool {
        !self.union(of).plain.and(Tags::WEAK).is_empty()
    }

    /// It as what goes by something that types do not show.
    pub(crate) fn weakened(&mut self, of: Type) -> Type {
        if of == Type::ANY || of == Type::NEVER {
            return of;
        }
        let union = self.union(of).clone();
        self.number(Union { plain: union.plain.or(Tags::WEAK), ..union })
    }

    /// What may be any of several, by something that types do not show where they are unlike.
    pub(crate) fn join_weakly(&mut self, all: &[Type]) -> Type {
        let joined = self.join_all(all.iter().copied());
        let is_alike = all.iter().all(|one| self.tags(*one) == self.tags(joined));
        if is_alike { joined } else { self.weakened(joined) }
    }

    /// Whether it may be `()`, however seldom.
    pub(crate) fn may_be_nothing(&self, of: Type) -> bool {
        let union = self.union(of);
        union.plain.has(Tag::Any) || union.plain.has(Tag::Nothing) || !union.plain.and(Tags::PERHAPS).is_empty()
    }

    /// Which kinds or zones a thing may be of.
    pub(crate) fn which(&self, of: Type, tag: Tag) -> Which {
        THINGS.iter().position(|known| *known == tag).map_or(0, |at| self.union(of).which[at])
    }

    /// What is in it, where it is a list.
    pub(crate) fn entries(&self, of: Type) -> Option<Type> {
        self.union(of).list
    }

    /// What can be chosen of it, where it is options.
    pub(crate) fn chosen(&self, of: Type) -> Option<Type> {
        self.union(of).options
    }

    /// What each answered, where it is answers.
    pub(crate) fn answered(&self, of: Type) -> Option<Type> {
        self.union(of).answers
    }

    /// The maps it may be.
    pub(crate) fn shapes(&self, of: Type) -> SmallVec<[ShapeId; 2]> {
        self.union(of).maps.clone()
    }

    /// A map.
    pub(crate) fn shape(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    /// Whether it may be a map of which nothing is known.
    pub(crate) fn is_open_map(&self, of: Type) -> bool {
        !self.union(of).plain.and(Tags::MAP).is_empty()
    }

    /// The words it may be, where it is a text and these are known.
    pub(crate) fn known_words(&self, of: Type) -> Option<Arc<[Arc<str>]>> {
        match self.union(of).text {
            Words::Among(words) => Some(self.words[words as usize].clone()),
            _ => None,
        }
    }

    // ----- narrowing

    /// What is left of it with some tags.
    pub(crate) fn keep(&mut self, of: Type, tags: Tags) -> Type {
        let union = self.union(of).clone();
        let keeps = |tag: Tag| tags.has(tag);
        let mut plain = union.plain.and(tags.or(Tags::HIDDEN));
        if !keeps(Tag::Nothing) {
            plain = plain.but(Tags::PERHAPS);
        }
        if !keeps(Tag::Map) {
            plain = plain.but(Tags::MAP);
        }
        let which = std::array::from_fn(|at| if keeps(THINGS[at]) { union.which[at] } else { 0 });
        let kept = Union {
            plain,
            text: if keeps(Tag::Text) { union.text } else { Words::None },
            which,
            list: union.list.filter(|_| keeps(Tag::List)),
            options: union.options.filter(|_| keeps(Tag::Options)),
            answers: union.answers.filter(|_| keeps(Tag::Answers)),
            maps: if keeps(Tag::Map) { union.maps } else { SmallVec::new() },
        };
        self.number(kept)
    }

    /// What is left of it without `()`.
    pub(crate) fn there(&mut self, of: Type) -> Type {
        if of == Type::ANY {
            return of;
        }
        let tags = self.tags(of).but(Tags::of(&[Tag::Nothing]));
        self.keep(of, tags)
    }

    /// It where `()` hardly comes, if it may be `()` at all.
    pub(crate) fn softened(&mut self, of: Type) -> Type {
        if self.tags(of).has(Tag::Nothing) && of != Type::ANY {
            let there = self.there(of);
            return self.join(there, Type::PERHAPS);
        }
        of
    }

    /// The same of what may be something else as well.
    pub(crate) fn replaced(&mut self, of: Type) -> Type {
        if of == Type::NOTHING { of } else { self.softened(of) }
    }

    /// What is left of it where it is `()`.
    pub(crate) fn nothing(&mut self, of: Type) -> Type {
        if of == Type::ANY {
            return Type::NOTHING;
        }
        self.keep(of, Tags::of(&[Tag::Nothing]))
    }

    /// What is left of a thing of some kinds or zones.
    pub(crate) fn of_which(&mut self, of: Type, tag: Tag, which: Which) -> Type {
        let Some(at) = THINGS.iter().position(|known| *known == tag) else { return of };
        if of == Type::ANY {
            return of;
        }
        let mut union = self.union(of).clone();
        union.which[at] &= which;
        self.number(union)
    }

    /// What is left of a map that has a part, or that has it not.
    pub(crate) fn with_part(&mut self, of: Type, name: &str, has: bool) -> Type {
        if of == Type::ANY {
            return of;
        }
        let mut union = self.union(of).clone();
        let shapes = &self.shapes;
        union.maps.retain(|id| {
            let shape = &shapes[id.0 as usize];
            let is_there = shape.parts.iter().any(|(known, _)| **known == *name);
            if has { is_there || shape.rest.is_some() } else { !is_there }
        });
        self.number(union)
    }

    /// What is left of a text that is one of some words, or none of them.
    pub(crate) fn among(&mut self, of: Type, words: &[Arc<str>], is_one: bool) -> Type {
        let union = self.union(of).clone();
        let text = match union.text {
            Words::Among(known) => {
                let known = self.words[known as usize].clone();
                let left: Vec<Arc<str>> = known.iter().filter(|word| words.contains(word) == is_one).cloned().collect();
                if left.is_empty() { Words::None } else { Words::Among(self.word_number(left.into())) }
            }
            Words::Any if is_one => {
                let mut words = words.to_vec();
                words.sort();
                words.dedup();
                if words.len() > MOST_WORDS { Words::Any } else { Words::Among(self.word_number(words.into())) }
            }
            text => text,
        };
        if union.plain.has(Tag::Any) {
            return of;
        }
        self.number(Union { text, ..union })
    }

    /// It with another entry type, where it is a list.
    pub(crate) fn with_entries(&mut self, of: Type, entries: Type) -> Type {
        let union = self.union(of).clone();
        if union.list.is_none() {
            return of;
        }
        self.number(Union { list: Some(entries), ..union })
    }

    /// It with each of its maps changed.
    pub(crate) fn change_maps(&mut self, of: Type, change: &mut dyn FnMut(&mut Self, Shape) -> Vec<Shape>) -> Type {
        let union = self.union(of).clone();
        let mut maps: SmallVec<[ShapeId; 2]> = SmallVec::new();
        let mut plain = union.plain;
        for id in &union.maps {
            let shape = self.shapes[id.0 as usize].clone();
            for changed in change(self, shape) {
                let changed = self.shape_number(changed);
                self.add_shape(&mut maps, changed);
            }
        }
        if maps.len() > MOST_SHAPES {
            maps.clear();
            plain = plain.or(Tags::MAP);
        }
        maps.sort();
        self.number(Union { plain, maps, ..union })
    }

    // ----- comparing

    /// Whether some value may be of both types, as far as tags, words and kinds say.
    pub(crate) fn overlap(&self, a: Type, b: Type) -> bool {
        if !self.is_known(a) || !self.is_known(b) {
            return true;
        }
        let nothing = self.may_be_nothing(a) && self.may_be_nothing(b);
        let both = self.tags(a).and(self.tags(b));
        nothing || both.iter().any(|tag| self.meet(a, b, tag))
    }

    fn meet(&self, a: Type, b: Type, tag: Tag) -> bool {
        match tag {
            Tag::Zone | Tag::Space | Tag::Component | Tag::Piece => self.which(a, tag) & self.which(b, tag) != 0,
            Tag::List => match (self.entries(a), self.entries(b)) {
                // Both may be empty.
                (Some(_), Some(_)) => true,
                _ => false,
            },
            _ => true,
        }
    }

    // ----- in words

    /// What it may be, for messages: "a number", "one of `calm`, `wild`".
    pub(crate) fn in_words(&self, of: Type) -> String {
        match self.known_words(of) {
            Some(words) if self.tags(of) == Tags::of(&[Tag::Text]) => format!("one of `{}`", words.join("`, `")),
            _ => in_words(self.tags(of)),
        }
    }
}

/// Tags for messages: "a number or a text".
pub(crate) fn in_words(tags: Tags) -> String {
    let words: Vec<String> = tags.iter().map(Tag::one).collect();
    match words.as_slice() {
        [several @ .., last] if !several.is_empty() => format!("{} or {last}", several.join(", ")),
        // The type of what never comes about, as the entries of an empty list.
        [] => "anything that occurs here".to_owned(),
        words => words.concat(),
    }
}

/// What follows tags in messages: "a seat is", "seats are".
pub(crate) fn is_or_are(tags: Tags) -> &'static str {
    if tags.iter().last().is_some_and(Tag::is_several) { "are" } else { "is" }
}

fn tags(union: &Union) -> Tags {
    let mut tags = union.plain.but(Tags::HIDDEN);
    let mut add = |is_there: bool, tag: Tag| {
        if is_there {
            tags = tags.or(Tags::of(&[tag]));
        }
    };
    add(union.text != Words::None, Tag::Text);
    add(union.list.is_some(), Tag::List);
    add(union.options.is_some(), Tag::Options);
    add(union.answers.is_some(), Tag::Answers);
    add(!union.maps.is_empty() || !union.plain.and(Tags::MAP).is_empty(), Tag::Map);
    for (tag, which) in THINGS.into_iter().zip(union.which) {
        add(which != 0, tag);
    }
    tags
}

/// Several of what something is one of.
pub(crate) fn several_of(tag: Tag) -> Option<Tag> {
    Some(match tag {
        Tag::Piece => Tag::Pieces,
        Tag::Space => Tag::Spaces,
        Tag::Zone => Tag::Zones,
        Tag::Component => Tag::Components,
        Tag::Seat => Tag::Seats,
        _ => return None,
    })
}

/// One of what something is several of.
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

/// The tags that a pattern takes which goes by no other argument.
pub(crate) fn accepted(pattern: &Pattern) -> Tags {
    match pattern {
        Pattern::Of(Tag::Any) | Pattern::Variable(_) => Tags::ALL,
        Pattern::Of(of) => Tags::of(&[*of]),
        Pattern::Choices(_) => Tags::of(&[
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
        Pattern::Comparable => {
            Tags::ALL.but(Tags::of(&[Tag::Function, Tag::Options, Tag::Answers, Tag::Game, Tag::Entries, Tag::Range]))
        }
        Pattern::Perhaps(inner) => accepted(inner),
        Pattern::Union(all) => all.iter().fold(Tags::NONE, |tags, one| tags.or(accepted(one))),
        other => match other.tag() {
            Tag::Any => Tags::ALL,
            tag => Tags::of(&[tag]),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_about_types_always_has_a_noun() {
        assert!(!in_words(Tags::of(&[])).is_empty());
    }

    #[test]
    fn unions_are_kept_once_and_narrowed() {
        let mut types = Types::default();
        let card = types.thing(Tag::Piece, bit(1));
        let either = types.join(card, Type::NOTHING);
        assert_eq!(types.join(Type::NOTHING, card), either);
        assert_eq!(types.there(either), card);
        assert_eq!(types.nothing(either), Type::NOTHING);
        assert_eq!(types.in_words(either), "a piece or `()`");
        let soft = types.join(card, Type::PERHAPS);
        assert_eq!(types.in_words(soft), "a piece");
        assert!(types.may_be_nothing(soft) && !types.may_be_nothing(card));
        assert_eq!(types.softened(either), soft);
        assert_eq!(types.join(card, Type::ANY), Type::ANY);
    }

    #[test]
    fn maps_are_told_apart_by_their_parts() {
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
    fn words_are_known_up_to_a_number() {
        let mut types = Types::default();
        let (share, half) = (types.words(["share".into()]), types.words(["half".into()]));
        let either = types.join(share, half);
        assert_eq!(types.among(either, &["share".into()], false), half);
        let many = types.words((0..40).map(|at| format!("word {at}").into()));
        assert_eq!(many, Type::TEXT);
    }

    #[test]
    fn what_holds_itself_comes_to_an_end() {
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
