//! Messages for texts that the script engine's compiler rejects although this crate's parser accepts them.

use super::message::Message;
use crate::diagnostic::{Sentence, flag_expected, sentence};
use rhai::{LexError, ParseErrorType};

fn message(code: &'static str, headline: impl Into<String>, note: impl Into<String>) -> Message {
    Message::new(headline, note).code(code)
}

/// Translates an error of the script engine into a message.
pub(super) fn describe(error: &ParseErrorType) -> Message {
    match error {
        ParseErrorType::AssignmentToConstant(name) => from_sentence(sentence::fixed_name(name)),
        ParseErrorType::MismatchedType(wanted, found) if wanted.contains("iterable") => not_a_list(found),
        ParseErrorType::MismatchedType(wanted, found) if wanted.contains("boolean") => {
            from_sentence(flag_expected(type_name(found), false))
        }
        ParseErrorType::MismatchedType(wanted, found) => message(
            "syntax",
            format!("{} was expected, not {}", type_name(wanted), type_name(found)),
            "of another type",
        ),
        ParseErrorType::LiteralTooLarge(_, most) | ParseErrorType::BadInput(LexError::StringTooLong(most)) => {
            message("too-large", format!("a text is longer than {most} bytes"), "too long")
        }
        ParseErrorType::ExprTooDeep => message("too-deep", "this is nested too deeply", "too deep here")
            .help("store parts of it with `let`, or write a function"),
        ParseErrorType::TooManyFunctions => {
            message("too-many", "this file has more than 1,024 functions", "one too many")
                .help("move some to another file, and tables of numbers to components; functions `|…|` count too")
        }
        ParseErrorType::WrongSwitchIntegerCase => {
            message("syntax", "a number follows or accompanies a range in this `switch`", "numbers come first")
                .help("put the cases with numbers above those with ranges, or write `3..=3` for a number among ranges")
        }
        ParseErrorType::MalformedIndexExpr(_) => {
            message("syntax", "this cannot be used as an index", "not an index or label")
        }
        ParseErrorType::ExprExpected(_) => message("syntax", "a number or a text was expected", "neither of these")
            .help("write numbers, texts and ranges of numbers before `=>`"),
        other => message("syntax", lower_first(&other.to_string()), "here"),
    }
}

/// Message about a `for` loop over something that is not a list.
fn not_a_list(found: &str) -> Message {
    let help = found.contains("number").then_some("write a range such as `0..n`");
    from_sentence(sentence::not_iterated(type_name(found), help))
}

/// Converts a message that other parts of the engine use too.
fn from_sentence(Sentence { code, headline, note, help }: Sentence) -> Message {
    help.into_iter().fold(message(code, headline, note), Message::help)
}

/// Translates the script engine's name of a type, with its article.
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
