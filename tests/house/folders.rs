//! Holds the names of a game's folders in one place, `engine/diagnostic/role.rs`.

use crate::sources::engine;
use parlour::diagnostic::{GAME, Role};

/// Where they are.
const HOME: &str = "diagnostic/role.rs";

#[test]
fn paths_of_a_game_s_files_are_put_together_where_its_folders_are_named() {
    let begun = Role::IN_FOLDERS.map(|role| format!("\"{}/", role.folder()));
    let written = [format!("\"{GAME}\"")].into_iter().chain(begun).collect::<Vec<_>>();
    for (path, text) in engine().into_iter().filter(|(path, _)| path != HOME) {
        let code = text.split("#[cfg(test)]").next().unwrap();
        for (at, line) in code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let found = written.iter().find(|written| line.contains(&***written));
            assert!(found.is_none(), "engine/{path}:{}: engine/{HOME} knows it: {}", at + 1, line.trim());
        }
    }
}
