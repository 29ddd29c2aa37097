//! Roles of the files in a game's folder. Names of folders and extensions are defined only here.

use super::Source;

/// File whose presence makes a folder a game.
pub const GAME: &str = "game.toml";

/// Name of the first rule file of a new game, without its extension.
pub const FIRST_RULES: &str = "play";

/// Reserved words of agent specifications. An agent file of a game cannot have one of these names.
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

/// Role of a file in a game's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `game.toml`.
    Game,
    /// Heuristic agent: a script that chooses for a seat.
    Agent,
    /// Data file with rows of components.
    Components,
    /// HTML template for the face or the back of a kind of component.
    Face,
    /// Data file that an option merges into the game's data.
    Overlay,
    /// Playscript: a scripted game.
    Play,
    /// Rule file: a script with the rules.
    Rules,
}

impl Role {
    /// Roles whose files are in a folder of their own.
    pub const IN_FOLDERS: [Self; 6] =
        [Self::Agent, Self::Components, Self::Face, Self::Overlay, Self::Play, Self::Rules];

    /// Returns the name of the folder of this role below the game's folder; empty for `game.toml`.
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

    /// Returns the main extension of this role, without the dot.
    pub const fn ending(self) -> &'static str {
        self.endings()[0]
    }

    /// Returns all extensions of this role. Components and overlays may be spreadsheets.
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Components | Self::Overlay => &["toml", "csv", "ods", "xlsx"],
            Self::Game => &["toml"],
            Self::Agent | Self::Rules => &["rhai"],
            Self::Face => &["html"],
            Self::Play => &["play"],
        }
    }

    /// Returns the role of the files in the folder `name`. Returns `None` if the folder has no role.
    pub fn of_folder(name: &str) -> Option<Self> {
        Self::IN_FOLDERS.into_iter().find(|role| role.folder() == name)
    }

    /// Returns the role of a file, given its path below the game's folder. Returns `None` if the engine does not read the file. Only
    /// playscripts may be in nested folders.
    pub fn of(path: &str) -> Option<Self> {
        if path == GAME {
            return Some(Self::Game);
        }
        let (folder, file) = path.split_once('/')?;
        let role = Self::of_folder(folder)?;
        let is_read = role.is_called(file) && (role == Self::Play || !file.contains('/'));
        is_read.then_some(role)
    }

    /// Returns whether a file name has an extension of this role and is not a lock file.
    pub fn is_called(self, file: &str) -> bool {
        file.rsplit_once('.').is_some_and(|(_, ending)| self.endings().contains(&ending)) && !is_lock(file)
    }

    /// Returns the path, below the game's folder, of a file of this role. `name` has no extension.
    pub fn path(self, name: &str) -> String {
        format!("{}/{name}.{}", self.folder(), self.ending())
    }

    /// Returns the name of a file without its folders and the role's main extension: `trader` for `agents/trader.rhai`. Keeps other
    /// extensions.
    pub fn name(self, path: &str) -> &str {
        let file = path.rsplit('/').next().unwrap_or(path);
        file.strip_suffix(self.ending()).and_then(|stem| stem.strip_suffix('.')).unwrap_or(file)
    }
}

/// Returns whether a file is a lock file of a spreadsheet program.
pub(super) fn is_lock(file: &str) -> bool {
    file.starts_with("~$") || file.starts_with(".~lock.")
}

impl Source {
    /// Returns the role of this file or sheet in a game, if it has one.
    pub fn role(&self) -> Option<Role> {
        Role::of(self.file())
    }

    /// Returns whether this is a script (rules or an agent) rather than data.
    pub fn is_script(&self) -> bool {
        matches!(self.role(), Some(Role::Rules | Role::Agent))
    }
}

#[cfg(test)]
mod tests {
    use super::Role;

    #[test]
    fn role_follows_from_folder_and_extension() {
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
