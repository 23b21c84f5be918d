#include "runtime/machine/isa.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

struct IsaLine {
  const char* name;
  std::size_t vector_bytes;
  bool has_gfni;
};

/// In the order of the enum.
constexpr std::array kIsas = {
    IsaLine{"portable", 0, false},    IsaLine{"neon", 16, false},     IsaLine{"ssse3", 16, false},
    IsaLine{"avx2", 32, false},       IsaLine{"avx2-gfni", 32, true}, IsaLine{"avx512", 64, false},
    IsaLine{"avx512-gfni", 64, true},
};

const IsaLine& line_of(Isa isa) { return kIsas[static_cast<std::size_t>(isa)]; }

std::vector<Isa> detect() {
  std::vector<Isa> found{Isa::kPortable};
#if defined(__aarch64__)
  found.push_back(Isa::kNeon);
#elif defined(__x86_64__)
  __builtin_cpu_init();
  const bool gfni = __builtin_cpu_supports("gfni");
  if (__builtin_cpu_supports("ssse3")) found.push_back(Isa::kSsse3);
  if (__builtin_cpu_supports("avx2")) {
    found.push_back(Isa::kAvx2);
    if (gfni) found.push_back(Isa::kAvx2Gfni);
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    found.push_back(Isa::kAvx512);
    if (gfni) found.push_back(Isa::kAvx512Gfni);
  }
#endif
  return found;
}

/// "a, b or c".
std::string listed(const std::vector<std::string>& names) {
  const auto last = names.end() - 1;
  return fmt::format("{} or {}", fmt::join(names.begin(), last, ", "), *last);
}

}  // namespace

const char* to_string(Isa isa) { return line_of(isa).name; }

const std::vector<std::string>& isa_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const IsaLine& line : kIsas) result.emplace_back(line.name);
    return result;
  }();
  return names;
}

const std::vector<Isa>& machine_isas() {
  static const std::vector<Isa> isas = detect();
  return isas;
}

std::size_t vector_bytes(Isa isa) { return line_of(isa).vector_bytes; }

bool has_gfni(Isa isa) { return line_of(isa).has_gfni; }

Isa choose_isa(std::string_view name) {
  const std::vector<Isa>& isas = machine_isas();
  const char* origin = "isa";
  if (name.empty()) {
    const char* forced = std::getenv("XORLOOM_ISA");
    if (forced == nullptr || *forced == '\0') return isas.back();
    name = forced;
    origin = "XORLOOM_ISA";
  }
  const auto known = std::ranges::find(kIsas, name, &IsaLine::name);
  if (known == kIsas.end()) {
    fail(Status::kInvalidArgument,
         fmt::format("{} = '{}' is not {}", origin, excerpt(name), listed(isa_names())));
  }
  const auto isa = static_cast<Isa>(known - kIsas.begin());
  if (std::ranges::find(isas, isa) == isas.end()) {
    fail(Status::kUnsupported, fmt::format("{} = {}, but the best this machine has is {}", origin,
                                           name, to_string(isas.back())));
  }
  return isa;
}

}  // namespace xorloom
