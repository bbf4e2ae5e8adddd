// The environment of the tests' process. It is set before the first thread starts: `setenv` moves the array
// that `getenv` and `posix_spawn` of other threads read (POSIX; "MT-Unsafe env" in glibc's manual).

#define _XOPEN_SOURCE 700

#include "CTestEnvironment.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[PATH_MAX];

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  return remove(path);
}

static void remove_folder(void) { nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

// Thumbnails aren't left in the home of the user who runs the tests, and no audio is played by a server of
// theirs.
__attribute__((constructor)) static void prepare(void) {
  const char *parent = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/reelwire-run-XXXXXX", parent && *parent ? parent : "/tmp");
  if (!mkdtemp(folder)) {
    perror(folder);
    _exit(1);
  }
  atexit(remove_folder);
  char value[PATH_MAX + 32];
  snprintf(value, sizeof value, "%s/cache", folder);
  setenv("XDG_CACHE_HOME", value, 1);
  snprintf(value, sizeof value, "unix:%s/sound/pulse/native", folder);
  setenv("PULSE_SERVER", value, 1);
}

const char *reelwire_test_folder(void) { return folder; }
