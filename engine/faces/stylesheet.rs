//! Subset of CSS that templates may use: layout, fonts and painting within a face. All rules are scoped to the face.
//! Nothing is fetched, and nothing is positioned relative to the page.

use super::picture_names::PictureNames;
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, StyleSheetParser, ToCss, Token,
};
use indexmap::IndexSet;
use std::fmt::Write as _;

/// Attribute that replaces `style` attributes. A content security policy can allow `style` attributes only for the whole page, not for
/// faces alone.
pub(super) const STYLED: &str = "data-styled";

/// Allowed properties. A name that ends with `-` is a prefix.
const PROPERTIES: [&str; 62] = [
    "--",
    "align-",
    "aspect-ratio",
    "background",
    "background-",
    "border",
    "border-",
    "bottom",
    "box-shadow",
    "box-sizing",
    "clip-path",
    "color",
    "column-",
    "columns",
    "content",
    "display",
    "fill",
    "fill-opacity",
    "fill-rule",
    "filter",
    "flex",
    "flex-",
    "float",
    "clear",
    "font",
    "font-",
    "gap",
    "grid",
    "grid-",
    "height",
    "inset",
    "inset-",
    "justify-",
    "left",
    "letter-spacing",
    "line-height",
    "list-style",
    "list-style-",
    "margin",
    "margin-",
    "max-",
    "min-",
    "mix-blend-mode",
    "object-",
    "opacity",
    "order",
    "overflow",
    "overflow-",
    "padding",
    "padding-",
    "place-",
    "position",
    "right",
    "row-gap",
    "rotate",
    "scale",
    "stroke",
    "stroke-",
    "table-layout",
    "text-",
    "top",
    "transform",
];
const MORE_PROPERTIES: [&str; 12] = [
    "transform-origin",
    "translate",
    "vertical-align",
    "visibility",
    "white-space",
    "width",
    "word-",
    "writing-mode",
    "z-index",
    "outline",
    "outline-",
    "counter-",
];

/// Functions allowed in values.
const FUNCTIONS: [&str; 46] = [
    "blur",
    "brightness",
    "calc",
    "circle",
    "clamp",
    "color-mix",
    "conic-gradient",
    "contrast",
    "counter",
    "drop-shadow",
    "ellipse",
    "fit-content",
    "grayscale",
    "hsl",
    "hsla",
    "hwb",
    "inset",
    "lab",
    "lch",
    "linear-gradient",
    "matrix",
    "max",
    "min",
    "minmax",
    "oklab",
    "oklch",
    "opacity",
    "polygon",
    "radial-gradient",
    "repeat",
    "repeating-conic-gradient",
    "repeating-linear-gradient",
    "repeating-radial-gradient",
    "rgb",
    "rgba",
    "rotate",
    "saturate",
    "scale",
    "scalex",
    "scaley",
    "sepia",
    "skewx",
    "skewy",
    "translate",
    "translatex",
    "var",
];
const MORE_FUNCTIONS: [&str; 3] = ["translatey", "hue-rotate", "invert"];

/// Allowed values of `position`. `fixed` and `sticky` would escape the card.
const POSITIONS: [&str; 3] = ["absolute", "relative", "static"];

/// Maximum nesting depth of values.
const MAX_VALUE_DEPTH: usize = 12;

/// Properties that a browser renders in a separate layer, which is expensive. Their number in a stylesheet is limited.
const SEPARATE_LAYER: [&str; 5] = ["filter", "box-shadow", "text-shadow", "mix-blend-mode", "background-blend-mode"];
const MAX_SEPARATE_LAYERS: usize = 32;

/// Maximum number of integer digits of numbers. Nothing on a card needs more. The cost of a blur or shadow grows with its radius, so
/// lengths in these properties may have only [`MAX_LAYER_DIGITS`] digits.
const MAX_DIGITS: usize = 5;
const MAX_LAYER_DIGITS: usize = 2;

/// Maximum size in bytes of a value that inserts text, such as that of `content`. The text is repeated for each element to which the style
/// applies.
const LONGEST_TEXT: usize = 100;

/// Units of angles.
const ANGLES: [&str; 4] = ["deg", "grad", "rad", "turn"];

/// Cleaned stylesheets and `style` attributes of templates, without duplicates. The rules of each stylesheet are scoped to a class.
#[derive(Debug, Default)]
pub(super) struct Scopes(IndexSet<String>);

/// Result of cleaning a style.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CleanStyle {
    /// Cleaned style.
    pub(super) style: String,
    /// Beginnings of the removed declarations and rules.
    pub(super) left_out: Vec<String>,
    /// Rules with properties that are rendered in separate layers.
    pub(super) layers: Vec<LayerRule>,
}

/// Elements to which a rule may apply, by the last part of its selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Elements with this class.
    Class(String),
    /// Elements with this tag name.
    Element(String),
    /// Elements with this value of [`STYLED`].
    Styled(String),
    /// Every element.
    Any,
}

/// A rule with properties that a browser renders in separate layers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LayerRule {
    pub(super) targets: Vec<Target>,
    /// Number of properties in the rule that a browser renders in separate layers.
    pub(super) layers: usize,
    /// Number of these properties that child elements inherit.
    pub(super) inherited: usize,
}

/// Placeholder for the scope's class until it is known.
const SCOPE_PLACEHOLDER: &str = ".face.\u{1}";

impl Scopes {
    /// Adds a cleaned stylesheet and returns its class. The class is derived from the content, so that a face does not
    /// change when others do.
    pub(super) fn class(&mut self, style: String) -> String {
        let class = class_of(&style);
        self.0.insert(style);
        class
    }

    /// Adds the declarations of a `style` attribute. They apply to the elements that are marked with their hash, and take precedence over
    /// all other rules for the face.
    pub(super) fn add_inline(&mut self, declarations: &str) {
        self.0.insert(format!(".face [{STYLED}={}]:not(#of) {{ {declarations}}}\n", class_of(declarations)));
    }

    /// Returns all stylesheets, each scoped to its class.
    pub(super) fn style(&self) -> String {
        self.0.iter().map(|style| style.replace('\u{1}', &class_of(style))).collect()
    }
}

/// Returns the class for a style. Equal styles have the same class.
pub(super) fn class_of(style: &str) -> String {
    format!("own-{}", &blake3::hash(style.as_bytes()).to_hex()[..12])
}

/// Cleans a stylesheet and scopes its rules to the face.
pub(super) fn sheet(text: &str, pictures: &PictureNames) -> CleanStyle {
    let mut filter = Filter::new(pictures);
    let mut style = String::new();
    let mut parser = Parser::new(text);
    let mut wrong = Vec::new();
    for rule in StyleSheetParser::new(&mut parser, &mut filter) {
        match rule {
            Ok(rule) => style.push_str(&rule),
            Err((_, slice, _)) => wrong.push(beginning(slice)),
        }
    }
    filter.left_out.extend(wrong);
    CleanStyle { style: without_tags(&style), left_out: filter.left_out, layers: filter.rules }
}

/// Cleans the declarations of a `style` attribute.
pub(super) fn clean_declarations(text: &str, pictures: &PictureNames) -> CleanStyle {
    let mut filter = Filter::new(pictures);
    let mut parser = Parser::new(text);
    let style = rewrite_declarations(&mut parser, &mut filter);
    let style = without_tags(&style);
    let targets = vec![Target::Styled(class_of(&style))];
    filter.add_rule(targets, 0, 0);
    CleanStyle { style, left_out: filter.left_out, layers: filter.rules }
}

/// Escapes `<`, so that a style cannot close its `<style>` element.
fn without_tags(style: &str) -> String {
    style.replace('<', "\\3c ")
}

/// Returns the beginning of a removed rule, for messages.
fn beginning(slice: &str) -> String {
    slice.split(['{', ';']).next().unwrap_or_default().trim().chars().take(40).collect()
}

struct Filter<'a> {
    pictures: &'a PictureNames,
    left_out: Vec<String>,
    /// Number of properties so far that are rendered in separate layers, and number of inherited ones among them.
    separate_layers: usize,
    inherited_layers: usize,
    rules: Vec<LayerRule>,
}

impl<'a> Filter<'a> {
    fn new(pictures: &'a PictureNames) -> Self {
        Self { pictures, left_out: Vec::new(), separate_layers: 0, inherited_layers: 0, rules: Vec::new() }
    }

    /// Adds a rule if any of its properties is rendered in a separate layer. `layers_before` and `inherited_before` are the counts before
    /// the rule was parsed.
    fn add_rule(&mut self, targets: Vec<Target>, layers_before: usize, inherited_before: usize) {
        let layers = self.separate_layers - layers_before;
        if layers > 0 {
            self.rules.push(LayerRule { targets, layers, inherited: self.inherited_layers - inherited_before });
        }
    }
}

fn rewrite_declarations(input: &mut Parser<'_>, filter: &mut Filter<'_>) -> String {
    let mut kept = String::new();
    let mut wrong = Vec::new();
    for declaration in RuleBodyParser::<_, String, ()>::new(input, filter) {
        match declaration {
            Ok(declaration) => kept.push_str(&declaration),
            Err((_, slice, _)) => wrong.push(beginning(slice)),
        }
    }
    filter.left_out.extend(wrong);
    kept
}

impl AtRuleParser<'_> for Filter<'_> {
    type Prelude = ();
    type AtRule = String;
    type Error = ();
}

impl<'i> QualifiedRuleParser<'i> for Filter<'_> {
    type Prelude = (String, Vec<Target>);
    type QualifiedRule = String;
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<(String, Vec<Target>), ParseError<()>> {
        rewrite_selectors(input)
    }

    fn parse_block(
        &mut self,
        (selectors, targets): (String, Vec<Target>),
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<String, ParseError<()>> {
        let (layers, inherited) = (self.separate_layers, self.inherited_layers);
        let kept = rewrite_declarations(input, self);
        self.add_rule(targets, layers, inherited);
        Ok(format!("{selectors} {{ {kept}}}\n"))
    }
}

impl<'i> DeclarationParser<'i> for Filter<'_> {
    type Declaration = String;
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _start: &ParserState,
    ) -> Result<String, ParseError<()>> {
        let name = name.to_ascii_lowercase();
        if !is_kept(&name) {
            return Err(ParseError::unexpected_token());
        }
        let is_apart = SEPARATE_LAYER.contains(&&*name);
        self.separate_layers += usize::from(is_apart);
        self.inherited_layers += usize::from(name == "text-shadow");
        if is_apart && self.separate_layers > MAX_SEPARATE_LAYERS {
            return Err(ParseError::unexpected_token());
        }
        let digits = if is_apart { MAX_LAYER_DIGITS } else { MAX_DIGITS };
        let mut value = String::new();
        rewrite_value(input, self.pictures, digits, 0, &mut value)?;
        // Variables and calculations could exceed the limit on the radius of blurs.
        if is_apart && ["var(", "calc("].iter().any(|function| value.contains(function)) {
            return Err(ParseError::unexpected_token());
        }
        // Nested variables could double the length of a text at each level.
        let shows_text = name == "content" || name.starts_with("list-style");
        if shows_text && (value.len() > LONGEST_TEXT || value.contains("var(")) {
            return Err(ParseError::unexpected_token());
        }
        let is_place = |word: &str| POSITIONS.contains(&word);
        if name == "position" && !is_place(value.trim().to_ascii_lowercase().as_str()) {
            return Err(ParseError::unexpected_token());
        }
        Ok(format!("{name}: {}; ", value.trim()))
    }
}

impl RuleBodyItemParser<'_, String, ()> for Filter<'_> {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        false
    }
}

fn is_kept(property: &str) -> bool {
    let known = || PROPERTIES.iter().chain(&MORE_PROPERTIES);
    let is_name =
        property.chars().all(|character| character.is_ascii_alphanumeric() || character == '-' || character == '_');
    is_name && known().any(|known| if known.ends_with('-') { property.starts_with(known) } else { property == *known })
}

/// Rewrites a value token by token, so that only known tokens are output.
fn rewrite_value(
    input: &mut Parser<'_>,
    pictures: &PictureNames,
    digits: usize,
    depth: usize,
    value: &mut String,
) -> Result<(), ParseError<()>> {
    if depth > MAX_VALUE_DEPTH {
        return Err(ParseError::unexpected_token());
    }
    while let Ok(token) = input.next_including_whitespace_and_comments().cloned() {
        match token {
            Token::WhiteSpace(_) | Token::Comment(_) => value.push(' '),
            Token::Number { .. } | Token::Percentage { .. } | Token::Dimension { .. } => {
                let text = token.to_css_string();
                // Only lengths make blurs and shadows expensive, so other numbers may have more digits.
                let is_length = matches!(&token, Token::Dimension { unit, .. } if !ANGLES.contains(&&**unit));
                if has_too_many_digits(&text, if is_length { digits } else { MAX_DIGITS }) {
                    return Err(ParseError::unexpected_token());
                }
                value.push_str(&text);
            }
            Token::Ident(_)
            | Token::Hash(_)
            | Token::IDHash(_)
            | Token::QuotedString(_)
            | Token::Comma
            | Token::Delim('/' | '+' | '-' | '*' | '!') => value.push_str(&token.to_css_string()),
            Token::UnquotedUrl(url) => value.push_str(&address(&url, pictures)?),
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                if name == "url" {
                    let url = input.parse_nested_block(|inner| {
                        let url = inner.expect_string_cloned()?;
                        inner.expect_exhausted()?;
                        Ok::<_, ParseError<()>>(url)
                    })?;
                    value.push_str(&address(&url, pictures)?);
                    continue;
                }
                if !FUNCTIONS.iter().chain(&MORE_FUNCTIONS).any(|known| *known == name) {
                    return Err(ParseError::unexpected_token());
                }
                value.push_str(&name);
                rewrite_nested(input, pictures, digits, depth, ('(', ')'), value)?;
            }
            Token::ParenthesisBlock => rewrite_nested(input, pictures, digits, depth, ('(', ')'), value)?,
            Token::SquareBracketBlock => rewrite_nested(input, pictures, digits, depth, ('[', ']'), value)?,
            _ => return Err(ParseError::unexpected_token()),
        }
    }
    Ok(())
}

/// Returns whether a number has too many integer digits, or an exponent.
fn has_too_many_digits(number: &str, most: usize) -> bool {
    let number = number.trim_start_matches(['+', '-']);
    let whole = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let unit = whole.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let has_exponent = unit
        .strip_prefix(['e', 'E'])
        .is_some_and(|rest| rest.starts_with(['+', '-']) || rest.starts_with(|c: char| c.is_ascii_digit()));
    number.len() - whole.len() > most || has_exponent
}

fn rewrite_nested(
    input: &mut Parser<'_>,
    pictures: &PictureNames,
    digits: usize,
    depth: usize,
    (open, close): (char, char),
    value: &mut String,
) -> Result<(), ParseError<()>> {
    value.push(open);
    input.parse_nested_block(|inner| rewrite_value(inner, pictures, digits, depth + 1, value))?;
    value.push(close);
    Ok(())
}

/// Returns a `url()` with the placeholder of a picture. Fails for URLs of anything else.
fn address(url: &str, pictures: &PictureNames) -> Result<String, ParseError<()>> {
    match pictures.address(url) {
        Some(address) => Ok(format!("url({address})")),
        None => Err(ParseError::unexpected_token()),
    }
}

/// Rewrites selectors and scopes each to descendants of the face. Fails if a selector begins with `>`, `+` or `~`. Also returns the
/// elements to which the selectors may apply.
fn rewrite_selectors(input: &mut Parser<'_>) -> Result<(String, Vec<Target>), ParseError<()>> {
    let mut all: Vec<String> = vec![String::new()];
    let mut targets = vec![TargetParser::default()];
    let last = |all: &mut Vec<String>, text: &str| all.last_mut().expect("there is one").push_str(text);
    while let Ok(token) = input.next_including_whitespace_and_comments().cloned() {
        let is_first = all.last().is_some_and(|one| one.trim().is_empty());
        match &token {
            Token::Comma => targets.push(TargetParser::default()),
            token => targets.iter_mut().last().into_iter().for_each(|target| target.add(token)),
        }
        match token {
            Token::Comma => all.push(String::new()),
            Token::WhiteSpace(_) | Token::Comment(_) => last(&mut all, " "),
            Token::Ident(_) | Token::Hash(_) | Token::IDHash(_) | Token::Colon | Token::Delim('.' | '*') => {
                last(&mut all, &token.to_css_string());
            }
            Token::Delim('>' | '+' | '~') if !is_first => last(&mut all, &token.to_css_string()),
            Token::Function(name) if is_structural(&name) => {
                let inner = input.parse_nested_block(rewrite_structural_argument)?;
                last(&mut all, &format!("{}({inner})", name.to_ascii_lowercase()));
            }
            _ => return Err(ParseError::unexpected_token()),
        }
    }
    let mut text = String::new();
    for one in &all {
        if one.trim().is_empty() {
            return Err(ParseError::unexpected_token());
        }
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{comma}{SCOPE_PLACEHOLDER} {}", one.trim());
    }
    Ok((text, targets.into_iter().map(|target| target.target).collect()))
}

/// Parser that determines, token by token, the elements to which a selector may apply.
struct TargetParser {
    target: Target,
    /// Whether a combinator, such as a space, came after the last part.
    is_ended: bool,
    /// Last character that says what the next name is: `.` for a class, `:` for a pseudo-class.
    sign: Option<char>,
}

impl Default for TargetParser {
    fn default() -> Self {
        Self { target: Target::Any, is_ended: false, sign: None }
    }
}

impl TargetParser {
    fn add(&mut self, token: &Token<'_>) {
        if matches!(token, Token::WhiteSpace(_) | Token::Comment(_) | Token::Delim('>' | '+' | '~')) {
            self.is_ended = true;
            return;
        }
        if std::mem::take(&mut self.is_ended) {
            (self.target, self.sign) = (Target::Any, None);
        }
        match token {
            Token::Delim(sign) => self.sign = Some(*sign),
            Token::Colon => self.sign = Some(':'),
            Token::Ident(name) => {
                let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
                let target = match self.sign.take() {
                    Some('.') => Target::Class(name.to_string()),
                    None => Target::Element(name.to_string()),
                    Some(_) => return,
                };
                // One condition is enough: every further one only leaves elements out.
                if is_plain && self.target == Target::Any {
                    self.target = target;
                }
            }
            _ => self.sign = None,
        }
    }
}

fn is_structural(name: &str) -> bool {
    ["not", "is", "where", "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// Rewrites the argument of a structural pseudo-class: a list of selectors without `>` and `~`, or a position such as `2n+1`.
fn rewrite_structural_argument(input: &mut Parser<'_>) -> Result<String, ParseError<()>> {
    let mut text = String::new();
    while let Ok(token) = input.next_including_whitespace_and_comments().cloned() {
        match token {
            Token::WhiteSpace(_) | Token::Comment(_) => text.push(' '),
            Token::Ident(_)
            | Token::Hash(_)
            | Token::IDHash(_)
            | Token::Colon
            | Token::Comma
            | Token::Number { .. }
            | Token::Dimension { .. }
            | Token::Delim('.' | '*' | '+' | '-') => text.push_str(&token.to_css_string()),
            _ => return Err(ParseError::unexpected_token()),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::picture_names::PictureNames;
    use super::{Scopes, clean_declarations, sheet};

    #[test]
    fn rules_with_layers_name_the_elements_they_apply_to() {
        use super::{LayerRule, Target};
        let class = |name: &str| Target::Class(name.to_owned());
        for (selector, target) in [
            (".a", class("a")),
            ("b .\\61 ", class("a")),
            ("b", Target::Element("b".to_owned())),
            ("b.a:first-child::before", Target::Element("b".to_owned())),
            (".a > b /**/ ", Target::Element("b".to_owned())),
            (".a *", Target::Any),
            (".a :first-child", Target::Any),
            ("#a", Target::Any),
            (":is(.a)", Target::Any),
            (".\\26 ", Target::Any),
        ] {
            let text = format!("{selector} {{ filter: blur(2px); text-shadow: 0 0 1px red }} .c {{ color: red }}");
            let found = sheet(&text, &PictureNames::default()).layers;
            assert_eq!(found, [LayerRule { targets: vec![target], layers: 2, inherited: 1 }], "{selector}");
        }
        let found = sheet(".a, i { box-shadow: 0 0 1px red }", &PictureNames::default()).layers;
        let targets = vec![class("a"), Target::Element("i".to_owned())];
        assert_eq!(found, [LayerRule { targets, layers: 1, inherited: 0 }]);
        for wrong in ["--a: 999px; filter: blur(var(--a))", "filter: blur(calc(99px * 99))"] {
            let found = sheet(&format!(".a {{ {wrong} }}"), &PictureNames::default());
            assert!(!found.style.contains("filter"), "{}", found.style);
        }
    }

    fn kept(text: &str) -> String {
        let mut scopes = Scopes::default();
        let class = scopes.class(sheet(text, &PictureNames::default()).style);
        scopes.style().trim().replace(&class, "own-0")
    }

    #[test]
    fn rules_are_scoped_to_the_face() {
        assert_eq!(
            kept(".a, b > i:nth-child(2n+1) { color: red; font-size: calc(2cqw + 1px) }"),
            ".face.own-0 .a, .face.own-0 b > i:nth-child(2n+1) { color: red; font-size: calc(2cqw + 1px); }"
        );
        assert_eq!(kept("body, html, :root, * { margin: 0 }").matches(".face.own-0 ").count(), 4);
    }

    #[test]
    fn declarations_that_escape_the_face_are_removed() {
        for hostile in [
            "@import 'x.css';",
            "@import url(//evil.example/x.css);",
            "@font-face { font-family: a; src: url(//evil.example/a) }",
            "@media print { body { display: none } }",
            "~ div { color: red }",
            "+ div { color: red }",
            "> div { color: red }",
            ".a, ~ div { color: red }",
            ":not(&) { color: red }",
            "& ~ div { color: red }",
            "html:has(.a) { color: red }",
            ":host { color: red } <",
            "[style] { color: red }",
            "}} body { color: red }",
            ".a { color: red} body {display: none } html { color: red }",
        ] {
            let left = kept(hostile);
            assert!(left.lines().all(|line| line.starts_with(".face.own-0 ")), "{hostile}: {left}");
            assert!(!left.contains("evil") && !left.contains('@') && !left.contains('<'), "{hostile}: {left}");
        }
        for hostile in [
            "position: fixed",
            "position: sticky",
            "position: fi\\78 ed",
            "background: url(//evil.example/a.png)",
            "background: u\\72l(//evil.example/a.png)",
            "background: url('https://evil.example/a.png')",
            "background: URL( \"data:image/svg+xml,<svg onload=alert(1)>\" )",
            "background: image-set('a.png' 1x)",
            "background: src('a.png')",
            "behavior: url(a.htc)",
            "-moz-binding: url(a.xml)",
            "width: expression(alert(1))",
            "content: attr(title)",
            "animation: a 1s",
            "cursor: none",
            "all: unset",
            "background: element(#a)",
            "pointer-events: none",
        ] {
            let text = format!(".a {{ {hostile} }}");
            let left = kept(&text);
            assert!(!left.contains("evil") && !left.contains("fixed") && !left.contains("sticky"), "{hostile}: {left}");
            assert!(
                !left.contains('(') && !left.contains("binding") && !left.contains("animation"),
                "{hostile}: {left}"
            );
            assert!(!left.contains("none") && !left.contains("unset"), "{hostile}: {left}");
        }
        for long in [format!("'{}'", "x".repeat(101)), "'x' ".repeat(40), "var(--a)".to_owned()] {
            for property in ["content", "list-style-type", "list-style"] {
                assert!(
                    !kept(&format!(".a::before {{ {property}: {long} }}")).contains(property),
                    "{property}: {long}"
                );
            }
        }
        assert!(kept(".a::before { content: '→ ' counter(a) }").contains("counter(a)"));
        let deep = format!(".a {{ width: {}1{} }}", "calc(".repeat(5_000), ")".repeat(5_000));
        assert!(!kept(&deep).contains("calc"));
    }

    #[test]
    fn filters_and_numbers_are_limited() {
        let blurs = kept(&".a { filter: blur(9px) }".repeat(200));
        assert_eq!(blurs.matches("blur").count(), 32);
        let kept_whole = ".a { filter: hue-rotate(180deg) brightness(150%) drop-shadow(0 0 2px rgb(255, 0, 0)) }";
        assert!(kept(kept_whole).contains("180deg"));
        for wrong in ["filter: blur(999px)", "box-shadow: 0 0 400px red", "width: 1000000px", "width: 1e9px"] {
            let left = kept(&format!(".a {{ {wrong} }}"));
            assert!(!left.contains("px"), "{left}");
        }
        assert!(
            kept(".a { width: 12345.5px; margin: 1.5em; filter: drop-shadow(0 0 12px red) }").contains("12345.5px")
        );
    }

    #[test]
    fn a_style_cannot_close_its_element() {
        let left = kept(".a::before { content: '</style><script>alert(1)</script>' }");
        assert!(!left.contains('<') && left.contains("\\3c "), "{left}");
    }

    #[test]
    fn only_pictures_of_the_game_are_allowed() {
        assert_eq!(kept(".a { background: url(coin.png) }"), ".face.own-0 .a { background: url(parlour-picture:0); }");
        let found = clean_declarations("color: red; background: url(../gone.png)", &PictureNames::default());
        assert_eq!((found.style.as_str(), found.left_out.len()), ("color: red; ", 1));
    }
}
