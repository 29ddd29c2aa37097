//! Known facts about the games under `examples/games/`.

use parlour::agents;
use parlour::diagnostic::Source;
use parlour::model::{FieldValue, Label, Language, PieceId, Seat, ZoneId};
use parlour::session::{Choice, EventKind, Game, Opening, PlayedGame, Session, Setup, Start, Status};
use parlour::table::{Chance, View};
use parlour::wording::{Offer, Wording};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::thread;

fn game(folder: &str) -> Game {
    parlour::load(format!("examples/games/{folder}")).unwrap_or_else(|found| panic!("{found}"))
}

fn start(folder: &str, seats: u8, seed: u64) -> Session {
    Session::start(&game(folder), &Setup::seats(seats).seed(seed)).unwrap_or_else(|found| panic!("{found}"))
}

/// Returns the texts of the open options, as they are written in playscripts.
fn option_texts(session: &Session) -> Vec<String> {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let decision = session.decision().expect("a decision is open");
    Offer::new(wording, session.table(), decision).all_written()
}

fn choose(session: &mut Session, option: &str) {
    let options = option_texts(session);
    let at = options.iter().position(|written| written == option);
    session.choose(at.unwrap_or_else(|| panic!("{option} is none of {options:?}"))).unwrap();
}

fn scores(session: &Session) -> Vec<i64> {
    let outcome = session.outcome().expect("the game is over");
    outcome.standings.iter().map(|standing| standing.score).collect()
}

fn ending(session: &Session) -> String {
    session.model().endings[session.outcome().expect("the game is over").ending.index()].id.to_string()
}

/// Calls `end` with the final session of each possible continuation.
fn all_games(mut session: Session, end: &mut impl FnMut(&Session)) {
    let count = match session.status() {
        Status::Waiting(decision) => decision.count(),
        Status::Over(_) | Status::Resting => return end(&session),
        Status::Failed(diagnostic) => panic!("{}", diagnostic.message),
    };
    for at in 1..count {
        let mut other = session.fork();
        other.choose(at).unwrap();
        all_games(other, end);
    }
    session.choose(0).unwrap();
    all_games(session, end);
}

/// Plays random games with the seeds from 0 on.
fn random_games(folder: &str, seats: u8, games: u64) -> Vec<PlayedGame> {
    let game = game(folder);
    let play = |seed| {
        let players = (0..seats as usize).map(|seat| agents::named("random", seed, seat).unwrap()).collect();
        let played = game.play(&Setup::seats(seats).seed(seed), players, false).unwrap();
        played.outcome.as_ref().unwrap_or_else(|diagnostic| panic!("{}", diagnostic.message));
        played
    };
    (0..games).map(play).collect()
}

/// Returns the average number of questions per game in hundredths. Questions with one option are included.
fn mean_length(games: &[PlayedGame]) -> u64 {
    let questions: u64 = games.iter().map(|played| played.decisions + played.forced).sum();
    100 * questions / games.len() as u64
}

fn assert_near(found: u64, known: u64, tolerance: u64) {
    assert!(found.abs_diff(known) <= tolerance, "found {found}, expected {known} ± {tolerance}");
}

// ----- tic-tac-toe

/// Returns the number of games after an opening that the first player wins, that the second player wins, and that are drawn.
fn tic_tac_toe_after(opening: usize) -> [u64; 3] {
    let mut session = start("tic-tac-toe", 2, 0);
    session.forget_events();
    session.choose(opening).unwrap();
    let mut count = [0; 3];
    all_games(session, &mut |end| {
        let winner = scores(end).iter().position(|score| *score == 1);
        count[winner.unwrap_or(2)] += 1;
    });
    count
}

#[test]
fn tic_tac_toe_has_255168_games() {
    let halves =
        [0..4, 4..9].map(|openings| thread::spawn(move || openings.map(tic_tac_toe_after).collect::<Vec<_>>()));
    let counts: Vec<[u64; 3]> = halves.into_iter().flat_map(|half| half.join().unwrap()).collect();
    let total = |which: usize| counts.iter().map(|count| count[which]).sum::<u64>();
    assert_eq!([total(0), total(1), total(2)], [131_184, 77_904, 46_080]);
    assert_eq!(counts.iter().flatten().sum::<u64>(), 255_168);
}

#[test]
fn random_tic_tac_toe_has_the_same_length_and_first_player_advantage_as_in_open_spiel() {
    let games = random_games("tic-tac-toe", 2, 4_000);
    assert_near(mean_length(&games), 763, 8);
    let won = games.iter().filter(|played| played.outcome.as_ref().unwrap().standings[0].score == 1).count();
    assert_near(1_000 * won as u64 / 4_000, 585, 25);
}

// ----- connect four

#[test]
fn connect_four_has_seven_openings() {
    assert_eq!(option_texts(&start("connect-four", 2, 0)).len(), 7);
}

#[test]
fn four_discs_in_a_column_win_connect_four() {
    let mut session = start("connect-four", 2, 0);
    for row in [6, 5, 4] {
        choose(&mut session, &format!("board[3,{row}]"));
        choose(&mut session, &format!("board[5,{row}]"));
    }
    choose(&mut session, "board[3,3]");
    assert_eq!((scores(&session), ending(&session).as_str()), (vec![1, 0], "line"));
}

#[test]
fn a_full_column_of_connect_four_accepts_no_disc() {
    let mut session = start("connect-four", 2, 0);
    for row in (1..=6).rev() {
        choose(&mut session, &format!("board[1,{row}]"));
    }
    let options = option_texts(&session);
    assert_eq!(options.len(), 6);
    assert!(options.iter().all(|option| !option.starts_with("board[1,")), "{options:?}");
}

#[test]
fn random_connect_four_has_the_same_length_as_in_open_spiel() {
    assert_near(mean_length(&random_games("connect-four", 2, 1_500)), 2_130, 60);
}

// ----- Spice Caravan

/// Returns the ids of the cards in the hand of a seat, sorted.
fn spices(session: &Session, seat: u8) -> Vec<String> {
    let model = session.model();
    let hand = model.find_family("hand").unwrap();
    let zone = ZoneId(model.family(hand).zones.start + u16::from(seat));
    let cards = session.table().pieces(zone).map(|piece| &model.component(session.table().component(piece)).id);
    let mut cards: Vec<String> = cards.map(ToString::to_string).collect();
    cards.sort();
    cards
}

/// Plays until all hands have been passed to the left once.
fn passed_once(seed: u64) -> Session {
    let mut session = start("spice-caravan", 3, seed);
    while session.table().position.round == 1 && spices(&session, 0).len() > 6 {
        session.choose(0).unwrap();
    }
    session
}

#[test]
fn only_the_player_who_passed_a_hand_knows_it() {
    for seed in 0..6 {
        let session = passed_once(seed);
        let mut chance = Chance::new(seed, "worlds");
        let mut worlds = |seat: u8, of: u8| -> BTreeSet<Vec<String>> {
            (0..30).map(|_| spices(&session.imagine(Seat(seat), &mut chance).unwrap(), of)).collect()
        };
        // The second seat received its hand from the first. The third seat has never seen it.
        assert_eq!(worlds(0, 1), BTreeSet::from([spices(&session, 1)]), "seed {seed}");
        assert!(worlds(2, 1).len() > 1, "seed {seed}");
        let view = View::memory(session.table(), Some(Seat(0)));
        let hand = session.model().find_family("hand").unwrap();
        let space = session.model().zone(ZoneId(session.model().family(hand).zones.start + 1)).space();
        assert!(view.seen(space).iter().all(|seen| seen.face.is_some()) && view.seen(space).len() == 6, "seed {seed}");
    }
}

#[test]
fn passing_hands_is_logged_as_one_entry() {
    let session = passed_once(1);
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let told = wording.for_seat(Seat(1)).narrate(session.events());
    let passed: Vec<&String> = told.iter().filter(|line| line.contains("passed to the")).collect();
    assert_eq!(passed.len(), 2, "{told:?}");
    assert!(
        passed[1].contains("Cho → Ann: 6 hidden") && !told.iter().any(|line| line.contains("Hand → Ben's Hand")),
        "{told:?}"
    );
}

// ----- Kuhn poker

/// Returns a seed for each of the six deals, keyed by the two dealt cards.
fn kuhn_deals() -> BTreeMap<String, u64> {
    let mut deals = BTreeMap::new();
    for seed in 0.. {
        let session = start("kuhn-poker", 2, seed);
        deals.entry(hands(&session)).or_insert(seed);
        if deals.len() == 6 {
            break;
        }
    }
    deals
}

/// Returns the ids of the cards in all hands, in seating order and separated by spaces.
fn hands(session: &Session) -> String {
    let (model, table) = (session.model(), session.table());
    let hand = model.family(model.find_family("hand").unwrap()).zones.clone().map(ZoneId);
    let cards = hand.flat_map(|zone| table.pieces(zone));
    cards.map(|card| model.component(table.component(card)).id.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn kuhn_poker_has_five_betting_sequences_for_each_of_six_deals() {
    let mut histories = 0;
    for seed in kuhn_deals().into_values() {
        let mut ways = Vec::new();
        all_games(start("kuhn-poker", 2, seed), &mut |end| ways.push((end.answers().to_vec(), ending(end))));
        ways.sort();
        let (fold, showdown) = ("fold".to_owned(), "showdown".to_owned());
        let known = [
            (vec![0, 0], showdown.clone()),
            (vec![0, 1, 0], fold.clone()),
            (vec![0, 1, 1], showdown.clone()),
            (vec![1, 0], fold),
            (vec![1, 1], showdown),
        ];
        assert_eq!(ways, known);
        histories += ways.len();
    }
    assert_eq!(histories, 30);
}

#[test]
fn kuhn_poker_pays_one_chip_without_a_called_bet_and_two_with_one() {
    let seed = kuhn_deals()["queen king"];
    let mut paid = Vec::new();
    all_games(start("kuhn-poker", 2, seed), &mut |end| paid.push((end.answers().to_vec(), scores(end))));
    paid.sort();
    let known = [
        (vec![0, 0], vec![-1, 1]),
        (vec![0, 1, 0], vec![-1, 1]),
        (vec![0, 1, 1], vec![-2, 2]),
        (vec![1, 0], vec![1, -1]),
        (vec![1, 1], vec![-2, 2]),
    ];
    assert_eq!(paid, known);
}

#[test]
fn random_kuhn_poker_has_the_same_length_as_in_open_spiel() {
    assert_near(mean_length(&random_games("kuhn-poker", 2, 6_000)), 225, 3);
}

#[test]
fn a_kuhn_player_imagines_both_possible_cards_of_the_other() {
    let session = start("kuhn-poker", 2, kuhn_deals()["queen king"]);
    let mut chance = Chance::new(0, "worlds");
    let worlds: BTreeSet<String> = (0..40).map(|_| hands(&session.imagine(Seat(0), &mut chance).unwrap())).collect();
    assert_eq!(worlds.into_iter().collect::<Vec<_>>(), ["queen jack", "queen king"]);
}

// ----- Leduc poker

#[test]
fn leduc_poker_is_zero_sum() {
    for played in random_games("leduc-poker", 2, 500) {
        let outcome = played.outcome.unwrap();
        assert_eq!(outcome.standings.iter().map(|standing| standing.score).sum::<i64>(), 0);
        assert!(outcome.standings[0].score.abs() <= 13, "ante 1, two raises of 2 and two of 4");
    }
}

#[test]
fn a_betting_round_of_leduc_poker_allows_two_raises_and_folding_only_after_one() {
    let mut session = start("leduc-poker", 2, 0);
    assert_eq!(option_texts(&session), ["call", "raise"]);
    choose(&mut session, "raise");
    assert_eq!(option_texts(&session), ["fold", "call", "raise"]);
    choose(&mut session, "raise");
    assert_eq!(option_texts(&session), ["fold", "call"]);
    choose(&mut session, "call");
    assert_eq!(session.decision().unwrap().seat, Seat(0), "the first player begins both rounds");
    assert_eq!(option_texts(&session), ["call", "raise"]);
    choose(&mut session, "raise");
    choose(&mut session, "fold");
    assert_eq!(scores(&session), [5, -5]);
}

/// A betting round has nine sequences. Four of them end with a fold.
#[test]
fn leduc_poker_has_49_betting_sequences() {
    let (mut all, mut folds) = (0, 0);
    all_games(start("leduc-poker", 2, 0), &mut |end| {
        all += 1;
        folds += u32::from(ending(end) == "fold");
    });
    assert_eq!((all, folds), (4 + 5 * 9, 4 + 5 * 4));
}

#[test]
fn random_leduc_poker_has_the_same_length_as_in_open_spiel() {
    assert_near(mean_length(&random_games("leduc-poker", 2, 5_000)), 406, 8);
}

// ----- goofspiel

#[test]
fn prizes_of_goofspiel_are_worth_91_in_total() {
    for seats in 2..=4 {
        for seed in 0..8 {
            let mut session = start("goofspiel", seats, seed);
            while let Status::Waiting(decision) = session.status() {
                let at = (seed as usize + session.answers().len() * 7) % decision.count();
                session.choose(at).unwrap();
            }
            let model = session.model().clone();
            let zone = |name: &str| ZoneId(model.family(model.find_family(name).unwrap()).zones.start);
            let unclaimed: i64 = session.table().pieces(zone("unclaimed")).map(|prize| worth_of(&session, prize)).sum();
            assert_eq!(scores(&session).iter().sum::<i64>() + unclaimed, 91);
        }
    }
}

fn worth_of(session: &Session, card: PieceId) -> i64 {
    let worth = session.model().find_field("worth").unwrap();
    match session.model().component(session.table().component(card)).fields[&worth] {
        FieldValue::Number(number) => number,
        _ => panic!("worth is a number"),
    }
}

#[test]
fn equal_bids_in_goofspiel_win_nothing() {
    let mut session = start("goofspiel", 2, 3);
    while let Status::Waiting(decision) = session.status() {
        assert_eq!(decision.count(), 13 - session.answers().len() / 2);
        session.choose(0).unwrap();
    }
    assert_eq!(scores(&session), [0, 0]);
}

#[test]
fn goofspiel_bids_are_revealed_when_all_have_bid() {
    let mut session = start("goofspiel", 2, 0);
    session.choose(4).unwrap();
    let audiences = |session: &Session| {
        let bids = session.events().iter().filter(|event| matches!(event.kind, EventKind::Chose { .. }));
        bids.map(|event| event.audience).collect::<Vec<_>>()
    };
    assert_eq!(audiences(&session), [0b01]);
    let mut fork = session.fork();
    fork.choose(4).unwrap();
    assert_eq!(audiences(&fork), [0b11, 0b11]);
    assert_eq!(audiences(&session), [0b01]);
}

#[test]
fn worlds_of_the_second_bidder_do_not_contain_the_first_bid() {
    let mut session = start("goofspiel", 2, 0);
    session.choose(4).unwrap();
    let world = session.imagine(Seat(1), &mut Chance::new(0, "world")).unwrap();
    assert_eq!(world.decision().unwrap().seat, Seat(0), "the first bidder is asked again");
    assert!(!world.events().iter().any(|event| matches!(event.kind, EventKind::Chose { .. })));
}

// ----- breakthrough

#[test]
fn breakthrough_has_22_openings() {
    assert_eq!(option_texts(&start("breakthrough", 2, 0)).len(), 22);
}

#[test]
fn pawns_of_breakthrough_capture_only_diagonally() {
    let mut session = start("breakthrough", 2, 0);
    for (from, to) in [("4,7", "4,6"), ("4,2", "4,3"), ("4,6", "4,5"), ("4,3", "4,4")] {
        push(&mut session, from, to);
    }
    assert!(!reaches(&session, "4,5", "4,4"), "a pawn straight ahead is not captured");
    push(&mut session, "5,7", "5,6");
    push(&mut session, "5,2", "5,3");
    push(&mut session, "5,6", "5,5");
    assert!(reaches(&session, "4,4", "5,5"), "a pawn diagonally ahead is captured");
    push(&mut session, "4,4", "5,5");
    let captured = session.model().find_family("captured").unwrap();
    let captured = ZoneId(session.model().family(captured).zones.start);
    assert_eq!(session.table().count(captured), 1);
}

fn pawn_move(session: &Session, from: &str, to: &str) -> Option<usize> {
    let (piece, to) = (format!("pawn@board[{from}] "), format!("to={to}"));
    option_texts(session).iter().position(|option| option.contains(&piece) && option.ends_with(&to))
}

fn reaches(session: &Session, from: &str, to: &str) -> bool {
    pawn_move(session, from, to).is_some()
}

fn push(session: &mut Session, from: &str, to: &str) {
    let at = pawn_move(session, from, to);
    session.choose(at.unwrap_or_else(|| panic!("{from} to {to} is none of {:?}", option_texts(session)))).unwrap();
}

#[test]
fn capturing_the_last_pawn_wins_breakthrough() {
    let mut session = start("breakthrough", 2, 0);
    while let Status::Waiting(decision) = session.status() {
        let south = decision.seat == Seat(0);
        let best = decision.options.iter().enumerate().min_by_key(|(_, option)| reluctance(&session, south, option));
        session.choose(best.expect("there is always a move").0).unwrap();
    }
    assert_eq!((scores(&session), ending(&session).as_str()), (vec![1, 0], "annihilation"));
}

/// Returns a sort key for moves. If both sides choose the move that sorts first, the south captures all pawns: the south captures whenever
/// possible and otherwise moves pawns in the rear, and the north offers its pawns.
fn reluctance(session: &Session, south: bool, option: &Choice) -> (bool, bool, i16) {
    let (table, model) = (session.table(), session.model());
    let Some(Choice::Space(to)) = option.part("to") else { panic!("a move leads somewhere") };
    let Label::Cell(_, row) = model.space(*to).label else { panic!("the board is a grid") };
    let is_end = table.layout().offset(*to, 0, if south { -1 } else { 1 }).is_none();
    let captures = table.height(*to) > 0;
    if south {
        return (is_end, !captures, -row);
    }
    let guards = [-1, 1].iter().filter_map(|dx| table.layout().offset(*to, *dx, 1));
    let is_taken = guards.filter(|space| table.top_owner(*space) == Some(Seat(0))).count() > 0;
    (is_end || captures, !is_taken, row)
}

#[test]
fn random_breakthrough_has_the_same_length_as_in_open_spiel() {
    assert_near(mean_length(&random_games("breakthrough", 2, 300)), 6_420, 200);
}

/// Opens a session outside the flow of the game, in a position that a script arranges.
fn arranged(folder: &str, seats: u8, text: &str) -> Session {
    let source = Arc::new(Source { path: "arranged".to_owned(), text: text.to_owned() });
    let opening = Opening { start: Start::Nowhere, arrange: vec![source], ..Opening::default() };
    Session::open(&game(folder), &Setup::seats(seats), opening).unwrap()
}

#[test]
fn a_session_without_a_decision_is_not_over() {
    let mut session = arranged("breakthrough", 2, "set_first(first);");
    assert!(matches!(session.status(), Status::Resting) && session.outcome().is_none());
    assert_eq!(session.choose(0).unwrap_err().to_string(), "no decision is open: the game rests");
}

#[test]
fn end_game_is_a_fault_while_arranging() {
    let session = arranged("breakthrough", 2, "end_game(\"annihilation\");");
    let Status::Failed(found) = session.status() else { panic!("{:?}", session.status()) };
    assert_eq!(found.message, "the game cannot be ended here");
}

// ----- Grain Exchange

#[test]
fn pictures_of_boards_show_printed_fields_and_pieces() {
    let session = start("grain-exchange", 2, 1);
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let pictures = session.table().pictures();
    let texts: Vec<Vec<String>> = pictures.iter().map(|picture| wording.picture(picture)).collect();
    assert_eq!(texts[0][0], "Village: does, bushels, toll");
    assert!(texts[0][2].contains("reap 4 2") && texts[0][4].contains("toast - 0"), "{:?}", texts[0]);
    assert_eq!(texts[1][3].trim_start(), "2  2  a  3     4     5     6     8     10");
    assert_eq!(texts[1][5].trim_start(), "a price");
    let drawn = wording.drawing(&pictures[1], "chart");
    assert!(drawn.contains(">12</text>") && drawn.contains("<title>price</title>"), "{drawn}");
}

#[test]
fn spaces_with_equal_names_are_logged_with_their_labels() {
    let mut session = start("grain-exchange", 2, 1);
    choose(&mut session, "village[1,1]");
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let told = wording.narrate(session.events());
    assert!(told.iter().any(|line| line.contains("Ann: Village (reap [1,1])")), "{told:?}");
    choose(&mut session, "village[3,3]");
    let told = wording.narrate(session.events());
    assert!(told.iter().any(|line| line.contains("Ben: Village (loiter)")), "{told:?}");
}

#[test]
fn printed_fields_are_functions_numbers_or_nothing() {
    let session = start("grain-exchange", 2, 1);
    let space = session.model().spaces.iter().find(|space| space.label == Label::Cell(2, 3)).unwrap();
    assert_eq!(space.fields["does"], FieldValue::Function("toast".into()));
    assert_eq!((&space.fields["bushels"], &space.fields["toll"]), (&FieldValue::Nothing, &FieldValue::Number(0)));
}
