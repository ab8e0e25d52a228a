/* update_config.h -- every limit of port/update, with its reason. Each may be set on the compiler's command line, to
 * the same value for everything that is linked together. */
#ifndef SKR_UPDATE_CONFIG_H
#define SKR_UPDATE_CONFIG_H

/* The largest unit of a flash; one of this size is on the stack while the end of an image is written. Pages of QSPI
 * chips have 256 bytes. */
#ifndef SKR_FLASH_UNIT_MAX
#define SKR_FLASH_UNIT_MAX 256u
#endif

/* An upload is divided into at most so many parts. After a reset it goes on at the last part that is whole; a part of
 * 100 KB is then 6 KB. Each takes a unit, 8 bytes at least, in a sector of records. */
#ifndef SKR_UPDATE_PARTS
#define SKR_UPDATE_PARTS 16u
#endif

/* Sectors of records, at least. A cut in the last unit of a record may leave it weak: it reads whole at one start and
 * not at the next. One weak record at a time is tolerated, with three sectors as with more (README.md, "How far it
 * holds"). */
#define SKR_UPDATE_RECORDS_MIN 3u

/* Bytes that are read from the old image at a time when it is copied or hashed; on the stack. */
#ifndef SKR_UPDATE_CHUNK
#define SKR_UPDATE_CHUNK 64u
#endif

#endif
