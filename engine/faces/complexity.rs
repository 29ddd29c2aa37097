//! Limits on the work that a face causes in a browser: depth and number of elements, including references, and sizes of numbers.
//!
//! Only cleaned HTML is scanned for tags. In other HTML, a parser may find other elements than a scan: the parser ignores some closing
//! tags, and reopens elements that were not closed (`tree_size.rs`).

use super::stylesheet::{LayerRule, STYLED, Target};
use super::tree_size::check_tree;
use std::collections::BTreeMap;

/// Maximum nesting depth of elements.
const MAX_LEVELS: usize = 64;

/// Maximum number of elements in a face, including those that a parser adds.
const MAX_ELEMENTS: usize = 4_000;

/// Maximum number of elements in a drawing file. Each `use`, pattern, mask and marker counts together with everything
/// that it draws.
const MAX_DRAWN_ELEMENTS: u64 = 50_000;

/// Maximum number of masks, clips and filters in a drawing. Each of them is rendered in a separate layer. A mask, clip or filter in a
/// referenced element counts each time the element is drawn.
const MAX_LAYERS: u64 = 256;

/// Maximum number of integer digits of a number in a drawing.
const MAX_DIGITS: usize = 6;

/// Maximum number of filters, shadows and blended colors in a face. A CSS rule with one of them counts once for each element to which it
/// applies.
const MAX_FACE_LAYERS: usize = 64;

/// Elements without a closing tag on a clean page.
const VOID: [&str; 4] = ["br", "col", "hr", "img"];

/// Attributes that refer to an element by `url(#…)` and make the browser render a separate layer.
const SEPARATE_LAYER: [&str; 2] = ["mask", "clip-path"];

/// Opening or closing tag of an element.
pub(super) struct Tag<'t> {
    pub(super) name: &'t str,
    attributes: &'t str,
    pub(super) is_closing: bool,
    pub(super) is_empty: bool,
}

/// Iterates over the tags in `text`. Skips comments and declarations.
pub(super) fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
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

/// Returns the offset of the first `>` outside quotes, or the length of `text` if there is none.
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

/// Iterates over the names and values of the quoted attributes of a tag.
pub(super) fn attributes<'t>(tag: &Tag<'t>) -> impl Iterator<Item = (&'t str, &'t str)> + use<'t> {
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

/// Checks the number and depth of elements in a face before the face is cleaned. Returns a message if a limit is exceeded.
pub(super) fn check_face(text: &str) -> Result<(), String> {
    check_tree(text, MAX_LEVELS, MAX_ELEMENTS)
}

/// Checks the number and depth of elements in a drawing before the drawing is cleaned. Returns a message if a limit is exceeded.
pub(super) fn check_levels(text: &str) -> Result<(), String> {
    check_tree(text, MAX_LEVELS, MAX_DRAWN_ELEMENTS as usize)
}

/// Checks the number of filters, shadows and blended colors that `rules` cause on a cleaned page, over all elements to which they apply.
/// Returns a message if there are too many.
pub(super) fn check_layers(html: &str, rules: &[LayerRule]) -> Result<(), String> {
    let mut layers = 0;
    for rule in rules {
        // For each open element, whether the inherited properties apply to it.
        let mut open: Vec<bool> = Vec::new();
        for tag in tags(html) {
            if tag.is_closing {
                open.pop();
                continue;
            }
            let is_target = rule.targets.iter().any(|target| is_target(&tag, target));
            let inherits = is_target || open.last().is_some_and(|inherits| *inherits);
            layers += if is_target {
                rule.layers
            } else if inherits {
                rule.inherited
            } else {
                0
            };
            if layers > MAX_FACE_LAYERS {
                return Err(format!(
                    "has more than {MAX_FACE_LAYERS} filters, shadows and blended colors, counted for each element"
                ));
            }
            if !tag.is_empty && !VOID.contains(&tag.name) {
                open.push(inherits);
            }
        }
    }
    Ok(())
}

fn is_target(tag: &Tag<'_>, target: &Target) -> bool {
    let value = |name: &str| attributes(tag).find(|(attribute, _)| *attribute == name).map_or("", |(_, value)| value);
    match target {
        Target::Class(class) => value("class").split_whitespace().any(|word| word.eq_ignore_ascii_case(class)),
        Target::Element(name) => tag.name.eq_ignore_ascii_case(name),
        Target::Styled(name) => value(STYLED) == name,
        Target::Any => true,
    }
}

/// An element of a drawing.
#[derive(Default)]
struct Element<'t> {
    children: Vec<usize>,
    /// Ids of referenced elements, each with the number of times it is drawn.
    draws: Vec<(&'t str, u64)>,
    /// Number of masks, clips and filters of the element itself.
    layers: u64,
}

/// Number of elements and layers that an element draws, including references.
#[derive(Clone, Copy)]
struct Cost {
    elements: u64,
    layers: u64,
}

/// Checks a drawing for circular references, excessive cost, and extreme numbers. Returns the reason if the drawing is
/// rejected.
///
/// `svg` must have been cleaned and serialized, so that tags are closed and attributes are quoted.
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
    let mut costs = vec![CostState::NotYet; elements.len()];
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
        element.layers += u64::from(SEPARATE_LAYER.contains(&local));
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

/// Checks that numbers are not too large, and that the lengths of repeated dashes and pattern tiles are not too small.
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
        // `1e9` has ten digits when written out.
        let written_out = match exponent {
            Some((false, _)) => power.parse().unwrap_or(usize::MAX),
            _ => 0,
        };
        let whole_digits = whole.trim_start_matches('0').len();
        if whole_digits.saturating_add(written_out) > MAX_DIGITS || power.len() > 1 {
            return Err(format!("has a number in `{name}` of more than {MAX_DIGITS} digits"));
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

/// State of the memoized cost of an element.
#[derive(Clone, Copy)]
enum CostState {
    NotYet,
    InProgress,
    Done(Cost),
}

/// Calculates the cost of an element. Fails if the element refers to itself or a limit is exceeded.
fn cost(
    elements: &[Element<'_>],
    ids: &BTreeMap<&str, usize>,
    at: usize,
    level: usize,
    costs: &mut [CostState],
) -> Result<Cost, String> {
    match costs[at] {
        CostState::Done(known) => return Ok(known),
        CostState::InProgress => return Err("refers to itself".to_owned()),
        CostState::NotYet => costs[at] = CostState::InProgress,
    }
    if level > 2 * MAX_LEVELS {
        return Err(format!("has references more than {MAX_LEVELS} deep within each other"));
    }
    let mut sum = Cost { elements: 1, layers: elements[at].layers };
    let children = elements[at].children.iter().map(|child| (*child, 1));
    let drawn = elements[at].draws.iter().filter_map(|(id, times)| Some((*ids.get(id)?, *times)));
    for (other, times) in children.chain(drawn) {
        let Cost { elements: more, layers } = cost(elements, ids, other, level + 1, costs)?;
        sum.elements = sum.elements.saturating_add(more.saturating_mul(times));
        sum.layers = sum.layers.saturating_add(layers.saturating_mul(times));
        if sum.elements > MAX_DRAWN_ELEMENTS {
            return Err(format!(
                "draws more than {MAX_DRAWN_ELEMENTS} elements, each `use` counted with what it draws"
            ));
        }
        if sum.layers > MAX_LAYERS {
            return Err(format!(
                "has more than {MAX_LAYERS} masks, clips and filters, each counted as often as it is drawn"
            ));
        }
    }
    costs[at] = CostState::Done(sum);
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::super::stylesheet::{LayerRule, Target};
    use super::{check_drawing, check_face, check_layers, check_levels};

    #[test]
    fn depth_and_reopened_formatting_are_limited() {
        assert_eq!(check_face("<div><p>a<p>b<br><b>c</b></div>"), Ok(()));
        assert_eq!(check_face(&"<p><b>a</b></p>".repeat(1_000)), Ok(()));
        assert_eq!(check_face(&"<p>a".repeat(1_000)), Ok(()));
        assert_eq!(check_face(&format!("{}a{}", "<div>".repeat(64), "</div>".repeat(64))), Ok(()));
        assert!(check_face(&"<div>".repeat(12_000)).unwrap_err().contains("64 deep"));
        assert_eq!(check_face(&"<!--<div>--><div title=\"<div>\"></div>".repeat(900)), Ok(()));
        assert_eq!(check_face(&"<svg><g><path/><path/></g></svg>".repeat(900)), Ok(()));
        assert!(check_face(&"<br>".repeat(12_000)).unwrap_err().contains("elements"));
    }

    /// A scan of the tags would count one or two levels in each of these texts.
    #[test]
    fn elements_are_counted_as_a_parser_sees_them() {
        for (part, rest) in [
            ("<b class={}></i>", "<p>a"),
            ("<b class={} />", "<p>a"),
            ("<b class={}><select></b></select>", "<p>a"),
            ("<b class={}><xmp></b></xmp>", "<p>a"),
            ("<table><b class={}><td></b></td></table>", "<p>a"),
            ("<b class={}><!x </b>", "<p>a"),
            ("<div class={}></b>", ""),
            ("<!--><div class={}>-->", ""),
            ("<br \"><div class={}>\">", ""),
            ("<li><dd class={}>", ""),
            ("<rt class={}>", ""),
            ("<svg><b class={}></svg>", "<p>a"),
        ] {
            let all: String = (0..1_900).map(|at| part.replace("{}", &at.to_string())).collect();
            let found = check_face(&format!("<p>{all}</p>{}", rest.repeat(2_000)));
            assert!(found.is_err(), "{part}");
        }
        let open: Vec<String> = (0..40).map(|at| format!("<b class={at}></i>")).collect();
        let found = check_face(&format!("<p>{}</p>{}", open.concat(), "<p>a".repeat(2_000)));
        assert!(found.unwrap_err().contains("elements such as `b`"));
    }

    #[test]
    fn layers_are_counted_for_each_element() {
        let rule = |target: Target, inherited: usize| LayerRule { targets: vec![target], layers: 1, inherited };
        let class = || Target::Class("g".to_owned());
        let many = "<i class=\"a g\">1</i>".repeat(65);
        assert!(check_layers(&many, &[rule(class(), 0)]).unwrap_err().contains("filters"));
        assert!(check_layers(&many, &[rule(Target::Element("i".to_owned()), 0)]).is_err());
        assert!(check_layers(&many, &[rule(Target::Any, 0)]).is_err());
        assert_eq!(check_layers(&many, &[rule(Target::Class("h".to_owned()), 0)]), Ok(()));
        assert_eq!(check_layers(&many[..many.len() / 65 * 64], &[rule(class(), 0)]), Ok(()));
        let within = format!("<div class=\"g\">{}</div>", "<i>1</i><br>".repeat(40));
        assert_eq!(check_layers(&within, &[rule(class(), 0)]), Ok(()));
        assert!(check_layers(&within, &[rule(class(), 1)]).is_err());
        assert_eq!(
            check_layers(&format!("<div class=\"g\"></div>{within}"), &[rule(Target::Class("h".to_owned()), 1)]),
            Ok(())
        );
    }

    #[test]
    fn drawing_cost_includes_references() {
        assert!(check_levels(&"<g>".repeat(12_000)).unwrap_err().contains("deep"));
        assert_eq!(check_levels(&format!("<svg>{}</svg>", "<g/>".repeat(12_000))), Ok(()));
        assert!(check_levels(&format!("<svg>{}</svg>", "<g/>".repeat(60_000))).unwrap_err().contains("elements"));
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
    fn extreme_numbers_are_rejected() {
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
