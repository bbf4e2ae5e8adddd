// Layers that are turned, sheared or scaled by an affine transform.
#pragma once

#include <stdbool.h>

#include "LayerBlending.h"

// The samples that are added on each side of a picture, which is mirrored there.
enum { RW_SAMPLING_MARGIN = 4 };

// Where the pixel (x, y) of the result, its centre half a pixel further, lies in the source, from its top left:
// u = a x + c y + tx, v = b x + d y + ty.
typedef struct {
  double a, b, c, d, tx, ty;
  // The part of the source that is shown, in its pixels.
  double left, right, top, bottom;
  // The distance in the result of the lines of a unit of u, and of v.
  double across, down;
} rw_sampling;

// The pixels of a layer one after the other, four numbers each (255 of 255 is the alpha of a layer without), with
// the margin on each side: (width + 2 margins) * (height + 2 margins) * 4 numbers, aligned to 16 bytes.
void rw_interleave(const rw_layer *layer, uint16_t *pixels);

// Writes all of `result`, which has alpha: bicubic samples (B = 0, C = 0.6), multiplied by the fraction of the pixel
// that lies within the shown part. The pixels are those of `rw_interleave`, of a picture of that size.
void rw_sample(const uint16_t *pixels, int width, int height, const rw_sampling *sampling, const rw_layer *result,
               bool uses_avx2);
