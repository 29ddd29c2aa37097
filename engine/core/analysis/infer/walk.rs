//! Type analysis of one function: statements, expressions and closures. Loops are analyzed until no type changes.

use super::super::blame::Blame;
use super::super::mistakes;
use super::super::names::{PHASE, STANDING};
use super::super::types::{Tags, Type, Types, one_of};
use super::environment::{Environment, Question, Variable, root_of};
use super::inference::{Inference, Tree};
use super::operand::Operand;
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::library::Effects;
use crate::syntax::{
    Block, Case, Expr, ExprId, ExprKind, Segment, Span, Statement, StatementKind, UnaryOp, each_statement,
};
use rustc_hash::FxHashMap;

/// Maximum number of assigned values that a warning marks.
const MAX_VALUES: usize = 4;

/// A loop being analyzed.
struct LoopState<'a> {
    /// Knowledge at each `break` so far.
    exits: Vec<Environment<'a>>,
    /// Knowledge at each `continue` so far.
    next: Vec<Environment<'a>>,
    /// Type of the loop's value.
    value: Type,
}

/// A loop that has been analyzed until no type changed.
struct AnalyzedLoop<'a> {
    /// Knowledge before the first iteration.
    enters: Environment<'a>,
    iteration_variables: Vec<Variable<'a>>,
    /// Knowledge at the start of each iteration.
    start: Environment<'a>,
}

/// Maximum number of times that a loop is analyzed to find stable types.
const MAX_LOOP_ROUNDS: usize = 6;

/// Maximum size of the loops that are analyzed repeatedly within one function, in bytes of source code, summed over all rounds. In all
/// further loops, variables have unknown types. This limits the time for deeply nested loops.
const MAX_LOOP_BYTES: usize = 2_000_000;

/// Analysis of one function.
pub(super) struct Walk<'i, 'a> {
    pub(super) inference: &'i mut Inference<'a>,
    /// Index of the function.
    pub(super) at: usize,
    pub(super) source: usize,
    /// Whether mistakes are reported.
    pub(super) reports: bool,
    pub(super) env: Environment<'a>,
    /// Whether the effects of checks for `()` are ignored, so that a checked value keeps `()` as a possible type.
    pub(super) is_raw: bool,
    /// Joined type of all `return` statements so far.
    returns: Type,
    loops: Vec<LoopState<'a>>,
    /// Cached results of analyzed loops, by the id of the loop expression.
    analyzed_loops: FxHashMap<ExprId, AnalyzedLoop<'a>>,
    /// Spans of `switch` expressions that do not cover all possible values.
    pub(super) open_switches: Vec<Span>,
    /// Size of the loops that have been analyzed so far, in bytes of source code, summed over all rounds.
    iterated_bytes: usize,
}

impl<'i, 'a> Walk<'i, 'a> {
    pub(super) fn new(inference: &'i mut Inference<'a>, at: usize, reports: bool) -> Self {
        let source = inference.functions[at].source;
        let env = Environment::default();
        Self {
            inference,
            at,
            source,
            reports,
            env,
            is_raw: false,
            returns: Type::NEVER,
            loops: Vec::new(),
            analyzed_loops: FxHashMap::default(),
            open_switches: Vec::new(),
            iterated_bytes: 0,
        }
    }

    /// Analyzes the function and returns the type of its result.
    pub(super) fn function(mut self) -> Type {
        let known = &self.inference.functions[self.at];
        let statements = match known.tree {
            Tree::Function(function) => {
                let params = function.params.iter().zip(&known.params).zip(&known.sets).enumerate();
                let variable = |(at, ((name, ty), assigns_to)): (usize, ((&'a crate::syntax::Name, &Type), &bool))| {
                    Variable { param: Some(at).filter(|_| !assigns_to), ..Variable::new(&name.text, *ty) }
                };
                self.env.variables = params.map(variable).collect();
                &function.body.statements[..]
            }
            Tree::Known => return known.result,
            Tree::Text(statements, own) => {
                let phase = self.types().join(Type::TEXT, Type::NOTHING);
                let type_of = |name: &str| match name {
                    PHASE => phase,
                    name if STANDING.contains(&name) => Type::ANY,
                    _ => Type::SEAT,
                };
                self.env.variables = own.iter().map(|name| Variable::new(name, type_of(name))).collect();
                statements
            }
        };
        let value = self.statements(statements);
        self.inference.types.join(self.returns, value)
    }

    pub(super) fn types(&mut self) -> &mut Types {
        &mut self.inference.types
    }

    pub(super) fn tags(&self, ty: Type) -> Tags {
        self.inference.types.tags(ty)
    }

    pub(super) fn place(&self, span: Span) -> Place {
        self.inference.place(self.source, span)
    }

    pub(super) fn text(&self, span: Span) -> &'a str {
        let source: &'a crate::diagnostic::Source = self.inference.sources[self.source];
        source.text.get(span.range()).unwrap_or_default()
    }

    /// Returns whether all possible values of an expression have a tag in `bad`, so that the statement fails whenever it runs.
    fn is_certain(&mut self, expr: &'a Expr, bad: Tags) -> bool {
        let ty = self.type_without_reports(expr);
        // If an expression is checked for `()` elsewhere, `()` is assumed not to occur here.
        let nothing = if bad.has(Tag::Nothing) { Tags::NONE } else { Tags::new(&[Tag::Nothing]) };
        let all = self.tags(ty);
        // For a list or a function, `bad` describes the entries or the result.
        all.and(bad).is_empty() || all.without(bad).without(nothing).is_empty()
    }

    /// Turns a mistake into a warning, because only some possible values of the expression cause it. If the expression is a variable other
    /// than a parameter, marks values that are assigned to it earlier in the function.
    fn weaken_to_warning(&self, expr: &'a Expr, found: Diagnostic) -> Diagnostic {
        let mut found = Diagnostic { severity: Severity::Warning, ..found };
        let ExprKind::Name(name) = &expr.kind else { return found };
        let Some(variable) = self.env.find(name).map(|at| self.env.variables[at]) else { return found };
        if variable.param.is_some() {
            return found;
        }
        for span in self.values_of(name).into_iter().filter(|span| span.start < expr.span.start).take(MAX_VALUES) {
            found = found.mark(self.place(span), "one of its values");
        }
        found
    }

    /// Returns the spans of the values that a function assigns to a variable.
    fn values_of(&self, name: &str) -> Vec<Span> {
        let Tree::Function(function) = self.inference.functions[self.at].tree else { return Vec::new() };
        let mut values = Vec::new();
        each_statement(&function.body.statements, &mut |statement| match &statement.kind {
            StatementKind::Let { name: known, value } if *known.text == *name => {
                values.push(value.as_ref().map_or(known.span, |value| value.span));
            }
            StatementKind::Assign { target, value, .. } if matches!(&target.kind, ExprKind::Name(known) if **known == *name) =>
            {
                values.push(value.span);
            }
            _ => {}
        });
        values
    }

    pub(super) fn report(&mut self, found: Diagnostic) {
        if self.reports && !self.env.is_dead {
            self.inference.found.push(found);
        }
    }

    /// Reports a mistake about an expression. If the expression is a parameter or a part of one, the mistake is recorded instead, so that
    /// it can be traced to callers that pass wrong arguments.
    pub(super) fn report_for(&mut self, expr: &'a Expr, bad: Tags, found: Diagnostic) {
        if !self.reports || self.env.is_dead {
            return;
        }
        let found = match self.why_nothing(expr).filter(|_| bad.has(Tag::Nothing)) {
            Some(help) => found.help(help),
            None if bad.has(Tag::Nothing) => self.with_end_of_called(expr, self.help_with_name(expr, found)),
            None => self.help_with_name(expr, found),
        };
        let found = if self.is_certain(expr, bad) { found } else { self.weaken_to_warning(expr, found) };
        let (object, is_part) = match &expr.kind {
            ExprKind::Field { receiver: object, .. } => (&**object, true),
            _ => (expr, false),
        };
        let variable = match &object.kind {
            ExprKind::Name(name) => self.env.find(name).map(|at| self.env.variables[at]),
            _ => None,
        };
        let is_map = |ty: Type| self.tags(ty).without(Tags::new(&[Tag::Map, Tag::Nothing])).is_empty();
        match variable.filter(|variable| !is_part || is_map(variable.ty)).and_then(|variable| variable.param) {
            Some(param) => self.inference.blames.push(Blame { function: self.at, param, is_part, bad, found }),
            None => self.inference.found.push(found),
        }
    }

    /// Records the effects of a call or an assignment. An effect is kept only if every analysis of this place finds it.
    pub(super) fn record_effects(&mut self, name: Span, effects: Effects) {
        if self.reports && !self.env.is_dead {
            let known = self.inference.acts.entry((self.source, name)).or_insert(effects);
            *known = known.intersection(effects);
        }
    }

    /// Returns whether an expression is a parameter that the function never assigns to.
    pub(super) fn is_param(&self, expr: &Expr) -> bool {
        let ExprKind::Name(name) = &expr.kind else { return false };
        self.env.find(name).is_some_and(|at| self.env.variables[at].param.is_some())
    }

    /// Returns whether an expression is a parameter that the function never assigns to, or an access that begins with one of these
    /// parameters.
    pub(super) fn is_of_param(&self, expr: &Expr) -> bool {
        let at = root_of(expr).and_then(|name| self.env.find(name));
        at.is_some_and(|at| self.env.variables[at].param.is_some())
    }

    // ----- statements

    pub(super) fn statements(&mut self, statements: &'a [Statement]) -> Type {
        let mut value = Type::NOTHING;
        for statement in statements {
            if self.env.is_dead {
                return Type::NEVER;
            }
            value = self.statement(statement);
        }
        if self.env.is_dead { Type::NEVER } else { value }
    }

    pub(super) fn block(&mut self, block: &'a Block) -> Type {
        let before = self.env.variables.len();
        let value = self.statements(&block.statements);
        self.env.variables.truncate(before);
        value
    }

    pub(super) fn statement(&mut self, statement: &'a Statement) -> Type {
        match &statement.kind {
            StatementKind::Let { name, value, .. } => {
                let ty = value.as_ref().map_or(Type::NOTHING, |value| self.expr(value));
                self.env.forget(&name.text);
                let takes = value.as_ref().and_then(|value| match &value.kind {
                    ExprKind::Closure { params, .. } => Some(params.len()),
                    _ => None,
                });
                let variable = Variable { takes, ..self.new_variable(&name.text, ty) };
                self.env.variables.push(variable);
                Type::NOTHING
            }
            StatementKind::Assign { target, op, op_span, value } => {
                self.assign(target, *op, *op_span, value);
                Type::NOTHING
            }
            StatementKind::Expr(expr) => self.expr(expr),
            StatementKind::Return(value) => {
                let value = value.as_ref().map_or(Type::NOTHING, |value| self.expr(value));
                if !self.env.is_dead {
                    self.returns = self.join_types(self.returns, value);
                }
                self.env.is_dead = true;
                Type::NEVER
            }
            StatementKind::Break(value) => {
                let value = value.as_ref().map_or(Type::NOTHING, |value| self.expr(value));
                if let Some(frame) = self.loops.last().filter(|_| !self.env.is_dead) {
                    let value = self.join_types(frame.value, value);
                    self.loops.last_mut().expect("it is in a loop").value = value;
                }
                self.leave(|frame, env| frame.exits.push(env))
            }
            StatementKind::Continue => self.leave(|frame, env| frame.next.push(env)),
        }
    }

    fn leave(&mut self, to: impl FnOnce(&mut LoopState<'a>, Environment<'a>)) -> Type {
        let env = self.env.clone();
        if let Some(frame) = self.loops.last_mut().filter(|_| !env.is_dead) {
            to(frame, env);
        }
        self.env.is_dead = true;
        Type::NEVER
    }

    pub(super) fn join_types(&mut self, one: Type, other: Type) -> Type {
        self.inference.types.join(one, other)
    }

    pub(super) fn join_into(&mut self, env: &mut Environment<'a>, other: &Environment<'a>) {
        env.join(other, &mut self.inference.types);
    }

    // ----- expressions

    /// Returns the type of an expression, narrowed by the conditions on the path to it.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Type {
        let ty = self.infer_narrowed(expr);
        if let Some(recorded) = &mut self.inference.recorded {
            let types = &mut self.inference.types;
            recorded.entry(expr.id).and_modify(|known| *known = types.join(*known, ty)).or_insert(ty);
        }
        ty
    }

    fn infer_narrowed(&mut self, expr: &'a Expr) -> Type {
        let ty = self.infer_unnarrowed(expr);
        if self.env.facts.is_empty() && self.env.asked.is_empty() {
            return ty;
        }
        match expr.kind {
            ExprKind::Field { .. }
            | ExprKind::Index { .. }
            | ExprKind::Method { .. }
            | ExprKind::Call { .. }
            | ExprKind::OwnCall { .. } => {
                let ty = self.env.fact(self.text(expr.span)).unwrap_or(ty);
                self.type_after_check(expr, ty)
            }
            ExprKind::Name(_) => self.type_after_check(expr, ty),
            _ => ty,
        }
    }

    /// Returns the type of an expression that is used as an operand. A call of a rule function is trusted to return a value even if it may
    /// return `()`. An author who is not sure can store the result and check it first.
    pub(super) fn operand_type(&mut self, expr: &'a Expr) -> Type {
        let ty = self.expr(expr);
        match &expr.kind {
            ExprKind::OwnCall { .. } => self.types().soften_nothing(ty),
            _ => ty,
        }
    }

    fn infer_unnarrowed(&mut self, expr: &'a Expr) -> Type {
        if self.env.is_dead {
            return Type::NEVER;
        }
        match &expr.kind {
            ExprKind::Missing => Type::ANY,
            ExprKind::Unit => Type::NOTHING,
            ExprKind::Flag(_) => Type::FLAG,
            ExprKind::Number(_) => Type::NUMBER,
            ExprKind::Text(text) => self.types().words([text.clone()]),
            ExprKind::Template(segments) => {
                for segment in segments {
                    if let Segment::Code(block) = segment {
                        self.block(block);
                    }
                }
                Type::TEXT
            }
            ExprKind::List(items) => {
                let items: Vec<Type> = items.iter().map(|item| self.expr(item)).collect();
                // Entries at different positions may have different types. The union cannot express the positions, so it is weak.
                let entries = self.types().join_weakly(&items);
                self.types().list(entries)
            }
            ExprKind::Map(parts) => {
                let parts = parts.iter().map(|(name, value)| (name.text.clone(), self.expr(value))).collect();
                self.types().map(parts, None)
            }
            ExprKind::Name(name) => self.name(name),
            ExprKind::Field { receiver: of, name, is_optional } => self.field(of, name, *is_optional),
            ExprKind::Index { receiver: of, index, is_optional } => self.read_index(of, index, *is_optional),
            ExprKind::Call { name, arguments } => self.call(name, None, arguments),
            ExprKind::Method { receiver: of, name, arguments, is_optional } => {
                self.call(name, Some((of, *is_optional)), arguments)
            }
            ExprKind::OwnCall { key, arguments, form, .. } => self.call_of_rules(key, arguments, *form),
            ExprKind::Unary { op, operand } => self.unary(*op, operand, expr),
            ExprKind::Binary { op, op_span, left, right } => self.binary(*op, *op_span, left, right),
            ExprKind::Closure { params, body } => {
                let anything = vec![Type::ANY; params.len()];
                self.closure(params, body, &anything);
                Type::FUNCTION
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::If { condition, then, otherwise } => self.if_else(condition, then, otherwise.as_deref()),
            ExprKind::Switch { subject, cases } => self.switch(expr.span, subject, cases),
            ExprKind::While { condition, body } => self.while_loop(expr, condition.as_deref(), body),
            ExprKind::DoWhile { body, condition } => self.do_loop(expr, body, condition),
            ExprKind::For { name, counter, list, body } => {
                let (ty, entry) = self.iteration_types(list);
                let mut variables = vec![Variable::new(&name.text, entry)];
                variables.extend(counter.iter().map(|name| Variable::new(&name.text, Type::NUMBER)));
                let value = self.for_loop(expr, &variables, body);
                self.record_loop_check(list, ty, &body.statements, &name.text);
                value
            }
        }
    }

    fn name(&mut self, name: &str) -> Type {
        match self.env.find(name) {
            Some(at) => {
                let Variable { ty, question, .. } = self.env.variables[at];
                if question == Question::Asked && !self.is_raw { self.types().soften_optional(ty) } else { ty }
            }
            None => self.inference.symbols.global(name).unwrap_or(Type::ANY),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &'a Expr, expr: &'a Expr) -> Type {
        let ty = self.expr(operand);
        let symbol = op.symbol();
        let bad = self.bad(ty, self.inference.language.operand(symbol, 1, 0));
        if !bad.is_empty() {
            let at = Span { end: expr.span.start + 1, ..expr.span };
            let found = mistakes::wrong_operand(symbol, bad, self.place(at));
            self.report_for(operand, bad, found);
        }
        let form = self.inference.language.operators(symbol, 1).next();
        form.map_or(Type::ANY, |form| self.fixed_result(form))
    }

    /// Returns the tags of a type that are certain mistakes because they are not among the wanted ones.
    pub(super) fn bad(&self, ty: Type, wanted: Tags) -> Tags {
        self.inference.types.certain_mistakes(ty, self.tags(ty).without(wanted))
    }

    /// Checks that a condition is a flag.
    pub(super) fn condition(&mut self, condition: &'a Expr) {
        let ty = self.expr(condition);
        let bad = self.bad(ty, Tags::new(&[Tag::Flag]));
        if !bad.is_empty() {
            let found = mistakes::not_a_flag(bad, self.place(condition.span));
            self.report_for(condition, bad, found);
        }
    }

    fn if_else(&mut self, condition: &'a Expr, then: &'a Block, otherwise: Option<&'a Expr>) -> Type {
        self.condition(condition);
        let before = self.env.clone();
        self.assume(condition, true);
        let one = self.block(then);
        let mut after = std::mem::replace(&mut self.env, before);
        self.assume(condition, false);
        let other = match otherwise {
            Some(otherwise) => self.expr(otherwise),
            None if self.env.is_dead => Type::NEVER,
            None => Type::NOTHING,
        };
        let env = std::mem::take(&mut self.env);
        self.join_into(&mut after, &env);
        self.env = after;
        self.join_types(one, other)
    }

    fn switch(&mut self, span: Span, subject: &'a Expr, cases: &'a [Case]) -> Type {
        let ty = self.expr(subject);
        let mut value = Type::NEVER;
        let mut after: Option<Environment<'a>> = None;
        let (mut has_rest, mut left, mut flags) = (false, ty, [false; 2]);
        for case in cases {
            let before = self.env.clone();
            if case.patterns.iter().any(|pattern| matches!(pattern.kind, ExprKind::Unit)) {
                self.record_check(subject, ty);
            }
            for pattern in &case.patterns {
                self.check_word_of(subject, pattern);
                self.check_impossible_word(Operand { expr: subject, ty }, pattern);
                let wanted = self.expr(pattern);
                let wanted = if wanted == Type::RANGE { Type::NUMBER } else { wanted };
                if !self.inference.types.overlap(ty, wanted) && self.inference.types.is_known(ty) {
                    let found = mistakes::never_alike(self.tags(ty), self.tags(wanted), true, self.place(pattern.span));
                    let help = self.component_help(pattern, self.tags(ty));
                    let found = help.into_iter().fold(found, Diagnostic::help);
                    self.report_for(subject, self.tags(ty), found);
                }
            }
            self.assume_case(subject, &case.patterns);
            if let Some(condition) = &case.condition {
                self.condition(condition);
                self.assume(condition, true);
            }
            has_rest |= case.patterns.is_empty() && case.condition.is_none();
            let length = self.env.variables.len();
            let result = self.statement(&case.body);
            let result = if self.env.is_dead { Type::NEVER } else { result };
            self.env.variables.truncate(length);
            value = self.join_types(value, result);
            let env = std::mem::replace(&mut self.env, before);
            after = Some(match after {
                Some(mut after) => {
                    self.join_into(&mut after, &env);
                    after
                }
                None => env,
            });
            if case.condition.is_none() {
                left = self.remaining_type(left, &case.patterns, &mut flags);
                self.exclude_case(subject, &case.patterns);
            }
        }
        let rest = if has_rest { Type::NEVER } else { self.result_of_rest(left) };
        if rest == Type::NOTHING {
            self.open_switches.push(span);
        }
        if rest != Type::NEVER || after.is_none() {
            value = self.join_types(value, rest);
            let env = self.env.clone();
            match &mut after {
                Some(after) => after.join(&env, &mut self.inference.types),
                None => after = Some(env),
            }
        }
        self.env = after.unwrap_or_default();
        value
    }

    /// Returns the type of the remaining values of a `switch` subject after a case without a condition.
    fn remaining_type(&mut self, left: Type, patterns: &'a [Expr], flags: &mut [bool; 2]) -> Type {
        patterns.iter().fold(left, |left, pattern| match &pattern.kind {
            ExprKind::Text(word) => self.types().restrict_words(left, std::slice::from_ref(word), false),
            ExprKind::Unit => self.types().without_nothing(left),
            ExprKind::Flag(flag) => {
                flags[usize::from(*flag)] = true;
                let others = self.tags(left).without(Tags::new(&[Tag::Flag]));
                if *flags == [true; 2] { self.types().restrict(left, others) } else { left }
            }
            _ => left,
        })
    }

    /// Returns the type of a `switch` for the values `left` that no case covers.
    fn result_of_rest(&self, left: Type) -> Type {
        match self.tags(left).is_empty() {
            true if self.inference.types.may_be_nothing(left) => Type::PERHAPS,
            true => Type::NEVER,
            false => Type::NOTHING,
        }
    }

    // ----- loops

    /// Analyzes a loop until no type changes, and then once more to report mistakes. Leaves the environment in its state after the loop.
    /// `iteration_variables` are the variables that are created anew in each iteration.
    fn loop_type(
        &mut self,
        loop_expr: &'a Expr,
        iteration_variables: &[Variable<'a>],
        body_of_loop: &mut dyn FnMut(&mut Self),
        at_end: &mut dyn FnMut(&mut Self),
    ) -> Type {
        let start = self.analyze_loop(loop_expr, iteration_variables, body_of_loop);
        self.env.clone_from(&start);
        let frame = self.analyze_iteration(body_of_loop, start.variables.len());
        // Without a `break`, the loop ends at the start of an iteration, possibly of the first one.
        self.env = start;
        at_end(self);
        let mut after = std::mem::take(&mut self.env);
        for env in &frame.exits {
            self.join_into(&mut after, env);
        }
        self.env = after;
        frame.value
    }

    /// Analyzes a loop until no type changes, and returns the knowledge at the start of each iteration.
    fn analyze_loop(
        &mut self,
        loop_expr: &'a Expr,
        iteration_variables: &[Variable<'a>],
        body_of_loop: &mut dyn FnMut(&mut Self),
    ) -> Environment<'a> {
        // An inner loop is analyzed once for each analysis of the outer loop, usually with the same knowledge, so the results are cached.
        let known = self
            .analyzed_loops
            .get(&loop_expr.id)
            .filter(|known| known.enters == self.env && known.iteration_variables == iteration_variables);
        if let Some(known) = known {
            return known.start.clone();
        }
        let reports = std::mem::replace(&mut self.reports, false);
        let enters = self.env.clone();
        let mut start = enters.clone();
        for round in 0..MAX_LOOP_ROUNDS {
            self.iterated_bytes += loop_expr.span.range().len();
            if self.iterated_bytes > MAX_LOOP_BYTES {
                start.variables.iter_mut().for_each(|variable| *variable = Variable { ty: Type::ANY, ..*variable });
                start.facts.clear();
                break;
            }
            self.env.clone_from(&start);
            let frame = self.analyze_iteration(body_of_loop, start.variables.len());
            let mut next = start.clone();
            let env = std::mem::take(&mut self.env);
            self.join_into(&mut next, &env);
            for env in &frame.next {
                self.join_into(&mut next, env);
            }
            if next == start {
                break;
            }
            // Variables that are still changing become unknown, so that the last round does not change anything.
            if round + 2 >= MAX_LOOP_ROUNDS {
                for (variable, before) in next.variables.iter_mut().zip(&start.variables) {
                    if variable.ty != before.ty {
                        variable.ty = Type::ANY;
                    }
                }
            }
            start = next;
        }
        self.reports = reports;
        self.analyzed_loops.insert(
            loop_expr.id,
            AnalyzedLoop { enters, iteration_variables: iteration_variables.to_vec(), start: start.clone() },
        );
        start
    }

    fn analyze_iteration(&mut self, body_of_loop: &mut dyn FnMut(&mut Self), length: usize) -> LoopState<'a> {
        self.loops.push(LoopState { exits: Vec::new(), next: Vec::new(), value: Type::NEVER });
        body_of_loop(self);
        self.env.variables.truncate(length);
        let mut frame = self.loops.pop().expect("it was put there");
        for env in frame.exits.iter_mut().chain(&mut frame.next) {
            env.variables.truncate(length);
        }
        frame
    }

    fn while_loop(&mut self, loop_expr: &'a Expr, condition: Option<&'a Expr>, body: &'a Block) -> Type {
        let mut body_of_loop = |walk: &mut Self| {
            if let Some(condition) = condition {
                walk.condition(condition);
                walk.assume(condition, true);
            }
            walk.block(body);
        };
        let mut at_end = |walk: &mut Self| match condition {
            Some(condition) => walk.assume(condition, false),
            None => walk.env.is_dead = true,
        };
        let value = self.loop_type(loop_expr, &[], &mut body_of_loop, &mut at_end);
        self.soften_filled(body);
        if condition.is_none() { value } else { self.join_types(value, Type::NOTHING) }
    }

    fn do_loop(&mut self, loop_expr: &'a Expr, body: &'a Block, condition: &'a Expr) -> Type {
        let mut body_of_loop = |walk: &mut Self| {
            walk.block(body);
            walk.condition(condition);
        };
        let value = self.loop_type(loop_expr, &[], &mut body_of_loop, &mut |_| {});
        self.soften_filled(body);
        self.join_types(value, Type::NOTHING)
    }

    fn for_loop(&mut self, loop_expr: &'a Expr, variables: &[Variable<'a>], body: &'a Block) -> Type {
        let mut body_of_loop = |walk: &mut Self| {
            for variable in variables {
                walk.env.forget(variable.name);
            }
            walk.env.variables.extend_from_slice(variables);
            walk.block(body);
        };
        let value = self.loop_type(loop_expr, variables, &mut body_of_loop, &mut |_| {});
        self.soften_filled(body);
        self.join_types(value, Type::NOTHING)
    }

    /// Returns whether an initial value of this type is certainly not `()`, or certainly `()` and probably replaced later. Returns `false`
    /// if the value may or may not be `()`, such as the result of a call.
    pub(super) fn begins_empty(&self, ty: Type) -> bool {
        ty == Type::NOTHING || !self.tags(ty).has(Tag::Nothing)
    }

    /// Creates a variable with an initial value of the type `ty`.
    pub(super) fn new_variable(&self, name: &'a str, ty: Type) -> Variable<'a> {
        let types = &self.inference.types;
        let mut parts = types.shapes(ty).into_iter().flat_map(|id| &types.shape(id).parts);
        let parts_begin_empty = parts.all(|(_, part)| self.begins_empty(*part));
        Variable { begins_empty: self.begins_empty(ty), parts_begin_empty, ..Variable::new(name, ty) }
    }

    /// Weakens `()` in the types of variables and map parts that a loop assigns to, so that a possible `()` is not reported after the loop.
    /// Authors usually know that the loop has found a value. Applies only if the initial value was certainly `()` or certainly not `()`.
    fn soften_filled(&mut self, body: &'a Block) {
        for at in 0..self.env.variables.len() {
            let Variable { name, mut ty, begins_empty, parts_begin_empty, .. } = self.env.variables[at];
            if begins_empty && assigns_to(&body.statements, name) {
                ty = self.types().soften_optional(ty);
            }
            if parts_begin_empty && assigns_within(&body.statements, name) {
                ty = self.types().change_maps(ty, &mut |types, mut shape| {
                    for (_, part) in &mut shape.parts {
                        *part = types.soften_optional(*part);
                    }
                    vec![shape]
                });
            }
            self.env.variables[at].ty = ty;
        }
    }

    /// Returns the type of the value that a loop iterates over, and the type of one element. Reports a value that a loop cannot iterate
    /// over.
    fn iteration_types(&mut self, list: &'a Expr) -> (Type, Type) {
        let ty = self.operand_type(list);
        if !self.inference.types.is_known(ty) {
            return (ty, Type::ANY);
        }
        let mut entries = Type::NEVER;
        let mut bad = Tags::NONE;
        for tag in self.tags(ty).iter() {
            let entry = match tag {
                Tag::List => self.inference.types.entries(ty).unwrap_or(Type::ANY),
                Tag::Range => Type::NUMBER,
                Tag::Seats => Type::SEAT,
                Tag::Text => Type::TEXT,
                several => {
                    if let Some(one) = one_of(several) {
                        let ids = self.inference.types.ids_of(ty, several);
                        self.types().thing(one, ids)
                    } else {
                        bad = bad.or(Tags::new(&[tag]));
                        continue;
                    }
                }
            };
            entries = self.join_types(entries, entry);
        }
        let bad = self.inference.types.certain_mistakes(ty, bad);
        if !bad.is_empty() {
            let found = mistakes::not_a_list(bad, self.place(list.span));
            self.report_for(list, bad, found);
        }
        (ty, entries)
    }

    // ----- closures

    /// Returns the type of a closure's result for arguments of the given types. The closure may be called any number of times.
    pub(super) fn closure(&mut self, params: &'a [crate::syntax::Name], body: &'a Statement, types: &[Type]) -> Type {
        let before = self.env.clone();
        let variable = |(at, name): (usize, &'a crate::syntax::Name)| {
            Variable::new(&name.text, types.get(at).copied().unwrap_or(Type::ANY))
        };
        let variables: Vec<Variable<'a>> = params.iter().enumerate().map(variable).collect();
        let reports = std::mem::replace(&mut self.reports, false);
        // Changes of outer variables are visible in the next call of the closure, so the closure is analyzed until their types are stable,
        // at most three times.
        for _ in 0..3 {
            let start = self.env.clone();
            self.closure_body(&variables, body);
            let mut next = start.clone();
            let env = std::mem::take(&mut self.env);
            self.join_into(&mut next, &env);
            self.env = next;
            if self.env == start {
                break;
            }
        }
        self.reports = reports;
        let start = self.env.clone();
        let result = self.closure_body(&variables, body);
        self.env = start;
        if before.is_dead {
            self.env.is_dead = true;
        }
        result
    }

    fn closure_body(&mut self, variables: &[Variable<'a>], body: &'a Statement) -> Type {
        let length = self.env.variables.len();
        let loops = std::mem::take(&mut self.loops);
        let returns = std::mem::replace(&mut self.returns, Type::NEVER);
        for variable in variables {
            self.env.forget(variable.name);
        }
        self.env.variables.extend_from_slice(variables);
        let value = self.statement(body);
        let value = if self.env.is_dead { Type::NEVER } else { value };
        self.env.variables.truncate(length);
        self.env.is_dead = false;
        self.loops = loops;
        let returned = std::mem::replace(&mut self.returns, returns);
        self.join_types(value, returned)
    }
}

/// Returns whether any of the statements assigns to the variable `name`.
pub(super) fn assigns_to(statements: &[Statement], name: &str) -> bool {
    any_target(statements, |target| matches!(&target.kind, ExprKind::Name(known) if **known == *name))
}

/// Returns whether any of the statements assigns to the variable `name` or to a part of its value.
fn assigns_within(statements: &[Statement], name: &str) -> bool {
    any_target(statements, |target| root_of(target) == Some(name))
}

fn any_target(statements: &[Statement], is_one: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    each_statement(statements, &mut |statement| {
        if let StatementKind::Assign { target, .. } = &statement.kind {
            found |= is_one(target);
        }
    });
    found
}
