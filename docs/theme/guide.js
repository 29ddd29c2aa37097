// The guide's own script: colors of code, the place in the contents, and games that are played over a page.
"use strict";
// The search, which is mdbook's, reads these names.
var path_to_root = document.documentElement.dataset.root;
window.path_to_searchindex_js = document.documentElement.dataset.search;

(() => {
  // Rules read like Rust. What has no grammar here stays as it is.
  const grammars = { rhai: "rust", toml: "toml", ini: "ini", python: "python", diff: "diff", json: "json", sh: "bash", html: "xml" };
  for (const code of document.querySelectorAll("pre > code[class*='language-']")) {
    const grammar = grammars[code.className.match(/language-(\w+)/)?.[1]];
    if (!grammar || !hljs.getLanguage(grammar)) continue;
    code.className = `language-${grammar}`;
    hljs.highlightBlock(code);
  }

  // What is wider than the page is scrolled with the keyboard, too.
  const reach = () => {
    for (const wide of document.querySelectorAll("pre, pre > code, .table-wrapper")) {
      if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
      else wide.removeAttribute("tabindex");
    }
  };
  addEventListener("resize", reach);
  reach();

  const here = location.pathname.split("/").pop() || "index.html";
  for (const link of document.querySelectorAll("#contents a")) {
    if (link.pathname.split("/").pop() !== here) continue;
    link.setAttribute("aria-current", "page");
    const list = document.getElementById("contents");
    list.scrollTop = link.offsetTop - list.clientHeight / 3;
    break;
  }

  // A game is a page of its own: without this script, or in another tab, the link opens it.
  const play = (link) => {
    const dialog = document.createElement("dialog");
    dialog.className = "game";
    const bar = document.createElement("div");
    const name = document.createElement("strong");
    name.textContent = link.dataset.name;
    const alone = document.createElement("a");
    alone.href = link.href;
    alone.target = "_blank";
    alone.textContent = "Open in a tab";
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "Close";
    close.addEventListener("click", () => dialog.close());
    bar.append(name, alone, close);
    const game = document.createElement("iframe");
    game.src = link.href;
    game.title = link.dataset.name;
    dialog.append(bar, game);
    // With its frame, the game's workers end.
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    game.focus();
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-name]");
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    play(link);
  });
})();
