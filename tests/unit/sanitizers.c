/* sanitizers.c -- what the sanitizers ask a test program about themselves. The image compiler is a host tool that
 * leaves its memory to the system when it exits, and so do tests that use it: no leak worth a report. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0:abort_on_error=1";
}

/* The libraries of the image compiler write where the memory sanitizer cannot see it, mostly to the heap. The core has
 * none, so nothing of it goes unwatched; msan-ignore.txt has the rest. */
const char *__msan_default_options(void);

const char *__msan_default_options(void)
{
    return "poison_in_malloc=0:poison_in_free=0";
}
