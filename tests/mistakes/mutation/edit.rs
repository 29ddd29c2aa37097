//! The slips people make: where each can happen in a game, and what it makes of the file.

use super::token::{self, Sort, Token};
use parlour::script::Host;
use parlour::table::Chance;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

/// A sort of slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Letters of a name in a script.
    Name,
    /// Letters of a word in quotes in a script.
    Quoted,
    /// Letters of a key of a data file.
    Key,
    /// Letters of a word of a data file that names something.
    Word,
    /// Letters of a function's name where it is defined, and only there.
    Function,
    /// A number in quotes.
    Number,
    /// A comma less.
    Comma,
    /// A field less in a row of the component list.
    Field,
}

impl Kind {
    /// Every kind, in the order of the report.
    pub(crate) const ALL: [Self; 8] =
        [Self::Name, Self::Quoted, Self::Key, Self::Word, Self::Function, Self::Number, Self::Comma, Self::Field];

    /// Whether the slip misspells a name.
    pub(crate) const fn misspells(self) -> bool {
        matches!(self, Self::Name | Self::Quoted | Self::Key | Self::Word | Self::Function)
    }

    /// What the report calls it.
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

/// What stands before the name of a decision or of a kind.
const HEADINGS: [&str; 3] = ["[decisions.", "[kinds.", "\n[["];

/// A place where a slip can happen.
#[derive(Clone, Debug)]
struct Site {
    file: usize,
    span: Range<usize>,
}

/// A game's files and every place where something can go wrong.
pub(crate) struct Ground {
    /// The files, by path.
    pub(crate) texts: Vec<(String, String)>,
    sites: BTreeMap<Kind, Vec<Site>>,
    /// Every name of the game and of the vocabulary.
    names: BTreeSet<String>,
    /// How often each name stands in the game, and how often in quotes.
    times: BTreeMap<String, usize>,
    quoted: BTreeMap<String, usize>,
    /// What decisions, kinds and functions are called: a row's id of that name is something else, and words in quotes mean these.
    called: BTreeSet<String>,
}

/// A slip.
pub(crate) struct Edit {
    /// What sort it is.
    pub(crate) kind: Kind,
    /// The files with it.
    pub(crate) texts: Vec<(String, String)>,
    /// What was there.
    pub(crate) before: String,
    /// Whether what was there stands nowhere else: to change it is to call something by another name.
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

impl Ground {
    /// The files of a game, plays left out.
    pub(crate) fn new(texts: Vec<(String, String)>) -> Self {
        let mut sites: BTreeMap<Kind, Vec<Site>> = BTreeMap::new();
        let mut names: BTreeSet<String> =
            Host::vocabulary().into_iter().filter(|word| !word.is_own()).map(|word| word.name).collect();
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        let (mut quoted, mut called) = (BTreeMap::new(), BTreeSet::new());
        for (file, (path, text)) in texts.iter().enumerate() {
            let tokens = if is_script(path) { token::script(text) } else { token::data(text) };
            for token in &tokens {
                let word = &text[token.span.clone()];
                names.insert(word.to_owned());
                *times.entry(word.to_owned()).or_default() += 1;
                if matches!(token.sort, Sort::Quoted | Sort::Word) {
                    *quoted.entry(word.to_owned()).or_default() += 1;
                }
                let before = &text[..token.span.start];
                if token.sort == Sort::Function || HEADINGS.iter().any(|heading| before.ends_with(heading)) {
                    called.insert(word.to_owned());
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
        Self { texts, sites, names, times, quoted, called }
    }

    /// Whether a word is what a row is called, and nothing refers to that: what is called the same elsewhere is something else.
    fn is_row_alone(&self, text: &str, span: &Range<usize>) -> bool {
        let word = &text[span.clone()];
        let is_id = text[..span.start].ends_with("\nid = \"");
        is_id && (self.quoted.get(word) == Some(&1) || self.called.contains(word))
    }

    /// A slip at random.
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
            // What is called by the name of something else is not misspelled, it is mistaken.
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
                is_renaming: self.times.get(before) == Some(&1)
                    || is_unused_parameter(text, &site.span)
                    || self.is_row_alone(text, &site.span),
                place: format!("{path}:{line}"),
                after,
            };
        }
    }
}

fn kind(token: &Token, text: &str) -> Option<Kind> {
    Some(match token.sort {
        Sort::Name => Kind::Name,
        Sort::Function => Kind::Function,
        Sort::Quoted => Kind::Quoted,
        Sort::Key => Kind::Key,
        Sort::Word => Kind::Word,
        Sort::Number => Kind::Number,
        // One at the end of a list may stand or fall.
        Sort::Comma if text[token.span.end..].trim_start().starts_with([']', '}', ')']) => return None,
        Sort::Comma => Kind::Comma,
    })
}

/// Whether a name stands among the parameters of a function that does not use it.
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

/// The fields of the rows of a component list: whole lines `key = value`, the id left out.
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

/// A name with one letter doubled, dropped, replaced or exchanged with its neighbor.
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
