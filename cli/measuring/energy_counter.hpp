#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xorloom::cli {

/// The processor's counters of energy (RAPL), as Linux shows them below /sys/class/powercap: one
/// for each package, of all its cores and of whatever runs on them.
class EnergyCounter {
 public:
  /// `root` is the folder of the counters; another one is for tests.
  explicit EnergyCounter(std::string root = "/sys/class/powercap");

  /// Why nothing is counted, as a sentence; "" if it is.
  const std::string& why_none() const { return why_none_; }

  /// Joule of all packages since the last call, or since construction; nullopt if nothing is
  /// counted. A counter that has begun anew, as each does after some minutes, is understood once.
  std::optional<double> joules();

 private:
  struct Package {
    std::string path;     ///< path of its energy_uj
    std::uint64_t last;   ///< microjoule
    std::uint64_t range;  ///< microjoule at which it begins anew; 0: unknown
  };

  std::vector<Package> packages_;
  std::string why_none_;
};

}  // namespace xorloom::cli
