#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "CDevices.h"
#include "pulse_library.h"

struct rw_pulse_input {
  rw_pulse_connection connection;
  pa_stream *stream;
  pa_io_event *stop;
  pa_sample_spec spec;
  int64_t frame_size;
  // All fields below are used under the loop's lock.
  int stopped, lost, gone, timing;
  // The number of bytes that have been delivered.
  int64_t taken;
  // A copy of the newest piece, as it must not stay in the server's memory while the loop runs.
  void *bytes;
  size_t size, capacity;
  int has_point;
  int64_t point_position, point_time;
};

static void wake(rw_pulse_input *input) { rw_pulse.pa_threaded_mainloop_signal(input->connection.loop, 0); }

// Notes the server's write position, and the time at which that was at the device.
static void timing_updated(pa_stream *stream, int success, void *data) {
  rw_pulse_input *input = data;
  input->timing = 0;
  const pa_timing_info *info = success ? rw_pulse.pa_stream_get_timing_info(stream) : NULL;
  if (info && !info->write_index_corrupt && !info->read_index_corrupt) {
    struct timeval wall;
    gettimeofday(&wall, NULL);
    int64_t age = (wall.tv_sec - info->timestamp.tv_sec) * 1000000LL + (wall.tv_usec - info->timestamp.tv_usec);
    if (age < 0 || age > 1000000) age = 0;
    input->point_position = (info->write_index - info->read_index + input->taken) / input->frame_size;
    // Frames that a sink has received are heard later, so the samples of its monitor are early.
    input->point_time = rw_monotonic() + ((int64_t)info->sink_usec - (int64_t)info->source_usec - age) * 1000;
    input->has_point = 1;
  }
  wake(input);
}

static void update_timing(rw_pulse_input *input) {
  rw_pulse_request_timing(input->stream, timing_updated, input, &input->timing);
}

static void readable(pa_stream *stream, size_t size, void *data) {
  (void)stream, (void)size;
  wake(data);
}

static void stop_requested(pa_mainloop_api *api, pa_io_event *event, int fd, pa_io_event_flags_t flags, void *data) {
  (void)fd, (void)flags;
  rw_pulse_input *input = data;
  input->stopped = 1;
  // The descriptor stays readable.
  api->io_enable(event, PA_IO_EVENT_NULL);
  wake(input);
}

static void lost(void *data) { ((rw_pulse_input *)data)->lost = 1; }

static void stream_changed(pa_stream *stream, void *data) {
  rw_pulse_input *input = data;
  if (!PA_STREAM_IS_GOOD(rw_pulse.pa_stream_get_state(stream))) input->gone = 1;
  wake(input);
}

// Opens the stream, on the locked loop.
static int open_stream(rw_pulse_input *input, const char *source, uint32_t frames, char *error, size_t size) {
  rw_pulse_connection *connection = &input->connection;
  pa_proplist *properties = rw_pulse.pa_proplist_new();
  rw_pulse.pa_proplist_sets(properties, PA_PROP_MEDIA_NAME, "capture");
  input->stream = rw_pulse.pa_stream_new_with_proplist(connection->context, "capture", &input->spec, NULL, properties);
  rw_pulse.pa_proplist_free(properties);
  if (!input->stream) return rw_pulse_fail(connection, error, size, "the audio server has no such stream");
  rw_pulse.pa_stream_set_state_callback(input->stream, stream_changed, input);
  rw_pulse.pa_stream_set_read_callback(input->stream, readable, input);
  pa_buffer_attr attributes = {
      .maxlength = (uint32_t)-1,
      .tlength = (uint32_t)-1,
      .prebuf = (uint32_t)-1,
      .minreq = (uint32_t)-1,
      .fragsize = frames * (uint32_t)input->frame_size,
  };
  // The channels are not remapped, and a source that vanishes isn't replaced by another one.
  pa_stream_flags_t flags = PA_STREAM_ADJUST_LATENCY | PA_STREAM_NO_REMAP_CHANNELS | PA_STREAM_DONT_MOVE;
  if (rw_pulse.pa_stream_connect_record(input->stream, source, &attributes, flags) < 0) {
    input->gone = 1;
    return rw_pulse_fail(connection, error, size, "the input can't be opened");
  }
  while (rw_pulse.pa_stream_get_state(input->stream) != PA_STREAM_READY) {
    if (!PA_STREAM_IS_GOOD(rw_pulse.pa_stream_get_state(input->stream)))
      return rw_pulse_fail(connection, error, size, "the input can't be opened");
    if (connection->timed_out) return rw_pulse_fail(connection, error, size, "the audio server doesn't answer");
    rw_pulse.pa_threaded_mainloop_wait(connection->loop);
  }
  // The first sample has a time, too.
  update_timing(input);
  while (!input->has_point && input->timing && !input->gone && !input->lost) {
    if (connection->timed_out) break;
    rw_pulse.pa_threaded_mainloop_wait(connection->loop);
  }
  return 1;
}

rw_pulse_input *rw_pulse_input_open(const char *source, uint32_t rate, uint32_t channels, uint32_t frames, int stop,
                                    int *state, char *error, size_t size) {
  *state = RW_INPUT_LOST_SERVER;
  rw_pulse_input *input = calloc(1, sizeof *input);
  if (!input) {
    snprintf(error, size, "no memory for an input");
    return NULL;
  }
  input->frame_size = (int64_t)channels * (int64_t)sizeof(float);
  input->spec = (pa_sample_spec){.format = PA_SAMPLE_FLOAT32LE, .rate = rate, .channels = (uint8_t)channels};
  input->connection.lost = lost;
  input->connection.data = input;
  int connected = rw_pulse_connect(&input->connection, "production", error, size);
  if (connected) {
    pa_mainloop_api *api = rw_pulse.pa_threaded_mainloop_get_api(input->connection.loop);
    input->stop = api->io_new(api, stop, PA_IO_EVENT_INPUT, stop_requested, input);
    connected = open_stream(input, source, frames, error, size);
    if (!connected && input->gone && !input->lost) *state = RW_INPUT_IS_GONE;
    rw_pulse.pa_threaded_mainloop_unlock(input->connection.loop);
  }
  if (connected) return input;
  rw_pulse_input_close(input);
  return NULL;
}

// Copies the next piece, on the locked loop. Returns 0 if there is none yet.
static int take(rw_pulse_input *input, rw_pulse_piece *piece) {
  const void *bytes = NULL;
  size_t size = 0;
  if (rw_pulse.pa_stream_peek(input->stream, &bytes, &size) < 0 || size == 0) return 0;
  if (bytes && size > input->capacity) {
    free(input->bytes);
    input->bytes = malloc(size);
    input->capacity = input->bytes ? size : 0;
  }
  int has_bytes = bytes && input->bytes;
  if (has_bytes) memcpy(input->bytes, bytes, size);
  rw_pulse.pa_stream_drop(input->stream);
  *piece = (rw_pulse_piece){
      .frames = (uint32_t)(size / (size_t)input->frame_size),
      .is_missing = !has_bytes,
      .position = input->taken / input->frame_size,
      .has_point = input->has_point,
      .point_position = input->point_position,
      .point_time = input->point_time,
  };
  input->size = has_bytes ? size : 0;
  input->taken += (int64_t)size;
  input->has_point = 0;
  update_timing(input);
  return 1;
}

int rw_pulse_input_wait(rw_pulse_input *input, rw_pulse_piece *piece) {
  pa_threaded_mainloop *loop = input->connection.loop;
  int result = RW_INPUT_HAS_SAMPLES;
  rw_pulse.pa_threaded_mainloop_lock(loop);
  for (;;) {
    if (input->stopped) {
      result = RW_INPUT_STOPPED;
      break;
    }
    if (input->lost || input->gone) {
      result = input->lost ? RW_INPUT_LOST_SERVER : RW_INPUT_IS_GONE;
      break;
    }
    if (take(input, piece)) break;
    rw_pulse.pa_threaded_mainloop_wait(loop);
  }
  rw_pulse.pa_threaded_mainloop_unlock(loop);
  return result;
}

void rw_pulse_input_copy(const rw_pulse_input *input, void *bytes) { memcpy(bytes, input->bytes, input->size); }

void rw_pulse_input_close(rw_pulse_input *input) {
  pa_threaded_mainloop *loop = input->connection.loop;
  if (loop && (input->stream || input->stop)) {
    rw_pulse.pa_threaded_mainloop_lock(loop);
    if (input->stream) {
      rw_pulse.pa_stream_set_state_callback(input->stream, NULL, NULL);
      rw_pulse.pa_stream_set_read_callback(input->stream, NULL, NULL);
      rw_pulse.pa_stream_disconnect(input->stream);
      rw_pulse.pa_stream_unref(input->stream);
    }
    if (input->stop) rw_pulse.pa_threaded_mainloop_get_api(loop)->io_free(input->stop);
    rw_pulse.pa_threaded_mainloop_unlock(loop);
  }
  rw_pulse_disconnect(&input->connection);
  free(input->bytes);
  free(input);
}
