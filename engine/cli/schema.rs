//! stub
use super::output::{Failure, Output};
use clap::Args;
/// x
#[derive(Args, Debug)]
pub(super) struct Schema {}
impl Schema { pub(super) fn run(&self, _o: &mut Output) -> Result<(), Failure> { Ok(()) } }
