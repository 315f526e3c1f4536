// What Linux offers that Swift's Glibc module hides or cannot call (variadic functions, macros).
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static inline int tagstation_open(const char *path, int flags, mode_t mode) {
  return open(path, flags | O_CLOEXEC, mode);
}
static inline int tagstation_openat(int folder, const char *path, int flags, mode_t mode) {
  return openat(folder, path, flags | O_CLOEXEC, mode);
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

/// A pipe whose ends are closed on exec: the reading one first; 0, or -1 with `errno`.
static inline int tagstation_pipe(int *ends) {
  extern int pipe2(int *, int);
  return pipe2(ends, O_CLOEXEC);
}
/// Starts `path` in `folder`, in a process group of its own; 0 or an error number.
///
/// It has /dev/null on standard input, `output` and `errors` on the others, no further descriptor, and
/// every signal neither blocked nor ignored.
static inline int tagstation_spawn(
    const char *path, char *const *words, char *const *settings, const char *folder, int output,
    int errors, pid_t *child) {
  extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
  extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawn_file_actions_addchdir_np(&actions, folder);
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  int code = posix_spawn(child, path, &actions, &attributes, words, settings);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}
/// Whether `child`, which stays to be waited for, has ended: its status, a signal's number below zero.
static inline int tagstation_has_ended(pid_t child, int *status) {
  siginfo_t info;
  info.si_pid = 0;
  if (waitid(P_PID, child, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid == 0) return 0;
  *status = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
  return 1;
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
