//! Syntax tree of the rules language. Nodes have source spans. Binding resolves the calls of the game's own functions; nothing else is
//! resolved or evaluated.

use std::ops::Range;
use std::sync::Arc;

/// A byte range of a source, on character boundaries. 32 bits are enough because the loader limits files to far less than 4 GiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// Returns the span from the start of this span to the end of `end`.
    #[must_use]
    pub fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end.max(self.start) }
    }

    /// Converts the span to a range of byte offsets.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A name with its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Text of the name. Empty if the name is missing in the source.
    pub text: Arc<str>,
    /// Span of the name.
    pub span: Span,
}

/// Id of an expression, unique among all sources that are parsed with the same counter. The analysis uses it as a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

/// A parsed file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct File {
    /// Functions, in source order.
    pub functions: Vec<Function>,
    /// Statements outside functions. Rule files must not contain any.
    pub statements: Vec<Statement>,
}

/// A function definition: `fn name(params) { … }`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Name of the function.
    pub name: Name,
    /// Key of the function, unique among the functions of the rules and of one agent. This is the name of the function, unless an agent's
    /// function hides a rule function.
    pub key: Arc<str>,
    /// Names of the parameters.
    pub params: Vec<Name>,
    /// Whether the parameter list could be parsed.
    pub has_params: bool,
    /// Body of the function.
    pub body: Block,
    /// Span of the doc comment.
    pub doc: Option<Span>,
    /// Span of the definition, without the doc comment.
    pub span: Span,
}

/// Statements in braces. The value of the last statement is the value of the block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// Span of the block, including the braces.
    pub span: Span,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Kind of the statement.
    pub kind: StatementKind,
    /// Span of the statement, without the semicolon.
    pub span: Span,
}

/// Kinds of statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
    /// `let name = value`.
    Let {
        /// The new variable.
        name: Name,
        /// Initial value. If it is left out, the variable begins as `()`.
        value: Option<Expr>,
    },
    /// `target = value`, or a compound assignment such as `target += value`.
    Assign {
        /// A variable, or a field or an entry of a variable.
        target: Expr,
        /// Operator that combines the old and the new value; `None` for `=`.
        op: Option<BinaryOp>,
        /// Span of the assignment operator.
        op_span: Span,
        /// The assigned value.
        value: Expr,
    },
    /// An expression. If it is the last statement of a block, its value is the value of the block.
    Expr(Expr),
    /// `return value`, or `return`.
    Return(Option<Expr>),
    /// `break value`, or `break`.
    Break(Option<Expr>),
    /// `continue`.
    Continue,
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// Kind of the expression.
    pub kind: ExprKind,
    /// Span of the expression, including parentheses around it.
    pub span: Span,
    /// Unique id.
    pub id: ExprId,
}

/// Kinds of expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExprKind {
    /// Placeholder for an expression that is missing or could not be parsed.
    Missing,
    /// `()`.
    Unit,
    /// `true` or `false`.
    Flag(bool),
    /// An integer literal.
    Number(i64),
    /// `"text"`.
    Text(Arc<str>),
    /// `` `text ${expression} text` ``.
    Template(Vec<Segment>),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `#{ name: value }`.
    Map(Vec<(Name, Expr)>),
    /// A variable, or a name that the game or the engine declares.
    Name(Arc<str>),
    /// `receiver.name`, or `receiver?.name`.
    Field {
        /// The value that has the field.
        receiver: Box<Expr>,
        /// Name of the field.
        name: Name,
        /// Whether the result is `()` if the receiver is `()` (the `?.` form).
        is_optional: bool,
    },
    /// `receiver[index]`, or `receiver?[index]`.
    Index {
        /// The list, map or other value that is indexed.
        receiver: Box<Expr>,
        /// The index.
        index: Box<Expr>,
        /// Whether the result is `()` if the receiver is `()` (the `?[` form).
        is_optional: bool,
    },
    /// `name(arguments)`.
    Call {
        /// Name of the function.
        name: Name,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `receiver.name(arguments)`, or `receiver?.name(arguments)`.
    Method {
        /// The receiver, which is passed as the first argument.
        receiver: Box<Expr>,
        /// Name of the function.
        name: Name,
        /// The other arguments.
        arguments: Vec<Expr>,
        /// Whether the result is `()` if the receiver is `()` (the `?.` form).
        is_optional: bool,
    },
    /// A call of a function that the game defines itself: a [`Call`](Self::Call) or [`Method`](Self::Method) after binding.
    OwnCall {
        /// The name as written.
        name: Name,
        /// Key of the called function.
        key: Arc<str>,
        /// All arguments. A receiver is the first argument.
        arguments: Vec<Expr>,
        /// Form in which the call is written.
        form: CallForm,
    },
    /// `-a`, `+a`, `!a`.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: Box<Expr>,
    },
    /// `a op b`.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Span of the operator.
        op_span: Span,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `|params| body`.
    Closure {
        /// Names of the parameters.
        params: Vec<Name>,
        /// The body.
        body: Box<Statement>,
    },
    /// `{ … }`.
    Block(Block),
    /// `if condition { … } else …`.
    If {
        /// The condition.
        condition: Box<Expr>,
        /// Block that runs if the condition holds.
        then: Block,
        /// Expression that runs otherwise: a block, or another `if`.
        otherwise: Option<Box<Expr>>,
    },
    /// `switch subject { … }`.
    Switch {
        /// The value that is matched.
        subject: Box<Expr>,
        /// The cases, tried in order.
        cases: Vec<Case>,
    },
    /// `while condition { … }`, or `loop { … }`.
    While {
        /// Condition checked before each iteration; `None` for `loop`.
        condition: Option<Box<Expr>>,
        /// Body of the loop.
        body: Block,
    },
    /// `do { … } while condition`.
    DoWhile {
        /// Body of the loop.
        body: Block,
        /// Condition checked after each iteration.
        condition: Box<Expr>,
    },
    /// `for name in list { … }`, or `for (name, counter) in list`.
    For {
        /// Variable for the entry.
        name: Name,
        /// Variable for the index of the entry, from 0.
        counter: Option<Name>,
        /// The list or range that is iterated.
        list: Box<Expr>,
        /// Body of the loop.
        body: Block,
    },
}

/// Form in which a call of a game's own function is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallForm {
    /// `name(first, second)`.
    Plain,
    /// `first.name(second)`.
    Method,
    /// `first?.name(second)`, which is `()` if `first` is `()`.
    OptionalMethod,
}

/// A segment of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Literal text.
    Text(String),
    /// Code whose value is inserted: `${ … }`.
    Code(Block),
}

/// A case of a `switch`: `pattern | pattern if condition => body`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Literals and ranges. Empty for `_`.
    pub patterns: Vec<Expr>,
    /// Guard: a condition that must also hold.
    pub condition: Option<Expr>,
    /// Statement that runs if the case matches.
    pub body: Statement,
    /// Span of the whole case.
    pub span: Span,
}

/// A prefix operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `!`
    Not,
}

impl UnaryOp {
    /// Returns the operator's symbol.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Plus => "+",
            Self::Not => "!",
        }
    }
}

/// An infix operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `??`
    Coalesce,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `in`
    In,
    /// `!in`
    NotIn,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `..`
    Range,
    /// `..=`
    RangeInclusive,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `**`
    Power,
}

impl BinaryOp {
    /// All operators with their symbols and precedences. The precedences are the same as in the script engine. Operators with higher
    /// precedence bind more tightly.
    pub const ALL: [(Self, &'static str, u8); 19] = [
        (Self::Or, "||", 30),
        (Self::And, "&&", 60),
        (Self::Equal, "==", 90),
        (Self::Unequal, "!=", 90),
        (Self::In, "in", 110),
        (Self::NotIn, "!in", 110),
        (Self::Less, "<", 130),
        (Self::LessOrEqual, "<=", 130),
        (Self::Greater, ">", 130),
        (Self::GreaterOrEqual, ">=", 130),
        (Self::Coalesce, "??", 135),
        (Self::Range, "..", 140),
        (Self::RangeInclusive, "..=", 140),
        (Self::Add, "+", 150),
        (Self::Subtract, "-", 150),
        (Self::Multiply, "*", 180),
        (Self::Divide, "/", 180),
        (Self::Remainder, "%", 180),
        (Self::Power, "**", 190),
    ];

    /// Returns the operator with this symbol, and its precedence. Returns `None` if there is none.
    pub fn from_symbol(symbol: &str) -> Option<(Self, u8)> {
        Self::ALL.iter().find(|(_, known, _)| *known == symbol).map(|(op, _, precedence)| (*op, *precedence))
    }

    /// Returns the operator's symbol.
    pub fn symbol(self) -> &'static str {
        Self::ALL.iter().find(|(known, ..)| *known == self).map_or("", |(_, symbol, _)| symbol)
    }

    /// Returns whether the operator compares the order of two values.
    pub const fn is_ordering(self) -> bool {
        matches!(self, Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual)
    }

    /// Returns whether the operator tests two values for equality or compares their order.
    pub const fn is_comparison(self) -> bool {
        matches!(self, Self::Equal | Self::Unequal) || self.is_ordering()
    }
}

impl Expr {
    /// Returns the innermost receiver of a chain of fields, indices and method calls. A call that is bound to one of the game's own
    /// functions is not followed further. If the expression is not such a chain, returns the expression itself.
    pub fn start(&self) -> &Self {
        match &self.kind {
            ExprKind::Field { receiver: of, .. }
            | ExprKind::Index { receiver: of, .. }
            | ExprKind::Method { receiver: of, .. } => of.start(),
            _ => self,
        }
    }
}

/// A node of the tree, as passed to visitors.
#[derive(Clone, Copy)]
pub enum Node<'t> {
    /// A statement.
    Statement(&'t Statement),
    /// An expression.
    Expr(&'t Expr),
    /// A block.
    Block(&'t Block),
}

impl Function {
    /// Returns whether the function accepts this number of arguments. Always returns `true` if the parameters could not be parsed.
    pub fn takes(&self, arguments: usize) -> bool {
        !self.has_params || self.params.len() == arguments
    }

    /// Visits all nodes of the body in pre-order.
    pub fn each_node<'t>(&'t self, visit: &mut dyn FnMut(Node<'t>)) {
        walk_block(&self.body, visit);
    }
}

/// Visits all expressions in the statements in pre-order.
pub fn each_expr<'t>(statements: &'t [Statement], visit: &mut dyn FnMut(&'t Expr)) {
    each_node(statements, &mut |node| {
        if let Node::Expr(expr) = node {
            visit(expr);
        }
    });
}

/// Visits the expression and all expressions inside it in pre-order.
pub fn each_expr_in<'t>(expr: &'t Expr, visit: &mut dyn FnMut(&'t Expr)) {
    walk_expr(expr, &mut |node| {
        if let Node::Expr(expr) = node {
            visit(expr);
        }
    });
}

/// Visits all statements in pre-order, including nested ones.
pub fn each_statement<'t>(statements: &'t [Statement], visit: &mut dyn FnMut(&'t Statement)) {
    each_node(statements, &mut |node| {
        if let Node::Statement(statement) = node {
            visit(statement);
        }
    });
}

/// Visits all nodes of the statements in pre-order.
pub fn each_node<'t>(statements: &'t [Statement], visit: &mut dyn FnMut(Node<'t>)) {
    for statement in statements {
        walk_statement(statement, visit);
    }
}

fn walk_block<'t>(block: &'t Block, visit: &mut dyn FnMut(Node<'t>)) {
    visit(Node::Block(block));
    each_node(&block.statements, visit);
}

fn walk_statement<'t>(statement: &'t Statement, visit: &mut dyn FnMut(Node<'t>)) {
    visit(Node::Statement(statement));
    match &statement.kind {
        StatementKind::Let { value, .. } | StatementKind::Return(value) | StatementKind::Break(value) => {
            walk_exprs(value, visit);
        }
        StatementKind::Assign { target, value, .. } => {
            walk_expr(target, visit);
            walk_expr(value, visit);
        }
        StatementKind::Expr(expr) => walk_expr(expr, visit),
        StatementKind::Continue => {}
    }
}

fn walk_exprs<'t>(exprs: impl IntoIterator<Item = &'t Expr>, visit: &mut dyn FnMut(Node<'t>)) {
    for expr in exprs {
        walk_expr(expr, visit);
    }
}

fn walk_expr<'t>(expr: &'t Expr, visit: &mut dyn FnMut(Node<'t>)) {
    visit(Node::Expr(expr));
    match &expr.kind {
        ExprKind::Missing
        | ExprKind::Unit
        | ExprKind::Flag(_)
        | ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Name(_) => {}
        ExprKind::Template(segments) => {
            for segment in segments {
                if let Segment::Code(block) = segment {
                    walk_block(block, visit);
                }
            }
        }
        ExprKind::List(items) => walk_exprs(items, visit),
        ExprKind::Map(parts) => walk_exprs(parts.iter().map(|(_, value)| value), visit),
        ExprKind::Field { receiver: of, .. } => walk_expr(of, visit),
        ExprKind::Index { receiver: of, index, .. } => {
            walk_expr(of, visit);
            walk_expr(index, visit);
        }
        ExprKind::Call { arguments, .. } | ExprKind::OwnCall { arguments, .. } => walk_exprs(arguments, visit),
        ExprKind::Method { receiver: of, arguments, .. } => {
            walk_expr(of, visit);
            walk_exprs(arguments, visit);
        }
        ExprKind::Unary { operand, .. } => walk_expr(operand, visit),
        ExprKind::Binary { left, right, .. } => {
            walk_expr(left, visit);
            walk_expr(right, visit);
        }
        ExprKind::Closure { body, .. } => walk_statement(body, visit),
        ExprKind::Block(block) => walk_block(block, visit),
        ExprKind::If { condition, then, otherwise } => {
            walk_expr(condition, visit);
            walk_block(then, visit);
            walk_exprs(otherwise.as_deref(), visit);
        }
        ExprKind::Switch { subject, cases } => {
            walk_expr(subject, visit);
            for case in cases {
                walk_exprs(case.patterns.iter().chain(&case.condition), visit);
                walk_statement(&case.body, visit);
            }
        }
        ExprKind::While { condition, body } => {
            walk_exprs(condition.as_deref(), visit);
            walk_block(body, visit);
        }
        ExprKind::DoWhile { body, condition } => {
            walk_block(body, visit);
            walk_expr(condition, visit);
        }
        ExprKind::For { list, body, .. } => {
            walk_expr(list, visit);
            walk_block(body, visit);
        }
    }
}
