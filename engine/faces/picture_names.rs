//! Names of pictures that faces refer to.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Prefix of the placeholder for a picture. It is followed by the index of the picture, and later replaced by the
/// picture's address.
pub(super) const SCHEME: &str = "parlour-picture:";

/// Names of the pictures requested so far, in order, and requested names that are invalid.
#[derive(Debug, Clone, Default)]
pub(super) struct PictureNames(pub(super) Arc<Mutex<(Vec<String>, Vec<String>)>>);

impl PictureNames {
    /// Returns the placeholder for the picture in a file; `None` if the name is invalid.
    pub(super) fn address(&self, name: &str) -> Option<String> {
        let name = name.trim();
        let mut requested = lock_ignoring_poison(&self.0);
        if !is_name(name) {
            requested.1.push(name.to_owned());
            return None;
        }
        let known = requested.0.iter().position(|known| known == name);
        let at = known.unwrap_or_else(|| {
            requested.0.push(name.to_owned());
            requested.0.len() - 1
        });
        Some(format!("{SCHEME}{at}"))
    }
}

/// Returns whether `name` can be the name of a file directly in `faces/`.
fn is_name(name: &str) -> bool {
    let is_plain = |character: char| character.is_alphanumeric() || "-_. ".contains(character);
    !name.is_empty() && !name.starts_with('.') && name.len() < 100 && name.chars().all(is_plain)
}

/// Locks a mutex, even if a panic has poisoned it.
pub(super) fn lock_ignoring_poison<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
