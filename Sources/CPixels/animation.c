#include "CPixels.h"

void rw_draw_over(uint8_t *picture, const uint8_t *drawn, int count) {
  for (int x = 0; x < count; x++, picture += 4, drawn += 4) {
    const uint32_t alpha = drawn[3];
    if (alpha == 0) continue;
    const uint32_t below = picture[3] * (256 - alpha) >> 8;
    if (alpha == 255 || below == 0) {
      for (int part = 0; part < 4; part++) picture[part] = drawn[part];
      continue;
    }
    const uint32_t sum = alpha + below, scale = (1u << 24) / sum;
    for (int part = 0; part < 3; part++)
      picture[part] = (uint8_t)((drawn[part] * alpha + picture[part] * below) * scale >> 24);
    picture[3] = (uint8_t)sum;
  }
}
