/* new_device.h -- `skillrom new --device`: the folder of a device that builds and runs as it is. */
#ifndef MKROMFS_NEW_DEVICE_H
#define MKROMFS_NEW_DEVICE_H

/* Creates dir/name: a lamp with one skill, one tool, one resource and their C, its main for a PC, and a Makefile for PC and boards.
 * Returns the exit code. */
int new_device(const char *dir, const char *name);

#endif
