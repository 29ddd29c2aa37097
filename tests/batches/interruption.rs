//! Tests that an interrupted long run keeps its finished games and prints a message.
#![cfg(unix)]

use crate::dice_game::{GAME, with_dice};
use crate::folder::Folder;
use crate::program::{RunOutput, command};
use crate::unix;
use serde_json::Value;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

/// Running command that is interrupted or killed before it ends.
pub(crate) struct RunningCommand(Child);

impl RunningCommand {
    pub(crate) fn begin(folder: &Folder, arguments: &str) -> Self {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        Self(command(folder, &arguments).spawn().expect("the program starts"))
    }

    /// Waits until a file exists and has at least `bytes` bytes. Panics if the command ends before.
    pub(crate) fn wait_for_file(&mut self, file: &Path, bytes: u64) {
        while std::fs::metadata(file).map_or(true, |found| found.len() < bytes) {
            self.assert_running();
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn assert_running(&mut self) {
        assert!(self.0.try_wait().unwrap().is_none(), "the command runs until it is interrupted");
    }

    /// Sends the signal that Ctrl-C sends.
    pub(crate) fn interrupt(&self) {
        unix::interrupt(&self.0);
    }

    /// Kills the command without giving it a chance to save anything, as a power failure would.
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Waits until the command ends, asserts that its exit code reports an interruption, and returns standard output and standard error
    /// output.
    pub(crate) fn wait(self) -> (String, String) {
        let output = RunOutput::from_output(self.0.wait_with_output().unwrap());
        assert_eq!(output.code, 130, "{}", output.err);
        (output.out, output.err)
    }
}

/// The finished games are stored in order and without gaps.
#[test]
fn an_interruption_keeps_finished_games_and_marks_the_run() {
    let folder = with_dice("interrupted");
    let mut run = RunningCommand::begin(&folder, "simulate dice --games 100000000 --seed 5 --out run");
    run.wait_for_file(&folder.at("run/games.csv"), 10_000);
    run.interrupt();
    run.wait();
    let manifest: Value = serde_json::from_str(&folder.read("run/manifest.json")).unwrap();
    assert_eq!(manifest["complete"], false);
    let played = manifest["batches"][0]["played"][0][1].as_u64().unwrap();
    let lines = folder.read("run/games.csv").lines().count() as u64;
    assert_eq!(played + 1, lines);
    assert!(played > 50 && folder.read("run/report.html").contains("This run was not finished"));
}

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
        let mut run = RunningCommand::begin(&folder, arguments);
        std::thread::sleep(Duration::from_secs(3));
        run.assert_running();
        run.interrupt();
        let document: Value = serde_json::from_str(&run.wait().0).unwrap();
        assert_eq!(document["complete"], false, "{arguments}");
        assert!(document["parlour"].is_string());
        let page = folder.read(file);
        assert!(page.contains("This run was not finished") && page.contains("Rules"), "{file}");
    }
}

#[test]
fn a_second_interruption_abandons_running_games() {
    let folder = with_dice("given-up");
    folder.write("dice/game.toml", GAME.replace("rounds = 3", "rounds = 4000"));
    let arguments = "simulate dice --games 1000 --seed 5 --jobs 2 --agents search:20ms --out run";
    let mut run = RunningCommand::begin(&folder, arguments);
    run.wait_for_file(&folder.at("run/games.csv"), 0);
    for _ in 0..2 {
        std::thread::sleep(Duration::from_millis(500));
        run.interrupt();
    }
    let (_, told) = run.wait();
    assert!(told.contains("interrupt again to give them up") && told.contains("are given up"), "{told}");
    let manifest: Value = serde_json::from_str(&folder.read("run/manifest.json")).unwrap();
    assert_eq!(manifest["complete"], false);
    assert!(!folder.read("run/games.csv").contains("given up"), "abandoned games are not stored");
    assert!(folder.read("run/report.html").contains("This run was not finished"));
}

#[test]
fn an_interrupted_arena_reports_the_finished_games() {
    let folder = with_dice("arena");
    let arguments = "arena dice --agents first,random --players 2 --games 100000000 --all --seed 5 --format json";
    let mut run = RunningCommand::begin(&folder, arguments);
    std::thread::sleep(Duration::from_secs(3));
    run.assert_running();
    run.interrupt();
    let document: Value = serde_json::from_str(&run.wait().0).unwrap();
    assert!(document["games"].as_u64().is_some_and(|games| (16..100_000_000).contains(&games)), "{document}");
}
