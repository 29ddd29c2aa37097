//! Opening a game: from a folder, or from texts in memory.

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

/// How much of the data could be read.
#[derive(Clone, Copy, PartialEq)]
enum Read {
    /// Every file.
    Whole,
    /// Not all files.
    InPart,
}

/// Mistakes of data that stand for themselves, whatever a file says that cannot be read.
const ALONE: [&str; 4] = ["duplicate-id", "reserved-name", "unknown-key", "unknown-word"];

/// Reads a picture of a game by the name of its file, no more than so many bytes and one.
type Pictures = Box<dyn Fn(&str, usize) -> Option<Vec<u8>> + Send + Sync>;

/// The files of a game, as a session asks for its models.
struct Opened {
    package: Arc<Package>,
    path: String,
    pictures: Pictures,
    /// What is wrong with the data over all variants, and what the author should look at, once that was asked for.
    remarks: OnceLock<Diagnostics>,
}

impl Opened {
    /// Reads the files of a game.
    ///
    /// # Errors
    /// Files that cannot be read, with what else is wrong for certain.
    fn read(files: Files, path: String, pictures: Pictures) -> Result<Self, Diagnostics> {
        let (package, mut syntax) = Package::parse_well(files);
        if let Some(found) = package.unknown_format() {
            return Err(Diagnostics(vec![found]));
        }
        if !syntax.0.is_empty() {
            syntax.0.extend(package.check().0.into_iter().filter(|found| ALONE.contains(&found.code)));
            return Err(with_scripts(&package, syntax, Read::InPart));
        }
        Ok(Self { package, path, pictures, remarks: OnceLock::new() })
    }

    /// What is wrong with the data over all variants, with the scripts beside it where something is, and what the author should look at.
    fn remarks(&self) -> &Diagnostics {
        self.remarks.get_or_init(|| {
            let mut found = self.package.check();
            let is_broken = has_errors(&found);
            found.0.extend(lone_words(&self.package).0);
            #[cfg(feature = "system")]
            if !is_broken {
                found.0.extend(self.faces().0);
            }
            without_repeats(if is_broken { with_scripts(&self.package, found, Read::Whole) } else { found })
        })
    }
}

#[cfg(feature = "system")]
impl Opened {
    /// What is wrong with the templates of faces.
    fn faces(&self) -> Diagnostics {
        let outline = Arc::new(self.package.outline());
        crate::faces::Faces::check(&outline, &|name| self.picture(name, crate::faces::CardPicture::LARGEST))
    }
}

impl Models for Opened {
    fn model(&self, setup: &Setup) -> Result<Model, Diagnostics> {
        let (options, sets) = (setup.options.clone(), setup.data());
        let built = self.package.build(&Choices { players: setup.seats, options, sets });
        // Who has made one mistake in the files is known of all.
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

/// Opens the game in a folder to be played: its files are read, and what is played of it is built and checked when it is first asked for.
/// Mistakes come up there, and those of what is not played stay unseen: [`load`] looks for all.
///
/// # Errors
/// Files that cannot be read.
#[cfg(feature = "system")]
pub fn open(folder: impl AsRef<Path>) -> Result<Game, Diagnostics> {
    open_overlaid(folder, &[])
}

/// The same with overlays from elsewhere, each a path to show and a text, laid over the game's data.
///
/// # Errors
/// Files that cannot be read.
#[cfg(feature = "system")]
pub fn open_overlaid(folder: impl AsRef<Path>, overlays: &[(String, String)]) -> Result<Game, Diagnostics> {
    let folder = folder.as_ref();
    open_called(folder, shown(folder), overlays)
}

/// Like [`open_overlaid`], where commands call the folder otherwise than it is found.
#[cfg(feature = "system")]
pub(crate) fn open_called(folder: &Path, called: String, overlays: &[(String, String)]) -> Result<Game, Diagnostics> {
    let beside = folder.to_path_buf();
    let pictures = Box::new(move |name: &str, largest| crate::loader::read_picture(&beside, name, largest));
    Ok(Game::new(Arc::new(Opened::read(overlaid(Files::read(folder)?, overlays), called, pictures)?)))
}

/// Opens a game whose files are given as paths below its folder and texts, workbooks as bytes, with overlays likewise.
///
/// # Errors
/// Files that cannot be read.
pub fn open_texts_overlaid<C: Into<FileContent>>(
    name: &str,
    texts: impl IntoIterator<Item = (String, C)>,
    overlays: &[(String, String)],
) -> Result<Game, Diagnostics> {
    let files = Files::from_texts(name, texts)?;
    let pictures = drawn(&files);
    Ok(Game::new(Arc::new(Opened::read(overlaid(files, overlays), name.to_owned(), pictures)?)))
}

/// The pictures of a game in memory: its drawings.
fn drawn(files: &Files) -> Pictures {
    let drawings = files.drawings.clone();
    let drawing = move |name: &str| drawings.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone());
    Box::new(move |name: &str, _| drawing(name).map(|text| text.as_bytes().to_vec()))
}

/// Opens a game whose files have been read. `path` is what the user calls its folder, in commands.
///
/// # Errors
/// Files that cannot be read as what they are.
pub fn open_files(files: Files, path: String) -> Result<Game, Diagnostics> {
    let pictures = drawn(&files);
    Ok(Game::new(Arc::new(Opened::read(files, path, pictures)?)))
}

/// Loads the game in a folder, and looks for mistakes with every number of players and every value of every option.
///
/// # Errors
/// Every mistake in its data, its scripts and the files of its agents.
#[cfg(feature = "system")]
pub fn load(folder: impl AsRef<Path>) -> Result<Game, Diagnostics> {
    checked(open(folder)?)
}

/// The same with overlays from elsewhere, each a path to show and a text, laid over the game's data.
///
/// # Errors
/// Those of [`load`], and what is wrong with the overlays.
#[cfg(feature = "system")]
pub fn load_overlaid(folder: impl AsRef<Path>, overlays: &[(String, String)]) -> Result<Game, Diagnostics> {
    checked(open_overlaid(folder, overlays)?)
}

/// Loads a game whose files are given as paths below its folder and texts.
///
/// # Errors
/// Those of [`load`].
pub fn load_texts<C: Into<FileContent>>(
    name: &str,
    texts: impl IntoIterator<Item = (String, C)>,
) -> Result<Game, Diagnostics> {
    checked(open_texts_overlaid(name, texts, &[])?)
}

fn overlaid(files: Files, overlays: &[(String, String)]) -> Files {
    overlays.iter().fold(files, |files, (path, text)| files.with_overlay(path, text.clone()))
}

/// A game that has been looked at whole: with every number of players and every value of every option.
///
/// # Errors
/// Every mistake in its data, its scripts and the files of its agents.
pub fn checked(game: Game) -> Result<Game, Diagnostics> {
    let found = game.warnings();
    if has_errors(&found) {
        return Err(found);
    }
    let setup = Setup::seats(*game.players().start());
    // Rules are judged by all variants once these have been built.
    game.layout(&setup)?.model.elsewhere();
    game.host(&setup)?;
    let agents = game.agents().iter().filter_map(|agent| game.check_agent(&setup, agent).err());
    let mistakes: Vec<Diagnostic> = agents.flat_map(|mistakes| mistakes.0).collect();
    if mistakes.is_empty() { Ok(game) } else { Err(Diagnostics(mistakes)) }
}

/// What is wrong with a word that stands alone may have been said where it stands.
pub(crate) fn without_repeats(mut mistakes: Diagnostics) -> Diagnostics {
    let is_lone = |found: &Diagnostic| found.code == "lone-word";
    let others = mistakes.0.iter().filter(|found| !is_lone(found));
    let known: Vec<Place> = others.flat_map(|found| found.marks.iter().map(|mark| mark.place.clone())).collect();
    mistakes.0.retain(|found| !is_lone(found) || !found.marks.first().is_some_and(|mark| known.contains(&mark.place)));
    mistakes
}

/// What is remarked about words that stand alone. What the vocabulary speaks of is no such word.
fn lone_words(package: &Package) -> Diagnostics {
    let known: OnceCell<FxHashSet<String>> = OnceCell::new();
    package.lone_words(|word| known.get_or_init(words_of_the_vocabulary).contains(word))
}

fn words_of_the_vocabulary() -> FxHashSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = FxHashSet::default();
    // What functions of plain lists and texts are shown with has nothing to do with games.
    for word in Host::vocabulary().into_iter().filter(|word| !word.is_own()) {
        let said = [&*word.name, word.doc, word.example];
        words.extend(said.iter().flat_map(|text| text.split(|c| !is_part(c))).map(str::to_owned));
    }
    words
}

/// Mistakes of the data together with those of the scripts, checked against what of the data is well. What a script names
/// that stands somewhere in the data is not reported: its declaration may be what is wrong.
fn with_scripts(package: &Arc<Package>, mut mistakes: Diagnostics, read: Read) -> Diagnostics {
    let model = package.outline();
    let found = Host::mistakes_beside_others(&Arc::new(model));
    let is_data = |source: &&Arc<Source>| !source.is_script();
    let mut words: Vec<String> =
        package.sources().iter().filter(is_data).flat_map(|source| words(&source.text)).collect();
    // Rows that stand for many have names that stand nowhere.
    words.extend(package.ids().map(ToString::to_string));
    // What a thing is depends on its declaration too: only what nothing has is a mistake for certain.
    let vocabulary: Vec<String> = Host::vocabulary().into_iter().map(|word| word.name).collect();
    let is_declared = |found: &Diagnostic| {
        let Some(place) = found.marks.first().map(|mark| &mark.place) else { return true };
        let marked = place.source.text[place.span.clone()].trim_matches('"');
        let is_in_data = || words.iter().any(|word| word == marked);
        match found.code {
            // A function that rules call may be made by a field.
            "unknown-function" => read == Read::InPart && place.source.is_script() && is_in_data(),
            "not-called" => is_in_data(),
            code => code.starts_with("unknown-") && (is_in_data() || vocabulary.iter().any(|word| word == marked)),
        }
    };
    mistakes.0.extend(found.into_iter().filter(|found| !is_declared(found)));
    mistakes
}

/// The keys and the words in quotes of a data file; sentences in quotes are left out.
fn words(text: &str) -> Vec<String> {
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
