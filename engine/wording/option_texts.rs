//! The options of a decision as texts. Of very many options none is listed: a text is matched against the parts that they are made of.

use super::names::{Wording, ordered};
use super::offer::Offer;
use crate::decision::{Choice, Decision, MOST_CONSIDERED, OptionSet};
use crate::model::DecisionId;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The options of a decision as texts, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionTexts {
    tree: TextTree,
    /// What is written for choosing nothing, where that is the last option of more than are listed.
    pass: Option<String>,
    count: usize,
    /// The separator between the parts of an option.
    separator: &'static str,
}

/// The options of a set as texts.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TextTree {
    /// One by one.
    Listed(Vec<String>),
    /// Numbers from the first to the second, behind the name of their part.
    Numbers(i64, i64, String),
    /// Every combination of named parts.
    Product { parts: Vec<(String, TextTree)>, order: Vec<usize> },
    /// One set after the other.
    Union(Vec<TextTree>),
    /// More than can be listed inside of a part: these have no text.
    Unlisted(usize),
}

/// The options of a set that a text fits.
#[derive(Clone)]
enum Fitting {
    All,
    These(Vec<usize>),
    Product(Vec<Fitting>),
    Union(Vec<Option<Fitting>>),
    /// By what its words may mean: no option twice, unless parts of it are too many to be listed.
    Readings(Vec<Fitting>),
}

/// The options that a text fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fits {
    /// How many there are.
    pub count: usize,
    /// The positions of the first of them.
    pub first: Vec<usize>,
}

/// The most positions that are told of the options that a text fits.
const MOST_FITS: usize = 64;

/// The most readings of a text that are told apart.
const MOST_READINGS: usize = 64;

/// Fewer numbers than this are written out one by one.
const FEW_NUMBERS: usize = 64;

/// Returns the positions of the texts that a text fits.
pub type FitsTexts<'a> = &'a dyn Fn(&[String], &str) -> Vec<usize>;

impl OptionTexts {
    /// Of texts that are listed.
    pub fn listed(texts: Vec<String>) -> Self {
        Self { count: texts.len(), tree: TextTree::Listed(texts), pass: None, separator: " " }
    }

    /// The options of an offer in the short form of plays.
    pub fn written(offer: &Offer<'_>) -> Self {
        Self::new(offer.decision, " ", &offer.wording, &|choice| offer.written(choice))
    }

    /// The options of an offer as people read them.
    pub fn worded(offer: &Offer<'_>) -> Self {
        let comma = offer.wording.log.comma;
        Self::new(offer.decision, comma, &offer.wording, &|choice| offer.worded(choice))
    }

    fn new(decision: &Decision, separator: &'static str, wording: &Wording, text: &dyn Fn(&Choice) -> String) -> Self {
        let count = decision.count();
        if count <= MOST_CONSIDERED {
            return Self::listed((0..count).map(|at| text(&decision.option(at))).collect());
        }
        let tree = tree(&decision.options, None, (wording, decision.id), text);
        Self { tree, pass: decision.pass.map(|_| text(&Choice::Nothing)), count, separator }
    }

    /// Number of options.
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All texts, where they are not too many to be listed.
    pub fn all(&self) -> Option<&[String]> {
        match &self.tree {
            TextTree::Listed(texts) if self.pass.is_none() => Some(texts),
            _ => None,
        }
    }

    /// The text of the option at a position.
    pub fn get(&self, at: usize) -> Cow<'_, str> {
        match &self.pass {
            Some(pass) if at + 1 == self.count => pass.into(),
            _ => self.tree.text(at, self.separator),
        }
    }

    /// All texts, or those of some options, evenly spread.
    pub fn some(&self) -> Cow<'_, [String]> {
        match self.all() {
            Some(all) => all.into(),
            None => (0..MOST_FITS)
                .map(|at| self.get((self.count as u128 * at as u128 / MOST_FITS as u128) as usize).into_owned())
                .collect(),
        }
    }

    /// Whether the texts are numbers that are not listed.
    pub fn are_unlisted_numbers(&self) -> bool {
        matches!(&self.tree, TextTree::Numbers(_, _, head) if head.is_empty())
    }

    /// The first option that is written exactly so.
    pub fn exactly(&self, text: &str) -> Option<usize> {
        if let Some(all) = self.all() {
            return all.iter().position(|one| one == text);
        }
        let is_same = |one: &String, text: &str| one.split_whitespace().eq(text.split_whitespace());
        let same = |texts: &[String], text: &str| (0..texts.len()).filter(|at| is_same(&texts[*at], text)).collect();
        self.fits(text, &same).first.into_iter().find(|at| self.get(*at) == text)
    }

    /// The options that a text fits.
    pub fn fits(&self, text: &str, fits: FitsTexts<'_>) -> Fits {
        if let Some(texts) = self.all() {
            let first = fits(texts, text);
            return Fits { count: first.len(), first };
        }
        if let Some(pass) = self.pass.as_ref().filter(|pass| !fits(std::slice::from_ref(*pass), text).is_empty())
            && pass.split_whitespace().count() == text.split_whitespace().count()
        {
            return Fits { count: 1, first: vec![self.count - 1] };
        }
        // Where parts stand side by side without a space, each comma ends a word.
        let parted = if self.separator.ends_with(char::is_whitespace) {
            text.to_owned()
        } else {
            text.replace(self.separator, &format!("{} ", self.separator))
        };
        let Some(found) = self.tree.fitting(&parted, fits) else { return Fits { count: 0, first: Vec::new() } };
        let (count, first) = (self.tree.count_of(&found), self.tree.first_of(&found, MOST_FITS));
        // A word that more than one part may mean has to stand in the option itself.
        let is_it = |at: &usize| !fits(&[self.get(*at).into_owned()], text).is_empty();
        if count == first.len() {
            let first: Vec<usize> = first.into_iter().filter(is_it).collect();
            return Fits { count: first.len(), first };
        }
        Fits { count, first }
    }
}

/// The options of a set as texts, as values of a part if one is given.
fn tree(set: &OptionSet, part: Option<&str>, of: (&Wording, DecisionId), text: &dyn Fn(&Choice) -> String) -> TextTree {
    let in_part = |choice: Choice| match part {
        Some(part) => text(&Choice::Parts([(part.into(), choice)].into())),
        None => text(&choice),
    };
    match set {
        OptionSet::Product(parts) if part.is_none() => {
            let declared = &of.0.model.decisions[of.1.index()];
            let mut names: Vec<_> = parts.iter().map(|(name, _)| (name.clone(), Choice::Nothing)).collect();
            names.sort_by(|a, b| a.0.cmp(&b.0));
            let place = |name: &str| parts.iter().position(|(known, _)| **known == *name);
            let order = ordered(declared, &names).filter_map(|(name, ..)| place(name)).collect();
            let parts = parts.iter().map(|(name, set)| (name.to_string(), tree(set, Some(name), of, text)));
            TextTree::Product { parts: parts.collect(), order }
        }
        OptionSet::Union(sets) => TextTree::Union(sets.iter().map(|set| tree(set, part, of, text)).collect()),
        OptionSet::Numbers(low, high) if set.len() > FEW_NUMBERS => {
            let one = in_part(Choice::Number(0));
            TextTree::Numbers(*low, *high, one.strip_suffix('0').unwrap_or_default().to_owned())
        }
        OptionSet::Product(_) if set.len() > MOST_CONSIDERED => TextTree::Unlisted(set.len()),
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

    /// The options that a text fits, at least: of words that more than one part may mean nothing is decided.
    fn fitting(&self, text: &str, fits: FitsTexts<'_>) -> Option<Fitting> {
        match self {
            Self::Listed(texts) => Some(fits(texts, text)).filter(|found| !found.is_empty()).map(Fitting::These),
            Self::Numbers(low, high, head) => {
                let number = |word: &str| {
                    let digits = without_comma(word.rsplit('=').next().unwrap_or(word));
                    digits.replace('\u{2212}', "-").parse::<i64>().ok()
                };
                let number = text.split_whitespace().rev().find_map(number)?;
                let is_it = (*low..=*high).contains(&number) && !fits(&[format!("{head}{number}")], text).is_empty();
                is_it.then(|| Fitting::These(vec![(i128::from(number) - i128::from(*low)) as usize]))
            }
            Self::Union(sets) => {
                let found: Vec<_> = sets.iter().map(|set| set.fitting(text, fits)).collect();
                found.iter().any(Option::is_some).then_some(Fitting::Union(found))
            }
            Self::Product { parts, .. } => Self::fitting_parts(parts, text, fits),
            Self::Unlisted(_) => None,
        }
    }

    fn fitting_parts(parts: &[(String, Self)], text: &str, fits: FitsTexts<'_>) -> Option<Fitting> {
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
        let mut found: Vec<Fitting> = Vec::with_capacity(parts.len());
        for ((_, part), said) in parts.iter().zip(&named) {
            found.push(if said.is_empty() { Fitting::All } else { part.fitting(said, fits)? });
        }
        let mut readings = vec![found];
        for word in loose.into_iter().filter(|word| !word.is_empty()) {
            let fitting = |(at, (_, part)): (usize, &(String, Self))| Some((at, part.fitting(word, fits)?));
            let meant: Vec<(usize, Fitting)> = parts.iter().enumerate().filter_map(fitting).collect();
            if meant.is_empty() && !parts.iter().any(|(name, _)| name == word) {
                return None;
            }
            // Of words with very many readings it is not decided where they stand.
            if !meant.is_empty() && readings.len() * meant.len() <= MOST_READINGS {
                readings = readings.iter().flat_map(|found| read(parts, found, &meant)).collect();
            }
        }
        match readings.len() {
            0 => None,
            1 => Some(Fitting::Product(readings.remove(0))),
            _ => Some(Fitting::Readings(readings.into_iter().map(Fitting::Product).collect())),
        }
    }

    fn count_of(&self, found: &Fitting) -> usize {
        match (self, found) {
            (_, Fitting::These(positions)) => positions.len(),
            (Self::Product { parts, .. }, Fitting::Product(found)) => {
                let parts = parts.iter().zip(found);
                parts.map(|((_, part), found)| part.count_of(found)).fold(1, usize::saturating_mul)
            }
            (Self::Union(sets), Fitting::Union(found)) => {
                let sets = sets.iter().zip(found).filter_map(|(set, found)| Some(set.count_of(found.as_ref()?)));
                sets.fold(0, usize::saturating_add)
            }
            (_, Fitting::Readings(readings)) => {
                readings.iter().map(|found| self.count_of(found)).fold(0, usize::saturating_add)
            }
            _ => self.len(),
        }
    }

    /// The positions of the first options among those found.
    fn first_of(&self, found: &Fitting, most: usize) -> Vec<usize> {
        match (self, found) {
            (_, Fitting::These(positions)) => positions.iter().copied().take(most).collect(),
            (Self::Product { parts, .. }, Fitting::Product(found)) => {
                let mut all = vec![0];
                for ((_, part), found) in parts.iter().zip(found) {
                    let own = part.first_of(found, most);
                    let behind = |before: &usize| own.iter().map(|at| before * part.len() + at).collect::<Vec<_>>();
                    all = all.iter().flat_map(behind).take(most).collect();
                }
                all
            }
            (Self::Union(sets), Fitting::Union(found)) => {
                let (mut all, mut before) = (Vec::new(), 0);
                for (set, found) in sets.iter().zip(found) {
                    if let Some(found) = found {
                        all.extend(set.first_of(found, most - all.len()).into_iter().map(|at| before + at));
                    }
                    before += set.len();
                }
                all
            }
            (_, Fitting::Readings(readings)) => {
                let all: BTreeSet<usize> = readings.iter().flat_map(|found| self.first_of(found, most)).collect();
                all.into_iter().take(most).collect()
            }
            _ => (0..self.len().min(most)).collect(),
        }
    }
}

/// What fits several parts, with one more word that stands in one of some of them: in the first of these, or not there and in the next.
fn read(parts: &[(String, TextTree)], found: &[Fitting], meant: &[(usize, Fitting)]) -> Vec<Vec<Fitting>> {
    let mut readings = Vec::with_capacity(meant.len());
    let mut left = Some(found.to_vec());
    for (at, fitting) in meant {
        let Some(before) = left.take() else { break };
        let with = |one: Fitting| {
            let mut reading = before.clone();
            reading[*at] = one;
            reading
        };
        readings.extend(both(&before[*at], fitting).map(with));
        left = without(&before[*at], fitting, parts[*at].1.len()).map(with);
    }
    readings
}

/// What two texts both fit; nothing where that is no option.
fn both(one: &Fitting, other: &Fitting) -> Option<Fitting> {
    let (Fitting::These(one), Fitting::These(other)) = (one, other) else { return Some(other.clone()) };
    let known: BTreeSet<&usize> = other.iter().collect();
    let both: Vec<usize> = one.iter().copied().filter(|at| known.contains(at)).collect();
    (!both.is_empty()).then_some(Fitting::These(both))
}

/// What one text fits and another does not, of so many options; nothing where that is no option. More than can be listed are left as they are.
fn without(one: &Fitting, other: &Fitting, count: usize) -> Option<Fitting> {
    let known: BTreeSet<usize> = match other {
        Fitting::These(positions) => positions.iter().copied().collect(),
        Fitting::All => return None,
        _ => return Some(one.clone()),
    };
    let left: Vec<usize> = match one {
        Fitting::These(positions) => positions.iter().copied().filter(|at| !known.contains(at)).collect(),
        Fitting::All if count <= MOST_CONSIDERED => (0..count).filter(|at| !known.contains(at)).collect(),
        _ => return Some(one.clone()),
    };
    (!left.is_empty()).then_some(Fitting::These(left))
}

/// A word without the comma of any script behind it.
fn without_comma(word: &str) -> &str {
    word.trim_end_matches(|letter: char| letter == ',' || !letter.is_ascii() && !letter.is_alphanumeric())
}
