//! The same game with other options: only what is said of names asks for it.

use super::Model;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Builds the models of a game that have other options than the usual ones.
type Source = Arc<dyn Fn() -> Vec<Arc<Model>> + Send + Sync>;

/// The variants of a game, which are built when they are first asked for: what is played does without them.
#[derive(Clone, Default)]
pub struct Variants {
    source: Option<Source>,
    found: OnceLock<Vec<Arc<Model>>>,
}

impl Variants {
    /// Those that a function builds.
    pub fn of(source: impl Fn() -> Vec<Arc<Model>> + Send + Sync + 'static) -> Self {
        Self { source: Some(Arc::new(source)), found: OnceLock::new() }
    }
}

impl fmt::Debug for Variants {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Variants").field(&self.found).finish()
    }
}

impl Model {
    /// The same game with other options, where these bring names that this one lacks: scripts may speak of them too.
    pub fn elsewhere(&self) -> &[Arc<Self>] {
        let Some(source) = &self.variants.source else { return &[] };
        let with_more_names = || source().into_iter().filter(|other| other.has_more_names_than(self)).collect();
        self.variants.found.get_or_init(with_more_names)
    }

    /// The same by itself; nothing where it is known already what is elsewhere, or that nothing is.
    pub fn alone(&self) -> Option<Self> {
        let is_open = self.variants.source.is_some() && self.variants.found.get().is_none();
        is_open.then(|| Self { variants: Variants::default(), ..self.clone() })
    }
}
