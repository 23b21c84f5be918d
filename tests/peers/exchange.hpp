#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/stripe.hpp"
#include "tests/support/subsets.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::test {

using Set = std::vector<std::size_t>;

/// The software a code is held against: all its ways to encode a stripe, and to give back lost
/// chunks in place. The latter say whether they could.
struct Peer {
  std::vector<std::function<void(const Stripe&)>> encoders;
  std::vector<std::function<bool(const Stripe&, const Set& lost)>> decoders;
};

/// Every byte value in each of the first k chunks if they have 256 bytes, and in each place of a
/// word of up to 4 bytes if they have 1024.
inline void fill_with_every_value(Stripe& stripe, std::size_t k) {
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t i = 0; i < stripe.chunk_bytes(); ++i) {
      stripe.chunk(c)[i] = static_cast<std::uint8_t>((2 * c + 1) * i + i / 256 + c);
    }
  }
}

/// All sets of 1 to m locations if there are few, else one of each size and those at either end.
inline std::vector<Set> losses(std::size_t locations, std::size_t m, std::uint64_t seed) {
  if (locations <= (m <= 2 ? 10 : 6)) {
    std::vector<Set> all = subsets(locations, m);
    all.erase(all.begin());
    return all;
  }
  Set every(locations);
  std::iota(every.begin(), every.end(), std::size_t{0});
  const auto most = static_cast<std::ptrdiff_t>(m);
  std::vector<Set> some{{every.begin(), every.begin() + most}, {every.end() - most, every.end()}};
  std::mt19937_64 random(seed);
  for (std::size_t size = 1; size <= m; ++size) {
    some.emplace_back();
    std::sample(every.begin(), every.end(), std::back_inserter(some.back()), size, random);
  }
  return some;
}

/// Checks that the codec and the peer encode to the same bytes, and that either rebuilds what is
/// lost of them. The bytes being equal, each decodes what the other wrote.
inline void check_exchange(const Codec& codec, const Peer& peer, const Stripe& data,
                           const std::vector<Set>& sets) {
  Stripe ours = data;
  REQUIRE(codec.encode(ours.chunks(), ours.chunk_bytes()) == Status::kOk);
  for (const auto& encode : peer.encoders) {
    const Stripe theirs = data;
    encode(theirs);
    INFO("encoder ", &encode - peer.encoders.data());
    REQUIRE(theirs == ours);
  }
  std::vector decoders = peer.decoders;
  decoders.emplace_back([&](const Stripe& stripe, const Set& lost) {
    return codec.decode(stripe.chunks(), lost, stripe.chunk_bytes()) == Status::kOk;
  });
  for (const auto& decode : decoders) {
    for (const Set& lost : sets) {
      Stripe rebuilt = ours;
      for (const std::size_t location : lost) rebuilt.lose(location);
      INFO("decoder ", &decode - decoders.data(), ", the last of which is ours");
      INFO("lost: ", fmt::format("{}", fmt::join(lost, " ")));
      REQUIRE(decode(rebuilt, lost));
      REQUIRE(rebuilt == ours);
    }
  }
}

/// Checks random data, and data of every byte value, placed as Stripe says.
inline void check_exchange(const Codec& codec, const Peer& peer, std::size_t chunk_bytes,
                           std::uint64_t seed, std::size_t misalignment = 0) {
  const Info info = codec.info();
  const std::vector<Set> sets = losses(info.locations, info.m, seed);
  CAPTURE(info.spec);
  CAPTURE(chunk_bytes);
  CAPTURE(seed);
  CAPTURE(misalignment);
  Stripe data(info.locations, chunk_bytes, seed, misalignment);
  check_exchange(codec, peer, data, sets);
  fill_with_every_value(data, info.k);
  check_exchange(codec, peer, data, sets);
}

}  // namespace xorloom::test
