//! Reads any text as the file of a table's links.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| parlour::fuzzing::read_links(text));
