//! `fixed-name`: what stands for something of the game is set.

use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn fixed_name(name: &str, here: Place) -> Diagnostic {
    Diagnostic::said(sentence::fixed_name(name), here)
}
