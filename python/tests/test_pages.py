"""Runs the examples on the guide's pages about Python as they are: those of a page one after the other."""

import os
import re
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("PARLOUR_ROOT", Path(__file__).resolve().parents[2]))
PAGES = [page for page in sorted((ROOT / "docs" / "src").glob("python*.md")) if "```python" in page.read_text(encoding="utf-8")]


def test_the_pages_are_found():
    assert len(PAGES) == 4


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_are_so(page, tmp_path, monkeypatch, capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    names = {"__name__": "page", "tmp_path": tmp_path}
    for number, block in enumerate(blocks, 1):
        wanted = [line.removeprefix("# → ") for line in block.splitlines() if line.startswith("# → ")]
        exec(compile(block, f"{page.name}, example {number}", "exec"), names)
        out = capsys.readouterr().out.splitlines()
        if wanted:
            assert out == wanted, f"example {number}"
    assert os.getcwd() == str(ROOT)
