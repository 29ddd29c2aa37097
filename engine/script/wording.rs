//! The errors of the script engine's compiler, in our words.

use rhai::{LexError, ParseErrorType};

/// What is said about an error.
pub(super) struct Said {
    /// A stable word for this sort of mistake.
    pub code: &'static str,
    /// The headline.
    pub message: String,
    /// What is written under the caret.
    pub note: String,
    /// What to do.
    pub help: Option<String>,
    /// Whether something is missing before the place the compiler names, at the end of what stands before.
    pub before: bool,
}

/// Words of other languages and of the script engine that rules have no use for, each with what to do instead.
const FORBIDDEN: [(&str, &str); 33] = [
    ("try", "ask before whether it can be done: no mistake is caught while rules run"),
    ("catch", "ask before whether it can be done: no mistake is caught while rules run"),
    ("throw", "write `fault(\"…\")` for what must never happen"),
    ("print", "write `say(…)` with a text of `[says]`, or `tally(…)` for statistics"),
    ("debug", "write `say(…)` with a text of `[says]`, or `tally(…)` for statistics"),
    ("eval", "write the expression itself"),
    ("import", "call the function by its name: all files in rules/ know each other"),
    ("export", "leave it out: all files in rules/ know each other"),
    ("module", "leave it out: all files in rules/ know each other"),
    ("package", "leave it out: all files in rules/ know each other"),
    ("Fn", "write `|…| …`"),
    ("curry", "write `|…| …`"),
    ("is_shared", "leave it out"),
    ("sleep", "leave it out: rules know no time"),
    ("timestamp", "leave it out: rules know no time"),
    ("exit", "write `return`, or `end_game(\"…\")` to end the game"),
    ("var", "write `let`"),
    ("static", "keep what lasts in a value: `[values.game]`"),
    ("null", "write `()`"),
    ("nil", "write `()`"),
    ("match", "write `switch`"),
    ("case", "write `switch x { 1 => …, 2 => … }`"),
    ("default", "write `_ => …` as the last line of the `switch`"),
    ("new", "leave it out"),
    ("goto", "write a function and call it"),
    ("struct", "write a map: `#{ price: 3 }`"),
    ("enum", "write words in quotes"),
    ("async", "leave it out: a decision waits by itself"),
    ("await", "leave it out: a decision waits by itself"),
    ("yield", "write `choose(…)`: a decision waits by itself"),
    ("with", "give it another name"),
    ("void", "leave it out"),
    ("until", "write `while !(…)`"),
];

/// Words of other languages that the script engine takes for names.
const FOREIGN: [(&str, &str); 16] = [
    ("function", "write `fn`"),
    ("def", "write `fn`"),
    ("func", "write `fn`"),
    ("local", "write `let`"),
    ("int", "write `let`"),
    ("then", "write `{ … }` behind the condition"),
    ("elif", "write `else if`"),
    ("elseif", "write `else if`"),
    ("end", "write `}`"),
    ("and", "write `&&`"),
    ("or", "write `||`"),
    ("not", "write `!`"),
    ("foreach", "write `for x in …`"),
    ("None", "write `()`"),
    ("True", "write `true`"),
    ("False", "write `false`"),
];

/// Words that stand in certain places only.
const PLACED: [&str; 15] = [
    "else", "in", "if", "let", "for", "while", "loop", "do", "return", "break", "continue", "switch", "fn", "const",
    "private",
];

/// Signs of other languages, each with what to write instead.
const SIGNS: [(&str, &str); 15] = [
    ("===", "write `==`"),
    ("!==", "write `!=`"),
    ("++", "write `+= 1`"),
    ("--", "write `-= 1`"),
    (":=", "write `=`"),
    ("->", "write `.`"),
    ("<-", "write `=`"),
    ("=>", "use `=>` only in a `switch`"),
    ("::", "write `.`"),
    ("#", "write `//` for a note, `#{ … }` for a map"),
    ("~", "write `!`"),
    ("'", "write a text as `\"…\"`"),
    ("@", "leave it out"),
    ("$", "leave it out"),
    ("?", "write `if … { … } else { … }`"),
];

fn said(code: &'static str, message: impl Into<String>, note: impl Into<String>) -> Said {
    Said { code, message: message.into(), note: note.into(), help: None, before: false }
}

impl Said {
    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    fn before(mut self) -> Self {
        self.before = true;
        self
    }
}

/// What is said of a word of another language that was taken for a name.
pub(super) fn foreign(word: &str) -> Option<Said> {
    let (_, help) = FOREIGN.iter().find(|(known, _)| *known == word)?;
    Some(said("forbidden-word", format!("`{word}` is not a word of rules"), "not used in rules").help(*help))
}

/// What is said of a number with a fraction.
pub(super) fn fraction() -> Said {
    said("syntax", "a number with a fraction", "not a whole number")
        .help("write whole numbers: there are no others in rules")
}

/// What is said of a comparison where something is set.
pub(super) fn comparison() -> Said {
    said("syntax", "`==` compares, and cannot stand here", "does not set").help("write `=` to set")
}

/// What is said where something of what a call gives is set at once.
pub(super) fn of_call(name: &str) -> Said {
    said("syntax", format!("what `{name}` gives has no name yet, and nothing of it can be set"), "a call")
        .help("name it first: `let it = …;`, then `it.… = …`")
}

/// What an error means, in our words.
pub(super) fn describe(error: &ParseErrorType) -> Said {
    match error {
        ParseErrorType::BadInput(error) => describe_input(error),
        ParseErrorType::Reserved(word) => reserved(word),
        ParseErrorType::UnexpectedEOF => said("syntax", "the function ends too early", "something is not closed")
            .help("look for a `{`, `(` or `\"` without its end"),
        ParseErrorType::MissingToken(token, what) => missing(token, what),
        ParseErrorType::UnknownOperator(sign) => sign_of_others(sign),
        ParseErrorType::ForbiddenVariable(name) => said(
            "reserved-name",
            format!("`{name}` cannot be the name of a variable"),
            "reserved by the script language",
        )
        .help(format!("write `{name}_`")),
        ParseErrorType::FnDuplicatedParam(name, param) => {
            let whose = if name.is_empty() { "the function `|…|`".to_owned() } else { format!("`{name}`") };
            said("duplicate-name", format!("{whose} has two parameters `{param}`"), "again here")
                .help("give one of them another name")
        }
        ParseErrorType::DuplicatedProperty(name) => {
            said("duplicate-name", format!("the part `{name}` is written twice"), "again here")
                .help("leave one of them out")
        }
        ParseErrorType::LoopBreak => said("syntax", "`break` and `continue` stand in loops", "not in a loop")
            .help("write `return` to leave the function"),
        ParseErrorType::WrongFnDefinition => {
            said("syntax", "a function stands inside another one", "not at the beginning of a line")
                .help("move it out, or look for a `}` missing before it")
        }
        ParseErrorType::AssignmentToConstant(name) => {
            said("fixed-name", format!("`{name}` cannot be set"), "stands for something of the game")
                .help("keep what changes in a value, or in a variable of another name")
        }
        other => describe_rest(other),
    }
}

fn describe_rest(error: &ParseErrorType) -> Said {
    match error {
        ParseErrorType::ExprExpected(what) => {
            said("syntax", format!("{} needs an expression", article(what)), "expected an expression here")
        }
        ParseErrorType::AssignmentToInvalidLHS(_) => {
            said("syntax", "only variables, values and parts can be set", "cannot be set").help("write `==` to compare")
        }
        ParseErrorType::PropertyExpected => said("syntax", "the name of a property is missing", "expected a name here"),
        ParseErrorType::VariableExpected => said("syntax", "the name of a variable is missing", "expected a name here"),
        ParseErrorType::FnMissingName => said("syntax", "the function has no name", "expected a name here"),
        ParseErrorType::FnMissingParams(name) => {
            said("syntax", format!("`{name}` has no `(…)`"), "expected `(` here").help(format!("write `fn {name}()`"))
        }
        ParseErrorType::FnMissingBody(name) => {
            said("syntax", format!("`{name}` has no `{{ … }}`"), "expected `{` here").before()
        }
        ParseErrorType::MismatchedType(wanted, found) if wanted.contains("iterable") => not_a_list(found),
        ParseErrorType::MismatchedType(wanted, found) if wanted.contains("boolean") => {
            said("wrong-type", format!("a flag was expected, not {}", in_our_words(found)), "of another type")
                .help("write a comparison: `x > 0`, `x != ()`")
        }
        ParseErrorType::MismatchedType(wanted, found) => said(
            "syntax",
            format!("{} was expected, not {}", in_our_words(wanted), in_our_words(found)),
            "of another type",
        ),
        ParseErrorType::LiteralTooLarge(what, most) => {
            said("too-large", format!("{} is larger than {most}", what.to_lowercase()), "too large")
        }
        ParseErrorType::ExprTooDeep => said("too-deep", "this is nested too deeply", "too deep here")
            .help("give parts of it names with `let`, or write a function"),
        ParseErrorType::TooManyFunctions => said("too-many", "there are too many functions", "one too many"),
        ParseErrorType::WrongDocComment => {
            said("syntax", "`///` stands before a function", "no function follows").help("write `//` for other notes")
        }
        ParseErrorType::WrongSwitchDefaultCase => said("syntax", "`_` is the last line of a `switch`", "not the last"),
        ParseErrorType::MalformedIndexExpr(_) => {
            said("syntax", "this cannot stand in `[…]`", "not a position or label")
        }
        other => said("syntax", lower_first(&other.to_string()), "here"),
    }
}

fn describe_input(error: &LexError) -> Said {
    match error {
        LexError::UnterminatedString => said("syntax", "the text has no end", "begins here").help("add `\"`"),
        LexError::MalformedNumber(number) => {
            said("syntax", format!("`{number}` is not a number"), "not a whole number")
                .help("write whole numbers: there are no others in rules")
        }
        LexError::MalformedChar(_) => said("syntax", "a text stands in `\"…\"`", "not a text").help("write `\"…\"`"),
        LexError::MalformedEscapeSequence(text) => {
            said("syntax", format!("`{text}` means nothing in a text"), "not known")
                .help("write `\\\\` for a backslash")
        }
        LexError::ImproperSymbol(word, _) | LexError::UnexpectedInput(word) => reserved(word),
        LexError::StringTooLong(most) => said("too-large", format!("a text is longer than {most} bytes"), "too long"),
        other => said("syntax", lower_first(&other.to_string()), "here"),
    }
}

/// A word or sign that is not one of ours.
fn reserved(word: &str) -> Said {
    if let Some((_, help)) = FORBIDDEN.iter().find(|(known, _)| *known == word) {
        return said("forbidden-word", format!("`{word}` is not a word of rules"), "not used in rules").help(*help);
    }
    if PLACED.contains(&word) {
        return said("syntax", format!("`{word}` does not belong here"), "stands elsewhere");
    }
    if word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return said("reserved-name", format!("`{word}` cannot be used as a name"), "reserved by the script language")
            .help(format!("write `{word}_` or another name"));
    }
    sign_of_others(word)
}

fn sign_of_others(sign: &str) -> Said {
    if matches!(sign, "}" | ")" | "]" | ";" | ",") {
        return said(
            "syntax",
            format!("something is missing before `{sign}`"),
            "expected a number, a name or the like",
        );
    }
    if sign == "=" {
        return said("syntax", "`=` sets, and cannot stand here", "does not compare").help("write `==` to compare");
    }
    let found = said("syntax", format!("`{sign}` means nothing here"), "not a sign of rules");
    match SIGNS.iter().find(|(known, _)| *known == sign) {
        Some((_, help)) => found.help(*help),
        None => found,
    }
}

fn missing(token: &str, what: &str) -> Said {
    let called = what.split('\'').nth(1).filter(|_| what.contains("function call"));
    let found = |message: String| said("syntax", message, "missing after this").before();
    match (token, called) {
        ("," | ")", Some(name)) => found(format!("`)` or `,` is missing in the brackets of `{name}`"))
            .help("add `)`, or `,` before one thing more"),
        ("}", _) => found("`}` is missing: something is not closed".to_owned()).help("add `}`"),
        (";", _) => {
            found("`;` is missing at the end".to_owned()).help("add `;`, or look for a word that does not belong here")
        }
        ("{", _) => found("`{` is missing".to_owned()).help("put what is done into `{ … }`"),
        ("in", _) => found("`in` is missing".to_owned()).help("write `for x in …`"),
        ("=", _) => found("`=` is missing".to_owned()).help("write `= …`"),
        (token, _) => {
            let what = what.replace('\'', "`");
            found(format!("`{token}` is missing {}", what.trim_end_matches('.'))).help(format!("add `{token}`"))
        }
    }
}

/// What is said of a `for` that goes through one thing.
fn not_a_list(found: &str) -> Said {
    let message = format!("`for` goes through several things, not {}", in_our_words(found));
    let said = said("not-a-list", message, "not a list");
    if found.contains("number") { said.help("write a range such as `0..n`") } else { said }
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

fn article(what: &str) -> String {
    let what = lower_first(what.trim());
    match what.as_str() {
        "()" => what,
        _ if what.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {what}"),
        _ => format!("a {what}"),
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
