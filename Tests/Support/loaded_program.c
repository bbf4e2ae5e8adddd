// The library that is preloaded into a program to make it a server of its commands (loaded_program.h).

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loaded_program.h"

// A server without commands ends after this number of milliseconds.
enum { IDLE = 5000, MOST = 64 };

typedef int (*Main)(int, char **, char **);
static Main program;

static bool read_all(int socket, char *bytes, size_t count) {
  while (count > 0) {
    ssize_t done = read(socket, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    count -= (size_t)done;
  }
  return true;
}

// Receives the start of a request. The descriptors become 0, 1 and 2, and the current folder.
static bool receive(int socket, LoadedRequest *request) {
  union {
    char bytes[CMSG_SPACE(LOADED_DESCRIPTORS * sizeof(int))];
    struct cmsghdr header;
  } control;
  struct iovec part = {request, sizeof *request};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t count = recvmsg(socket, &message, MSG_WAITALL);
  struct cmsghdr *header = count == sizeof *request ? CMSG_FIRSTHDR(&message) : NULL;
  if (!header || header->cmsg_len != CMSG_LEN(LOADED_DESCRIPTORS * sizeof(int))) return false;
  int descriptors[LOADED_DESCRIPTORS];
  memcpy(descriptors, CMSG_DATA(header), sizeof descriptors);
  for (int number = 0; number < 3; number++)
    if (dup2(descriptors[number], number) < 0) return false;
  if (fchdir(descriptors[3]) != 0) return false;
  for (int number = 0; number < LOADED_DESCRIPTORS; number++) close(descriptors[number]);
  return true;
}

static bool is_here(int socket, const LoadedRequest *request) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  uint64_t places[12];
  loaded_places(places);
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid() && peer.gid == getegid() &&
         memcmp(places, request->places, sizeof places) == 0;
}

static char **strings(char *bytes, uint32_t count) {
  char **all = calloc(count + 1, sizeof *all);
  for (uint32_t number = 0; all && number < count; number++) {
    all[number] = bytes;
    bytes += strlen(bytes) + 1;
  }
  return all;
}

// In a process of its own: runs the command of a connection.
static void run(int socket) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  LoadedRequest request;
  if (!receive(socket, &request) || !is_here(socket, &request)) _exit(127);
  char *bytes = calloc(1, request.size + 1);
  if (!bytes || !read_all(socket, bytes, request.size)) _exit(127);
  uint32_t zeros = 0;
  for (uint32_t place = 0; place < request.size; place++) zeros += bytes[place] == 0;
  if (zeros != request.arguments + request.variables) _exit(127);
  char **all = strings(bytes, zeros);
  char **arguments = calloc(request.arguments + 1, sizeof *arguments);
  if (!all || !arguments) _exit(127);
  memcpy(arguments, all, request.arguments * sizeof *arguments);
  environ = all + request.arguments;
  umask(request.mask);
  // A server that has been started under lower limits can't serve it.
  for (int limit = 0; limit < RLIMIT_NLIMITS; limit++)
    if (setrlimit(limit, &request.limits[limit])) _exit(127);
  if (sched_setaffinity(0, sizeof request.processors, &request.processors)) _exit(127);
  if (setpriority(PRIO_PROCESS, 0, request.niceness)) _exit(127);
  char runs = LOADED_RUNS;
  if (write(socket, &runs, 1) != 1) _exit(127);
  close(socket);
  exit(program((int)request.arguments, arguments, environ));
}

static int serve(int count, char **arguments, char **variables) {
  (void)count, (void)arguments, (void)variables;
  struct {
    pid_t process;
    int socket;
  } commands[MOST];
  int running = 0;
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends, NULL);
  int signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
  while (true) {
    struct pollfd polled[MOST + 2] = {{.fd = signals, .events = POLLIN},
                                      {.fd = running < MOST ? LOADED_SOCKET : -1, .events = POLLIN}};
    for (int each = 0; each < running; each++)
      polled[each + 2] = (struct pollfd){.fd = commands[each].socket, .events = POLLRDHUP};
    int ready = poll(polled, (nfds_t)(running + 2), running ? -1 : IDLE);
    if (ready == 0) return 0;
    if (ready < 0) continue;
    // A command whose client is gone ends with it.
    for (int each = 0; each < running; each++)
      if (polled[each + 2].revents) kill(commands[each].process, SIGKILL);
    if (polled[0].revents) {
      struct signalfd_siginfo information;
      while (read(signals, &information, sizeof information) > 0) continue;
      pid_t ended;
      int status;
      while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
        for (int each = 0; each < running; each++) {
          if (commands[each].process != ended) continue;
          // Its client may be gone.
          (void)!send(commands[each].socket, &status, sizeof status, MSG_NOSIGNAL);
          close(commands[each].socket);
          commands[each] = commands[--running];
          break;
        }
      }
    }
    if (!polled[1].revents) continue;
    int socket = accept4(LOADED_SOCKET, NULL, NULL, SOCK_CLOEXEC);
    if (socket < 0) continue;
    pid_t process = fork();
    if (process == 0) {
      close(LOADED_SOCKET);
      close(signals);
      for (int each = 0; each < running; each++) close(commands[each].socket);
      run(socket);
    }
    if (process < 0) {
      close(socket);
    } else {
      commands[running].process = process;
      commands[running++].socket = socket;
    }
  }
}

// The C library's start of a program: it is given the server for a `main`.
int __libc_start_main(Main main, int count, char **arguments, void (*init)(void), void (*fini)(void), void (*linker)(void),
                      void *stack) {
  int (*start)(Main, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
      (__typeof__(start))dlsym(RTLD_NEXT, "__libc_start_main");
  program = main;
  return start(serve, count, arguments, init, fini, linker, stack);
}
