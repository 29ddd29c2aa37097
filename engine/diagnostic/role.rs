//! What the files of a game's folder are for: the one home of their folders and endings.

use super::Source;

/// The file that makes a folder a game's.
pub const GAME: &str = "game.toml";

/// What the file of rules is called that a game has first, without its ending.
pub const FIRST_RULES: &str = "play";

/// What names of agents, and words behind a search, mean already: no file of an agent can be called so.
pub const AGENT_WORDS: [&str; 12] = [
    "cmd",
    "cores",
    "first",
    "human",
    "other",
    "plain",
    "playscript",
    "random",
    "score",
    "script",
    "search",
    "weighed",
];

/// What a file of a game is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `game.toml` itself.
    Game,
    /// How a sensible person would choose.
    Agent,
    /// Rows of components.
    Components,
    /// What the face of a kind of component, or its back, looks like.
    Face,
    /// Data that an option lays over the game's.
    Overlay,
    /// A scripted game.
    Play,
    /// Rules.
    Rules,
}

impl Role {
    /// Those that have a folder of their own.
    pub const IN_FOLDERS: [Self; 6] =
        [Self::Agent, Self::Components, Self::Face, Self::Overlay, Self::Play, Self::Rules];

    /// The folder such files lie in, below the game's; none for `game.toml`.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Game => "",
            Self::Agent => "agents",
            Self::Components => "components",
            Self::Face => "faces",
            Self::Overlay => "overlays",
            Self::Play => "plays",
            Self::Rules => "rules",
        }
    }

    /// What the names of such files end in, without the dot.
    pub const fn ending(self) -> &'static str {
        self.endings()[0]
    }

    /// All that the names of such files may end in: rows of components may lie in spreadsheets too.
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Components | Self::Overlay => &["toml", "csv", "ods", "xlsx"],
            Self::Game => &["toml"],
            Self::Agent | Self::Rules => &["rhai"],
            Self::Face => &["html"],
            Self::Play => &["play"],
        }
    }

    /// The role of the files in a folder of that name.
    pub fn of_folder(name: &str) -> Option<Self> {
        Self::IN_FOLDERS.into_iter().find(|role| role.folder() == name)
    }

    /// What a path below a game's folder is for, if the engine reads it. Playscripts may lie in folders of their own.
    pub fn of(path: &str) -> Option<Self> {
        if path == GAME {
            return Some(Self::Game);
        }
        let (folder, file) = path.split_once('/')?;
        let role = Self::of_folder(folder)?;
        let is_read = role.is_called(file) && (role == Self::Play || !file.contains('/'));
        is_read.then_some(role)
    }

    /// Whether the name of a file ends as those of this role do.
    pub fn is_called(self, file: &str) -> bool {
        file.rsplit_once('.').is_some_and(|(_, ending)| self.endings().contains(&ending)) && !is_lock(file)
    }

    /// Where a file of that name, without its ending, lies below the game's folder.
    pub fn path(self, name: &str) -> String {
        format!("{}/{name}.{}", self.folder(), self.ending())
    }

    /// What a file is called without its folders and its ending: `agents/trader.rhai` is `trader`.
    pub fn name(self, path: &str) -> &str {
        let file = path.rsplit('/').next().unwrap_or(path);
        file.strip_suffix(self.ending()).and_then(|stem| stem.strip_suffix('.')).unwrap_or(file)
    }
}

/// Whether a file is what a spreadsheet program keeps beside one that is open.
pub(super) fn is_lock(file: &str) -> bool {
    file.starts_with("~$") || file.starts_with(".~lock.")
}

impl Source {
    /// What it is for, where it is a file of a game, or a sheet of one.
    pub fn role(&self) -> Option<Role> {
        Role::of(self.file())
    }

    /// Whether it is a file of a game with scripts rather than data.
    pub fn is_script(&self) -> bool {
        matches!(self.role(), Some(Role::Rules | Role::Agent))
    }
}

#[cfg(test)]
mod tests {
    use super::Role;

    #[test]
    fn a_path_says_what_a_file_is_for() {
        let roles = [
            "game.toml",
            "agents/a.rhai",
            "components/a.toml",
            "faces/a.html",
            "overlays/a.toml",
            "plays/a.play",
            "rules/a.rhai",
        ];
        let found = roles.map(|path| Role::of(path).unwrap());
        assert_eq!(found[0], Role::Game);
        assert_eq!(found[1..], Role::IN_FOLDERS);
        assert_eq!(Role::of("plays/deep/a.play"), Some(Role::Play));
        for path in ["components/a.csv", "components/a.ods", "components/a.xlsx"] {
            assert_eq!(Role::of(path), Some(Role::Components), "{path}");
        }
        for lock in ["components/~$a.xlsx", "components/.~lock.a.ods#", "rules/a.csv"] {
            assert_eq!(Role::of(lock), None, "{lock}");
        }
        for other in ["a/game.toml", "rules/deep/a.rhai", "rules/a.txt", "rules/rhai", "README.md", "rules"] {
            assert_eq!(Role::of(other), None, "{other}");
        }
        assert_eq!(Role::Agent.name(&Role::Agent.path("trader")), "trader");
    }
}
