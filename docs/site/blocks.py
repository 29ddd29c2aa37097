"""Preprocessor of mdbook: writes file names above the blocks of the guide, and buttons that play the games of blocks. Links to files of the
sources, which are not on the site, become their names.

`docs/build` writes the games and the file `blocks.json`, which says which blocks have one. Without it there are no buttons.
"""

import html
import json
import os
import re
import sys
from pathlib import Path

# Languages of blocks whose second word is not a file.
MARKS = {"example", "language", "right", "wrong"}


def games() -> dict:
    """Returns the game of each block: the name of the page, then the number of the block."""
    path = os.environ.get("PARLOUR_BLOCKS")
    return json.loads(Path(path).read_text(encoding="utf-8")) if path else {}


def heading(language: str, first: str, game: dict | None) -> str:
    """Returns what stands above a block: the file that it shows, and the button of its game."""
    word, _, file = language.partition(" ")
    if word == "diff":
        file = first.removeprefix("--- ").strip()
    if file in MARKS:
        file = ""
    is_more = file.endswith(" +")
    file = file.removeprefix("from ").removesuffix(" +")
    parts = []
    if file:
        parts.append(f"<code>{html.escape(file)}</code>" + (" (at its end)" if is_more else ""))
    if game:
        name, link = html.escape(game["name"]), html.escape(game["game"])
        parts.append(f'<a class="button primary play" href="../play/{link}/index.html#play" data-name="{name}">Play</a>')
    return f'<div class="bar">{" ".join(f"<span>{part}</span>" if part.startswith("<code") else part for part in parts)}</div>' if parts else ""


def named(link: re.Match) -> str:
    """Returns the text of a link, and the name of the file to which it leads."""
    text, file = link.groups()
    return text if file in text else f"{text} (`{file}` in the sources)"


def with_headings(text: str, blocks: dict) -> str:
    """Returns the page with a heading above each block. Blocks are counted as by `tests/commands/guide.rs`."""
    text = re.sub(r"\[([^\]]+)\]\(\.\./\.\./([^)#]+)[^)]*\)", named, text)
    lines = text.splitlines(keepends=True)
    out, number, is_inside, is_headed = [], 0, False, False
    for at, line in enumerate(lines):
        if not line.startswith("```"):
            out.append(line)
        elif is_inside:
            out.append("```\n" + ("\n</div>\n" if is_headed else ""))
            is_inside = False
            number += 1
        else:
            language = line[3:].strip()
            above = heading(language, lines[at + 1], blocks.get(str(number)))
            is_inside, is_headed = True, bool(above)
            if above:
                out.append(f'<div class="block">\n{above}\n\n')
            out.append(f"```{language.partition(' ')[0]}\n")
    return "".join(out)


def process(items: list, known: dict) -> None:
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            page = Path(chapter["path"] or "").stem
            chapter["content"] = with_headings(chapter["content"], known.get(page, {}))
            process(chapter["sub_items"], known)


def main() -> None:
    if sys.argv[1:2] == ["supports"]:
        sys.exit(0 if sys.argv[2] == "html" else 1)
    _, book = json.load(sys.stdin)
    process(book.get("items", book.get("sections", [])), games())
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
