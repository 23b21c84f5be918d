#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/integrations/ceph_pools.hpp"
#include "tests/support/denied.hpp"

// The plugin for Ceph, loaded as a daemon loads it. tests/integrations/ceph_tool.py compares it
// with Ceph's own plugins.

namespace xorloom::ceph_plugin {

TEST_CASE("what is lost comes back from what minimum_to_decode says, of any buffers") {
  for (const Pool& pool : pools()) {
    const auto code = code_of(pool.plugin, pool.profile);
    CAPTURE(pool.plugin);
    CAPTURE(pool.profile);
    const unsigned int k = code->get_data_chunk_count();
    const unsigned int bytes = code->get_chunk_size(k * 2000);
    const auto sub_chunks = static_cast<unsigned int>(code->get_sub_chunk_count());
    REQUIRE(bytes % sub_chunks == 0);
    for (const std::size_t length :
         {std::size_t{k} * bytes, std::size_t{k} * 2000 - 1, std::size_t{1}}) {
      const std::string text = random_text(length);
      const Chunks chunks = encoded(*code, buffers_of(text, length % 2 == 0 ? 0 : 613));
      const unsigned int chunk_bytes = chunks.begin()->second.length();
      CHECK(chunk_bytes == code->get_chunk_size(static_cast<unsigned int>(length)));
      std::mt19937 random{3};
      for (int trial = 0; trial < 40; ++trial) {
        std::set<int> available = all_of(*code);
        std::set<int> lost;
        const std::size_t losses = 1 + random() % pool.losses;
        while (lost.size() < losses)
          lost.insert(static_cast<int>(random() % code->get_chunk_count()));
        for (const int position : lost) available.erase(position);
        std::map<int, ceph::SubChunks> minimum;
        REQUIRE(code->minimum_to_decode(lost, available, &minimum) == 0);

        Chunks read;
        for (const auto& [position, runs] : minimum) {
          REQUIRE(available.contains(position));
          for (const auto& [first, count] : runs) {
            ceph::Buffers part;
            const unsigned int sub_bytes = chunk_bytes / sub_chunks;
            part.substr_of(chunks.at(position), static_cast<unsigned int>(first) * sub_bytes,
                           static_cast<unsigned int>(count) * sub_bytes);
            read[position].claim_append(part);
          }
        }
        Chunks decoded;
        REQUIRE(code->decode(lost, read, &decoded, static_cast<int>(chunk_bytes)) == 0);
        for (const int position : lost)
          CHECK(text_of(decoded.at(position)) == text_of(chunks.at(position)));

        Chunks survivors;
        for (const int position : available) survivors[position] = chunks.at(position);
        ceph::Buffers all_data;
        REQUIRE(code->decode_concat(survivors, &all_data) == 0);
        CHECK(text_of(all_data).substr(0, length) == text);
      }
    }
  }
}

TEST_CASE("one lost chunk of clay and lrc takes less than k chunks") {
  const auto clay = code_of("clay", {{"k", "4"}, {"m", "2"}, {"d", "5"}});
  std::map<int, ceph::SubChunks> minimum;
  REQUIRE(clay->minimum_to_decode({0}, {1, 2, 3, 4, 5}, &minimum) == 0);
  CHECK(clay->get_sub_chunk_count() == 8);
  CHECK(minimum.size() == 5);
  for (const auto& [position, runs] : minimum) {
    int count = 0;
    for (const auto& run : runs) count += run.second;
    CHECK(count == 4);
  }
  const auto lrc = code_of("lrc", {{"k", "4"}, {"m", "2"}, {"l", "3"}});
  const std::vector<int> places{0, 1, 4, 5, 2, 3, 6, 7};
  CHECK(lrc->get_chunk_mapping() == std::vector<ceph::Position>(places.begin(), places.end()));
  minimum.clear();
  REQUIRE(lrc->minimum_to_decode({0}, {1, 2, 3, 4, 5, 6, 7}, &minimum) == 0);
  CHECK(minimum.size() == 3);
  std::set<int> cheap;
  REQUIRE(lrc->minimum_to_decode_with_cost(
              {0}, {{1, 1}, {2, 1}, {3, 1}, {4, 9}, {5, 9}, {6, 9}, {7, 9}}, &cheap) == 0);
  CHECK(cheap == std::set<int>{1, 2, 3});
  const auto isa = code_of("isa", {{"k", "2"}, {"m", "2"}});
  cheap.clear();
  REQUIRE(isa->minimum_to_decode_with_cost({0}, {{1, 90}, {2, 2}, {3, 1}}, &cheap) == 0);
  CHECK(cheap == std::set<int>{2, 3});
}

TEST_CASE("chunks that are prepared are filled in place, as Ceph's own layered codes call it") {
  const auto code = code_of("jerasure", {{"technique", "reed_sol_van"}, {"k", "4"}, {"m", "2"}});
  const Chunks whole = encoded(*code, buffers_of(random_text(4 * 1024)));
  Chunks chunks;
  for (const auto& [position, chunk] : whole) {
    chunks[position] = buffers_of(position < 4 ? text_of(chunk) : std::string(1024, 'x'));
  }
  REQUIRE(code->encode_chunks({4, 5}, &chunks) == 0);
  for (const auto& [position, chunk] : whole) CHECK(text_of(chunks.at(position)) == text_of(chunk));
  Chunks known = whole;
  known.erase(1);
  known.erase(4);
  for (const int position : {1, 4}) chunks[position] = buffers_of(std::string(1024, 'y'));
  REQUIRE(code->decode_chunks({1}, known, &chunks) == 0);
  for (const auto& [position, chunk] : whole) CHECK(text_of(chunks.at(position)) == text_of(chunk));
}

TEST_CASE("only wanted chunks are given, and nothing of nothing") {
  const auto code = code_of("isa", {{"k", "4"}, {"m", "2"}});
  Chunks some;
  REQUIRE(code->encode({1, 5}, buffers_of(random_text(1000)), &some) == 0);
  const Chunks all = encoded(*code, buffers_of(random_text(1000)));
  REQUIRE(some.size() == 2);
  for (const int position : {1, 5}) CHECK(text_of(some.at(position)) == text_of(all.at(position)));
  some.clear();
  REQUIRE(code->encode({0, 4}, ceph::Buffers{}, &some) == 0);
  CHECK(some.at(4).length() == 0);
}

TEST_CASE("bad calls have an error of errno.h, and no exception leaves") {
  const auto code = code_of("isa", {{"k", "4"}, {"m", "2"}});
  Chunks chunks = encoded(*code, buffers_of(random_text(4096)));
  Chunks decoded;
  const auto bytes = static_cast<int>(chunks.at(0).length());
  Chunks few = chunks;
  for (const int position : {0, 1, 2}) few.erase(position);
  CHECK(code->decode({0}, few, &decoded, bytes) == -EIO);
  CHECK(code->decode({0}, Chunks{}, &decoded, bytes) == -EIO);
  Chunks uneven = chunks;
  uneven.erase(0);
  uneven[2] = buffers_of("short");
  CHECK(code->decode({0}, uneven, &decoded, bytes) == -EINVAL);
  Chunks strange = chunks;
  strange.erase(0);
  strange[77] = chunks.at(1);
  CHECK(code->decode({0}, strange, &decoded, bytes) == -EINVAL);
  CHECK(code->decode({99}, chunks, &decoded, bytes) == -EINVAL);
  CHECK(code->decode({-1}, chunks, &decoded, bytes) == -EINVAL);
  CHECK(code->encode_chunks({}, &few) == -EINVAL);
  CHECK(code->decode_chunks({0}, few, &few) == -EINVAL);
  std::map<int, ceph::SubChunks> minimum;
  CHECK(code->minimum_to_decode({0}, {1, 2, 3}, &minimum) == -EIO);
  std::set<int> cheap;
  CHECK(code->minimum_to_decode_with_cost({0}, {{1, 1}, {99, 1}}, &cheap) == -EINVAL);
  const auto clay = code_of("clay", {{"k", "4"}, {"m", "2"}});
  CHECK(clay->minimum_to_decode({0, 1, 2}, {3, 4, 5}, &minimum) == -EIO);
  Chunks packed;
  for (const int position : {1, 2, 3, 4, 5}) packed[position] = buffers_of("abc");
  CHECK(clay->decode({0}, packed, &decoded, 4096) == -EINVAL);
}

TEST_CASE("a profile that is refused says why, with the value and the bound") {
  CHECK(refusal_of("isa", {{"k", "4"}, {"m", "5"}}) == "m=5 is not a number from 1 to 4");
  CHECK(refusal_of("isa", {{"k", "22"}, {"m", "4"}}) ==
        "k=22 exceeds 21, the most that reed_sol_van has with m=4");
  CHECK(refusal_of("isa", {{"technique", "liberation"}}) ==
        "technique=liberation is not known here; the techniques are reed_sol_van and cauchy");
  CHECK(refusal_of("jerasure", {{"w", "9"}}) == "w=9 is not one of 8, 16 and 32");
  CHECK(refusal_of("jerasure", {{"technique", "cauchy_good"}, {"packetsize", "20"}}) ==
        "packet_bytes = 20 is not a multiple of 8");
  CHECK(refusal_of("jerasure", {{"technique", "cauchy_good"}, {"k", "ten"}}) ==
        "k=ten is not a number from 2 to 1073741824");
  CHECK(refusal_of("jerasure", {{"mapping", "DD_"}}) ==
        "mapping is set, and chunks are where the code has them; Ceph's own plugin does that");
  CHECK(refusal_of("shec", {{"k", "4"}}) == "k, m and c are given together, or none of them");
  CHECK(refusal_of("xorloom", {{"code", "x-code:p=5"}}) ==
        "x-code:p=5: chunk 0 holds more than a part of the data; Ceph needs chunks that "
        "hold data "
        "alone or "
        "redundancy alone");
  CHECK(refusal_of("xorloom", {{"code", "rs:k=4"}}) == "rs needs m=…");
  CHECK(refusal_of("xorloom", {{"code", "file:/etc/hostname"}}) ==
        "code=file:/etc/hostname is a path, and so another file on each machine; give the JSON "
        "itself");
  CHECK(
      refusal_of("snappy", {}) ==
      "the plugin is loaded as 'snappy'; its names are xorloom, isa, jerasure, shec, lrc and clay");
}

TEST_CASE("a profile gets the defaults of Ceph's plugins, and comes back from the codec") {
  const auto code = code_of("isa", {{"plugin", "isa"}});
  const ceph::ErasureCodeProfile expected{{"crush-device-class", ""},
                                          {"crush-failure-domain", "host"},
                                          {"crush-root", "default"},
                                          {"k", "7"},
                                          {"m", "3"},
                                          {"plugin", "isa"},
                                          {"technique", "reed_sol_van"}};
  ceph::ErasureCodeProfile profile = code->get_profile();
  profile.erase("crush-num-failure-domains");  // from release 20.2 on
  profile.erase("crush-osds-per-failure-domain");
  CHECK(profile == expected);
  CHECK(code->get_data_chunk_count() == 7);
  CHECK(code->get_coding_chunk_count() == 3);
}

TEST_CASE("many threads share a codec") {
  const ceph::ErasureCodeProfile profile{{"technique", "cauchy"}, {"k", "6"}, {"m", "3"}};
  const std::string text = random_text(6 * 4096);
  const Chunks chunks = encoded(*code_of("isa", profile), buffers_of(text));
  std::array<int, 4> wrong{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      std::string refusal;
      std::mt19937 random{static_cast<unsigned int>(t)};
      const auto code = loaded_code(XORLOOM_CEPH_PLUGIN, "isa", profile, refusal);
      for (int i = 0; i < 200; ++i) {
        Chunks left = chunks;
        const std::set<int> lost{static_cast<int>(random() % 9), static_cast<int>(random() % 9)};
        for (const int position : lost) left.erase(position);
        Chunks decoded;
        if (code->decode(lost, left, &decoded, 4096) != 0) ++wrong[t];
        for (const int position : lost) {
          if (!decoded[position].contents_equal(chunks.at(position))) ++wrong[t];
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) CHECK(count == 0);
}

TEST_CASE("where written pages may not be executed, bytes are the same") {
  const ceph::ErasureCodeProfile profile{
      {"technique", "cauchy_good"}, {"k", "4"}, {"m", "2"}, {"packetsize", "64"}};
  const std::string text = random_text(4 * 4096);
  const Chunks chunks = encoded(*code_of("jerasure", profile), buffers_of(text));
  const int result = in_child([&] {
    if (!deny_execution_of_written_pages()) return 2;
    const auto code = code_of(
        "jerasure", {{"technique", "cauchy_good"}, {"k", "4"}, {"m", "3"}, {"packetsize", "64"}});
    Chunks again;
    if (code->encode({0, 1, 2, 3, 4}, buffers_of(text), &again) != 0) return 1;
    ceph::Buffers data;
    again.erase(1);
    if (code->decode_concat(again, &data) != 0) return 1;
    return text_of(data) == text ? 0 : 1;
  });
  if (result == 2) {
    MESSAGE("this kernel cannot deny the execution of written pages");
  } else {
    CHECK(result == 0);
  }
  CHECK(text_of(chunks.at(0)) == text.substr(0, 4096));
}

}  // namespace xorloom::ceph_plugin
