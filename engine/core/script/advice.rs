//! Agent scripts: functions that rate options and positions.
//!
//! An agent script is compiled together with the rules and may call their functions. It cannot use more information than the seat that it
//! advises has. It runs either on imagined worlds or on the real table. On the real table, its result is discarded if the script read
//! anything that the seat does not know.

use super::advice_cache::Advice;
use super::function::RuleFunction;
use super::host::{self, Host};
use super::rule_file::RuleFile;
use super::types;
use crate::analysis::names::Names;
use crate::analysis::program;
use crate::decision::{Choice, Decision, Map, Value, word};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Severity, Source, did_you_mean, nearest};
use crate::library::context::names::names;
use crate::library::{
    CONSIDER, ESTIMATE, NameRole, RATE, Scored, State, TIES, evaluate_per_seat, registry, unknown_quoted,
};
use crate::model::Model;
use crate::syntax::ScriptEngine;
use std::sync::{Arc, PoisonError};

/// Maximum number of compiled agent scripts in the cache.
const CACHE_SIZE: usize = 16;

impl Host {
    /// Compiles an agent script, or returns it from the cache.
    ///
    /// # Errors
    /// Returns all errors in the script.
    pub fn advice(&self, source: &Arc<Source>) -> Result<Arc<Advice>, Diagnostics> {
        let mut kept = self.advice_cache().0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.iter().find(|known| *known.source == **source) {
            return Ok(known.clone());
        }
        let is_alone = !Arc::ptr_eq(&self.checked_model, &self.model);
        let alone = if is_alone { self.compile_advice(&self.checked_model, source).ok() } else { None };
        let advice = alone.map_or_else(|| self.compile_advice(&self.model, source), Ok)?;
        if kept.len() >= CACHE_SIZE {
            kept.remove(0);
        }
        kept.push(advice.clone());
        Ok(advice)
    }

    fn compile_advice(&self, model: &Arc<Model>, source: &Arc<Source>) -> Result<Arc<Advice>, Diagnostics> {
        let names = names(model);
        let files = [RuleFile::agent(source, &self.own_functions())];
        let rules = self.functions().iter().map(|function| function.name.clone());
        let known = Names {
            functions: rules.chain(files.iter().flat_map(RuleFile::functions)).collect(),
            ..host::known_names(model, &names, &registry().entries)
        };
        let (mut found, mut functions) = (Vec::new(), Vec::new());
        let engine_parser = ScriptEngine::new(names.iter().map(|(name, _)| name.as_str()));
        let compiled = files[0].compile(&engine_parser, &known, &mut found);
        host::collect_functions(compiled, source, &mut functions, &mut found);
        found.extend(functions.iter().filter_map(|function| check_function(self, function, &functions)));
        let mut warnings = Vec::new();
        if found.is_empty() {
            (found, warnings) = self.check(model, source);
        }
        if !found.is_empty() {
            found.extend(warnings);
            return Err(Diagnostics(found));
        }
        let machine = self.machine().extend(&files).map_err(Diagnostics)?;
        Ok(Arc::new(Advice { source: source.clone(), machine, functions, warnings }))
    }

    /// Checks an agent script. Returns its errors, and separately its warnings about types.
    fn check(&self, model: &Model, source: &Arc<Source>) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let is_here =
            |found: &Diagnostic| found.marks.first().is_some_and(|mark| Arc::ptr_eq(&mark.place.source, source));
        let own = [RuleFile::agent(source, &self.own_functions())];
        let files: Vec<program::ParsedFile<'_>> =
            self.read().into_iter().chain(own.iter().map(|file| file.read(true))).collect();
        let mut found = types::mistakes_of_program(model, &files, &[]);
        types::add_mistakes(model, &files, true, &mut found);
        found.retain(is_here);
        let is_error = |found: &Diagnostic| found.severity == Severity::Error;
        let (mut found, warnings): (Vec<_>, Vec<_>) = found.into_iter().partition(is_error);
        found.extend(types::warnings(model, &files).into_iter().filter(is_here));
        found = found.into_iter().filter_map(|found| adapt_diagnostic(model, found)).collect();
        found.sort_by(|a, b| a.order().cmp(&b.order()));
        found.dedup();
        (found, warnings)
    }
}

/// Adapts a diagnostic of the rule checks for an agent script. Errors are kept. A warning about an unused function becomes an error if the
/// function's name resembles, but does not equal, a name that agents may define. Other warnings are dropped.
fn adapt_diagnostic(model: &Model, found: Diagnostic) -> Option<Diagnostic> {
    if found.severity == Severity::Error {
        return Some(found);
    }
    let place = found.marks.into_iter().next().filter(|_| found.code == "unused-function")?.place;
    let name = place.source.text[place.span.clone()].to_owned();
    let of_decision =
        |begins: &'static str| model.decisions.iter().map(move |decision| format!("{begins}{}", decision.id));
    let asked: Vec<String> = of_decision(RATE).chain(of_decision(CONSIDER)).collect();
    let help = did_you_mean(&name, asked.iter().map(String::as_str).chain([ESTIMATE, TIES]))?;
    let is_asked = [ESTIMATE, TIES].contains(&&*name) || asked.contains(&name);
    let found = Diagnostic::error("unknown-function", format!("agents have no function `{name}`"));
    (!is_asked).then(|| found.mark(place, "never called").help(help))
}

/// Checks the name and the parameters of a function in an agent script. Returns the mistake, if any.
fn check_function(host: &Host, function: &RuleFunction, own: &[RuleFunction]) -> Option<Diagnostic> {
    let name = function.name.as_str();
    let place = || function.place.clone();
    let has = |begins: &str, decision: &str| own.iter().any(|one| one.name.strip_prefix(begins) == Some(decision));
    let [rated, considered] = [RATE, CONSIDER].map(|begins| name.strip_prefix(begins));
    let wanted = match (rated, considered) {
        (Some(decision), _) | (_, Some(decision)) if host.model.find_decision(decision).is_none() => {
            let begins = &name[..name.len() - decision.len()];
            let unrated = host.model.decisions.iter().filter(|decision| !has(begins, &decision.id));
            let unrated: Vec<&str> = unrated.map(|decision| &*decision.id).collect();
            return Some(unknown_decision(&host.model, (begins, decision), &unrated, place()));
        }
        (Some(decision), _) if has(CONSIDER, decision) => "(seat, option, considered)",
        (Some(_), _) => "(seat, option)",
        (_, Some(decision)) if !has(RATE, decision) => {
            let found = Diagnostic::error("unused-function", format!("there is no `{RATE}{decision}` to give this to"));
            return Some(
                found
                    .mark(place(), "never asked")
                    .help(format!("write `fn {RATE}{decision}(seat, option, considered)`")),
            );
        }
        (_, Some(_)) => "(seat)",
        _ if name == ESTIMATE => "(seat)",
        _ if name == TIES => "()",
        _ => return None,
    };
    let arity = if wanted == "()" { 0 } else { wanted.matches(',').count() + 1 };
    // Functions about a decision may have one more parameter, the facts of the question.
    let takes_facts = rated.or(considered).is_some();
    if function.arity == arity || takes_facts && function.arity == arity + 1 {
        return None;
    }
    let help = match rated {
        Some(decision) if function.arity > arity => {
            format!(
                "write `fn {name}{wanted}`, or calculate the additional argument in `fn {CONSIDER}{decision}(seat)`"
            )
        }
        _ => format!("write `fn {name}{wanted}`"),
    };
    let found = Diagnostic::error("wrong-arity", format!("`{name}` takes `{wanted}`"));
    Some(found.mark(place(), "has other parameters").help(help))
}

/// Creates the error for a function that is named after a decision that does not exist. `unrated` are the decisions without such a function:
/// if there is only one, its name may have been changed in the rules alone.
fn unknown_decision(model: &Model, (begins, decision): (&str, &str), unrated: &[&str], place: Place) -> Diagnostic {
    let near = nearest(decision, model.decisions.iter().map(|decision| &*decision.id));
    let found = unknown_quoted(&[NameRole::Decision], decision, []);
    let help = match (near, unrated) {
        (Some(near), _) => Some(format!("did you mean `{begins}{near}`?")),
        (None, [only]) => Some(format!("did you mean `{begins}{only}`? There is no such function yet")),
        (None, _) => found.help,
    };
    Diagnostic::error(found.code, found.message)
        .mark(place, "rates the options of no decision")
        .maybe_help(help.as_deref())
}

impl Advice {
    /// Returns whether the script rates the options of a decision.
    pub fn rates(&self, decision: &str) -> bool {
        self.has(&format!("{RATE}{decision}"))
    }

    /// Returns whether the script rates the options of any decision.
    pub fn rates_any(&self) -> bool {
        self.functions.iter().any(|known| known.name.starts_with(RATE))
    }

    /// Returns whether the script rates positions.
    pub fn estimates(&self) -> bool {
        self.has(ESTIMATE)
    }

    fn find(&self, function: &str) -> Option<&RuleFunction> {
        self.functions.iter().find(|known| known.name == function)
    }

    fn has(&self, function: &str) -> bool {
        self.find(function).is_some()
    }

    /// Returns the warnings about the types of the script.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Returns the source of the agent script.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Rates options of a decision from the point of view of the deciding seat.
    pub(super) fn ratings(
        &self,
        state: &mut State,
        decision: &Decision,
        choices: &[Choice],
    ) -> Result<Vec<i64>, Diagnostic> {
        let id = state.table.model().decisions[decision.id.index()].id.clone();
        let [rate, consider] = [RATE, CONSIDER].map(|begins| format!("{begins}{id}"));
        let seat = Value::from(decision.seat);
        let facts = || {
            let facts = decision.about.iter().map(|(name, fact)| (word(name), fact.to_value()));
            Value::Map(Arc::new(Map::new(facts)))
        };
        // If the function has one more parameter, the facts of the question are passed as the last argument.
        let with_facts = |function: &str, mut args: Vec<Value>| {
            if self.find(function).is_some_and(|found| found.arity > args.len()) {
                args.push(facts());
            }
            args
        };
        let considered = if self.has(&consider) {
            Some(self.call(state, &consider, &with_facts(&consider, vec![seat.clone()]))?)
        } else {
            None
        };
        let rating = |choice: &Choice| {
            let args = [seat.clone(), choice.to_value()].into_iter().chain(considered.clone()).collect();
            self.number(state, &rate, &with_facts(&rate, args))
        };
        choices.iter().map(rating).collect()
    }

    /// Returns whether the script's function `ties` chooses the first of several equally good options. Otherwise, one of them is drawn at
    /// random.
    pub(super) fn takes_first_of_equals(&self, state: &mut State) -> Result<bool, Diagnostic> {
        if !self.has(TIES) {
            return Ok(false);
        }
        match self.call(state, TIES, &[])? {
            Value::Text(text) if text == "first" => Ok(true),
            Value::Text(text) if text == "random" => Ok(false),
            _ => {
                let found =
                    Diagnostic::error("wrong-result", format!("`{TIES}` must return `\"first\"` or `\"random\"`"))
                        .help("return `\"first\"` to take the first of equally good options, or remove the function");
                Err(match self.find(TIES).map(|function| function.place.clone()) {
                    Some(place) => found.mark(place, "returns something else"),
                    None => found,
                })
            }
        }
    }

    /// Rates the position for each seat with the script's function `estimate`. In games with teams, the function runs only once per team.
    pub(super) fn estimate_all(&self, state: &mut State) -> Result<Vec<i64>, Diagnostic> {
        let model = state.table.model().clone();
        let number = |side: Scored| self.number(state, ESTIMATE, &[side.to_value()]);
        evaluate_per_seat(&model, number)
    }

    fn call(&self, state: &mut State, function: &str, args: &[Value]) -> Result<Value, Diagnostic> {
        let key = self.find(function).map_or(function, |found| &*found.key);
        let mut run = self
            .machine
            .run(key, args)
            .ok_or_else(|| Diagnostic::error("unknown-function", format!("there is no function `{function}`")))?;
        self.machine.resume(state, &mut run).into_value()
    }

    fn number(&self, state: &mut State, function: &str, args: &[Value]) -> Result<i64, Diagnostic> {
        match self.call(state, function, args)? {
            Value::Number(number) => Ok(number),
            given => {
                let found =
                    Diagnostic::error("wrong-result", format!("`{function}` returns {}, not a number", given.kind()))
                        .help("end it with a number; higher is better");
                let place = self.find(function).map(|function| function.place.clone());
                Err(match place {
                    Some(place) => found.mark(place, "does not return a number"),
                    None => found,
                })
            }
        }
    }
}
