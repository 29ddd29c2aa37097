//! Messages for source code that the script engine's compiler rejects but this crate's parser accepts.

use crate::diagnostic::{Fault, flag_expected, sentence};
use rhai::{LexError, ParseErrorType};

/// Converts an error of the script engine to a fault.
pub(super) fn describe(error: &ParseErrorType) -> Fault {
    match error {
        ParseErrorType::AssignmentToConstant(name) => sentence::fixed_name(name),
        ParseErrorType::MismatchedType(wanted, found) if wanted.contains("iterable") => not_a_list(found),
        ParseErrorType::MismatchedType(wanted, found) if wanted.contains("boolean") => {
            flag_expected(type_name(found), false)
        }
        ParseErrorType::MismatchedType(wanted, found) => Fault::new(
            "syntax",
            format!("{} was expected, not {}", type_name(wanted), type_name(found)),
            "of another type",
        ),
        ParseErrorType::LiteralTooLarge(_, most) | ParseErrorType::BadInput(LexError::StringTooLong(most)) => {
            Fault::new("too-large", format!("a text is longer than {most} bytes"), "too long")
        }
        ParseErrorType::ExprTooDeep => Fault::new("too-deep", "this is nested too deeply", "too deep here")
            .help("store parts of it with `let`, or write a function"),
        ParseErrorType::TooManyFunctions => {
            Fault::new("too-many", "this file has more than 1,024 functions", "one too many")
                .help("move some to another file, and tables of numbers to components; functions `|…|` count too")
        }
        ParseErrorType::WrongSwitchIntegerCase => {
            Fault::new("syntax", "a number follows or accompanies a range in this `switch`", "numbers come first")
                .help("put the cases with numbers above those with ranges, or write `3..=3` for a number among ranges")
        }
        ParseErrorType::MalformedIndexExpr(_) => {
            Fault::new("syntax", "this cannot be used as an index", "not an index or label")
        }
        ParseErrorType::ExprExpected(_) => Fault::new("syntax", "a number or a text was expected", "neither of these")
            .help("write numbers, texts and ranges of numbers before `=>`"),
        other => Fault::new("syntax", lower_first(&other.to_string()), "here"),
    }
}

/// Creates the fault for a `for` loop over a value that is not a list.
fn not_a_list(found: &str) -> Fault {
    let help = found.contains("number").then_some("write a range such as `0..n`");
    sentence::not_iterated(type_name(found), help)
}

/// Translates the script engine's name of a type, including the article.
fn type_name(kind: &str) -> &str {
    match kind {
        "a boolean" => "a flag",
        "a string" | "a character" => "a text",
        "an array" => "a list",
        "an object map" => "a map",
        "()" => "`()`",
        kind => kind,
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
