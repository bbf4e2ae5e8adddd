"""The fuzzers' seeds: messages of the transcripts and of the protocol's schema, boxes made here,
and the heads of real files where there are some (REELWIRE_CORPUS, or ../shared/media)."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

Seeds = Iterator[bytes]


def write(target: str, folder: Path, root: Path, limit: int) -> None:
    """Writes the seeds of a target, and its dictionary next to the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    makers = {
        "Framing": framing, "JSON": texts, "Message": messages, "Timeline": timelines,
        "Movie": movies, "Bitstream": bitstreams, "Index": files,
    }
    for number, seed in enumerate(makers[target](root)):
        (folder / f"{number:04}").write_bytes(seed[:limit])
    terms = dictionary(target, root)
    if terms:
        lines = "".join(f'"{escaped(term)}"\n' for term in sorted(terms))
        folder.with_suffix(".dict").write_text(lines, "utf-8")


def escaped(term: bytes) -> str:
    plain = b'"\\'
    return "".join(chr(b) if 32 <= b < 127 and b not in plain else f"\\x{b:02X}" for b in term)


# Messages


def steps(root: Path) -> Iterator[Tuple[str, Any, Any]]:
    """Method, params and result of each step of the transcripts."""
    for path in sorted((root / "Tests/Transcripts").glob("*.json")):
        document = json.loads(path.read_text("utf-8"))
        if not isinstance(document, dict):
            continue
        for step in document.get("steps", []):
            if isinstance(step, dict) and isinstance(step.get("request"), str):
                yield step["request"], step.get("params", {}), step.get("result")


def requests(root: Path) -> Iterator[bytes]:
    for number, (method, params, _) in enumerate(steps(root)):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        yield json.dumps(message, ensure_ascii=False).encode()


def framing(root: Path) -> Seeds:
    found = [message for message in requests(root) if len(message) < 1000][::8]
    for number, message in enumerate(found):
        header = b"Content-Length: %d\r\n\r\n" % len(message)
        start = bytes([number % 3, number % 7, 0, number % 256])
        yield start + message + b"\n"
        yield start + header + message
        yield start + b"\xef\xbb\xbf# comment\n" + message + b"\r\nnone\n" + header + message
    # A message of just the limit of 16, lines of more than 8192 bytes, and headers in the midst of them.
    yield b"\x01\x02\0\x01" + b'{"a":"bcdefghi"}\r\n'
    yield b"\0\x05\0\x01X-Other: \x01\x88x\r\n{}\n"
    yield b"\0\x05\0\x01none \x01\x88xContent-Length: 2\r\n\r\n{}"
    yield b'\0\x03\0\x01{"jsonrpc":"2.0","method":"m","params":"\x01\x05x","id":7}\n{}\n'


def texts(root: Path) -> Seeds:
    yield from list(requests(root))[::6]
    yield b'[1e5,-0.0,1.50E-3,123456789012345678901234567890,"\\u00e9\\ud83d\\ude00\\n",true,null,{}]'
    yield b'[{"jsonrpc":"2.0","id":"a","method":"m"},{"jsonrpc":"2.0","method":"n"},1]'
    yield (
        b'{"int":-1,"byte":255,"long":"18446744073709551615","short":1e3,"double":0.1,"float":1.5,'
        b'"text":"a","flag":true,"list":[1],"names":{"a":1},"any":[null],"nested":[{}]}')
    yield b'{"id":1,"result":{"a":[1,2,[3]]}}'


def schema(root: Path) -> Dict[str, Any]:
    path = root / "docs/openrpc.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


class Examples:
    """Values that fit a JSON schema: with all members, or the required ones only."""

    def __init__(self, document: Dict[str, Any], isFull: bool) -> None:
        self.schemas = document.get("components", {}).get("schemas", {})
        self.isFull = isFull

    def value(self, schema: Dict[str, Any], depth: int = 0) -> Any:
        if depth > 8:
            return None
        if "$ref" in schema:
            return self.value(self.schemas.get(schema["$ref"].split("/")[-1], {}), depth + 1)
        for key in ("const", "default"):
            if key in schema:
                return schema[key]
        if schema.get("enum"):
            return schema["enum"][-1 if self.isFull else 0]
        for key in ("oneOf", "anyOf", "allOf"):
            if schema.get(key):
                return self.value(schema[key][-1 if self.isFull else 0], depth + 1)
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = kind[0]
        if kind == "object":
            return self.members(schema, depth)
        if kind == "array":
            return [self.value(schema.get("items", {}), depth + 1)]
        return {"string": "a:1", "integer": 1, "number": 0.5, "boolean": True}.get(kind or "")

    def members(self, schema: Dict[str, Any], depth: int) -> Dict[str, Any]:
        required = schema.get("required", [])
        result = {
            name: self.value(member, depth + 1)
            for name, member in schema.get("properties", {}).items()
            if self.isFull or name in required
        }
        more = schema.get("additionalProperties")
        if isinstance(more, dict):
            result["a"] = self.value(more, depth + 1)
        return result


def messages(root: Path) -> Seeds:
    def seed(method: str, value: Any, suffix: str = "") -> bytes:
        return f"{method}{suffix}\n{json.dumps(value, ensure_ascii=False)}".encode()

    for method, params, result in steps(root):
        yield seed(method, params)
        if result is not None:
            yield seed(method, result, "=")
    document = schema(root)
    for isFull in (False, True):
        examples = Examples(document, isFull)
        for method in document.get("methods", []) + document.get("x-notifications", []):
            params = {
                param["name"]: examples.value(param.get("schema", {}))
                for param in method.get("params", []) if isFull or param.get("required")
            }
            yield seed(method["name"], params)
            if "result" in method:
                yield seed(method["name"], examples.value(method["result"].get("schema", {})), "=")


# OpenTimelineIO


def timelines(root: Path) -> Seeds:
    def time(value: float, rate: float) -> Dict[str, Any]:
        return {"OTIO_SCHEMA": "RationalTime.1", "value": value, "rate": rate}

    def span(start: float, duration: float, rate: float = 24) -> Dict[str, Any]:
        return {
            "OTIO_SCHEMA": "TimeRange.1", "start_time": time(start, rate),
            "duration": time(duration, rate),
        }

    def clip(start: float, duration: float, rate: float = 24, **more: Any) -> Dict[str, Any]:
        media = {
            "OTIO_SCHEMA": "ExternalReference.1", "target_url": "a.mp4",
            "available_range": span(0, 1000, rate),
        }
        return {
            "OTIO_SCHEMA": "Clip.1", "name": "c", "source_range": span(start, duration, rate),
            "media_reference": media, **more,
        }

    def track(children: List[Any], **more: Any) -> Dict[str, Any]:
        return {"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": children, **more}

    def timeline(tracks: List[Any]) -> bytes:
        stack = {"OTIO_SCHEMA": "Stack.1", "children": tracks}
        document = {
            "OTIO_SCHEMA": "Timeline.1", "name": "t", "tracks": stack, "global_start_time": None,
            "metadata": {"reelwire": {"a": 1}, "other": 2},
        }
        return json.dumps(document).encode()

    gap = {"OTIO_SCHEMA": "Gap.1", "source_range": span(0, 12)}
    dissolve = {
        "OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve",
        "in_offset": time(4, 24), "out_offset": time(4, 24),
    }
    warp = [{"OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": 1.5}]
    freeze = [{"OTIO_SCHEMA": "FreezeFrame.1"}]
    yield timeline([track([clip(10, 48), gap, clip(0, 20, 25)])])
    yield timeline([track([clip(10, 48), dissolve, clip(20, 48)]), track([clip(0, 9, 30)])])
    yield timeline([track([clip(0, 48000, 48000)], kind="Audio", source_range=span(12, 12))])
    yield timeline([track([clip(0, 24, effects=warp), clip(0, 24, effects=freeze)])])
    yield timeline([track([track([clip(3, 30, 23.976)]), {
        "OTIO_SCHEMA": "Stack.1", "children": [track([clip(0, 24)]), clip(0, 20)],
        "source_range": span(2, 10),
    }])])
    keyed = {
        "OTIO_SCHEMA": "Clip.2", "source_range": span(1, 2), "active_media_reference_key": "k",
        "media_references": {"k": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "b"}},
        "markers": [{"OTIO_SCHEMA": "Marker.2"}], "enabled": True,
    }
    yield json.dumps(track([keyed, clip(1, 2, enabled=False)])).encode()


# Boxes


def box(name: str, *parts: bytes) -> bytes:
    payload = b"".join(parts)
    return struct.pack(">I", len(payload) + 8) + name.encode("latin-1") + payload


def full(name: str, *parts: bytes, version: int = 0, flags: int = 0) -> bytes:
    return box(name, struct.pack(">I", version << 24 | flags), *parts)


def numbers(*values: int) -> bytes:
    return b"".join(struct.pack(">I", value & 0xFFFFFFFF) for value in values)


def userdata() -> bytes:
    data = full("data", numbers(0), b"text", flags=1)
    return b"".join([
        box("©nam", struct.pack(">HH", 2, 0), b"ab"),
        full("titl", struct.pack(">H", 0x15C7), b"title\0"),
        full("yrrc", struct.pack(">H", 2001)),
        full("loci", struct.pack(">H", 0x15C7), b"a\0", bytes(13), b"b\0c\0"),
        full("kywd", struct.pack(">HBB", 0x15C7, 1, 2), b"k\0"),
        full("meta", hdlr(b"mdir"), box(
            "ilst", box("©cmt", data), box("trkn", full("data", numbers(0, 1), bytes(4))),
            box("----", full("mean", b"m"), full("name", b"n"), data))),
    ])


def hdlr(kind: bytes) -> bytes:
    return full("hdlr", numbers(0), kind, bytes(12), b"\0")


def movie(count: int = 4, size: int = 16) -> Tuple[bytes, bytes, bytes]:
    """A movie of PCM audio: its type, its media and its index."""
    kind = box("ftyp", b"isom", numbers(0), b"mp42")
    media = box("mdat", bytes(count * size))
    entry = box("sowt", bytes(6), struct.pack(">H", 1), bytes(8), struct.pack(">HH", 2, 16), bytes(4),
                numbers(48000 << 16))
    table = box(
        "stbl", full("stsd", numbers(1), entry), full("stts", numbers(1, count, 1)),
        full("ctts", numbers(2, 1, 2, count - 1, 1)), full("stsc", numbers(1, 1, count, 1)),
        full("stsz", numbers(size, count)), full("stco", numbers(1, len(kind) + 8)),
        full("stss", numbers(1, 1)), full("sdtp", bytes(count)))
    header = full(
        "tkhd", numbers(0, 0, 1, 0, 1200), bytes(8), struct.pack(">hHHH", 0, 1, 256, 0), bytes(36),
        numbers(0, 0), flags=3)
    media_header = full("mdhd", numbers(0, 0, 48000, count), struct.pack(">HH", 0x15C7, 0))
    data = box("dinf", full("dref", numbers(1), full("url ", flags=1)))
    track = box(
        "trak", header, box("edts", full("elst", numbers(1, 1200, 0, 0x10000))),
        box("tref", box("chap", numbers(2))),
        box("mdia", media_header, hdlr(b"soun"), full("elng", b"en\0"),
            box("minf", full("smhd", bytes(4)), data, table)),
        box("udta", userdata()))
    movie_header = full(
        "mvhd", numbers(0, 0, 600, 1200, 0x10000), struct.pack(">H", 256), bytes(70), numbers(2))
    return kind, media, box("moov", movie_header, track, box("udta", userdata()))


def corpus(root: Path) -> List[Path]:
    folder = Path(os.environ.get("REELWIRE_CORPUS") or root.parent / "shared/media")
    if not folder.is_dir():
        return []
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".tsv"]
    return [path for path in found if path.stat().st_size > 0]


def boxes(data: bytes) -> Iterator[Tuple[bytes, bytes]]:
    """The boxes of a file, with their headers."""
    offset = 0
    while offset + 8 <= len(data):
        size, name = struct.unpack(">I4s", data[offset:offset + 8])
        if size == 1 and offset + 16 <= len(data):
            size = struct.unpack(">Q", data[offset + 8:offset + 16])[0]
        if size < 8:
            return
        yield name, data[offset:offset + size]
        offset += size


def movies(root: Path) -> Seeds:
    kind, media, index = movie()
    yield b"\0" + kind + media + index
    yield b"\0" + kind + index + media
    for options in (0x01, 0x05, 0x49, 0x6D, 0x7D):
        yield bytes([options]) + index[8:]
    for options in (0x02, 0x06, 0x0A, 0x0E):
        yield bytes([options]) + userdata()
    for path in corpus(root):
        found = [(name, data) for name, data in boxes(path.read_bytes()) if name in (b"ftyp", b"moov")]
        whole = b"".join(data for _, data in found)
        if not whole or len(whole) > 32000:
            continue
        yield b"\0" + whole
        for name, data in found:
            if name == b"moov":
                yield b"\x05" + data[8:]
                place = data.rfind(b"udta")
                if place >= 4:
                    size = struct.unpack(">I", data[place - 4:place])[0]
                    yield b"\x02" + data[place + 4:place - 4 + size]


# Samples of codecs


def configuration(data: bytes, name: bytes) -> Optional[bytes]:
    """The content of the first such box, wherever it is."""
    place = data.find(name)
    if place < 4:
        return None
    size = struct.unpack(">I", data[place - 4:place])[0]
    return data[place + 4:place - 4 + size] if 8 < size < 4000 else None


def bitstreams(root: Path) -> Seeds:
    sps = bytes.fromhex("6764000aacd9445efc05a808800000030080000019078912cb")
    pps = bytes.fromhex("68ebe3cb22c0")
    slice_of_idr = bytes.fromhex("65888404bffe")
    record = b"\x01\x64\x00\x0a\xff\xe1" + struct.pack(">H", len(sps)) + sps
    record += b"\x01" + struct.pack(">H", len(pps)) + pps
    units = [sps, pps, slice_of_idr]
    lengths = b"".join(struct.pack(">I", len(unit)) + unit for unit in units)
    codes = b"".join(b"\0\0\0\1" + unit for unit in units)
    # Part, syntax, choice; see BitstreamFuzzer.
    yield b"\0\0\4" + lengths
    yield b"\0\0\0" + codes
    yield b"\1\0\0" + b"\0\0\0\0\1\0\0\3\0\0\2"
    yield b"\2\0\0\2" + bytes([len(sps)]) + sps + bytes([len(pps)]) + pps + record
    yield b"\3\0\2" + sps
    for codec in range(5):
        yield bytes([5, 0, codec, 3]) + lengths
    yield b"\5\0\2\0" + bytes.fromhex("12000a0a00000002afff9b5f300832108000")
    yield b"\5\0\3\0" + bytes.fromhex("000001b6106045")
    yield b"\5\0\4\0" + bytes.fromhex("0000800206")
    for path in corpus(root):
        data = path.read_bytes()[:4 << 20]
        for name, syntax in ((b"avcC", 0), (b"hvcC", 1)):
            content = configuration(data, name)
            if not content:
                continue
            yield bytes([2, syntax, 0, 0]) + content
            place = data.find(b"mdat")
            sample = data[place + 4:place + 1500] if place > 0 else b""
            yield bytes([5, 0, syntax, 3]) + sample
            yield bytes([0, syntax, 4]) + sample
            if syntax == 0:
                yield b"\3\0\1" + content[8:8 + struct.unpack(">H", content[6:8])[0]]
            else:
                yield b"\4\1\5" + annex_b(content) + b"\0\0\0\1" + sample[4:]


def annex_b(record: bytes) -> bytes:
    """The units of an HEVC configuration after start codes."""
    result, offset = b"", 23
    for _ in range(record[22] if len(record) > 22 else 0):
        count = int.from_bytes(record[offset + 1:offset + 3], "big")
        offset += 3
        for _ in range(min(count, 8)):
            size = int.from_bytes(record[offset:offset + 2], "big")
            result += b"\0\0\0\1" + record[offset + 2:offset + 2 + size]
            offset += 2 + size
    return result


# Files


def files(root: Path) -> Seeds:
    kind, media, index = movie()
    for options in (0, 3):
        yield bytes([options]) + kind + media + index
        yield bytes([options]) + kind + index + media
    for number, path in enumerate(corpus(root)):
        data = path.read_bytes()
        selection = bytes([number % 8])
        head = data[:24000]
        # An index at the end goes to the front; the media that it refers to may be missing.
        found = dict(reversed(list(boxes(data)))) if data[4:8] == b"ftyp" else {}
        if b"moov" in found and len(found[b"moov"]) < 60000:
            head = found[b"ftyp"] + found[b"moov"] + box("mdat", bytes(2000))
            if len(data) <= 60000:
                head = data
        yield selection + head


# Dictionaries


def dictionary(target: str, root: Path) -> List[bytes]:
    if target == "Framing":
        return [b"Content-Length: ", b"Content-Type: ", b"charset=utf-16", b"\r\n\r\n", b'"id":', b"# "]
    if target in ("Message", "JSON"):
        found: "set[str]" = set()
        collect(schema(root), found)
        quoted = {json.dumps(term).encode() for term in found if len(term) < 60}
        return sorted(quoted | {b'"jsonrpc":"2.0"', b'"id":', b'"method":', b'"result":', b"\\ud83d\\ude00"})
    if target == "Timeline":
        names = (
            "OTIO_SCHEMA children source_range start_time duration value rate name kind enabled effects "
            "markers metadata media_reference media_references available_range target_url time_scalar "
            "in_offset out_offset transition_type global_start_time tracks Timeline.1 Stack.1 Track.1 "
            "Clip.1 Clip.2 Gap.1 Transition.1 LinearTimeWarp.1 FreezeFrame.1 ExternalReference.1 Video "
            "Audio SMPTE_Dissolve RationalTime.1 TimeRange.1 23.976 29.97 1e14")
        return [f'"{name}"'.encode() for name in names.split()]
    if target in ("Movie", "Index"):
        names = (
            "moov mvhd trak tkhd mdia mdhd hdlr minf stbl stsd stts ctts stsz stz2 stco co64 stsc stss stps "
            "sdtp sbgp sgpd edts elst tref dinf dref udta meta ilst keys data mean name free skip wide mdat "
            "moof traf trun mvex mehd sidx mfra elng tagc kind loci kywd rtng clsf yrrc ©nam ---- avc1 hvc1 "
            "mp4a tmcd vide soun text mdir mdta url  uuid")
        return [name.encode("latin-1") for name in names.split()]
    return []


def collect(schema: Any, found: "set[str]") -> None:
    """Names of members and values of enumerations."""
    if isinstance(schema, dict):
        found.update(schema.get("properties", {}))
        found.update(value for value in schema.get("enum", []) if isinstance(value, str))
        if isinstance(schema.get("name"), str):
            found.add(schema["name"])
        for value in schema.values():
            collect(value, found)
    elif isinstance(schema, list):
        for value in schema:
            collect(value, found)
