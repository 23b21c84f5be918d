/* The C face as a C11 compiler sees it: what a C program can do wrong, and right. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xorloom/xorloom.h"

#define REQUIRE(condition)                                            \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      fprintf(stderr, "the last error is \"%s\"\n", xl_last_error()); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

enum { kLocations = 5, kChunkBytes = 4 * 3 * 64 };

static uint8_t stripe[kLocations][kChunkBytes];
static uint8_t original[kLocations][kChunkBytes];
static uint8_t* chunks[kLocations];

static void fill_and_encode(const xl_codec* codec) {
  unsigned state = 1;
  for (size_t i = 0; i < kLocations; ++i) {
    chunks[i] = stripe[i];
    for (size_t j = 0; j < kChunkBytes; ++j) {
      state = state * 1103515245U + 12345U;
      stripe[i][j] = (uint8_t)(state >> 16);
    }
  }
  REQUIRE(xl_encode(codec, chunks, kChunkBytes) == XL_OK);
  memcpy(original, stripe, sizeof stripe);
}

static void what_is_encoded_can_be_decoded(const xl_codec* codec) {
  fill_and_encode(codec);
  const int erased[] = {1, 4};
  memset(stripe[1], 0xee, kChunkBytes);
  memset(stripe[4], 0xee, kChunkBytes);
  REQUIRE(xl_decode(codec, chunks, erased, 2, kChunkBytes) == XL_OK);
  REQUIRE(memcmp(stripe, original, sizeof stripe) == 0);
}

static void a_plan_rebuilds_the_wanted_chunk_alone(const xl_codec* codec) {
  fill_and_encode(codec);
  const int erased[] = {0, 2};
  const int wanted[] = {2};
  xl_plan* plan = NULL;
  REQUIRE(xl_plan_create(codec, erased, 2, wanted, 1, &plan) == XL_OK);
  memset(stripe[2], 0, kChunkBytes);
  chunks[0] = NULL;
  REQUIRE(xl_plan_run(plan, chunks, kChunkBytes) == XL_OK);
  REQUIRE(memcmp(stripe, original, sizeof stripe) == 0);
  chunks[1] = NULL;
  REQUIRE(xl_plan_run(plan, chunks, kChunkBytes) == XL_INVALID_ARGUMENT);
  xl_plan_destroy(plan);
}

static void info_writes_the_defaults_out(const xl_codec* codec) {
  xl_info info = {.size = sizeof info};
  REQUIRE(xl_codec_info(codec, &info) == XL_OK);
  REQUIRE(info.locations == 5 && info.data == 3 && info.rows == 3);
  REQUIRE(info.chunk_multiple == xl_codec_chunk_multiple(codec));
  REQUIRE(strstr(info.spec, "packet_bytes=64") != NULL);
}

static void too_many_losses_are_damage(const xl_codec* codec) {
  const int erased[] = {0, 1, 2};
  xl_plan* plan = NULL;
  REQUIRE(xl_plan_create(codec, erased, 3, NULL, 0, &plan) == XL_DAMAGED);
  REQUIRE(plan == NULL);
  REQUIRE(strstr(xl_last_error(), "{0, 1, 2}") != NULL);
}

int main(void) {
  const xl_options options = {.size = sizeof options, .threads = 2, .executor = "graph"};
  xl_codec* codec = NULL;
  REQUIRE(xl_codec_create("cauchy:k=3,m=2,w=3", &options, &codec) == XL_OK);
  what_is_encoded_can_be_decoded(codec);
  a_plan_rebuilds_the_wanted_chunk_alone(codec);
  info_writes_the_defaults_out(codec);
  too_many_losses_are_damage(codec);
  xl_codec_destroy(codec);
  puts("the C face works from C");
  return 0;
}
