//! Access to the disk: everything that the engine writes, and guarded reading of folders from untrusted sources.
//!
//! A [`Directory`] is a handle to a folder that the user named. Files below it are opened relative to the handle, one path component at a
//! time, and links are never followed. Therefore a malicious folder cannot redirect an access to another place, even if it is changed
//! during the access. No other part of the engine writes files (checked by `tests/house/file_access.rs`).
//!
//! Without the feature `system` there is no disk: files are kept in memory (`memory.rs`), and the program that runs the engine stores them.
#[cfg(feature = "system")]
mod directory;
mod file_name;
#[cfg(not(feature = "system"))]
mod memory;
#[cfg(feature = "system")]
mod named;
mod refused;
#[cfg(feature = "system")]
mod scratch;

#[cfg(feature = "system")]
pub use directory::{Busy, Directory};
pub use file_name::{is_temporary_name, sanitize_file_name, unportable_reason};
#[cfg(not(feature = "system"))]
pub(crate) use memory::{
    Trust, all, append_synced, exists, put_all, read_named, read_trusted, read_unlinked, read_unlinked_bytes, remove,
    user_key, write_private,
};
#[cfg(feature = "web")]
pub(crate) use named::user_key;
#[cfg(all(feature = "system", feature = "page"))]
pub(crate) use named::{Trust, exists, read_trusted, remove};
#[cfg(feature = "system")]
pub use named::{append_synced, check_writable, write_atomic, write_atomic_private, write_private};
#[cfg(feature = "system")]
pub(crate) use named::{read_named, read_unlinked, read_unlinked_bytes};
pub use refused::{Refused, Size};
#[cfg(feature = "system")]
pub(crate) use scratch::ScratchFolder;
