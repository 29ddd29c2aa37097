//! `wrong-arguments`: an argument of a type that the function does not accept.

use super::super::types::{Tags, accepted, in_words, is_or_are};
use crate::decision::{ASK_FIRST, Type as Tag, ask_first_help};
use crate::diagnostic::{Diagnostic, Place, sentence};
use crate::library::Pattern;

/// Creates the diagnostic for an argument of the wrong type in a call of a library function. `forms` lists the parameters of each signature
/// that may have been meant, and `at` is the index of the argument.
pub(crate) fn wrong_argument(
    name: &str,
    forms: &[&[String]],
    at: usize,
    wanted: Tags,
    bad: Tags,
    here: Place,
    instead: Option<String>,
) -> Diagnostic {
    if let Some(found) = specific_message(wanted, bad, &here) {
        return found;
    }
    let param = &forms[0][at];
    if wanted == Tags::ALL && bad == Tags::new(&[Tag::Function]) {
        return Diagnostic::error("wrong-arguments", format!("a function `|…|` cannot be `{param}` of `{name}`"))
            .mark(here, "stays where it is called")
            .help("keep what it results in, or give the function to what calls it, as `filter`");
    }
    // A parameter called `list` takes a collection of game objects. A list literal `[…]` is not a collection of this kind, so the message
    // leaves out the name of the parameter.
    let is_own_list = param == "list" && bad == Tags::new(&[Tag::List]);
    let role = if is_own_list { String::new() } else { format!(" as `{param}`") };
    let message = format!("`{name}` takes {}{role}, not {}", in_words(wanted), in_words(bad));
    let found = Diagnostic::error("wrong-arguments", message).mark(here, "of another type");
    if bad.has(Tag::Nothing) {
        return found.help(ASK_FIRST);
    }
    if is_own_list {
        return found.help(format!(
            "`{name}` iterates over things of the game, as `seats` or a zone: iterate over a list `[…]` with `for`, `filter` or `map`"
        ));
    }
    if let Some(instead) = instead {
        return found.help(instead);
    }
    let mut signatures: Vec<String> = forms.iter().map(|params| format!("`{name}({})`", params.join(", "))).collect();
    signatures.dedup();
    signatures.truncate(4);
    found.help(format!("write {}", signatures.join(" or ")))
}

/// Returns the same diagnostic as at run time for an argument that should be a place, pieces or options. Returns `None` if the function
/// expects another type.
fn specific_message(wanted: Tags, bad: Tags, here: &Place) -> Option<Diagnostic> {
    let tags_of = |pattern: &str| accepted(&Pattern::parse(pattern));
    let is_nothing = bad.has(Tag::Nothing);
    let subject = format!("{} {}", in_words(bad), is_or_are(bad));
    let help = is_nothing.then_some(ASK_FIRST);
    let sentence = if wanted == tags_of("spot") {
        sentence::not_a_place(&subject, help)
    } else if wanted == tags_of("movable") && is_nothing {
        return Some(super::no_piece(&subject, here.clone()));
    } else if wanted == tags_of("movable") {
        sentence::not_a_piece(&subject)
    } else if wanted == tags_of("choices<any>") || wanted == tags_of("choices<any>|()=>any") {
        sentence::not_options(&subject, help)
    } else {
        return None;
    };
    Some(sentence.at(here.clone()))
}

/// Creates the diagnostic for a list argument whose entries have the wrong type.
pub(crate) fn wrong_entries(name: &str, param: &str, wanted: Tags, entries: Tags, here: Place) -> Diagnostic {
    let message = format!(
        "in a list that `{name}` takes as `{param}` each entry is {}, not {}",
        in_words(wanted.without(Tags::new(&[Tag::List]))),
        in_words(entries)
    );
    Diagnostic::error("wrong-arguments", message).mark(here, "a list of something else")
}

/// Creates the diagnostic for two arguments of a library function that are in the wrong order.
pub(crate) fn out_of_order(name: &str, params: &[String], (one, other): (usize, usize), here: Place) -> Diagnostic {
    let message = format!("`{name}` gets `{}` and `{}` in the wrong order", params[one], params[other]);
    Diagnostic::error("wrong-arguments", message)
        .mark(here, "stands in the place of another")
        .help(format!("write `{name}({})`", params.join(", ")))
}

/// Creates the diagnostic for an argument of the wrong type in a call of a rule function. `argument` is the name of the passed variable, or
/// `None` if the argument is another expression. `used` is the place where the function uses the parameter.
pub(crate) fn wrong_argument_of_rules(
    name: &str,
    param: &str,
    wanted: Tags,
    bad: Tags,
    argument: Option<&str>,
    here: Place,
    used: Option<Place>,
) -> Diagnostic {
    let message = format!("`{name}` takes {} as `{param}`, not {}", in_words(wanted), in_words(bad));
    let found = Diagnostic::error("wrong-arguments", message).mark(here, "of another type");
    let found = match used {
        Some(used) => found.mark(used, "used here"),
        None => found,
    };
    if !bad.has(Tag::Nothing) {
        return found;
    }
    match argument {
        Some(argument) => found.help(ask_first_help(argument)),
        None => found.help(ASK_FIRST),
    }
}
