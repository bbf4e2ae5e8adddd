"""The site: its manual pages, the reference of the Swift libraries, and the check of its links."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DISTRIBUTION = ROOT / "Distribution"
TOOL = ROOT / ".build/debug/generate-manual"
BINARY = Path(os.environ.get("REELWIRE_BINARY", ROOT / ".build/debug/reelwire"))
MODULES = BINARY.parent / "Modules"
sys.path.insert(0, str(DISTRIBUTION))

import engine_reference  # noqa: E402
import site_links  # noqa: E402

needs_mandoc = pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc isn't installed")
needs_docc = pytest.mark.skipif(
    not shutil.which("docc") or not (MODULES / "MediaLibrary.swiftmodule").exists(),
    reason="there is no docc, or no modules of a build beside the program")  # fmt: skip
needs_mkdocs = pytest.mark.skipif(
    not importlib.util.find_spec("material"), reason="mkdocs-material isn't installed: make docs")  # fmt: skip


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, cwd=ROOT)


def problems(root: Path) -> list[str]:
    site = site_links.Site(root)
    return [*site.page_problems(), *site.archive_problems()]


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("man")
    run(sys.executable, DISTRIBUTION / "manual.py", TOOL, BINARY, folder).check_returncode()
    return folder


@pytest.fixture(scope="module")
def pages(manual: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    run(sys.executable, DISTRIBUTION / "site.py", manual, folder).check_returncode()
    return folder


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("site")
    ended = run(sys.executable, DISTRIBUTION / "engine_reference.py", BINARY.parent, root / "engine")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return root


@needs_mandoc
def test_each_manual_page_is_a_page(pages: Path, manual: Path) -> None:
    names = {page.stem for page in manual.glob("*.1")}
    assert {page.stem for page in (pages / "docs/man").glob("*.md")} == names | {"index"}
    index = (pages / "docs/man/index.md").read_text()
    assert index.count("](reelwire") == len(names)
    assert "| [reelwire library scan](reelwire-library-scan.md) | " in index


@needs_mandoc
def test_a_manual_page_has_all_of_its_options(pages: Path, manual: Path) -> None:
    for page in manual.glob("*.1"):
        text = (pages / f"docs/man/{page.stem}.md").read_text()
        for option in re.findall(r"^\.It Fl (-?[\w-]+)", page.read_text(), re.M):
            assert f'<code class="Fl">-{option}</code>' in text, (page.stem, option)
    text = (pages / "docs/man/reelwire-library.md").read_text()
    assert 'href="reelwire-library-scan.html"' in text


@needs_mandoc
@needs_mkdocs
def test_mkdocs_makes_the_site_of_these_pages(pages: Path, tmp_path: Path) -> None:
    config = tmp_path / "mkdocs.yml"
    config.write_text(
        f"INHERIT: {ROOT}/mkdocs.yml\ndocs_dir: {pages}\nsite_dir: {tmp_path}/site\n"
        f"hooks: [{DISTRIBUTION}/navigation.py]\n")  # fmt: skip
    ended = run(sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", config)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    page = (tmp_path / "site/docs/man/reelwire-image.html").read_text()
    assert 'href="reelwire-export.html"' in page and 'id="option-t"' in page
    # All that is missing are the references, which other programs make.
    assert {problem.split()[-1] for problem in problems(tmp_path / "site")} == {
        "/engine/documentation/", "/python/reelwire.html"}  # fmt: skip


@needs_docc
def test_the_reference_has_each_noun(engine: Path) -> None:
    # Making it fails for a link to nothing: warnings are errors.
    data = engine / "engine/data/documentation"
    for module in engine_reference.MODULES:
        catalog = ROOT / f"Sources/{module}/{module}.docc"
        articles = {path.stem for path in catalog.glob("*.md")} - {module}
        landing = json.loads((data / f"{module.lower()}.json").read_text())
        listed = {each.rsplit("/", 1)[1] for group in landing["topicSections"] for each in group["identifiers"]}
        assert articles <= listed, f"articles that {module}'s page doesn't list"
        for article in articles:
            page = json.loads((data / module.lower() / f"{article.lower()}.json").read_text())
            kinds = {each.get("role") for each in page["references"].values()}
            assert "symbol" in kinds, f"{article} links to no declaration"
        # Every public type is in a group of the author's, not in one by kind.
        automatic = [group["title"] for group in landing["topicSections"] if group.get("generated")]
        assert not automatic, (module, automatic)
    assert problems(engine) == ["engine/data/documentation/mediaengine.json: there is no /index.html"]


@needs_docc
@pytest.mark.parametrize("module", engine_reference.MODULES)
def test_the_examples_of_articles_compile(module: str, tmp_path: Path) -> None:
    sources = []
    for article in sorted((ROOT / f"Sources/{module}/{module}.docc").glob("*.md")):
        blocks = re.findall(r"^```swift\n(.*?)^```$", article.read_text(), re.M | re.S)
        for number, block in enumerate(blocks):
            source = tmp_path / f"{article.stem}{number}.swift"
            source.write_text(
                "import MediaEngine\nimport MediaLibrary\nimport MediaTime\n"
                f"func {article.stem.lower()}{number}() async throws {{\n{block}}}\n")  # fmt: skip
            sources.append(source)
    assert sources
    ended = run(
        "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-I", MODULES,
        *engine_reference.module_maps(BINARY.parent), *sources)  # fmt: skip
    assert ended.returncode == 0, ended.stderr


def test_links_to_nothing_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="here"></h1><a href="b.html#there"></a><a href="#here"></a><a href="https://example.org/x"></a>'
        '<img src="folder/"><a href="/a.html#top"></a>')  # fmt: skip
    (tmp_path / "b.html").write_text('<a name="there"></a>')
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/index.html").write_text("")
    assert problems(tmp_path) == []
    (tmp_path / "b.html").write_text('<a href="a.html#nowhere"></a><script src="c.js"></script>')
    assert problems(tmp_path) == [
        "a.html: there is no anchor b.html#there", "b.html: there is no anchor a.html#nowhere",
        "b.html: there is no c.js"]  # fmt: skip


def test_links_of_docc_to_nothing_are_found(tmp_path: Path) -> None:
    def page(name: str, *links: str) -> None:
        folder = tmp_path / "engine/documentation" / name
        folder.mkdir(parents=True)
        (folder / "index.html").write_text("")
        references = {link: {"url": link} for link in links}
        data = tmp_path / f"engine/data/documentation/{name}.json"
        data.parent.mkdir(parents=True, exist_ok=True)
        data.write_text(json.dumps({"references": references}))

    page("one", "/documentation/two", "https://example.org")
    page("two", "/documentation/three")
    (tmp_path / "index.html").write_text('<a href="engine/documentation/one/index.html"></a>')
    assert problems(tmp_path) == [
        "index.html: a page of DocC is a folder: engine/documentation/one/index.html",
        "engine/data/documentation/two.json: there is no /documentation/three"]  # fmt: skip
