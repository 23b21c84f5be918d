#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/plan.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/subsets.hpp"
#include "xorloom/split_repair.hpp"

namespace xorloom {
namespace {

using Set = std::vector<std::size_t>;
using Groups = std::vector<Set>;

constexpr std::uint64_t kSeed = 23;

/// Divides the locations into `num_groups` groups of neighbours, or with `interleaved` into groups
/// of every `num_groups`-th location.
Groups racks(std::size_t locations, std::size_t num_groups, bool interleaved = false) {
  Groups groups(num_groups);
  for (std::size_t location = 0; location < locations; ++location) {
    groups[interleaved ? location % num_groups : location * num_groups / locations].push_back(
        location);
  }
  return groups;
}

/// By the oracle.
Stripe encoded(const Code& code, std::size_t chunk_bytes) {
  const Stripe stripe(code.locations, chunk_bytes, kSeed, 9);
  oracle(code, encoding_map(code), stripe.chunks(), chunk_bytes);
  return stripe;
}

bool has(const Set& set, std::size_t location) {
  return std::ranges::find(set, location) != set.end();
}

/// Zeros but for some units of a chunk.
std::vector<std::uint8_t> units_alone(const Info& info, std::span<const std::uint8_t> chunk,
                                      std::span<const std::uint32_t> units) {
  std::vector<std::uint8_t> result(chunk.size());
  const std::size_t unit_bytes =
      info.packet_bytes != 0 ? info.packet_bytes : chunk.size() / info.units;
  for (std::size_t at = 0; at < chunk.size(); ++at) {
    const auto unit = static_cast<std::uint32_t>(at / unit_bytes % info.units);
    if (std::ranges::find(units, unit) != units.end()) result[at] = chunk[at];
  }
  return result;
}

/// The sums that a site sends, by wanted chunk; empty if it sends none for a chunk. The plan gets
/// null pointers except to the site's own chunks and the wanted ones, and must write nothing but
/// its sums.
std::vector<std::vector<std::uint8_t>> sums_of(const Codec& codec, const SplitRepair::Site& site,
                                               const Set& locations, const Stripe& original,
                                               const Set& erased, const Set& wanted) {
  Stripe stripe = original;
  std::vector<std::uint8_t*> pointers(original.locations(), nullptr);
  for (const std::size_t location : wanted) {
    stripe.lose(location);
    pointers[location] = stripe.chunks()[location];
  }
  for (const std::size_t location : locations) {
    if (!has(erased, location)) pointers[location] = stripe.chunks()[location];
  }
  Stripe expected = stripe;
  const std::size_t chunk_bytes = original.chunk_bytes();
  REQUIRE(site.plan.run(pointers.data(), chunk_bytes) == Status::kOk);

  const Info info = codec.info();
  std::size_t units_read = 0;
  std::size_t units_sent = 0;
  for (const std::size_t location : site.plan.reads()) {
    REQUIRE(has(locations, location));
    units_read += site.plan.units_read(location).size();
  }
  std::vector<std::vector<std::uint8_t>> sums(wanted.size());
  for (const std::size_t location : site.plan.writes()) {
    const auto place = std::ranges::find(wanted, location);
    REQUIRE(place != wanted.end());
    const auto units = site.plan.units_written(location);
    units_sent += units.size();
    REQUIRE(!units.empty());
    const std::span<std::uint8_t> chunk = stripe.chunk(location);
    std::vector<std::uint8_t>& sum = sums[static_cast<std::size_t>(place - wanted.begin())];
    sum.assign(chunk.begin(), chunk.end());
    REQUIRE(sum == units_alone(info, sum, units));
    std::ranges::copy(sum, expected.chunk(location).begin());
  }
  REQUIRE(stripe == expected);
  REQUIRE(stripe.guards_intact());
  REQUIRE(site.units_read == units_read);
  REQUIRE(site.units_sent == units_sent);
  return sums;
}

/// The wanted chunks as the home makes them from what the sites send.
std::vector<std::vector<std::uint8_t>> rebuilt(const Codec& codec, const SplitRepair& split,
                                               const Groups& groups, const Stripe& original,
                                               const Set& erased, const Set& wanted) {
  std::vector<std::vector<std::vector<std::uint8_t>>> sums;
  for (const SplitRepair::Site& site : split.sites) {
    sums.push_back(sums_of(codec, site, groups[site.number], original, erased, wanted));
  }
  std::vector<std::vector<std::uint8_t>> chunks;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::vector<const std::uint8_t*> pointers;
    for (const auto& of_site : sums) {
      if (!of_site[i].empty()) pointers.push_back(of_site[i].data());
    }
    std::vector<std::uint8_t>& chunk = chunks.emplace_back(original.chunk_bytes(), 0xdd);
    REQUIRE(add_sums(pointers.data(), pointers.size(), chunk.data(), chunk.size()) == Status::kOk);
  }
  return chunks;
}

void check_split(const Codec& codec, const Groups& groups, const Stripe& original,
                 const Repair& repair) {
  const Set wanted = repair.wanted.empty() ? repair.erased : repair.wanted;
  const SplitRepair split = codec.split(repair, groups);
  REQUIRE(has(groups[split.home], *std::ranges::min_element(wanted)));
  const auto chunks = rebuilt(codec, split, groups, original, repair.erased, wanted);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::span<const std::uint8_t> lost = original.chunk(wanted[i]);
    const std::vector<std::uint8_t> expected(lost.begin(), lost.end());
    if (repair.units.empty()) {
      REQUIRE(chunks[i] == expected);
    } else {
      REQUIRE(chunks[i] == units_alone(codec.info(), expected, repair.units[i]));
    }
  }
}

const std::vector<std::string> kSpecs = {
    "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0",
    "cauchy-good:k=4,m=3,w=4,packet_bytes=40",
    "rs:k=4,m=2",
    "rs:k=3,m=2,w=4",
    "rs:k=4,m=3,w=16",
    "rs:k=3,m=2,w=5,arrangement=packet,packet_bytes=64",
    "rs:k=3,m=2,w=32",
    "isa-cauchy:k=4,m=3",
    "raid6:k=4,w=4",
    "liberation:k=4,w=5,packet_bytes=8",
    "rdp:k=4,p=5,packet_bytes=40",
    "x-code:p=5",
    "hover:k=4,r=3,v=2,h=1",
    "shec:k=4,m=3,c=2",
    "lrc:k=4,m=2,l=3",
    "lrc:k=2,m=2,l=2,arrangement=packet",
    "clay:k=4,m=2",
    "clay:k=3,m=3,d=4",
    "clay:k=3,m=2,arrangement=packet",
    "zigzag:k=4,r=2",
    "zigzag:k=3,r=3",
    "zigzag:k=3,r=2,w=2,arrangement=packet",
};

/// Codecs with each instruction set, executor and style of the machine. Without XORLOOM_TEST_WHOLE
/// every fifth of them, starting at another one for the next code.
std::vector<Codec> codecs_of(const std::string& spec, std::size_t number) {
  std::vector<Options> all;
  for (const Isa isa : machine_isas()) {
    for (const Executor executor : {Executor::kRanges, Executor::kGraph, Executor::kPlan}) {
      for (const EquationForm style : {EquationForm::kDirect, EquationForm::kIterative}) {
        all.push_back({.threads = 2, .isa = isa, .executor = executor, .style = style});
      }
    }
  }
  std::vector<Codec> codecs;
  const std::size_t step = test::tries_all() ? 1 : 5;
  for (std::size_t i = number % step; i < all.size(); i += step) codecs.emplace_back(spec, all[i]);
  return codecs;
}

Error error_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return {Status::kOk, "nothing was thrown"};
}

}  // namespace

TEST_CASE("what sites send adds up to the lost chunks, each site reading only its own") {
  std::size_t number = 0;
  for (const std::string& spec : kSpecs) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const std::vector<Codec> codecs = codecs_of(spec, number++);
    const std::size_t multiple = chunk_multiple(code);
    const std::size_t odd_bytes = multiple >= 64 ? 5 * multiple : 301 * multiple;
    const Stripe stripes[] = {encoded(code, odd_bytes), encoded(code, multiple)};
    std::size_t turn = 0;
    for (const Set& erased : test::subsets(code.locations, 2)) {
      if (erased.empty() || !is_recoverable(code, erased)) continue;
      for (const std::size_t num_groups : {1U, 2U, 3U}) {
        const Codec& codec = codecs[turn % codecs.size()];
        CAPTURE(set_text(erased));
        CAPTURE(num_groups);
        CAPTURE(to_string(codec.info().isa));
        CAPTURE(to_string(codec.info().executor));
        const Groups groups = racks(code.locations, num_groups, turn % 2 == 1);
        Repair repair{.erased = erased};
        if (erased.size() == 2 && turn % 4 == 3) repair.wanted = {erased[1]};
        if (turn % 7 == 6) repair.whole_chunks = true;
        check_split(codec, groups, stripes[turn % 5 == 4], repair);
        ++turn;
      }
    }
  }
}

TEST_CASE("wanted units alone are summed, and others come out zero") {
  for (const char* spec : {"cauchy-good:k=4,m=3,w=4,packet_bytes=8", "clay:k=4,m=2",
                           "zigzag:k=4,r=2", "rdp:k=4,p=5,packet_bytes=8"}) {
    CAPTURE(spec);
    const Codec codec(spec);
    const Code code = make_code(spec);
    const Stripe original = encoded(code, 3 * chunk_multiple(code));
    for (std::size_t lost = 0; lost < code.locations; ++lost) {
      const auto last = static_cast<std::uint32_t>(codec.info().units - 1);
      check_split(codec, racks(code.locations, 3), original,
                  {.erased = {lost}, .wanted = {lost}, .units = {{1, last}}});
    }
  }
}

TEST_CASE("as few sites have a part as can be") {
  const Codec rs("rs:k=10,m=4");
  const SplitRepair split =
      rs.split({.erased = {2}}, Groups{{0, 1, 2, 3, 4, 5, 6}, {7, 8, 9, 10}, {11, 12, 13}});
  CHECK(split.home == 0);
  REQUIRE(split.sites.size() == 2);
  CHECK(split.sites[0].number == 0);
  CHECK(split.sites[0].units_read == 6);
  CHECK(split.sites[1].number == 1);
  CHECK(split.sites[1].units_read == 4);
  CHECK(split.sites[1].units_sent == 1);

  const Codec lrc("lrc:k=8,m=4,l=3");
  const SplitRepair local = lrc.split({.erased = {5}}, racks(16, 4));
  CHECK(local.home == 1);
  REQUIRE(local.sites.size() == 1);
  CHECK(local.sites[0].number == 1);
  CHECK(local.sites[0].units_read == 3);
}

TEST_CASE("of as many sites those are taken that send less, then those that cost less to read") {
  const Codec codec("rs:k=4,m=3");
  const Groups groups{{0, 1, 2}, {3, 4}, {5, 6}};
  const auto second = [&](const std::vector<std::uint64_t>& costs, const Set& at_hand) {
    const SplitRepair split =
        codec.split({.erased = {0}, .read_costs = costs, .at_hand = at_hand}, groups);
    REQUIRE(split.sites.size() == 2);
    return split.sites[1].number;
  };
  CHECK(second({}, {}) == 1);
  CHECK(second({1, 1, 1, 9, 1, 1, 1}, {}) == 2);
  CHECK(second({}, {6}) == 2);
  CHECK(second({}, {4}) == 1);
}

TEST_CASE("a home with nothing but what is lost has no part") {
  const std::string spec = "cauchy-good:k=4,m=2,w=4,packet_bytes=16";
  const Codec codec(spec);
  const Code code = make_code(spec);
  const Groups groups{{5, 4, 3}, {0}, {2, 1}};
  const SplitRepair split = codec.split({.erased = {0}}, groups);
  CHECK(split.home == 1);
  REQUIRE(split.sites.size() == 2);
  CHECK(split.sites[0].number == 0);
  CHECK(split.sites[1].number == 2);
  check_split(codec, groups, encoded(code, 7 * chunk_multiple(code)), {.erased = {0}});
}

TEST_CASE("sites that are no parting of the locations are refused, and what cannot be rebuilt") {
  const Codec codec("rs:k=2,m=2");
  const auto refused = [&](const Repair& repair, const Groups& groups, Status kind,
                           const char* sentence) {
    const Error error = error_of([&] { static_cast<void>(codec.split(repair, groups)); });
    CHECK(error.kind() == kind);
    CHECK(std::string(error.what()).find(sentence) != std::string::npos);
  };
  const auto bad_groups = [&](const Groups& groups, const char* sentence) {
    refused({.erased = {0}}, groups, Status::kInvalidArgument, sentence);
  };
  bad_groups({{0, 1}, {2}}, "location 3 is in no group");
  bad_groups({{0, 1}, {1, 2, 3}}, "location 1 is in groups 0 and 1");
  bad_groups({{0, 1}, {2, 3, 4}}, "location 4 of group 1 is not one of 0 to 3");
  bad_groups({{0, 1, 2, 3}, {}}, "group 1 has no locations");
  bad_groups(Groups(17, {0}), "17 groups of locations exceed 16");
  const Groups halves{{0, 1}, {2, 3}};
  const auto bad_repair = [&](const Repair& repair, const char* sentence) {
    refused(repair, halves, Status::kInvalidArgument, sentence);
  };
  bad_repair({}, "groups split a repair, but nothing is lost");
  bad_repair({.erased = {4}}, "lost location 4 is not one of 0 to 3");
  bad_repair({.erased = {0}, .wanted = {1}},
             "wanted location 1 is not one of the lost locations {0}");
  bad_repair({.erased = {0}, .units = {{1}}}, "unit 1 of location 0 is not one of 0 to 0");
  bad_repair({.erased = {0}, .units = {{0, 0}}}, "unit 0 of location 0 is named twice");
  bad_repair({.erased = {0}, .units = {{}}}, "no unit is wanted");
  bad_repair({.erased = {0}, .read_costs = {1}}, "1 read cost is given for 4 locations");
  bad_repair({.erased = {0}, .at_hand = {0}}, "location 0 is both at hand and lost");
  bad_repair({.erased = {0}, .at_hand = {3, 3}}, "at hand location 3 is named twice");
  refused({.erased = {0, 1, 2}}, halves, Status::kDamaged,
          "the loss of {0, 1, 2} cannot be rebuilt");
}

TEST_CASE("a site's plan refuses what any plan does") {
  const Codec codec("rs:k=2,m=2");
  const SplitRepair split = codec.split({.erased = {0}}, Groups{{0, 1}, {2, 3}});
  std::vector<std::uint8_t> bytes(100);
  const std::vector<std::uint8_t*> none(4, nullptr);
  CHECK(split.sites[0].plan.run(none.data(), 50) == Status::kInvalidArgument);
  const std::vector<std::uint8_t*> same(4, bytes.data());
  CHECK(split.sites[0].plan.run(same.data(), 50) == Status::kInvalidArgument);
}

TEST_CASE("parts that do not add up to what the code says never become plans") {
  for (const char* spec : {"rs:k=3,m=2", "cauchy-good:k=3,m=2,w=4", "clay:k=2,m=2"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const LinearMap whole = decoding_map(code, Set{0});
    const auto sentence = [&](const LinearMap& map, const std::vector<LinearMap>& parts) {
      return std::string(
          error_of([&] { static_cast<void>(make_part_plans(code, map, parts, {})); }).what());
    };
    CHECK(sentence(whole, {whole}) == "nothing was thrown");
    CHECK(sentence(whole, {whole, whole}).find("do not add up") != std::string::npos);
    CHECK(sentence(whole, {}).find("do not add up") != std::string::npos);
    LinearMap wrong = whole;
    wrong.coefficients(0, wrong.inputs.size() - 1) ^= 1;
    CHECK(sentence(whole, {wrong}).find("do not add up") != std::string::npos);
    CHECK(sentence(wrong, {wrong}).find("comes out different") != std::string::npos);
    LinearMap twice = whole;
    twice.outputs.push_back(whole.outputs[0]);
    twice.coefficients = Matrix(twice.outputs.size(), whole.inputs.size());
    for (std::size_t o = 0; o < whole.outputs.size(); ++o) {
      std::ranges::copy(whole.coefficients.row(o), twice.coefficients.row(o).begin());
    }
    CHECK(sentence(whole, {twice}).find("do not add up") != std::string::npos);
    LinearMap elsewhere = whole;
    elsewhere.inputs.back() = 0;
    CHECK(sentence(whole, {elsewhere}).find("do not add up") != std::string::npos);
  }
}

}  // namespace xorloom
