"""All of the corpus, the hostile files too, by a fleet of two workers and by one engine: the same rows, with
any contents of the memory."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any, Iterator, List, Tuple

import pytest

from engine import CORPUS, ROOT, binary

sys.path.insert(0, str(ROOT / "clients" / "python" / "src"))

distributed = pytest.importorskip("distributed")
from reelwire import jobs  # noqa: E402
from reelwire.dask import Fleet  # noqa: E402

FILES = sorted(str(path) for path in CORPUS.rglob("*") if path.is_file())
JOBS = {
    "probe": jobs.Probe(
        ("duration", "tracks", "metadata"), ("nominal_frame_rate", "format_descriptions")
    ),
    "thumbnails": jobs.Thumbnails(count=2, width=64),
    "waveform": jobs.Waveform(16),
}

pytestmark = [
    pytest.mark.skipif(not FILES, reason="no corpus"),
    # Dask's, of its own shutdown.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def fleet() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as cluster:
        with distributed.Client(cluster) as client, Fleet(client, binary=binary()) as fleet:
            yield fleet


def compared(rows: List[Any]) -> List[Tuple[Any, ...]]:
    """The part of a row that doesn't depend on which worker has made it, and when; of pictures their bytes."""

    def value(of: Any) -> Any:
        return [bytes(image) for image in of] if isinstance(of, list) else repr(of)

    return [(row.path, value(row.value), repr(row.error), row.attempts) for row in rows]


def done(job: Any) -> List[Tuple[Any, ...]]:
    with jobs.Worker(binary=binary()) as worker:
        return compared([worker.attempt(job, path) for path in FILES])


# Made once for each job, by an engine whose memory is as it comes.
rows_of_one_engine = lru_cache(done)


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_rows_are_those_of_one_engine(fleet: Any, job: Any) -> None:
    expected = rows_of_one_engine(job)
    found = compared(fleet.gather(job, FILES))
    assert [row for row in zip(expected, found) if row[0] != row[1]] == []
    assert len(found) == len(FILES)


@pytest.mark.parametrize("fill", [1, 255])
@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_rows_depend_on_no_memory_that_was_not_written(
    job: Any, fill: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = rows_of_one_engine(job)
    # glibc fills allocated and freed memory with bytes made of this one.
    monkeypatch.setenv("MALLOC_PERTURB_", str(fill))
    found = done(job)
    assert [row for row in zip(expected, found) if row[0] != row[1]] == []
