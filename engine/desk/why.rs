//! "Why can't I?": what was wished for beside what is offered, and the rules that say so.

use super::options::Options;
use crate::library;
use crate::model::{Language, said_in};
use crate::phrases::{self, Phrases, filled};
use crate::playscript::matching;
use crate::session::Observation;
use crate::wording::Fits;

/// So many options that come near are listed.
const LISTED: usize = 8;

/// Why something is not offered; so many are still missing where several are picked.
pub(crate) fn explain(
    observation: &Observation<'_>,
    options: &Options,
    missing: usize,
    text: &str,
    language: Language,
) -> Vec<String> {
    let why = &Phrases::of(language).why;
    let mut lines = Vec::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    if missing > 0 && is_done(text) {
        let phrase = if missing == 1 { why.one_missing } else { why.missing };
        return vec![format!("  {}", filled(phrase, &[("count", &missing)]))];
    }
    if !words.is_empty() {
        lines.extend(nearness(options, &words, why));
    }
    let decision = &observation.model().decisions[observation.decision().id.index()].id;
    let scripts = observation.model().scripts.iter().map(|source| source.text.as_str());
    let rules = rules_of(&Functions::of(scripts), decision, &words, language);
    if !rules.is_empty() {
        lines.push(format!("  {}", why.rules_say));
        lines.extend(rules.iter().map(|rule| format!("    {rule}")));
    }
    if lines.is_empty() {
        lines.push(format!("  {}", why.nothing_else));
    }
    lines
}

/// Whether a text is the word that ends the picking, in whatever language.
fn is_done(text: &str) -> bool {
    let word = text.trim().to_lowercase();
    Language::ALL.into_iter().any(|language| Phrases::of(language).log.done == word)
}

/// The options that have most of the words, and the words that none of them has.
fn nearness(options: &Options, words: &[&str], why: &phrases::Why) -> Vec<String> {
    let joined = words.join(" ");
    if !options.with(&joined).is_empty() {
        return vec![format!("  {}", filled(why.offered, &[("text", &joined)]))];
    }
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
    let Fits { count, first: fitting } = options.fits(&with);
    let phrase = if count == 1 { why.one_other } else { why.others };
    let said = filled(phrase, &[("kept", &with), ("refused", &refused), ("count", &count)]);
    let mut lines = vec![format!("  {said}")];
    lines.extend(
        fitting.iter().take(LISTED).map(|at| format!("    {}{}", options.head(*at, 1), options.worded.get(*at))),
    );
    if count > LISTED {
        lines.push("    …".to_owned());
    }
    lines
}

/// So far from the decision functions are looked through for what was asked.
const FAR: usize = 4;

/// So many rules are quoted at most.
const RULES: usize = 6;

/// A function of the rules.
struct Function<'a> {
    name: &'a str,
    /// What the author wrote above it, line by line, in each language.
    rule: Vec<&'a str>,
    lines: Vec<&'a str>,
}

/// The functions of the rules.
struct Functions<'a>(Vec<Function<'a>>);

impl<'a> Functions<'a> {
    fn of(scripts: impl Iterator<Item = &'a str>) -> Self {
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

    /// The functions that are called on some lines, those that they call, and so on, each with how far it is.
    fn called_from(&self, lines: &[&'a str]) -> Vec<(&Function<'a>, usize)> {
        let mut found: Vec<(&Function<'a>, usize)> = Vec::new();
        let mut lines: Vec<&str> = lines.to_vec();
        for distance in 1..=FAR {
            let names: Vec<&str> = lines.drain(..).flat_map(called).collect();
            for name in names {
                let is_new = !found.iter().any(|(known, _)| known.name == name);
                if let Some(function) = self.0.iter().find(|function| function.name == name).filter(|_| is_new) {
                    found.push((function, distance));
                    lines.extend(&function.lines[1..]);
                }
            }
        }
        found
    }
}

/// What the author wrote above the functions that ask a decision, and above those called from there that speak of what was asked
/// for; where none does, above those that list the options. A player who asks is answered in their own language.
fn rules_of(functions: &Functions<'_>, decision: &str, words: &[&str], language: Language) -> Vec<String> {
    let quoted = format!("\"{decision}\"");
    let asking = || functions.0.iter().filter(|function| function.lines.iter().any(|line| asks(line, &quoted)));
    let lines: Vec<&str> =
        asking().flat_map(|function| &function.lines).copied().filter(|line| asks(line, &quoted)).collect();
    let called = functions.called_from(&lines);
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
        listing = called.iter().filter(|(_, distance)| *distance == 1).map(|(function, _)| *function).collect();
    }
    let mut quoted: Vec<String> = Vec::new();
    for function in asking().chain(listing) {
        let rule = said_in(&function.rule, language);
        if !rule.is_empty() && !quoted.contains(&rule) {
            quoted.push(rule);
        }
    }
    quoted.truncate(RULES);
    quoted
}

fn asks(line: &str, quoted: &str) -> bool {
    !line.trim_start().starts_with("//") && line.contains(quoted) && called(line).any(library::asks)
}

/// The names of the functions that a line calls.
fn called(line: &str) -> impl Iterator<Item = &str> {
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
    fn what_comes_near_is_told_with_what_does_not_fit() {
        let written: Vec<String> = ["lot=1 price=6", "lot=2 price=3"].map(str::to_owned).to_vec();
        let options = Options::listed(written.clone(), written);
        let why = &Phrases::of(Language::English).why;
        let lines = nearness(&options, &["lot=2", "price=6"], why);
        assert!(lines[0].contains("`lot=2`") && lines[0].contains("`price=6`"), "{lines:?}");
        assert!(lines[1].contains("price=3"), "{lines:?}");
        assert!(nearness(&options, &["price=9"], why)[0].contains("no option has"));
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
    fn the_rules_that_speak_of_what_was_asked_are_found() {
        let functions = Functions::of([RULES].into_iter());
        assert_eq!(functions.0.len(), 4);
        let rules_in = |decision, words: &[&str], language| rules_of(&functions, decision, words, language);
        let bid = "Bids 4: a player bids. Only once.";
        assert_eq!(rules_in("bid", &[], Language::English), [bid, "Bids 4.1: what is open to a bid."]);
        assert_eq!(rules_in("bid", &["amber"], Language::English), [bid, "Bids 4.1: what is open to a bid."]);
        assert_eq!(rules_in("bid", &["favor=2"], Language::English), [bid, "Favors 4.3: only while there is no debt."]);
        assert!(rules_in("barter", &["favor"], Language::English).is_empty());
        // In the reader's own language, where it is there.
        let other = Language::ALL.into_iter().find(|language| language.tag() == "zh-Hant").unwrap();
        let quoted = rules_in("bid", &["favor=2"], other);
        assert_eq!(quoted, [bid, "人情 4.3：沒有債務才行。"]);
        let barter =
            "/// Barter 5: others answer.\nfn barter() { respond(seats, \"barter\", |seat| [1], |seat, one| one); }";
        assert_eq!(
            rules_of(&Functions::of([barter].into_iter()), "barter", &[], Language::English),
            ["Barter 5: others answer."]
        );
    }
}
