//! The `parlour` command: the library's command line, and the games that come with it.
//!
//! The games are embedded here and not in the library, so that a changed rule compiles this file alone and links nothing
//! else anew: Cargo links tests again for a library, not for a program.

use include_dir::{Dir, File, include_dir};
use parlour::cli::Bundle;

/// Scripts make and drop many small values: this allocator takes a tenth off the time of a game.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

static GAMES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/games");

/// Small games that show a part of the language each, and games that everybody knows.
static SAMPLES: [Dir<'static>; 2] =
    [include_dir!("$CARGO_MANIFEST_DIR/examples/games"), include_dir!("$CARGO_MANIFEST_DIR/examples/gallery")];

/// The game that a new one begins as.
static TEMPLATE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/examples/games/little-tricks");

fn main() -> std::process::ExitCode {
    let samples = SAMPLES.iter().flat_map(files).collect();
    parlour::cli::main(Bundle { games: files(&GAMES), samples, template: files(&TEMPLATE) })
}

/// The texts of an embedded folder, with their paths below it.
fn files(folder: &'static Dir<'static>) -> Vec<(String, &'static str)> {
    let mut files = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        let text =
            |file: &'static File<'static>| Some((file.path().to_str()?.replace('\\', "/"), file.contents_utf8()?));
        files.extend(folder.files().filter_map(text));
    }
    files
}
