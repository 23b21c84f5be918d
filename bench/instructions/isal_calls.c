/* What xorloom_coding_calls does, by ISA-L: encodes or decodes a stripe of its Cauchy matrix a given number of
 * times. scripts/instruction-counts --isal compiles it.
 *
 *   isal_calls K M CHUNK_BYTES CALLS [LOST...]
 *
 * It prints the data bytes of a call and ISA-L's version.
 */
#include <isa-l.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostChunks = 64 };

/* The rows that give the lost chunks from the first k others: rows of the matrix times the inverse. */
static int rows_for(int k, const unsigned char* matrix, const int* lost, int num_lost,
                    const int* survivors, unsigned char* rows) {
  static unsigned char square[kMostChunks * kMostChunks];
  static unsigned char inverse[kMostChunks * kMostChunks];
  for (int i = 0; i < k; ++i) memcpy(square + i * k, matrix + survivors[i] * k, (size_t)k);
  if (gf_invert_matrix(square, inverse, k) != 0) return 0;
  for (int i = 0; i < num_lost; ++i) {
    for (int column = 0; column < k; ++column) {
      unsigned char sum = 0;
      for (int j = 0; j < k; ++j) sum ^= gf_mul(matrix[lost[i] * k + j], inverse[j * k + column]);
      rows[i * k + column] = sum;
    }
  }
  return 1;
}

int main(int argc, char** argv) {
  if (argc < 5) {
    fputs("usage: isal_calls K M CHUNK_BYTES CALLS [LOST...]\n", stderr);
    return 2;
  }
  const int k = atoi(argv[1]);
  const int m = atoi(argv[2]);
  const int bytes = atoi(argv[3]);
  const long calls = atol(argv[4]);
  const int locations = k + m;
  int num_lost = argc - 5;
  int lost[kMostChunks];
  int survivors[kMostChunks];
  unsigned char* chunks[kMostChunks];
  unsigned char* sources[kMostChunks];
  unsigned char* targets[kMostChunks];
  static unsigned char matrix[kMostChunks * kMostChunks];
  static unsigned char rows[kMostChunks * kMostChunks];
  static unsigned char tables[32 * kMostChunks * kMostChunks];
  if (k < 1 || m < 1 || locations > kMostChunks || bytes < 1 || num_lost > m) {
    fprintf(stderr, "isal_calls: 1 <= k, 1 <= m, k + m <= %d and at most m are lost\n",
            kMostChunks);
    return 2;
  }
  unsigned state = 1;
  for (int l = 0; l < locations; ++l) {
    chunks[l] = malloc((size_t)bytes);
    if (chunks[l] == NULL) return 1;
    for (int i = 0; i < bytes; ++i)
      chunks[l][i] = (unsigned char)((state = state * 1664525 + 1013904223) >> 24);
  }
  gf_gen_cauchy1_matrix(matrix, locations, k);
  ec_init_tables(k, m, matrix + k * k, tables);
  ec_encode_data_base(bytes, k, m, tables, chunks, chunks + k);
  for (int i = 0; i < num_lost; ++i) lost[i] = atoi(argv[5 + i]);
  if (num_lost == 0) {
    for (num_lost = 0; num_lost < m; ++num_lost) lost[num_lost] = k + num_lost;
  }
  int next = 0;
  for (int l = 0; l < locations && next < k; ++l) {
    int is_lost = 0;
    for (int i = 0; i < num_lost; ++i) is_lost |= lost[i] == l;
    if (is_lost) continue;
    survivors[next] = l;
    sources[next++] = chunks[l];
  }
  if (!rows_for(k, matrix, lost, num_lost, survivors, rows)) return 1;
  ec_init_tables(k, num_lost, rows, tables);
  for (int i = 0; i < num_lost; ++i) targets[i] = calloc(1, (size_t)bytes);
  for (long i = 0; i < calls; ++i) ec_encode_data(bytes, k, num_lost, tables, sources, targets);
  for (int i = 0; i < num_lost && calls > 0; ++i) {
    if (memcmp(targets[i], chunks[lost[i]], (size_t)bytes) != 0) {
      fputs("isal_calls: the chunks are wrong\n", stderr);
      return 1;
    }
  }
  printf("%d isa-l %d.%d.%d\n", k * bytes, ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION,
         ISAL_PATCH_VERSION);
  return 0;
}
