// The formats of cameras.
#pragma once

#include <linux/videodev2.h>
#include <stddef.h>
#include <sys/ioctl.h>

#include "CDevices.h"

// Calls `ioctl` of libc: libraries that show cameras of their own to programs replace it, as they do `open`, `mmap` and
// `close`.
int rw_camera_control(int fd, unsigned long request, void *argument);

// FFmpeg's name; NULL if pixels of that format aren't known.
const char *rw_camera_pixels(uint32_t fourcc);
