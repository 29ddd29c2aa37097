//! Giving up before the end.

use super::playout::NoAnswer;
use std::sync::Arc;

/// Says whether what is under way is given up: an agent that thinks long asks again and again. It is asked from any thread.
#[derive(Clone, Default)]
pub struct Halt(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Halt {
    /// Gives up as soon as this is so. What has been given up stays so.
    pub fn when(is_so: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_so)))
    }

    /// Whether it is given up.
    pub fn is_called(&self) -> bool {
        self.0.as_ref().is_some_and(|is_so| is_so())
    }

    /// Goes on, unless it is given up.
    ///
    /// # Errors
    /// That it is.
    pub fn check(&self) -> Result<(), NoAnswer> {
        if self.is_called() { Err("the games are given up".to_owned().into()) } else { Ok(()) }
    }
}

impl std::fmt::Debug for Halt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Halt(…)" } else { "Halt" })
    }
}
