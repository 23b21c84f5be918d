#include <doctest/doctest.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/integrations/ceph_pools.hpp"
#include "tests/support/denied.hpp"

// Functions that only the plugin for Ceph 20.2 has: shards, parts of chunks, and differences.
// Results are compared with those of the functions that all releases have, and with Ceph's own
// plugin.

namespace xorloom::ceph_plugin {
namespace {

using ceph::Buffers;
using ceph::Piece;
using Shards = shard_id_map<Piece>;

Piece piece_of(const std::string& text) {
  Piece piece = ceph::buffer::create_aligned(static_cast<unsigned int>(text.size()), 64);
  piece.copy_in(0, static_cast<unsigned int>(text.size()), text.data());
  return piece;
}

std::string content_of(const Piece& piece) { return {piece.c_str(), piece.length()}; }

/// The chunks of random data in stripes of whole pages.
std::map<int, std::string> chunks_of(Code& code, unsigned int seed, std::size_t pages = 2) {
  const unsigned int k = code.get_data_chunk_count();
  const unsigned int granule = static_cast<unsigned int>(code.get_minimum_granularity());
  const unsigned int whole = code.get_chunk_size(k * static_cast<unsigned int>(pages) * 4096);
  REQUIRE(whole % granule == 0);
  std::map<int, std::string> texts;
  for (const auto& [position, chunk] : encoded(code, buffers_of(random_text(k * whole, seed)))) {
    texts[position] = text_of(chunk);
  }
  return texts;
}

/// The positions of data.
std::vector<int> data_of(const Code& code) {
  std::vector<int> positions;
  for (unsigned int i = 0; i < code.get_data_chunk_count(); ++i) {
    const auto& mapping = code.get_chunk_mapping();
    positions.push_back(mapping.empty() ? static_cast<int>(i) : mapping[i].id);
  }
  return positions;
}

std::vector<int> redundancy_of(const Code& code) {
  std::vector<int> positions;
  const std::vector<int> data = data_of(code);
  for (const int position : all_of(code)) {
    if (std::find(data.begin(), data.end(), position) == data.end()) positions.push_back(position);
  }
  return positions;
}

/// Redundancy of what is given of data, by encode_chunks().
std::map<int, std::string> redundancy_by_shards(Code& code,
                                                const std::map<int, std::string>& data) {
  Shards in(code.get_chunk_count());
  Shards out(code.get_chunk_count());
  for (const auto& [position, text] : data) in.set(position, piece_of(text));
  for (const int position : redundancy_of(code)) {
    out.set(position, piece_of(std::string(data.begin()->second.size(), 'x')));
  }
  REQUIRE(code.encode_chunks(in, out) == 0);
  std::map<int, std::string> texts;
  for (const int position : redundancy_of(code)) texts[position] = content_of(*out.find(position));
  return texts;
}

}  // namespace

TEST_CASE("shards have the bytes that chunks have, and what is not given is zeros") {
  for (const Pool& pool : pools()) {
    CAPTURE(pool.plugin);
    CAPTURE(pool.profile);
    const auto code = code_of(pool.plugin, pool.profile);
    const std::map<int, std::string> chunks = chunks_of(*code, 1);
    std::map<int, std::string> data;
    for (const int position : data_of(*code)) data[position] = chunks.at(position);
    for (const auto& [position, text] : redundancy_by_shards(*code, data)) {
      CHECK(text == chunks.at(position));
    }

    std::map<int, std::string> some = data;
    some.erase(data_of(*code).front());
    data.at(data_of(*code).front()).assign(chunks.at(0).size(), '\0');
    CHECK(redundancy_by_shards(*code, some) == redundancy_by_shards(*code, data));

    // Encode one redundant chunk alone.
    Shards in(code->get_chunk_count());
    Shards out(code->get_chunk_count());
    for (const auto& [position, text] : data) in.set(position, piece_of(text));
    const int last = redundancy_of(*code).back();
    out.set(last, piece_of(std::string(chunks.at(0).size(), 'y')));
    REQUIRE(code->encode_chunks(in, out) == 0);
    CHECK(content_of(*out.find(last)) == redundancy_by_shards(*code, data).at(last));
  }
}

TEST_CASE("parts of chunks are encoded and decoded as the whole chunks are") {
  for (const Pool& pool : pools()) {
    CAPTURE(pool.plugin);
    CAPTURE(pool.profile);
    const auto code = code_of(pool.plugin, pool.profile);
    constexpr std::uint64_t kPartialWrite = 2;
    if ((code->get_supported_optimizations() & kPartialWrite) == 0) {
      CHECK(code->get_sub_chunk_count() > 1);
      continue;
    }
    const std::map<int, std::string> chunks = chunks_of(*code, 2);
    const std::size_t part = code->get_minimum_granularity();
    std::mt19937 random{4};
    for (int trial = 0; trial < 8; ++trial) {
      const std::size_t at = random() % (chunks.at(0).size() / part) * part;
      std::map<int, std::string> data;
      for (const int position : data_of(*code))
        data[position] = chunks.at(position).substr(at, part);
      for (const auto& [position, text] : redundancy_by_shards(*code, data)) {
        CHECK(text == chunks.at(position).substr(at, part));
      }

      Shards in(code->get_chunk_count());
      Shards out(code->get_chunk_count());
      std::set<int> lost;
      while (lost.size() < 1 + static_cast<std::size_t>(trial) % pool.losses) {
        lost.insert(static_cast<int>(random() % code->get_chunk_count()));
      }
      shard_id_set wanted;
      for (const auto& [position, text] : chunks) {
        if (lost.contains(position)) {
          wanted.insert(position);
          out.set(position, piece_of(std::string(part, 'z')));
        } else {
          in.set(position, piece_of(text.substr(at, part)));
        }
      }
      REQUIRE(code->decode_chunks(wanted, in, out) == 0);
      for (const int position : lost) {
        CHECK(content_of(*out.find(position)) == chunks.at(position).substr(at, part));
      }
    }
  }
}

TEST_CASE("redundancy that differences were applied to is that of the new data") {
  for (const Pool& pool : pools()) {
    CAPTURE(pool.plugin);
    CAPTURE(pool.profile);
    const auto code = code_of(pool.plugin, pool.profile);
    const std::map<int, std::string> before = chunks_of(*code, 3);
    const std::map<int, std::string> after = chunks_of(*code, 4);
    const auto bytes = static_cast<unsigned int>(before.at(0).size());
    Shards deltas(code->get_chunk_count());
    Shards redundancy(code->get_chunk_count());
    for (const int position : data_of(*code)) {
      Piece old_data = piece_of(before.at(position));
      Piece apart = ceph::buffer::create_aligned(bytes, 64);
      code->encode_delta(old_data, piece_of(after.at(position)), &apart);
      code->encode_delta(old_data, piece_of(after.at(position)), &old_data);  // in place
      CHECK(content_of(old_data) == content_of(apart));
      deltas.set(position, old_data);
    }
    for (const int position : redundancy_of(*code)) {
      redundancy.set(position, piece_of(before.at(position)));
    }
    code->apply_delta(deltas, redundancy);
    for (const int position : redundancy_of(*code)) {
      CHECK(content_of(*redundancy.find(position)) == after.at(position));
    }

    // Apply the differences one by one to one redundant chunk; the other chunks are not given.
    const int last = redundancy_of(*code).back();
    Shards alone(code->get_chunk_count());
    alone.set(last, piece_of(before.at(last)));
    for (const int position : data_of(*code)) {
      Shards one(code->get_chunk_count());
      one.set(position, *deltas.find(position));
      code->apply_delta(one, alone);
    }
    CHECK(content_of(*alone.find(last)) == after.at(last));
  }
}

TEST_CASE("Ceph's own plugin makes the same bytes of the same shards and differences") {
  const std::string folder = XORLOOM_CEPH_STOCK;
  for (const Pool& pool : pools()) {
    if (pool.plugin != "isa" && pool.plugin != "jerasure" && pool.plugin != "shec") continue;
    CAPTURE(pool.plugin);
    CAPTURE(pool.profile);
    std::string refusal;
    const auto theirs =
        loaded_code(folder + "/libec_" + pool.plugin + ".so", pool.plugin, pool.profile, refusal);
    REQUIRE_MESSAGE(theirs != nullptr, refusal);
    const auto ours = code_of(pool.plugin, pool.profile);
    CHECK(ours->get_supported_optimizations() == theirs->get_supported_optimizations());
    CHECK(ours->get_optimizations_flags_string() == theirs->get_optimizations_flags_string());
    CHECK(ours->get_profile() == theirs->get_profile());
    const std::map<int, std::string> before = chunks_of(*ours, 5);
    const std::map<int, std::string> after = chunks_of(*ours, 6);
    std::map<int, std::string> data;
    for (const int position : data_of(*ours)) data[position] = before.at(position);
    CHECK(redundancy_by_shards(*theirs, data) == redundancy_by_shards(*ours, data));

    Shards deltas(ours->get_chunk_count());
    Shards by_theirs(ours->get_chunk_count());
    Shards by_ours(ours->get_chunk_count());
    Piece delta = piece_of(before.at(1));
    theirs->encode_delta(delta, piece_of(after.at(1)), &delta);
    deltas.set(1, delta);
    for (const int position : redundancy_of(*ours)) {
      by_theirs.set(position, piece_of(before.at(position)));
      by_ours.set(position, piece_of(before.at(position)));
    }
    theirs->apply_delta(deltas, by_theirs);
    ours->apply_delta(deltas, by_ours);
    for (const int position : redundancy_of(*ours)) {
      CHECK(content_of(*by_ours.find(position)) == content_of(*by_theirs.find(position)));
    }
  }
}

TEST_CASE("Ceph's own plugin adds the same defaults to a profile") {
  const std::string folder = XORLOOM_CEPH_STOCK;
  const std::vector<std::pair<std::string, std::string>> techniques{{"isa", ""},
                                                                    {"isa", "cauchy"},
                                                                    {"shec", ""},
                                                                    {"jerasure", ""},
                                                                    {"jerasure", "cauchy_orig"},
                                                                    {"jerasure", "cauchy_good"},
                                                                    {"jerasure", "reed_sol_r6_op"},
                                                                    {"jerasure", "liberation"},
                                                                    {"jerasure", "blaum_roth"},
                                                                    {"jerasure", "liber8tion"}};
  for (const auto& [plugin, technique] : techniques) {
    CAPTURE(plugin);
    CAPTURE(technique);
    ceph::ErasureCodeProfile profile;
    if (!technique.empty()) profile["technique"] = technique;
    std::string refusal;
    const auto theirs = loaded_code(folder + "/libec_" + plugin + ".so", plugin, profile, refusal);
    REQUIRE_MESSAGE(theirs != nullptr, refusal);
    CHECK(code_of(plugin, profile)->get_profile() == theirs->get_profile());
  }
}

TEST_CASE("sets and maps of shards say what those of numbers say") {
  for (const Pool& pool : pools()) {
    CAPTURE(pool.plugin);
    CAPTURE(pool.profile);
    const auto code = code_of(pool.plugin, pool.profile);
    const unsigned int n = code->get_chunk_count();
    std::set<int> available = all_of(*code);
    available.erase(1);
    shard_id_set shards;
    for (const int position : available) shards.insert(position);
    std::map<int, ceph::SubChunks> runs;
    REQUIRE(code->minimum_to_decode({1}, available, &runs) == 0);
    shard_id_set wanted;
    wanted.insert(1);
    shard_id_set minimum;
    shard_id_map<ceph::SubChunks> sub_chunks(n);
    REQUIRE(code->minimum_to_decode(wanted, shards, minimum, &sub_chunks) == 0);
    for (int i = 0; i < static_cast<int>(n); ++i) {
      CHECK(minimum.contains(i) == runs.contains(i));
      if (runs.contains(i)) CHECK(*sub_chunks.find(i) == runs.at(i));
    }
    shard_id_set without;
    CHECK(code->minimum_to_decode(wanted, shards, without, nullptr) == 0);

    shard_id_map<int> costs(n);
    for (const int position : available) costs.set(position, 1);
    shard_id_set cheap;
    CHECK(code->minimum_to_decode_with_cost(wanted, costs, &cheap) == 0);
    CHECK(!cheap.contains(1));

    shard_id_set all;
    for (const int position : all_of(*code)) all.insert(position);
    const std::string text = random_text(10000, 7);
    shard_id_map<Buffers> chunks(n);
    REQUIRE(code->encode(all, buffers_of(text), &chunks) == 0);
    Chunks by_numbers = encoded(*code, buffers_of(text));
    shard_id_map<Buffers> left(n);
    for (const auto& [position, chunk] : by_numbers) {
      CHECK(chunks.find(position)->contents_equal(chunk));
      if (position != 1) left.set(position, chunk);
    }
    shard_id_map<Buffers> decoded(n);
    const auto bytes = static_cast<int>(by_numbers.at(0).length());
    REQUIRE(code->decode(wanted, left, &decoded, bytes) == 0);
    CHECK(decoded.find(1)->contents_equal(by_numbers.at(1)));

    by_numbers.erase(0);
    Buffers one;
    REQUIRE(code->decode_concat({data_of(*code)[0]}, by_numbers, &one) == 0);
    CHECK(text_of(one) == text.substr(0, one.length()));
  }
}

TEST_CASE("what a pool can do is what Ceph calls it") {
  const std::string all = "partialread,partialwrite,zeroinout,paritydelta,optimizedsupport";
  const std::string parts = "partialread,partialwrite,zeroinout,paritydelta";
  CHECK(code_of("xorloom", {})->get_optimizations_flags_string() == all);
  CHECK(code_of("xorloom", {{"packetsize", "2048"}})->get_optimizations_flags_string() == parts);
  CHECK(code_of("xorloom", {{"code", "leopard:k=10,m=4"}})->get_optimizations_flags_string() ==
        all);
  CHECK(code_of("isa", {{"technique", "cauchy"}})->get_optimizations_flags_string() == all);
  CHECK(code_of("shec", {})->get_optimizations_flags_string() == parts);
  CHECK(code_of("lrc", {})->get_optimizations_flags_string() == parts);
  CHECK(code_of("clay", {})->get_optimizations_flags_string() ==
        "partialread,zeroinout,paritydelta,requiresubchunks");
}

TEST_CASE("bad calls and profiles of shards are refused") {
  const auto code = code_of("isa", {{"k", "4"}, {"m", "2"}});
  Shards in(6);
  Shards out(6);
  in.set(0, piece_of(std::string(4096, 'a')));
  in.set(1, piece_of(std::string(8192, 'a')));
  out.set(4, piece_of(std::string(4096, 'a')));
  CHECK(code->encode_chunks(in, out) == -EINVAL);
  CHECK(code->decode_chunks({}, in, out) == -EINVAL);
  Shards few(6);
  few.set(0, piece_of(std::string(4096, 'a')));
  CHECK(code->decode_chunks({}, few, out) == -EIO);
  CHECK(refusal_of("xorloom", {{"code", "leopard:k=100,m=28"}}) ==
        "128 chunks exceed 127, the most shards of a placement group");
  CHECK(refusal_of("isa", {{"crush-num-failure-domains", "two"}}) ==
        "crush-num-failure-domains=two is not a number");
}

TEST_CASE("differences of other lengths end the daemon, as it could store wrong redundancy") {
  const auto code = code_of("isa", {{"k", "4"}, {"m", "2"}});
  const auto ends = [](const auto& function) {
    return in_child([&] {
             std::signal(SIGABRT, [](int) { ::_exit(7); });
             function();
             return 0;
           }) == 7;
  };
  Piece delta = piece_of(std::string(4096, 'a'));
  CHECK(ends([&] { code->encode_delta(delta, piece_of("short"), &delta); }));
  Shards deltas(6);
  Shards redundancy(6);
  deltas.set(0, delta);
  redundancy.set(4, piece_of(std::string(8192, 'a')));
  CHECK(ends([&] { code->apply_delta(deltas, redundancy); }));
}

}  // namespace xorloom::ceph_plugin
