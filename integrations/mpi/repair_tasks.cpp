#include "integrations/mpi/repair_tasks.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "xorloom/split_repair.hpp"

namespace xorloom::mpi {

template <typename Copy>
void Units::each(std::size_t chunk_bytes, const Copy& copy) const {
  // On packets a unit is one packet of each super-block; on words it is a part of the chunk.
  const std::size_t block = info_->packet_bytes == 0 ? chunk_bytes : info_->chunk_multiple;
  const std::size_t bytes = block / info_->units;
  std::size_t packed = 0;
  for (std::size_t at = 0; at < chunk_bytes; at += block) {
    for (const std::uint32_t unit : read_) {
      copy(packed, at + unit * bytes, bytes);
      packed += bytes;
    }
  }
}

void Units::pack(const std::uint8_t* chunk, std::size_t chunk_bytes, std::uint8_t* packed) const {
  each(chunk_bytes, [&](std::size_t to, std::size_t from, std::size_t bytes) {
    std::memcpy(packed + to, chunk + from, bytes);
  });
}

void Units::unpack(const std::uint8_t* packed, std::size_t chunk_bytes, std::uint8_t* chunk) const {
  each(chunk_bytes, [&](std::size_t from, std::size_t to, std::size_t bytes) {
    std::memcpy(chunk + to, packed + from, bytes);
  });
}

void read_slice(const SetView& view, ShardReader& reader, std::uint64_t slice, std::uint8_t* to) {
  const Timer timer(view.exchange->times().storing);
  view.exchange->try_to([&] {
    reader.read(view.slices.offset(slice), {to, view.slices.framed_bytes(slice)});
  });
}

void check_slice(const SetView& view, std::size_t location, std::uint64_t slice,
                 const std::uint8_t* framed) {
  const Timer timer(view.exchange->times().coding);
  const Slices& slices = view.slices;
  for (std::size_t j = 0; j < slices.blocks(slice); ++j) {
    const std::uint64_t block = slices.first(slice) + j;
    const std::uint8_t* const frame = framed + j * slices.framed_stride();
    if (!is_good(*slices.header, location, block, frame,
                 {frame + kFrameBytes, slices.header->payload_bytes(block)}))
      view.exchange->note_bad({view.set, location});
  }
}

SendChunk::SendChunk(const SetView& view, std::size_t location, std::unique_ptr<ShardReader> reader,
                     Units units, int to, int tag)
    : view_(view),
      location_(location),
      reader_(std::move(reader)),
      units_(std::move(units)),
      to_(to),
      tag_(tag),
      window_(view.slices.window(view.in_flight)),
      memory_(window_ * view.slices.most_framed_bytes()),
      first_request_(view.exchange->add_requests(window_)) {
  if (!units_.are_all()) framed_ = Buffer(view.slices.most_framed_bytes());
}

bool SendChunk::advance() {
  const Slices& slices = view_.slices;
  if (next_ == slices.count()) return false;
  const std::size_t slot = next_ % window_;
  if (!view_.exchange->is_done(first_request_ + slot)) return false;
  std::uint8_t* const message = memory_.data() + slot * slices.most_framed_bytes();
  std::size_t bytes = slices.framed_bytes(next_);
  if (units_.are_all()) {
    read_slice(view_, *reader_, next_, message);
  } else {
    // The receiver cannot check a part of a block, so it is checked here.
    read_slice(view_, *reader_, next_, framed_.data());
    check_slice(view_, location_, next_, framed_.data());
    bytes = 0;
    for (std::size_t j = 0; j < slices.blocks(next_); ++j) {
      const std::size_t payload = slices.header->payload_bytes(slices.first(next_) + j);
      units_.pack(framed_.data() + j * slices.framed_stride() + kFrameBytes, payload,
                  message + bytes);
      bytes += units_.packed_bytes(payload);
    }
  }
  view_.exchange->send(first_request_ + slot, message, bytes, to_, tag_);
  ++next_;
  return true;
}

bool SendChunk::finished() const {
  return next_ == view_.slices.count() && view_.exchange->are_done(first_request_, window_);
}

GatherStripes::GatherStripes(const SetView& view, std::optional<Plan> plan,
                             std::vector<NeededChunk> chunks, std::vector<std::size_t> outputs,
                             Consume consume)
    : view_(view),
      plan_(std::move(plan)),
      chunks_(std::move(chunks)),
      outputs_(std::move(outputs)),
      consume_(std::move(consume)),
      window_(view.slices.window(view.in_flight)),
      memory_(window_ * chunks_.size() * view.slices.most_framed_bytes()),
      unpacked_((chunks_.size() + outputs_.size()) *
                static_cast<std::size_t>(view.slices.header->block_bytes)),
      pointers_(view.slices.header->locations),
      first_request_(view.exchange->add_requests(window_ * chunks_.size())) {}

std::uint8_t* GatherStripes::slot(std::size_t chunk, std::uint64_t slice) const {
  return memory_.data() +
         (slice % window_ * chunks_.size() + chunk) * view_.slices.most_framed_bytes();
}

std::size_t GatherStripes::message_bytes(const NeededChunk& chunk, std::uint64_t slice) const {
  if (chunk.units.are_all()) return view_.slices.framed_bytes(slice);
  return chunk.units.packed_bytes(view_.slices.payload_bytes(slice));
}

void GatherStripes::post(std::uint64_t slice) {
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    if (chunks_[i].reader) continue;
    view_.exchange->receive(first_request_ + slice % window_ * chunks_.size() + i, slot(i, slice),
                            message_bytes(chunks_[i], slice), chunks_[i].from, chunks_[i].tag);
  }
}

bool GatherStripes::advance() {
  if (!is_posted_) {
    is_posted_ = true;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(window_, view_.slices.count()); ++i)
      post(i);
  }
  if (finished() ||
      !view_.exchange->are_done(first_request_ + next_ % window_ * chunks_.size(), chunks_.size()))
    return false;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    if (chunks_[i].reader) read_slice(view_, *chunks_[i].reader, next_, slot(i, next_));
    if (chunks_[i].reader || chunks_[i].units.are_all())
      check_slice(view_, chunks_[i].location, next_, slot(i, next_));
  }
  use(next_);
  if (next_ + window_ < view_.slices.count()) post(next_ + window_);
  ++next_;
  return true;
}

void GatherStripes::use(std::uint64_t slice) {
  const Slices& slices = view_.slices;
  const auto block_bytes = static_cast<std::size_t>(slices.header->block_bytes);
  for (std::size_t j = 0; j < slices.blocks(slice); ++j) {
    const std::uint64_t block = slices.first(slice) + j;
    const std::size_t bytes = slices.header->payload_bytes(block);
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const NeededChunk& chunk = chunks_[i];
      std::uint8_t* at = slot(i, slice) + j * slices.framed_stride() + kFrameBytes;
      if (!chunk.reader && !chunk.units.are_all()) {
        const std::uint8_t* const packed =
            slot(i, slice) + chunk.units.packed_bytes(j * block_bytes);
        at = unpacked_.data() + i * block_bytes;
        chunk.units.unpack(packed, bytes, at);
      }
      pointers_[chunk.location] = at;
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      pointers_[outputs_[i]] = unpacked_.data() + (chunks_.size() + i) * block_bytes;
    }
    if (plan_) {
      const Timer timer(view_.exchange->times().coding);
      view_.exchange->note(plan_->run(pointers_.data(), bytes));
    }
    view_.exchange->try_to([&] { consume_(block, pointers_.data(), bytes); });
  }
}

SumNode::SumNode(const SetView& view, std::size_t wanted, std::optional<Plan> plan,
                 std::vector<Own> own, std::vector<Child> children, int parent, int tag,
                 Consume consume)
    : view_(view),
      wanted_(wanted),
      plan_(std::move(plan)),
      own_(std::move(own)),
      children_(std::move(children)),
      parent_(parent),
      tag_(tag),
      consume_(std::move(consume)),
      window_(view.slices.window(view.in_flight)),
      memory_(window_ * (children_.size() + 1) * view.slices.most_framed_bytes()),
      own_memory_((own_.size() + 1) * view.slices.most_framed_bytes()),
      pointers_(view.slices.header->locations),
      first_request_(view.exchange->add_requests(window_ * (children_.size() + 1))) {}

std::uint8_t* SumNode::arriving(std::size_t child, std::uint64_t slice) const {
  return memory_.data() + (slice % window_ * (children_.size() + 1) + child) * stride();
}

std::uint8_t* SumNode::leaving(std::uint64_t slice) const {
  return arriving(children_.size(), slice);
}

void SumNode::post(std::uint64_t slice) {
  const std::size_t request = first_request_ + slice % window_ * (children_.size() + 1);
  for (std::size_t i = 0; i < children_.size(); ++i) {
    view_.exchange->receive(request + i, arriving(i, slice), view_.slices.payload_bytes(slice),
                            children_[i].rank, children_[i].tag);
  }
}

bool SumNode::advance() {
  if (!is_posted_) {
    is_posted_ = true;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(window_, view_.slices.count()); ++i)
      post(i);
  }
  const Slices& slices = view_.slices;
  const std::size_t request = first_request_ + next_ % window_ * (children_.size() + 1);
  // The sums have arrived, and the one that left from here before is gone.
  if (next_ == slices.count() || !view_.exchange->are_done(request, children_.size() + 1))
    return false;
  make(next_);
  if (consume_) {
    std::uint8_t* chunk = leaving(next_);
    for (std::size_t j = 0; j < slices.blocks(next_); ++j) {
      const std::uint64_t block = slices.first(next_) + j;
      view_.exchange->try_to([&] { consume_(block, chunk, slices.header->payload_bytes(block)); });
      chunk += slices.header->block_bytes;
    }
  } else {
    view_.exchange->send(request + children_.size(), leaving(next_), slices.payload_bytes(next_),
                         parent_, tag_);
  }
  if (next_ + window_ < slices.count()) post(next_ + window_);
  ++next_;
  return true;
}

bool SumNode::finished() const {
  return next_ == view_.slices.count() &&
         view_.exchange->are_done(first_request_, window_ * (children_.size() + 1));
}

void SumNode::make(std::uint64_t slice) {
  if (children_.empty()) return make_own(slice, leaving(slice));
  std::vector<const std::uint8_t*> sums;
  if (plan_) {
    std::uint8_t* const own = own_memory_.data() + own_.size() * stride();
    make_own(slice, own);
    sums.push_back(own);
  }
  for (std::size_t i = 0; i < children_.size(); ++i) sums.push_back(arriving(i, slice));
  const Timer timer(view_.exchange->times().coding);
  view_.exchange->note(
      add_sums(sums.data(), sums.size(), leaving(slice), view_.slices.payload_bytes(slice)));
}

void SumNode::make_own(std::uint64_t slice, std::uint8_t* to) {
  const Slices& slices = view_.slices;
  if (!plan_) {
    std::memset(to, 0, slices.payload_bytes(slice));
    return;
  }
  for (std::size_t i = 0; i < own_.size(); ++i) {
    std::uint8_t* const framed = own_memory_.data() + i * stride();
    read_slice(view_, *own_[i].reader, slice, framed);
    check_slice(view_, own_[i].location, slice, framed);
  }
  const Timer timer(view_.exchange->times().coding);
  for (std::size_t j = 0; j < slices.blocks(slice); ++j) {
    for (std::size_t i = 0; i < own_.size(); ++i) {
      pointers_[own_[i].location] =
          own_memory_.data() + i * stride() + j * slices.framed_stride() + kFrameBytes;
    }
    pointers_[wanted_] = to + j * slices.header->block_bytes;
    view_.exchange->note(
        plan_->run(pointers_.data(), slices.header->payload_bytes(slices.first(slice) + j)));
  }
}

}  // namespace xorloom::mpi
