"""Opens printed sheets from disk in a real browser, and the PDF that a browser made of them: a card is as large as it is said to be, on a
screen and on paper, and a page asks for nothing outside.

    python print.py FOLDER [SCREENSHOT]
"""

import json
import re
import sys
import tempfile
from pathlib import Path

from report import browser

# Pixels and points of a millimeter.
PIXELS, POINTS = 96 / 25.4, 72 / 25.4


def near(found: float, wanted: float, what: str) -> None:
    assert abs(found - wanted) < 0.1, f"{what}: {found:.3f} mm, not {wanted}"


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
    """Every page of the PDF has the size of the paper."""
    found = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", (folder / "all.pdf").read_bytes())
    assert found, "the PDF has pages"
    for width, height in found:
        assert abs(float(width) / POINTS - 210) < 0.5 and abs(float(height) / POINTS - 297) < 0.5, f"a page of {width} by {height} points"


def main() -> None:
    folder = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as profile:
        driver = browser(profile)
        try:
            sheets(driver, folder)
            if len(sys.argv) > 2:
                driver.get_screenshot_as_file(sys.argv[2])
        finally:
            driver.quit()
    pdf(folder)
    print("the sheets hold in a real browser")


if __name__ == "__main__":
    main()
