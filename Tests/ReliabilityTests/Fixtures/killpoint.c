// LD_PRELOAD shim: SIGKILL (or an error) at the n-th write, sync, truncate, unlink or rename of the whole
// process, counted over all its threads.
//   KILL_AT=n        act at the n-th counted call; KILL_AFTER=1 acts after the call instead of before it
//   KILL_ERRNO=e     let that call fail with errno e instead of killing
//   KILL_LASTING=1   let every counted call from the n-th on fail
//   KILL_ONLY=word   count only `sync` (fsync, fdatasync), `filesync` (those of files, not of folders) or
//                    `files` (calls on files and folders)
//   KILL_COUNT=f     write the number of counted calls to f when the process exits normally
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { PLAIN, SYNC };

static atomic_long calls;
static long at = -1;
static int after, failure, lasting, only_sync, only_filesync, only_files;
static char report[4096];

__attribute__((constructor)) static void start(void) {
  const char *e = getenv("KILL_AT");
  if (e) at = atol(e);
  after = getenv("KILL_AFTER") != NULL;
  lasting = getenv("KILL_LASTING") != NULL;
  if ((e = getenv("KILL_ERRNO"))) failure = atoi(e);
  if ((e = getenv("KILL_ONLY"))) {
    only_filesync = !strcmp(e, "filesync");
    only_sync = only_filesync || !strcmp(e, "sync");
    only_files = !strcmp(e, "files");
  }
  if ((e = getenv("KILL_COUNT"))) snprintf(report, sizeof report, "%s", e);
  unsetenv("LD_PRELOAD");  // children are not counted
}

static void write_report(void) {
  if (!report[0]) return;
  long n = atomic_load(&calls);
  FILE *f = fopen(report, "w");
  if (f) { fprintf(f, "%ld\n", n); fclose(f); }
  report[0] = 0;
}

__attribute__((destructor)) static void finish(void) { write_report(); }

void _exit(int status) {
  write_report();
  void (*real)(int) = (void (*)(int))dlsym(RTLD_NEXT, "_exit");
  real(status);
  __builtin_unreachable();
}

static void die(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

// Whether a descriptor stands for a file or folder; -1 is a call that takes a path.
static int is_file(int descriptor) {
  struct stat s;
  return descriptor < 0
      || (fstat(descriptor, &s) == 0 && (S_ISREG(s.st_mode) || S_ISDIR(s.st_mode)));
}

static int is_folder(int descriptor) {
  struct stat s;
  return fstat(descriptor, &s) == 0 && S_ISDIR(s.st_mode);
}

// The number of this call; 0 if it is not counted.
static long number(enum kind kind, int descriptor) {
  if (only_sync && kind != SYNC) return 0;
  if (only_filesync && is_folder(descriptor)) return 0;
  if (only_files && !is_file(descriptor)) return 0;
  return atomic_fetch_add(&calls, 1) + 1;
}

#define COUNTED(kind, descriptor, type, name, params, args)                  \
  type name params {                                                         \
    static type (*real) params;                                              \
    if (!real) real = (type(*) params)dlsym(RTLD_NEXT, #name);               \
    long n = number(kind, descriptor);                                       \
    int mine = n > 0 && at > 0 && (n == at || (lasting && n > at));          \
    if (mine && failure) { errno = failure; return -1; }                     \
    if (mine && !after) die();                                               \
    type result = real args;                                                 \
    if (mine) die();                                                         \
    return result;                                                           \
  }

COUNTED(PLAIN, f, ssize_t, write, (int f, const void *b, size_t c), (f, b, c))
COUNTED(PLAIN, f, ssize_t, pwrite, (int f, const void *b, size_t c, off_t o), (f, b, c, o))
COUNTED(PLAIN, f, ssize_t, pwrite64, (int f, const void *b, size_t c, off64_t o), (f, b, c, o))
COUNTED(SYNC, f, int, fsync, (int f), (f))
COUNTED(SYNC, f, int, fdatasync, (int f), (f))
COUNTED(PLAIN, f, int, ftruncate, (int f, off_t o), (f, o))
COUNTED(PLAIN, f, int, ftruncate64, (int f, off64_t o), (f, o))
COUNTED(PLAIN, -1, int, unlink, (const char *p), (p))
COUNTED(PLAIN, -1, int, rename, (const char *a, const char *b), (a, b))
