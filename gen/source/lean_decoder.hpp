#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codes/code.hpp"

namespace xorloom {

/// Memory that a lean decoder takes, in bytes.
struct DecoderMemory {
  std::size_t state;   ///< static, read and written
  std::size_t tables;  ///< static, read only: the factors of the code and the numbers of its cells
  std::size_t stack;   ///< the largest array of a function
};

DecoderMemory decoder_memory(const Code& code);

/// Writes source in C99 that makes the decoding equations of a code by itself, for machines with
/// little memory: it allocates nothing and calls no library. Its two functions are
///
///     int xl_NAME_invert(const uint16_t lost[], size_t num_lost)
///     int xl_NAME_recover(uint8_t *const chunks[], size_t chunk_bytes)
///
/// invert solves the code's equations for u lost data cells by Gauss-Jordan elimination in place.
/// Its state is a matrix of u x u symbols, and it takes O(u^3) products for a code that survives
/// any m losses. For other codes it takes the first redundant cells that determine the lost ones.
/// recover multiplies the inverse by the factors of the code as it goes, so that it needs no matrix
/// of all cells.
///
/// The written tables are read back and compared with the code.
///
/// Errors: throws kUnsupported for planes, and for a code whose state, tables or number of cells
///         exceed kMostDecoderState, kMostDecoderTables and 65,535; kInvalidArgument for a bad
///         name; kInternal if the text does not hold the tables of the code.
/// Source: P. Sobe, Coding for Reliable Data Storage on Different Hardware Platforms, ARCS 2009,
///         section 2: equations provided when failures are detected.
std::string emit_lean_decoder(const Code& code, const std::optional<std::string>& name = {});

/// Writes a header that declares both functions.
///
/// Errors: those of emit_lean_decoder, except kInternal.
std::string emit_lean_decoder_header(const Code& code, const std::optional<std::string>& name = {});

inline constexpr std::size_t kMostDecoderState = std::size_t{1} << 16;
inline constexpr std::size_t kMostDecoderTables = std::size_t{1} << 20;

}  // namespace xorloom
