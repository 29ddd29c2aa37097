//! Tests of campaigns. The next game begins with the values and pieces that the last game carried over, and no seat learns hidden
//! information from them.

use parlour::agents;
use parlour::diagnostic::Diagnostics;
use parlour::model::{Seat, ZoneId};
use parlour::session::{Game, Player, Session, Setup, Status};
use parlour::simulation::{Batch, Measure, simulate_campaigns};
use parlour::table::{Chance, Holder};
use std::path::Path;

/// Game that carries over everything possible: values of each owner and type, lists, hidden hands, piles, dice, tokens on a board, and
/// turned tiles.
const TREASURY: &str = r#"
[game]
id = "treasury"
name = "Treasury"
players = { min = 2, max = 2 }
[options.chapter]
values = ["one", "two", "three"]
[campaign]
option = "chapter"
carry = ["level", "trust", "mood", "seen", "debt", "home", "rank", "hand", "stash", "board", "floor", "cup", "wounds", "toll"]
[kinds.card]
[kinds.color]
[kinds.tile]
[values.game]
level = { start = 1, min = 0 }
mood = { words = ["calm", "wild"], start = "calm" }
[values.seat]
rank = { type = "seat" }
seen = { type = ["card"], most = 3 }
debt = { start = 0, per = "color" }
home = { type = "board" }
[values.color]
trust = { start = 0 }
[values.space]
toll = { start = 0, in = "board" }
[values.piece]
wounds = { of = "card", start = 0 }
[zones.hand]
per = "seat"
shape = "hand"
[zones.stash]
per = "seat"
shape = "pile"
face = "down"
[zones.deck]
shape = "pile"
face = "down"
starts_with = ["card"]
[zones.bowl]
shape = "bag"
starts_with = ["token", "tile", "luck"]
[zones.board]
shape = "row"
spaces = 3
[zones.floor]
shape = "grid"
columns = 4
rows = 4
[zones.cup]
shape = "hand"
seen_by = "everybody"
[decisions.end]
ask = "End?"
[flow]
setup = ["prepare"]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = "turn" }]
"#;

const BOX: &str = r#"
[[card]]
id = "card_{n}"
each = { n = "1..6" }
[[color]]
id = "red"
[[color]]
id = "blue"
[kinds.token]
[[token]]
id = "token"
each = "seat"
count = 2
[kinds.luck]
[[luck]]
id = "luck"
faces = [1, 2, 3, 4, 5, 6]
[cells]
G = { land = "grass" }
[[tile]]
id = "bar"
cells = ["G G"]
[[tile]]
id = "bend"
cells = ["G G", "G ."]
"#;

const RULES: &str = r#"
fn prepare() {
    if chapter == "one" {
        deck.shuffle();
        for seat in seats { deck.draw(2, seat.hand); deck.draw(1, seat.stash); }
        game.level = 4;
        game.mood = "wild";
        let red = component("red");
        red.trust = 3;
        let one = seats[0];
        let two = seats[1];
        one.rank = two;
        one.seen = [component("card_2"), component("card_5")];
        two.debt[component("blue")] = 7;
        two.home = board[2];
        let third = board[3];
        third.toll = 2;
        let card = one.hand.pieces.first;
        card.wounds = 2;
        for token in bowl.where("kind", "token") { if token.owner == two { token.move_to(board[2]); } }
        let die = bowl.find("kind", "luck");
        die.move_to(cup);
        roll(die);
        let bar = bowl.find("component", component("bar"));
        bar.lay(floor.at(1, 1), 1, "beside");
        bowl.find("component", component("bend")).lay(floor.at(1, 2), 2, "over");
    }
}
fn turn(seat) { confirm(seat, "end"); }
fn score(seat) { game.level }
"#;

fn texts(toml: &str, rules: &str) -> Game {
    let texts = [("game.toml", toml), ("components/box.toml", BOX), ("rules/play.rhai", rules)];
    let texts = crate::folder::owned_files(texts);
    parlour::load_texts("treasury", texts).unwrap_or_else(|found| panic!("{found}"))
}

fn treasury() -> Game {
    texts(TREASURY, RULES)
}

fn three_winters() -> Game {
    parlour::load(Path::new("examples/games/three-winters")).unwrap_or_else(|found| panic!("{found}"))
}

/// Plays a game to its end by always choosing the first option.
fn over(game: &Game, setup: &Setup) -> Session {
    let mut session = Session::start(game, setup).unwrap_or_else(|found| panic!("{found}"));
    while let Status::Waiting(_) = session.status() {
        session.choose(0).unwrap();
    }
    assert!(session.outcome().is_some(), "{:?}", session.played().outcome);
    session
}

fn next(session: &Session) -> Setup {
    session.next_game().unwrap_or_else(|found| panic!("{}", found.message)).expect("a game follows")
}

/// Returns the carried-over values, one per line.
fn lines(setup: &Setup) -> Vec<String> {
    setup.carried().map(|(place, what)| format!("{place} = {what}")).collect()
}

/// Returns the message with which a session refuses a carried-over value.
fn refused(game: &Game, place: &str, what: &str) -> String {
    let setup = Setup::seats(2).set(&format!("carry.{place}"), what);
    let found: Diagnostics = Session::start(game, &setup).map(drop).expect_err("it is refused");
    found.0.iter().map(|found| found.message.clone()).collect::<Vec<_>>().join("; ")
}

#[test]
fn carried_state_is_identical_in_the_next_game() {
    let game = treasury();
    for seed in 0..20 {
        let first = over(&game, &Setup::seats(2).seed(seed));
        let second = Session::start(&game, &next(&first)).unwrap_or_else(|found| panic!("{found}"));
        let rows = |session: &Session| -> Vec<(String, String)> {
            let is_carried =
                |place: &str| !["round", "phase", "active", "first", "deck", "bowl", "box"].contains(&place);
            let all = session.listing(None).into_iter().map(|row| (row.place, row.content));
            all.filter(|(place, _)| is_carried(place)).collect()
        };
        assert_eq!(rows(&first), rows(&second));
        // The second game must write its carried-over values in the same form as the first game.
        let third = over(&game, &next(&first));
        assert_eq!(lines(&next(&first)), lines(&next(&third)));
        assert!(over(&game, &next(&third)).next_game().unwrap().is_none(), "the third chapter is the last");
    }
}

#[test]
fn carried_state_is_written_in_rule_syntax() {
    let first = over(&treasury(), &Setup::seats(2).seed(1));
    let told = lines(&next(&first));
    let has = |line: &str| assert!(told.iter().any(|told| told == line), "{line} is not in {told:#?}");
    has("level = 4");
    has("mood = wild");
    has("red.trust = 3");
    has("blue.trust = 0");
    has("seat1.rank = seat2");
    has("seat2.rank = nothing");
    has("seat1.seen = [card_2, card_5]");
    has("seat2.seen = []");
    has("seat2.debt[blue] = 7");
    has("seat2.home = board[2]");
    has("board[3].toll = 2");
    has("board = 2 seat2.token [2]");
    has("floor = bend~2 [1,2], bar~1 [1,1]");
    assert!(told.iter().any(|line| line.starts_with("seat1.hand = ") && line.contains(" wounds=2")), "{told:#?}");
}

#[test]
fn carried_hidden_cards_are_known_only_to_seats_that_see_them() {
    let game = treasury();
    let first = over(&game, &Setup::seats(2).seed(3));
    let session = Session::start(&game, &next(&first)).unwrap();
    let table = session.table();
    let zone = |path: &str, seat: u8| {
        let zones = (0..session.model().zones.len()).map(ZoneId::at);
        zones.into_iter().find(|zone| {
            let zone = session.model().zone(*zone);
            *zone.path == *path && zone.seat == Some(Seat(seat))
        })
    };
    for (path, own_sees) in [("hand", true), ("stash", false)] {
        for piece in table.pieces(zone(path, 0).unwrap()) {
            assert_eq!(table.knowers(piece), u16::from(own_sees), "{path}");
        }
    }
    // The other seat imagines different hands, which contain only cards that it does not see elsewhere.
    let sees = |session: &Session| -> Vec<String> {
        let cards = session.table().pieces(zone("hand", 0).unwrap());
        let mut names: Vec<String> =
            cards.map(|card| session.model().component(session.table().component(card)).id.to_string()).collect();
        names.sort();
        names
    };
    let mut hands = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let imagined = session.imagine(Seat(1), &mut Chance::new(seed, "worlds")).expect("worlds can be imagined");
        hands.insert(sees(&imagined));
    }
    assert!(hands.len() > 5, "{hands:?}");
    assert!(hands.contains(&sees(&session)), "{hands:?}");
}

#[test]
fn pieces_of_carried_zones_that_were_not_carried_stay_in_the_box() {
    let game = three_winters();
    let setup = Setup::seats(2).set("carry.seat1.band", "seat1.hunter_4 wounds=1, seat1.hunter_2");
    let session = Session::start(&game, &setup).unwrap();
    let table = session.table();
    let of = |seat: u8| -> Vec<String> {
        let zone = (0..session.model().zones.len()).map(ZoneId::at).find(|zone| {
            let zone = session.model().zone(*zone);
            *zone.path == *"band" && zone.seat == Some(Seat(seat))
        });
        let name = |piece| session.model().component(table.component(piece)).id.to_string();
        table.pieces(zone.unwrap()).map(name).collect()
    };
    assert_eq!(of(0), ["hunter_4", "hunter_2"]);
    assert_eq!(of(1).len(), 4, "what nothing is said of begins as ever");
    assert_eq!(table.count(ZoneId::at(0)), 2);
    let wounds = session.model().values.iter().position(|value| *value.id == *"wounds").unwrap();
    let wounded = table.all_pieces().filter(|piece| {
        let id = parlour::model::ValueId::at(wounds);
        table.slot(id, Holder::Piece(*piece)).is_some_and(|slot| table.value(slot) == 1)
    });
    assert_eq!(wounded.count(), 1);
}

#[test]
fn invalid_carried_state_is_refused() {
    let game = treasury();
    for (place, what, says) in [
        ("levle", "3", "does not carry it"),
        ("level", "-1", "it goes from 0 up"),
        ("mood", "mild", "cannot be `mild`"),
        ("seat1.seen", "card_1", "is a list, written as `[a, b]`"),
        ("seat1.seen", "[card_1, card_2, card_3, card_4]", "at most 3"),
        ("seat1.seen", "[red]", "cannot be `red`"),
        ("seat1.rank", "seat3", "cannot be `seat3`"),
        ("seat1.home", "board[9]", "cannot be `board[9]`"),
        ("board", "seat1.token [9]", "it has no space `9`"),
        ("board", "3 seat1.token [1]", "there is no other `token`"),
        ("board", "99999999999999999999 seat1.token [1]", "not as many pieces"),
        ("cup", "luck~6", "cannot be turned 6 times"),
        ("floor", "bar~1 [4,4]", "the grid ends"),
        ("seat1.hand", "card_9", "no `card_9`"),
        ("seat1.hand", "seat7.card_1", "there is no `seat7`"),
    ] {
        let found = refused(&game, place, what);
        assert!(found.contains(says), "{place} = {what}: {found}");
    }
    let (before, after) = (TREASURY.find("[campaign]").unwrap(), TREASURY.find("[kinds.card]").unwrap());
    let alone = texts(&format!("{}{}", &TREASURY[..before], &TREASURY[after..]), RULES);
    assert!(refused(&alone, "level", "3").contains("no `[campaign]`"));
}

#[test]
fn the_last_game_of_a_campaign_can_be_replayed_from_its_setup() {
    let game = three_winters();
    let players = |setup: &Setup| -> Vec<Box<dyn Player>> {
        (0..setup.seats).map(|seat| agents::named("random", setup.seed, usize::from(seat)).unwrap()).collect()
    };
    let mut setup = Setup::seats(3).seed(8);
    let mut fingerprints = Vec::new();
    loop {
        let played = game.play(&setup, players(&setup), false).unwrap();
        fingerprints.push(played.fingerprint);
        match played.next {
            Some(next) => setup = next,
            None => break,
        }
    }
    assert_eq!(fingerprints.len(), 3);
    let again = game.play(&setup, players(&setup), false).unwrap();
    assert_eq!(again.fingerprint, fingerprints[2]);
    assert!(again.next.is_none());
}

#[test]
fn campaign_batches_count_per_scenario_and_per_campaign() {
    let game = three_winters();
    let random = |seed: u64, seat: Seat| agents::named("random", seed, seat.index()).unwrap();
    let counted = |jobs: usize| {
        let batch = Batch { games: 0..200, seed: 4, jobs, setup: Setup::seats(2), prospects: None, campaigns: false };
        simulate_campaigns(&game, &batch, &random, &()).unwrap()
    };
    let (one, two) = (counted(1), counted(2));
    assert_eq!(one.whole.games, 200);
    assert_eq!((one.games.min(), one.games.max()), (Some(3), Some(3)));
    let words: Vec<&str> = one.scenarios.iter().map(|scenario| &*scenario.word).collect();
    assert_eq!(words, ["frost", "deep_snow", "thaw"]);
    assert_eq!(one.scenarios.iter().map(|scenario| scenario.figures.games).sum::<u64>(), 600);
    assert_eq!(one.scenarios[0].campaigns, 200);
    let sum = |measure: &Measure| -> i128 {
        one.scenarios.iter().map(|scenario| scenario.figures.histogram(measure).sum()).sum()
    };
    assert_eq!(one.whole.histogram(&Measure::Rounds).sum(), sum(&Measure::Rounds));
    assert_eq!(one.whole.histogram(&Measure::Decisions).sum(), sum(&Measure::Decisions));
    assert_eq!(
        one.whole.win_unit() * 200,
        one.whole.histogram(&Measure::Win(0)).sum() as i64 + one.whole.histogram(&Measure::Win(1)).sum() as i64
    );
    for measure in [Measure::Win(0), Measure::Score(1), Measure::Rounds] {
        assert_eq!(one.whole.histogram(&measure), two.whole.histogram(&measure), "threads change nothing");
    }
}

#[test]
fn endless_campaigns_and_unknown_scenarios_are_reported() {
    let toml = TREASURY.replace("option = \"chapter\"", "option = \"chapter\"\nnext = \"follows\"");
    let game = texts(&toml, &format!("{RULES}\nfn follows() {{ \"two\" }}"));
    let random = |seed: u64, seat: Seat| agents::named("random", seed, seat.index()).unwrap();
    let batch = Batch { games: 0..1, seed: 4, jobs: 1, setup: Setup::seats(2), prospects: None, campaigns: false };
    let found = simulate_campaigns(&game, &batch, &random, &()).unwrap();
    assert_eq!(found.whole.faults[0].first.as_ref().unwrap().code, "endless");
    let game = texts(&toml, &format!("{RULES}\nfn follows() {{ `${{\"fo\" + \"ur\"}}` }}"));
    let found = over(&game, &Setup::seats(2)).next_game().expect_err("there is no such scenario");
    assert_eq!(found.code, "wrong-result");
    assert!(found.message.contains("`four`"), "{found:?}");
}

/// Game in which all seats choose a card and then two numbers. The second seat is an automa, whose choices are rated by the rules.
const ALONE: &str = r#"
[game]
id = "alone"
name = "Alone"
players = { min = 2, max = 3 }
[automa]
seats = [2]
[kinds.card]
[zones.hand]
per = "seat"
shape = "hand"
[zones.deck]
shape = "pile"
face = "down"
starts_with = ["card"]
[values.seat]
points = { start = 0 }
[decisions.show]
ask = "Which card?"
tell = "{seat} shows {choice}"
automa = "likes"
pass = "show nothing"
[decisions.mark]
ask = "Which two?"
automa = "marks"
[flow]
setup = ["deal"]
round = ["play"]
rounds = 2
[phases.play]
steps = ["all_show", { each_seat = "turn" }]
"#;

const ALONE_RULES: &str = r#"
fn deal() { deck.shuffle(); for seat in seats { deck.draw(2, seat.hand); } }
fn all_show() {
    let shown = together(seats, |seat| choose_or_pass(seat, "show", seat.hand));
    for seat in seats {
        if shown[seat] != () { shown[seat].move_to(deck); seat.points += shown[seat].worth; }
    }
}
fn turn(seat) {
    let two = choose_some(seat, "mark", [1, 2, 3], 2, 2);
    seat.points += two[0] + 10 * two[1];
}
/// The automa shows its highest card, but no card below 2. If two choices are equally good, it takes the first one.
fn likes(seat, card) { if card == () { 2 } else { card.worth } }
fn marks(seat, number) { number }
fn score(seat) { seat.points }
"#;

const ALONE_BOX: &str = "[[card]]\nid = \"card_{worth}\"\neach = { worth = \"1..8\" }\n";

fn alone() -> Game {
    let texts = [("game.toml", ALONE), ("components/box.toml", ALONE_BOX), ("rules/play.rhai", ALONE_RULES)];
    let texts = crate::folder::owned_files(texts);
    parlour::load_texts("alone", texts).unwrap_or_else(|found| panic!("{found}"))
}

#[test]
fn automas_are_never_asked_and_choose_by_their_rating() {
    let game = alone();
    for (players, seed) in (2..=3).flat_map(|players| (0..40).map(move |seed| (players, seed))) {
        let mut session = Session::start(&game, &Setup::seats(players).seed(seed)).unwrap();
        while let Status::Waiting(decision) = session.status() {
            assert_ne!(decision.seat, Seat(1));
            session.choose(0).unwrap();
        }
        let points = session.outcome().unwrap().standings[1].score;
        // In each of the two rounds, the automa marks 2 and 3, which is worth 2 + 10 × 3 points. The remaining points are the worth of the
        // cards that it showed, each the highest in its hand.
        let cards = points - 64;
        assert!((0..=15).contains(&cards) && cards != 1, "{points}");
        assert!(session.played().chosen.iter().any(|chosen| chosen.seat == Seat(1)), "it is told what it chose");
        assert!(session.played().forced <= u64::from(players), "only the last card of each is forced");
    }
}

#[test]
fn games_with_automas_can_be_imagined_and_forked() {
    let game = alone();
    for seed in 0..20 {
        let mut session = Session::start(&game, &Setup::seats(3).seed(seed)).unwrap();
        while let Status::Waiting(decision) = session.status() {
            let seat = decision.seat;
            let seen = session.view(seat).digest();
            for draw in 0..5 {
                let world = session.imagine(seat, &mut Chance::new(draw, "worlds")).expect("a world");
                assert_eq!(world.view(seat).digest(), seen);
                let mut copy = world.fork();
                while let Status::Waiting(_) = copy.status() {
                    copy.choose(0).unwrap();
                }
                assert!(copy.outcome().is_some());
            }
            session.choose(0).unwrap();
        }
        let answers: Vec<u64> = session.answers().iter().copied().collect();
        let again = Session::replay(&game, &Setup::seats(3).seed(seed), &answers).unwrap();
        assert_eq!(again.fingerprint(), session.fingerprint());
        session.undo_to(1).unwrap();
        assert!(matches!(session.status(), Status::Waiting(_)));
    }
}

#[test]
fn endless_choices_of_automas_are_a_fault() {
    let endless = [
        ("loop { choose(seat, \"mark\", [1, 2]); }", "number"),
        ("for i in 0..100000 { choose_number(seat, \"mark\", 0, 1000000); }", "number"),
        ("choose_number(seat, \"mark\", 0, 3);", "{ let n = 0; for i in 0..900000 { n += 1; } n }"),
    ];
    for (asks, worth) in endless {
        let rules = format!(
            "fn deal() {{}} fn all_show() {{}} fn likes(seat, card) {{ 0 }} fn score(seat) {{ 0 }}
             fn turn(seat) {{ if seat.number == 2 {{ {asks} }} else {{ choose(seat, \"mark\", [1, 2]); }} }}
             fn marks(seat, number) {{ {worth} }}"
        );
        let texts = [("game.toml", ALONE), ("components/box.toml", ALONE_BOX), ("rules/play.rhai", &rules)];
        let texts = crate::folder::owned_files(texts);
        let game = parlour::load_texts("alone", texts).unwrap_or_else(|found| panic!("{found}"));
        let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
        session.choose(0).unwrap();
        let Status::Failed(found) = session.status() else { panic!("{asks} comes to an end") };
        assert_eq!(found.code, "endless", "{found:?}");
    }
}
