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

// A change in place first writes a journal to each directory, with the new blocks of the shards
// there:
//
//   | prefix | block | block | … | end |
//
// Each block stands behind its frame, as it will in its shard. The end has the headers of the set
// before and after the change, the lineage after it, the locations that the journal covers, the
// location and number of each block, and the new frames of blocks whose payload stays. The end has
// a checksum, and so has each block. All journals of a change are on the disk before the first gets
// its name, and all have their names before the first block changes. Every byte is specified in
// docs/shard-format.md.

/// The latest version of journals, which this program writes. It also reads version 1, which
/// changes a file, and version 2, which changes the code of a set; neither has a lineage or frames.
inline constexpr std::uint32_t kJournalVersion = 3;

/// A block in a journal.
struct JournalBlock {
  std::uint32_t location = 0;
  std::uint64_t block = 0;
  std::uint64_t offset = 0;  ///< offset of its frame in the journal

  auto operator<=>(const JournalBlock&) const = default;
};

/// The new frame of a block whose payload stays.
struct JournalFrame {
  std::uint32_t location = 0;
  std::uint64_t block = 0;
  Frame frame;

  auto operator<=>(const JournalFrame&) const = default;
};

/// Content of a journal's end.
struct JournalEnd {
  ShardHeader before;  ///< has location 0, like `after`; its lineage is not known
  ShardHeader after;
  std::vector<std::uint32_t> locations;  ///< covered locations, ascending: their shards are in the
                                         ///< directory
  std::vector<JournalBlock> blocks;      ///< in the order in which they stand in the journal
  std::vector<JournalFrame> frames;
};

/// True if a change gives its set another code. Then the file stays, data shards get new headers of
/// the same size, and none of their blocks change. The new redundancy is in pending shards with the
/// headers after the change; no journal covers them.
bool changes_code(const ShardHeader& before, const ShardHeader& after);

/// Number of data shards. Precondition: the first locations hold the file, in whole blocks.
std::uint32_t data_shards(const ShardHeader& header);

/// Writes a journal as a pending file. Not for several threads at once.
class JournalWriter {
 public:
  /// `most`: what the file may allow at most, as blocks of shards are in it.
  ///
  /// Errors: throws what PendingFile throws. The members below throw that and kIo.
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

/// A journal as it was found. Locations with damaged blocks are not covered.
class Journal {
 public:
  enum class Kind {
    kWhole,
    kUnfinished,  ///< its end is missing or damaged
    kNewer,       ///< has a later version
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

  /// True if the journal has all that changes in a location's shard.
  bool covers(std::uint32_t location) const;
  const std::vector<std::uint32_t>& locations() const { return end_.locations; }

  /// The blocks of a location, ascending.
  std::span<const JournalBlock> blocks(std::uint32_t location) const;

  /// The new frames of a location's blocks whose payload stays, ascending.
  std::span<const JournalFrame> frames(std::uint32_t location) const;

  /// The new frame of a block whose payload stays; null if there is none.
  const Frame* frame(std::uint32_t location, std::uint64_t block) const;

  /// Offset of a block's frame in the journal; nullopt if the block is not in it.
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

/// The end of a journal as bytes that begin at `offset`. read_journal_end() reverses that; nullopt
/// if `text` is no end of a journal of `file_bytes` bytes.
std::vector<std::uint8_t> journal_end_text(const JournalEnd& end, std::uint64_t offset);
std::optional<JournalEnd> read_journal_end(std::span<const std::uint8_t> text,
                                           std::uint64_t file_bytes);

}  // namespace xorloom
