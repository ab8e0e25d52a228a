/* The socket of a shared serial port, as systems without abstract names have it (SKR_POLL): which files are removed for it
 * (defect 64). */
#define SKR_POLL 1
#define unlink remember_unlink

static int remember_unlink(const char *path);

#include "unity.h"

#include "../../host/transport/share.c"

static char unlinked[256], opened[256];
static bool folder_fails, socket_fails;

static int remember_unlink(const char *path)
{
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", unlinked, "two files are removed");
    (void)snprintf(unlinked, sizeof unlinked, "%s", path);
    return 0;
}

/* ---- What share.c calls ---- */

int posix_folder_open(char *path, const char **why)
{
    (void)snprintf(opened, sizeof opened, "%s", path);
    *why = "the test wants it";
    return folder_fails ? -1 : dup(STDERR_FILENO);
}

int host_socket(int family)
{
    return socket_fails ? -1 : socket(family, SOCK_STREAM, 0);
}

int host_accept(int listener, struct sockaddr *from, socklen_t *size)
{
    return accept(listener, from, size);
}

/* ---- Tests ---- */

void setUp(void)
{
    folder_fails = socket_fails = false;
    unlinked[0] = opened[0] = '\0';
}

void tearDown(void)
{
}

/* Fills the stack where transport_share_listen will have its address: an unset one is then a path. */
static void leave_a_path_on_the_stack(void)
{
    volatile char bytes[512];

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = 'x';
    }
}

static void a_name_that_cannot_be_made_removes_no_file(void)
{
    static const struct {
        const char *what, *port;
        size_t folder; /* bytes of XDG_RUNTIME_DIR */
        bool folder_fails, socket_fails;
    } rows[] = {
        {"the port does not exist", "/nowhere/tty", 4, false, false},
        {"the folder's name does not fit", "/dev/null", 120, false, false},
        {"the folder's name fits, the socket's does not", "/dev/null", 90, false, false},
        {"the folder cannot be used", "/dev/null", 4, true, false},
        {"there is no socket", "/dev/null", 4, false, true},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char folder[128] = "/";
        memset(folder + 1, 'r', rows[i].folder - 1);
        folder[rows[i].folder] = '\0';
        setenv("XDG_RUNTIME_DIR", folder, 1);
        folder_fails = rows[i].folder_fails;
        socket_fails = rows[i].socket_fails;
        leave_a_path_on_the_stack();
        TEST_ASSERT_EQUAL_MESSAGE(-1, transport_share_listen(rows[i].port), rows[i].what);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", unlinked, rows[i].what);
        TEST_ASSERT_EQUAL_MESSAGE(-1, transport_share_connect(rows[i].port), rows[i].what);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", unlinked, rows[i].what);
    }
}

/* Binding fails here, because the folder is only pretended. */
static void a_socket_that_was_left_behind_is_removed_and_nothing_else(void)
{
    setenv("XDG_RUNTIME_DIR", "/nowhere", 1);
    TEST_ASSERT_EQUAL(-1, transport_share_listen("/dev/null"));
    size_t n = strlen(opened);
    TEST_ASSERT_GREATER_THAN(strlen("/nowhere/skillrom-"), n);
    TEST_ASSERT_EQUAL_STRING_LEN(opened, unlinked, n);
    TEST_ASSERT_EQUAL_STRING_LEN("/bridge-", unlinked + n, strlen("/bridge-"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_name_that_cannot_be_made_removes_no_file);
    RUN_TEST(a_socket_that_was_left_behind_is_removed_and_nothing_else);
    return UNITY_END();
}
