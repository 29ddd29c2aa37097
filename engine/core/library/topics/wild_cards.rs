//! Wild cards: assigns each entry that fits several groups to one of them, so that the total worth of the groups is as large as possible.

use super::collections::{Collection, facts_of, number_facts};
use super::optimal_assignment::{Assignment, AssignmentError, Member, best};
use crate::decision::{Choice, HandleList, Map, Value};
use crate::library::context::Context;
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::entry::argument::FunctionArgument;
use crate::library::entry::builder::RegistryBuilder;
use crate::library::entry::caller::Caller;
use crate::model::{PieceId, ZoneId};
use arcstr::ArcStr;

pub(super) fn register(registry: &mut RegistryBuilder) {
    add::<HandleList<PieceId>>(registry, true);
    add::<ZoneId>(registry, false);
}

fn add<L: Collection>(registry: &mut RegistryBuilder, first: bool) {
    let once = |example| if first { example } else { "" };
    registry.function(
        "best_assignment",
        "list name:fact worth:(any,number)=>number -> {worth:number,groups:list}",
        "Assigns each entry to one of the groups that one of its fields lists, so that the total worth of all groups is as large as possible. `worth` takes a group and the number of entries in it. Returns `worth`, and `groups` with the group of each entry, in order. The result is exact. The work grows with the product of the numbers of entries that may go to the same groups.",
        once("deck.pieces.best_assignment(\"fits\", |suit, many| many * many).worth // 34"),
        |ctx: &mut Caller<'_, '_>, list: L, name: ArcStr, _worth: FunctionArgument| -> Answer<Map> {
            assign(ctx, &list, &name, None)
        },
    );
    registry.function(
        "best_assignment",
        "list name:fact weight:measure worth:(any,number)=>number -> {worth:number,groups:list}",
        "Like `best_assignment` without `weight`, a field with the number of entries that each entry counts as.",
        once("deck.pieces.best_assignment(\"fits\", \"points\", |suit, many| if suit == \"blue\" { many } else { 0 }).worth // 17"),
        |ctx: &mut Caller<'_, '_>, list: L, name: ArcStr, weight: ArcStr, _worth: FunctionArgument| -> Answer<Map> {
            assign(ctx, &list, &name, Some(&weight))
        },
    );
}

/// Base cost of an assignment, in operations.
const ASSIGNMENT_COST: usize = 8;

fn assign<L: Collection>(ctx: &mut Caller<'_, '_>, list: &L, name: &str, weight: Option<&str>) -> Answer<Map> {
    let (members, groups) = members(ctx, list, name, weight)?;
    let found =
        best(&members, groups.len(), |group, count| ctx.call_closure::<i64>(&[groups[group].to_value(), count.into()]));
    let Assignment { groups: chosen, worth, ways } = found.map_err(|failed| refusal(name, failed))?;
    ctx.spend(ASSIGNMENT_COST + ways / 2)?;
    let chosen: Vec<Value> = chosen.into_iter().map(|group| groups[group].to_value()).collect();
    Ok(Map::new([("worth".into(), worth.into()), ("groups".into(), chosen.into())]))
}

/// Returns the entries to assign, and the groups in order of first appearance.
fn members<L: Collection>(
    ctx: &mut Context<'_>,
    list: &L,
    name: &str,
    weight: Option<&str>,
) -> Answer<(Vec<Member>, Vec<Choice>)> {
    let weights = weight.map(|weight| number_facts(ctx, list, weight)).transpose()?;
    let mut groups: Vec<Choice> = Vec::new();
    let mut members = Vec::new();
    for (at, (_, fact)) in facts_of(ctx, list, name)?.into_iter().enumerate() {
        let allowed = match Choice::from_value(&fact).unwrap_or_default() {
            Choice::Many(all) if !all.is_empty() => all.to_vec(),
            Choice::Nothing | Choice::Many(_) => return Err(no_group_fault(name).into()),
            one => vec![one],
        };
        let mut indices: Vec<usize> = allowed.into_iter().map(|group| index_of(&mut groups, group)).collect();
        indices.sort_unstable();
        indices.dedup();
        members.push(Member { groups: indices, weight: weights.as_ref().map_or(1, |weights| weights[at].1) });
    }
    Ok((members, groups))
}

fn index_of(groups: &mut Vec<Choice>, group: Choice) -> usize {
    groups.iter().position(|known| *known == group).unwrap_or_else(|| {
        groups.push(group);
        groups.len() - 1
    })
}

fn no_group_fault(name: &str) -> Fault {
    Fault::new(
        "no-group",
        format!("a thing may go to no group: its `{name}` is empty"),
        "needs at least one group for each thing",
    )
    .help("leave these out with `.filter(…)` first")
}

fn refusal(name: &str, failed: AssignmentError<Box<Failure>>) -> Box<Failure> {
    match failed {
        AssignmentError::Worth(error) => error,
        AssignmentError::TooMany => Fault::new(
            "too-many-ways",
            format!("there are too many unlike `{name}` to look at every way to put things into groups"),
            "cannot be calculated exactly",
        )
        .help("ask for fewer things at once")
        .into(),
        AssignmentError::TooLarge => {
            Fault::new("arithmetic", "the worth is a larger number than rules can hold", "cannot be calculated").into()
        }
    }
}
