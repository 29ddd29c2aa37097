//! Statistics of options and components: how often they were taken, and how often seats win with them.

use super::expected::{RowSubject, set_expectations};
use super::item_row::ItemRow;
use super::names;
use crate::model::{Ending, Language, Model, Winners};
use crate::simulation::{
    AdjustedDifference, Contrast, Difference, Estimate, Figures, ItemStatistics, Measure, adjust_differences, wilson,
};

/// Minimum number of games for a difference to be reported.
const MIN_GAMES: u64 = 30;

/// Returns the name of each ending with the share of games that ended with it.
pub(super) fn endings(model: &Model, figures: &Figures) -> Vec<(String, Estimate)> {
    let share = |ending: &Ending| figures.estimate(&Measure::Ending(ending.id.clone()));
    let named = |ending: &Ending| (ending.name.get(Language::English).to_owned(), share(ending));
    model.endings.iter().map(named).collect()
}

/// Like [`endings`], but marks the endings with which all players win or lose together.
pub(super) fn endings_with_results(model: &Model, figures: &Figures) -> Vec<(String, Estimate)> {
    let remark = |ending: &Ending| match ending.winners {
        Winners::Everybody => " (won)",
        Winners::Nobody => " (lost)",
        Winners::Best => "",
    };
    let named = |((name, share), ending): ((String, Estimate), &Ending)| (name + remark(ending), share);
    endings(model, figures).into_iter().zip(&model.endings).map(named).collect()
}

/// Returns the statistics of all options, sorted by decision.
pub fn options(model: &Model, figures: &Figures) -> Vec<ItemRow> {
    let mut keys: Vec<_> = figures.options.iter().collect();
    keys.sort_by_key(|(key, _)| *key);
    let subjects: Vec<RowSubject<'_>> = keys.iter().map(|(key, _)| RowSubject::Option(key)).collect();
    let rows = keys.into_iter().map(|(key, statistics)| {
        let picks = wilson(statistics.picked as f64, statistics.offered);
        let value = statistics.picked as f64 / statistics.offered.max(1) as f64;
        let options = figures.questions.get(&key.decision).and_then(|question| question.options.mean()).unwrap_or(1.0);
        let part = key.part.as_ref().map(|part| format!("{part}=")).unwrap_or_default();
        let row = ItemRow {
            name: names::option(model, key),
            id: format!("{}.{part}{}", model.decisions[key.decision as usize].id, names::id(model, &key.thing)),
            group: names::decision(model, key.decision),
            thing: Some(key.thing.clone()),
            picked_at_random: statistics.offered as f64 / options.max(1.0),
            pick_share: Some(Estimate { value, interval: picks, count: statistics.offered }),
            first_taken: first_taken(statistics),
            ..row(statistics, figures)
        };
        (row, (difference(statistics, figures), statistics.matched.difference(full_win(figures))))
    });
    let (mut rows, differences): (Vec<ItemRow>, Vec<_>) = rows.unzip();
    let (differences, matched): (Vec<Option<Difference>>, Vec<Option<Difference>>) = differences.into_iter().unzip();
    store_corrected(&differences, &mut rows, |row| &mut row.difference);
    store_corrected(&matched, &mut rows, |row| &mut row.matched);
    set_expectations(model, &mut rows, &subjects);
    rows
}

/// Returns the statistics of all components that moved, sorted by kind. Includes the difference from the kind if seats also acquired other
/// components of the kind.
pub fn components(model: &Model, figures: &Figures) -> Vec<ItemRow> {
    let mut keys: Vec<_> = figures.components.iter().collect();
    keys.sort_by_key(|(key, _)| (model.components[**key as usize].kind, **key));
    let subjects: Vec<RowSubject<'_>> = keys.iter().map(|(at, _)| RowSubject::Component(**at)).collect();
    let rows = keys.into_iter().map(|(at, statistics)| {
        let component = &model.components[*at as usize];
        let kind = &model.kinds[component.kind.index()];
        let row = ItemRow {
            name: names::component(model, *at),
            id: component.id.to_string(),
            group: kind.name.get(Language::English).to_owned(),
            ..row(statistics, figures)
        };
        let excess =
            figures.kinds.get(&component.kind.0).and_then(|kind| difference_from_kind(statistics, kind, figures));
        (row, (difference(statistics, figures), excess))
    });
    let (mut rows, differences): (Vec<ItemRow>, Vec<_>) = rows.unzip();
    let (differences, excesses): (Vec<Option<Difference>>, Vec<Option<Difference>>) = differences.into_iter().unzip();
    store_corrected(&differences, &mut rows, |row| &mut row.difference);
    store_corrected(&excesses, &mut rows, |row| &mut row.excess);
    set_expectations(model, &mut rows, &subjects);
    rows
}

/// Returns the share of games in which an option was taken when it was first offered. Returns `None` if it was never offered.
fn first_taken(statistics: &ItemStatistics) -> Option<Estimate> {
    let (taken, offered) = statistics.matched.taken();
    let value = taken as f64 / offered.max(1) as f64;
    (offered > 0).then(|| Estimate { value, interval: wilson(taken as f64, offered), count: offered })
}

fn row(statistics: &ItemStatistics, figures: &Figures) -> ItemRow {
    let unit = full_win(figures);
    ItemRow {
        name: String::new(),
        id: String::new(),
        group: String::new(),
        thing: None,
        offered: statistics.offered,
        picked: statistics.picked,
        picked_at_random: 0.0,
        pick_share: None,
        with: statistics.contrast.share_with(unit),
        without: statistics.contrast.share_without(unit),
        difference: None,
        excess: None,
        matched: None,
        first_taken: None,
        expected: None,
    }
}

/// Returns the number of win units in a full win: those of an undivided first place or, if all seats win together, one seat's equal share
/// of them.
fn full_win(figures: &Figures) -> i64 {
    if figures.success().is_some() { figures.win_unit() / i64::from(figures.seats.max(1)) } else { figures.win_unit() }
}

/// Returns the difference between the win shares of seats with the item and of seats without it. Returns `None` if there are too few games.
fn difference(statistics: &ItemStatistics, figures: &Figures) -> Option<Difference> {
    let enough = statistics.games >= MIN_GAMES
        && statistics.contrast.with() >= MIN_GAMES
        && statistics.contrast.without() >= MIN_GAMES;
    statistics.contrast.difference(full_win(figures)).filter(|_| enough)
}

/// Returns the difference between the win shares of seats with the component and of seats with any component of its kind. Returns `None` if
/// there are too few games, or if seats acquired no other component of the kind.
fn difference_from_kind(statistics: &ItemStatistics, kind: &Contrast, figures: &Figures) -> Option<Difference> {
    if statistics.games < MIN_GAMES
        || statistics.contrast.with() < MIN_GAMES
        || statistics.contrast.with() == kind.with()
    {
        return None;
    }
    statistics.within_kind.against(kind).difference(full_win(figures))
}

/// Corrects differences for multiple testing, and stores each in its row.
fn store_corrected(
    differences: &[Option<Difference>],
    rows: &mut [ItemRow],
    place: impl Fn(&mut ItemRow) -> &mut Option<AdjustedDifference>,
) {
    let known: Vec<Difference> = differences.iter().flatten().copied().collect();
    let mut weighed = adjust_differences(&known).into_iter();
    for (row, _) in rows.iter_mut().zip(differences).filter(|(_, difference)| difference.is_some()) {
        *place(row) = weighed.next();
    }
}
