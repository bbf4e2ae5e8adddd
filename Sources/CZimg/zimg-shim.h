// zimg, and replacements for its parts that Swift can't use: a macro that takes arguments, and arrays of structures
// without a name.
#pragma once

#include <zimg.h>

static inline zimg_image_format rw_zimg_format(void) {
  zimg_image_format format;
  zimg_image_format_default(&format, ZIMG_API_VERSION);
  return format;
}

static inline zimg_graph_builder_params rw_zimg_parameters(void) {
  zimg_graph_builder_params parameters;
  zimg_graph_builder_params_default(&parameters, ZIMG_API_VERSION);
  return parameters;
}

// A row is (row & mask) * stride bytes after the start of the data.
typedef struct {
  void *data;
  ptrdiff_t stride;
  unsigned mask;
} rw_zimg_plane;

// The callbacks may be NULL.
static inline int rw_zimg_process(const zimg_filter_graph *graph, const rw_zimg_plane source[3],
                                  const rw_zimg_plane target[3], void *scratch, zimg_filter_graph_callback read,
                                  void *source_rows, zimg_filter_graph_callback write, void *target_rows) {
  zimg_image_buffer_const from = {.version = ZIMG_API_VERSION};
  zimg_image_buffer to = {.version = ZIMG_API_VERSION};
  for (int i = 0; i < 3; i++) {
    from.plane[i].data = source[i].data;
    from.plane[i].stride = source[i].stride;
    from.plane[i].mask = source[i].mask;
    to.plane[i].data = target[i].data;
    to.plane[i].stride = target[i].stride;
    to.plane[i].mask = target[i].mask;
  }
  return zimg_filter_graph_process(graph, &from, &to, scratch, read, source_rows, write, target_rows);
}
