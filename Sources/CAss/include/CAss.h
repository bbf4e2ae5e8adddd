// libass, which shapes text and draws it: lines of ASS scripts become masks with colours. It is opened when text is drawn
// first, and where its headers weren't there to build with, no text can be.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Why libass can't be used; NULL where it can be.
const char *rw_ass_unavailable(void);
// As libass states it, 0xMMmmpp00; 0 where it can't be used.
int rw_ass_version(void);

// Fonts, tracks of lines, and their renderer. One thread at a time.
typedef struct rw_ass rw_ass;

// Takes a warning of libass, in one line.
typedef void (*rw_ass_log)(const char *line);

// For pictures of that size with square pixels; NULL where there is no memory, or no libass.
rw_ass *rw_ass_open(int width, int height, rw_ass_log log);
void rw_ass_close(rw_ass *);

// A font in place of the system's of the same name. All are added before `rw_ass_find_fonts`.
void rw_ass_add_font(rw_ass *, const char *name, const uint8_t *data, size_t size);
// Looks for the fonts of the system, after those of tracks.
void rw_ass_find_fonts(rw_ass *);

// A track of lines with the header of a script. Returns its number, or -1 where there is no memory.
int rw_ass_add_track(rw_ass *, const char *header, size_t size, bool wraps_anywhere);
// The size of the pictures that a track's lengths are meant for.
void rw_ass_size(const rw_ass *, int track, int *width, int *height);
// Sets members of all styles, each as "Name=value"; the last one is NULL.
void rw_ass_set_styles(rw_ass *, int track, const char *const *members);
// Adds a line, in milliseconds: its fields from the layer on, after a number of its own.
void rw_ass_add_line(rw_ass *, int track, const char *line, size_t size, int64_t start, int64_t duration);

// A part of a picture with one colour.
typedef struct {
  // How much of each pixel is covered, in 1/255.
  const uint8_t *coverage;
  // From one row to the next, in bytes; the last row may be as short as the width.
  ptrdiff_t stride;
  int x, y, width, height;
  uint8_t red, green, blue, alpha;
} rw_ass_image;

// Draws the images of a track at a time in milliseconds, the lowest first; valid until the next call. Returns the
// number of images, or -1 where there is no memory.
ptrdiff_t rw_ass_draw(rw_ass *, int track, int64_t time, const rw_ass_image **images);
