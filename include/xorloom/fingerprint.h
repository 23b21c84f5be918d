#ifndef XORLOOM_FINGERPRINT_H
#define XORLOOM_FINGERPRINT_H

/* Fingerprints in C: which chunks are wrong, found without sending any. xorloom.h includes this. */

#include "xorloom/xorloom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A fingerprint is a keyed hash of a chunk that commutes with the code: fingerprints of data and
 * redundancy agree as the chunks do. Any chunk but the right one has another fingerprint but with
 * probability 2^-64 for each 32,768 bits of a row, for a random key. The map is linear: fingerprints
 * of a XOR of chunks are the XOR of fingerprints. docs/fingerprints.md says more. */

/* Bytes of a fingerprint: 8 for each of xl_info.rows. 0 if codec is NULL. */
XORLOOM_API size_t xl_fingerprint_bytes(const xl_codec* codec);

/* Computes the fingerprint of a chunk. All machines compute the same one.
 *
 * Shape:   fingerprint has room for xl_fingerprint_bytes(codec).
 * Buffers: no alignment is needed; fingerprint must not overlap the chunk (checked).
 * Errors:  XL_INVALID_ARGUMENT if chunk_bytes is not a multiple as for xl_encode, a pointer is NULL,
 *          or they overlap. */
XORLOOM_API int xl_fingerprint(const xl_codec* codec, const uint8_t* chunk, size_t chunk_bytes,
                               uint64_t key, uint8_t* fingerprint);

/* Says which chunks are wrong by their fingerprints, which were computed with one key.
 *
 * Shape:  fingerprints holds one pointer per location; for all else see xl_locate_errors.
 * Errors: those of xl_locate_errors. */
XORLOOM_API int xl_check_fingerprints(const xl_codec* codec, const uint8_t* const fingerprints[],
                                      const int lost[], int num_lost, int wrong[],
                                      xl_error_location* found);

#ifdef __cplusplus
}
#endif

#endif
