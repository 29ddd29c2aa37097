//! What the rules of 1920 Wall Street say about the course of a game (specification 13), over the events of random games. What
//! they say about one moment stands in the game's own `13_invariants.rhai`; the worked examples and rulings are its plays.

use crate::course::{self, Course};
use parlour::model::{ComponentId, FieldValue, Seat, SpaceId};
use parlour::session::{Choice, Decision, Event, EventKind, Session, Setup, Status};
use parlour::table::{Chance, Holder};
use std::collections::{BTreeMap, BTreeSet};

/// Games played for each number of players and each set of options.
const GAMES: u64 = 8;

/// Who chose in which decision, what, and what happened up to the next answer.
type Answer<'a> = (Seat, &'a str, &'a Choice, &'a [Event]);

/// Sets of options: nothing, everything with rewards, everything with penalties.
fn options() -> [Vec<(&'static str, &'static str)>; 3] {
    let variants = [("board_side", "yellow"), ("tycoons", "on"), ("call_options", "on")];
    let penalties = ["tycoon_a", "tycoon_b", "tycoon_c", "tycoon_d"].map(|card| (card, "penalty"));
    [Vec::new(), variants.to_vec(), variants.into_iter().chain(penalties).collect()]
}

/// Every game that the tests look at.
fn courses() -> Vec<Course> {
    let game = parlour::load("games/wall-street-1920").unwrap();
    let mut courses = Vec::new();
    for seats in 2..=5 {
        for options in options() {
            for seed in 0..GAMES {
                let plain = Setup::seats(seats).seed(seed);
                let setup = options.iter().fold(plain, |setup, (name, value)| setup.option(name, value));
                courses.push(Course::played(&game, &setup, at_random));
            }
        }
    }
    courses
}

/// An option at random; every other time one that keeps a card or sells one, where there is such an option.
fn at_random(decision: &Decision, chance: &mut Chance) -> usize {
    let is_liked = |at: &usize| {
        let option = decision.option(*at);
        option.part("keep").is_some() || is_word(&option, "sell")
    };
    let liked: Vec<usize> = (0..decision.count()).filter(is_liked).collect();
    if liked.is_empty() || chance.below(2) == 0 {
        return chance.below(decision.count() as u32) as usize;
    }
    liked[chance.below(liked.len() as u32) as usize]
}

impl Course {
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

    /// A value as it is at the end.
    fn value(&self, name: &str, holder: Holder) -> i64 {
        let table = self.session.table();
        let values = self.model().values.iter().enumerate().filter(|(_, value)| &*value.id == name);
        let mut found = values.filter_map(|(at, _)| table.slot(parlour::model::ValueId::at(at), holder));
        table.value(found.next().unwrap())
    }

    /// What lies in a zone of a seat at the end.
    fn held(&self, seat: Seat, zone: &str) -> Vec<ComponentId> {
        let table = self.session.table();
        let is_there = |piece: &_| {
            let space = table.space_of(*piece);
            self.zone_of(space) == zone && self.model().zone(self.model().space(space).zone).seat == Some(seat)
        };
        table.all_pieces().filter(is_there).map(|piece| table.component(piece)).collect()
    }

    /// Answers, each with what happened up to the next one.
    fn answers(&self) -> Vec<Answer<'_>> {
        self.answers_with_place().into_iter().map(|(_, answer)| answer).collect()
    }

    /// The same, with the number of events before each.
    fn answers_with_place(&self) -> Vec<(usize, Answer<'_>)> {
        let events = self.events();
        let at: Vec<usize> = (0..events.len()).filter(|at| self.chose(&events[*at]).is_some()).collect();
        let ends = at.iter().skip(1).copied().chain([events.len()]);
        at.iter()
            .zip(ends)
            .map(|(from, to)| {
                let (seat, decision, choice) = self.chose(&events[*from]).unwrap();
                (*from, (seat, decision, choice, &events[*from + 1..to]))
            })
            .collect()
    }

    /// What happened in each turn, in order.
    fn turns(&self) -> Vec<(Seat, &[Event])> {
        let events = self.events();
        let begin = events.iter().position(|event| matches!(event.what, EventKind::Phase(_))).unwrap();
        let turn = |at: &usize| if let EventKind::Turn(seat) = events[*at].what { Some(seat) } else { None };
        let at: Vec<usize> = (begin..events.len()).filter(|at| turn(at).is_some()).collect();
        let ends = at.iter().skip(1).copied().chain([events.len()]);
        at.iter().zip(ends).map(|(from, to)| (turn(from).unwrap(), &events[*from..to])).collect()
    }
}

/// What a word or a part of an answer is called.
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

/// The cards at every position of the circle, each with the zone it came from, kept up by what is told of moves.
#[derive(Default)]
struct Circle {
    cards: BTreeMap<SpaceId, Vec<(ComponentId, String)>>,
}

impl Circle {
    fn note(&mut self, course: &Course, event: &Event) {
        let EventKind::Moved { look, to } = &event.what else { return };
        if course.zone_of(look.space) == "circle" {
            let cards = self.cards.get_mut(&look.space).unwrap();
            let at = cards.iter().position(|(card, _)| *card == look.component).unwrap();
            cards.remove(at);
        }
        if course.zone_of(*to) == "circle" {
            self.cards.entry(*to).or_default().push((look.component, course.zone_of(look.space).to_owned()));
        }
    }

    fn pairs(&self) -> Vec<&Vec<(ComponentId, String)>> {
        self.cards.values().filter(|cards| cards.len() == 2).collect()
    }

    fn cost(&self, course: &Course, space: SpaceId) -> i64 {
        self.cards[&space].iter().map(|(card, _)| course.number(*card, "cost")).sum()
    }
}

#[test]
fn i3_a_pair_holds_one_card_of_a_share_pile_and_at_most_one_arises_in_a_turn() {
    for course in courses() {
        let mut circle = Circle::default();
        let setup = course.events().iter().take_while(|event| !matches!(event.what, EventKind::Phase(_)));
        setup.for_each(|event| circle.note(&course, event));
        for (_, turn) in course.turns() {
            let before = circle.pairs().len();
            for event in turn {
                circle.note(&course, event);
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
fn i7_loans_come_one_by_one_with_their_cash_and_go_by_a_tycoon_alone() {
    for course in courses() {
        for (_, decision, _, after) in course.answers() {
            for (at, event) in after.iter().enumerate() {
                assert!(course.set(event).is_none_or(|(value, _, _, new)| !is_money(value) || new >= 0));
                let Some(("loans", holder, old, new)) = course.set(event) else { continue };
                if new < old {
                    assert_eq!((decision, new), ("repay", old - 1));
                    continue;
                }
                assert_eq!(new, old + 1);
                let paid = after[at + 1..].iter().find_map(|event| course.set(event));
                let Some(("cash", who, from, to)) = paid else { panic!("a loan without cash") };
                assert_eq!((who, to - from), (holder, 5));
            }
        }
    }
}

/// Whether a value is cash, or what is owed.
fn is_money(value: &str) -> bool {
    matches!(value, "cash" | "trend_cash" | "loans")
}

#[test]
fn i8_capital_rises_by_raises_and_falls_by_a_tycoon_alone() {
    for course in courses() {
        for (seat, decision, choice, after) in course.answers() {
            for event in after {
                let Some(("capital", holder, old, new)) = course.set(event) else { continue };
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

/// All cash, less what loans brought: it changes by what goes to the bank and comes from it.
fn money(course: &Course, events: &[Event]) -> i64 {
    let change = |event| match course.set(event) {
        Some(("cash" | "trend_cash", _, old, new)) => new - old,
        Some(("loans", _, old, new)) => -5 * (new - old),
        _ => 0,
    };
    events.iter().map(change).sum()
}

#[test]
fn i9_money_goes_to_the_bank_and_comes_from_it_only_as_the_rules_say() {
    for course in courses() {
        let mut circle = Circle::default();
        let mut capital = vec![i64::from(if course.players() < 4 { 4_u8 } else { 5 }); course.players() as usize];
        let mut options: Vec<SpaceId> = Vec::new();
        let (mut seen, events) = (0, course.events());
        for (place, (seat, decision, choice, after)) in course.answers_with_place() {
            while seen < place {
                circle.note(&course, &events[seen]);
                note_options(&course, &events[seen], &mut options);
                if let Some(("capital", Holder::Seat(who), _, new)) = course.set(&events[seen]) {
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
                    let is_trend = course.kind(circle.cards[&space][0].0) == "trend";
                    let option = options.iter().filter(|other| course.label(**other) == course.label(space)).count();
                    let cost = if is_trend { 0 } else { circle.cost(&course, space) + 2 * option as i64 };
                    -(number_part(choice, "buy").unwrap() + cost - capital[seat.index()]).max(0)
                }
                // Three in cash for the five that the loan once brought.
                "repay" if *choice == Choice::Flag(true) => 5 - 3,
                "sale" | "handle" => continue,
                _ => 0,
            };
            let told: Vec<Event> = after.iter().take_while(|event| !is_after_play(&course, event)).cloned().collect();
            assert_eq!(money(&course, &told), expected, "{decision} {choice:?}");
        }
    }
}

/// What comes after the last answer: the events and scoring.
fn is_after_play(course: &Course, event: &Event) -> bool {
    matches!(event.what, EventKind::Finish) || course.said(event, "tycoon").is_some()
}

fn note_options(course: &Course, event: &Event, options: &mut Vec<SpaceId>) {
    let EventKind::Moved { look, to } = &event.what else { return };
    if course.zone_of(look.space) == "placed_options" {
        options.retain(|space| *space != look.space);
    }
    if course.zone_of(*to) == "placed_options" {
        options.push(*to);
    }
}

#[test]
fn i9_a_sale_pays_half_of_what_the_card_is_worth_rounded_up() {
    let mut all = 0;
    for course in courses() {
        let mut prices: BTreeMap<ComponentId, i64> = BTreeMap::new();
        let mut sales = 0;
        let mut open: Option<ComponentId> = None;
        for event in course.events() {
            if let Some(("price", Holder::Component(stock), _, new)) = course.set(event) {
                prices.insert(stock, new);
            }
            if let EventKind::Moved { look, to } = &event.what
                && (course.zone_of(look.space), course.zone_of(*to)) == ("share_pile", "circle")
            {
                open = Some(look.component);
            }
            if let Some(("cash", _, old, new)) = course.set(event)
                && let Some(card) = open.take()
            {
                let lowest = course.stocks(card).iter().map(|stock| prices[stock]).min().unwrap();
                let expected = if course.number(card, "shares") == 2 { lowest } else { (lowest + 1) / 2 };
                assert_eq!(new - old, expected);
                sales += 1;
            }
        }
        all += sales;
    }
    assert!(all > 200, "only {all} sales");
}

#[test]
fn i10_there_is_one_flip_a_turn_and_the_cash_on_the_trend_card_goes_all_at_once() {
    for course in courses() {
        for (_, turn) in course.turns() {
            let flips =
                turn.iter().filter_map(|event| course.chose(event)).filter(|(.., choice)| is_word(choice, "flip"));
            let flips = flips.count() as i64;
            let mut risen = 0;
            for event in turn {
                if let Some(("trend_cash", Holder::Game, old, new)) = course.set(event) {
                    assert!(new == old + 1 || new == 0);
                    risen += i64::from(new == old + 1);
                }
            }
            assert!(flips <= 1 && risen == flips);
        }
    }
}

#[test]
fn i11_discard_piles_change_at_their_top_alone() {
    for course in courses() {
        let mut piles: BTreeMap<SpaceId, Vec<ComponentId>> = BTreeMap::new();
        for event in course.events() {
            let EventKind::Moved { look, to } = &event.what else { continue };
            if course.zone_of(look.space) == "discards" {
                assert_eq!(piles.get_mut(&look.space).unwrap().pop(), Some(look.component));
            }
            if course.zone_of(*to) == "discards" {
                piles.entry(*to).or_default().push(look.component);
            }
        }
    }
}

#[test]
fn i12_a_stock_trade_leaves_every_share_pile_as_large_as_it_was() {
    let mut traded = 0;
    for course in courses() {
        let mut sizes: BTreeMap<SpaceId, i64> = BTreeMap::new();
        let mut before: Option<BTreeMap<SpaceId, i64>> = None;
        for event in course.events() {
            if let EventKind::Moved { look, to } = &event.what {
                let (from, into) = (course.zone_of(look.space), course.zone_of(*to));
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
fn i13_everybody_has_as_many_turns_and_there_is_one_event_or_none() {
    let mut endings: BTreeMap<(i64, String), u32> = BTreeMap::new();
    for course in courses() {
        let played = course.turns().iter().filter(|(_, turn)| has_action(&course, turn)).count() as i64;
        let each = |seat: Seat| {
            course.turns().iter().filter(|(other, turn)| *other == seat && has_action(&course, turn)).count() as i64
        };
        let seats: Vec<Seat> = course.model().all_seats().collect();
        assert!(seats.iter().all(|seat| each(*seat) * course.players() == played));
        let within = match course.players() {
            2 => 70..=78,
            3 => 72..=81,
            4 => 72..=80,
            _ => 75..=80,
        };
        assert!(within.contains(&played), "{played} turns");
        let struck = course.events().iter().filter(|event| course.said(event, "strikes").is_some()).count();
        let none = course.events().iter().filter(|event| course.said(event, "no_event").is_some()).count();
        assert_eq!(struck + none, 1);
        *endings.entry((course.players(), course.ending().to_owned())).or_default() += 1;
    }
    assert_eq!(endings.len(), 8, "both endings with each number of players: {endings:?}");
}

fn has_action(course: &Course, turn: &[Event]) -> bool {
    turn.iter().filter_map(|event| course.chose(event)).any(|(_, decision, _)| decision == "action")
}

/// One game at random for each number of players and each set of options, stopped at every decision.
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
fn i15_nobody_sees_what_others_hold_and_what_lies_covered() {
    let mut own = 0;
    at_every_decision(|session, _| {
        for viewer in session.model().all_seats() {
            own += seen_of_piles(session, viewer);
        }
    });
    assert!(own > 1000, "only {own} own cards seen");
}

/// How many cards of the own piles a seat sees: all of them. Of those of the others it sees none, of deck and discard
/// piles one at most.
fn seen_of_piles(session: &Session, viewer: Seat) -> usize {
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
fn i17_every_stock_calls_its_tycoon_once_at_most() {
    let mut called = 0;
    for course in courses() {
        let mut stocks = BTreeSet::new();
        for event in course.events().iter().filter(|event| course.said(event, "tycoon").is_some()) {
            let EventKind::Said { facts, .. } = &event.what else { panic!("{event:?}") };
            let stock = facts.iter().find(|(name, _)| &**name == "stock");
            assert!(stocks.insert(format!("{stock:?}")), "{stock:?} again");
        }
        called += stocks.len();
        assert!(stocks.len() <= 4);
    }
    assert!(called > 50, "only {called} tycoons");
}

/// The most that share cards can bring, every way to assign them looked at.
fn by_force(course: &Course, cards: &[ComponentId], counts: &mut BTreeMap<ComponentId, i64>) -> i64 {
    let Some((card, rest)) = cards.split_first() else { return worth(course, counts) };
    let tried = course.stocks(*card).into_iter().map(|stock| {
        *counts.entry(stock).or_default() += course.number(*card, "shares");
        let found = by_force(course, rest, counts);
        *counts.entry(stock).or_default() -= course.number(*card, "shares");
        found
    });
    tried.max().unwrap()
}

fn worth(course: &Course, counts: &BTreeMap<ComponentId, i64>) -> i64 {
    let lost = course.value("shares_lost", Holder::Game);
    let divisor = course.value("price_divisor", Holder::Game);
    let of = |(stock, count): (&ComponentId, &i64)| {
        let count = (count - lost).max(0);
        let price = course.value("price", Holder::Component(*stock));
        if count < course.number(*stock, "minimum") { 0 } else { count * ((price + divisor - 1) / divisor) }
    };
    counts.iter().map(of).sum()
}

#[test]
fn i16_the_score_follows_from_the_final_table_alone() {
    let mut with_wild_cards = 0;
    for course in courses() {
        for standing in &course.session.outcome().unwrap().standings {
            let seat = standing.seat;
            let mut cards = course.held(seat, "share_pile");
            with_wild_cards += u32::from(cards.iter().any(|card| course.stocks(*card).len() > 1));
            cards.extend(course.held(seat, "capital_card"));
            // Fixed cards first: each is looked at once, whatever the others count as.
            cards.sort_by_key(|card| course.stocks(*card).len());
            let shares = by_force(&course, &cards, &mut BTreeMap::new());
            let points: i64 =
                course.held(seat, "fluctuation_pile").iter().map(|card| course.number(*card, "points")).sum();
            let hidden: i64 = course.held(seat, "capital_card").iter().map(|card| course.number(*card, "points")).sum();
            let sign = |card: &ComponentId| if course.value("face", Holder::Component(*card)) == 0 { 2 } else { -2 };
            let tycoon: i64 = course.held(seat, "tycoon_marks").iter().map(sign).sum();
            let (cash, loans) = (course.value("cash", Holder::Seat(seat)), course.value("loans", Holder::Seat(seat)));
            assert_eq!(standing.score, shares + points + hidden + tycoon + cash - 8 * loans);
        }
    }
    assert!(with_wild_cards > 50, "only {with_wild_cards} players with wild cards");
}

#[test]
fn equal_scores_are_told_apart_by_capital() {
    for course in courses() {
        let standings = &course.session.outcome().unwrap().standings;
        let key = |seat: Seat, score: i64| (score, course.value("capital", Holder::Seat(seat)));
        for standing in standings {
            let better =
                standings.iter().filter(|other| key(other.seat, other.score) > key(standing.seat, standing.score));
            assert_eq!(usize::from(standing.rank), 1 + better.count());
        }
    }
}

/// Whether an invariant of the rules holds in the turn of the start player, in a sound position that is then changed.
fn holds(invariant: &str, change: &str) -> bool {
    let game = parlour::load("games/wall-street-1920").unwrap();
    let setup = Setup::seats(3).option("call_options", "on").option("tycoons", "on").option("first_player", "1");
    let sound = "set_prices(); deal_starting_cards(); lay_out_circle(); bury_explosion(); deal_capital_cards(); \
                 for seat in seats { seat.own_pawn.move_to(pawns[seat.number]); }";
    let mut session = course::arranged(&game, &setup, ("turns", 1), format!("{sound} {change}"));
    course::holds(&mut session, format!("{invariant}()"))
}

#[test]
fn an_invariant_notices_what_breaks_it() {
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
