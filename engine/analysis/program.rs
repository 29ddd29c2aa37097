//! The functions of some rules over all files, and who calls whom.

use super::language::Language;
use super::tallies::tallied;
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::{Effects, NameRole, Pattern};
use crate::model::{Derived, Model, Named, NamedFunction};
use crate::syntax::{Expr, ExprKind, File, Function, Name, Node, Span, StatementKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Rules as a whole, with the file of an agent beside them.
pub(crate) struct Program<'a> {
    /// The game.
    pub model: &'a Model,
    /// The same, and those with other numbers of seats or options that bring more names.
    pub models: Vec<&'a Model>,
    /// The table of the language.
    pub language: &'static Language,
    /// The functions, by file and name.
    pub codes: Vec<Code<'a>>,
    /// The fields that name functions of the rules.
    pub function_fields: Vec<Arc<str>>,
    by_name: FxHashMap<&'a str, Vec<usize>>,
    vocabulary: Vocabulary,
    /// The parts of maps that the rules make.
    parts: FxHashSet<&'a str>,
    calls: Vec<ProgramCall<'a>>,
    /// The functions `|…|` that are carried out on a copy of the table.
    pub trials: Vec<Supposition<'a>>,
    from: FxHashMap<&'a str, Vec<usize>>,
    to: FxHashMap<&'a str, Vec<usize>>,
}

/// A file that is walked.
#[derive(Clone, Copy)]
pub(crate) struct Read<'a> {
    /// Its text.
    pub source: &'a Arc<Source>,
    /// Its tree.
    pub tree: &'a File,
    /// Whether it is one of an agent.
    pub is_agent: bool,
    /// What could not be read of it.
    pub unread: &'a [Diagnostic],
}

impl Read<'_> {
    /// Whether a function could not be read whole: something wrong lies in it, or behind it, where a brace too many may have ended it.
    pub(crate) fn is_broken(&self, function: &Function) -> bool {
        let begins: Vec<usize> = self.tree.functions.iter().map(|one| one.span.range().start).collect();
        let start = function.span.range().start;
        self.unread.iter().filter_map(|found| found.marks.first()).any(|mark| {
            let at = mark.place.span.start;
            start <= at && begins.iter().all(|other| *other <= start || at < *other)
        })
    }
}

/// A function where it is written.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    /// The file.
    pub source: &'a Arc<Source>,
    /// What is written.
    pub tree: &'a Function,
    /// Whether the file is one of an agent.
    pub is_agent: bool,
}

/// One function calls another, or one of the language.
#[derive(Clone, Copy)]
pub(crate) struct ProgramCall<'a> {
    /// Who calls.
    pub from: Code<'a>,
    /// What is called.
    pub to: &'a str,
    /// Where that is written.
    pub span: Span,
    /// Whether that is carried out on a copy of the table.
    pub is_tried: bool,
    /// Whether it is only triggered there: it is carried out later, by the flow.
    pub is_triggered: bool,
}

/// A function `|…|` that is carried out on a copy of the table.
#[derive(Clone, Copy)]
pub(crate) struct Supposition<'a> {
    /// Where it is written.
    pub code: Code<'a>,
    /// The name of what carries it out.
    pub name: Span,
    /// The function `|…|`.
    pub span: Span,
}

impl Supposition<'_> {
    /// Whether something in its function stands within it.
    pub(crate) fn has(&self, span: Span) -> bool {
        self.span.start <= span.start && span.end <= self.span.end
    }
}

impl<'a> Code<'a> {
    /// Whether it is a text of a play.
    pub(crate) fn is_text(&self) -> bool {
        self.name().is_empty()
    }

    /// Its name; none for a text of a play, which is like a function that takes what is known in it alone.
    pub(crate) fn name(&self) -> &'a str {
        &self.tree.name.text
    }

    /// Where its name stands.
    pub(crate) fn place(&self) -> Place {
        self.at(self.tree.name.span)
    }

    /// How often each name is given something in it; one that is set later counts twice there.
    pub(crate) fn times_given(&self) -> FxHashMap<&'a str, usize> {
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

    /// The first word of a stretch of its file.
    pub(crate) fn word_at(&self, span: Span) -> Place {
        Place::word_at(self.source, span.range().start)
    }

    /// A stretch of its file as a place.
    pub(crate) fn at(&self, span: Span) -> Place {
        Place { source: self.source.clone(), span: span.range() }
    }
}

impl ProgramCall<'_> {
    /// Where the called name stands.
    pub(crate) fn place(&self) -> Place {
        self.from.at(self.span)
    }
}

impl<'a> Program<'a> {
    /// The functions of some files.
    pub(crate) fn new(model: &'a Model, language: &'static Language, files: &[Read<'a>]) -> Self {
        let models: Vec<&Model> =
            std::iter::once(model).chain(model.elsewhere().iter().map(|other| &**other)).collect();
        let functions = |file: &Read<'a>| {
            let Read { source, is_agent, tree, .. } = *file;
            tree.functions.iter().map(move |tree| Code { source, tree, is_agent })
        };
        let mut codes: Vec<Code<'a>> = files.iter().flat_map(functions).collect();
        codes.sort_by_key(|code| (&code.source.path, code.name()));
        let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        codes.iter().enumerate().for_each(|(at, code)| by_name.entry(code.name()).or_default().push(at));
        let mut function_fields: Vec<Arc<str>> = models.iter().flat_map(|model| model.function_fields()).collect();
        function_fields.sort();
        function_fields.dedup();
        let vocabulary = Vocabulary::new(models.iter().copied(), language.relations());
        let mut parts = FxHashSet::default();
        for code in &codes {
            code.tree.each_node(&mut |node| parts_in(language, node, &mut parts));
        }
        let trials: Vec<Supposition<'a>> = codes.iter().flat_map(|code| trials_of(language, *code)).collect();
        let calls: Vec<ProgramCall<'a>> =
            codes.iter().flat_map(|code| calls_of((model, language), *code, &trials)).collect();
        let (mut from, mut to): (FxHashMap<_, Vec<_>>, FxHashMap<_, Vec<_>>) = Default::default();
        for (at, call) in calls.iter().enumerate() {
            from.entry(call.from.name()).or_default().push(at);
            to.entry(call.to).or_default().push(at);
        }
        Self { model, models, language, codes, function_fields, by_name, vocabulary, parts, calls, trials, from, to }
    }

    /// The functions of the rules alone.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &Code<'a>> {
        self.codes.iter().filter(|code| !code.is_agent)
    }

    /// The functions that the flow calls, with their places, over all models.
    pub(crate) fn named_by_flow(&self) -> Vec<&'a Named> {
        let mut named: Vec<&Named> = Vec::new();
        for one in self.models.iter().flat_map(|model| &model.flow.named) {
            if !named.contains(&one) {
                named.push(one);
            }
        }
        named
    }

    /// The functions that fields name, over all models.
    pub(crate) fn named_functions(&self) -> impl Iterator<Item = &'a NamedFunction> {
        self.models.iter().flat_map(|model| model.named_functions.iter())
    }

    /// The functions that say something of the options of decisions, over all models, each once where it is named.
    pub(crate) fn of_options(&self) -> Vec<&'a NamedFunction> {
        let mut named: Vec<&NamedFunction> = Vec::new();
        let decisions = self.models.iter().flat_map(|model| &model.decisions);
        for one in decisions.flat_map(|decision| decision.costs.iter().chain(&decision.automa)) {
            if !named.contains(&one) {
                named.push(one);
            }
        }
        named
    }

    /// The derived values of all models, each once where its function is named.
    pub(crate) fn derived(&self) -> Vec<&'a Derived> {
        let mut all: Vec<&Derived> = Vec::new();
        for one in self.models.iter().flat_map(|model| &model.derived) {
            if !all.iter().any(|known| known.named == one.named) {
                all.push(one);
            }
        }
        all
    }

    /// The function of a name.
    pub(crate) fn code(&self, name: &str) -> Option<&Code<'a>> {
        self.codes_of(name).next_back()
    }

    /// The functions of a name: several, where that is a mistake or agents' files have one each.
    pub(crate) fn codes_of(&self, name: &str) -> impl DoubleEndedIterator<Item = &Code<'a>> {
        self.by_name.get(name).into_iter().flatten().map(|at| &self.codes[*at])
    }

    /// What a name stands for that rules know everywhere: something of the engine, a zone, a param or an option.
    pub(crate) fn what_is(&self, name: &str) -> Option<&'static str> {
        self.language.name(name).map(|_| "the engine's").or_else(|| self.vocabulary.alone(name))
    }

    /// Whether maps that rules make, that fields hold, or that functions of the language result in, have a part of that name.
    pub(crate) fn is_part(&self, name: &str) -> bool {
        self.parts.contains(name) || self.language.is_part(name) || self.vocabulary.parts.contains(name)
    }

    /// Whether something has something of that name behind a dot, or is counted by it.
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

    /// Whether a name is a value of something.
    pub(crate) fn is_value(&self, name: &str) -> bool {
        self.vocabulary.is_value(name)
    }

    /// The calls in a function.
    pub(crate) fn from(&self, function: &str) -> impl Iterator<Item = &ProgramCall<'a>> {
        self.from.get(function).into_iter().flatten().map(|at| &self.calls[*at])
    }

    /// The calls of a function.
    pub(crate) fn to(&self, function: &str) -> impl Iterator<Item = &ProgramCall<'a>> {
        self.to.get(function).into_iter().flatten().map(|at| &self.calls[*at])
    }

    /// Goes from some functions to every function they may reach, as far as nobody has gone before; `seen` holds those.
    pub(crate) fn go_from(&self, roots: Vec<&'a str>, seen: &mut FxHashSet<&'a str>) -> Vec<&'a str> {
        spread(roots, seen, |function| self.from(function).map(|call| call.to).collect())
    }

    /// The same, as far as all is carried out at once: not what is triggered.
    pub(crate) fn go_at_once(&self, roots: Vec<&'a str>, seen: &mut FxHashSet<&'a str>) -> Vec<&'a str> {
        spread(roots, seen, |function| self.at_once(function).map(|call| call.to).collect())
    }

    /// The same, but for what is carried out on copies of the table alone.
    pub(crate) fn go_in_earnest(&self, roots: Vec<&'a str>, seen: &mut FxHashSet<&'a str>) -> Vec<&'a str> {
        spread(roots, seen, |function| self.in_earnest(function).map(|call| call.to).collect())
    }

    /// What a function carries out itself, and does not leave to the flow.
    pub(crate) fn at_once(&self, function: &str) -> impl Iterator<Item = &ProgramCall<'a>> {
        self.from(function).filter(|call| !call.is_triggered)
    }

    /// The same, but for what is carried out on copies of the table.
    pub(crate) fn in_earnest(&self, function: &str) -> impl Iterator<Item = &ProgramCall<'a>> {
        self.at_once(function).filter(|call| !call.is_tried)
    }

    /// Whether something in a function stands within one `|…|` that is carried out on a copy of the table.
    pub(crate) fn is_tried(&self, code: &Code<'_>, span: Span) -> bool {
        self.trials.iter().any(|trial| trial.code.name() == code.name() && trial.has(span))
    }

    /// Whether rules call a function of the library whose effects are so.
    pub(crate) fn has_call(&self, is_so: impl Fn(Effects) -> bool) -> bool {
        self.to.keys().any(|name| self.language.functions(name).iter().any(|word| is_so(word.effects)))
    }

    /// Every function that may reach one of the language with some effects, these included.
    pub(crate) fn leading_to(&self, effects: Effects) -> FxHashSet<&'a str> {
        let is_one = |name: &str| self.language.functions(name).iter().any(|word| word.effects.has(effects));
        let roots = self.to.keys().copied().filter(|name| is_one(name)).collect();
        let mut seen = FxHashSet::default();
        spread(roots, &mut seen, |function| self.to(function).map(|call| call.from.name()).collect());
        seen
    }
}

/// What can be reached from some names and was not seen before, nearest first.
fn spread<'a>(roots: Vec<&'a str>, seen: &mut FxHashSet<&'a str>, next: impl Fn(&str) -> Vec<&'a str>) -> Vec<&'a str> {
    let mut reached: Vec<&str> = roots.into_iter().filter(|root| seen.insert(root)).collect();
    let mut at = 0;
    while let Some(function) = reached.get(at).copied() {
        reached.extend(next(function).into_iter().filter(|found| seen.insert(found)));
        at += 1;
    }
    reached
}

/// What a function calls. A call of what a field names, such as `card.play(seat)`, may reach any function that is named there.
fn calls_of<'a>(
    (model, language): (&'a Model, &Language),
    from: Code<'a>,
    trials: &[Supposition<'a>],
) -> Vec<ProgramCall<'a>> {
    let mut calls = Vec::new();
    from.tree.each_node(&mut |node| {
        let Some(name) = called(node) else { return };
        let event = match node {
            Node::Expr(Expr { kind: ExprKind::Call { arguments, .. }, .. }) => language.event(name, arguments),
            _ => None,
        };
        let field = event.unwrap_or(&name.text);
        let fields = model.named_functions.iter().filter(|named| *named.field == *field);
        let mut functions: Vec<&str> = fields.map(|named| &*named.function).collect();
        functions.sort_unstable();
        functions.dedup();
        let (span, is_own) = (name.span, |trial: &&Supposition<'_>| trial.code.name() == from.name());
        let is_tried = trials.iter().filter(is_own).any(|trial| trial.has(span));
        let call = |to, is_triggered| ProgramCall { from, to, span, is_tried, is_triggered };
        calls.extend(functions.into_iter().map(|to| call(to, event.is_some())).chain([call(&*name.text, false)]));
    });
    calls
}

fn trials_of<'a>(language: &Language, code: Code<'a>) -> Vec<Supposition<'a>> {
    let mut trials = Vec::new();
    code.tree.each_node(&mut |node| {
        let Node::Expr(expr) = node else { return };
        let ExprKind::Call { name, arguments } = &expr.kind else { return };
        if language.functions(&name.text).iter().any(|word| word.effects.has(Effects::TRIES)) {
            let closures = arguments.iter().filter(|one| matches!(one.kind, ExprKind::Closure { .. }));
            trials.extend(closures.map(|one| Supposition { code, name: name.span, span: one.span }));
        }
    });
    trials
}

fn called(node: Node<'_>) -> Option<&Name> {
    let Node::Expr(expr) = node else { return None };
    match &expr.kind {
        ExprKind::Call { name, .. } | ExprKind::Method { name, .. } => Some(name),
        _ => None,
    }
}

/// The names of parts that something results in: a map, or a call that takes such names.
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
