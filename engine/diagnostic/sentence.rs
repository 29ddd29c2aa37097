//! What several parts say of one mistake, in the same words: what is found before play, by a function of the library, and by the machine.

/// A mistake without its place: its code, what is there and what was expected, what stands under the caret, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// The code.
    pub code: &'static str,
    /// What is there and what was expected.
    pub headline: String,
    /// What the words under the caret say.
    pub note: &'static str,
    /// What to do.
    pub help: Option<&'static str>,
}

/// What is tried out on a copy of the table reaches something that no copy can answer.
const WHILE_SUPPOSING: &str = "while-supposing";

/// A seat is asked where nothing may be asked.
pub fn choice_out_of_place() -> Sentence {
    let headline = "no decision can be asked here".to_owned();
    Sentence { code: "choice-out-of-place", headline, note: "asks a seat", help: None }
}

/// The same in a function `|…|` that may not wait.
pub fn choice_in_a_closure() -> Sentence {
    Sentence { help: Some("ask before, and use the answer in the function `|…|`"), ..choice_out_of_place() }
}

/// The same in a trial.
pub fn choice_in_a_trial() -> Sentence {
    Sentence {
        code: WHILE_SUPPOSING,
        headline: "no decision can be asked in a trial".to_owned(),
        note: "asks a seat",
        help: Some("ask before, and use the answer in the function `|…|`"),
    }
}

/// Something is drawn at random in a trial.
pub fn draw_in_a_trial() -> Sentence {
    Sentence {
        code: WHILE_SUPPOSING,
        headline: "nothing is drawn at random in a trial".to_owned(),
        note: "draws at random",
        help: Some("leave it out of the function `|…|`: what would be drawn, nobody can know"),
    }
}

/// The game ends in a trial.
pub fn end_in_a_trial() -> Sentence {
    Sentence {
        code: WHILE_SUPPOSING,
        headline: "the game does not end in a trial".to_owned(),
        note: "ends the game",
        help: Some("leave it out of the function `|…|`; `ends_as` may stand there"),
    }
}

/// Something changes where rules only read.
pub fn change_while_reading() -> Sentence {
    Sentence {
        code: "change-while-reading",
        headline: "nothing can change here".to_owned(),
        note: "changes the table",
        help: Some("change the table in a step of a phase; where options are listed, before or after the answer"),
    }
}

/// Something changes while several seats are asked together.
pub fn change_while_asking() -> Sentence {
    Sentence {
        code: "change-while-asking",
        headline: "nothing may change while several seats are asked together".to_owned(),
        note: "changes the table",
        help: Some("return the answer from the function given to `together`, and change the table afterwards"),
    }
}

/// Something else than whole moves stands among those that happen at once.
pub fn change_at_once() -> Sentence {
    Sentence {
        code: "change-at-once",
        headline: "only whole moves happen at once".to_owned(),
        note: "changes the table otherwise",
        help: Some("use `move_to` or `move_under` here; do the rest before or after `at_once`"),
    }
}

/// What is neither `true` nor `false` stands where one of them is needed: something as designers call it, perhaps `()`.
pub fn flag_expected(found: &str, is_nothing: bool) -> Sentence {
    let help = if is_nothing {
        "write a comparison, or let the function end in one"
    } else {
        "write a comparison: `x > 0`, `x != ()`"
    };
    let headline = format!("a flag was expected, not {found}");
    Sentence { code: "wrong-type", headline, note: "of another type", help: Some(help) }
}
