// What Linux offers that Swift's Glibc module hides or cannot call (variadic functions, macros).
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static inline int tagstation_open(const char *path, int flags, mode_t mode) {
  return open(path, flags | O_CLOEXEC, mode);
}
static inline int tagstation_errno(void) { return errno; }
/// A duplicate of `descriptor` numbered `least` or higher, closed on exec.
static inline int tagstation_duplicate_above(int descriptor, int least) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, least);
}
static inline int tagstation_set_nonblocking(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

/// Lets the slave side of the pseudo-terminal be opened.
static inline int tagstation_unlock_terminal(int master) {
  int locked = 0;
  return ioctl(master, TIOCSPTLCK, &locked);
}
/// The number of the slave under /dev/pts, or -1.
static inline int tagstation_terminal_number(int master) {
  unsigned int number = 0;
  return ioctl(master, TIOCGPTN, &number) < 0 ? -1 : (int)number;
}
/// The speed of a terminal in baud as the kernel keeps it (termios2), or -1.
static inline int tagstation_terminal_speed(int descriptor) {
  struct {
    unsigned int modes[4];
    unsigned char line, characters[19];
    unsigned int input, output;
  } settings;
  int got = ioctl(descriptor, _IOC(_IOC_READ, 'T', 0x2A, sizeof settings), &settings);
  return got < 0 ? -1 : (int)settings.output;
}
/// Waits for input on two descriptors, at most `nanoseconds` (negative: without end).
///
/// Bit 0 of the answer stands for the first, bit 1 for the second; -1 is an error.
static inline int tagstation_wait_readable(int first, int second, long long nanoseconds) {
  extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
  struct pollfd waits[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  int ready = ppoll(waits, 2, nanoseconds < 0 ? 0 : &limit, 0);
  if (ready < 0) return errno == EINTR ? 0 : -1;
  return (waits[0].revents ? 1 : 0) | (waits[1].revents ? 2 : 0);
}
/// Gives `thread` a name of at most 15 bytes for debuggers.
static inline int tagstation_name_thread(pthread_t thread, const char *name) {
  extern int pthread_setname_np(pthread_t, const char *);
  return pthread_setname_np(thread, name);
}
/// Memory of its own for `size` bytes, 0 if there is none.
///
/// Kept out of swap space and core dumps where the system allows.
static inline void *tagstation_secret_memory(size_t size) {
  void *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 0;
  mlock(memory, size);
  madvise(memory, size, MADV_DONTDUMP);
  return memory;
}
/// Overwrites such memory and gives it back.
static inline void tagstation_forget_secret(void *memory, size_t size) {
  explicit_bzero(memory, size);
  munmap(memory, size);
}
