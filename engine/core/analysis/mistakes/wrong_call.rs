//! `wrong-call`: a value that is not a function is called.

use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place, sentence};

/// Creates the diagnostic for a call of a value that is not a function: `3.call()`.
pub(crate) fn not_a_function(bad: Tags, here: Place) -> Diagnostic {
    sentence::not_a_function(&in_words(bad)).at(here)
}
