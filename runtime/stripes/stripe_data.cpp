#include "runtime/stripes/stripe_data.hpp"

#include <fmt/format.h>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/stripes/scratch_chunks.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kMostData = std::size_t{1} << 62;

/// Checks a call on the first `used` bytes of a stripe's data; the buffer `data` has `bytes` bytes.
Status check_data(const Code& code, const std::uint8_t* data, std::size_t bytes, std::size_t used,
                  const std::uint8_t* const* chunks, std::size_t chunk_bytes) {
  if (const Status status = check_chunk_bytes(code, chunk_bytes); status != Status::kOk) {
    return status;
  }
  const std::size_t most = data_capacity(code, chunk_bytes);
  if (bytes > most) {
    return report(Status::kInvalidArgument,
                  "a stripe with chunks of {} holds {} of data, fewer than {}",
                  counted(chunk_bytes, "byte"), counted(most, "byte"), bytes);
  }
  if (data == nullptr && bytes != 0) return report(Status::kInvalidArgument, "data is null");
  if (used == 0) return Status::kOk;
  if (chunks == nullptr) {
    return report(Status::kInvalidArgument, "the array of chunk pointers is null");
  }
  for (const std::size_t location : data_locations(code, chunk_bytes, used)) {
    if (chunks[location] != nullptr) continue;
    return report(Status::kInvalidArgument, "the pointer to chunk {} is null, and it holds data",
                  location);
  }
  return Status::kOk;
}

}  // namespace

std::size_t stripe_data_bytes(const Code& code, std::size_t chunk_bytes) noexcept try {
  if (chunk_bytes % stripe_multiple(code) != 0) return 0;
  return data_capacity(code, chunk_bytes);
} catch (...) {
  return kMostData;
}

std::size_t stripe_chunk_bytes(const Code& code, std::size_t data_bytes) {
  if (data_bytes > kMostData) {
    fail(Status::kInvalidArgument, fmt::format("{} bytes of data are more than 2^62", data_bytes));
  }
  return chunk_bytes_for(code, data_bytes);
}

Status spread_data(const Code& code, std::span<const std::uint8_t> data,
                   std::uint8_t* const* chunks, std::size_t chunk_bytes) noexcept try {
  if (const Status status = check_chunk_bytes(code, chunk_bytes); status != Status::kOk) {
    return status;
  }
  const std::size_t all = data_capacity(code, chunk_bytes);
  const Status status = check_data(code, data.data(), data.size(), all, chunks, chunk_bytes);
  if (status == Status::kOk) spread_user_bytes(code, data, chunks, chunk_bytes);
  return status;
} catch (...) {
  return report_exception();
}

Status collect_data(const Code& code, const std::uint8_t* const* chunks, std::size_t chunk_bytes,
                    std::span<std::uint8_t> data) noexcept try {
  const Status status =
      check_data(code, data.data(), data.size(), data.size(), chunks, chunk_bytes);
  if (status == Status::kOk) collect_user_bytes(code, chunks, chunk_bytes, data);
  return status;
} catch (...) {
  return report_exception();
}

}  // namespace xorloom
