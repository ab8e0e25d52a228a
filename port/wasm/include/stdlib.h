/* stdlib.h -- for miniz, which includes it and needs nothing of it in this build. */
