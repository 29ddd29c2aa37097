//! Log-log plot of the cost of decisions by size. Linear growth has the slope of the grey lines.

use super::{Row, Series};
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 40.0;
const PLOT: f64 = 440.0;

/// Number of powers of ten on each axis: sizes from 1, costs from 0.1 microseconds.
const DECADES: f64 = 4.0;

const COLORS: [&str; 9] =
    ["#1b6ca8", "#d1495b", "#2e7d32", "#8e5ea2", "#b8860b", "#00838f", "#c2185b", "#5d4037", "#546e7a"];

/// Returns the SVG image of all series.
pub(crate) fn picture(measured: &[(&Series, Vec<Row>)]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    scales(&mut svg);
    for (at, (series, rows)) in measured.iter().enumerate() {
        let color = COLORS[at % COLORS.len()];
        let points: Vec<String> =
            rows.iter().map(|(size, costs)| format!("{:.1},{:.1}", x(*size as f64), y(costs[0]))).collect();
        let points = points.join(" ");
        let line = 40.0 + 22.0 * at as f64;
        writeln!(svg, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>").unwrap();
        writeln!(svg, "<text x=\"{}\" y=\"{line}\" fill=\"{color}\">{}</text>", LEFT + PLOT + 16.0, series.name)
            .unwrap();
    }
    svg + "</svg>\n"
}

/// Draws the frame, the grid, and lines of linear growth.
fn scales(svg: &mut String) {
    for power in 0..=DECADES as i32 {
        let (size, cost) = (10_f64.powi(power), 10_f64.powi(power - 1));
        let (across, up) = (x(size), y(cost));
        let (right, base) = (LEFT + PLOT, HEIGHT - BOTTOM);
        writeln!(svg, "<path d=\"M{LEFT} {up}H{right}M{across} 20V{base}\" stroke=\"#e6e6e6\"/>").unwrap();
        writeln!(svg, "<text x=\"{across}\" y=\"{}\" text-anchor=\"middle\">{size}</text>", base + 16.0).unwrap();
        writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{cost}</text>", LEFT - 6.0, up + 4.0).unwrap();
        let (from, to) = (y(cost), y(10_f64.powf(DECADES - 1.0)));
        let far = LEFT + PLOT * (DECADES - f64::from(power)) / DECADES;
        writeln!(svg, "<path d=\"M{LEFT} {from}L{far} {to}\" stroke=\"#cccccc\" stroke-dasharray=\"3 4\"/>").unwrap();
    }
    writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">size</text>", LEFT + PLOT / 2.0, HEIGHT - 6.0)
        .unwrap();
    writeln!(svg, "<text x=\"6\" y=\"14\">microseconds a decision</text>").unwrap();
}

fn x(size: f64) -> f64 {
    LEFT + PLOT * size.log10() / DECADES
}

fn y(cost: f64) -> f64 {
    HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 20.0) * (cost.log10() + 1.0) / DECADES
}
