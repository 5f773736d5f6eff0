# suites: trixie
# Pods that are no VMs: volumes that bring their files along, and texts that nothing may change.
load helper

# All printable characters of ASCII but the slash, and some beyond.
odd() {
    local i
    for i in $(seq 32 46) $(seq 48 126); do printf "\\x$(printf %x "$i")"; done
    printf 'ü→'
}

# pod_units DIR: of the Pods and what they name, on standard input.
pod_units() { "$VMQ_BIN/vmq-quadlet" | "$VMQ_BIN/vmq-fixup" --output-dir "$1"; }

pod_up() { is_state active "$1"; }

@test "files of ConfigMaps and Secrets are there, with odd bytes and modes" {
    local i
    for i in $(seq 0 255); do printf "\\x$(printf %x "$i")"; done >bytes
    odd >text
    head -c 20000 /dev/urandom >long
    jq -n --rawfile text text --arg bytes "$(base64 -w 0 bytes)" --arg long "$(base64 -w 0 long)" '
        {kind: "ConfigMap", apiVersion: "v1", metadata: {name: "conf"}, data: {text: $text, empty: ""}, binaryData: {bytes: $bytes}},
        {kind: "Secret", apiVersion: "v1", metadata: {name: "key"}, data: {bytes: $bytes, long: $long}},
        {kind: "Pod", apiVersion: "v1", metadata: {name: "tp-files", labels: {a: "b\"c"}}, spec: {
            containers: [{name: "main", image: "localhost/socat:latest", command: ["sleep", "1000"], volumeMounts: [
                {name: "conf", mountPath: "/conf"}, {name: "key", mountPath: "/key"},
                {name: "all", mountPath: "/all", readOnly: true}]}],
            volumes: [
                {name: "conf", configMap: {name: "conf"}},
                {name: "key", secret: {secretName: "key", defaultMode: 256, items: [
                    {key: "bytes", path: "a folder/%n $HOME \"x\"", mode: 292}, {key: "long", path: "long"}]}},
                {name: "all", projected: {defaultMode: 416, sources: [
                    {configMap: {name: "conf", items: [{key: "text", path: "c/text"}]}},
                    {secret: {name: "key", items: [{key: "long", path: "s/long"}]}},
                    {downwardAPI: {items: [{path: "labels", fieldRef: {fieldPath: "metadata.labels"}}]}}]}}]}}' |
        pod_units units
    put units
    ctl start tp-files-pod.service
    wait_for "$PATIENCE" pod_up tp-files-main.service
    file_is() { # PATH MODE FILE
        inside podman exec systemd-tp-files-main cat "$1" | cmp - "$3"
        [ "$(inside podman exec systemd-tp-files-main stat -c %a "$1")" = "$2" ]
    }
    file_is /conf/text 644 text
    file_is /conf/empty 644 /dev/null
    file_is /conf/bytes 644 bytes
    # shellcheck disable=SC2016 # as it is
    file_is '/key/a folder/%n $HOME "x"' 444 bytes
    file_is /key/long 400 long
    file_is /all/c/text 640 text
    file_is /all/s/long 640 long
    printf 'a="b\\"c"\n' >labels
    file_is /all/labels 640 labels
    # What the unit brings changes with the unit.
    ctl stop tp-files-pod.service
    jq -n '{kind: "ConfigMap", apiVersion: "v1", metadata: {name: "conf"}, data: {text: "new"}},
        {kind: "Pod", apiVersion: "v1", metadata: {name: "tp-files"}, spec: {
            containers: [{name: "main", image: "localhost/socat:latest", command: ["sleep", "1000"],
                volumeMounts: [{name: "conf", mountPath: "/conf"}]}],
            volumes: [{name: "conf", configMap: {name: "conf"}}]}}' | pod_units again
    put again
    ctl start tp-files-pod.service
    wait_for "$PATIENCE" pod_up tp-files-main.service
    [ "$(inside podman exec systemd-tp-files-main cat /conf/text)" = new ]
    run ! inside podman exec systemd-tp-files-main test -e /conf/bytes
}

@test "D33, D34: arguments, variables, host paths and checks arrive as they were" {
    local odd more LC_ALL=C # the shells quote by the locale
    odd=$(odd)
    mkdir -p "$HOST/root/srv/$odd"
    echo here >"$HOST/root/srv/$odd/$odd"
    # shellcheck disable=SC2016 # as it is
    local args=("$odd" '' ' ' '%%n %n' '$HOME ${HOME} $$ $$$' $'two\nlines' '\' "\\\\\"'" '-v' ';' 'a  b')
    printf '%s\0' "${args[@]}" >args
    jq -n --arg odd "$odd" --rawfile args args '
        {kind: "Pod", apiVersion: "v1", metadata: {name: "tp-odd"}, spec: {
            containers: [{name: "main", image: "localhost/socat:latest", command: ["/usr/bin/bash", "-c",
                "for a; do printf \"REPORT argument %s\\n\" \"${a@Q}\"; done; printf \"REPORT variable %s\\n\" \"${ODD@Q}\"; sleep 1000", "name"],
                args: ($args | split("\u0000") | .[:-1]), env: [{name: "ODD", value: ($odd + "\nmore")}],
                livenessProbe: {exec: {command: ["grep", "-q", "here", ("/mnt/" + $odd)]}},
                volumeMounts: [{name: "odd", mountPath: "/mnt"}]}],
            volumes: [{name: "odd", hostPath: {path: ("/srv/" + $odd)}}]}}' | pod_units units
    put units
    ctl start tp-odd-pod.service
    wait_for "$PATIENCE" pod_up tp-odd-main.service
    said() { reported tp-odd-main.service "$1"; }
    all_said() { [ -n "$(said variable)" ]; }
    wait_for 60 all_said
    printf '%s\n' "${args[@]@Q}" | diff - <(said argument)
    more=$odd$'\nmore'
    [ "$(said variable)" = "${more@Q}" ]
    inside podman healthcheck run systemd-tp-odd-main
}
