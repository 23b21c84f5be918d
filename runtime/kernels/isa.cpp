#include "runtime/kernels/isa.hpp"

// The bytes of vectors have another order on a big-endian AArch64, which runs portable kernels.
#if defined(__aarch64__) && !defined(__AARCH64EB__)
#define XORLOOM_HAS_NEON
#endif
#if defined(XORLOOM_HAS_NEON) || defined(__riscv)
#include <sys/auxv.h>
#endif

#include <algorithm>
#include <array>
#include <cstdlib>

#include "codes/text/error.hpp"
#include "runtime/kernels/fingerprint_kernel.hpp"
#include "runtime/machine/option_names.hpp"

namespace xorloom {

extern const WordKernelTable kPortableWords, kNeonWords, kNeonSha3Words, kSsse3Words, kAvx2Words,
    kAvx2GfniWords, kAvx512Words, kAvx512GfniWords;
extern const FingerprintKernels kPclmulFingerprints, kVpclmulFingerprints;
extern const TransformKernelTable kPortableTransforms, kNeonTransforms, kNeonSha3Transforms,
    kSsse3Transforms, kAvx2Transforms, kAvx2GfniTransforms, kAvx512Transforms,
    kAvx512GfniTransforms;

namespace {

struct Width {
  std::size_t vector_bytes;
  bool has_gfni;
};

// Portable, NEON, SSSE3, AVX2 without and with GFNI, AVX-512 without and with GFNI, NEON with SHA3,
// the V extension, whose kernels are the portable ones: as the enum.
constexpr std::array<Width, 9> kWidths = {{{0, false},
                                           {16, false},
                                           {16, false},
                                           {32, false},
                                           {32, true},
                                           {64, false},
                                           {64, true},
                                           {16, false},
                                           {0, false}}};

bool is_everywhere() { return true; }

#if defined(XORLOOM_HAS_NEON)

bool has_neon_sha3() { return (::getauxval(AT_HWCAP) & HWCAP_SHA3) != 0; }

#elif defined(__riscv)

bool has_rvv() { return (::getauxval(AT_HWCAP) >> ('V' - 'A') & 1) != 0; }

#elif defined(__x86_64__)

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

// Kernels of this build, in the order of the enum.
constexpr std::array kKernels = {
    KernelLine{is_everywhere,
               {Isa::kPortable, &kPortableWords, xor_lines_portable, plain_xor_portable,
                &kPortableTransforms}},
#if defined(XORLOOM_HAS_NEON)
    KernelLine{is_everywhere,
               {Isa::kNeon, &kNeonWords, xor_lines_neon, plain_xor_neon, &kNeonTransforms}},
    KernelLine{has_neon_sha3,
               {Isa::kNeonSha3, &kNeonSha3Words, xor_lines_neon_sha3, plain_xor_neon_sha3,
                &kNeonSha3Transforms}},
#elif defined(__riscv)
    KernelLine{
        has_rvv,
        {Isa::kRvv, &kPortableWords, xor_lines_portable, plain_xor_portable, &kPortableTransforms}},
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

const std::vector<Isa>& machine_isas() {
  static const std::vector<Isa> isas = detect();
  return isas;
}

std::size_t rvv_bytes() {
  std::size_t bytes = 0;
#if defined(__riscv)
  if (has_rvv()) __asm__("csrr %0, 0xc22" : "=r"(bytes));  // vlenb
#endif
  return bytes;
}

std::size_t vector_bytes(Isa isa) { return kWidths[static_cast<std::size_t>(isa)].vector_bytes; }

bool has_gfni(Isa isa) { return kWidths[static_cast<std::size_t>(isa)].has_gfni; }

const IsaKernels& kernels_of(Isa isa) {
  for (const KernelLine& line : kKernels) {
    if (line.kernels.isa == isa) return line.kernels;
  }
  fail(Status::kUnsupported, "this build has no kernels for {}", to_string(isa));
}

const FingerprintKernels& fingerprint_kernels([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  const bool multiplies = __builtin_cpu_supports("pclmul") && isa != Isa::kPortable;
  if (multiplies && vector_bytes(isa) >= 32 && __builtin_cpu_supports("vpclmulqdq")) {
    return kVpclmulFingerprints;
  }
  if (multiplies) return kPclmulFingerprints;
#endif
  return kPortableFingerprints;
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
    isa = static_cast<Isa>(place_of_name(origin, forced, isa_names()));
  }
  if (std::ranges::find(isas, isa) == isas.end()) {
    fail(Status::kUnsupported, "{} = {}, but the best this machine has is {}", origin,
         to_string(isa), to_string(isas.back()));
  }
  return isa;
}

}  // namespace xorloom
