#include "runtime/shards/stripe_buffer.hpp"

#include <algorithm>
#include <new>

#include "runtime/files/user_bytes.hpp"

namespace xorloom {
namespace {

/// Data locations in the order of the user's bytes, then the others.
std::vector<std::size_t> data_first(const Code& code) {
  std::vector<std::size_t> order;
  std::vector<bool> is_placed(code.locations);
  const auto place = [&](std::size_t location) {
    if (!is_placed[location]) order.push_back(location);
    is_placed[location] = true;
  };
  for (const Cell cell : code.data) place(code.location_of_cell(cell));
  for (std::size_t location = 0; location < code.locations; ++location) place(location);
  return order;
}

/// Alignment of the first chunk, so that whole vectors can be written past the caches.
constexpr std::size_t kAlignment = 64;

/// Bytes for the user's bytes apart from the chunks; 0 if no copy is needed.
std::size_t bytes_of_copy(const Code& code, std::size_t max_chunk_bytes) {
  return code.subchunks == 1 ? 0 : data_capacity(code, max_chunk_bytes);
}

}  // namespace

std::size_t StripeBuffer::memory_bytes(const Code& code, std::size_t max_chunk_bytes) {
  return code.locations * max_chunk_bytes + bytes_of_copy(code, max_chunk_bytes);
}

void StripeBuffer::Free::operator()(std::uint8_t* bytes) const {
  ::operator delete[](bytes, std::align_val_t{kAlignment});
}

StripeBuffer::StripeBuffer(const Code& code, std::size_t max_chunk_bytes)
    : code_(&code),
      copy_bytes_(bytes_of_copy(code, max_chunk_bytes)),
      memory_(static_cast<std::uint8_t*>(
          ::operator new[](memory_bytes(code, max_chunk_bytes), std::align_val_t{kAlignment}))),
      chunks_(code.locations),
      order_(data_first(code)) {
  set_chunk_bytes(max_chunk_bytes);
}

void StripeBuffer::set_chunk_bytes(std::size_t chunk_bytes) {
  chunk_bytes_ = chunk_bytes;
  std::uint8_t* next = memory_.get() + copy_bytes_;
  for (const std::size_t location : order_) {
    chunks_[location] = next;
    next += chunk_bytes;
  }
  user_bytes_ = {memory_.get(), data_capacity(*code_, chunk_bytes)};
}

void StripeBuffer::spread(std::size_t count) {
  if (copy_bytes_ == 0) {
    std::ranges::fill(user_bytes_.subspan(count), std::uint8_t{0});
  } else {
    spread_user_bytes(*code_, user_bytes_.first(count), chunks_.data(), chunk_bytes_);
  }
}

void StripeBuffer::collect(std::size_t count) {
  if (copy_bytes_ == 0) return;
  collect_user_bytes(*code_, chunks_.data(), chunk_bytes_, user_bytes_.first(count));
}

}  // namespace xorloom
