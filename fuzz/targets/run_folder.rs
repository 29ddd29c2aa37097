//! Reads arbitrary text as the files in the folder of a run. Mistakes must be reported without a panic. In the input, `##` and the name of
//! a file precede the content of the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parlour::report::{Folder, command_of, unfinished};
use std::fs;

/// Names of the files in the folder of a run.
const FILES: [&str; 8] = [
    "manifest.json",
    "figures.json",
    "request.json",
    "checkpoint.json",
    "games.csv",
    "seats.csv",
    "details.csv",
    "faults.json",
];

fuzz_target!(|text: &str| {
    let folder = std::env::temp_dir().join(format!("parlour-fuzz-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("there is room for a folder");
    for part in text.split("##").skip(1) {
        let (name, content) = part.split_once('\n').unwrap_or((part, ""));
        if FILES.contains(&name.trim()) {
            fs::write(folder.join(name.trim()), content).expect("there is room for a file");
        }
    }
    let _ = command_of(&folder);
    let _ = unfinished(&folder);
    let _ = Folder::read(&folder).map_err(|error| error.to_string());
});
