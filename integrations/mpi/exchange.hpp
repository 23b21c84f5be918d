#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "integrations/mpi/agreement.hpp"
#include "integrations/mpi/shard_file.hpp"

namespace xorloom::mpi {

/// Memory that is not initialised.
struct Buffer {
  Buffer() = default;
  explicit Buffer(std::size_t size) : bytes(new std::uint8_t[size]) {}
  std::uint8_t* data() const noexcept { return bytes.get(); }
  std::unique_ptr<std::uint8_t[]> bytes;
};

/// Division of a shard's blocks into messages: slices of whole blocks.
struct Slices {
  const ShardHeader* header;
  std::size_t blocks_per_slice;

  std::uint64_t count() const noexcept {
    return (header->blocks() + blocks_per_slice - 1) / blocks_per_slice;
  }
  std::uint64_t first(std::uint64_t slice) const noexcept { return slice * blocks_per_slice; }
  std::size_t blocks(std::uint64_t slice) const noexcept {
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(blocks_per_slice, header->blocks() - first(slice)));
  }
  /// Bytes of a block and its frame, except for the shard's last block.
  std::size_t framed_stride() const noexcept {
    return static_cast<std::size_t>(header->block_bytes) + kFrameBytes;
  }
  /// Bytes of a slice's blocks and frames, as they are in the shard.
  std::size_t framed_bytes(std::uint64_t slice) const noexcept {
    const std::size_t b = blocks(slice);
    return (b - 1) * framed_stride() + kFrameBytes + header->payload_bytes(first(slice) + b - 1);
  }
  /// Bytes of a slice's payloads.
  std::size_t payload_bytes(std::uint64_t slice) const noexcept {
    return framed_bytes(slice) - blocks(slice) * kFrameBytes;
  }
  std::size_t most_framed_bytes() const noexcept { return blocks_per_slice * framed_stride(); }
  std::uint64_t offset(std::uint64_t slice) const noexcept {
    return header->block_offset(first(slice));
  }
  /// Slices in flight: no more than there are.
  std::size_t window(int wanted) const noexcept {
    return static_cast<std::size_t>(std::min<std::uint64_t>(static_cast<std::uint64_t>(wanted),
                                                            std::max<std::uint64_t>(1, count())));
  }
};

class Exchange;

/// A part of a rank in an exchange, which goes on whenever its messages are there.
class Task {
 public:
  Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  virtual ~Task() = default;
  /// Does a step if one can be done; whether it did.
  virtual bool advance() = 0;
  virtual bool finished() const = 0;
};

/// A shard in which a block was found damaged.
using BadShard = std::pair<std::size_t, std::size_t>;  // index of the set, location

/// Nonblocking messages of a rank, and the tasks that they belong to. Trouble does not end a task,
/// as other ranks wait for its messages: it is noted, and ranks agree afterwards.
class Exchange {
 public:
  Exchange(const Communicator& comm, Times& times) : comm_(&comm), times_(&times) {}

  /// Adds `number` requests. Returns the number of the first one.
  std::size_t add_requests(std::size_t number);
  void send(std::size_t request, const std::uint8_t* data, std::size_t bytes, int to, int tag);
  void receive(std::size_t request, std::uint8_t* data, std::size_t bytes, int from, int tag);
  bool is_done(std::size_t request) const { return requests_[request] == MPI_REQUEST_NULL; }
  bool are_done(std::size_t first, std::size_t number) const;

  /// Runs all tasks to their ends.
  void run(const std::vector<std::unique_ptr<Task>>& tasks);

  /// Does what may fail, and notes the first failure.
  void try_to(const std::function<void()>& work);
  void note(Status status);
  void note_bad(BadShard shard);

  const Trouble& trouble() const { return trouble_; }
  const std::vector<BadShard>& bad() const { return bad_; }
  Times& times() { return *times_; }

 private:
  const Communicator* comm_;
  Times* times_;
  std::vector<MPI_Request> requests_;
  std::vector<int> indices_;
  Trouble trouble_;
  std::vector<BadShard> bad_;
};

/// Adds the seconds that it lives to a sum.
class Timer {
 public:
  explicit Timer(double& sum) : sum_(&sum), start_(MPI_Wtime()) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { *sum_ += MPI_Wtime() - start_; }

 private:
  double* sum_;
  double start_;
};

}  // namespace xorloom::mpi
