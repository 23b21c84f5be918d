#pragma once

#include <cstddef>
#include <cstdint>

namespace xorloom::isal {

// Products of a matrix over GF(2^8), by 0x11d, with vectors of bytes, as ISA-L computes them. ISA-L
// represents a coefficient by 32 bytes, the second of which is the coefficient.

/// Bytes that represent a coefficient.
inline constexpr std::size_t kTableBytes = 32;

/// written[i] = the sum over j of coefficient (i, j) times read[j], `bytes` bytes each.
///
/// Shape:   tables has rows x k coefficients, row by row, `stride` of them to a row.
/// Buffers: no alignment is needed; what is written does not overlap anything else that is. It may
///          lie over what is read: then all sums are those of the bytes before the call.
/// Cost:    kernels read the matrix as data, so a new matrix costs no more than a known one. Once
///          the calls with a matrix have taken several times as long as machine code takes to be
///          made, the next call makes it. Up to 32 MiB of machine code are kept.
void multiply(std::size_t bytes, std::size_t k, std::size_t rows, std::size_t stride,
              const std::uint8_t* tables, const std::uint8_t* const* read,
              std::uint8_t* const* written) noexcept;

/// written[i] = itself plus coefficient (i, 0) times read. The rest is as above.
void add_product(std::size_t bytes, std::size_t rows, std::size_t stride,
                 const std::uint8_t* tables, const std::uint8_t* read,
                 std::uint8_t* const* written) noexcept;

}  // namespace xorloom::isal
