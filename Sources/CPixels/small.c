// Differences of small grey pictures, by which scene changes are found.

#include "PictureDifferences.h"

enum { BLOCK_WIDTH = 8, BLOCK_HEIGHT = 6, REACH_X = 4, REACH_Y = 3 };
enum { COUNT = RW_SMALL_WIDTH * RW_SMALL_HEIGHT };

static inline int magnitude(int value) { return value < 0 ? -value : value; }

static inline int block_sum(const uint8_t *block, const uint8_t *other, int shift) {
  int sum = 0;
  for (int y = 0; y < BLOCK_HEIGHT; y++) {
    for (int x = 0; x < BLOCK_WIDTH; x++) sum += magnitude(block[x] + shift - other[x]);
    block += RW_SMALL_WIDTH;
    other += RW_SMALL_WIDTH;
  }
  return sum;
}

static int least_sum(const uint8_t *picture, const uint8_t *other, int x, int y, int shift) {
  const uint8_t *block = picture + y * RW_SMALL_WIDTH + x;
  int least = block_sum(block, other + y * RW_SMALL_WIDTH + x, shift);
  for (int dy = -REACH_Y; dy <= REACH_Y; dy++) {
    if (y + dy < 0 || y + dy > RW_SMALL_HEIGHT - BLOCK_HEIGHT) continue;
    for (int dx = -REACH_X; dx <= REACH_X; dx++) {
      // As much as noise makes.
      if (least <= BLOCK_WIDTH * BLOCK_HEIGHT) return least;
      if (x + dx < 0 || x + dx > RW_SMALL_WIDTH - BLOCK_WIDTH) continue;
      int sum = block_sum(block, other + (y + dy) * RW_SMALL_WIDTH + x + dx, shift);
      if (sum < least) least = sum;
    }
  }
  return least;
}

int rw_small_block_difference(const uint8_t *picture, const uint8_t *other, int shift) {
  int sum = 0;
  for (int y = 0; y < RW_SMALL_HEIGHT; y += BLOCK_HEIGHT)
    for (int x = 0; x < RW_SMALL_WIDTH; x += BLOCK_WIDTH) sum += least_sum(picture, other, x, y, shift);
  return sum;
}

int rw_small_distance(const uint8_t *picture, const uint8_t *first, const uint8_t *second, int weight) {
  int sum = 0;
  for (int i = 0; i < COUNT; i++) {
    int mix = (first[i] * (128 - weight) + second[i] * weight) >> 7;
    sum += magnitude(picture[i] - mix);
  }
  return sum;
}

int rw_small_product(const uint8_t *picture, const uint8_t *other) {
  int sum = 0;
  for (int i = 0; i < COUNT; i++) sum += picture[i] * other[i];
  return sum;
}
