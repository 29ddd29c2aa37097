//! Type patterns: a notation for parameter and result types that are more precise than [`Type`], such as `seat`, `list<T>`,
//! `one=>flag` or `decision`.

use super::effect::Effects;
use crate::decision::Type;

/// Pattern for the type of an argument or a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// Any value of a type.
    Of(Type),
    /// `list<T>`
    ListOf(Box<Pattern>),
    /// `options<T>`
    OptionsOf(Box<Pattern>),
    /// `answers<T>`
    AnswersOf(Box<Pattern>),
    /// `choices<T>`: anything from which a `T` can be chosen: a list, a collection, a zone, a range, or options.
    Choices(Box<Pattern>),
    /// `{name:T,…}`: a map with these keys.
    Parts(Vec<(String, Pattern)>),
    /// `T=>U`: a function, with the effects that it must not have, as in `T=>U!asks!changes`.
    Function(Vec<Pattern>, Box<Pattern>, Effects),
    /// A string that names an entity, such as a fact or a decision.
    Name(NameRole),
    /// A condition that is true in all code after the call.
    Holds,
    /// The result of a function that never returns.
    Never,
    /// A value that is compared with the fact named by the previous argument.
    Comparable,
    /// An element of the first argument: a piece of a zone or a space, or an element of a collection.
    One,
    /// Several elements of the first argument.
    Several,
    /// The pieces on the zones or spaces of the first argument.
    Held,
    /// A space of the first argument's zone.
    Place,
    /// Several spaces of the first argument's zone.
    Places,
    /// A space of the zone that the first argument is in, or `()` at the end of that zone.
    Next,
    /// A value that is searched for among the entries of the first argument.
    Sought,
    /// The type of the first argument.
    Same,
    /// The type of the fact named by the previous argument.
    Fact,
    /// Options with the parts of the first argument.
    Product,
    /// Options with two parts, which are named by the first two arguments.
    Pair,
    /// Several of the elements to choose from: seats from seats, pieces from pieces or a zone, otherwise a list.
    Picked,
    /// A type variable, which stands for the same type in all places of a signature.
    Variable(char),
    /// `T?`: a `T` or `()`. In most uses, the context excludes `()`.
    Perhaps(Box<Pattern>),
    /// `T|U`
    Union(Vec<Pattern>),
}

/// Kind of entity that a string names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameRole {
    /// A declared announcement.
    Announcement,
    /// A field of cells.
    Cell,
    /// The id of a component.
    Component,
    /// A decision.
    Decision,
    /// A direction between spaces.
    Direction,
    /// An ending.
    Ending,
    /// A field that holds rule functions.
    Event,
    /// A fact of the elements of the first argument. If the first parameter's pattern is a union, a fact of the
    /// argument itself.
    Fact,
    /// A kind of components.
    Kind,
    /// A class of spaces that pieces step onto, such as empty ones.
    Onto,
    /// A fact that is a number.
    Measure,
    /// A part of options.
    Part,
    /// A quantity that modifiers alter.
    Alteration,
    /// A comparison operator, such as `<`.
    Relation,
    /// A side of a piece.
    Side,
    /// A way to place a piece on a grid.
    Way,
    /// A per-seat zone.
    Zone,
}

impl NameRole {
    /// Iterates over all roles.
    pub fn all() -> impl Iterator<Item = Self> {
        ROLES.into_iter().map(|(_, role)| role)
    }

    /// Returns whether the role stands for names of facts.
    pub fn is_fact(self) -> bool {
        matches!(self, Self::Fact | Self::Measure)
    }
}

/// Roles with their keywords in the pattern notation.
const ROLES: [(&str, NameRole); 17] = [
    ("announcement", NameRole::Announcement),
    ("cell", NameRole::Cell),
    ("component_id", NameRole::Component),
    ("decision", NameRole::Decision),
    ("direction", NameRole::Direction),
    ("ending", NameRole::Ending),
    ("event", NameRole::Event),
    ("fact", NameRole::Fact),
    ("measure", NameRole::Measure),
    ("kind", NameRole::Kind),
    ("onto", NameRole::Onto),
    ("part", NameRole::Part),
    ("alteration", NameRole::Alteration),
    ("relation", NameRole::Relation),
    ("side", NameRole::Side),
    ("way", NameRole::Way),
    ("seat_zone", NameRole::Zone),
];

/// Keywords of the pattern notation for the effects that a function argument must not have.
const FORBIDDEN: [(&str, Effects); 3] =
    [("asks", Effects::ASKS), ("changes", Effects::CHANGES), ("changes_otherwise", Effects::CHANGES_OTHERWISE)];

/// Keywords of the pattern notation for patterns that depend on other arguments.
const DEPENDENT: [(&str, Pattern); 15] = [
    ("holds", Pattern::Holds),
    ("never", Pattern::Never),
    ("comparable", Pattern::Comparable),
    ("one", Pattern::One),
    ("several", Pattern::Several),
    ("held", Pattern::Held),
    ("place", Pattern::Place),
    ("places", Pattern::Places),
    ("next", Pattern::Next),
    ("sought", Pattern::Sought),
    ("same", Pattern::Same),
    ("its_fact", Pattern::Fact),
    ("product", Pattern::Product),
    ("pair", Pattern::Pair),
    ("picked", Pattern::Picked),
];

/// Keywords of the pattern notation that abbreviate unions of patterns.
const ALIASES: [(&str, &str); 5] = [
    ("label", "number|text|list"),
    ("spot", "zone|space"),
    ("movable", "piece|pieces|zone|zones|space|spaces|list<piece|pieces|zone|zones|space|spaces|list>"),
    ("ground", "space|spaces|piece|pieces|list<space|spaces|piece|pieces|list>"),
    ("whom", "seats|seat|list<seat>"),
];

/// A parsed signature. Patterns may be omitted if the Rust types of the native function are precise enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedSignature {
    /// Names of the parameters, each with its pattern if given.
    pub params: Vec<(String, Option<Pattern>)>,
    /// Pattern of the result, if given.
    pub result: Option<Pattern>,
}

impl ParsedSignature {
    /// Parses a signature such as `list name:fact -> one?`.
    ///
    /// # Panics
    /// Panics on invalid text. All signatures are constants of the library, and a test parses them all.
    pub fn parse(text: &str) -> Self {
        let (params, result) = text.split_once("->").map_or((text, None), |(params, result)| (params, Some(result)));
        let param = |param: &str| match param.split_once(':') {
            Some((name, pattern)) => (name.to_owned(), Some(Pattern::parse(pattern))),
            None => (param.to_owned(), None),
        };
        let params = params.split_whitespace().map(param).collect();
        Self { params, result: result.map(|result| Pattern::parse(result.trim())) }
    }
}

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Panics
    /// Panics on invalid text.
    pub fn parse(text: &str) -> Self {
        let mut reader = PatternReader { text, at: 0 };
        let found = reader.union();
        assert_eq!(reader.at, text.len(), "`{text}` is a pattern");
        found
    }

    /// Returns the inner pattern of `T?`, and any other pattern unchanged.
    pub fn without_optional(&self) -> &Self {
        match self {
            Self::Perhaps(inner) => inner,
            whole => whole,
        }
    }

    /// Returns whether a value that matches the pattern may be a function.
    pub fn may_be_function(&self) -> bool {
        match self {
            Self::Function(..) | Self::Of(Type::Function) => true,
            Self::Union(all) => all.iter().any(Self::may_be_function),
            _ => false,
        }
    }

    /// Returns the parameters of a function pattern; `None` for other patterns.
    pub fn function_params(&self) -> Option<&[Self]> {
        match self {
            Self::Function(with, ..) => Some(with),
            _ => None,
        }
    }

    /// Returns the effects that a function argument with this pattern must not have.
    pub fn forbidden(&self) -> Effects {
        match self {
            Self::Function(_, _, forbidden) => *forbidden,
            Self::Union(all) => all.iter().fold(Effects::NONE, |all, one| all.union(one.forbidden())),
            _ => Effects::NONE,
        }
    }

    /// Returns the roles of the names that the pattern accepts.
    pub fn roles(&self) -> Vec<NameRole> {
        match self {
            Self::Name(role) => vec![*role],
            Self::ListOf(of) | Self::Choices(of) | Self::Perhaps(of) => of.roles(),
            Self::Union(all) => all.iter().flat_map(Self::roles).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the keys of the maps in the pattern, including nested maps.
    pub fn parts(&self) -> Vec<&str> {
        match self {
            Self::Parts(parts) => {
                parts.iter().flat_map(|(name, of)| std::iter::once(name.as_str()).chain(of.parts())).collect()
            }
            Self::ListOf(of) | Self::OptionsOf(of) | Self::AnswersOf(of) | Self::Choices(of) | Self::Perhaps(of) => {
                of.parts()
            }
            Self::Union(all) => all.iter().flat_map(Self::parts).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the type of all values that match, or [`Type::Any`] if the pattern alone does not determine it.
    pub fn tag(&self) -> Type {
        match self {
            Self::Of(of) => *of,
            Self::ListOf(_) => Type::List,
            Self::OptionsOf(_) | Self::Product | Self::Pair => Type::Options,
            Self::AnswersOf(_) => Type::Answers,
            Self::Parts(_) => Type::Map,
            Self::Function(..) => Type::Function,
            Self::Name(_) => Type::Text,
            Self::Holds => Type::Flag,
            Self::Place => Type::Space,
            Self::Places => Type::Spaces,
            Self::Held => Type::Pieces,
            _ => Type::Any,
        }
    }
}

struct PatternReader<'t> {
    text: &'t str,
    at: usize,
}

impl PatternReader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn take(&mut self, symbol: &str) -> bool {
        let is_there = self.rest().starts_with(symbol);
        self.at += if is_there { symbol.len() } else { 0 };
        is_there
    }

    fn expect(&mut self, symbol: &str) {
        assert!(self.take(symbol), "`{symbol}` stands at {} of `{}`", self.at, self.text);
    }

    fn union(&mut self) -> Pattern {
        let mut all = vec![self.function()];
        while self.take("|") {
            all.push(self.function());
        }
        if all.len() == 1 { all.remove(0) } else { Pattern::Union(all) }
    }

    fn function(&mut self) -> Pattern {
        let begin = self.at;
        let params = if self.rest().starts_with("()=>") {
            self.expect("()");
            Vec::new()
        } else if self.take("(") && !self.rest().starts_with(')') {
            let mut params = vec![self.union()];
            while self.take(",") {
                params.push(self.union());
            }
            self.expect(")");
            params
        } else {
            self.at = begin;
            vec![self.postfix()]
        };
        if self.take("=>") {
            let result = Box::new(self.postfix());
            let mut forbidden = Effects::NONE;
            while self.take("!") {
                forbidden = forbidden.union(self.forbidden());
            }
            return Pattern::Function(params, result, forbidden);
        }
        let [one] = <[Pattern; 1]>::try_from(params).expect("a pattern stands alone");
        one
    }

    fn forbidden(&mut self) -> Effects {
        let word = self.word();
        let known = FORBIDDEN.iter().find(|(known, _)| *known == word);
        known.unwrap_or_else(|| panic!("`{word}` is nothing that a function may not do")).1
    }

    fn postfix(&mut self) -> Pattern {
        let one = self.single();
        if self.take("?") { Pattern::Perhaps(Box::new(one)) } else { one }
    }

    fn single(&mut self) -> Pattern {
        if self.take("{") {
            return self.parts();
        }
        if self.take("()") {
            return Pattern::Of(Type::Nothing);
        }
        let word = self.word();
        if self.take("<") {
            let inner = Box::new(self.union());
            self.expect(">");
            return match &*word {
                "list" => Pattern::ListOf(inner),
                "options" => Pattern::OptionsOf(inner),
                "answers" => Pattern::AnswersOf(inner),
                "choices" => Pattern::Choices(inner),
                other => panic!("nothing is a `{other}<…>`"),
            };
        }
        if let Some((_, meant)) = ALIASES.iter().find(|(known, _)| *known == word) {
            return Pattern::parse(meant);
        }
        let is_letter = word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
        let variable = || word.chars().next().filter(|_| is_letter).map(Pattern::Variable);
        let of = || Type::ALL.into_iter().find(|of| of.word() == word).map(Pattern::Of);
        let role = || ROLES.iter().find(|(known, _)| *known == word).map(|(_, role)| Pattern::Name(*role));
        let other = || DEPENDENT.iter().find(|(known, _)| *known == word).map(|(_, pattern)| pattern.clone());
        variable().or_else(of).or_else(role).or_else(other).unwrap_or_else(|| panic!("`{word}` is no pattern"))
    }

    fn parts(&mut self) -> Pattern {
        let mut parts = Vec::new();
        loop {
            let name = self.word();
            self.expect(":");
            parts.push((name, self.union()));
            if !self.take(",") {
                self.expect("}");
                return Pattern::Parts(parts);
            }
        }
    }

    fn word(&mut self) -> String {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = rest[..length].to_owned();
        self.at += length;
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_parsed() {
        assert_eq!(Pattern::parse("seat"), Pattern::Of(Type::Seat));
        assert_eq!(Pattern::parse("T?"), Pattern::Perhaps(Box::new(Pattern::Variable('T'))));
        let list = Pattern::ListOf(Box::new(Pattern::One));
        assert_eq!(Pattern::parse("list<one>|()"), Pattern::Union(vec![list, Pattern::Of(Type::Nothing)]));
        let function = Pattern::parse("(T,number)=>flag");
        let params = vec![Pattern::Variable('T'), Pattern::Of(Type::Number)];
        assert_eq!(function, Pattern::Function(params, Box::new(Pattern::Of(Type::Flag)), Effects::NONE));
        let options = Pattern::parse("choices<T>|()=>choices<T>");
        let choices = Pattern::Choices(Box::new(Pattern::Variable('T')));
        let lazy = Pattern::Function(Vec::new(), Box::new(choices.clone()), Effects::NONE);
        assert_eq!(options, Pattern::Union(vec![choices, lazy]));
        assert_eq!(Pattern::parse("seat=>T!asks!changes|()").forbidden(), Effects::ASKS.union(Effects::CHANGES));
        let parts = vec![("a".to_owned(), Pattern::One), ("b".to_owned(), Pattern::Of(Type::Spaces))];
        assert_eq!(Pattern::parse("{a:one,b:spaces}"), Pattern::Parts(parts));
    }

    #[test]
    fn signatures_are_parsed() {
        let written = ParsedSignature::parse("list name:fact is:comparable -> one?");
        assert_eq!(written.params[0], ("list".to_owned(), None));
        assert_eq!(written.params[1], ("name".to_owned(), Some(Pattern::Name(NameRole::Fact))));
        assert_eq!(written.result, Some(Pattern::Perhaps(Box::new(Pattern::One))));
    }
}
