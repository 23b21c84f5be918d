#include "runtime/plans/device_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace xorloom {

std::string description_of(const DeviceSet& set) {
  std::string text;
  for (const auto& pool : set.pools) {
    const Device& device = pool->device();
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", device.name(), device.driver());
  }
  return text;
}

double predicted_seconds(const DeviceRates& rates, const DeviceWork& work) {
  const KernelRates& kernel =
      work.arrangement == Arrangement::kPacket ? rates.packets : rates.words;
  const double bytes = work.bytes_in + work.bytes_out;
  const auto slices = static_cast<double>(num_slices({}, static_cast<std::size_t>(bytes), 1));
  const double copying = std::min(
      {static_cast<double>(work.threads), slices, static_cast<double>(SliceSizes{}.lanes)});
  const std::array parts = {bytes * rates.byte_staged / copying, work.bytes_in * rates.byte_in,
                            work.bytes_out * rates.byte_out,
                            std::max(bytes * kernel.byte, work.operations * kernel.operation)};
  const double longest = std::ranges::max(parts);
  const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
  return rates.call + longest + (all - longest) / slices;
}

}  // namespace xorloom
