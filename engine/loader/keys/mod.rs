//! The keys of TOML tables: reading them, and the JSON Schemas by which editors complete and check them.

pub(in crate::loader) mod forms;
pub(in crate::loader) mod reading;
pub(in crate::loader) mod schema;
