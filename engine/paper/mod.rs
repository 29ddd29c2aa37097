//! Sheets to print and cut: all that is in the box of a game, its boards, and its rules in the order of play, as pages that a browser prints
//! true to size. Fronts and backs lie so that a sheet printed on both sides, turned over its long edge, has each back behind its front.

mod board;
mod layout;
mod manifest;
mod order;
mod rules;

pub use layout::Paper;
pub(crate) use manifest::FORMAT;
pub use manifest::{Change, Changes, PrintManifest, Printed};
pub use order::Order;

use crate::faces::{Faces, Size};
use crate::model::{ComponentId, Model, Per, Seat};
use crate::phrases::{Phrases, filled};
use crate::wording::{Wording, escaped};
use layout::{SheetGrid, Slot, marks};
use order::foot;
use std::fmt::Write as _;
use std::sync::Arc;

/// A file to print: one sheet, front and back, or the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// What its file is called, without an ending.
    pub name: String,
    /// The pages, without what stands around them in a file.
    pub pages: String,
    /// How many pages it has, where that is known before it is printed.
    pub sides: usize,
}

/// Everything that is to be printed.
#[derive(Debug, Clone)]
pub struct Print {
    /// The sheets, in order.
    pub sheets: Vec<Sheet>,
    /// What of the game is now on paper.
    pub manifest: PrintManifest,
    /// How many cards, tiles and tokens are on the sheets.
    pub pieces: usize,
    /// What is to be done with an earlier print; nothing where there is none.
    pub changes: Changes,
    head: String,
}

/// One thing that is cut out.
#[derive(Debug, Clone)]
struct Piece {
    size: Size,
    front: String,
    back: String,
}

impl Print {
    /// Lays out what is ordered of a game.
    pub fn new(model: &Arc<Model>, faces: &Faces, order: &Order) -> Self {
        let wording = Wording::printed(model.clone(), order.language);
        let title = model.name.get(order.language);
        let paper = &Phrases::of(order.language).paper;
        let mut manifest = PrintManifest::new(&model.id, order.language.tag());
        let (mut sheets, mut number) = (Vec::new(), 0);
        let pieces = pieces(model, (faces, &wording), order, &mut manifest);
        let mut sizes: Vec<Size> = pieces.iter().map(|piece| piece.size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes.reverse();
        for size in sizes {
            let of: Vec<&Piece> = pieces.iter().filter(|piece| piece.size == size).collect();
            number += of.len();
            sheets.extend(cut_sheets(&of, size, title, order));
        }
        let is_whole = order.only.is_empty();
        if is_whole {
            let mut boards = board::boards(model, &wording, order);
            boards.retain(|board| {
                manifest.note((&format!("board/{}", board.name), &board.title), 1, &[&board.html], order.since.as_ref())
                    > 0
            });
            for (at, pages) in board::sheets(&boards, title, order).into_iter().enumerate() {
                sheets.push(Sheet { name: format!("boards-{:02}", at + 1), sides: 1, pages });
            }
            let html = rules::rules(model, &wording, order);
            if manifest.note(("rules", paper.rules), 1, &[&html], order.since.as_ref()) > 0 {
                sheets.push(Sheet { name: "rules".to_owned(), pages: html, sides: 0 });
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
            sheets.push(Sheet { name: "changes".to_owned(), pages: changed(&changes, title, order), sides: 1 });
        }
        let head = head(title, faces, order);
        Self { sheets, manifest, pieces: number, changes, head }
    }

    /// A file with some sheets.
    pub fn file<'s>(&self, sheets: impl IntoIterator<Item = &'s Sheet>) -> String {
        let pages: String = sheets.into_iter().map(|sheet| sheet.pages.as_str()).collect();
        format!("{}<body>\n{pages}</body>\n</html>\n", self.head)
    }
}

/// What is to be taken out of an earlier print and put in, as a page to tick off.
fn changed(changes: &Changes, title: &str, order: &Order) -> String {
    let paper = &Phrases::of(order.language).paper;
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

/// What stands before the pages of a file: nothing is fetched by it, and nothing in it runs.
fn head(title: &str, faces: &Faces, order: &Order) -> String {
    let (width, height) = order.paper.millimeters();
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <title>{}</title>\n<style>\n@page {{ size: {width}mm {height}mm; margin: 0; }}\n\
         .sheet {{ width: {width}mm; height: {height}mm; }}\n{}{}</style>\n</head>\n",
        order.language.tag(),
        escaped(title),
        include_str!("paper.css"),
        faces.style()
    )
}

/// Everything that is cut out, as often as it is in the box, and what is printed on the board for a zone of its own.
fn pieces(
    model: &Arc<Model>,
    (faces, wording): (&Faces, &Wording),
    order: &Order,
    manifest: &mut PrintManifest,
) -> Vec<Piece> {
    let mut pieces = Vec::new();
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
                let count = if component.count == 0 { u16::from(is_a_place(model, *id)) } else { component.count };
                let seat = owner.map(|seat| format!("/{}", seat.number())).unwrap_or_default();
                let key = format!("{}/{}{seat}", kind.id, component.id);
                let name = component.name.get(order.language);
                let name = owner.map_or_else(|| name.to_owned(), |seat| wording.remarked(name, wording.seat(seat)));
                let backing = if component.count == 0 || front.size != back.size { "" } else { &*back.html };
                let missing = if count == 0 {
                    0
                } else {
                    manifest.note((&key, &name), usize::from(count), &[&front.html, backing], order.since.as_ref())
                };
                let piece = Piece { size: front.size, front: front.html.clone(), back: backing.to_owned() };
                pieces.extend(std::iter::repeat_n(piece, missing));
            }
        }
    }
    pieces
}

/// Whether a component of which there is no piece has a zone of its own, so that it has to lie somewhere.
fn is_a_place(model: &Model, id: ComponentId) -> bool {
    let kind = model.component(id).kind;
    model.families.iter().any(|family| family.per.contains(&Per::Kind(kind)) && family.printed.is_empty())
}

/// Sheets of things of one size.
fn cut_sheets(pieces: &[&Piece], size: Size, title: &str, order: &Order) -> Vec<Sheet> {
    let paper = &Phrases::of(order.language).paper;
    let grid = SheetGrid::new(order.paper, size);
    let count = pieces.len().div_ceil(grid.number().max(1));
    let what = format!("{} × {} mm", size.width, size.height);
    let sheet = |(at, on_it): (usize, &[&Piece])| {
        let note = |side: &str| {
            let of = [
                ("name", &title as &dyn std::fmt::Display),
                ("what", &format!("{what} · {side}")),
                ("number", &(at + 1)),
                ("count", &count),
            ];
            grid.has_foot(order.paper).then(|| filled(paper.sheet, &of))
        };
        let slots: Vec<Slot> = grid.slots().take(on_it.len()).collect();
        let mut pages = page(&slots, on_it.iter().map(|piece| piece.front.as_str()), note(paper.fronts), order);
        let has_backs = on_it.iter().any(|piece| !piece.back.is_empty());
        if has_backs {
            let mirrored: Vec<Slot> = slots.iter().map(|slot| slot.mirrored(order.paper)).collect();
            let backs = on_it.iter().map(|piece| piece.back.as_str());
            pages.push_str(&page(&mirrored, backs, note(paper.backs), order));
        }
        let name = format!("{}x{}-{:02}", size.width, size.height, at + 1);
        Sheet { name, pages, sides: 1 + usize::from(has_backs) }
    };
    pieces.chunks(grid.number().max(1)).enumerate().map(sheet).collect()
}

/// One side of a sheet, with what it is called where there is room.
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
