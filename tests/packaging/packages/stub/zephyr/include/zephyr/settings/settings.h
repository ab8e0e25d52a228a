#include <stddef.h>
#include <sys/types.h>

typedef ssize_t (*settings_read_cb)(void *read_arg, void *data, size_t n);
typedef int (*settings_load_direct_cb)(const char *key, size_t n, settings_read_cb read, void *read_arg, void *param);

int settings_subsys_init(void);
int settings_load_subtree_direct(const char *subtree, settings_load_direct_cb found, void *param);
int settings_save_one(const char *name, const void *value, size_t n);
