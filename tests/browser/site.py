"""Opens the built site in a real browser, on a screen and on a telephone: the front page, the gallery, the guide, a game of a block, and
Stockpile to its first choice.

    python site.py SITE [FOLDER FOR SCREENSHOTS]
"""

import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import hosted
from report import browser
from table import NARROW, fits, goes_on, prefers, question, waits

SCREENS = {"screen": (1280, 800), "telephone": (390, 844)}


def finds(driver: webdriver.Chrome, what: str) -> list:
    return driver.find_elements(By.CSS_SELECTOR, what)


def sized(driver: webdriver.Chrome, width: int, height: int) -> None:
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})


def has_pictures(driver: webdriver.Chrome) -> None:
    """Scrolls through the page until all pictures are loaded."""
    state = """
    for (const picture of document.images) picture.loading = "eager";
    return [...document.images].filter((picture) => !picture.complete || !picture.naturalWidth).map((picture) => picture.src);
    """
    waits(driver, lambda: not driver.execute_script(state), "all pictures are shown", 30)


def is_quiet(driver: webdriver.Chrome) -> None:
    log = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE" and "favicon.ico" not in entry["message"]]
    assert not log, log


def is_accessible(driver: webdriver.Chrome, axe: str, what: str) -> None:
    driver.execute_script(axe)
    driver.set_script_timeout(300)
    found = driver.execute_async_script("const told = arguments[0]; axe.run().then((found) => told(found.violations))")
    told = [f"{one['id']}: {one['nodes'][0]['html'][:160]} ({len(one['nodes'])})" for one in found]
    assert not told, f"{what}:\n" + "\n".join(told)


def chooses(driver: webdriver.Chrome) -> None:
    """Answers the first question of a game."""
    waits(driver, lambda: question(driver), "somebody is asked", 120)
    now = question(driver)
    driver.execute_script(NARROW, 5)
    goes_on(driver, now)


def front(driver: webdriver.Chrome, address: str, look) -> None:
    driver.get(address)
    look("front")
    assert [link.get_attribute("href") for link in finds(driver, ".go a")] == [
        f"{address}play/stockpile/index.html#play", f"{address}guide/first-game.html",
    ]
    # What it is and what can be done is seen without scrolling.
    bottom = driver.execute_script("return document.querySelector('.go').getBoundingClientRect().bottom")
    assert bottom < driver.execute_script("return innerHeight"), f"the buttons end at {bottom}"
    finds(driver, "a.language")[0].click()
    waits(driver, lambda: driver.execute_script("return document.documentElement.lang") == "zh-Hant", "the page in Chinese")
    look("front-zh")
    finds(driver, ".head nav a")[0].click()
    waits(driver, lambda: finds(driver, ".shelf"), "the gallery in Chinese")
    assert "zh-Hant/games" in driver.current_url
    look("games-zh")


def gallery(driver: webdriver.Chrome, address: str, look) -> None:
    driver.get(f"{address}games/index.html")
    look("games")
    cards = driver.execute_script("return [...document.querySelectorAll('.shelf li')].map((card) => card.querySelector('.facts').textContent)")
    assert len(cards) > 30 and all("players" in card and "min" in card and "lines of rules" in card for card in cards), cards


def guide(driver: webdriver.Chrome, address: str, look, is_small: bool) -> None:
    driver.get(f"{address}guide/index.html")
    if is_small:
        assert not driver.find_element(By.ID, "contents").is_displayed(), "the contents are closed"
        driver.find_element(By.CSS_SELECTOR, ".contents-toggle").click()
        look("contents")
    driver.find_element(By.LINK_TEXT, "A first game in twenty lines").click()
    waits(driver, lambda: "first-game" in driver.current_url, "the page is opened")
    look("guide")
    buttons = finds(driver, ".bar a.play")
    assert buttons, "a block can be played"
    driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", buttons[0])
    look("block")
    buttons[0].click()
    waits(driver, lambda: finds(driver, "dialog.game iframe"), "the game is opened")
    driver.switch_to.frame(finds(driver, "dialog.game iframe")[0])
    waits(driver, lambda: question(driver), "somebody is asked", 120)
    driver.switch_to.default_content()
    look("played")
    driver.switch_to.frame(finds(driver, "dialog.game iframe")[0])
    chooses(driver)
    driver.switch_to.default_content()
    finds(driver, "dialog.game button")[0].click()
    waits(driver, lambda: not finds(driver, "dialog.game"), "the game is closed")
    searches(driver)


def long_page(driver: webdriver.Chrome, address: str, look, is_small: bool) -> None:
    """A page with pictures: each is shown once, and the contents stay beside the text."""
    driver.get(f"{address}guide/serve.html")
    look("long")
    shown = [picture.get_attribute("src") for picture in finds(driver, ".page img") if picture.is_displayed()]
    assert shown and len(shown) == len(set(shown)), shown
    assert not [box for box in finds(driver, ".page input[type=checkbox]") if box.is_displayed()], "mdbook's boxes are hidden"
    driver.execute_script("scrollTo(0, document.documentElement.scrollHeight / 2)")
    top = driver.execute_script("return document.getElementById('contents').getBoundingClientRect().top")
    assert is_small or top >= 0, f"the contents begin at {top}"


def searches(driver: webdriver.Chrome) -> None:
    driver.find_element(By.ID, "mdbook-search-toggle").click()
    waits(driver, lambda: driver.find_element(By.ID, "mdbook-searchbar").is_displayed(), "the search is opened")
    driver.find_element(By.ID, "mdbook-searchbar").send_keys("reshuffle")
    waits(driver, lambda: finds(driver, "#mdbook-searchresults li a"), "something is found", 30)
    driver.find_element(By.ID, "mdbook-searchbar").send_keys(Keys.ESCAPE)


def stockpile(driver: webdriver.Chrome, address: str, look) -> None:
    driver.get(address)
    begin = time.monotonic()
    finds(driver, ".go a")[0].click()
    waits(driver, lambda: question(driver), "somebody is asked", 120)
    print(f"Stockpile asks {time.monotonic() - begin:.1f} s after the click", flush=True)
    look("stockpile")
    chooses(driver)


def main() -> None:
    site, shots = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None
    server, address = hosted(site)
    axe = files("axe_core_python").joinpath("axe.min.js").read_text()
    with tempfile.TemporaryDirectory() as profile:
        driver = browser(profile)
        try:
            for screen, (width, height) in SCREENS.items():
                sized(driver, width, height)

                def look(what: str, screen: str = screen) -> None:
                    has_pictures(driver)
                    if what not in ("played", "stockpile"):
                        fits(driver, f"{what} on a {screen}")
                    for scheme in ("dark", "light"):
                        prefers(driver, scheme)
                        if what not in ("played", "stockpile"):
                            is_accessible(driver, axe, f"{what} on a {screen}, {scheme}")
                        if shots:
                            shots.mkdir(exist_ok=True)
                            driver.save_screenshot(str(shots / f"{screen}-{what}-{scheme}.png"))

                front(driver, address, look)
                gallery(driver, address, look)
                guide(driver, address, look, width < 500)
                long_page(driver, address, look, width < 500)
                is_quiet(driver)
                stockpile(driver, address, look)
                is_quiet(driver)
        finally:
            driver.quit()
            server.shutdown()
    print("the site is read and played")


if __name__ == "__main__":
    main()
