//! Pages from templates, which stand beside this file: whatever is put into one is escaped.

use crate::model::Language;
use crate::phrases::Phrases;
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};
use std::collections::BTreeMap;

/// The templates, by name.
const TEMPLATES: [(&str, &str); 18] = [
    ("page.html", include_str!("templates/page.html")),
    ("table.html", include_str!("templates/table.html")),
    ("scene.html", include_str!("templates/scene.html")),
    ("rail.html", include_str!("templates/rail.html")),
    ("latest.html", include_str!("templates/latest.html")),
    ("moment.html", include_str!("templates/moment.html")),
    ("log.html", include_str!("templates/log.html")),
    ("notes.html", include_str!("templates/notes.html")),
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
];

/// All pages.
pub(super) struct Pages {
    environment: Environment<'static>,
}

impl Pages {
    /// The templates that the program carries.
    pub(super) fn new() -> Self {
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.expect("its delimiters are the usual ones"));
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        for (name, text) in TEMPLATES {
            environment.add_template(name, text).expect("the templates are ours");
        }
        Self { environment }
    }

    /// A page.
    pub(super) fn render(&self, name: &str, given: Value) -> String {
        let template = self.environment.get_template(name).expect("the templates are ours");
        template.render(given).unwrap_or_else(|error| panic!("`{name}`: {error:#}"))
    }

    /// The page that says why a request was refused. A page that sent it in the background shows the sentence in place.
    pub(super) fn refused(&self, why: &str, language: Language) -> String {
        self.render("refused.html", context! { text => why, ..base(language) })
    }
}

/// The language that a page is asked for in.
pub(super) fn asked_language(tag: Option<&str>) -> Language {
    tag.and_then(Language::from_tag).unwrap_or_default()
}

/// What every page has: the words of a language, and which languages there are.
pub(super) fn base(language: Language) -> Value {
    let words: BTreeMap<&str, &str> = Phrases::of(language)
        .all()
        .into_iter()
        .filter(|(section, ..)| *section == "web")
        .map(|(_, name, text)| (name, text))
        .collect();
    let other = |one: Language| context! { tag => one.tag(), sign => Phrases::of(one).web.language_sign };
    context! { web => words, lang => language.tag(), languages => Language::ALL.map(other) }
}
