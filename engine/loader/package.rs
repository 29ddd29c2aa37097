//! The parsed data of a game, from which models are built.

use super::mistake::{inverted_range, out_of_range, wrong_type};
use super::name::check_id;
use super::report::Report;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Role, Severity, Source};
use crate::loader::document::budget::{Budget, MAX_DATA_BYTES};
use crate::loader::document::files::{Files, Workbook, is_comma_separated};
use crate::loader::document::fingerprint::add_text;
use crate::loader::document::node::Node;
use crate::loader::document::toml_reader;
use crate::loader::document::tree::{Row, Tree};
use crate::loader::keys::key::Key;
use crate::loader::keys::reading::Fields;
use crate::loader::keys::sections::GAME;
use crate::loader::lint::isolated_words;
use crate::loader::lint::misspelled_columns::check_columns;
use crate::loader::lint::name_uses::mentions_with_uses;
use crate::loader::lint::texts::{check_backs, check_comments, check_sentences, check_translations};
use crate::loader::section::draft::{ANY_PLAYERS, Draft};
use crate::loader::section::flow::is_no_flow;
use crate::loader::section::identity::{self, IDENTITY, PLAYERS_TABLE};
use crate::loader::section::option::{chosen_overlays, overlay_of, report_unused_overlays, values_to_try};
use crate::loader::spreadsheet::{self, Target, WrittenSheet, parse_csv, target};
use crate::model::{GameOption, MAX_SEATS, Model, Text, Variants};
use indexmap::IndexMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

/// Version of the file format that this engine reads.
pub const FORMAT: i64 = 1;

/// Maximum number of overlay combinations to check. If there are more, only pairs of overlays are checked.
const MAX_COMBINATIONS: usize = 64;

/// Maximum total size in bytes of the data that one check may read, summed over all numbers of players and choices of options.
const MAX_CHECKED_BYTES: usize = 512 << 20;

/// Minimum size in bytes that is counted for reading the data once, however small the data is.
const MIN_CHECKED_BYTES: usize = 64 << 10;

/// Choices for which a model is built: the number of players, the options, and changes to the data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices {
    /// Number of seats.
    pub players: u8,
    /// Chosen options by name. A value is a word, a number, or a seat counted from 1. For a seat option, it can also be `none` or `random`.
    pub options: Vec<(String, String)>,
    /// Changes to the data: a dotted path (`params.start_cash.4`, `card.ace.count`) and the new value in TOML. A single word needs no
    /// quotes.
    pub sets: Vec<(String, String)>,
}

/// The parsed data of a game. Models for any number of players and any options are built from it.
#[derive(Debug)]
pub struct Package {
    id: Arc<str>,
    name: Text,
    about: Option<Text>,
    /// Diagnostic for an unsupported format version. If there is one, all other diagnostics are meaningless.
    unknown_format: Option<Diagnostic>,
    /// The allowed numbers of seats; `None` if they are missing or malformed, which is reported.
    players: Option<RangeInclusive<u8>>,
    least_score_wins: bool,
    sources: Vec<Arc<Source>>,
    scripts: Vec<Arc<Source>>,
    agents: Vec<Arc<Source>>,
    plays: Vec<Arc<Source>>,
    faces: Vec<Arc<Source>>,
    base: Tree,
    overlays: IndexMap<String, Tree>,
    /// Place of each overlay's first line, by the overlay's path.
    places: IndexMap<String, Place>,
    /// Overlays applied regardless of the chosen options.
    fixed_overlays: Vec<Tree>,
    /// The base model, followed by one model for each other set of overlays that a single option value selects. Not used by games without
    /// overlays.
    overlay_models: OnceLock<Vec<Arc<Model>>>,
    /// State of the hasher after hashing the data and scripts. Fingerprints add the choices to a copy of it.
    base_hash: OnceLock<blake3::Hasher>,
    /// Mistakes that are independent of the choices.
    mistakes: Vec<Diagnostic>,
}

impl Package {
    /// Parses the data files of a game. Does not parse scripts.
    ///
    /// # Errors
    /// Returns the syntax errors, or only the diagnostic for an unsupported format version.
    pub fn parse(files: Files) -> Result<Arc<Self>, Diagnostics> {
        let (package, syntax) = Self::parse_well(files);
        if let Some(found) = package.unknown_format() {
            return Err(Diagnostics(vec![found]));
        }
        if syntax.0.is_empty() { Ok(package) } else { Err(syntax) }
    }

    /// Returns a diagnostic if the files declare an unsupported format version. If they do, all other diagnostics are meaningless.
    pub fn unknown_format(&self) -> Option<Diagnostic> {
        self.unknown_format.clone()
    }

    /// Parses the data files of a game as far as possible. Leaves out files with syntax errors, and also returns these errors. Does not
    /// parse scripts.
    pub fn parse_well(files: Files) -> (Arc<Self>, Diagnostics) {
        let syntax = Report::default();
        let mistakes = Report::default();
        let budget = Budget::default();
        let mut base = Tree::default();
        let mut overlays: IndexMap<String, Tree> = IndexMap::new();
        let (mut places, mut sheets) = (IndexMap::new(), Vec::new());
        // `game.toml` comes first, so that its kinds come first.
        let data = files.sources.iter().filter(|source| !source.is_script());
        let (game, others): (Vec<_>, Vec<_>) = data.partition(|source| source.role() == Some(Role::Game));
        for source in game.into_iter().chain(others) {
            if is_comma_separated(&source.path) {
                sheets.extend(parse_csv(source, &budget, &syntax).map(|grid| (target(&source.path, None), grid)));
                continue;
            }
            let Some(node) = toml_reader::parse(source, &syntax) else { continue };
            match source.role() {
                Some(Role::Overlay) => {
                    places.insert(source.path.clone(), first_line(source));
                    overlays.insert(source.path.clone(), Tree::overlay(source, node, &mistakes));
                }
                Some(Role::Game) => base.add_game(source, node, &mistakes),
                _ => base.add_components(source, node, &mistakes),
            }
        }
        for Workbook { path, bytes } in &files.workbooks {
            let found = spreadsheet::sheets(path, bytes, &budget, &syntax, &mistakes);
            sheets.extend(found.into_iter().map(|(name, grid)| (target(path, Some(&name)), grid)));
        }
        // CSV files and workbooks are merged in the order of their paths, so that rows have the same order on every machine.
        sheets.sort_by(|(_, a), (_, b)| a.source.file().cmp(b.source.file()));
        let mut sources = files.sources;
        for (Target { kind, overlay }, grid) in sheets {
            // If the budget is exceeded, sheets may have been cut off. Reading them would report mistakes that the author has not made.
            if budget.is_exceeded() {
                break;
            }
            let rows = grid.rows_of(&kind, &budget, &syntax);
            match overlay {
                None => base.add_rows_of(rows, &mistakes),
                Some(path) => {
                    places.entry(path.clone()).or_insert_with(|| first_line(&grid.source));
                    overlays.entry(path).or_default().add_rows_of(rows, &mistakes);
                }
            }
            if !sources.contains(&grid.source) {
                sources.push(grid.source);
            }
        }
        // The fingerprint depends on the order of overlays.
        overlays.sort_unstable_keys();
        let fixed_overlays =
            files.laid.iter().filter_map(|source| Some((source, toml_reader::parse(source, &syntax)?)));
        let mut fixed_overlays: Vec<Tree> =
            fixed_overlays.map(|(source, node)| Tree::overlay(source, node, &mistakes)).collect();
        // The base game comes first, because `each` in an overlay may name a kind whose components are in the base game.
        base.expand_rows(None, &budget, &mistakes);
        for overlay in overlays.values_mut().chain(&mut fixed_overlays) {
            overlay.expand_rows(Some(&base), &budget, &mistakes);
        }
        let mut package = Self {
            id: folder_name(&files.name).into(),
            name: Text::plain(&files.name),
            about: None,
            unknown_format: None,
            players: None,
            least_score_wins: false,
            agents: sources_with_role(&sources, Role::Agent),
            plays: files.plays,
            faces: files.faces,
            scripts: sources_with_role(&sources, Role::Rules),
            sources: sources.into_iter().chain(files.laid).collect(),
            places,
            base,
            overlays,
            fixed_overlays,
            overlay_models: OnceLock::new(),
            base_hash: OnceLock::new(),
            mistakes: Vec::new(),
        };
        package.read_game(&mistakes);
        mistakes.extend(files.strays);
        package.mistakes = mistakes.into_diagnostics().0;
        (Arc::new(package), syntax.into_diagnostics())
    }

    /// Returns all source files.
    pub fn sources(&self) -> &[Arc<Source>] {
        &self.sources
    }

    /// Returns the ids of all components in the base game and its overlays.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &Arc<str>> {
        self.trees().flat_map(|tree| &tree.rows).filter_map(Row::id)
    }

    /// Returns the component rows as spreadsheets: one for each kind of the base game, followed by those of the overlays.
    pub fn sheets(&self) -> Vec<WrittenSheet> {
        spreadsheet::written(&self.base, &self.overlays)
    }

    /// Returns whether `game.toml` declares its format version.
    pub fn declares_format(&self) -> bool {
        let game = self.base.root.get("game").and_then(|entry| entry.node.table());
        game.is_some_and(|game| game.contains_key(identity::FORMAT.name))
    }

    /// Returns the scripts of the game's own agents.
    pub fn agents(&self) -> &[Arc<Source>] {
        &self.agents
    }

    /// Returns the id of the game.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the display name of the game.
    pub fn name(&self) -> &Text {
        &self.name
    }

    /// Returns the allowed numbers of seats. If the game does not declare them, returns all supported numbers.
    pub fn players(&self) -> RangeInclusive<u8> {
        self.players.clone().unwrap_or(ANY_PLAYERS)
    }

    /// Returns the place of the value at a path of keys, if the base game has one. The first key is a section of `game.toml`.
    pub fn place_of(&self, path: &[&str]) -> Option<&Place> {
        let (section, keys) = path.split_first()?;
        let mut node = &self.base.root.get(*section)?.node;
        for key in keys {
            node = &node.table()?.get(*key)?.node;
        }
        Some(&node.place)
    }

    /// Returns the scripts in `rules/`, sorted by name.
    pub fn scripts(&self) -> &[Arc<Source>] {
        &self.scripts
    }

    /// Returns each option with the values to try in a check: every word of a word option; the smallest, the default and the largest number
    /// of a number option; `none` for a seat option. The default is always included.
    pub fn option_values(&self) -> Vec<(String, Vec<String>)> {
        let options = self.default_options();
        options.iter().map(|(name, option)| (name.to_string(), values_to_try(option))).collect()
    }

    /// Builds the model for the given choices.
    ///
    /// # Errors
    /// Returns all diagnostics if any of them is an error.
    pub fn build(self: &Arc<Self>, choices: &Choices) -> Result<Model, Diagnostics> {
        let report = Report::default();
        let model = Model { variants: self.variants(), ..self.build_draft(choices, &report) };
        report.result(model)
    }

    /// Returns the model of a possibly unfinished game, for looking at its components. Returns `None` if there are errors other than a
    /// missing flow.
    pub fn sketch(&self, choices: &Choices) -> Option<Model> {
        let report = Report::default();
        let model = self.build_draft(choices, &report);
        let found = report.into_diagnostics().0;
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        found.iter().filter(is_error).all(is_no_flow).then_some(model)
    }

    /// Returns the models for other sets of overlays. Scripts may use the names that these models declare, even if this model lacks the
    /// names. Options without overlays and the number of seats do not add names, so they need no models of their own.
    fn variants(self: &Arc<Self>) -> Variants<Model> {
        if self.overlays.is_empty() {
            return Variants::default();
        }
        let package = self.clone();
        Variants::new(move || package.overlay_models.get_or_init(|| package.build_overlay_models()).clone())
    }

    fn build_overlay_models(&self) -> Vec<Arc<Model>> {
        let options = self.default_options();
        let values = options.iter().flat_map(|(name, option)| {
            let values = values_to_try(option).into_iter().filter(|value| !is_default(option, value));
            values.map(|value| vec![(name.to_string(), value)])
        });
        // Several values may select the same overlays. One of these values is enough, because options declare names only through overlays.
        let mut known = vec![chosen_overlays(&self.base, &[])];
        let mut chosen = vec![Vec::new()];
        // All of these models stay in memory, so their total size is limited.
        let room = MAX_DATA_BYTES / self.base.size().max(1);
        for value in values {
            let overlays = chosen_overlays(&self.base, &value);
            if !known.contains(&overlays) && known.len() <= room {
                known.push(overlays);
                chosen.push(value);
            }
        }
        let players = *self.players().start();
        chosen
            .into_iter()
            .map(|options| {
                Arc::new(self.build_draft(&Choices { players, options, sets: Vec::new() }, &Report::default()))
            })
            .collect()
    }

    /// Returns all errors and warnings, sorted by file and place. Builds the model for every number of players with the default options,
    /// with each other [value to try](Self::option_values) of each option, and with combinations of overlays from several options. Merges
    /// similar mistakes.
    ///
    /// If this would read too much data, returns only an error that says so.
    pub fn check(&self) -> Diagnostics {
        let report = Report::default();
        let options = self.default_options();
        let (players, ways) = (self.players().count(), self.count_choices(&options));
        let size = self.trees().map(Tree::size).sum::<usize>().max(MIN_CHECKED_BYTES);
        // The data is read once for each combination of choices, so even a small file could take arbitrarily long to check.
        if size.saturating_mul(ways).saturating_mul(players) > MAX_CHECKED_BYTES {
            let place = options.keys().last().and_then(|name| self.place_of(&["options", name]));
            report.add(too_many_choices(ways, place));
            return report.into_diagnostics();
        }
        for players in self.players() {
            report.extend(self.diagnostics(&Choices { players, ..Choices::default() }));
            for (name, option) in &options {
                for value in values_to_try(option).into_iter().filter(|value| !is_default(option, value)) {
                    let options = vec![(name.to_string(), value)];
                    report.extend(self.diagnostics(&Choices { players, options, sets: Vec::new() }));
                }
            }
        }
        for options in self.overlay_combinations(&options) {
            for players in self.players() {
                report.extend(self.diagnostics(&Choices { players, options: options.clone(), sets: Vec::new() }));
            }
        }
        // These checks mainly produce warnings. They run last, and only for games without errors, so that the warnings do not distract from
        // the errors.
        if !report.has_errors() {
            let trees: Vec<&Tree> = std::iter::once(&self.base).chain(self.overlays.values()).collect();
            check_translations(&trees, &report);
            check_comments(&self.scripts, &report);
            let all = self.with_all_overlays();
            check_sentences(&all, &report);
            check_backs(&all, &report);
            let scripts = self.scripts.iter().chain(&self.agents).chain(&self.plays).chain(&self.faces);
            check_columns(&all, scripts, &report);
        }
        report_unused_overlays(&self.base, &self.overlay_places(), &report);
        report.into_diagnostics().grouped()
    }

    /// Returns warnings about words that occur only once in the data and the scripts, and about unused entries of the section `words`,
    /// sorted by file and place. `is_known` returns whether the engine knows a word.
    pub fn lone_words(&self, is_known: impl Fn(&str) -> bool) -> Diagnostics {
        let report = Report::default();
        report.extend(isolated_words::check(self.trees(), self.scripts.iter().chain(&self.agents), is_known));
        report.into_diagnostics()
    }

    /// Returns the trees of the base game and all overlays.
    fn trees(&self) -> impl Iterator<Item = &Tree> + Clone {
        std::iter::once(&self.base).chain(self.overlays.values()).chain(&self.fixed_overlays)
    }

    /// Returns a model for looking up names, not for play. The model has the default options and the fewest players. If the game does not
    /// declare its numbers of players, a typical number is assumed. Mistakes are ignored.
    pub fn outline(self: &Arc<Self>) -> Model {
        let players = self.players.as_ref().map_or(TYPICAL_PLAYERS, |players| *players.start());
        let model = self.build_draft(&Choices { players, ..Choices::default() }, &Report::default());
        Model { variants: self.variants(), ..model }
    }

    /// Returns an upper bound for the number of times that `check` reads the data for each number of players.
    fn count_choices(&self, options: &IndexMap<Arc<str>, GameOption>) -> usize {
        let values: usize = options.values().map(|option| values_to_try(option).len()).sum();
        let overlay_values = self.values_with_overlays(options);
        let all = count_combinations(&overlay_values);
        let combined = if all <= MAX_COMBINATIONS {
            all
        } else {
            let words = overlay_values.iter().map(Vec::len);
            let (_, pairs) = words.fold((0_usize, 0_usize), |(before, pairs), words| {
                (before + words, pairs.saturating_add(before.saturating_mul(words)))
            });
            pairs
        };
        (1 + values).saturating_add(combined)
    }

    /// Returns the option values that add an overlay, grouped by option. Leaves out options without such values.
    fn values_with_overlays(&self, options: &IndexMap<Arc<str>, GameOption>) -> Vec<Vec<(String, String)>> {
        let words = |(name, option): (&Arc<str>, &GameOption)| {
            let by_word = self.place_of(&["options", name, "overlay"]).is_some();
            let without = if by_word { self.overlays_without(name) } else { 0 };
            let values = values_to_try(option).into_iter().filter(|_| by_word).map(|value| (name.to_string(), value));
            let bring =
                values.filter(|chosen| chosen_overlays(&self.base, std::slice::from_ref(chosen)).len() > without);
            bring.collect::<Vec<(String, String)>>()
        };
        options.iter().map(words).filter(|words| !words.is_empty()).collect()
    }

    /// Returns the combinations of two or more option values that each add an overlay and belong to different options. If there are more
    /// than `MAX_COMBINATIONS`, returns only the pairs.
    fn overlay_combinations(&self, options: &IndexMap<Arc<str>, GameOption>) -> Vec<Vec<(String, String)>> {
        let overlay_values = self.values_with_overlays(options);
        let all = count_combinations(&overlay_values);
        let mut found: Vec<Vec<(String, String)>> = vec![Vec::new()];
        for words in &overlay_values {
            let more: Vec<Vec<(String, String)>> = found
                .iter()
                .filter(|chosen| all <= MAX_COMBINATIONS || chosen.len() < 2)
                .flat_map(|chosen| words.iter().map(|word| [&chosen[..], std::slice::from_ref(word)].concat()))
                .collect();
            found.extend(more);
        }
        found.retain(|chosen| chosen.len() > 1);
        found
    }

    /// Returns the number of overlays that are applied when an option has no value.
    fn overlays_without(&self, option: &str) -> usize {
        let none = [(option.to_owned(), String::new())];
        chosen_overlays(&self.base, &none).len()
    }

    /// Returns the base game with all overlays merged in, for looking up names.
    pub(super) fn with_all_overlays(&self) -> Tree {
        let mut tree = self.base.clone();
        for overlay in self.fixed_overlays.iter().chain(self.overlays.values()) {
            tree.merge_overlay(overlay, &Report::default());
        }
        tree
    }

    fn diagnostics(&self, choices: &Choices) -> Vec<Diagnostic> {
        let report = Report::default();
        self.build_draft(choices, &report);
        report.into_diagnostics().0
    }

    /// Reads the table `game`.
    fn read_game(&mut self, report: &Report) {
        let Some(entry) = self.base.root.get("game") else {
            if !self.base.is_misspelled("game") {
                report.add(no_game(self.base.beginning()));
            }
            return;
        };
        let Some(fields) = Fields::from_entry(report, "game", entry, &IDENTITY) else { return };
        self.unknown_format = read_format(&fields, report);
        fields.require(&identity::ID);
        if let Some((id, place)) = fields.read(&identity::ID) {
            check_id(id, "a game", place, report);
            self.id = id.clone();
        }
        self.name = fields.text_or_id(&identity::NAME, &self.id);
        self.about = fields.read(&identity::ABOUT);
        self.players = fields.require(&identity::PLAYERS).and_then(|node| range(node, fields.place, report));
        self.least_score_wins = fields.read(&identity::SCORE).unwrap_or(false);
    }

    fn default_options(&self) -> IndexMap<Arc<str>, GameOption> {
        let report = Report::default();
        let mut draft = Draft::new(&report, &self.base, &GAME, *self.players().start(), self.players.clone());
        draft.read_params();
        draft.read_options(&self.overlay_paths(), &[]);
        draft.options
    }

    fn overlay_paths(&self) -> Vec<&str> {
        self.overlays.keys().map(String::as_str).collect()
    }

    fn overlay_places(&self) -> Vec<(&str, Place)> {
        self.places.iter().map(|(path, place)| (&**path, place.clone())).collect()
    }

    /// Returns the base game with the fixed and the chosen overlays merged in, and with the changes applied.
    fn tree(&self, choices: &Choices, report: &Report) -> Tree {
        let mut tree = self.base.clone();
        for overlay in &self.fixed_overlays {
            tree.merge_overlay(overlay, report);
        }
        for path in chosen_overlays(&self.base, &choices.options) {
            // A missing overlay is reported where its option is read.
            if let Some(overlay) = self.overlays.get(&*overlay_of(path)) {
                tree.merge_overlay(overlay, report);
            }
        }
        for (path, value) in &choices.sets {
            tree.set(path, value, &self.players(), report);
        }
        tree.order_rows();
        tree
    }

    /// Builds a model from the valid part of the data. Reports all mistakes, including those that are independent of the choices.
    fn build_draft(&self, choices: &Choices, report: &Report) -> Model {
        report.extend(self.mistakes.iter().cloned());
        let players = self.players();
        let seats = choices.players.clamp(*players.start(), *players.end());
        if seats != choices.players {
            report.add(wrong_number_of_players(choices.players, &players));
        }
        let tree = self.tree(choices, report);
        tree.check_sizes(report);
        let mut draft = Draft::new(report, &tree, &GAME, seats, self.players.clone());
        draft.read_params();
        draft.read_options(&self.overlay_paths(), &choices.options);
        // The order matters: each section uses the names declared by the sections before it.
        draft.read_kind_names();
        draft.read_rows();
        draft.read_kinds();
        draft.read_faces();
        draft.read_cells();
        draft.read_alterations();
        draft.read_zones();
        let model = self.model(draft, choices, players);
        // Suggestions are added last, when all missing keys have been reported.
        report.suggest(&tree.likely_typos);
        model
    }

    fn model(&self, mut draft: Draft<'_>, choices: &Choices, players: RangeInclusive<u8>) -> Model {
        let pieces = draft.pieces();
        let (values, derived, slots) = draft.read_values(pieces.len());
        let endings = draft.endings();
        let campaign = draft.campaign(&values);
        let table = draft.table_areas(&values, &derived);
        let (phases, flow) = draft.flow(&endings);
        Model {
            id: self.id.clone(),
            name: self.name.clone(),
            about: self.about.clone(),
            players,
            seats: draft.seats,
            least_score_wins: self.least_score_wins,
            provenance: draft.tree.provenances(draft.report),
            pieces,
            values,
            derived,
            slots,
            phases,
            flow,
            decisions: draft.decisions(),
            table,
            campaign,
            automas: draft.automas(),
            targets: draft.targets(&endings),
            expected: draft.expected(),
            endings,
            says: draft.says(),
            words: draft.words_for_people(),
            fields: draft.fields,
            named_functions: draft.named_functions.into_inner(),
            kinds: draft.kinds,
            components: draft.components,
            teams: draft.teams,
            cells: draft.cells,
            families: draft.families,
            zones: draft.zones,
            spaces: draft.spaces,
            altered: draft.altered,
            params: draft.params,
            options: draft.options,
            mentions: mentions_with_uses(draft.tree),
            scripts: self.scripts.clone(),
            variants: Variants::default(),
            agents: self.agents.clone(),
            plays: self.plays.clone(),
            faces: self.faces.clone(),
            fingerprint: self.fingerprint(choices),
        }
    }

    /// Returns a hash of all data, rule scripts and choices. The hash does not depend on how the data of the base game is distributed over
    /// files.
    fn fingerprint(&self, choices: &Choices) -> u64 {
        let mut hasher = self.base_hash.get_or_init(|| self.hash_data()).clone();
        add_text(&mut hasher, &choices.players.to_string());
        for (list, chosen) in [("options", &choices.options), ("sets", &choices.sets)] {
            add_text(&mut hasher, list);
            for (name, value) in chosen {
                add_text(&mut hasher, name);
                add_text(&mut hasher, value);
            }
        }
        let bytes = hasher.finalize();
        u64::from_le_bytes(bytes.as_bytes()[..8].try_into().expect("a hash has 32 bytes"))
    }

    fn hash_data(&self) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new_derive_key("parlour game 2");
        self.base.add_to(&mut hasher);
        for (path, overlay) in &self.overlays {
            hasher.update(path.as_bytes());
            overlay.add_to(&mut hasher);
        }
        hasher.update(b"laid");
        self.fixed_overlays.iter().for_each(|overlay| overlay.add_to(&mut hasher));
        // Agents are not part of the fingerprint: they do not change the game.
        for source in &self.scripts {
            add_text(&mut hasher, &source.path);
            add_text(&mut hasher, &source.text);
        }
        hasher
    }
}

fn is_default(option: &GameOption, value: &str) -> bool {
    use crate::model::Setting;
    match &option.default {
        Setting::Word(word) => **word == *value,
        Setting::Number(number) => number.to_string() == value,
        _ => true,
    }
}

/// Returns the number of ways to choose at most one value of each option. Saturates at `usize::MAX`.
fn count_combinations(words: &[Vec<(String, String)>]) -> usize {
    words.iter().fold(1, |all, words| all.saturating_mul(words.len() + 1))
}

fn too_many_choices(ways: usize, place: Option<&Place>) -> Diagnostic {
    let message =
        format!("the options can be chosen in {ways} ways, which are too many to check for the size of the data");
    let found = Diagnostic::error("too-many", message).help("reduce the values of the options, or remove options");
    place.into_iter().fold(found, |found, place| found.mark(place.clone(), "the last of them"))
}

/// Returns the source files that have the given role.
fn sources_with_role(sources: &[Arc<Source>], role: Role) -> Vec<Arc<Source>> {
    sources.iter().filter(|source| source.role() == Some(role)).cloned().collect()
}

/// Returns the place of a file's first line.
fn first_line(source: &Arc<Source>) -> Place {
    Place { span: 0..source.text.lines().next().map_or(0, str::len), source: source.clone() }
}

fn folder_name(path: &str) -> &str {
    path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Number of players assumed for a game that does not declare any.
const TYPICAL_PLAYERS: u8 = 3;

/// Reads the format version. Returns a diagnostic if it is unsupported.
fn read_format(fields: &Fields<'_>, report: &Report) -> Option<Diagnostic> {
    let node = fields.get(&identity::FORMAT)?;
    let found = node.number();
    if found.is_none() {
        report.add(wrong_type(identity::FORMAT.name, "a number", node).help(format!("write `format = {FORMAT}`")));
    }
    let found = found.filter(|found| *found != FORMAT)?;
    Some(Diagnostic::unknown_format("the game", found, FORMAT, node.place.clone()))
}

fn range(node: &Node, place: &Place, report: &Report) -> Option<RangeInclusive<u8>> {
    if node.table().is_none() {
        report.add(wrong_type(
            identity::PLAYERS.name,
            "minimum and maximum, as `players = { min = 2, max = 4 }`",
            node,
        ));
        return None;
    }
    let fields = Fields::from_node(report, identity::PLAYERS.name, place, node, &PLAYERS_TABLE)?;
    let number = |key: &Key| {
        let node = fields.require(key)?;
        let number = node.number();
        if number.is_none() {
            report.add(wrong_type(key.name, "a whole number", node));
        }
        Some((number?, &node.place))
    };
    let (min, max) = (number(&identity::MIN), number(&identity::MAX));
    let ((min, min_place), (max, max_place)) = (min?, max?);
    let most = MAX_SEATS as i64;
    if !(1..=most).contains(&max) {
        report.add(out_of_range(identity::MAX.name, max, 1, most, max_place));
        return None;
    }
    if min < 1 {
        report.add(out_of_range(identity::MIN.name, min, 1, most, min_place));
        return None;
    }
    if min > max {
        report.add(inverted_range(min, max, min_place));
        return None;
    }
    Some(min as u8..=max as u8)
}

fn no_game(place: Place) -> Diagnostic {
    Diagnostic::error("missing-key", "`game.toml` has no table `game`")
        .mark(place, "no `[game]` in this file")
        .help("add `[game]` with `id`, `name` and `players`")
}

fn wrong_number_of_players(requested: u8, players: &RangeInclusive<u8>) -> Diagnostic {
    let source = Arc::new(Source { path: "--players".to_owned(), text: requested.to_string() });
    let place = Place { span: 0..source.text.len(), source };
    let (min, max) = (players.start(), players.end());
    Diagnostic::error("out-of-range", format!("the game is for {min} to {max} players, not {requested}"))
        .mark(place, format!("not between {min} and {max}"))
}
