//! Splits the printed patterns of boards. A row is written as one string of values, and each value becomes a node with its own place.

use crate::diagnostic::Place;
use crate::loader::document::node::{Data, KeyedNode, Node, PROVENANCE};
use crate::loader::document::tree::Tree;

impl Tree {
    /// Splits the patterns of all zones. Patterns that are already split do not change.
    pub(in crate::loader) fn split_patterns(&mut self) {
        let zones = self.root.get_mut("zones").map(|entry| &mut entry.node.data);
        if let Some(Data::Table(zones)) = zones {
            zones.values_mut().for_each(|entry| split_zone(&mut entry.node));
        }
    }
}

/// Splits the patterns of one zone.
fn split_zone(zone: &mut Node) {
    let Data::Table(zone) = &mut zone.data else { return };
    let Some(KeyedNode { node: Node { data: Data::Table(fields), .. }, .. }) = zone.get_mut("printed") else { return };
    for (name, field) in fields {
        if &**name == PROVENANCE {
            continue;
        }
        match &mut field.node.data {
            Data::Table(columns) => columns.values_mut().for_each(|entry| split_column(&mut entry.node)),
            _ => split_rows(&mut field.node),
        }
    }
}

/// Splits the pattern in one entry of a table. The key of the entry is a component or a number of players. The pattern of a component may
/// in turn differ by number of players.
fn split_column(node: &mut Node) {
    match &mut node.data {
        Data::Table(columns) => columns.values_mut().for_each(|entry| split_rows(&mut entry.node)),
        _ => split_rows(node),
    }
}

/// Splits one row or a list of rows.
fn split_rows(node: &mut Node) {
    if let Data::List(rows) = &mut node.data {
        rows.iter_mut().for_each(split_row);
    } else {
        split_row(node);
    }
}

/// Splits the string of a row at whitespace into a list of values.
fn split_row(row: &mut Node) {
    let Data::Text(text) = &row.data else { return };
    // The place of a value can be computed only if the string is written without escapes.
    let Place { source, span } = &row.place;
    let begin =
        source.text.get(span.clone()).and_then(|text_in_file| text_in_file.find(&**text)).map(|at| span.start + at);
    let figure = |word: &str| {
        // `word` is a slice of `text`, so the difference of their addresses is its offset.
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let span = begin.map_or(span.clone(), |begin| begin + at..begin + at + word.len());
        let data = match (word, word.parse()) {
            (_, Ok(number)) => Data::Number(number),
            ("true", _) => Data::Flag(true),
            ("false", _) => Data::Flag(false),
            _ => Data::Text(word.into()),
        };
        Node { place: Place { source: source.clone(), span }, data }
    };
    row.data = Data::List(text.split_whitespace().map(figure).collect());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_values_keep_their_places() {
        let text = "x = \"60 . -7\"";
        let source =
            std::sync::Arc::new(crate::diagnostic::Source { path: "game.toml".to_owned(), text: text.to_owned() });
        let place = Place { source, span: 4..text.len() };
        let mut row = Node { place, data: Data::Text("60 . -7".into()) };
        split_row(&mut row);
        let figures = row.list().expect("it is a list now");
        assert_eq!(figures.iter().map(Node::number).collect::<Vec<_>>(), [Some(60), None, Some(-7)]);
        assert_eq!(&text[figures[2].place.span.clone()], "-7");
    }
}
