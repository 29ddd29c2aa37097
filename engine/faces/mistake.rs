//! Diagnostics about templates and pictures.

use super::picture::{CardPicture, PictureError};
use super::tokens::place_of;
use crate::diagnostic::{Diagnostic, Place, Role, Source, UnknownField, did_you_mean};
use crate::model::Model;
use minijinja::{Error, ErrorKind};
use std::ops::Range;
use std::sync::Arc;

/// Description of an expression or tag with too many tokens, as passed to [`not_allowed`].
pub(super) const LONG_EXPRESSION: &str = "{{ … }} with more than 500 words and signs";

/// Returns a diagnostic for each template that belongs to no kind or back in any variant of the game.
pub(super) fn unknown_kinds(model: &Arc<Model>) -> Vec<Diagnostic> {
    let models = || [model].into_iter().chain(model.variants_with_more_names().iter());
    let kinds = || models().flat_map(|model| &model.kinds);
    let names: Vec<String> = kinds().map(|kind| kind.id.to_string()).collect();
    let backs: Vec<String> = kinds().map(|kind| format!("{}.back", kind.back)).collect();
    let is_unknown = |source: &&Arc<Source>| {
        let name = Role::Face.name(&source.path);
        !names.iter().chain(&backs).any(|known| known == name)
    };
    let mistake =
        |source: &Arc<Source>| {
            let name = Role::Face.name(&source.path);
            let found =
                Diagnostic::error("unknown-kind", format!("there is no kind `{name}` that this could be the face of"))
                    .mark(start(source), "shown on nothing");
            let all = names.iter().chain(&backs).map(String::as_str);
            found.help(did_you_mean(name, all).unwrap_or_else(|| {
                "name the file after a kind, `KIND.html`, or after a back, `BACK.back.html`".to_owned()
            }))
        };
    model.faces.iter().filter(is_unknown).map(mistake).collect()
}

/// Reports an unknown name in a template.
pub(super) fn unknown_field(source: &Arc<Source>, name: &str, of: &str, known: &[&str]) -> Diagnostic {
    let mut known = known.to_vec();
    known.sort_unstable();
    let help = did_you_mean(name, known.iter().copied());
    UnknownField::of_one(&format!("`{of}`"), name)
        .note("stands for nothing")
        .help(help.unwrap_or_else(|| format!("a face can name {}", listed(&known))))
        .at(place_of(source, name))
}

fn listed(known: &[&str]) -> String {
    known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Reports a template that cannot be parsed, or that fails for a component.
pub(super) fn template_error(source: &Arc<Source>, of: &str, error: &Error) -> Diagnostic {
    let found =
        |message: String| Diagnostic::error("bad-face", message).mark(place(source, error), error.kind().to_string());
    let for_what = if of.is_empty() { String::new() } else { format!(" for `{of}`") };
    match error.kind() {
        ErrorKind::OutOfFuel => found(format!("the face takes too many steps{for_what}")).help("nest fewer loops"),
        ErrorKind::SyntaxError => {
            found(format!("the face cannot be read: {}", error.detail().unwrap_or("a part is missing")))
        }
        kind => {
            let detail = error.detail().map_or_else(|| kind.to_string(), str::to_owned);
            let found = found(format!("the face fails{for_what}: {detail}"));
            match kind {
                ErrorKind::UnknownFilter => found.help(
                    "the filters are `named`, `sentence`, `field_name`, `join`, `times`, `abs`, `upper`, `lower` and `length`",
                ),
                ErrorKind::UndefinedError => found.help("check first: `{% if … is defined %}`"),
                _ => found,
            }
        }
    }
}

/// Reports a construct that templates must not use.
pub(super) fn not_allowed(source: &Arc<Source>, span: Range<usize>, what: &str) -> Diagnostic {
    let help = match what {
        "*" => "write `{{ cost|times(2) }}`",
        "~" => "join fewer texts, and none in the list of a loop",
        LONG_EXPRESSION => "show it in several parts",
        "{% elif %}" => "write at most 100 `{% elif %}` for an `{% if %}`, or give the component a field",
        "[" => "loop over a field, or a list of numbers and texts",
        _ => "faces can only use `{{ … }}`, `{% if %}` and `{% for %}`",
    };
    let message = match what {
        "{% elif %}" => "a face has too many `{% elif %}` for one `{% if %}`".to_owned(),
        what => format!("a face has no `{what}`"),
    };
    Diagnostic::error("bad-face", message).mark(Place { source: source.clone(), span }, "not for faces").help(help)
}

/// Reports a template whose output is too large.
pub(super) fn too_much(source: &Arc<Source>, of: &str, most: usize) -> Diagnostic {
    Diagnostic::error("bad-face", format!("the face for `{of}` is larger than {} KiB", most / 1024))
        .mark(start(source), "yields too much")
        .help("let loops write less")
}

/// Reports a face that would take too long to draw.
pub(super) fn too_complex(source: &Arc<Source>, of: &str, how: &str) -> Diagnostic {
    Diagnostic::error("bad-face", format!("the face for `{of}` {how}"))
        .mark(start(source), "yields too much")
        .help("nest fewer elements")
}

/// Reports that all faces together are too large.
pub(super) fn too_much_together(of: &str, most: usize) -> Diagnostic {
    let message = format!("the faces of the game are larger than {} MB together, with that of `{of}`", most >> 20);
    Diagnostic::error("bad-face", message).help("use shorter texts on cards")
}

/// Reports a construct that was removed from a face.
pub(super) fn left_out(source: &Arc<Source>, what: &str) -> Diagnostic {
    Diagnostic::warning("left-out", format!("faces cannot have `{what}`: it is removed"))
        .mark(place_of(source, what), "left out")
        .help("`parlour explain left-out` lists what faces can contain")
}

/// Reports a picture that cannot be shown.
pub(super) fn picture_error(source: &Arc<Source>, name: &str, why: PictureError) -> Diagnostic {
    let (message, help) = match why {
        PictureError::Named => (
            format!("`{name}` is not a picture of the game"),
            "put the picture into `faces/` and write the name of its file alone: `<img src=\"coin.png\">`".to_owned(),
        ),
        PictureError::Missing => {
            (format!("there is no picture `faces/{name}`"), "put the picture into the folder `faces/`".to_owned())
        }
        PictureError::TooLarge => (
            format!("the picture `faces/{name}` is larger than {} KiB", CardPicture::LARGEST / 1024),
            "save it with fewer points: a card of 63 mm needs 750 of them from left to right".to_owned(),
        ),
        PictureError::TooManyPixels => (
            format!("the picture `faces/{name}` has more than 40 million pixels"),
            "save it with fewer points: a card of 63 mm needs 750 of them from left to right".to_owned(),
        ),
        PictureError::TooMany => (
            format!("the pictures of the game are too many, or too large together, with `faces/{name}`"),
            "save them with fewer points".to_owned(),
        ),
        PictureError::Intricate(how) => {
            (format!("the drawing `faces/{name}` {how}"), "save it with fewer and plainer parts, or as PNG".to_owned())
        }
        PictureError::Unknown => {
            (format!("`faces/{name}` is not a picture"), "save it as PNG, JPEG, WebP or SVG".to_owned())
        }
        PictureError::NotADrawing => {
            (format!("nothing is left of the drawing `faces/{name}`"), "save it as plain SVG".to_owned())
        }
    };
    Diagnostic::error("bad-picture", message).mark(place_of(source, name), "not shown").help(help)
}

/// Returns the place of an error: the range that the template engine reports, otherwise the line.
fn place(source: &Arc<Source>, error: &Error) -> Place {
    let text = &source.text;
    let known = error.range().filter(|range| text.get(range.clone()).is_some());
    let line = || {
        let number = error.line()?.checked_sub(1)?;
        let start = text.split_inclusive('\n').take(number).map(str::len).sum::<usize>();
        let length = text.get(start..)?.lines().next().map_or(0, str::len);
        Some(start..start + length)
    };
    Place { source: source.clone(), span: known.or_else(line).unwrap_or(0..0) }
}

fn start(source: &Arc<Source>) -> Place {
    let end = source.text.lines().next().map_or(0, str::len);
    Place { source: source.clone(), span: 0..end }
}

/// Reports a board that `[table]` names but that does not exist.
pub(super) fn no_board(name: &str) -> Diagnostic {
    Diagnostic::error("bad-picture", format!("there is no board `{}/{name}`", Role::Face.folder()))
        .help(format!("draw it, or begin with `parlour board GAME --out {}/{name}`", Role::Face.folder()))
}

/// Reports a drawn board or mat without a size.
pub(super) fn board_without_size(source: &Arc<Source>) -> Diagnostic {
    Diagnostic::error("bad-picture", "the drawing has no size")
        .mark(start(source), "needs a `viewBox`")
        .help("write `viewBox=\"0 0 1000 700\"` in the element `svg`")
}

/// Reports a shape of a drawn board or mat whose name does not denote a place.
pub(super) fn unknown_place(source: &Arc<Source>, name: &str, meant: Option<&str>) -> Diagnostic {
    let found = Diagnostic::error("unknown-area", format!("there is no place `{name}` on the table"))
        .mark(place_of(source, name), "stands for nothing");
    found.help(meant.map_or_else(
        || "name a zone, a space or a value: `market`, `bid_track.3.10`, `price.acme`".to_owned(),
        |meant| format!("did you mean `{meant}`?"),
    ))
}

/// Warns about a zone that has no place on a drawn board or mat.
pub(super) fn missing_place(source: &Arc<Source>, drawing: &str, zone: &str) -> Diagnostic {
    Diagnostic::warning("without-area", format!("the zone `{zone}` has no place on the {drawing}"))
        .mark(start(source), "has places for others")
        .help(format!("give a shape the id `{zone}`, name the zone in `[table]`, or write `shown = false` in the zone"))
}
