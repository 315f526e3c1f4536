// LD_PRELOAD shim: how long a process holds the ledger's lock, which is what its ledger costs, syncs included.
//   LOCK_TIME=f   write to f at the end: how often, seconds on the wall, seconds of the thread's processor time
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static char report[PATH_MAX];
static int held = -1;
static long times;
static double wall, processor, wall_began, processor_began;

__attribute__((constructor)) static void start(void) {
  const char *e = getenv("LOCK_TIME");
  if (e) snprintf(report, sizeof report, "%s", e);
  unsetenv("LD_PRELOAD");
}

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static int is_ledger(int descriptor) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n < 0) return 0;
  path[n] = 0;
  const char *end = ".sqlite.lock";
  return n > (ssize_t)strlen(end) && !strcmp(path + n - strlen(end), end);
}

static void let_go(int descriptor) {
  if (descriptor != held) return;
  held = -1;
  wall += now(CLOCK_MONOTONIC) - wall_began;
  processor += now(CLOCK_THREAD_CPUTIME_ID) - processor_began;
}

int flock(int descriptor, int how) {
  static int (*real)(int, int);
  if (!real) real = (int (*)(int, int))dlsym(RTLD_NEXT, "flock");
  if (how & LOCK_UN) let_go(descriptor);
  int result = real(descriptor, how);
  if (result == 0 && (how & LOCK_EX) && held < 0 && is_ledger(descriptor)) {
    held = descriptor;
    times++;
    wall_began = now(CLOCK_MONOTONIC);
    processor_began = now(CLOCK_THREAD_CPUTIME_ID);
  }
  return result;
}

int close(int descriptor) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "close");
  let_go(descriptor);
  return real(descriptor);
}

static void write_report(void) {
  if (!report[0]) return;
  FILE *f = fopen(report, "w");
  report[0] = 0;
  if (!f) return;
  fprintf(f, "%ld %.6f %.6f\n", times, wall, processor);
  fclose(f);
}

__attribute__((destructor)) static void finish(void) { write_report(); }
