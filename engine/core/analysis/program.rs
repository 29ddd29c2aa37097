//! The functions of a game's rules and agents, and the calls between them.

use super::language::Language;
use super::tallies::tallied;
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::{Effects, NameRole, Pattern};
use crate::model::{Derived, FlowFunctionName, Model, NamedFunction};
use crate::syntax::{Expr, ExprKind, File, Function, Name, Node, Span, StatementKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The functions of a game's rules and, optionally, of agents, with the calls between them.
pub(crate) struct Program<'a> {
    /// The model of the game.
    pub model: &'a Model,
    /// The model, followed by its variants: models with other option values that declare additional names.
    pub models: Vec<&'a Model>,
    /// Index of the library's functions, properties and operators by name.
    pub language: &'static Language,
    /// The functions, sorted by file and name.
    pub codes: Vec<Code<'a>>,
    /// Names of the fields whose values are functions of the rules.
    pub function_fields: Vec<Arc<str>>,
    by_name: FxHashMap<&'a str, Vec<usize>>,
    by_key: FxHashMap<&'a str, usize>,
    vocabulary: Vocabulary,
    /// Names of all map parts that the functions create.
    parts: FxHashSet<&'a str>,
    calls: Vec<ProgramCall<'a>>,
    /// The closures that run on a copy of the table.
    pub trials: Vec<TrialClosure<'a>>,
    /// Indices into `calls`, by key of the caller.
    from: FxHashMap<&'a str, Vec<usize>>,
    /// Indices into `calls`, by key of the called function of the game.
    to_own: FxHashMap<&'a str, Vec<usize>>,
    /// Indices into `calls`, by name of the called library function.
    to_library: FxHashMap<&'a str, Vec<usize>>,
}

/// A parsed file.
#[derive(Clone, Copy)]
pub struct ParsedFile<'a> {
    /// Path and text of the file.
    pub source: &'a Arc<Source>,
    /// Syntax tree of the file.
    pub tree: &'a File,
    /// Whether the file belongs to an agent.
    pub is_agent: bool,
    /// Syntax errors in the file.
    pub unread: &'a [Diagnostic],
}

impl ParsedFile<'_> {
    /// Returns whether a function is affected by a syntax error. The error may be within the function, or between its end and the next
    /// function: a surplus brace may have ended the function early.
    pub(crate) fn is_broken(&self, function: &Function) -> bool {
        let start = function.span.range().start;
        // Most files have no errors. The functions are looked at only for errors behind the beginning of this one.
        self.unread.iter().filter_map(|found| found.marks.first()).any(|mark| {
            let at = mark.place.span.start;
            let is_before_next = |other: usize| other <= start || at < other;
            start <= at && self.tree.functions.iter().all(|one| is_before_next(one.span.range().start))
        })
    }
}

/// A function of a file, or code in a playscript.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    /// File of the function.
    pub source: &'a Arc<Source>,
    /// The syntax tree of the function.
    pub tree: &'a Function,
    /// Whether the file belongs to an agent.
    pub is_agent: bool,
}

/// The function that a call refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Callee<'a> {
    /// A function of the game, by its key.
    Own(&'a str),
    /// A function of the library or an unknown function, by its name.
    Library(&'a str),
}

impl<'a> Callee<'a> {
    /// Returns the key if the function belongs to the game.
    pub(crate) fn own(self) -> Option<&'a str> {
        match self {
            Self::Own(key) => Some(key),
            Self::Library(_) => None,
        }
    }

    /// Returns the name if the function belongs to the library or is unknown.
    pub(crate) fn library(self) -> Option<&'a str> {
        match self {
            Self::Own(_) => None,
            Self::Library(name) => Some(name),
        }
    }
}

/// A call from one function of the game to another, or to the library.
#[derive(Clone, Copy)]
pub(crate) struct ProgramCall<'a> {
    /// The caller.
    pub from: Code<'a>,
    /// The called function.
    pub to: Callee<'a>,
    /// Span of the name in the call.
    pub span: Span,
    /// Whether the call runs on a copy of the table.
    pub is_tried: bool,
    /// Whether the call only triggers the function, so that the flow runs it later.
    pub is_triggered: bool,
}

/// A closure that runs on a copy of the table.
#[derive(Clone, Copy)]
pub(crate) struct TrialClosure<'a> {
    /// The function that contains the closure.
    pub code: Code<'a>,
    /// Span of the function name in the call that runs the closure.
    pub name: Span,
    /// Span of the closure.
    pub span: Span,
}

impl TrialClosure<'_> {
    /// Returns whether a span of the same function is within the closure.
    pub(crate) fn has(&self, span: Span) -> bool {
        self.span.start <= span.start && span.end <= self.span.end
    }
}

impl<'a> Code<'a> {
    /// Returns whether this is code in a playscript.
    pub(crate) fn is_text(&self) -> bool {
        self.name().is_empty()
    }

    /// Returns the name of the function. The name is empty for code in a playscript, which is treated as a function whose parameters are
    /// the names known there.
    pub(crate) fn name(&self) -> &'a str {
        &self.tree.name.text
    }

    /// Returns the key that calls use to refer to the function.
    pub(crate) fn key(&self) -> &'a str {
        &self.tree.key
    }

    /// Returns the place of the function's name.
    pub(crate) fn place(&self) -> Place {
        self.at(self.tree.name.span)
    }

    /// Returns how often each name is declared or assigned in the function. An assignment counts twice, so that a count
    /// of 1 means that the name is declared once and never assigned.
    pub(crate) fn assignment_counts(&self) -> FxHashMap<&'a str, usize> {
        let mut times: FxHashMap<&str, usize> = FxHashMap::default();
        let mut count = |name: &'a str, more: usize| *times.entry(name).or_default() += more;
        self.tree.params.iter().for_each(|param| count(&param.text, 1));
        self.tree.each_node(&mut |node| match node {
            Node::Statement(statement) => match &statement.kind {
                StatementKind::Let { name, .. } => count(&name.text, 1),
                StatementKind::Assign { target, .. } => {
                    if let ExprKind::Name(name) = &target.kind {
                        count(name, 2);
                    }
                }
                _ => {}
            },
            Node::Expr(expr) => match &expr.kind {
                ExprKind::For { name, counter, .. } => {
                    std::iter::once(name).chain(counter).for_each(|name| count(&name.text, 1));
                }
                ExprKind::Closure { params, .. } => params.iter().for_each(|param| count(&param.text, 1)),
                _ => {}
            },
            Node::Block(_) => {}
        });
        times
    }

    /// Returns the place of the word at the beginning of a span.
    pub(crate) fn word_at(&self, span: Span) -> Place {
        Place::word_at(self.source, span.range().start)
    }

    /// Converts a span of the function's file to a place.
    pub(crate) fn at(&self, span: Span) -> Place {
        Place { source: self.source.clone(), span: span.range() }
    }
}

impl ProgramCall<'_> {
    /// Returns the place of the name in the call.
    pub(crate) fn place(&self) -> Place {
        self.from.at(self.span)
    }
}

impl<'a> Program<'a> {
    /// Collects the functions of `files` and the calls between them.
    pub(crate) fn new(model: &'a Model, language: &'static Language, files: &[ParsedFile<'a>]) -> Self {
        let models: Vec<&Model> =
            std::iter::once(model).chain(model.variants_with_more_names().iter().map(|other| &**other)).collect();
        let functions = |file: &ParsedFile<'a>| {
            let ParsedFile { source, is_agent, tree, .. } = *file;
            tree.functions.iter().map(move |tree| Code { source, tree, is_agent })
        };
        let mut codes: Vec<Code<'a>> = files.iter().flat_map(functions).collect();
        codes.sort_by_key(|code| (&code.source.path, code.name()));
        let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        codes.iter().enumerate().for_each(|(at, code)| by_name.entry(code.name()).or_default().push(at));
        let by_key = codes.iter().enumerate().map(|(at, code)| (code.key(), at)).collect();
        let mut function_fields: Vec<Arc<str>> = models.iter().flat_map(|model| model.function_fields()).collect();
        function_fields.sort();
        function_fields.dedup();
        let vocabulary = Vocabulary::new(models.iter().copied(), language.relations());
        let mut parts = FxHashSet::default();
        for code in &codes {
            code.tree.each_node(&mut |node| parts_in(language, node, &mut parts));
        }
        let trials: Vec<TrialClosure<'a>> = codes.iter().flat_map(|code| trials_of(language, *code)).collect();
        let calls: Vec<ProgramCall<'a>> =
            codes.iter().flat_map(|code| calls_of(model, language, *code, &trials)).collect();
        let (mut from, mut to_own, mut to_library): (FxHashMap<_, Vec<_>>, FxHashMap<_, Vec<_>>, FxHashMap<_, Vec<_>>) =
            Default::default();
        for (at, call) in calls.iter().enumerate() {
            from.entry(call.from.key()).or_default().push(at);
            match call.to {
                Callee::Own(key) => to_own.entry(key).or_default().push(at),
                Callee::Library(name) => to_library.entry(name).or_default().push(at),
            }
        }
        Self {
            model,
            models,
            language,
            codes,
            function_fields,
            by_name,
            by_key,
            vocabulary,
            parts,
            calls,
            trials,
            from,
            to_own,
            to_library,
        }
    }

    /// Returns all functions except those in agents' files.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &Code<'a>> {
        self.codes.iter().filter(|code| !code.is_agent)
    }

    /// Returns the functions that the flow calls, in the model or a variant, without duplicates.
    pub(crate) fn named_by_flow(&self) -> Vec<&'a FlowFunctionName> {
        let mut named: Vec<&FlowFunctionName> = Vec::new();
        for one in self.models.iter().flat_map(|model| &model.flow.named) {
            if !named.contains(&one) {
                named.push(one);
            }
        }
        named
    }

    /// Iterates over the functions that fields name, in the model and its variants. A function may occur several times.
    pub(crate) fn named_functions(&self) -> impl Iterator<Item = &'a NamedFunction> {
        self.models.iter().flat_map(|model| model.named_functions.iter())
    }

    /// Returns the functions that decisions name to compute the costs of options, or to rate options for automas. Includes the decisions of
    /// all variants, without duplicates.
    pub(crate) fn option_functions(&self) -> Vec<&'a NamedFunction> {
        let mut named: Vec<&NamedFunction> = Vec::new();
        let decisions = self.models.iter().flat_map(|model| &model.decisions);
        for one in decisions.flat_map(|decision| decision.costs.iter().chain(&decision.automa)) {
            if !named.contains(&one) {
                named.push(one);
            }
        }
        named
    }

    /// Returns the derived values of the model and its variants, without duplicates.
    pub(crate) fn derived(&self) -> Vec<&'a Derived> {
        let mut all: Vec<&Derived> = Vec::new();
        for one in self.models.iter().flat_map(|model| &model.derived) {
            if !all.iter().any(|known| known.named == one.named) {
                all.push(one);
            }
        }
        all
    }

    /// Returns the function whose key is `key`. The key of a function of the rules is its name.
    pub(crate) fn code(&self, key: &str) -> Option<&Code<'a>> {
        self.by_key.get(key).map(|at| &self.codes[*at])
    }

    /// Returns all functions called `name`. There can be several by mistake, or because several agents define a function of the same name.
    pub(crate) fn codes_of(&self, name: &str) -> impl Iterator<Item = &Code<'a>> {
        self.by_name.get(name).into_iter().flatten().map(|at| &self.codes[*at])
    }

    /// Describes a global name in words: a name of the engine, a zone, a param or an option. Returns `None` for any other name.
    pub(crate) fn what_is(&self, name: &str) -> Option<&'static str> {
        self.language.name(name).map(|_| "the engine's").or_else(|| self.vocabulary.global_description(name))
    }

    /// Returns whether any map or option has a part called `name`. The part may occur in the rules, in a field, in a decision, or in a map
    /// that the library returns.
    pub(crate) fn is_part(&self, name: &str) -> bool {
        self.parts.contains(name) || self.language.is_part(name) || self.vocabulary.parts.contains(name)
    }

    /// Returns whether any game object has a property called `name`, any map has a part called `name`, or the rules keep a tally called
    /// `name`.
    pub(crate) fn has_property(&self, name: &str) -> bool {
        let has = |model: &&Model| {
            model.fields.iter().any(|field| **field == *name)
                || model.families.iter().any(|family| *family.id == *name)
                || model.spaces.iter().any(|space| space.fields.contains_key(name))
                || model.cells.fields.contains_key(name)
        };
        let is_counted = || tallied(&self.model.scripts).into_iter().flatten().any(|counted| *counted == *name);
        self.language.has_property(name)
            || self.is_part(name)
            || self.is_value(name)
            || self.models.iter().any(has)
            || is_counted()
    }

    /// Returns whether the game declares a value called `name`.
    pub(crate) fn is_value(&self, name: &str) -> bool {
        self.vocabulary.is_value(name)
    }

    /// Returns the calls in the function whose key is `function`.
    pub(crate) fn calls_from(&self, function: &str) -> impl Iterator<Item = &ProgramCall<'a>> {
        self.from.get(function).into_iter().flatten().map(|at| &self.calls[*at])
    }

    /// Returns the calls that refer to `function`.
    pub(crate) fn calls_to(&self, function: Callee<'_>) -> impl Iterator<Item = &ProgramCall<'a>> + use<'_, 'a> {
        let calls = match function {
            Callee::Own(key) => self.to_own.get(key),
            Callee::Library(name) => self.to_library.get(name),
        };
        calls.into_iter().flatten().map(|at| &self.calls[*at])
    }

    /// Returns the keys of `roots` and of all functions that they call, directly or indirectly, except those in `seen`. Adds the returned
    /// keys to `seen`.
    pub(crate) fn reachable(&self, roots: Vec<&'a str>, seen: &mut FxHashSet<&'a str>) -> Vec<&'a str> {
        reachable_names(roots, seen, |function| self.calls_from(function).filter_map(|call| call.to.own()).collect())
    }

    /// Like [`Program::reachable`], but leaves out functions that are only triggered.
    pub(crate) fn reachable_without_triggers(
        &self,
        roots: Vec<&'a str>,
        seen: &mut FxHashSet<&'a str>,
    ) -> Vec<&'a str> {
        reachable_names(roots, seen, |function| {
            self.immediate_calls(function).filter_map(|call| call.to.own()).collect()
        })
    }

    /// Like [`Program::reachable_without_triggers`], but leaves out functions that only run on copies of the table.
    pub(crate) fn reachable_on_real_table(&self, roots: Vec<&'a str>, seen: &mut FxHashSet<&'a str>) -> Vec<&'a str> {
        reachable_names(roots, seen, |function| {
            self.effective_calls(function).filter_map(|call| call.to.own()).collect()
        })
    }

    /// Returns the calls that a function runs immediately. Calls that only trigger a function, which the flow runs later, are left out.
    pub(crate) fn immediate_calls(&self, function: &str) -> impl Iterator<Item = &ProgramCall<'a>> {
        self.calls_from(function).filter(|call| !call.is_triggered)
    }

    /// Like [`Program::immediate_calls`], but leaves out calls that run on copies of the table.
    pub(crate) fn effective_calls(&self, function: &str) -> impl Iterator<Item = &ProgramCall<'a>> {
        self.immediate_calls(function).filter(|call| !call.is_tried)
    }

    /// Returns whether a span of a function is within a closure that runs on a copy of the table.
    pub(crate) fn is_tried(&self, code: &Code<'_>, span: Span) -> bool {
        self.trials.iter().any(|trial| trial.code.key() == code.key() && trial.has(span))
    }

    /// Returns whether any function calls a library function whose effects satisfy `is_so`.
    pub(crate) fn has_call(&self, is_so: impl Fn(Effects) -> bool) -> bool {
        self.to_library.keys().any(|name| self.language.functions(name).iter().any(|word| is_so(word.effects)))
    }

    /// Returns whether the library function called `name` has any of the given effects.
    pub(crate) fn has_effects(&self, name: &str, effects: Effects) -> bool {
        self.language.functions(name).iter().any(|word| word.effects.has(effects))
    }

    /// Returns the keys of all functions that call a library function with any of the given effects, directly or indirectly.
    pub(crate) fn functions_reaching(&self, effects: Effects) -> FxHashSet<&'a str> {
        let callers = |callee: Callee<'_>| self.calls_to(callee).map(|call| call.from.key()).collect::<Vec<_>>();
        let called = self.to_library.keys().filter(|name| self.has_effects(name, effects));
        let roots = called.flat_map(|name| callers(Callee::Library(name))).collect();
        let mut seen = FxHashSet::default();
        reachable_names(roots, &mut seen, |function| callers(Callee::Own(function)));
        seen
    }
}

/// Returns the keys that can be reached from `roots` and are not in `seen`, nearest first. Adds them to `seen`.
fn reachable_names<'a>(
    roots: Vec<&'a str>,
    seen: &mut FxHashSet<&'a str>,
    next: impl Fn(&str) -> Vec<&'a str>,
) -> Vec<&'a str> {
    let mut reached: Vec<&str> = roots.into_iter().filter(|root| seen.insert(root)).collect();
    let mut at = 0;
    while let Some(function) = reached.get(at).copied() {
        reached.extend(next(function).into_iter().filter(|found| seen.insert(found)));
        at += 1;
    }
    reached
}

/// Returns the calls in a function. A call of a field, such as `card.play(seat)`, also counts as a call of every function that this field
/// names. The same holds for a call that triggers an event.
fn calls_of<'a>(
    model: &'a Model,
    language: &Language,
    from: Code<'a>,
    trials: &[TrialClosure<'a>],
) -> Vec<ProgramCall<'a>> {
    let mut calls = Vec::new();
    from.tree.each_node(&mut |node| {
        let Some((name, callee)) = called(node) else { return };
        let event = match node {
            Node::Expr(Expr { kind: ExprKind::Call { arguments, .. }, .. }) => language.event(name, arguments),
            _ => None,
        };
        let field = event.or_else(|| callee.library());
        let fields = model.named_functions.iter().filter(|named| field == Some(&*named.field));
        let mut functions: Vec<&str> = fields.map(|named| &*named.function).collect();
        functions.sort_unstable();
        functions.dedup();
        let functions = functions.into_iter().map(Callee::Own);
        let (span, is_own) = (name.span, |trial: &&TrialClosure<'_>| trial.code.key() == from.key());
        let is_tried = trials.iter().filter(is_own).any(|trial| trial.has(span));
        let call = |to, is_triggered| ProgramCall { from, to, span, is_tried, is_triggered };
        calls.extend(functions.map(|to| call(to, event.is_some())).chain([call(callee, false)]));
    });
    calls
}

fn trials_of<'a>(language: &Language, code: Code<'a>) -> Vec<TrialClosure<'a>> {
    let mut trials = Vec::new();
    code.tree.each_node(&mut |node| {
        let Node::Expr(expr) = node else { return };
        let ExprKind::Call { name, arguments } = &expr.kind else { return };
        if language.functions(&name.text).iter().any(|word| word.effects.has(Effects::TRIES)) {
            let closures = arguments.iter().filter(|one| matches!(one.kind, ExprKind::Closure { .. }));
            trials.extend(closures.map(|one| TrialClosure { code, name: name.span, span: one.span }));
        }
    });
    trials
}

/// Returns the name in a call, and the function that the call refers to. Returns `None` if the node is not a call.
fn called(node: Node<'_>) -> Option<(&Name, Callee<'_>)> {
    let Node::Expr(expr) = node else { return None };
    match &expr.kind {
        ExprKind::Call { name, .. } | ExprKind::Method { name, .. } => Some((name, Callee::Library(&name.text))),
        ExprKind::OwnCall { name, key, .. } => Some((name, Callee::Own(key))),
        _ => None,
    }
}

/// Adds the names of the parts that an expression creates: the keys of a map literal, or the part names that are passed to a library
/// function.
fn parts_in<'a>(language: &Language, node: Node<'a>, parts: &mut FxHashSet<&'a str>) {
    let Node::Expr(expr) = node else { return };
    match &expr.kind {
        ExprKind::Map(given) => parts.extend(given.iter().map(|(name, _)| &*name.text)),
        ExprKind::Call { name, arguments } => {
            let takes = language.functions(&name.text).iter().flat_map(|word| word.takes.iter().zip(arguments));
            parts.extend(takes.filter_map(|(takes, argument)| match (takes, &argument.kind) {
                (Pattern::Name(NameRole::Part), ExprKind::Text(part)) => Some(&**part),
                _ => None,
            }));
        }
        _ => {}
    }
}
