//! parlour
pub mod agents;
pub mod diagnostic;
pub mod model;
pub mod script;
pub mod session;
pub mod table;
