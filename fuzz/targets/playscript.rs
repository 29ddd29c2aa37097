//! Parses arbitrary text as a playscript. Mistakes must be reported without a panic. A valid playscript must be unchanged after it is
//! printed and parsed again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parlour::diagnostic::{Source, render};
use parlour::playscript::parse;
use std::sync::Arc;

fuzz_target!(|text: &str| {
    let read = |text: &str| parse(&Arc::new(Source { path: "fuzz.play".to_owned(), text: text.to_owned() }));
    match read(text) {
        Ok(play) => assert_eq!(read(&play.to_string()).expect("what is printed is read"), play),
        Err(found) => found.0.iter().for_each(|mistake| drop(render(mistake, false))),
    }
});
