//! Invariants: each says yes or no, or else stops with what does not hold.

use super::super::vocabulary::functions_that;
use super::Script;
use super::code::{Code, Graph};
use super::known::Known;
use crate::diagnostic::Diagnostic;
use crate::library::{Effects, INVARIANT};
use crate::model::Model;
use rhai::{AST, ASTNode, Stmt, StmtBlock};
use rustc_hash::FxHashSet;

/// What to do with an invariant that says nothing.
pub(in super::super) const HELP: &str = "end it with a comparison, or say what must hold with `ensure(…, \"…\")`";

/// Looks for invariants that may end without an answer, and never stop with a message.
pub(super) fn check(known: &Known<'_>, graph: &Graph, found: &mut Vec<Diagnostic>) {
    let invariants = known.codes.iter().filter(|code| code.name.starts_with(INVARIANT) && known.is_rule(code));
    let silent = invariants.filter(|code| says_nothing(code)).collect::<Vec<&Code>>();
    if silent.is_empty() {
        return;
    }
    let stopping = graph.leading_to(&functions_that(Effects::STOPS));
    for code in silent.into_iter().filter(|code| !stopping.contains(code.name.as_str())) {
        let message = format!("`{}` gives nothing", code.name);
        found.push(Diagnostic::error("wrong-result", message).mark(code.place(), "gives this").help(HELP));
    }
}

/// The functions of compiled rules that may stop with a message.
pub(in super::super) fn telling(model: &Model, ast: &AST) -> FxHashSet<String> {
    let Some(source) = model.scripts.first().cloned() else { return FxHashSet::default() };
    let codes = Code::all(&[Script { source, ast: ast.clone() }]);
    let graph = Graph::new(&codes, &model.named_functions);
    graph.leading_to(&functions_that(Effects::STOPS)).into_iter().map(str::to_owned).collect()
}

/// Whether some way through a function ends without a value for certain.
fn says_nothing(code: &Code) -> bool {
    let mut nothing = true;
    code.walk(&mut |path| {
        if let [ASTNode::Stmt(statement)] = path {
            nothing = gives_nothing(statement);
        }
    });
    nothing
}

fn gives_nothing(statement: &Stmt) -> bool {
    let block = |block: &StmtBlock| block.statements().last().is_none_or(gives_nothing);
    match statement {
        Stmt::If(choice, _) => block(&choice.body) || block(&choice.branch),
        Stmt::Block(inner) => block(inner),
        Stmt::Return(value, ..) => value.is_none(),
        Stmt::Noop(_) | Stmt::Var(..) | Stmt::Assignment(_) | Stmt::For(..) => true,
        _ => false,
    }
}
