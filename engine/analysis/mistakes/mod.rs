//! What is said of each sort of mistake that types show, a file for each code.

mod fixed_field;
mod fixed_name;
mod not_a_list;
mod not_indexed;
mod nothing_here;
mod unfilled_text;
mod unknown_field;
mod unknown_function;
mod unknown_part;
mod unknown_quoted;
mod unknown_word;
mod wrong_arguments;
mod wrong_arity;
mod wrong_result;
mod wrong_type;
mod wrong_value;

pub(super) use fixed_field::fixed_field;
pub(super) use fixed_name::fixed_name;
pub(super) use not_a_list::not_a_list;
pub(super) use not_indexed::not_indexed;
pub(super) use nothing_here::nothing_here;
pub(super) use unfilled_text::unfilled_text;
pub(super) use unknown_field::{unknown_fact, unknown_field};
pub(super) use unknown_function::no_function_for;
pub(super) use unknown_part::unknown_part;
pub(super) use unknown_quoted::unknown_quoted;
pub(super) use unknown_word::unknown_word;
pub(super) use wrong_arguments::{out_of_order, wrong_argument, wrong_given};
pub(super) use wrong_arity::wrong_function;
pub(super) use wrong_result::wrong_result;
pub(super) use wrong_type::{
    holds_nothing, never_alike, never_in, not_a_flag, quoted_number, wrong_operand, wrong_operands,
    wrong_result_of_function,
};
pub(super) use wrong_value::wrong_value;

/// What to do where something may be nothing.
const ASK_FIRST: &str = "ask first whether it is there: `if x != () { … }`";
