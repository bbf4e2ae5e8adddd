"""The facts of a file, field by field: the engine's answers, and ffprobe's values.

Both are brought into one form, and only two deviations count as none:
microseconds that are the exact number rounded, and fields that one side doesn't report.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple

import differences
import oracle
from differences import Difference
from engine import Engine, number

ASSET_KEYS = ["duration", "tracks", "metadata", "naturalSize", "preferredTransform"]
# A value that ffprobe doesn't report.
UNKNOWN = object()
MICROSECOND = Fraction(1, 1_000_000)
IDENTITY = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]

CHARACTERISTICS = {
    "isMainProgramContent": "default",
    "isAuxiliaryContent": "comment",
    "isOriginalContent": "original",
    "dubbedTranslation": "dub",
    "containsOnlyForcedSubtitles": "forced",
    "transcribesSpokenDialogForAccessibility": "hearing_impaired",
    "describesVideoForAccessibility": "visual_impaired",
}
# ISO 639-2's bibliographic codes of this corpus, as 639-2/T.
TERMINOLOGICAL = {"ger": "deu", "fre": "fra", "dut": "nld", "chi": "zho", "cze": "ces"}


class Answers:
    """All keys of an asset and its tracks, as they came."""

    def __init__(self, engine: Engine, path: Path) -> None:
        self.handle, values = engine.load(path, *ASSET_KEYS)
        self.asset = {key: loaded(values[key]) for key in values}
        keys = engine.keys("TrackKey")
        self.tracks: List[Tuple[Dict[str, Any], Dict[str, Any]]] = []
        for track in self.asset["tracks"]:
            answer = engine.call(
                "track/loadValues",
                asset=self.handle,
                trackID=track["trackID"],
                keys=keys,
                completion="response",
            )
            values = answer["values"]
            self.tracks.append((track, {key: loaded(values[key]) for key in values}))


def loaded(state: Dict[str, Any]) -> Any:
    assert state["status"] == "loaded", state
    return state.get("value")


def time(value: Any) -> Optional[Fraction]:
    return number(value) if isinstance(value, dict) else None


def ratio(text: Optional[str]) -> Fraction:
    above, below = (int(part) for part in (text or "0/1").replace(":", "/").split("/"))
    return Fraction(above, below) if below else Fraction(0)


def stored(packets: List[Dict[str, Any]], stream: Dict[str, Any]) -> Tuple[Fraction, Fraction]:
    """The start and the end of a stream's shown packets, on the container's clock."""
    base = Fraction(stream["time_base"])
    shown = [p for p in packets if "D" not in p["flags"] and ("pts" in p or "dts" in p)]
    starts: List[int] = [p["pts"] if "pts" in p else p["dts"] for p in shown]
    lengths: List[int] = [p.get("duration", 0) for p in shown]
    if not starts:
        return Fraction(0), Fraction(0)
    return min(starts) * base, max(s + d for s, d in zip(starts, lengths)) * base


class Comparison:
    def __init__(self) -> None:
        self.differences: List[Difference] = []
        self.compared = 0
        # ffprobe's values that the answers write in another form.
        self.forms: Set[str] = set()

    def add(self, field: str, ours: Any, theirs: Any, same: Optional[bool] = None) -> None:
        if theirs is UNKNOWN:
            return
        self.compared += 1
        if form := differences.form(field, theirs):
            self.forms.add(form.theirs)
            same = ours in form.ours
        if not (ours == theirs if same is None else same):
            self.differences.append((field, ours, theirs))


def compare(answers: Answers, path: Path) -> Comparison:
    probed = oracle.facts(path)
    packets = oracle.packets(path)
    result = Comparison()
    compare_asset(result, answers, probed, packets)
    tracks = [track for track, _ in answers.tracks]
    for track, values in answers.tracks:
        stream = oracle.stream_of(track, tracks, probed)
        kind = track["mediaType"]
        compared = [("mediaType", kind, media_type(stream))]
        compared += timing(values, stream, probed, packets.get(stream["index"], []))
        compared += description(values, stream, kind)
        compared += traits(values, stream, probed)
        for field, ours, theirs in compared:
            same = None
            if isinstance(theirs, float) and isinstance(ours, float):
                same = abs(ours - theirs) <= 1e-9 * abs(theirs)
            result.add(f"{kind} {field}", ours, theirs, same)
    return result


def compare_asset(result: Comparison, answers: Answers, probed: Any, packets: Any) -> None:
    streams = probed["streams"]
    result.add(
        "tracks",
        [track["mediaType"] for track, _ in answers.tracks],
        [media_type(stream) for stream in streams],
    )
    duration = number(answers.asset["duration"])
    if "duration" in probed["format"]:
        stated = Fraction(probed["format"]["duration"])
        result.add("duration", duration, stated, abs(duration - stated) <= MICROSECOND)
    else:
        ends = [stored(packets.get(s["index"], []), s)[1] for s in oracle.media_streams(streams)]
        end = max(ends, default=Fraction(0)) - oracle.origin(probed)
        result.add("duration", duration, end)
    videos = [s for s in oracle.media_streams(streams) if s["codec_type"] == "video"]
    size = answers.asset["naturalSize"]
    theirs = presentation(videos[0]) if videos else (0.0, 0.0)
    result.add("naturalSize", (size["width"], size["height"]), theirs)
    transform = matrix(videos[0]) if videos else IDENTITY
    result.add("preferredTransform", answers.asset["preferredTransform"], transform)
    tags = probed["format"].get("tags", {})
    if not tags and len(oracle.media_streams(streams)) == 1:
        tags = oracle.media_streams(streams)[0].get("tags", {})
    result.add("metadata", *lacking(answers.asset["metadata"], tags))


def lacking(items: List[Dict[str, Any]], tags: Dict[str, str]) -> Tuple[List[str], List[str]]:
    """An empty list, and the values of ffprobe's tags that no item has; there may be more items."""
    texts = {item["value"] for item in items if isinstance(item["value"], str)}
    numbers = {float(item["value"]) for item in items if isinstance(item["value"], (int, float))}

    def is_said(text: str) -> bool:
        try:
            return text in texts or float(text) in numbers
        except ValueError:
            return False

    return [], sorted(text for text in tags.values() if not is_said(text))


def media_type(stream: Dict[str, Any]) -> str:
    kind: str = stream["codec_type"]
    if kind == "data":
        return "timecode" if stream["codec_tag_string"] == "tmcd" else "metadata"
    return "closedCaption" if stream.get("codec_name") == "eia_608" else kind


def presentation(stream: Dict[str, Any]) -> Tuple[float, float]:
    shape = ratio(stream.get("sample_aspect_ratio")) or 1
    width = int(stream["width"] * shape + Fraction(1, 2))
    return float(width), float(stream["height"])


def matrix(stream: Dict[str, Any]) -> List[float]:
    """The display matrix; one that only turns moves the picture back to where it was."""
    for data in stream.get("side_data_list", []):
        if data["side_data_type"] != "Display Matrix":
            continue
        rows = [row.split(":")[1].split() for row in data["displaymatrix"].strip().split("\n")]
        (a, b, _), (c, d, _), (x, y, _) = [[int(cell) / 65536 for cell in row] for row in rows]
        width, height = presentation(stream)
        if x == y == 0:
            corners = [(h, v) for h in (0, width) for v in (0, height)]
            x = -min(a * h + c * v for h, v in corners)
            y = -min(b * h + d * v for h, v in corners)
        return [a, b, c, d, x + 0.0, y + 0.0]
    return IDENTITY


def timing(values: Any, stream: Any, probed: Any, packets: Any) -> List[Difference]:
    base = Fraction(stream["time_base"])
    first, last = stored(packets, stream)
    start, length = first, last - first
    # Values that libavformat knows itself count before those of the packets.
    if "start_pts" in stream and "duration_ts" in stream:
        start, length = stream["start_pts"] * base, stream["duration_ts"] * base
    elif "duration_ts" in stream and not packets:
        length = stream["duration_ts"] * base
    begin = start - oracle.origin(probed)
    # The part before time zero isn't in the asset.
    if begin < 0:
        begin = Fraction(0)
    bytes_ = sum(int(p["size"]) for p in packets)
    rate = float(stream["bit_rate"]) if "bit_rate" in stream else None
    if rate is None:
        rate = float(bytes_ * 8 / length) if length else 0.0
    is_video = stream["codec_type"] == "video"
    average, shortest = ratio(stream["avg_frame_rate"]), ratio(stream["r_frame_rate"])
    if is_video and not average and last > first:
        average = len(packets) / (last - first)
    return [
        ("timeRange start", time(values["timeRange"]["start"]), begin),
        ("timeRange duration", time(values["timeRange"]["duration"]), length),
        # The timescale with which every time of the track can be written.
        ("naturalTimeScale", values["naturalTimeScale"], base.denominator),
        ("estimatedDataRate", float(values["estimatedDataRate"]), rate),
        ("totalSampleDataLength", values["totalSampleDataLength"], bytes_),
        ("nominalFrameRate", float(values["nominalFrameRate"]), float(average) * is_video),
        (
            "minFrameDuration",
            time(values["minFrameDuration"]),
            1 / shortest if is_video and shortest else None,
        ),
        (
            "requiresFrameReordering",
            values["requiresFrameReordering"],
            stream.get("has_b_frames", 0) > 0,
        ),
    ]


def description(values: Any, stream: Any, kind: str) -> List[Difference]:
    assert len(values["formatDescriptions"]) >= 1
    ours = values["formatDescriptions"][0]
    code = stream["codec_tag_string"]
    profile = stream.get("profile")
    result: List[Difference] = [
        ("codec", ours["codec"], stream.get("codec_name", "none")),
        ("mediaSubType", ours["mediaSubType"], UNKNOWN if "[" in code else code),
        ("profile", ours.get("profile"), None if (profile or "0").isdigit() else profile),
        ("extradataSize", ours["extradataSize"], stream.get("extradata_size", 0)),
    ]
    if kind == "video":
        return result + picture(ours, values, stream)
    if kind == "audio":
        return result + sound(ours["audio"], stream)
    return result


def picture(ours: Any, values: Any, stream: Any) -> List[Difference]:
    video = ours["video"]
    color = video["color"]
    size, shown = video["dimensions"], video["presentationDimensions"]
    shape = video.get("pixelAspectRatio")
    level = stream.get("level", 0)
    fields = {
        "progressive": (1, None),
        "tt": (2, "temporalTopFirst"),
        "bt": (2, "temporalTopFirst"),
        "bb": (2, "temporalBottomFirst"),
        "tb": (2, "temporalBottomFirst"),
    }
    ranges = {"tv": "limited", "pc": "full"}
    their_shape = ratio(stream.get("sample_aspect_ratio")) or 1
    natural = values["naturalSize"]
    return [
        ("level", ours.get("level"), level if level > 0 else None),
        ("dimensions", (size["width"], size["height"]), (stream["width"], stream["height"])),
        ("presentationDimensions", (shown["width"], shown["height"]), presentation(stream)),
        ("naturalSize", (natural["width"], natural["height"]), presentation(stream)),
        ("preferredTransform", values["preferredTransform"], matrix(stream)),
        (
            "pixelAspectRatio",
            Fraction(shape["horizontalSpacing"], shape["verticalSpacing"]) if shape else 1,
            their_shape,
        ),
        (
            "fields",
            (video.get("fieldCount"), video.get("fieldDetail")),
            fields.get(stream.get("field_order", ""), (None, None)),
        ),
        (
            "bitsPerComponent",
            video.get("bitsPerComponent"),
            int(stream.get("bits_per_raw_sample", 0)) or UNKNOWN,
        ),
        ("pixelFormat", video.get("pixelFormat"), pixel_format(video, stream)),
        ("primaries", color.get("primaries"), stream.get("color_primaries")),
        ("transfer", color.get("transfer"), stream.get("color_transfer")),
        ("matrix", color.get("matrix"), stream.get("color_space")),
        ("range", color.get("range"), ranges.get(stream.get("color_range", ""))),
        ("chromaLocation", video.get("chromaLocation"), stream.get("chroma_location")),
    ]


def pixel_format(ours: Any, stream: Any) -> Any:
    """That of the decoder, which has GIFs without a transparent pixel as `bgra`, too."""
    theirs = stream.get("pix_fmt")
    is_opaque = stream["codec_name"] == "gif" and ours.get("pixelFormat") == "bgr0"
    return "bgr0" if is_opaque and theirs == "bgra" else theirs


def sound(ours: Any, stream: Any) -> List[Difference]:
    # As in an AudioStreamBasicDescription, where compressed audio has none.
    bits = stream.get("bits_per_sample", 0) if stream["codec_name"].startswith("pcm_") else 0
    return [
        ("sampleRate", ours["sampleRate"], float(stream["sample_rate"])),
        ("channels", ours["channelsPerFrame"], stream["channels"]),
        ("channelLayout", ours.get("channelLayout"), stream.get("channel_layout")),
        ("bitsPerChannel", ours["bitsPerChannel"], bits),
    ]


def traits(values: Any, stream: Any, probed: Any) -> List[Difference]:
    language = stream.get("tags", {}).get("language", "und").lower()
    language = None if language == "und" else TERMINOLOGICAL.get(language, language)
    ours = set(values["mediaCharacteristics"])
    dispositions = {name for name, flag in stream["disposition"].items() if flag}
    wide = stream.get("color_primaries") in ("bt2020", "smpte431", "smpte432")
    hdr = stream.get("color_transfer") in ("smpte2084", "arib-std-b67")
    enabled = "default" in dispositions if oracle.is_movie(probed) else True
    # The encoder that libavformat reports of a movie track is the name in its sample description.
    names = [description.get("formatName") for description in values["formatDescriptions"]]
    tags = {
        key: text
        for key, text in stream.get("tags", {}).items()
        if not (key == "encoder" and text in names)
    }
    return [
        ("languageCode", values.get("languageCode"), language),
        ("dispositions", {CHARACTERISTICS[c] for c in ours if c in CHARACTERISTICS}, dispositions),
        ("usesWideGamutColorSpace", "usesWideGamutColorSpace" in ours, wide),
        ("containsHDRVideo", "containsHDRVideo" in ours, hdr),
        ("isEnabled", values["isEnabled"], enabled),
        ("metadata", *lacking(values["metadata"], tags)),
    ]
