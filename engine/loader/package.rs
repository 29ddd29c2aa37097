//! The parsed data of a game, and models built from it.

use super::mistake::{out_of_range, upside_down, wrong_type};
use super::name::check_id;
use super::report::Report;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Role, Severity, Source};
use crate::loader::document::budget::{Budget, MOST_BYTES};
use crate::loader::document::files::{Book, Files, is_comma_separated};
use crate::loader::document::fingerprint::add_text;
use crate::loader::document::node::Node;
use crate::loader::document::toml_text;
use crate::loader::document::tree::{Row, Tree};
use crate::loader::keys::reading::Fields;
use crate::loader::keys::sections::GAME;
use crate::loader::lint::isolated_words;
use crate::loader::lint::mentions::mentions;
use crate::loader::lint::misspelled_columns::check_columns;
use crate::loader::lint::texts::{check_backs, check_comments, check_sentences, check_translations};
use crate::loader::section::draft::{ANY_PLAYERS, Draft, text};
use crate::loader::section::flow::is_no_flow;
use crate::loader::section::identity::{IDENTITY, PLAYERS, SCORES};
use crate::loader::section::option::{chosen_overlays, overlay_of, report_unused_overlays, values_to_try};
use crate::loader::spreadsheet::{self, Target, WrittenSheet, comma_separated, target};
use crate::model::{GameOption, MAX_SEATS, Model, Text, Variants};
use indexmap::IndexMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

/// The format that the files of a game are written in, and that is read.
pub const FORMAT: i64 = 1;

/// Ways of bringing several overlays at once beyond which only every two of them are tried.
const MOST_COMBINATIONS: usize = 64;

/// Bytes of data that are read over all numbers of players, options and overlays when a game is checked.
const MOST_CHECKED: usize = 1 << 30;

/// Bytes that reading the data counts at least.
const LEAST_CHECKED: usize = 64 << 10;

/// What is chosen before a model is built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices {
    /// How many seats there are.
    pub players: u8,
    /// Options by name: a word, a number, or the number of a seat from 1 (`none`, or `random` where the rules draw a lot).
    pub options: Vec<(String, String)>,
    /// Changes of the data: a dotted path (`params.start_cash.4`, `card.ace.count`) and what to write there, in TOML;
    /// a single word needs no quotes.
    pub sets: Vec<(String, String)>,
}

/// The parsed data of a game: models for any number of players and any options are built from it.
#[derive(Debug)]
pub struct Package {
    id: Arc<str>,
    name: Text,
    /// Whether the files are written in another format than is read: then nothing else in them means anything.
    unknown_format: Option<Diagnostic>,
    /// Nothing where the file does not say it well, which is reported.
    players: Option<RangeInclusive<u8>>,
    least_score_wins: bool,
    sources: Vec<Arc<Source>>,
    scripts: Vec<Arc<Source>>,
    agents: Vec<Arc<Source>>,
    plays: Vec<Arc<Source>>,
    faces: Vec<Arc<Source>>,
    base: Tree,
    overlays: IndexMap<String, Tree>,
    /// Where each overlay begins.
    places: IndexMap<String, Place>,
    /// What is laid over the base whatever is chosen.
    laid: Vec<Tree>,
    /// The models that overlays make, with nothing else chosen, and the one without any: none of a game without overlays.
    overlaid: OnceLock<Vec<Arc<Model>>>,
    /// The hash of all that is written, before anything is chosen.
    written: OnceLock<blake3::Hasher>,
    /// Mistakes that do not depend on what is chosen.
    mistakes: Vec<Diagnostic>,
}

impl Package {
    /// Parses the files of a game.
    ///
    /// # Errors
    /// Every syntax error of every file; other mistakes are found by [`Package::build`] and [`Package::check`].
    pub fn parse(files: Files) -> Result<Arc<Self>, Diagnostics> {
        let (package, syntax) = Self::parse_well(files);
        if let Some(found) = package.unknown_format() {
            return Err(Diagnostics(vec![found]));
        }
        if syntax.0.is_empty() { Ok(package) } else { Err(syntax) }
    }

    /// What is said of files in another format than is read: then nothing else in them means anything.
    pub fn unknown_format(&self) -> Option<Diagnostic> {
        self.unknown_format.clone()
    }

    /// Parses the files of a game as far as they can be: what a file with a syntax error says is left out. Also gives every
    /// syntax error.
    pub fn parse_well(files: Files) -> (Arc<Self>, Diagnostics) {
        let syntax = Report::default();
        let mistakes = Report::default();
        let budget = Budget::default();
        let mut base = Tree::default();
        let mut overlays: IndexMap<String, Tree> = IndexMap::new();
        let (mut places, mut sheets) = (IndexMap::new(), Vec::new());
        // `game.toml` comes first: the kinds it declares come first.
        let data = files.sources.iter().filter(|source| !source.is_script());
        let (game, others): (Vec<_>, Vec<_>) = data.partition(|source| source.role() == Some(Role::Game));
        for source in game.into_iter().chain(others) {
            if is_comma_separated(&source.path) {
                sheets.extend(comma_separated(source, &budget, &syntax).map(|grid| (target(&source.path, None), grid)));
                continue;
            }
            let Some(node) = toml_text::parse(source, &syntax) else { continue };
            match source.role() {
                Some(Role::Overlay) => {
                    places.insert(source.path.clone(), first_line(source));
                    overlays.insert(source.path.clone(), Tree::overlay(source, node, &mistakes));
                }
                Some(Role::Game) => base.add_game(source, node, &mistakes),
                _ => base.add_components(source, node, &mistakes),
            }
        }
        for Book { path, bytes } in &files.workbooks {
            let found = spreadsheet::sheets(path, bytes, &budget, &syntax, &mistakes);
            sheets.extend(found.into_iter().map(|(name, grid)| (target(path, Some(&name)), grid)));
        }
        sheets.sort_by(|(_, a), (_, b)| a.source.file().cmp(b.source.file()));
        let mut sources = files.sources;
        for (Target { kind, overlay }, grid) in sheets {
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
        overlays.sort_unstable_keys();
        let laid = files.laid.iter().filter_map(|source| Some((source, toml_text::parse(source, &syntax)?)));
        let mut laid: Vec<Tree> = laid.map(|(source, node)| Tree::overlay(source, node, &mistakes)).collect();
        base.write_rows_out(None, &budget, &mistakes);
        for overlay in overlays.values_mut().chain(&mut laid) {
            overlay.write_rows_out(Some(&base), &budget, &mistakes);
        }
        let mut package = Self {
            id: folder_name(&files.name).into(),
            name: Text::plain(&files.name),
            unknown_format: None,
            players: None,
            least_score_wins: false,
            agents: of_role(&sources, Role::Agent),
            plays: files.plays,
            faces: files.faces,
            scripts: of_role(&sources, Role::Rules),
            sources: sources.into_iter().chain(files.laid).collect(),
            places,
            base,
            overlays,
            laid,
            overlaid: OnceLock::new(),
            written: OnceLock::new(),
            mistakes: Vec::new(),
        };
        package.read_game(&mistakes);
        mistakes.extend(files.strays);
        package.mistakes = mistakes.into_diagnostics().0;
        (Arc::new(package), syntax.into_diagnostics())
    }

    /// Every file.
    pub fn sources(&self) -> &[Arc<Source>] {
        &self.sources
    }

    /// The ids of all components, in the game and in its overlays.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &Arc<str>> {
        self.trees().flat_map(|tree| &tree.rows).filter_map(Row::id)
    }

    /// The rows of its kinds as sheets, and what overlays say of them behind these.
    pub fn sheets(&self) -> Vec<WrittenSheet> {
        spreadsheet::written(&self.base, &self.overlays)
    }

    /// Whether `game.toml` says the format that it is written in.
    pub fn names_format(&self) -> bool {
        let identity = self.base.root.get("game").and_then(|entry| entry.node.table());
        identity.is_some_and(|identity| identity.contains_key("format"))
    }

    /// The files of its agents.
    pub fn agents(&self) -> &[Arc<Source>] {
        &self.agents
    }

    /// The word for the game.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What people call the game.
    pub fn name(&self) -> &Text {
        &self.name
    }

    /// The numbers of seats it can be played with.
    pub fn players(&self) -> RangeInclusive<u8> {
        self.players.clone().unwrap_or(ANY_PLAYERS)
    }

    /// Where the value of a key of `game.toml` is written, if it is.
    pub fn place_of(&self, path: &[&str]) -> Option<&Place> {
        let (section, keys) = path.split_first()?;
        let mut node = &self.base.root.get(*section)?.node;
        for key in keys {
            node = &node.table()?.get(*key)?.node;
        }
        Some(&node.place)
    }

    /// The scripts in `rules/`, in the order of their names.
    pub fn scripts(&self) -> &[Arc<Source>] {
        &self.scripts
    }

    /// Each option with the values worth trying: every word; the smallest, the usual and the largest number; no seat
    /// (`none`). The value that stands when nobody chooses is among them.
    pub fn option_values(&self) -> Vec<(String, Vec<String>)> {
        let options = self.default_options();
        options.iter().map(|(name, option)| (name.to_string(), values_to_try(option))).collect()
    }

    /// Builds the model for a number of players, options and changes.
    ///
    /// # Errors
    /// Every mistake in the game's data and in what was chosen.
    pub fn build(self: &Arc<Self>, choices: &Choices) -> Result<Model, Diagnostics> {
        let report = Report::default();
        let model = Model { variants: self.variants(), ..self.draft(choices, &report) };
        report.result(model)
    }

    /// The model of a game in which nothing is wrong but that it has no flow yet: what is in the box can be looked at.
    pub fn sketch(&self, choices: &Choices) -> Option<Model> {
        let report = Report::default();
        let model = self.draft(choices, &report);
        let found = report.into_diagnostics().0;
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        found.iter().filter(is_error).all(is_no_flow).then_some(model)
    }

    /// The models whose names scripts may speak of too, though a model lacks them. Only overlays bring names: the number of
    /// seats and other options change none.
    fn variants(self: &Arc<Self>) -> Variants<Model> {
        if self.overlays.is_empty() {
            return Variants::default();
        }
        let package = self.clone();
        Variants::new(move || package.overlaid.get_or_init(|| package.with_each_overlay()).clone())
    }

    fn with_each_overlay(&self) -> Vec<Arc<Model>> {
        let options = self.default_options();
        let values = options.iter().flat_map(|(name, option)| {
            let values = values_to_try(option).into_iter().filter(|value| !is_default(option, value));
            values.map(|value| vec![(name.to_string(), value)])
        });
        // Many values may bring the same overlays: their names are the same.
        let mut known = vec![chosen_overlays(&self.base, &[])];
        let mut chosen = vec![Vec::new()];
        let room = MOST_BYTES / self.base.size().max(1);
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
            .map(|options| Arc::new(self.draft(&Choices { players, options, sets: Vec::new() }, &Report::default())))
            .collect()
    }

    /// Every mistake and warning over all numbers of players, with nothing chosen, with each other value of each option, and
    /// with overlays of several options at once; by file and place.
    pub fn check(&self) -> Diagnostics {
        let report = Report::default();
        let options = self.default_options();
        let (players, ways) = (self.players().count(), self.ways_to_choose(&options));
        let size = self.trees().map(Tree::size).sum::<usize>().max(LEAST_CHECKED);
        if size.saturating_mul(ways).saturating_mul(players) > MOST_CHECKED {
            let place = options.keys().last().and_then(|name| self.place_of(&["options", name]));
            report.add(too_many_ways(ways, place));
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
        // What people read is looked at once there is something to play.
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

    /// What is remarked about words that stand alone in the data and the scripts, by file and place; `is_known` tells the words
    /// of the engine.
    pub fn lone_words(&self, is_known: impl Fn(&str) -> bool) -> Diagnostics {
        let report = Report::default();
        report.extend(isolated_words::check(self.trees(), self.scripts.iter().chain(&self.agents), is_known));
        report.into_diagnostics()
    }

    /// The base, and everything that may be laid over it.
    fn trees(&self) -> impl Iterator<Item = &Tree> + Clone {
        std::iter::once(&self.base).chain(self.overlays.values()).chain(&self.laid)
    }

    /// The model for the fewest players and nothing chosen, with whatever is well of a game that has mistakes: good for
    /// looking names up in it, not for play. Where nothing says for how many it is, there are some.
    pub fn outline(self: &Arc<Self>) -> Model {
        let players = self.players.as_ref().map_or(SOME_PLAYERS, |players| *players.start());
        let model = self.draft(&Choices { players, ..Choices::default() }, &Report::default());
        Model { variants: self.variants(), ..model }
    }

    /// Number of ways to choose that a check reads the data for.
    fn ways_to_choose(&self, options: &IndexMap<Arc<str>, GameOption>) -> usize {
        let values: usize = options.values().map(|option| values_to_try(option).len()).sum();
        let bringing = self.bringing_overlays(options);
        let all = number_of_combinations(&bringing);
        let combined = if all <= MOST_COMBINATIONS {
            all
        } else {
            let words = bringing.iter().map(Vec::len);
            let (_, pairs) = words.fold((0_usize, 0_usize), |(before, pairs), words| {
                (before + words, pairs.saturating_add(before.saturating_mul(words)))
            });
            pairs
        };
        (1 + values).saturating_add(combined)
    }

    /// The words of each option that bring an overlay; options without such words are left out.
    fn bringing_overlays(&self, options: &IndexMap<Arc<str>, GameOption>) -> Vec<Vec<(String, String)>> {
        let words = |(name, option): (&Arc<str>, &GameOption)| {
            let by_word = self.place_of(&["options", name, "overlay"]).is_some();
            let without = if by_word { self.without(name) } else { 0 };
            let values = values_to_try(option).into_iter().filter(|_| by_word).map(|value| (name.to_string(), value));
            let bring =
                values.filter(|chosen| chosen_overlays(&self.base, std::slice::from_ref(chosen)).len() > without);
            bring.collect::<Vec<(String, String)>>()
        };
        options.iter().map(words).filter(|words| !words.is_empty()).collect()
    }

    /// What brings several overlays at once: every way of it, or where there are too many, every two of them.
    fn overlay_combinations(&self, options: &IndexMap<Arc<str>, GameOption>) -> Vec<Vec<(String, String)>> {
        let bringing = self.bringing_overlays(options);
        let all = number_of_combinations(&bringing);
        let mut found: Vec<Vec<(String, String)>> = vec![Vec::new()];
        for words in &bringing {
            let more: Vec<Vec<(String, String)>> = found
                .iter()
                .filter(|chosen| all <= MOST_COMBINATIONS || chosen.len() < 2)
                .flat_map(|chosen| words.iter().map(|word| [&chosen[..], std::slice::from_ref(word)].concat()))
                .collect();
            found.extend(more);
        }
        found.retain(|chosen| chosen.len() > 1);
        found
    }

    /// How many overlays other options bring by themselves.
    fn without(&self, option: &str) -> usize {
        let none = [(option.to_owned(), String::new())];
        chosen_overlays(&self.base, &none).len()
    }

    /// The base with every overlay laid over it, for the names in it.
    pub(super) fn with_all_overlays(&self) -> Tree {
        let mut tree = self.base.clone();
        for overlay in self.laid.iter().chain(self.overlays.values()) {
            tree.lay_over(overlay, &Report::default());
        }
        tree
    }

    fn diagnostics(&self, choices: &Choices) -> Vec<Diagnostic> {
        let report = Report::default();
        self.draft(choices, &report);
        report.into_diagnostics().0
    }

    fn read_game(&mut self, report: &Report) {
        let Some(entry) = self.base.root.get("game") else {
            if !self.base.is_misspelled("game") {
                report.add(no_game(self.base.beginning()));
            }
            return;
        };
        let Some(fields) = Fields::read(report, "game", entry, &IDENTITY) else { return };
        self.unknown_format = read_format(&fields, report);
        fields.need("id");
        if let Some((id, place)) = fields.word("id") {
            check_id(id, "a game", place, report);
            self.id = id.clone();
        }
        let name = fields.get("name").map(|node| text(report, "name", node));
        self.name = name.unwrap_or_else(|| Text::plain(&crate::loader::section::draft::readable(&self.id)));
        self.players = fields.need("players").and_then(|node| range(node, fields.place, report));
        self.least_score_wins = fields.one_of("score", &SCORES).unwrap_or(false);
    }

    fn default_options(&self) -> IndexMap<Arc<str>, GameOption> {
        let report = Report::default();
        let mut draft = Draft::new(&report, (&self.base, &GAME), *self.players().start(), self.players.clone());
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

    /// The base with overlays and changes laid over it.
    fn tree(&self, choices: &Choices, report: &Report) -> Tree {
        let mut tree = self.base.clone();
        for overlay in &self.laid {
            tree.lay_over(overlay, report);
        }
        for path in chosen_overlays(&self.base, &choices.options) {
            // An overlay that is missing is reported with the option.
            if let Some(overlay) = self.overlays.get(&*overlay_of(path)) {
                tree.lay_over(overlay, report);
            }
        }
        for (path, value) in &choices.sets {
            tree.set(path, value, &self.players(), report);
        }
        tree.order_rows();
        tree
    }

    fn draft(&self, choices: &Choices, report: &Report) -> Model {
        report.extend(self.mistakes.iter().cloned());
        let players = self.players();
        let seats = choices.players.clamp(*players.start(), *players.end());
        if seats != choices.players {
            report.add(wrong_number_of_players(choices.players, &players));
        }
        let tree = self.tree(choices, report);
        tree.check_sizes(report);
        let mut draft = Draft::new(report, (&tree, &GAME), seats, self.players.clone());
        draft.read_params();
        draft.read_options(&self.overlay_paths(), &choices.options);
        draft.read_kind_names();
        draft.read_rows();
        draft.read_kinds();
        draft.read_faces();
        draft.read_cells();
        draft.read_alterations();
        draft.read_zones();
        let model = self.model(draft, choices, players);
        report.suggest(&tree.newcomers);
        model
    }

    fn model(&self, mut draft: Draft<'_>, choices: &Choices, players: RangeInclusive<u8>) -> Model {
        let pieces = draft.pieces();
        let (values, derived, slots) = draft.read_values(pieces.len());
        let endings = draft.endings();
        let campaign = draft.campaign(&values);
        let (phases, flow) = draft.flow(&endings);
        Model {
            id: self.id.clone(),
            name: self.name.clone(),
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
            mentions: mentions(draft.tree),
            scripts: self.scripts.clone(),
            variants: Variants::default(),
            agents: self.agents.clone(),
            plays: self.plays.clone(),
            faces: self.faces.clone(),
            fingerprint: self.fingerprint(choices),
        }
    }

    /// A number over all data and rules and everything chosen: of how the data is written it does not depend.
    fn fingerprint(&self, choices: &Choices) -> u64 {
        let mut hasher = self.written.get_or_init(|| self.hash_of_written()).clone();
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

    fn hash_of_written(&self) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new_derive_key("parlour game 2");
        self.base.add_to(&mut hasher);
        for (path, overlay) in &self.overlays {
            hasher.update(path.as_bytes());
            overlay.add_to(&mut hasher);
        }
        hasher.update(b"laid");
        self.laid.iter().for_each(|overlay| overlay.add_to(&mut hasher));
        // Who plays is no part of what is played.
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

/// Number of ways to choose at most one word of each option; the largest number where there are more.
fn number_of_combinations(words: &[Vec<(String, String)>]) -> usize {
    words.iter().fold(1, |all, words| all.saturating_mul(words.len() + 1))
}

fn too_many_ways(ways: usize, place: Option<&Place>) -> Diagnostic {
    let message =
        format!("the options can be chosen in {ways} ways, which are too many to check for the size of the data");
    let found = Diagnostic::error("too-many", message).help("give the options fewer values, or take options out");
    place.into_iter().fold(found, |found, place| found.mark(place.clone(), "the last of them"))
}

/// The files that are for something.
fn of_role(sources: &[Arc<Source>], role: Role) -> Vec<Arc<Source>> {
    sources.iter().filter(|source| source.role() == Some(role)).cloned().collect()
}

/// The place of a file's first line.
fn first_line(source: &Arc<Source>) -> Place {
    Place { span: 0..source.text.lines().next().map_or(0, str::len), source: source.clone() }
}

fn folder_name(path: &str) -> &str {
    path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A number of players that most games can be played with.
const SOME_PLAYERS: u8 = 3;

/// What is said of a format that is not read.
fn read_format(fields: &Fields<'_>, report: &Report) -> Option<Diagnostic> {
    let node = fields.get("format")?;
    let found = node.number();
    if found.is_none() {
        report.add(wrong_type("format", "a number", node).help(format!("write `format = {FORMAT}`")));
    }
    let found = found.filter(|found| *found != FORMAT)?;
    Some(Diagnostic::unknown_format("the game", found, FORMAT, node.place.clone()))
}

fn range(node: &Node, place: &Place, report: &Report) -> Option<RangeInclusive<u8>> {
    if node.table().is_none() {
        report.add(wrong_type("players", "the fewest and the most, as `players = { min = 2, max = 4 }`", node));
        return None;
    }
    let fields = Fields::of(report, "players", place, node, &PLAYERS)?;
    let number = |key| {
        let node = fields.need(key)?;
        let number = node.number();
        if number.is_none() {
            report.add(wrong_type(key, "a whole number", node));
        }
        Some((number?, &node.place))
    };
    let (min, max) = (number("min"), number("max"));
    let ((min, min_place), (max, max_place)) = (min?, max?);
    let most = MAX_SEATS as i64;
    if !(1..=most).contains(&max) {
        report.add(out_of_range("max", max, 1, most, max_place));
        return None;
    }
    if min < 1 {
        report.add(out_of_range("min", min, 1, most, min_place));
        return None;
    }
    if min > max {
        report.add(upside_down(min, max, min_place));
        return None;
    }
    Some(min as u8..=max as u8)
}

fn no_game(place: Place) -> Diagnostic {
    Diagnostic::error("missing-key", "`game.toml` has no table `game`")
        .mark(place, "no `[game]` in this file")
        .help("say what game it is: `[game]` with `id`, `name` and `players`")
}

fn wrong_number_of_players(written: u8, players: &RangeInclusive<u8>) -> Diagnostic {
    let source = Arc::new(Source { path: "--players".to_owned(), text: written.to_string() });
    let place = Place { span: 0..source.text.len(), source };
    let (min, max) = (players.start(), players.end());
    Diagnostic::error("out-of-range", format!("the game is for {min} to {max} players, not {written}"))
        .mark(place, format!("not between {min} and {max}"))
}
