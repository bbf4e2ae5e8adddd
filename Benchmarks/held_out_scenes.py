"""Clips for `scene_changes.py` whose scene changes are known by construction: no threshold was set by them.

Each is made by ffmpeg of shots of the corpus that have no scene change inside, at 25 frames per second. A shot is a file,
the second that it begins at, its number of frames, and filters over it.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import List, NamedTuple, Tuple

RATE = 25


class Shot(NamedTuple):
    source: str
    start: float
    frames: int
    filters: str = "null"


class Clip(NamedTuple):
    name: str
    shots: List[Shot]
    #: Frames of a dissolve between shots, or with `fades` of a fade out and a fade in; 0 for cuts.
    transition: int = 0
    fades: bool = False
    #: Over all of it.
    filters: str = "null"

    @property
    def truth(self) -> List[Tuple[int, int]]:
        """The first and the last frame that each change may be found at."""
        changes = []
        end = 0
        for shot in self.shots[:-1]:
            end += shot.frames
            if self.fades:
                changes.append((end - self.transition, end + self.transition))
            elif self.transition:
                end -= self.transition
                changes.append((end, end + self.transition))
            else:
                changes.append((end, end))
        return changes


CHAPLIN, COCKATOO, NASA = "mo_chaplin.mp4", "im_cockatoo.mp4", "tc_nasa_13013.mp4"
BUNNY, FACE, BRIGHT = "mo_big_buck_bunny_0_30.webm", "ax_sample_fragmented.mp4", "mb_video-h265.mp4"
CLOSE = "crop=iw/2.5:ih/2.5"
PAN = "crop=iw/3:ih/3:x='(iw-ow)*(0.5+0.5*sin(n/4))':y=0"
SHAKE = "crop=iw*0.8:ih*0.8:x='iw*0.1+iw*0.1*sin(n*2.1)':y='ih*0.1+ih*0.1*cos(n*1.7)'"
FLASH = "eq=brightness='if(lt(mod(n+11,23),2),0.7,0)':eval=frame"

CLIPS = [
    Clip("cuts", [Shot(CHAPLIN, 0, 40), Shot(COCKATOO, 1, 37), Shot(NASA, 0, 50), Shot(BUNNY, 12.5, 41), Shot(FACE, 0, 30)]),
    Clip("short shots", [Shot(COCKATOO, 2, 14), Shot(FACE, 0, 15), Shot(NASA, 1, 13), Shot(CHAPLIN, 1, 16),
                         Shot(BRIGHT, 0, 14), Shot(COCKATOO, 4, 15), Shot(NASA, 7, 20)]),
    Clip("close-ups of one shot", [Shot(COCKATOO, 0, 45), Shot(COCKATOO, 1.8, 40, CLOSE), Shot(NASA, 0, 40),
                                   Shot(NASA, 1.6, 35, CLOSE)]),
    Clip("dissolves", [Shot(COCKATOO, 0, 60), Shot(NASA, 0, 70), Shot(CHAPLIN, 0, 60), Shot(BUNNY, 12.5, 60)], 20),
    Clip("fades", [Shot(NASA, 0, 60), Shot(COCKATOO, 0, 60), Shot(FACE, 0, 50)], 15, True),
    Clip("dark", [Shot(NASA, 0, 45), Shot(COCKATOO, 1, 45), Shot(CHAPLIN, 0, 45), Shot(FACE, 0, 40)],
         filters="eq=contrast=0.35:brightness=-0.3"),
    Clip("grain", [Shot(COCKATOO, 0, 45), Shot(FACE, 0, 45), Shot(NASA, 0, 45), Shot(BUNNY, 12.5, 40)],
         filters="hue=s=0,noise=alls=30:allf=t"),
    Clip("cuts between moving cameras", [Shot(COCKATOO, 0, 50, PAN), Shot(NASA, 0, 50, PAN), Shot(FACE, 0, 50, SHAKE),
                                         Shot(BUNNY, 12.5, 50, SHAKE)]),
    Clip("fast pan", [Shot(COCKATOO, 0, 120, PAN)]),
    Clip("shaking camera", [Shot(NASA, 0, 120, SHAKE)]),
    Clip("flashes", [Shot(COCKATOO, 0, 120, FLASH)]),
    Clip("flashes and cuts", [Shot(FACE, 0, 60, FLASH), Shot(COCKATOO, 0, 60, FLASH)]),
]


def make(clip: Clip, corpus: Path, folder: Path) -> Path:
    """The clip as a file in a folder, made unless it is there."""
    path = folder / f"{clip.name.replace(' ', '-')}.mp4"
    if path.exists():
        return path
    inputs, parts = [], []
    for number, shot in enumerate(clip.shots):
        inputs += ["-ss", str(shot.start), "-t", "20", "-i", str(corpus / shot.source)]
        filters = f"[{number}:v]fps={RATE},format=yuv420p,tpad=stop=-1:stop_mode=clone,trim=end_frame={shot.frames}"
        filters += f",setpts=PTS-STARTPTS,{shot.filters},scale=480:270,setsar=1,settb=1/{RATE}"
        if clip.fades:
            length = clip.transition
            filters += f",fade=in:0:{length}" if number else ""
            last = number == len(clip.shots) - 1
            filters += "" if last else f",fade=out:{shot.frames - length}:{length}"
        parts.append(f"{filters}[s{number}]")
    names = [f"[s{number}]" for number in range(len(clip.shots))]
    if clip.transition and not clip.fades:
        shown, end = names[0], clip.shots[0].frames
        for number, shot in enumerate(clip.shots[1:], 1):
            start = (end - clip.transition) / RATE
            parts.append(f"{shown}{names[number]}xfade=duration={clip.transition / RATE}:offset={start}[x{number}]")
            shown, end = f"[x{number}]", end - clip.transition + shot.frames
    else:
        parts.append(f"{''.join(names)}concat=n={len(names)}[all]")
        shown = "[all]"
    parts.append(f"{shown}{clip.filters},format=yuv420p[out]")
    part = path.with_suffix(".part.mp4")
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", *inputs, "-filter_complex", ";".join(parts)]
    subprocess.run([*command, "-map", "[out]", "-c:v", "libx264", "-crf", "18", str(part)], check=True)
    part.rename(path)
    return path
