/* main.c -- the D1 as a program for a PC. A board has its own main and leaves this one out. */
#include "device.h"
#include "posix.h"

int main(int argc, char **argv)
{
    return skr_posix_main(&dispenser_device, argc, argv);
}
