//! The keys of TOML tables, declared once (`key`, `form`, `sections`) and used for reading files, completion in editors, the JSON Schema and the
//! reference page.

pub(in crate::loader) mod form;
pub(in crate::loader) mod key;
pub(in crate::loader) mod outline;
pub(in crate::loader) mod page;
pub(in crate::loader) mod reading;
pub(in crate::loader) mod schema;
pub(in crate::loader) mod sections;
