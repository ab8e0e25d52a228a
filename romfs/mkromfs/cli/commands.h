/* commands.h -- the commands of the image compiler, each with its options in its own file; host/main/skillrom.c lists them. */
#ifndef MKROMFS_COMMANDS_H
#define MKROMFS_COMMANDS_H

#include "cmdline.h"

extern const struct host_command cmd_new;
extern const struct host_command cmd_lint;
extern const struct host_command cmd_test;
extern const struct host_command cmd_explain;
extern const struct host_command cmd_pack;
extern const struct host_command cmd_info;
extern const struct host_command cmd_ls;
extern const struct host_command cmd_cat;
extern const struct host_command cmd_verify;
extern const struct host_command cmd_serve;
extern const struct host_command cmd_token;
extern const struct host_command cmd_keys;
extern const struct host_command cmd_sign;
extern const struct host_command cmd_update;

#endif
