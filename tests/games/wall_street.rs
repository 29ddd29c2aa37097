//! Invariants of 1920 Wall Street over whole games (section 13 of the specification), checked on the events of random games. Invariants of
//! a single position are in the game's `13_invariants.rhai`. Worked examples and rulings are in its playscripts.

use crate::finished_game::{self, FinishedGame};
use parlour::model::{ComponentId, FieldValue, Seat, SpaceId};
use parlour::session::{Choice, Decision, Event, EventKind, Session, Setup, Status};
use parlour::table::{Chance, Holder};
use std::collections::{BTreeMap, BTreeSet};

/// Number of games played for each combination of a number of players and a set of options.
const GAMES: u64 = 8;

/// Answer to a decision: the seat, the id of the decision, the choice, and the events up to the next answer.
type Answer<'a> = (Seat, &'a str, &'a Choice, &'a [Event]);

/// Returns three sets of options: no options, all variants with rewards, and all variants with penalties.
fn options() -> [Vec<(&'static str, &'static str)>; 3] {
    let variants = [("board_side", "yellow"), ("tycoons", "on"), ("call_options", "on")];
    let penalties = ["tycoon_a", "tycoon_b", "tycoon_c", "tycoon_d"].map(|card| (card, "penalty"));
    [Vec::new(), variants.to_vec(), variants.into_iter().chain(penalties).collect()]
}

/// Plays [`GAMES`] games for each number of players and each set of options.
fn finished_games() -> Vec<FinishedGame> {
    let game = parlour::load("games/wall-street-1920").unwrap();
    let mut finished_games = Vec::new();
    for seats in 2..=5 {
        for options in options() {
            for seed in 0..GAMES {
                let plain = Setup::seats(seats).seed(seed);
                let setup = options.iter().fold(plain, |setup, (name, value)| setup.option(name, value));
                finished_games.push(FinishedGame::play_with(&game, &setup, at_random));
            }
        }
    }
    finished_games
}

/// Chooses an option at random. In half of the cases, prefers options that keep or sell a card, which would otherwise be rare.
fn at_random(decision: &Decision, chance: &mut Chance) -> usize {
    let is_preferred = |at: &usize| {
        let option = decision.option(*at);
        option.part("keep").is_some() || is_word(&option, "sell")
    };
    let preferred: Vec<usize> = (0..decision.count()).filter(is_preferred).collect();
    if preferred.is_empty() || chance.below(2) == 0 {
        return chance.below(decision.count() as u32) as usize;
    }
    preferred[chance.below(preferred.len() as u32) as usize]
}

impl FinishedGame {
    fn players(&self) -> i64 {
        i64::from(self.model().seats)
    }

    fn label(&self, space: SpaceId) -> String {
        format!("{:?}", self.model().space(space).label)
    }

    fn stocks(&self, component: ComponentId) -> Vec<ComponentId> {
        let Some(FieldValue::List(list)) = self.field(component, "stocks") else { panic!("no stocks") };
        list.iter().map(|stock| if let FieldValue::Component(id) = stock { *id } else { panic!("{stock:?}") }).collect()
    }

    /// Returns the number that the value `name` of `holder` has at the end of the game.
    fn value(&self, name: &str, holder: Holder) -> i64 {
        let table = self.session.table();
        let values = self.model().values.iter().enumerate().filter(|(_, value)| &*value.id == name);
        let mut found = values.filter_map(|(at, _)| table.slot(parlour::model::ValueId::at(at), holder));
        table.value(found.next().unwrap())
    }

    /// Returns the components in a zone of a seat at the end of the game.
    fn held(&self, seat: Seat, zone: &str) -> Vec<ComponentId> {
        let table = self.session.table();
        let is_there = |piece: &_| {
            let space = table.space_of(*piece);
            self.zone_of(space) == zone && self.model().zone(self.model().space(space).zone).seat == Some(seat)
        };
        table.all_pieces().filter(is_there).map(|piece| table.component(piece)).collect()
    }

    /// Returns all answers of the game, in order.
    fn answers(&self) -> Vec<Answer<'_>> {
        self.answers_with_place().into_iter().map(|(_, answer)| answer).collect()
    }

    /// Like [`Self::answers`], but pairs each answer with the index of its event.
    fn answers_with_place(&self) -> Vec<(usize, Answer<'_>)> {
        let events = self.events();
        let at: Vec<usize> = (0..events.len()).filter(|at| self.choice_made(&events[*at]).is_some()).collect();
        let ends = at.iter().skip(1).copied().chain([events.len()]);
        at.iter()
            .zip(ends)
            .map(|(from, to)| {
                let (seat, decision, choice) = self.choice_made(&events[*from]).unwrap();
                (*from, (seat, decision, choice, &events[*from + 1..to]))
            })
            .collect()
    }

    /// Returns the seat and events of each turn.
    fn turns(&self) -> Vec<(Seat, &[Event])> {
        let events = self.events();
        let begin = events.iter().position(|event| matches!(event.kind, EventKind::Phase(_))).unwrap();
        let turn = |at: &usize| if let EventKind::Turn(seat) = events[*at].kind { Some(seat) } else { None };
        let at: Vec<usize> = (begin..events.len()).filter(|at| turn(at).is_some()).collect();
        let ends = at.iter().skip(1).copied().chain([events.len()]);
        at.iter().zip(ends).map(|(from, to)| (turn(from).unwrap(), &events[*from..to])).collect()
    }
}

/// Returns whether a choice is the word `word`.
fn is_word(choice: &Choice, word: &str) -> bool {
    *choice == Choice::Word(word.into())
}

fn number_part(choice: &Choice, part: &str) -> Option<i64> {
    match choice.part(part) {
        Some(Choice::Number(number)) => Some(*number),
        _ => None,
    }
}

fn space_part(choice: &Choice, part: &str) -> Option<SpaceId> {
    match choice.part(part) {
        Some(Choice::Space(space)) => Some(*space),
        _ => None,
    }
}

/// Cards at each position of the circle, each with the zone from which it came, reconstructed from move events.
#[derive(Default)]
struct Circle {
    cards: BTreeMap<SpaceId, Vec<(ComponentId, String)>>,
}

impl Circle {
    fn apply(&mut self, finished: &FinishedGame, event: &Event) {
        let EventKind::Moved { look, to } = &event.kind else { return };
        if finished.zone_of(look.space) == "circle" {
            let cards = self.cards.get_mut(&look.space).unwrap();
            let at = cards.iter().position(|(card, _)| *card == look.component).unwrap();
            cards.remove(at);
        }
        if finished.zone_of(*to) == "circle" {
            self.cards.entry(*to).or_default().push((look.component, finished.zone_of(look.space).to_owned()));
        }
    }

    fn pairs(&self) -> Vec<&Vec<(ComponentId, String)>> {
        self.cards.values().filter(|cards| cards.len() == 2).collect()
    }

    fn cost(&self, finished: &FinishedGame, space: SpaceId) -> i64 {
        self.cards[&space].iter().map(|(card, _)| finished.number(*card, "cost")).sum()
    }
}

#[test]
fn i3_a_pair_has_one_card_from_a_share_pile_and_a_turn_makes_at_most_one() {
    for finished in finished_games() {
        let mut circle = Circle::default();
        let setup = finished.events().iter().take_while(|event| !matches!(event.kind, EventKind::Phase(_)));
        setup.for_each(|event| circle.apply(&finished, event));
        for (_, turn) in finished.turns() {
            let before = circle.pairs().len();
            for event in turn {
                circle.apply(&finished, event);
            }
            for pair in circle.pairs() {
                let sold = pair.iter().filter(|(_, from)| from == "share_pile").count();
                assert_eq!(sold, 1, "{pair:?}");
            }
            assert!(circle.pairs().len() <= before + 1);
        }
    }
}

#[test]
fn i7_loans_rise_by_one_with_their_cash_and_fall_only_by_a_tycoon() {
    for finished in finished_games() {
        for (_, decision, _, after) in finished.answers() {
            for (at, event) in after.iter().enumerate() {
                assert!(finished.value_change(event).is_none_or(|(value, _, _, new)| !is_money(value) || new >= 0));
                let Some(("loans", holder, old, new)) = finished.value_change(event) else { continue };
                if new < old {
                    assert_eq!((decision, new), ("repay", old - 1));
                    continue;
                }
                assert_eq!(new, old + 1);
                let paid = after[at + 1..].iter().find_map(|event| finished.value_change(event));
                let Some(("cash", who, from, to)) = paid else { panic!("a loan without cash") };
                assert_eq!((who, to - from), (holder, 5));
            }
        }
    }
}

/// Returns whether a value with this name counts cash or loans.
fn is_money(value: &str) -> bool {
    matches!(value, "cash" | "trend_cash" | "loans")
}

#[test]
fn i8_capital_rises_by_raises_and_falls_only_by_a_tycoon() {
    for finished in finished_games() {
        for (seat, decision, choice, after) in finished.answers() {
            for event in after {
                let Some(("capital", holder, old, new)) = finished.value_change(event) else { continue };
                if new > old {
                    let is_raise = decision == "discard" || is_word(choice, "raise");
                    assert!(is_raise && holder == Holder::Seat(seat) && new == old + 1);
                } else {
                    assert!(old >= 6 && new == old - 1 && holder != Holder::Seat(seat));
                }
            }
        }
    }
}

/// Returns the sum of all cash changes, minus 5 for each new loan and plus 5 for each repaid loan. The result is negative if the players
/// paid more to the bank than they received.
fn money(finished: &FinishedGame, events: &[Event]) -> i64 {
    let change = |event| match finished.value_change(event) {
        Some(("cash" | "trend_cash", _, old, new)) => new - old,
        Some(("loans", _, old, new)) => -5 * (new - old),
        _ => 0,
    };
    events.iter().map(change).sum()
}

#[test]
fn i9_money_moves_to_and_from_the_bank_only_by_the_rules() {
    for finished in finished_games() {
        let mut circle = Circle::default();
        let mut capital = vec![i64::from(if finished.players() < 4 { 4_u8 } else { 5 }); finished.players() as usize];
        let mut options: Vec<SpaceId> = Vec::new();
        let (mut seen, events) = (0, finished.events());
        for (place, (seat, decision, choice, after)) in finished.answers_with_place() {
            while seen < place {
                circle.apply(&finished, &events[seen]);
                note_options(&finished, &events[seen], &mut options);
                if let Some(("capital", Holder::Seat(who), _, new)) = finished.value_change(&events[seen]) {
                    capital[who.index()] = new;
                }
                seen += 1;
            }
            let expected = match decision {
                "action" | "extra" if is_word(choice, "flip") => 0,
                "action" | "extra" if choice.part("option").is_some() => -1,
                "action" if is_word(choice, "raise") => -2,
                "action" if choice.part("buy").is_some() => {
                    let space = space_part(choice, "at").unwrap();
                    let is_trend = finished.kind(circle.cards[&space][0].0) == "trend";
                    let option =
                        options.iter().filter(|other| finished.label(**other) == finished.label(space)).count();
                    let cost = if is_trend { 0 } else { circle.cost(&finished, space) + 2 * option as i64 };
                    -(number_part(choice, "buy").unwrap() + cost - capital[seat.index()]).max(0)
                }
                // A loan that brought 5 costs 3 when it is repaid.
                "repay" if *choice == Choice::Flag(true) => 5 - 3,
                "sale" | "handle" => continue,
                _ => 0,
            };
            let during_play: Vec<Event> =
                after.iter().take_while(|event| !is_after_play(&finished, event)).cloned().collect();
            assert_eq!(money(&finished, &during_play), expected, "{decision} {choice:?}");
        }
    }
}

/// Returns whether the event ends play after the last answer: the announcement of a tycoon, or the end of the game.
fn is_after_play(finished: &FinishedGame, event: &Event) -> bool {
    matches!(event.kind, EventKind::Finish) || finished.announcement(event, "tycoon").is_some()
}

/// Updates `options`, which lists a space once for each call option that is placed on it.
fn note_options(finished: &FinishedGame, event: &Event, options: &mut Vec<SpaceId>) {
    let EventKind::Moved { look, to } = &event.kind else { return };
    if finished.zone_of(look.space) == "placed_options" {
        options.retain(|space| *space != look.space);
    }
    if finished.zone_of(*to) == "placed_options" {
        options.push(*to);
    }
}

#[test]
fn i9_a_sale_pays_half_of_the_value_rounded_up() {
    let mut all = 0;
    for finished in finished_games() {
        let mut prices: BTreeMap<ComponentId, i64> = BTreeMap::new();
        let mut sales = 0;
        let mut open: Option<ComponentId> = None;
        for event in finished.events() {
            if let Some(("price", Holder::Component(stock), _, new)) = finished.value_change(event) {
                prices.insert(stock, new);
            }
            if let EventKind::Moved { look, to } = &event.kind
                && (finished.zone_of(look.space), finished.zone_of(*to)) == ("share_pile", "circle")
            {
                open = Some(look.component);
            }
            if let Some(("cash", _, old, new)) = finished.value_change(event)
                && let Some(card) = open.take()
            {
                let lowest = finished.stocks(card).iter().map(|stock| prices[stock]).min().unwrap();
                let expected = if finished.number(card, "shares") == 2 { lowest } else { (lowest + 1) / 2 };
                assert_eq!(new - old, expected);
                sales += 1;
            }
        }
        all += sales;
    }
    assert!(all > 200, "only {all} sales");
}

#[test]
fn i10_a_turn_has_at_most_one_flip_and_trend_cash_is_taken_completely() {
    for finished in finished_games() {
        for (_, turn) in finished.turns() {
            let flips = turn
                .iter()
                .filter_map(|event| finished.choice_made(event))
                .filter(|(.., choice)| is_word(choice, "flip"));
            let flips = flips.count() as i64;
            let mut risen = 0;
            for event in turn {
                if let Some(("trend_cash", Holder::Game, old, new)) = finished.value_change(event) {
                    assert!(new == old + 1 || new == 0);
                    risen += i64::from(new == old + 1);
                }
            }
            assert!(flips <= 1 && risen == flips);
        }
    }
}

#[test]
fn i11_discard_piles_change_only_at_the_top() {
    for finished in finished_games() {
        let mut piles: BTreeMap<SpaceId, Vec<ComponentId>> = BTreeMap::new();
        for event in finished.events() {
            let EventKind::Moved { look, to } = &event.kind else { continue };
            if finished.zone_of(look.space) == "discards" {
                assert_eq!(piles.get_mut(&look.space).unwrap().pop(), Some(look.component));
            }
            if finished.zone_of(*to) == "discards" {
                piles.entry(*to).or_default().push(look.component);
            }
        }
    }
}

#[test]
fn i12_a_stock_trade_keeps_the_size_of_every_share_pile() {
    let mut traded = 0;
    for finished in finished_games() {
        let mut sizes: BTreeMap<SpaceId, i64> = BTreeMap::new();
        let mut before: Option<BTreeMap<SpaceId, i64>> = None;
        for event in finished.events() {
            if let EventKind::Moved { look, to } = &event.kind {
                let (from, into) = (finished.zone_of(look.space), finished.zone_of(*to));
                if into == "offer" && before.is_none() {
                    before = Some(sizes.clone());
                }
                if from == "share_pile" {
                    *sizes.entry(look.space).or_default() -= 1;
                }
                if into == "share_pile" {
                    *sizes.entry(*to).or_default() += 1;
                }
                if into == "fluctuation_pile"
                    && let Some(before) = before.take()
                {
                    assert_eq!(sizes, before);
                    traded += 1;
                }
            }
        }
        assert!(before.is_none(), "a trade that never ended");
    }
    assert!(traded > 10, "only {traded} trades");
}

#[test]
fn i13_players_have_equal_turns_and_there_is_at_most_one_event() {
    let mut endings: BTreeMap<(i64, String), u32> = BTreeMap::new();
    for finished in finished_games() {
        let played = finished.turns().iter().filter(|(_, turn)| has_action(&finished, turn)).count() as i64;
        let each = |seat: Seat| {
            finished.turns().iter().filter(|(other, turn)| *other == seat && has_action(&finished, turn)).count() as i64
        };
        let seats: Vec<Seat> = finished.model().all_seats().collect();
        assert!(seats.iter().all(|seat| each(*seat) * finished.players() == played));
        let within = match finished.players() {
            2 => 70..=78,
            3 => 72..=81,
            4 => 72..=80,
            _ => 75..=80,
        };
        assert!(within.contains(&played), "{played} turns");
        let struck = finished.events().iter().filter(|event| finished.announcement(event, "strikes").is_some()).count();
        let none = finished.events().iter().filter(|event| finished.announcement(event, "no_event").is_some()).count();
        assert_eq!(struck + none, 1);
        *endings.entry((finished.players(), finished.ending().to_owned())).or_default() += 1;
    }
    assert_eq!(endings.len(), 8, "both endings with each number of players: {endings:?}");
}

fn has_action(finished: &FinishedGame, turn: &[Event]) -> bool {
    turn.iter().filter_map(|event| finished.choice_made(event)).any(|(_, decision, _)| decision == "action")
}

/// Plays a random game for each number of players and set of options, and calls `look` at every decision.
fn at_every_decision(mut look: impl FnMut(&Session, &Decision)) {
    let game = parlour::load("games/wall-street-1920").unwrap();
    for seats in 2..=5 {
        for options in options() {
            let plain = Setup::seats(seats).seed(1);
            let setup = options.iter().fold(plain, |setup, (name, value)| setup.option(name, value));
            let mut session = Session::start(&game, &setup).unwrap();
            let mut chance = Chance::new(1, "course");
            while let Status::Waiting(decision) = session.status() {
                look(&session, decision);
                let at = at_random(decision, &mut chance);
                session.choose(at).unwrap();
            }
            assert!(session.outcome().is_some(), "{:?}", session.status());
        }
    }
}

#[test]
fn i14_a_buy_is_legal_at_every_action() {
    let mut actions = 0;
    at_every_decision(|session, decision| {
        if &*session.model().decisions[decision.id.index()].id == "action" {
            assert!((0..decision.count()).any(|at| decision.option(at).part("buy").is_some()));
            actions += 1;
        }
    });
    assert!(actions >= 12 * 70, "only {actions} actions");
}

#[test]
fn i15_hidden_cards_of_others_are_not_seen() {
    let mut own = 0;
    at_every_decision(|session, _| {
        for viewer in session.model().all_seats() {
            own += assert_seen_piles(session, viewer);
        }
    });
    assert!(own > 1000, "only {own} own cards seen");
}

/// Asserts that a seat sees all cards in its own piles, no cards in the piles of others, and at most one card in the deck and in each
/// discard pile. Returns the number of cards that it sees in its own piles.
fn assert_seen_piles(session: &Session, viewer: Seat) -> usize {
    let (model, view) = (session.model(), session.view(viewer));
    let mut own = 0;
    for space in (0..model.spaces.len()).map(SpaceId::at) {
        let zone = model.space(space).zone;
        let name = &*model.family_of(zone).id;
        let seen = view.seen(space).iter().filter(|seen| seen.face.is_some()).count();
        match name {
            "share_pile" | "fluctuation_pile" | "capital_card" if model.zone(zone).seat == Some(viewer) => {
                assert_eq!(seen, view.height(space), "{viewer:?} {name}");
                own += seen;
            }
            "share_pile" | "fluctuation_pile" | "capital_card" => assert_eq!(seen, 0, "{viewer:?} {name}"),
            "deck" | "discards" => assert!(seen <= 1, "{viewer:?} {name}: {seen}"),
            _ => {}
        }
    }
    own
}

#[test]
fn i17_every_stock_calls_its_tycoon_at_most_once() {
    let mut called = 0;
    for finished in finished_games() {
        let mut stocks = BTreeSet::new();
        for event in finished.events().iter().filter(|event| finished.announcement(event, "tycoon").is_some()) {
            let EventKind::Said { facts, .. } = &event.kind else { panic!("{event:?}") };
            let stock = facts.iter().find(|(name, _)| &**name == "stock");
            assert!(stocks.insert(format!("{stock:?}")), "{stock:?} again");
        }
        called += stocks.len();
        assert!(stocks.len() <= 4);
    }
    assert!(called > 50, "only {called} tycoons");
}

/// Returns the maximum value of share cards over all ways to assign wild cards to stocks, found by brute force.
fn best_assignment(finished: &FinishedGame, cards: &[ComponentId], counts: &mut BTreeMap<ComponentId, i64>) -> i64 {
    let Some((card, rest)) = cards.split_first() else { return worth(finished, counts) };
    let tried = finished.stocks(*card).into_iter().map(|stock| {
        *counts.entry(stock).or_default() += finished.number(*card, "shares");
        let found = best_assignment(finished, rest, counts);
        *counts.entry(stock).or_default() -= finished.number(*card, "shares");
        found
    });
    tried.max().unwrap()
}

/// Returns the value of shares, given the number of shares of each stock.
fn worth(finished: &FinishedGame, counts: &BTreeMap<ComponentId, i64>) -> i64 {
    let lost = finished.value("shares_lost", Holder::Game);
    let divisor = finished.value("price_divisor", Holder::Game);
    let of = |(stock, count): (&ComponentId, &i64)| {
        let count = (count - lost).max(0);
        let price = finished.value("price", Holder::Component(*stock));
        if count < finished.number(*stock, "minimum") { 0 } else { count * ((price + divisor - 1) / divisor) }
    };
    counts.iter().map(of).sum()
}

#[test]
fn i16_the_score_follows_from_the_final_table() {
    let mut with_wild_cards = 0;
    for finished in finished_games() {
        for standing in &finished.session.outcome().unwrap().standings {
            let seat = standing.seat;
            let mut cards = finished.held(seat, "share_pile");
            with_wild_cards += u32::from(cards.iter().any(|card| finished.stocks(*card).len() > 1));
            cards.extend(finished.held(seat, "capital_card"));
            // Cards without a choice come first, so that the search does not visit them again for every assignment of wild cards.
            cards.sort_by_key(|card| finished.stocks(*card).len());
            let shares = best_assignment(&finished, &cards, &mut BTreeMap::new());
            let points: i64 =
                finished.held(seat, "fluctuation_pile").iter().map(|card| finished.number(*card, "points")).sum();
            let hidden: i64 =
                finished.held(seat, "capital_card").iter().map(|card| finished.number(*card, "points")).sum();
            let sign = |card: &ComponentId| if finished.value("face", Holder::Component(*card)) == 0 { 2 } else { -2 };
            let tycoon: i64 = finished.held(seat, "tycoon_marks").iter().map(sign).sum();
            let (cash, loans) =
                (finished.value("cash", Holder::Seat(seat)), finished.value("loans", Holder::Seat(seat)));
            assert_eq!(standing.score, shares + points + hidden + tycoon + cash - 8 * loans);
        }
    }
    assert!(with_wild_cards > 50, "only {with_wild_cards} players with wild cards");
}

#[test]
fn ties_are_broken_by_capital() {
    for finished in finished_games() {
        let standings = &finished.session.outcome().unwrap().standings;
        let key = |seat: Seat, score: i64| (score, finished.value("capital", Holder::Seat(seat)));
        for standing in standings {
            let better =
                standings.iter().filter(|other| key(other.seat, other.score) > key(standing.seat, standing.score));
            assert_eq!(usize::from(standing.rank), 1 + better.count());
        }
    }
}

/// Applies a change to a valid position in the turn of the start player, and returns whether an invariant of the rules still holds.
fn holds(invariant: &str, change: &str) -> bool {
    let game = parlour::load("games/wall-street-1920").unwrap();
    let setup = Setup::seats(3).option("call_options", "on").option("tycoons", "on").option("first_player", "1");
    let sound = "set_prices(); deal_starting_cards(); lay_out_circle(); bury_explosion(); deal_capital_cards(); \
                 for seat in seats { seat.own_pawn.move_to(pawns[seat.number]); }";
    let mut session = finished_game::open_arranged(&game, &setup, ("turns", 1), format!("{sound} {change}"));
    finished_game::holds(&mut session, format!("{invariant}()"))
}

#[test]
fn invariants_detect_broken_positions() {
    let cases = [
        ("invariant_1_cards", "put(\"gold\", box);"),
        ("invariant_2_circle", "clear(circle[0]);"),
        ("invariant_2_circle", "put([\"gold\", \"gold\", \"gold\"], circle[6]);"),
        ("invariant_4_deck", "deck.draw(discards[\"left\"]);"),
        ("invariant_4_deck", "deck.draw(2, discards[\"left\"]);"),
        ("invariant_5_explosion", "put(\"explosion_card\", deck);"),
        ("invariant_6_prices", "let corn = component(\"corn\"); corn.price = 7;"),
        ("invariant_8_capital", "let ann = first; ann.capital = 9;"),
        ("invariant_11_dynamite", ""),
        ("invariant_12_trades", "put(\"stock_trade\", box);"),
        (
            "invariant_17_options",
            "let trend = circle.find(\"kind\", \"trend\").space.label; \
             first.own_option.move_to(placed_options[trend]);",
        ),
        ("invariant_17_options", "first.own_option.move_to(box);"),
        ("invariant_17_options", "first.own_option.move_to(next(first).own_option);"),
        ("invariant_17_tycoons", "tycoon_cards.top.move_to(box);"),
        ("invariant_17_tycoons", "let corn = component(\"corn\"); tycoon_cards.draw(2, corn.tycoon);"),
    ];
    for (invariant, change) in cases {
        assert!(holds(invariant, ""), "{invariant}");
        let breaks = !change.is_empty() && change != "deck.draw(discards[\"left\"]);";
        assert_eq!(holds(invariant, change), !breaks, "{invariant}: {change}");
    }
}
