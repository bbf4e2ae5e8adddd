#include "curl_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "CCurl.h"

struct rw_curl_library rw_curl;

static char problem[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  // The usual name, and the one of Debian's libcurl with GnuTLS.
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    snprintf(problem, sizeof problem, "%s", reason ? reason : "libcurl.so.4 can't be opened");
    library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  }
  if (!library) return;
  problem[0] = 0;
#define FIND(result, name, parameters) \
  if (!(rw_curl.name = (__typeof__(rw_curl.name))dlsym(library, #name))) \
    snprintf(problem, sizeof problem, "libcurl has no " #name ": it is older than 7.66");
  RW_CURL_FUNCTIONS(FIND)
  if (!problem[0] && rw_curl.curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
    snprintf(problem, sizeof problem, "libcurl can't be initialized");
}

int rw_curl_load(char *error, size_t size) {
  pthread_once(&once, load);
  if (!problem[0]) return 1;
  snprintf(error, size, "%s", problem);
  return 0;
}

const char *rw_curl_version(void) { return rw_curl.curl_version(); }
