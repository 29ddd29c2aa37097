//! Graphs whose edges are components or pieces, such as roads and tracks. Each edge has two ends and, optionally, a
//! length.

use super::collections::{Collection, example_once};
use super::facts::known_facts;
use crate::decision::{HandleList, Value};
use crate::library::context::Context;
use crate::library::context::fact_table::read;
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::plain::describe_value;
use crate::library::entry::builder::RegistryBuilder;
use crate::model::{ComponentId, PieceId};
use crate::table::{cheapest_first, longest_trail};
use arcstr::ArcStr;
use indexmap::IndexSet;
use std::convert::Infallible;

pub(super) fn register(registry: &mut RegistryBuilder) {
    add::<HandleList<ComponentId>>(registry, true);
    add::<HandleList<PieceId>>(registry, false);
}

/// Limits of the search for the longest path: number of edges and number of search steps.
const MAX_LINKS: usize = 64;
const MAX_STEPS: usize = 500_000;

/// A graph with places numbered consecutively.
struct Graph {
    places: IndexSet<ComponentId>,
    ends: Vec<[usize; 2]>,
    lengths: Vec<i64>,
}

impl Graph {
    /// Builds the graph from links. `ends` is the field that lists both ends of a link, and `length` is the field with its length. Without
    /// `length`, each link has length 1.
    fn read<L: Collection>(ctx: &mut Context<'_>, links: &L, ends: &str, length: Option<&str>) -> Answer<Self> {
        let links = links.items(ctx);
        ctx.spend(links.len())?;
        let columns = known_facts::<L::Of>(ctx, ends)?;
        let lengths = match length {
            Some(length) => Some((length, known_facts::<L::Of>(ctx, length)?)),
            None => None,
        };
        let mut graph = Self { places: IndexSet::default(), ends: Vec::new(), lengths: Vec::new() };
        for &link in &links {
            let found = read(link, &ctx.table, columns).unwrap_or_default();
            let [from, to] = link_ends(&found, ends)?;
            let number = |graph: &mut Self, place| graph.places.insert_full(place).0;
            let both = [number(&mut graph, from), number(&mut graph, to)];
            graph.ends.push(both);
            let length = match lengths {
                None => 1,
                Some((name, columns)) => link_length(&read(link, &ctx.table, columns).unwrap_or_default(), name)?,
            };
            graph.lengths.push(length);
        }
        Ok(graph)
    }

    /// Returns the places that can be reached from `from`, each with its distance, nearest first. The first place is `from` itself, at
    /// distance 0.
    fn reached(&self, from: ComponentId) -> Vec<(ComponentId, i64)> {
        let Some(from) = self.places.get_index_of(&from) else { return vec![(from, 0)] };
        let mut beside = vec![Vec::new(); self.places.len()];
        for ([a, b], length) in self.ends.iter().zip(&self.lengths) {
            beside[*a].push((*b, *length));
            beside[*b].push((*a, *length));
        }
        let all = vec![false; self.places.len()];
        let Ok(found) = cheapest_first(&[from], i64::MAX, all, |at| at, |at| Ok::<_, Infallible>(beside[at].clone()));
        std::iter::once((from, 0)).chain(found).map(|(at, far)| (self.places[at], far)).collect()
    }
}

/// Converts the value of a link's fact to the two ends of the link.
///
/// # Errors
/// Returns `wrong-value` unless the value is a list or collection of two components.
fn link_ends(found: &Value, name: &str) -> Answer<[ComponentId; 2]> {
    let ends: Option<Vec<ComponentId>> = match found {
        Value::Components(all) => Some(all.to_vec()),
        Value::List(all) => {
            all.iter().map(|one| if let Value::Component(one) = one { Some(one.get()) } else { None }).collect()
        }
        _ => None,
    };
    ends.and_then(|ends| <[ComponentId; 2]>::try_from(ends).ok()).ok_or_else(|| {
        let message = format!("`{name}` of a link is {}, not two components", describe_value(found));
        let fault = Fault::new("wrong-value", message, "every link has two ends");
        fault.help("name a field whose rows list two components each").into()
    })
}

/// Converts the value of a link's fact to the length of the link.
///
/// # Errors
/// Returns `wrong-value` unless the value is a number from 0 to 2³¹ − 1.
fn link_length(found: &Value, name: &str) -> Answer<i64> {
    match found {
        Value::Number(number) if (0..=i64::from(i32::MAX)).contains(number) => Ok(*number),
        other => {
            let message = format!("`{name}` of a link is {}", describe_value(other));
            let fault = Fault::new("wrong-value", message, "no length");
            Err(fault.help("a length is a number from 0 on").into())
        }
    }
}

fn add<L: Collection>(registry: &mut RegistryBuilder, first: bool) {
    registry.function(
        "neighbors",
        "links from:component ends:fact -> components",
        "The components at the other ends of the links that end at a component. `ends` is the field that lists the two ends of a link.",
        example_once(first, "components(\"lane\").neighbors(component(\"clover\"), \"ends\").count() // 2"),
        |ctx: &mut Context<'_>, links: L, from: ComponentId, ends: ArcStr| -> Answer<HandleList<ComponentId>> {
            let graph = Graph::read(ctx, &links, &ends, None)?;
            let Some(at) = graph.places.get_index_of(&from) else { return Ok(std::iter::empty().collect()) };
            let beside = graph.ends.iter().filter_map(|[a, b]| {
                if *a == at { Some(*b) } else { (*b == at).then_some(*a) }
            });
            let beside: IndexSet<usize> = beside.filter(|other| *other != at).collect();
            Ok(beside.into_iter().map(|other| graph.places[other]).collect())
        },
    );
    registry.function(
        "connected",
        "links from:component ends:fact -> components",
        "The components connected with a component by links: the component itself first, then the others, nearest first.",
        example_once(first, "components(\"lane\").connected(component(\"grove\"), \"ends\").count() // 3"),
        |ctx: &mut Context<'_>, links: L, from: ComponentId, ends: ArcStr| -> Answer<HandleList<ComponentId>> {
            let graph = Graph::read(ctx, &links, &ends, None)?;
            Ok(graph.reached(from).into_iter().map(|(place, _)| place).collect())
        },
    );
    registry.function(
        "distance",
        "links from:component to:component ends:fact -> number?",
        "Smallest number of links on a path between two components; `()` if they are not connected.",
        example_once(first, "components(\"lane\").distance(component(\"grove\"), component(\"die\"), \"ends\") // 2"),
        |ctx: &mut Context<'_>, links: L, from: ComponentId, to: ComponentId, ends: ArcStr| -> Answer<Value> {
            Ok(distance(&Graph::read(ctx, &links, &ends, None)?, from, to))
        },
    );
    registry.function(
        "distance",
        "links from:component to:component ends:fact length:measure -> number?",
        "Length of the shortest path between two components, where a field contains the length of each link; `()` if they are not connected.",
        example_once(
            first,
            "components(\"lane\").distance(component(\"grove\"), component(\"die\"), \"ends\", \"length\") // 5",
        ),
        |ctx: &mut Context<'_>,
         links: L,
         from: ComponentId,
         to: ComponentId,
         ends: ArcStr,
         length: ArcStr|
         -> Answer<Value> { Ok(distance(&Graph::read(ctx, &links, &ends, Some(&length))?, from, to)) },
    );
    registry.function(
        "within",
        "links from:component steps ends:fact -> components",
        "The components that can be reached from a component over at most `steps` links, without itself; nearest first.",
        example_once(first, "components(\"lane\").within(component(\"grove\"), 1, \"ends\").count() // 1"),
        |ctx: &mut Context<'_>,
         links: L,
         from: ComponentId,
         steps: i64,
         ends: ArcStr|
         -> Answer<HandleList<ComponentId>> {
            Ok(within(&Graph::read(ctx, &links, &ends, None)?, from, steps))
        },
    );
    registry.function(
        "within",
        "links from:component most:number ends:fact length:measure -> components",
        "The components that can be reached from a component by paths with a total length of at most `most`, where a field contains the length of each link.",
        example_once(first, "components(\"lane\").within(component(\"grove\"), 5, \"ends\", \"length\").count() // 2"),
        |ctx: &mut Context<'_>,
         links: L,
         from: ComponentId,
         most: i64,
         ends: ArcStr,
         length: ArcStr|
         -> Answer<HandleList<ComponentId>> {
            Ok(within(&Graph::read(ctx, &links, &ends, Some(&length))?, from, most))
        },
    );
    registry.function(
        "longest_path",
        "links ends:fact -> several",
        "The longest trail along links that uses each link at most once, in order; it may visit components repeatedly. The result is exact. It is a fault if there are more than 64 links or if the search exceeds the limit on operations.",
        example_once(first, "components(\"lane\").longest_path(\"ends\").count() // 2"),
        |ctx: &mut Context<'_>, links: L, ends: ArcStr| -> Answer<HandleList<L::Of>> { longest(ctx, &links, &ends, None) },
    );
    registry.function(
        "longest_path",
        "links ends:fact length:measure -> several",
        "Like `longest_path` without `length`, but returns the trail with the largest sum of a field over its links.",
        example_once(first, "components(\"lane\").longest_path(\"ends\", \"length\").sum(\"length\") // 5"),
        |ctx: &mut Context<'_>, links: L, ends: ArcStr, length: ArcStr| -> Answer<HandleList<L::Of>> {
            longest(ctx, &links, &ends, Some(&length))
        },
    );
}

fn within(graph: &Graph, from: ComponentId, most: i64) -> HandleList<ComponentId> {
    let reached = graph.reached(from).into_iter().filter(|(place, far)| *place != from && *far <= most);
    reached.map(|(place, _)| place).collect()
}

fn distance(graph: &Graph, from: ComponentId, to: ComponentId) -> Value {
    let found = graph.reached(from).into_iter().find(|(place, _)| *place == to);
    found.map_or(Value::Nothing, |(_, far)| Value::from(far))
}

fn longest<L: Collection>(
    ctx: &mut Context<'_>,
    links: &L,
    ends: &str,
    length: Option<&str>,
) -> Answer<HandleList<L::Of>> {
    let graph = Graph::read(ctx, links, ends, length)?;
    let links = links.items(ctx);
    if links.len() > MAX_LINKS {
        let message =
            format!("the longest path is looked for among {} links, and {MAX_LINKS} are the most", links.len());
        let fault = Fault::new("too-large", message, "too many links");
        return Err(fault.help("ask it of fewer links: those of one seat, or what is connected").into());
    }
    let (found, steps) = longest_trail(graph.places.len(), &graph.ends, &graph.lengths, MAX_STEPS);
    ctx.spend(steps)?;
    let Some(found) = found else {
        let message = format!("the longest path among {} links takes more than {MAX_STEPS} steps to find", links.len());
        let fault = Fault::new("too-large", message, "too much to look through");
        return Err(fault.help("ask it of fewer links: those of one seat, or what is connected").into());
    };
    Ok(found.into_iter().map(|at| links[at]).collect())
}
