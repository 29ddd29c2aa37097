//! What the server knows of its editor.

use super::checking::{Checker, Shared};
use super::documents::Documents;
use super::position::Encoding;
use super::watching::Watching;
use std::sync::{Arc, Mutex};

/// One conversation with an editor.
pub(super) struct Server {
    pub(super) documents: Documents,
    pub(super) checker: Checker,
    pub(super) shared: Arc<Mutex<Shared>>,
    pub(super) encoding: Encoding,
    pub(super) watching: Watching,
}
