//! Size limits of a print.

/// Maximum size in bytes of the HTML of all pieces, and of the texts on all boards.
pub(super) const LARGEST: usize = 64 << 20;

/// Maximum size of all files in bytes. Each file embeds the pictures that it shows.
pub(super) const LARGEST_FILES: usize = 256 << 20;

/// Error for a print that would be too large.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// The pages exceed their size limit. Every copy of a card counts toward the limit.
    #[error("the sheets would be larger than {} MB, most of it for {what}", LARGEST >> 20)]
    Pages {
        /// Kind, part or zone at which the limit is exceeded.
        what: String,
    },
    /// The files exceed their size limit.
    #[error("the files of the sheets would be larger than {} MB: pictures are in each file that shows them", LARGEST_FILES >> 20)]
    Files,
}
