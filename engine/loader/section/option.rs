//! Reads options: settings on which players agree before a game, and the values chosen for this game.

use crate::diagnostic::{Diagnostic, Place, Source, is_workbook};
use crate::loader::document::node::{KeyedNode, Node, entries_without_provenance};
use crate::loader::document::tree::Tree;
use crate::loader::keys::form::{Form, TableSpec};
use crate::loader::keys::key::{Amount, DisplayText, Key, OneOf, Word, Words, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{inverted_range, misplaced_key, unknown, unknown_word, wrong_type};
use crate::loader::name::{Scope, check_script_name};
use crate::loader::report::Report;
use crate::loader::section::draft::Draft;
use crate::model::{GameOption, OptionType, Seat, Setting};
use std::borrow::Cow;
use std::sync::Arc;

/// Chosen value of a seat option if no seat is chosen.
pub(in crate::loader) const UNSET: &str = "none";

/// Chosen value of a seat option if the rules choose a seat at random.
const RANDOM: &str = "random";

declare_table! {
    pub(in crate::loader) const OPTION: TableSpec = TableSpec::new("an option", "options")
        .also(&[("words", &VALUES.spec), ("choices", &VALUES.spec), ("overlays", &OVERLAY.spec),
            ("kind", &TYPE.spec), ("description", &ABOUT.spec)]);

    const NAME: Key<DisplayText> = Key::text("name", "display name of the option");
    const ABOUT: Key<DisplayText> = Key::text("about", "sentence that describes the option");
    const VALUES: Key<Words> = Key::words("values", "words to choose from; the first is the default").with_own_words();
    const TYPE: Key<OneOf<Typed>> = Key::one_of(
        "type", "type of the option; a word by default",
        &[("number", Typed::Number), ("seat", Typed::Seat), ("word", Typed::Word)]);
    const MIN: Key<Amount> = Key::amount("min", "minimum");
    const MAX: Key<Amount> = Key::amount("max", "maximum");
    const DEFAULT: Key = Key::new(
        "default", "default value", Form::ByPlayers(&Form::AnyOf(&[Form::Word, Form::Integer])));
    const OVERLAY: Key = Key::new("overlay", "overlay file of each word", Form::Named(&Form::Word));
}

/// Type of an option, as named in its declaration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::loader) enum Typed {
    Number,
    Seat,
    Word,
}

impl Draft<'_> {
    /// Reads the section `options` and applies the chosen values. `overlays` lists the existing overlay files.
    pub(in crate::loader) fn read_options(&mut self, overlays: &[&str], chosen: &[(String, String)]) {
        for (name, entry) in self.section("options") {
            check_script_name(name, "an option", &entry.key, self.report);
            self.names.declare(Scope::Global, name, "an option", &entry.key, self.report);
            if let Some(option) = self.option(name, entry, overlays) {
                self.options.insert(name.clone(), option);
            }
        }
        for (name, value) in chosen {
            self.apply_choice(name, value);
        }
    }

    fn option(&self, name: &Arc<str>, entry: &KeyedNode, overlays: &[&str]) -> Option<GameOption> {
        let fields = Fields::from_entry(self.report, name, entry, &OPTION)?;
        let kind = self.option_type(&fields)?;
        let default = self.default(&fields, &kind);
        self.check_overlays(&fields, &kind, overlays);
        Some(GameOption {
            id: name.clone(),
            name: fields.text_or_id(&NAME, name),
            about: fields.read(&ABOUT),
            kind,
            value: default.clone(),
            default,
        })
    }

    fn option_type(&self, fields: &Fields<'_>) -> Option<OptionType> {
        let typed = fields.read(&TYPE);
        if fields.get(&TYPE).is_some() && typed.is_none() {
            return None;
        }
        match typed.unwrap_or(Typed::Word) {
            Typed::Number => {
                fields.refuse(&[&VALUES], "an option of type `number` has no list of values");
                fields.require(&MIN)?;
                let min = self.read_amount(fields, &MIN);
                fields.require(&MAX)?;
                let max = self.read_amount(fields, &MAX);
                self.bounds(fields, min?, max?)
            }
            Typed::Seat => {
                fields.refuse(&[&VALUES, &MIN, &MAX, &DEFAULT], "an option of type `seat` has no values");
                Some(OptionType::Seat)
            }
            Typed::Word => {
                fields.refuse(&[&MIN, &MAX], "an option of words has no bounds");
                fields.require(&VALUES)?;
                fields.read(&VALUES).map(OptionType::Word)
            }
        }
    }

    fn bounds(&self, fields: &Fields<'_>, min: i64, max: i64) -> Option<OptionType> {
        if min > max {
            self.mistake(inverted_range(min, max, &fields.get(&MIN)?.place));
            return None;
        }
        Some(OptionType::Number { min, max })
    }

    fn default(&self, fields: &Fields<'_>, kind: &OptionType) -> Setting {
        let node = fields.get(&DEFAULT);
        match kind {
            OptionType::Seat => Setting::Nothing,
            OptionType::Number { min, max } => {
                let number = node.and_then(|node| self.amount_within(DEFAULT.name, node, *min, *max));
                Setting::Number(number.unwrap_or(*min))
            }
            OptionType::Word(words) => {
                let word = fields.read_as(&DEFAULT, &Word);
                let word = word.filter(|(word, place)| self.check_word(DEFAULT.name, word, place, words));
                Setting::Word(word.map_or(&words[0], |(word, _)| word).clone())
            }
        }
    }

    /// Returns whether `words` contains `word`. If not, reports `word`.
    pub(in crate::loader) fn check_word(&self, name: &str, word: &Arc<str>, place: &Place, words: &[Arc<str>]) -> bool {
        let is_listed = words.contains(word);
        if !is_listed {
            self.mistake(unknown_word(name, word, place, words.iter().map(|word| &**word)));
        }
        is_listed
    }

    fn check_overlays(&self, fields: &Fields<'_>, kind: &OptionType, files: &[&str]) {
        let Some(entry) = fields.entry(&OVERLAY) else { return };
        let OptionType::Word(words) = kind else {
            return self.mistake(misplaced_key(OVERLAY.name, &entry.key, "only an option of words brings overlays"));
        };
        let Some(table) = entry.node.table() else {
            return self.mistake(wrong_type(OVERLAY.name, "a table of files by word", &entry.node));
        };
        for (word, file) in entries_without_provenance(table) {
            self.check_word(fields.name, word, &file.key, words);
            match file.node.text() {
                None => self.mistake(wrong_type(word, "the path of a file", &file.node)),
                Some(path) if files.contains(&&*overlay_of(path)) => {}
                Some(path) => self.mistake(missing_file(path, &file.node.place, files)),
            }
        }
    }

    fn apply_choice(&mut self, name: &str, value: &str) {
        let source = Arc::new(Source { path: "--option".to_owned(), text: format!("{name}={value}") });
        let name_place = Place { source: source.clone(), span: 0..name.len() };
        let place = Place { span: name.len() + 1..source.text.len(), source };
        let Some(option) = self.options.get(name) else {
            // An option with mistakes has been reported where it is declared.
            if !self.tree.section("options").any(|(known, _)| **known == *name) {
                let known = self.options.keys().map(|name| &**name);
                self.mistake(unknown("unknown-option", "option", name, &name_place, known));
            }
            return;
        };
        if let Some(setting) = self.parse_choice(option, value, &place) {
            self.options[name].value = setting;
        }
    }

    fn parse_choice(&self, option: &GameOption, value: &str, place: &Place) -> Option<Setting> {
        match &option.kind {
            OptionType::Word(words) => {
                let word: Arc<str> = value.into();
                self.check_word(&option.id, &word, place, words).then_some(Setting::Word(word))
            }
            OptionType::Number { min, max } => self.parse_number(option, value, *min, *max, place).map(Setting::Number),
            OptionType::Seat if matches!(value, UNSET | RANDOM) => Some(Setting::Nothing),
            OptionType::Seat => {
                let number = self.parse_number(option, value, 1, i64::from(self.seats), place)?;
                Some(Setting::Seat(Seat(number as u8 - 1)))
            }
        }
    }

    fn parse_number(&self, option: &GameOption, value: &str, from: i64, to: i64, place: &Place) -> Option<i64> {
        let number = value.parse::<i64>().ok().filter(|number| (from..=to).contains(number));
        if number.is_none() {
            self.mistake(bad_number(&option.id, value, from, to, place));
        }
        number
    }
}

/// Returns the paths of the overlays that the chosen values select, in the order of the options. Reports nothing, because the options are
/// read again with diagnostics after the overlays have been merged.
pub(in crate::loader) fn chosen_overlays<'t>(tree: &'t Tree, chosen: &[(String, String)]) -> Vec<&'t Arc<str>> {
    let overlay = |(name, entry): (&Arc<str>, &'t KeyedNode)| {
        let table = entry.node.table()?;
        let by_word = OVERLAY.value_in(table)?.table()?;
        let first = || VALUES.value_in(table)?.list()?.first()?.text();
        let default = || DEFAULT.value_in(table).and_then(Node::text).or_else(first);
        // If an option is chosen twice, the last choice wins.
        let word = chosen.iter().rev().find(|(known, _)| **known == **name).map(|(_, word)| &**word);
        by_word.get(word.or_else(|| default().map(|word| &**word))?)?.node.text()
    };
    tree.section("options").filter_map(overlay).collect()
}

/// Returns the path of the overlay that a file belongs to. A workbook belongs to the TOML overlay with the same file stem.
pub(in crate::loader) fn overlay_of(path: &str) -> Cow<'_, str> {
    match path.rsplit_once('.') {
        Some((stem, _)) if is_workbook(path) => format!("{stem}.toml").into(),
        _ => path.into(),
    }
}

/// Returns the values of an option that a check tries: all words; the minimum, default and maximum of a number; or `none` for a seat.
pub(in crate::loader) fn values_to_try(option: &GameOption) -> Vec<String> {
    match (&option.kind, &option.default) {
        (OptionType::Word(words), _) => words.iter().map(ToString::to_string).collect(),
        (OptionType::Number { min, max }, Setting::Number(default)) => {
            let mut numbers = vec![*min, *default, *max];
            numbers.dedup();
            numbers.iter().map(ToString::to_string).collect()
        }
        _ => vec![UNSET.to_owned()],
    }
}

/// Reports overlays that no option uses.
pub(in crate::loader) fn report_unused_overlays(tree: &Tree, overlays: &[(&str, Place)], report: &Report) {
    let tables = tree.section("options").filter_map(|(_, entry)| OVERLAY.value_in(entry.node.table()?)?.table());
    let used: Vec<_> = tables.flatten().filter_map(|(_, file)| file.node.text()).map(|path| overlay_of(path)).collect();
    for (path, place) in overlays.iter().filter(|(path, _)| !used.iter().any(|used| used == path)) {
        report.add(
            Diagnostic::warning("unused-overlay", format!("no option uses `{path}`"))
                .mark(place.clone(), "never applied")
                .help("name it in the `overlay` table of an option"),
        );
    }
}

fn bad_number(name: &str, value: &str, from: i64, to: i64, place: &Place) -> Diagnostic {
    Diagnostic::error("out-of-range", format!("`{name}` must be a number between {from} and {to}, not `{value}`"))
        .mark(place.clone(), "not such a number")
}

fn missing_file(path: &str, place: &Place, files: &[&str]) -> Diagnostic {
    Diagnostic::error("missing-file", format!("there is no file `{path}`"))
        .mark(place.clone(), "not a file in `overlays/`")
        .suggest(path, files.iter().copied())
}
