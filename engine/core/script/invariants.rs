//! Checks of the invariants that the rules declare.

use super::failed_condition;
use super::host::Host;
use super::step::call;
use crate::analysis::mistakes;
use crate::decision::Choice;
use crate::diagnostic::Diagnostic;
use crate::library::{INVARIANT, State};

/// Calls every `invariant_…` function of the rules.
///
/// # Errors
/// Returns a diagnostic for the first invariant that does not hold or that stops with a fault.
pub fn invariants(host: &Host, state: &mut State) -> Result<(), Box<Diagnostic>> {
    for function in host.functions().iter().filter(|f| f.name.starts_with(INVARIANT)) {
        let broken = match call(host, state, &function.name, None) {
            // An invariant that uses `ensure` returns nothing if it holds.
            Ok(Choice::Flag(true)) => continue,
            Ok(Choice::Nothing) if host.may_stop_with_message(&function.name) => continue,
            Ok(Choice::Flag(false)) => failed_condition::explain_false(host, state, &function.name),
            Ok(Choice::Nothing) => host.wrong_result(&function.name, "nothing").help(mistakes::SILENT_INVARIANT_HELP),
            Ok(_) => host.wrong_result(&function.name, "not `true` or `false`").help("end it with a comparison"),
            Err(diagnostic) => failed_condition::explain_ensure(host, state, &function.name, diagnostic),
        };
        return Err(Box::new(broken));
    }
    Ok(())
}
