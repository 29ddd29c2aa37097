//! `parlour serve`: serves a table, with a page for each seat, or a lobby to web browsers.

use super::arguments::{SeatedPlayers, unused_file};
use super::examples;
use super::interruption::{is_stopped, listen};
use super::memory::Memory;
use super::opening;
use super::output::{Failure, Output};
use super::saving::check_writable;
use crate::desk;
use crate::diagnostic::shown;
use crate::session::Setup;
use crate::web::{
    self, Link, LinkRecipient, Listen, ListenHost, LobbySettings, OpenLobby, OpenTable, PublicUrl, ServeError,
    TableSettings,
};
use clap::Args;
use std::path::{Path, PathBuf};

/// Serves a table in the browser, with a link for each seat; without a game, a lobby where tables can be opened
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour serve stockpile --players 3                         a link for each of three players",
    "parlour serve games/my-game --agents human,human,random     two people and an agent",
    "parlour serve games/my-game --save evening.play             where the game is kept; it goes on from there",
    "parlour serve stockpile --host 192.168.1.7                  for others in the same network",
    "parlour serve --public-url https://play.example.org         behind a proxy that encrypts",
    "parlour serve                                               a lobby: the games below this folder, and those that come along",
    "parlour serve my-games --save evenings                      a lobby of the games in a folder; its tables are kept in another",
))]
#[command(mut_arg("agents", |agents| {
    agents.help("Players by seat: `human` for a person, or an agent as for `parlour run` [default: as in the saved game; or people \
                 in all seats]")
}))]
pub(super) struct Serve {
    /// A game's folder, or the name of a game that comes with the program; for a lobby, a folder of games or nothing
    game: Option<String>,
    #[command(flatten)]
    company: SeatedPlayers,
    /// File that the game is saved to after every choice: a new file, or a saved game to continue [default: a new file with the
    /// game's name and the given seed]. For a lobby, the folder of its saved tables [default: `tables`]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Address or host name to listen on [default: this machine only]
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: ListenHost,
    /// Public address of the server, if it runs behind a proxy. Links begin with it; with https, cookies are only sent over
    /// encrypted connections
    #[arg(long, value_name = "URL")]
    public_url: Option<PublicUrl>,
    /// Port to listen on; 0 for any free port
    #[arg(long, value_name = "N", default_value_t = 8128)]
    port: u16,
    #[command(flatten)]
    memory: Memory,
}

impl Serve {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        match &self.game {
            None => self.lobby(Path::new("."), output),
            Some(folder) if web::is_shelf(Path::new(folder)) => self.lobby(Path::new(folder), output),
            Some(game) => self.table(game, output),
        }
    }

    fn table(&self, name: &str, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open(name, output)?;
        let is_kept = self.save.as_ref().is_some_and(|file| file.is_file());
        let mut setup = if is_kept { self.check_no_setup()? } else { self.company.setup(&game)? };
        if !is_kept && self.company.seed.is_none() {
            // Seeds are usually drawn from a million numbers, and players could try all of these. So a larger seed is drawn here.
            setup.seed = web::fresh_seed()?;
        }
        let file = self.save.clone().unwrap_or_else(|| unused_file(&game, self.company.seed));
        check_writable(&file)?;
        let chosen = setup.clone();
        let opening = TableSettings {
            game: Some(game),
            setup,
            agents: self.company.agents.clone(),
            file,
            folder: folder_of(name),
        };
        listen();
        let mut printed = Ok(());
        let mut announce = |opened: &OpenTable, links: &[Link]| {
            printed = self.print_links(opened, links, output);
            printed.is_ok()
        };
        let served = web::serve(opening, &self.listen(), &is_stopped, &mut announce);
        printed?;
        served.map_err(|why| serve_error(why, &chosen, output))
    }

    fn listen(&self) -> Listen {
        Listen { host: self.host.clone(), port: self.port, public: self.public_url.clone() }
    }

    fn lobby(&self, games: &Path, output: &mut Output) -> Result<(), Failure> {
        if self.company.chooses_setup() || !self.company.agents.is_empty() {
            let help = "give a game, or remove players, seed, names, options and agents".to_owned();
            return Err(Failure::Usage("tables of a lobby are set up in the browser".to_owned(), Some(help)));
        }
        let tables = self.save.clone().unwrap_or_else(|| PathBuf::from("tables"));
        if tables.is_file() {
            let help = "name a folder with `--save`".to_owned();
            return Err(Failure::Usage(
                format!("`{}` is a file, but a lobby needs a folder", shown(&tables)),
                Some(help),
            ));
        }
        listen();
        let mut printed = Ok(());
        let mut announce = |opened: &OpenLobby| {
            printed = self.print_lobby(opened, &tables, output);
            printed.is_ok()
        };
        let rooms = LobbySettings { games: games.to_path_buf(), tables: tables.clone(), most: self.memory.games() };
        let served = web::serve_lobby(rooms, &self.listen(), &is_stopped, &mut announce);
        printed?;
        served.map_err(|why| serve_error(why, &Setup::seats(0), output))
    }

    fn print_lobby(&self, opened: &OpenLobby, tables: &Path, output: &mut Output) -> Result<(), Failure> {
        if let Some(remark) = &opened.remark {
            output.remark(remark)?;
        }
        output.line("A lobby: open its link, and set up a table")?;
        output.line(format!("  the host     {}", opened.link))?;
        if let Some(front) = &opened.front {
            output.line(format!("  to look on   {front}"))?;
        }
        self.remark_of_address(output)?;
        let tables_open = match opened.tables.len() {
            0 => String::new(),
            _ => format!("open again: {}; ", opened.tables.join(", ")),
        };
        output.line(format!("{tables_open}tables are kept in {}; Ctrl-C ends it", shown(tables)))?;
        output.flush()
    }

    fn remark_of_address(&self, output: &mut Output) -> Result<(), Failure> {
        if self.host.is_unspecified() && self.public_url.is_none() {
            output.remark("others use the address of this machine in place of the one in the links")?;
        }
        Ok(())
    }

    /// Checks that no arguments for the setup are given, since a saved game determines its setup. Returns a placeholder without seats.
    fn check_no_setup(&self) -> Result<Setup, Failure> {
        if self.company.chooses_setup() {
            let file = self.save.as_deref().map(shown).unwrap_or_default();
            let help = "remove players, seed, names and options, or give a new file with `--save`".to_owned();
            return Err(Failure::Usage(format!("`{file}` already contains the setup of its game"), Some(help)));
        }
        Ok(self.company.changes.setup(0))
    }

    fn print_links(&self, opened: &OpenTable, links: &[Link], output: &mut Output) -> Result<(), Failure> {
        if let Some(remark) = &opened.remark {
            output.remark(remark)?;
        }
        output.line(&opened.title)?;
        let name = |link: &Link| match &link.who {
            LinkRecipient::Player(name) => name.clone(),
            LinkRecipient::Onlooker => "to watch".to_owned(),
            LinkRecipient::Host => "the host".to_owned(),
        };
        let width = links.iter().map(|link| unicode_width::UnicodeWidthStr::width(&*name(link))).max().unwrap_or(0);
        for link in links {
            let name = name(link);
            let space = " ".repeat(width - unicode_width::UnicodeWidthStr::width(&*name));
            output.line(format!("  {name}{space}  {}", link.address))?;
        }
        self.remark_of_address(output)?;
        output.line(format!("kept in {}; Ctrl-C ends it", shown(&opened.file)))?;
        output.flush()
    }
}

/// Returns the folder of a game, or `None` if the game comes with the program.
fn folder_of(game: &str) -> Option<PathBuf> {
    let path = Path::new(game);
    let folder = desk::opening::folder_of(path).unwrap_or(path);
    folder.is_dir().then(|| folder.to_path_buf())
}

fn serve_error(why: ServeError, chosen: &Setup, output: &mut Output) -> Failure {
    match why {
        ServeError::Seated(why) => why.into(),
        ServeError::Opened(desk::refusal::OpenError::Mistakes(mistakes)) => {
            output.report_mistakes_with(chosen, &mistakes)
        }
        ServeError::Opened(why) => output.report_unopened(why),
    }
}
