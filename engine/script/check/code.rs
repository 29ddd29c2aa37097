//! One function of the rules, taken out of its file for a walk of its own; and who calls whom.

use super::super::host::{Function, place_of_function};
use super::{Script, place};
use crate::diagnostic::{Place, Source};
use crate::model::NamedFunction;
use rhai::{AST, ASTNode, Expr, FnPtr, Position, Stmt, StmtBlock};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The script engine's names for functions `|…|` begin like this.
const UNNAMED: &str = "anon$";

/// A function of the rules, written `fn` or `|…|`.
#[derive(Clone)]
pub(in crate::script) struct Code {
    /// Its name; a made one for `|…|`.
    pub(super) name: String,
    /// Its parameters.
    pub(super) params: Vec<String>,
    /// The file it is written in.
    pub(super) source: Arc<Source>,
    ast: AST,
}

impl Code {
    /// Every function of all files.
    pub(in crate::script) fn all(scripts: &[Script]) -> Vec<Self> {
        let mut all = Vec::new();
        for script in scripts {
            for function in script.ast.iter_fn_def() {
                let mut ast = script.ast.clone();
                ast.clear_statements();
                ast.retain_functions(|_, _, name, arity| name == function.name && arity == function.params.len());
                let params = function.params.iter().map(ToString::to_string).collect();
                all.push(Self { name: function.name.to_string(), params, source: script.source.clone(), ast });
            }
        }
        all.sort_by(|a, b| (&a.source.path, &a.name).cmp(&(&b.source.path, &b.name)));
        all
    }

    /// What a text of a play says outside of functions, which has no name: what is known in it alone is like parameters.
    pub(super) fn of_text(text: &Script, own: &[String]) -> Self {
        let mut ast = text.ast.clone();
        ast.clear_functions();
        Self { name: String::new(), params: own.to_vec(), source: text.source.clone(), ast }
    }

    /// Whether it is what a text of a play says outside of functions.
    pub(super) fn is_text(&self) -> bool {
        self.name.is_empty()
    }

    /// Whether it is written `|…|`.
    pub(super) fn is_unnamed(&self) -> bool {
        is_name_of_unnamed(&self.name)
    }

    /// Where its name stands.
    pub(super) fn place(&self) -> Place {
        place_of_function(&self.source, &self.name)
    }

    /// Goes through everything in it: what is visited comes last in a path of what it lies in, outermost first. A path of
    /// one is a statement of the function itself.
    pub(super) fn walk(&self, work: &mut dyn FnMut(&[ASTNode<'_>])) {
        self.ast.walk(&mut |path: &[ASTNode<'_>]| visit(path, work));
    }
}

/// The walk of the script engine leaves out what follows `break`.
fn visit(path: &[ASTNode<'_>], work: &mut dyn FnMut(&[ASTNode<'_>])) -> bool {
    work(path);
    if let Some(ASTNode::Stmt(Stmt::BreakLoop(Some(value), ..))) = path.last() {
        value.walk(&mut path.to_vec(), &mut |path: &[ASTNode<'_>]| visit(path, work));
    }
    true
}

/// Whether a function is written `|…|`.
pub(super) fn is_unnamed(function: &Function) -> bool {
    is_name_of_unnamed(&function.name)
}

/// Whether a name is one that the script engine gives a function `|…|`.
pub(super) fn is_name_of_unnamed(name: &str) -> bool {
    name.starts_with(UNNAMED)
}

/// The name of the function `|…|` that an expression stands for.
pub(super) fn unnamed(expr: &Expr) -> Option<String> {
    match expr {
        Expr::DynamicConstant(value, _) => {
            value.clone().try_cast::<FnPtr>().map(|function| function.fn_name().to_owned())
        }
        // One that takes hold of variables: a block that ends in the call that hands them over.
        Expr::Stmt(block) => match block.statements().last() {
            Some(Stmt::Expr(last)) => unnamed(last),
            Some(Stmt::FnCall(call, _)) if super::calls::is_capture(call) => unnamed(&call.args[0]),
            _ => None,
        },
        Expr::FnCall(call, _) if super::calls::is_capture(call) => unnamed(&call.args[0]),
        _ => None,
    }
}

/// The blocks that a node holds directly.
pub(super) fn blocks<'n>(node: &ASTNode<'n>) -> Vec<&'n StmtBlock> {
    match node {
        ASTNode::Stmt(Stmt::If(flow, _) | Stmt::While(flow, _) | Stmt::Do(flow, ..)) => vec![&flow.body, &flow.branch],
        ASTNode::Stmt(Stmt::For(each, _)) => vec![&each.2.body],
        ASTNode::Stmt(Stmt::Block(block)) | ASTNode::Expr(Expr::Stmt(block)) => vec![block],
        _ => Vec::new(),
    }
}

/// One function calls another, or a word of the vocabulary, or makes a function `|…|`.
pub(super) struct Edge {
    /// Who calls.
    pub from: String,
    /// What is called.
    pub to: String,
    /// The file of the call.
    pub source: Arc<Source>,
    /// The position of the call.
    pub at: Position,
}

impl Edge {
    /// Where the called name stands.
    pub(super) fn place(&self) -> Place {
        place::of_name(&self.source, self.at, &self.to)
    }
}

/// Every call in the rules.
pub(super) struct Graph {
    edges: Vec<Edge>,
    from: FxHashMap<String, Vec<usize>>,
    to: FxHashMap<String, Vec<usize>>,
}

impl Graph {
    /// The calls of all functions. A call of what a field names, such as `card.play(seat)`, may come to any function that is
    /// named there.
    pub(super) fn new(all: &[Code], named: &[NamedFunction]) -> Self {
        let mut edges = Vec::new();
        for code in all {
            code.walk(&mut |path| {
                let Some((to, at)) = path.last().and_then(called) else { return };
                let edge = |to: String| Edge { from: code.name.clone(), to, source: code.source.clone(), at };
                let fields = named.iter().filter(|named| *named.field == *to);
                let mut functions: Vec<String> = fields.map(|named| named.function.to_string()).collect();
                functions.sort();
                functions.dedup();
                edges.extend(functions.into_iter().map(edge));
                edges.push(edge(to));
            });
        }
        let (mut from, mut to): (FxHashMap<_, Vec<_>>, FxHashMap<_, Vec<_>>) = Default::default();
        for (at, edge) in edges.iter().enumerate() {
            from.entry(edge.from.clone()).or_default().push(at);
            to.entry(edge.to.clone()).or_default().push(at);
        }
        Self { edges, from, to }
    }

    /// The calls in a function.
    pub(super) fn from(&self, function: &str) -> impl Iterator<Item = &Edge> {
        self.from.get(function).into_iter().flatten().map(|at| &self.edges[*at])
    }

    /// The calls of a function or word.
    pub(super) fn to(&self, function: &str) -> impl Iterator<Item = &Edge> {
        self.to.get(function).into_iter().flatten().map(|at| &self.edges[*at])
    }

    /// Goes from a function to every function it may come to, as far as nobody has gone before; `seen` holds those.
    pub(super) fn go_from<'g>(&'g self, root: &'g str, seen: &mut FxHashSet<&'g str>) -> Vec<&'g str> {
        spread(root, seen, |function| self.from(function).map(|edge| edge.to.as_str()).collect())
    }

    /// Every function that may come to one of some words.
    pub(super) fn leading_to<'g>(&'g self, words: &[&'g str]) -> FxHashSet<&'g str> {
        let mut seen = FxHashSet::default();
        for word in words {
            spread(word, &mut seen, |function| self.to(function).map(|edge| edge.from.as_str()).collect());
        }
        seen
    }
}

/// What can be reached from a name and was not seen before, nearest first.
fn spread<'g>(root: &'g str, seen: &mut FxHashSet<&'g str>, next: impl Fn(&str) -> Vec<&'g str>) -> Vec<&'g str> {
    let mut reached: Vec<&str> = if seen.insert(root) { vec![root] } else { Vec::new() };
    let mut at = 0;
    while let Some(function) = reached.get(at).copied() {
        reached.extend(next(function).into_iter().filter(|found| seen.insert(found)));
        at += 1;
    }
    reached
}

/// What a node calls, or what function it makes.
fn called(node: &ASTNode<'_>) -> Option<(String, Position)> {
    match node {
        ASTNode::Expr(Expr::FnCall(call, at) | Expr::MethodCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at)) => {
            let is_call = !call.is_operator_call() && !super::calls::is_capture(call);
            is_call.then(|| (call.name.to_string(), *at))
        }
        ASTNode::Expr(made @ Expr::DynamicConstant(_, at)) => unnamed(made).map(|name| (name, *at)),
        _ => None,
    }
}

/// Whether a variable was not found among the local ones by the compiler.
pub(super) fn is_unbound(expr: &Expr) -> bool {
    matches!(expr, Expr::Variable(name, short, _) if name.0.is_none() && short.is_none())
}

/// How often each name of a function is given something.
pub(super) fn times_given(code: &Code) -> FxHashMap<String, usize> {
    let mut times: FxHashMap<String, usize> = FxHashMap::default();
    let mut count = |name: &str| *times.entry(name.to_owned()).or_default() += 1;
    code.params.iter().for_each(|name| count(name));
    each_statement(code, &mut |statement| match statement {
        Stmt::Var(var, ..) => count(&var.0.name),
        Stmt::For(each, _) => {
            count(&each.0.name);
            each.1.iter().for_each(|counter| count(&counter.name));
        }
        Stmt::Assignment(assignment) => {
            if let Expr::Variable(name, ..) = &assignment.1.lhs {
                count(&name.1);
                count(&name.1);
            }
        }
        _ => {}
    });
    times
}

/// Every statement of a function.
pub(super) fn each_statement(code: &Code, work: &mut dyn FnMut(&Stmt)) {
    code.walk(&mut |path| {
        if let Some(ASTNode::Stmt(statement)) = path.last() {
            work(statement);
        }
    });
}
