//! Invariants of Last Will over whole games (section 11 of the specification), checked on the events of random games. Invariants of a
//! single position are in the game's `7_invariants.rhai`. Worked examples and rulings are in its playscripts.

use crate::finished_game::{self, FinishedGame};
use parlour::model::{Seat, SpaceId, ValueId};
use parlour::session::{Choice, Event, EventKind, Game, Session, Setup};
use parlour::table::Holder;
use std::collections::BTreeMap;

/// Number of games for each number of players and amount of money.
const GAMES: u64 = 4;

/// Amounts of initial money: one that makes bankruptcies likely, and the one of the learning game.
const MONEY: [&str; 2] = ["15", "70"];

/// Turn of a player.
struct Turn<'a> {
    round: i64,
    phase: &'a str,
    seat: Seat,
}

fn finished_games() -> Vec<FinishedGame> {
    let game = parlour::load("games/last-will").unwrap();
    let mut finished_games = Vec::new();
    for seats in 2..=5 {
        for money in MONEY {
            for seed in 0..GAMES {
                let setup = Setup::seats(seats).seed(seed).option("start_money", "learning");
                let setup = setup.set("params.learning_money", money);
                finished_games.push(FinishedGame::play_randomly(&game, &setup));
            }
        }
    }
    finished_games
}

impl FinishedGame {
    fn last_round(&self) -> i64 {
        self.session.outcome().unwrap().rounds
    }

    /// Returns all turns in order.
    fn turns_by_phase(&self) -> Vec<Turn<'_>> {
        let (mut round, mut phase, mut turns) = (0, "setup", Vec::new());
        for event in self.events() {
            match &event.kind {
                EventKind::Round(number) => round = *number,
                EventKind::Phase(id) => phase = &self.model().phases[id.index()].id,
                EventKind::Turn(seat) => turns.push(Turn { round, phase, seat: *seat }),
                _ => {}
            }
        }
        turns
    }

    /// Returns the seats in the order of their turns in a phase.
    fn order(&self, round: i64, phase: &str) -> Vec<Seat> {
        self.turns_by_phase()
            .iter()
            .filter(|turn| turn.round == round && turn.phase == phase)
            .map(|turn| turn.seat)
            .collect()
    }

    /// Returns the seat that chose each plan in a round.
    fn plans(&self, wanted: i64) -> BTreeMap<SpaceId, Seat> {
        let (mut round, mut plans) = (0, BTreeMap::new());
        for event in self.events() {
            if let EventKind::Round(number) = event.kind {
                round = number;
            }
            if let Some((seat, "plan", Choice::Space(space))) = self.choice_made(event)
                && round == wanted
            {
                plans.insert(*space, seat);
            }
        }
        plans
    }

    /// Returns the index of each event in which a player goes bankrupt, and the player.
    fn bankruptcies(&self) -> Vec<(usize, Holder)> {
        let is_one = |event: &Event| match self.value_change(event) {
            Some(("bankrupt", holder, 0, 1)) => Some(holder),
            _ => None,
        };
        self.events().iter().enumerate().filter_map(|(at, event)| Some((at, is_one(event)?))).collect()
    }
}

#[test]
fn i6_money_rises_only_by_a_sale() {
    for finished in finished_games() {
        let begun = finished.events().iter().position(|event| matches!(event.kind, EventKind::Round(_))).unwrap();
        let mut last = None;
        for event in &finished.events()[begun..] {
            if let Some((seat, "act", choice)) = finished.choice_made(event) {
                last = Some((seat, choice.part("sell").is_some()));
            }
            if let Some(("money", holder, old, new)) = finished.value_change(event)
                && new > old
            {
                let (seat, is_sale) = last.expect("money rises only after a move");
                assert!(is_sale && holder == Holder::Seat(seat), "{old} → {new}");
            }
        }
    }
}

#[test]
fn i9_values_fall_one_step_at_a_time() {
    for finished in finished_games() {
        let drops = finished
            .events()
            .iter()
            .filter_map(|event| finished.value_change(event))
            .filter(|(name, ..)| *name == "drops");
        for (_, _, old, new) in drops {
            assert_eq!(new, old + 1);
        }
    }
}

#[test]
fn i13_errands_and_actions_follow_the_plans_from_left_to_right() {
    for finished in finished_games() {
        for round in 1..=finished.last_round() {
            let planned: Vec<Seat> = finished.plans(round).into_values().collect();
            assert_eq!(planned.len(), usize::from(finished.model().seats));
            assert_eq!(finished.order(round, "actions"), planned);
            assert_eq!(finished.order(round, "errands"), [planned.clone(), planned].concat());
        }
    }
}

#[test]
fn i13_the_start_player_rotates_and_with_two_players_plans_last() {
    for finished in finished_games() {
        let seats = finished.model().seats;
        let begin = |round| {
            let order = finished.order(round, "planning");
            if seats == 2 { *order.last().unwrap() } else { order[0] }
        };
        for round in 2..=finished.last_round() {
            assert_eq!(begin(round).0, (begin(round - 1).0 + 1) % seats);
        }
    }
}

#[test]
fn i15_bankruptcies_are_permanent_and_no_money_is_gained_after_them() {
    let mut seen = 0;
    for finished in finished_games() {
        for (at, who) in finished.bankruptcies() {
            seen += 1;
            for (name, holder, old, new) in
                finished.events()[at + 1..].iter().filter_map(|event| finished.value_change(event))
            {
                assert!(holder != who || name != "bankrupt", "a bankruptcy is undone");
                assert!(holder != who || name != "money" || new < old, "{old} → {new}");
            }
        }
    }
    assert!(seen > 0, "no game ends in a bankruptcy");
}

#[test]
fn i16_a_bankruptcy_makes_the_round_the_last_and_skips_its_end() {
    for finished in finished_games() {
        let went_bankrupt = !finished.bankruptcies().is_empty();
        assert_eq!(finished.ending() == "bankruptcy", went_bankrupt);
        assert!(went_bankrupt || finished.last_round() == 7);
        assert_eq!(finished.order(finished.last_round(), "actions").len(), usize::from(finished.model().seats));
        if let Some((at, _)) = finished.bankruptcies().first() {
            let later = finished.events()[*at..].iter();
            let phases = later.filter_map(|event| if let EventKind::Phase(id) = event.kind { Some(id) } else { None });
            let phases: Vec<&str> = phases.map(|id| &*finished.model().phases[id.index()].id).collect();
            assert!(phases.iter().all(|phase| *phase == "actions"), "{phases:?}");
        }
    }
}

#[test]
fn i20_there_is_one_winner_who_is_bankrupt_if_anybody_is() {
    for finished in finished_games() {
        let outcome = finished.session.outcome().unwrap();
        let winners: Vec<Seat> = outcome.winners().collect();
        let [winner] = winners[..] else { panic!("{winners:?}") };
        let bankrupt: Vec<Holder> = finished.bankruptcies().into_iter().map(|(_, who)| who).collect();
        assert!(bankrupt.is_empty() || bankrupt.contains(&Holder::Seat(winner)));
        let least = outcome.standings.iter().map(|standing| standing.score).min();
        assert_eq!(Some(outcome.standings[winner.index()].score), least);
    }
}

/// Starts a game of three players at the first plan of the second round, and applies changes to the position.
fn planning(game: &Game, change: &str) -> Session {
    let sound = "stack_decks(); set_market(); give_money(); fill_offer(); clear_offer(); fill_offer(); \
                 set_first(next(first));";
    let setup = Setup::seats(3).option("start_player", "1");
    finished_game::open_arranged(game, &setup, ("planning", 2), format!("{sound} {change}"))
}

/// Returns whether an invariant of the rules holds after changes to a valid position.
fn holds(invariant: &str, change: &str) -> bool {
    let game = parlour::load("games/last-will").unwrap();
    finished_game::holds(&mut planning(&game, change), format!("{invariant}()"))
}

/// Components of two additional helpers: one that consists of data only, and one with a function.
const HELPERS: &str = r#"
[[helper]]
id = "landlady"
uses = 1
alters = [
    { what = "action_cost", move = "maintain", style = ["mansion", "villa"], set = 0 },
    { what = "action_cost", move = "sell", set = 2 },
    { what = "action_cost", move = "attach", set = 0 },
    { what = "payment", icon = ["mask", "helm"], add = 1 },
    { what = "lowered", style = "farm", add = -4 },
    { what = "raised", style = "farm", add = 1 },
    { what = "hand_limit", add = 1 },
]

[[helper]]
id = "almoner"
work = "give_alms"
may_work = "may_give_alms"
alters = [
    { what = "action_cost", move = ["attach", "activate"], set = 0 },
    { what = "action_cost", move = "play", role = ["helper", "expense"], add = 1 },
    { what = "slots", add = 2 },
    { what = "salary", add = 1 },
    { what = "actions", add = 9 },
]
"#;

/// Rules of the second helper.
const ALMS: &str = "
/// Alms: one for every card in hand, if there are any.
fn may_give_alms(card, seat) {
    !seat.hand.is_empty() && may_pay(seat, seat.hand.count())
}

/// Alms: they are paid.
fn give_alms(card, seat) {
    pay(seat, seat.hand.count());
}
";

/// Returns the files of the game, and the given additional files.
fn texts_with(others: &[(&str, &str)]) -> Vec<(String, String)> {
    let read = |path: String| (path.clone(), std::fs::read_to_string(format!("games/last-will/{path}")).unwrap());
    let mut texts = vec![read("game.toml".to_owned())];
    texts.extend(others.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    for folder in ["components", "rules"] {
        let files = std::fs::read_dir(format!("games/last-will/{folder}")).unwrap();
        texts.extend(files.map(|file| read(format!("{folder}/{}", file.unwrap().file_name().to_str().unwrap()))));
    }
    texts
}

/// Loads the game with the additional helpers.
fn with_helpers() -> Game {
    let others = [("components/new_helpers.toml", HELPERS), ("rules/8_alms.rhai", ALMS)];
    parlour::load_texts("last-will", texts_with(&others)).unwrap()
}

/// Applies changes to the position, and asserts that all expressions are true afterwards.
fn assert_all(game: &Game, change: &str, expected: &[&str]) {
    let mut session = planning(game, change);
    for expression in expected {
        assert!(finished_game::holds(&mut session, *expression), "{expression}");
    }
}

#[test]
fn a_new_helper_can_be_added_as_data() {
    let begun = "let ann = first; ann.actions = 1; put([\"landlady\", \"m2\", \"f7\"], ann.board);";
    let asked = [
        "ready_helpers(first, #{ move: \"maintain\", style: component(\"villa\") }).count() == 1",
        "ready_helpers(first, #{ move: \"maintain\", style: component(\"farm\") }).is_empty()",
        "use_payment(first, component(\"e01\"), 3) == 4 && use_payment(first, component(\"e03\"), 2) == 2",
        "altered(\"hand_limit\", hand_limit, first) == hand_limit + 1",
        // The last two numbers are the reductions and the increases of the price.
        "price_changes(first, #{ style: component(\"farm\") }, ()) == [0, -4, 1]",
        // The landlady makes upkeep free, but a sale costs 2 actions.
        "upkeeps(first).count() == 3",
        "sales(first).count() == 2",
    ];
    assert_all(&with_helpers(), begun, &asked);
    assert_all(&with_helpers(), &begun.replace("actions = 1", "actions = 2"), &["sales(first).count() == 4"]);
    let attaching = "put([\"landlady\", \"x4\"], first.board); put([\"guest\", \"dog\"], first.hand);";
    assert_all(&with_helpers(), attaching, &["attachments(first).count() == 1"]);
}

#[test]
fn a_new_helper_can_alter_slots_salaries_and_actions() {
    let begun = "let ann = first; ann.actions = 0; put([\"almoner\", \"h01\", \"x1\", \"x4\"], ann.board); \
                 put([\"guest\", \"x2\"], ann.hand);";
    let asked = [
        "attachments(first).count() == 1",
        "activations(first).count() == 2",
        "slots(first, ()) == board_slots + 2",
        "salary_of(first, first.board.find(\"component\", component(\"h01\"))) == 2",
    ];
    assert_all(&with_helpers(), begun, &asked);
    assert_all(&with_helpers(), &begun.replace("actions = 0", "actions = 1"), &["additions(first).is_empty()"]);
    assert_all(&with_helpers(), &begun.replace("actions = 0", "actions = 2"), &["additions(first).count() == 1"]);
}

#[test]
fn a_helper_cannot_be_replaced_by_a_card_in_the_slots_it_adds() {
    let begun = "let ann = first; ann.actions = 2; put(\"x2\", ann.hand); \
                 put([\"almoner\", \"h01\", \"x1\", \"x4\", \"m1\", \"m2\", \"m3\"], ann.board);";
    let asked = [
        "additions(first).count() == 1",
        "room_for(first, \"play\", first.hand.top, ()).count() == 3",
        "room_for(first, \"play\", first.hand.top, ()).count(\"component\", component(\"almoner\")) == 0",
    ];
    assert_all(&with_helpers(), begun, &asked);
}

#[test]
fn a_new_helper_can_have_a_function() {
    let begun = "let ann = first; put(\"almoner\", ann.board); put([\"x2\", \"x3\"], ann.hand);";
    let worked = "put_to_work(ann, ann.board.top);";
    assert_all(&with_helpers(), begun, &["works(first).count() == 1"]);
    assert_all(&with_helpers(), &format!("{begun} {worked}"), &["works(first).is_empty()", "first.spent == 2"]);
}

#[test]
fn invariants_take_new_helpers_into_account() {
    let begun = "first.markers.find(\"kind\", \"planner\").move_to(plan[\"p4\"]); put(\"almoner\", first.board); \
                 put([\"h01\", \"h02\", \"h03\", \"h04\", \"h05\", \"h06\"], first.board); begin_turn(first);";
    let asked = ["first.actions == 13 && invariant_3_actions()", "invariant_4_slots()"];
    assert_all(&with_helpers(), begun, &asked);
}

#[test]
fn invariants_detect_broken_positions() {
    let cases = [
        ("invariant_1_cards", "put(\"f1\", box);"),
        ("invariant_2_piles", "put(\"e01\", draw_pile[component(\"property_deck\")]);"),
        ("invariant_2_boards", "put(\"sp06\", first.board);"),
        ("invariant_2_boards", "put(\"wa\", offer[component(\"w2\")]);"),
        ("invariant_2_wilds", "put(\"wa\", first.hand);"),
        (
            "invariant_2_wilds",
            "put([\"wa\", \"wb\"], first.hand); first.markers.find(\"kind\", \"boy\").move_to(visitors[component(\"at_w1\")]);",
        ),
        (
            "invariant_2_wilds",
            "put(\"wa\", first.hand); next(first).markers.find(\"kind\", \"boy\").move_to(visitors[component(\"at_w1\")]);",
        ),
        (
            "invariant_3_actions",
            "first.markers.find(\"kind\", \"planner\").move_to(plan[\"p4\"]); let ann = first; ann.actions = 5;",
        ),
        ("invariant_4_slots", "put([\"m1\", \"m2\", \"m3\", \"m4\", \"m5\", \"v1\"], first.board);"),
        ("invariant_4_slots", "put(\"extension\", box);"),
        ("invariant_5_solvency", "put(\"m1\", first.board); let ann = first; ann.money = -1;"),
        ("invariant_6_money", "let ann = first; ann.money += 1;"),
        ("invariant_7_markers", "first.markers.where(\"kind\", \"boy\").move_to(visitors[component(\"mkt\")]);"),
        (
            "invariant_7_boys",
            "first.markers.find(\"kind\", \"planner\").move_to(plan[\"p3\"]); \
             first.markers.where(\"kind\", \"boy\").move_to(visitors[component(\"mkt\")]);",
        ),
        (
            "invariant_7_boys",
            "first.markers.find(\"kind\", \"planner\").move_to(plan[\"p1\"]); \
             first.markers.find(\"kind\", \"boy\").move_to(visitors[component(\"mkt\")]); begin_turn(first);",
        ),
        ("invariant_8_market", "market[component(\"farm\")].top.move_to(market[component(\"villa\")]);"),
        ("invariant_9_values", "put(\"m3\", first.board); let card = first.board.top; card.drops = 1;"),
        ("invariant_10_tokens", "put(\"m2\", first.board); let card = first.board.top; card.tokens = 1;"),
        ("invariant_11_uses", "put(\"h08\", first.board); let card = first.board.top; card.used = 2;"),
        ("invariant_11_marks", "put(\"m2\", first.board); let card = first.board.top; card.activated = 1;"),
        ("invariant_12_hands", "put([\"e01\", \"e02\", \"e03\"], first.hand);"),
        ("invariant_13_start_player", "game.opened_by = next(first);"),
        ("invariant_14_specials", "stack(draw_pile[component(\"special_deck\")], [\"sp12\"]);"),
        ("invariant_14_specials", "put(\"sp12\", box);"),
        ("invariant_15_bankruptcy", "let ann = first; ann.money = 0;"),
    ];
    for (invariant, change) in cases {
        assert!(holds(invariant, ""), "{invariant}");
        assert!(!holds(invariant, change), "{invariant}: {change}");
    }
}

#[test]
fn a_new_expense_with_fewer_payments_than_slots_is_found() {
    let found = |pay: &str| {
        let expense = format!(
            "[[expense]]\nid = \"x99\"\nname = {{ en = \"Chess Club\", zh-Hant = \"西洋棋社\" }}\ncount = 1\nicon = \"glass\"\n\
             act = 1\npay = {pay}\nslots = [\"guest\", \"dog\"]\n"
        );
        let game = parlour::load_texts("last-will", texts_with(&[("components/more.toml", &expense)])).unwrap();
        Session::start(&game, &Setup::seats(3)).unwrap().check_invariants().err().map(|found| found.message)
    };
    assert_eq!(found("[1, 2, 3]"), None);
    let message = found("[1, 2]").unwrap();
    assert!(message.contains("a payment for every number of tokens"), "{message}");
    assert!(found("[1, 2, 3, 4]").is_some());
}

#[test]
fn values_of_cards_on_boards_are_seen_by_every_seat() {
    let game = parlour::load("games/last-will").unwrap();
    let begun = "put([\"m2\", \"x3\", \"h08\"], first.board); \
                 for card in first.board.pieces { card.activated = 1; card.paid = 1; card.used = 1; card.tokens = 1; } \
                 for card in first.board.where(\"kind\", \"property\") { card.drops = 1; }";
    let session = planning(&game, begun);
    let model = session.model();
    let board = model.zones.iter().find(|zone| &*zone.path == "board" && zone.seat == Some(Seat(1))).unwrap().space();
    for seat in [Seat(0), Seat(1), Seat(2)] {
        let view = session.view(seat);
        assert_eq!(view.seen(board).len(), 3);
        for name in ["drops", "tokens", "activated", "paid", "used"] {
            let at = model.values.iter().position(|value| &*value.id == name).unwrap();
            let of_cards: Vec<Option<i64>> =
                (0..3).map(|place| view.piece_value(ValueId::at(at), board, place)).collect();
            assert!(of_cards.contains(&Some(1)), "{name}: {of_cards:?}");
            assert!(name == "drops" || of_cards.iter().all(|value| *value == Some(1)), "{name}: {of_cards:?}");
        }
    }
}
