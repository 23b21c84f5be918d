#include "runtime/files/checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace xorloom {

std::uint64_t checksum(std::span<const std::uint8_t> bytes,
                       std::span<const std::uint8_t> more) noexcept {
  if (more.empty()) return XXH3_64bits(bytes.data(), bytes.size());
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  XXH3_64bits_update(&state, bytes.data(), bytes.size());
  XXH3_64bits_update(&state, more.data(), more.size());
  return XXH3_64bits_digest(&state);
}

std::uint64_t checksum(std::span<const std::uint8_t> bytes, const SpacedParts& parts) noexcept {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  XXH3_64bits_update(&state, bytes.data(), bytes.size());
  for (std::size_t i = 0; i < parts.number; ++i) {
    XXH3_64bits_update(&state, parts.first + i * parts.step, parts.part_bytes);
  }
  return XXH3_64bits_digest(&state);
}

struct RunningChecksum::State {
  XXH3_state_t state;
};

RunningChecksum::RunningChecksum() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(&state_->state);
}

RunningChecksum::~RunningChecksum() = default;

void RunningChecksum::add(std::span<const std::uint8_t> bytes) noexcept {
  XXH3_64bits_update(&state_->state, bytes.data(), bytes.size());
}

std::uint64_t RunningChecksum::value() const noexcept { return XXH3_64bits_digest(&state_->state); }

}  // namespace xorloom
