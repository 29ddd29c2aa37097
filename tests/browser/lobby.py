"""Uses a lobby in a real browser: a table is set up by its form, played at, closed, and found again after a restart.

    python lobby.py PARLOUR [FOLDER FOR SCREENSHOTS]
"""

import re
import subprocess
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from report import browser
from table import fits, is_accessible, is_quiet, leaves, offered, plays, question, sits_down, telephone, waits


class Lobby:
    """A lobby that is served until it is killed. With `port`, it has the same address as an earlier one."""

    def __init__(self, parlour: str, folder: Path, port: str = "0") -> None:
        command = [parlour, "serve", str(folder / "games"), "--save", str(folder / "evenings"), "--port", port]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.links: dict[str, str] = {}
        for line in self.process.stdout:
            found = re.match(r"\s+(.+?)\s+(http://\S+)", line)
            if found:
                self.links[found[1]] = found[2]
            if "Ctrl-C" in line:
                break
        self.port = re.search(r":(\d+)/", self.links["the host"])[1]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def opens(driver: webdriver.Chrome, link: str) -> None:
    driver.get(link)
    waits(driver, lambda: driver.find_elements(By.CSS_SELECTOR, ".shelf"), "the lobby is shown")


def by_keys(driver: webdriver.Chrome, wanted: str) -> None:
    """Moves the focus to the wanted element with the Tab key, and presses Enter."""
    for _ in range(200):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        if driver.execute_script("return document.activeElement.matches(arguments[0])", wanted):
            driver.switch_to.active_element.send_keys(Keys.ENTER)
            return
    raise AssertionError(f"`{wanted}` is not reached by the tabulator")


def links(driver: webdriver.Chrome, table: str) -> dict[str, str]:
    rows = driver.find_elements(By.CSS_SELECTOR, f"#{table} .links > div")
    return {
        row.find_element(By.TAG_NAME, "dt").text: row.find_element(By.TAG_NAME, "a").get_attribute("href") for row in rows
    }


def looks(driver: webdriver.Chrome, axe: str, what: str, shots: Path | None) -> None:
    """Asserts that the page fits on a screen and on a telephone, and is accessible."""
    fits(driver, what)
    if shots:
        driver.save_screenshot(str(shots / f"{what}.png"))
    telephone(driver, True)
    time.sleep(0.3)
    fits(driver, f"{what} on a telephone")
    if shots:
        driver.save_screenshot(str(shots / f"{what}-telephone.png"))
    telephone(driver, False)
    is_accessible(driver, axe, what)


def main() -> None:
    parlour, shots = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]) if len(sys.argv) > 2 else None
    axe = (files("axe_core_python") / "axe.min.js").read_text()
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other, tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        subprocess.run([parlour, "new", str(folder / "games" / "mine")], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([parlour, "new", str(folder / "games" / "broken")], check=True, stdout=subprocess.DEVNULL)
        rules = folder / "games" / "broken" / "rules" / "play.rhai"
        rules.write_text(rules.read_text(encoding="utf-8").replace("card.move_to(seat", "card.move_too(seat"), encoding="utf-8")
        host, ann = browser(one), browser(other)
        lobby = Lobby(parlour, folder)
        try:
            opens(host, lobby.links["the host"])
            assert "No table is open" in host.find_element(By.ID, "page").text
            # The page of a game with mistakes has no form.
            host.find_element(By.PARTIAL_LINK_TEXT, "broken").click()
            waits(host, lambda: "move_too" in host.find_element(By.ID, "page").text, "the mistake is told")
            assert not host.find_elements(By.TAG_NAME, "form")
            looks(host, axe, "game-with-mistakes", shots)
            # Sets up a table of a game with an option. The keyboard is used until the form is open, and to submit it.
            host.find_element(By.CSS_SELECTOR, "nav a").click()
            by_keys(host, ".shelf a[href*='stockpile']")
            waits(host, lambda: host.find_elements(By.CSS_SELECTOR, "form.set-up"), "the form is shown")
            by_keys(host, ".players a[href*='players=3']")
            waits(host, lambda: host.find_elements(By.NAME, "seat.3"), "a seat for each of three players")
            rounds = host.find_element(By.NAME, "option.rounds")
            rounds.clear()
            rounds.send_keys("2")
            Select(host.find_element(By.NAME, "seat.2")).select_by_visible_text("random")
            Select(host.find_element(By.NAME, "seat.3")).select_by_visible_text("random")
            looks_before = rounds.get_attribute("value")
            assert looks_before == "2"
            by_keys(host, "form.set-up button")
            waits(host, lambda: host.find_elements(By.ID, "stockpile-1"), "the table is open")
            own = links(host, "stockpile-1")
            assert list(own) == ["Ann", "Watching", "Host"], own
            host.get(f"http://127.0.0.1:{lobby.port}/lobby/game?game=stockpile&players=4")
            looks(host, axe, "set-up", shots)
            host.find_element(By.CSS_SELECTOR, "form.set-up button").click()
            waits(host, lambda: host.find_elements(By.ID, "stockpile-2"), "another table is open")
            looks(host, axe, "lobby", shots)
            host.find_element(By.CSS_SELECTOR, ".languages a[lang='zh-Hant']").click()
            waits(host, lambda: "大廳" in host.find_element(By.TAG_NAME, "h1").text, "it is in Chinese")
            looks(host, axe, "lobby-zh", shots)
            host.find_element(By.CSS_SELECTOR, ".languages a[lang='en']").click()
            # Ann makes a choice at this table.
            sits_down(ann, own["Ann"])
            waits(ann, lambda: question(ann), "it is one's turn")
            plays([ann], 2)
            waits(ann, lambda: question(ann), "it is one's turn again")
            now = offered(ann)
            leaves(ann)
            # The host closes one table; the other one stays open.
            host.find_element(By.CSS_SELECTOR, "#stockpile-2 footer form button").click()
            waits(host, lambda: "Open again" in host.find_element(By.ID, "stockpile-2").text, "it is closed")
            is_quiet(host)
            lobby.kill()
            lobby = Lobby(parlour, folder, lobby.port)
            # After a restart, the host's cookie and the links are still valid.
            host.get(f"http://127.0.0.1:{lobby.port}/lobby/")
            waits(host, lambda: host.find_elements(By.ID, "stockpile-1"), "the table is found again")
            assert links(host, "stockpile-1") == own, "its links stay"
            ann.get(own["Ann"].split("/enter/")[0] + "/")
            waits(ann, lambda: question(ann) and offered(ann) == now, "the table stands where it stood")
            host.find_element(By.CSS_SELECTOR, "#stockpile-2 footer button.primary").click()
            waits(host, lambda: "stockpile-2" in host.current_url and links(host, "stockpile-2"), "it is open again")
            # Visitors without a link see which tables are open.
            leaves(ann)
            ann.get(f"http://127.0.0.1:{lobby.port}/")
            waits(ann, lambda: ann.find_elements(By.ID, "stockpile-1"), "what is under way")
            assert not ann.find_elements(By.CSS_SELECTOR, "form, .links")
            looks(ann, axe, "lobby-for-others", shots)
            is_quiet(host)
            # Opens a table of a game that `parlour new` has created.
            host.get(f"http://127.0.0.1:{lobby.port}/lobby/game?game=mine&players=2")
            host.find_element(By.CSS_SELECTOR, "form.set-up button").click()
            waits(host, lambda: host.find_elements(By.CSS_SELECTOR, "#mine-1"), "a table of the new game")
            own = links(host, "mine-1")
            for who in ("Ann", "Ben"):
                sits_down(ann, own[who])
                time.sleep(0.3)
                if question(ann):
                    break
            looks(ann, axe, "new-game", shots)
            is_quiet(ann)
        finally:
            host.quit()
            ann.quit()
            lobby.kill()
    print("the lobby is well in a browser")


if __name__ == "__main__":
    main()
