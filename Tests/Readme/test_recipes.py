"""Every block of docs/recipes.md runs: those in Python as one program, those of the shell one by one."""

import ast
import builtins
import re
import sys
from pathlib import Path

import pytest

from test_readme import BLOCKS as OF_README
from test_readme import BUILD, ROOT, Reader

#: The synthetic device and a file in place of devices of a machine, by the text of the page.
STAND_INS = {
    "screen=True, microphone=True": "synthetic=True",
    "camera=True": "synthetic=True",
    "is_metering_enabled=True": 'is_metering_enabled=True, clock="host", audio_file="metered.wav"',
    "--screen default --microphone default": "--synthetic",
}
PAGE = (ROOT / "docs/recipes.md").read_text()
assert all(text in PAGE for text in STAND_INS)
for device, stand_in in STAND_INS.items():
    PAGE = PAGE.replace(device, stand_in)
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.S | re.M)
SHELL = [block for language, block in BLOCKS if language == "sh"]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """A reader who has followed the README so far that there is a clip, and the client is found."""
    assert (BUILD / "reelwire").exists(), f"there is no reelwire in {BUILD}; run make test-readme"
    reader = Reader(tmp_path_factory.mktemp("recipes"))
    for language, block in OF_README:
        if language == "sh" and re.search(r"^export [A-Z]+=", block, re.M):
            reader.sh(block)
    return reader


def test_all_blocks_are_run() -> None:
    assert {language for language, _ in BLOCKS} == {"python", "sh"}


def names(tree: ast.AST, context: type) -> set[str]:
    return {each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, context)}


def bound(tree: ast.AST) -> set[str]:
    """The names that a program gives to something."""
    found = names(tree, ast.Store)
    for each in ast.walk(tree):
        if isinstance(each, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in each.names}
        elif isinstance(each, ast.FunctionDef):
            found |= {each.name, *(argument.arg for argument in each.args.args)}
    return found


def test_a_recipe_needs_the_first_lines_alone() -> None:
    first, *others = [ast.parse(block) for language, block in BLOCKS if language == "python"]
    known = {*dir(builtins), *bound(first)}
    missing = [names(each, ast.Load) - bound(each) - known for each in others]
    assert [each for each in missing if each] == []


def test_the_blocks_in_python(reader: Reader) -> None:
    program = "".join(block for language, block in BLOCKS if language == "python")
    # A source that a block of the shell makes.
    (source,) = re.findall(r"^ffmpeg .* logo\.mov$", PAGE, re.M)
    reader.sh(source)
    printed = reader.run([sys.executable, "-W", "error", "-c", program])
    (reader.checkout / "logo.mov").unlink()
    assert re.search(r"^\(1, 80\d{3}\) float32$", printed, re.M)
    assert "(3, 84, 112, 3) (9, 84, 112, 3) (2, 84, 112, 3)" in printed
    assert re.search(r"^decord \(3, 112, 112, 3\) \d+", printed, re.M)
    assert "torchcodec (2, 3, 240, 320)" in printed
    assert re.search(r"^pictures \S+ s \(2, 240, 320, 3\)$", printed, re.M)
    assert "datasets (4, 3, 240, 320)" in printed and "moviepy (240, 320, 3)" in printed
    assert re.search(r"^\['h264', None\] \[320, None\] .* \[True, False\]$", printed, re.M)
    assert "video/mp4 True" in printed
    assert "Passthrough False ['copied', 'encoded']" in printed
    assert re.search(r"^MediumQuality \[.+\]$", printed, re.M)
    assert "video copied and edgesEncoded, audio encoded" in printed
    assert re.search(r"^loudest: -\d+(\.\d+)? dB$", printed, re.M)
    assert re.search(r"^9 \S+ s \(240, 320, 3\) \d+\.\d+\n\{'late': \d+", printed, re.M)
    assert re.search("^#{30,60}$", printed, re.M)
    assert re.search(r"^9 0\.400 s \d+\.\d+\n.*'frames': 19200", printed, re.M)
    joined = ["joined.mp4", "mixed.mp4", "without-middle.mp4", "slides.mp4"]
    joined += ["inverted.mp4", "talk.mp4", "photo.jpg", "heard.wav"]
    for made in ["thumb-004.jpg", "sprites.jpg", "sprites.vtt", *joined]:
        assert (reader.checkout / made).stat().st_size > 0


@pytest.mark.parametrize("block", SHELL, ids=[str(number) for number in range(1, len(SHELL) + 1)])
def test_a_block_of_the_shell(reader: Reader, block: str) -> None:
    before = set(reader.checkout.iterdir())
    reader.sh(block)
    made = set(reader.checkout.iterdir()) - before
    assert made or reader.printed
    assert all(Path(file).stat().st_size > 0 for file in made)
