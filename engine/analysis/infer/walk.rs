//! Going through one function: statements and expressions, loops until nothing changes.

use super::super::blame::Blame;
use super::super::mistakes;
use super::super::names::{PHASE, STANDING};
use super::super::types::{Tags, Type, Types, one_of};
use super::environment::{Environment, Question, Variable, root_of};
use super::inference::{Inference, Tree};
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Place};
use crate::library::Effects;
use crate::syntax::{
    Block, Case, Expr, ExprId, ExprKind, Segment, Span, Statement, StatementKind, UnaryOp, each_statement,
};
use rustc_hash::FxHashMap;

/// A loop that is iterated.
struct Loop<'a> {
    /// What is known where it is left.
    exits: Vec<Environment<'a>>,
    /// What is known where it goes on.
    next: Vec<Environment<'a>>,
    /// What it results in where it is left.
    value: Type,
}

/// A loop that has been iterated until nothing changed.
struct Settling<'a> {
    /// What is known where it is reached.
    enters: Environment<'a>,
    given: Vec<Variable<'a>>,
    /// What is known before each of its turns.
    start: Environment<'a>,
}

/// How often a loop is iterated at most.
const MOST_TURNS: usize = 6;

/// How many bytes of loops of one function are iterated until nothing changes; what further loops do to variables is not known.
const MOST_ITERATED: usize = 2_000_000;

/// The way through one function.
pub(super) struct Walk<'i, 'a> {
    pub(super) inference: &'i mut Inference<'a>,
    /// The function.
    pub(super) at: usize,
    pub(super) source: usize,
    /// Whether mistakes are told.
    pub(super) tells: bool,
    pub(super) env: Environment<'a>,
    /// Whether it is looked at what things are, whatever has been asked of them.
    pub(super) is_raw: bool,
    /// What is returned on the way.
    returns: Type,
    loops: Vec<Loop<'a>>,
    /// What is known before each turn of the loops that have been iterated.
    settled: FxHashMap<ExprId, Settling<'a>>,
    /// Those that have no case for something that may come.
    pub(super) open_switches: Vec<Span>,
    /// How many bytes of loops have been iterated until nothing changed.
    iterated_bytes: usize,
}

impl<'i, 'a> Walk<'i, 'a> {
    pub(super) fn new(inference: &'i mut Inference<'a>, at: usize, tells: bool) -> Self {
        let source = inference.functions[at].source;
        let env = Environment::default();
        Self {
            inference,
            at,
            source,
            tells,
            env,
            is_raw: false,
            returns: Type::NEVER,
            loops: Vec::new(),
            settled: FxHashMap::default(),
            open_switches: Vec::new(),
            iterated_bytes: 0,
        }
    }

    /// What the function results in.
    pub(super) fn function(mut self) -> Type {
        let known = &self.inference.functions[self.at];
        let statements = match known.tree {
            Tree::Function(function) => {
                let params = function.params.iter().zip(&known.params).zip(&known.sets).enumerate();
                let variable = |(at, ((name, is), sets)): (usize, ((&'a crate::syntax::Name, &Type), &bool))| {
                    Variable { param: Some(at).filter(|_| !sets), ..Variable::new(&name.text, *is) }
                };
                self.env.variables = params.map(variable).collect();
                &function.body.statements[..]
            }
            Tree::Settled => return known.result,
            Tree::Text(statements, own) => {
                let phase = self.types().join(Type::TEXT, Type::NOTHING);
                let of = |name: &str| match name {
                    PHASE => phase,
                    name if STANDING.contains(&name) => Type::ANY,
                    _ => Type::SEAT,
                };
                self.env.variables = own.iter().map(|name| Variable::new(name, of(name))).collect();
                statements
            }
        };
        let value = self.statements(statements);
        self.inference.types.join(self.returns, value)
    }

    pub(super) fn types(&mut self) -> &mut Types {
        &mut self.inference.types
    }

    pub(super) fn tags(&self, of: Type) -> Tags {
        self.inference.types.tags(of)
    }

    pub(super) fn place(&self, span: Span) -> Place {
        self.inference.place(self.source, span)
    }

    pub(super) fn text(&self, span: Span) -> &'a str {
        let source: &'a crate::diagnostic::Source = self.inference.sources[self.source];
        source.text.get(span.range()).unwrap_or_default()
    }

    pub(super) fn report(&mut self, found: Diagnostic) {
        if self.tells && !self.env.is_dead {
            self.inference.found.push(found);
        }
    }

    /// Tells what is wrong with an expression: where that is a parameter, those are to blame who give it so.
    pub(super) fn report_for(&mut self, expr: &'a Expr, bad: Tags, found: Diagnostic) {
        if !self.tells || self.env.is_dead {
            return;
        }
        let found = match self.why_nothing(expr).filter(|_| bad.has(Tag::Nothing)) {
            Some(help) => found.help(help),
            None => found,
        };
        let (of, is_part) = match &expr.kind {
            ExprKind::Field { of, .. } => (&**of, true),
            _ => (expr, false),
        };
        let variable = match &of.kind {
            ExprKind::Name(name) => self.env.find(name).map(|at| self.env.variables[at]),
            _ => None,
        };
        let is_map = |is: Type| self.tags(is).but(Tags::of(&[Tag::Map, Tag::Nothing])).is_empty();
        match variable.filter(|variable| !is_part || is_map(variable.is)).and_then(|variable| variable.param) {
            Some(param) => self.inference.blames.push(Blame { function: self.at, param, is_part, bad, found }),
            None => self.inference.found.push(found),
        }
    }

    /// Notes what a call or a set value does; certain is what it does each time that the walk comes by.
    pub(super) fn acts(&mut self, name: Span, effects: Effects) {
        if self.tells && !self.env.is_dead {
            let known = self.inference.acts.entry((self.source, name)).or_insert(effects);
            *known = known.intersection(effects);
        }
    }

    /// Whether an expression is a parameter that is given nothing else on the way.
    pub(super) fn is_param(&self, expr: &Expr) -> bool {
        let ExprKind::Name(name) = &expr.kind else { return false };
        self.env.find(name).is_some_and(|at| self.env.variables[at].param.is_some())
    }

    /// Whether it is a parameter, or something of one.
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
                let is = value.as_ref().map_or(Type::NOTHING, |value| self.expr(value));
                self.env.forget(&name.text);
                let takes = value.as_ref().and_then(|value| match &value.kind {
                    ExprKind::Closure { params, .. } => Some(params.len()),
                    _ => None,
                });
                let variable = Variable { takes, ..self.given_to(&name.text, is) };
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
                    self.returns = self.types_join(self.returns, value);
                }
                self.env.is_dead = true;
                Type::NEVER
            }
            StatementKind::Break(value) => {
                let value = value.as_ref().map_or(Type::NOTHING, |value| self.expr(value));
                if let Some(frame) = self.loops.last().filter(|_| !self.env.is_dead) {
                    let value = self.types_join(frame.value, value);
                    self.loops.last_mut().expect("it is in a loop").value = value;
                }
                self.leave(|frame, env| frame.exits.push(env))
            }
            StatementKind::Continue => self.leave(|frame, env| frame.next.push(env)),
        }
    }

    fn leave(&mut self, to: impl FnOnce(&mut Loop<'a>, Environment<'a>)) -> Type {
        let env = self.env.clone();
        if let Some(frame) = self.loops.last_mut().filter(|_| !env.is_dead) {
            to(frame, env);
        }
        self.env.is_dead = true;
        Type::NEVER
    }

    pub(super) fn types_join(&mut self, one: Type, other: Type) -> Type {
        self.inference.types.join(one, other)
    }

    pub(super) fn join_into(&mut self, env: &mut Environment<'a>, other: &Environment<'a>) {
        env.join(other, &mut self.inference.types);
    }

    // ----- expressions

    /// The type of an expression, with what conditions on the way say of it.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Type {
        let is = self.narrowed(expr);
        if let Some(recorded) = &mut self.inference.recorded {
            let types = &mut self.inference.types;
            recorded.entry(expr.id).and_modify(|known| *known = types.join(*known, is)).or_insert(is);
        }
        is
    }

    fn narrowed(&mut self, expr: &'a Expr) -> Type {
        let is = self.inside(expr);
        if self.env.facts.is_empty() && self.env.asked.is_empty() {
            return is;
        }
        match expr.kind {
            ExprKind::Field { .. } | ExprKind::Index { .. } | ExprKind::Method { .. } | ExprKind::Call { .. } => {
                let is = self.env.fact(self.text(expr.span)).unwrap_or(is);
                self.behind_question(expr, is)
            }
            ExprKind::Name(_) => self.behind_question(expr, is),
            _ => is,
        }
    }

    /// The type of an expression of which something is asked. An author who asks something of what a function of the rules
    /// results in knows that it is there; one who keeps it can look first.
    pub(super) fn operand(&mut self, expr: &'a Expr) -> Type {
        let is = self.expr(expr);
        match &expr.kind {
            ExprKind::Call { name, .. } if self.inference.by_name.contains_key(&*name.text) => {
                self.types().softened(is)
            }
            _ => is,
        }
    }

    fn inside(&mut self, expr: &'a Expr) -> Type {
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
                // Entries of several types are told apart by their positions.
                let entries = self.types().join_weakly(&items);
                self.types().list(entries)
            }
            ExprKind::Map(parts) => {
                let parts = parts.iter().map(|(name, value)| (name.text.clone(), self.expr(value))).collect();
                self.types().map(parts, None)
            }
            ExprKind::Name(name) => self.name(name),
            ExprKind::Field { of, name, is_optional } => self.field(of, name, *is_optional),
            ExprKind::Index { of, index, is_optional } => self.read_index(of, index, *is_optional),
            ExprKind::Call { name, arguments } => self.call(name, None, arguments),
            ExprKind::Method { of, name, arguments, is_optional } => {
                self.call(name, Some((of, *is_optional)), arguments)
            }
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
                let (is, entry) = self.iterated(list);
                let mut variables = vec![Variable::new(&name.text, entry)];
                variables.extend(counter.iter().map(|name| Variable::new(&name.text, Type::NUMBER)));
                let value = self.for_loop(expr, &variables, body);
                self.ask_entries_by(list, is, &body.statements, &name.text);
                value
            }
        }
    }

    fn name(&mut self, name: &str) -> Type {
        match self.env.find(name) {
            Some(at) => {
                let Variable { is, question, .. } = self.env.variables[at];
                if question == Question::Asked && !self.is_raw { self.types().replaced(is) } else { is }
            }
            None => self.inference.symbols.global(name).unwrap_or(Type::ANY),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &'a Expr, whole: &'a Expr) -> Type {
        let is = self.expr(operand);
        let symbol = op.symbol();
        let bad = self.bad(is, self.inference.language.operand(symbol, 1, 0));
        if !bad.is_empty() {
            let at = Span { end: whole.span.start + 1, ..whole.span };
            let found = mistakes::wrong_operand(symbol, bad, self.place(at));
            self.report_for(operand, bad, found);
        }
        let form = self.inference.language.operators(symbol, 1).next();
        form.map_or(Type::ANY, |form| self.made_by(form))
    }

    /// The tags of a type that are not among those that are wanted, where all of it is known.
    pub(super) fn bad(&self, is: Type, wanted: Tags) -> Tags {
        self.inference.types.wrong(is, self.tags(is).but(wanted))
    }

    /// Checks that something is yes or no.
    pub(super) fn condition(&mut self, condition: &'a Expr) {
        let is = self.expr(condition);
        let bad = self.bad(is, Tags::of(&[Tag::Flag]));
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
        self.types_join(one, other)
    }

    fn switch(&mut self, span: Span, subject: &'a Expr, cases: &'a [Case]) -> Type {
        let is = self.expr(subject);
        let mut value = Type::NEVER;
        let mut after: Option<Environment<'a>> = None;
        let (mut has_rest, mut left, mut flags) = (false, is, [false; 2]);
        for case in cases {
            let before = self.env.clone();
            if case.patterns.iter().any(|pattern| matches!(pattern.kind, ExprKind::Unit)) {
                self.ask(subject, is);
            }
            for pattern in &case.patterns {
                self.check_meant(subject, pattern);
                self.check_own_word((subject, is), pattern);
                let wanted = self.expr(pattern);
                let wanted = if wanted == Type::RANGE { Type::NUMBER } else { wanted };
                if !self.inference.types.overlap(is, wanted) && self.inference.types.is_known(is) {
                    let found = mistakes::never_alike(self.tags(is), self.tags(wanted), true, self.place(pattern.span));
                    self.report_for(subject, self.tags(is), found);
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
            value = self.types_join(value, result);
            let env = std::mem::replace(&mut self.env, before);
            after = Some(match after {
                Some(mut after) => {
                    self.join_into(&mut after, &env);
                    after
                }
                None => env,
            });
            if case.condition.is_none() {
                left = self.left_behind(left, &case.patterns, &mut flags);
                self.exclude_case(subject, &case.patterns);
            }
        }
        let rest = if has_rest { Type::NEVER } else { self.result_of_rest(left) };
        if rest == Type::NOTHING {
            self.open_switches.push(span);
        }
        if rest != Type::NEVER || after.is_none() {
            value = self.types_join(value, rest);
            let env = self.env.clone();
            match &mut after {
                Some(after) => after.join(&env, &mut self.inference.types),
                None => after = Some(env),
            }
        }
        self.env = after.unwrap_or_default();
        value
    }

    /// What is left of what a `switch` asks about behind a case without a condition.
    fn left_behind(&mut self, left: Type, patterns: &'a [Expr], flags: &mut [bool; 2]) -> Type {
        patterns.iter().fold(left, |left, pattern| match &pattern.kind {
            ExprKind::Text(word) => self.types().among(left, std::slice::from_ref(word), false),
            ExprKind::Unit => self.types().there(left),
            ExprKind::Flag(flag) => {
                flags[usize::from(*flag)] = true;
                let others = self.tags(left).but(Tags::of(&[Tag::Flag]));
                if *flags == [true; 2] { self.types().keep(left, others) } else { left }
            }
            _ => left,
        })
    }

    /// What a `switch` results in for what no case is for, which may be left.
    fn result_of_rest(&self, left: Type) -> Type {
        match self.tags(left).is_empty() {
            true if self.inference.types.may_be_nothing(left) => Type::PERHAPS,
            true => Type::NEVER,
            false => Type::NOTHING,
        }
    }

    // ----- loops

    /// Goes through the body of a loop until nothing changes, and once more to tell what is wrong; what is known behind it. `given`
    /// is what each turn has of its own.
    fn looped(
        &mut self,
        whole: &'a Expr,
        given: &[Variable<'a>],
        turn: &mut dyn FnMut(&mut Self),
        ends: &mut dyn FnMut(&mut Self),
    ) -> Type {
        let start = self.settled(whole, given, turn);
        self.env.clone_from(&start);
        let frame = self.turn(turn, start.variables.len());
        // It may be left before a turn.
        self.env = start;
        ends(self);
        let mut after = std::mem::take(&mut self.env);
        for env in &frame.exits {
            self.join_into(&mut after, env);
        }
        self.env = after;
        frame.value
    }

    /// What is known before each turn of a loop.
    fn settled(&mut self, whole: &'a Expr, given: &[Variable<'a>], turn: &mut dyn FnMut(&mut Self)) -> Environment<'a> {
        // A loop within another is reached once for each turn of that, mostly with the same as before.
        let known = self.settled.get(&whole.id).filter(|known| known.enters == self.env && known.given == given);
        if let Some(known) = known {
            return known.start.clone();
        }
        let tells = std::mem::replace(&mut self.tells, false);
        let enters = self.env.clone();
        let mut start = enters.clone();
        for round in 0..MOST_TURNS {
            self.iterated_bytes += whole.span.range().len();
            if self.iterated_bytes > MOST_ITERATED {
                start.variables.iter_mut().for_each(|variable| *variable = Variable { is: Type::ANY, ..*variable });
                start.facts.clear();
                break;
            }
            self.env.clone_from(&start);
            let frame = self.turn(turn, start.variables.len());
            let mut next = start.clone();
            let env = std::mem::take(&mut self.env);
            self.join_into(&mut next, &env);
            for env in &frame.next {
                self.join_into(&mut next, env);
            }
            if next == start {
                break;
            }
            if round + 2 >= MOST_TURNS {
                for (variable, before) in next.variables.iter_mut().zip(&start.variables) {
                    if variable.is != before.is {
                        variable.is = Type::ANY;
                    }
                }
            }
            start = next;
        }
        self.tells = tells;
        self.settled.insert(whole.id, Settling { enters, given: given.to_vec(), start: start.clone() });
        start
    }

    fn turn(&mut self, turn: &mut dyn FnMut(&mut Self), length: usize) -> Loop<'a> {
        self.loops.push(Loop { exits: Vec::new(), next: Vec::new(), value: Type::NEVER });
        turn(self);
        self.env.variables.truncate(length);
        let mut frame = self.loops.pop().expect("it was put there");
        for env in frame.exits.iter_mut().chain(&mut frame.next) {
            env.variables.truncate(length);
        }
        frame
    }

    fn while_loop(&mut self, whole: &'a Expr, condition: Option<&'a Expr>, body: &'a Block) -> Type {
        let mut turn = |walk: &mut Self| {
            if let Some(condition) = condition {
                walk.condition(condition);
                walk.assume(condition, true);
            }
            walk.block(body);
        };
        let mut ends = |walk: &mut Self| match condition {
            Some(condition) => walk.assume(condition, false),
            None => walk.env.is_dead = true,
        };
        let value = self.looped(whole, &[], &mut turn, &mut ends);
        self.replaced(body);
        if condition.is_none() { value } else { self.types_join(value, Type::NOTHING) }
    }

    fn do_loop(&mut self, whole: &'a Expr, body: &'a Block, condition: &'a Expr) -> Type {
        let mut turn = |walk: &mut Self| {
            walk.block(body);
            walk.condition(condition);
        };
        let value = self.looped(whole, &[], &mut turn, &mut |_| {});
        self.replaced(body);
        self.types_join(value, Type::NOTHING)
    }

    fn for_loop(&mut self, whole: &'a Expr, variables: &[Variable<'a>], body: &'a Block) -> Type {
        let mut turn = |walk: &mut Self| {
            for variable in variables {
                walk.env.forget(variable.name);
            }
            walk.env.variables.extend_from_slice(variables);
            walk.block(body);
        };
        let value = self.looped(whole, variables, &mut turn, &mut |_| {});
        self.replaced(body);
        self.types_join(value, Type::NOTHING)
    }

    /// Whether what is given something is, where that is `()`, waiting for something else: as far as it goes by a result that may
    /// be `()` it is not.
    pub(super) fn begins_empty(&self, is: Type) -> bool {
        is == Type::NOTHING || !self.tags(is).has(Tag::Nothing)
    }

    /// A variable that is given something.
    pub(super) fn given_to(&self, name: &'a str, is: Type) -> Variable<'a> {
        let types = &self.inference.types;
        let mut parts = types.shapes(is).into_iter().flat_map(|id| &types.shape(id).parts);
        let parts_begin_empty = parts.all(|(_, part)| self.begins_empty(*part));
        Variable { begins_empty: self.begins_empty(is), parts_begin_empty, ..Variable::new(name, is) }
    }

    /// Behind a loop that replaces the `()` that a variable or a part of it begins with, most rules know that there was one.
    fn replaced(&mut self, body: &'a Block) {
        for at in 0..self.env.variables.len() {
            let Variable { name, mut is, begins_empty, parts_begin_empty, .. } = self.env.variables[at];
            if begins_empty && sets(&body.statements, name) {
                is = self.types().replaced(is);
            }
            if parts_begin_empty && sets_within(&body.statements, name) {
                is = self.types().change_maps(is, &mut |types, mut shape| {
                    for (_, part) in &mut shape.parts {
                        *part = types.replaced(*part);
                    }
                    vec![shape]
                });
            }
            self.env.variables[at].is = is;
        }
    }

    /// What a loop goes through, and one of it.
    fn iterated(&mut self, list: &'a Expr) -> (Type, Type) {
        let is = self.operand(list);
        if !self.inference.types.is_known(is) {
            return (is, Type::ANY);
        }
        let mut entries = Type::NEVER;
        let mut bad = Tags::NONE;
        for tag in self.tags(is).iter() {
            let entry = match tag {
                Tag::List => self.inference.types.entries(is).unwrap_or(Type::ANY),
                Tag::Range => Type::NUMBER,
                Tag::Seats => Type::SEAT,
                Tag::Text => Type::TEXT,
                several => {
                    if let Some(one) = one_of(several) {
                        let which = self.inference.types.which(is, several);
                        self.types().thing(one, which)
                    } else {
                        bad = bad.or(Tags::of(&[tag]));
                        continue;
                    }
                }
            };
            entries = self.types_join(entries, entry);
        }
        let bad = self.inference.types.wrong(is, bad);
        if !bad.is_empty() {
            let found = mistakes::not_a_list(bad, self.place(list.span));
            self.report_for(list, bad, found);
        }
        (is, entries)
    }

    // ----- functions `|…|`

    /// What a function `|…|` results in for some arguments, called any number of times.
    pub(super) fn closure(&mut self, params: &'a [crate::syntax::Name], body: &'a Statement, given: &[Type]) -> Type {
        let before = self.env.clone();
        let variable = |(at, name): (usize, &'a crate::syntax::Name)| {
            Variable::new(&name.text, given.get(at).copied().unwrap_or(Type::ANY))
        };
        let variables: Vec<Variable<'a>> = params.iter().enumerate().map(variable).collect();
        let tells = std::mem::replace(&mut self.tells, false);
        // What it changes of the variables around may be there when it is called again.
        for _ in 0..3 {
            let start = self.env.clone();
            self.called(&variables, body);
            let mut next = start.clone();
            let env = std::mem::take(&mut self.env);
            self.join_into(&mut next, &env);
            self.env = next;
            if self.env == start {
                break;
            }
        }
        self.tells = tells;
        let start = self.env.clone();
        let result = self.called(&variables, body);
        self.env = start;
        if before.is_dead {
            self.env.is_dead = true;
        }
        result
    }

    fn called(&mut self, variables: &[Variable<'a>], body: &'a Statement) -> Type {
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
        self.types_join(value, returned)
    }
}

/// Whether statements give a name something else.
pub(super) fn sets(statements: &[Statement], name: &str) -> bool {
    any_target(statements, |target| matches!(&target.kind, ExprKind::Name(known) if **known == *name))
}

/// Whether statements give a name, or something in what it stands for, something else.
fn sets_within(statements: &[Statement], name: &str) -> bool {
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
