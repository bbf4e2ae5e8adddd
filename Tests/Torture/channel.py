"""C1 to C4, C9: the input of the channel: framing, sizes, odd JSON, a client that does not read."""

from __future__ import annotations

import json
import threading
from typing import Any, Dict, List, Optional, Tuple

from checks import MEGABYTE, Effort, Memory
from raw import STATS, Raw, headers, lines, request
from rows import Run, expect, row
from waiting import joined, pause

CALLS = [
    request(1, "time/add", lhs=1, rhs="1/3"),
    request("é\u2028", "engine/stats"),
    request(3, "asset/opne", x="\n"),
]


def is_alive(raw: Raw, framing: Any) -> List[Any]:
    """The next request is answered; returns the messages before the answer."""
    raw.write(framing(STATS))
    return raw.until("alive")


@row("C1", "framing: splits, glued messages, line ends, header fields", quick=True)
def framing(run: Run) -> None:
    for name, frame in (("lines", lines), ("headers", headers)):
        run.case(f"{name}, a byte a write", pieces, frame, 1, None)
        for split in range(1, len(frame(CALLS[1])), run.amount(60, 1)):
            run.case(f"{name}, split at {split}", split_at, frame, split)
        run.case(f"{name}, 1000 in one write", glued, frame, 1000)
    for name, head in HEADERS.items():
        run.case(f"header {name}", good_header, head)
    for name, (head, body) in BAD_HEADERS.items():
        run.case(f"bad header {name}", bad_header, run, head, body)
    for name, data in BEFORE.items():
        run.case(f"before the first message: {name}", before, data)
    for name, data in NO_MESSAGES.items():
        run.case(f"no message: {name}", no_message, run, data)


def pieces(frame: Any, size: int, _: object) -> None:
    with Raw() as raw:
        raw.write(b"".join(map(frame, CALLS)), size)
        answers = {json.dumps(message["id"]): message for message in (raw.next() for _ in CALLS)}
        expect("result" in answers["1"] and answers["3"]["error"]["code"] == -32601, str(answers))
        expect(is_alive(raw, frame) == [], "more answers")


def split_at(frame: Any, at: int) -> None:
    data = frame(CALLS[1])
    with Raw() as raw:
        raw.write(data[:at])
        raw.taken()
        raw.write(data[at:])
        expect(raw.next()["id"] == "é\u2028", "another id")


def glued(frame: Any, count: int) -> None:
    with Raw() as raw:
        raw.write(
            b"".join(frame(request(number, "time/add", lhs=number, rhs=1)) for number in range(count)),
            1 << 30,
        )
        ids = sorted(raw.next()["id"] for _ in range(count))
        expect(ids == list(range(count)), f"{len(set(ids))} ids")
        expect(is_alive(raw, frame) == [], "more answers")


LENGTH = len(STATS)
HEADERS = {
    "lower case": b"content-length: %d\r\n\r\n" % LENGTH,
    "upper case": b"CONTENT-LENGTH: %d\r\n\r\n" % LENGTH,
    "no space": b"Content-Length:%d\r\n\r\n" % LENGTH,
    "spaces": b"Content-Length:   %d  \r\n\r\n" % LENGTH,
    "bare newlines": b"Content-Length: %d\n\n" % LENGTH,
    "mixed": b"Content-Length: %d\r\n\n" % LENGTH,
    "more fields": b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nX: y\r\nContent-Length: %d\r\n\r\n"
    % LENGTH,
    "zeros before": b"Content-Length: %06d\r\n\r\n" % LENGTH,
}


def good_header(head: bytes) -> None:
    with Raw() as raw:
        raw.write(head + STATS)
        expect("result" in raw.answer("alive"), "no result")
        raw.write(head + STATS)
        expect("result" in raw.answer("alive"), "no second result")


BAD_HEADERS: Dict[str, Tuple[bytes, bytes]] = {
    "negative": (b"Content-Length: -1\r\n\r\n", b""),
    "plus": (b"Content-Length: +5\r\n\r\n", b""),
    "fraction": (b"Content-Length: 5.0\r\n\r\n", b""),
    "too many digits": (b"Content-Length: 99999999999999999999\r\n\r\n", b""),
    "text": (b"Content-Length: many\r\n\r\n", b""),
    "empty": (b"Content-Length:\r\n\r\n", b""),
    "missing": (b"Content-Type: x\r\n\r\n", b""),
    "no colon": (b"Content-Length 5\r\n\r\n", b""),
    "zero": (b"Content-Length: 0\r\n\r\n", b""),
    "hexadecimal": (b"Content-Length: 0x10\r\n\r\n", b""),
    "two that differ": (b"Content-Length: 5\r\nContent-Length: 7\r\n\r\n", b""),
    "body of no JSON": (b"Content-Length: 5\r\n\r\n", b"hello"),
}


def bad_header(run: Run, head: bytes, body: bytes) -> None:
    """Errors, and the connection continues."""
    with Raw("--framing", "headers") as raw:
        raw.write(headers(STATS))
        raw.answer("alive")
        raw.write(head + body + b"\r\n")
        raw.taken()
        raw.write(headers(STATS) * 3)
        answers = raw.until("alive")
        errors = [answer["error"]["data"]["name"] for answer in answers]
        for error in errors:
            run.count(error)
        expect(errors and set(errors) <= {"parseError", "invalidRequest"}, f"answers: {str(answers)[:300]}")


BEFORE = {
    "a byte order mark": b"\xef\xbb\xbf",
    "white space": b" \r\n\t \n",
    "comments": b"# a comment\n#!/usr/bin/env reelwire\n",
}


def before(data: bytes) -> None:
    for frame in (lines, headers):
        with Raw() as raw:
            raw.write(data)
            expect(is_alive(raw, frame) == [], "an answer to nothing")


NO_MESSAGES = {
    "text": b"hello\n",
    "HTTP": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "NUL": b"\0\0\0\n",
    "UTF-16": '{"jsonrpc":"2.0","id":1,"method":"engine/stats"}\n'.encode("utf-16"),
    "random": bytes(range(128, 256)) * 50 + b"\n",
    "half of a message": b'{"jsonrpc":"2.0","id":1,\n',
    "a number": b"7\n",
    "a string": b'"engine/stats"\n',
    "closing brackets": b"}]}\n",
}


def no_message(run: Run, data: bytes) -> None:
    with Raw() as raw:
        raw.write(lines(STATS))
        raw.answer("alive")
        raw.write(data + b"\n")
        answers = is_alive(raw, lines)
        expect(answers, "no answer")
        for answer in answers:
            expect(
                answer["id"] in (None, 1) and answer["error"]["code"] in (-32700, -32600), str(answer)[:300]
            )
            run.count(answer["error"]["data"]["name"])


@row("C2", "messages beyond the limit: nothing is buffered", quick=True)
def oversize(run: Run) -> None:
    run.case("1 GiB announced, 1 byte sent", announced)
    run.case("100 MiB in headers", skipped, headers, 20)
    # The length of a line is known at its end: up to the limit of 64 MiB it is held, in a buffer that doubles.
    run.case("100 MiB in a line", skipped, lines, 160)
    run.case("at the limit", at_the_limit)


def announced() -> None:
    with Raw() as raw:
        raw.write(headers(STATS))
        raw.answer("alive")
        memory = Memory(raw)  # type: ignore[arg-type]
        raw.write(b"Content-Length: 1073741824\r\n\r\nx")
        raw.taken()
        # When it reads again, all work on the bytes that it has read before is done.
        raw.write(b"x")
        raw.taken()
        memory.check(20 * MEGABYTE)
    expect(raw.process.returncode == 0, f"exit code {raw.process.returncode}")


def skipped(frame: Any, most: int) -> None:
    with Raw() as raw:
        is_alive(raw, frame)
        memory = Memory(raw)  # type: ignore[arg-type]
        long = (
            b'{"jsonrpc":"2.0","id":"long","method":"engine/stats","params":{"x":"'
            + b"x" * (100 << 20)
            + b'"}}'
        )
        raw.write(frame(long))
        answer = raw.answer("long")
        expect(answer["error"]["data"].get("reason") == "messageTooLarge", str(answer)[:300])
        expect(is_alive(raw, frame) == [], "more answers")
        memory.check(most * MEGABYTE)


def at_the_limit() -> None:
    size = 100_000
    with Raw("--max-message-bytes", str(size)) as raw:
        head, tail = b'{"jsonrpc":"2.0","id":%d,"method":"engine/stats","params":{"x":"', b'"}}'
        for length, isAllowed in ((size, True), (size + 1, False)):
            start = head % length
            raw.write(lines(start + b"x" * (length - len(start) - len(tail)) + tail))
            answer = raw.answer(length)
            expect(("result" in answer) == isAllowed, str(answer)[:200])


def call(body: str) -> bytes:
    return b'{"jsonrpc":"2.0","id":5,"method":"engine/stats","params":' + body.encode() + b"}"


# The expected answer: a code, or None for a result.
ODD: Dict[str, Tuple[bytes, Optional[int]]] = {
    "100,000 brackets": (b"[" * 100_000, -32700),
    "100,000 braces": (b'{"a":' * 100_000, -32700),
    "nested 600 deep": (call("[" * 600 + "]" * 600), -32700),
    "an array of 10^6": (call('{"x":[' + "0," * 999_999 + "0]}"), None),
    "300,000 members": (call("{" + ",".join(f'"k{n}":{n}' for n in range(300_000)) + "}"), None),
    "a key of 10 MB": (call('{"' + "k" * 10_000_000 + '":1}'), None),
    "members twice": (b'{"jsonrpc":"2.0","id":5,"id":6,"method":"engine/stats"}', -32600),
    "1e400": (call('{"x":1e400}'), None),
    "a number of 100,000 digits": (call('{"x":' + "9" * 100_000 + "}"), None),
    "NaN": (call('{"x":NaN}'), -32700),
    "a lone surrogate": (call('{"x":"\\ud800"}'), -32700),
    "a control character": (call('{"x":"\x01"}'), -32700),
    "no UTF-8": (b'{"jsonrpc":"2.0","id":5,"method":"engine/stats","params":{"x":"\xff"}}', -32700),
    "text behind": (call("{}") + b"x", -32700),
    "a comma too much": (call("{},"), -32700),
    "single quotes": (b"{'jsonrpc':'2.0','id':5,'method':'engine/stats'}", -32700),
    "comments": (call("{}/* */"), -32700),
    "a zero before": (call('{"x":01}'), -32700),
}


@row("C3", "JSON that is deep, wide or odd: an answer within 1 s, and the next request", quick=True)
def odd_json(run: Run) -> None:
    for frame in (lines, headers)[: run.amount(1, 2)]:
        with Raw() as raw:
            is_alive(raw, frame)
            for name, (body, code) in ODD.items():
                run.case(f"{frame.__name__}, {name}", odd, run, raw, frame, body, code)


def odd(run: Run, raw: Raw, frame: Any, body: bytes, code: Optional[int]) -> None:
    effort = Effort(raw)  # type: ignore[arg-type]
    raw.write(frame(body))
    answer = raw.next()
    given = answer["error"]["code"] if "error" in answer else None
    run.count(str(given))
    expect(given == code, f"{given} {str(answer)[:300]}")
    # A debug build parses ten times slower than the one that is measured by the plan.
    effort.check(60, 3 * len(body) + MEGABYTE)
    expect(is_alive(raw, frame) == [], "more answers")


# Messages, and the codes of the answers, in any order; None for a result.
SHAPES: Dict[str, Tuple[str, List[Optional[int]]]] = {
    "no jsonrpc": ('{"id":1,"method":"engine/stats"}', [-32600]),
    "jsonrpc 1.0": ('{"jsonrpc":"1.0","id":1,"method":"engine/stats"}', [-32600]),
    "jsonrpc a number": ('{"jsonrpc":2.0,"id":1,"method":"engine/stats"}', [-32600]),
    "id a fraction": ('{"jsonrpc":"2.0","id":1.5,"method":"engine/stats"}', [None]),
    "id an object": ('{"jsonrpc":"2.0","id":{},"method":"engine/stats"}', [-32600]),
    "id an array": ('{"jsonrpc":"2.0","id":[1],"method":"engine/stats"}', [-32600]),
    "id true": ('{"jsonrpc":"2.0","id":true,"method":"engine/stats"}', [-32600]),
    "id huge": ('{"jsonrpc":"2.0","id":92233720368547758080,"method":"engine/stats"}', [None]),
    "id long": ('{"jsonrpc":"2.0","id":"' + "x" * 100_000 + '","method":"engine/stats"}', [None]),
    "params a number": ('{"jsonrpc":"2.0","id":1,"method":"engine/stats","params":7}', [-32600]),
    "params a string": ('{"jsonrpc":"2.0","id":1,"method":"engine/stats","params":"x"}', [-32600]),
    "params by position": ('{"jsonrpc":"2.0","id":1,"method":"handle/close","params":["asset:1"]}', [-32602]),
    "method a number": ('{"jsonrpc":"2.0","id":1,"method":7}', [-32600]),
    "no method": ('{"jsonrpc":"2.0","id":1}', [-32600]),
    "unknown method": ('{"jsonrpc":"2.0","id":1,"method":"no/such"}', [-32601]),
    "method with NUL": ('{"jsonrpc":"2.0","id":1,"method":"engine/stats\\u0000"}', [-32601]),
    "an empty object": ("{}", [-32600]),
    "an empty batch": ("[]", [-32600]),
    "a batch of no requests": ("[1,null,[]]", [-32600] * 3),
    "a batch of notifications": (
        '[{"jsonrpc":"2.0","method":"no/such"},{"jsonrpc":"2.0","method":"blob/release","params":{"leases":[]}}]',
        [],
    ),
    "an unknown notification": ('{"jsonrpc":"2.0","method":"no/such"}', []),
    "a notification with bad params": ('{"jsonrpc":"2.0","method":"blob/release","params":{"leases":7}}', []),
    "a request as a notification": ('{"jsonrpc":"2.0","method":"handle/list"}', []),
    "a result of no request": ('{"jsonrpc":"2.0","id":77,"result":{}}', []),
    "an error of no request": ('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}', []),
    "a cancel of nothing": ('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":12345}}', []),
    "a cancel without an id": ('{"jsonrpc":"2.0","method":"$/cancelRequest"}', []),
    "an answer to no read": (
        '{"jsonrpc":"2.0","method":"resource/didRead","params":{"resource":"resource:9","request":1}}',
        [],
    ),
}


@row("C4", "the shape of JSON-RPC messages, batches too", quick=True)
def shapes(run: Run) -> None:
    for frame in (lines, headers)[: run.amount(1, 2)]:
        with Raw() as raw:
            is_alive(raw, frame)
            for name, (body, codes) in SHAPES.items():
                run.case(f"{frame.__name__}, {name}", shape, run, raw, frame, body, codes)
            run.case(f"{frame.__name__}, a batch of 10,000", batch, raw, frame, 10_000)


def shape(run: Run, raw: Raw, frame: Any, body: str, codes: List[Optional[int]]) -> None:
    raw.write(frame(body.encode()))
    answers: List[Any] = []
    singles: List[Any] = []
    # A request after it may be answered first.
    while len(singles) < len(codes):
        answers.append(raw.next())
        singles += answers[-1] if isinstance(answers[-1], list) else answers[-1:]
    for _ in range(2):
        more = is_alive(raw, frame)
        answers += more
        singles += more
    given = [each["error"]["code"] if "error" in each else None for each in singles]
    for code in given:
        run.count(str(code))
    expect(given == codes, f"{given} {str(answers)[:300]}")


def batch(raw: Raw, frame: Any, count: int) -> None:
    raw.write(
        frame(
            b"[" + b",".join(request(number, "time/add", lhs=number, rhs=1) for number in range(count)) + b"]"
        )
    )
    answer = raw.next()
    expect(isinstance(answer, list), str(answer)[:200])
    expect(sorted(each["id"] for each in answer) == list(range(count)), f"{len(answer)} answers")


@row("C9", "a client that does not read: stdin is read on, memory is bounded, every answer comes", quick=True)
def slow_reader(run: Run) -> None:
    run.case("answers of 400 kB", stalled, run, "rpc.discover", {}, run.amount(30, 400), run.amount(1, 20))
    run.case("small answers", stalled, run, "engine/stats", {}, run.amount(300, 10_000), run.amount(1, 20))
    run.case("images", stalled_images, run, run.amount(12, 100), run.amount(1, 20))
    run.case("notifications", stalled_notifications, run, run.amount(1, 10))


def stalled(run: Run, method: str, params: Dict[str, Any], count: int, seconds: float) -> None:
    with Raw(reads=False) as raw:
        raw.write(lines(request("first", method)))
        raw.waits()
        memory = Memory(raw)  # type: ignore[arg-type]
        data = b"".join(lines(request(number, method, **params)) for number in range(count))
        writing = threading.Thread(target=raw.write, args=(data + lines(STATS),), daemon=True)
        writing.start()
        pause(seconds)
        grown = memory.growth()
        raw.reader.start()
        before = raw.until("first")
        expect(before == [], "answers before the first")
        answered = raw.until("alive")
        # The stats may be answered before the last of the others.
        while len(answered) < count:
            answered.append(raw.next())
        joined(writing)
        expect(sorted(each["id"] for each in answered) == list(range(count)), f"{len(answered)} answers")
        # Requests that have been read are answered, 400 of them in one piece: each answer is there once, and
        # not twice.
        held = sum(len(json.dumps(each["result"], ensure_ascii=False)) for each in answered)
        allowed = max(192 * MEGABYTE, 64 * MEGABYTE + held + held // 8)
        expect(grown <= allowed, f"memory grew by {grown >> 20} MB, {allowed >> 20} are allowed")


def open_and_generate(raw: Raw, run: Run) -> str:
    raw.write(lines(request("open", "asset/open", url=str(run.media.good))))
    raw.write(lines(request("make", "imageGenerator/create", asset="asset:1")))
    made: str = "imageGenerator:1"
    return made


def stalled_images(run: Run, count: int, seconds: float) -> None:
    """57 kB each as base64 of raw pixels."""
    with Raw(reads=False) as raw:
        generator = open_and_generate(raw, run)
        raw.waits()
        memory = Memory(raw)  # type: ignore[arg-type]
        for number in range(count):
            raw.write(
                lines(
                    request(
                        number,
                        "imageGenerator/generateImage",
                        imageGenerator=generator,
                        time=0,
                        format="rgb24",
                    )
                )
            )
        raw.write(lines(STATS))
        pause(seconds)
        memory.check(192 * MEGABYTE)
        raw.reader.start()
        seen = raw.until("alive")
        while len([each for each in seen if isinstance(each.get("id"), int)]) < count:
            seen.append(raw.next())
        ids = [each["id"] for each in seen if isinstance(each.get("id"), int)]
        expect(sorted(ids) == list(range(count)), f"{len(ids)} answers")
        expect(all("result" in each for each in seen if "id" in each), "errors")


def stalled_notifications(run: Run, seconds: float) -> None:
    """A thousand images of one operation: the work waits, and all come when they are read."""
    count = run.amount(40, 1000)
    with Raw(reads=False) as raw:
        generator = open_and_generate(raw, run)
        raw.waits()
        memory = Memory(raw)  # type: ignore[arg-type]
        times = [number % 20 / 10 for number in range(count)]
        raw.write(
            lines(
                request(
                    "many",
                    "imageGenerator/generateImages",
                    imageGenerator=generator,
                    times=times,
                    format="rgb24",
                )
            )
        )
        pause(seconds)
        memory.check(192 * MEGABYTE)
        raw.write(lines(STATS))
        raw.reader.start()
        indices: List[int] = []
        while True:
            message = raw.next()
            if message.get("method") == "imageGenerator/didGenerateImage":
                indices.append(message["params"]["index"])
            if message.get("method") == "imageGenerator/didFinish":
                break
        expect(sorted(indices) == list(range(count)), f"{len(indices)} images")
        expect(message["params"]["succeeded"] == count, str(message["params"]))
