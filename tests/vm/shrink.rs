//! Shrinks a program while a property still holds.

use parlour::diagnostic::Source;
use parlour::syntax::{self, ExprKind, Node};
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of candidates that are tried.
const MAX_TRIES: usize = 3_000;

/// Shrinks a program as long as `has_property` returns true for the result. Removes functions, statements and list items, and replaces
/// expressions with their subexpressions or with simple values.
pub(crate) fn shrink(text: &str, has_property: &dyn Fn(&str) -> bool) -> String {
    let (mut text, mut tries) = (text.to_owned(), 0);
    loop {
        let shorter = candidates(&text).into_iter().map(|(place, new)| replaced(&text, place, &new));
        let mut shorter = shorter.filter(|shorter| shorter.len() < text.len());
        let found = shorter.find(|shorter| {
            tries += 1;
            tries < MAX_TRIES && has_property(shorter)
        });
        match found {
            Some(found) => text = found,
            None => return text,
        }
    }
}

fn replaced(text: &str, place: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..place.start], &text[place.end..])
}

/// Returns replacements that may shorten the text, largest first.
fn candidates(text: &str) -> Vec<(Range<usize>, String)> {
    let source = Arc::new(Source { path: String::new(), text: text.to_owned() });
    let tree = syntax::parse(&source, &mut 0).tree;
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    for function in &tree.functions {
        found.push((function.span.range(), String::new()));
        function.each_node(&mut |node| match node {
            Node::Statement(statement) => {
                let place = statement.span.range();
                let semicolon = text[place.end..].starts_with(';');
                found.push((place.start..place.end + usize::from(semicolon), String::new()));
            }
            Node::Expr(expr) => {
                let place = expr.span.range();
                let mut inner = Vec::new();
                syntax::each_expr_in(expr, &mut |inside| inner.push(inside.span.range()));
                found.extend(inner.into_iter().skip(1).map(|inside| (place.clone(), text[inside].to_owned())));
                let is_plain = matches!(expr.kind, ExprKind::Number(_) | ExprKind::Unit | ExprKind::Name(_));
                let plain: &[&str] = if is_plain { &[] } else { &["0", "[]", "()", "true", "\"\""] };
                found.extend(plain.iter().map(|plain| (place.clone(), (*plain).to_owned())));
                // Removes items of lists and argument lists, except the first one.
                let items: &[syntax::Expr] = match &expr.kind {
                    ExprKind::List(items) => items,
                    ExprKind::Call { arguments, .. } | ExprKind::Method { arguments, .. } => arguments,
                    _ => &[],
                };
                for pair in items.windows(2) {
                    found.push((pair[0].span.range().end..pair[1].span.range().end, String::new()));
                }
            }
            Node::Block(block) => {
                let place = block.span.range();
                if place.len() > 2 && text[place.clone()].starts_with('{') {
                    found.push((place, "{}".to_owned()));
                }
            }
        });
    }
    found.sort_by_key(|(place, new)| std::cmp::Reverse(place.len() - new.len().min(place.len())));
    found
}
