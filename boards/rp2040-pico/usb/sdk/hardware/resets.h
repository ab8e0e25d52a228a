/* resets.h -- see ../pico.h. */
#include "pico.h"
