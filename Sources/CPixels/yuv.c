// YUV of 8 bits to RGB and grey, by H.273's equations.
//
// Chroma is interpolated linearly between its samples, where these lie; places outside of the outermost ones repeat
// them. With chroma on or halfway between luma samples every weight is a number of quarters, so 16 bits hold
// interpolated chroma exactly: as 256 times its distance from neutral, a multiple of 16.
//
// The matrix is applied in 16 bits, with sums in 1/64 of a level. They are off by less than 1/20 of a level before
// they are rounded to whole levels:
// - Luma is exact in full range. In limited range its factor is 19077 for 19077.26 (255/219 · 16384), the product is
//   rounded down to 1/64, and the offset that is added, 8378, is 112 times the factor and nearly a half: 32/64 would
//   be 8378.3. Together 1/45 at most, and with these two numbers every grey, for which there is no chroma to add, is
//   the nearest level.
// - A product of chroma is rounded down to 1/64, and its factor, off by half of 1/16384 at most, counts 128 times
//   at most: 1/256. Red and blue have one of them. Green has two, of which one is subtracted: the errors of
//   rounding have opposite signs.
// So a result is the nearest level, or the next one where the exact value is almost halfway between both.

#include "CPixels.h"

#include <string.h>

// They become part of the function for each set of instructions, and are vectorized for it there.
#define INLINE static inline __attribute__((always_inline))

// Pixels of a row that are converted at a time, so that the intermediate values stay in the first cache.
enum { BLOCK = 1024 };

// MARK: - Chroma

// A luma sample takes chroma from the sample that it shares its number with, halved, and from the one before
// (even places) or after it (odd places). Returns the weight of this neighbour, in quarters.
INLINE int16_t neighbour_weight(int place, int16_t chroma_position) {
  return (int16_t)(place & 1 ? 2 - chroma_position : chroma_position);
}

INLINE int clamp(int value, int least, int greatest) {
  return value < least ? least : value > greatest ? greatest : value;
}

// Four times the distance from neutral, between two rows.
INLINE void blend_rows(const uint8_t *restrict row, const uint8_t *restrict neighbour, int step, int16_t weight,
                       int16_t *restrict sums, int count) {
  for (int k = 0; k < count; k++) {
    int16_t a = row[k * step], b = neighbour[k * step];
    sums[k] = (int16_t)(4 * (a - 128) + weight * (int16_t)(b - a));
  }
}

// 256 times the distance from neutral, for two luma samples each: sums[-1] and sums[count] are read too.
INLINE void blend_columns(const int16_t *restrict sums, int16_t chroma_x, int16_t *restrict chroma, int count) {
  int16_t before = (int16_t)(16 * neighbour_weight(0, chroma_x));
  int16_t after = (int16_t)(16 * neighbour_weight(1, chroma_x));
  for (int k = 0; k < count; k++) {
    const int16_t *sum = sums + k;
    chroma[2 * k] = (int16_t)(64 * sum[0] + before * (sum[-1] - sum[0]));
    chroma[2 * k + 1] = (int16_t)(64 * sum[0] + after * (sum[1] - sum[0]));
  }
}

// Chroma of one kind for `count` luma samples of row `y` from `x` on, which is even.
INLINE void interpolate(const rw_yuv *source, const uint8_t *plane, ptrdiff_t stride, int x, int y, int count,
                        int16_t *restrict chroma) {
  int row = y, neighbour = y;
  int16_t weight = 0;
  if (source->is_halved_down) {
    row = y / 2;
    neighbour = clamp(y & 1 ? row + 1 : row - 1, 0, (source->height - 1) / 2);
    weight = neighbour_weight(y, source->chroma_y);
  }
  int first = x, last = x + count - 1, begin = x, end = x + count - 1;
  if (source->is_halved_across) {
    first = x / 2 - 1, last = (x + count - 1) / 2 + 1;
    begin = clamp(first, 0, last), end = clamp(last, 0, (source->width - 1) / 2);
  }
  int16_t sums[BLOCK + 2];
  int16_t *blended = sums + (begin - first);
  int available = end - begin + 1, step = source->chroma_step;
  const uint8_t *a = plane + row * stride + (ptrdiff_t)begin * step;
  const uint8_t *b = plane + neighbour * stride + (ptrdiff_t)begin * step;
  // A loop for each step: as a variable it would keep the compiler from vectorizing.
  if (step == 1)
    blend_rows(a, b, 1, weight, blended, available);
  else
    blend_rows(a, b, 2, weight, blended, available);
  if (source->is_halved_across) {
    if (begin > first) sums[0] = sums[1];
    if (end < last) sums[last - first] = sums[end - first];
    blend_columns(sums + 1, source->chroma_x, chroma, (count + 1) / 2);
  } else {
    for (int k = 0; k < count; k++) chroma[k] = (int16_t)(64 * sums[k]);
  }
}

// MARK: - The matrix

// The upper half of a product, rounded down: one instruction where there are vectors (PMULHW).
INLINE int16_t multiply(int16_t a, int16_t b) { return (int16_t)(a * b >> 16); }

// Sums are this much smaller than the levels that they represent: so 16 bits hold them, from -293 to 552 levels.
enum { CENTER = 128 };

// In 1/64 of a level, ready to be cut off.
INLINE int16_t luma_sum(uint8_t luma, int16_t factor, int16_t offset) {
  return (int16_t)(multiply((int16_t)(256 * (luma - 128)), factor) + offset);
}

INLINE uint8_t level(int16_t sum) {
  int16_t whole = sum >> 6;
  whole = whole < -CENTER ? -CENTER : whole;
  whole = whole > 255 - CENTER ? 255 - CENTER : whole;
  return (uint8_t)(whole + CENTER);
}

INLINE void apply(const rw_yuv_matrix *matrix, const uint8_t *restrict luma, const int16_t *restrict cb,
                  const int16_t *restrict cr, uint8_t *restrict red, uint8_t *restrict green,
                  uint8_t *restrict blue, int count) {
  const rw_yuv_matrix m = *matrix;
  int16_t offset = (int16_t)(m.offset - 64 * CENTER);
  for (int x = 0; x < count; x++) {
    int16_t sum = luma_sum(luma[x], m.luma, offset);
    red[x] = level((int16_t)(sum + multiply(cr[x], m.cr_to_red)));
    green[x] = level((int16_t)(sum + multiply(cb[x], m.cb_to_green) - multiply(cr[x], m.cr_to_green)));
    // A quarter of chroma is chroma times 1, exactly.
    blue[x] = level((int16_t)(sum + (cb[x] >> 2) + multiply(cb[x], m.cb_to_blue)));
  }
}

// MARK: - Rows

INLINE void pack3(uint8_t *const *bytes, uint8_t *restrict pixels, int count) {
  const uint8_t *restrict a = bytes[0], *restrict b = bytes[1], *restrict c = bytes[2];
  for (int x = 0; x < count; x++) {
    pixels[3 * x] = a[x];
    pixels[3 * x + 1] = b[x];
    pixels[3 * x + 2] = c[x];
  }
}

INLINE void pack4(uint8_t *const *bytes, uint8_t *restrict pixels, int count) {
  const uint8_t *restrict a = bytes[0], *restrict b = bytes[1], *restrict c = bytes[2], *restrict d = bytes[3];
  for (int x = 0; x < count; x++) {
    pixels[4 * x] = a[x];
    pixels[4 * x + 1] = b[x];
    pixels[4 * x + 2] = c[x];
    pixels[4 * x + 3] = d[x];
  }
}

INLINE void yuv_to_rgb(const rw_yuv *source, const rw_yuv_matrix *matrix, const rw_rgb *target) {
  uint8_t red[BLOCK], green[BLOCK], blue[BLOCK], opaque[BLOCK];
  // Chroma is interpolated for pairs of luma samples.
  int16_t cb[BLOCK], cr[BLOCK];
  memset(opaque, 255, sizeof opaque);
  uint8_t *bytes[4] = {opaque, opaque, opaque, opaque};
  bytes[target->red] = red;
  bytes[target->green] = green;
  bytes[target->blue] = blue;
  for (int y = 0; y < source->height; y++) {
    const uint8_t *luma = source->luma + y * source->luma_stride;
    uint8_t *row = target->pixels + y * target->stride;
    for (int x = 0; x < source->width; x += BLOCK) {
      int count = clamp(source->width - x, 0, BLOCK);
      interpolate(source, source->cb, source->cb_stride, x, y, count, cb);
      interpolate(source, source->cr, source->cr_stride, x, y, count, cr);
      apply(matrix, luma + x, cb, cr, red, green, blue, count);
      uint8_t *pixels = row + (ptrdiff_t)x * target->bytes_per_pixel;
      if (target->bytes_per_pixel == 3)
        pack3(bytes, pixels, count);
      else
        pack4(bytes, pixels, count);
    }
  }
}

INLINE void yuv_to_gray(const rw_yuv *source, const rw_yuv_matrix *matrix, uint8_t *gray, ptrdiff_t stride) {
  int16_t factor = matrix->luma, offset = (int16_t)(matrix->offset - 64 * CENTER);
  int width = source->width, height = source->height;
  for (int y = 0; y < height; y++) {
    const uint8_t *restrict luma = source->luma + y * source->luma_stride;
    uint8_t *restrict row = gray + y * stride;
    for (int x = 0; x < width; x++) row[x] = level(luma_sum(luma[x], factor, offset));
  }
}

// MARK: - Sets of instructions

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))
bool rw_has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
#define AVX2
bool rw_has_avx2(void) { return false; }
#endif

AVX2 static void yuv_to_rgb_avx2(const rw_yuv *source, const rw_yuv_matrix *matrix, const rw_rgb *target) {
  yuv_to_rgb(source, matrix, target);
}

static void yuv_to_rgb_baseline(const rw_yuv *source, const rw_yuv_matrix *matrix, const rw_rgb *target) {
  yuv_to_rgb(source, matrix, target);
}

void rw_yuv_to_rgb(const rw_yuv *source, const rw_yuv_matrix *matrix, const rw_rgb *target, bool uses_avx2) {
  (uses_avx2 ? yuv_to_rgb_avx2 : yuv_to_rgb_baseline)(source, matrix, target);
}

AVX2 static void yuv_to_gray_avx2(const rw_yuv *source, const rw_yuv_matrix *matrix, uint8_t *gray,
                                  ptrdiff_t stride) {
  yuv_to_gray(source, matrix, gray, stride);
}

static void yuv_to_gray_baseline(const rw_yuv *source, const rw_yuv_matrix *matrix, uint8_t *gray,
                                 ptrdiff_t stride) {
  yuv_to_gray(source, matrix, gray, stride);
}

void rw_yuv_to_gray(const rw_yuv *source, const rw_yuv_matrix *matrix, uint8_t *gray, ptrdiff_t stride,
                    bool uses_avx2) {
  (uses_avx2 ? yuv_to_gray_avx2 : yuv_to_gray_baseline)(source, matrix, gray, stride);
}
