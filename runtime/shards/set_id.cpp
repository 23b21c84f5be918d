#include "runtime/shards/set_id.hpp"

#include <fmt/format.h>

#include <charconv>
#include <random>

namespace xorloom {

SetId draw_set_id() {
  std::random_device random;
  SetId id;
  for (std::uint8_t& byte : id.bytes) byte = static_cast<std::uint8_t>(random());
  return id;
}

std::string to_string(const SetId& id) {
  std::string digits;
  for (const std::uint8_t byte : id.bytes) digits += fmt::format("{:02x}", byte);
  return digits;
}

std::optional<SetId> set_id_of(std::string_view digits) {
  SetId id;
  if (digits.size() != 2 * SetId::kBytes) return std::nullopt;
  for (std::size_t i = 0; i < SetId::kBytes; ++i) {
    const char* const from = digits.data() + 2 * i;
    const auto [end, error] = std::from_chars(from, from + 2, id.bytes[i], 16);
    if (error != std::errc{} || end != from + 2) return std::nullopt;
  }
  // Capital letters would make two texts of one id.
  if (to_string(id) != digits) return std::nullopt;
  return id;
}

}  // namespace xorloom
