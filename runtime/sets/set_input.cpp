#include "runtime/sets/set_input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codes/text/error.hpp"
#include "runtime/shards/settled_reading.hpp"

namespace xorloom {

SetInput::SetInput(const FoundShards& found, const OpenedSet& set, SetDamage& damage)
    : found_(found),
      set_(set),
      reader_(set, {}),
      damage_(damage),
      buffer_(set.code(), set.header().block_bytes) {}

std::size_t SetInput::read(std::span<std::uint8_t> bytes) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    if (left_.empty() && !read_stripe()) break;
    const std::size_t count = std::min(left_.size(), bytes.size() - filled);
    std::ranges::copy(left_.first(count), bytes.begin() + static_cast<std::ptrdiff_t>(filled));
    left_ = left_.subspan(count);
    filled += count;
  }
  return filled;
}

bool SetInput::read_stripe() {
  if (stripe_ == num_blocks(set_.header())) return false;
  if (stripe_ == set_.num_readable_stripes()) damage_.add_beyond(set_);
  if (damage_.lost_stripes.empty()) {
    const StripeReading reading = reader_.read(stripe_, Rebuild::kYes, buffer_);
    stamp_ = reading.stamp;
    damage_.add(reading);
  }
  if (!damage_.lost_stripes.empty()) {
    check_unchanged(set_.set());
    fail(kind_of_loss(found_, set_.set()),
         fmt::format("set {} cannot be recovered, and was not converted: {}{}",
                     to_string(set_.header().set), loss_text(damage_.lost_stripes, set_),
                     describe_others(found_, set_.set())));
  }
  left_ = reader_.collect(stripe_, buffer_, part_);
  ++stripe_;
  return true;
}

}  // namespace xorloom
