#include "runtime/kernels/isa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "codes/text/error.hpp"
#include "runtime/machine/option_names.hpp"

namespace xorloom {

extern const WordKernelTable kPortableWords, kNeonWords, kSsse3Words, kAvx2Words, kAvx2GfniWords,
    kAvx512Words, kAvx512GfniWords;
extern const TransformKernelTable kPortableTransforms, kNeonTransforms, kSsse3Transforms,
    kAvx2Transforms, kAvx2GfniTransforms, kAvx512Transforms, kAvx512GfniTransforms;

namespace {

struct IsaLine {
  const char* name;
  std::size_t vector_bytes;
  bool has_gfni;
};

// In the order of the enum.
constexpr std::array kIsas = {
    IsaLine{"portable", 0, false},    IsaLine{"neon", 16, false},     IsaLine{"ssse3", 16, false},
    IsaLine{"avx2", 32, false},       IsaLine{"avx2-gfni", 32, true}, IsaLine{"avx512", 64, false},
    IsaLine{"avx512-gfni", 64, true},
};

constexpr auto kNames = [] {
  std::array<const char*, kIsas.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kIsas[i].name;
  return names;
}();

const IsaLine& line_of(Isa isa) { return kIsas[static_cast<std::size_t>(isa)]; }

Isa isa_of(const char* origin, std::string_view name) {
  return static_cast<Isa>(place_of_name(origin, name, kNames));
}

bool is_everywhere() { return true; }

#if defined(__x86_64__)

bool has_ssse3() { return __builtin_cpu_supports("ssse3"); }
bool has_avx2() { return __builtin_cpu_supports("avx2"); }
bool has_avx2_gfni() { return has_avx2() && __builtin_cpu_supports("gfni"); }
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
bool has_avx512_gfni() { return has_avx512() && __builtin_cpu_supports("gfni"); }

#endif

/// The kernels of an instruction set, and whether the machine has it.
struct KernelLine {
  bool (*is_here)();
  IsaKernels kernels;
};

// Those of this build, in the order of the enum.
constexpr std::array kKernels = {
    KernelLine{is_everywhere,
               {Isa::kPortable, &kPortableWords, xor_lines_portable, plain_xor_portable,
                &kPortableTransforms}},
#if defined(__aarch64__)
    KernelLine{is_everywhere,
               {Isa::kNeon, &kNeonWords, xor_lines_portable, plain_xor_portable, &kNeonTransforms}},
#elif defined(__x86_64__)
    KernelLine{
        has_ssse3,
        {Isa::kSsse3, &kSsse3Words, xor_lines_portable, plain_xor_portable, &kSsse3Transforms}},
    KernelLine{has_avx2,
               {Isa::kAvx2, &kAvx2Words, xor_lines_avx2, plain_xor_avx2, &kAvx2Transforms}},
    KernelLine{
        has_avx2_gfni,
        {Isa::kAvx2Gfni, &kAvx2GfniWords, xor_lines_avx2, plain_xor_avx2, &kAvx2GfniTransforms}},
    KernelLine{
        has_avx512,
        {Isa::kAvx512, &kAvx512Words, xor_lines_avx512, plain_xor_avx512, &kAvx512Transforms}},
    KernelLine{has_avx512_gfni,
               {Isa::kAvx512Gfni, &kAvx512GfniWords, xor_lines_avx512, plain_xor_avx512,
                &kAvx512GfniTransforms}},
#endif
};

std::vector<Isa> detect() {
#if defined(__x86_64__)
  __builtin_cpu_init();
#endif
  std::vector<Isa> found;
  for (const KernelLine& line : kKernels) {
    if (line.is_here()) found.push_back(line.kernels.isa);
  }
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

const IsaKernels& kernels_of(Isa isa) {
  for (const KernelLine& line : kKernels) {
    if (line.kernels.isa == isa) return line.kernels;
  }
  fail(Status::kUnsupported, fmt::format("this build has no kernels for {}", to_string(isa)));
}

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
