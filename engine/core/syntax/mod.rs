//! Parser of the rules language. Creates a syntax tree with spans, and diagnostics for syntax errors.
//!
//! The grammar is that of the script engine (Rhai), which decides whether a file is valid. The parser of the script engine stops at the
//! first error, and reports only the position where the invalid code begins. This parser continues after an error at the next statement or
//! function, and puts [`ExprKind::Missing`] in place of code that it could not parse.

mod binding;
mod confusables;
mod expression;
mod lexeme;
mod message;
mod parser;
mod refusal;
mod script_engine;
mod statement;
mod symbol;
mod token;
mod tree;

pub(crate) use binding::parse_rules;
pub use binding::{OwnFunctions, bind_agent, bind_file, bind_rules, bind_statements};
pub use lexeme::{Lexeme, lexemes, words, words_within};
pub(crate) use message::{CALL, LOOP, foreign_word};
pub use message::{assignment_in_condition, is_reserved, keywords, keywords_in_functions, reserved_words};
pub use parser::{Parsed, parse, parse_statements};
pub(crate) use script_engine::{Refusal, ScriptEngine};
pub use tree::*;
