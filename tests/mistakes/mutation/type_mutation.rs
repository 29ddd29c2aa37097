//! Mutations that introduce type errors into rules. The operators were specified before the checks that detect them.
//!
//! A mutation is made only where it is certainly an error according to the game's files and the reference. An expression is replaced by one
//! whose type lacks the property, is not accepted by any overload of the function, or is not supported by the operator. Mutations that
//! could still be valid are excluded: values of any type, arguments that a function never uses, and parts of maps that share their name
//! with a property.

use super::game_facts::{Function, GameFacts, SampleExpr};
use parlour::decision::Type;
use parlour::syntax::{BinaryOp, Block, Expr, ExprKind, Node, Span, Statement, StatementKind, each_node};
use parlour::table::Chance;
use std::collections::BTreeMap;
use std::fmt;

/// Kind of a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operator {
    /// Replacement of the expression before a dot.
    Receiver,
    /// Replacement of an argument of a library function.
    Argument,
    /// Replacement of an argument of a function of the rules.
    RuleArgument,
    /// Replacement of an operand of an arithmetic operator.
    Operand,
    /// Replacement of a compared value by a value of another type.
    Comparison,
    /// Replacement of the container or the item of `in` by a value of another type.
    Container,
    /// Replacement of the argument of `contains` or `index_of` by an item that the list cannot contain.
    SearchItem,
    /// Comparison of lists whose entries have different types.
    ListEntry,
    /// Assignment of a value of another type.
    Value,
    /// Access to a part that the map lacks, or omission of a part where the map is created.
    Part,
    /// Removal of a check for `()`.
    MissingGuard,
    /// Closure with another parameter or result type, or a value instead of a closure.
    Closure,
    /// Item instead of a list, or list instead of an item.
    List,
    /// Question in a read-only function.
    ForbiddenQuestion,
    /// Change of the table in a read-only function.
    ForbiddenChange,
}

impl Operator {
    /// All operators, in the order of the report.
    pub(crate) const ALL: [Self; 15] = [
        Self::Receiver,
        Self::Argument,
        Self::RuleArgument,
        Self::Operand,
        Self::Comparison,
        Self::Container,
        Self::SearchItem,
        Self::ListEntry,
        Self::Value,
        Self::Part,
        Self::MissingGuard,
        Self::Closure,
        Self::List,
        Self::ForbiddenQuestion,
        Self::ForbiddenChange,
    ];

    /// Returns the label for the report.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Receiver => "receiver",
            Self::Argument => "library argument",
            Self::RuleArgument => "argument of a rule",
            Self::Operand => "operand",
            Self::Comparison => "comparison",
            Self::Container => "container of `in`",
            Self::SearchItem => "item searched in a list",
            Self::ListEntry => "entries of compared lists",
            Self::Value => "assigned value",
            Self::Part => "missing part of a map",
            Self::MissingGuard => "missing check for `()`",
            Self::Closure => "closure",
            Self::List => "one item for a list",
            Self::ForbiddenQuestion => "question in read-only code",
            Self::ForbiddenChange => "change in read-only code",
        }
    }
}

/// Span in a file, and its replacement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Site {
    file: usize,
    start: usize,
    end: usize,
    after: String,
}

/// Game with one type error.
pub(crate) struct TypeMutation {
    pub(crate) operator: Operator,
    /// Files of the mutated game.
    pub(crate) texts: Vec<(String, String)>,
    place: String,
    line: String,
}

impl fmt::Display for TypeMutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.operator.title(), self.place, self.line)
    }
}

/// All type mutations that are possible in a game.
pub(crate) struct TypeMutations {
    texts: Vec<(String, String)>,
    sites: BTreeMap<Operator, Vec<Site>>,
}

impl TypeMutations {
    /// Finds all mutations of a game's rules.
    pub(crate) fn new(texts: Vec<(String, String)>) -> Self {
        let facts = GameFacts::new(&texts);
        let mut found = Finder { facts: &facts, sites: BTreeMap::new() };
        for function in &facts.functions {
            found.visit_function(function);
        }
        let mut sites = found.sites;
        for sites in sites.values_mut() {
            sites.sort();
            sites.dedup();
        }
        Self { texts, sites }
    }

    /// Returns the number of mutations of an operator.
    pub(crate) fn count(&self, operator: Operator) -> usize {
        self.sites.get(&operator).map_or(0, Vec::len)
    }

    /// Draws a mutation at random: first the operator, then the place, so that all operators are drawn equally often.
    pub(crate) fn draw(&self, chance: &mut Chance) -> TypeMutation {
        let operators: Vec<_> = self.sites.iter().filter(|(_, sites)| !sites.is_empty()).collect();
        let (operator, sites) = operators[chance.below(operators.len() as u32) as usize];
        let Site { file, start, end, after } = &sites[chance.below(sites.len() as u32) as usize];
        let (path, text) = &self.texts[*file];
        let changed = [&text[..*start], after, &text[*end..]].concat();
        let number = text[..*start].matches('\n').count();
        let line = changed.lines().nth(number).unwrap_or_default().trim().to_owned();
        let before = &text[*start..*end];
        let mut texts = self.texts.clone();
        texts[*file].1 = changed;
        let line = format!("`{before}` became `{after}` in `{line}`");
        TypeMutation { operator: *operator, texts, place: format!("{path}:{}", number + 1), line }
    }
}

/// Operators that accept only numbers.
const ARITHMETIC: [BinaryOp; 8] = [
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::Less,
    BinaryOp::LessOrEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterOrEqual,
];

/// Functions whose closure must return a flag.
const PREDICATES: [&str; 5] = ["filter", "find", "some", "all", "count"];

/// Functions whose closure must return a number.
const NUMBERS: [&str; 5] = ["sum", "largest", "smallest", "with_most", "with_least"];

/// Functions whose third argument can be a closure that lists options.
const CHOOSING: [&str; 5] = ["choose", "choose_if_any", "choose_or_pass", "choose_some", "choose_order"];

/// Functions whose closure must not change the table.
const UNCHANGING: [&str; 1] = ["together"];

/// Properties that return a single item of a collection.
const PICKS: [&str; 4] = ["first", "last", "top", "bottom"];

/// Functions whose map argument may have any parts.
const WITH_FREE_PARTS: [&str; 3] = ["say", "altered", "altering"];

struct Finder<'t> {
    facts: &'t GameFacts,
    sites: BTreeMap<Operator, Vec<Site>>,
}

impl Finder<'_> {
    fn visit_function(&mut self, function: &Function) {
        let looks = self.facts.read_only.contains(&function.name);
        let body = std::slice::from_ref(&function.body);
        for counter in counters(body) {
            each_node(body, &mut |node| self.mutate_added(function.file, &counter, node));
        }
        each_node(body, &mut |node| match node {
            Node::Expr(expr) => {
                self.visit_expr(function.file, expr);
                if looks {
                    self.insert_question(function.file, expr);
                }
            }
            Node::Statement(statement) => {
                self.mutate_assignment(function.file, statement);
                if looks {
                    self.insert_change(function.file, statement.span);
                }
            }
            Node::Block(block) => self.drop_guard_statement(function.file, block),
        });
        if let StatementKind::Expr(Expr { kind: ExprKind::Block(block), .. }) = &function.body.kind {
            self.drop_guard_statement(function.file, block);
        }
    }

    fn add(&mut self, operator: Operator, file: usize, span: Span, after: impl Into<String>) {
        let (start, end, after) = (span.start as usize, span.end as usize, after.into());
        if self.facts.text(file, span) != after {
            self.sites.entry(operator).or_default().push(Site { file, start, end, after });
        }
    }

    /// Adds a mutation for each sample expression whose type is not valid in this place.
    fn add_mistyped(&mut self, operator: Operator, file: usize, span: Span, is_valid: impl Fn(Type) -> bool) {
        let facts: &GameFacts = self.facts;
        for SampleExpr { text, ty } in facts.samples.iter().filter(|sample| !is_valid(sample.ty)) {
            debug_assert!(*ty != Type::Any, "`{text}` has a type");
            self.add(operator, file, span, text.clone());
        }
    }

    fn visit_expr(&mut self, file: usize, expr: &Expr) {
        let facts = self.facts;
        match &expr.kind {
            ExprKind::Field { receiver: of, name, is_optional: false } => {
                if let ExprKind::Name(_) = of.kind {
                    self.add_mistyped(Operator::Receiver, file, of.span, |ty| facts.has_property(ty, &name.text));
                    self.rename_part(file, name.span, &name.text);
                }
                self.drop_pick(file, of, |ty| facts.has_property(ty, &name.text));
            }
            ExprKind::Method { receiver: of, name, arguments, is_optional: false } => {
                if let ExprKind::Name(_) = of.kind
                    && facts.is_known(&name.text, arguments.len() + 1)
                {
                    let total = arguments.len() + 1;
                    self.add_mistyped(Operator::Receiver, file, of.span, |ty| {
                        facts.accepts_type(&name.text, total, 0, ty)
                    });
                }
                let total = arguments.len() + 1;
                if facts.is_known(&name.text, total) {
                    self.drop_pick(file, of, |ty| facts.accepts_type(&name.text, total, 0, ty));
                }
                self.mutate_arguments(file, &name.text, Some(of), arguments);
            }
            ExprKind::Call { name, arguments } => {
                self.mutate_arguments(file, &name.text, None, arguments);
                self.mutate_rule_arguments(file, &name.text, arguments);
            }
            ExprKind::Binary { op, left, right, .. } => self.mutate_binary(file, *op, left, right),
            ExprKind::For { list, .. } => {
                let is_single = |ty| [Type::Seat, Type::Number, Type::Flag, Type::Component, Type::Zone].contains(&ty);
                self.add_mistyped(Operator::List, file, list.span, |ty| !is_single(ty));
            }
            ExprKind::Map(parts) => self.omit_part(file, expr, parts),
            _ => {}
        }
        self.drop_guard(file, expr);
    }

    /// Mutates the arguments of a library function.
    fn mutate_arguments(&mut self, file: usize, name: &str, of: Option<&Expr>, arguments: &[Expr]) {
        let facts = self.facts;
        let behind = usize::from(of.is_some());
        let total = arguments.len() + behind;
        for (at, argument) in arguments.iter().enumerate() {
            if let ExprKind::Closure { .. } = argument.kind {
                self.mutate_closure(file, (name, of), argument, at + behind);
                continue;
            }
            if !facts.is_known(name, total) {
                continue;
            }
            let takes = |ty| facts.accepts_type(name, total, at + behind, ty);
            self.add_mistyped(Operator::Argument, file, argument.span, takes);
            if !takes(Type::List) && !matches!(argument.kind, ExprKind::Text(_) | ExprKind::Number(_)) {
                let several = format!("[{}]", facts.text(file, argument.span));
                self.add(Operator::List, file, argument.span, several);
            }
            let is_list = !takes(Type::Number) && !takes(Type::Text) && !takes(Type::Seat) && !takes(Type::Component);
            if let ExprKind::List(items) = &argument.kind
                && let [first, ..] = items.as_slice()
                && is_list
            {
                self.add(Operator::List, file, argument.span, facts.text(file, first.span));
            }
        }
        self.mutate_lookup(file, name, arguments, behind);
        self.mutate_sought(file, name, of, arguments);
    }

    /// Mutates the argument of `list.contains(item)` and `list.index_of(item)`.
    fn mutate_sought(&mut self, file: usize, name: &str, of: Option<&Expr>, arguments: &[Expr]) {
        let (Some(of), [item, ..]) = (of, arguments) else { return };
        if !["contains", "index_of"].contains(&name) || matches!(item.kind, ExprKind::Closure { .. }) {
            return;
        }
        if self.facts.is_set(of) {
            self.add_mistyped(Operator::SearchItem, file, item.span, |ty| ![Type::Number, Type::Flag].contains(&ty));
        } else if let Some(ty) = entry_type(of) {
            self.add_mistyped(Operator::SearchItem, file, item.span, |other| other == ty);
        }
    }

    /// Mutates the literal in `where("field", literal)` and similar queries.
    fn mutate_lookup(&mut self, file: usize, name: &str, arguments: &[Expr], behind: usize) {
        if behind == 0 || !["where", "find", "count"].contains(&name) {
            return;
        }
        if let [fact, is] = arguments
            && let ExprKind::Text(_) = fact.kind
        {
            self.mutate_literal(Operator::Comparison, file, is);
        }
    }

    /// Replaces a literal with values of other types.
    fn mutate_literal(&mut self, operator: Operator, file: usize, literal: &Expr) {
        let others: &[&str] = match literal.kind {
            ExprKind::Number(_) => &["\"word\"", "first"],
            ExprKind::Text(_) => &["7", "first", "true"],
            ExprKind::Flag(_) => &["\"true\"", "1"],
            _ => &[],
        };
        for other in others {
            self.add(operator, file, literal.span, *other);
        }
    }

    /// Replaces each argument of a rules function with values of types that the function's body certainly rejects.
    fn mutate_rule_arguments(&mut self, file: usize, name: &str, arguments: &[Expr]) {
        let facts = self.facts;
        let Some(called) = facts.functions.iter().find(|function| function.name == name) else { return };
        for (argument, param) in arguments.iter().zip(&called.params) {
            let is_valid = |ty| !facts.rejects(called, param, ty);
            self.add_mistyped(Operator::RuleArgument, file, argument.span, is_valid);
        }
    }

    fn mutate_binary(&mut self, file: usize, op: BinaryOp, left: &Expr, right: &Expr) {
        let both = [(left, right), (right, left)];
        match op {
            op if ARITHMETIC.contains(&op) => {
                for (side, _) in both {
                    self.add_mistyped(Operator::Operand, file, side.span, |ty| ty == Type::Number);
                }
            }
            BinaryOp::Add => {
                let is_number = |other: &Expr| matches!(other.kind, ExprKind::Number(_));
                for (side, _) in both.into_iter().filter(|(_, other)| is_number(other)) {
                    self.add_mistyped(Operator::Operand, file, side.span, |ty| {
                        [Type::Number, Type::Text].contains(&ty)
                    });
                }
            }
            BinaryOp::Equal | BinaryOp::Unequal => {
                for (side, literal) in both {
                    self.mutate_literal(Operator::Comparison, file, literal);
                    if let Some(ty) = literal_type(literal) {
                        self.add_mistyped(Operator::Comparison, file, side.span, |other| other == ty);
                        self.mutate_entries(file, (left, right), literal, ty);
                    }
                }
            }
            BinaryOp::In | BinaryOp::NotIn => self.mutate_containment(file, left, right),
            _ => {}
        }
    }

    /// Replaces a comparison with a comparison of two lists whose entries have different types.
    fn mutate_entries(&mut self, file: usize, (left, right): (&Expr, &Expr), literal: &Expr, ty: Type) {
        let facts: &GameFacts = self.facts;
        let span = Span { start: left.span.start, end: right.span.end };
        let literal = facts.text(file, literal.span);
        for SampleExpr { text, ty: other } in &facts.samples {
            if *other != ty {
                self.add(Operator::ListEntry, file, span, format!("[{text}] == [{literal}]"));
                self.add(Operator::ListEntry, file, span, format!("seats.map(|_one| {text}) != [{literal}]"));
            }
        }
    }

    /// Adds a mutation for each statement in [`GameFacts::changes`]. The statement is inserted before the statement at `span`.
    fn insert_change(&mut self, file: usize, span: Span) {
        let facts: &GameFacts = self.facts;
        let whole = facts.text(file, span);
        for change in &facts.changes {
            self.add(Operator::ForbiddenChange, file, span, format!("{change}; {whole}"));
        }
    }

    /// Mutates the value that is added to a variable that always holds a number.
    fn mutate_added(&mut self, file: usize, counter: &str, node: Node<'_>) {
        let value = match node {
            Node::Statement(Statement {
                kind: StatementKind::Assign { target, op: Some(BinaryOp::Add), value, .. },
                ..
            }) if is_name(target, counter) => value,
            Node::Expr(Expr { kind: ExprKind::Binary { op: BinaryOp::Add, left, right, .. }, .. })
                if is_name(left, counter) =>
            {
                right
            }
            _ => return,
        };
        self.add_mistyped(Operator::Operand, file, value.span, |ty| [Type::Number, Type::Text].contains(&ty));
    }

    fn mutate_containment(&mut self, file: usize, item: &Expr, of: &Expr) {
        if let Some(ty) = entry_type(of) {
            let facts: &GameFacts = self.facts;
            let (span, list) = (Span { start: item.span.start, end: of.span.end }, facts.text(file, of.span));
            for SampleExpr { text, .. } in facts.samples.iter().filter(|thing| thing.ty != ty) {
                self.add(Operator::SearchItem, file, span, format!("{list}.contains({text})"));
                self.add(Operator::SearchItem, file, span, format!("{list}.index_of({text}) >= 0"));
            }
        }
        let holds_none = [Type::Number, Type::Flag, Type::Seat, Type::Component];
        self.add_mistyped(Operator::Container, file, of.span, |ty| !holds_none.contains(&ty));
        let ty = match &of.kind {
            ExprKind::List(items) => items.first().and_then(literal_type),
            _ => literal_type(item),
        };
        if let Some(ty) = ty {
            self.add_mistyped(Operator::Container, file, item.span, |other| other == ty);
        }
        if let ExprKind::List(items) = &of.kind
            && let [first, ..] = items.as_slice()
            && !matches!(first.kind, ExprKind::Text(_))
        {
            self.add(Operator::List, file, of.span, self.facts.text(file, first.span));
        }
    }

    /// Mutates the right-hand side of `thing.value = …`.
    fn mutate_assignment(&mut self, file: usize, statement: &Statement) {
        let facts = self.facts;
        let StatementKind::Assign { target, value, .. } = &statement.kind else { return };
        let ExprKind::Field { name, .. } = &target.kind else { return };
        if !facts.is_part(&name.text) && facts.is_value(&name.text) {
            self.add_mistyped(Operator::Value, file, value.span, |ty| facts.value_takes(&name.text, ty));
        }
    }

    /// Replaces the name of a part in a read access with a name that the map cannot have.
    fn rename_part(&mut self, file: usize, span: Span, name: &str) {
        let facts = self.facts;
        if facts.is_part(name) && !facts.is_of_things(name) {
            for other in
                facts.parts.keys().filter(|other| !facts.is_of_things(other) && !facts.can_share_map(name, other))
            {
                self.add(Operator::Part, file, span, other.clone());
            }
        }
    }

    /// Removes each part that only this map sets and that the rules read without a check.
    fn omit_part(&mut self, file: usize, map: &Expr, parts: &[(parlour::syntax::Name, Expr)]) {
        let facts = self.facts;
        for (at, (name, value)) in parts.iter().enumerate() {
            if !facts.is_set_only_in(&name.text, map.span, file) {
                continue;
            }
            let end = parts.get(at + 1).map_or(value.span.end, |(next, _)| next.span.start);
            let start = if at > 0 && at + 1 == parts.len() { parts[at - 1].1.span.end } else { name.span.start };
            self.add(Operator::Part, file, Span { start, end }, "");
        }
    }

    /// Removes a property such as `first`, so that the next property is read from a collection instead of a single item.
    fn drop_pick(&mut self, file: usize, of: &Expr, is_valid: impl Fn(Type) -> bool) {
        let several = [Type::Pieces, Type::Zones, Type::Spaces, Type::Components, Type::Seats, Type::Zone, Type::Space];
        let ExprKind::Field { receiver: all, name: picked, .. } = &of.kind else { return };
        if PICKS.contains(&&*picked.text) && !several.into_iter().any(is_valid) {
            self.add(Operator::List, file, of.span, self.facts.text(file, all.span));
        }
    }

    fn mutate_closure(&mut self, file: usize, (called, of): (&str, Option<&Expr>), closure: &Expr, at: usize) {
        let ExprKind::Closure { params, body } = &closure.kind else { return };
        let (whole, inside) = (self.facts.text(file, closure.span), self.facts.text(file, body.span));
        let head = whole[..whole.len() - inside.len()].to_owned();
        let is_listing = CHOOSING.contains(&called) && at == 2;
        let is_judging = PREDICATES.contains(&called) || NUMBERS.contains(&called);
        if is_listing || UNCHANGING.contains(&called) {
            for change in &self.facts.changes {
                self.add(Operator::ForbiddenChange, file, body.span, format!("{{ {change}; {inside} }}"));
            }
        }
        if is_listing {
            self.add(Operator::Closure, file, closure.span, format!("|other| {inside}"));
            for other in ["7", "true", "first"] {
                self.add(Operator::Closure, file, body.span, other);
                self.add(Operator::Closure, file, closure.span, other);
            }
        }
        // A closure for a list may have the index as a second parameter, but a closure for a set may not.
        if is_judging
            && of.is_some_and(|of| self.facts.is_set(of))
            && let [param] = params.as_slice()
        {
            self.add(Operator::Closure, file, closure.span, format!("|{}, other| {inside}", param.text));
        }
        let others: &[&str] = match called {
            _ if PREDICATES.contains(&called) => &["7", "\"word\"", "first"],
            _ if NUMBERS.contains(&called) => &["\"word\"", "true", "first"],
            _ => &[],
        };
        for other in others {
            self.add(Operator::Closure, file, closure.span, format!("{head}{other}"));
        }
    }

    /// Replaces the condition of an `if` in a read-only function with a question.
    fn insert_question(&mut self, file: usize, expr: &Expr) {
        if let (ExprKind::If { condition, .. }, Some(decision)) = (&expr.kind, &self.facts.decision) {
            self.add(Operator::ForbiddenQuestion, file, condition.span, format!("confirm(first, \"{decision}\")"));
        }
    }

    /// Removes the check in `x != () && …`, `x == () || …`, and `if x == () { … } else { … }`.
    fn drop_guard(&mut self, file: usize, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
                if let Some(name) = checked_variable(left, BinaryOp::Unequal)
                    && uses(right, name)
                {
                    self.add(Operator::MissingGuard, file, expr.span, self.facts.text(file, right.span));
                }
            }
            ExprKind::Binary { op: BinaryOp::Or, left, right, .. } => {
                if let Some(name) = checked_variable(left, BinaryOp::Equal)
                    && uses(right, name)
                {
                    self.add(Operator::MissingGuard, file, expr.span, self.facts.text(file, right.span));
                }
            }
            ExprKind::If { condition, then, otherwise: Some(otherwise) } => {
                let (is_nothing, is_there) =
                    (checked_variable(condition, BinaryOp::Equal), checked_variable(condition, BinaryOp::Unequal));
                if is_nothing.is_some_and(|name| uses(otherwise, name)) {
                    self.add(Operator::MissingGuard, file, expr.span, self.facts.text(file, otherwise.span));
                }
                if is_there.is_some_and(|name| any_uses(&then.statements, name)) {
                    self.add(Operator::MissingGuard, file, expr.span, self.facts.text(file, then.span));
                }
            }
            _ => {}
        }
    }

    /// Removes `if x == () { return; }` before uses of `x`, and the check in `if x != () { … }` around uses of `x`.
    fn drop_guard_statement(&mut self, file: usize, block: &Block) {
        for (at, statement) in block.statements.iter().enumerate() {
            let StatementKind::Expr(Expr { kind: ExprKind::If { condition, then, otherwise: None }, .. }) =
                &statement.kind
            else {
                continue;
            };
            if let Some(name) = checked_variable(condition, BinaryOp::Equal)
                && then.statements.last().is_some_and(exits_block)
                && any_uses(&block.statements[at + 1..], name)
            {
                self.add(Operator::MissingGuard, file, statement.span, "");
            }
            if let Some(name) = checked_variable(condition, BinaryOp::Unequal)
                && any_uses(&then.statements, name)
            {
                self.add(Operator::MissingGuard, file, statement.span, self.facts.text(file, then.span));
            }
        }
    }
}

/// Returns the variables of a function that certainly hold numbers: they are initialized with number literals, and are assigned only number
/// literals or sums whose first operand is the variable itself.
fn counters(body: &[Statement]) -> Vec<String> {
    let mut all: BTreeMap<String, bool> = BTreeMap::new();
    let mut note = |name: &str, counts: bool| *all.entry(name.to_owned()).or_insert(true) &= counts;
    let is_number = |expr: &Expr| matches!(expr.kind, ExprKind::Number(_));
    each_node(body, &mut |node| match node {
        Node::Statement(Statement { kind: StatementKind::Let { name, value, .. }, .. }) => {
            note(&name.text, value.as_ref().is_some_and(is_number));
        }
        Node::Statement(Statement { kind: StatementKind::Assign { target, op: None, value, .. }, .. }) => {
            if let ExprKind::Name(name) = &target.kind {
                let is_counted =
                    matches!(&value.kind, ExprKind::Binary { op: BinaryOp::Add, left, .. } if is_name(left, name));
                note(name, is_number(value) || is_counted);
            }
        }
        Node::Expr(Expr { kind: ExprKind::Closure { params, .. }, .. }) => {
            for param in params {
                note(&param.text, false);
            }
        }
        Node::Expr(Expr { kind: ExprKind::For { name, counter, .. }, .. }) => {
            std::iter::once(name).chain(counter).for_each(|name| note(&name.text, false));
        }
        _ => {}
    });
    all.into_iter().filter(|(_, counts)| *counts).map(|(name, _)| name).collect()
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(other) if **other == *name)
}

/// Returns the type of a literal.
fn literal_type(expr: &Expr) -> Option<Type> {
    match expr.kind {
        ExprKind::Number(_) => Some(Type::Number),
        ExprKind::Text(_) => Some(Type::Text),
        ExprKind::Flag(_) => Some(Type::Flag),
        _ => None,
    }
}

/// Returns the type of the entries of a list literal, if all entries are literals of the same type.
fn entry_type(list: &Expr) -> Option<Type> {
    let ExprKind::List(items) = &list.kind else { return None };
    let ty = items.first().and_then(literal_type)?;
    items.iter().all(|item| literal_type(item) == Some(ty)).then_some(ty)
}

/// Returns the variable `x` if the condition is `x == ()` or `x != ()`, whichever has the operator `wanted`.
fn checked_variable(condition: &Expr, wanted: BinaryOp) -> Option<&str> {
    let ExprKind::Binary { op, left, right, .. } = &condition.kind else { return None };
    let (ExprKind::Name(name), ExprKind::Unit) = (&left.kind, &right.kind) else { return None };
    (*op == wanted).then_some(name)
}

/// Returns whether a statement is a `return`, `break` or `continue`, so that it always leaves the block.
fn exits_block(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Return(_) | StatementKind::Break(_) | StatementKind::Continue)
}

/// Returns whether statements use a variable in a way that `()` does not support.
fn any_uses(statements: &[Statement], name: &str) -> bool {
    let mut found = false;
    each_node(statements, &mut |node| {
        if let Node::Expr(expr) = node {
            found |= uses_here(expr, name);
        }
    });
    found
}

fn uses(expr: &Expr, name: &str) -> bool {
    let mut found = false;
    parlour::syntax::each_expr_in(expr, &mut |expr| found |= uses_here(expr, name));
    found
}

/// Returns whether an expression accesses a member of a variable or uses the variable in a calculation.
fn uses_here(expr: &Expr, name: &str) -> bool {
    let is_it = |expr: &Expr| is_name(expr, name);
    match &expr.kind {
        ExprKind::Field { receiver: of, is_optional: false, .. }
        | ExprKind::Method { receiver: of, is_optional: false, .. } => is_it(of),
        ExprKind::Binary { op, left, right, .. } if ARITHMETIC.contains(op) => is_it(left) || is_it(right),
        _ => false,
    }
}

/// Returns whether a function accepts maps with any parts.
pub(crate) fn allows_any_parts(name: &str) -> bool {
    WITH_FREE_PARTS.contains(&name)
}
