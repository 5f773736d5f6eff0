# One Makefile, no recursion, no configure. Every variant has its own build folder.
#   make                    build/vmq-*
#   make demo               install what is missing, build, convert an example
#   make check              install what the tests need; unit tests, bats, golden cases
#   make check SAN=1        the same with ASan, UBSan and leak detection, in build/san
#   make check-valgrind     the same, plain build under valgrind
#   make lint format-check  clang-tidy, cppcheck, shellcheck; clang-format
#   make install DESTDIR=... PREFIX=...
comma := ,

PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
INSTALL ?= install
PKG_CONFIG ?= pkg-config
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

TOOLS   := $(notdir $(wildcard tools/vmq tools/vmq-*))
COMMON  := $(wildcard common/*.c common/*/*.c)
UNITS   := $(wildcard test/unit/*.c)

B := build$(if $(SAN),/san)$(if $(COV),/cov)

CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wwrite-strings -Wstrict-prototypes \
           -Wmissing-prototypes -Wold-style-definition -Wformat=2 -Wundef \
           $(if $(WERROR),-Werror)
# libjq before 1.7 ships no .pc file (Debian 12).
PC       = $(shell $(PKG_CONFIG) --silence-errors $(1) $(2) || echo $(3))
VMQ_CPPFLAGS := -Icommon -D_POSIX_C_SOURCE=200809L -DVMQ_VERSION='"$(VERSION)"' \
           $(call PC,--cflags,libjq,)
VMQ_CFLAGS := -std=c11 -fno-common $(WARN) \
           $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer) \
           $(if $(COV),--coverage -O0)
VMQ_LIBS := $(call PC,--libs,libjq,-ljq) $(call PC,--libs,yaml-0.1,-lyaml) $(call PC,--libs,inih,-linih) -lm

all: $(TOOLS:%=$(B)/%)

objs = $(patsubst %.c,$(B)/obj/%.o,$(1))
define tool
$(B)/$(1): $(call objs,$(wildcard tools/$(1)/*.c)) $(B)/libvmq.a
endef
$(foreach t,$(TOOLS),$(eval $(call tool,$(t))))

$(B)/libvmq.a: $(call objs,$(COMMON))
	$(AR) rcs $@ $^

$(TOOLS:%=$(B)/%):
	$(CC) $(VMQ_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(VMQ_LIBS) $(LDLIBS)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(VMQ_CPPFLAGS) $(CPPFLAGS) -MMD -MP $(VMQ_CFLAGS) $(CFLAGS) -c -o $@ $<

UNIT_BINS := $(UNITS:test/unit/%.c=$(B)/unit/%)
$(UNIT_BINS): $(B)/unit/%: $(B)/obj/test/unit/%.o $(B)/libvmq.a
	@mkdir -p $(@D)
	$(CC) $(VMQ_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(VMQ_LIBS) $(LDLIBS)

.PHONY: all
.DELETE_ON_ERROR:
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
