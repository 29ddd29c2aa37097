//! Opens games: from a folder, or from texts in memory.

#[cfg(feature = "system")]
use crate::diagnostic::shown;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Severity, Source};
use crate::loader::{Choices, FileContent, Files, Package};
use crate::model::Model;
use crate::script::Host;
use crate::session::{Game, Models, Setup};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::ops::RangeInclusive;
#[cfg(feature = "system")]
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Whether all data files could be parsed.
#[derive(Clone, Copy, PartialEq)]
enum Completeness {
    AllFiles,
    SomeFiles,
}

/// Codes of data mistakes that are certain regardless of the content of unreadable files. They are reported together with syntax errors.
const CERTAIN_CODES: [&str; 4] = ["duplicate-id", "reserved-name", "unknown-key", "unknown-word"];

/// Callback that reads a picture of the game by file name. The second argument is the size limit in bytes. One byte more may be returned,
/// so that the caller can tell that a picture is too large.
type PictureReader = Box<dyn Fn(&str, usize) -> Option<Vec<u8>> + Send + Sync>;

/// The parsed files of a game, from which a session builds its models.
struct GameSource {
    package: Arc<Package>,
    path: String,
    pictures: PictureReader,
    /// Mistakes in the data of all variants, and warnings. Computed at the first call of `remarks`.
    remarks: OnceLock<Diagnostics>,
}

impl GameSource {
    /// Parses the files of a game.
    ///
    /// # Errors
    /// Returns the syntax errors, together with all other mistakes that do not depend on the unreadable parts. If the game has an unknown
    /// format, returns only this mistake.
    fn read(files: Files, path: String, pictures: PictureReader) -> Result<Self, Diagnostics> {
        let (package, mut syntax) = Package::parse_well(files);
        if let Some(found) = package.unknown_format() {
            return Err(Diagnostics(vec![found]));
        }
        if !syntax.0.is_empty() {
            syntax.0.extend(package.check().0.into_iter().filter(|found| CERTAIN_CODES.contains(&found.code)));
            return Err(add_script_mistakes(&package, syntax, Completeness::SomeFiles));
        }
        Ok(Self { package, path, pictures, remarks: OnceLock::new() })
    }

    /// Returns the mistakes in the data of all variants, and warnings. If the data has errors, mistakes in the scripts are included.
    fn remarks(&self) -> &Diagnostics {
        self.remarks.get_or_init(|| {
            let mut found = self.package.check();
            let is_broken = has_errors(&found);
            found.0.extend(lone_word_warnings(&self.package).0);
            #[cfg(feature = "system")]
            if !is_broken {
                found.0.extend(self.face_mistakes().0);
            }
            drop_repeated_lone_words(if is_broken {
                add_script_mistakes(&self.package, found, Completeness::AllFiles)
            } else {
                found
            })
        })
    }
}

#[cfg(feature = "system")]
impl GameSource {
    /// Checks the templates of the components' faces.
    fn face_mistakes(&self) -> Diagnostics {
        let outline = Arc::new(self.package.outline());
        crate::faces::Faces::check(&outline, &|name| self.picture(name, crate::faces::CardPicture::LARGEST))
    }
}

impl Models for GameSource {
    fn model(&self, setup: &Setup) -> Result<Model, Diagnostics> {
        let (options, sets) = (setup.options.clone(), setup.data());
        let built = self.package.build(&Choices { players: setup.seats, options, sets });
        // Building stops at the first mistakes. Report all of them, unless the mistake is in the caller's choices and not in the files.
        built.map_err(|found| {
            let is_chosen_wrong = found.0.iter().any(Diagnostic::is_about_choices);
            if !is_chosen_wrong && has_errors(self.remarks()) { self.remarks().clone() } else { found }
        })
    }

    fn sketch(&self, setup: &Setup) -> Option<Model> {
        let (options, sets) = (setup.options.clone(), setup.data());
        self.package.sketch(&Choices { players: setup.seats, options, sets })
    }

    fn players(&self) -> RangeInclusive<u8> {
        self.package.players()
    }

    fn id(&self) -> &str {
        self.package.id()
    }

    fn path(&self) -> &str {
        &self.path
    }

    fn option_values(&self) -> Vec<(String, Vec<String>)> {
        self.package.option_values()
    }

    fn agents(&self) -> &[Arc<Source>] {
        self.package.agents()
    }

    fn picture(&self, name: &str, largest: usize) -> Option<Vec<u8>> {
        (self.pictures)(name, largest)
    }

    fn warnings(&self) -> Diagnostics {
        self.remarks().clone()
    }
}

fn has_errors(found: &Diagnostics) -> bool {
    found.0.iter().any(|found| found.severity == Severity::Error)
}

/// Opens the game in a folder for playing.
///
/// Models and rules are built and checked when a setup is first played, so mistakes in unused variants stay unnoticed.
/// [`load`] checks everything.
///
/// # Errors
/// Returns diagnostics if files cannot be read or parsed.
#[cfg(feature = "system")]
pub fn open(folder: impl AsRef<Path>) -> Result<Game, Diagnostics> {
    open_overlaid(folder, &[])
}

/// Like [`open`], but lays overlays over the game's data. Each overlay consists of a path, which is shown in messages, and a text.
///
/// # Errors
/// Returns diagnostics if files cannot be read or parsed.
#[cfg(feature = "system")]
pub fn open_overlaid(folder: impl AsRef<Path>, overlays: &[(String, String)]) -> Result<Game, Diagnostics> {
    let folder = folder.as_ref();
    open_shown_as(folder, shown(folder), overlays)
}

/// Like [`open_overlaid`], but messages and commands show the folder as `path`.
#[cfg(feature = "system")]
pub(crate) fn open_shown_as(folder: &Path, path: String, overlays: &[(String, String)]) -> Result<Game, Diagnostics> {
    let picture_folder = folder.to_path_buf();
    let pictures = Box::new(move |name: &str, largest| crate::loader::read_picture(&picture_folder, name, largest));
    Ok(Game::new(Arc::new(GameSource::read(with_overlays(Files::read(folder)?, overlays), path, pictures)?)))
}

/// Opens a game from memory. `texts` maps paths below the game's folder to contents: text, or bytes for workbooks. Each overlay consists of
/// a path, which is shown in messages, and a text.
///
/// # Errors
/// Returns diagnostics if files cannot be parsed.
pub fn open_texts_overlaid<C: Into<FileContent>>(
    name: &str,
    texts: impl IntoIterator<Item = (String, C)>,
    overlays: &[(String, String)],
) -> Result<Game, Diagnostics> {
    let files = Files::from_texts(name, texts)?;
    let pictures = drawing_reader(&files);
    Ok(Game::new(Arc::new(GameSource::read(with_overlays(files, overlays), name.to_owned(), pictures)?)))
}

/// Returns a picture reader for a game in memory, whose only pictures are drawings.
fn drawing_reader(files: &Files) -> PictureReader {
    let drawings = files.drawings.clone();
    let drawing = move |name: &str| drawings.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone());
    Box::new(move |name: &str, _| drawing(name).map(|text| text.as_bytes().to_vec()))
}

/// Opens a game whose files have been read. `path` is the folder as commands in messages show it.
///
/// # Errors
/// Returns diagnostics if files cannot be parsed.
pub fn open_files(files: Files, path: String) -> Result<Game, Diagnostics> {
    let pictures = drawing_reader(&files);
    Ok(Game::new(Arc::new(GameSource::read(files, path, pictures)?)))
}

/// Opens a game from memory. `pictures` are the pictures in the folder `faces/`, each with its file name.
///
/// # Errors
/// Returns diagnostics if files cannot be parsed.
#[cfg(all(feature = "page", not(feature = "system")))]
pub(crate) fn open_with_pictures(
    files: Files,
    path: String,
    pictures: Vec<(String, Vec<u8>)>,
) -> Result<Game, Diagnostics> {
    let drawings = drawing_reader(&files);
    let read = move |name: &str, largest: usize| {
        let own = pictures.iter().find(|(known, _)| known == name);
        own.map(|(_, bytes)| bytes[..bytes.len().min(largest.saturating_add(1))].to_vec())
            .or_else(|| drawings(name, largest))
    };
    Ok(Game::new(Arc::new(GameSource::read(files, path, Box::new(read))?)))
}

/// Loads the game in a folder, and checks it for every number of players and every value of every option.
///
/// # Errors
/// Returns diagnostics if files cannot be read, and the mistakes in the game's data and rules. If there are none, returns the mistakes in
/// its agents.
#[cfg(feature = "system")]
pub fn load(folder: impl AsRef<Path>) -> Result<Game, Diagnostics> {
    check_game(open(folder)?)
}

/// Like [`load`], but lays overlays over the game's data. Each overlay consists of a path, which is shown in messages, and a text.
///
/// # Errors
/// Like [`load`]; includes mistakes in the overlays.
#[cfg(feature = "system")]
pub fn load_overlaid(folder: impl AsRef<Path>, overlays: &[(String, String)]) -> Result<Game, Diagnostics> {
    check_game(open_overlaid(folder, overlays)?)
}

/// Loads a game from memory and checks it like [`load`]. `texts` maps paths below the game's folder to contents.
///
/// # Errors
/// Like [`load`].
pub fn load_texts<C: Into<FileContent>>(
    name: &str,
    texts: impl IntoIterator<Item = (String, C)>,
) -> Result<Game, Diagnostics> {
    check_game(open_texts_overlaid(name, texts, &[])?)
}

fn with_overlays(files: Files, overlays: &[(String, String)]) -> Files {
    overlays.iter().fold(files, |files, (path, text)| files.with_overlay(path, text.clone()))
}

/// Checks a game for every number of players and every value of every option, and returns it if it has no errors.
///
/// # Errors
/// Returns the mistakes in the game's data and rules. If there are none, returns the mistakes in its agents.
pub fn check_game(game: Game) -> Result<Game, Diagnostics> {
    let found = game.warnings();
    if has_errors(&found) {
        return Err(found);
    }
    let setup = Setup::seats(*game.players().start());
    // Rules are checked against all variants, so the other variants must have been built before `host` checks the rules.
    game.layout(&setup)?.model.variants_with_more_names();
    let (_, host) = game.host(&setup)?;
    let agents = game.agents().iter().filter_map(|agent| game.check_agent(&setup, agent).err());
    let mut mistakes: Vec<Diagnostic> = agents.flat_map(|mistakes| mistakes.0).collect();
    if mistakes.is_empty() {
        return Ok(game);
    }
    mistakes.extend(host.partial_mistakes());
    Err(Diagnostics(mistakes))
}

/// Removes `lone-word` and `quoted-number` warnings at places for which another message has been reported.
pub(crate) fn drop_repeated_lone_words(mut mistakes: Diagnostics) -> Diagnostics {
    let is_lone = |found: &Diagnostic| matches!(found.code, "lone-word" | "quoted-number");
    let others = mistakes.0.iter().filter(|found| !is_lone(found));
    let known: Vec<Place> = others.flat_map(|found| found.marks.iter().map(|mark| mark.place.clone())).collect();
    mistakes.0.retain(|found| !is_lone(found) || !found.marks.first().is_some_and(|mark| known.contains(&mark.place)));
    mistakes
}

/// Returns warnings about words in the data that nothing else mentions. Words of the language's vocabulary are never reported.
fn lone_word_warnings(package: &Package) -> Diagnostics {
    let known: OnceCell<FxHashSet<String>> = OnceCell::new();
    package.lone_words(|word| known.get_or_init(vocabulary_words).contains(word))
}

fn vocabulary_words() -> FxHashSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = FxHashSet::default();
    // The examples of functions of built-in types use arbitrary words, which would hide real mistakes.
    for word in Host::vocabulary().into_iter().filter(|word| !word.is_own()) {
        let said = [&*word.name, word.doc, word.example];
        words.extend(said.iter().flat_map(|text| text.split(|c| !is_part(c))).map(str::to_owned));
    }
    words
}

/// Adds the mistakes in the scripts to `mistakes`, which were found in the data. The scripts are checked against the valid part of the
/// data.
///
/// Most unknown names that occur anywhere in the data are not reported, because the mistake may be in the declaration of the name.
fn add_script_mistakes(package: &Arc<Package>, mut mistakes: Diagnostics, completeness: Completeness) -> Diagnostics {
    let model = package.outline();
    let found = Host::check_partial_model(&Arc::new(model));
    let is_data = |source: &&Arc<Source>| !source.is_script();
    let mut words: Vec<String> =
        package.sources().iter().filter(is_data).flat_map(|source| data_words(&source.text)).collect();
    // Rows that are expanded into several components declare ids that do not occur literally in the files.
    words.extend(package.ids().map(ToString::to_string));
    // The type of a field depends on declarations, too. So an unknown member is only certain to be a mistake if no type has a member of
    // this name.
    let vocabulary: Vec<String> = Host::vocabulary().into_iter().map(|word| word.name).collect();
    let is_declared = |found: &Diagnostic| {
        let Some(place) = found.marks.first().map(|mark| &mark.place) else { return true };
        let marked = place.source.text[place.span.clone()].trim_matches('"');
        let is_in_data = || words.iter().any(|word| word == marked);
        match found.code {
            // Rules can call a function by the name of a field whose value is the function. The field may be declared in an unreadable
            // file.
            "unknown-function" => completeness == Completeness::SomeFiles && place.source.is_script() && is_in_data(),
            "not-called" => is_in_data(),
            code => code.starts_with("unknown-") && (is_in_data() || vocabulary.iter().any(|word| word == marked)),
        }
    };
    mistakes.0.extend(found.into_iter().filter(|found| !is_declared(found)));
    mistakes
}

/// Returns the words outside quotes in a data file, such as keys, and the strings that consist of a single word.
fn data_words(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut words = Vec::new();
    for line in text.lines() {
        for (at, piece) in line.split('"').enumerate() {
            let is_quoted = at % 2 == 1;
            if is_quoted && piece.chars().all(is_part) {
                words.push(piece.to_owned());
            } else if !is_quoted {
                words.extend(piece.split(|c| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_owned));
            }
        }
    }
    words
}
