//! Tests of what seats learn about hidden pieces. In a small game of deduction, the imagined worlds are exactly those in which every
//! statement holds, and all of them are equally likely. If worlds cannot be imagined, a message names the line of the rules.

use parlour::agents::{AgentShelf, Spec};
use parlour::decision::Choice;
use parlour::diagnostic::{Diagnostic, Source, render};
use parlour::model::{ComponentId, Language, Seat, Zone, ZoneId};
use parlour::session::{Game, PlayedGame, Session, Setup, WorldCounts};
use parlour::simulation::{FuzzLimits, fuzz};
use parlour::table::{Chance, Table, View};
use parlour::wording::Wording;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Statement that all seats have heard.
#[derive(Debug, Clone)]
enum Said {
    /// The seat has this number of lanterns of a color or brightness.
    Has(Seat, String, usize),
    /// The first seat's lanterns are brighter in total than the second seat's.
    Brighter(Seat, Seat),
    AsBright(Seat, Seat),
    /// This lantern is not the missing one.
    Not(String),
}

/// Positions of the lanterns: the missing lantern, and each hand in seating order.
type Lie = (String, Vec<Vec<String>>);

/// Returns whether a lantern has this color or brightness (`dim` or `bright`).
fn is_of(lantern: &str, sort: &str) -> bool {
    let (color, light) = lantern.split_once('_').unwrap();
    color == sort || (light, sort) == ("1", "dim") || (light, sort) == ("4", "bright")
}

/// Returns the sum of the brightness of the lanterns.
fn light(hand: &[String]) -> u32 {
    hand.iter().map(|lantern| lantern.split_once('_').unwrap().1.parse::<u32>().unwrap()).sum()
}

impl Said {
    /// Returns whether the statement is true for these positions.
    fn holds(&self, (missing, hands): &Lie) -> bool {
        match self {
            Self::Has(seat, sort, many) => hands[seat.index()].iter().filter(|one| is_of(one, sort)).count() == *many,
            Self::Brighter(one, other) => light(&hands[one.index()]) > light(&hands[other.index()]),
            Self::AsBright(one, other) => light(&hands[one.index()]) == light(&hands[other.index()]),
            Self::Not(lantern) => missing != lantern,
        }
    }
}

fn lantern_game(seats: u8, hand: u32, seed: u64) -> Session {
    let game = parlour::load(Path::new("examples/games/missing-lantern")).unwrap_or_else(|found| panic!("{found}"));
    let setup = Setup::seats(seats).seed(seed).set("params.hand_size", &hand.to_string());
    Session::start(&game, &setup).unwrap_or_else(|found| panic!("{found}"))
}

fn zone(table: &Table, path: &str, seat: Option<Seat>) -> Vec<String> {
    let model = table.model();
    let of = |zone: &&Zone| *zone.path == *path && zone.seat == seat;
    let at = model.zones.iter().position(|zone| of(&zone)).unwrap();
    let pieces = table.pieces(ZoneId::at(at));
    let mut all: Vec<String> = pieces.map(|piece| model.component(table.component(piece)).id.to_string()).collect();
    all.sort_unstable();
    all
}

/// Returns the actual positions of the lanterns on the table.
fn lie(table: &Table) -> Lie {
    let hands = table.model().all_seats().map(|seat| zone(table, "hand", Some(seat))).collect();
    (zone(table, "missing", None).remove(0), hands)
}

/// Returns all possible positions of the lanterns, given the lanterns that a seat sees.
fn every_lie(table: &Table, seat: Seat) -> Vec<Lie> {
    let (_, hands) = lie(table);
    let own = &hands[seat.index()];
    let mut all: Vec<String> = table.model().components.iter().map(|one| one.id.to_string()).collect();
    all.sort_unstable();
    let shown = zone(table, "display", None);
    let rest: Vec<String> = all.into_iter().filter(|one| !own.contains(one) && !shown.contains(one)).collect();
    let mut found = Vec::new();
    for missing in &rest {
        let left: Vec<String> = rest.iter().filter(|one| *one != missing).cloned().collect();
        let others = (0..hands.len()).filter(|at| *at != seat.index()).collect::<Vec<_>>();
        deal(&others, hands[0].len(), &left, &mut vec![Vec::new(); hands.len()], &mut |dealt| {
            let mut dealt = dealt.to_vec();
            dealt[seat.index()].clone_from(own);
            found.push((missing.clone(), dealt));
        });
    }
    found
}

/// Deals hands of `size` lanterns from `left` to these seats in every possible way, and calls `found` with each result.
fn deal(
    seats: &[usize],
    size: usize,
    left: &[String],
    hands: &mut Vec<Vec<String>>,
    found: &mut dyn FnMut(&[Vec<String>]),
) {
    let Some((seat, others)) = seats.split_first() else { return found(hands) };
    for set in 0_u32..1 << left.len() {
        if set.count_ones() as usize == size {
            let (hand, rest): (Vec<_>, Vec<_>) = left.iter().enumerate().partition(|(at, _)| set >> at & 1 == 1);
            hands[*seat] = hand.into_iter().map(|(_, one)| one.clone()).collect();
            let rest: Vec<String> = rest.into_iter().map(|(_, one)| one.clone()).collect();
            deal(others, size, &rest, hands, found);
        }
    }
}

/// Asks a question, and appends to `heard` the answer that everybody hears. The answer is read from the table.
fn ask(session: &mut Session, whom: Seat, about: &str, heard: &mut Vec<Said>) {
    let seat = session.decision().unwrap().seat;
    let parts = [("about".into(), Choice::Word(about.into())), ("whom".into(), Choice::Seat(whom))];
    let lies = lie(session.table());
    let said = match about {
        "light" => match light(&lies.1[seat.index()]).cmp(&light(&lies.1[whom.index()])) {
            std::cmp::Ordering::Equal => Said::AsBright(seat, whom),
            std::cmp::Ordering::Greater => Said::Brighter(seat, whom),
            std::cmp::Ordering::Less => Said::Brighter(whom, seat),
        },
        sort => {
            let many = lies.1[whom.index()].iter().filter(|one| is_of(one, sort)).count();
            Said::Has(whom, sort.to_owned(), many)
        }
    };
    session.choose_value(&Choice::Parts(Arc::from(parts))).unwrap();
    heard.push(said);
}

/// Names a lantern or passes, if the open decision asks for a guess. Appends to `heard` that the named lantern is not the missing one.
fn guess(session: &mut Session, lantern: Option<&str>, heard: &mut Vec<Said>) {
    let id = session.decision().unwrap().id;
    if &*session.model().decisions[id.index()].id != "guess" {
        return;
    }
    let component = |id: &str| Choice::Component(session.model().find_component(id).unwrap());
    let choice = lantern.map_or(Choice::Nothing, component);
    session.choose_value(&choice).unwrap();
    heard.extend(lantern.map(|lantern| Said::Not(lantern.to_owned())));
}

/// Asserts that a seat knows exactly what all of these positions have in common.
fn tells_all(session: &Session, seat: Seat, lies: &[&Lie]) {
    let model = session.model();
    let view = session.memory(Some(seat));
    let names = |faces: Vec<(ComponentId, Option<Seat>)>| -> Vec<String> {
        faces.into_iter().map(|(component, _)| model.component(component).id.to_string()).collect()
    };
    let at = |path: &str, of: Option<Seat>| {
        let at = model.zones.iter().position(|zone| *zone.path == *path && zone.seat == of).unwrap();
        model.zone(ZoneId::at(at)).space()
    };
    let few = |all: BTreeSet<String>| if all.len() > 3 { vec![] } else { all.into_iter().collect::<Vec<_>>() };
    for other in model.all_seats().filter(|other| *other != seat) {
        let hand = at("hand", Some(other));
        let hands: Vec<&Vec<String>> = lies.iter().map(|(_, hands)| &hands[other.index()]).collect();
        let is_sure = |one: &&String| hands.iter().all(|hand| hand.contains(one));
        let mut told = names(view.seen(hand).iter().filter_map(|seen| seen.face).collect());
        told.sort_unstable();
        assert_eq!(told, hands[0].iter().filter(is_sure).cloned().collect::<Vec<_>>(), "{seat:?} of {other:?}");
        let open: BTreeSet<String> =
            hands.iter().flat_map(|hand| hand.iter()).filter(|one| !is_sure(one)).cloned().collect();
        let mut others = names(view.hidden(hand).others);
        others.sort_unstable();
        assert_eq!(others, few(open), "{seat:?} of {other:?}");
    }
    let missing = at("missing", None);
    let mut told = match view.seen(missing)[0].face {
        Some(face) => names(vec![face]),
        None => names(view.may_be(missing, 0)),
    };
    told.sort_unstable();
    assert_eq!(told, few(lies.iter().map(|(missing, _)| missing.clone()).collect()), "{seat:?}");
}

/// Number of worlds that are imagined for each possible position.
const PER_LIE: u32 = 20;

/// Asserts that each seat imagines exactly the positions in which all statements hold, and imagines each equally often.
fn holds(session: &Session, heard: &[Said]) {
    let mut chance = Chance::new(4, "worlds");
    for seat in session.model().clone().all_seats() {
        let mut expected: BTreeMap<Lie, u32> = BTreeMap::new();
        for lie in every_lie(session.table(), seat).into_iter().filter(|lie| heard.iter().all(|said| said.holds(lie))) {
            expected.insert(lie, 0);
        }
        tells_all(session, seat, &expected.keys().collect::<Vec<_>>());
        let times = PER_LIE * expected.len() as u32;
        for _ in 0..times {
            let world = session.imagine(seat, &mut chance).unwrap_or_else(|| panic!("{heard:?}: no world"));
            let lie = lie(world.table());
            *expected.get_mut(&lie).unwrap_or_else(|| panic!("{heard:?} says nothing of {lie:?}")) += 1;
        }
        // Pearson's chi-square statistic. By chance, it exceeds this limit less than once in a million times, for any number of worlds.
        let sum: u32 = expected.values().map(|seen| seen.abs_diff(PER_LIE).pow(2)).sum::<u32>() / PER_LIE;
        let many = expected.len() as u32;
        assert!(sum < many + 5 * (2 * many).isqrt() + 30, "{heard:?}, {seat:?}: {sum} for {many} worlds");
    }
}

#[test]
fn worlds_of_a_deduction_game_are_uniform_over_consistent_positions() {
    let [ann, ben, cho] = [Seat(0), Seat(1), Seat(2)];
    for seed in 1..3 {
        let mut session = lantern_game(3, 3, seed);
        let mut heard = Vec::new();
        holds(&session, &heard);
        for about in ["red", "light", "bright"] {
            for (seat, other) in [(ann, ben), (ben, cho), (cho, ben)] {
                assert_eq!(session.decision().unwrap().seat, seat);
                ask(&mut session, other, about, &mut heard);
                holds(&session, &heard);
                // Ann names a lantern that is not the missing one.
                let (missing, _) = lie(session.table());
                let wrong =
                    every_lie(session.table(), seat).into_iter().map(|(one, _)| one).find(|one| *one != missing);
                let named = wrong.filter(|_| seat == ann && about == "light");
                guess(&mut session, named.as_deref(), &mut heard);
            }
        }
        holds(&session, &heard);
        assert!(heard.iter().any(|said| matches!(said, Said::Not(_))), "{heard:?}");
    }
}

#[test]
fn learned_conditions_are_undone_and_forked_with_the_session() {
    let mut session = lantern_game(3, 3, 5);
    let mut heard = Vec::new();
    ask(&mut session, Seat(1), "red", &mut heard);
    assert_eq!(session.table().learned_count(), 1);
    let before = View::memory(session.table(), Some(Seat(0))).digest();
    let fork = session.fork();
    guess(&mut session, None, &mut heard);
    ask(&mut session, Seat(2), "light", &mut heard);
    assert_eq!((session.table().learned_count(), fork.table().learned_count()), (2, 1));
    session.undo().unwrap();
    session.undo().unwrap();
    assert_eq!(session.table().learned_count(), 1);
    assert_eq!(View::memory(session.table(), Some(Seat(0))).digest(), before, "a seat knows what it knew");
    session.undo().unwrap();
    assert_eq!(session.table().learned_count(), 0);
    let again =
        Session::replay(&parlour::load("examples/games/missing-lantern").unwrap(), session.setup(), &[0]).unwrap();
    assert_eq!(again.table().learned_count(), 1, "what is replayed is learned again");
}

#[test]
fn learned_conditions_are_not_logged() {
    let mut session = lantern_game(3, 3, 1);
    let before = session.events().len();
    ask(&mut session, Seat(1), "red", &mut Vec::new());
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let told = wording.narrate(session.events());
    assert!(session.events().len() > before);
    let last = &told[told.len() - 1];
    assert_eq!(last.trim(), "Ben has no red lantern", "{told:?}");
}

/// Game with tiles that lie face down, half of which are mines. A turn has twelve steps, whose options reveal where the other mines are.
const MINES: &str = r#"
[game]
id = "mines"
name = "Mines"
players = { min = 1, max = 1 }

[zones.bag]
shape = "bag"
starts_with = ["tile"]
[zones.field]
shape = "row"
spaces = 32
accepts = ["tile"]
face = "down"

[values.seat]
points = 0

[decisions.step]
ask = "Where to?"
tell = "{seat} steps on {choice}"

[flow]
setup = ["lay_out"]
round = ["walking"]
rounds = 1
[phases.walking]
steps = [{ each_seat = "walk" }]
"#;

const TILES: &str = r#"
[kinds.tile]
[[tile]]
id = "path"
is_path = true
count = 16
[[tile]]
id = "mine"
is_path = false
count = 16
"#;

const WALK: &str = r#"
fn lay_out() { for space in field.spaces { bag.draw(1, space, "down"); } }

fn walk(seat) {
    let passed = [];
    for step in 0..12 {
        let open = field.spaces.filter(|space| !(space in passed) && space.top.is_path);
        LEARNS
        let chosen = choose(seat, "step", open);
        passed.push(chosen);
        seat.points += 1;
    }
}

fn score(seat) { seat.points }
"#;

const AGENT: &str = "fn rate_step(seat, option) { if option.top.is_path { 1 } else { 0 } }";

fn mines(learns: &str) -> Game {
    let texts = [
        ("game.toml", MINES.to_owned()),
        ("components/tiles.toml", TILES.to_owned()),
        ("rules/walk.rhai", WALK.replace("LEARNS", learns)),
    ];
    let texts = texts.map(|(name, text)| (name.to_owned(), text));
    parlour::load_texts("mines", texts).unwrap_or_else(|found| panic!("{found}"))
}

/// Plays a game with an agent that imagines worlds.
fn walked(game: &Game, agent: &str) -> PlayedGame {
    let file = Arc::new(Source { path: "agents/careful.rhai".to_owned(), text: AGENT.to_owned() });
    let shelf = AgentShelf { agents: &[file], read: &|_| Err("there is no other".to_owned()) };
    let player = Spec::parse(agent, &shelf).unwrap_or_else(|unknown| panic!("{}", unknown.message)).player(1, 0);
    game.play(&Setup::seats(1).seed(3), vec![player], false).unwrap()
}

/// Plays a game that must end without a fault. Returns the numbers of worlds that the agent imagined.
fn worlds_of(game: &Game, agent: &str) -> WorldCounts {
    let played = walked(game, agent);
    if let Err(fault) = played.outcome {
        panic!("{agent}: {}", render(&fault, false));
    }
    played.worlds
}

#[test]
fn relaxed_worlds_due_to_hidden_options_are_reported_with_line() {
    let game = mines("");
    for agent in ["careful", "search:4"] {
        let worlds = worlds_of(&game, agent);
        assert!(worlds.relaxed_count() > 0, "{worlds:?}");
        let warnings = worlds.warnings();
        assert_eq!(warnings.len(), 1, "{warnings:#?}");
        let shown = render(&warnings[0], false);
        assert_eq!(warnings[0].code, "relaxed-worlds", "{shown}");
        assert!(shown.contains("rules/walk.rhai:7:"), "{shown}");
        assert!(shown.contains("space.top.is_path") && shown.contains("seat.learn(pieces"), "{shown}");
        assert_eq!(worlds_of(&game, agent), worlds, "the same agent imagines the same worlds");
    }
    assert_eq!(worlds_of(&game, "random"), WorldCounts::default(), "nobody else imagines any");
}

#[test]
fn learning_what_options_reveal_avoids_relaxed_worlds() {
    let game = mines(
        "let closed = field.spaces.filter(|space| !space.top.is_path);
        seat.learn(open, |tile| tile.is_path);
        seat.learn(closed, |tile| !tile.is_path);",
    );
    for agent in ["careful", "search:4"] {
        let worlds = worlds_of(&game, agent);
        assert!(worlds.imagined > 0 && worlds.relaxed.is_empty(), "{worlds:?}");
    }
}

/// Returns the diagnostics of `check` for Leduc poker with changed rules.
fn checked_with(changes: &[(&str, &str)]) -> Vec<Diagnostic> {
    let folder = Path::new("examples/games/leduc-poker");
    let texts = ["game.toml", "components/cards.toml", "rules/play.rhai"].map(|path| {
        let text = std::fs::read_to_string(folder.join(path)).unwrap();
        (path.to_owned(), changes.iter().fold(text, |text, (from, to)| text.replace(from, to)))
    });
    let game = parlour::load_texts("leduc", texts).unwrap_or_else(|found| panic!("{found}"));
    let found = fuzz(&game, FuzzLimits::default(), &|_| {}, &|| false);
    assert!(found.faults.is_empty() && found.mistakes.0.is_empty());
    found.odd
}

/// Like [`checked_with`], but with an additional condition for raising.
fn checked_where_raising_takes(condition: &str) -> Vec<Diagnostic> {
    checked_with(&[("if game.raises < most_raises", &format!("if game.raises < most_raises && {condition}"))])
}

#[test]
fn options_that_reveal_hidden_information_are_reported() {
    assert_eq!(checked_where_raising_takes("seat.hand.top.strength > 1"), Vec::new());
    for (condition, at) in [
        ("next(seat).hand.top.strength > 1", "strength"),
        ("suppose(|| { deck.draw(1, seat.hand); seat.hand.sum(\"strength\") > 3 })", "sum"),
        ("deck.top.strength < 3", "strength"),
        // The first read is of something hidden, too, but has no influence on the options.
        ("(board.count() < 99 || deck.top.strength > 0) && next(seat).hand.sum(\"strength\") > 1", "sum"),
        ("(deck.top.strength > 0 || board.count() < 99) && next(seat).hand.sum(\"strength\") > 1", "sum"),
    ] {
        let found = checked_where_raising_takes(condition);
        assert_eq!(found.len(), 1, "{found:#?}");
        let shown = render(&found[0], false);
        assert_eq!(found[0].code, "telling-options", "{shown}");
        let line = shown.lines().find(|line| line.contains("^^^")).unwrap();
        let under = shown.lines().find(|line| line.contains(condition)).unwrap();
        let marked = &under[line.find('^').unwrap()..=line.rfind('^').unwrap()];
        assert_eq!(marked, at, "{shown}");
        assert!(shown.contains("asks `act`"), "{shown}");
        assert!(shown.contains("options that are not offered there: 1") || shown.contains("raise"), "{shown}");
    }
}

#[test]
fn not_asking_a_seat_due_to_hidden_facts_is_reported() {
    let found = checked_with(&[
        ("    acts\n}", "    if next(seat).hand.top.strength > 1 { acts } else { [] }\n}"),
        ("choose(seat, \"act\"", "choose_if_any(seat, \"act\""),
    ]);
    assert!(found.iter().any(|found| found.code == "telling-options"), "{found:#?}");
}

#[test]
fn asking_or_pick_limits_based_on_hidden_facts_are_reported() {
    let asked = |body: &str| {
        let found = checked_with(&[("fn bet(raise) {", &format!("fn bet(raise) {{ for seat in seats {{ {body} }}"))]);
        found.iter().any(|found| found.code == "telling-options")
    };
    let hidden = "next(seat).hand.top.strength > 1";
    let tried = "suppose(|| { deck.draw(1, board); board.top.strength > 1 })";
    for condition in [hidden, tried] {
        assert!(
            asked(&format!("if {condition} {{ if confirm(seat, \"act\") {{ seat.stake += 1; }} }}")),
            "{condition}"
        );
        assert!(asked(&format!(
            "let most = if {condition} {{ 2 }} else {{ 1 }}; seat.stake += choose_some(seat, \"act\", [1, 2, 3], 0, most).len();"
        )));
    }
    let known = "seat.hand.top.strength > 1";
    assert!(!asked(&format!("if {known} {{ if confirm(seat, \"act\") {{ seat.stake += 1; }} }}")));
    assert!(!asked(&format!(
        "let most = if {known} {{ 2 }} else {{ 1 }}; seat.stake += choose_some(seat, \"act\", [1, 2, 3], 0, most).len();"
    )));
}

/// Game with face-up stones and hidden hands. A seat takes one of two pieces, which `codes_of_stones` lets an expression pick.
const STONES: &str = r#"
[game]
format = 1
id = "stones"
players = { min = 2, max = 2 }
[zones.quarry]
shape = "pile"
starts_with = ["stone"]
shows = "all"
face = "up"
[zones.deck]
shape = "pile"
starts_with = ["coin"]
face = "down"
[zones.hand]
per = "seat"
shape = "hand"
[decisions.take]
ask = "Which?"
[flow]
setup = ["deal"]
round = ["main"]
rounds = 2
[phases.main]
steps = [{ each_seat = "turn" }]
"#;

/// Returns the codes of the diagnostics that `check` reports for the game of stones if a seat is offered `pick`.
fn codes_of_stones(pick: &str) -> Vec<&'static str> {
    let rules = format!(
        "fn deal() {{ deck.shuffle(); for seat in seats {{ deck.draw(3, seat.hand); }} }}
        fn turn(seat) {{
            let some = [];
            for time in 0..2 {{ some.push({pick}); }}
            choose(seat, \"take\", some).move_to(seat.hand);
        }}
        fn score(seat) {{ seat.hand.count() }}"
    );
    let rows = "[[stone]]\nid = \"stone_{n}\"\neach = { n = \"1..9\" }\n[[coin]]\nid = \"coin_{n}\"\neach = { n = \"1..9\" }\n";
    let texts = [("game.toml", STONES), ("components/box.toml", rows), ("rules/play.rhai", &rules)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let game = parlour::load_texts("stones", texts).unwrap_or_else(|found| panic!("{found}"));
    let found = fuzz(&game, FuzzLimits::default(), &|_| {}, &|| false);
    assert!(found.faults.is_empty(), "{:#?}", found.faults.iter().map(|fault| &fault.diagnostic).collect::<Vec<_>>());
    found.odd.iter().map(|found| found.code).collect()
}

#[test]
fn random_options_among_visible_pieces_are_not_reported() {
    assert!(codes_of_stones("any_of(quarry.pieces.without(some))").is_empty());
    assert!(codes_of_stones("any_of(seat.hand.pieces.without(some))").is_empty());
    assert!(codes_of_stones("quarry.pieces[any_of([0, 1, 2]) + 3 * some.len()]").is_empty());
    // The secret roll of another seat is hidden.
    assert_eq!(codes_of_stones("quarry.pieces[roll(4, next(seat)) + 4 * some.len() - 1]"), ["telling-options"]);
}

#[test]
fn conditions_that_fault_in_imagined_worlds_are_reported() {
    // The condition divides by the number of mines among the first tiles. There is one such mine in the game, but none in some worlds.
    let game = mines("");
    let setup = Setup::seats(1).seed(3);
    let session = Session::start(&game, &setup).unwrap();
    let mines = |at: usize| {
        let table = session.table();
        let space = table.spaces(table.zone_of(table.all_pieces().next().unwrap())).nth(at).unwrap();
        table.model().component(table.component(table.top(space).unwrap())).id.to_string()
    };
    let first = (0..32).find(|at| mines(*at) == "mine").unwrap() + 1;
    let game = game_that_divides(first);
    let fault = walked(&game, "careful").outcome.unwrap_err();
    assert_eq!(fault.code, "arithmetic", "{}", render(&fault, false));
    assert!(render(&fault, false).contains("seat.learn"), "{}", render(&fault, false));
}

fn game_that_divides(first: usize) -> Game {
    mines(&format!(
        "let few = field.spaces.take({first});
        seat.learn(few, || 100 / few.count(|space| !space.top.is_path) > 0);"
    ))
}

#[test]
fn games_of_agents_with_learned_conditions_are_reproducible() {
    let game = parlour::load("examples/games/missing-lantern").unwrap();
    let own = game.layout(&Setup::seats(3)).unwrap().model.agents.clone();
    let shelf = AgentShelf { agents: &own, read: &|_| Err("there is no other".to_owned()) };
    let played = |agent: &str| {
        let spec = Spec::parse(agent, &shelf).unwrap_or_else(|unknown| panic!("{}", unknown.message));
        let players = (0..3).map(|seat| spec.player(2, seat)).collect();
        let played = game.play(&Setup::seats(3).seed(2), players, false).unwrap();
        (played.fingerprint, played.decisions, played.outcome.unwrap())
    };
    for agent in ["sleuth", "search:20"] {
        assert_eq!(played(agent), played(agent), "{agent}");
    }
}

/// Game with two hands of six cards out of 22. Enough is known about the hands that only 40 of several hundred million deals are possible.
const HANDS: &str = r#"
[game]
id = "hands"
name = "Hands"
players = { min = 3, max = 3 }

[zones.deck]
shape = "pile"
face = "down"
starts_with = ["card"]
[zones.hand]
per = "seat"
shape = "hand"
accepts = ["card"]

[decisions.say]
ask = "What?"
tell = "{seat} says {choice}"

[flow]
setup = ["deal"]
round = ["asking"]
rounds = 1
[phases.asking]
steps = ["turn"]
"#;

const DEAL: &str = r#"
fn deal() {
    deck.shuffle();
    let s = seats;
    for id in ["c23", "c24"] { deck.where("component", component(id)).first.move_to(s[0].hand); }
    for id in ["c22", "c1", "c20", "c3", "c18", "c5"] { deck.where("component", component(id)).first.move_to(s[1].hand); }
    for id in ["c21", "c2", "c19", "c4", "c17", "c6"] { deck.where("component", component(id)).first.move_to(s[2].hand); }
    for seat in [s[1], s[2]] {
        seats.learn(seat.hand, || seat.hand.sum("v") == 69);
        seats.learn(seat.hand, || seat.hand.count(|card| card.v > 16) == 3);
    }
    seats.learn(s[1].hand, || s[1].hand.count(|card| card.v % 2 == 1) == 3);
}
fn turn() { choose(seats[0], "say", [1, 2]); }
fn score(seat) { 0 }
"#;

/// Returns all sets of six of these numbers with the sum 69 in which three numbers are above 16.
fn sixes(left: &[u32]) -> Vec<Vec<u32>> {
    let fits = |six: &Vec<u32>| six.iter().sum::<u32>() == 69 && six.iter().filter(|one| **one > 16).count() == 3;
    let sets = (0_u32..1 << left.len()).filter(|set| set.count_ones() == 6);
    let six = |set: u32| (0..left.len()).filter(|at| set >> at & 1 == 1).map(|at| left[at]).collect::<Vec<_>>();
    sets.map(six).filter(fits).collect()
}

#[test]
fn worlds_are_found_uniformly_if_one_deal_in_millions_fits() {
    let card = |number| format!("[[card]]\nid = \"c{number}\"\nv = {number}\n");
    let cards = (1..25).map(card).collect::<Vec<_>>().concat();
    let texts = [
        ("game.toml", HANDS.to_owned()),
        ("components/cards.toml", format!("[kinds.card]\nfields = {{ v = \"number\" }}\n{cards}")),
        ("rules/deal.rhai", DEAL.to_owned()),
    ];
    let texts = texts.map(|(name, text)| (name.to_owned(), text));
    let game = parlour::load_texts("hands", texts).unwrap_or_else(|found| panic!("{found}"));
    let session = Session::start(&game, &Setup::seats(3).seed(1)).unwrap_or_else(|found| panic!("{found}"));
    let all: Vec<u32> = (1..23).collect();
    let mut wanted = BTreeMap::new();
    for ben in sixes(&all).into_iter().filter(|six| six.iter().filter(|one| **one % 2 == 1).count() == 3) {
        let left: Vec<u32> = all.iter().copied().filter(|one| !ben.contains(one)).collect();
        wanted.extend(sixes(&left).into_iter().map(|cho| ((ben.clone(), cho), 0)));
    }
    let mut chance = Chance::new(5, "few");
    for _ in 0..5 * wanted.len() {
        let world = session.imagine(Seat(0), &mut chance).expect("there are worlds");
        let hand = |seat: u8| {
            let mut hand: Vec<u32> =
                zone(world.table(), "hand", Some(Seat(seat))).iter().map(|id| id[1..].parse().unwrap()).collect();
            hand.sort_unstable();
            hand
        };
        *wanted.get_mut(&(hand(1), hand(2))).expect("what is imagined is one of all worlds") += 1;
    }
    let sum: u32 = wanted.values().map(|seen: &u32| seen.abs_diff(5).pow(2)).sum::<u32>() / 5;
    let many = wanted.len() as u32;
    assert!(sum < many + 5 * (2 * many).isqrt() + 30, "{sum} for {many}: {wanted:?}");
}

/// Each learned condition holds a copy of the table. The oldest conditions are forgotten if these copies get too large.
#[test]
fn conditions_on_a_large_table_are_limited_by_its_size() {
    let values = (0..25).map(|at| format!("[values.space.v{at}]\nin = \"board\"\nstart = 0\n"));
    let values = values.collect::<Vec<_>>().concat();
    let learned = |rows: usize, values: &str| {
        let game = format!(
            r#"
[game]
id = "lessons"
players = {{ min = 2, max = 2 }}
{values}
[zones.board]
shape = "grid"
columns = 100
rows = {rows}
[zones.deck]
shape = "pile"
face = "down"
starts_with = ["card"]
[zones.hand]
shape = "hand"
per = "seat"
[decisions.act]
ask = "What now?"
[flow]
round = ["play"]
rounds = 1
[phases.play]
steps = ["learn_all"]
"#
        );
        // A step may execute a limited number of operations between two answers, and copying a large table counts as many of them.
        let rules = "fn learn_all() { deck.shuffle(); let count = 0; for card in deck.take(100) { \
                     next(first).learn(card, |card| card.kind == \"card\"); count += 1; \
                     if count % 10 == 0 { choose(first, \"act\", [1, 2]); } } }\n\
                     fn score(seat) { 0 }\n";
        let cards = "[[card]]\nid = \"a{x}\"\n[card.each]\nx = \"1..300\"\n";
        let texts = [("game.toml", &*game), ("components/card.toml", cards), ("rules/play.rhai", rules)];
        let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let game = parlour::load_texts("lessons", texts).unwrap_or_else(|found| panic!("{found}"));
        let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
        (0..10).for_each(|_| session.choose(0).unwrap());
        session.table().learned_count()
    };
    assert_eq!(learned(1, ""), 100);
    // 25 values of 10,000 spaces take 2 MB.
    let count = learned(100, &values);
    assert!((8..=16).contains(&count), "{count}");
}
