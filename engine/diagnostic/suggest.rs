//! "Did you mean".

/// The known word nearest to the one written.
pub fn nearest<'a>(_written: &str, _known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    None
}

/// A help line with the known word nearest to the one written.
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(written, known).map(|word| format!("did you mean `{word}`?"))
}
