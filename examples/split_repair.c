/* Rebuilds chunk 2 of fourteen chunks in three racks, as split_repair.cpp does. Each rack sums the
 * chunks that it has, so only one chunk goes from rack to rack where ten are read. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xorloom/xorloom.h>

enum { kLocations = 14, kData = 10, kRacks = 3, kLost = 2 };

static void check(int status) {
  if (status == XL_OK) return;
  fprintf(stderr, "%s: %s\n", xl_strerror(status), xl_last_error());
  exit(1);
}

static uint8_t* allocated(size_t bytes) {
  uint8_t* memory = malloc(bytes);
  if (memory == NULL) exit(1);
  return memory;
}

int main(void) {
  xl_codec* codec = NULL;
  check(xl_codec_create("rs:k=10,m=4", NULL, &codec));
  const size_t chunk_bytes = xl_round_up(codec, 100000);
  uint8_t* stripe = allocated(kLocations * chunk_bytes);
  uint8_t* chunks[kLocations];
  for (size_t i = 0; i < kLocations; ++i) chunks[i] = stripe + i * chunk_bytes;
  for (size_t i = 0; i < kData * chunk_bytes; ++i) stripe[i] = (uint8_t)(i * i >> 7);
  check(xl_encode(codec, chunks, chunk_bytes));

  const int racks[kLocations] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
  const int erased[] = {kLost};
  const xl_repair repair = {.size = sizeof repair, .erased = erased, .num_erased = 1};
  xl_split* split = NULL;
  check(xl_split_create(codec, &repair, racks, &split));
  int num_sites = 0;
  int home = 0;
  check(xl_split_sites(split, &num_sites, &home));

  uint8_t* room = allocated(kRacks * chunk_bytes);
  const uint8_t* sums[kRacks];
  for (int i = 0; i < num_sites; ++i) {
    xl_site site = {.size = sizeof site};
    check(xl_split_site(split, i, &site));
    /* In practice this runs in the rack, which has its own chunks and room for a sum. */
    uint8_t* sum = room + (size_t)i * chunk_bytes;
    uint8_t* there[kLocations];
    for (int l = 0; l < kLocations; ++l) there[l] = racks[l] == site.number ? chunks[l] : NULL;
    there[kLost] = sum;
    check(xl_plan_run(site.plan, there, chunk_bytes));
    sums[i] = sum;
    printf("rack %d%s reads %zu chunks and %s one\n", site.number,
           site.number == home ? ", home," : "", site.units_read,
           site.number == home ? "keeps" : "sends");
  }

  uint8_t* rebuilt = allocated(chunk_bytes);
  check(xl_add_sums(sums, num_sites, rebuilt, chunk_bytes));
  const int is_back = memcmp(rebuilt, chunks[kLost], chunk_bytes) == 0;
  printf("chunk %d %s\n", kLost, is_back ? "is back" : "differs");
  free(rebuilt);
  free(room);
  free(stripe);
  xl_split_destroy(split);
  xl_codec_destroy(codec);
  return is_back ? 0 : 1;
}
