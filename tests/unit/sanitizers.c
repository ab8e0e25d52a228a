/* sanitizers.c -- what the sanitizers ask a test program about themselves. The image compiler is a host tool that
 * leaves its memory to the system when it exits, and so do tests that use it: no leak worth a report. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0:abort_on_error=1";
}
