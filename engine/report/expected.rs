//! What is known to win more before any game is played, and whether it does.

use super::finding::{Finding, Weight};
use super::item_row::ItemRow;
use crate::model::{Bias, ComponentId, Expected, FieldValue, Language, Model, Subject};
use crate::simulation::{OptionKey, Thing, Weighed};

/// What a row stands for.
#[derive(Debug, Clone)]
pub(super) enum Stands<'a> {
    /// A component.
    Component(u16),
    /// An option.
    Option(&'a OptionKey),
}

/// Says of each row by how much it is expected to be better than its like, if anything is expected of it.
pub(super) fn expect(model: &Model, rows: &mut [ItemRow], stands: &[Stands<'_>]) {
    for (at, expected) in model.expected.iter().enumerate() {
        let worths: Vec<Option<f64>> = stands.iter().map(|stands| worth(model, *expected, stands)).collect();
        let known = || rows.iter().zip(&worths).filter_map(|(row, worth)| Some((row.picked as f64, (*worth)?)));
        let is_alone = matches!(expected.by, Bias::Strong | Bias::Weak);
        let (picked, sum) =
            known().fold((0.0, 0.0), |(all, sum), (picked, worth)| (all + picked, sum + picked * worth));
        let mean = if is_alone || picked <= 0.0 { 0.0 } else { sum / picked };
        for (row, worth) in rows.iter_mut().zip(worths) {
            // What is said of one component outweighs what is said of its kind.
            if let Some(worth) = worth.filter(|_| is_alone || row.expected.is_none()) {
                row.expected = Some((at, worth - mean));
            }
        }
    }
}

/// How good a row is expected to be, in a measure of the expectation's own.
fn worth(model: &Model, expected: Expected, stands: &Stands<'_>) -> Option<f64> {
    let thing = match (expected.what, stands) {
        (Subject::Kind(kind), Stands::Component(at)) if model.components[*at as usize].kind == kind => {
            Thing::Component(*at)
        }
        (Subject::Component(ComponentId(wanted)), Stands::Component(at)) if wanted == *at => Thing::Component(*at),
        (Subject::Decision(decision), Stands::Option(key)) if decision.0 == key.decision => key.thing.clone(),
        _ => return None,
    };
    match (expected.by, thing) {
        (Bias::Strong, _) => Some(1.0),
        (Bias::Weak, _) => Some(-1.0),
        (Bias::Number, Thing::Number(number)) => Some(number as f64),
        (Bias::Field(field), Thing::Component(at)) => match model.components[at as usize].fields.get(&field) {
            Some(FieldValue::Number(number)) => Some(*number as f64),
            _ => None,
        },
        _ => None,
    }
}

impl ItemRow {
    /// Whether a difference is what is expected; nothing where nothing is.
    pub(super) fn is_as_expected(&self, found: &Weighed) -> Option<bool> {
        let (_, better) = self.expected.filter(|(_, better)| *better != 0.0)?;
        Some(better * found.estimate.value > 0.0)
    }
}

/// Expectations that no difference bears out.
pub(super) fn unmet(model: &Model, rows: &[&ItemRow], found: &mut Vec<Finding>) {
    for (at, expected) in model.expected.iter().enumerate() {
        let own = rows.iter().filter(|row| row.expected.is_some_and(|(known, _)| known == at));
        let of = |row: &ItemRow| row.excess.or(row.difference);
        let known: Vec<(&ItemRow, Weighed)> = own.filter_map(|row| Some((*row, of(row)?))).collect();
        let is_shown =
            |(row, weighed): &(&ItemRow, Weighed)| weighed.is_finding() && row.is_as_expected(weighed) == Some(true);
        if known.is_empty() || known.iter().any(is_shown) {
            continue;
        }
        let lean: f64 = known
            .iter()
            .map(|(row, weighed)| {
                row.picked as f64 * row.expected.map_or(0.0, |(_, better)| better) * weighed.estimate.value
            })
            .sum();
        let about = if matches!(expected.what, Subject::Decision(_)) { "win_with" } else { "within_kind" };
        let (weight, text) = if lean > 0.0 {
            (
                Weight::Expected,
                format!("{}: the games lean that way, and show it of none alone.", statement(model, *expected)),
            )
        } else {
            (Weight::Finding, format!("{}: the games do not bear it out.", statement(model, *expected)))
        };
        found.push(Finding { weight, about, text });
    }
}

/// What is expected, in words.
fn statement(model: &Model, expected: Expected) -> String {
    let (word, what) = match expected.what {
        Subject::Kind(kind) => {
            let kind = &model.kinds[kind.index()];
            (&kind.id, format!("with a {}", kind.name.get(Language::English)))
        }
        Subject::Component(component) => {
            let component = model.component(component);
            (&component.id, format!("with {}", component.name.get(Language::English)))
        }
        Subject::Decision(decision) => {
            let id = &model.decisions[decision.index()].id;
            (id, format!("by their pick for {}", id.replace('_', " ")))
        }
    };
    let how = match expected.by {
        Bias::Field(field) => format!("win more {what}, the larger its `{}` is", model.fields[field.index()]),
        Bias::Number => format!("win more {what}, the larger the number is"),
        Bias::Strong => format!("win more {what} than with others of its kind"),
        Bias::Weak => format!("win less {what} than with others of its kind"),
    };
    format!("Expected (`expected.{word}`) is that seats {how}")
}
