//! Explains why an expression is `()`, such as a call without a result, or a `switch` without a default case.

use super::super::types::Tags;
use super::inference::Tree;
use super::walk::Walk;
use crate::decision::{ASK_FIRST, Type as Tag, ask_first_help};
use crate::diagnostic::Diagnostic;
use crate::library::{Effects, Entry, Pattern};
use crate::syntax::{Expr, ExprKind, Span, Statement, StatementKind, each_statement};

/// Maximum number of characters of source code that a help text repeats.
const MAX_QUOTED: usize = 24;

/// Placeholder for source code that is too long to repeat.
const UNQUOTED: &str = "…";

/// Help text for a function that ends without a result.
fn how_to_return(function: &str) -> String {
    format!("end `{function}` with the value that it should return")
}

impl<'a> Walk<'_, 'a> {
    /// Returns a help text for an expression that is `()`, if the cause is recognized.
    pub(super) fn why_nothing(&self, expr: &'a Expr) -> Option<String> {
        let (variable, value) = self.last_assigned_value(expr);
        match &value.kind {
            ExprKind::Switch { .. } if self.open_switches.contains(&value.span) => {
                Some("add a case for everything else: `_ => …`".to_owned())
            }
            ExprKind::If { .. } if lacks_else(value) => {
                Some("add `else { … }`: without it, the `if` results in `()` if its condition does not hold".to_owned())
            }
            ExprKind::Block(block) if block.statements.is_empty() => Some("write `#{}` for an empty map".to_owned()),
            ExprKind::Method { receiver: of, name, arguments, .. } => {
                let form = self.form_without_result(&name.text, arguments.len() + 1)?;
                let call = format!("{}({})", name.text, self.short_text(span_of(arguments)));
                Some(format!("{}: {}", describe_no_result(form), self.instead_of_result(of, variable, &call)))
            }
            ExprKind::OwnCall { name, key, arguments, .. } => {
                let known = &self.inference.functions[self.inference.by_key.get(&**key).copied()?];
                let is_nothing = self.tags(known.result) == Tags::new(&[Tag::Nothing]);
                let is_cause = is_nothing && known.params.len() == arguments.len();
                is_cause.then(|| how_to_return(&name.text))
            }
            _ => None,
        }
    }

    /// If `expr` is the result of a rule function that may end in a statement without a result, marks this statement and adds a help text.
    pub(super) fn with_end_of_called(&self, expr: &'a Expr, found: Diagnostic) -> Diagnostic {
        let (_, value) = self.last_assigned_value(expr);
        let ExprKind::OwnCall { name, key, .. } = &value.kind else { return found };
        let Some(known) = self.inference.by_key.get(&**key).map(|at| &self.inference.functions[*at]) else {
            return found;
        };
        let Tree::Function(function) = known.tree else { return found };
        let Some(Statement { kind: StatementKind::Expr(last), .. }) = function.body.statements.last() else {
            return found;
        };
        let place = |span: Span| self.inference.place(known.source, span);
        let name = &name.text;
        match &last.kind {
            ExprKind::If { condition, .. } if lacks_else(last) => {
                let start = Span { end: condition.span.end, ..last.span };
                found.mark(place(start), format!("`{name}` ends here without `else`")).help(format!(
                    "add `else {{ … }}`: without it, `{name}` results in `()` if this condition does not hold"
                ))
            }
            ExprKind::Method { name: called, arguments, .. } => {
                match self.form_without_result(&called.text, arguments.len() + 1) {
                    Some(_) => found
                        .mark(
                            place(called.span),
                            format!("`{name}` ends here, and `{}` results in nothing", called.text),
                        )
                        .help(how_to_return(name)),
                    None => found,
                }
            }
            _ => found,
        }
    }

    /// Adds the source text of `expr` to the help text that advises checking for `()`, if `expr` is a variable or an access, such as
    /// `seat.card`. Leaves other help texts unchanged.
    pub(super) fn help_with_name(&self, expr: &'a Expr, found: Diagnostic) -> Diagnostic {
        let is_place = matches!(expr.kind, ExprKind::Name(_) | ExprKind::Field { .. } | ExprKind::Index { .. });
        let text = if is_place { self.short_text(Some(expr.span)) } else { UNQUOTED };
        if text == UNQUOTED || found.help.as_deref() != Some(ASK_FIRST) {
            found
        } else {
            found.help(ask_first_help(text))
        }
    }

    /// Returns the name of the variable `expr`, and the last value assigned to it before `expr`. If there is no such value, returns `expr`
    /// as the value. If `expr` is not a variable, returns `None` and `expr`.
    fn last_assigned_value(&self, expr: &'a Expr) -> (Option<&'a str>, &'a Expr) {
        let ExprKind::Name(name) = &expr.kind else { return (None, expr) };
        let statements = match self.inference.functions[self.at].tree {
            Tree::Function(function) => &function.body.statements[..],
            Tree::Text(statements, _) => statements,
            Tree::Known => return (None, expr),
        };
        let mut last: Option<&'a Expr> = None;
        each_statement(statements, &mut |statement: &'a Statement| {
            let value = match &statement.kind {
                StatementKind::Let { name: known, value: Some(value), .. } if known.text == *name => value,
                StatementKind::Assign { target, op: None, value, .. } if matches!(&target.kind, ExprKind::Name(known) if known == name) => {
                    value
                }
                _ => return,
            };
            if value.span.end <= expr.span.start && last.is_none_or(|last| last.span.start < value.span.start) {
                last = Some(value);
            }
        });
        (Some(name), last.unwrap_or(expr))
    }

    /// Returns a form of a library function if none of the forms with this name and number of arguments has a result. Otherwise returns
    /// `None`.
    fn form_without_result(&self, name: &str, takes: usize) -> Option<&'static Entry> {
        let forms = self.inference.language.functions(name).iter().filter(|form| form.takes.len() == takes);
        let mut forms = forms.copied().peekable();
        let first = forms.peek().copied()?;
        forms.all(|form| form.returns == Pattern::Of(Tag::Nothing)).then_some(first)
    }

    /// Returns a help text for code that uses the result of a call without a result. The call changes the value before the dot, and the
    /// help tells how to use the changed value instead.
    fn instead_of_result(&self, object: &'a Expr, variable: Option<&str>, call: &str) -> String {
        let is_place = matches!(object.kind, ExprKind::Name(_) | ExprKind::Field { .. } | ExprKind::Index { .. });
        let text = self.short_text(Some(object.span));
        if is_place {
            return format!("write `{text}.{call};` and use `{text}`");
        }
        let name = variable.unwrap_or("it");
        format!("write `let {name} = {text}; {name}.{call};` and use `{name}`")
    }

    /// Returns the source text of a span, or [`UNQUOTED`] if it is too long or has several lines.
    fn short_text(&self, span: Option<Span>) -> &'a str {
        let text = span.map_or("", |span| self.text(span));
        if text.chars().count() > MAX_QUOTED || text.contains('\n') { UNQUOTED } else { text }
    }
}

/// Returns whether `expr` is an `if` without a final `else`.
fn lacks_else(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::If { otherwise: None, .. } => true,
        ExprKind::If { otherwise: Some(otherwise), .. } => lacks_else(otherwise),
        _ => false,
    }
}

fn span_of(arguments: &[Expr]) -> Option<Span> {
    let (first, last) = arguments.first().zip(arguments.last())?;
    Some(Span { end: last.span.end, ..first.span })
}

fn describe_no_result(form: &Entry) -> String {
    let name = &form.name;
    if form.effects.has(Effects::IN_PLACE) && form.types[0] == Tag::List {
        format!("`{name}` changes the list and results in nothing")
    } else {
        format!("`{name}` results in nothing")
    }
}
