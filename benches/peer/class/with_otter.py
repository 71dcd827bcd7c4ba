"""Prints the processor time that otter-grader takes for one submission, a notebook."""

import json
import pathlib
import subprocess
import sys
import tempfile

from checks import ALL
from measured import seconds

HERE = pathlib.Path(__file__).parent
TEST = """
from otter.test_files import test_case

OK_FORMAT = False
name = "{name}"
points = 1

@test_case()
def test(attend):
    import sys
    sys.path.insert(0, {here!r})
    import checks
    checks.{name}(attend)
"""


def notebook(text):
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text}
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 4})


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    (folder / "tests").mkdir()
    names = [check.__name__ for check in ALL]
    for name in names:
        (folder / "tests" / f"{name}.py").write_text(TEST.format(name=name, here=str(HERE)))
    (folder / "submission.ipynb").write_text(notebook((HERE / "attention.py").read_text()))
    otter = [sys.executable, "-m", "otter"]
    subprocess.run([*otter, "generate", "-t", "tests", "-o", "autograder.zip"], cwd=folder, check=True,
                   capture_output=True)
    (folder / "out").mkdir()
    command = [*otter, "run", "-a", "autograder.zip", "-o", "out", "submission.ipynb"]
    spent = seconds(command, folder)
    results = json.loads((folder / "out" / "results.json").read_text())
    scores = [test["score"] for test in results["tests"] if test.get("max_score")]
    if scores != [1.0] * len(names):
        sys.exit(f"otter gives {scores}")
    print(spent)
