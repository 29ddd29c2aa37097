//! How a diagnostic is printed.

use super::Diagnostic;

/// The message alone.
pub fn render(diagnostic: &Diagnostic, _color: bool) -> String {
    diagnostic.message.clone()
}
