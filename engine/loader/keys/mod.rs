//! The keys of TOML tables: one table says what there is; files are read by it, editors complete by it, and the page is made of it.

pub(in crate::loader) mod form;
pub(in crate::loader) mod outline;
pub(in crate::loader) mod page;
pub(in crate::loader) mod reading;
pub(in crate::loader) mod schema;
pub(in crate::loader) mod sections;
