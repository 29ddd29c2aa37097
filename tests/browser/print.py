"""Opens printed sheets from disk in a real browser, and the PDF that a browser made of them: cards have the stated size on the screen and
on paper, and pages load nothing from outside. Then prints a game, measures its cards and boards in the PDF, and renders pictures of its
cards.

    python print.py PARLOUR FOLDER [SCREENSHOT]
"""

import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from report import browser

# Pixels and points per millimeter.
PIXELS, POINTS = 96 / 25.4, 72 / 25.4


# Tolerance in millimeters for the positions of words, which are on whole pixels of the page, a quarter of a millimeter apart.
OF_WORDS = 0.27


def near(found: float, wanted: float, what: str, within: float = 0.1) -> None:
    assert abs(found - wanted) < within, f"{what}: {found:.3f} mm, not {wanted}"


def sheets(driver, folder: Path) -> None:
    files = sorted(folder.glob("*.html"))
    assert files, "there are sheets"
    driver.get("about:blank")
    driver.get_log("performance")
    for file in files:
        driver.get(file.resolve().as_uri())
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        slots = driver.execute_script("""
            return [...document.querySelectorAll('.slot')].map((slot) => {
              const [box, face] = [slot, slot.firstElementChild ?? slot].map((one) => one.getBoundingClientRect());
              return [slot.style.width, slot.style.height, box.width, box.height, face.width, face.height];
            });""")
        for width, height, *found in slots:
            for at, wanted in enumerate([width, height] * 2):
                near(found[at] / PIXELS, float(wanted.removesuffix("mm")), f"{file.name}")
        pages = driver.execute_script("""
            return [...document.querySelectorAll('.sheet')].map((page) => [page.offsetWidth, page.offsetHeight, page.scrollWidth, page.scrollHeight]);""")
        for width, height, wide, high in pages:
            assert abs(width / PIXELS - 210) < 0.3 and abs(height / PIXELS - 297) < 0.3, f"{file.name}: a page of {width} by {height}"
            assert wide <= width + 1 and high <= height + 1, f"{file.name}: something leaves the sheet"
        scripts = driver.execute_script("return document.scripts.length")
        assert scripts == 0, f"{file.name}: nothing runs"
    asked = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    urls = [entry["params"]["request"]["url"] for entry in asked if entry["method"] == "Network.requestWillBeSent"]
    outside = [url for url in urls if not url.startswith(("file:", "data:", "about:"))]
    assert not outside, f"pages ask for {outside}"
    others = {url for url in urls if url.startswith("file:")} - {file.resolve().as_uri() for file in files}
    assert not others, f"pages read {others}"


def pdf(folder: Path) -> None:
    """Asserts that every page of the PDF has the size of the paper."""
    found = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", (folder / "all.pdf").read_bytes())
    assert found, "the PDF has pages"
    for width, height in found:
        assert abs(float(width) / POINTS - 210) < 0.5 and abs(float(height) / POINTS - 297) < 0.5, f"a page of {width} by {height} points"


GAME = """[game]
id = "measured"
name = "Measured"
players = { min = 1, max = 1 }
[zones.deck]
shape = "pile"
starts_with = ["card"]
[zones.path]
shape = "grid"
columns = 12
rows = 1
printed.place = ["Ada Bob Cyd Dan Eve Fay Gus Hal Ian Joe Kim Lou"]
accepts = ["hut"]
"""
CARDS = """[kinds.hut]
size = [30, 30]
[[card]]
id = "card"
name = "Measure"
worth = 1
count = 9
[[hut]]
id = "hut"
count = 1
"""


def words(pdf: Path, word: str) -> list[tuple[int, float, float]]:
    """Returns the positions of a word in a PDF: the page, and the corner in millimeters."""
    found = subprocess.run(["pdftotext", "-bbox", str(pdf), "-"], check=True, capture_output=True, text=True).stdout
    places = []
    for number, page in enumerate(found.split("<page ")[1:]):
        for x, y in re.findall(rf'xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>{word}<', page):
            places.append((number, float(x) / POINTS, float(y) / POINTS))
    return places


def measures(parlour: str) -> None:
    """Cards of 63 by 88 mm, and the spaces of a board on two sheets, have the right distances in the PDF."""
    with tempfile.TemporaryDirectory() as work:
        game = Path(work) / "measured"
        (game / "components").mkdir(parents=True)
        (game / "game.toml").write_text(GAME)
        (game / "components" / "cards.toml").write_text(CARDS)
        out = Path(work) / "out"
        arguments = ["--browser", "/usr/bin/chromium", "--no-sandbox"]
        subprocess.run([parlour, "print", game, "--out", out, "--bleed", "0", *arguments], check=True, capture_output=True)
        cards = sorted({(round(y, 2), round(x, 2)) for page, x, y in words(out / "all.pdf", "Measure") if page == 0})
        assert len(cards) == 9, f"nine cards, not {cards}"
        near(cards[1][1] - cards[0][1], 63, "the width of a card in the PDF", OF_WORDS)
        near(cards[3][0] - cards[0][0], 88, "the height of a card in the PDF", OF_WORDS)
        # Twelve spaces of 30 mm need two sheets.
        spaces = {}
        for name in ("Ada", "Bob", "Cyd", "Joe", "Kim", "Lou"):
            spaces[name] = words(out / "all.pdf", name)
            assert spaces[name], f"the board has the space {name}"
        pages = {page for places in spaces.values() for page, _, _ in places}
        assert len(pages) >= 2, "the board takes two sheets"
        step = abs(spaces["Ada"][0][2] - spaces["Bob"][0][2])
        across = abs(spaces["Ada"][0][1] - spaces["Bob"][0][1])
        near(max(step, across), 30, "a space of the board in the PDF", OF_WORDS)
        subprocess.run([parlour, "print", game, "--out", Path(work) / "cards", "--images", *arguments], check=True, capture_output=True)
        width, height = struct.unpack(">II", (Path(work) / "cards" / "card-card.png").read_bytes()[16:24])
        near(width / 300 * 25.4, 63 + 2 * 3, "the width of a picture with its bleed", 0.15)
        near(height / 300 * 25.4, 88 + 2 * 3, "the height of a picture with its bleed", 0.15)
        subprocess.run([parlour, "print", game, "--out", Path(work) / "tts", "--images", "tabletop-simulator", *arguments], check=True, capture_output=True)
        saved = json.loads((Path(work) / "tts" / "tabletop-simulator.json").read_text())
        (deck,) = [one for one in saved["ObjectStates"] if one["Name"] == "DeckCustom"]
        assert len(deck["DeckIDs"]) == len(deck["ContainedObjects"]) == 9, "a deck has all cards"
        assert {card["CardID"] for card in deck["ContainedObjects"]} == set(deck["DeckIDs"]), "its cards are those of the sheet"


def main() -> None:
    parlour, folder = sys.argv[1], Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as profile:
        driver = browser(profile)
        try:
            sheets(driver, folder)
            if len(sys.argv) > 3:
                driver.get_screenshot_as_file(sys.argv[3])
        finally:
            driver.quit()
    pdf(folder)
    measures(parlour)
    print("the sheets hold in a real browser")


if __name__ == "__main__":
    main()
