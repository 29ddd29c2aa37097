//! `parlour run`: plays one game and prints its log.

use super::arguments::{
    Agents, Changes, Format, LanguageArgument, check_names, check_players, fresh_seed, players_remark, seed_remark,
};
use super::draw::draw_story;
use super::interruption::exit_on_interruption;
use super::output::{Failure, Output, usage};
use super::recording;
use super::table::TextTable;
use super::wrap::{map_width, wrap_line};
use super::{examples, opening};
use crate::decision::EventKind;
use crate::desk::result_formatter::{ResultFormatter, ResultText};
use crate::desk::saved_game::{Recording, numbered};
use crate::diagnostic::{Diagnostic, nearest};
use crate::library::Term;
use crate::model::{Language, Model, Seat};
use crate::report::Heading;
use crate::session::{Game, MAX_GAMES, Outcome, PlayedGame, Setup, Standing, endless_campaign};
use crate::wording::{LogLine, Wording};
use clap::Args;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Plays one game and prints its log
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour run stockpile --players 4 --seed 7",
    "parlour run games/my-game --set params.start_cash=25 --quiet",
    "parlour run stockpile --players 3 --names Ann,Ben,Cho --as Ben --lang zh-Hant",
    "parlour run stockpile --players 5 --seed 7 --format json > game.json",
    "parlour run stockpile --players 3 --record game.play    write the game down",
    "parlour run --from game.play --record game.play         go on where it stopped",
))]
pub(super) struct Run {
    /// Folder of a game, or the name of a game that comes with the program
    #[arg(required_unless_present = "from")]
    game: Option<String>,
    #[command(flatten)]
    changes: Changes,
    /// Record the game as a playscript, which `--from` and `parlour test` can read
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Continue from the end of a playscript: a recording cut off at any line is a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "names", "options", "sets"])]
    from: Option<PathBuf>,
    /// Number of players [default: the number of agents that `--agents` lists, otherwise the fewest the game allows]
    #[arg(long, short, value_name = "N", value_parser = super::arguments::players, allow_negative_numbers = true)]
    players: Option<u8>,
    /// Random seed: the same seed gives the same game [default: a random one]
    #[arg(long, short, value_name = "S", value_parser = super::arguments::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    agents: Agents,
    /// Names of the players, separated by commas
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    names: Vec<String>,
    /// Print the game as this player sees it: a name or a seat number
    #[arg(long = "as", value_name = "PLAYER", conflicts_with = "quiet")]
    reader: Option<String>,
    #[command(flatten)]
    spoken: LanguageArgument,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Check the invariants of the rules at every decision, which is slower
    #[arg(long)]
    invariants: bool,
    /// Write drawings of the grids to this folder after each round
    #[arg(long, value_name = "DIR")]
    draw: Option<PathBuf>,
    /// Also play the following games of the campaign. Recordings and drawings are numbered
    #[arg(long)]
    campaign: bool,
    /// Print only the final table
    #[arg(long, short)]
    quiet: bool,
}

impl Run {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let (game, mut setup, mut resumed) = self.begin(output)?;
        if self.record.is_none() {
            exit_on_interruption();
        }
        let mut documents = Vec::new();
        for number in 1..=MAX_GAMES {
            let (document, next) = self.play(&game, &setup, resumed.take(), number, output)?;
            documents.extend(document);
            match next.filter(|_| self.campaign) {
                Some(next) if self.format == Format::Text => {
                    output.line("")?;
                    setup = next;
                }
                Some(next) => setup = next,
                None if self.format == Format::Text => return Ok(()),
                None if self.campaign => return output.json(&json!({ "format": 1, "campaign": documents })),
                None => return documents.iter().try_for_each(|document| output.json(document)),
            }
        }
        output.diagnostic(&endless_campaign())?;
        Err(Failure::Fault)
    }

    /// Plays one game and prints its log. `number` is the position of the game in the campaign. Returns the game's JSON document, and the
    /// setup of the next game in the campaign.
    fn play(
        &self,
        game: &Game,
        setup: &Setup,
        resumed: Option<Recording>,
        number: usize,
        output: &mut Output,
    ) -> Result<(Option<Value>, Option<Setup>), Failure> {
        let place = |path: &Path| if self.campaign { numbered(path, number as u32) } else { path.to_owned() };
        let record = self.record.as_deref().map(place);
        let reader = self.reader(setup)?;
        let layout = game.layout(setup).map_err(|mistakes| output.report_mistakes_with(setup, &mistakes))?;
        let model = layout.model.clone();
        let is_narrated = !self.quiet || self.format == Format::Json || self.draw.is_some();
        let mut played = match resumed {
            None if self.record.is_none() => {
                let players = model.all_seats().map(|seat| self.agents.player(setup.seed, seat)).collect();
                game.play(setup, players, is_narrated).map_err(|mistakes| output.mistakes(&mistakes))?
            }
            recording_so_far => {
                let recording_so_far = match recording_so_far {
                    Some(recording) => recording,
                    None => recording::begin(game, setup, output)?,
                };
                recording::finish(recording_so_far, &self.agents, self.invariants, record.as_deref())?
            }
        };
        if let Err(diagnostic) = &mut played.outcome
            && let Some(command) = &mut diagnostic.reproduce
        {
            command.push_str(&self.agents.arguments());
        }
        if let Some(dir) = self.draw.as_deref().map(place) {
            let wording = Wording::new(model.clone(), setup.clone(), self.spoken.lang);
            let wording = reader.map_or(wording.clone(), |seat| wording.for_seat(seat));
            draw_story(&dir, &wording, &played.events, output)?;
        }
        let document = match self.format {
            Format::Text => {
                if let (true, Some(scenario)) = (self.campaign && self.quiet, model.scenario()) {
                    output.line(format!("{number}. {}", model.named_word(&scenario, self.spoken.lang)))?;
                }
                self.print(&ResultFormatter::new(&model, setup, self.spoken.lang), &played, reader, output)?;
                None
            }
            Format::Json => Some(self.document(&model, setup, &played)),
        };
        if let Err(diagnostic) = &played.outcome {
            document.iter().try_for_each(|document| output.json(document))?;
            output.diagnostic(diagnostic)?;
            return Err(Failure::Fault);
        }
        Ok((document, played.next))
    }

    /// Returns the game, the setup, and the recording to continue, if there is one.
    fn begin(&self, output: &mut Output) -> Result<(Game, Setup, Option<Recording>), Failure> {
        let game = self.game.as_ref().map(|game| opening::open(game, output)).transpose()?;
        let game = game.map(|game| if self.invariants { game.holding_invariants() } else { game });
        if let Some(file) = &self.from {
            let recording = recording::open(file, game.as_ref(), false, output)?;
            let (game, setup) = (recording.game().clone(), recording.setup().clone());
            self.agents.check(&game, setup.seats, output)?;
            return Ok((game, setup, Some(recording)));
        }
        let game = game.expect("without a recording, a game is named");
        let setup = self.setup(&game, output)?;
        self.remark(&game, &setup, output)?;
        Ok((game, setup, None))
    }

    fn setup(&self, game: &Game, output: &mut Output) -> Result<Setup, Failure> {
        let players = self.players.unwrap_or_else(|| self.agents.usual_seats(game));
        check_players(game, players)?;
        self.agents.check(game, players, output)?;
        check_names(&self.names, players)?;
        let seed = self.seed.unwrap_or_else(fresh_seed);
        Ok(Setup { names: self.names.clone(), ..self.changes.setup(players).seed(seed) })
    }

    /// Prints the number of players and the seed if the user did not choose them.
    fn remark(&self, game: &Game, setup: &Setup, output: &mut Output) -> Result<(), Failure> {
        let (min, max) = (*game.players().start(), *game.players().end());
        if self.players.or(self.agents.seats()).is_none() && min != max {
            output.remark(players_remark(game, min, self.spoken.lang))?;
        }
        if self.seed.is_none() {
            output.remark(seed_remark(setup.seed, self.spoken.lang))?;
        }
        Ok(())
    }

    /// Returns the seat whose view is printed.
    fn reader(&self, setup: &Setup) -> Result<Option<Seat>, Failure> {
        let Some(reader) = &self.reader else { return Ok(None) };
        if self.format == Format::Json {
            return Err(usage("`--as` prints a game for a person, JSON is for programs: remove one of them"));
        }
        let seats = || (0..setup.seats).map(Seat);
        let by_name = seats().find(|seat| setup.name(*seat).eq_ignore_ascii_case(reader));
        let by_number = seats().find(|seat| seat.number().to_string() == *reader);
        by_name.or(by_number).map(Some).ok_or_else(|| {
            let names: Vec<&str> = seats().map(|seat| setup.name(seat)).collect();
            let help = match nearest(reader, names.iter().copied()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("the players are {}", names.join(", ")),
            };
            Failure::Usage(format!("nobody is called `{reader}`"), Some(help))
        })
    }

    fn print(
        &self,
        account: &ResultFormatter<'_>,
        played: &PlayedGame,
        reader: Option<Seat>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if !self.quiet {
            output.line(account.title())?;
            let wording = account.wording.clone().with_map_width(map_width());
            let wording = match reader {
                Some(seat) => wording.for_seat(seat),
                None => wording,
            };
            let lines = wording.log_lines(&played.events);
            if matches!(lines.first(), Some(LogLine::Phase(_) | LogLine::Event { .. })) {
                output.line(format!("\n{}", account.story.setup))?;
            }
            for line in lines.iter().flat_map(|line| wording.lay_out(line)).flat_map(|line| wrap_line(&line)) {
                output.line(line)?;
            }
            output.line("")?;
        }
        if let Ok(outcome) = &played.outcome {
            for line in closing_lines(&account.format_result(outcome)) {
                output.line(line)?;
            }
        }
        Ok(())
    }

    fn document(&self, model: &Model, setup: &Setup, played: &PlayedGame) -> Value {
        let wording = Wording::new(Arc::new(model.clone()), setup.clone(), Language::English);
        let choices: Vec<Value> =
            played.events.iter().filter_map(|event| choice_document(model, &wording, &event.kind)).collect();
        let seats: Vec<Value> = model
            .all_seats()
            .map(|seat| json!({ "seat": seat.number(), "name": setup.name(seat), "agent": self.agents.name_at(model, seat) }))
            .collect();
        json!({
            "format": 1,
            "game": { "id": *model.id, "name": model.name.get(self.spoken.lang) },
            "setup": {
                "players": seats,
                "seed": setup.seed,
                "options": pairs(&setup.options),
                "sets": pairs(&setup.sets),
            },
            "choices": choices,
            "outcome": played.outcome.as_ref().ok().map(|outcome| outcome_document(model, setup, outcome)),
            "fault": played.outcome.as_ref().err().map(|diagnostic| fault_document(diagnostic)),
            "decisions": played.decisions,
            "forced": played.forced,
            "fingerprint": format!("{:016x}", played.fingerprint),
        })
    }
}

/// Converts pairs of name and value to a JSON object. If a name occurs several times, its last value wins.
pub(super) fn pairs(pairs: &[(String, String)]) -> Value {
    let pairs: Map<String, Value> = pairs.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    Value::Object(pairs)
}

fn choice_document(model: &Model, wording: &Wording, what: &EventKind) -> Option<Value> {
    let EventKind::Chose { seat, decision, choice, appearances } = what else { return None };
    Some(json!({
        "seat": seat.number(),
        "decision": *model.decisions[decision.index()].id,
        "choice": wording.clone().for_seat(*seat).written_answer(*seat, *decision, choice, appearances),
    }))
}

fn outcome_document(model: &Model, setup: &Setup, outcome: &Outcome) -> Value {
    let standings = outcome.standings.iter().map(|standing| {
        let parts: Map<String, Value> =
            standing.breakdown.iter().map(|(name, number)| (name.to_string(), json!(number))).collect();
        json!({
            "seat": standing.seat.number(),
            "team": standing.team.map(|team| &*model.component(team).id),
            "name": setup.name(standing.seat),
            "rank": standing.rank,
            "score": standing.score,
            "breakdown": parts,
            "workings": workings_document(standing),
        })
    });
    let tie_breaks = outcome.tie_breaks().into_iter().map(|tie| {
        let [before, after] = [tie.before, tie.after].map(Seat::number);
        json!({ "before": before, "after": after, "by": tie.by.as_deref(), "numbers": tie.numbers })
    });
    json!({
        "ending": *model.endings[outcome.ending.index()].id,
        "rounds": outcome.rounds,
        "standings": standings.collect::<Vec<_>>(),
        "tie_breaks": tie_breaks.collect::<Vec<_>>(),
    })
}

/// Converts the formulas of a score to JSON: the summands of each part, and the factors of each summand.
fn workings_document(standing: &Standing) -> Value {
    let term = |term: &Term| json!({ "name": term.name.as_deref(), "factors": term.factors });
    let part = |(name, terms): &(Arc<str>, Vec<Term>)| (name.to_string(), terms.iter().map(term).collect::<Value>());
    Value::Object(standing.workings.iter().map(part).collect())
}

/// Converts a fault to JSON.
pub(super) fn fault_document(diagnostic: &Diagnostic) -> Value {
    let place = diagnostic.marks.first().map(|mark| {
        let (line, column) = mark.place.line_column();
        json!({ "path": mark.place.source.path, "line": line, "column": column })
    });
    json!({
        "code": diagnostic.code,
        "message": diagnostic.message,
        "place": place,
        "help": diagnostic.help,
        "reproduce": diagnostic.reproduce,
    })
}

/// Renders the result of a game as lines.
pub(super) fn closing_lines(closing: &ResultText) -> Vec<String> {
    let heading = |(at, text): (usize, &String)| if at == 1 { Heading::text(text) } else { Heading::number(text) };
    let mut table = TextTable::new(closing.headings.iter().enumerate().map(heading));
    closing.rows.iter().for_each(|row| table.row(row.clone()));
    let mut lines = table.lines("");
    lines.push(String::new());
    if !closing.workings.is_empty() {
        lines.extend(closing.workings.iter().cloned());
        lines.push(String::new());
    }
    lines.extend(closing.remarks.iter().cloned());
    lines
}
