//! What is known of the files of a game, and every name where it stands.

use crate::analysis::infer::inspection::Inspection;
use crate::diagnostic::{Place, Source};
use crate::loader::{NameOf, Package};
use crate::model::Model;
use crate::playscript::Play;
use crate::syntax::{File, Span, Statement};
use std::rc::Rc;
use std::sync::Arc;

/// A file of rules or of an agent.
pub(crate) struct RuleFile {
    /// Its text.
    pub source: Arc<Source>,
    /// What could be read of it.
    pub tree: File,
    /// Whether it is an agent's.
    pub is_agent: bool,
}

/// A playscript.
pub(crate) struct PlayFile {
    /// Its text.
    pub source: Arc<Source>,
    /// What it says, where it can be read.
    pub play: Option<Play>,
    /// Its texts in the game's own vocabulary.
    pub texts: Vec<PlayText>,
    /// What stands for something in these alone.
    pub own: Vec<String>,
}

/// A text of a play in the game's own vocabulary.
pub(crate) struct PlayText {
    /// The text by itself.
    pub source: Arc<Source>,
    /// Where it begins in the play.
    pub offset: usize,
    /// Its statements.
    pub statements: Vec<Statement>,
}

/// What is known of the files of a game.
pub(crate) struct GameKnowledge {
    /// The data, as far as it can be read.
    pub package: Arc<Package>,
    /// The game for the fewest players.
    pub model: Arc<Model>,
    /// The data as it is written now.
    pub data: Vec<Arc<Source>>,
    /// Rules and agents.
    pub rules: Vec<Rc<RuleFile>>,
    /// Playscripts.
    pub plays: Vec<Rc<PlayFile>>,
    /// The types of the rules.
    pub inspection: Inspection,
    /// Every name where it stands.
    pub occurrences: Vec<Occurrence>,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Something that the game's files declare.
    Game(NameOf),
    /// A variable of a function: where it got its name, and whether it is a parameter.
    Variable(Span, bool),
    /// A function of the library.
    Library,
}

/// A name where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Occurrence {
    /// What it stands for.
    pub meaning: Meaning,
    /// The name.
    pub name: Arc<str>,
    /// Where it stands.
    pub place: Place,
    /// Whether it is declared here.
    pub is_declared: bool,
    /// What belongs to its declaration.
    pub whole: Place,
}
