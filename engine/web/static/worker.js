// Worker of a page that plays a game by itself: runs the engine, and answers the page's messages. Hidden information stays here.
"use strict";
const encoder = new TextEncoder();
const decoder = new TextDecoder();
// Milliseconds that a step of a batch should take.
const STEP = 60;
let engine = null;
let isBusy = false;
let games = 1;
let waits = 0;

const call = (message) => {
  const bytes = encoder.encode(JSON.stringify({ now: Date.now(), ...message }));
  const at = engine.input(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  const length = engine.call();
  return JSON.parse(decoder.decode(new Uint8Array(engine.memory.buffer, engine.output(), length)));
};

// Does what there is to do between requests. Requests that have come meanwhile go first.
const step = () => {
  waits = 0;
  if (!isBusy || !engine) return;
  const begin = performance.now();
  const answer = tell({}, () => call({ what: "step", games }));
  const time = performance.now() - begin;
  if (time < STEP / 2) games = Math.min(games * 2, 500);
  else if (time > STEP * 2) games = Math.max(1, games >> 1);
  if (answer) go(answer);
};
const go = (answer) => {
  isBusy = answer.is_busy;
  if (isBusy && !waits) waits = setTimeout(step, 0);
};

// Sends the result of a call to the page. The engine's state is unknown after it has failed.
const tell = (also, run) => {
  let answer;
  try {
    answer = run();
  } catch (error) {
    engine = null;
    postMessage({ ...also, failed: String(error) });
    return null;
  }
  const { has_changed: hasChanged, ...rest } = answer;
  if (also.id !== undefined || hasChanged || rest.stored || rest.error) postMessage({ ...also, hasChanged, ...rest });
  return answer;
};

onmessage = async ({ data }) => {
  if (data.what === "start") {
    try {
      const compiled = await WebAssembly.compile(data.module);
      // Packages that the engine is built from name functions of a browser, which it never calls.
      const imports = {};
      for (const { module, name } of WebAssembly.Module.imports(compiled)) {
        imports[module] ??= {};
        imports[module][name] = () => {
          throw new Error(`the engine called \`${name}\``);
        };
      }
      engine = (await WebAssembly.instantiate(compiled, imports)).exports;
    } catch (error) {
      postMessage({ id: data.id, failed: String(error) });
      return;
    }
    const entropy = [...crypto.getRandomValues(new Uint8Array(32))];
    const answer = tell({ id: data.id }, () => call({ what: "open", entropy, ...data.open }));
    if (answer) go(answer);
  } else if (engine) {
    const { id, ...message } = data;
    const answer = tell({ id }, () => call(message));
    if (answer) go(answer);
  } else {
    postMessage({ id: data.id, failed: "the engine has stopped" });
  }
};
postMessage({ isReady: true });
