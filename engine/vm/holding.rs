//! How much a run may hold: the weight of all that its registers hold, and how deep things lie within each other.

use super::context::Context;
use super::fault::{Answer, MachineFault};
use super::machine::Run;
use super::meter::without_end;
use crate::decision::{MOST_HELD, MOST_NESTED, TOO_HEAVY, Value};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What is said of variables that hold too much, and of lists too deep within each other.
const TOO_MUCH_HELD: &str = "the variables of a function hold too much together";
const TOO_DEEP_WITHIN: &str = "lists or maps lie too deep within each other";

/// To look at so many entries of what is held counts as one operation.
const ENTRIES_LOOKED_AT: usize = 32;

/// To look whether so many lists and maps are one counts as one operation.
const LISTS_COMPARED: usize = 2;

impl Run {
    /// Pays for some work of the rules.
    #[inline]
    pub(super) fn spend(&mut self, work: usize) -> Answer<()> {
        self.meter.spend(work)?;
        if self.meter.is_overloaded() { self.weigh_held() } else { Ok(()) }
    }

    /// Refuses, now and then, to hold too much.
    #[inline(always)]
    pub(super) fn look<C: Context>(&mut self, context: &mut C) -> Answer<()> {
        if self.meter.is_due() { self.weigh(context) } else { Ok(()) }
    }

    /// Refuses to hold too much, once what calls of the library have done is paid for.
    #[cold]
    pub(super) fn weigh<C: Context>(&mut self, context: &mut C) -> Answer<()> {
        self.meter.looked = 0;
        self.meter.spend_work(context)?;
        self.weigh_held()
    }

    /// Refuses to hold too much, or what lies too deep within itself. To look counts as what is looked at.
    #[cold]
    fn weigh_held(&mut self) -> Answer<()> {
        self.meter.unweighed = 0;
        let (mut room, mut left) = (MOST_HELD, MOST_NESTED);
        let holds_little =
            self.stack[..self.held].iter().all(|value| value.charge_memory_and_levels(&mut room, &mut left));
        self.burn((self.held + MOST_HELD - room) / ENTRIES_LOOKED_AT)?;
        self.meter.levels = MOST_NESTED - left;
        if holds_little || self.holds_little_at_once()? {
            return Ok(());
        }
        let [_, note, help] = TOO_HEAVY;
        let what = if self.meter.levels < MOST_NESTED { TOO_MUCH_HELD } else { TOO_DEEP_WITHIN };
        Err(MachineFault::new("too-large", what).note(note).help(help))
    }

    /// The same where lists and maps that several registers hold count once.
    #[cold]
    fn holds_little_at_once(&mut self) -> Answer<bool> {
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let is_new = |value: &&Value| match value {
            Value::List(items) => seen.insert(Arc::as_ptr(items) as usize),
            Value::Map(map) => seen.insert(Arc::as_ptr(map) as usize),
            Value::Answers(answers) => seen.insert(Arc::as_ptr(answers) as usize),
            _ => true,
        };
        let (mut room, mut left) = (MOST_HELD, MOST_NESTED);
        let holds_little = self.stack[..self.held]
            .iter()
            .filter(is_new)
            .all(|value| value.charge_memory_and_levels(&mut room, &mut left));
        self.meter.levels = MOST_NESTED - left;
        self.burn(seen.len() / LISTS_COMPARED + (self.held + MOST_HELD - room) / ENTRIES_LOOKED_AT)?;
        Ok(holds_little)
    }

    /// A value is laid so many levels into another, or into what may hold such.
    #[inline(always)]
    pub(super) fn nest(&mut self, levels: usize) -> Answer<()> {
        if self.meter.nests(levels) { Ok(()) } else { self.weigh_held() }
    }

    /// Pays for what is no work of the rules.
    fn burn(&mut self, work: usize) -> Answer<()> {
        self.meter.fuel = self.meter.fuel.checked_sub(work as u64).ok_or_else(without_end)?;
        Ok(())
    }
}
