#ifndef XORLOOM_XORLOOM_H
#define XORLOOM_XORLOOM_H

/* The C interface of Xorloom. A codec is an erasure code prepared for this machine. A plan is one
 * computation of a codec: encoding, or rebuilding given lost chunks. A split is a repair whose
 * locations stand at several sites. All are immutable, and many threads may use them at once.
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

/* Sets the function that hears why Xorloom is slower in this process than it could be: machine code
 * got no executable memory, or was not accepted, or a device did not do what it was asked for. It
 * hears each of the three at most once. NULL, as at the beginning, hears nothing.
 *
 * Any thread that makes or runs a plan may call the function, one at a time. It must not throw and
 * must not call xl_set_log. When xl_set_log returns, the function before is not running and will
 * not be called again. context is passed on. */
typedef void (*xl_log)(const char* sentence, void* context);
XORLOOM_API void xl_set_log(xl_log log, void* context);

typedef struct xl_codec xl_codec;
typedef struct xl_plan xl_plan;
typedef struct xl_split xl_split;

/* How a codec runs. Of all options, only packet_bytes changes the bytes that are written.
 *
 * Set size to sizeof(xl_options). Every other field may be zero and then takes its default, as all
 * do with NULL instead of options.
 *
 * Later versions append fields past the end of the struct, never in its padding. Fields past size
 * take their defaults. A size is refused with XL_INVALID_ARGUMENT if it is
 * less than sizeof(size_t), ends inside a field or exceeds 4096. A size above that of this
 * library's struct is accepted if all bytes past that struct are zero; otherwise the result is
 * XL_UNSUPPORTED. */
#define XL_ALL_THREADS (-1)
typedef struct xl_options {
  size_t size;
  int threads;         /* 0 or 1: the calling thread only; XL_ALL_THREADS: all of the machine */
  size_t packet_bytes; /* 0: the value in the spec, or 64 if the spec has none */
  const char* isa;     /* NULL or "": XORLOOM_ISA if it is set, else the machine's best */
  /* "ranges", "graph", "plan", "auto", or devices: "opencl", "cuda", "hybrid"; NULL or "": "auto" */
  const char* executor;
  const char* style;  /* equations: "direct", "iterative" or "auto"; NULL or "": "auto" */
  int allow_non_mds;  /* not 0: accept a code not proved to survive the losses it promises */
  const char* engine; /* "code" made at run time, "kernels" or "auto"; NULL or "": "auto" */
  /* The time to make a plan: "fast" (milliseconds), "quick" (tens of milliseconds), "normal"
   * (seconds) or "auto" (kernels, in microseconds, until machine code pays); NULL or "": "auto". */
  const char* effort;
  /* Bytes of the cache that keeps decoding plans for later calls; 0: 80 MiB; SIZE_MAX: no cache.
   * (In C++ 0 means no cache.) A plan of more bytes is used and not kept. */
  size_t plan_cache_bytes;
  /* Above 0: once xl_decode has rebuilt 1 GiB of data with one plan, a thread of the codec makes a
   * better one, by a search of effort "quick". It starts then, with the lowest priority. xl_decode
   * uses the old plan until it is done. Who frees the codec waits until it gives up: milliseconds,
   * or a second or two where all processors are busy. It has no effect with an atlas, on words, or
   * with an effort other than "auto". 0: there is no such thread. */
  int improves_plans;
  const char* atlas; /* path of an atlas of the code, whose programs are used; NULL or "": none */
  /* Microseconds that threads stay awake after their work, up to 1,000,000: then two threads gain
   * from some 128 KiB of data on, but they spend their processors' time meanwhile. 0: they
   * sleep. */
  int awake_microseconds;
  /* Programs that were searched before: NULL or "" uses those that come with Xorloom, and no file;
   * "user" also what is kept in the user's cache directory; a path is a directory to use instead of
   * that one; "off": none. */
  const char* wisdom;
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
  size_t units;          /* units per chunk that can be read separately; see xl_repair */
  /* Where the machine code is that xl_encode runs now: in a "sealed file" in memory, or in "own
   * pages" that were written before they became executable; "none" if kernels run. */
  const char* code_memory;
  const char* devices; /* the names of the devices that encode; "" if threads do */
} xl_info;

/* Prepares a code for this machine.
 *
 * Shape:   spec is FAMILY:key=value,… or file:PATH; options may be NULL: one thread and all other
 *          defaults.
 * Errors:  XL_PARSE or XL_INVALID_ARGUMENT if the spec or an option is wrong,
 *          XL_INVALID_ARGUMENT if the code is not proved to survive what it promises (unless
 *          allow_non_mds), XL_IO if reading a file fails, XL_UNSUPPORTED if this machine lacks the
 *          instruction set, or if its executor needs a device and there is none that encodes. For
 *          the atlas: XL_DAMAGED if its header or index is damaged or it was cut short, XL_PARSE if
 *          it is not an atlas, XL_INVALID_ARGUMENT if it is one of another code. After any error,
 *          *codec is NULL. */
XORLOOM_API int xl_codec_create(const char* spec, const xl_options* options, xl_codec** codec);

/* chunk_bytes of every call must be a multiple of this. 0 if codec is NULL. Codes of family leopard
 * whose symbols of 16 bits lie in planes have an exception: every call but those on devices takes
 * any even number. Then the last block of a chunk is shorter. */
XORLOOM_API size_t xl_codec_chunk_multiple(const xl_codec* codec);

/* The smallest multiple of xl_codec_chunk_multiple() that is at least chunk_bytes and not 0. If
 * that does not fit size_t, the largest multiple that does. 0 if codec is NULL. */
XORLOOM_API size_t xl_round_up(const xl_codec* codec, size_t chunk_bytes);

/* Fills in the properties of a codec. The caller sets info->size. */
XORLOOM_API int xl_codec_info(const xl_codec* codec, xl_info* info);

/* Computes the redundant cells of a stripe from its data cells, in place.
 *
 * Shape:   chunks holds one pointer per location, to chunk_bytes each.
 * Buffers: no alignment is needed; written chunks must not overlap any other chunk (checked).
 * Errors:  XL_INVALID_ARGUMENT if chunk_bytes is not a multiple of xl_codec_chunk_multiple(), a
 *          needed pointer is NULL, or buffers overlap; XL_UNSUPPORTED if memory for a shorter last
 *          block runs out. Then nothing is written. There is no other error.
 * Cost:    with effort "auto", kernels run until machine code pays; then a call makes it. */
XORLOOM_API int xl_encode(const xl_codec* codec, uint8_t* const chunks[], size_t chunk_bytes);

/* Rebuilds the erased chunks in place. The first call for a set of erasures makes its plan. With
 * effort "auto" that takes microseconds, and a later call makes machine code if it pays. The codec
 * keeps plans up to plan_cache_bytes. xl_plan_run is faster: it looks up no plan.
 *
 * Shape:   erased holds num_erased locations, 0 or more; chunk pointers that are not needed may be
 *          NULL.
 * Errors:  those of xl_encode; XL_INVALID_ARGUMENT if a location is out of range or named twice,
 *          XL_DAMAGED if the erased chunks cannot be rebuilt, XL_UNSUPPORTED if memory runs out.
 *          Then nothing is written. */
XORLOOM_API int xl_decode(const xl_codec* codec, uint8_t* const chunks[], const int erased[],
                          int num_erased, size_t chunk_bytes);

/* As xl_decode, but rebuilds only the wanted locations, a part of the erased ones. Pointers to other
 * erased chunks may be NULL. wanted may be NULL if num_wanted is 0; then all erased are wanted.
 * Further error: XL_INVALID_ARGUMENT if a location is wanted but not erased. */
XORLOOM_API int xl_decode_wanted(const xl_codec* codec, uint8_t* const chunks[], const int erased[],
                                 int num_erased, const int wanted[], int num_wanted,
                                 size_t chunk_bytes);

/* Encode and decode many stripes in one call, with the bytes of xl_encode and xl_decode. Small
 * stripes are divided among the codec's threads, whole stripes to each. Devices take one stripe
 * after the other.
 *
 * Shape:   stripes holds the chunk pointers of num_stripes stripes; statuses has room for the
 *          status of each, or is NULL. num_sets is num_stripes, set i being what stripe i has lost:
 *          num_erased[i] locations at erased[i]. Or it is 1, for one set that all have lost.
 * Buffers: as for xl_encode; no chunk that is written overlaps one of any stripe (checked).
 * Errors:  those of xl_encode and xl_decode, stripe by stripe: one that fails is not written, and
 *          the others are done. Of stripes that overlap, none is written. The result is the status
 *          of the first that failed, which xl_last_error names. All fail if another argument is
 *          wrong (XL_INVALID_ARGUMENT) or memory runs out (XL_UNSUPPORTED). */
XORLOOM_API int xl_encode_batch(const xl_codec* codec, uint8_t* const* const stripes[],
                                size_t num_stripes, size_t chunk_bytes, int statuses[]);
XORLOOM_API int xl_decode_batch(const xl_codec* codec, uint8_t* const* const stripes[],
                                size_t num_stripes, const int* const erased[],
                                const int num_erased[], size_t num_sets, size_t chunk_bytes,
                                int statuses[]);

/* xl_encode and xl_decode of chunks in memory of a device, for executors "opencl" and "cuda". They
 * put the work in a queue of the caller's and return. When the queue has done it, the chunks are
 * written. Pointers stand for what the headers of OpenCL and CUDA declare.
 *
 * Shape:   places holds one number per location, a multiple of 8: where the chunk begins.
 *          OpenCL: memory is the cl_mem that holds all chunks, places are bytes from its beginning,
 *          and queue is a cl_command_queue.
 *          CUDA: memory is NULL, places are addresses on the device, and queue is a CUstream or
 *          cudaStream_t; NULL is the default stream of the device's primary context.
 *          On words, the bytes of a sub-chunk are a multiple of 8, too.
 * Buffers: written chunks must not overlap any other chunk (checked).
 * Errors:  those of xl_encode and xl_decode; XL_INVALID_ARGUMENT if a place is no multiple of 8, or
 *          if the memory is on no device of the codec; XL_UNSUPPORTED if the executor runs on no
 *          devices, if they cannot run the plan, or if the device fails. What fails later, in the
 *          queue, the next call on the queue says. */
XORLOOM_API int xl_encode_device(const xl_codec* codec, void* memory, const uint64_t places[],
                                 void* queue, size_t chunk_bytes);
XORLOOM_API int xl_decode_device(const xl_codec* codec, void* memory, const uint64_t places[],
                                 const int erased[], int num_erased, void* queue,
                                 size_t chunk_bytes);

/* Says whether the redundancy of a stripe agrees with its data: XL_OK if it does, XL_DAMAGED if
 * not. Then xl_last_error names the first chunk that differs, and the byte. Nothing is written.
 *
 * Shape:   as for xl_encode; every pointer to a chunk that holds data or redundancy is needed.
 * Errors:  XL_INVALID_ARGUMENT as for xl_encode; XL_UNSUPPORTED if memory runs out.
 * Cost:    encoding, and comparing with what is there. Up to 64 KiB are allocated, or as many bytes
 *          as the redundancy has if chunks consist of sub-chunks. */
XORLOOM_API int xl_verify(const xl_codec* codec, const uint8_t* const chunks[], size_t chunk_bytes);

/* What xl_locate_errors finds. Redundancy alone proves no chunk wrong: with r redundant chunks at
 * hand, and e found wrong, other sets of r - e + 1 chunks or more explain the same if their errors
 * are alike. The caller sets size, as in xl_info. */
enum { XL_CONSISTENT = 0, XL_LOCATED = 1, XL_UNKNOWN = 2 };
typedef struct xl_error_location {
  size_t size;
  int verdict; /* XL_CONSISTENT; XL_LOCATED: chunks are wrong, and known; XL_UNKNOWN: not known */
  int num_wrong;
  /* If located: what is found is right if at most this many chunks are wrong. 0: no other set as
   * small was found, but one with special errors could exist. */
  int unique_up_to;
} xl_error_location;

/* Says which chunks are wrong, without checksums: the fewest that explain why redundancy does not
 * agree with data. Nothing is written to chunks.
 *
 * Shape:  as for xl_verify. The num_lost lost locations are left out; pointers to their chunks may
 *         be NULL. wrong has room for one number per location; num_wrong are set, ascending.
 * Errors: those of xl_verify, but for XL_DAMAGED; XL_INVALID_ARGUMENT if a lost location is out of
 *         range or named twice; for size, those of xl_info. */
XORLOOM_API int xl_locate_errors(const xl_codec* codec, const uint8_t* const chunks[],
                                 size_t chunk_bytes, const int lost[], int num_lost, int wrong[],
                                 xl_error_location* found);

/* Carries a change of the data of one location over to the redundancy, without the other data. With
 * old_data = NULL, new_data is the difference. So redundancy that begins as zeros becomes that of
 * the whole stripe when each location's data has been carried over, in any order.
 *
 * Shape:   old_data and new_data have chunk_bytes each: what the chunk of the location held and
 *          what it will hold. The chunk itself is not touched. Of chunks, only pointers to
 *          redundancy are used, and bytes that a change cannot reach stay as they are.
 * Buffers: no alignment is needed; a chunk of redundancy must not overlap any other buffer
 *          (checked). old_data and new_data may overlap.
 * Errors:  those of xl_encode; XL_INVALID_ARGUMENT if the location is out of range or does not hold
 *          data alone; XL_UNSUPPORTED if memory runs out. Then nothing is written.
 * Cost:    the data is read once, and the redundancy is read and written once. Memory is allocated
 *          as for xl_verify. The first call for a location may make a plan, as in xl_decode. */
XORLOOM_API int xl_update(const xl_codec* codec, int location, const uint8_t* old_data,
                          const uint8_t* new_data, uint8_t* const chunks[], size_t chunk_bytes);

/* How many bytes of data a stripe holds. 0 if codec is NULL or chunk_bytes is not a multiple of
 * xl_codec_chunk_multiple(). */
XORLOOM_API size_t xl_data_bytes(const xl_codec* codec, size_t chunk_bytes);

/* The smallest chunk_bytes, not 0, of a stripe that holds that many bytes of data. 0 if codec is
 * NULL or they are more than 2^62. */
XORLOOM_API size_t xl_chunk_bytes_for(const xl_codec* codec, size_t data_bytes);

/* Copies data to where a stripe holds it, and fills what is left there with zeros. Other libraries
 * call this split. If locations of data hold nothing else, their chunks hold the data one after the
 * other.
 *
 * Errors: XL_INVALID_ARGUMENT if data_bytes exceeds xl_data_bytes(codec, chunk_bytes), if
 *         chunk_bytes is not a multiple of xl_codec_chunk_multiple(), or if a needed pointer is
 *         NULL. Then nothing is written. */
XORLOOM_API int xl_spread(const xl_codec* codec, const uint8_t* data, size_t data_bytes,
                          uint8_t* const chunks[], size_t chunk_bytes);

/* Copies the first data_bytes bytes of data out of a stripe: the reverse of xl_spread. Other
 * libraries call this join. Chunks that hold none of these bytes may be NULL.
 *
 * Errors: as for xl_spread. */
XORLOOM_API int xl_collect(const xl_codec* codec, const uint8_t* const chunks[], size_t chunk_bytes,
                           uint8_t* data, size_t data_bytes);

/* Makes a plan that rebuilds the wanted locations, a part of the erased ones. If the codec still
 * keeps such a plan, it returns a new handle of that one. Destroy each *plan that you get.
 *
 * Shape:   wanted may be NULL if num_wanted is 0; then all erased locations are wanted.
 * Errors:  XL_INVALID_ARGUMENT if a location is out of range, named twice, or wanted but not
 *          erased; XL_DAMAGED if the wanted chunks cannot be rebuilt. After any error, *plan is
 *          NULL. */
XORLOOM_API int xl_plan_create(const xl_codec* codec, const int erased[], int num_erased,
                               const int wanted[], int num_wanted, xl_plan** plan);

/* What a repair rebuilds, and what it costs to read the surviving chunks.
 *
 * A chunk consists of xl_info.units units that can be read separately. On packets, unit u is packet
 * u of each super-block. On words, it is sub-chunk u: chunk_bytes/units bytes from
 * u*chunk_bytes/units on.
 *
 * Set size to sizeof(xl_repair). Every other field may be zero and then takes its default. The
 * rules for size are those of xl_options. */
typedef struct xl_repair {
  size_t size;
  const int* erased; /* the lost locations */
  int num_erased;
  const int* wanted; /* those of erased to rebuild; may be NULL if num_wanted is 0 */
  int num_wanted;    /* 0: all of erased are wanted */
  /* units[i] lists num_units[i] units to rebuild of wanted[i], or of erased[i] if num_wanted is 0,
   * ascending. If units is NULL, all units of all of them are rebuilt. Other units may stay
   * unwritten; see xl_plan_units_written. */
  const uint32_t* const* units;
  const int* num_units; /* needed if units is not NULL */
  /* For each location of the codec, the cost of reading one of its units, 0 to 1,000,000. If it is
   * NULL, each cost is 1. A cost may stand for time, distance or load. */
  const uint64_t* read_costs;
  const int* at_hand; /* locations whose chunks are in memory; the plan may read them at no cost */
  int num_at_hand;
  int whole_chunks; /* not 0: read either all of a chunk or none of it */
} xl_repair;

/* Makes a plan that rebuilds what a repair wants from the survivors that cost the least to read.
 * Every call makes a new plan. Destroy each *plan that you get.
 *
 * Errors:  XL_INVALID_ARGUMENT if a location or unit is out of range or named twice, if a location
 *          is wanted but not erased, or at hand but erased, or if a cost is too high; XL_DAMAGED if
 *          the wanted units cannot be rebuilt; for size, those of xl_options. After any error,
 *          *plan is NULL.
 * Cost:    choosing what to read takes about a millisecond, more for very large codes; making the
 *          plan takes as long as in xl_plan_create. */
XORLOOM_API int xl_plan_create_repair(const xl_codec* codec, const xl_repair* repair,
                                      xl_plan** plan);

/* Returns a new handle of the plan that xl_encode runs. Destroy each *plan that you get. */
XORLOOM_API int xl_plan_create_encoding(const xl_codec* codec, xl_plan** plan);

/* The locations that a plan reads, and those that it writes, ascending.
 *
 * Shape:  *locations becomes a pointer to *num_locations numbers. They live as long as the plan.
 * Errors: XL_INVALID_ARGUMENT if an argument is NULL. */
XORLOOM_API int xl_plan_reads(const xl_plan* plan, const int** locations, int* num_locations);
XORLOOM_API int xl_plan_writes(const xl_plan* plan, const int** locations, int* num_locations);

/* The units that a plan reads of a location, and those that it computes, ascending; see xl_repair.
 * What it does not read of a chunk may hold any bytes. Units that it does not compute keep their
 * bytes; a plan of a split sets them to zero.
 *
 * Shape:  *units becomes a pointer to *num_units numbers; none if the plan does not read, or write,
 *         the location. They live as long as the plan.
 * Errors: XL_INVALID_ARGUMENT if location is less than 0 or an argument is NULL. */
XORLOOM_API int xl_plan_units_read(const xl_plan* plan, int location, const uint32_t** units,
                                   int* num_units);
XORLOOM_API int xl_plan_units_written(const xl_plan* plan, int location, const uint32_t** units,
                                      int* num_units);

/* Runs a plan on one stripe. A plan may be used after its codec is destroyed.
 *
 * Buffers: as for xl_encode; pointers to chunks that are neither read nor written may be NULL.
 * Errors:  those of xl_encode.
 * Cost:    on one thread, no heap allocation and at most 32 KiB of stack. */
XORLOOM_API int xl_plan_run(const xl_plan* plan, uint8_t* const chunks[], size_t chunk_bytes);

/* The same on chunks in memory of a device; see xl_encode_device. */
XORLOOM_API int xl_plan_run_device(const xl_plan* plan, void* memory, const uint64_t places[],
                                   void* queue, size_t chunk_bytes);

/* Makes a repair whose locations stand at several sites, such as racks. For each wanted chunk,
 * every site computes one sum from its own chunks and sends it to the home site, which adds the
 * sums with xl_add_sums:
 *
 *     site 0, home   chunks 1 ... 4    -> a sum  |
 *     site 1         chunks 5 ... 9    -> a sum  |->  chunk 0 = XOR of the three
 *     site 2         chunks 10, 11     -> a sum  |
 *
 * So a site sends at most one chunk per wanted chunk, however many it reads. If several chunks are
 * wanted, a site may read less than it would send: see xl_site.units_read. Then sending the chunks
 * themselves costs less.
 *
 * The repair uses as few sites as possible. Among equals it takes a choice that sends the fewest
 * units to the home site, and among these one that costs the least to read. Every call makes new
 * plans. Destroy each *split that you get.
 *
 * Shape:   sites holds one number per location of the codec, lost or not: the site where it stands.
 *          Sites are numbered from 0, at most 16 of them, and each has a location.
 * Errors:  those of xl_plan_create_repair; XL_INVALID_ARGUMENT if a site is out of range or has no
 *          location, or if nothing is erased. After any error, *split is NULL.
 * Cost:    it tries all smaller sets of sites, and sets of the final size until 64 of them can do
 *          the repair. Each try costs as much as the choice in xl_plan_create_repair. Then it makes
 *          one plan per site that takes part. */
XORLOOM_API int xl_split_create(const xl_codec* codec, const xl_repair* repair, const int sites[],
                                xl_split** split);

/* The part of one site: a plan that runs there.
 *
 * The plan reads chunks of the site; chunk pointers to other sites' chunks may be NULL. The chunk
 * pointer of each wanted location must point to a buffer of chunk_bytes at the site. The plan fills
 * it with the site's sum. xl_plan_writes lists the wanted chunks for which the site has a sum;
 * xl_plan_units_written lists the units of each sum. The plan sets other units to zero. They need
 * not be sent if the receiver has zeros there. The caller sets size, as in xl_info. */
typedef struct xl_site {
  size_t size;
  int number;          /* of the site */
  const xl_plan* plan; /* lives as long as the split; do not destroy it */
  size_t units_read;   /* units that the plan reads; xl_info.units make a chunk */
  size_t units_sent;   /* units of sums that the site computes; all sites but home send them */
} xl_site;

/* The number of sites that take part, and the number of the site that holds the first wanted
 * location. The home site takes part only if it reads something. */
XORLOOM_API int xl_split_sites(const xl_split* split, int* num_sites, int* home);

/* Fills in the part of a site that takes part. The parts are ordered by the numbers of their sites.
 *
 * Errors:  XL_INVALID_ARGUMENT if index is not one of 0 to num_sites - 1; see xl_split_sites. */
XORLOOM_API int xl_split_site(const xl_split* split, int index, xl_site* site);

/* Rebuilds a chunk by adding the sums that the sites of a split have computed for it. All of the
 * chunk is overwritten: a unit that is zero in every sum becomes zero. With no sums, the whole
 * chunk becomes zero.
 *
 * Shape:   sums holds num_sums pointers, 0 or more. Each sum and the chunk have `bytes` bytes. This
 *          may be any number, such as the bytes of one unit.
 * Buffers: no alignment is needed; the chunk must not overlap any sum (checked).
 * Errors:  XL_INVALID_ARGUMENT if num_sums is less than 0, a needed pointer is NULL or buffers
 *          overlap; XL_UNSUPPORTED if XORLOOM_ISA names an instruction set that is not available;
 *          XL_INTERNAL if its kernel fails the test that the first call runs. Then nothing is
 *          written.
 * Cost:    one thread reads each sum once and allocates nothing after the first call. */
XORLOOM_API int xl_add_sums(const uint8_t* const sums[], int num_sums, uint8_t* chunk,
                            size_t bytes);

/* Allocates memory for the chunks of a stripe, not initialised. The chunks are placed so that they
 * do not compete for the same cache sets. In L2, chunks that all begin at page boundaries were
 * measured to be 20 to 60 % slower. Where devices code, it is memory that they reach without a copy
 * in between, if they offer some.
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

/* Destroy a plan, a split or a codec. NULL is allowed. */
XORLOOM_API void xl_plan_destroy(xl_plan* plan);
XORLOOM_API void xl_split_destroy(xl_split* split);
XORLOOM_API void xl_codec_destroy(xl_codec* codec);

/* A short name of a status, for example "invalid argument". Never NULL. */
XORLOOM_API const char* xl_strerror(int status);

/* The error sentence of the last call on this thread that returned a status other than XL_OK. It
 * names the value and the bound. Never NULL; valid until the next such call on this thread. */
XORLOOM_API const char* xl_last_error(void);

/* The version of the library, such as "0.2.0+dev"; XORLOOM_VERSION is that of the header. Never
 * NULL. */
XORLOOM_API const char* xl_version(void);

#ifdef __cplusplus
}
#endif

#include "xorloom/fingerprint.h"
#include "xorloom/fragment.h"

#endif
