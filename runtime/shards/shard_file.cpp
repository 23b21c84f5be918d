#include "runtime/shards/shard_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "codes/text/counted.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom {
namespace {

using Kind = HeaderReading::Kind;

/// A header, and errno if the system could not read it.
struct HeaderRead : HeaderReading {
  int error = 0;
};

HeaderRead unreadable(int code, Kind kind) {
  return {{kind, {}, "its header cannot be read"}, std::max(code, 0)};  // -1: the file has ended
}

/// The header of `bytes` bytes at `offset`; kOther if the file has no room for it.
HeaderRead header_at(const OpenFile& file, std::uint64_t offset, std::size_t bytes) {
  if (bytes == 0 || offset > file.bytes() || bytes > file.bytes() - offset) return {};
  std::vector<std::uint8_t> text(bytes);
  if (const int code = file.read_at(offset, text); code != 0) {
    return unreadable(code, Kind::kDamaged);
  }
  return {read_header(text)};
}

HeaderRead first_header(const OpenFile& file) {
  std::array<std::uint8_t, kHeaderPrefixBytes> prefix{};
  if (file.bytes() < prefix.size()) return {};
  if (const int code = file.read_at(0, prefix); code != 0) return unreadable(code, Kind::kOther);
  return header_at(file, 0, bytes_in_prefix(prefix));
}

/// The header that ends at offset `end` of the file.
HeaderRead last_header(const OpenFile& file, std::uint64_t end) {
  std::array<std::uint8_t, kHeaderSuffixBytes> suffix{};
  if (end > file.bytes() || end < suffix.size()) return {};
  if (const int code = file.read_at(end - suffix.size(), suffix); code != 0) {
    return unreadable(code, Kind::kOther);
  }
  const std::size_t bytes = bytes_in_suffix(suffix);
  return bytes == 0 || bytes > end ? HeaderRead{} : header_at(file, end - bytes, bytes);
}

/// "the header at its end is damaged", or why the system could not read it.
std::string defect_of(const HeaderRead& header, const char* where, const char* otherwise) {
  if (header.error == 0) return fmt::format("the header at its {} is {}", where, otherwise);
  return fmt::format("the header at its {} cannot be read: {}", where, std::strerror(header.error));
}

/// True if the headers are two generations of one shard: a change of it is under way, or the write
/// of one header was lost.
bool are_generations(const ShardHeader& first, const ShardHeader& last) {
  return first.set == last.set && first.location == last.location &&
         (first.is_changed || last.is_changed) && generation_count(first) != generation_count(last);
}

void note_length(ShardFile& shard) {
  const std::uint64_t expected = shard_bytes(shard.header);
  const std::uint64_t found = shard.file.bytes();
  if (found == expected) return;
  shard.defects.push_back(
      fmt::format("{} {}, {} instead of {}",
                  counted(found < expected ? expected - found : found - expected, "byte"),
                  found < expected ? "missing" : "too many", found, expected));
}

/// Reads the lineage. A damaged one is a mere defect, as the other shards of the set have it, too.
void load_lineage(ShardFile& shard) {
  ShardHeader& header = shard.header;
  if (!header.lineage) return;
  std::vector<std::uint8_t> text(kLineageBytes);
  std::optional<Lineage> lineage;
  if (shard.file.read_at(lineage_offset(header), text) == 0) {
    lineage = read_lineage(text, header.set, header.generation);
  }
  if (lineage) {
    header.lineage = std::move(lineage);
  } else {
    shard.defects.emplace_back("its lineage is damaged");
  }
}

}  // namespace

int ShardFile::read_block(std::uint64_t block, std::uint64_t offset, std::span<std::uint8_t> bytes,
                          std::span<std::uint8_t> more) const noexcept {
  if (journal != nullptr) {
    const std::optional<std::uint64_t> at = journal->offset(header.location, block);
    if (at) return journal->file().read_at(*at + offset, bytes, more);
    if (const Frame* const frame = journal->frame(header.location, block);
        frame != nullptr && offset == 0) {
      std::ranges::copy(std::span(*frame).first(bytes.size()), bytes.begin());
      if (more.empty()) return 0;
      return file.read_at(block_offset(header, block) + bytes.size(), more);
    }
  }
  return file.read_at(block_offset(header, block) + offset, bytes, more);
}

ShardFile open_shard(const std::filesystem::path& path) {
  ShardFile shard;
  shard.path = path;
  shard.file = OpenFile(path);
  const bool has_name = parse_shard_name(path.filename().string()).has_value();
  const auto be = [&shard](ShardFile::Kind kind, std::string why, int error = 0) {
    shard.kind = kind;
    shard.defects = {std::move(why)};
    shard.error = error;
  };
  const auto why_unread = [](const char* why) { return fmt::format("it cannot be read: {}", why); };
  if (!shard.file.is_open()) {
    const int code = shard.file.error();
    std::error_code error;
    const auto type = std::filesystem::symlink_status(path, error).type();
    const bool is_there =
        type != std::filesystem::file_type::not_found;  // though it may be unknown
    if (has_name && is_there) {  // and has not gone since its directory was read
      be(ShardFile::Kind::kWreck, why_unread(code == 0 ? "not a file" : std::strerror(code)), code);
    }
    return shard;
  }
  const HeaderRead first = first_header(shard.file);
  HeaderRead last = last_header(shard.file, shard.file.bytes());
  if (first.kind == Kind::kWhole && last.kind != Kind::kWhole && last.kind != Kind::kNewer) {
    last = last_header(shard.file, shard_bytes(first.header));  // if something was added behind it
  }
  if (first.kind == Kind::kNewer || last.kind == Kind::kNewer) {
    be(ShardFile::Kind::kNewer, first.kind == Kind::kNewer ? first.why : last.why);
    return shard;
  }
  const bool has_first = first.kind == Kind::kWhole;
  const bool has_last = last.kind == Kind::kWhole;
  if (has_first && has_last && first.header != last.header) {
    be(ShardFile::Kind::kConflicting, "the headers at its beginning and at its end differ");
    shard.header = first.header;
    if (are_generations(first.header, last.header)) shard.last_header = last.header;
    return shard;
  }
  if (!has_first && !has_last) {
    if (has_name || first.kind == Kind::kDamaged || last.kind == Kind::kDamaged) {
      const int code = first.error != 0 ? first.error : last.error;
      be(ShardFile::Kind::kWreck,
         code == 0 ? "it has no readable header" : why_unread(std::strerror(code)), code);
    }
    return shard;
  }
  shard.kind = ShardFile::Kind::kShard;
  shard.header = has_first ? first.header : last.header;
  if (!has_first) shard.defects.push_back(defect_of(first, "beginning", "damaged"));
  if (!has_last) shard.defects.push_back(defect_of(last, "end", "damaged or missing"));
  note_length(shard);
  load_lineage(shard);
  return shard;
}

}  // namespace xorloom
