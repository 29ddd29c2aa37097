//! One function of the rules, taken out of its file for a walk of its own.

use super::super::host::Function;
use super::Script;
use crate::diagnostic::Source;
use rhai::{AST, ASTNode, Expr, FnPtr, Stmt};
use rustc_hash::FxHashMap;
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

    /// Whether it is written `|…|`.
    pub(super) fn is_unnamed(&self) -> bool {
        is_name_of_unnamed(&self.name)
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
