//! Messages for what the script engine's compiler rejects although this crate's parser accepts it.

use super::message::Message;
use crate::diagnostic::{Sentence, flag_expected, sentence};
use rhai::{LexError, ParseErrorType};

fn said(code: &'static str, headline: impl Into<String>, note: impl Into<String>) -> Message {
    Message::new(headline, note).code(code)
}

/// Translates an error of the script engine into a message.
pub(super) fn describe(error: &ParseErrorType) -> Message {
    match error {
        ParseErrorType::AssignmentToConstant(name) => {
            in_one_voice(sentence::fixed_name(name))
        }
        ParseErrorType::MismatchedType(wanted, found) if wanted.contains("iterable") => not_a_list(found),
        ParseErrorType::MismatchedType(wanted, found) if wanted.contains("boolean") => {
            in_one_voice(flag_expected(in_our_words(found), false))
        }
        ParseErrorType::MismatchedType(wanted, found) => said(
            "syntax",
            format!("{} was expected, not {}", in_our_words(wanted), in_our_words(found)),
            "of another type",
        ),
        ParseErrorType::LiteralTooLarge(_, most) | ParseErrorType::BadInput(LexError::StringTooLong(most)) => {
            said("too-large", format!("a text is longer than {most} bytes"), "too long")
        }
        ParseErrorType::ExprTooDeep => said("too-deep", "this is nested too deeply", "too deep here")
            .help("give parts of it names with `let`, or write a function"),
        ParseErrorType::TooManyFunctions => said("too-many", "this file has more than 1,024 functions", "one too many")
            .help("put some in another file, and what is the same but for its numbers in components: each function counts, `|…|` too"),
        ParseErrorType::WrongSwitchIntegerCase => {
            said("syntax", "a number stands below or beside a range in this `switch`", "numbers come first")
                .help("write the lines with numbers above those with ranges, or `3..=3` for a number among ranges")
        }
        ParseErrorType::MalformedIndexExpr(_) => {
            said("syntax", "this cannot stand in `[…]`", "not a position or label")
        }
        ParseErrorType::ExprExpected(_) => said("syntax", "a number or a text was expected", "neither of these")
            .help("write numbers, texts and ranges of numbers before `=>`"),
        other => said("syntax", lower_first(&other.to_string()), "here"),
    }
}

/// Message about a `for` loop over something that is not a list.
fn not_a_list(found: &str) -> Message {
    let help = found.contains("number").then_some("write a range such as `0..n`");
    in_one_voice(sentence::not_iterated(in_our_words(found), help))
}

/// Converts a message that other parts of the engine use too.
fn in_one_voice(Sentence { code, headline, note, help }: Sentence) -> Message {
    help.into_iter().fold(said(code, headline, note), Message::help)
}

/// Translates the script engine's name of a type, with its article.
fn in_our_words(kind: &str) -> &str {
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
