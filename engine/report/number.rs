//! Formatting of numbers for people.

use crate::simulation::{Estimate, MeasureKind};

/// Formats a share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Formats an upper bound of a share as a percentage: rounded up, with at least one significant digit.
pub(super) fn percent_at_most(share: f64) -> String {
    let percent = share * 100.0;
    let digits = if percent >= 1.0 || percent <= 0.0 { 1 } else { (-percent.log10().floor()).max(1.0) as usize };
    let scale = 10_f64.powi(digits as i32);
    format!("{:.digits$} %", (percent * scale).ceil() / scale)
}

/// Formats a number with up to six decimals, to be read by other programs. Returns an empty string if the number is not finite.
pub(super) fn plain(number: f64) -> String {
    if !number.is_finite() {
        return String::new();
    }
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a difference of shares in percentage points, with its sign.
pub fn points(difference: f64) -> String {
    format!("{:+.1}", difference * 100.0)
}

/// Formats a number for people: with two decimals below 10, one below 100, and none from 100 on. Returns `unknown` if the number is not
/// finite.
pub fn amount(number: f64) -> String {
    if !number.is_finite() {
        return "unknown".to_owned();
    }
    let size = number.abs();
    let text = if size >= 1000.0 {
        return grouped(number.round() as i64);
    } else if size >= 100.0 {
        format!("{number:.0}")
    } else if size >= 10.0 {
        format!("{number:.1}")
    } else {
        format!("{number:.2}")
    };
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

/// Formats an integer with a comma between groups of three digits.
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// Returns the text with its first letter capitalized.
pub(super) fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Formats the confidence interval of a figure.
pub fn span(estimate: &Estimate, sort: MeasureKind) -> String {
    let interval = estimate.interval;
    if !interval.low.is_finite() || !interval.high.is_finite() {
        return "too few games".to_owned();
    }
    match sort {
        MeasureKind::Share => format!("{:.1} to {}", interval.low * 100.0, percent(interval.high)),
        MeasureKind::Amount => format!("{} to {}", amount(interval.low), amount(interval.high)),
    }
}

/// Formats a figure with its confidence interval.
pub fn estimate_text(estimate: &Estimate, sort: MeasureKind) -> String {
    format!("{} ({})", value(estimate, sort), span(estimate, sort))
}

/// Formats a number with up to six decimals, without trailing zeros.
pub fn exact(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a figure without its interval.
pub(super) fn value(estimate: &Estimate, sort: MeasureKind) -> String {
    match sort {
        MeasureKind::Share => percent(estimate.value),
        MeasureKind::Amount => amount(estimate.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_by_size() {
        assert_eq!(
            [0.0, -0.001, 1.234, 12.34, 123.4, 1_234_567.8].map(amount),
            ["0.00", "0.00", "1.23", "12.3", "123", "1,234,568"]
        );
        assert_eq!([0, 999, -1000].map(grouped), ["0", "999", "-1,000"]);
        let bounds = [1.0, 0.031, 0.0101, 0.005, 0.000_124_8, 0.0].map(percent_at_most);
        assert_eq!(bounds, ["100.0 %", "3.1 %", "1.1 %", "0.5 %", "0.02 %", "0.0 %"]);
        assert_eq!((percent(0.2512), points(-0.0123)), ("25.1 %".to_owned(), "-1.2".to_owned()));
    }
}
