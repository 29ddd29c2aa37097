//! The keys of TOML tables: what there is, reading it, the JSON Schemas by which editors complete and check it, and the page.

pub(in crate::loader) mod form;
pub(in crate::loader) mod outline;
pub(in crate::loader) mod page;
pub(in crate::loader) mod reading;
pub(in crate::loader) mod sections;
