//! Functions `|…|` that take hold of variables: the script engine shares these variables, and then copies of lists
//! change each other, leak, or stop it altogether. So they may only be handed straight to a word that calls them.

use super::code::Code;
use super::{Visit, place};
use crate::diagnostic::{Diagnostic, Place};
use crate::library::{Pattern, own_functions};
use rhai::{ASTNode, Expr, Stmt, SwitchCasesCollection};

/// Variables that a function `|…|` takes hold of, as the script engine keeps them.
type Taken = rhai::FnArgsVec<(rhai::Ident, Option<std::num::NonZeroUsize>)>;

/// The variables of a file that any function `|…|` takes hold of.
pub(super) fn shared_names<'c>(codes: impl Iterator<Item = &'c Code>) -> Vec<String> {
    let mut names = Vec::new();
    for code in codes {
        code.walk(&mut |path| {
            if let Some(ASTNode::Stmt(Stmt::Share(taken))) = path.last() {
                names.extend(taken.iter().filter(|(_, index)| index.is_some()).map(|(name, _)| name.name.to_string()));
            }
        });
    }
    names
}

/// Checks where a function that takes hold of variables stands.
pub(super) fn check(visit: &mut Visit<'_>, path: &[ASTNode<'_>], taken: &Taken) {
    let Some((first, _)) = taken.first() else { return };
    let is_argument = match path {
        [
            ..,
            ASTNode::Expr(Expr::MethodCall(call, _) | Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)),
            ASTNode::Expr(arg @ Expr::Stmt(..)),
            _,
        ] => calls_back(visit, &call.name) && call.args.iter().any(|one| std::ptr::eq(&raw const *one, *arg)),
        _ => false,
    };
    if !is_argument {
        let found = Diagnostic::error("kept-function", format!("a function `|…|` that uses `{}` cannot be kept", first.name))
            .mark(place::of_name(visit.source, first.pos, &first.name), "a variable from outside the function")
            .help("give the function straight to `filter`, `choose` or another word that calls it, or write an `fn` that is given what it needs");
        visit.found.push(found);
    } else if let Some((name, _)) =
        begun_with(path).and_then(|begun| taken.iter().find(|(name, _)| name.name == *begun))
    {
        let here = place::of_name(visit.source, name.pos, &name.name);
        visit.found.push(used_meanwhile(here, &name.name));
    }
}

/// The variable that the chain of dots begins with in which a function `|…|` is an argument: `hand` of
/// `hand.pieces.filter(|card| …)`.
fn begun_with<'n>(path: &[ASTNode<'n>]) -> Option<&'n str> {
    let [before @ .., ASTNode::Expr(Expr::MethodCall(..)), ASTNode::Expr(Expr::Stmt(..)), _] = path else {
        return None;
    };
    let links = before.iter().rev().map_while(|node| match node {
        ASTNode::Expr(Expr::Dot(pair, ..) | Expr::Index(pair, ..)) => Some(&pair.lhs),
        _ => None,
    });
    match links.last()? {
        Expr::Variable(name, ..) => Some(&*name.1),
        _ => None,
    }
}

/// The script engine holds on to a variable while it goes through what belongs to it.
fn used_meanwhile(here: Place, name: &str) -> Diagnostic {
    Diagnostic::error("used-meanwhile", format!("`{name}` stands before the dot and in the function `|…|`"))
        .mark(here, "in use already while the function runs")
        .help("give what stands before the last dot to a variable first, and go through that")
}

fn calls_back(visit: &Visit<'_>, name: &str) -> bool {
    let words = visit.known.functions_named(name).flat_map(|word| &word.takes);
    let own = own_functions().iter().filter(|own| own.name == name).flat_map(|own| &own.takes);
    words.chain(own).any(Pattern::is_called)
}

/// A `switch` gives a shared variable itself, not what is in it.
pub(super) fn check_switch(visit: &mut Visit<'_>, switch: &(Expr, SwitchCasesCollection)) {
    let mut found = Vec::new();
    for case in &switch.1.expressions {
        if let Expr::Variable(name, _, at) = result_of(&case.rhs)
            && visit.shared.iter().any(|shared| **shared == *name.1)
        {
            let place = place::of_name(visit.source, *at, &name.1);
            let message = format!("a `switch` cannot give `{}`, which a function `|…|` uses too", name.1);
            found.push(
                Diagnostic::error("shared-variable", message)
                    .mark(place, "gives the variable itself")
                    .help("write `if … else …` instead of the `switch`"),
            );
        }
    }
    visit.found.append(&mut found);
}

/// What an arm gives: of a block its last expression.
fn result_of(arm: &Expr) -> &Expr {
    match arm {
        Expr::Stmt(block) => match block.statements().last() {
            Some(Stmt::Expr(expr)) => result_of(expr),
            _ => arm,
        },
        other => other,
    }
}
