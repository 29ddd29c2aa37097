//! The reference page of the keys in TOML files.

use crate::loader::Described;
use std::fmt::Write;

const HEAD: &str = "\
# Keys of TOML files

Every key of `game.toml`, of the files in `components/` and so of those in `overlays/`, by the table it stands in. `NAME` is what you
call the thing, `*` each of several keys. `parlour reference lasts` prints one of them, and [editors](editor.md) know them all.

A **text** is what people read: a string, or one for each language, `{ en = \"deck\", zh-Hant = \"牌庫\" }`. An **amount** is a number, the
name of a param or of an option that is a number, or one of these for each number of players, `{ 2 = 8, 3 = 6, 4 = 5 }`. In any table
`provenance` says where its figures are from, `seed`, `public: …` or `reconstructed: …`. The figures of `[targets]` are defined among the
[measures](measures.md).

";

/// Renders the page.
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
