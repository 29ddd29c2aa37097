document.documentElement.classList.add("scripted");
document.querySelectorAll(".tabbed").forEach((tabbed) => {
  const tabs = Array.from(tabbed.querySelectorAll("[role=tab]"));
  const panels = tabs.map((tab) => document.getElementById(tab.getAttribute("aria-controls")));
  const search = tabbed.querySelector("input[type=search]");
  let chosen = 0;
  const show = () => {
    const wanted = search.value.trim().toLowerCase();
    tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", String(!wanted && at === chosen));
      tab.tabIndex = at === chosen ? 0 : -1;
      panels[at].hidden = !wanted && at !== chosen;
    });
    tabbed.querySelectorAll("tbody tr").forEach((row) => {
      row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
    });
  };
  tabs.forEach((tab, at) => {
    tab.addEventListener("click", () => { chosen = at; search.value = ""; show(); });
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      chosen = (at + step + tabs.length) % tabs.length;
      show();
      tabs[chosen].focus();
    });
  });
  search.addEventListener("input", show);
  show();
});
const unfold = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
};
addEventListener("hashchange", unfold);
unfold();
const download = (blob, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const drawing = (figure) => {
  const svg = figure.querySelector("svg").cloneNode(true);
  const style = getComputedStyle(document.body);
  const [width, height] = svg.getAttribute("viewBox").split(" ").slice(2).map(Number);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("style", `background: ${style.backgroundColor}; color: ${style.color}; fill: ${style.color}; font: 13px sans-serif`);
  return { text: new XMLSerializer().serializeToString(svg), width, height, paper: style.backgroundColor };
};
const formats = {
  SVG: (figure, save) => save(new Blob([drawing(figure).text], { type: "image/svg+xml" }), "svg"),
  PNG: (figure, save) => {
    const { text, width, height, paper } = drawing(figure);
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [width * 3, height * 3];
      const pen = canvas.getContext("2d");
      pen.fillStyle = paper;
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => save(blob, "png"));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  },
  CSV: (figure, save) => save(new Blob([figure.dataset.numbers], { type: "text/csv" }), "csv"),
};
document.querySelectorAll("figure[data-numbers]").forEach((figure) => {
  const title = figure.querySelector("svg").getAttribute("aria-label");
  const name = `${document.title} ${title}`.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  const bar = document.createElement("span");
  bar.className = "save";
  Object.entries(formats).forEach(([format, write]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = format;
    button.setAttribute("aria-label", `Save “${title}” as ${format}`);
    button.addEventListener("click", () => write(figure, (blob, ending) => download(blob, `${name}.${ending}`)));
    bar.append(button);
  });
  figure.querySelector("figcaption").append(bar);
});
document.querySelectorAll("table.sortable").forEach((table) => {
  table.querySelectorAll("th").forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "descending";
      const body = table.tBodies[0];
      const key = (row) => {
        const cell = row.cells[column];
        return "sort" in cell.dataset ? Number(cell.dataset.sort) : cell.textContent;
      };
      const rows = Array.from(body.rows).sort((a, b) => {
        const [one, two] = [key(a), key(b)];
        const order = typeof one === "number" && typeof two === "number" ? one - two : String(one).localeCompare(String(two));
        return up ? order : -order;
      });
      table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      body.append(...rows);
    });
  });
});
