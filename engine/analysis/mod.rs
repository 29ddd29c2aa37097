//! What rule text means, as far as that can be told without running it.

pub(crate) mod names;
