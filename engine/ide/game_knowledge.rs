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
    /// Names that only the code within the playscript can use, such as players.
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

/// Analysis of the files of a game.
pub(crate) struct GameKnowledge {
    /// The data files, as far as they can be parsed.
    pub package: Arc<Package>,
    /// The model for looking up names, with the fewest players and the default options.
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
    /// Referent of the name.
    pub meaning: Meaning,
    /// The name.
    pub name: Arc<str>,
    /// Place of the name.
    pub place: Place,
    /// Whether the occurrence is the declaration of the name.
    pub is_declared: bool,
    /// Place of the whole declaration if the occurrence declares a function or a name of the data; otherwise the place of the name.
    pub full_place: Place,
}
