//! The tree is that of the script engine's own parser, and mistakes have their words and places.

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

// ----- our tree, in brackets

fn ours_block(block: &Block) -> String {
    ours_all(&block.statements)
}

fn ours_all(statements: &[Statement]) -> String {
    let all: Vec<String> = statements.iter().map(ours_statement).collect();
    format!("{{{}}}", all.join("; "))
}

fn ours_optional(expr: Option<&Expr>) -> String {
    expr.map_or_else(|| "-".to_owned(), ours)
}

fn ours_statement(statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::Let { name, value } => {
            let value = value.as_ref().map_or_else(|| "()".to_owned(), ours);
            format!("(let {} {value})", name.text)
        }
        StatementKind::Assign { target, op, value, .. } => {
            format!("({}= {} {})", op.map_or("", symbol), ours(target), ours(value))
        }
        StatementKind::Expr(expr) => ours(expr),
        StatementKind::Return(value) => format!("(return {})", ours_optional(value.as_ref())),
        StatementKind::Break(value) => format!("(break {})", ours_optional(value.as_ref())),
        StatementKind::Continue => "(continue)".to_owned(),
    }
}

/// Each with a space before it.
fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.fold(String::new(), |all, part| all + " " + part.as_str())
}

fn ours_list(items: &[Expr]) -> String {
    joined(items.iter().map(ours))
}

/// `a && b && c` is one list of conditions to the script engine.
fn ours_flat(op: BinaryOp, expr: &Expr, found: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Binary { op: inner, left, right, .. } if *inner == op => {
            ours_flat(op, left, found);
            ours_flat(op, right, found);
        }
        _ => found.push(ours(expr)),
    }
}

fn ours(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Missing => "?".to_owned(),
        ExprKind::Unit => "()".to_owned(),
        ExprKind::Flag(flag) => flag.to_string(),
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Template(segments) => {
            let parts = segments.iter().map(|segment| match segment {
                Segment::Text(text) => format!(" {text:?}"),
                Segment::Code(block) => format!(" {}", ours_block(block)),
            });
            match segments.as_slice() {
                [] => "\"\"".to_owned(),
                [Segment::Text(text)] => format!("{text:?}"),
                _ => format!("(template{})", parts.collect::<String>()),
            }
        }
        ExprKind::List(items) => format!("[{}]", ours_list(items)),
        ExprKind::Map(parts) => {
            let parts = joined(parts.iter().map(|(name, value)| format!("{}: {}", name.text, ours(value))));
            format!("#{{{parts}}}")
        }
        ExprKind::Name(name) => name.to_string(),
        ExprKind::Field { of, name, is_optional } => format!("(. {} {}{})", ours(of), name.text, mark(*is_optional)),
        ExprKind::Index { of, index, is_optional } => {
            format!("(at {} {}{})", ours(of), ours(index), mark(*is_optional))
        }
        ExprKind::Call { name, arguments } => format!("({}{})", name.text, ours_list(arguments)),
        ExprKind::Method { of, name, arguments, is_optional } => {
            format!("(.{} {}{}{})", name.text, ours(of), ours_list(arguments), mark(*is_optional))
        }
        ExprKind::Unary { op, operand } => {
            let op = match op {
                UnaryOp::Negate => "-",
                UnaryOp::Plus => "+",
                UnaryOp::Not => "!",
            };
            format!("({op} {})", ours(operand))
        }
        ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Coalesce), .. } => {
            let mut found = Vec::new();
            ours_flat(*op, expr, &mut found);
            format!("({} {})", symbol(*op), found.join(" "))
        }
        ExprKind::Binary { op: BinaryOp::In, left, right, .. } => format!("(contains {} {})", ours(right), ours(left)),
        ExprKind::Binary { op: BinaryOp::NotIn, left, right, .. } => {
            format!("(! (contains {} {}))", ours(right), ours(left))
        }
        ExprKind::Binary { op, left, right, .. } => format!("({} {} {})", symbol(*op), ours(left), ours(right)),
        ExprKind::Closure { .. } => "(closure)".to_owned(),
        ExprKind::Block(block) => ours_block(block),
        ExprKind::If { condition, then, otherwise } => {
            let otherwise = otherwise.as_ref().map_or_else(
                || "{}".to_owned(),
                |other| match &other.kind {
                    ExprKind::If { .. } => format!("{{{}}}", ours(other)),
                    _ => ours(other),
                },
            );
            format!("(if {} {} {otherwise})", ours(condition), ours_block(then))
        }
        ExprKind::Switch { subject, cases } => {
            let mut text = format!("(switch {}", ours(subject));
            for case in cases {
                let condition = case.condition.as_ref().map_or_else(|| "true".to_owned(), ours);
                let body = ours_statement(&case.body);
                let body = if body.starts_with('{') { body } else { format!("{{{body}}}") };
                write!(text, " {condition} => {body}").unwrap();
            }
            text + ")"
        }
        ExprKind::While { condition, body } => {
            format!("(while {} {})", condition.as_ref().map_or_else(|| "()".to_owned(), |c| ours(c)), ours_block(body))
        }
        ExprKind::DoWhile { body, condition } => format!("(do {} {})", ours_block(body), ours(condition)),
        ExprKind::For { name, counter, list, body } => {
            let counter = counter.as_ref().map_or("-", |counter| &counter.text);
            format!("(for {} {counter} {} {})", name.text, ours(list), ours_block(body))
        }
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    BinaryOp::ALL.iter().find(|(known, ..)| *known == op).unwrap().1
}

fn mark(is_optional: bool) -> &'static str {
    if is_optional { " ?" } else { "" }
}

// ----- the script engine's tree, the same way

fn theirs_all<'s>(statements: impl Iterator<Item = &'s Stmt>) -> String {
    let all: Vec<String> = statements.filter(|s| !matches!(s, Stmt::Noop(_))).map(theirs_statement).collect();
    format!("{{{}}}", all.join("; "))
}

fn theirs_statement(statement: &Stmt) -> String {
    match statement {
        Stmt::Noop(_) => "{}".to_owned(),
        Stmt::If(flow, _) => {
            format!("(if {} {} {})", theirs(&flow.expr), theirs_all(flow.body.iter()), theirs_all(flow.branch.iter()))
        }
        Stmt::Switch(switch, _) => {
            let mut text = format!("(switch {}", theirs(&switch.0));
            for case in &switch.1.expressions {
                write!(text, " {} => {}", theirs(&case.lhs), theirs(&case.rhs)).unwrap();
            }
            text + ")"
        }
        Stmt::While(flow, _) => format!("(while {} {})", theirs(&flow.expr), theirs_all(flow.body.iter())),
        Stmt::Do(flow, ..) => format!("(do {} {})", theirs_all(flow.body.iter()), theirs(&flow.expr)),
        Stmt::For(all, _) => {
            let (name, counter, flow) = &**all;
            let counter = counter.as_ref().map_or("-", |counter| counter.as_str());
            format!("(for {} {counter} {} {})", name.as_str(), theirs(&flow.expr), theirs_all(flow.body.iter()))
        }
        Stmt::Var(all, flags, _) => {
            format!(
                "({} {} {})",
                if flags.contains(ASTFlags::CONSTANT) { "const" } else { "let" },
                all.0.as_str(),
                theirs(&all.1)
            )
        }
        Stmt::Assignment(all) => {
            let (op, sides) = &**all;
            let op = op.get_op_assignment_info().map_or("", |info| info.3.trim_end_matches('='));
            format!("({op}= {} {})", theirs(&sides.lhs), theirs(&sides.rhs))
        }
        Stmt::FnCall(call, _) => format!("({}{})", call.name, theirs_list(&call.args)),
        Stmt::Block(block) => theirs_all(block.iter()),
        Stmt::Expr(expr) => theirs(expr),
        Stmt::BreakLoop(value, flags, _) => {
            if flags.contains(ASTFlags::BREAK) {
                format!("(break {})", value.as_ref().map_or_else(|| "-".to_owned(), |v| theirs(v)))
            } else {
                "(continue)".to_owned()
            }
        }
        Stmt::Return(value, ..) => format!("(return {})", value.as_ref().map_or_else(|| "-".to_owned(), |v| theirs(v))),
        other => format!("{other:?}"),
    }
}

fn theirs_list(items: &[rhai::Expr]) -> String {
    joined(items.iter().map(theirs))
}

fn theirs(expr: &rhai::Expr) -> String {
    use rhai::Expr as E;
    match expr {
        E::DynamicConstant(value, _) if value.is_fnptr() => "(closure)".to_owned(),
        E::DynamicConstant(value, _) => format!("{value:?}"),
        E::BoolConstant(flag, _) => flag.to_string(),
        E::IntegerConstant(number, _) => number.to_string(),
        E::CharConstant(c, _) => format!("{c:?}"),
        E::StringConstant(text, _) => format!("{:?}", text.as_str()),
        E::InterpolatedString(parts, _) => format!("(template{})", theirs_list(parts)),
        E::Array(items, _) => format!("[{}]", theirs_list(items)),
        E::Map(parts, _) => {
            let parts = joined(parts.0.iter().map(|(name, value)| format!("{}: {}", name.as_str(), theirs(value))));
            format!("#{{{parts}}}")
        }
        E::Unit(_) => "()".to_owned(),
        E::Variable(all, ..) => all.1.to_string(),
        E::ThisPtr(_) => "this".to_owned(),
        E::Property(all, _) => all.2.to_string(),
        E::Stmt(block) if block.iter().any(|statement| matches!(statement, Stmt::Share(_))) => "(closure)".to_owned(),
        E::Stmt(block) => theirs_one(&theirs_all(block.iter()), block.len()),
        E::FnCall(call, _) | E::MethodCall(call, _) => {
            format!("({}{})", call.name, theirs_list(&call.args))
        }
        E::Dot(sides, flags, _) => theirs_dot(&theirs(&sides.lhs), &sides.rhs, *flags),
        E::Index(sides, flags, _) => theirs_index(&theirs(&sides.lhs), &sides.rhs, *flags),
        E::And(all, _) => format!("(&&{})", theirs_list(all)),
        E::Or(all, _) => format!("(||{})", theirs_list(all)),
        E::Coalesce(all, _) => format!("(??{})", theirs_list(all)),
        other => format!("{other:?}"),
    }
}

/// Statements that stand as an expression by themselves have no braces of their own.
fn theirs_one(text: &str, count: usize) -> String {
    let inner = &text[1..text.len() - 1];
    let is_bare = ["(if ", "(switch ", "(while ", "(do ", "(for "].iter().any(|word| inner.starts_with(word));
    if count == 1 && is_bare { inner.to_owned() } else { text.to_owned() }
}

fn theirs_link(base: &str, link: &rhai::Expr, flags: ASTFlags) -> String {
    let mark = mark(flags.contains(ASTFlags::NEGATED));
    match link {
        rhai::Expr::Property(all, _) => format!("(. {base} {}{mark})", all.2),
        rhai::Expr::MethodCall(call, _) => format!("(.{} {base}{}{mark})", call.name, theirs_list(&call.args)),
        other => format!("{other:?}"),
    }
}

fn theirs_dot(base: &str, rest: &rhai::Expr, flags: ASTFlags) -> String {
    match rest {
        rhai::Expr::Dot(sides, inner, _) => theirs_dot(&theirs_link(base, &sides.lhs, flags), &sides.rhs, *inner),
        rhai::Expr::Index(sides, inner, _) => theirs_index(&theirs_link(base, &sides.lhs, flags), &sides.rhs, *inner),
        other => theirs_link(base, other, flags),
    }
}

fn theirs_index(base: &str, rest: &rhai::Expr, flags: ASTFlags) -> String {
    let mark = mark(flags.contains(ASTFlags::NEGATED));
    if flags.contains(ASTFlags::BREAK) {
        return format!("(at {base} {}{mark})", theirs(rest));
    }
    match rest {
        rhai::Expr::Dot(sides, inner, _) => {
            theirs_dot(&format!("(at {base} {}{mark})", theirs(&sides.lhs)), &sides.rhs, *inner)
        }
        rhai::Expr::Index(sides, inner, _) => {
            theirs_index(&format!("(at {base} {}{mark})", theirs(&sides.lhs)), &sides.rhs, *inner)
        }
        other => format!("(at {base} {}{mark})", theirs(other)),
    }
}

/// Texts read alike but for braces that mean nothing: those of one statement where one statement may stand.
fn alike(text: &str) -> String {
    text.chars().filter(|c| !"{} ".contains(*c)).collect()
}

/// Holds statements against the script engine's, and those inside closures for themselves.
fn hold(text: &str) {
    let parsed = parse_statements(&source(text), &mut 0);
    assert!(parsed.mistakes.is_empty(), "{text}\n{:?}", parsed.mistakes);
    let theirs = match engine().compile(text) {
        Ok(ast) => theirs_all(ast.statements().iter()),
        Err(error) => panic!("{text}\n{error}"),
    };
    assert_eq!(alike(&ours_all(&parsed.tree)), alike(&theirs), "{text}");
    each_closure(&parsed.tree, &mut |body| hold(&text[body.span.range()]));
}

fn each_closure(statements: &[Statement], found: &mut dyn FnMut(&Statement)) {
    each_expr(statements, &mut |expr| {
        if let ExprKind::Closure { body, .. } = &expr.kind {
            found(body);
        }
    });
}

#[test]
fn trees_are_those_of_the_script_engine() {
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
        hold(text);
    }
}

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
fn rules_of_games_are_read_like_the_script_engine_does() {
    let files = scripts();
    assert!(files.len() > 30);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let parsed = parse(&source(&text), &mut 0);
        assert!(parsed.mistakes.is_empty(), "{}: {:?}", file.display(), parsed.mistakes);
        for function in &parsed.tree.functions {
            let body = function.body.span.range();
            hold(&text[body.start + 1..body.end - 1]);
        }
    }
}

#[test]
fn a_mistake_hides_no_other() {
    let said = |text: &str| {
        let parsed = parse(&source(text), &mut 0);
        let all: Vec<String> = parsed.mistakes.iter().map(Diagnostic::in_a_line).collect();
        (parsed.tree.functions.len(), all)
    };
    let (count, all) =
        said("fn a() {\n    let x = ;\n    y = 3\n    f(1 2);\n}\n\nfn b() { if x { 1 }\n\nfn c() { null }\n");
    assert_eq!(count, 3);
    assert_eq!(
        all,
        [
            "something is missing before `;` (rules/a.rhai:2:13)",
            "`;` is missing at the end (rules/a.rhai:3:9)",
            "`)` or `,` is missing in the brackets of `f` (rules/a.rhai:4:7)",
            "`}` is missing: something is not closed (rules/a.rhai:7:19)",
            "`null` is not a word of rules (rules/a.rhai:9:10)",
        ]
    );
}

/// The script engine knows types and more words when it reads; all else it refuses is refused here, and nothing more.
#[test]
fn what_the_script_engine_refuses_is_refused() {
    let engine = engine();
    let mut lots = 0x9e37_79b9_7f4a_7c15_u64;
    let mut lot = |below: usize| {
        lots ^= lots << 13;
        lots ^= lots >> 7;
        lots ^= lots << 17;
        (lots % below as u64) as usize
    };
    let others = [
        ";", ",", "(", ")", "{", "}", "[", "]", "=", "==", "+", "-", ".", "|", "if", "else", "for", "in", "let",
        "return", "x", "3", "\"t\"", "#{", ":", "=>", "switch", "while", "..", "?.", "??", "fn", "break", "_", "&&",
        "+=",
    ];
    let (mut refused, mut unlike) = (0, Vec::new());
    for file in scripts() {
        let text = std::fs::read_to_string(&file).unwrap();
        for function in parse(&source(&text), &mut 0).tree.functions {
            let body = function.body.span.range();
            let body = &text[body.start + 1..body.end - 1];
            let tokens = words(body);
            if tokens.is_empty() {
                continue;
            }
            for _ in 0..30 {
                let at = tokens[lot(tokens.len())].clone();
                let other = others[lot(others.len())];
                let changed = match lot(3) {
                    0 => format!("{}{}", &body[..at.start], &body[at.end..]),
                    1 => format!("{} {other} {}", &body[..at.start], &body[at.start..]),
                    _ => format!("{} {other} {}", &body[..at.start], &body[at.end..]),
                };
                let parsed = parse_statements(&source(&changed), &mut 0);
                match engine.compile(&changed) {
                    Ok(ast) if parsed.mistakes.is_empty() => {
                        let theirs = theirs_all(ast.statements().iter());
                        if alike(&ours_all(&parsed.tree)) != alike(&theirs) {
                            unlike.push(format!("unlike trees: {changed}\n{}\n{theirs}", ours_all(&parsed.tree)));
                        }
                    }
                    Ok(_) if is_none_of_ours(&changed) || has_bits(&parsed.mistakes) => {}
                    Ok(_) => unlike.push(format!("refused: {changed}\n{}", parsed.mistakes[0].in_a_line())),
                    Err(error) if parsed.mistakes.is_empty() && !is_of_types(&error) => {
                        unlike.push(format!("accepted: {changed}\n{error}"));
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
    assert!(unlike.is_empty(), "{}\n{}", unlike.len(), unlike[..unlike.len().min(12)].join("\n=====\n"));
}

/// What the script engine takes and rules have no use for: a closure that does nothing at all, a call that hands over all
/// variables, and something of `return`.
fn is_none_of_ours(text: &str) -> bool {
    let bare = text.replace(' ', "");
    bare.contains("|;") || bare.contains("!()") || bare.contains("return.")
}

/// Whether an operator on bits is refused, which rules have none of.
fn has_bits(mistakes: &[Diagnostic]) -> bool {
    mistakes.iter().any(|mistake| mistake.message.ends_with("` means nothing here"))
}

/// Where the words and symbols of a text stand, roughly.
fn words(text: &str) -> Vec<Range<usize>> {
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

/// Whether an error is about what is meant rather than what is written.
fn is_of_types(error: &rhai::ParseError) -> bool {
    use rhai::ParseErrorType as E;
    matches!(error.err_type(), E::MismatchedType(..) | E::MalformedIndexExpr(_) | E::AssignmentToConstant(_))
}
