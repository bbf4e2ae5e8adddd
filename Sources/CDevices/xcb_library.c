#define _GNU_SOURCE
#include "xcb_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#ifdef RW_HAS_XCB
struct rw_xcb_library rw_xcb;

int rw_xcb_load(char *error, size_t size) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int loaded;
  pthread_mutex_lock(&lock);
  if (!loaded) {
    void *library = dlopen("libxcb.so.1", RTLD_NOW | RTLD_LOCAL);
    loaded = library != NULL;
    if (!library) snprintf(error, size, "libxcb.so.1 is not installed");
#define FIND(name) \
  if (loaded && !(rw_xcb.name = (__typeof__(&name))dlsym(library, #name))) { \
    snprintf(error, size, "libxcb.so.1 has no " #name); \
    loaded = 0; \
  }
    RW_XCB_FUNCTIONS(FIND)
    void *shm = loaded ? dlopen("libxcb-shm.so.0", RTLD_NOW | RTLD_LOCAL) : NULL;
    rw_xcb.has_shm = shm != NULL;
#define FIND_SHM(name) \
  if (rw_xcb.has_shm && !(rw_xcb.name = (__typeof__(&name))dlsym(shm, #name))) rw_xcb.has_shm = 0;
    RW_XCB_SHM_FUNCTIONS(FIND_SHM)
    FIND_SHM(xcb_shm_id)
#ifdef RW_HAS_XFIXES
    void *xfixes = loaded ? dlopen("libxcb-xfixes.so.0", RTLD_NOW | RTLD_LOCAL) : NULL;
    rw_xcb.has_xfixes = xfixes != NULL;
#define FIND_XFIXES(name) \
  if (rw_xcb.has_xfixes && !(rw_xcb.name = (__typeof__(&name))dlsym(xfixes, #name))) rw_xcb.has_xfixes = 0;
    RW_XCB_XFIXES_FUNCTIONS(FIND_XFIXES)
    FIND_XFIXES(xcb_xfixes_id)
#endif
  }
  int result = loaded;
  pthread_mutex_unlock(&lock);
  return result;
}
#else
int rw_xcb_load(char *error, size_t size) {
  snprintf(error, size, "not built in: the headers of libxcb were missing");
  return 0;
}
#endif
