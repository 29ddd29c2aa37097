//! Engine of a web page: a WebAssembly module without imports. A worker of the page sends JSON messages to it.
//!
//! The worker calls `input` with the length of a message, writes the message to the returned address, and calls `call`. The return value is
//! the length of the answer, and `output` returns the address of the answer.

#![allow(
    unsafe_code,
    reason = "a function that is called by its name is exported by an attribute that counts as unsafe"
)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parlour::{PageRequest, PageResponse, Workspace};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Message from the worker.
#[derive(Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
enum Message {
    /// Message that opens the game.
    Open {
        name: String,
        file: String,
        files: Vec<(String, FileContent)>,
        entropy: Vec<u8>,
        stored: Vec<(String, String)>,
        is_kept: bool,
    },
    /// Message with a request of the page.
    Ask {
        #[serde(default)]
        is_post: bool,
        #[serde(default)]
        is_part: bool,
        path: String,
        #[serde(default)]
        query: Vec<(String, String)>,
        #[serde(default)]
        form: Vec<(String, String)>,
        now: u64,
    },
    /// Message that lets the module do pending work between requests.
    Step { games: u64, now: u64 },
    /// Message that lets the module play games. The answer contains the fingerprints of the games.
    Fingerprints { seats: u8, agent: String, seed: u64, begin: u64, end: u64 },
}

/// Content of a file: text, or Base64-encoded bytes.
#[derive(Deserialize)]
#[serde(untagged)]
enum FileContent {
    Text(String),
    Bytes { base64: String },
}

impl FileContent {
    fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.into_bytes(),
            Self::Bytes { base64 } => STANDARD.decode(base64).unwrap_or_default(),
        }
    }
}

/// Answer to the worker.
#[derive(Serialize, Default)]
struct Answer {
    /// Reason why the message was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<Response>,
    /// Whether pages may have become outdated since the last answer.
    has_changed: bool,
    /// Whether there is pending work, to be done between requests.
    is_busy: bool,
    /// Files to store; `None` if they have not changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    stored: Option<Vec<(String, String)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprints: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Response {
    status: u16,
    media: &'static str,
    body: String,
    path: Option<&'static str>,
}

impl From<PageResponse> for Response {
    fn from(response: PageResponse) -> Self {
        let PageResponse { status, media, body, path } = response;
        Self { status, media, body, path }
    }
}

/// State of the module.
#[derive(Default)]
struct Module {
    workspace: Option<Workspace>,
    /// Files to store, as last returned to the worker.
    stored: Vec<(String, String)>,
    /// Buffer for the message, then for the answer.
    buffer: Vec<u8>,
}

/// String that identifies the version of the program to which the module belongs. `parlour export` searches the module for it.
static MARK: &str = concat!("parlour-page ", env!("CARGO_PKG_VERSION"), "\n");

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// Allocates space for a message of `length` bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.buffer = vec![0; length];
        module.buffer.as_mut_ptr()
    })
}

/// Executes the message, and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    MODULE.with_borrow_mut(|module| {
        let answer = match serde_json::from_slice(&module.buffer) {
            Ok(message) => module.carry_out(message),
            Err(error) => Answer { error: Some(error.to_string()), ..Answer::default() },
        };
        module.buffer = serde_json::to_vec(&answer).unwrap_or_default();
        module.buffer.len()
    })
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    MODULE.with_borrow(|module| module.buffer.as_ptr())
}

/// Returns the address of the string that identifies the version of the program.
#[unsafe(no_mangle)]
pub extern "C" fn mark() -> *const u8 {
    MARK.as_ptr()
}

impl Module {
    fn carry_out(&mut self, message: Message) -> Answer {
        let mut answer = Answer::default();
        match message {
            Message::Open { name, file, files, entropy, stored, is_kept } => {
                let files = files.into_iter().map(|(path, content)| (path, content.into_bytes())).collect();
                match Workspace::open(&name, &file, files, &entropy) {
                    Ok(mut workspace) => {
                        let stored = stored.into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
                        answer.error = workspace.restore(stored).err();
                        workspace.set_kept(is_kept);
                        self.workspace = Some(workspace);
                    }
                    Err(why) => answer.error = Some(why),
                }
            }
            Message::Ask { is_post, is_part, path, query, form, now } => {
                Workspace::set_time(now);
                let request = PageRequest { is_post, is_part, path, query, form };
                answer.response = self.workspace.as_mut().map(|workspace| workspace.handle(&request).into());
            }
            Message::Step { games, now } => {
                Workspace::set_time(now);
                answer.has_changed = self.workspace.as_mut().is_some_and(|workspace| workspace.step(games));
            }
            Message::Fingerprints { seats, agent, seed, begin, end } => {
                let played =
                    self.workspace.as_ref().map(|workspace| workspace.fingerprints(seats, &agent, seed, begin..end));
                match played {
                    Some(Ok(all)) => answer.fingerprints = Some(all.iter().map(|one| format!("{one:016x}")).collect()),
                    Some(Err(why)) => answer.error = Some(why),
                    None => {}
                }
            }
        }
        if let Some(workspace) = &self.workspace {
            answer.is_busy = workspace.is_busy();
            let text = |(path, bytes): (String, Vec<u8>)| Some((path, String::from_utf8(bytes).ok()?));
            let stored: Vec<(String, String)> = workspace.stored().into_iter().filter_map(text).collect();
            if stored != self.stored {
                self.stored.clone_from(&stored);
                answer.stored = Some(stored);
            }
        }
        answer
    }
}
