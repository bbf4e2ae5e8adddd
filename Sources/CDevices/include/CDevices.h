// Servers of audio, screens and cameras; the first use opens their libraries.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "CSystem.h"

// The ID of an audio server's device is its name after this.
#define RW_PULSE_SCHEME "pulse:"

typedef struct rw_pulse_output rw_pulse_output;

// Opens an output of a PulseAudio server (or PipeWire's) that plays a ring; NULL for the default
// device. Waits at most two seconds. Returns NULL, with the reason in `error`.
rw_pulse_output *rw_pulse_output_open(const char *device, uint32_t rate, uint32_t channels, rw_audio_ring *ring,
                                      char *error, size_t size);
void rw_pulse_output_close(rw_pulse_output *output);

// A device of a PulseAudio server. The texts may be NULL.
typedef struct {
  char *name, *description, *model;
  const char *sample_format;
  uint32_t rate, channels;
  int is_default, is_in_use, is_monitor;
} rw_pulse_device;

// Lists the inputs or the outputs of the server; waits at most two seconds. Returns 0, with the
// reason in `error`, if there is no list. The caller frees the devices.
int rw_pulse_list(int is_of_inputs, rw_pulse_device **devices, size_t *count, char *error, size_t size);
void rw_pulse_free_devices(rw_pulse_device *devices, size_t count);

// Opens a descriptor that can be read once rw_stop_trigger was called, for all waits for a device;
// -1 with errno.
int rw_stop_open(void);
void rw_stop_close(int stop);
void rw_stop_trigger(int stop);
// Waits at most `nanoseconds`. Returns 1 if it was triggered.
int rw_stop_wait(int stop, int64_t nanoseconds);
// The time of CLOCK_MONOTONIC, in nanoseconds.
int64_t rw_monotonic(void);

typedef struct rw_pulse_input rw_pulse_input;

// The end of a wait for an input.
enum {
  RW_INPUT_STOPPED = 0,
  RW_INPUT_HAS_SAMPLES = 1,
  RW_INPUT_LOST_SERVER = 2,
  RW_INPUT_IS_GONE = 3,
};

// A piece of an input's audio.
typedef struct {
  // The number of frames of one channel. If `is_missing`, the frames are missing, and there are no
  // bytes for them.
  uint32_t frames;
  int is_missing;
  // The position of the first frame, counted from the first one that was captured.
  int64_t position;
  // A position, and the time at which its frame was at the device, on CLOCK_MONOTONIC; `has_point`
  // is 0 if it isn't newer than that of the piece before.
  int has_point;
  int64_t point_position, point_time;
} rw_pulse_piece;

// Opens an input of a PulseAudio server (or PipeWire's) that delivers floats in pieces of about
// `frames`; waits at most two seconds. Returns NULL, with the reason in `error`, and
// RW_INPUT_LOST_SERVER or RW_INPUT_IS_GONE in `state`.
rw_pulse_input *rw_pulse_input_open(const char *source, uint32_t rate, uint32_t channels, uint32_t frames, int stop,
                                    int *state, char *error, size_t size);
// Waits for the next piece.
int rw_pulse_input_wait(rw_pulse_input *input, rw_pulse_piece *piece);
// Copies the piece that was waited for, unless it is missing.
void rw_pulse_input_copy(const rw_pulse_input *input, void *bytes);
void rw_pulse_input_close(rw_pulse_input *input);

// The end of a wait for changes of devices.
enum {
  RW_WATCH_STOPPED = 0,
  RW_WATCH_CHANGED = 1,
  // The server is gone.
  RW_WATCH_LOST = 2,
};

typedef struct rw_pulse_watch rw_pulse_watch;

// Has a PulseAudio server (or PipeWire's) report changes of its inputs and defaults; waits at most
// two seconds. Returns NULL, with the reason in `error`.
rw_pulse_watch *rw_pulse_watch_open(int stop, char *error, size_t size);
// Waits for a change since the last call, or since it was opened.
int rw_pulse_watch_wait(rw_pulse_watch *watch);
void rw_pulse_watch_close(rw_pulse_watch *watch);

// A screen of the X server that DISPLAY names.
typedef struct {
  int display, number;
  uint32_t width, height, depth;
  // The reason for which it can't be captured; NULL if it can.
  const char *refusal;
} rw_screen_info;

// Lists at most `capacity` screens. Returns 0, with the reason in `error`, if there is no server.
int rw_screen_list(rw_screen_info *screens, size_t capacity, size_t *count, char *error, size_t size);

typedef struct rw_screen_watch rw_screen_watch;

// Has the X server report changes of its screens' sizes. Returns NULL, with the reason in `error`.
rw_screen_watch *rw_screen_watch_open(char *error, size_t size);
// Waits for a change since the last call, or since it was opened.
int rw_screen_watch_wait(rw_screen_watch *watch, int stop);
void rw_screen_watch_close(rw_screen_watch *watch);

typedef struct rw_screen rw_screen;

enum {
  RW_SCREEN_FAILED = 0,
  RW_SCREEN_GRABBED = 1,
  // The screen has another size than when it was opened.
  RW_SCREEN_CHANGED = 2,
};

// A part of a screen, in pixels.
typedef struct {
  uint32_t x, y, width, height;
} rw_screen_area;

// Opens a screen of `width` times `height` pixels, to capture a part that is inside it. Returns
// NULL, with the reason in `error`.
rw_screen *rw_screen_open(int number, uint32_t width, uint32_t height, rw_screen_area area, int with_cursor, char *error,
                          size_t size);
// 0 if the server sends images over its socket: without MIT-SHM 1.2.
int rw_screen_shares_memory(const rw_screen *screen);
// Copies the pixels of the part of the screen: blue, green, red and a fourth byte, in rows of `row`
// bytes. `time` is the middle of the request, on CLOCK_MONOTONIC.
int rw_screen_grab(rw_screen *screen, void *bytes, size_t row, int64_t *time);
void rw_screen_close(rw_screen *screen);

// A duration of frames, in seconds.
typedef struct {
  uint32_t numerator, denominator;
} rw_camera_duration;

enum { RW_CAMERA_FORMATS = 128, RW_CAMERA_DURATIONS = 16 };

// The format of frames of a camera. The numbers of colours are those of V4L2.
typedef struct {
  uint32_t fourcc;
  // FFmpeg's name of the pixels; NULL for JPEGs.
  const char *pixel_format;
  uint32_t width, height;
  uint32_t color_space, ycbcr_encoding, quantization, transfer;
  // The minimum and the maximum if `is_range`, else all values that there are.
  int is_range;
  uint32_t duration_count;
  rw_camera_duration durations[RW_CAMERA_DURATIONS];
} rw_camera_format;

typedef struct {
  char card[33], bus[33];
  int is_in_use;
  // The reason for which it can't be captured; NULL if it can.
  const char *refusal;
  uint32_t count;
  rw_camera_format formats[RW_CAMERA_FORMATS];
} rw_camera_info;

// Opens a device that may be a camera and reads its properties: its formats too if `wants_formats`.
// Returns 0, else errno; ENODEV if it is no camera.
int rw_camera_look(const char *path, int wants_formats, rw_camera_info *info);

typedef struct rw_camera rw_camera;

// The offset of a plane in a frame, and the distance of its rows in bytes.
typedef struct {
  size_t offset, row;
} rw_camera_plane;

enum {
  RW_CAMERA_STOPPED = 0,
  RW_CAMERA_HAS_FRAME = 1,
  // No frame has come in the time.
  RW_CAMERA_IS_SILENT = 2,
  RW_CAMERA_IS_GONE = 3,
};

// A frame that the driver has filled.
typedef struct {
  // The time of the frame on CLOCK_MONOTONIC: the driver's, else that of its arrival.
  int64_t time;
  // The number of the frame; each frame that is lost has one, too.
  uint32_t sequence;
  // The size in bytes; 0 if the driver reports damage.
  size_t size;
} rw_camera_frame;

// Starts a camera. Returns NULL, with errno in `failure`; EINVAL if it needs another format.
rw_camera *rw_camera_open(const char *path, const rw_camera_format *format, rw_camera_duration duration, int stop,
                          int *failure);
// The maximum number of bytes of a frame.
size_t rw_camera_maximum_size(const rw_camera *camera);
// Waits at most `nanoseconds` for a frame, which rw_camera_take has to copy then.
int rw_camera_wait(rw_camera *camera, int64_t nanoseconds, rw_camera_frame *frame);
// Copies the frame that was waited for, unless `bytes` is NULL, and returns its buffer to the
// driver: its pixels to the positions of the planes, else its `size` bytes. Returns 0 if the frame
// is shorter than its format.
int rw_camera_take(rw_camera *camera, uint8_t *bytes, const rw_camera_plane *planes);
void rw_camera_close(rw_camera *camera);

typedef struct rw_camera_watch rw_camera_watch;

// Has the kernel report cameras that are added or removed. Returns NULL, with errno in `failure`.
rw_camera_watch *rw_camera_watch_open(int *failure);
// Waits for a change since the last call, or since it was opened.
int rw_camera_watch_wait(rw_camera_watch *watch, int stop);
void rw_camera_watch_close(rw_camera_watch *watch);
