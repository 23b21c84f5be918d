#include "runtime/stripes/fingerprint.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "runtime/kernels/fingerprint_kernel.hpp"
#include "runtime/plans/codec_access.hpp"
#include "tests/runtime/small_codes.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.h"

namespace xorloom {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Verdict = ErrorLocation::Verdict;

constexpr std::uint64_t kKey = 0x0123456789abcdef;

std::uint64_t word_of_key(std::uint64_t key, std::uint64_t number) {
  std::uint64_t z = key + (number + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// A product in GF(2^64) of polynomial x^64 + x^4 + x^3 + x + 1.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  for (; b != 0; b >>= 1U) {
    if ((b & 1U) != 0) result ^= a;
    a = a << 1U ^ (a >> 63U) * 0x1bU;
  }
  return result;
}

/// The bits of a row of a chunk, by what docs/fingerprints.md says: for each row, where its bit i
/// is in the chunk.
std::vector<std::vector<bool>> rows_of(const Code& code, std::span<const std::uint8_t> chunk) {
  const std::size_t w = code.field.w();
  std::vector<std::vector<bool>> rows(code.rows());
  const auto bit_at = [&](std::size_t bit) { return (chunk[bit / 8] >> bit % 8 & 1) != 0; };
  if (code.arrangement == Arrangement::kPacket) {
    for (std::size_t at = 0; at < chunk.size(); ++at) {
      std::vector<bool>& row = rows[at / code.packet_bytes % code.rows()];
      for (std::size_t bit = 0; bit < 8; ++bit) row.push_back(bit_at(8 * at + bit));
    }
    return rows;
  }
  const std::size_t subchunk_bits = chunk.size() * 8 / code.subchunks;
  for (std::size_t subchunk = 0; subchunk < code.subchunks; ++subchunk) {
    const std::size_t symbols = subchunk_bits / w;
    for (std::size_t bit = 0; bit < w; ++bit) {
      std::vector<bool>& row = rows[subchunk * w + bit];
      row.resize((symbols + 511) / 512 * 512);
      for (std::size_t i = 0; i < symbols; ++i) {
        const std::size_t in_slice = i % 512;
        if (code.plane_bytes == 0) {
          const std::size_t per_line = 512 / w;
          const std::size_t to = in_slice % per_line * w + in_slice / per_line;
          row[i / 512 * 512 + to] = bit_at(subchunk * subchunk_bits + i * w + bit);
        } else {
          const std::size_t block = i / 64;
          const std::size_t plane = std::min<std::size_t>(64, symbols - 64 * block);
          const std::size_t byte = 128 * block + bit / 8 * plane + i % 64;
          const std::size_t to = in_slice % 64 * 8 + in_slice / 64;
          row[i / 512 * 512 + to] = bit_at(subchunk * subchunk_bits + 8 * byte + bit % 8);
        }
      }
    }
  }
  return rows;
}

/// The oracle: bit by bit, from the definition.
Bytes slow_fingerprint(const Code& code, std::span<const std::uint8_t> chunk, std::uint64_t key) {
  Bytes result;
  for (const std::vector<bool>& row : rows_of(code, chunk)) {
    std::uint64_t hash = 0;
    for (std::size_t begin = 0; begin < row.size(); begin += 32768) {
      hash = product(hash, word_of_key(key, 0));
      for (std::size_t at = begin; at < std::min(begin + 32768, row.size()); at += 64) {
        std::uint64_t word = 0;
        for (std::size_t bit = 0; bit < 64; ++bit) word |= std::uint64_t{row[at + bit]} << bit;
        hash ^= product(word_of_key(key, 1 + (at - begin) / 64), word);
      }
    }
    for (std::size_t i = 0; i < 8; ++i) result.push_back(static_cast<std::uint8_t>(hash >> 8 * i));
  }
  return result;
}

Bytes fingerprint_on(Isa isa, const Code& code, std::span<const std::uint8_t> chunk,
                     std::uint64_t key = kKey) {
  Bytes result(fingerprint_bytes(code), 0xcc);
  REQUIRE(fingerprint_chunk(code, isa, chunk.data(), chunk.size(), key, result) == Status::kOk);
  return result;
}

/// The fingerprints of a stripe's chunks.
struct Fingerprints {
  Fingerprints(const Codec& codec, const Stripe& stripe, std::uint64_t key = kKey) {
    for (std::size_t i = 0; i < stripe.locations(); ++i) {
      bytes.emplace_back(codec.fingerprint_bytes());
      REQUIRE(codec.fingerprint(stripe.chunk(i).data(), stripe.chunk_bytes(), key, bytes[i]) ==
              Status::kOk);
    }
    for (const Bytes& each : bytes) pointers.push_back(each.data());
  }

  std::vector<Bytes> bytes;
  std::vector<const std::uint8_t*> pointers;
};

/// Sizes of chunks: the smallest, some that end within slices, and one of more than four blocks.
std::vector<std::size_t> sizes_of(const Codec& codec) {
  const std::size_t multiple = codec.chunk_multiple();
  std::vector<std::size_t> sizes{0, multiple, 3 * multiple, codec.round_up(777)};
  const Info info = codec.info();
  if (info.rows <= 16) sizes.push_back(codec.round_up(info.rows * 8 * 2100));
  if (CodecAccess::code_of(codec).plane_bytes != 0) sizes.insert(sizes.end(), {2, 126, 4102});
  return sizes;
}

TEST_CASE("A fingerprint is what its definition says, on every instruction set") {
  std::size_t num_large = 0;
  for (const std::string& spec : test::small_specs()) {
    CAPTURE(spec);
    const Codec codec(spec);
    const Code& code = CodecAccess::code_of(codec);
    CHECK(codec.fingerprint_bytes() == 8 * codec.info().rows);
    for (const std::size_t bytes : sizes_of(codec)) {
      if (bytes > 5000 && !test::tries_all() && ++num_large > 8) continue;
      CAPTURE(bytes);
      const Stripe stripe(1, bytes, 3, 5);
      const Bytes expected = slow_fingerprint(code, stripe.chunk(0), kKey);
      for (const Isa isa : machine_isas()) {
        CAPTURE(to_string(isa));
        CHECK(fingerprint_on(isa, code, stripe.chunk(0)) == expected);
      }
    }
  }
}

TEST_CASE("Fingerprints are those that another program computed, in every version") {
  Bytes chunk(1024);
  for (std::size_t i = 0; i < chunk.size(); ++i) chunk[i] = static_cast<std::uint8_t>(i * 7);
  const auto first_word = [&](const char* spec) {
    const Code code = make_code(spec);
    const Bytes made = fingerprint_on(machine_isas().back(), code, chunk, 42);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{made[i]} << 8 * i;
    return word;
  };
  CHECK(first_word("rs:k=10,m=4") == 0x8275befc6ed98c9a);
  CHECK(first_word("cauchy-good:k=10,m=4,w=8") == 0xd02eed1ecf40e746);
}

TEST_CASE("Fingerprints of a stripe agree, and every wrong chunk is found as by the chunks") {
  std::mt19937 random(11);
  for (const std::string& spec : test::small_specs()) {
    CAPTURE(spec);
    const Codec codec(spec);
    const Code& code = CodecAccess::code_of(codec);
    for (const std::size_t bytes : sizes_of(codec)) {
      if (bytes == 0) continue;
      CAPTURE(bytes);
      Stripe stripe(code.locations, bytes, 5, 3);
      REQUIRE(codec.encode(stripe.chunks(), bytes) == Status::kOk);
      const Fingerprints right(codec, stripe);
      CHECK(codec.check_fingerprints(right.pointers.data()) == ErrorLocation{});
      for (std::size_t location = 0; location < code.locations; ++location) {
        CAPTURE(location);
        Stripe wrong = stripe;
        const std::size_t at = random() % bytes;
        wrong.chunk(location)[at] ^= static_cast<std::uint8_t>(1U << random() % 8);
        if (location % 2 == 1) {
          for (std::uint8_t& byte : wrong.chunk(location).subspan(at)) {
            byte ^= static_cast<std::uint8_t>(random());
          }
        }
        // Of a chunk that is all zero by the code, nothing reads some bytes.
        const ErrorLocation expected = codec.locate_errors(wrong.chunks(), bytes);
        Fingerprints given = right;
        for (std::size_t i = 0; i < code.locations; ++i) given.pointers[i] = right.bytes[i].data();
        given.bytes[location] = fingerprint_on(codec.info().isa, code, wrong.chunk(location));
        given.pointers[location] = given.bytes[location].data();
        const ErrorLocation found = codec.check_fingerprints(given.pointers.data());
        CHECK(found == expected);
        if (code.promised_losses < 2) continue;
        CHECK(found.verdict == Verdict::kLocated);
        CHECK(found.wrong == std::vector<std::size_t>{location});
        const std::size_t lost = (location + 1) % code.locations;
        given.pointers[lost] = nullptr;
        CHECK(codec.check_fingerprints(given.pointers.data(), std::span(&lost, 1)) ==
              codec.locate_errors(wrong.chunks(), bytes, std::span(&lost, 1)));
      }
    }
  }
}

TEST_CASE("Two wrong chunks of 10 + 4 are found, three are named, and other keys disagree") {
  for (const char* const spec : {"rs:k=10,m=4", "cauchy-good:k=10,m=4,w=8", "leopard:k=10,m=4",
                                 "rs:k=10,m=4,w=16", "rs:k=10,m=4,w=32"}) {
    CAPTURE(spec);
    const Codec codec(spec);
    const std::size_t bytes = codec.round_up(10000);
    Stripe stripe(14, bytes, 5);
    REQUIRE(codec.encode(stripe.chunks(), bytes) == Status::kOk);
    const Fingerprints of_other_key(codec, stripe, kKey + 1);
    Fingerprints mixed(codec, stripe);
    CHECK(mixed.bytes[2] != of_other_key.bytes[2]);
    mixed.pointers[2] = of_other_key.pointers[2];
    CHECK(codec.check_fingerprints(mixed.pointers.data()).wrong == std::vector<std::size_t>{2});
    std::mt19937 random(2);
    for (const std::vector<std::size_t>& wrong :
         {std::vector<std::size_t>{3, 11}, std::vector<std::size_t>{0, 1, 13}}) {
      Stripe spoilt = stripe;
      for (const std::size_t location : wrong) {
        for (std::uint8_t& byte : spoilt.chunk(location))
          byte ^= static_cast<std::uint8_t>(random());
      }
      const ErrorLocation found =
          codec.check_fingerprints(Fingerprints(codec, spoilt).pointers.data());
      CHECK(found.wrong == wrong);
      CHECK(found.is_smallest() == (wrong.size() == 2));
    }
  }
}

TEST_CASE("Fingerprints of random errors are as rarely alike as their bits allow") {
  // By the bound 256 values of the lowest byte are equally likely, and all 64 bits are never 0.
  const std::size_t trials = test::tries_all() ? 1'000'000 : 60'000;
  std::mt19937_64 random(17);
  for (const char* const spec : {"rs:k=10,m=4", "cauchy-good:k=10,m=4,w=8"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const Isa isa = machine_isas().back();
    Bytes error(2 * chunk_multiple(make_code("cauchy-good:k=10,m=4,w=8")));
    std::size_t of_low_byte = 0;
    std::size_t rows = 0;
    std::size_t missed = 0;
    for (std::size_t trial = 0; trial < trials; ++trial) {
      std::ranges::fill(error, std::uint8_t{0});
      const std::size_t count = trial % 4 == 3 ? error.size() : 1 + random() % 3;
      for (std::size_t i = 0; i < count; ++i) {
        error[random() % error.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
      }
      if (std::ranges::all_of(error, [](std::uint8_t byte) { return byte == 0; })) continue;
      const Bytes made = fingerprint_on(isa, code, error, random());
      bool is_missed = true;
      for (std::size_t row = 0; row < made.size(); row += 8) {
        const bool is_zero = std::all_of(made.begin() + static_cast<std::ptrdiff_t>(row),
                                         made.begin() + static_cast<std::ptrdiff_t>(row) + 8,
                                         [](std::uint8_t byte) { return byte == 0; });
        if (is_zero) continue;  // the row has no error
        is_missed = false;
        ++rows;
        if (made[row] == 0) ++of_low_byte;
      }
      if (is_missed) ++missed;
    }
    CHECK(missed == 0);
    const double expected = static_cast<double>(rows) / 256;
    CHECK(std::abs(static_cast<double>(of_low_byte) - expected) < 6 * std::sqrt(expected));
  }
}

TEST_CASE("A XOR of chunks has the XOR of their fingerprints") {
  const Codec codec("clay:k=4,m=2");
  const Code& code = CodecAccess::code_of(codec);
  Stripe stripe(3, codec.round_up(5000), 5);
  for (std::size_t i = 0; i < stripe.chunk_bytes(); ++i) {
    stripe.chunk(2)[i] = stripe.chunk(0)[i] ^ stripe.chunk(1)[i];
  }
  const Isa isa = codec.info().isa;
  const Bytes first = fingerprint_on(isa, code, stripe.chunk(0));
  const Bytes second = fingerprint_on(isa, code, stripe.chunk(1));
  const Bytes sum = fingerprint_on(isa, code, stripe.chunk(2));
  for (std::size_t i = 0; i < sum.size(); ++i) CHECK(sum[i] == (first[i] ^ second[i]));
}

TEST_CASE("Wrong calls for fingerprints are refused, in C++ and in C") {
  const Codec codec("rs:k=4,m=2,w=16");
  Stripe stripe(6, 64, 5);
  REQUIRE(codec.encode(stripe.chunks(), 64) == Status::kOk);
  Bytes made(codec.fingerprint_bytes());
  const auto refusal = [&](const std::uint8_t* chunk, std::size_t bytes,
                           std::span<std::uint8_t> out) {
    CHECK(codec.fingerprint(chunk, bytes, kKey, out) == Status::kInvalidArgument);
    return std::string(last_error());
  };
  const std::uint8_t* const chunk = stripe.chunks()[0];
  CHECK(refusal(chunk, 63, made).find("63") != std::string::npos);
  CHECK(refusal(chunk, 64, std::span(made).first(8)) ==
        "the fingerprint has 8 bytes, and the code's have 128");
  CHECK(refusal(nullptr, 64, made) == "the pointer to the chunk is null");
  CHECK(refusal(stripe.chunks()[0], 64, {stripe.chunks()[0] + 63, 128}) ==
        "the fingerprint overlaps the chunk");
  Fingerprints given(codec, stripe);
  const auto throws = [&](const std::uint8_t* const* pointers, std::vector<std::size_t> lost) {
    try {
      static_cast<void>(codec.check_fingerprints(pointers, lost));
    } catch (const Error& error) {
      CHECK(error.kind() == Status::kInvalidArgument);
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(throws(nullptr, {}) == "the array of pointers to fingerprints is null");
  CHECK(throws(given.pointers.data(), {6}) == "lost location 6 is not one of 0 to 5");
  CHECK(throws(given.pointers.data(), {1, 1}) == "lost location 1 is named twice");
  given.pointers[3] = nullptr;
  CHECK(throws(given.pointers.data(), {}) ==
        "the pointer to fingerprint 3 is null, and it is read");
  CHECK(throws(given.pointers.data(), {3}).empty());

  xl_codec* c = nullptr;
  REQUIRE(xl_codec_create("rs:k=4,m=2,w=16", nullptr, &c) == XL_OK);
  CHECK(xl_fingerprint_bytes(c) == 128);
  CHECK(xl_fingerprint_bytes(nullptr) == 0);
  Bytes in_c(128);
  REQUIRE(xl_fingerprint(c, stripe.chunks()[3], 64, kKey, in_c.data()) == XL_OK);
  CHECK(in_c == given.bytes[3]);
  CHECK(xl_fingerprint(c, stripe.chunks()[3], 63, kKey, in_c.data()) == XL_INVALID_ARGUMENT);
  CHECK(xl_fingerprint(c, stripe.chunks()[3], 64, kKey, nullptr) == XL_INVALID_ARGUMENT);
  CHECK(xl_fingerprint(nullptr, stripe.chunks()[3], 64, kKey, in_c.data()) == XL_INVALID_ARGUMENT);
  in_c[127] ^= 1;
  given.pointers[3] = in_c.data();
  std::vector<int> wrong(6, -1);
  xl_error_location found{};
  found.size = sizeof found;
  REQUIRE(xl_check_fingerprints(c, given.pointers.data(), nullptr, 0, wrong.data(), &found) ==
          XL_OK);
  CHECK(found.verdict == XL_LOCATED);
  CHECK(found.num_wrong == 1);
  CHECK(wrong[0] == 3);
  CHECK(found.unique_up_to == 1);
  const int lost = -1;
  CHECK(xl_check_fingerprints(c, given.pointers.data(), &lost, 1, wrong.data(), &found) ==
        XL_INVALID_ARGUMENT);
  CHECK(xl_check_fingerprints(c, given.pointers.data(), nullptr, 0, nullptr, &found) ==
        XL_INVALID_ARGUMENT);
  xl_codec_destroy(c);
}

}  // namespace
}  // namespace xorloom
