//! Agents: none of them peeks, none of them depends on luck it was not given, and each plays as well as it should.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "what cannot be read fails the test; shares are measured"
)]

use parlour::agents::{Plan, Shelf, Spec, question};
use parlour::diagnostic::Source;
use parlour::model::Seat;
use parlour::playscript::record;
use parlour::session::{Game, Outcome, Outlook, Player, Session, Setup};
use parlour::table::Chance;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn game(name: &str) -> Game {
    let folder = ["games", "examples/games"].map(|parent| Path::new(parent).join(name));
    let folder = folder.iter().find(|folder| folder.is_dir()).unwrap();
    parlour::load(folder).unwrap_or_else(|found| panic!("{found}"))
}

/// Every folder that holds a game.
fn folders() -> Vec<PathBuf> {
    let lists = ["games", "examples/games"].iter().flat_map(|parent| Path::new(parent).read_dir().unwrap());
    let mut folders: Vec<PathBuf> = lists.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn agents_of(game: &Game, setup: &Setup) -> Vec<Arc<Source>> {
    game.layout(setup).unwrap().model.agents.clone()
}

fn spec(game: &Game, name: &str) -> Spec {
    let own = agents_of(game, &Setup::seats(*game.players().start()));
    let read = |path: &str| {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        Ok(Arc::new(Source { path: path.to_owned(), text }))
    };
    Spec::parse(name, &Shelf { agents: &own, read: &read }).unwrap_or_else(|unknown| panic!("{}", unknown.message))
}

/// The outcome of a game of agents.
fn play(game: &Game, setup: &Setup, agents: &[&str]) -> Outcome {
    let players = agents.iter().enumerate().map(|(seat, name)| spec(game, name).player(setup.seed, seat)).collect();
    let played = game.play(setup, players, false).unwrap_or_else(|found| panic!("{found}"));
    played.outcome.unwrap_or_else(|fault| panic!("{}", fault.message))
}

fn choice(spec: &Spec, outlook: &Outlook<'_>) -> usize {
    spec.player(11, outlook.seat().index()).choose(outlook).unwrap()
}

// ----- peeking

/// Another world in which the seat that is asked knows the same: everything it does not know lies otherwise.
fn swapped(session: &Session, chance: &mut Chance) -> Option<Session> {
    let seat = session.decision()?.seat;
    let mut world = session.imagine(seat, chance)?;
    // Others who are asked at the same time answer first, and nobody knows what.
    while world.decision()?.seat != seat {
        world.choose(0).unwrap();
    }
    Some(world)
}

/// Games in which every seat sees everything but what is drawn by lot: another world is the same one.
const OPEN: [&str; 4] = ["breakthrough", "connect-four", "revolution-1828", "tic-tac-toe"];

/// So many decisions of each game are looked at, from its beginning to its end.
const LOOKED_AT: usize = 10;

/// A game by lot: the positions of the options chosen.
fn by_lot(game: &Game, setup: &Setup) -> Vec<usize> {
    let mut session = Session::start(game, setup).unwrap();
    let mut chance = Chance::new(5, "walk");
    let mut chosen = Vec::new();
    while let Some(outlook) = session.outlook() {
        let at = chance.below(outlook.decision().count() as u32) as usize;
        session.choose(at).unwrap();
        chosen.push(at);
    }
    chosen
}

#[test]
fn what_a_seat_cannot_see_changes_no_choice() {
    for folder in folders() {
        let game = parlour::load(&folder).unwrap();
        let setup = Setup::seats(*game.players().end()).seed(5);
        let own = agents_of(&game, &setup);
        let names = own.iter().map(|source| source.path["agents/".len()..].trim_end_matches(".rhai").to_owned());
        let names: Vec<String> = names.chain(["random", "first", "search:6"].map(str::to_owned)).collect();
        let specs: Vec<Spec> = names.iter().map(|name| spec(&game, name)).collect();
        let chosen = by_lot(&game, &setup);
        let looks: Vec<usize> = (0..LOOKED_AT).map(|look| (look * 2 + 1) * chosen.len() / (LOOKED_AT * 2)).collect();
        let mut session = Session::start(&game, &setup).unwrap();
        let (mut swaps, mut differed) = (Chance::new(5, "swap"), 0);
        for (turn, at) in chosen.iter().enumerate() {
            if looks.contains(&turn) {
                let outlook = session.outlook().unwrap();
                let other = swapped(&session, &mut swaps).unwrap_or_else(|| panic!("{}: no world", folder.display()));
                differed += usize::from(other.fingerprint() != session.fingerprint());
                let there = other.outlook().unwrap();
                assert_eq!(question(&outlook), question(&there), "{}: what a program is told", folder.display());
                for (name, spec) in names.iter().zip(&specs) {
                    let found = [choice(spec, &outlook), choice(spec, &there)];
                    assert_eq!(found[0], found[1], "{}: `{name}` has peeked, turn {turn}", folder.display());
                }
            }
            session.choose(*at).unwrap();
        }
        let is_open = OPEN.contains(&folder.file_name().unwrap().to_str().unwrap());
        assert_eq!(differed == 0, is_open, "{}: worlds that are alike prove nothing", folder.display());
    }
}

// ----- the same again

#[test]
fn the_same_seed_and_worlds_give_the_same_choices_on_any_thread() {
    let game = game("goofspiel");
    let setup = Setup::seats(3).seed(3);
    for name in ["search:40", "search:40:cores=2", "search:40:score"] {
        let spec = spec(&game, name);
        let choices = || {
            let mut session = Session::start(&game, &setup).unwrap();
            let mut players: Vec<Box<dyn Player>> = (0..3).map(|seat| spec.player(3, seat)).collect();
            let mut choices = Vec::new();
            while let Some(outlook) = session.outlook().filter(|_| choices.len() < 9) {
                let at = players[outlook.seat().index()].choose(&outlook).unwrap();
                choices.push(at);
                session.choose(at).unwrap();
            }
            choices
        };
        let here = choices();
        assert_eq!(choices(), here, "{name}");
        std::thread::scope(|threads| {
            assert_eq!(threads.spawn(choices).join().unwrap(), here, "{name}");
        });
    }
}

// ----- how well they play

#[test]
fn search_plays_tic_tac_toe_without_a_mistake() {
    let game = game("tic-tac-toe");
    for seed in 0..4 {
        let setup = Setup::seats(2).seed(seed);
        let lost = |outcome: &Outcome, seat: usize| outcome.standings[seat].rank > 1;
        assert!(!lost(&play(&game, &setup, &["search:2000", "random"]), 0), "seed {seed}, first");
        assert!(!lost(&play(&game, &setup, &["random", "search:2000"]), 1), "seed {seed}, second");
        let both = play(&game, &setup, &["search:2000", "search:2000"]);
        assert_eq!(both.winners().count(), 2, "seed {seed}: two without a mistake come to a draw");
    }
}

#[test]
fn search_wins_at_connect_four_against_lots() {
    let game = game("connect-four");
    let won = (0..6_u64).filter(|seed| {
        let seat = (*seed % 2) as usize;
        let agents = if seat == 0 { ["search:100", "random"] } else { ["random", "search:100"] };
        play(&game, &Setup::seats(2).seed(*seed), &agents).standings[seat].rank == 1
    });
    assert!(won.count() >= 5);
}

#[test]
fn search_bids_with_others_at_the_same_time_better_than_by_lot() {
    let game = game("goofspiel");
    let won = (0..20_u64).filter(|seed| {
        let outcome = play(&game, &Setup::seats(2).seed(*seed), &["search:60", "random"]);
        outcome.standings[0].score > outcome.standings[1].score
    });
    let won = won.count();
    assert!(won >= 14, "{won} of 20");
}

/// The fewest wins of so many games that lots come to less than once in a hundred times, with a chance for each game.
fn more_than_lots(games: u32, chance: f64) -> u32 {
    let exactly = |wins: u32| {
        let ways = (0..wins).map(|at| f64::from(games - at) / f64::from(at + 1)).product::<f64>();
        ways * chance.powi(wins as i32) * (1.0 - chance).powi((games - wins) as i32)
    };
    (0..=games).find(|least| (*least..=games).map(exactly).sum::<f64>() < 0.01).unwrap()
}

#[test]
fn the_heuristics_of_every_game_win_more_than_their_share() {
    assert_eq!([more_than_lots(12, 0.5), more_than_lots(12, 1.0 / 3.0)], [11, 9]);
    for folder in folders() {
        let game = parlour::load(&folder).unwrap();
        let seats = (*game.players().start()).max(2).min(*game.players().end());
        let setup = Setup::seats(seats);
        for source in agents_of(&game, &setup) {
            let name = source.path["agents/".len()..].trim_end_matches(".rhai").to_owned();
            let games = 12;
            let won = (0..u64::from(games)).filter(|seed| {
                let seat = *seed as usize % seats as usize;
                let agents: Vec<&str> =
                    (0..seats as usize).map(|at| if at == seat { name.as_str() } else { "random" }).collect();
                play(&game, &setup.clone().seed(*seed), &agents).standings[seat].rank == 1
            });
            let (won, wanted) = (won.count() as u32, more_than_lots(games, 1.0 / f64::from(seats)));
            assert!(won >= wanted, "{}: `{name}` won {won} of {games}, and lots may win {wanted}", folder.display());
        }
    }
}

// ----- Kuhn poker

/// The position after a deal and some choices: cards by strength, choices by their written forms.
fn kuhn(game: &Game, cards: [i64; 2], choices: &[&str]) -> Session {
    for seed in 0.. {
        let mut session = Session::start(game, &Setup::seats(2).seed(seed)).unwrap();
        let first = session.table().position.first;
        let hand = |seat: Seat| {
            let model = session.model();
            let family = model.find_family("hand").unwrap();
            let zone = model.family(family).zones.clone().map(parlour::model::ZoneId).nth(seat.index()).unwrap();
            let seen = session.view(seat).seen(model.zone(zone).space());
            let (component, _) = seen[0].face.unwrap();
            let names = ["jack", "queen", "king"];
            names.iter().position(|name| **name == *model.component(component).id).unwrap() as i64 + 1
        };
        if [hand(first), hand(Seat(1 - first.0))] != cards {
            continue;
        }
        for choice in choices {
            let at = session.outlook().unwrap().written().iter().position(|option| option == choice).unwrap();
            session.choose(at).unwrap();
        }
        return session;
    }
    unreachable!("every deal comes up")
}

/// How often search bets, or calls, with a card after some choices.
fn bets(game: &Game, card: i64, choices: &[&str], plan: &str, samples: u64) -> f64 {
    let other = if card == 2 { 1 } else { 2 };
    let cards = if choices.len().is_multiple_of(2) { [card, other] } else { [other, card] };
    let session = kuhn(game, cards, choices);
    let outlook = session.outlook().unwrap();
    let spec = spec(game, plan);
    let bets = (0..samples).filter(|seed| {
        let at = spec.player(*seed, 0).choose(&outlook).unwrap();
        ["bet", "call"].contains(&outlook.written()[at].as_str())
    });
    bets.count() as f64 / samples as f64
}

#[test]
fn search_makes_no_plain_mistake_at_kuhn_poker() {
    let game = game("kuhn-poker");
    let plan = "search:1500:score";
    assert!((bets(&game, 3, &["bet"], plan, 10) - 1.0).abs() < 1e-9, "a king calls");
    assert!((bets(&game, 1, &["bet"], plan, 10) - 0.0).abs() < 1e-9, "a jack folds");
    assert!((bets(&game, 3, &["pass", "bet"], plan, 10) - 1.0).abs() < 1e-9, "a king calls");
    assert!((bets(&game, 1, &["pass", "bet"], plan, 10) - 0.0).abs() < 1e-9, "a jack folds");
    assert!(bets(&game, 3, &["pass"], plan, 10) >= 0.9, "a king bets after a pass");
    assert!(bets(&game, 2, &[], plan, 10) <= 0.3, "a queen hardly ever opens");
}

/// How often a player bets or calls, with each card, in the four situations: opening, after a pass, calling as the second,
/// calling as the first.
type Bets = [[f64; 4]; 3];

/// What the first player gets of a game of two such players, on the mean of all deals.
fn kuhn_payoff(first: &Bets, second: &Bets) -> f64 {
    let mut sum = 0.0;
    for (own, other) in (0..9).map(|deal| (deal / 3, deal % 3)).filter(|(own, other)| own != other) {
        let wins = if own > other { 1.0 } else { -1.0 };
        let (bet, called) = (first[own][0], second[other][2]);
        let (against, calls) = (second[other][1], first[own][3]);
        let bets = called * 2.0 * wins + (1.0 - called);
        let passes = against * (calls * 2.0 * wins - (1.0 - calls)) + (1.0 - against) * wins;
        sum += (bet * bets + (1.0 - bet) * passes) / 6.0;
    }
    sum
}

/// What whoever knows how somebody plays Kuhn poker gets from him, on the mean of both seats: nothing in equilibrium.
fn kuhn_exploitability(bets: &Bets) -> f64 {
    let mut best = [f64::NEG_INFINITY; 2];
    for pure in 0..64_u32 {
        let bit = |at: usize| f64::from(pure >> at & 1);
        let all: Bets = std::array::from_fn(|card| [bit(card), bit(card), bit(card + 3), bit(card + 3)]);
        best[0] = best[0].max(kuhn_payoff(&all, bets));
        best[1] = best[1].max(-kuhn_payoff(bets, &all));
    }
    f64::midpoint(best[0], best[1])
}

const KUHN_SITUATIONS: [&[&str]; 4] = [&[], &["pass"], &["bet"], &["pass", "bet"]];

/// How search plays Kuhn poker, by so many searches of each situation.
fn kuhn_bets(plan: &str, samples: u64) -> Bets {
    let game = game("kuhn-poker");
    std::array::from_fn(|card| KUHN_SITUATIONS.map(|choices| bets(&game, card as i64 + 1, choices, plan, samples)))
}

#[test]
fn whoever_knows_how_search_plays_kuhn_poker_gains_little() {
    let equilibrium = [[1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0], [0.0, 0.0, 1.0 / 3.0, 2.0 / 3.0], [1.0; 4]];
    assert!(kuhn_exploitability(&equilibrium).abs() < 1e-9);
    let random = kuhn_exploitability(&[[0.5; 4]; 3]);
    assert!((random - 0.458).abs() < 0.001, "{random}");
    let found = kuhn_bets("search:600:score", 20);
    let gained = kuhn_exploitability(&found);
    assert!(gained <= KUHN_BOUND, "{gained:.3} chips a game, by {found:.2?}");
}

/// Chips a game; whoever plays by lot loses 0.458, whoever always bets or always passes more than 0.3.
const KUHN_BOUND: f64 = 0.25;

// ----- Leduc poker

/// How somebody plays Leduc poker: with a card, a card of the board or none (3), after the actions of both rounds, how often
/// he folds, calls and raises.
type Leduc<'a> = dyn FnMut(usize, usize, &str) -> [f64; 3] + 'a;

/// What is known of a game of Leduc poker by those who see no hand.
#[derive(Clone)]
struct Public {
    /// Actions: `c`, `r`, and `/` between the rounds.
    actions: String,
    board: usize,
    stakes: [f64; 2],
    seat: usize,
    raises: u32,
    /// How many must still answer.
    waiting: u32,
}

impl Public {
    const START: Self = Self { actions: String::new(), board: 3, stakes: [1.0, 1.0], seat: 0, raises: 0, waiting: 2 };

    /// What may be done: fold, call, raise.
    fn may(&self) -> [bool; 3] {
        [self.stakes[self.seat] < self.stakes[1 - self.seat], true, self.raises < 2]
    }

    /// After a call (1) or a raise (2).
    fn after(&self, action: usize) -> Self {
        let mut next = self.clone();
        let size = if self.board == 3 { 2.0 } else { 4.0 };
        next.stakes[self.seat] = self.stakes[1 - self.seat].max(self.stakes[self.seat]);
        next.waiting -= 1;
        if action == 2 {
            next.stakes[self.seat] += size;
            next.raises += 1;
            next.waiting = 1;
        }
        next.actions.push(if action == 2 { 'r' } else { 'c' });
        next.seat = 1 - self.seat;
        next
    }

    /// The second round, with a card of the board.
    fn with_board(&self, board: usize) -> Self {
        let actions = self.actions.clone() + "/";
        Self { actions, board, seat: 0, raises: 0, waiting: 2, ..self.clone() }
    }
}

/// What the best answer to somebody gets from him, in a seat with a card, where each card of the other is so likely.
fn best_answer(seat: usize, card: usize, likely: [f64; 3], at: &Public, other: &mut Leduc<'_>) -> f64 {
    if at.waiting == 0 && at.board < 3 {
        let strength = |card: usize| if card == at.board { 3 } else { card };
        let won =
            |theirs: usize| f64::from(strength(card) > strength(theirs)) - f64::from(strength(card) < strength(theirs));
        return (0..3).map(|theirs| likely[theirs] * won(theirs) * at.stakes[1 - seat]).sum();
    }
    if at.waiting == 0 {
        let left = |board: usize, theirs: usize| 2 - usize::from(board == card) - usize::from(board == theirs);
        let of = |board: usize| std::array::from_fn(|theirs| likely[theirs] * left(board, theirs) as f64 / 4.0);
        return (0..3).map(|board| best_answer(seat, card, of(board), &at.with_board(board), other)).sum();
    }
    let total: f64 = likely.iter().sum();
    let may = at.may();
    if at.seat == seat {
        let fold = if may[0] { -at.stakes[seat] * total } else { f64::NEG_INFINITY };
        let play = (1..3).filter(|action| may[*action]);
        return play.map(|action| best_answer(seat, card, likely, &at.after(action), other)).fold(fold, f64::max);
    }
    let plays: [[f64; 3]; 3] =
        std::array::from_fn(
            |theirs| {
                if likely[theirs] > 0.0 { other(theirs, at.board, &at.actions) } else { [0.0; 3] }
            },
        );
    let with = |action: usize| std::array::from_fn(|theirs| likely[theirs] * plays[theirs][action]);
    let folded: [f64; 3] = with(0);
    let mut sum = folded.iter().sum::<f64>() * at.stakes[1 - seat];
    for action in (1..3).filter(|action| may[*action]) {
        sum += best_answer(seat, card, with(action), &at.after(action), other);
    }
    sum
}

/// What whoever knows how somebody plays Leduc poker gets from him, on the mean of both seats.
fn leduc_exploitability(other: &mut Leduc<'_>) -> f64 {
    let mut sum = 0.0;
    for (seat, card) in (0..6).map(|at| (at / 3, at % 3)) {
        let likely = std::array::from_fn(|theirs| if theirs == card { 1.0 } else { 2.0 } / 15.0);
        sum += best_answer(seat, card, likely, &Public::START, other);
    }
    sum / 2.0
}

/// Search at Leduc poker, asked so many times in each situation that comes up.
struct LeducSearch {
    game: Game,
    spec: Spec,
    samples: u64,
    /// A seed for each deal: the cards of the first and the second seat, and of the board.
    deals: std::collections::BTreeMap<[usize; 3], u64>,
    known: std::collections::BTreeMap<(usize, usize, String), [f64; 3]>,
}

impl LeducSearch {
    fn new(plan: &str, samples: u64) -> Self {
        let game = game("leduc-poker");
        let spec = spec(&game, plan);
        let mut deals = std::collections::BTreeMap::new();
        for seed in 0..2_000 {
            let mut session = Session::start(&game, &Setup::seats(2).seed(seed)).unwrap();
            let cards = |session: &Session, zone: &str, seat: Option<Seat>| {
                let model = session.model();
                let zones = &model.family(model.find_family(zone).unwrap()).zones;
                let at = zones.start + seat.map_or(0, |seat| u16::from(seat.0));
                let space = model.zone(parlour::model::ZoneId(at)).space();
                let strength = model.component(session.view(seat.unwrap_or(Seat(0))).seen(space)[0].face.unwrap().0);
                ["jack", "queen", "king"].iter().position(|name| strength.id.contains(name)).unwrap()
            };
            let first = session.table().position.first;
            let hands = [first, Seat(1 - first.0)].map(|seat| cards(&session, "hand", Some(seat)));
            for _ in 0..2 {
                let call = session.outlook().unwrap().written().iter().position(|word| word == "call").unwrap();
                session.choose(call).unwrap();
            }
            deals.insert([hands[0], hands[1], cards(&session, "board", None)], seed);
        }
        assert_eq!(deals.len(), 24, "every deal comes up");
        Self { game, spec, samples, deals, known: std::collections::BTreeMap::new() }
    }

    /// How search plays with a card, after some actions.
    fn plays(&mut self, card: usize, board: usize, actions: &str) -> [f64; 3] {
        let key = (card, board, actions.to_owned());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let seat = actions.rsplit('/').next().unwrap().len() % 2;
        let fits = |deal: &&[usize; 3]| deal[seat] == card && (board == 3 || deal[2] == board);
        let seed = self.deals[self.deals.keys().find(fits).unwrap()];
        let mut session = Session::start(&self.game, &Setup::seats(2).seed(seed)).unwrap();
        for action in actions.chars().filter(|action| *action != '/') {
            let word = if action == 'r' { "raise" } else { "call" };
            let at = session.outlook().unwrap().written().iter().position(|option| option == word).unwrap();
            session.choose(at).unwrap();
        }
        let outlook = session.outlook().unwrap();
        let mut plays = [0.0; 3];
        for seed in 0..self.samples {
            let at = self.spec.player(seed, 0).choose(&outlook).unwrap();
            let action = ["fold", "call", "raise"].iter().position(|word| *word == outlook.written()[at]).unwrap();
            plays[action] += 1.0 / self.samples as f64;
        }
        self.known.insert(key, plays);
        plays
    }
}

/// Any of what may be done, each as likely.
fn leduc_by_lot(actions: &str) -> [f64; 3] {
    let round = actions.rsplit('/').next().unwrap();
    let may = [round.ends_with('r'), true, round.matches('r').count() < 2];
    let count = may.iter().filter(|may| **may).count() as f64;
    may.map(|may| if may { 1.0 / count } else { 0.0 })
}

#[test]
fn whoever_knows_how_search_plays_leduc_poker_gains_less_than_from_lots() {
    let random = leduc_exploitability(&mut |_, _, actions| leduc_by_lot(actions));
    // The figure of the literature for uniform play, on the mean of both seats: 4.747 for both together.
    assert!((random - 2.3736).abs() < 0.001, "{random}");
    let mut search = LeducSearch::new("search:40:score", 3);
    let gained = leduc_exploitability(&mut |card, board, actions| search.plays(card, board, actions));
    assert!(gained <= LEDUC_BOUND, "{gained:.3} chips a game");
}

/// Chips a game; whoever plays by lot loses 2.374.
const LEDUC_BOUND: f64 = 1.6;

/// The figures of the guide: `cargo test --release --test agents figures_of_poker -- --ignored --nocapture`.
#[test]
#[ignore = "it takes minutes, and proves nothing that the others do not"]
fn figures_of_poker() {
    for plan in ["search:400:score", "search:2000:score"] {
        let bets = kuhn_bets(plan, 100);
        println!("kuhn {plan}: {:.3}, by {bets:.2?}", kuhn_exploitability(&bets));
    }
    for plan in ["search:100:score", "search:400:score"] {
        let mut search = LeducSearch::new(plan, 10);
        let gained = leduc_exploitability(&mut |card, board, actions| search.plays(card, board, actions));
        println!("leduc {plan}: {gained:.3}");
    }
}

// ----- what was recorded

#[test]
fn a_recording_is_played_again() {
    let game = game("stockpile");
    let setup = Setup::seats(4).seed(9);
    let mut session = Session::start(&game, &setup).unwrap();
    let mut chance = Chance::new(1, "walk");
    while let Some(outlook) = session.outlook() {
        let at = chance.below(outlook.decision().count() as u32) as usize;
        session.choose(at).unwrap();
    }
    let play = record(&game, &setup, session.answers(), false).unwrap();
    let path = std::env::temp_dir().join(format!("parlour-recording-{}.play", std::process::id()));
    std::fs::write(&path, play.to_string()).unwrap();
    let spec = spec(&game, &format!("playscript:{}", path.display()));
    std::fs::remove_file(&path).unwrap();
    let players = (0..4).map(|seat| spec.player(9, seat)).collect();
    let played = game.play(&setup, players, false).unwrap();
    assert_eq!(played.outcome.unwrap(), *session.outcome().unwrap());
    assert_eq!(played.fingerprint, session.fingerprint());
}

// ----- programs

#[cfg(unix)]
mod programs {
    use super::{game, spec};
    use parlour::agents::Process;
    use parlour::session::Setup;
    use std::path::PathBuf;
    use std::time::{Duration, Instant};

    /// A program in the language of the shell.
    struct Script(PathBuf);

    impl Script {
        fn new(name: &str, text: &str) -> Self {
            let path = std::env::temp_dir().join(format!("parlour-{}-{name}.sh", std::process::id()));
            std::fs::write(&path, text).unwrap();
            Self(path)
        }
    }

    impl Drop for Script {
        fn drop(&mut self) {
            std::fs::remove_file(&self.0).unwrap();
        }
    }

    const GREETING: &str = "read hello; echo '{\"type\":\"hello\",\"name\":\"test\"}'\n";

    /// What comes of a game in which a program has the first seat.
    fn fault(name: &str, text: &str) -> Option<String> {
        let script = Script::new(name, text);
        let game = game("tic-tac-toe");
        let program = spec(&game, &format!("cmd:sh {}", script.0.display()));
        let players = vec![program.player(1, 0), spec(&game, "first").player(1, 1)];
        let played = game.play(&Setup::seats(2).seed(1), players, false).unwrap();
        played.outcome.err().map(|diagnostic| {
            assert_eq!(diagnostic.code, "no-answer");
            diagnostic.message
        })
    }

    #[test]
    fn a_program_plays_a_whole_game() {
        let text = format!(
            "{GREETING}id=0\nwhile read line; do case $line in *bye*) exit;; esac; id=$((id+1)); \
             echo \"{{\\\"type\\\":\\\"choose\\\",\\\"id\\\":$id,\\\"option\\\":0}}\"; done\n"
        );
        assert_eq!(fault("whole", &text), None);
    }

    #[test]
    fn what_a_program_does_wrong_is_told_and_never_replaced() {
        let cases = [
            ("crash", format!("{GREETING}exit 3\n"), "has ended (exit status: 3)"),
            ("silent-start", "exit 0\n".to_owned(), "has ended"),
            ("no-json", format!("{GREETING}read q; echo nonsense\n"), "not JSON: nonsense"),
            (
                "not-offered",
                format!("{GREETING}read q; echo '{{\"type\":\"choose\",\"id\":1,\"option\":99}}'\n"),
                "answers question 1 of 9 options",
            ),
            (
                "other-question",
                format!("{GREETING}read q; echo '{{\"type\":\"choose\",\"id\":7,\"option\":0}}'\n"),
                "answers question 1 of 9 options",
            ),
            ("rude", "read hello; echo '{\"type\":\"choose\"}'\n".to_owned(), "answers `hello` with"),
        ];
        for (name, text, wanted) in cases {
            let told = fault(name, &text).unwrap_or_else(|| panic!("{name}: no fault"));
            assert!(told.contains(wanted) && told.starts_with("`cmd:sh "), "{name}: {told}");
        }
    }

    /// What comes of a game in which a program that has a second for each message is asked for one of twenty thousand numbers.
    fn fault_of_many(name: &str, text: &str) -> String {
        let script = Script::new(name, text);
        let toml = "[game]\nid = \"many\"\nname = \"Many\"\nplayers = { min = 1, max = 1 }\n[decisions.pick]\nask = \"?\"\n\
                    [flow]\nround = [\"picking\"]\nrounds = 1\nending = \"over\"\n[phases.picking]\n\
                    steps = [{ each_seat = \"pick\" }]\n[endings]\nover = \"Over\"\n[params]\nmany = 20000\n";
        let rules = "/// Any number.\nfn pick(seat) { choose_number(seat, \"pick\", 1, many); }\n\
                     /// Nothing.\nfn score(seat) { 0 }\n";
        let game = parlour::load_texts(
            "many",
            [("game.toml".to_owned(), toml.to_owned()), ("rules/play.rhai".to_owned(), rules.to_owned())],
        )
        .unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let program = Process::new(&format!("sh {}", script.0.display()), 1, "test").within(Duration::from_secs(1));
        let begin = Instant::now();
        let played = game.play(&Setup::seats(1).seed(1), vec![Box::new(program)], false).unwrap();
        assert!(begin.elapsed() < Duration::from_secs(30), "{name}: {:?}", begin.elapsed());
        played.outcome.unwrap_err().message
    }

    #[test]
    fn a_program_that_does_not_read_holds_nobody_up() {
        let told = fault_of_many("deaf", &format!("{GREETING}exec sleep 600\n"));
        assert!(told.contains("does not read what it is asked for 1 s"), "{told}");
        let told = fault_of_many("dumb", &format!("{GREETING}read question; exec sleep 600\n"));
        assert!(told.contains("is silent for 1 s"), "{told}");
    }

    #[test]
    fn a_program_that_writes_without_end_is_ended() {
        let told = fault_of_many("flood", "exec yes\n");
        assert!(told.contains("not JSON: y"), "{told}");
        let told = fault_of_many("flood-behind", &format!("{GREETING}exec yes\n"));
        assert!(told.contains("not JSON: y"), "{told}");
        // One line without an end.
        let told = fault_of_many("line", "exec tr '\\0' x < /dev/zero\n");
        assert!(told.contains("not JSON: xxx"), "{told}");
    }

    #[test]
    fn a_program_that_does_not_exist_is_told() {
        let game = game("tic-tac-toe");
        let players = (0..2).map(|seat| spec(&game, "cmd:no-such-program-here").player(1, seat)).collect();
        let played = game.play(&Setup::seats(2).seed(1), players, false).unwrap();
        assert!(played.outcome.unwrap_err().message.contains("does not start"));
    }
}

#[test]
fn plans_are_alike_where_they_are_written_alike() {
    let game = game("tic-tac-toe");
    let plan = |text: &str| -> Plan {
        let Spec::Search(plan) = spec(&game, text) else { panic!("{text}") };
        plan
    };
    assert_eq!(plan("search"), plan("search:400"));
    assert_ne!(plan("search:50"), plan("search:50ms"));
}
