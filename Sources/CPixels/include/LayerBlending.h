// Layers of pictures drawn over each other: all weights are numbers of 1/32768, and all is integer arithmetic.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A plane of samples of one byte or two. Of those of two, the number is in `depth` bits above the lowest `shift`.
typedef struct {
  uint8_t *samples;
  // From one row to the next, in bytes.
  ptrdiff_t stride;
  // In samples.
  int width, height;
  int bytes, depth, shift;
} rw_plane;

// Every sample `a` of the picture becomes (a (32768 - weight) + b weight + 16384) >> 15, where b is the layer's; the
// size is the layer's.
void rw_blend(const rw_plane *picture, const rw_plane *layer, int weight, bool uses_avx2);
