#include "CPixels.h"

#include <string.h>

// The same sums on every processor: no product and sum in one rounding.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))
#else
#define AVX2
#endif

typedef uint16_t __attribute__((aligned(1), may_alias)) word;
typedef float four __attribute__((vector_size(16)));
typedef float eight __attribute__((vector_size(32)));
typedef uint16_t eight_numbers __attribute__((vector_size(16), aligned(2), may_alias));

typedef uint16_t four_numbers __attribute__((vector_size(8), may_alias));
typedef int32_t four_integers __attribute__((vector_size(16)));

// Pixels are made a block at a time, which stays in the first cache.
enum { MARGIN = RW_SAMPLING_MARGIN, MAXIMUM = 65535, BLOCK = 512 };

// MARK: - Pixels one after the other

// The place within `length` that a place before or after it mirrors.
static int mirrored(int place, int length) {
  int period = 2 * length;
  int rest = place % period;
  if (rest < 0) rest += period;
  return rest < length ? rest : period - 1 - rest;
}

void rw_interleave(const rw_layer *layer, uint16_t *pixels) {
  int width = layer->planes[0].width, height = layer->planes[0].height;
  ptrdiff_t row_size = (ptrdiff_t)(width + 2 * MARGIN) * 4;
  for (int y = -MARGIN; y < height + MARGIN; y++) {
    const word *rows[4];
    for (int i = 0; i < 4; i++)
      rows[i] = (const word *)(layer->planes[i].samples + mirrored(y, height) * layer->planes[i].stride);
    uint16_t *row = pixels + (y + MARGIN) * row_size;
    uint16_t *to = row + MARGIN * 4;
    for (int x = 0; x < width; x++) {
      to[4 * x] = rows[0][x];
      to[4 * x + 1] = rows[1][x];
      to[4 * x + 2] = rows[2][x];
      to[4 * x + 3] = layer->has_alpha ? rows[3][x] : MAXIMUM;
    }
    for (int x = 1; x <= MARGIN; x++) {
      memcpy(to - 4 * x, to + 4 * mirrored(-x, width), 8);
      memcpy(to + 4 * (width + x - 1), to + 4 * mirrored(width + x - 1, width), 8);
    }
  }
}

// MARK: - Samples

// Keys' cubic for the four samples around a place that lies `t` after the second one: polynomials of t.
INLINE four weights(float t) {
  const float c = 0.6f;
  const four third = {-c, 2 - c, c - 2, c}, second = {2 * c, c - 3, 3 - 2 * c, -c}, first = {-c, 0, c, 0};
  const four zeroth = {0, 1, 0, 0};
  return ((third * t + second) * t + first) * t + zeroth;
}

// Two pixels. (A macro: returning vectors of this size is no matter of every processor.)
#define NUMBERS(pixels) __builtin_convertvector(*(const eight_numbers *)(pixels), eight)

INLINE four bicubic(const uint16_t *pixels, ptrdiff_t row_size, float t, float s) {
  four across = weights(t), down = weights(s);
  eight one = __builtin_shufflevector(across, across, 0, 0, 0, 0, 1, 1, 1, 1);
  eight other = __builtin_shufflevector(across, across, 2, 2, 2, 2, 3, 3, 3, 3);
  eight sum = {0};
  for (int j = 0; j < 4; j++) {
    const uint16_t *row = pixels + j * row_size;
    sum += (NUMBERS(row) * one + NUMBERS(row + 8) * other) * down[j];
  }
  return __builtin_shufflevector(sum, sum, 0, 1, 2, 3) + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
}

INLINE double least(double a, double b) { return a < b ? a : b; }
INLINE double clamp(double value, double low, double high) { return value < low ? low : least(value, high); }

// How much of a pixel lies between two edges, which are that far from its centre.
INLINE double covered(double one, double other) { return clamp(least(one, 0.5) + least(other, 0.5), 0, 1); }

// Where the samples of some pixels of a row are, one array for each number so that they are computed side by side.
typedef struct {
  // The sample above and to the left of the four by four, in numbers; and the distances after the second ones.
  int first[BLOCK];
  float across[BLOCK], down[BLOCK];
  // The covered fraction.
  float part[BLOCK];
} places;

INLINE void find_places(int width, int height, const rw_sampling *s, double x, double y, int count, places *result) {
  int row_size = (width + 2 * MARGIN) * 4;
  double u_start = s->c * y + s->tx, v_start = s->d * y + s->ty;
  for (int i = 0; i < count; i++) {
    double u = s->a * (x + i) + u_start, v = s->b * (x + i) + v_start;
    result->part[i] = (float)(covered((u - s->left) * s->across, (s->right - u) * s->across) *
                              covered((v - s->top) * s->down, (s->bottom - v) * s->down));
    // Two samples beyond, and two more for their filters, are in the margin. The numbers that are added and
    // subtracted make them positive, so that the conversion to integers below rounds down.
    u = clamp(u, -1, width + 1) - 0.5 + MARGIN, v = clamp(v, -1, height + 1) - 0.5 + MARGIN;
    int column = (int)u, row = (int)v;
    result->first[i] = (row - 1) * row_size + (column - 1) * 4;
    result->across[i] = (float)(u - column);
    result->down[i] = (float)(v - row);
  }
}

INLINE four_numbers pixel(const uint16_t *first, ptrdiff_t row_size, float across, float down, float part) {
  four color = bicubic(first, row_size, across, down);
  // Filters exceed the range of samples near edges.
  const four none = {0}, greatest = {MAXIMUM, MAXIMUM, MAXIMUM, MAXIMUM};
  color = __builtin_elementwise_min(__builtin_elementwise_max(color, none), greatest);
  color = __builtin_elementwise_min(color, __builtin_shufflevector(color, color, 3, 3, 3, 3));
  return __builtin_convertvector(__builtin_convertvector(color * part + 0.5f, four_integers), four_numbers);
}

INLINE void sample(const uint16_t *pixels, int width, int height, const rw_sampling *s, const rw_layer *result) {
  uint16_t made[BLOCK * 4] __attribute__((aligned(16)));
  places places;
  int length = result->planes[0].width;
  ptrdiff_t row_size = (ptrdiff_t)(width + 2 * MARGIN) * 4;
  for (int y = 0; y < result->planes[0].height; y++)
    for (int from = 0; from < length; from += BLOCK) {
      int count = length - from < BLOCK ? length - from : BLOCK;
      find_places(width, height, s, from + 0.5, y + 0.5, count, &places);
      for (int x = 0; x < count; x++)
        *(four_numbers *)(made + 4 * x) =
            places.part[x] > 0
                ? pixel(pixels + places.first[x], row_size, places.across[x], places.down[x], places.part[x])
                : (four_numbers){0};
      for (int i = 0; i < 4; i++) {
        word *to = (word *)(result->planes[i].samples + y * result->planes[i].stride) + from;
        for (int x = 0; x < count; x++) to[x] = made[4 * x + i];
      }
    }
}

AVX2 static void sample_avx2(const uint16_t *pixels, int width, int height, const rw_sampling *sampling,
                             const rw_layer *result) {
  sample(pixels, width, height, sampling, result);
}

static void sample_baseline(const uint16_t *pixels, int width, int height, const rw_sampling *sampling,
                            const rw_layer *result) {
  sample(pixels, width, height, sampling, result);
}

void rw_sample(const uint16_t *pixels, int width, int height, const rw_sampling *sampling, const rw_layer *result,
               bool uses_avx2) {
  (uses_avx2 ? sample_avx2 : sample_baseline)(pixels, width, height, sampling, result);
}
