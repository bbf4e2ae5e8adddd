#include "CPixels.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))
#else
#define AVX2
#endif

// Samples of two bytes need not be aligned in a picture.
typedef uint16_t __attribute__((aligned(1), may_alias)) word;

enum { ONE = 32768, HALF = 16384 };

// MARK: - A layer of the picture's own format

// a (ONE - w) + b w is a ONE + (b - a) w, so a is added after the shift, and up to 15 bits a difference and its
// product's upper half fit into 16.
INLINE int16_t part_of(int16_t difference, int16_t weight) {
  return (int16_t)((difference * weight + HALF) >> 15);
}

INLINE void blend_bytes(uint8_t *restrict picture, const uint8_t *restrict layer, int16_t weight, int count) {
  for (int x = 0; x < count; x++)
    picture[x] = (uint8_t)(picture[x] + part_of((int16_t)(layer[x] - picture[x]), weight));
}

INLINE void blend_wide(word *restrict picture, const word *restrict layer, int16_t weight, int shift, int count) {
  for (int x = 0; x < count; x++) {
    int16_t a = (int16_t)(picture[x] >> shift), b = (int16_t)(layer[x] >> shift);
    picture[x] = (uint16_t)((a + part_of((int16_t)(b - a), weight)) << shift);
  }
}

// 65535 times 32767 and the half are less than 2^31.
INLINE void blend_deep(word *restrict picture, const word *restrict layer, int16_t weight, int count) {
  for (int x = 0; x < count; x++) {
    int a = picture[x], b = layer[x];
    picture[x] = (uint16_t)(a + (((b - a) * weight + HALF) >> 15));
  }
}

INLINE void blend(const rw_plane *picture, const rw_plane *layer, int16_t weight) {
  for (int y = 0; y < layer->height; y++) {
    uint8_t *to = picture->samples + y * picture->stride;
    const uint8_t *from = layer->samples + y * layer->stride;
    if (layer->bytes == 1) blend_bytes(to, from, weight, layer->width);
    else if (layer->depth > 15) blend_deep((word *)to, (const word *)from, weight, layer->width);
    else if (layer->shift) blend_wide((word *)to, (const word *)from, weight, layer->shift, layer->width);
    else blend_wide((word *)to, (const word *)from, weight, 0, layer->width);
  }
}

AVX2 static void blend_avx2(const rw_plane *picture, const rw_plane *layer, int16_t weight) {
  blend(picture, layer, weight);
}

static void blend_baseline(const rw_plane *picture, const rw_plane *layer, int16_t weight) {
  blend(picture, layer, weight);
}

void rw_blend(const rw_plane *picture, const rw_plane *layer, int weight, bool uses_avx2) {
  if (weight <= 0) return;
  if (weight < ONE) {
    (uses_avx2 ? blend_avx2 : blend_baseline)(picture, layer, (int16_t)weight);
    return;
  }
  for (int y = 0; y < layer->height; y++)
    memcpy(picture->samples + y * picture->stride, layer->samples + y * layer->stride,
           (size_t)layer->width * (size_t)layer->bytes);
}

// MARK: - Layers with alpha, premultiplied

enum { MAXIMUM = 65535 };

// A product of two numbers of 16 bits, over 65535, rounded to the nearest.
INLINE uint16_t over_maximum(uint32_t product) {
  uint32_t sum = product + ONE;
  return (uint16_t)((sum + (sum >> 16)) >> 16);
}

INLINE word *row_of(const rw_plane *plane, int y) { return (word *)(plane->samples + y * plane->stride); }

// A number that isn't more than alpha stays so after each step, so that no sum exceeds the largest number.
INLINE void blend_row_over(word *restrict picture, const word *restrict layer, const word *restrict alpha,
                           uint32_t weight, int count) {
  for (int x = 0; x < count; x++) {
    uint32_t color = (layer[x] * weight + HALF) >> 15;
    uint32_t covered = (alpha[x] * weight + HALF) >> 15;
    picture[x] = (uint16_t)(color + over_maximum(picture[x] * (MAXIMUM - covered)));
  }
}

INLINE void blend_over(const rw_layer *picture, const rw_layer *layer, uint32_t weight) {
  for (int y = 0; y < layer->planes[0].height; y++)
    for (int i = 0; i < (picture->has_alpha ? 4 : 3); i++)
      blend_row_over(row_of(&picture->planes[i], y), row_of(&layer->planes[i], y), row_of(&layer->planes[3], y), weight,
                     layer->planes[0].width);
}

AVX2 static void blend_over_avx2(const rw_layer *picture, const rw_layer *layer, uint32_t weight) {
  blend_over(picture, layer, weight);
}

static void blend_over_baseline(const rw_layer *picture, const rw_layer *layer, uint32_t weight) {
  blend_over(picture, layer, weight);
}

void rw_blend_over(const rw_layer *picture, const rw_layer *layer, int weight, bool uses_avx2) {
  if (weight <= 0) return;
  (uses_avx2 ? blend_over_avx2 : blend_over_baseline)(picture, layer, (uint32_t)(weight < ONE ? weight : ONE));
}

INLINE void premultiply(const rw_layer *layer) {
  for (int y = 0; y < layer->planes[0].height; y++) {
    const word *alpha = row_of(&layer->planes[3], y);
    for (int i = 0; i < 3; i++) {
      word *restrict color = row_of(&layer->planes[i], y);
      for (int x = 0; x < layer->planes[0].width; x++) color[x] = over_maximum((uint32_t)color[x] * alpha[x]);
    }
  }
}

AVX2 static void premultiply_avx2(const rw_layer *layer) { premultiply(layer); }
static void premultiply_baseline(const rw_layer *layer) { premultiply(layer); }

void rw_premultiply(const rw_layer *layer, bool uses_avx2) {
  (uses_avx2 ? premultiply_avx2 : premultiply_baseline)(layer);
}

void rw_unpremultiply(const rw_layer *layer, const uint16_t none[3]) {
  for (int y = 0; y < layer->planes[0].height; y++) {
    const word *alpha = row_of(&layer->planes[3], y);
    for (int i = 0; i < 3; i++) {
      word *color = row_of(&layer->planes[i], y);
      for (int x = 0; x < layer->planes[0].width; x++) {
        uint32_t a = alpha[x];
        if (a == MAXIMUM) continue;
        uint64_t straight = a ? ((uint64_t)color[x] * MAXIMUM + a / 2) / a : none[i];
        color[x] = (uint16_t)(straight > MAXIMUM ? MAXIMUM : straight);
      }
    }
  }
}

// MARK: - Masks with a colour

INLINE void paint_row(word *restrict samples, const uint8_t *restrict coverage, uint32_t color, uint32_t alpha,
                      int count) {
  for (int x = 0; x < count; x++) {
    uint32_t covered = over_maximum(coverage[x] * 257u * alpha);
    samples[x] = (uint16_t)(over_maximum(color * covered) + over_maximum(samples[x] * (MAXIMUM - covered)));
  }
}

// Rounding may make a sum of two products one more than its weights allow.
INLINE void paint(const rw_layer *layer, const rw_mask *mask, const uint16_t color[4]) {
  for (int y = 0; y < mask->height; y++) {
    const uint8_t *coverage = mask->coverage + y * mask->stride;
    for (int i = 0; i < 4; i++)
      paint_row(row_of(&layer->planes[i], mask->y + y) + mask->x, coverage, i < 3 ? color[i] : MAXIMUM, color[3],
                mask->width);
    word *restrict alpha = row_of(&layer->planes[3], mask->y + y) + mask->x;
    for (int i = 0; i < 3; i++) {
      word *restrict samples = row_of(&layer->planes[i], mask->y + y) + mask->x;
      for (int x = 0; x < mask->width; x++) samples[x] = samples[x] < alpha[x] ? samples[x] : alpha[x];
    }
  }
}

AVX2 static void paint_avx2(const rw_layer *layer, const rw_mask *mask, const uint16_t color[4]) {
  paint(layer, mask, color);
}

static void paint_baseline(const rw_layer *layer, const rw_mask *mask, const uint16_t color[4]) {
  paint(layer, mask, color);
}

void rw_paint(const rw_layer *layer, const rw_mask *mask, const uint16_t color[4], bool uses_avx2) {
  (uses_avx2 ? paint_avx2 : paint_baseline)(layer, mask, color);
}

// MARK: - Coverage

INLINE void limit(const rw_layer *layer) {
  for (int y = 0; y < layer->planes[0].height; y++) {
    const word *alpha = row_of(&layer->planes[3], y);
    for (int i = 0; i < 3; i++) {
      word *restrict color = row_of(&layer->planes[i], y);
      for (int x = 0; x < layer->planes[0].width; x++) color[x] = color[x] < alpha[x] ? color[x] : alpha[x];
    }
  }
}

AVX2 static void limit_avx2(const rw_layer *layer) { limit(layer); }
static void limit_baseline(const rw_layer *layer) { limit(layer); }

static void cover_row(const rw_plane *plane, int y, uint16_t covered) {
  word *row = row_of(plane, y);
  for (int x = 0; x < plane->width; x++) row[x] = over_maximum((uint32_t)row[x] * covered);
}

static void cover_column(const rw_plane *plane, int x, uint16_t covered) {
  for (int y = 0; y < plane->height; y++) {
    word *sample = row_of(plane, y) + x;
    *sample = over_maximum((uint32_t)*sample * covered);
  }
}

void rw_cover(const rw_layer *layer, const rw_edges *edges, bool uses_avx2) {
  (uses_avx2 ? limit_avx2 : limit_baseline)(layer);
  for (int i = 0; i < 4; i++) {
    const rw_plane *plane = &layer->planes[i];
    if (edges->top < MAXIMUM) cover_row(plane, 0, edges->top);
    if (edges->bottom < MAXIMUM) cover_row(plane, plane->height - 1, edges->bottom);
    if (edges->left < MAXIMUM) cover_column(plane, 0, edges->left);
    if (edges->right < MAXIMUM) cover_column(plane, plane->width - 1, edges->right);
  }
}
