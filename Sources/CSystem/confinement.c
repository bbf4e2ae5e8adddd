#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <asm/sockios.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#define HAS_LANDLOCK 1
#else
#define HAS_LANDLOCK 0
#endif

// MARK: - System calls (seccomp)

#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

int rw_can_filter_system_calls(void) {
#ifdef OWN_ARCHITECTURE
  unsigned action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 ? 0 : errno;
#else
  return ENOSYS;
#endif
}

int rw_filter_system_calls(enum rw_sockets sockets) {
#ifdef OWN_ARCHITECTURE
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// The lower half of an argument, on a little-endian machine.
#define LOAD(number) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (number))
#define IS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define DENY(name) IS(SYS_##name, 0, 1), REFUSE
  unsigned own = (unsigned)getpid();
  // No family and no type has the other number.
  unsigned none = ~0u;
  unsigned family = sockets == RW_LOCAL_SOCKETS ? AF_UNIX : sockets == RW_INTERNET_SOCKETS ? AF_INET : none;
  unsigned other_family = sockets == RW_INTERNET_SOCKETS ? AF_INET6 : none;
  unsigned connecting = sockets != RW_NO_SOCKETS ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | EPERM;
  // A pair of streams leads nowhere else; one of datagrams can be connected to any local socket.
  unsigned pair = sockets == RW_INTERNET_SOCKETS ? SOCK_STREAM : none;
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      // Calls of another architecture have other numbers: none of them is let through.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
      // x32, which has the same architecture and other numbers.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#endif
      // Programs.
      DENY(execve), DENY(execveat),
      // Networks, and sockets of any kind but those that are requested; they only connect.
      IS(SYS_socket, 0, 5), LOAD(0), IS(family, 1, 0), IS(other_family, 0, 1), ALLOW, REFUSE,
      IS(SYS_connect, 0, 1), BPF_STMT(BPF_RET | BPF_K, connecting),
      IS(SYS_socketpair, 0, 5), LOAD(1), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf), IS(pair, 0, 1), ALLOW, REFUSE,
      DENY(bind), DENY(listen), DENY(accept), DENY(accept4),
      // Other processes.
      DENY(ptrace), DENY(process_vm_readv), DENY(process_vm_writev), DENY(setns), DENY(unshare),
      // Signals go to this process alone. With an owner, a descriptor would send them to others.
      DENY(tkill), DENY(rt_sigqueueinfo), DENY(rt_tgsigqueueinfo), DENY(pidfd_send_signal),
      DENY(pidfd_getfd),
      IS(SYS_kill, 0, 4), LOAD(0), IS(own, 0, 1), ALLOW, REFUSE,
      IS(SYS_tgkill, 0, 4), LOAD(0), IS(own, 0, 1), ALLOW, REFUSE,
      IS(SYS_fcntl, 0, 6), LOAD(1), IS(F_SETOWN, 3, 0), IS(F_SETOWN_EX, 2, 0),
      IS(F_SETSIG, 1, 0), ALLOW, REFUSE,
      IS(SYS_ioctl, 0, 5), LOAD(1), IS(FIOSETOWN, 2, 0), IS(SIOCSPGRP, 1, 0), ALLOW, REFUSE,
      // Nor are limits set for others, such as one of processor time.
      IS(SYS_prlimit64, 0, 5), LOAD(0), IS(0, 1, 0), IS(own, 0, 1), ALLOW, REFUSE,
      // The system.
      DENY(mount), DENY(umount2), DENY(pivot_root), DENY(chroot), DENY(swapon), DENY(swapoff),
      DENY(reboot), DENY(init_module), DENY(finit_module), DENY(delete_module), DENY(kexec_load),
      DENY(bpf), DENY(perf_event_open), DENY(add_key), DENY(request_key), DENY(keyctl),
      DENY(io_uring_setup), DENY(open_by_handle_at),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
#undef DENY
#undef IS
#undef LOAD
#undef ALLOW
#undef REFUSE
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
#else
  return ENOSYS;
#endif
}

// MARK: - Files (Landlock)

int rw_can_restrict_files(void) {
#if HAS_LANDLOCK
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? 0 : errno;
#else
  return ENOSYS;
#endif
}

#if HAS_LANDLOCK
static int allow(int rules, const char *path, uint64_t rights) {
  int fd = open(path, O_PATH | O_CLOEXEC);
  // A path that isn't there needs no rule.
  if (fd < 0) return 0;
  struct stat status;
  if (fstat(fd, &status) == 0 && !S_ISDIR(status.st_mode)) {
    rights &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | (1ULL << 14);
  }
  struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = fd};
  long result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  int failure = result == 0 ? 0 : errno;
  close(fd);
  return failure;
}
#endif

int rw_restrict_files(const char *const *writable, const char *const *readable) {
#if HAS_LANDLOCK
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version <= 0) return errno;
  // The thirteen rights of the first version; REFER came with the second, TRUNCATE with the third. The
  // headers that this is compiled with may lack them.
  uint64_t all = (1ULL << 13) - 1;
  if (version >= 2) all |= 1ULL << 13;
  if (version >= 3) all |= 1ULL << 14;
  uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  struct landlock_ruleset_attr attributes = {.handled_access_fs = all};
  int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes,
                           sizeof attributes.handled_access_fs, 0);
  if (rules < 0) return errno;
  int failure = 0;
  for (; !failure && *writable; writable++) {
    failure = allow(rules, *writable, all & ~(uint64_t)LANDLOCK_ACCESS_FS_EXECUTE);
  }
  for (; !failure && *readable; readable++) failure = allow(rules, *readable, reading);
  if (!failure && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) failure = errno;
  if (!failure && syscall(SYS_landlock_restrict_self, rules, 0) != 0) failure = errno;
  close(rules);
  return failure;
#else
  return ENOSYS;
#endif
}

// MARK: - Resources

static int limit_to(int resource, uint64_t value) {
  struct rlimit limit = {value, value};
  return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

int rw_limit_address_space(uint64_t bytes) { return limit_to(RLIMIT_AS, bytes); }
int rw_limit_file_size(uint64_t bytes) { return limit_to(RLIMIT_FSIZE, bytes); }

int rw_limit_descriptors(uint64_t count) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return errno;
  if (limit.rlim_max > count) limit.rlim_max = count;
  if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? 0 : errno;
}

void rw_write_no_core(void) { limit_to(RLIMIT_CORE, 0); }
