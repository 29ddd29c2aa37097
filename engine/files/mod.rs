//! Access to the disk: everything that the engine writes, and guarded reading of folders from untrusted sources.
//!
//! A [`Directory`] is a handle of a folder that the user named. Files below it are opened relative to the handle, one path
//! component at a time, and links are never followed. So neither a prepared folder nor one that is changed meanwhile can redirect
//! an access to another place. No other part of the engine writes files (checked by `tests/house/file_access.rs`).
mod directory;
mod file_name;
mod named;
mod scratch;

pub use directory::{Busy, Directory, Refused, Size};
pub use file_name::{is_temporary_name, sanitize_file_name, unportable_reason};
#[cfg(feature = "web")]
pub(crate) use named::{Trust, read_trusted, remove};
pub use named::{append_synced, check_writable, write_atomic, write_atomic_private, write_private};
pub(crate) use named::{read_named, read_unlinked};
pub(crate) use scratch::ScratchFolder;
