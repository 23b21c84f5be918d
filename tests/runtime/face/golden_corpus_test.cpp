// Sets that Ceph's plugins encoded: made again byte for byte, and recovered from every loss they
// can be.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "runtime/files/user_bytes.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/subsets.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string spec_of(const nlohmann::json& entry) {
  const std::string plugin = entry["plugin"];
  const auto key = [&](const char* name) {
    return std::string(name) + "=" + std::to_string(entry[name].get<int>());
  };
  const std::string size = ":" + key("k") + "," + key("m");
  if (plugin == "shec") return "shec" + size + "," + key("c");
  if (plugin == "lrc") return "lrc" + size + "," + key("l");
  if (plugin == "clay") return "clay" + size + "," + key("d");
  const std::string technique = entry["technique"];
  if (plugin == "isa") return (technique == "cauchy" ? "isa-cauchy" : "isa-vandermonde") + size;
  const std::string word = "," + key("w");
  if (technique == "reed_sol_van") return "rs" + size + word;
  const std::string k = ":" + key("k");
  if (technique == "reed_sol_r6_op") return "raid6" + k + word;
  const std::string packet = ",packet_bytes=" + std::to_string(entry.value("packetsize", 0));
  if (technique == "cauchy_orig") return "cauchy" + size + word + packet;
  if (technique == "cauchy_good") return "cauchy-good" + size + word + packet;
  if (technique == "liberation") return "liberation" + k + word + packet;
  if (technique == "blaum_roth") return "blaum-roth" + k + word + packet;
  return "liber8tion" + k + word + packet;
}

using Set = std::vector<std::size_t>;

/// Sets of 1 to `most` of the numbers 0…n-1: all of them, or `tried` evenly picked ones if there
/// are more. XORLOOM_TEST_ALL_LOSSES asks for all.
std::vector<Set> losses(std::size_t n, std::size_t most, std::size_t tried) {
  std::vector<Set> all = test::subsets(n, most);
  all.erase(all.begin());
  if (all.size() <= tried || std::getenv("XORLOOM_TEST_ALL_LOSSES") != nullptr) return all;
  return test::sample(all, tried);
}

/// Pairs that Blaum and Roth's matrices with w = 7 do not give back, 8 being no prime.
const std::vector<std::vector<Set>> kNotGivenBack = {
    {},
    {},
    {},
    {{0, 2}},
    {{0, 2}},
    {{0, 2}, {0, 4}, {1, 4}, {2, 4}},
    {{0, 2}, {0, 4}, {1, 4}, {1, 5}, {2, 4}, {2, 5}}};

}  // namespace

TEST_CASE("sets of the corpus come out byte for byte, and come back from any loss they can be") {
  const auto corpus = golden_data("ceph-corpus");
  SKIP_WITHOUT_GOLDEN_DATA(corpus);
  std::ifstream index_file(corpus / "index.json");
  const nlohmann::json index = nlohmann::json::parse(index_file);
  std::size_t sets = 0;
  for (const nlohmann::json& entry : index["cases"]) {
    ++sets;
    const std::string name = entry["name"];
    CAPTURE(name);
    const std::string spec = spec_of(entry);
    Options options;
    options.allow_non_mds = true;  // blaum-roth with w = 7
    const Codec codec(spec, options);
    const Code code = make_code(spec, {.packet_bytes = 0, .allow_non_mds = true});
    const std::size_t bytes = entry["chunk_size"];
    const Bytes content = read_file(corpus / name / "content");
    REQUIRE(content.size() == entry["stripe_width"]);

    std::vector<Bytes> published;
    std::vector<Bytes> chunks(code.locations, Bytes(bytes));
    std::vector<std::uint8_t*> pointers;
    for (std::size_t i = 0; i < code.locations; ++i) {
      published.push_back(read_file(corpus / name / std::to_string(i)));
      pointers.push_back(chunks[i].data());
    }
    spread_user_bytes(code, content, pointers.data(), bytes);
    REQUIRE(codec.encode(pointers.data(), bytes) == Status::kOk);
    REQUIRE(chunks == published);

    std::vector<Set> not_given_back;
    const std::size_t tried = code.family == "clay" ? 8 : 60;  // a plan of clay takes a while
    for (const Set& lost : losses(code.locations, code.m, tried)) {
      CAPTURE(set_text(lost));
      for (const std::size_t location : lost) std::ranges::fill(chunks[location], 0xee);
      const Status status = codec.decode(pointers.data(), lost, bytes);
      REQUIRE(status == (is_recoverable(code, lost) ? Status::kOk : Status::kDamaged));
      if (status != Status::kOk) {
        not_given_back.push_back(lost);
        for (const std::size_t location : lost) chunks[location] = published[location];
      }
      REQUIRE(chunks == published);
    }
    if (code.family == "blaum-roth") {
      CHECK(not_given_back == kNotGivenBack[code.k]);
    } else if (code.family == "shec") {
      for (const Set& lost : not_given_back) CHECK(lost.size() > code.promised_losses);
    } else {
      CHECK(not_given_back.empty());
    }
  }
  CHECK(sets == 82);
}

}  // namespace xorloom
