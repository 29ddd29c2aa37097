//! The author's expectations about which items win more, compared with the results.

use super::finding::{Finding, Weight};
use super::item_row::ItemRow;
use crate::model::{Bias, ComponentId, Expected, FieldValue, Language, Model, Subject};
use crate::simulation::{AdjustedDifference, OptionKey, OptionReferent};

/// Item that a row is about.
#[derive(Debug, Clone)]
pub(super) enum RowSubject<'a> {
    /// A component, by its index.
    Component(u16),
    /// An option.
    Option(&'a OptionKey),
}

/// Sets `expected` for each row to which an expectation applies.
pub(super) fn set_expectations(model: &Model, rows: &mut [ItemRow], subjects: &[RowSubject<'_>]) {
    for (at, expected) in model.expected.iter().enumerate() {
        let worths: Vec<Option<f64>> = subjects.iter().map(|subject| worth(model, *expected, subject)).collect();
        let known = || rows.iter().zip(&worths).filter_map(|(row, worth)| Some((row.picked as f64, (*worth)?)));
        let is_alone = matches!(expected.by, Bias::Strong | Bias::Weak);
        let (picked, sum) =
            known().fold((0.0, 0.0), |(all, sum), (picked, worth)| (all + picked, sum + picked * worth));
        let mean = if is_alone || picked <= 0.0 { 0.0 } else { sum / picked };
        for (row, worth) in rows.iter_mut().zip(worths) {
            // An expectation about one component takes precedence over an expectation about its kind.
            if let Some(worth) = worth.filter(|_| is_alone || row.expected.is_none()) {
                row.expected = Some((at, worth - mean));
            }
        }
    }
}

/// Returns the expected strength of an item, on a scale specific to the expectation; `None` if the expectation does not apply to the item.
fn worth(model: &Model, expected: Expected, subject: &RowSubject<'_>) -> Option<f64> {
    let thing = match (expected.what, subject) {
        (Subject::Kind(kind), RowSubject::Component(at)) if model.components[*at as usize].kind == kind => {
            OptionReferent::Component(*at)
        }
        (Subject::Component(ComponentId(wanted)), RowSubject::Component(at)) if wanted == *at => {
            OptionReferent::Component(*at)
        }
        (Subject::Decision(decision), RowSubject::Option(key)) if decision.0 == key.decision => key.thing.clone(),
        _ => return None,
    };
    match (expected.by, thing) {
        (Bias::Strong, _) => Some(1.0),
        (Bias::Weak, _) => Some(-1.0),
        (Bias::Number, OptionReferent::Number(number)) => Some(number as f64),
        (Bias::Field(field), OptionReferent::Component(at)) => match model.components[at as usize].fields.get(&field) {
            Some(FieldValue::Number(number)) => Some(*number as f64),
            _ => None,
        },
        _ => None,
    }
}

impl ItemRow {
    /// Returns whether the sign of a difference agrees with the expectation; `None` if there is no expectation or it has no sign.
    pub(super) fn is_as_expected(&self, found: &AdjustedDifference) -> Option<bool> {
        let (_, better) = self.expected.filter(|(_, better)| *better != 0.0)?;
        Some(better * found.estimate.value > 0.0)
    }
}

/// Adds a finding for each expectation that no significant difference confirms. Expectations for which no difference is known are skipped.
pub(super) fn add_unconfirmed(model: &Model, rows: &[&ItemRow], found: &mut Vec<Finding>) {
    for (at, expected) in model.expected.iter().enumerate() {
        let own = rows.iter().filter(|row| row.expected.is_some_and(|(known, _)| known == at));
        let difference_of = |row: &ItemRow| row.excess.or(row.difference);
        let known: Vec<(&ItemRow, AdjustedDifference)> =
            own.filter_map(|row| Some((*row, difference_of(row)?))).collect();
        let is_shown = |(row, weighed): &(&ItemRow, AdjustedDifference)| {
            weighed.is_finding() && row.is_as_expected(weighed) == Some(true)
        };
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
                format!("{}: the games lean that way, and show it of none alone.", describe(model, *expected)),
            )
        } else {
            (Weight::Finding, format!("{}: the games do not bear it out.", describe(model, *expected)))
        };
        found.push(Finding { weight, about, text });
    }
}

/// Formats an expectation as the beginning of a sentence.
fn describe(model: &Model, expected: Expected) -> String {
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
