#ifndef XORLOOM_FRAGMENT_H
#define XORLOOM_FRAGMENT_H

/* Fragments in C: chunks that say themselves what they are. xorloom.h includes this. */

#include "xorloom/xorloom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fragments: chunks with a header before each that says what they are. It is that of liberasurecode
 * 1.x, with CRC-32s of the chunk and of itself, and in bytes that liberasurecode leaves 0 a hash of
 * the code's canonical spec and a number that names the stripe. fragment.hpp says which fragments
 * liberasurecode reads, and what headers that it wrote cannot tell. */
#define XL_FRAGMENT_HEADER_BYTES 80

typedef struct xl_fragment {
  size_t location;     /* of the chunk */
  size_t chunk_bytes;  /* that follow the header */
  uint64_t data_bytes; /* of the stripe, without what was filled up */
} xl_fragment;

/* Makes the fragments of a stripe that holds the data. Their headers name the code and the stripe.
 *
 * Shape:  fragments holds one pointer per location, to fragment_bytes each, which is
 *         XL_FRAGMENT_HEADER_BYTES + xl_chunk_bytes_for(codec, data_bytes).
 * Errors: XL_INVALID_ARGUMENT if fragment_bytes is another, a needed pointer is NULL, a chunk would
 *         have 2^32 bytes or more, or fragments overlap. */
XORLOOM_API int xl_make_fragments(const xl_codec* codec, const uint8_t* data, size_t data_bytes,
                                  uint8_t* const fragments[], size_t fragment_bytes);

/* Writes the header before a chunk that is there already. It names the code, but no stripe.
 *
 * Shape:  fragment has XL_FRAGMENT_HEADER_BYTES + about->chunk_bytes bytes.
 * Errors: XL_INVALID_ARGUMENT if the location is not one of the codec's or the chunk has 2^32 bytes
 *         or more. */
XORLOOM_API int xl_write_fragment_header(const xl_codec* codec, const xl_fragment* about,
                                         uint8_t* fragment);

/* Names the stripe of a fragment: xl_join_fragments refuses fragments whose numbers differ. The
 * header is written anew. xl_make_fragments takes XXH3 of the data as the number.
 *
 * Shape:  stripe is any number; 0 names none.
 * Errors: those of xl_read_fragment_header. */
XORLOOM_API int xl_set_fragment_stripe(uint8_t* fragment, size_t fragment_bytes, uint64_t stripe);

/* What the header of a fragment says.
 *
 * Errors: XL_PARSE if it does not begin as one; XL_DAMAGED if it is cut short, or if a CRC is not
 *         that of the header or of the chunk. Chunks without a CRC are not checked. */
XORLOOM_API int xl_read_fragment_header(const uint8_t* fragment, size_t fragment_bytes,
                                        xl_fragment* about);

/* The data of a stripe, from enough of its fragments, in any order. What is damaged counts as not
 * there, and so does a location that comes again or that the code does not have.
 *
 * Shape:  data_bytes is what the headers say.
 * Errors: XL_INVALID_ARGUMENT if data_bytes is another, or if they are of different stripes or of
 *         another code, as far as headers tell; XL_DAMAGED if too few are intact, or if headers do
 *         not tell and some fragments contradict the others; XL_UNSUPPORTED if memory runs out. */
XORLOOM_API int xl_join_fragments(const xl_codec* codec, const uint8_t* const fragments[],
                                  const size_t fragment_bytes[], size_t num_fragments,
                                  uint8_t* data, size_t data_bytes);

#ifdef __cplusplus
}
#endif

#endif
