//! The tree of rule text: what is written, and where, with nothing evaluated.

use std::ops::Range;
use std::sync::Arc;

/// A stretch of bytes of a text, on character boundaries. Texts of rules are far smaller than four gigabytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The first byte behind it.
    pub end: u32,
}

impl Span {
    /// The bytes from one position up to another.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// From the start of one stretch to the end of another.
    #[must_use]
    pub fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end.max(self.start) }
    }

    /// The same as a range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A name where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name; empty where it is missing.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// The number of an expression, by which others keep what they find out about it: unlike over all texts read together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

/// A whole text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct File {
    /// The functions, in the order in which they are written.
    pub functions: Vec<Function>,
    /// What stands outside of every function.
    pub statements: Vec<Statement>,
}

/// A function: `fn name(params) { … }`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// The names of what it takes.
    pub params: Vec<Name>,
    /// Whether that could be read.
    pub has_params: bool,
    /// What it does.
    pub body: Block,
    /// The `///` lines before it.
    pub doc: Option<Span>,
    /// From `fn` to the closing brace.
    pub span: Span,
}

/// Statements in braces; the last one is what the block results in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// The statements in order.
    pub statements: Vec<Statement>,
    /// From brace to brace.
    pub span: Span,
}

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What it says.
    pub kind: StatementKind,
    /// Where, without the semicolon.
    pub span: Span,
}

/// What a statement says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
    /// `let name = value`.
    Let {
        /// The variable.
        name: Name,
        /// What it is given; without it, `()`.
        value: Option<Expr>,
    },
    /// `target = value`, or `target op= value`.
    Assign {
        /// A variable, or something of it.
        target: Expr,
        /// What is done with what is there, if anything.
        op: Option<BinaryOp>,
        /// Where the `=` stands.
        op_span: Span,
        /// What is set.
        value: Expr,
    },
    /// An expression whose result may be that of the block.
    Expr(Expr),
    /// `return value`.
    Return(Option<Expr>),
    /// `break value`.
    Break(Option<Expr>),
    /// `continue`.
    Continue,
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, with its brackets.
    pub span: Span,
    /// Its number.
    pub id: ExprId,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExprKind {
    /// What could not be read, or is not written yet.
    Missing,
    /// `()`.
    Unit,
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// `"text"`.
    Text(Arc<str>),
    /// `` `text ${expression} text` ``.
    Template(Vec<Segment>),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `#{ name: value }`.
    Map(Vec<(Name, Expr)>),
    /// A variable, or a name of the game.
    Name(Arc<str>),
    /// `of.name`, or `of?.name`.
    Field {
        /// What has it.
        of: Box<Expr>,
        /// Its name.
        name: Name,
        /// Whether `()` has `()`.
        is_optional: bool,
    },
    /// `of[index]`, or `of?[index]`.
    Index {
        /// What is looked into.
        of: Box<Expr>,
        /// Where.
        index: Box<Expr>,
        /// Whether `()` has `()`.
        is_optional: bool,
    },
    /// `name(arguments)`.
    Call {
        /// The function.
        name: Name,
        /// What it is given.
        arguments: Vec<Expr>,
    },
    /// `of.name(arguments)`, or `of?.name(arguments)`.
    Method {
        /// The first argument.
        of: Box<Expr>,
        /// The function.
        name: Name,
        /// The others.
        arguments: Vec<Expr>,
        /// Whether `()` results in `()`.
        is_optional: bool,
    },
    /// `-a`, `+a`, `!a`.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// What it is applied to.
        operand: Box<Expr>,
    },
    /// `a op b`.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Where it stands.
        op_span: Span,
        /// What stands before it.
        left: Box<Expr>,
        /// What stands behind it.
        right: Box<Expr>,
    },
    /// `|params| body`.
    Closure {
        /// The names of what it takes.
        params: Vec<Name>,
        /// What it does.
        body: Box<Statement>,
    },
    /// `{ … }`.
    Block(Block),
    /// `if condition { … } else …`.
    If {
        /// What is asked.
        condition: Box<Expr>,
        /// What follows if so.
        then: Block,
        /// What follows if not: a block, or another `if`.
        otherwise: Option<Box<Expr>>,
    },
    /// `switch subject { … }`.
    Switch {
        /// What is looked at.
        subject: Box<Expr>,
        /// The cases in order.
        cases: Vec<Case>,
    },
    /// `while condition { … }`, or `loop { … }`.
    While {
        /// What is asked before each turn, if anything.
        condition: Option<Box<Expr>>,
        /// What is done.
        body: Block,
    },
    /// `do { … } while condition`.
    DoWhile {
        /// What is done.
        body: Block,
        /// What is asked after each turn.
        condition: Box<Expr>,
    },
    /// `for name in list { … }`, or `for (name, counter) in list`.
    For {
        /// What each is called.
        name: Name,
        /// What its position is called, from 0.
        counter: Option<Name>,
        /// What is iterated.
        list: Box<Expr>,
        /// What is done with each.
        body: Block,
    },
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// As it is written.
    Text(String),
    /// Put in: `${ … }`.
    Code(Block),
}

/// A case of a `switch`: `pattern | pattern if condition => body`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The literals and ranges; none for `_`.
    pub patterns: Vec<Expr>,
    /// What must hold as well.
    pub condition: Option<Expr>,
    /// What is done.
    pub body: Statement,
    /// All of it.
    pub span: Span,
}

/// An operator before one operand.
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
    /// How it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Plus => "+",
            Self::Not => "!",
        }
    }
}

/// An operator between two operands.
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
    /// Every operator, with how it is written and how tightly it binds: that of the script engine's grammar.
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

    /// The operator written so, with how tightly it binds.
    pub fn written(text: &str) -> Option<(Self, u8)> {
        Self::ALL.iter().find(|(_, symbol, _)| *symbol == text).map(|(op, _, precedence)| (*op, *precedence))
    }

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        Self::ALL.iter().find(|(known, ..)| *known == self).map_or("", |(_, symbol, _)| symbol)
    }

    /// Whether it asks which of two values comes first.
    pub const fn is_ordering(self) -> bool {
        matches!(self, Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual)
    }

    /// Whether it compares two values.
    pub const fn is_comparison(self) -> bool {
        matches!(self, Self::Equal | Self::Unequal) || self.is_ordering()
    }
}

impl Expr {
    /// What a chain of dots and brackets begins with; of what is none, the whole.
    pub fn start(&self) -> &Self {
        match &self.kind {
            ExprKind::Field { of, .. } | ExprKind::Index { of, .. } | ExprKind::Method { of, .. } => of.start(),
            _ => self,
        }
    }
}

/// Something in a tree.
#[derive(Clone, Copy)]
pub enum Node<'t> {
    /// A statement.
    Statement(&'t Statement),
    /// An expression.
    Expr(&'t Expr),
    /// Statements in braces.
    Block(&'t Block),
}

impl Function {
    /// Whether it can be called with so many arguments, as far as that could be read.
    pub fn takes(&self, arguments: usize) -> bool {
        !self.has_params || self.params.len() == arguments
    }

    /// Visits everything in it, what contains something before that.
    pub fn each_node<'t>(&'t self, visit: &mut dyn FnMut(Node<'t>)) {
        in_block(&self.body, visit);
    }
}

/// Visits every expression of some statements, those that contain others first.
pub fn each_expr<'t>(statements: &'t [Statement], visit: &mut dyn FnMut(&'t Expr)) {
    each_node(statements, &mut |node| {
        if let Node::Expr(expr) = node {
            visit(expr);
        }
    });
}

/// Visits an expression and all within it, those that contain others first.
pub fn each_expr_in<'t>(expr: &'t Expr, visit: &mut dyn FnMut(&'t Expr)) {
    in_expr(expr, &mut |node| {
        if let Node::Expr(expr) = node {
            visit(expr);
        }
    });
}

/// Visits every statement of some, and those within them.
pub fn each_statement<'t>(statements: &'t [Statement], visit: &mut dyn FnMut(&'t Statement)) {
    each_node(statements, &mut |node| {
        if let Node::Statement(statement) = node {
            visit(statement);
        }
    });
}

/// Visits everything in some statements, what contains something before that.
pub fn each_node<'t>(statements: &'t [Statement], visit: &mut dyn FnMut(Node<'t>)) {
    for statement in statements {
        in_statement(statement, visit);
    }
}

fn in_block<'t>(block: &'t Block, visit: &mut dyn FnMut(Node<'t>)) {
    visit(Node::Block(block));
    each_node(&block.statements, visit);
}

fn in_statement<'t>(statement: &'t Statement, visit: &mut dyn FnMut(Node<'t>)) {
    visit(Node::Statement(statement));
    match &statement.kind {
        StatementKind::Let { value, .. } | StatementKind::Return(value) | StatementKind::Break(value) => {
            in_each(value, visit);
        }
        StatementKind::Assign { target, value, .. } => {
            in_expr(target, visit);
            in_expr(value, visit);
        }
        StatementKind::Expr(expr) => in_expr(expr, visit),
        StatementKind::Continue => {}
    }
}

fn in_each<'t>(exprs: impl IntoIterator<Item = &'t Expr>, visit: &mut dyn FnMut(Node<'t>)) {
    for expr in exprs {
        in_expr(expr, visit);
    }
}

fn in_expr<'t>(expr: &'t Expr, visit: &mut dyn FnMut(Node<'t>)) {
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
                    in_block(block, visit);
                }
            }
        }
        ExprKind::List(items) => in_each(items, visit),
        ExprKind::Map(parts) => in_each(parts.iter().map(|(_, value)| value), visit),
        ExprKind::Field { of, .. } => in_expr(of, visit),
        ExprKind::Index { of, index, .. } => {
            in_expr(of, visit);
            in_expr(index, visit);
        }
        ExprKind::Call { arguments, .. } => arguments.iter().for_each(|argument| in_expr(argument, visit)),
        ExprKind::Method { of, arguments, .. } => {
            in_expr(of, visit);
            in_each(arguments, visit);
        }
        ExprKind::Unary { operand, .. } => in_expr(operand, visit),
        ExprKind::Binary { left, right, .. } => {
            in_expr(left, visit);
            in_expr(right, visit);
        }
        ExprKind::Closure { body, .. } => in_statement(body, visit),
        ExprKind::Block(block) => in_block(block, visit),
        ExprKind::If { condition, then, otherwise } => {
            in_expr(condition, visit);
            in_block(then, visit);
            in_each(otherwise.as_deref(), visit);
        }
        ExprKind::Switch { subject, cases } => {
            in_expr(subject, visit);
            for case in cases {
                in_each(case.patterns.iter().chain(&case.condition), visit);
                in_statement(&case.body, visit);
            }
        }
        ExprKind::While { condition, body } => {
            in_each(condition.as_deref(), visit);
            in_block(body, visit);
        }
        ExprKind::DoWhile { body, condition } => {
            in_block(body, visit);
            in_expr(condition, visit);
        }
        ExprKind::For { list, body, .. } => {
            in_expr(list, visit);
            in_block(body, visit);
        }
    }
}
