#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gen/vector/machine_program.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// What is asked for: a program for a map, on a kind of machine.
struct WisdomKey {
  std::uint64_t map = 0;       ///< a checksum of the direct equations, wherever their cells lie
  std::uint32_t operands = 0;  ///< of an XOR of the machine: 2 (AVX2) or 3 (AVX-512)
  friend bool operator==(const WisdomKey&, const WisdomKey&) = default;
};

/// The key of direct equations.
WisdomKey wisdom_key(const Program& direct, std::uint32_t operands);

/// An entry as bytes; docs/wisdom.md has the format.
std::vector<std::uint8_t> wisdom_bytes(const WisdomKey& key, const OrderedProgram& entry);

/// The bytes of the entry that some bytes begin with, and its key, if they are one of this version.
/// Its checksum is not compared.
struct WisdomRecord {
  WisdomKey key;
  Effort effort;
  std::span<const std::uint8_t> bytes;
};
std::optional<WisdomRecord> first_record(std::span<const std::uint8_t> bytes);

/// What a record holds, or none if it is damaged.
std::optional<OrderedProgram> entry_of(const WisdomRecord& record);

}  // namespace xorloom
