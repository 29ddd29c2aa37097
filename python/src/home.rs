//! Values that only the thread that created them can access.

use crate::error;
use pyo3::prelude::*;
use send_wrapper::SendWrapper;
use std::any::Any;
use std::cell::{Ref, RefCell, RefMut};
use std::sync::mpsc::{Receiver, SendError, Sender, channel};

type Lost = Box<dyn Any + Send>;

thread_local! {
    /// Channel through which other threads return values of this thread that they have dropped. Only this thread can drop these values.
    static LOST: (Sender<Lost>, Receiver<Lost>) = channel();
}

/// Value that only the thread that created it can access, with one mutable or several shared borrows at a time.
pub struct Home<T: 'static> {
    /// Value; `None` only while it is being dropped.
    inside: Option<SendWrapper<RefCell<T>>>,
    back: Sender<Lost>,
}

impl<T> Home<T> {
    /// Creates a value that belongs to this thread.
    pub fn new(inside: T) -> Self {
        let back = LOST.with(|(back, lost)| {
            lost.try_iter().for_each(drop);
            back.clone()
        });
        Self { inside: Some(SendWrapper::new(RefCell::new(inside))), back }
    }

    fn here(&self) -> PyResult<&RefCell<T>> {
        let inside = self.inside.as_ref().filter(|inside| inside.valid());
        inside.map(|inside| &**inside).ok_or_else(|| {
            error::of_use("a session belongs to the thread that began it: start another one there, with its `answers`")
        })
    }

    /// Borrows the value. Fails on other threads, or if the value is borrowed mutably.
    pub fn open(&self) -> PyResult<Ref<'_, T>> {
        self.here()?.try_borrow().map_err(|_| busy())
    }

    /// Borrows the value mutably. Fails on other threads, or if the value is borrowed.
    pub fn open_mut(&self) -> PyResult<RefMut<'_, T>> {
        self.here()?.try_borrow_mut().map_err(|_| busy())
    }
}

impl<T> Drop for Home<T> {
    fn drop(&mut self) {
        let Some(inside) = self.inside.take_if(|inside| !inside.valid()) else { return };
        if let Err(SendError(lost)) = self.back.send(Box::new(inside)) {
            // The thread that owns the value has ended, and no other thread may drop it.
            std::mem::forget(lost);
        }
    }
}

fn busy() -> PyErr {
    error::of_use("the session waits for an agent: what the agent may know, it is given")
}
