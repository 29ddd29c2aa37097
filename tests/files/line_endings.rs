//! Checks that `\r\n` line endings and a byte order mark make no difference to games, overlays and playscripts.
//! `tests/mistakes/line_endings.rs` checks the same for diagnostics.

use crate::folder::{self, with_crlf_and_bom};
use parlour::agents::{AgentShelf, Spec};
use parlour::playscript::{Cast, Play, parse, run};
use parlour::session::{Game, Setup};
use std::path::Path;

fn loaded(texts: impl IntoIterator<Item = (String, String)>) -> Game {
    parlour::load_texts("game", texts).unwrap_or_else(|found| panic!("{found}"))
}

/// Plays a game with the minimum number of players and returns the fingerprint of the last position. If the game has its own agents, the
/// first one plays the first seat; the other seats play at random.
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
fn games_and_agents_play_the_same_with_other_line_endings() {
    for path in folder::games() {
        let texts = folder::game_texts(&path);
        let other = loaded(texts.iter().map(|(path, text)| (path.clone(), with_crlf_and_bom(text))));
        assert_eq!(fingerprint(&loaded(texts)), fingerprint(&other), "{}", path.display());
    }
}

#[test]
fn overlays_have_the_same_effect_with_other_line_endings() {
    let overlay = "[params]\nstart_cash = 7\n";
    let fingerprint_with = |text: String| {
        let overlays = [("overlay.toml".to_owned(), text)];
        let game = parlour::load_overlaid("games/stockpile", &overlays).unwrap_or_else(|found| panic!("{found}"));
        fingerprint(&game)
    };
    assert_eq!(fingerprint_with(overlay.to_owned()), fingerprint_with(with_crlf_and_bom(overlay)));
    assert_ne!(fingerprint_with(overlay.to_owned()), fingerprint(&parlour::load("games/stockpile").unwrap()));
}

fn read(text: String) -> Play {
    parse(&crate::play::source(text)).unwrap_or_else(|found| panic!("{found}"))
}

/// Returns the path and text of each playscript of a game.
fn plays(path: &Path) -> Vec<(String, String)> {
    folder::texts_with_extension(path, &["play"])
}

#[test]
fn playscripts_parse_the_same_with_other_line_endings() {
    for (path, text) in folder::games().iter().flat_map(|path| plays(path)) {
        let other = read(with_crlf_and_bom(&text)).to_string();
        assert_eq!(read(text).to_string(), other.replace("\r\n", "\n"), "{path}");
    }
}

#[test]
fn playscripts_pass_with_other_line_endings() {
    let mut passed = 0;
    for folder in folder::games().iter().filter(|path| path.starts_with("examples") || path.ends_with("monga-alley")) {
        let loaded = parlour::load(folder).unwrap();
        let game = |_: &str| Ok(loaded.clone());
        let cast = Cast { game: &game, agent: &parlour::agents::in_play, covering: false };
        for (path, text) in plays(folder) {
            for report in run(&read(with_crlf_and_bom(&text)), &cast) {
                assert!(report.failure.is_none(), "{path}: {:?}", report.failure);
                passed += 1;
            }
        }
    }
    assert!(passed > 40, "{passed}");
}
