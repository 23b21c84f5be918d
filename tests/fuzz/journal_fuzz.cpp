#include "tests/fuzz/journal_fuzz.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"
#include "runtime/shards/shard_block.hpp"
#include "runtime/shards/shard_journal.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/shard_fuzz.hpp"

namespace xorloom::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Magic numbers and sizes of docs/shard-format.md.
constexpr std::array<std::uint8_t, 8> kJournalMagic = {0x89, 'X', 'L', 'J', '\r', '\n', 0x1a, '\n'};
constexpr std::array<std::uint8_t, 8> kEndMagic = {'e', 'n', 'd', ' ', 'J', 'L', 'X', 0x89};
constexpr std::size_t kPrefixBytes = 16;
constexpr std::size_t kTailBytes = 32;

/// The end of a journal, as long as its tail says, within the journal.
std::span<std::uint8_t> end_of(Bytes& journal) {
  const auto bytes = get<std::uint64_t>(journal.data() + journal.size() - 24);
  const std::uint64_t most = journal.size() - kPrefixBytes;
  return std::span(journal).last(std::clamp<std::uint64_t>(bytes, kTailBytes, most));
}

void mend_end(Bytes& journal) {
  const std::span<std::uint8_t> end = end_of(journal);
  std::uint8_t* const tail = journal.data() + journal.size() - kTailBytes;
  std::ranges::copy(kJournalMagic, journal.begin());
  put(journal.data() + 8, kJournalVersion);
  put(journal.data() + 12, std::uint32_t{0});
  put(tail, std::uint64_t{journal.size()});
  put(tail + 8, std::uint64_t{end.size()});
  std::ranges::copy(kEndMagic, tail + 16);
}

void mend_checksum(Bytes& journal) {
  const std::span<std::uint8_t> end = end_of(journal);
  put(end.data() + end.size() - 8, checksum(end.first(end.size() - 8)));
}

/// Puts frames right. True if the journal then has to cover all of its locations.
bool mend_blocks(Bytes& journal) {
  const std::optional<JournalEnd> end = read_journal_end(end_of(journal), journal.size());
  if (!end) return false;
  ShardHeader header = end->after;
  for (const JournalBlock& block : end->blocks) {
    header.location = block.location;
    const auto payload = std::span(journal).subspan(block.offset + frame_bytes(header),
                                                    payload_bytes(header, block.block));
    std::ranges::copy(block_frame(header, block.block, payload), journal.data() + block.offset);
  }
  std::vector<JournalBlock> blocks = end->blocks;
  for (JournalBlock& block : blocks) block.offset = 0;
  std::ranges::sort(blocks);
  return std::ranges::adjacent_find(blocks) == blocks.end();
}

void check_whole(const Journal& journal, const Bytes& bytes, bool is_mended) {
  const ShardHeader& after = journal.after();
  require(journal.before().set == after.set, "a change is of one set");
  require(generation_count(journal.before()) < generation_count(after), "and goes on");
  require(std::ranges::is_sorted(journal.locations()), "locations ascend");
  if (journal.changes_code()) {
    require(block_offset(journal.before(), 0) == block_offset(after, 0), "blocks stay in place");
    require(shard_bytes(journal.before()) - lineage_bytes(journal.before()) ==
                shard_bytes(after) - lineage_bytes(after),
            "all of them");
    require(journal.locations().empty() || journal.locations().back() < data_shards(after),
            "no redundancy becomes that of another code");
  }
  std::size_t num_blocks_of_all = 0;
  for (std::uint32_t location = 0; location < after.locations; ++location) {
    ShardHeader header = after;
    header.location = location;
    const std::span<const JournalBlock> blocks = journal.blocks(location);
    num_blocks_of_all += blocks.size();
    require(std::ranges::is_sorted(blocks), "blocks ascend");
    if (!journal.covers(location)) continue;
    for (const JournalBlock& block : blocks) {
      require(block.block < num_blocks(after), "a block is one of the shard's");
      require(journal.offset(location, block.block) == block.offset, "and is found by its number");
      Frame frame(frame_bytes(header));
      Bytes payload(payload_bytes(header, block.block));
      require(block.offset + frame.size() + payload.size() <= bytes.size(), "it is in the journal");
      require(journal.file().read_at(block.offset, frame, payload) == 0, "so that it can be read");
      require(check_block(header, block.block, frame, payload) == BlockState::kGood, "and is good");
    }
  }
  for (const std::uint32_t location : journal.locations()) {
    for (const JournalFrame& each : journal.frames(location)) {
      require(each.block < num_blocks(after), "a frame is one of the shard's");
      require(!journal.offset(location, each.block), "of a block that is not there");
      require(journal.frame(location, each.block) == &each.frame, "and is found by its number");
      require(stamp_of(each.frame) == after.generation, "and has the stamp of the change");
    }
  }
  require(num_blocks_of_all == 0 || num_blocks_of_all <= bytes.size() / kFrameBytes,
          "blocks do not overlap");
  if (!is_mended) return;
  for (const std::uint32_t location : journal.locations()) {
    require(journal.covers(location), "what was mended covers its locations");
  }
}

Bytes journal_of(const ShardHeader& before, std::uint64_t file_bytes_after) {
  JournalEnd end{before, next_generation(before, {}), {0, 2}, {}, {}};
  end.after.generation = generation_count(end.after) << 32 | 5;  // seeds are the same each time
  end.after.file_bytes = file_bytes_after;
  end.after.last_block_bytes = file_bytes_after == 0 ? 0 : 16;
  Bytes journal(kJournalMagic.begin(), kJournalMagic.end());
  journal.resize(kPrefixBytes);
  put(journal.data() + 8, kJournalVersion);
  ShardHeader header = end.after;
  for (const std::uint32_t location : end.locations) {
    if (num_blocks(header) == 0) break;
    header.location = location;
    const std::uint64_t block = num_blocks(header) - 1;
    const Bytes payload(payload_bytes(header, block), static_cast<std::uint8_t>(location));
    end.blocks.push_back({location, block, journal.size()});
    const Frame frame = block_frame(header, block, payload);
    journal.insert(journal.end(), frame.begin(), frame.end());
    journal.insert(journal.end(), payload.begin(), payload.end());
    if (block == 0) continue;
    end.frames.push_back({location, 0, restamped(header, block_frame(before, 0, payload))});
  }
  const Bytes text = journal_end_text(end, journal.size());
  journal.insert(journal.end(), text.begin(), text.end());
  return journal;
}

/// A journal that gives a set a code with one more redundant chunk.
Bytes journal_of_code(const ShardHeader& before) {
  JournalEnd end{before, next_generation(before, {}), {0, 1}, {}, {}};
  end.after.generation = generation_count(end.after) << 32 | 5;
  end.after.spec.replace(end.after.spec.find("m="), 3, "m=2");
  ++end.after.locations;
  Bytes journal(kJournalMagic.begin(), kJournalMagic.end());
  journal.resize(kPrefixBytes);
  put(journal.data() + 8, kJournalVersion);
  const Bytes text = journal_end_text(end, journal.size());
  journal.insert(journal.end(), text.begin(), text.end());
  require(read_journal_end(text, journal.size()).has_value(), "this seed is a journal");
  return journal;
}

}  // namespace

void fuzz_journal(Bytes bytes, unsigned mend) {
  static const MemoryFile file;
  bool is_mended = false;
  if (bytes.size() >= kPrefixBytes + kTailBytes) {
    if ((mend & kMendFrame) != 0) mend_end(bytes);
    if ((mend & kMendChecksum) != 0) mend_checksum(bytes);
    if ((mend & kMendBlocks) != 0) is_mended = mend_blocks(bytes);
  }
  file.write(bytes);
  const Journal journal(file.path());
  const bool is_whole = journal.kind() == Journal::Kind::kWhole;
  require(journal.why().empty() == is_whole, "why something is no whole journal is said");
  if (is_whole) check_whole(journal, bytes, is_mended);
}

std::vector<Bytes> journal_seeds() {
  return {journal_of(seed_header(100), 100), journal_of(seed_header(100), 300),
          journal_of(seed_header(300), 100), journal_of(seed_header(0), 100),
          journal_of(seed_header(100), 0),   journal_of_code(seed_header(100))};
}

}  // namespace xorloom::test
