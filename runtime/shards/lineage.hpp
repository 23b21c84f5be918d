#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/shards/set_id.hpp"

namespace xorloom {

/// The earlier generations of a set. A set has a lineage from its first change in place on; every
/// shard has it between its last block and its last header.
///
/// Generations that were the last for some shard are kept long, since that shard may come back. Of
/// the others the latest are kept.
struct Lineage {
  /// The generation before the lineage began; 0 if the lineage is not known. Blocks of generations
  /// up to it tell nothing of lost writes.
  std::uint64_t base = 0;
  /// The generation of the last change that gave the set another code in place; 0: none. It enters
  /// the checksums of redundancy, as blocks of the old code may be in the same places.
  std::uint64_t recoded = 0;
  std::uint64_t present = 0;  ///< presence() of the shards that took part in the last change
  std::vector<std::uint64_t> parted;  ///< generations after which other shards took part in the
                                      ///< next change
  std::vector<std::uint64_t> recent;  ///< the latest others, ascending

  bool is_known() const { return base != 0; }

  /// All known generations, ascending.
  std::vector<std::uint64_t> generations() const;

  /// True if `generation` is known to have come before.
  bool has(std::uint64_t generation) const;

  bool operator==(const Lineage&) const = default;
};

/// Hash of the number of copies of each location, in order of locations.
std::uint64_t presence(std::span<const std::size_t> copies) noexcept;

/// The lineage of the generation that follows `generation_before`, whose lineage is `before`
/// (nullopt: it has none).
///
/// Shape: `present` is presence() of the shards that take part in the change.
Lineage next_lineage(const std::optional<Lineage>& before, std::uint64_t generation_before,
                     std::uint64_t present);

/// Bytes of a lineage in a shard, however many generations it has.
inline constexpr std::size_t kLineageBytes = 4096;

/// A lineage as it stands in a shard of `set` and `generation`.
std::vector<std::uint8_t> lineage_text(const Lineage& lineage, const SetId& set,
                                       std::uint64_t generation);

/// Reads a lineage; nullopt if `text` is not the lineage of `set` and `generation`.
std::optional<Lineage> read_lineage(std::span<const std::uint8_t> text, const SetId& set,
                                    std::uint64_t generation);

}  // namespace xorloom
