//! Random bytes for secrets and seeds. They come from the operating system or, if there is none, from a seed that the program running the
//! engine provides.

#[cfg(not(feature = "system"))]
pub(super) use given::{fill, seed};
#[cfg(feature = "system")]
pub(super) use own::fill;

#[cfg(feature = "system")]
mod own {
    /// Fills a buffer with random bytes.
    ///
    /// # Errors
    /// Fails if the operating system returns no random bytes.
    pub(in crate::web) fn fill(bytes: &mut [u8]) -> Result<(), String> {
        getrandom::fill(bytes).map_err(|error| error.to_string())
    }
}

#[cfg(not(feature = "system"))]
mod given {
    use std::sync::{Mutex, PoisonError};

    /// Key of the random byte stream, and number of blocks drawn from it so far.
    static STREAM: Mutex<Option<([u8; 32], u64)>> = Mutex::new(None);

    /// Seeds the stream of random bytes. `bytes` must contain at least 16 bytes that nobody can predict.
    pub(in crate::web) fn seed(bytes: &[u8]) {
        let key = blake3::derive_key("parlour page entropy 1", bytes);
        *STREAM.lock().unwrap_or_else(PoisonError::into_inner) = Some((key, 0));
    }

    /// Fills a buffer with random bytes.
    ///
    /// # Errors
    /// Fails if [`seed`] has not been called.
    pub(in crate::web) fn fill(bytes: &mut [u8]) -> Result<(), String> {
        let mut stream = STREAM.lock().unwrap_or_else(PoisonError::into_inner);
        let (key, drawn) = stream.as_mut().ok_or("nobody gave random bytes")?;
        for chunk in bytes.chunks_mut(32) {
            let block = blake3::keyed_hash(key, &drawn.to_le_bytes());
            *drawn += 1;
            chunk.copy_from_slice(&block.as_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}
