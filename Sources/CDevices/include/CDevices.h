// Servers of audio, by libraries that are opened when they are needed first.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "CSystem.h"

typedef struct rw_pulse_output rw_pulse_output;

// Opens an output of a PulseAudio server (or PipeWire's) that plays a ring; NULL for the default device. Waits two
// seconds at most. Returns NULL, with the reason in `error`.
rw_pulse_output *rw_pulse_output_open(const char *device, uint32_t rate, uint32_t channels, rw_audio_ring *ring,
                                      char *error, size_t size);
void rw_pulse_output_close(rw_pulse_output *output);

// A device of a PulseAudio server. The texts may be NULL.
typedef struct {
  char *name, *description, *model;
  const char *sample_format;
  uint32_t rate, channels;
  int is_default, is_in_use;
} rw_pulse_device;

// Lists the outputs of the server; waits two seconds at most. Returns 0, with the reason in `error`, where there is
// none. Whoever gets the devices frees them.
int rw_pulse_list_outputs(rw_pulse_device **devices, size_t *count, char *error, size_t size);
void rw_pulse_free_devices(rw_pulse_device *devices, size_t count);
