#include "CPixels.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef uint8_t byte;
// Samples of two bytes need not be aligned in a picture.
typedef uint16_t __attribute__((aligned(1), may_alias)) word;

// In 1/8192. Low and high frequencies of three fields (BBC PH-2071), and one field alone, which looks as sharp.
enum { LOW_1 = 4309, LOW_3 = 213, HIGH_0 = 5570, HIGH_2 = 3801, HIGH_4 = 1016, ALONE_1 = 5077, ALONE_3 = 981, BITS = 13 };

INLINE int absolute(int a) { return a < 0 ? -a : a; }
INLINE int smaller_of(int a, int b) { return a < b ? a : b; }
INLINE int greater_of(int a, int b) { return a > b ? a : b; }
INLINE int clamped(int a, int low, int high) { return a < low ? low : a > high ? high : a; }

// Of a row that is interpolated, the rows around it as bytes: those of the field that stays, one and three rows away,
// and those of the other field in the two pictures before and after it, two and four rows away.
typedef struct {
  const uint8_t *above, *below, *above3, *below3;
  const uint8_t *before, *before_above2, *before_below2, *before_above4, *before_below4;
  const uint8_t *after, *after_above2, *after_below2, *after_above4, *after_below4;
  // Those of the field that stays, in the pictures around.
  const uint8_t *previous_above, *previous_below, *next_above, *next_below;
} around;

// How samples are stored: constants where these functions are called, but for the shift.
typedef struct {
  int shift;
  bool swaps;
} storage;

INLINE int load_byte(const uint8_t *row, int x, storage s) {
  (void)s;
  return row[x];
}
INLINE void store_byte(uint8_t *row, int x, int number, storage s) {
  (void)s;
  row[x] = (uint8_t)number;
}
INLINE int load_word(const uint8_t *row, int x, storage s) {
  uint16_t stored = ((const word *)row)[x];
  return (s.swaps ? __builtin_bswap16(stored) : stored) >> s.shift;
}
INLINE void store_word(uint8_t *row, int x, int number, storage s) {
  uint16_t stored = (uint16_t)(number << s.shift);
  ((word *)row)[x] = s.swaps ? __builtin_bswap16(stored) : stored;
}

// In the rows at the top and the bottom some of those around are missing: `EDGE` interpolates between two rows, and
// `BORDER` has no rows two away either.
enum { LINE, EDGE, BORDER };

#define DEFINE(type)                                                                                              \
  INLINE void interpolate_spatially_##type(uint8_t *restrict to, const around *a, int width, int maximum,         \
                                           storage s) {                                                           \
    for (int x = 0; x < width; x++) {                                                                             \
      int near = load_##type(a->above, x, s) + load_##type(a->below, x, s);                                       \
      int far = load_##type(a->above3, x, s) + load_##type(a->below3, x, s);                                      \
      store_##type(to, x, clamped((ALONE_1 * near - ALONE_3 * far) >> BITS, 0, maximum), s);                      \
    }                                                                                                             \
  }                                                                                                               \
  INLINE void interpolate_##type(uint8_t *restrict to, const around *rows, int width, int maximum, int place,     \
                                 storage s) {                                                                     \
    const around a = *rows;                                                                                       \
    for (int x = 0; x < width; x++) {                                                                             \
      int above = load_##type(a.above, x, s), below = load_##type(a.below, x, s);                                 \
      int before = load_##type(a.before, x, s), after = load_##type(a.after, x, s);                               \
      int mean = (before + after) >> 1;                                                                           \
      int change = absolute(before - after);                                                                      \
      int change_before = (absolute(load_##type(a.previous_above, x, s) - above) +                                \
                           absolute(load_##type(a.previous_below, x, s) - below)) >> 1;                           \
      int change_after = (absolute(load_##type(a.next_above, x, s) - above) +                                     \
                          absolute(load_##type(a.next_below, x, s) - below)) >> 1;                                \
      int bound = greater_of(change >> 1, greater_of(change_before, change_after));                               \
      bool moves = bound != 0;                                                                                    \
      int other2 = 0, other2_above, other2_below;                                                                 \
      if (place != BORDER) {                                                                                      \
        other2_above = load_##type(a.before_above2, x, s) + load_##type(a.after_above2, x, s);                    \
        other2_below = load_##type(a.before_below2, x, s) + load_##type(a.after_below2, x, s);                    \
        other2 = other2_above + other2_below;                                                                     \
        int from_above = (other2_above >> 1) - above, from_below = (other2_below >> 1) - below;                   \
        int to_above = mean - above, to_below = mean - below;                                                     \
        int high = greater_of(to_below, greater_of(to_above, smaller_of(from_above, from_below)));                \
        int low = smaller_of(to_below, smaller_of(to_above, greater_of(from_above, from_below)));                 \
        bound = greater_of(bound, greater_of(low, -high));                                                        \
      }                                                                                                           \
      int value;                                                                                                  \
      if (place == LINE) {                                                                                        \
        int near = above + below;                                                                                 \
        int far = load_##type(a.above3, x, s) + load_##type(a.below3, x, s);                                      \
        int other4 = load_##type(a.before_above4, x, s) + load_##type(a.after_above4, x, s) +                     \
                     load_##type(a.before_below4, x, s) + load_##type(a.after_below4, x, s);                      \
        int high = (HIGH_0 * (before + after) - HIGH_2 * other2 + HIGH_4 * other4) >> 2;                          \
        int three = (high + LOW_1 * near - LOW_3 * far) >> BITS;                                                  \
        int alone = (ALONE_1 * near - ALONE_3 * far) >> BITS;                                                     \
        value = absolute(above - below) > change ? three : alone;                                                 \
      } else {                                                                                                    \
        value = (above + below) >> 1;                                                                             \
      }                                                                                                           \
      value = clamped(clamped(value, mean - bound, mean + bound), 0, maximum);                                    \
      store_##type(to, x, moves ? value : mean, s);                                                               \
    }                                                                                                             \
  }
DEFINE(byte)
DEFINE(word)

// Beyond the picture it is mirrored.
static const uint8_t *row_at(const uint8_t *first, ptrdiff_t stride, int y, int mirrored, int height) {
  return first + (y >= 0 && y < height ? y : mirrored) * stride;
}

static around rows_around(const rw_field_plane *p, int y) {
  around a;
  int up = y > 0 ? y - 1 : y + 1, down = y + 1 < p->height ? y + 1 : y - 1;
  a.above = p->current + up * p->current_stride;
  a.below = p->current + down * p->current_stride;
  a.above3 = row_at(p->current, p->current_stride, y - 3, down, p->height);
  a.below3 = row_at(p->current, p->current_stride, y + 3, up, p->height);
  a.previous_above = p->previous + up * p->previous_stride;
  a.previous_below = p->previous + down * p->previous_stride;
  a.next_above = p->next + up * p->next_stride;
  a.next_below = p->next + down * p->next_stride;
  const uint8_t *before = p->is_second ? p->current : p->previous;
  const uint8_t *after = p->is_second ? p->next : p->current;
  ptrdiff_t before_stride = p->is_second ? p->current_stride : p->previous_stride;
  ptrdiff_t after_stride = p->is_second ? p->next_stride : p->current_stride;
  a.before = before + y * before_stride;
  a.after = after + y * after_stride;
  a.before_above2 = row_at(before, before_stride, y - 2, y, p->height);
  a.before_below2 = row_at(before, before_stride, y + 2, y, p->height);
  a.before_above4 = row_at(before, before_stride, y - 4, y, p->height);
  a.before_below4 = row_at(before, before_stride, y + 4, y, p->height);
  a.after_above2 = row_at(after, after_stride, y - 2, y, p->height);
  a.after_below2 = row_at(after, after_stride, y + 2, y, p->height);
  a.after_above4 = row_at(after, after_stride, y - 4, y, p->height);
  a.after_below4 = row_at(after, after_stride, y + 4, y, p->height);
  return a;
}

#define CALL(type, s)                                                                                             \
  if (p->is_spatial) interpolate_spatially_##type(to, &a, p->width, maximum, s);                                  \
  else if (place == LINE) interpolate_##type(to, &a, p->width, maximum, LINE, s);                                 \
  else if (place == EDGE) interpolate_##type(to, &a, p->width, maximum, EDGE, s);                                 \
  else interpolate_##type(to, &a, p->width, maximum, BORDER, s);

INLINE void interpolate_row(const rw_field_plane *p, int y) {
  uint8_t *to = p->target + y * p->target_stride;
  int maximum = (int)((1u << p->depth) - 1);
  int place = y < 2 || y + 3 > p->height ? BORDER : y < 4 || y + 5 > p->height ? EDGE : LINE;
  around a = rows_around(p, y);
  storage plain = {0, false}, shifted = {p->shift, false}, swapped = {p->shift, true};
  if (p->bytes == 1) {
    CALL(byte, plain)
  } else if (p->is_big_endian) {
    CALL(word, swapped)
  } else if (p->shift) {
    CALL(word, shifted)
  } else {
    CALL(word, plain)
  }
}

#define ALL_ROWS                                                                                                  \
  for (int y = 0; y < p->height; y++) {                                                                           \
    if ((y & 1) == p->parity && p->height > 1) interpolate_row(p, y);                                             \
    else                                                                                                          \
      memcpy(p->target + y * p->target_stride, p->current + y * p->current_stride, (size_t)(p->width * p->bytes));\
  }

static void interpolate_plainly(const rw_field_plane *p) { ALL_ROWS }

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void interpolate_by_avx2(const rw_field_plane *p) { ALL_ROWS }
#else
#define interpolate_by_avx2 interpolate_plainly
#endif

void rw_interpolate_field(const rw_field_plane *plane, bool uses_avx2) {
  (uses_avx2 ? interpolate_by_avx2 : interpolate_plainly)(plane);
}
