"""The engine, led by python-lsp-jsonrpc and by pygls."""

from __future__ import annotations

import base64
import importlib.util
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest

from clients import Client, Failure, launch
from waiting import eventually

MODULES = {"python-lsp-jsonrpc": "pylsp_jsonrpc", "pygls": "pygls"}


@pytest.fixture(params=MODULES)
def client(request: pytest.FixtureRequest, binary: Path) -> Iterator[Client]:
    if importlib.util.find_spec(MODULES[request.param]) is None:
        pytest.skip(f"{request.param} isn't here, and .ci/setup editors could not install it")
    client = launch(request.param, binary)
    try:
        yield client
        nothing_left(client)
        assert client.call("shutdown") is None
    finally:
        assert client.close() == 0


def nothing_left(client: Client) -> None:
    """No handle, no lease and no operation, once pending ends have come."""

    def stats() -> Dict[str, Any]:
        return client.call("engine/stats")

    def has_ended() -> bool:
        return not any(map(stats().get, ("operations", "leases")))

    eventually(stats, has_ended)
    left = stats()
    held = {name: left[name] for name in ("handles", "operations", "leases")}
    assert held == {"handles": {}, "operations": 0, "leases": 0}
    assert client.call("handle/list") == {"handles": []}


def opened(client: Client, path: Path) -> str:
    return client.call("asset/open", {"url": str(path)})["asset"]


def close(client: Client, *handles: str) -> None:
    for handle in handles:
        client.call("handle/close", {"handle": handle})


def test_values_come_with_their_notification(client: Client, clips: Dict[str, Path]) -> None:
    asset = opened(client, clips["clip"])
    params = {"asset": asset, "keys": ["duration", "naturalSize"]}
    operation = client.call("asset/loadValues", params)["operation"]
    ((_, told),) = client.until("asset/didLoadValues")
    assert (told["operation"], told["asset"]) == (operation, asset)
    values: Any = told["values"]
    assert {state["status"] for state in values.values()} == {"loaded"}
    duration = values["duration"]["value"]
    assert duration["value"] == 2 * duration["timescale"]
    assert values["naturalSize"]["value"] == {"width": 160, "height": 90}
    close(client, asset)


def test_images_come_in_messages_and_files(
    client: Client, clips: Dict[str, Path], tmp_path: Path
) -> None:
    asset = opened(client, clips["clip"])
    generator = client.call("imageGenerator/create", {"asset": asset})["imageGenerator"]
    params = {"imageGenerator": generator, "time": {"value": 1, "timescale": 2}, "format": "png"}
    blob = client.call("imageGenerator/generateImage", params)["image"]["blob"]
    data = base64.b64decode(blob["data"], validate=True)
    assert data.startswith(b"\x89PNG") and len(data) == blob["size"]

    path = tmp_path / "café-%d.png"
    delivery = {"kind": "file", "path": str(path)}
    params = {**params, "times": [0.5, "1/2"], "delivery": delivery}
    client.call("imageGenerator/generateImages", params)
    *images, (_, end) = client.until("imageGenerator/didFinish")
    assert (end["succeeded"], end["failed"], end["cancelled"]) == (2, 0, 0)
    paths = sorted(image["image"]["blob"]["path"] for _, image in images)
    assert paths == [str(tmp_path / f"café-{index}.png") for index in range(2)]
    assert [Path(each).read_bytes() for each in paths] == [data, data]
    close(client, generator, asset)


def test_an_export_tells_of_its_progress(
    client: Client, clips: Dict[str, Path], tmp_path: Path
) -> None:
    asset = opened(client, clips["clip"])
    output = tmp_path / "part.mp4"
    params: Dict[str, Any] = {"asset": asset, "preset": "MediumQuality", "outputURL": str(output)}
    session = client.call("exportSession/create", params)["exportSession"]
    params = {"exportSession": session, "progressInterval": 0.001}
    operation = client.call("exportSession/export", params)["operation"]
    *steps, (_, end) = client.until("exportSession/didFinish")
    assert {method for method, _ in steps} == {"exportSession/didProgress"}
    progress = [step["progress"] for _, step in steps]
    assert progress == sorted(progress) and 0 <= progress[0] and progress[-1] <= 1
    assert (end["operation"], end["status"]) == (operation, "completed")
    assert Path(end["outputURL"]) == output and output.stat().st_size == end["fileSize"]
    close(client, session, asset)


def test_a_request_is_cancelled(client: Client, clips: Dict[str, Path], tmp_path: Path) -> None:
    asset = opened(client, clips["long"])
    output = tmp_path / "long.mp4"
    params = {"asset": asset, "preset": "HighestQuality", "outputURL": str(output)}
    session = client.call("exportSession/create", params)["exportSession"]
    params = {"exportSession": session, "progressInterval": 0.001, "completion": "response"}
    message_id, future = client.start("exportSession/export", params)
    next(client.until("exportSession/didProgress"))
    client.cancel(message_id)
    with pytest.raises(Failure) as failure:
        client.result(future)
    assert failure.value.code == -32800
    close(client, session, asset)
    assert list(tmp_path.iterdir()) == []


def test_errors_have_a_code_a_name_and_a_hint(client: Client, clips: Dict[str, Path]) -> None:
    with pytest.raises(Failure) as failure:
        client.call("asset/valueStatus", {"asset": "asset:99", "keys": ["duration"]})
    assert (failure.value.code, failure.value.data["name"]) == (1001, "unknownHandle")
    assert failure.value.message and failure.value.data["hint"]

    asset = opened(client, clips["broken"])
    client.call("asset/loadValues", {"asset": asset, "keys": ["duration"]})
    ((_, told),) = client.until("asset/didLoadValues")
    state = told["values"]["duration"]
    data = state["error"]["data"]
    assert (state["status"], data["name"]) == ("failed", "fileFormatNotRecognized")
    assert data["hint"]
    close(client, asset)


def test_a_method_that_does_not_exist_is_told(client: Client) -> None:
    with pytest.raises(Failure) as failure:
        client.call("textDocument/hover", {})
    assert failure.value.code == -32601


@pytest.mark.parametrize("params", [None, {}, []], ids=["null", "object", "array"])
def test_no_params_can_be_written_in_each_way(client: Client, params: Any) -> None:
    assert client.call("exportSession/presets", params)["presets"]
