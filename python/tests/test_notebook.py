"""Executes the notebook of the guide as it is."""

import os
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("PARLOUR_ROOT", Path(__file__).resolve().parents[2]))


def test_the_notebook_runs():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(ROOT / "examples" / "python" / "runs.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert "by luck alone" in str(outputs[-1])
