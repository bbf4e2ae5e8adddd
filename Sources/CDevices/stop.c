#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "CDevices.h"

int rw_stop_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void rw_stop_close(int stop) { close(stop); }

void rw_stop_trigger(int stop) {
  uint64_t one = 1;
  // It stays readable: nothing reads it.
  while (write(stop, &one, sizeof one) < 0 && errno == EINTR) {}
}

int64_t rw_monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int rw_stop_wait(int stop, int64_t nanoseconds) {
  int64_t end = rw_monotonic() + nanoseconds;
  for (;;) {
    int64_t rest = end - rw_monotonic();
    if (rest < 0) rest = 0;
    struct timespec timeout = {rest / 1000000000, rest % 1000000000};
    struct pollfd entry = {.fd = stop, .events = POLLIN};
    int found = ppoll(&entry, 1, &timeout, NULL);
    if (found > 0) return 1;
    if (found == 0) return 0;
    if (errno != EINTR && errno != EAGAIN) return 1;
  }
}
