#include "CAss.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<ass/ass.h>)
#include <ass/ass.h>
#include <dlfcn.h>
#include <pthread.h>

#define FUNCTIONS(X) \
  X(ass_library_version) X(ass_library_init) X(ass_library_done) X(ass_renderer_init) X(ass_renderer_done) \
  X(ass_set_message_cb) X(ass_set_frame_size) X(ass_set_storage_size) X(ass_set_pixel_aspect) X(ass_set_fonts) \
  X(ass_set_extract_fonts) X(ass_set_cache_limits) X(ass_add_font) X(ass_new_track) X(ass_free_track) \
  X(ass_process_codec_private) X(ass_process_chunk) X(ass_set_check_readorder) X(ass_set_style_overrides) \
  X(ass_process_force_style) X(ass_track_set_feature) X(ass_render_frame)

static struct {
#define FIELD(name) __typeof__(&name) name;
  FUNCTIONS(FIELD)
} library;

static char problem[80];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *opened = dlopen("libass.so.9", RTLD_NOW | RTLD_LOCAL);
  if (!opened) {
    snprintf(problem, sizeof problem, "libass.so.9 is not installed");
    return;
  }
#define FIND(name) \
  if (!(library.name = (__typeof__(&name))dlsym(opened, #name))) \
    snprintf(problem, sizeof problem, "libass.so.9 has no " #name);
  FUNCTIONS(FIND)
}

const char *rw_ass_unavailable(void) {
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}

int rw_ass_version(void) { return rw_ass_unavailable() ? 0 : library.ass_library_version(); }

struct rw_ass {
  ASS_Library *library;
  ASS_Renderer *renderer;
  rw_ass_log log;
  ASS_Track **tracks;
  int track_count;
  rw_ass_image *images;
  size_t capacity;
};

// 2 is a warning; higher levels are details.
enum { WARNING = 2 };

static void log_message(int level, const char *format, va_list arguments, void *data) {
  rw_ass *ass = data;
  char line[512];
  if (level > WARNING || !ass->log) return;
  vsnprintf(line, sizeof line, format, arguments);
  ass->log(line);
}

rw_ass *rw_ass_open(int width, int height, rw_ass_log log) {
  if (rw_ass_unavailable()) return NULL;
  rw_ass *ass = calloc(1, sizeof *ass);
  if (!ass) return NULL;
  ass->log = log;
  ass->library = library.ass_library_init();
  if (ass->library) {
    library.ass_set_message_cb(ass->library, log_message, ass);
    // Fonts in scripts are used, as are those that are added separately.
    library.ass_set_extract_fonts(ass->library, 1);
    ass->renderer = library.ass_renderer_init(ass->library);
  }
  if (!ass->renderer) {
    rw_ass_close(ass);
    return NULL;
  }
  library.ass_set_frame_size(ass->renderer, width, height);
  library.ass_set_storage_size(ass->renderer, width, height);
  library.ass_set_pixel_aspect(ass->renderer, 1);
  // Glyphs, and megabytes of their masks.
  library.ass_set_cache_limits(ass->renderer, 4000, 48);
  return ass;
}

void rw_ass_close(rw_ass *ass) {
  if (!ass) return;
  for (int i = 0; i < ass->track_count; i++) library.ass_free_track(ass->tracks[i]);
  if (ass->renderer) library.ass_renderer_done(ass->renderer);
  if (ass->library) library.ass_library_done(ass->library);
  free(ass->tracks);
  free(ass->images);
  free(ass);
}

void rw_ass_add_font(rw_ass *ass, const char *name, const uint8_t *data, size_t size) {
  library.ass_add_font(ass->library, name, (const char *)data, (int)size);
}

void rw_ass_find_fonts(rw_ass *ass) {
  library.ass_set_fonts(ass->renderer, NULL, "sans-serif", ASS_FONTPROVIDER_AUTODETECT, NULL, 1);
}

int rw_ass_add_track(rw_ass *ass, const char *header, size_t size, bool wraps_anywhere) {
  ASS_Track **tracks = realloc(ass->tracks, (size_t)(ass->track_count + 1) * sizeof *tracks);
  if (!tracks) return -1;
  ass->tracks = tracks;
  ASS_Track *track = library.ass_new_track(ass->library);
  if (!track) return -1;
  tracks[ass->track_count++] = track;
  library.ass_process_codec_private(track, (char *)header, (int)size);
  // Lines have numbers that differ.
  library.ass_set_check_readorder(track, 0);
#if LIBASS_VERSION >= 0x01700000
  if (wraps_anywhere) library.ass_track_set_feature(track, ASS_FEATURE_WRAP_UNICODE, 1);
#else
  (void)wraps_anywhere;
#endif
  return ass->track_count - 1;
}

// A missing size is replaced as in libass: 384 by 288, or derived from the other side.
void rw_ass_size(const rw_ass *ass, int track, int *width, int *height) {
  const ASS_Track *script = ass->tracks[track];
  *width = script->PlayResX, *height = script->PlayResY;
  if (*width <= 0 && *height <= 0) (*width = 384, *height = 288);
  else if (*height <= 0) *height = *width == 1280 ? 1024 : *width * 3 / 4;
  else if (*width <= 0) *width = *height == 1024 ? 1280 : *height * 4 / 3;
}

void rw_ass_set_styles(rw_ass *ass, int track, const char *const *members) {
  library.ass_set_style_overrides(ass->library, (char **)members);
  library.ass_process_force_style(ass->tracks[track]);
  library.ass_set_style_overrides(ass->library, NULL);
}

void rw_ass_add_line(rw_ass *ass, int track, const char *line, size_t size, int64_t start, int64_t duration) {
  library.ass_process_chunk(ass->tracks[track], (char *)line, (int)size, start, duration);
}

ptrdiff_t rw_ass_draw(rw_ass *ass, int track, int64_t time, const rw_ass_image **images) {
  size_t count = 0;
  for (ASS_Image *image = library.ass_render_frame(ass->renderer, ass->tracks[track], time, NULL); image;
       image = image->next) {
    if (image->w <= 0 || image->h <= 0 || (image->color & 0xFF) == 0xFF) continue;
    if (count == ass->capacity) {
      size_t capacity = ass->capacity ? 2 * ass->capacity : 64;
      rw_ass_image *larger = realloc(ass->images, capacity * sizeof *larger);
      if (!larger) return -1;
      (ass->images = larger, ass->capacity = capacity);
    }
    ass->images[count++] = (rw_ass_image){
      .coverage = image->bitmap, .stride = image->stride, .x = image->dst_x, .y = image->dst_y, .width = image->w,
      .height = image->h, .red = (uint8_t)(image->color >> 24), .green = (uint8_t)(image->color >> 16),
      .blue = (uint8_t)(image->color >> 8), .alpha = (uint8_t)(255 - (image->color & 0xFF)),
    };
  }
  *images = ass->images;
  return (ptrdiff_t)count;
}

#else

const char *rw_ass_unavailable(void) { return "not built in: the headers of libass were missing"; }
int rw_ass_version(void) { return 0; }
rw_ass *rw_ass_open(int width, int height, rw_ass_log log) {
  (void)width, (void)height, (void)log;
  return NULL;
}
// The other functions are only called with a result of `rw_ass_open`, which is always NULL here.
void rw_ass_close(rw_ass *ass) { (void)ass; }
void rw_ass_add_font(rw_ass *ass, const char *name, const uint8_t *data, size_t size) {
  (void)ass, (void)name, (void)data, (void)size;
}
void rw_ass_find_fonts(rw_ass *ass) { (void)ass; }
int rw_ass_add_track(rw_ass *ass, const char *header, size_t size, bool wraps_anywhere) {
  (void)ass, (void)header, (void)size, (void)wraps_anywhere;
  return -1;
}
void rw_ass_size(const rw_ass *ass, int track, int *width, int *height) {
  (void)ass, (void)track, *width = 0, *height = 0;
}
void rw_ass_set_styles(rw_ass *ass, int track, const char *const *members) { (void)ass, (void)track, (void)members; }
void rw_ass_add_line(rw_ass *ass, int track, const char *line, size_t size, int64_t start, int64_t duration) {
  (void)ass, (void)track, (void)line, (void)size, (void)start, (void)duration;
}
ptrdiff_t rw_ass_draw(rw_ass *ass, int track, int64_t time, const rw_ass_image **images) {
  (void)ass, (void)track, (void)time, (void)images;
  return 0;
}

#endif
