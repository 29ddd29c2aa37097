// Page code of a table: clicking pieces and spaces narrows the options, and every click has a key. Without this script all options are plain
// buttons.
"use strict";
(() => {
  const page = () => document.getElementById("page");
  let question = "";
  let chosen = [];
  let typed = "";
  // Values chosen in the slots of the sentence, by slot.
  let picks = new Map();
  // Parts that the viewer has opened. With at most GLANCE options left, all parts are open.
  let opened = new Set();
  const GLANCE = 12;
  const FEW = 6;
  const LINE = 80;

  const marks = (element) => (element.dataset.k || "").split(" ").filter(Boolean);
  const options = () => [...document.querySelectorAll("#options li.option, #found li.option")];
  const parts = () => [...document.querySelectorAll("#options details")];
  // Parts of the same name may occur in several others, so they are told apart by their path.
  const path = (part) => {
    const outer = part.parentElement.closest("#options details");
    return (outer ? `${path(outer)}/` : "") + part.dataset.part;
  };
  const onTable = () => [...document.querySelectorAll("#page .common [data-k]")];

  const fills = (option) => new Map((option.dataset.fills || "").split(" ").filter(Boolean).map((fill) => fill.split(":")));
  const slots = () => [...document.querySelectorAll("#sentence select")];

  // Returns whether an option has all clicked marks, all values chosen in the sentence (except that of one slot), and all typed words.
  const fits = (option, clicked, except = "") => {
    const own = marks(option);
    if (picks.size) {
      const filled = fills(option);
      for (const [slot, value] of picks) if (slot !== except && filled.get(slot) !== value) return false;
    }
    // The server has filtered these by the typed words.
    if (option.matches(".found")) return clicked.every((mark) => own.includes(mark));
    const text = option.textContent.toLowerCase();
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    return clicked.every((mark) => own.includes(mark)) && words.every((word) => text.includes(word));
  };

  // Element that takes the focus. For a container it is the title, since its contents are focusable, too.
  const handle = (element) =>
    element.matches(".zone, .box, .strip") ? element.querySelector(":scope > .title, :scope > h2 > span, :scope > header h2 > span") : element;

  const unlit = (element) => {
    if (!element.classList.contains("lit") && !element.classList.contains("hot")) return;
    element.classList.remove("lit", "taken", "hot");
    const pressed = handle(element);
    for (const name of ["tabindex", "aria-pressed", "role"]) pressed?.removeAttribute(name);
    // An element of a drawing gets its image role back.
    if (element instanceof SVGElement) element.setAttribute("role", "img");
  };

  const light = (element, isTaken) => {
    element.classList.add("lit");
    element.classList.toggle("taken", isTaken);
    const pressed = handle(element);
    if (!pressed) return;
    pressed.setAttribute("role", "button");
    pressed.setAttribute("tabindex", "0");
    pressed.setAttribute("aria-pressed", String(isTaken));
  };

  const refresh = () => {
    const panel = document.getElementById("question");
    const now = panel ? panel.dataset.question : "";
    if (now !== question) {
      question = now;
      chosen = [];
      picks = new Map();
      typed = "";
      opened = new Set();
      const filter = document.getElementById("filter");
      if (filter) filter.value = "";
    }
    shorten();
    const all = options();
    const left = all.filter((option) => fits(option, chosen));
    for (const option of all) option.hidden = !left.includes(option);
    for (const part of parts()) {
      const within = left.filter((option) => part.contains(option)).length;
      part.parentElement.hidden = !within;
      part.querySelector(".number").textContent = String(within);
      part.open = opened.has(path(part)) || (left.length < all.length && left.length <= GLANCE);
    }
    const offered = new Set(left.flatMap(marks));
    for (const element of onTable()) {
      const own = marks(element).filter((mark) => offered.has(mark));
      if (own.length) light(element, own.some((mark) => chosen.includes(mark)));
      else unlit(element);
    }
    const count = document.getElementById("left");
    if (count) count.textContent = left.length === all.length ? count.dataset.all : `${left.length} / ${all.length}`;
    const isComplete = fillSentence(all, left);
    const clear = document.getElementById("chosen");
    if (clear) {
      const loose = chosen.filter((mark) => !slots().some((slot) => implies(all, mark, slot.dataset.slot)));
      clear.hidden = !chosen.length && !picks.size;
      clear.querySelector(".slots").replaceChildren(...loose.map(slot));
    }
    const sole = left.length === 1 ? left[0] : null;
    for (const option of all) option.classList.toggle("sole", option === sole);
    lay(sole);
    document.querySelector(".table")?.classList.toggle("asks", all.length > 0);
    const bar = document.getElementById("bar");
    if (!bar) return;
    const list = document.querySelector("#question .list");
    bar.hidden = !sole || !(chosen.length || picks.size) || !list;
    bar.querySelector("span").textContent = sole && !isComplete ? sole.textContent.trim() : "";
    buttons(list && bar.hidden ? left : [], list);
    // Buttons beside the question may have changed the height of the board.
    if (document.querySelector(".board")?.clientHeight !== fitted) fit();
  };

  // Returns whether all options with a mark have the same value in a slot, so that the sentence shows the mark.
  const implies = (all, mark, slot) => {
    const values = new Set(all.filter((option) => marks(option).includes(mark)).map((option) => fills(option).get(slot)));
    return values.size === 1 && !values.has(undefined);
  };

  // Shows in each slot of the sentence the value that all remaining options share, and offers those that the other slots leave. Returns
  // whether the sentence is complete.
  const fillSentence = (all, left) => {
    const sentence = document.getElementById("sentence");
    if (!sentence) return false;
    sentence.hidden = false;
    const shared = left.filter((option) => option.dataset.fills);
    for (const select of slots()) {
      const slot = select.dataset.slot;
      const possible = new Set(all.filter((option) => fits(option, chosen, slot)).map((option) => fills(option).get(slot)));
      const values = new Set(shared.map((option) => fills(option).get(slot)));
      const [value] = values.size === 1 ? values : [undefined];
      select.value = value ?? "";
      select.classList.toggle("filled", value !== undefined);
      for (const option of select.options) option.hidden = option.disabled = option.value !== "" && !possible.has(option.value);
    }
    return left.length === 1 && slots().every((select) => select.value !== "");
  };

  // Sets a slot of the sentence. Emptying a slot also drops the clicks that filled it.
  const pick = (slot, value) => {
    picks.delete(slot);
    const all = options();
    if (value === "") chosen = chosen.filter((mark) => !implies(all, mark, slot));
    else picks.set(slot, value);
    refresh();
  };

  // Drops the parts that all texts begin with.
  const shortened = (texts) => {
    const parts = texts.map((text) => text.split(", "));
    let same = 0;
    while (parts.length > 1 && parts.every((own) => own.length > same + 1 && own[same] === parts[0][same])) same += 1;
    return parts.map((own) => own.slice(same).join(", "));
  };
  const shorten = () => {
    const few = [...document.querySelectorAll(".options.few button")];
    const texts = few.map((button) => button.title || button.textContent.trim());
    for (const [at, rest] of shortened(texts).entries()) {
      if (rest === few[at].textContent) continue;
      few[at].title = texts[at];
      few[at].textContent = rest;
    }
  };

  // Shows buttons beside the question for a few remaining options, and for options without marks. Opens the list if clicks cannot
  // narrow the remaining options any further.
  const buttons = (left, list) => {
    const place = document.getElementById("quick");
    const words = left.filter((option) => !marks(option).length);
    // At most one line: more would take room from the board, and the list has them all.
    const width = (options) => options.reduce((sum, option) => sum + option.textContent.trim().length + 5, 0);
    const shown = left.length <= FEW && width(left) <= LINE ? left : words.slice(0, FEW);
    const few = width(shown) <= LINE ? shown : [];
    const texts = few.map((option) => option.textContent.trim());
    const rests = shortened(texts);
    const button = (option, at) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = rests[at];
      made.title = texts[at];
      made.addEventListener("click", () => option.querySelector("button").click());
      return made;
    };
    place.replaceChildren(...few.map(button));
    place.hidden = !few.length;
    const narrows = (element) => {
      const count = left.filter((option) => marks(element).some((mark) => marks(option).includes(mark))).length;
      return count > 0 && count < left.length;
    };
    if (chosen.length && left.length > FEW && !onTable().some(narrows)) list.open = true;
  };

  // Button for a clicked part of the answer. Clicking it removes the part.
  const slot = (mark) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "slot";
    made.textContent = named(mark);
    made.addEventListener("click", () => {
      chosen = chosen.filter((other) => other !== mark);
      refresh();
    });
    return made;
  };

  // Searches options on the server if there are too many to list.
  let search = 0;
  const find = () => {
    const found = document.getElementById("found");
    if (!found) return;
    clearTimeout(search);
    const text = typed.trim();
    found.hidden = !text;
    document.getElementById("options").hidden = Boolean(text);
    document.getElementById("unlisted").hidden = Boolean(text);
    if (!text) {
      found.replaceChildren();
      return;
    }
    search = setTimeout(async () => {
      const answer = await fetch(`${found.dataset.search}&text=${encodeURIComponent(text)}`);
      if (!answer.ok || text !== typed.trim() || !found.isConnected) return;
      found.innerHTML = await answer.text();
      refresh();
    }, 200);
  };

  // Returns the name of a mark.
  const named = (mark) => {
    const element = onTable().find((one) => marks(one).includes(mark));
    const group = element?.matches(":is(.row, .area) .several > .zones > .zone:first-child") && element.closest(".box").querySelector("h2");
    const told = group?.textContent || element?.getAttribute("title") || element?.getAttribute("aria-label") || element?.querySelector("title, .title, .label, h2")?.textContent;
    return (told || "").trim().split(" · ")[0];
  };

  // Previews the tile that an option places.
  const lay = (option) => {
    for (const square of document.querySelectorAll("svg.grid .would")) square.remove();
    const prints = document.querySelectorAll("#prints li");
    for (const part of (option?.dataset.lays || "").split(" ").filter(Boolean)) {
      const [mark, number] = part.split(".");
      const space = document.querySelector(`svg.grid .space[data-k="${mark}"]`);
      if (!space) continue;
      const square = document.createElementNS(space.namespaceURI, "g");
      square.setAttribute("class", "would");
      square.setAttribute("aria-hidden", "true");
      square.append(...[...space.children].map((child) => child.cloneNode(true)));
      square.firstElementChild.setAttribute("fill", prints[number].dataset.fill);
      const text = square.querySelector("text");
      text?.setAttribute("fill", prints[number].dataset.ink);
      text?.replaceChildren(prints[number].textContent);
      space.after(square);
    }
  };

  const sole = () => document.querySelector("#options li.sole > button");

  const press = (element) => {
    const offered = new Set(options().filter((option) => fits(option, chosen)).flatMap(marks));
    const own = marks(element).filter((mark) => offered.has(mark));
    const taken = own.filter((mark) => chosen.includes(mark));
    if (taken.length) chosen = chosen.filter((mark) => !taken.includes(mark));
    else if (own.length) chosen = [...chosen, own[0]];
    refresh();
    const pressed = handle(element);
    if (document.activeElement !== pressed) pressed?.focus({ preventScroll: true });
  };

  const clear = () => {
    chosen = [];
    picks = new Map();
    typed = "";
    const filter = document.getElementById("filter");
    if (filter) filter.value = "";
    find();
    refresh();
  };

  document.addEventListener("click", (event) => {
    if (isHeld) {
      isHeld = false;
      event.preventDefault();
      return;
    }
    if (isInspecting() && !event.target.closest("#inspect")) unseen();
    if (event.target.closest(".dismiss")) return accepted();
    if (event.target.closest(".clear")) return clear();
    const step = event.target.closest("[data-step]");
    if (step) {
      const number = step.form.elements.number;
      if (step.dataset.step > 0) number.stepUp();
      else number.stepDown();
      return;
    }
    if (event.target.closest("#bar .go")) return sole()?.click();
    const part = event.target.closest("#options summary")?.parentElement;
    if (part) opened[part.open ? "delete" : "add"](path(part));
    const lit = event.target.closest(".common .lit");
    const pile = event.target.closest(".common .stack > .pieces");
    const rival = event.target.closest(".rivals section.strip");
    if (lit && !event.target.closest("a, button, input, summary")) press(lit);
    else if (pile) inspect([...pile.children]);
    else if (rival) inspect([...rival.querySelectorAll(".piece")], told(rival));
  });

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input, textarea, select");
    if (event.key === "Escape") return isInspecting() ? unseen() : clear();
    if (isTyping && event.target.id === "filter" && event.key === "Enter") {
      const left = options().filter((option) => !option.hidden);
      if (left.length === 1) left[0].querySelector("button").click();
      return;
    }
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const lit = event.target.closest?.(".lit");
    if (lit && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      const last = sole();
      if (event.key === "Enter" && last && lit.classList.contains("taken")) last.click();
      else press(lit);
    } else if (event.key === "/") {
      const filter = document.getElementById("filter");
      if (filter) {
        event.preventDefault();
        filter.closest("details").open = true;
        filter.focus();
      }
    } else if (/^[1-9]$/.test(event.key) && !isInspecting()) {
      const beside = [...document.querySelectorAll("#quick:not([hidden]) button, .prompt .options.few li:not([hidden]) button")];
      beside[event.key - 1]?.click();
    } else if (event.key.toLowerCase() === "i") {
      const near = under || event.target.closest?.(".common .piece, .common .zone") || event.target.querySelector?.(".common .piece:hover");
      if (isInspecting()) unseen();
      else if (near) inspect(near.matches(".zone") ? [...near.querySelectorAll(".piece")] : [near]);
    } else if (event.key === "Enter" && event.target.matches(".stack > .pieces")) {
      inspect([...event.target.children]);
    }
  });

  document.addEventListener("input", (event) => {
    if (event.target.id === "filter") {
      typed = event.target.value;
      find();
      refresh();
    }
    if (event.target.matches("#sentence select")) pick(event.target.dataset.slot, event.target.value);
    if (event.target.matches(".slider input[type=range]")) {
      clearTimeout(slide.waits);
      slide.waits = setTimeout(() => event.target.form.requestSubmit(), 250);
    }
  });
  const slide = { waits: 0 };

  // Highlights on the table what a hovered or focused option names.
  const hot = (event) => {
    const option = event.target.closest?.("#options li.option");
    const own = option ? marks(option) : [];
    for (const element of onTable()) element.classList.toggle("hot", marks(element).some((mark) => own.includes(mark)));
    lay(option || document.querySelector("#options li.sole"));
  };
  document.addEventListener("mouseover", hot);
  document.addEventListener("focusin", hot);

  // Keeps unsent texts, open details and the focus when the page is replaced.
  let kept = new Map();
  let place = null;
  const pieces = () => [...document.querySelectorAll("#page .common .piece[data-k]")];
  // Marks of all pieces at the viewer's last answer. A piece with a new mark has moved since and keeps its ring until the next answer.
  const places = () => new Set(pieces().flatMap(marks));
  let before = null;
  let hasAnswered = false;
  const keep = (event) => {
    // Other swaps replace only a part of the page.
    if (event.detail.target !== page()) return;
    const now = document.activeElement;
    const sent = event.detail.requestConfig?.elt;
    kept = new Map();
    hasAnswered = event.detail.requestConfig?.verb === "post";
    before ??= places();
    snapshot();
    for (const element of document.querySelectorAll("#page [data-keep]")) {
      if (sent?.matches("form") && sent.contains(element)) continue;
      const { value, open, selectionStart, selectionEnd } = element;
      const told = element.matches("[role=status]") ? element.innerHTML : null;
      kept.set(element.dataset.keep, { value, open, told, isHere: element === now, at: [selectionStart, selectionEnd] });
    }
    const marked = now?.closest?.(".common [data-k]");
    place = marked && handle(marked) === now ? marked.dataset.k : null;
  };
  const restore = () => {
    for (const element of document.querySelectorAll("#page [data-keep]")) {
      const was = kept.get(element.dataset.keep);
      if (!was) continue;
      if (was.told !== null) element.innerHTML = was.told;
      else if (was.open !== undefined) element.open = was.open;
      else if (element.value !== was.value) element.value = was.value;
      if (was.isHere && document.activeElement !== element) {
        element.focus({ preventScroll: true });
        if (typeof was.at[0] === "number") element.setSelectionRange(...was.at);
      }
    }
    kept = new Map();
    if (hasAnswered) before = places();
    hasAnswered = false;
    for (const piece of pieces()) piece.classList.toggle("moved", Boolean(before) && marks(piece).some((mark) => mark.startsWith("p") && !before.has(mark)));
    settle();
    playBack();
    if (place && document.activeElement === document.body) {
      const element = onTable().find((one) => one.dataset.k === place);
      if (element) handle(element)?.focus({ preventScroll: true });
    }
    place = null;
  };
  // Shows refusals: the server's message, or the status if something else, such as a proxy, has answered.
  const box = () => document.getElementById("refused");
  const tell = (text, isGone = false) => {
    const shown = box();
    if (!shown) return;
    shown.querySelector("span").textContent = text;
    shown.hidden = false;
    shown.dataset.isGone = isGone;
  };
  const refused = (status, answer) => {
    const own = new DOMParser().parseFromString(answer || "", "text/html").getElementById("refusal");
    tell(own ? own.textContent : box()?.dataset.other.replace("{status}", status));
  };
  const unreachable = () => tell(box()?.dataset.gone, true);
  document.addEventListener("htmx:responseError", (event) => {
    const { status, statusText, responseText } = event.detail.xhr;
    refused(`${status} ${statusText}`.trim(), responseText);
  });
  document.addEventListener("htmx:sendError", unreachable);
  document.addEventListener("htmx:timeout", unreachable);
  // A broken stream gives no reason, so the page is requested to get one.
  let looks = false;
  document.addEventListener("htmx:sseError", () => {
    const path = page()?.getAttribute("hx-get");
    if (looks || !path) return;
    looks = true;
    fetch(path)
      .then(async (answer) => answer.ok || refused(`${answer.status} ${answer.statusText}`.trim(), await answer.text()), unreachable)
      .finally(() => (looks = false));
  });
  const accepted = () => {
    if (box()) box().hidden = true;
  };
  document.addEventListener("htmx:sseOpen", () => {
    if (box()?.dataset.isGone === "true") accepted();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful && event.detail.requestConfig?.verb !== "get") accepted();
  });

  // The response to an answer has the page, so the event that reports this change needs no request. An event that
  // arrives before the response waits for it. Versions begin again when the server is restarted, which opens a new stream.
  let shownVersion = -1;
  let reportedVersion = -1;
  let answering = 0;
  document.addEventListener("htmx:sseOpen", () => (shownVersion = reportedVersion = -1));
  document.addEventListener("htmx:configRequest", (event) => {
    const cause = event.detail.triggeringEvent;
    const version = Number(cause?.detail?.data ?? NaN);
    if (cause?.type !== "sse:table" || Number.isNaN(version)) return;
    reportedVersion = version;
    if (answering > 0 || version <= shownVersion) event.preventDefault();
  });
  document.addEventListener("htmx:beforeSend", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (requestConfig.verb !== "post") return;
    answering += 1;
    xhr.addEventListener("loadend", () => {
      answering -= 1;
      shownVersion = Math.max(shownVersion, Number(xhr.getResponseHeader("parlour-page") ?? -1));
      if (answering === 0 && reportedVersion > shownVersion) htmx.trigger(page(), "sse:table", { data: String(reportedVersion) });
    });
  });

  document.addEventListener("htmx:beforeSwap", keep);
  document.addEventListener("htmx:afterSwap", restore);

  // Playback: a copy of the table as it was is laid over the page, and the beats since the viewer's last answer are animated on it. The page below
  // is already up to date, so nobody waits. Any click or key ends the playback.
  const FLIGHT = 320;
  const STAGGER = 60;
  const HOLD = 400;
  const LONG_HOLD = 1200;
  const LONGEST = 8000;
  const EASE = "cubic-bezier(.2,.8,.2,1)";
  const PLAYED = `parlour-played ${location.pathname}`;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let past = null;
  let stage = null;
  let queue = [];
  let landed = [];
  const lastBeat = () => Math.max(0, ...[...document.querySelectorAll("#beats > .beat")].map((beat) => Number(beat.dataset.number)));
  const played = () => Number(sessionStorage.getItem(PLAYED) ?? -1);

  // Copies the table before the page is replaced. The oldest copy that has not been played back is kept, as while the tab is hidden.
  const snapshot = () => {
    const table = document.querySelector("#page .table");
    if (past || stage || calm.matches || !table) return;
    const { left, top, width, height } = table.getBoundingClientRect();
    past = { table: table.cloneNode(true), left, top, width, height };
  };

  const pause = (time) => new Promise((done) => setTimeout(done, time));
  const isShown = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0;
  // Returns the element of a place, or the board if the place is not drawn.
  const placeOf = (list) => {
    for (const mark of list.split(" ").filter(Boolean)) {
      const found = [...stage.querySelectorAll(`[data-k~="${mark}"]`)].find(isShown);
      if (found) return found;
    }
    return stage.querySelector(".board");
  };
  const areaOf = (place, list) => {
    const area = place.getBoundingClientRect();
    const seat = list.match(/ b([0-9]*)$/);
    if (!seat || !place.matches(".board")) return area;
    const width = parseFloat(place.style.getPropertyValue("--u")) || 60;
    const drawn = [...stage.querySelectorAll(".tableau")].filter(isShown).at(-1)?.getBoundingClientRect();
    const mark = list.split(" ")[0];
    const others = landed.filter((one) => one.isBeside && one.place !== mark).length;
    if (drawn && seat[1]) return new DOMRect(drawn.right + 8 + others * (width + 8), drawn.top, width, drawn.height);
    const count = document.querySelectorAll("#page .strip").length;
    const step = Math.min(width + 16, area.width / (count + 1));
    const middle = area.left + area.width / 2 + (seat[1] ? Number(seat[1]) - (count - 1) / 2 : 0) * step;
    return new DOMRect(middle - width / 2, area.top + area.height / 2 - width / 2, width, width);
  };

  const endPlayback = () => {
    stage?.remove();
    [stage, past, queue, landed] = [null, null, [], []];
  };

  // Makes an HTML piece from a piece of an SVG grid.
  const disc = (drawn) => {
    const made = document.createElement("div");
    made.className = `disc ${[...drawn.classList].filter((name) => /^of-|neutral/.test(name)).join(" ")}`;
    const face = drawn.querySelector("foreignObject > .face");
    if (face) made.append(face.cloneNode(true));
    else made.textContent = drawn.querySelector("text")?.textContent || "";
    return made;
  };

  // Returns the element to animate: one that was moved before, a copy of the piece on the table, a sent face, or a back.
  const sprite = (flight, from) => {
    const { face, to } = flight.dataset;
    const own = landed.find((one) => one.face === face && flight.dataset.from.split(" ")[0] === one.place);
    if (own) {
      own.place = to.split(" ")[0];
      return own.element;
    }
    // In an SVG grid, pieces are siblings of their space.
    const [space] = flight.dataset.from.split(" ");
    const lying = face
      ? from.querySelector(`.piece[data-k~="${face}"]:not(.gone)`) || stage.querySelector(`.piece[data-k^="p${space.slice(1)}.${face.slice(1)}."]:not(.gone)`)
      : from.querySelector(".piece.hidden:not(.gone)");
    const known = face && (document.querySelector(`#beats > .piece[data-face="${face}"]`) || document.querySelector(`#page .common .piece[data-k~="${face}"]`));
    const back = document.querySelector("#page .common .piece.hidden");
    const source = lying || known || back;
    const element = source instanceof SVGElement ? disc(source) : source?.cloneNode(true) || document.createElement("div");
    element.classList.remove("lit", "taken", "hot", "moved", "gone");
    element.classList.add("piece", "sprite");
    if (!source) element.classList.add("hidden", "plain");
    for (const name of ["data-k", "title", "style"]) element.removeAttribute(name);
    const start = lying && isShown(lying) ? lying : from;
    const area = start === from ? areaOf(from, flight.dataset.from) : start.getBoundingClientRect();
    const width = lying && isShown(lying) ? area.width : 44;
    element.style.width = `${width}px`;
    element.style.left = `${area.left + area.width / 2 - width / 2}px`;
    element.style.top = `${area.top + Math.min(area.height / 2, 60) - width / 2}px`;
    lying?.classList.add("gone");
    stage.append(element);
    // Positions are centers, so that scaling does not move a piece.
    const { left, top, height } = element.getBoundingClientRect();
    landed.push({ face, place: to.split(" ")[0], element, left: left + width / 2, top: top + height / 2, x: 0, y: 0, scale: 1 });
    return element;
  };

  const fly = (flight, delay, speed) => {
    const from = placeOf(flight.dataset.from);
    const to = placeOf(flight.dataset.to);
    const element = sprite(flight, from);
    const state = landed.find((one) => one.element === element);
    // The piece gets the size of cards in the target region.
    const region = to.closest(".rivals") ? 22 : parseFloat((to.closest(".board, .mat") || to).style.getPropertyValue("--u")) || 60;
    const wanted = element.matches(".token, .die, .disc") ? region / 2 : region;
    const scale = to instanceof SVGElement ? 1 : wanted / (element.offsetWidth || wanted);
    const width = element.offsetWidth * scale;
    const there = areaOf(to, flight.dataset.to);
    const beside = landed.filter((one) => one !== state && one.place === state.place).length;
    const last = to.matches(".board, .strip") ? null : [...to.querySelectorAll(".piece:not(.gone)")].filter(isShown).at(-1)?.getBoundingClientRect();
    const shift = Math.min(beside * width * 0.5, 160);
    const x = (last ? Math.min(last.left + width, there.right) : there.left + there.width / 2) + shift;
    const y = last ? last.top + last.height / 2 : there.top + there.height / 2;
    const next = { x: x - state.left, y: y - state.top, scale, isBeside: to.matches(".board") };
    const move = (at) => `translate(${at.x}px, ${at.y}px) scale(${at.scale})`;
    element.animate([{ transform: move(state) }, { transform: move(next) }], { duration: FLIGHT / speed, delay, easing: EASE, fill: "both" });
    Object.assign(state, next);
  };

  // Splits flights into groups that start together. A piece that has just arrived starts again only in a later group, after a pause.
  const groups = (flights) => {
    const all = [];
    let arrived = new Set();
    for (const flight of flights) {
      const from = flight.dataset.from.split(" ")[0];
      if (!all.length || arrived.has(from)) {
        all.push([]);
        arrived = new Set();
      }
      all.at(-1).push(flight);
      arrived.add(flight.dataset.to.split(" ")[0]);
    }
    return all;
  };

  const play = async () => {
    const own = stage;
    const time = queue.reduce((sum, beat) => sum + HOLD + (FLIGHT + HOLD) * groups(beat.flights).length, 0);
    const speed = Math.max(1, time / LONGEST);
    while (queue.length && stage === own) {
      const { caption, isAboutYou, flights } = queue.shift();
      const shown = own.querySelector(".caption");
      shown.replaceChildren(...caption.childNodes);
      shown.classList.toggle("about-you", isAboutYou);
      shown.hidden = false;
      for (const [at, group] of groups(flights).entries()) {
        if (stage !== own) return;
        const leaves = group.some((flight) => landed.some((one) => one.place === flight.dataset.from.split(" ")[0]));
        if (leaves || at > 0) await pause((LONG_HOLD - HOLD) / speed);
        if (stage !== own) return;
        group.forEach((flight, index) => fly(flight, (index * STAGGER) / speed, speed));
        await pause((FLIGHT + group.length * STAGGER + HOLD) / speed);
      }
      if (!flights.length) await pause((2 * HOLD) / speed);
    }
    if (stage === own) endPlayback();
  };

  const playBack = () => {
    if (document.hidden) return;
    const seen = played();
    const last = lastBeat();
    const beats = [...document.querySelectorAll("#beats > .beat")].filter((beat) => Number(beat.dataset.number) > seen);
    sessionStorage.setItem(PLAYED, String(last));
    // Nothing to play back after an undo, or on the first page.
    const isNew = seen < 0 || last < seen || calm.matches || !past;
    if (isNew || !beats.length) {
      if (!stage) past = null;
      return;
    }
    for (const beat of beats) {
      const flights = [...beat.querySelectorAll("i")].filter((flight) => Number(flight.dataset.number) > seen).slice(0, 6);
      queue.push({ caption: beat.querySelector("p").cloneNode(true), isAboutYou: beat.matches(".about-you"), flights });
    }
    if (stage) return;
    stage = document.createElement("div");
    stage.id = "playback";
    stage.setAttribute("aria-hidden", "true");
    const { table, left, top, width, height } = past;
    for (const element of table.querySelectorAll("[id]")) element.removeAttribute("id");
    for (const element of table.querySelectorAll("[tabindex]")) element.removeAttribute("tabindex");
    for (const element of table.querySelectorAll(".lit, .taken, .hot, .moved")) element.classList.remove("lit", "taken", "hot", "moved");
    for (const element of table.querySelectorAll(".prompt, .rail, .ending, .latest, [hidden]")) element.replaceChildren();
    table.inert = true;
    const caption = document.createElement("p");
    caption.className = "caption";
    caption.hidden = true;
    stage.append(table, caption);
    Object.assign(stage.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    document.body.append(stage);
    play();
  };
  const skip = (event) => {
    if (!stage) return;
    endPlayback();
    // The click was aimed at the old table, so the new one must not get it.
    if (event.type === "click" && event.target.closest(".common, #playback")) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  document.addEventListener("click", skip, true);
  document.addEventListener("keydown", skip, true);
  document.addEventListener("visibilitychange", playBack);
  if (played() < 0) addEventListener("DOMContentLoaded", () => sessionStorage.setItem(PLAYED, String(lastBeat())));

  // Sizes: each region takes the largest cards that fit. Below a readable size, cards overlap first, then piles show only their top card
  // with a count.
  const SPREAD = 0;
  const FAN = 1;
  const STACK = 2;
  const STEPS = [
    [132, SPREAD], [112, SPREAD], [96, SPREAD], [84, SPREAD], [84, FAN], [72, SPREAD], [72, FAN], [72, STACK], [60, FAN], [60, STACK],
    [52, FAN], [52, STACK], [44, STACK],
  ];
  const NARROW_STEPS = [[72, SPREAD], [60, SPREAD], [60, FAN], [60, STACK]];
  const SCALES = [3, 2.75, 2.5, 2.3, 2.15, 2, 1.9, 1.8, 1.7, 1.6, 1.5, 1.42, 1.35, 1.28, 1.2, 1.15, 1.1, 1.05, 1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.58];
  const isNarrow = () => matchMedia("(max-width: 700px)").matches;
  // Returns whether the contents of an arranged area stick out of it, or two areas cover each other. Neither makes the board scroll.
  const collides = (region) => {
    const areas = [...region.querySelectorAll(":scope > .area:has(> *)")].map((area) => [area.getBoundingClientRect(), [...area.children]]);
    const sticksOut = ([area, boxes]) => boxes.map((box) => box.getBoundingClientRect()).some((box) => box.left < area.left - 1 || box.right > area.right + 1);
    const cover = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    return areas.some(sticksOut) || areas.some(([one], at) => areas.slice(at + 1).some(([other]) => cover(one, other)));
  };
  const overflows = (region, isWideFine) =>
    region.scrollHeight > region.clientHeight + 1 || (!isWideFine && region.scrollWidth > region.clientWidth + 1) || (!isNarrow() && collides(region));

  const collapse = (region, level) => {
    for (const zone of region.querySelectorAll(".zone:is(.hand, .pile, .bag)")) {
      const place = zone.querySelector(":scope > .pieces");
      const pieces = zone.querySelectorAll(":scope > .pieces > .piece").length;
      const isPile = !zone.matches(".hand");
      const canFan = level >= FAN && pieces > 1 && !zone.querySelector(".piece.token, .piece.die");
      let isStack = pieces > 1 && (zone.matches(".bag") || (isPile && pieces > 5 - level) || (level === STACK && !zone.matches(".held")));
      zone.classList.remove("stack");
      zone.classList.toggle("fan", !isStack && canFan);
      // A fan that sticks out of its place would cover the next pile. The sign with a count may stick out.
      isStack ||= isPile && canFan && place.scrollWidth > place.clientWidth + 8;
      zone.classList.toggle("stack", isStack);
      if (isStack) zone.classList.remove("fan");
      // The top card of a pile covers the others.
      if (isPile) for (const [at, piece] of [...(place?.children || [])].entries()) piece.style.zIndex = zone.matches(".fan") ? String(pieces - at) : "";
      if (isStack) place.setAttribute("tabindex", "0");
      else place?.removeAttribute("tabindex");
    }
  };

  // First-fit packing: each box goes into the first row that has room. On a flat board all boxes are packed together.
  const pack = (region) => {
    const all = [...region.querySelectorAll(":scope > .large, :scope > .loose > *, :scope > .row > *")];
    for (const box of all) box.style.order = "";
    const isFlat = Boolean(region.closest(".flat"));
    const loose = region.querySelector(":scope > .loose");
    const holder = isFlat ? region : loose;
    if (!holder) return;
    const boxes = isFlat ? all : [...loose.children];
    const { columnGap, paddingLeft, paddingRight } = getComputedStyle(holder);
    const gap = parseFloat(columnGap) || 0;
    const room = holder.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const rows = [];
    for (const [box, width] of boxes.map((box) => [box, box.offsetWidth])) {
      let row = rows.find((row) => row.left >= width + gap);
      if (!row) rows.push((row = { left: room + gap, boxes: [] }));
      row.left -= width + gap;
      row.boxes.push(box);
    }
    for (const [at, row] of rows.entries()) for (const box of row.boxes) box.style.order = String(at);
  };

  // Folds the strips of all rivals alike until nothing is cut: no titles of zones, one piece per zone, no zones, values in two lines.
  const fitRivals = () => {
    const rivals = document.querySelector(".rivals");
    if (!rivals) return;
    // On a narrow screen the strips are scrolled, also by keys.
    if (isNarrow()) rivals.setAttribute("tabindex", "0");
    else rivals.removeAttribute("tabindex");
    for (const element of rivals.querySelectorAll(".zones, dl, h2")) element.scrollLeft = 0;
    for (let level = 0; level <= 4; level += 1) {
      rivals.dataset.fold = String(level);
      const isCut = [...rivals.querySelectorAll(".zones, dl, h2")].some((one) => one.scrollWidth > one.clientWidth + 1);
      if (!isCut) return;
    }
  };

  // Maps and boards are scaled as a whole, from a width of their own.
  const DRAWINGS = "svg.grid, .drawn";
  const natural = (map) => Number(map.dataset.width || map.getAttribute("width"));
  // A drawn mat takes at most this share of the height of the window, and leaves room for the zones beside it.
  const MAT_SHARE = 0.3;
  const NARROW_MAT_SHARE = 0.18;
  const matWidth = (drawn, mat) => {
    const ratio = drawn.offsetWidth / drawn.offsetHeight || 1;
    if (isNarrow()) return Math.round(innerHeight * NARROW_MAT_SHARE * ratio);
    const room = mat.clientWidth * (mat.querySelector(".zones > *") ? 0.5 : 0.8);
    return Math.round(Math.min(innerHeight * MAT_SHARE * ratio, room));
  };
  const arrange = (region, [u, level, scale]) => {
    region.style.setProperty("--u", `${u}px`);
    for (const map of region.querySelectorAll(DRAWINGS)) {
      map.style.width = `${map.matches(".own") ? matWidth(map, region) : natural(map) * (scale || 1)}px`;
    }
    for (const map of region.querySelectorAll(".map")) {
      map.style.width = map.style.height = "";
      // An enlarged map hides what sticks out of it, so its size could not be measured.
      map.classList.remove("zoomed");
    }
    collapse(region, level);
    pack(region);
  };

  // Searches for the first step that fits, starting from the last result.
  const lastSteps = new Map();
  const solve = (region, name, steps, isWideFine = false) => {
    let at = Math.min(lastSteps.get(name) ?? 4, steps.length - 1);
    arrange(region, steps[at]);
    if (overflows(region, isWideFine)) {
      while (at < steps.length - 1 && overflows(region, isWideFine)) arrange(region, steps[++at]);
    } else {
      while (at > 0) {
        arrange(region, steps[at - 1]);
        if (overflows(region, isWideFine)) {
          arrange(region, steps[at]);
          break;
        }
        at -= 1;
      }
    }
    lastSteps.set(name, at);
    return at;
  };

  // Maps can be enlarged within the room that they have, and moved there. How is remembered for this tab.
  const ZOOMS = [1, 1.25, 1.5, 2, 2.5, 3, 4];
  const LEGIBLE = 0.85;
  const maps = () => [...document.querySelectorAll("#page .board .map")];
  const VIEWS = `parlour-maps ${location.pathname}`;
  const views = () => JSON.parse(sessionStorage.getItem(VIEWS) || "{}");
  const viewOf = (map) => views()[maps().indexOf(map)] || {};
  const remember = (map, view) => {
    const all = views();
    const at = maps().indexOf(map);
    all[at] = { ...all[at], ...view };
    sessionStorage.setItem(VIEWS, JSON.stringify(all));
  };
  // Returns whether a map is too small to read, or the places of a board without texts are too small for a finger.
  const FINGER = 22;
  const isSmall = (map, scale) => {
    const drawn = map.querySelector(".drawn");
    const space = map.querySelector(".space");
    if (!drawn && (!space || map.querySelector(".space > .print:not(:empty), .value"))) return scale < LEGIBLE;
    if (!drawn) return space.getBBox().width * scale < FINGER;
    const sides = [...drawn.querySelectorAll(".spot")].map((spot) => Math.min(spot.offsetWidth, spot.offsetHeight));
    return (Math.min(...sides) / drawn.offsetWidth) * natural(drawn) * scale < FINGER;
  };
  // On a narrow screen such a map begins enlarged.
  const zoomOf = (map, scale) => viewOf(map).zoom ?? (isNarrow() && isSmall(map, scale) ? ZOOMS.find((zoom) => zoom * scale >= LEGIBLE) || 2 : 1);
  // Time of the viewer's last gesture. A map that is scrolled without one has been moved by the page, which is not remembered.
  let gesture = -Infinity;
  const GLIDE = 1500;
  for (const kind of ["wheel", "pointerdown", "touchmove", "keydown"]) {
    document.addEventListener(kind, (event) => event.target.closest?.(".map") && (gesture = performance.now()), { passive: true, capture: true });
  }
  // Returns which part of an enlarged map is in the middle unless the viewer has moved it: what can be clicked; otherwise the pieces of a
  // map, and the upper left corner of a drawn board.
  const middleOf = (map, svg) => {
    const whole = svg.getBoundingClientRect();
    const areas = (which) => [...map.querySelectorAll(which)].map((one) => one.getBoundingClientRect());
    const found = [areas(".lit"), areas("svg .piece")].find((some) => some.length);
    if (!found || !whole.width) return svg.matches(".drawn") ? { x: 0, y: 0 } : { x: 0.5, y: 0.5 };
    const part = (low, high, from, size) => ((Math.min(...found.map(low)) + Math.max(...found.map(high))) / 2 - from) / size;
    return {
      x: part((area) => area.left, (area) => area.right, whole.left, whole.width),
      y: part((area) => area.top, (area) => area.bottom, whole.top, whole.height),
    };
  };
  const showCoordinates = () => {
    const isShown = localStorage.getItem("parlour.coordinates") === "1";
    document.querySelector(".table")?.classList.toggle("coordinates", isShown);
    for (const button of document.querySelectorAll("[data-coordinates]")) button.setAttribute("aria-pressed", String(isShown));
  };
  const showMaps = () => {
    showCoordinates();
    for (const map of maps()) {
      const svg = map.querySelector(DRAWINGS);
      const buttons = map.parentElement.querySelector(".zoom");
      if (buttons) buttons.hidden = false;
      const { offsetWidth: width, offsetHeight: height } = map;
      const zoom = zoomOf(map, parseFloat(svg.style.width) / natural(svg));
      map.classList.toggle("zoomed", zoom > 1);
      if (zoom === 1) {
        map.removeAttribute("tabindex");
        continue;
      }
      // An enlarged map is moved by the arrow keys, too.
      map.setAttribute("tabindex", "0");
      svg.style.width = `${parseFloat(svg.style.width) * zoom}px`;
      map.style.width = `${width}px`;
      map.style.height = `${height}px`;
      const board = map.closest(".board");
      const boxes = [...board.querySelectorAll(".box")].map((box) => box.getBoundingClientRect().bottom);
      const free = board.getBoundingClientRect().bottom - Math.max(...boxes) - 12;
      map.style.height = `${Math.min(svg.clientHeight, height + Math.max(0, free))}px`;
      const { x, y } = { ...middleOf(map, svg), ...viewOf(map) };
      map.scrollLeft = x * map.scrollWidth - map.clientWidth / 2;
      map.scrollTop = y * map.scrollHeight - map.clientHeight / 2;
    }
  };
  const zoomTo = (map, step) => {
    const svg = map.querySelector(DRAWINGS);
    const now = ZOOMS.findIndex((zoom) => zoom >= zoomOf(map, svg.clientWidth / natural(svg)));
    remember(map, { zoom: step === 0 ? 1 : ZOOMS[Math.max(0, Math.min(ZOOMS.length - 1, now + step))] });
    fit();
  };
  document.addEventListener("scroll", (event) => {
    const map = event.target;
    if (!(map instanceof Element) || !map.matches(".map.zoomed") || performance.now() - gesture > GLIDE) return;
    remember(map, { x: (map.scrollLeft + map.clientWidth / 2) / map.scrollWidth, y: (map.scrollTop + map.clientHeight / 2) / map.scrollHeight });
  }, true);
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-zoom], [data-coordinates]");
    if (!button) return;
    if (button.matches("[data-coordinates]")) {
      localStorage.setItem("parlour.coordinates", localStorage.getItem("parlour.coordinates") === "1" ? "0" : "1");
      showCoordinates();
    } else zoomTo(button.closest(".zone").querySelector(".map"), Number(button.dataset.zoom));
  });
  document.addEventListener("keydown", (event) => {
    const step = { "+": 1, "=": 1, "-": -1, "0": 0 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    const map = event.target.closest(".zone")?.querySelector(".map") || maps()[0];
    if (!map) return;
    event.preventDefault();
    zoomTo(map, step);
  });
  // A mouse moves an enlarged map by dragging it; fingers do so by themselves.
  let drag = null;
  document.addEventListener("pointerdown", (event) => {
    const map = event.target.closest?.(".map.zoomed");
    if (!map || event.pointerType !== "mouse" || event.button !== 0) return;
    drag = { map, x: event.clientX, y: event.clientY, left: map.scrollLeft, top: map.scrollTop, isMoved: false };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isMoved && Math.hypot(x, y) < 5) return;
    drag.isMoved = true;
    drag.map.classList.add("panned");
    drag.map.scrollTo(drag.left - x, drag.top - y);
  });
  document.addEventListener("pointerup", () => {
    if (!drag) return;
    drag.map.classList.remove("panned");
    // The click that ends a drag chooses nothing.
    if (drag.isMoved) {
      const stop = (event) => event.stopPropagation();
      addEventListener("click", stop, true);
      setTimeout(() => removeEventListener("click", stop, true), 0);
    }
    drag = null;
  });

  let fitted = 0;
  const fit = () => {
    const board = document.querySelector(".board");
    if (!board) return;
    const narrow = isNarrow();
    const table = board.closest(".table");
    const scaled = board.querySelector(DRAWINGS);
    const fitMat = () => {
      const mat = document.querySelector(".mat");
      if (mat) solve(mat, `mat ${narrow}`, STEPS, narrow);
    };
    fitRivals();
    // A scroll bar would change the measured width.
    board.style.overflow = "hidden";
    const fitBoard = () => {
      if (!scaled) {
        solve(board, `board ${narrow}`, narrow ? NARROW_STEPS : STEPS);
        return;
      }
      const u = (scale) => STEPS.map(([u]) => u).find((u) => u <= Math.max(44, Math.min(96, 64 * scale)));
      const level = (scale) => (scale > 1.4 ? SPREAD : scale >= 1 ? FAN : STACK);
      const steps = SCALES.map((scale) => [u(scale), level(scale), scale]);
      const scale = SCALES[solve(board, `grid ${narrow}`, steps)];
      // There may be room for larger cards beside the map.
      if (!overflows(board)) solve(board, `beside ${narrow}`, [...STEPS.map(([u, level]) => [u, level, scale]), steps[SCALES.indexOf(scale)]]);
    };
    // If the board still overflows: less space between boxes, then all boxes packed together, then a lower mat.
    for (const dense of [[], ["dense"], ["dense", "flat"], ["dense", "flat", "tight"]]) {
      table.classList.remove("dense", "flat", "tight");
      table.classList.add(...dense);
      fitMat();
      fitBoard();
      if (narrow || !overflows(board)) break;
    }
    if (overflows(board)) board.style.overflow = "auto";
    fitted = board.clientHeight;
    showMaps();
  };
  addEventListener("resize", fit);
  addEventListener("load", fit);
  document.addEventListener("load", (event) => event.target.matches?.("link") && fit(), true);

  // Inspect: shows a piece or a whole pile enlarged.
  let under = null;
  let waits = 0;
  let isHeld = false;
  const enlarged = () => document.getElementById("inspect");
  const isInspecting = () => enlarged() && !enlarged().hidden;
  const unseen = () => {
    clearTimeout(waits);
    if (enlarged()) enlarged().hidden = true;
  };
  const inspect = (pieces, text = pieces.length === 1 ? pieces[0].getAttribute("title") : "") => {
    const place = enlarged();
    if (!place || (!pieces.length && !text)) return;
    const copy = (piece) => {
      const made = piece.cloneNode(true);
      for (const name of ["data-k", "title", "tabindex", "role", "aria-pressed"]) made.removeAttribute(name);
      made.classList.remove("lit", "taken", "hot", "moved");
      return made;
    };
    place.querySelector(".seen").replaceChildren(...pieces.map(copy));
    place.querySelector("p").textContent = text;
    place.classList.toggle("many", pieces.length !== 1);
    const { left, width } = (pieces[0] || place).getBoundingClientRect();
    place.classList.toggle("right", left + width / 2 < innerWidth / 2);
    place.hidden = false;
  };
  // Returns everything in a rival's strip as text, also what is folded.
  const told = (rival) => {
    const values = [...rival.querySelectorAll("dl > div")].map((value) => value.textContent.trim());
    return [rival.querySelector("h2").textContent.trim(), ...values].join(" · ").replace(/\s+/g, " ");
  };
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const piece = event.target.closest?.(".common .piece:not(svg *)");
    if (piece === under) return;
    under = piece;
    // An open pile stays until it is closed.
    if (isInspecting() && enlarged().classList.contains("many")) return;
    unseen();
    if (piece) waits = setTimeout(() => inspect([piece]), 250);
  });
  document.addEventListener("touchstart", (event) => {
    const piece = event.target.closest?.(".common .piece:not(svg *)");
    clearTimeout(waits);
    isHeld = false;
    if (piece) {
      waits = setTimeout(() => {
        isHeld = true;
        inspect([piece]);
      }, 350);
    }
  }, { passive: true });
  for (const ends of ["touchend", "touchmove", "touchcancel"]) document.addEventListener(ends, () => clearTimeout(waits), { passive: true });

  // Tells the viewer on request that it is their turn: by a sound, and by a notification while the tab is hidden. Browsers allow
  // notifications only on encrypted or local pages.
  const alertsOn = (name) => localStorage.getItem(`parlour.alert.${name}`) === "1";
  const canNotify = "Notification" in window && window.isSecureContext;
  const chime = () => {
    const audio = new AudioContext();
    for (const [at, pitch] of [[0, 659.25], [0.16, 880]]) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.12, audio.currentTime + at);
      volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + at + 0.4);
      tone.connect(volume).connect(audio.destination);
      tone.start(audio.currentTime + at);
      tone.stop(audio.currentTime + at + 0.4);
    }
    setTimeout(() => audio.close(), 1000);
  };
  const showAlerts = () => {
    const place = document.querySelector(".alerts");
    if (!place) return;
    place.hidden = false;
    for (const box of place.querySelectorAll("[data-alert]")) {
      box.checked = alertsOn(box.dataset.alert) && (box.dataset.alert !== "notice" || (canNotify && Notification.permission === "granted"));
      box.closest("label").hidden = box.dataset.alert === "notice" && !canNotify;
    }
  };
  document.addEventListener("change", async (event) => {
    const name = event.target.dataset?.alert;
    if (!name) return;
    const isOn = event.target.checked && (name !== "notice" || (await Notification.requestPermission()) === "granted");
    localStorage.setItem(`parlour.alert.${name}`, isOn ? "1" : "0");
    event.target.checked = isOn;
    if (isOn && name === "sound") chime();
  });
  let wasTurn = true;
  const alertViewer = (turn) => {
    if (turn && !wasTurn) {
      if (alertsOn("sound")) chime();
      if (document.hidden && alertsOn("notice") && canNotify && Notification.permission === "granted") {
        new Notification(title, { body: turn, tag: location.pathname }).addEventListener("click", () => window.focus());
      }
    }
    wasTurn = Boolean(turn);
  };

  // Shows in the title and the icon of the tab that it is the viewer's turn.
  const title = document.title;
  const announce = () => {
    const turn = document.querySelector(".state")?.dataset.turn;
    alertViewer(turn);
    showAlerts();
    document.title = turn ? `● ${turn} · ${title}` : title;
    const icon = document.querySelector("link[rel=icon]");
    const now = turn ? "/static/icon-turn.svg" : "/static/icon.svg";
    if (icon && icon.getAttribute("href") !== now) icon.setAttribute("href", now);
  };

  // Shows the names of the areas that the author has arranged, on all pages of this browser.
  const AREAS = "parlour.areas";
  const showAreas = () => {
    const isShown = localStorage.getItem(AREAS) === "1";
    document.querySelector("#page .table")?.classList.toggle("named", isShown);
    for (const box of document.querySelectorAll("[data-areas]")) box.checked = isShown;
  };
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-areas]")) return;
    localStorage.setItem(AREAS, event.target.checked ? "1" : "0");
    settle();
  });
  addEventListener("storage", (event) => event.key === AREAS && settle());

  // After an absence, the lines of the log that the viewer has not seen are listed, oldest first. Each browser remembers on its own what
  // it has shown.
  const ABSENCE = 10 * 60 * 1000;
  const UNITS = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]];
  const ago = (time) => {
    const [unit, length] = UNITS.find(([, length]) => time >= length) || UNITS.at(-1);
    return new Intl.RelativeTimeFormat(document.documentElement.lang).format(-Math.round(time / length), unit);
  };
  const entries = () => [...document.querySelectorAll("#page .log .entry")];
  let visitor;
  const visit = () => {
    const place = document.getElementById("since");
    if (!place) return;
    // Several people may share one page, with covers between their turns. Nobody may see what another has missed.
    const who = document.querySelector("#page .table")?.dataset.who;
    if (who !== visitor) {
      place.hidden = true;
      place.querySelector(".lines").replaceChildren();
    }
    visitor = who;
    if (!who || document.hidden) return;
    const key = `parlour-visit ${location.pathname} ${who}`;
    const last = JSON.parse(localStorage.getItem(key) || "null");
    const now = { time: Date.now(), line: Math.max(0, ...entries().map((entry) => Number(entry.dataset.number))) };
    localStorage.setItem(key, JSON.stringify(now));
    if (!last || now.time - last.time < ABSENCE) return;
    const unseen = entries().filter((entry) => Number(entry.dataset.number) > last.line).sort((one, other) => one.dataset.number - other.dataset.number);
    if (!unseen.length) return;
    place.querySelector("h2").textContent = place.dataset.title.replace("{when}", ago(now.time - last.time));
    place.querySelector(".lines").replaceChildren(...unseen.map((entry) => entry.cloneNode(true)));
    place.hidden = false;
  };
  // An open page that is looked at counts as a visit that goes on.
  setInterval(visit, ABSENCE / 10);
  document.addEventListener("visibilitychange", visit);
  document.addEventListener("click", (event) => {
    if (event.target.closest("#since .shut")) document.getElementById("since").hidden = true;
  });

  const settle = () => {
    showAreas();
    refresh();
    announce();
    fit();
    visit();
  };
  document.addEventListener("htmx:afterSettle", settle);
  document.addEventListener("htmx:oobAfterSwap", settle);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", settle);
  else if (page()) settle();
})();
