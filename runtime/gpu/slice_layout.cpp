#include "runtime/gpu/slice_layout.hpp"

#include <algorithm>
#include <numeric>

namespace xorloom {
namespace {

/// Kernels read and write whole vectors of at most 8 bytes. Parts are aligned for a device's loads.
constexpr std::size_t kPitchMultiple = 8;
constexpr std::size_t kPartMultiple = 256;
constexpr std::size_t kWordColumns = 64;

std::size_t up_to_multiple(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

/// Adds `copy`, or lengthens the last copy if `copy` continues it.
void add(std::vector<SliceCopy>& copies, const SliceCopy& copy) {
  if (!copies.empty()) {
    SliceCopy& last = copies.back();
    if (last.host + last.bytes == copy.host && last.place + last.bytes == copy.place) {
      last.bytes += copy.bytes;
      return;
    }
  }
  copies.push_back(copy);
}

}  // namespace

SliceLayout::SliceLayout(const Code& code, const Program& program, const KernelText& text)
    : is_packets_(code.arrangement == Arrangement::kPacket),
      rows_(program.rows),
      packet_bytes_(code.packet_bytes),
      multiple_(is_packets_ ? packet_bytes_ : std::max(kWordColumns, plane_block_bytes(code))) {
  for (const std::size_t location : text.chunks) uses_.push_back({location, {}, {}});
  const auto use_of = [&](Element element) -> Use& {
    return *std::ranges::find(uses_, element / rows_, &Use::location);
  };
  for (const Element input : program.inputs) use_of(input).reads.push_back(input % rows_);
  for (const Element output : program.outputs) use_of(output).writes.push_back(output % rows_);
  for (Use& use : uses_) {
    std::ranges::sort(use.reads);
    std::ranges::sort(use.writes);
    if (!use.reads.empty()) ++num_read_;
    if (use.writes.empty()) ++first_written_;
  }
  const auto kind = [&](std::size_t chunk) {
    if (uses_[chunk].writes.empty()) return 0;
    return uses_[chunk].reads.empty() ? 2 : 1;
  };
  std::vector<std::size_t> order(uses_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, kind);
  rank_of_.resize(uses_.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) rank_of_[order[rank]] = rank;
}

Slice SliceLayout::slice(std::size_t begin, std::size_t end) const {
  Slice slice{};
  slice.begin = begin;
  slice.end = end;
  if (is_packets_) {
    const std::size_t blocks = (end + packet_bytes_ - 1) / packet_bytes_ - begin / packet_bytes_;
    slice.columns = blocks * packet_bytes_;
  } else {
    slice.columns = end - begin;
    slice.pitch = up_to_multiple(slice.columns, kPitchMultiple);
  }
  const std::size_t row_bytes = is_packets_ ? slice.columns : slice.pitch;
  const std::size_t part_bytes = up_to_multiple(row_bytes * rows_, kPartMultiple);
  for (const std::size_t rank : rank_of_) slice.places.push_back(rank * part_bytes);
  slice.bytes = uses_.size() * part_bytes;
  slice.in_bytes = num_read_ * part_bytes;
  slice.out_begin = first_written_ * part_bytes;
  return slice;
}

std::vector<SliceCopy> SliceLayout::copies(const Slice& slice, std::uint8_t* const* chunks,
                                           std::size_t chunk_bytes, Rows Use::*rows) const {
  std::vector<SliceCopy> copies;
  const std::size_t first = is_packets_ ? slice.begin / packet_bytes_ * packet_bytes_ : 0;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const Use& use = uses_[i];
    if ((use.*rows).empty()) continue;
    std::uint8_t* const chunk = chunks[use.location];
    const std::size_t place = slice.places[i];
    if (!is_packets_) {
      for (const std::size_t row : use.*rows) {
        add(copies, {chunk + row * (chunk_bytes / rows_) + slice.begin, place + row * slice.pitch,
                     slice.end - slice.begin});
      }
      continue;
    }
    if (rows == &Use::reads) {
      add(copies, {chunk + first * rows_, place, slice.columns * rows_});
      continue;
    }
    // Some columns of the first and the last super-block may belong to other slices.
    for (std::size_t block = first; block < slice.end; block += packet_bytes_) {
      const std::size_t from = std::max(block, slice.begin) - block;
      const std::size_t to = std::min(block + packet_bytes_, slice.end) - block;
      for (const std::size_t row : use.writes) {
        const std::size_t packet = row * packet_bytes_ + from;
        add(copies,
            {chunk + block * rows_ + packet, place + (block - first) * rows_ + packet, to - from});
      }
    }
  }
  return copies;
}

}  // namespace xorloom
