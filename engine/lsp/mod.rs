//! The language server: the protocol over standard input and output. The content of the answers comes from `ide`.

mod answers;
mod checker;
mod convert;
mod documents;
mod folder_watcher;
mod play_commands;
mod position;
mod recent_folders;
mod server;
mod transport;
mod uri;

use checker::{Checker, SharedResults};
use documents::Documents;
use folder_watcher::FolderWatcher;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use position::Encoding;
use serde_json::{Value, json};
use server::Server;
use std::collections::{BTreeSet, VecDeque};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transport::Transport;

/// Interval for checking whether other programs have saved files.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Serves one editor until it disconnects.
///
/// # Errors
/// Fails if messages cannot be read or written.
pub(crate) fn serve() -> Result<(), Box<dyn Error + Send + Sync>> {
    let server = crate::system::thread("server").spawn(|| {
        let (connection, threads) = Transport::start_on_stdio()?;
        let result = serve_connection(&connection);
        drop(connection);
        if let Some(why) = threads.read_error() {
            return Err(why.into());
        }
        result.and_then(|()| Ok(threads.join()?))
    })?;
    server.join().unwrap_or_else(|_| Err("the server stopped".into()))
}

/// Serves an editor that sends some bytes and then disconnects, for fuzzing.
#[cfg(feature = "fuzzing")]
pub(crate) fn serve_bytes(bytes: &[u8]) {
    let (ours, editor) = Connection::memory();
    let mut rest = std::io::BufReader::new(bytes);
    while let Ok(Some(message)) = Message::read(&mut rest) {
        if editor.sender.send(message).is_err() {
            break;
        }
    }
    let Connection { sender, receiver } = editor;
    drop(sender);
    // The answers must be consumed, or the server would block on a full channel.
    let reads = crate::system::thread("editor").spawn(move || receiver.iter().for_each(drop));
    let _ = serve_connection(&ours);
    drop(ours);
    let _ = reads.map(std::thread::JoinHandle::join);
}

fn serve_connection(connection: &Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (id, params) = connection.initialize_start()?;
    let encoding = Encoding::negotiate(&params);
    let answer = json!({
        "capabilities": answers::capabilities(encoding),
        "serverInfo": { "name": "parlour", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer)?;
    let shared = Arc::new(Mutex::new(SharedResults::default()));
    let can_refresh = params.pointer("/capabilities/workspace/codeLens/refreshSupport").is_some_and(|can| *can == true);
    let sender = connection.sender.clone();
    let checker =
        Checker::start(Arc::new(move |message| drop(sender.send(message))), shared.clone(), encoding, can_refresh)?;
    let mut server =
        Server { documents: Documents::new(encoding), checker, shared, encoding, watching: FolderWatcher::new() };
    server.listen(connection)
}

impl Server {
    fn listen(&mut self, connection: &Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut waiting: VecDeque<Message> = VecDeque::new();
        loop {
            if waiting.is_empty() {
                match connection.receiver.recv_timeout(POLL_INTERVAL) {
                    Ok(message) => waiting.push_back(message),
                    Err(error) if error.is_timeout() => {
                        self.check_saved();
                        continue;
                    }
                    Err(_) => return Ok(()),
                }
            }
            // All waiting messages are read first, so that canceled requests are not started.
            waiting.extend(connection.receiver.try_iter());
            let canceled = canceled_requests(&waiting);
            let Some(message) = waiting.pop_front() else { continue };
            match message {
                Message::Request(request) if request.method == "shutdown" => {
                    connection.sender.send(Response::new_ok(request.id, Value::Null).into())?;
                    // After `shutdown` the protocol allows only `exit`.
                    waiting.clear();
                    while let Ok(message) = connection.receiver.recv() {
                        if matches!(&message, Message::Notification(note) if note.method == "exit") {
                            break;
                        }
                    }
                    return Ok(());
                }
                Message::Request(request) if canceled.contains(&request.id.to_string()) => {
                    let code = ErrorCode::RequestCanceled as i32;
                    connection.sender.send(Response::new_err(request.id, code, "called off".to_owned()).into())?;
                }
                Message::Request(request) if is_outdated(&request, &waiting) => {
                    let code = ErrorCode::ContentModified as i32;
                    connection
                        .sender
                        .send(Response::new_err(request.id, code, "the text has changed".to_owned()).into())?;
                }
                Message::Request(request) => connection.sender.send(self.answer(request).into())?,
                Message::Notification(note) if note.method == "exit" => return Ok(()),
                Message::Notification(note) => self.note(&note),
                Message::Response(_) => {}
            }
        }
    }

    /// Answers a request. A panic is reported to the editor as an internal error.
    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answered = catch_unwind(AssertUnwindSafe(|| self.answer_method(&method, &params)));
        match answered {
            Ok(Some(Ok(value))) => Response::new_ok(id, value),
            Ok(Some(Err(message))) => Response::new_err(id, ErrorCode::RequestFailed as i32, message),
            Ok(None) => unknown(id, &method),
            Err(_) => {
                self.documents.discard_analyses();
                Response::new_err(id, ErrorCode::InternalError as i32, format!("a defect of parlour, in {method}"))
            }
        }
    }

    fn note(&mut self, note: &Notification) {
        let result = catch_unwind(AssertUnwindSafe(|| self.documents.note(&note.method, &note.params)));
        let changed = result.unwrap_or_default();
        for folder in changed {
            self.watching.add(&folder);
            self.checker.check(&folder, &self.documents);
        }
    }

    /// Checks games in which other programs have saved files.
    fn check_saved(&mut self) {
        for (folder, saved) in self.watching.saved() {
            if self.documents.reload_saved(&folder, &saved) {
                self.checker.check(&folder, &self.documents);
            }
        }
    }
}

fn unknown(id: RequestId, method: &str) -> Response {
    Response::new_err(id, ErrorCode::MethodNotFound as i32, format!("`{method}` is not answered here"))
}

/// Requests about a whole file. Editors repeat them after each keystroke.
const WHOLE_FILE_REQUESTS: [&str; 5] = [
    "textDocument/codeLens",
    "textDocument/documentSymbol",
    "textDocument/documentHighlight",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
];

/// Returns whether a waiting change makes a request outdated. Only requests that the editor will repeat are ever outdated.
fn is_outdated(request: &Request, waiting: &VecDeque<Message>) -> bool {
    let uri = request.params.pointer("/textDocument/uri");
    let changes = |message: &Message| {
        matches!(message, Message::Notification(note)
            if note.method == "textDocument/didChange" && note.params.pointer("/textDocument/uri") == uri)
    };
    WHOLE_FILE_REQUESTS.contains(&request.method.as_str()) && waiting.iter().any(changes)
}

/// Returns the ids of requests that waiting messages cancel.
fn canceled_requests(waiting: &VecDeque<Message>) -> BTreeSet<String> {
    let canceled = |message: &Message| match message {
        Message::Notification(note) if note.method == "$/cancelRequest" => {
            let id = note.params.get("id")?;
            let id = id.as_i64().map(|id| RequestId::from(id as i32));
            let id = id.or_else(|| note.params.get("id")?.as_str().map(|id| RequestId::from(id.to_owned())));
            id.map(|id| id.to_string())
        }
        _ => None,
    };
    waiting.iter().filter_map(canceled).collect()
}
