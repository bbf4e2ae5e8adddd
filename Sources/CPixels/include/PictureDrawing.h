// Pixels of four bytes, the last of which is straight alpha, drawn over others, as libwebp's decoder of animations
// does it.
#pragma once

#include <stdint.h>

void rw_draw_over(uint8_t *picture, const uint8_t *drawn, int count);
