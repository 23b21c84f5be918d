#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codes/bitmatrix.hpp"
#include "codes/code.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {

// Data to accept kernels on. Cells that are no inputs of the map hold random bytes.

/// The bytes of the chunks of a stripe, by location.
using Chunks = std::vector<std::vector<std::uint8_t>>;

/// A stripe before a map is computed, and what it has to be afterwards.
struct Trial {
  std::string data;  ///< what it is, for a sentence
  Chunks before;
  Chunks after;
};

/// Trials of a map on packets.
class PacketTrials {
 public:
  PacketTrials(const Code& code, const LinearMap& map, std::size_t packet_bytes,
               std::size_t super_blocks);

  /// Places where a stripe can hold a vector of its own: here the bits of a packet, in each
  /// super-block.
  std::size_t lanes() const { return chunk_bytes_ / rows_ * 8; }

  /// The number of unit vectors: one for each input element.
  std::size_t vectors() const { return inputs_.size(); }

  /// As many unit vectors from `first` on as there are lanes, one in each; lanes that are left hold
  /// the zero vector.
  Trial units(std::size_t first) const;

  /// Random data, and what the oracle makes of it.
  Trial random() const;

 private:
  std::uint8_t* packet(Chunks& chunks, Element element, std::size_t super_block) const;
  void clear(Chunks& chunks, Element element) const;
  void set(Chunks& chunks, Element element, std::size_t lane) const;

  std::size_t rows_;
  std::size_t locations_;
  std::size_t packet_bytes_;
  std::size_t chunk_bytes_;
  BitMatrix matrix_;
  std::vector<Element> inputs_;
  std::vector<Element> outputs_;
};

/// The same on words: a lane is a symbol of a sub-chunk, a unit vector one bit of an input cell.
class WordTrials {
 public:
  /// Keeps references to both.
  WordTrials(const Code& code, const LinearMap& map, std::size_t subchunk_bytes);

  std::size_t lanes() const { return subchunk_bytes_ * 8 / w(); }
  std::size_t vectors() const { return map_.inputs.size() * w(); }
  Trial units(std::size_t first) const;
  Trial random() const;

 private:
  std::size_t w() const { return code_.field.w(); }
  Chunks random_stripe(std::uint64_t seed) const;
  std::uint8_t* subchunk(Chunks& chunks, Cell cell) const;
  void clear(Chunks& chunks, Cell cell) const;
  void set(Chunks& chunks, Cell cell, std::size_t lane, Field::Symbol symbol) const;

  const Code& code_;
  const LinearMap& map_;
  std::size_t subchunk_bytes_;
};

}  // namespace xorloom
