#define _GNU_SOURCE
#include "CDevices.h"

#include <dlfcn.h>
#include <pthread.h>
#include <pulse/pulseaudio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

// libpulse asserts on misuse, so each function is called in the state that it wants.
#define FUNCTIONS(X) \
  X(pa_threaded_mainloop_new) X(pa_threaded_mainloop_free) X(pa_threaded_mainloop_start) X(pa_threaded_mainloop_stop) \
  X(pa_threaded_mainloop_lock) X(pa_threaded_mainloop_unlock) X(pa_threaded_mainloop_wait) \
  X(pa_threaded_mainloop_signal) X(pa_threaded_mainloop_get_api) X(pa_context_new_with_proplist) X(pa_context_connect) \
  X(pa_context_disconnect) X(pa_context_unref) X(pa_context_set_state_callback) X(pa_context_get_state) \
  X(pa_context_errno) X(pa_context_rttime_new) X(pa_rtclock_now) X(pa_strerror) X(pa_proplist_new) X(pa_proplist_free) \
  X(pa_proplist_sets) X(pa_stream_new_with_proplist) X(pa_stream_set_state_callback) X(pa_stream_set_write_callback) \
  X(pa_stream_set_underflow_callback) X(pa_stream_connect_playback) X(pa_stream_disconnect) X(pa_stream_unref) \
  X(pa_stream_get_state) X(pa_stream_writable_size) X(pa_stream_begin_write) X(pa_stream_write) \
  X(pa_stream_update_timing_info) X(pa_stream_get_timing_info) X(pa_stream_flush) X(pa_stream_cork) \
  X(pa_operation_unref) X(pa_usec_to_bytes)

static struct {
#define FIELD(name) __typeof__(&name) name;
  FUNCTIONS(FIELD)
} pa;

static int load(char *error, size_t size) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int loaded;
  pthread_mutex_lock(&lock);
  if (!loaded) {
    void *library = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL);
    loaded = library != NULL;
    if (!library) snprintf(error, size, "libpulse.so.0 is not installed");
#define FIND(name) \
  if (loaded && !(pa.name = (__typeof__(&name))dlsym(library, #name))) { \
    snprintf(error, size, "libpulse.so.0 has no " #name); \
    loaded = 0; \
  }
    FUNCTIONS(FIND)
  }
  int result = loaded;
  pthread_mutex_unlock(&lock);
  return result;
}

struct rw_pulse_output {
  rw_audio_ring *ring;
  uint32_t frame_size;
  uint32_t rate;
  pa_threaded_mainloop *loop;
  pa_context *context;
  pa_stream *stream;
  pa_sample_spec spec;
  pthread_t commands;
  int has_thread;
  _Atomic int closing;
  // Under the loop's lock.
  int timed_out, running, starved, timing;
  uint32_t generation;
  rw_audio_clock clock;
};

static int64_t monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void publish(rw_pulse_output *output) {
  rw_audio_ring_set_clock(output->ring, &output->clock);
  rw_audio_ring_note(output->ring);
}

// Where the device is: the frames that were taken from the ring, less those that are still on their way.
static void timing_updated(pa_stream *stream, int success, void *data) {
  rw_pulse_output *output = data;
  output->timing = 0;
  const pa_timing_info *info = success ? pa.pa_stream_get_timing_info(stream) : NULL;
  if (!info || info->write_index_corrupt || info->read_index_corrupt) return;
  struct timeval wall;
  gettimeofday(&wall, NULL);
  int64_t age = (wall.tv_sec - info->timestamp.tv_sec) * 1000000LL + (wall.tv_usec - info->timestamp.tv_usec);
  if (age < 0 || age > 1000000) age = 0;
  int64_t heard = info->read_index - (int64_t)pa.pa_usec_to_bytes(info->sink_usec, &output->spec);
  if (info->playing) heard += (int64_t)pa.pa_usec_to_bytes(info->transport_usec, &output->spec);
  int64_t queued = (info->write_index - heard) / (int64_t)output->frame_size;
  if (queued < 0) queued = 0;
  output->clock.generation = output->generation;
  output->clock.heard = (int64_t)rw_audio_ring_position(output->ring) - queued;
  output->clock.time = monotonic() - age * 1000;
  output->clock.latency = queued * 1000000000LL / output->rate;
  // Before it plays, nothing is heard.
  if (!info->playing) output->clock.heard = -1;
  publish(output);
}

static void update_timing(rw_pulse_output *output) {
  if (output->timing) return;
  pa_operation *operation = pa.pa_stream_update_timing_info(output->stream, timing_updated, output);
  if (!operation) return;
  output->timing = 1;
  pa.pa_operation_unref(operation);
}

// Gives the server what the ring has, as far as there is room.
static void fill(rw_pulse_output *output) {
  size_t room = pa.pa_stream_writable_size(output->stream);
  if (room == (size_t)-1) return;
  output->starved = 0;
  while (room >= output->frame_size) {
    void *bytes = NULL;
    size_t size = room;
    if (pa.pa_stream_begin_write(output->stream, &bytes, &size) != 0 || !bytes) break;
    uint32_t frames = rw_audio_ring_take(output->ring, bytes, (uint32_t)(size / output->frame_size));
    size = (size_t)frames * output->frame_size;
    if (size == 0) {
      output->starved = 1;
      break;
    }
    pa.pa_stream_write(output->stream, bytes, size, NULL, 0, PA_SEEK_RELATIVE);
    room -= size < room ? size : room;
  }
  update_timing(output);
  rw_audio_ring_note(output->ring);
}

static void writable(pa_stream *stream, size_t size, void *data) {
  (void)stream, (void)size;
  fill(data);
}

static void underflow(pa_stream *stream, void *data) {
  (void)stream;
  rw_pulse_output *output = data;
  if (!output->running) return;
  output->clock.underruns++;
  publish(output);
}

static void finish(pa_operation *operation) {
  if (operation) pa.pa_operation_unref(operation);
}

static void *take_commands(void *data) {
  rw_pulse_output *output = data;
  uint32_t known = rw_audio_ring_commands(output->ring);
  while (!atomic_load(&output->closing)) {
    pa.pa_threaded_mainloop_lock(output->loop);
    if (pa.pa_stream_get_state(output->stream) == PA_STREAM_READY) {
      uint32_t generation = rw_audio_ring_generation(output->ring);
      if (generation != output->generation) {
        rw_audio_ring_skip_flushed(output->ring);
        output->generation = generation;
        finish(pa.pa_stream_flush(output->stream, NULL, NULL));
        output->clock.heard = -1;
      }
      fill(output);
      int running = rw_audio_ring_running(output->ring);
      if (running != output->running) {
        output->running = running;
        // What was heard by then has no part in when it goes on.
        output->clock.heard = -1;
        publish(output);
        finish(pa.pa_stream_cork(output->stream, !running, NULL, NULL));
        update_timing(output);
      }
    }
    pa.pa_threaded_mainloop_unlock(output->loop);
    rw_audio_ring_wait_command(output->ring, known);
    known = rw_audio_ring_commands(output->ring);
  }
  return NULL;
}

static void context_changed(pa_context *context, void *data) {
  rw_pulse_output *output = data;
  if (!PA_CONTEXT_IS_GOOD(pa.pa_context_get_state(context))) {
    output->clock.state = 2;
    publish(output);
  }
  pa.pa_threaded_mainloop_signal(output->loop, 0);
}

static void stream_changed(pa_stream *stream, void *data) {
  rw_pulse_output *output = data;
  if (!PA_STREAM_IS_GOOD(pa.pa_stream_get_state(stream))) {
    output->clock.state = 2;
    publish(output);
  }
  pa.pa_threaded_mainloop_signal(output->loop, 0);
}

static void time_over(pa_mainloop_api *api, pa_time_event *event, const struct timeval *time, void *data) {
  (void)api, (void)event, (void)time;
  rw_pulse_output *output = data;
  output->timed_out = 1;
  pa.pa_threaded_mainloop_signal(output->loop, 0);
}

static int fail(rw_pulse_output *output, char *error, size_t size, const char *what) {
  int code = output->context ? pa.pa_context_errno(output->context) : 0;
  snprintf(error, size, "%s%s%s", what, code ? ": " : "", code ? pa.pa_strerror(code) : "");
  return 0;
}

static int connect_stream(rw_pulse_output *output, const char *device, char *error, size_t size) {
  pa_proplist *properties = pa.pa_proplist_new();
  pa.pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, "reelwire");
  pa.pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "video");
  output->context =
      pa.pa_context_new_with_proplist(pa.pa_threaded_mainloop_get_api(output->loop), "reelwire", properties);
  pa.pa_proplist_free(properties);
  if (!output->context) return fail(output, error, size, "no context");
  pa.pa_context_set_state_callback(output->context, context_changed, output);
  if (pa.pa_context_connect(output->context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) < 0)
    return fail(output, error, size, "the audio server can't be reached");
  pa.pa_context_rttime_new(output->context, pa.pa_rtclock_now() + 2000000, time_over, output);
  while (pa.pa_context_get_state(output->context) != PA_CONTEXT_READY) {
    if (!PA_CONTEXT_IS_GOOD(pa.pa_context_get_state(output->context)))
      return fail(output, error, size, "the audio server can't be reached");
    if (output->timed_out) return fail(output, error, size, "the audio server doesn't answer");
    pa.pa_threaded_mainloop_wait(output->loop);
  }
  properties = pa.pa_proplist_new();
  pa.pa_proplist_sets(properties, PA_PROP_MEDIA_NAME, "playback");
  output->stream = pa.pa_stream_new_with_proplist(output->context, "playback", &output->spec, NULL, properties);
  pa.pa_proplist_free(properties);
  if (!output->stream) return fail(output, error, size, "the audio server has no such stream");
  pa.pa_stream_set_state_callback(output->stream, stream_changed, output);
  pa.pa_stream_set_write_callback(output->stream, writable, output);
  pa.pa_stream_set_underflow_callback(output->stream, underflow, output);
  pa_buffer_attr attributes = {
      .maxlength = (uint32_t)-1,
      .tlength = output->rate / 10 * output->frame_size,
      .prebuf = 0,
      .minreq = (uint32_t)-1,
      .fragsize = (uint32_t)-1,
  };
  if (pa.pa_stream_connect_playback(output->stream, device, &attributes,
                                    PA_STREAM_START_CORKED | PA_STREAM_ADJUST_LATENCY, NULL, NULL) < 0)
    return fail(output, error, size, "the output can't be opened");
  while (pa.pa_stream_get_state(output->stream) != PA_STREAM_READY) {
    if (!PA_STREAM_IS_GOOD(pa.pa_stream_get_state(output->stream)))
      return fail(output, error, size, "the output can't be opened");
    if (output->timed_out) return fail(output, error, size, "the audio server doesn't answer");
    pa.pa_threaded_mainloop_wait(output->loop);
  }
  return 1;
}

rw_pulse_output *rw_pulse_output_open(const char *device, uint32_t rate, uint32_t channels, rw_audio_ring *ring,
                                      char *error, size_t size) {
  if (!load(error, size)) return NULL;
  rw_pulse_output *output = calloc(1, sizeof *output);
  if (!output) return NULL;
  output->ring = ring;
  output->rate = rate;
  output->frame_size = channels * (uint32_t)sizeof(float);
  output->spec = (pa_sample_spec){.format = PA_SAMPLE_FLOAT32LE, .rate = rate, .channels = (uint8_t)channels};
  output->generation = rw_audio_ring_generation(ring);
  output->clock.heard = -1;
  output->loop = pa.pa_threaded_mainloop_new();
  if (!output->loop || pa.pa_threaded_mainloop_start(output->loop) != 0) {
    snprintf(error, size, "no thread for the audio server");
    rw_pulse_output_close(output);
    return NULL;
  }
  pa.pa_threaded_mainloop_lock(output->loop);
  int connected = connect_stream(output, device, error, size);
  if (connected) {
    output->clock.state = 1;
    publish(output);
  }
  pa.pa_threaded_mainloop_unlock(output->loop);
  if (connected && pthread_create(&output->commands, NULL, take_commands, output) == 0) {
    output->has_thread = 1;
    return output;
  }
  rw_pulse_output_close(output);
  return NULL;
}

void rw_pulse_output_close(rw_pulse_output *output) {
  atomic_store(&output->closing, 1);
  if (output->has_thread) {
    rw_audio_ring_command(output->ring);
    pthread_join(output->commands, NULL);
  }
  if (output->loop) {
    pa.pa_threaded_mainloop_lock(output->loop);
    if (output->stream) {
      pa.pa_stream_set_state_callback(output->stream, NULL, NULL);
      pa.pa_stream_set_write_callback(output->stream, NULL, NULL);
      pa.pa_stream_set_underflow_callback(output->stream, NULL, NULL);
      pa.pa_stream_disconnect(output->stream);
      pa.pa_stream_unref(output->stream);
    }
    if (output->context) {
      pa.pa_context_set_state_callback(output->context, NULL, NULL);
      pa.pa_context_disconnect(output->context);
      pa.pa_context_unref(output->context);
    }
    pa.pa_threaded_mainloop_unlock(output->loop);
    pa.pa_threaded_mainloop_stop(output->loop);
    pa.pa_threaded_mainloop_free(output->loop);
  }
  // Whoever waits for room is woken, and finds the device gone.
  output->clock.state = 2;
  publish(output);
  free(output);
}
