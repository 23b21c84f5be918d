#include "cli/measuring/energy_counter.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/support/has.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::cli {
namespace {

/// A package of a folder as /sys/class/powercap is one.
void set(const TemporaryFolder& folder, const std::string& name, const std::string& energy) {
  std::filesystem::create_directories(folder.path() / name);
  folder.write(name + "/energy_uj", energy + "\n");
  folder.write(name + "/max_energy_range_uj", "1000000000\n");
}

}  // namespace

TEST_CASE("Joule of all packages are added, and not those of their parts") {
  const TemporaryFolder folder;
  set(folder, "intel-rapl:0", "5000000");
  set(folder, "intel-rapl:1", "100");
  set(folder, "intel-rapl:0:0", "1");
  EnergyCounter counter(folder.path().string());
  CHECK(counter.why_none() == "");
  set(folder, "intel-rapl:0", "7500000");
  set(folder, "intel-rapl:1", "1000100");
  set(folder, "intel-rapl:0:0", "900000000");
  CHECK(counter.joules() == doctest::Approx(3.5));
  CHECK(counter.joules() == doctest::Approx(0));
}

TEST_CASE("A counter that has begun anew is understood") {
  const TemporaryFolder folder;
  set(folder, "intel-rapl:0", "999000000");
  EnergyCounter counter(folder.path().string());
  set(folder, "intel-rapl:0", "2000000");
  CHECK(counter.joules() == doctest::Approx(3));
}

TEST_CASE("Where no counter can be read, a sentence says why") {
  const TemporaryFolder folder;
  EnergyCounter none(folder.path().string());
  CHECK(none.why_none() ==
        "no energy is measured: " + folder.path().string() + " shows no counter of a processor");
  CHECK(!none.joules());
  EnergyCounter missing(folder / "missing");
  CHECK(test::has(missing.why_none(), "shows no counter"));
  set(folder, "intel-rapl:0", "not a number");
  EnergyCounter unreadable(folder.path().string());
  CHECK(test::has(unreadable.why_none(), "/intel-rapl:0/energy_uj cannot be read: "));
  CHECK(!unreadable.joules());
}

}  // namespace xorloom::cli
