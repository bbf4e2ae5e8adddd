// Rows of pictures as zimg wants them: the samples of one component, in aligned memory, as numbers of this
// processor. A row that zimg asks for is copied from the picture, and one that it has made is copied there.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One component of a picture, and the rows that its samples are copied to or from.
typedef struct {
  // The first sample in the picture; from one row, and from one sample, to the next in bytes.
  uint8_t *first;
  ptrdiff_t stride, step;
  // Samples have one byte or two. The number is in `depth` bits of them, above the lowest `shift`.
  int bytes, depth, shift;
  bool is_big_endian;
  // The samples that the picture has, and how much smaller it is there, as powers of two.
  int width, height, width_shift, height_shift;
  // Row y lies (y & mask) * row_stride bytes after the start. NULL where nothing is copied.
  uint8_t *rows;
  ptrdiff_t row_stride;
  unsigned mask;
  // The samples of a row: those beyond the picture's repeat its last one.
  int padded_width;
} rw_component;

// The components of a picture, luma first.
typedef struct {
  int count;
  rw_component components[4];
  // How many rows a call is for, as a power of two: chroma may have fewer.
  int height_shift;
  // Where the components from `first_of_pixel` on lie together in pixels of 2 to 4 samples, and nothing else
  // with them: how many, the first pixel, and the component at each place. Else 0.
  int pixel_size, first_of_pixel;
  uint8_t *pixels;
  int order[4];
  // A row for the place of -1, which no component has: it isn't used where pixels are read, and fills them where
  // they are written.
  uint8_t *spare;
} rw_rows;

// Copy the rows from `row` on, from column `left` to `right`, of a `rw_rows`. They return 0.
int rw_read_rows(void *rows, unsigned row, unsigned left, unsigned right);
int rw_write_rows(void *rows, unsigned row, unsigned left, unsigned right);

// Sets all samples of a component in the picture to the largest number.
void rw_fill(const rw_component *component);
