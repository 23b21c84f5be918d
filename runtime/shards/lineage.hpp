#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/shards/set_id.hpp"

namespace xorloom {

/// The generations that a set had before its present one. A set has a lineage from its first change
/// in place on; every shard has it between its last block and its last header.
///
/// A generation that was the last for some shard is kept for long, since that shard may come back.
/// Of the others the latest are kept.
struct Lineage {
  /// The generation before the first change that began a lineage; 0 if the lineage is not known.
  /// Blocks that are not of a later generation tell nothing of lost writes.
  std::uint64_t base = 0;
  /// The generation of the last change that gave the set another code in place, or 0. Redundancy is
  /// checked by it, as that of the code before may stand in the same places.
  std::uint64_t recoded = 0;
  std::uint64_t present = 0;  ///< presence() of the shards that took part in the last change
  std::vector<std::uint64_t> parted;  ///< other shards took part in the change that followed
  std::vector<std::uint64_t> recent;  ///< the latest others, ascending

  bool is_known() const { return base != 0; }

  /// All that is known, ascending.
  std::vector<std::uint64_t> generations() const;

  /// Whether a generation is one that came before.
  bool has(std::uint64_t generation) const;

  bool operator==(const Lineage&) const = default;
};

/// Stands for how many copies each location has, in their order.
std::uint64_t presence(std::span<const std::size_t> copies) noexcept;

/// The lineage of the generation that follows on one with a lineage, or without.
///
/// Shape: present is the presence of the shards that take part in the change.
Lineage next_lineage(const std::optional<Lineage>& before, std::uint64_t generation_before,
                     std::uint64_t present);

/// Bytes of a lineage in a shard, whatever it has.
inline constexpr std::size_t kLineageBytes = 4096;

/// A lineage as it stands in a shard of a set and a generation.
std::vector<std::uint8_t> lineage_text(const Lineage& lineage, const SetId& set,
                                       std::uint64_t generation);

/// What some bytes say; none if they are not the lineage of that set and generation.
std::optional<Lineage> read_lineage(std::span<const std::uint8_t> text, const SetId& set,
                                    std::uint64_t generation);

}  // namespace xorloom
