#ifndef XORLOOM_XORLOOM_H
#define XORLOOM_XORLOOM_H

/* The C interface of Xorloom. A codec is an erasure code prepared for this machine. In C, plans are
 * only for rebuilding given lost chunks; xl_encode needs none. Codecs and plans are immutable, and
 * many threads may use them at once. Repairs that choose what to read, and repairs by site, are in
 * xorloom.hpp (C++) only.
 *
 *   xl_codec *codec;
 *   if (xl_codec_create("cauchy-good:k=10,m=4,w=8", NULL, &codec) != XL_OK) puts(xl_last_error());
 *   // chunks[0..9] point at data, chunks[10..13] at room for redundancy, chunk_bytes each
 *   int status = xl_encode(codec, chunks, chunk_bytes);
 *
 * Every function that returns int returns one of the XL_ numbers. A null argument where none is
 * allowed returns XL_INVALID_ARGUMENT. No C++ exception leaves these functions. */

#include <stddef.h>
#include <stdint.h>

#include "xorloom/version.h"

#ifndef XORLOOM_API
#if defined(__GNUC__)
#define XORLOOM_API __attribute__((visibility("default")))
#else
#define XORLOOM_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call. */
enum {
  XL_OK = 0,
  XL_INVALID_ARGUMENT = 1, /* an argument is wrong, such as a value out of its bounds */
  XL_PARSE = 2,            /* a text or a file is not in the expected format */
  XL_UNSUPPORTED = 3,      /* this machine or build cannot do it, or memory ran out */
  XL_IO = 4,               /* reading or writing failed */
  XL_DAMAGED = 5,          /* too much is lost or damaged to recover what was asked for */
  XL_INTERNAL = 6          /* a check inside Xorloom failed; nothing it computed was kept */
};

typedef struct xl_codec xl_codec;
typedef struct xl_plan xl_plan;

/* How a codec runs. Of all options, only packet_bytes changes the bytes that are written.
 *
 * Set size to sizeof(xl_options), and threads to the number you want. Every other field may be zero
 * and then takes its default. With threads = 0 the codec uses all threads of the machine; with NULL
 * instead of options it uses one.
 *
 * Later versions append fields past the end of the struct, never in its padding. Fields past size
 * take their defaults; for threads that is 1. A size is refused with XL_INVALID_ARGUMENT if it is
 * less than sizeof(size_t), ends inside a field or exceeds 4096. A size above that of this
 * library's struct is accepted if all bytes past that struct are zero; otherwise the result is
 * XL_UNSUPPORTED. */
typedef struct xl_options {
  size_t size;
  int threads;          /* 1: the calling thread only; 0: all threads of the machine */
  size_t packet_bytes;  /* 0: the value in the spec, or 64 if the spec has none */
  const char* isa;      /* NULL or "": XORLOOM_ISA if it is set, else the machine's best */
  const char* executor; /* "ranges", "graph" or "auto"; NULL or "": "auto" */
  const char* style;    /* equations: "direct", "iterative" or "auto"; NULL or "": "auto" */
  int allow_non_mds;    /* not 0: accept a code not proved to survive the losses it promises */
  const char* engine;   /* "code" made at run time, "kernels" or "auto"; NULL or "": "auto" */
  /* The time to make a plan: "fast" (milliseconds) or "normal" (seconds); NULL or "": "fast". */
  const char* effort;
  /* Bytes of the cache that keeps decoding plans for later calls; 0: 64 MiB; SIZE_MAX: no cache.
   * (In C++ 0 means no cache.) */
  size_t plan_cache_bytes;
  /* Not 0: after xl_decode has used a plan a thousand times, the codec starts a thread that makes a
   * better one with effort "normal". xl_decode uses the old plan until then. It has no effect with
   * an atlas. */
  int improves_plans;
  const char* atlas; /* path of an atlas of the code, whose programs are used; NULL or "": none */
} xl_options;

/* The properties of a codec. Strings live as long as the codec.
 *
 * Set size to sizeof(xl_info) before the call. Exactly that many bytes are written. A size above
 * that of this library's struct is accepted; the bytes past that struct are set to 0. A size is
 * refused if it is less than sizeof(size_t), ends inside a field or exceeds 4096. */
typedef struct xl_info {
  size_t size;
  size_t locations; /* chunks per stripe, in the order of the chunk pointers */
  size_t data;      /* data symbols per stripe; 10 for the code above, more with sub-chunks */
  size_t rows;      /* elements per location */
  size_t k;         /* k, m and w: from the spec, or set by the family if it has no such key */
  size_t m;
  size_t w;
  size_t packet_bytes;   /* 0 if the code runs on words, not on packets */
  size_t chunk_multiple; /* chunk_bytes must be a multiple of this */
  const char* spec;      /* canonical: every default written out */
  const char* isa;       /* the instruction set in use */
  const char* executor;  /* the executor in use */
} xl_info;

/* Prepares a code for this machine.
 *
 * Shape:   spec is FAMILY:key=value,… or file:PATH; options may be NULL: one thread and all other
 *          defaults.
 * Errors:  XL_PARSE or XL_INVALID_ARGUMENT if the spec or an option is wrong,
 *          XL_INVALID_ARGUMENT if the code is not proved to survive what it promises (unless
 *          allow_non_mds), XL_IO if reading a file fails, XL_UNSUPPORTED if this machine lacks the
 *          instruction set. For the atlas: XL_DAMAGED if its header or index is damaged or it was
 *          cut short, XL_PARSE if it is not an atlas, XL_INVALID_ARGUMENT if it is one of another
 *          code. After any error, *codec is NULL. */
XORLOOM_API int xl_codec_create(const char* spec, const xl_options* options, xl_codec** codec);

/* chunk_bytes of every call must be a multiple of this. 0 if codec is NULL. */
XORLOOM_API size_t xl_codec_chunk_multiple(const xl_codec* codec);

/* Fills in the properties of a codec. The caller sets info->size. */
XORLOOM_API int xl_codec_info(const xl_codec* codec, xl_info* info);

/* Computes the redundant cells of a stripe from its data cells, in place.
 *
 * Shape:   chunks holds one pointer per location, to chunk_bytes each.
 * Buffers: no alignment is needed; written chunks must not overlap any other chunk (checked).
 * Errors:  XL_INVALID_ARGUMENT if chunk_bytes is not a multiple of xl_codec_chunk_multiple(), a
 *          needed pointer is NULL, or buffers overlap. Then nothing is written. There is no other
 *          error. */
XORLOOM_API int xl_encode(const xl_codec* codec, uint8_t* const chunks[], size_t chunk_bytes);

/* Rebuilds the erased chunks in place. The first call for a set of erasures makes its plan. The
 * codec keeps plans up to plan_cache_bytes. xl_plan_run is faster: it looks up no plan.
 *
 * Shape:   erased holds num_erased locations, 0 or more; chunk pointers that are not needed may be
 *          NULL.
 * Errors:  those of xl_encode; XL_INVALID_ARGUMENT if a location is out of range or named twice,
 *          XL_DAMAGED if the erased chunks cannot be rebuilt, XL_UNSUPPORTED if memory runs out.
 *          Then nothing is written. */
XORLOOM_API int xl_decode(const xl_codec* codec, uint8_t* const chunks[], const int erased[],
                          int num_erased, size_t chunk_bytes);

/* Makes a plan that rebuilds the wanted locations, a part of the erased ones. If the codec still
 * keeps such a plan, it returns a new handle of that one. Destroy each *plan that you get.
 *
 * Shape:   wanted may be NULL if num_wanted is 0; then all erased locations are wanted.
 * Errors:  XL_INVALID_ARGUMENT if a location is out of range, named twice, or wanted but not
 *          erased; XL_DAMAGED if the wanted chunks cannot be rebuilt. After any error, *plan is
 *          NULL. */
XORLOOM_API int xl_plan_create(const xl_codec* codec, const int erased[], int num_erased,
                               const int wanted[], int num_wanted, xl_plan** plan);

/* Runs a plan on one stripe. A plan may be used after its codec is destroyed.
 *
 * Buffers: as for xl_encode; pointers to chunks that are neither read nor written may be NULL.
 * Errors:  those of xl_encode.
 * Cost:    on one thread, no heap allocation and at most 128 KiB of stack. */
XORLOOM_API int xl_plan_run(const xl_plan* plan, uint8_t* const chunks[], size_t chunk_bytes);

/* Allocates memory for the chunks of a stripe, not initialised. The chunks are placed so that they
 * do not compete for the same cache sets. In L2, chunks that all begin at page boundaries were
 * measured to be 20 to 60 % slower.
 *
 * Shape:  *chunks becomes an array of one pointer per location, each aligned to 64 bytes.
 * Errors: XL_INVALID_ARGUMENT if chunk_bytes is not a multiple of xl_codec_chunk_multiple(),
 *         XL_UNSUPPORTED if there is not that much memory. After any error, *chunks is
 *         NULL. */
XORLOOM_API int xl_alloc_chunks(const xl_codec* codec, size_t chunk_bytes, uint8_t*** chunks);

/* Frees what xl_alloc_chunks returned in *chunks. NULL is allowed. */
XORLOOM_API void xl_free_chunks(uint8_t** chunks);

/* Counts of the decoding plans that a codec keeps, and of its use of an atlas. The last three
 * count all plans, also those for encoding. The caller sets size, as in xl_info. */
typedef struct xl_plan_counts {
  size_t size;
  uint64_t hits;          /* calls that found their plan in the cache */
  uint64_t misses;        /* calls that had to make their plan */
  uint64_t dropped;       /* plans dropped to make room for others */
  uint64_t improved;      /* plans remade, see improves_plans */
  size_t plans;           /* plans in the cache now */
  size_t bytes;           /* bytes of the plans in the cache now */
  uint64_t from_atlas;    /* plans made from programs of the atlas */
  uint64_t atlas_damaged; /* plans recompiled because their record is damaged */
  uint64_t code_refused;  /* plans that run kernels because their machine code was refused: it
                           * was not proved, not accepted, or got no executable memory */
} xl_plan_counts;

/* Fills in the counts of a codec. */
XORLOOM_API int xl_codec_plan_counts(const xl_codec* codec, xl_plan_counts* counts);

/* Destroy a plan or a codec. NULL is allowed. */
XORLOOM_API void xl_plan_destroy(xl_plan* plan);
XORLOOM_API void xl_codec_destroy(xl_codec* codec);

/* A short name of a status, for example "invalid argument". Never NULL. */
XORLOOM_API const char* xl_strerror(int status);

/* The error sentence of the last call on this thread that returned a status other than XL_OK. It
 * names the value and the bound. Never NULL; valid until the next such call on this thread. */
XORLOOM_API const char* xl_last_error(void);

/* The version of the library, such as "0.1.0"; XORLOOM_VERSION is that of the header. Never NULL. */
XORLOOM_API const char* xl_version(void);

#ifdef __cplusplus
}
#endif

#endif
