/* main.c -- skillromd: serves any image, with only the tools and resources that are in it. */
#include "posix.h"

int main(int argc, char **argv)
{
    static const struct skr_device none = {0};

    return skr_posix_main(&none, argc, argv);
}
