//! The limit on how large the sheets of a print may be.

/// Maximum number of bytes of all sheets of a print.
pub(super) const LARGEST: usize = 64 << 20;

/// Maximum number of bytes of all files of a print: each has the pictures that it shows.
pub(super) const LARGEST_FILES: usize = 256 << 20;

/// Sheets that would take up too much memory, with what takes most: cards are written as often as they are in the box.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// Their pages, most of them for a kind or a zone.
    #[error("the sheets would be larger than {} MB, most of it for {what}", LARGEST >> 20)]
    Pages {
        /// The kind, or the zone.
        what: String,
    },
    /// Their files, in each of which are the pictures that it shows.
    #[error("the files of the sheets would be larger than {} MB: pictures are in each file that shows them", LARGEST_FILES >> 20)]
    Files,
}
