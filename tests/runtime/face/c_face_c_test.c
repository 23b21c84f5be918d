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

static void the_encoding_plan_encodes(const xl_codec* codec) {
  fill_and_encode(codec);
  xl_plan* plan = NULL;
  REQUIRE(xl_plan_create_encoding(codec, &plan) == XL_OK);
  memset(stripe[3], 0xee, kChunkBytes);
  memset(stripe[4], 0xee, kChunkBytes);
  REQUIRE(xl_plan_run(plan, chunks, kChunkBytes) == XL_OK);
  REQUIRE(memcmp(stripe, original, sizeof stripe) == 0);
  xl_plan_destroy(plan);
}

static void a_repair_leaves_an_expensive_chunk_unread(const xl_codec* codec) {
  fill_and_encode(codec);
  const int erased[] = {1};
  const uint64_t read_costs[kLocations] = {100, 1, 1, 1, 1};
  const xl_repair repair = {
      .size = sizeof repair, .erased = erased, .num_erased = 1, .read_costs = read_costs};
  xl_plan* plan = NULL;
  REQUIRE(xl_plan_create_repair(codec, &repair, &plan) == XL_OK);
  const int* reads = NULL;
  int num_reads = 0;
  REQUIRE(xl_plan_reads(plan, &reads, &num_reads) == XL_OK);
  REQUIRE(num_reads == 3 && reads[0] == 2 && reads[1] == 3 && reads[2] == 4);
  const uint32_t* units = NULL;
  int num_units = 0;
  REQUIRE(xl_plan_units_read(plan, 2, &units, &num_units) == XL_OK);
  REQUIRE(num_units > 0 && units[0] < 3);
  chunks[0] = NULL;
  memset(stripe[1], 0, kChunkBytes);
  REQUIRE(xl_plan_run(plan, chunks, kChunkBytes) == XL_OK);
  REQUIRE(memcmp(stripe, original, sizeof stripe) == 0);
  xl_plan_destroy(plan);
}

static void the_sums_of_two_sites_rebuild_a_chunk(const xl_codec* codec) {
  fill_and_encode(codec);
  const int erased[] = {0};
  const int sites[kLocations] = {0, 0, 1, 1, 1};
  const xl_repair repair = {.size = sizeof repair, .erased = erased, .num_erased = 1};
  xl_split* split = NULL;
  REQUIRE(xl_split_create(codec, &repair, sites, &split) == XL_OK);
  int num_sites = 0;
  int home = -1;
  REQUIRE(xl_split_sites(split, &num_sites, &home) == XL_OK);
  REQUIRE(num_sites == 2 && home == 0);
  static uint8_t sums[2][kChunkBytes];
  const uint8_t* pointers[2] = {sums[0], sums[1]};
  for (int i = 0; i < num_sites; ++i) {
    xl_site site = {.size = sizeof site};
    REQUIRE(xl_split_site(split, i, &site) == XL_OK);
    uint8_t* there[kLocations] = {sums[i]};
    for (int l = 1; l < kLocations; ++l) there[l] = sites[l] == site.number ? stripe[l] : NULL;
    REQUIRE(xl_plan_run(site.plan, there, kChunkBytes) == XL_OK);
  }
  memset(stripe[0], 0xee, kChunkBytes);
  REQUIRE(xl_add_sums(pointers, num_sites, stripe[0], kChunkBytes) == XL_OK);
  REQUIRE(memcmp(stripe, original, sizeof stripe) == 0);
  xl_split_destroy(split);
}

static void info_writes_the_defaults_out(const xl_codec* codec) {
  xl_info info = {.size = sizeof info};
  REQUIRE(xl_codec_info(codec, &info) == XL_OK);
  REQUIRE(info.locations == 5 && info.data == 3 && info.rows == 3);
  REQUIRE(info.chunk_multiple == xl_codec_chunk_multiple(codec));
  REQUIRE(info.units == 3);
  REQUIRE(strcmp(info.code_memory, "none") == 0 || strcmp(info.code_memory, "sealed file") == 0 ||
          strcmp(info.code_memory, "own pages") == 0);
  REQUIRE(xl_round_up(codec, info.chunk_multiple + 1) == 2 * info.chunk_multiple);
  REQUIRE(strcmp(xl_version(), XORLOOM_VERSION) == 0);
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
  the_encoding_plan_encodes(codec);
  a_repair_leaves_an_expensive_chunk_unread(codec);
  the_sums_of_two_sites_rebuild_a_chunk(codec);
  info_writes_the_defaults_out(codec);
  too_many_losses_are_damage(codec);
  xl_codec_destroy(codec);
  puts("the C face works from C");
  return 0;
}
