//! Help texts that say how to declare an unknown name. All messages about unknown names use these texts.

/// Returns the help for the unknown name `written`, given the code of the message. Returns `None` if a game cannot declare names of this
/// kind, or if `written` is not a valid name.
pub fn how_to_declare(code: &str, written: &str) -> Option<String> {
    let entry = |section: &str| Some(format!("add `{written}` to `[{section}]` in game.toml"));
    let table = |section: &str| Some(format!("add `[{section}.{written}]` to game.toml"));
    match code {
        "unknown-symbol" => Some(format!("add `{written}` to `[cells]` in a file of components/")),
        _ if !is_name(written) => None,
        "unknown-alteration" => entry("altered"),
        "unknown-component" => Some(format!("write a row with `id = \"{written}\"` in a file of components/")),
        "unknown-decision" => table("decisions"),
        "unknown-ending" => entry("endings"),
        "unknown-kind" if written == "team" => {
            Some("declare teams in game.toml: `[teams.red]` with `seats = [1, 3]`, and others".to_owned())
        }
        "unknown-kind" => Some(format!("write `[[{written}]]` in a file of components/")),
        "unknown-name" => Some(format!(
            "add `[zones.{written}]` or `[params.{written}]` to game.toml, or write `let {written} = …` before this"
        )),
        "unknown-option" => table("options"),
        "unknown-param" => entry("params"),
        "unknown-phase" => table("phases"),
        "unknown-text" => entry("says"),
        "unknown-zone" => table("zones"),
        _ => None,
    }
}

/// Returns the help for a missing field or value `written` of a `seat`, `game`, `space`, `piece` or `component`. Returns `None` for other
/// types, which have only built-in fields, and if `written` is not a valid name.
pub fn how_to_give(owner: &str, written: &str) -> Option<String> {
    if !is_name(written) {
        return None;
    }
    let (field, values) = match owner {
        "seat" => (format!(", or `[zones.{written}]` with `per = \"seat\"`,"), "seat"),
        "game" => (String::new(), "game"),
        "space" => (format!(" (where it changes), or figures of `{written}` to `printed` of its zone,"), "space"),
        "piece" => {
            return Some(format!(
                "write `{written} = …` in the rows of its kind in components/, or where it changes, add `{written}` to \
                 `[values.piece]` in game.toml"
            ));
        }
        "component" => return Some(format!("write `{written} = …` in the rows of its kind in components/")),
        _ => return None,
    };
    Some(format!("add `{written}` to `[values.{values}]`{field} in game.toml"))
}

/// Returns whether a string is a valid name for a game to declare.
pub fn is_name(written: &str) -> bool {
    written.starts_with(char::is_alphabetic) && written.chars().all(|c| c.is_alphanumeric() || c == '_')
}
