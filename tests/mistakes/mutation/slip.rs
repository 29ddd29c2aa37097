//! Slips of types: something of one type where only things of another can stand. What each operator does was written down before
//! the checks that look for it.
//!
//! A slip is drawn only where it is wrong for certain by what the game's files and the reference say: a thing is replaced by one
//! whose type has no such property, that no form of the function takes, or that the operator does not work with. Whatever may
//! be right all the same is left out by rule: values that any type may be, arguments that a function never looks at, names
//! that a thing may have as well.

use super::things::{Function, Thing, Things};
use parlour::decision::Type;
use parlour::syntax::{BinaryOp, Block, Expr, ExprKind, Node, Span, Statement, StatementKind, each_node};
use parlour::table::Chance;
use std::collections::BTreeMap;
use std::fmt;

/// What a slip does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operator {
    /// Something else stands before a dot.
    Receiver,
    /// A function of the reference is given something else.
    Argument,
    /// A function of the rules is given something else.
    Handed,
    /// An operator of numbers has something else beside it.
    Operand,
    /// What is compared is of another type.
    Comparison,
    /// What something is looked for in holds nothing, or nothing of this type.
    Containment,
    /// `contains` and `index_of` look for what a list has no entry of.
    Sought,
    /// Lists are compared whose entries are of different types.
    Entries,
    /// A value is set to something else.
    Value,
    /// A part is asked for that the map does not have, or is left out where the map is made.
    Part,
    /// Whether something is `()` is not asked any more.
    Unchecked,
    /// A function `|…|` takes more, results in something else, or is none.
    Closure,
    /// One thing stands for several, or several for one.
    List,
    /// A decision is asked where rules only look.
    Asking,
    /// Something changes where rules only look.
    Changing,
}

impl Operator {
    /// Every operator, in the order of the report.
    pub(crate) const ALL: [Self; 15] = [
        Self::Receiver,
        Self::Argument,
        Self::Handed,
        Self::Operand,
        Self::Comparison,
        Self::Containment,
        Self::Sought,
        Self::Entries,
        Self::Value,
        Self::Part,
        Self::Unchecked,
        Self::Closure,
        Self::List,
        Self::Asking,
        Self::Changing,
    ];

    /// What the report calls it.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Receiver => "another receiver",
            Self::Argument => "another argument",
            Self::Handed => "handed something else",
            Self::Operand => "another operand",
            Self::Comparison => "unlike types compared",
            Self::Containment => "contained in what holds none",
            Self::Sought => "looked for in a list of others",
            Self::Entries => "lists of unlike entries",
            Self::Value => "value set to another type",
            Self::Part => "missing part",
            Self::Unchecked => "`()` not asked for",
            Self::Closure => "function of another shape",
            Self::List => "one for several",
            Self::Asking => "asks while looking",
            Self::Changing => "changes while looking",
        }
    }
}

/// A place in a file, and what is written there instead.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Site {
    file: usize,
    start: usize,
    end: usize,
    after: String,
}

/// A slip in a game.
pub(crate) struct Slip {
    /// What it does.
    pub(crate) operator: Operator,
    /// The files with it.
    pub(crate) texts: Vec<(String, String)>,
    place: String,
    line: String,
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.operator.title(), self.place, self.line)
    }
}

/// Every slip that can be made in a game.
pub(crate) struct Slips {
    texts: Vec<(String, String)>,
    sites: BTreeMap<Operator, Vec<Site>>,
}

impl Slips {
    /// All slips of a game's rules.
    pub(crate) fn new(texts: Vec<(String, String)>) -> Self {
        let things = Things::new(&texts);
        let mut found = Finder { things: &things, sites: BTreeMap::new() };
        for function in &things.functions {
            found.function(function);
        }
        let mut sites = found.sites;
        for sites in sites.values_mut() {
            sites.sort();
            sites.dedup();
        }
        Self { texts, sites }
    }

    /// How many slips an operator can make.
    pub(crate) fn count(&self, operator: Operator) -> usize {
        self.sites.get(&operator).map_or(0, Vec::len)
    }

    /// A slip drawn at random: first what it does, then where.
    pub(crate) fn draw(&self, chance: &mut Chance) -> Slip {
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
        Slip { operator: *operator, texts, place: format!("{path}:{}", number + 1), line }
    }
}

/// The operators that work between numbers.
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

/// The functions whose function `|…|` says yes or no.
const PREDICATES: [&str; 5] = ["filter", "find", "some", "all", "count"];

/// The functions whose function `|…|` results in a number.
const NUMBERS: [&str; 5] = ["sum", "largest", "smallest", "with_most", "with_least"];

/// The functions whose function `|…|` lists options, behind the seat and the decision.
const CHOOSING: [&str; 5] = ["choose", "choose_if_any", "choose_or_pass", "choose_some", "choose_order"];

/// The functions whose functions `|…|` change nothing, whatever else they do.
const UNCHANGING: [&str; 1] = ["together"];

/// The properties that result in one of several things.
const PICKS: [&str; 4] = ["first", "last", "top", "bottom"];

/// The functions whose maps may have any parts.
const OF_ANY_PARTS: [&str; 3] = ["say", "altered", "altering"];

struct Finder<'t> {
    things: &'t Things,
    sites: BTreeMap<Operator, Vec<Site>>,
}

impl Finder<'_> {
    fn function(&mut self, function: &Function) {
        let looks = self.things.looking.contains(&function.name);
        let body = std::slice::from_ref(&function.body);
        for counter in counters(body) {
            each_node(body, &mut |node| self.added(function.file, &counter, node));
        }
        each_node(body, &mut |node| match node {
            Node::Expr(expr) => {
                self.expr(function.file, expr);
                if looks {
                    self.asking(function.file, expr);
                }
            }
            Node::Statement(statement) => {
                self.assignment(function.file, statement);
                if looks {
                    self.changing(function.file, statement.span);
                }
            }
            Node::Block(block) => self.unchecked(function.file, block),
        });
        if let StatementKind::Expr(Expr { kind: ExprKind::Block(block), .. }) = &function.body.kind {
            self.unchecked(function.file, block);
        }
    }

    fn add(&mut self, operator: Operator, file: usize, span: Span, after: impl Into<String>) {
        let (start, end, after) = (span.start as usize, span.end as usize, after.into());
        if self.things.text(file, span) != after {
            self.sites.entry(operator).or_default().push(Site { file, start, end, after });
        }
    }

    /// Whatever is at hand of a type that does not suit.
    fn misfits(&mut self, operator: Operator, file: usize, span: Span, suits: impl Fn(Type) -> bool) {
        let things: &Things = self.things;
        for Thing { text, sort } in things.at_hand.iter().filter(|thing| !suits(thing.sort)) {
            debug_assert!(*sort != Type::Any, "`{text}` is of a type");
            self.add(operator, file, span, text.clone());
        }
    }

    fn expr(&mut self, file: usize, expr: &Expr) {
        let things = self.things;
        match &expr.kind {
            ExprKind::Field { of, name, is_optional: false } => {
                if let ExprKind::Name(_) = of.kind {
                    self.misfits(Operator::Receiver, file, of.span, |sort| things.has(sort, &name.text));
                    self.part(file, name.span, &name.text);
                }
                self.pick(file, of, |sort| things.has(sort, &name.text));
            }
            ExprKind::Method { of, name, arguments, is_optional: false } => {
                if let ExprKind::Name(_) = of.kind
                    && things.is_known(&name.text, arguments.len() + 1)
                {
                    let total = arguments.len() + 1;
                    self.misfits(Operator::Receiver, file, of.span, |sort| things.takes(&name.text, total, 0, sort));
                }
                let total = arguments.len() + 1;
                if things.is_known(&name.text, total) {
                    self.pick(file, of, |sort| things.takes(&name.text, total, 0, sort));
                }
                self.arguments(file, &name.text, Some(of), arguments);
            }
            ExprKind::Call { name, arguments } => {
                self.arguments(file, &name.text, None, arguments);
                self.handed(file, &name.text, arguments);
            }
            ExprKind::Binary { op, left, right, .. } => self.binary(file, *op, left, right),
            ExprKind::For { list, .. } => {
                let is_single =
                    |sort| [Type::Seat, Type::Number, Type::Flag, Type::Component, Type::Zone].contains(&sort);
                self.misfits(Operator::List, file, list.span, |sort| !is_single(sort));
            }
            ExprKind::Map(parts) => self.left_out(file, expr, parts),
            _ => {}
        }
        self.dropped(file, expr);
    }

    /// Arguments of a function of the reference, and what stands before the dot.
    fn arguments(&mut self, file: usize, name: &str, of: Option<&Expr>, arguments: &[Expr]) {
        let things = self.things;
        let behind = usize::from(of.is_some());
        let total = arguments.len() + behind;
        for (at, argument) in arguments.iter().enumerate() {
            if let ExprKind::Closure { .. } = argument.kind {
                self.closure(file, (name, of), argument, at + behind);
                continue;
            }
            if !things.is_known(name, total) {
                continue;
            }
            let takes = |sort| things.takes(name, total, at + behind, sort);
            self.misfits(Operator::Argument, file, argument.span, takes);
            if !takes(Type::List) && !matches!(argument.kind, ExprKind::Text(_) | ExprKind::Number(_)) {
                let several = format!("[{}]", things.text(file, argument.span));
                self.add(Operator::List, file, argument.span, several);
            }
            let is_list = !takes(Type::Number) && !takes(Type::Text) && !takes(Type::Seat) && !takes(Type::Component);
            if let ExprKind::List(items) = &argument.kind
                && let [first, ..] = items.as_slice()
                && is_list
            {
                self.add(Operator::List, file, argument.span, things.text(file, first.span));
            }
        }
        self.looked_up(file, name, arguments, behind);
        self.sought(file, name, of, arguments);
    }

    /// `list.contains(something)`, `list.index_of(something)`: something of another type.
    fn sought(&mut self, file: usize, name: &str, of: Option<&Expr>, arguments: &[Expr]) {
        let (Some(of), [item, ..]) = (of, arguments) else { return };
        if !["contains", "index_of"].contains(&name) || matches!(item.kind, ExprKind::Closure { .. }) {
            return;
        }
        if self.things.is_set(of) {
            self.misfits(Operator::Sought, file, item.span, |sort| ![Type::Number, Type::Flag].contains(&sort));
        } else if let Some(sort) = entries_sort(of) {
            self.misfits(Operator::Sought, file, item.span, |other| other == sort);
        }
    }

    /// `where("fact", literal)`: a literal of another type.
    fn looked_up(&mut self, file: usize, name: &str, arguments: &[Expr], behind: usize) {
        if behind == 0 || !["where", "find", "count"].contains(&name) {
            return;
        }
        if let [fact, is] = arguments
            && let ExprKind::Text(_) = fact.kind
        {
            self.literal(Operator::Comparison, file, is);
        }
    }

    /// A literal of another type.
    fn literal(&mut self, operator: Operator, file: usize, literal: &Expr) {
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

    /// Arguments of a function of the rules, by what it does with them itself.
    fn handed(&mut self, file: usize, name: &str, arguments: &[Expr]) {
        let things = self.things;
        let Some(called) = things.functions.iter().find(|function| function.name == name) else { return };
        for (argument, param) in arguments.iter().zip(&called.params) {
            let suits = |sort| !things.refuses(called, param, sort);
            self.misfits(Operator::Handed, file, argument.span, suits);
        }
    }

    fn binary(&mut self, file: usize, op: BinaryOp, left: &Expr, right: &Expr) {
        let both = [(left, right), (right, left)];
        match op {
            op if ARITHMETIC.contains(&op) => {
                for (side, _) in both {
                    self.misfits(Operator::Operand, file, side.span, |sort| sort == Type::Number);
                }
            }
            BinaryOp::Add => {
                let is_number = |other: &Expr| matches!(other.kind, ExprKind::Number(_));
                for (side, _) in both.into_iter().filter(|(_, other)| is_number(other)) {
                    self.misfits(Operator::Operand, file, side.span, |sort| [Type::Number, Type::Text].contains(&sort));
                }
            }
            BinaryOp::Equal | BinaryOp::Unequal => {
                for (side, literal) in both {
                    self.literal(Operator::Comparison, file, literal);
                    if let Some(sort) = literal_sort(literal) {
                        self.misfits(Operator::Comparison, file, side.span, |other| other == sort);
                        self.entries(file, (left, right), literal, sort);
                    }
                }
            }
            BinaryOp::In | BinaryOp::NotIn => self.containment(file, left, right),
            _ => {}
        }
    }

    /// `[…] == [literal]` in the place of a comparison: entries of another type.
    fn entries(&mut self, file: usize, (left, right): (&Expr, &Expr), literal: &Expr, sort: Type) {
        let things: &Things = self.things;
        let span = Span { start: left.span.start, end: right.span.end };
        let literal = things.text(file, literal.span);
        for Thing { text, sort: other } in &things.at_hand {
            if *other != sort {
                self.add(Operator::Entries, file, span, format!("[{text}] == [{literal}]"));
                self.add(Operator::Entries, file, span, format!("seats.map(|_one| {text}) != [{literal}]"));
            }
        }
    }

    /// Something changes before a statement, or where a function `|…|` begins.
    fn changing(&mut self, file: usize, span: Span) {
        let things: &Things = self.things;
        let whole = things.text(file, span);
        for change in &things.changes {
            self.add(Operator::Changing, file, span, format!("{change}; {whole}"));
        }
    }

    /// What is added to a variable that only counts.
    fn added(&mut self, file: usize, counter: &str, node: Node<'_>) {
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
        self.misfits(Operator::Operand, file, value.span, |sort| [Type::Number, Type::Text].contains(&sort));
    }

    fn containment(&mut self, file: usize, item: &Expr, of: &Expr) {
        if let Some(sort) = entries_sort(of) {
            let things: &Things = self.things;
            let (span, list) = (Span { start: item.span.start, end: of.span.end }, things.text(file, of.span));
            for Thing { text, .. } in things.at_hand.iter().filter(|thing| thing.sort != sort) {
                self.add(Operator::Sought, file, span, format!("{list}.contains({text})"));
                self.add(Operator::Sought, file, span, format!("{list}.index_of({text}) >= 0"));
            }
        }
        let holds_none = [Type::Number, Type::Flag, Type::Seat, Type::Component];
        self.misfits(Operator::Containment, file, of.span, |sort| !holds_none.contains(&sort));
        let sort = match &of.kind {
            ExprKind::List(items) => items.first().and_then(literal_sort),
            _ => literal_sort(item),
        };
        if let Some(sort) = sort {
            self.misfits(Operator::Containment, file, item.span, |other| other == sort);
        }
        if let ExprKind::List(items) = &of.kind
            && let [first, ..] = items.as_slice()
            && !matches!(first.kind, ExprKind::Text(_))
        {
            self.add(Operator::List, file, of.span, self.things.text(file, first.span));
        }
    }

    /// `thing.value = something else`.
    fn assignment(&mut self, file: usize, statement: &Statement) {
        let things = self.things;
        let StatementKind::Assign { target, value, .. } = &statement.kind else { return };
        let ExprKind::Field { name, .. } = &target.kind else { return };
        if !things.is_part(&name.text) && things.is_value(&name.text) {
            self.misfits(Operator::Value, file, value.span, |sort| things.value_takes(&name.text, sort));
        }
    }

    /// Another part is asked for.
    fn part(&mut self, file: usize, span: Span, name: &str) {
        let things = self.things;
        if things.is_part(name) && !things.is_of_things(name) {
            for other in things.parts.keys().filter(|other| !things.is_of_things(other) && !things.meet(name, other)) {
                self.add(Operator::Part, file, span, other.clone());
            }
        }
    }

    /// A part is left out that stands in one map alone, and that rules ask for without looking first.
    fn left_out(&mut self, file: usize, map: &Expr, parts: &[(parlour::syntax::Name, Expr)]) {
        let things = self.things;
        for (at, (name, value)) in parts.iter().enumerate() {
            if !things.is_only_in(&name.text, map.span, file) {
                continue;
            }
            let end = parts.get(at + 1).map_or(value.span.end, |(next, _)| next.span.start);
            let start = if at > 0 && at + 1 == parts.len() { parts[at - 1].1.span.end } else { name.span.start };
            self.add(Operator::Part, file, Span { start, end }, "");
        }
    }

    /// One of several is asked for something: several are.
    fn pick(&mut self, file: usize, of: &Expr, suits: impl Fn(Type) -> bool) {
        let several = [Type::Pieces, Type::Zones, Type::Spaces, Type::Components, Type::Seats, Type::Zone, Type::Space];
        let ExprKind::Field { of: all, name: picked, .. } = &of.kind else { return };
        if PICKS.contains(&&*picked.text) && !several.into_iter().any(suits) {
            self.add(Operator::List, file, of.span, self.things.text(file, all.span));
        }
    }

    fn closure(&mut self, file: usize, (called, of): (&str, Option<&Expr>), closure: &Expr, at: usize) {
        let ExprKind::Closure { params, body } = &closure.kind else { return };
        let (whole, inside) = (self.things.text(file, closure.span), self.things.text(file, body.span));
        let head = whole[..whole.len() - inside.len()].to_owned();
        let is_listing = CHOOSING.contains(&called) && at == 2;
        let is_judging = PREDICATES.contains(&called) || NUMBERS.contains(&called);
        if is_listing || UNCHANGING.contains(&called) {
            for change in &self.things.changes {
                self.add(Operator::Changing, file, body.span, format!("{{ {change}; {inside} }}"));
            }
        }
        if is_listing {
            self.add(Operator::Closure, file, closure.span, format!("|other| {inside}"));
            for other in ["7", "true", "first"] {
                self.add(Operator::Closure, file, body.span, other);
                self.add(Operator::Closure, file, closure.span, other);
            }
        }
        // Of a list a function may be given the position as well.
        if is_judging
            && of.is_some_and(|of| self.things.is_set(of))
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

    /// What is asked where rules only look.
    fn asking(&mut self, file: usize, expr: &Expr) {
        if let (ExprKind::If { condition, .. }, Some(decision)) = (&expr.kind, &self.things.decision) {
            self.add(Operator::Asking, file, condition.span, format!("confirm(first, \"{decision}\")"));
        }
    }

    /// `x != () && …`, `x == () || …`, and `if x == () { … } else { … }` as an expression.
    fn dropped(&mut self, file: usize, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
                if let Some(name) = asks_nothing(left, BinaryOp::Unequal)
                    && needs(right, name)
                {
                    self.add(Operator::Unchecked, file, expr.span, self.things.text(file, right.span));
                }
            }
            ExprKind::Binary { op: BinaryOp::Or, left, right, .. } => {
                if let Some(name) = asks_nothing(left, BinaryOp::Equal)
                    && needs(right, name)
                {
                    self.add(Operator::Unchecked, file, expr.span, self.things.text(file, right.span));
                }
            }
            ExprKind::If { condition, then, otherwise: Some(otherwise) } => {
                let (is_nothing, is_there) =
                    (asks_nothing(condition, BinaryOp::Equal), asks_nothing(condition, BinaryOp::Unequal));
                if is_nothing.is_some_and(|name| needs(otherwise, name)) {
                    self.add(Operator::Unchecked, file, expr.span, self.things.text(file, otherwise.span));
                }
                if is_there.is_some_and(|name| any_needs(&then.statements, name)) {
                    self.add(Operator::Unchecked, file, expr.span, self.things.text(file, then.span));
                }
            }
            _ => {}
        }
    }

    /// `if x == () { return; }` before something that needs `x`, and `if x != () { … }` around it.
    fn unchecked(&mut self, file: usize, block: &Block) {
        for (at, statement) in block.statements.iter().enumerate() {
            let StatementKind::Expr(Expr { kind: ExprKind::If { condition, then, otherwise: None }, .. }) =
                &statement.kind
            else {
                continue;
            };
            if let Some(name) = asks_nothing(condition, BinaryOp::Equal)
                && then.statements.last().is_some_and(leaves)
                && any_needs(&block.statements[at + 1..], name)
            {
                self.add(Operator::Unchecked, file, statement.span, "");
            }
            if let Some(name) = asks_nothing(condition, BinaryOp::Unequal)
                && any_needs(&then.statements, name)
            {
                self.add(Operator::Unchecked, file, statement.span, self.things.text(file, then.span));
            }
        }
    }
}

/// The variables of a function that begin with a written number wherever they do, and are given only such numbers and what is
/// calculated from them.
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

/// The type of a literal.
fn literal_sort(expr: &Expr) -> Option<Type> {
    match expr.kind {
        ExprKind::Number(_) => Some(Type::Number),
        ExprKind::Text(_) => Some(Type::Text),
        ExprKind::Flag(_) => Some(Type::Flag),
        _ => None,
    }
}

/// The type of the entries of a list that is written out, where they are literals of one type.
fn entries_sort(list: &Expr) -> Option<Type> {
    let ExprKind::List(items) = &list.kind else { return None };
    let sort = items.first().and_then(literal_sort)?;
    items.iter().all(|item| literal_sort(item) == Some(sort)).then_some(sort)
}

/// The variable that `x == ()` or `x != ()` asks of.
fn asks_nothing(condition: &Expr, wanted: BinaryOp) -> Option<&str> {
    let ExprKind::Binary { op, left, right, .. } = &condition.kind else { return None };
    let (ExprKind::Name(name), ExprKind::Unit) = (&left.kind, &right.kind) else { return None };
    (*op == wanted).then_some(name)
}

/// Whether a statement leaves the block for good.
fn leaves(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Return(_) | StatementKind::Break(_) | StatementKind::Continue)
}

/// Whether statements ask something of a variable, until it is set anew.
fn any_needs(statements: &[Statement], name: &str) -> bool {
    let mut found = false;
    each_node(statements, &mut |node| {
        if let Node::Expr(expr) = node {
            found |= needs_here(expr, name);
        }
    });
    found
}

fn needs(expr: &Expr, name: &str) -> bool {
    let mut found = false;
    parlour::syntax::each_expr_in(expr, &mut |expr| found |= needs_here(expr, name));
    found
}

/// Whether an expression asks something of a variable that `()` does not have, or calculates with it.
fn needs_here(expr: &Expr, name: &str) -> bool {
    let is_it = |expr: &Expr| is_name(expr, name);
    match &expr.kind {
        ExprKind::Field { of, is_optional: false, .. } | ExprKind::Method { of, is_optional: false, .. } => is_it(of),
        ExprKind::Binary { op, left, right, .. } if ARITHMETIC.contains(op) => is_it(left) || is_it(right),
        _ => false,
    }
}

/// Whether a map is handed to something that takes maps of any parts.
pub(crate) fn is_of_any_parts(name: &str) -> bool {
    OF_ANY_PARTS.contains(&name)
}
