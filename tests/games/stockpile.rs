//! What the rules of Stockpile say about the course of a game (specification 12), over the events of random games. What they
//! say about one moment stands in the game's own `invariants.rhai`; the worked examples are its plays.

use crate::course::{self, Course, source};
use parlour::model::{ComponentId, FieldValue, Language, Model, Seat, SpaceId, Value, ZoneId};
use parlour::session::{Choice, Event, EventKind, Opening, Session, Setup, Start};
use parlour::table::{Chance, Holder, Layout, NoJudge, View};
use parlour::wording::Wording;
use std::collections::{BTreeMap, BTreeSet};

/// Games played for each number of players, on each board, with investors and without.
const GAMES: u64 = 8;

/// Every game that the tests look at.
fn courses() -> Vec<Course> {
    let game = parlour::load("games/stockpile").unwrap();
    setups().map(|setup| Course::at_random(&game, &setup)).collect()
}

/// Every way to play, several times.
fn setups() -> impl Iterator<Item = Setup> {
    let boards = |seats| ["standard", "advanced"].map(|board| Setup::seats(seats).option("board", board));
    let tables = (2..=5).flat_map(boards);
    let tables = tables.flat_map(|setup| ["off", "on"].map(|played| setup.clone().option("investors", played)));
    tables.flat_map(|setup| (0..GAMES).map(move |seed| setup.clone().seed(seed)))
}

impl Course {
    /// What happened in each round, in order.
    fn rounds(&self) -> Vec<&[Event]> {
        let begins = |event: &Event| matches!(event.what, EventKind::Round(_));
        let at: Vec<usize> = (0..self.events().len()).filter(|at| begins(&self.events()[*at])).collect();
        let end = at.iter().skip(1).copied().chain([self.events().len()]);
        at.iter().zip(end).map(|(from, to)| &self.events()[*from..to]).collect()
    }

    fn seat_of(&self, space: SpaceId) -> Option<Seat> {
        self.model().zone(self.model().space(space).zone).seat
    }

    /// The company a stock card is a share of.
    fn company(&self, stock: ComponentId) -> Option<ComponentId> {
        match self.model().component(stock).fields.get(&self.model().find_field("company").unwrap()) {
            Some(FieldValue::Component(company)) => Some(*company),
            _ => None,
        }
    }

    /// Who chose what, if it is this decision.
    fn answered<'a>(&'a self, event: &'a Event, name: &str) -> Option<(Seat, &'a Choice)> {
        self.chose(event).filter(|(_, asked, _)| *asked == name).map(|(seat, _, choice)| (seat, choice))
    }

    /// Whose cash became how much, from how much.
    fn cash(&self, event: &Event) -> Option<(Seat, i64, i64)> {
        match event.what {
            EventKind::Set { value, holder: Holder::Seat(seat), old, new, .. }
                if &*self.model().value(value).id == "cash" =>
            {
                Some((seat, old, new))
            }
            _ => None,
        }
    }

    /// Which company's marker was moved.
    fn marker(&self, event: &Event) -> Option<ComponentId> {
        match event.what {
            EventKind::Set { value, holder: Holder::Component(company), .. }
                if &*self.model().value(value).id == "marker" =>
            {
                Some(company)
            }
            _ => None,
        }
    }

    /// What a share of which company has come to be worth.
    fn price(&self, event: &Event) -> Option<(ComponentId, i64)> {
        let company = self.marker(event)?;
        let EventKind::Set { new, .. } = event.what else { return None };
        match self.model().space(SpaceId(new as u16)).fields.get("price") {
            Some(FieldValue::Number(price)) => Some((company, *price)),
            other => panic!("price is {other:?}"),
        }
    }

    /// Whether a space is on the bid track of a stockpile.
    fn is_on_track(&self, space: SpaceId, lot: ZoneId) -> bool {
        let track = self.model().space(space).zone;
        self.zone_of(space) == "bid_track" && self.model().zone(track).copy == self.model().zone(lot).copy
    }

    /// Whether a player has an investor.
    fn has(&self, seat: Seat, investor: &str) -> bool {
        let table = self.session.table();
        let abilities = self.model().find_family("abilities").unwrap();
        let mut zones = self.model().family(abilities).zones.clone().map(ZoneId);
        let own = zones.find(|zone| self.model().zone(*zone).seat == Some(seat)).unwrap();
        table.pieces(own).any(|card| &*self.model().component(table.component(card)).id == investor)
    }

    fn phase<'a>(&'a self, event: &Event) -> Option<&'a str> {
        match event.what {
            EventKind::Phase(phase) => Some(&self.model().phases[phase.index()].id),
            _ => None,
        }
    }
}

fn component(choice: &Choice) -> ComponentId {
    match choice {
        Choice::Component(component) => *component,
        other => panic!("{other:?} is no component"),
    }
}

fn player(choice: &Choice) -> Seat {
    match choice {
        Choice::Seat(seat) => *seat,
        other => panic!("{other:?} is no player"),
    }
}

fn number(choice: &Choice) -> i64 {
    match choice {
        Choice::Number(number) => *number,
        other => panic!("{other:?} is no number"),
    }
}

/// Where every component lies, kept up by what is told of moves alone.
#[derive(Default)]
struct Ledger {
    lies: BTreeMap<(SpaceId, ComponentId), i64>,
}

impl Ledger {
    /// The opened box.
    fn new(model: &Model) -> Self {
        let mut ledger = Self::default();
        for piece in &model.pieces {
            *ledger.lies.entry((model.zone(piece.zone).space(), piece.component)).or_default() += 1;
        }
        ledger
    }

    fn note(&mut self, event: &Event) {
        if let EventKind::Moved { look, to } = &event.what {
            *self.lies.entry((look.space, look.component)).or_default() -= 1;
            *self.lies.entry((*to, look.component)).or_default() += 1;
        }
    }

    /// How many components lie where both conditions hold.
    fn count(&self, place: impl Fn(SpaceId) -> bool, card: impl Fn(ComponentId) -> bool) -> i64 {
        self.lies
            .iter()
            .filter(|((space, component), _)| place(*space) && card(*component))
            .map(|(_, count)| count)
            .sum()
    }
}

/// What players are to gain for what has been told, by where everything lies and by the prices of the moment.
struct Account<'c> {
    course: &'c Course,
    ledger: Ledger,
    prices: BTreeMap<ComponentId, i64>,
    /// What the last dividend pays for a share.
    each: i64,
    /// What has not been gained yet, and by whom.
    due: Vec<(Seat, i64)>,
}

impl<'c> Account<'c> {
    fn new(course: &'c Course) -> Self {
        let ledger = Ledger::new(course.model());
        Self { course, ledger, prices: BTreeMap::new(), each: 0, due: Vec::new() }
    }

    /// Takes up what an event changes, and what somebody is to gain for it.
    fn note(&mut self, event: &Event) {
        let course = self.course;
        self.ledger.note(event);
        self.prices.extend(course.price(event));
        if let Some(facts) = course.said(event, "split") {
            self.owe_for_split_cards(component(facts["company"]), 10);
        }
        if let Some(facts) = course.said(event, "dividend") {
            self.each = number(facts["each"]);
            self.owe_for_split_cards(component(facts["company"]), 2 * self.each);
        }
        if let Some(facts) = course.said(event, "shows") {
            self.due.push((player(facts["seat"]), self.each * number(facts["shown"])));
        }
        if let Some((seat, sale)) = course.answered(event, "sell").filter(|(_, sale)| **sale != Choice::Nothing) {
            let shares = if sale.part("what") == Some(&Choice::Word("split".into())) { 2 } else { 1 };
            self.due.push((seat, shares * self.brings(seat, component(sale.part("company").unwrap()))));
        }
        for (name, bonus) in [("majority", 10), ("shared_majority", 5)] {
            if let Some(facts) = course.said(event, name) {
                self.due.push((player(facts["seat"]), bonus));
            }
        }
        if let Some(facts) = course.said(event, "sells_all") {
            let seat = player(facts["seat"]);
            self.due.push((seat, self.worth(seat)));
        }
    }

    fn owe_for_split_cards(&mut self, company: ComponentId, each: i64) {
        let course = self.course;
        for seat in course.model().all_seats() {
            let cards = self.held(seat, "split_area", company);
            if cards > 0 {
                self.due.push((seat, each * cards));
            }
        }
    }

    /// How many stock cards of a company a player has in one of his areas.
    fn held(&self, seat: Seat, area: &str, company: ComponentId) -> i64 {
        let course = self.course;
        let is_there = |space| course.zone_of(space) == area && course.seat_of(space) == Some(seat);
        self.ledger.count(is_there, |card| course.company(card) == Some(company))
    }

    /// What a share brings a player who sells it.
    fn brings(&self, seat: Seat, company: ComponentId) -> i64 {
        self.prices[&company] + i64::from(self.course.has(seat, "graham"))
    }

    /// What all shares of a player bring.
    fn worth(&self, seat: Seat) -> i64 {
        let model = self.course.model();
        let companies = &model.kinds[model.find_kind("company").unwrap().index()].components;
        let shares = |company| self.held(seat, "portfolio", company) + 2 * self.held(seat, "split_area", company);
        companies.iter().map(|company| shares(*company) * self.brings(seat, *company)).sum()
    }

    /// Whether this is to be gained; it is not any longer then.
    fn settle(&mut self, gain: (Seat, i64)) -> bool {
        let at = self.due.iter().position(|due| *due == gain);
        at.map(|at| self.due.swap_remove(at)).is_some()
    }
}

#[test]
fn moves_that_are_told_account_for_every_piece() {
    for course in courses() {
        let mut ledger = Ledger::new(course.model());
        for event in course.events() {
            ledger.note(event);
            assert!(ledger.lies.values().all(|count| *count >= 0), "something left a place where it did not lie");
        }
        let table = course.session.table();
        let mut lies: BTreeMap<(SpaceId, ComponentId), i64> = BTreeMap::new();
        for piece in table.all_pieces() {
            *lies.entry((table.space_of(piece), table.component(piece))).or_default() += 1;
        }
        ledger.lies.retain(|_, count| *count > 0);
        assert_eq!(ledger.lies, lies);
    }
}

#[test]
fn i5_every_round_resolves_each_company_and_each_forecast_once() {
    for course in courses() {
        for round in course.rounds() {
            let tips: Vec<_> = round.iter().filter_map(|event| course.said(event, "tip")).collect();
            for (part, kind) in [("company", "company"), ("forecast", "forecast")] {
                let mut resolved: Vec<ComponentId> = tips.iter().map(|tip| component(tip[part])).collect();
                resolved.sort_unstable();
                let kind = course.model().find_kind(kind).unwrap();
                assert_eq!(resolved, course.model().kinds[kind.index()].components);
            }
        }
    }
}

#[test]
fn i9_the_bid_for_a_stockpile_only_rises() {
    for course in courses() {
        for round in course.rounds() {
            let mut highest: BTreeMap<ZoneId, i64> = BTreeMap::new();
            let mut bids = 0;
            for (_, bid) in round.iter().filter_map(|event| course.answered(event, "bid")) {
                let (Some(Choice::Zone(lot)), Some(Choice::Number(price))) = (bid.part("lot"), bid.part("price"))
                else {
                    panic!("{bid:?} is no bid")
                };
                let before = highest.insert(*lot, *price);
                assert!(before.is_none_or(|before| before < *price), "{before:?} is followed by {price}");
                bids += 1;
            }
            let lots = if course.model().seats == 2 { 4 } else { course.model().seats as usize };
            assert_eq!(highest.len(), lots, "every stockpile has a bid");
            assert!((lots..=8 * lots).contains(&bids));
        }
    }
}

#[test]
fn i9_a_stockpile_with_a_bid_keeps_exactly_one_until_bids_are_paid() {
    for course in courses() {
        let mut ledger = Ledger::new(course.model());
        let mut wanted: BTreeSet<ZoneId> = BTreeSet::new();
        for event in course.events() {
            // A bid has been carried out when the next choice is made.
            let is_paid = course.said(event, "pays").is_some();
            if is_paid || course.chose(event).is_some() {
                let meeples = |lot: ZoneId| ledger.count(|space| course.is_on_track(space, lot), |_| true);
                assert!(wanted.iter().all(|lot| meeples(*lot) == 1), "a stockpile has lost its bid, or has two");
            }
            if is_paid {
                wanted.clear();
            }
            if let Some(Choice::Zone(lot)) = course.answered(event, "bid").and_then(|(_, bid)| bid.part("lot")) {
                wanted.insert(*lot);
            }
            ledger.note(event);
        }
    }
}

#[test]
fn i10_hands_piles_and_actions_are_used_up_phase_by_phase() {
    for course in courses() {
        let mut ledger = Ledger::new(course.model());
        for event in course.events() {
            ledger.note(event);
            let held = |zone: &str| ledger.count(|space| course.zone_of(space) == zone, |_| true);
            match course.phase(event) {
                Some("demand") => assert_eq!(held("hand"), 0),
                Some("action") => assert_eq!(held("lots"), 0),
                Some("selling") => {
                    let in_portfolio = |space| course.zone_of(space) == "portfolio";
                    assert_eq!(ledger.count(in_portfolio, |card| course.kind(card) == "action"), 0);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn i11_a_split_empties_portfolios_of_the_company_and_a_bankruptcy_all_areas() {
    for course in courses() {
        let mut ledger = Ledger::new(course.model());
        let mut under_way: Option<(ComponentId, bool)> = None;
        for event in course.events() {
            ledger.note(event);
            for (name, is_split) in [("split", true), ("bankrupt", false)] {
                if let Some(facts) = course.said(event, name) {
                    under_way = Some((component(facts["company"]), is_split));
                }
            }
            // The marker that is reset ends it. (A bankruptcy on the start space, or a split on the reset space, cannot be.)
            if let Some((company, is_split)) = under_way
                && course.marker(event) == Some(company)
            {
                let of_it = |card| course.company(card) == Some(company);
                assert_eq!(ledger.count(|space| course.zone_of(space) == "portfolio", of_it), 0);
                let split = ledger.count(|space| course.zone_of(space) == "split_area", of_it);
                assert!(is_split || split == 0);
                under_way = None;
            }
        }
        assert_eq!(under_way, None);
    }
}

#[test]
fn i13_a_price_changes_by_the_forecast_or_action_card_of_its_company_alone() {
    for course in courses() {
        let mut cause = None;
        for event in course.events() {
            if course.phase(event).is_some() {
                cause = None;
            } else if let Some((_, moved)) =
                course.answered(event, "cramer").filter(|(_, moved)| **moved != Choice::Nothing)
            {
                cause = Some(component(moved.part("company").unwrap()));
            } else if let Some((_, played)) = course.answered(event, "action") {
                cause = Some(component(played.part("company").unwrap()));
            } else if let Some(tip) = course.said(event, "tip") {
                let moves = course.number(component(tip["forecast"]), "by") != 0;
                cause = moves.then(|| component(tip["company"]));
            }
            // Setup puts the markers on their start spaces.
            if matches!(event.what, EventKind::Set { old, .. } if old != Value::NOTHING)
                && let Some(company) = course.marker(event)
            {
                assert_eq!(cause, Some(company));
            }
        }
    }
}

#[test]
fn i14_cash_rises_by_sales_dividends_splits_bonuses_and_bernie_and_falls_by_bids_and_fees() {
    for course in courses() {
        let mut account = Account::new(&course);
        let mut bid = None;
        // The draft brings the starting cash.
        let first = course.events().iter().position(|event| matches!(event.what, EventKind::Round(1))).unwrap();
        for (at, event) in course.events().iter().enumerate() {
            account.note(event);
            assert!(course.phase(event).is_none() || account.due.is_empty(), "not gained: {:?}", account.due);
            if let Some(facts) = course.said(event, "pays") {
                bid = Some((player(facts["seat"]), number(facts["price"])));
            }
            let Some((seat, old, new)) = course.cash(event).filter(|_| at > first) else { continue };
            let is_fee =
                || course.events().get(at + 1).is_some_and(|next| pays(&course, next, seat, (old - new).abs()));
            if new > old {
                let is_told = course.has(seat, "bernie") && is_fee() || account.settle((seat, new - old));
                assert!(is_told, "cash rises by {} without a cause", new - old);
            } else {
                let is_told = is_fee() || bid.take() == Some((seat, old - new));
                assert!(is_told, "cash falls by {} without a cause", old - new);
            }
        }
        assert!(account.due.is_empty(), "not gained: {:?}", account.due);
    }
}

/// Whether a fee of this amount goes from a player's unpaid fees to the discard.
fn pays(course: &Course, event: &Event, seat: Seat, amount: i64) -> bool {
    let EventKind::Moved { look, to } = &event.what else { return false };
    course.zone_of(look.space) == "debts"
        && course.seat_of(look.space) == Some(seat)
        && course.zone_of(*to) == "discard"
        && course.number(look.component, "fee") == amount
}

#[test]
fn i16_a_majority_is_paid_10_to_one_or_5_to_each_of_several() {
    for course in courses() {
        let mut paid: BTreeMap<ComponentId, Vec<i64>> = BTreeMap::new();
        for (at, event) in course.events().iter().enumerate() {
            let alone = course.said(event, "majority");
            let Some(facts) = alone.clone().or_else(|| course.said(event, "shared_majority")) else { continue };
            let mut after = course.events()[at..].iter().filter_map(|event| course.cash(event));
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
fn i17_others_learn_of_a_claim_only_by_the_cards_that_are_shown() {
    for course in courses() {
        for (at, event) in course.events().iter().enumerate() {
            let Some((seat, claim)) = course.answered(event, "claim") else { continue };
            assert_eq!(event.to, Layout::only(seat));
            let next = course.events().get(at + 1).and_then(|event| course.said(event, "shows"));
            assert_eq!(next.is_some(), *claim != Choice::Number(0));
        }
    }
}

/// What Ann has read, and what she knows of the table.
fn told_to_ann(session: &Session) -> (Vec<String>, String) {
    let ann = Seat(0);
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English).for_seat(ann);
    (wording.narrate(session.events()), View::memory(session.table(), Some(ann)).describe())
}

#[test]
fn i17_a_claim_of_nothing_looks_like_not_having_been_asked() {
    let game = parlour::load("games/stockpile").unwrap();
    let told = |card: &str| {
        let arrange = vec![source(format!("put(\"{card}\", Ben.portfolio);"))];
        let opening = Opening { start: Start::Nowhere, arrange, ..Opening::default() };
        let mut session = Session::open(&game, &Setup::seats(3), opening).unwrap();
        session.carry_out(&source("pay_dividend(component(\"cosmic\"), 2)".to_owned()));
        let is_asked = session.decision().is_some();
        if is_asked {
            session.choose(0).unwrap();
        }
        (is_asked, told_to_ann(&session))
    };
    let ((is_asked, holder), (is_asked_too, other)) = (told("stock_cosmic"), told("stock_epic"));
    assert!(is_asked && !is_asked_too);
    assert_eq!(holder, other);
}

#[test]
fn i17_hidden_cards_that_change_places_change_nothing_for_others() {
    let game = parlour::load("games/stockpile").unwrap();
    let told = |[held, face_down, next]: [&str; 3]| {
        let script = format!(
            "put(\"{held}\", Ben.portfolio); put(\"stock_leading\", Cho.portfolio); \
             put(\"{face_down}\", lots[1]); lots[1].turn_down(); stack(market, [\"{next}\"]);"
        );
        let mut session = course::arranged(&game, &Setup::seats(3), ("demand", 1), script);
        let bid = session.model().find_decision("bid").unwrap();
        while let Some(open) = session.decision().filter(|open| open.id == bid) {
            // Ann bids for the last stockpile, the others for the first one that is left.
            let at = if open.seat == Seat(0) { open.count() - 1 } else { 0 };
            session.choose(at).unwrap();
        }
        told_to_ann(&session)
    };
    let one = told(["stock_epic", "stock_cosmic", "stock_american"]);
    assert_eq!(one, told(["stock_cosmic", "stock_american", "stock_epic"]));
}

#[test]
fn i18_the_calendar_is_played_and_the_first_player_moves_on_clockwise() {
    for course in courses() {
        let seats = course.model().seats;
        let rounds = [6, 7, 6, 5][seats as usize - 2];
        assert_eq!(course.rounds().len(), rounds);
        assert_eq!(course.session.outcome().unwrap().rounds, rounds as i64);
        let places = |round: &&[Event]| round.iter().find_map(|event| course.answered(event, "place")).unwrap().0;
        let firsts: Vec<Seat> = course.rounds().iter().map(places).collect();
        assert!(firsts.windows(2).all(|pair| pair[1].0 == (pair[0].0 + 1) % seats), "{firsts:?}");
    }
}

#[test]
fn worth_is_the_cash_of_the_breakdown_and_the_most_wins() {
    for course in courses() {
        let outcome = course.session.outcome().unwrap();
        let best = outcome.standings.iter().map(|standing| standing.score).max().unwrap();
        for standing in &outcome.standings {
            assert_eq!(standing.score, standing.breakdown.iter().map(|(_, part)| part).sum::<i64>());
            assert!(standing.score >= 0);
            assert_eq!(standing.rank == 1, standing.score == best);
        }
    }
}

/// Whether an invariant of the rules holds before the selling phase, in a sound position that is then changed.
fn holds(invariant: &str, change: &str) -> bool {
    let sound = "for company in components(\"company\") { company.marker = company.price_track[company.start]; } \
                 put(\"stock_epic\", 1, Ann.portfolio);";
    let game = parlour::load("games/stockpile").unwrap();
    let mut session = course::arranged(&game, &Setup::seats(3), ("selling", 1), format!("{sound} {change}"));
    course::holds(&mut session, format!("{invariant}()"))
}

#[test]
fn an_invariant_notices_what_breaks_it() {
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

/// The worked example W5, seen by others afterwards: whoever showed two shares has two, whatever else he may hold.
#[test]
fn shares_shown_at_once_are_remembered_as_so_many() {
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
    let worlds = (0..40).map(|_| session.table().imagined(Seat(1), &mut chance, &mut NoJudge).unwrap());
    let held = worlds.map(|world| world.pieces(portfolio).filter(|card| world.component(*card) == cosmic).count());
    let held: BTreeSet<usize> = held.collect();
    assert!(held.iter().all(|held| *held >= 2) && held.len() > 1, "{held:?}");
}

/// The game's files with one more investor, who gets 2 more for shares where a fact says so.
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
fn an_investor_may_raise_the_sales_of_one_company_as_data() {
    let game = parlour::load_texts("stockpile", with_an_investor("company = \"stanford\"")).unwrap();
    let setup = Setup::seats(3).option("investors", "on");
    let arrange = "for company in components(\"company\") { company.marker = company.price_track[company.start]; } \
                   put(\"stock_stanford\", 1, Ann.portfolio); put(\"stock_epic\", 1, Ann.portfolio); \
                   put(\"sam\", Ann.abilities);";
    let mut session = course::arranged(&game, &setup, ("selling", 1), arrange.to_owned());
    let sale = |company: &str, more: i64| {
        format!("sale_of(Ann, \"share\", component(\"{company}\")) == price(component(\"{company}\")) + {more}")
    };
    assert!(course::holds(&mut session, sale("stanford", 2)));
    assert!(course::holds(&mut session, sale("epic", 0)));
}

#[test]
fn a_condition_that_no_rule_meets_is_told_with_what_rules_pass() {
    let warned = |condition: &str| {
        let game = parlour::load_texts("stockpile", with_an_investor(condition)).unwrap();
        let setup = Setup::seats(3).option("investors", "on");
        let (_, host) = game.host(&setup).unwrap();
        let found = host.warnings().iter().find(|found| found.code == "unmet-condition");
        found.map(|found| format!("{} — {}", found.message, found.help.clone().unwrap_or_default()))
    };
    assert_eq!(warned("company = \"stanford\""), None);
    let told = warned("sort = \"split\"").unwrap();
    assert!(told.contains("this asks for the fact `sort`, which no rule passes when it asks for `sale`"), "{told}");
}
