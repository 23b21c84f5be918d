#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/face/c_face.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

constexpr std::array kRepairFields = {
    XL_FIELD(xl_repair, size),        XL_FIELD(xl_repair, erased),
    XL_FIELD(xl_repair, num_erased),  XL_FIELD(xl_repair, wanted),
    XL_FIELD(xl_repair, num_wanted),  XL_FIELD(xl_repair, units),
    XL_FIELD(xl_repair, num_units),   XL_FIELD(xl_repair, read_costs),
    XL_FIELD(xl_repair, at_hand),     XL_FIELD(xl_repair, num_at_hand),
    XL_FIELD(xl_repair, whole_chunks)};
constexpr std::array kSiteFields = {XL_FIELD(xl_site, size), XL_FIELD(xl_site, number),
                                    XL_FIELD(xl_site, plan), XL_FIELD(xl_site, units_read),
                                    XL_FIELD(xl_site, units_sent)};

std::vector<std::uint32_t> units_of(const xl_repair& repair, std::size_t list) {
  const int count = repair.num_units[list];
  if (count < 0) {
    fail(Status::kInvalidArgument, fmt::format("num_units[{}] = {} is less than 0", list, count));
  }
  if (count == 0) return {};
  check_not_null(repair.units[list], fmt::format("units[{}]", list).c_str());
  return {repair.units[list], repair.units[list] + count};
}

Repair repair_of(const xl_codec& codec, const xl_repair& given) {
  const xl_repair known = given_struct(given, kRepairFields, "repair");
  Repair repair;
  repair.erased = numbers_of(known.erased, known.num_erased, "erased");
  repair.wanted = numbers_of(known.wanted, known.num_wanted, "wanted");
  repair.at_hand = numbers_of(known.at_hand, known.num_at_hand, "at_hand");
  repair.whole_chunks = known.whole_chunks != 0;
  if (known.units != nullptr) {
    check_not_null(known.num_units, "num_units");
    const Locations& wanted = repair.wanted.empty() ? repair.erased : repair.wanted;
    for (std::size_t i = 0; i < wanted.size(); ++i) repair.units.push_back(units_of(known, i));
  }
  if (known.read_costs != nullptr) {
    repair.read_costs.assign(known.read_costs, known.read_costs + codec.info.locations);
  }
  return repair;
}

/// The locations of each site, from the site of each location.
std::vector<Locations> sites_of(const xl_codec& codec, const int* sites) {
  const auto count = static_cast<int>(codec.info.locations);
  std::vector<Locations> result;
  const Locations site_of = numbers_of(sites, count, "sites");
  for (std::size_t location = 0; location < site_of.size(); ++location) {
    // A number of that size leaves a site without a location, whatever the others are.
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

/// Gives a caller an array that lives on.
template <typename Numbers, typename Number>
Status give(const Numbers& numbers, const Number** to, int* count) {
  *to = numbers.data();
  *count = static_cast<int>(numbers.size());
  return Status::kOk;
}

Status give_locations(const xl_plan* plan, std::vector<int> xl_plan::*which, const int** locations,
                      int* num_locations) {
  check_not_null(plan, "plan");
  check_not_null(locations, "locations");
  check_not_null(num_locations, "num_locations");
  return give(plan->*which, locations, num_locations);
}

using UnitsOf = std::span<const std::uint32_t> (Plan::*)(std::size_t) const noexcept;

Status give_units(const xl_plan* plan, UnitsOf which, int location, const std::uint32_t** units,
                  int* num_units) {
  check_not_null(plan, "plan");
  check_not_null(units, "units");
  check_not_null(num_units, "num_units");
  if (location < 0) {
    fail(Status::kInvalidArgument, fmt::format("location = {} is less than 0", location));
  }
  return give((plan->plan.*which)(static_cast<std::size_t>(location)), units, num_units);
}

/// Makes a plan for a caller; null if it cannot be made.
template <typename Make>
int make_handle(const xl_codec* codec, xl_plan** plan, const Make& make) {
  return guarded([&] {
    check_not_null(plan, "plan");
    *plan = nullptr;
    check_not_null(codec, "codec");
    *plan = new xl_plan(make());
    return Status::kOk;
  });
}

}  // namespace
}  // namespace xorloom

using xorloom::Status;

xl_plan::xl_plan(xorloom::Plan made)
    : plan(std::move(made)),
      reads(xorloom::ints_of(plan.reads())),
      writes(xorloom::ints_of(plan.writes())) {}

int xl_plan_create(const xl_codec* codec, const int erased[], int num_erased, const int wanted[],
                   int num_wanted, xl_plan** plan) {
  return xorloom::make_handle(codec, plan, [&] {
    const std::vector<std::size_t> lost = xorloom::numbers_of(erased, num_erased, "erased");
    const std::vector<std::size_t> some = xorloom::numbers_of(wanted, num_wanted, "wanted");
    return codec->codec.decoding(lost, some);
  });
}

int xl_plan_create_repair(const xl_codec* codec, const xl_repair* repair, xl_plan** plan) {
  return xorloom::make_handle(codec, plan, [&] {
    xorloom::check_not_null(repair, "repair");
    return codec->codec.repair(xorloom::repair_of(*codec, *repair));
  });
}

int xl_plan_create_encoding(const xl_codec* codec, xl_plan** plan) {
  return xorloom::make_handle(codec, plan, [&] { return codec->codec.encoding(); });
}

int xl_plan_reads(const xl_plan* plan, const int** locations, int* num_locations) {
  return xorloom::guarded(
      [&] { return xorloom::give_locations(plan, &xl_plan::reads, locations, num_locations); });
}

int xl_plan_writes(const xl_plan* plan, const int** locations, int* num_locations) {
  return xorloom::guarded(
      [&] { return xorloom::give_locations(plan, &xl_plan::writes, locations, num_locations); });
}

int xl_plan_units_read(const xl_plan* plan, int location, const uint32_t** units, int* num_units) {
  return xorloom::guarded([&] {
    return xorloom::give_units(plan, &xorloom::Plan::units_read, location, units, num_units);
  });
}

int xl_plan_units_written(const xl_plan* plan, int location, const uint32_t** units,
                          int* num_units) {
  return xorloom::guarded([&] {
    return xorloom::give_units(plan, &xorloom::Plan::units_written, location, units, num_units);
  });
}

int xl_plan_run(const xl_plan* plan, uint8_t* const chunks[], size_t chunk_bytes) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(plan, "plan");
    return plan->plan.run(chunks, chunk_bytes);
  });
}

int xl_plan_run_device(const xl_plan* plan, void* memory, const uint64_t places[], void* queue,
                       size_t chunk_bytes) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(plan, "plan");
    const std::size_t locations = xorloom::PlanAccess::impl_of(plan->plan).locations;
    return plan->plan.run_device(xorloom::device_chunks(memory, places, locations, queue),
                                 chunk_bytes);
  });
}

int xl_split_create(const xl_codec* codec, const xl_repair* repair, const int sites[],
                    xl_split** split) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(split, "split");
    *split = nullptr;
    xorloom::check_not_null(codec, "codec");
    xorloom::check_not_null(repair, "repair");
    const xorloom::SplitRepair made =
        codec->codec.split(xorloom::repair_of(*codec, *repair), xorloom::sites_of(*codec, sites));
    std::vector<xl_plan> plans;
    for (const xorloom::SplitRepair::Site& site : made.sites) plans.emplace_back(site.plan);
    *split = new xl_split{made.home, made.sites, std::move(plans)};
    return Status::kOk;
  });
}

int xl_split_sites(const xl_split* split, int* num_sites, int* home) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(split, "split");
    xorloom::check_not_null(num_sites, "num_sites");
    xorloom::check_not_null(home, "home");
    *num_sites = static_cast<int>(split->sites.size());
    *home = static_cast<int>(split->home);
    return Status::kOk;
  });
}

int xl_split_site(const xl_split* split, int index, xl_site* site) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(split, "split");
    xorloom::check_not_null(site, "site");
    const auto count = static_cast<int>(split->sites.size());
    if (index < 0 || index >= count) {
      xorloom::fail(Status::kInvalidArgument,
                    fmt::format("index = {} is not one of 0 to {}", index, count - 1));
    }
    const auto place = static_cast<std::size_t>(index);
    const xorloom::SplitRepair::Site& from = split->sites[place];
    const xl_site known{0, static_cast<int>(from.number), &split->plans[place], from.units_read,
                        from.units_sent};
    xorloom::fill_struct(site, known, xorloom::kSiteFields, "site");
    return Status::kOk;
  });
}

int xl_add_sums(const uint8_t* const sums[], int num_sums, uint8_t* chunk, size_t bytes) {
  return xorloom::guarded([&] {
    if (num_sums < 0) {
      xorloom::fail(Status::kInvalidArgument,
                    fmt::format("num_sums = {} is less than 0", num_sums));
    }
    return xorloom::add_sums(sums, static_cast<std::size_t>(num_sums), chunk, bytes);
  });
}

void xl_plan_destroy(xl_plan* plan) { delete plan; }

void xl_split_destroy(xl_split* split) { delete split; }
