//! Sends arbitrary messages to the language server, after the messages that an editor sends first.

#![no_main]

use libfuzzer_sys::fuzz_target;

/// Returns a message with the header of the Language Server Protocol.
fn framed(message: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{message}", message.len())
}

// Each line of the text is a message. A document is open, so that messages can refer to it.
fuzz_target!(|text: &str| {
    let begin = [
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///fuzz/game.toml","languageId":"toml","version":1,"text":"[game]\nid = \"fuzz\"\n"}}}"#,
    ];
    let all: String = begin.into_iter().chain(text.lines()).map(framed).collect();
    parlour::fuzzing::serve_editor(all.as_bytes());
});
