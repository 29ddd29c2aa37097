//! Size limits of a print.

/// Maximum size of all pages in bytes.
pub(super) const LARGEST: usize = 64 << 20;

/// Maximum size of all files in bytes. Each file embeds the pictures that it shows.
pub(super) const LARGEST_FILES: usize = 256 << 20;

/// Error: the print would be too large.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// Limit of the pages exceeded; cards are repeated as often as they are in the box.
    #[error("the sheets would be larger than {} MB, most of it for {what}", LARGEST >> 20)]
    Pages {
        /// Kind or zone for which the limit is exceeded.
        what: String,
    },
    /// Limit of the files exceeded.
    #[error("the files of the sheets would be larger than {} MB: pictures are in each file that shows them", LARGEST_FILES >> 20)]
    Files,
}
