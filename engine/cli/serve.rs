//! `parlour serve`: a table in the browser, with a page for every seat.

use super::arguments::{Company, unused};
use super::examples;
use super::interruption::{is_stopped, listen};
use super::opening;
use super::output::{Failure, Output};
use super::saving::check_writable;
use crate::desk;
use crate::diagnostic::shown;
use crate::session::Setup;
use crate::web::{self, Link, Opened, Opening, Unserved, Who};
use clap::Args;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

/// Opens a table in the browser: a link for each seat
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour serve stockpile --players 3                         a link for each of three players",
    "parlour serve games/my-game --agents human,human,random     two people and an agent",
    "parlour serve games/my-game --save evening.play             where the game is kept; it goes on from there",
    "parlour serve stockpile --host 192.168.1.7                  for others in the same network",
))]
#[command(mut_arg("agents", |agents| {
    agents.help("Who sits where: `human` for a person, or an agent as for `parlour run` [default: as when the game was kept; or people \
                 in all seats]")
}))]
pub(super) struct Serve {
    /// A folder, or the name of a game that comes with the program
    game: String,
    #[command(flatten)]
    company: Company,
    /// Where the game is kept as a playscript, choice by choice: a new file, or one to go on from [default: a new file with the
    /// game's name and seed]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The address to listen at: this machine alone, unless another is given
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// The port to listen at; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 8128)]
    port: u16,
}

impl Serve {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open(&self.game, output)?;
        let is_kept = self.save.as_ref().is_some_and(|file| file.is_file());
        let setup = if is_kept { self.nothing_chosen()? } else { self.company.setup(&game)? };
        let file = self.save.clone().unwrap_or_else(|| unused(&game, &setup));
        check_writable(&file)?;
        let chosen = setup.clone();
        let opening =
            Opening { game: Some(game), setup, agents: self.company.agents.clone(), file, folder: self.folder() };
        listen();
        let mut told = Ok(());
        let mut tell = |opened: &Opened, links: &[Link]| {
            told = self.tell(opened, links, output);
            told.is_ok()
        };
        let served = web::serve(opening, self.host, self.port, &is_stopped, &mut tell);
        told?;
        served.map_err(|why| match why {
            Unserved::Seated(why) => why.into(),
            Unserved::Opened(desk::refusal::Unopened::Mistakes(mistakes)) => output.mistakes_with(&chosen, &mistakes),
            Unserved::Opened(why) => output.unopened(why),
        })
    }

    /// The folder of the game, unless it comes with the program.
    fn folder(&self) -> Option<PathBuf> {
        let path = Path::new(&self.game);
        let folder = desk::opening::folder_of(path).unwrap_or(path);
        folder.is_dir().then(|| folder.to_path_buf())
    }

    /// A kept game says itself how it was set up.
    fn nothing_chosen(&self) -> Result<Setup, Failure> {
        if self.company.chooses_setup() {
            let file = self.save.as_deref().map(shown).unwrap_or_default();
            let help = "leave out players, seed, names and options, or name a new file with `--save`".to_owned();
            return Err(Failure::Usage(format!("`{file}` says how its game was set up"), Some(help)));
        }
        Ok(self.company.changes.setup(0))
    }

    fn tell(&self, opened: &Opened, links: &[Link], output: &mut Output) -> Result<(), Failure> {
        output.line(&opened.title)?;
        let name = |link: &Link| match &link.who {
            Who::Player(name) => name.clone(),
            Who::Onlooker => "to watch".to_owned(),
            Who::Host => "the host".to_owned(),
        };
        let width = links.iter().map(|link| unicode_width::UnicodeWidthStr::width(&*name(link))).max().unwrap_or(0);
        for link in links {
            let name = name(link);
            let space = " ".repeat(width - unicode_width::UnicodeWidthStr::width(&*name));
            output.line(format!("  {name}{space}  {}", link.address))?;
        }
        if self.host.is_unspecified() {
            output.remark("others use the address of this machine in place of the one in the links")?;
        }
        output.line(format!("kept in {}; Ctrl-C ends it", shown(&opened.file)))?;
        output.flush()
    }
}
