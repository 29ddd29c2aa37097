"""Writes the front page and the gallery of the site, in English and Traditional Chinese.

    python pages.py PARLOUR SITE

SITE has the pages of the games (`play`), their pictures (`pictures`) and the guide (`guide`). PARLOUR is the program: it plays the games
from which the minutes are estimated. `docs/build` calls this.
"""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from string import Template

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# Folders of games, in the order of the gallery, and the name of their section.
SHELVES = [("games", "bundled"), ("examples/gallery", "gallery"), ("examples/games", "samples")]

# Games of the front page: as different as possible.
FRONT = ["wall-street-1920", "chess", "hearts", "branch-lines", "monga-alley", "garrisons", "backgammon", "workshops"]

# Seconds for a decision, as in `docs/src/samples.md`.
SECONDS = 10

# Games that are played for the number of decisions.
GAMES = 8


class Game:
    """A game of the gallery."""

    def __init__(self, folder: Path, minutes: int) -> None:
        head = tomllib.loads((folder / "game.toml").read_text(encoding="utf-8"))["game"]
        self.folder, self.id, self.minutes = folder, folder.name, minutes
        self.names, self.about = head["name"], head.get("about", {})
        self.least, self.most = head["players"]["min"], head["players"]["max"]
        self.lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in folder.glob("rules/**/*.rhai"))

    def said(self, texts: object, lang: str) -> str:
        """Returns a text of the game, which may be the same in all languages."""
        return texts if isinstance(texts, str) else texts.get(lang, texts.get("en", ""))

    def card(self, texts: dict, root: str) -> str:
        players = str(self.least) if self.least == self.most else f"{self.least}–{self.most}"
        facts = [
            texts["players"].format(n=players),
            texts["minutes"].format(n=self.minutes),
            texts["lines"].format(n=self.lines),
        ]
        lang = texts["lang"]
        about = self.said(self.about, lang)
        return Template(
            '<li><img src="${root}pictures/$id.webp" alt="" width="800" height="500" loading="lazy">\n'
            '<h3><a class="play" href="${root}play/$id/index.html#play">$name</a></h3>\n'
            '<p class="facts">$facts</p>$about</li>'
        ).substitute(
            root=root,
            id=self.id,
            name=html.escape(self.said(self.names, lang)),
            facts=" ".join(f"<span>{fact}</span>" for fact in facts),
            about=f"\n<p>{html.escape(first_sentence(about))}</p>" if about else "",
        )


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.。])\s*", text, maxsplit=1)[0]


def minutes(parlour: str, folder: Path, least: int) -> int:
    """Estimates how long a game takes: the decisions of the game's own agents, or of random ones."""
    agents = sorted(file.stem for file in folder.glob("agents/*.rhai"))
    command = [parlour, "simulate", str(folder), "--players", str(least), "--games", str(GAMES), "--seed", "7", "--format", "json"]
    run = subprocess.run(command + (["--agents", agents[0]] if agents else []), check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    decisions = json.loads(run.stdout)["batches"][0]["measures"]["decisions"]["mean"]
    return max(1, round(decisions * SECONDS / 60))


def known_minutes(parlour: str, file: Path) -> dict[str, int]:
    if os.environ.get("KEEP") and file.exists():
        return json.loads(file.read_text())
    found = {}
    for shelf, _ in SHELVES:
        for folder in sorted((ROOT / shelf).iterdir()):
            if (folder / "game.toml").exists():
                head = tomllib.loads((folder / "game.toml").read_text(encoding="utf-8"))["game"]
                found[folder.name] = minutes(parlour, folder, head["players"]["min"])
    file.write_text(json.dumps(found, indent=1))
    return found


def block(page: str, number: int, paragraphs: int = 9) -> str:
    """Returns the first paragraphs of a fenced block of the guide."""
    blocks = re.findall(r"^```.+\n([^`]*)^```$", (ROOT / "docs/src" / page).read_text(encoding="utf-8"), re.MULTILINE)
    return html.escape("\n\n".join(blocks[number].rstrip().split("\n\n")[:paragraphs]))


def simulated(parlour: str, game: Path) -> str:
    """Returns a command about a game, and the beginning of what it prints."""
    command = [parlour, "simulate", str(game), "--games", "1000", "--seed", "7"]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    head, _, *rows = said.splitlines()
    table = [row.rstrip()[:42].rstrip() for row in rows[: rows.index("")]]
    return html.escape("\n".join(["$ parlour simulate orchard --games 1000", head.rsplit(" · ", 1)[0], "", *table]))


def write(site: Path, path: str, template: str, texts: dict, **values: str) -> None:
    """Writes a page. `path` is the one below the folder of its language."""
    folder = {"en": ""}
    own = folder.get(texts["lang"], f"{texts['lang']}/")
    depth = (own + path).count("/")
    root, other = "../" * depth, folder.get(texts["other_lang"], f"{texts['other_lang']}/")
    escaped = {name: html.escape(text) for name, text in texts.items()}
    common = escaped | {"root": root, "own": "../" * path.count("/"), "other_link": f"{root}{other}{path}"} | values
    content = Template(template).substitute(common)
    page = Template((HERE / "frame.html").read_text(encoding="utf-8")).substitute(common | {"content": content})
    file = site / own / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page, encoding="utf-8")


def align(guide: Path) -> None:
    """Makes classes of the alignment that mdbook writes as styles into the cells of tables."""
    for file in guide.glob("*.html"):
        text = file.read_text(encoding="utf-8")
        file.write_text(re.sub(r' style="text-align: (\w+)"', r' class="\1"', text), encoding="utf-8")


def main() -> None:
    parlour, site = sys.argv[1], Path(sys.argv[2])
    estimated = known_minutes(parlour, site.parent / "minutes.json")
    shelves = []
    for shelf, name in SHELVES:
        folders = [folder for folder in sorted((ROOT / shelf).iterdir()) if (folder / "game.toml").exists()]
        shelves.append((name, [Game(folder, estimated[folder.name]) for folder in folders]))
    every = {game.id: game for _, games in shelves for game in games}
    version = subprocess.run([parlour, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]
    shutil.copy(ROOT / "docs/theme/site.css", site)
    shutil.copy(ROOT / "docs/theme/favicon.svg", site / "icon.svg")
    align(site / "guide")
    # The game of the first chapter.
    games_code = simulated(parlour, site.parent / "blocks/first-game-2")
    for texts in tomllib.loads((HERE / "texts.toml").read_text(encoding="utf-8")).values():
        root = "../" if texts["lang"] != "en" else ""
        commit_line = html.escape(texts["without_server"].format(commit=version))
        write(
            site, "index.html", (HERE / "front.html").read_text(encoding="utf-8"), texts,
            page_title=html.escape(texts["title"]), games_here="", commit_line=commit_line,
            cards_code=block("first-game.md", 1, 2),
            rules_code=block("first-game.md", 2),
            games_code=games_code,
            some_games="\n".join(every[name].card(texts, root) for name in FRONT),
            all_games=html.escape(texts["all"].format(count=len(every))),
        )
        sections = []
        for name, games in shelves:
            cards = "\n".join(game.card(texts, f"{root}../") for game in games)
            more = html.escape(texts[f"{name}_more"])
            sections.append(f'<section>\n<h2>{html.escape(texts[name])}</h2>\n<p>{more}</p>\n<ul class="shelf">\n{cards}\n</ul>\n</section>')
        what = re.sub("`(.*?)`", r"<code>\1</code>", html.escape(texts["games_what"].format(example="hearts")))
        write(
            site, "games/index.html", f"<h1>{html.escape(texts['games_claim'])}</h1>\n<p class=\"lead\">{what}</p>\n" + "\n".join(sections).replace("$", "$$"), texts,
            page_title=html.escape(texts["games_title"]), games_here=' aria-current="true"', commit_line=commit_line,
        )
    print(f"{len(every)} games in the gallery")


if __name__ == "__main__":
    main()
