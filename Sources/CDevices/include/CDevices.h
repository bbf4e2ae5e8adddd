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
