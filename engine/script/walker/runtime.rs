//! Calling functions of the rules without starting anew each time.
//!
//! The script engine looks every function up once per run and then remembers it. A step is a run of its own, and so is
//! each call of a function given to a query; here what was remembered is kept from one to the next.

use rhai::{AST, Caches, Dynamic, Engine, EvalAltResult, EvalContext, FnPtr, FuncArgs, GlobalRuntimeState};
use rhai::{NativeCallContext, Scope};
use std::cell::RefCell;
use std::rc::Rc;

thread_local! {
    static CURRENT: RefCell<Option<Rc<Runtimes>>> = const { RefCell::new(None) };
}

/// The state of one run, with what it remembers.
struct Runtime {
    global: GlobalRuntimeState,
    caches: Caches,
}

/// The runs of one game on one thread: as many as are under way at once.
pub(super) struct Runtimes {
    fresh: GlobalRuntimeState,
    kept: RefCell<Vec<Runtime>>,
}

impl Runtimes {
    /// The runs of compiled rules.
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

    /// Runs something in which functions `|…|` that functions of the library were given are called by these.
    pub(super) fn entered<T>(self: &Rc<Self>, run: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(self.clone()));
        let out = run();
        CURRENT.set(before);
        out
    }

    /// Calls a function by its name, so many levels deep.
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

/// Calls a function that a script gave to a function of the library.
pub(super) fn call_function(
    context: &NativeCallContext<'_>,
    function: &FnPtr,
    args: impl IntoIterator<Item = Dynamic>,
) -> Result<Dynamic, Box<EvalAltResult>> {
    let args: Vec<Dynamic> = function.curry().iter().cloned().chain(args).collect();
    call_named(context, function.fn_name(), args)
}

/// Calls a function of the rules by its name, from within a function of the library.
pub(super) fn call_named(
    context: &NativeCallContext<'_>,
    function: &str,
    args: Vec<Dynamic>,
) -> Result<Dynamic, Box<EvalAltResult>> {
    let runtimes = CURRENT.with_borrow(Clone::clone).expect("a script runs within a call of the host");
    runtimes.call(context.engine(), context.call_level() + 1, function, args)
}
