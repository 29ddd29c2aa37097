//! What the script engine's compiler refuses though it is well written, in our words.

use super::message::Message;
use crate::diagnostic::{Sentence, flag_expected, sentence};
use rhai::{LexError, ParseErrorType};

fn said(code: &'static str, headline: impl Into<String>, note: impl Into<String>) -> Message {
    Message::new(headline, note).code(code)
}

/// What an error means, in our words.
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

/// What is said of a `for` over a single thing.
fn not_a_list(found: &str) -> Message {
    let help = found.contains("number").then_some("write a range such as `0..n`");
    in_one_voice(sentence::not_iterated(in_our_words(found), help))
}

/// What other parts say too.
fn in_one_voice(Sentence { code, headline, note, help }: Sentence) -> Message {
    help.into_iter().fold(said(code, headline, note), Message::help)
}

/// A type as the script engine's compiler calls it, with an article.
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
