//! Fuzzes the template of a card's face, and a drawing. Mistakes must be reported without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parlour::diagnostic::render;
use parlour::faces::{Addresses, Faces};
use parlour::model::Language;
use parlour::session::{Game, Setup};

const GAME: &str = "[game]\nid = \"fuzz\"\nplayers = { min = 2, max = 2 }\n[flow]\nrounds = 1\nround = [\"play\"]\n[phases.play]\nsteps = [\"act\"]\n[endings.over]\n";
const CARDS: &str = "[[card]]\nid = \"ace\"\nname = \"Ace\"\nworth = 3\nsuits = [\"red\", \"blue\"]\n";
const RULES: &str = "fn act() {}\nfn score(seat) { 0 }\n";

fn game(face: &str) -> Option<Game> {
    let texts =
        [("game.toml", GAME), ("components/card.toml", CARDS), ("rules/play.rhai", RULES), ("faces/card.html", face)];
    parlour::load_texts("fuzz", texts.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec()).ok()
}

// The input is the template. The text after the first NUL is the content of the picture `a.svg`.
fuzz_target!(|text: &str| {
    let (face, picture) = text.split_once('\0').unwrap_or((text, ""));
    let Some(layout) = game(face).and_then(|game| game.layout(&Setup::seats(2)).ok()) else { return };
    let read = |name: &str| (name == "a.svg").then(|| picture.as_bytes().to_vec());
    for addresses in [Addresses::Embedded, Addresses::Below("/p/".to_owned())] {
        let faces = Faces::new(&layout.model, Language::English, &addresses, &read);
        faces.mistakes().iter().for_each(|mistake| drop(render(mistake, false)));
        assert!(!faces.style().contains("</style"), "a style ends its element");
    }
});
