//! Limits on what a browser has to draw: how deep elements lie, how many there are once references are followed, and how large numbers are.
//!
//! The text is scanned and not parsed: a parser may already take long, or much memory, for what is refused here.

use std::collections::BTreeMap;

/// Levels of elements within each other.
const MOST_LEVELS: usize = 64;

/// Levels of elements such as `b` in a face: HTML opens these again in each paragraph that follows while they are not closed.
const MOST_FORMATTING_LEVELS: usize = 16;

/// Elements of a face.
const MOST_ELEMENTS: usize = 4_000;

/// Elements of a drawing in a file, each `use`, pattern, mask and marker counted with all that it draws.
const MOST_DRAWN: u64 = 50_000;

/// Masks, clips and filters of a drawing, counted likewise: each is painted apart and laid over the rest.
const MOST_LAYERS: u64 = 256;

/// Digits of a number of a drawing before its point: nothing on a card is longer.
const MOST_DIGITS: usize = 6;

/// Elements of HTML that are never closed, or closed by what follows.
const OPEN_ENDED: [&str; 19] = [
    "br", "hr", "img", "col", "p", "li", "td", "th", "tr", "tbody", "thead", "tfoot", "dt", "dd", "rp", "rt",
    "caption", "colgroup", "option",
];

/// Elements that HTML opens again in each paragraph while they are not closed.
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];

/// Attributes that name a part of the drawing by `url(#…)`.
const PAINTED_APART: [&str; 2] = ["mask", "clip-path"];

/// A tag of markup.
struct Tag<'t> {
    name: &'t str,
    attributes: &'t str,
    is_closing: bool,
    is_empty: bool,
}

/// The tags of a text, in order; comments and declarations are passed over.
fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find('<')? + 1..];
            if let Some(comment) = rest.strip_prefix("!--") {
                rest = &comment[comment.find("-->").unwrap_or(comment.len())..];
                continue;
            }
            let (is_closing, inner) = rest.strip_prefix('/').map_or((false, rest), |inner| (true, inner));
            if !inner.starts_with(|first: char| first.is_ascii_alphabetic()) {
                continue;
            }
            let name_ends = inner.find(|c: char| c.is_whitespace() || "/>".contains(c)).unwrap_or(inner.len());
            let ends = tag_end(inner);
            let attributes = &inner[name_ends..ends.max(name_ends)];
            rest = &inner[ends..];
            let (is_empty, name) = (attributes.ends_with('/'), &inner[..name_ends]);
            return Some(Tag { name, attributes, is_closing, is_empty });
        }
    })
}

/// Where a tag ends: at the first `>` that stands in no quotes.
fn tag_end(text: &str) -> usize {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    text.len()
}

/// The attributes of a tag with their values in quotes.
fn attributes<'t>(tag: &Tag<'t>) -> impl Iterator<Item = (&'t str, &'t str)> + use<'t> {
    let mut rest = tag.attributes;
    std::iter::from_fn(move || {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|quote| "\"'".contains(*quote))?;
        let (value, behind) = after[1..].split_once(quote)?;
        rest = behind;
        Some((name.trim(), value))
    })
}

/// Refuses a face that has too many elements, or too many within each other. Says why.
pub(super) fn check_face(text: &str) -> Result<(), String> {
    let (mut levels, mut formatting, mut number) = (0_usize, 0_usize, 0_usize);
    for tag in tags(text) {
        let name = tag.name.to_ascii_lowercase();
        if tag.is_empty || OPEN_ENDED.contains(&&*name) {
            number += usize::from(!tag.is_closing);
        } else if tag.is_closing {
            levels = levels.saturating_sub(1);
            formatting = formatting.saturating_sub(usize::from(FORMATTING.contains(&&*name)));
        } else {
            number += 1;
            levels += 1;
            formatting += usize::from(FORMATTING.contains(&&*name));
        }
        if levels > MOST_LEVELS {
            return Err(format!("has elements more than {MOST_LEVELS} deep within each other"));
        }
        if formatting > MOST_FORMATTING_LEVELS {
            return Err(format!("has elements such as `b` more than {MOST_FORMATTING_LEVELS} deep within each other"));
        }
        if number > MOST_ELEMENTS {
            return Err(format!("has more than {MOST_ELEMENTS} elements"));
        }
    }
    Ok(())
}

/// Refuses the text of a drawing that is too deep, or has too many elements, before it is parsed. Says why.
pub(super) fn check_levels(text: &str) -> Result<(), String> {
    let (mut levels, mut number) = (0_usize, 0_u64);
    for tag in tags(text) {
        number += u64::from(!tag.is_closing);
        if tag.is_closing {
            levels = levels.saturating_sub(1);
        } else if !tag.is_empty {
            levels += 1;
        }
        if levels > MOST_LEVELS {
            return Err(format!("has elements more than {MOST_LEVELS} deep within each other"));
        }
        if number > MOST_DRAWN {
            return Err(format!("has more than {MOST_DRAWN} elements"));
        }
    }
    Ok(())
}

/// An element of a drawing.
#[derive(Default)]
struct Element<'t> {
    children: Vec<usize>,
    /// Ids of what is drawn for it, each with how often.
    draws: Vec<(&'t str, u64)>,
    /// Masks, clips and filters of its own.
    layers: u64,
}

/// Elements and layers that are drawn for an element, with all that it refers to.
#[derive(Clone, Copy)]
struct Cost {
    elements: u64,
    layers: u64,
}

/// Refuses a drawing that refers to itself, draws too much, or has numbers out of all proportion. `svg` has been cut down and written
/// anew, so that its tags are closed and its attributes quoted. Says why.
pub(super) fn check_drawing(svg: &str) -> Result<(), String> {
    let (mut elements, mut ids, mut open): (Vec<Element<'_>>, BTreeMap<&str, usize>, Vec<usize>) = Default::default();
    for tag in tags(svg) {
        if tag.is_closing {
            open.pop();
            continue;
        }
        let at = elements.len();
        elements.push(element(&tag, at, &mut ids)?);
        if let Some(parent) = open.last() {
            elements[*parent].children.push(at);
        }
        if !tag.is_empty {
            open.push(at);
        }
    }
    let mut costs = vec![Counted::NotYet; elements.len()];
    if !elements.is_empty() {
        cost(&elements, &ids, 0, 0, &mut costs)?;
    }
    Ok(())
}

fn element<'t>(tag: &Tag<'t>, at: usize, ids: &mut BTreeMap<&'t str, usize>) -> Result<Element<'t>, String> {
    let mut element = Element::default();
    let vertices =
        |(name, value): (&str, &str)| if matches!(name, "d" | "points") { value.len() as u64 / 2 } else { 0 };
    let vertices = 1 + attributes(tag).map(vertices).sum::<u64>();
    for (name, value) in attributes(tag) {
        let local = name.rsplit(':').next().unwrap_or(name);
        if local == "id" {
            ids.entry(value).or_insert(at);
        }
        if let Some(id) = value.strip_prefix('#').filter(|_| local == "href") {
            element.draws.push((id, 1));
        }
        for id in value.split("url(#").skip(1).filter_map(|rest| rest.split_once(')').map(|(id, _)| id)) {
            element.draws.push((id, if local.starts_with("marker") { vertices } else { 1 }));
        }
        let styles = ["filter", "mix-blend-mode", "box-shadow"].map(|word| value.matches(word).count() as u64);
        element.layers += u64::from(PAINTED_APART.contains(&local));
        element.layers += if local == "style" { styles.iter().sum() } else { 0 };
        let is_text = matches!(
            local,
            "id" | "href"
                | "class"
                | "title"
                | "alt"
                | "lang"
                | "font-family"
                | "fill"
                | "stroke"
                | "stop-color"
                | "color"
        );
        if !is_text {
            let is_repeated = matches!((local, tag.name), ("stroke-dasharray", _) | ("width" | "height", "pattern"));
            check_numbers(local, value, is_repeated)?;
        }
    }
    Ok(element)
}

/// Refuses numbers that are too large and, of what is repeated, lengths that are too short.
fn check_numbers(name: &str, value: &str, is_repeated: bool) -> Result<(), String> {
    let mut rest = value;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit() || c == '.') {
        rest = &rest[start..];
        let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (whole, after) = rest.split_at(digits(rest));
        let after_dot = after.strip_prefix('.');
        let (part, after) = after_dot.map_or(("", after), |after| after.split_at(digits(after)));
        let exponent =
            after.strip_prefix(['e', 'E']).map(|text| (text.starts_with('-'), text.trim_start_matches(['+', '-'])));
        let power = exponent.map_or("", |(_, text)| &text[..digits(text)]).trim_start_matches('0');
        // A number such as `1e9` has ten digits once it is written out.
        let written_out = match exponent {
            Some((false, _)) => power.parse().unwrap_or(usize::MAX),
            _ => 0,
        };
        let whole_digits = whole.trim_start_matches('0').len();
        if whole_digits.saturating_add(written_out) > MOST_DIGITS || power.len() > 1 {
            return Err(format!("has a number in `{name}` of more than {MOST_DIGITS} digits"));
        }
        let is_zero = |text: &str| text.bytes().all(|digit| digit == b'0');
        let is_short = is_zero(whole) && part.starts_with("00") && !is_zero(part);
        if is_repeated && (is_short || exponent.is_some_and(|(is_negative, _)| is_negative)) {
            return Err(format!("has a length in `{name}` that is shorter than a hundredth"));
        }
        rest = after;
    }
    Ok(())
}

/// Whether the cost of an element has been counted.
#[derive(Clone, Copy)]
enum Counted {
    NotYet,
    UnderWay,
    Done(Cost),
}

/// Counts what is drawn for an element.
fn cost(
    elements: &[Element<'_>],
    ids: &BTreeMap<&str, usize>,
    at: usize,
    level: usize,
    costs: &mut [Counted],
) -> Result<Cost, String> {
    match costs[at] {
        Counted::Done(known) => return Ok(known),
        Counted::UnderWay => return Err("refers to itself".to_owned()),
        Counted::NotYet => costs[at] = Counted::UnderWay,
    }
    if level > 2 * MOST_LEVELS {
        return Err(format!("has references more than {MOST_LEVELS} deep within each other"));
    }
    let mut sum = Cost { elements: 1, layers: elements[at].layers };
    let children = elements[at].children.iter().map(|child| (*child, 1));
    let drawn = elements[at].draws.iter().filter_map(|(id, times)| Some((*ids.get(id)?, *times)));
    for (other, times) in children.chain(drawn) {
        let Cost { elements: more, layers } = cost(elements, ids, other, level + 1, costs)?;
        sum.elements = sum.elements.saturating_add(more.saturating_mul(times));
        sum.layers = sum.layers.saturating_add(layers.saturating_mul(times));
        if sum.elements > MOST_DRAWN {
            return Err(format!("draws more than {MOST_DRAWN} elements, each `use` counted with what it draws"));
        }
        if sum.layers > MOST_LAYERS {
            return Err(format!(
                "has more than {MOST_LAYERS} masks, clips and filters, each counted as often as it is drawn"
            ));
        }
    }
    costs[at] = Counted::Done(sum);
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::{check_drawing, check_face, check_levels};

    #[test]
    fn a_face_is_not_too_deep_and_opens_nothing_again_and_again() {
        assert!(check_face("<div><p>a<p>b<br><b>c</b></div>").is_ok());
        assert!(check_face(&"<p><b>a</b></p>".repeat(1_000)).is_ok());
        assert!(check_face(&"<p>a".repeat(1_000)).is_ok());
        assert!(check_face(&"<div>".repeat(12_000)).unwrap_err().contains("64 deep"));
        assert!(check_face(&"<!--<div>--><div title=\"<div>\"></div>".repeat(900)).is_ok());
        let bold = (0..20).map(|at| format!("<b class=\"{at}\">")).collect::<Vec<_>>().concat();
        assert!(check_face(&format!("<p>{bold}</p>{}", "<p>a".repeat(3_000))).unwrap_err().contains("`b`"));
        assert!(check_face(&"<br>".repeat(12_000)).unwrap_err().contains("elements"));
    }

    #[test]
    fn a_drawing_draws_no_more_than_it_has_room_for() {
        assert!(check_levels(&"<g>".repeat(12_000)).unwrap_err().contains("deep"));
        assert!(check_levels(&"<g/>".repeat(12_000)).is_ok());
        assert!(check_levels(&"<g/>".repeat(60_000)).unwrap_err().contains("elements"));
        let doubled = (1..30)
            .map(|at| format!("<g id=\"a{at}\"><use href=\"#a{0}\"></use><use href=\"#a{0}\"></use></g>", at - 1))
            .collect::<Vec<_>>()
            .concat();
        let whole = |inner: &str| format!("<svg><g id=\"a0\"><path d=\"M0 0\"></path></g>{inner}</svg>");
        assert!(check_drawing(&whole("<use href=\"#a0\"></use><use href=\"#a0\"></use>")).is_ok());
        assert!(check_drawing(&whole(&doubled)).unwrap_err().contains("`use`"));
        let own = "<svg><g id=\"a\"><use href=\"#a\"></use></g></svg>";
        assert!(check_drawing(own).unwrap_err().contains("itself"));
        let painted = "<g mask=\"url(#m)\"></g>".repeat(300);
        assert!(check_drawing(&format!("<svg><mask id=\"m\"></mask>{painted}</svg>")).unwrap_err().contains("masks"));
        let blurred = "<g style=\"filter: blur(9px); \"></g>".repeat(300);
        assert!(check_drawing(&format!("<svg>{blurred}</svg>")).unwrap_err().contains("filters"));
    }

    #[test]
    fn numbers_of_a_drawing_are_in_proportion() {
        assert!(check_drawing("<svg viewBox=\"0 0 8.5e1 88\"><path d=\"M0-1e3l.5.5\"></path></svg>").is_ok());
        for wrong in [
            "<rect width=\"99999999\"></rect>",
            "<path d=\"M0 0l1e99 0\"></path>",
            "<path d=\"M0 0a1e9 1e9 0 1 1 5e8 0\"></path>",
            "<g transform=\"scale(.1e9)\"></g>",
            "<path stroke-dasharray=\"0.0001\"></path>",
            "<path stroke-dasharray=\"1e-9\"></path>",
            "<pattern width=\"0.001\" height=\"1\"></pattern>",
        ] {
            assert!(check_drawing(&format!("<svg>{wrong}</svg>")).is_err(), "{wrong}");
        }
    }
}
