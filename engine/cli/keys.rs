//! The reference page of the keys in TOML files.

use crate::loader::Described;
use std::fmt::Write;

const HEAD: &str = "\
# Keys of TOML files

This page lists the keys of `game.toml` and of the files in `components/`, by table. Files in `overlays/` have the same
keys. `NAME` is a name that you choose, and `*` stands for each of several keys. `parlour reference lasts` describes the
key `lasts`, and [editors](editor.md) complete all keys.

A **text** is a string for people to read, or a table with a string for each language: `{ en = \"deck\", zh-Hant = \"牌庫\" }`.
An **amount** is a number, or the name of a param or of an option that is a number. It can also be a table with one of
these for each number of players: `{ 2 = 8, 3 = 6, 4 = 5 }`. Every table may have the key `provenance`, which says where
its figures are from: `seed`, `public: …` or `reconstructed: …`. [Measures](measures.md) defines the figures of
`[targets]`.

";

/// Renders the page in Markdown, with a table of keys for each TOML table.
pub(super) fn markdown(keys: &[Described]) -> String {
    let mut page = HEAD.to_owned();
    let mut table = None;
    for key in keys {
        if table != Some(&key.table) {
            let head =
                if key.table.is_empty() { "Sections of `game.toml`".to_owned() } else { format!("`[{}]`", key.table) };
            let gap = if table.is_some() { "\n" } else { "" };
            writeln!(page, "{gap}## {head}\n\n| key | what it says | written as |\n| --- | --- | --- |")
                .expect("a text takes a line");
            table = Some(&key.table);
        }
        writeln!(page, "| `{}` | {} | {} |", key.name, key.about, key.written).expect("a text takes a line");
    }
    page
}
