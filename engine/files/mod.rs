//! Files on the disk: everything that the engine writes, and guarded reading of folders that may come from a stranger.
//!
//! A [`Directory`] is a handle of a folder that the user named. Files below it are opened relative to the handle, one part of the
//! path after the other, and links below it are never followed: a folder that was prepared, or that is changed meanwhile, leads
//! nowhere else. No other part of the engine writes files (`tests/house/files.rs` holds this).

mod directory;
mod file_name;
mod named;
mod scratch;

pub use directory::{Busy, Directory, Refused, Size};
pub use file_name::{in_file_name, is_part, unportable};
#[cfg(feature = "web")]
pub(crate) use named::{Trust, read_trusted, remove};
pub use named::{append_whole, check_writable, write_private, write_whole, write_whole_privately};
pub(crate) use named::{read_named, read_unlinked};
pub(crate) use scratch::ScratchFolder;
