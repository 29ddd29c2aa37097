//! Agents that sit at a table think on a thread of their own, which plays the game after: nobody else at the table waits for them. Whatever
//! changes the table otherwise than by a choice that follows ends the thread, with what it was thinking of, and the agents sit down anew.

use super::seating::{Seating, Sitting};
use crate::diagnostic::Diagnostic;
use crate::session::{Act, Game, Halt, NoAnswer, Session, Setup};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// What an agent has thought of.
#[derive(Debug)]
pub(crate) struct Thought {
    /// The thinker, which may be gone by now.
    by: Arc<AtomicBool>,
    /// The option that it takes, or why it takes none.
    pub(crate) chosen: Result<u64, Box<Diagnostic>>,
}

/// Who gets thoughts.
pub(crate) type OnThought = Box<dyn Fn(Thought) + Send>;

/// The agents of a table, as they think.
pub(super) struct Thinker {
    /// The answers and redeals since the last decision.
    questions: Sender<Vec<Act>>,
    /// Whether nobody waits any more for what is thought of.
    stop: Arc<AtomicBool>,
    /// So many answers and redeals it has got.
    known: usize,
    /// Whether it has been asked and has not answered.
    thinks: bool,
}

impl Thinker {
    /// Sits the agents down at a game that has not begun. They draw at random from `seed`.
    pub(super) fn begin(
        (game, setup): (Game, Setup),
        seating: Seating,
        seed: u64,
        report: OnThought,
    ) -> std::io::Result<Self> {
        let (questions, asked) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let by = stop.clone();
        let think = move || {
            let agents = Agents::sit_down(&game, &setup, seating.players(seed), &by);
            thinks(agents, &asked, &by, &report);
        };
        std::thread::Builder::new().name("agents".to_owned()).spawn(think)?;
        Ok(Self { questions, stop, known: 0, thinks: false })
    }

    /// Asks the agent that has the decision after these answers and redeals, unless it thinks already.
    pub(super) fn ask(&mut self, acts: Vec<Act>) {
        if self.thinks {
            return;
        }
        let since: Vec<Act> = acts.into_iter().skip(self.known).collect();
        self.known += since.len();
        // Where the thread has gone, it has said why.
        self.thinks = self.questions.send(since).is_ok();
    }

    /// Whether a thought is what it was asked for.
    pub(super) fn has(&mut self, thought: &Thought) -> bool {
        let is_own = Arc::ptr_eq(&self.stop, &thought.by);
        self.thinks &= !is_own;
        is_own
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
    }
}

/// Thinks of what is asked until nobody asks any more.
fn thinks(
    mut agents: Result<Agents, NoAnswer>,
    asked: &Receiver<Vec<Act>>,
    stop: &Arc<AtomicBool>,
    report: &OnThought,
) {
    while let Ok(acts) = asked.recv() {
        let chosen = agents.as_mut().map_err(|why| why.clone()).and_then(|agents| agents.choose(&acts));
        report(Thought { by: stop.clone(), chosen: chosen.map_err(NoAnswer::diagnostic) });
    }
}

/// The agents of a game, and the game as far as they know it.
struct Agents {
    session: Session,
    players: Vec<Sitting>,
    /// Whether they have just sat down.
    are_new: bool,
}

impl Agents {
    fn sit_down(
        game: &Game,
        setup: &Setup,
        mut players: Vec<Sitting>,
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

    /// Returns the option that the agent takes who is asked after some more answers and redeals.
    fn choose(&mut self, acts: &[Act]) -> Result<u64, NoAnswer> {
        let mut answered = vec![0; self.players.len()];
        for act in acts {
            if let (Act::Answer(_), Some(decision)) = (act, self.session.decision()) {
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
        let observation = self.session.observation().ok_or_else(|| "nobody is asked".to_owned())?;
        let player = self.players[observation.seat().index()].as_mut();
        Ok(player.ok_or_else(|| "no agent is asked".to_owned())?.choose(&observation)? as u64)
    }
}
