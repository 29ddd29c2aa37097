"""Opens the report of a run from disk in a real browser: it shows everything, its tables can be sorted, and it loads nothing from outside.

    python report.py PAGE [SCREENSHOT]
"""

import json
import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.chrome.service import Service


def browser(profile: str, *, accepts_any_certificate: bool = False) -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.accept_insecure_certs = accepts_any_certificate
    options.binary_location = "/usr/bin/chromium"
    for word in (
        "headless=new", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
        "disable-component-update", "disable-sync", f"user-data-dir={profile}", "window-size=1100,1600",
    ):
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def check(page: Path, driver: webdriver.Chrome, screenshot: str | None) -> None:
    # The start page of the browser makes requests of its own.
    driver.get("about:blank")
    driver.get_log("performance")
    driver.get(page.resolve().as_uri())
    assert "Bots played, not people." in driver.find_element(By.ID, "agents").text
    first = driver.find_element(By.CSS_SELECTOR, ".first")
    assert first.find_elements(By.CSS_SELECTOR, ".verdicts li"), "verdicts come first"
    plots = 0
    for tab in driver.find_elements(By.CSS_SELECTOR, ".tabbed [role=tab]"):
        tab.click()
        shown = [plot for plot in driver.find_elements(By.TAG_NAME, "svg") if plot.is_displayed()]
        for plot in shown:
            assert plot.rect["width"] > 100 and plot.rect["height"] > 20, f"a plot has no size: {plot.get_attribute('aria-label')}"
        fits(driver, f"on a screen, at {tab.text},")
        plots = max(plots, len(shown))
    assert plots > 5, "the plots are there"
    saves(driver)
    finds(driver)
    sorts(driver)
    at_width(driver, 390)
    fits(driver, "on a telephone")
    words_are_whole(driver)
    small = driver.execute_script("return Math.min(...[...document.querySelectorAll('.first svg text')].map((word) => word.getBoundingClientRect().height))")
    assert small >= 9, f"words of a plot are {small} pixels high"
    # The width of a sheet of A4 between its margins.
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    at_width(driver, 703)
    fits(driver, "on paper")
    tables = driver.execute_script("return [...document.querySelectorAll('table')].map((table) => table.getBoundingClientRect().right)")
    assert max(tables) <= 704, f"a table is {max(tables)} pixels wide on paper"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    link = driver.find_element(By.CSS_SELECTOR, ".first figure a.about")
    place = link.get_attribute("href").split("#")[1]
    link.click()
    assert driver.execute_script("return document.querySelector(':target')?.id") == place, "a definition is a click away"
    if screenshot:
        driver.get_screenshot_as_file(screenshot)
    asked = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    urls = [entry["params"]["request"]["url"] for entry in asked if entry["method"] == "Network.requestWillBeSent"]
    outside = [url for url in urls if not url.startswith(("file:", "data:"))]
    assert not outside, f"the page asks for {outside}"
    loud = [entry for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    assert not loud, f"the console says {loud}"
    paper = driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    assert len(paper["data"]) > 10_000, "the page can be printed"


def saves(driver: webdriver.Chrome) -> None:
    """The buttons of a plot save it as SVG, PNG and CSV."""
    driver.set_script_timeout(20)
    saved = driver.execute_async_script("""
        const done = arguments[arguments.length - 1];
        const [saved, create, click] = [[], URL.createObjectURL, HTMLAnchorElement.prototype.click];
        URL.createObjectURL = (blob) => { saved.push({ blob }); return create.call(URL, blob); };
        HTMLAnchorElement.prototype.click = function () { saved[saved.length - 1].name = this.download; };
        document.querySelectorAll('.first figure .save')[0].querySelectorAll('button').forEach((button) => button.click());
        const wait = setInterval(async () => {
          if (saved.length < 3 || saved.some((one) => !one.name)) return;
          clearInterval(wait);
          [URL.createObjectURL, HTMLAnchorElement.prototype.click] = [create, click];
          const start = async ({ blob, name }) => [name, blob.size, (await blob.text()).slice(0, 40)];
          done(await Promise.all(saved.map(start)));
        }, 50);""")
    by_ending = {name.rsplit(".", 1)[1]: (size, start) for name, size, start in saved}
    assert by_ending["svg"][1].startswith("<svg"), by_ending
    assert "PNG" in by_ending["png"][1] and by_ending["png"][0] > 5_000, by_ending
    assert by_ending["csv"][1].startswith("name,value,low,high,count"), by_ending


def at_width(driver: webdriver.Chrome, width: int) -> None:
    metrics = {"width": width, "height": 1200, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def fits(driver: webdriver.Chrome, where: str) -> None:
    wide = driver.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{where} the page is {wide} pixels too wide"


def words_are_whole(driver: webdriver.Chrome) -> None:
    """Asserts that no word of a plot extends beyond the plot."""
    cut = driver.execute_script("""
        return [...document.querySelectorAll('svg')].flatMap((plot) => {
          const frame = plot.getBoundingClientRect();
          return [...plot.querySelectorAll('text')].filter((word) => {
            const box = word.getBoundingClientRect();
            return box.left < frame.left - 1 || box.right > frame.right + 1;
          }).map((word) => word.textContent);
        });""")
    assert not cut, f"cut off: {cut}"


def finds(driver: webdriver.Chrome) -> None:
    """A word in the search field leaves only the rows that contain it, on all tabs."""
    search = driver.find_element(By.CSS_SELECTOR, ".tabs input")
    search.send_keys("score")
    rows = [row.text.lower() for row in driver.find_elements(By.CSS_SELECTOR, ".tabbed tbody tr") if row.is_displayed()]
    assert rows and all("score" in row for row in rows), rows
    search.clear()
    search.send_keys(" \b")


def sorts(driver: webdriver.Chrome) -> None:
    """A click on a heading sorts by it, largest first, and another click reverses the order."""
    driver.find_element(By.XPATH, "//*[@role='tab'][text()='Data']").click()
    table = next(table for table in driver.find_elements(By.CSS_SELECTOR, "table.sortable") if table.is_displayed() and table.find_elements(By.CSS_SELECTOR, "td[data-sort]"))
    column = next(at for at, cell in enumerate(table.find_elements(By.CSS_SELECTOR, "tbody tr:first-child td")) if cell.get_attribute("data-sort"))
    button = table.find_elements(By.CSS_SELECTOR, "th button")[column]

    def numbers() -> list[float]:
        cells = [row.find_elements(By.TAG_NAME, "td")[column] for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")]
        return [float(cell.get_attribute("data-sort")) for cell in cells if cell.get_attribute("data-sort")]

    before = numbers()
    button.click()
    assert numbers() == sorted(before, reverse=True), "largest first"
    button.click()
    assert numbers() == sorted(before), "smallest first"


def main() -> None:
    with tempfile.TemporaryDirectory() as profile:
        driver = browser(profile)
        try:
            check(Path(sys.argv[1]), driver, sys.argv[2] if len(sys.argv) > 2 else None)
        finally:
            driver.quit()
    print("the page holds in a real browser")


if __name__ == "__main__":
    main()
