"""Facts of assets and tracks against `ffprobe -show_format -show_streams -show_chapters`.

Intended differences are listed, with their reasons, in docs/notes/assets-compared-with-ffprobe.md.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Iterator, List, Set, Tuple

import pytest

import differences
import oracle
from engine import CORPUS, ORDINARY, Engine, name, number
from facts import MICROSECOND, Answers, compare

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")


# The listed differences that the comparisons of this run have met.
seen: Set[str] = set()
compared: Set[Path] = set()


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []


@pytest.mark.parametrize("path", ORDINARY, ids=name)
def test_facts_are_those_of_ffprobe(engine: Engine, path: Path) -> None:
    answers = Answers(engine, path)
    try:
        comparison = compare(answers, path)
    finally:
        engine.call("handle/close", handle=answers.handle)
    assert comparison.compared >= 15
    seen.update(comparison.forms)
    compared.add(path)
    differences.check(path, comparison.differences)


MOVIES = [path for path in ORDINARY if path.suffix in (".mp4", ".mov", ".m4a", ".m4v", ".m4b", ".qt", ".3gp")]

# Their headers are shorter than a track: by an edit list that begins with nothing, and by the media's own clock.
LONGER = ("video/ax_sample.mp4", "video/ax_sample_with_metadata.mp4", "audio/ip_count-deutsch-audio.mp4")


@pytest.mark.parametrize("path", MOVIES, ids=name)
def test_the_duration_of_a_movie_is_its_headers(engine: Engine, path: Path) -> None:
    """FFmpeg from 6.0 on has the duration of the last packets instead, and 10 s became 0.19."""
    if b"mvex" in path.read_bytes():
        pytest.skip("its duration is that of its fragments")
    asset, values = engine.load(path, "duration")
    engine.call("handle/close", handle=asset)
    excess = number(values["duration"]["value"]) - oracle.movie_duration(path)
    assert 0 < excess < Fraction(1, 20) if name(path) in LONGER else excess == 0


def test_every_form_of_the_table_occurs() -> None:
    if len(compared) < len(ORDINARY):
        pytest.skip("not all files were compared")
    assert seen == {form.theirs for form in differences.FORMS}


def test_every_pattern_of_the_table_names_a_file() -> None:
    for row in differences.ROWS:
        for pattern in row.patterns:
            alone = row._replace(patterns=[pattern])
            assert any(alone.covers(path) for path in ORDINARY), pattern


def chapters_of(engine: Engine, asset: str) -> List[Tuple[Fraction, Fraction, str]]:
    """Start, end and title of each chapter."""
    answer = engine.call("asset/chapterMetadataGroups", asset=asset)
    groups: List[Dict[str, Any]] = answer.get("groups", answer.get("chapterMetadataGroups", []))
    result = []
    for group in groups:
        start = number(group["timeRange"]["start"])
        end = start + number(group["timeRange"]["duration"])
        titles = [i["value"] for i in group["items"] if i.get("commonKey") == "title"]
        result.append((start, end, "".join(titles[:1])))
    return result


@pytest.mark.parametrize("path", ORDINARY, ids=name)
def test_chapters_are_those_of_ffprobe(engine: Engine, path: Path) -> None:
    probed = oracle.facts(path)
    # Chapters of ID3 count from the first sample, and not on the container's clock.
    zero = Fraction(0) if path.suffix == ".mp3" else oracle.origin(probed)
    asset, _ = engine.load(path, "tracks")
    try:
        ours = chapters_of(engine, asset)
    finally:
        engine.call("handle/close", handle=asset)
    theirs = []
    for chapter in probed["chapters"]:
        base = Fraction(chapter["time_base"])
        title = chapter.get("tags", {}).get("title", "")
        theirs.append((chapter["start"] * base - zero, chapter["end"] * base - zero, title))
    found: List[differences.Difference] = []
    if len(ours) != len(theirs):
        found.append(("chapter count", len(ours), len(theirs)))
    for mine, other in zip(ours, theirs):
        if mine[2] != other[2]:
            found.append(("chapter title", mine[2], other[2]))
        # A time is a value of 64 bits over 32: a nanosecond of Matroska's may be rounded.
        if any(abs(a - b) >= MICROSECOND for a, b in zip(mine[:2], other[:2])):
            found.append(("chapter time", mine[:2], other[:2]))
    differences.check(path, found, "chapter")
