/* main.c -- the fixture as a program, with the command line of skillromd. */
#include "device.h"
#include "posix.h"

int main(int argc, char **argv)
{
    return skr_posix_main(&conformance_device, argc, argv);
}
