#include "runtime/user_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "codes/error.hpp"

namespace xorloom {
namespace {

/// Calls visit(location, offset in the chunk, bytes) for each contiguous part of the user's bytes,
/// in their order, until it returns false.
template <typename Visit>
void visit_parts(const Code& code, std::size_t chunk_bytes, const Visit& visit) {
  std::size_t part = chunk_bytes / code.subchunks;
  std::size_t stride = part;  // from one part of a cell to the next
  if (code.arrangement == Arrangement::kPacket && code.subchunks > 1) {
    part = code.field.w() * code.packet_bytes;
    stride = code.rows() * code.packet_bytes;
  }
  for (const Cell cell : code.data) {
    for (std::size_t offset = cell % code.subchunks * part; offset < chunk_bytes;
         offset += stride) {
      if (!visit(code.location_of_cell(cell), offset, part)) return;
      if (stride == part) break;
    }
  }
}

}  // namespace

std::size_t data_capacity(const Code& code, std::size_t chunk_bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 62;
  if (chunk_bytes > kMost / code.data.size()) {
    fail(Status::kInvalidArgument,
         fmt::format("a chunk of {} bytes makes the stripe larger than 2^62", chunk_bytes));
  }
  return chunk_bytes / code.subchunks * code.data.size();
}

std::size_t chunk_bytes_for(const Code& code, std::size_t data_bytes) {
  const std::size_t multiple = chunk_multiple(code);
  const std::size_t least = data_capacity(code, multiple);
  const std::size_t times = data_bytes / least + (data_bytes % least != 0 ? 1 : 0);
  return multiple * std::max<std::size_t>(1, times);
}

std::vector<std::size_t> data_locations(const Code& code, std::size_t chunk_bytes,
                                        std::size_t user_bytes) {
  const std::size_t cell_bytes = chunk_bytes / code.subchunks;
  std::set<std::size_t> locations;
  for (std::size_t j = 0; j < code.data.size() && j * cell_bytes < user_bytes; ++j) {
    locations.insert(code.location_of_cell(code.data[j]));
  }
  return {locations.begin(), locations.end()};
}

void spread_user_bytes(const Code& code, std::span<const std::uint8_t> user_bytes,
                       std::uint8_t* const* chunks, std::size_t chunk_bytes) {
  visit_parts(code, chunk_bytes, [&](std::size_t location, std::size_t offset, std::size_t bytes) {
    const std::size_t given = std::min(bytes, user_bytes.size());
    std::uint8_t* const part = chunks[location] + offset;
    std::ranges::copy(user_bytes.first(given), part);
    std::fill(part + given, part + bytes, std::uint8_t{0});
    user_bytes = user_bytes.subspan(given);
    return true;
  });
}

void collect_user_bytes(const Code& code, const std::uint8_t* const* chunks,
                        std::size_t chunk_bytes, std::span<std::uint8_t> user_bytes) {
  if (user_bytes.empty()) return;
  visit_parts(code, chunk_bytes, [&](std::size_t location, std::size_t offset, std::size_t bytes) {
    const std::size_t taken = std::min(bytes, user_bytes.size());
    std::copy_n(chunks[location] + offset, taken, user_bytes.data());
    user_bytes = user_bytes.subspan(taken);
    return !user_bytes.empty();
  });
}

}  // namespace xorloom
