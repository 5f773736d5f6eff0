# share/vmq/batch.mk: a folder of VMs with make.
load helper

setup() {
    unset MAKEFLAGS MFLAGS MAKELEVEL VMQ_FLAGS # of the make that runs the tests
    cd "$BATS_TEST_TMPDIR" || return
    mkdir vms
    for n in one two three; do vm $n >vms/$n.yaml; done
    cat >Makefile <<X
VMS := \$(wildcard vms/*.yaml)
VMQ_BIN := $VMQ_BIN
include extra.mk
include $TOP/share/vmq/batch.mk
X
    : >extra.mk
}

vm() {
    printf '%s\n' 'apiVersion: kubevirt.io/v1' 'kind: VirtualMachine' "metadata: {name: $1}" 'spec:' \
        '  runStrategy: Always' '  template: {spec: {domain: {memory: {guest: 1Gi}, devices: {}}, volumes:' \
        "    [{name: root, containerDisk: {image: 'registry.example.com/guest:1'}}]}}"
}

# What a run of make converted: the names behind vmq-fixup's --output-dir.
converted() { make "$@" 2>&1 | sed -n 's/.*--output-dir units\/\([^ ]*\) .*/\1/p' | sort | tr '\n' ' '; }

@test "every VM has its folder, made as vmq convert makes it" {
    make -j2 2>&1
    for n in one two three; do
        "$VMQ_BIN/vmq" convert vms/$n.yaml -o want/$n
        diff -r -x .done -x .vmq-units want/$n units/$n
    done
}

@test "only what changed is converted again" {
    [ "$(converted)" = "one three two " ]
    [ -z "$(converted)" ]
    touch vms/two.yaml
    [ "$(converted)" = "two " ]
    rm -r units/three
    [ "$(converted)" = "three " ]
}

@test "other options convert everything again, and reach the units" {
    make >/dev/null 2>&1
    echo 'VMQ_FLAGS := --vnc-proxy --vnc-port=5977' >extra.mk
    rm vms/two.yaml vms/three.yaml
    [ "$(converted)" = "one " ]
    grep -q 127.0.0.1:5977:5977 units/one/virt-launcher-one.pod
    [ -z "$(converted)" ]
}

@test "options with quotes and dollars are told apart too" {
    echo "VMQ_FLAGS := --publish-address='127.0.0.1'" >extra.mk
    [ "$(converted)" = "one three two " ]
    [ -z "$(converted)" ]
}

@test "a new vmq converts everything again" {
    mkdir bin
    cp "$VMQ_BIN"/vmq-* bin/
    make VMQ_BIN=bin >/dev/null 2>&1
    [ -z "$(converted VMQ_BIN=bin)" ]
    sleep 0.1
    touch bin/vmq-render
    [ "$(converted VMQ_BIN=bin)" = "one three two " ]
}

@test "a VM that is refused stops make; with -k the others go on, and nothing of it is there" {
    vm Two >vms/two.yaml
    run make -k -j2
    [ "$status" -ne 0 ]
    [[ $output == *"vms/two.yaml:"*"metadata.name"* ]]
    [ -s units/one/virt-launcher-one.pod ] && [ -s units/three/virt-launcher-three.pod ]
    [ ! -e units/two ] && [ ! -e build/two.validated.json ]
    vm two >vms/two.yaml
    [ "$(converted)" = "two " ]
}

@test "a stage can be looked at" {
    make build/one.prepared.json >/dev/null 2>&1
    [ "$(jq -r .vmi.metadata.name build/one.prepared.json)" = one ]
    [ ! -e build/one.rendered.json ]
}

@test "a stage can be replaced, for one VM and for all" {
    cat >extra.mk <<'X'
build/%.prepared.json: build/%.validated.json
	$(VMQ_BIN)/vmq-prepare $< | jq -c '.vmi.spec.domain.cpu.cores = 7' > $@.tmp && mv $@.tmp $@
build/one.prepared.json: build/one.validated.json
	$(VMQ_BIN)/vmq-prepare $< | jq -c '.vmi.spec.domain.cpu.cores = 9' > $@.tmp && mv $@.tmp $@
X
    # The default goal is the first rule of a Makefile.
    make vmq-units >/dev/null 2>&1
    grep -q '"cores":9' units/one/virt-launcher-one-compute.env
    grep -q '"cores":7' units/two/virt-launcher-two-compute.env
}

@test "two files of one base name are an error before anything is done" {
    mkdir vms2
    vm four >vms2/one.yaml
    echo 'VMS += vms2/one.yaml' >extra.mk
    run make
    [ "$status" -ne 0 ]
    [[ $output == *"two files with the base name one"* ]]
    [ ! -e units ]
}

@test "vmq-clean takes away what was made, and no more" {
    make >/dev/null 2>&1
    touch build/mine units/mine
    make vmq-clean >/dev/null 2>&1
    [ "$(echo build/* units/*)" = "build/mine units/mine" ]
}

# bats test_tags=heavy
@test "hundreds of VMs with make -j8: an error in the middle, then a touch of one file" {
    local n=${VMQ_MANY:-500}
    for i in $(seq "$n"); do vm "vm-$i" >"vms/vm-$i.yaml"; done
    echo 'kind: Nothing' >vms/vm-25.yaml
    run make -k -j8
    [ "$status" -ne 0 ]
    [ "$(find units -name .done | wc -l)" = $((n + 2)) ]
    vm vm-25 >vms/vm-25.yaml
    [ "$(converted -j8)" = "vm-25 " ]
    touch vms/vm-7.yaml
    [ "$(converted -j8)" = "vm-7 " ]
}
