// Cameras of V4L2 that a test plays, through LD_PRELOAD.
//
// REELWIRE_CAMERAS is a folder. In it `video0` describes /dev/video0, a line each:
//   card NAME                bus PLACE             stride BYTES
//   format CODE WIDTHxHEIGHT N/D,N/D,… [range]     a size of a format, and the durations of its frames
//   colors SPACE ENCODING QUANTIZATION TRANSFER
//   fail NAME ERRNO          a call that fails: OPEN, QUERYCAP, S_FMT, REQBUFS, STREAMON
// and `video0.frames` is a socket that an open device is connected with. Each message from the test is a frame; each
// message to it is two numbers, the first of which is 0 for a start, 1 for a buffer that the driver gets, and its number.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum { BUFFERS = 3, FORMATS = 16, DURATIONS = 8, CAMERAS = 16 };

struct format {
  uint32_t code, width, height;
  int is_range, count;
  struct v4l2_fract durations[DURATIONS];
};

struct camera {
  // 0 where it isn't used.
  int fd;
  char card[32], bus[32];
  uint32_t colors[4], stride;
  int count;
  struct format formats[FORMATS];
  struct {
    char name[16];
    int error;
  } failures[8];
  int failure_count;
  size_t size;
  uint8_t *memory[BUFFERS];
  int is_queued[BUFFERS];
  int64_t start;
};

// The header that a test sends before the bytes of a frame.
struct header {
  uint32_t sequence, flags;
  // Microseconds since the first frame could come, and `used` in place of the number of bytes unless it is 0.
  uint64_t time;
  uint32_t used, reserved;
};

static struct camera cameras[CAMERAS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct camera *camera_of(int fd) {
  for (int index = 0; fd > 0 && index < CAMERAS; index++)
    if (cameras[index].fd == fd) return &cameras[index];
  return NULL;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static void read_format(struct camera *camera, const char *line) {
  char code[5], durations[200];
  struct format *format = &camera->formats[camera->count];
  int found = sscanf(line, "format %4s %ux%u %199s", code, &format->width, &format->height, durations);
  if (found < 3) return;
  format->code = v4l2_fourcc(code[0], code[1], code[2], code[3]);
  format->is_range = strstr(line, " range") != NULL;
  for (char *part = found == 4 ? strtok(durations, ",") : NULL; part; part = strtok(NULL, ",")) {
    struct v4l2_fract *duration = &format->durations[format->count];
    if (sscanf(part, "%u/%u", &duration->numerator, &duration->denominator) == 2) format->count++;
  }
  camera->count++;
}

static void read_line(struct camera *camera, const char *line) {
  sscanf(line, "card %31[^\n]", camera->card);
  sscanf(line, "bus %31[^\n]", camera->bus);
  sscanf(line, "stride %u", &camera->stride);
  sscanf(line, "colors %u %u %u %u", &camera->colors[0], &camera->colors[1], &camera->colors[2], &camera->colors[3]);
  if (sscanf(line, "fail %15s %d", camera->failures[camera->failure_count].name,
             &camera->failures[camera->failure_count].error) == 2)
    camera->failure_count++;
  read_format(camera, line);
}

// True, with errno, of a call that is to fail.
static int fails(const struct camera *camera, const char *name) {
  for (int index = 0; index < camera->failure_count; index++) {
    if (strcmp(camera->failures[index].name, name) != 0) continue;
    errno = camera->failures[index].error;
    return 1;
  }
  return 0;
}

static int open_camera(const char *folder, const char *name) {
  char path[300], line[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "re");
  if (!file) {
    errno = ENOENT;
    return -1;
  }
  struct camera made = {0};
  while (fgets(line, sizeof line, file)) read_line(&made, line);
  fclose(file);
  if (fails(&made, "OPEN")) return -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s/%s.frames", folder, name);
  made.fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made.fd < 0) return -1;
  if (connect(made.fd, (struct sockaddr *)&address, sizeof address) != 0) {
    NEXT(close)(made.fd);
    errno = ENODEV;
    return -1;
  }
  pthread_mutex_lock(&lock);
  for (int index = 0; index < CAMERAS; index++) {
    if (cameras[index].fd != 0) continue;
    cameras[index] = made;
    pthread_mutex_unlock(&lock);
    return made.fd;
  }
  abort();
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  const char *folder = getenv("REELWIRE_CAMERAS");
  if (folder && strncmp(path, "/dev/video", 10) == 0) return open_camera(folder, path + 5);
  return NEXT(open)(path, flags, mode);
}

int close(int fd) {
  struct camera *camera = camera_of(fd);
  if (camera) memset(camera, 0, sizeof *camera);
  return NEXT(close)(fd);
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  struct camera *camera = flags & MAP_ANONYMOUS ? NULL : camera_of(fd);
  if (!camera) return NEXT(mmap)(address, length, protection, flags, fd, offset);
  void *memory = NEXT(mmap)(NULL, length, protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) camera->memory[offset / 4096 % BUFFERS] = memory;
  return memory;
}

// A watch of /dev becomes one of the folder.
int inotify_add_watch(int fd, const char *path, uint32_t mask) {
  const char *folder = getenv("REELWIRE_CAMERAS");
  if (folder && strcmp(path, "/dev") == 0) path = folder;
  return NEXT(inotify_add_watch)(fd, path, mask);
}

static int refuse(int error) {
  errno = error;
  return -1;
}

static int capability(struct camera *camera, struct v4l2_capability *value) {
  if (fails(camera, "QUERYCAP")) return -1;
  memset(value, 0, sizeof *value);
  snprintf((char *)value->driver, sizeof value->driver, "played");
  snprintf((char *)value->card, sizeof value->card, "%s", camera->card);
  snprintf((char *)value->bus_info, sizeof value->bus_info, "%s", camera->bus);
  value->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
  value->capabilities = value->device_caps | V4L2_CAP_DEVICE_CAPS;
  return 0;
}

// The n-th code of a camera, each once; NULL after the last.
static const struct format *code_numbered(const struct camera *camera, unsigned number) {
  for (int index = 0; index < camera->count; index++) {
    int is_known = 0;
    for (int other = 0; other < index; other++) is_known |= camera->formats[other].code == camera->formats[index].code;
    if (!is_known && number-- == 0) return &camera->formats[index];
  }
  return NULL;
}

static const struct format *size_numbered(const struct camera *camera, uint32_t code, unsigned number) {
  for (int index = 0; index < camera->count; index++)
    if (camera->formats[index].code == code && number-- == 0) return &camera->formats[index];
  return NULL;
}

static const struct format *format_of(const struct camera *camera, uint32_t code, uint32_t width, uint32_t height) {
  for (int index = 0; index < camera->count; index++) {
    const struct format *format = &camera->formats[index];
    if (format->code == code && format->width == width && format->height == height) return format;
  }
  return NULL;
}

static int interval(const struct camera *camera, struct v4l2_frmivalenum *value) {
  const struct format *format = format_of(camera, value->pixel_format, value->width, value->height);
  if (!format || value->index >= (unsigned)(format->is_range ? 1 : format->count)) return refuse(EINVAL);
  if (format->is_range) {
    value->type = V4L2_FRMIVAL_TYPE_CONTINUOUS;
    value->stepwise.min = format->durations[0];
    value->stepwise.max = format->durations[1];
  } else {
    value->type = V4L2_FRMIVAL_TYPE_DISCRETE;
    value->discrete = format->durations[value->index];
  }
  return 0;
}

static int set_format(struct camera *camera, struct v4l2_format *value, int is_set) {
  if (is_set && fails(camera, "S_FMT")) return -1;
  struct v4l2_pix_format *pixels = &value->fmt.pix;
  const struct format *format = format_of(camera, pixels->pixelformat, pixels->width, pixels->height);
  if (!format) format = &camera->formats[0];
  pixels->pixelformat = format->code;
  pixels->width = format->width;
  pixels->height = format->height;
  pixels->bytesperline = camera->stride;
  pixels->colorspace = camera->colors[0];
  pixels->ycbcr_enc = camera->colors[1];
  pixels->quantization = camera->colors[2];
  pixels->xfer_func = camera->colors[3];
  pixels->priv = V4L2_PIX_FMT_PRIV_MAGIC;
  // The maximum of the formats' sizes.
  if (is_set) camera->size = (size_t)format->width * format->height * 4 + 65536;
  return 0;
}

static int take_frame(struct camera *camera, struct v4l2_buffer *value) {
  int index = 0;
  while (index < BUFFERS && !(camera->is_queued[index] && camera->memory[index])) index++;
  if (index == BUFFERS) return refuse(EAGAIN);
  struct header header;
  struct iovec parts[] = {{&header, sizeof header}, {camera->memory[index], camera->size}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  ssize_t count = recvmsg(camera->fd, &message, 0);
  if (count < 0) return errno == EAGAIN ? -1 : refuse(ENODEV);
  // It was unplugged.
  if (count == 0) return refuse(ENODEV);
  int64_t time = header.time;
  if ((header.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) {
    time += camera->start;
    // No camera has a frame before its time.
    while (now() < time) usleep(200);
  }
  camera->is_queued[index] = 0;
  value->index = (uint32_t)index;
  value->flags = header.flags;
  value->sequence = header.sequence;
  value->timestamp.tv_sec = time / 1000000;
  value->timestamp.tv_usec = time % 1000000;
  value->bytesused = header.used ? header.used : (uint32_t)((size_t)count - sizeof header);
  return 0;
}

static void report(const struct camera *camera, uint32_t kind, uint32_t value) {
  uint32_t message[] = {kind, value};
  send(camera->fd, message, sizeof message, MSG_NOSIGNAL);
}

static int describe_buffer(const struct camera *camera, struct v4l2_buffer *value) {
  if (value->index >= BUFFERS) return refuse(EINVAL);
  value->length = (uint32_t)camera->size;
  value->m.offset = value->index * 4096;
  return 0;
}

static int give_buffer(struct camera *camera, const struct v4l2_buffer *value) {
  if (value->index >= BUFFERS || camera->is_queued[value->index]) return refuse(EINVAL);
  camera->is_queued[value->index] = 1;
  if (camera->start) report(camera, 1, value->index);
  return 0;
}

static int request_buffers(struct camera *camera, struct v4l2_requestbuffers *value) {
  if (fails(camera, "REQBUFS")) return -1;
  // Another number than was requested.
  if (value->count > 0) value->count = BUFFERS;
  return 0;
}

static int stream(struct camera *camera) {
  if (fails(camera, "STREAMON")) return -1;
  camera->start = now();
  report(camera, 0, 0);
  return 0;
}

static int control(struct camera *camera, unsigned long request, void *value) {
  switch (request) {
    case VIDIOC_QUERYCAP: return capability(camera, value);
    case VIDIOC_ENUM_FMT: {
      struct v4l2_fmtdesc *description = value;
      const struct format *format = code_numbered(camera, description->index);
      if (!format) return refuse(EINVAL);
      description->pixelformat = format->code;
      return 0;
    }
    case VIDIOC_ENUM_FRAMESIZES: {
      struct v4l2_frmsizeenum *size = value;
      const struct format *format = size_numbered(camera, size->pixel_format, size->index);
      if (!format) return refuse(EINVAL);
      size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
      size->discrete.width = format->width;
      size->discrete.height = format->height;
      return 0;
    }
    case VIDIOC_ENUM_FRAMEINTERVALS: return interval(camera, value);
    case VIDIOC_TRY_FMT: return set_format(camera, value, 0);
    case VIDIOC_S_FMT: return set_format(camera, value, 1);
    case VIDIOC_S_PARM: return 0;
    case VIDIOC_REQBUFS: return request_buffers(camera, value);
    case VIDIOC_QUERYBUF: return describe_buffer(camera, value);
    case VIDIOC_QBUF: return give_buffer(camera, value);
    case VIDIOC_DQBUF: return take_frame(camera, value);
    case VIDIOC_STREAMON: return stream(camera);
    case VIDIOC_STREAMOFF: return 0;
    default: return refuse(ENOTTY);
  }
}

int ioctl(int fd, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  struct camera *camera = camera_of(fd);
  return camera ? control(camera, request, value) : NEXT(ioctl)(fd, request, value);
}
