//! What can be said about scripts before anything runs: every mistake at once, each at its place.
//!
//! The compiled, not yet optimized text of each file is walked once. What scripts may say comes from three places: the
//! vocabulary, the model of the game, and the scripts themselves.

mod calls;
mod closures;
mod code;
mod known;
mod named;
mod place;
mod shape;

use super::host::Function;
use super::vocabulary::Word;
use crate::analysis::tallies::tallied;
use crate::diagnostic::{Diagnostic, Place, Source, is_unseen, unseen_in};
use crate::model::Model;
use known::Known;
use rhai::{AST, ASTNode, Expr, FnCallExpr, Position, Stmt};
use std::sync::Arc;

pub(super) use code::Code;

/// A compiled file of the rules.
pub(super) struct Script {
    /// The file.
    pub source: Arc<Source>,
    /// What the compiler made of it, before any optimization.
    pub ast: AST,
}

/// Checks the rules of a game against its model and the vocabulary.
pub(super) fn check(model: &Model, words: &[Word], scripts: &[Script], functions: &[Function]) -> Vec<Diagnostic> {
    let codes = Code::all(scripts);
    let known = Known::new(model, words, &codes, functions);
    let mut found = Vec::new();
    shape::check(&known, scripts, &mut found);
    named::check(&known, &mut found);
    visit(&known, scripts, false, &mut found);
    found
}

/// Checks texts of plays beside the rules of their game.
pub(super) fn check_texts(
    model: &Model,
    words: &[Word],
    (rules, functions): (&[Code], &[Function]),
    texts: &[Script],
) -> Vec<Diagnostic> {
    let mut codes = rules.to_vec();
    codes.extend(Code::all(texts));
    codes.extend(texts.iter().map(|text| Code::of_text(text)));
    let mut known = Known::new(model, words, &codes, functions);
    known.add_parts(tallied(&model.scripts).into_iter().flatten().map(|name| name.to_string()));
    let mut found = Vec::new();
    visit(&known, texts, true, &mut found);
    found
}

/// Visits everything in some files.
fn visit(known: &Known<'_>, scripts: &[Script], is_play: bool, found: &mut Vec<Diagnostic>) {
    for script in scripts {
        let of_file = || known.codes.iter().filter(|code| Arc::ptr_eq(&code.source, &script.source));
        let shared = closures::shared_names(of_file());
        for code in of_file() {
            let source = &code.source;
            let is_unnamed = code.is_unnamed();
            let mut visit = Visit { known, source, is_unnamed, shared: &shared, is_play, found };
            code.walk(&mut |path| visit.node(path));
        }
    }
}

/// The walk through one function.
struct Visit<'a> {
    known: &'a Known<'a>,
    source: &'a Arc<Source>,
    /// Whether the function is written `|…|`.
    is_unnamed: bool,
    /// The variables of the file that a function `|…|` has taken hold of.
    shared: &'a [String],
    /// Whether it is a text of a play.
    is_play: bool,
    found: &'a mut Vec<Diagnostic>,
}

impl Visit<'_> {
    fn node(&mut self, path: &[ASTNode<'_>]) {
        self.unseen(path.last());
        match path.last() {
            Some(ASTNode::Expr(Expr::MethodCall(call, at))) => self.call(call, *at, true),
            Some(ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at))) => {
                self.call(call, *at, false);
            }
            Some(ASTNode::Stmt(Stmt::Share(taken))) => closures::check(self, path, taken),
            Some(ASTNode::Stmt(Stmt::Switch(switch, _))) => closures::check_switch(self, switch),
            Some(ASTNode::Expr(name @ Expr::Variable(..))) => calls::check_named(self, path, name),
            _ => {}
        }
    }

    /// Refuses a text with a sign that nobody sees: what rules write is read by people.
    fn unseen(&mut self, node: Option<&ASTNode<'_>>) {
        let (sign, at) = match node {
            Some(ASTNode::Expr(Expr::StringConstant(text, at))) => (unseen_in(text).map(|(_, sign)| sign), *at),
            Some(ASTNode::Expr(Expr::CharConstant(sign, at))) => (Some(*sign).filter(|sign| is_unseen(*sign)), *at),
            Some(ASTNode::Expr(Expr::Map(map, at))) => {
                (map.0.iter().find_map(|(name, _)| unseen_in(&name.name)).map(|(_, sign)| sign), *at)
            }
            _ => return,
        };
        if let Some(sign) = sign {
            let line = (at.line().unwrap_or(1), at.position().unwrap_or(1));
            self.found.push(Diagnostic::unseen(sign, Place::at(self.source, line.0, line.1)));
        }
    }

    /// Checks a call, which may stand behind a dot.
    fn call(&mut self, call: &FnCallExpr, at: Position, is_method: bool) {
        if call.is_operator_call() || calls::is_capture(call) {
            return;
        }
        calls::check(self, call, at, is_method);
    }
}
