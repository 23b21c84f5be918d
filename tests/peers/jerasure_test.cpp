#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/peers/exchange.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.hpp"

extern "C" {
#include <cauchy.h>
#include <jerasure.h>
#include <liberation.h>
#include <reed_sol.h>
}

namespace xorloom {
namespace {

constexpr std::uint64_t kSeed = 78;
constexpr std::array kPacketBytes = {8, 24, 32, 64, 200, 4096};

using test::Peer;
using test::Set;
using Ints = std::shared_ptr<int>;

Ints owned(int* matrix) {
  REQUIRE(matrix != nullptr);
  return {matrix, std::free};
}

/// A code as both know it, over words of w = 8, 16 or 32.
struct WordCode {
  std::string spec;
  int k, m, w;
  Ints matrix;  ///< its first row is of ones
};

/// A code as both know it, on packets.
struct PacketCode {
  std::string spec;  ///< without packet_bytes
  int k, m, w;
  Ints bits;
  bool has_identities_first = true;  ///< its first w rows
};

/// A stripe as Jerasure takes it.
struct Pointers {
  Pointers(const Stripe& stripe, int k) : bytes(static_cast<int>(stripe.chunk_bytes())) {
    for (std::size_t i = 0; i < stripe.locations(); ++i) {
      chunks.push_back(reinterpret_cast<char*>(stripe.chunks()[i]));
    }
    data = chunks.data();
    redundancy = data + k;
  }
  Pointers(const Pointers&) = delete;
  Pointers& operator=(const Pointers&) = delete;

  std::vector<char*> chunks;
  char** data;
  char** redundancy;
  int bytes;
};

std::vector<int> minus_one_ended(const Set& lost) {
  std::vector<int> result;
  for (const std::size_t location : lost) result.push_back(static_cast<int>(location));
  result.push_back(-1);
  return result;
}

Peer jerasure(const WordCode& c) {
  Peer peer;
  peer.encoders.push_back([=](const Stripe& stripe) {
    const Pointers p(stripe, c.k);
    jerasure_matrix_encode(c.k, c.m, c.w, c.matrix.get(), p.data, p.redundancy, p.bytes);
  });
  for (const int uses_row_of_ones : {0, 1}) {
    peer.decoders.push_back([=](const Stripe& stripe, const Set& lost) {
      const Pointers p(stripe, c.k);
      return jerasure_matrix_decode(c.k, c.m, c.w, c.matrix.get(), uses_row_of_ones,
                                    minus_one_ended(lost).data(), p.data, p.redundancy,
                                    p.bytes) == 0;
    });
  }
  return peer;
}

Peer jerasure(const PacketCode& c, int packet_bytes) {
  constexpr int kSmart = 1;
  const std::shared_ptr<int*> schedule(
      jerasure_smart_bitmatrix_to_schedule(c.k, c.m, c.w, c.bits.get()), jerasure_free_schedule);
  Peer peer;
  peer.encoders.push_back([=](const Stripe& stripe) {
    const Pointers p(stripe, c.k);
    jerasure_bitmatrix_encode(c.k, c.m, c.w, c.bits.get(), p.data, p.redundancy, p.bytes,
                              packet_bytes);
  });
  peer.encoders.push_back([=](const Stripe& stripe) {
    const Pointers p(stripe, c.k);
    jerasure_schedule_encode(c.k, c.m, c.w, schedule.get(), p.data, p.redundancy, p.bytes,
                             packet_bytes);
  });
  peer.decoders.push_back([=](const Stripe& stripe, const Set& lost) {
    const Pointers p(stripe, c.k);
    return jerasure_bitmatrix_decode(c.k, c.m, c.w, c.bits.get(), c.has_identities_first ? 1 : 0,
                                     minus_one_ended(lost).data(), p.data, p.redundancy, p.bytes,
                                     packet_bytes) == 0;
  });
  peer.decoders.push_back([=](const Stripe& stripe, const Set& lost) {
    const Pointers p(stripe, c.k);
    return jerasure_schedule_decode_lazy(c.k, c.m, c.w, c.bits.get(), minus_one_ended(lost).data(),
                                         p.data, p.redundancy, p.bytes, packet_bytes, kSmart) == 0;
  });
  return peer;
}

void check(const WordCode& code, const Peer& peer,
           const std::vector<std::size_t>& lengths = {8, 64, 1000, 1032, 4096}) {
  const Codec codec(code.spec);
  for (const std::size_t chunk_bytes : lengths) {
    test::check_exchange(codec, peer, chunk_bytes, kSeed);
  }
}

void check(const WordCode& code) { check(code, jerasure(code)); }

void check(const PacketCode& code, int packet_bytes) {
  const int super_block = code.w * packet_bytes;
  const int chunk_bytes = (2 + 1023 / super_block) * super_block;
  test::check_exchange(Codec(fmt::format("{},packet_bytes={}", code.spec, packet_bytes)),
                       jerasure(code, packet_bytes), static_cast<std::size_t>(chunk_bytes), kSeed);
}

/// The packet sizes take turns.
void check(const PacketCode& c) {
  check(c, kPacketBytes[static_cast<std::size_t>(c.k + c.m + c.w) % kPacketBytes.size()]);
}

void check_all_packet_bytes(const PacketCode& code) {
  for (const int packet_bytes : kPacketBytes) check(code, packet_bytes);
}

/// The code of this matrix, on packets.
PacketCode packets_of(const std::string& spec, int k, int m, int w, const Ints& matrix) {
  return {spec, k, m, w, owned(jerasure_matrix_to_bitmatrix(k, m, w, matrix.get()))};
}

PacketCode cauchy(int k, int m, int w) {
  PacketCode code = packets_of(fmt::format("cauchy:k={},m={},w={}", k, m, w), k, m, w,
                               owned(cauchy_original_coding_matrix(k, m, w)));
  code.has_identities_first = false;
  return code;
}

PacketCode cauchy_good(int k, int m, int w) {
  return packets_of(fmt::format("cauchy-good:k={},m={},w={}", k, m, w), k, m, w,
                    owned(cauchy_good_general_coding_matrix(k, m, w)));
}

WordCode rs(int k, int m, int w) {
  return {fmt::format("rs:k={},m={},w={}", k, m, w), k, m, w,
          owned(reed_sol_vandermonde_coding_matrix(k, m, w))};
}

WordCode raid6(int k, int w) {
  return {fmt::format("raid6:k={},w={}", k, w), k, 2, w, owned(reed_sol_r6_coding_matrix(k, w))};
}

PacketCode liberation(int k, int w) {
  return {fmt::format("liberation:k={},w={}", k, w), k, 2, w,
          owned(liberation_coding_bitmatrix(k, w))};
}

PacketCode blaum_roth(int k, int w) {
  return {fmt::format("blaum-roth:k={},w={}", k, w), k, 2, w,
          owned(blaum_roth_coding_bitmatrix(k, w))};
}

PacketCode liber8tion(int k) {
  return {fmt::format("liber8tion:k={}", k), k, 2, 8, owned(liber8tion_coding_bitmatrix(k))};
}

/// The code on packets, by the matrix it has on words.
PacketCode on_packets(const WordCode& c) {
  return packets_of(c.spec + ",arrangement=packet", c.k, c.m, c.w, c.matrix);
}

/// Checks each shape there is of each w.
void check_cauchy(PacketCode (*code)(int k, int m, int w)) {
  const std::vector<int> all{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16};
  for (const int w : test::sample_if_sanitized(all, 5)) {
    for (const auto& [k, m] :
         {std::pair{2, 1}, {2, 2}, {3, 3}, {2, 3}, {6, 2}, {5, 3}, {4, 6}, {14, 2}, {10, 4}}) {
      if (k + m <= 1 << w) check(code(k, m, w));
    }
  }
  check_all_packet_bytes(code(5, 2, 5));
}

}  // namespace

TEST_CASE("cauchy encodes to the bytes of Jerasure's cauchy_orig, and each decodes the other's") {
  check_cauchy(cauchy);
}

TEST_CASE("cauchy-good encodes to the bytes of Jerasure's cauchy_good, and each decodes them") {
  check_cauchy(cauchy_good);
}

TEST_CASE("cauchy of given points is Jerasure's cauchy_xy, and each decodes the other's") {
  std::array x = {1, 2};
  std::array y = {4, 5, 6, 7, 0};
  PacketCode code = packets_of("cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0", 5, 2, 3,
                               owned(cauchy_xy_coding_matrix(5, 2, 3, x.data(), y.data())));
  code.has_identities_first = false;
  check_all_packet_bytes(code);
}

TEST_CASE("rs encodes to the bytes of Jerasure's reed_sol_van, and each decodes the other's") {
  for (const auto& [k, m] : {std::pair{2, 1}, {2, 2}, {3, 3}, {2, 4}, {7, 2}, {10, 4}, {20, 6}}) {
    for (const int w : {8, 16, 32}) check(rs(k, m, w));
  }
  const WordCode largest = rs(254, 2, 8);
  check(largest, jerasure(largest), {1032});
}

TEST_CASE("raid6 encodes to the bytes of Jerasure's reed_sol_r6_op, and each decodes the other's") {
  for (const int k : {2, 3, 4, 8, 20, 60}) {
    for (const int w : {8, 16, 32}) {
      const WordCode code = raid6(k, w);
      Peer peer = jerasure(code);
      peer.encoders.push_back([=](const Stripe& stripe) {
        const Pointers p(stripe, k);
        REQUIRE(reed_sol_r6_encode(k, w, p.data, p.redundancy, p.bytes) == 1);
      });
      check(code, peer);
    }
  }
}

TEST_CASE("rs and raid6 on packets are Jerasure's bitmatrices, and each decodes the other's") {
  for (const auto& [k, m, w] :
       {std::tuple{2, 2, 2}, {4, 3, 3}, {3, 3, 4}, {6, 2, 5}, {5, 3, 7}, {10, 4, 8}, {4, 2, 16}}) {
    check(on_packets(rs(k, m, w)));
  }
  for (const auto& [k, w] : {std::pair{6, 8}, {5, 16}, {3, 32}}) check(on_packets(raid6(k, w)));
}

TEST_CASE("liberation encodes to the bytes Jerasure's writes, and each decodes the other's") {
  for (const auto& [k, w] :
       {std::pair{1, 3}, {2, 3}, {3, 3}, {5, 5}, {3, 7}, {7, 7}, {11, 11}, {12, 17}}) {
    check(liberation(k, w));
  }
  check_all_packet_bytes(liberation(4, 7));
}

TEST_CASE("blaum-roth encodes to the bytes Jerasure's writes, and each decodes the other's") {
  for (const auto& [k, w] :
       {std::pair{1, 4}, {2, 4}, {4, 4}, {3, 6}, {6, 6}, {10, 10}, {7, 12}, {9, 16}}) {
    check(blaum_roth(k, w));
  }
  check_all_packet_bytes(blaum_roth(5, 6));
}

TEST_CASE("liber8tion encodes to the bytes Jerasure's writes, and each decodes the other's") {
  for (const int k : {1, 2, 3, 4, 5, 6, 7, 8}) check(liber8tion(k));
  check_all_packet_bytes(liber8tion(4));
}

}  // namespace xorloom
