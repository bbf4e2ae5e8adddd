#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CDevices.h"
#include "pulse_library.h"

typedef struct {
  rw_pulse_connection connection;
  rw_pulse_device *devices;
  size_t count, capacity;
  char *chosen;
  int is_of_inputs, done, failed;
} rw_pulse_listing;

// The maximum number of devices that are listed.
enum { MAXIMUM_DEVICES = 1024 };

static char *copy(const char *text) { return text ? strdup(text) : NULL; }

static const char *sample_format(pa_sample_format_t format) {
  switch (format) {
    case PA_SAMPLE_U8: return "u8";
    case PA_SAMPLE_ALAW: return "alaw";
    case PA_SAMPLE_ULAW: return "mulaw";
    case PA_SAMPLE_S16LE: case PA_SAMPLE_S16BE: return "s16";
    case PA_SAMPLE_FLOAT32LE: case PA_SAMPLE_FLOAT32BE: return "f32";
    case PA_SAMPLE_S32LE: case PA_SAMPLE_S32BE: return "s32";
    case PA_SAMPLE_S24LE: case PA_SAMPLE_S24BE:
    case PA_SAMPLE_S24_32LE: case PA_SAMPLE_S24_32BE: return "s24";
    default: return NULL;
  }
}

static void finish(rw_pulse_listing *listing, int failed) {
  listing->done = 1;
  listing->failed = failed;
  rw_pulse.pa_threaded_mainloop_signal(listing->connection.loop, 0);
}

static void take_server(pa_context *context, const pa_server_info *info, void *data) {
  (void)context;
  rw_pulse_listing *listing = data;
  if (info) listing->chosen = copy(listing->is_of_inputs ? info->default_source_name : info->default_sink_name);
  finish(listing, !info);
}

// Adds a device; the listing owns its texts, which are copies.
static void add(rw_pulse_listing *listing, rw_pulse_device device, const pa_sample_spec *spec, pa_proplist *properties) {
  if (listing->count == MAXIMUM_DEVICES) return;
  if (listing->count == listing->capacity) {
    size_t capacity = listing->capacity * 2 + 8;
    rw_pulse_device *devices = realloc(listing->devices, capacity * sizeof *devices);
    if (!devices) return;
    listing->devices = devices;
    listing->capacity = capacity;
  }
  device.is_default = listing->chosen && device.name && !strcmp(listing->chosen, device.name);
  device.name = copy(device.name);
  device.description = copy(device.description);
  device.model = copy(rw_pulse.pa_proplist_gets(properties, PA_PROP_DEVICE_PRODUCT_NAME));
  device.sample_format = sample_format(spec->format);
  device.rate = spec->rate;
  device.channels = spec->channels;
  listing->devices[listing->count++] = device;
}

static void take_sink(pa_context *context, const pa_sink_info *info, int end, void *data) {
  (void)context;
  rw_pulse_listing *listing = data;
  if (end || !info) return finish(listing, end < 0);
  rw_pulse_device device = {.name = (char *)info->name, .description = (char *)info->description};
  device.is_in_use = info->state == PA_SINK_RUNNING;
  add(listing, device, &info->sample_spec, info->proplist);
}

static void take_source(pa_context *context, const pa_source_info *info, int end, void *data) {
  (void)context;
  rw_pulse_listing *listing = data;
  if (end || !info) return finish(listing, end < 0);
  rw_pulse_device device = {.name = (char *)info->name, .description = (char *)info->description};
  device.is_in_use = info->state == PA_SOURCE_RUNNING;
  device.is_monitor = info->monitor_of_sink != PA_INVALID_INDEX;
  add(listing, device, &info->sample_spec, info->proplist);
}

// Waits for an operation on the locked loop.
static int wait_for(rw_pulse_listing *listing, pa_operation *operation, char *error, size_t size) {
  rw_pulse_connection *connection = &listing->connection;
  if (!operation) return rw_pulse_fail(connection, error, size, "the audio server doesn't list its devices");
  while (!listing->done && !connection->timed_out &&
         rw_pulse.pa_operation_get_state(operation) == PA_OPERATION_RUNNING)
    rw_pulse.pa_threaded_mainloop_wait(connection->loop);
  // Its callback isn't called any more.
  rw_pulse.pa_operation_cancel(operation);
  rw_pulse.pa_operation_unref(operation);
  int done = listing->done && !listing->failed;
  listing->done = listing->failed = 0;
  if (done) return 1;
  if (connection->timed_out) return rw_pulse_fail(connection, error, size, "the audio server doesn't answer");
  return rw_pulse_fail(connection, error, size, "the audio server doesn't list its devices");
}

static pa_operation *list(rw_pulse_listing *listing) {
  pa_context *context = listing->connection.context;
  if (listing->is_of_inputs) return rw_pulse.pa_context_get_source_info_list(context, take_source, listing);
  return rw_pulse.pa_context_get_sink_info_list(context, take_sink, listing);
}

int rw_pulse_list(int is_of_inputs, rw_pulse_device **devices, size_t *count, char *error, size_t size) {
  rw_pulse_listing listing = {.is_of_inputs = is_of_inputs};
  int listed = rw_pulse_connect(&listing.connection, NULL, error, size);
  if (listed) {
    pa_context *context = listing.connection.context;
    listed = wait_for(&listing, rw_pulse.pa_context_get_server_info(context, take_server, &listing), error, size) &&
             wait_for(&listing, list(&listing), error, size);
    rw_pulse.pa_threaded_mainloop_unlock(listing.connection.loop);
  }
  rw_pulse_disconnect(&listing.connection);
  free(listing.chosen);
  *devices = listing.devices;
  *count = listing.count;
  if (listed) return 1;
  rw_pulse_free_devices(*devices, *count);
  *devices = NULL;
  *count = 0;
  return 0;
}

void rw_pulse_free_devices(rw_pulse_device *devices, size_t count) {
  for (size_t index = 0; index < count; index++) {
    free(devices[index].name);
    free(devices[index].description);
    free(devices[index].model);
  }
  free(devices);
}
