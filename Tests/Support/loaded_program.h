// Programs that are loaded once, and run many times: Debian's `ffprobe` has 215 libraries, and takes 70 ms to load and bind
// them and 5 ms to probe a file. A process of it stops in front of `main` and forks for each command.
//
// The store of test media runs them so where a command is like any other: of the same user, in the same namespaces and with the
// same root as that process, and without descriptors of its own. Anything else, and a command whose server fails, is run as usual.

#pragma once

#include <sched.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

// The request of a command: this, with the descriptors of stdin, stdout, stderr and the current folder, then the arguments and
// the environment, each ended by a zero.
typedef struct {
  uint32_t arguments, variables;
  uint32_t size;
  mode_t mask;
  // The identities of the namespaces and of the root folder, as pairs of a device and an inode.
  uint64_t places[12];
  struct rlimit limits[RLIMIT_NLIMITS];
  cpu_set_t processors;
  int niceness;
} LoadedRequest;

// The first byte of an answer: the command runs. It is followed by its status, as `waitpid` has it. Without that byte it
// hasn't run.
enum { LOADED_RUNS = 'r' };
// The descriptor of the server's socket, and the number of descriptors in a request.
enum { LOADED_SOCKET = 3, LOADED_DESCRIPTORS = 4 };

// Fills in where this process is.
void loaded_places(uint64_t places[12]);

// Runs a program by the server of that build of it, with `out` and `errors` as its stdout and stderr. The socket of the
// server lies in the folder `store`; a server is started if there is none. Returns false if the command hasn't run.
bool run_loaded(const char *program, const char *build, char **arguments, const char *store, int out, int errors,
                int *status);
