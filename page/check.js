// Plays games by the engine for pages, and compares the tables at their ends with those of the program. SECONDS is the time of a processor
// that the program took.
//
//     node check.js ENGINE FOLDER RUN/games.csv AGENT SEED PLAYERS SECONDS
"use strict";
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");

const [engine, folder, table, agent, seed, players, native] = process.argv.slice(2);
const module_ = new WebAssembly.Module(zlib.gunzipSync(fs.readFileSync(engine)));
// Packages that the engine is built from name functions of a browser, which it must not call.
const imports = {};
for (const { module, name } of WebAssembly.Module.imports(module_)) {
  imports[module] ??= {};
  imports[module][name] = () => {
    throw new Error(`the engine called ${name}`);
  };
}
const { memory, input, call, output } = new WebAssembly.Instance(module_, imports).exports;
const ask = (message) => {
  const bytes = Buffer.from(JSON.stringify({ now: 0, ...message }));
  const at = input(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  const length = call();
  return JSON.parse(Buffer.from(memory.buffer, output(), length).toString());
};
const files = [];
const gather = (below) => {
  for (const entry of fs.readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = below + entry.name;
    if (entry.isDirectory()) gather(`${name}/`);
    else files.push([name, { base64: fs.readFileSync(path.join(folder, name)).toString("base64") }]);
  }
};
gather("");
const opened = ask({ what: "open", name: path.basename(folder), file: "page.html", files, entropy: [...Buffer.alloc(32, 7)], stored: [], is_kept: true });
if (opened.error) throw new Error(opened.error);

const [head, ...lines] = fs.readFileSync(table, "utf8").trim().split("\n").map((line) => line.split(","));
const column = head.indexOf("fingerprint");
const expected = lines.map((line) => line[column]);
const begin = process.cpuUsage();
const played = ask({ what: "fingerprints", seats: Number(players), agent, seed: Number(seed), begin: 0, end: expected.length });
if (played.error) throw new Error(played.error);
const seconds = process.cpuUsage(begin).user / 1_000_000;
const wrong = expected.findIndex((fingerprint, at) => fingerprint !== played.fingerprints[at]);
if (wrong >= 0) throw new Error(`game ${wrong} ends in ${played.fingerprints[wrong]}, in the program in ${expected[wrong]}`);
const speed = `${Math.round(expected.length / seconds)} games a second, ${Math.round((100 * native) / seconds)} % of the program's`;
console.log(`${path.basename(folder)}: ${expected.length} games of ${agent} end as in the program, ${speed}`);
