#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "integrations/mpi/shard_file.hpp"
#include "xorloom/mpi.hpp"

namespace xorloom::mpi {

/// A shard that a store holds.
struct StoredShard {
  ShardHeader header;
  /// Written whole, but not renamed: the program ended in between. It counts if another shard of
  /// the same call has its name.
  bool is_pending = false;
};

/// Reads one shard.
class ShardReader {
 public:
  virtual ~ShardReader() = default;
  /// Errors: throws kIo.
  virtual void read(std::uint64_t offset, std::span<std::uint8_t> bytes) = 0;
};

/// Writes one shard, which stands in the store when it is published.
class ShardWriter {
 public:
  virtual ~ShardWriter() = default;  ///< removes what is not published

  /// Errors: throws kIo, also those below.
  virtual void write(std::uint64_t offset, std::span<const std::uint8_t> bytes) = 0;
  /// Memory for bytes from an offset on, in place of write(); null: there is none.
  virtual std::uint8_t* place(std::uint64_t) noexcept { return nullptr; }
  /// Ends the shard once all is written. `sync`: puts it on disk.
  virtual void finish(bool sync) = 0;
  /// Gives the shard its name. Replaces a shard of that name.
  virtual void publish() = 0;
};

/// Storage of shards. Leaves shards of others, and other files, alone.
class Store::Backend {
 public:
  virtual ~Backend() = default;

  /// The shards of a label that are whole by header and length.
  ///
  /// Errors: throws kIo.
  virtual std::vector<StoredShard> list(const std::string& label) = 0;
  /// Removes shards that were being written when their program ended.
  virtual void remove_leftovers() = 0;
  virtual std::unique_ptr<ShardReader> open(const ShardHeader& header) = 0;
  virtual std::unique_ptr<ShardWriter> create(const ShardHeader& header) = 0;
  /// Gives a pending shard its name.
  virtual void publish(const StoredShard& shard) = 0;
  virtual void remove(const StoredShard& shard) = 0;
  /// Names and removals are on disk.
  virtual void sync() = 0;
};

}  // namespace xorloom::mpi
