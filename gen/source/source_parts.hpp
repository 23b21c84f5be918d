#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// A temporary that one part of a program leaves to later ones, in a slot of a buffer.
struct KeptValue {
  Element element;
  std::uint32_t slot;
  friend bool operator==(const KeptValue&, const KeptValue&) = default;
};

/// Equations that one function of a generated file computes, first … last - 1 of the program, and
/// what it has to do with the world outside.
struct SourcePart {
  std::size_t first;
  std::size_t last;
  std::vector<Element> loaded;   ///< cells it reads: inputs, and outputs of earlier parts
  std::vector<Element> stored;   ///< outputs it assigns
  std::vector<KeptValue> taken;  ///< temporaries of earlier parts that it reads
  std::vector<KeptValue> kept;   ///< its temporaries that later parts read

  bool touches_chunks() const { return !loaded.empty() || !stored.empty(); }
  bool touches_kept() const { return !taken.empty() || !kept.empty(); }
};

struct SourceParts {
  std::vector<SourcePart> parts;
  std::size_t slots = 0;
};

/// Cuts a program into parts of at most that many operands, or of one equation: compilers take more
/// than twice the time for a function of twice the size. Slots are used again once their value is
/// dead.
SourceParts split_into_parts(const Program& program, std::size_t most_operands);

}  // namespace xorloom
