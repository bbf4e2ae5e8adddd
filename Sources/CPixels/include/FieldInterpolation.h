// Progressive pictures of interlaced ones: the rows of one field stay, those between them are interpolated from the
// fields around.
//
// The method is that of FFmpeg's bwdif filter: M. Weston's interpolation from three fields (J. Easterbrook, BBC R&D,
// with the coefficients of BBC PH-2071), within bounds that yadif's spatial and temporal differences give.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A plane of three pictures, and the one that is made.
typedef struct {
  // The first rows; from one row to the next in bytes. `previous` and `next` may be `current`.
  const uint8_t *previous, *current, *next;
  ptrdiff_t previous_stride, current_stride, next_stride;
  uint8_t *target;
  ptrdiff_t target_stride;
  // Samples of a row, all components together where they alternate, and rows.
  int width, height;
  // Samples have one byte or two. The number is in `depth` bits of them, above the lowest `shift`.
  int bytes, depth, shift;
  bool is_big_endian;
  // Rows of this parity are interpolated, the others copied: 1 where the top field stays.
  int parity;
  // The picture is that of the field which is shown second.
  bool is_second;
  // Nothing but the field that stays is used.
  bool is_spatial;
} rw_field_plane;

void rw_interpolate_field(const rw_field_plane *plane, bool uses_avx2);
