#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {

// The oracle: the reference that every kernel, executor and generated file is tested against. It is
// slow and plain on purpose, works from the matrix (never from a program), and shares no code with
// what it tests.

/// Computes packets byte by byte: each byte of an output element is the XOR of the bytes at its
/// offset of the input elements in its row of `matrix`.
///
/// Shape:   matrix is outputs.size() x inputs.size(); `rows` packets of packet_bytes per
///          super-block.
/// Buffers: chunks has one pointer per location; chunk_bytes is a multiple of rows·packet_bytes.
///          Virtual elements of an update lie in further chunks: element e is row e % rows of
///          chunks[e / rows].
void oracle_packets(const BitMatrix& matrix, std::span<const Element> inputs,
                    std::span<const Element> outputs, std::size_t rows, std::size_t packet_bytes,
                    std::uint8_t* const* chunks, std::size_t chunk_bytes);

/// Computes words symbol by symbol, multiplying by shift and add.
///
/// Buffers: chunks has one pointer per location; chunk_bytes is a multiple of chunk_multiple(code).
void oracle_words(const Code& code, const LinearMap& map, std::uint8_t* const* chunks,
                  std::size_t chunk_bytes);

/// Computes a map of a code in the code's own arrangement.
void oracle(const Code& code, const LinearMap& map, std::uint8_t* const* chunks,
            std::size_t chunk_bytes);

}  // namespace xorloom
