//! Explains faults of the language, such as calls with wrong arguments, in terms that authors know.

use crate::decision::{ASK_FIRST, Type, Value, operator_help};
use crate::diagnostic::{UnknownField, did_you_mean, sentence};
use crate::library::context::fault::Fault;
use crate::library::{Entry, Form, registry};

/// Creates the fault for a step that exceeded its budget of operations.
pub(super) fn budget_exceeded() -> Fault {
    Fault::new("endless", "the rules ran for too long without asking anybody", "still running here")
        .help("check for a loop that never ends")
}

/// Creates the fault for reading a field of `()` or calling a function on `()`.
fn nothing(what: &str) -> Fault {
    sentence::nothing_found(what, ASK_FIRST)
}

/// Creates the fault for a call whose arguments fit no overload of the function. If possible, the fault names the wrong argument.
pub(super) fn wrong_call(name: &str, given: &[Value]) -> Fault {
    let given: Vec<Type> = given.iter().map(Value::sort).collect();
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return operator(name, &given);
    }
    if given.first() == Some(&Type::Nothing) {
        return nothing(&format!("`{name}` was asked"));
    }
    let words = &registry().entries;
    let known: Vec<&Entry> = words.iter().filter(|word| word.form == Form::Function && word.name == name).collect();
    if known.is_empty() {
        let message = format!("there is no `{name}` for {}", list_types(&given));
        let fault = Fault::new("unknown-function", message, "the wrong arguments");
        return fault.maybe_help(did_you_mean(
            name,
            words
                .iter()
                .filter(|word| word.form != Form::Operator)
                .map(|word| word.name.as_str())
                .filter(|known| *known != name),
        ));
    }
    if let Some(fault) = wrong_argument(name, &known, &given) {
        return fault;
    }
    Fault::new("wrong-arguments", format!("`{name}` does not take {}", list_types(&given)), "the wrong arguments")
        .help(format!("write {}", overload_forms(&known).join(" or ")))
}

/// Creates the fault for an operator that does not accept its operands.
pub(super) fn operator(symbol: &str, given: &[Type]) -> Fault {
    let (one, other) = given.split_at(given.len().min(1));
    let help = operator_help(symbol, one, other);
    match given {
        [one_side, other] => sentence::operator_between(symbol, &one_side.one(), &other.one(), help),
        given => sentence::operator_before(symbol, &list_types(given), help),
    }
}

/// Creates the fault for reading a field that a value of type `of` does not have.
pub(super) fn unknown_field(name: &str, of: Type) -> Fault {
    match of {
        Type::Nothing => nothing(&format!("`{name}` was asked")),
        of => UnknownField::of_one(&of.one(), name).into(),
    }
}

/// Creates the fault for an assignment to a field that cannot be assigned to.
pub(super) fn fixed_field(name: &str, of: Type) -> Fault {
    match of {
        Type::Nothing => nothing(&format!("`{name}` was asked")),
        of => sentence::fixed_field(name, &of.one()),
    }
}

/// Explains which argument is wrong. Returns `None` unless some overload accepts all other arguments.
fn wrong_argument(name: &str, known: &[&Entry], given: &[Type]) -> Option<Fault> {
    let fits = |word: &Entry, at: usize| word.types[at] == Type::Any || word.types[at] == given[at];
    let mut wrong: Option<(usize, &Entry)> = None;
    let mut wanted: Vec<Type> = Vec::new();
    for word in known.iter().filter(|word| word.params.len() == given.len()) {
        let misfits: Vec<usize> = (0..given.len()).filter(|at| !fits(word, *at)).collect();
        let [at] = misfits.as_slice() else { continue };
        if wrong.is_some_and(|(known, _)| known != *at) {
            return None;
        }
        wrong = Some((*at, word));
        let kind = word.types[*at];
        if !wanted.contains(&kind) {
            wanted.push(kind);
        }
    }
    let (at, word) = wrong?;
    let wanted: Vec<String> = wanted.iter().take(4).map(|kind| kind.one()).collect();
    let (wanted, param, found) = (wanted.join(" or "), &word.params[at], given[at]);
    let fault = Fault::new(
        "wrong-arguments",
        format!("`{name}` takes {wanted} as `{param}`, not {}", found.one()),
        "the wrong arguments",
    );
    Some(match found {
        Type::Nothing => fault.help(ASK_FIRST),
        _ => fault.help(format!("write {}", overload_forms(&[word]).join(" or "))),
    })
}

fn overload_forms(known: &[&Entry]) -> Vec<String> {
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

fn list_types(given: &[Type]) -> String {
    match given {
        [] => "nothing".to_owned(),
        given => given.iter().map(|kind| kind.one()).collect::<Vec<_>>().join(", "),
    }
}
