//! What is said of each sort of mistake, a file for each code: of those that types show, and, with how they are found, of
//! those that show in the rules as a whole.

mod change_while_reading;
mod choice_out_of_place;
mod duplicate_function;
mod fixed_field;
mod fixed_name;
mod forbidden_word;
mod hidden_name;
mod kept_function;
mod never_ends;
mod never_in_force;
mod no_effect;
mod no_order;
mod no_score;
mod no_turn;
mod not_a_list;
mod not_a_number;
pub(super) mod not_arranging;
mod not_called;
mod not_indexed;
mod nothing_here;
mod outside_function;
mod script_words;
mod seen_order;
mod shared_name;
mod taken_name;
mod told_roll;
mod too_deep;
mod unfilled_text;
mod unknown_field;
pub(super) mod unknown_function;
mod unknown_name;
mod unknown_part;
mod unknown_quoted;
mod unknown_word;
mod unmet_condition;
mod unreachable;
mod unreached_function;
mod unseen_character;
mod unused;
mod unused_function;
mod used_meanwhile;
mod while_supposing;
mod wrong_arguments;
pub(super) mod wrong_arity;
pub(super) mod wrong_call;
mod wrong_result;
mod wrong_type;
mod wrong_value;

use super::calls::wrong_calls;
use super::infer::Act;
use super::program::{Code, Program, Read};
use crate::diagnostic::{Diagnostic, Severity};

pub(crate) use duplicate_function::{duplicates, known_to_the_rules, written_twice};
pub(super) use fixed_field::{fixed_field, fixed_table};
pub(super) use fixed_name::fixed_name;
pub(super) use forbidden_word::forbidden_word;
pub(super) use not_a_list::not_a_list;
pub(super) use not_a_number::not_a_number;
pub(super) use not_called::{not_called, not_called_behind};
pub(super) use not_indexed::{not_indexed, not_set};
pub(super) use nothing_here::{no_piece, nothing_here};
use script_words::ScriptWords;
pub(super) use seen_order::seen_order;
pub(crate) use shared_name::shared_facts;
pub(super) use told_roll::told_roll;
pub(super) use unfilled_text::{Filled, unfilled_text};
pub(super) use unknown_field::{Used, unknown_fact, unknown_field};
pub(super) use unknown_function::no_function_for;
pub(super) use unknown_name::out_of_reach;
pub(crate) use unknown_name::unknown_name;
pub(super) use unknown_part::{added_part, unknown_part};
pub(super) use unknown_quoted::unknown_quoted;
pub(super) use unknown_word::{unknown_word, unprinted_word};
pub(super) use wrong_arguments::{out_of_order, wrong_argument, wrong_entries, wrong_given};
pub(super) use wrong_arity::{wrong_function, wrong_number_for_kept};
pub(super) use wrong_call::not_a_function;
pub(crate) use wrong_result::SILENT;
pub(super) use wrong_result::wrong_result;
pub(super) use wrong_type::{
    always_there, holds_nothing, never_alike, never_alike_lists, never_in, never_nothing, never_of_one_kind,
    not_a_flag, quoted_number, wrong_operand, wrong_operands, wrong_result_of_function,
};
pub(super) use wrong_value::{wrong_entry, wrong_value};

/// So many mistakes of rules are told at once.
pub(crate) const MOST_TOLD: usize = 200;

/// What is wrong with rules as a whole, whatever types are known beside what they show that the rules do.
pub(crate) fn of_program(program: &Program<'_>, files: &[Read<'_>], acts: &[Act]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = files.iter().filter_map(outside_function::outside_function).collect();
    change_while_reading::more_than_looks(program, acts, &mut found);
    while_supposing::out_of_trials(program, &mut found);
    hidden_name::hidden_names(program, &mut found);
    for code in &program.codes {
        // What is known by the name nearest to each is looked up for no more of them than are told.
        if found.len() >= MOST_TOLD {
            break;
        }
        of_code(program, code, &mut found);
    }
    no_turn::given_without_turns(program, &mut found);
    too_deep::endless_calls(program, &mut found);
    unknown_part::undeclared_parts(program, &mut found);
    unknown_function::missing_functions(program, &mut found);
    wrong_arity::wrong_arities(program, &mut found);
    shared_name::shared_functions(program, &mut found);
    taken_name::taken_names(program, &mut found);
    wrong_result::silent_invariants(program, &mut found);
    found
}

/// What the author should look at in rules as a whole, in which nothing is wrong.
pub(crate) fn warnings(program: &Program<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = never_in_force::never_in_force(program).into_iter().collect();
    no_effect::idle(program, &mut found);
    found.extend(never_ends::never_ending(program));
    found.extend(no_score::no_score(program));
    unmet_condition::unmet_conditions(program, &mut found);
    let said = ScriptWords::of(program.model);
    unused::unused_kinds(program, &said, &mut found);
    unused::unused_names(program, &said, &mut found);
    unused_function::unused_functions(program, &said, &mut found);
    found
}

/// What is wrong with a function, or a text of a play.
fn of_code(program: &Program<'_>, code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    kept_function::kept_functions(program, code, found);
    not_called::named_only(program, code, found);
    no_order::without_any_order(program, code, found);
    unseen_character::unseen_characters(code, found);
    wrong_calls(program, code, found);
}

/// What is wrong with texts of plays beside rules, whatever types are known.
pub(crate) fn of_texts(program: &Program<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for code in program.codes.iter().filter(|code| code.is_text()) {
        of_code(program, code, &mut found);
        no_effect::idle_in_text(program, code, &mut found);
    }
    // In a play nothing without an effect is meant.
    found.into_iter().map(|found| Diagnostic { severity: Severity::Error, ..found }).collect()
}
