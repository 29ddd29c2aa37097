//! Reasons why a file is not read or written.

use std::io;

/// Number of bytes; displayed in messages as bytes, KB or MB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub u64);

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            bytes if bytes < 10 << 10 => write!(f, "{bytes} bytes"),
            bytes if bytes < 10 << 20 => write!(f, "{} KB", bytes >> 10),
            bytes => write!(f, "{} MB", bytes >> 20),
        }
    }
}

/// Reason why a file was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The path contains a symbolic link.
    #[error("it is a link, and links are not followed")]
    Link,
    /// The path is not a regular file but, for example, a folder, a device or a pipe.
    #[error("it is not a file")]
    NotAFile,
    /// The file to append to has several hard links, so appending would change a file elsewhere.
    #[error("it has a second name on the disk (a hard link), and is not written")]
    SecondName,
    /// Another user may have read or written a file that must be protected. Contains the reason.
    #[error("{0}")]
    Untrusted(&'static str),
    /// The file is larger than the limit.
    #[error("it is larger than {0}")]
    TooLarge(Size),
    /// Any other error of the operating system.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl Refused {
    /// Returns whether the file does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::System(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::System(error) => error,
            other => Self::other(other),
        }
    }
}
