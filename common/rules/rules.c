/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/rules.h"

#include "array.h"

#define RULE(name_, origin_) { .name = #name_, .origin = (origin_), .check = rule_##name_ },
const struct rule rules[] = {
#include "rules/rules.def"
};
#undef RULE

const int n_rules = ARRAY_LEN(rules);
