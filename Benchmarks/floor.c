/* The minimum cost of exact images: floor FILE FOLDER STREAM WIDTH HEIGHT < PLAN
 *
 * Each line of the plan is "key target number": the presentation times of a sync sample and of a frame
 * in its group, and the number of the file to write. Lines are in the order of the keys, and frames with
 * the same key are decoded in one pass. Two threads take the groups, each with its own demuxer and
 * single-threaded decoder. Frames that no other refers to are skipped unless they are
 * wanted, and decoding stops after the last wanted one. The necessary checks of an engine are
 * omitted: index, damage, colour. That is why it is a floor.
 */

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 2
#define MOST 4096

typedef struct {
  int64_t key, target;
  int number;
} Line;

static Line plan[MOST];
static int lines, starts[MOST], groups;
static const char *file, *folder;
static int stream, width, height;
static atomic_int next_group;

static void check(int result, const char *what) {
  if (result >= 0) return;
  fprintf(stderr, "%s: %s\n", what, av_err2str(result));
  exit(1);
}

typedef struct {
  AVFormatContext *input;
  AVCodecContext *decoder, *encoder;
  struct SwsContext *scaler;
  AVPacket *packet;
  AVFrame *frame, *picture;
} Worker;

static void open_worker(Worker *w) {
  check(avformat_open_input(&w->input, file, NULL, NULL), "open");
  for (unsigned i = 0; i < w->input->nb_streams; i++)
    if ((int)i != stream) w->input->streams[i]->discard = AVDISCARD_ALL;
  AVCodecParameters *parameters = w->input->streams[stream]->codecpar;
  const AVCodec *codec = avcodec_find_decoder(parameters->codec_id);
  w->decoder = avcodec_alloc_context3(codec);
  check(avcodec_parameters_to_context(w->decoder, parameters), "parameters");
  w->decoder->thread_count = 1;
  w->decoder->pkt_timebase = w->input->streams[stream]->time_base;
  check(avcodec_open2(w->decoder, codec, NULL), "decoder");
  codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG);
  w->encoder = avcodec_alloc_context3(codec);
  w->encoder->width = width;
  w->encoder->height = height;
  w->encoder->pix_fmt = AV_PIX_FMT_YUVJ420P;
  w->encoder->color_range = AVCOL_RANGE_JPEG;
  w->encoder->time_base = (AVRational){1, 25};
  w->encoder->flags |= AV_CODEC_FLAG_QSCALE;
  w->encoder->global_quality = 3 * FF_QP2LAMBDA;
  w->encoder->thread_count = 1;
  check(avcodec_open2(w->encoder, codec, NULL), "encoder");
  w->packet = av_packet_alloc();
  w->frame = av_frame_alloc();
  w->picture = av_frame_alloc();
  w->picture->format = AV_PIX_FMT_YUVJ420P;
  w->picture->width = width;
  w->picture->height = height;
  w->picture->quality = w->encoder->global_quality;
  check(av_frame_get_buffer(w->picture, 0), "picture");
}

static void write_picture(Worker *w, int number) {
  AVFrame *from = w->frame;
  if (!w->scaler) {
    w->scaler = sws_getContext(from->width, from->height, from->format, width, height,
                               AV_PIX_FMT_YUVJ420P,
                               SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, NULL, NULL, NULL);
    const int *bt709 = sws_getCoefficients(SWS_CS_ITU709), *bt601 = sws_getCoefficients(SWS_CS_ITU601);
    sws_setColorspaceDetails(w->scaler, bt709, 0, bt601, 1, 0, 1 << 16, 1 << 16);
  }
  check(av_frame_make_writable(w->picture), "picture");
  sws_scale(w->scaler, (const uint8_t *const *)from->data, from->linesize, 0, from->height,
            w->picture->data, w->picture->linesize);
  check(avcodec_send_frame(w->encoder, w->picture), "encode");
  AVPacket *made = av_packet_alloc();
  check(avcodec_receive_packet(w->encoder, made), "encode");
  char path[4096];
  snprintf(path, sizeof path, "%s/%03d.jpg", folder, number);
  FILE *output = fopen(path, "wb");
  if (!output || fwrite(made->data, 1, made->size, output) != (size_t)made->size || fclose(output)) {
    perror(path);
    exit(1);
  }
  av_packet_free(&made);
}

/* Reads the decoder's frames, and returns the number of wanted ones among them. */
static int receive(Worker *w, const Line *first, int count) {
  int found = 0;
  while (avcodec_receive_frame(w->decoder, w->frame) >= 0)
    for (int i = 0; i < count; i++)
      if (w->frame->pts == first[i].target) {
        write_picture(w, first[i].number);
        found++;
      }
  return found;
}

static void do_group(Worker *w, const Line *first, int count) {
  int sent = 0, found = 0, has_begun = 0;
  avcodec_flush_buffers(w->decoder);
  check(av_seek_frame(w->input, stream, first->key, AVSEEK_FLAG_BACKWARD), "seek");
  while (sent < count) {
    check(av_read_frame(w->input, w->packet), "read");
    if (w->packet->stream_index == stream) {
      has_begun = has_begun || w->packet->pts == first->key;
      int is_wanted = 0;
      for (int i = 0; i < count; i++) is_wanted += w->packet->pts == first[i].target;
      if (has_begun) {
        sent += is_wanted;
        w->decoder->skip_frame = is_wanted ? AVDISCARD_DEFAULT : AVDISCARD_NONREF;
        check(avcodec_send_packet(w->decoder, w->packet), "decode");
        found += receive(w, first, count);
      }
    }
    av_packet_unref(w->packet);
  }
  check(avcodec_send_packet(w->decoder, NULL), "drain");
  found += receive(w, first, count);
  if (found != count) {
    fprintf(stderr, "%d of %d frames after %lld\n", found, count, (long long)first->key);
    exit(1);
  }
}

static void *run(void *unused) {
  Worker worker = {0};
  int group;
  (void)unused;
  while ((group = atomic_fetch_add(&next_group, 1)) < groups) {
    if (!worker.input) open_worker(&worker);
    do_group(&worker, plan + starts[group], starts[group + 1] - starts[group]);
  }
  return NULL;
}

int main(int count, char **arguments) {
  if (count != 6) return 2;
  file = arguments[1];
  folder = arguments[2];
  stream = atoi(arguments[3]);
  width = atoi(arguments[4]);
  height = atoi(arguments[5]);
  long long key, target;
  int number;
  while (lines < MOST && scanf("%lld %lld %d", &key, &target, &number) == 3) {
    if (!lines || plan[lines - 1].key != key) starts[groups++] = lines;
    plan[lines++] = (Line){key, target, number};
  }
  starts[groups] = lines;
  av_log_set_level(AV_LOG_ERROR);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
