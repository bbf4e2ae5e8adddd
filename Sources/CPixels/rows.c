#include "CPixels.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef uint8_t byte;
// Samples of two bytes need not be aligned in a picture.
typedef uint16_t __attribute__((aligned(1), may_alias)) word;

// MARK: - Pixels

// Pixels of `n` samples to a row for each sample, and back. `n` is a constant where these are called, so that the
// compiler finds the shuffles for it.
#define DEFINE(type)                                                                                              \
  INLINE void take_apart_##type(const uint8_t *restrict pixels, uint8_t *const *rows, int n, int count) {         \
    const type *restrict from = (const type *)pixels;                                                             \
    type *restrict a = (type *)rows[0], *restrict b = (type *)rows[1];                                            \
    type *restrict c = (type *)rows[2], *restrict d = (type *)rows[3];                                            \
    for (int i = 0; i < count; i++) {                                                                             \
      a[i] = from[n * i];                                                                                         \
      b[i] = from[n * i + 1];                                                                                     \
      if (n > 2) c[i] = from[n * i + 2];                                                                          \
      if (n > 3) d[i] = from[n * i + 3];                                                                          \
    }                                                                                                             \
  }                                                                                                               \
  INLINE void put_together_##type(uint8_t *restrict pixels, uint8_t *const *rows, int n, int count) {             \
    type *restrict to = (type *)pixels;                                                                           \
    const type *restrict a = (const type *)rows[0], *restrict b = (const type *)rows[1];                          \
    const type *restrict c = (const type *)rows[2], *restrict d = (const type *)rows[3];                          \
    for (int i = 0; i < count; i++) {                                                                             \
      to[n * i] = a[i];                                                                                           \
      to[n * i + 1] = b[i];                                                                                       \
      if (n > 2) to[n * i + 2] = c[i];                                                                            \
      if (n > 3) to[n * i + 3] = d[i];                                                                            \
    }                                                                                                             \
  }
DEFINE(byte)
DEFINE(word)

#define COPY(name, n)                                                                                             \
  (bytes == 1 ? name##_byte(pixels, rows, n, count) : name##_word(pixels, rows, n, count))
#define COPY_ALL                                                                                                  \
  switch (n) {                                                                                                    \
    case 2: reads ? COPY(take_apart, 2) : COPY(put_together, 2); break;                                           \
    case 3: reads ? COPY(take_apart, 3) : COPY(put_together, 3); break;                                           \
    case 4: reads ? COPY(take_apart, 4) : COPY(put_together, 4); break;                                           \
  }

static void copy_pixels_plainly(bool reads, uint8_t *pixels, uint8_t *const *rows, int n, int bytes, int count) {
  COPY_ALL
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void copy_pixels_by_avx2(bool reads, uint8_t *pixels, uint8_t *const *rows,
                                                                int n, int bytes, int count) {
  COPY_ALL
}
#else
#define copy_pixels_by_avx2 copy_pixels_plainly
#endif

// MARK: - Samples of one component

INLINE uint16_t ordered(uint16_t number, bool swaps) { return swaps ? __builtin_bswap16(number) : number; }

INLINE void read_wide(const uint8_t *from, ptrdiff_t step, word *to, int shift, uint16_t maximum, bool swaps,
                      int count) {
  for (int i = 0; i < count; i++) to[i] = (ordered(*(const word *)(from + i * step), swaps) >> shift) & maximum;
}

static void read_samples(const rw_component *c, const uint8_t *from, uint8_t *row, int count) {
  word *to = (word *)row;
  uint16_t maximum = (uint16_t)((1u << c->depth) - 1);
  if (c->step == c->bytes && !c->shift && !c->is_big_endian) memcpy(row, from, (size_t)(count * c->bytes));
  else if (c->bytes == 1)
    for (int i = 0; i < count; i++) row[i] = from[i * c->step];
  else if (c->step == 2 && !c->is_big_endian) read_wide(from, 2, to, c->shift, maximum, false, count);
  else if (c->step == 4 && !c->is_big_endian) read_wide(from, 4, to, c->shift, maximum, false, count);
  else read_wide(from, c->step, to, c->shift, maximum, c->is_big_endian, count);
}

static void write_samples(const rw_component *c, uint8_t *to, const uint8_t *row, int count) {
  const word *from = (const word *)row;
  if (c->step == c->bytes && !c->shift && !c->is_big_endian) memcpy(to, row, (size_t)(count * c->bytes));
  else if (c->bytes == 1)
    for (int i = 0; i < count; i++) to[i * c->step] = row[i];
  else
    for (int i = 0; i < count; i++)
      *(word *)(to + i * c->step) = ordered((uint16_t)(from[i] << c->shift), c->is_big_endian);
}

// MARK: - Rows

static int least(int a, int b) { return a < b ? a : b; }

// A part of a row: from column `from` on, `count` of the picture's samples, in a row that is `end` long.
typedef struct {
  int from, count, end;
} part;

static part part_of(const rw_component *c, int left, int right) {
  int from = left >> c->width_shift;
  int end = (right + (1 << c->width_shift) - 1) >> c->width_shift;
  return (part){from, least(end, c->width) - from, least(end, c->padded_width)};
}

static uint8_t *row_of(const rw_component *c, int y) {
  return c->rows + (ptrdiff_t)((unsigned)y & c->mask) * c->row_stride;
}

static void extend(const rw_component *c, int y, part part) {
  uint8_t *row = row_of(c, y);
  for (int x = part.from + part.count; x < part.end; x++)
    memcpy(row + x * c->bytes, row + (x - 1) * c->bytes, (size_t)c->bytes);
}

static void copy_component(bool reads, const rw_component *c, int y, part part) {
  uint8_t *samples = c->first + least(y, c->height - 1) * c->stride + part.from * c->step;
  uint8_t *row = row_of(c, y) + part.from * c->bytes;
  if (!reads) {
    write_samples(c, samples, row, part.count);
    return;
  }
  read_samples(c, samples, row, part.count);
  extend(c, y, part);
}

static void copy_pixels(bool reads, const rw_rows *all, int y, part part) {
  const rw_component *c = &all->components[all->first_of_pixel];
  uint8_t *rows[4] = {all->spare, all->spare, all->spare, all->spare};
  for (int place = 0; place < all->pixel_size; place++)
    if (all->order[place] >= 0) rows[place] = row_of(&all->components[all->order[place]], y) + part.from * c->bytes;
  uint8_t *pixels = all->pixels + least(y, c->height - 1) * c->stride + part.from * c->step;
  (rw_has_avx2() ? copy_pixels_by_avx2 : copy_pixels_plainly)(reads, pixels, rows, all->pixel_size, c->bytes, part.count);
  for (int i = all->first_of_pixel; reads && i < all->count; i++) extend(&all->components[i], y, part);
}

static int copy_rows(bool reads, const rw_rows *all, int row, int left, int right) {
  int end = all->pixel_size ? all->first_of_pixel + 1 : all->count;
  for (int i = 0; i < end; i++) {
    const rw_component *c = &all->components[i];
    if (!c->rows) continue;
    part part = part_of(c, left, right);
    int first = row >> c->height_shift;
    int rows = 1 << (all->height_shift - c->height_shift);
    for (int y = first; y < first + rows; y++) {
      // Rows beyond the picture are read as its last row, and aren't written.
      if (part.count <= 0 || (!reads && y >= c->height)) continue;
      if (all->pixel_size && i == all->first_of_pixel) copy_pixels(reads, all, y, part);
      else copy_component(reads, c, y, part);
    }
  }
  return 0;
}

int rw_read_rows(void *rows, unsigned row, unsigned left, unsigned right) {
  return copy_rows(true, rows, (int)row, (int)left, (int)right);
}

int rw_write_rows(void *rows, unsigned row, unsigned left, unsigned right) {
  return copy_rows(false, rows, (int)row, (int)left, (int)right);
}

void rw_fill(const rw_component *c) {
  uint16_t maximum = (uint16_t)((1u << c->depth) - 1);
  uint8_t number[2] = {(uint8_t)maximum, 0};
  if (c->bytes == 2) memcpy(number, &maximum, 2);
  for (int y = 0; y < c->height; y++)
    for (int x = 0; x < c->width; x++) write_samples(c, c->first + y * c->stride + x * c->step, number, 1);
}
