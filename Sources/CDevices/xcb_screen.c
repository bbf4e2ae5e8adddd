#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CDevices.h"
#include "xcb_library.h"

#ifdef RW_HAS_XCB

struct rw_screen {
  xcb_connection_t *connection;
  xcb_window_t root;
  uint16_t width, height;
  rw_screen_area area;
  int with_cursor;
  // The memory that is shared with the server; NULL without MIT-SHM.
  uint8_t *memory;
  size_t size;
  xcb_shm_seg_t segment;
};

static xcb_connection_t *connect_display(int *display, char *error, size_t size) {
  if (!rw_xcb_load(error, size)) return NULL;
  char *host = NULL;
  int number = 0, screen = 0;
  if (!rw_xcb.xcb_parse_display(NULL, &host, &number, &screen)) {
    snprintf(error, size, "there is no X server: DISPLAY isn't set");
    return NULL;
  }
  free(host);
  xcb_connection_t *connection = rw_xcb.xcb_connect(NULL, NULL);
  if (rw_xcb.xcb_connection_has_error(connection)) {
    snprintf(error, size, "the X server :%d can't be reached", number);
    rw_xcb.xcb_disconnect(connection);
    return NULL;
  }
  if (display) *display = number;
  return connection;
}

// Returns the reason for which the pixels of a screen can't be captured; NULL if they can.
static const char *refusal(const xcb_setup_t *setup, xcb_screen_t *screen) {
  if (setup->image_byte_order != XCB_IMAGE_ORDER_LSB_FIRST) return "its pixels are big-endian";
  if (screen->root_depth != 24 && screen->root_depth != 32) return "only 24 and 32 can be captured";
  int bits = 0;
  xcb_format_iterator_t format = rw_xcb.xcb_setup_pixmap_formats_iterator(setup);
  for (; format.rem; rw_xcb.xcb_format_next(&format))
    if (format.data->depth == screen->root_depth) bits = format.data->bits_per_pixel;
  if (bits != 32) return "its pixels don't have 32 bits each";
  xcb_depth_iterator_t depth = rw_xcb.xcb_screen_allowed_depths_iterator(screen);
  for (; depth.rem; rw_xcb.xcb_depth_next(&depth)) {
    xcb_visualtype_iterator_t visual = rw_xcb.xcb_depth_visuals_iterator(depth.data);
    for (; visual.rem; rw_xcb.xcb_visualtype_next(&visual)) {
      if (visual.data->visual_id != screen->root_visual) continue;
      int is_usual = visual.data->red_mask == 0xff0000 && visual.data->green_mask == 0xff00 && visual.data->blue_mask == 0xff;
      return is_usual ? NULL : "its colours are in another order than blue, green, red";
    }
  }
  return "its colours aren't stated";
}

static xcb_screen_t *screen_numbered(const xcb_setup_t *setup, int number) {
  xcb_screen_iterator_t screen = rw_xcb.xcb_setup_roots_iterator(setup);
  for (; screen.rem && number > 0; number--) rw_xcb.xcb_screen_next(&screen);
  return screen.rem && number == 0 ? screen.data : NULL;
}

int rw_screen_list(rw_screen_info *screens, size_t capacity, size_t *count, char *error, size_t size) {
  int display = 0;
  *count = 0;
  xcb_connection_t *connection = connect_display(&display, error, size);
  if (!connection) return 0;
  const xcb_setup_t *setup = rw_xcb.xcb_get_setup(connection);
  xcb_screen_iterator_t screen = rw_xcb.xcb_setup_roots_iterator(setup);
  for (int number = 0; screen.rem && *count < capacity; rw_xcb.xcb_screen_next(&screen), number++) {
    screens[(*count)++] = (rw_screen_info){
        .display = display,
        .number = number,
        .width = screen.data->width_in_pixels,
        .height = screen.data->height_in_pixels,
        .depth = screen.data->root_depth,
        .refusal = refusal(setup, screen.data),
    };
  }
  rw_xcb.xcb_disconnect(connection);
  return 1;
}

struct rw_screen_watch {
  xcb_connection_t *connection;
};

rw_screen_watch *rw_screen_watch_open(char *error, size_t size) {
  rw_screen_watch *watch = calloc(1, sizeof *watch);
  if (!watch) {
    snprintf(error, size, "no memory for changes of screens");
    return NULL;
  }
  watch->connection = connect_display(NULL, error, size);
  if (!watch->connection) {
    free(watch);
    return NULL;
  }
  xcb_screen_iterator_t screen = rw_xcb.xcb_setup_roots_iterator(rw_xcb.xcb_get_setup(watch->connection));
  xcb_get_geometry_cookie_t last = {0};
  for (; screen.rem; rw_xcb.xcb_screen_next(&screen)) {
    uint32_t events = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
    rw_xcb.xcb_change_window_attributes(watch->connection, screen.data->root, XCB_CW_EVENT_MASK, &events);
    last = rw_xcb.xcb_get_geometry(watch->connection, screen.data->root);
  }
  // The server has made all of it once it has answered.
  free(rw_xcb.xcb_get_geometry_reply(watch->connection, last, NULL));
  return watch;
}

int rw_screen_watch_wait(rw_screen_watch *watch, int stop) {
  for (;;) {
    int changed = 0;
    xcb_generic_event_t *event;
    while ((event = rw_xcb.xcb_poll_for_event(watch->connection))) {
      changed |= (event->response_type & 0x7f) == XCB_CONFIGURE_NOTIFY;
      free(event);
    }
    if (changed) return RW_WATCH_CHANGED;
    if (rw_xcb.xcb_connection_has_error(watch->connection)) return RW_WATCH_LOST;
    struct pollfd entries[] = {
        {.fd = stop, .events = POLLIN},
        {.fd = rw_xcb.xcb_get_file_descriptor(watch->connection), .events = POLLIN},
    };
    if (poll(entries, 2, -1) < 0 && errno != EINTR && errno != EAGAIN) return RW_WATCH_LOST;
    if (entries[0].revents) return RW_WATCH_STOPPED;
  }
}

void rw_screen_watch_close(rw_screen_watch *watch) {
  rw_xcb.xcb_disconnect(watch->connection);
  free(watch);
}

// Has the server write images into memory that has no name. If the server doesn't support it,
// images come over the socket.
static void share_memory(rw_screen *screen) {
  if (!rw_xcb.has_shm) return;
  xcb_connection_t *connection = screen->connection;
  const xcb_query_extension_reply_t *extension = rw_xcb.xcb_get_extension_data(connection, rw_xcb.xcb_shm_id);
  if (!extension || !extension->present) return;
  xcb_shm_query_version_reply_t *version =
      rw_xcb.xcb_shm_query_version_reply(connection, rw_xcb.xcb_shm_query_version(connection), NULL);
  int is_new = version && (version->major_version > 1 || version->minor_version >= 2);
  free(version);
  if (!is_new) return;
  int memory = memfd_create("reelwire-screen", MFD_CLOEXEC);
  if (memory < 0) return;
  void *mapped = ftruncate(memory, (off_t)screen->size) == 0
                     ? mmap(NULL, screen->size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
                     : MAP_FAILED;
  if (mapped == MAP_FAILED) {
    close(memory);
    return;
  }
  screen->segment = rw_xcb.xcb_generate_id(connection);
  // It closes the descriptor.
  xcb_generic_error_t *failure = rw_xcb.xcb_request_check(
      connection, rw_xcb.xcb_shm_attach_fd_checked(connection, screen->segment, memory, 0));
  if (failure) {
    free(failure);
    munmap(mapped, screen->size);
    return;
  }
  screen->memory = mapped;
}

// Returns the reason for which the cursor's image isn't available; NULL if it is.
static const char *no_cursor(xcb_connection_t *connection) {
#ifdef RW_HAS_XFIXES
  if (!rw_xcb.has_xfixes) return "libxcb-xfixes.so.0 is not installed, which the cursor needs";
  const xcb_query_extension_reply_t *extension = rw_xcb.xcb_get_extension_data(connection, rw_xcb.xcb_xfixes_id);
  if (!extension || !extension->present) return "the X server has no XFixes, which the cursor needs";
  // The server requires the client's version before anything else.
  free(rw_xcb.xcb_xfixes_query_version_reply(connection, rw_xcb.xcb_xfixes_query_version(connection, 1, 0), NULL));
  return NULL;
#else
  (void)connection;
  return "the cursor isn't built in: the headers of libxcb-xfixes were missing";
#endif
}

rw_screen *rw_screen_open(int number, uint32_t width, uint32_t height, rw_screen_area area, int with_cursor, char *error,
                          size_t size) {
  rw_screen *screen = calloc(1, sizeof *screen);
  if (!screen) {
    snprintf(error, size, "no memory for a screen");
    return NULL;
  }
  screen->connection = connect_display(NULL, error, size);
  if (!screen->connection) {
    free(screen);
    return NULL;
  }
  const xcb_setup_t *setup = rw_xcb.xcb_get_setup(screen->connection);
  xcb_screen_t *root = screen_numbered(setup, number);
  const char *reason = root ? refusal(setup, root) : "it isn't there any more";
  if (!reason && (root->width_in_pixels != width || root->height_in_pixels != height))
    reason = "it has another size now";
  if (!reason && with_cursor) reason = no_cursor(screen->connection);
  if (reason) {
    snprintf(error, size, "%s", reason);
    rw_screen_close(screen);
    return NULL;
  }
  screen->root = root->root;
  screen->width = root->width_in_pixels;
  screen->height = root->height_in_pixels;
  screen->area = area;
  screen->with_cursor = with_cursor;
  screen->size = (size_t)area.width * area.height * 4;
  share_memory(screen);
  return screen;
}

int rw_screen_shares_memory(const rw_screen *screen) { return screen->memory != NULL; }

static void copy_rows(const rw_screen *screen, const uint8_t *from, uint8_t *to, size_t row) {
  size_t own = (size_t)screen->area.width * 4;
  if (own == row) {
    memcpy(to, from, own * screen->area.height);
    return;
  }
  for (size_t line = 0; line < screen->area.height; line++) memcpy(to + line * row, from + line * own, own);
}

#ifdef RW_HAS_XFIXES
// Blends the cursor over an image. Its pixels are multiplied by their alpha.
static void blend_cursor(const rw_screen *screen, const xcb_xfixes_get_cursor_image_reply_t *cursor, uint8_t *bytes,
                         size_t row) {
  const uint32_t *pixels = rw_xcb.xcb_xfixes_get_cursor_image_cursor_image(cursor);
  int left = cursor->x - cursor->xhot - (int)screen->area.x, top = cursor->y - cursor->yhot - (int)screen->area.y;
  for (int y = 0; y < cursor->height; y++) {
    if (top + y < 0 || top + y >= (int)screen->area.height) continue;
    for (int x = 0; x < cursor->width; x++) {
      if (left + x < 0 || left + x >= (int)screen->area.width) continue;
      uint32_t pixel = pixels[(size_t)y * cursor->width + (size_t)x], rest = 255 - (pixel >> 24);
      uint8_t *to = bytes + (size_t)(top + y) * row + (size_t)(left + x) * 4;
      for (int channel = 0; channel < 3; channel++) {
        uint32_t value = (pixel >> (8 * channel) & 255) + (to[channel] * rest + 127) / 255;
        to[channel] = value > 255 ? 255 : (uint8_t)value;
      }
    }
  }
}
#endif

int rw_screen_grab(rw_screen *screen, void *bytes, size_t row, int64_t *time) {
  xcb_connection_t *connection = screen->connection;
  int64_t before = rw_monotonic();
  // Both requests are sent at once.
  xcb_get_geometry_cookie_t size = rw_xcb.xcb_get_geometry(connection, screen->root);
  xcb_shm_get_image_reply_t *shared = NULL;
  xcb_get_image_reply_t *plain = NULL;
  xcb_generic_error_t *failure = NULL;
#ifdef RW_HAS_XFIXES
  xcb_xfixes_get_cursor_image_cookie_t cursor_image = {0};
  // The cursor may be on another screen of the server.
  xcb_query_pointer_cookie_t pointer_place = {0};
  if (screen->with_cursor) {
    cursor_image = rw_xcb.xcb_xfixes_get_cursor_image(connection);
    pointer_place = rw_xcb.xcb_query_pointer(connection, screen->root);
  }
#endif
  rw_screen_area area = screen->area;
  if (screen->memory) {
    shared = rw_xcb.xcb_shm_get_image_reply(
        connection,
        rw_xcb.xcb_shm_get_image(connection, screen->root, (int16_t)area.x, (int16_t)area.y, (uint16_t)area.width,
                                 (uint16_t)area.height, ~0u, XCB_IMAGE_FORMAT_Z_PIXMAP, screen->segment, 0),
        &failure);
  } else {
    plain = rw_xcb.xcb_get_image_reply(
        connection,
        rw_xcb.xcb_get_image(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, screen->root, (int16_t)area.x, (int16_t)area.y,
                             (uint16_t)area.width, (uint16_t)area.height, ~0u),
        &failure);
  }
  *time = before + (rw_monotonic() - before) / 2;
  free(failure);
  xcb_get_geometry_reply_t *geometry = rw_xcb.xcb_get_geometry_reply(connection, size, NULL);
  int result = RW_SCREEN_FAILED;
  if (geometry && (geometry->width != screen->width || geometry->height != screen->height)) {
    result = RW_SCREEN_CHANGED;
  } else if (geometry && shared) {
    copy_rows(screen, screen->memory, bytes, row);
    result = RW_SCREEN_GRABBED;
  } else if (geometry && plain && (size_t)rw_xcb.xcb_get_image_data_length(plain) >= screen->size) {
    copy_rows(screen, rw_xcb.xcb_get_image_data(plain), bytes, row);
    result = RW_SCREEN_GRABBED;
  }
#ifdef RW_HAS_XFIXES
  if (screen->with_cursor) {
    xcb_xfixes_get_cursor_image_reply_t *cursor =
        rw_xcb.xcb_xfixes_get_cursor_image_reply(connection, cursor_image, NULL);
    xcb_query_pointer_reply_t *pointer = rw_xcb.xcb_query_pointer_reply(connection, pointer_place, NULL);
    if (result == RW_SCREEN_GRABBED && (!cursor || !pointer)) result = RW_SCREEN_FAILED;
    if (result == RW_SCREEN_GRABBED && pointer->same_screen) blend_cursor(screen, cursor, bytes, row);
    free(cursor);
    free(pointer);
  }
#endif
  free(geometry);
  free(shared);
  free(plain);
  return result;
}

void rw_screen_close(rw_screen *screen) {
  if (screen->memory) {
    rw_xcb.xcb_shm_detach(screen->connection, screen->segment);
    munmap(screen->memory, screen->size);
  }
  rw_xcb.xcb_disconnect(screen->connection);
  free(screen);
}

#else

int rw_screen_list(rw_screen_info *screens, size_t capacity, size_t *count, char *error, size_t size) {
  (void)screens, (void)capacity;
  *count = 0;
  return rw_xcb_load(error, size);
}
rw_screen_watch *rw_screen_watch_open(char *error, size_t size) {
  rw_xcb_load(error, size);
  return NULL;
}
int rw_screen_watch_wait(rw_screen_watch *watch, int stop) { return (void)watch, (void)stop, RW_WATCH_LOST; }
void rw_screen_watch_close(rw_screen_watch *watch) { (void)watch; }
rw_screen *rw_screen_open(int number, uint32_t width, uint32_t height, rw_screen_area area, int with_cursor, char *error,
                          size_t size) {
  (void)number, (void)width, (void)height, (void)area, (void)with_cursor;
  rw_xcb_load(error, size);
  return NULL;
}
int rw_screen_shares_memory(const rw_screen *screen) { return (void)screen, 0; }
int rw_screen_grab(rw_screen *screen, void *bytes, size_t row, int64_t *time) {
  (void)screen, (void)bytes, (void)row, (void)time;
  return RW_SCREEN_FAILED;
}
void rw_screen_close(rw_screen *screen) { (void)screen; }

#endif
