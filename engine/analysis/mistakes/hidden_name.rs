//! `hidden-name`: a variable or parameter hides a name of the game.

use super::super::program::{Code, Program};
use crate::diagnostic::Diagnostic;
use crate::syntax::{ExprKind, Name, Node, StatementKind};

/// Reports variables that hide a name of the game.
pub(crate) fn hidden_names(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    for code in &program.codes {
        for name in declared_names(code) {
            if let Some(what) = program.what_is(&name.text) {
                found.push(
                    Diagnostic::error("hidden-name", format!("the name `{}` has two meanings here", name.text))
                        .mark(code.at(name.span), format!("hides {what} `{}`", name.text))
                        .help("give the variable another name"),
                );
            }
        }
    }
}

/// Returns the variables and parameters of a function and of the closures in it.
fn declared_names<'a>(code: &Code<'a>) -> Vec<&'a Name> {
    let mut names: Vec<&Name> = code.tree.params.iter().collect();
    code.tree.each_node(&mut |node| match node {
        Node::Statement(statement) => {
            if let StatementKind::Let { name, .. } = &statement.kind {
                names.push(name);
            }
        }
        Node::Expr(expr) => match &expr.kind {
            ExprKind::For { name, counter, .. } => names.extend(std::iter::once(name).chain(counter)),
            ExprKind::Closure { params, .. } => names.extend(params),
            _ => {}
        },
        Node::Block(_) => {}
    });
    names
}
