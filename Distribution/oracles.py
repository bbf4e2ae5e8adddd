"""Copies programs of this machine with all of their libraries: `oracles.py FOLDER PROGRAM…`.

FOLDER/bin then has a script for each, which starts it with its own loader and libraries, on any Linux of this
processor. Nothing else there finds those libraries, so that a system without FFmpeg stays one.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

SCRIPT = """#!/bin/sh
folder=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$folder/lib/{loader}" --library-path "$folder/lib" --argv0 {name} "$folder/programs/{name}" "$@"
"""


def copy(program: Path, folder: Path) -> None:
    listed = subprocess.run(["ldd", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    paths = [Path(path) for path in re.findall(r"(/\S+) \(0x", listed)]
    for path in paths:
        shutil.copyfile(path.resolve(), folder / "lib" / path.name)
    loader = next(path.name for path in paths if path.name.startswith("ld-linux"))
    shutil.copyfile(program, folder / "programs" / program.name)
    script = folder / "bin" / program.name
    script.write_text(SCRIPT.format(loader=loader, name=program.name))
    for path in [script, folder / "lib" / loader, folder / "programs" / program.name]:
        path.chmod(0o755)


def main() -> None:
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    for name in ["bin", "lib", "programs"]:
        (folder / name).mkdir(parents=True)
    for name in sys.argv[2:]:
        path = shutil.which(name)
        if path is None:
            sys.exit(f"oracles: {name} isn't here")
        copy(Path(path).resolve(), folder)


if __name__ == "__main__":
    main()
