//! The `parlour` command: runs the library's command line with the bundled games.
//!
//! The games are embedded in the program and not in the library. Otherwise each edited rule would change the library, and Cargo would
//! relink all tests.

mod commit;
mod page_engine;

use include_dir::{Dir, File, include_dir};
use parlour::cli::Bundle;

/// Global allocator. Scripts allocate many small, short-lived values, and mimalloc saves about a tenth of the time of a game.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

static GAMES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/games");

/// Sample games: small ones for single features of the language, and well-known games.
static SAMPLES: [Dir<'static>; 2] =
    [include_dir!("$CARGO_MANIFEST_DIR/examples/games"), include_dir!("$CARGO_MANIFEST_DIR/examples/gallery")];

/// Template of `parlour new`.
static TEMPLATE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/examples/games/little-tricks");

fn main() -> std::process::ExitCode {
    let samples = SAMPLES.iter().flat_map(files).collect();
    parlour::cli::main(Bundle {
        games: files(&GAMES),
        samples,
        template: files(&TEMPLATE),
        page_engine: page_engine::PAGE_ENGINE,
        commit: commit::commit(),
    })
}

/// Returns the text files of an embedded folder, each with its relative path.
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
