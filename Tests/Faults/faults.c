// Makes system calls of the program fail as a test configures, through LD_PRELOAD.
//
// The file that REELWIRE_FAULTS names is shared with the test: its settings there hold from the next call on.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

struct faults {
  _Atomic int32_t call;      // the call that is to fail, by its number below; 0 for none
  _Atomic int32_t error;     // an errno; negative: the call transfers only that number of bytes
  _Atomic int32_t remaining; // calls that still succeed
  _Atomic int32_t forever;   // true if all later ones fail too
  _Atomic int32_t fired;     // the number of calls that have failed
  _Atomic int32_t named;     // true if files without a name are impossible
  _Atomic int32_t linkless;  // true if renaming without replacing is
  _Atomic int64_t inode;     // of the file whose reads may fail
};

enum { READ = 1, WRITE, FLUSH, LINK, DECODE, SIGNAL, UNLINK };

// An error that is none: the call waits until the test has no more faults.
enum { STALL = 9999 };

static struct faults *shared;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("REELWIRE_FAULTS");
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) shared = memory;
  close(fd);
}

// 0 if the call is to continue, else the error.
static int fault(int call) {
  if (!shared || shared->call != call) return 0;
  if (atomic_fetch_sub(&shared->remaining, 1) > 0) return 0;
  if (!shared->forever && atomic_fetch_add(&shared->fired, 1) > 0) return 0;
  if (shared->forever) atomic_fetch_add(&shared->fired, 1);
  if (shared->error != STALL) return shared->error;
  // A decoder that hangs does nothing at all.
  while (shared->call == call) usleep(call == DECODE ? 100000 : 1000);
  return 0;
}

static int is_source(int fd) {
  struct stat status;
  return shared && shared->call == READ && fstat(fd, &status) == 0 &&
         (int64_t)status.st_ino == shared->inode;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static ssize_t limited(int error, size_t *count) {
  if (error > 0) {
    errno = error;
    return -1;
  }
  if (error < 0 && *count > (size_t)-error) *count = (size_t)-error;
  return 0;
}

ssize_t pread(int fd, void *bytes, size_t count, off_t offset) {
  if (limited(is_source(fd) ? fault(READ) : 0, &count) < 0) return -1;
  return NEXT(pread)(fd, bytes, count, offset);
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t offset) {
  if (limited(is_source(fd) ? fault(READ) : 0, &count) < 0) return -1;
  return NEXT(pread64)(fd, bytes, count, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  if (limited(fault(WRITE), &count) < 0) return -1;
  return NEXT(pwrite)(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  if (limited(fault(WRITE), &count) < 0) return -1;
  return NEXT(pwrite64)(fd, bytes, count, offset);
}

int fsync(int fd) {
  size_t ignored = 0;
  if (limited(fault(FLUSH), &ignored) < 0) return -1;
  return NEXT(fsync)(fd);
}

int fdatasync(int fd) {
  size_t ignored = 0;
  if (limited(fault(FLUSH), &ignored) < 0) return -1;
  return NEXT(fdatasync)(fd);
}

// Temporary files are swept at any time; only the parts of an export are counted.
static bool is_part(const char *path) {
  size_t length = strlen(path);
  return length > 5 && !strcmp(path + length - 5, ".part");
}

int unlink(const char *path) {
  size_t ignored = 0;
  if (is_part(path) && limited(fault(UNLINK), &ignored) < 0) return -1;
  return NEXT(unlink)(path);
}

int unlinkat(int folder, const char *path, int flags) {
  size_t ignored = 0;
  if (is_part(path) && limited(fault(UNLINK), &ignored) < 0) return -1;
  return NEXT(unlinkat)(folder, path, flags);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
  size_t ignored = 0;
  if (limited(fault(LINK), &ignored) < 0) return -1;
  return NEXT(linkat)(from, old, to, new, flags);
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  size_t ignored = 0;
  if (shared && shared->linkless && flags) {
    errno = EINVAL;
    return -1;
  }
  if (limited(fault(LINK), &ignored) < 0) return -1;
  return NEXT(renameat2)(from, old, to, new, flags);
}

#define MODE                                                                                       \
  mode_t mode = 0;                                                                                 \
  if (flags & (O_CREAT | O_TMPFILE)) {                                                             \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    mode = va_arg(arguments, mode_t);                                                              \
    va_end(arguments);                                                                             \
  }                                                                                                \
  if (shared && shared->named && (flags & O_TMPFILE) == O_TMPFILE) {                               \
    errno = EOPNOTSUPP;                                                                            \
    return -1;                                                                                     \
  }

int openat(int folder, const char *path, int flags, ...) {
  MODE
  return NEXT(openat)(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  MODE
  return NEXT(openat64)(folder, path, flags, mode);
}

// The number of ways to reach the process that has started this one; plus 100 for those to itself.
static int ways_to_signal(void) {
  pid_t parent = getppid(), own = getpid();
  int pidfd = (int)syscall(SYS_pidfd_open, parent, 0), ends[2] = {-1, -1}, ways = 0;
  siginfo_t information = {.si_signo = SIGCONT, .si_code = SI_QUEUE};
  struct rlimit limit;
  ways += kill(parent, 0) == 0;
  ways += kill(0, 0) == 0;
  ways += syscall(SYS_tkill, parent, 0) == 0;
  ways += syscall(SYS_tgkill, parent, parent, 0) == 0;
  ways += syscall(SYS_rt_sigqueueinfo, parent, SIGCONT, &information) == 0;
  ways += syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0) == 0;
  ways += syscall(SYS_prlimit64, parent, RLIMIT_CPU, NULL, &limit) == 0;
  ways += pipe(ends) == 0 && fcntl(ends[0], F_SETOWN, parent) == 0;
  ways += fcntl(ends[0], F_SETSIG, SIGKILL) == 0;
  ways += 100 * (kill(own, 0) == 0 && syscall(SYS_tgkill, own, own, 0) == 0);
  ways += 100 * (fcntl(ends[0], F_GETFD) >= 0 && getrlimit(RLIMIT_CPU, &limit) == 0);
  close(ends[0]);
  close(ends[1]);
  close(pidfd);
  return ways;
}

// libavcodec's, which this is loaded before.
int avcodec_send_packet(void *context, const void *packet) {
  fault(DECODE);
  if (shared && shared->call == SIGNAL && shared->fired == 0) shared->fired = ways_to_signal();
  int (*next)(void *, const void *) = dlsym(RTLD_NEXT, "avcodec_send_packet");
  return next(context, packet);
}
