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
