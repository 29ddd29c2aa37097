//! `parlour play`: plays a game in the terminal, with agents in the other seats.

use super::arguments::{LanguageArgument, SeatedPlayers, fresh_seed, seed_remark, unused_file, unused_file_beside};
use super::interruption::{is_stopped, listen_at_table};
use super::output::{Failure, Output, usage};
use super::prompt::{Input, Prompt};
use super::recording;
use super::run::closing_lines;
use super::saving::{check_writable, write_private};
use super::seating;
use super::table_text::Board;
use super::wrap::{map_width, wrap_line};
use super::{examples, opening};
use crate::desk::options::Options;
use crate::desk::parts::Narrowing;
use crate::desk::picking::Picking;
use crate::desk::result_formatter::ResultFormatter;
use crate::desk::saved_game::Recording;
use crate::desk::seating::{SeatAgent, Seating};
use crate::desk::{card_text, undo_remarks, why};
use crate::diagnostic::shown;
use crate::model::{Language, Seat};
use crate::phrases::{Phrases, filled};
use crate::session::{Act, Consent, DisclosedFaces, Game, GameOver, Redeal, Session, Setup, Status, quoted};
use crate::wording::Wording;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays a game in the terminal, against agents or with others at the same screen
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour play stockpile --players 4                         you against three agents",
    "parlour play stockpile --agents human,human,search:200     two people and one agent",
    "parlour play games/my-game --names You,Them --lang zh-Hant",
    "parlour play games/my-game --save evening.play             where the game is kept when you leave",
    "parlour play games/my-game --from evening.play             go on where you left",
))]
#[command(mut_arg("agents", |agents| {
    agents.help("Players by seat: `human` for a person, or an agent as for `parlour run` [default: as in the saved game; or you \
                 first, and the game's own agent or `search:200` in the other seats]")
}))]
pub(super) struct Play {
    /// A folder, or the name of a game that comes with the program
    #[arg(required_unless_present = "from")]
    game: Option<String>,
    #[command(flatten)]
    company: SeatedPlayers,
    /// Continue from the end of a playscript, such as a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "names", "options", "sets"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    spoken: LanguageArgument,
    /// File to save the game to when you leave: a new file, or the one it was loaded from [default: the one it was loaded from,
    /// or a new file with the game's name and seed]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// Game in progress at the terminal.
struct SeatedTable<'a> {
    play: &'a Play,
    /// Recording that the session began with.
    begun: Recording,
    /// File for saving the game.
    save: PathBuf,
    session: Session,
    seating: Seating,
    seats: Vec<SeatAgent>,
    /// Whether an agent is choosing.
    thinking: &'a AtomicBool,
    prompt: &'a Prompt,
    /// Person who looked at the screen last, if several share it.
    looking: Option<Seat>,
    /// Number of events that each seat has read.
    narrated: Vec<usize>,
    /// Answers and redeals that the file contains.
    kept: Vec<Act>,
    /// Questions that people have answered: the number of answers before the question, and the person.
    turns: Vec<(usize, Seat)>,
}

/// Result of prompting a person.
enum Turn {
    /// An option was chosen.
    Answered,
    /// The person quit, or the input ended.
    Leaves,
}

impl Play {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let mut recording = self.begin(output)?;
        let mut save = self.save_path(recording.game(), recording.session().setup())?;
        let first = save.clone();
        // All games of a campaign read the same input. Another reader would lose the line that the first one waits for.
        let prompt = Prompt::new(self.spoken.lang);
        let thinking = Arc::new(AtomicBool::new(false));
        listen_at_table(thinking.clone(), Phrases::for_language(self.spoken.lang).prompt.kept_when_answered);
        loop {
            let game = recording.game().clone();
            let Some(next) = self.play(recording, save, (&prompt, &thinking), output)? else { return Ok(()) };
            recording = recording::begin(&game, &next, output)?;
            save = if self.save.is_some() { unused_file_beside(&first) } else { unused_file(&game, Some(next.seed)) };
        }
    }

    /// Plays one game. Returns the setup of the next game of the campaign if the players continue with it.
    fn play<'a>(
        &'a self,
        begun: Recording,
        save: PathBuf,
        (prompt, thinking): (&'a Prompt, &'a AtomicBool),
        output: &mut Output,
    ) -> Result<Option<Setup>, Failure> {
        let session = begun.session();
        check_writable(&save)?;
        let seating = Seating::new(&self.company.agents, begun.agents(), begun.game(), session.setup())?;
        let mut seats = seating.players(session.agent_seed());
        begun.take_up(&[], seats.iter_mut().map(Option::as_mut))?;
        let narrated = vec![0; seats.len()];
        let (looking, turns, kept) = (None, Vec::new(), session.acts());
        let mut table = SeatedTable {
            play: self,
            begun,
            save,
            session,
            seating,
            seats,
            thinking,
            prompt,
            looking,
            narrated,
            kept,
            turns,
        };
        table.play(output)
    }

    /// Returns the file for saving. Refuses to overwrite anything but the file the game comes from.
    fn save_path(&self, game: &Game, setup: &Setup) -> Result<PathBuf, Failure> {
        let Some(place) = &self.save else {
            return Ok(self.from.clone().unwrap_or_else(|| unused_file(game, Some(setup.seed))));
        };
        let same = |from: &PathBuf| from == place || from.canonicalize().ok() == place.canonicalize().ok();
        if place.exists() && !self.from.as_ref().is_some_and(same) {
            let file = quoted(&shown(place)).into_owned();
            return Err(usage(format!(
                "{file} already exists: choose a new file, or continue from it with `--from {file}`"
            )));
        }
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            let message = format!("there is no folder `{}` to keep the game in", shown(folder));
            return Err(Failure::Usage(message, Some("create it first, or choose another with `--save`".to_owned())));
        }
        Ok(place.clone())
    }

    /// Starts a new game or continues a saved one.
    fn begin(&self, output: &mut Output) -> Result<Recording, Failure> {
        let game = self.game.as_ref().map(|game| opening::open(game, output)).transpose()?;
        if let Some(file) = &self.from {
            return recording::open(file, game.as_ref(), true, output);
        }
        let game = game.expect("without a recording, a game is named");
        let setup = self.company.setup(&game)?;
        let started = recording::begin(&game, &setup, output)?;
        if self.company.seed.is_none() {
            output.remark(seed_remark(setup.seed, self.spoken.lang))?;
        }
        Ok(started)
    }
}

impl SeatedTable<'_> {
    /// Plays the game, and saves it if the terminal is lost.
    fn play(&mut self, output: &mut Output) -> Result<Option<Setup>, Failure> {
        let result = self.play_to_end(output);
        if matches!(result, Err(Failure::Output(_))) && self.has_unsaved_answers() {
            // The terminal is lost, so a failure cannot be reported.
            let _ = self.write();
        }
        result
    }

    fn play_to_end(&mut self, output: &mut Output) -> Result<Option<Setup>, Failure> {
        output.line(ResultFormatter::new(self.session.model(), self.session.setup(), self.play.spoken.lang).title())?;
        loop {
            let Some(observation) = self.session.observation() else { return self.close(output) };
            if is_stopped() {
                return self.leave(output).map(|()| None);
            }
            let seat = observation.seat();
            let chosen = match &mut self.seats[seat.index()] {
                Some(player) => {
                    self.thinking.store(true, Ordering::SeqCst);
                    let chosen = player.choose(&observation);
                    self.thinking.store(false, Ordering::SeqCst);
                    chosen
                }
                None => match self.ask_person(seat, output)? {
                    Turn::Answered => continue,
                    Turn::Leaves => return self.leave(output).map(|()| None),
                },
            };
            let chosen = chosen.and_then(|at| self.session.choose(at).map_err(|error| error.to_string().into()));
            if let Err(why) = chosen {
                let mut found = why.diagnostic();
                if found.marks.is_empty() {
                    found.message = format!("{}: {}", self.name(seat), found.message);
                }
                let kept = self.save_and_report(output);
                output.diagnostic(&found)?;
                return Err(kept.err().unwrap_or(Failure::Fault));
            }
        }
    }

    fn name(&self, seat: Seat) -> &str {
        self.session.setup().name(seat)
    }

    fn people(&self) -> usize {
        self.seats.iter().filter(|sitting| sitting.is_none()).count()
    }

    fn wording(&self, seat: Seat) -> Wording {
        Wording::new(self.session.model().clone(), self.session.setup().clone(), self.play.spoken.lang)
            .with_map_width(map_width())
            .for_seat(seat)
    }

    /// Prompts a person until the decision is answered.
    fn ask_person(&mut self, seat: Seat, output: &mut Output) -> Result<Turn, Failure> {
        if self.people() > 1 && self.looking != Some(seat) {
            let name = self.name(seat).to_owned();
            if !self.prompt.hand_over(&name, output)? {
                return Ok(Turn::Leaves);
            }
        }
        if self.looking != Some(seat) || self.has_news(seat) {
            self.narrate(seat, output)?;
            self.show(seat, output)?;
        }
        self.looking = Some(seat);
        let phrases = Phrases::for_language(self.play.spoken.lang);
        let mut picking = self.picking();
        let mut narrowing = self.narrowing();
        loop {
            let Some(observation) = self.session.observation() else { return Ok(Turn::Answered) };
            let options = match &picking {
                Some(picking) => picking.options(phrases.log.done),
                None => Options::from_observation(&observation, self.play.spoken.lang),
            };
            self.prompt.ask(&observation, picking.as_ref(), narrowing.as_ref(), &options, output)?;
            match self.prompt.answer(&observation, &mut narrowing, &options, output)? {
                Input::Option(at) => {
                    if picking.as_mut().is_some_and(|picking| !picking.pick(at)) {
                        continue;
                    }
                    if self.answer(seat, picking.as_ref(), at)? {
                        return Ok(Turn::Answered);
                    }
                    output.line(format!("  {}", phrases.prompt.not_together))?;
                    picking = self.picking();
                }
                Input::Table => self.show(seat, output)?,
                Input::Log => {
                    self.narrated[seat.index()] = 0;
                    self.narrate(seat, output)?;
                }
                Input::Why(text) => {
                    let missing = picking.as_ref().map_or_else(|| observation.decision().missing(), Picking::missing);
                    for line in why::explain(&observation, &options, missing, &text, self.play.spoken.lang) {
                        output.line(line)?;
                    }
                }
                Input::Look(text) => {
                    for line in card_text::describe_components(
                        self.session.model(),
                        &self.wording(seat),
                        &text,
                        self.play.spoken.lang,
                    ) {
                        output.line(line)?;
                    }
                }
                Input::Undo if picking.as_mut().is_some_and(Picking::take_back) => {}
                Input::Undo if narrowing.as_mut().is_some_and(Narrowing::back) => {}
                Input::Undo => {
                    if !self.undo(seat, output)? {
                        continue;
                    }
                    (picking, narrowing) = (self.picking(), self.narrowing());
                    self.show(seat, output)?;
                }
                Input::Save => match self.save_and_report(output) {
                    Err(Failure::Usage(message, _)) => output.remark(format!("error: {message}"))?,
                    kept => kept?,
                },
                // If saving fails, the player may choose another file instead of losing the game.
                Input::Quit => match self.save_changes(output) {
                    Err(Failure::Usage(message, _)) => output.remark(format!("error: {message}"))?,
                    kept => return kept.map(|()| Turn::Leaves),
                },
                Input::Gone => return Ok(Turn::Leaves),
            }
        }
    }

    /// Returns the state of picking several things in any order, or `None` if the decision is of another kind.
    fn picking(&self) -> Option<Picking> {
        Picking::start(&self.session.observation()?, self.play.spoken.lang)
    }

    /// Returns the state of choosing an option part by part, or `None` if the decision is not presented this way.
    fn narrowing(&self) -> Option<Narrowing> {
        Narrowing::start(&self.session.observation()?, self.play.spoken.lang)
    }

    /// Applies the picks of `picking` or, if it is `None`, the option at index `at`. Returns whether the picks form a valid answer.
    fn answer(&mut self, seat: Seat, picking: Option<&Picking>, at: usize) -> Result<bool, Failure> {
        let answers = self.session.answers().len();
        match picking {
            Some(picking) => {
                let mut after = self.session.fork();
                if !picking.play(&mut after, Session::choose) {
                    return Ok(false);
                }
                self.session = after;
            }
            None => self.session.choose(at).map_err(|error| usage(error.to_string()))?,
        }
        self.turns.push((answers, seat));
        Ok(true)
    }

    /// Undoes a person's last answer and everything after it. Returns `false` if the person has not answered since the program started, or
    /// if another person at this terminal does not agree.
    fn undo(&mut self, seat: Seat, output: &mut Output) -> Result<bool, Failure> {
        let Some(at) = self.turns.iter().rposition(|(_, person)| *person == seat) else {
            let prompt = &Phrases::for_language(self.play.spoken.lang).prompt;
            output.line(match self.begun.answers() {
                0 => prompt.nothing_to_undo,
                _ => prompt.nothing_to_undo_since,
            })?;
            return Ok(false);
        };
        let (answers, _) = self.turns[at];
        let disclosed = self.session.disclosed_since(answers).map_err(|error| usage(error.to_string()))?;
        let is_alone = self.turns[at..].iter().all(|(_, person)| *person == seat) && !self.has_agent_answered(answers);
        let is_free = !disclosed.is_any && is_alone && self.session.pending_answers() == 0;
        if !is_free && !self.ask_others_to_agree(seat, &disclosed, output)? {
            return Ok(false);
        }
        self.turns.truncate(at);
        self.session.undo_to(answers).map_err(|error| usage(error.to_string()))?;
        let events = self.session.events().len();
        self.narrated.iter_mut().for_each(|count| *count = (*count).min(events));
        if !is_free {
            let consent = if self.people() > 1 { Consent::Agreed } else { Consent::Alone };
            self.session.redeal(&Redeal { seed: fresh_seed(), by: Some(seat), consent });
            self.narrate(seat, output)?;
        }
        // Agents remember the undone answers, so they are replaced by new ones.
        self.seats = self.seating.players(self.session.agent_seed());
        let kept = self.begun.acts_since(&self.session);
        self.begun.take_up(&kept, self.seats.iter_mut().map(Option::as_mut))?;
        Ok(true)
    }

    /// Returns whether an agent gave any answer after the first `answers` answers.
    fn has_agent_answered(&self, answers: usize) -> bool {
        let Ok(mut session) = self.session.fork_to_answers(answers) else { return true };
        for answer in self.session.answers().since(answers) {
            if session.decision().is_none_or(|open| self.seats[open.seat.index()].is_some()) {
                return true;
            }
            if session.choose(*answer as usize).is_err() {
                return true;
            }
        }
        false
    }

    /// Asks all other people at this terminal whether they agree to an undo. Returns whether all of them agree.
    fn ask_others_to_agree(
        &mut self,
        by: Seat,
        disclosed: &DisclosedFaces,
        output: &mut Output,
    ) -> Result<bool, Failure> {
        let language = self.play.spoken.lang;
        let prompt = &Phrases::for_language(language).prompt;
        let others: Vec<Seat> = self.session.model().all_seats().filter(|seat| *seat != by).collect();
        for other in others.into_iter().filter(|seat| self.seats[seat.index()].is_none()) {
            let (name, player) = (self.name(other).to_owned(), self.name(by).to_owned());
            output.line(format!("\n{}", filled(prompt.undo_asked, &[("name", &name), ("player", &player)])))?;
            for line in undo_remarks::remarks(self.session.model(), &self.wording(other), disclosed, language) {
                output.line(format!("  {line}"))?;
            }
            output.line(format!("  {}", prompt.undo_agree))?;
            if !self.prompt.read_agreement(output)? {
                output.line(format!("  {}", filled(prompt.undo_refused, &[("name", &name)])))?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_news(&self, seat: Seat) -> bool {
        self.narrated[seat.index()] < self.session.events().len()
    }

    /// Prints the events that a seat has not read yet.
    fn narrate(&mut self, seat: Seat, output: &mut Output) -> Result<(), Failure> {
        let from = self.narrated[seat.index()];
        let lines = self.wording(seat).narrate(self.session.events().since(from));
        for line in lines.iter().flat_map(|line| wrap_line(line)) {
            output.line(line)?;
        }
        self.narrated[seat.index()] = self.session.events().len();
        Ok(())
    }

    /// Prints the table as a seat remembers it.
    fn show(&self, seat: Seat, output: &mut Output) -> Result<(), Failure> {
        let view = self.session.with_derived(self.session.memory(Some(seat)));
        let pictures = self.session.table().pictures();
        for line in Board::new(view, pictures, &self.wording(seat), self.play.spoken.lang).lines() {
            output.line(line)?;
        }
        Ok(())
    }

    /// Closes a game that is over or has failed. Returns the setup of the campaign's next game, if the players continue with it.
    fn close(&mut self, output: &mut Output) -> Result<Option<Setup>, Failure> {
        let reader = self.looking.or_else(|| self.seats.iter().position(Option::is_none).map(|at| Seat(at as u8)));
        self.narrate(reader.unwrap_or(Seat(0)), output)?;
        match self.session.status() {
            Status::Over(outcome) => {
                let over = GameOver::new(&self.session, outcome);
                for (seat, player) in self.seats.iter_mut().enumerate() {
                    if let Some(player) = player {
                        player.over(&over, Seat(seat as u8));
                    }
                }
                output.line("")?;
                let account = ResultFormatter::new(self.session.model(), self.session.setup(), self.play.spoken.lang);
                for line in closing_lines(&account.format_result(outcome)) {
                    output.line(line)?;
                }
                self.ask_next_game(output)
            }
            Status::Failed(diagnostic) => {
                let diagnostic = diagnostic.clone();
                let kept = self.save_and_report(output);
                output.diagnostic(&diagnostic)?;
                Err(kept.err().unwrap_or(Failure::Fault))
            }
            Status::Waiting(_) | Status::Resting => Ok(None),
        }
    }

    /// Asks whether to play the next game of the campaign, if there is one. Saves the finished game first, because the campaign can be
    /// continued from it later.
    fn ask_next_game(&mut self, output: &mut Output) -> Result<Option<Setup>, Failure> {
        let next = match self.session.next_game() {
            Ok(next) => next,
            Err(found) => {
                output.diagnostic(&found)?;
                return Err(Failure::Fault);
            }
        };
        let is_new = self.is_changed() || !self.save.exists();
        if self.play.save.is_some() || next.is_some() && is_new {
            self.save_and_report(output)?;
        }
        let Some(next) = next else { return Ok(None) };
        let title = ResultFormatter::new(self.session.model(), &next, self.play.spoken.lang).title();
        let goes_on = self.prompt.ask_next_game(&title, output)?;
        if is_stopped() { Err(Failure::Interrupted) } else { Ok(goes_on.then_some(next)) }
    }

    /// Saves the game if it has unsaved changes, or if the user has named a file that does not exist yet.
    fn save_changes(&mut self, output: &mut Output) -> Result<(), Failure> {
        let is_wanted = self.play.save.is_some() && !self.save.exists();
        if self.is_changed() || is_wanted { self.save_and_report(output) } else { Ok(()) }
    }

    /// Saves unsaved changes before the program ends. Returns [`Failure::Interrupted`] if the user interrupted the program.
    fn leave(&mut self, output: &mut Output) -> Result<(), Failure> {
        self.save_changes(output)?;
        if is_stopped() { Err(Failure::Interrupted) } else { Ok(()) }
    }

    /// Returns whether there are unsaved changes that the user probably wants to keep, because the game is unfinished or because `--save`
    /// was given.
    fn has_unsaved_answers(&self) -> bool {
        let is_wanted = self.play.save.is_some() || self.session.outcome().is_none();
        is_wanted && self.is_changed()
    }

    /// Returns whether the answers and redeals of the game differ from those in the file.
    fn is_changed(&self) -> bool {
        self.session.acts() != self.kept
    }

    /// Writes the recording to the file in which the game is saved.
    fn write(&mut self) -> Result<(), Failure> {
        let acts = self.begun.acts_since(&self.session);
        write_private(&self.save, self.begun.to_text(&acts, self.seating.names_to_save())?)?;
        self.kept = self.session.acts();
        Ok(())
    }

    /// Saves the game and prints how to continue it.
    fn save_and_report(&mut self, output: &mut Output) -> Result<(), Failure> {
        self.write()?;
        let file = quoted(&shown(&self.save)).into_owned();
        let tag = Some(self.play.spoken.lang).filter(|language| *language != Language::English).map(Language::tag);
        let language = tag.map_or_else(String::new, |tag| format!(" --lang {tag}"));
        let (game, agents) = (quoted(self.begun.game().path()), seating::arguments(&self.seating));
        let command = format!("parlour play {game} --from {file}{agents}{language}");
        let prompt = &Phrases::for_language(self.play.spoken.lang).prompt;
        let goes_on = self.session.outcome().is_none() || self.session.model().campaign.is_some();
        let phrase = if goes_on { prompt.kept_go_on } else { prompt.kept };
        output.remark(filled(phrase, &[("file", &file), ("command", &command)]))
    }
}
