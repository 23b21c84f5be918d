#pragma once

// The options of a codec, and their names: xorloom.hpp includes this.

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "xorloom.hpp needs C++20: compile with -std=c++20 or later; xorloom.h is for C and older C++"
#else

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#ifndef XORLOOM_API
#if defined(__GNUC__)
#define XORLOOM_API __attribute__((visibility("default")))
#else
#define XORLOOM_API
#endif
#endif

namespace xorloom {

/// Division of the work among threads or devices.
enum class Executor {
  kRanges,  ///< "ranges": each thread takes a range of the bytes
  kGraph,   ///< "graph": threads take groups of equations as their operands are ready
  kPlan,    ///< "plan": each thread computes its core's part of a plan; see docs/engine.md
  kAuto,    ///< "auto": Xorloom chooses
  kOpencl,  ///< "opencl": devices of OpenCL, such as a GPU, do the work; see docs/engine.md
  kCuda,    ///< "cuda": devices of CUDA do the work
  kHybrid,  ///< "hybrid": devices, of CUDA if there are any, and threads share the bytes
};

/// Form of the equations of a code on packets.
enum class EquationForm {
  kDirect,     ///< "direct": each output from inputs alone
  kIterative,  ///< "iterative": equations share common sums
  kAuto,       ///< "auto": iterative if finding common sums takes no time worth mentioning
};

/// Code that runs a plan.
enum class Engine {
  kCode,     ///< "code": machine code made for the plan at run time
  kKernels,  ///< "kernels": functions of the library; with Effort::kAuto the first plan is the last
  kAuto,     ///< "auto": code if it can be made and stays small, otherwise kernels
};

/// The memory that holds machine code. No page is ever writable and executable.
enum class CodeMemory {
  kNoCode,      ///< "none": no machine code is held; kernels run
  kSealedFile,  ///< "sealed file": a file in memory, sealed against writing and then mapped
  kOwnPages,    ///< "own pages": pages that were written before they became executable
};

/// Effort of the search for few XORs.
enum class Effort {
  kFast,    ///< "fast": milliseconds
  kNormal,  ///< "normal": seconds
  kMax,     ///< "max": until the given time or steps are spent; a codec does not accept it
  kQuick,   ///< "quick": tens of milliseconds, for nearly what normal reaches
  kAuto,    ///< "auto": kernels until machine code pays, then fast; for encoding quick at last
};

/// The instruction sets that kernels are written for. Those of one processor ascend in strength.
enum class Isa {
  kPortable,    ///< "portable": plain C++
  kNeon,        ///< "neon"
  kSsse3,       ///< "ssse3"
  kAvx2,        ///< "avx2"
  kAvx2Gfni,    ///< "avx2-gfni"
  kAvx512,      ///< "avx512": AVX-512 F, BW, DQ and VL
  kAvx512Gfni,  ///< "avx512-gfni"
  kNeonSha3,    ///< "neon-sha3": NEON with the three-way XOR of SHA3
  kRvv,         ///< "rvv": RISC-V vectors, by machine code alone
};

/// The name of a value, as quoted above; "unknown" if it is none of the enum. Never null.
XORLOOM_API const char* to_string(Executor executor) noexcept;
XORLOOM_API const char* to_string(EquationForm form) noexcept;
XORLOOM_API const char* to_string(Engine engine) noexcept;
XORLOOM_API const char* to_string(CodeMemory memory) noexcept;
XORLOOM_API const char* to_string(Effort effort) noexcept;
XORLOOM_API const char* to_string(Isa isa) noexcept;

/// The value of a name, as quoted above. parse_effort takes those that a codec accepts.
///
/// Errors: throws Error: kInvalidArgument for any other name, with that name and the accepted ones.
XORLOOM_API Executor parse_executor(std::string_view name);
XORLOOM_API EquationForm parse_equation_form(std::string_view name);
XORLOOM_API Engine parse_engine(std::string_view name);
XORLOOM_API Effort parse_effort(std::string_view name);
XORLOOM_API Isa parse_isa(std::string_view name);

/// Options of a codec. Only packet_bytes changes the bytes that are written.
struct Options {
  int threads = 1;               ///< 1: the calling thread only; 0: all that the machine has
  std::size_t packet_bytes = 0;  ///< 0: the value in the spec, or 64 if the spec has none
  std::optional<Isa> isa{};      ///< nullopt: XORLOOM_ISA if it is set, else the machine's best
  Executor executor = Executor::kAuto;
  EquationForm style = EquationForm::kAuto;
  Engine engine = Engine::kAuto;
  /// Effort of the search for a plan; kMax is refused. With kAuto, encode() and decode() run
  /// kernels, whose plan takes microseconds, until machine code pays.
  Effort effort = Effort::kAuto;
  bool allow_non_mds = false;  ///< accept a code not proved to survive the losses it promises
  /// Bytes of the cache that keeps decoding plans for later calls; 0 keeps none (in C, 0 means the
  /// default). PlanCounts::bytes never exceeds it: a plan of more bytes is used and not kept. All
  /// 1470 plans of a code with k = 10 and m = 4 fit the default.
  std::size_t plan_cache_bytes = std::size_t{80} << 20;
  /// If set, a thread of the codec makes a better plan once decode() has rebuilt 1 GiB of data with
  /// a plan, by a search of Effort::kQuick. It starts only then, with the lowest priority. decode()
  /// uses the old plan until the thread is done, and plans that you hold do not change. The codec's
  /// destructor waits until the thread gives up: milliseconds, or a second or two if all processors
  /// are busy. The option has no effect with an atlas, on words, or with efforts other than kAuto.
  bool improves_plans = false;
  /// The path of an atlas of the code, or "" for none; see docs/store.md. Its programs are used
  /// instead of a search. If a record is damaged, its plan is compiled without the atlas, and
  /// PlanCounts::atlas_damaged counts it.
  std::string atlas = "";
  /// Programs that were searched before, for any code: "" uses those that come with Xorloom, and no
  /// file. "user" also uses the user's cache directory. It keeps programs there that took a search
  /// of Effort::kQuick or more, and compiled kernels of devices. With Executor::kAuto, devices
  /// whose rates are kept there may run plans. Another value is a directory of such programs; "off"
  /// uses none. Programs are proved before they run, and nothing that is wrong with a directory is
  /// an error. See docs/store.md.
  std::string wisdom = "";
  /// Microseconds that threads stay awake after their work, up to 1,000,000. Then two threads gain
  /// from some 128 KiB of data on, but they spend their processors' time meanwhile. 0: they sleep.
  int awake_microseconds = 0;
};

}  // namespace xorloom

#endif  // C++20
