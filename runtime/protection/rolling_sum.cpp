#include "runtime/protection/rolling_sum.hpp"

namespace xorloom {

RollingSum::RollingSum(std::span<const std::uint8_t> window) noexcept
    : length_(static_cast<std::uint32_t>(window.size())) {
  // Groups of a fixed length become vector instructions.
  constexpr std::uint32_t kGroup = 64;
  std::size_t i = 0;
  for (; i + kGroup <= window.size(); i += kGroup) {
    std::uint32_t plain = 0;
    std::uint32_t weighted = 0;
    for (std::uint32_t j = 0; j < kGroup; ++j) {
      plain += window[i + j];
      weighted += (kGroup - j) * window[i + j];
    }
    weighted_ += kGroup * plain_ + weighted;
    plain_ += plain;
  }
  for (; i < window.size(); ++i) {
    plain_ += window[i];
    weighted_ += plain_;
  }
}

}  // namespace xorloom
