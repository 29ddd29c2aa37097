//! `wrong-type`: an operand, a condition or the result of a closure has the wrong type, or two compared values can never be equal.

use super::super::types::{Tags, in_words, is_or_are};
use crate::decision::{ASK_FIRST, Type as Tag, operator_help};
use crate::diagnostic::{Diagnostic, Place, flag_expected, sentence};
use crate::library::{FIRST, LAST, TOP};

const CODE: &str = "wrong-type";

/// Creates the diagnostic for a unary operator whose operand has the wrong type.
pub(crate) fn wrong_operand(symbol: &str, bad: Tags, here: Place) -> Diagnostic {
    let help = match symbol {
        _ if !bad.has(Tag::Nothing) => None,
        "!" => Some(sentence::END_IN_A_FLAG),
        _ => Some(ASK_FIRST),
    };
    sentence::operator_before(symbol, &in_words(bad), help).at(here)
}

/// Creates the diagnostic for a binary operator whose operands have the wrong types.
pub(crate) fn wrong_operands(symbol: &str, one: Tags, other: Tags, here: Place) -> Diagnostic {
    let types = |tags: Tags| tags.iter().collect::<Vec<Tag>>();
    let help = operator_help(symbol, &types(one), &types(other));
    sentence::operator_between(symbol, &in_words(one), &in_words(other), help).at(here)
}

/// Creates the diagnostic for a quoted number where a number is needed.
pub(crate) fn quoted_number(word: &str, here: Place) -> Diagnostic {
    Diagnostic::error(CODE, format!("`\"{word}\"` is a text, not a number"))
        .mark(here, "a number in quotes")
        .help(format!("write `{word}`"))
}

/// Creates the diagnostic for a condition that is not a flag.
pub(crate) fn not_a_flag(bad: Tags, here: Place) -> Diagnostic {
    flag_expected(&in_words(bad), false).at(here)
}

/// Creates the diagnostic for a closure that returns a value of the wrong type.
pub(crate) fn wrong_result_of_function(wanted: Tags, bad: Tags, here: Place) -> Diagnostic {
    let message = format!("{} was expected, not {}", in_words(wanted), in_words(bad));
    let found = Diagnostic::error(CODE, message).mark(here, "of another type");
    if wanted == Tags::new(&[Tag::Flag]) {
        found.help(if bad.has(Tag::Nothing) {
            sentence::END_IN_A_FLAG
        } else {
            "write a comparison: `x > 0`, `x != ()`"
        })
    } else if bad.has(Tag::Nothing) {
        found.help(ASK_FIRST)
    } else {
        found
    }
}

/// Creates the diagnostic for a comparison of two values that can never be equal, because their types differ.
pub(crate) fn never_alike(one: Tags, other: Tags, is_equal: bool, here: Place) -> Diagnostic {
    let never = if is_equal { "never" } else { "always other than" };
    let message = if one == Tags::new(&[Tag::Nothing]) {
        format!("this is always `()`, never {}", in_words(other))
    } else {
        format!("{} {} {never} {}", in_words(one), is_or_are(one), in_words(other))
    };
    let has = |tag: Tag| one.has(tag) || other.has(tag);
    let help = if has(Tag::Component) && !has(Tag::Piece) && has(Tag::Text) {
        "ask for its `kind`, or compare with a component: `component(\"…\")`"
    } else if has(Tag::Piece) && has(Tag::Text) {
        "ask for its `kind`, or compare its component: `card.component == component(\"…\")`"
    } else if has(Tag::Piece) && has(Tag::Component) {
        "compare its component: `card.component == …`"
    } else if has(Tag::Seat) && has(Tag::Number) {
        "compare its `number`, or name a seat"
    } else if has(Tag::Seat) {
        "compare with a seat: `first`, `active`, or one of `seats`"
    } else if (has(Tag::Zone) || has(Tag::Space)) && has(Tag::Number) {
        "compare how many lie there: `….count()`"
    } else if has(Tag::Flag) && has(Tag::Text) {
        "write `true` or `false` without quotes"
    } else if has(Tag::Flag) {
        "a flag is asked by itself: `if x { … }`"
    } else if has(Tag::Map) && has(Tag::Text) {
        "compare one of its parts: `x.part`, or ask whether it has a part: `\"part\" in x`"
    } else if has(Tag::Number) && has(Tag::Text) {
        "write the number without quotes"
    } else {
        "compare values of one type"
    };
    Diagnostic::error(CODE, message).mark(here, "compares values of two types").help(help)
}

/// Creates the diagnostic for a comparison of two game objects that are never equal because of their kinds or zones. `one` and `other`
/// describe the objects.
pub(crate) fn never_of_one_kind(one: &str, other: &str, here: Place) -> Diagnostic {
    Diagnostic::error(CODE, format!("{one} is never {other}")).mark(here, "compares things of two kinds")
}

/// Creates the diagnostic for a comparison of two lists whose entries are never equal.
pub(crate) fn never_alike_lists(one: Tags, other: Tags, is_equal: bool, here: Place) -> Diagnostic {
    let never = if is_equal { "never" } else { "always other than" };
    let message = format!(
        "a list, each of whose entries is {}, is {never} one, each of whose entries is {}",
        in_words(one),
        in_words(other)
    );
    Diagnostic::error(CODE, message)
        .mark(here, "compares lists of two types")
        .help("compare lists whose entries are of one type")
}

/// Creates the diagnostic for a comparison of the top or bottom of a zone or space with `()`.
pub(crate) fn always_there(place: &str, end: &str, here: Place) -> Diagnostic {
    let instead = if end == TOP { FIRST } else { LAST };
    Diagnostic::error(CODE, format!("`{place}.{end}` is never `()`: where nothing lies it is a fault"))
        .mark(here, "is always there")
        .help(format!("ask `{place}.{instead}`, which is `()` where nothing lies, or `{place}.is_empty()`"))
}

/// Creates the diagnostic for a comparison with `()` of a value that is never `()`.
pub(crate) fn never_nothing(asked: &str, tags: Tags, here: Place) -> Diagnostic {
    let found = Diagnostic::error(CODE, format!("`{asked}` is never `()`: it is {}", in_words(tags)))
        .mark(here, "is always there");
    let has_any = |wanted: &[Tag]| !tags.and(Tags::new(wanted)).is_empty();
    if has_any(&[Tag::Zone, Tag::Space, Tag::Zones, Tag::Spaces, Tag::Seats, Tag::Components, Tag::Pieces]) {
        found.help(format!("ask whether something is in it: `{asked}.is_empty()`"))
    } else if has_any(&[Tag::Number]) {
        found.help("compare it with a number, such as 0, or leave the question out")
    } else {
        found.help("leave the question out, or ask what holds it")
    }
}

/// Creates the diagnostic for `in` with a right operand that is not a container.
pub(crate) fn holds_nothing(tags: Tags, here: Place) -> Diagnostic {
    sentence::holds_nothing(&in_words(tags)).at(here)
}

/// Creates the diagnostic for `in` with an item whose type the container never contains.
pub(crate) fn never_in(item: Tags, container: Tags, entries: Tags, here: Place) -> Diagnostic {
    let item = format!("{} {}", in_words(item), is_or_are(item));
    let sentence = if container == Tags::new(&[Tag::Map]) {
        sentence::never_a_part(&item, None)
    } else if container.has(Tag::List) {
        let container = format!("{}, each of whose entries is {}", in_words(container), in_words(entries));
        sentence::never_in(&item, &container, None)
    } else {
        sentence::never_in(&item, &in_words(container), None)
    };
    sentence.at(here)
}
