//! A table without threads of its own, for platforms that have a single thread. Each request is carried out when it arrives, and agents
//! choose one at a time when `step` is called.

use super::fair_queue::FairQueue;
use super::host::Host;
use super::past::HistoryThread;
use super::{Answer, QueuedRequest, TableRequest};
use crate::faces::{CardPicture, colors};
use crate::model::{Language, Seat, Text};
use crate::web::links::Viewer;
use crate::web::pages::Pages;
use crate::web::{ServeError, TableSettings};
use std::sync::Arc;

/// A table whose players share one page.
pub(in crate::web) struct LocalTable {
    host: Host,
    past: HistoryThread,
    /// Queue to which agents send their choices.
    inbox: Arc<FairQueue<QueuedRequest>>,
    game: Text,
    names: Vec<String>,
}

impl LocalTable {
    /// Opens a table. If there is a recording, replays it first.
    pub(in crate::web) fn open(opening: TableSettings, pages: Arc<Pages>) -> Result<Self, ServeError> {
        let inbox = Arc::new(FairQueue::new());
        let (mut host, _, opened) = Host::open(opening, pages.clone(), &inbox)?;
        host.refresh_question();
        let past = HistoryThread::new(pages, host.shown.clone());
        Ok(Self { host, past, inbox, game: opened.game, names: opened.names })
    }

    /// Carries out a request.
    pub(in crate::web) fn ask(&mut self, viewer: Viewer, language: Language, request: TableRequest) -> Answer {
        match request {
            TableRequest::Log | TableRequest::Moment { .. } | TableRequest::Notes => {
                self.host.publish();
                self.past.answer(viewer, language, &request)
            }
            _ => self.host.carry_out(viewer, language, request),
        }
    }

    /// Renders the table as a viewer sees it.
    pub(in crate::web) fn page(&self, viewer: Viewer, language: Language) -> String {
        self.host.table_page(self.host.places.seated(viewer), language)
    }

    /// Lets the agent that is asked choose, if there is one. Returns whether it has chosen.
    pub(in crate::web) fn step(&mut self) -> bool {
        self.host.let_think();
        let mut has_changed = false;
        while let Some(thought) = self.inbox.try_pop() {
            self.host.take(thought);
            has_changed = true;
        }
        has_changed
    }

    /// Returns whether an agent is asked and can choose.
    pub(in crate::web) fn is_agent_asked(&self) -> bool {
        let asked = self.host.table.session().decision().map(|decision| decision.seat);
        self.host.fault.is_none()
            && self.host.undo.is_none()
            && asked.is_some_and(|seat| self.host.table.is_agent(seat))
    }

    /// Returns the message about the last failure. At a served table, only the host sees this message.
    pub(in crate::web) fn fault(&self) -> Option<&str> {
        self.host.fault.as_deref()
    }

    /// Returns the zero-based indices of the places that people have, in the order of their seats.
    pub(in crate::web) fn people(&self) -> Vec<u8> {
        let table = &self.host.table;
        table
            .session()
            .model()
            .all_seats()
            .filter(|seat| table.is_person(*seat))
            .map(|seat| self.host.places.of(seat))
            .collect()
    }

    /// Returns the places of the people whose answer the table waits for: their consent to taking back a choice, otherwise their choice in
    /// the open decision.
    pub(in crate::web) fn asked(&self) -> Vec<u8> {
        if let Some(undo) = &self.host.undo {
            return undo.waits_for.iter().map(|seat| self.host.places.of(*seat)).collect();
        }
        let is_asked = |place: &u8| match self.host.places.seated(Viewer::Seat(*place)) {
            Viewer::Seat(seat) => self.host.session_asking(Seat(seat)).is_some(),
            Viewer::Onlooker | Viewer::Host => false,
        };
        self.people().into_iter().filter(is_asked).collect()
    }

    /// Returns whether the game is over.
    pub(in crate::web) fn is_over(&self) -> bool {
        self.host.table.session().outcome().is_some()
    }

    /// Returns the name of the player at a place.
    pub(in crate::web) fn name(&self, place: u8) -> &str {
        self.names.get(usize::from(place)).map_or("", String::as_str)
    }

    /// Returns the title of a viewer's page.
    pub(in crate::web) fn title(&self, viewer: Viewer, language: Language) -> String {
        super::title(&self.game, &self.names, viewer, language)
    }

    /// Returns the style sheet of faces; `None` before a page in this language has been rendered.
    pub(in crate::web) fn style(&self, language: Language) -> Option<String> {
        let faces = self.host.shown.faces().get(language.tag())?.clone();
        Some([faces.style(), &*colors()].concat())
    }

    /// Returns the picture called `name`, if a rendered face uses it.
    pub(in crate::web) fn picture(&self, name: &str) -> Option<CardPicture> {
        self.host.shown.faces().values().find_map(|faces| faces.picture(name).cloned())
    }
}
