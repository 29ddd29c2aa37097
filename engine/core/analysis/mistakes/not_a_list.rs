//! `not-a-list`: a loop iterates over a value that is not a collection.

use super::super::types::{Tags, in_words};
use crate::decision::iteration_help;
use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn not_a_list(bad: Tags, here: Place) -> Diagnostic {
    let help = iteration_help(&bad.iter().collect::<Vec<_>>());
    sentence::not_iterated(&in_words(bad), help).at(here)
}
