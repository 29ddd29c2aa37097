//! Whole-program type inference for rules. The types of parameters come from the flow and from calls, the types of results from the values
//! that functions return, and the types of facts from the game's files.
//!
//! Functions are analyzed repeatedly until no type changes (a fixpoint), and then once more to report mistakes.

mod access;
mod blaming;
mod call;
mod closure;
mod environment;
pub(crate) mod inference;
pub mod inspection;
mod name_checks;
mod narrow;
mod no_return;
mod nothing_checks;
mod nothing_help;
mod operand;
mod operator;
mod place;
mod walk;

use super::program::ParsedFile;
use super::symbols::{DerivedValue, ExpectedReturn, FlowFunction, Symbols};
use super::tallies::tally_names;
use super::types::{ALL_IDS, IdSet, Tags, Type, Types, in_words};
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Place, Severity, Source, drop_repeated};
use crate::library::{CONSIDER, ESTIMATE, Effects, INVARIANT, NameRole, Pattern, RATE};
use crate::model::{Model, PartType, RANK, SCORING};
use crate::syntax::{ExprKind, Function, Span, Statement, StatementKind, each_expr, each_statement};
use inference::{AskedParts, FunctionTypes, Inference, LinkUse, NameTypes, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;
use walk::Walk;

/// The result of type inference for a game's rules: mistakes, and the types needed to check code in playscripts.
pub(crate) struct RuleTypes {
    names: Arc<Symbols<'static>>,
    types: Types,
    functions: Vec<(Arc<str>, AskedParts, Type)>,
    options: FxHashMap<Arc<str>, Type>,
    parts: Vec<Arc<str>>,
    /// The mistakes found.
    pub mistakes: Vec<Diagnostic>,
    /// Effects that calls and assignments in the rules have in every case, as far as static types can show.
    pub acts: Vec<CertainEffect>,
    /// Places where each decision is asked.
    pub asked_at: FxHashMap<Arc<str>, Vec<Place>>,
    /// Uses of fields from which library functions read the two ends of links.
    pub link_uses: Vec<LinkUse>,
}

/// Effects that a call of a library function, or an assignment to a value, has in every case.
pub(crate) struct CertainEffect {
    /// Place of the called or assigned name.
    pub place: Place,
    /// The effects.
    pub effects: Effects,
}

/// Code in a playscript.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    /// Source of the code.
    pub source: &'a Arc<Source>,
    /// Statements of the code.
    pub statements: &'a [Statement],
    /// Names that are known only in playscripts: the names of the players, which stand for seats, and names for the state of the game.
    pub own: &'a [String],
}

impl RuleTypes {
    /// Infers the types in script files, and collects the mistakes.
    pub(crate) fn new(ground: NameTypes, files: &[ParsedFile<'_>]) -> Self {
        let names = ground.names.clone();
        let mut inference = Inference::of_files(ground, files);
        let mistakes = inference.mistakes();
        let functions = inference.functions.iter().map(|known| (known.key.into(), known.asks.clone(), known.result));
        let functions = functions.collect();
        let acts = std::mem::take(&mut inference.acts).into_iter();
        let acts =
            acts.map(|((source, span), effects)| CertainEffect { place: inference.place(source, span), effects });
        let acts = acts.collect();
        let link_uses = std::mem::take(&mut inference.link_uses);
        let asked_at = std::mem::take(&mut inference.asked_at);
        let parts = inference.parts.iter().map(|name| Arc::from(*name));
        // In playscripts, `tallies` has a part for each counter of the rules.
        let counted = tally_names(files.iter().flat_map(|file| &file.tree.functions)).into_iter().flatten();
        let parts = parts.chain(counted).collect();
        let (types, options) = (inference.types, inference.options);
        Self { names, types, functions, options, parts, mistakes, acts, asked_at, link_uses }
    }

    /// Returns whether the types are also valid for a variant of the game: whether the variant has the same names.
    pub(crate) fn holds_for(&self, ground: &NameTypes) -> bool {
        self.names == ground.names
    }

    /// Returns the types that a part of a decision's options has, if none of them is the declared type.
    pub(crate) fn wrong_part(&self, model: &Model, decision: &str, (name, wanted): (&str, PartType)) -> Option<Tags> {
        let option = self.options.get(decision).copied().filter(|option| self.types.is_known(*option))?;
        if self.types.is_open_map(option) {
            return None;
        }
        let shapes = self.types.shapes(option).into_iter().map(|id| self.types.shape(id));
        let parts: Vec<Type> =
            shapes.flat_map(|shape| &shape.parts).filter(|(known, _)| **known == *name).map(|(_, ty)| *ty).collect();
        let (tags, ids): (&[Tag], IdSet) = match wanted {
            PartType::Any => return None,
            PartType::Number => (&[Tag::Number], ALL_IDS),
            PartType::Flag => (&[Tag::Flag], ALL_IDS),
            PartType::Word => (&[Tag::Text], ALL_IDS),
            PartType::Seat => (&[Tag::Seat], ALL_IDS),
            PartType::Component => (&[Tag::Component, Tag::Piece], ALL_IDS),
            PartType::Piece => (&[Tag::Piece], ALL_IDS),
            PartType::Space => (&[Tag::Space], ALL_IDS),
            PartType::Family(family) => (&[Tag::Zone, Tag::Space], self.names.zone_bit(&model.family(family).id)),
            PartType::Kind(kind) => (&[Tag::Component, Tag::Piece], self.names.kind_bit(model, kind)),
        };
        // A part may also be a set of things, or `()`.
        let several = [Tag::List, Tag::Seats, Tag::Zones, Tag::Spaces, Tag::Components, Tag::Pieces, Tag::Nothing];
        let may_fit = |ty: &Type| {
            let fits = |tag: &Tag| {
                let of_tag = self.types.ids_of(*ty, *tag);
                self.types.tags(*ty).has(*tag) && (of_tag == 0 || of_tag & ids != 0)
            };
            let known = self.types.tags(*ty);
            !self.types.is_known(*ty)
                || known.is_empty()
                || tags.iter().any(fits)
                || several.iter().any(|tag| known.has(*tag))
        };
        let given = parts.iter().fold(Tags::NONE, |tags, ty| tags.or(self.types.tags(*ty)));
        (!parts.is_empty() && !parts.iter().any(may_fit)).then_some(given)
    }

    /// Returns the words that options of a decision may contain: as options, or as parts of options.
    pub(crate) fn offered_words(&self, decision: &str) -> Vec<Arc<str>> {
        let Some(option) = self.options.get(decision).copied() else { return Vec::new() };
        let shapes = self.types.shapes(option).into_iter().map(|id| self.types.shape(id));
        let parts = shapes.flat_map(|shape| shape.parts.iter().map(|(_, part)| *part));
        let words = std::iter::once(option).chain(parts).filter_map(|ty| self.types.known_words(ty));
        words.flat_map(|words| words.to_vec()).collect()
    }

    /// Returns the mistakes in playscript code that uses the rules of this game.
    pub(crate) fn mistakes_in(&self, texts: &[Text<'_>]) -> Vec<Diagnostic> {
        let ground = NameTypes { names: self.names.clone(), types: self.types.clone() };
        let mut inference = Inference::with_names(ground);
        inference.options.clone_from(&self.options);
        inference.parts.extend(self.parts.iter().map(|name| &**name));
        for (name, asks, result) in &self.functions {
            inference.add_known_function(name, asks.clone(), *result);
        }
        for text in texts {
            inference.add_text(text);
        }
        inference.run_to_fixpoint();
        inference.mistakes()
    }
}

/// Maximum number of analyses per function, averaged over all functions.
const MAX_AVERAGE_ROUNDS: usize = 12;

impl<'a> Inference<'a> {
    /// Infers the types in script files.
    fn of_files(ground: NameTypes, files: &[ParsedFile<'a>]) -> Self {
        let mut inference = Self::with_names(ground);
        for file in files {
            inference.add(file);
        }
        inference.never_returning = no_return::never_returning(&inference.functions, inference.language);
        inference.find_checks();
        inference.seed();
        inference.run_to_fixpoint();
        inference
    }

    fn add_known_function(&mut self, name: &'a str, asks: AskedParts, result: Type) {
        self.by_key.entry(name).or_insert(self.functions.len());
        self.functions.push(FunctionTypes {
            name,
            key: name,
            source: 0,
            tree: Tree::Known,
            is_called: true,
            is_agent: false,
            params: vec![Type::ANY; asks.len()],
            result,
            callers: BTreeSet::new(),
            asks,
            sets: Vec::new(),
            is_given: false,
            given_options_of: Vec::new(),
        });
    }

    fn add(&mut self, file: &ParsedFile<'a>) {
        let source = self.sources.len();
        self.sources.push(file.source);
        for function in &file.tree.functions {
            self.collect_names(&function.body.statements);
            if file.is_broken(function) {
                self.add_broken(function);
                continue;
            }
            let at = self.functions.len();
            self.by_key.entry(&function.key).or_insert(at);
            self.functions.push(FunctionTypes {
                name: &function.name.text,
                key: &function.key,
                source,
                tree: Tree::Function(function),
                is_called: false,
                is_agent: file.is_agent,
                params: vec![Type::NEVER; function.params.len()],
                result: Type::NEVER,
                callers: BTreeSet::new(),
                asks: vec![Vec::new(); function.params.len()],
                sets: function
                    .params
                    .iter()
                    .map(|param| walk::assigns_to(&function.body.statements, &param.text))
                    .collect(),
                is_given: false,
                given_options_of: Vec::new(),
            });
        }
    }

    /// Adds a function with a syntax error. The function is assumed to return anything, to call any name that it mentions with any
    /// arguments, and to ask any decision that it mentions. Analyzing the part that could be parsed would report consequences of the syntax
    /// error.
    fn add_broken(&mut self, function: &'a Function) {
        // The function is also assumed to check all its parameters for `()`.
        let asks = vec![vec![Arc::from("")]; function.params.len()];
        self.add_known_function(&function.key, asks, Type::ANY);
        each_expr(&function.body.statements, &mut |expr| match &expr.kind {
            ExprKind::OwnCall { key, .. } => self.called_by_broken.push(key),
            ExprKind::Call { name, .. } | ExprKind::Method { name, .. } => self.called_by_broken.push(&name.text),
            ExprKind::Text(text) => _ = self.options.insert(Arc::from(&**text), Type::ANY),
            _ => {}
        });
    }

    /// Records the parts that are assigned to maps that begin empty: `let sums = #{}; sums.total = 0;`.
    fn collect_assigned_parts(&mut self, statements: &'a [Statement]) {
        let mut empty: FxHashSet<&'a str> = FxHashSet::default();
        each_statement(statements, &mut |statement: &'a Statement| match &statement.kind {
            StatementKind::Let { name, value: Some(value), .. } if matches!(&value.kind, ExprKind::Map(parts) if parts.is_empty()) =>
            {
                empty.insert(&name.text);
            }
            StatementKind::Assign { target, .. } => {
                if let ExprKind::Field { receiver: of, name, .. } = &target.kind
                    && matches!(&of.kind, ExprKind::Name(root) if empty.contains(&**root))
                {
                    self.parts.insert(&name.text);
                }
            }
            _ => {}
        });
    }

    /// Records the rule functions that statements call, and the names of the map parts that the statements create.
    fn collect_names(&mut self, statements: &'a [Statement]) {
        self.collect_assigned_parts(statements);
        each_expr(statements, &mut |expr| match &expr.kind {
            ExprKind::OwnCall { key, .. } => drop(self.mentioned.insert(key)),
            ExprKind::Call { name, arguments } => {
                let named =
                    self.language.functions(&name.text).iter().flat_map(|word| word.takes.iter().zip(arguments));
                for (takes, argument) in named {
                    if let (Pattern::Name(NameRole::Part), ExprKind::Text(part)) = (takes, &argument.kind) {
                        self.parts.insert(part);
                    }
                }
            }
            ExprKind::Map(parts) => self.parts.extend(parts.iter().map(|(name, _)| &*name.text)),
            _ => {}
        });
    }

    fn add_text(&mut self, text: &Text<'a>) {
        let source = self.sources.len();
        self.sources.push(text.source);
        self.collect_names(text.statements);
        self.queue.insert(self.functions.len());
        self.functions.push(FunctionTypes {
            name: "",
            key: "",
            source,
            tree: Tree::Text(text.statements, text.own),
            is_called: true,
            is_agent: false,
            params: Vec::new(),
            result: Type::NEVER,
            callers: BTreeSet::new(),
            asks: Vec::new(),
            sets: Vec::new(),
            is_given: false,
            given_options_of: Vec::new(),
        });
    }

    /// Sets the argument types of functions that the flow and the engine call, and queues all functions.
    fn seed(&mut self) {
        for FlowFunction { function, takes_seat, .. } in self.symbols.called().to_vec() {
            self.record_engine_call(&function, if takes_seat { &[Type::SEAT] } else { &[] });
        }
        for DerivedValue { function, given, .. } in self.symbols.derived().to_vec() {
            self.record_engine_call(&function, given.as_slice());
        }
        let scored = self.symbols.score_argument_type(&mut self.types);
        for name in SCORING {
            self.record_engine_call(name, &[scored]);
        }
        let invariants: Vec<&str> = self.functions.iter().map(|known| known.name).collect();
        for name in invariants.into_iter().filter(|name| name.starts_with(INVARIANT)) {
            self.record_engine_call(name, &[]);
        }
        if let Some(decision) = self.symbols.trigger_choice().cloned() {
            let piece = self.types.thing(Tag::Piece, ALL_IDS);
            let option = self.types.map(vec![("piece".into(), piece), ("effect".into(), Type::TEXT)], None);
            self.options.insert(decision, option);
        }
        for name in std::mem::take(&mut self.called_by_broken) {
            if let Some(at) = self.by_key.get(name).copied() {
                let anything = vec![Type::ANY; self.functions[at].params.len()];
                self.record_call(at, &anything);
            }
        }
        self.queue.extend(0..self.functions.len());
    }

    /// Records that the engine calls a function with arguments of these types.
    fn record_engine_call(&mut self, name: &str, arguments: &[Type]) {
        if let Some(at) = self.by_key.get(name).copied() {
            self.record_call(at, arguments);
            self.functions[at].is_given = true;
        }
    }

    /// Records a call by the engine that passes a seat and an option of a decision.
    fn give_option(&mut self, name: &str, decision: &str, option: Type) {
        if let Some(at) = self.by_key.get(name).copied() {
            self.record_call(at, &[Type::SEAT, option]);
            self.record_options_of(at, decision);
        }
    }

    fn record_options_of(&mut self, at: usize, decision: &str) {
        let known = &mut self.functions[at].given_options_of;
        if known.iter().all(|other| **other != *decision) {
            known.push(decision.into());
        }
    }

    fn record_call(&mut self, at: usize, arguments: &[Type]) {
        let known = &mut self.functions[at];
        // Calls with a wrong number of arguments are reported in `calls.rs`.
        if known.params.len() != arguments.len() || matches!(known.tree, Tree::Known) {
            return;
        }
        let mut changed = !std::mem::replace(&mut known.is_called, true);
        for (param, argument) in known.params.iter_mut().zip(arguments) {
            let joined = self.types.join(*param, *argument);
            changed |= std::mem::replace(param, joined) != joined;
        }
        if changed {
            self.queue.insert(at);
        }
    }

    /// Analyzes functions until no type changes.
    fn run_to_fixpoint(&mut self) {
        let mut agents_pending = self.functions.iter().any(|known| known.is_agent);
        // Functions before these indices need not be looked at again: a function that has been called or mentioned stays so.
        let (mut next_unmentioned, mut next) = (0, 0);
        loop {
            self.process_queue();
            if self.give_options() {
                continue;
            }
            // A function without known calls may be called with any arguments. Functions that are not called anywhere come first, because
            // they may call the others.
            let is_left = |known: &FunctionTypes<'_>| !(known.is_called || agents_pending && known.is_agent);
            let is_unmentioned = |known: &FunctionTypes<'_>| is_left(known) && !self.mentioned.contains(known.key);
            next_unmentioned = self.first_from(next_unmentioned, is_unmentioned);
            next = self.first_from(next, is_left);
            let at = if next_unmentioned < self.functions.len() { next_unmentioned } else { next };
            if at == self.functions.len() {
                if std::mem::take(&mut agents_pending) {
                    (next_unmentioned, next) = (0, 0);
                    self.give_agent_arguments();
                    continue;
                }
                return;
            }
            let anything = vec![Type::ANY; self.functions[at].params.len()];
            self.record_call(at, &anything);
        }
    }

    /// Returns the index of the first function from `start` on that satisfies a condition, or the number of functions.
    fn first_from(&self, start: usize, is_wanted: impl Fn(&FunctionTypes<'_>) -> bool) -> usize {
        let found = self.functions[start..].iter().position(is_wanted);
        found.map_or(self.functions.len(), |after| start + after)
    }

    /// Analyzes queued functions until the queue is empty. Gives up after too many analyses.
    fn process_queue(&mut self) {
        let most = MAX_AVERAGE_ROUNDS * self.functions.len().max(1);
        let mut rounds = 0;
        while let Some(at) = self.queue.pop_last() {
            rounds += 1;
            // Types only grow, but they can grow in a very large number of steps.
            if rounds > most {
                return self.give_up();
            }
            if self.functions[at].is_called {
                self.analyze(at, false);
            }
        }
    }

    /// Records the calls of the functions that compute costs and rate options, for decisions whose options are known.
    /// Returns whether any function has to be analyzed again.
    fn give_options(&mut self) -> bool {
        for (decision, function) in self.symbols.automas().to_vec() {
            if let Some(option) = self.options.get(&*decision).copied() {
                self.give_option(&function, &decision, option);
            }
        }
        for (decision, function) in self.symbols.costs().to_vec() {
            if let Some(option) = self.options.get(&*decision).copied() {
                let option = self.types.without_nothing(option);
                self.give_option(&function, &decision, option);
            }
        }
        !self.queue.is_empty()
    }

    /// Records the engine's calls of agents' functions, which consider a decision, rate its options, or estimate positions.
    fn give_agent_arguments(&mut self) {
        let agents = self.functions.iter().enumerate().filter(|(_, known)| known.is_agent);
        let agents: Vec<(usize, &'a str, usize)> =
            agents.map(|(at, known)| (at, known.name, known.params.len())).collect();
        for &(at, name, arity) in &agents {
            if name.starts_with(CONSIDER) {
                self.record_call(at, &[Type::SEAT, Type::ANY][..arity.min(2)]);
            } else if name == ESTIMATE {
                let scored = self.symbols.score_argument_type(&mut self.types);
                self.record_call(at, &[scored]);
            }
        }
        self.process_queue();
        for (at, name, arity) in agents {
            let Some(decision) = name.strip_prefix(RATE) else { continue };
            let option = self.options.get(decision).copied().unwrap_or(Type::ANY);
            let considered = self.by_key.get(&*format!("{CONSIDER}{decision}")).map(|at| self.functions[*at].result);
            // The facts that are passed with the question may have any type.
            let all = [Type::SEAT, option, considered.unwrap_or(Type::ANY), Type::ANY];
            self.record_call(at, &all[..arity.min(4)]);
            self.record_options_of(at, decision);
        }
    }

    /// Sets the types of all parameters and results to unknown, because they keep changing.
    fn give_up(&mut self) {
        for known in &mut self.functions {
            known.params.fill(Type::ANY);
            known.result = Type::ANY;
        }
        self.queue.clear();
    }

    fn analyze(&mut self, at: usize, reports: bool) {
        let result = Walk::new(self, at, reports).function();
        let known = &mut self.functions[at];
        let joined = self.types.join(known.result, result);
        if joined != known.result {
            known.result = joined;
            let callers = known.callers.clone();
            self.queue.extend(callers);
        }
    }

    /// Analyzes every function once more and returns the mistakes.
    fn mistakes(&mut self) -> Vec<Diagnostic> {
        for at in 0..self.functions.len() {
            if matches!(self.functions[at].tree, Tree::Known) {
                continue;
            }
            self.analyze(at, true);
            self.check_result(at, false);
        }
        // A wrong part of a result often comes from another function's wrong result. Parts are therefore checked only if all results have
        // the right type.
        if !self.found.iter().any(|found| found.code == "wrong-result") {
            for at in 0..self.functions.len() {
                self.check_result(at, true);
            }
        }
        self.report_blames();
        drop_repeated(std::mem::take(&mut self.found))
    }

    /// Checks the return type of a function that the flow or the engine calls. If `is_within` is set, checks the
    /// entries and parts of the returned list or map instead.
    fn check_result(&mut self, at: usize, is_within: bool) {
        let known = &self.functions[at];
        let wanted_of =
            self.symbols.called().iter().find(|called| *called.function == *known.key).map(|called| called.wanted);
        let is_asked = known.is_agent && (known.name.starts_with(RATE) || known.name == ESTIMATE);
        // The allowed tags of the result, and the allowed tags of its entries and parts if it is a list or map.
        let (tags, within, wanted, help): (&[Tag], &[Tag], _, _) = match wanted_of {
            Some(ExpectedReturn::Flag) => (&[Tag::Flag], &[], "yes or no", "end it with a comparison"),
            Some(ExpectedReturn::Order) => (
                &[Tag::Seats, Tag::List],
                &[Tag::Seat],
                "seats in order",
                "give a list of seats, such as `turn_order()`",
            ),
            Some(ExpectedReturn::Scenario) => (
                &[Tag::Text, Tag::Nothing],
                &[],
                "a scenario",
                "give one of the words of the campaign's option, or `()` where the campaign is over",
            ),
            None if known.key == RANK => (
                &[Tag::Number, Tag::List],
                &[Tag::Number, Tag::Map, Tag::List],
                "a number or a list of numbers",
                "give the numbers to compare, most important first, larger is better; with a name as `[total, #{ cash: 3 }]`",
            ),
            None if SCORING.contains(&known.key) => (
                &[Tag::Number, Tag::Map, Tag::List],
                &[Tag::Number, Tag::Map, Tag::List],
                "a number or a map of numbers",
                "give a number, or its parts as `#{ cash: 3, bonus: 2 }`; a part may be calculated as `[[3, 4], 5]`, which is 3 × 4 + 5",
            ),
            // An invariant that uses `ensure` may return `()`.
            None if known.name.starts_with(INVARIANT) && !known.is_agent => {
                (&[Tag::Flag, Tag::Nothing], &[], "yes or no", "end it with a comparison")
            }
            None if self.symbols.costs().iter().any(|(_, function)| **function == *known.key) => (
                &[Tag::Number, Tag::Map, Tag::Nothing],
                &[Tag::Number, Tag::Nothing],
                "a number or a map of numbers",
                "give a number, its parts as `#{ due: 3, actions: 1 }`, or `()` where there is nothing to say",
            ),
            None if self.symbols.derived().iter().any(|derived| *derived.function == *known.key) => (
                &[Tag::Number, Tag::Nothing],
                &[],
                "a number",
                "give the number that is shown, or `()` where there is nothing to show",
            ),
            None if is_asked || self.symbols.automas().iter().any(|(_, function)| **function == *known.key) => {
                (&[Tag::Number], &[], "a number", "return how good it is: more is better")
            }
            _ => return,
        };
        let Tree::Function(function) = known.tree else { return };
        let (name, result, place) = (known.name, known.result, self.place(known.source, function.name.span));
        let bad = self.disallowed(result, tags);
        let returned = if is_within {
            let mut inside = self
                .types
                .entries(result)
                .into_iter()
                .map(|entries| ("a list with an entry", entries))
                .collect::<Vec<_>>();
            for shape in self.types.shapes(result) {
                inside.extend(self.types.shape(shape).parts.iter().map(|(_, part)| ("a map with a part", *part)));
            }
            inside.into_iter().find_map(|(what, of)| {
                let bad = self.disallowed(of, within);
                (!bad.is_empty()).then(|| format!("{what} that is {}", in_words(bad)))
            })
        } else {
            (!bad.is_empty()).then(|| in_words(bad))
        };
        // A word that is not a scenario would end the campaign with an error.
        let unknown = || {
            let words = self.types.known_words(result).filter(|_| wanted_of == Some(ExpectedReturn::Scenario))?;
            let unknown = words.iter().find(|word| !self.symbols.scenarios().contains(word))?;
            Some(format!("`{unknown}`"))
        };
        if let Some(returned) = returned.or_else(unknown) {
            let found = super::mistakes::wrong_result(name, &returned, wanted, help, place);
            let nothing = (bad == Tags::new(&[Tag::Nothing])).then(|| empty_return(function)).flatten();
            let found = match nothing {
                Some(span) => found.mark(self.place(known.source, span), "returns `()` here"),
                None => found,
            };
            let is_certain = is_within || bad.is_empty() || self.types.tags(result).without(bad).is_empty();
            self.found.push(if is_certain { found } else { Diagnostic { severity: Severity::Warning, ..found } });
        }
    }

    /// Returns the tags of a type that are certain mistakes because they are not among the allowed ones.
    fn disallowed(&self, ty: Type, allowed: &[Tag]) -> Tags {
        self.types.certain_mistakes(ty, self.types.tags(ty).without(Tags::new(allowed)))
    }
}

/// Returns the first `return` without a value in a function, outside the functions `|…|` in it.
fn empty_return(function: &Function) -> Option<Span> {
    let mut closures: Vec<Span> = Vec::new();
    each_expr(&function.body.statements, &mut |expr| {
        if matches!(expr.kind, ExprKind::Closure { .. }) {
            closures.push(expr.span);
        }
    });
    let mut found = None;
    each_statement(&function.body.statements, &mut |statement| {
        let is_inside = |closure: &Span| closure.range().contains(&statement.span.range().start);
        if matches!(statement.kind, StatementKind::Return(None)) && !closures.iter().any(is_inside) {
            found = found.or(Some(statement.span));
        }
    });
    found
}
