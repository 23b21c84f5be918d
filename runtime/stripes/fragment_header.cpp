#include "runtime/stripes/fragment_header.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "codes/families/families.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"

namespace xorloom {
namespace {

constexpr std::uint32_t kMagic = 0x0b0c5ecc;
constexpr std::uint32_t kLibraryVersion = 0x010602;     ///< the version whose headers these are
constexpr std::uint32_t kFirstWithChecksum = 0x010200;  ///< version from which headers have a CRC
constexpr std::uint8_t kChecksumCrc32 = 2;

/// Offsets of the fields, in bytes. Numbers are in the byte order of the machine that wrote them.
/// Numbers of 8 bytes from 25 on are two words of 4, the lower one first.
///
///   0  location, chunk_bytes, 4 bytes of 0      41  12 bytes of 0, a byte of 0
///   12 data_bytes: 8 bytes                      54  backend: a byte; its version
///   20 kind of checksum: a byte                 59  magic, version, CRC of bytes 0 … 58, 9 of 0
///   21 CRC of the chunk; code, stripe: 0 if liberasurecode wrote the header
constexpr std::size_t kLocation = 0;
constexpr std::size_t kChunkBytes = 4;
constexpr std::size_t kDataBytes = 12;
constexpr std::size_t kChecksumKind = 20;
constexpr std::size_t kChecksum = 21;
constexpr std::size_t kCode = 25;
constexpr std::size_t kStripe = 33;
constexpr std::size_t kBackend = 54;
constexpr std::size_t kBackendVersion = 55;
constexpr std::size_t kMagicAt = 59;
constexpr std::size_t kVersion = 63;
constexpr std::size_t kHeaderChecksum = 67;
constexpr std::size_t kChecked = 59;  ///< bytes that the header's CRC covers

template <typename Number>
void put_at(std::uint8_t* header, std::size_t at, Number number) {
  std::memcpy(header + at, &number, sizeof number);
}

void put_words(std::uint8_t* header, std::size_t at, std::uint64_t number) {
  put_at(header, at, static_cast<std::uint32_t>(number));
  put_at(header, at + 4, static_cast<std::uint32_t>(number >> 32U));
}

/// The fields of a header that a machine of some byte order wrote.
struct Fields {
  const std::uint8_t* header;
  bool is_swapped;

  template <typename Number>
  Number get(std::size_t at) const {
    std::array<std::uint8_t, sizeof(Number)> bytes;
    std::copy_n(header + at, bytes.size(), bytes.begin());
    if (is_swapped) std::ranges::reverse(bytes);
    Number number{};
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }
  std::uint64_t words(std::size_t at) const {
    return get<std::uint32_t>(at) | std::uint64_t{get<std::uint32_t>(at + 4)} << 32U;
  }
};

std::uint32_t crc_of(std::span<const std::uint8_t> bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(::crc32_z(0, nullptr, 0), bytes.data(), bytes.size()));
}

/// The CRC-32 of liberasurecode before 1.6: it shifted a signed number, so that bit 23 of each
/// shifted value fills the bits above.
std::uint32_t legacy_crc_of(std::span<const std::uint8_t> bytes) {
  const auto* const table = ::get_crc_table();
  std::uint32_t crc = ~0U;
  for (const std::uint8_t byte : bytes) {
    const std::uint32_t shifted = ((crc >> 8U) ^ 0x800000U) - 0x800000U;
    crc = static_cast<std::uint32_t>(table[(crc ^ byte) & 0xffU]) ^ shifted;
  }
  return ~crc;
}

bool has_crc(std::span<const std::uint8_t> bytes, std::uint32_t crc) {
  return crc == crc_of(bytes) || crc == legacy_crc_of(bytes);
}

/// True if the CRC of a header is right. Headers before 1.2 have no CRC, but zeros in its place; so
/// a later header whose version is damaged is not taken for an earlier one.
bool is_intact(const Fields& fields) {
  const auto version = fields.get<std::uint32_t>(kVersion);
  if (version >= kFirstWithChecksum) {
    return has_crc({fields.header, kChecked}, fields.get<std::uint32_t>(kHeaderChecksum));
  }
  const std::span rest(fields.header + kHeaderChecksum, kFragmentHeaderBytes - kHeaderChecksum);
  return version != 0 && std::ranges::all_of(rest, [](std::uint8_t byte) { return byte == 0; });
}

/// A backend of liberasurecode; `code` has its number and version.
struct Backend {
  std::string_view technique;
  std::size_t packet_bytes;
  FragmentCode code;
};
constexpr std::array<Backend, 4> kBackends = {{
    {"jerasure_rs_vand", 0, {1, 0x020000}},
    {"jerasure_rs_cauchy", 1024, {2, 0x020000}},
    {"isa_l_rs_vand", 0, {4, 0x020d00}},
    {"isa_l_rs_cauchy", 0, {7, 0x020e01}},
}};

}  // namespace

FragmentCode fragment_code(const Code& code) {
  FragmentCode result;
  for (const OtherSoftware& other : software_of(code)) {
    if (other.name != "liberasurecode") continue;
    const auto backend = std::ranges::find(kBackends, other.technique, &Backend::technique);
    if (backend != kBackends.end() && backend->packet_bytes == code.packet_bytes) {
      result = backend->code;
    }
  }
  const auto* const text = reinterpret_cast<const std::uint8_t*>(code.spec.data());
  result.hash = std::max<std::uint64_t>(1, checksum({text, code.spec.size()}));
  return result;
}

void put_fragment_header(const FragmentHeader& header, std::uint8_t* fragment) {
  const Fragment& about = header.about;
  std::memset(fragment, 0, kFragmentHeaderBytes);
  put_at(fragment, kLocation, static_cast<std::uint32_t>(about.location));
  put_at(fragment, kChunkBytes, static_cast<std::uint32_t>(about.chunk_bytes));
  put_at(fragment, kDataBytes, about.data_bytes);
  fragment[kChecksumKind] = kChecksumCrc32;
  put_at(fragment, kChecksum, crc_of({fragment + kFragmentHeaderBytes, about.chunk_bytes}));
  put_words(fragment, kCode, header.code.hash);
  put_words(fragment, kStripe, header.stripe);
  fragment[kBackend] = header.code.backend;
  put_at(fragment, kBackendVersion, header.code.backend_version);
  put_at(fragment, kMagicAt, kMagic);
  put_at(fragment, kVersion, kLibraryVersion);
  put_at(fragment, kHeaderChecksum, crc_of({fragment, kChecked}));
}

FragmentHeader parse_fragment_header(std::span<const std::uint8_t> fragment) {
  Fields fields{fragment.data(), false};
  const bool has_header = fragment.size() >= kFragmentHeaderBytes;
  if (has_header) fields.is_swapped = fields.get<std::uint32_t>(kMagicAt) != kMagic;
  if (!has_header || fields.get<std::uint32_t>(kMagicAt) != kMagic) {
    fail(Status::kParse, "it has {}, and does not begin with the header of a fragment",
         counted(fragment.size(), "byte"));
  }
  if (!is_intact(fields)) fail(Status::kDamaged, "the header of a fragment is damaged");
  FragmentHeader header;
  Fragment& about = header.about;
  about = {fields.get<std::uint32_t>(kLocation), fields.get<std::uint32_t>(kChunkBytes),
           fields.get<std::uint64_t>(kDataBytes)};
  const std::span<const std::uint8_t> rest = fragment.subspan(kFragmentHeaderBytes);
  if (about.chunk_bytes > rest.size()) {
    fail(Status::kDamaged, "fragment {} has {} of a chunk of {}", about.location,
         counted(rest.size(), "byte"), about.chunk_bytes);
  }
  if (fragment[kChecksumKind] == kChecksumCrc32 &&
      !has_crc(rest.first(about.chunk_bytes), fields.get<std::uint32_t>(kChecksum))) {
    fail(Status::kDamaged, "the chunk of fragment {} is damaged", about.location);
  }
  header.code = {fragment[kBackend], fields.get<std::uint32_t>(kBackendVersion),
                 fields.words(kCode)};
  header.stripe = fields.words(kStripe);
  return header;
}

}  // namespace xorloom
