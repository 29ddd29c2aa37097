// Clicking on the table narrows the options; keys do what clicks do. Without this file the options are still there, as buttons.
"use strict";
(() => {
  const page = () => document.getElementById("page");
  let question = "";
  let chosen = [];
  let typed = "";
  // The parts that somebody has opened, and within so many options that are left all are shown.
  let opened = new Set();
  const GLANCE = 12;

  const marks = (element) => (element.dataset.k || "").split(" ").filter(Boolean);
  const options = () => [...document.querySelectorAll("#options li.option")];
  const parts = () => [...document.querySelectorAll("#options details")];
  // A part may stand in others as well.
  const path = (part) => {
    const outer = part.parentElement.closest("#options details");
    return (outer ? `${path(outer)}/` : "") + part.dataset.part;
  };
  const onTable = () => [...document.querySelectorAll(".common [data-k]")];

  // The options that have everything that was clicked, and every word that was typed.
  const fits = (option, clicked) => {
    const own = marks(option);
    const text = option.textContent.toLowerCase();
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    return clicked.every((mark) => own.includes(mark)) && words.every((word) => text.includes(word));
  };

  // What is pressed by keys: of something that holds other things, its title.
  const handle = (element) =>
    element.matches(".zone, .box, .strip") ? element.querySelector(":scope > .title, :scope > h2 > span, :scope > header h2 > span") : element;

  const unlit = (element) => {
    if (!element.classList.contains("lit") && !element.classList.contains("hot")) return;
    element.classList.remove("lit", "taken", "hot");
    const pressed = handle(element);
    for (const name of ["tabindex", "aria-pressed", "role"]) pressed?.removeAttribute(name);
    // A part of a drawing is a picture again.
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
      typed = "";
      opened = new Set();
      const filter = document.getElementById("filter");
      if (filter) filter.value = "";
    }
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
    if (count) count.textContent = left.length === all.length ? String(all.length) : `${left.length} / ${all.length}`;
    const clear = document.getElementById("chosen");
    if (clear) {
      clear.hidden = !chosen.length;
      clear.querySelector("b").textContent = chosen.map(named).join(" · ");
    }
    const sole = left.length === 1 ? left[0] : null;
    for (const option of all) option.classList.toggle("sole", option === sole);
    lay(sole);
    const bar = document.getElementById("bar");
    if (!bar) return;
    bar.hidden = !sole || !chosen.length;
    bar.querySelector("span").textContent = sole ? sole.textContent.trim() : "";
  };

  // What a mark on the table is called.
  const named = (mark) => {
    const element = onTable().find((one) => marks(one).includes(mark));
    const told = element?.getAttribute("title") || element?.getAttribute("aria-label") || element?.querySelector("title, .title, .label, h2")?.textContent;
    return (told || "").trim();
  };

  // How a tile would lie by an option.
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
      text.setAttribute("fill", prints[number].dataset.ink);
      text.textContent = prints[number].textContent;
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
    typed = "";
    const filter = document.getElementById("filter");
    if (filter) filter.value = "";
    refresh();
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest(".dismiss")) return accepted();
    if (event.target.closest(".clear")) return clear();
    if (event.target.closest("#bar .go")) return sole()?.click();
    const part = event.target.closest("#options summary")?.parentElement;
    if (part) opened[part.open ? "delete" : "add"](path(part));
    const lit = event.target.closest(".common .lit");
    if (lit && !event.target.closest("a, button, input, summary")) press(lit);
  });

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input, textarea, select");
    if (event.key === "Escape") return clear();
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
        filter.focus();
      }
    }
  });

  document.addEventListener("input", (event) => {
    if (event.target.id === "filter") {
      typed = event.target.value;
      refresh();
    }
    if (event.target.matches(".slider input[type=range]")) {
      clearTimeout(slide.waits);
      slide.waits = setTimeout(() => event.target.form.requestSubmit(), 250);
    }
  });
  const slide = { waits: 0 };

  // What an option speaks of shows where it lies.
  const hot = (event) => {
    const option = event.target.closest?.("#options li.option");
    const own = option ? marks(option) : [];
    for (const element of onTable()) element.classList.toggle("hot", marks(element).some((mark) => own.includes(mark)));
    lay(option || document.querySelector("#options li.sole"));
  };
  document.addEventListener("mouseover", hot);
  document.addEventListener("focusin", hot);

  // What somebody is in the middle of stays when the page is brought anew: what is written and not sent, what is open, where the keys are.
  let kept = new Map();
  let place = null;
  const keep = (event) => {
    // An answer that comes to its own place on the page leaves the rest alone.
    if (event.detail.target !== page()) return;
    const now = document.activeElement;
    const sent = event.detail.requestConfig?.elt;
    kept = new Map();
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
    refresh();
    if (place && document.activeElement === document.body) {
      const element = onTable().find((one) => one.dataset.k === place);
      if (element) handle(element)?.focus({ preventScroll: true });
    }
    place = null;
  };
  // Whatever is refused is shown: in the server's words, or with the status of whoever answered in its place.
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
  // A stream that breaks off does not say why: a page that is asked for does.
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

  document.addEventListener("htmx:beforeSwap", keep);
  document.addEventListener("htmx:afterSwap", restore);

  const toEnd = () => {
    for (const lines of document.querySelectorAll(".log .lines")) lines.scrollTop = lines.scrollHeight;
  };
  const settle = () => {
    refresh();
    toEnd();
  };
  document.addEventListener("htmx:afterSettle", settle);
  document.addEventListener("htmx:oobAfterSwap", settle);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", settle);
  else if (page()) settle();
})();
