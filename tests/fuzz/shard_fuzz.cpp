#include "tests/fuzz/shard_fuzz.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"
#include "runtime/shards/shard_block.hpp"
#include "runtime/shards/shard_file.hpp"
#include "runtime/shards/shard_header.hpp"
#include "runtime/shards/shard_name.hpp"
#include "tests/fuzz/journal_fuzz.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/protection_fuzz.hpp"
#include "tests/fuzz/require.hpp"

namespace xorloom::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Magic numbers, offsets and sizes of a header.
constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'X', 'L', 'S', '\r', '\n', 0x1a, '\n'};
constexpr std::array<std::uint8_t, 4> kEndMagic = {'S', 'L', 'X', 0x89};
constexpr std::size_t kSpecAt = 96;
constexpr std::size_t kLeastHeaderBytes = kSpecAt + 16;

/// Files are made no longer than this.
constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 16;

void mend_numbers(std::uint8_t* at) {
  const auto change = [at](std::size_t offset, auto number) { put(at + offset, number); };
  const auto number = [at](std::size_t offset) { return get<std::uint64_t>(at + offset); };
  change(40, number(40) | 1);
  const std::uint32_t locations = 1 + get<std::uint32_t>(at + 52) % 300;
  change(48, get<std::uint32_t>(at + 48) % locations);
  change(52, locations);
  const std::uint64_t file_bytes = number(56) % 4096;
  const std::uint64_t block_bytes = 1 + number(72) % 512;
  change(56, file_bytes);
  change(64, 1 + number(64) % (block_bytes * locations));
  change(72, block_bytes);
  change(80, file_bytes == 0 ? 0 : 1 + number(80) % block_bytes);
}

void mend_text(std::span<std::uint8_t> header) {
  const std::size_t room = header.size() - kLeastHeaderBytes;
  std::uint8_t* const at = header.data();
  const std::size_t extra = get<std::uint32_t>(at + 92) % (room / 8 + 1) * 8;
  const std::size_t padding = std::min<std::size_t>(get<std::uint32_t>(at + 88) % 8, room - extra);
  const std::size_t spec = room - extra - padding;
  put(at + 88, static_cast<std::uint32_t>(spec));
  put(at + 92, static_cast<std::uint32_t>(extra));
  for (std::uint8_t& c : header.subspan(kSpecAt, spec)) c = c < 0x20 || c == 0x7f ? '=' : c;
  std::ranges::fill(header.subspan(kSpecAt + spec, padding), std::uint8_t{0});
}

/// Makes block sizes multiples of the pieces' size, if blocks are cut into pieces.
void mend_pieces(std::span<std::uint8_t> header) {
  std::uint8_t* const at = header.data();
  if (get<std::uint32_t>(at + 16) != 1) return;
  const std::size_t room = header.size() - kLeastHeaderBytes;
  const std::size_t extra = get<std::uint32_t>(at + 92);
  if (extra < 16 || extra > room) return put(at + 16, std::uint32_t{0});
  std::uint8_t* const pieces = at + header.size() - 16 - extra;
  const std::uint32_t number = 2 + get<std::uint32_t>(pieces) % 9;
  const std::uint64_t unit = get<std::uint64_t>(pieces + 8) % 4;
  put(pieces, number);
  put(pieces + 4, std::uint32_t{0});
  put(pieces + 8, unit);
  const std::uint64_t all = number * std::max<std::uint64_t>(1, unit);
  const std::uint64_t block_bytes = (get<std::uint64_t>(at + 72) / all + 1) * all;
  const std::uint64_t last_bytes = (get<std::uint64_t>(at + 80) + all - 1) / all * all;
  put(at + 72, block_bytes);
  put(at + 80, std::min(block_bytes, last_bytes));
}

void mend_header(std::span<std::uint8_t> header, unsigned mend) {
  if (header.size() < kLeastHeaderBytes || header.size() % 8 != 0) return;
  std::uint8_t* const at = header.data();
  std::uint8_t* const end = at + header.size();
  if ((mend & kMendFrame) != 0) {
    const auto size = static_cast<std::uint32_t>(header.size());
    std::ranges::copy(kMagic, at);
    put(at + 8, kShardVersion);
    put(at + 12, size);
    put(at + 16, get<std::uint32_t>(at + 16) & 1);
    put(end - 16, size);
    std::ranges::copy(kEndMagic, end - 12);
  }
  if ((mend & kMendNumbers) != 0) mend_numbers(at);
  if ((mend & kMendText) != 0) mend_text(header);
  if ((mend & kMendNumbers) != 0) mend_pieces(header);
  if ((mend & kMendChecksum) != 0) put(end - 8, checksum(header.first(header.size() - 8)));
}

/// Checks what holds for every header that reads as whole.
void check_header(const ShardHeader& header) {
  const std::uint64_t blocks = num_blocks(header);
  const std::uint64_t bytes = shard_bytes(header);
  require(header.location < header.locations, "a location is one of the set's");
  require(bytes >= 2 * header_bytes(header), "a shard has room for its headers");
  require(bytes <= kMaxShardFileBytes, "a shard is within the format's bound");
  require(same_set(header, header), "a header is of its own set");
  require((blocks == 0) == (header.file_bytes == 0), "an empty file alone has no blocks");
  if (blocks == 0) return require(bytes == 2 * header_bytes(header), "no blocks take no room");
  const std::uint64_t last = blocks - 1;
  const std::uint64_t last_bytes = payload_bytes(header, last);
  require(last_bytes != 0 && last_bytes <= header.block_bytes, "the last block is no longer");
  const std::uint64_t end = block_offset(header, last) + frame_bytes(header) + last_bytes;
  require(end + header_bytes(header) == bytes, "the last header follows the last block");
  require(block_offset(header, 0) == header_bytes(header), "the first block follows the header");
  const std::uint64_t of_file = stripe_file_bytes(header, last);
  require(of_file != 0 && of_file <= header.stripe_bytes, "the last stripe has some of the file");
  require(last * header.stripe_bytes + of_file == header.file_bytes, "stripes make up the file");
}

void check_reading(const HeaderReading& reading, std::span<const std::uint8_t> bytes) {
  using Kind = HeaderReading::Kind;
  const bool has_reason = reading.kind == Kind::kDamaged || reading.kind == Kind::kNewer;
  require(reading.why.empty() != has_reason, "what is wrong with a header is said");
  if (reading.kind == Kind::kOther) return;
  if (reading.kind != Kind::kDamaged) {
    require(bytes_in_prefix(bytes) == bytes.size(), "a header's beginning tells its length");
    require(bytes_in_suffix(bytes) == bytes.size(), "a header's end tells its length");
  }
  if (reading.kind != Kind::kWhole) return;
  check_header(reading.header);
  require(header_bytes(reading.header) == bytes.size(), "a header is as long as it reads");
  require(std::ranges::equal(header_text(reading.header), bytes),
          "a header is written as it reads");
}

void fuzz_header(Bytes bytes, unsigned mend) {
  mend_header(bytes, mend);
  static_cast<void>(bytes_in_prefix(bytes));
  static_cast<void>(bytes_in_suffix(bytes));
  check_reading(read_header(bytes), bytes);
}

/// The header a file begins with, as far as its length can be told or chosen.
std::span<std::uint8_t> first_header(Bytes& file) {
  std::size_t bytes = bytes_in_prefix(file);
  if (bytes == 0) bytes = kLeastHeaderBytes + 16;
  return std::span(file).first(std::min(bytes, file.size()));
}

std::span<std::uint8_t> last_header(Bytes& file) {
  std::size_t bytes = bytes_in_suffix(file);
  if (bytes == 0) bytes = kLeastHeaderBytes + 16;
  return std::span(file).last(std::min(bytes, file.size()));
}

void mend_blocks(Bytes& file, const ShardHeader& header) {
  for (std::uint64_t block = 0; block < num_blocks(header); ++block) {
    const auto payload = std::span(file).subspan(block_offset(header, block) + frame_bytes(header),
                                                 payload_bytes(header, block));
    std::ranges::copy(block_frame(header, block, payload), payload.data() - frame_bytes(header));
  }
}

/// Mends a file. True if all of it must be in order then.
bool mend_file(Bytes& file, unsigned mend) {
  mend_header(first_header(file), mend);
  if ((mend & kMendLast) != 0) mend_header(last_header(file), mend);
  if ((mend & kCopyFirst) == 0) return false;
  const std::span<std::uint8_t> text = first_header(file);
  const HeaderReading reading = read_header(text);
  if (reading.kind != HeaderReading::Kind::kWhole) return false;
  const std::uint64_t bytes = shard_bytes(reading.header);
  if (bytes > kMostFileBytes) return false;
  const Bytes copy(text.begin(), text.end());
  file.resize(bytes);
  std::ranges::copy(copy, file.end() - static_cast<std::ptrdiff_t>(copy.size()));
  if ((mend & kMendBlocks) == 0) return false;
  mend_blocks(file, reading.header);
  return true;
}

/// Reads all blocks that have room in a file. True if all are good.
bool are_blocks_good(const ShardFile& shard) {
  const ShardHeader& header = shard.header;
  bool are_good = true;
  Bytes payload;
  for (std::uint64_t block = 0; block < num_blocks(header); ++block) {
    const std::uint64_t offset = block_offset(header, block);
    const std::uint64_t bytes = payload_bytes(header, block);
    if (offset + frame_bytes(header) + bytes > shard.file.bytes()) return false;
    Frame frame(frame_bytes(header));
    payload.resize(bytes);
    require(shard.file.read_at(offset, frame, payload) == 0, "what has room in a file is read");
    are_good &= check_block(header, block, frame, payload) == BlockState::kGood;
  }
  return are_good;
}

void fuzz_file(Bytes bytes, unsigned mend) {
  static const MemoryFile file;
  const bool is_mended = mend_file(bytes, mend);
  file.write(bytes);
  const ShardFile shard = open_shard(file.path());
  require(shard.file.is_open(), "a file that can be read is open");
  require(shard.file.bytes() == bytes.size(), "a file has its length");
  if (shard.kind != ShardFile::Kind::kShard) {
    const bool is_none = shard.kind == ShardFile::Kind::kOther;
    require(shard.defects.size() == (is_none ? 0 : 1), "why something is no shard is said");
    return require(!is_mended, "what was mended is a shard");
  }
  check_header(shard.header);
  require(bytes.size() >= header_bytes(shard.header), "a shard has a header");
  if (shard.defects.empty()) {
    const Bytes text = header_text(shard.header);
    require(bytes.size() == shard_bytes(shard.header), "a shard without defects has its length");
    require(std::ranges::equal(text, std::span(bytes).first(text.size())), "it has its header");
    require(std::ranges::equal(text, std::span(bytes).last(text.size())), "and that twice");
  }
  const bool are_good = are_blocks_good(shard);
  require(!is_mended || (are_good && shard.defects.empty()), "what was mended is whole");
}

void fuzz_block(const Bytes& bytes) {
  const auto number = [&](std::size_t offset) { return get<std::uint64_t>(&bytes[offset]); };
  if (bytes.size() < 56) return;
  ShardHeader header;
  std::copy_n(bytes.begin(), SetId::kBytes, header.set.bytes.begin());
  header.generation = number(16);
  header.location = static_cast<std::uint32_t>(number(24));
  const std::uint64_t block = number(32);
  Frame frame(kFrameBytes);
  std::copy_n(bytes.begin() + 40, kFrameBytes, frame.begin());
  std::span<const std::uint8_t> payload = std::span(bytes).subspan(56);
  if (bytes[2] % 2 != 0) {  // in pieces, with the checksums that are found
    const std::size_t count = 2 + bytes[3] % 7U;
    const std::size_t unit = bytes[4] % 3U;
    const std::size_t all = count * std::max<std::size_t>(1, unit);
    if (payload.size() < 8 * count + all) return;
    header.pieces = {static_cast<std::uint32_t>(count), unit};
    frame.insert(frame.end(), payload.begin(),
                 payload.begin() + static_cast<std::ptrdiff_t>(8 * count));
    payload = payload.subspan(8 * count);
    payload = payload.first(payload.size() / all * all);
  }
  const Frame right = block_frame(header, block, payload);
  const BlockState state = check_block(header, block, frame, payload);
  require((state == BlockState::kGood) == (frame == right),
          "only its own frame makes a block good");
  require(check_block(header, block, right, payload) == BlockState::kGood, "a block is good");
  require(check_block(header, block + 1, right, payload) == BlockState::kDamaged,
          "a block in another's place is damaged");
  Frame broken = right;
  broken[bytes[0] % broken.size()] ^= 1;
  require(check_block(header, block, broken, payload) == BlockState::kDamaged,
          "a block with another frame is damaged");
  ShardHeader elsewhere = header;
  elsewhere.location ^= 1;
  require(check_block(elsewhere, block, right, payload) == BlockState::kDamaged,
          "a block at another's location is damaged");
  ShardHeader other_set = header;
  other_set.set.bytes[bytes[1] % SetId::kBytes] ^= 1;
  require(check_block(other_set, block, right, payload) == BlockState::kDamaged,
          "a block of another set is damaged");
  ShardHeader later = header;
  ++later.generation;
  require(check_block(later, block, right, payload) == BlockState::kStale,
          "a block of another generation is stale");
}

void fuzz_name(const Bytes& bytes) {
  const std::string name(bytes.begin(), bytes.end());
  const std::optional<ShardName> parsed = parse_shard_name(name);
  if (parsed) {
    require(name.find(to_string(parsed->set)) != std::string::npos, "a name has its set's id");
    require(parsed->is_temporary == name.starts_with('.'), "hidden names alone are temporary");
  }
  if (bytes.size() < SetId::kBytes + 4) return;
  SetId set;
  std::copy_n(bytes.begin(), SetId::kBytes, set.bytes.begin());
  const auto location = get<std::uint16_t>(&bytes[SetId::kBytes]);
  const auto more = get<std::uint16_t>(&bytes[SetId::kBytes + 2]);
  const std::string own = shard_name(set, location, std::uint32_t{1} + location + more);
  require(parse_shard_name(own) == ShardName{set, false}, "a shard's name is understood");
  const std::string hidden = "." + own + ".xorloom-0123456789abcdef";
  require(parse_shard_name(hidden) == ShardName{set, true}, "a pending shard's name is understood");
}

}  // namespace
}  // namespace xorloom::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace xorloom::test;
  if (size < 2) return 0;
  const unsigned mend = data[1];
  std::vector<std::uint8_t> rest(data + 2, data + size);
  switch (static_cast<Fuzzed>(data[0] % 7)) {
    case Fuzzed::kHeader:
      fuzz_header(std::move(rest), mend);
      break;
    case Fuzzed::kFile:
      fuzz_file(std::move(rest), mend);
      break;
    case Fuzzed::kBlock:
      fuzz_block(rest);
      break;
    case Fuzzed::kJournal:
      fuzz_journal(std::move(rest), mend);
      break;
    case Fuzzed::kName:
      fuzz_name(rest);
      break;
    case Fuzzed::kProtection:
      fuzz_protection(std::move(rest), mend);
      break;
    case Fuzzed::kManifest:
      fuzz_manifest(rest);
      break;
  }
  return 0;
}
