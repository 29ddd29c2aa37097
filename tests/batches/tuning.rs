//! `parlour tune` finds the smallest change of the settings that meets planted targets, and writes it to files.

use crate::dice_game::{GAME, parlour, with_dice};
use crate::folder::Folder;
use serde_json::Value;

/// Creates a folder with a dice game in which the first seat gets six extra points.
fn unfair(name: &str) -> Folder {
    let folder = with_dice(name);
    folder.write(
        "dice/game.toml",
        GAME.replace("gift = 0", "gift = 6 # for the first seat").replace("seat_win_gap = 0.2", "rounds = 3"),
    );
    folder
}

#[test]
fn the_least_change_that_meets_the_targets_is_found_and_applied() {
    let folder = unfair("tune");
    let command = "tune dice --players 2 --games 600 --seed 3 --agents first --vary params.gift=0..6 --vary params.sides=4,6,8 \
                   --target seat_win_gap<0.05 --out tuned --apply";
    let (code, told, mistakes) = parlour(&folder, command);
    assert_eq!(code, 0, "{told}{mistakes}");
    assert!(
        told.contains("Smallest change that meets the targets: gift 6 → 0. Played again with other seeds:"),
        "{told}"
    );
    assert!(told.contains("[params]\ngift = 0"), "{told}");
    let applied = folder.read("dice/game.toml");
    assert!(applied.contains("gift = 0 # for the first seat") && applied.contains("sides = 6"), "{applied}");
    let page = folder.read("tuned/tune.html");
    assert!(
        page.contains("Seat gap: from no change to the largest") && page.contains("target: at most 5 %"),
        "the trade-off is drawn"
    );
    let document: Value = serde_json::from_str(&folder.read("tuned/tune.json")).unwrap();
    let rows = document["trade_off"].as_array().unwrap();
    let sizes: Vec<f64> = rows.iter().map(|row| row["size"].as_f64().unwrap()).collect();
    assert!(sizes[0] == 0.0 && sizes.is_sorted() && (sizes.last().unwrap() - 1.0).abs() < 1e-9, "{sizes:?}");
    // The overlay makes the same change as `--apply` does.
    folder.write("dice/game.toml", applied.replace("gift = 0", "gift = 6"));
    let (code, told, mistakes) = parlour(&folder, "compare dice --b tuned/tuned.toml --players 2 --games 40 --seed 1");
    assert!(code == 0 && told.contains("changed: gift 6 → 0"), "{told}{mistakes}");
}

#[test]
fn a_resumed_search_changes_the_game_only_with_apply() {
    let folder = unfair("tune-resumed");
    let before = folder.read("dice/game.toml");
    let command = "tune dice --players 2 --games 200 --seed 3 --agents first --vary params.gift=0,6 \
                   --target seat_win_gap<0.05 --out tuned";
    assert_eq!(parlour(&folder, command).0, 0);
    // Somebody else may have written the manifest.
    let mut manifest: Value = serde_json::from_str(&folder.read("tuned/manifest.json")).unwrap();
    manifest["complete"] = false.into();
    manifest["arguments"]["apply"] = true.into();
    folder.write("tuned/manifest.json", manifest.to_string());
    let (code, told, mistakes) = parlour(&folder, "tune --resume tuned");
    assert!(code == 0 && told.contains("gift 6 → 0"), "{told}{mistakes}");
    assert_eq!(folder.read("dice/game.toml"), before);
    folder.write("tuned/manifest.json", manifest.to_string());
    let (code, _, mistakes) = parlour(&folder, "tune --resume tuned --apply");
    assert!(code == 2 && mistakes.contains("name it: `parlour tune dice …`"), "{mistakes}");
    folder.write("other/game.toml", &before);
    let (code, _, mistakes) = parlour(&folder, "tune other --resume tuned --apply");
    assert!(code == 2 && mistakes.contains("`other` is not the game of the search"), "{mistakes}");
    assert_eq!(folder.read("dice/game.toml"), before);
    assert_eq!(parlour(&folder, "tune ./dice --resume tuned --apply").0, 0);
    assert!(folder.read("dice/game.toml").contains("gift = 0"));
}

#[test]
fn a_game_that_meets_its_targets_is_left_alone() {
    let folder = with_dice("tuned-already");
    let (code, told, _) = parlour(&folder, "tune dice --players 2 --games 300 --seed 3 --apply");
    assert!(code == 0 && told.contains("The game meets its targets as it is."), "{told}");
    assert_eq!(folder.read("dice/game.toml"), GAME);
}

#[test]
fn targets_out_of_reach_are_reported() {
    let folder = with_dice("out-of-reach");
    let (code, told, _) =
        parlour(&folder, "tune dice --players 2 --games 60 --seed 3 --target rounds>9 --vary params.gift=0..2");
    assert!(code == 1 && told.contains("No change that was tried meets the targets"), "{told}");
    for (wrong, why) in [
        ("--target rounds", "write a figure and a bound"),
        ("--vary params.gfit=1..2", "is no number of a param"),
        ("--vary values.seat.points=1,2", "is no number of a param"),
    ] {
        let (code, _, told) = parlour(&folder, &format!("tune dice --players 2 --games 60 {wrong}"));
        assert!(code == 2 && told.contains(why), "{wrong}: {told}");
    }
}
