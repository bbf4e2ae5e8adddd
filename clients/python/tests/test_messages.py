"""Messages that cannot be sent, and errors without an id."""

import asyncio
import json
import os
from pathlib import Path

import pytest
from conftest import run
from waiting import eventually

import reelwire
from reelwire.messages import encoded

UNIDENTIFIED = {
    "raw": '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}\n'
}


def test_an_error_without_id_fails_what_is_unanswered(fake):
    script = {
        "wait": [[{"hold": 1}]],
        "bad": [[UNIDENTIFIED]],
        "late": [[{"answer_held": {}}, {"result": 1}]],
    }
    played = fake(script)

    async def job():
        async with reelwire.AsyncEngine(**played.options) as engine:
            asked = [engine.request(method) for method in ("wait", "wait", "bad")]
            for error in await asyncio.gather(*asked, return_exceptions=True):
                assert error.code == -32700
            # Later requests are answered as ever.
            assert await engine.request("late") == 1

    run(job())
    assert len(played.messages("$/cancelRequest")) == 3


def test_what_comes_of_a_request_that_has_failed_so_is_given_back(fake):
    opened = {"asset": "asset:7", "blob": {"$shm": "x"}}
    played = fake({"asset/open": [[UNIDENTIFIED, {"result": opened}]]})
    with reelwire.Engine(**played.options) as engine:
        with pytest.raises(reelwire.ReelwireError, match="no JSON"):
            engine.open("a.mp4")
        eventually("no lease", lambda: not engine.request("engine/stats")["leases"])
    assert played.messages("handle/close")[0]["params"] == {"handle": "asset:7"}


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"url": "/a/\udcff.mp4"}, "/url"),
        ({"url": os.fsdecode(b"/a/\xff.mp4")}, "/url"),
        ({"a": [1, {"b": "\ud800"}]}, "/a/1/b"),
        ({"time": float("nan")}, "/time"),
        ({"times": (0, float("-inf"))}, "/times/1"),
        ({"clock": object()}, "/clock"),
        ({"settings": {"video": {"width": {1, 2}}}}, "/settings/video/width"),
        ({"settings": [{b"width": 1}]}, "/settings/0"),
        ({"settings": {(1, 2): 3}}, "/settings"),
    ],
)
def test_what_no_message_can_hold_is_not_sent(fake, params, path):
    played = fake({})
    with reelwire.Engine(**played.options) as engine:
        for ask in (engine.request, engine.notify):
            with pytest.raises(reelwire.InvalidParamsError) as caught:
                ask("ask", params)
            assert "nothing was sent" in caught.value.hint
            assert [problem["path"] for problem in caught.value.data["errors"]] == [path]
            str(caught.value).encode()
        engine.request("ask", {"text": "\U0001f600\u2028\u00e9\0"})
    assert [item["params"] for item in played.messages("ask")] == [
        {"text": "\U0001f600\u2028\u00e9\0"}
    ]


def test_a_value_that_holds_itself_is_an_error(fake):
    around = []
    around.append(around)
    with reelwire.Engine(**fake({}).options) as engine, pytest.raises(ValueError, match="Circular"):
        engine.request("ask", {"around": around})


def test_a_message_that_is_too_large_is_not_sent(fake):
    initialized = {"capabilities": {"maxMessageBytes": 1000}, "serverInfo": {}, "ffmpeg": {}}
    played = fake({"initialize": [[{"result": initialized}]]})
    with reelwire.Engine(**played.options) as engine:
        for text in ("x" * 1000, "\u00e9" * 500):
            with pytest.raises(reelwire.InvalidRequestError, match="larger than 1000 bytes"):
                engine.request("ask", {"text": text})
        engine.request("ask", {"text": "x" * 900})
    assert len(played.messages("ask")) == 1


def test_a_name_of_a_new_file_that_is_no_text(engine, clip, tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.mp4")
    with engine.open(clip) as asset:
        with pytest.raises(reelwire.InvalidParamsError, match="UTF-8"):
            asset.export(path, "Passthrough")


def test_the_limit_is_the_engines_own(binary):
    with reelwire.Engine(binary, arguments=["--max-message-bytes", "2000"]) as engine:
        with pytest.raises(reelwire.InvalidRequestError, match="larger than 2000 bytes"):
            engine.open("x" * 3000)
        assert engine.handles() == []


@pytest.mark.parametrize(
    "sent",
    [
        b'{"jsonrpc":"2.0","id":1000,"method":"asset/open","params":{"url":"/\xff.mp4"}}',
        b'{"jsonrpc":"2.0","id":1000,"method":"asset/open","params":{"url":"/\\udcff.mp4"}}',
        b'{"jsonrpc":"2.0","method":"x","params":{"text":"' + b"x" * 3000 + b'"},"id":1000}',
    ],
)
def test_the_engine_answers_with_the_id(binary, sent):
    async def job():
        arguments = ["--max-message-bytes", "2000"]
        async with reelwire.AsyncEngine(binary, arguments=arguments) as engine:
            transport = engine.transport
            transport._last_id = 999
            written = []
            write = transport._stdin.write
            transport._stdin.write = lambda line: written.append(line) or write(sent + b"\n")
            with pytest.raises(reelwire.ReelwireError) as caught:
                await engine.request("asset/open", {"url": "a.mp4"})
            assert caught.value.code in (-32700, -32600)
            transport._stdin.write = write
            assert json.loads(written[0])["id"] == 1000
            assert await engine.handles() == []

    run(job())


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_none_has_its_own_hint(number):
    with pytest.raises(reelwire.InvalidParamsError) as raised:
        encoded({"method": "player/set", "params": {"volume": number}}, 0)
    assert "neither infinite nor NaN" in raised.value.hint and "UTF-8" not in raised.value.hint


def test_an_object_is_refused_by_its_parameter_and_type():
    with pytest.raises(reelwire.InvalidParamsError, match="/clock: .* got an object of type") as raised:
        encoded({"method": "player/create", "params": {"clock": Path("a.mp4")}}, 0)
    assert raised.value.hint.startswith("Give a number, text, a list or a dict")
