//! Print-and-play sheets: all components of a game, its boards, and its rules, as HTML pages that browsers print true to size.
//!
//! Fronts and backs are arranged so that each back is behind its front when a sheet is printed on both sides and turned over its long edge.

mod board;
mod layout;
mod manifest;
mod order;
mod rules;
mod size_limit;

pub use layout::Paper;
pub(crate) use manifest::FORMAT;
pub use manifest::{Change, Changes, PrintManifest, PrintedItem};
pub use order::Order;
pub use size_limit::TooLarge;

use crate::faces::{Face, Faces, Size};
use crate::model::{ComponentId, Model, Per, Seat};
use crate::phrases::{Phrases, filled};
use crate::wording::{Wording, escaped};
use layout::{SheetGrid, Slot, marks};
use order::foot;
use size_limit::{LARGEST, LARGEST_FILES};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

/// A file to print: a sheet with fronts and backs, or the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Name of the file, without extension.
    pub name: String,
    /// Pages as HTML, without the surrounding document.
    pub pages: String,
    /// Number of pages, as far as it is known before printing.
    pub sides: usize,
    /// Indices of the pictures on it. Each file embeds them once.
    pub pictures: BTreeSet<usize>,
}

/// Everything to be printed.
#[derive(Debug, Clone)]
pub struct Print {
    /// Sheets, in order.
    pub sheets: Vec<Sheet>,
    /// Record of everything on paper after this print, from which a later one finds the differences.
    pub manifest: PrintManifest,
    /// Number of cards, tiles and tokens on the sheets.
    pub pieces: usize,
    /// Differences from an earlier print; empty if there is none.
    pub changes: Changes,
    head: String,
    /// CSS rules for the pictures on the sheets, by index.
    picture_rules: BTreeMap<usize, String>,
}

/// A component to be cut out.
#[derive(Debug, Clone, Copy)]
struct Piece<'f> {
    size: Size,
    front: &'f Face,
    back: Option<&'f Face>,
}

impl Piece<'_> {
    fn back_html(&self) -> &str {
        self.back.map_or("", |back| &back.html)
    }

    /// Returns the size of its HTML in bytes.
    fn length(&self) -> usize {
        self.front.html.len() + self.back_html().len()
    }
}

impl Print {
    /// Lays out a game as requested by `order`.
    ///
    /// # Errors
    /// Fails if the pages would exceed 64 MB or the files 256 MB. Both are calculated before anything is written.
    pub fn new(model: &Arc<Model>, faces: &Faces, order: &Order) -> Result<Self, TooLarge> {
        let wording = Wording::printed(model.clone(), order.language);
        let title = model.name.get(order.language);
        let paper = &Phrases::for_language(order.language).paper;
        let mut manifest = PrintManifest::new(&model.id, order.language.tag());
        let (mut sheets, mut number) = (Vec::new(), 0);
        let pieces = pieces(model, faces, &wording, order, &mut manifest)?;
        let mut sizes: Vec<Size> = pieces.iter().map(|piece| piece.size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes.reverse();
        for size in sizes {
            let same_size: Vec<&Piece<'_>> = pieces.iter().filter(|piece| piece.size == size).collect();
            number += same_size.len();
            sheets.extend(cut_sheets(&same_size, size, title, order));
        }
        let is_whole = order.only.is_empty();
        if is_whole {
            let mut boards = board::boards(model, &wording, order)?;
            boards.retain(|board| {
                manifest.record(&format!("board/{}", board.name), &board.title, 1, &[&board.html], order.since.as_ref())
                    > 0
            });
            for (at, pages) in board::sheets(&boards, title, order).into_iter().enumerate() {
                let pictures = BTreeSet::new();
                sheets.push(Sheet { name: format!("boards-{:02}", at + 1), sides: 1, pages, pictures });
            }
            let html = rules::rules(model, &wording, order);
            if manifest.record("rules", paper.rules, 1, &[&html], order.since.as_ref()) > 0 {
                sheets.push(Sheet { name: "rules".to_owned(), pages: html, sides: 0, pictures: BTreeSet::new() });
            }
        }
        let mut changes = Changes::default();
        if let Some(since) = &order.since {
            let is_of = |key: &str| {
                order.only.iter().any(|only| key.strip_prefix(only).is_some_and(|key| key.starts_with('/')))
            };
            manifest.keep(since, |key| is_whole || is_of(key));
            changes = manifest.changes(since);
        }
        if !changes.is_empty() {
            let pages = checklist(&changes, title, order);
            sheets.push(Sheet { name: "changes".to_owned(), pages, sides: 1, pictures: BTreeSet::new() });
        }
        let head = head(title, faces, order);
        let shown: BTreeSet<usize> = sheets.iter().flat_map(|sheet| &sheet.pictures).copied().collect();
        let picture_rules = shown.into_iter().map(|picture| (picture, faces.pictures_style([picture]))).collect();
        let print = Self { sheets, manifest, pieces: number, changes, head, picture_rules };
        if print.size_of_files() > LARGEST_FILES { Err(TooLarge::Files) } else { Ok(print) }
    }

    /// Returns the total size in bytes if each sheet is a file with its pictures.
    fn size_of_files(&self) -> usize {
        let picture = |picture: &usize| self.picture_rules.get(picture).map_or(0, String::len);
        let file =
            |sheet: &Sheet| self.head.len() + sheet.pages.len() + sheet.pictures.iter().map(picture).sum::<usize>();
        self.sheets.iter().map(file).sum()
    }

    /// Renders a file with some of the sheets.
    pub fn file<'s>(&self, sheets: impl IntoIterator<Item = &'s Sheet>) -> String {
        let sheets: Vec<&Sheet> = sheets.into_iter().collect();
        let pictures: BTreeSet<usize> = sheets.iter().flat_map(|sheet| &sheet.pictures).copied().collect();
        let mut file = self.head.clone();
        file.extend(pictures.iter().filter_map(|picture| self.picture_rules.get(picture)).map(String::as_str));
        file.push_str("</style>\n</head>\n<body>\n");
        file.extend(sheets.iter().map(|sheet| sheet.pages.as_str()));
        file.push_str("</body>\n</html>\n");
        file
    }
}

/// Renders a checklist of what to remove from an earlier print and what to add.
fn checklist(changes: &Changes, title: &str, order: &Order) -> String {
    let paper = &Phrases::for_language(order.language).paper;
    let mut page = format!("<article class=\"rules\">\n<h1>{}</h1>\n", escaped(title));
    for (heading, all) in [(paper.take_out, &changes.out), (paper.put_in, &changes.put_in)] {
        if all.is_empty() {
            continue;
        }
        let _ = writeln!(page, "<h2>{}</h2>\n<ul>", escaped(heading));
        for change in all {
            let _ = writeln!(page, "<li>{} × {}</li>", change.count, escaped(&change.name));
        }
        page.push_str("</ul>\n");
    }
    page + "</article>\n"
}

/// Renders the beginning of a file, up to the CSS rules for its pictures. Its content security policy forbids scripts and external
/// resources.
fn head(title: &str, faces: &Faces, order: &Order) -> String {
    let (width, height) = order.paper.millimeters();
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <title>{}</title>\n<style>\n@page {{ size: {width}mm {height}mm; margin: 0; }}\n\
         .sheet {{ width: {width}mm; height: {height}mm; }}\n{}{}",
        order.language.tag(),
        escaped(title),
        include_str!("paper.css"),
        faces.style()
    )
}

/// Returns the components to be cut out, each as often as it is in the box.
///
/// A component without pieces is printed once if it has zones of its own, to mark where these are.
fn pieces<'f>(
    model: &Arc<Model>,
    faces: &'f Faces,
    wording: &Wording,
    order: &Order,
    manifest: &mut PrintManifest,
) -> Result<Vec<Piece<'f>>, TooLarge> {
    let (mut pieces, mut room) = (Vec::new(), LARGEST);
    for (at, kind) in model.kinds.iter().enumerate() {
        if !order.only.is_empty() && !order.only.iter().any(|only| **only == *kind.id) {
            continue;
        }
        let back = faces.back(crate::model::KindId::at(at));
        for id in &kind.components {
            let component = model.component(*id);
            let owners: Vec<Option<Seat>> =
                if component.each_seat { model.all_seats().map(Some).collect() } else { vec![None] };
            for owner in owners {
                let front = faces.front(*id, owner);
                let count =
                    if component.count == 0 { u16::from(needs_place_card(model, *id)) } else { component.count };
                let seat = owner.map(|seat| format!("/{}", seat.number())).unwrap_or_default();
                let key = format!("{}/{}{seat}", kind.id, component.id);
                let name = component.name.get(order.language);
                let name = owner.map_or_else(|| name.to_owned(), |seat| wording.remarked(name, wording.seat(seat)));
                let has_back = component.count > 0 && front.size == back.size;
                let piece = Piece { size: front.size, front, back: has_back.then_some(back) };
                let shown = [front].into_iter().chain(piece.back).flat_map(|face| faces.picture_names(face));
                let shown: String = shown.collect();
                let missing = if count == 0 {
                    0
                } else {
                    let looks = [&*front.html, piece.back_html(), &shown];
                    let looks = if shown.is_empty() { &looks[..2] } else { &looks };
                    manifest.record(&key, &name, usize::from(count), looks, order.since.as_ref())
                };
                room = room
                    .checked_sub(piece.length().saturating_mul(missing))
                    .ok_or_else(|| TooLarge::Pages { what: format!("the kind `{}`", kind.id) })?;
                pieces.extend(std::iter::repeat_n(piece, missing));
            }
        }
    }
    Ok(pieces)
}

/// Returns whether a component has zones of its own that no board shows, so that a card must mark their place.
fn needs_place_card(model: &Model, id: ComponentId) -> bool {
    let kind = model.component(id).kind;
    model.families.iter().any(|family| family.per.contains(&Per::Kind(kind)) && family.printed.is_empty())
}

/// Lays out the components of one size on sheets.
fn cut_sheets(pieces: &[&Piece<'_>], size: Size, title: &str, order: &Order) -> Vec<Sheet> {
    let paper = &Phrases::for_language(order.language).paper;
    let grid = SheetGrid::new(order.paper, size);
    let count = pieces.len().div_ceil(grid.number().max(1));
    let size_text = format!("{} × {} mm", size.width, size.height);
    let sheet = |(at, on_it): (usize, &[&Piece<'_>])| {
        let note = |side: &str| {
            let values = [
                ("name", &title as &dyn std::fmt::Display),
                ("what", &format!("{size_text} · {side}")),
                ("number", &(at + 1)),
                ("count", &count),
            ];
            grid.has_foot(order.paper).then(|| filled(paper.sheet, &values))
        };
        let slots: Vec<Slot> = grid.slots().take(on_it.len()).collect();
        let mut pages = page(&slots, on_it.iter().map(|piece| piece.front.html.as_str()), note(paper.fronts), order);
        let has_backs = on_it.iter().any(|piece| piece.back.is_some());
        if has_backs {
            let mirrored: Vec<Slot> = slots.iter().map(|slot| slot.mirrored(order.paper)).collect();
            let backs = on_it.iter().map(|piece| piece.back_html());
            pages.push_str(&page(&mirrored, backs, note(paper.backs), order));
        }
        let name = format!("{}x{}-{:02}", size.width, size.height, at + 1);
        let faces = on_it.iter().flat_map(|piece| [piece.front].into_iter().chain(piece.back));
        let pictures = faces.flat_map(|face| face.pictures.iter().copied()).collect();
        Sheet { name, pages, sides: 1 + usize::from(has_backs), pictures }
    };
    pieces.chunks(grid.number().max(1)).enumerate().map(sheet).collect()
}

/// Renders one side of a sheet, with a footer if there is room.
fn page<'s>(slots: &[Slot], faces: impl Iterator<Item = &'s str>, note: Option<String>, order: &Order) -> String {
    let mut page = String::from("<section class=\"sheet\">\n");
    for (slot, face) in slots.iter().zip(faces) {
        let _ = writeln!(page, "<div class=\"slot\" style=\"{}\">{face}</div>", slot.style());
    }
    page.push_str(&marks(slots));
    page.push_str(&note.map(|note| foot(&note, order)).unwrap_or_default());
    page.push_str("</section>\n");
    page
}
