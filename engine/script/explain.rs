//! What an error of the script engine means, in our words and with the author's types.

use super::fault::Fault;
use super::host::Host;
use super::stage::MOST_LEVELS;
use super::vocabulary::{Form, Word};
use crate::decision::{Type, Value};
use crate::diagnostic::did_you_mean;
use rhai::EvalAltResult;

/// The error in our words.
pub(super) fn explain(error: &EvalAltResult) -> Fault {
    match error {
        EvalAltResult::ErrorRuntime(value, _) => match value.clone().try_cast::<Fault>() {
            Some(fault) => fault,
            None => Fault::new("fault", value.to_string(), "stopped here"),
        },
        EvalAltResult::ErrorFunctionNotFound(signature, _) => unknown_function(signature),
        EvalAltResult::ErrorVariableNotFound(name, _) => {
            Fault::new("unknown-name", format!("there is no `{name}`"), "not a name known here")
        }
        EvalAltResult::ErrorPropertyNotFound(name, _) => {
            Fault::new("unknown-part", format!("the map has no part `{name}`"), "not in this map")
                .help(format!("give it where the map is made: `#{{ {name}: … }}`"))
        }
        EvalAltResult::ErrorIndexNotFound(index, _) => {
            Fault::new("unknown-part", format!("the map has no part `{index}`"), "not in this map")
        }
        EvalAltResult::ErrorDotExpr(text, _) => dot_error(text),
        EvalAltResult::ErrorMismatchDataType(wanted, found, _)
        | EvalAltResult::ErrorMismatchOutputType(wanted, found, _) => wrong_type(wanted, found),
        EvalAltResult::ErrorArrayBounds(length, at, _) => out_of_range("list", *length, *at),
        EvalAltResult::ErrorStringBounds(length, at, _) => out_of_range("text", *length, *at),
        EvalAltResult::ErrorArithmetic(text, _) => arithmetic(text),
        EvalAltResult::ErrorStackOverflow(_) => too_deep(),
        EvalAltResult::ErrorDataTooLarge(what, _) => too_large(what),
        EvalAltResult::ErrorTerminated(..) | EvalAltResult::ErrorTooManyOperations(_) => endless(),
        EvalAltResult::ErrorTooManyVariables(_) => {
            Fault::new("too-many", "a function has too many variables", "one too many").help("write several functions")
        }
        EvalAltResult::ErrorFor(_) => {
            Fault::new("not-a-list", "`for` goes through lists", "not a list").help("ask for its `pieces` or `spaces`")
        }
        EvalAltResult::ErrorIndexingType(kind, _) => indexing(kind),
        EvalAltResult::ErrorAssignmentToConstant(name, _) => {
            Fault::new("fixed-name", format!("`{name}` cannot be set"), "stands for something of the game")
                .help("keep what changes in a value, or in a variable of another name")
        }
        EvalAltResult::ErrorDataRace(name, _) => used_meanwhile(name),
        EvalAltResult::ErrorUnboundThis(_) => {
            Fault::new("no-this", "`this` means nothing here", "not bound").help("give the thing as a parameter")
        }
        other => Fault::new("script", lower_first(&without_position(&other.to_string())), "here"),
    }
}

/// A function that goes through a list uses what the list belongs to: the script engine may say which argument, not which
/// variable.
fn used_meanwhile(name: &str) -> Fault {
    let word = name.rsplit("function ").next().unwrap_or(name).trim_matches('\'');
    let what = if name.contains(' ') { format!("the list given to `{word}`") } else { format!("`{name}`") };
    Fault::new("used-meanwhile", format!("{what} is used while it is gone through"), "in use already")
        .help("give what is gone through to a variable of its own first")
}

/// The rules took more operations than a step may.
pub(super) fn endless() -> Fault {
    Fault::new("endless", "the rules went on without asking anybody", "still running here")
        .help("look for a loop that never ends")
}

/// Functions call each other without end.
pub(super) fn too_deep() -> Fault {
    let message = format!("functions call each other more than {MOST_LEVELS} levels deep");
    Fault::new("too-deep", message, "one call too deep").help("look for a function that calls itself without end")
}

/// Something is asked of `()`, which stands for nothing.
fn nothing(what: &str) -> Fault {
    Fault::new("nothing-here", format!("{what} of `()`: nothing was found"), "there is nothing here")
        .help("ask first whether it is there: `if x != () { … }`")
}

fn wrong_type(wanted: &str, found: &str) -> Fault {
    let (wanted, found) = (plain_type(wanted), plain_type(found));
    let fault =
        Fault::new("wrong-type", format!("{} was expected, not {}", one(&wanted), one(&found)), "of another type");
    match (wanted.as_str(), found.as_str()) {
        ("flag", "()") => fault.help("write a comparison, or let the function end in one"),
        ("flag", _) => fault.help("write a comparison: `x > 0`, `x != ()`"),
        (_, "()") => fault.help("ask first whether it is there: `if x != () { … }`"),
        _ => fault,
    }
}

fn out_of_range(what: &str, length: usize, at: i64) -> Fault {
    let fault = Fault::new(
        "out-of-range",
        format!("there is no position {at} in a {what} of {length}"),
        "positions count from 0",
    );
    match length {
        0 => fault.help(format!("ask first whether the {what} is empty: `is_empty()`")),
        length => fault.help(format!("the last position is {}", length - 1)),
    }
}

fn arithmetic(text: &str) -> Fault {
    let lower = text.to_lowercase();
    if lower.contains("zero") {
        return Fault::new("arithmetic", "nothing can be divided by 0", "cannot be worked out")
            .help("ask first whether it is 0");
    }
    let sum = text.split_once(": ").map_or(text, |(_, sum)| sum);
    Fault::new("arithmetic", format!("`{sum}` is a larger number than rules can hold"), "cannot be worked out")
}

/// Something a script holds became too large.
pub(super) fn too_large(what: &str) -> Fault {
    if what == "variables" {
        return Fault::new("too-large", "the variables of a function hold too much together", "too large here")
            .help("keep state on the table, not in lists");
    }
    let (what, most) = match what.to_lowercase() {
        what if what.contains("string") => ("text", "16384 bytes"),
        what if what.contains("map") => ("map", "1000 parts"),
        _ => ("list", "1000 entries"),
    };
    Fault::new("too-large", format!("a {what} grew beyond {most}"), "too large here")
        .help("keep state on the table, not in lists")
}

fn indexing(kind: &str) -> Fault {
    let kind = kind.split(" [").next().unwrap_or(kind);
    match plain_type(kind).as_str() {
        "()" => nothing("an entry was asked"),
        kind => Fault::new(
            "not-indexed",
            format!("{} is not looked into with `[…]` like this", one(kind)),
            "cannot be looked into",
        ),
    }
}

/// `count (Zone, i64)` as the script engine writes a call that fits no function.
fn unknown_function(signature: &str) -> Fault {
    let name = signature.split([' ', '(']).next().unwrap_or_default();
    if let Some(property) = name.strip_prefix("get$").or_else(|| name.strip_prefix("set$")) {
        return dot_error(property);
    }
    let types = signature.split_once('(').map_or("", |(_, types)| types.strip_suffix(')').unwrap_or(types));
    let given: Vec<String> = types.split(',').map(str::trim).filter(|t| !t.is_empty()).map(plain_type).collect();
    unfit(name, &given)
}

/// A call with arguments that no function of that name takes.
pub(super) fn misfit(name: &str, given: &[Value]) -> Fault {
    unfit(name, &given.iter().map(|one| one.sort().word().to_owned()).collect::<Vec<_>>())
}

/// An operator between things that it does not work between.
pub(super) fn operator(sign: &str, given: &[Type]) -> Fault {
    without_meaning(sign, &given.iter().map(|kind| kind.word().to_owned()).collect::<Vec<_>>())
}

/// Something has nothing of that name behind a dot.
pub(super) fn unknown_field(name: &str, of: Type) -> Fault {
    match of {
        Type::Nothing => nothing(&format!("`{name}` was asked")),
        of => Fault::new("unknown-field", format!("{} has no `{name}`", of.one()), "not known"),
    }
}

/// What has this behind a dot does not let it be set.
pub(super) fn fixed_field(name: &str, of: Type) -> Fault {
    match of {
        Type::Nothing => nothing(&format!("`{name}` was asked")),
        of => Fault::new("fixed-field", format!("`{name}` of {} cannot be set", of.one()), "printed, or not a value")
            .help("declare a value of another name, or move the piece"),
    }
}

/// Nothing of this type stands in brackets like this.
pub(super) fn not_indexed(of: Type) -> Fault {
    indexing(of.word())
}

fn unfit(name: &str, given: &[String]) -> Fault {
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return without_meaning(name, given);
    }
    if given.first().is_some_and(|first| first == "()") {
        return nothing(&format!("`{name}` was asked"));
    }
    let words: Vec<Word> = Host::vocabulary();
    let known: Vec<&Word> = words.iter().filter(|word| word.form == Form::Function && word.name == name).collect();
    if known.is_empty() {
        let message = format!("there is no `{name}` for {}", listed(given));
        let fault = Fault::new("unknown-function", message, "given the wrong things");
        return fault.maybe_help(did_you_mean(
            name,
            words.iter().map(|word| word.name.as_str()).filter(|known| *known != name),
        ));
    }
    if let Some(fault) = wrong_argument(name, &known, given) {
        return fault;
    }
    Fault::new("wrong-arguments", format!("`{name}` does not take {}", listed(given)), "given the wrong things")
        .help(format!("write {}", forms(&known).join(" or ")))
}

/// The one thing that is of the wrong type, if the others fit a form of the word.
fn wrong_argument(name: &str, known: &[&Word], given: &[String]) -> Option<Fault> {
    let fits = |word: &Word, at: usize| matches!(word.types[at].word(), "any") || word.types[at].word() == given[at];
    let mut wrong: Option<(usize, &Word)> = None;
    let mut wanted: Vec<&str> = Vec::new();
    for word in known.iter().filter(|word| word.params.len() == given.len()) {
        let misfits: Vec<usize> = (0..given.len()).filter(|at| !fits(word, *at)).collect();
        let [at] = misfits.as_slice() else { continue };
        if wrong.is_some_and(|(known, _)| known != *at) {
            return None;
        }
        wrong = Some((*at, word));
        let kind = word.types[*at].word();
        if !wanted.contains(&kind) {
            wanted.push(kind);
        }
    }
    let (at, word) = wrong?;
    let wanted: Vec<String> = wanted.iter().take(4).map(|kind| one(kind)).collect();
    let (wanted, param, found) = (wanted.join(" or "), &word.params[at], &given[at]);
    let fault = Fault::new(
        "wrong-arguments",
        format!("`{name}` takes {wanted} as `{param}`, not {}", one(found)),
        "given the wrong things",
    );
    Some(match found.as_str() {
        "()" => fault.help("ask first whether it is there: `if x != () { … }`"),
        _ => fault.help(format!("write {}", forms(&[word]).join(" or "))),
    })
}

fn forms(known: &[&Word]) -> Vec<String> {
    let mut forms: Vec<String> = Vec::new();
    for word in known {
        let params = word.params.iter().zip(&word.types).map(|(p, t)| format!("{p}: {}", t.word()));
        let form = format!("`{}({})`", word.name, params.collect::<Vec<_>>().join(", "));
        if !forms.contains(&form) && forms.len() < 4 {
            forms.push(form);
        }
    }
    forms
}

fn without_meaning(sign: &str, given: &[String]) -> Fault {
    let message = match given {
        [one_side, other] => format!("`{sign}` does not work between {} and {}", one(one_side), one(other)),
        given => format!("`{sign}` does not work with {}", listed(given)),
    };
    let fault = Fault::new("wrong-type", message, "cannot be worked out");
    if sign == "!" && given == ["()"] {
        return fault.help("write a comparison, or let the function end in one");
    }
    if given.iter().any(|kind| kind == "()") {
        return fault.help("ask first whether it is there: `if x != () { … }`");
    }
    fault
}

fn dot_error(text: &str) -> Fault {
    let quoted: Vec<&str> = text.split('\'').collect();
    let name = text
        .strip_prefix("Unknown property ")
        .map(|rest| rest.trim_matches(['\'', '"', ' ']).split([' ', '\'', '"']).next().unwrap_or(rest))
        .or_else(|| quoted.get(1).copied())
        .unwrap_or(text);
    let kind = text.rsplit("type ").next().filter(|_| text.contains("type ")).map(plain_type);
    match kind.as_deref() {
        Some("()") => nothing(&format!("`{name}` was asked")),
        Some(kind) if text.contains("setter") => {
            Fault::new("fixed-field", format!("`{name}` of {} cannot be set", one(kind)), "printed, or not a value")
                .help("declare a value of another name, or move the piece")
        }
        Some(kind) => Fault::new("unknown-field", format!("{} has no `{name}`", one(kind)), "not known"),
        None => Fault::new("unknown-field", format!("there is no `{name}` here"), "not known"),
    }
}

/// A type with its article.
pub(super) fn one(kind: &str) -> String {
    match kind {
        "()" => "`()`".to_owned(),
        "seats" | "zones" | "spaces" | "components" | "pieces" | "options" | "answers" => kind.to_owned(),
        "any" => "anything".to_owned(),
        "game" => "the game".to_owned(),
        kind if kind.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {kind}"),
        kind => format!("a {kind}"),
    }
}

fn listed(given: &[String]) -> String {
    match given {
        [] => "nothing".to_owned(),
        given => given.iter().map(|kind| one(kind)).collect::<Vec<_>>().join(", "),
    }
}

/// The words for the types of the script engine.
pub(super) fn plain_type(raw: &str) -> String {
    let raw = raw.trim().trim_matches(['\'', '"']);
    let known = [
        ("PieceId", "piece"),
        ("SpaceId", "space"),
        ("ZoneId", "zone"),
        ("ComponentId", "component"),
        ("Seat", "seat"),
        ("OptionSet", "options"),
        ("Answers", "answers"),
        ("GameHandle", "game"),
        ("ImmutableString", "text"),
        ("&str", "text"),
        ("string", "text"),
        ("char", "text"),
        ("array", "list"),
        ("Array", "list"),
        ("Vec<", "list"),
        ("map", "map"),
        ("Map", "map"),
        ("range", "range"),
        ("FnPtr", "function"),
        ("Fn", "function"),
        ("i64", "number"),
        ("bool", "flag"),
        ("()", "()"),
    ];
    let found = known.iter().find(|(part, _)| raw.contains(part)).map_or(raw, |(_, word)| *word);
    if raw.contains("Set<") { format!("{found}s") } else { found.to_owned() }
}

fn without_position(text: &str) -> String {
    text.split(" (line ").next().unwrap_or(text).to_owned()
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
