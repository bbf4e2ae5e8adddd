#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "loaded_program.h"

void loaded_places(uint64_t places[12]) {
  const char *const paths[] = {"/", "/proc/self/ns/mnt", "/proc/self/ns/net", "/proc/self/ns/pid", "/proc/self/ns/user",
                               "/proc/self/ns/ipc"};
  memset(places, 0, 12 * sizeof *places);
  for (int place = 0; place < 6; place++) {
    struct stat status;
    if (stat(paths[place], &status)) continue;
    places[2 * place] = status.st_dev;
    places[2 * place + 1] = status.st_ino;
  }
}
