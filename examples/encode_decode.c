/* Encodes ten chunks into fourteen, loses four, and rebuilds them. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xorloom/xorloom.h>

enum { kLocations = 14, kData = 10 };

static int check(int status) {
  if (status != XL_OK) fprintf(stderr, "%s: %s\n", xl_strerror(status), xl_last_error());
  return status == XL_OK;
}

int main(void) {
  xl_codec* codec = NULL;
  if (!check(xl_codec_create("cauchy-good:k=10,m=4,w=8", NULL, &codec))) return 1;

  const size_t chunk_bytes = 128 * xl_codec_chunk_multiple(codec);
  uint8_t* stripe = malloc(kLocations * chunk_bytes);
  uint8_t* original = malloc(kLocations * chunk_bytes);
  if (stripe == NULL || original == NULL) return 1;
  uint8_t* chunks[kLocations];
  for (size_t i = 0; i < kLocations; ++i) chunks[i] = stripe + i * chunk_bytes;
  for (size_t i = 0; i < kData * chunk_bytes; ++i) stripe[i] = (uint8_t)(i * i >> 7);
  if (!check(xl_encode(codec, chunks, chunk_bytes))) return 1;
  memcpy(original, stripe, kLocations * chunk_bytes);

  const int erased[] = {0, 3, 9, 12};
  for (size_t i = 0; i < 4; ++i) memset(chunks[erased[i]], 0, chunk_bytes);
  if (!check(xl_decode(codec, chunks, erased, 4, chunk_bytes))) return 1;

  const int is_back = memcmp(original, stripe, kLocations * chunk_bytes) == 0;
  printf("chunks 0, 3, 9 and 12 %s\n", is_back ? "are back" : "differ");
  free(original);
  free(stripe);
  xl_codec_destroy(codec);
  return is_back ? 0 : 1;
}
