//! Who interrupts a long run keeps what was played, and is told so.
#![cfg(unix)]

use crate::dice::{GAME, with_dice};
use crate::folder::Folder;
use crate::program::{Said, command};
use crate::unix;
use serde_json::Value;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

/// A run of the program that goes on until it is interrupted.
pub(crate) struct Long(Child);

impl Long {
    pub(crate) fn begin(folder: &Folder, arguments: &str) -> Self {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        Self(command(folder, &arguments).spawn().expect("it runs"))
    }

    /// Waits for a file of at least so many bytes.
    pub(crate) fn until(&mut self, file: &Path, bytes: u64) {
        while std::fs::metadata(file).map_or(true, |found| found.len() < bytes) {
            self.goes_on();
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn goes_on(&mut self) {
        assert!(self.0.try_wait().unwrap().is_none(), "it goes on until it is interrupted");
    }

    pub(crate) fn interrupt(&self) {
        unix::interrupt(&self.0);
    }

    /// Ends it at once, as a power cut does.
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// What it wrote to standard output and standard error, and that it ended as interrupted.
    pub(crate) fn end(self) -> (String, String) {
        let said = Said::of(self.0.wait_with_output().unwrap());
        assert_eq!(said.code, 130, "{}", said.err);
        (said.out, said.err)
    }
}

/// An interruption keeps the games that were played, in order and without gaps, and says so.
#[test]
fn an_interruption_keeps_what_is_done_and_marks_it() {
    let folder = with_dice("interrupted");
    let mut run = Long::begin(&folder, "simulate dice --games 100000000 --seed 5 --out run");
    run.until(&folder.at("run/games.csv"), 10_000);
    run.interrupt();
    run.end();
    let manifest: Value = serde_json::from_str(&folder.read("run/manifest.json")).unwrap();
    assert_eq!(manifest["complete"], false);
    let played = manifest["batches"][0]["played"][0][1].as_u64().unwrap();
    let lines = folder.read("run/games.csv").lines().count() as u64;
    assert_eq!(played + 1, lines);
    assert!(played > 50 && folder.read("run/report.html").contains("This run was not finished"));
}

/// A comparison and a sweep that are interrupted say how far they came.
#[test]
fn comparisons_and_sweeps_mark_an_interruption() {
    let folder = with_dice("stopped");
    for (arguments, file) in [
        (
            "compare dice --games 100000000 --seed 5 --b params.gift=3 --format json --out compared",
            "compared/compare.html",
        ),
        ("sweep dice --games 100000000 --seed 5 --vary params.gift=1..3 --format json --out swept", "swept/sweep.html"),
    ] {
        let mut run = Long::begin(&folder, arguments);
        std::thread::sleep(Duration::from_secs(3));
        run.goes_on();
        run.interrupt();
        let document: Value = serde_json::from_str(&run.end().0).unwrap();
        assert_eq!(document["complete"], false, "{arguments}");
        assert!(document["parlour"].is_string());
        let page = folder.read(file);
        assert!(page.contains("This run was not finished") && page.contains("Rules"), "{file}");
    }
}

/// Who interrupts twice loses the games under way, and nothing that was finished before.
#[test]
fn a_second_interruption_gives_up_the_games_under_way() {
    let folder = with_dice("given-up");
    folder.write("dice/game.toml", GAME.replace("rounds = 3", "rounds = 4000"));
    let arguments = "simulate dice --games 1000 --seed 5 --jobs 2 --agents search:20ms --out run";
    let mut run = Long::begin(&folder, arguments);
    run.until(&folder.at("run/games.csv"), 0);
    for _ in 0..2 {
        std::thread::sleep(Duration::from_millis(500));
        run.interrupt();
    }
    let (_, told) = run.end();
    assert!(told.contains("interrupt again to give them up") && told.contains("are given up"), "{told}");
    let manifest: Value = serde_json::from_str(&folder.read("run/manifest.json")).unwrap();
    assert_eq!(manifest["complete"], false);
    assert!(!folder.read("run/games.csv").contains("given up"), "a game that is given up is no game");
    assert!(folder.read("run/report.html").contains("This run was not finished"));
}

#[test]
fn an_arena_that_is_interrupted_tells_of_the_games_that_were_over() {
    let folder = with_dice("arena");
    let arguments = "arena dice --agents first,random --players 2 --games 100000000 --all --seed 5 --format json";
    let mut run = Long::begin(&folder, arguments);
    std::thread::sleep(Duration::from_secs(3));
    run.goes_on();
    run.interrupt();
    let document: Value = serde_json::from_str(&run.end().0).unwrap();
    assert!(document["games"].as_u64().is_some_and(|games| (16..100_000_000).contains(&games)), "{document}");
}
