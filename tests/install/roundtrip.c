/* A user of the installed C face: encodes a stripe, loses two chunks, and gets them back. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xorloom/xorloom.h>

enum { kLocations = 7 };

int main(void) {
  xl_codec* codec = NULL;
  if (xl_codec_create("cauchy:k=5,m=2,w=3", NULL, &codec) != 0) {
    fprintf(stderr, "roundtrip: %s\n", xl_last_error());
    return 1;
  }
  size_t chunk_bytes = 16 * xl_codec_chunk_multiple(codec);
  uint8_t* chunks[kLocations];
  uint8_t* encoded[kLocations];
  for (size_t i = 0; i < kLocations; ++i) {
    chunks[i] = malloc(chunk_bytes);
    encoded[i] = malloc(chunk_bytes);
    if (chunks[i] == NULL || encoded[i] == NULL) return 2;
    for (size_t j = 0; j < chunk_bytes; ++j) chunks[i][j] = (uint8_t)(i * 31 + j * 7);
  }
  if (xl_encode(codec, chunks, chunk_bytes) != 0) return 3;
  for (size_t i = 0; i < kLocations; ++i) memcpy(encoded[i], chunks[i], chunk_bytes);

  const int erased[2] = {1, 5};
  for (int i = 0; i < 2; ++i) memset(chunks[erased[i]], 0xee, chunk_bytes);
  if (xl_decode(codec, chunks, erased, 2, chunk_bytes) != 0) return 4;
  for (size_t i = 0; i < kLocations; ++i) {
    if (memcmp(chunks[i], encoded[i], chunk_bytes) != 0) return 5;
    free(chunks[i]);
    free(encoded[i]);
  }

  if (strcmp(xl_version(), XORLOOM_VERSION) != 0) return 7;

  xl_codec* wrong = NULL;
  int status = xl_codec_create("cauchy:k=5,m=20,w=3", NULL, &wrong);
  if (status == 0) return 6;
  printf("C face: %s: %s\n", xl_strerror(status), xl_last_error());
  xl_codec_destroy(codec);
  return 0;
}
