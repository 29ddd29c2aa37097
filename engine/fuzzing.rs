//! Readers of bytes from strangers that only the program uses, for the fuzz targets in `fuzz/`.

/// Reads the file in which the links of a served table are kept.
pub fn read_links(text: &str) {
    crate::web::read_links(text);
}

/// Lets an editor send these bytes to the language server, and waits until the server is done.
pub fn serve_editor(bytes: &[u8]) {
    crate::lsp::serve_bytes(bytes);
}
