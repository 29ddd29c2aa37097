//! Tests of redeals. A redeal replaces hidden information that no seat knew, keeps everything that any seat knew, and can be replayed.

use parlour::model::Seat;
use parlour::session::{Act, Consent, EventKind, Game, Redeal, Session, Setup};
use parlour::table::Chance;
use std::path::Path;

const GAME: &str = "[game]\nid = \"redeals\"\nplayers = { min = 2, max = 2 }\n[zones.deck]\nshape = \"pile\"\nstarts_with = [\"card\"]\n\
    face = \"down\"\n[zones.hand]\nper = \"seat\"\nshape = \"hand\"\n[values.seat]\ncoins = 0\n[decisions.act]\nask = \"What?\"\n\
    [words]\none = \"one\"\ntwo = \"two\"\n[flow]\nsetup = [\"begin\"]\nround = [\"play\"]\nrounds = 3\n[phases.play]\n\
    steps = [{ each_seat = \"turn\" }]\n";

const CARDS: &str = "[[card]]\nid = \"c{n}\"\neach.n = \"1..12\"\n";

fn game(turn: &str) -> Game {
    let rules = format!(
        "fn begin() {{ deck.shuffle(); for seat in seats {{ deck.draw(2, seat.hand); }} }}\nfn turn(seat) {{ {turn} }}\n\
         fn score(seat) {{ seat.coins }}\n"
    );
    let texts = [("game.toml", GAME), ("components/cards.toml", CARDS), ("rules/play.rhai", &rules)];
    parlour::load_texts("redeals", crate::folder::owned_files(texts)).unwrap_or_else(|found| panic!("{rules}\n{found}"))
}

fn started(turn: &str, seed: u64) -> Session {
    Session::start(&game(turn), &Setup::seats(2).seed(seed)).unwrap()
}

const fn redeal(seed: u64) -> Redeal {
    Redeal { seed, by: Some(Seat(0)), consent: Consent::Agreed }
}

/// Returns digests of what each seat sees and remembers, and of what everybody may see.
fn knowledge(session: &Session) -> Vec<u64> {
    let seats = session.model().all_seats().map(Some).chain([None]);
    seats.map(|seat| session.memory(seat).memory_digest()).collect()
}

fn whole(session: &Session) -> Vec<String> {
    session.listing(None).iter().map(|row| format!("{}={}", row.place, row.brief())).collect()
}

#[test]
fn a_redeal_changes_only_what_nobody_knew() {
    // The deck is in its initial order, or is shuffled within the step.
    let turns = [
        "choose(seat, \"act\", [\"one\", \"two\"]); deck.draw(1, seat.hand);",
        "deck.shuffle(); deck.draw(1, seat.hand); choose(seat, \"act\", [\"one\", \"two\"]); deck.draw(1, seat.hand);",
    ];
    for turn in turns {
        let session = started(turn, 3);
        let mut tables = std::collections::BTreeSet::new();
        for seed in 0..20 {
            let mut again = session.fork();
            assert!(again.redeal(&redeal(seed)), "{turn}");
            assert_eq!(knowledge(&again), knowledge(&session), "{turn}");
            let hands =
                |session: &Session| whole(session).into_iter().filter(|row| row.contains(".hand=")).collect::<Vec<_>>();
            assert_eq!(hands(&again), hands(&session), "{turn}");
            again.choose(0).unwrap();
            tables.insert(whole(&again).join(" "));
        }
        assert!(tables.len() > 15, "{turn}: {}", tables.len());
    }
}

#[test]
fn a_redealt_step_reads_the_new_hidden_faces() {
    let turn = "let is_low = deck.top.n <= 6; choose(seat, \"act\", [\"one\", \"two\"]); \
                if is_low == (deck.top.n <= 6) { seat.coins += 1; }";
    let (mut dealt, mut faces) = (0, std::collections::BTreeSet::new());
    for seed in 0..30 {
        let mut session = started(turn, 5);
        dealt += u32::from(session.redeal(&redeal(seed)));
        faces.insert(whole(&session).join(" "));
        session.choose(0).unwrap();
        let view = session.view(Seat(0)).describe();
        assert!(whole(&session).iter().any(|row| row == "Ann.coins=1" || row.ends_with(".coins=1")), "{view}");
    }
    assert!(dealt == 30 && faces.len() > 20, "{dealt} {}", faces.len());
}

#[test]
fn histories_with_redeals_can_be_replayed_and_undone() {
    let turn = "choose(seat, \"act\", [\"one\", \"two\"]); deck.draw(1, seat.hand); seat.coins += roll(6);";
    let mut session = started(turn, 8);
    session.choose(0).unwrap();
    session.choose(1).unwrap();
    let drawn = whole(&session);
    session.undo_to(1).unwrap();
    session.redeal(&redeal(77));
    let waits = session.fingerprint();
    session.choose(1).unwrap();
    assert_ne!(whole(&session), drawn, "another card and another throw");
    session.choose(0).unwrap();
    assert_eq!(session.acts().len(), 4);
    assert!(session.events().iter().any(|event| matches!(event.kind, EventKind::Redealt { is_dealt: true, .. })));
    let mut again = Session::start(&game(turn), session.setup()).unwrap();
    for act in session.acts() {
        again.repeat(&act).unwrap();
    }
    assert_eq!((again.fingerprint(), again.acts()), (session.fingerprint(), session.acts()));
    assert_eq!(again.agent_seed(), 77);
    // The first undo returns to the table after the redeal, and the second undo to the table before it.
    session.undo_to(1).unwrap();
    assert_eq!((session.fingerprint(), session.acts().len()), (waits, 2));
    session.undo_to(0).unwrap();
    assert!(session.acts().is_empty() && session.redeals().count() == 0);
    session.redeal(&redeal(1));
    session.redeal(&redeal(2));
    assert_eq!(session.acts(), [Act::Redeal(redeal(1)), Act::Redeal(redeal(2))]);
}

#[test]
fn disclosed_faces_are_counted_from_public_facts() {
    let disclosed = |turn: &str| {
        let mut session = started(turn, 4);
        session.choose(0).unwrap();
        let disclosed = session.disclosed_since(0).unwrap();
        (disclosed.is_any, disclosed.shown.len())
    };
    let then = |what: &str| {
        format!("choose(seat, \"act\", [\"one\", \"two\"]); {what} choose(seat, \"act\", [\"one\", \"two\"]);")
    };
    assert_eq!(disclosed(&then("seat.coins += 1;")), (false, 0));
    assert_eq!(disclosed(&then("deck.draw(1, seat.hand);")), (true, 0));
    assert_eq!(disclosed(&then("seat.coins += roll(6);")), (true, 0));
    assert_eq!(disclosed(&then("next(seat).hand.show(seat);")), (true, 1));
    // Players could guess again and again, and conclude from the coins what the rules have read.
    assert_eq!(disclosed(&then("if deck.top.n > 6 { seat.coins += 1; }")), (true, 0));
    assert_eq!(disclosed(&then("if seat.hand.filter(|card| card.n > 6).count() > 1 { seat.coins += 1; }")), (true, 0));
    assert_eq!(disclosed(&then("if deck.count() > 6 && seat.hand.count() == 2 { seat.coins += 1; }")), (false, 0));
    // Reads before the answer are known already, even if they belong to the same step.
    let before = format!("if deck.top.n > 6 {{ seat.coins += 1; }} {}", then("seat.coins += 1;"));
    assert_eq!(disclosed(&before), (false, 0));
    // A redeal that would be undone counts as disclosure, too.
    let mut session = started(&then("seat.coins += 1;"), 4);
    session.choose(0).unwrap();
    session.redeal(&redeal(9));
    assert!(session.disclosed_since(0).unwrap().is_any && !session.disclosed_since(1).unwrap().is_any);
}

/// Dropping copies takes time that is proportional to the number of copies. If each redeal made room only for itself, many redeals would
/// take quadratic time.
#[test]
fn room_for_many_copies_is_made_at_once() {
    let game = {
        let rules =
            "fn begin() { }\nfn turn(seat) { choose(seat, \"act\", [\"one\", \"two\"]); }\nfn score(seat) { 0 }\n";
        let toml = GAME.replace("rounds = 3", "rounds = 1000");
        let cards = CARDS.replace("12", "2000");
        let texts = [("game.toml", &*toml), ("components/cards.toml", &cards), ("rules/play.rhai", rules)];
        parlour::load_texts("redeals", crate::folder::owned_files(texts)).unwrap()
    };
    let mut session = Session::start(&game, &Setup::seats(2).seed(1)).unwrap();
    let (mut first, mut drops) = (0, 0);
    for number in 0..400 {
        session.choose(0).unwrap();
        session.redeal(&redeal(number));
        let is_reached = |answers: usize| session.fork_to_answers(answers).is_ok();
        if !is_reached(first) {
            drops += 1;
            while !is_reached(first) {
                first += 1;
            }
        }
    }
    assert!(first > 100, "only the last copies are kept: {first}");
    assert!(drops * 10 < first, "{first} copies were dropped in {drops} passes");
}

#[test]
fn games_continue_after_a_redeal_with_unchanged_knowledge() {
    let folders = ["games", "examples/games"].map(|folder| std::fs::read_dir(folder).unwrap());
    let (mut dealt, mut all) = (0, 0);
    for folder in folders.into_iter().flatten() {
        let folder = folder.unwrap().path();
        if !folder.join("game.toml").is_file() {
            continue;
        }
        let (redealt, times) = redeals_in(&folder);
        assert!(times == 0 || redealt * 10 >= times * 8, "{}: {redealt} of {times}", folder.display());
        (dealt, all) = (dealt + redealt, all + times);
    }
    assert!(all > 100 && dealt * 100 >= all * 95, "{dealt} of {all}");
}

/// Plays a game at random, and redeals at some decisions. Returns how many redeals were possible, and how many were tried.
fn redeals_in(folder: &Path) -> (u32, u32) {
    let game = parlour::load(folder).unwrap();
    let seats = *game.players().end();
    let (mut dealt, mut all) = (0, 0);
    let mut chance = Chance::new(11, "redeals");
    let mut session = Session::start(&game, &Setup::seats(seats).seed(3)).unwrap();
    for answers in 0..120_u64 {
        let Some(decision) = session.decision() else { break };
        let at = chance.below(decision.count() as u32) as usize;
        if answers % 12 == 5 {
            let (known, asked) = (knowledge(&session), (decision.seat, decision.id, decision.count()));
            dealt += u32::from(session.redeal(&redeal(answers)));
            all += 1;
            let decision = session.decision().unwrap();
            assert_eq!(knowledge(&session), known, "{}", folder.display());
            assert_eq!((decision.seat, decision.id, decision.count()), asked, "{}", folder.display());
        }
        session.choose(at).unwrap();
        if let parlour::session::Status::Failed(found) = session.status() {
            panic!("{}: {found:?}", folder.display());
        }
    }
    let mut again = Session::start(&game, session.setup()).unwrap();
    for act in session.acts() {
        again.repeat(&act).unwrap();
    }
    assert_eq!(again.fingerprint(), session.fingerprint(), "{}", folder.display());
    (dealt, all)
}
