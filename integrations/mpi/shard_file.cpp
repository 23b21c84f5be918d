#include "integrations/mpi/shard_file.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstring>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace xorloom::mpi {
namespace {

// Offsets as the table of docs/shard-format.md has them.
constexpr std::array<std::uint8_t, 8> kMagic{0x89, 0x58, 0x4c, 0x53, 0x0d, 0x0a, 0x1a, 0x0a};
constexpr std::array<std::uint8_t, 4> kEndMagic{0x53, 0x4c, 0x58, 0x89};
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kHeaderBytesAt = 12;
constexpr std::size_t kNeededFlagsAt = 16;
constexpr std::size_t kOptionalFlagsAt = 20;
constexpr std::size_t kSetAt = 24;
constexpr std::size_t kGenerationAt = 40;
constexpr std::size_t kLocationAt = 48;
constexpr std::size_t kLocationsAt = 52;
constexpr std::size_t kFileBytesAt = 56;
constexpr std::size_t kStripeBytesAt = 64;
constexpr std::size_t kBlockBytesAt = 72;
constexpr std::size_t kLastBlockBytesAt = 80;
constexpr std::size_t kSpecBytesAt = 88;
constexpr std::size_t kExtraBytesAt = 92;
constexpr std::size_t kSpecAt = 96;
constexpr std::size_t kSuffixBytes = 16;
constexpr std::size_t kMostHeaderBytes = std::size_t{1} << 21;
constexpr std::size_t kMostSpecBytes = std::size_t{1} << 20;
constexpr std::uint64_t kMostBlockBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 62;
// Layout of what a shard remembers of the file.
constexpr std::size_t kPermissionsAt = 4;
constexpr std::size_t kNameAt = 24;
constexpr std::uint32_t kRemembers = 1;
constexpr std::uint32_t kMostPermissions = 07777;

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

template <std::unsigned_integral Number>
void put(std::uint8_t* at, Number number) noexcept {
  std::memcpy(at, &number, sizeof number);
}
template <std::unsigned_integral Number>
Number get(const std::uint8_t* at) noexcept {
  Number number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

std::size_t padded(std::size_t bytes) noexcept { return (bytes + 7) / 8 * 8; }

std::uint64_t frame_checksum(const ShardHeader& header, std::size_t location, std::uint64_t block,
                             std::span<const std::uint8_t> payload) noexcept {
  std::array<std::uint8_t, 40> place{};
  std::ranges::copy(header.set, place.begin());
  put(place.data() + 16, header.generation);
  put(place.data() + 24, std::uint64_t{location});
  put(place.data() + 32, block);
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  XXH3_64bits_update(&state, place.data(), place.size());
  XXH3_64bits_update(&state, payload.data(), payload.size());
  return XXH3_64bits_digest(&state);
}

std::optional<int> number_of(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

bool is_sound(const ShardHeader& h) {
  if (h.permissions > kMostPermissions) return false;
  if (h.generation == 0 || h.locations == 0 || h.location >= h.locations) return false;
  if (h.file_bytes > kMostFileBytes || h.block_bytes == 0 || h.block_bytes > kMostBlockBytes)
    return false;
  if (h.stripe_bytes == 0 || h.stripe_bytes > h.block_bytes * h.locations) return false;
  if (h.last_block_bytes > h.block_bytes || (h.last_block_bytes == 0) != (h.file_bytes == 0))
    return false;
  // A code's file that a header names is never opened.
  return !h.spec.starts_with("file:") || h.spec.starts_with("file:{");
}

}  // namespace

std::string to_string(const SetName& name) {
  return name.label + ".rank-" + std::to_string(name.owner) + "-of-" + std::to_string(name.ranks);
}

std::optional<SetName> set_name_of(const std::string& text) {
  constexpr std::string_view kRank = ".rank-";
  constexpr std::string_view kOf = "-of-";
  const std::size_t rank = text.rfind(kRank);
  if (rank == std::string::npos) return std::nullopt;
  const std::string_view numbers = std::string_view(text).substr(rank + kRank.size());
  const std::size_t of = numbers.find(kOf);
  if (of == std::string_view::npos) return std::nullopt;
  const auto owner = number_of(numbers.substr(0, of));
  const auto ranks = number_of(numbers.substr(of + kOf.size()));
  if (!owner || !ranks || *owner >= *ranks) return std::nullopt;
  return SetName{text.substr(0, rank), *owner, *ranks};
}

std::size_t ShardHeader::header_bytes() const noexcept {
  // Zeros behind what is said leave room for a longer spec, as `xorloom encode` leaves it.
  constexpr std::size_t kRoom = 64;
  constexpr std::size_t kMultiple = 256;
  const std::size_t needed =
      kSpecAt + padded(spec.size()) + kNameAt + padded(name.size()) + kRoom + kSuffixBytes;
  return (needed + kMultiple - 1) / kMultiple * kMultiple;
}

std::uint64_t ShardHeader::shard_bytes() const noexcept {
  const std::uint64_t b = blocks();
  if (b == 0) return 2 * header_bytes();
  return 2 * header_bytes() + (b - 1) * (kFrameBytes + block_bytes) + kFrameBytes +
         last_block_bytes;
}

ShardHeader header_of(const Codec& codec, const SetId& set, std::uint64_t generation,
                      std::uint64_t file_bytes, std::size_t block_bytes, const SetName& name,
                      std::uint32_t permissions) {
  const Info info = codec.info();
  ShardHeader h;
  h.set = set;
  h.generation = generation;
  h.locations = static_cast<std::uint32_t>(info.locations);
  h.file_bytes = file_bytes;
  h.block_bytes = codec.round_up(block_bytes);
  h.stripe_bytes = codec.data_bytes(h.block_bytes);
  const std::uint64_t rest = file_bytes % h.stripe_bytes;
  h.last_block_bytes = file_bytes == 0 ? 0
                       : rest == 0     ? h.block_bytes
                                       : codec.chunk_bytes_for(static_cast<std::size_t>(rest));
  h.spec = info.spec;
  h.name = to_string(name);
  h.permissions = permissions;
  if (h.spec.size() > kMostSpecBytes || h.block_bytes > kMostBlockBytes) {
    throw Error(Status::kInvalidArgument,
                "a spec of " + std::to_string(h.spec.size()) + " bytes or blocks of " +
                    std::to_string(h.block_bytes) + " bytes are more than a shard can have");
  }
  return h;
}

std::string file_name(const ShardHeader& header) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string name = "xorloom-";
  for (const std::uint8_t byte : header.set) {
    name += kDigits[byte >> 4];
    name += kDigits[byte & 15];
  }
  return name + '-' + std::to_string(header.location) + ".shard";
}

std::vector<std::uint8_t> header_text(const ShardHeader& h) {
  std::vector<std::uint8_t> bytes(h.header_bytes());
  std::uint8_t* const at = bytes.data();
  std::uint8_t* const end = at + bytes.size();
  const std::size_t following = kSpecAt + padded(h.spec.size());
  std::ranges::copy(kMagic, at);
  put(at + kVersionAt, std::uint32_t{1});
  put(at + kHeaderBytesAt, static_cast<std::uint32_t>(bytes.size()));
  put(at + kNeededFlagsAt, std::uint32_t{0});
  put(at + kOptionalFlagsAt, kRemembers);
  std::ranges::copy(h.set, at + kSetAt);
  put(at + kGenerationAt, h.generation);
  put(at + kLocationAt, h.location);
  put(at + kLocationsAt, h.locations);
  put(at + kFileBytesAt, h.file_bytes);
  put(at + kStripeBytesAt, h.stripe_bytes);
  put(at + kBlockBytesAt, h.block_bytes);
  put(at + kLastBlockBytesAt, h.last_block_bytes);
  put(at + kSpecBytesAt, static_cast<std::uint32_t>(h.spec.size()));
  put(at + kExtraBytesAt, static_cast<std::uint32_t>(bytes.size() - kSuffixBytes - following));
  std::ranges::copy(h.spec, at + kSpecAt);
  put(at + following, static_cast<std::uint32_t>(h.name.size()));
  put(at + following + kPermissionsAt, h.permissions);
  std::ranges::copy(h.name, at + following + kNameAt);
  put(end - 16, static_cast<std::uint32_t>(bytes.size()));
  std::ranges::copy(kEndMagic, end - 12);
  put(end - 8, static_cast<std::uint64_t>(XXH3_64bits(at, bytes.size() - 8)));
  return bytes;
}

std::size_t stated_header_bytes(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < 16 || !std::ranges::equal(bytes.first(8), kMagic)) return 0;
  const std::size_t size = get<std::uint32_t>(bytes.data() + kHeaderBytesAt);
  return size % 8 == 0 && size >= kSpecAt + kSuffixBytes && size <= kMostHeaderBytes ? size : 0;
}

std::optional<ShardHeader> read_header(std::span<const std::uint8_t> bytes) {
  const std::size_t size = stated_header_bytes(bytes);
  if (size == 0 || size > bytes.size()) return std::nullopt;
  const std::uint8_t* const at = bytes.data();
  if (get<std::uint64_t>(at + size - 8) != XXH3_64bits(at, size - 8)) return std::nullopt;
  if (get<std::uint32_t>(at + kVersionAt) != 1 || get<std::uint32_t>(at + kNeededFlagsAt) != 0)
    return std::nullopt;
  if ((get<std::uint32_t>(at + kOptionalFlagsAt) & kRemembers) == 0) return std::nullopt;
  ShardHeader h;
  std::copy_n(at + kSetAt, h.set.size(), h.set.begin());
  h.generation = get<std::uint64_t>(at + kGenerationAt);
  h.location = get<std::uint32_t>(at + kLocationAt);
  h.locations = get<std::uint32_t>(at + kLocationsAt);
  h.file_bytes = get<std::uint64_t>(at + kFileBytesAt);
  h.stripe_bytes = get<std::uint64_t>(at + kStripeBytesAt);
  h.block_bytes = get<std::uint64_t>(at + kBlockBytesAt);
  h.last_block_bytes = get<std::uint64_t>(at + kLastBlockBytesAt);
  const std::size_t spec_bytes = get<std::uint32_t>(at + kSpecBytesAt);
  const std::size_t extra_bytes = get<std::uint32_t>(at + kExtraBytesAt);
  if (spec_bytes > kMostSpecBytes || extra_bytes < kNameAt ||
      kSpecAt + padded(spec_bytes) + extra_bytes + kSuffixBytes != size)
    return std::nullopt;
  h.spec.assign(at + kSpecAt, at + kSpecAt + spec_bytes);
  const std::uint8_t* const extra = at + kSpecAt + padded(spec_bytes);
  const std::size_t name_bytes = get<std::uint32_t>(extra);
  if (name_bytes > extra_bytes - kNameAt) return std::nullopt;
  h.name.assign(extra + kNameAt, extra + kNameAt + name_bytes);
  h.permissions = get<std::uint32_t>(extra + kPermissionsAt);
  if (!is_sound(h) || h.header_bytes() != size) return std::nullopt;
  return h;
}

void write_frame(const ShardHeader& header, std::size_t location, std::uint64_t block,
                 std::span<const std::uint8_t> payload, std::uint8_t* frame) noexcept {
  put(frame, frame_checksum(header, location, block, payload));
  put(frame + 8, header.generation);
}

bool is_good(const ShardHeader& header, std::size_t location, std::uint64_t block,
             const std::uint8_t* frame, std::span<const std::uint8_t> payload) noexcept {
  return get<std::uint64_t>(frame + 8) == header.generation &&
         get<std::uint64_t>(frame) == frame_checksum(header, location, block, payload);
}

}  // namespace xorloom::mpi
