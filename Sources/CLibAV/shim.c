#define _GNU_SOURCE
#include "CLibAV.h"
#include "decoder_watch.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 3, 100)
#include <libavutil/ambient_viewing_environment.h>
#endif

// MARK: - Log

enum { RING = 256 };
static pthread_mutex_t ring_lock = PTHREAD_MUTEX_INITIALIZER;
static rw_log_line ring[RING];
static unsigned ring_start, ring_count, ring_dropped;
static int ring_event = -1;
static _Atomic int ring_level = AV_LOG_QUIET;

static _Thread_local char thread_lines[RW_LOG_THREAD_LINES][RW_LOG_TEXT];
static _Thread_local int thread_start, thread_count;
static _Thread_local bool thread_is_muted;

static void strip_line_end(char *text) {
  size_t length = strlen(text);
  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) text[--length] = 0;
}

static bool begins_with_any(const char *format, const char *const *beginnings) {
  for (; *beginnings; beginnings++)
    if (strncmp(format, *beginnings, strlen(*beginnings)) == 0) return true;
  return false;
}

// Messages that report no damage of frames: about discarding those from before the position at
// which decoding began, and about metadata.
static const char *const harmless[] = {
    "mmco: unref short failure", "Frame num gap", "Number of reference frames",
    "number of reference frames", "Reinit context",
    "mjpeg: error decoding EXIF data", "unable to decode APP fields", NULL};
// Messages of decoders that lack frames that others refer to.
static const char *const lacking[] = {
    "reference picture missing", "Missing reference picture", "co located POCs unavailable",
    "Could not find ref", "First slice in a frame missing", NULL};

static void count_complaint(void *context, int level, const char *format) {
  if (!context || level > AV_LOG_INFO || *(const AVClass **)context != avcodec_get_class()) return;
  // For libavcodec, a frame that is made up is no error.
  if (level > AV_LOG_ERROR && strncmp(format, "concealing", 10) != 0) return;
  if (begins_with_any(format, harmless)) return;
  rw_decoder_complain(context, begins_with_any(format, lacking));
}

static void log_callback(void *context, int level, const char *format, va_list arguments) {
  count_complaint(context, level, format);
  if (thread_is_muted || (level > AV_LOG_WARNING && level > ring_level)) return;
  char text[RW_LOG_TEXT];
  int prefix = 1;
  // av_log_format_line2 copes with a NULL item_name (8.x) where printing the class by hand doesn't.
  if (av_log_format_line2(context, level, format, arguments, text, sizeof text, &prefix) < 0) return;
  strip_line_end(text);
  if (text[0] == 0) return;

  if (level <= AV_LOG_WARNING) {
    int slot = (thread_start + thread_count) % RW_LOG_THREAD_LINES;
    memcpy(thread_lines[slot], text, sizeof text);
    if (thread_count < RW_LOG_THREAD_LINES)
      thread_count++;
    else
      thread_start = (thread_start + 1) % RW_LOG_THREAD_LINES;
  }
  if (level > ring_level) return;

  pthread_mutex_lock(&ring_lock);
  if (ring_count == RING) {
    ring_dropped++;
  } else {
    rw_log_line *line = &ring[(ring_start + ring_count++) % RING];
    line->level = level;
    memcpy(line->text, text, sizeof text);
  }
  pthread_mutex_unlock(&ring_lock);
  uint64_t one = 1;
  if (ring_event >= 0 && write(ring_event, &one, sizeof one) < 0) return;
}

void rw_log_install(void) {
  if (ring_event < 0) ring_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  av_log_set_callback(log_callback);
}

void rw_log_set_level(int level) { ring_level = level; }

void rw_log_warning(const char *line) { av_log(NULL, AV_LOG_WARNING, "%s\n", line); }

void rw_log_mute_thread(bool is_muted) { thread_is_muted = is_muted; }

int rw_log_event_fd(void) { return ring_event; }

bool rw_log_take(rw_log_line *line, unsigned *dropped) {
  bool found = false;
  pthread_mutex_lock(&ring_lock);
  *dropped = ring_dropped;
  ring_dropped = 0;
  if (ring_count > 0) {
    *line = ring[ring_start];
    ring_start = (ring_start + 1) % RING;
    ring_count--;
    found = true;
  }
  pthread_mutex_unlock(&ring_lock);
  return found;
}

void rw_log_thread_reset(void) { thread_start = thread_count = 0; }
int rw_log_thread_count(void) { return thread_count; }
const char *rw_log_thread_line(int index) {
  return thread_lines[(thread_start + index) % RW_LOG_THREAD_LINES];
}

// MARK: - Input and output

#if LIBAVFORMAT_VERSION_MAJOR < 61
typedef int (*native_write)(void *, uint8_t *, int);
#else
typedef int (*native_write)(void *, const uint8_t *, int);
#endif

AVIOContext *rw_io_alloc(int buffer_size, void *opaque, rw_io_read read, rw_io_write write,
                         rw_io_seek seek) {
  unsigned char *buffer = av_malloc(buffer_size);
  if (!buffer) return NULL;
  AVIOContext *io = avio_alloc_context(buffer, buffer_size, write != NULL, opaque, read,
                                       (native_write)write, seek);
  if (!io) av_free(buffer);
  return io;
}

void rw_io_free(AVIOContext *io) {
  if (!io) return;
  av_freep(&io->buffer);  // libav may have replaced its buffer
  avio_context_free(&io);
}

static int deny_io_open(AVFormatContext *context, AVIOContext **io, const char *url, int flags,
                        AVDictionary **options) {
  av_log(context, AV_LOG_ERROR, "a second resource was refused: %s\n", url ? url : "(none)");
  return AVERROR(EACCES);
}

void rw_format_deny_nested_io(AVFormatContext *context) { context->io_open = deny_io_open; }

// MARK: - Version differences

int64_t rw_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR < 58
  return frame->pkt_duration;
#else
  return frame->duration;
#endif
}

int rw_frame_fields(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT < AV_VERSION_INT(58, 7, 100)
  if (!frame->interlaced_frame)
    return 0;
  return frame->top_field_first ? 1 : 2;
#else
  if (!(frame->flags & AV_FRAME_FLAG_INTERLACED))
    return 0;
  return frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST ? 1 : 2;
#endif
}

void rw_frame_set_progressive(AVFrame *frame) {
  frame->repeat_pict = 0;
#if LIBAVUTIL_VERSION_INT < AV_VERSION_INT(58, 7, 100)
  frame->interlaced_frame = frame->top_field_first = 0;
#else
  frame->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
#endif
}

int rw_alpha_mode(const AVCodecParameters *parameters) {
#if LIBAVCODEC_VERSION_INT < AV_VERSION_INT(62, 15, 100)
  (void)parameters;
  return 0;
#else
  return (int)parameters->alpha_mode;
#endif
}

#if LIBAVCODEC_VERSION_INT < AV_VERSION_INT(61, 3, 100)
const int rw_side_data_ambient_viewing_environment = -1;
bool rw_ambient_viewing_environment(const uint8_t *bytes, size_t size, AVRational values[3]) {
  (void)bytes, (void)size, (void)values;
  return false;
}
#else
const int rw_side_data_ambient_viewing_environment = AV_PKT_DATA_AMBIENT_VIEWING_ENVIRONMENT;
bool rw_ambient_viewing_environment(const uint8_t *bytes, size_t size, AVRational values[3]) {
  AVAmbientViewingEnvironment environment;
  if (size < sizeof environment) return false;
  memcpy(&environment, bytes, sizeof environment);
  values[0] = environment.ambient_illuminance;
  values[1] = environment.ambient_light_x;
  values[2] = environment.ambient_light_y;
  return true;
}
#endif

#if LIBAVCODEC_VERSION_INT < AV_VERSION_INT(60, 31, 100)
const uint8_t *rw_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type,
                                   size_t *size) {
  return av_stream_get_side_data(stream, type, size);
}

int rw_stream_set_side_data(AVStream *stream, enum AVPacketSideDataType type, const uint8_t *bytes,
                            size_t size) {
  uint8_t *data = av_stream_new_side_data(stream, type, size);
  if (!data) return AVERROR(ENOMEM);
  memcpy(data, bytes, size);
  return 0;
}

int rw_stream_side_data_count(const AVStream *stream) { return stream->nb_side_data; }

const uint8_t *rw_stream_side_data_at(const AVStream *stream, int index,
                                      enum AVPacketSideDataType *type, size_t *size) {
  *type = stream->side_data[index].type;
  *size = stream->side_data[index].size;
  return stream->side_data[index].data;
}
#else
const uint8_t *rw_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type,
                                   size_t *size) {
  const AVPacketSideData *data = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  if (size) *size = data ? data->size : 0;
  return data ? data->data : NULL;
}

int rw_stream_set_side_data(AVStream *stream, enum AVPacketSideDataType type, const uint8_t *bytes,
                            size_t size) {
  AVPacketSideData *data =
      av_packet_side_data_new(&stream->codecpar->coded_side_data,
                              &stream->codecpar->nb_coded_side_data, type, size, 0);
  if (!data) return AVERROR(ENOMEM);
  memcpy(data->data, bytes, size);
  return 0;
}

int rw_stream_side_data_count(const AVStream *stream) {
  return stream->codecpar->nb_coded_side_data;
}

const uint8_t *rw_stream_side_data_at(const AVStream *stream, int index,
                                      enum AVPacketSideDataType *type, size_t *size) {
  const AVPacketSideData *data = &stream->codecpar->coded_side_data[index];
  *type = data->type;
  *size = data->size;
  return data->data;
}
#endif

#if LIBAVCODEC_VERSION_INT < AV_VERSION_INT(61, 13, 100)
const enum AVPixelFormat *rw_encoder_pixel_formats(const AVCodec *codec) { return codec->pix_fmts; }
const enum AVSampleFormat *rw_encoder_sample_formats(const AVCodec *codec) {
  return codec->sample_fmts;
}
const int *rw_encoder_sample_rates(const AVCodec *codec) { return codec->supported_samplerates; }
#else
static const void *supported(const AVCodec *codec, enum AVCodecConfig config) {
  const void *list = NULL;
  int count = 0;
  avcodec_get_supported_config(NULL, codec, config, 0, &list, &count);
  return list;
}
const enum AVPixelFormat *rw_encoder_pixel_formats(const AVCodec *codec) {
  return supported(codec, AV_CODEC_CONFIG_PIX_FORMAT);
}
const enum AVSampleFormat *rw_encoder_sample_formats(const AVCodec *codec) {
  return supported(codec, AV_CODEC_CONFIG_SAMPLE_FORMAT);
}
const int *rw_encoder_sample_rates(const AVCodec *codec) {
  return supported(codec, AV_CODEC_CONFIG_SAMPLE_RATE);
}
#endif

int rw_resample(struct SwrContext *context, uint8_t **out, int out_count, const uint8_t **in,
                int in_count) {
#if LIBSWRESAMPLE_VERSION_INT < AV_VERSION_INT(4, 14, 100)
  return swr_convert(context, out, out_count, in, in_count);
#else
  return swr_convert(context, (uint8_t *const *)out, out_count, (const uint8_t *const *)in,
                     in_count);
#endif
}

// The ranges have to be known when the context is set up: between equal formats it would else be a
// plain copy, which later calls don't change back.
void *rw_scale_context(int width, int height, enum AVPixelFormat source_format, bool source_full,
                       enum AVPixelFormat format, bool full) {
  struct SwsContext *context = sws_alloc_context();
  if (!context) return NULL;
  av_opt_set_int(context, "srcw", width, 0);
  av_opt_set_int(context, "srch", height, 0);
  av_opt_set_int(context, "src_format", source_format, 0);
  av_opt_set_int(context, "src_range", source_full, 0);
  av_opt_set_int(context, "dstw", width, 0);
  av_opt_set_int(context, "dsth", height, 0);
  av_opt_set_int(context, "dst_format", format, 0);
  av_opt_set_int(context, "dst_range", full, 0);
  // Without accurate rounding swscale takes short cuts that are off by several levels.
  int exact = SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;
  av_opt_set_int(context, "sws_flags", SWS_BICUBIC | exact, 0);
  if (sws_init_context(context, NULL, NULL) >= 0) return context;
  sws_freeContext(context);
  return NULL;
}

void rw_scale_free(void *context) { sws_freeContext(context); }

int rw_scale_set_colors(void *context, int source_matrix, bool source_full, int matrix, bool full) {
  return sws_setColorspaceDetails(context, sws_getCoefficients(source_matrix), source_full,
                                  sws_getCoefficients(matrix), full, 0, 1 << 16, 1 << 16);
}

int rw_scale(void *context, const uint8_t *const source[], const int source_stride[], int height,
             uint8_t *const target[], const int target_stride[]) {
  return sws_scale(context, source, source_stride, 0, height, target, target_stride);
}

// MARK: - Frames

bool rw_copy_tile(AVFrame *target, int x, int y, const AVFrame *source, int width, int height) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(source->format);
    const uint64_t unusable =
        AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_PAL;
    if (!format || format->flags & unusable) return false;
    const int planes = av_pix_fmt_count_planes(source->format);
    for (int plane = 0; plane < planes; plane++) {
        int step = 0;
        for (int part = 0; part < format->nb_components; part++)
            if (format->comp[part].plane == plane && format->comp[part].step > step)
                step = format->comp[part].step;
        const bool is_chroma = (plane == 1 || plane == 2) && !(format->flags & AV_PIX_FMT_FLAG_RGB);
        const int across = is_chroma ? format->log2_chroma_w : 0;
        const int down = is_chroma ? format->log2_chroma_h : 0;
        uint8_t *place = target->data[plane] + (ptrdiff_t)(y >> down) * target->linesize[plane]
            + (ptrdiff_t)(x >> across) * step;
        av_image_copy_plane(place, target->linesize[plane], source->data[plane],
                            source->linesize[plane], AV_CEIL_RSHIFT(width, across) * step,
                            AV_CEIL_RSHIFT(height, down));
    }
    return true;
}

size_t rw_frame_memory(const AVFrame *frame) {
  size_t sum = 0;
  for (int i = 0; i < AV_NUM_DATA_POINTERS; i++) sum += frame->buf[i] ? frame->buf[i]->size : 0;
  for (int i = 0; i < frame->nb_extended_buf; i++) sum += frame->extended_buf[i]->size;
  return sum;
}
