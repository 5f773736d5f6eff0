/* SPDX-License-Identifier: Apache-2.0 */
#include "places.h"

#include "check.h"

static struct place at(unsigned line)
{
        return (struct place){ line, 1 };
}

static unsigned line_of(struct places *p, const struct path *base, const struct path *path)
{
        return places_at(p, base, path).line;
}

/* {spec: {disks: [{name: on}, {name: b}], a.b: 1, "": 2}, spec: {x: 3}} */
static void fill(struct places *p)
{
        int root = places_add(p, -1, NULL, at(0), at(1), NULL);
        int spec = places_add(p, root, "spec", at(2), at(2), NULL);
        int disks = places_add(p, spec, "disks", at(3), at(3), NULL);
        int first = places_add(p, disks, NULL, at(0), at(4), NULL);

        places_add(p, first, "name", at(5), at(5), "on");
        int second = places_add(p, disks, NULL, at(0), at(6), NULL);

        places_add(p, second, "name", at(7), at(7), NULL);
        places_add(p, spec, "a.b", at(8), at(8), NULL);
        places_add(p, spec, "", at(9), at(9), NULL);
}

static void test_find(void)
{
        struct places p = PLACES_INIT;
        bool exact;

        CHECK(places_find(&p, NULL, AT(NULL, "spec"), &exact) == -1 && !exact);
        CHECK(line_of(&p, NULL, NULL) == 0);
        CHECK(line_of(NULL, NULL, AT(NULL, "spec")) == 0);
        fill(&p);
        CHECK(line_of(&p, NULL, NULL) == 1);
        CHECK(line_of(&p, NULL, AT(NULL, "spec")) == 2);
        CHECK(line_of(&p, NULL, AT_INDEX(AT(NULL, "spec.disks"), 1)) == 6);
        CHECK(line_of(&p, NULL, AT(AT_INDEX(AT(NULL, "spec.disks"), 1), "name")) == 7);
        CHECK(line_of(&p, AT_INDEX(AT(NULL, "spec.disks"), 0), AT(NULL, "name")) == 5);
        CHECK(line_of(&p, NULL, AT(NULL, "spec.a.b")) == 2); /* the last one that is there */
        CHECK(line_of(&p, NULL, AT_KEY(AT(NULL, "spec"), "a.b")) == 8);
        CHECK(line_of(&p, NULL, AT_KEY(AT(NULL, "spec"), "")) == 9);
        CHECK(line_of(&p, NULL, AT(AT(NULL, "spec"), "")) == 2);
        CHECK(line_of(&p, NULL, AT(NULL, "spec.dis")) == 2);
        CHECK(line_of(&p, NULL, AT(NULL, "spec.disksx")) == 2);
        CHECK(line_of(&p, NULL, AT(NULL, "spec.disks.name")) == 3);
        CHECK(line_of(&p, NULL, AT_INDEX(AT(NULL, "spec.disks"), 2)) == 3);
        CHECK_STR(places_raw(&p, NULL, AT(AT_INDEX(AT(NULL, "spec.disks"), 0), "name")), "on");
        CHECK_STR(places_raw(&p, NULL, AT(AT_INDEX(AT(NULL, "spec.disks"), 1), "name")), NULL);
        CHECK_STR(places_raw(&p, NULL, AT(NULL, "nothing")), NULL);

        /* Of a key given twice the last one counts, and what is added later is found too. */
        int spec = places_add(&p, 0, "spec", at(10), at(10), NULL);

        places_add(&p, spec, "x", at(11), at(11), NULL);
        CHECK(line_of(&p, NULL, AT(NULL, "spec.x")) == 11);
        CHECK(line_of(&p, NULL, AT(NULL, "spec.disks")) == 10);
        places_clear(&p);
        CHECK(line_of(&p, NULL, AT(NULL, "spec")) == 0);
        places_release(&p);
}

static void test_copy(void)
{
        struct places p = PLACES_INIT;

        fill(&p);
        CHECK(places_size(&p, 0) == 9 && places_size(&p, 2) == 5 && places_size(&p, 8) == 1);
        int alias = places_add(&p, 0, "alias", at(20), at(20), NULL);

        places_copy_below(&p, 2, alias);
        CHECK(line_of(&p, NULL, AT(NULL, "alias")) == 20);
        CHECK(line_of(&p, NULL, AT(AT_INDEX(AT(NULL, "alias"), 1), "name")) == 7);
        CHECK_STR(places_raw(&p, NULL, AT(AT_INDEX(AT(NULL, "alias"), 0), "name")), "on");
        int object = places_add(&p, 0, "object", at(21), at(21), NULL);

        CHECK(places_copy_member(&p, 2, object) == p.n - 5);
        CHECK(line_of(&p, NULL, AT(AT_INDEX(AT(NULL, "object.disks"), 1), "name")) == 7);
        CHECK(places_size(&p, object) == 6);
        places_release(&p);
}

int main(void)
{
        test_find();
        test_copy();
        return 0;
}
