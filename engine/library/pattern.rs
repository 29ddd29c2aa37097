//! What a function of the language takes and results in, written as text beside its parameters: `seat`, `list<T>`,
//! `one => flag`, `decision`.

use super::effect::Effects;
use crate::decision::Type;

/// What may stand for an argument or a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// Something of a type, whatever is in it.
    Of(Type),
    /// `list<T>`
    ListOf(Box<Pattern>),
    /// `options<T>`
    OptionsOf(Box<Pattern>),
    /// `answers<T>`
    AnswersOf(Box<Pattern>),
    /// `choices<T>`: whatever can be chosen from: a list, a set, a zone, a range, options.
    Choices(Box<Pattern>),
    /// `{name:T,…}`: a map with these parts.
    Parts(Vec<(String, Pattern)>),
    /// `T=>U`: a function `|…|`, and what it may not do: `T=>U!asks!changes`.
    Function(Vec<Pattern>, Box<Pattern>, Effects),
    /// A text that names something.
    Name(NameRole),
    /// Yes or no, and what follows is carried out only where it is yes.
    Holds,
    /// Nothing that follows is carried out.
    Never,
    /// What is compared with the fact named before.
    Comparable,
    /// What the first argument holds, one of it: of a zone or a space a piece, of a set its element.
    One,
    /// The same, several.
    Several,
    /// What lies on the zones or spaces of the first argument.
    Held,
    /// A space of the zone that the first argument is, or lies in.
    Place,
    /// Several of these.
    Places,
    /// A space of the zone that the first argument lies in, or `()` where that ends.
    Next,
    /// What is looked for among the entries of the first argument.
    Sought,
    /// What the first argument is.
    Same,
    /// What the fact is that the argument before names.
    Fact,
    /// Options with the parts of the first argument.
    Product,
    /// Options with the two parts that the first two arguments name.
    Pair,
    /// Several of what is chosen from: seats where that is seats, pieces where it is pieces or a zone, otherwise a list.
    Picked,
    /// One type, the same wherever the letter stands.
    Variable(char),
    /// `T?`: what may not be there, though most rules know that it is.
    Perhaps(Box<Pattern>),
    /// `T|U`
    Union(Vec<Pattern>),
}

/// What a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameRole {
    /// A text that is announced.
    Announcement,
    /// A field of cells.
    Cell,
    /// A component, by its id.
    Component,
    /// A decision.
    Decision,
    /// A direction of the compass.
    Direction,
    /// An ending.
    Ending,
    /// A field that names functions of the rules.
    Event,
    /// A fact of what the first argument holds.
    Fact,
    /// A kind of components.
    Kind,
    /// A sort of spaces that pieces step onto.
    Onto,
    /// A fact that is a number.
    Measure,
    /// A part of options.
    Part,
    /// What standing effects alter.
    Alteration,
    /// A relation such as `<`.
    Relation,
    /// A side of a piece.
    Side,
    /// A way to lay a piece.
    Way,
    /// A zone that every seat has one of.
    Zone,
}

impl NameRole {
    /// Those that a pattern can write.
    pub fn all() -> impl Iterator<Item = Self> {
        ROLES.into_iter().map(|(_, role)| role)
    }

    /// Whether it is a fact of what the first argument holds.
    pub fn is_fact(self) -> bool {
        matches!(self, Self::Fact | Self::Measure)
    }
}

/// Roles by the words that patterns write.
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

/// What functions `|…|` may not do, by the words that patterns write.
const FORBIDDEN: [(&str, Effects); 3] =
    [("asks", Effects::ASKS), ("changes", Effects::CHANGES), ("changes_otherwise", Effects::CHANGES_OTHERWISE)];

/// Patterns that go by other arguments.
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

/// Words for several of these at once.
const ALIASES: [(&str, &str); 5] = [
    ("label", "number|text|list"),
    ("spot", "zone|space"),
    ("movable", "piece|pieces|zone|zones|space|spaces|list<piece|pieces|zone|zones|space|spaces|list>"),
    ("ground", "space|spaces|piece|pieces|list<space|spaces|piece|pieces|list>"),
    ("whom", "seats|seat|list<seat>"),
];

/// The parameters of a function, and its result, as far as a text says more than their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenSignature {
    /// The parameters: their names, and their patterns where these are written.
    pub params: Vec<(String, Option<Pattern>)>,
    /// The result, where it is written.
    pub result: Option<Pattern>,
}

impl WrittenSignature {
    /// Reads `name:pattern name -> pattern`.
    ///
    /// # Panics
    /// Where the text is none: the table of the language is written by hand, and a test reads all of it.
    pub fn read(text: &str) -> Self {
        let (params, result) = text.split_once("->").map_or((text, None), |(params, result)| (params, Some(result)));
        let param = |param: &str| match param.split_once(':') {
            Some((name, pattern)) => (name.to_owned(), Some(Pattern::read(pattern))),
            None => (param.to_owned(), None),
        };
        let params = params.split_whitespace().map(param).collect();
        Self { params, result: result.map(|result| Pattern::read(result.trim())) }
    }
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Panics
    /// Where the text is none.
    pub fn read(text: &str) -> Self {
        let mut reader = PatternReader { text, at: 0 };
        let found = reader.union();
        assert_eq!(reader.at, text.len(), "`{text}` is a pattern");
        found
    }

    /// The same where it is there.
    pub fn there(&self) -> &Self {
        match self {
            Self::Perhaps(inner) => inner,
            whole => whole,
        }
    }

    /// Whether it is, or may be, a function `|…|`, which is called.
    pub fn is_called(&self) -> bool {
        match self {
            Self::Function(..) | Self::Of(Type::Function) => true,
            Self::Union(all) => all.iter().any(Self::is_called),
            _ => false,
        }
    }

    /// What the function `|…|` that it is, is given.
    pub fn called_with(&self) -> Option<&[Self]> {
        match self {
            Self::Function(with, ..) => Some(with),
            _ => None,
        }
    }

    /// What the function `|…|` that it takes may not do.
    pub fn forbidden(&self) -> Effects {
        match self {
            Self::Function(_, _, forbidden) => *forbidden,
            Self::Union(all) => all.iter().fold(Effects::NONE, |all, one| all.and(one.forbidden())),
            _ => Effects::NONE,
        }
    }

    /// What texts in it name.
    pub fn roles(&self) -> Vec<NameRole> {
        match self {
            Self::Name(role) => vec![*role],
            Self::ListOf(of) | Self::Choices(of) | Self::Perhaps(of) => of.roles(),
            Self::Union(all) => all.iter().flat_map(Self::roles).collect(),
            _ => Vec::new(),
        }
    }

    /// The names of the parts of maps in it.
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

    /// The type that values of it have, where that is one.
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
                forbidden = forbidden.and(self.forbidden());
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
            return Pattern::read(meant);
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
    fn patterns_are_read() {
        assert_eq!(Pattern::read("seat"), Pattern::Of(Type::Seat));
        assert_eq!(Pattern::read("T?"), Pattern::Perhaps(Box::new(Pattern::Variable('T'))));
        let list = Pattern::ListOf(Box::new(Pattern::One));
        assert_eq!(Pattern::read("list<one>|()"), Pattern::Union(vec![list, Pattern::Of(Type::Nothing)]));
        let function = Pattern::read("(T,number)=>flag");
        let params = vec![Pattern::Variable('T'), Pattern::Of(Type::Number)];
        assert_eq!(function, Pattern::Function(params, Box::new(Pattern::Of(Type::Flag)), Effects::NONE));
        let options = Pattern::read("choices<T>|()=>choices<T>");
        let choices = Pattern::Choices(Box::new(Pattern::Variable('T')));
        let lazy = Pattern::Function(Vec::new(), Box::new(choices.clone()), Effects::NONE);
        assert_eq!(options, Pattern::Union(vec![choices, lazy]));
        assert_eq!(Pattern::read("seat=>T!asks!changes|()").forbidden(), Effects::ASKS.and(Effects::CHANGES));
        let parts = vec![("a".to_owned(), Pattern::One), ("b".to_owned(), Pattern::Of(Type::Spaces))];
        assert_eq!(Pattern::read("{a:one,b:spaces}"), Pattern::Parts(parts));
    }

    #[test]
    fn parameters_are_read_with_their_result() {
        let written = WrittenSignature::read("list name:fact is:comparable -> one?");
        assert_eq!(written.params[0], ("list".to_owned(), None));
        assert_eq!(written.params[1], ("name".to_owned(), Some(Pattern::Name(NameRole::Fact))));
        assert_eq!(written.result, Some(Pattern::Perhaps(Box::new(Pattern::One))));
    }
}
