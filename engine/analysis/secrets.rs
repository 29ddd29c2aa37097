//! Numbers by lot that everybody is told of, kept where not everybody sees them.

use crate::diagnostic::{Diagnostic, Place, Source};
use crate::model::Model;
use crate::syntax::{Expr, ExprKind, File, Function, Name, Node, StatementKind, each_expr_in};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The word that draws a number by lot; with the number of sides alone it tells everybody.
const ROLL: &str = "roll";

/// The names of values that not everybody sees, whatever they are a value of.
pub(crate) fn hidden_values(model: &Model) -> BTreeSet<Arc<str>> {
    let all = || std::iter::once(model).chain(model.elsewhere.iter().map(|model| &**model));
    let named = |is_public: bool| {
        let values = all().flat_map(|model| &model.values).filter(move |value| value.is_public() == is_public);
        values.map(|value| value.id.clone()).collect::<BTreeSet<_>>()
    };
    &named(false) - &named(true)
}

/// What is wrong of this sort in a file.
pub(crate) fn in_file(source: &Arc<Source>, file: &File, hidden: &BTreeSet<Arc<str>>) -> Vec<Diagnostic> {
    if hidden.is_empty() {
        return Vec::new();
    }
    file.functions.iter().flat_map(|function| in_function(source, function, hidden)).collect()
}

fn in_function(source: &Arc<Source>, function: &Function, hidden: &BTreeSet<Arc<str>>) -> Vec<Diagnostic> {
    let (mut drawn, mut kept) = (Vec::new(), Vec::new());
    function.each_node(&mut |node| {
        let Node::Statement(statement) = node else { return };
        match &statement.kind {
            StatementKind::Let { name, value: Some(value), .. } => {
                drawn.extend(open_roll(value).map(|roll| (name.text.clone(), roll)));
            }
            StatementKind::Assign { target, value, .. } => {
                if let ExprKind::Field { name, .. } = &target.kind
                    && hidden.contains(&name.text)
                {
                    kept.push((name, value));
                }
            }
            _ => {}
        }
    });
    let told = kept.into_iter().filter_map(|(value, expr)| {
        let variable = |expr: &Expr| match &expr.kind {
            ExprKind::Name(name) => drawn.iter().find(|(drawn, _)| drawn == name).map(|(_, roll)| *roll),
            _ => None,
        };
        let roll = open_roll(expr).or_else(|| variable(expr))?;
        Some(told_to_all(source, value, roll))
    });
    told.collect()
}

/// A roll of a number that everybody is told of, somewhere in an expression.
fn open_roll(expr: &Expr) -> Option<&Name> {
    let mut found = None;
    each_expr_in(expr, &mut |inner| {
        if let ExprKind::Call { name, arguments } = &inner.kind
            && &*name.text == ROLL
            && arguments.len() == 1
        {
            found = found.or(Some(name));
        }
    });
    found
}

fn told_to_all(source: &Arc<Source>, value: &Name, roll: &Name) -> Diagnostic {
    let place = |name: &Name| Place { source: source.clone(), span: name.span.range() };
    let found = Diagnostic::warning(
        "told-roll",
        format!("not everybody sees `{}`, but everybody is told the number rolled for it", value.text),
    );
    found
        .mark(place(roll), "told to all")
        .mark(place(value), "kept here")
        .help("give the seat that may know it, `roll(sides, seat)`; nobody is told what `any_of([1, 2, 3])` gives")
}
