#include "cli/shell/code_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/shell/given_equations.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/families/families.hpp"
#include "codes/spec.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kCodeGroup = "The code";

/// Values of -k, -m and -w; nullopt: not given.
struct CodeNumbers {
  std::optional<std::size_t> k;
  std::optional<std::size_t> m;
  std::optional<std::size_t> w;
};

/// True for standard input, for a name that only a file has, and for a file that has no family's
/// name.
bool names_no_family(const std::string& spec) {
  if (spec.find(':') != std::string::npos) return false;
  if (spec == "-" || spec.find_first_of("./") != std::string::npos) return true;
  std::error_code none;
  return std::filesystem::is_regular_file(spec, none) &&
         std::ranges::find(families(), std::string_view(spec), &Family::name) == families().end();
}

/// Adds `numbers` to `spec`, which must not set them otherwise. An empty `spec` becomes
/// cauchy-good, by default with k = 10 and m = 4.
std::string completed(std::string spec, CodeNumbers numbers) {
  if (spec.starts_with("file:")) {
    fail(Status::kInvalidArgument,
         fmt::format("-k, -m and -w do not go with {}, whose file has all "
                     "numbers of the code",
                     excerpt(spec)));
  }
  if (names_no_family(spec)) {
    fail(
        Status::kInvalidArgument,
        fmt::format("-k, -m and -w do not go with {}, which is no family of codes", excerpt(spec)));
  }
  if (spec.empty()) {
    spec = "cauchy-good";
    numbers.k = numbers.k.value_or(10);
    numbers.m = numbers.m.value_or(4);
  }
  const Spec given(spec);
  char before = spec.find(':') == std::string::npos ? ':' : ',';
  for (const auto& [key, number] :
       {std::pair{'k', numbers.k}, std::pair{'m', numbers.m}, std::pair{'w', numbers.w}}) {
    if (!number) continue;
    const std::string value = fmt::format("{}", *number);
    const std::string_view other = given.find({&key, 1}).value_or(value);
    if (other != value) {
      fail(Status::kInvalidArgument, fmt::format("-{} {} contradicts {} = {} in '{}'", key, value,
                                                 key, excerpt(other), excerpt(spec)));
    }
    if (!given.find({&key, 1}))
      spec += fmt::format("{}{}={}", std::exchange(before, ','), key, value);
  }
  return spec;
}

/// Adds -k, -m and -w; `settle` is called if at least one of them is given.
void add_code_numbers(Command& command, const std::function<void(const CodeNumbers&)>& settle) {
  const auto numbers = std::make_shared<CodeNumbers>();
  add_number(command, "-k", numbers->k, 1, kMaxLocations,
             "chunks of data. -k 6 -m 3 is short for cauchy-good:k=6,m=3; with a family alone as "
             "SPEC, such as rs, for rs:k=6,m=3. Without SPEC, k is 10 and m is 4 unless they are "
             "given");
  add_number(command, "-m", numbers->m, 1, kMaxLocations, "redundant chunks, likewise");
  add_number(command, "-w", numbers->w, 1, 32, "bits of a symbol, likewise");
  for (const char* name : {"-k", "-m", "-w"}) option_of(command, name).group = kCodeGroup;
  command.settle.push_back([numbers, settle] {
    if (numbers->k || numbers->m || numbers->w) settle(*numbers);
  });
}

}  // namespace

void add_spec(Command& command, std::string& spec) {
  add_argument(command, "SPEC", spec, "the code, such as cauchy-good:10,4; see xorloom codes");
  option_of(command, "SPEC").stand_in = "-k,-m,-w";
  add_code_numbers(command,
                   [&spec](const CodeNumbers& numbers) { spec = completed(spec, numbers); });
}

void add_specs(Command& command, std::vector<std::string>& specs, bool required,
               const std::string& help) {
  add_arguments(command, "SPEC", specs, help, required);
  if (required) option_of(command, "SPEC").stand_in = "-k,-m,-w";
  add_code_numbers(command, [&specs](const CodeNumbers& numbers) {
    if (specs.empty()) specs.emplace_back();
    for (std::string& spec : specs) spec = completed(spec, numbers);
  });
}

CommandOption& add_code(Command& command, std::optional<std::string>& spec,
                        const std::string& help) {
  add_text(command, "--code", "SPEC", spec, help);
  add_code_numbers(command, [&spec](const CodeNumbers& numbers) {
    spec = completed(spec.value_or(""), numbers);
  });
  return option_of(command, "--code");
}

void add_allow_non_mds(Command& command, Options& options) {
  add_flag(command, "--allow-non-mds", options.allow_non_mds,
           "accept a code even if it is not proved to survive the losses it promises");
  option_of(command, "--allow-non-mds").group = kCodeGroup;
}

void add_packet_bytes(Command& command, Options& options) {
  add_bytes(command, "--packet-bytes", options.packet_bytes, 1, kMaxPacketBytes,
            "bytes that one XOR works on, a multiple of 8; the same as packet_bytes in the spec, "
            "which it must not contradict");
  option_of(command, "--packet-bytes").group = kCodeGroup;
}

void group_with_raw(Command& command) {
  for (CommandOption& option : command.options) {
    if (option.group == kCodeGroup) option.group = "The code, with --raw";
  }
}

Code code_of(const std::string& spec, const Options& options) try {
  return make_code(spec, {options.packet_bytes, options.allow_non_mds});
} catch (const Error&) {
  const std::string path = spec.substr(spec.starts_with("file:") ? 5 : 0);
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none) || !holds_equations(read_text(path))) throw;
  fail(Status::kParse,
       "{} holds equations, not a code: equations, emit, report, bench and encode --raw take them "
       "with --equations",
       excerpt(path));
}

}  // namespace xorloom::cli
