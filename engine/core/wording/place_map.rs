//! Maps of places: which components are places, which links connect them, and where each place is drawn.

use super::map_layout::{STEP, Spot, distance, lay_out};
use crate::model::{ComponentId, FieldId, FieldType, FieldValue, KindId, Model};
use std::collections::BTreeMap;

/// Name of the field with the printed position of a place: horizontal and vertical coordinate, in any unit.
const AT: &str = "at";

/// Maximum number of places on a map. [`MAX_LINKS`] is the maximum number of links. Larger maps are not drawn.
const MAX_PLACES: usize = 300;
const MAX_LINKS: usize = 1_200;

/// Maximum extent of a map in either direction, in units of the drawing.
const MAX_EXTENT: i64 = 40 * STEP as i64;

/// Library functions that follow links. A field connects places if its name is an argument of one of these functions.
const LINK_FUNCTIONS: [&str; 5] = ["connected", "distance", "longest_path", "neighbors", "within"];

/// Maximum number of bytes that are searched backward from a quoted name in the rules for the call that takes the name as an argument.
const MAX_CALL: usize = 400;

/// A map of places and the links between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceMap {
    /// Kind of the places.
    pub kind: KindId,
    /// The places with their positions. Linked places are about one `STEP` apart.
    pub places: Vec<(ComponentId, Spot)>,
    /// The links between the places.
    pub links: Vec<PlaceLink>,
}

/// A link between two places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlaceLink {
    /// Indices of the two places in [`PlaceMap::places`].
    pub ends: (usize, usize),
    /// Component that represents the link; `None` if a place only lists its neighbors.
    pub component: Option<ComponentId>,
    /// Whether the link leads only from the first to the second place.
    pub is_one_way: bool,
}

/// A field that connects places.
#[derive(Clone, Copy)]
struct LinkField {
    kind: KindId,
    field: FieldId,
}

impl PlaceMap {
    /// Returns the maps of a game: one for each kind whose components are connected by a field or have printed positions. Omits maps that
    /// are too small or too large.
    pub fn all(model: &Model) -> Vec<Self> {
        (0..model.kinds.len()).map(KindId::at).filter_map(|kind| Self::new(model, kind)).collect()
    }

    fn new(model: &Model, kind: KindId) -> Option<Self> {
        let components = &model.kinds[kind.index()].components;
        if !(2..=MAX_PLACES).contains(&components.len()) {
            return None;
        }
        let printed = printed_spots(model, kind);
        let possible = link_fields(model, kind);
        let followed: Vec<LinkField> = possible.iter().copied().filter(|field| is_followed(model, *field)).collect();
        let fields = if followed.is_empty() && printed.is_some() { possible } else { followed };
        let links: Vec<PlaceLink> = fields.iter().flat_map(|field| links_of(model, kind, *field)).collect();
        if links.len() > MAX_LINKS || links.is_empty() && printed.is_none() {
            return None;
        }
        let spots = printed.unwrap_or_else(|| {
            let mut ends: Vec<(usize, usize)> = links.iter().map(|link| link.ends).collect();
            ends.sort_unstable_by_key(|(a, b)| (*a.max(b), *a.min(b)));
            ends.dedup_by_key(|(a, b)| (*a.max(b), *a.min(b)));
            lay_out(components.len(), &ends)
        });
        Some(Self { kind, places: components.iter().copied().zip(spots).collect(), links })
    }

    /// Returns the index of a place.
    pub(crate) fn index_of(&self, component: ComponentId) -> Option<usize> {
        self.places.iter().position(|(place, _)| *place == component)
    }

    /// Returns whether a component is a place or a link of the map.
    pub fn contains(&self, component: ComponentId) -> bool {
        self.index_of(component).is_some() || self.links.iter().any(|link| link.component == Some(component))
    }
}

/// Returns the fields that may connect the places of a kind. These are lists of places, either in the places themselves, or in components
/// of another kind that each list two places.
fn link_fields(model: &Model, places: KindId) -> Vec<LinkField> {
    let is_list = |of: &FieldType| match of {
        FieldType::List(inner) => **inner == FieldType::Component(Some(places)),
        _ => false,
    };
    let mut found = Vec::new();
    for (at, kind) in model.kinds.iter().enumerate() {
        let id = KindId::at(at);
        for (field, _) in kind.fields.iter().filter(|(_, of)| is_list(of)) {
            let has_two_ends = |component: &ComponentId| ends(model, *component, *field).len() == 2;
            if id == places || !kind.components.is_empty() && kind.components.iter().all(has_two_ends) {
                found.push(LinkField { kind: id, field: *field });
            }
        }
    }
    found
}

/// Returns the places listed in a field of a component.
fn ends(model: &Model, component: ComponentId, field: FieldId) -> Vec<ComponentId> {
    let Some(FieldValue::List(list)) = model.component(component).fields.get(&field) else { return Vec::new() };
    let place = |value: &FieldValue| if let FieldValue::Component(place) = value { Some(*place) } else { None };
    list.iter().filter_map(place).collect()
}

fn links_of(model: &Model, places: KindId, LinkField { kind, field }: LinkField) -> Vec<PlaceLink> {
    let index: BTreeMap<ComponentId, usize> =
        model.kinds[places.index()].components.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let components = &model.kinds[kind.index()].components;
    if kind != places {
        let link = |id: &ComponentId| {
            let ends = ends(model, *id, field);
            let ends = (*index.get(ends.first()?)?, *index.get(ends.get(1)?)?);
            Some(PlaceLink { ends, component: Some(*id), is_one_way: false })
        };
        return components.iter().filter_map(link).collect();
    }
    // Two places that list each other are connected by a single link that leads in both directions.
    let mut links: BTreeMap<(usize, usize), [bool; 2]> = BTreeMap::new();
    for (from, id) in components.iter().enumerate() {
        for to in ends(model, *id, field).iter().filter_map(|to| index.get(to)).filter(|to| **to != from) {
            links.entry((from.min(*to), from.max(*to))).or_default()[usize::from(from > *to)] = true;
        }
    }
    let link = |((low, high), leads): ((usize, usize), [bool; 2])| PlaceLink {
        ends: if leads[0] { (low, high) } else { (high, low) },
        component: None,
        is_one_way: leads[0] != leads[1],
    };
    links.into_iter().map(link).collect()
}

/// Returns whether the rules follow a field: whether its quoted name is an argument of a function of [`LINK_FUNCTIONS`].
fn is_followed(model: &Model, LinkField { field, .. }: LinkField) -> bool {
    let quoted = format!("\"{}\"", model.fields[field.index()]);
    let is_call = |text: &str, at: usize| {
        let name = called_function(&text[..at]);
        LINK_FUNCTIONS.contains(&name)
    };
    model.scripts.iter().any(|script| script.text.match_indices(&quoted).any(|(at, _)| is_call(&script.text, at)))
}

/// Returns the name of the function whose argument list is open at the end of a text. Empty if there is none.
fn called_function(text: &str) -> &str {
    let mut open = 0_usize;
    for (at, byte) in text.bytes().enumerate().rev().take(MAX_CALL) {
        match byte {
            b')' => open += 1,
            b'(' if open > 0 => open -= 1,
            b'(' => {
                let before = &text[..at];
                let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                let length = before.bytes().rev().take_while(is_part).count();
                return &before[before.len() - length..];
            }
            b';' | b'{' | b'}' if open == 0 => return "",
            _ => {}
        }
    }
    ""
}

/// Returns the printed positions of all places, scaled so that the average distance from a place to the nearest other place is one
/// [`STEP`]. Large maps are scaled down to [`MAX_EXTENT`]. Returns `None` unless every place has a printed position.
fn printed_spots(model: &Model, kind: KindId) -> Option<Vec<Spot>> {
    let declared = &model.kinds[kind.index()];
    let (field, of) = declared.fields.iter().find(|(field, _)| *model.fields[field.index()] == *AT)?;
    if !matches!(of, FieldType::List(inner) if **inner == FieldType::Number) {
        return None;
    }
    let position = |id: &ComponentId| {
        let Some(FieldValue::List(list)) = model.component(*id).fields.get(field) else { return None };
        let [FieldValue::Number(x), FieldValue::Number(y)] = list[..] else { return None };
        Some((x.clamp(-1_000_000, 1_000_000), y.clamp(-1_000_000, 1_000_000)))
    };
    let printed: Vec<(i64, i64)> = declared.components.iter().map(position).collect::<Option<_>>()?;
    let least = (printed.iter().map(|at| at.0).min()?, printed.iter().map(|at| at.1).min()?);
    let most = (printed.iter().map(|at| at.0).max()?, printed.iter().map(|at| at.1).max()?);
    let far = |a: &(i64, i64), b: &(i64, i64)| ((a.0 - b.0).pow(2) + (a.1 - b.1).pow(2)).isqrt();
    let nearest = printed.iter().enumerate().filter_map(|(at, one)| {
        let others = printed.iter().enumerate().filter(|(other, _)| *other != at);
        others.map(|(_, other)| far(one, other)).min()
    });
    // The average distance is in hundredths of a unit, because places may be as close as one unit.
    let typical = (nearest.sum::<i64>() * 100 / printed.len() as i64).max(1);
    let extent = (most.0 - least.0).max(most.1 - least.1).max(1);
    let scaled = |offset: i64| {
        let spot = offset * i64::from(STEP) * 100 / typical;
        let limit = extent * i64::from(STEP) * 100 / typical;
        (if limit > MAX_EXTENT { offset * MAX_EXTENT / extent } else { spot }) as i32
    };
    Some(printed.iter().map(|at| (scaled(at.0 - least.0), scaled(at.1 - least.1))).collect())
}

/// Returns the point at the fraction `part / whole` of the way from `from` to `to`.
pub fn between(from: Spot, to: Spot, part: i32, whole: i32) -> Spot {
    (from.0 + (to.0 - from.0) * part / whole, from.1 + (to.1 - from.1) * part / whole)
}

/// Returns a point beside the middle of a line, at the distance `aside` from the line.
pub fn beside_middle(from: Spot, to: Spot, aside: i32) -> Spot {
    let middle = between(from, to, 1, 2);
    let length = distance(from, to).max(1);
    (middle.0 - (to.1 - from.1) * aside / length, middle.1 + (to.0 - from.0) * aside / length)
}

#[cfg(test)]
mod tests {
    use super::called_function;

    #[test]
    fn the_call_around_a_name_is_found() {
        assert_eq!(called_function("a.neighbors("), "neighbors");
        assert_eq!(called_function("own.distance(order.joins[0], towns(1, 2), "), "distance");
        assert_eq!(called_function("fn f() { let a = "), "");
        assert_eq!(called_function("x.within(2) + y.where("), "where");
        assert_eq!(called_function(""), "");
    }
}
