//! Pages that run a game without a server. A workspace turns each request into a response. The pages are the same as those of a served
//! table.
//!
//! Several people may share the page. A cover separates their turns, so that nobody sees another player's hand.

use super::form_fields::{FormFields, table_request};
use super::links::Viewer;
use super::page_batch::{self, PageBatch};
use super::pages::{Pages, asked_language, base, section};
use super::piece::Drawing;
use super::set_up::{self, Field, sent};
use super::table::{Answer, LocalTable, TableRequest};
use super::{ServeError, TableSettings, clock, entropy};
use crate::desk::refusal::OpenError;
use crate::diagnostic::Role;
use crate::faces::{Addresses, CardPicture, Faces, colors};
use crate::files;
use crate::loader::{FileContent, Files};
use crate::model::{ComponentId, Language};
use crate::phrases::{Phrases, filled};
use crate::session::{Game, Setup};
use crate::wording::Wording;
use minijinja::context;
use minijinja::value::Value;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Request of the page.
#[derive(Debug, Default)]
pub struct PageRequest {
    /// Whether the request sends a form.
    pub is_post: bool,
    /// Whether the request asks for a part of a page, which replaces that part of the shown page.
    pub is_part: bool,
    /// Path from the root, such as `/table/log`.
    pub path: String,
    /// Names and values in the query string.
    pub query: Vec<(String, String)>,
    /// Names and values of the fields of the form.
    pub form: Vec<(String, String)>,
}

/// Response to a request.
#[derive(Debug)]
pub struct PageResponse {
    /// HTTP status code.
    pub status: u16,
    /// Media type.
    pub media: &'static str,
    /// Content. A picture is a `data:` URL.
    pub body: String,
    /// Path of the returned page, if it differs from the requested one.
    pub path: Option<&'static str>,
}

impl PageResponse {
    fn html(body: String) -> Self {
        Self { status: 200, media: "text/html", body, path: None }
    }

    fn at(self, path: &'static str) -> Self {
        Self { path: Some(path), ..self }
    }
}

/// Workspace of a game in a page, with at most one table and one batch.
pub struct Workspace {
    game: Game,
    name: String,
    pages: Arc<Pages>,
    table: Option<LocalTable>,
    /// Place of the person whose page is shown; `None` until a person takes the screen.
    shown: Option<u8>,
    batch: Option<PageBatch>,
    /// Name of the page's own file.
    file: String,
    /// Whether the browser keeps the game when the page is closed.
    is_kept: bool,
}

impl Workspace {
    /// Opens a game from `contents`: the path of each file below the game's folder, and the content of the file. `entropy` must contain at
    /// least 16 random bytes. `file` is the name of the page's own file.
    ///
    /// # Errors
    /// Returns the mistakes in the files as text.
    pub fn open(name: &str, file: &str, contents: Vec<(String, Vec<u8>)>, entropy: &[u8]) -> Result<Self, String> {
        entropy::seed(entropy);
        let mut pictures = Vec::new();
        let mut texts = Vec::new();
        for (path, bytes) in contents {
            match String::from_utf8(bytes) {
                Ok(text) => texts.push((path, FileContent::Text(text))),
                Err(error) => match path.split_once('/') {
                    Some((folder, name)) if folder == Role::Face.folder() => {
                        pictures.push((name.to_owned(), error.into_bytes()));
                    }
                    _ => texts.push((path, FileContent::Bytes(error.into_bytes()))),
                },
            }
        }
        let opened = Files::from_texts(name, texts)
            .and_then(|files| crate::open::open_with_pictures(files, name.to_owned(), pictures));
        let game = opened.map_err(|found| found.in_plain_text())?;
        let pages = Arc::new(Pages::new());
        let file = file.to_owned();
        Ok(Self { game, name: name.to_owned(), pages, table: None, shown: None, batch: None, file, is_kept: true })
    }

    /// Sets whether the browser keeps the game when the page is closed.
    pub const fn set_kept(&mut self, is_kept: bool) {
        self.is_kept = is_kept;
    }

    /// Sets the time, in milliseconds since 1970.
    pub fn set_time(milliseconds: u64) {
        clock::set(milliseconds);
    }

    /// Continues the game that an earlier page has stored, if `stored` contains one. If the game cannot be continued, the stored files are
    /// dropped.
    ///
    /// # Errors
    /// Returns the reason why the game cannot be continued.
    pub fn restore(&mut self, stored: Vec<(String, Vec<u8>)>) -> Result<(), String> {
        files::put_all(stored);
        let file = self.recording_path();
        if !files::exists(&file) {
            return Ok(());
        }
        let seats = *self.game.players().start();
        let opened = self.open_table(Setup::seats(seats), Vec::new());
        if opened.is_err() {
            files::put_all([]);
        }
        opened
    }

    /// Returns the files to store, so that a game in progress survives when the page is closed.
    pub fn stored(&self) -> Vec<(String, Vec<u8>)> {
        files::all()
    }

    /// Returns whether there is something to do between requests: an agent is asked, or a batch is running.
    pub fn is_busy(&self) -> bool {
        self.table.as_ref().is_some_and(LocalTable::is_agent_asked)
            || self.batch.as_ref().is_some_and(PageBatch::is_running)
    }

    /// Lets the agent that is asked choose, and plays up to `games` games of a running batch. Returns whether a page may have changed.
    pub fn step(&mut self, games: u64) -> bool {
        let mut has_changed = self.table.as_mut().is_some_and(LocalTable::step);
        if let Some(batch) = self.batch.as_mut().filter(|batch| batch.is_running()) {
            batch.play(games);
            has_changed = true;
        }
        has_changed
    }

    /// Plays the games of a batch whose indices are in `games`. Returns the fingerprint of the table at the end of each game.
    ///
    /// # Errors
    /// Returns the reason why the games cannot be played.
    pub fn fingerprints(&self, seats: u8, agent: &str, seed: u64, games: Range<u64>) -> Result<Vec<u64>, String> {
        page_batch::fingerprints(&self.game, seats, agent, seed, games)
    }

    /// Returns the response to a request.
    pub fn handle(&mut self, request: &PageRequest) -> PageResponse {
        let asked = |name: &str| sent(&request.query, name);
        let language = asked_language(asked("lang"));
        let path = request.path.as_str();
        if let Some(path) = path.strip_prefix("/table/") {
            return self.at_table(path, request, language);
        }
        match (request.is_post, path) {
            (true, "/lobby/do/open") => match self.begin(&request.form, language) {
                Ok(()) => self.table_page(language).at("/table/"),
                Err(why) => self.set_up_page(&set_up::setup(&request.form), Some(&why), language).at("/lobby/game"),
            },
            (true, "/simulate/do/begin") => {
                let seed = super::links::seed().map_err(|why| why.message);
                // Seeds of batches are short, since people type them.
                let begun = seed.and_then(|seed| PageBatch::begin(&self.game, &request.form, seed >> 32));
                let failed = match begun {
                    Ok(batch) => {
                        self.batch = Some(batch);
                        None
                    }
                    Err(why) => Some(why),
                };
                self.simulate_page(failed.as_deref(), language).at("/simulate/")
            }
            (true, "/simulate/do/stop") => {
                self.batch.iter_mut().for_each(PageBatch::stop);
                self.simulate_page(None, language).at("/simulate/")
            }
            (false, "/simulate/") => self.simulate_page(None, language),
            (false, "/simulate/state") => {
                PageResponse::html(page_batch::part(&self.pages, &self.game, self.batch.as_ref(), None, language))
            }
            (false, "/simulate/report") => match self.batch.as_ref().map(PageBatch::report) {
                Some(Ok(report)) => PageResponse::html(report),
                Some(Err(why)) => self.refused(409, &why, language),
                None => self.no_page(language),
            },
            (false, "/cards/") => self.cards_page(language),
            (false, "/cards/faces.css") => self.style(self.faces(language).as_ref(), language),
            (false, "/about/") => self.about_page(language),
            (false, "/recording") => self.recording(language),
            (false, "/") if self.table.is_some() => self.table_page(language).at("/table/"),
            (false, "/" | "/lobby/" | "/lobby/game") => {
                let seats = asked("players").and_then(|seats| seats.parse().ok()).unwrap_or(0);
                self.set_up_page(&Setup::seats(seats), None, language).at("/lobby/game")
            }
            _ => match path.strip_prefix("/cards/picture/") {
                Some(name) if !request.is_post => {
                    let faces = self.faces(language);
                    self.picture_of(faces.and_then(|faces| faces.picture(name).cloned()), language)
                }
                _ => self.no_page(language),
            },
        }
    }

    fn recording_path(&self) -> PathBuf {
        let id = files::sanitize_file_name(self.game.id());
        PathBuf::from(format!("{id}.play"))
    }

    fn begin(&mut self, given: &[Field], language: Language) -> Result<(), String> {
        let chosen = set_up::parse_new_table(&self.game, given, language)?;
        files::put_all([]);
        self.open_table(chosen.setup, chosen.agents)
    }

    fn open_table(&mut self, setup: Setup, agents: Vec<String>) -> Result<(), String> {
        let (game, file) = (Some(self.game.clone()), self.recording_path());
        let settings = TableSettings { game, setup, agents, file, folder: None };
        let opened = LocalTable::open(settings, self.pages.clone()).map_err(|why| match why {
            ServeError::Opened(OpenError::Mistakes(mistakes)) => mistakes.in_plain_text(),
            ServeError::Opened(OpenError::Refused(why)) => why.message,
            ServeError::Seated(why) => why.message(),
        });
        let table = opened?;
        // An opened table begins with a cover, unless only one person plays.
        self.shown = Some(table.people()).filter(|people| people.len() == 1).map(|people| people[0]);
        self.table = Some(table);
        Ok(())
    }

    /// Returns the place of the person to whom the screen must be passed; `None` if the person who has the screen keeps it.
    fn next_person(&self) -> Option<u8> {
        let table = self.table.as_ref()?;
        let asked = table.asked();
        if self.shown.is_some_and(|shown| asked.contains(&shown)) {
            return None;
        }
        // If several people are asked, the screen goes to the next one in the order of places.
        let after = self.shown.map_or(0, |shown| u16::from(shown) + 1);
        let next = asked.iter().find(|seat| u16::from(**seat) >= after).or(asked.first());
        next.copied().or_else(|| {
            let is_first_look = self.shown.is_none();
            table.people().first().copied().filter(|_| is_first_look && !table.is_over())
        })
    }

    fn viewer(&self) -> Viewer {
        self.shown.map_or(Viewer::Onlooker, Viewer::Seat)
    }

    fn at_table(&mut self, path: &str, request: &PageRequest, language: Language) -> PageResponse {
        let asked = |name: &str| sent(&request.query, name);
        let text = || asked("text").unwrap_or_default().to_owned();
        if self.table.is_none() {
            return self.set_up_page(&Setup::seats(0), None, language).at("/lobby/game");
        }
        match (request.is_post, path) {
            (true, "do/sit") => {
                let seat = sent(&request.form, "seat").and_then(|seat| seat.parse().ok());
                if seat.is_some() && seat == self.next_person() {
                    self.shown = seat;
                }
                self.table_page(language).at("/table/")
            }
            (true, _) => {
                let form = FormFields::from_pairs(&request.form);
                match path.strip_prefix("do/").and_then(|what| table_request(what, form)) {
                    Some(asked) => self.act(asked, request.is_part, language),
                    None => self.no_page(language),
                }
            }
            (false, "") => self.table_page(language),
            (false, "table") => PageResponse::html(self.inner(language)),
            (false, "why") => self.look(TableRequest::Why(text()), true, language),
            (false, "options") => self.look(TableRequest::Find(text()), true, language),
            (false, "log") => self.look(TableRequest::Log, request.is_part, language),
            (false, "notes") => self.look(TableRequest::Notes, request.is_part, language),
            (false, "at") => {
                let at = asked("moment").and_then(|at| at.parse().ok());
                let seat = asked("seat").and_then(|seat| seat.parse().ok());
                self.look(TableRequest::Moment { at, seat }, request.is_part, language)
            }
            (false, "faces.css") => match self.table.as_ref().and_then(|table| table.style(language)) {
                Some(body) => PageResponse { media: "text/css", ..PageResponse::html(body) },
                None => self.no_page(language),
            },
            (false, path) => {
                let picture = path.strip_prefix("picture/");
                let found = picture.and_then(|name| self.table.as_ref().and_then(|table| table.picture(name)));
                self.picture_of(found, language)
            }
        }
    }

    /// Renders the table for the person who has the screen, or the cover before the screen is passed to another person.
    fn inner(&self, language: Language) -> String {
        let Some(table) = &self.table else { return String::new() };
        if let Some(seat) = self.next_person() {
            let page = &Phrases::for_language(language).page;
            let name = [("name", &table.name(seat) as &dyn std::fmt::Display)];
            return self.pages.render(
                "cover.html",
                context! {
                    seat, pass_on => filled(page.pass_on, &name), is_me => filled(page.is_me, &name),
                    page => section("page", language), ..base(language)
                },
            );
        }
        let page = table.page(self.viewer(), language);
        let fault = table.fault().map(|why| self.pages.render("notice.html", context! { why }));
        format!("{}{page}", fault.unwrap_or_default())
    }

    fn table_page(&self, language: Language) -> PageResponse {
        let inner = self.inner(language);
        self.framed_at_table(&inner, true, language)
    }

    fn framed_at_table(&self, inner: &str, is_live: bool, language: Language) -> PageResponse {
        let Some(table) = &self.table else { return self.no_page(language) };
        let is_covered = self.next_person().is_some();
        let title = if is_covered { self.title(language) } else { table.title(self.viewer(), language) };
        let inner = Value::from_safe_string(inner.to_owned());
        let links = Self::links("", language);
        PageResponse::html(self.pages.render(
            "page.html",
            context! { inner, is_live, title, who => self.viewer().path(), links, ..base(language) },
        ))
    }

    /// Handles a request that changes nothing. Shows the cover instead if the screen must be passed to another person.
    fn look(&mut self, request: TableRequest, is_part: bool, language: Language) -> PageResponse {
        if self.next_person().is_some() {
            return self.table_page(language).at("/table/");
        }
        let viewer = self.viewer();
        let Some(table) = &mut self.table else { return self.no_page(language) };
        match table.ask(viewer, language, request) {
            Answer::Html(html) if is_part => PageResponse::html(html),
            Answer::Html(html) => self.framed_at_table(&html, false, language),
            Answer::Refused(why) => PageResponse { status: 409, ..PageResponse::html(why) },
            Answer::Done => self.no_page(language),
        }
    }

    /// Carries out the request that a form sends, on behalf of the person who has the screen. Shows the cover instead if the screen must be
    /// passed to another person.
    fn act(&mut self, request: TableRequest, is_part: bool, language: Language) -> PageResponse {
        if self.next_person().is_some() {
            return PageResponse::html(self.inner(language));
        }
        let viewer = self.viewer();
        let Some(table) = &mut self.table else { return self.no_page(language) };
        let notice = match table.ask(viewer, language, request) {
            Answer::Refused(why) => self.pages.render("notice.html", context! { why }),
            Answer::Done | Answer::Html(_) => String::new(),
        };
        let inner = format!("{notice}{}", self.inner(language));
        if is_part { PageResponse::html(inner) } else { self.framed_at_table(&inner, true, language).at("/table/") }
    }

    fn title(&self, language: Language) -> String {
        let setup = Setup::seats(*self.game.players().start());
        let name = self.game.layout(&setup).map(|layout| layout.model.name.get(language).to_owned());
        name.unwrap_or_else(|_| self.name.clone())
    }

    fn links(here: &str, language: Language) -> Vec<Value> {
        let page = &Phrases::for_language(language).page;
        let all = [
            ("/lobby/game", page.new_table),
            ("/rules/", page.rules),
            ("/cards/", page.cards),
            ("/simulate/", page.simulate),
            ("/about/", page.about),
        ];
        // The page of a table has room for a few links. The other pages show all links.
        let most = if here.is_empty() { 3 } else { all.len() };
        all.into_iter().take(most).map(|(path, name)| context! { path, name, is_here => path == here }).collect()
    }

    fn framed(&self, here: &str, inner: String, notice: Option<&str>, asked: &str, language: Language) -> PageResponse {
        // A batch runs in a separate workspace that has no table.
        let (title, has_table) = (self.title(language), self.table.is_some() || here == "/simulate/");
        let (inner, links) = (Value::from_safe_string(inner), Self::links(here, language));
        PageResponse::html(
            self.pages
                .render("offline.html", context! { title, inner, notice, asked, has_table, links, ..base(language) }),
        )
    }

    fn set_up_page(&self, wanted: &Setup, notice: Option<&str>, language: Language) -> PageResponse {
        let unsaved = Phrases::for_language(language).page.unsaved;
        let notice = notice.or((!self.is_kept).then_some(unsaved));
        let form = set_up::form(&self.pages, (self.game.id(), &self.game, ""), wanted, true, language);
        let asked = if wanted.seats > 0 { format!("players={}&", wanted.seats) } else { String::new() };
        match form {
            Ok(form) => self.framed("/lobby/game", form, notice, &asked, language),
            Err(mistakes) => self.framed("/lobby/game", String::new(), Some(&mistakes), &asked, language),
        }
    }

    fn simulate_page(&self, failed: Option<&str>, language: Language) -> PageResponse {
        let part = page_batch::part(&self.pages, &self.game, self.batch.as_ref(), failed, language);
        self.framed("/simulate/", part, None, "", language)
    }

    /// Returns the faces of all components, for the maximum number of players.
    fn faces(&self, language: Language) -> Option<Faces> {
        let setup = Setup::seats(*self.game.players().end());
        let game = self.game.clone();
        let read = move |name: &str| game.picture(name, CardPicture::LARGEST);
        let layout = self.game.layout(&setup).ok()?;
        Some(Faces::new(&layout.model, language, &Addresses::Below("picture/".to_owned()), &read))
    }

    fn style(&self, faces: Option<&Faces>, language: Language) -> PageResponse {
        let Some(faces) = faces else { return self.no_page(language) };
        PageResponse { media: "text/css", ..PageResponse::html([faces.style(), &*colors()].concat()) }
    }

    fn cards_page(&self, language: Language) -> PageResponse {
        let setup = Setup::seats(*self.game.players().end());
        let (Ok(layout), Some(faces)) = (self.game.layout(&setup), self.faces(language)) else {
            return self.no_page(language);
        };
        let model = &layout.model;
        let wording = Wording::printed(model.clone(), language);
        let drawing = Drawing { faces: &faces, wording: &wording, model, language };
        let card = |id: &ComponentId| {
            let component = model.component(*id);
            let owner = component.each_seat.then(|| model.all_seats().next()).flatten();
            let piece = drawing.piece(*id, owner, None);
            let page = &Phrases::for_language(language).page;
            let count = (component.count > 1).then(|| filled(page.in_box, &[("count", &component.count)]));
            context! {
                sort => piece.sort, name => piece.name, title => piece.title, face => piece.face,
                count => count.unwrap_or_default(),
            }
        };
        let kinds: Vec<Value> = model
            .kinds
            .iter()
            .map(|kind| {
                let pieces: Vec<Value> = kind.components.iter().map(card).collect();
                context! { name => kind.name.get(language), count => pieces.len(), pieces }
            })
            .collect();
        let inner = self.pages.render("cards.html", context! { kinds, style => faces.style_name(), ..base(language) });
        self.framed("/cards/", inner, None, "", language)
    }

    fn about_page(&self, language: Language) -> PageResponse {
        let page = &Phrases::for_language(language).page;
        let (game, file) = (self.title(language), self.file.clone());
        let paragraphs = [
            filled(page.about_what, &[("game", &game)]),
            page.about_host.to_owned(),
            filled(page.about_folder, &[("file", &file)]),
            page.about_recording.to_owned(),
            page.about_kept.to_owned(),
            page.about_secrets.to_owned(),
            page.about_limits.to_owned(),
        ];
        let recording = self.recording_path().to_string_lossy().into_owned();
        let inner = self.pages.render(
            "about.html",
            context! {
                paragraphs, recording, has_table => self.table.is_some(), version => env!("CARGO_PKG_VERSION"),
                page => section("page", language), ..base(language)
            },
        );
        self.framed("/about/", inner, None, "", language)
    }

    /// Returns the recording of the game as plain text.
    fn recording(&self, language: Language) -> PageResponse {
        match files::read_unlinked(Path::new(&self.recording_path()), u64::MAX) {
            Ok(body) => PageResponse { media: "text/plain", ..PageResponse::html(body) },
            Err(_) => self.refused(404, Phrases::for_language(language).page.no_recording, language),
        }
    }

    fn picture_of(&self, picture: Option<CardPicture>, language: Language) -> PageResponse {
        match picture {
            Some(picture) => PageResponse { media: picture.media, ..PageResponse::html(picture.data_url()) },
            None => self.no_page(language),
        }
    }

    fn no_page(&self, language: Language) -> PageResponse {
        self.refused(404, Phrases::for_language(language).web.no_such_page, language)
    }

    fn refused(&self, status: u16, why: &str, language: Language) -> PageResponse {
        PageResponse { status, ..PageResponse::html(self.pages.refused(why, language)) }
    }
}
