// LD_PRELOAD shim: another wall clock; the monotonic one stays true.
//   CLOCK_OFFSET=s   so many seconds later (or earlier) than it is
//   CLOCK_RATE=r     and so many times as fast
//   CLOCK_STEP=s     from the n-th question on, n in CLOCK_STEP_AT, s seconds more
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int (*real)(clockid_t, struct timespec *);
static double offset, rate = 1, step, begun;
static long step_at = -1;
static atomic_long questions;

static double number(const char *name, double otherwise) {
  const char *e = getenv(name);
  return e ? atof(e) : otherwise;
}

__attribute__((constructor)) static void start(void) {
  real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  struct timespec now;
  real(CLOCK_REALTIME, &now);
  begun = now.tv_sec + now.tv_nsec / 1e9;
  offset = number("CLOCK_OFFSET", 0);
  rate = number("CLOCK_RATE", 1);
  step = number("CLOCK_STEP", 0);
  step_at = (long)number("CLOCK_STEP_AT", -1);
  unsetenv("LD_PRELOAD");
}

static void bend(struct timespec *t) {
  double now = t->tv_sec + t->tv_nsec / 1e9;
  now = begun + (now - begun) * rate + offset;
  long n = atomic_fetch_add(&questions, 1) + 1;
  if (step_at > 0 && n >= step_at) now += step;
  t->tv_sec = (time_t)now;
  t->tv_nsec = (long)((now - (double)t->tv_sec) * 1e9);
}

int clock_gettime(clockid_t id, struct timespec *t) {
  if (!real) start();
  int result = real(id, t);
  if (result == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) bend(t);
  return result;
}

int gettimeofday(struct timeval *v, void *zone) {
  (void)zone;
  struct timespec t;
  int result = clock_gettime(CLOCK_REALTIME, &t);
  v->tv_sec = t.tv_sec;
  v->tv_usec = t.tv_nsec / 1000;
  return result;
}

time_t time(time_t *where) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  if (where) *where = t.tv_sec;
  return t.tv_sec;
}
