//! `parlour print`: writes sheets with the components, boards and rules of a game, to print and cut.

use super::arguments::{GameSelection, LanguageArgument, check_players};
use super::browser::{Browser, NoPdf, has_font_for};
use super::output::{Failure, Output, usage};
use super::saving::write_below;
use super::{examples, opening};
use crate::diagnostic::{Severity, did_you_mean, shown};
use crate::faces::{Addresses, CardPicture, Faces};
use crate::files::{Directory, Refused, read_named};
use crate::model::Model;
use crate::paper::{Order, Paper, Print as Sheets, PrintManifest};
use crate::session::Game;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// File with the manifest of a print.
const MANIFEST: &str = "manifest.json";

/// Name of the file with all sheets.
const ALL: &str = "all";

/// Maximum size of a manifest in bytes.
const LARGEST_MANIFEST: u64 = 16 << 20;

/// Lays out print-and-play sheets: cards, tiles and tokens with their backs, boards, and the rules in the order of play
///
/// Each sheet is a file that any browser prints true to size at 100 % scale. Printed on both sides and flipped on the long edge, backs lie behind
/// their fronts. `all.html` contains all sheets; if Chromium, Chrome or Edge is installed, `all.pdf` is made too.
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour print stockpile --out sheets",
    "parlour print games/my-game --out sheets --paper letter --lang zh-Hant",
    "parlour print games/my-game --out new --changed-since sheets/manifest.json   the cards that differ",
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
    /// Browser program that makes the PDF; `none` for no PDF [default: Chromium, Chrome or Edge, if installed]
    #[arg(long, value_name = "PROGRAM")]
    browser: Option<String>,
    /// Run the browser without its sandbox, which does not work in some containers
    #[arg(long)]
    no_sandbox: bool,
}

/// Paper sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PaperName {
    /// 210 × 297 mm
    A4,
    /// 8.5 × 11 inches
    Letter,
}

impl Print {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let earlier = self.files_of_earlier_print()?;
        let browser = self.browser()?;
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
        let rounds = if self.players.is_some() { Vec::new() } else { self.rounds(&game) };
        let order = Order { paper, language: self.spoken.lang, only: self.only.clone(), rounds, since };
        let sheets = Sheets::new(model, &faces, &order).map_err(|error| {
            let help = "print fewer components with `--only`, or simplify the faces".to_owned();
            Failure::Usage(error.to_string(), Some(help))
        })?;
        self.write(sheets, &earlier, browser.as_ref(), output)
    }

    /// Returns the number of rounds for each number of players, if it is fixed.
    fn rounds(&self, game: &Game) -> Vec<(u8, i64)> {
        let with = |players: u8| Some((players, game.layout(&self.chosen.setup(players)).ok()?.model.flow.rounds?));
        game.players().filter_map(with).collect()
    }

    /// Returns the files of an earlier print, which this one replaces. Fails if the folder contains anything else, because nothing else is
    /// ever overwritten.
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

    fn write(
        &self,
        mut sheets: Sheets,
        earlier: &[String],
        browser: Option<&Browser>,
        output: &mut Output,
    ) -> Result<(), Failure> {
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
        output.line(format!("{name}: {cut} to cut out, {count} (`{ALL}.html` has them all)"))?;
        for (what, changes) in [("take out", &sheets.changes.out), ("put in", &sheets.changes.put_in)] {
            let listed: Vec<String> = changes.iter().map(|one| format!("{} × {}", one.count, one.name)).collect();
            if !listed.is_empty() {
                output.line(format!("{what}: {}", listed.join(", ")))?;
            }
        }
        self.pdf(&all, browser, output)
    }

    /// Returns the browser for making PDFs; `None` if the user wants none or none is found.
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

    /// Makes a PDF of all sheets, or tells the user how.
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
        match browser.pdf(all, &pdf, self.no_sandbox) {
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
                output.remark(format!("no PDF: {}{sandbox}. Instead, {by_hand}", why.explained(browser)))
            }
        }
    }
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
