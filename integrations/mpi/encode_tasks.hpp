#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "integrations/mpi/exchange.hpp"
#include "integrations/mpi/store.hpp"
#include "xorloom/mpi.hpp"

namespace xorloom::mpi {

/// Parts of encoding to time: kCoding sends no messages, kExchange sends chunks without coding.
enum class Parts { kAll, kCoding, kExchange };

/// Encodes the data of this rank, slice by slice, and sends each chunk to its rank. While slices
/// are on their way, the next ones are coded.
class EncodeSet : public Task {
 public:
  /// writers[i] is null, or takes the shard of location i, which then is not sent.
  EncodeSet(Exchange& exchange, const Codec& codec, const ShardHeader& header, Slices slices,
            int in_flight, std::span<const std::uint8_t> data, std::vector<int> ranks,
            std::vector<ShardWriter*> writers, Parts parts = Parts::kAll);

  bool advance() override;
  bool finished() const override;

 private:
  std::uint8_t* slice_of(std::size_t slot, std::size_t location) const;
  void fill(std::size_t slot);
  void encode_block(std::uint8_t* const* chunks, std::uint64_t block);

  Exchange* exchange_;
  const Codec* codec_;
  const ShardHeader* header_;
  Slices slices_;
  std::size_t window_;
  std::span<const std::uint8_t> data_;
  std::vector<int> ranks_;
  std::vector<ShardWriter*> writers_;
  Parts parts_;
  Buffer memory_;
  std::vector<std::uint8_t*> chunks_;
  std::size_t first_request_;
  std::uint64_t next_ = 0;
};

/// Takes the shard that another rank sends, and writes it.
class StoreShard : public Task {
 public:
  StoreShard(Exchange& exchange, Slices slices, int in_flight, int from, int tag,
             ShardWriter& writer);

  bool advance() override;
  bool finished() const override { return next_ == slices_.count(); }

 private:
  void post(std::uint64_t slice);
  std::uint8_t* target(std::uint64_t slice) const;

  Exchange* exchange_;
  Slices slices_;
  std::size_t window_;
  int from_;
  int tag_;
  ShardWriter* writer_;
  Buffer memory_;
  std::size_t first_request_;
  std::uint64_t next_ = 0;
  bool is_posted_ = false;
};

}  // namespace xorloom::mpi
