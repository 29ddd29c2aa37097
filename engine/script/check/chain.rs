//! `a.b.c(d)[e]` as a list of links: the script engine keeps it nested to the right.

use rhai::{ASTFlags, ASTNode, Expr};

/// One step from a thing to another.
pub(super) enum Link<'a> {
    /// `.name` or `.name(…)`.
    Dot(&'a Expr),
    /// `[…]`.
    Index,
}

/// A chain of steps.
pub(super) struct Links<'a> {
    /// What it begins with.
    pub start: &'a Expr,
    /// The steps, in order.
    pub rest: Vec<Link<'a>>,
}

impl<'a> Links<'a> {
    /// The links of an expression; of one that is no chain, its start alone.
    pub(super) fn of(whole: &'a Expr) -> Self {
        let (start, mut rest) = match whole {
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => (&pair.lhs, Vec::new()),
            other => return Self { start: other, rest: Vec::new() },
        };
        let mut current = whole;
        loop {
            let (pair, flags, is_dot) = match current {
                Expr::Dot(pair, flags, _) => (pair, flags, true),
                Expr::Index(pair, flags, _) => (pair, flags, false),
                _ => break,
            };
            let link = |expr| if is_dot { Link::Dot(expr) } else { Link::Index };
            match &pair.rhs {
                Expr::Dot(next, ..) | Expr::Index(next, ..) if !flags.contains(ASTFlags::BREAK) => {
                    rest.push(link(&next.lhs));
                    current = &pair.rhs;
                }
                last => {
                    rest.push(link(last));
                    break;
                }
            }
        }
        Self { start, rest }
    }
}

/// Whether the last node of a path is a later part of a chain that began further up.
pub(super) fn goes_on(path: &[ASTNode<'_>]) -> bool {
    let [.., ASTNode::Expr(Expr::Dot(pair, flags, _) | Expr::Index(pair, flags, _)), ASTNode::Expr(last)] = path else {
        return false;
    };
    std::ptr::eq(&raw const pair.rhs, *last) && !flags.contains(ASTFlags::BREAK)
}
