//! Python module `parlour._parlour`: games, sessions, batches and the command-line program. Pure Python parts are in `python/parlour`.

mod agent;
mod batch;
#[path = "../../engine/commit.rs"]
mod commit;
mod data;
mod decision;
mod error;
mod game;
mod home;
#[path = "../../engine/page_engine.rs"]
mod page_engine;
mod session;
mod tensor;
mod vector;

use include_dir::{Dir, File, include_dir};
use parlour::desk::Bundle;
use pyo3::prelude::*;
use std::ffi::OsString;

/// Global allocator, the same as in the program: scripts create and drop many small values.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

static GAMES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../games");

/// Example games that each show a part of the language, and well-known games.
static SAMPLES: [Dir<'static>; 2] =
    [include_dir!("$CARGO_MANIFEST_DIR/../examples/games"), include_dir!("$CARGO_MANIFEST_DIR/../examples/gallery")];

/// Template of `parlour new`.
static TEMPLATE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../examples/games/little-tricks");

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

/// Opens a game, given its folder or its name, and checks it.
#[pyfunction]
fn load(name: std::path::PathBuf) -> PyResult<game::Game> {
    game::Game::load(&name.to_string_lossy())
}

/// Returns the names of the games that are included in the module.
#[pyfunction]
fn games() -> Vec<&'static str> {
    parlour::desk::names()
}

/// Runs the program with these arguments, of which the first is the program's name. Returns its exit code.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| parlour::cli::run(arguments));
    // The number in an `ExitCode` cannot be read, only compared.
    (0..=u8::MAX).find(|number| std::process::ExitCode::from(*number) == code).unwrap_or(1)
}

#[pymodule]
fn _parlour(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let samples = SAMPLES.iter().flat_map(files).collect();
    parlour::desk::set_bundle(Bundle {
        games: files(&GAMES),
        samples,
        template: files(&TEMPLATE),
        page_engine: page_engine::PAGE_ENGINE,
        commit: commit::commit(),
    });
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::add_to(module)?;
    module.add_class::<game::Game>()?;
    module.add_class::<session::Session>()?;
    module.add_class::<decision::Decision>()?;
    module.add_class::<decision::Choice>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<batch::Comparison>()?;
    module.add_class::<vector::Vector>()?;
    module.add_function(wrap_pyfunction!(load, module)?)?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(game::printed, module)?)
}
