//! "Why can't I?": what was wished for beside what is offered, and the rules that say so.

use super::prompt::Options;
use crate::model::{Language, Model};
use crate::session::Outlook;

/// So many options that come near are listed.
const LISTED: usize = 8;

/// Why something is not offered.
pub(super) fn explain(outlook: &Outlook<'_>, options: &Options, text: &str, language: Language) -> Vec<String> {
    let english = language == Language::English;
    let mut lines = Vec::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    if !words.is_empty() {
        lines.extend(nearness(options, &words, english));
    }
    let decision = &outlook.model().decisions[outlook.decision().id.index()].id;
    let rules = rules_of(outlook.model(), decision);
    if !rules.is_empty() {
        lines.push(if english { "  The rules say:" } else { "  規則說（英文）：" }.to_owned());
        lines.extend(rules.iter().map(|rule| format!("    {rule}")));
    }
    if lines.is_empty() {
        lines
            .push(if english { "  The rules offer nothing else here." } else { "  規則在此沒有其他選項。" }.to_owned());
    }
    lines
}

/// The options that have most of the words, and the words that none of them has.
fn nearness(options: &Options, words: &[&str], english: bool) -> Vec<String> {
    let joined = words.join(" ");
    if !options.with(&joined).is_empty() {
        return vec![if english { format!("  `{joined}` is offered") } else { format!("  有提供 `{joined}`") }];
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
        return vec![if english {
            format!("  no option has `{refused}` in it")
        } else {
            format!("  沒有任何選項含有 `{refused}`")
        }];
    }
    let fitting = options.with(&kept.join(" "));
    let with = kept.join(" ");
    let mut lines = vec![if english {
        format!("  with `{with}` there is no option `{refused}`; there {} are:", fitting.len())
    } else {
        format!("  `{with}` 不能配 `{refused}`；可選的 {} 個是：", fitting.len())
    }];
    lines.extend(fitting.iter().take(LISTED).map(|at| format!("    {}  {}", at + 1, options.worded[*at])));
    if fitting.len() > LISTED {
        lines.push("    …".to_owned());
    }
    lines
}

/// What the author wrote above the functions that ask a decision, and above those that list its options.
fn rules_of(model: &Model, decision: &str) -> Vec<String> {
    let quoted = format!("\"{decision}\"");
    let mut found: Vec<String> = Vec::new();
    for line in model.scripts.iter().flat_map(|source| source.text.lines()).filter(|line| asks(line, &quoted)) {
        let here = model.scripts.iter().find_map(|source| rule_before(&source.text, line));
        let listing = called(line).filter_map(|name| {
            let begins = format!("fn {name}(");
            model.scripts.iter().find_map(|source| {
                let line = source.text.lines().find(|line| line.starts_with(&begins))?;
                rule_before(&source.text, line)
            })
        });
        found.extend(here.into_iter().chain(listing));
    }
    let mut told: Vec<String> = Vec::new();
    for rule in found {
        if !told.contains(&rule) {
            told.push(rule);
        }
    }
    told
}

fn asks(line: &str, quoted: &str) -> bool {
    let code = line.trim_start();
    !code.starts_with("//") && code.contains(quoted) && (code.contains("choose") || code.contains("confirm"))
}

/// The names of the functions that a line calls.
fn called(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('(').filter_map(|(at, _)| {
        let before = &line[..at];
        let start = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |found| found + 1);
        (start < at).then(|| &before[start..])
    })
}

/// The `///` lines above the function that a line is in.
fn rule_before(text: &str, line: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|other| std::ptr::eq(*other, line) || *other == line)?;
    let start = lines[..=at].iter().rposition(|line| line.starts_with("fn "))?;
    let rule: Vec<&str> =
        lines[..start].iter().rev().map_while(|line| line.strip_prefix("///")).map(str::trim).collect();
    (!rule.is_empty()).then(|| rule.into_iter().rev().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_near_is_told_with_what_does_not_fit() {
        let written: Vec<String> = ["lot=1 price=6", "lot=2 price=3"].map(str::to_owned).to_vec();
        let options = Options { worded: written.clone(), written };
        let lines = nearness(&options, &["lot=2", "price=6"], true);
        assert!(lines[0].contains("`lot=2`") && lines[0].contains("`price=6`"), "{lines:?}");
        assert!(lines[1].contains("price=3"), "{lines:?}");
        assert!(nearness(&options, &["price=9"], true)[0].contains("no option has"));
    }

    #[test]
    fn the_rule_above_a_function_is_found() {
        let text = "/// A player bids.\n/// Only once.\nfn bid(seat) {\n    choose(seat, \"bid\", || open(seat));\n}\n";
        let line = text.lines().nth(3).unwrap_or_default();
        assert!(asks(line, "\"bid\""));
        assert_eq!(called(line).collect::<Vec<_>>(), ["choose", "open"]);
        assert_eq!(rule_before(text, line).as_deref(), Some("A player bids. Only once."));
    }
}
