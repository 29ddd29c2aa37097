//! The stack a step runs on, and how it is put aside while a question is open.
//!
//! This is the only place with `unsafe`, and nothing outside this module knows how suspension works. A step runs as a
//! coroutine on a stack of its own; [`suspend`] goes back to whoever resumed it. A fiber that is dropped before its end
//! is resumed once more with [`is_abandoned`] set: the question then fails, the script unwinds by that error, and no
//! stack is ever unwound from outside.

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Bytes of stack: 32 call levels at the worst measured level, and values nested as deep as the size limits allow, take
/// about 5.2 MB. Only what is touched is committed.
const STACK_SIZE: usize = 8 << 20;

/// How many stacks a thread keeps for the next fiber.
const POOL: usize = 64;

/// A panic caught at the edge of a fiber.
pub(super) type Panic = Box<dyn Any + Send>;

type Routine<R> = Coroutine<(), (), Result<R, Panic>, DefaultStack>;

/// A step on its own stack.
pub(super) struct Fiber<R: 'static> {
    routine: Option<Routine<R>>,
}

/// How far a fiber has come.
pub(super) enum Progress<R> {
    /// It waits.
    Suspended,
    /// It is over; a panic inside it is given back instead of going on.
    Done(Result<R, Panic>),
}

thread_local! {
    static STACKS: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
    static CURRENT: Cell<*const Yielder<(), ()>> = const { Cell::new(std::ptr::null()) };
    static ABANDONED: Cell<bool> = const { Cell::new(false) };
}

impl<R: 'static> Fiber<R> {
    /// A fiber that will run a function when it is resumed for the first time.
    pub(super) fn new(run: impl FnOnce() -> R + 'static) -> Self {
        let routine = Coroutine::with_stack(take_stack(), move |yielder: &Yielder<(), ()>, ()| {
            CURRENT.set(std::ptr::from_ref(yielder));
            catch_unwind(AssertUnwindSafe(run))
        });
        Self { routine: Some(routine) }
    }

    /// Goes on until the fiber suspends itself or ends.
    ///
    /// # Panics
    /// When the fiber is over.
    pub(super) fn resume(&mut self) -> Progress<R> {
        let routine = self.routine.as_mut().expect("a fiber that is over is not resumed");
        let outer = CURRENT.replace(std::ptr::null());
        let progress = routine.resume(());
        CURRENT.set(outer);
        match progress {
            CoroutineResult::Yield(()) => Progress::Suspended,
            CoroutineResult::Return(result) => {
                let stack = self.routine.take().expect("it has just run").into_stack();
                keep_stack(stack);
                Progress::Done(result)
            }
        }
    }
}

impl<R: 'static> Drop for Fiber<R> {
    fn drop(&mut self) {
        let Some(routine) = &self.routine else { return };
        if !routine.started() {
            return;
        }
        let before = ABANDONED.replace(true);
        while self.routine.is_some() {
            let _ = self.resume();
        }
        ABANDONED.set(before);
    }
}

/// Runs a function on a stack large enough for scripts, whatever the size of this thread's own.
pub(super) fn on_large_stack<R: 'static>(run: impl FnOnce() -> R + 'static) -> Result<R, Panic> {
    match Fiber::new(run).resume() {
        Progress::Done(result) => result,
        Progress::Suspended => unreachable!("nothing suspends a run whose questions are answered at once"),
    }
}

/// Whether the thread runs a fiber, which has a stack large enough for scripts.
pub(super) fn is_inside() -> bool {
    !CURRENT.get().is_null()
}

/// Puts the running fiber aside until it is resumed.
///
/// # Panics
/// When no fiber is running on this thread.
pub(super) fn suspend() {
    let yielder = CURRENT.get();
    assert!(!yielder.is_null(), "only a fiber can be suspended");
    // SAFETY: `CURRENT` is set by the body of the coroutine that runs on this thread, to the yielder it was given, and
    // put back to the outer one (or null) by `resume` when that coroutine suspends or ends. So while it is not null, the
    // coroutine it belongs to is the one that is running, and its yielder lives on that coroutine's stack.
    #[allow(unsafe_code)]
    let yielder_ref = unsafe { &*yielder };
    yielder_ref.suspend(());
    CURRENT.set(yielder);
}

/// Whether the fiber was resumed only to come to its end.
pub(super) fn is_abandoned() -> bool {
    ABANDONED.get()
}

fn take_stack() -> DefaultStack {
    STACKS
        .with_borrow_mut(Vec::pop)
        .unwrap_or_else(|| DefaultStack::new(STACK_SIZE).expect("the system gives 8 MiB of address space"))
}

fn keep_stack(stack: DefaultStack) {
    STACKS.with_borrow_mut(|stacks| {
        if stacks.len() < POOL {
            stacks.push(stack);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn a_fiber_goes_on_where_it_suspended() {
        let mut fiber = Fiber::new(|| {
            suspend();
            suspend();
            7
        });
        assert!(matches!(fiber.resume(), Progress::Suspended));
        assert!(matches!(fiber.resume(), Progress::Suspended));
        assert!(matches!(fiber.resume(), Progress::Done(Ok(7))));
    }

    #[test]
    fn a_dropped_fiber_runs_to_its_end_and_frees_what_it_holds() {
        let held = Rc::new(());
        let inside = held.clone();
        let mut fiber = Fiber::new(move || {
            suspend();
            assert!(is_abandoned());
            drop(inside);
        });
        fiber.resume();
        drop(fiber);
        assert_eq!(Rc::strong_count(&held), 1);
        assert!(!is_abandoned());
    }

    #[test]
    fn fibers_take_turns_in_any_order() {
        let mut first = Fiber::new(suspend);
        let mut second = Fiber::new(suspend);
        first.resume();
        second.resume();
        assert!(matches!(first.resume(), Progress::Done(Ok(()))));
        assert!(matches!(second.resume(), Progress::Done(Ok(()))));
    }

    #[test]
    fn a_panic_inside_is_given_back() {
        let mut fiber = Fiber::new(|| panic!("inside"));
        assert!(matches!(fiber.resume(), Progress::<()>::Done(Err(_))));
    }
}
