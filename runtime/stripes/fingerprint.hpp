#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codes/code.hpp"
#include "codes/error_location.hpp"
#include "runtime/kernels/isa.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

// A fingerprint is a keyed linear map of a chunk that commutes with every code. A chunk has R rows
// of bits: the packets of one number, or one bit of all symbols of a sub-chunk. A code adds rows,
// bit by bit. So if all rows are mapped by the same linear map L over GF(2), sums stay sums: L of a
// redundant row is the code's sum of the L of rows of data. No product of the field is needed, so
// the map does not depend on the field or its basis.
//
//   row = words s_0, s_1, …  of 64 bits, as elements of GF(2^64); a block is 512 of them
//   L(row) = sum over blocks b and i < 512 of  k_i · g^(B - 1 - b) · s_(512·b + i)
//
// where B is the number of blocks. This is a polynomial in g of degree less than B; its
// coefficients are inner products with k. For random g and k, a row other than zero has L(row) = 0
// with probability at most B/2^64. g and k are made from a key of 64 bits.
//
// Source: J. L. Carter and M. N. Wegman, Universal classes of hash functions, J. Comput. Syst. Sci.
// 18, 1979; for linear maps of coded chunks, T. J. E. Schwarz and E. L. Miller, Store, forget, and
// check: using algebraic signatures to check remotely administered storage, ICDCS 2006.

/// Words of a row in a block; 32,768 bits.
inline constexpr std::size_t kFingerprintBlockWords = 512;

/// Bytes of a fingerprint: 8 for each row of a chunk.
std::size_t fingerprint_bytes(const Code& code);

/// Codec::fingerprint.
Status fingerprint_chunk(const Code& code, Isa isa, const std::uint8_t* chunk,
                         std::size_t chunk_bytes, std::uint64_t key,
                         std::span<std::uint8_t> fingerprint) noexcept;

/// Codec::check_fingerprints: writes the fingerprints as chunks of 64 columns, which have to agree
/// as those of a stripe do. `encoding` is the plan that encodes.
ErrorLocation check_fingerprints(const Code& code, const Plan& encoding,
                                 std::span<const std::size_t> lost,
                                 const std::uint8_t* const* fingerprints);

}  // namespace xorloom
