//! The rules of a game: parsed, checked and compiled.

use super::advice_cache::AdviceCache;
use super::coverage::{Coverage, CoverageDelta, Recording};
use super::function::RuleFunction;
use super::function_log::FunctionLog;
use super::machine::Machine;
#[cfg(feature = "walker")]
use super::machine::Progress;
use super::rule_file::RuleFile;
use super::types;
#[cfg(feature = "walker")]
use super::walker::Walker;
use crate::analysis::infer::RuleTypes;
use crate::analysis::mistakes;
use crate::analysis::names::{Names, quoted_names, words_of_data};
use crate::analysis::program;
use crate::analysis::{offered_words, passes, responses, rule_texts, secrets, set_order, shuffles, tallies, unlearned};
use crate::decision::{Choice, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_REPORTED, Place, Severity, Source};
use crate::library::context::fact_table::FactTable;
use crate::library::context::facts::owned_names;
use crate::library::context::journal::CauseRecorder;
use crate::library::context::names::{Name, names};
use crate::library::{ELIMINATE, Entry, Form, Journal, LaidByChance, SET_FIRST, State, registry};
use crate::model::{FamilyId, Model, NOTHING, SCORE, Seat};
use crate::syntax::{self, ExprKind, Node, OwnFunctions, ScriptEngine};
use crate::vm::Run;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock};

/// The compiled rules of a game.
pub struct Host {
    /// Model of the game.
    pub model: Arc<Model>,
    /// Model that the rules were checked against. It lacks the variants of the game if the rules pass the checks
    /// without them.
    pub(super) checked_model: Arc<Model>,
    functions: Vec<RuleFunction>,
    warnings: OnceLock<Vec<Diagnostic>>,
    by_name: FxHashMap<String, usize>,
    parts: Vec<String>,
    machine: Arc<Machine>,
    may_change_first_seat: bool,
    cover: Option<Arc<Coverage>>,
    #[cfg(feature = "walker")]
    is_walked: bool,
    functions_with_messages: OnceLock<FxHashSet<String>>,
    advice_cache: AdviceCache,
    /// The parsed rule files.
    files: Arc<[RuleFile]>,
    /// Inferred types, for checking fragments in playscripts.
    types: OnceLock<Arc<RuleTypes>>,
    /// Names that fragments may use, by the names that exist only in the fragment.
    pub(super) fragment_names: Mutex<FxHashMap<Vec<String>, Arc<Names>>>,
}

impl Host {
    /// Compiles the rules of a game.
    ///
    /// # Errors
    /// Returns syntax errors, missing functions of the flow, and errors that the static checks find.
    pub fn new(model: Arc<Model>) -> Result<Self, Diagnostics> {
        Self::with_recording(model, Recording::Nothing)
    }

    /// Returns the mistakes in the rules of a game whose data contain errors. Skips checks that depend on the data.
    pub fn check_partial_model(model: &Arc<Model>) -> Vec<Diagnostic> {
        compile(model, Validity::Partial).err().unwrap_or_default().0
    }

    /// Like [`Host::new`], but records coverage.
    ///
    /// # Errors
    /// Like [`Host::new`].
    pub fn recording_coverage(model: Arc<Model>) -> Result<Self, Diagnostics> {
        Self::with_recording(model, Recording::Statements(Arc::default()))
    }

    /// Like [`Host::new`], but records in `log` which functions run.
    ///
    /// # Errors
    /// Like [`Host::new`].
    pub fn recording_functions(model: Arc<Model>, log: Arc<FunctionLog>) -> Result<Self, Diagnostics> {
        Self::with_recording(model, Recording::Functions(log))
    }

    /// Like [`Host::new`], but the rules run in the script engine's interpreter, not on the virtual machine.
    ///
    /// # Errors
    /// Like [`Host::new`].
    #[cfg(feature = "walker")]
    pub fn interpreted(model: Arc<Model>) -> Result<Self, Diagnostics> {
        Ok(Self { is_walked: true, ..Self::new(model)? })
    }

    fn with_recording(model: Arc<Model>, recording: Recording) -> Result<Self, Diagnostics> {
        // Building the variants is expensive, so the rules are first checked without them. The variants are needed only if the rules use
        // names that exist only with other options.
        let alone = model.without_variants().map(Arc::new);
        let by_itself = alone.and_then(|alone| Some((compile(&alone, Validity::Complete).ok()?, alone)));
        let (Compiled { functions, parts, files }, checked_model) = match by_itself {
            Some(compiled) => compiled,
            None => (compile(&model, Validity::Complete)?, model.clone()),
        };
        let facts = Arc::new(FactTable::new(&model));
        let cover = recording.coverage().cloned();
        let machine = Machine::new(&model, &facts, &files, recording).map_err(Diagnostics)?;
        let may_change_first_seat = files.iter().any(|file| file.calls(SET_FIRST) || file.calls(ELIMINATE));
        Ok(Self {
            model,
            checked_model,
            by_name: functions.iter().enumerate().map(|(at, f)| (f.name.clone(), at)).collect(),
            functions,
            warnings: OnceLock::new(),
            parts,
            machine: Arc::new(machine),
            may_change_first_seat,
            cover,
            #[cfg(feature = "walker")]
            is_walked: false,
            functions_with_messages: OnceLock::new(),
            advice_cache: AdviceCache::default(),
            files,
            types: OnceLock::new(),
            fragment_names: Mutex::default(),
        })
    }

    /// Makes all runs of these rules add their operations to a counter.
    #[must_use]
    pub fn counting(self, operations: Arc<AtomicU64>) -> Self {
        Self { machine: Arc::new(self.machine.counting(operations)), ..self }
    }

    /// Returns and resets the coverage. Returns `None` if coverage is not recorded.
    pub fn take_coverage(&self) -> Option<CoverageDelta> {
        self.cover.as_ref().map(|cover| cover.take())
    }

    /// Creates the journal of a new game. It links events to statements if coverage is recorded.
    pub(crate) fn journal(&self) -> Journal {
        Journal::new(self.cover.clone().map(|cover| -> Arc<dyn CauseRecorder> { cover }))
    }

    /// Returns whether the rules may change the first player.
    pub fn may_change_first_seat(&self) -> bool {
        self.may_change_first_seat
    }

    /// Returns whether the rules define a function called `function`.
    pub fn has(&self, function: &str) -> bool {
        self.by_name.contains_key(function)
    }

    /// Returns the keys of the map literals in the rules, in source order. The keys in `score` come first.
    pub fn part_order(&self) -> &[String] {
        &self.parts
    }

    /// Returns whether a function may stop with a message to the player.
    pub(super) fn may_stop_with_message(&self, function: &str) -> bool {
        self.functions_with_messages
            .get_or_init(|| types::functions_with_messages(&self.model, &self.read()))
            .contains(function)
    }

    /// Returns all functions of the rules.
    pub fn functions(&self) -> &[RuleFunction] {
        &self.functions
    }

    /// Returns the warnings about the rules, at most 1,000.
    pub fn warnings(&self) -> &[Diagnostic] {
        self.warnings.get_or_init(|| {
            let mut found = types::warnings(&self.model, &self.read());
            let hidden = secrets::hidden_values(&self.model);
            let files = || self.files.iter().map(|file| (file.source(), file.tree()));
            found.extend(secrets::stored_public_rolls(files(), &hidden));
            let hands = unlearned::hidden_hands(&self.model);
            found.extend(responses::check_files(&self.model, files(), &hands));
            found.extend(unlearned::check_files(files(), &hands));
            found.extend(shuffles::unshuffled_deals(&self.model, files(), &hands));
            found.extend(passes::check_files(&self.model, files()));
            found.extend(offered_words::check_files(&self.model, files(), self.types()));
            found.sort_by(|a, b| a.order().cmp(&b.order()));
            found.dedup();
            found.truncate(MAX_WARNINGS);
            found
        })
    }

    /// Returns the warnings about mistakes that occur only on some code paths.
    pub fn partial_mistakes(&self) -> Vec<Diagnostic> {
        let is_partial = |found: &&Diagnostic| found.severity == Severity::Warning;
        self.types().mistakes.iter().filter(is_partial).cloned().collect()
    }

    /// Runs a function that does not ask anyone. `given` is its argument, if any: a seat or a team.
    ///
    /// # Errors
    /// Returns the fault that stopped the function.
    pub(super) fn run(&self, state: &mut State, function: &str, given: Option<&Value>) -> Result<Value, Diagnostic> {
        #[cfg(feature = "walker")]
        if self.is_walked {
            return self.walk(state, function, given).into_value();
        }
        let (machine, mut run) = self.prepare_run(function, given)?;
        machine.resume(state, &mut run).into_value()
    }

    /// Runs a function that does not ask anyone, with a seat and an option as arguments.
    ///
    /// # Errors
    /// Returns the fault that stopped the function.
    pub(super) fn run_for_option(
        &self,
        state: &mut State,
        function: &str,
        seat: Seat,
        option: &Choice,
    ) -> Result<Value, Diagnostic> {
        let run = self.machine.run(function, &[Value::from(seat), option.to_value()]);
        let mut run = run.ok_or_else(|| missing_function(function))?;
        self.machine.resume(state, &mut run).into_value()
    }

    /// Prepares a run of a function. `given` is its argument, if any: a seat or a team.
    ///
    /// # Errors
    /// Returns a diagnostic if there is no function with this name and number of parameters.
    pub(super) fn prepare_run(&self, function: &str, given: Option<&Value>) -> Result<(Arc<Machine>, Run), Diagnostic> {
        let run = self
            .machine
            .run(function, given.map(std::slice::from_ref).unwrap_or_default())
            .ok_or_else(|| missing_function(function))?;
        Ok((self.machine.clone(), run))
    }

    /// Returns the compiled rules.
    pub(super) fn machine(&self) -> &Arc<Machine> {
        &self.machine
    }

    /// Returns whether the script engine interprets the rules.
    #[cfg(feature = "walker")]
    pub(super) fn is_walked(&self) -> bool {
        self.is_walked
    }

    /// Returns the cache of agent scripts.
    pub(super) fn advice_cache(&self) -> &AdviceCache {
        &self.advice_cache
    }

    /// Returns the inferred types.
    pub(super) fn types(&self) -> &RuleTypes {
        self.types.get_or_init(|| types::inferred_types(&self.model, &self.read()))
    }

    /// Returns the functions that the rules define, for binding calls.
    pub(super) fn own_functions(&self) -> OwnFunctions {
        OwnFunctions::of_rules(self.files.iter().map(RuleFile::tree))
    }

    /// Returns the parsed rule files.
    pub(super) fn read(&self) -> Vec<program::ParsedFile<'_>> {
        self.files.iter().map(|file| file.read(false)).collect()
    }

    /// Returns the place of a function's definition.
    pub fn place_of(&self, function: &str) -> Option<Place> {
        self.by_name.get(function).map(|at| self.functions[*at].place.clone())
    }

    /// Returns the names of all tallies. Returns `None` if the rules compute the name of any tally.
    pub fn tally_names(model: &Model) -> Option<Vec<Arc<str>>> {
        tallies::tallied(&model.scripts)
    }

    /// Returns all string literals and templates in the rules of a game.
    pub fn text_literals(model: &Model) -> Vec<String> {
        rule_texts::texts(model)
    }

    /// Returns the string literals in the functions that ask `decision`, and in the functions that these call, directly or indirectly.
    /// Leaves out calls that ask another decision, and called functions that ask another decision.
    pub fn words_near(model: &Model, decision: &str) -> FxHashSet<Arc<str>> {
        rule_texts::words_near(model, decision)
    }

    /// Creates the diagnostic for a pile whose order some seat knew right after a shuffle.
    pub fn seen_order(&self, family: FamilyId) -> Diagnostic {
        shuffles::seen_order(self.model.family(family), &self.model.scripts)
    }

    /// Creates the diagnostic for two pieces that set the same quantity, where chance has decided which of them counts.
    pub fn laid_by_chance(&self, laid: &LaidByChance) -> Diagnostic {
        let components = laid.components.map(|component| &*self.model.component(component).id);
        set_order::laid_by_chance(&laid.what, components, &self.model.scripts)
    }

    /// Creates the diagnostic for a function whose result the caller cannot use. `given` describes the result.
    pub fn wrong_result(&self, function: &str, given: &str) -> Diagnostic {
        let found = Diagnostic::error("wrong-result", format!("`{function}` returns {given}"));
        match self.place_of(function) {
            Some(place) => found.mark(place, "returns this"),
            None => found,
        }
    }

    /// Returns all entries of the library's reference.
    pub fn vocabulary() -> Vec<Entry> {
        registry().entries.clone()
    }
}
/// Returns the names that scripts of a game may use, except the functions that the rules define.
pub(super) fn known_names(model: &Model, names: &[(String, Name)], words: &[Entry]) -> Names {
    let functions = words.iter().filter(|word| word.form == Form::Function);
    Names {
        global: names.iter().map(|(name, _)| name.clone()).collect(),
        properties: owned_names(model),
        functions: Vec::new(),
        words: (functions.map(|word| (word.name.clone(), word.params.len()))).collect(),
        quoted: quoted_names(model),
        words_of_data: words_of_data(model),
    }
}

#[cfg(feature = "walker")]
impl Host {
    /// Runs a function in the script engine. Decisions are answered immediately.
    pub(super) fn walk(&self, state: &mut State, function: &str, given: Option<&Value>) -> Progress {
        let walker = Walker::for_game(&self.model, self.machine.facts());
        walker.enter(state, self.machine(), function, given)
    }
}

/// Result of [`compile`].
struct Compiled {
    functions: Vec<RuleFunction>,
    /// Keys of the map literals in source order. The keys in `score` come first.
    parts: Vec<String>,
    /// The parsed files.
    files: Arc<[RuleFile]>,
}

/// Maximum number of warnings about the rules of a game. A check compares each warning with all others.
const MAX_WARNINGS: usize = 1_000;

/// Creates the error for a function that the engine calls but the rules do not define with these parameters.
#[cold]
fn missing_function(name: &str) -> Diagnostic {
    Diagnostic::error("unknown-function", format!("there is no function `{name}` to be called here"))
}

/// Validity of the data of a model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Validity {
    /// All data are valid.
    Complete,
    /// Some of the data have errors. In the rules, only errors about names are reliable.
    Partial,
}

/// Parses and checks the rule files, each on its own and all together.
///
/// # Errors
/// Returns the errors found, at most [`MAX_REPORTED`] before similar ones are merged.
fn compile(model: &Arc<Model>, game: Validity) -> Result<Compiled, Diagnostics> {
    let words = &registry().entries;
    let names = names(model);
    let engine_parser = ScriptEngine::new(names.iter().map(|(name, _)| name.as_str()));
    let mut found = Vec::new();
    let mut functions: Vec<RuleFunction> = Vec::new();
    let files = RuleFile::rules(&model.scripts);
    let known =
        Names { functions: files.iter().flat_map(RuleFile::functions).collect(), ..known_names(model, &names, words) };
    for file in &*files {
        let compiled = file.compile(&engine_parser, &known, &mut found);
        collect_functions(compiled, file.source(), &mut functions, &mut found);
    }
    let whole = found.is_empty();
    let read = files.iter().map(|file| file.read(false)).collect::<Vec<_>>();
    let mut checked = types::mistakes_of_program(model, &read, &found);
    checked.extend(mistakes::shared_facts(model));
    if !whole {
        // A function that could not be parsed might define or call the function that seems to be missing.
        checked.retain(|diagnostic| !is_missing_function(diagnostic, &known.functions));
    }
    found.extend(checked);
    // Warnings about unused code may be consequences of an error, so they are given only for rules without errors.
    let is_error = |one: &Diagnostic| one.severity == Severity::Error;
    found.retain(is_error);
    types::add_mistakes(model, &read, game == Validity::Complete, &mut found);
    // Warnings that remain here are about mistakes on only some code paths. They are shown together with errors, but do not reject the
    // rules on their own.
    if !found.iter().any(is_error) {
        found.clear();
    }
    found.sort_by(|a, b| a.order().cmp(&b.order()));
    found.dedup();
    if !found.is_empty() {
        found.truncate(MAX_REPORTED);
        return Err(Diagnostics(found).grouped());
    }
    let parts = part_order(files.iter().map(RuleFile::tree));
    Ok(Compiled { functions, parts, files })
}

/// Returns the keys of map literals in source order, with those in `score` first. Maps at run time are sorted and lose
/// this order.
fn part_order<'t>(files: impl Iterator<Item = &'t syntax::File>) -> Vec<String> {
    let all: Vec<&syntax::Function> = files.flat_map(|file| &file.functions).collect();
    let scores = all.iter().filter(|function| *function.name.text == *SCORE);
    let mut names: Vec<String> = Vec::new();
    for function in scores.chain(&all) {
        function.each_node(&mut |node| {
            let Node::Expr(expr) = node else { return };
            let ExprKind::Map(parts) = &expr.kind else { return };
            for (name, _) in parts {
                if !names.iter().any(|known| **known == *name.text) {
                    names.push(name.text.to_string());
                }
            }
        });
    }
    names
}

fn is_missing_function(diagnostic: &Diagnostic, written: &[String]) -> bool {
    diagnostic.code == "unknown-function"
        && written.iter().any(|name| diagnostic.message.contains(&format!("`{name}`")))
}

/// Adds the functions of a file to `functions`, and reports duplicate and reserved names.
pub(super) fn collect_functions<'t>(
    written: impl IntoIterator<Item = &'t syntax::Function>,
    source: &Arc<Source>,
    functions: &mut Vec<RuleFunction>,
    found: &mut Vec<Diagnostic>,
) {
    let place = |name: &syntax::Name| Place { source: source.clone(), span: name.span.range() };
    let function = |tree: &syntax::Function| RuleFunction {
        name: tree.name.text.to_string(),
        key: tree.key.clone(),
        arity: tree.params.len(),
        place: place(&tree.name),
    };
    let mut here: Vec<RuleFunction> = written.into_iter().map(function).collect();
    here.sort_by(|a, b| a.name.cmp(&b.name));
    let mut first: FxHashMap<String, usize> = FxHashMap::default();
    if !here.is_empty() {
        functions.iter().enumerate().for_each(|(at, one)| {
            first.entry(one.name.clone()).or_insert(at);
        });
    }
    for function in here {
        let RuleFunction { name, place, .. } = &function;
        if *name == *NOTHING {
            found.push(
                Diagnostic::error("reserved-name", format!("`{name}` is not a function, but a field names it as one"))
                    .mark(place.clone(), "a reserved name")
                    .help("give it another name"),
            );
        }
        match first.entry(name.clone()) {
            hash_map::Entry::Occupied(other) => {
                let other = functions[*other.get()].place.clone();
                found.push(mistakes::written_twice(name, place.clone(), other));
            }
            hash_map::Entry::Vacant(none) => drop(none.insert(functions.len())),
        }
        functions.push(function);
    }
}
