//! Invariants of Revolution of 1828 over whole games (section 11 of the specification), checked on the events of random games. Invariants
//! of a single position are in the game's `9_invariants.rhai`. Examples and rulings are in its playscripts.

use crate::finished_game::{self, FinishedGame};
use parlour::model::{ComponentId, Language, PhaseId, Seat, SpaceId};
use parlour::session::{Choice, Event, EventKind, Game, Opening, Session, Setup, Start};
use parlour::table::Holder;
use parlour::wording::{Offer, Wording};
use std::collections::{BTreeMap, BTreeSet};

/// Number of games that are played.
const GAMES: u64 = 30;

/// Number of tiles laid out in each round.
const TILES_PER_ROUND: usize = 18;

/// Number of tiles in the bag in each round, after tiles were laid out.
const BAG: [usize; 4] = [60, 42, 24, 6];

const REGIONS: [&str; 5] = ["south_central", "north_central", "south_atlantic", "mid_atlantic", "new_england"];
const PRESS: &str = "press";
const SEATS: [Seat; 2] = [Seat(0), Seat(1)];

/// Zone, as its path and its owner.
type Place = (String, Option<Seat>);

/// Position that is reconstructed from events only.
#[derive(Default, Clone)]
struct Position {
    counts: BTreeMap<(Place, String), usize>,
    votes: [i64; 2],
    knocked_over: BTreeSet<String>,
    phase: String,
    round: usize,
}

fn finished_games() -> Vec<FinishedGame> {
    let game = parlour::load("games/revolution-1828").unwrap();
    (0..GAMES).map(|seed| FinishedGame::play_randomly(&game, &Setup::seats(2).seed(seed))).collect()
}

impl FinishedGame {
    fn id(&self, component: ComponentId) -> String {
        self.model().component(component).id.to_string()
    }

    fn place(&self, space: SpaceId) -> Place {
        let zone = self.model().zone(self.model().space(space).zone);
        (zone.path.to_string(), zone.seat)
    }

    /// Replays the events. Calls `look` with each event and the position before it, and returns the last position.
    fn follow(&self, mut look: impl FnMut(&Event, &Position)) -> Position {
        let mut now = Position::new(self);
        for event in self.session.events() {
            look(event, &now);
            now.apply(self, event);
        }
        now
    }

    /// Returns the seat, and the ids of the answer's parts, if the event answers the decision `name`.
    fn answer(&self, event: &Event, name: &str) -> Option<(Seat, BTreeMap<String, String>)> {
        let EventKind::Chose { seat, decision, choice, appearances } = &event.kind else { return None };
        if *self.model().decisions[decision.index()].id != *name {
            return None;
        }
        let id = |choice: &Choice| match choice {
            Choice::Component(component) => self.id(*component),
            Choice::Piece(piece) => self.id(appearances.iter().find(|(known, _)| known == piece).unwrap().1.component),
            Choice::Nothing => String::new(),
            other => panic!("{other:?}"),
        };
        let parts = match choice {
            Choice::Parts(parts) => parts.iter().map(|(name, part)| (name.to_string(), id(part))).collect(),
            single => BTreeMap::from([("choice".to_owned(), id(single))]),
        };
        Some((*seat, parts))
    }

    /// Returns the id of the phase that the event begins.
    fn begins<'a>(&'a self, event: &Event) -> Option<&'a str> {
        match event.kind {
            EventKind::Phase(phase) => Some(&self.model().phases[phase.index()].id),
            _ => None,
        }
    }

    /// Returns the id of the piece that the event moves, with its origin and its target.
    fn moved(&self, event: &Event) -> Option<(String, Place, Place)> {
        match &event.kind {
            EventKind::Moved { look, to } => Some((self.id(look.component), self.place(look.space), self.place(*to))),
            _ => None,
        }
    }

    /// Returns the seat, the old number and the new number if the event changes votes.
    fn vote_change(&self, event: &Event) -> Option<(Seat, i64, i64)> {
        match event.kind {
            EventKind::Set { value, holder: Holder::Seat(seat), old, new, .. }
                if &*self.model().value(value).id == "votes" =>
            {
                Some((seat, old, new))
            }
            _ => None,
        }
    }
}

impl Position {
    /// Creates the position in which all pieces are in their initial zones.
    fn new(finished: &FinishedGame) -> Self {
        let mut now = Self::default();
        for piece in &finished.model().pieces {
            let place = finished.place(finished.model().zone(piece.zone).space());
            *now.counts.entry((place, finished.id(piece.component))).or_default() += 1;
        }
        now
    }

    fn apply(&mut self, finished: &FinishedGame, event: &Event) {
        if let Some((what, from, to)) = finished.moved(event) {
            *self.counts.get_mut(&(from, what.clone())).expect("the piece was there") -= 1;
            *self.counts.entry((to, what)).or_default() += 1;
        } else if let Some((seat, _, new)) = finished.vote_change(event) {
            self.votes[seat.index()] = new;
        } else if let Some((_, figure)) = finished.answer(event, "momentum") {
            self.knocked_over.insert(figure["choice"].clone());
        } else if let Some(phase) = finished.begins(event) {
            phase.clone_into(&mut self.phase);
        } else if let EventKind::Round(round) = event.kind {
            self.round = round as usize;
            self.knocked_over.clear();
        }
    }

    fn count(&self, wanted: impl Fn(&Place, &str) -> bool) -> usize {
        self.counts.iter().filter(|((place, what), _)| wanted(place, what)).map(|(_, count)| *count).sum()
    }

    fn at(&self, path: &str, seat: Option<Seat>) -> usize {
        self.count(|place, _| place.0 == path && place.1 == seat)
    }

    fn unclaimed(&self, area: &str) -> usize {
        self.at(&format!("unclaimed[{area}]"), None)
    }

    fn side(&self, seat: Seat, area: &str) -> i64 {
        self.at(&format!("side[{area}]"), Some(seat)) as i64
    }

    fn smears(&self, seat: Seat, area: &str) -> i64 {
        self.count(|place, what| *place == (format!("side[{area}]"), Some(seat)) && what == "smear_campaign") as i64
    }

    fn holds(&self, seat: Seat, figure: &str) -> bool {
        self.count(|place, what| *place == ("figures".to_owned(), Some(seat)) && what == figure) == 1
    }

    fn all_unclaimed(&self) -> usize {
        self.count(|place, _| place.0.starts_with("unclaimed["))
    }

    /// Calculates the votes after a count from the position before it, by section 7 of the specification.
    fn votes_after_count(&self) -> [i64; 2] {
        let mut votes = self.votes;
        let actions = SEATS.map(|seat| self.at("campaign_area", Some(seat)));
        for seat in SEATS {
            let (own, other) = (seat.index(), 1 - seat.index());
            votes[own] += if actions[own] > actions[other] { 3 } else { 0 };
            for region in REGIONS {
                let (a, b) = (self.side(seat, region), self.side(SEATS[other], region));
                votes[own] += i64::from(a > b) + i64::from(a > b && b == 0);
                votes[own] += if self.holds(seat, &format!("elector_{region}")) { a } else { 0 };
            }
        }
        let editor = SEATS.into_iter().find(|seat| self.holds(*seat, "editor")).expect("a player has the editor");
        let scandal: i64 = REGIONS.iter().chain(&[PRESS]).map(|area| self.smears(editor, area)).sum();
        let paid = scandal.min(votes[editor.index()]);
        votes[editor.index()] -= paid;
        votes[1 - editor.index()] += paid;
        votes
    }
}

#[test]
fn i2_no_tile_returns_to_the_bag_and_rounds_draw_18() {
    for finished in finished_games() {
        finished.follow(|event, now| {
            if finished.begins(event) == Some("campaign") {
                assert_eq!(now.at("bag", None), BAG[now.round - 1]);
            }
            assert!(finished.moved(event).is_none_or(|(_, _, to)| to.0 != "bag"));
        });
    }
}

#[test]
fn i3_a_round_has_18_takes_and_gerrymandering_takes_none() {
    for finished in finished_games() {
        let (mut takes, mut gone) = (0, 0);
        finished.follow(|event, _| {
            takes += usize::from(finished.answer(event, "take").is_some());
            let left = |(_, from, to): (String, Place, Place)| is_unclaimed(&from) && !is_unclaimed(&to);
            gone += usize::from(finished.moved(event).is_some_and(left));
            if finished.begins(event) == Some("count") {
                assert_eq!((takes, gone), (TILES_PER_ROUND, TILES_PER_ROUND));
                (takes, gone) = (0, 0);
            }
        });
    }
}

fn is_unclaimed(place: &Place) -> bool {
    place.0.starts_with("unclaimed[")
}

#[test]
fn i4_all_figures_are_claimed_when_votes_are_counted() {
    for finished in finished_games() {
        finished.follow(|event, now| {
            if finished.begins(event) == Some("count") {
                assert_eq!(now.count(|place, _| place.0 == "figures"), REGIONS.len() + 1);
                assert_eq!(now.count(|place, _| place.0.starts_with("middle[")), 0);
            }
        });
    }
}

#[test]
fn i5_every_take_is_legal_by_agenda_and_rally() {
    for finished in finished_games() {
        let mut bound: [Option<String>; 2] = [None, None];
        finished.follow(|event, now| {
            if finished.begins(event) == Some("campaign") {
                bound = [None, None];
            }
            if let Some((seat, agenda)) = finished.answer(event, "agenda") {
                bound[1 - seat.index()] = Some(agenda["choice"].clone());
            }
            let Some((seat, taken)) = finished.answer(event, "take") else { return };
            let (area, tile) = (&taken["area"], &taken["tile"]);
            if let Some(named) = bound[seat.index()].take() {
                assert!(now.unclaimed(&named) == 0 || *area == named, "{area} is not the {named} of the Agenda");
            }
            let unclaimed = format!("unclaimed[{area}]");
            let rallies = now.count(|place, what| place.0 == unclaimed && what == "campaign_rally");
            assert!(rallies == 0 || tile == "campaign_rally", "{tile} from beside a Rally");
        });
    }
}

#[test]
fn i7_smear_campaigns_in_the_press_area_never_get_fewer() {
    for finished in finished_games() {
        let mut most = [0; 2];
        finished.follow(|_, now| {
            let here = SEATS.map(|seat| now.smears(seat, PRESS));
            assert!(here[0] >= most[0] && here[1] >= most[1] && here[0] + here[1] <= 9);
            most = here;
        });
    }
}

#[test]
fn i8_votes_never_fall_except_when_scandal_transfers_them() {
    for finished in finished_games() {
        let mut before = None;
        let over = finished.follow(|event, now| {
            match &event.kind {
                EventKind::Said { say, .. } if &*finished.model().says[say.index()].id == "scandal" => {
                    before = Some(now.votes[0] + now.votes[1]);
                }
                EventKind::Step => {
                    let sum = now.votes[0] + now.votes[1];
                    assert_eq!(before.take().unwrap_or(sum), sum);
                }
                _ => {}
            }
            if let Some((_, old, new)) = finished.vote_change(event) {
                assert!(new >= 0 && (new >= old || before.is_some()), "votes fall from {old} to {new}");
            }
        });
        let scores = finished.session.outcome().unwrap().standings.iter().map(|standing| standing.score);
        assert_eq!(scores.collect::<Vec<_>>(), over.votes);
    }
}

#[test]
fn i9_and_i10_every_count_matches_the_position() {
    for finished in finished_games() {
        let mut expected = None;
        finished.follow(|event, now| {
            let starts = matches!(event.kind, EventKind::Round(_) | EventKind::Finish);
            if let Some(expected) = expected.take_if(|_| starts) {
                assert_eq!(now.votes, expected);
            }
            if finished.begins(event) == Some("count") {
                expected = Some(now.votes_after_count());
            }
        });
        assert_eq!(expected, None);
    }
}

#[test]
fn i11_tiles_are_with_players_or_were_returned_in_pairs_for_financing() {
    for finished in finished_games() {
        let mut returned = 0;
        finished.follow(|event, now| {
            if now.phase == "campaign" {
                returned += usize::from(finished.moved(event).is_some_and(|(_, _, to)| to.0 == "box"));
            }
            if finished.begins(event) == Some("count") {
                let press = format!("side[{PRESS}]");
                let sides = now.count(|place, _| place.0.starts_with("side[") && place.0 != press);
                let actions = now.count(|place, _| place.0 == "campaign_area");
                assert_eq!(sides + actions + returned, TILES_PER_ROUND);
                assert_eq!(returned % 2, 0);
                returned = 0;
            }
        });
    }
}

#[test]
fn i12_another_turn_follows_exactly_after_an_upright_figure_or_financing() {
    for finished in finished_games() {
        let mut last: Option<(Seat, bool)> = None;
        finished.follow(|event, now| {
            if finished.begins(event) == Some("campaign") {
                last = None;
            }
            if let Some((seat, _)) = finished.answer(event, "take") {
                if let Some((before, earned)) = last {
                    assert_eq!(seat == before, earned, "after a turn of {before:?}");
                }
                last = Some((seat, false));
            }
            let Some((_, earned)) = last.as_mut().filter(|_| now.phase == "campaign") else { return };
            let upright = finished.moved(event).filter(|(_, _, to)| to.0 == "figures");
            *earned |= upright.is_some_and(|(figure, ..)| !now.knocked_over.contains(&figure));
            *earned |= finished.answer(event, "finance").is_some_and(|(_, paid)| paid.contains_key("returned"));
        });
    }
}

#[test]
fn i13_an_emptied_area_stays_empty_until_the_next_round() {
    for finished in finished_games() {
        let mut emptied: BTreeSet<&str> = BTreeSet::new();
        finished.follow(|event, now| {
            if now.phase != "campaign" {
                emptied.clear();
                return;
            }
            let areas = REGIONS.iter().chain(&[PRESS]);
            assert!(emptied.iter().all(|area| now.unclaimed(area) == 0));
            emptied.extend(areas.filter(|area| now.unclaimed(area) == 0));
            let moved = finished.moved(event).filter(|(_, _, to)| is_unclaimed(to));
            assert!(moved.is_none_or(|(_, from, _)| is_unclaimed(&from)));
        });
    }
}

#[test]
fn i14_there_are_four_counts_and_the_players_begin_alternately() {
    for finished in finished_games() {
        let (mut counts, mut beginners) = (0, Vec::new());
        let over = finished.follow(|event, now| {
            counts += usize::from(finished.begins(event) == Some("count"));
            if let Some((seat, _)) = finished.answer(event, "take").filter(|_| now.all_unclaimed() == TILES_PER_ROUND) {
                beginners.push(seat);
            }
        });
        assert_eq!((counts, over.at("bag", None)), (4, 6));
        assert_eq!(beginners, [beginners[0], beginners[1], beginners[0], beginners[1]]);
        assert_ne!(beginners[0], beginners[1]);
    }
}

#[test]
fn the_winner_has_more_votes_or_fewer_smear_campaigns() {
    for finished in finished_games() {
        let over = finished.follow(|_, _| {});
        let outcome = finished.session.outcome().unwrap();
        let keys = SEATS.map(|seat| (over.votes[seat.index()], -over.smears(seat, PRESS)));
        let ending = &*finished.model().endings[outcome.ending.index()].id;
        let expected = match () {
            () if keys[0] == keys[1] => "draw",
            () if keys[0].0 == keys[1].0 => "clean_hands",
            () => "majority",
        };
        assert_eq!(ending, expected);
        for standing in &outcome.standings {
            assert_eq!(standing.rank == 1, keys[standing.seat.index()] == *keys.iter().max().unwrap());
        }
    }
}

/// Applies a change to a valid position at the beginning of a campaign, and returns whether an invariant of the rules still holds.
fn holds(invariant: &str, change: &str) -> bool {
    let game = parlour::load("games/revolution-1828").unwrap();
    let script = format!("set_up_figures(); lay_out_tiles(); {change}");
    finished_game::holds(
        &mut finished_game::open_arranged(&game, &Setup::seats(2), ("campaign", 1), script),
        format!("{invariant}()"),
    )
}

#[test]
fn invariants_detect_broken_positions() {
    let cases = [
        ("invariant_1_tiles", "put(\"editor\", box);"),
        ("invariant_2_bag", "bag.draw(unclaimed[\"press\"]);"),
        ("invariant_4_figures", "middle[\"press\"].move_to(Ann.figures);"),
        ("invariant_5_delegates", "put(\"delegate_new_england\", Ann.side[\"press\"]);"),
        ("invariant_6_sides", "put(\"delegate_new_england\", Ann.side[\"press\"]);"),
        (
            "invariant_7_smears",
            "put(\"smear_campaign\", 9, Ann.side[\"press\"]); put(\"delegate_new_england\", Ben.side[\"press\"]);",
        ),
        ("invariant_11_round", "bag.draw(unclaimed[\"press\"]);"),
    ];
    for (invariant, change) in cases {
        assert!(holds(invariant, ""), "{invariant}");
        assert!(!holds(invariant, change), "{invariant}");
    }
}

/// A move that the log entry of an answer describes is not logged again.
#[test]
fn moves_of_a_turn_are_logged_once() {
    let game = parlour::load("games/revolution-1828").unwrap();
    let setup = Setup::seats(2).option("first_player", "1");
    let arrange = "set_up_figures(); put([\"gerrymandering\", \"delegate_new_england\"], unclaimed[\"press\"]); \
                   put([\"agenda\", \"momentum\", \"smear_campaign\"], unclaimed[\"new_england\"]); for area in components(\"area\") { claim(Ben, area); }";
    let source = finished_game::source(arrange.to_owned());
    let phases = &game.layout(&setup).unwrap().model.phases.clone();
    let campaign = PhaseId::at(phases.iter().position(|phase| &*phase.id == "campaign").unwrap());
    let start = Start::Phase { phase: campaign, round: 1, seat: None, after_setup: false };
    let opening = Opening { start, arrange: vec![source], ..Opening::default() };
    let mut session = Session::open(&game, &setup, opening).unwrap();
    let wording = Wording::new(session.model().clone(), setup, Language::English);
    for wanted in ["gerrymandering", "tile=delegate_new_england", "tile=agenda", "tile=momentum"] {
        let decision = session.decision().unwrap();
        let options = Offer::new(wording.clone(), session.table(), decision).all_written();
        let at = options.iter().position(|option| option.contains(wanted));
        session.choose(at.unwrap_or_else(|| panic!("{wanted}: {options:?}"))).unwrap();
    }
    let told: Vec<String> = wording.narrate(session.events()).iter().map(|line| line.trim().to_owned()).collect();
    let expected = [
        "Campaign",
        "Ann takes Gerrymandering from Press area — Press area's unclaimed section → Ann's tile at hand: Gerrymandering",
        "Ann's Gerrymandering: Ann moves New England delegate from Press area to New England — Press area's unclaimed section →",
        "New England's unclaimed section: New England delegate; Press area's middle → Ann's figures: editor",
        "Ann's tile at hand → Ann's campaign area: Gerrymandering",
        "Ann has another turn: the figure claimed stood upright",
        "Ann takes Agenda from New England — New England's unclaimed section → Ann's tile at hand: Agenda",
        "Ann's Agenda: Ann sets the agenda: the opponent takes from New England next",
        "Ann's tile at hand → Ann's campaign area: Agenda",
        "Ben takes Momentum from New England — New England's unclaimed section →",
        "Ben's tile at hand: Momentum",
        "Ben's Momentum: Ben knocks over the blue elector of New England — upright yes → no",
        "Ben's tile at hand → Ben's campaign area: Momentum",
    ];
    assert_eq!(told.join(" "), expected.join(" "));
}

/// Loads the game with additional tiles: campaign actions that claim an elector, and a second kind of smear campaign and of delegate.
fn with_more_tiles(rules: &str) -> Game {
    let name = |id: &str| format!("name = {{ en = \"{id}\", zh-Hant = \"{id}\" }}");
    let tiles = format!(
        "[[action]]\nid = \"turncoat\"\n{}\ncount = 2\ndoes = [\"win_over\"]\n\
         [[smear]]\nid = \"slander\"\n{}\ncount = 2\n\
         [[delegate]]\nid = \"governor\"\n{}\nregion = \"south_central\"\ncount = 1\n",
        name("turncoat"),
        name("slander"),
        name("governor"),
    );
    let read =
        |path: &str| (path.to_owned(), std::fs::read_to_string(format!("games/revolution-1828/{path}")).unwrap());
    let mut texts = vec![read("game.toml"), ("components/more.toml".to_owned(), tiles)];
    texts.push(("rules/8_more.rhai".to_owned(), rules.to_owned()));
    for folder in ["components", "rules"] {
        let files = std::fs::read_dir(format!("games/revolution-1828/{folder}")).unwrap();
        texts.extend(files.map(|file| read(&format!("{folder}/{}", file.unwrap().file_name().to_str().unwrap()))));
    }
    parlour::load_texts("revolution-1828", texts).unwrap()
}

/// Function of an additional tile that claims the opponent's elector of New England.
const WIN_OVER: &str = "/// An elector changes sides.\nfn win_over(tile, seat) {\n    \
                        opponent(seat).figures.find(\"area\", component(\"new_england\")).move_to(seat.figures);\n}\n";

/// Like [`WIN_OVER`], but also gives another turn. A function that claims an upright figure must do this itself.
const CLAIM_OVER: &str = "/// An elector changes sides and gives another turn.\nfn win_over(tile, seat) {\n    \
                          opponent(seat).figures.find(\"area\", component(\"new_england\")).move_to(seat.figures);\n    \
                          seat.claimed_upright = true;\n}\n";

/// Opens a campaign in a prepared position, and takes the given tile for Ann.
fn after_taking(rules: &str, tile: &str, arrange: &str) -> Session {
    let script = format!(
        "set_up_figures(); put([\"{tile}\", \"agenda\", \"momentum\"], unclaimed[\"press\"]); {arrange} \
         for area in components(\"area\") {{ claim(Ben, area); }}"
    );
    let setup = Setup::seats(2).option("first_player", "1");
    let mut session = finished_game::open_arranged(&with_more_tiles(rules), &setup, ("campaign", 1), script);
    choose(&mut session, &format!("tile={tile}"));
    session
}

/// Returns the texts of the open options, as they are written in playscripts.
fn options(session: &Session) -> Vec<String> {
    let decision = session.decision().unwrap();
    let wording = Wording::new(session.model().clone(), Setup::seats(2), Language::English);
    Offer::new(wording, session.table(), decision).all_written()
}

fn choose(session: &mut Session, wanted: &str) {
    let options = options(session);
    let at = options.iter().position(|option| option.contains(wanted));
    session.choose(at.unwrap_or_else(|| panic!("{wanted}: {options:?}"))).unwrap();
}

/// Returns the asked seat and the id of the decision.
fn asked(session: &Session) -> (Seat, String) {
    let decision = session.decision().unwrap();
    (decision.seat, session.model().decisions[decision.id.index()].id.to_string())
}

#[test]
fn a_tile_that_claims_an_elector_gives_another_turn_only_if_its_function_does() {
    let has_come = "Ann.figures.count(\"area\", component(\"new_england\")) == 1";
    let mut plain = after_taking(WIN_OVER, "turncoat", "");
    assert!(finished_game::holds(&mut plain, has_come));
    assert_eq!(asked(&plain), (Seat(1), "take".to_owned()));
    let mut claiming = after_taking(CLAIM_OVER, "turncoat", "");
    assert!(finished_game::holds(&mut claiming, has_come));
    assert_eq!(asked(&claiming), (Seat(0), "take".to_owned()));
}

#[test]
fn polling_asks_for_a_delegate_if_several_differ() {
    let mut asking = after_taking(
        WIN_OVER,
        "polling",
        "put([\"delegate_south_central\", \"governor\"], Ben.side[\"south_central\"]);",
    );
    assert_eq!((asked(&asking), options(&asking).len()), ((Seat(0), "one_tile".to_owned()), 2));
    choose(&mut asking, "governor");
    assert!(finished_game::holds(
        &mut asking,
        "Ann.side[\"south_central\"].count(\"component\", component(\"governor\")) == 1"
    ));
    assert!(finished_game::holds(
        &mut asking,
        "Ben.side[\"south_central\"].count(\"component\", component(\"governor\")) == 0"
    ));
    assert_eq!(asked(&asking), (Seat(1), "take".to_owned()));
    let alike = after_taking(WIN_OVER, "polling", "put(\"delegate_south_central\", 2, Ben.side[\"south_central\"]);");
    assert_eq!(asked(&alike), (Seat(1), "take".to_owned()));
}

#[test]
fn special_edition_asks_for_a_smear_campaign_if_several_differ() {
    let both = "put([\"smear_campaign\", \"slander\"], Ann.side[\"south_central\"]);";
    let mut asking = after_taking(WIN_OVER, "special_edition", both);
    assert_eq!((asked(&asking), options(&asking).len()), ((Seat(0), "one_tile".to_owned()), 2));
    choose(&mut asking, "slander");
    assert_eq!(asked(&asking), (Seat(1), "receive".to_owned()));
    choose(&mut asking, "new_england");
    assert!(finished_game::holds(
        &mut asking,
        "Ben.side[\"new_england\"].count(\"component\", component(\"slander\")) == 1"
    ));
    assert!(finished_game::holds(
        &mut asking,
        "Ann.side[\"south_central\"].count(\"component\", component(\"slander\")) == 0"
    ));
    let alike = after_taking(WIN_OVER, "special_edition", "put(\"smear_campaign\", 2, Ann.side[\"south_central\"]);");
    assert_eq!(asked(&alike), (Seat(1), "receive".to_owned()));
}
