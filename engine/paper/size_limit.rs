//! The limit on how large the sheets of a print may be.

/// Maximum number of bytes of all sheets of a print.
pub(super) const LARGEST: usize = 64 << 20;

/// Sheets that would take up too much memory, with what takes most: cards are written as often as they are in the box.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the sheets would be larger than {} MB, most of it for {what}", LARGEST >> 20)]
pub struct TooLarge {
    /// The kind, or the zone.
    pub what: String,
}
