//! Explanation of the correction for multiple testing.

use super::number::exact;
use crate::simulation::{CONFIDENCE, FALSE_FINDINGS, confidence_together};

/// States the rule by which a difference counts as significant if several items are tested together. `adjusted` contains the adjusted
/// p-values.
pub(super) fn testing_rule(who: &str, together: &str, adjusted: &[f64]) -> String {
    let each = confidence_together(adjusted) * 100.0;
    if each <= CONFIDENCE * 100.0 {
        return format!("{who} where the interval of the difference ({:.0} %) leaves out 0.", CONFIDENCE * 100.0);
    }
    format!(
        "{who} where the interval of the difference leaves out 0. {together} are looked at together, so intervals are wider \
         than one alone would be ({} %, not {:.0} %): of all that is called a difference at most {:.0} % may be chance.",
        exact((each * 1000.0).floor() / 1000.0),
        CONFIDENCE * 100.0,
        FALSE_FINDINGS * 100.0
    )
}
