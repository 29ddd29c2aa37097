//! `unused`: a declaration in a game's files that nothing uses.

use super::super::program::Program;
use super::script_words::{NamesInScripts, ScriptWords};
use crate::diagnostic::{Diagnostic, Place, Role, is_one_slip_from, nearest};
use crate::library::PIECES_OF;
use crate::model::{BOX, Family, Kind, Mention, Model, NameCategory, Per, TEAM, ZoneId};
use std::sync::Arc;

/// Reports declarations whose names are not used anywhere else in the game.
pub(crate) fn report_unused_names(program: &Program<'_>, words: &ScriptWords<'_>, found: &mut Vec<Diagnostic>) {
    let near = |id: &str| nearest(id, program.model.mentions.keys().map(|name| &**name).filter(|name| *name != id));
    let model = program.model;
    let names = NamesInScripts::new(model.scripts.iter().chain(&model.agents), &program.codes);
    for Unused { category, id, place } in unmentioned_declarations(model, words, &names) {
        let slip = near(id).filter(|_| is_overlay(place));
        let is_altered =
            category == NameCategory::Alteration && model.mentions.get(id).is_some_and(|one| one.times > 1);
        if is_altered && slip.is_none() {
            found.push(never_asked_for(id, place));
            continue;
        }
        found.push(unused_name(category, id, place).help(match slip {
            Some(near) => format!("did you mean `{near}`?"),
            None => "use it in the rules, or remove it".to_owned(),
        }));
    }
    // A declaration that exists only in an overlay is reported only if its name resembles a name in the base game, because then it is
    // probably misspelled.
    for model in program.models.iter().filter(|model| !std::ptr::eq(**model, program.model)) {
        let own = |id: &str| program.model.mentions.contains_key(id);
        for Unused { category, id, place } in
            unmentioned_declarations(model, words, &names).filter(|one| is_overlay(one.place) && !own(one.id))
        {
            let slip = near(id).map(|near| unused_name(category, id, place).help(format!("did you mean `{near}`?")));
            found.extend(slip.filter(|slip| !found.contains(slip)));
        }
    }
}

/// Reports kinds without rows, and kinds whose pieces start in the box and apparently never leave it.
pub(crate) fn report_unused_kinds(program: &Program<'_>, words: &ScriptWords<'_>, found: &mut Vec<Diagnostic>) {
    let all = || program.models.iter().flat_map(|model| model.kinds.iter().map(|kind| (*model, kind)));
    let is_of_teams = |kind: &Kind| *kind.id == *TEAM && program.models.iter().any(|model| !model.teams.is_empty());
    for kind in program.model.kinds.iter().filter(|kind| !is_of_teams(kind)) {
        let Some(mention) = program.model.mentions.get(&kind.id) else { continue };
        let of_kind = all().filter(|(_, other)| other.id == kind.id);
        if of_kind.clone().all(|(_, kind)| kind.components.is_empty()) {
            let others = all().map(|(_, other)| &*other.id).filter(|other| *other != &*kind.id);
            found.push(no_rows(&kind.id, mention, nearest(&kind.id, others)));
            continue;
        }
        if of_kind.clone().any(|(model, kind)| is_laid_out(model, kind)) {
            continue;
        }
        // If the kind's name resembles that of another kind and is never quoted in the rules, an unquoted occurrence in the rules is
        // probably a function or a variable. It does not count as a use of the kind.
        let others = program.model.kinds.iter().map(|other| &*other.id);
        let slip = nearest(&kind.id, others.filter(|other| *other != &*kind.id))
            .filter(|near| is_one_slip_from(&kind.id, near) && !words.in_quotes(&kind.id));
        let is_said = |id: &str| words.by_rules(id) && (slip.is_none() || *id != *kind.id);
        let is_named = of_kind.clone().any(|(model, kind)| is_named(model, kind, is_said));
        if !is_named && (slip.is_some() || !words.by_rules(BOX)) {
            found.push(never_laid_out(&kind.id, mention, slip));
        }
    }
}

/// Returns whether a piece of the kind starts outside the box.
fn is_laid_out(model: &Model, kind: &Kind) -> bool {
    let is_box = |zone: ZoneId| *model.family_of(zone).id == *BOX;
    model.pieces.iter().any(|piece| kind.components.contains(&piece.component) && !is_box(piece.zone))
}

/// Returns whether a kind or one of its components is named anywhere other than in the declaration and the rows of the kind.
fn is_named(model: &Model, kind: &Kind, is_said: impl Fn(&str) -> bool) -> bool {
    let is_named = |id: &str, category: NameCategory| {
        is_said(id) || model.mentions.get(id).is_some_and(|mention| mention.uses.contains(category))
    };
    let mut rows = kind.components.iter().map(|id| &model.component(*id).id);
    let this = model.find_kind(&kind.id);
    let labels = |family: &Family| family.per.iter().any(|per| matches!(per, Per::Kind(kind) if Some(*kind) == this));
    if model.families.iter().any(labels) {
        return true;
    }
    is_named(&kind.id, NameCategory::Kind) || rows.any(|id| is_named(id, NameCategory::Component))
}

fn no_rows(kind: &str, mention: &Mention, near: Option<&str>) -> Diagnostic {
    Diagnostic::warning("unused", format!("no row is a `{kind}`"))
        .mark(mention.place.clone(), "no component has this kind")
        .help(match near {
            Some(near) => format!("write `[[{kind}]]` where `[[{near}]]` is written"),
            None => format!("add rows `[[{kind}]]` to a file of components/"),
        })
}

fn never_laid_out(kind: &str, mention: &Mention, slip: Option<&str>) -> Diagnostic {
    Diagnostic::warning("unused", format!("nothing uses the kind `{kind}`"))
        .mark(mention.place.clone(), "stays in the box")
        .help(match slip {
            Some(near) => format!("did you mean `[[{near}]]`?"),
            None => format!("let a zone start with them: `starts_with = [\"{kind}\"]`, or take them out"),
        })
}

/// Returns whether a place is in an overlay.
fn is_overlay(place: &Place) -> bool {
    !matches!(place.source.role(), Some(Role::Game | Role::Components))
}

fn never_asked_for(id: &str, place: &Place) -> Diagnostic {
    Diagnostic::warning("unused", format!("no rule reads the alteration `{id}`"))
        .mark(place.clone(), "pieces alter this, but to no effect")
        .help(format!("read it where it applies: `altered(\"{id}\", …)`"))
}

fn unused_name(category: NameCategory, id: &str, place: &Place) -> Diagnostic {
    let what = match category {
        NameCategory::Param => "param",
        NameCategory::Option => "option",
        NameCategory::Kind => "kind",
        NameCategory::Component => "component",
        NameCategory::Zone => "zone",
        NameCategory::Value => "value",
        NameCategory::Decision => "decision",
        NameCategory::Phase => "phase",
        NameCategory::Ending => "ending",
        NameCategory::Announcement => "text",
        NameCategory::Alteration => "alteration",
    };
    Diagnostic::warning("unused", format!("nothing uses the {what} `{id}`")).mark(place.clone(), "named nowhere else")
}

/// A declaration that nothing uses.
struct Unused<'a> {
    category: NameCategory,
    id: &'a Arc<str>,
    place: &'a Place,
}

/// Iterates over the declarations of a model that nothing uses. A word uses a declaration only if it can be a name of this category where
/// it stands: a function `tax` named in the flow does not use a phase `tax`.
fn unmentioned_declarations<'a>(
    model: &'a Model,
    words: &ScriptWords<'_>,
    names: &NamesInScripts,
) -> impl Iterator<Item = Unused<'a>> {
    // Two groups of zones are used even if nothing names them: zones whose pieces are in force, and, if the rules call `pieces_of`, zones
    // that each seat has.
    let by_seat = words.by_rules(PIECES_OF);
    let is_unnamed = move |family: &&Family| family.in_force || by_seat && family.per.contains(&Per::Seat);
    let zones = model.families.iter().filter(move |family| &*family.id != BOX && !is_unnamed(family));
    let zones = zones.map(|family| (NameCategory::Zone, &family.id));
    let endings = model.endings.iter().filter(|ending| ending.id != model.endings[model.flow.ending.index()].id);
    let declared = (model.params.keys().map(|id| (NameCategory::Param, id)))
        .chain(model.options.keys().map(|id| (NameCategory::Option, id)))
        .chain(zones)
        .chain(model.values.iter().map(|value| (NameCategory::Value, &value.id)))
        .chain(model.decisions.iter().map(|decision| (NameCategory::Decision, &decision.id)))
        .chain(model.phases.iter().map(|phase| (NameCategory::Phase, &phase.id)))
        .chain(endings.map(|ending| (NameCategory::Ending, &ending.id)))
        .chain(model.says.iter().map(|say| (NameCategory::Announcement, &say.id)))
        .chain(model.altered.keys().map(|id| (NameCategory::Alteration, id)));
    declared.filter_map(move |(category, id)| {
        let mention = model.mentions.get(id)?;
        let place = mention.declaration(category)?;
        // Choosing an option, setting a param or starting at a phase in a playscript does not count as a use.
        let is_used = mention.uses.contains(category)
            || names.can_mean(id, category)
            || matches!(category, NameCategory::Value | NameCategory::Zone) && words.by_plays(id);
        (!is_used).then_some(Unused { category, id, place })
    })
}
