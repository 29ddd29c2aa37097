//! Operators on values other than game objects. The machine implements them by symbol. Operators on game objects are declared together with
//! the objects.

use crate::library::entry::builder::RegistryBuilder;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Operators");
    register_arithmetic(registry);
    register_concatenation(registry);
    registry.plain_operator(
        "..",
        "from:number to:number -> range",
        "The numbers from `from` to `to`, without `to`.",
        "5 in 2..5 // false",
    );
    registry.plain_operator(
        "..=",
        "from:number to:number -> range",
        "The numbers from `from` to `to`, including `to`.",
        "5 in 2..=5 // true",
    );
    registry.plain_operator(
        "??",
        "value:any other:any -> any",
        "Returns `value`, or `other` if `value` is `()`. `other` is only evaluated if it is needed.",
        "[1, 2].find(|n| n > 5) ?? 0 // 0",
    );
    register_comparison(registry);
    register_membership(registry);
    registry.plain_operator("!", "flag:flag -> flag", "The opposite of a flag.", "!true // false");
    registry.plain_operator(
        "&&",
        "flag:flag other:flag -> flag",
        "Returns whether both flags are `true`. `other` is only evaluated if `flag` is `true`.",
        "1 < 2 && 2 < 3 // true",
    );
    registry.plain_operator(
        "||",
        "flag:flag other:flag -> flag",
        "Returns whether at least one of the two flags is `true`. `other` is only evaluated if `flag` is `false`.",
        "1 > 2 || 2 < 3 // true",
    );
}

/// Adds arithmetic operators.
fn register_arithmetic(registry: &mut RegistryBuilder) {
    registry.plain_operator(
        "-",
        "number:number -> number",
        "The number with the opposite sign.",
        "let n = 3; -n // -3",
    );
    registry.plain_operator("+", "number:number -> number", "The number unchanged.", "let n = 3; +n // 3");
    let between = "a:number b:number -> number";
    registry.plain_operator("**", between, "Raises `a` to the power of `b`.", "2 ** 10 // 1024");
    registry.plain_operator("*", between, "The product of two numbers.", "2 * 3 // 6");
    registry.plain_operator("/", between, "The quotient of two numbers, rounded toward 0.", "-7 / 2 // -3");
    registry.plain_operator("%", between, "The remainder of a division, with the sign of `a`.", "-7 % 3 // -1");
    registry.plain_operator("-", between, "The difference of two numbers.", "5 - 2 // 3");
    registry.plain_operator("+", between, "The sum of two numbers.", "5 + 2 // 7");
}

/// Adds `+` for strings, lists and maps.
fn register_concatenation(registry: &mut RegistryBuilder) {
    registry.plain_operator(
        "+",
        "text:text what:any -> text",
        "A text followed by any value, formatted as in `${…}`.",
        "\"lot \" + 3 // \"lot 3\"",
    );
    registry.plain_operator(
        "+",
        "what:any text:text -> text",
        "Any value, formatted as in `${…}`, followed by a text.",
        "3 + \" lots\" // \"3 lots\"",
    );
    registry.plain_operator(
        "+",
        "list:list other:list -> list",
        "The entries of both lists, beginning with those of the first list.",
        "[1] + [2, 3] // [1, 2, 3]",
    );
    registry.plain_operator(
        "+",
        "map:map other:map -> map",
        "The parts of both maps; a part that both have is taken from `other`.",
        "#{ lot: 1, price: 2 } + #{ price: 3 } // #{ lot: 1, price: 3 }",
    );
}

/// Adds comparison operators.
fn register_comparison(registry: &mut RegistryBuilder) {
    let orders = [
        ("<", "Returns whether `a` is less than `b`, or comes before it alphabetically.", "2 < 3 // true"),
        (
            "<=",
            "Returns whether `a` is at most `b`, or does not come after it alphabetically.",
            "\"a\" <= \"b\" // true",
        ),
        (">", "Returns whether `a` is greater than `b`, or comes after it alphabetically.", "2 > 3 // false"),
        (">=", "Returns whether `a` is at least `b`, or does not come before it alphabetically.", "3 >= 3 // true"),
    ];
    for (operator, doc, example) in orders {
        registry.plain_operator(operator, "a:number b:number -> flag", doc, example);
        registry.plain_operator(operator, "a:text b:text -> flag", doc, "");
    }
    let any = "a:any b:any -> flag";
    registry.plain_operator(
        "==",
        any,
        "Returns whether two values are equal. Values of different types never are.",
        "[1] == [1] // true",
    );
    registry.plain_operator("!=", any, "Returns whether two values are different.", "1 != 2 // true");
}

/// Adds membership operators.
fn register_membership(registry: &mut RegistryBuilder) {
    let held = [
        ("item:any of:list -> flag", "Returns whether a list has an entry equal to `item`.", "2 in [1, 2] // true"),
        ("item:text of:text -> flag", "Returns whether a text contains another text.", "\"ec\" in \"deck\" // true"),
        (
            "item:text of:map -> flag",
            "Returns whether a map has a part with this name.",
            "\"price\" in #{ price: 5 } // true",
        ),
        ("item:number of:range -> flag", "Returns whether a number is in a range.", "3 in 1..5 // true"),
        (
            "item:any of:zone|space|seats|zones|spaces|components|pieces -> flag",
            "Returns whether an object of the game is an element of a set, or whether a piece lies in a zone or space.",
            "deck.top in deck // true",
        ),
    ];
    for (params, doc, example) in held {
        registry.plain_operator("in", params, doc, example);
    }
    let example = "3 !in [1, 2] // true";
    for (at, (params, ..)) in held.into_iter().enumerate() {
        let example = if at == 0 { example } else { "" };
        registry.plain_operator("!in", params, "The opposite of `in`.", example);
    }
}
