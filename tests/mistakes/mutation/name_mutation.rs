//! Mutations that imitate typing mistakes, such as misspelled names and lost commas.

use super::token::{self, Token, TokenKind};
use parlour::script::Host;
use parlour::table::Chance;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Misspelled name in a script.
    Name,
    /// Misspelled word in quotes in a script.
    Quoted,
    /// Misspelled key in a data file.
    Key,
    /// Misspelled name in a value of a data file.
    Word,
    /// Misspelled function name in the function's definition.
    Function,
    /// Number that is put in quotes.
    Number,
    /// Removed comma.
    Comma,
    /// Removed field of a component.
    Field,
}

impl Kind {
    /// All kinds, in the order of the report.
    pub(crate) const ALL: [Self; 8] =
        [Self::Name, Self::Quoted, Self::Key, Self::Word, Self::Function, Self::Number, Self::Comma, Self::Field];

    /// Returns whether the mutation misspells a name.
    pub(crate) const fn misspells(self) -> bool {
        matches!(self, Self::Name | Self::Quoted | Self::Key | Self::Word | Self::Function)
    }

    /// Returns the label for the report.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Name => "script: name misspelled",
            Self::Quoted => "script: word misspelled",
            Self::Key => "data: key misspelled",
            Self::Word => "data: word misspelled",
            Self::Function => "function renamed",
            Self::Number => "number turned to text",
            Self::Comma => "comma lost",
            Self::Field => "card's field removed",
        }
    }
}

/// Texts that precede the name of a decision or kind in a table header.
const HEADINGS: [&str; 3] = ["[decisions.", "[kinds.", "\n[["];

/// Place where a mutation is possible.
#[derive(Clone, Debug)]
struct Site {
    file: usize,
    span: Range<usize>,
}

/// Files of a game, and all places where a mutation is possible.
pub(crate) struct MutationSites {
    /// Path and text of each file.
    pub(crate) texts: Vec<(String, String)>,
    sites: BTreeMap<Kind, Vec<Site>>,
    /// All names of the game and the library.
    names: BTreeSet<String>,
    /// Number of occurrences of each name in the game.
    occurrences: BTreeMap<String, usize>,
    /// Number of occurrences of each name in quotes.
    quoted: BTreeMap<String, usize>,
    /// Names of decisions, kinds and functions. If such a name occurs in quotes, it does not have to refer to a component with the same id.
    declared: BTreeSet<String>,
}

/// Game with one mutation.
pub(crate) struct Edit {
    pub(crate) kind: Kind,
    /// Files of the mutated game.
    pub(crate) texts: Vec<(String, String)>,
    /// Text that the mutation replaces.
    pub(crate) before: String,
    /// Whether nothing else refers to the replaced name. The mutation is then a consistent renaming and not an error.
    pub(crate) is_renaming: bool,
    place: String,
    after: String,
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: `{}` became `{}`", self.kind.title(), self.place, self.before, self.after)
    }
}

fn is_script(path: &str) -> bool {
    ["rules/", "agents/"].iter().any(|folder| path.starts_with(folder))
}

impl MutationSites {
    /// Finds all places in a game's files where a mutation is possible. The files must not include playscripts.
    pub(crate) fn new(texts: Vec<(String, String)>) -> Self {
        let mut sites: BTreeMap<Kind, Vec<Site>> = BTreeMap::new();
        let mut names: BTreeSet<String> =
            Host::vocabulary().into_iter().filter(|word| !word.is_own()).map(|word| word.name).collect();
        let mut occurrences: BTreeMap<String, usize> = BTreeMap::new();
        let (mut quoted, mut declared) = (BTreeMap::new(), BTreeSet::new());
        for (file, (path, text)) in texts.iter().enumerate() {
            let tokens = if is_script(path) { token::script(text) } else { token::data(text) };
            for token in &tokens {
                let word = &text[token.span.clone()];
                names.insert(word.to_owned());
                *occurrences.entry(word.to_owned()).or_default() += 1;
                if matches!(token.kind, TokenKind::Quoted | TokenKind::Word) {
                    *quoted.entry(word.to_owned()).or_default() += 1;
                }
                let before = &text[..token.span.start];
                if token.kind == TokenKind::Function || HEADINGS.iter().any(|heading| before.ends_with(heading)) {
                    declared.insert(word.to_owned());
                }
                if let Some(kind) = kind(token, text) {
                    sites.entry(kind).or_default().push(Site { file, span: token.span.clone() });
                }
            }
            if path.starts_with("components/") {
                let fields = fields(text).into_iter().map(|span| Site { file, span });
                sites.entry(Kind::Field).or_default().extend(fields);
            }
        }
        Self { texts, sites, names, occurrences, quoted, declared }
    }

    /// Returns whether a word is the id of a component to which no other text refers.
    fn is_row_alone(&self, text: &str, span: &Range<usize>) -> bool {
        let word = &text[span.clone()];
        let is_id = text[..span.start].ends_with("\nid = \"");
        is_id && (self.quoted.get(word) == Some(&1) || self.declared.contains(word))
    }

    /// Draws a mutation at random.
    pub(crate) fn edit(&self, chance: &mut Chance) -> Edit {
        loop {
            let kind = Kind::ALL[chance.below(Kind::ALL.len() as u32) as usize];
            let Some(sites) = self.sites.get(&kind).filter(|sites| !sites.is_empty()) else { continue };
            let site = &sites[chance.below(sites.len() as u32) as usize];
            let (path, text) = &self.texts[site.file];
            let before = &text[site.span.clone()];
            let after = match kind {
                Kind::Number => format!("\"{before}\""),
                Kind::Comma | Kind::Field => String::new(),
                _ => misspelled(before, chance),
            };
            // The misspelled name must not be the name of something else, which could be valid in this place.
            if kind.misspells() && (after.is_empty() || self.names.contains(&after)) {
                continue;
            }
            let line = text[..site.span.start].matches('\n').count() + 1;
            let changed = [&text[..site.span.start], &after, &text[site.span.end..]].concat();
            let mut texts = self.texts.clone();
            texts[site.file].1 = changed;
            return Edit {
                kind,
                texts,
                before: before.to_owned(),
                is_renaming: self.occurrences.get(before) == Some(&1)
                    || is_unused_parameter(text, &site.span)
                    || self.is_row_alone(text, &site.span),
                place: format!("{path}:{line}"),
                after,
            };
        }
    }
}

fn kind(token: &Token, text: &str) -> Option<Kind> {
    Some(match token.kind {
        TokenKind::Name => Kind::Name,
        TokenKind::Function => Kind::Function,
        TokenKind::Quoted => Kind::Quoted,
        TokenKind::Key => Kind::Key,
        TokenKind::Word => Kind::Word,
        TokenKind::Number => Kind::Number,
        // A trailing comma is optional, so its removal is not a mistake.
        TokenKind::Comma if text[token.span.end..].trim_start().starts_with([']', '}', ')']) => return None,
        TokenKind::Comma => Kind::Comma,
    })
}

/// Returns whether a name is a parameter that its function does not use.
fn is_unused_parameter(text: &str, span: &Range<usize>) -> bool {
    let line_start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    if !text[line_start..].starts_with("fn ") {
        return false;
    }
    let end = text[span.end..].find("\nfn ").map_or(text.len(), |at| span.end + at);
    let name = &text[span.clone()];
    let rest = &text[span.end..end];
    let is_use = |token: &Token| &rest[token.span.clone()] == name && !rest[..token.span.start].ends_with('.');
    !token::script(rest).iter().any(is_use)
}

/// Returns the byte ranges of the `key = value` lines in the rows of a component file, except ids, names and provenance.
fn fields(text: &str) -> Vec<Range<usize>> {
    let mut fields = Vec::new();
    let mut is_row = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_whole = line.matches(['[', '{']).count() == line.matches([']', '}']).count();
        if line.starts_with('[') {
            is_row = line.starts_with("[[");
        } else if is_row && is_whole && line.contains(" = ") && line.starts_with(char::is_alphabetic) {
            let is_field = !["id", "name", "provenance"].iter().any(|key| line.starts_with(&format!("{key} =")));
            if is_field {
                fields.push(at..at + line.len());
            }
        }
        at += line.len();
    }
    fields
}

/// Misspells a name by doubling, dropping, replacing or swapping a letter.
fn misspelled(name: &str, chance: &mut Chance) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let at = chance.below(letters.len() as u32) as usize;
    match chance.below(4) {
        0 => letters.insert(at, letters[at]),
        1 if letters.len() > 1 => _ = letters.remove(at),
        2 if at + 1 < letters.len() => letters.swap(at, at + 1),
        _ => letters[at] = char::from(b'a' + chance.below(26) as u8),
    }
    letters.into_iter().collect()
}
