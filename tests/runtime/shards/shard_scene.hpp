#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sets/encode_set.hpp"
#include "runtime/sets/repair_set.hpp"
#include "runtime/shards/read_set.hpp"
#include "runtime/shards/shard_sets.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown.hpp"
#include "xorloom/xorloom.hpp"

// Sets of shards that tests make, spoil and read.

namespace xorloom::test {

/// Seeded random bytes.
std::string random_text(std::size_t size, std::uint64_t seed);

/// The bytes that hexadecimal digits stand for; spaces are passed over.
std::string from_hex(std::string_view digits);

std::vector<std::uint8_t> bytes_of(std::string_view text);
std::string text_of(std::span<const std::uint8_t> bytes);

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view content);

/// All that is in a directory, hidden files too, by name: for comparing it before and after.
std::map<std::string, std::string> snapshot(const std::filesystem::path& directory);

/// The names in a directory, without their content.
std::vector<std::string> names_in(const std::filesystem::path& directory);

/// Options for encoding a set. Stripes are small so that there are many.
struct EncodeCall {
  std::string spec = "rs:k=4,m=2";
  std::uint64_t block_bytes = 16;
  bool replace = false;
  Options options = {};
  std::vector<FileIdentity> inputs = {};
};
EncodedSet encode(const std::filesystem::path& directory, std::string_view content,
                  const EncodeCall& call = {});

/// Fills spans with the next bytes of a text, as SetEncoding::read does.
std::function<std::size_t(std::span<std::uint8_t>)> reader_of(std::string_view content);

/// The path encode gives a location's shard.
std::filesystem::path shard_path(const std::filesystem::path& directory, const ShardHeader& header,
                                 std::uint32_t location);

/// The header of location 0 of a set in which 150 bytes are encoded by rs:k=4,m=2 in blocks of 16
/// bytes, the last of 6.
ShardHeader small_header();

/// The names encode gives the shards of a set, in their order.
std::vector<std::string> shard_names(const ShardHeader& header);

/// The whole header of a later version of the format, by an independent program: H = 32, checksum
/// by libxxhash.
std::string later_header();

/// The set that is meant in some directories, ready to be read.
class ReadableSet {
 public:
  explicit ReadableSet(std::vector<std::filesystem::path> paths, std::string_view digits = {},
                       const Options& options = {});

  const FoundShards found;
  const OpenedSet opened;

  struct Decoded {
    std::string content;
    SetDamage damage;
  };
  SetDamage verify(std::size_t threads = 1) const;
  SetDamage check(std::size_t threads = 1) const;
  Decoded decode(std::size_t threads = 1, const FileRange& range = {}) const;

  /// The bad blocks of every shard as a sentence: "1: block 2 damaged, 4: blocks 0-3 missing", told
  /// by location.
  std::string bad_blocks(const SetDamage& damage) const;
};

/// Decodes what is meant in some directories on one thread.
std::string decoded(std::vector<std::filesystem::path> paths, std::string_view digits = {});

RepairedSet repair(std::vector<std::filesystem::path> directories,
                   const std::filesystem::path& to = {}, const Options& options = {},
                   const std::string& digits = {});

/// Rebuilds what is missing or cannot be opened.
RepairedSet repair_missing(std::vector<std::filesystem::path> directories,
                           const std::filesystem::path& to = {});

std::vector<std::uint32_t> locations_of(const std::vector<RebuiltShard>& rebuilt);

/// A shard held in memory to be changed and written back.
class ShardImage {
 public:
  explicit ShardImage(const std::filesystem::path& path);

  std::string bytes;
  ShardHeader header;  ///< as it was when it was read

  /// Offset of a block's frame in `bytes`.
  std::size_t offset(std::uint64_t block) const;
  std::string block(std::uint64_t block) const;
  void set_block(std::uint64_t block, std::string_view text);

  /// Changes one byte of a block's payload.
  void damage(std::uint64_t block);

  /// Makes the checksum of a block hold for what it has, under a header.
  void seal(std::uint64_t block, const ShardHeader& as);
  void seal(std::uint64_t block) { seal(block, header); }

  /// Replaces the header at the beginning, and that at the end, by one of the same size.
  void set_first_header(const ShardHeader& to);
  void set_last_header(const ShardHeader& to);

  void save() const { save_as(path_); }
  void save_as(const std::filesystem::path& path) const;

 private:
  std::filesystem::path path_;
};

/// Damages blocks of a location's shard.
void damage_blocks(const std::filesystem::path& directory, const ShardHeader& header,
                   std::uint32_t location, const std::vector<std::uint64_t>& blocks);

/// A set of random bytes in the directory "d" of a folder of its own.
struct SetScene {
  explicit SetScene(std::size_t file_bytes, const EncodeCall& call = {}, std::uint64_t seed = 1);

  std::filesystem::path path(std::uint32_t location) const;
  std::string name(std::uint32_t location) const;
  ShardImage image(std::uint32_t location) const { return ShardImage(path(location)); }
  void lose(std::uint32_t location) const;
  void damage(std::uint32_t location, const std::vector<std::uint64_t>& blocks) const;

  /// Whether all files are there as they were, and no others.
  bool is_whole() const { return snapshot(d) == whole; }

  ReadableSet set(const Options& options = {}) const { return ReadableSet({d}, {}, options); }

  TemporaryFolder folder;
  std::filesystem::path d = folder.path() / "d";
  std::string content;
  ShardHeader header;
  std::map<std::string, std::string> whole;  ///< the files as encode wrote them
};

}  // namespace xorloom::test
