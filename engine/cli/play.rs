//! `parlour play`: sitting at the table in the terminal, with agents in the other seats.

use super::arguments::{Company, Spoken, fresh_seed, seed_remark, unused, unused_beside};
use super::board::Board;
use super::interruption::{is_stopped, listen_at_table};
use super::output::{Failure, Output, usage};
use super::prompt::{Asked, Prompt};
use super::recording;
use super::run::closing_lines;
use super::saving::{check_writable, write_private};
use super::seating;
use super::wrap::wrapped;
use super::{examples, opening};
use crate::desk::account::Account;
use crate::desk::options::Options;
use crate::desk::parts::Narrowing;
use crate::desk::picking::Picking;
use crate::desk::saved_game::Recording;
use crate::desk::seating::{SeatAgent, Seating};
use crate::desk::{card_text, undo_remarks, why};
use crate::diagnostic::shown;
use crate::model::{Language, Seat};
use crate::phrases::{Phrases, filled};
use crate::session::{Act, Consent, Disclosed, Game, GameOver, Redeal, Session, Setup, Status, quoted};
use crate::wording::Wording;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Lets you play a game in the terminal, against agents or others beside you
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour play stockpile --players 4                         you against three agents",
    "parlour play stockpile --agents human,human,search:200     two people and one agent",
    "parlour play games/my-game --names You,Them --lang zh-Hant",
    "parlour play games/my-game --save evening.play             where the game is kept when you leave",
    "parlour play games/my-game --from evening.play             go on where you left",
))]
#[command(mut_arg("agents", |agents| {
    agents.help("Who sits where: `human` for a person, or an agent as for `parlour run` [default: as when the game was kept; or you \
                 first, and the game's own agent or `search:200` in the other seats]")
}))]
pub(super) struct Play {
    /// A folder, or the name of a game that comes with the program
    #[arg(required_unless_present = "from")]
    game: Option<String>,
    #[command(flatten)]
    company: Company,
    /// Go on where a playscript ends, such as a game that was kept
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "names", "options", "sets"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    spoken: Spoken,
    /// Where the game is kept as a playscript when you leave: a new file, or the one it comes from [default: the one it comes
    /// from, or a new file with the game's name and seed]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// A game at the table.
struct SeatedTable<'a> {
    play: &'a Play,
    /// Where the game began, or goes on from.
    begun: Recording,
    /// Where it is kept.
    save: PathBuf,
    session: Session,
    seating: Seating,
    seats: Vec<SeatAgent>,
    /// Whether an agent is asked.
    thinking: Arc<AtomicBool>,
    prompt: Prompt,
    /// The person who looked last, where several share the screen.
    looking: Option<Seat>,
    /// How many events each seat has read.
    narrated: Vec<usize>,
    /// The answers and redeals that the file has.
    kept: Vec<Act>,
    /// The numbers of answers before each question that was put to a person, with the person.
    turns: Vec<(usize, Seat)>,
}

/// What a person wants.
enum Turn {
    Answered,
    Leaves,
}

impl Play {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let mut begun = self.begin(output)?;
        let mut save = self.place_to_save(begun.game(), begun.session().setup())?;
        let first = save.clone();
        loop {
            let game = begun.game().clone();
            let Some(next) = self.play(begun, save, output)? else { return Ok(()) };
            begun = recording::begin(&game, &next, output)?;
            save = if self.save.is_some() { unused_beside(&first) } else { unused(&game, Some(next.seed)) };
        }
    }

    /// Plays one game; returns the setup of the one that follows in the campaign, where the people go on with it.
    fn play(&self, begun: Recording, save: PathBuf, output: &mut Output) -> Result<Option<Setup>, Failure> {
        let session = begun.session();
        check_writable(&save)?;
        let seating = Seating::new(&self.company.agents, begun.agents(), begun.game(), session.setup())?;
        let mut seats = seating.players(session.agent_seed());
        begun.take_up(&[], seats.iter_mut().map(Option::as_mut))?;
        let narrated = vec![0; seats.len()];
        let thinking = Arc::new(AtomicBool::new(false));
        let prompt = Prompt::new(self.spoken.lang);
        listen_at_table(thinking.clone(), Phrases::of(self.spoken.lang).prompt.kept_when_answered);
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

    /// Where the game is kept: in no file that holds something else.
    fn place_to_save(&self, game: &Game, setup: &Setup) -> Result<PathBuf, Failure> {
        let Some(place) = &self.save else {
            return Ok(self.from.clone().unwrap_or_else(|| unused(game, Some(setup.seed))));
        };
        let same = |from: &PathBuf| from == place || from.canonicalize().ok() == place.canonicalize().ok();
        if place.exists() && !self.from.as_ref().is_some_and(same) {
            let file = quoted(&shown(place)).into_owned();
            return Err(usage(format!(
                "{file} is there already: name a new file, or go on from it with `--from {file}`"
            )));
        }
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            let message = format!("there is no folder `{}` to keep the game in", shown(folder));
            return Err(Failure::Usage(message, Some("make it first, or name another with `--save`".to_owned())));
        }
        Ok(place.clone())
    }

    /// The game where it begins, or goes on.
    fn begin(&self, output: &mut Output) -> Result<Recording, Failure> {
        let game = self.game.as_ref().map(|game| opening::open(game, output)).transpose()?;
        if let Some(file) = &self.from {
            return recording::open(file, game.as_ref(), true, output);
        }
        let game = game.expect("a game is named where there is no recording");
        let setup = self.company.setup(&game)?;
        let begun = recording::begin(&game, &setup, output)?;
        if self.company.seed.is_none() {
            output.remark(seed_remark(setup.seed, self.spoken.lang))?;
        }
        Ok(begun)
    }
}

impl SeatedTable<'_> {
    /// Plays, and keeps the game where nothing more can be shown.
    fn play(&mut self, output: &mut Output) -> Result<Option<Setup>, Failure> {
        let result = self.play_on(output);
        if matches!(result, Err(Failure::Output(_))) && self.is_worth_keeping() {
            // There is nobody to hear that it cannot be kept either.
            let _ = self.write();
        }
        result
    }

    fn play_on(&mut self, output: &mut Output) -> Result<Option<Setup>, Failure> {
        output.line(Account::new(self.session.model(), self.session.setup(), self.play.spoken.lang).title())?;
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
                None => match self.person(seat, output)? {
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
                let kept = self.keep(output);
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
        Wording::new(self.session.model().clone(), self.session.setup().clone(), self.play.spoken.lang).for_seat(seat)
    }

    /// Asks a person until there is an answer.
    fn person(&mut self, seat: Seat, output: &mut Output) -> Result<Turn, Failure> {
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
        let phrases = Phrases::of(self.play.spoken.lang);
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
                Asked::Option(at) => {
                    if picking.as_mut().is_some_and(|picking| !picking.pick(at)) {
                        continue;
                    }
                    if self.answer(seat, picking.as_ref(), at)? {
                        return Ok(Turn::Answered);
                    }
                    output.line(format!("  {}", phrases.prompt.not_together))?;
                    picking = self.picking();
                }
                Asked::Table => self.show(seat, output)?,
                Asked::Log => {
                    self.narrated[seat.index()] = 0;
                    self.narrate(seat, output)?;
                }
                Asked::Why(text) => {
                    let missing = picking.as_ref().map_or_else(|| observation.decision().missing(), Picking::missing);
                    for line in why::explain(&observation, &options, missing, &text, self.play.spoken.lang) {
                        output.line(line)?;
                    }
                }
                Asked::Look(text) => {
                    for line in card_text::describe_components(
                        self.session.model(),
                        &self.wording(seat),
                        &text,
                        self.play.spoken.lang,
                    ) {
                        output.line(line)?;
                    }
                }
                Asked::Undo if picking.as_mut().is_some_and(Picking::take_back) => {}
                Asked::Undo if narrowing.as_mut().is_some_and(Narrowing::back) => {}
                Asked::Undo => {
                    if !self.undo(seat, output)? {
                        continue;
                    }
                    (picking, narrowing) = (self.picking(), self.narrowing());
                    self.show(seat, output)?;
                }
                Asked::Save => match self.keep(output) {
                    Err(Failure::Usage(message, _)) => output.remark(format!("error: {message}"))?,
                    kept => kept?,
                },
                // A player who can still say where the file goes loses nothing.
                Asked::Quit => match self.keep_changes(output) {
                    Err(Failure::Usage(message, _)) => output.remark(format!("error: {message}"))?,
                    kept => return kept.map(|()| Turn::Leaves),
                },
                Asked::Gone => return Ok(Turn::Leaves),
            }
        }
    }

    /// What is being picked, where the open question lets several be picked in any order.
    fn picking(&self) -> Option<Picking> {
        Picking::start(&self.session.observation()?, self.play.spoken.lang)
    }

    /// How far the person has come, where the open question is asked part by part.
    fn narrowing(&self) -> Option<Narrowing> {
        Narrowing::start(&self.session.observation()?, self.play.spoken.lang)
    }

    /// Answers with what was picked, or else with the option at a position; says whether that was taken.
    fn answer(&mut self, seat: Seat, picking: Option<&Picking>, at: usize) -> Result<bool, Failure> {
        let answers = self.session.answers().len();
        match picking.map(|picking| picking.apply(&self.session)) {
            Some(Some(after)) => self.session = after,
            Some(None) => return Ok(false),
            None => self.session.choose(at).map_err(|error| usage(error.to_string()))?,
        }
        self.turns.push((answers, seat));
        Ok(true)
    }

    /// Takes back the person's last answer and everything after it; says whether there was one.
    fn undo(&mut self, seat: Seat, output: &mut Output) -> Result<bool, Failure> {
        let Some(at) = self.turns.iter().rposition(|(_, person)| *person == seat) else {
            let prompt = &Phrases::of(self.play.spoken.lang).prompt;
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
        if !is_free && !self.others_agree(seat, &disclosed, output)? {
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
        // Agents know of what has been taken back: others take their seats.
        self.seats = self.seating.players(self.session.agent_seed());
        let kept = self.begun.acts_since(&self.session);
        self.begun.take_up(&kept, self.seats.iter_mut().map(Option::as_mut))?;
        Ok(true)
    }

    /// Whether an agent has answered anything since there were so many answers.
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

    /// Asks every other person at this screen whether a choice may be taken back.
    fn others_agree(&mut self, by: Seat, disclosed: &Disclosed, output: &mut Output) -> Result<bool, Failure> {
        let language = self.play.spoken.lang;
        let prompt = &Phrases::of(language).prompt;
        let others: Vec<Seat> = self.session.model().all_seats().filter(|seat| *seat != by).collect();
        for other in others.into_iter().filter(|seat| self.seats[seat.index()].is_none()) {
            let (name, player) = (self.name(other).to_owned(), self.name(by).to_owned());
            output.line(format!("\n{}", filled(prompt.undo_asked, &[("name", &name), ("player", &player)])))?;
            for line in undo_remarks::remarks(self.session.model(), &self.wording(other), disclosed, language) {
                output.line(format!("  {line}"))?;
            }
            output.line(format!("  {}", prompt.undo_agree))?;
            if !self.prompt.agrees(output)? {
                output.line(format!("  {}", filled(prompt.undo_refused, &[("name", &name)])))?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_news(&self, seat: Seat) -> bool {
        self.narrated[seat.index()] < self.session.events().len()
    }

    /// Narrates to a seat what has happened since it last read.
    fn narrate(&mut self, seat: Seat, output: &mut Output) -> Result<(), Failure> {
        let from = self.narrated[seat.index()];
        let lines = self.wording(seat).narrate(self.session.events().since(from));
        for line in lines.iter().flat_map(|line| wrapped(line)) {
            output.line(line)?;
        }
        self.narrated[seat.index()] = self.session.events().len();
        Ok(())
    }

    fn show(&self, seat: Seat, output: &mut Output) -> Result<(), Failure> {
        let view = self.session.with_derived(self.session.memory(Some(seat)));
        let pictures = self.session.table().pictures();
        for line in Board::new(view, pictures, &self.wording(seat), self.play.spoken.lang).lines() {
            output.line(line)?;
        }
        Ok(())
    }

    /// The game is over, or has failed; returns the game that is to follow.
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
                let account = Account::new(self.session.model(), self.session.setup(), self.play.spoken.lang);
                for line in closing_lines(&account.closing(outcome)) {
                    output.line(line)?;
                }
                self.follow(output)
            }
            Status::Failed(diagnostic) => {
                let diagnostic = diagnostic.clone();
                let kept = self.keep(output);
                output.diagnostic(&diagnostic)?;
                Err(kept.err().unwrap_or(Failure::Fault))
            }
            Status::Waiting(_) | Status::Resting => Ok(None),
        }
    }

    /// Asks whether the next game of the campaign is played, if there is one: what is over is kept, since one goes on from it
    /// another day, too.
    fn follow(&mut self, output: &mut Output) -> Result<Option<Setup>, Failure> {
        let next = match self.session.next_game() {
            Ok(next) => next,
            Err(found) => {
                output.diagnostic(&found)?;
                return Err(Failure::Fault);
            }
        };
        let is_new = self.is_changed() || !self.save.exists();
        if self.play.save.is_some() || next.is_some() && is_new {
            self.keep(output)?;
        }
        let Some(next) = next else { return Ok(None) };
        let title = Account::new(self.session.model(), &next, self.play.spoken.lang).title();
        let goes_on = self.prompt.go_on(&title, output)?;
        Ok(goes_on.then_some(next))
    }

    fn keep_changes(&mut self, output: &mut Output) -> Result<(), Failure> {
        let is_wanted = self.play.save.is_some() && !self.save.exists();
        if self.is_changed() || is_wanted { self.keep(output) } else { Ok(()) }
    }

    fn leave(&mut self, output: &mut Output) -> Result<(), Failure> {
        self.keep_changes(output)?;
        if is_stopped() { Err(Failure::Interrupted) } else { Ok(()) }
    }

    /// Whether something was chosen that is lost if it is not kept, and that the player wants.
    fn is_worth_keeping(&self) -> bool {
        let is_wanted = self.play.save.is_some() || self.session.outcome().is_none();
        is_wanted && self.is_changed()
    }

    /// Whether the file has other answers than the game, or none.
    fn is_changed(&self) -> bool {
        self.session.acts() != self.kept
    }

    /// Writes the game so far down as a playscript.
    fn write(&mut self) -> Result<(), Failure> {
        let acts = self.begun.acts_since(&self.session);
        write_private(&self.save, self.begun.to_text(&acts, self.seating.names_to_save())?)?;
        self.kept = self.session.acts();
        Ok(())
    }

    /// Keeps the game so far, and says how to go on with it.
    fn keep(&mut self, output: &mut Output) -> Result<(), Failure> {
        self.write()?;
        let file = quoted(&shown(&self.save)).into_owned();
        let tag = Some(self.play.spoken.lang).filter(|language| *language != Language::English).map(Language::tag);
        let language = tag.map_or_else(String::new, |tag| format!(" --lang {tag}"));
        let (game, agents) = (quoted(self.begun.game().path()), seating::words(&self.seating));
        let command = format!("parlour play {game} --from {file}{agents}{language}");
        let prompt = &Phrases::of(self.play.spoken.lang).prompt;
        let goes_on = self.session.outcome().is_none() || self.session.model().campaign.is_some();
        let phrase = if goes_on { prompt.kept_go_on } else { prompt.kept };
        output.remark(filled(phrase, &[("file", &file), ("command", &command)]))
    }
}
