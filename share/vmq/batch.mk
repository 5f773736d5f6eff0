# SPDX-License-Identifier: Apache-2.0
# batch.mk - convert a folder of VirtualMachines with make. Include it in a Makefile of your own:
#
#	VMS := $(wildcard vms/*.yaml)
#	VMQ_FLAGS := --vnc-proxy
#	include /usr/local/share/vmq/batch.mk
#
# `make -j8 vmq-units` (the default goal, if there is no other) then leaves the units of vms/NAME.yaml
# in units/NAME/. A VM is converted again only when its file, the options or vmq itself changed;
# `make -k` goes on behind a VM that is refused. `make vmq-clean` removes what was made.
#
# Every stage has a rule of its own, so each can be looked at:
#	make build/NAME.prepared.json && jq .vmi build/NAME.prepared.json
# and replaced: for one VM anywhere in your Makefile, for all of them above the include line:
#	build/%.prepared.json: build/%.validated.json
#		vmq-prepare $< | jq -c '.vmi.spec.domain.cpu.cores = 4' > $@.tmp && mv $@.tmp $@
#
# What you can set above the include line:
#	VMS             the files; their base names must differ
#	VMQ_FLAGS       settings and common options, given to the first stage
#	VMQ_x_FLAGS     more options of one stage: VALIDATE PREPARE RENDER ADAPT QUADLET FIXUP
#	VMQ_UNITS       folder of the units (units)
#	VMQ_BUILD       folder of the stages' work items (build)
#	VMQ_BIN         folder of the vmq programs (found on PATH)
#
# File names must not hold white space: make splits its lists there.

VMQ_UNITS ?= units
VMQ_BUILD ?= build
VMQ_FIXUP_FLAGS ?= --prune

vmq_stages  := validate prepare render adapt quadlet fixup
vmq_program  = $(if $(VMQ_BIN),$(VMQ_BIN)/vmq-$(1),$(or $(shell command -v vmq-$(1)),$(error vmq-$(1) is not on PATH; set VMQ_BIN)))
$(foreach s,$(vmq_stages),$(eval vmq_$(s) := $(call vmq_program,$(s))))

vmq_name    = $(basename $(notdir $(1)))
vmq_names  := $(foreach f,$(VMS),$(call vmq_name,$(f)))
vmq_twice  := $(strip $(foreach n,$(sort $(vmq_names)),$(if $(word 2,$(filter $(n),$(vmq_names))),$(n))))
$(if $(vmq_twice),$(error VMS has two files with the base name $(firstword $(vmq_twice))))
$(foreach f,$(VMS),$(eval vmq_source.$(call vmq_name,$(f)) := $(f)))

vmq_done   := $(vmq_names:%=$(VMQ_UNITS)/%/.done)

.PHONY: vmq-units vmq-clean
.DELETE_ON_ERROR:
# What the stages made stays, to be looked at.
.SECONDARY:

vmq-units: $(vmq_done)

vmq-clean:
	$(RM) -r $(vmq_names:%=$(VMQ_UNITS)/%) $(foreach p,validated prepared rendered adapted quadlet,$(vmq_names:%=$(VMQ_BUILD)/%.$(p).json)) $(VMQ_BUILD)/.vmq-flags

# The options as they were at the last run: rewritten only when they changed.
vmq_flags := $(VMQ_FLAGS) $(foreach s,VALIDATE PREPARE RENDER ADAPT QUADLET FIXUP,| $(VMQ_$(s)_FLAGS))
vmq_quoted = '$(subst ','\'',$(1))'
$(shell mkdir -p $(VMQ_BUILD); \
	printf '%s\n' $(call vmq_quoted,$(vmq_flags)) | cmp -s - $(VMQ_BUILD)/.vmq-flags || \
	printf '%s\n' $(call vmq_quoted,$(vmq_flags)) > $(VMQ_BUILD)/.vmq-flags)

$(foreach n,$(vmq_names),$(eval $(VMQ_BUILD)/$(n).validated.json: $(vmq_source.$(n))))

$(VMQ_BUILD)/%.validated.json: $(vmq_validate) $(VMQ_BUILD)/.vmq-flags
	@mkdir -p $(@D)
	$(vmq_validate) $(VMQ_FLAGS) $(VMQ_VALIDATE_FLAGS) -- $(vmq_source.$*) > $@.tmp && mv $@.tmp $@

# $(call vmq_rule,STAGE,FROM,TO,FLAGS): a file is written under another name and renamed, so that a
# stage that was killed leaves nothing that make would take for finished.
define vmq_rule
$(VMQ_BUILD)/%.$(3).json: $(VMQ_BUILD)/%.$(2).json $(vmq_$(1)) $(VMQ_BUILD)/.vmq-flags
	$(vmq_$(1)) $$(VMQ_$(4)_FLAGS) $$< > $$@.tmp && mv $$@.tmp $$@
endef
$(eval $(call vmq_rule,prepare,validated,prepared,PREPARE))
$(eval $(call vmq_rule,render,prepared,rendered,RENDER))
$(eval $(call vmq_rule,adapt,rendered,adapted,ADAPT))
$(eval $(call vmq_rule,quadlet,adapted,quadlet,QUADLET))

$(VMQ_UNITS)/%/.done: $(VMQ_BUILD)/%.quadlet.json $(vmq_fixup) $(VMQ_BUILD)/.vmq-flags
	$(vmq_fixup) $(VMQ_FIXUP_FLAGS) --output-dir $(@D) $< && touch $@
