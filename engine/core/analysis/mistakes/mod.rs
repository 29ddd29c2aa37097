//! Diagnostics of the static analysis, one file for each code. These files also find the mistakes that do not depend on types.

mod change_while_reading;
mod choice_out_of_place;
mod duplicate_function;
mod fixed_field;
mod fixed_name;
mod forbidden_word;
mod hidden_name;
mod kept_function;
mod laid_by_chance;
mod missing_text;
mod missing_translation;
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
mod not_shuffled;
mod nothing_here;
mod outside_function;
mod script_words;
mod seen_order;
mod shared_name;
mod taken_name;
mod telling_question;
mod told_roll;
mod too_deep;
mod two_meanings;
mod unfilled_text;
mod unknown_field;
pub(super) mod unknown_function;
mod unknown_name;
mod unknown_part;
mod unknown_quoted;
mod unknown_word;
mod unlearned_move;
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
mod wrong_part;
mod wrong_result;
mod wrong_type;
mod wrong_value;

use super::calls::report_wrong_calls;
use super::infer::CertainEffect;
use super::program::{Code, ParsedFile, Program};
use crate::diagnostic::{Diagnostic, MAX_REPORTED, Severity};

pub(crate) use duplicate_function::{duplicates, written_twice};
pub(super) use fixed_field::{fixed_field, fixed_table};
pub(super) use fixed_name::fixed_name;
pub(super) use forbidden_word::forbidden_word;
pub(super) use laid_by_chance::laid_by_chance;
pub(super) use missing_text::missing_pass;
pub(super) use missing_translation::untranslated_word;
pub(super) use not_a_list::not_a_list;
pub(super) use not_a_number::not_a_number;
pub(super) use not_called::{not_called, not_called_behind};
pub(super) use not_indexed::{not_indexed, not_set};
pub(super) use not_shuffled::not_shuffled;
pub(super) use nothing_here::{no_piece, nothing_here};
use script_words::ScriptWords;
pub(super) use seen_order::seen_order;
pub(crate) use shared_name::shared_facts;
pub(super) use telling_question::{telling_question, telling_selection};
pub(super) use told_roll::told_roll;
pub(super) use two_meanings::two_meanings;
pub(super) use unfilled_text::{TextCategory, unfilled_text};
pub(super) use unknown_field::{FieldUse, field_of_some, unknown_fact, unknown_field};
pub(super) use unknown_function::no_function_for;
pub(super) use unknown_name::out_of_scope;
pub(crate) use unknown_name::unknown_name;
pub(super) use unknown_part::{added_part, unknown_part};
pub(super) use unknown_quoted::unknown_quoted;
pub(super) use unknown_word::{unknown_word, unprinted_word};
pub(super) use unlearned_move::unlearned_move;
pub(super) use wrong_arguments::{out_of_order, wrong_argument, wrong_argument_of_rules, wrong_entries};
pub(super) use wrong_arity::{wrong_function, wrong_number_for_field, wrong_number_for_kept};
pub(super) use wrong_call::not_a_function;
pub(crate) use wrong_part::wrong_parts;
pub(crate) use wrong_result::SILENT_INVARIANT_HELP;
pub(super) use wrong_result::wrong_result;
pub(super) use wrong_type::{
    always_there, holds_nothing, never_alike, never_alike_lists, never_in, never_nothing, never_of_one_kind,
    not_a_flag, quoted_number, wrong_operand, wrong_operands, wrong_result_of_function,
};
pub(crate) use wrong_value::links_without_two_ends;
pub(super) use wrong_value::{wrong_entry, wrong_value};

/// Returns the mistakes of the whole program that do not depend on types. `acts` are the effects that type inference has found.
pub(crate) fn program_mistakes(
    program: &Program<'_>,
    files: &[ParsedFile<'_>],
    acts: &[CertainEffect],
) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = files.iter().filter_map(outside_function::outside_function).collect();
    change_while_reading::report_forbidden_effects(program, acts, &mut found);
    while_supposing::report_forbidden_in_trials(program, &mut found);
    for code in &program.codes {
        // Suggesting similar names is slow, so the search stops when enough mistakes have been found.
        if found.len() >= MAX_REPORTED {
            break;
        }
        report_function_mistakes(program, code, &mut found);
    }
    no_turn::report_turns_without_seat(program, &mut found);
    too_deep::report_endless_recursion(program, &mut found);
    unknown_part::report_undeclared_parts(program, &mut found);
    unknown_function::report_missing_functions(program, &mut found);
    wrong_arity::report_wrong_arities(program, &mut found);
    shared_name::report_shared_functions(program, &mut found);
    taken_name::report_taken_names(program, &mut found);
    wrong_result::report_silent_invariants(program, &mut found);
    found
}

/// Returns warnings about a program without errors.
pub(crate) fn warnings(program: &Program<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = never_in_force::never_in_force(program).into_iter().collect();
    no_effect::report_unused_code(program, &mut found);
    found.extend(never_ends::never_ending(program));
    found.extend(no_score::no_score(program));
    unmet_condition::report_unmet_conditions(program, &mut found);
    hidden_name::report_hidden_names(program, &mut found);
    let said = ScriptWords::new(program.model);
    unused::report_unused_kinds(program, &said, &mut found);
    unused::report_unused_names(program, &said, &mut found);
    unused_function::report_unused_functions(program, &said, &mut found);
    found
}

/// Adds the mistakes of one function, or of code in a playscript.
fn report_function_mistakes(program: &Program<'_>, code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    kept_function::report_stored_closures(program, code, found);
    not_called::report_uncalled_functions(program, code, found);
    no_order::report_uses_of_order(program, code, found);
    unseen_character::report_unseen_characters(code, found);
    report_wrong_calls(program, code, found);
}

/// Returns the mistakes in playscript code that do not depend on types.
pub(crate) fn playscript_mistakes(program: &Program<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for code in program.codes.iter().filter(|code| code.is_text()) {
        report_function_mistakes(program, code, &mut found);
        no_effect::report_in_playscript(program, code, &mut found);
    }
    // Code without effect is never intended in a playscript, so it is an error there.
    found.into_iter().map(|found| Diagnostic { severity: Severity::Error, ..found }).collect()
}
