//! What is wrong with parameters is told where it comes from.

use super::inference::Inference;
use crate::analysis::blame::{Blame, Site};
use crate::analysis::mistakes;
use crate::analysis::types::Type;
use crate::diagnostic::{Diagnostic, Place};
use crate::syntax::{Expr, ExprKind};

/// How many calls are followed back.
const DEPTH: usize = 4;

impl Inference<'_> {
    /// Tells what is wrong with parameters where it comes from.
    pub(super) fn settle_blame(&mut self) {
        for blame in std::mem::take(&mut self.blames) {
            let mut found = Vec::new();
            self.trace(&blame, (blame.function, blame.param), DEPTH, &mut found);
            if found.is_empty() {
                found.push(blame.found);
            }
            self.found.extend(found);
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
                found.push(self.told(blame, (function, param), site, argument));
            }
        }
    }

    fn told(&self, blame: &Blame, (function, param): (usize, usize), site: &Site<'_>, argument: &Expr) -> Diagnostic {
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
