// Conversions of pixels, as loops over rows that the compiler vectorizes. The results depend on the arguments
// only: all is integer arithmetic, and every variant gives the same bytes on every processor.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "FieldInterpolation.h"
#include "LayerBlending.h"
#include "LayerSampling.h"
#include "PictureDifferences.h"
#include "PictureDrawing.h"
#include "PictureRows.h"

// Luma and chroma of 8 bits. Chroma has the size of luma, or half of it, rounded up.
typedef struct {
  int width, height;
  const uint8_t *luma, *cb, *cr;
  // From one row to the next, in bytes.
  ptrdiff_t luma_stride, cb_stride, cr_stride;
  // From one sample of Cb, or Cr, to the next, in bytes: 1 in planes of their own, 2 where they alternate.
  int chroma_step;
  bool is_halved_across, is_halved_down;
  // Where the first chroma sample lies, in half luma samples from the first luma sample: 0, 1 or 2. Only where
  // chroma is halved.
  int16_t chroma_x, chroma_y;
} rw_yuv;

// From YUV to RGB of 0 to 255: factors in 1/16384, and the offset that is added to the product of luma - 128, with
// half a level for rounding, in 1/64. Blue's factor is stored less 1. The last factor is that of the product that is
// subtracted.
typedef struct {
  int16_t luma, offset;
  int16_t cr_to_red, cb_to_blue, cb_to_green, cr_to_green;
} rw_yuv_matrix;

// Packed pixels, and where their components are in each, in bytes. Of four bytes, the other one is 255.
typedef struct {
  uint8_t *pixels;
  ptrdiff_t stride;
  int bytes_per_pixel;
  int red, green, blue;
} rw_rgb;

// Whether the variants for AVX2 can be called.
bool rw_has_avx2(void);

// Each writes the pixels of the source's size and nothing else.
void rw_yuv_to_rgb(const rw_yuv *source, const rw_yuv_matrix *matrix, const rw_rgb *target, bool uses_avx2);
void rw_yuv_to_gray(const rw_yuv *source, const rw_yuv_matrix *matrix, uint8_t *gray, ptrdiff_t stride,
                    bool uses_avx2);
