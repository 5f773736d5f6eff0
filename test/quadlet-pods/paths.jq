# Paths of jq as messages and docs/pod.md write them.

# ["a", 0, "b"] as "a[0].b"; a key that is no plain word in brackets.
def dotted: reduce .[] as $k (""; . + if $k | type == "number" then "[\($k)]"
  elif $k | test("^[A-Za-z0-9_-]+$") then (if . == "" then "" else "." end) + $k else "[\($k)]" end);

# The row of docs/pod.md that a path belongs to, "a[].b{}"; rows: {ROW: what becomes of it}. The path of something
# inside a value that a row takes as it is belongs to none.
def row($rows): reduce .[] as $k ({at: "", done: false}; if .done then .at = null
  elif .at == null then .
  elif $k | type == "number" then .at += "[]"
  elif $rows[.at + "{}"] then .at += "{}"
  else .at += (if .at == "" then "" else "." end) + $k end
  | .done = (.at != null and $rows[.at] != null)) | .at;
