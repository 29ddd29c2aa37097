//! Variables and parameters that are called like something of the game, which they hide.

use super::super::host::place_of_function;
use super::code::{Code, Graph};
use super::known::Known;
use super::place;
use crate::diagnostic::{Diagnostic, Place};
use rhai::{ASTNode, Stmt};

/// Looks at every name a function gives.
pub(super) fn check(known: &Known<'_>, graph: &Graph, code: &Code, found: &mut Vec<Diagnostic>) {
    let mut given: Vec<(String, Place)> = Vec::new();
    for param in &code.params {
        given.extend(place_of_param(graph, code, param).map(|place| (param.clone(), place)));
    }
    code.walk(&mut |path| {
        let names = match path.last() {
            Some(ASTNode::Stmt(Stmt::Var(var, ..))) => vec![&var.0],
            Some(ASTNode::Stmt(Stmt::For(each, _))) => std::iter::once(&each.0).chain(&each.1).collect(),
            _ => Vec::new(),
        };
        for name in names {
            given.push((name.name.to_string(), place::of_name(&code.source, name.pos, &name.name)));
        }
    });
    for (name, place) in given {
        if let Some(what) = known.what_is(&name) {
            found.push(hidden(&name, what, place));
        }
    }
}

fn hidden(name: &str, what: &str, place: Place) -> Diagnostic {
    Diagnostic::error("hidden-name", format!("two things are called `{name}` here"))
        .mark(place, format!("hides {what} `{name}`"))
        .help("give the variable another name")
}

/// Where a parameter is written; nothing for a variable that a function `|…|` takes hold of.
fn place_of_param(graph: &Graph, code: &Code, param: &str) -> Option<Place> {
    let text = &code.source.text;
    let (start, end) = if code.is_unnamed() {
        let made = graph.to(&code.name).next()?;
        let start = place::at_position(&made.source, made.at).span.start;
        let start = start + text[start..].find('|')? + 1;
        (start, start + text[start..].find('|')?)
    } else {
        let start = place_of_function(&code.source, &code.name).span.end;
        (start, start + text[start..].find(')')?)
    };
    place::find(&code.source, param, start, end)
}
