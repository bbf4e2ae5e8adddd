#ifndef REELWIRE_DECODER_WATCH_H
#define REELWIRE_DECODER_WATCH_H

#include <stdbool.h>

// Counts an error that a decoder has logged; `context` is of libavcodec's class.
void rw_decoder_complain(void *context, bool of_references);

#endif
