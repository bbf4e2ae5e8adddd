#include "decoder_watch.h"
#include "CLibAV.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

// Finds damage that libavcodec doesn't report: jobs that fail and whose results the decoder ignores, and pictures of
// HEVC of which a part was never decoded.

typedef int slice_job(AVCodecContext *, void *);
typedef int row_job(AVCodecContext *, void *, int, int);

// More than the pictures that a decoder of HEVC refers to (16), and those of its threads.
enum { PICTURES = 64 };

// A picture whose memory was marked before it was decoded.
typedef struct {
  AVBufferRef *buffer;
  const uint8_t *samples;
  int stride, width, height, depth, unit;
} marked_picture;

// The `opaque` of a watched decoder. Each of its threads has a context of its own that shares it.
typedef struct {
  atomic_int counts[2];
  // libavcodec's, for one thread or for slice threads.
  int (*execute)(AVCodecContext *, slice_job *, void *, int *, int, int);
  int (*execute2)(AVCodecContext *, row_job *, void *, int *, int);
  // The pictures in decoding order that haven't been looked at, of HEVC.
  pthread_mutex_t lock;
  marked_picture pictures[PICTURES];
  int picture_count;
} decoder_watch;

void rw_decoder_complain(void *context, bool of_references) {
  decoder_watch *watch = ((AVCodecContext *)context)->opaque;
  if (watch) atomic_fetch_add(&watch->counts[of_references], 1);
}

// MARK: - Jobs that failed

// Counts the jobs that failed, of which some decoders ignore the results: those of VP8 end at the damage, and the rest
// of the frame is that of an earlier one in the same memory.
static int count_failures(AVCodecContext *context, int result, int *results, int *own, int count) {
  if (own) {
    bool has_failed = false;
    for (int job = 0; job < count; job++) has_failed = has_failed || own[job] < 0;
    if (has_failed) rw_decoder_complain(context, false);
  }
  if (own != results) free(own);
  return result;
}

static int watched_execute(
    AVCodecContext *context, slice_job *job, void *argument, int *results, int count, int size) {
  decoder_watch *watch = context->opaque;
  int *own = results ? results : calloc(count > 0 ? count : 1, sizeof(int));
  int result = watch->execute(context, job, argument, own, count, size);
  return count_failures(context, result, results, own, count);
}

static int watched_execute2(
    AVCodecContext *context, row_job *job, void *argument, int *results, int count) {
  decoder_watch *watch = context->opaque;
  int *own = results ? results : calloc(count > 0 ? count : 1, sizeof(int));
  int result = watch->execute2(context, job, argument, own, count);
  return count_failures(context, result, results, own, count);
}

// Puts the counting of jobs in front of the functions that the context has.
static void watch_jobs(AVCodecContext *context) {
  decoder_watch *watch = context->opaque;
  if (context->execute != watched_execute) watch->execute = context->execute;
  if (context->execute2 != watched_execute2) watch->execute2 = context->execute2;
  context->execute = watched_execute;
  context->execute2 = watched_execute2;
}

// MARK: - Pictures of which a part wasn't decoded
//
// A damaged slice of HEVC may end early without an error, and the rest of the picture is that of an earlier one in the
// same memory. So four samples in the middle of two 8 × 8 blocks are given values before a picture is decoded, in each
// unit that a slice may end with. Where they are there afterwards, the unit wasn't decoded. Units are of 16 × 16 in small
// pictures, the minimum of the syntax, and of 32 × 32 in others, a quarter of the work: a single smaller one that is
// missing there may not be found, but encoders make blocks of 32 and 64 of large pictures.
// The deblocking filter leaves these four alone (Rec. ITU-T H.265, 8.7.2: it changes up to three samples on each side
// of the edges of 8 × 8 blocks); the sample adaptive offset may move them by what its syntax allows (7.4.9.3.2).

enum { BLOCK = 8, MIDDLE = 3, SMALL = 640 * 480 };
// Of 8 bits. Neighbours differ more than in pictures.
static const int marks[2][4] = {{58, 183, 201, 43}, {187, 61, 38, 204}};

// The sample at `column` of `row` in the first plane.
static int sample_at(const marked_picture *picture, int column, int row) {
  const uint8_t *line = picture->samples + (ptrdiff_t)row * picture->stride;
  return picture->depth > 8 ? ((const uint16_t *)line)[column] : line[column];
}

// Runs `body` for each of the four samples of the block at `x` and `y`, with its `column`, `row` and `mark`.
#define EACH_SAMPLE(x, y, body)                                                 \
  for (int index = 0; index < 4; index++) {                                     \
    int column = (x) + MIDDLE + index % 2, row = (y) + MIDDLE + index / 2;      \
    int mark = marks[(x) / BLOCK % 2][index] << (picture->depth - 8);           \
    body                                                                        \
  }

static void mark_block(const marked_picture *picture, int x, int y) {
  EACH_SAMPLE(x, y, {
    uint8_t *line = (uint8_t *)picture->samples + (ptrdiff_t)row * picture->stride;
    if (picture->depth > 8)
      ((uint16_t *)line)[column] = (uint16_t)mark;
    else
      line[column] = (uint8_t)mark;
  })
}

static bool has_marks(const marked_picture *picture, int x, int y, int tolerance) {
  bool is_marked = true;
  EACH_SAMPLE(x, y, {
    int difference = sample_at(picture, column, row) - mark;
    is_marked = is_marked && difference <= tolerance && difference >= -tolerance;
  })
  return is_marked;
}

static void mark_picture(const marked_picture *picture) {
  for (int y = 0; y + BLOCK <= picture->height; y += picture->unit) {
    for (int x = 0; x + BLOCK <= picture->width; x += picture->unit) {
      mark_block(picture, x, y);
      if (x + 2 * BLOCK <= picture->width) mark_block(picture, x + BLOCK, y);
    }
  }
}

static bool is_whole(const marked_picture *picture) {
  int offset_bits = (picture->depth < 10 ? picture->depth : 10) - 5;
  int tolerance = ((1 << offset_bits) - 1) << (picture->depth - 5 - offset_bits);
  for (int y = 0; y + BLOCK <= picture->height; y += picture->unit) {
    for (int x = 0; x + BLOCK <= picture->width; x += picture->unit) {
      // Four samples are too few for a tolerance: noise may have their values.
      bool is_pair = x + 2 * BLOCK <= picture->width;
      if (has_marks(picture, x, y, is_pair ? tolerance : 0) &&
          (!is_pair || has_marks(picture, x + BLOCK, y, tolerance)))
        return false;
    }
  }
  return true;
}

// Counts damage for the first `count` pictures in decoding order that have a part which wasn't decoded, and removes these
// pictures from the list.
static void look_at(AVCodecContext *context, int count) {
  decoder_watch *watch = context->opaque;
  for (int index = 0; index < count; index++) {
    if (!is_whole(&watch->pictures[index])) rw_decoder_complain(context, false);
    av_buffer_unref(&watch->pictures[index].buffer);
  }
  watch->picture_count -= count;
  for (int index = 0; index < watch->picture_count; index++)
    watch->pictures[index] = watch->pictures[index + count];
}

static int marked_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
  int result = avcodec_default_get_buffer2(context, frame, flags);
  const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
  if (result < 0 || !format || format->comp[0].depth < 8) return result;
  decoder_watch *watch = context->opaque;
  pthread_mutex_lock(&watch->lock);
  // A decoder that returns no frames: the first picture was decoded long before the latest one begins.
  if (watch->picture_count == PICTURES) look_at(context, 1);
  marked_picture *picture = &watch->pictures[watch->picture_count];
  *picture = (marked_picture){
      .buffer = av_buffer_ref(frame->buf[0]),
      .samples = frame->data[0],
      .stride = frame->linesize[0],
      .width = frame->width,
      .height = frame->height,
      .depth = format->comp[0].depth,
      .unit = frame->width * frame->height <= SMALL ? 16 : 32};
  if (picture->buffer) {
    mark_picture(picture);
    watch->picture_count++;
  }
  pthread_mutex_unlock(&watch->lock);
  return result;
}

static void forget_pictures(decoder_watch *watch) {
  while (watch->picture_count > 0) av_buffer_unref(&watch->pictures[--watch->picture_count].buffer);
}

int rw_decoder_receive(AVCodecContext *context, AVFrame *frame) {
  int result = avcodec_receive_frame(context, frame);
  decoder_watch *watch = context->opaque;
  if (result < 0 || !frame->buf[0] || context->codec_id != AV_CODEC_ID_HEVC) return result;
  pthread_mutex_lock(&watch->lock);
  for (int index = watch->picture_count - 1; index >= 0; index--) {
    if (watch->pictures[index].buffer->buffer != frame->buf[0]->buffer) continue;
    // A picture is returned once it is decoded, and so are those before it, to which it may refer.
    look_at(context, index + 1);
    break;
  }
  pthread_mutex_unlock(&watch->lock);
  return result;
}

void rw_decoder_flush(AVCodecContext *context) {
  avcodec_flush_buffers(context);
  forget_pictures(context->opaque);
}

// MARK: - Life of a decoder

int rw_decoder_open(AVCodecContext *context, const AVCodec *codec) {
  decoder_watch *watch = calloc(1, sizeof(decoder_watch));
  if (!watch) return AVERROR(ENOMEM);
  pthread_mutex_init(&watch->lock, NULL);
  context->opaque = watch;
  if (context->codec_id == AV_CODEC_ID_HEVC) {
    context->get_buffer2 = marked_buffer;
#if FF_API_THREAD_SAFE_CALLBACKS
    AV_NOWARN_DEPRECATED(context->thread_safe_callbacks = 1;)
#endif
  }
  // Frame threads copy these functions while the decoder is opened; slice threads replace them.
  watch_jobs(context);
  int result = avcodec_open2(context, codec, NULL);
  if (result >= 0) watch_jobs(context);
  return result;
}

int rw_decoder_complaints(const AVCodecContext *context, bool of_references) {
  decoder_watch *watch = context->opaque;
  return watch ? atomic_load(&watch->counts[of_references]) : 0;
}

void rw_decoder_free(AVCodecContext **context) {
  decoder_watch *watch = *context ? (*context)->opaque : NULL;
  avcodec_free_context(context);
  if (!watch) return;
  forget_pictures(watch);
  pthread_mutex_destroy(&watch->lock);
  free(watch);
}
