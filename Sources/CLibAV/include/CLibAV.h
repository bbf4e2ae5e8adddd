// The parts of libav* that Swift can't import, and the differences between FFmpeg 5.1 and 8. No
// logic lives here: each entry has the reason why it can't be written in Swift.
#pragma once

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/base64.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/crc.h>
#include <libavutil/murmur3.h>
#include <libavutil/sha.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <libavutil/tx.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <stdbool.h>
#include <stdint.h>

#if LIBAVCODEC_VERSION_INT < AV_VERSION_INT(59, 37, 100)
#error "Reelwire needs FFmpeg 5.1 or newer (libavcodec 59.37)"
#endif

// Macros with casts or function-like macros: Swift imports neither.
static const int64_t rw_no_timestamp = AV_NOPTS_VALUE;
static const int rw_error_eof = AVERROR_EOF;
static const int rw_error_exit = AVERROR_EXIT;
static const int rw_error_invalid_data = AVERROR_INVALIDDATA;
static const int rw_error_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
static const int rw_error_encoder_not_found = AVERROR_ENCODER_NOT_FOUND;
static const int rw_error_demuxer_not_found = AVERROR_DEMUXER_NOT_FOUND;
static const int rw_error_muxer_not_found = AVERROR_MUXER_NOT_FOUND;
static const int rw_error_patch_welcome = AVERROR_PATCHWELCOME;
static const int rw_error_bug = AVERROR_BUG;
static const int rw_error_unknown = AVERROR_UNKNOWN;
static inline int rw_error_from_errno(int number) { return AVERROR(number); }

// The majors this was compiled against (LIBAV*_VERSION_MAJOR are macros built from macros).
static const unsigned rw_compiled_avcodec_major = LIBAVCODEC_VERSION_MAJOR;
static const unsigned rw_compiled_avformat_major = LIBAVFORMAT_VERSION_MAJOR;
static const unsigned rw_compiled_avutil_major = LIBAVUTIL_VERSION_MAJOR;

// The Matroska muxer writes a display matrix (ProjectionPoseRoll) from FFmpeg 6.1 on.
static const bool rw_matroska_supports_display_matrix =
    LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 16, 100);
// It adds a codec's delay to the time stamps, as it writes the delay (CodecDelay), from FFmpeg 6.0 on.
static const bool rw_matroska_adds_codec_delay =
    LIBAVFORMAT_VERSION_INT > AV_VERSION_INT(59, 30, 100);

// MARK: - Log (the callback takes a va_list; it may run on any codec thread)

enum { RW_LOG_TEXT = 400, RW_LOG_THREAD_LINES = 5 };
typedef struct rw_log_line {
  int level;
  char text[RW_LOG_TEXT];
} rw_log_line;

// Installs the callback. libav never prints anything on its own after this.
void rw_log_install(void);
// Lines up to this level (AV_LOG_*) go to the shared ring; AV_LOG_QUIET switches the ring off.
void rw_log_set_level(int level);
// A warning of another library, as libav would log it: av_log is variadic.
void rw_log_warning(const char *line);
// While true, libav's messages on this thread are dropped.
void rw_log_mute_thread(bool is_muted);
// Removes the oldest line and writes it to `line`; false when there is none. `dropped` counts lines
// lost since the last call.
bool rw_log_take(rw_log_line *line, unsigned *dropped);
// A descriptor (eventfd) that becomes readable when lines wait in the ring.
int rw_log_event_fd(void);
// Warnings and errors of the calling thread since the last reset, oldest first, for error messages.
void rw_log_thread_reset(void);
int rw_log_thread_count(void);
const char *rw_log_thread_line(int index);

// Opens a decoder, and counts the damage that it logs, its jobs that fail, and the pictures of HEVC of which a part
// wasn't decoded, on any of its threads: frames that refer to a damaged one aren't marked, and frames that are made up
// differ from decoder to decoder.
int rw_decoder_open(AVCodecContext *context, const AVCodec *codec);
// As avcodec_receive_frame and avcodec_flush_buffers.
int rw_decoder_receive(AVCodecContext *context, AVFrame *frame);
void rw_decoder_flush(AVCodecContext *context);
// The damage. Missing reference frames are counted separately: they may lie before the position at which
// decoding began.
int rw_decoder_complaints(const AVCodecContext *context, bool of_references);
// Frees a decoder that may be open.
void rw_decoder_free(AVCodecContext **context);

// MARK: - Input and output through callbacks of our own

typedef int (*rw_io_read)(void *opaque, uint8_t *buffer, int size);
// `const` since libavformat 61, without before: one type for Swift.
typedef int (*rw_io_write)(void *opaque, const uint8_t *buffer, int size);
typedef int64_t (*rw_io_seek)(void *opaque, int64_t offset, int whence);
AVIOContext *rw_io_alloc(int buffer_size, void *opaque, rw_io_read read, rw_io_write write,
                         rw_io_seek seek);
void rw_io_free(AVIOContext *io);
// A demuxer or muxer with this never opens a second resource that its file refers to. (A function
// pointer with a `**` argument and an options dictionary: shorter in C.)
void rw_format_deny_nested_io(AVFormatContext *context);

// MARK: - Fields and functions that differ between versions

int64_t rw_frame_duration(const AVFrame *frame);
// 0 for a progressive frame, 1 for two fields with the top one first, 2 with the bottom one first:
// fields of AVFrame before 6.1, flags after.
int rw_frame_fields(const AVFrame *frame);
// Marks a frame as progressive: no fields, and none that is repeated.
void rw_frame_set_progressive(AVFrame *frame);
// The alpha mode, premultiplied or not: a field since 8.1. 0 unknown, 1 premultiplied, 2 straight,
// as AVAlphaMode has it.
int rw_alpha_mode(const AVCodecParameters *parameters);
// Demuxers report the ambient viewing environment since 7.0 (type and struct are missing before):
// -1 if there is no such type. `values` are illuminance, x and y.
extern const int rw_side_data_ambient_viewing_environment;
bool rw_ambient_viewing_environment(const uint8_t *bytes, size_t size, AVRational values[3]);
// Stream side data moved to the codec parameters in 6.1.
const uint8_t *rw_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type,
                                   size_t *size);
int rw_stream_side_data_count(const AVStream *stream);
const uint8_t *rw_stream_side_data_at(const AVStream *stream, int index,
                                      enum AVPacketSideDataType *type, size_t *size);
int rw_stream_set_side_data(AVStream *stream, enum AVPacketSideDataType type, const uint8_t *bytes,
                            size_t size);
// The formats that an encoder supports: fields of AVCodec before 7.1, avcodec_get_supported_config
// after. The lists end as libav ends them (AV_PIX_FMT_NONE, AV_SAMPLE_FMT_NONE, 0); NULL means any.
const enum AVPixelFormat *rw_encoder_pixel_formats(const AVCodec *codec);
const enum AVSampleFormat *rw_encoder_sample_formats(const AVCodec *codec);
const int *rw_encoder_sample_rates(const AVCodec *codec);
// swr_convert's pointer constness changed in libswresample 4.14.
int rw_resample(struct SwrContext *context, uint8_t **out, int out_count, const uint8_t **in,
                int in_count);
// SwsContext is opaque before libswscale 8.10 and a public struct after: `void *` hides it.
// Both sides have the same size.
void *rw_scale_context(int width, int height, enum AVPixelFormat source_format, bool source_full,
                       enum AVPixelFormat format, bool full);
void rw_scale_free(void *context);
int rw_scale_set_colors(void *context, int source_matrix, bool source_full, int matrix, bool full);
int rw_scale(void *context, const uint8_t *const source[], const int source_stride[], int height,
             uint8_t *const target[], const int target_stride[]);

// Copies the left top part of a frame to a position in another one of its format (`data` and `comp`
// are arrays); false for formats whose pixels aren't whole bytes in memory.
bool rw_copy_tile(AVFrame *target, int x, int y, const AVFrame *source, int width, int height);

// The bytes of all buffers of a frame (`buf` is an array, which Swift would see as a tuple).
size_t rw_frame_memory(const AVFrame *frame);
