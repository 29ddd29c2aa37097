//! Plots as SVG. They consist of simple shapes, so that they can be printed, scaled and searched. Color-blind readers can tell the colors
//! apart (Okabe and Ito), and no information is shown by color alone. Each plot comes with its numbers as CSV.

use super::number::{amount, estimate_text as estimate_with_interval, percent, plain, points, value};
use super::rows::line;
use crate::simulation::{Estimate, Histogram, Interval, MeasureKind};
use crate::wording::{Element, Svg};
use serde::Serialize;
use std::fmt::{self, Display};

const BLUE: &str = "#0072b2";
const SKY: &str = "#56b4e9";
const RED: &str = "#d55e00";
const GREY: &str = "#808080";
const GREEN: &str = "#009e73";
/// Fill color of the wanted range of a figure: a faint green.
const WANTED: &str = "#009e7333";
/// Color of grid lines. Half transparent, so that the lines are faint on both light and dark pages.
const GRID: &str = "#80808055";
/// Color of lines that match the text around the drawing.
const INK: &str = "currentColor";
/// Width of all drawings, narrow enough that the text is readable on a phone.
const WIDTH: f64 = 460.0;

/// Approximate width of a letter.
const LETTER: f64 = 7.5;

/// Returns the approximate width of `text`. The letters of some scripts are twice as wide as others.
fn width(text: &str) -> f64 {
    unicode_width::UnicodeWidthStr::width(text) as f64 * LETTER
}

/// A plot with its metadata, as the page template needs it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Plot {
    pub(super) title: String,
    pub(super) about: &'static str,
    /// Name of the tab that shows the plot; empty on pages without tabs.
    pub(super) tab: &'static str,
    pub(super) svg: String,
    /// The numbers that the plot shows, as CSV.
    pub(super) numbers: String,
}

impl Plot {
    /// Creates a plot; `None` if there is nothing to draw.
    pub(super) fn new(title: String, about: &'static str, tab: &'static str, drawn: Drawn) -> Option<Self> {
        let Drawn { svg, numbers } = drawn;
        (!svg.is_empty()).then_some(Self { title, about, tab, svg, numbers })
    }
}

/// A finished drawing with its numbers. Both are empty if there is nothing to draw.
#[derive(Debug, Clone, Default)]
pub(super) struct Drawn {
    /// The drawing as SVG.
    pub(super) svg: String,
    /// The numbers as CSV, with a line of headings.
    pub(super) numbers: String,
}

/// A coordinate or length, written with one decimal.
#[derive(Debug, Clone, Copy)]
struct Coordinate(f64);

impl Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", self.0)
    }
}

type Point = (f64, f64);

/// Rounds the coordinates of a point when they are written.
const fn rounded((x, y): Point) -> (Coordinate, Coordinate) {
    (Coordinate(x), Coordinate(y))
}

/// Builder for an SVG drawing.
struct Drawing {
    title: String,
    height: f64,
    /// The elements of the drawing.
    svg: Svg,
    numbers: Vec<u8>,
}

impl Drawing {
    /// Creates an empty drawing. `heads` are the column headings of its CSV numbers.
    fn new(title: &str, height: f64, heads: &[&str]) -> Self {
        Self { title: title.to_owned(), height, svg: Svg::default(), numbers: line(heads) }
    }

    /// Appends a row to the CSV numbers.
    fn row(&mut self, fields: &[String]) {
        self.numbers.extend(line(fields));
    }

    /// Appends a row with an estimate to the CSV numbers.
    fn estimate_row(&mut self, name: &str, estimate: &Estimate) {
        let Estimate { value, interval, count } = estimate;
        self.row(&[name.to_owned(), plain(*value), plain(interval.low), plain(interval.high), count.to_string()]);
    }

    fn line(&mut self, from: Point, to: Point, color: &str) {
        start_line(&mut self.svg, from, to, color).empty();
    }

    fn dashed_line(&mut self, from: Point, to: Point, color: &str) {
        start_line(&mut self.svg, from, to, color).set("stroke-dasharray", DASHES).empty();
    }

    fn bar(&mut self, corner: Point, (width, height): (f64, f64), color: &str, tip: &str) {
        self.svg.rect(rounded(corner), rounded((width.max(0.0), height))).set("fill", color).titled(tip);
    }

    fn dot(&mut self, center: Point, radius: u8, color: &str, tip: &str) {
        self.svg.circle(rounded(center), radius).set("fill", color).titled(tip);
    }

    fn word(&mut self, place: Point, anchor: &str, word: &str) {
        self.colored_word(place, anchor, word, None);
    }

    /// Writes the name of a dashed line at `place`, in the color of the line.
    fn mark_name(&mut self, place: Point, name: &str) {
        self.colored_word(place, "middle", name, Some(RED));
    }

    /// Adds a label. Shifts it if necessary, so that the edges of the drawing do not cut it off.
    fn colored_word(&mut self, (x, y): Point, anchor: &str, word: &str, color: Option<&str>) {
        let text_width = (width(word) + 4.0).min(WIDTH);
        let (before, behind) = match anchor {
            "middle" => (text_width / 2.0, text_width / 2.0),
            "end" => (text_width, 0.0),
            _ => (0.0, text_width),
        };
        let x = x.min(WIDTH - behind).max(before);
        self.svg.label(rounded((x, y))).set("text-anchor", anchor).set_some("fill", color).text(word);
    }

    fn area(&mut self, outline: &[Point], color: &str, opacity: &str) {
        let polygon = self.svg.polygon(outline.iter().copied().map(rounded));
        polygon.set("fill", color).set("opacity", opacity).empty();
    }

    fn curve(&mut self, points: &[Point], color: &str) {
        let line = self.svg.polyline(points.iter().copied().map(rounded));
        line.set("fill", "none").set("stroke", color).set("stroke-width", 2).empty();
    }

    fn finish(self) -> Drawn {
        let Self { title, height, svg: elements, numbers } = self;
        let numbers = String::from_utf8(numbers).expect("a line is made of texts");
        let mut svg = Svg::default();
        svg.image((0.0, 0.0), (WIDTH, height)).set("role", "img").set("aria-label", &title).content(|svg| {
            svg.element("title").text(&title);
            svg.append(&elements);
        });
        Drawn { svg: svg.into_text(), numbers }
    }
}

/// Starts a line. It is continuous unless dashes are set.
fn start_line<'a>(svg: &'a mut Svg, from: Point, to: Point, color: &str) -> Element<'a> {
    svg.line(rounded(from), rounded(to)).set("stroke", color).set("stroke-width", "1.5")
}

/// Lengths of the dashes of a dashed line, and of the gaps between them.
const DASHES: &str = "5 4";

/// Linear scale from numbers to coordinates.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(low: f64, high: f64, from: f64, to: f64) -> Self {
        let (low, high) = if low.is_finite() && high.is_finite() { (low, high) } else { (0.0, 1.0) };
        let room = if high > low { (high - low) * 0.04 } else { 0.5 };
        Self { low: low - room, high: high + room, from, to }
    }

    /// Sets the lower end of the scale exactly, without margin.
    fn with_low(self, low: f64) -> Self {
        Self { low, ..self }
    }

    fn at(&self, number: f64) -> f64 {
        let part = ((number - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + part * (self.to - self.from)
    }

    /// Returns the positions of the axis labels: a few round numbers within the scale.
    fn marks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= rough);
        let step = step.unwrap_or(power * 10.0);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last.min(first + 12)).map(|at| at as f64 * step).collect()
    }
}

/// Formats a number as an axis label.
fn axis_label(number: f64, sort: MeasureKind) -> String {
    match sort {
        MeasureKind::Share => format!("{:.0} %", number * 100.0),
        MeasureKind::Amount if number.fract() == 0.0 => super::number::grouped(number as i64),
        MeasureKind::Amount => amount(number),
    }
}

/// Formats a difference between two shares as an axis label, in percentage points.
fn points_axis_label(number: f64) -> String {
    let text = format!("{:+.0}", number * 100.0);
    if text == "+0" || text == "-0" { "0".to_owned() } else { text }
}

/// Height of a row. The label is above the bar, where there is room for long labels.
const ROW: f64 = 38.0;
/// Height of a label.
const LABEL: f64 = 16.0;
/// Margin at the left edge, and at the right edge where no numbers are written.
const SIDE: f64 = 4.0;

fn axis(drawing: &mut Drawing, scale: &Scale, (top, bottom): (f64, f64), mark: &dyn Fn(f64) -> String) {
    for at in scale.marks() {
        let x = scale.at(at);
        drawing.line((x, top), (x, bottom), GRID);
        drawing.word((x, bottom + 16.0), "middle", &mark(at));
    }
}

/// Shortens a label to the width of the drawing. The tooltip has the full label.
fn shortened(label: &str) -> String {
    const MOST: f64 = WIDTH - 2.0 * SIDE;
    if width(label) <= MOST {
        return label.to_owned();
    }
    let mut text = String::new();
    for letter in label.chars() {
        if width(&text) + 3.0 * LETTER > MOST {
            break;
        }
        text.push(letter);
    }
    text + "…"
}

/// A value that is marked by a dashed line: the name of the line, and the value.
pub(super) type MarkedValue = (&'static str, f64);

/// Height of the name of a dashed line, below the axis.
const MARK: f64 = 18.0;

/// Draws bars with error bars, and a dashed line at `marked`.
pub(super) fn bars(title: &str, rows: &[(String, Estimate)], marked: Option<MarkedValue>, sort: MeasureKind) -> Drawn {
    if rows.is_empty() {
        return Drawn::default();
    }
    let fair = marked.map(|(_, fair)| fair);
    let height = rows.len() as f64 * ROW + 34.0 + if marked.is_some() { MARK } else { 0.0 };
    let ends = || rows.iter().flat_map(|(_, estimate)| [estimate.value, estimate.interval.low, estimate.interval.high]);
    let finite = |number: &f64| number.is_finite();
    let high = ends().chain(fair).filter(finite).fold(0.0, f64::max);
    let low = ends().filter(finite).fold(0.0, f64::min);
    let scale = Scale::new(low, high, SIDE, WIDTH - 62.0);
    let scale = if low < 0.0 { scale } else { scale.with_low(0.0) };
    let mut drawing = Drawing::new(title, height, &["name", "value", "low", "high", "count"]);
    let bottom = rows.len() as f64 * ROW + 6.0;
    axis(&mut drawing, &scale, (4.0, bottom), &|at| axis_label(at, sort));
    let mut values = Vec::new();
    for (at, (label, estimate)) in rows.iter().enumerate() {
        drawing.estimate_row(label, estimate);
        let y = at as f64 * ROW + 4.0;
        let tip = format!("{label}: {}", estimate_with_interval(estimate, sort));
        drawing.word((SIDE, y + 11.0), "start", &shortened(label));
        let (zero, end) = (scale.at(0.0), scale.at(estimate.value));
        let tall = ROW - LABEL - 5.0;
        drawing.bar((zero.min(end), y + LABEL), ((end - zero).abs(), tall), SKY, &tip);
        whisker(&mut drawing, &scale, estimate, y + LABEL + tall / 2.0);
        let bar_end = [estimate.value, estimate.interval.high].into_iter().filter(finite).fold(0.0, f64::max);
        values.push(((scale.at(bar_end) + 6.0, y + LABEL + tall / 2.0 + 5.0), value(estimate, sort)));
    }
    if let Some((name, fair)) = marked {
        drawing.dashed_line((scale.at(fair), 2.0), (scale.at(fair), bottom), RED);
        drawing.mark_name((scale.at(fair), bottom + 16.0 + MARK), &format!("{name}: {}", axis_label(fair, sort)));
    }
    // The values are drawn last, because the dashed line would otherwise strike them through.
    for (at, value) in &values {
        drawing.word(*at, "start", value);
    }
    drawing.finish()
}

/// Draws an error bar, if the interval is finite.
fn whisker(drawing: &mut Drawing, scale: &Scale, estimate: &Estimate, y: f64) {
    if !estimate.interval.low.is_finite() || !estimate.interval.high.is_finite() {
        return;
    }
    let (low, high) = (scale.at(estimate.interval.low), scale.at(estimate.interval.high));
    drawing.line((low, y), (high, y), INK);
    drawing.line((low, y - 4.0), (low, y + 4.0), INK);
    drawing.line((high, y - 4.0), (high, y + 4.0), INK);
}

/// Draws differences as dots with error bars, and a dashed line at zero. `is_points` selects percentage points as the unit.
pub(super) fn dots(title: &str, rows: &[(String, Estimate, bool)], is_points: bool) -> Drawn {
    let height = rows.len() as f64 * ROW + 34.0;
    let finite = |number: &f64| number.is_finite();
    let ends = || {
        let all = |estimate: &Estimate| [estimate.value, estimate.interval.low, estimate.interval.high];
        rows.iter().flat_map(move |(_, estimate, _)| all(estimate)).filter(finite)
    };
    let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    let scale = Scale::new(low, high, SIDE, WIDTH - SIDE);
    let mut drawing = Drawing::new(title, height, &["name", "difference", "low", "high", "count"]);
    let bottom = rows.len() as f64 * ROW + 6.0;
    let mark = |at: f64| if is_points { points_axis_label(at) } else { axis_label(at, MeasureKind::Share) };
    axis(&mut drawing, &scale, (4.0, bottom), &mark);
    drawing.dashed_line((scale.at(0.0), 2.0), (scale.at(0.0), bottom), RED);
    for (at, (label, estimate, is_finding)) in rows.iter().enumerate() {
        drawing.estimate_row(label, estimate);
        let y = at as f64 * ROW + 4.0 + LABEL + (ROW - LABEL - 5.0) / 2.0;
        drawing.word((SIDE, at as f64 * ROW + 15.0), "start", &shortened(label));
        whisker(&mut drawing, &scale, estimate, y);
        let x = scale.at(estimate.value);
        let in_units = |number: f64| if is_points { points(number) } else { percent(number) };
        let interval = if estimate.interval.low.is_finite() && estimate.interval.high.is_finite() {
            format!("{} to {}", in_units(estimate.interval.low), in_units(estimate.interval.high))
        } else {
            "too few games".to_owned()
        };
        let unit = if is_points { " points" } else { "" };
        let tip = format!("{label}: {}{unit} ({interval})", in_units(estimate.value));
        let fill = if *is_finding { BLUE } else { "transparent" };
        let dot = drawing.svg.circle(rounded((x, y)), 5).set("fill", fill).set("stroke", BLUE);
        dot.set("stroke-width", "1.5").titled(&tip);
    }
    drawing.finish()
}

/// Largest difference that a strip can show to scale, in multiples of the smallest difference that matters. A larger difference is shown as
/// an arrow.
pub(super) const STRIP_REACH: f64 = 12.0;

/// Draws one difference on an axis around zero, as a dot with its confidence interval. A band marks the differences that are too small to
/// matter. A difference that does not fit into the drawing is shown as an arrow.
///
/// `relevant` is half the width of the band. `reach` is half the width of the drawing, in multiples of `relevant`; strips with the same
/// `reach` can be compared. `is_clear` highlights the difference.
pub(super) fn strip(difference: &Estimate, relevant: f64, reach: f64, is_clear: bool) -> String {
    const STRIP_WIDTH: f64 = 220.0;
    const STRIP_HEIGHT: f64 = 22.0;
    let middle = STRIP_WIDTH / 2.0;
    let x = |number: f64| (middle + number / relevant / reach * (middle - 8.0)).clamp(6.0, STRIP_WIDTH - 6.0);
    let y = STRIP_HEIGHT / 2.0;
    let mut svg = Svg::default();
    let image = svg.image((0.0, 0.0), (STRIP_WIDTH, STRIP_HEIGHT)).set("class", "strip").set("aria-hidden", true);
    image.content(|svg| {
        let (low, high) = (x(-relevant), x(relevant));
        svg.rect(rounded((low, 1.0)), rounded((high - low, 20.0))).set("fill", GRID).empty();
        let zero = svg.line(rounded((middle, 0.0)), rounded((middle, STRIP_HEIGHT))).set("stroke", GREY);
        zero.set("stroke-dasharray", DASHES).empty();
        let Interval { low, high } = difference.interval;
        if low.is_finite() && high.is_finite() {
            let interval = svg.line(rounded((x(low), y)), rounded((x(high), y)));
            interval.set("stroke", INK).set("stroke-width", 2).empty();
        }
        let at = x(difference.value);
        let ratio = difference.value / relevant;
        let mark = if ratio.abs() > reach {
            let tip = at + 6.0 * ratio.signum();
            let back = at - 5.0 * ratio.signum();
            svg.polygon([(tip, y), (back, 4.0), (back, 18.0)].map(rounded))
        } else {
            svg.circle(rounded((at, y)), 5)
        };
        mark.set("fill", if is_clear { BLUE } else { GREY }).empty();
    });
    svg.into_text()
}

/// Returns the smallest `n` for which the labels do not overlap if only every `n`th position is labeled. `step` is the distance between
/// neighboring positions.
fn label_interval(labels: &[String], step: f64) -> usize {
    let widest = labels.iter().map(|label| width(label)).fold(0.0, f64::max) + LETTER;
    (widest / step.max(0.1)).ceil().max(1.0) as usize
}

/// Draws the distribution of a measure in at most forty columns.
pub(super) fn histogram(title: &str, histogram: &Histogram, unit: i64) -> Drawn {
    const COLUMNS: i128 = 40;
    let (Some(least), Some(most)) = (histogram.min(), histogram.max()) else { return Drawn::default() };
    // The difference of two 64-bit numbers may need 65 bits.
    let (least, most) = (i128::from(least), i128::from(most));
    let step = (most - least) / COLUMNS + 1;
    let mut columns = vec![0_u64; ((most - least) / step + 1) as usize];
    for (number, count) in histogram.counts() {
        let at = ((i128::from(number).clamp(least, most) - least) / step) as usize;
        columns[at] = columns[at].saturating_add(count);
    }
    let highest = columns.iter().copied().max().unwrap_or(1).max(1) as f64;
    let total = histogram.total().max(1) as f64;
    let (left, right, top, bottom) = (64.0, WIDTH - 8.0, 8.0, 150.0);
    let width = (right - left) / columns.len() as f64;
    let mut drawing = Drawing::new(title, bottom + 34.0 + MARK, &["from", "to", "games"]);
    let heights = Scale::new(0.0, highest / total, bottom, top).with_low(0.0);
    for at in heights.marks() {
        drawing.line((left, heights.at(at)), (right, heights.at(at)), GRID);
        drawing.word((left - 6.0, heights.at(at) + 4.0), "end", &percent(at));
    }
    let named = |number: i128| {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        if unit == 1 { super::number::grouped(number) } else { amount(number as f64 / unit as f64) }
    };
    let labels: Vec<String> = (0..columns.len()).map(|at| named(least + at as i128 * step)).collect();
    let every = label_interval(&labels, width);
    for (at, count) in columns.iter().enumerate() {
        let (x, y) = (left + at as f64 * width, heights.at(*count as f64 / total));
        let begin = least + at as i128 * step;
        let words = if step == 1 { named(begin) } else { format!("{} to {}", named(begin), named(begin + step - 1)) };
        let tip = format!("{words}: {} of {}", count, histogram.total());
        let end = |number: i128| plain(number as f64 / unit as f64);
        drawing.row(&[end(begin), end(begin + step - 1), count.to_string()]);
        drawing.bar((x + 0.5, y), (width - 1.0, bottom - y), BLUE, &tip);
        if at % every == 0 {
            drawing.word((x + width / 2.0, bottom + 16.0), "middle", &labels[at]);
        }
    }
    if let Some(mean) = histogram.mean() {
        let x = left + (mean - least as f64) / step as f64 * width + if step == 1 { width / 2.0 } else { 0.0 };
        drawing.dashed_line((x, top), (x, bottom), RED);
        drawing.mark_name((x, bottom + 16.0 + MARK), &format!("mean: {}", amount(mean / unit as f64)));
    }
    drawing.finish()
}

/// Quantiles of one round in a fan chart.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundQuantiles {
    pub(super) round: u16,
    /// The 5th, 25th, 50th, 75th and 95th percentile.
    pub(super) at: [f64; 5],
}

/// Draws a fan chart over rounds: the middle 90 %, the middle 50 %, and the median.
pub(super) fn fan(title: &str, rounds_data: &[RoundQuantiles]) -> Drawn {
    let (Some(first), Some(last)) = (rounds_data.first(), rounds_data.last()) else { return Drawn::default() };
    let low = rounds_data.iter().map(|quantiles| quantiles.at[0]).fold(f64::INFINITY, f64::min);
    let high = rounds_data.iter().map(|quantiles| quantiles.at[4]).fold(f64::NEG_INFINITY, f64::max);
    let (left, right, top, bottom) = (64.0, WIDTH - 8.0, 8.0, 150.0);
    let rounds =
        Scale { low: f64::from(first.round), high: f64::from(last.round.max(first.round + 1)), from: left, to: right };
    let heights = Scale::new(low, high, bottom, top);
    let mut drawing = Drawing::new(title, bottom + 34.0, &["round", "p5", "p25", "median", "p75", "p95"]);
    for quantiles in rounds_data {
        let numbers = quantiles.at.map(plain);
        drawing.row(&[&[quantiles.round.to_string()], &numbers[..]].concat());
    }
    for at in heights.marks() {
        drawing.line((left, heights.at(at)), (right, heights.at(at)), GRID);
        drawing.word((left - 6.0, heights.at(at) + 4.0), "end", &axis_label(at, MeasureKind::Amount));
    }
    let labels: Vec<String> = rounds_data.iter().map(|quantiles| quantiles.round.to_string()).collect();
    let every = label_interval(&labels, (right - left) / rounds_data.len().max(1) as f64);
    for quantiles in rounds_data.iter().step_by(every) {
        drawing.word((rounds.at(f64::from(quantiles.round)), bottom + 16.0), "middle", &quantiles.round.to_string());
    }
    let edge = |at: usize| rounds_data.iter().map(move |quantiles| (f64::from(quantiles.round), quantiles.at[at]));
    let placed =
        |points: Vec<(f64, f64)>| points.into_iter().map(|(x, y)| (rounds.at(x), heights.at(y))).collect::<Vec<_>>();
    for (outer, inner, opacity) in [(0, 4, "0.25"), (1, 3, "0.5")] {
        let mut around: Vec<(f64, f64)> = edge(outer).collect();
        around.extend(edge(inner).collect::<Vec<_>>().into_iter().rev());
        drawing.area(&placed(around), SKY, opacity);
    }
    drawing.curve(&placed(edge(2).collect()), BLUE);
    drawing.finish()
}

/// One cell of a heat map.
#[derive(Debug, Clone)]
pub(super) struct HeatCell {
    pub(super) column: usize,
    pub(super) row: usize,
    /// Intensity of the color, at least 0. The cell with the highest share gets the darkest color.
    pub(super) share: f64,
    /// Value of the cell, as it appears in the CSV numbers.
    pub(super) value: f64,
    pub(super) name: String,
    pub(super) text: String,
}

/// Draws a heat map. Each cell shows its text if there is room.
pub(super) fn heat(title: &str, cells: &[HeatCell], columns: &[String], rows: &[String]) -> Drawn {
    let most = cells.iter().map(|cell| cell.share).fold(0.0, f64::max).max(1e-9);
    let widest = |names: &[String]| names.iter().map(|name| width(name)).fold(0.0, f64::max) + LETTER;
    let gutter = widest(rows).min(WIDTH / 2.0);
    let (size, head) = (((WIDTH - gutter) / columns.len().max(1) as f64).min(widest(columns).max(64.0)), 20.0);
    let tall = size.clamp(16.0, 40.0);
    let mut drawing = Drawing::new(title, head + rows.len() as f64 * tall + 4.0, &["name", "column", "row", "value"]);
    for (at, name) in columns.iter().enumerate().step_by(label_interval(columns, size)) {
        drawing.word((gutter + (at as f64 + 0.5) * size, head - 6.0), "middle", name);
    }
    for (at, name) in rows.iter().enumerate() {
        let most = (gutter / LETTER) as usize;
        let name: String = name.chars().take(most).collect();
        drawing.word((gutter - LETTER, head + (at as f64 + 0.5) * tall + 4.0), "end", &name);
    }
    for cell in cells {
        let (x, y) = (gutter + cell.column as f64 * size, head + cell.row as f64 * tall);
        let depth = cell.share / most;
        let label = |names: &[String], at: usize| names.get(at).cloned().unwrap_or_default();
        drawing.row(&[cell.name.clone(), label(columns, cell.column), label(rows, cell.row), plain(cell.value)]);
        let part = |light: f64, dark: f64| (light + (dark - light) * depth).round() as u8;
        let color = format!("#{:02x}{:02x}{:02x}", part(247.0, 0.0), part(251.0, 90.0), part(255.0, 160.0));
        drawing.bar((x + 0.5, y + 0.5), (size - 1.0, tall - 1.0), &color, &format!("{}: {}", cell.name, cell.text));
        if size >= width(&cell.text) {
            let ink = if depth > 0.55 { "#ffffff" } else { "#1d1b16" };
            let label = drawing.svg.label(rounded((x + size / 2.0, y + tall / 2.0 + 4.0)));
            label.set("text-anchor", "middle").set("fill", ink).text(&cell.text);
        }
    }
    drawing.finish()
}

/// Optional marks of a curve: the wanted range and an emphasized point.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CurveMarks {
    /// Wanted bounds, drawn as a band.
    pub(super) wanted: (Option<f64>, Option<f64>),
    /// Index of the emphasized point.
    pub(super) best: Option<usize>,
}

/// Draws a curve with error bars over labeled points. A band shows the wanted range.
pub(super) fn curve(title: &str, points: &[(String, Estimate)], marks: CurveMarks, sort: MeasureKind) -> Drawn {
    if points.is_empty() {
        return Drawn::default();
    }
    let CurveMarks { wanted, best } = marks;
    let ends = || {
        let intervals =
            points.iter().flat_map(|(_, estimate)| [estimate.interval.low, estimate.interval.high, estimate.value]);
        intervals.chain(wanted.0).chain(wanted.1).filter(|number| number.is_finite())
    };
    let (low, high) = (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
    let (left, right, top, bottom) = (64.0, WIDTH - 8.0, 8.0, 170.0);
    let heights = Scale::new(low, high, bottom, top);
    let mut drawing = Drawing::new(title, bottom + 34.0, &["setting", "value", "low", "high", "count"]);
    if wanted.0.is_some() || wanted.1.is_some() {
        let (above, below) =
            (wanted.1.map_or(top, |max| heights.at(max)), wanted.0.map_or(bottom, |min| heights.at(min)));
        let bound = |bound: Option<f64>| bound.map(|bound| axis_label(bound, sort));
        let tip = match (bound(wanted.0), bound(wanted.1)) {
            (Some(min), Some(max)) => format!("target: {min} to {max}"),
            (Some(min), None) => format!("target: at least {min}"),
            (_, max) => format!("target: at most {}", max.unwrap_or_default()),
        };
        drawing.bar((left, above), (right - left, (below - above).max(1.0)), WANTED, &tip);
    }
    for at in heights.marks() {
        drawing.line((left, heights.at(at)), (right, heights.at(at)), GRID);
        drawing.word((left - 6.0, heights.at(at) + 4.0), "end", &axis_label(at, sort));
    }
    for bound in [wanted.0, wanted.1].into_iter().flatten() {
        drawing.dashed_line((left, heights.at(bound)), (right, heights.at(bound)), GREEN);
    }
    let step = (right - left) / points.len().max(1) as f64;
    let x = |at: usize| left + (at as f64 + 0.5) * step;
    drawing.curve(
        &points.iter().enumerate().map(|(at, (_, one))| (x(at), heights.at(one.value))).collect::<Vec<_>>(),
        GREY,
    );
    let labels: Vec<String> = points.iter().map(|(label, _)| label.clone()).collect();
    let every = label_interval(&labels, step);
    for (at, (label, estimate)) in points.iter().enumerate() {
        drawing.estimate_row(label, estimate);
        let (x, y) = (x(at), heights.at(estimate.value));
        let (low, high) = (estimate.interval.low, estimate.interval.high);
        if low.is_finite() && high.is_finite() {
            drawing.line((x, heights.at(low)), (x, heights.at(high)), INK);
        }
        let is_best = best == Some(at);
        let nearest = if is_best { ", nearest to the targets" } else { "" };
        let tip = format!("{label}: {}{nearest}", estimate_with_interval(estimate, sort));
        let (radius, color) = if is_best { (8, RED) } else { (5, BLUE) };
        drawing.dot((x, y), radius, color, &tip);
        if at % every == 0 {
            drawing.word((x, bottom + 16.0), "middle", label);
        }
    }
    drawing.finish()
}

/// Line colors of the sides. Color-blind people can tell them apart.
const SIDES: [&str; 7] = [BLUE, RED, GREEN, "#cc79a7", "#e69f00", SKY, GREY];

/// Draws the win probability of each side over the course of a game. `looks` are the moments, which are drawn at equal distances. Each
/// moment has the id of the page element that its points link to, and the win probability of each side.
pub(super) fn chances(title: &str, names: &[String], looks: &[(String, &[f64])]) -> Drawn {
    let (left, right, top, bottom) = (64.0, WIDTH - 70.0, 8.0, 150.0);
    let heads: Vec<&str> = ["moment"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut drawing = Drawing::new(title, bottom + 34.0, &heads);
    let heights = Scale { low: 0.0, high: 1.0, from: bottom, to: top };
    for at in [0.0, 0.25, 0.5, 0.75, 1.0] {
        drawing.line((left, heights.at(at)), (right, heights.at(at)), GRID);
        drawing.word((left - 6.0, heights.at(at) + 4.0), "end", &axis_label(at, MeasureKind::Share));
    }
    let step = (right - left) / looks.len().saturating_sub(1).max(1) as f64;
    let x = |at: usize| left + at as f64 * step;
    drawing.word((left, bottom + 16.0), "start", "beginning");
    drawing.word((right, bottom + 16.0), "end", "end");
    for (at, (_, chances)) in looks.iter().enumerate() {
        let numbers = chances.iter().map(|chance| plain(*chance));
        drawing.row(&std::iter::once((at + 1).to_string()).chain(numbers).collect::<Vec<_>>());
    }
    for (side, name) in names.iter().enumerate() {
        let color = SIDES[side % SIDES.len()];
        let chance = |chances: &[f64]| chances.get(side).copied().unwrap_or(0.0);
        let line: Vec<(f64, f64)> =
            looks.iter().enumerate().map(|(at, (_, chances))| (x(at), heights.at(chance(chances)))).collect();
        drawing.curve(&line, color);
        if let Some((end, y)) = line.last() {
            drawing.word((end + 8.0, y + 4.0), "start", name);
        }
        for (center, (id, chances)) in line.iter().zip(looks) {
            let tip = format!("{name}: {}, go to this position", percent(chance(chances)));
            drawing.svg.element("a").set("href", format_args!("#{id}")).content(|svg| {
                svg.circle(rounded(*center), 5).set("fill", color).titled(&tip);
            });
        }
    }
    drawing.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::escaped;

    fn estimate(value: f64) -> Estimate {
        Estimate { value, interval: Interval { low: value - 0.1, high: value + 0.1 }, count: 9 }
    }

    #[test]
    fn names_are_escaped() {
        let drawn =
            bars("a <b> & \"c\"", &[("<script>".to_owned(), estimate(0.5))], Some(("fair", 0.25)), MeasureKind::Share);
        let Drawn { svg, numbers } = drawn;
        assert!(!svg.contains("<script>") && svg.contains("&lt;script&gt;"), "{svg}");
        assert!(svg.ends_with("</svg>"));
        assert_eq!(numbers, "name,value,low,high,count\n<script>,0.5,0.4,0.6,9\n");
    }

    #[test]
    fn all_names_are_shown_if_there_are_few() {
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let (columns, rows) =
            (names(&["company", "forecast"]), names(&["Secret tip 1 of seat 1", "Secret tip 1 of seat 2"]));
        let drawn = heat("h", &[], &columns, &rows).svg;
        for name in columns.iter().chain(&rows) {
            assert!(drawn.contains(&format!(">{name}<")), "{name}: {drawn}");
        }
    }

    #[test]
    fn no_text_is_cut_off_at_the_edge() {
        let name = "Which of the many long decisions is it?: 投資客與其他人 and more";
        let rows = [(name.to_owned(), estimate(-0.9), true), (name.repeat(3), estimate(0.9), false)];
        let drawn =
            [dots("d", &rows, true), bars("b", &[(name.to_owned(), estimate(123_456.0))], None, MeasureKind::Amount)];
        for drawn in drawn {
            for text in drawn.svg.split("<text x=\"").skip(1) {
                let x: f64 = text.split('"').next().unwrap().parse().unwrap();
                let anchor = text.split("text-anchor=\"").nth(1).unwrap().split('"').next().unwrap();
                let word = text.split('>').nth(1).unwrap().split('<').next().unwrap();
                let (before, behind) = match anchor {
                    "middle" => (0.5, 0.5),
                    "end" => (1.0, 0.0),
                    _ => (0.0, 1.0),
                };
                assert!(x - before * width(word) >= -0.1 && x + behind * width(word) <= WIDTH + 0.1, "{word}");
            }
        }
        assert!(dots("d", &rows, true).svg.contains(&escaped(name)), "a name of usual length is there whole");
    }

    #[test]
    fn axes_are_marked_with_round_numbers() {
        assert_eq!(Scale { low: 0.0, high: 10.0, from: 0.0, to: 1.0 }.marks(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(Scale { low: -3.0, high: 40.0, from: 0.0, to: 1.0 }.marks(), [0.0, 10.0, 20.0, 30.0, 40.0]);
    }

    #[test]
    fn a_histogram_counts_every_number() {
        let mut numbers = Histogram::default();
        numbers.extend((0..500).map(|number| number % 97));
        let Drawn { svg: drawn, numbers: lines } = histogram("histogram", &numbers, 1);
        let counted: u64 =
            drawn.split(" of 500<").filter_map(|part| part.rsplit(": ").next()?.parse::<u64>().ok()).sum();
        assert_eq!(counted, 500);
        let listed: u64 =
            lines.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse::<u64>().unwrap()).sum();
        assert_eq!(listed, 500, "{lines}");
    }

    #[test]
    fn empty_plots_are_valid() {
        assert_eq!(histogram("none", &Histogram::default(), 1).svg, "");
        assert_eq!(fan("none", &[]).svg, "");
        let endless =
            Estimate { value: 0.0, interval: Interval { low: f64::NEG_INFINITY, high: f64::INFINITY }, count: 1 };
        assert!(!dots("one", &[("x".to_owned(), endless, false)], false).svg.contains("NaN"));
        let drawn = dots("one", &[("x".to_owned(), endless, false)], true).svg;
        assert!(drawn.contains("too few games") && !drawn.contains("inf"), "{drawn}");
    }
}
