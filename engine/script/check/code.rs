//! One function of the rules, taken out of its file for a walk of its own.

use super::super::host::Function;
use super::Script;
use crate::diagnostic::Source;
use rhai::{AST, ASTNode, Expr, Stmt};
use std::sync::Arc;

/// The script engine's names for functions `|…|` begin like this.
const UNNAMED: &str = "anon$";

/// A function of the rules, written `fn` or `|…|`.
#[derive(Clone)]
pub(in crate::script) struct Code {
    /// Its name; a made one for `|…|`.
    pub(super) name: String,
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
                all.push(Self { name: function.name.to_string(), source: script.source.clone(), ast });
            }
        }
        all.sort_by(|a, b| (&a.source.path, &a.name).cmp(&(&b.source.path, &b.name)));
        all
    }

    /// What a text of a play says outside of functions, which has no name.
    pub(super) fn of_text(text: &Script) -> Self {
        let mut ast = text.ast.clone();
        ast.clear_functions();
        Self { name: String::new(), source: text.source.clone(), ast }
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

/// Whether a variable was not found among the local ones by the compiler.
pub(super) fn is_unbound(expr: &Expr) -> bool {
    matches!(expr, Expr::Variable(name, short, _) if name.0.is_none() && short.is_none())
}
