//! `parlour reference`: prints the reference of functions and TOML keys.

use super::examples;
use super::keys::markdown as page_of_keys;
use super::output::{Failure, Output};
use super::reference_page::{call_text, markdown, topics};
use crate::diagnostic::{Role, did_you_mean};
use crate::library::{CALLED_IN_AGENTS, CALLED_IN_RULES, Entry, RESERVED_NAMES, RESERVED_PROPERTIES};
use crate::loader::{Described, keys, schema};
use crate::script::Host;
use crate::syntax::reserved_words;
use clap::{Args, ValueEnum};

/// Prints the reference of the functions and keys that games are written with
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour reference",
    "parlour reference decisions     one topic",
    "parlour reference draw          one function",
    "parlour reference lasts         one key of TOML files",
    "parlour reference --files       all keys of TOML files",
    "parlour reference --reserved    names that a game cannot declare",
    "parlour reference --schema game > game.schema.json   the keys of game.toml, for other programs",
    "parlour reference --format markdown   the page of the guide",
))]
pub(super) struct Reference {
    /// Topic, function or TOML key [default: all functions]
    topic: Option<String>,
    /// Print the keys of `game.toml` and component files instead of the functions
    #[arg(long, conflicts_with = "topic")]
    files: bool,
    /// Print the names that a game cannot declare. The list is frozen: if a later version adds a name to the library, a game's own
    /// declaration of that name takes precedence
    #[arg(long, conflicts_with_all = ["topic", "files", "schema", "format"])]
    reserved: bool,
    /// Print the JSON Schema (draft 7) of one kind of TOML file, for editors and other programs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["topic", "files", "format"])]
    schema: Option<SchemaKind>,
    /// Output format; `markdown` prints a page of the guide
    #[arg(long, default_value = "text", conflicts_with = "topic")]
    format: Format,
}

/// Kind of TOML file that a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SchemaKind {
    /// `game.toml`
    Game,
    /// Files in `components/`
    Components,
    /// Files in `overlays/`
    Overlay,
}

impl SchemaKind {
    fn role(self) -> Role {
        match self {
            Self::Game => Role::Game,
            Self::Components => Role::Components,
            Self::Overlay => Role::Overlay,
        }
    }
}

/// Output format of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Markdown,
}

impl Reference {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        if let Some(schema) = self.schema.and_then(|of| schema(of.role())) {
            return output.line(format!("{schema:#}"));
        }
        if self.reserved {
            return print_reserved(output);
        }
        if self.files {
            return match self.format {
                Format::Markdown => output.line(page_of_keys(&keys()).trim_end()),
                Format::Text => print_keys(&keys(), output),
            };
        }
        let entries = Host::vocabulary();
        if self.format == Format::Markdown {
            return output.line(markdown(&entries).trim_end());
        }
        let mut found: Vec<&Entry> = match &self.topic {
            None => entries.iter().collect(),
            Some(wanted) => entries.iter().filter(|entry| is_wanted(entry, wanted)).collect(),
        };
        if let Some(wanted) = self.topic.as_ref().filter(|_| found.is_empty()) {
            found = entries.iter().filter(|entry| mentions(entry.topic, wanted)).collect();
        }
        let mut of_files: Vec<Described> = Vec::new();
        if let Some(wanted) = &self.topic {
            of_files = keys();
            of_files.retain(|key| key.name == *wanted || key.table.split('.').any(|part| part == wanted));
        }
        if let Some(wanted) = self.topic.as_ref().filter(|_| found.is_empty() && of_files.is_empty()) {
            let known = entries.iter().flat_map(|entry| [entry.topic, &entry.name]);
            let help = did_you_mean(wanted, known)
                .unwrap_or_else(|| format!("the topics are {}", topics(&entries).join(", ")));
            return Err(Failure::Usage(format!("there is no topic or function `{wanted}`"), Some(help)));
        }
        let mut topic = "";
        for entry in found {
            if entry.topic != topic {
                output.line(format!("{}{}", if topic.is_empty() { "" } else { "\n" }, entry.topic))?;
                topic = entry.topic;
            }
            output.line(format!("\n  {}", signature(entry)))?;
            output.line(format!("      {}", entry.doc))?;
            if !entry.example.is_empty() {
                output.line(format!("      > {}", entry.example))?;
            }
        }
        if !topic.is_empty() && !of_files.is_empty() {
            output.line("")?;
        }
        print_keys(&of_files, output)
    }
}

/// Prints the names that a game cannot declare, grouped by kind of declaration, and the functions that the engine calls by name.
fn print_reserved(output: &mut Output) -> Result<(), Failure> {
    for (of, names) in RESERVED_PROPERTIES {
        output.line(format!("fields, values and zones of a {}: {}", of.word(), names.join(", ")))?;
    }
    output.line(format!("zones, values, params and options: {}", RESERVED_NAMES.join(", ")))?;
    let mut words: Vec<&str> = reserved_words().collect();
    words.sort_unstable();
    output.line(format!("any name in rules: {}", words.join(", ")))?;
    let called = |names: [&str; 4]| {
        names.map(|name| if name.ends_with('_') { format!("{name}…") } else { name.into() }).join(", ")
    };
    output.line(format!("functions that the engine calls in rules: {}", called(CALLED_IN_RULES)))?;
    output.line(format!("functions that the engine calls in agents: {}", called(CALLED_IN_AGENTS)))
}

/// Prints keys, grouped by table.
fn print_keys(keys: &[Described], output: &mut Output) -> Result<(), Failure> {
    let mut table: Option<&str> = None;
    for key in keys {
        if table != Some(&key.table) {
            let gap = if table.is_some() { "\n" } else { "" };
            let head =
                if key.table.is_empty() { "sections of game.toml".to_owned() } else { format!("[{}]", key.table) };
            output.line(format!("{gap}{head}"))?;
            table = Some(&key.table);
        }
        output.line(format!("\n  {}: {}", key.name, key.written))?;
        output.line(format!("      {}", key.about))?;
    }
    Ok(())
}

/// Returns whether the name of a topic contains a word, in the singular or plural.
fn mentions(topic: &str, wanted: &str) -> bool {
    let stem = |entry: &str| entry.to_lowercase().trim_end_matches('s').to_owned();
    topic.split(|c: char| !c.is_alphanumeric()).any(|entry| stem(entry) == stem(wanted))
}

/// Returns whether an entry has the wanted topic or name.
fn is_wanted(entry: &Entry, wanted: &str) -> bool {
    entry.topic.eq_ignore_ascii_case(wanted) || entry.name == wanted
}

fn signature(entry: &Entry) -> String {
    let typed: Vec<String> =
        entry.params.iter().zip(&entry.types).map(|(name, kind)| format!("{name}: {}", kind.word())).collect();
    call_text(entry, &typed)
}
