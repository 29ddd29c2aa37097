"""Takes the pictures of the site and of the guide from the current build, in headless Chromium. PARLOUR is the program.

    python pictures.py games PARLOUR OUT     a picture of each game of the repository
    python pictures.py moving PARLOUR OUT    Stockpile as it is played, as an animated picture
    python pictures.py guide PARLOUR OUT     the pictures of the guide, for `docs/src`

`KEEP=1` takes only pictures that are missing. The same build takes the same pictures: games have a seed.
"""

import io
import os
import shutil
import sys
import tempfile
import time
import tomllib
from pathlib import Path

from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/browser"))

from lobby import Lobby, opens  # noqa: E402
from report import browser  # noqa: E402
from table import NARROW, Table, is_over, moves, plays, question, sits_down, waits  # noqa: E402

# Answers of the person before the picture is taken, if they are not five: so many that something has happened.
ANSWERS = {
    "chess": 7, "go": 22, "connect-four": 7, "othello": 12, "checkers": 8, "tic-tac-toe": 2, "nine-mens-morris": 9, "beacons": 3, "stockpile": 7,
    "kuhn-poker": 0, "leduc-poker": 0, "missing-lantern": 2, "three-winters": 2, "branch-lines": 3, "hearts": 8, "cribbage": 9, "little-tricks": 3,
}

# Numbers of players, if it is not the smallest.
PLAYERS = {"stockpile": 4, "wall-street-1920": 3, "last-will": 3, "monga-alley": 3}


def sized(driver: webdriver.Chrome, width: int, height: int) -> None:
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def shot(driver: webdriver.Chrome) -> Image.Image:
    return Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")


def table(parlour: str, folder: Path, players: int) -> Table:
    """Serves a game for one person and the game's own agents."""
    agents = sorted(file.stem for file in folder.glob("agents/*.rhai")) or ["random"]
    seats = ",".join(["human"] + [agents[0]] * (players - 1))
    return Table(parlour, str(folder), "--players", str(players), "--seed", "7", "--agents", seats)


def answers(driver: webdriver.Chrome, count: int) -> None:
    """Gives answers. Agents choose in between."""
    for number in range(count):
        waits(driver, lambda: question(driver) or is_over(driver), "somebody is asked", 120)
        if is_over(driver):
            return
        now = question(driver)
        driver.execute_script(NARROW, 7 * number + 5)
        waits(driver, lambda now=now: question(driver) != now, "the answer is taken", 120)
    waits(driver, lambda: question(driver) or is_over(driver), "somebody is asked", 120)


def games(driver: webdriver.Chrome, parlour: str, out: Path) -> None:
    moves(driver, False)
    sized(driver, 1280, 800)
    for file in sorted([*ROOT.glob("games/*/game.toml"), *ROOT.glob("examples/g*/*/game.toml")]):
        folder = file.parent
        picture = out / f"{folder.name}.webp"
        if os.environ.get("KEEP") and picture.exists():
            continue
        least = tomllib.loads(file.read_text(encoding="utf-8"))["game"]["players"]["min"]
        with table(parlour, folder, PLAYERS.get(folder.name, least)) as served:
            sits_down(driver, next(iter(served.links.values())))
            answers(driver, ANSWERS.get(folder.name, 5))
            time.sleep(0.5)
            # Without the header and the log.
            shot(driver).crop((0, 40, 1016, 675)).resize((800, 500), Image.Resampling.LANCZOS).save(picture, quality=80, method=6)
        print(f"{folder.name}: {picture.stat().st_size >> 10} KB", flush=True)


def moving(driver: webdriver.Chrome, parlour: str, out: Path) -> None:
    """Records what happens after two answers: cards fly, and sentences say what they mean."""
    picture, still = out / "moving.webp", out / "still.webp"
    if os.environ.get("KEEP") and picture.exists():
        return
    sized(driver, 1280, 800)
    moves(driver, False)
    with table(parlour, ROOT / "games/stockpile", 4) as served:
        sits_down(driver, next(iter(served.links.values())))
        answers(driver, 0)
        moves(driver, True)
        record(driver, picture, still)


# Slows the page down, so that pictures of each moment can be taken on any machine.
SLOW = """
const [slower, later, animate] = [arguments[0], window.setTimeout, Element.prototype.animate];
window.setTimeout = (run, time = 0, ...rest) => later(run, time * slower, ...rest);
Element.prototype.animate = function (frames, options) {
  const { duration, delay = 0, ...rest } = typeof options === "number" ? { duration: options } : options;
  return animate.call(this, frames, { ...rest, duration: duration * slower, delay: delay * slower });
};
"""
SLOWER = 8

# Milliseconds between two pictures.
STEP = 80


def record(driver: webdriver.Chrome, picture: Path, still: Path) -> None:
    driver.execute_script(SLOW, SLOWER)
    frames: list[Image.Image] = []
    times: list[int] = []

    def add(frame: Image.Image, time: int) -> None:
        frame = frame.resize((800, 500), Image.Resampling.LANCZOS)
        # What does not change is shown longer instead of again.
        if frames and frame.tobytes() == frames[-1].tobytes():
            times[-1] += time
        else:
            frames.append(frame)
            times.append(time)

    for number in range(2):
        add(shot(driver), 1200)
        driver.execute_script(NARROW, 7 * number + 5)
        waits(driver, lambda: driver.find_elements(By.ID, "playback"), "it is played back", 60)
        before = time.monotonic()
        while driver.find_elements(By.ID, "playback"):
            frame, now = shot(driver), time.monotonic()
            add(frame, max(20, round((now - before) * 1000 / SLOWER)))
            before = now
            time.sleep(max(0, STEP * SLOWER / 1000 - 0.15))
        waits(driver, lambda: question(driver) or is_over(driver), "it goes on", 60)
    add(shot(driver), 2400)
    frames[0].save(picture, save_all=True, append_images=frames[1:], duration=times, loop=0, quality=55, method=4, minimize_size=True)
    frames[-1].save(still, quality=80, method=6)
    print(f"moving: {len(frames)} pictures, {sum(times) / 1000:.1f} s, {picture.stat().st_size >> 10} KB", flush=True)


def saved(picture: Image.Image, file: Path) -> None:
    picture.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)
    print(f"{file}: {file.stat().st_size >> 10} KB", flush=True)


def board(driver: webdriver.Chrome, parlour: str, game: str, answered: int, selector: str) -> Image.Image:
    """Returns the board of a served game after some answers."""
    with Table(parlour, game, "--players", "2", "--seed", "7", "--agents", "human,random") as table:
        sits_down(driver, table.links["Ann"])
        answers(driver, answered)
        time.sleep(0.5)
        box = driver.execute_script(f"const b = document.querySelector({selector!r}).getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]")
        return shot(driver).crop([round(side) for side in box])


def guide(driver: webdriver.Chrome, parlour: str, out: Path) -> None:
    sized(driver, 1280, 800)
    moves(driver, False)
    with Table(parlour, "games/stockpile", "--players", "5", "--seed", "7", "--agents", "human,trader,trader,trader,trader") as table:
        sits_down(driver, table.links["Ann"])
        # In the second round, cards lie everywhere.
        answers(driver, 6)
        time.sleep(0.5)
        saved(shot(driver), out / "serve.png")
    maps = [board(driver, parlour, f"examples/games/{game}", answered, ".board .map > :first-child") for game, answered in (("branch-lines", 4), ("garrisons", 3))]
    maps = [map.resize((round(map.width * 420 / map.height), 420), Image.Resampling.LANCZOS) for map in maps]
    both = Image.new("RGB", (sum(map.width for map in maps) + 8, 420), "white")
    both.paste(maps[0], (0, 0))
    both.paste(maps[1], (maps[0].width + 8, 0))
    saved(both, out / "layout.png")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "games", Path(folder, "games"))
        lobby = Lobby(parlour, Path(folder))
        try:
            sized(driver, 900, 620)
            opens(driver, lobby.links["the host"])
            driver.find_element(By.PARTIAL_LINK_TEXT, "1920 Wall Street").click()
            waits(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "form.set-up"), "the form is shown")
            saved(shot(driver), out / "lobby.png")
        finally:
            lobby.kill()


def main() -> None:
    what, parlour, out = sys.argv[1], str(Path(sys.argv[2]).resolve()), Path(sys.argv[3])
    take = {"games": games, "moving": moving, "guide": guide}.get(what)
    if not take:
        sys.exit(f"`{what}` is not a kind of picture\n{__doc__}")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        driver = browser(profile)
        try:
            take(driver, parlour, out)
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
