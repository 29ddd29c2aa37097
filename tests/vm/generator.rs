//! Programs over the language and its lists, texts and maps, drawn by a seed. Now and then something of another type stands
//! where one is wanted.

/// What an expression is meant to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Flag,
    Text,
    /// Of numbers.
    List,
    /// With the numbers `a` and `b` and the list `l`.
    Map,
    /// Of lists.
    Lists,
}

const KINDS: [Kind; 6] = [Kind::Number, Kind::Flag, Kind::Text, Kind::List, Kind::Map, Kind::Lists];

/// Expressions and statements within each other.
const DEEPEST: u32 = 4;

pub(crate) struct Generator {
    seed: u64,
    variables: Vec<(String, Kind)>,
    /// The names of loops, which may not be set.
    fixed: Vec<String>,
    named: usize,
    depth: u32,
    loops: u32,
}

impl Generator {
    /// The body of a function that results in all its variables.
    pub(crate) fn program(seed: u64) -> String {
        let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut generator = Self { seed, variables: Vec::new(), fixed: Vec::new(), named: 0, depth: 0, loops: 0 };
        let count = 3 + generator.below(6);
        let body: String = (0..count).map(|_| generator.statement()).collect();
        let all: Vec<&str> = generator.variables.iter().map(|(name, _)| name.as_str()).collect();
        format!("{body}[{}]", all.join(", "))
    }

    fn below(&mut self, count: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed % count as u64) as usize
    }

    fn any(&mut self, all: &[&'static str]) -> &'static str {
        all[self.below(all.len())]
    }

    fn any_kind(&mut self) -> Kind {
        KINDS[self.below(KINDS.len())]
    }

    fn variable(&mut self, kind: Kind) -> Option<String> {
        let known: Vec<String> =
            self.variables.iter().filter(|(_, of)| *of == kind).map(|(name, _)| name.clone()).collect();
        if known.is_empty() { None } else { Some(known[self.below(known.len())].clone()) }
    }

    fn name(&mut self) -> String {
        self.named += 1;
        format!("v{}", self.named)
    }

    /// Draws something one level deeper.
    fn deeper(&mut self, draw: impl FnOnce(&mut Self) -> String) -> String {
        self.depth += 1;
        let text = draw(self);
        self.depth -= 1;
        text
    }

    // ----- expressions

    fn expr(&mut self, kind: Kind) -> String {
        let kind = if self.below(60) == 0 { self.any_kind() } else { kind };
        if self.depth > DEEPEST {
            return self.leaf(kind);
        }
        self.deeper(|generator| match kind {
            Kind::Number => generator.number(),
            Kind::Flag => generator.flag(),
            Kind::Text => generator.text(),
            Kind::List => generator.list(),
            Kind::Map if generator.below(2) == 0 => {
                let (a, b, l) =
                    (generator.expr(Kind::Number), generator.expr(Kind::Number), generator.expr(Kind::List));
                format!("#{{ a: {a}, b: {b}, l: {l} }}")
            }
            Kind::Lists if generator.below(2) == 0 => {
                format!("[{}, {}]", generator.expr(Kind::List), generator.expr(Kind::List))
            }
            kind => generator.leaf(kind),
        })
    }

    fn number(&mut self) -> String {
        const OPERATORS: [&str; 11] = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "**"];
        const OF_LIST: [&str; 4] = ["len()", "reduce(|a, b| a + b, 0)", "index_of(1)", "len"];
        match self.below(16) {
            0..=3 => self.leaf(Kind::Number),
            4..=6 => {
                let (a, op, b) = (self.expr(Kind::Number), self.any(&OPERATORS), self.expr(Kind::Number));
                format!("{a} {op} {b}")
            }
            7 => format!("({})", self.expr(Kind::Number)),
            8 => format!("-{}", self.leaf(Kind::Number)),
            9 => format!("{}[{}]", self.leaf(Kind::List), self.position()),
            10 => format!("{}.{}", self.leaf(Kind::Map), self.any(&["a", "b"])),
            11 => format!("{}.{}", self.expr(Kind::List), self.any(&OF_LIST)),
            12 => self.choice(Kind::Number),
            13 => format!("({}).{}", self.leaf(Kind::Number), self.any(&["abs()", "sign()", "max(3)", "min(1)"])),
            14 => {
                let (of, a, b) = (self.expr(Kind::Number), self.expr(Kind::Number), self.expr(Kind::Number));
                format!("switch {of} {{ 0 => {a}, 1 | 2 => {b}, _ => 4 }}")
            }
            _ => format!("helper({}, {})", self.expr(Kind::Number), self.expr(Kind::Number)),
        }
    }

    fn choice(&mut self, kind: Kind) -> String {
        format!("if {} {{ {} }} else {{ {} }}", self.expr(Kind::Flag), self.expr(kind), self.expr(kind))
    }

    fn flag(&mut self) -> String {
        match self.below(9) {
            0 | 1 => self.leaf(Kind::Flag),
            2 | 3 => {
                let op = self.any(&["==", "!=", "<", "<=", ">", ">="]);
                format!("{} {op} {}", self.expr(Kind::Number), self.expr(Kind::Number))
            }
            4 => {
                let op = self.any(&["&&", "||"]);
                format!("{} {op} {}", self.expr(Kind::Flag), self.expr(Kind::Flag))
            }
            5 => format!("!({})", self.expr(Kind::Flag)),
            6 => {
                let kind = self.any_kind();
                format!("{} == {}", self.expr(kind), self.expr(kind))
            }
            7 => {
                let op = self.any(&["in", "!in"]);
                format!("{} {op} {}", self.expr(Kind::Number), self.expr(Kind::List))
            }
            _ => {
                let query = self.any(&["some", "all"]);
                format!("{}.{query}({})", self.leaf(Kind::List), self.closure(Kind::Flag))
            }
        }
    }

    fn text(&mut self) -> String {
        match self.below(7) {
            0 | 1 => self.leaf(Kind::Text),
            2 => {
                let kind = self.any_kind();
                format!("{} + {}", self.leaf(Kind::Text), self.expr(kind))
            }
            3 => {
                let kind = self.any_kind();
                format!("`x${{{}}}y`", self.expr(kind))
            }
            4 => {
                let word = self.any(&["to_upper()", "sub_string(1)", "sub_string(0, 2)", "to_string()"]);
                format!("{}.{word}", self.leaf(Kind::Text))
            }
            5 => {
                let kind = self.any_kind();
                format!("({}).to_string()", self.leaf(kind))
            }
            _ => format!("{} ?? {}", self.leaf(Kind::Text), self.leaf(Kind::Text)),
        }
    }

    fn list(&mut self) -> String {
        match self.below(11) {
            0 | 1 => self.leaf(Kind::List),
            2 => format!("[{}, {}]", self.expr(Kind::Number), self.expr(Kind::Number)),
            3 => format!("{}.map({})", self.leaf(Kind::List), self.closure(Kind::Number)),
            4 => format!("{}.filter({})", self.leaf(Kind::List), self.closure(Kind::Flag)),
            5 => format!("{} + {}", self.leaf(Kind::List), self.leaf(Kind::List)),
            6 => format!("{}.l", self.leaf(Kind::Map)),
            7 => format!("{}[{}]", self.leaf(Kind::Lists), self.position()),
            8 => format!("{}.{}", self.leaf(Kind::List), self.any(&["extract(1)", "extract(0, 2)", "extract(1..3)"])),
            9 => format!("{}.{}", self.leaf(Kind::Map), self.any(&["keys()", "values()"])),
            _ => format!("{{ let t = {}; t.push({}); t }}", self.leaf(Kind::List), self.expr(Kind::Number)),
        }
    }

    fn position(&mut self) -> &'static str {
        self.any(&["0", "1", "2", "-1", "3"])
    }

    fn closure(&mut self, kind: Kind) -> String {
        let name = self.name();
        self.variables.push((name.clone(), Kind::Number));
        self.fixed.push(name.clone());
        let body = if self.below(6) == 0 {
            format!("{{ if {} {{ return {}; }} {} }}", self.expr(Kind::Flag), self.expr(kind), self.expr(kind))
        } else {
            self.expr(kind)
        };
        self.variables.retain(|(known, _)| *known != name);
        format!("|{name}| {body}")
    }

    fn leaf(&mut self, kind: Kind) -> String {
        if self.below(3) > 0
            && let Some(variable) = self.variable(kind)
        {
            return variable;
        }
        let all: &[&'static str] = match kind {
            Kind::Number => &["0", "1", "2", "3", "7", "-4", "100", "9223372036854775807"],
            Kind::Flag => &["true", "false"],
            Kind::Text => &["\"\"", "\"a\"", "\"bcd\"", "\"é1\""],
            Kind::List => &["[]", "[1]", "[1, 2, 3]", "[3, 1, 2, 1]"],
            Kind::Map => &["#{ a: 1, b: 2, l: [1] }", "#{ a: 0, b: 5, l: [] }"],
            Kind::Lists => &["[[1], [2, 3]]", "[[]]"],
        };
        self.any(all).to_owned()
    }

    // ----- statements

    fn block(&mut self) -> String {
        let (count, before) = (self.below(4), self.variables.len());
        let text: String = (0..count).map(|_| self.statement()).collect();
        self.variables.truncate(before);
        text
    }

    fn statement(&mut self) -> String {
        if self.depth >= DEEPEST {
            return String::new();
        }
        self.deeper(|generator| match generator.below(16) {
            0..=3 => generator.declaration(),
            4 | 5 => generator.assignment(),
            6..=8 => generator.change(),
            9 | 10 => generator.change_of_list(),
            11 => format!(
                "if {} {{ {} }} else {{ {} }} ",
                generator.expr(Kind::Flag),
                generator.block(),
                generator.block()
            ),
            12 => generator.for_loop(),
            13 => generator.while_loop(),
            14 if generator.loops > 0 => {
                format!("if {} {{ {}; }} ", generator.expr(Kind::Flag), generator.any(&["break", "continue"]))
            }
            _ if generator.below(8) == 0 => {
                let kind = generator.any_kind();
                format!("if {} {{ return {}; }} ", generator.expr(Kind::Flag), generator.expr(kind))
            }
            _ => String::new(),
        })
    }

    fn declaration(&mut self) -> String {
        let kind = self.any_kind();
        let value = self.expr(kind);
        let again = if self.below(4) == 0 { self.variable(kind) } else { None };
        let name = again.unwrap_or_else(|| self.name());
        self.variables.retain(|(known, _)| *known != name);
        self.variables.push((name.clone(), kind));
        format!("let {name} = {value}; ")
    }

    /// A variable that may be set.
    fn free(&mut self, kind: Kind) -> Option<String> {
        let found = self.variable(kind)?;
        (!self.fixed.contains(&found)).then_some(found)
    }

    fn assignment(&mut self) -> String {
        let kind = self.any_kind();
        let value = self.expr(kind);
        self.free(kind).map(|name| format!("{name} = {value}; ")).unwrap_or_default()
    }

    fn change(&mut self) -> String {
        let value = self.expr(Kind::Number);
        let target = match self.below(3) {
            0 => self.free(Kind::Number),
            1 => self.free(Kind::List).map(|name| format!("{name}[{}]", self.position())),
            _ => self.free(Kind::Map).map(|name| format!("{name}.{}", self.any(&["a", "b"]))),
        };
        let op = self.any(&["=", "+=", "-=", "*=", "/=", "%="]);
        target.map(|target| format!("{target} {op} {value}; ")).unwrap_or_default()
    }

    fn change_of_list(&mut self) -> String {
        const CHANGES: [&str; 13] = [
            "push(E)",
            "insert(1, E)",
            "remove(0)",
            "pop()",
            "shift()",
            "reverse()",
            "truncate(2)",
            "sort()",
            "retain(|q| q > 1)",
            "dedup()",
            "drain(|q| q == 1)",
            "splice(0, 1, [E])",
            "sort(|x, y| y < x)",
        ];
        let value = self.expr(Kind::Number);
        let target = match self.below(3) {
            0 => self.free(Kind::List),
            1 => self.free(Kind::Map).map(|name| format!("{name}.l")),
            _ => self.free(Kind::Lists).map(|name| format!("{name}[{}]", self.position())),
        };
        let change = self.any(&CHANGES).replace('E', &value);
        target.map(|target| format!("{target}.{change}; ")).unwrap_or_default()
    }

    fn for_loop(&mut self) -> String {
        let list = if self.below(2) == 0 { self.expr(Kind::List) } else { format!("0..{}", self.position()) };
        let name = self.name();
        self.variables.push((name.clone(), Kind::Number));
        self.fixed.push(name.clone());
        self.loops += 1;
        let body = self.block();
        self.loops -= 1;
        self.variables.retain(|(known, _)| *known != name);
        format!("for {name} in {list} {{ {body} }} ")
    }

    fn while_loop(&mut self) -> String {
        let (name, condition) = (self.name(), self.expr(Kind::Flag));
        self.loops += 1;
        let body = self.block();
        self.loops -= 1;
        format!("let {name} = 0; while {name} < 5 && {condition} {{ {name} += 1; {body} }} ")
    }
}
