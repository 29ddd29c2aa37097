//! Invariants of Stockpile over whole games (section 12 of the specification), checked on the events of random games. Invariants of a
//! single position are in the game's `invariants.rhai`. Worked examples are in its playscripts.

use crate::finished_game::{self, FinishedGame, source};
use parlour::model::{ComponentId, FieldValue, Language, Model, Seat, SpaceId, Value, ZoneId};
use parlour::session::{Choice, Event, EventKind, Opening, Session, Setup, Start};
use parlour::table::{Chance, Holder, Layout, NoJudge, View};
use parlour::wording::Wording;
use std::collections::{BTreeMap, BTreeSet};

/// Number of games for each number of players and board, each with and without investors.
const GAMES: u64 = 8;

/// Plays the games that the tests examine.
fn finished_games() -> Vec<FinishedGame> {
    let game = parlour::load("games/stockpile").unwrap();
    setups().map(|setup| FinishedGame::play_randomly(&game, &setup)).collect()
}

/// Returns setups with every combination of players, board and investors, each with several seeds.
fn setups() -> impl Iterator<Item = Setup> {
    let boards = |seats| ["standard", "advanced"].map(|board| Setup::seats(seats).option("board", board));
    let tables = (2..=5).flat_map(boards);
    let tables = tables.flat_map(|setup| ["off", "on"].map(|played| setup.clone().option("investors", played)));
    tables.flat_map(|setup| (0..GAMES).map(move |seed| setup.clone().seed(seed)))
}

impl FinishedGame {
    /// Returns the events of each round.
    fn rounds(&self) -> Vec<&[Event]> {
        let begins = |event: &Event| matches!(event.kind, EventKind::Round(_));
        let at: Vec<usize> = (0..self.events().len()).filter(|at| begins(&self.events()[*at])).collect();
        let end = at.iter().skip(1).copied().chain([self.events().len()]);
        at.iter().zip(end).map(|(from, to)| &self.events()[*from..to]).collect()
    }

    fn seat_of(&self, space: SpaceId) -> Option<Seat> {
        self.model().zone(self.model().space(space).zone).seat
    }

    /// Returns the company of a stock card.
    fn company(&self, stock: ComponentId) -> Option<ComponentId> {
        match self.model().component(stock).fields.get(&self.model().find_field("company").unwrap()) {
            Some(FieldValue::Component(company)) => Some(*company),
            _ => None,
        }
    }

    /// Returns the seat and the answer if the event answers the decision `name`.
    fn answered<'a>(&'a self, event: &'a Event, name: &str) -> Option<(Seat, &'a Choice)> {
        self.choice_made(event).filter(|(_, asked, _)| *asked == name).map(|(seat, _, choice)| (seat, choice))
    }

    /// Returns the seat, the old amount and the new amount if the event changes cash.
    fn cash_change(&self, event: &Event) -> Option<(Seat, i64, i64)> {
        match event.kind {
            EventKind::Set { value, holder: Holder::Seat(seat), old, new, .. }
                if &*self.model().value(value).id == "cash" =>
            {
                Some((seat, old, new))
            }
            _ => None,
        }
    }

    /// Returns the company whose price marker the event moves.
    fn marker(&self, event: &Event) -> Option<ComponentId> {
        match event.kind {
            EventKind::Set { value, holder: Holder::Component(company), .. }
                if &*self.model().value(value).id == "marker" =>
            {
                Some(company)
            }
            _ => None,
        }
    }

    /// Returns the company and its new price, if the event changes a price.
    fn price_change(&self, event: &Event) -> Option<(ComponentId, i64)> {
        let company = self.marker(event)?;
        let EventKind::Set { new, .. } = event.kind else { return None };
        match self.model().space(SpaceId(new as u16)).fields.get("price") {
            Some(FieldValue::Number(price)) => Some((company, *price)),
            other => panic!("price is {other:?}"),
        }
    }

    /// Returns whether a space is on the bid track of the stockpile `lot`.
    fn is_on_track(&self, space: SpaceId, lot: ZoneId) -> bool {
        let track = self.model().space(space).zone;
        self.zone_of(space) == "bid_track" && self.model().zone(track).copy == self.model().zone(lot).copy
    }

    /// Returns whether a player has an investor.
    fn has(&self, seat: Seat, investor: &str) -> bool {
        let table = self.session.table();
        let abilities = self.model().find_family("abilities").unwrap();
        let mut zones = self.model().family(abilities).zones.clone().map(ZoneId);
        let own = zones.find(|zone| self.model().zone(*zone).seat == Some(seat)).unwrap();
        table.pieces(own).any(|card| &*self.model().component(table.component(card)).id == investor)
    }

    /// Returns the id of the phase that the event begins.
    fn phase<'a>(&'a self, event: &Event) -> Option<&'a str> {
        match event.kind {
            EventKind::Phase(phase) => Some(&self.model().phases[phase.index()].id),
            _ => None,
        }
    }
}

fn component(choice: &Choice) -> ComponentId {
    match choice {
        Choice::Component(component) => *component,
        other => panic!("{other:?} is not a component"),
    }
}

fn player(choice: &Choice) -> Seat {
    match choice {
        Choice::Seat(seat) => *seat,
        other => panic!("{other:?} is not a player"),
    }
}

fn number(choice: &Choice) -> i64 {
    match choice {
        Choice::Number(number) => *number,
        other => panic!("{other:?} is not a number"),
    }
}

/// Number of pieces of each component in each space, reconstructed from move events only.
#[derive(Default)]
struct Ledger {
    counts: BTreeMap<(SpaceId, ComponentId), i64>,
}

impl Ledger {
    /// Creates the ledger for the initial table, in which all pieces are in their initial zones.
    fn new(model: &Model) -> Self {
        let mut ledger = Self::default();
        for piece in &model.pieces {
            *ledger.counts.entry((model.zone(piece.zone).space(), piece.component)).or_default() += 1;
        }
        ledger
    }

    /// Applies an event.
    fn apply(&mut self, event: &Event) {
        if let EventKind::Moved { look, to } = &event.kind {
            *self.counts.entry((look.space, look.component)).or_default() -= 1;
            *self.counts.entry((*to, look.component)).or_default() += 1;
        }
    }

    /// Returns the number of pieces whose space satisfies `place` and whose component satisfies `card`.
    fn count(&self, place: impl Fn(SpaceId) -> bool, card: impl Fn(ComponentId) -> bool) -> i64 {
        self.counts
            .iter()
            .filter(|((space, component), _)| place(*space) && card(*component))
            .map(|(_, count)| count)
            .sum()
    }
}

/// Cash that players are owed, calculated from the events.
struct Account<'c> {
    finished: &'c FinishedGame,
    ledger: Ledger,
    prices: BTreeMap<ComponentId, i64>,
    /// Amount that the current dividend pays per share.
    each: i64,
    /// Amounts that have not been paid yet.
    due: Vec<(Seat, i64)>,
}

impl<'c> Account<'c> {
    fn new(finished: &'c FinishedGame) -> Self {
        let ledger = Ledger::new(finished.model());
        Self { finished, ledger, prices: BTreeMap::new(), each: 0, due: Vec::new() }
    }

    /// Applies an event, and records the amounts to which it entitles players.
    fn apply(&mut self, event: &Event) {
        let finished = self.finished;
        self.ledger.apply(event);
        self.prices.extend(finished.price_change(event));
        if let Some(facts) = finished.announcement(event, "split") {
            self.owe_for_split_cards(component(facts["company"]), 10);
        }
        if let Some(facts) = finished.announcement(event, "dividend") {
            self.each = number(facts["each"]);
            self.owe_for_split_cards(component(facts["company"]), 2 * self.each);
        }
        if let Some(facts) = finished.announcement(event, "shows") {
            self.due.push((player(facts["seat"]), self.each * number(facts["shown"])));
        }
        if let Some((seat, sale)) = finished.answered(event, "sell").filter(|(_, sale)| **sale != Choice::Nothing) {
            let shares = if sale.part("what") == Some(&Choice::Word("split".into())) { 2 } else { 1 };
            self.due.push((seat, shares * self.sale_price(seat, component(sale.part("company").unwrap()))));
        }
        for (name, bonus) in [("majority", 10), ("shared_majority", 5)] {
            if let Some(facts) = finished.announcement(event, name) {
                self.due.push((player(facts["seat"]), bonus));
            }
        }
        if let Some(facts) = finished.announcement(event, "sells_all") {
            let seat = player(facts["seat"]);
            self.due.push((seat, self.portfolio_value(seat)));
        }
    }

    /// Records an amount owed for each card of a company in the split areas.
    fn owe_for_split_cards(&mut self, company: ComponentId, each: i64) {
        let finished = self.finished;
        for seat in finished.model().all_seats() {
            let cards = self.held(seat, "split_area", company);
            if cards > 0 {
                self.due.push((seat, each * cards));
            }
        }
    }

    /// Returns the number of stock cards of a company in one of a player's areas.
    fn held(&self, seat: Seat, area: &str, company: ComponentId) -> i64 {
        let finished = self.finished;
        let is_there = |space| finished.zone_of(space) == area && finished.seat_of(space) == Some(seat);
        self.ledger.count(is_there, |card| finished.company(card) == Some(company))
    }

    /// Returns the amount that a player gets for selling a share.
    fn sale_price(&self, seat: Seat, company: ComponentId) -> i64 {
        self.prices[&company] + i64::from(self.finished.has(seat, "graham"))
    }

    /// Returns the amount that a player gets for selling all shares. Split shares count twice.
    fn portfolio_value(&self, seat: Seat) -> i64 {
        let model = self.finished.model();
        let companies = &model.kinds[model.find_kind("company").unwrap().index()].components;
        let shares = |company| self.held(seat, "portfolio", company) + 2 * self.held(seat, "split_area", company);
        companies.iter().map(|company| shares(*company) * self.sale_price(seat, *company)).sum()
    }

    /// Removes an owed amount. Returns whether it was owed.
    fn settle(&mut self, gain: (Seat, i64)) -> bool {
        let at = self.due.iter().position(|due| *due == gain);
        at.map(|at| self.due.swap_remove(at)).is_some()
    }
}

#[test]
fn move_events_account_for_every_piece() {
    for finished in finished_games() {
        let mut ledger = Ledger::new(finished.model());
        for event in finished.events() {
            ledger.apply(event);
            assert!(ledger.counts.values().all(|count| *count >= 0), "a piece left a space where it was not");
        }
        let table = finished.session.table();
        let mut counts: BTreeMap<(SpaceId, ComponentId), i64> = BTreeMap::new();
        for piece in table.all_pieces() {
            *counts.entry((table.space_of(piece), table.component(piece))).or_default() += 1;
        }
        ledger.counts.retain(|_, count| *count > 0);
        assert_eq!(ledger.counts, counts);
    }
}

#[test]
fn i5_every_round_resolves_each_company_and_forecast_once() {
    for finished in finished_games() {
        for round in finished.rounds() {
            let tips: Vec<_> = round.iter().filter_map(|event| finished.announcement(event, "tip")).collect();
            for (part, kind) in [("company", "company"), ("forecast", "forecast")] {
                let mut resolved: Vec<ComponentId> = tips.iter().map(|tip| component(tip[part])).collect();
                resolved.sort_unstable();
                let kind = finished.model().find_kind(kind).unwrap();
                assert_eq!(resolved, finished.model().kinds[kind.index()].components);
            }
        }
    }
}

#[test]
fn i9_bids_for_a_stockpile_only_rise() {
    for finished in finished_games() {
        for round in finished.rounds() {
            let mut highest: BTreeMap<ZoneId, i64> = BTreeMap::new();
            let mut bids = 0;
            for (_, bid) in round.iter().filter_map(|event| finished.answered(event, "bid")) {
                let (Some(Choice::Zone(lot)), Some(Choice::Number(price))) = (bid.part("lot"), bid.part("price"))
                else {
                    panic!("{bid:?} is not a bid")
                };
                let before = highest.insert(*lot, *price);
                assert!(before.is_none_or(|before| before < *price), "{before:?} is followed by {price}");
                bids += 1;
            }
            let lots = if finished.model().seats == 2 { 4 } else { finished.model().seats as usize };
            assert_eq!(highest.len(), lots, "every stockpile has a bid");
            assert!((lots..=8 * lots).contains(&bids));
        }
    }
}

#[test]
fn i9_a_stockpile_keeps_exactly_one_bid_until_bids_are_paid() {
    for finished in finished_games() {
        let mut ledger = Ledger::new(finished.model());
        let mut wanted: BTreeSet<ZoneId> = BTreeSet::new();
        for event in finished.events() {
            // A bid is complete when the next choice is made.
            let is_paid = finished.announcement(event, "pays").is_some();
            if is_paid || finished.choice_made(event).is_some() {
                let meeples = |lot: ZoneId| ledger.count(|space| finished.is_on_track(space, lot), |_| true);
                assert!(wanted.iter().all(|lot| meeples(*lot) == 1), "a stockpile has lost its bid, or has two");
            }
            if is_paid {
                wanted.clear();
            }
            if let Some(Choice::Zone(lot)) = finished.answered(event, "bid").and_then(|(_, bid)| bid.part("lot")) {
                wanted.insert(*lot);
            }
            ledger.apply(event);
        }
    }
}

#[test]
fn i10_hands_piles_and_actions_are_empty_after_their_phase() {
    for finished in finished_games() {
        let mut ledger = Ledger::new(finished.model());
        for event in finished.events() {
            ledger.apply(event);
            let held = |zone: &str| ledger.count(|space| finished.zone_of(space) == zone, |_| true);
            match finished.phase(event) {
                Some("demand") => assert_eq!(held("hand"), 0),
                Some("action") => assert_eq!(held("lots"), 0),
                Some("selling") => {
                    let in_portfolio = |space| finished.zone_of(space) == "portfolio";
                    assert_eq!(ledger.count(in_portfolio, |card| finished.kind(card) == "action"), 0);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn i11_a_split_empties_portfolios_of_the_company_and_a_bankruptcy_all_areas() {
    for finished in finished_games() {
        let mut ledger = Ledger::new(finished.model());
        let mut under_way: Option<(ComponentId, bool)> = None;
        for event in finished.events() {
            ledger.apply(event);
            for (name, is_split) in [("split", true), ("bankrupt", false)] {
                if let Some(facts) = finished.announcement(event, name) {
                    under_way = Some((component(facts["company"]), is_split));
                }
            }
            // Resetting the price marker ends the split or bankruptcy. (Neither can occur on the space to which the marker is reset.)
            if let Some((company, is_split)) = under_way
                && finished.marker(event) == Some(company)
            {
                let of_it = |card| finished.company(card) == Some(company);
                assert_eq!(ledger.count(|space| finished.zone_of(space) == "portfolio", of_it), 0);
                let split = ledger.count(|space| finished.zone_of(space) == "split_area", of_it);
                assert!(is_split || split == 0);
                under_way = None;
            }
        }
        assert_eq!(under_way, None);
    }
}

#[test]
fn i13_a_price_changes_only_by_a_forecast_or_action_card_of_its_company() {
    for finished in finished_games() {
        let mut cause = None;
        for event in finished.events() {
            if finished.phase(event).is_some() {
                cause = None;
            } else if let Some((_, moved)) =
                finished.answered(event, "cramer").filter(|(_, moved)| **moved != Choice::Nothing)
            {
                cause = Some(component(moved.part("company").unwrap()));
            } else if let Some((_, played)) = finished.answered(event, "action") {
                cause = Some(component(played.part("company").unwrap()));
            } else if let Some(tip) = finished.announcement(event, "tip") {
                let moves = finished.number(component(tip["forecast"]), "by") != 0;
                cause = moves.then(|| component(tip["company"]));
            }
            // Setup puts the markers on their start spaces without a cause, so changes from `nothing` are skipped.
            if matches!(event.kind, EventKind::Set { old, .. } if old != Value::NOTHING)
                && let Some(company) = finished.marker(event)
            {
                assert_eq!(cause, Some(company));
            }
        }
    }
}

#[test]
fn i14_cash_changes_only_for_the_reasons_in_the_rules() {
    for finished in finished_games() {
        let mut account = Account::new(&finished);
        let mut bid = None;
        // Before the first round, the draft of investors sets the starting cash.
        let first = finished.events().iter().position(|event| matches!(event.kind, EventKind::Round(1))).unwrap();
        for (at, event) in finished.events().iter().enumerate() {
            account.apply(event);
            assert!(finished.phase(event).is_none() || account.due.is_empty(), "not paid: {:?}", account.due);
            if let Some(facts) = finished.announcement(event, "pays") {
                bid = Some((player(facts["seat"]), number(facts["price"])));
            }
            let Some((seat, old, new)) = finished.cash_change(event).filter(|_| at > first) else { continue };
            let is_fee =
                || finished.events().get(at + 1).is_some_and(|next| pays(&finished, next, seat, (old - new).abs()));
            if new > old {
                let is_explained = finished.has(seat, "bernie") && is_fee() || account.settle((seat, new - old));
                assert!(is_explained, "cash rises by {} without a cause", new - old);
            } else {
                let is_explained = is_fee() || bid.take() == Some((seat, old - new));
                assert!(is_explained, "cash falls by {} without a cause", old - new);
            }
        }
        assert!(account.due.is_empty(), "not paid: {:?}", account.due);
    }
}

/// Returns whether the event moves a fee of `amount` from the seat's debts to the discard pile.
fn pays(finished: &FinishedGame, event: &Event, seat: Seat, amount: i64) -> bool {
    let EventKind::Moved { look, to } = &event.kind else { return false };
    finished.zone_of(look.space) == "debts"
        && finished.seat_of(look.space) == Some(seat)
        && finished.zone_of(*to) == "discard"
        && finished.number(look.component, "fee") == amount
}

#[test]
fn i16_a_majority_pays_10_or_5_each_if_shared() {
    for finished in finished_games() {
        let mut paid: BTreeMap<ComponentId, Vec<i64>> = BTreeMap::new();
        for (at, event) in finished.events().iter().enumerate() {
            let alone = finished.announcement(event, "majority");
            let Some(facts) = alone.clone().or_else(|| finished.announcement(event, "shared_majority")) else {
                continue;
            };
            let mut after = finished.events()[at..].iter().filter_map(|event| finished.cash_change(event));
            let (seat, old, new) = after.next().unwrap();
            assert_eq!(facts["seat"], &Choice::Seat(seat));
            assert_eq!(new - old, if alone.is_some() { 10 } else { 5 });
            paid.entry(component(facts["company"])).or_default().push(new - old);
        }
        for bonuses in paid.values() {
            match bonuses.as_slice() {
                [alone] => assert_eq!(*alone, 10),
                several => assert!(several.iter().all(|bonus| *bonus == 5)),
            }
        }
    }
}

#[test]
fn i17_others_learn_of_a_claim_only_from_shown_cards() {
    for finished in finished_games() {
        for (at, event) in finished.events().iter().enumerate() {
            let Some((seat, claim)) = finished.answered(event, "claim") else { continue };
            assert_eq!(event.audience, Layout::only(seat));
            let next = finished.events().get(at + 1).and_then(|event| finished.announcement(event, "shows"));
            assert_eq!(next.is_some(), *claim != Choice::Number(0));
        }
    }
}

/// Returns Ann's log, and a description of what she knows about the table.
fn knowledge_of_ann(session: &Session) -> (Vec<String>, String) {
    let ann = Seat(0);
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English).for_seat(ann);
    (wording.narrate(session.events()), View::memory(session.table(), Some(ann)).describe())
}

#[test]
fn i17_claiming_nothing_looks_like_not_being_asked() {
    let game = parlour::load("games/stockpile").unwrap();
    let knowledge = |card: &str| {
        let arrange = vec![source(format!("put(\"{card}\", Ben.portfolio);"))];
        let opening = Opening { start: Start::Nowhere, arrange, ..Opening::default() };
        let mut session = Session::open(&game, &Setup::seats(3), opening).unwrap();
        session.carry_out(&source("pay_dividend(component(\"cosmic\"), 2)".to_owned()));
        let is_asked = session.decision().is_some();
        if is_asked {
            session.choose(0).unwrap();
        }
        (is_asked, knowledge_of_ann(&session))
    };
    let ((is_asked, holder), (is_asked_too, other)) = (knowledge("stock_cosmic"), knowledge("stock_epic"));
    assert!(is_asked && !is_asked_too);
    assert_eq!(holder, other);
}

#[test]
fn i17_exchanging_hidden_cards_changes_nothing_for_others() {
    let game = parlour::load("games/stockpile").unwrap();
    let knowledge = |[held, face_down, next]: [&str; 3]| {
        let script = format!(
            "put(\"{held}\", Ben.portfolio); put(\"stock_leading\", Cho.portfolio); \
             put(\"{face_down}\", lots[1]); lots[1].turn_down(); stack(market, [\"{next}\"]);"
        );
        let mut session = finished_game::open_arranged(&game, &Setup::seats(3), ("demand", 1), script);
        let bid = session.model().find_decision("bid").unwrap();
        while let Some(open) = session.decision().filter(|open| open.id == bid) {
            // Ann bids for the last stockpile, and the others bid for the first available one.
            let at = if open.seat == Seat(0) { open.count() - 1 } else { 0 };
            session.choose(at).unwrap();
        }
        knowledge_of_ann(&session)
    };
    let one = knowledge(["stock_epic", "stock_cosmic", "stock_american"]);
    assert_eq!(one, knowledge(["stock_cosmic", "stock_american", "stock_epic"]));
}

#[test]
fn i18_the_number_of_rounds_is_fixed_and_the_first_player_rotates() {
    for finished in finished_games() {
        let seats = finished.model().seats;
        let rounds = [6, 7, 6, 5][seats as usize - 2];
        assert_eq!(finished.rounds().len(), rounds);
        assert_eq!(finished.session.outcome().unwrap().rounds, rounds as i64);
        let places = |round: &&[Event]| round.iter().find_map(|event| finished.answered(event, "place")).unwrap().0;
        let firsts: Vec<Seat> = finished.rounds().iter().map(places).collect();
        assert!(firsts.windows(2).all(|pair| pair[1].0 == (pair[0].0 + 1) % seats), "{firsts:?}");
    }
}

#[test]
fn the_score_is_the_sum_of_its_parts_and_the_highest_wins() {
    for finished in finished_games() {
        let outcome = finished.session.outcome().unwrap();
        let best = outcome.standings.iter().map(|standing| standing.score).max().unwrap();
        for standing in &outcome.standings {
            assert_eq!(standing.score, standing.breakdown.iter().map(|(_, part)| part).sum::<i64>());
            assert!(standing.score >= 0);
            assert_eq!(standing.rank == 1, standing.score == best);
        }
    }
}

/// Applies a change to a valid position before the selling phase, and returns whether an invariant of the rules still holds.
fn holds(invariant: &str, change: &str) -> bool {
    let sound = "for company in components(\"company\") { company.marker = company.price_track[company.start]; } \
                 put(\"stock_epic\", 1, Ann.portfolio);";
    let game = parlour::load("games/stockpile").unwrap();
    let mut session =
        finished_game::open_arranged(&game, &Setup::seats(3), ("selling", 1), format!("{sound} {change}"));
    finished_game::holds(&mut session, format!("{invariant}()"))
}

#[test]
fn invariants_detect_broken_positions() {
    let cases = [
        ("invariant_1_market_cards", "clear(market);"),
        ("invariant_3_debts", "put(\"fee_1\", Ann.debts);"),
        ("invariant_4_prices", "let epic = component(\"epic\"); epic.marker = component(\"cosmic\").price_track[1];"),
        ("invariant_6_pairs", "companies.draw(Ann.tips[1][\"company\"]);"),
        ("invariant_7_stockpiles", "game.hands_dealt = 1; put(\"boom\", lots[1]);"),
        ("invariant_8_bids", "Ann.cash = 0; Ann.meeples.top.move_to(bid_track[1][3]);"),
        ("invariant_10_hands", "put(\"boom\", Ann.hand); Ann.meeples.top.move_to(bid_track[1][3]);"),
        ("invariant_15_deck", ""),
    ];
    for (invariant, change) in cases {
        assert!(!holds(invariant, change), "{invariant}");
        if !change.is_empty() {
            assert!(holds(invariant, ""), "{invariant}");
        }
    }
}

/// Worked example W5 from the other players' view: they remember that a player who showed two shares has at least two shares.
#[test]
fn shares_shown_together_are_remembered_with_their_number() {
    let game = parlour::load("games/stockpile").unwrap();
    let arrange = "put(\"stock_cosmic\", 3, Ann.portfolio); put([\"stock_epic\", \"stock_american\"], Ann.portfolio);";
    let opening = Opening { start: Start::Nowhere, arrange: vec![source(arrange.to_owned())], ..Opening::default() };
    let mut session = Session::open(&game, &Setup::seats(3), opening).unwrap();
    session.carry_out(&source("pay_dividend(component(\"cosmic\"), 2)".to_owned()));
    session.choose(2).unwrap();
    let model = session.model().clone();
    let cosmic = model.find_component("stock_cosmic").unwrap();
    let portfolio = ZoneId(model.family(model.find_family("portfolio").unwrap()).zones.start);
    let mut chance = Chance::new(0, "worlds");
    let worlds = (0..40).map(|_| session.table().imagine(Seat(1), &mut chance, &mut NoJudge).unwrap());
    let held = worlds.map(|world| world.pieces(portfolio).filter(|card| world.component(*card) == cosmic).count());
    let held: BTreeSet<usize> = held.collect();
    assert!(held.iter().all(|held| *held >= 2) && held.len() > 1, "{held:?}");
}

/// Returns the game's files with an additional investor, who gets 2 more for sales that satisfy the condition.
fn with_an_investor(condition: &str) -> Vec<(String, String)> {
    let investor = format!(
        "[[investor]]\nid = \"sam\"\nname = {{ en = \"Stanford Sam\", zh-Hant = \"史丹佛的山姆\" }}\ncash = 20\n\
         alters = [{{ what = \"sale\", {condition}, add = 2 }}]\n"
    );
    let read = |path: &str| (path.to_owned(), std::fs::read_to_string(format!("games/stockpile/{path}")).unwrap());
    let mut texts = vec![read("game.toml"), ("components/more.toml".to_owned(), investor)];
    for folder in ["components", "rules", "overlays"] {
        let files = std::fs::read_dir(format!("games/stockpile/{folder}")).unwrap();
        texts.extend(files.map(|file| read(&format!("{folder}/{}", file.unwrap().file_name().to_str().unwrap()))));
    }
    texts
}

#[test]
fn an_investor_for_a_single_company_can_be_added_as_data() {
    let game = parlour::load_texts("stockpile", with_an_investor("company = \"stanford\"")).unwrap();
    let setup = Setup::seats(3).option("investors", "on");
    let arrange = "for company in components(\"company\") { company.marker = company.price_track[company.start]; } \
                   put(\"stock_stanford\", 1, Ann.portfolio); put(\"stock_epic\", 1, Ann.portfolio); \
                   put(\"sam\", Ann.abilities);";
    let mut session = finished_game::open_arranged(&game, &setup, ("selling", 1), arrange.to_owned());
    let sale = |company: &str, more: i64| {
        format!("sale_of(Ann, \"share\", component(\"{company}\")) == price(component(\"{company}\")) + {more}")
    };
    assert!(finished_game::holds(&mut session, sale("stanford", 2)));
    assert!(finished_game::holds(&mut session, sale("epic", 0)));
}

#[test]
fn a_condition_on_an_unknown_fact_is_a_warning() {
    let warned = |condition: &str| {
        let game = parlour::load_texts("stockpile", with_an_investor(condition)).unwrap();
        let setup = Setup::seats(3).option("investors", "on");
        let (_, host) = game.host(&setup).unwrap();
        let found = host.warnings().iter().find(|found| found.code == "unmet-condition");
        found.map(|found| format!("{} — {}", found.message, found.help.clone().unwrap_or_default()))
    };
    assert_eq!(warned("company = \"stanford\""), None);
    let warning = warned("sort = \"split\"").unwrap();
    let expected = "this asks for the fact `sort`, which no rule passes when it asks for `sale`";
    assert!(warning.contains(expected), "{warning}");
}
