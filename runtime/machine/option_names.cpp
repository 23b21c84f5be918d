#include "runtime/machine/option_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "codes/text/error.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

// In the order of their enums.
constexpr std::array kExecutors = {"ranges", "graph", "plan", "auto", "opencl", "cuda", "hybrid"};
constexpr std::array kEquationForms = {"direct", "iterative", "auto"};
constexpr std::array kEngines = {"code", "kernels", "auto"};
constexpr std::array kCodeMemories = {"none", "sealed file", "own pages"};
constexpr std::array kIsas = {"portable", "neon",        "ssse3",     "avx2", "avx2-gfni",
                              "avx512",   "avx512-gfni", "neon-sha3", "rvv"};
constexpr std::array kEfforts = {"fast", "normal", "max", "quick", "auto"};

template <typename Enum>
const char* name_of(Enum value, std::span<const char* const> names) noexcept {
  const auto place = static_cast<std::size_t>(value);
  return place < names.size() ? names[place] : "unknown";
}

}  // namespace

std::size_t place_of_name(std::string_view option, std::string_view name,
                          std::span<const char* const> names) {
  const auto known =
      std::ranges::find(names, name, [](const char* n) { return std::string_view(n); });
  if (known != names.end()) return static_cast<std::size_t>(known - names.begin());
  std::string text = names[0];
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += fmt::format("{}{}", i + 1 < names.size() ? ", " : " or ", names[i]);
  }
  fail(Status::kInvalidArgument, fmt::format("{} = '{}' is not {}", option, excerpt(name), text));
}

const char* to_string(Executor executor) noexcept { return name_of(executor, kExecutors); }
const char* to_string(EquationForm form) noexcept { return name_of(form, kEquationForms); }
const char* to_string(Engine engine) noexcept { return name_of(engine, kEngines); }
const char* to_string(CodeMemory memory) noexcept { return name_of(memory, kCodeMemories); }
const char* to_string(Isa isa) noexcept { return name_of(isa, kIsas); }
const char* to_string(Effort effort) noexcept { return name_of(effort, kEfforts); }

std::span<const char* const> isa_names() { return kIsas; }

Isa parse_isa(std::string_view name) { return static_cast<Isa>(place_of_name("isa", name, kIsas)); }

Executor parse_executor(std::string_view name) {
  return static_cast<Executor>(place_of_name("executor", name, kExecutors));
}

EquationForm parse_equation_form(std::string_view name) {
  return static_cast<EquationForm>(place_of_name("style", name, kEquationForms));
}

Engine parse_engine(std::string_view name) {
  return static_cast<Engine>(place_of_name("engine", name, kEngines));
}

// A codec's search always ends by itself, so that "max" is not one of its efforts.
Effort parse_effort(std::string_view name) {
  constexpr std::array kOfCodecs = {Effort::kAuto, Effort::kFast, Effort::kQuick, Effort::kNormal};
  std::array<const char*, kOfCodecs.size()> names{};
  std::ranges::transform(kOfCodecs, names.begin(), [](Effort effort) { return to_string(effort); });
  return kOfCodecs[place_of_name("effort", name, names)];
}

}  // namespace xorloom
