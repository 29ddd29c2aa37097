//! Why something is `()`: what an expression is, or what its variable was given, that results in nothing.

use super::super::types::Tags;
use super::inference::Tree;
use super::walk::Walk;
use crate::decision::Type as Tag;
use crate::library::{Effects, Entry, Pattern};
use crate::syntax::{Expr, ExprKind, Span, Statement, StatementKind, each_statement};

/// What is written anew of rules has so many characters at most.
const LONGEST: usize = 24;

impl<'a> Walk<'_, 'a> {
    /// What to do about an expression that is `()`, where what it was given shows why.
    pub(super) fn why_nothing(&self, expr: &'a Expr) -> Option<String> {
        let (variable, value) = self.given_last(expr);
        match &value.kind {
            ExprKind::Switch { .. } if self.open_switches.contains(&value.span) => {
                Some("add a case for everything else: `_ => …`".to_owned())
            }
            ExprKind::Block(block) if block.statements.is_empty() => Some("write `#{}` for an empty map".to_owned()),
            ExprKind::Method { of, name, arguments, .. } => {
                let form = self.form_without_result(&name.text, arguments.len() + 1)?;
                let call = format!("{}({})", name.text, self.shortened(spanned(arguments)));
                Some(format!("{}: {}", without_result(form), self.instead_of_result(of, variable, &call)))
            }
            ExprKind::Call { name, arguments } => {
                let known = &self.inference.functions[self.inference.by_name.get(&*name.text).copied()?];
                let is_nothing = self.tags(known.result) == Tags::of(&[Tag::Nothing]);
                let is_it = is_nothing && known.params.len() == arguments.len();
                is_it.then(|| format!("let `{}` end in what it is to result in", name.text))
            }
            _ => None,
        }
    }

    /// What a variable was given last before it stands there, with its name, or the expression itself.
    fn given_last(&self, expr: &'a Expr) -> (Option<&'a str>, &'a Expr) {
        let ExprKind::Name(name) = &expr.kind else { return (None, expr) };
        let statements = match self.inference.functions[self.at].tree {
            Tree::Function(function) => &function.body.statements[..],
            Tree::Text(statements, _) => statements,
            Tree::Settled => return (None, expr),
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

    /// A function of the library, where none of this name and number of arguments results in anything.
    fn form_without_result(&self, name: &str, takes: usize) -> Option<&'static Entry> {
        let forms = self.inference.language.functions(name).iter().filter(|form| form.takes.len() == takes);
        let mut forms = forms.copied().peekable();
        let first = forms.peek().copied()?;
        forms.all(|form| form.returns == Pattern::Of(Tag::Nothing)).then_some(first)
    }

    /// What to write where the result of a call is used that has none, but changes what stands before its dot.
    fn instead_of_result(&self, of: &'a Expr, variable: Option<&str>, call: &str) -> String {
        let is_place = matches!(of.kind, ExprKind::Name(_) | ExprKind::Field { .. } | ExprKind::Index { .. });
        let written = self.shortened(Some(of.span));
        if is_place {
            return format!("write `{written}.{call};` and use `{written}`");
        }
        let name = variable.unwrap_or("it");
        format!("write `let {name} = {written}; {name}.{call};` and use `{name}`")
    }

    /// What is written at a place, if it is short.
    fn shortened(&self, span: Option<Span>) -> &'a str {
        let written = span.map_or("", |span| self.text(span));
        if written.chars().count() > LONGEST || written.contains('\n') { "…" } else { written }
    }
}

fn spanned(arguments: &[Expr]) -> Option<Span> {
    let (first, last) = arguments.first().zip(arguments.last())?;
    Some(Span { end: last.span.end, ..first.span })
}

fn without_result(form: &Entry) -> String {
    let name = &form.name;
    if form.effects.has(Effects::IN_PLACE) && form.types[0] == Tag::List {
        format!("`{name}` changes the list and results in nothing")
    } else {
        format!("`{name}` results in nothing")
    }
}
