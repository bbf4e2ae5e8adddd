"""A1 to A5: the findings of an attack on the engine: many readers, cancelled pulls, closes, slow reads."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

from checks import Alive, Clean, Margin
from rows import Run, expect, row
from server import Checked, Server
from waiting import Stopwatch, eventually, pause

PIXELS = {"pixelFormat": "rgb24", "width": 32}

# The errors of a request whose object is closed.
ENDED = {"operationCancelled", "requestCancelled", "unknownHandle", "cancelled"}


def started_reader(engine: Checked, asset: str, **settings: Any) -> Tuple[str, str]:
    output = {"type": "track", "mediaType": "video", "settings": {**PIXELS, **settings}}
    made = engine.call("assetReader/create", asset=asset, outputs=[output])
    engine.call("assetReader/start", assetReader=made["assetReader"])
    return made["assetReader"], made["outputs"][0]


@row("A1", "300 asset readers pulled at once: all are answered", quick=True)
def many_readers(run: Run) -> None:
    with Server() as engine:
        alive = Alive(run.media.good)
        count = run.amount(20, 300)
        run.case("one asset", pulled_at_once, run, engine, count, True)
        # The heap has room for as many now; growth the second time is a leak.
        run.case("an asset each", pulled_at_once, run, engine, count, False)
        clean = Clean(engine, run.media.good)
        run.case("an asset each again", pulled_at_once, run, engine, count, False)
        run.case("clean", clean.check)
        run.case("alive", alive.check, engine)


def pulled_at_once(run: Run, engine: Checked, count: int, isShared: bool) -> None:
    assets = [
        engine.call("asset/open", url=str(run.media.good))["asset"] for _ in range(1 if isShared else count)
    ]
    readers = [started_reader(engine, assets[number % len(assets)]) for number in range(count)]
    watch = Stopwatch()
    pulls = [engine.send("assetReader/nextSampleBuffers", output=output, maxCount=3) for _, output in readers]
    stats = engine.send("engine/stats")
    engine.settle([stats])
    answers = engine.settle(pulls)
    run.note(f"{count} pulls in {watch}")
    wrong = [
        answer for answer in answers.values() if len(answer.get("result", {}).get("sampleBuffers", [])) != 3
    ]
    expect(not wrong, f"{len(wrong)} without 3 frames: {str(wrong[:1])[:300]}")
    # To the end, in another order.
    pulls = [
        engine.send("assetReader/nextSampleBuffers", output=output, maxCount=100)
        for _, output in reversed(readers)
    ]
    answers = engine.settle(pulls)
    short = [
        answer for answer in answers.values() if len(answer.get("result", {}).get("sampleBuffers", [])) != 47
    ]
    expect(not short, f"{len(short)} without the other 47 frames: {str(short[:1])[:300]}")
    closes = [
        engine.send("handle/close", handle=handle) for handle in [*(reader for reader, _ in readers), *assets]
    ]
    expect(all("result" in answer for answer in engine.settle(closes).values()), "a close failed")


@row("A2", "a pull that is cancelled consumes nothing", quick=True)
def cancelled_pulls(run: Run) -> None:
    with Server() as engine:
        for number in range(run.amount(2, 60)):
            run.case(f"pull {number}", cancelled_pull, run, engine, f"pull {number}")
        run.case("alive", Alive(run.media.good).check, engine)


def cancelled_pull(run: Run, engine: Checked, name: str) -> None:
    numbers = run.random(name)
    source = run.media.big
    asset = engine.call("asset/open", url=str(source))["asset"]
    reader, output = started_reader(engine, asset, width=128)
    times: List[int] = []
    cancels = 0
    isAtEnd = False
    while not isAtEnd:
        sent = engine.send(
            "assetReader/nextSampleBuffers", output=output, maxCount=numbers.choice([1, 20, 60])
        )
        if cancels < 6 and numbers.random() < 0.7:
            pause(numbers.uniform(0, 0.02))
            engine.notify("$/cancelRequest", id=sent)
        answer = engine.settle([sent])[sent]
        if "error" in answer:
            cancels += 1
            run.count(answer["error"]["data"]["name"])
            expect(answer["error"]["code"] == -32800, str(answer)[:300])
            continue
        times += [int(buffer["presentationTime"]["value"]) for buffer in answer["result"]["sampleBuffers"]]
        isAtEnd = answer["result"]["endOfStream"]
    for handle in (reader, asset):
        engine.call("handle/close", handle=handle)
    run.count("ok")
    expect(len(times) == 100, f"{len(times)} frames of 100")
    steps = {after - before for before, after in zip(times, times[1:])}
    expect(len(steps) == 1, f"gaps: {sorted(steps)}")


@row("A3", "handle/close overtakes requests that wait for their turn", quick=True)
def overtaking(run: Run) -> None:
    with Server() as engine:
        clean = Clean(engine, run.media.good)
        for count in (10, run.amount(200, 2000)):
            run.case(f"{count} requests to a generator", overtaken, run, engine, count, "generator")
            run.case(f"{count} requests to an asset", overtaken, run, engine, count, "asset")
            run.case(f"{count} requests to a reader", overtaken, run, engine, count, "reader")
        run.case("clean", clean.check)
        run.case("alive", Alive(run.media.good).check, engine)


def blocked_asset(engine: Checked, name: str = "slow.mp4") -> str:
    """An asset whose bytes never come, for which it waits a day."""
    resource = {"length": 50 << 20, "isRandomAccess": True, "name": name, "timeoutMs": 86_400_000}
    opened = engine.call("asset/open", resource=resource)
    return str(opened["asset"])


def end_of(answer: Dict[str, Any]) -> str:
    """The end of a request: an error's name, `cancelled`, or `ok`."""
    if "error" in answer:
        return str(answer["error"]["data"]["name"])
    states = [value["status"] for value in answer["result"].get("values", {}).values()]
    states += [answer["result"].get("result", "ok")]
    return "cancelled" if "cancelled" in states else "ok"


def overtaken(run: Run, engine: Checked, count: int, kind: str) -> None:
    """The first request waits for bytes, the others for it; the close ends all."""
    if kind == "reader":
        asset = engine.call("asset/open", url=str(run.media.big))["asset"]
        handle, output = started_reader(engine, asset, width=320)
        sent = [
            engine.send("assetReader/nextSampleBuffers", output=output, maxCount=100) for _ in range(count)
        ]
    else:
        asset = blocked_asset(engine)
        handle = asset
        if kind == "generator":
            handle = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
            sent = [
                engine.send("imageGenerator/generateImage", imageGenerator=handle, time=1)
                for _ in range(count)
            ]
        else:
            sent = [
                engine.send("asset/loadValues", asset=asset, keys=["duration"], completion="response")
                for _ in range(count)
            ]
    watch = Stopwatch()
    close = engine.send("handle/close", handle=handle)
    engine.settle([close])
    answers = engine.settle(sent)
    run.note(f"{count} of a {kind}: {watch}")
    for answer in answers.values():
        name = end_of(answer)
        run.count(name)
        # No bytes have come: it is the close that has ended them.
        expect(name in ENDED or kind == "reader" and name == "ok", str(answer)[:300])
    if handle != asset:
        engine.call("handle/close", handle=asset)
    engine.check_counts()


@row("A4", "several hundred files blocked in reads: others are served, all can be closed", quick=True)
def blocked_reads(run: Run) -> None:
    with Server() as engine:
        # The threads of blocked reads end some seconds later.
        margin = Margin(threads=200) if run.options.isQuick else Margin()
        clean = Clean(engine, run.media.good, margin=margin)
        run.case("blocked", blocked, run, engine, run.amount(80, 400))
        run.case("clean", clean.check)


def blocked(run: Run, engine: Checked, count: int) -> None:
    assets = [blocked_asset(engine, f"{number}.mp4") for number in range(count)]
    kinds: List[Tuple[str, Dict[str, Any]]] = []
    for number, asset in enumerate(assets):
        if number % 3 == 0:
            generator = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
            kinds.append(("imageGenerator/generateImage", {"imageGenerator": generator, "time": 0}))
        elif number % 3 == 1:
            kinds.append(
                ("asset/loadValues", {"asset": asset, "keys": ["duration"], "completion": "response"})
            )
        else:
            kinds.append(("waveform/generate", {"asset": asset, "count": 4, "completion": "response"}))
    sent = [engine.send(method, **params) for method, params in kinds]
    reads = len(sent) if run.options.isQuick else 1
    eventually("reads of what is blocked", lambda: asked(engine) >= reads)
    watch = Stopwatch()
    Alive(run.media.good).check(engine)
    run.note(f"alive in {watch} with {count} blocked")
    expect(not any(id in engine.answers for id in sent), "something was answered without its bytes")
    handles = [entry["handle"] for entry in engine.call("handle/list")["handles"]]
    watch = Stopwatch()
    closes = [engine.send("handle/close", handle=handle) for handle in handles]
    engine.settle(closes)
    answers = engine.settle(sent)
    run.note(f"closed in {watch}")
    for answer in answers.values():
        name = end_of(answer)
        run.count(name)
        # No bytes have come: it is the close that has ended them.
        expect(name in ENDED, str(answer)[:300])


def asked(engine: Checked) -> int:
    """For how many files bytes were asked."""
    engine.take()
    return len({each["params"]["resource"] for each in engine.notifications if each["method"] == "resource/read"})
