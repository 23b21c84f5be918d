#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/files/open_file.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/shards/shard_block.hpp"
#include "runtime/shards/shard_header.hpp"

namespace xorloom {

// A change in place says in journals, one a directory, what the blocks of the shards there become,
// before it changes any of them:
//
//   | prefix | block | block | … | end |
//
// A block stands as it will in its shard, behind its frame. The end has the headers of the set
// before and after the change, the lineage after it, the locations that the journal speaks for,
// which block is whose, and the frames of blocks that get a new one and stay; it has a checksum,
// and so has each block. All journals of a change are on the disk before the
// first gets its name, and all have their names before the first block changes. Every byte is
// specified in docs/shard-format.md.

/// The latest version of journals, which this program writes. It reads those before: version 1
/// changes a file, version 2 the code of a set, and neither has a lineage or frames.
inline constexpr std::uint32_t kJournalVersion = 3;

/// A block in a journal.
struct JournalBlock {
  std::uint32_t location = 0;
  std::uint64_t block = 0;
  std::uint64_t offset = 0;  ///< of its frame in the journal

  auto operator<=>(const JournalBlock&) const = default;
};

/// The frame that a block gets whose payload stays.
struct JournalFrame {
  std::uint32_t location = 0;
  std::uint64_t block = 0;
  Frame frame;

  auto operator<=>(const JournalFrame&) const = default;
};

/// What the end of a journal says.
struct JournalEnd {
  ShardHeader before;  ///< of location 0, as are those after; its lineage is not known
  ShardHeader after;
  std::vector<std::uint32_t> locations;  ///< ascending: their shards stood in the directory
  std::vector<JournalBlock> blocks;      ///< in the order in which they stand
  std::vector<JournalFrame> frames;
};

/// Whether a change gives its set another code. Then the file stays, data shards get new headers of
/// the same size, and no block of theirs changes. The redundancy of the new code is in pending
/// shards, whose headers are those after the change; no journal speaks for them.
bool changes_code(const ShardHeader& before, const ShardHeader& after);

/// The locations of a set whose file lies in the first of them, one data block behind the other.
std::uint32_t data_shards(const ShardHeader& header);

/// Writes a journal as a pending file. Not for several threads at once.
class JournalWriter {
 public:
  /// The file allows at most what `most` does, as blocks of shards are in it.
  ///
  /// Errors: throws what PendingFile throws. So do those that follow, and kIo.
  JournalWriter(const std::filesystem::path& directory, const SetId& set, std::uint64_t generation,
                mode_t most = kAnyPermissions);

  void write(std::uint32_t location, std::uint64_t block, std::span<const std::uint8_t> frame,
             std::span<const std::uint8_t> payload);
  void write_frame(std::uint32_t location, std::uint64_t block, Frame frame);

  /// Writes the end and syncs.
  void finish(const ShardHeader& before, const ShardHeader& after,
              std::vector<std::uint32_t> locations);

  /// Bytes of the journal.
  std::uint64_t bytes() const { return bytes_; }

  PendingFile& file() { return file_; }

 private:
  PendingFile file_;
  std::uint64_t bytes_;
  std::vector<JournalBlock> blocks_;
  std::vector<JournalFrame> frames_;
};

/// A journal that is whole but for blocks that do not hold.
class Journal {
 public:
  enum class Kind {
    kWhole,
    kUnfinished,  ///< it has no whole end
    kNewer,       ///< of a later version
  };

  /// Reads a journal and checks each of its blocks. Damage is no error.
  ///
  /// Cost: reads the whole file.
  explicit Journal(const std::filesystem::path& path);

  Kind kind() const { return kind_; }
  const std::string& why() const { return why_; }  ///< why it is not whole
  const std::filesystem::path& path() const { return path_; }
  const ShardHeader& before() const { return end_.before; }
  const ShardHeader& after() const { return end_.after; }
  bool changes_code() const { return xorloom::changes_code(before(), after()); }

  /// Whether it says all of what a location's shard becomes.
  bool covers(std::uint32_t location) const;
  const std::vector<std::uint32_t>& locations() const { return end_.locations; }

  /// The blocks of a location, ascending.
  std::span<const JournalBlock> blocks(std::uint32_t location) const;

  /// The frames of a location without their blocks, ascending.
  std::span<const JournalFrame> frames(std::uint32_t location) const;

  /// The frame that a block gets while its payload stays, or null.
  const Frame* frame(std::uint32_t location, std::uint64_t block) const;

  /// Where a block's frame is, if the block is in the journal.
  std::optional<std::uint64_t> offset(std::uint32_t location, std::uint64_t block) const;

  const OpenFile& file() const { return file_; }

 private:
  void check_blocks();

  std::filesystem::path path_;
  OpenFile file_;
  Kind kind_ = Kind::kUnfinished;
  std::string why_;
  JournalEnd end_;
};

/// The bytes a journal ends with, which begin at an offset of it; and what they say, if they are
/// such an end of a file of that many bytes.
std::vector<std::uint8_t> journal_end_text(const JournalEnd& end, std::uint64_t offset);
std::optional<JournalEnd> read_journal_end(std::span<const std::uint8_t> text,
                                           std::uint64_t file_bytes);

}  // namespace xorloom
