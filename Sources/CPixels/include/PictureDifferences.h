// Differences of small grey pictures of one size: rows of 64 bytes, 36 of them, one after the other.
#pragma once

#include <stdint.h>

enum { RW_SMALL_WIDTH = 64, RW_SMALL_HEIGHT = 36 };

// The sum of the differences of all samples, when each block of 8 x 6 is compared with the most similar one of the
// other picture nearby, at most 4 to the side and 3 up or down. The first picture is `shift` levels brighter.
int rw_small_block_difference(const uint8_t *picture, const uint8_t *other, int shift);

// The sum of the differences from the mix of two pictures. `weight` is that of the second one, in 1/128.
int rw_small_distance(const uint8_t *picture, const uint8_t *first, const uint8_t *second, int weight);

// The sum of the products of the samples.
int rw_small_product(const uint8_t *picture, const uint8_t *other);
