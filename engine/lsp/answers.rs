//! Answers to requests of the editor.

use super::position::{Encoding, Lines};
use super::server::Server;
use super::{convert, play_commands};
use crate::agents;
use crate::diagnostic::{Diagnostic, Role};
use crate::ide::{self, EntrySort, GameKnowledge};
use crate::loader::DeclaredNameKind;
use crate::playscript::Cast;
use crate::session::Game;
use lsp_types::{Position, Range};
use serde_json::{Map, Value, json};
use std::ops::Range as Span;
use std::path::Path;
use std::rc::Rc;
use std::sync::PoisonError;

/// Name of the command that runs a scene.
const RUN: &str = "parlour.run";

/// Name of the command that shows the table at a line of a playscript.
const TABLE: &str = "parlour.table";

/// Name of the command that shows the table at the beginning of a phase.
const PHASE: &str = "parlour.phase";

/// Name of the command that plays a phase, and shows the table at its end.
const RUN_PHASE: &str = "parlour.run_phase";

/// Maximum number of completions, or of symbols for each game, in one answer.
const MAX_ITEMS: usize = 500;

/// Returns the capabilities of the server.
pub(super) fn capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": encoding.name(),
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "completionProvider": { "triggerCharacters": [".", "\"", ":", " ", "=", "["], "resolveProvider": false },
        "hoverProvider": true,
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix", "source"] },
        "codeLensProvider": { "resolveProvider": false },
        "executeCommandProvider": { "commands": [RUN, TABLE, PHASE, RUN_PHASE] },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": ide::COLORS, "tokenModifiers": [] },
            "full": true,
        },
    })
}

/// File and byte offset that a request is about.
struct RequestTarget {
    uri: String,
    path: String,
    text: String,
    at: usize,
}

type RequestAnswer = Option<Result<Value, String>>;

impl Server {
    /// Answers a request. Returns `None` if the method is unknown.
    pub(super) fn answer_method(&mut self, method: &str, params: &Value) -> RequestAnswer {
        let answer = match method {
            "textDocument/completion" => self.completion(params),
            "textDocument/hover" => self.hover(params),
            "textDocument/signatureHelp" => self.signature_help(params),
            "textDocument/definition" => {
                self.places(params, |known, here, _| ide::definition(known, &here.path, here.at))
            }
            "textDocument/references" => {
                let with = params.pointer("/context/includeDeclaration").is_none_or(|with| *with != false);
                self.places(params, |known, here, _| ide::references(known, &here.path, here.at, with))
            }
            "textDocument/documentHighlight" => self.highlight(params),
            "textDocument/prepareRename" => self.prepare_rename(params),
            "textDocument/rename" => return Some(self.rename(params)),
            "textDocument/documentSymbol" => self.symbols(params),
            "workspace/symbol" => Some(self.all_symbols(params)),
            "textDocument/foldingRange" => self.folding(params),
            "textDocument/semanticTokens/full" => self.colors(params),
            "textDocument/codeAction" => self.actions(params),
            "textDocument/codeLens" => self.lenses(params),
            "workspace/executeCommand" => return self.execute_command(params),
            _ => return None,
        };
        Some(Ok(answer.unwrap_or(Value::Null)))
    }

    /// Returns the file and the byte offset that a request is about.
    fn here(&mut self, params: &Value) -> Option<RequestTarget> {
        let uri = params.pointer("/textDocument/uri")?.as_str()?.to_owned();
        let text = self.documents.text(&uri)?;
        let number = |name: &str| params.pointer(&format!("/position/{name}")).and_then(Value::as_u64).unwrap_or(0);
        let position = Position::new(number("line") as u32, number("character") as u32);
        let at = self.encoding.byte(&text, position);
        let (place, _) = self.documents.game(&uri)?;
        Some(RequestTarget { uri, path: place.path, text, at })
    }

    fn known(&mut self, uri: &str) -> Option<Rc<GameKnowledge>> {
        self.documents.game(uri)?.1.known().ok()
    }

    /// Returns the game of a file: the last playable version, or otherwise the current one.
    fn playable(&mut self, uri: &str) -> Option<Game> {
        let (place, bench) = self.documents.game(uri)?;
        let shared = || self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(game) = shared().playable(&place.folder) {
            return Some(game);
        }
        let game = ide::check_game(bench.files().ok()?).1?;
        shared().keep_game(&place.folder, &game);
        Some(game)
    }

    fn completion(&mut self, params: &Value) -> Option<Value> {
        let here = self.here(params)?;
        let is_play = Role::of(&here.path) == Some(Role::Play);
        let game = if is_play { self.playable(&here.uri) } else { None };
        let lines_of = here.text.clone();
        let (_, bench) = self.documents.game(&here.uri)?;
        let complete = |cast: &Cast<'_>| ide::complete(bench, &here.path, here.at, cast);
        let all = if let Some(game) = game {
            play_commands::with_cast(&game, complete)
        } else {
            play_commands::without_game(complete)
        };
        let lines = Lines::new(&lines_of, self.encoding);
        let typed = |start: usize| here.text.get(start..here.at).unwrap_or_default();
        let begins = |one: &&ide::Completion| {
            let typed = typed(one.start).to_lowercase();
            typed.is_empty() || one.label.to_lowercase().contains(&typed)
        };
        let fitting: Vec<&ide::Completion> = all.iter().filter(begins).collect();
        let is_incomplete = fitting.len() > MAX_ITEMS;
        let item = |(at, one): (usize, &&ide::Completion)| {
            let start = one.start.min(here.at);
            let mut item = json!({
                "label": one.label,
                "kind": convert::completion_kind(one.sort),
                "sortText": format!("{at:05}"),
                "filterText": one.insert,
                "textEdit": { "range": Range::new(lines.position(start), lines.position(here.at)), "newText": one.insert },
            });
            if !one.detail.is_empty() {
                item["detail"] = json!(one.detail);
            }
            if !one.about.is_empty() {
                item["documentation"] = json!({ "kind": "markdown", "value": one.about });
            }
            item
        };
        let items: Vec<Value> = fitting.iter().take(MAX_ITEMS).enumerate().map(item).collect();
        Some(json!({ "isIncomplete": is_incomplete, "items": items }))
    }

    fn hover(&mut self, params: &Value) -> Option<Value> {
        let here = self.here(params)?;
        let known = self.known(&here.uri)?;
        let (place, text) = ide::hover(&known, &here.path, here.at)?;
        Some(json!({
            "contents": { "kind": "markdown", "value": text },
            "range": convert::range(&place, self.encoding),
        }))
    }

    fn signature_help(&mut self, params: &Value) -> Option<Value> {
        let here = self.here(params)?;
        let (_, bench) = self.documents.game(&here.uri)?;
        let known = bench.last_known().ok()?;
        let (all, at) = ide::signature(&known, &here.text, here.at)?;
        let one = |signature: &ide::Signature| {
            let params: Vec<Value> = signature.params.iter().map(|param| json!({ "label": param })).collect();
            json!({ "label": signature.label, "documentation": signature.about, "parameters": params })
        };
        let signatures: Vec<Value> = all.iter().map(one).collect();
        Some(json!({ "signatures": signatures, "activeSignature": 0, "activeParameter": at }))
    }

    /// Answers a request with the places that `find` returns.
    fn places(
        &mut self,
        params: &Value,
        find: impl FnOnce(&GameKnowledge, &RequestTarget, &Path) -> Vec<crate::diagnostic::Place>,
    ) -> Option<Value> {
        let here = self.here(params)?;
        let (place, bench) = self.documents.game(&here.uri)?;
        let known = bench.known().ok()?;
        let found = find(&known, &here, &place.folder);
        let all: Vec<Value> = found.iter().map(|one| convert::location(one, &place.folder, self.encoding)).collect();
        Some(json!(all))
    }

    fn highlight(&mut self, params: &Value) -> Option<Value> {
        let here = self.here(params)?;
        let known = self.known(&here.uri)?;
        let all = ide::references(&known, &here.path, here.at, true);
        let here: Vec<Value> = all
            .iter()
            .filter(|place| place.source.path == here.path)
            .map(|place| json!({ "range": convert::range(place, self.encoding) }))
            .collect();
        Some(json!(here))
    }

    fn prepare_rename(&mut self, params: &Value) -> Option<Value> {
        let here = self.here(params)?;
        let known = self.known(&here.uri)?;
        let place = ide::renamable_place(&known, &here.path, here.at)?;
        let name = &place.source.text[place.span.clone()];
        Some(json!({ "range": convert::range(&place, self.encoding), "placeholder": name }))
    }

    fn rename(&mut self, params: &Value) -> Result<Value, String> {
        let Some(here) = self.here(params) else { return Ok(Value::Null) };
        let name = params.get("newName").and_then(Value::as_str).unwrap_or_default();
        let Some((place, bench)) = self.documents.game(&here.uri) else { return Ok(Value::Null) };
        let edits = ide::rename(bench, &here.path, here.at, name, &agents::in_play)?;
        let mut changes = Map::new();
        for (path, edits) in edits {
            let text = bench.text(&path).unwrap_or_default();
            let lines = Lines::new(text, self.encoding);
            let edit = |(span, new): &(Span<usize>, String)| json!({ "range": lines.range(span), "newText": new });
            let all: Vec<Value> = edits.iter().map(edit).collect();
            changes.insert(super::uri::uri_of(&place.folder.join(path)), json!(all));
        }
        Ok(json!({ "changes": changes }))
    }

    fn symbols(&mut self, params: &Value) -> Option<Value> {
        let here = self.here(params)?;
        let known = self.known(&here.uri)?;
        let lines = Lines::new(&here.text, self.encoding);
        let symbol = |entry: &ide::OutlineEntry| {
            json!({
                "name": if entry.name.is_empty() { "?" } else { &entry.name },
                "kind": convert::symbol_kind(entry.sort),
                "range": lines.range(&entry.full_span),
                "selectionRange": lines.range(&entry.span),
            })
        };
        let all: Vec<Value> = ide::entries(&known, &here.path, &here.text).iter().map(symbol).collect();
        Some(json!(all))
    }

    fn all_symbols(&mut self, params: &Value) -> Value {
        let wanted = params.get("query").and_then(Value::as_str).unwrap_or_default().to_lowercase();
        let mut found = Vec::new();
        for folder in self.documents.folders() {
            let Some(known) = self.documents.bench(&folder).and_then(|bench| bench.known().ok()) else { continue };
            let declared = known.occurrences.iter().filter(|one| one.is_declared);
            for one in declared.filter(|one| one.name.to_lowercase().contains(&wanted)).take(MAX_ITEMS) {
                if let ide::Meaning::Game(category) = one.meaning {
                    let location = convert::location(&one.place, &folder, self.encoding);
                    let kind = convert::symbol_kind(EntrySort::Name(category));
                    found.push(json!({ "name": &*one.name, "kind": kind, "location": location }));
                }
            }
        }
        json!(found)
    }

    fn folding(&mut self, params: &Value) -> Option<Value> {
        let here = self.here(params)?;
        let known = self.known(&here.uri)?;
        let lines = Lines::new(&here.text, self.encoding);
        let fold = |span: &Span<usize>| {
            let range = lines.range(span);
            json!({ "startLine": range.start.line, "endLine": range.end.line })
        };
        let mut all: Vec<Value> = ide::folding_ranges(&known, &here.path, &here.text).iter().map(fold).collect();
        // A function and its body fold the same lines.
        all.dedup();
        Some(json!(all))
    }

    fn colors(&mut self, params: &Value) -> Option<Value> {
        let here = self.here(params)?;
        let known = self.known(&here.uri)?;
        let lines = Lines::new(&here.text, self.encoding);
        let (mut data, mut last) = (Vec::new(), Position::default());
        for one in ide::colors(&known, &here.path) {
            let Some(text) = here.text.get(one.span.clone()) else { continue };
            let at = lines.position(one.span.start);
            let line = at.line - last.line;
            let character = if line == 0 { at.character - last.character } else { at.character };
            data.extend([line, character, self.encoding.length(text), one.color, 0]);
            last = at;
        }
        Some(json!({ "data": data }))
    }

    // ----- code actions, lenses and commands

    fn actions(&mut self, params: &Value) -> Option<Value> {
        let uri = params.pointer("/textDocument/uri")?.as_str()?.to_owned();
        let text = self.documents.text(&uri)?;
        let number = |name: &str| params.pointer(&format!("/range/{name}")).and_then(Value::as_u64).unwrap_or(0) as u32;
        let position =
            |which: &str| Position::new(number(&format!("{which}/line")), number(&format!("{which}/character")));
        let wanted = self.encoding.byte(&text, position("start"))..self.encoding.byte(&text, position("end"));
        let (place, bench) = self.documents.game(&uri)?;
        let found: Vec<Diagnostic> = {
            let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            let checked = shared.games.get(&place.folder);
            checked
                .map(|checked| checked.found.iter().chain(checked.plays.values().flatten()).cloned().collect())
                .unwrap_or_default()
        };
        let mut actions: Vec<Value> = Vec::new();
        for one in found {
            let Some(mark) = one.marks.first() else { continue };
            let span = &mark.place.span;
            let is_here = mark.place.source.path == place.path && span.start <= wanted.end && wanted.start <= span.end;
            // Spans of diagnostics for an older text would be wrong.
            if !is_here || mark.place.source.text != text {
                continue;
            }
            let (_, shown) = convert::diagnostic(&one, &place.folder, self.encoding);
            for fix in ide::fixes(&one, &|path| bench.text(path).map(str::to_owned)) {
                let text = bench.text(&fix.path);
                let lines = Lines::new(text.unwrap_or_default(), self.encoding);
                let edit = json!({ "range": lines.range(&fix.span), "newText": fix.text });
                let uri = super::uri::uri_of(&place.folder.join(&fix.path));
                let edit = if text.is_some() {
                    json!({ "changes": { uri: [edit] } })
                } else {
                    json!({ "documentChanges": [
                        { "kind": "create", "uri": uri, "options": { "ignoreIfExists": true } },
                        { "textDocument": { "uri": uri, "version": null }, "edits": [edit] },
                    ] })
                };
                let action = json!({
                    "title": fix.title,
                    "kind": "quickfix",
                    "diagnostics": [shown],
                    "edit": edit,
                });
                if !actions.contains(&action) {
                    actions.push(action);
                }
            }
        }
        if Role::of(&place.path) == Some(Role::Play) {
            let end = text[wanted.end..].find('\n').map_or(text.len(), |at| wanted.end + at);
            let line = Lines::new(&text, self.encoding).position(end);
            actions.push(json!({
                "title": "show the table at this line",
                "kind": "source",
                "command": { "title": "table", "command": TABLE, "arguments": [uri, line.line] },
            }));
        }
        Some(json!(actions))
    }

    fn lenses(&mut self, params: &Value) -> Option<Value> {
        let here = self.here(params)?;
        let (place, _) = self.documents.game(&here.uri)?;
        let lines = Lines::new(&here.text, self.encoding);
        let lens = |span: &Span<usize>, title: &str, command: &str, arguments: Value| {
            json!({
                "range": lines.range(span),
                "command": { "title": title, "command": command, "arguments": arguments },
            })
        };
        let mut lenses = Vec::new();
        if Role::of(&here.path) == Some(Role::Play) {
            let outcomes = {
                let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
                let scenes =
                    shared.games.get(&place.folder).and_then(|checked| checked.scenes.get(&here.path).cloned());
                scenes.unwrap_or_default()
            };
            let entries = ide::scene_lines(&here.text);
            for (number, scene) in entries.iter().enumerate() {
                let last = outcomes.iter().find(|(name, _)| *name == scene.name).map(|(_, outcome)| outcome);
                let title = match last {
                    None => "run".to_owned(),
                    Some(Ok(held)) => format!("run ({held})"),
                    Some(Err(failure)) => format!("run (failed: {failure})"),
                };
                lenses.push(lens(&scene.span, &title, RUN, json!([here.uri, scene.name])));
                let end = entries.get(number + 1).map_or(here.text.len(), |next| next.span.start.saturating_sub(1));
                let line = lines.position(end).line;
                lenses.push(lens(&scene.span, "table at its end", TABLE, json!([here.uri, line])));
            }
        } else if Role::of(&here.path) == Some(Role::Game) {
            let known = self.known(&here.uri)?;
            for entry in ide::entries(&known, &here.path, &here.text) {
                if entry.sort == EntrySort::Name(DeclaredNameKind::Phase) {
                    lenses.push(lens(&entry.span, "run", RUN_PHASE, json!([here.uri, entry.name])));
                    lenses.push(lens(&entry.span, "table where it begins", PHASE, json!([here.uri, entry.name])));
                }
            }
        }
        Some(json!(lenses))
    }

    fn execute_command(&mut self, params: &Value) -> RequestAnswer {
        let command = params.get("command").and_then(Value::as_str)?;
        let argument = |at: usize| params.pointer(&format!("/arguments/{at}")).cloned().unwrap_or(Value::Null);
        let uri = argument(0).as_str().unwrap_or_default().to_owned();
        let (Some(game), Some(text)) = (self.playable(&uri), self.documents.text(&uri)) else {
            return Some(Err("the game cannot be played as it is: see what is wrong with it".to_owned()));
        };
        let path = self.documents.game(&uri).map(|(place, _)| place.path).unwrap_or_default();
        let output = match command {
            RUN => play_commands::run(&game, &path, &text, argument(1).as_str()),
            TABLE => {
                let line = argument(1).as_u64().unwrap_or(0) as u32;
                let at = self.encoding.byte(&text, Position::new(line, u32::MAX));
                play_commands::table(&game, &path, &text, at)
            }
            PHASE => play_commands::phase(&game, argument(1).as_str().unwrap_or_default()),
            RUN_PHASE => play_commands::run_phase(&game, argument(1).as_str().unwrap_or_default()),
            other => return Some(Err(format!("there is no command `{other}`"))),
        };
        self.checker.show(&output);
        Some(Ok(json!(output)))
    }
}
