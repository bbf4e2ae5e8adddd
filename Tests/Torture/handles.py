"""C5, C7, C8: ids, handles and cancelling."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Tuple

from checks import Alive, Clean, close_all
from raw import lines
from rows import Run, expect, row
from server import Checked, Server
from waiting import pause


@row("C5", "one id twice in flight", quick=True)
def same_id_twice(run: Run) -> None:
    run.case("two requests", twice, run)


def slow_waveform(run: Run, engine: Checked, id: object) -> None:
    """Work that lasts: a resource whose bytes don't come."""
    engine.call("asset/open", resource={"length": 1 << 20, "isRandomAccess": True, "name": "slow.mp4"})
    handle = engine.call("handle/list")["handles"][0]["handle"]
    params = {"asset": handle, "keys": ["duration"], "completion": "response"}
    for _ in range(2):
        engine.write(
            lines(
                json.dumps(
                    {"jsonrpc": "2.0", "id": id, "method": "asset/loadValues", "params": params}
                ).encode()
            )
        )


def twice(run: Run) -> None:
    with Server() as engine:
        slow_waveform(run, engine, "same")
        while "same" not in engine.answers:
            engine.receive()
        second: Dict[str, Any] = engine.answers.pop("same")  # type: ignore[call-overload]
        expect(second["error"]["code"] == -32600, str(second))
        engine.notify("$/cancelRequest", id="same")
        while "same" not in engine.answers:
            engine.receive()
        first: Dict[str, Any] = engine.answers.pop("same")  # type: ignore[call-overload]
        run.count(str(first.get("error", first)["code"] if "error" in first else "ok"))
        expect("error" in first or first["result"]["values"], str(first))
        expect(engine.answered['"same"'] == 2, f"{engine.answered}")
        engine.answered.clear()


def generator_of(engine: Checked, path: Path) -> Tuple[str, str]:
    asset = engine.call("asset/open", url=str(path))["asset"]
    return asset, engine.call("imageGenerator/create", asset=asset)["imageGenerator"]


@row("C7", "handles: unknown, closed, of another kind, closed twice, closed while requests run", quick=True)
def handles(run: Run) -> None:
    with Server() as engine:
        clean = Clean(engine, run.media.good)
        run.case("of another kind", wrong_handles, run, engine)
        for number in range(run.amount(5, 50)):
            run.case(
                f"closed while 10 requests run {number}", closed_while_running, run, engine, f"close {number}"
            )
        for number in range(run.amount(5, 50)):
            run.case(f"closed behind requests {number}", closed_behind, run, engine, f"behind {number}")
        run.case("opened and closed", opens_and_closes, engine, run.amount(1000, 100_000))
        run.case("clean", clean.check)
        run.case("alive", Alive(run.media.good).check, engine)
        run.case("ends", engine.check_ends)


def wrong_handles(run: Run, engine: Checked) -> None:
    asset, generator = generator_of(engine, run.media.good)
    engine.call("handle/close", handle=generator)
    methods = [method for method in engine.document["methods"] if method["params"]]
    for method in methods:
        first = method["params"][0]["name"]
        if not (
            method.get("result")
            and first
            in ("asset", "imageGenerator", "assetReader", "exportSession", "sampleCursor", "output", "handle")
        ):
            continue
        for handle in (
            "asset:999",
            generator,
            "operation:1",
            "",
            "asset:01",
            "asset:-1",
            "x" * 10_000,
            "asset:1/1/1",
        ):
            expect(handle != asset, "the good one")
            name, _ = engine.attempt(method["name"], **{first: handle})
            run.count(name)
            expect(
                name in ("unknownHandle", "wrongHandleKind", "invalidParams"),
                f"{method['name']} {handle[:20]}: {name}",
            )
    engine.call("handle/close", handle=asset)
    expect(engine.attempt("handle/close", handle=asset)[0] == "unknownHandle", "closed twice")


def some_requests(engine: Checked, asset: str, generator: str) -> List[int]:
    sent = [
        engine.send("imageGenerator/generateImage", imageGenerator=generator, time=time / 5)
        for time in range(4)
    ]
    sent.append(
        engine.send("asset/loadValues", asset=asset, keys=["duration", "metadata"], completion="response")
    )
    sent.append(engine.send("asset/tracks", asset=asset))
    sent.append(engine.send("waveform/generate", asset=asset, count=10, completion="response"))
    sent.append(engine.send("waveform/generate", asset=asset, count=10))
    sent.append(engine.send("imageGenerator/contactSheet", imageGenerator=generator, columns=2, rows=2))
    sent.append(engine.send("imageGenerator/generateImages", imageGenerator=generator, times=[0, 1]))
    return sent


ENDED = {"operationCancelled", "requestCancelled", "unknownHandle", "operationInterrupted"}


def check_answers(run: Run, engine: Checked, ids: List[int]) -> None:
    for answer in engine.settle(ids).values():
        name = answer["error"]["data"]["name"] if "error" in answer else "ok"
        run.count(name)
        expect(name == "ok" or name in ENDED, str(answer)[:300])
    engine.wait_for_ends()
    engine.notifications.clear()


def closed_while_running(run: Run, engine: Checked, name: str) -> None:
    asset, generator = generator_of(engine, run.media.good)
    sent = some_requests(engine, asset, generator)
    pause(run.random(name).uniform(0, 0.05))
    sent += [engine.send("handle/close", handle=handle) for handle in (generator, asset)]
    check_answers(run, engine, sent)


def closed_behind(run: Run, engine: Checked, name: str) -> None:
    """All in one write, the creation too: the close is after the requests that it may not overtake."""
    path = str(run.media.good)
    opened = engine.call("asset/open", url=path)["asset"]
    number = int(engine.call("imageGenerator/create", asset=opened)["imageGenerator"].split(":")[1])
    sent = some_requests(engine, opened, f"imageGenerator:{number}")
    sent.append(engine.send("handle/close", handle=f"imageGenerator:{number}"))
    sent.append(engine.send("handle/close", handle=opened))
    behind = engine.send("asset/tracks", asset=opened)
    check_answers(run, engine, sent)
    answer = engine.settle([behind])[behind]
    expect(answer["error"]["data"]["name"] == "unknownHandle", str(answer)[:300])


def opens_and_closes(engine: Checked, count: int) -> None:
    for _ in range(count // 100):
        opened = [engine.send("asset/open", url="/nonexistent.mp4") for _ in range(100)]
        answers = engine.settle(opened)
        closed = [
            engine.send("handle/close", handle=answer["result"]["asset"]) for answer in answers.values()
        ]
        answers = engine.settle(closed)
        expect(all("result" in answer for answer in answers.values()), "a handle couldn't be closed")


@row("C8", "cancelling: before, during, after, unknown, a thousand at once", quick=True)
def cancelling(run: Run) -> None:
    with Server() as engine:
        clean = Clean(engine, run.media.good)
        for number in range(run.amount(20, 500)):
            run.case(f"at a random time {number}", cancelled, run, engine, f"at a random time {number}")
        run.case("a thousand at once", thousand, run, engine, run.amount(200, 1000))
        close_all(engine)
        run.case("clean", clean.check)
        run.case("alive", Alive(run.media.good).check, engine)


def cancelled(run: Run, engine: Checked, name: str) -> None:
    numbers = run.random(name)
    asset, generator = generator_of(engine, run.media.big)
    method, params = numbers.choice(
        [
            ("imageGenerator/generateImage", {"imageGenerator": generator, "time": 3.9}),
            (
                "imageGenerator/generateImages",
                {"imageGenerator": generator, "times": [0, 3, 1], "completion": "response"},
            ),
            ("asset/loadValues", {"asset": asset, "keys": ["metadata"], "completion": "response"}),
            ("waveform/generate", {"asset": asset, "count": 100, "completion": "response"}),
        ]
    )
    if numbers.random() < 0.1:
        engine.notify("$/cancelRequest", id=engine.lastID + 1)
    sent = engine.send(method, **params)
    engine.notify("$/cancelRequest", id="unknown")
    if numbers.random() < 0.8:
        pause(numbers.choice([0, 0, 0.001, 0.01, 0.05]))
    for _ in range(numbers.choice([1, 1, 3])):
        engine.notify("$/cancelRequest", id=sent)
    answer = engine.settle([sent])[sent]
    run.count(answer["error"]["data"]["name"] if "error" in answer else "ok")
    expect("result" in answer or answer["error"]["code"] == -32800, str(answer)[:300])
    engine.notify("$/cancelRequest", id=sent)
    for handle in (generator, asset):
        engine.call("handle/close", handle=handle)
    engine.check_counts()


def thousand(run: Run, engine: Checked, count: int) -> None:
    _, generator = generator_of(engine, run.media.good)
    sent = [
        engine.send("imageGenerator/generateImage", imageGenerator=generator, time=number % 20 / 10)
        for number in range(count)
    ]
    for id in sent:
        engine.notify("$/cancelRequest", id=id)
    answers = engine.settle(sent)
    names = [answer["error"]["code"] if "error" in answer else "ok" for answer in answers.values()]
    for name in names:
        run.count(str(name))
    expect(set(names) <= {"ok", -32800}, str(set(names)))
    engine.check_counts()
