#include "CSystem.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Each field that one side writes has a cache line of its own. The memory may be shared with
// another process, so no value that the other side has written is trusted.
struct rw_audio_ring {
  uint32_t channels;
  uint32_t capacity;
  // The process that has claimed it, 0 for none; 1 if that is gone.
  _Atomic uint32_t owner;
  _Atomic uint32_t ending;
  _Alignas(64) _Atomic uint64_t written;
  _Alignas(64) _Atomic uint64_t read;
  _Alignas(64) _Atomic uint32_t generation;
  _Atomic uint64_t flushed;
  _Atomic uint32_t running;
  _Alignas(64) _Atomic uint32_t commands;
  _Alignas(64) _Atomic uint32_t room;
  // The clock: the sequence is odd while it is written.
  _Alignas(64) _Atomic uint32_t sequence;
  _Atomic uint32_t clock_generation;
  _Atomic int64_t heard;
  _Atomic int64_t time;
  _Atomic int64_t latency;
  _Atomic uint32_t underruns;
  _Atomic uint32_t state;
  // The device's ID, eight bytes at a time, within the same sequence.
  _Atomic uint64_t device[RW_AUDIO_DEVICE_SIZE / 8];
  _Alignas(64) float samples[];
};

static void wake(_Atomic uint32_t *word) {
  atomic_fetch_add_explicit(word, 1, memory_order_release);
  // Not FUTEX_PRIVATE: the other side may be another process.
  syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static void wait_for(_Atomic uint32_t *word, uint32_t known) {
  while (atomic_load_explicit(word, memory_order_acquire) == known) {
    if (syscall(SYS_futex, word, FUTEX_WAIT, known, NULL, NULL, 0) != 0 && errno != EINTR && errno != EAGAIN) return;
  }
}

size_t rw_audio_ring_size(uint32_t channels, uint32_t capacity) {
  return sizeof(struct rw_audio_ring) + (size_t)channels * capacity * sizeof(float);
}

void rw_audio_ring_init(rw_audio_ring *ring, uint32_t channels, uint32_t capacity) {
  uint32_t owner = atomic_load(&ring->owner);
  memset(ring, 0, sizeof *ring);
  atomic_store(&ring->owner, owner);
  ring->channels = channels;
  ring->capacity = capacity;
}

int rw_audio_ring_claim(rw_audio_ring *ring, uint32_t owner) {
  uint32_t none = 0;
  return atomic_compare_exchange_strong(&ring->owner, &none, owner);
}

uint32_t rw_audio_ring_owner(const rw_audio_ring *ring) { return atomic_load(&ring->owner); }
void rw_audio_ring_set_owner(rw_audio_ring *ring, uint32_t owner) { atomic_store(&ring->owner, owner); }

void rw_audio_ring_end(rw_audio_ring *ring) {
  atomic_store(&ring->ending, 1);
  wake(&ring->commands);
}

int rw_audio_ring_ending(const rw_audio_ring *ring) { return atomic_load(&ring->ending) != 0; }

uint32_t rw_audio_ring_free(const rw_audio_ring *ring) {
  uint64_t held = atomic_load(&ring->written) - atomic_load(&ring->read);
  return held >= ring->capacity ? 0 : (uint32_t)(ring->capacity - held);
}

uint64_t rw_audio_ring_written(const rw_audio_ring *ring) { return atomic_load(&ring->written); }

uint32_t rw_audio_ring_write(rw_audio_ring *ring, const float *samples, uint32_t frames) {
  uint32_t room = rw_audio_ring_free(ring);
  if (frames > room) frames = room;
  uint64_t at = atomic_load(&ring->written);
  for (uint32_t done = 0; done < frames;) {
    uint32_t place = (uint32_t)((at + done) % ring->capacity);
    uint32_t count = frames - done < ring->capacity - place ? frames - done : ring->capacity - place;
    memcpy(ring->samples + (size_t)place * ring->channels, samples + (size_t)done * ring->channels,
           (size_t)count * ring->channels * sizeof(float));
    done += count;
  }
  atomic_store_explicit(&ring->written, at + frames, memory_order_release);
  return frames;
}

void rw_audio_ring_flush(rw_audio_ring *ring) {
  atomic_store(&ring->flushed, atomic_load(&ring->written));
  atomic_fetch_add(&ring->generation, 1);
}

uint32_t rw_audio_ring_generation(const rw_audio_ring *ring) { return atomic_load(&ring->generation); }
void rw_audio_ring_set_running(rw_audio_ring *ring, int running) { atomic_store(&ring->running, running != 0); }
int rw_audio_ring_running(const rw_audio_ring *ring) { return atomic_load(&ring->running) != 0; }
void rw_audio_ring_command(rw_audio_ring *ring) { wake(&ring->commands); }
uint32_t rw_audio_ring_commands(const rw_audio_ring *ring) { return atomic_load(&ring->commands); }
void rw_audio_ring_wait_command(rw_audio_ring *ring, uint32_t known) { wait_for(&ring->commands, known); }
uint32_t rw_audio_ring_room(const rw_audio_ring *ring) { return atomic_load(&ring->room); }
void rw_audio_ring_wait_room(rw_audio_ring *ring, uint32_t known) { wait_for(&ring->room, known); }
void rw_audio_ring_note(rw_audio_ring *ring) { wake(&ring->room); }

uint64_t rw_audio_ring_position(const rw_audio_ring *ring) { return atomic_load(&ring->read); }

uint32_t rw_audio_ring_take(rw_audio_ring *ring, float *samples, uint32_t frames) {
  uint64_t read = atomic_load(&ring->read), written = atomic_load(&ring->written);
  if (written < read || written - read > ring->capacity) return 0;
  if (frames > written - read) frames = (uint32_t)(written - read);
  for (uint32_t done = 0; done < frames;) {
    uint32_t place = (uint32_t)((read + done) % ring->capacity);
    uint32_t count = frames - done < ring->capacity - place ? frames - done : ring->capacity - place;
    memcpy(samples + (size_t)done * ring->channels, ring->samples + (size_t)place * ring->channels,
           (size_t)count * ring->channels * sizeof(float));
    done += count;
  }
  atomic_store_explicit(&ring->read, read + frames, memory_order_release);
  return frames;
}

void rw_audio_ring_skip_flushed(rw_audio_ring *ring) {
  uint64_t flushed = atomic_load(&ring->flushed), read = atomic_load(&ring->read);
  if (flushed > read && flushed <= atomic_load(&ring->written)) atomic_store(&ring->read, flushed);
}

void rw_audio_ring_set_clock(rw_audio_ring *ring, const rw_audio_clock *clock) {
  atomic_fetch_add_explicit(&ring->sequence, 1, memory_order_acq_rel);
  atomic_store_explicit(&ring->clock_generation, clock->generation, memory_order_relaxed);
  atomic_store_explicit(&ring->heard, clock->heard, memory_order_relaxed);
  atomic_store_explicit(&ring->time, clock->time, memory_order_relaxed);
  atomic_store_explicit(&ring->latency, clock->latency, memory_order_relaxed);
  atomic_store_explicit(&ring->underruns, clock->underruns, memory_order_relaxed);
  atomic_store_explicit(&ring->state, clock->state, memory_order_relaxed);
  atomic_fetch_add_explicit(&ring->sequence, 1, memory_order_release);
}

void rw_audio_ring_set_device(rw_audio_ring *ring, const char *id) {
  uint64_t eights[RW_AUDIO_DEVICE_SIZE / 8] = {0};
  strncpy((char *)eights, id, RW_AUDIO_DEVICE_SIZE - 1);
  atomic_fetch_add_explicit(&ring->sequence, 1, memory_order_acq_rel);
  for (int i = 0; i < RW_AUDIO_DEVICE_SIZE / 8; i++)
    atomic_store_explicit(&ring->device[i], eights[i], memory_order_relaxed);
  atomic_fetch_add_explicit(&ring->sequence, 1, memory_order_release);
}

void rw_audio_ring_device(const rw_audio_ring *ring, char *id) {
  uint64_t eights[RW_AUDIO_DEVICE_SIZE / 8];
  for (int attempt = 0; attempt < 1000; attempt++) {
    uint32_t before = atomic_load_explicit(&ring->sequence, memory_order_acquire);
    for (int i = 0; i < RW_AUDIO_DEVICE_SIZE / 8; i++)
      eights[i] = atomic_load_explicit(&ring->device[i], memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    if (before % 2 == 0 && atomic_load_explicit(&ring->sequence, memory_order_relaxed) == before) break;
  }
  memcpy(id, eights, RW_AUDIO_DEVICE_SIZE);
  id[RW_AUDIO_DEVICE_SIZE - 1] = 0;
}

rw_audio_clock rw_audio_ring_clock(const rw_audio_ring *ring) {
  rw_audio_clock clock = {0};
  // A writer that ended in between has left an odd number: its last values are good enough then.
  for (int attempt = 0; attempt < 1000; attempt++) {
    uint32_t before = atomic_load_explicit(&ring->sequence, memory_order_acquire);
    clock.generation = atomic_load_explicit(&ring->clock_generation, memory_order_relaxed);
    clock.heard = atomic_load_explicit(&ring->heard, memory_order_relaxed);
    clock.time = atomic_load_explicit(&ring->time, memory_order_relaxed);
    clock.latency = atomic_load_explicit(&ring->latency, memory_order_relaxed);
    clock.underruns = atomic_load_explicit(&ring->underruns, memory_order_relaxed);
    clock.state = atomic_load_explicit(&ring->state, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    if (before % 2 == 0 && atomic_load_explicit(&ring->sequence, memory_order_relaxed) == before) break;
  }
  return clock;
}
