#define _GNU_SOURCE
#include "CDevices.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "pulse_library.h"

struct rw_pulse_output {
  rw_audio_ring *ring;
  uint32_t frame_size;
  uint32_t rate;
  rw_pulse_connection connection;
  pa_stream *stream;
  pa_sample_spec spec;
  pthread_t commands;
  int has_thread;
  _Atomic int closing;
  // The fields below are used under the loop's lock.
  int running;
  // 1 while a request for the server's times is pending, and 1 if that request is older than the last flush or start.
  int timing, outdated;
  uint32_t generation;
  rw_audio_clock clock;
};

static void publish(rw_pulse_output *output) {
  rw_audio_ring_set_clock(output->ring, &output->clock);
  rw_audio_ring_note(output->ring);
}

static void timing_updated(pa_stream *stream, int success, void *data);

static void update_timing(rw_pulse_output *output) {
  rw_pulse_request_timing(output->stream, timing_updated, output, &output->timing);
}

// Makes the clock unknown, and asks for the times from now on.
static void restart_clock(rw_pulse_output *output) {
  output->clock.heard = -1;
  output->outdated = output->timing;
  update_timing(output);
}

// Sets the clock: the frames that were read from the ring, less those that are still on their way.
static void timing_updated(pa_stream *stream, int success, void *data) {
  rw_pulse_output *output = data;
  output->timing = 0;
  if (output->outdated) {
    output->outdated = 0;
    return update_timing(output);
  }
  const pa_timing_info *info = success ? rw_pulse.pa_stream_get_timing_info(stream) : NULL;
  if (!info || info->write_index_corrupt || info->read_index_corrupt) return;
  struct timeval wall;
  gettimeofday(&wall, NULL);
  int64_t age = (wall.tv_sec - info->timestamp.tv_sec) * 1000000LL + (wall.tv_usec - info->timestamp.tv_usec);
  if (age < 0 || age > 1000000) age = 0;
  int64_t heard = info->read_index - (int64_t)rw_pulse.pa_usec_to_bytes(info->sink_usec, &output->spec);
  if (info->playing) heard += (int64_t)rw_pulse.pa_usec_to_bytes(info->transport_usec, &output->spec);
  int64_t queued = (info->write_index - heard) / (int64_t)output->frame_size;
  if (queued < 0) queued = 0;
  output->clock.generation = output->generation;
  output->clock.heard = (int64_t)rw_audio_ring_position(output->ring) - queued;
  output->clock.time = rw_monotonic() - age * 1000;
  output->clock.latency = queued * 1000000000LL / output->rate;
  // Before it plays, nothing is heard.
  if (!info->playing) output->clock.heard = -1;
  publish(output);
}

// Writes the ring's frames to the server, as far as there is room.
//
// Without a frame nothing is noted: each note is answered by a command, and each command fills.
static void fill(rw_pulse_output *output) {
  size_t room = rw_pulse.pa_stream_writable_size(output->stream);
  if (room == (size_t)-1) return;
  int wrote = 0;
  while (room >= output->frame_size) {
    void *bytes = NULL;
    size_t size = room;
    if (rw_pulse.pa_stream_begin_write(output->stream, &bytes, &size) != 0 || !bytes) break;
    uint32_t frames = rw_audio_ring_take(output->ring, bytes, (uint32_t)(size / output->frame_size));
    size = (size_t)frames * output->frame_size;
    if (size == 0) break;
    rw_pulse.pa_stream_write(output->stream, bytes, size, NULL, 0, PA_SEEK_RELATIVE);
    room -= size < room ? size : room;
    wrote = 1;
  }
  if (!wrote) return;
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
  if (operation) rw_pulse.pa_operation_unref(operation);
}

static void *take_commands(void *data) {
  rw_pulse_output *output = data;
  uint32_t known = rw_audio_ring_commands(output->ring);
  while (!atomic_load(&output->closing)) {
    rw_pulse.pa_threaded_mainloop_lock(output->connection.loop);
    if (rw_pulse.pa_stream_get_state(output->stream) == PA_STREAM_READY) {
      uint32_t generation = rw_audio_ring_generation(output->ring);
      if (generation != output->generation) {
        rw_audio_ring_skip_flushed(output->ring);
        output->generation = generation;
        finish(rw_pulse.pa_stream_flush(output->stream, NULL, NULL));
        restart_clock(output);
      }
      fill(output);
      int running = rw_audio_ring_running(output->ring);
      if (running != output->running) {
        output->running = running;
        // The frames that were heard by then have no influence on the time at which it continues.
        finish(rw_pulse.pa_stream_cork(output->stream, !running, NULL, NULL));
        restart_clock(output);
        publish(output);
      }
    }
    rw_pulse.pa_threaded_mainloop_unlock(output->connection.loop);
    rw_audio_ring_wait_command(output->ring, known);
    known = rw_audio_ring_commands(output->ring);
  }
  return NULL;
}

static void close_clock(rw_pulse_output *output, uint32_t state) {
  // The first reason stays.
  if (output->clock.state < 2) output->clock.state = state;
  publish(output);
}

static void lost(void *data) { close_clock(data, 2); }

// Notes the device that plays: the server moves the stream when a device is removed, or at a user's request.
static void device_changed(pa_stream *stream, void *data) {
  rw_pulse_output *output = data;
  const char *name = rw_pulse.pa_stream_get_device_name(stream);
  if (!name) return;
  char id[RW_AUDIO_DEVICE_SIZE];
  snprintf(id, sizeof id, RW_PULSE_SCHEME "%s", name);
  rw_audio_ring_set_device(output->ring, id);
  rw_audio_ring_note(output->ring);
}

static void stream_changed(pa_stream *stream, void *data) {
  rw_pulse_output *output = data;
  if (!PA_STREAM_IS_GOOD(rw_pulse.pa_stream_get_state(stream))) {
    int code = rw_pulse.pa_context_errno(output->connection.context);
    close_clock(output, code == PA_ERR_NOENTITY ? 3 : 2);
  }
  rw_pulse.pa_threaded_mainloop_signal(output->connection.loop, 0);
}

// Opens the stream, on the locked loop.
static int open_stream(rw_pulse_output *output, const char *device, char *error, size_t size) {
  rw_pulse_connection *connection = &output->connection;
  pa_proplist *properties = rw_pulse.pa_proplist_new();
  rw_pulse.pa_proplist_sets(properties, PA_PROP_MEDIA_NAME, "playback");
  output->stream = rw_pulse.pa_stream_new_with_proplist(connection->context, "playback", &output->spec, NULL, properties);
  rw_pulse.pa_proplist_free(properties);
  if (!output->stream) return rw_pulse_fail(connection, error, size, "the audio server has no such stream");
  rw_pulse.pa_stream_set_state_callback(output->stream, stream_changed, output);
  rw_pulse.pa_stream_set_write_callback(output->stream, writable, output);
  rw_pulse.pa_stream_set_underflow_callback(output->stream, underflow, output);
  rw_pulse.pa_stream_set_moved_callback(output->stream, device_changed, output);
  pa_buffer_attr attributes = {
      .maxlength = (uint32_t)-1,
      .tlength = output->rate / 10 * output->frame_size,
      .prebuf = 0,
      .minreq = (uint32_t)-1,
      .fragsize = (uint32_t)-1,
  };
  if (rw_pulse.pa_stream_connect_playback(output->stream, device, &attributes,
                                    PA_STREAM_START_CORKED | PA_STREAM_ADJUST_LATENCY, NULL, NULL) < 0) {
    // No device can have that name.
    if (rw_pulse.pa_context_errno(connection->context) == PA_ERR_INVALID) close_clock(output, 3);
    return rw_pulse_fail(connection, error, size, "the output can't be opened");
  }
  while (rw_pulse.pa_stream_get_state(output->stream) != PA_STREAM_READY) {
    if (!PA_STREAM_IS_GOOD(rw_pulse.pa_stream_get_state(output->stream)))
      return rw_pulse_fail(connection, error, size, "the output can't be opened");
    if (connection->timed_out) return rw_pulse_fail(connection, error, size, "the audio server doesn't answer");
    rw_pulse.pa_threaded_mainloop_wait(connection->loop);
  }
  device_changed(output->stream, output);
  return 1;
}

rw_pulse_output *rw_pulse_output_open(const char *device, uint32_t rate, uint32_t channels, rw_audio_ring *ring,
                                      char *error, size_t size) {
  rw_pulse_output *output = calloc(1, sizeof *output);
  if (!output) {
    snprintf(error, size, "no memory for an output");
    return NULL;
  }
  output->ring = ring;
  output->rate = rate;
  output->frame_size = channels * (uint32_t)sizeof(float);
  output->spec = (pa_sample_spec){.format = PA_SAMPLE_FLOAT32LE, .rate = rate, .channels = (uint8_t)channels};
  output->generation = rw_audio_ring_generation(ring);
  output->clock.heard = -1;
  output->connection.lost = lost;
  output->connection.data = output;
  int connected = rw_pulse_connect(&output->connection, "video", error, size);
  if (connected) {
    connected = open_stream(output, device, error, size);
    if (connected) {
      output->clock.state = 1;
      publish(output);
    }
    rw_pulse.pa_threaded_mainloop_unlock(output->connection.loop);
  }
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
  if (output->stream) {
    rw_pulse.pa_threaded_mainloop_lock(output->connection.loop);
    rw_pulse.pa_stream_set_state_callback(output->stream, NULL, NULL);
    rw_pulse.pa_stream_set_write_callback(output->stream, NULL, NULL);
    rw_pulse.pa_stream_set_underflow_callback(output->stream, NULL, NULL);
    rw_pulse.pa_stream_set_moved_callback(output->stream, NULL, NULL);
    rw_pulse.pa_stream_disconnect(output->stream);
    rw_pulse.pa_stream_unref(output->stream);
    rw_pulse.pa_threaded_mainloop_unlock(output->connection.loop);
  }
  rw_pulse_disconnect(&output->connection);
  // A thread that waits for room is woken, and finds the device gone.
  lost(output);
  free(output);
}
