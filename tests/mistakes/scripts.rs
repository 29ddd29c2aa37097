//! Mistakes in scripts. A case is `rules/play.rhai` of the sampler; after `=== path` come further files, after `=== change`
//! lines `from -> to` that change the sampler's data, with `\n` for a new line. `=== bare` leaves out the
//! functions that a case need not write: steps and scores. `=== mute` seats players who never answer.

use crate::case::{Case, check};
use crate::folder;
use crate::sampler;
use parlour::agents::FirstOption;
use parlour::diagnostic::Diagnostics;
use parlour::model::Seat;
use parlour::session::{NoAnswer, Observation, Player, Setup};
use std::path::Path;

/// A use for everything the sampler declares, so that nothing is said about that.
const USES: &str = r#"
fn score(seat) { seat.cash }
fn rank(seat) { [score(seat)] }
fn invariant_of_the_sampler() {
    let named = ["length", "bonus", "prices", "deck", "discard", "hand", "lots", "track", "board", "cup", "map", "tiles", "trend",
        "weather", "charms", "marked", "sold", "bids", "aim"];
    named.len() + ["secret", "taps", "cash", "pick", "bid", "sure", "broke", "pays"].len() > 0 && [game.mood].len() > 0
        && components("lane").count() > 0
}
"#;

/// Functions the flow of the sampler calls.
const STEPS: [(&str, &str); 2] = [("fn set_up(", "fn set_up() {}\n"), ("fn turn_of(", "fn turn_of(seat) {}\n")];

/// Whoever is asked says nothing.
struct Mute;

impl Player for Mute {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        Err(format!("no answer came from player {}", observation.seat().number()).into())
    }
}

/// The rules with what a case need not say.
fn whole(rules: &str) -> String {
    let left_out = STEPS.iter().filter(|(name, _)| !rules.contains(name)).map(|(_, function)| *function);
    std::iter::once(rules).chain(left_out).collect()
}

/// The functions of [`USES`] that a case does not write itself.
fn uses(case: &Case) -> String {
    let is_score = |name: &str| ["score", "rank"].contains(&name);
    let is_left_out = |name: &str| case.text.contains(&format!("fn {name}(")) || is_score(name) && case.has("bare");
    let functions = USES.split("fn ").skip(1).filter(|function| !is_left_out(function.split('(').next().unwrap()));
    functions.map(|function| format!("fn {function}")).collect::<Vec<_>>().concat()
}

fn texts(case: &Case) -> Vec<(String, String)> {
    let rules = if case.has("bare") { case.text.clone() } else { whole(&case.text) };
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

/// Replaces what stands before ` -> ` by what stands behind it.
fn change(texts: &mut [(String, String)], line: &str) {
    let (from, to) = line.split_once(" -> ").unwrap();
    let (_, text) = texts.iter_mut().find(|(_, text)| text.contains(from)).unwrap_or_else(|| panic!("no `{from}`"));
    *text = text.replacen(from, &to.replace("\\n", "\n"), 1);
}

/// What is said about the sampler with these rules: before it is played, and else when it is.
pub(crate) fn said(case: &Case) -> String {
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
fn mistakes_of_scripts_are_told_with_their_place() {
    check("scripts", said);
}

#[test]
fn what_begins_as_nothing_and_is_set_in_a_loop_is_there_behind_it() {
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
        assert_eq!(said(&case), "nothing", "{rules}");
    }
}

/// What is said when the sampler's data is changed, with rules that are well unless they are given.
fn said_of_data(changes: &[(&str, &str)], rules: &str) -> String {
    let mut texts = sampler::texts(&whole(rules));
    for (from, to) in changes {
        let (_, text) = texts.iter_mut().find(|(_, text)| text.contains(from)).unwrap();
        *text = text.replacen(from, to, 1);
    }
    parlour::load_texts("sampler", texts).err().unwrap_or_default().to_string()
}

#[test]
fn an_agent_that_rates_a_decision_by_a_wrong_name_is_told_what_to_write() {
    for (function, help) in [
        ("rate_pik(seat, option)", "did you mean `rate_pick`?"),
        ("consider_pik(seat)", "did you mean `consider_pick`?"),
        ("rate_gobbled(seat, option)", "add `[decisions.gobbled]` to game.toml"),
    ] {
        let mut texts = sampler::texts(&whole(""));
        texts.push(("agents/eager.rhai".to_owned(), format!("fn {function} {{ 1 }}\n")));
        let found = parlour::load_texts("sampler", texts).err().unwrap_or_default().to_string();
        assert!(found.contains("error[unknown-decision]") && found.contains(&format!("help: {help}")), "{found}");
    }
}

#[test]
fn syntax_errors_of_data_and_of_scripts_are_told_together() {
    let found = said_of_data(&[("shape = \"hand\"", "shape = hand\"")], "fn set_up() { deck.shuffle( }");
    assert!(found.contains(" --> game.toml:") || found.contains("--> game.toml:"), "{found}");
    assert!(found.contains("error[syntax]: something is missing before `}`"), "{found}");
}

#[test]
fn scripts_are_checked_against_what_can_be_read_of_the_data() {
    let rules = "fn set_up() { deck.shufle(); deck.draw(discrad); }\nfn turn_of(seat) { seat.cash += first.csah; }";
    for change in [
        ("shape = \"hand\"", "shape = hand\""),
        ("suit = \"red\"", "suit = red\""),
        ("per = \"seat\"", "per = \"player\""),
        ("[[card]]", "[[crad]]\nidd = \"jack\"\n[[card]]"),
    ] {
        let found = said_of_data(&[change], rules);
        for told in [".toml:", "no function `shufle`", "there is no `discrad`", "has no `csah`"] {
            assert!(found.contains(told), "{told}: {change:?}\n{found}");
        }
        assert_eq!(found.matches("play.rhai:").count(), 3, "{change:?}\n{found}");
    }
}

#[test]
fn what_is_wrong_with_rules_whatever_the_data_say_is_told_beside_data_that_cannot_be_read() {
    let broken = ("shape = \"hand\"", "shape = hand\"");
    for (rules, told) in [
        ("fn turn_of(seat) { seats.pass_left(\"hnad\"); }", "seats have no zone `hnad`"),
        ("fn turn_of(seat) { if 1 { seat.cash += 1; } }", "a flag was expected, not"),
        ("fn turn_of(seat) { for i in 3 { seat.cash += i; } }", "`for` iterates over several things, not"),
    ] {
        let found = said_of_data(&[broken], rules);
        assert!(found.contains("error[toml-syntax]") && found.contains(told), "{rules}\n{found}");
    }
}

#[test]
fn a_file_that_cannot_be_read_hides_no_mistakes_of_the_others() {
    let found = said_of_data(&[("suit = \"red\"", "suit = red\""), ("face = \"down\"", "face = \"dwon\"")], "");
    assert!(found.contains("error[toml-syntax]") && found.contains("`face` cannot be `dwon`"), "{found}");
    assert_eq!(found.matches("error[").count(), 2, "{found}");
}

#[test]
fn a_file_that_cannot_be_read_brings_no_mistakes_of_scripts_with_it() {
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
fn a_kind_that_stands_alone_is_told_of_beside_other_mistakes() {
    let found = said_of_data(&[("[[tile]]", "[[tlie]]"), ("face = \"down\"", "face = \"dwon\"")], "");
    assert!(
        found.contains("`face` cannot be `dwon`") && found.contains("the word `tlie` stands nowhere else"),
        "{found}"
    );
}

#[test]
fn mistakes_of_data_bring_no_mistakes_of_scripts_with_them() {
    let rules = "fn turn_of(seat) { choose(seat, \"pick\", seat.hand); deck.draw(discard); game.trend += bonus; }";
    for change in [
        ("[decisions.pick]\nask = \"Pick one\"", "[decisions.pick]\nasks = \"Pick one\""),
        ("bonus = 10", "bonus = { 9 = 1 }"),
        ("trend = 0", "trend = { start = \"nowhere\" }"),
        ("per = \"seat\"", "per = \"player\""),
        ("starts_with = [\"card\"]", "starts_with = [\"cards\"]"),
    ] {
        let found = said_of_data(&[change], rules);
        assert!(found.contains("game.toml"), "{change:?}\n{found}");
        assert!(!found.contains("play.rhai"), "{change:?}\n{found}");
    }
}
