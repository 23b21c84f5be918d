#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "runtime/wisdom/wisdom_entry.hpp"

namespace xorloom {

/// The entries that the library carries, one after the other: library/README.md says which they
/// are.
std::span<const std::uint8_t> shipped_wisdom();

/// The record of a key among them, if there is one.
std::optional<WisdomRecord> shipped_record(const WisdomKey& key);

}  // namespace xorloom
