# A runner of scripts: the tools themselves decide which files are up to date.

.NOTPARALLEL:
.PHONY: help setup setup-python setup-node setup-editors python-extras python-oracles demo build build-debug man \
  vscode wheel test test-fast test-debug test-swift build-and-test-swift test-python test-node test-cli test-editors \
  test-readme test-corpus test-capture test-mcp test-faults test-torture test-structure test-ffmpeg-next torture fuzz \
  docs bundle release test-release-elsewhere fuzz-replay lint generate check bench bench-quick bench-publish bench-growth bench-peers clean sanitize-address

PYTHON := .venv/bin/python
RELEASE := $(CURDIR)/.build/release/reelwire
DEBUG := $(CURDIR)/.build/debug/reelwire
# The target that builds the program that is tested.
build := build

help:
	@echo 'make demo         build, and show the main job on a clip made here, or on FILE=path'
	@echo 'make build        build a release: .build/release/reelwire'
	@echo 'make man          manual pages of the program and its commands, in .build/man'
	@echo 'make docs         the documents, the manual and the references as a site, in .build/site'
	@echo 'make vscode       pack the extension for VS Code: clients/vscode/reelwire.vsix'
	@echo 'make wheel        a Python package with that program inside, in clients/python/dist'
	@echo 'make bundle       a folder that runs on other Linux systems: .build/distribution/reelwire'
	@echo 'make release      all packages of it, with sums: .build/distribution/packages'
	@echo 'make test-release-elsewhere   these packages in another Debian and an Ubuntu, without FFmpeg and network'
	@echo 'make test         all tests; its parts are test-swift, test-python, test-node, test-cli, test-editors,'
	@echo '                  test-readme, test-corpus, test-capture, test-mcp, test-faults,'
	@echo '                  test-torture, test-structure'
	@echo 'make test-fast    what needs no media and no built program, in about two minutes'
	@echo 'make test-debug   the same tests of clients and commands, on the debug build'
	@echo 'make test-ffmpeg-next   tests with the FFmpeg of the newest Debian (7.1), in a folder that debootstrap fills'
	@echo 'make lint         formatting of Swift, types of Python and for Node, syntax of JavaScript and scripts'
	@echo 'make generate     derive the documents and clients from Sources/EngineProtocol'
	@echo 'make check        fail when something derived is stale, a method has no handler, or a rule of'
	@echo '                  .ci/structure.py is broken'
	@echo 'make torture      the attack plan: hostile files, faults, kills; a table, some 50 minutes'
	@echo 'make fuzz         each fuzzer for a minute; make fuzz-replay: what they have found before'
	@echo 'make bench        measure, and print the table of all goals; make bench-publish writes it into the documents'
	@echo 'make sanitize-address   the Swift tests under a sanitizer'
	@echo 'make setup        install what is missing; all of the above begin with it'
	@echo 'make clean        remove .build, .venv, demo and caches'

setup:
	@.ci/setup

setup-python:
	@.ci/setup python

setup-node:
	@.ci/setup node

setup-editors:
	@.ci/setup editors

# With Swift's libraries inside, the program starts faster and runs where no toolchain is.
RELEASE_BUILD := swift build -c release --static-swift-stdlib --product reelwire
build: setup
	$(RELEASE_BUILD)

build-debug: setup
	swift build --product reelwire

vscode: build
	python3 clients/vscode/pack.py --binary "$(RELEASE)"

# The program needs the FFmpeg libraries of the system: the wheel is for machines like this one.
wheel: build python-extras
	REELWIRE_BUNDLE="$(RELEASE)" $(WHEEL) --wheel-dir clients/python/dist clients/python
	@ls clients/python/dist/*.whl
WHEEL := $(PYTHON) -m pip --disable-pip-version-check wheel --quiet --no-deps --no-build-isolation

# One folder that brings its libraries (docs/distribution.md). Its program is built apart, against that FFmpeg.
DISTRIBUTION := $(CURDIR)/.build/distribution
FFMPEG := $(DISTRIBUTION)/ffmpeg
BUNDLE := $(DISTRIBUTION)/reelwire
bundle: setup
	Distribution/ffmpeg "$(FFMPEG)"
	PKG_CONFIG_PATH="$(FFMPEG)/pkgconfig" swift build -c release --static-swift-stdlib --product reelwire \
	  --scratch-path "$(DISTRIBUTION)/swift" -Xcc "-I$(FFMPEG)/include" -Xlinker --no-export-dynamic \
	  -Xswiftc -Xfrontend -Xswiftc -function-sections
	swift build --product generate-manual
	rm -rf "$(DISTRIBUTION)/man"
	LD_LIBRARY_PATH="$(FFMPEG)/lib" \
	  python3 Distribution/manual.py $(MANUAL_TOOL) "$(DISTRIBUTION)/swift/release/reelwire" "$(DISTRIBUTION)/man"
	python3 Distribution/bundle.py "$(DISTRIBUTION)/swift/release/reelwire" "$(BUNDLE)" --ffmpeg "$(FFMPEG)" \
	  --manual "$(DISTRIBUTION)/man"

# The manual pages of the program and its commands: man -l .build/man/reelwire-export.1
MANUAL_TOOL := .build/debug/generate-manual
man: build
	swift build --product generate-manual
	rm -rf .build/man
	python3 Distribution/manual.py $(MANUAL_TOOL) "$(RELEASE)" .build/man

# The site of the documents, the manual and the references of the Python client and of the Swift libraries, in .build/site. A
# server has it at its root.
SITE := .build/site
docs: man
	@.ci/setup docs
	$(PYTHON) -m pip --disable-pip-version-check install --quiet 'mkdocs-material>=9.5,<10' 'pdoc>=14,<17' typing_extensions
	$(PYTHON) Distribution/site.py .build/man .build/site-pages
	NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build --quiet --strict
	PYTHONPATH=clients/python/src $(PYTHON) -m pdoc --no-show-source --no-search --template-directory Distribution/pdoc \
	  --output-directory $(SITE)/python reelwire 2>/dev/null
	$(PYTHON) Distribution/engine_reference.py .build/release $(SITE)/engine
	$(PYTHON) Distribution/site_links.py $(SITE)

# All packages, in one folder; the .deb and the wheel without an engine need nothing of the bundle.
RELEASES := $(DISTRIBUTION)/packages
release: man bundle python-extras
	rm -rf "$(RELEASES)"
	python3 Distribution/packages.py tar "$(BUNDLE)" "$(RELEASES)"
	python3 Distribution/packages.py npm "$(BUNDLE)" "$(RELEASES)"
	python3 Distribution/packages.py deb "$(RELEASE)" "$(RELEASES)" .build/man
	export SOURCE_DATE_EPOCH="$$(git log -1 --format=%ct)"; \
	  REELWIRE_BUNDLE="$(BUNDLE)" $(WHEEL) --wheel-dir "$(RELEASES)" clients/python && \
	  $(WHEEL) --wheel-dir "$(RELEASES)" clients/python
	python3 clients/vscode/pack.py --bundle "$(BUNDLE)" --output "$(RELEASES)/reelwire.vsix"
	cp "$(BUNDLE)/sbom.cdx.json" "$(RELEASES)/"
	python3 Distribution/packages.py sums "$(RELEASES)"
	@ls -l "$(RELEASES)"

# The packed release, on systems without anything else: another Debian and an Ubuntu, without FFmpeg, Swift and
# network.
test-release-elsewhere: release
	Distribution/elsewhere "$(RELEASES)"

demo: build
	@.ci/demo "$(RELEASE)" "$$FILE"

# Each configuration is built once: the Swift tests are of the debug build, all others of the release.
test: setup-editors build-and-test-swift test-python test-node test-cli test-editors test-readme \
  test-corpus test-capture test-mcp test-faults test-torture test-structure

# The program that the tests run: the release, or PROGRAM=path.
PROGRAM ?= $(RELEASE)
# A test that hangs ends with all stacks, and no clip and no oracle's answer is made twice (docs/testing.md).
STORE := PATH="$(CURDIR)/.build/media-store:$$PATH"
WATCHED := $(STORE) .ci/watched
PYTEST := REELWIRE_BINARY="$(PROGRAM)" $(WATCHED) $(PYTHON) -m pytest -q

# By the compiler of Swift's toolchain or another one; without any, tests are only slower.
.build/media-store/ffmpeg: Tests/Support/media_store.c $(wildcard Tests/Support/loaded_*)
	@mkdir -p $(@D)
	@compile="$$(command -v clang || command -v cc) -O2 -Wall -Wextra"; cd Tests/Support && \
	  $$compile -o "$(CURDIR)/$@" media_store.c loaded_client.c loaded_places.c && \
	  $$compile -shared -fPIC -o "$(CURDIR)/$(@D)/loaded-program.so" loaded_program.c loaded_places.c -ldl && \
	  ln -sf ffmpeg "$(CURDIR)/$(@D)/ffprobe" || rm -f "$(CURDIR)/$@"

# The loop of editing: the tests that need no media and no built program, in about two minutes.
test-fast: setup-python setup-node .build/media-store/ffmpeg
	swift build --build-tests
	.ci/watched swift test --skip-build --skip 'MediaEngineTests|EngineServerTests|MediaLibraryTests|EngineClientTests'
	REELWIRE_BINARY=none $(WATCHED) $(PYTHON) -m pytest -q -n 2 --dist loadfile clients/python
	REELWIRE_BINARY=none $(WATCHED) node --test $(foreach set,objects transport types,clients/node/test/$(set).test.js)

# The suites of the clients and the commands once more, on the debug build with its checks.
test-debug: setup-editors build-debug
	$(MAKE) PROGRAM="$(DEBUG)" build=build-debug test-python test-node test-cli test-editors \
	  test-corpus test-capture test-mcp test-faults test-torture

# Hundreds of connections are open together, each with ten descriptors.
SWIFT_TESTS = ulimit -Sn 16384 || ulimit -Sn "$$(ulimit -Hn)"; $(WATCHED) $(NICE) swift test --skip-build --ignore-lock
test-swift: setup .build/media-store/ffmpeg
	swift build --build-tests
	$(SWIFT_TESTS)

# The same beside the build of the release. One thread compiles that for most of its time: it comes before the
# tests, which use both cores then. Dispatch raises the priorities of its threads wherever it may, as root may:
# the tests give that right up.
build-and-test-swift: NICE := $(shell drop='setpriv --bounding-set -sys_nice'; $$drop true 2>/dev/null && echo $$drop) nice
build-and-test-swift: setup .build/media-store/ffmpeg
	swift build --build-tests
	@$(RELEASE_BUILD) & building=$$!; ($(SWIFT_TESTS)); tested=$$?; wait $$building && exit $$tested

test-python: $(build) python-extras python-oracles .build/media-store/ffmpeg
	REELWIRE_REQUIRE_BINARY=1 $(PYTEST) -n 2 --dist loadfile clients/python
	$(PYTHON) -m pytest -q Tests/Generator

# The optional packages that the Python client works with, and those that build its wheel; tests of packages
# that can't be installed are skipped.
python-extras: setup-python
	@$(PYTHON) -c 'import PIL, imageio, tqdm, setuptools.command.bdist_wheel' 2>/dev/null || \
	  $(PYTHON) -m pip --disable-pip-version-check install --quiet pillow imageio tqdm 'setuptools>=70.1' || \
	  true
	@$(PYTHON) -c 'import deflate' 2>/dev/null || $(PYTHON) -m pip --disable-pip-version-check install --quiet deflate || true
	@$(PYTHON) -c 'import mcp.client.client' 2>/dev/null || \
	  $(PYTHON) -m pip --disable-pip-version-check install --quiet 'mcp>=2.3,<3' || true

# The packages that tests compare with: columns of characters, random JSON, playlists, colours. Tests of those that
# can't be installed are skipped.
ORACLES := 'wcwidth>=0.8,<1' 'hypothesis>=6,<7' 'm3u8>=6,<7' 'colour-science>=0.4.6,<0.5'
python-oracles: setup-python
	@$(PYTHON) -c 'import hypothesis, m3u8, wcwidth; wcwidth.wcstwidth' 2>/dev/null && $(PYTHON) -m pip show -qq colour-science || \
	  for oracle in $(ORACLES); do \
	    $(PYTHON) -m pip --disable-pip-version-check install --quiet "$$oracle" || true; \
	  done

test-node: $(build) setup-node .build/media-store/ffmpeg
	REELWIRE_BINARY="$(PROGRAM)" $(WATCHED) node --test clients/node/test/*.test.js

# The commands, where needed in a pseudo-terminal.
test-cli: $(build) python-oracles .build/media-store/ffmpeg
	$(PYTEST) -n 2 --dist loadfile Tests/CommandLine

# Clients by others, and those for editors; those that can't be installed are skipped, with a message.
test-editors: $(build) setup-editors .build/media-store/ffmpeg
	$(PYTEST) -rs Tests/Editors
	REELWIRE_BINARY="$(PROGRAM)" $(WATCHED) node --test clients/vscode/test/*.test.js

# Real files: those of REELWIRE_CORPUS or ../shared/media; without them it is skipped. REELWIRE_RANGES=50
# cuts each file of test_trims.py in 50 places, instead of a few; REELWIRE_TIMELINES=200 makes 200 random
# timelines. Two at a time: much of the time the oracles run on one core.
test-corpus: $(build) setup-python .build/media-store/ffmpeg
	$(PYTEST) -n 2 --dist worksteal Tests/Corpus

# Capture sessions. REELWIRE_KILLS=100 kills 100 recording processes of each kind, instead of four.
test-capture: $(build) setup-python .build/media-store/ffmpeg
	$(PYTEST) -n 2 --dist worksteal Tests/Capture

# The Model Context Protocol, with the client of PyPI's `mcp` where that can be had.
test-mcp: $(build) python-extras .build/media-store/ffmpeg
	$(PYTEST) -n 2 --dist loadfile Tests/MCP

# Full disks, failing calls, killed processes: tests that need mounts or a C compiler are skipped without.
test-faults: $(build) setup-python .build/media-store/ffmpeg
	$(PYTEST) -n 2 --dist loadfile Tests/Faults

# The quick part of the attack plan.
test-torture: $(build) python-oracles .build/media-store/ffmpeg
	$(PYTEST) Tests/Torture

# All of it; ARGUMENTS='--rows C14 --kills 1000' for a part, --help for the options.
torture: build setup-python
	REELWIRE_BINARY="$(RELEASE)" $(PYTHON) Tests/Torture/torture.py $(ARGUMENTS)

fuzz: setup
	python3 Tests/Fuzzing/fuzz.py --seconds 60

fuzz-replay: setup
	python3 Tests/Fuzzing/fuzz.py --replay

test-readme: $(build) setup-editors .build/media-store/ffmpeg
	$(PYTEST) Tests/Readme
	$(PYTEST) -n 2 Tests/Tasks

# The rules of .ci/structure.py, each broken in a copy of the sources.
test-structure: $(build) setup-python .build/media-store/ffmpeg
	$(PYTHON) -m pytest -q -n 2 Tests/Structure
	swift build --product generate-manual
	REELWIRE_BINARY="$(PROGRAM)" $(PYTHON) -m pytest -q -rs Tests/Distribution

# The tests to pass before a release, with the FFmpeg of the newest Debian: the Swift tests, the clients and
# the real files. TARGETS='test-swift' for a part.
TARGETS ?= test-swift test-python test-node test-cli test-corpus
test-ffmpeg-next:
	.ci/ffmpeg-next $(TARGETS)

lint: setup-python setup-node
	swift format lint --strict -r Sources Tests Package.swift
	$(PYTHON) -m mypy --config-file clients/python/pyproject.toml clients/python/src
	$(PYTHON) -m mypy --strict .ci/structure.py .ci/watched
	$(PYTHON) -m mypy --strict Distribution/*.py
	$(PYTHON) -m compileall -q clients/python Benchmarks Distribution Sources/Generator Tests
	for script in clients/node/src/*.js clients/node/src/*.cjs clients/node/test/*.js clients/vscode/*.js \
	  clients/vscode/media/*.js clients/vscode/test/*.js; do node --check $$script || exit; done
	@if command -v tsc >/dev/null; then tsc -p clients/node/test/types; \
	else echo "lint: without tsc the types of the Node client aren't checked" >&2; fi
	for script in .ci/run .ci/ffmpeg-next .ci/steady Distribution/ffmpeg Distribution/elsewhere; do bash -n $$script || exit; done
	for script in .ci/setup .ci/demo Distribution/install.sh; do sh -n $$script || exit; done
	@$(PYTHON) -c 'import reuse' 2>/dev/null || $(PYTHON) -m pip --disable-pip-version-check install --quiet \
	  'reuse>=5,<7' || true
# Of the files of the repository alone, which Git knows.
	@if git rev-parse --git-dir >/dev/null 2>&1 && $(PYTHON) -c 'import reuse' 2>/dev/null; then \
	  $(PYTHON) -m reuse lint --quiet && echo "lint: the licences are well"; \
	else echo "lint: without Git and reuse the licences aren't checked" >&2; fi

generate: setup
	python3 Sources/Generator/generate.py
	python3 Benchmarks/table.py --generate

check: setup
	python3 .ci/structure.py
	python3 Sources/Generator/generate.py --check
	python3 Benchmarks/table.py --check

# The packages that images.py, samples.py, export.py and assets.py compare with; those that can't be installed
# are left out. Those that need real files are skipped where there are none. `make bench-quick` is images.py
# alone.
PEERS := av opencv-python-headless decord imageio-ffmpeg moviepy pillow numpy

bench: build setup-python bench-peers
	$(PYTHON) Benchmarks/latency.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/images.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/long.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/samples.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/programs.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/export.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/compositions.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/writing.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/assets.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/scene_changes.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/library.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/fleet.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/playback.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/capture.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/soak.py --binary "$(RELEASE)"
	$(PYTHON) Benchmarks/table.py

# Cost against size: an hour, and 6 GB.
bench-growth: build setup-python
	$(PYTHON) Benchmarks/growth.py --binary "$(RELEASE)"

# The last measurement of each goal becomes that of the documents.
bench-publish: setup-python
	$(PYTHON) Benchmarks/table.py --publish

bench-quick: build setup-python bench-peers
	$(PYTHON) Benchmarks/images.py --binary "$(RELEASE)" --quick

bench-peers: setup-python
	@for peer in $(PEERS); do \
	  $(PYTHON) -m pip --disable-pip-version-check install --quiet $$peer || true; \
	done

# Without XCTest, of which nothing is used: its runner leaks.
sanitize-address: setup
	swift test --disable-xctest --sanitize=address --scratch-path .build/address

clean:
	rm -rf .build .venv demo .pytest_cache .mypy_cache clients/python/.pytest_cache \
	  clients/python/.mypy_cache clients/python/dist
	find clients Benchmarks Sources Tests -name __pycache__ -type d -prune -exec rm -rf {} +
