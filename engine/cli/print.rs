//! `parlour print`: writes sheets with the components, boards and rules of a game, to print and cut.

use super::arguments::{GameSelection, LanguageArgument, check_players};
use super::browser::{Browser, NoPdf, has_font_for};
use super::output::{Failure, Output, usage};
use super::saving::write_below;
use super::{examples, opening, print_images, print_rulebook};
use crate::diagnostic::{Severity, did_you_mean, shown};
use crate::faces::{Addresses, CardPicture, Faces};
use crate::files::{Directory, Refused, read_named};
use crate::model::{Language, Model};
use crate::paper::{Order, Paper, Preset, Print as Sheets, PrintManifest, Spacing, TooLarge, card_images};
use crate::session::{Game, Setup};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the file with the manifest of a print.
const MANIFEST: &str = "manifest.json";

/// Name of the file with all sheets, without its extension.
const ALL: &str = "all";

/// Maximum size of a manifest in bytes.
const LARGEST_MANIFEST: u64 = 16 << 20;

/// Lays out print-and-play sheets: cards, tiles and tokens with their backs, boards, and the rules in the order of play
///
/// Each sheet is a file that any browser prints true to size at 100 % scale. If you print on both sides and flip on the long edge, each
/// back lies behind its front. `all.html` contains all sheets; if Chromium, Chrome or Edge is installed, `all.pdf` is made too.
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour print stockpile --out sheets",
    "parlour print games/my-game --out sheets --paper letter --lang zh-Hant",
    "parlour print games/my-game --out new --changed-since sheets/manifest.json   the cards that differ",
    "parlour print games/my-game --out rules --rules                              the rulebook",
    "parlour print games/my-game --out cards --images thegamecrafter              a picture of each card",
))]
pub(super) struct Print {
    #[command(flatten)]
    chosen: GameSelection,
    /// Folder for the sheets: new, empty, or with an earlier print, which is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Number of players [default: the most the game allows]
    #[arg(long, short, value_name = "N", value_parser = super::arguments::players, allow_negative_numbers = true)]
    players: Option<u8>,
    /// Paper size of the printer
    #[arg(long, value_enum, default_value_t = PaperName::A4)]
    paper: PaperName,
    #[command(flatten)]
    spoken: LanguageArgument,
    /// Print only components of this kind; may be repeated
    #[arg(long, value_name = "KIND")]
    only: Vec<String>,
    /// Print only what differs from an earlier print, given by its `manifest.json`
    #[arg(long, value_name = "FILE")]
    changed_since: Option<PathBuf>,
    /// Width of the bleed, by which faces extend beyond the cut, in millimeters
    #[arg(long, value_name = "MM", default_value = "3", value_parser = parse_millimeters)]
    bleed: u32,
    /// Distance between pieces on a sheet, in millimeters [default: twice the bleed]
    #[arg(long, value_name = "MM", value_parser = parse_millimeters)]
    gutter: Option<u32>,
    /// Print only the rulebook
    #[arg(long, conflicts_with_all = ["only", "images"])]
    rules: bool,
    /// Write an image of each card, including the bleed, instead of sheets: for a card printer or a virtual table
    #[arg(long, value_name = "FOR", value_enum, num_args = 0..=1, default_missing_value = "plain", conflicts_with = "changed_since")]
    images: Option<ImagesFor>,
    /// Resolution of the images in dots per inch, unless the printer prescribes it
    #[arg(long, value_name = "DPI", default_value_t = 300, value_parser = clap::value_parser!(u32).range(72..=1200), requires = "images")]
    dpi: u32,
    /// Browser program that makes the PDF; `none` for no PDF [default: Chromium, Chrome or Edge, if installed]
    #[arg(long, value_name = "PROGRAM")]
    browser: Option<String>,
    /// Run the browser without its sandbox, which some containers do not support
    #[arg(long)]
    no_sandbox: bool,
}

/// Paper size of the printer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PaperName {
    /// 210 × 297 mm
    A4,
    /// 8.5 × 11 inches
    Letter,
}

/// Printer or program for which images of cards are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImagesFor {
    /// Any printer: true to size, with the chosen bleed and resolution
    Plain,
    /// makeplayingcards.com
    Makeplayingcards,
    /// thegamecrafter.com
    Thegamecrafter,
    /// Tabletop Simulator: sheets of cards, and a saved object with all decks
    TabletopSimulator,
}

impl ImagesFor {
    const fn preset(self) -> Preset {
        match self {
            Self::Plain => Preset::Plain,
            Self::Makeplayingcards => Preset::MakePlayingCards,
            Self::Thegamecrafter => Preset::GameCrafter,
            Self::TabletopSimulator => Preset::TabletopSimulator,
        }
    }

    /// Returns whether the printer prescribes the resolution.
    const fn has_resolution(self) -> bool {
        matches!(self, Self::Makeplayingcards | Self::Thegamecrafter)
    }
}

/// Resolution that card printers prescribe, in dots per inch.
const PRINTER_RESOLUTION: u32 = 300;

/// Maximum bleed and gutter in tenths of a millimeter.
const MAX_SPACING: u32 = 200;

/// Parses a length in millimeters with at most one digit after the point. Returns tenths of a millimeter.
fn parse_millimeters(text: &str) -> Result<u32, String> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let is_number =
        |text: &str, most: usize| (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let tenths = || Some(whole.parse::<u32>().ok()? * 10 + part.parse::<u32>().ok()?);
    let length = if is_number(whole, 3) && is_number(part, 1) { tenths() } else { None };
    let is_allowed = |length: &u32| *length <= MAX_SPACING;
    length
        .filter(is_allowed)
        .ok_or_else(|| format!("write millimeters from 0 to {}, such as `3` or `2.5`", MAX_SPACING / 10))
}

/// Returns the rulebook of a game as an HTML document, for all numbers of players.
pub(super) fn rulebook(game: &Game, setup: &Setup, language: Language, output: &mut Output) -> Result<String, Failure> {
    let layout = opening::layout(game, setup, output)?;
    let read = |name: &str| game.picture(name, CardPicture::LARGEST);
    let faces = Faces::new(&layout.model, language, &Addresses::Embedded, &read);
    let models = game.players().filter_map(|seats| Some(game.layout(&Setup::seats(seats)).ok()?.model.clone()));
    let order = Order {
        paper: Paper::A4,
        players: None,
        language,
        only: Vec::new(),
        spacing: Spacing { bleed: 0, gutter: 0 },
        is_rulebook: true,
        preset: Preset::Plain,
        resolution: PRINTER_RESOLUTION,
        models: models.collect(),
        variants: print_rulebook::variants(game, setup, &layout.model),
        table: print_rulebook::set_table(game, setup),
        example: print_rulebook::example(game, setup, None, language),
        since: None,
    };
    let sheets = Sheets::new(&layout.model, &faces, &order).map_err(|error| too_large(&error))?;
    Ok(sheets.file(&sheets.sheets))
}

impl Print {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let earlier = self.files_of_earlier_print()?;
        let browser = self.browser()?;
        if self.images.is_some() && browser.is_none() {
            let help = "install Chromium, or name a browser with `--browser`".to_owned();
            return Err(Failure::Usage(
                "pictures need a Chromium, Chrome or Edge on this machine".to_owned(),
                Some(help),
            ));
        }
        let since = self.changed_since.as_deref().map(manifest).transpose()?;
        let game = opening::open(&self.chosen.game, output)?;
        let players = self.players.unwrap_or(*game.players().end());
        check_players(&game, players)?;
        let setup = self.chosen.setup(players);
        let layout = opening::layout(&game, &setup, output)?;
        let model = &layout.model;
        self.check_kinds(model)?;
        self.check_earlier(model, since.as_ref())?;
        let faces =
            Faces::new(model, self.spoken.lang, &Addresses::Embedded, &|name| game.picture(name, CardPicture::LARGEST));
        for found in faces.mistakes() {
            output.diagnostic(found)?;
        }
        if faces.mistakes().iter().any(|found| found.severity == Severity::Error) {
            return Err(Failure::Fault);
        }
        let paper = if self.paper == PaperName::A4 { Paper::A4 } else { Paper::Letter };
        let is_whole = self.only.is_empty() && self.images.is_none();
        let language = self.spoken.lang;
        let order = Order {
            paper,
            language,
            only: self.only.clone(),
            spacing: Spacing { bleed: self.bleed, gutter: self.gutter.unwrap_or(2 * self.bleed) },
            is_rulebook: self.rules,
            preset: self.images.map_or(Preset::Plain, ImagesFor::preset),
            resolution: if self.images.is_some_and(ImagesFor::has_resolution) { PRINTER_RESOLUTION } else { self.dpi },
            players: self.players,
            models: self.models(&game),
            variants: if is_whole { print_rulebook::variants(&game, &setup, model) } else { Vec::new() },
            table: is_whole.then(|| print_rulebook::set_table(&game, &setup)).flatten(),
            example: is_whole.then(|| print_rulebook::example(&game, &setup, self.players, language)).flatten(),
            since,
        };
        if self.images.is_some() {
            let images = card_images(model, &faces, &order).map_err(|error| too_large(&error))?;
            self.clear(&earlier, output)?;
            let browser = browser.as_ref().expect("pictures are refused without a browser");
            let files = print_images::write(&images, &order, (&self.out, self.no_sandbox), browser, &model.id, output)?;
            let manifest = PrintManifest { files, ..PrintManifest::new(&model.id, language.tag()) };
            return write_below(&self.out, MANIFEST, serde_json::to_string_pretty(&manifest)? + "\n");
        }
        let sheets = Sheets::new(model, &faces, &order).map_err(|error| too_large(&error))?;
        self.write(sheets, &earlier, browser.as_ref(), output)
    }

    /// Returns the model of the game for each number of players. Skips numbers of players for which the game has mistakes.
    fn models(&self, game: &Game) -> Vec<Arc<Model>> {
        let with = |players: u8| Some(game.layout(&self.chosen.setup(players)).ok()?.model.clone());
        game.players().filter_map(with).collect()
    }

    /// Returns the files of an earlier print, which this print replaces. Fails if the folder contains any other file, because no other file
    /// is ever overwritten.
    fn files_of_earlier_print(&self) -> Result<Vec<String>, Failure> {
        if std::fs::symlink_metadata(&self.out).is_err() {
            return Ok(Vec::new());
        }
        let is_there = |help: String| Failure::Usage(format!("`{}` is there already", shown(&self.out)), Some(help));
        let another = || is_there("give another folder with `--out`".to_owned());
        let names = Directory::open(&self.out).and_then(|out| out.names(usize::MAX)).map_err(|_| another())?;
        if names.is_empty() {
            return Ok(Vec::new());
        }
        // The manifest names the files to delete, so it must not be a link to a file elsewhere.
        let is_link = self.out.join(MANIFEST).is_symlink();
        let Ok(before) = manifest(&self.out.join(MANIFEST)) else { return Err(another()) };
        if is_link {
            return Err(another());
        }
        let is_ours = |name: &String| name == MANIFEST || before.files.contains(name);
        match names.iter().find(|name| !is_ours(name)) {
            Some(other) => Err(is_there(format!(
                "`{other}` in it was not written by an earlier print: move it elsewhere, or give another folder with `--out`"
            ))),
            None => Ok(names),
        }
    }

    fn check_kinds(&self, model: &Model) -> Result<(), Failure> {
        let known: Vec<&str> = model.kinds.iter().map(|kind| &*kind.id).collect();
        let Some(unknown) = self.only.iter().find(|only| !known.contains(&only.as_str())) else { return Ok(()) };
        let help = did_you_mean(unknown, known.iter().copied());
        let help = help.unwrap_or_else(|| format!("the kinds are `{}`", known.join("`, `")));
        Err(Failure::Usage(format!("there is no kind `{unknown}`"), Some(help)))
    }

    /// Checks that an earlier print is of the same game and language.
    fn check_earlier(&self, model: &Model, since: Option<&PrintManifest>) -> Result<(), Failure> {
        let Some(since) = since else { return Ok(()) };
        let file = self.changed_since.as_deref().map(shown).unwrap_or_default();
        if since.game != *model.id {
            return Err(usage(format!("`{file}` is of `{}`, not of `{}`", since.game, model.id)));
        }
        if since.language != self.spoken.lang.tag() {
            let help = format!("give `--lang {}`", since.language);
            return Err(Failure::Usage(format!("what was printed by `{file}` is in another language"), Some(help)));
        }
        Ok(())
    }

    /// Creates the folder of the print, and removes the files of an earlier print.
    fn clear(&self, earlier: &[String], output: &mut Output) -> Result<(), Failure> {
        let name = shown(&self.out);
        let reserved = Directory::create_local(&self.out);
        let reserved = reserved.map_err(|error| usage(format!("`{name}` cannot be created: {error}")))?;
        if let Some(why) = reserved {
            output.remark(format!("warning: `{name}` cannot be copied to every system: {why}"))?;
        }
        if !earlier.is_empty() {
            let out = Directory::open(&self.out)?;
            let is_earlier = |name: &str| earlier.iter().any(|file| file == name);
            out.remove_files(&is_earlier).map_err(|(file, error)| usage(format!("`{}`: {error}", shown(file))))?;
        }
        Ok(())
    }

    fn write(
        &self,
        mut sheets: Sheets,
        earlier: &[String],
        browser: Option<&Browser>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let name = shown(&self.out);
        self.clear(earlier, output)?;
        let mut files: Vec<String> = sheets.sheets.iter().map(|sheet| format!("{}.html", sheet.name)).collect();
        if !files.is_empty() {
            files.extend([format!("{ALL}.html"), format!("{ALL}.pdf")]);
        }
        sheets.manifest.files = files;
        let manifest = serde_json::to_string_pretty(&sheets.manifest)? + "\n";
        if sheets.sheets.is_empty() {
            write_below(&self.out, MANIFEST, manifest)?;
            return output.line("nothing to print: everything has been printed before");
        }
        for sheet in &sheets.sheets {
            write_below(&self.out, &format!("{}.html", sheet.name), sheets.file([sheet]))?;
        }
        let all = self.out.join(format!("{ALL}.html"));
        write_below(&self.out, &format!("{ALL}.html"), sheets.file(&sheets.sheets))?;
        write_below(&self.out, MANIFEST, manifest)?;
        let cut = super::check::count_text(sheets.pieces, "piece");
        let count = super::check::count_text(sheets.sheets.len(), "sheet");
        if self.rules {
            output.line(format!("{name}: the rulebook (`{ALL}.html`)"))?;
        } else {
            output.line(format!("{name}: {cut} to cut out, {count} (`{ALL}.html` has them all)"))?;
        }
        for take in &sheets.to_take {
            output.remark(take.clone())?;
        }
        for (what, changes) in [("take out", &sheets.changes.out), ("put in", &sheets.changes.put_in)] {
            let listed: Vec<String> = changes.iter().map(|one| format!("{} × {}", one.count, one.name)).collect();
            if !listed.is_empty() {
                output.line(format!("{what}: {}", listed.join(", ")))?;
            }
        }
        self.pdf(&all, browser, output)
    }

    /// Returns the browser for making PDFs, or `None` if the user wants none or no browser is installed. Fails if the browser that the user
    /// named is not found.
    fn browser(&self) -> Result<Option<Browser>, Failure> {
        match self.browser.as_deref() {
            Some("none") => Ok(None),
            Some(named) => match Browser::find(Some(named)) {
                Some(browser) => Ok(Some(browser)),
                None => Err(usage(format!("there is no program `{named}`"))),
            },
            None => Ok(Browser::find(None)),
        }
    }

    /// Makes a PDF of all sheets. If there is no browser, or if it fails, prints how to print the sheets by hand, unless the user wants no
    /// PDF.
    fn pdf(&self, all: &Path, browser: Option<&Browser>, output: &mut Output) -> Result<(), Failure> {
        let pdf = self.out.join(format!("{ALL}.pdf"));
        let by_hand = format!(
            "open `{}` in any browser and print it at 100 %, without margins or scaling, on both sides over the long edge",
            shown(all)
        );
        let Some(browser) = browser else {
            if self.browser.is_some() {
                return Ok(());
            }
            return output
                .remark(format!("no PDF: there is no Chromium, Chrome or Edge on this machine. Instead, {by_hand}"));
        };
        match browser.write_pdf(all, &pdf, self.no_sandbox) {
            Ok(()) => {
                output.line(format!("{}: the same as PDF", shown(&pdf)))?;
                if has_font_for(self.spoken.lang) {
                    return Ok(());
                }
                let tag = self.spoken.lang.tag();
                output.remark(format!(
                    "no font on this machine has the letters of `{tag}`, so there are boxes in their place: install one, as Noto Sans CJK, and \
                     print again"
                ))
            }
            Err(why) => {
                let sandbox = match why {
                    NoPdf::Failed(_) if !self.no_sandbox => " (within a container, `--no-sandbox` may help)",
                    _ => "",
                };
                output.remark(format!("no PDF: {}{sandbox}. Instead, {by_hand}", why.explain(browser)))
            }
        }
    }
}

fn too_large(error: &TooLarge) -> Failure {
    let help = "print fewer components with `--only`, or simplify the faces".to_owned();
    Failure::Usage(error.to_string(), Some(help))
}

fn manifest(path: &Path) -> Result<PrintManifest, Failure> {
    let name = shown(path);
    let help = || Some("give the `manifest.json` of an earlier print".to_owned());
    let text = match read_named(path, LARGEST_MANIFEST) {
        Ok(text) => text,
        Err(Refused::TooLarge(_)) => {
            return Err(Failure::Usage(format!("`{name}` is too large to say what was printed"), help()));
        }
        Err(error) => return Err(usage(format!("`{name}`: {error}"))),
    };
    let read: Result<PrintManifest, _> = serde_json::from_slice(&text);
    match read {
        Ok(manifest) if manifest.is_known() => Ok(manifest),
        Ok(manifest) => {
            Err(usage(format!("`{name}` is written in format {}, which this program does not read", manifest.format)))
        }
        Err(error) => Err(Failure::Usage(format!("`{name}` does not say what was printed: {error}"), help())),
    }
}
