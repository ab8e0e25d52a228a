/* unity_config.h -- what ESP-IDF adds to Unity: cases that register themselves. */
#ifndef UNITY_CONFIG_H
#define UNITY_CONFIG_H

#include <stddef.h>

struct unity_case {
    const char *name;
    void (*run)(void);
    int line;
    struct unity_case *next;
};

void unity_case_add(struct unity_case *one);
void unity_run_menu(void);

#define TEST_CASE(name, tags) TEST_CASE_AT(name, __LINE__)
#define TEST_CASE_AT(name, line) TEST_CASE_NAMED(name, line)
#define TEST_CASE_NAMED(name, line)                                                                                    \
    static void case_##line(void);                                                                                     \
    __attribute__((constructor)) static void add_##line(void)                                                          \
    {                                                                                                                  \
        static struct unity_case one = {name, case_##line, line, NULL};                                                \
        unity_case_add(&one);                                                                                          \
    }                                                                                                                  \
    static void case_##line(void)

#endif
