/* test_response.c -- a response's bytes are the same in whatever portions they are taken, and
 * its length is known before the first of them is made. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "response/response.h"
#include "text/span.h"
#include "unity.h"

#define ROOM_MIN 10 /* a number is made whole or not at all */

static struct skr_response response;
static struct romfs fs;
static struct romfs_inflate inflate;
static uint8_t window[32768];

struct row {
    enum skr_piece_kind kind;
    struct skr_span bytes;
};
static const struct row *script; /* what the rendering function under test pushes: one row a step */
static size_t script_length;

void setUp(void)
{
}

void tearDown(void)
{
}

static bool render_script(struct skr_response *a)
{
    if (a->step == script_length) {
        return false;
    }
    skri_push(a, script[a->step].kind, script[a->step].bytes);
    a->step++;
    return true;
}

static bool render_framed(struct skr_response *a)
{
    if (a->step > 0) {
        return false;
    }
    skri_push_start(a);
    (void)render_script(a);
    skri_push_end(a);
    return true;
}

static void start(const void *rows, size_t count)
{
    memset(&response, 0, sizeof response);
    script = rows;
    script_length = count;
    response.fs = &fs;
    response.framing = &skri_framing_line;
    response.render = render_script;
    response.pieces.inflate = &inflate;
    response.pieces.window = window;
    skri_response_rewind(&response);
}

static void mount(size_t deflate_window)
{
    peer_start(SKR_LINE, deflate_window);
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, peer.image.p, peer.image.n));
}

static void mount_raw_text(void)
{
    peer_start_raw_text(SKR_LINE);
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, peer.image.p, peer.image.n));
}

/* All bytes, with `room` bytes of scratch whose end the sanitizer watches. */
static struct buf take_all(size_t room)
{
    struct buf out = {0};
    char *scratch = malloc(room);
    const char *direct;
    size_t n;

    while ((n = skri_response_take(&response, scratch, room, &direct)) > 0) {
        TEST_ASSERT_TRUE(direct != NULL || n <= room);
        buf_add(&out, direct != NULL ? direct : scratch, n);
    }
    free(scratch);
    return out;
}

static void bytes_are(const void *expected, size_t n)
{
    TEST_ASSERT_EQUAL(n, skri_response_length(&response));
    for (size_t room = ROOM_MIN; room <= (n < 300 ? n + 20 : 300); room++) {
        skri_response_rewind(&response);
        struct buf out = take_all(room);
        TEST_ASSERT_EQUAL_MESSAGE(n, out.n, "bytes taken");
        TEST_ASSERT_EQUAL_MEMORY_ARRAY(expected, out.n > 0 ? out.p : expected, 1, n > 0 ? n : 1);
        free(out.p);
    }
    TEST_ASSERT_EQUAL(n, skri_response_length(&response));
}

#define ROWS(rows) start(rows, sizeof(rows) / sizeof((rows)[0]))

/* ---- Kinds of pieces ---- */

static void raw_pieces_leave_as_they_are(void)
{
    static char big[3 * SKR_TX_DIRECT];

    memset(big, 'b', sizeof big);
    struct row rows[] = {{SKR_RAW, {"a", 1}}, {SKR_RAW, {"", 0}}, {SKR_RAW, {big, sizeof big}}, {SKR_RAW, {"xyz", 3}}};
    char expected[sizeof big + 4];
    memset(expected, 'b', sizeof expected);
    expected[0] = 'a';
    memcpy(expected + sizeof expected - 3, "xyz", 3);
    ROWS(rows);
    bytes_are(expected, sizeof expected);
}

static void many_constant_bytes_are_handed_out_where_they_lie(void)
{
    static char big[SKR_TX_DIRECT];
    struct row rows[] = {{SKR_RAW, {big, sizeof big}}};
    char scratch[64];
    const char *direct;

    ROWS(rows);
    TEST_ASSERT_EQUAL(sizeof big, skri_response_take(&response, scratch, sizeof scratch, &direct));
    TEST_ASSERT_EQUAL_PTR(big, direct);
}

static void every_control_character_is_escaped_as_json_wants_it(void)
{
    struct skr_span all = sample_all_text();
    struct row rows[] = {{SKR_ESCAPED, {"\0\"\\", 3}}, {SKR_ESCAPED, all}};
    struct buf expected = {0};

    buf_puts(&expected, "\\u0000\\\"\\\\");
    for (size_t i = 0; i < all.n; i++) {
        unsigned char c = (unsigned char)all.p[i];
        const char *letter = strchr("\bb\tt\nn\ff\rr\"\"\\\\", c);
        if (letter != NULL && c != 'b' && c != 't' && c != 'n' && c != 'f' && c != 'r') {
            buf_printf(&expected, "\\%c", letter[1]);
        } else if (c < 0x20) {
            buf_printf(&expected, "\\u%04x", c);
        } else {
            buf_add(&expected, &c, 1);
        }
    }
    ROWS(rows);
    bytes_are(expected.p, expected.n);
}

static void base64_is_padded_to_groups_of_four(void)
{
    static const char *const expected[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};

    for (size_t n = 0; n <= 6; n++) {
        struct row rows[] = {{SKR_BASE64, {"foobar", n}}};
        ROWS(rows);
        bytes_are(expected[n], strlen(expected[n]));
    }
    struct row edges[] = {
        {SKR_BASE64, {"\0\0\0", 3}}, {SKR_BASE64, {"\xFF\xFF", 2}}, {SKR_BASE64, {"\xFB\xEF\xBE", 3}}};
    ROWS(edges);
    bytes_are("AAAA//8=++++", 12);
}

static void numbers_are_written_in_full(void)
{
    static const uint32_t values[] = {0, 9, 10, 99, 100, 4294967295u, 1000000000u};
    struct row rows[7];

    for (size_t i = 0; i < 7; i++) {
        rows[i] = (struct row){SKR_NUMBER, {"", values[i]}};
    }
    ROWS(rows);
    bytes_are("09109910042949672951000000000", 29);
}

static void framing_stands_before_and_after(void)
{
    static const struct skr_framing sse = {{"data: ", 6}, {"\n\n", 2}};
    struct row rows[] = {{SKR_RAW, {"{}", 2}}};

    ROWS(rows);
    response.render = render_framed;
    bytes_are("{}\n", 3);
    response.framing = &sse;
    bytes_are("data: {}\n\n", 10);
}

static void a_response_without_pieces_is_empty(void)
{
    struct row rows[] = {{SKR_RAW, {"", 0}}, {SKR_ESCAPED, {"", 0}}, {SKR_BASE64, {"", 0}}};

    ROWS(rows);
    bytes_are("", 0);
}

/* ---- Files ---- */

static const struct romfs_node *node(const char *path)
{
    const struct romfs_node *found = romfs_find(&fs, path, strlen(path));

    TEST_ASSERT_NOT_NULL(found);
    return found;
}

static char *escaped(struct skr_span text, size_t *n)
{
    struct row rows[] = {{SKR_ESCAPED, text}};

    ROWS(rows);
    struct buf out = take_all(64);
    *n = out.n;
    return buf_str(&out);
}

static void text_file_is(const char *path, struct skr_span content)
{
    size_t n;
    char *expected = escaped(content, &n);
    struct row rows[] = {{SKR_FILE_TEXT, {"", 0}}};

    ROWS(rows);
    skri_response_file(&response, node(path));
    bytes_are(expected, n);
    free(expected);
}

static void blob_file_is(const char *path, struct skr_span content)
{
    struct row bytes[] = {{SKR_BASE64, content}};

    ROWS(bytes);
    struct buf expected = take_all(64);
    struct row rows[] = {{SKR_FILE_BLOB, {"", 0}}};
    ROWS(rows);
    skri_response_file(&response, node(path));
    bytes_are(expected.p, expected.n);
    free(expected.p);
}

static void small_and_large_files_are_whole(void)
{
    text_file_is("alpha/data/all.txt", sample_all_text());
    text_file_is("alpha/long.txt", sample_long_text());
    text_file_is("alpha/empty.txt", SPAN(""));
    blob_file_is("alpha/data/bytes.bin", sample_bytes());
}

static void files_that_are_not_deflated_leave_escaped_or_as_base64(void)
{
    mount(0);
    TEST_ASSERT_EQUAL(ROMFS_TEXT | ROMFS_ESCAPED, node("alpha/empty.txt")->flags);
    TEST_ASSERT_EQUAL(ROMFS_TEXT | ROMFS_ESCAPED, node("alpha/long.txt")->flags);
    small_and_large_files_are_whole();
    mount_raw_text();
    TEST_ASSERT_EQUAL(ROMFS_TEXT, node("alpha/long.txt")->flags);
    small_and_large_files_are_whole();
}

static void an_escaped_text_is_handed_out_where_it_lies(void)
{
    struct row rows[] = {{SKR_FILE_TEXT, {"", 0}}};
    char scratch[64];
    const char *direct;

    mount(0);
    ROWS(rows);
    const struct romfs_node *file = node("alpha/long.txt");
    skri_response_file(&response, file);
    TEST_ASSERT_EQUAL(file->json_size, skri_response_take(&response, scratch, sizeof scratch, &direct));
    TEST_ASSERT_EQUAL_PTR(fs.image + file->data, direct);
    TEST_ASSERT_EQUAL(0, skri_response_take(&response, scratch, sizeof scratch, &direct));
}

static void deflated_files_leave_the_same_whatever_their_window(void)
{
    static const char zeros[4000];

    for (size_t w = 256; w <= 32768; w *= 2) {
        mount(w);
        TEST_ASSERT_TRUE((node("alpha/long.txt")->flags & ROMFS_DEFLATE) != 0);
        text_file_is("alpha/long.txt", sample_long_text());
        blob_file_is("alpha/zeros.bin", (struct skr_span){zeros, sizeof zeros});
        text_file_is("alpha/empty.txt", SPAN(""));
    }
}

static void a_file_between_other_pieces_keeps_its_place(void)
{
    struct row rows[] = {{SKR_RAW, {"<", 1}},
                         {SKR_FILE_BLOB, {"", 0}},
                         {SKR_RAW, {"|", 1}},
                         {SKR_FILE_BLOB, {"", 0}},
                         {SKR_RAW, {">", 1}}};

    mount(512);
    struct row content[] = {{SKR_RAW, {"<", 1}},
                            {SKR_BASE64, sample_long_text()},
                            {SKR_RAW, {"|", 1}},
                            {SKR_BASE64, sample_long_text()},
                            {SKR_RAW, {">", 1}}};
    ROWS(content);
    struct buf expected = take_all(64);
    ROWS(rows);
    skri_response_file(&response, node("alpha/long.txt"));
    bytes_are(expected.p, expected.n);
}

/* A part of content, escaped: what comes of it, and its length told by `size`. */
static void part_is(uint32_t off, uint32_t len, const struct skr_span *content, uint32_t size)
{
    struct romfs_body_part part = {off, len, size, ROMFS_NONE};
    size_t n;
    char *expected = escaped((struct skr_span){content->p + off, len}, &n);
    struct row rows[] = {
        {SKR_FILE_PART, {(const void *)&part, len}}, {SKR_RAW, {"|", 1}}, {SKR_FILE_PART, {(const void *)&part, len}}};
    char *twice = malloc(2 * n + 2);

    TEST_ASSERT_EQUAL(size, n);
    sprintf(twice, "%s|%s", expected, expected);
    ROWS(rows);
    skri_response_file(&response, node("alpha/long.txt"));
    bytes_are(twice, 2 * n + 1);
    free(expected);
    free(twice);
}

static void stretches_of_a_file_leave_from_any_place_raw_or_deflated(void)
{
    static const size_t windows[] = {0, 256, 4096};
    struct skr_span all = sample_long_text();

    for (size_t w = 0; w < sizeof windows / sizeof windows[0]; w++) {
        if (windows[w] > 0) {
            mount(windows[w]);
        } else {
            mount_raw_text();
        }
        for (uint32_t off = 0; off < all.n; off += 331) {
            for (uint32_t len = 0; off + len <= all.n && len < 1500; len = 2 * len + 1) {
                size_t size;
                free(escaped((struct skr_span){all.p + off, len}, &size));
                part_is(off, len, &all, (uint32_t)size);
            }
        }
    }
}

/* Of an escaped text a stretch counts the bytes as they lie. */
static void stretches_of_an_escaped_file_leave_as_they_lie(void)
{
    mount(0);
    const struct romfs_node *file = node("alpha/long.txt");
    for (uint32_t off = 0; off < file->stored; off += 331) {
        for (uint32_t len = 0; off + len <= file->stored && len < 1500; len = 2 * len + 1) {
            struct romfs_body_part part = {off, len, len, ROMFS_NONE};
            struct row rows[] = {{SKR_FILE_PART, {(const void *)&part, len}}};
            ROWS(rows);
            skri_response_file(&response, file);
            bytes_are(fs.image + file->data + off, len);
        }
    }
}

static void stretches_that_ascend_are_read_in_one_pass(void)
{
    struct skr_span all = sample_long_text();
    struct romfs_body_part parts[8];
    struct row rows[8];
    struct buf expected = {0};

    mount(256);
    for (uint32_t i = 0; i < 8; i++) {
        size_t n;
        uint32_t off = i * 400 + i, len = i == 3 ? 0 : 50 * i + 1;
        char *text = escaped((struct skr_span){all.p + off, len}, &n);
        parts[i] = (struct romfs_body_part){off, len, (uint32_t)n, ROMFS_NONE};
        rows[i] = (struct row){SKR_FILE_PART, {(const void *)&parts[i], len}};
        buf_add(&expected, text, n);
        free(text);
    }
    ROWS(rows);
    skri_response_file(&response, node("alpha/long.txt"));
    bytes_are(expected.p, expected.n);
    free(expected.p);
}

/* ---- Ranges ---- */

static bool begins_a_character(char c)
{
    return (c & 0xC0) != 0x80;
}

/* Where a range that is asked to end or begin at `at` does. */
static size_t character_at(struct skr_span text, size_t at)
{
    while (at < text.n && !begins_a_character(text.p[at])) {
        at++;
    }
    return at < text.n ? at : text.n;
}

static void range_is(struct skr_span all, uint32_t from, uint32_t length)
{
    size_t first = character_at(all, from), end = character_at(all, (size_t)from + length), n;
    char *expected = escaped((struct skr_span){all.p + first, end - first}, &n);
    struct row rows[] = {{SKR_FILE_TEXT, {"", 0}}};

    ROWS(rows);
    skri_response_file(&response, node("alpha/data/all.txt"));
    skri_response_range(&response, from, length);
    skri_response_rewind(&response);
    bytes_are(expected, n);
    free(expected);
}

static void all_ranges_are_right(void)
{
    struct skr_span all = sample_all_text();

    for (uint32_t from = 0; from <= all.n + 2; from++) {
        for (uint32_t length = 0; length < 7; length++) {
            range_is(all, from, length);
        }
        range_is(all, from, INT32_MAX);
    }
}

static void ranges_of_text_end_between_characters_and_leave_nothing_out(void)
{
    mount(0);
    all_ranges_are_right();
    mount(256);
    all_ranges_are_right();
    mount_raw_text();
    all_ranges_are_right();
}

static void ranges_of_bytes_are_taken_as_they_are(void)
{
    struct skr_span all = sample_bytes();

    mount(0);
    for (uint32_t from = 0; from < all.n; from += 13) {
        struct row bytes[] = {{SKR_BASE64, {all.p + from, 11 < all.n - from ? 11 : all.n - from}}};
        ROWS(bytes);
        struct buf expected = take_all(64);
        struct row rows[] = {{SKR_FILE_BLOB, {"", 0}}};
        ROWS(rows);
        skri_response_file(&response, node("alpha/data/bytes.bin"));
        skri_response_range(&response, from, 11);
        skri_response_rewind(&response);
        bytes_are(expected.p, expected.n);
        free(expected.p);
    }
}

static void hex_leaves_two_digits_a_byte(void)
{
    struct row rows[] = {{SKR_HEX, {"\x00\x9f\xff\x10", 4}}};

    ROWS(rows);
    bytes_are("009fff10", 8);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(raw_pieces_leave_as_they_are);
    RUN_TEST(many_constant_bytes_are_handed_out_where_they_lie);
    RUN_TEST(every_control_character_is_escaped_as_json_wants_it);
    RUN_TEST(base64_is_padded_to_groups_of_four);
    RUN_TEST(numbers_are_written_in_full);
    RUN_TEST(framing_stands_before_and_after);
    RUN_TEST(a_response_without_pieces_is_empty);
    RUN_TEST(files_that_are_not_deflated_leave_escaped_or_as_base64);
    RUN_TEST(an_escaped_text_is_handed_out_where_it_lies);
    RUN_TEST(deflated_files_leave_the_same_whatever_their_window);
    RUN_TEST(a_file_between_other_pieces_keeps_its_place);
    RUN_TEST(stretches_of_a_file_leave_from_any_place_raw_or_deflated);
    RUN_TEST(stretches_of_an_escaped_file_leave_as_they_lie);
    RUN_TEST(stretches_that_ascend_are_read_in_one_pass);
    RUN_TEST(ranges_of_text_end_between_characters_and_leave_nothing_out);
    RUN_TEST(ranges_of_bytes_are_taken_as_they_are);
    RUN_TEST(hex_leaves_two_digits_a_byte);
    return UNITY_END();
}
