//! Variants: the options that players may agree on before the game, and how a game with them differs.

use super::document::{Document, setting_text};
use super::flow::{Course, Node};
use super::functions::uncapitalized;
use super::spaces::space_text;
use crate::faces::card_texts;
use crate::model::{FieldValue, Language, Model, OptionType, Setting, SpaceId, ZoneId, capitalized};
use crate::paper::board::shared_zone_name;
use crate::paper::order::Variant;
use crate::phrases::filled;
use crate::wording::{Wording, escaped};
use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};
use std::sync::Arc;

/// Maximum width of the range of an option's numbers that is printed. A wider range only keeps out nonsense.
const MAX_RANGE: i64 = 20;

/// Returns the English titles by which chapters of the rules name variants: the names of options, and the names of their values except the
/// default.
pub(super) fn titles(model: &Model) -> BTreeSet<String> {
    let mut titles = BTreeSet::new();
    for option in model.options.values() {
        let OptionType::Word(words) = &option.kind else { continue };
        titles.insert(option.name.get(Language::English).to_owned());
        let others = words.iter().filter(|word| option.value != Setting::Word((*word).clone()));
        titles.extend(others.map(|word| english_title(model, word)));
    }
    titles
}

fn english_title(model: &Model, value: &str) -> String {
    capitalized(&model.named_word(value, Language::English))
}

impl Document<'_> {
    /// Describes the options. Options for a seat are left out, because they only say who begins.
    pub(super) fn variants(&mut self) {
        let (model, language) = (self.model, self.order.language);
        let options: Vec<_> = model.options.values().filter(|option| option.kind != OptionType::Seat).collect();
        if options.is_empty() {
            return;
        }
        self.heading(2, self.book.variants);
        self.paragraph("", self.book.variants_intro);
        for option in options {
            self.html.push_str("<section>\n");
            let name = option.name.get(language);
            self.heading(3, name);
            let range = match option.kind {
                OptionType::Number { min, max } if max.saturating_sub(min) <= MAX_RANGE => format!("{min}–{max}"),
                _ => String::new(),
            };
            let about = option.about.as_ref().map_or("", |about| about.get(language));
            let about: Vec<&str> = [about, &range].into_iter().filter(|text| !text.is_empty()).collect();
            let about = capitalized(&about.join(self.phrases.log.semicolon));
            self.paragraph("", &format!("{about}{}", if about.is_empty() { "" } else { self.phrases.log.full_stop }));
            let order = self.order;
            let variants: Vec<&Variant> =
                order.variants.iter().filter(|variant| *variant.option == *option.id).collect();
            let mut named = vec![option.name.get(Language::English).to_owned()];
            if let [variant] = variants[..] {
                named.push(english_title(model, &variant.value));
                self.steps_of_variant(&variant.model);
                self.chapter(&named);
                self.differences(&variant.model);
            } else {
                self.chapter(&named);
                for variant in variants {
                    let value = capitalized(&self.wording.named_word(&variant.value));
                    let _ = writeln!(self.html, "<h4>{}</h4>", escaped(&value));
                    self.steps_of_variant(&variant.model);
                    self.chapter(&[english_title(model, &variant.value)]);
                    self.differences(&variant.model);
                }
            }
            self.html.push_str("</section>\n");
        }
    }

    /// Prints the comments of the functions that only variants with these titles need. Functions that components name are left out, because
    /// the components say what they do.
    fn chapter(&mut self, titles: &[String]) {
        let mut steps = Vec::new();
        let phases = self.course.phases.iter().map(|phase| &phase.steps);
        phases.chain([&self.course.setup, &self.course.finish]).flatten().for_each(|node| node.functions(&mut steps));
        let models = self.order.variants.iter().map(|variant| &variant.model);
        let others: Vec<Course> = models.map(|model| Course::new(&model.flow.ops)).collect();
        others.iter().flat_map(|course| &course.setup).for_each(|node| node.functions(&mut steps));
        let fields = self.model.components.iter().flat_map(|component| component.fields.values());
        steps.extend(
            fields.filter_map(|value| if let FieldValue::Function(name) = value { Some(&**name) } else { None }),
        );
        let texts: Vec<String> =
            self.functions.texts_of_variant(titles, &steps).into_iter().map(str::to_owned).collect();
        for text in texts {
            self.paragraph("", &text);
        }
    }

    /// Lists the tracks, cards and params of a variant that differ from the usual game.
    fn differences(&mut self, variant: &Arc<Model>) {
        let language = self.order.language;
        let wording = Wording::printed(variant.clone(), language);
        let mut rows: Vec<[String; 2]> = Vec::new();
        for zone in (1..variant.zones.len()).map(ZoneId::at) {
            let figures = |model: &Model, wording: &Wording| -> Option<String> {
                let spaces = model.zones.get(zone.index())?.spaces.clone().map(SpaceId);
                Some(spaces.map(|space| space_text(model, wording, space)).collect::<Vec<_>>().join(" · "))
            };
            let now = figures(variant, &wording);
            if variant.family_of(zone).is_shown && now != figures(self.model, self.wording) {
                rows.push([shared_zone_name(variant, &wording, variant.zone(zone)), now.unwrap_or_default()]);
            }
        }
        let (texts, usual) = (card_texts(variant, &wording), card_texts(self.model, self.wording));
        for (at, component) in variant.components.iter().enumerate() {
            let before = self.model.find_component(&component.id).map(|id| &usual[id.index()]);
            if before != Some(&texts[at]) && component.count > 0 && !texts[at].is_empty() {
                rows.push([component.name.get(language).to_owned(), texts[at].join(self.phrases.log.semicolon)]);
            }
        }
        for param in variant.params.values() {
            let before = self.model.params.get(&param.id);
            let Some(about) = &param.about else { continue };
            // If the variant also describes the param anew, it is no longer the same number, and comparing the two would confuse readers.
            let is_other = before.is_none_or(|before| before.value != param.value && before.about == param.about);
            if is_other {
                rows.push([capitalized(about.get(language)), setting_text(&wording, &param.value)]);
            }
        }
        if rows.is_empty() {
            return;
        }
        self.html.push_str("<table>\n");
        for row in rows {
            self.row("td", &row);
        }
        self.html.push_str("</table>\n");
    }

    /// Prints the steps that are not in the usual game, and says which steps of the setup they replace.
    fn steps_of_variant(&mut self, variant: &Model) {
        let course = Course::new(&variant.flow.ops);
        let names = |nodes: &[Node]| {
            let mut found = Vec::new();
            for node in nodes {
                node.functions(&mut found);
            }
            found.into_iter().map(str::to_owned).collect::<Vec<String>>()
        };
        let (usual, now) = (names(&self.course.setup), names(&course.setup));
        let text = |document: &Self, name: &str| document.functions.text(name, &BTreeSet::new(), &mut BTreeSet::new());
        let added: Vec<String> = now
            .iter()
            .filter(|name| !usual.contains(name))
            .map(|name| text(self, name))
            .filter(|text| !text.is_empty())
            .collect();
        let replaced = usual.iter().enumerate().filter(|(_, name)| !now.contains(name));
        let replaced: Vec<String> = replaced.map(|(at, _)| (at + 1).to_string()).collect();
        let added = added.join(self.order.language.between_lines());
        if !replaced.is_empty() && !added.is_empty() {
            let steps = replaced.join(self.wording.comma());
            let values: [(&str, &dyn Display); 2] = [("steps", &steps), ("what", &uncapitalized(&added))];
            self.paragraph("", &filled(self.book.instead_of_steps, &values));
        } else {
            self.paragraph("", &added);
        }
        let all = |course: &Course| -> Vec<String> {
            let phases = course.phases.iter().flat_map(|phase| names(&phase.steps));
            phases.chain(names(&course.finish)).collect()
        };
        let usual = all(&self.course);
        for name in all(&course) {
            if !usual.contains(&name) && !now.contains(&name) {
                let text = text(self, &name);
                self.paragraph("", &text);
            }
        }
    }
}
