//! Finds rule functions that never return, because every call of them ends the game.

use super::inference::{FunctionTypes, Tree};
use crate::analysis::language::Language;
use crate::library::Pattern;
use crate::syntax::{Block, Expr, ExprKind, Statement, StatementKind, each_statement};
use rustc_hash::FxHashSet;

/// Maximum number of passes over all functions. Each pass follows at least one more call of a chain that ends the game. Without a limit, the
/// number of passes could grow with the number of functions.
const MAX_PASSES: usize = 50;

/// Returns the keys of functions that certainly never return. Functions with a `return` statement are not included, nor are functions at the
/// beginning of very long chains of calls.
pub(super) fn never_returning<'a>(functions: &[FunctionTypes<'a>], language: &Language) -> FxHashSet<&'a str> {
    let mut found = FxHashSet::default();
    for _ in 0..MAX_PASSES {
        let before = found.len();
        for known in functions {
            if let Tree::Function(function) = known.tree
                && !found.contains(known.key)
                && ends_game(&function.body.statements, language, &found)
                && !has_return(&function.body.statements)
            {
                found.insert(known.key);
            }
        }
        if found.len() == before {
            break;
        }
    }
    found
}

fn has_return(statements: &[Statement]) -> bool {
    let mut found = false;
    each_statement(statements, &mut |statement| found |= matches!(statement.kind, StatementKind::Return(_)));
    found
}

/// Returns whether one of the statements certainly runs and ends the game.
fn ends_game(statements: &[Statement], language: &Language, known: &FxHashSet<&str>) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Let { value: Some(value), .. } | StatementKind::Assign { value, .. } => {
            expr_ends_game(value, language, known)
        }
        StatementKind::Expr(expr) => expr_ends_game(expr, language, known),
        _ => false,
    })
}

fn expr_ends_game(expr: &Expr, language: &Language, known: &FxHashSet<&str>) -> bool {
    let block_ends = |block: &Block| ends_game(&block.statements, language, known);
    match &expr.kind {
        ExprKind::Call { name, arguments } => {
            let mut forms =
                language.functions(&name.text).iter().filter(|form| form.takes.len() == arguments.len()).peekable();
            forms.peek().is_some() && forms.all(|form| form.returns == Pattern::Never)
        }
        ExprKind::OwnCall { key, .. } => known.contains(&**key),
        ExprKind::Block(block) => block_ends(block),
        ExprKind::If { condition, then, otherwise } => {
            expr_ends_game(condition, language, known)
                || block_ends(then) && otherwise.as_ref().is_some_and(|other| expr_ends_game(other, language, known))
        }
        _ => false,
    }
}
