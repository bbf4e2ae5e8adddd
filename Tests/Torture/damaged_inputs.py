"""H15, H16: good files that were cut or changed."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Tuple

from checks import Alive, Census, Clean, scratch_environment
from rows import Failure, Run, expect, row
from server import Checked, Server, Shared
from steps import Steps, leftovers

BOXES = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"udta", b"moof", b"traf", b"mvex"}


def boxes(data: bytes, start: int = 0, end: int = -1) -> Iterator[Tuple[int, int]]:
    """The ranges of the boxes of a movie, those in others included."""
    end = len(data) if end < 0 else end
    while start + 8 <= end:
        size = int.from_bytes(data[start : start + 4], "big")
        if size < 8 or start + size > end:
            return
        yield start, start + size
        if data[start + 4 : start + 8] in BOXES:
            yield from boxes(data, start + 8, start + size)
        start += size


@row("H15", "good files cut short: no completed export of less without a mark")
def truncation(run: Run) -> None:
    server, folder = Shared(run), run.subfolder("out")
    names = ["fast.mp4", "small.mov", "small.wav", "small.mkv", "small.ts"]
    for name in names[: run.amount(2, 5)]:
        data = run.media[name].read_bytes()
        cuts = {len(data) * number // 64 for number in range(1, 64)}
        if name.endswith(("mp4", "mov")):
            cuts |= {edge + off for box in boxes(data) for edge in box for off in (-1, 0, 1)}
        for cut in sorted(cut for cut in cuts if 0 < cut < len(data))[:: run.amount(16, 1)]:
            run.case(f"{name} {cut}", truncated, run, server, run.media[name], data[:cut], folder)
    run.case("alive", lambda: Alive(run.media.good).check(server()))


def truncated(run: Run, server: Shared, source: Path, data: bytes, folder: Path) -> None:
    path = run.folder / f"cut{source.suffix}"
    path.write_bytes(data)
    engine = server()
    try:
        steps = Steps(engine, path, folder, count=run.count)
        steps.open()
        steps.step("image", steps.image, 1.5)
        steps.step("waveform", steps.waveform)
        target = folder / f"copy{source.suffix}"
        name, created = engine.attempt(
            "exportSession/create", asset=steps.asset, preset="Passthrough", outputURL=str(target)
        )
        if name == "ok":
            session = created["exportSession"]
            ended = engine.call("exportSession/export", exportSession=session, completion="response")
            engine.call("handle/close", handle=session)
            name = ended["status"] if "error" not in ended else ended["error"]["data"]["name"]
            if name == "completed":
                # These three state how much there should be.
                states = source.name in ("fast.mp4", "small.mov", "small.wav")
                isWhole = source.stat().st_size == len(data) or not states
                isMarked = not is_as_stated(engine, steps.asset) or bool(ended.get("dropped"))
                target.unlink()
                expect(isWhole or isMarked, "a completed export of a part, without a mark")
        run.count(name)
        steps.close(steps.asset)
    except Exception:
        server.drop()
        raise
    expect(leftovers(folder) == [], f"left behind: {leftovers(folder)}")


def is_as_stated(engine: Checked, asset: str) -> bool:
    """True if the file is as long as its container states."""
    loaded = engine.call("asset/loadValues", asset=asset, keys=["containerFacts"], completion="response")[
        "values"
    ]["containerFacts"]
    return not loaded["value"]["isCutShort"]


# The kinds of mutation; each changes a copy.
Mutation = Callable[[bytearray, random.Random], bytearray]


def flip_bytes(data: bytearray, numbers: random.Random) -> bytearray:
    rate = 10 ** numbers.uniform(-4, -2)
    for _ in range(max(1, int(len(data) * rate))):
        data[numbers.randrange(len(data))] ^= 1 << numbers.randrange(8)
    return data


def flip_head(data: bytearray, numbers: random.Random) -> bytearray:
    """Damages the headers: the first and the last 4 kB."""
    for _ in range(numbers.randint(1, 12)):
        at = numbers.randrange(min(4096, len(data)))
        data[at if numbers.random() < 0.7 else -1 - at] = numbers.randrange(256)
    return data


def cut(data: bytearray, numbers: random.Random) -> bytearray:
    return data[: numbers.randrange(1, len(data))]


def box_sizes(data: bytearray, numbers: random.Random) -> bytearray:
    found = list(boxes(bytes(data)))
    if not found:
        return integers(data, numbers)
    for start, end in numbers.sample(found, min(len(found), numbers.randint(1, 3))):
        size = end - start
        new = numbers.choice([0, 1, 7, 8, size - 1, size + 1, size * 2, 0x7FFFFFFF, 0xFFFFFFFF])
        data[start : start + 4] = struct.pack(">I", new & 0xFFFFFFFF)
    return data


def integers(data: bytearray, numbers: random.Random) -> bytearray:
    values = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
    for _ in range(numbers.randint(1, 8)):
        form = numbers.choice([">I", "<I", ">H", "<H"])
        width = struct.calcsize(form)
        if len(data) <= width:
            break
        at = numbers.randrange(len(data) - width)
        value = numbers.choice(values) & (2 ** (8 * width) - 1)
        data[at : at + width] = struct.pack(form, value)
    return data


def splice(data: bytearray, numbers: random.Random) -> bytearray:
    """A part is removed, doubled, or put elsewhere."""
    start = numbers.randrange(len(data))
    part = data[start : start + numbers.randint(1, max(2, len(data) // 8))]
    kind = numbers.randrange(3)
    if kind == 0 and len(part) < len(data):
        return data[:start] + data[start + len(part) :]
    to = numbers.randrange(len(data))
    if kind == 1:
        return data[:to] + part + data[to:]
    data[to : to + len(part)] = part
    return data


def zeroed(data: bytearray, numbers: random.Random) -> bytearray:
    start = numbers.randrange(len(data))
    length = min(len(data) - start, numbers.randint(1, max(2, len(data) // 8)))
    data[start : start + length] = bytes(length)
    return data


MUTATIONS: Dict[str, Mutation] = {
    "flips": flip_bytes,
    "head": flip_head,
    "cut": cut,
    "box": box_sizes,
    "integers": integers,
    "splice": splice,
    "zeroed": zeroed,
}


@row("H16", "mutated files: flips, cuts, box sizes, integers, splices, zeroed ranges", quick=True)
def mutations(run: Run) -> None:
    files = run.media.all()
    if not run.options.isQuick:
        files = files + run.media.ordinary(1 << 20)
    temporary = run.subfolder("temporary")
    server = Shared(run, lambda: Server(environment=scratch_environment(run)))
    alive, folder = Alive(run.media.good), run.subfolder("out")
    levels: List[int] = []
    deaths = 0

    def mutated(name: str) -> None:
        numbers = run.random(name)
        source = numbers.choice(files)
        kind = numbers.choice(list(MUTATIONS))
        path = run.folder / f"mutated{source.suffix}"
        path.write_bytes(MUTATIONS[kind](bytearray(source.read_bytes()), numbers))
        steps = Steps(server(), path, folder, count=run.count)
        try:
            steps.some(numbers, 4)
            server().check_counts()
            left = leftovers(folder)
            expect(left == [], f"left behind: {left}")
        except Exception as error:
            server.drop()
            clear(folder)
            raise Failure(
                f"{kind} of {source.name}, steps {steps.outcomes}: {type(error).__name__} {error}"
            ) from error

    clean = Clean(server(), run.media.good, temporary)
    for number in range(run.options.mutations):
        run.case(f"seed {number}", mutated, f"seed {number}")
        if number % 100 == 99:
            run.case(f"alive after {number}", lambda: alive.check(server()))
            levels.append(Census.of(server()).resident >> 20)
    run.case("alive", lambda: alive.check(server()))
    if server.begun == 1:
        run.case("clean", clean.check)
        deaths = server().stats().get("isolation", {}).get("deaths", 0)
    run.note(f"engines {server.begun}, deaths of workers {deaths}, resident MB {levels}")


def clear(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
