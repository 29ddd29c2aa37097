//! Help texts for operands, indices and loop expressions of the wrong type. Shared by the static analysis and the virtual machine.

use super::types::Type;

/// Help for an operand that is `()`.
pub(crate) const ASK_FIRST: &str = "ask first whether it is there: `if x != () { … }`";

/// Returns [`ASK_FIRST`] with `x` replaced by `expression`, such as the name of a variable.
pub(crate) fn ask_first_help(expression: &str) -> String {
    ASK_FIRST.replace("x != ()", &format!("{expression} != ()"))
}

/// Returns the help for a binary operator that does not accept its operands. Each operand may have one of several types.
pub(crate) fn operator_help(symbol: &str, one: &[Type], other: &[Type]) -> Option<&'static str> {
    let sides = [one, other];
    let is = |side: &[Type], among: &[Type]| !side.is_empty() && side.iter().all(|one| among.contains(one));
    let either = |among: &[Type]| sides.iter().any(|side| is(side, among));
    // One operand has one of these types, and the other is a number.
    let beside_number = |among: &[Type]| (is(one, among) || is(other, among)) && either(&[Type::Number]);
    if sides.concat().contains(&Type::Nothing) {
        Some(ASK_FIRST)
    } else if either(&[Type::Flag]) {
        Some("a comparison returns `true` or `false`: join two of them with `&&`, as in `1 < x && x < 3`")
    } else if symbol == "-" && one.iter().any(|kind| HANDLE_LISTS.contains(kind)) && !either(&[Type::Number]) {
        Some("write `a.without(b)` for all of `a` but `b`")
    } else if symbol == "+" && is(one, &[Type::List]) {
        Some("write `[x]` for one more entry, or `push`")
    } else if beside_number(&[Type::Space]) {
        Some("use its label: `x.label`, or how many pieces lie there: `x.count()`")
    } else if beside_number(&COUNTED) {
        Some("use their number: `x.count()`")
    } else if beside_number(&[Type::Seat]) {
        Some("use its `number`: `x.number`")
    } else if beside_number(&[Type::Text]) {
        Some("write numbers without quotes")
    } else {
        None
    }
}

/// Returns whether values of this type can be the right operand of `in`, that is, can contain other values.
pub(crate) fn holds_some(container: Type) -> bool {
    COUNTED.contains(&container) || [Type::Map, Type::Range, Type::Text].contains(&container)
}

/// Returns the help for an index that does not fit the indexed value. Both may have one of several types.
pub(crate) fn index_help(indexed: &[Type], index: &[Type]) -> Option<&'static str> {
    match (indexed, index) {
        ([Type::List], [Type::Text, ..]) => Some("lists are indexed by number: the first entry is `list[0]`"),
        ([Type::Answers], _) => Some("answers are found by who gave them: `answers[seat]`"),
        ([Type::Map], [Type::Number, ..]) => Some("parts of a map are accessed by name: `map.name`"),
        _ => None,
    }
}

/// Returns the help for a `for` loop over a value that cannot be iterated. `types` are the possible types of the value.
pub(crate) fn iteration_help(types: &[Type]) -> Option<&'static str> {
    let is = |among: &[Type]| types.iter().any(|one| among.contains(one));
    if is(&[Type::Zone]) {
        Some("use its `pieces` or `spaces`")
    } else if is(&[Type::Space]) {
        Some("use its `pieces`")
    } else if is(&[Type::Number]) {
        Some("write a range such as `0..n`")
    } else if types == [Type::Answers] {
        Some("iterate over the seats: `for seat in seats { … answers[seat] … }`")
    } else if types == [Type::Nothing] {
        Some(ASK_FIRST)
    } else if is(&[Type::Piece, Type::Component, Type::Seat]) {
        Some("this is a single thing: use it without `for`")
    } else {
        None
    }
}

/// Types of lists without duplicates.
const HANDLE_LISTS: [Type; 5] = [Type::Seats, Type::Zones, Type::Spaces, Type::Components, Type::Pieces];

/// Types with the function `count`.
const COUNTED: [Type; 9] = [
    Type::Seats,
    Type::Zones,
    Type::Spaces,
    Type::Components,
    Type::Pieces,
    Type::Zone,
    Type::Space,
    Type::List,
    Type::Options,
];

#[cfg(test)]
mod tests {
    use super::{ASK_FIRST, Type, iteration_help};

    #[test]
    fn iteration_help_depends_on_the_type() {
        for (kind, help) in [
            (Type::Zone, Some("use its `pieces` or `spaces`")),
            (Type::Number, Some("write a range such as `0..n`")),
            (Type::Nothing, Some(ASK_FIRST)),
            (Type::Seat, Some("this is a single thing: use it without `for`")),
            (Type::Flag, None),
        ] {
            assert_eq!(iteration_help(&[kind]), help, "{kind:?}");
        }
    }
}
