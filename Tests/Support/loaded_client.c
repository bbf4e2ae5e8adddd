#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "loaded_program.h"

extern char **environ;

// The library lies beside this program.
static bool find_library(char path[PATH_MAX]) {
  char own[PATH_MAX];
  if (!realpath("/proc/self/exe", own)) return false;
  int length = snprintf(path, PATH_MAX, "%.*s/loaded-program.so", (int)(strrchr(own, '/') - own), own);
  return length < PATH_MAX && access(path, R_OK) == 0;
}

// The loader's variables decide what a program is; the server has been loaded with others. It hasn't the descriptors that
// arguments name, but those of standard input and output.
static bool is_loaded_alike(char **arguments) {
  for (char **each = environ; *each; each++)
    if (!strncmp(*each, "LD_", 3)) return false;
  for (char **each = arguments; *each; each++) {
    if (strstr(*each, "/fd/") || strstr(*each, "/proc/self/") || !strncmp(*each, "fd:", 3)) return false;
    if (!strncmp(*each, "pipe:", 5) && atoi(*each + 5) > 2) return false;
  }
  return true;
}

// Starts the server on a socket that listens already: a command needn't wait for it.
static void start_server(const char *program, const char *library, int listening) {
  pid_t child = fork();
  if (child != 0) return;
  setsid();
  int nothing = open("/dev/null", O_RDWR);
  for (int number = 0; number < 3; number++) dup2(nothing, number);
  if (dup2(listening, LOADED_SOCKET) < 0 || fcntl(LOADED_SOCKET, F_SETFD, 0) < 0) _exit(127);
  close_range(LOADED_SOCKET + 1, ~0u, 0);
  setenv("LD_PRELOAD", library, 1);
  execl(program, program, (char *)NULL);
  _exit(127);
}

// Returns a connection to the server of a program; -1 without one.
static int connection(const char *program, const char *build, const char *store, const char *library) {
  int folder = open(store, O_PATH | O_DIRECTORY | O_CLOEXEC);
  // By the folder's descriptor, since a socket's path has 107 bytes at most.
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/loaded-%s", folder, build);
  int result = -1;
  int lock = openat(folder, "lock-loaded", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (folder < 0 || lock < 0) goto done;
  result = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (result < 0 || connect(result, (struct sockaddr *)&address, sizeof address) == 0) goto done;
  // One of those that find none starts it.
  flock(lock, LOCK_EX);
  if (connect(result, (struct sockaddr *)&address, sizeof address) == 0) goto done;
  unlink(address.sun_path);
  int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening >= 0 && bind(listening, (struct sockaddr *)&address, sizeof address) == 0 && listen(listening, 64) == 0) {
    start_server(program, library, listening);
  }
  if (listening >= 0) close(listening);
  if (connect(result, (struct sockaddr *)&address, sizeof address) == 0) goto done;
  close(result);
  result = -1;
done:
  if (lock >= 0) close(lock);
  if (folder >= 0) close(folder);
  return result;
}

static bool send_request(int socket, char **arguments, int out, int errors) {
  LoadedRequest request = {0};
  loaded_places(request.places);
  request.mask = umask(0);
  umask(request.mask);
  for (int limit = 0; limit < RLIMIT_NLIMITS; limit++) getrlimit(limit, &request.limits[limit]);
  sched_getaffinity(0, sizeof request.processors, &request.processors);
  request.niceness = getpriority(PRIO_PROCESS, 0);
  char *bytes = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&bytes, &size);
  if (!memory) return false;
  for (char **each = arguments; *each; each++, request.arguments++) fwrite(*each, 1, strlen(*each) + 1, memory);
  for (char **each = environ; *each; each++, request.variables++) fwrite(*each, 1, strlen(*each) + 1, memory);
  fclose(memory);
  request.size = (uint32_t)size;
  int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  int descriptors[LOADED_DESCRIPTORS] = {0, out, errors, here};
  union {
    char bytes[CMSG_SPACE(sizeof descriptors)];
    struct cmsghdr header;
  } control = {0};
  struct iovec part = {&request, sizeof request};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptors);
  memcpy(CMSG_DATA(header), descriptors, sizeof descriptors);
  bool isSent = here >= 0 && sendmsg(socket, &message, MSG_NOSIGNAL) == sizeof request;
  for (size_t sent = 0; isSent && sent < size;) {
    ssize_t count = send(socket, bytes + sent, size - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    isSent = count > 0;
    if (isSent) sent += (size_t)count;
  }
  if (here >= 0) close(here);
  free(bytes);
  return isSent;
}

bool run_loaded(const char *program, const char *build, char **arguments, const char *store, int out, int errors,
                int *status) {
  char library[PATH_MAX];
  if (!is_loaded_alike(arguments) || !find_library(library)) return false;
  int socket = connection(program, build, store, library);
  if (socket < 0) return false;
  char runs = 0;
  bool hasRun = send_request(socket, arguments, out, errors) && recv(socket, &runs, 1, MSG_WAITALL) == 1 &&
                runs == LOADED_RUNS;
  // A server that is killed takes the command with it.
  if (hasRun && recv(socket, status, sizeof *status, MSG_WAITALL) != sizeof *status) *status = SIGKILL;
  close(socket);
  return hasRun;
}
