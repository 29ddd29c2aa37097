//! The parsed files of a game, and the occurrences of all names.

use crate::analysis::infer::inspection::Inspection;
use crate::diagnostic::{Place, Source};
use crate::loader::{DeclaredNameKind, Package};
use crate::model::Model;
use crate::playscript::Play;
use crate::syntax::{File, OwnFunctions, Span, Statement};
use std::rc::Rc;
use std::sync::Arc;

/// A file of rules or of an agent.
pub(crate) struct RuleFile {
    /// Text of the file.
    pub source: Arc<Source>,
    /// Syntax tree of the part of the text that can be parsed.
    pub tree: File,
    /// Whether the file belongs to an agent.
    pub is_agent: bool,
}

/// A playscript.
pub(crate) struct PlayFile {
    /// Text of the playscript.
    pub source: Arc<Source>,
    /// The parsed playscript; `None` if it has syntax errors.
    pub play: Option<Play>,
    /// The code within the playscript.
    pub texts: Vec<PlayText>,
    /// Names known only in the code within the playscript.
    pub own: Vec<String>,
}

/// Code within a playscript.
pub(crate) struct PlayText {
    /// The code as a separate source.
    pub source: Arc<Source>,
    /// Byte offset of the code in the playscript.
    pub offset: usize,
    /// Statements of the code.
    pub statements: Vec<Statement>,
}

/// Everything known about the files of a game.
pub(crate) struct GameKnowledge {
    /// The data, as far as it can be read.
    pub package: Arc<Package>,
    /// The model for the fewest players.
    pub model: Arc<Model>,
    /// The current texts of the data files.
    pub data: Vec<Arc<Source>>,
    /// Files of rules and of agents. Their calls have been resolved.
    pub rules: Vec<Rc<RuleFile>>,
    /// Functions of the rules, for resolving calls.
    pub functions: OwnFunctions,
    /// Playscripts.
    pub plays: Vec<Rc<PlayFile>>,
    /// Types inferred in the rules.
    pub inspection: Inspection,
    /// All occurrences of names.
    pub occurrences: Vec<Occurrence>,
}

/// Referent of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A declaration in the game's files.
    Game(DeclaredNameKind),
    /// A variable of a function: the span of its declaration, and whether it is a parameter.
    Variable(Span, bool),
    /// A function of the library.
    Library,
}

/// An occurrence of a name.
#[derive(Debug, Clone)]
pub(crate) struct Occurrence {
    /// The thing that the name refers to.
    pub meaning: Meaning,
    /// The name.
    pub name: Arc<str>,
    /// Place of the name.
    pub place: Place,
    /// Whether this is the declaration.
    pub is_declared: bool,
    /// Place of the whole declaration.
    pub full_place: Place,
}
