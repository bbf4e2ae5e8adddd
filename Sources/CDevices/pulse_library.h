// The library of PulseAudio, and a connection to its server, for the devices of this target.
#pragma once

#include <pulse/pulseaudio.h>

// libpulse asserts on misuse, so each function is called in the state that it requires.
#define RW_PULSE_FUNCTIONS(X) \
  X(pa_threaded_mainloop_new) X(pa_threaded_mainloop_free) X(pa_threaded_mainloop_start) X(pa_threaded_mainloop_stop) \
  X(pa_threaded_mainloop_lock) X(pa_threaded_mainloop_unlock) X(pa_threaded_mainloop_wait) \
  X(pa_threaded_mainloop_signal) X(pa_threaded_mainloop_get_api) X(pa_context_new_with_proplist) X(pa_context_connect) \
  X(pa_context_disconnect) X(pa_context_unref) X(pa_context_set_state_callback) X(pa_context_get_state) \
  X(pa_context_errno) X(pa_context_rttime_new) X(pa_rtclock_now) X(pa_strerror) X(pa_proplist_new) X(pa_proplist_free) \
  X(pa_proplist_sets) X(pa_proplist_gets) X(pa_stream_new_with_proplist) X(pa_stream_set_state_callback) \
  X(pa_stream_set_write_callback) X(pa_stream_set_underflow_callback) X(pa_stream_connect_playback) \
  X(pa_stream_disconnect) X(pa_stream_unref) X(pa_stream_get_state) X(pa_stream_writable_size) \
  X(pa_stream_begin_write) X(pa_stream_write) X(pa_stream_update_timing_info) X(pa_stream_get_timing_info) \
  X(pa_stream_set_moved_callback) X(pa_stream_get_device_name) \
  X(pa_stream_flush) X(pa_stream_cork) X(pa_operation_unref) X(pa_operation_get_state) X(pa_operation_cancel) \
  X(pa_context_get_server_info) X(pa_context_get_sink_info_list) X(pa_context_get_source_info_list) \
  X(pa_usec_to_bytes) X(pa_stream_set_read_callback) X(pa_stream_connect_record) X(pa_stream_peek) X(pa_stream_drop) \
  X(pa_context_subscribe) X(pa_context_set_subscribe_callback)

struct rw_pulse_library {
#define RW_PULSE_FIELD(name) __typeof__(&name) name;
  RW_PULSE_FUNCTIONS(RW_PULSE_FIELD)
};

extern struct rw_pulse_library rw_pulse;

typedef struct {
  pa_threaded_mainloop *loop;
  pa_context *context;
  // Set on the loop's thread when the server has gone.
  void (*lost)(void *data);
  void *data;
  // Set two seconds after the connection began; waits on the loop end then.
  int timed_out;
} rw_pulse_connection;

// Opens the library and connects to the server, without starting one; `lost` and `data` are set
// before. Returns 1 with the loop locked. Returns 0 with the reason in `error`; rw_pulse_disconnect
// closes the parts that exist by then.
int rw_pulse_connect(rw_pulse_connection *connection, const char *role, char *error, size_t size);
// Writes the failure into `error`, with the server's reason, and returns 0.
int rw_pulse_fail(rw_pulse_connection *connection, char *error, size_t size, const char *failure);
// Requests the times of a stream, unless a request is pending. `callback` sets `pending` to 0.
void rw_pulse_request_timing(pa_stream *stream, pa_stream_success_cb_t callback, void *data, int *pending);
// Closes the connection, with the loop unlocked.
void rw_pulse_disconnect(rw_pulse_connection *connection);
