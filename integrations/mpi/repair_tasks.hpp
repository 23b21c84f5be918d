#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "integrations/mpi/exchange.hpp"
#include "integrations/mpi/store.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::mpi {

/// The units of a chunk that a plan reads, packed in the order in which they are sent.
class Units {
 public:
  Units(const Info& info, std::span<const std::uint32_t> read)
      : info_(&info), read_(read.begin(), read.end()) {}

  bool are_all() const { return read_.size() == info_->units; }
  std::size_t packed_bytes(std::size_t chunk_bytes) const {
    return chunk_bytes / info_->units * read_.size();
  }
  void pack(const std::uint8_t* chunk, std::size_t chunk_bytes, std::uint8_t* packed) const;
  void unpack(const std::uint8_t* packed, std::size_t chunk_bytes, std::uint8_t* chunk) const;

 private:
  template <typename Copy>
  void each(std::size_t chunk_bytes, const Copy& copy) const;

  const Info* info_;
  std::vector<std::uint32_t> read_;
};

/// The set that a task works on, as the task sees it.
struct SetView {
  Exchange* exchange;
  std::size_t set;
  Slices slices;
  int in_flight;
};

/// Reads a slice of a shard, blocks and frames.
void read_slice(const SetView& view, ShardReader& reader, std::uint64_t slice, std::uint8_t* to);

/// Notes a block of a slice that is damaged.
void check_slice(const SetView& view, std::size_t location, std::uint64_t slice,
                 const std::uint8_t* framed);

/// Sends a shard to another rank: all units with their frames, or some without.
class SendChunk : public Task {
 public:
  SendChunk(const SetView& view, std::size_t location, std::unique_ptr<ShardReader> reader,
            Units units, int to, int tag);
  bool advance() override;
  bool finished() const override;

 private:
  SetView view_;
  std::size_t location_;
  std::unique_ptr<ShardReader> reader_;
  Units units_;
  int to_;
  int tag_;
  std::size_t window_;
  Buffer memory_;
  Buffer framed_;
  std::size_t first_request_;
  std::uint64_t next_ = 0;
};

/// A chunk that GatherStripes needs: on this rank (reader) or from another.
struct NeededChunk {
  std::size_t location;
  std::unique_ptr<ShardReader> reader;
  Units units;
  int from = 0;
  int tag = 0;
};

/// Brings the chunks of stripes together, runs a plan on each stripe, and hands it on.
class GatherStripes : public Task {
 public:
  /// Takes a stripe: its number, one pointer per location, and the bytes of a chunk.
  using Consume = std::function<void(std::uint64_t, std::uint8_t* const*, std::size_t)>;

  /// outputs: the locations that the plan writes. Null chunks are those that are not needed.
  GatherStripes(const SetView& view, std::optional<Plan> plan, std::vector<NeededChunk> chunks,
                std::vector<std::size_t> outputs, Consume consume);
  bool advance() override;
  bool finished() const override { return next_ == view_.slices.count(); }

 private:
  std::uint8_t* slot(std::size_t chunk, std::uint64_t slice) const;
  std::size_t message_bytes(const NeededChunk& chunk, std::uint64_t slice) const;
  void post(std::uint64_t slice);
  void use(std::uint64_t slice);

  SetView view_;
  std::optional<Plan> plan_;
  std::vector<NeededChunk> chunks_;
  std::vector<std::size_t> outputs_;
  Consume consume_;
  std::size_t window_;
  Buffer memory_;
  Buffer unpacked_;
  std::vector<std::uint8_t*> pointers_;
  std::size_t first_request_;
  std::uint64_t next_ = 0;
  bool is_posted_ = false;
};

/// A node of a route: makes the sum of its own chunks, adds the sums that arrive, and passes the
/// result on, or, at the root, hands it on.
class SumNode : public Task {
 public:
  struct Own {
    std::size_t location;
    std::unique_ptr<ShardReader> reader;
  };
  struct Child {
    int rank;
    int tag;
  };
  using Consume = std::function<void(std::uint64_t, std::uint8_t*, std::size_t)>;

  SumNode(const SetView& view, std::size_t wanted, std::optional<Plan> plan, std::vector<Own> own,
          std::vector<Child> children, int parent, int tag, Consume consume);
  bool advance() override;
  bool finished() const override;

 private:
  std::size_t stride() const { return view_.slices.most_framed_bytes(); }
  std::uint8_t* arriving(std::size_t child, std::uint64_t slice) const;
  std::uint8_t* leaving(std::uint64_t slice) const;
  void post(std::uint64_t slice);
  void make(std::uint64_t slice);
  void make_own(std::uint64_t slice, std::uint8_t* to);

  SetView view_;
  std::size_t wanted_;
  std::optional<Plan> plan_;
  std::vector<Own> own_;
  std::vector<Child> children_;
  int parent_;  ///< itself at the root
  int tag_;
  Consume consume_;
  std::size_t window_;
  Buffer memory_;
  Buffer own_memory_;
  std::vector<std::uint8_t*> pointers_;
  std::size_t first_request_;
  std::uint64_t next_ = 0;
  bool is_posted_ = false;
};

}  // namespace xorloom::mpi
