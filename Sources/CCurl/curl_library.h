// The part of libcurl's interface that this target uses. libcurl's headers aren't needed: the numbers of its options never
// change (https://curl.se/libcurl/abi.html).
#pragma once

#include <stddef.h>

typedef void CURL;
typedef void CURLM;
struct curl_slist;

// curl/multi.h
typedef struct {
  int msg;
  CURL *easy_handle;
  union {
    void *whatever;
    int result;
  } data;
} CURLMsg;

struct curl_waitfd {
  int fd;
  short events;
  short revents;
};

enum { CURLMSG_DONE = 1, CURL_WAIT_POLLIN = 1, CURL_WAIT_POLLOUT = 4 };

// curl/curl.h. The type of an option's value is in its number: a long below 10,000, a pointer to an object below 20,000,
// and then a pointer to a function.
enum {
  CURLOPT_WRITEDATA = 10001,
  CURLOPT_URL = 10002,
  CURLOPT_RANGE = 10007,
  CURLOPT_ERRORBUFFER = 10010,
  CURLOPT_USERAGENT = 10018,
  CURLOPT_HTTPHEADER = 10023,
  CURLOPT_HEADERDATA = 10029,
  CURLOPT_CAINFO = 10065,
  CURLOPT_CAPATH = 10097,
  CURLOPT_RESOLVE = 10203,
  CURLOPT_PROXY_CAINFO = 10246,
  CURLOPT_PROXY_CAPATH = 10247,
  CURLOPT_WRITEFUNCTION = 20011,
  CURLOPT_HEADERFUNCTION = 20079,
  CURLOPT_FRESH_CONNECT = 74,
  CURLOPT_CONNECTTIMEOUT = 78,
  CURLOPT_NOSIGNAL = 99,
  CURLOPT_PROTOCOLS = 181,
  CURLOPT_PIPEWAIT = 237,
  CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
};
enum { CURLPROTO_HTTP = 1, CURLPROTO_HTTPS = 2 };
enum { CURL_GLOBAL_DEFAULT = 3, CURL_ERROR_SIZE = 256, CURLPAUSE_CONT = 0 };
enum { CURLE_FAILED_INIT = 2, CURLE_TOO_LARGE = 100 };
#define CURL_WRITEFUNC_PAUSE ((size_t)0x10000001)

// Each with its type: the result, and the parameters. curl_multi_poll is the newest of them (7.66, of 2019).
#define RW_CURL_FUNCTIONS(X) \
  X(int, curl_global_init, (long)) \
  X(char *, curl_version, (void)) \
  X(CURL *, curl_easy_init, (void)) \
  X(int, curl_easy_setopt, (CURL *, int, ...)) \
  X(int, curl_easy_pause, (CURL *, int)) \
  X(void, curl_easy_cleanup, (CURL *)) \
  X(const char *, curl_easy_strerror, (int)) \
  X(struct curl_slist *, curl_slist_append, (struct curl_slist *, const char *)) \
  X(void, curl_slist_free_all, (struct curl_slist *)) \
  X(CURLM *, curl_multi_init, (void)) \
  X(int, curl_multi_add_handle, (CURLM *, CURL *)) \
  X(int, curl_multi_remove_handle, (CURLM *, CURL *)) \
  X(int, curl_multi_perform, (CURLM *, int *)) \
  X(int, curl_multi_poll, (CURLM *, struct curl_waitfd *, unsigned, int, int *)) \
  X(CURLMsg *, curl_multi_info_read, (CURLM *, int *))

struct rw_curl_library {
#define RW_CURL_FIELD(result, name, parameters) result(*name) parameters;
  RW_CURL_FUNCTIONS(RW_CURL_FIELD)
};

extern struct rw_curl_library rw_curl;
