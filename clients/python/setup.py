"""Puts the engine's program into a wheel: ``REELWIRE_BUNDLE=PROGRAM pip wheel clients/python``.

Without that variable the wheel has none, and is for any platform.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

PROGRAM = os.environ.get("REELWIRE_BUNDLE")


class BuildPy(build_py):
    """Copies the program beside the modules."""

    def run(self) -> None:
        super().run()
        if PROGRAM and not self.editable_mode:
            folder = Path(self.build_lib, "reelwire", "bin")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "reelwire").unlink(missing_ok=True)
            shutil.copyfile(PROGRAM, folder / "reelwire")
            (folder / "reelwire").chmod(0o755)


class BundleWheel(bdist_wheel):
    """A wheel for any Python 3, but for the platform of its program."""

    def get_tag(self) -> "tuple[str, str, str]":
        python, abi, platform = super().get_tag()
        return ("py3", "none", platform) if PROGRAM else (python, abi, platform)


class BundleDistribution(Distribution):
    """What has a program is for one platform."""

    def has_ext_modules(self) -> bool:
        return bool(PROGRAM)


# A folder of its own for each build: what an earlier one left there would be in the wheel too.
scratch = tempfile.mkdtemp(prefix="reelwire-wheel-")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)

setup(
    cmdclass={"build_py": BuildPy, "bdist_wheel": BundleWheel},
    distclass=BundleDistribution,
    options={"build": {"build_base": scratch}},
)
