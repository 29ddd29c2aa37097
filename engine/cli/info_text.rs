//! Formats declarations as text, for both output formats of `parlour info`.

use crate::model::{
    Bounds, Content, Family, FieldValue, HexOrientation, Kind, Label, Model, Owner, Param, Party, Space, Tessellation,
    Value, ValueType, Zone,
};
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

/// Returns the ids of kinds and components, separated by commas.
pub(super) fn contents_text(model: &Model, contents: &[Content]) -> String {
    let names = contents.iter().map(|content| match content {
        Content::Kind(kind) => &*model.kinds[kind.index()].id,
        Content::Component(component) => &*model.component(*component).id,
    });
    names.collect::<Vec<_>>().join(", ")
}

/// Returns the number of pieces of a kind.
pub(super) fn pieces_of(model: &Model, kind: &Kind) -> usize {
    model.pieces.iter().filter(|piece| kind.components.contains(&piece.component)).count()
}

/// Returns the labels of the spaces in the zones of a family. For a grid, returns its size instead: `columns × rows`, or the number of
/// spaces if the grid has gaps. Returns an empty string for a single space, and `…` if the zones have different labels.
pub(super) fn spaces_text(model: &Model, family: &Family) -> String {
    if family.shape.is_single() {
        return String::new();
    }
    let number = |zone: u16| model.zones.get(usize::from(zone)).map_or(0, |zone| zone.spaces.len());
    if family.shape.is_grid() {
        // A grid with gaps, such as a hexagon of hexagons, has fewer spaces than its columns times its rows.
        if number(family.zones.start) < usize::from(family.columns) * usize::from(family.rows) {
            return number(family.zones.start).to_string();
        }
        return format!("{} × {}", family.columns, family.rows);
    }
    let Some(zone) = model.zones.get(family.zones.start as usize).filter(|_| !family.zones.is_empty()) else {
        return String::new();
    };
    let labels = |zone: &Zone| -> Vec<String> {
        zone.spaces.clone().map(|space| model.spaces[space as usize].label.to_string()).collect()
    };
    let first = labels(zone);
    let is_alike = family.zones.clone().all(|zone| labels(&model.zones[zone as usize]) == first);
    if is_alike { first.join(" ") } else { "…".to_owned() }
}

/// Returns table rows that show the printed fields of a zone's spaces, each with a heading that may be empty. Returns no rows if the spaces
/// have no fields.
pub(super) fn printed_on_spaces(model: &Model, zone: &Zone) -> Vec<(String, String)> {
    let spaces = &model.spaces[usize::from(zone.spaces.start)..usize::from(zone.spaces.end)];
    let mut fields: Vec<&Arc<str>> = spaces.iter().flat_map(|space| space.fields.keys()).collect();
    fields.sort();
    fields.dedup();
    if fields.is_empty() {
        return Vec::new();
    }
    if model.family(zone.family).shape.is_grid() {
        return fields.iter().flat_map(|field| printed_on_grid(model, zone, field)).collect();
    }
    let labels: Vec<String> = spaces.iter().map(|space| space.label.to_string()).collect();
    let printed = |field: &Arc<str>| -> Vec<String> {
        let text =
            |space: &Space| space.fields.get(field).map_or_else(|| "-".to_owned(), |value| flag_or_text(model, value));
        spaces.iter().map(text).collect()
    };
    let rows = fields.iter().map(|field| (field.to_string(), printed(field)));
    let rows: Vec<(String, Vec<String>)> = std::iter::once(("label".to_owned(), labels)).chain(rows).collect();
    let width = |at: usize| rows.iter().map(|(_, texts)| texts[at].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..spaces.len()).map(width).collect();
    let padded = |texts: &[String]| {
        let texts =
            texts.iter().zip(&widths).map(|(text, width)| format!("{}{text}", " ".repeat(width - text.width())));
        texts.collect::<Vec<_>>().join(" ")
    };
    rows.iter().map(|(what, texts)| (what.clone(), padded(texts))).collect()
}

/// Formats one printed field of a grid's spaces, with a line for each row of the grid and aligned columns.
fn printed_on_grid(model: &Model, zone: &Zone, field: &Arc<str>) -> Vec<(String, String)> {
    let spaces = &model.spaces[usize::from(zone.spaces.start)..usize::from(zone.spaces.end)];
    let texts: Vec<String> = spaces
        .iter()
        .map(|space| space.fields.get(field).map_or_else(|| "-".to_owned(), |value| flag_or_text(model, value)))
        .collect();
    let width = texts.iter().map(|text| text.width()).max().unwrap_or(0);
    let padded = |text: &String| format!("{}{text}", " ".repeat(width - text.width()));
    // The lines follow the rows of the file. On a board of hexagons, these may differ in length.
    let rows = printed_rows(model, zone).scan(0, |at, length| {
        *at += length;
        Some(&texts[*at - length..*at])
    });
    rows.enumerate()
        .map(|(at, row)| {
            let name = if at == 0 { field.to_string() } else { String::new() };
            (name, row.iter().map(padded).collect::<Vec<_>>().join(" "))
        })
        .collect()
}

/// Returns the number of spaces in each row of a printed grid.
fn printed_rows(model: &Model, zone: &Zone) -> impl Iterator<Item = usize> {
    let (family, number) = (model.family(zone.family), zone.spaces.len());
    let (columns, rows) = (usize::from(family.columns).max(1), usize::from(family.rows).max(1));
    let row_of = |space: u16| match model.spaces[usize::from(space)].label {
        Label::Cell(_, row) => row,
        _ => 1,
    };
    let lengths: Vec<usize> = match family.shape.tessellation() {
        Tessellation::Square => vec![columns; number / columns],
        // With flat-topped hexagons in a rectangle, the rows of the file are not rows of coordinates. The model does not store the outline,
        // so it is derived here: only a rectangle has gaps in its rows of coordinates and a number of spaces that is a multiple of its
        // number of columns. A rhombus has no gaps. A hexagon of radius `r > 0` has `3r(r + 1) + 1` spaces in `2r + 1` columns, which is
        // never a multiple.
        Tessellation::Hex(HexOrientation::Flat) if number < columns * rows && number % columns == 0 => {
            vec![columns; number / columns]
        }
        Tessellation::Hex(_) => {
            let spaces: Vec<u16> = zone.spaces.clone().collect();
            spaces.chunk_by(|a, b| row_of(*a) == row_of(*b)).map(<[u16]>::len).collect()
        }
    };
    lengths.into_iter()
}

/// Formats a printed field in a table. A flag that is not set is shown as `-`, like a field without a value.
pub(super) fn flag_or_text(model: &Model, value: &FieldValue) -> String {
    match value {
        FieldValue::Flag(false) | FieldValue::Nothing => "-".to_owned(),
        value => model.field_text(value),
    }
}

/// Formats the owner of a value.
pub(super) fn owner_text(model: &Model, owner: Owner) -> String {
    match owner {
        Owner::Game => "game".to_owned(),
        Owner::Seat => "seat".to_owned(),
        Owner::Component(kind) | Owner::Piece(Some(kind)) => model.kinds[kind.index()].id.to_string(),
        Owner::Piece(None) => "piece".to_owned(),
        Owner::Space(family) => model.family(family).id.to_string(),
        Owner::Pair(one, other) => format!("{}, per {}", party_text(model, one), party_text(model, other)),
    }
}

fn party_text(model: &Model, party: Party) -> &str {
    match party {
        Party::Seat => "seat",
        Party::Component(kind) => &model.kinds[kind.index()].id,
    }
}

/// Formats the type of a value with its bounds.
pub(super) fn value_type(model: &Model, value: &Value) -> String {
    if let Some(most) = value.most {
        let one = value_type(model, &Value { most: None, ..value.clone() });
        return format!("list of {one}, at most {most}");
    }
    match &value.kind {
        ValueType::Piece => "piece".to_owned(),
        ValueType::Number => match (value.min, value.max) {
            (None, None) => "number".to_owned(),
            (min, max) => {
                let end = |end: Option<i64>| end.map_or_else(String::new, |end| end.to_string());
                format!("number {}..{}", end(min), end(max))
            }
        },
        ValueType::Flag => "flag".to_owned(),
        ValueType::Word(words) => words.join(" | "),
        ValueType::Seat => "seat".to_owned(),
        ValueType::Component(kind) => {
            kind.map_or_else(|| "component".to_owned(), |kind| model.kinds[kind.index()].id.to_string())
        }
        ValueType::Space(family) => {
            family.map_or_else(|| "space".to_owned(), |family| model.family(family).id.to_string())
        }
    }
}

/// Formats the initial content of a value. Returns an empty string if the value starts without content.
pub(super) fn value_start(model: &Model, value: &Value) -> String {
    if value.start == Value::NOTHING || value.is_held() {
        return String::new();
    }
    match &value.kind {
        ValueType::Number => value.start.to_string(),
        ValueType::Flag => (value.start != 0).to_string(),
        ValueType::Word(words) => words[value.start as usize].to_string(),
        ValueType::Seat => (value.start + 1).to_string(),
        ValueType::Component(_) => model.components[value.start as usize].id.to_string(),
        ValueType::Space(_) | ValueType::Piece => String::new(),
    }
}

/// Formats the allowed values of a param: `1–7`, or `#2 1–20, #5 1–7` if they differ by number of players. A missing bound is `…`.
pub(super) fn bounds_text(param: &Param) -> String {
    let one = |bounds: &Bounds| {
        let side = |bound: Option<i64>| bound.map_or("…".to_owned(), |bound| bound.to_string());
        if *bounds == Bounds::default() {
            String::new()
        } else {
            format!("{}–{}", side(bounds.min), side(bounds.max))
        }
    };
    if param.bounds_by_players.is_empty() {
        return one(&param.bounds);
    }
    let columns = param.bounds_by_players.iter().map(|(players, bounds)| format!("#{players} {}", one(bounds)));
    columns.collect::<Vec<_>>().join(", ")
}
