//! Agents of a table choose on a separate thread, so that nobody else at the table has to wait.
//!
//! The thread follows the game by repeating its answers. Any other change of the table, such as taking an answer back, ends the thread and
//! discards its current choice. New agents are created when an agent is asked the next time.
//!
//! On platforms without threads, a choice is made as soon as it is requested.

use super::seating::{SeatAgent, Seating};
use crate::diagnostic::Diagnostic;
use crate::model::Seat;
use crate::session::{Act, Game, GameOver, Halt, NoAnswer, Session, Setup, Status};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "system")]
use std::sync::mpsc::{Receiver, Sender, channel};

/// Choice of an agent.
#[derive(Debug)]
pub(crate) struct AgentChoice {
    /// Stop flag of the thread that made the choice. It identifies the thread, which may have ended since.
    source: Arc<AtomicBool>,
    /// Position of the option, or the reason why none was chosen.
    pub(crate) chosen: Result<u64, Box<Diagnostic>>,
}

/// Callback that receives the agents' choices.
pub(crate) type OnAgentChoice = Box<dyn Fn(AgentChoice) + Send>;

/// Handle of the thread on which the agents choose.
#[cfg(feature = "system")]
pub(super) struct Thinker {
    /// Channel to the thread. Each message contains the answers and redeals since the previous message, and requests a choice unless the
    /// game is over.
    requests: Sender<Vec<Act>>,
    /// Flag that is set when nobody waits for the current choice any more.
    stop: Arc<AtomicBool>,
    /// Number of answers and redeals sent so far.
    known: usize,
    /// Whether a requested choice has not arrived yet.
    is_thinking: bool,
    /// Whether the agents were told that the game is over.
    is_over: bool,
}

#[cfg(feature = "system")]
impl Thinker {
    /// Starts the thread with agents for a game that has not begun. Their random numbers depend on `seed`.
    pub(super) fn begin(
        game: Game,
        setup: Setup,
        seating: Seating,
        seed: u64,
        report: OnAgentChoice,
    ) -> std::io::Result<Self> {
        let (requests, received) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let source = stop.clone();
        let think = move || {
            let agents = Agents::start(&game, &setup, seating.players(seed), &source);
            serve_requests(agents, &received, &source, &report);
        };
        crate::system::thread("agents").spawn(think)?;
        Ok(Self { requests, stop, known: 0, is_thinking: false, is_over: false })
    }

    /// Requests a choice for the open decision. `acts` are all answers and redeals of the game so far. Does nothing if a request is
    /// pending.
    pub(super) fn ask(&mut self, acts: Vec<Act>) {
        if !self.is_thinking {
            self.is_thinking = self.send(acts);
        }
    }

    /// Tells the agents that the game is over. `acts` are all answers and redeals of the game. Does nothing if the agents were told before.
    pub(super) fn tell_end(&mut self, acts: Vec<Act>) {
        if !self.is_over {
            self.is_over = true;
            self.send(acts);
        }
    }

    /// Sends the answers and redeals since the previous message. Returns false if the thread has ended.
    fn send(&mut self, acts: Vec<Act>) -> bool {
        let since: Vec<Act> = acts.into_iter().skip(self.known).collect();
        self.known += since.len();
        self.requests.send(since).is_ok()
    }

    /// Returns whether a choice comes from this thread, and marks the request as done if so.
    pub(super) fn accept(&mut self, thought: &AgentChoice) -> bool {
        let is_own = Arc::ptr_eq(&self.stop, &thought.source);
        self.is_thinking &= !is_own;
        is_own
    }
}

/// Agents that choose as soon as they are asked, for platforms without threads.
#[cfg(not(feature = "system"))]
pub(super) struct Thinker {
    agents: Result<Agents, NoAnswer>,
    report: OnAgentChoice,
    /// Flag that identifies the choices of these agents.
    stop: Arc<AtomicBool>,
    /// Number of answers and redeals that the agents know.
    known: usize,
    /// Whether a choice has been made and is not applied yet.
    is_thinking: bool,
}

#[cfg(not(feature = "system"))]
impl Thinker {
    /// Creates agents for a game that has not begun. Their random numbers depend on `seed`.
    #[expect(clippy::unnecessary_wraps, clippy::needless_pass_by_value, reason = "starting a thread may fail")]
    pub(super) fn begin(
        game: Game,
        setup: Setup,
        seating: Seating,
        seed: u64,
        report: OnAgentChoice,
    ) -> std::io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let agents = Agents::start(&game, &setup, seating.players(seed), &stop);
        Ok(Self { agents, report, stop, known: 0, is_thinking: false })
    }

    /// Makes the choice for the open decision, and reports it. `acts` are all answers and redeals of the game so far. Does nothing if an
    /// earlier choice has not been applied yet.
    pub(super) fn ask(&mut self, acts: Vec<Act>) {
        if self.is_thinking {
            return;
        }
        let since: Vec<Act> = acts.into_iter().skip(self.known).collect();
        self.known += since.len();
        let chosen = self.agents.as_mut().map_err(|why| why.clone()).and_then(|agents| agents.follow(&since));
        let Some(chosen) = chosen.transpose() else { return };
        self.is_thinking = true;
        (self.report)(AgentChoice { source: self.stop.clone(), chosen: chosen.map_err(NoAnswer::diagnostic) });
    }

    /// Does nothing. Only agents that are external programs must be told that a game is over, and they cannot run on this platform.
    #[expect(clippy::unused_self, clippy::needless_pass_by_value, reason = "a thread is told")]
    pub(super) fn tell_end(&mut self, _acts: Vec<Act>) {}

    /// Returns whether a choice comes from these agents, and marks it as applied if so.
    pub(super) fn accept(&mut self, thought: &AgentChoice) -> bool {
        let is_own = Arc::ptr_eq(&self.stop, &thought.source);
        self.is_thinking &= !is_own;
        is_own
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
    }
}

/// Serves requests until the handle is dropped: makes a choice for each, unless the game is over.
#[cfg(feature = "system")]
fn serve_requests(
    mut agents: Result<Agents, NoAnswer>,
    requests: &Receiver<Vec<Act>>,
    stop: &Arc<AtomicBool>,
    report: &OnAgentChoice,
) {
    while let Ok(acts) = requests.recv() {
        let chosen = agents.as_mut().map_err(|why| why.clone()).and_then(|agents| agents.follow(&acts));
        let Some(chosen) = chosen.transpose() else { continue };
        report(AgentChoice { source: stop.clone(), chosen: chosen.map_err(NoAnswer::diagnostic) });
    }
}

/// The agents, with their copy of the game.
struct Agents {
    session: Session,
    players: Vec<SeatAgent>,
    /// Whether no choice has been requested yet.
    are_new: bool,
}

impl Agents {
    fn start(
        game: &Game,
        setup: &Setup,
        mut players: Vec<SeatAgent>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, NoAnswer> {
        let session = Session::start(game, setup)?;
        let stop = stop.clone();
        let halt = Halt::when(move || stop.load(Ordering::SeqCst));
        for player in players.iter_mut().flatten() {
            player.heeds(&halt);
        }
        Ok(Self { session, players, are_new: true })
    }

    /// Repeats answers and redeals, and returns the choice for the decision that is then open. If the game is over, tells the agents and
    /// returns `None`.
    fn follow(&mut self, acts: &[Act]) -> Result<Option<u64>, NoAnswer> {
        self.repeat(acts)?;
        if let Status::Over(outcome) = self.session.status() {
            let over = GameOver::new(&self.session, outcome);
            for (seat, player) in self.players.iter_mut().enumerate() {
                if let Some(player) = player {
                    player.over(&over, Seat(seat as u8));
                }
            }
            return Ok(None);
        }
        let observation = self.session.observation().ok_or_else(|| "nobody is asked".to_owned())?;
        let player = self.players[observation.seat().index()].as_mut();
        Ok(Some(player.ok_or_else(|| "no agent is asked".to_owned())?.choose(&observation)? as u64))
    }

    /// Repeats answers and redeals. Tells new agents how many of these answers their own seats gave.
    fn repeat(&mut self, acts: &[Act]) -> Result<(), NoAnswer> {
        let mut answered = vec![0; self.players.len()];
        for act in acts {
            // An answer with several parts takes several acts.
            let begun = self.session.decision().filter(|decision| decision.picked.is_empty());
            if let (Act::Answer(_), Some(decision)) = (act, begun) {
                answered[decision.seat.index()] += 1;
            }
            self.session.repeat(act).map_err(|error| error.to_string())?;
        }
        if std::mem::take(&mut self.are_new) {
            for (player, answered) in self.players.iter_mut().zip(answered) {
                if let Some(player) = player.as_mut().filter(|_| answered > 0) {
                    player.taken_up(answered);
                }
            }
        }
        Ok(())
    }
}
