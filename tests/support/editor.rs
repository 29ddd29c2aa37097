//! An editor that speaks with `parlour lsp` over its standard input and output.

#![allow(clippy::unwrap_used, clippy::needless_pass_by_value, reason = "what is said is written where it is said")]

use crate::folder::Folder;
use crate::program::command;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Longer than any answer takes on a machine that has other things to do.
const LONG: Duration = Duration::from_mins(2);

/// An editor with the files of one game.
pub(crate) struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    said: Receiver<Value>,
    folder: Folder,
    asked: i64,
    version: i64,
    /// The texts that are open, by their paths.
    pub(crate) open: BTreeMap<String, String>,
    /// What was last told to be wrong, by paths.
    pub(crate) wrong: BTreeMap<String, Vec<Value>>,
    /// How often something was told to be wrong or well.
    pub(crate) told: usize,
}

impl Editor {
    /// Starts one on a copy of a game.
    pub(crate) fn of(game: &str) -> Self {
        let folder = Folder::new("editor");
        for (path, text) in crate::folder::texts(game) {
            folder.write(&path, text);
        }
        Self::in_folder(folder)
    }

    /// Starts one in a folder.
    pub(crate) fn in_folder(folder: Folder) -> Self {
        let mut child = command(&folder, &["lsp"]).stdin(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, said) = channel();
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
            said,
            folder,
            asked: 0,
            version: 0,
            open: BTreeMap::new(),
            wrong: BTreeMap::new(),
            told: 0,
        };
        let root = editor.uri("");
        editor.ask("initialize", json!({ "processId": null, "rootUri": root, "capabilities": {} }));
        editor.say("initialized", json!({}));
        editor
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(crate) fn uri(&self, path: &str) -> String {
        format!("file://{}", self.folder.named(path))
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    /// Says something that is not answered.
    pub(crate) fn say(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks something; the result, or the message of an error.
    pub(crate) fn asked(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.said.recv_timeout(LONG).unwrap_or_else(|_| panic!("no answer to {method}"));
            self.take(&message);
            if message.get("id").and_then(Value::as_i64) == Some(id) && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => Err(error["message"].as_str().unwrap().to_owned()),
                    None => Ok(message["result"].clone()),
                };
            }
        }
    }

    /// Asks something that is answered well.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn take(&mut self, message: &Value) {
        if message["method"] == "textDocument/publishDiagnostics" {
            let uri = message["params"]["uri"].as_str().unwrap();
            let root = self.uri("");
            let path = uri.strip_prefix(&root).unwrap_or(uri).to_owned();
            self.wrong.insert(path, message["params"]["diagnostics"].as_array().unwrap().clone());
            self.told += 1;
        }
    }

    /// Opens a file.
    pub(crate) fn open(&mut self, path: &str) {
        let text = self.folder.read(path);
        self.open.insert(path.to_owned(), text.clone());
        let document = json!({ "uri": self.uri(path), "languageId": "any", "version": 1, "text": text });
        self.say("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Changes a whole text.
    pub(crate) fn write(&mut self, path: &str, text: &str) {
        self.version += 1;
        self.open.insert(path.to_owned(), text.to_owned());
        let document = json!({ "uri": self.uri(path), "version": self.version });
        self.say("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [{ "text": text }] }));
    }

    /// Replaces a stretch of a text, as a keystroke does.
    pub(crate) fn change(&mut self, path: &str, span: std::ops::Range<usize>, new: &str) {
        self.version += 1;
        let (start, end) = (self.position(path, span.start), self.position(path, span.end));
        self.open.get_mut(path).unwrap().replace_range(span, new);
        let document = json!({ "uri": self.uri(path), "version": self.version });
        let change = json!({ "range": { "start": start, "end": end }, "text": new });
        self.say("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    }

    /// The position of a byte, in units of UTF-16.
    pub(crate) fn position(&self, path: &str, at: usize) -> Value {
        let before = &self.open[path][..at];
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap().encode_utf16().count();
        json!({ "line": line, "character": character })
    }

    /// Where something is asked of a byte of a file.
    pub(crate) fn at(&self, path: &str, at: usize) -> Value {
        json!({ "textDocument": { "uri": self.uri(path) }, "position": self.position(path, at) })
    }

    /// Waits until what is told to be wrong is as wanted.
    pub(crate) fn wait(&mut self, wanted: impl Fn(&BTreeMap<String, Vec<Value>>) -> bool) {
        while !wanted(&self.wrong) {
            let message = self.said.recv_timeout(LONG).unwrap_or_else(|_| panic!("told last: {:#?}", self.wrong));
            self.take(&message);
        }
    }

    /// Waits until something is told again.
    pub(crate) fn wait_for_news(&mut self) {
        let before = self.told;
        while self.told == before {
            let message = self.said.recv_timeout(LONG).expect("it is told what is wrong");
            self.take(&message);
        }
    }

    /// Says that it is done; the server ends well.
    pub(crate) fn close(mut self) {
        self.ask("shutdown", Value::Null);
        self.say("exit", Value::Null);
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success(), "it ends well");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // Where a test failed it is still there.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

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
