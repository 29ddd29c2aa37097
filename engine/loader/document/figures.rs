//! The patterns of boards taken apart: a row of figures is written as one text, and each figure has its own place.

use crate::diagnostic::Place;
use crate::loader::document::node::{Data, KeyedNode, Node, PROVENANCE};
use crate::loader::document::tree::Tree;

impl Tree {
    /// Takes the patterns of all zones apart; those that are so already stay as they are.
    pub(in crate::loader) fn take_patterns_apart(&mut self) {
        let zones = self.root.get_mut("zones").map(|entry| &mut entry.node.data);
        if let Some(Data::Table(zones)) = zones {
            zones.values_mut().for_each(|entry| take_apart(&mut entry.node));
        }
    }
}

/// Takes the texts of the patterns of a zone apart, so that each figure stands for itself.
fn take_apart(zone: &mut Node) {
    let Data::Table(zone) = &mut zone.data else { return };
    let Some(KeyedNode { node: Node { data: Data::Table(fields), .. }, .. }) = zone.get_mut("printed") else { return };
    for (name, field) in fields {
        if &**name == PROVENANCE {
            continue;
        }
        match &mut field.node.data {
            Data::Table(columns) => columns.values_mut().for_each(|entry| take_apart_column(&mut entry.node)),
            _ => take_apart_rows(&mut field.node),
        }
    }
}

/// The figures for a number of players or a component, which may differ by number of players in turn.
fn take_apart_column(node: &mut Node) {
    match &mut node.data {
        Data::Table(columns) => columns.values_mut().for_each(|entry| take_apart_rows(&mut entry.node)),
        _ => take_apart_rows(node),
    }
}

fn take_apart_rows(node: &mut Node) {
    if let Data::List(rows) = &mut node.data {
        rows.iter_mut().for_each(take_apart_row);
    } else {
        take_apart_row(node);
    }
}

fn take_apart_row(row: &mut Node) {
    let Data::Text(text) = &row.data else { return };
    // Between its quotes a text stands as it is, unless it has characters that stand for others.
    let Place { source, span } = &row.place;
    let begin = source.text.get(span.clone()).and_then(|written| written.find(&**text)).map(|at| span.start + at);
    let figure = |word: &str| {
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
    fn figures_know_their_places() {
        let text = "x = \"60 . -7\"";
        let source =
            std::sync::Arc::new(crate::diagnostic::Source { path: "game.toml".to_owned(), text: text.to_owned() });
        let place = Place { source, span: 4..text.len() };
        let mut row = Node { place, data: Data::Text("60 . -7".into()) };
        take_apart_row(&mut row);
        let figures = row.list().expect("it is a list now");
        assert_eq!(figures.iter().map(Node::number).collect::<Vec<_>>(), [Some(60), None, Some(-7)]);
        assert_eq!(&text[figures[2].place.span.clone()], "-7");
    }
}
