// Linux calls that Swift can't make itself: variadic ones, those that need feature macros
// (_GNU_SOURCE), and those without a wrapper in the C library. No logic lives here.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <time.h>

int rw_memfd_create(const char *name);
// Shrinking, growing and further writable mappings become impossible; existing mappings stay.
int rw_memfd_seal(int fd);
// Only the size is sealed: another process may map it for writing, and can't cut it short under a reader.
int rw_memfd_seal_size(int fd);
// openat2 with RESOLVE_BENEATH and no magic links; -1 and ENOSYS if the kernel lacks it.
int rw_open_beneath(int directory, const char *path, int flags);
int rw_open(const char *path, int flags, unsigned mode);
int rw_openat(int directory, const char *path, int flags, unsigned mode);
// A folder to open files below, not to read (O_PATH); -1 and errno on failure.
extern const int rw_folder_flags;
// A file or a folder, to ask what it is (O_PATH).
extern const int rw_path_flags;
int rw_open_folder(const char *path);
// A file without a name in `folder` (O_TMPFILE), and the link that gives it one without replacing
// anything: an unfinished file never appears, not even after a kill -9.
int rw_open_unnamed(int folder, unsigned mode);
int rw_link_unnamed(int fd, int folder, const char *name);
// renameat2(RENAME_NOREPLACE): fails with EEXIST instead of replacing.
int rw_rename_no_replace(int directory, const char *from, int target, const char *to);
// renameat2(RENAME_EXCHANGE): both names exist at every moment, one for each file.
int rw_rename_exchange(int directory, const char *from, int target, const char *to);
// sync_file_range(SYNC_FILE_RANGE_WRITE): starts writing dirty pages out, and doesn't wait for them.
int rw_begin_flush(int fd, int64_t offset, int64_t count);
// fallocate(FALLOC_FL_KEEP_SIZE): space for bytes that are written later; the file's size is
// unchanged.
int rw_reserve(int fd, int64_t offset, int64_t count);
// mallopt, mallinfo2 and malloc_trim are in <malloc.h>, which Swift's Glibc module leaves out.
void rw_bound_heap(int arenas, int mmap_threshold, int trim_threshold);
// The number of the kind of file system that a path is on (statfs), -1 if it leads nowhere.
int64_t rw_file_system(const char *path);
// eventfd(2): a descriptor that can be read once it was signalled.
int rw_open_signal(void);
void rw_signal(int fd);
// The bytes of allocations that were not freed; 0 if the allocator doesn't report them.
size_t rw_heap_in_use(void);
// Returns free pages inside the heap to the system.
void rw_trim_heap(void);
// memmem, which needs _GNU_SOURCE: the offset of `wanted` in `bytes`, -1 when it isn't there.
ptrdiff_t rw_find(const void *bytes, size_t count, const void *wanted, size_t wanted_count);
// A descriptor that becomes readable when the process ends; -1 and errno on failure.
int rw_pidfd_open(int pid);

// fork, which Swift doesn't import: only for a process that has one thread.
int rw_fork(void);
// The number of threads of this process; 0 without /proc.
int rw_thread_count(void);
// The number of the calling thread (gettid), and the clock of the processor time that a thread has used.
int rw_thread_number(void);
clockid_t rw_clock_of_thread(int thread);
// Has the kernel kill this process when the thread that has started it ends (PR_SET_PDEATHSIG), be it stopped or not.
void rw_end_with_parent(void);
// Gives up the capability to raise priorities, of the calling thread and those that it will start (CAP_SYS_NICE).
void rw_give_up_priorities(void);
// The name that ps and top show (PR_SET_NAME), of 15 bytes at most.
void rw_set_process_name(const char *name);
// Sends a packet with a descriptor over a local socket, as a whole; 0, or errno's code.
int rw_send_with_descriptor(int socket, const void *bytes, size_t count, int descriptor);
// Adds one to a number in memory that processes share, and returns the sum.
int64_t rw_shared_increment(void *number);
int64_t rw_shared_load(const void *number);

// Restrictions of a process for good, and of all that it starts. 0, or errno's code if the kernel
// doesn't have them. Programs, sockets, other processes and the system's administration are refused
// with EPERM. With local sockets, those of this machine (AF_UNIX) are allowed, and the calls that
// connect them; with those of the internet (AF_INET, AF_INET6), pairs of streams as well.
enum rw_sockets { RW_NO_SOCKETS, RW_LOCAL_SOCKETS, RW_INTERNET_SOCKETS };
int rw_filter_system_calls(enum rw_sockets sockets);
int rw_can_filter_system_calls(void);
// Files outside these folders are refused with EACCES; both lists end with a null.
int rw_restrict_files(const char *const *writable, const char *const *readable);
int rw_can_restrict_files(void);
int rw_limit_address_space(uint64_t bytes);
int rw_limit_file_size(uint64_t bytes);
int rw_limit_descriptors(uint64_t count);
void rw_write_no_core(void);

// A ring of audio for a device: frames of interleaved floats, and the device's clock, in memory
// that two processes may share. One side writes, the other one plays.
typedef struct rw_audio_ring rw_audio_ring;

typedef struct {
  // The number of the flush that the clock follows.
  uint32_t generation;
  // 0 while the device opens, 1 while it is open, 2 when it is gone, 3 when there is no such device.
  uint32_t state;
  // The number of frames that have been heard at a time of CLOCK_MONOTONIC, in nanoseconds; -1
  // before the first.
  int64_t heard;
  int64_t time;
  // The time from the device's read of a frame to its being heard, in nanoseconds.
  int64_t latency;
  uint32_t underruns;
} rw_audio_clock;

// The bytes of a device's ID, with its end: more than a scheme and a name of PulseAudio have.
#define RW_AUDIO_DEVICE_SIZE 192

size_t rw_audio_ring_size(uint32_t channels, uint32_t capacity);
void rw_audio_ring_init(rw_audio_ring *ring, uint32_t channels, uint32_t capacity);
// Makes a process the owner of a free ring; 0 if it isn't free. An owner of 0 frees it, 1 stands
// for a process that is gone.
int rw_audio_ring_claim(rw_audio_ring *ring, uint32_t owner);
uint32_t rw_audio_ring_owner(const rw_audio_ring *ring);
void rw_audio_ring_set_owner(rw_audio_ring *ring, uint32_t owner);
// Has the device close the stream that plays the ring.
void rw_audio_ring_end(rw_audio_ring *ring);
int rw_audio_ring_ending(const rw_audio_ring *ring);

// For the writer.
uint32_t rw_audio_ring_free(const rw_audio_ring *ring);
uint64_t rw_audio_ring_written(const rw_audio_ring *ring);
uint32_t rw_audio_ring_write(rw_audio_ring *ring, const float *samples, uint32_t frames);
// Has the device discard the frames that it hasn't played.
void rw_audio_ring_flush(rw_audio_ring *ring);
uint32_t rw_audio_ring_generation(const rw_audio_ring *ring);
void rw_audio_ring_set_running(rw_audio_ring *ring, int running);
// Has the device read the changed state.
void rw_audio_ring_command(rw_audio_ring *ring);
rw_audio_clock rw_audio_ring_clock(const rw_audio_ring *ring);
// The ID of the device that plays, which is another one after the server has moved the stream; empty before it plays.
// `id` has RW_AUDIO_DEVICE_SIZE bytes.
void rw_audio_ring_device(const rw_audio_ring *ring, char *id);
uint32_t rw_audio_ring_room(const rw_audio_ring *ring);
// Blocks until the device has read frames, or its state has changed.
void rw_audio_ring_wait_room(rw_audio_ring *ring, uint32_t known);

// For the device.
int rw_audio_ring_running(const rw_audio_ring *ring);
uint32_t rw_audio_ring_commands(const rw_audio_ring *ring);
void rw_audio_ring_wait_command(rw_audio_ring *ring, uint32_t known);
uint64_t rw_audio_ring_position(const rw_audio_ring *ring);
uint32_t rw_audio_ring_take(rw_audio_ring *ring, float *samples, uint32_t frames);
void rw_audio_ring_skip_flushed(rw_audio_ring *ring);
void rw_audio_ring_set_clock(rw_audio_ring *ring, const rw_audio_clock *clock);
// A longer ID is cut off.
void rw_audio_ring_set_device(rw_audio_ring *ring, const char *id);
// Wakes the threads that wait for room.
void rw_audio_ring_note(rw_audio_ring *ring);

