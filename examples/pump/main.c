/* main.c -- the DP-4 as a program for a PC, with every option that skillromd has. A board has its own main
 * and leaves this one out. */
#include "device.h"
#include "posix.h"

int main(int argc, char **argv)
{
    return skr_posix_main(&skr_example_device, argc, argv);
}
