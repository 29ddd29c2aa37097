//! How a game is put into words: for people in their language, and in the short form that plays are written in.

use crate::model::{
    ComponentId, Decision as Declared, DecisionId, Family, FieldValue, Label, Language, Model, PartType, PieceId, Seat,
    SpaceId, ValueId, ValueType, ZoneId,
};
use crate::script::{Choice, Decision, Event, Happening, Look};
use crate::session::Setup;
use crate::table::{Holder, Layout, SeatSet, Table, label_text};
use std::fmt::Write as _;
use std::sync::Arc;

/// Puts what happens into words for one reader.
#[derive(Debug, Clone)]
pub struct Wording {
    model: Arc<Model>,
    setup: Setup,
    language: Language,
    reader: Option<SeatSet>,
}

/// What pieces an answer or event speaks of looked like.
type Looks<'a> = &'a [(PieceId, Look)];

impl Wording {
    /// For somebody who sees everything.
    pub fn new(model: Arc<Model>, setup: Setup, language: Language) -> Self {
        Self { model, setup, language, reader: None }
    }

    /// For the player in a seat, who reads only what that seat knows.
    #[must_use]
    pub fn for_seat(mut self, seat: Seat) -> Self {
        self.reader = Some(Layout::only(seat));
        self
    }

    /// What the player in a seat is called.
    pub fn seat(&self, seat: Seat) -> &str {
        self.setup.name(seat)
    }

    /// An option of an open question as people read it.
    pub fn option(&self, table: &Table, decision: &Decision, choice: &Choice) -> String {
        if *choice == Choice::Nothing
            && let Some(pass) = decision.pass
        {
            return self.word(pass.word()).to_owned();
        }
        self.answer(decision.id, choice, &looks(table, choice))
    }

    /// An answer as people read it, in the order of the decision's parts.
    fn answer(&self, decision: DecisionId, choice: &Choice, looks: Looks<'_>) -> String {
        let declared = &self.model.decisions[decision.index()];
        let Choice::Parts(parts) = choice else {
            let part = if let [(_, part)] = declared.parts.as_slice() { *part } else { PartType::Any };
            return self.thing(choice, part, looks);
        };
        let written = ordered(declared, parts)
            .map(|(name, part, value)| format!("{} {}", name.replace('_', " "), self.thing(value, part, looks)));
        written.collect::<Vec<_>>().join(", ")
    }

    /// An answer in the short form of plays: `row=2 column=3`, `ace`, `pass`.
    pub fn written(&self, table: &Table, decision: &Decision, choice: &Choice) -> String {
        if *choice == Choice::Nothing
            && let Some(pass) = decision.pass
        {
            return pass.word().to_owned();
        }
        let declared = &self.model.decisions[decision.id.index()];
        let Choice::Parts(parts) = choice else { return self.short(table, choice, PartType::Any) };
        let written =
            ordered(declared, parts).map(|(name, part, value)| format!("{name}={}", self.short(table, value, part)));
        written.collect::<Vec<_>>().join(" ")
    }

    fn short(&self, table: &Table, choice: &Choice, part: PartType) -> String {
        match choice {
            Choice::Zone(zone) if matches!(part, PartType::Family(_)) => self.zone_label(*zone),
            Choice::Space(space) if matches!(part, PartType::Family(_)) => label_text(&self.model.space(*space).label),
            Choice::Zone(zone) => self.zone_path(*zone),
            Choice::Space(space) => self.space_path(*space),
            Choice::Component(component) => self.model.component(*component).id.to_string(),
            Choice::Piece(piece) => self.short_piece(table, *piece),
            Choice::Seat(seat) => self.seat(*seat).to_owned(),
            Choice::Many(all) => {
                all.iter().map(|one| self.short(table, one, PartType::Any)).collect::<Vec<_>>().join(" + ")
            }
            Choice::Parts(parts) => {
                let written =
                    parts.iter().map(|(name, value)| format!("{name}={}", self.short(table, value, PartType::Any)));
                written.collect::<Vec<_>>().join(" ")
            }
            Choice::Nothing => "nothing".to_owned(),
            Choice::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            Choice::Number(number) => number.to_string(),
            Choice::Word(word) => word.to_string(),
        }
    }

    fn short_piece(&self, table: &Table, piece: PieceId) -> String {
        let known = self.reader.is_none_or(|reader| table.knowers(piece) & reader != 0);
        let space = table.space_of(piece);
        let place = self.space_path(space);
        let depth = table.stack_from_bottom(space).take_while(|other| *other != piece).count() + 1;
        if known {
            let id = &self.model.component(table.component(piece)).id;
            let owner = table.owner(piece).map(|owner| format!("{}.", self.seat(owner))).unwrap_or_default();
            let single = self.model.zone(table.zone_of(piece)).spaces.len() == 1;
            if single { format!("{owner}{id}") } else { format!("{owner}{id}@{place}") }
        } else {
            format!("{place}#{depth}")
        }
    }

    // ----- things, as people read them

    fn thing(&self, choice: &Choice, part: PartType, looks: Looks<'_>) -> String {
        match choice {
            Choice::Nothing => self.word("nothing").to_owned(),
            Choice::Flag(flag) => self.word(if *flag { "yes" } else { "no" }).to_owned(),
            Choice::Number(number) => number.to_string(),
            Choice::Word(word) => word.replace('_', " "),
            Choice::Seat(seat) => self.seat(*seat).to_owned(),
            Choice::Zone(zone) if matches!(part, PartType::Family(_)) => self.zone_label(*zone),
            Choice::Space(space) if matches!(part, PartType::Family(_)) => label_text(&self.model.space(*space).label),
            Choice::Zone(zone) => self.zone_name(*zone),
            Choice::Space(space) => self.space_name(*space),
            Choice::Component(component) => self.component(*component).to_owned(),
            Choice::Piece(piece) => match looks.iter().find(|(known, _)| known == piece) {
                Some((_, look)) => self.look(look),
                None => self.word("piece").to_owned(),
            },
            Choice::Parts(parts) => {
                let written =
                    parts.iter().map(|(name, value)| format!("{name} {}", self.thing(value, PartType::Any, looks)));
                written.collect::<Vec<_>>().join(", ")
            }
            Choice::Many(all) if all.is_empty() => self.word("nothing").to_owned(),
            Choice::Many(all) => {
                all.iter().map(|one| self.thing(one, PartType::Any, looks)).collect::<Vec<_>>().join(" + ")
            }
        }
    }

    fn component(&self, component: ComponentId) -> &str {
        self.model.component(component).name.get(self.language)
    }

    fn knows(&self, look: &Look) -> bool {
        self.reader.is_none_or(|reader| look.known & reader != 0)
    }

    /// A piece by its face, or by its back and place where the reader does not know it.
    fn look(&self, look: &Look) -> String {
        let place = if self.model.zone(self.model.space(look.space).zone).spaces.len() > 1 {
            format!(" ({})", label_text(&self.model.space(look.space).label))
        } else {
            String::new()
        };
        format!("{}{place}", self.face(look))
    }

    fn face(&self, look: &Look) -> String {
        if !self.knows(look) {
            return self.word("hidden").to_owned();
        }
        let name = self.component(look.component);
        match look.owner {
            Some(owner) => self.of_seat(owner, name),
            None => name.to_owned(),
        }
    }

    fn of_seat(&self, seat: Seat, what: &str) -> String {
        match self.language {
            Language::English => format!("{}'s {what}", self.seat(seat)),
            Language::TraditionalChinese => format!("{}的{what}", self.seat(seat)),
        }
    }

    fn zone_label(&self, zone: ZoneId) -> String {
        let found = self.model.zone(zone);
        let family = self.model.family_of(zone);
        match (found.of, copy_label(family, found.copy)) {
            (_, Some(label)) => label_text(label),
            (Some(component), None) => self.component(component).to_owned(),
            (None, None) => family.name.get(self.language).to_owned(),
        }
    }

    /// A zone by its declared name, its owner and its label.
    pub fn zone_name(&self, zone: ZoneId) -> String {
        let found = self.model.zone(zone);
        let family = self.model.family_of(zone);
        let mut name = family.name.get(self.language).to_owned();
        if let Some(component) = found.of {
            let _ = write!(name, " {}", self.component(component));
        }
        if let Some(label) = copy_label(family, found.copy) {
            let _ = write!(name, " {}", label_text(label));
        }
        found.seat.map_or(name.clone(), |seat| self.of_seat(seat, &name))
    }

    fn space_name(&self, space: SpaceId) -> String {
        let found = self.model.space(space);
        let zone = self.zone_name(found.zone);
        if self.model.zone(found.zone).spaces.len() == 1 {
            zone
        } else {
            format!("{zone} {}", label_text(&found.label))
        }
    }

    fn zone_path(&self, zone: ZoneId) -> String {
        let found = self.model.zone(zone);
        found.seat.map_or_else(|| found.path.to_string(), |seat| format!("{}.{}", self.seat(seat), found.path))
    }

    /// A space in the short form of plays: `lots[2]`, `Ann.hand`, `board[2,3]`.
    pub fn space_path(&self, space: SpaceId) -> String {
        let found = self.model.space(space);
        let zone = self.zone_path(found.zone);
        if self.model.zone(found.zone).spaces.len() == 1 {
            zone
        } else {
            format!("{zone}[{}]", label_text(&found.label))
        }
    }

    fn holder(&self, holder: Holder) -> String {
        match holder {
            Holder::Game => String::new(),
            Holder::Seat(seat) => self.seat(seat).to_owned(),
            Holder::Component(component) => self.component(component).to_owned(),
            Holder::Piece(_) => self.word("piece").to_owned(),
            Holder::Space(space) => self.space_name(space),
        }
    }

    /// What a stored value means, as people read it.
    pub fn value(&self, id: ValueId, raw: i64) -> String {
        if raw == crate::model::Value::NOTHING {
            return self.word("nothing").to_owned();
        }
        match &self.model.value(id).kind {
            ValueType::Number => raw.to_string(),
            ValueType::Flag => self.word(if raw == 0 { "no" } else { "yes" }).to_owned(),
            ValueType::Word(words) => words[raw as usize].to_string(),
            ValueType::Seat => self.seat(Seat(raw as u8)).to_owned(),
            ValueType::Component(_) => self.component(ComponentId(raw as u16)).to_owned(),
            ValueType::Space(Some(_)) => label_text(&self.model.space(SpaceId(raw as u16)).label),
            ValueType::Space(None) => self.space_name(SpaceId(raw as u16)),
        }
    }

    // ----- events

    /// What happened, line by line; moves of one kind that follow each other share a line.
    pub fn narrate(&self, events: &[Event]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut at = 0;
        while at < events.len() {
            let event = &events[at];
            let mut next = at + 1;
            if self.reader.is_none_or(|reader| event.to & reader != 0) {
                if let Happening::Moved { look, to } = &event.what {
                    let mut moved = vec![look];
                    while let Some(Event { what: Happening::Moved { look: more, to: also }, .. }) = events.get(next) {
                        if also != to || more.space != look.space {
                            break;
                        }
                        moved.push(more);
                        next += 1;
                    }
                    lines.push(self.moved(&moved, *to));
                } else if let Some(line) = self.event(&event.what) {
                    lines.push(line);
                }
            }
            at = next;
        }
        lines
    }

    fn moved(&self, looks: &[&Look], to: SpaceId) -> String {
        let mut faces: Vec<(String, usize)> = Vec::new();
        for look in looks {
            let face = self.face(look);
            match faces.iter_mut().find(|(known, _)| *known == face) {
                Some((_, count)) => *count += 1,
                None => faces.push((face, 1)),
            }
        }
        let faces: Vec<String> =
            faces.into_iter().map(|(face, count)| if count == 1 { face } else { format!("{count}× {face}") }).collect();
        format!("    {} → {}: {}", self.space_name(looks[0].space), self.space_name(to), faces.join(", "))
    }

    fn event(&self, what: &Happening) -> Option<String> {
        Some(match what {
            Happening::Round(round) => match self.language {
                Language::English => format!("\nRound {round}"),
                Language::TraditionalChinese => format!("\n第 {round} 回合"),
            },
            Happening::Phase(phase) => format!("  {}", self.model.phases[phase.index()].name.get(self.language)),
            Happening::Chose { seat, decision, choice, looks } => self.chose(*seat, *decision, choice, looks),
            Happening::Shown { look } => format!("    {}: {}", self.space_name(look.space), self.face(look)),
            Happening::Turned { look, turned } => {
                let faces = &self.model.component(look.component).faces;
                let shown = faces.get(*turned as usize).map_or_else(|| turned.to_string(), field_text);
                format!("    {}: {shown}", self.face(look))
            }
            Happening::Set { value, holder, old, new } => {
                let name = self.model.value(*value).name.get(self.language);
                let (old, new) = (self.value(*value, *old), self.value(*value, *new));
                format!("    {} {name} {old} → {new}", self.holder(*holder)).replacen("     ", "    ", 1)
            }
            Happening::Shuffled(space) => match self.language {
                Language::English => format!("    {} is shuffled", self.space_name(*space)),
                Language::TraditionalChinese => format!("    {}洗牌", self.space_name(*space)),
            },
            Happening::Drawn(number) => format!("    {} {number}", self.word("chance")),
            Happening::Said { say, facts, looks } => {
                let mut text = self.model.says[say.index()].text.get(self.language).to_owned();
                for (name, fact) in facts.iter() {
                    text = text.replace(&format!("{{{name}}}"), &self.thing(fact, PartType::Any, looks));
                }
                format!("    {text}")
            }
            Happening::Ended(ending) => {
                format!("\n{}", self.model.endings[ending.index()].name.get(self.language))
            }
            Happening::Turn(_) | Happening::Moved { .. } => return None,
        })
    }

    fn chose(&self, seat: Seat, decision: DecisionId, choice: &Choice, looks: Looks<'_>) -> String {
        let declared = &self.model.decisions[decision.index()];
        let answer = if *choice == Choice::Nothing {
            self.word("pass").to_owned()
        } else {
            self.answer(decision, choice, looks)
        };
        let ask = declared.ask.get(self.language);
        format!("    {}: {} {answer}", self.seat(seat), ask.trim_end_matches(['?', '？', '.', '。']).to_owned() + ":")
    }

    /// A word of ours in the reader's language.
    pub fn word(&self, english: &'static str) -> &'static str {
        if self.language == Language::English {
            return english;
        }
        let known = [
            ("pass", "放棄"),
            ("done", "完成"),
            ("yes", "是"),
            ("no", "否"),
            ("nothing", "無"),
            ("hidden", "未知"),
            ("piece", "配件"),
            ("chance", "隨機"),
            ("rank", "名次"),
            ("score", "分數"),
        ];
        known.iter().find(|(word, _)| *word == english).map_or(english, |(_, words)| words)
    }
}

fn copy_label(family: &Family, copy: Option<u16>) -> Option<&Label> {
    family.copies.as_ref().zip(copy).map(|(labels, copy)| &labels[copy as usize])
}

fn field_text(value: &FieldValue) -> String {
    match value {
        FieldValue::Number(number) => number.to_string(),
        FieldValue::Word(word) => word.to_string(),
        FieldValue::Flag(flag) => flag.to_string(),
        _ => String::new(),
    }
}

/// The parts of an answer in the order in which the decision declares them; others after them.
fn ordered<'a>(
    declared: &'a Declared,
    parts: &'a [(Arc<str>, Choice)],
) -> impl Iterator<Item = (&'a str, PartType, &'a Choice)> {
    let known = declared.parts.iter().filter_map(|(name, part)| {
        parts.iter().find(|(given, _)| given == name).map(|(name, value)| (&**name, *part, value))
    });
    let other = parts.iter().filter(|(name, _)| !declared.parts.iter().any(|(known, _)| known == name));
    known.chain(other.map(|(name, value)| (&**name, PartType::Any, value)))
}

fn looks(table: &Table, choice: &Choice) -> Vec<(PieceId, Look)> {
    let mut found = Vec::new();
    collect(table, choice, &mut found);
    found
}

fn collect(table: &Table, choice: &Choice, found: &mut Vec<(PieceId, Look)>) {
    match choice {
        Choice::Piece(piece) => {
            let space = table.space_of(*piece);
            let depth = table.stack_from_bottom(space).take_while(|other| other != piece).count() as u16;
            let (component, owner) = (table.component(*piece), table.owner(*piece));
            found.push((*piece, Look { component, owner, known: table.knowers(*piece), space, depth }));
        }
        Choice::Parts(parts) => parts.iter().for_each(|(_, part)| collect(table, part, found)),
        Choice::Many(all) => all.iter().for_each(|one| collect(table, one, found)),
        _ => {}
    }
}
