//! Forms of a table's pages, and the requests that they make.

use super::table::TableRequest;
use serde::Deserialize;

/// Fields of all forms on a table's pages. Each form sends only some of them.
#[derive(Debug, Deserialize, Default)]
pub(super) struct FormFields {
    pub(super) question: Option<String>,
    pub(super) token: Option<String>,
    pub(super) option: Option<usize>,
    pub(super) number: Option<i64>,
    pub(super) text: Option<String>,
    pub(super) seat: Option<u8>,
    pub(super) agent: Option<String>,
    pub(super) games: Option<u64>,
    pub(super) who: Option<String>,
}

impl FormFields {
    /// Creates the fields from pairs of name and value. Leaves out numbers that cannot be parsed.
    #[cfg(not(feature = "system"))]
    pub(super) fn from_pairs(pairs: &[(String, String)]) -> Self {
        let value = |name: &str| pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let number = |name: &str| value(name).and_then(|value| value.parse().ok());
        Self {
            question: value("question"),
            token: value("token"),
            option: number("option"),
            number: value("number").and_then(|value| value.parse().ok()),
            text: value("text"),
            seat: value("seat").and_then(|value| value.parse().ok()),
            agent: value("agent"),
            games: value("games").and_then(|value| value.parse().ok()),
            who: value("who"),
        }
    }
}

/// Returns the request that the form `what` makes. Returns `None` if there is no such form or if one of its fields is missing.
pub(super) fn table_request(what: &str, sent: FormFields) -> Option<TableRequest> {
    let question = sent.question;
    Some(match (what, sent.option, sent.number) {
        ("choose", Some(at), _) => TableRequest::Choose { question: question?, at },
        ("choose", None, Some(number)) => TableRequest::Number { question: question?, number },
        ("take-back", ..) => TableRequest::TakeBack { question: question? },
        ("undo", ..) => TableRequest::Undo { token: sent.token? },
        ("agree", ..) => TableRequest::Agree { is_so: true, token: sent.token? },
        ("refuse", ..) => TableRequest::Agree { is_so: false, token: sent.token? },
        ("note", ..) => TableRequest::Note(sent.text?),
        ("new-rules", ..) => TableRequest::Rules { is_new: true, token: sent.token? },
        ("old-rules", ..) => TableRequest::Rules { is_new: false, token: sent.token? },
        ("follow", ..) => TableRequest::Follow { token: sent.token? },
        ("again", ..) => TableRequest::Again { token: sent.token? },
        ("give", ..) => TableRequest::Give { seat: sent.seat?, agent: sent.agent?, token: sent.token? },
        _ => return None,
    })
}
