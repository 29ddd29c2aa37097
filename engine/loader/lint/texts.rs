//! Checks display texts: translations in every language of the game, texts for questions and endings, and matching placeholders in all
//! languages.

use crate::diagnostic::{Diagnostic, Place, Role, Source, is_one_slip_from};
use crate::loader::document::node::{Node, PROVENANCE, Table, is_by_players, translations};
use crate::loader::document::tree::Tree;
use crate::loader::keys::form::{Form, KeySpec};
use crate::loader::keys::sections::GAME;
use crate::loader::report::Report;
use crate::loader::section::component::ROW;
use crate::loader::section::decision::{ASK, TELL, TELLS};
use crate::loader::section::{ending, kind};
use crate::model::{Language, rooms, split_language_tag};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Full-width braces, as some input methods for Chinese write them.
const WIDE_OPEN: char = '\u{ff5b}';
const WIDE_CLOSE: char = '\u{ff5d}';

/// Checks the texts of the game and its overlays. Reports empty texts, texts that lack a language of the game, texts in a single language
/// among translated ones, and mistakes in placeholders.
pub(in crate::loader) fn check_translations(trees: &[&Tree], report: &Report) {
    let spoken = |language: &Language| {
        let mut speaks = false;
        for tree in trees {
            for_each_text(tree, &mut |text| speaks |= has(text.table, *language));
        }
        speaks
    };
    let spoken: Vec<Language> = Language::ALL.into_iter().filter(spoken).collect();
    for tree in trees {
        for_each_text(tree, &mut |text| {
            for language in spoken.iter().filter(|language| !has(text.table, **language)) {
                report.add(untranslated(text.table, text.place, *language));
            }
            for text in translations(text.table).filter(|text| text.text().is_some_and(|text| text.trim().is_empty())) {
                report.add(empty(&text.place));
            }
        });
        sentences(tree).for_each(|sentence| check_placeholders(sentence, report));
    }
    // Texts in an overlay form one group with the corresponding texts of the base game.
    let mut groups: IndexMap<(&str, &str), Vec<&Node>> = IndexMap::new();
    trees
        .iter()
        .flat_map(|tree| comparable_texts(tree))
        .for_each(|(group, all)| groups.entry(group).or_default().extend(all));
    groups.values().for_each(|group| check_untranslated(group, report));
}

/// Reports doc comments in the rules that lack a translation into a language that other doc comments have. These comments appear in the
/// printed rules.
pub(in crate::loader) fn check_comments(scripts: &[Arc<Source>], report: &Report) {
    let comments: Vec<Comment> =
        scripts.iter().filter(|script| script.role() == Some(Role::Rules)).flat_map(comments).collect();
    let spoken = |language: &Language| comments.iter().any(|comment| comment.languages.contains(language));
    for language in Language::ALL.into_iter().filter(|language| *language != Language::English).filter(spoken) {
        for comment in comments.iter().filter(|comment| !comment.languages.contains(&language)) {
            report.add(untranslated_comment(&comment.place, language));
        }
    }
}

/// A doc comment of a function: the place of its first line, and the languages that it is tagged with.
struct Comment {
    place: Place,
    languages: Vec<Language>,
}

fn comments(script: &Arc<Source>) -> Vec<Comment> {
    let (mut found, mut open): (Vec<Comment>, Option<Comment>) = (Vec::new(), None);
    let mut start = 0;
    for line in script.text.split_inclusive('\n') {
        if let Some(said) = line.strip_prefix("///") {
            let end = start + line.trim_end().len();
            let place = Place { source: script.clone(), span: start..end };
            let comment = open.get_or_insert(Comment { place, languages: Vec::new() });
            comment.languages.extend(split_language_tag(said).map(|(language, _)| language));
        } else {
            let above = open.take();
            found.extend(above.filter(|_| line.starts_with("fn ")));
        }
        start += line.len();
    }
    found
}

/// Reports backs without an entry in `[words]`, if their kind has a name in a language other than English. These backs would be printed
/// untranslated. Skips backs that are called like their kind.
pub(in crate::loader) fn check_backs(tree: &Tree, report: &Report) {
    let mut named: FxHashSet<&str> = tree.section("words").map(|(word, _)| &**word).collect();
    for (kind, entry) in tree.section("kinds") {
        let Some(table) = entry.node.table() else { continue };
        let name = kind::NAME.value_in(table).and_then(Node::table).filter(|name| is_text(name));
        let others = Language::ALL.into_iter().filter(|language| *language != Language::English);
        let spoken = others.into_iter().find(|language| name.is_some_and(|name| has(name, *language)));
        let back = kind::BACK.value_in(table).and_then(|back| Some((back.text()?, &back.place)));
        if let (Some(language), Some((word, place))) = (spoken, back)
            && **word != **kind
            && named.insert(word)
        {
            report.add(untranslated_back(word, place, language));
        }
    }
}

/// Groups comparable texts: the texts with the same key in the same section, all texts of decisions, and all texts in the rows of a kind.
fn comparable_texts(tree: &Tree) -> IndexMap<(&str, &str), Vec<&Node>> {
    let mut groups: IndexMap<(&str, &str), Vec<&Node>> = IndexMap::new();
    for section in GAME.keys {
        let (Form::Named(of) | Form::NamedForScripts(of) | Form::Values(of)) = &section.form else { continue };
        let mut add = |key, node| {
            let sort = if section.name == "decisions" { "" } else { key };
            groups.entry((section.name, sort)).or_default().push(node);
        };
        // An entry that is a plain text belongs to the same group as the `name` of an entry that is a table.
        tree.section(section.name).for_each(|(_, entry)| add_texts(of, "name", &entry.node, &mut add));
    }
    for row in &tree.rows {
        for key in ROW.keys.iter().filter(|key| matches!(key.form, Form::Text)) {
            if let Some(text) = row.node.table().and_then(|table| table.get(key.name)) {
                groups.entry(("rows", &row.kind)).or_default().push(&text.node);
            }
        }
    }
    groups
}

/// Calls `add` with each text in a node, together with its key. `form` is the form of the node.
fn add_texts<'t>(form: &Form, key: &'static str, node: &'t Node, add: &mut dyn FnMut(&'static str, &'t Node)) {
    let mut of_keys = |keys: &'static [KeySpec], table: &'t Table| {
        for key in keys {
            if let Some(entry) = table.get(key.name) {
                add_texts(&key.form, key.name, &entry.node, add);
            }
        }
    };
    match (form, node.table()) {
        (Form::Table(spec), Some(table)) if !is_by_players(table) && !is_text(table) => of_keys(spec.keys, table),
        (Form::ByPlayersBeside(_, keys), Some(table)) if is_by_players(table) => of_keys(keys, table),
        (Form::Named(of) | Form::NamedForScripts(of), Some(table)) => {
            translations(table).for_each(|node| add_texts(of, key, node, add));
        }
        (Form::AnyOf(forms), _) => forms.iter().for_each(|form| add_texts(form, key, node, add)),
        (Form::Text, _) => add(key, node),
        _ => {}
    }
}

/// Reports texts that are written as one string for all languages, if another text of their group is translated. Strings without lowercase
/// letters, such as numbers, and strings with non-ASCII characters are skipped.
fn check_untranslated(group: &[&Node], report: &Report) {
    let translated = || group.iter().filter_map(|node| node.table()).filter(|table| is_text(table));
    let other = Language::ALL
        .into_iter()
        .find(|language| *language != Language::English && translated().any(|table| has(table, *language)));
    let Some(language) = other else { return };
    for node in group {
        let is_english =
            |text: &str| text.is_ascii() && text.contains(|character: char| character.is_ascii_lowercase());
        if node.text().is_some_and(|text| is_english(text)) {
            report.add(single_language(node, language));
        }
    }
}

/// Reports decisions without a question and endings without a name. Also reports zones, phases, teams and rows without a name, if others of
/// their group have a translated name.
pub(in crate::loader) fn check_sentences(tree: &Tree, report: &Report) {
    for (section, key, what) in [("decisions", ASK.name, "decision"), ("endings", ending::NAME.name, "ending")] {
        for (name, entry) in tree.section(section) {
            let Some(table) = entry.node.table().filter(|table| !is_text(table)) else { continue };
            if !has_text(table, key) {
                report.add(missing_text(what, name, key, &entry.key));
            }
        }
    }
    for (section, what) in [("zones", "zone"), ("phases", "phase"), ("teams", "team")] {
        let all: Vec<_> = tree.section(section).collect();
        if all.iter().any(|(_, entry)| is_named(&entry.node)) {
            for (name, entry) in all.into_iter().filter(|(_, entry)| lacks_name(&entry.node)) {
                report.add(missing_text(what, name, "name", &entry.key));
            }
        }
    }
    let named: FxHashSet<&str> = tree.rows.iter().filter(|row| is_named(&row.node)).map(|row| &*row.kind).collect();
    for row in tree.rows.iter().filter(|row| named.contains(&*row.kind) && lacks_name(&row.node)) {
        if let (Some(id), Some(table)) = (row.id(), row.node.table()) {
            report.add(missing_text(&row.kind, id, "name", &table["id"].node.place));
        }
    }
}

/// Returns whether an entry has a `name` that is written as a table of texts by language.
fn is_named(node: &Node) -> bool {
    let name = node.table().and_then(|table| table.get("name"));
    name.and_then(|name| name.node.table()).is_some_and(is_text)
}

fn lacks_name(node: &Node) -> bool {
    node.table().is_some_and(|table| !has_text(table, "name"))
}

/// Returns whether a table has the key `key` with a value other than a blank string.
fn has_text(table: &Table, key: &str) -> bool {
    table.get(key).is_some_and(|entry| entry.node.text().is_none_or(|text| !text.trim().is_empty()))
}

/// Returns the texts that may contain placeholders.
fn sentences(tree: &Tree) -> impl Iterator<Item = &Node> {
    let of_decisions = tree.section("decisions").filter_map(|(_, entry)| entry.node.table()).flat_map(|table| {
        let by_word = TELLS.value_in(table).and_then(Node::table).into_iter().flat_map(IndexMap::values);
        let whole = [TELL.value_in(table), ASK.value_in(table)];
        whole.into_iter().flatten().chain(by_word.map(|entry| &entry.node))
    });
    of_decisions.chain(tree.section("says").map(|(_, entry)| &entry.node))
}

/// Reports unbalanced braces, malformed plural forms, and placeholders that are missing in one of several languages.
fn check_placeholders(sentence: &Node, report: &Report) {
    let texts = sentence.by_language();
    for text in &texts {
        if text.text().is_some_and(|text| !is_closed(text)) {
            report.add(open_brace(&text.place));
        }
        if let Some(name) = text.text().and_then(|text| name_in_wide_braces(text)) {
            report.add(wide_braces(name, &text.place));
        }
        let template = text.text().map_or("", |text| text);
        let rooms = template.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        for (room, _) in rooms.filter(|(room, _)| !is_well_formed(room)) {
            report.add(bad_plural(room, &text.place));
        }
    }
    let names =
        |node: &Node| -> Vec<String> { rooms(node.text().map_or("", |text| text)).map(ToOwned::to_owned).collect() };
    // Placeholders that are missing because of another reported mistake are not reported.
    let is_readable = |text: &&&Node| {
        let is_readable =
            |text: &str| !text.trim().is_empty() && is_closed(text) && name_in_wide_braces(text).is_none();
        text.text().is_none_or(|text| is_readable(text))
    };
    let readable: Vec<&Node> = texts.iter().filter(is_readable).copied().collect();
    for (text, other) in readable.iter().flat_map(|text| readable.iter().map(move |other| (text, other))) {
        let there = names(text);
        let others = names(other);
        for name in others.iter().filter(|name| !there.contains(name)) {
            let slip = there.iter().find(|near| !others.contains(near) && is_one_slip_from(near, name));
            match slip {
                // Each of the two texts lacks what the other has. One message about both is enough.
                Some(near) if near < name => report.add(unlike_placeholders((near, &text.place), (name, &other.place))),
                Some(_) => {}
                None => report.add(missing_placeholder(name, &text.place)),
            }
        }
    }
}

/// Returns whether a placeholder is a plain name, or a name with plural forms: `name|suffix`, or `name|singular|plural`.
fn is_well_formed(room: &str) -> bool {
    match room.split('|').skip(1).collect::<Vec<_>>().as_slice() {
        [] | [_, _] => true,
        [several] => !several.is_empty(),
        _ => false,
    }
}

fn bad_plural(room: &str, place: &Place) -> Diagnostic {
    let name = room.split('|').next().unwrap_or_default();
    Diagnostic::error("unknown-placeholder", format!("`{{{room}}}` is not a valid plural form"))
        .mark(place.clone(), "one or two words follow the name")
        .help(format!("write `{{{name}|card|cards}}`, or `{{{name}|s}}` for an ending that only the plural has"))
}

/// Returns whether all braces of a text are balanced and not nested.
fn is_closed(text: &str) -> bool {
    let braces = text.chars().filter(|letter| matches!(letter, '{' | '}')).collect::<String>();
    braces.replace("{}", "").is_empty()
}

/// Returns the name of a placeholder that is written in full-width braces.
fn name_in_wide_braces(text: &str) -> Option<&str> {
    let is_name = |name: &str| {
        name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '|'))
    };
    let mut names = text.split(WIDE_OPEN).skip(1).filter_map(|rest| rest.split_once([WIDE_CLOSE, '}']));
    names.find_map(|(name, _)| is_name(name).then_some(name))
}

/// A text in several languages.
struct Translated<'t> {
    table: &'t Table,
    place: &'t Place,
}

fn for_each_text<'t>(tree: &'t Tree, take: &mut impl FnMut(Translated<'t>)) {
    tree.root.values().for_each(|entry| walk(&entry.node, take));
    tree.rows.iter().for_each(|row| walk(&row.node, take));
}

fn walk<'t>(node: &'t Node, take: &mut impl FnMut(Translated<'t>)) {
    match node.table() {
        Some(table) if is_text(table) => take(Translated { table, place: &node.place }),
        Some(table) => table.values().for_each(|entry| walk(&entry.node, take)),
        None => node.list().unwrap_or_default().iter().for_each(|node| walk(node, take)),
    }
}

/// Returns whether a table is a translated text: all keys are language tags, apart from `provenance`.
fn is_text(table: &Table) -> bool {
    let is_tag = |key: &str| Language::ALL.into_iter().any(|language| language.tag() == key);
    table.keys().any(|key| is_tag(key)) && table.keys().all(|key| is_tag(key) || &**key == PROVENANCE)
}

fn has(table: &Table, language: Language) -> bool {
    table.contains_key(language.tag())
}

fn untranslated(table: &Table, place: &Place, language: Language) -> Diagnostic {
    let tag = language.tag();
    let there: Vec<&str> = Language::ALL.into_iter().filter(|other| has(table, *other)).map(Language::tag).collect();
    Diagnostic::warning("missing-translation", format!("this text has no `{tag}` version, unlike others"))
        .mark(place.clone(), format!("`{}` alone", there.join("` and `")))
        .help(format!("add `{tag} = \"…\"`, or write one text for all languages"))
}

fn untranslated_comment(place: &Place, language: Language) -> Diagnostic {
    let tag = language.tag();
    Diagnostic::warning(
        "missing-translation",
        format!("the comment of this function has no `{tag}` version, unlike others"),
    )
    .mark(place.clone(), "in one language")
    .help(format!("add a line `/// {tag}: …` below it"))
}

fn untranslated_back(word: &str, place: &Place, language: Language) -> Diagnostic {
    let tag = language.tag();
    let key = if word.contains(' ') { format!("\"{word}\"") } else { word.to_owned() };
    Diagnostic::warning("missing-translation", format!("the back `{word}` has no `{tag}` name, unlike its kind"))
        .mark(place.clone(), "printed unchanged")
        .help(format!("write `{key} = {{ en = \"{word}\", {tag} = \"…\" }}` in `[words]`"))
}

fn single_language(node: &Node, language: Language) -> Diagnostic {
    let (tag, text) = (language.tag(), node.text().map_or("", |text| text));
    Diagnostic::warning("missing-translation", format!("this text has no `{tag}` version, unlike others"))
        .mark(node.place.clone(), "the same in all languages")
        .help(format!("write `{{ en = \"{text}\", {tag} = \"…\" }}`, in a sheet the column `….{tag}`"))
}

fn empty(place: &Place) -> Diagnostic {
    Diagnostic::warning("empty-text", "this text is empty")
        .mark(place.clone(), "empty")
        .help("write a text, or remove the key")
}

fn open_brace(place: &Place) -> Diagnostic {
    Diagnostic::warning("open-brace", "unmatched brace in this sentence")
        .mark(place.clone(), "`{` and `}` do not match")
        .help("write a placeholder such as `{seat}`")
}

fn wide_braces(name: &str, place: &Place) -> Diagnostic {
    Diagnostic::warning(
        "open-brace",
        format!("`{WIDE_OPEN}{name}{WIDE_CLOSE}` is not a placeholder, because its braces are full-width"),
    )
    .mark(place.clone(), "shown as it is written")
    .help(format!("write `{{{name}}}`"))
}

fn unlike_placeholders((one, here): (&str, &Place), (other, there): (&str, &Place)) -> Diagnostic {
    Diagnostic::warning("missing-placeholder", format!("`{{{one}}}` in one language is `{{{other}}}` in another"))
        .mark(here.clone(), format!("has `{{{one}}}`"))
        .mark(there.clone(), format!("has `{{{other}}}`"))
        .help("write the same placeholder in every language")
}

fn missing_placeholder(name: &str, place: &Place) -> Diagnostic {
    Diagnostic::warning("missing-placeholder", format!("`{{{name}}}` occurs in another language but not here"))
        .mark(place.clone(), format!("`{{{name}}}` is missing"))
        .help(format!("write `{{{name}}}` in every language, or in none"))
}

fn missing_text(what: &str, name: &str, key: &str, place: &Place) -> Diagnostic {
    Diagnostic::warning("missing-text", format!("the {what} `{name}` has no `{key}`"))
        .mark(place.clone(), "people read its name instead")
        .help(format!("write `{key} = \"…\"`, or one text for each language"))
}
