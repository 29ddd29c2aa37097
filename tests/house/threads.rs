//! Checks that all threads are started with a large stack. On a default stack, a long chain in a game's rules or in the template of a face
//! aborts the process.

use crate::rust_tokens::{strip_comments_and_literals, tokens};
use crate::sources::engine;

/// File with the functions that start threads. Its builder sets the stack size.
const HOME: &str = "system/mod.rs";

/// Methods that set the stack size of the threads of a pool.
const STACK_SIZES: [&str; 2] = ["stack_size", "thread_stack_size"];

/// Builders of pools of threads.
const POOLS: [&str; 3] = ["ThreadPoolBuilder", "new_multi_thread", "new_current_thread"];

/// Returns each place where a thread or a pool of threads is started without a stack size, with its line.
fn default_stacks(text: &str) -> Vec<(usize, String)> {
    let text = &text[..text.find("#[cfg(test)]\nmod ").unwrap_or(text.len())];
    let words = tokens(&strip_comments_and_literals(text));
    let word = |at: usize| words.get(at).map_or("", |(_, word)| word.as_str());
    let mut found = Vec::new();
    for (at, (line, name)) in words.iter().enumerate() {
        let is_of = |module: &str| at > 1 && word(at - 1) == "::" && word(at - 2) == module;
        let is_spawn = name == "spawn" && (is_of("thread") || is_of("rayon"));
        let is_builder = name == "Builder" && (is_of("thread") || is_imported(&words, at));
        let has_stack = || (at..at + 40).any(|at| STACK_SIZES.contains(&word(at)));
        let is_pool = POOLS.contains(&name.as_str()) && !has_stack();
        // `scope.spawn` starts a thread with the default stack; `spawn_scoped` of a builder does not.
        let is_scoped =
            name == "spawn" && at > 1 && word(at - 1) == "." && ["scope", "threads"].contains(&word(at - 2));
        if is_spawn || is_builder || is_pool || is_scoped {
            found.push((*line, name.clone()));
        }
    }
    found
}

/// Returns whether the word at this position is imported from `std::thread`, as in `use std::thread::{Builder, JoinHandle}`.
fn is_imported(words: &[(usize, String)], at: usize) -> bool {
    let before: Vec<&str> =
        words[..at].iter().rev().take_while(|(_, word)| word != ";").map(|(_, word)| &**word).collect();
    before.last() == Some(&"use") && before.contains(&"thread")
}

#[test]
fn threads_have_a_large_stack() {
    let files = engine().into_iter().filter(|(path, _)| path != HOME && !path.ends_with("/tests.rs"));
    let found: Vec<String> = files
        .flat_map(|(path, text)| {
            let found = default_stacks(&text).into_iter();
            found.map(|(line, word)| format!("engine/{path}:{line}: `{word}`")).collect::<Vec<_>>()
        })
        .collect();
    assert!(found.is_empty(), "start threads with `system::thread`:\n{}", found.join("\n"));
}

#[test]
fn default_stacks_are_found() {
    for text in [
        "fn f() { std::thread::spawn(|| ()); }",
        "use std::thread; fn f() { thread::Builder::new().spawn(|| ()); }",
        "use std::thread::{Builder, JoinHandle};",
        "fn f() { std::thread::scope(|scope| scope.spawn(|| ())); }",
        "fn f() { rayon::spawn(|| ()); }",
        "fn f() { rayon::ThreadPoolBuilder::new().num_threads(2).build(); }",
        "fn f() { tokio::runtime::Builder::new_multi_thread().build(); }",
    ] {
        assert_eq!(default_stacks(text).len(), 1, "{text}");
    }
    for text in [
        "fn f() { system::thread(\"a\").spawn(|| ()); tokio::spawn(a); tokio::task::spawn_blocking(b); }",
        "fn f() { rayon::ThreadPoolBuilder::new().stack_size(system::STACK).build(); }",
        "fn f() { Command::new(\"a\").spawn(); http1::Builder::new(); }",
        "mod a {}\n#[cfg(test)]\nmod tests { fn f() { std::thread::spawn(|| ()); } }",
    ] {
        assert_eq!(default_stacks(text), [], "{text}");
    }
}
