//! Diagnostics of scripts.
//!
//! A case is the file `rules/play.rhai` of the sampler. `=== path` begins another file. `=== change` is followed by lines `from -> to`
//! that change the sampler's data, with `\n` for a line break. Missing functions for steps and scores are added unless the case has
//! `=== bare`. With `=== mute`, the players never answer.

use crate::case::{Case, check};
use crate::folder;
use crate::sampler;
use parlour::agents::FirstOption;
use parlour::diagnostic::Diagnostics;
use parlour::model::Seat;
use parlour::session::{NoAnswer, Observation, Player, Setup};
use std::path::Path;

/// Rules that use every declaration of the sampler, so that there are no warnings about unused declarations, nor about a deck that is not
/// shuffled.
const USES: &str = r#"
fn score(seat) { seat.cash }
fn rank(seat) { [score(seat)] }
fn invariant_of_the_deck() { deck.pieces.count() < 100 }
fn invariant_of_the_sampler() {
    let named = ["length", "bonus", "prices", "deck", "discard", "hand", "lots", "track", "board", "cup", "map", "tiles", "trend",
        "weather", "charms", "marked", "sold", "bids", "aim"];
    named.len() + ["secret", "taps", "cash", "pick", "bid", "sure", "broke", "pays", "upkeep"].len() > 0 && [game.mood].len() > 0
        && components("lane").count() > 0
}
"#;

/// Empty definitions of the functions that the flow of the sampler calls.
const STEPS: [(&str, &str); 2] = [("fn set_up(", "fn set_up() {}\n"), ("fn turn_of(", "fn turn_of(seat) {}\n")];

/// Player that never answers.
struct Mute;

impl Player for Mute {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        Err(format!("no answer came from player {}", observation.seat().number()).into())
    }
}

/// Adds the functions of [`STEPS`] that the rules lack.
fn add_steps(rules: &str) -> String {
    let missing = STEPS.iter().filter(|(name, _)| !rules.contains(name)).map(|(_, function)| *function);
    std::iter::once(rules).chain(missing).collect()
}

/// Returns the functions of [`USES`] that the case does not define itself.
fn uses(case: &Case) -> String {
    let is_score = |name: &str| ["score", "rank"].contains(&name);
    let is_left_out = |name: &str| case.text.contains(&format!("fn {name}(")) || is_score(name) && case.has("bare");
    let functions = USES.split("fn ").skip(1).filter(|function| !is_left_out(function.split('(').next().unwrap()));
    functions.map(|function| format!("fn {function}")).collect::<Vec<_>>().concat()
}

fn texts(case: &Case) -> Vec<(String, String)> {
    let rules = if case.has("bare") { case.text.clone() } else { add_steps(&case.text) };
    let mut texts = sampler::texts(&rules);
    texts.push(("rules/uses.rhai".to_owned(), uses(case)));
    for (name, text) in &case.more {
        if name == "change" {
            text.lines().for_each(|line| change(&mut texts, line));
        } else if name.contains('.') {
            texts.push((name.clone(), text.clone()));
        }
    }
    texts
}

/// Applies a change `from -> to` to the first file that contains `from`.
fn change(texts: &mut [(String, String)], line: &str) {
    let (from, to) = line.split_once(" -> ").unwrap();
    let (_, text) = texts.iter_mut().find(|(_, text)| text.contains(from)).unwrap_or_else(|| panic!("no `{from}`"));
    *text = text.replacen(from, &to.replace("\\n", "\n"), 1);
}

/// Returns the diagnostics of loading and playing a case, or `nothing`.
pub(crate) fn diagnostics(case: &Case) -> String {
    let game = match parlour::load_texts("sampler", texts(case)) {
        Ok(game) => game.holding_invariants(),
        Err(found) => return found.to_string(),
    };
    let setup = Setup::seats(3);
    let (_, host) = game.host(&setup).unwrap();
    let mut found = game.warnings().0;
    found.extend(host.warnings().iter().cloned());
    let player = |_: Seat| -> Box<dyn Player> { if case.has("mute") { Box::new(Mute) } else { Box::new(FirstOption) } };
    let players = host.model.all_seats().map(player).collect();
    let played = game.play(&setup, players, false).unwrap();
    found.extend(played.remarks(&host));
    found.extend(played.outcome.err().map(|fault| *fault));
    if found.is_empty() { "nothing".to_owned() } else { Diagnostics(found).to_string() }
}

#[test]
fn diagnostics_of_scripts_match_the_cases() {
    check("scripts", diagnostics);
}

#[test]
fn variables_set_in_a_loop_have_a_type_after_it() {
    for rules in [
        "let best = #{ who: (), cash: -1 };
        for other in seats { if other.cash > best.cash { best = #{ who: other, cash: other.cash }; } }
        seat.cash = best.who.number;",
        "let best = #{ who: () }; for other in seats { best.who = other; } seat.cash = best.who.number;",
        "let best = #{ who: () }; for other in seats { best[\"who\"] = other; } seat.cash = best.who.number;",
        "let at = 0; let last = (); while at < players { last = seats[at]; at += 1; } seat.cash = last.number;",
        "let at = 0; let last = (); do { last = seats[at]; at += 1; } while at < players; seat.cash = last.number;",
    ] {
        let case = Case::new("", &format!("fn turn_of(seat) {{ {rules} }}\n"), "");
        assert_eq!(diagnostics(&case), "nothing", "{rules}");
    }
}

/// Returns the diagnostics of loading the sampler. Each pair in `changes` replaces a substring of its files, and functions that `rules`
/// lack are added.
fn diagnostics_of(changes: &[(&str, &str)], rules: &str) -> String {
    let mut texts = sampler::texts(&add_steps(rules));
    for (from, to) in changes {
        let (_, text) = texts.iter_mut().find(|(_, text)| text.contains(from)).unwrap();
        *text = text.replacen(from, to, 1);
    }
    parlour::load_texts("sampler", texts).err().unwrap_or_default().to_string()
}

#[test]
fn agents_that_rate_an_unknown_decision_get_a_suggestion() {
    for (function, help) in [
        ("rate_pik(seat, option)", "did you mean `rate_pick`?"),
        ("consider_pik(seat)", "did you mean `consider_pick`?"),
        ("rate_gobbled(seat, option)", "add `[decisions.gobbled]` to game.toml"),
    ] {
        let mut texts = sampler::texts(&add_steps(""));
        texts.push(("agents/eager.rhai".to_owned(), format!("fn {function} {{ 1 }}\n")));
        let found = parlour::load_texts("sampler", texts).err().unwrap_or_default().to_string();
        assert!(found.contains("error[unknown-decision]") && found.contains(&format!("help: {help}")), "{found}");
    }
}

#[test]
fn syntax_errors_of_data_and_scripts_are_reported_together() {
    let found = diagnostics_of(&[("shape = \"hand\"", "shape = hand\"")], "fn set_up() { deck.shuffle( }");
    assert!(found.contains(" --> game.toml:") || found.contains("--> game.toml:"), "{found}");
    assert!(found.contains("error[syntax]: something is missing before `}`"), "{found}");
}

#[test]
fn scripts_are_checked_against_the_readable_part_of_broken_data() {
    let rules = "fn set_up() { deck.shufle(); deck.draw(discrad); }\nfn turn_of(seat) { seat.cash += first.csah; }";
    for change in [
        ("shape = \"hand\"", "shape = hand\""),
        ("suit = \"red\"", "suit = red\""),
        ("per = \"seat\"", "per = \"player\""),
        ("[[card]]", "[[crad]]\nidd = \"jack\"\n[[card]]"),
    ] {
        let found = diagnostics_of(&[change], rules);
        for expected in [".toml:", "no function `shufle`", "there is no `discrad`", "has no `csah`"] {
            assert!(found.contains(expected), "{expected}: {change:?}\n{found}");
        }
        assert_eq!(found.matches("play.rhai:").count(), 3, "{change:?}\n{found}");
    }
}

#[test]
fn errors_in_scripts_that_do_not_depend_on_data_are_reported_with_broken_data() {
    let broken = ("shape = \"hand\"", "shape = hand\"");
    for (rules, expected) in [
        ("fn turn_of(seat) { seats.pass_left(\"hnad\"); }", "seats have no zone `hnad`"),
        ("fn turn_of(seat) { if 1 { seat.cash += 1; } }", "a flag was expected, not"),
        ("fn turn_of(seat) { for i in 3 { seat.cash += i; } }", "`for` needs a list, a set or a range, not"),
    ] {
        let found = diagnostics_of(&[broken], rules);
        assert!(found.contains("error[toml-syntax]") && found.contains(expected), "{rules}\n{found}");
    }
}

#[test]
fn an_unreadable_file_does_not_hide_errors_in_other_files() {
    let found = diagnostics_of(&[("suit = \"red\"", "suit = red\""), ("face = \"down\"", "face = \"dwon\"")], "");
    assert!(found.contains("error[toml-syntax]") && found.contains("`face` cannot be `dwon`"), "{found}");
    assert_eq!(found.matches("error[").count(), 2, "{found}");
}

#[test]
fn an_unreadable_file_causes_no_errors_in_scripts() {
    for game in ["last-will", "monga-alley", "revolution-1828", "stockpile", "wall-street-1920"] {
        let files = folder::texts(Path::new("games").join(game));
        for at in (0..files.len()).filter(|at| files[*at].0.contains(".toml")) {
            let mut files = files.clone();
            files[at].1.insert_str(0, "x = = 3\n");
            let found = parlour::load_texts(game, files.clone()).err().unwrap_or_default();
            assert!(found.0.iter().all(|found| found.code == "toml-syntax"), "{game}, {}:\n{found}", files[at].0);
            assert_eq!(found.0.len(), 1, "{game}, {}", files[at].0);
        }
    }
}

#[test]
fn misspelled_kinds_are_reported_with_other_errors() {
    let found = diagnostics_of(&[("[[tile]]", "[[tlie]]"), ("face = \"down\"", "face = \"dwon\"")], "");
    assert!(
        found.contains("`face` cannot be `dwon`") && found.contains("the word `tlie` occurs nowhere else"),
        "{found}"
    );
}

#[test]
fn errors_in_data_cause_no_errors_in_scripts() {
    let rules = "fn turn_of(seat) { choose(seat, \"pick\", seat.hand); deck.draw(discard); game.trend += bonus; }";
    for change in [
        ("[decisions.pick]\nask = \"Pick one\"", "[decisions.pick]\nasks = \"Pick one\""),
        ("bonus = 10", "bonus = { 9 = 1 }"),
        ("trend = 0", "trend = { start = \"nowhere\" }"),
        ("per = \"seat\"", "per = \"player\""),
        ("starts_with = [\"card\"]", "starts_with = [\"cards\"]"),
    ] {
        let found = diagnostics_of(&[change], rules);
        assert!(found.contains("game.toml"), "{change:?}\n{found}");
        assert!(!found.contains("play.rhai"), "{change:?}\n{found}");
    }
}
