//! A file of an agent: functions that look at a table and say in numbers how good something is.
//!
//! It is compiled beside the rules and may use their functions. It is only ever run on imagined worlds, so it cannot know
//! more than the seat it advises.

use super::check::{self, Script};
use super::dynamic::Scripted;
use super::explain;
use super::host::{self, Function, Host, place_of_function};
use super::runtime::Runtimes;
use super::stage;
use super::syntax::Read;
use super::trace;
use crate::analysis::names::Names;
use crate::decision::Choice;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, Source, did_you_mean};
use crate::model::{Model, Seat};
use rhai::{Dynamic, OptimizationLevel};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// How the name of a function begins that rates the options of a decision: `fn rate_bid(seat, option)`.
const RATE: &str = "rate_";

/// How the name of a function begins that works out once what all ratings of a decision go by: `fn consider_bid(seat)`, whose
/// result `fn rate_bid(seat, option, considered)` is given.
const CONSIDER: &str = "consider_";

/// The function that says what a position is worth to a seat.
const ESTIMATE: &str = "estimate";

/// A compiled file of an agent, on the thread that made it.
pub struct Advice {
    /// The fingerprint of the game it is compiled for.
    game: u64,
    source: Arc<Source>,
    runtimes: Rc<Runtimes>,
    functions: Vec<String>,
}

/// What an agent's file is asked for.
pub(super) enum Asked {
    /// How good the options of a decision are to a seat.
    Ratings { decision: Arc<str>, seat: Seat, options: Vec<Choice> },
    /// What the position is worth to each seat.
    Estimates,
}

thread_local! {
    static ADVICE: RefCell<Vec<Rc<Advice>>> = const { RefCell::new(Vec::new()) };
}

/// How many compiled files of agents a thread keeps.
const KEPT: usize = 16;

impl Host {
    /// Compiles an agent's file beside the rules.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn advice(&self, source: &Arc<Source>) -> Result<Rc<Advice>, Diagnostics> {
        let is_it = |known: &&Rc<Advice>| known.game == self.model.fingerprint && *known.source == **source;
        if let Some(known) = ADVICE.with_borrow(|kept| kept.iter().find(is_it).cloned()) {
            return Ok(known);
        }
        let advice = self.compiled_advice(source)?;
        ADVICE.with_borrow_mut(|kept| {
            if kept.len() >= KEPT {
                kept.remove(0);
            }
            kept.push(advice.clone());
        });
        Ok(advice)
    }

    fn compiled_advice(&self, source: &Arc<Source>) -> Result<Rc<Advice>, Diagnostics> {
        let names = host::names(&self.model);
        let files = Read::all([source]);
        let rules = self.functions().iter().map(|function| function.name.clone());
        let known = Names {
            functions: rules.chain(files.iter().flat_map(Read::functions)).collect(),
            ..host::known_names(&self.model, &names, &Self::vocabulary())
        };
        let (mut found, mut functions) = (Vec::new(), Vec::new());
        let mut ast = files[0].compile(self.engine(), &host::scope(&names), &known, &mut found);
        host::collect_functions(&ast, source, &mut functions, &mut found);
        let own: Vec<String> = functions.iter().map(|function| function.name.clone()).collect();
        found.extend(functions.iter().filter_map(|function| wrong_function(self, function, &own)));
        if found.is_empty() {
            found = self.checked(source, &ast, functions);
        }
        if !found.is_empty() {
            return Err(Diagnostics(found));
        }
        ast.clear_statements();
        let ast = self.engine().optimize_ast(&host::plain_scope(&names), ast, OptimizationLevel::Simple);
        let runtimes = Rc::new(self.runtimes().of(&self.ast().merge(&ast)));
        Ok(Rc::new(Advice { game: self.model.fingerprint, source: source.clone(), runtimes, functions: own }))
    }

    fn checked(&self, source: &Arc<Source>, ast: &rhai::AST, own: Vec<Function>) -> Vec<Diagnostic> {
        let script = Script { source: source.clone(), ast: ast.clone() };
        let functions: Vec<Function> = self.functions().iter().cloned().chain(own).collect();
        let mut found = check::check(&self.model, &Self::vocabulary(), &[script], &functions);
        let is_here =
            |found: &Diagnostic| found.marks.first().is_some_and(|mark| Arc::ptr_eq(&mark.place.source, source));
        found.retain(is_here);
        found = found.into_iter().filter_map(|found| told(&self.model, found)).collect();
        found.sort_by(|a, b| host::order(a).cmp(&host::order(b)));
        found.dedup();
        found
    }
}

/// Whether an agent's file is asked for a function of that name.
pub(super) fn is_asked(name: &str) -> bool {
    name.starts_with(RATE) || name.starts_with(CONSIDER) || name == ESTIMATE
}

/// What an agent's file is told of what the checks of rules find: every error; and of functions that nobody calls those that
/// are nearly called like what an agent is asked for.
fn told(model: &Model, found: Diagnostic) -> Option<Diagnostic> {
    if found.severity == Severity::Error {
        return Some(found);
    }
    let place = found.marks.into_iter().next().filter(|_| found.code == "unused-function")?.place;
    let name = place.source.text[place.span.clone()].to_owned();
    let of_decision =
        |begins: &'static str| model.decisions.iter().map(move |decision| format!("{begins}{}", decision.id));
    let asked: Vec<String> = of_decision(RATE).chain(of_decision(CONSIDER)).collect();
    let help = did_you_mean(&name, asked.iter().map(String::as_str).chain([ESTIMATE]))?;
    let is_asked = name == ESTIMATE || asked.contains(&name);
    let found = Diagnostic::error("unknown-function", format!("no agent is asked for `{name}`"));
    (!is_asked).then(|| found.mark(place, "called by nobody").help(help))
}

/// What is wrong with a function of an agent's file by its name or its parameters.
fn wrong_function(host: &Host, function: &Function, own: &[String]) -> Option<Diagnostic> {
    let name = function.name.as_str();
    let place = || place_of_function(&function.source, name);
    if host.has(name) && !name.starts_with("anon$") {
        let found = Diagnostic::error("duplicate-function", format!("the rules have a function `{name}` already"));
        return Some(found.mark(place(), "again here").help("give it another name, or call that of the rules"));
    }
    let [rated, considered] = [RATE, CONSIDER].map(|begins| name.strip_prefix(begins));
    let wanted = match (rated, considered) {
        (Some(decision), _) | (_, Some(decision)) if host.model.find_decision(decision).is_none() => {
            return Some(unknown_decision(&host.model, decision).mark(place(), "rates the options of no decision"));
        }
        (Some(decision), _) if own.contains(&format!("{CONSIDER}{decision}")) => "(seat, option, considered)",
        (Some(_), _) => "(seat, option)",
        (_, Some(decision)) if !own.contains(&format!("{RATE}{decision}")) => {
            let found = Diagnostic::error("unused-function", format!("there is no `{RATE}{decision}` to give this to"));
            return Some(
                found
                    .mark(place(), "asked by nobody")
                    .help(format!("write `fn {RATE}{decision}(seat, option, considered)`")),
            );
        }
        (_, Some(_)) => "(seat)",
        _ if name == ESTIMATE => "(seat)",
        _ => return None,
    };
    if function.arity == wanted.matches(',').count() + 1 {
        return None;
    }
    let help = match rated {
        Some(decision) if function.arity > wanted.matches(',').count() + 1 => {
            format!("write `fn {name}{wanted}`, or work out what it is given more in `fn {CONSIDER}{decision}(seat)`")
        }
        _ => format!("write `fn {name}{wanted}`"),
    };
    let found = Diagnostic::error("wrong-arity", format!("`{name}` is given `{wanted}`"));
    Some(found.mark(place(), "takes something else").help(help))
}

fn unknown_decision(model: &Model, decision: &str) -> Diagnostic {
    let known = model.decisions.iter().map(|decision| &*decision.id);
    let found = Diagnostic::error("unknown-decision", format!("there is no decision `{decision}`"));
    match did_you_mean(decision, known) {
        Some(help) => found.help(help),
        None => found.help("name it after a decision of game.toml"),
    }
}

impl Advice {
    /// Whether the file rates the options of a decision.
    pub fn rates(&self, decision: &str) -> bool {
        self.has(&format!("{RATE}{decision}"))
    }

    /// Whether the file rates the options of any decision.
    pub fn rates_any(&self) -> bool {
        self.functions.iter().any(|known| known.starts_with(RATE))
    }

    /// Whether the file says what a position is worth.
    pub fn estimates(&self) -> bool {
        self.has(ESTIMATE)
    }

    fn has(&self, function: &str) -> bool {
        self.functions.iter().any(|known| known == function)
    }

    /// The file.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The numbers that are asked for: a rating for each option, or an estimate for each seat. A game must be on stage.
    pub(super) fn numbers(&self, host: &Host, asked: Asked) -> Result<Vec<i64>, Diagnostic> {
        stage::with(|stage| stage.runtimes = Some(self.runtimes.clone()));
        match asked {
            Asked::Ratings { decision, seat, options } => self.ratings(host, &decision, seat, &options),
            Asked::Estimates => {
                host.model.all_seats().map(|seat| self.number(host, ESTIMATE, vec![of_seat(seat)])).collect()
            }
        }
    }

    fn ratings(&self, host: &Host, decision: &str, seat: Seat, options: &[Choice]) -> Result<Vec<i64>, Diagnostic> {
        let [rate, consider] = [RATE, CONSIDER].map(|begins| format!("{begins}{decision}"));
        let considered =
            if self.has(&consider) { Some(self.call(host, &consider, vec![of_seat(seat)])?) } else { None };
        let rating = |option: &Choice| {
            let args = [of_seat(seat), option.to_dynamic()].into_iter().chain(considered.clone()).collect();
            self.number(host, &rate, args)
        };
        options.iter().map(rating).collect()
    }

    fn call(&self, host: &Host, function: &str, args: Vec<Dynamic>) -> Result<Dynamic, Diagnostic> {
        let given = self.runtimes.call(host.engine(), 0, function, args);
        given.map_err(|error| {
            let mut found = trace::diagnose_in(host, &self.source, &error);
            if found.trace.is_empty() {
                found.trace.push(format!("`{function}`"));
            }
            // A run that is given up does not say where: at least what was asked for is known.
            if found.marks.is_empty() {
                found.message = format!("`{function}` goes on without end");
                found = found.mark(place_of_function(&self.source, function), "asked for, and still running");
            }
            found
        })
    }

    fn number(&self, host: &Host, function: &str, args: Vec<Dynamic>) -> Result<i64, Diagnostic> {
        let given = self.call(host, function, args)?;
        given.as_int().map_err(|_| {
            let kind = explain::one(&explain::plain_type(given.type_name()));
            Diagnostic::error("wrong-result", format!("`{function}` gives {kind}, not a number"))
                .mark(place_of_function(&self.source, function), "gives something else than a number")
                .help("end it with a number: the higher, the better")
        })
    }
}

fn of_seat(seat: Seat) -> Dynamic {
    Choice::Seat(seat).to_dynamic()
}
