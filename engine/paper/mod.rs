//! Print-and-play sheets: all components of a game, its boards, and its rules, as HTML pages that browsers print true to size.
//!
//! Fronts and backs are arranged so that each back is behind its front when a sheet is printed on both sides and turned over its long edge.

mod board;
mod canvas;
mod drawn;
mod head;
mod images;
mod layout;
mod manifest;
mod order;
mod parts;
mod piece;
mod piece_sizes;
mod preset;
mod rulebook;
mod set_table;
mod size_limit;

pub use images::{CardImage, ImagePage, Images, MARK, MARK_COLOR};
pub use layout::{Paper, Spacing};
pub(crate) use manifest::FORMAT;
pub use manifest::{Change, Changes, PrintManifest, PrintedItem};
pub use order::{Order, Variant};
pub use preset::Preset;
pub use set_table::{Example, Marker, MarkerOf, SetPiece, SetTable};
pub use size_limit::TooLarge;

use crate::faces::{Face, Faces, Size};
use crate::model::{ComponentId, Model, Per, Seat};
use crate::phrases::{Phrases, filled};
use crate::wording::{Wording, escaped};
use canvas::CanvasSheet;
use head::head;
use layout::{Area, SheetGrid, Slot, dividing_lines, marks, tenths};
use order::render_footer;
use parts::Parts;
use piece::{CountedPiece, Piece, bleed_html};
use rulebook::Rulebook;
use size_limit::{LARGEST, LARGEST_FILES};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

/// Pages that are printed together: pieces with their backs, boards, the rules, or a list of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Name of the file, without extension.
    pub name: String,
    /// Pages as HTML, without the surrounding document.
    pub pages: String,
    /// Number of pages; 0 for the rules, because their number of pages is not known before printing.
    pub sides: usize,
    /// Indices of the pictures on the sheet. A file embeds each picture once.
    pub pictures: BTreeSet<usize>,
}

/// Everything that is printed.
#[derive(Debug, Clone)]
pub struct Print {
    /// Sheets, in order.
    pub sheets: Vec<Sheet>,
    /// Manifest of everything that is on paper after this print. A later print is compared with it.
    pub manifest: PrintManifest,
    /// Number of pieces on the sheets: cards, tiles and tokens, but also markers and money.
    pub pieces: usize,
    /// Sentences about components that are not printed and have to be taken from elsewhere, such as a die with eight faces.
    pub to_take: Vec<String>,
    /// Differences from the earlier print; empty if no earlier print was given.
    pub changes: Changes,
    head: String,
    /// CSS rules for the pictures on the sheets, by index.
    picture_rules: BTreeMap<usize, String>,
}

impl Print {
    /// Lays out a game as requested by `order`.
    ///
    /// # Errors
    /// Fails if the pieces or the texts on the boards exceed 64 MB, or if the files would exceed 256 MB.
    pub fn new(model: &Arc<Model>, faces: &Faces, order: &Order) -> Result<Self, TooLarge> {
        let wording = Wording::printed(model.clone(), order.language);
        let title = model.name.get(order.language);
        let phrases = &Phrases::for_language(order.language).paper;
        let mut manifest = PrintManifest::new(&model.id, order.language.tag());
        let mut sheets = Vec::new();
        let is_whole = order.only.is_empty();
        let parts = if is_whole { parts::parts(model, &wording, faces, order) } else { Parts::default() };
        let mut pieces = Vec::new();
        if !order.is_rulebook {
            let counted = counted_pieces(model, faces, &wording, order).into_iter().chain(counted_parts(&parts));
            pieces = missing_pieces(counted, faces, order, &mut manifest)?;
        }
        let mut groups: Vec<(Size, bool)> = pieces.iter().map(|piece| (piece.size, piece.is_part)).collect();
        groups.sort_unstable();
        groups.dedup();
        groups.reverse();
        groups.sort_by_key(|(_, is_part)| *is_part);
        for (size, is_part) in groups {
            let alike = pieces.iter().filter(|piece| (piece.size, piece.is_part) == (size, is_part));
            let alike: Vec<&Piece<'_>> = alike.collect();
            sheets.extend(cut_sheets(&alike, size, title, order));
        }
        let boards = if is_whole { board::boards(model, &wording, faces, order)? } else { Vec::new() };
        if is_whole && !order.is_rulebook {
            let mut canvases = boards.clone();
            canvases.extend(parts.canvases.iter().cloned());
            let since = order.since.as_ref();
            canvases.retain(|canvas| {
                manifest.record(&format!("board/{}", canvas.name), &canvas.title, 1, &[&canvas.html], since) > 0
            });
            for (at, sheet) in canvas::sheets(&canvases, title, order).into_iter().enumerate() {
                let CanvasSheet { pages, sides, pictures } = sheet;
                sheets.push(Sheet { name: format!("boards-{:02}", at + 1), sides, pages, pictures });
            }
        }
        if is_whole {
            let Rulebook { html, pictures } = rulebook::rulebook(model, &wording, faces, (&parts, &boards), order);
            if manifest.record("rules", phrases.rules, 1, &[&html], order.since.as_ref()) > 0 {
                sheets.push(Sheet { name: "rules".to_owned(), pages: html, sides: 0, pictures });
            }
        }
        let mut changes = Changes::default();
        if let Some(since) = &order.since {
            let is_of = |key: &str| {
                order.only.iter().any(|only| key.strip_prefix(only).is_some_and(|key| key.starts_with('/')))
            };
            let is_printed = |key: &str| if order.is_rulebook { key == "rules" } else { is_whole || is_of(key) };
            manifest.keep(since, is_printed);
            changes = manifest.changes(since);
        }
        if !changes.is_empty() {
            let pages = checklist(&changes, title, order);
            sheets.push(Sheet { name: "changes".to_owned(), pages, sides: 1, pictures: BTreeSet::new() });
        }
        let head = head(title, faces, order);
        let shown: BTreeSet<usize> = sheets.iter().flat_map(|sheet| &sheet.pictures).copied().collect();
        let picture_rules = shown.into_iter().map(|picture| (picture, faces.pictures_style([picture]))).collect();
        let (pieces, to_take) = (pieces.len(), parts.to_take.clone());
        let print = Self { sheets, manifest, pieces, to_take, changes, head, picture_rules };
        if print.size_of_files() > LARGEST_FILES { Err(TooLarge::Files) } else { Ok(print) }
    }

    /// Returns the total size in bytes if each sheet is written to a file of its own, together with its pictures.
    fn size_of_files(&self) -> usize {
        let picture = |picture: &usize| self.picture_rules.get(picture).map_or(0, String::len);
        let file =
            |sheet: &Sheet| self.head.len() + sheet.pages.len() + sheet.pictures.iter().map(picture).sum::<usize>();
        self.sheets.iter().map(file).sum()
    }

    /// Renders a complete HTML file with the given sheets.
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

/// Lays out the cards, tiles and tokens of a game as separate images.
///
/// # Errors
/// Fails if the HTML of the pieces exceeds 64 MB.
pub fn card_images(model: &Arc<Model>, faces: &Faces, order: &Order) -> Result<Images, TooLarge> {
    let wording = Wording::printed(model.clone(), order.language);
    let pieces: Vec<CountedPiece<'_>> =
        counted_pieces(model, faces, &wording, order).into_iter().filter(|piece| piece.count > 0).collect();
    let mut room = LARGEST;
    for CountedPiece { piece, of, .. } in &pieces {
        room = room.checked_sub(piece.length()).ok_or_else(|| TooLarge::Pages { what: of.clone() })?;
    }
    Ok(images::images(model, faces, &pieces, order))
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

/// Returns the components to be cut out, each with its number of copies in the box. If the print is limited to certain kinds, returns only
/// components of these kinds.
///
/// A component without pieces has one copy if it has zones of its own that no board shows, so that a card marks the place of these zones.
/// Dice are left out, because they are folded.
fn counted_pieces<'f>(model: &Arc<Model>, faces: &'f Faces, wording: &Wording, order: &Order) -> Vec<CountedPiece<'f>> {
    let mut pieces = Vec::new();
    for (at, kind) in model.kinds.iter().enumerate() {
        if !order.only.is_empty() && !order.only.iter().any(|only| **only == *kind.id) {
            continue;
        }
        let back = faces.back(crate::model::KindId::at(at));
        for id in kind.components.iter().filter(|id| !piece_sizes::is_folded(model, **id)) {
            let component = model.component(*id);
            let owners: Vec<Option<Seat>> =
                if component.each_seat { model.all_seats().map(Some).collect() } else { vec![None] };
            for owner in owners {
                let front = faces.front(*id, owner);
                let count =
                    if component.count == 0 { u16::from(needs_place_card(model, faces, *id)) } else { component.count };
                let seat = owner.map(|seat| format!("/{}", seat.number())).unwrap_or_default();
                let name = component.name.get(order.language);
                let has_back = component.count > 0 && front.size == back.size;
                pieces.push(CountedPiece {
                    key: format!("{}/{}{seat}", kind.id, component.id),
                    name: owner.map_or_else(|| name.to_owned(), |seat| wording.remarked(name, wording.seat(seat))),
                    of: format!("the kind `{}`", kind.id),
                    count: usize::from(count),
                    piece: Piece {
                        size: front.size,
                        front,
                        back: has_back.then_some(back),
                        spacing: order.spacing,
                        is_part: false,
                    },
                });
            }
        }
    }
    pieces
}

/// Returns the printed parts to be cut out, such as markers and money. They have no bleed, because nobody orders them from a card printer.
fn counted_parts(parts: &Parts) -> impl Iterator<Item = CountedPiece<'_>> {
    parts.pieces.iter().map(|part| CountedPiece {
        key: part.key.clone(),
        name: part.name.clone(),
        of: format!("`{}`", part.name),
        count: part.count,
        piece: Piece { size: part.face.size, front: &part.face, back: None, spacing: Spacing::NONE, is_part: true },
    })
}

/// Records the pieces in the manifest. Returns the copies that the earlier print lacks, or all copies if there is no earlier print.
///
/// # Errors
/// Fails if the HTML of the returned pieces exceeds [`LARGEST`].
fn missing_pieces<'f>(
    pieces: impl Iterator<Item = CountedPiece<'f>>,
    faces: &Faces,
    order: &Order,
    manifest: &mut PrintManifest,
) -> Result<Vec<Piece<'f>>, TooLarge> {
    let (mut missing, mut room) = (Vec::new(), LARGEST);
    for CountedPiece { key, name, of, count, piece } in pieces.filter(|piece| piece.count > 0) {
        let shown = [piece.front].into_iter().chain(piece.back).flat_map(|face| faces.picture_names(face));
        let shown: String = shown.collect();
        let looks = [&*piece.front.html, piece.back_html(), &shown];
        let looks = if shown.is_empty() { &looks[..2] } else { &looks };
        let number = manifest.record(&key, &name, count, looks, order.since.as_ref());
        let length = piece.length().saturating_mul(number);
        room = room.checked_sub(length).ok_or(TooLarge::Pages { what: of })?;
        missing.extend(std::iter::repeat_n(piece, number));
    }
    Ok(missing)
}

/// Returns whether a component has zones of its own that no board shows, so that a card must mark their place.
fn needs_place_card(model: &Model, faces: &Faces, id: ComponentId) -> bool {
    let kind = model.component(id).kind;
    model.families.iter().any(|family| {
        family.per.contains(&Per::Kind(kind)) && family.printed.is_empty() && !drawn::is_drawn(model, faces, family)
    })
}

/// Lays out pieces of one size and spacing on sheets.
fn cut_sheets(pieces: &[&Piece<'_>], size: Size, title: &str, order: &Order) -> Vec<Sheet> {
    let paper = &Phrases::for_language(order.language).paper;
    let Some(first) = pieces.first() else { return Vec::new() };
    let spacing = first.spacing;
    let grid = SheetGrid::new(order.paper, size, spacing);
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
            if grid.has_foot(order.paper) { render_footer(&filled(paper.sheet, &values), order) } else { String::new() }
        };
        let slots: Vec<Slot> = grid.slots().take(on_it.len()).collect();
        let fronts = on_it.iter().map(|piece| Some(piece.front));
        let mut pages = page(&slots, fronts, (spacing, false), &note(paper.fronts));
        let has_backs = on_it.iter().any(|piece| piece.back.is_some());
        if has_backs {
            let mirrored: Vec<Slot> = slots.iter().map(|slot| slot.mirrored(order.paper)).collect();
            let backs = on_it.iter().map(|piece| piece.back);
            pages.push_str(&page(&mirrored, backs, (spacing, true), &note(paper.backs)));
        }
        let prefix = if first.is_part { "parts-" } else { "" };
        let name = format!("{prefix}{}x{}-{:02}", size.width, size.height, at + 1);
        let faces = on_it.iter().flat_map(|piece| [piece.front].into_iter().chain(piece.back));
        let pictures = faces.flat_map(|face| face.pictures.iter().copied()).collect();
        Sheet { name, pages, sides: 1 + usize::from(has_backs), pictures }
    };
    pieces.chunks(grid.number().max(1)).enumerate().map(sheet).collect()
}

/// Renders one side of a sheet: first the bleed of all pieces, then the pieces, then the crop marks.
fn page<'f>(
    slots: &[Slot],
    faces: impl Iterator<Item = Option<&'f Face>> + Clone,
    (spacing, is_back): (Spacing, bool),
    note: &str,
) -> String {
    let mut page = match spacing.bleed {
        0 => "<section class=\"sheet\">\n".to_owned(),
        bleed => format!("<section class=\"sheet bled\" style=\"--bleed:{}mm\">\n", tenths(bleed)),
    };
    if spacing.bleed > 0 {
        for (slot, face) in slots.iter().zip(faces.clone()).filter_map(|(slot, face)| Some((slot, face?))) {
            let grown = Slot { area: slot.area.with_border(spacing.bleed), ..*slot };
            page.push_str(&placed(grown, is_back, "under", &bleed_html(face)));
        }
    }
    for (slot, face) in slots.iter().zip(faces) {
        page.push_str(&placed(*slot, is_back, "slot", face.map_or("", |face| &face.html)));
    }
    if spacing.shares_edges() && !is_back {
        page.push_str(&dividing_lines(slots));
    }
    page.push_str(&marks(slots, spacing));
    page.push_str(note);
    page.push_str("</section>\n");
    page
}

/// Renders a face in its slot, on its side if necessary.
fn placed(slot: Slot, is_back: bool, class: &str, html: &str) -> String {
    let Slot { area, is_turned } = slot;
    if !is_turned {
        return format!("<div class=\"{class}\" style=\"{}\">{html}</div>\n", area.style());
    }
    // Backs are turned the other way than fronts, so that both have their top on the same side of the cut piece.
    let (left, top, degrees) = if is_back { (area.width, 0, "90") } else { (0, area.height, "-90") };
    let turned = Area { left, top, width: area.height, height: area.width };
    format!(
        "<div class=\"{class}\" style=\"{}\"><div class=\"turned\" style=\"{};transform:rotate({degrees}deg)\">{html}</div></div>\n",
        area.style(),
        turned.style()
    )
}
