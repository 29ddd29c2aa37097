"""Plays a game in a page without a server: from a web host, and as a single file from the disk, to its end and beyond a reload.

    python page.py PARLOUR ENGINE [FOLDER FOR SCREENSHOTS]
"""

import functools
import gzip
import http.server
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from report import browser
from table import is_over, moves, plays, question, waits


class Host(http.server.SimpleHTTPRequestHandler):
    """A host of static files that keeps quiet."""

    def log_message(self, *_: object) -> None:
        pass


def hosted(folder: Path) -> tuple[http.server.ThreadingHTTPServer, str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Host, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/"


def finds(driver: webdriver.Chrome, what: str) -> list:
    return driver.find_elements(By.CSS_SELECTOR, what)


def goes_to(driver: webdriver.Chrome, path: str) -> None:
    if not finds(driver, f"header nav a[href^='{path}']"):
        # The header of a table has room for a few links.
        finds(driver, "header nav a[href^='/rules/']")[0].click()
        waits(driver, lambda: finds(driver, ".printed"), "the rules are shown")
    finds(driver, f"header nav a[href^='{path}']")[0].click()


def opens(driver: webdriver.Chrome, address: str) -> float:
    """Opens a page. Returns the seconds until its form is shown."""
    begin = time.monotonic()
    driver.get(address)
    waits(driver, lambda: finds(driver, "form.set-up") or finds(driver, "#page .state") or finds(driver, ".cover"), "the page begins", 120)
    return time.monotonic() - begin


PAINTS = "return performance.getEntriesByType('paint').map((one) => `${one.name} after ${Math.round(one.startTime)} ms`).join(', ')"


def asks_at_once(driver: webdriver.Chrome, name: str, address: str) -> None:
    """A link that ends with `#play` begins a game. Prints the time until its first choice can be made."""
    begin = time.monotonic()
    driver.get(f"{address}#play")
    waits(driver, lambda: question(driver), "the first choice is asked", 120)
    print(f"{name}: the first choice is asked after {1000 * (time.monotonic() - begin):.0f} ms", flush=True)


def is_quiet(driver: webdriver.Chrome) -> None:
    """Nothing was asked of a network, and nothing was refused or has failed."""
    log = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE" and "favicon" not in entry["message"]]
    assert not log, log


def plays_on(driver: webdriver.Chrome, most: int) -> None:
    plays([driver], most)


def simulates(driver: webdriver.Chrome, parlour: str) -> None:
    goes_to(driver, "/simulate/")
    waits(driver, lambda: finds(driver, "#trials form"), "the form is shown", 60)
    Select(driver.find_element(By.CSS_SELECTOR, "#trials [name=agent]")).select_by_visible_text("random")
    players = driver.find_element(By.CSS_SELECTOR, "#trials [name=players]").get_attribute("value")
    begin = time.monotonic()
    driver.find_element(By.CSS_SELECTOR, "#trials .primary").click()
    waits(driver, lambda: finds(driver, "#trials .figures"), "the games are played", 300)
    seconds = time.monotonic() - begin
    shares = [cell.text for cell in finds(driver, "#trials .figures:first-of-type td:nth-of-type(1)")]
    assert abs(sum(float(share.split()[0]) for share in shares) - 100) < 1, shares
    begin = time.monotonic()
    command = [parlour, "simulate", "stockpile", "--players", players, "--agents", "random", "--games", "1000", "--jobs", "1"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    native = time.monotonic() - begin
    print(f"1,000 games in {seconds:.1f} s, {native / seconds:.0%} of the program's speed on one thread: {shares}", flush=True)


def looks_around(driver: webdriver.Chrome, shot) -> None:
    for path, what in [("/rules/", ".printed"), ("/cards/", ".cards .piece"), ("/about/", "#about")]:
        goes_to(driver, path)
        waits(driver, lambda what=what: finds(driver, what), path)
        shot(path.strip("/"))
    assert driver.execute_script("return document.querySelector('.printed, #about') !== null")


def begins(driver: webdriver.Chrome, people: int) -> None:
    seats = finds(driver, "form.set-up [name^='seat.']")
    for at, seat in enumerate(seats):
        if at < people:
            Select(seat).select_by_value("")
    driver.find_element(By.CSS_SELECTOR, "form.set-up button.primary").click()
    waits(driver, lambda: finds(driver, "#page .state") or finds(driver, ".cover"), "the table is shown", 60)


def takes_the_screen(driver: webdriver.Chrome) -> bool:
    covers = finds(driver, ".cover button")
    if covers:
        assert not finds(driver, ".mat, .board"), "a cover shows nothing of the table"
        assert not finds(driver, "#since")[0].is_displayed(), "a cover does not show what somebody has missed"
        assert not finds(driver, "#since .entry"), "nor does it contain it"
        covers[0].click()
        waits(driver, lambda: not finds(driver, ".cover"), "the table is uncovered")
    return bool(covers)


def tells_bytes(page: Path, site: Path, engine: str) -> None:
    """Prints the bytes of the single file, and of the site as a web host that compresses sends it."""
    files = [file for file in site.rglob("*") if file.is_file()]
    sent = sum(len(gzip.compress(file.read_bytes())) for file in files)
    sizes = {"the engine": Path(engine).stat().st_size, "the site": sum(file.stat().st_size for file in files), "the site compressed": sent}
    sizes |= {"the single file": page.stat().st_size, "the single file compressed": len(gzip.compress(page.read_bytes()))}
    print(", ".join(f"{what}: {size:,} bytes" for what, size in sizes.items()), flush=True)


def alone(driver: webdriver.Chrome, parlour: str, downloads: Path, shot) -> None:
    """One person plays against agents to the end, reloads on the way, and saves the game."""
    begins(driver, 1)
    waits(driver, lambda: question(driver), "somebody is asked", 120)
    shot("table")
    plays_on(driver, 8)
    waits(driver, lambda: question(driver) or is_over(driver), "it goes on", 120)
    log = driver.find_element(By.CSS_SELECTOR, "#log").get_attribute("textContent")
    driver.refresh()
    waits(driver, lambda: question(driver) or is_over(driver), "it goes on after a reload", 120)
    again = driver.find_element(By.CSS_SELECTOR, "#log").get_attribute("textContent")
    assert log.strip()[:2000] == again.strip()[:2000], "the same game goes on"
    plays_on(driver, 10_000)
    assert is_over(driver), "it comes to its end"
    shot("over")
    goes_to(driver, "/about/")
    waits(driver, lambda: finds(driver, "#about"), "what the page is is shown")
    finds(driver, "a[download]")[0].click()
    waits(driver, lambda: list(downloads.glob("*.play")), "the game is saved", 20)
    recording = next(downloads.glob("*.play"))
    subprocess.run([parlour, "test", str(recording)], check=True, stdout=subprocess.DEVNULL)
    print("a game that was played in the page is replayed by the program", flush=True)


AGE_VISITS = """
for (const key of Object.keys(localStorage).filter((key) => key.startsWith("parlour-visit"))) {
  const visit = JSON.parse(localStorage.getItem(key));
  localStorage.setItem(key, JSON.stringify({ time: visit.time - 20 * 60 * 1000, line: 0 }));
}
"""


def several(driver: webdriver.Chrome) -> None:
    """Two people share the screen. Each returns after 20 minutes, so the page lists what happened since the last visit."""
    goes_to(driver, "/lobby/game")
    waits(driver, lambda: finds(driver, "form.set-up"), "the form is shown")
    begins(driver, 2)
    taken, listed = 0, 0
    for draw in range(1, 40):
        waits(driver, lambda: question(driver) or is_over(driver) or finds(driver, ".cover"), "somebody is asked", 120)
        driver.execute_script(AGE_VISITS)
        taken += takes_the_screen(driver)
        listed += bool(finds(driver, "#since .entry"))
        waits(driver, lambda: question(driver) or finds(driver, ".cover"), "somebody is asked", 120)
        if question(driver):
            plays_on(driver, 1)
    assert taken > 2, taken
    assert listed > 0, "nobody was shown what they had missed"


def begins_anew(driver: webdriver.Chrome, address: str) -> None:
    """A page whose engine cannot read what the browser keeps says so, and begins anew when it is asked to."""
    damage = "for (const key of Object.keys(localStorage)) if (key.startsWith('parlour game ')) localStorage.setItem(key, '[1]')"
    driver.execute_script(damage)
    for _ in range(2):
        driver.get("about:blank")
        driver.get(address)
        waits(driver, lambda: len(finds(driver, ".stopped button")) == 2, "the page says that its engine has stopped", 120)
    finds(driver, ".stopped button")[1].click()
    waits(driver, lambda: finds(driver, "form.set-up"), "the page begins anew", 120)
    assert not finds(driver, ".stopped")
    driver.get_log("browser")  # The requests that failed are not reported again.


def main() -> None:
    parlour, engine = sys.argv[1], sys.argv[2]
    shots = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        folder = Path(folder)
        (folder / "saved").mkdir()
        export = [parlour, "export", "stockpile", "--module", engine, "--out"]
        subprocess.run([*export, str(folder / "site")], check=True)
        subprocess.run([*export, str(folder / "stockpile.html"), "--single-file"], check=True)
        subprocess.run([parlour, "new", "own", "--from", "stockpile.html"], check=True, cwd=folder, stdout=subprocess.DEVNULL)
        subprocess.run([parlour, "test", "own"], check=True, cwd=folder, stdout=subprocess.DEVNULL)
        tells_bytes(folder / "stockpile.html", folder / "site", engine)
        server, address = hosted(folder / "site")
        driver = browser(profile)
        driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder / "saved")})
        moves(driver, False)
        try:
            for name, where in [("host", address), ("file", (folder / "stockpile.html").as_uri()), ("folder", (folder / "site/index.html").as_uri())]:
                def shot(what: str, name: str = name) -> None:
                    if shots:
                        shots.mkdir(exist_ok=True)
                        driver.save_screenshot(str(shots / f"{name}-{what}.png"))

                if name != "folder":
                    asks_at_once(driver, name, where)
                    driver.execute_script("localStorage.clear()")
                    driver.get("about:blank")
                print(f"{name}: shown after {1000 * opens(driver, where):.0f} ms, {driver.execute_script(PAINTS)}", flush=True)
                shot("begins")
                looks_around(driver, shot)
                simulates(driver, parlour)
                shot("simulated")
                goes_to(driver, "/lobby/game")
                waits(driver, lambda: finds(driver, "form.set-up"), "the form is shown")
                if name == "folder":
                    begins(driver, 1)
                    waits(driver, lambda: question(driver), "somebody is asked", 120)
                    plays_on(driver, 3)
                else:
                    alone(driver, parlour, folder / "saved", shot)
                    for saved in (folder / "saved").iterdir():
                        saved.unlink()
                    several(driver)
                is_quiet(driver)
                begins_anew(driver, where)
        finally:
            driver.quit()
            server.shutdown()
    print("games are played in pages without a server")


if __name__ == "__main__":
    main()
