//! The engine's own words and signs in each language; all other words are the game's.

use crate::model::Language;

/// How the engine speaks one language.
#[derive(Debug)]
pub(super) struct Phrases {
    /// Between the things of a list.
    pub(super) comma: &'static str,
    /// Between the things that happened.
    pub(super) semicolon: &'static str,
    /// Between a name and what is said of it.
    pub(super) colon: &'static str,
    /// Between what was done and what came of it.
    pub(super) dash: &'static str,
    /// Words, with the English ones they stand for.
    words: &'static [(&'static str, &'static str)],
    is_english: bool,
}

const ENGLISH: Phrases =
    Phrases { comma: ", ", semicolon: "; ", colon: ": ", dash: " — ", words: &[], is_english: true };

const TRADITIONAL_CHINESE: Phrases = Phrases {
    comma: "、",
    semicolon: "；",
    colon: "：",
    dash: "——",
    words: &[
        ("pass", "放棄"),
        ("done", "完成"),
        ("yes", "是"),
        ("no", "否"),
        ("nothing", "無"),
        ("piece", "配件"),
        ("round", "回合"),
        ("a hidden piece", "一個未公開配件"),
        ("face up", "正面朝上"),
        ("face down", "正面朝下"),
        ("shuffled", "洗牌"),
        ("drawn", "隨機數"),
        ("The game ends", "遊戲結束"),
    ],
    is_english: false,
};

impl Phrases {
    /// How the engine speaks a language.
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::TraditionalChinese => &TRADITIONAL_CHINESE,
        }
    }

    /// Whatever the engine says of its own.
    pub(super) fn all(&self) -> Vec<String> {
        let words = TRADITIONAL_CHINESE.words.iter();
        let words = words.map(|(english, word)| if self.is_english { *english } else { *word }.to_owned());
        let shown = [Some(true), Some(false), None].map(|turned_up| self.shown("", "", turned_up));
        let more = [
            self.possessive("", ""),
            self.hidden(2),
            self.refilled("", ""),
            self.round(1, ""),
            self.after_round(0, ""),
            self.after_round(1, ""),
            self.rounds(2, ""),
            self.hidden_one(""),
            self.space_labeled(""),
            self.counted_up(1),
            self.passes("", None),
            self.passes("", Some("")),
        ];
        words.chain(shown).chain(more).collect()
    }

    /// A word of ours.
    pub(super) fn word(&self, english: &'static str) -> &'static str {
        self.words.iter().find(|(known, _)| *known == english).map_or(english, |(_, word)| word)
    }

    /// What somebody or something has.
    pub(super) fn possessive(&self, owner: &str, what: &str) -> String {
        if !self.is_english {
            return format!("{owner}的{what}");
        }
        let ending = if owner.ends_with('s') { "'" } else { "'s" };
        format!("{owner}{ending} {what}")
    }

    /// So many pieces whose faces the reader does not know.
    pub(super) fn hidden(&self, count: usize) -> String {
        if self.is_english { format!("{count} hidden") } else { format!("{count} 個未公開") }
    }

    /// Pieces of a place are turned over, or shown as they lie.
    pub(super) fn shown(&self, place: &str, faces: &str, turned_up: Option<bool>) -> String {
        match (self.is_english, turned_up) {
            (true, Some(true)) => format!("turned up in {place}: {faces}"),
            (true, Some(false)) => format!("turned down in {place}: {faces}"),
            (true, None) => format!("shown from {place}: {faces}"),
            (false, Some(true)) => format!("翻開{place}：{faces}"),
            (false, Some(false)) => format!("蓋住{place}：{faces}"),
            (false, None) => format!("公開{place}：{faces}"),
        }
    }

    /// A pile is refilled.
    pub(super) fn refilled(&self, pile: &str, from: &str) -> String {
        if self.is_english {
            format!("{pile} is empty: {from} is shuffled into it")
        } else {
            format!("{pile}已空：將{from}洗入")
        }
    }

    /// A thing with a remark.
    pub(super) fn in_parentheses(&self, what: &str, remark: &str) -> String {
        if self.is_english { format!("{what} ({remark})") } else { format!("{what}（{remark}）") }
    }

    /// A round begins; `called` is what a round is called here.
    pub(super) fn round(&self, number: i64, called: &str) -> String {
        if self.is_english { format!("{} {number}", capitalized(called)) } else { format!("第 {number} {called}") }
    }

    /// A round is over, or the setup is.
    pub(super) fn after_round(&self, number: i64, called: &str) -> String {
        match (self.is_english, number) {
            (true, 0) => "After the setup".to_owned(),
            (true, number) => format!("After {} {number}", uncapitalized(called)),
            (false, 0) => "設置之後".to_owned(),
            (false, number) => format!("第 {number} {called}之後"),
        }
    }

    /// How many rounds there were.
    pub(super) fn rounds(&self, number: i64, called: &str) -> String {
        match (self.is_english, number) {
            (true, 1) => format!("1 {}", uncapitalized(called)),
            (true, number) => format!("{number} {}s", uncapitalized(called)),
            (false, number) => format!("{number} {called}"),
        }
    }

    /// A piece of a kind, of which no more is known.
    pub(super) fn hidden_one(&self, kind: &str) -> String {
        if self.is_english { format!("a hidden {}", uncapitalized(kind)) } else { format!("一個未公開的{kind}") }
    }

    /// One of several spaces, by its label.
    pub(super) fn space_labeled(&self, label: &str) -> String {
        if self.is_english { format!("space {label}") } else { format!("「{label}」格") }
    }

    /// A piece in a pile, counted from below.
    pub(super) fn counted_up(&self, number: usize) -> String {
        if !self.is_english {
            return format!("由下數第 {number}");
        }
        let ending = match (number % 10, number % 100) {
            (1, last) if last != 11 => "st",
            (2, last) if last != 12 => "nd",
            (3, last) if last != 13 => "rd",
            _ => "th",
        };
        format!("{number}{ending} from below")
    }

    /// A seat passes; `called` is what passing is called here.
    pub(super) fn passes(&self, seat: &str, called: Option<&str>) -> String {
        match (self.is_english, called) {
            (true, Some(called)) => format!("{seat} chooses to {called}"),
            (true, None) => format!("{seat} passes"),
            (false, Some(called)) => format!("{seat}選擇{called}"),
            (false, None) => format!("{seat}放棄"),
        }
    }

    /// An answer to a question for which the game has no sentence.
    pub(super) fn answers(&self, seat: &str, ask: &str, answer: &str) -> String {
        self.in_parentheses(&format!("{seat}{}{answer}", self.colon), ask.trim_end_matches(['.', '。']))
    }
}

/// So many of a thing.
pub(super) fn several(count: usize, what: &str) -> String {
    if count == 1 { what.to_owned() } else { format!("{count} × {what}") }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn uncapitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
