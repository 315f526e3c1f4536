// LD_PRELOAD shim: records every change of regular files and folders below a folder, and what goes to a file
// of acknowledgements, in the order in which the calls returned.
//   POWER_FOLDER=f   the folder, an absolute path without links
//   POWER_LOG=f      where the record goes, outside that folder
//   POWER_SHOWN=f    the file that standard output is; what is written to it is recorded as shown
//
// The record is a sequence of entries: a line of text, then as many bytes as its last word says.
//   open NAME NEW SIZE 0      opened for writing; NEW is 1 where it was made, 2 where it was emptied
//   write NAME OFFSET n       n bytes at OFFSET
//   size NAME LENGTH 0        cut or grown
//   sync NAME 0               the file; syncfolder NAME 0: the folder
//   rename FROM TO 0          unlink NAME 0          mkdir NAME 0
//   shown - n                 n bytes on standard output
// NAME is relative to the folder, without blanks. Entries are written with one call each, under a lock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX], shown[PATH_MAX];
static int record = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(type, name, params)                                    \
  static type (*real_##name) params;                                \
  if (!real_##name) real_##name = (type(*) params)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void start(void) {
  const char *e = getenv("POWER_FOLDER");
  if (e) snprintf(folder, sizeof folder, "%s", e);
  if ((e = getenv("POWER_SHOWN"))) snprintf(shown, sizeof shown, "%s", e);
  if ((e = getenv("POWER_LOG"))) {
    REAL(int, open, (const char *, int, ...));
    int number = real_open(e, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    record = fcntl(number, F_DUPFD_CLOEXEC, 900);
    close(number);
  }
  unsetenv("LD_PRELOAD");  // children are not recorded
}

// The name below the folder of what a path leads to; NULL if it is elsewhere.
static const char *below(const char *path) {
  size_t length = strlen(folder);
  if (!length || strncmp(path, folder, length)) return NULL;
  if (!path[length]) return ".";
  return path[length] == '/' ? path + length + 1 : NULL;
}

// The real path of `path`, whose last part need not be there.
static const char *named(int at, const char *path, char *real) {
  char whole[PATH_MAX], parent[PATH_MAX], base[PATH_MAX];
  if (path[0] == '/') {
    snprintf(whole, sizeof whole, "%s", path);
  } else if (at == AT_FDCWD) {
    if (!getcwd(base, sizeof base)) return NULL;
    if (snprintf(whole, sizeof whole, "%s/%s", base, path) >= (int)sizeof whole) return NULL;
  } else {
    return NULL;
  }
  char *slash = strrchr(whole, '/');
  const char *last = slash + 1;
  if (!strcmp(last, ".") || !*last) return realpath(whole, real) ? below(real) : NULL;
  snprintf(parent, sizeof parent, "%.*s", (int)(slash - whole), whole);
  if (!realpath(parent[0] ? parent : "/", base)) return NULL;
  if (snprintf(real, PATH_MAX, "%s/%s", base, last) >= PATH_MAX) return NULL;
  return below(real);
}

static const char *opened(int descriptor, char *real) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t count = readlink(link, real, PATH_MAX - 1);
  if (count < 0) return NULL;
  real[count] = 0;
  return below(real);
}

static void put(const char *line, const void *bytes, size_t count) {
  REAL(ssize_t, write, (int, const void *, size_t));
  char head[3 * PATH_MAX];
  int length = snprintf(head, sizeof head, "%s %zu\n", line, count);
  char *entry = malloc(length + count);
  memcpy(entry, head, length);
  if (count) memcpy(entry + length, bytes, count);
  if (real_write(record, entry, length + count) != (ssize_t)(length + count)) abort();
  free(entry);
}

// Whether this write is to be recorded, and where it goes; `offset` is -1 for the file's own place.
static void wrote(int descriptor, const void *bytes, ssize_t count, off64_t offset) {
  char real[PATH_MAX], line[2 * PATH_MAX];
  if (count <= 0) return;
  struct stat s;
  if (fstat(descriptor, &s) || !S_ISREG(s.st_mode)) return;
  const char *name = opened(descriptor, real);
  if (shown[0] && !strcmp(real, shown)) return put("shown -", bytes, count);
  if (!name) return;
  if (offset < 0) offset = lseek(descriptor, 0, SEEK_CUR) - count;
  snprintf(line, sizeof line, "write %s %lld", name, (long long)offset);
  put(line, bytes, count);
}

#define ORDERED(body)              \
  if (record < 0) { body; }        \
  pthread_mutex_lock(&lock)
#define DONE                       \
  int kept = errno;                \
  pthread_mutex_unlock(&lock);     \
  errno = kept

ssize_t write(int f, const void *b, size_t c) {
  REAL(ssize_t, write, (int, const void *, size_t));
  ORDERED(return real_write(f, b, c));
  ssize_t n = real_write(f, b, c);
  wrote(f, b, n, -1);
  DONE;
  return n;
}
#define POSITIONED(name, off)                                          \
  ssize_t name(int f, const void *b, size_t c, off o) {                \
    REAL(ssize_t, name, (int, const void *, size_t, off));             \
    ORDERED(return real_##name(f, b, c, o));                           \
    ssize_t n = real_##name(f, b, c, o);                               \
    wrote(f, b, n, o);                                                 \
    DONE;                                                              \
    return n;                                                          \
  }
POSITIONED(pwrite, off_t)
POSITIONED(pwrite64, off64_t)

ssize_t writev(int f, const struct iovec *v, int count) {
  ssize_t all = 0;
  for (int i = 0; i < count; i++) {
    ssize_t n = write(f, v[i].iov_base, v[i].iov_len);
    if (n < 0) return all ? all : n;
    all += n;
    if ((size_t)n < v[i].iov_len) break;
  }
  return all;
}
ssize_t pwritev(int f, const struct iovec *v, int count, off_t o) {
  ssize_t all = 0;
  for (int i = 0; i < count; i++) {
    ssize_t n = pwrite(f, v[i].iov_base, v[i].iov_len, o + all);
    if (n < 0) return all ? all : n;
    all += n;
    if ((size_t)n < v[i].iov_len) break;
  }
  return all;
}
ssize_t pwritev64(int f, const struct iovec *v, int count, off64_t o) {
  return pwritev(f, v, count, o);
}

static void synced(int f) {
  char real[PATH_MAX], line[2 * PATH_MAX];
  struct stat s;
  const char *name = opened(f, real);
  if (!name || fstat(f, &s)) return;
  snprintf(line, sizeof line, "%s %s", S_ISDIR(s.st_mode) ? "syncfolder" : "sync", name);
  put(line, NULL, 0);
}
#define SYNC(name)                         \
  int name(int f) {                        \
    REAL(int, name, (int));                \
    ORDERED(return real_##name(f));        \
    int r = real_##name(f);                \
    if (!r) synced(f);                     \
    DONE;                                  \
    return r;                              \
  }
SYNC(fsync)
SYNC(fdatasync)

static void resized(int f, long long size) {
  char real[PATH_MAX], line[2 * PATH_MAX];
  const char *name = opened(f, real);
  if (!name) return;
  snprintf(line, sizeof line, "size %s %lld", name, size);
  put(line, NULL, 0);
}
#define RESIZE(name, off)                       \
  int name(int f, off size) {                   \
    REAL(int, name, (int, off));                \
    ORDERED(return real_##name(f, size));       \
    int r = real_##name(f, size);               \
    if (!r) resized(f, size);                   \
    DONE;                                       \
    return r;                                   \
  }
RESIZE(ftruncate, off_t)
RESIZE(ftruncate64, off64_t)

static int opening(int at, const char *path, int flags, mode_t mode,
                   int (*real_open)(int, const char *, int, ...)) {
  char real[PATH_MAX], line[2 * PATH_MAX];
  if (record < 0 || (flags & O_ACCMODE) == O_RDONLY) return real_open(at, path, flags, mode);
  pthread_mutex_lock(&lock);
  struct stat s;
  int was = fstatat(at, path, &s, 0) == 0;
  int f = real_open(at, path, flags, mode);
  const char *name;
  if (f >= 0 && fstat(f, &s) == 0 && S_ISREG(s.st_mode) && (name = named(at, path, real))) {
    int made = !was ? 1 : flags & O_TRUNC ? 2 : 0;
    snprintf(line, sizeof line, "open %s %d %lld", name, made, (long long)s.st_size);
    put(line, NULL, 0);
  }
  DONE;
  return f;
}
#define MODE                         \
  mode_t mode = 0;                   \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list list;                    \
    va_start(list, flags);           \
    mode = va_arg(list, mode_t);     \
    va_end(list);                    \
  }
#define OPEN(name, atname)                                    \
  int name(const char *path, int flags, ...) {                \
    MODE REAL(int, atname, (int, const char *, int, ...));    \
    return opening(AT_FDCWD, path, flags, mode, real_##atname); \
  }
#define OPENAT(name)                                          \
  int name(int at, const char *path, int flags, ...) {        \
    MODE REAL(int, name, (int, const char *, int, ...));      \
    return opening(at, path, flags, mode, real_##name);       \
  }
OPEN(open, openat)
OPEN(open64, openat64)
OPENAT(openat)
OPENAT(openat64)

int rename(const char *a, const char *b) {
  REAL(int, rename, (const char *, const char *));
  ORDERED(return real_rename(a, b));
  int r = real_rename(a, b);
  char one[PATH_MAX], other[PATH_MAX], line[2 * PATH_MAX];
  const char *from = named(AT_FDCWD, a, one), *to = named(AT_FDCWD, b, other);
  if (!r && from && to && snprintf(line, sizeof line, "rename %s %s", from, to) < (int)sizeof line)
    put(line, NULL, 0);
  DONE;
  return r;
}
#define NAMED(name, params, args, word)                             \
  int name params {                                                 \
    REAL(int, name, params);                                        \
    ORDERED(return real_##name args);                               \
    int r = real_##name args;                                       \
    char real[PATH_MAX], line[2 * PATH_MAX];                        \
    const char *what = r ? NULL : named(AT_FDCWD, path, real);      \
    if (what) {                                                     \
      snprintf(line, sizeof line, "%s %s", word, what);             \
      put(line, NULL, 0);                                           \
    }                                                               \
    DONE;                                                           \
    return r;                                                       \
  }
NAMED(unlink, (const char *path), (path), "unlink")
NAMED(mkdir, (const char *path, mode_t mode), (path, mode), "mkdir")
