// The libraries of the X Window System, for the screens of this target.
#pragma once

#if __has_include(<xcb/shm.h>)
#define RW_HAS_XCB 1
#include <xcb/shm.h>
#include <xcb/xcb.h>
#if __has_include(<xcb/xfixes.h>)
#define RW_HAS_XFIXES 1
#include <xcb/xfixes.h>
#define RW_XCB_XFIXES_FUNCTIONS(X) \
  X(xcb_xfixes_query_version) X(xcb_xfixes_query_version_reply) X(xcb_xfixes_get_cursor_image) \
  X(xcb_xfixes_get_cursor_image_reply) X(xcb_xfixes_get_cursor_image_cursor_image)
#else
#define RW_XCB_XFIXES_FUNCTIONS(X)
#endif

#define RW_XCB_FUNCTIONS(X) \
  X(xcb_connect) X(xcb_disconnect) X(xcb_connection_has_error) X(xcb_parse_display) X(xcb_get_setup) \
  X(xcb_setup_roots_iterator) X(xcb_screen_next) X(xcb_screen_allowed_depths_iterator) X(xcb_depth_next) \
  X(xcb_depth_visuals_iterator) X(xcb_visualtype_next) X(xcb_setup_pixmap_formats_iterator) X(xcb_format_next) \
  X(xcb_get_extension_data) X(xcb_generate_id) X(xcb_request_check) X(xcb_get_image) X(xcb_get_image_reply) \
  X(xcb_get_image_data) X(xcb_get_image_data_length) X(xcb_get_geometry) X(xcb_get_geometry_reply) \
  X(xcb_change_window_attributes) X(xcb_poll_for_event) X(xcb_get_file_descriptor) \
  X(xcb_query_pointer) X(xcb_query_pointer_reply)
#define RW_XCB_SHM_FUNCTIONS(X) \
  X(xcb_shm_query_version) X(xcb_shm_query_version_reply) X(xcb_shm_attach_fd_checked) X(xcb_shm_get_image) \
  X(xcb_shm_get_image_reply) X(xcb_shm_detach)

struct rw_xcb_library {
#define RW_XCB_FIELD(name) __typeof__(&name) name;
  RW_XCB_FUNCTIONS(RW_XCB_FIELD)
  RW_XCB_SHM_FUNCTIONS(RW_XCB_FIELD)
  RW_XCB_XFIXES_FUNCTIONS(RW_XCB_FIELD)
  __typeof__(&xcb_shm_id) xcb_shm_id;
#ifdef RW_HAS_XFIXES
  __typeof__(&xcb_xfixes_id) xcb_xfixes_id;
#endif
  // 0 if MIT-SHM, or XFixes, is not available.
  int has_shm, has_xfixes;
};

extern struct rw_xcb_library rw_xcb;
#endif

#include <stddef.h>

// Opens the libraries. Returns 0, with the reason in `error`, if they can't be opened.
int rw_xcb_load(char *error, size_t size);
