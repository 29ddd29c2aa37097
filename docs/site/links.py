"""Checks the built site: every link leads to a file or a part of a page that exists, nothing is loaded from elsewhere, and the site's own
pages have no inline scripts or styles.

    python links.py SITE            checks
    python links.py SITE --prune    first deletes files of the guide that no page uses

    >>> import tempfile
    >>> site = Path(tempfile.mkdtemp())
    >>> _ = (site / "index.html").write_text('<p id="a" style="x"><a href="#b"></a><a href="c.html"></a><script>1</script>')
    >>> _ = (site / "more.html").write_text('<a href="index.html#a"></a><img src="https://example.com/x.png"><a href="/x"></a>')
    >>> print("\\n".join(Site(site).faults()))
    index.html: an inline style
    index.html: an inline script
    index.html: `#b` leads to no part of the page
    index.html: `c.html` leads nowhere
    more.html: `https://example.com/x.png` is loaded from elsewhere
    more.html: `/x` is not relative
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Attributes with addresses. Of these, links may lead to other sites; everything else is loaded.
ADDRESSES = {"href", "src", "srcset", "data-search"}

# Types of scripts that are data.
DATA = {"application/json", "text/plain"}


class Page(HTMLParser):
    """The addresses in a page, its ids, and what is inline in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        # The address, and whether the browser loads it by itself.
        self.addresses: list[tuple[str, bool]] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = dict(attributes)
        self.ids.update(known[name] for name in ("id", "name") if known.get(name))
        if tag == "style" or "style" in known:
            self.inline.append("an inline style")
        is_data = known.get("type") in DATA
        if (tag == "script" and "src" not in known and not is_data) or any(name.startswith("on") for name in known):
            self.inline.append("an inline script")
        for name in ADDRESSES & known.keys():
            if known[name]:
                self.addresses.append((known[name], tag not in ("a",) and known.get("rel") != "alternate"))


class Site:
    """A folder of static files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        files = sorted(self.folder.rglob("*.html"))
        self.pages = {file: Page(file.read_text(encoding="utf-8")) for file in files}
        self.used: set[Path] = set()

    def faults(self) -> list[str]:
        found = []
        for file, page in self.pages.items():
            name = file.relative_to(self.folder).as_posix()
            found += [f"{name}: {what}" for what in dict.fromkeys(page.inline)]
            for address, is_loaded in page.addresses:
                fault = self.fault(file, address, is_loaded)
                if fault:
                    found.append(f"{name}: `{address}` {fault}")
        for file in sorted(self.folder.rglob("*.css")):
            for address in re.findall(r"url\(['\"]?([^'\")]+)", file.read_text(encoding="utf-8")):
                fault = self.fault(file, address, True)
                if fault:
                    found.append(f"{file.relative_to(self.folder).as_posix()}: `{address}` {fault}")
        return found

    def fault(self, file: Path, address: str, is_loaded: bool) -> str | None:
        """Returns what is wrong with an address in a file."""
        parts = urlsplit(address)
        if parts.scheme in ("data", "mailto"):
            return None
        if parts.scheme or parts.netloc:
            return "is loaded from elsewhere" if is_loaded else None
        if parts.path.startswith("/"):
            return "is not relative"
        target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if not target.is_relative_to(self.folder) or not target.is_file():
            return "leads nowhere"
        self.used.add(target)
        part = unquote(parts.fragment)
        # The page of a game begins a game by itself.
        if part and part != "play" and target in self.pages and part not in self.pages[target].ids:
            return "leads to no part of the page"
        return None

    def prune(self) -> list[Path]:
        """Deletes what mdbook writes for themes of its own."""
        self.faults()
        unused = [file for file in (self.folder / "guide").rglob("*") if file.is_file() and file not in self.used and file.suffix != ".html"]
        unused += [file for file in (self.folder / "guide").glob("toc.html")]
        for file in unused:
            file.unlink()
            self.pages.pop(file, None)
        return unused


def main() -> None:
    site = Site(Path(sys.argv[1]))
    if "--prune" in sys.argv:
        site.prune()
    faults = site.faults()
    print("\n".join(faults))
    links = sum(len(page.addresses) for page in site.pages.values())
    print(f"{len(site.pages)} pages, {links} links, {len(faults)} faults")
    sys.exit(1 if faults or len(site.pages) < 50 else 0)


if __name__ == "__main__":
    main()
