# One Makefile, no recursion, no configure. Every variant has its own build folder.
#   make                       build/vmq, and build/vmq-STAGE, which are links to it
#   make demo                  install what is missing, build, convert examples/fedora.yaml into demo/
#   make check                 install what the tests need; unit tests, golden cases, bats
#   make check SAN=1           the same with ASan, UBSan and leak detection, in build/san
#   make check-valgrind        unit tests, all cases and some bats under valgrind
#   make check T=test/x.bats   only these tests
#   make check-host            VMs on a real systemd and Podman, in namespaces; needs root
#   make lint format-check     clang-tidy, cppcheck, shellcheck, house rules; clang-format
#   make format golden docs    write anew: the code's layout, the golden cases, the generated pages
#   make coverage              build/cov/coverage.txt
#   make bench                 CPU, instructions and memory of the stages, into docs/performance.md
#   make fuzz FUZZ_TIME=60     every target of test/fuzz, so many seconds each
#   make man install uninstall DESTDIR=... PREFIX=...
#   make clean distclean       distclean also forgets the fetched Podman releases and the hosts
# WERROR=1: warnings are errors. STATIC=: link no library statically. B=DIR: build there, e.g. make CC=clang B=build/clang.
comma := ,

PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
DOCDIR  ?= $(PREFIX)/share/doc/vmq
DATADIR ?= $(PREFIX)/share/vmq
INSTALL ?= install
PKG_CONFIG ?= pkg-config
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_TIME ?= 20

TOOLS   := $(notdir $(patsubst %/,%,$(dir $(wildcard tools/*/main.c))))
COMMON  := $(wildcard common/*.c common/*/*.c)
UNITS   := $(wildcard test/unit/*.c)
FUZZERS := $(wildcard test/fuzz/*.c)
PAGES   := $(wildcard tools/*/*.scd docs/man/*.scd)
SCRIPTS := $(wildcard .ci/run .ci/packages .ci/demo test/run test/get-quadlet test/bench/run test/host/host test/host/run test/host/stand-in/[!.]*[!.c] test/*.sh test/*.tap test/*.bash \
             test/*/*.tap docs/generate/*)
BATS    := $(wildcard test/*.bats)
SOURCES := $(wildcard tools/*/*.[ch] common/*.[ch] common/*/*.[ch] test/unit/*.[ch] test/fuzz/*.[ch])
T       ?= $(wildcard test/*/*.tap) $(BATS)

B := build$(if $(SAN),/san)$(if $(COV),/cov)$(if $(FUZZ),/fuzz)

CFLAGS  ?= $(if $(COV),-O0,-O2) -g
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wwrite-strings -Wstrict-prototypes \
           -Wmissing-prototypes -Wold-style-definition -Wformat=2 -Wundef \
           $(if $(WERROR),-Werror)
# Hardening, each only where the packager's flags say nothing about it.
unset    = $(if $(findstring $(1),$(CPPFLAGS) $(CFLAGS) $(LDFLAGS)),,$(2))
plain    = $(if $(SAN)$(COV)$(FUZZ),,$(1))
# libjq before 1.7 ships no .pc file (Debian 12).
PC       = $(shell $(PKG_CONFIG) --silence-errors $(1) $(2) 2>/dev/null || echo $(3))
VMQ_CPPFLAGS := -iquote common -iquote $(B)/gen -D_POSIX_C_SOURCE=200809L $(call PC,--cflags,libjq,) \
           $(call plain,$(call unset,_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=2))
VMQ_CFLAGS := -std=c11 -fno-common $(WARN) \
           $(call unset,-fstack-protector,-fstack-protector-strong) \
           $(if $(SAN)$(FUZZ),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer) \
           $(if $(FUZZ),-fsanitize=fuzzer-no-link) $(if $(COV),--coverage)
VMQ_CFLAGS += $(call unset,-fPI,$(call unset,-pie,-fPIE))
VMQ_LDFLAGS := $(call unset,pie,-pie)
# The small libraries are linked into the program where there is a static one (STATIC=: none): to load
# two more makes the start of a program 7 % dearer. libjq is mostly to be had as a shared one alone.
STATIC   ?= yaml inih
archive  = $(if $(filter $(1),$(STATIC)),$(wildcard $(shell $(CC) -print-file-name=lib$(1).a)))
library  = $(or $(call archive,$(1)),$(call PC,--libs,$(2),-l$(1)))
VMQ_LIBS  = $(call PC,--libs,libjq,-ljq) $(call library,yaml,yaml-0.1) $(call library,inih,inih) -lm

link = $(CC) $(VMQ_CFLAGS) $(CFLAGS) $(VMQ_LDFLAGS) $(LDFLAGS) $(1) -o $@ $(filter %.o %.a,$^) $(VMQ_LIBS) $(LDLIBS)

all: $(TOOLS:%=$(B)/%)

# One program, which is the stage by whose name it is called.
objs = $(patsubst %.c,$(B)/obj/%.o,$(1))
STAGES := $(filter-out vmq,$(TOOLS))
$(B)/vmq: $(call objs,$(wildcard tools/*/*.c)) $(B)/libvmq.a
	$(call link)
$(STAGES:%=$(B)/%): $(B)/vmq
	@ln -sf vmq $@

# Made anew: an object whose source is gone must not stay.
$(B)/libvmq.a: $(call objs,$(COMMON))
	@rm -f $@
	$(AR) rcs $@ $^

$(B)/obj/%.o: %.c | $(if $(filter demo check check-valgrind coverage,$(MAKECMDGOALS)),packages)
	@mkdir -p $(@D)
	$(CC) $(VMQ_CPPFLAGS) $(CPPFLAGS) -MMD -MP $(VMQ_CFLAGS) $(CFLAGS) -c -o $@ $<

# The version is in these objects alone, which are made again when the version is another.
VERSIONED := $(call objs,common/driver_options.c tools/vmq/main.c)
$(VERSIONED): VMQ_CPPFLAGS += -DVMQ_VERSION='"$(VERSION)"'
$(VERSIONED): $(B)/version
$(B)/version: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION)' | cmp -s - $@ || echo '$(VERSION)' >$@

# Scripts that programs carry: their bytes as numbers, since C limits the length of a string. The
# first two lines (shell and licence), and what is for shellcheck, stay behind.
INCS := $(patsubst tools/%.sh,$(B)/gen/%.inc,$(wildcard tools/*/scripts/*.sh))
$(B)/gen/%.inc: tools/%.sh
	@mkdir -p $(@D)
	@sed -e 1,2d -e "/^# shellcheck /d" $< | od -A n -v -t u1 | sed 's/[0-9][0-9]*/&,/g' > $@
$(B)/obj/tools/vmq-adapt/script.o: $(INCS)

UNIT_BINS := $(UNITS:test/unit/%.c=$(B)/unit/%)
$(UNIT_BINS): $(B)/unit/%: $(B)/obj/test/unit/%.o $(B)/libvmq.a
	@mkdir -p $(@D)
	$(call link)

# --- what is installed for whom ------------------------------------------------------------------

packages:
	@.ci/packages build $(if $(filter check check-valgrind coverage,$(MAKECMDGOALS)),test) \
	        $(if $(filter coverage,$(MAKECMDGOALS)),coverage)

# Podman's generators, for the tests; those that need them say so where they could not be fetched.
generators: | $(if $(filter check,$(MAKECMDGOALS)),packages)
	@test/get-quadlet || echo 'generators: not fetched; the tests that need them are skipped' >&2

# --- tests ---------------------------------------------------------------------------------------

# A fleet of 500 VMs is for the programs as they are installed; slow ones get 40. What measures memory or
# instructions, or kills at certain moments, is tagged plain: it has nothing to say of other programs.
run_tests = CI='$(CI)' VMQ_BIN='$(abspath $(B))' VMQ_WRAP='$(WRAP)' VMQ_MANY=$(if $(SAN)$(WRAP),40,500) test/run --jobs $(JOBS) $(RUNFLAGS)

check: all $(UNIT_BINS) generators
	@$(run_tests) $(if $(SAN),--tags '!plain') $(if $(filter file,$(origin T)),$(UNIT_BINS)) $(T)

# All cases, each stage once; and what goes wrong. A test that takes long under valgrind, has nothing to
# show there, or takes away what valgrind itself needs, is tagged heavy.
UNDER_VALGRIND := $(addprefix test/,streams.bats driver.bats vmq-fixup.bats decoding.bats)
check-valgrind: WRAP = valgrind -q --error-exitcode=99 --leak-check=full
check-valgrind: all $(UNIT_BINS)
	@$(run_tests) --tags '!heavy' $(if $(filter file,$(origin T)),$(UNIT_BINS) $(UNDER_VALGRIND),$(T))

# On hosts of our own, which are made the first time and kept in build/host. T=test/host/x.bats: only this.
check-host: all
	@VMQ_BIN='$(abspath $(B))' test/host/run $(if $(filter file,$(origin T)),,$(T))

coverage: $(if $(COV),check)
ifdef COV
	gcovr --root . --object-directory $(B) --exclude 'test/.*' --txt $(B)/coverage.txt $(B)
	@tail -n 3 $(B)/coverage.txt
else
	$(MAKE) COV=1 coverage
endif

FUZZ_BINS := $(FUZZERS:test/fuzz/%.c=$(B)/%)
ifdef FUZZ
$(FUZZ_BINS): $(B)/%: $(B)/obj/test/fuzz/%.o $(B)/libvmq.a
	$(call link,-fsanitize=fuzzer)
fuzz: $(FUZZ_BINS)
	@for f in $^; do echo "$$f"; \
	        seed=test/fuzz/seed/$${f##*/}; [ -d $$seed ] || seed=; \
	        mkdir -p $$f.corpus && $$f -max_total_time=$(FUZZ_TIME) -timeout=10 -rss_limit_mb=1024 \
	        -verbosity=0 -artifact_prefix=$$f. $$f.corpus $$seed || exit 1; done
else
fuzz:
	$(MAKE) FUZZ=1 CC=clang fuzz
endif

# How long the stages take; written into docs/performance.md.
bench: all
	@.ci/packages bench
	@VMQ_BIN='$(abspath $(B))' test/bench/run --docs docs/performance.md

golden: all
	VMQ_BIN='$(abspath $(B))' test/cases/run.tap --golden

docs: all
	@for g in docs/generate/*; do echo "docs/$${g##*/}.md"; \
	        VMQ_BIN='$(abspath $(B))' $$g >$(B)/page && cp $(B)/page docs/$${g##*/}.md || exit 1; done

# --- what reads the sources ----------------------------------------------------------------------

# Looking into JSON is common/'s: ref.h and jvx.h (CONTRIBUTING.md).
RAW := \bjv_(object|array)_[a-z]|\bjv_(string_value|number|number_value|get|set|has|keys|parse|dump)[a-z_]*\(

lint: lint-tidy lint-cppcheck lint-shell lint-house
lint-tidy: $(INCS)
	printf '%s\0' $(filter %.c,$(SOURCES)) | xargs -0 -n 2 -P $(JOBS) sh -c \
	        'clang-tidy --quiet "$$@" -- -std=c11 $(VMQ_CPPFLAGS) -DVMQ_VERSION=\"\" 2>/dev/null' lint
lint-cppcheck:
	cppcheck --quiet --std=c11 --enable=warning,portability,performance --inline-suppr -j $(JOBS) \
	        --suppressions-list=.ci/cppcheck --error-exitcode=1 -Icommon tools common test/unit
lint-shell:
	shellcheck -x -S warning $(SCRIPTS)
	shellcheck -x -S warning -e SC2154 $(BATS) $(wildcard test/host/*.bats) # bats sets status, output, stderr
lint-house:
	! grep -nE '$(RAW)' $(wildcard tools/*/*.[ch])
	! grep -nE '#include "[^"]*tools/[^"]*[.]h"' $(SOURCES)

format:
	clang-format -i $(SOURCES)
format-check:
	clang-format --dry-run --Werror $(SOURCES)

# --- what is installed ---------------------------------------------------------------------------

MAN := $(foreach p,$(PAGES),$(B)/man/$(basename $(notdir $(p))))
define page
$(B)/man/$(basename $(notdir $(1))): $(1)
	@mkdir -p $$(@D)
	@command -v scdoc >/dev/null || { echo 'manual pages need the package scdoc' >&2; exit 1; }
	scdoc <$$< >$$@
endef
$(foreach p,$(PAGES),$(eval $(call page,$(p))))
man: $(MAN)

EXAMPLES := $(wildcard examples/*)
man_dir = $(DESTDIR)$(MANDIR)/man$(patsubst .%,%,$(suffix $(1)))

install: all man
	$(INSTALL) -d '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(DOCDIR)/examples' $(foreach m,$(MAN),'$(call man_dir,$(m))')
	$(INSTALL) -m 755 $(B)/vmq '$(DESTDIR)$(BINDIR)'
	$(foreach s,$(STAGES),ln -sf vmq '$(DESTDIR)$(BINDIR)/$(s)' &&) true
	$(INSTALL) -m 644 $(EXAMPLES) '$(DESTDIR)$(DOCDIR)/examples'
	$(INSTALL) -d '$(DESTDIR)$(DATADIR)' && $(INSTALL) -m 644 share/vmq/batch.mk '$(DESTDIR)$(DATADIR)'
	$(foreach m,$(MAN),$(INSTALL) -m 644 $(m) '$(call man_dir,$(m))' &&) true

uninstall:
	rm -f $(TOOLS:%='$(DESTDIR)$(BINDIR)/%') $(foreach m,$(MAN),'$(call man_dir,$(m))/$(notdir $(m))')
	rm -f $(EXAMPLES:%='$(DESTDIR)$(DOCDIR)/%') '$(DESTDIR)$(DATADIR)/batch.mk'
	-rmdir '$(DESTDIR)$(DOCDIR)/examples' '$(DESTDIR)$(DOCDIR)' '$(DESTDIR)$(DATADIR)'

demo: all
	@VMQ_BIN='$(abspath $(B))' .ci/demo

clean:
	rm -rf demo
	test ! -d build || find build -mindepth 1 -maxdepth 1 ! -name 'podman-*' ! -name host -exec rm -rf {} +
distclean: clean
	test ! -d build/host || test/host/run --clean
	rm -rf build

.PHONY: all bench packages generators check check-host check-valgrind coverage fuzz golden docs man install uninstall demo \
        lint lint-tidy lint-cppcheck lint-shell lint-house format format-check clean distclean FORCE
.DELETE_ON_ERROR:
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
