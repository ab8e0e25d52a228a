/* page.h -- the page for people, as page.c has it. core/wire/page/README.md says how that is made. */
#ifndef SKR_PAGE_H
#define SKR_PAGE_H

#include "skr_config.h"

extern const char skri_page_head[];           /* the head of the response after its status, with the empty line */
extern const unsigned char skri_page_bytes[]; /* gzip */
extern const unsigned short skri_page_size;

#endif
