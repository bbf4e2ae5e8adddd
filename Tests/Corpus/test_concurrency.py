"""Eight assets that load at once have the values that they have one at a time."""

from __future__ import annotations

import json
import random
from typing import Any, Dict, Iterator, List

import pytest

from engine import CORPUS, ORDINARY, Engine, name

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

AT_ONCE = 8
Values = List[Dict[str, Any]]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []


def request_values(engine: Engine, method: str, keys: str, **params: Any) -> int:
    return engine.send(method, keys=engine.keys(keys), completion="response", **params)


def load(engine: Engine, paths: List[Any]) -> List[Values]:
    """All keys of the assets and of their tracks, each step for all of them at once."""
    opened = [engine.send("asset/open", url=str(path)) for path in paths]
    assets = [engine.result(request)["asset"] for request in opened]
    loading = [
        request_values(engine, "asset/loadValues", "AssetKey", asset=asset) for asset in assets
    ]
    result: List[Values] = []
    tracks = []
    for asset, request in zip(assets, loading):
        values = engine.result(request)["values"]
        result.append([values])
        # The others still load while this one's tracks begin.
        for track in values["tracks"]["value"]:
            sent = request_values(
                engine, "track/loadValues", "TrackKey", asset=asset, trackID=track["trackID"]
            )
            tracks.append((len(result) - 1, sent))
    for place, request in tracks:
        result[place].append(engine.result(request)["values"])
    for request in [engine.send("handle/close", handle=asset) for asset in assets]:
        engine.result(request)
    return result


def test_eight_assets_at_once_have_the_values_of_one_at_a_time(engine: Engine) -> None:
    alone = {path: load(engine, [path])[0] for path in ORDINARY}
    assert all(
        state["status"] == "loaded"
        for several in alone.values()
        for values in several
        for state in values.values()
    )
    # Every file twice, in company that changes.
    order = ORDINARY * 2
    random.Random(8).shuffle(order)
    different = []
    for start in range(0, len(order), AT_ONCE):
        paths = order[start : start + AT_ONCE]
        for path, values in zip(paths, load(engine, paths)):
            if json.dumps(values, sort_keys=True) != json.dumps(alone[path], sort_keys=True):
                different.append(name(path))
    assert not different
