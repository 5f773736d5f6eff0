/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

#include <stdio.h>
#include <unistd.h>

#include "array.h"
#include "check.h"
#include "json.h"
#include "jvx.h"
#include "ref.h"

static void test_check(void)
{
        static const struct {
                const char *text;
                enum setting which;
                bool good;
        } cases[] = {
                { "true", SET_VNC_PROXY, true },
                { "false", SET_VNC_PROXY, true },
                { "yes", SET_VNC_PROXY, false },
                { "", SET_VNC_PROXY, false },
                { "1", SET_VNC_PORT, true },
                { "65535", SET_VNC_PORT, true },
                { "0", SET_VNC_PORT, false },
                { "65536", SET_VNC_PORT, false },
                { "-1", SET_VNC_PORT, false },
                { "+1", SET_VNC_PORT, false },
                { "1 ", SET_VNC_PORT, false },
                { "0x10", SET_VNC_PORT, false },
                { "99999999999999999999", SET_VNC_PORT, false },
                { "0", SET_KVM_GROUP, true },
                { "2147483647", SET_KVM_GROUP, true },
                { "2147483648", SET_KVM_GROUP, false },
                { "keep-groups", SET_KVM_GROUP, true },
                { "kvm", SET_KVM_GROUP, false },
                { "", SET_KVM_GROUP, false },
                { "warn", SET_VALIDATE, true },
                { "war", SET_VALIDATE, false },
                { "warn|ignore", SET_VALIDATE, false },
                { "", SET_VALIDATE, false },
                { "pasta:--mtu,1500", SET_NETWORK, true },
                { "", SET_NETWORK, false },
                { "a\nb", SET_NETWORK, false },
                { "a\033b", SET_NETWORK, false },
                { "\xFF", SET_NETWORK, false },
                { "a\x7F", SET_NETWORK, false },
                { "n\xC3\xA9t", SET_NETWORK, true },
        };

        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
                BUF_AUTO struct buf why = BUF_INIT;

                if (setting_check(cases[i].which, cases[i].text, &why) != cases[i].good) {
                        fprintf(stderr, "%s: '%s'\n", setting_infos[cases[i].which].option,
                                cases[i].text);
                        exit(1);
                }
                CHECK(cases[i].good == (why.len == 0));
        }
        CHECK(setting_of("vnc-port") == SET_VNC_PORT && setting_of("vnc") == N_SETTINGS);
        for (int i = 0; i < N_SETTINGS; i++) { /* every default is a value that is taken */
                BUF_AUTO struct buf why = BUF_INIT;
                const char *fallback = setting_infos[i].fallback;

                CHECK(!*fallback || setting_check((enum setting)i, fallback, &why));
        }
}

/* Read the text as a configuration file; what is wrong with it, from its line on. */
static bool read_text(struct settings *s, const char *text, char *wrong, size_t size)
{
        char file[] = "/tmp/vmq-settings-XXXXXX";
        BUF_AUTO struct buf why = BUF_INIT;
        int fd = mkstemp(file);

        CHECK(fd >= 0 && write(fd, text, strlen(text)) == (int)strlen(text) && close(fd) == 0);
        bool good = settings_read(s, file, &why);

        CHECK(unlink(file) == 0);
        CHECK(good == (why.len == 0));
        (void)snprintf(wrong, size, "%s", why.len ? why.s + strlen(file) : "");
        return good;
}

static void test_file(void)
{
        static const char *const bad[][2] = {
                { "vnc-port = 0\n", ":1: a port from 1 to 65535 is what vnc-port takes, not '0'" },
                { "\n# c\nnope = 1\n", ":3: nope: no such setting" },
                { "[other]\nvnc-port = 1\n", ":2: [other]: no such section" },
                { "vnc-port\n", ":1: not a line of the form option = value" },
                { "network = a\033b\n",
                  ":1: a text without control characters is what network takes, not 'a\\x1bb'" },
        };
        struct settings s = { 0 };
        char wrong[300], line[400] = "network = ";

        CHECK(read_text(&s,
                        "# vmq\n[vmq]\nvnc-port = 5901 ; screen\n\tvnc-proxy=true\n"
                        "network: a;b\n\n   \n",
                        wrong, sizeof wrong));
        CHECK(setting_int(&s, SET_VNC_PORT) == 5901 && setting_on(&s, SET_VNC_PROXY));
        CHECK_STR(setting_text(&s, SET_NETWORK), "a;b");
        for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
                CHECK(!read_text(&s, bad[i][0], wrong, sizeof wrong));
                CHECK_STR(wrong, bad[i][1]);
        }
        /* inih would cut the first and take its rest, a comment, in silence */
        memset(line + 10, 'x', 189);
        (void)snprintf(line + 199, sizeof line - 199, ";%s\nvnc-port = 1\n", "rest");
        CHECK(!read_text(&s, line, wrong, sizeof wrong));
        CHECK(strncmp(wrong, ":1: a line of 205 bytes", 23) == 0);
        (void)snprintf(line + 197, sizeof line - 197, "\n");
        CHECK(read_text(&s, line, wrong, sizeof wrong));
        CHECK(strlen(setting_text(&s, SET_NETWORK)) == 187);
        settings_release(&s);

        BUF_AUTO struct buf why = BUF_INIT;

        CHECK(!settings_read(&s, "/nonexistent/vmq.conf", &why));
        CHECK_STR(why.s, "/nonexistent/vmq.conf: No such file or directory");
        buf_clear(&why);
        CHECK(!settings_read(&s, "/tmp", &why));
        CHECK_STR(why.s, "/tmp: Is a directory");
        settings_release(&s);
}

/* Command line over item over file over default. */
static void test_order(void)
{
        struct settings s = { 0 };
        struct diag d = { .out = stderr };
        char wrong[100];
        JVX_AUTO jv item = jvx_build("{options: {'vnc-port': 3, 'vnc-proxy': true, other: [1]}}");
        JVX_AUTO jv plain = jvx_build("{vmq: 1}");

        CHECK(setting_int(&s, SET_VNC_PORT) == 5900 && setting_text(&s, SET_NETWORK) == NULL &&
              setting_int(&s, SET_KVM_GROUP) == -1);
        CHECK(read_text(&s, "vnc-port = 2\n", wrong, sizeof wrong));
        CHECK(setting_int(&s, SET_VNC_PORT) == 2);
        diag_begin(&d, "t", 0, NULL, NULL);
        CHECK(settings_recall(&s, &item, &d));
        CHECK(setting_int(&s, SET_VNC_PORT) == 3 && setting_on(&s, SET_VNC_PROXY));
        CHECK(settings_recall(&s, &plain, &d)); /* of an earlier item nothing is left */
        CHECK(setting_int(&s, SET_VNC_PORT) == 2 && !setting_on(&s, SET_VNC_PROXY));
        settings_give(&s, SET_VNC_PORT, "4");
        settings_give(&s, SET_NETWORK, "net");
        settings_give(&s, SET_VNC_PROXY, "false");
        CHECK(settings_recall(&s, &item, &d));
        CHECK(setting_int(&s, SET_VNC_PORT) == 4 && !setting_on(&s, SET_VNC_PROXY));
        settings_remember(&s, &item);
        JVX_AUTO jv text = json_text(&item);

        CHECK_STR(jv_string_value(text), "{\"options\":{\"vnc-port\":4,\"vnc-proxy\":false,"
                                         "\"other\":[1],\"network\":\"net\"}}");
        CHECK(!diag_failed(&d));
        JVX_AUTO jv bad = jvx_build("{options: {'vnc-port': 0, network: [], validate: 'x'}}");

        d.out = tmpfile();
        CHECK(d.out && !settings_recall(&s, &bad, &d));
        CHECK(d.errors == 3);
        diag_flush(&d);
        CHECK(fclose(d.out) == 0);
        diag_release(&d);
        settings_release(&s);
}

/* What is remembered is what the next stage recalls, for every kind of setting. */
static void test_memory(void)
{
        static const struct {
                enum setting which;
                const char *text;
        } cases[] = { { SET_KVM_GROUP, "keep-groups" },
                      { SET_KVM_GROUP, "0" },
                      { SET_KVM_GROUP, "2147483647" },
                      { SET_VNC_PORT, "65535" },
                      { SET_VNC_PROXY, "false" },
                      { SET_VALIDATE, "warn" },
                      { SET_NETWORK, "17" },
                      { SET_NETWORK, "true" } };

        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
                struct settings given = { 0 }, recalled = { 0 };
                struct diag d = { .out = stderr };
                JVX_AUTO jv item = jvx_build("{vmq: 1}");

                settings_give(&given, cases[i].which, cases[i].text);
                settings_remember(&given, &item);
                CHECK(settings_recall(&recalled, &item, &d));
                CHECK_STR(setting_text(&recalled, cases[i].which), cases[i].text);
                settings_release(&given);
                settings_release(&recalled);
                diag_release(&d);
        }
}

int main(void)
{
        test_check();
        test_file();
        test_order();
        test_memory();
        return 0;
}
