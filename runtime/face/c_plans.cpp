#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/face/c_face.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

auto repair_fields() {
  return bytes_of(&xl_repair::size, &xl_repair::erased, &xl_repair::num_erased, &xl_repair::wanted,
                  &xl_repair::num_wanted, &xl_repair::units, &xl_repair::num_units,
                  &xl_repair::read_costs, &xl_repair::at_hand, &xl_repair::num_at_hand,
                  &xl_repair::whole_chunks);
}
auto site_fields() {
  return bytes_of(&xl_site::size, &xl_site::number, &xl_site::plan, &xl_site::units_read,
                  &xl_site::units_sent);
}

std::vector<std::uint32_t> units_of(const xl_codec& codec, const xl_repair& repair,
                                    std::size_t list) {
  const int count = repair.num_units[list];
  check_count(count, codec.info.units, fmt::format("units[{}]", list).c_str(), "units of a chunk");
  if (count == 0) return {};
  check_not_null(repair.units[list], fmt::format("units[{}]", list).c_str());
  return {repair.units[list], repair.units[list] + count};
}

Repair repair_of(const xl_codec& codec, const xl_repair& given) {
  const xl_repair known = given_struct(given, repair_fields(), "repair");
  Repair repair;
  repair.erased = numbers_of(codec, known.erased, known.num_erased, "erased");
  repair.wanted = numbers_of(codec, known.wanted, known.num_wanted, "wanted");
  repair.at_hand = numbers_of(codec, known.at_hand, known.num_at_hand, "at_hand");
  repair.whole_chunks = known.whole_chunks != 0;
  if (known.units != nullptr) {
    check_not_null(known.num_units, "num_units");
    const Locations& wanted = repair.wanted.empty() ? repair.erased : repair.wanted;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      repair.units.push_back(units_of(codec, known, i));
  }
  if (known.read_costs != nullptr) {
    repair.read_costs.assign(known.read_costs, known.read_costs + codec.info.locations);
  }
  return repair;
}

/// The locations of each site; `sites` has the site of each location.
std::vector<Locations> sites_of(const xl_codec& codec, const int* sites) {
  const auto count = static_cast<int>(codec.info.locations);
  std::vector<Locations> result;
  const Locations site_of = numbers_of(codec, sites, count, "sites");
  for (std::size_t location = 0; location < site_of.size(); ++location) {
    // With such a number some site has no location, whatever the other numbers are.
    if (site_of[location] >= site_of.size()) {
      fail(Status::kInvalidArgument, fmt::format("sites[{}] = {} is not one of 0 to {}", location,
                                                 site_of[location], site_of.size() - 1));
    }
    if (site_of[location] >= result.size()) result.resize(site_of[location] + 1);
    result[site_of[location]].push_back(location);
  }
  return result;
}

std::vector<int> ints_of(const Locations& locations) {
  std::vector<int> result;
  for (const std::size_t location : locations) result.push_back(static_cast<int>(location));
  return result;
}

/// Gives a caller a pointer to an array that lives on.
template <typename Numbers, typename Number>
Status give(const Numbers& numbers, const Number** to, int* count) {
  *to = numbers.data();
  *count = static_cast<int>(numbers.size());
  return Status::kOk;
}

int give_locations(const xl_plan* plan, std::vector<int> xl_plan::*which, const int** locations,
                   int* num_locations) {
  return guarded("plan", plan, [&] {
    check_not_null(locations, "locations");
    check_not_null(num_locations, "num_locations");
    return give(plan->*which, locations, num_locations);
  });
}

using UnitsOf = std::span<const std::uint32_t> (Plan::*)(std::size_t) const noexcept;

int give_units(const xl_plan* plan, UnitsOf which, int location, const std::uint32_t** units,
               int* num_units) {
  return guarded("plan", plan, [&] {
    check_not_null(units, "units");
    check_not_null(num_units, "num_units");
    if (location < 0) {
      fail(Status::kInvalidArgument, fmt::format("location = {} is less than 0", location));
    }
    return give((plan->plan.*which)(static_cast<std::size_t>(location)), units, num_units);
  });
}

int make_plan(const xl_codec* codec, xl_plan** plan, const std::function<Plan()>& make) {
  return make_handle(codec, plan, "plan", [&] { return new xl_plan(make()); });
}

}  // namespace
}  // namespace xorloom

using namespace xorloom;

xl_plan::xl_plan(Plan made)
    : plan(std::move(made)), reads(ints_of(plan.reads())), writes(ints_of(plan.writes())) {}

int xl_plan_create(const xl_codec* codec, const int erased[], int num_erased, const int wanted[],
                   int num_wanted, xl_plan** plan) {
  return make_plan(codec, plan, [&] {
    const std::vector<std::size_t> lost = numbers_of(*codec, erased, num_erased, "erased");
    const std::vector<std::size_t> some = numbers_of(*codec, wanted, num_wanted, "wanted");
    return codec->codec.decoding(lost, some);
  });
}

int xl_plan_create_repair(const xl_codec* codec, const xl_repair* repair, xl_plan** plan) {
  return make_plan(codec, plan, [&] {
    check_not_null(repair, "repair");
    return codec->codec.repair(repair_of(*codec, *repair));
  });
}

int xl_plan_create_encoding(const xl_codec* codec, xl_plan** plan) {
  return make_plan(codec, plan, [&] { return codec->codec.encoding(); });
}

int xl_plan_reads(const xl_plan* plan, const int** locations, int* num_locations) {
  return give_locations(plan, &xl_plan::reads, locations, num_locations);
}

int xl_plan_writes(const xl_plan* plan, const int** locations, int* num_locations) {
  return give_locations(plan, &xl_plan::writes, locations, num_locations);
}

int xl_plan_units_read(const xl_plan* plan, int location, const uint32_t** units, int* num_units) {
  return give_units(plan, &Plan::units_read, location, units, num_units);
}

int xl_plan_units_written(const xl_plan* plan, int location, const uint32_t** units,
                          int* num_units) {
  return give_units(plan, &Plan::units_written, location, units, num_units);
}

int xl_plan_run(const xl_plan* plan, uint8_t* const chunks[], size_t chunk_bytes) {
  return guarded("plan", plan, [&] { return plan->plan.run(chunks, chunk_bytes); });
}

int xl_plan_run_device(const xl_plan* plan, void* memory, const uint64_t places[], void* queue,
                       size_t chunk_bytes) {
  return guarded("plan", plan, [&] {
    const std::size_t locations = PlanAccess::impl_of(plan->plan).locations;
    return plan->plan.run_device(device_chunks(memory, places, locations, queue), chunk_bytes);
  });
}

int xl_split_create(const xl_codec* codec, const xl_repair* repair, const int sites[],
                    xl_split** split) {
  return make_handle(codec, split, "split", [&] {
    check_not_null(repair, "repair");
    const SplitRepair made =
        codec->codec.split(repair_of(*codec, *repair), sites_of(*codec, sites));
    std::vector<xl_plan> plans;
    for (const SplitRepair::Site& site : made.sites) plans.emplace_back(site.plan);
    return new xl_split{made.home, made.sites, std::move(plans)};
  });
}

int xl_split_sites(const xl_split* split, int* num_sites, int* home) {
  return guarded("split", split, [&] {
    check_not_null(num_sites, "num_sites");
    check_not_null(home, "home");
    *num_sites = static_cast<int>(split->sites.size());
    *home = static_cast<int>(split->home);
    return Status::kOk;
  });
}

int xl_split_site(const xl_split* split, int index, xl_site* site) {
  return guarded("split", split, [&] {
    check_not_null(site, "site");
    const auto count = static_cast<int>(split->sites.size());
    if (index < 0 || index >= count) {
      fail(Status::kInvalidArgument,
           fmt::format("index = {} is not one of 0 to {}", index, count - 1));
    }
    const auto place = static_cast<std::size_t>(index);
    const SplitRepair::Site& from = split->sites[place];
    const xl_site known{0, static_cast<int>(from.number), &split->plans[place], from.units_read,
                        from.units_sent};
    fill_struct(site, known, site_fields(), "site");
    return Status::kOk;
  });
}

int xl_add_sums(const uint8_t* const sums[], int num_sums, uint8_t* chunk, size_t bytes) {
  return guarded([&] {
    if (num_sums < 0) {
      fail(Status::kInvalidArgument, fmt::format("num_sums = {} is less than 0", num_sums));
    }
    return add_sums(sums, static_cast<std::size_t>(num_sums), chunk, bytes);
  });
}

void xl_plan_destroy(xl_plan* plan) { delete plan; }

void xl_split_destroy(xl_split* split) { delete split; }
