// Repairs and degraded reads of real shards read what is planned and nothing else: all that is not
// read is spoilt beforehand.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "codes/bits.hpp"
#include "codes/families/families.hpp"
#include "equations/reads/fewest_reads.hpp"
#include "equations/request/request.hpp"
#include "runtime/sets/repair_set.hpp"
#include "runtime/shards/shard_pieces.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/subsets.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

/// Two whole stripes of blocks that are as small as they can be, or whose pieces are.
struct PlannedRepairScene : test::SetScene {
  explicit PlannedRepairScene(const Code& code)
      : SetScene(2 * code.data.size() * chunk_multiple(code) / code.subchunks,
                 {.spec = code.spec, .block_bytes = chunk_multiple(code)}) {}

  /// Changes every byte of a block that is in none of some pieces, or all of them if it has none.
  void spoil(std::uint32_t location, std::span<const std::uint32_t> but) const {
    test::ShardImage shard = image(location);
    for (std::uint64_t block = 0; block < num_blocks(header); ++block) {
      std::vector<bool> is_read(header.block_bytes);
      if (header.pieces != Pieces{}) {
        const PieceLayout layout = piece_layout(header.pieces, header.block_bytes);
        for (const ByteRange& range : ranges_of(layout, but)) {
          std::fill_n(is_read.begin() + static_cast<std::ptrdiff_t>(range.offset), range.bytes,
                      true);
        }
      } else if (!but.empty()) {
        continue;
      }
      char* const payload = shard.bytes.data() + shard.offset(block) + frame_bytes(header);
      for (std::size_t i = 0; i < is_read.size(); ++i) {
        if (!is_read[i]) payload[i] = static_cast<char>(~payload[i]);
      }
    }
    shard.save();
  }
};

/// Returns the units that are read of a location.
using Units = std::function<std::vector<std::uint32_t>(std::size_t)>;

/// Bytes of blocks of which some pieces are read, frames among them.
std::uint64_t bytes_of(const ShardHeader& header, const Code& code, const Units& units) {
  std::uint64_t bytes = 0;
  for (std::size_t location = 0; location < code.locations; ++location) {
    const std::size_t number = units(location).size();
    if (number == 0) continue;
    bytes += frame_bytes(header) + (header.pieces == Pieces{}
                                        ? header.block_bytes
                                        : header.block_bytes / header.pieces.number * number);
  }
  return bytes;
}

/// Loses locations and spoils what no plan reads; the repair gives back the lost shards, byte for
/// byte, and reads just what is planned.
void check_repair(const Code& code, const Locations& lost) {
  const PlannedRepairScene scene(code);
  for (const std::size_t location : lost) scene.lose(static_cast<std::uint32_t>(location));
  const Reads reads = fewest_reads(readable(code), {.lost = lost});
  const std::size_t cells = readable(code).subchunks;
  const Units units = [&](std::size_t location) {
    std::vector<std::uint32_t> result;
    for (const Cell cell : reads.map.inputs) {
      if (cell / cells == location) result.push_back(static_cast<std::uint32_t>(cell % cells));
    }
    return result;
  };
  for (std::uint32_t location = 0; location < code.locations; ++location) {
    if (std::ranges::find(lost, location) == lost.end()) scene.spoil(location, units(location));
  }
  const RepairedSet repaired = test::repair_missing({scene.d});
  REQUIRE(repaired.rebuilt.size() == lost.size());
  REQUIRE(repaired.damage.bad_blocks.empty());
  for (const std::size_t location : lost) {
    const auto shard = static_cast<std::uint32_t>(location);
    REQUIRE(test::read_file(scene.path(shard)) == scene.whole.at(scene.name(shard)));
  }
  REQUIRE(repaired.bytes_read_to_rebuild ==
          num_blocks(scene.header) * bytes_of(scene.header, code, units));
}

}  // namespace

TEST_CASE("Any shard of a code made for repair is rebuilt from just what is planned") {
  for (const char* spec :
       {"clay:k=4,m=2", "clay:k=8,m=4", "clay:k=6,m=3,d=7", "zigzag:k=4,r=2", "zigzag:k=3,r=3",
        "lrc:k=8,m=4,l=3", "shec:k=6,m=4,c=3", "rs:k=4,m=2", "rdp:k=4,p=5,packet_bytes=4096",
        "x-code:p=5,packet_bytes=4096", "cauchy-good:k=4,m=2,w=4,packet_bytes=4096"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    Locations all(code.locations);
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const std::size_t lost : test::sample_unless_whole(all, 6)) {
      CAPTURE(lost);
      check_repair(code, {lost});
    }
  }
}

TEST_CASE("So are any two, where that is promised") {
  for (const char* spec : {"clay:k=4,m=2", "zigzag:k=4,r=2", "lrc:k=4,m=2,l=3", "shec:k=4,m=3,c=2",
                           "rs:k=4,m=2", "rdp:k=4,p=5,packet_bytes=4096"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    std::vector<Locations> pairs = test::subsets(code.locations, 2);
    std::erase_if(pairs, [](const Locations& lost) { return lost.size() != 2; });
    for (const Locations& lost : test::sample_unless_whole(pairs, 8)) {
      CAPTURE(set_text(lost));
      check_repair(code, lost);
    }
  }
}

TEST_CASE("Clay reads 1/q and Zigzag 1/r of each helper, and LRC its group") {
  const auto check_parts = [](const char* spec, std::size_t locations, std::size_t helpers,
                              std::size_t units) {
    CAPTURE(spec);
    const Codec codec(spec);
    for (std::size_t lost = 0; lost < locations; ++lost) {
      CAPTURE(lost);
      const Plan made = codec.repair({.erased = {lost}});
      CHECK(made.reads().size() == helpers);
      for (const std::size_t location : made.reads()) {
        CHECK(made.units_read(location).size() == units);
      }
    }
  };
  check_parts("clay:k=8,m=4", 12, 11, 64 / 4);
  check_parts("clay:k=6,m=3,d=7", 9, 7, 32 / 2);
  check_parts("zigzag:k=4,r=2", 4, 5, 8 / 2);
  check_parts("zigzag:k=4,r=3", 4, 6, 27 / 3);
  const Codec lrc("lrc:k=8,m=4,l=3");
  for (std::size_t lost = 0; lost < 16; ++lost) {
    const Plan made = lrc.repair({.erased = {lost}});
    CHECK(made.reads().size() == 3);
    for (const std::size_t location : made.reads()) CHECK(location / 4 == lost / 4);
  }
}

TEST_CASE("A degraded read of one row reads what its equation names, and nothing else") {
  const Code code = make_code("cauchy-good:k=10,m=4,w=8,packet_bytes=4096");
  const std::size_t lost = 3;
  for (const std::uint32_t row : {0U, 5U}) {
    CAPTURE(row);
    const PlannedRepairScene scene(code);
    scene.lose(lost);
    const Program equation =
        direct_program(code, Request{.erased = {lost}, .rows = {row}, .reads_least = true});
    REQUIRE(equation.outputs == std::vector<Element>{code.element(lost, row)});
    const Units units = [&](std::size_t location) {
      std::vector<std::uint32_t> rows;
      for (const Element input : equation.inputs) {
        if (input / code.rows() == location) {
          rows.push_back(static_cast<std::uint32_t>(input % code.rows()));
        }
      }
      return rows;
    };
    for (std::uint32_t location = 0; location < code.locations; ++location) {
      if (location != lost) scene.spoil(location, units(location));
    }
    const std::uint64_t begin = (lost * code.rows() + row) * 4096;
    const auto decoded = scene.set().decode(1, {begin, begin + 4096});
    CHECK(decoded.content == scene.content.substr(begin, 4096));
    CHECK(decoded.damage.bytes_read == bytes_of(scene.header, code, units));
    CHECK(decoded.damage.bytes_read < 14 * (frame_bytes(scene.header) + 4096));
  }
}

TEST_CASE("Locations that cost more to read are left unread") {
  const Codec codec("rs:k=4,m=3");
  const Plan plan = codec.repair({.erased = {0}, .read_costs = {1, 9, 9, 1, 1, 1, 1}});
  CHECK(plan.reads() == Locations{3, 4, 5, 6});
  const Plan at_hand = codec.repair({.erased = {0}, .at_hand = {1, 2}});
  CHECK(std::ranges::includes(at_hand.reads(), Locations{1, 2}));
  const Plan clay =
      Codec("clay:k=4,m=2")
          .repair({.erased = {0}, .read_costs = {1, 1, 1, 1, 1, 5}, .whole_chunks = true});
  CHECK(clay.reads() == Locations{1, 2, 3, 4});
  for (const std::size_t location : clay.reads()) CHECK(clay.units_read(location).size() == 8);
}

TEST_CASE("Directories have costs, and locations in them theirs") {
  const test::SetScene scene(4096, {.spec = "rs:k=4,m=3"});
  const std::filesystem::path far = scene.folder.path() / "far";
  std::filesystem::create_directory(far);
  for (const std::uint32_t location : {1U, 2U, 3U}) {
    std::filesystem::rename(scene.path(location), far / scene.name(location));
  }
  scene.lose(0);
  const std::vector<std::filesystem::path> directories{scene.d, far};
  const test::ReadableSet set(directories);
  const auto costs = [&](const std::vector<PlaceCost>& places) {
    return costs_by_location(places, set.opened, directories);
  };
  CHECK(costs({}).empty());
  CHECK(costs({{far.string(), 7}}) == std::vector<std::uint64_t>{0, 7, 7, 7, 1, 1, 1});
  CHECK(costs({{far.string(), 7}, {"2", 3}, {"6", 0}}) ==
        std::vector<std::uint64_t>{0, 7, 3, 7, 1, 1, 0});
  CHECK(test::thrown_by([&] {
          costs({{"nowhere", 7}});
        })
            .says("given for nowhere, which is not one of the locations 0 to 6 nor one of the "
                  "directories"));
  CHECK(test::thrown_by([&] { costs({{"7", 7}}); }).says("given for 7, which is not"));
  CHECK(test::thrown_by([&] { costs({{"2", 7}, {"02", 8}}); }).says("of 02 is given twice"));
  CHECK(test::thrown_by([&] {
          costs({{far.string(), 7}, {far.string() + "/.", 8}});
        }).says("is given twice"));
  std::filesystem::copy_file(far / scene.name(3), scene.d / "copy");
  const test::ReadableSet copied(directories);
  CHECK(costs_by_location(std::vector<PlaceCost>{{far.string(), 7}}, copied.opened, directories) ==
        std::vector<std::uint64_t>{0, 7, 7, 8, 1, 1, 1});
  std::filesystem::remove(scene.d / "copy");

  Progress progress;
  SetRepair repair;
  repair.directories = directories;
  repair.read_costs = {{far.string(), 7}, {"2", 3}};
  repair.only_missing = true;
  const RepairedSet repaired = repair_set(repair, progress);
  CHECK(repaired.shards_read_to_rebuild == 4);
  CHECK(repaired.rebuilt.size() == 1);
}

TEST_CASE("Repairs that contradict themselves are refused") {
  const Codec codec("cauchy-good:k=4,m=2,w=4");
  const auto refused = [&](const Repair& repair, const char* words) {
    const test::Thrown thrown = test::thrown_by([&] { codec.repair(repair); });
    CHECK(thrown.kind == Status::kInvalidArgument);
    CHECK(thrown.says(words));
  };
  refused({.erased = {6}}, "lost location 6 is not one of 0 to 5");
  refused({.erased = {0}, .wanted = {1}}, "wanted location 1 is not one of the lost locations {0}");
  refused({.erased = {0}, .wanted = {0}, .units = {{4}}},
          "unit 4 of location 0 is not one of 0 to 3");
  refused({.erased = {0}, .wanted = {0}, .units = {{1}, {2}}},
          "units are given for 2 locations, but 1 locations are wanted");
  refused({.erased = {0}, .read_costs = {1}}, "1 read cost is given for 6 locations");
  refused({.erased = {0}, .at_hand = {0}}, "location 0 is both at hand and lost");
  CHECK(test::thrown_by([&] { codec.repair({.erased = {0, 1, 2}}); }).kind == Status::kDamaged);
}

}  // namespace xorloom
