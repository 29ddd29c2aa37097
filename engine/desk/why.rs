//! Answers "why can't I?": compares what a player wants with the offered options, and quotes the rules about the decision.

use super::options::Options;
use crate::library;
use crate::model::{Language, text_in_language};
use crate::phrases::{self, Phrases, filled};
use crate::playscript::matching;
use crate::session::Observation;
use crate::wording::Matches;

/// Maximum number of similar options that are listed.
const MAX_OPTIONS: usize = 8;

/// Explains why `text` is not offered. `missing` is the number of picks that are still required.
pub(crate) fn explain(
    observation: &Observation<'_>,
    options: &Options,
    missing: usize,
    text: &str,
    language: Language,
) -> Vec<String> {
    let why = &Phrases::for_language(language).why;
    let mut lines = Vec::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    if missing > 0 && is_done(text) {
        let phrase = if missing == 1 { why.one_missing } else { why.missing };
        return vec![format!("  {}", filled(phrase, &[("count", &missing)]))];
    }
    if !words.is_empty() {
        lines.extend(closest_options(options, &words, why));
    }
    let decision = &observation.model().decisions[observation.decision().id.index()].id;
    let scripts = observation.model().scripts.iter().map(|source| source.text.as_str());
    let rules = rules_of(&Functions::parse(scripts), decision, &words, language);
    if !rules.is_empty() {
        lines.push(format!("  {}", why.rules_say));
        lines.extend(rules.iter().map(|rule| format!("    {rule}")));
    }
    if lines.is_empty() {
        lines.push(format!("  {}", why.nothing_else));
    }
    lines
}

/// Returns whether a text is the word that ends a selection, in any language.
fn is_done(text: &str) -> bool {
    let word = text.trim().to_lowercase();
    Language::ALL.into_iter().any(|language| Phrases::for_language(language).log.done == word)
}

/// Lists options that contain as many of `words` as possible, found greedily, and names the remaining words. If an option contains all
/// words, only says that the option is offered.
fn closest_options(options: &Options, words: &[&str], why: &phrases::Why) -> Vec<String> {
    let joined = words.join(" ");
    if !options.with(&joined).is_empty() {
        return vec![format!("  {}", filled(why.offered, &[("text", &joined)]))];
    }
    // Greedy: keep each word that some option has together with all words kept before.
    let mut kept: Vec<&str> = Vec::new();
    let mut left: Vec<&str> = Vec::new();
    for word in words {
        kept.push(word);
        if options.with(&kept.join(" ")).is_empty() {
            kept.pop();
            left.push(word);
        }
    }
    let refused = left.join(" ");
    if kept.is_empty() {
        return vec![format!("  {}", filled(why.in_no_option, &[("refused", &refused)]))];
    }
    let with = kept.join(" ");
    let Matches { count, first: fitting } = options.fits(&with);
    let phrase = if count == 1 { why.one_other } else { why.others };
    let said = filled(phrase, &[("kept", &with), ("refused", &refused), ("count", &count)]);
    let mut lines = vec![format!("  {said}")];
    lines.extend(
        fitting.iter().take(MAX_OPTIONS).map(|at| format!("    {}{}", options.head(*at, 1), options.worded.get(*at))),
    );
    if count > MAX_OPTIONS {
        lines.push("    …".to_owned());
    }
    lines
}

/// Maximum call depth of the functions that are searched. A function called on the line that asks the decision has depth 1.
const MAX_CALL_DEPTH: usize = 4;

/// Maximum number of rules that are quoted.
const MAX_RULES: usize = 6;

/// A function of the rules, found by scanning the source text line by line.
struct Function<'a> {
    name: &'a str,
    /// Doc comment above the function, line by line, in all languages.
    rule: Vec<&'a str>,
    lines: Vec<&'a str>,
}

/// All functions of the rules.
struct Functions<'a>(Vec<Function<'a>>);

impl<'a> Functions<'a> {
    fn parse(scripts: impl Iterator<Item = &'a str>) -> Self {
        let mut all: Vec<Function<'a>> = Vec::new();
        for text in scripts {
            let mut rule: Vec<&str> = Vec::new();
            let mut is_inside = false;
            for line in text.lines() {
                if let Some(said) = line.strip_prefix("///") {
                    rule.push(said.trim());
                } else if let Some(rest) = line.strip_prefix("fn ") {
                    let name = rest.split('(').next().unwrap_or_default().trim();
                    all.push(Function { name, rule: std::mem::take(&mut rule), lines: vec![line] });
                    is_inside = !line.ends_with('}');
                } else if let Some(function) = all.last_mut().filter(|_| is_inside) {
                    function.lines.push(line);
                    is_inside = line != "}";
                }
            }
        }
        Self(all)
    }

    /// Returns the functions that `lines` call, directly or indirectly, with their call depth. Stops at [`MAX_CALL_DEPTH`].
    fn reachable_from(&self, lines: &[&'a str]) -> Vec<(&Function<'a>, usize)> {
        let mut found: Vec<(&Function<'a>, usize)> = Vec::new();
        let mut lines: Vec<&str> = lines.to_vec();
        for depth in 1..=MAX_CALL_DEPTH {
            let names: Vec<&str> = lines.drain(..).flat_map(called_names).collect();
            for name in names {
                let is_new = !found.iter().any(|(known, _)| known.name == name);
                if let Some(function) = self.0.iter().find(|function| function.name == name).filter(|_| is_new) {
                    found.push((function, depth));
                    lines.extend(&function.lines[1..]);
                }
            }
        }
        found
    }
}

/// Quotes the doc comments of the functions that ask a decision, and of those called functions that mention one of `words` in their comment
/// or code. If no called function mentions a word, quotes the directly called functions. Comments are quoted in the player's language, at
/// most [`MAX_RULES`] of them.
fn rules_of(functions: &Functions<'_>, decision: &str, words: &[&str], language: Language) -> Vec<String> {
    let quoted = format!("\"{decision}\"");
    let asking = || functions.0.iter().filter(|function| function.lines.iter().any(|line| asks(line, &quoted)));
    let lines: Vec<&str> =
        asking().flat_map(|function| &function.lines).copied().filter(|line| asks(line, &quoted)).collect();
    let called = functions.reachable_from(&lines);
    let wanted: Vec<String> = words
        .iter()
        .flat_map(|word| word.split(|character: char| !character.is_alphanumeric()))
        .filter(|word| word.chars().count() > 2)
        .map(str::to_lowercase)
        .collect();
    let speaks = |function: &Function<'_>| {
        let text = format!("{} {}", function.rule.join(" "), function.lines.join(" ")).to_lowercase();
        wanted.iter().any(|word| matching::has_word(&text, word))
    };
    let mut listing: Vec<&Function<'_>> =
        called.iter().filter(|(function, _)| speaks(function)).map(|(function, _)| *function).collect();
    if listing.is_empty() {
        listing = called.iter().filter(|(_, depth)| *depth == 1).map(|(function, _)| *function).collect();
    }
    let mut quoted: Vec<String> = Vec::new();
    for function in asking().chain(listing) {
        let rule = text_in_language(&function.rule, language);
        if !rule.is_empty() && !quoted.contains(&rule) {
            quoted.push(rule);
        }
    }
    quoted.truncate(MAX_RULES);
    quoted
}

/// Returns whether a line asks the decision whose name, including its quotes, is `quoted`.
fn asks(line: &str, quoted: &str) -> bool {
    !line.trim_start().starts_with("//") && line.contains(quoted) && called_names(line).any(library::asks)
}

/// Returns the names of the functions that a line calls.
fn called_names(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('(').filter_map(|(at, _)| {
        let before = &line[..at];
        let start = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |found| found + 1);
        (start < at).then(|| &before[start..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_options_and_unmatched_words_are_listed() {
        let written: Vec<String> = ["lot=1 price=6", "lot=2 price=3"].map(str::to_owned).to_vec();
        let options = Options::listed(written.clone(), written);
        let why = &Phrases::for_language(Language::English).why;
        let lines = closest_options(&options, &["lot=2", "price=6"], why);
        assert!(lines[0].contains("`lot=2`") && lines[0].contains("`price=6`"), "{lines:?}");
        assert!(lines[1].contains("price=3"), "{lines:?}");
        assert!(closest_options(&options, &["price=9"], why)[0].contains("no option has"));
    }

    const RULES: &str = r#"
/// Bids 4: a player bids.
/// Only once.
fn bid(seat) {
    let move = choose(seat, "bid", || open(seat));
    pay(seat);
}

/// Bids 4.1: what is open to a bid.
fn open(seat) {
    lots(seat) + favors(seat)
}

/// Lots 4.2: never two at once.
fn lots(seat) { each_of(#{ lot: seat.lots }) }

/// Favors 4.3: only while there is no debt.
/// zh-Hant: 人情 4.3：沒有債務
/// 才行。
fn favors(seat) {
    if seat.debt > 0 { return options([]); }
    each_of(#{ favor: [1, 2] })
}
"#;

    #[test]
    fn rules_that_mention_the_words_are_quoted() {
        let functions = Functions::parse([RULES].into_iter());
        assert_eq!(functions.0.len(), 4);
        let rules_in = |decision, words: &[&str], language| rules_of(&functions, decision, words, language);
        let bid = "Bids 4: a player bids. Only once.";
        assert_eq!(rules_in("bid", &[], Language::English), [bid, "Bids 4.1: what is open to a bid."]);
        assert_eq!(rules_in("bid", &["amber"], Language::English), [bid, "Bids 4.1: what is open to a bid."]);
        assert_eq!(rules_in("bid", &["favor=2"], Language::English), [bid, "Favors 4.3: only while there is no debt."]);
        assert!(rules_in("barter", &["favor"], Language::English).is_empty());
        // Comments are quoted in the reader's language if they have a translation.
        let other = Language::ALL.into_iter().find(|language| language.tag() == "zh-Hant").unwrap();
        let quoted = rules_in("bid", &["favor=2"], other);
        assert_eq!(quoted, [bid, "人情 4.3：沒有債務才行。"]);
        let barter =
            "/// Barter 5: others answer.\nfn barter() { respond(seats, \"barter\", |seat| [1], |seat, one| one); }";
        assert_eq!(
            rules_of(&Functions::parse([barter].into_iter()), "barter", &[], Language::English),
            ["Barter 5: others answer."]
        );
    }
}
