"""Movies whose track has several sample descriptions, which no muxer of FFmpeg's writes."""

from __future__ import annotations

import struct
import subprocess

TABLES = (b"moov", b"trak", b"mdia", b"minf", b"stbl")
CLOCK = 12800


def encode(path, luma, codec, *options, size="64x48"):
    """A second of 25 pictures, each of one grey level, all but the first predicted."""
    picture = f"color=black:s={size}:r=25:d=1,geq=lum='{luma}':cb=128:cr=128"
    run = ["ffmpeg", "-v", "error", "-y", "-threads", "1", "-bitexact"]
    run += ["-f", "lavfi", "-i", picture, "-c:v", codec, "-g", "25", "-bf", "0", *options]
    subprocess.run([*run, "-video_track_timescale", str(CLOCK), str(path)], check=True)


def encode_audio(path, frequency, *options):
    """A second of a tone."""
    run = ["ffmpeg", "-v", "error", "-y", "-bitexact", "-f", "lavfi"]
    run += ["-i", f"sine={frequency}:d=1:sample_rate=48000"]
    subprocess.run([*run, *options, str(path)], check=True)


def box(kind, data):
    return struct.pack(">I4s", 8 + len(data), kind) + data


def boxes(data):
    start = 0
    while start + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[start : start + 8])
        yield kind, data[start + 8 : start + size]
        start += size


def body(data, *path):
    for part in path:
        data = next(payload for kind, payload in boxes(data) if kind == part)
    return data


def rebuilt(data, path, made):
    """The boxes with another one at a path, and without an edit list."""
    result = b""
    for kind, payload in boxes(data):
        if kind == path[0]:
            result += made if len(path) == 1 else box(kind, rebuilt(payload, path[1:], made))
        elif kind != b"edts":
            result += box(kind, payload)
    return result


def table(kind, width, rows):
    values = [value for row in rows for value in row]
    return box(kind, struct.pack(f">2I{len(values)}I", 0, len(values) // width, *values))


def descriptions(movies):
    entries = b"".join(body(movie, *TABLES, b"stsd")[8:] for movie in movies)
    return box(b"stsd", struct.pack(">2I", 0, len(movies)) + entries)


def sizes(movie):
    payload = body(movie, *TABLES, b"stsz")
    size, count = struct.unpack(">2I", payload[4:12])
    return [size] * count if size else list(struct.unpack(f">{count}I", payload[12:]))


def sync_samples(movie):
    kinds = [kind for kind, _ in boxes(body(movie, *TABLES))]
    if b"stss" not in kinds:
        return range(1, len(sizes(movie)) + 1)
    payload = body(movie, *TABLES, b"stss")
    return struct.unpack(f">{len(payload) // 4 - 2}I", payload[8:])


def chain(paths, target, order):
    """One track of the samples of movies in that order, each with its own description."""
    movies = [path.read_bytes() for path in paths]
    head = box(b"ftyp", body(movies[0], b"ftyp"))
    place, count, places, sync = len(head) + 8, 0, [], []
    for number in order:
        places.append((place,))
        place += len(body(movies[number], b"mdat"))
        sync += [(count + sample,) for sample in sync_samples(movies[number])]
        count += len(sizes(movies[number]))
    rows = [body(movies[number], *TABLES, b"stts")[8:] for number in order]
    times = [row for rows in rows for row in struct.iter_unpack(">2I", rows)]
    all_sizes = [size for number in order for size in sizes(movies[number])]
    chunks = [(chunk + 1, len(sizes(movies[n])), n + 1) for chunk, n in enumerate(order)]
    tables = (
        descriptions(movies)
        + table(b"stts", 2, times)
        + table(b"stss", 1, sync)
        + table(b"stsc", 3, chunks)
        + box(b"stsz", struct.pack(f">3I{count}I", 0, 0, count, *all_sizes))
        + table(b"stco", 1, places)
    )
    movie = box(b"moov", body(movies[0], b"moov"))
    header = bytearray(rebuilt(movie, TABLES, box(b"stbl", tables)))
    for kind, offset in ((b"mvhd", 20), (b"tkhd", 24), (b"mdhd", 20)):
        field = header.find(kind) + offset
        (one,) = struct.unpack_from(">I", header, field)
        struct.pack_into(">I", header, field, one * len(order))
    media = b"".join(body(movies[number], b"mdat") for number in order)
    target.write_bytes(head + box(b"mdat", media) + bytes(header))


def chain_fragments(paths, target, order):
    """The same of movies in fragments, whose `tfhd` states the number of the description."""
    movies = [path.read_bytes() for path in paths]
    movie = box(b"moov", body(movies[0], b"moov"))
    header = rebuilt(movie, (*TABLES, b"stsd"), descriptions(movies))
    result = box(b"ftyp", body(movies[0], b"ftyp")) + header
    for turn, number in enumerate(order):
        for kind, payload in boxes(movies[number]):
            if kind == b"moof":
                payload = _fragment(payload, number + 1, turn * CLOCK)
            if kind in (b"moof", b"mdat"):
                result += box(kind, payload)
    target.write_bytes(result)


def _fragment(payload, description, delay):
    result = b""
    for kind, part in boxes(body(payload, b"traf")):
        if kind == b"tfhd":
            (flags,) = struct.unpack(">I", part[:4])
            number = struct.pack(">I", description)
            part = struct.pack(">I", flags | 2) + part[4:8] + number + part[8:]
        elif kind == b"tfdt" and part[0]:
            part = part[:4] + struct.pack(">Q", struct.unpack(">Q", part[4:12])[0] + delay)
        elif kind == b"tfdt":
            part = part[:4] + struct.pack(">I", struct.unpack(">I", part[4:8])[0] + delay)
        elif kind == b"trun":
            # The media is four bytes further away.
            part = part[:8] + struct.pack(">i", struct.unpack(">i", part[8:12])[0] + 4) + part[12:]
        result += box(kind, part)
    return box(b"mfhd", body(payload, b"mfhd")) + box(b"traf", result)


def decoded_greys(path):
    """The grey level of each picture as `ffmpeg` decodes it."""
    run = ["ffmpeg", "-v", "error", "-i", str(path)]
    run += ["-vf", "scale=2:2:flags=neighbor,format=yuv420p"]
    run += ["-fps_mode", "passthrough", "-f", "rawvideo", "-"]
    pictures = subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout
    return [pictures[start] for start in range(0, len(pictures), 6)]
