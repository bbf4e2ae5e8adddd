"""Passthrough of real files into every container that can hold them, against ffprobe and ffmpeg.

Samples are the same bytes; and ffprobe's facts of the copy are those of the source, except exactly the items
that `dropped` names, in both directions: a difference that isn't named fails, and so does something named
that is there after all.

Files of up to 300 kB go into every container, larger ones up to 3 MB into their own; the rest is left
out, to keep this within minutes.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

import pytest

import oracle
from engine import CORPUS, Engine, files, name
from tags import aliases, canonical, forms, is_structural, language, tags_of_file

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

TYPES = ["mov", "mp4", "m4v", "m4a", "mkv", "webm", "ts", "mp3", "wav", "flac", "ogg", "gif"]
MOVIES = {"mov", "mp4", "m4v", "m4a"}
OF_EVERY_TYPE = 300_000
OF_THEIR_OWN = 3_000_000
OWN = {"qt": "mov", "3gp": "mp4", "m4b": "m4a", "mka": "mkv", "opus": "ogg", "mpg": "ts"}


def cases() -> List[Tuple[Path, str]]:
    result = []
    for path in files("video", "audio", "images"):
        suffix = path.suffix[1:].lower()
        size = path.stat().st_size
        own = OWN.get(suffix, suffix)
        if path.parent.name == "images" and suffix != "gif":
            continue
        for kind in TYPES:
            if size <= OF_EVERY_TYPE or (kind == own and size <= OF_THEIR_OWN):
                result.append((path, kind))
    return result


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []


class Copy:
    """A copy and its source, as ffprobe and the engine see them."""

    def __init__(self, engine: Engine, path: Path, output: Path) -> None:
        self.path, self.output = path, output
        self.kind = output.suffix[1:]
        asset, values = engine.load(path, "tracks", "metadata")
        self.tracks = values["tracks"].get("value", [])
        self.items: List[Dict[str, Any]] = values["metadata"].get("value", [])
        try:
            session = engine.call(
                "exportSession/create", asset=asset, preset="Passthrough", outputURL=str(output)
            )["exportSession"]
            self.done = engine.call(
                "exportSession/export", exportSession=session, completion="response"
            )
            engine.call("handle/close", handle=session)
        finally:
            engine.call("handle/close", handle=asset)
        self.dropped: List[Dict[str, Any]] = self.done.get("dropped", [])
        self.engine = engine
        self.copied: Dict[int, List[Dict[str, Any]]] = {}
        if self.done["status"] == "completed" and self.kind in MOVIES:
            self.copied = self.track_items(output)

    def track_items(self, path: Path) -> Dict[int, List[Dict[str, Any]]]:
        """The metadata of each track by its number, as the engine reads it."""
        asset, values = self.engine.load(path, "tracks")
        result = {}
        for track in values["tracks"]["value"]:
            loaded = self.engine.call(
                "track/loadValues", asset=asset, trackID=track["trackID"], keys=["metadata"],
                completion="response",
            )  # fmt: skip
            result[track["trackID"]] = loaded["values"]["metadata"]["value"]
        self.engine.call("handle/close", handle=asset)
        return result

    def compare(self) -> List[str]:
        self.before = oracle.facts(self.path)
        if self.kind == "ts" and self.output.stat().st_size < 2000:
            return []  # Too little for ffprobe to recognise it.
        self.after = oracle.run_ffprobe(self.output, (*oracle.FACTS, "-show_programs"))
        self.programs = oracle.run_ffprobe(self.path, ("-show_programs",)).get("programs", [])
        self.faults: List[str] = []
        self.named = Counter(
            (d["item"], d.get("trackID"), d.get("key")) for d in self.dropped
        )
        lost = {d["trackID"] for d in self.dropped if d["item"] == "track"}
        kept = [t for t in self.tracks if t["trackID"] not in lost]
        sources = [oracle.stream_of(t, self.tracks, self.before) for t in kept]
        copies = [
            s
            for s in self.after["streams"]
            if not s["disposition"]["attached_pic"]
            and s["codec_type"] != "attachment"
            and not (s.get("codec_name") == "bin_data" and self.after["chapters"])
        ]
        self.fault(len(copies) != len(sources), f"{len(copies)} streams of {len(sources)}")
        self.compare_file_tags(sources, copies)
        self.compare_chapters()
        self.compare_pictures()
        for track, a, b in zip(kept, sources, copies):
            self.compare_stream(track, a, b, sources)
        shown = {v for s in copies for v in s.get("tags", {}).values()}
        for item, number in self.named.items():
            # The name that the engine knows may be none of ffprobe's tags of the track, and ffprobe's end of a
            # transport stream is a guess.
            if item[0] in ("track", "timeRange") or (item[0] == "trackName" and item[2] not in shown):
                continue
            # A box that nothing here knows: its type isn't in the copy.
            isBox = item[0] == "metadata" and ("/" in (item[2] or "") or len(item[2] or "") == 4)
            if isBox and item[2].rpartition("/")[2].encode() not in self.output.read_bytes():
                continue
            self.fault(number > 0, f"named, but there: {item}")
        return self.faults

    def fault(self, is_one: bool, text: str) -> None:
        if is_one:
            self.faults.append(text)

    def is_named(self, item: str, track: Optional[int] = None, key: Optional[str] = None) -> bool:
        """True if a loss is named, which then counts as having been found."""
        if (item, track, key) not in self.named:
            return False
        self.named[(item, track, key)] = 0
        return True

    # Tags

    def compare_file_tags(self, sources: List[Any], copies: List[Any]) -> None:
        before = tags_of_file(self.before, self.programs, sources)
        after = tags_of_file(self.after, self.after.get("programs", []), copies)
        found = {(canonical(k), v) for k, v in after.items()}
        values = {v for _, v in found}
        for key, value in before.items():
            if is_structural(key, value) or any(
                (alias, text) in found
                for alias in aliases(canonical(key), self.kind)
                for text in forms(key, value)
            ):
                continue
            names = [i["identifier"] for i in self.items if text_of(i) == value]
            names += [i["identifier"] for i in self.items if i["key"] == key]
            isNamed = [self.is_named("metadata", None, n) for n in names]
            self.fault(not any(isNamed), f"lost: {key}={value!r} ({names})")
        for item in self.items:
            # Several items can be one tag of ffprobe's, and some are none.
            if ("metadata", None, item["identifier"]) in self.named:
                isThere = text_of(item) in values
                isTag = text_of(item) in before.values()
                if not isThere or not isTag:
                    self.is_named("metadata", None, item["identifier"])
        said = {f for k, v in before.items() for f in forms(k, v)} | {text_of(i) for i in self.items}
        said |= {v for s in sources for v in s.get("tags", {}).values()}
        for key, value in after.items():
            isNew = not any(v in said for v in forms(key, value)) and value not in said
            if isNew and not is_structural(key, value) and not key.startswith("service_"):
                self.fault(True, f"invented: {key}={value!r}")

    def compare_stream_tags(self, track: int, a: Any, b: Any) -> None:
        before, after = a.get("tags", {}), b.get("tags", {})
        if self.before["format"]["format_name"] == "ogg":
            before = {}
        found = {(canonical(k), v) for k, v in after.items()}
        for key, value in before.items():
            lower = canonical(key)
            if is_structural(key, value) or lower == "creation_time":
                continue
            if lower == "encoder" and value.startswith("Lavc"):
                continue
            if lower == "timecode" and self.kind in MOVIES:
                continue
            if (lower, value) in found or (lower == "title" and ("handler_name", value) in found):
                continue
            if lower == "alpha_mode" and self.is_named("alpha", track):
                continue
            # libavformat shows no names that belong to a track of a movie.
            if self.kind in MOVIES and self.is_in_copy(b, value):
                continue
            isNamed = self.is_named("trackName", track, value) or any(
                self.is_named("metadata", track, k[2])
                for k in list(self.named)
                if k[:2] == ("metadata", track) and canonical(k[2].split("/")[-1]) == lower
            )
            self.fault(not isNamed, f"track {track} lost: {key}={value!r}")

    def is_in_copy(self, stream: Any, value: str) -> bool:
        return any(text_of(i) == value for i in self.copied.get(int(stream["id"], 0), []))

    # Chapters and pictures

    def compare_chapters(self) -> None:
        before, after = self.before["chapters"], self.after["chapters"]
        if self.is_named("chapters"):
            self.fault(bool(after), "chapters are there, and named as dropped")
            return
        lost_ends = self.is_named("chapters", None, "end")
        starts = [Fraction(c["start_time"]) for c in before]
        # Chapters of ID3 count from the first sample, and not on the container's clock.
        origin = Fraction(0) if self.path.suffix == ".mp3" else oracle.origin(self.before)
        if before and self.is_named("chapters", None, "start"):
            self.fault(starts[0] <= origin, "the first chapter begins at 0")
            starts[0] = origin
        self.fault(len(before) != len(after), f"{len(after)} chapters of {len(before)}")
        ends = []
        for begin, a, b in zip(starts, before, after):
            start, end = begin - origin, Fraction(a["end_time"]) - origin
            got = Fraction(b["start_time"]), Fraction(b["end_time"])
            self.fault(abs(got[0] - max(start, 0)) > TICK, f"chapter starts: {start} {got[0]}")
            ends.append(abs(got[1] - end) <= Fraction(1, 20))
            for key, value in a.get("tags", {}).items():
                found = {(canonical(k), v) for k, v in b.get("tags", {}).items()}
                if (canonical(key), value) in found or not value:
                    continue
                self.fault(
                    ("chapters", None, key) not in self.named, f"chapter lost {key}={value!r}"
                )
        for key in {k for c in before for k in c.get("tags", {})}:
            self.is_named("chapters", None, key)
        # The last one may end where the file ends.
        self.fault(not all(ends[:-1]) and not lost_ends, "chapters end elsewhere")

    def compare_pictures(self) -> None:
        def pictures(probed: Any) -> List[str]:
            return sorted(
                s["codec_name"] for s in probed["streams"] if s["disposition"]["attached_pic"]
            )

        named = {k: n for k, n in self.named.items() if k[0] == "artwork"}
        lost = sum(n for (_, _, key), n in named.items() if "/" in key)
        for key in named:
            self.named[key] = 0
        self.compare_picture_tags({key for _, _, key in named})
        before, after = pictures(self.before), pictures(self.after)
        self.fault(len(after) + lost != len(before), f"pictures: {before} {after}")

    def compare_picture_tags(self, named: Set[str]) -> None:
        def texts(probed: Any) -> Set[Tuple[str, str]]:
            pictures = [s for s in probed["streams"] if s["disposition"]["attached_pic"]]
            tags = [(canonical(k), v) for s in pictures for k, v in s.get("tags", {}).items()]
            return {(k, v) for k, v in tags if k in ("title", "comment") and v not in USUAL}

        if self.kind in ("mp3", "flac", "ogg", "mkv", *MOVIES):
            lost = texts(self.before) - texts(self.after)
            said = {k for k in named if "/" not in k}
            self.fault({k for k, _ in lost} != said, f"texts of pictures: {lost}, named {said}")

    # Streams

    def compare_stream(self, track: Any, a: Any, b: Any, sources: List[Any]) -> None:
        number = track["trackID"]
        isText = a["codec_type"] == "subtitle"
        if not isText:
            # MP4 has one code for both, and ffprobe takes it for the more usual one.
            isSame = a["codec_name"] == b["codec_name"] or (
                self.kind in MOVIES and (a["codec_name"], b["codec_name"]) == ("mp2", "mp3")
            )
            self.fault(not isSame, f"{a['codec_name']} {b['codec_name']}")
        elif a["codec_name"] == "ass" and b["codec_name"] != "ass":
            # Styles, layers and margins, which only a script has.
            isNamed = self.is_named("text", number, "script")
            self.fault(not isNamed, f"track {number} is no script any more")
        for key in SAME:
            if key in a and a[key] != b.get(key) and a[key] not in ("unknown", "N/A", "0:1"):
                self.fault(not is_unsaid(key, a, b, self.kind), f"track {number} {key}: {a[key]} {b.get(key)}")
        for key, word in COLORS.items():
            if a.get(key, "unspecified") in ("unspecified", "unknown"):
                continue
            if a[key] != b.get(key) and not is_unsaid(key, a, b, self.kind):
                self.fault(
                    not self.is_named("color", number, word),
                    f"track {number} {key}: {a[key]} {b.get(key)}",
                )
        self.compare_side_data(number, a, b)
        self.compare_dispositions(number, a, b, sources)
        self.compare_language(number, a, b)
        self.compare_stream_tags(number, a, b)

    def compare_side_data(self, track: int, a: Any, b: Any) -> None:
        after = {d["side_data_type"]: d for d in b.get("side_data_list", [])}
        for data in a.get("side_data_list", []):
            kind = data["side_data_type"]
            if kind not in SIDE_DATA or turned(data) == turned(after.get(kind)):
                continue
            self.fault(
                not self.is_named(*SIDE_DATA[kind][:1], track, SIDE_DATA[kind][1]),
                f"track {track}: {data} {after.get(kind)}",
            )

    def compare_dispositions(self, track: int, a: Any, b: Any, sources: List[Any]) -> None:
        before = {n for n, flag in a["disposition"].items() if flag}
        after = {n for n, flag in b["disposition"].items() if flag}
        alike = [s for s in sources if s["codec_type"] == a["codec_type"]]
        if self.kind in MOVIES:
            # One box states both (movenc.c), and the first track of a kind is on where none is marked.
            for pair in ({"hearing_impaired", "captions"}, {"visual_impaired", "descriptions"}):
                before |= pair if before & pair else set()
            if not oracle.is_movie(self.before):
                if not any(s["disposition"]["default"] for s in alike):
                    after -= {"default"} - before
        if self.kind == "ts" and "visual_impaired" in before:
            before.add("descriptions")
        for lost in before - after:
            if lost == "default" and all(s["disposition"]["default"] for s in alike):
                if not self.is_named("disposition", track, lost):
                    continue
            isNamed = self.is_named("disposition", track, lost)
            self.fault(not isNamed, f"track {track} isn't {lost}")
        self.fault(bool(after - before), f"track {track} has become {after - before}")

    def compare_language(self, track: int, a: Any, b: Any) -> None:
        before, after = (language(s.get("tags", {})) for s in (a, b))
        if before and not after and self.kind in ("mp3", "wav", "flac"):
            after = language(self.after["format"].get("tags", {}))
        named = [k for k in self.named if k[0] == "language" and k[1] == track]
        for key in named:
            self.named[key] = 0
        self.fault(before != after and not named, f"track {track} language: {before} {after}")
        self.fault(before == after and bool(named), f"track {track} language is there")


def turned(data: Any) -> Any:
    """Side data; of a matrix without the place that it moves the picture to, which Matroska has no field for."""
    matrix = (data or {}).get("displaymatrix")
    return {**data, "displaymatrix": matrix.strip().splitlines()[:2]} if matrix else data


# The type of a picture where none is stated, and the most frequent type.
USUAL = ("Other", "Cover (front)")
TICK = Fraction(1, 1000)
SAME = [
    "width", "height", "sample_aspect_ratio", "pix_fmt", "field_order", "sample_rate", "channels",
    "channel_layout", "bits_per_sample", "profile",
]  # fmt: skip
COLORS = {
    "color_primaries": "primaries",
    "color_transfer": "transfer",
    "color_space": "matrix",
    "color_range": "range",
    "chroma_location": "chromaLocation",
}
SIDE_DATA = {
    "Display Matrix": ("rotation", None),
    "Mastering display metadata": ("hdr", "masteringDisplay"),
    "Content light level metadata": ("hdr", "contentLight"),
    "DOVI configuration record": ("hdr", "dolbyVision"),
    "ICC Profile": ("color", "iccProfile"),
    "Stereo 3D": ("projection", "stereo"),
    "Spherical Mapping": ("projection", "spherical"),
}


def is_unsaid(key: str, a: Any, b: Any, kind: str) -> bool:
    """True if a copy omits a value that is the usual one."""
    usual = {"channel_layout": ("mono", "stereo"), "field_order": ("progressive",)}
    usual["sample_aspect_ratio"] = ("1:1",)
    if b.get(key) in (None, "0:1", "unknown") and a[key] in usual.get(key, ()):
        return True
    # ffprobe gives up before it has come to the pictures of these.
    return kind == "ts" and not b.get("width") and key in (
        "width", "height", "pix_fmt", "profile", "chroma_location",
    )  # fmt: skip


def text_of(item: Dict[str, Any]) -> str:
    value = item["value"]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, str) else str(value)


def hashes(path: Path) -> List[str]:
    """MD5 of the bytes of each stream of video or audio, in order."""
    done = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", "file:" + str(path), "-map", "0:V?", "-map", "0:a?"]
        + ["-c", "copy", "-f", "streamhash", "-hash", "md5", "-"],
        capture_output=True,
        check=False,
    )
    return [x.split("=")[1] for x in done.stdout.decode().splitlines() if "=" in x]


@lru_cache(maxsize=None)
def source_hashes(path: Path) -> List[str]:
    return hashes(path)


# A delay of 0 is written as the tenth of a second that programs assume for it (gifdec.c).
SAMPLES_DIFFER = {("images/pi_iss634.gif", "gif")}

# HEVC of movies and Matroska has its parameter sets before each sync sample of a transport stream, once: they
# decode to the same frames, by ffmpeg's framemd5.
SAMPLES_DIFFER |= {
    (f"video/{file}", "ts")
    for file in (
        "tc_h265_video.mp4", "tl_optimized.mkv", "ax_fragmented_captions_h265.mp4", "m4_hevc.mp4",
    )
}  # fmt: skip

# So has H.264 at recovery points, before which libavformat inserts none.
SAMPLES_DIFFER |= {
    (f"video/{file}.mp4", "ts") for file in ("ax_iibbibb_editlist_videoonly", "ax_sample_sef_slow_motion")
}

# Their edit lists hide half a second of audio, which isn't copied where nothing can hide it.
SAMPLES_DIFFER |= {("audio/ax_long_edit_list_audioonly.mp4", kind) for kind in ("mkv", "ts")}
SAMPLES_DIFFER |= {("video/ax_sample_opus.mp4", kind) for kind in ("mkv", "webm", "ts", "ogg")}

# ffprobe shows one of two tags of the same name, which are both there, and the bytes of an unknown frame as a tag.
KNOWN_FAULTS = {
    ("audio/ax_bear-id3.mp3", kind): ("lost: Test description=", "invented: UNKN=")
    for kind in ("mov", "mp4")
}
# The movie states square pixels, and its bitstream, which is all that a transport stream has, others.
KNOWN_FAULTS[("video/ax_sample_sef_slow_motion.mp4", "ts")] = ("track 2 sample_aspect_ratio: 1:1 27:64",)


def has_same_samples(copy: Copy, folder: Path) -> bool:
    """True if every stream's bytes are the source's, or those of ffmpeg's own copy.

    Some containers have other forms of the same samples: start codes or lengths before NAL units,
    ADTS headers or none.
    """
    after = hashes(copy.output)
    if after and Counter(after) <= Counter(source_hashes(copy.path)):
        return True
    other = folder / f"ffmpeg.{copy.kind}"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-i", "file:" + str(copy.path), "-map", "0:V?", "-map", "0:a?"]
        + ["-c", "copy", "-strict", "-2", str(other)],
        capture_output=True,
        check=False,
    )
    theirs = hashes(other)
    # A copy of ffmpeg's own that it can't read again proves nothing: a transport stream of a few packets is
    # recognised by chance, and ours by the null packets in it.
    return not theirs or (bool(after) and Counter(after) <= Counter(theirs))


@pytest.mark.parametrize("path,kind", cases(), ids=lambda v: v if isinstance(v, str) else name(v))
def test_copies_keep_what_the_container_holds(
    engine: Engine, path: Path, kind: str, tmp_path: Path
) -> None:
    copy = Copy(engine, path, tmp_path / f"copy.{kind}")
    if copy.done["status"] == "failed":
        error = copy.done["error"]["data"]["name"]
        assert error in ("formatUnsupported", "noSourceTrack", "invalidSourceMedia")
        assert list(tmp_path.iterdir()) == []
        pytest.skip(copy.done["error"]["message"])
    assert copy.done["status"] == "completed", copy.done
    with ThreadPoolExecutor(max_workers=1) as other:
        # test_corpus.py compares the packets of movies with their times.
        isTimed = kind == {".mov": "mov", ".mp4": "mp4", ".m4a": "mp4"}.get(path.suffix)
        isTimed = isTimed or (name(path), kind) in SAMPLES_DIFFER
        isSame = isTimed or other.submit(has_same_samples, copy, tmp_path)
        faults = copy.compare()
        if isSame is not True and not isSame.result():
            faults.append("samples differ")
    known = KNOWN_FAULTS.get((name(path), kind))
    if known:
        faults = [fault for fault in faults if not fault.startswith(known)]
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)
