#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Killing what converts, at any moment, 200 times.
load helper

kills() {
    VMQ_BIN=$VMQ_BIN bash "$TOP/test/kill.bash" "$@" >report 2>&1 3>&- || { cat report; return 1; }
    sed -n 's/.* runs killed/# &/p' report >&3
}

# bats test_tags=heavy,plain
@test "vmq convert is killed 40 times" { kills 40 alone; }

# bats test_tags=heavy,plain
@test "vmq convert --jobs 2, or one of its jobs, is killed 40 times" { kills 40 jobs2; }

# bats test_tags=heavy,plain
@test "vmq convert with a process for each stage: one of them is killed 60 times" { kills 60 apart; }

# bats test_tags=heavy,plain
@test "a stage of a shell's pipeline is killed 60 times" { kills 60 pipeline; }
