//! Messages that several parts of the engine report: the static analysis, library functions, and the virtual machine.

use super::Fault;

/// Code of messages about actions that are impossible in a trial: a hypothetical move on a copy of the table (`supposing`).
const WHILE_SUPPOSING: &str = "while-supposing";

/// Creates the message for a decision that is asked in a place where none is allowed.
pub fn choice_out_of_place() -> Fault {
    let message = "no decision can be asked here".to_owned();
    Fault { code: "choice-out-of-place", message, note: "asks a seat".to_owned(), help: None }
}

/// Like [`choice_out_of_place`], but for a decision that is asked in a closure `|…|`.
pub fn choice_in_a_closure() -> Fault {
    Fault { help: Some("ask before, and use the answer in the function `|…|`".to_owned()), ..choice_out_of_place() }
}

/// Like [`choice_out_of_place`], but for a decision that is asked in a trial.
pub fn choice_in_a_trial() -> Fault {
    Fault {
        code: WHILE_SUPPOSING,
        message: "no decision can be asked in a trial run".to_owned(),
        note: "asks a seat".to_owned(),
        help: Some("ask before, and use the answer in the function `|…|`".to_owned()),
    }
}

/// Creates the message for randomness in a trial.
pub fn draw_in_a_trial() -> Fault {
    Fault {
        code: WHILE_SUPPOSING,
        message: "nothing can be drawn at random in a trial run".to_owned(),
        note: "draws at random".to_owned(),
        help: Some("remove it from the function `|…|`: nobody can know the result".to_owned()),
    }
}

/// Creates the message for a call of `again` while it is no seat's turn.
pub fn another_turn_of_nobody() -> Fault {
    no_turn("`again` is called outside turns", "call it in a step of `each_seat` or `turns`")
}

/// Creates the message for a call of `next_turn` outside of `turns`.
pub fn next_turn_of_none() -> Fault {
    no_turn("`next_turn` is called outside turns", "call it in a step of `turns`")
}

fn no_turn(message: &str, help: &str) -> Fault {
    Fault {
        code: "no-turn",
        message: message.to_owned(),
        note: "gives a turn away".to_owned(),
        help: Some(help.to_owned()),
    }
}

/// Creates the message for the end of the game in a trial.
pub fn end_in_a_trial() -> Fault {
    Fault {
        code: WHILE_SUPPOSING,
        message: "the game cannot end in a trial run".to_owned(),
        note: "ends the game".to_owned(),
        help: Some("remove it from the function `|…|`; `ends_as` is allowed there".to_owned()),
    }
}

/// Creates the message for trials that are nested deeper than the limit `most`.
pub fn nested_trials(most: u8) -> Fault {
    let message = format!("more than {most} trial runs are nested");
    fault(WHILE_SUPPOSING, message, "one more trial run", Some("look fewer moves ahead"))
}

/// Creates the message for a change of the table where rules may only read it.
pub fn change_while_reading() -> Fault {
    Fault {
        code: "change-while-reading",
        message: "nothing can change here".to_owned(),
        note: "changes the table".to_owned(),
        help: Some(
            "change the table in a step of a phase; where options are listed, before or after the answer".to_owned(),
        ),
    }
}

/// Creates the message for a change of the table while several seats answer simultaneously.
pub fn change_while_asking() -> Fault {
    Fault {
        code: "change-while-asking",
        message: "nothing may change while several seats are asked together".to_owned(),
        note: "changes the table".to_owned(),
        help: Some(
            "return the answer from the function given to `together`, and change the table afterwards".to_owned(),
        ),
    }
}

/// Creates the message for a change other than moving pieces inside `at_once`.
pub fn change_at_once() -> Fault {
    Fault {
        code: "change-at-once",
        message: "only moves of pieces can happen at once".to_owned(),
        note: "changes the table in another way".to_owned(),
        help: Some("use `move_to` or `move_under` here; do the rest before or after `at_once`".to_owned()),
    }
}

/// Creates the message for a condition that is not a flag. `found` describes the actual value; `is_nothing` tells whether it is `()`.
pub fn flag_expected(found: &str, is_nothing: bool) -> Fault {
    let help = if is_nothing {
        "write a comparison, or end the function with one"
    } else {
        "write a comparison: `x > 0`, `x != ()`"
    };
    let message = format!("a flag was expected, not {found}");
    Fault { code: "wrong-type", message, note: "of another type".to_owned(), help: Some(help.to_owned()) }
}

/// Creates the message for a `for` loop over a single value, described by `found`.
pub fn not_iterated(found: &str, help: Option<&str>) -> Fault {
    let message = format!("`for` needs a list, a set or a range, not {found}");
    fault("not-a-list", message, "not a list", help)
}

/// Creates the message for a value that is not a list where one is expected. `found` describes the actual value.
pub fn list_expected(found: &str, help: Option<&str>) -> Fault {
    fault("not-a-list", format!("a list was expected, not {found}"), "not a list", help)
}

/// Creates the message for a binary operator that does not accept its operands, which are described by `one` and `other`.
pub fn operator_between(symbol: &str, one: &str, other: &str, help: Option<&str>) -> Fault {
    let message = format!("`{symbol}` does not work between {one} and {other}");
    fault("wrong-type", message, CANNOT_BE_CALCULATED, help)
}

/// Creates the message for a unary operator that does not accept its operand.
pub fn operator_before(symbol: &str, found: &str, help: Option<&str>) -> Fault {
    fault("wrong-type", format!("`{symbol}` does not work with {found}"), CANNOT_BE_CALCULATED, help)
}

/// Help for `()` where a flag is needed, such as the operand of `!`.
pub const END_IN_A_FLAG: &str = "write a comparison, or end the function with one";

/// Creates the message for a right operand of `in` that is not a container. `found` describes the actual value.
pub fn holds_nothing(found: &str) -> Fault {
    let help = "use `in` with a list, a set, a zone, a range, a text or a map";
    fault("wrong-type", format!("nothing can be in {found}"), "holds nothing", Some(help))
}

/// Creates the message for a left operand of `in` that can never be an element of the right one. `item_is` is the subject with its verb,
/// such as "seats are".
pub fn never_in(item_is: &str, container: &str, help: Option<&str>) -> Fault {
    fault("wrong-type", format!("{item_is} never in {container}"), "of another type", help)
}

/// Creates the message for a left operand of `in` that is not a text, while the right operand is a map. `item_is` is the subject with its
/// verb.
pub fn never_a_part(item_is: &str, help: Option<&str>) -> Fault {
    fault("wrong-type", format!("{item_is} never the name of a part"), "of another type", help)
}

/// Creates the message for a division by zero.
pub fn divided_by_nothing() -> Fault {
    fault(
        "arithmetic",
        "nothing can be divided by 0".to_owned(),
        CANNOT_BE_CALCULATED,
        Some("check for 0 before dividing"),
    )
}

/// Creates the message for reading a field of `()` or calling a function on it. `what` is the subject of the message, such as the field
/// that was read.
pub fn nothing_found(what: &str, help: &str) -> Fault {
    fault("nothing-here", format!("{what} of `()`: nothing was found"), "there is nothing here", Some(help))
}

/// Creates the message for a value that cannot be indexed in this way. `indexed` is the type of the value with an article. `index` is the
/// index with its preposition, such as `by a text`.
pub fn not_indexed(indexed: &str, index: &str, help: Option<&str>) -> Fault {
    fault("not-indexed", format!("{indexed} cannot be indexed {index}"), "cannot be indexed", help)
}

/// Creates the message for a table of values that has no entry for a key.
pub fn no_entry(table: &str, each: &str, index: &str) -> Fault {
    let message = format!("`{table}` has an entry for each {each}, not for {index}");
    fault("not-indexed", message, "cannot be indexed", None)
}

/// Creates the message for an index assignment to a value that does not support it.
pub fn not_set(indexed: &str) -> Fault {
    fault("not-indexed", format!("nothing can be set in {indexed}"), "cannot be set", None)
}

/// Creates the message for rules that call a function that is allowed only in the `arrange` of a playscript.
pub fn not_arranging() -> Fault {
    let help = "move a piece with `move_to`, or draw it from its pile";
    let message = "pieces are taken from anywhere only in `arrange` of a play".to_owned();
    fault("not-arranging", message, "not in the `arrange` of a play", Some(help))
}

/// Creates the message for an assignment to a printed or built-in field.
pub fn fixed_field(name: &str, owner: &str) -> Fault {
    let help = "declare a value of another name, or move the piece";
    fault("fixed-field", format!("`{name}` of {owner} cannot be set"), "printed, or not a value", Some(help))
}

/// Creates the message for an assignment to a name that the game declares.
pub fn fixed_name(name: &str) -> Fault {
    let help = "keep what changes in a value, or in a variable of another name";
    fault("fixed-name", format!("`{name}` cannot be set"), "is a name of the game, not a variable", Some(help))
}

/// Creates the message for reading a part that a map does not have.
pub fn unknown_part(name: &str) -> Fault {
    let help = format!(
        "check first whether the map has the part: `\"{name}\" in x`, or add it where the map is created: `#{{ {name}: … }}`"
    );
    fault("unknown-part", format!("the map has no part `{name}`"), "not in this map", Some(&help))
}

/// Creates the message for a call of a value that is not a function.
pub fn not_a_function(found: &str) -> Fault {
    let help = "`call` is for functions `|…|` in variables: `let double = |n| 2 * n; double.call(3)`";
    fault("wrong-call", format!("{found} cannot be called"), "not a function `|…|`", Some(help))
}

/// Creates the message for moving pieces to a value that is neither a zone nor a space. `subject` includes its verb, such as `a seat is`.
pub fn not_a_place(subject: &str, help: Option<&str>) -> Fault {
    fault("wrong-place", format!("{subject} not a place for pieces"), "neither a zone nor a space", help)
}

/// Creates the message for moving a value that is not a piece. `subject` includes its verb, such as `a seat is`.
pub fn not_a_piece(subject: &str) -> Fault {
    fault("wrong-piece", format!("{subject} not a piece"), NEITHER_A_PIECE, None)
}

/// Note for a value that is neither pieces nor a place.
pub const NEITHER_A_PIECE: &str = "not a piece, a set of pieces, a zone or a space";

/// Creates the message for an argument of `choose` that is not a list or set of options. `subject` includes its verb, such as `a seat is`.
pub fn not_options(subject: &str, help: Option<&str>) -> Fault {
    let help = help.or(Some("write several pieces as `[…]`, or use the `pieces` of a zone"));
    fault("wrong-options", format!("{subject} not a list of options"), "not a list, a set or options", help)
}

/// Creates the message for a call that passes no value for the placeholder `room` in the text of the question `name`.
pub fn unfilled_question(name: &str, room: &str) -> Fault {
    Fault {
        code: "unfilled-text",
        message: format!("the question `{name}` needs `{room}`, which is not given"),
        note: format!("`ask` has room for `{{{room}}}`"),
        help: Some(format!("add `#{{ {room}: … }}` after the name of the decision")),
    }
}

/// Creates the message for an assignment of a value that the target `name` does not allow.
pub fn wrong_value(name: &str, takes: &str, given: &str) -> Fault {
    fault("wrong-value", format!("`{name}` is {takes}, not {given}"), "set to something else", None)
}

/// Note for operands of the wrong type.
pub const CANNOT_BE_CALCULATED: &str = "cannot be calculated";

fn fault(code: &'static str, message: String, note: &str, help: Option<&str>) -> Fault {
    Fault { code, message, note: note.to_owned(), help: help.map(str::to_owned) }
}
