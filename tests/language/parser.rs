//! Compares the parser with Rhai's parser: both trees are printed as S-expressions. Also checks messages about syntax errors.

use parlour::diagnostic::{Diagnostic, Source};
use parlour::syntax::*;
use rhai::{ASTFlags, Engine, OptimizationLevel, Stmt};
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

fn source(text: &str) -> Arc<Source> {
    Arc::new(Source { path: "rules/a.rhai".to_owned(), text: text.to_owned() })
}

fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    engine.set_optimization_level(OptimizationLevel::None).set_max_expr_depths(200, 200);
    engine
}

// ----- syntax tree of the engine as S-expressions

fn our_block(block: &Block) -> String {
    our_statements(&block.statements)
}

fn our_statements(statements: &[Statement]) -> String {
    let all: Vec<String> = statements.iter().map(our_statement).collect();
    format!("{{{}}}", all.join("; "))
}

fn our_optional(expr: Option<&Expr>) -> String {
    expr.map_or_else(|| "-".to_owned(), our_expr)
}

fn our_statement(statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::Let { name, value } => {
            let value = value.as_ref().map_or_else(|| "()".to_owned(), our_expr);
            format!("(let {} {value})", name.text)
        }
        StatementKind::Assign { target, op, value, .. } => {
            format!("({}= {} {})", op.map_or("", symbol), our_expr(target), our_expr(value))
        }
        StatementKind::Expr(expr) => our_expr(expr),
        StatementKind::Return(value) => format!("(return {})", our_optional(value.as_ref())),
        StatementKind::Break(value) => format!("(break {})", our_optional(value.as_ref())),
        StatementKind::Continue => "(continue)".to_owned(),
    }
}

/// Concatenates the parts, each with a space before it.
fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.fold(String::new(), |all, part| all + " " + part.as_str())
}

fn our_list(items: &[Expr]) -> String {
    joined(items.iter().map(our_expr))
}

/// Collects the operands of a chain of the same operator, because Rhai stores `a && b && c` as one list.
fn our_operands(op: BinaryOp, expr: &Expr, found: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Binary { op: inner, left, right, .. } if *inner == op => {
            our_operands(op, left, found);
            our_operands(op, right, found);
        }
        _ => found.push(our_expr(expr)),
    }
}

fn our_expr(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Missing => "?".to_owned(),
        ExprKind::Unit => "()".to_owned(),
        ExprKind::Flag(flag) => flag.to_string(),
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Template(segments) => {
            let parts = segments.iter().map(|segment| match segment {
                Segment::Text(text) => format!(" {text:?}"),
                Segment::Code(block) => format!(" {}", our_block(block)),
            });
            match segments.as_slice() {
                [] => "\"\"".to_owned(),
                [Segment::Text(text)] => format!("{text:?}"),
                _ => format!("(template{})", parts.collect::<String>()),
            }
        }
        ExprKind::List(items) => format!("[{}]", our_list(items)),
        ExprKind::Map(parts) => {
            let parts = joined(parts.iter().map(|(name, value)| format!("{}: {}", name.text, our_expr(value))));
            format!("#{{{parts}}}")
        }
        ExprKind::Name(name) => name.to_string(),
        ExprKind::Field { receiver: of, name, is_optional } => {
            format!("(. {} {}{})", our_expr(of), name.text, mark(*is_optional))
        }
        ExprKind::Index { receiver: of, index, is_optional } => {
            format!("(at {} {}{})", our_expr(of), our_expr(index), mark(*is_optional))
        }
        ExprKind::Call { name, arguments } | ExprKind::OwnCall { name, arguments, .. } => {
            format!("({}{})", name.text, our_list(arguments))
        }
        ExprKind::Method { receiver: of, name, arguments, is_optional } => {
            format!("(.{} {}{}{})", name.text, our_expr(of), our_list(arguments), mark(*is_optional))
        }
        ExprKind::Unary { op, operand } => {
            let op = match op {
                UnaryOp::Negate => "-",
                UnaryOp::Plus => "+",
                UnaryOp::Not => "!",
            };
            format!("({op} {})", our_expr(operand))
        }
        ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Coalesce), .. } => {
            let mut found = Vec::new();
            our_operands(*op, expr, &mut found);
            format!("({} {})", symbol(*op), found.join(" "))
        }
        ExprKind::Binary { op: BinaryOp::In, left, right, .. } => {
            format!("(contains {} {})", our_expr(right), our_expr(left))
        }
        ExprKind::Binary { op: BinaryOp::NotIn, left, right, .. } => {
            format!("(! (contains {} {}))", our_expr(right), our_expr(left))
        }
        ExprKind::Binary { op, left, right, .. } => format!("({} {} {})", symbol(*op), our_expr(left), our_expr(right)),
        ExprKind::Closure { .. } => "(closure)".to_owned(),
        ExprKind::Block(block) => our_block(block),
        ExprKind::If { condition, then, otherwise } => {
            let otherwise = otherwise.as_ref().map_or_else(
                || "{}".to_owned(),
                |other| match &other.kind {
                    ExprKind::If { .. } => format!("{{{}}}", our_expr(other)),
                    _ => our_expr(other),
                },
            );
            format!("(if {} {} {otherwise})", our_expr(condition), our_block(then))
        }
        ExprKind::Switch { subject, cases } => {
            let mut text = format!("(switch {}", our_expr(subject));
            for case in cases {
                let condition = case.condition.as_ref().map_or_else(|| "true".to_owned(), our_expr);
                let body = our_statement(&case.body);
                let body = if body.starts_with('{') { body } else { format!("{{{body}}}") };
                write!(text, " {condition} => {body}").unwrap();
            }
            text + ")"
        }
        ExprKind::While { condition, body } => {
            format!(
                "(while {} {})",
                condition.as_ref().map_or_else(|| "()".to_owned(), |c| our_expr(c)),
                our_block(body)
            )
        }
        ExprKind::DoWhile { body, condition } => format!("(do {} {})", our_block(body), our_expr(condition)),
        ExprKind::For { name, counter, list, body } => {
            let counter = counter.as_ref().map_or("-", |counter| &counter.text);
            format!("(for {} {counter} {} {})", name.text, our_expr(list), our_block(body))
        }
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    BinaryOp::ALL.iter().find(|(known, ..)| *known == op).unwrap().1
}

fn mark(is_optional: bool) -> &'static str {
    if is_optional { " ?" } else { "" }
}

// ----- syntax tree of Rhai as S-expressions

fn their_statements<'s>(statements: impl Iterator<Item = &'s Stmt>) -> String {
    let all: Vec<String> = statements.filter(|s| !matches!(s, Stmt::Noop(_))).map(their_statement).collect();
    format!("{{{}}}", all.join("; "))
}

fn their_statement(statement: &Stmt) -> String {
    match statement {
        Stmt::Noop(_) => "{}".to_owned(),
        Stmt::If(flow, _) => {
            format!(
                "(if {} {} {})",
                their_expr(&flow.expr),
                their_statements(flow.body.iter()),
                their_statements(flow.branch.iter())
            )
        }
        Stmt::Switch(switch, _) => {
            let mut text = format!("(switch {}", their_expr(&switch.0));
            for case in &switch.1.expressions {
                write!(text, " {} => {}", their_expr(&case.lhs), their_expr(&case.rhs)).unwrap();
            }
            text + ")"
        }
        Stmt::While(flow, _) => format!("(while {} {})", their_expr(&flow.expr), their_statements(flow.body.iter())),
        Stmt::Do(flow, ..) => format!("(do {} {})", their_statements(flow.body.iter()), their_expr(&flow.expr)),
        Stmt::For(all, _) => {
            let (name, counter, flow) = &**all;
            let counter = counter.as_ref().map_or("-", |counter| counter.as_str());
            format!(
                "(for {} {counter} {} {})",
                name.as_str(),
                their_expr(&flow.expr),
                their_statements(flow.body.iter())
            )
        }
        Stmt::Var(all, flags, _) => {
            format!(
                "({} {} {})",
                if flags.contains(ASTFlags::CONSTANT) { "const" } else { "let" },
                all.0.as_str(),
                their_expr(&all.1)
            )
        }
        Stmt::Assignment(all) => {
            let (op, sides) = &**all;
            let op = op.get_op_assignment_info().map_or("", |info| info.3.trim_end_matches('='));
            format!("({op}= {} {})", their_expr(&sides.lhs), their_expr(&sides.rhs))
        }
        Stmt::FnCall(call, _) => format!("({}{})", call.name, their_list(&call.args)),
        Stmt::Block(block) => their_statements(block.iter()),
        Stmt::Expr(expr) => their_expr(expr),
        Stmt::BreakLoop(value, flags, _) => {
            if flags.contains(ASTFlags::BREAK) {
                format!("(break {})", value.as_ref().map_or_else(|| "-".to_owned(), |v| their_expr(v)))
            } else {
                "(continue)".to_owned()
            }
        }
        Stmt::Return(value, ..) => {
            format!("(return {})", value.as_ref().map_or_else(|| "-".to_owned(), |v| their_expr(v)))
        }
        other => format!("{other:?}"),
    }
}

fn their_list(items: &[rhai::Expr]) -> String {
    joined(items.iter().map(their_expr))
}

fn their_expr(expr: &rhai::Expr) -> String {
    use rhai::Expr as E;
    match expr {
        E::DynamicConstant(value, _) if value.is_fnptr() => "(closure)".to_owned(),
        E::DynamicConstant(value, _) => format!("{value:?}"),
        E::BoolConstant(flag, _) => flag.to_string(),
        E::IntegerConstant(number, _) => number.to_string(),
        E::CharConstant(c, _) => format!("{c:?}"),
        E::StringConstant(text, _) => format!("{:?}", text.as_str()),
        E::InterpolatedString(parts, _) => format!("(template{})", their_list(parts)),
        E::Array(items, _) => format!("[{}]", their_list(items)),
        E::Map(parts, _) => {
            let parts = joined(parts.0.iter().map(|(name, value)| format!("{}: {}", name.as_str(), their_expr(value))));
            format!("#{{{parts}}}")
        }
        E::Unit(_) => "()".to_owned(),
        E::Variable(all, ..) => all.1.to_string(),
        E::ThisPtr(_) => "this".to_owned(),
        E::Property(all, _) => all.2.to_string(),
        E::Stmt(block) if block.iter().any(|statement| matches!(statement, Stmt::Share(_))) => "(closure)".to_owned(),
        E::Stmt(block) => their_block(&their_statements(block.iter()), block.len()),
        E::FnCall(call, _) | E::MethodCall(call, _) => {
            format!("({}{})", call.name, their_list(&call.args))
        }
        E::Dot(sides, flags, _) => their_dot(&their_expr(&sides.lhs), &sides.rhs, *flags),
        E::Index(sides, flags, _) => their_index(&their_expr(&sides.lhs), &sides.rhs, *flags),
        E::And(all, _) => format!("(&&{})", their_list(all)),
        E::Or(all, _) => format!("(||{})", their_list(all)),
        E::Coalesce(all, _) => format!("(??{})", their_list(all)),
        other => format!("{other:?}"),
    }
}

/// Removes the braces around a single statement that can also be an expression, such as `if`. Rhai wraps such a statement in a block.
fn their_block(text: &str, count: usize) -> String {
    let inner = &text[1..text.len() - 1];
    let is_bare = ["(if ", "(switch ", "(while ", "(do ", "(for "].iter().any(|word| inner.starts_with(word));
    if count == 1 && is_bare { inner.to_owned() } else { text.to_owned() }
}

fn their_link(base: &str, link: &rhai::Expr, flags: ASTFlags) -> String {
    let mark = mark(flags.contains(ASTFlags::NEGATED));
    match link {
        rhai::Expr::Property(all, _) => format!("(. {base} {}{mark})", all.2),
        rhai::Expr::MethodCall(call, _) => format!("(.{} {base}{}{mark})", call.name, their_list(&call.args)),
        other => format!("{other:?}"),
    }
}

fn their_dot(base: &str, rest: &rhai::Expr, flags: ASTFlags) -> String {
    match rest {
        rhai::Expr::Dot(sides, inner, _) => their_dot(&their_link(base, &sides.lhs, flags), &sides.rhs, *inner),
        rhai::Expr::Index(sides, inner, _) => their_index(&their_link(base, &sides.lhs, flags), &sides.rhs, *inner),
        other => their_link(base, other, flags),
    }
}

fn their_index(base: &str, rest: &rhai::Expr, flags: ASTFlags) -> String {
    let mark = mark(flags.contains(ASTFlags::NEGATED));
    if flags.contains(ASTFlags::BREAK) {
        return format!("(at {base} {}{mark})", their_expr(rest));
    }
    match rest {
        rhai::Expr::Dot(sides, inner, _) => {
            their_dot(&format!("(at {base} {}{mark})", their_expr(&sides.lhs)), &sides.rhs, *inner)
        }
        rhai::Expr::Index(sides, inner, _) => {
            their_index(&format!("(at {base} {}{mark})", their_expr(&sides.lhs)), &sides.rhs, *inner)
        }
        other => format!("(at {base} {}{mark})", their_expr(other)),
    }
}

/// Removes spaces and braces. The two parsers differ in which single statements they wrap in a block.
fn without_braces(text: &str) -> String {
    text.chars().filter(|c| !"{} ".contains(*c)).collect()
}

/// Asserts that both parsers produce the same tree. Compares the bodies of closures separately, because Rhai compiles them to functions.
fn assert_same_tree(text: &str) {
    let parsed = parse_statements(&source(text), &mut 0);
    assert!(parsed.mistakes.is_empty(), "{text}\n{:?}", parsed.mistakes);
    let theirs = match engine().compile(text) {
        Ok(ast) => their_statements(ast.statements().iter()),
        Err(error) => panic!("{text}\n{error}"),
    };
    assert_eq!(without_braces(&our_statements(&parsed.tree)), without_braces(&theirs), "{text}");
    each_closure(&parsed.tree, &mut |body| assert_same_tree(&text[body.span.range()]));
}

fn each_closure(statements: &[Statement], found: &mut dyn FnMut(&Statement)) {
    each_expr(statements, &mut |expr| {
        if let ExprKind::Closure { body, .. } = &expr.kind {
            found(body);
        }
    });
}

#[test]
fn statements_parse_to_the_same_tree_as_in_rhai() {
    for text in [
        "1 + 2 * 3 - 4 / 5 % 6 ** 7 ** 8",
        "a || b && c == d < e",
        "a && (b && c) && d; a || b || c",
        "!a.b && -c.d[1] > -5",
        "(-5).abs(); -x.abs(); - 5; +3; - -3",
        "x = y; x.a.b = 3; x[1][2].c += 4; x.a[1]",
        "a in b; a !in b.c; !(a in b); a + 1 in b",
        "0..5; 0..=n; (1..)",
        "a ?? b ?? c; a?.b?.c(); a?[1]; x ?? return 5",
        "let a; let b = 3;",
        "if a { 1 } else if b { 2 } else { 3 }",
        "let x = if a { 1 } else { 2 }; let y = { 3 }; let z = switch a { 1 => 2, _ => 3 };",
        "switch a { 1 | 2 => { b }, \"x\" if c => d = 4, 3..5 => return, _ => () }",
        "while a { if b { break } continue; } loop { break 5; } do { a } while b;",
        "for x in y { z } for (x, i) in 0..3 { z; }",
        "f(); f(1, 2,); f([1, 2, [3]], #{ a: 1, \"b c\": 2 }); #{}; []",
        "x.filter(|a| a.b).map(|a, b| { a + b }); let f = || 3; g(|x| x.p = 5)",
        "\"a\\n\\\"b\\\\ \\u4e00\"; `x ${a + 1} y ${ let b = 2; b } z`; `a\nb`; \"say \"\"hi\"\"\"; #\"raw \"x\"\"#",
        "/* a /* b */ c */ 1; // d\n2",
        "{ a; } { b } [1].len(); { [1] }",
        "a.b.c(d).e[f].g",
        "return; return 3",
        "1_000; 0; 9223372036854775807",
        "a.type_of(); type_of(a)",
        "x[y[0]].z; x[y].z[w.v]",
        "(a + b).c; (a.b).c; ((a)).b[0]",
        "a\n// comment\n.b",
    ] {
        assert_same_tree(text);
    }
}

/// Returns the paths of the rules and agents of all games.
fn scripts() -> Vec<std::path::PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["games", "examples/games"] {
        for game in std::fs::read_dir(root.join(folder)).unwrap() {
            for kind in ["rules", "agents"] {
                let Ok(scripts) = std::fs::read_dir(game.as_ref().unwrap().path().join(kind)) else { continue };
                files.extend(scripts.map(|entry| entry.unwrap().path()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn rules_of_games_parse_to_the_same_tree_as_in_rhai() {
    let files = scripts();
    assert!(files.len() > 30);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let parsed = parse(&source(&text), &mut 0);
        assert!(parsed.mistakes.is_empty(), "{}: {:?}", file.display(), parsed.mistakes);
        for function in &parsed.tree.functions {
            let body = function.body.span.range();
            assert_same_tree(&text[body.start + 1..body.end - 1]);
        }
    }
}

#[test]
fn all_syntax_errors_of_a_file_are_reported() {
    let errors = |text: &str| {
        let parsed = parse(&source(text), &mut 0);
        let all: Vec<String> = parsed.mistakes.iter().map(Diagnostic::in_a_line).collect();
        (parsed.tree.functions.len(), all)
    };
    let (count, all) =
        errors("fn a() {\n    let x = ;\n    y = 3\n    f(1 2);\n}\n\nfn b() { if x { 1 }\n\nfn c() { null }\n");
    assert_eq!(count, 3);
    assert_eq!(
        all,
        [
            "something is missing before `;` (rules/a.rhai:2:13)",
            "`;` is missing at the end (rules/a.rhai:3:9)",
            "`)` or `,` is missing in the brackets of `f` (rules/a.rhai:4:7)",
            "missing `}` (rules/a.rhai:7:19)",
            "`null` is not part of the rule language (rules/a.rhai:9:10)",
        ]
    );
}

/// Edits the rules of games at random, and asserts that both parsers accept or refuse the result alike, and build the same tree if they
/// accept it. Two differences are ignored: Rhai checks some types while parsing, and has syntax that the rules language omits.
#[test]
fn edited_rules_are_refused_exactly_when_rhai_refuses_them() {
    let engine = engine();
    // A xorshift generator.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let insertions = [
        ";", ",", "(", ")", "{", "}", "[", "]", "=", "==", "+", "-", ".", "|", "if", "else", "for", "in", "let",
        "return", "x", "3", "\"t\"", "#{", ":", "=>", "switch", "while", "..", "?.", "??", "fn", "break", "_", "&&",
        "+=",
    ];
    let (mut refused, mut differences) = (0, Vec::new());
    for file in scripts() {
        let text = std::fs::read_to_string(&file).unwrap();
        for function in parse(&source(&text), &mut 0).tree.functions {
            let body = function.body.span.range();
            let body = &text[body.start + 1..body.end - 1];
            let tokens = token_ranges(body);
            if tokens.is_empty() {
                continue;
            }
            for _ in 0..30 {
                let at = tokens[random(tokens.len())].clone();
                let other = insertions[random(insertions.len())];
                let changed = match random(3) {
                    0 => format!("{}{}", &body[..at.start], &body[at.end..]),
                    1 => format!("{} {other} {}", &body[..at.start], &body[at.start..]),
                    _ => format!("{} {other} {}", &body[..at.start], &body[at.end..]),
                };
                let parsed = parse_statements(&source(&changed), &mut 0);
                match engine.compile(&changed) {
                    Ok(ast) if parsed.mistakes.is_empty() => {
                        let theirs = their_statements(ast.statements().iter());
                        if without_braces(&our_statements(&parsed.tree)) != without_braces(&theirs) {
                            differences.push(format!(
                                "different trees: {changed}\n{}\n{theirs}",
                                our_statements(&parsed.tree)
                            ));
                        }
                    }
                    Ok(_) if is_unsupported(&changed) || uses_bit_operators(&parsed.mistakes) => {}
                    Ok(_) => differences.push(format!("refused: {changed}\n{}", parsed.mistakes[0].in_a_line())),
                    Err(error) if parsed.mistakes.is_empty() && !is_type_error(&error) => {
                        differences.push(format!("accepted: {changed}\n{error}"));
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
    assert!(
        differences.is_empty(),
        "{}\n{}",
        differences.len(),
        differences[..differences.len().min(12)].join("\n=====\n")
    );
}

/// Returns whether a text may contain Rhai syntax that the rules language omits: an empty closure, a call with `!` that passes the caller's
/// variables, or a member access on `return`.
fn is_unsupported(text: &str) -> bool {
    let bare = text.replace(' ', "");
    bare.contains("|;") || bare.contains("!()") || bare.contains("return.")
}

/// Returns whether a bit operator was refused. The rules language has no bit operators.
fn uses_bit_operators(mistakes: &[Diagnostic]) -> bool {
    mistakes.iter().any(|mistake| mistake.message.ends_with("` is not allowed here"))
}

/// Returns the byte ranges of the words and single symbols in a script.
fn token_ranges(text: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '"';
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut was_word = false;
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        let end = at + c.len_utf8();
        match found.last_mut() {
            Some(last) if last.end == at && was_word && is_word(c) => last.end = end,
            _ => found.push(at..end),
        }
        was_word = is_word(c);
    }
    found
}

/// Returns whether Rhai's error is about types or assignments and not about syntax.
fn is_type_error(error: &rhai::ParseError) -> bool {
    use rhai::ParseErrorType as E;
    matches!(error.err_type(), E::MismatchedType(..) | E::MalformedIndexExpr(_) | E::AssignmentToConstant(_))
}
