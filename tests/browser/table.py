"""Plays at served tables in a real browser: whole games by mouse and by keyboard, on a screen and on a telephone.

    python table.py PARLOUR [FOLDER FOR SCREENSHOTS]
"""

import re
import subprocess
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from report import browser


class Table:
    """A table that is served inside a `with` block."""

    def __init__(self, parlour: str, *arguments: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        kept = str(Path(self.folder.name, "kept.play"))
        command = [parlour, "serve", *arguments, "--port", "0", "--save", kept]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.links: dict[str, str] = {}
        for line in self.process.stdout:
            found = re.match(r"\s+(.+?)\s+(http://\S+)", line)
            if found:
                self.links[found[1]] = found[2]
            if "Ctrl-C" in line:
                break

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def sits_down(driver: webdriver.Chrome, link: str) -> None:
    driver.get(link)
    waits(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "#page .state"), "the table is shown")


def waits(driver: webdriver.Chrome, holds, what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if holds():
                return
        except (NoSuchElementException, StaleElementReferenceException):
            pass
        time.sleep(0.03)
    raise AssertionError(f"{what}: {driver.find_element(By.TAG_NAME, 'body').text[:800]}")


def question(driver: webdriver.Chrome) -> str | None:
    return driver.execute_script("return document.getElementById('question')?.dataset.question ?? null")


def offered(driver: webdriver.Chrome) -> list[str]:
    return driver.execute_script("return [...document.querySelectorAll('#options li.option')].map((option) => option.textContent.trim())")


def is_over(driver: webdriver.Chrome) -> bool:
    return driver.execute_script("return Boolean(document.querySelector('.ending'))")


def goes_on(driver: webdriver.Chrome, before: str) -> None:
    waits(driver, lambda: question(driver) != before, "the answer is taken")


# Every third time, fills in the sentence. Otherwise clicks highlighted things as long as a click leaves fewer options. Then chooses one of
# the remaining options.
NARROW = """
const left = () => [...document.querySelectorAll('#options li.option:not([hidden])')];
const slots = [...document.querySelectorAll('#sentence:not([hidden]) select')];
if (slots.length && arguments[0] % 3 === 0) {
  for (const slot of slots.filter((slot) => !slot.value)) {
    const values = [...slot.options].filter((option) => option.value && !option.disabled);
    if (slot.value || !values.length) continue;
    slot.value = values[arguments[0] % values.length].value;
    slot.dispatchEvent(new Event('input', { bubbles: true }));
  }
  const go = document.querySelector('#bar:not([hidden]) .go');
  if (go) { go.click(); return 'in the sentence'; }
}
for (let step = 0; step < 6; step += 1) {
  if (left().length <= 1) break;
  const lit = [...document.querySelectorAll('.common .lit:not(.taken)')];
  const narrows = lit.map((one) => [one, left().filter((option) => one.dataset.k.split(' ').some((mark) => option.dataset.k.split(' ').includes(mark))).length]);
  const found = narrows.filter(([, count]) => count > 0 && count < left().length);
  if (!found.length) break;
  found[(step * 7 + arguments[0]) % found.length][0].dispatchEvent(new MouseEvent('click', { bubbles: true }));
}
const sole = document.querySelector('#bar:not([hidden]) .go:not([hidden])');
if (sole) { sole.click(); return 'by clicking'; }
const number = document.querySelector('form.number button.primary');
if (number) { number.click(); return 'number'; }
const options = left();
const chosen = options[arguments[0] % options.length];
const beside = [...document.querySelectorAll('#quick:not([hidden]) button')].map((one) => one.title);
const is_beside = !document.querySelector('#question .list') || beside.includes(chosen.textContent.trim());
chosen.querySelector('button').click();
return is_beside ? 'by a button' : 'from the list';
"""


def plays(drivers: list[webdriver.Chrome], most: int) -> dict[str, int]:
    """Plays until the game is over, or until this number of choices is made. Returns how often an option was chosen in which way."""
    ways: dict[str, int] = {}
    draw = 1
    for _ in range(most * 40):
        for driver in drivers:
            now = question(driver)
            if now is None:
                continue
            draw = (draw * 48_271) % 2_147_483_647
            way = driver.execute_script(NARROW, draw)
            ways[way] = ways.get(way, 0) + 1
            goes_on(driver, now)
        if all(is_over(driver) for driver in drivers) or sum(ways.values()) >= most:
            return ways
        time.sleep(0.01)
    raise AssertionError(f"it comes to no end: {ways}")


def by_keys(driver: webdriver.Chrome) -> None:
    """Plays to the end with the keyboard only: moves to an option with the Tab key, and presses Enter."""
    for _ in range(400):
        waits(driver, lambda: question(driver) or is_over(driver), "it is one's turn")
        now = question(driver)
        if now is None:
            return
        for _ in range(120):
            driver.switch_to.active_element.send_keys(Keys.TAB)
            # Opens the list of options and its sections to get to the options.
            if driver.execute_script("return document.activeElement.matches('#options details:not([open]) > summary, .list:not([open]) > summary')"):
                driver.switch_to.active_element.send_keys(Keys.ENTER)
            if driver.execute_script("return Boolean(document.activeElement.closest('#options button'))"):
                break
        else:
            raise AssertionError("no option is reached by the tabulator")
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        goes_on(driver, now)
    raise AssertionError("it comes to no end")


def on_the_table_by_keys(driver: webdriver.Chrome) -> None:
    """Highlighted things can be reached and pressed with the keyboard."""
    waits(driver, lambda: driver.find_elements(By.CSS_SELECTOR, ".common .lit"), "something is lit")
    # A single script reads both numbers, because the page may be replaced in between.
    lit, handles = driver.execute_script(
        "const count = (what) => document.querySelectorAll(what).length;"
        "return [count('.common .lit'), count(\".common [role=button][tabindex='0']\")];"
    )
    assert handles == lit, "each is reached and pressed by keys"
    for _ in range(120):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        if driver.execute_script("return document.activeElement.matches('.common [role=button]')"):
            break
    seen = (
        "const now = document.activeElement;"
        "const told = getComputedStyle(now.querySelector('rect, polygon, circle') || now).stroke + getComputedStyle(now).outlineColor;"
        "return now.matches(':focus-visible') && told.includes('29, 78, 216');"
    )
    waits(driver, lambda: driver.execute_script(seen), "where the keys are is seen", 5)
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert driver.find_elements(By.CSS_SELECTOR, ".common .taken"), "it is pressed"
    driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not driver.find_elements(By.CSS_SELECTOR, ".common .taken"), "and let go again"


def fits(driver: webdriver.Chrome, what: str) -> None:
    wide = driver.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    beyond = driver.execute_script(
        "return [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)"
        ".slice(0, 5).map((one) => one.className?.baseVal ?? one.className)"
    )
    assert wide <= 0, f"{what} has to be scrolled sideways by {wide}: {beyond}"


# Checks the layout of a table and returns a list of defects. A target outside the visible area is scrolled into view first.
LOOK = """
const found = [];
const told = (one) => `${one.className.baseVal ?? one.className} ${one.dataset.k || ''} ${one.textContent.trim().slice(0, 40)}`;
const page = document.documentElement;
if (page.scrollHeight > innerHeight || page.scrollWidth > innerWidth) found.push(`the page scrolls: ${page.scrollWidth} x ${page.scrollHeight}`);
const board = document.querySelector('.board');
const area = board.clientWidth * board.clientHeight / (innerWidth * innerHeight);
if (board.children.length && area < arguments[0]) found.push(`the board has ${Math.round(area * 100)} % of the window`);
for (const one of document.querySelectorAll('.common .lit')) {
  const pressed = one.matches('.zone, .box, .strip') ? one.querySelector('.title, h2 > span') : one;
  pressed.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const { left, top, width, height } = pressed.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!one.contains(hit) && !hit?.closest('.lit')?.contains(one)) found.push(`${told(one)} cannot be hit: there is ${hit && told(hit)}`);
}
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const small = new Set();
while (texts.nextNode()) {
  const one = texts.currentNode.parentElement;
  if (!texts.currentNode.textContent.trim() || one.closest('.face, svg, .unseen, noscript, script, style') || !one.checkVisibility()) continue;
  if (parseFloat(getComputedStyle(one).fontSize) < 12) small.add(told(one));
}
for (const one of small) found.push(`letters of less than 12 pixels: ${one}`);
// On a screen everything is in sight; on a telephone the board is moved with a finger, and rivals are swiped.
if (innerWidth > 700) {
  if (board.scrollHeight > board.clientHeight + 1) found.push(`the board scrolls by ${board.scrollHeight - board.clientHeight}`);
  for (const one of document.querySelectorAll('.rivals .zones, .rivals dl, .rivals h2')) {
    if (one.scrollWidth > one.clientWidth + 1) found.push(`a strip is cut: ${told(one)}`);
  }
}
// Neither the areas of an arranged board nor what lies in them cover each other.
const areas = innerWidth > 700 ? [...document.querySelectorAll('.board > .area:has(> *)')] : [];
for (const [at, one] of areas.entries()) {
  const own = one.getBoundingClientRect();
  for (const box of one.children) {
    const { left, right } = box.getBoundingClientRect();
    if (left < own.left - 1 || right > own.right + 1) found.push(`${one.dataset.area} is wider than its area`);
  }
  for (const other of areas.slice(at + 1)) {
    const { left, top, right, bottom } = other.getBoundingClientRect();
    if (own.left < right - 1 && left < own.right - 1 && own.top < bottom - 1 && top < own.bottom - 1) found.push(`${one.dataset.area} covers ${other.dataset.area}`);
  }
}
const sizes = new Set([...document.querySelectorAll('.board .piece.card:not(.spaces *, .spot *)')].map((one) => one.offsetWidth).filter(Boolean));
if (sizes.size > 1) found.push(`cards of several sizes lie on the board: ${[...sizes]}`);
return found;
"""

# Width, height, and the minimum share of the window that the board takes.
SCREENS = {"a laptop": (1280, 800, 0.45), "a large screen": (1920, 1080, 0.45), "a telephone": (390, 844, 0.45)}


def looks_well(driver: webdriver.Chrome, what: str, shots: Path | None = None) -> None:
    for screen, (width, height, share) in SCREENS.items():
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        # The page may have been replaced during a check, so a failed check is repeated.
        found = ["not looked at"]
        for _ in range(3):
            time.sleep(0.4)
            found = driver.execute_script(LOOK, share) + driver.execute_script(MAPS)
            if not found:
                break
        if shots:
            driver.save_screenshot(str(shots / f"{what}-{width}.png"))
        assert not found, f"{what} on {screen}:\n" + "\n".join(found)
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


# What a map has to hold besides: names and labels cover neither each other nor places.
MAPS = """
const found = [];
const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
for (const map of document.querySelectorAll('svg.network')) {
  const labels = [...map.querySelectorAll('text.name, text.plate')].map((one) => [one.textContent, one.getBoundingClientRect()]);
  const nodes = [...map.querySelectorAll('circle.node')].map((one) => ['a place', one.getBoundingClientRect()]);
  for (const [at, [name, area]] of labels.entries()) {
    for (const [other, taken] of [...labels.slice(at + 1), ...nodes]) if (overlap(area, taken)) found.push(`${name} covers ${other}`);
  }
  const whole = map.getBoundingClientRect();
  for (const one of map.querySelectorAll('text, circle')) {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    if (left < whole.left || top < whole.top || right > whole.right || bottom > whole.bottom) found.push(`cut: ${one.textContent}`);
  }
}
for (const svg of document.querySelectorAll('svg.grid:not(.network)')) {
  const whole = svg.getBoundingClientRect();
  for (const one of svg.querySelectorAll('.space > :is(rect, polygon)')) {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    if (left < whole.left || top < whole.top || right > whole.right || bottom > whole.bottom) found.push(`a space is cut: ${one.parentElement.getAttribute('aria-label')}`);
  }
}
const board = document.querySelector('.drawn');
for (const one of board ? board.querySelectorAll('.spot') : []) {
  const [area, whole] = [one.getBoundingClientRect(), board.getBoundingClientRect()];
  if (area.right > whole.right + 1 || area.bottom > whole.bottom + 1 || area.width < 4) found.push(`a place is off the board: ${one.getAttribute('aria-label')}`);
}
return found;
"""


def is_zoomed(driver: webdriver.Chrome) -> None:
    """A map is enlarged by a button and by a key, within the room that it has, and stays so when the page is brought anew."""
    width = "return document.querySelector('.map > svg.grid, .map > .drawn').clientWidth"
    room = "return document.querySelector('.board .map').clientWidth"
    before, has = driver.execute_script(width), driver.execute_script(room)
    driver.find_element(By.CSS_SELECTOR, "[data-zoom='1']").click()
    assert driver.execute_script(width) > before, "a button enlarges it"
    ActionChains(driver).send_keys("+").perform()
    larger = driver.execute_script(width)
    assert larger > 1.4 * before, "and a key"
    assert driver.execute_script(room) <= has + 1, "its room stays as it is"
    assert not driver.execute_script("return document.documentElement.scrollWidth > innerWidth"), "the page does not scroll"
    driver.refresh()
    waits(driver, lambda: abs(driver.execute_script(width) - larger) < 2, "it is remembered", 5)
    ActionChains(driver).send_keys("0").perform()
    waits(driver, lambda: abs(driver.execute_script(width) - before) < 2, "the whole map is shown again", 5)


def prefers(driver: webdriver.Chrome, scheme: str) -> None:
    """Sets the color scheme that the system prefers, and turns animations off."""
    features = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def moves(driver: webdriver.Chrome, are_seen: bool) -> None:
    """Sets whether the system allows animations. Without them, pages show each change at once."""
    value = "no-preference" if are_seen else "reduce"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": value}]})


def is_played_back(driver: webdriver.Chrome) -> None:
    """Events are played back over the previous state of the table, with a caption and moving pieces. A click ends the playback, and chooses
    nothing."""
    moves(driver, True)
    now = question(driver)
    driver.execute_script(NARROW, 1)
    shown = "return [document.querySelector('#playback .caption:not([hidden])')?.textContent.trim(), document.querySelectorAll('#playback .sprite').length]"
    waits(driver, lambda: all(driver.execute_script(shown)), "the own card flies, with a caption", 5)
    assert "Ann" in driver.execute_script(shown)[0], driver.execute_script(shown)
    assert question(driver) != now, "the page below is the present one"
    waits(driver, lambda: not driver.find_elements(By.ID, "playback"), "and comes to an end by itself", 12)
    assert driver.find_elements(By.CSS_SELECTOR, "#page .piece.moved"), "what the other has done keeps a ring"
    waits(driver, lambda: question(driver), "it is one's turn")
    now = question(driver)
    driver.execute_script(NARROW, 1)
    waits(driver, lambda: driver.find_elements(By.ID, "playback"), "it is played back again", 5)
    ActionChains(driver).move_to_element(driver.find_element(By.CSS_SELECTOR, "#page .board")).click().perform()
    assert not driver.find_elements(By.ID, "playback"), "a click ends it"
    assert not driver.find_elements(By.CSS_SELECTOR, "#page .taken"), "and does nothing else"
    moves(driver, False)
    waits(driver, lambda: question(driver), "it is one's turn")


def tells_of_absence(driver: webdriver.Chrome) -> None:
    """Whoever comes back after two days is shown the lines of the log since the last visit, once; after a minute nothing is shown."""
    shown = "const place = document.getElementById('since'); return place.hidden ? [] : [...place.querySelectorAll('h2, .entry')].map((one) => one.textContent.trim())"
    back = (
        "const who = document.querySelector('#page .table').dataset.who; const key = `parlour-visit ${location.pathname} ${who}`; const line = Number(document.querySelector('.log .entry').dataset.number);"
        "localStorage.setItem(key, JSON.stringify({ time: Date.now() - arguments[0], line: line - 1 }));"
    )
    for minutes in (1, 2 * 24 * 60):
        driver.execute_script(back, minutes * 60_000 + 1000)
        driver.refresh()
        waits(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "#page .table"), "the table is there")
        time.sleep(0.5)
        told = driver.execute_script(shown)
        assert bool(told) == (minutes > 60), told
    assert "2 days ago" in told[0] and len(told) == 2, told
    driver.find_element(By.CSS_SELECTOR, "#since .shut").click()
    driver.refresh()
    waits(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "#page .table"), "the table is there")
    assert not driver.execute_script(shown), "it is told once"


def follows_a_drawn_mat(driver: webdriver.Chrome, parlour: str) -> None:
    """A drawn mat has the pieces of its viewer, fits below the board, and follows its file. The host shows the names of areas."""
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder, "game")
        subprocess.run([parlour, "new", str(game)], check=True, stdout=subprocess.DEVNULL)
        (game / "faces").mkdir(exist_ok=True)
        mat = game / "faces" / "mat.svg"
        subprocess.run([parlour, "board", str(game), "--mat", "--out", str(mat)], check=True, stderr=subprocess.DEVNULL)
        with Table(parlour, str(game), "--seed", "7", "--agents", "human,random") as table:
            sits_down(driver, table.links["Ann"])
            waits(driver, lambda: question(driver), "it is one's turn")
            assert driver.find_elements(By.CSS_SELECTOR, ".mat .drawn.own > .spot .piece"), "the own cards lie on the mat"
            looks_well(driver, "mat")
            first = "return document.querySelector('.drawn.own').offsetHeight / document.querySelector('.drawn.own').offsetWidth"
            before = driver.execute_script(first)
            width = re.search(r'viewBox="0 0 (\d+) (\d+)"', mat.read_text(encoding="utf-8"))
            assert width, "the drawing has a size"
            changes(mat, width[0], f'viewBox="0 0 {width[1]} {2 * int(width[2])}"')
            waits(driver, lambda: driver.execute_script(first) > 1.5 * before, "the table follows the drawing")
            leaves(driver)


def answer_together(first: webdriver.Chrome, second: webdriver.Chrome) -> None:
    """Both players are asked at once. The second one answers first, takes the answer back and answers again, and the first one learns
    nothing of it."""
    waits(first, lambda: question(first) and question(second), "both are asked", 10)
    before, now = first.find_element(By.ID, "page").get_attribute("innerHTML"), question(second)
    second.execute_script(NARROW, 3)
    waits(second, lambda: second.find_elements(By.CSS_SELECTOR, ".answered"), "the own answer is shown", 10)
    second.find_element(By.CSS_SELECTOR, ".undoes button").click()
    waits(second, lambda: question(second), "it is taken back", 10)
    assert question(second) != now, "an old form answers nothing"
    second.execute_script(NARROW, 3)
    waits(second, lambda: question(second) is None, "it is answered again", 10)
    assert first.find_element(By.ID, "page").get_attribute("innerHTML") == before, "nobody else is shown anything"


def is_enlarged(driver: webdriver.Chrome) -> None:
    """A card is enlarged while it is pointed at, and by a key. The title of the page says whose turn it is."""
    assert driver.title.startswith("● Your turn"), driver.title
    icon = "return document.querySelector('link[rel=icon]').getAttribute('href')"
    assert driver.execute_script(icon).endswith("icon-turn.svg")
    # A single script finds the element and measures it, because the page may be replaced in between.
    large = "const place = document.getElementById('inspect'); return place.hidden ? 0 : place.querySelector('.piece').offsetWidth"
    card = driver.find_element(By.CSS_SELECTOR, ".mat .piece.card")
    ActionChains(driver).move_to_element(card).perform()
    waits(driver, lambda: driver.execute_script(large) == 300, "the card is shown large", 5)
    ActionChains(driver).send_keys(Keys.ESCAPE).perform()
    assert driver.execute_script(large) == 0, "and closed by a key"
    ActionChains(driver).send_keys("i").perform()
    waits(driver, lambda: driver.execute_script(large) == 300, "and opened by one", 5)
    ActionChains(driver).move_to_element(driver.find_element(By.CSS_SELECTOR, ".top h1")).perform()
    waits(driver, lambda: driver.execute_script(large) == 0, "and closed when nothing is pointed at", 5)


def is_quiet(driver: webdriver.Chrome) -> None:
    """The browser has logged no errors or warnings: no script has failed, and no page has violated its policy."""
    said = [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    assert not said, said


def is_accessible(driver: webdriver.Chrome, axe: str, what: str) -> None:
    """Asserts that axe finds no violations, on a screen in light colors and on a telephone in dark ones."""
    has_no_violations(driver, axe, what)
    telephone(driver, True)
    prefers(driver, "dark")
    has_no_violations(driver, axe, f"{what}, on a telephone in dark colors")
    telephone(driver, False)
    prefers(driver, "light")


def has_no_violations(driver: webdriver.Chrome, axe: str, what: str) -> None:
    driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    driver.refresh()
    waits(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "#page"), "the page is there")
    time.sleep(0.3)
    driver.execute_script(axe)
    driver.set_script_timeout(300)
    # Some of a thousand similar options are enough.
    run = "axe.run({ include: [['html']], exclude: [['#options > li:nth-child(n+20)']] })"
    found = driver.execute_async_script(f"const told = arguments[0]; {run}.then((found) => told(found.violations))")
    told = [f"{one['id']}: {one['nodes'][0]['html'][:160]} ({len(one['nodes'])})" for one in found]
    driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
    assert not told, f"{what}:\n" + "\n".join(told)


def telephone(driver: webdriver.Chrome, is_on: bool) -> None:
    if is_on:
        size = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    else:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def changes(file: Path, before: str, after: str) -> None:
    """Replaces a text in a file and saves it."""
    text = file.read_text(encoding="utf-8")
    assert before in text, f"{file} has no {before}"
    file.write_text(text.replace(before, after), encoding="utf-8")


def follows_files(driver: webdriver.Chrome, host: webdriver.Chrome, parlour: str) -> None:
    """Files that are saved during a game change it: with a mistake, without one, and when a choice is not valid any more."""
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder, "game")
        subprocess.run([parlour, "new", str(game)], check=True, stdout=subprocess.DEVNULL)
        with Table(parlour, str(game), "--seed", "7", "--agents", "human,random") as table:
            sits_down(driver, table.links["Ann"])
            sits_down(host, table.links["the host"])
            plays([driver], 2)
            waits(driver, lambda: question(driver), "it is one's turn")
            said = lambda who: who.find_element(By.ID, "page").text
            now, options = question(driver), offered(driver)
            driver.find_element(By.CSS_SELECTOR, ".why summary").click()
            driver.find_element(By.CSS_SELECTOR, ".why input[name=text]").send_keys("nothing like it", Keys.ENTER)
            answer = lambda: driver.find_element(By.ID, "why").text
            waits(driver, answer, "it is told why not", 10)
            told = answer()
            driver.find_element(By.CSS_SELECTOR, ".noting summary").click()
            driver.find_element(By.CSS_SELECTOR, ".noting textarea").send_keys("What is a")
            changes(game / "rules" / "play.rhai", "card.move_to(seat", "card.move_too(seat")
            waits(driver, lambda: "move_too" in said(driver), "the mistake is told")
            driver.switch_to.active_element.send_keys(" trick?")
            assert driver.find_element(By.CSS_SELECTOR, ".noting[open] textarea").get_property("value") == "What is a trick?", "what is half written stays"
            assert answer() == told, "and what was answered"
            assert question(driver) == now, "play goes on by the old rules"
            changes(game / "rules" / "play.rhai", "card.move_too(seat", "card.move_to(seat")
            waits(driver, lambda: "every choice so far holds" in said(driver), "the rules are the new ones")
            waits(driver, lambda: offered(driver) == options, "the table stands where it stood", 10)
            now = question(driver)
            changes(game / "components" / "cards.toml", 'id = "{color}_{number}"', 'id = "a_{color}_{number}"')
            waits(host, lambda: "does not hold" in said(host), "the host is told which choice does not hold")
            waits(driver, lambda: "does not hold" in said(driver), "the others that one does not")
            host.find_element(By.CSS_SELECTOR, "form[action^='do/old-rules'] button").click()
            waits(driver, lambda: "does not hold" not in said(driver), "the old rules are kept")
            assert question(driver) == now, "and the table with them"
            changes(game / "components" / "cards.toml", "id = \"a_{color}_{number}\"", "id = \"b_{color}_{number}\"")
            waits(host, lambda: "does not hold" in said(host), "the host is asked again")
            host.find_element(By.CSS_SELECTOR, "form[action^='do/new-rules'] button").click()
            waits(driver, lambda: "from where a choice did not hold" in said(driver), "the game goes on by the new rules")
            waits(driver, lambda: question(driver), "from there")
            leaves(driver)
            leaves(host)


def leaves(driver: webdriver.Chrome) -> None:
    """Leaves the page, because the browser would log an error when the table is closed."""
    is_quiet(driver)
    driver.get("about:blank")


GAMES = {
    "stockpile": "human,human,trader,trader",
    "monga-alley": "human,random,random",
    "last-will": "human,random,random",
    "revolution-1828": "human,random",
    "wall-street-1920": "human,random,random",
}


# Games for two persons, with tables of every shape.
SAMPLES = ["gallery/chess", "gallery/cribbage", "gallery/backgammon", "gallery/nine-mens-morris", "games/goofspiel", "games/beacons", "games/branch-lines", "games/garrisons", "games/workshops", "games/spice-caravan", "games/grain-exchange"]


def main() -> None:
    parlour, shots = sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None
    axe = (files("axe_core_python") / "axe.min.js").read_text()
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        ann, ben = browser(one), browser(other)
        for driver in (ann, ben):
            moves(driver, False)
        try:
            for game, agents in GAMES.items():
                with Table(parlour, f"games/{game}", "--seed", "7", "--agents", agents) as table:
                    people = [ann, ben] if "Ben" in table.links else [ann]
                    sits_down(ann, table.links["Ann"])
                    if len(people) > 1:
                        sits_down(ben, table.links["Ben"])
                    waits(ann, lambda: any(question(driver) for driver in people), "somebody is asked")
                    ways = plays(people, 8 if game != "stockpile" else 4)
                    waits(ann, lambda: any(question(driver) or is_over(driver) for driver in people), "somebody is asked")
                    asked = next(driver for driver in people if question(driver) or is_over(driver))
                    looks_well(asked, game, shots)
                    is_accessible(asked, axe, game)
                    if game == "last-will":
                        for link in ("at", "log", "notes", "./"):
                            asked.find_element(By.CSS_SELECTOR, f"nav a[href^='{link}?']").click()
                            is_accessible(asked, axe, f"{game}, {link}")
                            fits(asked, f"{game}, {link}")
                        sits_down(ben, table.links["the host"])
                        is_accessible(ben, axe, f"{game}, the host")
                        leaves(ben)
                    if game == "stockpile":
                        ways = plays(people, 10_000)
                        assert all(is_over(driver) for driver in people), "a whole game with two people"
                        assert ways.get("in the sentence", 0) > 0, f"answers are given as sentences: {ways}"
                    if game == "monga-alley":
                        assert ways.get("by clicking", 0) > 0, f"tiles are laid by clicking: {ways}"
                    for driver in people:
                        leaves(driver)
                    print(f"{game}: {ways}", flush=True)
            follows_files(ann, ben, parlour)
            follows_a_drawn_mat(ann, parlour)
            print("files are followed", flush=True)
            for sample in SAMPLES:
                with Table(parlour, f"examples/{sample}", "--players", "2", "--seed", "7") as table:
                    people = [ann, ben]
                    for driver, name in zip(people, ("Ann", "Ben")):
                        sits_down(driver, table.links[name])
                    if sample == "games/goofspiel":
                        answer_together(*people)
                    ways = plays(people, 6)
                    asked = next((driver for driver in people if question(driver) or is_over(driver)), ann)
                    looks_well(asked, sample.split("/")[-1], shots)
                    if sample == "games/garrisons":
                        is_zoomed(asked)
                    for driver in people:
                        leaves(driver)
                    print(f"{sample}: {ways}", flush=True)
            with Table(parlour, "examples/games/little-tricks", "--seed", "7", "--agents", "human,random") as table:
                sits_down(ann, table.links["Ann"])
                waits(ann, lambda: question(ann), "it is one's turn")
                looks_well(ann, "little-tricks", shots)
                is_played_back(ann)
                tells_of_absence(ann)
                is_enlarged(ann)
                on_the_table_by_keys(ann)
                by_keys(ann)
                assert is_over(ann), "a whole game by keys"
                assert ann.title.startswith("Ann"), ann.title
                won = ann.find_element(By.CSS_SELECTOR, ".ending summary").text
                assert "wins" in won or "share" in won, won
                looks_well(ann, "little-tricks-over", shots)
                leaves(ann)
        finally:
            ann.quit()
            ben.quit()
    print("tables are well in a browser")


if __name__ == "__main__":
    main()
