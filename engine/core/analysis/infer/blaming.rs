//! Traces mistakes about parameters back to the calls that pass the wrong arguments, and reports or marks these calls.

use super::inference::{Inference, Tree};
use crate::analysis::blame::{Blame, Site};
use crate::analysis::mistakes;
use crate::analysis::types::Type;
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::library::asks;
use crate::syntax::{Expr, ExprKind, Node, Span, Statement, StatementKind};

/// Maximum number of calls to trace back.
const MAX_DEPTH: usize = 4;

/// Index of the parameter that receives the option, in functions that the engine calls with a seat and an option.
const OPTION_PARAM: usize = 1;

/// Note at the call that passes the wrong argument.
const GIVEN_NOTE: &str = "given here";

/// Note at a parameter whose value may be wrong, if the origin of the value is not known.
const PARAM_NOTE: &str = "this parameter";

/// Note at the call that asks the decision in which the wrong argument was chosen.
const CHOSEN_NOTE: &str = "chosen here";

impl Inference<'_> {
    /// Reports the mistakes about parameters.
    ///
    /// If some calls pass a wrong argument and others pass a correct one, the mistake is reported at the wrong calls. Otherwise it is
    /// reported where the parameter is used, with a mark at the origin of the argument if there is a single one.
    pub(super) fn report_blames(&mut self) {
        for blame in std::mem::take(&mut self.blames) {
            let mut found = Vec::new();
            if !blame.is_part {
                self.trace(&blame, blame.function, blame.param, MAX_DEPTH, &mut found);
            }
            if found.is_empty() {
                let origin = self
                    .origin(blame.function, blame.param, MAX_DEPTH)
                    .filter(|_| self.depends_on_argument(&blame.found));
                found.push(match (origin, self.place_of_param(blame.function, blame.param)) {
                    (Some((place, note)), _) => blame.found.mark(place, note),
                    (None, Some(place)) if blame.found.severity == Severity::Warning => {
                        blame.found.mark(place, PARAM_NOTE)
                    }
                    (None, _) => blame.found,
                });
            }
            for one in found {
                // If a parameter is used twice, its mistake is reported only once at the call.
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

    /// Returns whether a different argument could fix the mistake. A misspelled name that no type has is a mistake with any argument.
    fn depends_on_argument(&self, found: &Diagnostic) -> bool {
        let word = found.marks.first().map(|mark| &mark.place.source.text[mark.place.span.clone()]);
        !["unknown-field", "unknown-part"].contains(&found.code) || word.is_some_and(|word| self.is_property(word))
    }

    /// Returns the origin of an argument, if there is a single one: the only call, or the decision whose options the engine passes. If the
    /// only call passes on a parameter, follows this parameter to its own origin.
    fn origin(&self, function: usize, param: usize, depth: usize) -> Option<(Place, &'static str)> {
        let known = &self.functions[function];
        let sites: Vec<&Site<'_>> = self.sites.iter().filter(|site| site.called == function).collect();
        let (site, argument) = match (sites.as_slice(), known.given_options_of.as_slice()) {
            ([], [decision]) if param == OPTION_PARAM => {
                let [place] = self.asked_at.get(decision)?.as_slice() else { return None };
                return Some((place.clone(), CHOSEN_NOTE));
            }
            ([site], []) if !known.is_given => (site, site.arguments?.get(param)?),
            _ => return None,
        };
        if let ExprKind::Name(name) = &argument.kind
            && !self.is_misplaced(function, param, name)
            && let Some(from_caller) = self.passed_param(site.caller, name)
            && depth > 0
            && let Some(origin) = self.origin(site.caller, from_caller, depth - 1)
        {
            return Some(origin);
        }
        let decided = self.deciding_call(site.caller, argument);
        let note = if decided.is_some() { CHOSEN_NOTE } else { GIVEN_NOTE };
        Some((self.place_in(site.caller, decided.unwrap_or(argument.span)), note))
    }

    /// Returns whether an argument has the same name as another parameter of the function. Then the arguments are probably in the wrong
    /// order.
    fn is_misplaced(&self, function: usize, param: usize, argument: &str) -> bool {
        self.params_of(function).iter().enumerate().any(|(at, (name, _))| at != param && *name == argument)
    }

    /// Returns the span of the call that asks the decision in which an argument is chosen. The argument is the call itself, or a variable
    /// that is declared with the call and never assigned to. Returns `None` for other arguments.
    fn deciding_call(&self, function: usize, argument: &Expr) -> Option<Span> {
        let mut value = argument;
        if let ExprKind::Name(name) = &argument.kind {
            let Tree::Function(tree) = self.functions[function].tree else { return None };
            let mut values = Vec::new();
            tree.each_node(&mut |node| match node {
                Node::Statement(Statement { kind: StatementKind::Let { name: known, value }, .. })
                    if *known.text == **name =>
                {
                    values.push(value.as_ref());
                }
                Node::Statement(Statement { kind: StatementKind::Assign { target, .. }, .. })
                    if matches!(&target.kind, ExprKind::Name(known) if known == name) =>
                {
                    values.push(None);
                }
                Node::Expr(Expr { kind: ExprKind::For { name: each, counter, .. }, .. })
                    if *each.text == **name || counter.as_ref().is_some_and(|counter| *counter.text == **name) =>
                {
                    values.push(None);
                }
                Node::Expr(Expr { kind: ExprKind::Closure { params, .. }, .. })
                    if params.iter().any(|param| *param.text == **name) =>
                {
                    values.push(None);
                }
                _ => {}
            });
            let [Some(only)] = values.as_slice() else { return None };
            value = only;
        }
        match &value.kind {
            ExprKind::Call { name, .. } | ExprKind::Method { name, .. } if asks(&name.text) => Some(name.span),
            _ => None,
        }
    }

    /// Reports calls that pass a wrong argument, provided that other calls pass a correct one. If a wrong argument is a parameter of the
    /// caller, traces the calls of the caller first.
    fn trace(&self, blame: &Blame, function: usize, param: usize, depth: usize, found: &mut Vec<Diagnostic>) {
        let argument_type = |site: &Site<'_>| site.types.get(param).copied().unwrap_or(Type::ANY);
        // An argument of type `NEVER` has a mistake of its own, which is reported elsewhere.
        let sites = || self.sites.iter().filter(|site| site.called == function && argument_type(site) != Type::NEVER);
        let is_wrong = |site: &&Site<'_>| {
            let ty = argument_type(site);
            self.types.is_known(ty) && !self.types.tags(ty).and(blame.bad).is_empty()
        };
        let wrong_sites: Vec<&Site<'_>> = sites().filter(is_wrong).collect();
        let is_all = wrong_sites.len() == sites().count();
        for site in wrong_sites {
            let Some(argument) = site.arguments.and_then(|arguments| arguments.get(param)) else { continue };
            let from_caller = match &argument.kind {
                ExprKind::Name(name) => self.passed_param(site.caller, name),
                _ => None,
            };
            let before = found.len();
            if let Some(from_caller) = from_caller.filter(|_| depth > 0) {
                self.trace(blame, site.caller, from_caller, depth - 1, found);
            }
            if found.len() == before && !is_all {
                found.push(self.mistake(blame, function, param, site, argument));
            }
        }
    }

    fn mistake(&self, blame: &Blame, function: usize, param: usize, site: &Site<'_>, argument: &Expr) -> Diagnostic {
        let (name, ty) = self.param_of(function, param);
        let wanted = self.types.tags(ty).without(blame.bad);
        let here = self.place_in(site.caller, argument.span);
        let used: Option<Place> = blame.found.marks.first().map(|mark| mark.place.clone());
        let called = self.function_name(function);
        let found = mistakes::wrong_argument_of_rules(
            called,
            name,
            wanted,
            blame.bad.and(self.types.tags(site.types[param])),
            match &argument.kind {
                ExprKind::Name(name) => Some(&**name),
                _ => None,
            },
            here,
            used,
        );
        // Only some of the values that are passed here are wrong.
        let is_certain = self.types.tags(site.types[param]).without(blame.bad).is_empty();
        if is_certain { found } else { Diagnostic { severity: Severity::Warning, ..found } }
    }

    /// Returns the index of the parameter that a name refers to, if the function never assigns to it.
    fn passed_param(&self, function: usize, name: &str) -> Option<usize> {
        self.params_of(function).iter().position(|(param, sets)| *param == name && !sets)
    }
}
