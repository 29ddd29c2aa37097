//! State of the language server.

use super::checker::{Checker, SharedResults};
use super::documents::Documents;
use super::folder_watcher::FolderWatcher;
use super::position::Encoding;
use std::sync::{Arc, Mutex};

/// State of one connection to an editor.
pub(super) struct Server {
    pub(super) documents: Documents,
    pub(super) checker: Checker,
    pub(super) shared: Arc<Mutex<SharedResults>>,
    pub(super) encoding: Encoding,
    pub(super) watching: FolderWatcher,
}
