#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "CDevices.h"
#include "pulse_library.h"

struct rw_pulse_watch {
  rw_pulse_connection connection;
  pa_io_event *stop;
  // All fields below are used under the loop's lock.
  int stopped, lost, changed, subscribed;
};

static void wake(rw_pulse_watch *watch) { rw_pulse.pa_threaded_mainloop_signal(watch->connection.loop, 0); }

static void changed(pa_context *context, pa_subscription_event_type_t type, uint32_t index, void *data) {
  (void)context, (void)type, (void)index;
  rw_pulse_watch *watch = data;
  watch->changed = 1;
  wake(watch);
}

static void subscribed(pa_context *context, int success, void *data) {
  (void)context;
  rw_pulse_watch *watch = data;
  watch->subscribed = success ? 1 : -1;
  wake(watch);
}

static void stop_requested(pa_mainloop_api *api, pa_io_event *event, int fd, pa_io_event_flags_t flags, void *data) {
  (void)fd, (void)flags;
  rw_pulse_watch *watch = data;
  watch->stopped = 1;
  // The descriptor stays readable.
  api->io_enable(event, PA_IO_EVENT_NULL);
  wake(watch);
}

static void lost(void *data) { ((rw_pulse_watch *)data)->lost = 1; }

// Subscribes to the server's events, on the locked loop.
static int subscribe(rw_pulse_watch *watch, char *error, size_t size) {
  rw_pulse_connection *connection = &watch->connection;
  rw_pulse.pa_context_set_subscribe_callback(connection->context, changed, watch);
  // The server's own events are those of its defaults.
  pa_subscription_mask_t mask = PA_SUBSCRIPTION_MASK_SOURCE | PA_SUBSCRIPTION_MASK_SERVER;
  pa_operation *operation = rw_pulse.pa_context_subscribe(connection->context, mask, subscribed, watch);
  while (operation && !watch->subscribed && !watch->lost && !connection->timed_out)
    rw_pulse.pa_threaded_mainloop_wait(connection->loop);
  if (operation) {
    // Its callback isn't called any more.
    rw_pulse.pa_operation_cancel(operation);
    rw_pulse.pa_operation_unref(operation);
  }
  if (watch->subscribed > 0) return 1;
  return rw_pulse_fail(connection, error, size, "the audio server doesn't report changes");
}

rw_pulse_watch *rw_pulse_watch_open(int stop, char *error, size_t size) {
  rw_pulse_watch *watch = calloc(1, sizeof *watch);
  if (!watch) {
    snprintf(error, size, "no memory for changes of devices");
    return NULL;
  }
  watch->connection.lost = lost;
  watch->connection.data = watch;
  int connected = rw_pulse_connect(&watch->connection, NULL, error, size);
  if (connected) {
    pa_mainloop_api *api = rw_pulse.pa_threaded_mainloop_get_api(watch->connection.loop);
    watch->stop = api->io_new(api, stop, PA_IO_EVENT_INPUT, stop_requested, watch);
    connected = subscribe(watch, error, size);
    rw_pulse.pa_threaded_mainloop_unlock(watch->connection.loop);
  }
  if (connected) return watch;
  rw_pulse_watch_close(watch);
  return NULL;
}

int rw_pulse_watch_wait(rw_pulse_watch *watch) {
  pa_threaded_mainloop *loop = watch->connection.loop;
  rw_pulse.pa_threaded_mainloop_lock(loop);
  while (!watch->stopped && !watch->lost && !watch->changed) rw_pulse.pa_threaded_mainloop_wait(loop);
  int result = watch->stopped ? RW_WATCH_STOPPED : watch->lost ? RW_WATCH_LOST : RW_WATCH_CHANGED;
  watch->changed = 0;
  rw_pulse.pa_threaded_mainloop_unlock(loop);
  return result;
}

void rw_pulse_watch_close(rw_pulse_watch *watch) {
  pa_threaded_mainloop *loop = watch->connection.loop;
  if (loop && watch->connection.context) {
    rw_pulse.pa_threaded_mainloop_lock(loop);
    rw_pulse.pa_context_set_subscribe_callback(watch->connection.context, NULL, NULL);
    if (watch->stop) rw_pulse.pa_threaded_mainloop_get_api(loop)->io_free(watch->stop);
    rw_pulse.pa_threaded_mainloop_unlock(loop);
  }
  rw_pulse_disconnect(&watch->connection);
  free(watch);
}
