//! Limits the dependency cycles between the files of a module.
//!
//! The files of a cycle can only be understood together, because each of them depends on another.

use crate::rust_tokens::{Used, is_name, paths, strip_comments_and_literals, tokens};
use crate::sources::engine;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Declarations, imports and uses of a source file.
struct Module {
    file: String,
    /// Names of the items that the file declares.
    items: BTreeSet<String>,
    /// Imported names, each with the path from which it was imported.
    imports: Vec<(String, Vec<String>)>,
    /// Paths that occur in the file.
    used: Vec<Vec<String>>,
}

/// Modules keyed by their path, such as `["table", "grid"]`.
type Modules = BTreeMap<Vec<String>, Module>;

/// Parses the engine's source files into modules. Skips tests.
fn modules(files: &[(String, String)]) -> Modules {
    let is_test = |path: &str| path.contains("tests/") || path.ends_with("tests.rs");
    let mut modules = Modules::new();
    for (file, text) in files.iter().filter(|(path, _)| !is_test(path)) {
        let mut path: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        path.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
        let tokens = without_tests(tokens(&strip_comments_and_literals(text)));
        let (mut imports, mut used) = (Vec::new(), Vec::new());
        let inner = inner_modules(&tokens);
        let words = words_outside_imports(&tokens);
        for Used { line, mut path, import, is_reexport } in paths(&tokens) {
            let levels = inner.iter().filter(|lines| lines.contains(&line)).count();
            path.drain(..levels.min(path.iter().take_while(|name| *name == "super").count()));
            // A re-export that the file itself does not use is not a dependency.
            let is_used = !is_reexport || import.as_ref().is_some_and(|name| words.contains(name.as_str()));
            if levels == 0 {
                imports.extend(import.map(|name| (name, path.clone())));
            }
            used.extend(Some(path).filter(|path| is_used && !path.is_empty()));
        }
        modules.insert(path, Module { file: file.clone(), items: items(&tokens), imports, used });
    }
    modules
}

/// Removes `#[cfg(test)]` modules.
fn without_tests(tokens: Vec<(usize, String)>) -> Vec<(usize, String)> {
    let mark = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let is_mark = |at: usize| mark.iter().enumerate().all(|(i, word)| tokens.get(at + i).is_some_and(|t| t.1 == *word));
    match (0..tokens.len()).find(|at| is_mark(*at) && tokens.get(at + mark.len() + 1).is_some_and(|t| t.1 == "{")) {
        // Test modules are always at the end of a file.
        Some(end) => tokens[..end].to_vec(),
        None => tokens,
    }
}

/// Returns the distinct tokens in a file, except those in `use` declarations and the names in `mod` declarations.
fn words_outside_imports(tokens: &[(usize, String)]) -> BTreeSet<&str> {
    let mut is_in_use = false;
    let mut words = BTreeSet::new();
    for (at, (_, word)) in tokens.iter().enumerate() {
        is_in_use = (is_in_use || word == "use") && word != ";";
        if !is_in_use && (at == 0 || tokens[at - 1].1 != "mod") {
            words.insert(word.as_str());
        }
    }
    words
}

/// Returns the line ranges of inline modules.
fn inner_modules(tokens: &[(usize, String)]) -> Vec<RangeInclusive<usize>> {
    let begins = |at: &usize| tokens[*at].1 == "mod" && tokens.get(at + 2).is_some_and(|(_, word)| word == "{");
    let mut found = Vec::new();
    for at in (0..tokens.len()).filter(begins) {
        let mut depth = 0;
        let ends = tokens[at + 2..].iter().find(|(_, word)| {
            depth += i32::from(word == "{") - i32::from(word == "}");
            depth == 0
        });
        found.push(tokens[at].0..=ends.map_or(usize::MAX, |(line, _)| *line));
    }
    found
}

/// Returns the names of the items that a file declares at its top level.
fn items(tokens: &[(usize, String)]) -> BTreeSet<String> {
    const DECLARE: [&str; 7] = ["struct", "enum", "trait", "type", "fn", "const", "static"];
    let mut depth = 0;
    let mut items = BTreeSet::new();
    for (at, (_, word)) in tokens.iter().enumerate() {
        match word.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            word if depth == 0 && DECLARE.contains(&word) => {
                items.extend(tokens.get(at + 1).filter(|(_, name)| is_name(name)).map(|(_, name)| name.clone()));
            }
            _ => {}
        }
    }
    items
}

/// Returns the module that declares the item at a path, as seen from the module `from`. Returns `None` for paths outside the engine and for
/// paths to modules.
fn defining_module(modules: &Modules, from: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
    match resolve(modules, from, path, depth)? {
        (module, true) => Some(module),
        (_, false) => None,
    }
}

/// Resolves a path to a module. The flag is `true` if the path names an item that the module declares, and `false` if it names the module
/// itself.
fn resolve(modules: &Modules, from: &[String], path: &[String], depth: usize) -> Option<(Vec<String>, bool)> {
    // Glob imports between modules can be circular.
    if depth > 8 {
        return None;
    }
    let mut at = from.to_vec();
    for (place, name) in path.iter().enumerate() {
        match name.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => drop(at.pop()),
            name => {
                let below = [at.as_slice(), &[name.to_owned()]].concat();
                if modules.contains_key(&below) {
                    at = below;
                    continue;
                }
                let module = modules.get(&at)?;
                if module.items.contains(name) {
                    return Some((at, true));
                }
                let named = module.imports.iter().find(|(known, _)| known == name);
                let mut globs = module.imports.iter().filter(|(known, _)| known == "*");
                let next = match named {
                    // An import whose path begins with its own name, such as `use serde;`, refers to a crate. Resolving it here would
                    // recurse until the depth limit.
                    Some((_, to)) if to[0] != name => resolve(modules, &at, to, depth + 1),
                    Some(_) => None,
                    None => globs.find_map(|(_, to)| {
                        let (inside, is_item) = resolve(modules, &at, to, depth + 1)?;
                        (!is_item && modules.get(&inside)?.items.contains(name)).then_some((inside, true))
                    }),
                };
                match next {
                    Some((_, true)) => return next,
                    Some((inside, false)) => at = inside,
                    // The item may be declared by a macro, which is not expanded here.
                    None if place > 0 && named.is_none() => return Some((at, true)),
                    None => return None,
                }
            }
        }
    }
    Some((at, false))
}

/// Returns, for each file, the other files of its top-level module that it uses.
fn uses(modules: &Modules) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, module) in modules.iter().filter(|(path, _)| !path.is_empty()) {
        let inside = module.used.iter().filter_map(|used| defining_module(modules, path, used, 0));
        let inside = inside.filter(|home| home.first() == path.first() && home != path);
        let files = inside.filter_map(|home| Some(modules.get(&home)?.file.as_str()));
        uses.entry(&module.file).or_default().extend(files);
    }
    uses
}

/// Returns the strongly connected components with more than one file.
fn cycles<'f>(uses: &BTreeMap<&'f str, BTreeSet<&'f str>>) -> Vec<Vec<&'f str>> {
    let reachable_from = |from: &'f str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(file) = open.pop() {
            open.extend(uses.get(file).into_iter().flatten().filter(|next| seen.insert(**next)));
        }
        seen
    };
    let reachable: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|file| (*file, reachable_from(file))).collect();
    let mut cycles: BTreeSet<Vec<&str>> = BTreeSet::new();
    for (file, beyond) in reachable.iter().filter(|(file, beyond)| beyond.contains(*file)) {
        cycles.insert(beyond.iter().filter(|other| reachable[*other].contains(file)).copied().collect());
    }
    cycles.into_iter().collect()
}

/// Top-level modules that may contain a cycle, each with the maximum number of files in a cycle. The cycles exist because a session stores
/// snapshots of itself and simulates other sessions, the parts of a table refer to the table, and pages link to each other.
const ALLOWED: [(&str, usize); 3] = [("session", 8), ("table", 14), ("web", 6)];

#[test]
fn module_cycles_stay_within_their_limits() {
    let modules = modules(&engine());
    let uses = uses(&modules);
    let found = cycles(&uses);
    let describe = |cycle: &Vec<&str>| {
        let inside = |file: &str| uses[file].iter().filter(|other| cycle.contains(other)).copied().collect::<Vec<_>>();
        let lines: Vec<String> =
            cycle.iter().map(|file| format!("    {file} uses {}", inside(file).join(", "))).collect();
        format!("{} files\n{}", cycle.len(), lines.join("\n"))
    };
    let descriptions: Vec<String> = found.iter().map(describe).collect();
    println!("{} cycles\n{}", found.len(), descriptions.join("\n"));
    let module_of = |cycle: &[&str]| cycle[0].split_once('/').map_or("", |(part, _)| part).to_owned();
    let parts: Vec<String> = found.iter().map(|cycle| module_of(cycle)).collect();
    let is_allowed =
        |cycle: &Vec<&str>| ALLOWED.iter().any(|(part, max)| module_of(cycle) == *part && cycle.len() <= *max);
    // `web` may contain two separate cycles: the pages of a table, and the addresses of a lobby.
    let are_few = found.iter().all(is_allowed) && found.len() <= ALLOWED.len() + 1;
    assert!(are_few, "cycles in {}:\n{}", parts.join(", "), descriptions.join("\n"));
}

#[test]
fn cycles_are_found_through_reexports() {
    let found = |files: &[(&str, &str)]| {
        let files: Vec<(String, String)> =
            files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let modules = modules(&files);
        cycles(&uses(&modules)).iter().map(|cycle| cycle.join(" ")).collect::<Vec<_>>()
    };
    let declares = ("a/mod.rs", "mod b;\nmod c;\npub use b::B;\npub use c::{C, made as make};");
    let b = ("a/b.rs", "use super::C;\npub struct B(C);");
    // The two files use each other, one through a re-export and one by its path. The file with the re-exports is not part of the cycle.
    let c = ("a/c.rs", "pub struct C;\npub fn made() -> Option<crate::a::B> { None }");
    assert_eq!(found(&[declares, b, c]), ["a/b.rs a/c.rs"]);
    // Doc links, tests and other top-level modules do not count as dependencies.
    let alone =
        "/// [`B`](crate::a::B)\npub struct C;\npub fn made() {}\n#[cfg(test)]\nmod tests { use super::super::B; }";
    assert!(found(&[declares, b, ("a/c.rs", alone)]).is_empty());
    assert!(
        found(&[("d/mod.rs", "pub struct D(crate::a::C);"), declares, b, ("a/c.rs", "pub struct C(crate::d::D);")])
            .is_empty()
    );
    // Re-exports may be renamed, and a macro may declare items.
    let renamed = ("a/b.rs", "pub fn b() { super::make() }\nids! { B }");
    assert_eq!(found(&[declares, renamed, c]), ["a/b.rs a/c.rs"]);
    // For an inline module, `super` is the file that contains it.
    let inner = "pub struct C;\nmod inner { use super::super::B; use super::C; }";
    assert_eq!(found(&[declares, b, ("a/c.rs", inner)]), ["a/b.rs a/c.rs"]);
    // A `mod.rs` that declares items can be part of a cycle.
    let owns = ("a/mod.rs", "mod b;\nuse b::B;\npub struct A(B);");
    assert_eq!(found(&[owns, ("a/b.rs", "pub struct B(Box<super::A>);")]), ["a/b.rs a/mod.rs"]);
}
