// Transfers of http and https by libcurl, which is opened when it is first used.
#pragma once

#include <stddef.h>

// Opens libcurl. Returns 0, with the reason in `error`, if it can't be opened.
int rw_curl_load(char *error, size_t size);
// The version of libcurl and of its TLS library, as libcurl states them. Only after it was opened.
const char *rw_curl_version(void);

// The kinds of frames in an answer. A frame is its kind in a byte, the length of its bytes as a 32-bit number, the highest byte
// first, and the bytes. The headers come first, one frame for each block of them, then the bytes. The end is the last frame.
enum {
  // A block of header lines as the server has sent it, with the empty line at its end.
  RW_FRAME_HEADERS = 1,
  // Some of the bytes of the resource.
  RW_FRAME_BYTES = 2,
  // A 32-bit number, libcurl's code of the failure (CURLcode), 0 for none, and a message.
  RW_FRAME_END = 3,
};

// The code of the end if libcurl can't be opened.
enum { RW_CURL_UNAVAILABLE = 0x7fffffff };

// The maximum number of bytes in a request, and in the frames of an answer.
enum { RW_MAXIMUM_REQUEST = 160 << 10, RW_MAXIMUM_FRAME = 1 << 20 };

// Answers requests until the other end of `control` is closed.
//
// A request is a packet of texts that each end with a zero byte: the URL, the range as in a header, "1" for a connection of
// its own, addresses as in CURLOPT_RESOLVE, and a header; the last two may be empty. A socket comes with it, which
// gets the answer. Closing its other end ends the transfer.
//
// `unavailable` is the reason for which all requests fail; NULL after libcurl was opened.
void rw_curl_serve(int control, const char *agent, const char *unavailable);
