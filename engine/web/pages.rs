//! Renders the HTML templates. Values are escaped, unless they are marked as safe.

use crate::model::Language;
use crate::phrases::Phrases;
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};
use std::collections::BTreeMap;

/// The templates, by name.
const TEMPLATES: &[(&str, &str)] = &[
    ("languages.html", include_str!("templates/languages.html")),
    ("page.html", include_str!("templates/page.html")),
    ("table.html", include_str!("templates/table.html")),
    ("scene.html", include_str!("templates/scene.html")),
    ("rail.html", include_str!("templates/rail.html")),
    ("latest.html", include_str!("templates/latest.html")),
    ("moment.html", include_str!("templates/moment.html")),
    ("log.html", include_str!("templates/log.html")),
    ("notes.html", include_str!("templates/notes.html")),
    ("found.html", include_str!("templates/found.html")),
    ("why.html", include_str!("templates/why.html")),
    ("notice.html", include_str!("templates/notice.html")),
    ("host.html", include_str!("templates/host.html")),
    ("trials.html", include_str!("templates/trials.html")),
    ("lobby_page.html", include_str!("templates/lobby_page.html")),
    ("lobby.html", include_str!("templates/lobby.html")),
    ("set_up.html", include_str!("templates/set_up.html")),
    ("enter.html", include_str!("templates/enter.html")),
    ("refused.html", include_str!("templates/refused.html")),
    ("renewed.html", include_str!("templates/renewed.html")),
    #[cfg(not(feature = "system"))]
    ("offline.html", include_str!("templates/offline.html")),
    #[cfg(not(feature = "system"))]
    ("cover.html", include_str!("templates/cover.html")),
    #[cfg(not(feature = "system"))]
    ("cards.html", include_str!("templates/cards.html")),
    #[cfg(not(feature = "system"))]
    ("simulate.html", include_str!("templates/simulate.html")),
    #[cfg(not(feature = "system"))]
    ("about.html", include_str!("templates/about.html")),
];

/// Files that pages load from the server: name, media type and content.
#[cfg(feature = "web")]
pub(crate) const STATIC_FILES: [(&str, &str, &str); 8] = [
    ("icon.svg", "image/svg+xml", include_str!("static/icon.svg")),
    ("icon-turn.svg", "image/svg+xml", include_str!("static/icon-turn.svg")),
    ("page.css", "text/css; charset=utf-8", include_str!("static/page.css")),
    ("table.css", "text/css; charset=utf-8", include_str!("static/table.css")),
    ("table.js", "text/javascript; charset=utf-8", include_str!("static/table.js")),
    ("htmx.min.js", "text/javascript; charset=utf-8", include_str!("static/htmx.min.js")),
    ("htmx-sse.min.js", "text/javascript; charset=utf-8", include_str!("static/htmx-sse.min.js")),
    ("idiomorph.min.js", "text/javascript; charset=utf-8", include_str!("static/idiomorph.min.js")),
];

/// Contents of the files that only pages without a server use: the shell, the worker and the styles.
#[cfg(feature = "web")]
pub(crate) const SHELL: [&str; 3] =
    [include_str!("static/shell.js"), include_str!("static/worker.js"), include_str!("static/offline.css")];

/// Compiled templates.
pub(super) struct Pages {
    environment: Environment<'static>,
}

impl Pages {
    /// Compiles the embedded templates.
    pub(super) fn new() -> Self {
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.expect("its delimiters are the usual ones"));
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        for (name, text) in TEMPLATES.iter().copied() {
            environment.add_template(name, text).expect("the templates are ours");
        }
        Self { environment }
    }

    /// Renders a template.
    pub(super) fn render(&self, name: &str, given: Value) -> String {
        let template = self.environment.get_template(name).expect("the templates are ours");
        template.render(given).unwrap_or_else(|error| panic!("`{name}`: {error:#}"))
    }

    /// Renders the page that says why a request was refused.
    pub(super) fn refused(&self, why: &str, language: Language) -> String {
        self.render("refused.html", context! { text => why, ..base(language) })
    }
}

/// Parses the language tag of a request. Returns the default language if the tag is missing or unknown.
pub(super) fn asked_language(tag: Option<&str>) -> Language {
    tag.and_then(Language::from_tag).unwrap_or_default()
}

/// Returns the phrases of the section `wanted`, keyed by name.
pub(super) fn section(wanted: &str, language: Language) -> BTreeMap<&'static str, &'static str> {
    let all = Phrases::for_language(language).all().into_iter();
    all.filter(|(section, ..)| *section == wanted).map(|(_, name, text)| (name, text)).collect()
}

/// Returns the template values that every page uses: the phrases of a language, and the available languages.
pub(super) fn base(language: Language) -> Value {
    let words = section("web", language);
    let other = |one: Language| context! { tag => one.tag(), sign => Phrases::for_language(one).web.language_sign };
    let comma = Phrases::for_language(language).log.comma;
    context! { web => words, comma, lang => language.tag(), languages => Language::ALL.map(other) }
}
