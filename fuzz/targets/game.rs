//! Parses arbitrary text as a `game.toml`. Mistakes must be reported without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parlour::diagnostic::render;

fuzz_target!(|text: &str| {
    if let Err(found) = parlour::load_texts("fuzz", vec![("game.toml".to_owned(), text.to_owned())]) {
        found.0.iter().for_each(|mistake| drop(render(mistake, false)));
    }
});
