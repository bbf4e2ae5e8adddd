#define _GNU_SOURCE
#include "pulse_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

struct rw_pulse_library rw_pulse;

static int load(char *error, size_t size) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int loaded;
  pthread_mutex_lock(&lock);
  if (!loaded) {
    void *library = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL);
    loaded = library != NULL;
    if (!library) snprintf(error, size, "libpulse.so.0 is not installed");
#define FIND(name) \
  if (loaded && !(rw_pulse.name = (__typeof__(&name))dlsym(library, #name))) { \
    snprintf(error, size, "libpulse.so.0 has no " #name); \
    loaded = 0; \
  }
    RW_PULSE_FUNCTIONS(FIND)
  }
  int result = loaded;
  pthread_mutex_unlock(&lock);
  return result;
}

static void context_changed(pa_context *context, void *data) {
  rw_pulse_connection *connection = data;
  if (!PA_CONTEXT_IS_GOOD(rw_pulse.pa_context_get_state(context)) && connection->lost)
    connection->lost(connection->data);
  rw_pulse.pa_threaded_mainloop_signal(connection->loop, 0);
}

static void time_over(pa_mainloop_api *api, pa_time_event *event, const struct timeval *time, void *data) {
  (void)api, (void)event, (void)time;
  rw_pulse_connection *connection = data;
  connection->timed_out = 1;
  rw_pulse.pa_threaded_mainloop_signal(connection->loop, 0);
}

int rw_pulse_fail(rw_pulse_connection *connection, char *error, size_t size, const char *failure) {
  int code = connection->context ? rw_pulse.pa_context_errno(connection->context) : 0;
  snprintf(error, size, "%s%s%s", failure, code ? ": " : "", code ? rw_pulse.pa_strerror(code) : "");
  return 0;
}

static int connect_context(rw_pulse_connection *connection, const char *role, char *error, size_t size) {
  pa_proplist *properties = rw_pulse.pa_proplist_new();
  rw_pulse.pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, "reelwire");
  if (role) rw_pulse.pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, role);
  connection->context = rw_pulse.pa_context_new_with_proplist(
      rw_pulse.pa_threaded_mainloop_get_api(connection->loop), "reelwire", properties);
  rw_pulse.pa_proplist_free(properties);
  pa_context *context = connection->context;
  if (!context) return rw_pulse_fail(connection, error, size, "no context");
  rw_pulse.pa_context_set_state_callback(context, context_changed, connection);
  if (rw_pulse.pa_context_connect(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) < 0)
    return rw_pulse_fail(connection, error, size, "the audio server can't be reached");
  rw_pulse.pa_context_rttime_new(context, rw_pulse.pa_rtclock_now() + 2000000, time_over, connection);
  while (rw_pulse.pa_context_get_state(context) != PA_CONTEXT_READY) {
    if (!PA_CONTEXT_IS_GOOD(rw_pulse.pa_context_get_state(context)))
      return rw_pulse_fail(connection, error, size, "the audio server can't be reached");
    if (connection->timed_out) return rw_pulse_fail(connection, error, size, "the audio server doesn't answer");
    rw_pulse.pa_threaded_mainloop_wait(connection->loop);
  }
  return 1;
}

int rw_pulse_connect(rw_pulse_connection *connection, const char *role, char *error, size_t size) {
  if (!load(error, size)) return 0;
  connection->loop = rw_pulse.pa_threaded_mainloop_new();
  if (!connection->loop || rw_pulse.pa_threaded_mainloop_start(connection->loop) != 0) {
    snprintf(error, size, "no thread for the audio server");
    return 0;
  }
  rw_pulse.pa_threaded_mainloop_lock(connection->loop);
  if (connect_context(connection, role, error, size)) return 1;
  rw_pulse.pa_threaded_mainloop_unlock(connection->loop);
  return 0;
}

void rw_pulse_request_timing(pa_stream *stream, pa_stream_success_cb_t callback, void *data, int *pending) {
  if (*pending) return;
  pa_operation *operation = rw_pulse.pa_stream_update_timing_info(stream, callback, data);
  if (!operation) return;
  *pending = 1;
  rw_pulse.pa_operation_unref(operation);
}

void rw_pulse_disconnect(rw_pulse_connection *connection) {
  if (!connection->loop) return;
  if (connection->context) {
    rw_pulse.pa_threaded_mainloop_lock(connection->loop);
    rw_pulse.pa_context_set_state_callback(connection->context, NULL, NULL);
    rw_pulse.pa_context_disconnect(connection->context);
    rw_pulse.pa_context_unref(connection->context);
    rw_pulse.pa_threaded_mainloop_unlock(connection->loop);
  }
  rw_pulse.pa_threaded_mainloop_stop(connection->loop);
  rw_pulse.pa_threaded_mainloop_free(connection->loop);
  memset(connection, 0, sizeof *connection);
}
