//! Functions of numbers, in addition to the operators and functions of the language (`+ - * / %`, `abs`, `min`, `max`).

use crate::diagnostic::sentence;
use crate::library::context::fault::{Answer, Fault};
use crate::library::entry::builder::RegistryBuilder;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Numbers");
    registry.function(
        "at_least",
        "number low",
        "The larger of `number` and `low`.",
        "at_least(-3, 0) // 0",
        |number: i64, low: i64| number.max(low),
    );
    registry.function(
        "at_most",
        "number high",
        "The smaller of `number` and `high`.",
        "at_most(12, 10) // 10",
        |number: i64, high: i64| number.min(high),
    );
    registry.function(
        "divide_up",
        "number by",
        "A quotient, rounded up.",
        "divide_up(7, 2) // 4",
        |number: i64, by: i64| -> Answer<i64> {
            let down = divide_down(number, by)?;
            Ok(down + i64::from(down * by != number))
        },
    );
    registry.function(
        "divide_down",
        "number by",
        "A quotient, rounded down (also for negative numbers).",
        "divide_down(-7, 2) // -4",
        divide_down,
    );
}

/// Divides `number` by `by`, rounding down. Fails if `by` is 0.
fn divide_down(number: i64, by: i64) -> Answer<i64> {
    if by == 0 {
        return Err(sentence::divided_by_nothing().into());
    }
    if let (Some(whole), Some(rest)) = (number.checked_div(by), number.checked_rem(by)) {
        return Ok(whole - i64::from(rest != 0 && (rest < 0) != (by < 0)));
    }
    let message = format!("`{number} / {by}` is a larger number than rules can hold");
    Err(Fault::new("arithmetic", message, sentence::CANNOT_BE_CALCULATED).into())
}
