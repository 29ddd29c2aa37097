//! Values of the global names in a game: built-in names, zones, parameters and options.

use super::fault::Fault;
use crate::decision::{Choice, Map, Value, word};
use crate::library::built_in::{GlobalName, NAMES};
use crate::model::{FamilyId, Model, Per, Setting, ZoneId};
use std::sync::Arc;

/// Meaning of a global name.
#[derive(Clone)]
pub(crate) enum Name {
    Fixed(Value),
    /// A name that exists only with other options.
    Absent,
    Round,
    First,
    Active,
}

/// Returns all global names, including those that exist only with other options.
pub(crate) fn names(model: &Arc<Model>) -> Vec<(String, Name)> {
    let mut names = current_names(model);
    for other in model.variants_with_more_names().iter().flat_map(|other| names_of(other)) {
        if !names.iter().any(|(known, _)| *known == other.0) {
            names.push((other.0, Name::Absent));
        }
    }
    names
}

/// Returns the global names that exist with the current options.
pub(crate) fn current_names(model: &Model) -> Vec<(String, Name)> {
    let built_in = built_in(model).map(|(name, is)| (name.to_owned(), is));
    built_in.chain(names_of(model)).collect()
}

/// Returns whether a name exists with some other options. Meant for names that do not exist with the current options.
pub(crate) fn is_absent_name(model: &Model, name: &str) -> bool {
    model.variants_with_more_names().iter().any(|other| names_of(other).iter().any(|(known, _)| known == name))
}

/// Returns the global names that a model declares: zones, parameters and options.
fn names_of(model: &Model) -> Vec<(String, Name)> {
    let mut names = Vec::new();
    for index in 0..model.families.len() {
        let family = model.family(FamilyId::at(index));
        // Zones of seats are not global names: they are read as `seat.hand`.
        if family.per.contains(&Per::Seat) {
            continue;
        }
        let single = family.per.is_empty() && family.copies.is_none();
        let value = if single {
            Value::from(ZoneId(family.zones.start))
        } else {
            Value::Zones(family.zones.clone().map(ZoneId).collect())
        };
        names.push((family.id.to_string(), Name::Fixed(value)));
    }
    let params = model.params.values().map(|param| (&param.id, &param.value));
    let options = model.options.values().map(|option| (&option.id, &option.value));
    names.extend(params.chain(options).map(|(id, setting)| (id.to_string(), Name::Fixed(setting_value(setting)))));
    names
}

/// Returns the values of the built-in global names.
fn built_in(model: &Model) -> impl Iterator<Item = (&'static str, Name)> {
    NAMES.iter().map(|(which, name, ..)| {
        let is = match which {
            GlobalName::Seats => Name::Fixed(Value::Seats(model.all_seats().collect())),
            GlobalName::Teams => {
                Name::Fixed(Value::Components(model.teams.iter().map(|team| team.component).collect()))
            }
            GlobalName::Players => Name::Fixed(i64::from(model.seats).into()),
            GlobalName::First => Name::First,
            GlobalName::Active => Name::Active,
            GlobalName::Round => Name::Round,
            GlobalName::Game => Name::Fixed(Value::Game),
        };
        (*name, is)
    })
}

/// Converts a parameter or an option to a value.
pub(crate) fn setting_value(setting: &Setting) -> Value {
    match setting {
        Setting::List(list) => Value::list(list.iter().map(setting_value).collect()),
        Setting::Table(parts) => {
            let parts = parts.iter().map(|(name, one)| (word(name), setting_value(one)));
            Value::Map(Arc::new(Map::new(parts)))
        }
        setting => Choice::from(setting).to_value(),
    }
}

/// Creates the fault for a name that exists only with another option.
pub(crate) fn absent_name(name: &str) -> Fault {
    Fault::new("absent-name", format!("`{name}` does not exist with these options"), "exists with another option")
        .help("check the option first: `if … == \"…\" { … }`")
}
