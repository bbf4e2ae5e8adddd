#define _GNU_SOURCE
#include "CSystem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

// MARK: - Shared memory

int rw_memfd_create(const char *name) {
  return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int rw_memfd_seal(int fd) {
  int size = F_SEAL_SHRINK | F_SEAL_GROW;
  // Kernels before 5.1 lack the write seal: the size seals alone still hold.
  if (fcntl(fd, F_ADD_SEALS, size | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) == 0) return 0;
  return fcntl(fd, F_ADD_SEALS, size | F_SEAL_SEAL);
}

int rw_memfd_seal_size(int fd) {
  return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

// MARK: - Bytes

ptrdiff_t rw_find(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
  const char *found = memmem(bytes, count, wanted, wanted_count);
  return found ? found - (const char *)bytes : -1;
}

// MARK: - Files and folders

int rw_open_beneath(int directory, const char *path, int flags) {
  struct open_how how = {.flags = (uint64_t)(unsigned)flags,
                         .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int rw_open(const char *path, int flags, unsigned mode) { return open(path, flags, mode); }

int rw_openat(int directory, const char *path, int flags, unsigned mode) {
  return openat(directory, path, flags, mode);
}

const int rw_folder_flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

const int rw_path_flags = O_PATH | O_CLOEXEC;

int rw_open_folder(const char *path) { return open(path, rw_folder_flags); }

int rw_open_unnamed(int folder, unsigned mode) {
  return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int rw_link_unnamed(int fd, int folder, const char *name) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}

int rw_rename_no_replace(int directory, const char *from, int target, const char *to) {
  return renameat2(directory, from, target, to, RENAME_NOREPLACE);
}

int rw_rename_exchange(int directory, const char *from, int target, const char *to) {
  return renameat2(directory, from, target, to, RENAME_EXCHANGE);
}

int rw_begin_flush(int fd, int64_t offset, int64_t count) {
  return sync_file_range(fd, offset, count, SYNC_FILE_RANGE_WRITE);
}

int rw_reserve(int fd, int64_t offset, int64_t count) {
  return fallocate(fd, FALLOC_FL_KEEP_SIZE, offset, count);
}

// MARK: - The heap and processes

void rw_bound_heap(int arenas, int mmap_threshold, int trim_threshold) {
  mallopt(M_ARENA_MAX, arenas);
  mallopt(M_MMAP_THRESHOLD, mmap_threshold);
  mallopt(M_TRIM_THRESHOLD, trim_threshold);
}

int64_t rw_file_system(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (int64_t)(uint32_t)status.f_type : -1;
}

int rw_open_signal(void) { return eventfd(0, EFD_CLOEXEC); }

void rw_signal(int fd) { eventfd_write(fd, 1); }

size_t rw_heap_in_use(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
#else
  return 0;
#endif
}

void rw_trim_heap(void) { malloc_trim(0); }

int rw_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int rw_fork(void) { return fork(); }

int rw_thread_count(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return 0;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

int rw_thread_number(void) {
  static _Thread_local int number;
  if (!number) number = (int)syscall(SYS_gettid);
  return number;
}

clockid_t rw_clock_of_thread(int thread) {
  // The number that pthread_getcpuclockid makes of a thread's number, which may be that of a thread
  // that has ended.
  return (clockid_t)(~(unsigned)thread << 3 | 6);
}

void rw_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

void rw_give_up_priorities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &header, sets) != 0) return;
  sets[0].effective &= ~(1u << CAP_SYS_NICE);
  sets[0].permitted &= ~(1u << CAP_SYS_NICE);
  syscall(SYS_capset, &header, sets);
}

void rw_set_process_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int rw_send_with_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } passed = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
  memcpy(CMSG_DATA(&passed.header), &descriptor, sizeof descriptor);
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &passed, .msg_controllen = sizeof passed};
  ssize_t sent;
  while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
  return sent < 0 ? errno : 0;
}

int64_t rw_shared_increment(void *number) {
  return __atomic_add_fetch((int64_t *)number, 1, __ATOMIC_RELAXED);
}

int64_t rw_shared_load(const void *number) {
  return __atomic_load_n((const int64_t *)number, __ATOMIC_RELAXED);
}
