//! Files as other systems write them, with `\r\n` behind each line and a mark of the byte order in front, are the same files.
//! That the same is said about mistakes in them, `tests/mistakes/line_ends.rs` holds.

use crate::folder::{self, elsewhere};
use parlour::agents::{AgentShelf, Spec};
use parlour::playscript::{Cast, Play, parse, run};
use parlour::session::{Game, Setup};
use std::path::Path;

fn loaded(texts: impl IntoIterator<Item = (String, String)>) -> Game {
    parlour::load_texts("game", texts).unwrap_or_else(|found| panic!("{found}"))
}

/// The number of a game's last table, played with the fewest random players and by the first of its own agents.
fn fingerprint(game: &Game) -> u64 {
    let seats = *game.players().start();
    let setup = Setup::seats(seats).seed(5);
    let own = &game.layout(&setup).unwrap().model.agents;
    let agent = own.first().map_or("random", |source| source.path["agents/".len()..].trim_end_matches(".rhai"));
    let spec = |seat: usize| {
        let name = if seat == 0 { agent } else { "random" };
        Spec::parse(name, &AgentShelf { agents: own, ..AgentShelf::EMPTY })
            .unwrap_or_else(|unknown| panic!("{}", unknown.message))
    };
    let players = (0..usize::from(seats)).map(|seat| spec(seat).player(setup.seed, seat)).collect();
    game.play(&setup, players, false).unwrap().fingerprint
}

#[test]
fn games_and_their_agents_play_alike() {
    for path in folder::games() {
        let texts = folder::game(&path);
        let other = loaded(texts.iter().map(|(path, text)| (path.clone(), elsewhere(text))));
        assert_eq!(fingerprint(&loaded(texts)), fingerprint(&other), "{}", path.display());
    }
}

#[test]
fn overlays_from_elsewhere_change_the_same() {
    let overlay = "[params]\nstart_cash = 7\n";
    let laid = |text: String| {
        let overlays = [("overlay.toml".to_owned(), text)];
        let game = parlour::load_overlaid("games/stockpile", &overlays).unwrap_or_else(|found| panic!("{found}"));
        fingerprint(&game)
    };
    assert_eq!(laid(overlay.to_owned()), laid(elsewhere(overlay)));
    assert_ne!(laid(overlay.to_owned()), fingerprint(&parlour::load("games/stockpile").unwrap()));
}

fn read(text: String) -> Play {
    parse(&crate::play::source(text)).unwrap_or_else(|found| panic!("{found}"))
}

/// The playscripts of a game.
fn plays(path: &Path) -> Vec<(String, String)> {
    folder::texts_ending(path, &["play"])
}

#[test]
fn playscripts_say_the_same() {
    for (path, text) in folder::games().iter().flat_map(|path| plays(path)) {
        let other = read(elsewhere(&text)).to_string();
        assert_eq!(read(text).to_string(), other.replace("\r\n", "\n"), "{path}");
    }
}

#[test]
fn playscripts_hold_and_recordings_come_to_the_same_tables() {
    let mut held = 0;
    for folder in folder::games().iter().filter(|path| path.starts_with("examples") || path.ends_with("monga-alley")) {
        let loaded = parlour::load(folder).unwrap();
        let game = |_: &str| Ok(loaded.clone());
        let cast = Cast { game: &game, agent: &parlour::agents::in_play, covering: false };
        for (path, text) in plays(folder) {
            for report in run(&read(elsewhere(&text)), &cast) {
                assert!(report.failure.is_none(), "{path}: {:?}", report.failure);
                held += 1;
            }
        }
    }
    assert!(held > 40, "{held}");
}
