// Sets that Ceph encoded with Jerasure and ISA-L: made again byte for byte, and recovered.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/golden.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The spec of a case, or none if its family is not built yet.
std::optional<std::string> spec_of(const nlohmann::json& entry) {
  const std::string plugin = entry["plugin"];
  if (plugin != "isa" && plugin != "jerasure") return std::nullopt;
  const std::string technique = entry["technique"];
  const std::string size =
      ":k=" + std::to_string(entry["k"].get<int>()) + ",m=" + std::to_string(entry["m"].get<int>());
  if (plugin == "isa") return (technique == "cauchy" ? "isa-cauchy" : "isa-vandermonde") + size;
  const std::string word = ",w=" + std::to_string(entry["w"].get<int>());
  if (technique == "reed_sol_van") return "rs" + size + word;
  const std::string packet = ",packet_bytes=" + std::to_string(entry.value("packetsize", 0));
  if (technique == "cauchy_orig") return "cauchy" + size + word + packet;
  if (technique == "cauchy_good") return "cauchy-good" + size + word + packet;
  return std::nullopt;
}

}  // namespace

TEST_CASE(
    "sets of the corpus come out byte for byte, and any loss of one or two chunks comes back") {
  const auto corpus = golden_data("ceph-corpus");
  SKIP_WITHOUT_GOLDEN_DATA(corpus);
  std::ifstream index_file(corpus / "index.json");
  const nlohmann::json index = nlohmann::json::parse(index_file);
  std::size_t sets = 0;
  for (const nlohmann::json& entry : index["cases"]) {
    const std::optional<std::string> spec = spec_of(entry);
    if (!spec) continue;
    ++sets;
    const std::string name = entry["name"];
    CAPTURE(name);
    const Codec codec(*spec);
    const Info info = codec.info();
    const std::size_t bytes = entry["chunk_size"];
    Bytes content = read_file(corpus / name / "content");
    REQUIRE(content.size() == entry["stripe_width"]);
    content.resize(info.k * bytes);

    std::vector<Bytes> published;
    std::vector<Bytes> chunks;
    std::vector<std::uint8_t*> pointers;
    for (std::size_t i = 0; i < info.locations; ++i) {
      published.push_back(read_file(corpus / name / std::to_string(i)));
      const auto begin = content.begin() + static_cast<std::ptrdiff_t>(i * bytes);
      chunks.push_back(i < info.k ? Bytes(begin, begin + static_cast<std::ptrdiff_t>(bytes))
                                  : Bytes(bytes));
    }
    for (Bytes& chunk : chunks) pointers.push_back(chunk.data());
    REQUIRE(codec.encode(pointers.data(), bytes) == Status::kOk);
    REQUIRE(chunks == published);

    std::vector<std::size_t> lost;
    const auto lose_from = [&](auto&& self, std::size_t first) -> void {
      if (!lost.empty()) {
        for (const std::size_t location : lost) std::ranges::fill(chunks[location], 0xee);
        REQUIRE(codec.decode(pointers.data(), lost, bytes) == Status::kOk);
        REQUIRE(chunks == published);
      }
      if (lost.size() == std::min<std::size_t>(info.m, 2)) return;
      for (std::size_t next = first; next < info.locations; ++next) {
        lost.push_back(next);
        self(self, next + 1);
        lost.pop_back();
      }
    };
    lose_from(lose_from, 0);
  }
  CHECK(sets == 36);
}

}  // namespace xorloom
