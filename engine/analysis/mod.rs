//! What rule text means, as far as that can be told without running it.

pub(crate) mod names;
pub(crate) mod secrets;
pub(crate) mod shuffles;
