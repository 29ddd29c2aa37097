//! The same game with other options: only what is said of names asks for it.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// Builds the models of a game that have other options than the usual ones.
type Builder<M> = Arc<dyn Fn() -> Vec<Arc<M>> + Send + Sync>;

/// The variants of a game, which are built when they are first asked for: what is played does without them.
pub struct Variants<M> {
    builder: Option<Builder<M>>,
    found: OnceLock<Vec<Arc<M>>>,
}

impl<M> Variants<M> {
    /// Those that a function builds.
    pub fn of(builder: impl Fn() -> Vec<Arc<M>> + Send + Sync + 'static) -> Self {
        Self { builder: Some(Arc::new(builder)), found: OnceLock::new() }
    }

    /// Those of which something is so: it is asked once.
    pub(super) fn such(&self, is_so: impl Fn(&M) -> bool) -> &[Arc<M>] {
        let Some(builder) = &self.builder else { return &[] };
        self.found.get_or_init(|| builder().into_iter().filter(|one| is_so(one)).collect())
    }

    /// Whether there may be some, and nobody has asked for them yet.
    pub(super) fn is_open(&self) -> bool {
        self.builder.is_some() && self.found.get().is_none()
    }
}

impl<M> Default for Variants<M> {
    fn default() -> Self {
        Self { builder: None, found: OnceLock::new() }
    }
}

impl<M> Clone for Variants<M> {
    fn clone(&self) -> Self {
        Self { builder: self.builder.clone(), found: self.found.clone() }
    }
}

impl<M> fmt::Debug for Variants<M> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Variants").field("is_open", &self.is_open()).finish()
    }
}
