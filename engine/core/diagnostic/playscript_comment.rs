//! Comments in playscripts.

/// Returns a line of a playscript without its comment. `//` inside quotes does not start a comment.
pub fn without_comment(line: &str) -> &str {
    let mut is_quoted = false;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'/' if !is_quoted && line[at + 1..].starts_with('/') => return &line[..at],
            _ => {}
        }
    }
    line
}
