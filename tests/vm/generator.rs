//! Generates random programs that use numbers, texts, lists and maps. Some expressions deliberately have a wrong type.

/// Type of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Flag,
    Text,
    /// List of numbers.
    List,
    /// Map with the numbers `a` and `b`, the list `l`, and the map `m` with the number `a`.
    Map,
    /// List of lists.
    Lists,
    /// List of texts.
    Texts,
    Range,
    /// Number or `()`.
    Maybe,
}

const KINDS: [Kind; 9] =
    [Kind::Number, Kind::Flag, Kind::Text, Kind::List, Kind::Map, Kind::Lists, Kind::Texts, Kind::Range, Kind::Maybe];

/// Maximum nesting depth of expressions and statements.
const MAX_DEPTH: u32 = 4;

/// Variable in scope.
#[derive(Clone)]
struct Variable {
    name: String,
    kind: Kind,
    /// Whether the program may assign to the variable. It must not assign to loop counters and constants, so that loops end.
    is_mutable: bool,
}

/// Function with the types of its parameters and of its result.
struct Helper {
    name: String,
    params: Vec<Kind>,
    result: Kind,
}

/// Placeholder in a template.
enum Placeholder {
    Expr(Kind),
    /// Variable or literal.
    Leaf(Kind),
    Closure(Kind),
    /// Variable that holds a closure, or a closure.
    StoredClosure(Kind),
    Index,
}

/// Parses a word of a template; see [`Generator::form`].
fn placeholder(word: &str) -> Option<Placeholder> {
    let kind = |letter: &str| {
        Some(match letter {
            "N" => Kind::Number,
            "F" => Kind::Flag,
            "T" => Kind::Text,
            "L" => Kind::List,
            "M" => Kind::Map,
            "S" => Kind::Lists,
            "W" => Kind::Texts,
            "R" => Kind::Range,
            "U" => Kind::Maybe,
            _ => return None,
        })
    };
    match word {
        "P" => Some(Placeholder::Index),
        _ if word.len() == 2 && word.starts_with('C') => kind(&word[1..]).map(Placeholder::Closure),
        _ if word.len() == 2 && word.starts_with('K') => kind(&word[1..]).map(Placeholder::StoredClosure),
        _ => kind(word).map(Placeholder::Expr).or_else(|| kind(&word.to_uppercase()).map(Placeholder::Leaf)),
    }
}

/// State of the generator of one program.
pub(crate) struct Generator {
    seed: u64,
    variables: Vec<Variable>,
    /// Variables that hold closures with one number parameter, each with the closure's result type.
    stored: Vec<(String, Kind)>,
    helpers: Vec<Helper>,
    named: usize,
    depth: u32,
    loops: u32,
    /// Whether the generated closure is called by native code, where `ask` is not allowed.
    is_called_back: bool,
}

impl Generator {
    /// Generates a program with a function `main` that returns all of its variables.
    pub(crate) fn program(seed: u64) -> String {
        let mut generator = Self {
            seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            variables: Vec::new(),
            stored: Vec::new(),
            helpers: vec![Helper { name: "double".to_owned(), params: vec![Kind::Number], result: Kind::Number }],
            named: 0,
            depth: 0,
            loops: 0,
            is_called_back: false,
        };
        let mut file = "fn double(n) { n * 2 } ".to_owned();
        for _ in 0..generator.below(3) {
            let function = generator.function();
            file.push_str(&function);
        }
        let count = 3 + generator.below(6);
        let body: String = (0..count).map(|_| generator.statement()).collect();
        let all: Vec<&str> = generator.variables.iter().map(|variable| variable.name.as_str()).collect();
        format!("{file}fn main() {{ {body}[{}] }}", all.join(", "))
    }

    /// Returns a random number below `count`.
    fn below(&mut self, count: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        ((self.seed >> 11) % count as u64) as usize
    }

    fn any(&mut self, all: &[&'static str]) -> &'static str {
        all[self.below(all.len())]
    }

    fn any_kind(&mut self) -> Kind {
        KINDS[self.below(KINDS.len())]
    }

    /// Chooses one of several templates and fills its placeholders.
    ///
    /// `N` is a number, `F` a flag, `T` a text, `L` a list, `M` a map, `S` a list of lists, `W` a list of texts, `R` a range, `U` a number
    /// or `()`, `P` an index. Lower-case letters are variables or literals. `CF` is a closure from a number to a flag. `KF` is such a
    /// closure or a variable that holds one.
    fn form(&mut self, forms: &[&'static str]) -> String {
        let form = self.any(forms);
        let mut text = String::new();
        let mut rest = form;
        while let Some(c) = rest.chars().next() {
            let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len()).max(c.len_utf8());
            let (word, behind) = rest.split_at(length);
            let is_name = text.ends_with('.') && !text.ends_with("..") || behind.starts_with(':');
            match placeholder(word).filter(|_| !is_name) {
                Some(Placeholder::Index) => text.push_str(self.any(&["0", "1", "2", "-1", "3", "-3", "7"])),
                Some(Placeholder::Expr(kind)) => text.push_str(&self.expr(kind)),
                Some(Placeholder::Leaf(kind)) => text.push_str(&self.leaf(kind)),
                Some(Placeholder::Closure(kind)) => text.push_str(&self.closure(kind)),
                Some(Placeholder::StoredClosure(kind)) => text.push_str(&self.stored_closure(kind)),
                None => text.push_str(word),
            }
            rest = behind;
        }
        text
    }

    /// Returns a random variable of this type, if there is one.
    fn variable(&mut self, kind: Kind, must_be_mutable: bool) -> Option<String> {
        let fits = |variable: &&Variable| variable.kind == kind && (variable.is_mutable || !must_be_mutable);
        let known: Vec<String> = self.variables.iter().filter(fits).map(|variable| variable.name.clone()).collect();
        if known.is_empty() { None } else { Some(known[self.below(known.len())].clone()) }
    }

    /// Returns a variable name that has not been used.
    fn name(&mut self) -> String {
        self.named += 1;
        format!("v{}", self.named)
    }

    /// Adds a variable to the scope. It replaces a variable of the same name.
    fn declare(&mut self, name: &str, kind: Kind, is_mutable: bool) {
        self.variables.retain(|variable| variable.name != name);
        self.stored.retain(|(known, _)| known != name);
        self.variables.push(Variable { name: name.to_owned(), kind, is_mutable });
    }

    /// Calls a generator function one level deeper.
    fn deeper(&mut self, draw: impl FnOnce(&mut Self) -> String) -> String {
        self.depth += 1;
        let text = draw(self);
        self.depth -= 1;
        text
    }

    /// Calls a generator function in a new scope.
    fn scoped(&mut self, draw: impl FnOnce(&mut Self) -> String) -> String {
        let (variables, stored) = (self.variables.clone(), self.stored.clone());
        let text = draw(self);
        (self.variables, self.stored) = (variables, stored);
        text
    }

    // ----- functions

    fn function(&mut self) -> String {
        let name = format!("f{}", self.helpers.len());
        let params: Vec<Kind> = (0..=self.below(3)).map(|_| self.any_kind()).collect();
        let result = self.any_kind();
        let (outer, named) = (std::mem::take(&mut self.variables), std::mem::replace(&mut self.named, 100));
        self.depth = 1;
        let text = self.scoped(|generator| {
            let mut names = Vec::new();
            for kind in &params {
                let name = generator.name();
                generator.declare(&name, *kind, true);
                names.push(name);
            }
            let count = generator.below(3);
            let body: String = (0..count).map(|_| generator.statement()).collect();
            let end = generator.expr(result);
            format!("fn {name}({}) {{ {body}{end} }} ", names.join(", "))
        });
        (self.variables, self.named, self.depth) = (outer, named, 0);
        self.helpers.push(Helper { name, params, result });
        text
    }

    /// Generates a call of a function with this result type, if there is one.
    fn call(&mut self, kind: Kind) -> Option<String> {
        let fits: Vec<usize> = (0..self.helpers.len()).filter(|at| self.helpers[*at].result == kind).collect();
        if fits.is_empty() || self.depth > 2 {
            return None;
        }
        let at = fits[self.below(fits.len())];
        let params = self.helpers[at].params.clone();
        let given: Vec<String> = params.into_iter().map(|kind| self.expr(kind)).collect();
        Some(format!("{}({})", self.helpers[at].name, given.join(", ")))
    }

    // ----- expressions

    fn expr(&mut self, kind: Kind) -> String {
        let kind = if self.below(90) == 0 { self.any_kind() } else { kind };
        if self.depth > MAX_DEPTH {
            return self.leaf(kind);
        }
        self.deeper(|generator| match generator.below(14) {
            0 => generator.choice(kind),
            1 => generator.switch(kind),
            2 => generator.call(kind).unwrap_or_else(|| generator.leaf(kind)),
            3 => generator.scoped(|generator| {
                let (statement, value) = (generator.statement(), generator.expr(kind));
                format!("{{ {statement}{value} }}")
            }),
            4 if generator.below(3) == 0 => generator.loop_with_result(kind),
            5 => generator.optional_access(kind),
            _ => generator.specific(kind),
        })
    }

    /// Generates an expression that is specific to a type.
    fn specific(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Number => self.number(),
            Kind::Flag => self.flag(),
            Kind::Text => self.text(),
            Kind::List => self.list(),
            Kind::Map => self.form(&[
                "#{ a: N, b: n, l: l, m: #{ a: n } }",
                "m + #{ a: N }",
                "#{ a: n, b: N, l: L, m: #{ a: N } }",
            ]),
            Kind::Lists => {
                self.form(&["[L, l]", "s + s", "s.extract(P)", "[]", "[l.filter(CF), L]", "s.filter(|i| i.len > P)"])
            }
            Kind::Texts => self.form(&[
                "[T, t]",
                "t.split(t)",
                "t.split()",
                "m.keys()",
                "l.map(CT)",
                "w.filter(|i| i != t)",
                "w + [T]",
            ]),
            Kind::Range => self.form(&["N..n", "n..=N", "P..P", "range(n, n)"]),
            Kind::Maybe => self.form(&[
                "N",
                "()",
                "l.find(CF)",
                "l.get(0)",
                "l.get(7)",
                "l.find_map(CU)",
                "m.get(t)",
                "m.get(\"a\")",
                "u ?? U",
                "l.reduce(|i, j| i + j)",
            ]),
        }
    }

    fn number(&mut self) -> String {
        if self.below(12) == 0 && !self.is_called_back {
            return self.form(&[
                "ask(N)",
                "ask(n) + n",
                "[n, n].map(|i| ask(i)).reduce(|i, j| i + j, 0)",
                "ask(ask(n))",
                "[n, 1, N].index_of(|i| ask(i) == n)",
                "l.zip([n, N], |i, j| ask(j)).len()",
            ]);
        }
        self.form(&[
            "N + n",
            "N - n",
            "N * n",
            "N / N",
            "N % N",
            "N ** P",
            "n + N",
            "n - N",
            "n * N",
            "(N)",
            "-n",
            "+n",
            "- N",
            "l[P]",
            "s[P][P]",
            "m.a",
            "m.b",
            "m.m.a",
            "m[\"a\"]",
            "m.l[P]",
            "L.len",
            "L.len()",
            "len(L)",
            "T.len",
            "m.len()",
            "l.index_of(N)",
            "l.index_of(n, P)",
            "l.index_of(|i| i > n)",
            "t.index_of(T)",
            "(N).abs()",
            "(n).sign()",
            "(N).max(n)",
            "(n).min(N)",
            "max(n, N)",
            "abs(n)",
            "l.reduce(|i, j| i + j * n, N)",
            "l.reduce(|i, j, k| i + j * k, n)",
            "u ?? N",
            "R.start",
            "r.end",
            "L.pop()",
            "L.shift()",
            "l.remove(P)",
            "m.l.pop()",
            "s.map(|i| i.len).reduce(|i, j| i + j, N)",
            "(|i| i + 1).call(N)",
        ])
    }

    fn flag(&mut self) -> String {
        self.form(&[
            "N == n",
            "N != n",
            "N < n",
            "n <= N",
            "N > n",
            "n >= N",
            "T == t",
            "T < t",
            "T >= t",
            "L == l",
            "m != M",
            "s == S",
            "u == ()",
            "U != ()",
            "F && f",
            "f || F",
            "!(F)",
            "!f",
            "F == f",
            "n in L",
            "n !in l",
            "t in T",
            "t in m",
            "t in W",
            "n in R",
            "n !in r",
            "l.some(CF)",
            "l.all(CF)",
            "w.some(|i| i == t)",
            "L.is_empty()",
            "t.is_empty",
            "m.is_empty()",
            "r.is_empty",
            "(N).is_odd()",
            "(n).is_even()",
            "(n).is_zero",
            "t.starts_with(T)",
            "t.ends_with(T)",
            "t.contains(T)",
            "L.contains(N)",
            "r.contains(N)",
            "m.contains(t)",
            "N == T",
            "L == n",
            "u == N",
            "t == T + \"\"",
            "l.all(|i, j| i > j)",
        ])
    }

    fn text(&mut self) -> String {
        self.form(&[
            "t + T",
            "t + N",
            "N + t",
            "t + L",
            "t + m",
            "t + F",
            "t + u",
            "`x${N}y`",
            "`${t}${F}`",
            "`${L}-${u}`",
            "`${m}`",
            "`${w}`",
            "t.to_upper()",
            "t.to_lower()",
            "t.sub_string(P)",
            "t.sub_string(P, P)",
            "t.sub_string(0..2)",
            "(N).to_string()",
            "L.to_string()",
            "(F).to_string()",
            "m.to_string()",
            "t ?? t",
            "w[P]",
            "t[P] + t",
            "`a${let i = N; i + 1}b`",
            "w.reduce(|i, j| i + j, t)",
            "t.to_string()",
        ])
    }

    fn list(&mut self) -> String {
        self.form(&[
            "[N, n]",
            "[n, N, n]",
            "[N]",
            "l + L",
            "L.map(CN)",
            "L.filter(CF)",
            "l.map(|i, j| i + j)",
            "l.filter(|i, j| j < n)",
            "m.l",
            "s[P]",
            "l.extract(P)",
            "l.extract(P, P)",
            "l.extract(0..2)",
            "l.extract(P..P)",
            "m.m.values()",
            "s.map(|i| i.len)",
            "l.map(KN)",
            "l.filter(KF)",
            "l.zip(l, |i, j| i - j)",
            "[1, 2, 3]",
            "w.map(|i| i.len)",
            "l.drain(CF)",
            "l.drain(|i| i > n)",
        ])
    }

    /// Generates an expression with `?.` or `??`.
    fn optional_access(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Number => self.form(&["M?.a", "m?.l?[0]", "(u ?? n)", "m.m?.a"]),
            Kind::Maybe => self.form(&["u?.x", "u?[0]", "u?.x?.y", "u?.len()", "(u ?? ())"]),
            kind => self.specific(kind),
        }
    }

    fn choice(&mut self, kind: Kind) -> String {
        let (condition, then) = (self.expr(Kind::Flag), self.expr(kind));
        let between = if self.below(3) == 0 {
            format!(" else if {} {{ {} }}", self.expr(Kind::Flag), self.expr(kind))
        } else {
            String::new()
        };
        let otherwise = self.expr(kind);
        format!("if {condition} {{ {then} }}{between} else {{ {otherwise} }}")
    }

    /// Generates the value of a `switch` case. The value is never just a variable: if a closure captures the variable, Rhai returns a
    /// shared reference, and later changes would affect both.
    fn case(&mut self, kind: Kind) -> String {
        let expr = self.expr(kind);
        let is_name = expr.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if is_name { format!("if true {{ {expr} }} else {{ {expr} }}") } else { expr }
    }

    fn switch(&mut self, kind: Kind) -> String {
        let (a, b, c) = (self.case(kind), self.case(kind), self.case(kind));
        match self.below(7) {
            0 => format!("switch {} {{ 0 => {a}, 1 | 2 => {b}, _ => {c} }}", self.expr(Kind::Number)),
            1 => format!(
                "switch {} {{ 0 if {} => {a}, 0 => {b}, _ => {c} }}",
                self.expr(Kind::Number),
                self.expr(Kind::Flag)
            ),
            2 => format!("switch {} {{ 0..3 => {a}, 3..=7 => {b}, _ => {c} }}", self.expr(Kind::Number)),
            3 => format!("switch {} {{ \"a\" => {a}, \"bcd\" | \"\" => {{ {b} }} _ => {c} }}", self.expr(Kind::Text)),
            4 => format!("switch {} {{ true => {a}, false => {b} }}", self.expr(Kind::Flag)),
            5 => format!("switch {} {{ () => {a}, 1 => {b}, _ => {c} }}", self.expr(Kind::Maybe)),
            _ => format!("switch {} {{ [] => {a}, [1] => {b}, _ => {c} }}", self.expr(Kind::List)),
        }
    }

    fn loop_with_result(&mut self, kind: Kind) -> String {
        let name = self.name();
        self.scoped(|generator| {
            generator.declare(&name, Kind::Number, false);
            generator.loops += 1;
            let (condition, body, value) = (generator.expr(Kind::Flag), generator.block(), generator.expr(kind));
            generator.loops -= 1;
            format!(
                "{{ let {name} = 0; loop {{ {name} += 1; if {name} > 4 || {condition} {{ break {value}; }} {body} }} }}"
            )
        })
    }

    /// Generates a closure with one number parameter.
    fn closure(&mut self, kind: Kind) -> String {
        let name = self.name();
        self.scoped(|generator| {
            let is_set = generator.below(12) == 0;
            generator.declare(&name, Kind::Number, is_set);
            let loops = std::mem::take(&mut generator.loops);
            let body = match generator.below(8) {
                0 => {
                    let (condition, early, late) =
                        (generator.expr(Kind::Flag), generator.expr(kind), generator.expr(kind));
                    format!("{{ if {condition} {{ return {early}; }} {late} }}")
                }
                1 => {
                    let (statement, value) = (generator.statement(), generator.expr(kind));
                    format!("{{ {statement}{value} }}")
                }
                _ => generator.expr(kind),
            };
            generator.loops = loops;
            format!("|{name}| {body}")
        })
    }

    /// Returns a variable in scope that holds a closure, or generates a closure if there is none.
    fn stored_closure(&mut self, kind: Kind) -> String {
        let fits: Vec<String> =
            self.stored.iter().filter(|(_, of)| *of == kind).map(|(name, _)| name.clone()).collect();
        if fits.is_empty() { self.closure(kind) } else { fits[self.below(fits.len())].clone() }
    }

    fn leaf(&mut self, kind: Kind) -> String {
        if self.below(3) > 0
            && let Some(variable) = self.variable(kind, false)
        {
            return variable;
        }
        let all: &[&'static str] = match kind {
            Kind::Number => &["0", "1", "2", "3", "7", "-4", "100", "9223372036854775807", "1_000"],
            Kind::Flag => &["true", "false"],
            Kind::Text => &["\"\"", "\"a\"", "\"bcd\"", "\"é1\"", "\"a b,c\"", "\"q\\n\\\"\""],
            Kind::List => &["[]", "[1]", "[1, 2, 3]", "[3, 1, 2, 1]"],
            Kind::Map => &["#{ a: 1, b: 2, l: [1], m: #{ a: 3 } }", "#{ a: 0, b: 5, l: [], m: #{ a: 0 } }"],
            Kind::Lists => &["[[1], [2, 3]]", "[[]]"],
            Kind::Texts => &["[\"a\", \"b\"]", "[\"\"]", "[]"],
            Kind::Range => &["0..3", "1..=2", "2..0", "-2..=1"],
            Kind::Maybe => &["()", "1", "2"],
        };
        // Before a dot, ranges and negative numbers require parentheses.
        match self.any(all) {
            text if kind == Kind::Range || text.starts_with('-') => format!("({text})"),
            text => text.to_owned(),
        }
    }

    // ----- statements

    fn block(&mut self) -> String {
        let count = self.below(4);
        self.scoped(|generator| (0..count).map(|_| generator.statement()).collect())
    }

    fn statement(&mut self) -> String {
        if self.depth >= MAX_DEPTH {
            return String::new();
        }
        self.deeper(|generator| match generator.below(20) {
            0..=3 => generator.declaration(),
            4..=6 => generator.change(),
            7..=9 => generator.change_in_place(),
            10 => generator.conditional(),
            11 | 12 => generator.for_loop(),
            13 => generator.while_loop(),
            14 if generator.loops > 0 => {
                format!("if {} {{ {}; }} ", generator.expr(Kind::Flag), generator.any(&["break", "continue"]))
            }
            15 => generator.kept_function(),
            16 => {
                let kind = generator.any_kind();
                format!("{}; ", generator.expr(kind))
            }
            _ if generator.below(10) == 0 => {
                let kind = generator.any_kind();
                format!("if {} {{ return {}; }} ", generator.expr(Kind::Flag), generator.expr(kind))
            }
            _ => String::new(),
        })
    }

    fn declaration(&mut self) -> String {
        let kind = self.any_kind();
        let value = self.expr(kind);
        let again = if self.below(4) == 0 { self.variable(kind, true) } else { None };
        let name = again.unwrap_or_else(|| self.name());
        self.declare(&name, kind, true);
        format!("let {name} = {value}; ")
    }

    fn kept_function(&mut self) -> String {
        let kind = [Kind::Number, Kind::Flag][self.below(2)];
        let (name, param) = (self.name(), self.name());
        let before = std::mem::take(&mut self.variables);
        let text = self.scoped(|generator| {
            generator.declare(&param, Kind::Number, false);
            generator.stored.clear();
            let asks = std::mem::replace(&mut generator.is_called_back, true);
            let body = generator.expr(kind);
            generator.is_called_back = asks;
            format!("let {name} = |{param}| {body}; ")
        });
        self.variables = before;
        self.stored.push((name, kind));
        text
    }

    fn conditional(&mut self) -> String {
        let (condition, then) = (self.expr(Kind::Flag), self.block());
        match self.below(3) {
            0 => format!("if {condition} {{ {then} }} "),
            1 => format!("if {condition} {{ {then} }} else {{ {} }} ", self.block()),
            _ => format!("if {condition} {{ {then} }} else if {} {{ {} }} ", self.expr(Kind::Flag), self.block()),
        }
    }

    /// Generates an expression that can be assigned to, with its type.
    fn place(&mut self) -> Option<(String, Kind)> {
        let (of, rest): (Kind, &[(&str, Kind)]) = match self.below(5) {
            0 => {
                let kind = self.any_kind();
                return self.variable(kind, true).map(|name| (name, kind));
            }
            1 => (Kind::List, &[("[P]", Kind::Number)]),
            2 => (
                Kind::Map,
                &[
                    (".a", Kind::Number),
                    (".l[P]", Kind::Number),
                    (".l", Kind::List),
                    (".m.a", Kind::Number),
                    ("[\"b\"]", Kind::Number),
                ],
            ),
            3 => (Kind::Lists, &[("[P]", Kind::List), ("[P][P]", Kind::Number), ("[l[0]]", Kind::List)]),
            _ => (Kind::Texts, &[("[P]", Kind::Text)]),
        };
        let (steps, kind) = rest[self.below(rest.len())];
        let variable = self.variable(of, true)?;
        let steps = self.form(&[steps]);
        Some((format!("{variable}{steps}"), kind))
    }

    fn change(&mut self) -> String {
        let Some((place, kind)) = self.place() else { return String::new() };
        let value = self.expr(kind);
        let op = match kind {
            Kind::Number => self.any(&["=", "+=", "-=", "*=", "/=", "%=", "**="]),
            Kind::Text | Kind::List | Kind::Lists | Kind::Texts => self.any(&["=", "+="]),
            Kind::Map => self.any(&["=", "=", "+="]),
            _ => "=",
        };
        format!("{place} {op} {value}; ")
    }

    fn change_in_place(&mut self) -> String {
        const OF_LIST: [&str; 26] = [
            "push(N)",
            "insert(P, N)",
            "remove(P)",
            "pop()",
            "shift()",
            "reverse()",
            "truncate(P)",
            "chop(P)",
            "sort()",
            "retain(CF)",
            "retain(|i| i > n)",
            "dedup()",
            "drain(CF)",
            "splice(P, P, L)",
            "splice(0..1, l)",
            "append(L)",
            "clear()",
            "sort(|i, j| j < i)",
            "sort(|i, j| i - j)",
            "extract(P)",
            "filter(CF)",
            "map(CN)",
            "retain(KF)",
            "drain(KF)",
            "retain(|i, j| j < n)",
            "some(CF)",
        ];
        const OF_MAP: [&str; 4] = ["remove(t)", "remove(\"b\")", "keys()", "l.push(N)"];
        const OF_LISTS: [&str; 6] =
            ["push(L)", "insert(P, l)", "pop()", "reverse()", "sort(|i, j| i.len < j.len)", "retain(|i| n in i)"];
        const OF_TEXTS: [&str; 5] = ["push(T)", "sort()", "retain(|i| i != t)", "dedup()", "reverse()"];
        let Some((place, kind)) = self.place() else { return String::new() };
        let change = match kind {
            Kind::List => self.form(&OF_LIST),
            Kind::Map => self.form(&OF_MAP),
            Kind::Lists => self.form(&OF_LISTS),
            Kind::Texts => self.form(&OF_TEXTS),
            Kind::Text => "trim()".to_owned(),
            _ => return String::new(),
        };
        match self.below(6) {
            0 => {
                let name = self.name();
                self.declare(&name, Kind::Maybe, true);
                format!("let {name} = {place}.{change}; ")
            }
            // Writes the method call as a function call, such as `push(list, x)`.
            1 if !place.contains(['.', '[']) && !change.starts_with("l.") => {
                let (name, given) = change.split_once('(').expect("it is a call");
                format!("{name}({place}{}{given}; ", if given == ")" { "" } else { ", " })
            }
            _ => format!("{place}.{change}; "),
        }
    }

    fn for_loop(&mut self) -> String {
        let (over, kind) = match self.below(6) {
            0 => (self.expr(Kind::Texts), Kind::Text),
            1 => (self.expr(Kind::Lists), Kind::List),
            2 => (self.form(&["0..P", "P..=P", "r", "R", "range(P, P)", "range(P, P, P)"]), Kind::Number),
            3 => (self.expr(Kind::Text), Kind::Text),
            _ => (self.expr(Kind::List), Kind::Number),
        };
        let (name, counter) = (self.name(), self.name());
        let has_counter = self.below(3) == 0;
        self.scoped(|generator| {
            let is_set = generator.below(8) == 0;
            generator.declare(&name, kind, is_set);
            if has_counter {
                generator.declare(&counter, Kind::Number, false);
            }
            generator.loops += 1;
            let body = generator.block();
            generator.loops -= 1;
            // Iterating over a text yields texts in the virtual machine and characters in Rhai. This statement converts the characters to
            // texts.
            let letter = if kind == Kind::Text { format!("let {name} = {name} + \"\"; ") } else { String::new() };
            let names = if has_counter { format!("({name}, {counter})") } else { name };
            format!("for {names} in {over} {{ {letter}{body} }} ")
        })
    }

    fn while_loop(&mut self) -> String {
        let (name, condition, form) = (self.name(), self.expr(Kind::Flag), self.below(4));
        // In Rhai, `continue` in a `do` loop skips the condition, so it is not generated there.
        let loops = if form == 0 { 0 } else { self.loops + 1 };
        let before = std::mem::replace(&mut self.loops, loops);
        let body = self.block();
        self.loops = before;
        match form {
            0 => format!("let {name} = 0; do {{ {name} += 1; {body} }} while {name} < 4 && {condition}; "),
            1 => format!("let {name} = 0; loop {{ {name} += 1; if {name} > 3 {{ break; }} {body} }} "),
            _ => format!("let {name} = 0; while {name} < 5 && {condition} {{ {name} += 1; {body} }} "),
        }
    }
}
