"""Checks that games are unchanged after LibreOffice has saved their rows: the rules of a run have the same fingerprint."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

PARLOUR, WORK = sys.argv[1], Path(sys.argv[2])

# The format that LibreOffice opens, and the format in which it saves.
FORMATS = [("xlsx", "xlsx"), ("xlsx", "ods"), ("ods", "ods"), ("ods", "xlsx")]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def fingerprint(game):
    """Returns the fingerprint of a game's rules and of those of its overlays, as a run's folder states it."""
    out = WORK / "run"
    shutil.rmtree(out, ignore_errors=True)
    run(PARLOUR, "simulate", game, "--games", 1, "--seed", 1, "--out", out)
    found = re.findall(r'"rules": "([0-9a-f]{16})"', (out / "manifest.json").read_text())
    assert found, f"the run of {game} says by which rules it was played"
    return found


def without_rows(text):
    """Returns the text of a TOML file without its rows: without the tables `[[…]]` and their subtables."""
    kept, kind, rows = [], None, set(re.findall(r"^\[\[([\w-]+)\]\]", text, re.MULTILINE))
    for line in text.splitlines():
        head = re.match(r"^\[\[?([\w-]+)", line)
        if head:
            kind = head.group(1) if head.group(1) in rows else None
        if kind is None:
            kept.append(line)
    return "\n".join(kept) + "\n"


def saved(file, ending, folder):
    folder.mkdir(parents=True, exist_ok=True)
    profile = (WORK / "profile").as_uri()
    run("soffice", f"-env:UserInstallation={profile}", "--headless", "--convert-to", ending, "--outdir", folder, file)
    return folder / f"{file.stem}.{ending}"


def check(game):
    before = fingerprint(game)
    copy = WORK / "game"
    for written, ending in FORMATS:
        sheet = WORK / f"box.{written}"
        sheet.unlink(missing_ok=True)
        if not run(PARLOUR, "cards", game, "--out", sheet).strip() or not sheet.exists():
            return False
        again = saved(sheet, ending, WORK / "saved")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(game, copy)
        for file in [*copy.glob("components/*.toml"), *copy.glob("overlays/*.toml")]:
            file.write_text(without_rows(file.read_text()))
        shutil.copy(again, copy / "components" / f"box.{ending}")
        assert fingerprint(copy) == before, f"{game}: {written} saved as {ending} is another game"
    return True


GAMES = sorted([*Path("games").iterdir(), *Path("examples/games").iterdir()])
checked = [game.name for game in GAMES if (game / "game.toml").exists() and check(game)]
assert checked, "some game has rows"
print(f"LibreOffice has saved the rows of {len(checked)} games, and they are the same")
