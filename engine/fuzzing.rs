//! Entry points for the fuzz targets in `fuzz/`: parsers of untrusted input that the library does not export otherwise.

/// Parses the file in which a served table keeps its invitation links.
pub fn read_links(text: &str) {
    crate::web::read_links(text);
}

/// Runs the language server with these bytes as its input until it ends.
pub fn serve_editor(bytes: &[u8]) {
    crate::lsp::serve_bytes(bytes);
}
