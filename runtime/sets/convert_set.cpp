#include "runtime/sets/convert_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "codes/text/error.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/shards/file_info.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/range_reading.hpp"
#include "runtime/shards/stripe_buffer.hpp"

namespace xorloom {
namespace {

/// The bytes of a set's file, from its beginning to its end.
class SetInput {
 public:
  SetInput(const FoundShards& found, const OpenedSet& set, SetDamage& damage)
      : found_(found),
        set_(set),
        reader_(set, {}),
        damage_(damage),
        buffer_(set.code(), set.header().block_bytes) {}

  /// Fills a span; fewer only at the end. Errors: throws kDamaged at a stripe that is lost.
  std::size_t read(std::span<std::uint8_t> bytes) {
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

 private:
  bool read_stripe() {
    if (stripe_ == num_blocks(set_.header())) return false;
    if (stripe_ == set_.num_readable_stripes()) damage_.add_beyond(set_);
    if (damage_.lost_stripes.empty()) damage_.add(reader_.read(stripe_, Rebuild::kYes, buffer_));
    if (!damage_.lost_stripes.empty()) {
      fail(kind_of_loss(found_, set_.set()),
           fmt::format("set {} cannot be recovered, and was not converted: of {} stripes, {}{}",
                       to_string(set_.header().set), num_blocks(set_.header()),
                       to_string(damage_.lost_stripes, set_.header()),
                       describe_others(found_, set_.set())));
    }
    left_ = reader_.collect(stripe_, buffer_, part_);
    ++stripe_;
    return true;
  }

  const FoundShards& found_;
  const OpenedSet& set_;
  RangeReader reader_;
  SetDamage& damage_;
  StripeBuffer buffer_;
  std::uint64_t stripe_ = 0;
  std::vector<std::uint8_t> part_;
  std::span<const std::uint8_t> left_;
};

}  // namespace

ConvertedSet convert_set(const SetConversion& conversion, Progress& progress) {
  ConvertedSet result;
  result.found = find_shards(conversion.directories);
  Options reading = codec_options(conversion.options);
  reading.packet_bytes = 0;  // these are of the new code
  reading.atlas.clear();
  const OpenedSet set(result.found, conversion.set_digits, reading, conversion.bounds);
  result.before = &set.set();
  SetInput input(result.found, set, result.damage);
  progress.total = set.header().file_bytes;
  result.encoded =
      encode_set({.read = [&](std::span<std::uint8_t> bytes) { return input.read(bytes); },
                  .directories = conversion.directories,
                  .code = conversion.code,
                  .options = conversion.options,
                  .converted = set.header(),
                  .info = remembered(set.header()),
                  .holds_files = holds_files(set.header())},
                 progress);
  return result;
}

}  // namespace xorloom
