//! Parses arbitrary text as the file that stores the links of a table.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| parlour::fuzzing::read_links(text));
