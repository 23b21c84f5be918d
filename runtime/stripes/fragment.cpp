#include "xorloom/fragment.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <string_view>

#include "codes/text/error.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/codec_access.hpp"

namespace xorloom {
namespace {

constexpr std::uint32_t kMagic = 0x0b0c5ecc;
constexpr std::uint32_t kLibraryVersion = 0x010602;  ///< that whose headers these are
constexpr std::uint8_t kChecksumCrc32 = 2;

/// Where the fields are, in bytes. Numbers are in the order of the machine's bytes.
///
///   0  location, chunk_bytes, 4 bytes of 0      21  CRC of the chunk, 28 bytes of 0, a byte of 0
///   12 data_bytes: 8 bytes                      54  backend: a byte; its version
///   20 kind of checksum: a byte                 59  magic, version, CRC of bytes 0 … 58, 9 of 0
constexpr std::size_t kLocation = 0;
constexpr std::size_t kChunkBytes = 4;
constexpr std::size_t kDataBytes = 12;
constexpr std::size_t kChecksumKind = 20;
constexpr std::size_t kChecksum = 21;
constexpr std::size_t kBackend = 54;
constexpr std::size_t kBackendVersion = 55;
constexpr std::size_t kMagicAt = 59;
constexpr std::size_t kVersion = 63;
constexpr std::size_t kHeaderChecksum = 67;
constexpr std::size_t kChecked = 59;  ///< bytes whose CRC the header has

template <typename Number>
void put(std::uint8_t* header, std::size_t at, Number number) {
  std::memcpy(header + at, &number, sizeof number);
}
template <typename Number>
Number get(const std::uint8_t* header, std::size_t at) {
  Number number{};
  std::memcpy(&number, header + at, sizeof number);
  return number;
}

std::uint32_t crc_of(const std::uint8_t* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(::crc32_z(::crc32_z(0, nullptr, 0), bytes, count));
}

/// What liberasurecode calls a code; 0 for those that it does not have.
struct Backend {
  std::string_view family;
  std::size_t w;
  std::size_t packet_bytes;
  std::uint8_t number;
  std::uint32_t version;
};
constexpr std::array<Backend, 4> kBackends = {{
    {"rs:", 16, 0, 1, 0x020000},
    {"cauchy:", 4, 1024, 2, 0x020000},
    {"isa-vandermonde:", 8, 0, 4, 0x020d00},
    {"isa-cauchy:", 8, 0, 7, 0x020e01},
}};

Backend backend_of(const Info& info) {
  for (const Backend& backend : kBackends) {
    if (info.spec.starts_with(backend.family) && info.w == backend.w &&
        info.packet_bytes == backend.packet_bytes) {
      return backend;
    }
  }
  return {"", 0, 0, 0, 0};
}

void check_size(std::size_t chunk_bytes) {
  if (chunk_bytes <= std::numeric_limits<std::uint32_t>::max()) return;
  fail(Status::kInvalidArgument,
       fmt::format("chunks of {} bytes are not less than the 2^32 of a fragment", chunk_bytes));
}

/// Shape: location and chunk_bytes fit the header.
void write_header(const Backend& backend, const Fragment& about, std::uint8_t* fragment) {
  std::memset(fragment, 0, kFragmentHeaderBytes);
  put(fragment, kLocation, static_cast<std::uint32_t>(about.location));
  put(fragment, kChunkBytes, static_cast<std::uint32_t>(about.chunk_bytes));
  put(fragment, kDataBytes, about.data_bytes);
  fragment[kChecksumKind] = kChecksumCrc32;
  put(fragment, kChecksum, crc_of(fragment + kFragmentHeaderBytes, about.chunk_bytes));
  fragment[kBackend] = backend.number;
  put(fragment, kBackendVersion, backend.version);
  put(fragment, kMagicAt, kMagic);
  put(fragment, kVersion, kLibraryVersion);
  put(fragment, kHeaderChecksum, crc_of(fragment, kChecked));
}

/// The stripe that fragments are of: pointers to chunks, null where none is intact.
struct Stripe {
  std::vector<std::uint8_t*> chunks;
  Fragment first{};
  bool is_empty = true;
};

void take(Stripe& stripe, std::span<const std::uint8_t> fragment) {
  Fragment about{};
  try {
    about = read_fragment_header(fragment);
  } catch (const Error&) {
    return;  // damaged
  }
  if (stripe.is_empty) stripe.first = about;
  stripe.is_empty = false;
  if (about.chunk_bytes != stripe.first.chunk_bytes ||
      about.data_bytes != stripe.first.data_bytes) {
    fail(Status::kInvalidArgument,
         fmt::format("fragments {} and {} are of stripes of {} and {} bytes", stripe.first.location,
                     about.location, stripe.first.data_bytes, about.data_bytes));
  }
  if (about.location >= stripe.chunks.size()) {
    fail(Status::kInvalidArgument, fmt::format("fragment {} is not one of the {} of the code",
                                               about.location, stripe.chunks.size()));
  }
  // Only read.
  stripe.chunks[about.location] = const_cast<std::uint8_t*>(fragment.data()) + kFragmentHeaderBytes;
}

}  // namespace

void write_fragment_header(const Codec& codec, const Fragment& about, std::uint8_t* fragment) {
  const Info info = codec.info();
  if (about.location >= info.locations) {
    fail(Status::kInvalidArgument, fmt::format("location {} is not one of the {} of {}",
                                               about.location, info.locations, info.spec));
  }
  check_size(about.chunk_bytes);
  write_header(backend_of(info), about, fragment);
}

Fragment read_fragment_header(std::span<const std::uint8_t> fragment) {
  const std::uint8_t* const header = fragment.data();
  if (fragment.size() < kFragmentHeaderBytes || get<std::uint32_t>(header, kMagicAt) != kMagic) {
    fail(Status::kParse,
         fmt::format("{} bytes do not begin with the header of a fragment", fragment.size()));
  }
  if (get<std::uint32_t>(header, kHeaderChecksum) != crc_of(header, kChecked)) {
    fail(Status::kDamaged, "the header of a fragment is damaged");
  }
  const Fragment about{get<std::uint32_t>(header, kLocation),
                       get<std::uint32_t>(header, kChunkBytes),
                       get<std::uint64_t>(header, kDataBytes)};
  if (about.chunk_bytes > fragment.size() - kFragmentHeaderBytes) {
    fail(Status::kDamaged, fmt::format("fragment {} has {} bytes of a chunk of {}", about.location,
                                       fragment.size() - kFragmentHeaderBytes, about.chunk_bytes));
  }
  if (header[kChecksumKind] == kChecksumCrc32 &&
      get<std::uint32_t>(header, kChecksum) !=
          crc_of(header + kFragmentHeaderBytes, about.chunk_bytes)) {
    fail(Status::kDamaged, fmt::format("the chunk of fragment {} is damaged", about.location));
  }
  return about;
}

std::vector<std::vector<std::uint8_t>> make_fragments(const Codec& codec,
                                                      std::span<const std::uint8_t> data) try {
  const std::size_t chunk_bytes = codec.chunk_bytes_for(data.size());
  check_size(chunk_bytes);
  const Info info = codec.info();
  std::vector<std::vector<std::uint8_t>> fragments(info.locations);
  std::vector<std::uint8_t*> chunks;
  for (std::vector<std::uint8_t>& fragment : fragments) {
    fragment.resize(kFragmentHeaderBytes + chunk_bytes);
    chunks.push_back(fragment.data() + kFragmentHeaderBytes);
  }
  check(codec.spread(data, chunks.data(), chunk_bytes));
  check(codec.encode(chunks.data(), chunk_bytes));
  const Backend backend = backend_of(info);
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    write_header(backend, {i, chunk_bytes, data.size()}, fragments[i].data());
  }
  return fragments;
} catch (const std::bad_alloc&) {
  fail(Status::kUnsupported,
       fmt::format("there is no memory for fragments of {} bytes", data.size()));
}

std::vector<std::uint8_t> join_fragments(
    const Codec& codec, std::span<const std::span<const std::uint8_t>> fragments) try {
  Stripe stripe{std::vector<std::uint8_t*>(codec.info().locations, nullptr)};
  for (const std::span<const std::uint8_t> fragment : fragments) take(stripe, fragment);
  if (stripe.is_empty)
    fail(Status::kDamaged, fmt::format("none of {} fragments is intact", fragments.size()));
  const std::size_t chunk_bytes = stripe.first.chunk_bytes;
  if (stripe.first.data_bytes > codec.data_bytes(chunk_bytes)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} bytes of data are not in chunks of {} bytes of {}",
                     stripe.first.data_bytes, chunk_bytes, codec.info().spec));
  }
  std::vector<std::size_t> erased;
  for (std::size_t i = 0; i < stripe.chunks.size(); ++i) {
    if (stripe.chunks[i] == nullptr) erased.push_back(i);
  }
  // Only locations that redundancy alone is in need not be there.
  const Plan& encoding = CodecAccess::encoding_now(codec);
  std::vector<std::size_t> wanted;
  for (const std::size_t location : erased) {
    if (std::ranges::binary_search(encoding.reads(), location)) wanted.push_back(location);
  }
  std::vector<std::vector<std::uint8_t>> rebuilt(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    rebuilt[i].resize(chunk_bytes);
    stripe.chunks[wanted[i]] = rebuilt[i].data();
  }
  if (!wanted.empty()) {
    check(codec.decode(stripe.chunks.data(), erased, wanted, chunk_bytes));
  }
  std::vector<std::uint8_t> data(stripe.first.data_bytes);
  check(codec.collect(stripe.chunks.data(), chunk_bytes, data));
  return data;
} catch (const std::bad_alloc&) {
  fail(Status::kUnsupported, "there is no memory for the data of fragments");
}

}  // namespace xorloom
