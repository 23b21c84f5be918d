#include "integrations/mpi/encode_tasks.hpp"

#include <utility>

namespace xorloom::mpi {

EncodeSet::EncodeSet(Exchange& exchange, const Codec& codec, const ShardHeader& header,
                     Slices slices, int in_flight, std::span<const std::uint8_t> data,
                     std::vector<int> ranks, std::vector<ShardWriter*> writers, Parts parts)
    : exchange_(&exchange),
      codec_(&codec),
      header_(&header),
      slices_(slices),
      window_(slices.window(in_flight)),
      data_(data),
      ranks_(std::move(ranks)),
      writers_(std::move(writers)),
      parts_(parts),
      memory_(window_ * ranks_.size() * slices.most_framed_bytes()),
      chunks_(ranks_.size()),
      first_request_(exchange.add_requests(window_ * ranks_.size())) {}

std::uint8_t* EncodeSet::slice_of(std::size_t slot, std::size_t location) const {
  return memory_.data() + (slot * ranks_.size() + location) * slices_.most_framed_bytes();
}

bool EncodeSet::advance() {
  if (next_ == slices_.count()) return false;
  const auto slot = static_cast<std::size_t>(next_ % window_);
  const std::size_t request = first_request_ + slot * ranks_.size();
  if (!exchange_->are_done(request, ranks_.size())) return false;
  if (parts_ != Parts::kExchange) fill(slot);
  if (parts_ != Parts::kCoding) {
    const std::size_t bytes = slices_.framed_bytes(next_);
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      if (writers_[i] == nullptr) {
        exchange_->send(request + i, slice_of(slot, i), bytes, ranks_[i], static_cast<int>(i));
        continue;
      }
      const Timer timer(exchange_->times().storing);
      exchange_->try_to([&] {
        writers_[i]->write(slices_.offset(next_), {slice_of(slot, i), bytes});
      });
    }
  }
  ++next_;
  return true;
}

bool EncodeSet::finished() const {
  return next_ == slices_.count() && exchange_->are_done(first_request_, window_ * ranks_.size());
}

void EncodeSet::fill(std::size_t slot) {
  const Timer timer(exchange_->times().coding);
  const std::uint64_t first = slices_.first(next_);
  for (std::size_t j = 0; j < slices_.blocks(next_); ++j) {
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      chunks_[i] = slice_of(slot, i) + j * slices_.framed_stride() + kFrameBytes;
    }
    encode_block(chunks_.data(), first + j);
  }
}

void EncodeSet::encode_block(std::uint8_t* const* chunks, std::uint64_t block) {
  const std::size_t bytes = header_->payload_bytes(block);
  const std::span<const std::uint8_t> data = data_.subspan(
      static_cast<std::size_t>(block * header_->stripe_bytes), header_->stripe_file_bytes(block));
  exchange_->note(codec_->spread(data, chunks, bytes));
  exchange_->note(codec_->encode(chunks, bytes));
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    write_frame(*header_, i, block, {chunks[i], bytes}, chunks[i] - kFrameBytes);
  }
}

StoreShard::StoreShard(Exchange& exchange, Slices slices, int in_flight, int from, int tag,
                       ShardWriter& writer)
    : exchange_(&exchange),
      slices_(slices),
      window_(slices.window(in_flight)),
      from_(from),
      tag_(tag),
      writer_(&writer),
      first_request_(exchange.add_requests(window_)) {
  if (writer.place(0) == nullptr) memory_ = Buffer(window_ * slices.most_framed_bytes());
}

std::uint8_t* StoreShard::target(std::uint64_t slice) const {
  if (std::uint8_t* const place = writer_->place(slices_.offset(slice))) return place;
  return memory_.data() + slice % window_ * slices_.most_framed_bytes();
}

void StoreShard::post(std::uint64_t slice) {
  exchange_->receive(first_request_ + slice % window_, target(slice), slices_.framed_bytes(slice),
                     from_, tag_);
}

bool StoreShard::advance() {
  if (!is_posted_) {
    // Not before: memory that messages go to must not be given up if another rank lacks memory.
    is_posted_ = true;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(window_, slices_.count()); ++i) post(i);
  }
  if (finished() || !exchange_->is_done(first_request_ + next_ % window_)) return false;
  if (writer_->place(0) == nullptr) {
    const Timer timer(exchange_->times().storing);
    exchange_->try_to([&] {
      writer_->write(slices_.offset(next_), {target(next_), slices_.framed_bytes(next_)});
    });
  }
  if (next_ + window_ < slices_.count()) post(next_ + window_);
  ++next_;
  return true;
}

}  // namespace xorloom::mpi
