//! Playscripts: parsing, running, failure messages, and the playscripts of all games.

use parlour::diagnostic::Source;
use parlour::playscript::{Cast, Play, parse, record, run};
use parlour::session::{Game, Session, Setup, Status};
use std::path::Path;
use std::sync::Arc;

fn source(text: &str) -> Arc<Source> {
    crate::play::source(text)
}

fn parse_ok(text: &str) -> Play {
    parse(&source(text)).unwrap_or_else(|found| panic!("{found}\n{text}"))
}

/// Returns the example playscripts of `grammar/README.md`.
fn examples() -> Vec<String> {
    let page = std::fs::read_to_string("grammar/README.md").unwrap();
    page.split("```play\n").skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn examples_of_the_format_round_trip_and_pass() {
    assert!(examples().len() >= 8);
    for example in examples() {
        let example = if example.starts_with("game ") || example.starts_with("format ") {
            example
        } else {
            format!("{PLAYERS}{example}")
        };
        let play = parse_ok(&example);
        assert_eq!(parse_ok(&play.to_string()), play, "{example}");
        let found = failures(&example);
        assert!(found.is_empty(), "{found:?}");
    }
}

#[test]
fn all_syntax_errors_of_a_playscript_are_reported() {
    let found = parse(&source("game\nplayer Ann\nAnn bid 3\nscene {\n}\nseed x\narrange {\n")).unwrap_err();
    let lines: Vec<usize> = found.0.iter().map(|one| one.marks[0].place.line_column().0).collect();
    assert_eq!(lines, [1, 2, 3, 4, 6, 7], "{found}");
    assert!(found.0[1].help.as_deref().is_some_and(|help| help.contains("players")), "{found}");
}

/// Loads a game of the repository by its name.
fn game(name: &str) -> Result<Game, parlour::diagnostic::Diagnostics> {
    let own = Path::new("games").join(name);
    parlour::load(if own.is_dir() { own } else { Path::new("examples/games").join(name.replace('_', "-")) })
}

/// Runs a playscript on the games of the repository, and returns the rendered failures.
fn failures(text: &str) -> Vec<String> {
    let cast = Cast { game: &game, agent: &parlour::agents::in_play, covering: false };
    let reports = run(&parse_ok(text), &cast);
    reports.iter().filter_map(|r| r.failure.as_ref()).map(|f| parlour::diagnostic::render(f, false)).collect()
}

const PLAYERS: &str = "game stockpile\nplayers Ann Ben Cho\n";
const HEAD: &str = "game stockpile\nplayers Ann Ben Cho\nnext first: Ann\nstart at demand\n";

#[test]
fn positions_can_be_arranged_between_do_statements() {
    let head = "game stockpile\nplayers Ann Ben Cho\n";
    let steps = "do gain(Ann, 3)\narrange { Ben.cash = 1; }\nexpect Ann.cash == 23\ndo gain(Ann, 3)\n";
    let found = failures(&format!("{head}{steps}expect Ann.cash == 26\nexpect Ben.cash == 1\n"));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_zone_of_a_component_is_found_by_its_id() {
    let head = "game stockpile\nplayers Ann Ben Cho\n";
    let found = failures(&format!("{head}expect price_track[\"epic\"] == component(\"epic\").price_track\n"));
    assert!(found.is_empty(), "{found:?}");
    let found = failures(&format!("{head}expect price_track[\"epik\"].count() == 0\n"));
    assert!(found[0].contains("did you mean `epic`"), "{}", found[0]);
}

#[test]
fn a_choice_that_is_not_offered_lists_the_offered_ones() {
    let found = failures(&format!("{HEAD}Ann: bid lot=1 price=9\n"));
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("`lot=1 price=9` is not offered"), "{}", found[0]);
    assert!(found[0].contains("lot=1 price=0"), "{}", found[0]);
}

#[test]
fn a_choice_by_the_wrong_player_names_the_asked_player() {
    let found = failures(&format!("{HEAD}Ben: bid lot=1 price=10\n"));
    assert!(found[0].contains("Ann is asked `bid`, not Ben `bid`"), "{}", found[0]);
}

#[test]
fn a_part_that_fits_several_options_is_ambiguous() {
    let found = failures(&format!("{HEAD}Ann: bid lot=1\n"));
    assert!(found[0].contains("matches 7 options"), "{}", found[0]);
}

#[test]
fn a_failed_comparison_shows_both_sides() {
    let found = failures(&format!("{HEAD}expect Ann.cash == 5\n"));
    assert!(found[0].contains("`Ann.cash` is 20, expected 5"), "{}", found[0]);
}

#[test]
fn unused_fixed_rolls_are_a_failure() {
    let found = failures(&format!("{HEAD}roll 3\nAnn: bid lot=1 price=0\n"));
    assert!(found[0].contains("was never used"), "{}", found[0]);
}

#[test]
fn the_playscripts_of_every_game_pass() {
    let mut files = 0;
    let parents = ["games", "examples/games", "examples/gallery"].map(|parent| std::fs::read_dir(parent).unwrap());
    for folder in parents.into_iter().flatten() {
        let folder = folder.unwrap().path();
        let Ok(plays) = std::fs::read_dir(folder.join("plays")) else { continue };
        let game = parlour::load(&folder).unwrap();
        for play in plays {
            let path = play.unwrap().path();
            let text =
                Arc::new(Source { path: path.display().to_string(), text: std::fs::read_to_string(&path).unwrap() });
            let play = parse(&text).unwrap_or_else(|found| panic!("{found}"));
            let find = |_: &str| Ok(game.clone());
            for report in run(&play, &Cast { game: &find, agent: &parlour::agents::in_play, covering: false }) {
                let failure =
                    report.failure.map(|found| parlour::diagnostic::render(&found, false)).unwrap_or_default();
                assert!(failure.is_empty(), "{}: {:?}\n{failure}", path.display(), report.scene);
                assert!(report.choices + report.checks > 0, "{}: {:?} checks nothing", path.display(), report.scene);
            }
            files += 1;
        }
    }
    assert!(files >= 2);
}

#[test]
fn recorded_games_replay_with_the_same_fingerprints() {
    for (seats, seed) in [(3, 1), (4, 2), (5, 3)] {
        let stockpile = game("stockpile").unwrap();
        let setup = Setup::seats(seats).seed(seed);
        let mut session = Session::start(&stockpile, &setup).unwrap();
        let mut chance = parlour::table::Chance::new(seed, "test");
        while let Status::Waiting(decision) = session.status() {
            let at = chance.below(decision.count() as u32) as usize;
            session.choose(at).unwrap();
        }
        let play = record(&stockpile, &setup, &session.answers().to_vec(), true).unwrap();
        assert_eq!(parse_ok(&play.to_string()), play);
        let found = failures(&play.to_string());
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

#[test]
fn a_flow_without_questions_ends_with_a_fault() {
    let stockpile = game("stockpile").unwrap();
    let setup = Setup::seats(3).set("zones.lots.copies", "7");
    let mut session = Session::start(&stockpile, &setup).unwrap();
    while let Status::Waiting(_) = session.status() {
        session.choose(0).unwrap();
    }
    assert!(matches!(session.status(), Status::Failed(found) if found.code == "endless"));
}

#[test]
fn recording_coverage_does_not_change_the_game() {
    let mut games = 0;
    for folder in std::fs::read_dir("games").unwrap().chain(std::fs::read_dir("examples/games").unwrap()) {
        let game = parlour::load(folder.unwrap().path()).unwrap_or_else(|found| panic!("{found}"));
        for seats in game.players() {
            let setup = Setup::seats(seats).seed(u64::from(seats));
            let players = || {
                let seats = 0..usize::from(seats);
                seats.map(|seat| parlour::agents::named("random", 3, seat).unwrap()).collect()
            };
            let plain = game.play(&setup, players(), true).unwrap();
            let watched = game.watched().play(&setup, players(), true).unwrap();
            assert_eq!(plain.fingerprint, watched.fingerprint, "{} with {seats}", game.id());
            assert_eq!(plain.events, watched.events, "{} with {seats}", game.id());
            games += 1;
        }
    }
    assert!(games > 10);
}

const KEEPING: &str = "game stockpile\nplayers Ann Ben\noption investors = on\nnext first: Ann\nnext shuffle of investor_deck: mark, martha, bernie, donald\n";

#[test]
fn reject_checks_several_picks_together() {
    let found =
        failures(&format!("{KEEPING}reject Ann: keep_investor bernie + martha\nAnn: keep_investor bernie + martha\n"));
    assert!(found.len() == 1 && found[0].starts_with("error[offered]"), "{found:?}");
    for (line, why) in [
        ("bernie + bernie", "not among"),
        ("bernie + done", "not among"),
        ("bernie + martha + mark", "too many"),
        ("warren", "not among"),
    ] {
        let text = format!("{KEEPING}reject Ann: keep_investor {line}\n");
        let cast = Cast { game: &game, agent: &parlour::agents::in_play, covering: false };
        let report = run(&parse_ok(&text), &cast).remove(0);
        assert!(report.failure.is_none(), "{line}: {:?}", report.failure);
        assert!(report.rejections[0].why.contains(why), "{line}: {}", report.rejections[0].why);
    }
    let found = failures(&format!("{KEEPING}reject Ann: keep_investor bernie\n"));
    assert!(found[0].contains("bernie + done"), "{found:?}");
    assert!(failures(&format!("{KEEPING}allows Ann: keep_investor martha + bernie\n")).is_empty());
    assert!(failures(&format!("{KEEPING}allows Ann: keep_investor bernie + bernie\n")).len() == 1);
}

#[test]
fn any_of_several_picks_may_be_picked_first() {
    for investor in ["mark", "martha", "bernie", "donald"] {
        let found = failures(&format!("{KEEPING}reject Ann: keep_investor {investor}\n"));
        assert!(found.len() == 1 && found[0].contains("may be picked first"), "{investor}: {found:?}");
        assert!(failures(&format!("{KEEPING}allows Ann: keep_investor {investor}\n")).is_empty(), "{investor}");
    }
}

#[test]
fn spaces_can_be_named_with_their_zone() {
    let found = failures(&format!("{HEAD}reject Ann: bid lots[1] price=1\n"));
    assert!(found.len() == 1 && found[0].starts_with("error[offered]"), "{found:?}");
    let found = failures(&format!("{HEAD}reject Ann: bid lot=lots[1] price=1\n"));
    assert!(found.len() == 1 && found[0].starts_with("error[offered]"), "{found:?}");
    assert!(failures(&format!("{HEAD}Ann: bid lots[1] price=1\n")).is_empty());
}

#[test]
fn fixed_rolls_must_be_possible() {
    for number in [0, 7, 99, -5] {
        let found = failures(&format!("{PLAYERS}roll {number}\ndo Ann.cash = roll(6)\n"));
        assert!(found[0].contains("1 to 6 is rolled"), "{number}: {found:?}");
    }
    assert!(failures(&format!("{PLAYERS}roll 6\ndo Ann.cash = roll(6)\nexpect Ann.cash == 6\n")).is_empty());
}

#[test]
fn do_and_arrange_are_type_checked_before_they_run() {
    for line in ["do if first == \"Ann\" { Ann.cash = 99; }", "arrange { if first == \"Ann\" { Ann.cash = 99; } }"] {
        let found = failures(&format!("{PLAYERS}{line}\nexpect true\n"));
        assert!(found.len() == 1 && found[0].starts_with("error[wrong-type]"), "{line}: {found:?}");
    }
    let found = failures(&format!("{HEAD}arrange {{ if first == \"Ann\" {{ Ann.cash = 99; }} }}\nexpect true\n"));
    assert!(found.len() == 1 && found[0].starts_with("error[wrong-type]"), "{found:?}");
}

#[test]
fn words_that_no_option_can_contain_are_errors_with_a_suggestion() {
    for (line, help) in [
        ("bid lot=9 price=1", "the nearest is"),
        ("bid lot=1 price=many", "price=3"),
        ("bid lott=1 price=1", "lot"),
        ("bid loan", ""),
    ] {
        for word in ["reject", "allows", "forced"] {
            let found = failures(&format!("{HEAD}{word} Ann: {line}\n"));
            assert!(found[0].starts_with("error[unknown-word]"), "{word} {line}: {}", found[0]);
            assert!(found[0].contains(help), "{word} {line}: {}", found[0]);
        }
    }
    let head =
        "game monga-alley\nplayers Ann Ben\narrange { set_table(); put(\"d13\", Ann.hand); }\ndo place_tile(Ann)\n";
    let found = failures(&format!("{head}reject Ann: place to=99,0\n"));
    assert!(found[0].contains("the nearest is"), "{}", found[0]);
    let found = failures(&format!("{head}reject Ann: place turned=7\n"));
    assert!(found[0].contains("turned=3"), "{}", found[0]);
}

#[test]
fn answers_of_a_type_that_a_decision_never_offers_cannot_be_rejected() {
    let laying =
        "game monga-alley\nplayers Ann Ben\narrange { set_table(); put(\"d13\", Ann.hand); }\ndo place_tile(Ann)\n";
    let acting = "game wall-street-1920\nplayers Ann Ben Cho\nseed 3\nauto until decision action with first\n";
    for (head, line) in [
        (KEEPING, "Ann: keep_investor boom"),
        (KEEPING, "Ann: keep_investor yes"),
        (KEEPING, "Ann: keep_investor 7"),
        (KEEPING, "Ann: keep_investor bernie + boom"),
        (laying, "Ann: place yes"),
        (laying, "Ann: place 99,0"),
        (laying, "Ann: place way=police"),
        (laying, "Ann: place d13 gambling"),
        (acting, "Cho: action yes"),
        (acting, "Cho: action keep"),
        (acting, "Cho: action explosion"),
        (acting, "Cho: action Ann"),
        (acting, "Cho: action low_profit"),
    ] {
        let found = failures(&format!("{head}reject {line}\n"));
        assert!(found.len() == 1 && found[0].starts_with("error[unknown-word]"), "{line}: {found:?}");
    }
    for (head, line) in [
        (KEEPING, "Ann: keep_investor warren"),
        (KEEPING, "Ann: keep_investor pass"),
        (laying, "Ann: place d14"),
        (laying, "Ann: place way=over"),
        (acting, "Cho: action pass"),
        (acting, "Cho: action buy=9"),
    ] {
        let found = failures(&format!("{head}reject {line}\n"));
        assert!(found.is_empty(), "{line}: {found:?}");
    }
}

#[test]
fn choices_with_a_single_option_need_forced() {
    let auto = "game goofspiel\nplayers Ann Ben\nauto until round 2 with first\nexpect asked Ann\n";
    for card in 1..=13 {
        let found = failures(&format!("{auto}Ben: bid Ben.bid_{card}\n"));
        assert!(found.len() == 1 && found[0].starts_with("error[not-asked]"), "{found:?}");
    }
    let last = "Ann: mark board[1,1]\nBen: mark board[2,2]\nAnn: mark board[2,1]\nBen: mark board[3,1]\nAnn: mark board[1,3]\nBen: mark board[1,2]\nAnn: mark board[3,2]\nBen: mark board[2,3]\n";
    let head = "game tic_tac_toe\nplayers Ann Ben\n";
    let found = failures(&format!("{head}{last}Ann: mark board[3,3]\n"));
    assert!(found[0].contains("begin it with `forced`"), "{found:?}");
    let found = failures(&format!("{head}{last}forced Ann: mark board[3,3]\nforced Ann: mark board[3,3]\n"));
    assert!(found.len() == 1 && found[0].contains("was not left with"), "{found:?}");
    let found = failures(&format!("{head}Ann: mark board[1,1]\nforced Ann: mark board[1,1]\n"));
    assert!(found.len() == 1, "{found:?}");
}

#[test]
fn auto_can_stop_at_phases_without_questions() {
    // The playscripts stop at the start of the game, after questions, and one round later. The steps before the phase have run, but nothing
    // after it.
    for text in [
        "auto until phase information\nexpect phase information\nexpect round == 1\nexpect Ann.hand.is_empty()\nexpect not asked Ann\n",
        "auto until phase information\nauto until phase movement\nexpect phase movement && round == 1\n",
        "auto until phase movement\nexpect phase movement\nexpect round == 1\nauto until phase supply\nexpect phase supply\nexpect round == 2\n",
        "auto until phase movement\nauto until phase movement\nexpect round == 1\n",
        "auto until phase movement\ndo gain(Ann, 3)\narrange { Ben.cash = 77; }\nexpect phase movement\nexpect Ben.cash == 77\nauto until phase supply\nexpect round == 2 && Ben.cash == 77\n",
    ] {
        let text = text.replace("phase movement && round", "phase movement\nexpect round");
        let found = failures(&format!("{PLAYERS}seed 7\n{text}"));
        assert!(found.is_empty(), "{text}: {found:?}");
    }
    let found = failures(&format!("{PLAYERS}seed 7\nauto until phase movement\nexpect winner Ann\n"));
    assert!(found.len() == 1 && found[0].contains("the game is not over"), "{found:?}");
    // Statements about a question first continue the game to the next question.
    let found = failures(
        "game leduc_poker\nplayers Ann Ben\nseed 7\nauto until phase showdown with first\nexpect ending showdown\n",
    );
    assert!(found.is_empty(), "the phase ends the game: {found:?}");
    let found = failures(&format!("{PLAYERS}seed 7\nauto until phase movement with first\noffers Ann: claim 1\n"));
    assert!(found.len() == 1 && found[0].contains("is asked `"), "{found:?}");
}

#[test]
fn put_does_not_reuse_pieces_that_were_put_before() {
    let found = failures(&format!(
        "{HEAD}arrange {{ put(\"boom\", 1, lots[1]); put(\"boom\", 99, lots[2]); }}\noffers Ann: bid 1\n"
    ));
    assert!(found[0].contains("no-piece-left"), "{}", found[0]);
    let text = "game monga-alley\nplayers Ann Ben\narrange { put(\"d13\", Ann.hand); }\n";
    let found = failures(&format!("{text}arrange {{ put(\"d13\", Ben.hand); }}\ndo set_table()\n"));
    assert!(found[0].contains("lies where this `arrange` put it"), "{}", found[0]);
    let found = failures(&format!(
        "{text}arrange {{ clear(Ann.hand); put(\"d13\", Ben.hand); }}\ndo set_table()\nexpect Ann.hand.is_empty()\n"
    ));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn impossible_fixed_shuffles_are_reported() {
    let found = failures(&format!("{PLAYERS}next shuffle of market: mark\nexpect Ann.cash == 1\n"));
    assert!(found[0].starts_with("error[not-among]"), "{}", found[0]);
    let found = failures(&format!("{HEAD}next shuffle of market: boom\nexpect Ann.cash == 1\n"));
    assert!(found[0].contains("set, but not used yet"), "{}", found[0]);
}

#[test]
fn comparing_different_types_in_expectations_is_an_error() {
    for sign in ["==", "!="] {
        let found = failures(&format!("{HEAD}expect market.top.component {sign} \"boom\"\n"));
        assert!(!found.is_empty() && !found[0].starts_with("error[expect]"), "{sign}: {found:?}");
    }
}

#[test]
fn any_expectation_can_be_negated() {
    let head = format!("{HEAD}Ann: bid lot=1 price=1\n");
    for line in
        ["Ann.cash == 5", "asked Ann", "asked Ben: sell", "phase selling", "log Ben: Cho", "log Ben: lot | Ann bids"]
    {
        let found = failures(&format!("{head}expect not {line}\n"));
        assert!(found.is_empty(), "{line}: {found:?}");
        assert_eq!(failures(&format!("{head}expect {line}\n")).len(), 1, "{line}");
    }
    for line in ["Ann.cash == 20", "asked Ben", "asked Ben: bid", "phase demand"] {
        assert_eq!(failures(&format!("{head}expect not {line}\n")).len(), 1, "{line}");
    }
    for line in ["Ann.cash", "winner Ann", "tally nothing_such = 1", "asked Bem"] {
        assert_eq!(failures(&format!("{head}expect not {line}\n")).len(), 1, "{line}");
    }
}

#[test]
fn negated_log_expectations_must_be_possible_log_texts() {
    let head = format!("{HEAD}Ann: bid lot=1 price=1\n");
    for (line, help) in [
        ("Ann bidz", "did you mean `bid"),
        ("Cosmik Computers", "did you mean `cosmic`?"),
        ("ann  BIDS", "the line is `Ann bids"),
        ("Cho | Ben bidz", "did you mean `bid"),
    ] {
        let found = failures(&format!("{head}expect not log Ben: {line}\n"));
        assert!(found.len() == 1 && found[0].contains(help), "{line}: {found:?}");
    }
    for line in
        ["Cosmic", "Ben bids 3", "turned up in", "hidden", "is shuffled into it", "Cho's portfolio", "1st from below"]
    {
        let found = failures(&format!("{head}expect not log Ben: {line}\n"));
        assert!(found.is_empty(), "{line}: {found:?}");
    }
}

#[test]
fn phase_ranks_and_scores_can_be_used_in_expressions() {
    let lines = [
        "auto until phase selling with first",
        "expect phase == \"selling\" && ranks == () && scores == ()",
        "expect not phase == \"demand\"",
        "auto until end with random",
        "expect ranks[Ann] >= 1 && scores[Ann] > 0",
        "expect seats.some(|seat| ranks[seat] == 1)",
    ];
    let found = failures(&format!("{PLAYERS}seed 7\n{}\n", lines.join("\n")));
    assert!(found.is_empty(), "{found:?}");
    let counting = "game last-will\nplayers Ann Ben\nseed 1\nauto until round 3 with random\n";
    let found = failures(&format!("{counting}expect tallies.nothing == 3\n"));
    assert!(found.len() == 1, "{found:?}");
    let found = failures(&format!("{HEAD}expect ranks[Ann] == 1\n"));
    assert!(found.len() == 1 && !found[0].contains("there is no `Ann`"), "{found:?}");
}

#[test]
fn the_first_player_can_be_fixed_only_once() {
    let found = failures(&format!(
        "{PLAYERS}next first: Ann\nscene \"another\" {{\n    next first: Ben\n    expect first == Ben\n}}\n"
    ));
    assert!(found.len() == 1 && found[0].contains("the first seat is set already: Ann"), "{found:?}");
}

/// Runs a playscript on a game with the given files, and returns the rendered failures.
fn failures_in(game: &str, rules: &str, components: &str, text: &str) -> Vec<String> {
    let load = |_: &str| {
        let texts = [("game.toml", game), ("rules/play.rhai", rules), ("components/own.toml", components)];
        parlour::load_texts("own", crate::folder::owned_files(texts))
    };
    let cast = Cast { game: &load, agent: &parlour::agents::in_play, covering: false };
    let reports = run(&parse_ok(text), &cast);
    reports.iter().filter_map(|r| r.failure.as_ref()).map(|f| parlour::diagnostic::render(f, false)).collect()
}

const ORDER: &str = r#"
[game]
id = "order"
players = { min = 3, max = 3 }
[values.seat]
turns = 0
[decisions.act]
ask = "What do you do?"
[decisions.again]
ask = "What do you do now?"
[flow]
round = ["play"]
rounds = 2
[phases.play]
steps = [{ each_seat = "act" }, { each_seat = "act_again" }]
"#;

const ORDER_RULES: &str = r#"
fn act(seat) {
    if choose(seat, "act", ["stay", "lead"]) == "lead" { set_first(previous(seat)); }
    seat.turns += 1;
}
fn act_again(seat) { choose(seat, "again", ["stay", "go"]); }
fn score(seat) { seat.turns }
"#;

#[test]
fn starting_a_phase_for_a_seat_skips_earlier_seats_in_its_first_step() {
    let scenes = [
        // Ann is first in turn order, but her turn is skipped.
        "start at play for Ben\nexpect first == Ann && active == Ben\nBen: act stay\nCho: act stay\nAnn: again stay\nBen: again go\n",
        // A first player set by `arrange` leads the turn order of the following steps.
        "start at play for Ben\narrange { set_first(Cho); }\nexpect first == Cho\nBen: act stay\nCho: again stay\nAnn: again stay\n",
        // A first player set by a rule affects the steps after the current one.
        "start at play for Ann\nAnn: act lead\nexpect first == Cho\nBen: act stay\nCho: act stay\nCho: again stay\nAnn: again stay\nBen: again stay\nCho: act stay\n",
        "start at play for Ben\nBen: act lead\nexpect first == Ann\nCho: act stay\nAnn: again stay\n",
    ];
    for scene in scenes {
        let found = failures_in(ORDER, ORDER_RULES, "", &format!("game order\nplayers Ann Ben Cho\n{scene}"));
        assert!(found.is_empty(), "{scene}\n{found:?}");
    }
}

#[test]
fn fixing_the_first_player_works_when_starting_for_a_seat() {
    let game = ORDER.replace("rounds = 2", "rounds = 2\nfirst = \"random\"");
    let scene = "next first: Cho\nstart at play for Ben\nexpect first == Cho\nBen: act stay\nCho: again stay\n";
    let found = failures_in(&game, ORDER_RULES, "", &format!("game order\nplayers Ann Ben Cho\n{scene}"));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn dice_with_equal_faces_are_one_option() {
    let game = r#"
[game]
id = "dice"
players = { min = 2, max = 2 }
[zones.cup]
shape = "hand"
starts_with = ["die"]
[zones.kept]
per = "seat"
shape = "hand"
seen_by = "everybody"
quiet = true
[decisions.take]
ask = "Which die do you take?"
tell = "{seat} takes {choice}"
[flow]
round = ["play"]
rounds = 1
[phases.play]
steps = ["roll_all", { each_seat = "take_die" }]
"#;
    let rules = r#"
fn roll_all() { for die in cup.pieces { die.roll(); } }
fn take_die(seat) { choose(seat, "take", cup.pieces).move_to(seat.kept); }
fn score(seat) { seat.kept.sum("shown") }
"#;
    let dice = "[[die]]\nid = \"die\"\nfaces = [1, 2, 3, 4, 5, 6]\ncount = 4\n";
    let scene = "roll die 5\nroll die 5\nroll die 2\nroll die 6\noffers Ann: take 3\nreject Ann: take 4\nAnn: take 5\n\
                 expect Ann.kept.sum(\"shown\") == 5\noffers Ben: take 3\nBen: take 6\nexpect Ben.kept.sum(\"shown\") == 6\n";
    let found = failures_in(game, rules, dice, &format!("game dice\nplayers Ann Ben\n{scene}"));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn parts_of_answers_have_declared_types() {
    let game = r#"
[game]
id = "parts"
players = { min = 2, max = 2 }
[zones.hand]
per = "seat"
shape = "hand"
starts_with = ["card"]
seen_by = "everybody"
[zones.road]
shape = "row"
spaces = 3
[decisions.play]
ask = "What do you play?"
tell = "{seat} plays {what} to {to} {way}"
parts = { what = "piece", to = "space", way = "word", open = "flag", like = "component" }
[flow]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = "play" }]
"#;
    let rules = r#"
fn play(seat) {
    let ways = #{ what: seat.hand.pieces, to: road.spaces, way: ["slow", "fast"], open: [true, false], like: components("card") };
    let chosen = choose(seat, "play", each_of(ways));
    chosen.what.move_to(chosen.to, if chosen.open { "up" } else { "down" });
}
fn score(seat) { seat.hand.count() }
"#;
    let cards = "[[card]]\nid = \"ace\"\neach = \"seat\"\n[[card]]\nid = \"king\"\neach = \"seat\"\n";
    let failures = |rules: &str, scene: &str| {
        failures_in(game, rules, cards, &format!("game parts\nplayers Ann Ben\nstart at play for Ann\n{scene}"))
    };
    let play = "Ann: play what=Ann.king to=road[2] way=fast open=yes like=ace\nexpect road[2].top.component == component(\"king\")\n";
    assert_eq!(failures(rules, play), Vec::<String>::new());
    let stray = failures(rules, "reject Ann: play open=maybe\n");
    assert!(stray[0].contains("`maybe` is not `yes` or `no`"), "{}", stray[0]);
    let wrong = rules.replace("way: [\"slow\", \"fast\"]", "way: [1, 2]").replace("to: road.spaces", "to: [1, 2]");
    let wrong = wrong.replace("chosen.what.move_to(chosen.to,", "chosen.what.move_to(road[1],");
    let told = failures(&wrong, "expect true\n");
    assert!(told[0].contains("the part `to` of `play` is declared as a space, but is a number here"), "{}", told[0]);
}
