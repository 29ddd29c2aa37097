//! Operators and punctuation of the rules language.

/// Symbols that the tokenizer recognizes, longest first. Includes symbols of other languages, so that messages can name them.
pub(super) const SYMBOLS: [&str; 65] = [
    "..=", "**=", "<<=", ">>=", "===", "!==", "...", "#{", "..", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.",
    "?[", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<", ">>", "::", "++", "--", ":=", "->", "<-", "<|",
    "|>", "+", "-", "*", "/", "%", "=", "<", ">", "!", "&", "|", "^", ".", ",", ";", ":", "(", ")", "[", "]", "{", "}",
    "?", "#", "~", "@", "$",
];
