"""The quick rows of the attack plan, each as a test; `torture.py` runs all of them, with many more cases."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Iterator

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import rows  # noqa: E402
import torture  # noqa: E402
from media import Media  # noqa: E402

isPossible = sys.platform == "linux" and shutil.which("cc") and shutil.which("ffmpeg")
pytestmark = pytest.mark.skipif(not isPossible, reason="needs Linux, a C compiler and ffmpeg")

OPTIONS = torture.options_of(torture.parse(["--quick"]))


@pytest.fixture(scope="module")
def media(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Media]:
    media = Media(tmp_path_factory.mktemp("torture") / "media", OPTIONS.corpus)
    yield media
    assert media.clips.are_untouched()


@pytest.mark.parametrize("row", rows.selected([], isQuick=True), ids=lambda row: row.id)
def test_row(row: rows.Row, media: Media, tmp_path: Path) -> None:
    result = rows.execute(row, OPTIONS, tmp_path, media)
    if result.skipped and not result.cases:
        pytest.skip(result.skipped)
    assert not result.failed, "\n".join(rows.details(result, OPTIONS))
