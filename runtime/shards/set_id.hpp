#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xorloom {

/// The 16 random bytes that tell one shard set from every other.
struct SetId {
  static constexpr std::size_t kBytes = 16;
  std::array<std::uint8_t, kBytes> bytes{};
  auto operator<=>(const SetId&) const = default;
};

/// A set id that no other set has.
SetId draw_set_id();

/// 32 hexadecimal digits, small letters.
std::string to_string(const SetId& id);

/// The set id of 32 hexadecimal digits; nullopt if `digits` is something else.
std::optional<SetId> set_id_of(std::string_view digits);

}  // namespace xorloom
