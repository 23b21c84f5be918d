#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/runtime/face/c_codec.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/split_repair.hpp"
#include "xorloom/xorloom.h"

namespace xorloom {
namespace {

using Numbers = std::vector<int>;
using Units = std::vector<std::uint32_t>;

/// A codec; the test fails if it could not be made.
struct MadeCodec : CodecOwner {
  explicit MadeCodec(const char* spec) : CodecOwner(spec) { REQUIRE(status == XL_OK); }
};

struct PlanOwner {
  PlanOwner(const xl_codec* codec, const xl_repair& repair)
      : status(xl_plan_create_repair(codec, &repair, &plan)) {}
  ~PlanOwner() { xl_plan_destroy(plan); }
  PlanOwner(const PlanOwner&) = delete;
  PlanOwner& operator=(const PlanOwner&) = delete;

  xl_plan* plan = nullptr;
  int status;
};

/// A pointer that a call has to overwrite; nobody looks at what it points to.
template <typename Handle>
Handle* not_null() {
  static std::uint64_t place = 0;
  return reinterpret_cast<Handle*>(&place);
}

xl_repair repair_of(const Numbers& erased) {
  xl_repair repair{};
  repair.size = sizeof repair;
  repair.erased = erased.data();
  repair.num_erased = static_cast<int>(erased.size());
  return repair;
}

Numbers reads_of(const xl_plan* plan) {
  const int* locations = nullptr;
  int count = -1;
  REQUIRE(xl_plan_reads(plan, &locations, &count) == XL_OK);
  return {locations, locations + count};
}

Numbers writes_of(const xl_plan* plan) {
  const int* locations = nullptr;
  int count = -1;
  REQUIRE(xl_plan_writes(plan, &locations, &count) == XL_OK);
  return {locations, locations + count};
}

Units units_read(const xl_plan* plan, int location) {
  const std::uint32_t* units = nullptr;
  int count = -1;
  REQUIRE(xl_plan_units_read(plan, location, &units, &count) == XL_OK);
  return {units, units + count};
}

Units units_written(const xl_plan* plan, int location) {
  const std::uint32_t* units = nullptr;
  int count = -1;
  REQUIRE(xl_plan_units_written(plan, location, &units, &count) == XL_OK);
  return {units, units + count};
}

}  // namespace

TEST_CASE("C: the plan for encoding reads the data and writes the redundancy") {
  const MadeCodec owner(kSmallSpec);
  xl_plan* plan = nullptr;
  REQUIRE(xl_plan_create_encoding(owner.codec, &plan) == XL_OK);
  CHECK(reads_of(plan) == Numbers{0, 1, 2});
  CHECK(writes_of(plan) == Numbers{3, 4});
  CHECK(units_read(plan, 1) == Units{0, 1, 2});
  CHECK(units_written(plan, 4) == Units{0, 1, 2});
  CHECK(units_read(plan, 4).empty());
  CHECK(units_written(plan, 99).empty());
  Stripe stripe(5, 192, 1);
  Stripe expected = stripe;
  REQUIRE(xl_encode(owner.codec, expected.chunks(), 192) == XL_OK);
  CHECK(xl_plan_run(plan, stripe.chunks(), 192) == XL_OK);
  CHECK(stripe == expected);
  xl_plan_destroy(plan);
}

TEST_CASE("C: a repair reads what costs the least, and what is at hand costs nothing") {
  const MadeCodec owner("rs:k=4,m=2");
  const std::size_t bytes = xl_round_up(owner.codec, 1000);
  Stripe stripe(6, bytes, 3);
  REQUIRE(xl_encode(owner.codec, stripe.chunks(), bytes) == XL_OK);
  const Stripe original = stripe;
  const Numbers erased{1};
  const std::vector<std::uint64_t> costs{9, 0, 1, 1, 1, 1};
  xl_repair repair = repair_of(erased);
  repair.read_costs = costs.data();
  {
    const PlanOwner owned(owner.codec, repair);
    REQUIRE(owned.status == XL_OK);
    CHECK(reads_of(owned.plan) == Numbers{2, 3, 4, 5});
    CHECK(writes_of(owned.plan) == erased);
    stripe.lose(0);
    stripe.lose(1);
    CHECK(xl_plan_run(owned.plan, stripe.chunks(), bytes) == XL_OK);
    CHECK(std::memcmp(stripe.chunks()[1], original.chunks()[1], bytes) == 0);
  }
  const Numbers at_hand{0};
  repair.at_hand = at_hand.data();
  repair.num_at_hand = 1;
  const PlanOwner owned(owner.codec, repair);
  REQUIRE(owned.status == XL_OK);
  CHECK(reads_of(owned.plan).front() == 0);
}

TEST_CASE("C: a repair plans the same as in C++, whatever is wanted of it") {
  for (const char* spec : {"clay:k=4,m=2", "cauchy-good:k=4,m=2,w=4", "lrc:k=4,m=2,l=3"}) {
    CAPTURE(spec);
    const MadeCodec owner(spec);
    const Codec codec(spec);
    xl_info info{};
    info.size = sizeof info;
    REQUIRE(xl_codec_info(owner.codec, &info) == XL_OK);
    CHECK(info.units == codec.info().units);
    const Numbers erased{0, 2};
    const int wanted = 2;
    const Units first{0};
    const std::uint32_t* const units = first.data();
    const int num_units = 1;
    for (const bool is_partial : {false, true}) {
      for (const bool is_whole : {false, true}) {
        CAPTURE(is_partial);
        CAPTURE(is_whole);
        xl_repair repair = repair_of(erased);
        repair.wanted = &wanted;
        repair.num_wanted = 1;
        repair.whole_chunks = is_whole ? 1 : 0;
        if (is_partial) {
          repair.units = &units;
          repair.num_units = &num_units;
        }
        Repair wanted_alone{.erased = {0, 2}, .wanted = {2}, .whole_chunks = is_whole};
        if (is_partial) wanted_alone.units = {first};
        const Plan plan = codec.repair(wanted_alone);
        const PlanOwner owned(owner.codec, repair);
        REQUIRE(owned.status == XL_OK);
        CHECK(reads_of(owned.plan) == Numbers(plan.reads().begin(), plan.reads().end()));
        CHECK(writes_of(owned.plan) == Numbers{2});
        for (std::size_t location = 0; location < info.locations; ++location) {
          const auto read = plan.units_read(location);
          const auto written = plan.units_written(location);
          const auto at = static_cast<int>(location);
          CHECK(units_read(owned.plan, at) == Units(read.begin(), read.end()));
          CHECK(units_written(owned.plan, at) == Units(written.begin(), written.end()));
        }
      }
    }
  }
}

TEST_CASE("C: what is wrong in a repair is refused by name, and there is no plan then") {
  const MadeCodec owner(kSmallSpec);
  const Numbers erased{0, 1};
  const xl_repair good = repair_of(erased);
  const auto refused = [&](const xl_repair& repair, int status, const std::string& sentence) {
    xl_plan* plan = not_null<xl_plan>();
    CHECK(xl_plan_create_repair(owner.codec, &repair, &plan) == status);
    CHECK(plan == nullptr);
    CHECK(last_sentence() == sentence);
  };
  xl_repair repair = good;
  repair.num_erased = -1;
  refused(repair, XL_INVALID_ARGUMENT, "num_erased = -1 is less than 0");
  repair = good;
  repair.erased = nullptr;
  refused(repair, XL_INVALID_ARGUMENT, "erased is null");
  repair = good;
  repair.num_wanted = 1;
  refused(repair, XL_INVALID_ARGUMENT, "wanted is null");
  repair = good;
  repair.num_at_hand = 1;
  refused(repair, XL_INVALID_ARGUMENT, "at_hand is null");
  const Units unit{0};
  const std::vector<const std::uint32_t*> units{unit.data(), nullptr};
  repair = good;
  repair.units = units.data();
  refused(repair, XL_INVALID_ARGUMENT, "num_units is null");
  Numbers num_units{1, -2};
  repair.num_units = num_units.data();
  refused(repair, XL_INVALID_ARGUMENT, "num_units[1] = -2 is less than 0");
  num_units[1] = 1;
  refused(repair, XL_INVALID_ARGUMENT, "units[1] is null");
  const Units twice{2, 0, 2};
  const std::vector<const std::uint32_t*> with_twice{unit.data(), twice.data()};
  repair.units = with_twice.data();
  num_units[1] = 3;
  refused(repair, XL_INVALID_ARGUMENT, "unit 2 of location 1 is named twice");
  repair = good;
  const Numbers named_twice{1, 1};
  refused(repair_of(named_twice), XL_INVALID_ARGUMENT, "lost location 1 is named twice");
  repair.wanted = named_twice.data();
  repair.num_wanted = 2;
  refused(repair, XL_INVALID_ARGUMENT, "wanted location 1 is named twice");
  repair = good;
  const Numbers at_hand{3, 3};
  repair.at_hand = at_hand.data();
  repair.num_at_hand = 2;
  refused(repair, XL_INVALID_ARGUMENT, "at hand location 3 is named twice");
  repair = good;
  repair.size = 0;
  refused(repair, XL_INVALID_ARGUMENT, "repair.size = 0 is not one of 8 to 4096");
  repair.size = offsetof(xl_repair, erased) + 1;
  CHECK(xl_plan_create_repair(owner.codec, &repair, nullptr) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "plan is null");
  refused(repair, XL_INVALID_ARGUMENT, "repair.size = 9 ends inside the field of bytes 8 to 15");
  const Numbers three{0, 1, 2};
  refused(repair_of(three), XL_DAMAGED,
          "the loss of {0, 1, 2} cannot be rebuilt: cauchy:k=3,m=2,w=3 has 5 locations and "
          "promises to survive any 2 losses");
  xl_plan* plan = nullptr;
  CHECK(xl_plan_create_repair(nullptr, &good, &plan) == XL_INVALID_ARGUMENT);
  CHECK(xl_plan_create_repair(owner.codec, nullptr, &plan) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "repair is null");
}

TEST_CASE("C: fields of a repair past its size take their defaults") {
  const MadeCodec owner(kSmallSpec);
  const Numbers erased{0, 1};
  xl_repair repair = repair_of(erased);
  repair.num_wanted = -1;
  repair.size = offsetof(xl_repair, wanted);
  const PlanOwner owned(owner.codec, repair);
  REQUIRE(owned.status == XL_OK);
  CHECK(writes_of(owned.plan) == erased);
  struct {
    xl_repair known;
    std::size_t later;
  } larger{repair_of(erased), 0};
  larger.known.size = sizeof larger;
  CHECK(PlanOwner(owner.codec, larger.known).status == XL_OK);
  larger.later = 1;
  CHECK(PlanOwner(owner.codec, larger.known).status == XL_UNSUPPORTED);
}

TEST_CASE("C: null arguments of what a plan reads are refused by name") {
  const MadeCodec owner(kSmallSpec);
  xl_plan* plan = nullptr;
  const int* locations = nullptr;
  const std::uint32_t* units = nullptr;
  int count = 0;
  CHECK(xl_plan_create_encoding(nullptr, &plan) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "codec is null");
  CHECK(xl_plan_create_encoding(owner.codec, nullptr) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "plan is null");
  REQUIRE(xl_plan_create_encoding(owner.codec, &plan) == XL_OK);
  CHECK(xl_plan_reads(nullptr, &locations, &count) == XL_INVALID_ARGUMENT);
  CHECK(xl_plan_reads(plan, nullptr, &count) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "locations is null");
  CHECK(xl_plan_writes(plan, &locations, nullptr) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "num_locations is null");
  CHECK(xl_plan_units_read(plan, 0, nullptr, &count) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "units is null");
  CHECK(xl_plan_units_written(plan, 0, &units, nullptr) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "num_units is null");
  CHECK(xl_plan_units_read(plan, -1, &units, &count) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "location = -1 is less than 0");
  xl_plan_destroy(plan);
}

TEST_CASE("C: the sums that the sites of a split compute add up to the lost chunk") {
  for (const char* spec : {"rs:k=4,m=2", "cauchy-good:k=4,m=2,w=4", "clay:k=4,m=2"}) {
    CAPTURE(spec);
    const MadeCodec owner(spec);
    const std::size_t bytes = xl_round_up(owner.codec, 1000);
    const Stripe stripe(6, bytes, 3);
    REQUIRE(xl_encode(owner.codec, stripe.chunks(), bytes) == XL_OK);
    const Numbers erased{2};
    const std::vector<int> sites{0, 0, 1, 1, 2, 2};
    const xl_repair repair = repair_of(erased);
    xl_split* split = nullptr;
    REQUIRE(xl_split_create(owner.codec, &repair, sites.data(), &split) == XL_OK);
    int count = -1;
    int home = -1;
    REQUIRE(xl_split_sites(split, &count, &home) == XL_OK);
    CHECK(home == 1);
    CHECK(count >= 2);
    std::vector<std::vector<std::uint8_t>> sums;
    std::vector<const std::uint8_t*> pointers;
    for (int i = 0; i < count; ++i) {
      xl_site site{};
      site.size = sizeof site;
      REQUIRE(xl_split_site(split, i, &site) == XL_OK);
      CHECK(site.size == sizeof site);
      CHECK(writes_of(site.plan) == erased);
      CHECK(site.units_sent == units_written(site.plan, 2).size());
      std::size_t units = 0;
      for (const int location : reads_of(site.plan)) {
        CHECK(sites[static_cast<std::size_t>(location)] == site.number);
        units += units_read(site.plan, location).size();
      }
      CHECK(site.units_read == units);
      std::vector<std::uint8_t*> there(6, nullptr);
      for (std::size_t l = 0; l < 6; ++l) {
        if (sites[l] == site.number) there[l] = stripe.chunks()[l];
      }
      sums.emplace_back(bytes, std::uint8_t{0xee});
      there[2] = sums.back().data();
      REQUIRE(xl_plan_run(site.plan, there.data(), bytes) == XL_OK);
      pointers.push_back(sums.back().data());
    }
    std::vector<std::uint8_t> rebuilt(bytes, 0x55);
    REQUIRE(xl_add_sums(pointers.data(), count, rebuilt.data(), bytes) == XL_OK);
    CHECK(std::memcmp(rebuilt.data(), stripe.chunks()[2], bytes) == 0);
    xl_split_destroy(split);
  }
}

TEST_CASE("C: what is wrong in a split is refused by name, and there is no split then") {
  const MadeCodec owner(kSmallSpec);
  const Numbers erased{0};
  const xl_repair repair = repair_of(erased);
  xl_split* split = nullptr;
  const auto refused = [&](Numbers sites, const std::string& sentence) {
    split = not_null<xl_split>();
    CHECK(xl_split_create(owner.codec, &repair, sites.data(), &split) == XL_INVALID_ARGUMENT);
    CHECK(split == nullptr);
    CHECK(last_sentence() == sentence);
  };
  refused({0, 1, -1, 0, 0}, "sites[2] = -1 is less than 0");
  refused({0, 1, 1, 5, 0}, "sites[3] = 5 is not one of 0 to 4");
  refused({0, 2, 2, 2, 0}, "group 1 has no locations");
  const Numbers sites{0, 0, 0, 1, 1};
  CHECK(xl_split_create(nullptr, &repair, sites.data(), &split) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "codec is null");
  CHECK(xl_split_create(owner.codec, nullptr, sites.data(), &split) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "repair is null");
  CHECK(xl_split_create(owner.codec, &repair, nullptr, &split) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "sites is null");
  CHECK(xl_split_create(owner.codec, &repair, sites.data(), nullptr) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "split is null");

  REQUIRE(xl_split_create(owner.codec, &repair, sites.data(), &split) == XL_OK);
  int count = 0;
  int home = 0;
  CHECK(xl_split_sites(nullptr, &count, &home) == XL_INVALID_ARGUMENT);
  CHECK(xl_split_sites(split, nullptr, &home) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "num_sites is null");
  CHECK(xl_split_sites(split, &count, nullptr) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "home is null");
  xl_site site{};
  CHECK(xl_split_site(split, 0, nullptr) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "site is null");
  CHECK(xl_split_site(split, 0, &site) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "site.size = 0 is not one of 8 to 4096");
  site.size = sizeof site;
  for (const int index : {-1, 5}) {
    CHECK(xl_split_site(split, index, &site) == XL_INVALID_ARGUMENT);
    CHECK(last_sentence().find("index = " + std::to_string(index) + " is not one of 0 to ") == 0);
  }
  xl_split_destroy(split);
  xl_split_destroy(nullptr);
}

TEST_CASE("C: sums are added, and a number of sums that is none is refused") {
  const std::vector<std::uint8_t> a(40, 3);
  const std::vector<std::uint8_t> b(40, 5);
  std::vector<std::uint8_t> sum(40, 9);
  const std::vector<const std::uint8_t*> sums{a.data(), b.data()};
  CHECK(xl_add_sums(sums.data(), -1, sum.data(), 40) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "num_sums = -1 is less than 0");
  CHECK(xl_add_sums(nullptr, 2, sum.data(), 40) == XL_INVALID_ARGUMENT);
  CHECK(xl_add_sums(sums.data(), 2, nullptr, 40) == XL_INVALID_ARGUMENT);
  CHECK(sum == std::vector<std::uint8_t>(40, 9));
  CHECK(xl_add_sums(sums.data(), 2, sum.data(), 40) == XL_OK);
  CHECK(sum == std::vector<std::uint8_t>(40, 6));
}

TEST_CASE("C: chunk_bytes is rounded up as in C++") {
  const MadeCodec owner(kSmallSpec);
  const Codec codec(kSmallSpec);
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{192}, std::size_t{193}, SIZE_MAX}) {
    CHECK(xl_round_up(owner.codec, bytes) == codec.round_up(bytes));
  }
  CHECK(xl_round_up(nullptr, 5) == 0);
}

}  // namespace xorloom
