#include "runtime/shards/shard_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <utility>

#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom {
namespace {

constexpr std::array<std::uint8_t, 8> kJournalMagic = {0x89, 'X', 'L', 'J', '\r', '\n', 0x1a, '\n'};
constexpr std::array<std::uint8_t, 8> kJournalEndMagic = {'e', 'n', 'd', ' ', 'J', 'L', 'X', 0x89};

constexpr std::size_t kPrefixBytes = 16;  ///< magic, version, flags that a reader has to know
constexpr std::size_t kTailBytes = 32;    ///< bytes of the journal, of its end, magic, checksum
constexpr std::size_t kEntryBytes = 16;   ///< location, zero, block

using Bytes = std::vector<std::uint8_t>;

template <typename Number>
void append(Bytes& bytes, Number number) {
  bytes.resize(bytes.size() + sizeof number);
  put(bytes.data() + bytes.size() - sizeof number, number);
}

/// Takes numbers and spans from the front of some bytes, as long as there are enough.
class Taking {
 public:
  explicit Taking(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::span<const std::uint8_t> take(std::uint64_t count) {
    if (count > bytes_.size()) {
      is_short_ = true;
      return {};
    }
    const auto taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }

  template <typename Number>
  Number number() {
    const auto taken = take(sizeof(Number));
    return taken.empty() ? Number{} : get<Number>(taken.data());
  }

  bool is_short() const { return is_short_; }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  bool is_short_ = false;
};

std::optional<ShardHeader> take_header(Taking& from, std::uint32_t bytes) {
  const HeaderReading reading = read_header(from.take(bytes));
  if (reading.kind != HeaderReading::Kind::kWhole) return std::nullopt;
  return reading.header;
}

/// True if a change in place can turn `before` into `after`.
bool is_change(const ShardHeader& before, const ShardHeader& after) {
  ShardHeader same = before;
  same.generation = after.generation;
  same.is_changed = true;
  same.lineage = after.lineage;
  if (before.lineage && !after.lineage) return false;
  if (changes_code(before, after)) {
    same.spec = after.spec;
    same.locations = after.locations;
    same.optional_flags = after.optional_flags;
    same.extra = after.extra;
    if (header_bytes(before) != header_bytes(after) || after.pieces != Pieces{}) return false;
    if (data_shards(after) > std::min(before.locations, after.locations)) return false;
  } else {
    same.file_bytes = after.file_bytes;
    same.last_block_bytes = after.last_block_bytes;
  }
  return same == after && generation_count(after) > generation_count(before);
}

std::uint32_t version_of(const JournalEnd& end) {
  if (end.after.lineage) return kJournalVersion;
  return changes_code(end.before, end.after) ? 2 : 1;
}

/// A journal of a change can cover only locations below this.
std::uint32_t changed_locations(const JournalEnd& end) {
  return changes_code(end.before, end.after) ? data_shards(end.after) : end.after.locations;
}

/// Location and number of a JournalBlock or a JournalFrame.
auto place_of(const auto& each) { return std::tuple(each.location, each.block); }

/// Takes the frames behind the list of blocks; nullopt if they are malformed.
std::optional<std::vector<JournalFrame>> take_frames(Taking& from, const JournalEnd& end) {
  const std::size_t bytes = frame_bytes(end.after);
  const auto number = from.number<std::uint64_t>();
  if (from.is_short() || from.left() % (kEntryBytes + bytes) != 0) return std::nullopt;
  if (number != from.left() / (kEntryBytes + bytes)) return std::nullopt;
  std::vector<JournalFrame> frames;
  for (std::uint64_t i = 0; i < number; ++i) {
    JournalFrame entry;
    entry.location = from.number<std::uint32_t>();
    static_cast<void>(from.number<std::uint32_t>());
    entry.block = from.number<std::uint64_t>();
    const auto frame = from.take(bytes);
    entry.frame.assign(frame.begin(), frame.end());
    if (!std::ranges::binary_search(end.locations, entry.location)) return std::nullopt;
    if (entry.block >= num_blocks(end.after)) return std::nullopt;
    if (stamp_of(entry.frame) != end.after.generation) return std::nullopt;
    frames.push_back(std::move(entry));
  }
  return frames;
}

}  // namespace

bool changes_code(const ShardHeader& before, const ShardHeader& after) {
  return before.spec != after.spec;
}

std::uint32_t data_shards(const ShardHeader& header) {
  return static_cast<std::uint32_t>(header.stripe_bytes / header.block_bytes);
}

Bytes journal_end_text(const JournalEnd& end, std::uint64_t offset) {
  const Bytes before = header_text(end.before);
  const Bytes after = header_text(end.after);
  Bytes text;
  append(text, static_cast<std::uint32_t>(before.size()));
  append(text, static_cast<std::uint32_t>(after.size()));
  text.insert(text.end(), before.begin(), before.end());
  text.insert(text.end(), after.begin(), after.end());
  if (end.after.lineage) {
    const Bytes lineage = lineage_text(*end.after.lineage, end.after.set, end.after.generation);
    text.insert(text.end(), lineage.begin(), lineage.end());
  }
  append(text, std::uint64_t{end.locations.size()});
  for (const std::uint32_t location : end.locations) append(text, location);
  text.resize(padded(text.size()));
  append(text, std::uint64_t{end.blocks.size()});
  for (const JournalBlock& block : end.blocks) {
    append(text, block.location);
    append(text, std::uint32_t{0});
    append(text, block.block);
  }
  if (end.after.lineage) append(text, std::uint64_t{end.frames.size()});
  for (const JournalFrame& each : end.frames) {
    append(text, each.location);
    append(text, std::uint32_t{0});
    append(text, each.block);
    text.insert(text.end(), each.frame.begin(), each.frame.end());
  }
  const std::uint64_t bytes = text.size() + kTailBytes;
  append(text, offset + bytes);
  append(text, bytes);
  text.insert(text.end(), kJournalEndMagic.begin(), kJournalEndMagic.end());
  append(text, checksum(text));
  return text;
}

std::optional<JournalEnd> read_journal_end(std::span<const std::uint8_t> text,
                                           std::uint64_t file_bytes) {
  if (text.size() < kTailBytes) return std::nullopt;
  const std::span<const std::uint8_t> covered = text.first(text.size() - kChecksumBytes);
  if (get<std::uint64_t>(text.data() + covered.size()) != checksum(covered)) return std::nullopt;
  Taking from(text.first(text.size() - kTailBytes));
  JournalEnd end;
  const auto before_bytes = from.number<std::uint32_t>();
  const auto after_bytes = from.number<std::uint32_t>();
  const auto before = take_header(from, before_bytes);
  const auto after = take_header(from, after_bytes);
  if (!before || !after || !is_change(*before, *after)) return std::nullopt;
  end.before = *before;
  end.after = *after;
  if (end.after.lineage) {
    end.after.lineage = read_lineage(from.take(kLineageBytes), end.after.set, end.after.generation);
    if (!end.after.lineage) return std::nullopt;
  }
  const auto num_locations = from.number<std::uint64_t>();
  if (num_locations > changed_locations(end)) return std::nullopt;
  for (std::uint64_t i = 0; i < num_locations; ++i) {
    const auto location = from.number<std::uint32_t>();
    const bool ascends = end.locations.empty() || location > end.locations.back();
    if (!ascends || location >= changed_locations(end)) return std::nullopt;
    end.locations.push_back(location);
  }
  static_cast<void>(from.take(num_locations % 2 * 4));
  const auto num_entries = from.number<std::uint64_t>();
  if (from.is_short() || num_entries > from.left() / kEntryBytes) return std::nullopt;
  if (num_entries != 0 && changes_code(end.before, end.after)) return std::nullopt;
  std::uint64_t offset = kPrefixBytes;
  for (std::uint64_t i = 0; i < num_entries; ++i) {
    JournalBlock entry;
    entry.location = from.number<std::uint32_t>();
    static_cast<void>(from.number<std::uint32_t>());
    entry.block = from.number<std::uint64_t>();
    entry.offset = offset;
    if (!std::ranges::binary_search(end.locations, entry.location)) return std::nullopt;
    if (entry.block >= num_blocks(end.after)) return std::nullopt;
    offset += frame_bytes(end.after) + payload_bytes(end.after, entry.block);
    if (offset > file_bytes) return std::nullopt;
    end.blocks.push_back(entry);
  }
  if (end.after.lineage) {
    std::optional<std::vector<JournalFrame>> frames = take_frames(from, end);
    if (!frames || (!frames->empty() && changes_code(end.before, end.after))) return std::nullopt;
    end.frames = std::move(*frames);
  } else if (from.left() != 0) {
    return std::nullopt;
  }
  const std::uint8_t* const tail = text.data() + text.size() - kTailBytes;
  const bool adds_up = offset + text.size() == file_bytes &&
                       get<std::uint64_t>(tail) == file_bytes &&
                       get<std::uint64_t>(tail + 8) == text.size();
  if (!adds_up) return std::nullopt;
  return end;
}

JournalWriter::JournalWriter(const std::filesystem::path& directory, const SetId& set,
                             std::uint64_t generation, mode_t most)
    : file_(directory / journal_name(set, generation), {}, most), bytes_(kPrefixBytes) {}

void JournalWriter::write(std::uint32_t location, std::uint64_t block,
                          std::span<const std::uint8_t> frame,
                          std::span<const std::uint8_t> payload) {
  file_.write_at(bytes_, frame, payload);
  blocks_.push_back({location, block, bytes_});
  bytes_ += frame.size() + payload.size();
}

void JournalWriter::write_frame(std::uint32_t location, std::uint64_t block, Frame frame) {
  frames_.push_back({location, block, std::move(frame)});
}

void JournalWriter::finish(const ShardHeader& before, const ShardHeader& after,
                           std::vector<std::uint32_t> locations) {
  JournalEnd end{before, after, std::move(locations), std::move(blocks_), std::move(frames_)};
  end.before.location = 0;
  end.after.location = 0;
  const Bytes text = journal_end_text(end, bytes_);
  file_.write_at(bytes_, text);
  std::array<std::uint8_t, kPrefixBytes> prefix{};
  std::ranges::copy(kJournalMagic, prefix.begin());
  put(prefix.data() + kJournalMagic.size(), version_of(end));
  file_.write_at(0, prefix);
  bytes_ += text.size();
  file_.finish();
}

Journal::Journal(const std::filesystem::path& path)
    : path_(path), file_(path), why_("it is not finished") {
  if (!file_.is_open()) {
    why_ = fmt::format("it cannot be read: {}",
                       file_.error() == 0 ? "not a file" : std::strerror(file_.error()));
    return;
  }
  std::array<std::uint8_t, kPrefixBytes> prefix{};
  std::array<std::uint8_t, kTailBytes> tail{};
  if (file_.bytes() < kPrefixBytes + kTailBytes) return;
  if (file_.read_at(0, prefix) != 0) return;
  if (!std::ranges::equal(std::span(prefix).first(kJournalMagic.size()), kJournalMagic)) return;
  const auto version = get<std::uint32_t>(prefix.data() + kJournalMagic.size());
  const auto flags = get<std::uint32_t>(prefix.data() + kJournalMagic.size() + 4);
  if (version > kJournalVersion || flags != 0) {
    kind_ = Kind::kNewer;
    why_ = fmt::format("it has journal version {} and flags {:#x}, and this program knows {} and 0",
                       version, flags, kJournalVersion);
    return;
  }
  if (file_.read_at(file_.bytes() - kTailBytes, tail) != 0) return;
  if (!std::ranges::equal(std::span(tail).subspan(16, kJournalEndMagic.size()), kJournalEndMagic))
    return;
  const auto end_bytes = get<std::uint64_t>(tail.data() + 8);
  if (end_bytes > file_.bytes() - kPrefixBytes) return;
  Bytes text(end_bytes);
  if (file_.read_at(file_.bytes() - end_bytes, text) != 0) return;
  std::optional<JournalEnd> end = read_journal_end(text, file_.bytes());
  if (!end || version < version_of(*end)) {
    why_ = "its end is damaged";
    return;
  }
  kind_ = Kind::kWhole;
  why_.clear();
  end_ = std::move(*end);
  check_blocks();
}

/// Makes locations uncovered that have a damaged block, two blocks or frames with the same number,
/// or a block and a frame with the same number.
void Journal::check_blocks() {
  std::vector<bool> is_bad(end_.after.locations);
  ShardHeader header = end_.after;
  Frame frame(frame_bytes(header));
  Bytes payload;
  for (const JournalBlock& block : end_.blocks) {
    header.location = block.location;
    payload.resize(payload_bytes(header, block.block));
    const bool is_good = file_.read_at(block.offset, frame, payload) == 0 &&
                         check_block(header, block.block, frame, payload) == BlockState::kGood;
    if (!is_good) is_bad[block.location] = true;
  }
  std::ranges::sort(end_.blocks);
  for (std::size_t i = 1; i < end_.blocks.size(); ++i) {
    if (place_of(end_.blocks[i - 1]) == place_of(end_.blocks[i]))
      is_bad[end_.blocks[i].location] = true;
  }
  std::ranges::sort(end_.frames);
  for (std::size_t i = 0; i < end_.frames.size(); ++i) {
    const JournalFrame& each = end_.frames[i];
    const bool is_twice = i > 0 && place_of(end_.frames[i - 1]) == place_of(each);
    if (is_twice || offset(each.location, each.block)) is_bad[each.location] = true;
  }
  std::erase_if(end_.locations, [&](std::uint32_t location) { return is_bad[location]; });
}

bool Journal::covers(std::uint32_t location) const {
  return std::ranges::binary_search(end_.locations, location);
}

std::span<const JournalBlock> Journal::blocks(std::uint32_t location) const {
  const auto& all = end_.blocks;
  return {std::ranges::lower_bound(all, location, {}, &JournalBlock::location),
          std::ranges::upper_bound(all, location, {}, &JournalBlock::location)};
}

std::span<const JournalFrame> Journal::frames(std::uint32_t location) const {
  const auto& all = end_.frames;
  return {std::ranges::lower_bound(all, location, {}, &JournalFrame::location),
          std::ranges::upper_bound(all, location, {}, &JournalFrame::location)};
}

const Frame* Journal::frame(std::uint32_t location, std::uint64_t block) const {
  const std::span<const JournalFrame> all = frames(location);
  const auto found = std::ranges::lower_bound(all, block, {}, &JournalFrame::block);
  return found == all.end() || found->block != block ? nullptr : &found->frame;
}

std::optional<std::uint64_t> Journal::offset(std::uint32_t location, std::uint64_t block) const {
  const std::span<const JournalBlock> all = blocks(location);
  const auto found = std::ranges::lower_bound(all, block, {}, &JournalBlock::block);
  if (found == all.end() || found->block != block) return std::nullopt;
  return found->offset;
}

}  // namespace xorloom
