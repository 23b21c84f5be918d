#ifndef XORLOOM_GIBRALTAR_H
#define XORLOOM_GIBRALTAR_H

/* Gibraltar's interface, on Xorloom. The names, arguments, results and bytes are Gibraltar's; see
 * README.md for what is added. A context stands for one code: k buffers of data and m of
 * redundancy, any k of which are enough. Many threads may use one context at once, and there may
 * be many contexts.
 *
 * Buffers lie in one piece of memory, the first byte of the next buf_size bytes after that of the
 * last:
 *
 *   gib_generate    data 0 | ... | data k-1 | redundancy 0 | ... | redundancy m-1
 *   gib_recover     k intact buffers in any order | up to m buffers to recover
 *
 * Buffers are numbered 0 to k-1 for data and k to k+m-1 for redundancy. The memory is that of
 * gib_alloc, or any other. No alignment is needed. Every function returns GIB_SUC, GIB_OOM or
 * GIB_ERR. After GIB_OOM and GIB_ERR no buffer has been written. */

#ifdef __cplusplus
extern "C" {
#endif

#ifndef XORLOOM_GIBRALTAR_API
#if defined(__GNUC__)
#define XORLOOM_GIBRALTAR_API __attribute__((visibility("default")))
#else
#define XORLOOM_GIBRALTAR_API
#endif
#endif

enum {
  GIB_SUC = 0, /* success */
  GIB_OOM = 1, /* memory ran out */
  GIB_ERR = 2  /* an argument is wrong, or the machine cannot do it */
};

/* A context. Programs may read n, which is k, and m. They must not change them. */
struct gib_context_t {
  int n, m;
};
typedef struct gib_context_t* gib_context;

/* Makes a context for k buffers of data and m of redundancy.
 *
 * It codes on a GPU if CUDA has one, and otherwise on the processor. The environment variable
 * XORLOOM_EXECUTOR names another executor of Xorloom, such as "auto" or "opencl".
 *
 * Errors: GIB_ERR if k or m is less than 1, k + m exceeds 256, gc is null, or XORLOOM_EXECUTOR
 *         names what is none or cannot run. After any error, *gc is null.
 * Cost:   on the processor less than a millisecond: calls run kernels until machine code pays. On a
 *         GPU tenths of a second, when its kernel is compiled for the first time. */
XORLOOM_GIBRALTAR_API int gib_init(int k, int m, gib_context* gc);

/* Destroys a context that no call uses any more. Memory of gib_alloc stays until it is freed.
 *
 * Errors: GIB_ERR if gc is null. */
XORLOOM_GIBRALTAR_API int gib_destroy(gib_context gc);

/* Allocates memory for k + m buffers of buf_size bytes, not initialised.
 *
 * Shape:  *ld becomes the distance from one buffer to the next, at least buf_size, for which calls
 *         are fast. Give it to them as buf_size, or ignore it: every distance works. ld may be
 *         null.
 * Errors: GIB_ERR if buf_size is less than 0, or buffers or gc is null; GIB_OOM if there is not
 *         that much memory. After any error, *buffers is null. */
XORLOOM_GIBRALTAR_API int gib_alloc(void** buffers, int buf_size, int* ld, gib_context gc);

/* Frees what gib_alloc returned in *buffers. Null buffers are allowed.
 *
 * Errors: GIB_ERR if gc is null. Then nothing is freed. */
XORLOOM_GIBRALTAR_API int gib_free(void* buffers, gib_context gc);

/* Computes the m buffers of redundancy from the k buffers of data before them.
 *
 * Errors: GIB_ERR if buf_size is less than 0, or buffers or gc is null. */
XORLOOM_GIBRALTAR_API int gib_generate(void* buffers, int buf_size, gib_context gc);

/* Recovers up to m buffers from k intact ones.
 *
 * Shape:  buf_ids has k + recover_last numbers of buffers, as they stand in the memory: the k
 *         intact ones, then those to recover. Buffers of redundancy can be recovered, too.
 * Errors: as for gib_generate; GIB_ERR if buf_ids is null, recover_last is not one of 0 to m, or a
 *         number is out of range or stands there twice; GIB_OOM if memory runs out.
 * Cost:   the first call with these numbers, in whatever order, makes their plan: in microseconds
 *         on the processor; on a GPU as gib_init does. */
XORLOOM_GIBRALTAR_API int gib_recover(void* buffers, int buf_size, int* buf_ids, int recover_last,
                                      gib_context gc);

/* The same for the first work_size bytes of each buffer alone. The rest of each buffer keeps its
 * bytes.
 *
 * Errors: also GIB_ERR if work_size is not one of 0 to buf_size. */
XORLOOM_GIBRALTAR_API int gib_generate_nc(void* buffers, int buf_size, int work_size,
                                          gib_context gc);
XORLOOM_GIBRALTAR_API int gib_recover_nc(void* buffers, int buf_size, int work_size, int* buf_ids,
                                         int recover_last, gib_context gc);

#ifdef __cplusplus
}
#endif

#endif
