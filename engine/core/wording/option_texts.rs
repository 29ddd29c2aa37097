//! Texts of a decision's options, for matching input. If there are very many options, they are not listed. Instead, the input is matched
//! against the parts of the options.

use super::names::{Wording, ordered};
use super::offer::Offer;
use crate::decision::{Choice, Decision, MAX_CONSIDERED, OptionSet};
use crate::model::Decision as Declared;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The texts of a decision's options, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionTexts {
    tree: TextTree,
    /// Text for passing, if passing is the last option and the options are not listed. `None` otherwise.
    pass: Option<String>,
    count: usize,
    /// Separator between the parts of an option.
    separator: &'static str,
}

/// Texts of a set of options.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TextTree {
    /// A list of texts.
    Listed(Vec<String>),
    /// Range of numbers from the first to the second field, inclusive. The third field is the text before each number.
    Numbers(i64, i64, String),
    /// All combinations of named parts. `order` contains the indices of the parts in the order in which they are written.
    Product { parts: Vec<(String, TextTree)>, order: Vec<usize> },
    /// Several sets, one after another.
    Union(Vec<TextTree>),
    /// Options of a part that has too many of them to list. They have no texts; the field is their number.
    Unlisted(usize),
}

/// The options of a set that match a text.
#[derive(Clone)]
enum Match {
    All,
    These(Vec<usize>),
    Product(Vec<Match>),
    Union(Vec<Option<Match>>),
    /// Alternatives that differ in the part to which an ambiguous word belongs. They have no options in common, unless a part has too many
    /// options to list.
    Readings(Vec<Match>),
}

/// The options that match a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matches {
    /// Number of matches.
    pub count: usize,
    /// Indices of the first matches.
    pub first: Vec<usize>,
}

/// Maximum number of indices that a search of unlisted options returns. Also the size of a sample of texts.
const MAX_MATCHES: usize = 64;

/// Maximum number of alternative readings of a text.
const MAX_READINGS: usize = 64;

/// Number of consecutive integers above which they are stored as a range instead of a list.
const MIN_RANGE: usize = 64;

/// Function that returns the indices of the texts that match an input.
pub type Matcher<'a> = &'a dyn Fn(&[String], &str) -> Vec<usize>;

impl OptionTexts {
    /// Creates option texts from a list.
    pub fn listed(texts: Vec<String>) -> Self {
        Self { count: texts.len(), tree: TextTree::Listed(texts), pass: None, separator: " " }
    }

    /// Creates the texts of all options in the notation of playscripts.
    pub fn written(offer: &Offer<'_>) -> Self {
        Self::new(offer.decision, " ", &offer.wording, &|choice| offer.written(choice))
    }

    /// Creates the texts of all options for people.
    pub fn worded(offer: &Offer<'_>) -> Self {
        let comma = offer.wording.log.comma;
        Self::new(offer.decision, comma, &offer.wording, &|choice| offer.worded(choice))
    }

    fn new(decision: &Decision, separator: &'static str, wording: &Wording, text: &dyn Fn(&Choice) -> String) -> Self {
        let count = decision.count();
        if count <= MAX_CONSIDERED {
            return Self::listed((0..count).map(|at| text(&decision.option(at))).collect());
        }
        let declared = &wording.model.decisions[decision.id.index()];
        let tree = text_tree(&decision.options, None, declared, text);
        Self { tree, pass: decision.pass.map(|_| text(&Choice::Nothing)), count, separator }
    }

    /// Returns the number of options.
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are no options.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns all texts, if they are listed.
    pub fn all(&self) -> Option<&[String]> {
        match &self.tree {
            TextTree::Listed(texts) if self.pass.is_none() => Some(texts),
            _ => None,
        }
    }

    /// Returns the text of the option at index `at`.
    pub fn get(&self, at: usize) -> Cow<'_, str> {
        match &self.pass {
            Some(pass) if at + 1 == self.count => pass.into(),
            _ => self.tree.text(at, self.separator),
        }
    }

    /// Returns all texts if they are listed. Otherwise, returns a sample of evenly spaced texts.
    pub fn some(&self) -> Cow<'_, [String]> {
        match self.all() {
            Some(all) => all.into(),
            None => (0..MAX_MATCHES)
                .map(|at| self.get((self.count as u128 * at as u128 / MAX_MATCHES as u128) as usize).into_owned())
                .collect(),
        }
    }

    /// Returns whether the options are a range of numbers that are not listed.
    pub fn are_unlisted_numbers(&self) -> bool {
        matches!(&self.tree, TextTree::Numbers(_, _, head) if head.is_empty())
    }

    /// Returns the index of the first option with exactly this text.
    pub fn position_of(&self, text: &str) -> Option<usize> {
        if let Some(all) = self.all() {
            return all.iter().position(|one| one == text);
        }
        let is_same = |one: &String, text: &str| one.split_whitespace().eq(text.split_whitespace());
        let same = |texts: &[String], text: &str| (0..texts.len()).filter(|at| is_same(&texts[*at], text)).collect();
        self.fits(text, &same).first.into_iter().find(|at| self.get(*at) == text)
    }

    /// Returns the options that match an input.
    pub fn fits(&self, text: &str, fits: Matcher<'_>) -> Matches {
        if let Some(texts) = self.all() {
            let first = fits(texts, text);
            return Matches { count: first.len(), first };
        }
        if let Some(pass) = self.pass.as_ref().filter(|pass| !fits(std::slice::from_ref(*pass), text).is_empty())
            && pass.split_whitespace().count() == text.split_whitespace().count()
        {
            return Matches { count: 1, first: vec![self.count - 1] };
        }
        // Separators without a space, as in Chinese, must also end a word.
        let parted = if self.separator.ends_with(char::is_whitespace) {
            text.to_owned()
        } else {
            text.replace(self.separator, &format!("{} ", self.separator))
        };
        let Some(found) = self.tree.find_match(&parted, fits) else { return Matches { count: 0, first: Vec::new() } };
        let (count, first) = (self.tree.count_of(&found), self.tree.first_of(&found, MAX_MATCHES));
        // Because a word may belong to several parts, the matches may include options whose text does not match. These are removed if all
        // matches are known.
        let is_match = |at: &usize| !fits(&[self.get(*at).into_owned()], text).is_empty();
        if count == first.len() {
            let first: Vec<usize> = first.into_iter().filter(is_match).collect();
            return Matches { count: first.len(), first };
        }
        Matches { count, first }
    }
}

/// Creates the texts of a set of options. `part` is the name of the part that the set belongs to, if any.
fn text_tree(set: &OptionSet, part: Option<&str>, declared: &Declared, text: &dyn Fn(&Choice) -> String) -> TextTree {
    let in_part = |choice: Choice| match part {
        Some(part) => text(&Choice::Parts([(part.into(), choice)].into())),
        None => text(&choice),
    };
    match set {
        OptionSet::Product(parts) if part.is_none() => {
            let mut names: Vec<_> = parts.iter().map(|(name, _)| (name.clone(), Choice::Nothing)).collect();
            names.sort_by(|a, b| a.0.cmp(&b.0));
            let place = |name: &str| parts.iter().position(|(known, _)| **known == *name);
            let order = ordered(declared, &names).filter_map(|(name, ..)| place(name)).collect();
            let parts = parts.iter().map(|(name, set)| (name.to_string(), text_tree(set, Some(name), declared, text)));
            TextTree::Product { parts: parts.collect(), order }
        }
        OptionSet::Union(sets) => {
            TextTree::Union(sets.iter().map(|set| text_tree(set, part, declared, text)).collect())
        }
        OptionSet::Numbers(low, high) if set.len() > MIN_RANGE => {
            let one = in_part(Choice::Number(0));
            TextTree::Numbers(*low, *high, one.strip_suffix('0').unwrap_or_default().to_owned())
        }
        OptionSet::Product(_) if set.len() > MAX_CONSIDERED => TextTree::Unlisted(set.len()),
        listed => TextTree::Listed(listed.iter().map(in_part).collect()),
    }
}

impl TextTree {
    fn len(&self) -> usize {
        match self {
            Self::Listed(texts) => texts.len(),
            Self::Numbers(low, high, _) => OptionSet::Numbers(*low, *high).len(),
            Self::Product { parts, .. } => parts.iter().map(|(_, part)| part.len()).fold(1, usize::saturating_mul),
            Self::Union(sets) => sets.iter().map(Self::len).fold(0, usize::saturating_add),
            Self::Unlisted(count) => *count,
        }
    }

    fn text(&self, at: usize, separator: &str) -> Cow<'_, str> {
        match self {
            Self::Listed(texts) => (&*texts[at]).into(),
            Self::Numbers(low, _, head) => format!("{head}{}", low + at as i64).into(),
            Self::Product { parts, order } => {
                let mut at = at;
                let mut texts = vec![Cow::default(); parts.len()];
                for (number, (_, part)) in parts.iter().enumerate().rev() {
                    texts[number] = part.text(at % part.len(), separator);
                    at /= part.len();
                }
                order.iter().map(|number| &*texts[*number]).collect::<Vec<_>>().join(separator).into()
            }
            Self::Union(sets) => {
                let mut at = at;
                for set in sets {
                    if at < set.len() {
                        return set.text(at, separator);
                    }
                    at -= set.len();
                }
                Cow::default()
            }
            Self::Unlisted(_) => "…".into(),
        }
    }

    /// Returns a superset of the matching options, or `None` if no option matches. If a word may belong to several parts, the result
    /// contains a reading for each of them, up to a limit.
    fn find_match(&self, text: &str, fits: Matcher<'_>) -> Option<Match> {
        match self {
            Self::Listed(texts) => Some(fits(texts, text)).filter(|found| !found.is_empty()).map(Match::These),
            Self::Numbers(low, high, head) => {
                let number = |word: &str| {
                    let digits = without_comma(word.rsplit('=').next().unwrap_or(word));
                    digits.replace('\u{2212}', "-").parse::<i64>().ok()
                };
                let number = text.split_whitespace().rev().find_map(number)?;
                let is_match = (*low..=*high).contains(&number) && !fits(&[format!("{head}{number}")], text).is_empty();
                is_match.then(|| Match::These(vec![(i128::from(number) - i128::from(*low)) as usize]))
            }
            Self::Union(sets) => {
                let found: Vec<_> = sets.iter().map(|set| set.find_match(text, fits)).collect();
                found.iter().any(Option::is_some).then_some(Match::Union(found))
            }
            Self::Product { parts, .. } => Self::match_parts(parts, text, fits),
            Self::Unlisted(_) => None,
        }
    }

    fn match_parts(parts: &[(String, Self)], text: &str, fits: Matcher<'_>) -> Option<Match> {
        let mut named: Vec<String> = vec![String::new(); parts.len()];
        let (mut loose, mut open) = (Vec::new(), None);
        for word in text.split_whitespace() {
            let begins = word.split_once('=').and_then(|(name, _)| parts.iter().position(|(known, _)| known == name));
            open = begins.or(open);
            match open {
                Some(part) if begins.is_some() && !named[part].is_empty() => return None,
                Some(part) => format!("{} {word}", named[part]).trim().clone_into(&mut named[part]),
                None => loose.push(without_comma(word)),
            }
        }
        let mut found: Vec<Match> = Vec::with_capacity(parts.len());
        for ((_, part), said) in parts.iter().zip(&named) {
            found.push(if said.is_empty() { Match::All } else { part.find_match(said, fits)? });
        }
        let mut readings = vec![found];
        for word in loose.into_iter().filter(|word| !word.is_empty()) {
            let matching_part = |(at, (_, part)): (usize, &(String, Self))| Some((at, part.find_match(word, fits)?));
            let meant: Vec<(usize, Match)> = parts.iter().enumerate().filter_map(matching_part).collect();
            if meant.is_empty() && !parts.iter().any(|(name, _)| name == word) {
                return None;
            }
            // If there would be too many readings, the word does not narrow down the matches.
            if !meant.is_empty() && readings.len() * meant.len() <= MAX_READINGS {
                readings = readings.iter().flat_map(|found| split_readings(parts, found, &meant)).collect();
            }
        }
        match readings.len() {
            0 => None,
            1 => Some(Match::Product(readings.remove(0))),
            _ => Some(Match::Readings(readings.into_iter().map(Match::Product).collect())),
        }
    }

    fn count_of(&self, found: &Match) -> usize {
        match (self, found) {
            (_, Match::These(positions)) => positions.len(),
            (Self::Product { parts, .. }, Match::Product(found)) => {
                let parts = parts.iter().zip(found);
                parts.map(|((_, part), found)| part.count_of(found)).fold(1, usize::saturating_mul)
            }
            (Self::Union(sets), Match::Union(found)) => {
                let sets = sets.iter().zip(found).filter_map(|(set, found)| Some(set.count_of(found.as_ref()?)));
                sets.fold(0, usize::saturating_add)
            }
            (_, Match::Readings(readings)) => {
                readings.iter().map(|found| self.count_of(found)).fold(0, usize::saturating_add)
            }
            _ => self.len(),
        }
    }

    /// Returns the indices of the first matching options.
    fn first_of(&self, found: &Match, most: usize) -> Vec<usize> {
        match (self, found) {
            (_, Match::These(positions)) => positions.iter().copied().take(most).collect(),
            (Self::Product { parts, .. }, Match::Product(found)) => {
                let mut all = vec![0];
                for ((_, part), found) in parts.iter().zip(found) {
                    let own = part.first_of(found, most);
                    let behind = |before: &usize| own.iter().map(|at| before * part.len() + at).collect::<Vec<_>>();
                    all = all.iter().flat_map(behind).take(most).collect();
                }
                all
            }
            (Self::Union(sets), Match::Union(found)) => {
                let (mut all, mut before) = (Vec::new(), 0);
                for (set, found) in sets.iter().zip(found) {
                    if let Some(found) = found {
                        all.extend(set.first_of(found, most - all.len()).into_iter().map(|at| before + at));
                    }
                    before += set.len();
                }
                all
            }
            (_, Match::Readings(readings)) => {
                let all: BTreeSet<usize> = readings.iter().flat_map(|found| self.first_of(found, most)).collect();
                all.into_iter().take(most).collect()
            }
            _ => (0..self.len().min(most)).collect(),
        }
    }
}

/// Splits the matches so far into readings, one for each part to which another word may belong. A reading excludes the options in which an
/// earlier part matches the word.
fn split_readings(parts: &[(String, TextTree)], found: &[Match], meant: &[(usize, Match)]) -> Vec<Vec<Match>> {
    let mut readings = Vec::with_capacity(meant.len());
    let mut left = Some(found.to_vec());
    for (at, found_match) in meant {
        let Some(before) = left.take() else { break };
        let with = |one: Match| {
            let mut reading = before.clone();
            reading[*at] = one;
            reading
        };
        readings.extend(intersection(&before[*at], found_match).map(with));
        left = difference(&before[*at], found_match, parts[*at].1.len()).map(with);
    }
    readings
}

/// Returns the intersection of two matches; `None` if it is empty. If one of them is not a list of indices, returns `other`.
fn intersection(one: &Match, other: &Match) -> Option<Match> {
    let (Match::These(one), Match::These(other)) = (one, other) else { return Some(other.clone()) };
    let known: BTreeSet<&usize> = other.iter().collect();
    let both: Vec<usize> = one.iter().copied().filter(|at| known.contains(at)).collect();
    (!both.is_empty()).then_some(Match::These(both))
}

/// Returns the difference of two matches among `count` options; `None` if it is empty. Returns `one` unchanged if the difference cannot be
/// listed.
fn difference(one: &Match, other: &Match, count: usize) -> Option<Match> {
    let known: BTreeSet<usize> = match other {
        Match::These(positions) => positions.iter().copied().collect(),
        Match::All => return None,
        _ => return Some(one.clone()),
    };
    let left: Vec<usize> = match one {
        Match::These(positions) => positions.iter().copied().filter(|at| !known.contains(at)).collect(),
        Match::All if count <= MAX_CONSIDERED => (0..count).filter(|at| !known.contains(at)).collect(),
        _ => return Some(one.clone()),
    };
    (!left.is_empty()).then_some(Match::These(left))
}

/// Removes trailing commas from a word, and trailing non-ASCII characters that are neither letters nor digits, such as Chinese commas.
fn without_comma(word: &str) -> &str {
    word.trim_end_matches(|letter: char| letter == ',' || !letter.is_ascii() && !letter.is_alphanumeric())
}
