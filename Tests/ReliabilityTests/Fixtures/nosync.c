// LD_PRELOAD shim: syncs of write-ahead logs do nothing, as with SQLite's `synchronous=NORMAL`.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_log(int descriptor) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t n = readlink(link, path, sizeof path - 1);
  return n > 4 && !memcmp(path + n - 4, "-wal", 4);
}

#define SYNC(name)                                        \
  int name(int descriptor) {                              \
    static int (*real)(int);                              \
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, #name); \
    return is_log(descriptor) ? 0 : real(descriptor);     \
  }
SYNC(fsync)
SYNC(fdatasync)
