//! What is wrong with parameters is told where it comes from.

use super::inference::{Inference, Tree};
use crate::analysis::blame::{Blame, Site};
use crate::analysis::mistakes;
use crate::analysis::types::Type;
use crate::diagnostic::{Diagnostic, Place};
use crate::library::asks;
use crate::syntax::{Expr, ExprKind, Node, Span, Statement, StatementKind};

/// How many calls are followed back.
const DEPTH: usize = 4;

/// The parameter in which functions that the engine calls are given an option, behind the seat.
const OPTION: usize = 1;

/// What is written at the call that gives a parameter what it is.
const GIVEN: &str = "given here";

/// What is written at the function that asks for it.
const CHOSEN: &str = "chosen here";

impl Inference<'_> {
    /// Tells what is wrong with parameters where it comes from.
    pub(super) fn settle_blame(&mut self) {
        for blame in std::mem::take(&mut self.blames) {
            let mut found = Vec::new();
            let param = (blame.function, blame.param);
            if !blame.is_part {
                self.trace(&blame, param, DEPTH, &mut found);
            }
            if found.is_empty() {
                let origin = self.origin(param, DEPTH).filter(|_| self.is_of_another(&blame.found));
                found.push(match origin {
                    Some((place, note)) => blame.found.mark(place, note),
                    None => blame.found,
                });
            }
            for one in found {
                // A parameter that is used twice is given wrongly once.
                let is_same = |known: &Diagnostic| {
                    let place = |of: &Diagnostic| of.marks.first().map(|mark| mark.place.clone());
                    known.code == one.code && known.message == one.message && place(known) == place(&one)
                };
                if !self.found.iter().any(is_same) {
                    self.found.push(one);
                }
            }
        }
    }

    /// Whether something else than what is there could be meant: not where a name is misspelled that nothing has.
    fn is_of_another(&self, found: &Diagnostic) -> bool {
        let word = found.marks.first().map(|mark| &mark.place.source.text[mark.place.span.clone()]);
        !["unknown-field", "unknown-part"].contains(&found.code) || word.is_some_and(|word| self.is_property(word))
    }

    /// Where a parameter comes from, if it is one place alone: its only call, or the decision that this hands on, or whose options
    /// the engine gives it.
    fn origin(&self, (function, param): (usize, usize), depth: usize) -> Option<(Place, &'static str)> {
        let known = &self.functions[function];
        let sites: Vec<&Site<'_>> = self.sites.iter().filter(|site| site.called == function).collect();
        let (site, argument) = match (sites.as_slice(), known.given_options_of.as_slice()) {
            ([], [decision]) if param == OPTION => {
                let [place] = self.asked_at.get(decision)?.as_slice() else { return None };
                return Some((place.clone(), CHOSEN));
            }
            ([site], []) if !known.is_given => (site, site.arguments?.get(param)?),
            _ => return None,
        };
        if let ExprKind::Name(name) = &argument.kind
            && let Some(handed) = self.handed(site.caller, name)
            && depth > 0
            && let Some(origin) = self.origin((site.caller, handed), depth - 1)
        {
            return Some(origin);
        }
        let choosing = self.choosing(site.caller, argument);
        let note = if choosing.is_some() { CHOSEN } else { GIVEN };
        Some((self.place_in(site.caller, choosing.unwrap_or(argument.span)), note))
    }

    /// The name of the function that asks for what an argument is, which stands there or was given to a variable that is never
    /// set to anything else.
    fn choosing(&self, function: usize, argument: &Expr) -> Option<Span> {
        let mut value = argument;
        if let ExprKind::Name(name) = &argument.kind {
            let Tree::Function(tree) = self.functions[function].tree else { return None };
            let mut given = Vec::new();
            tree.each_node(&mut |node| match node {
                Node::Statement(Statement { kind: StatementKind::Let { name: known, value }, .. })
                    if *known.text == **name =>
                {
                    given.push(value.as_ref());
                }
                Node::Statement(Statement { kind: StatementKind::Assign { target, .. }, .. })
                    if matches!(&target.kind, ExprKind::Name(known) if known == name) =>
                {
                    given.push(None);
                }
                Node::Expr(Expr { kind: ExprKind::For { name: each, counter, .. }, .. })
                    if *each.text == **name || counter.as_ref().is_some_and(|counter| *counter.text == **name) =>
                {
                    given.push(None);
                }
                Node::Expr(Expr { kind: ExprKind::Closure { params, .. }, .. })
                    if params.iter().any(|param| *param.text == **name) =>
                {
                    given.push(None);
                }
                _ => {}
            });
            let [Some(only)] = given.as_slice() else { return None };
            value = only;
        }
        match &value.kind {
            ExprKind::Call { name, .. } | ExprKind::Method { name, .. } if asks(&name.text) => Some(name.span),
            _ => None,
        }
    }

    /// The calls that give a parameter what it must not be, where other calls give it something else.
    fn trace(&self, blame: &Blame, (function, param): (usize, usize), depth: usize, found: &mut Vec<Diagnostic>) {
        let given = |site: &Site<'_>| site.types.get(param).copied().unwrap_or(Type::ANY);
        // One that gives what is told elsewhere to be wrong gives nothing.
        let sites = || self.sites.iter().filter(|site| site.called == function && given(site) != Type::NEVER);
        let is_guilty = |site: &&Site<'_>| {
            let is = given(site);
            self.types.is_known(is) && !self.types.tags(is).and(blame.bad).is_empty()
        };
        let guilty: Vec<&Site<'_>> = sites().filter(is_guilty).collect();
        let is_all = guilty.len() == sites().count();
        for site in guilty {
            let Some(argument) = site.arguments.and_then(|arguments| arguments.get(param)) else { continue };
            let handed = match &argument.kind {
                ExprKind::Name(name) => self.handed(site.caller, name),
                _ => None,
            };
            let before = found.len();
            if let Some(handed) = handed.filter(|_| depth > 0) {
                self.trace(blame, (site.caller, handed), depth - 1, found);
            }
            if found.len() == before && !is_all {
                found.push(self.mistake(blame, (function, param), site, argument));
            }
        }
    }

    fn mistake(
        &self,
        blame: &Blame,
        (function, param): (usize, usize),
        site: &Site<'_>,
        argument: &Expr,
    ) -> Diagnostic {
        let (name, is) = self.param_of(function, param);
        let wanted = self.types.tags(is).but(blame.bad);
        let here = self.place_in(site.caller, argument.span);
        let used: Option<Place> = blame.found.marks.first().map(|mark| mark.place.clone());
        let called = self.function_name(function);
        mistakes::wrong_given(called, name, wanted, blame.bad.and(self.types.tags(site.types[param])), here, used)
    }

    /// The parameter that a name stands for in a function that gives it nothing else.
    fn handed(&self, function: usize, name: &str) -> Option<usize> {
        self.params_of(function).iter().position(|(param, sets)| *param == name && !sets)
    }
}
