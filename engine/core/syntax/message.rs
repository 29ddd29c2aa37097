//! Faults for syntax errors, and the lists of keywords and reserved words.

use crate::diagnostic::Fault;

/// Creates a fault with the code `syntax`.
pub(super) fn syntax_fault(message: impl Into<String>, note: impl Into<String>) -> Fault {
    Fault::new("syntax", message, note)
}

/// Words of other languages and of the script engine that rules cannot use, with the suggested alternative.
const FORBIDDEN: [(&str, &str); 35] = [
    ("try", "check beforehand whether it can be done: errors cannot be caught"),
    ("catch", "check beforehand whether it can be done: errors cannot be caught"),
    ("throw", "write `fault(\"…\")` for what must never happen"),
    ("print", "write `say(…)` with a text of `[says]`, or `tally(…)` for statistics"),
    ("debug", "write `say(…)` with a text of `[says]`, or `tally(…)` for statistics"),
    ("eval", "write the expression itself"),
    ("import", "call the function by its name: functions in all files of rules/ are visible everywhere"),
    ("export", "remove it: functions in all files of rules/ are visible everywhere"),
    ("module", "remove it: functions in all files of rules/ are visible everywhere"),
    ("package", "remove it: functions in all files of rules/ are visible everywhere"),
    ("Fn", "write `|…| …`"),
    ("curry", "write `|…| …`"),
    ("is_shared", "leave it out"),
    ("sleep", "remove it: rules have no access to time"),
    ("timestamp", "remove it: rules have no access to time"),
    ("exit", "write `return`, or `end_game(\"…\")` to end the game"),
    ("const", "write `let`, or a param in `game.toml`"),
    ("var", "write `let`"),
    ("this", "pass it as an argument"),
    ("static", "store lasting data in a value: `[values.game]`"),
    ("null", "write `()`"),
    ("nil", "write `()`"),
    ("match", "write `switch`"),
    ("case", "write `switch x { 1 => …, 2 => … }`"),
    ("default", "write `_ => …` as the last line of the `switch`"),
    ("new", "leave it out"),
    ("goto", "write a function and call it"),
    ("struct", "write a map: `#{ price: 3 }`"),
    ("enum", "write words in quotes"),
    ("async", "remove it: decisions wait for their answer"),
    ("await", "remove it: decisions wait for their answer"),
    ("yield", "write `choose(…)`: decisions wait for their answer"),
    ("with", "give it another name"),
    ("void", "leave it out"),
    ("until", "write `while !(…)`"),
];

/// Loop keyword of other languages, with the suggested alternative.
pub(crate) const LOOP: (&str, &str) = ("foreach", "write `for x in …`");

/// Keywords of other languages that are valid names in rules, with the suggested alternative.
const FOREIGN: [(&str, &str); 16] = [
    ("function", "write `fn`"),
    ("def", "write `fn`"),
    ("func", "write `fn`"),
    ("local", "write `let`"),
    ("int", "write `let`"),
    ("then", "write `{ … }` after the condition"),
    ("elif", "write `else if`"),
    ("elseif", "write `else if`"),
    ("end", "write `}`"),
    ("and", "write `&&`"),
    ("or", "write `||`"),
    ("not", "write `!`"),
    LOOP,
    ("None", "write `()`"),
    ("True", "write `true`"),
    ("False", "write `false`"),
];

/// Returns the suggested alternative for a keyword of another language that is a valid name in rules.
pub(crate) fn foreign_word(word: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(known, _)| *known == word).map(|(_, help)| *help)
}

/// Returns the fault for a keyword of another language in a position where no name is allowed; `None` for other words.
pub(super) fn foreign_keyword(word: &str) -> Option<Fault> {
    let help = foreign_word(word)?;
    Some(
        syntax_fault(format!("`{word}` is not part of the rule language"), "not used in rules")
            .code("forbidden-word")
            .help(help),
    )
}

/// Creates the fault for `=+` or `=-` where `+=` or `-=` is expected.
pub(super) fn reversed(symbol: &str) -> Fault {
    syntax_fault(format!("`={symbol}` is not an operator"), "in the wrong order").help(format!("write `{symbol}=`"))
}

/// Position at which a keyword may occur.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeywordPlace {
    /// Beginning of a statement that ends in its own brace.
    Block,
    /// Beginning of a jump statement. The statement may also follow `??`.
    Jump,
    /// Beginning of another statement.
    Statement,
    /// Any other position.
    Within,
}

/// Keywords with the positions where they may occur.
const KEYWORDS: [(&str, KeywordPlace); 14] = [
    ("if", KeywordPlace::Block),
    ("switch", KeywordPlace::Block),
    ("for", KeywordPlace::Block),
    ("while", KeywordPlace::Block),
    ("loop", KeywordPlace::Block),
    ("do", KeywordPlace::Block),
    ("return", KeywordPlace::Jump),
    ("break", KeywordPlace::Jump),
    ("continue", KeywordPlace::Jump),
    ("let", KeywordPlace::Statement),
    ("else", KeywordPlace::Within),
    ("in", KeywordPlace::Within),
    ("fn", KeywordPlace::Within),
    ("private", KeywordPlace::Within),
];

/// Returns the position where a keyword may occur, or `None` for other words.
pub(super) fn keyword_place(word: &str) -> Option<KeywordPlace> {
    KEYWORDS.iter().find(|(known, _)| *known == word).map(|(_, place)| *place)
}

/// Returns whether a word begins a statement and cannot continue an expression.
pub(super) fn begins_statement(word: &str) -> bool {
    keyword_place(word).is_some_and(|place| place != KeywordPlace::Within)
}

/// Creates the fault for a closing bracket without an opening bracket.
pub(super) fn closes_nothing(bracket: &str) -> Fault {
    let opening = match bracket {
        ")" => "(",
        "]" => "[",
        _ => "{",
    };
    syntax_fault(format!("unmatched `{bracket}`"), format!("no `{opening}` before it")).help("leave it out")
}

/// Creates the fault for a function without a body.
pub(super) fn no_body(name: &str) -> Fault {
    syntax_fault(format!("`{name}` has no `{{ … }}`"), "expected `{` here").help("write the body in `{ … }`")
}

/// Creates the fault for a function definition without `fn`.
pub(super) fn no_fn(name: &str) -> Fault {
    syntax_fault(format!("`fn` is missing before `{name}`"), "a function without `fn`")
        .help(format!("write `fn {name}(…) {{ … }}`"))
}

/// Keywords that are literal values.
const VALUES: [&str; 2] = ["true", "false"];

/// Iterates over all keywords, for syntax highlighting. The order is unspecified.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS.into_iter().map(|(word, _)| word).chain(VALUES)
}

/// Iterates over the keywords that may occur inside a function.
pub fn keywords_in_functions() -> impl Iterator<Item = &'static str> {
    keywords().filter(|word| !["fn", "private"].contains(word))
}

/// Name of the script engine's method that calls a function value.
pub(crate) const CALL: &str = "call";

/// Words that the script engine reserves, except keywords and the words in [`FORBIDDEN`].
const RESERVED: [&str; 18] = [
    "use",
    "global",
    "is_def_fn",
    "virtual",
    "public",
    "super",
    "protected",
    "spawn",
    "shared",
    "is",
    "sync",
    "is_def_var",
    "thread",
    CALL,
    "type_of",
    "go",
    "as",
    "interface",
];

/// Symbols of other languages, with the suggested alternative.
const SYMBOLS: [(&str, &str); 25] = [
    ("===", "write `==`"),
    ("!==", "write `!=`"),
    ("++", "write `+= 1`"),
    ("--", "write `-= 1`"),
    (":=", "write `=`"),
    ("->", "write `.`"),
    ("<-", "write `=`"),
    ("=>", "use `=>` only in a `switch`"),
    ("::", "write `.`"),
    ("#", "write `//` for a comment, `#{ … }` for a map"),
    ("~", "write `!`"),
    ("'", "write a text as `\"…\"`"),
    ("@", "leave it out"),
    ("$", "leave it out"),
    ("?", "write `if … { … } else { … }`"),
    ("&", "write `&&` for both, `%` for a part of a number"),
    ("|", "write `||` for one of two"),
    ("^", "write `**` for a power, `!=` for one of two but not both"),
    ("<<", "write `push` to add to a list, `*` to multiply"),
    (">>", "write `/` to divide"),
    ("&=", "write `=` with `&&`"),
    ("|=", "write `=` with `||`"),
    ("^=", "write `**=` for a power"),
    ("<<=", "write `*=` to multiply"),
    (">>=", "write `/=` to divide"),
];

/// Iterates over the words of other languages and of the script engine that rules cannot use.
pub(super) fn forbidden_words() -> impl Iterator<Item = &'static str> {
    FORBIDDEN.iter().map(|(word, _)| *word)
}

/// Returns whether a word cannot be used as a name.
pub fn is_reserved(word: &str) -> bool {
    FORBIDDEN.iter().any(|(known, _)| *known == word)
        || keyword_place(word).is_some()
        || VALUES.contains(&word)
        || RESERVED.contains(&word)
}

/// Iterates over all words that cannot be used as names. The order is unspecified.
pub fn reserved_words() -> impl Iterator<Item = &'static str> {
    keywords().chain(RESERVED).chain(forbidden_words())
}

/// Creates the fault for a reserved word where a name or an expression is expected.
pub(super) fn reserved_word(word: &str) -> Fault {
    if let Some((_, help)) = FORBIDDEN.iter().find(|(known, _)| *known == word) {
        return syntax_fault(format!("`{word}` is not part of the rule language"), "not used in rules")
            .code("forbidden-word")
            .help(*help);
    }
    if keyword_place(word).is_some() {
        return syntax_fault(format!("`{word}` does not belong here"), "stands elsewhere");
    }
    syntax_fault(format!("`{word}` cannot be used as a name"), "reserved by the script language")
        .code("reserved-name")
        .help(format!("write `{word}_` or another name"))
}

/// Creates the fault for a symbol that is unknown or misplaced.
pub(super) fn symbol(symbol: &str) -> Fault {
    match symbol {
        "}" | ")" | "]" | ";" | "," => {
            syntax_fault(format!("something is missing before `{symbol}`"), "expected a number, a name or the like")
        }
        "=" => assignment_in_condition(),
        _ => {
            let found = syntax_fault(format!("`{symbol}` is not allowed here"), "not an operator of rules");
            match SYMBOLS.iter().find(|(known, _)| *known == symbol) {
                Some((_, help)) => found.help(*help),
                None => found,
            }
        }
    }
}

/// Creates the fault for `=` where a value is expected.
pub fn assignment_in_condition() -> Fault {
    syntax_fault("`=` assigns, and is not allowed here", "does not compare").help("write `==` to compare")
}

/// Creates the fault for `=>` in a condition.
pub(super) fn arrow_in_condition() -> Fault {
    syntax_fault("`=>` does not compare: it follows the cases of a `switch`", "in a condition").help("write `>=`")
}

/// Creates the fault for a token that is missing after the previous token.
pub(super) fn missing(what: &str, where_: &str) -> Fault {
    let found = |headline: String| syntax_fault(headline, "missing after this");
    match what {
        "}" => found("missing `}`".to_owned()).help("add `}`"),
        ";" => {
            found("`;` is missing at the end".to_owned()).help("add `;`, or remove the word that does not belong here")
        }
        "{" => found("`{` is missing".to_owned()).help("write the body in `{ … }`"),
        "in" => found("`in` is missing".to_owned()).help("write `for x in …`"),
        "=" => found("`=` is missing".to_owned()).help("write `= …`"),
        _ => found(format!("`{what}` is missing {where_}")).help(format!("add `{what}`")),
    }
}

/// Creates the fault for a call whose parenthesis is not closed.
pub(super) fn unclosed_call(name: &str) -> Fault {
    syntax_fault(format!("`)` or `,` is missing in the brackets of `{name}`"), "missing after this")
        .help("add `)`, or `,` before one more argument")
}

/// Creates the fault for a fractional number.
pub(super) fn fraction() -> Fault {
    syntax_fault("a number with a fraction", "not a whole number").help("write a whole number: rules have no fractions")
}

/// Creates the fault for an invalid number literal.
pub(super) fn not_a_number(text: &str) -> Fault {
    if text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        return too_large_number(text);
    }
    syntax_fault(format!("`{text}` is not a number"), "not a whole number")
        .help("write a whole number: rules have no fractions")
}

/// Creates the fault for an integer literal outside the 64-bit range.
fn too_large_number(text: &str) -> Fault {
    let (is, most) = if text.starts_with('-') { ("smaller", "smallest") } else { ("larger", "largest") };
    let end = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    syntax_fault(format!("`{text}` is {is} than a number can be"), format!("the {most} is {end}"))
        .help("count in larger units, such as thousands")
}

/// Creates the fault for a list or map literal with too many entries.
pub(super) fn too_many_entries(what: &str, of: &str, most: usize) -> Fault {
    syntax_fault(format!("a {what} of more than {most} {of} is written here"), "one too many")
        .code("too-large")
        .help("move constant data into components, and read it from there")
}

/// Creates the fault for `==` where an assignment is expected.
pub(super) fn comparison() -> Fault {
    syntax_fault("`==` compares, and is not allowed here", "does not assign").help("write `=` to set")
}

/// Creates the fault for an assignment to a part of a call's result.
pub(super) fn assigned_call_result(name: &str) -> Fault {
    syntax_fault(format!("the result of `{name}` is not stored, so its parts cannot be set"), "a call")
        .help("store it first: `let it = …;`, then `it.… = …`")
}

/// Creates the fault for an assignment to an expression that is neither a variable nor a part of one.
pub(super) fn not_assignable() -> Fault {
    syntax_fault("only variables, values and parts can be set", "cannot be set").help("write `==` to compare")
}

/// Creates the fault for a map literal without its `#`.
pub(super) fn without_hash() -> Fault {
    syntax_fault("missing `#`: maps are written as `#{ … }`", "begins a block of statements").help("write `#{`")
}

/// Creates the fault for excessive nesting.
pub(super) fn too_deep() -> Fault {
    syntax_fault("this is nested too deeply", "too deep here")
        .code("too-deep")
        .help("store parts of it with `let`, or write a function")
}

/// Creates the fault for an invalid pattern before `=>`.
pub(super) fn invalid_pattern() -> Fault {
    syntax_fault("a number or a text was expected", "neither of these")
        .help("write numbers, texts and ranges of numbers before `=>`")
}
