#include "xorloom/fragment.hpp"
#include "codes/text/counted.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/stripes/fragment_header.hpp"

namespace xorloom {
namespace {

void check_size(std::size_t chunk_bytes) {
  if (chunk_bytes <= std::numeric_limits<std::uint32_t>::max()) return;
  fail(Status::kInvalidArgument, "chunks of {} bytes are not less than the 2^32 of a fragment",
       chunk_bytes);
}

/// Fails if a fragment is of another code than the codec's. A header without a hash names only the
/// backend of its code. Then the chunk must have the smallest size that holds the data with the
/// codec's k.
void check_code(const Codec& codec, const FragmentCode& ours, const FragmentHeader& header) {
  const Code& code = CodecAccess::code_of(codec);
  const Fragment& about = header.about;
  if (header.code.hash != 0) {
    if (header.code.hash == ours.hash) return;
    fail(Status::kInvalidArgument,
         "fragment {} is of another code than {}: its header has the hash {:016x} of a spec, not "
         "{:016x}",
         about.location, code.name(), header.code.hash, ours.hash);
  }
  if (header.code.backend != ours.backend) {
    fail(Status::kInvalidArgument,
         "fragment {} is of another code than {}: its header has number {} of liberasurecode, not "
         "{}",
         about.location, code.name(), header.code.backend, ours.backend);
  }
  const std::size_t chunk_bytes =
      about.chunk_bytes == 0 && about.data_bytes == 0 ? 0 : codec.chunk_bytes_for(about.data_bytes);
  if (about.chunk_bytes != chunk_bytes) {
    fail(Status::kInvalidArgument,
         "fragment {} is of another code than {}: its chunk has {}, and {} of data take chunks "
         "of {}",
         about.location, code.name(), counted(about.chunk_bytes, "byte"),
         counted(about.data_bytes, "byte"), chunk_bytes);
  }
}

/// The stripe that the fragments belong to.
struct Stripe {
  FragmentCode code;
  std::vector<std::uint8_t*> chunks;  ///< by location; null if no intact fragment has it
  Fragment first{};                   ///< content of the first intact header
  bool is_empty = true;
  std::uint64_t name = 0;  ///< the stripe that headers name; 0: no header does
  /// True if every header names its code and its stripe.
  bool is_told = true;
};

void take(const Codec& codec, Stripe& stripe, std::span<const std::uint8_t> fragment) {
  FragmentHeader header;
  try {
    header = parse_fragment_header(fragment);
  } catch (const Error&) {
    return;  // damaged
  }
  const Fragment& about = header.about;
  check_code(codec, stripe.code, header);
  if (about.location >= stripe.chunks.size() || stripe.chunks[about.location] != nullptr) return;
  if (stripe.is_empty) stripe.first = about;
  stripe.is_empty = false;
  if (about.chunk_bytes != stripe.first.chunk_bytes ||
      about.data_bytes != stripe.first.data_bytes) {
    fail(Status::kInvalidArgument, "fragments {} and {} are of stripes of {} and {}",
         stripe.first.location, about.location, stripe.first.data_bytes,
         counted(about.data_bytes, "byte"));
  }
  if (header.stripe != 0 && stripe.name != 0 && header.stripe != stripe.name) {
    fail(Status::kInvalidArgument,
         "fragment {} is of stripe {:016x}, and those before it are of {:016x}", about.location,
         header.stripe, stripe.name);
  }
  stripe.name = std::max(stripe.name, header.stripe);
  stripe.is_told = stripe.is_told && header.stripe != 0 && header.code.hash != 0;
  // Only read.
  stripe.chunks[about.location] = const_cast<std::uint8_t*>(fragment.data()) + kFragmentHeaderBytes;
}

/// Fails if redundancy does not agree with data. If headers do not name code and stripe, only this
/// finds fragments of other ones.
void check_agreement(const Codec& codec, const Stripe& stripe) {
  const Status status = codec.verify(stripe.chunks.data(), stripe.first.chunk_bytes);
  if (status == Status::kDamaged) {
    fail(Status::kDamaged,
         "the fragments contradict each other: {}; some are of another stripe or code, or damaged",
         last_error());
  }
  check(status);
}

}  // namespace

void write_fragment_header(const Codec& codec, const Fragment& about, std::uint8_t* fragment) {
  const Code& code = CodecAccess::code_of(codec);
  if (about.location >= code.locations) {
    fail(Status::kInvalidArgument, "location {} is not one of the {} of {}", about.location,
         code.locations, code.name());
  }
  check_size(about.chunk_bytes);
  put_fragment_header({about, fragment_code(code)}, fragment);
}

Fragment read_fragment_header(std::span<const std::uint8_t> fragment) {
  return parse_fragment_header(fragment).about;
}

void set_fragment_stripe(std::uint64_t stripe, std::span<std::uint8_t> fragment) {
  FragmentHeader header = parse_fragment_header(fragment);
  header.stripe = stripe;
  put_fragment_header(header, fragment.data());
}

void fill_fragments(const Codec& codec, std::span<const std::uint8_t> data,
                    std::uint8_t* const* fragments, std::size_t chunk_bytes) {
  check_size(chunk_bytes);
  const Code& code = CodecAccess::code_of(codec);
  std::vector<std::uint8_t*> chunks;
  for (std::size_t i = 0; i < code.locations; ++i) {
    chunks.push_back(fragments[i] + kFragmentHeaderBytes);
  }
  check(codec.spread(data, chunks.data(), chunk_bytes));
  check(codec.encode(chunks.data(), chunk_bytes));
  const FragmentCode mark = fragment_code(code);
  const std::uint64_t stripe = std::max<std::uint64_t>(1, checksum(data));
  for (std::size_t i = 0; i < code.locations; ++i) {
    put_fragment_header({{i, chunk_bytes, data.size()}, mark, stripe}, fragments[i]);
  }
}

std::vector<std::vector<std::uint8_t>> make_fragments(const Codec& codec,
                                                      std::span<const std::uint8_t> data) try {
  const std::size_t chunk_bytes = codec.chunk_bytes_for(data.size());
  check_size(chunk_bytes);
  std::vector<std::vector<std::uint8_t>> fragments(CodecAccess::code_of(codec).locations);
  std::vector<std::uint8_t*> pointers;
  for (std::vector<std::uint8_t>& fragment : fragments) {
    fragment.resize(kFragmentHeaderBytes + chunk_bytes);
    pointers.push_back(fragment.data());
  }
  fill_fragments(codec, data, pointers.data(), chunk_bytes);
  return fragments;
} catch (const std::bad_alloc&) {
  fail(Status::kUnsupported, "there is no memory for fragments of {} bytes", data.size());
}

std::vector<std::uint8_t> join_fragments(
    const Codec& codec, std::span<const std::span<const std::uint8_t>> fragments) try {
  const Code& code = CodecAccess::code_of(codec);
  Stripe stripe{fragment_code(code), std::vector<std::uint8_t*>(code.locations, nullptr)};
  for (const std::span<const std::uint8_t> fragment : fragments) take(codec, stripe, fragment);
  if (stripe.is_empty)
    fail(Status::kDamaged, "none of {} is intact", counted(fragments.size(), "fragment"));
  const std::size_t chunk_bytes = stripe.first.chunk_bytes;
  if (stripe.first.data_bytes > codec.data_bytes(chunk_bytes)) {
    fail(Status::kInvalidArgument, "{} of data are not in chunks of {} of {}",
         counted(stripe.first.data_bytes, "byte"), counted(chunk_bytes, "byte"), code.name());
  }
  std::vector<std::size_t> erased;
  for (std::size_t i = 0; i < stripe.chunks.size(); ++i) {
    if (stripe.chunks[i] == nullptr) erased.push_back(i);
  }
  const std::size_t given = (code.locations - erased.size()) * code.subchunks;
  const bool is_compared = !stripe.is_told && given > code.data.size();
  // Locations with redundancy alone need not be rebuilt, unless redundancy is compared.
  const Plan& encoding = CodecAccess::encoding_now(codec);
  std::vector<std::size_t> wanted;
  for (const std::size_t location : erased) {
    if (is_compared || std::ranges::binary_search(encoding.reads(), location)) {
      wanted.push_back(location);
    }
  }
  std::vector<std::vector<std::uint8_t>> rebuilt(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    rebuilt[i].resize(chunk_bytes);
    stripe.chunks[wanted[i]] = rebuilt[i].data();
  }
  if (!wanted.empty()) {
    check(codec.decode(stripe.chunks.data(), erased, wanted, chunk_bytes));
  }
  if (is_compared) check_agreement(codec, stripe);
  std::vector<std::uint8_t> data(stripe.first.data_bytes);
  check(codec.collect(stripe.chunks.data(), chunk_bytes, data));
  return data;
} catch (const std::bad_alloc&) {
  fail(Status::kUnsupported, "there is no memory for the data of fragments");
}

}  // namespace xorloom
