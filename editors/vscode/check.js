// Loads the packaged program with a stand-in for the editor: it starts the server that its settings name, for games' files alone.

const Module = require("module");
const manifest = require("./package.json");

const asked = [];
const editor = new Proxy(class {}, {
  get(_, name) {
    if (name === "workspace") {
      return new Proxy({}, {
        get(_, name) {
          if (name === "getConfiguration") return (section) => ({ get: (key) => asked.push(`${section}.${key}`) && "parlour" });
          if (name === "createFileSystemWatcher") return (pattern) => asked.push(pattern);
          return undefined;
        },
      });
    }
    return class {};
  },
});
const load = Module._load;
Module._load = function (name, ...rest) {
  return name === "vscode" ? editor : load.call(this, name, ...rest);
};

const extension = require("./out/extension.js");
if (typeof extension.activate !== "function" || typeof extension.deactivate !== "function") {
  throw new Error("the extension has no way in");
}
extension.activate().catch(() => {}).finally(() => {
  for (const key of Object.keys(manifest.contributes.configuration.properties)) {
    if (!asked.includes(key)) throw new Error(`the setting ${key} is not read`);
  }
  process.exit(0);
});
