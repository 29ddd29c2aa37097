//! `parlour export`: writes pages on which games can be played without a server, as a folder for any web host or as a single file.

use super::game_files::{self, GameFile};
use super::output::{Failure, Output, usage};
use super::page_file::{BEGIN, Content, END, PageGame};
use super::saving::{write_atomic, write_below};
use super::{examples, opening, print};
use crate::desk::bundle;
use crate::diagnostic::shown;
use crate::files::{Directory, Refused, read_named};
use crate::model::Language;
use crate::phrases::Phrases;
use crate::session::Setup;
use crate::simulation::content_hash;
use crate::web::{SHELL, STATIC_FILES};
use crate::wording::escaped;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// File name of a page that contains a game, or that lists several games.
const INDEX: &str = "index.html";

/// Maximum size in bytes of the engine for pages, both compressed and decompressed.
const LARGEST_ENGINE: u64 = 64 << 20;

/// Marker in the WebAssembly module of an engine. The version of the program follows the marker.
const MARK: &str = "parlour-page ";

/// Scripts of a page, in the order in which the page loads them.
const SCRIPTS: [&str; 5] = ["shell.js", "htmx.min.js", "htmx-sse.min.js", "idiomorph.min.js", "table.js"];

/// Styles of a page.
const STYLES: [&str; 3] = ["page.css", "table.css", "offline.css"];

/// Writes a page on which a game can be played: against the game's agents or with several people at one screen, without a server or a
/// network
///
/// The page has the rules, the cards, and a simulation of many games. It runs the same engine and the same pages as `parlour serve`. It
/// contains the files of the game: `parlour new my-game --from index.html` makes a game from them.
///
/// With several games, the folder contains a page that lists them and a subfolder for each game. The games share the engine.
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour export stockpile --out site                           a folder for any web host",
    "parlour export stockpile --out stockpile.html --single-file   one file, to be sent or opened from the disk",
    "parlour export stockpile chess games/my-game --out site       a folder with a page for each game",
    "parlour export games/my-game --out site --module engine.wasm  with an engine that you have compiled",
))]
pub(super) struct Export {
    /// Folders, or names of games that come with the program
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Folder for the page: new, empty, or with an earlier page, which is replaced. With `--single-file`, the file to write
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Write one HTML file
    #[arg(long)]
    single_file: bool,
    /// Engine for pages: a WebAssembly module built by `.ci/page` [default: the engine that comes with the program]
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
}

/// Data from which a page is made.
struct Page {
    title: String,
    game: String,
    /// Rulebooks as JSON: a document for each language.
    rules: String,
}

impl Export {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let engine = self.engine()?;
        let folders = self.folders()?;
        self.check_out(&folders)?;
        let (path, size) = if let [game] = &*self.games {
            let page = self.page(game, output)?;
            if self.single_file {
                let text = page.single_file(&engine);
                write_atomic(&self.out, &text)?;
                (self.out.clone(), text.len())
            } else {
                (self.out.join(INDEX), self.write(page.index(""), &engine)?)
            }
        } else {
            let mut list = String::new();
            let mut size = 0;
            for (game, folder) in self.games.iter().zip(&folders) {
                let page = self.page(game, output)?;
                let index = page.index("../");
                size += index.len();
                write_below(&self.out, &format!("{folder}/{INDEX}"), &index)?;
                let (link, title) = (encode_for_data_url(folder), escaped(&page.title));
                let _ = writeln!(list, "<li><h3><a href=\"{link}/{INDEX}\">{title}</a></h3></li>");
            }
            size += self.write(list_of_games(&list), &engine)?;
            (self.out.join(INDEX), size)
        };
        let how = if self.single_file {
            "open it in a browser, or send it"
        } else {
            "open it in a browser, or copy the folder to a web host"
        };
        output.line(format!("{}: {} KB; {how}", shown(&path), size >> 10))
    }

    /// Writes the first page of a folder, and the code that the pages of the folder use. Returns their total size in bytes.
    fn write(&self, index: String, engine: &[u8]) -> Result<usize, Failure> {
        let files = std::iter::once((INDEX, index)).chain(Page::code(engine));
        let mut size = 0;
        for (name, text) in files {
            write_below(&self.out, name, &text)?;
            size += text.len();
        }
        Ok(size)
    }

    /// Returns the name of each game's subfolder. Returns an empty list for a single game, which needs no subfolder.
    fn folders(&self) -> Result<Vec<String>, Failure> {
        if self.games.len() == 1 {
            return Ok(Vec::new());
        }
        if self.single_file {
            let help = "call the command for each game, or leave out `--single-file`".to_owned();
            return Err(Failure::Usage("a single file has one game".to_owned(), Some(help)));
        }
        let mut known = BTreeSet::new();
        let mut folders = Vec::new();
        for game in &self.games {
            let folder = game_files::folder_name(game);
            if !known.insert(folder.to_lowercase()) {
                let help = "the pages are named after the games' folders: rename one of them".to_owned();
                return Err(Failure::Usage(format!("two of the games are named `{folder}`"), Some(help)));
            }
            folders.push(folder);
        }
        Ok(folders)
    }

    /// Returns the compressed engine.
    fn engine(&self) -> Result<Vec<u8>, Failure> {
        let Some(path) = &self.module else {
            let help = "in a checkout of Parlour, run `.ci/page` and add `--module target/page/engine.wasm.gz`; or use a released program";
            let missing = || {
                Failure::Usage("this program was built without the engine for pages".to_owned(), Some(help.to_owned()))
            };
            return bundle::page_engine().map(<[u8]>::to_vec).ok_or_else(missing);
        };
        let name = shown(path);
        let bytes =
            read_named(path, LARGEST_ENGINE).map_err(|error| usage(format!("`{name}` cannot be read: {error}")))?;
        let cannot = |error: std::io::Error| usage(format!("`{name}` cannot be read: {error}"));
        let mut module = Vec::new();
        let compressed = if bytes.starts_with(b"\x1f\x8b") {
            GzDecoder::new(&*bytes).take(LARGEST_ENGINE).read_to_end(&mut module).map_err(cannot)?;
            bytes
        } else {
            module.clone_from(&bytes);
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&bytes).and_then(|()| encoder.finish()).map_err(cannot)?
        };
        let mark = format!("{MARK}{}\n", env!("CARGO_PKG_VERSION"));
        if !module.starts_with(b"\0asm") {
            return Err(usage(format!("`{name}` is not a WebAssembly module")));
        }
        if !module.windows(mark.len()).any(|part| part == mark.as_bytes()) {
            let message = format!("`{name}` is not the engine of Parlour {}", env!("CARGO_PKG_VERSION"));
            return Err(Failure::Usage(
                message,
                Some("build it from the sources of this program: `.ci/page`".to_owned()),
            ));
        }
        Ok(compressed)
    }

    /// Checks `--out`. With `--single-file`, it must name an HTML file, which may exist. Otherwise its folders must be new or contain only
    /// earlier pages.
    fn check_out(&self, folders: &[String]) -> Result<(), Failure> {
        let name = shown(&self.out);
        if self.single_file {
            let is_page = self.out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
            let help = format!("give a file, such as `--out {}.html`", game_files::folder_name(&self.games[0]));
            return if is_page && !self.out.is_dir() {
                Ok(())
            } else {
                Err(Failure::Usage(format!("`{name}` is not the name of an HTML file"), Some(help)))
            };
        }
        let is_own = |known: &str| {
            known == INDEX || Page::names().any(|own| own == known) || folders.iter().any(|own| own == known)
        };
        let out = || Directory::open(&self.out).map_err(Refused::from);
        check_folder(out(), &self.out, is_own)?;
        // The folder of a game may have been prepared by somebody else. Links in it are not followed.
        let folder = |name: &String| out().and_then(|out| out.subfolder(name));
        folders.iter().try_for_each(|name| check_folder(folder(name), &self.out.join(name), |known| known == INDEX))
    }

    fn page(&self, game: &str, output: &mut Output) -> Result<Page, Failure> {
        let files = game_files::read(game)?.into_iter().filter(|(path, _)| game_files::is_of_game(path));
        let files: Vec<GameFile> = files.collect();
        let game = &opening::open_and_check(game, output)?;
        let setup = Setup::seats(*game.players().end());
        let layout = opening::layout(game, &setup, output)?;
        let mut rules = serde_json::Map::new();
        for language in Language::ALL {
            rules.insert(language.tag().to_owned(), print::rulebook(game, &setup, language, output)?.into());
        }
        let all: Vec<u8> = files.iter().flat_map(|(path, bytes)| [path.as_bytes(), bytes].concat()).collect();
        let own_name =
            self.out.file_name().filter(|_| self.single_file).map(|name| name.to_string_lossy().into_owned());
        let embedded = PageGame {
            name: game.id().to_owned(),
            file: own_name.unwrap_or_else(|| INDEX.to_owned()),
            mark: content_hash(&all),
            files: files.into_iter().map(|(path, bytes)| (path, Content::from(bytes))).collect(),
        };
        Ok(Page {
            title: layout.model.name.get(Language::English).to_owned(),
            game: json_in_html(&serde_json::to_string(&embedded)?),
            rules: json_in_html(&serde_json::Value::from(rules).to_string()),
        })
    }
}

/// Checks that a folder is new or contains only files that may be replaced.
fn check_folder(folder: Result<Directory, Refused>, path: &Path, is_own: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let name = shown(path);
    let taken = |why: String| Failure::Usage(why, Some("give another folder with `--out`".to_owned()));
    let names = match folder {
        Err(refused) if refused.is_missing() => return Ok(()),
        folder => folder.and_then(|folder| Ok(folder.names(usize::MAX)?)),
    };
    let names = names.map_err(|_| taken(format!("`{name}` is there already, and is not a folder of pages")))?;
    match names.iter().find(|known| !is_own(known)) {
        Some(other) => Err(taken(format!("`{name}` is there already, and `{other}` in it is not of a page"))),
        None => Ok(()),
    }
}

/// Escapes JSON for an HTML element, so that no string in the JSON can end the element.
fn json_in_html(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Returns the content of a static text file, or an empty string if there is no such file.
fn text_of(name: &str) -> &'static str {
    match name {
        "shell.js" => SHELL[0],
        "offline.css" => SHELL[2],
        _ => STATIC_FILES.iter().find(|(known, ..)| *known == name).map_or("", |(.., text)| text),
    }
}

/// Returns the phrases that the page shows by itself, for when its engine has stopped, as JSON: by language and name.
fn shell_words() -> String {
    let words = Language::ALL.map(|language| {
        let page = &Phrases::for_language(language).page;
        (language.tag().to_owned(), serde_json::json!({ "save": page.download, "anew": page.drop_kept_game }))
    });
    json_in_html(&serde_json::Value::from_iter(words).to_string())
}

/// Returns the script that gives the page the code of its worker, as a JavaScript string.
fn worker_script() -> String {
    let code = serde_json::Value::from(SHELL[1]).to_string();
    format!("globalThis.PARLOUR_WORKER = {};\n", json_in_html(&code))
}

/// Returns the hash of a script or style in the notation of a content security policy.
fn policy_hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

impl Page {
    /// Returns the names of the files that accompany the page in its folder.
    fn names() -> impl Iterator<Item = &'static str> {
        SCRIPTS.into_iter().chain(STYLES).chain(["worker.js", "engine.js"])
    }

    /// Returns the code files that the pages of a folder share.
    fn code(engine: &[u8]) -> impl Iterator<Item = (&'static str, String)> {
        Self::names().map(move |name| {
            let text = match name {
                "worker.js" => worker_script(),
                "engine.js" => format!("globalThis.PARLOUR_ENGINE = \"{}\";\n", STANDARD.encode(engine)),
                _ => text_of(name).to_owned(),
            };
            (name, text)
        })
    }

    /// Renders the page that loads its code from separate files. `code` is the path from the page to these files.
    fn index(&self, code: &str) -> String {
        let scripts = ["worker.js"].into_iter().chain(SCRIPTS).chain(["engine.js"]);
        let scripts: Vec<String> =
            scripts.map(|name| format!("<script src=\"{code}{name}\" defer></script>\n")).collect();
        self.document(&policy("'self'", "'self'"), &style_links(code), &scripts.concat(), "")
    }

    /// Renders the page as a single file that contains its code.
    fn single_file(&self, engine: &[u8]) -> String {
        let style = STYLES.map(text_of).concat();
        let mut code: Vec<String> = vec![worker_script()];
        code.extend(SCRIPTS.map(|name| text_of(name).to_owned()));
        // Strings in a script must not end its HTML element.
        let code: Vec<String> = code.into_iter().map(|text| text.replace("</script", "<\\/script")).collect();
        let hashes: Vec<String> = code.iter().map(|text| policy_hash(text)).collect();
        let policy = policy(&hashes.join(" "), &policy_hash(&style));
        let engine = STANDARD.encode(engine);
        let mut end = format!("<script type=\"text/plain\" id=\"parlour-engine\">{engine}</script>\n");
        end.extend(code.iter().map(|text| format!("<script>{text}</script>\n")));
        self.document(&policy, &format!("<style>{style}</style>\n"), "", &end)
    }

    /// Renders the document. `head` is inserted at the end of the HTML head, and `end` after the game and its rulebooks.
    fn document(&self, policy: &str, styles: &str, head: &str, end: &str) -> String {
        let (title, version) = (escaped(&self.title), env!("CARGO_PKG_VERSION"));
        let icon = encode_for_data_url(text_of("icon.svg"));
        let htmx = "{\"allowEval\":false,\"includeIndicatorStyles\":false,\"attributesToSettle\":[\"class\"],\
                    \"selfRequestsOnly\":false,\"allowScriptTags\":false,\"historyEnabled\":false}";
        let mut text = String::new();
        let _ = write!(
            text,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"generator\" content=\"Parlour {version}\">\n\
             <meta name=\"htmx-config\" content='{htmx}'>\n<title>{title}</title>\n\
             <link rel=\"shortcut icon\" href=\"data:image/svg+xml,{icon}\">\n{styles}{head}</head>\n<body>\n\
             <p class=\"starting\">{title}</p>\n<noscript><p>This page needs JavaScript.</p></noscript>\n</body>\n\
             {BEGIN}{}{END}\n\
             <script type=\"application/json\" id=\"parlour-words\">{}</script>\n\
             <script type=\"application/json\" id=\"parlour-rules\">{}</script>\n{end}</html>\n",
            self.game,
            shell_words(),
            self.rules
        );
        text
    }
}

/// Returns the HTML elements that load the styles of a page. `code` is the path to the folder of the styles.
fn style_links(code: &str) -> String {
    STYLES.map(|name| format!("<link rel=\"stylesheet\" href=\"{code}{name}\">\n")).concat()
}

/// Renders the page that lists the games of a folder.
fn list_of_games(list: &str) -> String {
    let title = Language::ALL.map(|language| Phrases::for_language(language).web.lobby_games).join(" · ");
    let (styles, icon) = (style_links(""), encode_for_data_url(text_of("icon.svg")));
    let policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <link rel=\"shortcut icon\" href=\"data:image/svg+xml,{icon}\">\n{styles}</head>\n<body>\n\
         <header class=\"top\"><h1>{title}</h1></header>\n<main class=\"plain\">\n<ul class=\"shelf\">\n{list}</ul>\n</main>\n\
         </body>\n</html>\n"
    )
}

/// Returns a content security policy that forbids network access, and all scripts and styles except the given ones.
fn policy(scripts: &str, styles: &str) -> String {
    format!(
        "default-src 'none'; script-src {scripts} 'wasm-unsafe-eval'; style-src {styles}; img-src data:; \
         worker-src blob: data:; base-uri 'none'; form-action 'none'"
    )
}

/// Encodes text for a `data:` URL in an attribute.
fn encode_for_data_url(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
