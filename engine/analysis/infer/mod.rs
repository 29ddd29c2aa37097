//! The types of all expressions of some rules, over the whole program: parameters from the flow and the calls, results from
//! what functions end in, facts from the game's files.
//!
//! Functions are iterated until nothing changes any more (a fixpoint), and then once more for what is wrong.

mod access;
mod blaming;
mod call;
mod closure;
mod environment;
pub(crate) mod inference;
#[cfg(feature = "system")]
pub(crate) mod inspection;
mod named;
mod narrow;
mod nothing;
mod operator;
mod place;
mod question;
mod walk;

use super::program::Read;
use super::symbols::{Called, DerivedBy, Symbols, Wanted};
use super::tallies::counted;
use super::types::{EVERY, Tags, Type, Types, in_words};
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::{CONSIDER, ESTIMATE, Effects, INVARIANT, NameRole, Pattern, RATE};
use crate::model::{RANK, SCORING};
use crate::syntax::{ExprKind, Function, Statement, StatementKind, each_expr, each_statement};
use inference::{AskedParts, FunctionTypes, Ground, Inference, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;
use walk::Walk;

/// Rules that have been inferred: what is wrong in them, and what texts beside them go by.
pub(crate) struct Settled {
    names: Arc<Symbols<'static>>,
    types: Types,
    functions: Vec<(Arc<str>, AskedParts, Type)>,
    options: FxHashMap<Arc<str>, Type>,
    parts: Vec<Arc<str>>,
    /// What is wrong.
    pub mistakes: Vec<Diagnostic>,
    /// What its rules do, as types show.
    pub acts: Vec<Act>,
}

/// What is done at a place for certain: by a call of the library, or where a value is set.
pub(crate) struct Act {
    /// The name of what is called or set.
    pub place: Place,
    /// What that does.
    pub effects: Effects,
}

/// A text of a play that is inferred.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    /// The text.
    pub source: &'a Arc<Source>,
    /// Its statements.
    pub statements: &'a [Statement],
    /// What stands for something in it alone: the names of the players, each of which is a seat, and how the game stands.
    pub own: &'a [String],
}

impl Settled {
    /// Goes through the files of some rules.
    pub(crate) fn new(ground: Ground, files: &[Read<'_>]) -> Self {
        let names = ground.names.clone();
        let mut inference = Inference::of_files(ground, files);
        let mistakes = inference.mistakes();
        let functions = inference.functions.iter().map(|known| (known.name.into(), known.asks.clone(), known.result));
        let functions = functions.collect();
        let acts = std::mem::take(&mut inference.acts).into_iter();
        let acts = acts.map(|((source, span), effects)| Act { place: inference.place(source, span), effects });
        let acts = acts.collect();
        let parts = inference.parts.iter().map(|name| Arc::from(*name));
        // In a play `tallies` has what the rules count by.
        let counted = counted(files.iter().flat_map(|file| &file.tree.functions)).into_iter().flatten();
        let parts = parts.chain(counted).collect();
        Self { names, functions, parts, types: inference.types, options: inference.options, mistakes, acts }
    }

    /// Whether it holds for the names of a variant of the game too.
    pub(crate) fn holds_for(&self, ground: &Ground) -> bool {
        self.names == ground.names
    }

    /// What is wrong in texts of a play beside these rules.
    pub(crate) fn mistakes_in(&self, texts: &[Text<'_>]) -> Vec<Diagnostic> {
        let ground = Ground { names: self.names.clone(), types: self.types.clone() };
        let mut inference = Inference::on(ground);
        inference.options.clone_from(&self.options);
        inference.parts.extend(self.parts.iter().map(|name| &**name));
        for (name, asks, result) in &self.functions {
            inference.add_settled(name, asks.clone(), *result);
        }
        for text in texts {
            inference.add_text(text);
        }
        inference.settle();
        inference.mistakes()
    }
}

/// How often functions are iterated at most, on average.
const MOST_ROUNDS: usize = 12;

impl<'a> Inference<'a> {
    /// Infers the types of some files.
    fn of_files(ground: Ground, files: &[Read<'a>]) -> Self {
        let mut inference = Self::on(ground);
        for file in files {
            inference.add(file);
        }
        inference.note_questions();
        inference.seed();
        inference.settle();
        inference
    }

    fn add_settled(&mut self, name: &'a str, asks: AskedParts, result: Type) {
        self.by_name.entry(name).or_insert(self.functions.len());
        self.functions.push(FunctionTypes {
            name,
            source: 0,
            tree: Tree::Settled,
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

    fn add(&mut self, file: &Read<'a>) {
        let source = self.sources.len();
        self.sources.push(file.source);
        for function in &file.tree.functions {
            self.read(&function.body.statements);
            if file.is_broken(function) {
                self.add_broken(function);
                continue;
            }
            let at = self.functions.len();
            self.by_name.entry(&function.name.text).or_insert(at);
            self.functions.push(FunctionTypes {
                name: &function.name.text,
                source,
                tree: Tree::Function(function),
                is_called: false,
                is_agent: file.is_agent,
                params: vec![Type::NEVER; function.params.len()],
                result: Type::NEVER,
                callers: BTreeSet::new(),
                asks: vec![Vec::new(); function.params.len()],
                sets: function.params.iter().map(|param| walk::sets(&function.body.statements, &param.text)).collect(),
                is_given: false,
                given_options_of: Vec::new(),
            });
        }
    }

    /// Adds a function that could not be read whole: it may return anything, call what it names with anything, and ask anything. What was
    /// read of it would show mistakes elsewhere that are none.
    fn add_broken(&mut self, function: &'a Function) {
        // It may ask for anything too.
        let asks = vec![vec![Arc::from("")]; function.params.len()];
        self.add_settled(&function.name.text, asks, Type::ANY);
        each_expr(&function.body.statements, &mut |expr| match &expr.kind {
            ExprKind::Call { name, .. } | ExprKind::Method { name, .. } => self.called_by_broken.push(&name.text),
            ExprKind::Text(text) => _ = self.options.insert(Arc::from(&**text), Type::ANY),
            _ => {}
        });
    }

    /// Notes the parts that are set of maps which begin without any: `let sums = #{}; sums.total = 0;`.
    fn read_set_parts(&mut self, statements: &'a [Statement]) {
        let mut empty: FxHashSet<&'a str> = FxHashSet::default();
        each_statement(statements, &mut |statement: &'a Statement| match &statement.kind {
            StatementKind::Let { name, value: Some(value), .. } if matches!(&value.kind, ExprKind::Map(parts) if parts.is_empty()) =>
            {
                empty.insert(&name.text);
            }
            StatementKind::Assign { target, .. } => {
                if let ExprKind::Field { of, name, .. } = &target.kind
                    && matches!(&of.kind, ExprKind::Name(root) if empty.contains(&**root))
                {
                    self.parts.insert(&name.text);
                }
            }
            _ => {}
        });
    }

    /// Notes what statements call, and the parts that they give names to.
    fn read(&mut self, statements: &'a [Statement]) {
        self.read_set_parts(statements);
        each_expr(statements, &mut |expr| match &expr.kind {
            ExprKind::Call { name, arguments } => {
                self.mentioned.insert(&name.text);
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
        self.read(text.statements);
        self.waiting.insert(self.functions.len());
        self.functions.push(FunctionTypes {
            name: "",
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

    /// What the flow and the engine call, and functions nobody is known to call.
    fn seed(&mut self) {
        for Called { function, takes_seat, .. } in self.symbols.called().to_vec() {
            self.give(&function, if takes_seat { &[Type::SEAT] } else { &[] });
        }
        for DerivedBy { function, given, .. } in self.symbols.derived().to_vec() {
            self.give(&function, given.as_slice());
        }
        let scored = self.symbols.scored(&mut self.types);
        for name in SCORING {
            self.give(name, &[scored]);
        }
        let invariants: Vec<&str> = self.functions.iter().map(|known| known.name).collect();
        for name in invariants.into_iter().filter(|name| name.starts_with(INVARIANT)) {
            self.give(name, &[]);
        }
        if let Some(decision) = self.symbols.trigger_choice().cloned() {
            let piece = self.types.thing(Tag::Piece, EVERY);
            let option = self.types.map(vec![("piece".into(), piece), ("effect".into(), Type::TEXT)], None);
            self.options.insert(decision, option);
        }
        for name in std::mem::take(&mut self.called_by_broken) {
            if let Some(at) = self.by_name.get(name).copied() {
                let anything = vec![Type::ANY; self.functions[at].params.len()];
                self.given(at, &anything);
            }
        }
        self.waiting.extend(0..self.functions.len());
    }

    /// The engine calls a function with some arguments.
    fn give(&mut self, name: &str, arguments: &[Type]) {
        if let Some(at) = self.by_name.get(name).copied() {
            self.given(at, arguments);
            self.functions[at].is_given = true;
        }
    }

    /// A function is called with a seat and what it may choose in a decision.
    fn give_option(&mut self, name: &str, decision: &str, option: Type) {
        if let Some(at) = self.by_name.get(name).copied() {
            self.given(at, &[Type::SEAT, option]);
            self.note_options_of(at, decision);
        }
    }

    fn note_options_of(&mut self, at: usize, decision: &str) {
        let known = &mut self.functions[at].given_options_of;
        if known.iter().all(|other| **other != *decision) {
            known.push(decision.into());
        }
    }

    fn given(&mut self, at: usize, arguments: &[Type]) {
        let known = &mut self.functions[at];
        if known.params.len() != arguments.len() || matches!(known.tree, Tree::Settled) {
            return;
        }
        let mut changed = !std::mem::replace(&mut known.is_called, true);
        for (param, argument) in known.params.iter_mut().zip(arguments) {
            let joined = self.types.join(*param, *argument);
            changed |= std::mem::replace(param, joined) != joined;
        }
        if changed {
            self.waiting.insert(at);
        }
    }

    /// Goes through functions until nothing changes.
    fn settle(&mut self) {
        let mut asks_agents = self.functions.iter().any(|known| known.is_agent);
        loop {
            self.calm();
            if self.ask_costs() {
                continue;
            }
            // What nobody calls may be called with anything; and then what only such functions call.
            let all = self.functions.iter().enumerate();
            let mut left = all.filter(|(_, known)| !(known.is_called || asks_agents && known.is_agent)).peekable();
            let first = left.peek().map(|(at, _)| *at);
            let by_nobody = left.find(|(_, known)| !self.mentioned.contains(known.name)).map(|(at, _)| at);
            let Some(at) = by_nobody.or(first) else {
                if std::mem::take(&mut asks_agents) {
                    self.ask_agents();
                    continue;
                }
                return;
            };
            let anything = vec![Type::ANY; self.functions[at].params.len()];
            self.given(at, &anything);
        }
    }

    /// Iterates what has to be iterated again.
    fn calm(&mut self) {
        let most = MOST_ROUNDS * self.functions.len().max(1);
        let mut rounds = 0;
        while let Some(at) = self.waiting.pop_last() {
            rounds += 1;
            if rounds > most {
                return self.give_up();
            }
            if self.functions[at].is_called {
                self.go_through(at, false);
            }
        }
    }

    /// What the options of decisions cost is asked of functions, as far as it is known what options there are; says whether one
    /// is asked for more than it was.
    fn ask_costs(&mut self) -> bool {
        for (decision, function) in self.symbols.automas().to_vec() {
            if let Some(option) = self.options.get(&*decision).copied() {
                self.give_option(&function, &decision, option);
            }
        }
        for (decision, function) in self.symbols.costs().to_vec() {
            if let Some(option) = self.options.get(&*decision).copied() {
                let option = self.types.there(option);
                self.give_option(&function, &decision, option);
            }
        }
        !self.waiting.is_empty()
    }

    /// What agents are asked: how good the options of a decision are, and what a position is worth.
    fn ask_agents(&mut self) {
        let agents = self.functions.iter().enumerate().filter(|(_, known)| known.is_agent);
        let agents: Vec<(usize, &'a str, usize)> =
            agents.map(|(at, known)| (at, known.name, known.params.len())).collect();
        for &(at, name, arity) in &agents {
            if name.starts_with(CONSIDER) {
                self.given(at, &[Type::SEAT, Type::ANY][..arity.min(2)]);
            } else if name == ESTIMATE {
                let scored = self.symbols.scored(&mut self.types);
                self.given(at, &[scored]);
            }
        }
        self.calm();
        for (at, name, arity) in agents {
            let Some(decision) = name.strip_prefix(RATE) else { continue };
            let option = self.options.get(decision).copied().unwrap_or(Type::ANY);
            let considered = self.by_name.get(&*format!("{CONSIDER}{decision}")).map(|at| self.functions[*at].result);
            // The facts that the question was asked with are of any type.
            let all = [Type::SEAT, option, considered.unwrap_or(Type::ANY), Type::ANY];
            self.given(at, &all[..arity.min(4)]);
            self.note_options_of(at, decision);
        }
    }

    /// Nothing is known where types go on changing.
    fn give_up(&mut self) {
        for known in &mut self.functions {
            known.params.fill(Type::ANY);
            known.result = Type::ANY;
        }
        self.waiting.clear();
    }

    fn go_through(&mut self, at: usize, tells: bool) {
        let result = Walk::new(self, at, tells).function();
        let known = &mut self.functions[at];
        let joined = self.types.join(known.result, result);
        if joined != known.result {
            known.result = joined;
            let callers = known.callers.clone();
            self.waiting.extend(callers);
        }
    }

    /// What is wrong, found by going through everything once more.
    fn mistakes(&mut self) -> Vec<Diagnostic> {
        for at in 0..self.functions.len() {
            if matches!(self.functions[at].tree, Tree::Settled) {
                continue;
            }
            self.go_through(at, true);
            self.check_result(at, false);
        }
        // What is wrong within a result may be another function's result.
        if !self.found.iter().any(|found| found.code == "wrong-result") {
            for at in 0..self.functions.len() {
                self.check_result(at, true);
            }
        }
        self.settle_blame();
        let mut found: Vec<Diagnostic> = Vec::new();
        for one in std::mem::take(&mut self.found) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
        found
    }

    /// What the flow and the engine want a function to result in, or what lists and maps that it results in are to hold.
    fn check_result(&mut self, at: usize, is_within: bool) {
        let known = &self.functions[at];
        let wanted_of =
            self.symbols.called().iter().find(|called| *called.function == *known.name).map(|called| called.wanted);
        let is_asked = known.is_agent && (known.name.starts_with(RATE) || known.name == ESTIMATE);
        // What it may be, and what may be in a list or map that it is.
        let (tags, within, wanted, help): (&[Tag], &[Tag], _, _) = match wanted_of {
            Some(Wanted::Flag) => (&[Tag::Flag], &[], "yes or no", "end it with a comparison"),
            Some(Wanted::Order) => (
                &[Tag::Seats, Tag::List],
                &[Tag::Seat],
                "seats in order",
                "give a list of seats, such as `turn_order()`",
            ),
            Some(Wanted::Scenario) => (
                &[Tag::Text, Tag::Nothing],
                &[],
                "a scenario",
                "give one of the words of the campaign's option, or `()` where the campaign is over",
            ),
            None if known.name == RANK => (
                &[Tag::Number, Tag::Map, Tag::List],
                &[Tag::Number, Tag::Map, Tag::List],
                "a number or a list of numbers",
                "give the numbers to compare, most important first, larger is better; with a name as `[total, #{ cash: 3 }]`",
            ),
            None if SCORING.contains(&known.name) => (
                &[Tag::Number, Tag::Map, Tag::List],
                &[Tag::Number, Tag::Map, Tag::List],
                "a number or a map of numbers",
                "give a number, or its parts as `#{ cash: 3, bonus: 2 }`; a part may be calculated as `[[3, 4], 5]`, which is 3 × 4 + 5",
            ),
            // One that says what is wrong with `ensure` returns nothing.
            None if known.name.starts_with(INVARIANT) && !known.is_agent => {
                (&[Tag::Flag, Tag::Nothing], &[], "yes or no", "end it with a comparison")
            }
            None if self.symbols.costs().iter().any(|(_, function)| **function == *known.name) => (
                &[Tag::Number, Tag::Map, Tag::Nothing],
                &[Tag::Number, Tag::Nothing],
                "a number or a map of numbers",
                "give a number, its parts as `#{ due: 3, actions: 1 }`, or `()` where there is nothing to say",
            ),
            None if self.symbols.derived().iter().any(|derived| *derived.function == *known.name) => (
                &[Tag::Number, Tag::Nothing],
                &[],
                "a number",
                "give the number that is shown, or `()` where there is nothing to show",
            ),
            None if is_asked || self.symbols.automas().iter().any(|(_, function)| **function == *known.name) => {
                (&[Tag::Number], &[], "a number", "return how good it is: more is better")
            }
            _ => return,
        };
        let Tree::Function(function) = known.tree else { return };
        let (name, result, place) = (known.name, known.result, self.place(known.source, function.name.span));
        let bad = self.not_among(result, tags);
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
                let bad = self.not_among(of, within);
                (!bad.is_empty()).then(|| format!("{what} that is {}", in_words(bad)))
            })
        } else {
            (!bad.is_empty()).then(|| in_words(bad))
        };
        // Of a word that is none of the scenarios nothing follows.
        let unknown = || {
            let words = self.types.known_words(result).filter(|_| wanted_of == Some(Wanted::Scenario))?;
            let unknown = words.iter().find(|word| !self.symbols.scenarios().contains(word))?;
            Some(format!("`{unknown}`"))
        };
        if let Some(returned) = returned.or_else(unknown) {
            self.found.push(super::mistakes::wrong_result(name, &returned, wanted, help, place));
        }
    }

    /// What a type certainly is that is not among some.
    fn not_among(&self, of: Type, tags: &[Tag]) -> Tags {
        self.types.wrong(of, self.types.tags(of).but(Tags::of(tags)))
    }
}
