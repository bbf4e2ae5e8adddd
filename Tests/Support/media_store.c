// The store of test media: `ffmpeg` and `ffprobe` for tests, which do nothing twice.
//
// `make` builds this file as .build/media-store/ffmpeg and ffprobe, and puts that folder first on the PATH of the
// tests, so that every test (Swift, Python, Node, shell) that runs `ffmpeg` or `ffprobe` runs it. The output
// of a command for the same arguments, the same bytes of its inputs and the same build of the program is kept
// in .build/test-media, and copied from there the next time: by any test, in any later run.
//
// Kept are single output files, hashes of frames (framemd5 and the like) and the output of ffprobe, each with
// the text on stderr. A command that fails isn't kept. A command that isn't understood, reads from anything
// but a file or from one of more than 256 MB, writes several files, or streams to stdout is run as it is, each time.
// Commands that are understood, and those whose output is a stream or several files, are run by a process that has
// loaded the program once (loaded_program.h).
//
// REELWIRE_TEST_MEDIA names another folder than .build/test-media; REELWIRE_TEST_MEDIA_LOG names a file to which each
// command adds a line: made, taken or run, and the command.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loaded_program.h"

extern char **environ;

// Options without a value; each other one has one.
static const char *const flags[] = {
    "-y", "-n", "-nostdin", "-hide_banner", "-vn", "-an", "-sn", "-dn", "-shortest", "-copyts",
    "-bitexact", "-xerror", "-autorotate", "-noautorotate", "-start_at_zero", "-re", "-stats",
    "-nostats", "-ignore_unknown", "-copy_unknown", "-accurate_seek", "-noaccurate_seek",
    "-show_format", "-show_streams", "-show_packets", "-show_frames", "-show_chapters",
    "-show_programs", "-show_data", "-show_error", "-show_stream_groups", "-show_versions",
    "-show_program_version", "-count_frames", "-count_packets", "-pretty", "-unit", NULL};
// Those of them that don't influence the output.
static const char *const idle[] = {"-y", "-n", "-nostdin", "-hide_banner", NULL};
// Options whose values name files that aren't inputs.
static const char *const scripts[] = {
    "-filter_script", "-filter_complex_script", "-pass", "-passlogfile", NULL};
// Muxers whose output is text about the media, or nothing.
static const char *const texts[] = {"framemd5", "framehash", "md5", "hash", "streamhash",
                                    "framecrc", "crc", "ffmetadata", "null", NULL};
// Muxers of several files.
static const char *const several[] = {"hls", "dash", "segment", "stream_segment", "ssegment",
                                      "tee", "smoothstreaming", "image2", NULL};
// Formats whose files name other files, and the extensions of such files.
static const char *const naming[] = {"concat", "hls", "applehttp", "dash", "image2",
                                     "vobsub", "imf", "sdp", NULL};
static const char *const naming_files[] = {".m3u8", ".m3u", ".mpd", ".ffconcat", ".idx", ".sub",
                                           ".sdp", ".xml", NULL};
// Parts of filters and options that name files within a value.
static const char *const naming_values[] = {"movie=", "subtitles=", "ass=", "lut1d=", "lut3d=",
                                            "haldclut=", "file=", "filename=", NULL};
static const char *const pipes[] = {"-", "pipe:", "pipe:1", "/dev/null", NULL};
// Output on stdout is kept up to this number of bytes.
static const off_t largest_text = 16 << 20;

// A text as `printf` writes it; none is freed, the process is short.
__attribute__((format(printf, 1, 2))) static char *text(const char *format, ...) {
  va_list arguments;
  char *result = NULL;
  va_start(arguments, format);
  if (vasprintf(&result, format, arguments) < 0) abort();
  va_end(arguments);
  return result;
}

static bool is_among(const char *word, const char *const *list) {
  for (; word && *list; list++)
    if (!strcmp(word, *list)) return true;
  return false;
}

static const char *extension(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  return dot && (!slash || dot > slash + 1) ? dot : "";
}

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// A hash of 128 bits, by the mixing of MurmurHash3 (Austin Appleby, public domain).
typedef struct {
  uint64_t a, b;
} Hash;

static uint64_t rotated(uint64_t value, int by) { return value << by | value >> (64 - by); }

static void add_word(Hash *hash, uint64_t word) {
  const uint64_t c1 = 0x87c37b91114253d5u, c2 = 0x4cf5ad432745937fu;
  hash->a ^= rotated(word * c1, 31) * c2;
  hash->a = (rotated(hash->a, 27) + hash->b) * 5 + 0x52dce729;
  hash->b ^= rotated(word * c2, 33) * c1;
  hash->b = (rotated(hash->b, 31) + hash->a) * 5 + 0x38495ab5;
}

static void add_bytes(Hash *hash, const char *bytes, size_t count) {
  uint64_t word;
  for (; count >= sizeof word; bytes += sizeof word, count -= sizeof word) {
    memcpy(&word, bytes, sizeof word);
    add_word(hash, word);
  }
  word = 0;
  memcpy(&word, bytes, count);
  add_word(hash, word ^ (uint64_t)count << 56);
}

static void add(Hash *hash, const char *word) { add_bytes(hash, word, strlen(word)); }

static bool add_file(Hash *hash, const char *path) {
  static char buffer[1 << 20];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  size_t filled = 0;
  ssize_t count;
  while ((count = read(file, buffer + filled, sizeof buffer - filled)) > 0) {
    filled += (size_t)count;
    if (filled < sizeof buffer) continue;
    add_bytes(hash, buffer, filled);
    filled = 0;
  }
  add_bytes(hash, buffer, filled);
  close(file);
  return count == 0;
}

static char *text_of(const Hash *hash) {
  return text("%016llx%016llx", (unsigned long long)hash->a, (unsigned long long)hash->b);
}

static void log_command(const char *what, char **arguments) {
  const char *path = getenv("REELWIRE_TEST_MEDIA_LOG");
  FILE *file = path ? fopen(path, "ae") : NULL;
  if (!file) return;
  char *line = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&line, &size);
  fprintf(memory, "%s\t", what);
  for (char **each = arguments; *each; each++) fprintf(memory, "%s%s", *each, each[1] ? " " : "");
  fclose(memory);
  for (size_t place = 0; place < size; place++)
    if (line[place] == '\n') line[place] = ' ';
  fprintf(file, "%s\n", line);
  fclose(file);
}

// The program itself, further on along the PATH.
static char *real_program(const char *name, const char *own) {
  const char *folders = getenv("PATH");
  for (const char *start = folders ? folders : "/usr/bin"; *start;) {
    size_t length = strcspn(start, ":");
    char resolved[PATH_MAX], *path = text("%.*s/%s", (int)length, start, name);
    bool isOther = access(path, X_OK) == 0 && is_file(path) && realpath(path, resolved) &&
                   strcmp(resolved, own);
    if (isOther) return path;
    start += length + (start[length] == ':');
  }
  fprintf(stderr, "%s: command not found\n", name);
  exit(127);
}

typedef struct {
  Hash hash;
  // The file that is made; NULL for text on stdout.
  const char *output;
  // The reason for which the command is run as it is; NULL when it is understood.
  const char *reason;
} Command;

// The reasons of commands that read files, and whose output isn't stored: it goes to stdout, or to several files.
static const char a_stream[] = "a stream", several_outputs[] = "several outputs";

// The size of an input above which reading all of it for its hash takes longer than many commands, in bytes: sparse files
// of gigabytes, of which a command reads little.
static const off_t largest_input = 256 << 20;

static const char *add_input(Hash *hash, const char *url, const char *format) {
  const char *path = strncmp(url, "file:", 5) ? url : url + 5;
  struct stat status;
  if (!is_file(path) || stat(path, &status)) return "an input that is no file";
  if (status.st_size > largest_input) return "an input that is too large";
  if (is_among(extension(path), naming_files) || is_among(format, naming))
    return "an input that names others";
  return add_file(hash, path) ? NULL : "an input that can't be read";
}

static const char *check_output(const char *path, const char *format, bool isOverwriting) {
  if (!strncmp(path, "-", 1) || strchr(path, ':')) return a_stream;
  if (is_among(format, several) || strchr(path, '%') || is_among(extension(path), naming_files))
    return "several files";
  struct stat status;
  if (lstat(path, &status) == 0 && !(isOverwriting && S_ISREG(status.st_mode)))
    return "an output that exists";
  return NULL;
}

static Command understood(const char *program, char **arguments) {
  Command command = {{0x9e3779b97f4a7c15u, 0x2545f4914f6cdd1du}, NULL, NULL};
  Hash *hash = &command.hash;
  bool isProbe = !strcmp(program, "ffprobe"), isOverwriting = false;
  const char *format = NULL;
  int inputs = 0;
  add(hash, program);
  for (char **next = arguments; *next && !command.reason;) {
    const char *argument = *next++;
    if (*argument != '-' || !strcmp(argument, "-")) {
      if (isProbe) {
        // The file that it prints.
        add(hash, argument);
        command.reason = add_input(hash, argument, format);
        inputs++;
      } else if (*next) {
        command.reason = several_outputs;
      } else {
        command.output = argument;
      }
      continue;
    }
    if (is_among(argument, flags)) {
      if (!is_among(argument, idle)) add(hash, argument);
      if (!strcmp(argument, "-y")) isOverwriting = true;
      continue;
    }
    const char *value = *next;
    if (!value) {
      command.reason = "no media";
      break;
    }
    next++;
    add(hash, argument);
    bool isNaming = is_among(argument, scripts);
    for (const char *const *name = naming_values; *name; name++)
      isNaming = isNaming || strstr(value, *name);
    if (isNaming) {
      command.reason = "files named in an option";
    } else if (!strcmp(argument, "-i") && format && !strcmp(format, "lavfi")) {
      add(hash, value);
      inputs++;
      format = NULL;
    } else if (!strcmp(argument, "-i")) {
      add(hash, isProbe ? value : extension(value));
      command.reason = add_input(hash, value, format);
      inputs++;
      format = NULL;
    } else if (is_file(value)) {
      const char *slash = strrchr(value, '/');
      add(hash, slash ? slash + 1 : value);
      if (!add_file(hash, value)) command.reason = "a file that can't be read";
    } else {
      add(hash, value);
      if (!strcmp(argument, "-f")) format = value;
    }
  }
  if (command.reason) return command;
  if (inputs == 0 || (isProbe ? inputs > 1 : !command.output)) {
    command.reason = "no media";
  } else if (!isProbe && is_among(format, texts) && is_among(command.output, pipes)) {
    command.output = NULL;
  } else if (!isProbe) {
    add(hash, extension(command.output));
    command.reason = check_output(command.output, format, isOverwriting);
  }
  return command;
}

static bool write_all(int file, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    count -= (size_t)written;
  }
  return true;
}

static bool show(const char *path, int to) {
  static char buffer[1 << 16];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = -1;
  while (file >= 0 && (count = read(file, buffer, sizeof buffer)) > 0)
    if (!write_all(to, buffer, (size_t)count)) break;
  if (file >= 0) close(file);
  return count == 0;
}

// Into a file of its own: a test's changes to it don't reach the store.
static bool copy(const char *source, const char *target) {
  int file = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool isCopied = file >= 0 && show(source, file);
  return file >= 0 && close(file) == 0 && isCopied;
}

// A digest of which build of the program it is; NULL where there is none.
static char *build_of(const char *program) {
  struct stat status;
  char resolved[PATH_MAX];
  if (stat(program, &status) || !realpath(program, resolved)) return NULL;
  Hash build = {1, 2};
  add(&build, resolved);
  add_word(&build, (uint64_t)status.st_size);
  add_word(&build, (uint64_t)status.st_mtim.tv_sec);
  add_word(&build, (uint64_t)status.st_mtim.tv_nsec);
  return text_of(&build);
}

// Adds the version that a build of the program reports, which is requested once for each build.
static bool add_version(Hash *hash, const char *program, const char *build, const char *store) {
  char *path = text("%s/version-%s", store, build);
  if (!is_file(path)) {
    char *new = text("%s/new-version-%d", store, getpid());
    if (system(text("'%s' -version >'%s'", program, new)) || rename(new, path)) return false;
  }
  return add_file(hash, path);
}

static void remove_folder(const char *folder) {
  for (const char *const *name = (const char *const[]){"stdout", "stderr", "media", "command", NULL};
       *name; name++)
    unlink(text("%s/%s", folder, *name));
  rmdir(folder);
}

// Runs the command, and returns its status, as `waitpid` has it; -1 if it can't be started.
static int launch(const char *program, const char *build, char **arguments, const char *store, int out,
                  int errors) {
  int status = 0;
  if (run_loaded(program, build, arguments, store, out, errors, &status)) return status;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  pid_t child;
  if (posix_spawn(&child, program, &actions, NULL, arguments, environ)) return -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

// As a shell has it, of one that a signal has ended.
static int exit_code(int status) {
  if (status < 0) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Runs the command, and keeps its output when it succeeds. Returns its exit code.
static int make(const char *program, const char *build, char **arguments, const Command *command,
                const char *store, const char *entry) {
  char *folder = text("%s/new-%d", store, getpid());
  remove_folder(folder);
  mkdir(folder, 0777);
  char *out = text("%s/stdout", folder), *errors = text("%s/stderr", folder);
  const int mode = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  int raw = launch(program, build, arguments, store, open(out, mode, 0444), open(errors, mode, 0444));
  if (raw < 0) return exit_code(raw);
  struct stat status;
  bool isKept = WIFEXITED(raw) && WEXITSTATUS(raw) == 0 && stat(out, &status) == 0 &&
                status.st_size <= largest_text;
  if (isKept && command->output) {
    char *media = text("%s/media", folder);
    isKept = copy(command->output, media) && chmod(media, 0444) == 0;
  }
  show(out, 1);
  show(errors, 2);
  if (isKept) {
    // For people who look into the store.
    FILE *file = fopen(text("%s/command", folder), "we");
    for (char **each = arguments; file && *each; each++) fprintf(file, "%s\n", *each);
    if (file) fclose(file);
    mkdir(text("%.*s", (int)(strrchr(entry, '/') - entry), entry), 0777);
    isKept = rename(folder, entry) == 0;
  }
  if (!isKept) remove_folder(folder);
  return exit_code(raw);
}

// The folder of the store, made when it is first needed; NULL where it can't be.
static const char *store_folder(const char *own) {
  const char *folder = getenv("REELWIRE_TEST_MEDIA");
  if (!folder) folder = text("%.*s/../test-media", (int)(strrchr(own, '/') - own), own);
  if (mkdir(folder, 0777) && errno != EEXIST) return NULL;
  return folder;
}

int main(int count, char **arguments) {
  (void)count;
  char own[PATH_MAX];
  if (!realpath("/proc/self/exe", own)) return 127;
  const char *slash = strrchr(arguments[0], '/');
  const char *name = slash ? slash + 1 : arguments[0];
  char *program = real_program(name, own);
  Command command = understood(name, arguments + 1);
  bool isLoadable = !command.reason || command.reason == a_stream || command.reason == several_outputs;
  const char *store = isLoadable ? store_folder(own) : NULL;
  char *build = store ? build_of(program) : NULL;
  if (!command.reason && !(build && add_version(&command.hash, program, build, store)))
    command.reason = "no store";
  if (command.reason) {
    log_command(text("run (%s)", command.reason), arguments);
    int status;
    if (build && run_loaded(program, build, arguments, store, 1, 2, &status)) return exit_code(status);
    execv(program, arguments);
    return 127;
  }
  char *digest = text_of(&command.hash), *entry = text("%s/%.2s/%s", store, digest, digest);
  if (access(entry, F_OK)) {
    // Another command for the same entry waits.
    int lock = open(text("%s/lock-%.2s", store, digest), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock >= 0) flock(lock, LOCK_EX);
    if (access(entry, F_OK)) {
      log_command("made", arguments);
      return make(program, build, arguments, &command, store, entry);
    }
  }
  log_command("taken", arguments);
  char *kept = text("%s/%s", entry, command.output ? "media" : "stdout");
  bool isGiven = command.output ? copy(kept, command.output) : show(kept, 1);
  show(text("%s/stderr", entry), 2);
  return isGiven ? 0 : 1;
}
