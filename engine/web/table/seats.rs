//! The host's panel, where the host gives seats to agents.

use super::Answer;
use super::host::Host;
use crate::agents::suggested_agents;
use crate::diagnostic::{render, shown};
use crate::model::{Language, Seat};
use crate::phrases::{Phrases, filled};
use crate::playscript::{OTHER, PERSON};
use crate::session::{Game, Status};
use crate::web::links::Viewer;
use minijinja::context;
use minijinja::value::Value;

/// Number of playouts with which the offered agents search.
const WORLDS: u32 = 200;

/// Returns the agents that the host's panel and other forms offer.
pub(in crate::web) fn offered_agents(game: &Game) -> Vec<String> {
    suggested_agents(game.agents(), WORLDS)
}

impl Host {
    /// Returns, for each seat, a text that names the agent or the rules that play the seat; `None` for a person. Everybody may see the
    /// text, so it does not name programs and files.
    pub(super) fn played_by(&self, language: Language) -> Vec<Option<String>> {
        let web = &Phrases::for_language(language).web;
        let model = self.table.session().model();
        let line = |(seat, agent): (Seat, String)| match agent.as_str() {
            _ if model.automas.contains(&seat) => Some(web.played_by_rules.to_owned()),
            PERSON => None,
            OTHER => Some(web.played_by_agent.to_owned()),
            agent => Some(filled(web.played_by, &[("agent", &agent)])),
        };
        model.all_seats().zip(self.table.seating().names_to_save()).map(line).collect()
    }

    /// Returns the template values of the host's panel.
    pub(super) fn host_part(&self, language: Language) -> Value {
        let web = &Phrases::for_language(language).web;
        let names = self.table.seating().shown();
        let model = self.table.session().model();
        let seats: Vec<Value> = model
            .all_seats()
            .filter(|seat| !model.automas.contains(seat))
            .map(|seat| {
                let agent = &names[seat.index()];
                let agent = if agent == PERSON { "" } else { agent };
                context! { number => seat.0, name => self.table.setup().name(seat), agent }
            })
            .collect();
        let agents = offered_agents(self.table.game());
        let fault = match self.table.session().status() {
            Status::Failed(found) => Some(render(&self.open_to_all(found, "the rules fail"), false)),
            _ => self.fault.clone(),
        };
        let own = |name: &str, path: String| context! { name, path };
        let with_links = model.all_seats().filter(|seat| !model.automas.contains(seat));
        let links: Vec<Value> = with_links
            .map(|seat| own(self.table.setup().name(seat), Viewer::Seat(self.places.of(seat)).path()))
            .chain([own(web.onlooker, Viewer::Onlooker.path()), own(web.host, Viewer::Host.path())])
            .collect();
        let file = filled(web.kept_in, &[("file", &shown(self.table.file()))]);
        context! { seats, agents, fault, file, links, token => self.tokens.table() }
    }

    /// Gives a seat to an agent, or to a person if `agent` is empty. Ignores everybody but the host, and refuses agents that are not
    /// offered.
    pub(super) fn give(&mut self, viewer: Viewer, language: Language, seat: u8, agent: &str) -> Answer {
        let model = self.table.session().model();
        if viewer != Viewer::Host || !model.all_seats().any(|known| known.0 == seat && !model.automas.contains(&known))
        {
            return Answer::Done;
        }
        // An agent given on the command line is offered as long as it has the seat. The form contains only the displayed name of this
        // agent.
        let seating = self.table.seating();
        let is_as_now = agent == seating.shown()[usize::from(seat)];
        let whole = seating.names()[usize::from(seat)].clone();
        let agent = if is_as_now { whole.as_str() } else { agent };
        let is_offered =
            agent.is_empty() || is_as_now || offered_agents(self.table.game()).iter().any(|offered| offered == agent);
        if !is_offered {
            return Answer::Refused(filled(
                Phrases::for_language(language).web.command_line_alone,
                &[("agent", &agent)],
            ));
        }
        self.tokens.record_table_change();
        let result = self.table.give(Seat(seat), (!agent.is_empty()).then_some(agent));
        self.fault = None;
        self.refresh_question();
        self.show();
        result.map_or_else(|why| Answer::Refused(why.message), |()| Answer::Done)
    }
}
