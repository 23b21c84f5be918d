#include "gen/machines/stream_pointers.hpp"

#include <algorithm>

namespace xorloom {
namespace {

constexpr std::uint32_t kNoStream = 0xffffffff;

}  // namespace

StreamPointers::StreamPointers(PointerRegisters registers, std::vector<std::uint32_t> accesses,
                               std::size_t streams)
    : registers_(std::move(registers)),
      accesses_(std::move(accesses)),
      next_of_same_(accesses_.size()),
      streams_(streams),
      has_table_(streams > registers_.staying.size()) {
  std::vector<std::size_t> next(streams, accesses_.size());
  for (std::size_t i = accesses_.size(); i-- > 0;) {
    next_of_same_[i] = next[accesses_[i]];
    next[accesses_[i]] = i;
  }
}

std::vector<std::pair<int, std::size_t>> StreamPointers::loaded_once() const {
  std::vector<std::pair<int, std::size_t>> loaded;
  if (has_table_) return loaded;
  for (std::size_t s = 0; s < streams_; ++s) loaded.emplace_back(registers_.staying[s], s);
  return loaded;
}

std::vector<int> StreamPointers::advanced() const {
  if (has_table_) return {registers_.index};
  const auto first = registers_.staying.begin();
  return {first, first + static_cast<std::ptrdiff_t>(streams_)};
}

void StreamPointers::begin_turn() {
  access_ = 0;
  held_.clear();
  for (const int number : registers_.held)
    held_.push_back({number, kNoStream, accesses_.size() + 1});
}

StreamPointers::Access StreamPointers::next() {
  const std::uint32_t stream = accesses_[access_];
  const std::size_t next = next_of_same_[access_++];
  if (!has_table_) return {registers_.staying[stream], false};
  auto place = std::ranges::find(held_, stream, &Register::stream);
  const bool is_to_be_loaded = place == held_.end();
  if (is_to_be_loaded) place = std::ranges::max_element(held_, {}, &Register::next_access);
  place->stream = stream;
  place->next_access = next;
  return {place->number, is_to_be_loaded};
}

}  // namespace xorloom
