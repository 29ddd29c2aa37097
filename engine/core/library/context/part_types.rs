//! Checks that the parts of options have the types that the decision declares.

use super::fault::{Answer, Fault};
use super::plain::describe;
use crate::decision::{Choice, Decision, OptionSet};
use crate::model::{ComponentId, FamilyId, Model, PartType};
use crate::table::Table;
use std::borrow::Cow;

/// Checks that the parts of the options have the declared types.
///
/// For a list, each option is checked. For any other option set, such as a product, only the first option is checked. A union is checked
/// set by set. Options without parts, such as words, are skipped.
pub(crate) fn check(table: &Table, decision: &Decision) -> Answer<()> {
    let model = table.model();
    let declared = &model.decisions[decision.id.index()];
    if declared.parts.iter().all(|(_, part)| *part == PartType::Any) {
        return Ok(());
    }
    visit_representatives(&decision.options, &mut |part_of| {
        for (name, wanted) in &declared.parts {
            let Some(stray) = part_of(name).filter(|part| !is_of(table, *wanted, part)) else { continue };
            let found = sort_of(table, &stray);
            let message = format!(
                "the part `{name}` of `{}` is declared as {}, but is {found} here",
                declared.id,
                declared_in_words(model, *wanted)
            );
            let fault = Fault::new("wrong-part", message, "an option of another type");
            return Err(fault.help(how_to_offer(&declared.id)).into());
        }
        Ok(())
    })
}

/// Calls `look` with the parts of each option of a list. For any other option set, calls it only with the parts of the first option. Visits
/// a union set by set.
fn visit_representatives(options: &OptionSet, look: &mut impl FnMut(PartOf<'_, '_>) -> Answer<()>) -> Answer<()> {
    match options {
        OptionSet::Union(sets) => sets.iter().try_for_each(|set| visit_representatives(set, look)),
        OptionSet::List(listed) => {
            listed.iter().try_for_each(|option| look(&|name| option.part(name).map(Cow::Borrowed)))
        }
        set if set.is_empty() => Ok(()),
        OptionSet::Rows(parts) | OptionSet::Product(parts) => look(&|name| {
            let (_, part) = parts.iter().find(|(known, _)| *known == *name)?;
            Some(Cow::Owned(part.get(0)))
        }),
        set => {
            let first = set.get(0);
            look(&|name| first.part(name).map(|part| Cow::Owned(part.clone())))
        }
    }
}

/// Function that returns a part of an option by name, if there is one.
type PartOf<'a, 'o> = &'a dyn Fn(&str) -> Option<Cow<'o, Choice>>;

fn is_of(table: &Table, wanted: PartType, part: &Choice) -> bool {
    match (wanted, part) {
        (PartType::Any, _)
        | (_, Choice::Nothing)
        | (PartType::Number, Choice::Number(_))
        | (PartType::Flag, Choice::Flag(_))
        | (PartType::Word, Choice::Word(_))
        | (PartType::Seat, Choice::Seat(_))
        | (PartType::Component, Choice::Component(_) | Choice::Piece(_))
        | (PartType::Piece, Choice::Piece(_))
        | (PartType::Space, Choice::Space(_)) => true,
        (_, Choice::Many(all)) => all.iter().all(|one| is_of(table, wanted, one)),
        (PartType::Family(family), place) => family_of(table.model(), place) == Some(family),
        (PartType::Kind(kind), thing) => {
            component_of(table, thing).is_some_and(|component| table.model().component(component).kind == kind)
        }
        _ => false,
    }
}

fn family_of(model: &Model, place: &Choice) -> Option<FamilyId> {
    match place {
        Choice::Zone(zone) => Some(model.zone(*zone).family),
        Choice::Space(space) => Some(model.zone(model.space(*space).zone).family),
        _ => None,
    }
}

fn component_of(table: &Table, thing: &Choice) -> Option<ComponentId> {
    match thing {
        Choice::Component(component) => Some(*component),
        Choice::Piece(piece) => Some(table.component(*piece)),
        _ => None,
    }
}

/// Returns the help for an option with a part of another type than the decision declares.
pub(crate) fn how_to_offer(decision: &str) -> String {
    format!("offer the type declared in `parts` of `[decisions.{decision}]`, or change the declaration")
}

/// Describes a declared type of a part.
pub(crate) fn declared_in_words(model: &Model, part: PartType) -> String {
    match part {
        PartType::Any => "anything".to_owned(),
        PartType::Number => "a number".to_owned(),
        PartType::Flag => "a flag".to_owned(),
        PartType::Word => "a word".to_owned(),
        PartType::Component => "a component".to_owned(),
        PartType::Piece => "a piece".to_owned(),
        PartType::Space => "a space".to_owned(),
        PartType::Seat => "a seat".to_owned(),
        PartType::Family(family) => format!("`{}`", model.family(family).id),
        PartType::Kind(kind) => format!("`{}`", model.kinds[kind.index()].id),
    }
}

fn sort_of(table: &Table, part: &Choice) -> String {
    let model = table.model();
    match part {
        Choice::Zone(_) | Choice::Space(_) => {
            let family = family_of(model, part).map(|family| model.family(family).id.clone());
            format!("`{}`", family.unwrap_or_default())
        }
        Choice::Component(_) | Choice::Piece(_) => {
            let kind = component_of(table, part).map(|component| model.kind_of(component).id.clone());
            format!("`{}`", kind.unwrap_or_default())
        }
        plain => describe(plain),
    }
}
