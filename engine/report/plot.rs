//! Plots as SVG: plain shapes that print, scale and can be searched. Colors are those of Okabe and Ito, told apart by people
//! who do not see all colors, and nothing is told by color alone.

use super::number::{amount, percent};
use crate::simulation::{Estimate, Sort, Spread};
use std::fmt::Write as _;

const BLUE: &str = "#0072b2";
const SKY: &str = "#56b4e9";
const RED: &str = "#d55e00";
const GREY: &str = "#666666";
const WIDTH: f64 = 640.0;

/// A text as it stands in SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A drawing being made.
struct Drawing {
    text: String,
}

impl Drawing {
    fn new(title: &str, height: f64) -> Self {
        let title = escaped(title);
        let text = format!(
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\" xmlns=\"http://www.w3.org/2000/svg\"><title>{title}</title>"
        );
        Self { text }
    }

    fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), color: &str, dash: &str) {
        let _ = write!(
            self.text,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{color}\" stroke-width=\"1.5\"{dash}/>"
        );
    }

    fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), color: &str, tip: &str) {
        let tip = escaped(tip);
        let _ = write!(
            self.text,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{color}\"><title>{tip}</title></rect>",
            width.max(0.0)
        );
    }

    fn word(&mut self, (x, y): (f64, f64), anchor: &str, word: &str) {
        let word = escaped(word);
        let _ = write!(self.text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{word}</text>");
    }

    fn shape(&mut self, points: &[(f64, f64)], color: &str, opacity: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = write!(self.text, "<polygon points=\"{}\" fill=\"{color}\" opacity=\"{opacity}\"/>", points.join(" "));
    }

    fn path(&mut self, points: &[(f64, f64)], color: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = write!(
            self.text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
    }

    fn finish(mut self) -> String {
        self.text.push_str("</svg>");
        self.text
    }
}

const DASHED: &str = " stroke-dasharray=\"5 4\"";
const PLAIN: &str = "";

/// From numbers to places along a line, with round numbers to mark.
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

    /// The same, beginning at a number exactly.
    fn starting(self, low: f64) -> Self {
        Self { low, ..self }
    }

    fn at(&self, number: f64) -> f64 {
        let part = ((number - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + part * (self.to - self.from)
    }

    /// Round numbers, about five of them.
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

fn told(number: f64, sort: Sort) -> String {
    match sort {
        Sort::Share => percent(number),
        Sort::Amount => amount(number),
    }
}

/// The short form on an axis.
fn mark(number: f64, sort: Sort) -> String {
    match sort {
        Sort::Share => format!("{:.0} %", number * 100.0),
        Sort::Amount if number.fract() == 0.0 => super::number::grouped(number as i64),
        Sort::Amount => amount(number),
    }
}

const ROW: f64 = 26.0;
const LABEL: f64 = 190.0;

fn axis(drawing: &mut Drawing, scale: &Scale, (top, bottom): (f64, f64), sort: Sort) {
    for at in scale.marks() {
        let x = scale.at(at);
        drawing.line((x, top), (x, bottom), "#dddddd", PLAIN);
        drawing.word((x, bottom + 16.0), "middle", &mark(at, sort));
    }
}

/// A label that has room beside a row; the whole of it is in the tip.
fn short(label: &str) -> String {
    const MOST: usize = 30;
    if label.chars().count() <= MOST {
        return label.to_owned();
    }
    label.chars().take(MOST - 1).chain(['…']).collect()
}

/// Bars with whiskers, and a dashed line for what would be fair.
pub(super) fn bars(title: &str, rows: &[(String, Estimate)], fair: Option<f64>, sort: Sort) -> String {
    let height = rows.len() as f64 * ROW + 34.0;
    let ends = rows.iter().flat_map(|(_, estimate)| [estimate.value, estimate.interval.high]).chain(fair);
    let high = ends.filter(|number| number.is_finite()).fold(0.0, f64::max);
    let scale = Scale::new(0.0, high, LABEL, WIDTH - 60.0).starting(0.0);
    let mut drawing = Drawing::new(title, height);
    let bottom = rows.len() as f64 * ROW + 6.0;
    axis(&mut drawing, &scale, (4.0, bottom), sort);
    for (at, (label, estimate)) in rows.iter().enumerate() {
        let y = at as f64 * ROW + 8.0;
        let tip = format!(
            "{label}: {} ({} to {})",
            told(estimate.value, sort),
            told(estimate.interval.low, sort),
            told(estimate.interval.high, sort)
        );
        drawing.word((LABEL - 8.0, y + 13.0), "end", &short(label));
        drawing.bar((scale.at(0.0), y), (scale.at(estimate.value) - scale.at(0.0), ROW - 9.0), SKY, &tip);
        whisker(&mut drawing, &scale, estimate, y + (ROW - 9.0) / 2.0);
        drawing.word(
            (scale.at(estimate.value.max(estimate.interval.high)) + 6.0, y + 13.0),
            "start",
            &told(estimate.value, sort),
        );
    }
    if let Some(fair) = fair {
        drawing.line((scale.at(fair), 2.0), (scale.at(fair), bottom), RED, DASHED);
    }
    drawing.finish()
}

fn whisker(drawing: &mut Drawing, scale: &Scale, estimate: &Estimate, y: f64) {
    let (low, high) = (scale.at(estimate.interval.low), scale.at(estimate.interval.high));
    drawing.line((low, y), (high, y), "#000000", PLAIN);
    drawing.line((low, y - 4.0), (low, y + 4.0), "#000000", PLAIN);
    drawing.line((high, y - 4.0), (high, y + 4.0), "#000000", PLAIN);
}

/// Points with whiskers beside zero: differences.
pub(super) fn dots(title: &str, rows: &[(String, Estimate, bool)], sort: Sort) -> String {
    let height = rows.len() as f64 * ROW + 34.0;
    let finite = |number: &f64| number.is_finite();
    let ends =
        || rows.iter().flat_map(|(_, estimate, _)| [estimate.interval.low, estimate.interval.high]).filter(finite);
    let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    let scale = Scale::new(low, high, LABEL, WIDTH - 20.0);
    let mut drawing = Drawing::new(title, height);
    let bottom = rows.len() as f64 * ROW + 6.0;
    axis(&mut drawing, &scale, (4.0, bottom), sort);
    drawing.line((scale.at(0.0), 2.0), (scale.at(0.0), bottom), RED, DASHED);
    for (at, (label, estimate, is_finding)) in rows.iter().enumerate() {
        let y = at as f64 * ROW + 8.0 + (ROW - 9.0) / 2.0;
        drawing.word((LABEL - 8.0, y + 5.0), "end", &short(label));
        whisker(&mut drawing, &scale, estimate, y);
        let x = scale.at(estimate.value);
        let tip = escaped(&format!(
            "{label}: {} ({} to {})",
            told(estimate.value, sort),
            told(estimate.interval.low, sort),
            told(estimate.interval.high, sort)
        ));
        let fill = if *is_finding { BLUE } else { "#ffffff" };
        let _ = write!(
            drawing.text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{fill}\" stroke=\"{BLUE}\" stroke-width=\"1.5\"><title>{tip}</title></circle>"
        );
    }
    drawing.finish()
}

/// How often numbers came up, in at most forty columns.
pub(super) fn histogram(title: &str, spread: &Spread, unit: i64) -> String {
    const COLUMNS: i64 = 40;
    let (Some(least), Some(most)) = (spread.min(), spread.max()) else { return String::new() };
    let step = (i128::from(most) - i128::from(least)) as i64 / COLUMNS + 1;
    let mut columns = vec![0_u64; ((most - least) / step + 1) as usize];
    for (number, count) in spread.counts() {
        let at = ((number.clamp(least, most) - least) / step) as usize;
        columns[at] += count;
    }
    let highest = columns.iter().copied().max().unwrap_or(1).max(1) as f64;
    let total = spread.total().max(1) as f64;
    let (left, right, top, bottom) = (56.0, WIDTH - 12.0, 8.0, 150.0);
    let width = (right - left) / columns.len() as f64;
    let mut drawing = Drawing::new(title, bottom + 34.0);
    let heights = Scale::new(0.0, highest / total, bottom, top).starting(0.0);
    for at in heights.marks() {
        drawing.line((left, heights.at(at)), (right, heights.at(at)), "#dddddd", PLAIN);
        drawing.word((left - 6.0, heights.at(at) + 4.0), "end", &percent(at));
    }
    let named =
        |number: i64| if unit == 1 { super::number::grouped(number) } else { amount(number as f64 / unit as f64) };
    let every = (columns.len() / 10).max(1);
    for (at, count) in columns.iter().enumerate() {
        let (x, y) = (left + at as f64 * width, heights.at(*count as f64 / total));
        let begin = least + at as i64 * step;
        let words = if step == 1 { named(begin) } else { format!("{} to {}", named(begin), named(begin + step - 1)) };
        let tip = format!("{words}: {} of {}", count, spread.total());
        drawing.bar((x + 0.5, y), (width - 1.0, bottom - y), BLUE, &tip);
        if at % every == 0 {
            drawing.word((x + width / 2.0, bottom + 16.0), "middle", &named(begin));
        }
    }
    if let Some(mean) = spread.mean() {
        let x = left + (mean - least as f64) / step as f64 * width + if step == 1 { width / 2.0 } else { 0.0 };
        drawing.line((x, top), (x, bottom), RED, DASHED);
    }
    drawing.finish()
}

/// One round of a fan.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blade {
    pub(super) round: u16,
    /// At 5, 25, 50, 75 and 95 of a hundred.
    pub(super) at: [f64; 5],
}

/// Bands over rounds: the middle nine tenths, the middle half, and the median.
pub(super) fn fan(title: &str, blades: &[Blade]) -> String {
    let (Some(first), Some(last)) = (blades.first(), blades.last()) else { return String::new() };
    let low = blades.iter().map(|blade| blade.at[0]).fold(f64::INFINITY, f64::min);
    let high = blades.iter().map(|blade| blade.at[4]).fold(f64::NEG_INFINITY, f64::max);
    let (left, right, top, bottom) = (56.0, WIDTH - 12.0, 8.0, 150.0);
    let rounds =
        Scale { low: f64::from(first.round), high: f64::from(last.round.max(first.round + 1)), from: left, to: right };
    let heights = Scale::new(low, high, bottom, top);
    let mut drawing = Drawing::new(title, bottom + 34.0);
    for at in heights.marks() {
        drawing.line((left, heights.at(at)), (right, heights.at(at)), "#dddddd", PLAIN);
        drawing.word((left - 6.0, heights.at(at) + 4.0), "end", &mark(at, Sort::Amount));
    }
    let every = (blades.len() / 12).max(1);
    for blade in blades.iter().step_by(every) {
        drawing.word((rounds.at(f64::from(blade.round)), bottom + 16.0), "middle", &blade.round.to_string());
    }
    let edge = |at: usize| blades.iter().map(move |blade| (f64::from(blade.round), blade.at[at]));
    let placed =
        |points: Vec<(f64, f64)>| points.into_iter().map(|(x, y)| (rounds.at(x), heights.at(y))).collect::<Vec<_>>();
    for (outer, inner, opacity) in [(0, 4, "0.25"), (1, 3, "0.5")] {
        let mut around: Vec<(f64, f64)> = edge(outer).collect();
        around.extend(edge(inner).collect::<Vec<_>>().into_iter().rev());
        drawing.shape(&placed(around), SKY, opacity);
    }
    drawing.path(&placed(edge(2).collect()), BLUE);
    drawing.finish()
}

/// One cell of a heat map.
#[derive(Debug, Clone)]
pub(super) struct Heat {
    pub(super) column: usize,
    pub(super) row: usize,
    pub(super) share: f64,
    pub(super) name: String,
    pub(super) text: String,
}

/// Cells that are darker the more they hold; every cell says its number.
pub(super) fn heat(title: &str, cells: &[Heat]) -> String {
    let columns = cells.iter().map(|cell| cell.column + 1).max().unwrap_or(1);
    let rows = cells.iter().map(|cell| cell.row + 1).max().unwrap_or(1);
    let most = cells.iter().map(|cell| cell.share).fold(0.0, f64::max).max(1e-9);
    let size = (WIDTH / columns as f64).min(64.0);
    let tall = size.min(44.0);
    let mut drawing = Drawing::new(title, rows as f64 * tall + 4.0);
    for cell in cells {
        let (x, y) = (cell.column as f64 * size, cell.row as f64 * tall);
        let depth = cell.share / most;
        let part = |light: f64, dark: f64| (light + (dark - light) * depth).round() as u8;
        let color = format!("#{:02x}{:02x}{:02x}", part(247.0, 0.0), part(251.0, 90.0), part(255.0, 160.0));
        drawing.bar((x + 1.0, y + 1.0), (size - 2.0, tall - 2.0), &color, &format!("{}: {}", cell.name, cell.text));
        if size >= 34.0 {
            let ink = if depth > 0.55 { "#ffffff" } else { "#000000" };
            let _ = write!(
                drawing.text,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
                x + size / 2.0,
                y + tall / 2.0 + 4.0,
                escaped(&cell.text)
            );
        }
    }
    drawing.finish()
}

/// A line of points with whiskers over the values of a dial, and the bounds that are wanted.
pub(super) fn curve(
    title: &str,
    points: &[(String, Estimate)],
    wanted: (Option<f64>, Option<f64>),
    sort: Sort,
) -> String {
    let ends = || {
        let intervals =
            points.iter().flat_map(|(_, estimate)| [estimate.interval.low, estimate.interval.high, estimate.value]);
        intervals.chain(wanted.0).chain(wanted.1).filter(|number| number.is_finite())
    };
    let (low, high) = (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
    let (left, right, top, bottom) = (64.0, WIDTH - 20.0, 8.0, 170.0);
    let heights = Scale::new(low, high, bottom, top);
    let mut drawing = Drawing::new(title, bottom + 34.0);
    for at in heights.marks() {
        drawing.line((left, heights.at(at)), (right, heights.at(at)), "#dddddd", PLAIN);
        drawing.word((left - 6.0, heights.at(at) + 4.0), "end", &mark(at, sort));
    }
    for bound in [wanted.0, wanted.1].into_iter().flatten() {
        drawing.line((left, heights.at(bound)), (right, heights.at(bound)), RED, DASHED);
    }
    let step = (right - left) / points.len().max(1) as f64;
    let x = |at: usize| left + (at as f64 + 0.5) * step;
    drawing.path(
        &points.iter().enumerate().map(|(at, (_, one))| (x(at), heights.at(one.value))).collect::<Vec<_>>(),
        GREY,
    );
    for (at, (label, estimate)) in points.iter().enumerate() {
        let (x, y) = (x(at), heights.at(estimate.value));
        drawing.line((x, heights.at(estimate.interval.low)), (x, heights.at(estimate.interval.high)), "#000000", PLAIN);
        let tip = escaped(&format!("{label}: {}", told(estimate.value, sort)));
        let _ = write!(
            drawing.text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{BLUE}\"><title>{tip}</title></circle>"
        );
        drawing.word((x, bottom + 16.0), "middle", label);
    }
    drawing.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::Interval;

    fn estimate(value: f64) -> Estimate {
        Estimate { value, interval: Interval { low: value - 0.1, high: value + 0.1 }, count: 9 }
    }

    #[test]
    fn names_cannot_break_out_of_a_drawing() {
        let drawn = bars("a <b> & \"c\"", &[("<script>".to_owned(), estimate(0.5))], Some(0.25), Sort::Share);
        assert!(!drawn.contains("<script>") && drawn.contains("&lt;script&gt;"), "{drawn}");
        assert!(drawn.ends_with("</svg>"));
    }

    #[test]
    fn axes_are_marked_with_round_numbers() {
        assert_eq!(Scale { low: 0.0, high: 10.0, from: 0.0, to: 1.0 }.marks(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(Scale { low: -3.0, high: 40.0, from: 0.0, to: 1.0 }.marks(), [0.0, 10.0, 20.0, 30.0, 40.0]);
    }

    #[test]
    fn a_histogram_counts_every_number() {
        let mut spread = Spread::default();
        spread.extend((0..500).map(|number| number % 97));
        let drawn = histogram("spread", &spread, 1);
        let counted: u64 =
            drawn.split(" of 500<").filter_map(|part| part.rsplit(": ").next()?.parse::<u64>().ok()).sum();
        assert_eq!(counted, 500);
    }

    #[test]
    fn nothing_to_draw_is_drawn_without_a_fault() {
        assert_eq!(histogram("none", &Spread::default(), 1), "");
        assert_eq!(fan("none", &[]), "");
        let endless =
            Estimate { value: 0.0, interval: Interval { low: f64::NEG_INFINITY, high: f64::INFINITY }, count: 1 };
        assert!(!dots("one", &[("x".to_owned(), endless, false)], Sort::Amount).contains("NaN"));
    }
}
