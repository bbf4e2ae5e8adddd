"""Every block of README.md runs, in order and as a reader would run it.

A fence with another language than those of ``RUNNERS`` is an error: nothing in README.md is left
untried. The exports of a shell block hold for the blocks after it, and a ``json`` block is the output of the
shell block before it. A ``console`` block has commands after ``$`` and their output, where ``…`` stands for
anything.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from waiting import HANG

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.S | re.M)
BUILD = Path(os.environ.get("REELWIRE_BINARY", ROOT / ".build/debug/reelwire")).resolve().parent

# The build is done before, by the caller of the tests; here it counts that there is such a target.
PREAMBLE = """set -eu
make() { command make --no-print-directory -C "$CHECKOUT" -n "$@" >/dev/null; }
"""

# A filmstrip made of characters takes longest.
UNTIL_SHOWN_IN_EMACS = f"""
(with-timeout ({HANG:.0f} (error "No filmstrip in: %s" (buffer-string)))
  (while (not (string-match-p "▀" (buffer-string))) (accept-process-output nil 1)))
"""
UNTIL_SHOWN_IN_NEOVIM = f"""
local shown = vim.wait({HANG * 1000:.0f}, function()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false)):find('▀') ~= nil
end, 10)
vim.cmd(shown and 'qall!' or 'cquit!')
"""


def need(editor: str) -> None:
    if shutil.which(editor) is None:
        pytest.skip(f"{editor} isn't here, and .ci/setup editors could not install it")


class Reader:
    """A reader who follows README.md, in a folder that looks like a fresh checkout with a build."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checkout = folder / "reelwire"
        (self.checkout / ".build").mkdir(parents=True)
        (self.checkout / ".build/release").symlink_to(BUILD)
        (self.checkout / "clients").symlink_to(ROOT / "clients")
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("REELWIRE_", "PYTHON", "VIRTUAL_ENV"))
        }
        self.environment["CHECKOUT"] = str(ROOT)
        self.printed = ""
        self.manifest = ""

    def run(self, command: "list[str]", cwd: "Path | None" = None) -> str:
        ended = subprocess.run(
            command,
            cwd=cwd or self.checkout,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=2 * HANG,
        )
        assert ended.returncode == 0, f"{command[0]}:\n{ended.stdout}{ended.stderr}"
        return ended.stdout

    def sh(self, block: str) -> None:
        variables = self.folder / "environment"
        self.printed = self.run(["sh", "-c", f"{PREAMBLE}{block}\nenv -0 >'{variables}'"])
        pairs = (pair.partition("=") for pair in variables.read_text().split("\0") if pair)
        self.environment = {name: value for name, _, value in pairs}

    def console(self, block: str) -> None:
        """Runs where the clip is that the README makes, which may be further down."""
        folder = self.folder / "console"
        folder.mkdir()
        make_clip = next(line for line in README.splitlines() if line.startswith("ffmpeg "))
        outside = {**self.environment, "PATH": f"{BUILD}:{self.environment['PATH']}"}
        inside, self.environment = self.environment, outside
        self.run(["sh", "-c", make_clip], cwd=folder)
        for step in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            printed = self.run(["sh", "-c", f"{step[0]} 2>&1"], cwd=folder)
            expected = ".*".join(map(re.escape, step[1].split("…")))
            assert re.fullmatch(expected, printed, re.S), f"{step[0]}:\n{printed}"
        self.environment = inside

    def json(self, block: str) -> None:
        def messages(text: str) -> "list[object]":
            return [json.loads(line) for line in text.splitlines()]

        assert messages(self.printed) == messages(block)

    def python(self, block: str) -> None:
        assert self.run([sys.executable, "-W", "error", "-c", block])
        files = set(re.findall(r'"([\w-]+\.\w+)"', block))
        assert "clip.mp4" in files
        for made in files:
            assert (self.checkout / made).stat().st_size > 0

    def js(self, block: str) -> None:
        (self.checkout / "example.mjs").write_text(block)
        assert self.run(["node", "example.mjs"])
        for made in ("still-0.jpg", "node.mp4"):
            assert (self.checkout / made).stat().st_size > 0

    def elisp(self, block: str) -> None:
        need("emacs")
        (self.checkout / "example.el").write_text(f"{block}\n{UNTIL_SHOWN_IN_EMACS}")
        self.run(["emacs", "-Q", "--batch", "-l", str(self.checkout / "example.el")])

    def lua(self, block: str) -> None:
        need("nvim")
        (self.checkout / "example.lua").write_text(f"{block}\n{UNTIL_SHOWN_IN_NEOVIM}")
        # The second command is for an error in the first one.
        commands = ["-c", "luafile example.lua", "-c", "cquit!"]
        self.run(["nvim", "--headless", "--clean", "-n", *commands])

    def swift(self, block: str) -> None:
        if "import PackageDescription" in block:
            self.manifest = block
            return
        package = self.folder / "frame"
        (package / "Sources/frame").mkdir(parents=True)
        (package / "Package.swift").write_text(self.manifest)
        (package / "Sources/frame/main.swift").write_text(block)
        program = self.compile(package)
        assert "exact.jpg is the frame at" in self.run([str(program)])
        assert (self.checkout / "exact.jpg").stat().st_size > 0

    def compile(self, package: Path) -> Path:
        """Compiles the program against the modules that are built already: it takes seconds.

        Building the package itself would build the whole library again. That its manifest is right
        shows when it is loaded; loading checks products and dependencies.
        """
        links = package.parent / "links"
        links.mkdir()
        (links / "reelwire").symlink_to(ROOT)
        shutil.copytree(package, links / "frame")
        # Nothing is fetched: the dependencies are those of the checkout, which has them.
        repositories = ROOT / ".build/repositories"
        if repositories.is_dir():
            shutil.copytree(repositories, links / "frame/.build/repositories", symlinks=True)
        self.run(["swift", "package", "--skip-update", "show-dependencies"], cwd=links / "frame")

        program = package / "frame"
        ours = ("MediaEngine", "MediaTime", "LibAV", "CAss", "CLibAV", "CPixels", "SystemIO", "CSystem")
        objects = [str(path) for name in ours for path in self.objects(name)]
        assert objects, f"there are no modules in {BUILD}"
        others = package / "libothers.a"
        self.run(["ar", "rcs", str(others), *map(str, self.dependencies())])
        libraries = ("avformat", "avcodec", "swscale", "swresample", "avutil", "zimg", "ebur128")
        # Of a system library the module map is in the sources.
        system = [
            argument
            for name in ("CZimg", "CEBUR128")
            for argument in ("-Xcc", f"-fmodule-map-file={ROOT}/Sources/{name}/module.modulemap")
        ]
        self.run(
            ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-I", str(BUILD / "Modules")]
            + [
                argument
                for name in ("CAss", "CLibAV", "CPixels", "CSystem")
                for argument in ("-Xcc", f"-fmodule-map-file={BUILD}/{name}.build/module.modulemap")
            ]
            + system
            + [str(package / "Sources/frame/main.swift"), *objects, str(others)]
            + [f"-l{name}" for name in libraries]
            + ["-o", str(program)]
        )
        return program

    @staticmethod
    def objects(module: str) -> "list[Path]":
        """The object files of a module; a build folder also has objects of deleted sources."""
        sources = {path.name for path in (ROOT / "Sources" / module).rglob("*.*")}
        found = (BUILD / f"{module}.build").rglob("*.o")
        return [path for path in found if path.name.removesuffix(".o") in sources]

    def dependencies(self) -> "list[Path]":
        """The objects of the modules that come from other packages."""
        names = ("DequeModule", "InternalCollectionsUtilities", "ContainersPreview")
        return [path for name in names for path in (BUILD / f"{name}.build").rglob("*.o")]


RUNNERS = {
    "console": Reader.console,
    "sh": Reader.sh,
    "json": Reader.json,
    "python": Reader.python,
    "js": Reader.js,
    "elisp": Reader.elisp,
    "lua": Reader.lua,
    "swift": Reader.swift,
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    assert (BUILD / "reelwire").exists(), f"there is no reelwire in {BUILD}; run make test-readme"
    return Reader(tmp_path_factory.mktemp("readme"))


def test_there_is_an_example_of_each_kind():
    assert set(RUNNERS) <= {language for language, _ in BLOCKS}


@pytest.mark.parametrize(
    ("language", "block"),
    BLOCKS,
    ids=[f"{number}-{language}" for number, (language, _) in enumerate(BLOCKS, 1)],
)
def test_a_block_runs(reader, language, block):
    assert language in RUNNERS, f"nobody knows how to run a block of '{language}'"
    RUNNERS[language](reader, block)


@pytest.mark.parametrize("link", re.findall(r"\]\((?!https:)([^)#]+)\)", README))
def test_a_link_leads_somewhere(link):
    assert (ROOT / "".join(link.split())).exists()
