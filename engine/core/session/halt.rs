//! Cancellation of long computations.

use super::playout::NoAnswer;
use std::sync::Arc;

/// Cancellation flag. Agents that compute for a long time poll it, from any thread.
#[derive(Clone, Default)]
pub struct Halt(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Halt {
    /// Creates a flag that is set once `is_so` returns true. Each poll calls `is_so`, so `is_so` must not return false afterwards.
    pub fn when(is_so: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_so)))
    }

    /// Returns whether the computation is cancelled.
    pub fn is_called(&self) -> bool {
        self.0.as_ref().is_some_and(|is_so| is_so())
    }

    /// Checks the flag.
    ///
    /// # Errors
    /// Returns an error if the computation is cancelled.
    pub fn check(&self) -> Result<(), NoAnswer> {
        if self.is_called() { Err("the games are given up".to_owned().into()) } else { Ok(()) }
    }
}

impl std::fmt::Debug for Halt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Halt(…)" } else { "Halt" })
    }
}
