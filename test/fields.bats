#!/usr/bin/env bats
# docs/fields.md is what the field tables say.
load helper

@test "docs/fields.md is what vmq-validate --list-fields prints" {
    vmq validate --list-fields >"$BATS_TEST_TMPDIR/fields.md"
    diff -u "$BATS_TEST_DIRNAME/../docs/fields.md" "$BATS_TEST_TMPDIR/fields.md"
}

@test "every link in docs/fields.md leads to a section, and no section is there twice" {
    page=$BATS_TEST_DIRNAME/../docs/fields.md
    sections=$(sed -n 's/^## //p' "$page" | tr '[:upper:]' '[:lower:]' | tr -d .)
    [ -z "$(sort <<<"$sections" | uniq -d)" ]
    links=$(grep -o '](#[a-z0-9]*)' "$page" | sed 's/](#//; s/)//' | sort -u)
    [ -z "$(comm -23 <(echo "$links") <(sort <<<"$sections"))" ]
}
