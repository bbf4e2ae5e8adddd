#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "v4l2_format.h"

int rw_camera_control(int fd, unsigned long request, void *argument) {
  int result;
  do result = ioctl(fd, request, argument);
  while (result < 0 && errno == EINTR);
  return result;
}

static const struct {
  uint32_t fourcc;
  const char *name;
} known_formats[] = {
    {V4L2_PIX_FMT_YUYV, "yuyv422"},   {V4L2_PIX_FMT_UYVY, "uyvy422"},   {V4L2_PIX_FMT_NV12, "nv12"},
    {V4L2_PIX_FMT_YUV420, "yuv420p"}, {V4L2_PIX_FMT_YVU420, "yuv420p"}, {V4L2_PIX_FMT_GREY, "gray"},
    {V4L2_PIX_FMT_RGB24, "rgb24"},    {V4L2_PIX_FMT_BGR24, "bgr24"},
};

const char *rw_camera_pixels(uint32_t fourcc) {
  for (size_t index = 0; index < sizeof known_formats / sizeof known_formats[0]; index++)
    if (known_formats[index].fourcc == fourcc) return known_formats[index].name;
  return NULL;
}

static int is_jpeg(uint32_t fourcc) { return fourcc == V4L2_PIX_FMT_MJPEG || fourcc == V4L2_PIX_FMT_JPEG; }

static int is_shorter(struct v4l2_fract one, struct v4l2_fract other) {
  return (uint64_t)one.numerator * other.denominator < (uint64_t)other.numerator * one.denominator;
}

static int is_duration(struct v4l2_fract duration) { return duration.numerator > 0 && duration.denominator > 0; }

static void add_duration(rw_camera_format *format, struct v4l2_fract duration) {
  if (!is_duration(duration) || format->duration_count == RW_CAMERA_DURATIONS) return;
  format->durations[format->duration_count++] = (rw_camera_duration){duration.numerator, duration.denominator};
}

// Reads the frame durations of a size, of which the driver may state nothing but the one that is
// set.
static void find_durations(int fd, rw_camera_format *format) {
  for (unsigned index = 0; index < RW_CAMERA_DURATIONS; index++) {
    struct v4l2_frmivalenum interval = {
        .index = index, .pixel_format = format->fourcc, .width = format->width, .height = format->height};
    if (rw_camera_control(fd, VIDIOC_ENUM_FRAMEINTERVALS, &interval) < 0) break;
    if (interval.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
      add_duration(format, interval.discrete);
      continue;
    }
    struct v4l2_fract minimum = interval.stepwise.min, maximum = interval.stepwise.max;
    if (!is_duration(minimum) || !is_duration(maximum) || is_shorter(maximum, minimum)) break;
    format->is_range = 1;
    add_duration(format, minimum);
    add_duration(format, maximum);
    return;
  }
  if (format->duration_count > 0) return;
  struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  if (rw_camera_control(fd, VIDIOC_G_PARM, &parameters) == 0)
    add_duration(format, parameters.parm.capture.timeperframe);
  if (format->duration_count == 0) add_duration(format, (struct v4l2_fract){1, 30});
}

// Reads the driver's colours of a format.
static void find_colors(int fd, rw_camera_format *format) {
  struct v4l2_format tried = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  tried.fmt.pix.width = format->width;
  tried.fmt.pix.height = format->height;
  tried.fmt.pix.pixelformat = format->fourcc;
  tried.fmt.pix.field = V4L2_FIELD_ANY;
  tried.fmt.pix.priv = V4L2_PIX_FMT_PRIV_MAGIC;
  if (rw_camera_control(fd, VIDIOC_TRY_FMT, &tried) < 0) return;
  format->color_space = tried.fmt.pix.colorspace;
  // Without it the driver has no further colour information.
  if (tried.fmt.pix.priv != V4L2_PIX_FMT_PRIV_MAGIC) return;
  format->ycbcr_encoding = tried.fmt.pix.ycbcr_enc;
  format->quantization = tried.fmt.pix.quantization;
  format->transfer = tried.fmt.pix.xfer_func;
}

static void add_format(int fd, rw_camera_info *info, uint32_t fourcc, uint32_t width, uint32_t height) {
  if (info->count == RW_CAMERA_FORMATS || width == 0 || height == 0 || width > 16384 || height > 16384) return;
  rw_camera_format *format = &info->formats[info->count];
  *format = (rw_camera_format){
      .fourcc = fourcc, .pixel_format = rw_camera_pixels(fourcc), .width = width, .height = height};
  find_durations(fd, format);
  find_colors(fd, format);
  info->count++;
}

static int is_step(uint32_t value, uint32_t minimum, uint32_t maximum, uint32_t step) {
  return value >= minimum && value <= maximum && (value - minimum) % (step ? step : 1) == 0;
}

static void find_sizes(int fd, rw_camera_info *info, uint32_t fourcc) {
  static const uint32_t usual[][2] = {{320, 240}, {352, 288}, {640, 480}, {960, 540},
                                      {1280, 720}, {1920, 1080}, {3840, 2160}};
  for (unsigned index = 0; index < RW_CAMERA_FORMATS; index++) {
    struct v4l2_frmsizeenum size = {.index = index, .pixel_format = fourcc};
    if (rw_camera_control(fd, VIDIOC_ENUM_FRAMESIZES, &size) < 0) return;
    if (size.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
      add_format(fd, info, fourcc, size.discrete.width, size.discrete.height);
      continue;
    }
    struct v4l2_frmsize_stepwise steps = size.stepwise;
    uint32_t known = info->count;
    for (size_t place = 0; place < sizeof usual / sizeof usual[0]; place++) {
      uint32_t width = usual[place][0], height = usual[place][1];
      if (is_step(width, steps.min_width, steps.max_width, steps.step_width) &&
          is_step(height, steps.min_height, steps.max_height, steps.step_height))
        add_format(fd, info, fourcc, width, height);
    }
    if (info->count == known) add_format(fd, info, fourcc, steps.max_width, steps.max_height);
    return;
  }
}

static void copy_text(char *to, size_t size, const uint8_t *from, size_t length) {
  size_t count = 0;
  while (count < length && count + 1 < size && from[count]) count++;
  memcpy(to, from, count);
  to[count] = 0;
}

// Returns true while a program has its buffers: a request for none is refused to all others then.
static int is_in_use(int fd) {
  struct v4l2_requestbuffers none = {
      .count = 0, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
  return rw_camera_control(fd, VIDIOC_REQBUFS, &none) < 0 && errno == EBUSY;
}

static void look_at_formats(int fd, rw_camera_info *info) {
  for (unsigned index = 0; index < 64; index++) {
    struct v4l2_fmtdesc description = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    if (rw_camera_control(fd, VIDIOC_ENUM_FMT, &description) < 0) break;
    // A format that libv4l2 would convert from is listed, too.
    if (description.flags & V4L2_FMT_FLAG_EMULATED) continue;
    if (rw_camera_pixels(description.pixelformat) || is_jpeg(description.pixelformat))
      find_sizes(fd, info, description.pixelformat);
  }
  if (info->count == 0) info->refusal = "it has no format that is known";
}

int rw_camera_look(const char *path, int wants_formats, rw_camera_info *info) {
  memset(info, 0, sizeof *info);
  int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return errno;
  struct v4l2_capability capability = {0};
  if (rw_camera_control(fd, VIDIOC_QUERYCAP, &capability) < 0) {
    close(fd);
    return ENODEV;
  }
  uint32_t has = capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps : capability.capabilities;
  int result = has & (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE) ? 0 : ENODEV;
  copy_text(info->card, sizeof info->card, capability.card, sizeof capability.card);
  copy_text(info->bus, sizeof info->bus, capability.bus_info, sizeof capability.bus_info);
  if (!(has & V4L2_CAP_VIDEO_CAPTURE)) {
    info->refusal = "its frames are in several buffers each";
  } else if (!(has & V4L2_CAP_STREAMING)) {
    info->refusal = "it shares no buffers";
  } else if (wants_formats) {
    info->is_in_use = is_in_use(fd);
    look_at_formats(fd, info);
  }
  close(fd);
  return result;
}
