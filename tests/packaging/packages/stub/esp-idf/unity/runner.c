/* runner.c -- runs every case, where a person would choose from a menu, and exits with the number of failures. */
#include <stdlib.h>

#include "unity.h"

static struct unity_case *cases;

void setUp(void)
{
}

void tearDown(void)
{
}

void unity_case_add(struct unity_case *one)
{
    one->next = cases;
    cases = one;
}

void unity_run_menu(void)
{
    UNITY_BEGIN();
    for (struct unity_case *one = cases; one != NULL; one = one->next) {
        UnityDefaultTestRun(one->run, one->name, one->line);
    }
    exit(UNITY_END());
}
