//! Reuses the script engine's function cache between runs.
//!
//! The script engine looks up each function once per run and caches the result. Every step and every call of a closure
//! is a run of its own, so the caches are kept here and reused.

use rhai::{AST, Caches, Dynamic, Engine, EvalAltResult, EvalContext, FnPtr, FuncArgs, GlobalRuntimeState};
use rhai::{NativeCallContext, Scope};
use std::cell::RefCell;
use std::rc::Rc;

thread_local! {
    static CURRENT: RefCell<Option<Rc<Runtimes>>> = const { RefCell::new(None) };
}

/// State of one run of the script engine, with its caches.
struct Runtime {
    global: GlobalRuntimeState,
    caches: Caches,
}

/// Reusable runtimes of one game on one thread.
pub(super) struct Runtimes {
    fresh: GlobalRuntimeState,
    kept: RefCell<Vec<Runtime>>,
}

impl Runtimes {
    /// Creates the runtimes for compiled rules.
    pub(super) fn new(engine: &mut Engine, ast: &AST) -> Self {
        let seen: Rc<RefCell<Option<GlobalRuntimeState>>> = Rc::default();
        let inside = seen.clone();
        engine.register_fn("fresh_runtime", move |context: NativeCallContext| {
            *inside.borrow_mut() = Some(context.global_runtime_state().clone());
        });
        let probe = engine.compile_expression("fresh_runtime()").expect("this is an expression");
        let probed = engine.eval_ast_with_scope::<()>(&mut Scope::new(), &ast.merge(&probe));
        probed.expect("the function was just registered");
        let fresh = seen.borrow_mut().take().expect("the function was just called");
        Self { fresh, kept: RefCell::default() }
    }

    /// Calls `run`. Until `run` returns, library functions on this thread call closures with these runtimes.
    pub(super) fn enter<T>(self: &Rc<Self>, run: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(self.clone()));
        let out = run();
        CURRENT.set(before);
        out
    }

    /// Calls a function of the rules by name. `level` is the call nesting level at which the function runs.
    pub(super) fn call(
        &self,
        engine: &Engine,
        level: usize,
        function: &str,
        args: impl FuncArgs,
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let kept = self.kept.borrow_mut().pop();
        let mut runtime = kept.unwrap_or_else(|| Runtime { global: self.fresh.clone(), caches: Caches::new() });
        runtime.global.level = level;
        let mut scope = Scope::new();
        let mut context = EvalContext::new(engine, &mut runtime.global, &mut runtime.caches, &mut scope, None);
        let result = context.call_fn(function, args);
        if result.is_ok() {
            self.kept.borrow_mut().push(runtime);
        }
        result
    }
}

/// Calls a function value that was passed to a library function.
pub(super) fn call_function(
    context: &NativeCallContext<'_>,
    function: &FnPtr,
    args: impl IntoIterator<Item = Dynamic>,
) -> Result<Dynamic, Box<EvalAltResult>> {
    let args: Vec<Dynamic> = function.curry().iter().cloned().chain(args).collect();
    call_named(context, function.fn_name(), args)
}

/// Calls a rule function by name from within a library function.
pub(super) fn call_named(
    context: &NativeCallContext<'_>,
    function: &str,
    args: Vec<Dynamic>,
) -> Result<Dynamic, Box<EvalAltResult>> {
    let runtimes = CURRENT.with_borrow(Clone::clone).expect("a script runs within a call of the host");
    runtimes.call(context.engine(), context.call_level() + 1, function, args)
}
