"""Puts the engine into a wheel: ``REELWIRE_BUNDLE=FOLDER pip wheel clients/python``.

The folder is that of ``make bundle``, or a single program, which needs the libraries of the system. Without that
variable the wheel has no engine, and is for any platform.
"""

import atexit
import json
import os
import shutil
import sysconfig
import tempfile
import zipfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

try:
    import deflate
except ImportError:
    # The wheel is then larger by a twenty-fifth.
    deflate = None

ROOT = Path(__file__).resolve().parent.parent.parent
GIVEN = os.environ.get("REELWIRE_BUNDLE")
# A folder, or a program.
BUNDLE = Path(GIVEN).resolve() if GIVEN else None
IS_FOLDER = BUNDLE is not None and BUNDLE.is_dir()
OWN_LICENSE = "Apache-2.0 WITH Swift-exception"


def platform_tag() -> str:
    """The platform of PEP 600 where the folder states the C library that it needs, else this machine's."""
    machine = sysconfig.get_platform().split("-")[-1]
    if IS_FOLDER:
        facts = json.loads((BUNDLE / "sbom.cdx.json").read_text())["metadata"]["component"]
        for entry in facts["properties"]:
            if entry["name"] == "reelwire:glibc":
                return f"manylinux_{entry['value'].replace('.', '_')}_{machine}"
    return f"linux_{machine}"


class BuildPy(build_py):
    """Copies the program and its libraries into the folder of the modules."""

    def run(self) -> None:
        super().run()
        if BUNDLE is None or self.editable_mode:
            return
        package = Path(self.build_lib, "reelwire")
        program = BUNDLE / "bin/reelwire" if IS_FOLDER else BUNDLE
        libraries = sorted((BUNDLE / "lib").iterdir()) if IS_FOLDER else []
        for source, folder in [(program, "bin"), *((path, "lib") for path in libraries)]:
            target = package / folder / source.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            shutil.copyfile(source, target)
            target.chmod(0o755)


class Compressor:
    """Compresses an entry of a wheel as a whole, by libdeflate at its highest level, which zlib doesn't have."""

    def __init__(self) -> None:
        self.contents = bytearray()

    def compress(self, data: bytes) -> bytes:
        self.contents += data
        return b""

    def flush(self) -> bytes:
        return bytes(deflate.deflate_compress(bytes(self.contents), 12))


class BundleWheel(bdist_wheel):
    """A wheel for any Python 3, but for the platform of its program, with all licences and the list of its parts."""

    def run(self) -> None:
        # The one place where zipfile takes compressors from; where it is another one, the wheel is larger.
        usual = getattr(zipfile, "_get_compressor", None)
        if deflate is not None:
            zipfile._get_compressor = lambda method, *level: (
                Compressor() if method == zipfile.ZIP_DEFLATED else usual(method, *level)
            )
        super().run()

    def get_tag(self) -> "tuple[str, str, str]":
        return ("py3", "none", platform_tag() if BUNDLE else "any")

    def write_wheelfile(self, wheelfile_base: str, *arguments: str, **options: str) -> None:
        super().write_wheelfile(wheelfile_base, *arguments, **options)
        texts = BUNDLE if IS_FOLDER else ROOT
        for name in ["LICENSE", "NOTICE", "COPYING.GPLv3", "THIRD-PARTY.txt", "sbom.cdx.json"]:
            if not (texts / name).is_file():
                continue
            folder = Path(wheelfile_base, "sboms" if name.startswith("sbom") else "licenses")
            folder.mkdir(exist_ok=True)
            shutil.copyfile(texts / name, folder / name)


class BundleDistribution(Distribution):
    """A wheel with a program is for one platform."""

    def has_ext_modules(self) -> bool:
        return BUNDLE is not None


# A separate folder for each build: the files of an earlier one would be in the wheel too.
scratch = tempfile.mkdtemp(prefix="reelwire-wheel-")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)

setup(
    # Of the whole: x264 and x265 are inside.
    license="GPL-3.0-or-later" if IS_FOLDER else OWN_LICENSE,
    cmdclass={"build_py": BuildPy, "bdist_wheel": BundleWheel},
    distclass=BundleDistribution,
    options={"build": {"build_base": scratch}},
)
