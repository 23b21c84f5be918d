#include "runtime/files/user_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// The end of the run of data cells that begins at `first`, as an index into Code::data.
std::size_t end_of_run(const Code& code, std::size_t first) {
  std::size_t end = first + 1;
  while (end < code.data.size() && code.data[end] == code.data[end - 1] + 1 &&
         code.location_of_cell(code.data[end]) == code.location_of_cell(code.data[first])) {
    ++end;
  }
  return end;
}

/// Calls visit(location, offset in the chunk, bytes) for each contiguous part of the user's bytes,
/// in their order, until it returns false.
template <typename Visit>
void visit_parts(const Code& code, std::size_t chunk_bytes, const Visit& visit) {
  // Bytes of a location in which each of its cells has one contiguous part.
  const bool is_packets = code.arrangement == Arrangement::kPacket;
  const std::size_t block = is_packets ? code.rows() * code.packet_bytes : chunk_bytes;
  const std::size_t cell_bytes = block / code.subchunks;
  for (std::size_t first = 0, end = 0; first < code.data.size(); first = end) {
    end = end_of_run(code, first);
    const Cell cell = code.data[first];
    const std::size_t part = (end - first) * cell_bytes;
    if (part == block) {
      if (!visit(code.location_of_cell(cell), 0, chunk_bytes)) return;
      continue;
    }
    for (std::size_t offset = cell % code.subchunks * cell_bytes; offset < chunk_bytes;
         offset += block) {
      if (!visit(code.location_of_cell(cell), offset, part)) return;
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

std::vector<UserPart> user_parts(const Code& code, std::size_t chunk_bytes, std::size_t begin,
                                 std::size_t end) {
  std::vector<UserPart> parts;
  std::size_t at = 0;  // user bytes before the part
  visit_parts(code, chunk_bytes, [&](std::size_t location, std::size_t offset, std::size_t bytes) {
    const std::size_t from = std::max(at, begin);
    const std::size_t to = std::min(at + bytes, end);
    if (from < to) parts.push_back({location, offset + (from - at), to - from});
    at += bytes;
    return at < end;
  });
  return parts;
}

}  // namespace xorloom
