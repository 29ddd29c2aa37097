//! Derives findings from figures.

use super::expected;
use super::finding::{Finding, Weight};
use super::item_row::ItemRow;
use super::items;
use super::names;
use super::number::{amount, capitalize, estimate_text, exact, grouped, percent, percent_at_most, points};
use super::unused::{never_offered, never_picked};
use crate::model::{BOX, Content, FieldType, Kind, KindId, Language, Model, Owner, Per, Text};
use crate::session::MAX_CONSIDERED;
use crate::simulation::{
    AdjustedDifference, Estimate, FALSE_FINDINGS, Figures, InventedNames, Judgment, Measure, MeasureKind, TargetResult,
    games_to_precision, games_to_significance, judge, rule_of_three_bound,
};

/// Maximum number of findings of one kind about options or components.
const MOST: usize = 6;

/// Returns all findings, most important first.
pub fn findings(model: &Model, figures: &Figures) -> Vec<Finding> {
    let mut found = Vec::new();
    add_faults(figures, &mut found);
    add_relaxed_worlds(figures, &mut found);
    add_dropped_figures(figures, &mut found);
    let judged = judge(model, figures);
    add_targets(&judged, &mut found);
    // A figure that meets its target is what the author wants.
    let wanted = |figure: &str, weight: Weight| {
        let is_met = |one: &TargetResult| *one.target.figure == *figure && one.standing == Judgment::Met;
        if judged.iter().any(is_met) { Weight::Expected } else { weight }
    };
    if figures.finished > 0 {
        match figures.success() {
            Some(success) => add_cooperative_success(&success, &mut found),
            None => add_seats(figures, wanted("seat_win_gap", Weight::Finding), &mut found),
        }
        let (components, options) = (items::components(model, figures), items::options(model, figures));
        add_component_findings(&components, &mut found);
        add_option_findings(&options, &mut found);
        never_offered_findings(model, figures, &mut found);
        expected::add_unconfirmed(model, &components.iter().chain(&options).collect::<Vec<_>>(), &mut found);
        if figures.success().is_none() {
            add_leads(figures, wanted, &mut found);
        }
        // The figures of campaigns do not include counts of components, options and phases.
        if !figures.is_of_campaigns() {
            add_never_occurred(model, figures, &mut found);
        }
        add_sampled_decisions(model, figures, &mut found);
    }
    found.sort_by_key(|finding| finding.weight);
    found
}

/// Reports decisions with more than [`MAX_CONSIDERED`] options. Agents that rate or search the options of such a decision consider only a
/// sample.
fn add_sampled_decisions(model: &Model, figures: &Figures, found: &mut Vec<Finding>) {
    for (decision, question) in &figures.questions {
        let Some(most) = question.options.max().filter(|most| *most > MAX_CONSIDERED as i64) else { continue };
        let text = format!(
            "`{}` offers up to {} options: agents that rate or search them look at a stratified sample of {}.",
            model.decisions[usize::from(*decision)].id,
            grouped(most),
            grouped(MAX_CONSIDERED as i64)
        );
        add(found, Weight::Note, "coverage", text);
    }
}

fn add(found: &mut Vec<Finding>, weight: Weight, about: &'static str, text: String) {
    found.push(Finding { weight, about, text });
}

fn add_faults(figures: &Figures, found: &mut Vec<Finding>) {
    for fault in &figures.faults {
        let place = fault.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        let games =
            if fault.count == 1 { "1 game".to_owned() } else { format!("{} games", grouped(fault.count as i64)) };
        let text = format!("{games} of {} failed: {}{place}.", grouped(figures.games as i64), fault.message);
        add(found, Weight::Wrong, "coverage", text);
    }
}

fn add_relaxed_worlds(figures: &Figures, found: &mut Vec<Finding>) {
    for relaxed in &figures.relaxed {
        let place = relaxed.place.as_ref().map(|place| format!(", at {place}")).unwrap_or_default();
        let (count, all) = (grouped(relaxed.count as i64), grouped(figures.imagined as i64));
        let text = format!("Worlds relaxed: {count} of {all}{place}, because {}.", relaxed.reason);
        add(found, Weight::Finding, "coverage", text);
    }
}

/// Reports figures that are missing, because the rules invent too many names.
fn add_dropped_figures(figures: &Figures, found: &mut Vec<Finding>) {
    for names in &figures.dropped {
        let text = match names {
            InventedNames::Counters => {
                "Counters and parts of scores are left out: the rules invent too many names for them. Use a fixed set of names."
            }
            InventedNames::Options => {
                "Options that are words or numbers are left out of the statistics: the rules offer too many different ones."
            }
        };
        add(found, Weight::Finding, "coverage", text.to_owned());
    }
}

fn add_targets(judged: &[TargetResult], found: &mut Vec<Finding>) {
    for judged in judged {
        let weight = match judged.standing {
            Judgment::Missed => Weight::Wrong,
            Judgment::Open => Weight::Finding,
            Judgment::Met => Weight::Note,
        };
        add(found, weight, figure_definition(&judged.target.figure), target_sentence(judged));
    }
}

/// Returns the id of the definition that explains `figure`, as named in a target; `coverage` if there is no definition.
pub(super) fn figure_definition(figure: &str) -> &'static str {
    let word = figure.split('.').next().unwrap_or(figure);
    crate::simulation::DEFINITIONS.iter().find(|known| known.id == word).map_or("coverage", |known| known.id)
}

/// Describes a target, the figure, and whether the target is met.
fn target_sentence(judged: &TargetResult) -> String {
    let bound = |millionths: i64| exact(millionths as f64 / crate::model::Target::UNIT as f64);
    // Show one more decimal than the bounds have, so that a figure near a bound does not look equal to it.
    let decimals = |millionths: &i64| bound(*millionths).split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let most = judged.target.min.iter().chain(&judged.target.max).map(decimals).max().unwrap_or(0);
    let figure = |number: f64| {
        if most < 2 || !number.is_finite() { amount(number) } else { format!("{number:.*}", most + 1) }
    };
    let wanted = match (judged.target.min, judged.target.max) {
        (Some(min), Some(max)) => format!("from {} to {}", bound(min), bound(max)),
        (Some(min), None) => format!("at least {}", bound(min)),
        (None, Some(max)) => format!("at most {}", bound(max)),
        (None, None) => "anything".to_owned(),
    };
    let name = &judged.target.figure;
    let Some(estimate) = &judged.estimate else {
        return format!("Target `{name}`, {wanted}: no game says anything of it.");
    };
    let actual = format!(
        "it is {} (95 %: {} to {})",
        figure(estimate.value),
        figure(estimate.interval.low),
        figure(estimate.interval.high)
    );
    match judged.standing {
        Judgment::Met => format!("Target `{name}`, {wanted}, is met: {actual}."),
        Judgment::Open => format!("Target `{name}`, {wanted}, is open: {actual}; more games would settle it."),
        Judgment::Missed => format!("Target `{name}`, {wanted}, is missed: {actual}."),
    }
}

fn add_seats(figures: &Figures, weight: Weight, found: &mut Vec<Finding>) {
    let (fair, leaders) = (figures.fair_share(), figures.leaders());
    if leaders.len() < 2 {
        return;
    }
    let shares: Vec<Estimate> = leaders.iter().map(|seat| figures.estimate(&Measure::Win(*seat))).collect();
    let p_values = figures.p_values_of_seats();
    let mut favored = false;
    for (seat, share) in leaders.iter().zip(&shares) {
        let p_value = p_values[usize::from(*seat)];
        if p_value > FALSE_FINDINGS {
            continue;
        }
        favored = true;
        let gap = share.value - fair;
        let (more, low, high) = if gap > 0.0 {
            ("more", share.interval.low - fair, share.interval.high - fair)
        } else {
            ("less", fair - share.interval.high, fair - share.interval.low)
        };
        let text = format!(
            "{} wins {} of the games, {:.1} points {more} than the fair {} (95 %: {:.1} to {:.1} points {more}).",
            capitalize(&side(figures, *seat)),
            percent(share.value),
            gap.abs() * 100.0,
            percent(fair),
            low * 100.0,
            high * 100.0,
        );
        add(found, weight, "win", text);
    }
    if !favored {
        add(found, Weight::Note, "win", no_favored_seat(figures, &shares, fair));
    }
    let ties = figures.estimate(&Measure::Tie);
    if ties.value > 0.0 {
        add(
            found,
            Weight::Note,
            "ties",
            format!("{} of the games end with a shared first place.", estimate_text(&ties, MeasureKind::Share)),
        );
    }
}

/// Reports how often the players of a co-operative game won.
fn add_cooperative_success(success: &Estimate, found: &mut Vec<Finding>) {
    let text = format!("The players win {} of the games together.", estimate_text(success, MeasureKind::Share));
    add(found, Weight::Note, "success", text);
}

/// Returns the name of a seat, or of the team whose first seat is `leader`.
fn side(figures: &Figures, leader: u8) -> String {
    if figures.sides.is_empty() {
        return format!("seat {}", leader + 1);
    }
    let seats = (0..figures.seats).filter(|seat| figures.leader_of(*seat) == leader);
    let seats: Vec<String> = seats.map(|seat| (seat + 1).to_string()).collect();
    match seats.split_last() {
        Some((last, others @ [_, ..])) => format!("the team of seats {} and {last}", others.join(", ")),
        _ => format!("the team of seat {}", leader + 1),
    }
}

/// States that no seat is significantly better, how large an undetected gap may be, and how many games would settle the
/// question.
fn no_favored_seat(figures: &Figures, shares: &[Estimate], fair: f64) -> String {
    let gap = figures.seat_gap();
    let text = format!(
        "The games do not show that any {} is better than another; a gap of up to {:.1} points fits with them.",
        if figures.sides.is_empty() { "seat" } else { "team" },
        gap.interval.high * 100.0
    );
    let widest =
        shares.iter().enumerate().max_by(|(_, a), (_, b)| (a.value - fair).abs().total_cmp(&(b.value - fair).abs()));
    let played = figures.finished;
    let leaders = figures.leaders();
    let (values, worths) = figures.shares_of(&leaders);
    let least = worths.iter().copied().fold(f64::INFINITY, f64::min).max(1.0);
    let know = ((games_to_precision(fair, 0.01) as f64 / least).ceil() as u64).saturating_sub(played);
    let surer = match know {
        0 => String::new(),
        more => format!(" {} more games would narrow every share to within a point.", grouped(more as i64)),
    };
    let settle = widest.and_then(|(seat, share)| {
        let more = games_to_significance(&values, &worths, seat)?.checked_sub(played)?;
        let more = Some(more).filter(|more| *more > 0 && *more < played * 20)?;
        Some(format!(
            " If {} goes on as it does ({}), {} more games would settle it.",
            side(figures, leaders[seat]),
            percent(share.value),
            grouped(more as i64)
        ))
    });
    let alone = |share: &Estimate| !share.interval.contains(fair);
    let side_word = if figures.sides.is_empty() { "seat" } else { "team" };
    let why = match shares.iter().filter(|share| alone(share)).count() {
        0 => String::new(),
        _ => format!(
            " That a {side_word}'s own interval leaves out the fair share is not enough, for {} {side_word}s are looked at.",
            leaders.len()
        ),
    };
    format!("{text}{why}{}{surer}", settle.unwrap_or_default())
}

/// Returns the importance of a finding about a row, and a remark to append. A result as expected gets [`Weight::Expected`], and a contrary
/// result gets a remark.
fn importance(row: &ItemRow, found: &AdjustedDifference, weight: Weight) -> (Weight, &'static str) {
    match row.is_as_expected(found) {
        Some(true) => (Weight::Expected, ""),
        Some(false) => (Weight::Finding, " The contrary is expected."),
        None => (weight, ""),
    }
}

/// Adds all expected findings about rows, and the first [`MOST`] of the others.
fn add_limited(found: &mut Vec<Finding>, about: &'static str, reported: impl Iterator<Item = (Weight, String)>) {
    let mut left = MOST;
    for (weight, text) in reported {
        if weight != Weight::Expected {
            if left == 0 {
                continue;
            }
            left -= 1;
        }
        add(found, weight, about, text);
    }
}

fn add_component_findings(rows: &[ItemRow], found: &mut Vec<Finding>) {
    let mut odd: Vec<(&ItemRow, AdjustedDifference)> =
        rows.iter().filter(|row| row.differs_from_kind()).filter_map(|row| Some((row, row.excess?))).collect();
    odd.sort_by(|a, b| size(&b.1).total_cmp(&size(&a.1)));
    let reported = odd.into_iter().map(|(row, excess)| {
        let difference = excess.estimate;
        let word = if difference.value < 0.0 { "weak" } else { "strong" };
        let (weight, remark) = importance(row, &excess, Weight::Finding);
        let text = format!(
            "{} is {word} for its kind: seats that acquire it win {}, {} points against those with any {} (interval {} to {}). \
             Correlation, not cause.{remark}",
            row.name,
            row.with.map_or_else(String::new, |with| percent(with.value)),
            points(difference.value),
            row.group,
            points(difference.interval.low),
            points(difference.interval.high),
        );
        (weight, text)
    });
    add_limited(found, "within_kind", reported);
    let with: Vec<&ItemRow> = rows.iter().filter(|row| !row.differs_from_kind()).collect();
    add_differences(&with, "acquire", found);
}

fn add_option_findings(rows: &[ItemRow], found: &mut Vec<Finding>) {
    add_differences(&rows.iter().collect::<Vec<_>>(), "pick", found);
    for row in never_picked(rows).into_iter().take(MOST) {
        let text = format!(
            "{} ({}) was offered {} times and never picked: by these bots, less than {} of the time.",
            row.name,
            row.group,
            grouped(row.offered as i64),
            percent_at_most(rule_of_three_bound(row.offered)),
        );
        add(found, Weight::Finding, "dead", text);
    }
}

/// Reports components that no decision ever offered, although at least half of the components of their kind were chosen.
fn never_offered_findings(model: &Model, figures: &Figures, found: &mut Vec<Finding>) {
    let names: Vec<String> = never_offered(model, figures).into_iter().map(|at| names::component(model, at)).collect();
    if !names.is_empty() {
        let text = format!(
            "Components that no decision ever offered, although most others of their kind were chosen: {}.",
            names.join(", ")
        );
        add(found, Weight::Finding, "dead", text);
    }
}

/// Returns whether the leader at half time wins so often that almost nobody catches up.
pub(super) fn is_runaway(half: &Estimate) -> bool {
    half.interval.low > 0.8
}

/// Returns the movable components that never moved.
pub(super) fn never_moved(model: &Model, figures: &Figures) -> Vec<u16> {
    let is_absent = |at: &u16| !figures.components.contains_key(at) && model.components[usize::from(*at)].count > 0;
    (0..model.components.len() as u16).filter(is_absent).filter(|at| may_move(model, *at)).collect()
}

/// Reports significant differences, largest first.
fn add_differences(rows: &[&ItemRow], verb: &str, found: &mut Vec<Finding>) {
    let mut clear: Vec<(&ItemRow, AdjustedDifference)> =
        rows.iter().filter(|row| row.is_finding()).filter_map(|row| Some((*row, row.difference?))).collect();
    clear.sort_by(|a, b| size(&b.1).total_cmp(&size(&a.1)));
    let reported = clear.into_iter().map(|(row, weighed_difference)| {
        let difference = weighed_difference.estimate;
        let (weight, remark) = match (row.excess, row.is_as_expected(&weighed_difference)) {
            // A component may be expected to be weaker than its kind and yet be better than having none.
            (Some(_), Some(false)) => (Weight::Note, ""),
            _ => importance(row, &weighed_difference, Weight::Note),
        };
        let text = format!(
            "Seats that {verb} {} ({}) win {} points against those that do not (interval {} to {}). Correlation, not cause.{remark}",
            row.name,
            row.group,
            points(difference.value),
            points(difference.interval.low),
            points(difference.interval.high),
        );
        (weight, text)
    });
    add_limited(found, "win_with", reported);
}

fn size(found: &AdjustedDifference) -> f64 {
    found.estimate.value.abs()
}

fn add_leads(figures: &Figures, wanted: impl Fn(&str, Weight) -> Weight, found: &mut Vec<Finding>) {
    let half = figures.estimate(&Measure::LeaderWins(2));
    if half.count >= 30 {
        let fair = percent(figures.fair_share());
        let text = format!(
            "Who leads at half of the game wins {} of the time; by chance it would be {fair}.",
            estimate_text(&half, MeasureKind::Share)
        );
        let weight = if is_runaway(&half) { wanted("leader_half", Weight::Finding) } else { Weight::Note };
        add(found, weight, "leader_half", text);
    }
    let kingmaking = figures.estimate(&Measure::Kingmaking);
    if kingmaking.count > 0 {
        let text = format!(
            "In {} of the games somebody who could not win any more decided who did; {} are out of reach on the mean.",
            estimate_text(&kingmaking, MeasureKind::Share),
            estimate_text(&figures.estimate(&Measure::Hopeless), MeasureKind::Amount)
        );
        add(found, wanted("kingmaking", Weight::Note), "kingmaking", text);
        let text = format!(
            "At worst the winner had a chance of {}, on the mean of the games.",
            estimate_text(&figures.estimate(&Measure::LeastChance), MeasureKind::Share)
        );
        add(found, Weight::Note, "least_chance", text);
    }
    let changes = figures.histogram(&Measure::LeadChanges);
    if changes.total() >= 30 {
        let mean = estimate_text(&figures.estimate(&Measure::LeadChanges), MeasureKind::Amount);
        let last = figures.estimate(&Measure::LastLead);
        let when = if last.count > 0 {
            format!("; the last change comes after {} of the game", estimate_text(&last, MeasureKind::Share))
        } else {
            String::new()
        };
        add(found, Weight::Note, "lead_changes", format!("The lead changes {mean} times a game{when}."));
    }
    let forced = figures.forced as f64 / (figures.forced + figures.asked).max(1) as f64;
    if forced > 0.5 {
        let of_games = figures.estimate(&Measure::Forced);
        let text = format!(
            "{} of all questions have only one answer; of a game's, {} on the mean.",
            percent(forced),
            estimate_text(&of_games, MeasureKind::Share)
        );
        add(found, wanted("forced", Weight::Finding), "forced", text);
    }
}

/// Reports components, phases, steps, decisions, announcements and endings that never occurred.
fn add_never_occurred(model: &Model, figures: &Figures, found: &mut Vec<Finding>) {
    let bound = percent_at_most(rule_of_three_bound(figures.games));
    // Chosen options may switch parts of the game off, which makes absence less alarming.
    let (weight, chosen) = if model.options.is_empty() {
        (Weight::Finding, "")
    } else {
        (Weight::Note, ", with the options that were chosen")
    };
    let mut list = |what: &str, about: &'static str, names: Vec<String>| {
        if !names.is_empty() {
            let text = format!("{what}: {} (95 %: in less than {bound} of games{chosen}).", names.join(", "));
            add(found, weight, about, text);
        }
    };
    let absent =
        |count: usize, seen: &dyn Fn(u16) -> bool| (0..count as u16).filter(|at| !seen(*at)).collect::<Vec<_>>();
    let lying = never_moved(model, figures);
    // If all components of a kind stay in the box, the rules probably use only their printed fields. The whole kind is then reported at
    // once.
    let is_boxed = |kind: &Kind| {
        let own = || kind.components.iter().filter(|component| may_move(model, component.0));
        own().next().is_some() && own().all(|own| lying.contains(&own.0))
    };
    let boxed: Vec<&Kind> = model.kinds.iter().filter(|kind| is_boxed(kind)).collect();
    let lone = lying.iter().filter(|at| !boxed.iter().any(|kind| kind.components.iter().any(|own| own.0 == **at)));
    list("Components that never moved", "dead", lone.map(|at| names::component(model, *at)).collect());
    let (apart, boxed): (Vec<&Kind>, Vec<&Kind>) = boxed.into_iter().partition(|kind| !is_placed(model, kind));
    list("Kinds of which no component ever moved", "dead", boxed.iter().map(|kind| english(&kind.name)).collect());
    let apart: Vec<String> = apart.iter().map(|kind| english(&kind.name)).collect();
    let phases = absent(model.phases.len(), &|at| figures.phases.contains_key(&at));
    list(
        "Phases that never took place",
        "coverage",
        phases.iter().map(|at| english(&model.phases[*at as usize].name)).collect(),
    );
    let steps = names::steps(model).filter(|function| !figures.steps.contains_key(*function));
    list("Steps that were never taken", "coverage", steps.map(str::to_owned).collect());
    let decisions = absent(model.decisions.len(), &|at| figures.questions.contains_key(&at));
    list("Decisions that never came up", "coverage", decisions.iter().map(|at| names::decision(model, *at)).collect());
    let says = absent(model.says.len(), &|at| figures.says.contains_key(&at));
    list(
        "Announcements that were never made",
        "coverage",
        says.iter().map(|at| model.says[*at as usize].id.to_string()).collect(),
    );
    let endings = absent(model.endings.len(), &|at| {
        figures
            .measures
            .get(&Measure::Ending(model.endings[at as usize].id.clone()))
            .is_some_and(|histogram| histogram.sum() > 0)
    });
    list(
        "Endings that no game came to",
        "ending",
        endings.iter().map(|at| english(&model.endings[*at as usize].name)).collect(),
    );
    // A kind that no zone accepts is meant to be read, not moved. `check` reports kinds that the rules do not even read.
    if !apart.is_empty() {
        add(found, Weight::Note, "dead", format!("Kinds that stay in the box: {}.", apart.join(", ")));
    }
}

/// Returns whether pieces of a kind start outside the box, or a zone accepts them explicitly.
fn is_placed(model: &Model, kind: &Kind) -> bool {
    let is_own = |content: &Content| match content {
        Content::Kind(of) => model.kinds[of.index()].id == kind.id,
        Content::Component(component) => kind.components.contains(component),
    };
    let zones = || model.families.iter().filter(|family| &*family.id != BOX);
    zones().any(|family| family.accepts.iter().chain(&family.starts_with).any(is_own))
        || model
            .pieces
            .iter()
            .any(|piece| kind.components.contains(&piece.component) && &*model.family_of(piece.zone).id != BOX)
}

fn english(name: &Text) -> String {
    name.get(Language::English).to_owned()
}

/// Returns whether a component has pieces that are meant to be moved. Dice only turn, and labels never move.
fn may_move(model: &Model, at: u16) -> bool {
    let component = &model.components[at as usize];
    component.faces.is_empty()
        && !is_label(model, component.kind)
        && model.pieces.iter().any(|piece| piece.component.0 == at)
}

/// Returns whether the components of a kind are only labels, which are read but never moved.
///
/// The pieces of labels stay in the box, and no zone accepts them explicitly. In addition, zones, values or fields refer to the kind, or
/// every zone lists what it accepts.
pub(super) fn is_label(model: &Model, id: KindId) -> bool {
    let zones = || model.families.iter().filter(|family| &*family.id != BOX);
    if is_placed(model, &model.kinds[id.index()]) {
        return false;
    }
    let is_read = zones().any(|family| family.per.contains(&Per::Kind(id)))
        || model.values.iter().any(|value| value.owner == Owner::Component(id))
        || model.kinds.iter().flat_map(|kind| kind.fields.values()).any(|field| refers_to(field, id));
    is_read || zones().all(|family| !family.accepts.is_empty())
}

/// Returns whether a field is, or contains, a component of a kind.
fn refers_to(field: &FieldType, kind: KindId) -> bool {
    match field {
        FieldType::Component(of) => *of == Some(kind),
        FieldType::List(inner) => refers_to(inner, kind),
        FieldType::Record(parts) => parts.values().any(|part| refers_to(part, kind)),
        _ => false,
    }
}
