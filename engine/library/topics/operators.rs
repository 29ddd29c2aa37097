//! Operators on plain values. The machine implements them by symbol. Operators on game objects are declared with the objects.

use crate::library::entry::builder::RegistryBuilder;

pub(super) fn write(registry: &mut RegistryBuilder) {
    registry.topic("Operators");
    arithmetic(registry);
    concatenation(registry);
    registry.plain_operator(
        "..",
        "from:number to:number -> range",
        "The numbers from one on without another.",
        "5 in 2..5 // false",
    );
    registry.plain_operator(
        "..=",
        "from:number to:number -> range",
        "The numbers from one up to another, that one as well.",
        "5 in 2..=5 // true",
    );
    registry.plain_operator(
        "??",
        "value:any other:any -> any",
        "The value, or where it is `()` the other one, which is evaluated only then.",
        "[1, 2].find(|n| n > 5) ?? 0 // 0",
    );
    comparison(registry);
    membership(registry);
    registry.plain_operator("!", "flag:flag -> flag", "Yes where it is no, and no where it is yes.", "!true // false");
    registry.plain_operator(
        "&&",
        "flag:flag other:flag -> flag",
        "Whether both are so; the other one is evaluated only where the first is.",
        "1 < 2 && 2 < 3 // true",
    );
    registry.plain_operator(
        "||",
        "flag:flag other:flag -> flag",
        "Whether one of both is so; the other one is evaluated only where the first is not.",
        "1 > 2 || 2 < 3 // true",
    );
}

/// Adds arithmetic operators.
fn arithmetic(registry: &mut RegistryBuilder) {
    registry.plain_operator("-", "number:number -> number", "The number with the other sign.", "let n = 3; -n // -3");
    registry.plain_operator("+", "number:number -> number", "The number as it is.", "let n = 3; +n // 3");
    let between = "a:number b:number -> number";
    registry.plain_operator("**", between, "The first to the power of the second.", "2 ** 10 // 1024");
    registry.plain_operator("*", between, "The product of two numbers.", "2 * 3 // 6");
    registry.plain_operator("/", between, "The quotient of two numbers, rounded towards 0.", "-7 / 2 // -3");
    registry.plain_operator("%", between, "What is left of a division, with the sign of the first.", "-7 % 3 // -1");
    registry.plain_operator("-", between, "The difference of two numbers.", "5 - 2 // 3");
    registry.plain_operator("+", between, "The sum of two numbers.", "5 + 2 // 7");
}

/// Adds `+` for texts, lists and maps.
fn concatenation(registry: &mut RegistryBuilder) {
    registry.plain_operator(
        "+",
        "text:text what:any -> text",
        "A text and behind it any value, as `${…}` writes it.",
        "\"lot \" + 3 // \"lot 3\"",
    );
    registry.plain_operator(
        "+",
        "what:any text:text -> text",
        "Any value, as `${…}` writes it, and behind it a text.",
        "3 + \" lots\" // \"3 lots\"",
    );
    registry.plain_operator(
        "+",
        "list:list other:list -> list",
        "The entries of one list and then those of the other.",
        "[1] + [2, 3] // [1, 2, 3]",
    );
    registry.plain_operator(
        "+",
        "map:map other:map -> map",
        "The parts of both maps; where both have a part of a name, that of the other one.",
        "#{ lot: 1, price: 2 } + #{ price: 3 } // #{ lot: 1, price: 3 }",
    );
}

/// Adds comparison operators.
fn comparison(registry: &mut RegistryBuilder) {
    let orders = [
        ("<", "Whether the first is less, or comes first by its letters.", "2 < 3 // true"),
        ("<=", "Whether the first is no more, or does not come later by its letters.", "\"a\" <= \"b\" // true"),
        (">", "Whether the first is more, or comes later by its letters.", "2 > 3 // false"),
        (">=", "Whether the first is no less, or does not come first by its letters.", "3 >= 3 // true"),
    ];
    for (operator, doc, example) in orders {
        registry.plain_operator(operator, "a:number b:number -> flag", doc, example);
        registry.plain_operator(operator, "a:text b:text -> flag", doc, "");
    }
    let any = "a:any b:any -> flag";
    registry.plain_operator(
        "==",
        any,
        "Whether two values are the same; of unlike types they never are.",
        "[1] == [1] // true",
    );
    registry.plain_operator("!=", any, "Whether two values are not the same.", "1 != 2 // true");
}

/// Adds membership operators.
fn membership(registry: &mut RegistryBuilder) {
    let held = [
        ("item:any of:list -> flag", "Whether an entry of a list is equal to something.", "2 in [1, 2] // true"),
        ("item:text of:text -> flag", "Whether a text is a part of another.", "\"ec\" in \"deck\" // true"),
        ("item:text of:map -> flag", "Whether a map has a part of a name.", "\"price\" in #{ price: 5 } // true"),
        ("item:number of:range -> flag", "Whether a number is in a range.", "3 in 1..5 // true"),
        (
            "item:any of:zone|space|seats|zones|spaces|components|pieces -> flag",
            "Whether a thing is one of several, or lies there.",
            "deck.top in deck // true",
        ),
    ];
    for (params, doc, example) in held {
        registry.plain_operator("in", params, doc, example);
    }
    let example = "3 !in [1, 2] // true";
    for (at, (params, ..)) in held.into_iter().enumerate() {
        let example = if at == 0 { example } else { "" };
        registry.plain_operator("!in", params, "Whether it is not in there, as `in` has it.", example);
    }
}
