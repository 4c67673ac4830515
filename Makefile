# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A thin layer over CMake. `make help` lists the targets.

LLVM ?= 22
LLVM_DIR ?= /usr/lib/llvm-$(LLVM)/lib/cmake/llvm
PREFIX ?= /usr/local
DESTDIR ?=
BUILD := build/llvm-$(LLVM)
JOBS ?= $(shell tools/jobs.sh)
DATA ?= $(wildcard ../shared/data/adbench)
CMAKE_FLAGS ?=
SEEDS ?= 0:100
SEED ?= 1
LEVEL ?= 5
COUNT ?= 100000

.PHONY: all setup setup-all check check-all packages check-packages rules-report fuzz fuzz-rules containers weave reduce mutation sanitize lint demo bench bench-compile reproducible install uninstall clean help

all:
	@command -v cmake ninja >/dev/null || { echo "cmake or ninja is missing: make setup"; exit 2; }
	@cmake -S . -B $(BUILD) -G Ninja -DLLVM_DIR=$(LLVM_DIR) $(CMAKE_FLAGS) \
	  --log-level=NOTICE >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)

setup:
	@tools/setup.sh

setup-all:
	@tools/setup.sh --all

check: setup
	@$(MAKE) --no-print-directory all LLVM=22
	@$(MAKE) --no-print-directory all LLVM=19
	@python3 tools/check.py -j $(JOBS) 22 19

check-all: setup-all
	@$(MAKE) --no-print-directory all LLVM=22
	@$(MAKE) --no-print-directory all LLVM=19
	@python3 tools/check.py -j $(JOBS) --levels all --reproducible 22 19

packages:
	@tools/package.sh build/packages

check-packages: setup-all
	@$(MAKE) --no-print-directory all LLVM=22
	@$(MAKE) --no-print-directory all LLVM=19
	@python3 tests/packages/runner.py --clean-root

rules-report: all
	@python3 tools/ruletest/report.py --build $(BUILD) --write docs/accuracy.md

fuzz:
	@$(MAKE) --no-print-directory all LLVM=22
	@$(MAKE) --no-print-directory all LLVM=19
	@python3 tests/fuzz/fuzz.py -j $(JOBS) --seeds $(SEEDS) --level $(LEVEL) \
	  $(if $(TWICE),--twice) $(if $(WRITE),--write docs/$(WRITE))

# The same; what failed stays in build/containers.
containers: all
	@python3 tests/containers/containers.py -j $(JOBS) --seeds $(SEEDS) --llvm $(LLVM)

# The verdicts go to the terminal; what failed stays in build/weave.
weave:
	@$(MAKE) --no-print-directory all LLVM=22
	@$(MAKE) --no-print-directory all LLVM=19
	@python3 tests/weave/weave.py -j $(JOBS) --seeds $(SEEDS)

fuzz-rules: all
	@cmake --build $(BUILD) --target rules_fuzz > /dev/null
	@$(BUILD)/rules_fuzz $(COUNT) $(SEED) rules/*.rules rules/options/*.rules

reduce:
	@python3 tests/fuzz/reduce.py --seed $(SEED) --level $(LEVEL)

mutation:
	@python3 tests/mutation/mutation.py -j $(JOBS) $(if $(WRITE),--write docs/$(WRITE))

sanitize: all
	@python3 tests/run/runner.py --llvm $(LLVM) --levels sanitized --build $(BUILD) -j $(JOBS)
	@python3 tests/threads.py --llvm $(LLVM) -j $(JOBS)

lint: setup
	@python3 tools/lint.py -j $(JOBS)

demo: setup
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory -C examples demo BUILD=$(CURDIR)/$(BUILD)/examples/demo \
	  NABLA_CC="$(CURDIR)/$(BUILD)/nabla-cc --llvm=$(LLVM)" CLANGXX=clang++-$(LLVM) \
	  DATA=$(abspath $(DATA))

bench: setup
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory -s -C bench bench ablation directions BUILD=$(CURDIR)/$(BUILD)/bench \
	  NABLA_CC="$(CURDIR)/$(BUILD)/nabla-cc --llvm=$(LLVM)" CLANG=clang-$(LLVM)

bench-compile: setup
	@$(MAKE) --no-print-directory all
	@python3 bench/compile/measure.py --clang=clang-$(LLVM) --plugin=$(BUILD)/nabla.so $(SHAPES)

install:
	@tools/install.sh "$(PREFIX)" "$(DESTDIR)"

uninstall:
	@tools/uninstall.sh "$(PREFIX)" "$(DESTDIR)"

reproducible: all
	@tools/reproducible.sh $(LLVM) $(JOBS)

clean:
	rm -rf build

help:
	@echo "make [LLVM=19]      build build/llvm-N/nabla.so (N is 22 by default)"
	@echo "make setup          install the Debian packages that are missing"
	@echo "make setup-all      and those that a few tests are skipped without (a browser, PyTorch, ...)"
	@echo "make check          build for both versions and run the tests"
	@echo "make check-all      the same at every level for both versions"
	@echo "make packages       Debian packages and a tar of what is built, to build/packages"
	@echo "make check-packages install and use them in a fresh system (mmdebstrap)"
	@echo "make rules-report   how precise every row's derivative is, to docs/accuracy.md (mpmath)"
	@echo "make fuzz [SEEDS=0:100 LEVEL=5]  random programs, compared with dual numbers"
	@echo "make fuzz ... TWICE=1  their second derivatives, compared with differences"
	@echo "make weave [SEEDS=0:100]  random programs of nested statements, compared with differences"
	@echo "make containers [SEEDS=0:100]  random programs of C++'s containers, compared with dual numbers"
	@echo "make fuzz-rules [COUNT=100000 SEED=1]  mutated rule files, under sanitizers"
	@echo "make fuzz ... WRITE=reliability.md  and the table of features to docs/reliability.md"
	@echo "make reduce SEED=N [LEVEL=5]  the program of a failing seed, made small"
	@echo "make mutation       do the random programs find bugs that are planted in the engine?"
	@echo "make sanitize       the run tests under address, memory, thread, undefined sanitizers; the plugin in threads"
	@echo "make lint           check the habits of the code"
	@echo "make demo [DATA=]   derivatives of four real programs, checked and timed"
	@echo "make bench          reverse mode against adjoints by hand, timed and checked"
	@echo "make bench-compile [SHAPES='--shapes=loop --sizes=1000']  how long nabla itself takes"
	@echo "make reproducible   build in another folder and compare the plugins"
	@echo "make install        install what is built into DESTDIR/PREFIX"
	@echo "make uninstall      remove what make install wrote"
	@echo "make clean          remove build/"
