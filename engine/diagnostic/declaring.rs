//! Where to declare what is named and not declared: every message that says so says it too, in one way.

/// What to write where, by the code of the message; nothing for what is not declared by a name of its own.
pub fn how_to_declare(code: &str, written: &str) -> Option<String> {
    let is_name = written.starts_with(char::is_alphabetic) && written.chars().all(|c| c.is_alphanumeric() || c == '_');
    let entry = |section: &str| Some(format!("add `{written}` to `[{section}]` in game.toml"));
    let table = |section: &str| Some(format!("add `[{section}.{written}]` to game.toml"));
    match code {
        "unknown-sign" => Some(format!("add `{written}` to `[cells]` in a file of components/")),
        _ if !is_name => None,
        "unknown-alteration" => entry("altered"),
        "unknown-component" => Some(format!("write a row with `id = \"{written}\"` in a file of components/")),
        "unknown-decision" => table("decisions"),
        "unknown-ending" => entry("endings"),
        "unknown-kind" => Some(format!("write `[[{written}]]` in a file of components/")),
        "unknown-option" => table("options"),
        "unknown-param" => entry("params"),
        "unknown-phase" => table("phases"),
        "unknown-text" => entry("says"),
        "unknown-zone" => table("zones"),
        _ => None,
    }
}
