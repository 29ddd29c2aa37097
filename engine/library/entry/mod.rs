//! How a function of the language is written down: once, with the native code behind it, for every caller.

pub(crate) mod argument;
pub(crate) mod book;
pub(crate) mod caller;
pub(crate) mod dispatch;
pub(crate) mod native;
pub(crate) mod question;
pub(crate) mod registry;
