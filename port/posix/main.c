/* main.c -- skillromd: the server of the example device, as a program. */
#include "../../examples/device/device.h"
#include "posix.h"

int main(int argc, char **argv)
{
    return skr_posix_main(&skr_example_device, argc, argv);
}
