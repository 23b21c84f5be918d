#include "runtime/isa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "codes/error.hpp"

namespace xorloom {
namespace {

constexpr std::array kNames = {"portable", "avx2", "avx512"};

std::vector<Isa> detect() {
  std::vector<Isa> found{Isa::kPortable};
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) found.push_back(Isa::kAvx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    found.push_back(Isa::kAvx512);
  }
#endif
  return found;
}

}  // namespace

const char* to_string(Isa isa) { return kNames[static_cast<std::size_t>(isa)]; }

const std::vector<Isa>& machine_isas() {
  static const std::vector<Isa> isas = detect();
  return isas;
}

Isa choose_isa(std::string_view name) {
  const std::vector<Isa>& isas = machine_isas();
  const char* origin = "isa";
  if (name.empty()) {
    const char* forced = std::getenv("XORLOOM_ISA");
    if (forced == nullptr || *forced == '\0') return isas.back();
    name = forced;
    origin = "XORLOOM_ISA";
  }
  const auto known = std::ranges::find(kNames, name);
  if (known == kNames.end()) {
    fail(Status::kInvalidArgument,
         fmt::format("{} = '{}' is not portable, avx2 or avx512", origin, name));
  }
  const auto isa = static_cast<Isa>(known - kNames.begin());
  if (std::ranges::find(isas, isa) == isas.end()) {
    fail(Status::kUnsupported, fmt::format("{} = {}, but the best this machine has is {}", origin,
                                           name, to_string(isas.back())));
  }
  return isa;
}

}  // namespace xorloom
