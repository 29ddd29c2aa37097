//! Rule text to a tree with spans, and what is wrong with the text in our words.
//!
//! The grammar is that of the script engine, which stays the judge of whole files. Its own parser stops at the first
//! mistake and knows where things begin but not where they end; this one goes on behind a mistake at the next statement or
//! function, and leaves [`ExprKind::Missing`] where something could not be read.

mod expression;
mod foreign;
mod message;
mod parser;
mod refusal;
mod script_engine;
mod statement;
mod symbol;
mod token;
mod tree;
mod written;

pub use message::keywords;
#[cfg(feature = "system")]
pub(crate) use message::keywords_in_functions;
pub(crate) use message::{CALL, LOOP, foreign_word, is_kept};
pub use parser::{Parsed, parse, parse_statements};
pub(crate) use script_engine::{Refusal, ScriptEngine};
pub use tree::*;
pub(crate) use written::{Written, words, words_within, written};
