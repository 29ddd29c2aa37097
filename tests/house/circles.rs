//! Holds how many circles of files there are inside the parts of the engine: files that cannot be read one after the other,
//! since each uses something of the next.

use crate::reading::{Used, bare, is_name, paths, tokens};
use crate::sources::engine;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// A module and what its file says, by its path: `table::grid`.
struct Module {
    file: String,
    /// What is declared in the file itself.
    items: BTreeSet<String>,
    /// What is called something else here, or brought in: its name, and the path to it.
    imports: Vec<(String, Vec<String>)>,
    /// Every path in the file.
    used: Vec<Vec<String>>,
}

type Modules = BTreeMap<Vec<String>, Module>;

/// The files of the engine that are no tests, as modules.
fn modules(files: &[(String, String)]) -> Modules {
    let is_test = |path: &str| path.contains("tests/") || path.ends_with("tests.rs");
    let mut modules = Modules::new();
    for (file, text) in files.iter().filter(|(path, _)| !is_test(path)) {
        let mut path: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        path.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
        let tokens = without_tests(tokens(&bare(text)));
        let (mut imports, mut used) = (Vec::new(), Vec::new());
        let inner = inner_modules(&tokens);
        let said = said(&tokens);
        for Used { line, mut path, import, is_given_on } in paths(&tokens) {
            let levels = inner.iter().filter(|lines| lines.contains(&line)).count();
            path.drain(..levels.min(path.iter().take_while(|name| *name == "super").count()));
            // What is handed on alone is not used.
            let is_used = !is_given_on || import.as_ref().is_some_and(|name| said.contains(name.as_str()));
            if levels == 0 {
                imports.extend(import.map(|name| (name, path.clone())));
            }
            used.extend(Some(path).filter(|path| is_used && !path.is_empty()));
        }
        modules.insert(path, Module { file: file.clone(), items: items(&tokens), imports, used });
    }
    modules
}

/// Tokens without the modules that are compiled for tests alone.
fn without_tests(tokens: Vec<(usize, String)>) -> Vec<(usize, String)> {
    let mark = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let is_mark = |at: usize| mark.iter().enumerate().all(|(i, word)| tokens.get(at + i).is_some_and(|t| t.1 == *word));
    match (0..tokens.len()).find(|at| is_mark(*at) && tokens.get(at + mark.len() + 1).is_some_and(|t| t.1 == "{")) {
        // They stand at the end of a file.
        Some(end) => tokens[..end].to_vec(),
        None => tokens,
    }
}

/// The words of a file outside what it brings in and which modules it has.
fn said(tokens: &[(usize, String)]) -> BTreeSet<&str> {
    let mut is_in_use = false;
    let mut said = BTreeSet::new();
    for (at, (_, word)) in tokens.iter().enumerate() {
        is_in_use = (is_in_use || word == "use") && word != ";";
        if !is_in_use && (at == 0 || tokens[at - 1].1 != "mod") {
            said.insert(word.as_str());
        }
    }
    said
}

/// The lines of modules that stand inside a file.
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

/// What a file declares outside all braces.
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

/// The module whose file declares what a path leads to from a module; none where it leads out of the engine or to a module itself.
fn home(modules: &Modules, from: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
    match lead(modules, from, path, depth)? {
        (module, true) => Some(module),
        (_, false) => None,
    }
}

/// Where a path leads: the module of an item, or a module and no item of it.
fn lead(modules: &Modules, from: &[String], path: &[String], depth: usize) -> Option<(Vec<String>, bool)> {
    // Modules may import each other's names.
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
                    // `use serde::Serialize` is looked for outside, not in itself.
                    Some((_, to)) if to[0] != name => lead(modules, &at, to, depth + 1),
                    Some(_) => None,
                    None => globs.find_map(|(_, to)| {
                        let (inside, is_item) = lead(modules, &at, to, depth + 1)?;
                        (!is_item && modules.get(&inside)?.items.contains(name)).then_some((inside, true))
                    }),
                };
                match next {
                    Some((_, true)) => return next,
                    Some((inside, false)) => at = inside,
                    // What a macro declares stands in no list.
                    None if place > 0 && named.is_none() => return Some((at, true)),
                    None => return None,
                }
            }
        }
    }
    Some((at, false))
}

/// For every file, the files of its part that it uses.
fn uses(modules: &Modules) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, module) in modules.iter().filter(|(path, _)| !path.is_empty()) {
        let inside = module.used.iter().filter_map(|used| home(modules, path, used, 0));
        let inside = inside.filter(|home| home.first() == path.first() && home != path);
        let files = inside.filter_map(|home| Some(modules.get(&home)?.file.as_str()));
        uses.entry(&module.file).or_default().extend(files);
    }
    uses
}

/// The circles among files: the largest sets in which each leads to each other.
fn circles<'f>(uses: &BTreeMap<&'f str, BTreeSet<&'f str>>) -> Vec<Vec<&'f str>> {
    let reached = |from: &'f str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(file) = open.pop() {
            open.extend(uses.get(file).into_iter().flatten().filter(|next| seen.insert(**next)));
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|file| (*file, reached(file))).collect();
    let mut circles: BTreeSet<Vec<&str>> = BTreeSet::new();
    for (file, beyond) in reached.iter().filter(|(file, beyond)| beyond.contains(*file)) {
        circles.insert(beyond.iter().filter(|other| reached[*other].contains(file)).copied().collect());
    }
    circles.into_iter().collect()
}

/// The circles that are left, by the part they are in, with the most files that they may have: a session keeps copies of itself
/// and imagines others; a table is laid out, dealt and compared by what it is itself; the pages of tables lead to each other.
const LEFT: [(&str, usize); 3] = [("session", 8), ("table", 14), ("web", 12)];

#[test]
fn circles_of_files_are_few() {
    let modules = modules(&engine());
    let uses = uses(&modules);
    let found = circles(&uses);
    let told = |circle: &Vec<&str>| {
        let inside = |file: &str| uses[file].iter().filter(|other| circle.contains(other)).copied().collect::<Vec<_>>();
        let lines: Vec<String> =
            circle.iter().map(|file| format!("    {file} uses {}", inside(file).join(", "))).collect();
        format!("{} files\n{}", circle.len(), lines.join("\n"))
    };
    let told: Vec<String> = found.iter().map(told).collect();
    println!("{} circles\n{}", found.len(), told.join("\n"));
    let of = |circle: &[&str]| circle[0].split_once('/').map_or("", |(part, _)| part).to_owned();
    let parts: Vec<String> = found.iter().map(|circle| of(circle)).collect();
    let grown =
        found.iter().find(|circle| !LEFT.iter().any(|(part, most)| of(circle) == *part && circle.len() <= *most));
    assert!(grown.is_none() && found.len() <= LEFT.len(), "circles in {}:\n{}", parts.join(", "), told.join("\n"));
}

#[test]
fn circles_are_found_through_what_is_handed_on() {
    let found = |files: &[(&str, &str)]| {
        let files: Vec<(String, String)> =
            files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let modules = modules(&files);
        circles(&uses(&modules)).iter().map(|circle| circle.join(" ")).collect::<Vec<_>>()
    };
    let declares = ("a/mod.rs", "mod b;\nmod c;\npub use b::B;\npub use c::{C, made as make};");
    let b = ("a/b.rs", "use super::C;\npub struct B(C);");
    // Each uses the other, one by its name in the part, one by its path; the file that hands them on belongs to no circle.
    let c = ("a/c.rs", "pub struct C;\npub fn made() -> Option<crate::a::B> { None }");
    assert_eq!(found(&[declares, b, c]), ["a/b.rs a/c.rs"]);
    // Neither comments, nor tests, nor another part are a use.
    let alone =
        "/// [`B`](crate::a::B)\npub struct C;\npub fn made() {}\n#[cfg(test)]\nmod tests { use super::super::B; }";
    assert!(found(&[declares, b, ("a/c.rs", alone)]).is_empty());
    assert!(
        found(&[("d/mod.rs", "pub struct D(crate::a::C);"), declares, b, ("a/c.rs", "pub struct C(crate::d::D);")])
            .is_empty()
    );
    // By another name, and by what a macro declares.
    let renamed = ("a/b.rs", "pub fn b() { super::make() }\nids! { B }");
    assert_eq!(found(&[declares, renamed, c]), ["a/b.rs a/c.rs"]);
    // A module inside a file has the file above it.
    let inner = "pub struct C;\nmod inner { use super::super::B; use super::C; }";
    assert_eq!(found(&[declares, b, ("a/c.rs", inner)]), ["a/b.rs a/c.rs"]);
    // A file that declares something of its own belongs to circles like any other.
    let owns = ("a/mod.rs", "mod b;\nuse b::B;\npub struct A(B);");
    assert_eq!(found(&[owns, ("a/b.rs", "pub struct B(Box<super::A>);")]), ["a/b.rs a/mod.rs"]);
}
