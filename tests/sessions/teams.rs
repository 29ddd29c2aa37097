//! Tests that teams win and lose as a whole. The seats of a team see what the team sees, both in views and in the worlds that they imagine.

use parlour::agents;
use parlour::model::{Model, Seat, ValueId, ZoneId};
use parlour::session::{Game, Player, Session, Setup, Status};
use parlour::table::{Chance, Holder};
use std::path::Path;

fn crosswinds() -> Game {
    parlour::load(Path::new("examples/games/crosswinds")).unwrap_or_else(|found| panic!("{found}"))
}

/// Game with two pairs of seats. Each pair has a secret number, and each seat has a number that its partner sees, too.
const SECRETS: &str = r#"
[game]
id = "secrets"
name = "Secrets"
players = { min = 2, max = 4 }
[teams.odd]
name = { en = "Odd", zh-Hant = "單" }
seats = [1, 3]
[teams.even]
name = { en = "Even", zh-Hant = "雙" }
seats = "rest"
[values.team]
plan = { start = 0, min = 0, max = 99, seen_by = "team" }
[values.seat]
clue = { start = 0, min = 0, max = 99, seen_by = "team" }
whim = { start = 0, min = 0, max = 99, seen_by = "owner" }
[zones.charm]
per = "team"
shape = "pile"
in_force = true
[decisions.sure]
ask = "Sure?"
[flow]
setup = ["prepare"]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = "turn" }]
"#;

const RULES: &str = r#"
fn prepare() {
    for team in teams { team.plan = 7; }
    for seat in seats { seat.clue = 10 + seat.number; seat.whim = 20 + seat.number; }
}
fn turn(seat) {
    confirm(seat, "sure");
    if seat.team.charm.is_empty() { seat.team.plan += 1; }
}
fn score(team) { team.plan + if team.seats[0] == first { 5 } else { 0 } }
"#;

fn secrets() -> Game {
    let texts = [("game.toml", SECRETS), ("rules/play.rhai", RULES)];
    let texts = crate::folder::owned_files(texts);
    parlour::load_texts("secrets", texts).unwrap_or_else(|found| panic!("{found}"))
}

fn value(model: &Model, name: &str) -> ValueId {
    ValueId::at(model.values.iter().position(|value| *value.id == *name).unwrap())
}

#[test]
fn seats_of_a_team_share_score_rank_and_win() {
    let game = crosswinds();
    let mut seen = [false; 2];
    for (players, seed) in (3..=4).flat_map(|players| (0..20).map(move |seed| (players, seed))) {
        let random = (0..players).map(|seat| agents::named("random", seed, seat).unwrap());
        let chosen: Vec<Box<dyn Player>> = random.collect();
        let setup = Setup::seats(players as u8).seed(seed);
        let outcome = game.play(&setup, chosen, false).unwrap().outcome.unwrap_or_else(|found| panic!("{found:?}"));
        let of_team = |seat: usize| if players == 4 { seat % 2 } else { usize::from(seat > 0) };
        for (one, other) in (0..players).flat_map(|one| (0..players).map(move |other| (one, other))) {
            let [a, b] = [one, other].map(|seat| &outcome.standings[seat]);
            if of_team(one) == of_team(other) {
                assert_eq!((a.team, a.score, a.rank, &a.breakdown), (b.team, b.score, b.rank, &b.breakdown));
            } else {
                assert_ne!(a.team, b.team);
                assert_eq!(a.score.cmp(&b.score), b.rank.cmp(&a.rank), "the better score has the better rank");
                assert!(a.rank <= 2, "there are two teams");
            }
        }
        assert_eq!(outcome.sides().count(), 2);
        seen[outcome.winning_sides() - 1] = true;
    }
    assert!(seen[0], "a team won alone");
}

#[test]
fn values_visible_to_a_team_are_visible_only_to_its_seats() {
    let game = secrets();
    let session = Session::start(&game, &Setup::seats(4).seed(1)).unwrap();
    let model = session.model().clone();
    let [plan, clue, whim] = ["plan", "clue", "whim"].map(|name| value(&model, name));
    for seat in model.all_seats() {
        let view = session.view(seat);
        for other in model.all_seats() {
            let is_partner = seat.0 % 2 == other.0 % 2;
            let own = |known: bool, number: u8| known.then_some(i64::from(number + other.0 + 1));
            assert_eq!(view.value(clue, Holder::Seat(other)), own(is_partner, 10));
            assert_eq!(view.value(whim, Holder::Seat(other)), own(seat == other, 20));
        }
        for team in &model.teams {
            let known = team.seats.contains(&seat).then_some(7);
            assert_eq!(view.value(plan, Holder::Component(team.component)), known);
        }
    }
}

#[test]
fn imagined_worlds_keep_what_the_team_sees() {
    let game = secrets();
    let session = Session::start(&game, &Setup::seats(4).seed(1)).unwrap();
    let model = session.model().clone();
    let [plan, clue] = ["plan", "clue"].map(|name| value(&model, name));
    let mut chance = Chance::new(3, "worlds");
    let (me, partner, other) = (Seat(0), Seat(2), Seat(1));
    let (mine, theirs) = (model.team_of(me).unwrap().component, model.team_of(other).unwrap().component);
    let mut drawn = std::collections::BTreeSet::new();
    for _ in 0..30 {
        let world = session.imagine(me, &mut chance).unwrap();
        let view = |seat: Seat| world.view(seat);
        assert_eq!(view(partner).value(clue, Holder::Seat(partner)), Some(13));
        assert_eq!(view(partner).value(plan, Holder::Component(mine)), Some(7));
        drawn.insert(view(other).value(plan, Holder::Component(theirs)));
    }
    assert!(drawn.len() > 5, "{drawn:?}");
}

#[test]
fn team_hands_are_visible_only_to_seats_of_the_team() {
    let session = Session::start(&crosswinds(), &Setup::seats(4).seed(1)).unwrap();
    let model = session.model().clone();
    for (at, zone) in model.zones.iter().enumerate() {
        if &*model.families[zone.family.index()].id != "locker" {
            continue;
        }
        let team = model.team(zone.of.unwrap()).unwrap();
        for seat in model.all_seats() {
            assert_eq!(session.view(seat).sees_into(ZoneId::at(at)), team.seats.contains(&seat));
        }
    }
}

#[test]
fn teams_can_depend_on_the_number_of_players() {
    let game = crosswinds();
    let teams = |players: u8| {
        let session = Session::start(&game, &Setup::seats(players)).unwrap();
        let seats = session.model().teams.iter().map(|team| team.seats.iter().map(|seat| seat.number()).collect());
        seats.collect::<Vec<Vec<i64>>>()
    };
    assert_eq!(teams(3), [vec![1], vec![2, 3]]);
    assert_eq!(teams(4), [vec![1, 3], vec![2, 4]]);
}

#[test]
fn games_without_teams_can_use_team_as_a_name() {
    let game = SECRETS
        .replace("[teams.odd]\nname = { en = \"Odd\", zh-Hant = \"單\" }\nseats = [1, 3]\n", "")
        .replace("[teams.even]\nname = { en = \"Even\", zh-Hant = \"雙\" }\nseats = \"rest\"\n", "")
        .replace("[values.team]\nplan = { start = 0, min = 0, max = 99, seen_by = \"team\" }\n", "")
        .replace("[zones.charm]\nper = \"team\"\n", "[zones.charm]\n")
        .replace("clue = { start = 0, min = 0, max = 99, seen_by = \"team\" }", "team = 0");
    let rules = "fn prepare() { seats[0].team = component(\"van\").seats; }\nfn turn(seat) { confirm(seat, \"sure\"); }\nfn score(seat) { seat.team }\n";
    let texts = [
        ("game.toml", &*game),
        ("rules/play.rhai", rules),
        ("components/a.toml", "[[van]]\nid = \"van\"\nseats = 7\n"),
    ];
    let texts = crate::folder::owned_files(texts);
    let game = parlour::load_texts("secrets", texts).unwrap_or_else(|found| panic!("{found}"));
    let chosen: Vec<Box<dyn Player>> = (0..2).map(|seat| agents::named("random", 1, seat).unwrap()).collect();
    let outcome = game.play(&Setup::seats(2), chosen, false).unwrap().outcome.unwrap();
    assert_eq!(outcome.standings.iter().map(|one| (one.score, one.team)).collect::<Vec<_>>(), [(7, None), (0, None)]);
}

/// If `per` has two entries, a zone belongs to the first (`of`), and the second is the index in brackets. The index is required even if
/// there is only one component.
#[test]
fn zones_can_exist_per_pair_of_seats_teams_and_components() {
    let game = |towns: &str, asks: &str| {
        let zones = [
            ("stash", "team\", \"town"),
            ("stall", "seat\", \"town"),
            ("depot", "town\", \"team"),
            ("booth", "town\", \"seat"),
        ];
        let zones = zones
            .map(|(id, per)| format!("[zones.{id}]\nper = [\"{per}\"]\nshape = \"hand\"\nseen_by = \"team\"\n"))
            .concat();
        let store = "[zones.store]\nshape = \"pile\"\nstarts_with = [\"van\"]\n";
        let game = format!(
            "[game]\nid = \"towns\"\nname = \"Towns\"\nplayers = {{ min = 4, max = 4 }}\n[teams.red]\nseats = [1, 3]\n\
             [teams.blue]\nseats = \"rest\"\n{zones}{store}[flow]\nsetup = [\"prepare\"]\n"
        );
        let rules = format!("fn prepare() {{ let graz = component(\"graz\"); {asks} }}\nfn score(team) {{ 0 }}\n");
        let texts = [("game.toml", game), ("components/towns.toml", towns.to_owned()), ("rules/play.rhai", rules)];
        let texts = texts.map(|(path, text)| (path.to_owned(), text)).to_vec();
        let game = parlour::load_texts("towns", texts).unwrap_or_else(|found| panic!("{asks}: {found}"));
        Session::start(&game, &Setup::seats(4)).unwrap_or_else(|found| panic!("{asks}: {found}"))
    };
    let vans = "[[van]]\nid = \"van\"\ncount = 2\n";
    for towns in ["[[town]]\nid = \"graz\"\n", "[[town]]\nid = \"graz\"\n[[town]]\nid = \"linz\"\n"] {
        for (zone, of) in [
            ("teams[1].stash[graz]", "of == teams[1]"),
            ("teams[1].stash[\"graz\"]", "of == teams[1]"),
            ("stash[graz][teams[1]]", "of == teams[1]"),
            ("first.stall[graz]", "of == graz"),
            ("graz.depot[teams[1]]", "of == graz"),
            ("graz.booth[first]", "of == graz"),
        ] {
            let asks = format!("store.draw(1, {zone}); ensure({zone}.count() == 1 && {zone}.{of}, \"it is there\");");
            let session = game(&format!("{towns}{vans}"), &asks);
            if let Status::Failed(found) = session.status() {
                panic!("{zone}: {}", parlour::diagnostic::render(found, false));
            }
        }
    }
    // Even if the team is the second entry in `per`, only the seats of the team can see its zones.
    let session = game(&format!("[[town]]\nid = \"graz\"\n{vans}"), "graz.depot[teams[1]].shuffle();");
    let model = session.model();
    let depot = model.zones.iter().position(|zone| &*zone.path == "depot[graz][blue]").unwrap();
    let sees = |seat: u8| session.view(Seat(seat)).sees_into(ZoneId::at(depot));
    assert_eq!([0, 1, 2, 3].map(sees), [false, true, false, true]);
}
