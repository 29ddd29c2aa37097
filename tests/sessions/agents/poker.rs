//! Measures how close to equilibrium search plays two small poker games whose equilibria are known.

use super::{game, spec};
use parlour::agents::Spec;
use parlour::model::Seat;
use parlour::session::{Game, Session, Setup};

// ----- Kuhn poker

/// Returns the position after a deal and some choices. Cards are given by rank from 1 to 3, and choices in the notation of playscripts.
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
            let at =
                session.observation().unwrap().written().some().iter().position(|option| option == choice).unwrap();
            session.choose(at).unwrap();
        }
        return session;
    }
    unreachable!("every deal comes up")
}

/// Returns the share of searches that bet or call, given a card and the choices so far.
fn bets(game: &Game, card: i64, choices: &[&str], plan: &str, samples: u64) -> f64 {
    let other = if card == 2 { 1 } else { 2 };
    let cards = if choices.len().is_multiple_of(2) { [card, other] } else { [other, card] };
    let session = kuhn(game, cards, choices);
    let observation = session.observation().unwrap();
    let spec = spec(game, plan);
    let bets = (0..samples).filter(|seed| {
        let at = spec.player(*seed, 0).choose(&observation).unwrap();
        ["bet", "call"].contains(&&*observation.written().get(at))
    });
    bets.count() as f64 / samples as f64
}

#[test]
fn search_makes_no_obvious_mistakes_at_kuhn_poker() {
    let game = game("kuhn-poker");
    let plan = "search:1500:score";
    assert!((bets(&game, 3, &["bet"], plan, 10) - 1.0).abs() < 1e-9, "a king calls");
    assert!((bets(&game, 1, &["bet"], plan, 10) - 0.0).abs() < 1e-9, "a jack folds");
    assert!((bets(&game, 3, &["pass", "bet"], plan, 10) - 1.0).abs() < 1e-9, "a king calls");
    assert!((bets(&game, 1, &["pass", "bet"], plan, 10) - 0.0).abs() < 1e-9, "a jack folds");
    assert!(bets(&game, 3, &["pass"], plan, 10) >= 0.9, "a king bets after a pass");
    assert!(bets(&game, 2, &[], plan, 10) <= 0.3, "a queen hardly ever opens");
}

/// Share of bets or calls for each card in each of [`KUHN_SITUATIONS`]: opening, after a pass, calling as the second player, and calling as
/// the first player.
type Bets = [[f64; 4]; 3];

/// Returns the first player's mean payoff over all deals if the players use these strategies.
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

/// Returns the gain of the best response to a strategy at Kuhn poker, as the mean over both seats. The gain is 0 in equilibrium.
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

/// Reads the number of imagined worlds or of searches from an environment variable. `PARLOUR_WORLDS=2000 PARLOUR_SEARCHES=50 cargo test
/// --release --test sessions poker -- --nocapture` measures more precisely.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var_os(name).map_or(default, |number| number.to_str().unwrap().parse().unwrap())
}

/// Returns the strategy of search at Kuhn poker, measured by `samples` searches in each situation.
fn kuhn_bets(plan: &str, samples: u64) -> Bets {
    let game = game("kuhn-poker");
    std::array::from_fn(|card| KUHN_SITUATIONS.map(|choices| bets(&game, card as i64 + 1, choices, plan, samples)))
}

#[test]
fn exploitability_of_search_at_kuhn_poker_is_small() {
    let equilibrium = [[1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0], [0.0, 0.0, 1.0 / 3.0, 2.0 / 3.0], [1.0; 4]];
    assert!(kuhn_exploitability(&equilibrium).abs() < 1e-9);
    let random = kuhn_exploitability(&[[0.5; 4]; 3]);
    assert!((random - 0.458).abs() < 0.001, "{random}");
    let found = kuhn_bets(&format!("search:{}:score", setting("PARLOUR_WORLDS", 600)), setting("PARLOUR_SEARCHES", 20));
    let gained = kuhn_exploitability(&found);
    println!("Kuhn poker: {gained:.3} chips a game, by {found:.2?}");
    assert!(gained <= KUHN_BOUND, "{gained:.3} chips a game, by {found:.2?}");
}

/// Maximum gain of the best response to search, in chips per game. Random play loses 0.458. Always betting and always passing both lose
/// more than 0.3.
const KUHN_BOUND: f64 = 0.25;

// ----- Leduc poker

/// Strategy at Leduc poker. Its arguments are the seat's own card, the board card (3 if there is none yet), and the actions so far. It
/// returns the probabilities of folding, calling and raising.
type Leduc<'a> = dyn FnMut(usize, usize, &str) -> [f64; 3] + 'a;

/// Public information in a game of Leduc poker: everything except the hands.
#[derive(Clone)]
struct Public {
    /// Actions: `c`, `r`, and `/` between the rounds.
    actions: String,
    /// Board card, or 3 in the first round.
    board: usize,
    /// Chips that each seat has bet.
    stakes: [f64; 2],
    /// Seat that acts next.
    seat: usize,
    /// Number of raises in this round.
    raises: u32,
    /// Number of seats that must still act in this round.
    waiting: u32,
}

impl Public {
    const START: Self = Self { actions: String::new(), board: 3, stakes: [1.0, 1.0], seat: 0, raises: 0, waiting: 2 };

    /// Returns whether folding, calling and raising are allowed, in this order.
    fn may(&self) -> [bool; 3] {
        [self.stakes[self.seat] < self.stakes[1 - self.seat], true, self.raises < 2]
    }

    /// Returns the state after a call (1) or a raise (2).
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

    /// Returns the state at the beginning of the second round, with the given board card.
    fn with_board(&self, board: usize) -> Self {
        let actions = self.actions.clone() + "/";
        Self { actions, board, seat: 0, raises: 0, waiting: 2, ..self.clone() }
    }
}

/// Returns the gain of the best response to `other` from the state `at`, for a seat that holds `card`. For each card of the other seat,
/// `likely` contains the probability of the cards so far and of the other seat's actions.
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

/// Returns the gain of the best response to a strategy at Leduc poker, as the mean over both seats.
fn leduc_exploitability(other: &mut Leduc<'_>) -> f64 {
    let mut sum = 0.0;
    for (seat, card) in (0..6).map(|at| (at / 3, at % 3)) {
        let likely = std::array::from_fn(|theirs| if theirs == card { 1.0 } else { 2.0 } / 15.0);
        sum += best_answer(seat, card, likely, &Public::START, other);
    }
    sum / 2.0
}

/// Search as a strategy at Leduc poker, measured by `samples` searches in each situation that occurs.
struct LeducSearch {
    game: Game,
    spec: Spec,
    samples: u64,
    /// Seed for each deal. A deal consists of the first seat's card, the second seat's card and the board card.
    deals: std::collections::BTreeMap<[usize; 3], u64>,
    /// Results so far, keyed by the seat's card, the board card and the actions.
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
                let call =
                    session.observation().unwrap().written().some().iter().position(|word| word == "call").unwrap();
                session.choose(call).unwrap();
            }
            deals.insert([hands[0], hands[1], cards(&session, "board", None)], seed);
        }
        assert_eq!(deals.len(), 24, "every deal comes up");
        Self { game, spec, samples, deals, known: std::collections::BTreeMap::new() }
    }

    /// Returns the shares of searches that fold, call and raise, given a card and the actions so far.
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
            let at = session.observation().unwrap().written().some().iter().position(|option| option == word).unwrap();
            session.choose(at).unwrap();
        }
        let observation = session.observation().unwrap();
        let mut plays = [0.0; 3];
        for seed in 0..self.samples {
            let at = self.spec.player(seed, 0).choose(&observation).unwrap();
            let action =
                ["fold", "call", "raise"].iter().position(|word| *word == observation.written().get(at)).unwrap();
            plays[action] += 1.0 / self.samples as f64;
        }
        self.known.insert(key, plays);
        plays
    }
}

/// Returns a strategy that takes each allowed action with the same probability.
fn leduc_at_random(actions: &str) -> [f64; 3] {
    let round = actions.rsplit('/').next().unwrap();
    let may = [round.ends_with('r'), true, round.matches('r').count() < 2];
    let count = may.iter().filter(|may| **may).count() as f64;
    may.map(|may| if may { 1.0 / count } else { 0.0 })
}

#[test]
fn search_at_leduc_poker_is_less_exploitable_than_random_play() {
    let random = leduc_exploitability(&mut |_, _, actions| leduc_at_random(actions));
    // For uniform play, the literature states a sum of 4.747 for both seats.
    assert!((random - 2.3736).abs() < 0.001, "{random}");
    let plan = format!("search:{}:score", setting("PARLOUR_WORLDS", 40));
    let mut search = LeducSearch::new(&plan, setting("PARLOUR_SEARCHES", 3));
    let gained = leduc_exploitability(&mut |card, board, actions| search.plays(card, board, actions));
    println!("Leduc poker: {gained:.3} chips a game");
    assert!(gained <= LEDUC_BOUND, "{gained:.3} chips a game");
}

/// Maximum gain of the best response to search, in chips per game. Random play loses 2.374.
const LEDUC_BOUND: f64 = 1.6;
