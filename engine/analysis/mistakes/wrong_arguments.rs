//! `wrong-arguments`: a function is given something of a type that it does not take.

use super::super::types::{Tags, in_words};
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Place};

/// An argument of a function of the library, by its position among the parameters of some forms.
pub(crate) fn wrong_argument(
    name: &str,
    (forms, at): (&[&[String]], usize),
    wanted: Tags,
    bad: Tags,
    here: Place,
    instead: Option<String>,
) -> Diagnostic {
    let param = &forms[0][at];
    let message = format!("`{name}` takes {} as `{param}`, not {}", in_words(wanted), in_words(bad));
    let found = Diagnostic::error("wrong-arguments", message).mark(here, "of another type");
    if bad.has(Tag::Nothing) {
        return found.help(super::ASK_FIRST);
    }
    if let Some(instead) = instead {
        return found.help(instead);
    }
    let mut written: Vec<String> = forms.iter().map(|params| format!("`{name}({})`", params.join(", "))).collect();
    written.dedup();
    written.truncate(4);
    found.help(format!("write {}", written.join(" or ")))
}

/// Two arguments of a function of the library that should change places.
pub(crate) fn out_of_order(name: &str, params: &[String], (one, other): (usize, usize), here: Place) -> Diagnostic {
    let message = format!("`{name}` is given `{}` and `{}` in the wrong order", params[one], params[other]);
    Diagnostic::error("wrong-arguments", message)
        .mark(here, "given the right things in another order")
        .help(format!("write `{name}({})`", params.join(", ")))
}

/// An argument of a function of the rules, which takes what others give it.
pub(crate) fn wrong_given(
    name: &str,
    param: &str,
    wanted: Tags,
    bad: Tags,
    here: Place,
    used: Option<Place>,
) -> Diagnostic {
    let message = format!("`{name}` takes {} as `{param}`, not {}", in_words(wanted), in_words(bad));
    let found = Diagnostic::error("wrong-arguments", message).mark(here, "of another type");
    let found = match used {
        Some(used) => found.mark(used, "used here"),
        None => found,
    };
    if bad.has(Tag::Nothing) { found.help(super::ASK_FIRST) } else { found }
}
