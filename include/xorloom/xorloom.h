#ifndef XORLOOM_XORLOOM_H
#define XORLOOM_XORLOOM_H

/* The C face of Xorloom. A codec is a code made ready for this machine; a plan is one computation of
 * it: rebuilding given lost chunks. Both are immutable and may be used by many threads at once.
 *
 *   xl_codec *codec;
 *   if (xl_codec_create("cauchy-good:k=10,m=4,w=8", NULL, &codec) != XL_OK) puts(xl_last_error());
 *   // chunks[0..9] point at data, chunks[10..13] at room for redundancy, chunk_bytes each
 *   int status = xl_encode(codec, chunks, chunk_bytes);
 *
 * Every function that returns int returns one of the XL_ numbers. A null argument where none is
 * allowed gives XL_INVALID_ARGUMENT. No C++ exception leaves these functions. */

#include <stddef.h>
#include <stdint.h>

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

/* What a call came to. */
enum {
  XL_OK = 0,
  XL_INVALID_ARGUMENT = 1, /* the call was wrong: a value out of its bounds */
  XL_PARSE = 2,            /* a text or file that is not what it should be */
  XL_UNSUPPORTED = 3,      /* this machine or build cannot do it, or memory ran out */
  XL_IO = 4,               /* reading or writing failed */
  XL_DAMAGED = 5,          /* what is left does not suffice to give back what was asked */
  XL_INTERNAL = 6          /* a check inside Xorloom failed; nothing it computed was kept */
};

typedef struct xl_codec xl_codec;
typedef struct xl_plan xl_plan;

/* How a codec runs. What is on disk depends on packet_bytes alone.
 *
 * size says how much of the struct the caller knows: set it to sizeof(xl_options). Fields past it
 * take their defaults, which are what zero means unless said otherwise. Later versions append fields
 * past the end of the struct, never in its padding. A size that is less than that of `size`, ends
 * inside a field or exceeds 4096 is refused; so is a larger struct than this library knows, unless the
 * rest is all zero. */
typedef struct xl_options {
  size_t size;
  int threads; /* 1, the default past size: the calling thread only; 0: all the machine has */
  size_t packet_bytes;  /* 0: what the spec says (64 unless it does) */
  const char* isa;      /* NULL or "": the best of this machine, or XORLOOM_ISA */
  const char* executor; /* "ranges", "graph" or "auto"; NULL or "": "auto" */
  const char* style;    /* equations: "direct", "iterative" or "auto"; NULL or "": "auto" */
  int allow_non_mds;    /* not 0: take a code that was not proved to survive any m losses */
  const char* engine;   /* "code" made at run time, "kernels" or "auto"; NULL or "": "auto" */
  const char* effort;   /* spent on a plan: "fast", or "normal", some seconds; NULL or "": "fast" */
  size_t plan_cache_bytes; /* of decoding plans that are kept; 0: 64 MiB, SIZE_MAX: none are */
  int improves_plans; /* not 0: those used a thousand times are made anew, with effort "normal", by a
                         thread of the codec's own */
  const char* atlas;  /* path of an atlas of the code, whose programs are used; NULL or "": none */
} xl_options;

/* What a codec is. Strings live as long as the codec.
 *
 * size says how much of the struct the caller knows: set it to sizeof(xl_info) before the call. Only
 * so many bytes are written; those past what this library knows are set to 0. The rule for sizes is
 * that of xl_options. */
typedef struct xl_info {
  size_t size;
  size_t locations; /* chunks of a stripe, in the order of the chunk pointers */
  size_t data;      /* data cells of a stripe: k for most codes, times sub-chunks */
  size_t rows;      /* elements per location */
  size_t k;
  size_t m;
  size_t w;
  size_t packet_bytes; /* 0: words, not packets */
  size_t chunk_multiple;
  const char* spec;     /* canonical: every default written out */
  const char* isa;      /* the instruction set in use */
  const char* executor; /* the executor in use */
} xl_info;

/* Makes a code ready for this machine.
 *
 * Buffers: spec is FAMILY:key=value,…; options may be NULL, which is one thread and all defaults.
 * Errors:  XL_PARSE or XL_INVALID_ARGUMENT if the spec or an option does not hold, XL_UNSUPPORTED for
 *          an instruction set this machine lacks; XL_DAMAGED, XL_PARSE or XL_INVALID_ARGUMENT for an atlas
 *          that is damaged, is none, or one of another code. *codec is NULL then. */
XORLOOM_API int xl_codec_create(const char* spec, const xl_options* options, xl_codec** codec);

/* chunk_bytes of every call is a multiple of this. 0 if codec is NULL. */
XORLOOM_API size_t xl_codec_chunk_multiple(const xl_codec* codec);

/* Fills in what a codec is; info->size is set by the caller. */
XORLOOM_API int xl_codec_info(const xl_codec* codec, xl_info* info);

/* Reads the data cells and writes the redundant ones.
 *
 * Shape:   chunks holds one pointer a location.
 * Buffers: chunk_bytes each, no alignment needed; what is written must not overlap anything else.
 * Errors:  XL_INVALID_ARGUMENT if chunk_bytes is not a multiple of xl_codec_chunk_multiple(), a
 *          pointer is NULL, or buffers overlap. Nothing is written then. It cannot fail otherwise. */
XORLOOM_API int xl_encode(const xl_codec* codec, uint8_t* const chunks[], size_t chunk_bytes);

/* Rebuilds the erased chunks in place. The first call for a set of erasures makes its plan, and the codec
 * keeps plans up to plan_cache_bytes; an xl_plan saves looking one up.
 *
 * Shape:   erased holds num_erased locations; pointers of chunks that are not needed may be NULL.
 * Errors:  as xl_encode; XL_INVALID_ARGUMENT for a location out of range or named twice, XL_DAMAGED
 *          if the erasures cannot be rebuilt. Nothing is written then. */
XORLOOM_API int xl_decode(const xl_codec* codec, uint8_t* const chunks[], const int erased[],
                          int num_erased, size_t chunk_bytes);

/* A plan that rebuilds the wanted ones of the erased locations: one that the codec keeps, or a new one,
 * which it then keeps.
 *
 * Buffers: wanted may be NULL if num_wanted is 0, and then all erased ones are wanted.
 * Errors:  XL_INVALID_ARGUMENT for locations out of range, named twice, or wanted but not erased,
 *          XL_DAMAGED if the wanted chunks cannot be rebuilt. *plan is NULL then. */
XORLOOM_API int xl_plan_create(const xl_codec* codec, const int erased[], int num_erased,
                               const int wanted[], int num_wanted, xl_plan** plan);

/* Runs a plan on one stripe. A plan outlives its codec where need be.
 *
 * Buffers: as xl_encode; pointers of chunks that are neither read nor written may be NULL.
 * Errors:  those of xl_encode.
 * Cost:    on one thread no heap allocation, and at most 128 KiB of stack. */
XORLOOM_API int xl_plan_run(const xl_plan* plan, uint8_t* const chunks[], size_t chunk_bytes);

/* Memory for the chunks of a stripe: a pointer a location, each aligned to 64 bytes, and placed so that
 * chunks do not fight over a cache's sets: chunks that all begin at pages are a quarter slower. The
 * memory is not initialised.
 *
 * Errors: XL_INVALID_ARGUMENT if chunk_bytes is not a multiple of xl_codec_chunk_multiple(),
 *         XL_UNSUPPORTED if there is no such memory. *chunks is NULL then. */
XORLOOM_API int xl_alloc_chunks(const xl_codec* codec, size_t chunk_bytes, uint8_t*** chunks);

/* What xl_alloc_chunks gave, or NULL. */
XORLOOM_API void xl_free_chunks(uint8_t** chunks);

/* How the plans of decodings fared that a codec keeps: calls that found one, that had one made, plans
 * that made room for others, or were made anew; plans that are kept, and their bytes; plans of
 * any kind that were made of the atlas's programs, and that were not since those are damaged. size is set by
 * the caller; the rule for sizes is that of xl_options. */
typedef struct xl_plan_counts {
  size_t size;
  uint64_t hits;
  uint64_t misses;
  uint64_t dropped;
  uint64_t improved;
  size_t plans;
  size_t bytes;
  uint64_t from_atlas;
  uint64_t atlas_damaged;
} xl_plan_counts;
XORLOOM_API int xl_codec_plan_counts(const xl_codec* codec, xl_plan_counts* counts);

/* NULL is allowed. */
XORLOOM_API void xl_plan_destroy(xl_plan* plan);
XORLOOM_API void xl_codec_destroy(xl_codec* codec);

/* A short name of a status, for example "invalid argument". Never NULL. */
XORLOOM_API const char* xl_strerror(int status);

/* The sentence, with the value and the bound, of the last call on this thread that returned something
 * other than XL_OK. Never NULL; valid until the next such call on this thread. */
XORLOOM_API const char* xl_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
