#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "v4l2_format.h"

// The driver may provide more buffers than requested; some of them are enough.
enum { WANTED_BUFFERS = 4, MAXIMUM_BUFFERS = 32 };

struct rw_camera {
  int fd, stop;
  uint32_t fourcc;
  size_t width, height;
  // The distance of rows of the first plane, in bytes.
  size_t stride;
  unsigned count;
  struct {
    uint8_t *bytes;
    size_t size;
  } buffers[MAXIMUM_BUFFERS];
  int is_on;
  // Set since a wait has ended without a frame.
  int is_silent;
  // The buffer that was waited for, and the bytes in it.
  int is_filled;
  struct v4l2_buffer filled;
  size_t size;
};

static struct v4l2_buffer buffer_numbered(unsigned index) {
  return (struct v4l2_buffer){.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
}

static int set_format(rw_camera *camera, const rw_camera_format *format, rw_camera_duration duration) {
  struct v4l2_format wanted = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  wanted.fmt.pix.width = format->width;
  wanted.fmt.pix.height = format->height;
  wanted.fmt.pix.pixelformat = format->fourcc;
  wanted.fmt.pix.field = V4L2_FIELD_ANY;
  if (rw_camera_control(camera->fd, VIDIOC_S_FMT, &wanted) < 0) return errno;
  struct v4l2_pix_format *pixels = &wanted.fmt.pix;
  if (pixels->width != format->width || pixels->height != format->height || pixels->pixelformat != format->fourcc)
    return EINVAL;
  camera->stride = pixels->bytesperline;
  struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  parameters.parm.capture.timeperframe = (struct v4l2_fract){duration.numerator, duration.denominator};
  // Some cameras have one rate, and don't support the call.
  if (rw_camera_control(camera->fd, VIDIOC_S_PARM, &parameters) < 0 && errno == EBUSY) return EBUSY;
  return 0;
}

static int map_buffers(rw_camera *camera) {
  struct v4l2_requestbuffers request = {
      .count = WANTED_BUFFERS, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
  if (rw_camera_control(camera->fd, VIDIOC_REQBUFS, &request) < 0) return errno;
  for (unsigned index = 0; index < request.count && index < MAXIMUM_BUFFERS; index++) {
    struct v4l2_buffer buffer = buffer_numbered(index);
    if (rw_camera_control(camera->fd, VIDIOC_QUERYBUF, &buffer) < 0) return errno;
    void *bytes = mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, camera->fd, (off_t)buffer.m.offset);
    if (bytes == MAP_FAILED) return errno;
    camera->buffers[index].bytes = bytes;
    camera->buffers[index].size = buffer.length;
    camera->count = index + 1;
    if (rw_camera_control(camera->fd, VIDIOC_QBUF, &buffer) < 0) return errno;
  }
  return camera->count > 0 ? 0 : ENOMEM;
}

static int start(rw_camera *camera, const rw_camera_format *format, rw_camera_duration duration) {
  int failure = set_format(camera, format, duration);
  if (!failure) failure = map_buffers(camera);
  if (failure) return failure;
  enum v4l2_buf_type type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  if (rw_camera_control(camera->fd, VIDIOC_STREAMON, &type) < 0) return errno;
  camera->is_on = 1;
  return 0;
}

rw_camera *rw_camera_open(const char *path, const rw_camera_format *format, rw_camera_duration duration, int stop,
                          int *failure) {
  rw_camera *camera = calloc(1, sizeof *camera);
  if (!camera) {
    *failure = ENOMEM;
    return NULL;
  }
  camera->stop = stop;
  camera->fourcc = format->fourcc;
  camera->width = format->width;
  camera->height = format->height;
  camera->fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  *failure = camera->fd < 0 ? errno : start(camera, format, duration);
  if (*failure == 0) return camera;
  rw_camera_close(camera);
  return NULL;
}

size_t rw_camera_maximum_size(const rw_camera *camera) {
  size_t maximum = 0;
  for (unsigned index = 0; index < camera->count; index++)
    if (camera->buffers[index].size > maximum) maximum = camera->buffers[index].size;
  return maximum;
}

// Returns the driver's time, if it is a possible one of CLOCK_MONOTONIC.
static int64_t time_of(const struct v4l2_buffer *buffer) {
  int64_t now = rw_monotonic();
  if ((buffer->flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) != V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) return now;
  if (buffer->timestamp.tv_sec < 0 || buffer->timestamp.tv_sec > now / 1000000000) return now;
  int64_t time = buffer->timestamp.tv_sec * 1000000000LL + buffer->timestamp.tv_usec * 1000LL;
  return time > 0 && time < now ? time : now;
}

// Waits until there is a frame, which is `filled` then.
static int wait_for_buffer(rw_camera *camera, int64_t nanoseconds) {
  int64_t end = rw_monotonic() + nanoseconds;
  for (;;) {
    int64_t rest = end - rw_monotonic();
    if (rest < 0) rest = 0;
    struct pollfd entries[] = {{.fd = camera->fd, .events = POLLIN}, {.fd = camera->stop, .events = POLLIN}};
    int found = poll(entries, 2, (int)(rest / 1000000) + (rest > 0));
    if (found < 0 && errno == EINTR) continue;
    if (found < 0) return RW_CAMERA_IS_GONE;
    if (entries[1].revents) return RW_CAMERA_STOPPED;
    if (found == 0) return RW_CAMERA_IS_SILENT;
    camera->filled = buffer_numbered(0);
    if (rw_camera_control(camera->fd, VIDIOC_DQBUF, &camera->filled) == 0)
      return camera->filled.index < camera->count ? RW_CAMERA_HAS_FRAME : RW_CAMERA_IS_GONE;
    // The descriptor may be readable for another reason; then it is checked again after a pause.
    if (errno != EAGAIN || entries[0].revents & (POLLERR | POLLHUP | POLLNVAL)) return RW_CAMERA_IS_GONE;
    if (rest == 0) return RW_CAMERA_IS_SILENT;
    if (rw_stop_wait(camera->stop, 1000000)) return RW_CAMERA_STOPPED;
  }
}

int rw_camera_wait(rw_camera *camera, int64_t nanoseconds, rw_camera_frame *frame) {
  int state = wait_for_buffer(camera, nanoseconds);
  if (state != RW_CAMERA_STOPPED) camera->is_silent = state != RW_CAMERA_HAS_FRAME;
  if (state != RW_CAMERA_HAS_FRAME) return state;
  camera->is_filled = 1;
  int is_damaged = camera->filled.flags & V4L2_BUF_FLAG_ERROR ||
                   camera->filled.bytesused > camera->buffers[camera->filled.index].size;
  camera->size = is_damaged ? 0 : camera->filled.bytesused;
  frame->time = time_of(&camera->filled);
  frame->sequence = camera->filled.sequence;
  frame->size = camera->size;
  return RW_CAMERA_HAS_FRAME;
}

// Returns the bytes of a row of the first plane in a frame without padding.
static size_t row_size(uint32_t fourcc, size_t width) {
  switch (fourcc) {
    case V4L2_PIX_FMT_YUYV:
    case V4L2_PIX_FMT_UYVY: return (width + 1) / 2 * 4;
    case V4L2_PIX_FMT_RGB24:
    case V4L2_PIX_FMT_BGR24: return width * 3;
    default: return width;
  }
}

// The bytes of a frame that are still to be copied.
typedef struct {
  const uint8_t *bytes;
  size_t size;
} rest;

static int copy_plane(rest *from, size_t stride, size_t size, size_t height, uint8_t *bytes,
                      const rw_camera_plane *plane) {
  if (plane->row < size) return 0;
  for (size_t line = 0; line < height; line++) {
    // The last row may end with its last pixel.
    if (from->size < size) return 0;
    memcpy(bytes + plane->offset + line * plane->row, from->bytes, size);
    size_t step = stride < from->size ? stride : from->size;
    from->bytes += step;
    from->size -= step;
  }
  return 1;
}

static int copy_pixels(const rw_camera *camera, rest from, uint8_t *to, const rw_camera_plane *planes) {
  size_t size = row_size(camera->fourcc, camera->width);
  size_t stride = camera->stride >= size ? camera->stride : size;
  if (!copy_plane(&from, stride, size, camera->height, to, &planes[0])) return 0;
  size_t width = (camera->width + 1) / 2, height = (camera->height + 1) / 2;
  if (camera->fourcc == V4L2_PIX_FMT_NV12) {
    size_t own = width * 2;
    return copy_plane(&from, stride > own ? stride : own, own, height, to, &planes[1]);
  }
  if (camera->fourcc != V4L2_PIX_FMT_YUV420 && camera->fourcc != V4L2_PIX_FMT_YVU420) return 1;
  int first = camera->fourcc == V4L2_PIX_FMT_YVU420 ? 2 : 1;
  stride = stride / 2 > width ? stride / 2 : width;
  return copy_plane(&from, stride, width, height, to, &planes[first]) &&
         copy_plane(&from, stride, width, height, to, &planes[3 - first]);
}

int rw_camera_take(rw_camera *camera, uint8_t *bytes, const rw_camera_plane *planes) {
  if (!camera->is_filled) return 0;
  camera->is_filled = 0;
  int result = 0;
  if (bytes) {
    rest from = {camera->buffers[camera->filled.index].bytes, camera->size};
    result = from.size > 0;
    if (result && planes) result = copy_pixels(camera, from, bytes, planes);
    if (result && !planes) memcpy(bytes, from.bytes, from.size);
  }
  // A camera that is gone accepts none; the next wait finds that out.
  struct v4l2_buffer again = buffer_numbered(camera->filled.index);
  rw_camera_control(camera->fd, VIDIOC_QBUF, &again);
  return result;
}

void rw_camera_close(rw_camera *camera) {
  if (camera->is_on) {
    enum v4l2_buf_type type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    rw_camera_control(camera->fd, VIDIOC_STREAMOFF, &type);
  }
  // PipeWire's library reads the buffers that it has freed when their source has gone (v4l2_munmap
  // of pipewire-v4l2.c, 0.3.65): those stay mapped. It has no device.
  struct stat status;
  int is_device = fstat(camera->fd, &status) == 0 && S_ISCHR(status.st_mode);
  for (unsigned index = 0; index < camera->count && (is_device || !camera->is_silent); index++)
    munmap(camera->buffers[index].bytes, camera->buffers[index].size);
  if (camera->fd >= 0) close(camera->fd);
  free(camera);
}
