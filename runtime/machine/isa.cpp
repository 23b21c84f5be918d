#include "runtime/machine/isa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "codes/text/error.hpp"
#include "runtime/machine/option_names.hpp"

namespace xorloom {
namespace {

struct IsaLine {
  std::size_t vector_bytes;
  bool has_gfni;
};

// In the order of the enum.
constexpr std::array kNames = {"portable",  "neon",   "ssse3",      "avx2",
                               "avx2-gfni", "avx512", "avx512-gfni"};
constexpr std::array kIsas = {
    IsaLine{0, false}, IsaLine{16, false}, IsaLine{16, false}, IsaLine{32, false},
    IsaLine{32, true}, IsaLine{64, false}, IsaLine{64, true},
};
static_assert(kNames.size() == kIsas.size());

const IsaLine& line_of(Isa isa) { return kIsas[static_cast<std::size_t>(isa)]; }

Isa isa_of(const char* origin, std::string_view name) {
  return static_cast<Isa>(place_of_name(origin, name, kNames));
}

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

}  // namespace

const char* to_string(Isa isa) noexcept {
  const auto place = static_cast<std::size_t>(isa);
  return place < kNames.size() ? kNames[place] : "unknown";
}

Isa parse_isa(std::string_view name) { return isa_of("isa", name); }

std::span<const char* const> isa_names() { return kNames; }

const std::vector<Isa>& machine_isas() {
  static const std::vector<Isa> isas = detect();
  return isas;
}

std::size_t vector_bytes(Isa isa) { return line_of(isa).vector_bytes; }

bool has_gfni(Isa isa) { return line_of(isa).has_gfni; }

Isa choose_isa(std::optional<Isa> asked) {
  const std::vector<Isa>& isas = machine_isas();
  const char* origin = "isa";
  Isa isa{};
  if (asked) {
    isa = parse_isa(to_string(*asked));  // refuses what is none of the enum
  } else {
    const char* forced = std::getenv("XORLOOM_ISA");
    if (forced == nullptr || *forced == '\0') return isas.back();
    origin = "XORLOOM_ISA";
    isa = isa_of(origin, forced);
  }
  if (std::ranges::find(isas, isa) == isas.end()) {
    fail(Status::kUnsupported, fmt::format("{} = {}, but the best this machine has is {}", origin,
                                           to_string(isa), to_string(isas.back())));
  }
  return isa;
}

}  // namespace xorloom
