/* reason.c -- the sentence for each error of mounting. See romfs.h. */
#include "romfs.h"

const char *romfs_reason(int error)
{
    switch (error) {
    case ROMFS_OK: return "the image is valid";
    case ROMFS_ERR_SHORT: return "the image is truncated";
    case ROMFS_ERR_ALIGN: return "the image must start at a multiple of four";
    case ROMFS_ERR_MAGIC: return "this is not a skill image";
    case ROMFS_ERR_VERSION: return "made by another version of skillrom: pack it again with this one";
    case ROMFS_ERR_CHECKSUM: return "the image is damaged: its checksum does not match";
    case ROMFS_ERR_TABLE: return "a table lies outside the image";
    case ROMFS_ERR_TEXT: return "a text lies outside the image";
    case ROMFS_ERR_NODE: return "a file record contradicts itself";
    case ROMFS_ERR_ORDER: return "a table is not sorted";
    case ROMFS_ERR_SKILL: return "a skill record contradicts itself";
    case ROMFS_ERR_PROMPT: return "a prompt record contradicts itself";
    case ROMFS_ERR_WINDOW: return "the image needs a deflate window that this build does not have";
    default: return "unknown error";
    }
}
