# Work items -> what is not right about their units: only lines that units have, each section once, no
# control character, and in [Service] nothing but what vmq-quadlet writes there.
def service: test("^(Type|RemainAfterExit|Restart|RestartMode|RestartSec|TimeoutStopSec|StandardInput|StandardInputData)=[A-Za-z0-9+/=-]*$")
  or test("^Environment=VMQ_EMPTY=$") or test("^ExecStop=/usr/bin/podman volume rm --force systemd-[A-Za-z0-9._-]+$")
  or test("^ExecStartPost=/usr/bin/podman volume import systemd-[A-Za-z0-9._-]+ -$")
  or test("^ExecCondition=/bin/(false|sh -c \"!.x20podman.x20image.x20exists.x20.{2}[$]1.{2}\" sh [^ ]+)$")
  or test("^ExecStartPre=/bin/mkdir -p -- [^ ]*$");
def sections: ["[Unit]", "[Container]", "[Pod]", "[Volume]", "[Network]", "[Image]", "[Service]", "[Install]"];
select(.units) | .units[]
| select(.name | test("[.](container|pod|volume|network|image)$"))
| .name as $name
| (if .name | test("^[A-Za-z0-9][A-Za-z0-9._-]*$") then empty else "name \($name)" end),
  (.text | split("\n")[:-1] as $lines
   | ([$lines[] | select(startswith("["))] | if length == (unique | length) then empty else "\($name): a section twice" end),
     ($lines[] | select(test("[\\p{Cc}]") or endswith("\\")) | "\($name): \(.)"),
     ($lines[] | select((. == "" or (. as $l | sections | index($l)) != null or test("^[A-Za-z]+=")) | not) | "\($name): \(.)"),
     (reduce $lines[] as $l ({in: "", bad: []};
        if $l | startswith("[") then .in = $l
        elif .in == "[Service]" and $l != "" and ($l | service | not) then .bad += [$l] else . end)
      | .bad[] | "\($name) [Service]: \(.)"))
