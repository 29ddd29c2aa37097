// A page that plays a game by itself. The page's own code runs as on a served table: its requests go to a worker instead of a server.
"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id)?.textContent || "null");
  const game = read("parlour-game");
  const rules = read("parlour-rules") || {};
  const KEY = `parlour game ${game.name} ${game.mark}`;
  const lang = navigator.language.startsWith("zh") ? "zh-Hant" : "en";
  const words = read("parlour-words")[lang];
  // Shows why the engine has failed. If the browser keeps a game, a reload may fail in the same way, so the game can be saved and dropped.
  const failed = (why) => {
    const notice = document.createElement("div");
    notice.className = "stopped";
    notice.setAttribute("role", "alert");
    const told = document.createElement("pre");
    told.className = "fault";
    told.textContent = why;
    notice.append(told);
    if (kept().length) {
      const button = (label, act) => {
        const made = document.createElement("button");
        made.textContent = label;
        made.addEventListener("click", act);
        notice.append(made);
      };
      button(words.save, () => {
        for (const [path, text] of kept()) save(String(path).split("/").pop(), text, "text/plain");
      });
      button(words.anew, () => {
        keep([]);
        location.reload();
      });
    }
    document.body.append(notice);
  };

  // The address of the shown page, as a server would have it.
  let here = new URL("https://page.invalid/");
  const resolved = (address) => new URL(address, here);

  // What the browser keeps. Some browsers forbid it for files.
  const storage = (() => {
    try {
      localStorage.setItem("parlour", "");
      localStorage.removeItem("parlour");
      return localStorage;
    } catch {
      return null;
    }
  })();
  const keep = (files) => {
    try {
      if (files.length) storage?.setItem(KEY, JSON.stringify(files));
      else storage?.removeItem(KEY);
    } catch {
      // There is no room: the game goes on without being kept.
    }
  };
  const kept = () => {
    try {
      return JSON.parse(storage?.getItem(KEY) || "[]");
    } catch {
      return [];
    }
  };

  const loaded = new Promise((done) => {
    if (document.readyState === "loading" || document.readyState === "interactive") addEventListener("DOMContentLoaded", done);
    else done();
  });
  const engine = (async () => {
    const own = document.getElementById("parlour-engine");
    await loaded;
    const text = atob(own?.textContent.trim() || globalThis.PARLOUR_ENGINE);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(plain).arrayBuffer();
  })();

  // Starts a worker from its code. Where a browser refuses workers from `blob:`, it is started from `data:`.
  const launch = (address) =>
    new Promise((done, refuse) => {
      const worker = new Worker(address);
      worker.onmessage = () => done(worker);
      worker.onerror = (event) => {
        event.preventDefault();
        refuse(new Error(event.message || "the worker cannot be started"));
      };
    });
  const code = () => globalThis.PARLOUR_WORKER;
  const launched = () =>
    launch(URL.createObjectURL(new Blob([code()], { type: "text/javascript" }))).catch(() =>
      launch(`data:text/javascript;base64,${btoa(String.fromCharCode(...new TextEncoder().encode(code())))}`),
    );

  const streams = new Set();
  // Number of changes that the engine has reported, and how many of them the page that is shown contains for certain.
  let changes = 0;
  let changesShown = 0;
  class Engine {
    constructor(isKept) {
      this.isKept = isKept;
      this.waiting = new Map();
      this.number = 0;
      this.started = this.start();
    }

    async start() {
      const [worker, module] = await Promise.all([launched(), engine]);
      this.worker = worker;
      worker.onmessage = ({ data }) => this.receive(data);
      worker.onerror = (event) => this.receive({ failed: event.message });
      const open = { name: game.name, file: game.file, files: game.files, stored: this.isKept ? kept() : [], is_kept: Boolean(storage) };
      const answer = await this.send({ what: "start", module: module.slice(0), open });
      if (answer.failed) throw new Error(answer.failed);
      return answer.error;
    }

    receive(data) {
      if (data.stored && this.isKept) keep(data.stored);
      if (data.failed && data.id === undefined) failed(data.failed);
      this.waiting.get(data.id)?.(data);
      this.waiting.delete(data.id);
      if (!data.hasChanged) return;
      changes += 1;
      for (const stream of streams) stream.tell();
    }

    send(message) {
      this.number += 1;
      const id = this.number;
      this.worker.postMessage({ id, ...message });
      return new Promise((done) => this.waiting.set(id, done));
    }

    async ask(request) {
      await this.started;
      const answer = await this.send({ what: "ask", ...request });
      if (answer.response) return answer.response;
      return { status: 500, media: "text/plain", body: answer.failed || "", path: null };
    }
  }
  const table = new Engine(true);
  // Batches run beside the table.
  let batches = null;
  const engineOf = (path) => {
    if (!path.startsWith("/simulate/")) return table;
    batches ??= new Engine(false);
    return batches;
  };

  const sheets = new Map();
  const pictures = new Map();
  const plain = (address, more = {}) => {
    const { pathname, searchParams } = resolved(address);
    return engineOf(pathname).ask({ path: pathname, query: [...searchParams], ...more });
  };
  // Maximum number of characters that pictures may add to a text. A picture is repeated wherever the text refers to it.
  const MOST = 1 << 26;
  // Puts pictures into a text, which refers to them below `base`. References to anything else stay as they are: a game's texts may contain
  // words that look like references.
  const withPictures = async (text, base) => {
    const names = new Set([...text.matchAll(/picture\/([0-9a-f]{24})/g)].map((found) => found[1]));
    for (const name of names) {
      if (pictures.has(name)) continue;
      const { status, body } = await plain(new URL(`picture/${name}`, base));
      if (status === 200) pictures.set(name, body);
    }
    let room = MOST;
    return text.replace(/picture\/([0-9a-f]{24})/g, (reference, name) => {
      const picture = pictures.get(name);
      if (!picture || picture.length > room) return reference;
      room -= picture.length;
      return picture;
    });
  };
  const SHEET = /<link rel="stylesheet" href="(faces\.css\?[^"]*)">\n?/g;
  // Asks for a page or a part of one. Its style sheet of faces is adopted by the document.
  const ask = async (address, more) => {
    const response = await plain(address, more);
    if (response.media !== "text/html") return response;
    const base = response.path ? new URL(response.path, here) : resolved(address);
    for (const [, found] of response.body.matchAll(SHEET)) {
      const own = new URL(found.replaceAll("&amp;", "&"), base);
      if (!sheets.has(own.search)) {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(await withPictures((await plain(own)).body, base));
        sheets.set(own.search, sheet);
      }
      document.adoptedStyleSheets = [sheets.get(own.search)];
    }
    return { ...response, body: await withPictures(response.body.replace(SHEET, ""), base) };
  };

  // What the page's own code uses for requests.
  const pairs = (body) => [...new URLSearchParams(body || "")];
  globalThis.fetch = async (address) => {
    const { status, body } = await ask(address, { is_part: true });
    return new Response(body, { status });
  };
  globalThis.EventSource = class {
    static CLOSED = 2;

    constructor() {
      this.readyState = 1;
      this.listeners = [];
      streams.add(this);
      setTimeout(() => {
        this.onopen?.({ type: "open" });
        // Agents may have chosen while the page was on its way.
        if (changes !== changesShown) this.tell();
      }, 0);
    }

    addEventListener(name, listener) {
      if (name === "table") this.listeners.push(listener);
    }

    removeEventListener(name, listener) {
      this.listeners = this.listeners.filter((known) => known !== listener);
    }

    tell() {
      for (const listener of this.listeners) listener(new MessageEvent("table", { data: "changed" }));
    }

    close() {
      this.readyState = 2;
      streams.delete(this);
    }
  };
  globalThis.XMLHttpRequest = class extends EventTarget {
    upload = new EventTarget();
    readyState = 0;
    status = 0;
    statusText = "";
    responseText = "";
    response = "";
    responseURL = "";

    open(method, address) {
      this.isPost = method.toUpperCase() === "POST";
      this.address = address;
    }

    setRequestHeader() {}

    overrideMimeType() {}

    getAllResponseHeaders() {
      return "content-type: text/html\r\n";
    }

    getResponseHeader(name) {
      return name.toLowerCase() === "content-type" ? "text/html" : null;
    }

    abort() {
      this.isAborted = true;
      this.onabort?.();
    }

    async send(body) {
      const sent = body instanceof FormData ? new URLSearchParams(body).toString() : body;
      const page = here;
      const { status, body: answer } = await ask(this.address, { is_post: this.isPost, is_part: true, form: this.isPost ? pairs(sent) : [] });
      // The page that has asked may have been left.
      if (this.isAborted || page !== here) return;
      Object.assign(this, { readyState: 4, status, responseText: answer, response: answer });
      this.onload?.(new Event("load"));
      this.dispatchEvent(new Event("loadend"));
    }
  };

  // Shows the rules, which were written when the page was made. Their styles apply to them only.
  const showRules = () => {
    const tag = here.searchParams.get("lang") || "en";
    // The page's policy refuses styles in a document, but not those that a script sets.
    const styles = [];
    const text = (rules[tag] || Object.values(rules)[0] || "")
      .replace(/<style>([^]*?)<\/style>/g, (_, style) => (styles.push(style), ""))
      .replaceAll(' style="', ' data-style="');
    const written = new DOMParser().parseFromString(text, "text/html");
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles.join("\n"));
    const place = document.createElement("div");
    place.className = "printed";
    const root = place.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    root.append(...written.body.childNodes);
    for (const element of root.querySelectorAll("[data-style]")) element.style.cssText = element.dataset.style;
    document.getElementById("page").replaceChildren(place);
  };

  // Shows a page as a browser would load it.
  const show = (body) => {
    const page = new DOMParser().parseFromString(body, "text/html");
    for (const stream of streams) stream.close();
    document.documentElement.lang = page.documentElement.lang;
    document.title = page.title;
    for (const name of ["hx-ext", "sse-connect"]) {
      const value = page.body.getAttribute(name);
      if (value) document.body.setAttribute(name, value);
      else document.body.removeAttribute(name);
    }
    const main = document.createElement("body");
    for (const { name, value } of document.body.attributes) main.setAttribute(name, value);
    main.append(...page.body.childNodes);
    document.body.replaceWith(main);
    globalThis.htmx.process(main);
    document.dispatchEvent(new CustomEvent("htmx:afterSwap", { detail: { target: document.getElementById("page") } }));
    document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
    main.querySelector("[autofocus]")?.focus();
  };
  const visit = async (address, more = {}, isNew = true) => {
    const wanted = resolved(address);
    const changesBefore = changes;
    const response = await ask(wanted.pathname === "/rules/" ? new URL(`/about/${wanted.search}`, here) : wanted, more);
    here = response.path ? new URL(`${response.path}?lang=${wanted.searchParams.get("lang") || "en"}`, here) : wanted;
    changesShown = changesBefore;
    show(response.body);
    if (here.pathname === "/rules/") showRules();
    if (isNew) history.pushState({ here: here.href }, "");
  };
  const save = (name, text, media) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: media }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[href]");
    const address = link?.getAttribute("href");
    if (!address || address.startsWith("#") || address.startsWith("blob:") || event.defaultPrevented) return;
    event.preventDefault();
    if (!link.hasAttribute("download")) return visit(address);
    const { status, body, media } = await plain(address);
    if (status === 200) save(link.getAttribute("download"), body, media);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.hasAttribute("hx-post") || form.hasAttribute("hx-get")) return;
    event.preventDefault();
    const fields = [...new FormData(form, event.submitter)].map(([name, value]) => [name, String(value)]);
    const address = resolved(form.getAttribute("action") || "");
    if (form.method === "post") return visit(address, { is_post: true, form: fields });
    for (const [name, value] of fields) address.searchParams.set(name, value);
    visit(address);
  });
  addEventListener("popstate", (event) => event.state?.here && visit(event.state.here, {}, false));

  const begin = async () => {
    try {
      const error = await table.started;
      await visit(`/?lang=${lang}`, {}, false);
      history.replaceState({ here: here.href }, "");
      if (error) failed(error);
      // A link that ends with `#play` begins a game as the form proposes it, unless one is under way.
      else if (location.hash === "#play") document.querySelector("form.set-up button")?.click();
    } catch (error) {
      failed(String(error));
    }
  };
  loaded.then(begin);
})();
