#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "CDevices.h"

enum { EVENTS = IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO };

struct rw_camera_watch {
  int fd, devices;
};

// Watches the folders of udev's links, which are made with the first camera, and removed with the
// last.
static void watch_links(rw_camera_watch *watch) {
  inotify_add_watch(watch->fd, "/dev/v4l", EVENTS);
  inotify_add_watch(watch->fd, "/dev/v4l/by-id", EVENTS);
  inotify_add_watch(watch->fd, "/dev/v4l/by-path", EVENTS);
}

rw_camera_watch *rw_camera_watch_open(int *failure) {
  rw_camera_watch *watch = calloc(1, sizeof *watch);
  *failure = ENOMEM;
  if (!watch) return NULL;
  watch->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (watch->fd >= 0) watch->devices = inotify_add_watch(watch->fd, "/dev", EVENTS | IN_ONLYDIR);
  if (watch->fd >= 0 && watch->devices >= 0) {
    watch_links(watch);
    return watch;
  }
  *failure = errno;
  rw_camera_watch_close(watch);
  return NULL;
}

// Returns true for events of cameras and of the folder of their links, among the many files in
// /dev.
static int is_of_cameras(const rw_camera_watch *watch, const struct inotify_event *event) {
  if (event->mask & IN_Q_OVERFLOW) return 1;
  if (event->wd != watch->devices) return 1;
  if (event->len == 0) return 0;
  if (strcmp(event->name, "v4l") == 0) return 1;
  return strncmp(event->name, "video", 5) == 0 && event->name[5] != 0 &&
         strspn(event->name + 5, "0123456789") == strlen(event->name + 5);
}

// Reads all pending events. Returns 1 if one is of cameras.
static int take_events(rw_camera_watch *watch) {
  int result = 0;
  char bytes[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
  ssize_t count;
  while ((count = read(watch->fd, bytes, sizeof bytes)) > 0) {
    for (ssize_t place = 0; place < count;) {
      const struct inotify_event *event = (const struct inotify_event *)(bytes + place);
      if (is_of_cameras(watch, event)) result = 1;
      place += (ssize_t)sizeof *event + event->len;
    }
  }
  return result;
}

int rw_camera_watch_wait(rw_camera_watch *watch, int stop) {
  for (;;) {
    struct pollfd entries[] = {{.fd = watch->fd, .events = POLLIN}, {.fd = stop, .events = POLLIN}};
    if (poll(entries, 2, -1) < 0 && errno != EINTR) return RW_WATCH_LOST;
    if (entries[1].revents) return RW_WATCH_STOPPED;
    if (!entries[0].revents || !take_events(watch)) continue;
    watch_links(watch);
    return RW_WATCH_CHANGED;
  }
}

void rw_camera_watch_close(rw_camera_watch *watch) {
  if (watch->fd >= 0) close(watch->fd);
  free(watch);
}
