//! LSP client that communicates with `parlour lsp` over its standard input and output.

#![allow(clippy::unwrap_used, clippy::needless_pass_by_value, reason = "callers pass `json!` values inline")]

use crate::folder::Folder;
use crate::program::command;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Timeout for a response. It is generous, because the machine may run other tests at the same time.
const TIMEOUT: Duration = Duration::from_mins(2);

/// LSP client with the files of one game, and the server that it started.
pub(crate) struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    folder: Folder,
    last_id: i64,
    version: i64,
    /// Texts of the open documents, keyed by path.
    pub(crate) open: BTreeMap<String, String>,
    /// Diagnostics last published for each path.
    pub(crate) diagnostics: BTreeMap<String, Vec<Value>>,
    /// Number of `publishDiagnostics` notifications received.
    pub(crate) published: usize,
}

impl Editor {
    /// Starts a server on a copy of a game.
    pub(crate) fn with_game(game: &str) -> Self {
        let folder = Folder::new("editor");
        for (path, text) in crate::folder::texts(game) {
            folder.write(&path, text);
        }
        Self::in_folder(folder)
    }

    /// Starts a server in a folder and initializes it.
    pub(crate) fn in_folder(folder: Folder) -> Self {
        let mut child = command(&folder, &["lsp"]).stdin(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut editor = Self {
            child,
            input,
            messages,
            folder,
            last_id: 0,
            version: 0,
            open: BTreeMap::new(),
            diagnostics: BTreeMap::new(),
            published: 0,
        };
        let root = editor.uri("");
        editor.request("initialize", json!({ "processId": null, "rootUri": root, "capabilities": {} }));
        editor.notify("initialized", json!({}));
        editor
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(crate) fn uri(&self, path: &str) -> String {
        format!("file://{}", self.folder.path_of(path))
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and waits for its response. Returns the result, or the message of the error.
    pub(crate) fn try_request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.messages.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("no response to {method}"));
            self.record(&message);
            if message.get("id").and_then(Value::as_i64) == Some(id) && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => Err(error["message"].as_str().unwrap().to_owned()),
                    None => Ok(message["result"].clone()),
                };
            }
        }
    }

    /// Like [`Editor::try_request`], but panics on an error.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.try_request(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Stores the diagnostics if the message publishes any.
    fn record(&mut self, message: &Value) {
        if message["method"] == "textDocument/publishDiagnostics" {
            let uri = message["params"]["uri"].as_str().unwrap();
            let root = self.uri("");
            let path = uri.strip_prefix(&root).unwrap_or(uri).to_owned();
            self.diagnostics.insert(path, message["params"]["diagnostics"].as_array().unwrap().clone());
            self.published += 1;
        }
    }

    /// Opens a file of the folder as a document.
    pub(crate) fn open(&mut self, path: &str) {
        let text = self.folder.read(path);
        self.open.insert(path.to_owned(), text.clone());
        let document = json!({ "uri": self.uri(path), "languageId": "any", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces the whole text of a document.
    pub(crate) fn write(&mut self, path: &str, text: &str) {
        self.version += 1;
        self.open.insert(path.to_owned(), text.to_owned());
        let document = json!({ "uri": self.uri(path), "version": self.version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    /// Replaces a byte range of a document, like a person who types.
    pub(crate) fn change(&mut self, path: &str, span: std::ops::Range<usize>, new: &str) {
        self.version += 1;
        let (start, end) = (self.position(path, span.start), self.position(path, span.end));
        self.open.get_mut(path).unwrap().replace_range(span, new);
        let document = json!({ "uri": self.uri(path), "version": self.version });
        let change = json!({ "range": { "start": start, "end": end }, "text": new });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    }

    /// Converts a byte offset to an LSP position, whose columns count UTF-16 code units.
    pub(crate) fn position(&self, path: &str, at: usize) -> Value {
        let before = &self.open[path][..at];
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap().encode_utf16().count();
        json!({ "line": line, "character": character })
    }

    /// Builds the parameters of a request about a byte offset of a document.
    pub(crate) fn at(&self, path: &str, at: usize) -> Value {
        json!({ "textDocument": { "uri": self.uri(path) }, "position": self.position(path, at) })
    }

    /// Waits until the published diagnostics satisfy a condition. Panics with the current diagnostics if this takes too long.
    pub(crate) fn wait_until(&mut self, is_expected: impl Fn(&BTreeMap<String, Vec<Value>>) -> bool) {
        while !is_expected(&self.diagnostics) {
            let last = &self.diagnostics;
            let message = self.messages.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("last diagnostics: {last:#?}"));
            self.record(&message);
        }
    }

    /// Waits until diagnostics are published for any file.
    pub(crate) fn wait_for_diagnostics(&mut self) {
        let before = self.published;
        while self.published == before {
            let message = self.messages.recv_timeout(TIMEOUT).expect("diagnostics are published");
            self.record(&message);
        }
    }

    /// Shuts the server down and asserts that it exits successfully.
    pub(crate) fn close(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success(), "the server exits with success");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // If the test failed before `close`, the server is still running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads one message. Returns `None` at the end of the output.
fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
