#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CCurl.h"
#include "curl_library.h"

// One thread runs all transfers, which share their connections. It never waits for a reader: bytes that a socket doesn't
// take stay in `unsent`, and libcurl receives no more of that transfer meanwhile.
struct transfer {
  struct transfer *next;
  // NULL after the end.
  CURL *easy;
  struct curl_slist *headers, *addresses;
  int socket;
  int is_paused, has_bytes, is_abandoned;
  // Frames for the socket: `unsent_count` bytes at `unsent_start`.
  uint8_t *unsent;
  size_t unsent_start, unsent_count, unsent_capacity;
  // The lines of the current block of headers.
  char *block;
  size_t block_count;
  char error[CURL_ERROR_SIZE];
};

static CURLM *multi;
static struct transfer *transfers;

// MARK: - Answers

static void flush(struct transfer *transfer) {
  while (transfer->unsent_count > 0 && !transfer->is_abandoned) {
    ssize_t count = send(transfer->socket, transfer->unsent + transfer->unsent_start, transfer->unsent_count,
                         MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (count < 0) {
      transfer->is_abandoned = 1;
      return;
    }
    transfer->unsent_start += (size_t)count;
    transfer->unsent_count -= (size_t)count;
  }
  transfer->unsent_start = 0;
}

static void append(struct transfer *transfer, const void *bytes, size_t count) {
  size_t end = transfer->unsent_start + transfer->unsent_count;
  if (end + count > transfer->unsent_capacity) {
    size_t capacity = end + count + (16 << 10);
    uint8_t *grown = realloc(transfer->unsent, capacity);
    if (!grown) {
      transfer->is_abandoned = 1;
      return;
    }
    transfer->unsent = grown;
    transfer->unsent_capacity = capacity;
  }
  memcpy(transfer->unsent + end, bytes, count);
  transfer->unsent_count += count;
}

static void append_number(struct transfer *transfer, uint32_t number) {
  uint8_t bytes[4] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number};
  append(transfer, bytes, sizeof bytes);
}

static void begin_frame(struct transfer *transfer, uint8_t kind, size_t count) {
  append(transfer, &kind, 1);
  append_number(transfer, (uint32_t)count);
}

static void send_frame(struct transfer *transfer, uint8_t kind, const void *bytes, size_t count) {
  begin_frame(transfer, kind, count);
  append(transfer, bytes, count);
  flush(transfer);
}

static void send_end(struct transfer *transfer, int code, const char *message) {
  size_t count = strlen(message);
  begin_frame(transfer, RW_FRAME_END, 4 + count);
  append_number(transfer, (uint32_t)code);
  append(transfer, message, count);
  flush(transfer);
}

// MARK: - libcurl's calls

static size_t take_header(char *line, size_t size, size_t count, void *data) {
  struct transfer *transfer = data;
  size_t length = size * count;
  // Trailers mean nothing here.
  if (transfer->has_bytes) return length;
  if (transfer->block_count + length > RW_MAXIMUM_FRAME) return 0;
  char *grown = realloc(transfer->block, transfer->block_count + length);
  if (!grown) return 0;
  transfer->block = grown;
  memcpy(transfer->block + transfer->block_count, line, length);
  transfer->block_count += length;
  int is_empty = (length == 2 && line[0] == '\r' && line[1] == '\n') || (length == 1 && line[0] == '\n');
  if (is_empty) {
    send_frame(transfer, RW_FRAME_HEADERS, transfer->block, transfer->block_count);
    transfer->block_count = 0;
  }
  return transfer->is_abandoned ? 0 : length;
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *data) {
  struct transfer *transfer = data;
  size_t length = size * count;
  transfer->has_bytes = 1;
  if (transfer->unsent_count > 0) {
    transfer->is_paused = 1;
    return CURL_WRITEFUNC_PAUSE;
  }
  if (length > 0) send_frame(transfer, RW_FRAME_BYTES, bytes, length);
  return transfer->is_abandoned ? 0 : length;
}

// MARK: - Requests

enum { FIELD_URL, FIELD_RANGE, FIELD_IS_FRESH, FIELD_ADDRESSES, FIELD_HEADER, FIELD_COUNT };

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

// Of the program `curl`: libcurl itself doesn't look at these variables.
static void set_certificates(CURL *easy) {
  const char *file = variable("CURL_CA_BUNDLE");
  const char *folder = file ? NULL : variable("SSL_CERT_DIR");
  if (!file) file = variable("SSL_CERT_FILE");
  if (file) {
    rw_curl.curl_easy_setopt(easy, CURLOPT_CAINFO, file);
    rw_curl.curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, file);
  }
  if (folder) {
    rw_curl.curl_easy_setopt(easy, CURLOPT_CAPATH, folder);
    rw_curl.curl_easy_setopt(easy, CURLOPT_PROXY_CAPATH, folder);
  }
}

// Returns 0, or libcurl's code.
static int begin(struct transfer *transfer, const char *const *fields, const char *agent) {
  CURL *easy = transfer->easy = rw_curl.curl_easy_init();
  if (!easy) return CURLE_FAILED_INIT;
  int code = 0;
#define SET(option, value) \
  if (!code) code = rw_curl.curl_easy_setopt(easy, option, value);
  SET(CURLOPT_ERRORBUFFER, transfer->error)
  SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS))
  SET(CURLOPT_NOSIGNAL, 1L)
  SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L)
  SET(CURLOPT_CONNECTTIMEOUT, 30L)
  // A connection that takes several transfers at a time is waited for.
  SET(CURLOPT_PIPEWAIT, 1L)
  SET(CURLOPT_FRESH_CONNECT, (long)(fields[FIELD_IS_FRESH][0] == '1'))
  SET(CURLOPT_USERAGENT, agent)
  SET(CURLOPT_URL, fields[FIELD_URL])
  SET(CURLOPT_RANGE, fields[FIELD_RANGE])
  SET(CURLOPT_HEADERFUNCTION, take_header)
  SET(CURLOPT_HEADERDATA, (void *)transfer)
  SET(CURLOPT_WRITEFUNCTION, take_bytes)
  SET(CURLOPT_WRITEDATA, (void *)transfer)
  if (fields[FIELD_ADDRESSES][0]) {
    transfer->addresses = rw_curl.curl_slist_append(NULL, fields[FIELD_ADDRESSES]);
    if (!transfer->addresses) return CURLE_FAILED_INIT;
    SET(CURLOPT_RESOLVE, transfer->addresses)
  }
  if (fields[FIELD_HEADER][0]) {
    transfer->headers = rw_curl.curl_slist_append(NULL, fields[FIELD_HEADER]);
    if (!transfer->headers) return CURLE_FAILED_INIT;
    SET(CURLOPT_HTTPHEADER, transfer->headers)
  }
#undef SET
  if (code) return code;
  set_certificates(easy);
  return rw_curl.curl_multi_add_handle(multi, easy) == 0 ? 0 : CURLE_FAILED_INIT;
}

static void release_handle(struct transfer *transfer) {
  if (!transfer->easy) return;
  rw_curl.curl_multi_remove_handle(multi, transfer->easy);
  rw_curl.curl_easy_cleanup(transfer->easy);
  rw_curl.curl_slist_free_all(transfer->headers);
  rw_curl.curl_slist_free_all(transfer->addresses);
  transfer->easy = NULL;
}

static void end(struct transfer *transfer, int code) {
  release_handle(transfer);
  send_end(transfer, code, code == 0 || transfer->error[0] ? transfer->error : rw_curl.curl_easy_strerror(code));
}

static void add(int socket, const char *const *fields, const char *agent, const char *unavailable) {
  struct transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) {
    close(socket);
    return;
  }
  transfer->socket = socket;
  transfer->next = transfers;
  transfers = transfer;
  if (unavailable) {
    send_end(transfer, RW_CURL_UNAVAILABLE, unavailable);
  } else if (!fields) {
    send_end(transfer, CURLE_TOO_LARGE, "the URL is too long");
  } else {
    int code = begin(transfer, fields, agent);
    if (code) end(transfer, code);
  }
}

// Returns 0 when there is no request now, -1 when there will be none.
static int take_request(int control, const char *agent, const char *unavailable) {
  static char packet[RW_MAXIMUM_REQUEST];
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } passed;
  struct iovec part = {packet, sizeof packet};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &passed, .msg_controllen = sizeof passed};
  ssize_t count = recvmsg(control, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (count == 0 || !header || header->cmsg_type != SCM_RIGHTS) return -1;
  int socket;
  memcpy(&socket, CMSG_DATA(header), sizeof socket);
  const char *fields[FIELD_COUNT];
  int is_whole = !(message.msg_flags & MSG_TRUNC) && packet[count - 1] == 0;
  const char *text = packet;
  for (int field = 0; field < FIELD_COUNT && is_whole; field++) {
    is_whole = text < packet + count;
    fields[field] = text;
    if (is_whole) text += strlen(text) + 1;
  }
  add(socket, is_whole ? fields : NULL, agent, unavailable);
  return 1;
}

// MARK: - The loop

static void collect_ends(void) {
  int rest;
  for (CURLMsg *message; (message = rw_curl.curl_multi_info_read(multi, &rest));) {
    if (message->msg != CURLMSG_DONE) continue;
    struct transfer *transfer = transfers;
    while (transfer && transfer->easy != message->easy_handle) transfer = transfer->next;
    if (transfer) end(transfer, message->data.result);
  }
}

static void free_ended(void) {
  for (struct transfer **place = &transfers; *place;) {
    struct transfer *transfer = *place;
    if (!transfer->is_abandoned && (transfer->easy || transfer->unsent_count > 0)) {
      place = &transfer->next;
      continue;
    }
    *place = transfer->next;
    release_handle(transfer);
    close(transfer->socket);
    free(transfer->unsent);
    free(transfer->block);
    free(transfer);
  }
}

// Looks at the sockets of answers: those that are closed end their transfers, and those with room continue them.
static void look_at_readers(void) {
  for (struct transfer *transfer = transfers; transfer; transfer = transfer->next) {
    struct pollfd socket = {transfer->socket, transfer->unsent_count > 0 ? POLLOUT : 0, 0};
    if (poll(&socket, 1, 0) <= 0) continue;
    if (socket.revents & (POLLERR | POLLHUP)) transfer->is_abandoned = 1;
    if (socket.revents & POLLOUT) flush(transfer);
    if (!transfer->is_paused || transfer->unsent_count > 0 || transfer->is_abandoned || !transfer->easy) continue;
    // That may call take_bytes.
    transfer->is_paused = 0;
    rw_curl.curl_easy_pause(transfer->easy, CURLPAUSE_CONT);
  }
}

// Waits for requests, readers and servers. Returns 0 if it can't.
static int wait_for_any(int control) {
  size_t count = 1, index = 1;
  for (struct transfer *transfer = transfers; transfer; transfer = transfer->next) count++;
  struct curl_waitfd *sockets = calloc(count, sizeof *sockets);
  if (!sockets) return 0;
  sockets[0] = (struct curl_waitfd){control, CURL_WAIT_POLLIN, 0};
  // Of the others, the end is reported without a request for it.
  for (struct transfer *transfer = transfers; transfer; transfer = transfer->next)
    sockets[index++] = (struct curl_waitfd){transfer->socket, transfer->unsent_count > 0 ? CURL_WAIT_POLLOUT : 0, 0};
  int result = 0;
  if (multi) {
    result = rw_curl.curl_multi_poll(multi, sockets, (unsigned)count, 1 << 30, NULL);
  } else {
    // Without libcurl, answers are short.
    struct pollfd waiting = {control, POLLIN, 0};
    poll(&waiting, 1, -1);
  }
  free(sockets);
  return result == 0;
}

void rw_curl_serve(int control, const char *agent, const char *unavailable) {
  if (!unavailable && !(multi = rw_curl.curl_multi_init())) unavailable = "libcurl can't be initialized";
  while (wait_for_any(control)) {
    int more;
    while ((more = take_request(control, agent, unavailable)) > 0) {}
    if (more < 0) return;
    look_at_readers();
    if (multi) {
      int running;
      rw_curl.curl_multi_perform(multi, &running);
      collect_ends();
    }
    free_ended();
  }
}
