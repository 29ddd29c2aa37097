//! Models of the same game with options other than the defaults. They are needed only to check names in scripts.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// Function that builds the models of a game for option values other than the defaults.
type Builder<M> = Arc<dyn Fn() -> Vec<Arc<M>> + Send + Sync>;

/// The variants of a game. They are built on first use, because playing does not need them.
pub struct Variants<M> {
    builder: Option<Builder<M>>,
    variants: OnceLock<Vec<Arc<M>>>,
}

impl<M> Variants<M> {
    /// Creates variants that `builder` builds on first use.
    pub fn new(builder: impl Fn() -> Vec<Arc<M>> + Send + Sync + 'static) -> Self {
        Self { builder: Some(Arc::new(builder)), variants: OnceLock::new() }
    }

    /// Returns the variants that satisfy the predicate of the first call. Later calls return the same list.
    pub(super) fn matching(&self, predicate: impl Fn(&M) -> bool) -> &[Arc<M>] {
        let Some(builder) = &self.builder else { return &[] };
        self.variants.get_or_init(|| builder().into_iter().filter(|one| predicate(one)).collect())
    }

    /// Returns whether there is a builder that has not run yet.
    pub(super) fn is_pending(&self) -> bool {
        self.builder.is_some() && self.variants.get().is_none()
    }
}

impl<M> Default for Variants<M> {
    fn default() -> Self {
        Self { builder: None, variants: OnceLock::new() }
    }
}

impl<M> Clone for Variants<M> {
    fn clone(&self) -> Self {
        Self { builder: self.builder.clone(), variants: self.variants.clone() }
    }
}

impl<M> fmt::Debug for Variants<M> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Variants").field("is_pending", &self.is_pending()).finish()
    }
}
