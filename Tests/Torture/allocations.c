// Makes allocations of the FFmpeg libraries fail as a row states, through LD_PRELOAD.
//
// The file that REELWIRE_ALLOCATIONS names is shared with the row: the settings there hold from the next call
// on. Only calls from within the libraries fail: Swift ends the process without memory.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct allocations {
  _Atomic int64_t armed;     // true if calls are counted, and may fail
  _Atomic int64_t remaining; // calls that still succeed
  _Atomic int64_t forever;   // true if all later ones fail too
  _Atomic int64_t seen;      // calls since it was armed
  _Atomic int64_t fired;     // the number of calls that have failed
  _Atomic int64_t limit;     // more bytes than that are never allocated; 0 for no limit
};

static struct allocations *shared;

static struct range { uintptr_t start, end; } ranges[16];
static int range_count;

static int note(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  static const char *const names[] = {
    "/libavformat.", "/libavcodec.", "/libavutil.", "/libswscale.", "/libswresample."};
  for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
    if (!strstr(info->dlpi_name, names[name])) continue;
    for (int at = 0; at < info->dlpi_phnum && range_count < 16; at++) {
      const ElfW(Phdr) *header = &info->dlpi_phdr[at];
      if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
      uintptr_t start = info->dlpi_addr + header->p_vaddr;
      ranges[range_count++] = (struct range){start, start + header->p_memsz};
    }
  }
  return 0;
}

// The libraries are mapped before any constructor runs.
__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("REELWIRE_ALLOCATIONS");
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  dl_iterate_phdr(note, NULL);
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (memory != MAP_FAILED) shared = memory;
}

static int fails(void *caller, size_t size) {
  if (!shared || !shared->armed) return 0;
  uintptr_t address = (uintptr_t)caller;
  int is_inside = 0;
  for (int at = 0; at < range_count; at++)
    is_inside |= ranges[at].start <= address && address < ranges[at].end;
  if (!is_inside) return 0;
  atomic_fetch_add(&shared->seen, 1);
  int64_t limit = shared->limit;
  if (limit > 0) {
    if ((int64_t)size <= limit) return 0;
  } else if (atomic_fetch_sub(&shared->remaining, 1) > 0) {
    return 0;
  } else if (!shared->forever && shared->fired > 0) {
    return 0;
  }
  atomic_fetch_add(&shared->fired, 1);
  errno = ENOMEM;
  return 1;
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

#define FAILS(size) fails(__builtin_return_address(0), size)

void *malloc(size_t size) { return FAILS(size) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) {
  return FAILS(count * size) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  return size && FAILS(size) ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  return FAILS(size) ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return FAILS(size) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (FAILS(size)) return ENOMEM;
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  void *memory = __libc_memalign(alignment, size);
  if (!memory) return ENOMEM;
  *result = memory;
  return 0;
}
