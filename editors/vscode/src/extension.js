// Starts `parlour lsp` for the files of games.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// The three kinds of files, wherever a game's folder lies.
const FILES = [
  { scheme: "file", language: "playscript" },
  { scheme: "file", language: "rhai" },
  { scheme: "file", pattern: "**/game.toml" },
  { scheme: "file", pattern: "**/{components,overlays}/*.{toml,csv}" },
];

async function activate(context) {
  const command = vscode.workspace.getConfiguration("parlour").get("program", "parlour");
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.{toml,rhai,play,csv}");
  client = new LanguageClient(
    "parlour",
    "Parlour",
    // Windows looks for programs in the working folder first, which must not be the folder of a game.
    { command, args: ["lsp"], options: { cwd: context.extensionPath } },
    { documentSelector: FILES, synchronize: { fileEvents: watcher } },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`\`${command} lsp\` cannot be started: set parlour.program. ${error}`);
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
