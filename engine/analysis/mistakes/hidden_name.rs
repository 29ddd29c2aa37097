//! `hidden-name`: a variable or parameter is called like something of the game, which it hides.

use super::super::program::{Code, Program};
use crate::diagnostic::Diagnostic;
use crate::syntax::{ExprKind, Name, Node, StatementKind};

/// Looks at every name that functions give.
pub(crate) fn hidden_names(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    for code in &program.codes {
        for name in given(code) {
            if let Some(what) = program.what_is(&name.text) {
                found.push(
                    Diagnostic::error("hidden-name", format!("two things are called `{}` here", name.text))
                        .mark(code.at(name.span), format!("hides {what} `{}`", name.text))
                        .help("give the variable another name"),
                );
            }
        }
    }
}

/// The variables and parameters of a function, and those of the functions `|…|` in it.
fn given<'a>(code: &Code<'a>) -> Vec<&'a Name> {
    let mut given: Vec<&Name> = code.tree.params.iter().collect();
    code.tree.each_node(&mut |node| match node {
        Node::Statement(statement) => {
            if let StatementKind::Let { name, .. } = &statement.kind {
                given.push(name);
            }
        }
        Node::Expr(expr) => match &expr.kind {
            ExprKind::For { name, counter, .. } => given.extend(std::iter::once(name).chain(counter)),
            ExprKind::Closure { params, .. } => given.extend(params),
            _ => {}
        },
        Node::Block(_) => {}
    });
    given
}
