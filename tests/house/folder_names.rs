//! Checks that the names of a game's folders are written only in `engine/core/diagnostic/role.rs`.

use crate::sources::engine;
use parlour::diagnostic::{GAME, Role};

/// File that defines the folder names.
const HOME: &str = "diagnostic/role.rs";

#[test]
fn folder_names_of_games_are_defined_in_one_file() {
    let prefixes = Role::IN_FOLDERS.map(|role| format!("\"{}/", role.folder()));
    let literals = [format!("\"{GAME}\"")].into_iter().chain(prefixes).collect::<Vec<_>>();
    for (path, text) in engine().into_iter().filter(|(path, _)| path != HOME) {
        let code = text.split("#[cfg(test)]").next().unwrap();
        for (at, line) in code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let found = literals.iter().find(|literal| line.contains(&***literal));
            assert!(found.is_none(), "engine/{path}:{}: use the names in engine/core/{HOME}: {}", at + 1, line.trim());
        }
    }
}
