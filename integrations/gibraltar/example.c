/* The example of Gibraltar's paper: 4 buffers of integers and 4 of redundancy, of which 0, 2, 3 and
 * 5 are lost. */
#include <gibraltar.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { K = 4, M = 4, INTEGERS = 250000, BYTES = INTEGERS * sizeof(int) };

static void* memory;
static int ld; /* from one buffer to the next */

static void* buffer(int place) { return (char*)memory + (ptrdiff_t)place * ld; }

int main(void) {
  const int fail_config[K + M] = {1, 0, 1, 1, 0, 1, 0, 0}; /* 1: this buffer is lost */
  gib_context gc;
  if (gib_init(K, M, &gc) != GIB_SUC) return 1;
  if (gib_alloc(&memory, BYTES, &ld, gc) != GIB_SUC) return 1;
  for (int i = 0; i < K; ++i) {
    int* data = buffer(i);
    for (int j = 0; j < INTEGERS; ++j) data[j] = 1000 * i + j;
  }
  int status = gib_generate(memory, ld, gc);

  for (int i = 0; i < K + M; ++i) {
    if (fail_config[i]) memset(buffer(i), 0, BYTES);
  }

  /* Data that is intact stays in its place. Redundancy that is intact takes the place of what was
   * lost. */
  int buf_ids[K + M], f = 0, next = K;
  for (int i = 0; i < K; ++i) {
    buf_ids[i] = i;
    if (!fail_config[i]) continue;
    while (fail_config[next]) ++next;
    memcpy(buffer(i), buffer(next), BYTES);
    buf_ids[i] = next++;
    buf_ids[K + f++] = i;
  }
  if (status == GIB_SUC) status = gib_recover(memory, ld, buf_ids, f, gc);

  /* Move what was recovered to its place, and compute all redundancy again. */
  for (int i = K; i < K + f; ++i) memcpy(buffer(buf_ids[i]), buffer(i), BYTES);
  if (status == GIB_SUC) status = gib_generate(memory, ld, gc);

  int wrong = 0;
  for (int i = 0; i < K; ++i) {
    const int* data = buffer(i);
    for (int j = 0; j < INTEGERS; ++j) wrong += data[j] != 1000 * i + j;
  }
  printf("recovered %d buffers of data: %d integers are wrong\n", f, wrong);
  gib_free(memory, gc);
  gib_destroy(gc);
  return status != GIB_SUC || wrong != 0;
}
