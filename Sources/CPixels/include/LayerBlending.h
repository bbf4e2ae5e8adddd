// Layers of pictures drawn over each other: weights are numbers of 1/32768, and blending is integer arithmetic.
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

// Planes of 16 bits, all of one size: three of colour, which have been multiplied by the fourth, alpha, where there is
// one.
typedef struct {
  rw_plane planes[4];
  bool has_alpha;
} rw_layer;

// The layer, times the weight, over the picture. The size is the layer's, which has alpha.
void rw_blend_over(const rw_layer *picture, const rw_layer *layer, int weight, bool uses_avx2);

// Multiplies colours by alpha.
void rw_premultiply(const rw_layer *layer, bool uses_avx2);
// Divides them by it; where it is 0 they become `none`.
void rw_unpremultiply(const rw_layer *layer, const uint16_t none[3]);

// How much of its outermost rows and columns is covered, in 1/65535; all others are.
typedef struct {
  uint16_t left, right, top, bottom;
} rw_edges;

// Multiplies all planes by the coverage, and cuts colours off at alpha, which filters may exceed.
void rw_cover(const rw_layer *layer, const rw_edges *edges, bool uses_avx2);

// A mask: how much of each pixel is covered, in 1/255.
typedef struct {
  const uint8_t *coverage;
  // From one row to the next, in bytes.
  ptrdiff_t stride;
  // In pixels; all of it lies within the layer.
  int x, y, width, height;
} rw_mask;

// Paints a colour over the layer, which has alpha, where a mask covers it. The colour isn't premultiplied; its alpha is
// the fourth number.
void rw_paint(const rw_layer *layer, const rw_mask *mask, const uint16_t color[4], bool uses_avx2);
