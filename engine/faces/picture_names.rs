//! The names of pictures that faces ask for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What stands for a picture, with its number behind it, until its address is put there.
pub(super) const SCHEME: &str = "parlour-picture:";

/// The names of pictures that faces have asked for, in order, and what can be no such name.
#[derive(Debug, Clone, Default)]
pub(super) struct PictureNames(pub(super) Arc<Mutex<(Vec<String>, Vec<String>)>>);

impl PictureNames {
    /// What stands for a picture by the name of its file; nothing for what is no such name.
    pub(super) fn address(&self, name: &str) -> Option<String> {
        let name = name.trim();
        let mut asked = locked(&self.0);
        if !is_name(name) {
            asked.1.push(name.to_owned());
            return None;
        }
        let known = asked.0.iter().position(|known| known == name);
        let at = known.unwrap_or_else(|| {
            asked.0.push(name.to_owned());
            asked.0.len() - 1
        });
        Some(format!("{SCHEME}{at}"))
    }
}

/// Whether a text can be the name of a file in `faces/` itself.
fn is_name(name: &str) -> bool {
    let is_plain = |character: char| character.is_alphanumeric() || "-_. ".contains(character);
    !name.is_empty() && !name.starts_with('.') && name.len() < 100 && name.chars().all(is_plain)
}

pub(super) fn locked<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
